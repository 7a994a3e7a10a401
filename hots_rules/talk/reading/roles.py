"""The roles of the names in a sentence about an action: who acts, with what, from where, and where to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from attrs import evolve, frozen

from hots_rules.compile.facts import Variable
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.verbs import Verbs

SOURCES = frozenset({"from", "de", "du", "des", "del", "d", "desde", "depuis", "out"})
TARGETS = frozenset(
    {
        *("to", "into", "onto", "in", "at", "towards", "vers", "a", "au", "aux", "en", "dans"),
        *("jusque", "sur", "hasta", "hacia", "chez"),
    }
)
"""Words before the name of a place where something comes from, and where it goes to."""

SPEAKERS = frozenset(
    {
        *("i", "we", "je", "nous", "yo", "peux", "pouvons", "puis", "dois", "devons"),
        *("puedo", "podemos", "debo", "debemos", "tengo", "tenemos"),
    }
)
"""Words that say that who asks is to act."""

HEADING = frozenset(
    {
        *("to", "into", "onto", "towards", "toward", "vers", "a", "au", "aux"),
        *("jusque", "jusqu", "hasta", "hacia"),
    }
)
"""Those of them before a place where something is not yet."""
WITH_WORDS = frozenset({"with", "avec", "con"})
PASSING = frozenset(
    {
        "pass",
        "passer",
        "passe",
        "pasar",
        "pasarse",
        "turn",
        "turn up",
        "come",
        "venir",
        "hop",
        "route",
    }
)
"""Words that mean to go where such a word is behind them, and something else otherwise."""
GRANTING = frozenset({"can", "must", "why"})
"""Concepts of words that what acts may follow after `a`."""
ARRIVING = frozenset(
    {
        *("turn up", "show up", "pop up", "debouler", "surgir", "plante", "plantarse"),
        *("infiltrer", "infiltrar", "infiltrarse", "colar", "colarse", "meter", "meterse"),
    }
)
"""Those that a word such as `in` may follow."""
WITH_A_MEANING = frozenset({"can", "must", "i", "you", "enemy", "not", "from", "why"})
"""Concepts of words that are no particle of a verb."""
OTHER_WAYS = frozenset(
    {"swim", "fly", "dig", "teleport", "nager", "voler", "creuser", "nadar", "volar", "cavar"}
)
"""Verbs that say how something goes that may not go so."""
MAX_VERB = 4
"""How many words a verb may have with its particles."""


@frozen
class Role:
    """A name in a sentence: `from`, `to`, or empty if no word before it says."""

    token: Token
    role: str = ""

    def is_rather_a_piece(self, places: frozenset[str]) -> bool:
        """Whether it names a place and something else, and no word says that it is meant as a place."""
        return not self.role and not places.issuperset(name for name, _ in self.token.values)


@frozen
class Roles:
    """The names of a sentence with their roles.

    Attributes:
        game: the game at the moment that is asked about.
        named: the names that actions are about, in their order.
        players: the numbers of the players who may be meant to act.
        actors: the identities of the tokens of the sentence that say who acts.
        leaves: whether a place without a word before it is one to come from.
        directed: the places of the names in the sentence behind a word for a direction.
    """

    game: BaseGame
    named: tuple[Role, ...]
    players: tuple[int, ...]
    actors: frozenset[int]
    leaves: bool
    directed: frozenset[int]

    @classmethod
    def of(
        cls, game: BaseGame, tokens: Sequence[Token], verbs: Verbs, player: str | None
    ) -> Roles | None:
        """The roles in a sentence; None if it is not said, or not clear, who acts or with what."""
        used = {str(type_) for form in game.notation.forms for _, type_ in form.params}
        every = tuple(range(len(game.ruleset.players)))
        named: list[Role] = []
        players, acting, directed = every, set[int](), set[int]()
        is_said = False
        for at, token in enumerate(tokens):
            if at in verbs.places:
                continue
            types_named = {name for name, _ in token.values}
            meant = players_named(game, token)
            if types_named & used and not (meant and not _is_after(tokens, at) and not named):
                named.append(Role(token, _role(tokens, at)))
                directed |= {at} if named[-1].role else set()
            elif meant:
                players, is_said = tuple(number for number in players if number in meant), True
                acting.add(id(token))
            elif "is" not in token.concepts and is_speaker(token):
                players = tuple(number for number in players if number in actors(game, player))
                is_said = True
            elif "enemy" in token.concepts or "you" in token.concepts:
                return None
        if not players or not (named or is_said):
            return None
        found = cls(
            game, tuple(named), players, frozenset(acting), verbs.leaves, frozenset(directed)
        )
        return found if is_said or found._names_more_than_a_place else None

    @classmethod
    def of_a_place(cls, game: BaseGame, tokens: Sequence[Token], verbs: Verbs) -> Roles | None:
        """The roles of a sentence that names only a place, for any player; None if it names anything else."""
        named = [
            (at, token)
            for at, token in enumerate(tokens)
            if at not in verbs.places and token.values
        ]
        places = place_types(game)
        if len(named) != 1 or places.isdisjoint(name for name, _ in named[0][1].values):
            return None
        [(at, token)] = named
        role = _role(tokens, at)
        every = tuple(range(len(game.ruleset.players)))
        directed = frozenset({at} if role else ())
        return cls(game, (Role(token, role),), every, frozenset(), verbs.leaves, directed)

    def is_direction(self, at: int) -> bool:
        """Whether the word of a place in the sentence says where the name behind it is: `hasta Shore`."""
        return at + 1 in self.directed

    def brings(self, tokens: Sequence[Token], verbs: Verbs) -> frozenset[int]:
        """The places of the words of a verb that no concept has, before where something goes: `slip over to Shore`."""
        for at in sorted(self.directed):
            if not any(name in place_types(self.game) for name, _ in tokens[at].values):
                continue
            last = tokens[at - 1].text.split()[-1] if at > 1 else ""
            verb = at - 3 if tokens[at - 2].values else at - 2  # `¿se puede colar Fox en Shore?`
            arrives = verb > 0 and tokens[verb].text in ARRIVING and last in TARGETS
            if not (last in HEADING or arrives):
                continue
            end = at - 1
            if tokens[end - 1].values and end > 1:  # `¿puede escabullirse Fox a Shore?`
                end -= 1
            begin = end
            while begin and _may_be_of_a_verb(tokens[begin - 1]):
                begin -= 1
            words = range(begin, end)
            unknown = [word for word in words if not tokens[word].is_idle]
            is_known = any(
                word in verbs.places and tokens[word].text not in PASSING | ARRIVING
                for word in words
            )
            if words and len(words) <= MAX_VERB and len(unknown) <= 1 and not is_known:
                return frozenset(words)
        return frozenset()

    @property
    def names_a_place(self) -> bool:
        """Whether a place is named besides what acts; where it is said who acts, a name is that of a place."""
        is_said = len(self.players) < len(self.game.ruleset.players)
        return len(self.named) > 1 or any(
            self._has_places(role) and (is_said or bool(role.role)) for role in self.named
        )

    @property
    def _names_more_than_a_place(self) -> bool:
        """Whether something is named that somebody has, so that it is clear who acts."""
        places = place_types(self.game)
        return any(name not in places for role in self.named for name, _ in role.token.values)

    def as_goal(self) -> Roles:
        """The roles without where something comes from."""
        left = (role for role in self.named if role.role != "from" or not self._has_places(role))
        return evolve(self, named=tuple(left))

    def as_target(self) -> Roles:
        """The roles with what may be a place, and has no word before it, as one where something goes."""
        named = (
            evolve(role, role="to") if not role.role and self._has_places(role) else role
            for role in self.named
        )
        return evolve(self, named=tuple(named))

    def owners_of_what_is_implied(self, form: ActionForm) -> frozenset[int]:
        """The players whose pieces are named for which an action has no parameter; none where that is not clear."""
        kinds = {str(type_) for _, type_ in form.params}
        implied = [role for role in self.named if kinds.isdisjoint(dict(role.token.values))]
        owners: set[int] = set()
        for role in implied:
            for name, codes in role.token.values:
                owners |= {owner for code in codes for owner in owners_of(self.game, name, code)}
        return frozenset(owners)

    def is_of_others(self, role: Role) -> bool:
        """Whether a name that may be that of a place is otherwise that of what nobody has who may act."""
        if not self._has_places(role):
            return False
        pieces = [pair for pair in role.token.values if pair[0] not in place_types(self.game)]
        owners = {o for name, codes in pieces for c in codes for o in owners_of(self.game, name, c)}
        return bool(owners) and owners.isdisjoint(self.players)

    def are_in_order(self, form: ActionForm, places: Sequence[int]) -> bool:
        """Whether names stand as in the words of the action, where two of its parameters have one type.

        What is a place has its role by the words before it.
        """
        order = self._in_order(form)
        free = [order.index(at) for at in places if not self.is_place(form, at)]
        kinds = [str(form.params[order[rank]][1]) for rank in free]
        return all(
            one < other
            for i, one in enumerate(free)
            for j, other in enumerate(free)
            if i < j and kinds[i] == kinds[j]
        )

    def is_place(self, form: ActionForm, at: int) -> bool:
        """Whether a parameter is a place."""
        return str(form.params[at][1]) in place_types(self.game)

    def fits(self, form: ActionForm, at: int, role: Role) -> bool:
        """Whether a parameter has the role of a name."""
        type_name = str(form.params[at][1])
        if not role.token.codes(type_name):
            return False
        if type_name == self._square and len(self.named) == 1:  # what stands there is meant to go
            squares = [i for i in self._in_order(form) if str(form.params[i][1]) == type_name]
            return at == squares[-1 if role.role == "to" else 0]
        places = [i for i in self._in_order(form) if self.is_place(form, i)]
        if at not in places:
            is_other = len(role.token.values) > 1  # `de Fox`, also a place, may be of the piece
            return not role.role or (role.role == "from" and is_other) or not self._has_places(role)
        if len(places) == 1:
            return role.role != "from"
        wanted = role.role or ("from" if self.leaves else "to")
        return at == (places[0] if wanted == "from" else places[-1])

    @property
    def _square(self) -> str:
        """The type of the squares of a board; empty without one."""
        schema = self.game.ruleset.schema
        drawn = schema.facts.map
        return str(schema.variables[drawn.variable].keys[0]) if drawn and drawn.is_board else ""

    def _has_places(self, role: Role) -> bool:
        """Whether a name may be that of a place."""
        return any(name in place_types(self.game) for name, _ in role.token.values)

    def _in_order(self, form: ActionForm) -> list[int]:
        """The parameters in the order of the words of the action: where it comes from is before where it goes."""
        template = self.game.notation.template(form)
        names = [name for name, _ in form.params]
        return sorted(range(len(names)), key=lambda i: template.find(f"{{{names[i]}}}"))


def _role(tokens: Sequence[Token], at: int) -> str:
    """The role of a name by the word before it."""
    if at == 0:
        return ""
    before = tokens[at - 1]
    if before.concepts & GRANTING or (
        at > 1 and before.text == "a" and tokens[at - 2].concepts & GRANTING
    ):
        return ""  # `se permite a Fox`
    last = before.text.split()[-1] if before.text else ""
    if "from" in before.concepts or last in SOURCES:
        return "from"
    return "to" if "to" in before.concepts or last in TARGETS else ""


def is_speaker(token: Token) -> bool:
    """Whether a token says that who asks is meant."""
    return "i" in token.concepts or not SPEAKERS.isdisjoint(token.text.split())


def is_heading(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word before a place where something goes stands there."""
    return at < len(tokens) and tokens[at].text.split()[-1] in HEADING


