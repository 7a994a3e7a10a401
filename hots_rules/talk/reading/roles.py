"""The roles of the names in a sentence about an action: who acts, with what, from where, and where to."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.lexicon import Piece
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


@frozen
class Role:
    """A name in a sentence: `from`, `to`, or empty if no word before it says."""

    piece: Piece
    role: str = ""


@frozen
class Roles:
    """The names of a sentence with their roles.

    Attributes:
        game: the game at the moment that is asked about.
        named: the names that actions are about, in their order.
        players: the numbers of the players who may be meant to act.
        actors: the identities of the pieces of the sentence that say who acts.
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
        cls, game: BaseGame, pieces: Sequence[Piece], verbs: Verbs, player: str | None
    ) -> Roles | None:
        """The roles in a sentence; None if it is not said, or not clear, who acts or with what."""
        used = {str(type_) for form in game.notation.forms for _, type_ in form.params}
        every = tuple(range(len(game.ruleset.players)))
        named: list[Role] = []
        players, actors, directed = every, set[int](), set[int]()
        is_said = False
        for at, piece in enumerate(pieces):
            if at in verbs.places:
                continue
            types_named = {name for name, _ in piece.values}
            meant = _players_named(game, piece)
            if types_named & used and not (meant and not _is_after(pieces, at) and not named):
                named.append(Role(piece, _role(pieces, at)))
                directed |= {at} if named[-1].role else set()
            elif meant:
                players, is_said = tuple(n for n in players if n in meant), True
                actors.add(id(piece))
            elif "i" in piece.notions or SPEAKERS & {*piece.text.split()}:
                own = (player,) if player is not None else game.to_move
                players = tuple(n for n in players if game.ruleset.players[n] in own)
                is_said = True
            elif "enemy" in piece.notions or "you" in piece.notions:
                return None
        if not players or not (named or is_said):
            return None
        found = cls(
            game, tuple(named), players, frozenset(actors), verbs.leaves, frozenset(directed)
        )
        return found if is_said or found._names_more_than_a_place else None

    def is_direction(self, at: int) -> bool:
        """Whether the word of a place in the sentence says where the name behind it is: `hasta Shore`."""
        return at + 1 in self.directed

    @property
    def _names_more_than_a_place(self) -> bool:
        """Whether something is named that somebody has, so that it is clear who acts."""
        places = place_types(self.game)
        return any(name not in places for role in self.named for name, _ in role.piece.values)

    def as_goal(self) -> Roles:
        """The roles without where something comes from."""
        return evolve(self, named=tuple(each for each in self.named if each.role != "from"))

    def is_place(self, form: ActionForm, at: int) -> bool:
        """Whether a parameter is a place."""
        return str(form.params[at][1]) in place_types(self.game)

    def fits(self, form: ActionForm, at: int, role: Role) -> bool:
        """Whether a parameter has the role of a name."""
        type_name = str(form.params[at][1])
        if not role.piece.codes(type_name):
            return False
        places = [i for i in self._in_order(form) if self.is_place(form, i)]
        if at not in places:
            is_other = len(role.piece.values) > 1  # `de Fox`, also a place, may be of the piece
            return not role.role or (role.role == "from" and is_other) or not self._has_places(role)
        if len(places) == 1:
            return role.role != "from"
        wanted = role.role or ("from" if self.leaves else "to")
        return at == (places[0] if wanted == "from" else places[-1])

    def _has_places(self, role: Role) -> bool:
        """Whether a name may be that of a place."""
        return any(name in place_types(self.game) for name, _ in role.piece.values)

    def _in_order(self, form: ActionForm) -> list[int]:
        """The parameters in the order of the words of the action: where it comes from is before where it goes."""
        template = self.game.notation.template(form)
        names = [name for name, _ in form.params]
        return sorted(range(len(names)), key=lambda i: template.find(f"{{{names[i]}}}"))


def _role(pieces: Sequence[Piece], at: int) -> str:
    """The role of a name by the word before it."""
    if at == 0:
        return ""
    before = pieces[at - 1]
    last = before.text.split()[-1] if before.text else ""
    if "from" in before.notions or last in SOURCES:
        return "from"
    return "to" if "to" in before.notions or last in TARGETS else ""


def _is_after(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a word for a direction stands before a name."""
    return bool(_role(pieces, at))


def _players_named(game: BaseGame, piece: Piece) -> frozenset[int]:
    """The players whom a piece of a sentence names."""
    players = game.ruleset.players
    declared = game.ruleset.compiled.typed.types
    found = set()
    for name, codes in piece.values:
        type_ = declared.get(name)
        if isinstance(type_, types.WordType):
            words = {type_.values[code][1] for code in codes}
            if {word for _, word in type_.values} >= {*players}:
                found |= {players.index(word) for word in words if word in players}
    return frozenset(found)


def place_types(game: BaseGame) -> frozenset[str]:
    """The types of parameters that are places, where pieces can be."""
    return game.ruleset.compiled.memo(("types of places",), lambda: _find_place_types(game))


def _find_place_types(game: BaseGame) -> frozenset[str]:
    schema = game.ruleset.schema
    maps = [each for each in schema.variables.values() if schema.is_location_map(each)]
    pieces = {str(each.keys[0]) for each in maps}
    wide = [each.type for each in maps if isinstance(each.type, types.WordType)]
    typed = {str(type_): type_ for form in game.notation.forms for _, type_ in form.params}
    return frozenset(
        name
        for name, type_ in typed.items()
        if isinstance(type_, types.WordType) and name not in pieces
        if any({*type_.values} <= {*each.values} for each in wide)
    )