def _may_be_of_a_verb(token: Token) -> bool:
    """Whether a word may be one of a verb that no concept has."""
    if token.values or token.text in OTHER_WAYS:
        return False
    is_particle = token.is_idle and token.concepts.isdisjoint(WITH_A_MEANING)
    return not token.concepts or token.text in PASSING | ARRIVING or is_particle


def _is_after(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word for a direction stands before a name."""
    return bool(_role(tokens, at))


def players_named(game: BaseGame, token: Token) -> frozenset[int]:
    """The players whom a token of a sentence names."""
    players = game.ruleset.players
    declared = game.ruleset.compiled.typed.types
    found = set()
    for name, codes in token.values:
        type_ = declared.get(name)
        if isinstance(type_, types.WordType):
            words = {type_.values[code][1] for code in codes}
            if {word for _, word in type_.values} >= {*players}:
                found |= {players.index(word) for word in words if word in players}
    return frozenset(found)


def country_of(game: BaseGame, players: Set[int]) -> tuple[int, ...]:
    """The places of the country of a player of whom no place has the name: those that have no player's name.

    None unless every other player has a place of his name, and he alone is meant.
    """
    declared, names = game.ruleset.compiled.typed.types, place_types(game)
    type_ = declared.get(next(iter(names))) if len(names) == 1 else None
    if not isinstance(type_, types.WordType) or len(players) != 1:
        return ()
    called = {word for _, word in type_.values}
    without = {name for name in game.ruleset.players if name not in called}
    if without != {game.ruleset.players[next(iter(players))]}:
        return ()
    return tuple(
        code for code, value in enumerate(type_.values) if value[1] not in game.ruleset.players
    )


def actors(game: BaseGame, player: str | None) -> tuple[int, ...]:
    """The numbers of the players who mean themselves by `I`: who asks, or those who choose now."""
    own = (player,) if player is not None else game.to_move
    return tuple(number for number, name in enumerate(game.ruleset.players) if name in own)


def owners_of(game: BaseGame, type_name: str, code: int) -> Iterator[int]:
    """The player whom the only variable that says so gives a piece."""
    schema, players = game.ruleset.schema, game.ruleset.players
    side = side_variable(schema, type_name)
    if side is not None and isinstance(side.type, types.WordType):
        owner = side.type.values[schema.reader(game.state.slots)(side.name, (code,))][1]
        if owner in players:
            yield players.index(owner)


def side_variable(schema: StateSchema, type_name: str) -> Variable | None:
    """The only variable that says whose the pieces of a type are; None if there is none, or several."""
    sides = [
        variable
        for variable in schema.variables.values()
        if [*map(str, variable.keys)] == [type_name] and schema.is_of_players(variable.type)
    ]
    return sides[0] if len(sides) == 1 else None


def place_of(game: BaseGame, type_name: str, code: int, place_type: types.WordType) -> int | None:
    """Where a piece is, as a value of a type of places; None if it is in none of them."""
    load = game.state.schema.reader(game.state.slots)
    for variable in game.ruleset.schema.location_maps:
        if str(variable.keys[0]) == type_name and isinstance(variable.type, types.WordType):
            return place_type.codes.get(variable.type.values[load(variable.name, (code,))])
    return None


def place_types(game: BaseGame) -> frozenset[str]:
    """The types of parameters that are places, where pieces can be."""
    return game.ruleset.compiled.memo(("types of places",), lambda: _find_place_types(game))


def _find_place_types(game: BaseGame) -> frozenset[str]:
    maps = game.ruleset.schema.location_maps
    pieces = {str(variable.keys[0]) for variable in maps}
    wide = [variable.type for variable in maps if isinstance(variable.type, types.WordType)]
    typed = {str(type_): type_ for form in game.notation.forms for _, type_ in form.params}
    return frozenset(
        name
        for name, type_ in typed.items()
        if isinstance(type_, types.WordType) and name not in pieces
        if any({*type_.values} <= {*type_now.values} for type_now in wide)
    )
