"""Actions that a sentence asks about: `can Fox go to Shore?`, `why can't he?`, answered by the legal actions.

Whose action it is follows from the piece, or from who is said to act. A sentence with a word that is not accounted for
asks for something else, and gets no yes or no.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice, pairwise, permutations
from math import prod

from attrs import evolve

from hots_rules.compile.codes import codes_of
from hots_rules.compile.facts import Variable
from hots_rules.explain.explain_action import explain_codes, first_hidden, hidden_ruling
from hots_rules.explain.ruling import Ruling
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.play.parse_action import notations
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import own_words, words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    PASSING,
    Role,
    Roles,
    actors,
    is_heading,
    is_speaker,
    owners_of,
    place_types,
    players_named,
)
from hots_rules.talk.reading.told_acts import Act, hidden, other_moment
from hots_rules.talk.reading.verbs import KnownVerbs, Verbs, verbs_of
from hots_rules.talk.reading.ways import (
    Filled,
    Walk,
    codes_of_filled,
    legal_among,
    next_moments,
    places_of,
    seen_by,
    walk,
)

MAX_CANDIDATES = 200
MAX_TRIED = 60_000
MAX_HIDDEN = 600
MAX_STOPS = 40
"""How many places that a piece can come to are looked at for why it goes no further."""
PERMITS, OBLIGES = frozenset({"can", "why"}), frozenset({"must"})
ASKS_FOR_MORE = frozenset(
    {"where", "which", "who", "how-many", "how", "when", "odds", "change", "happen", "what"}
)
"""Concepts of sentences that no yes or no answers."""
OTHERWISE = ASKS_FOR_MORE | {"if", "or", "both", "first", "need", "have", "there-is"}
"""Concepts of sentences that ask for more than whether an action is legal."""
AS_IT_IS = "as-it-is"
"""The concept of words for this turn or this position, not for the very moment."""
ASIDE = frozenset(
    {"can", "must", "why", "not", "now", "i", "to", "from", "is", "turn", "will", AS_IT_IS}
)
"""Concepts that say how it is asked, who asks, and when."""
INSIDE = "inside"
"""The kind of words before the name of a place where something is."""
BINDING, AGAIN, CHOOSING, WITHOUT = "binding", "again", "choosing", "without"
"""Kinds of words: that say nothing to a search, but bind an action to a condition or a time; those of them that a
question for the reason of a refusal may have; those for the choice of an action; and for what is not to happen by
it."""
SPELLED_ASIDE = ASIDE | {"legal", "played", "prevent"}
MAX_WORDS = 24
_MARKS = ' \t?¿!.,;«»"“”'
GENERAL = frozenset({"go", "move"})
"""Concepts of verbs that any action may be meant by that brings something to a place, unless it is called so."""
THROUGH = "through"
"""The concept of words for a way."""
RIGHT = (
    "droit",
    "le droit",
    "derecho",
    "permiso",
    "la possibilite",
    "obligation",
    "l obligation",
    "l autorisation",
)
"""How a phrase for what somebody may begins of which `have` is a part: `tiene Fox derecho a`."""
GAINING = frozenset({"gagner", "gagne", "gagnent"})
"""Words that mean to go somewhere before the name of a place, and something else otherwise."""
WITHIN = frozenset({"in", "inside", "within", "en", "dans"})
"""Words before the place where something stays."""
MAY = frozenset({"can"})
DOING, GETTING = frozenset({"do", "does"}), frozenset({"get to", "gets to"})
"""Words of `does Fox get to go to Shore`."""
HAVING = frozenset({("has", "to"), ("have", "to"), ("tiene", "que"), ("tienen", "que")})
"""Words before and after the name in `has Fox to go`."""
SUBJUNCTIVES = frozenset({"tenga", "tengan"})
CAN_WORDS = frozenset(
    {"can", "puede", "pueden", "puedo", "podemos", "podria", "peut", "peuvent", "peux", "pourrait"}
)
SHORTEST = 3
"""Letters of a word that is not taken for a slip where it is not known."""
OF_STATES = frozenset({"is", "are", "was", "were"})
"""Words that begin a question for what is so."""
SHORT = 4
"""How many tokens a sentence may have that names an action, and does not ask."""


def asks_for_legality(reader: Reader, tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks if somebody can, may or must do something with something that actions are about."""
    concepts = asked_of(tokens)
    if not concepts & (PERMITS | OBLIGES) or concepts & ASKS_FOR_MORE:
        return False
    acting = reader.argument_types
    return any(name in acting for token in tokens for name, _ in token.values)


def says_an_act(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> bool:
    """Whether a sentence names a piece and something to do with it, and asks for no more than that."""
    if asked_of(tokens) & ASKS_FOR_MORE or not names_a_piece(game, reader, tokens):
        return False
    return bool(verbs_of(reader, game.ruleset).read(tokens).names)


def names_a_piece(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> bool:
    """Whether a sentence names something that actions are about and that is no place and no player."""
    others = place_types(game) | {
        name for name, type_ in reader.types.items() if game.ruleset.schema.is_of_players(type_)
    }
    types_named = ({name for name, _ in token.values} for token in tokens)
    return any(names & (reader.argument_types - others) for names in types_named)


def asked_of(tokens: Sequence[Token]) -> frozenset[str]:
    """What the words of a sentence ask that are no names; of one that mostly says nothing only that it asks."""
    return frozenset(
        concept
        for token in tokens
        if not token.values
        for concept in token.concepts
        if not token.is_idle or concept in PERMITS | OBLIGES
    )


def act_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    *,
    may_be_short: bool = True,
) -> Act | None:
    """The action that a sentence asks about; None if it asks about none, or says more than that.

    With `may_be_short` the words of an action alone ask whether it is legal.
    """
    if game.is_over or game.is_chance:
        return None
    tokens = _as_yes_or_no(split_phrases(reader, tokens))
    tokens = _as_going(game, _with_named_places(game, reader, tokens))
    concepts = asked_of(tokens)
    if concepts & OTHERWISE or _is_in_a_country(game, tokens):
        return None
    known = verbs_of(reader, game.ruleset)
    verbs = known.read(tokens)
    is_short = (
        may_be_short
        and bool(verbs.names)
        and sum(not token.is_idle for token in tokens) <= SHORT
        and tokens[0].text not in OF_STATES  # `is Fox retreating` asks what is so
    )
    if not (concepts & (PERMITS | OBLIGES) or is_short):
        return None
    roles = Roles.of(game, tokens, verbs, player)
    if roles is None:
        return None
    telling_verbs = known.read([token for token in tokens if not GENERAL & token.concepts])
    is_labelled = bool(verbs.labelled) or _has_place(game, telling_verbs.names)
    if verbs.names and any(GENERAL & token.concepts for token in tokens) and not is_labelled:
        verbs = evolve(verbs, names=tuple(dict.fromkeys((*verbs.names, *going(game, known)))))
    if brings := roles.brings(tokens, verbs):
        verbs = evolve(verbs, names=going(game, known), places=verbs.places | brings, labelled=())
    if not is_accounted_for(reader, tokens, verbs, roles):
        return None
    if verbs.names:
        names = verbs.names
    elif roles.named and ("why" in concepts or names_a_piece(game, reader, tokens)):
        is_headed = any(is_heading(tokens, at - 1) for at in roles.directed)
        names = going(game, known) if is_headed else _offered(game, player)
    else:
        return None
    found = filled_forms(game, known, names, roles)
    if any(known.attacks & token.concepts for token in tokens) and not roles.names_a_place:
        # Where no place is named, only that is an attack which goes to none.
        found = [filled for filled in found if filled[0].name in _placeless(game, player)]
    if not found:
        return None
    is_of_a_piece = names_a_piece(game, reader, tokens)
    goals = list[Filled]()
    legal = tuple(action.text for action in legal_among(game, found, roles, player))
    if not legal and is_of_a_piece:
        goals = filled_forms(game, known, names, roles.as_goal())
        legal = walk(seen_by(game, player), goals, roles, player).actions
    ruling = None if legal else nearest_ruling(game, found, roles, verbs, player)
    if not legal and ruling is None:
        return None
    is_general = "stay" in concepts or (len(roles.named) < 2 and not is_of_a_piece)
    is_reason = {"why", "i"} <= concepts
    told = tuple(dict.fromkeys(filled[0].name for filled in found))
    offered = {*told} & {*_offered(game, player)}
    if is_general and not is_reason and ruling and (other_moment(ruling) or not offered):
        return None
    ruled = None
    if ruling is not None and ruling.is_legal:
        legal, ruling = (ruling.action,), None
        if player is not None:
            ruled = hidden(game, legal[0], player)
    if legal and concepts & OBLIGES and player is not None and ruled is not None:
        legal, ruling = (), ruled
    others = _others(game, legal, player) if concepts & OBLIGES and legal else ()
    named = tuple(role.token for role in roles.named)
    # What is said in the words of a label is meant, also where another action can be chosen now.
    labelled = [filled for filled in found if filled[0].name in verbs.labelled] or found
    is_later = ruling is not None and _is_later(
        game, ruling, [filled[0].name for filled in labelled]
    )
    act = Act(game.language, player, legal, ruling, others, verbs.names or told, named, is_later)
    if is_later and is_of_a_piece:
        is_of_now = any(
            "now" in token.concepts and AS_IT_IS not in token.concepts for token in tokens
        )
        following = _next(game, act, labelled, goals, roles)
        act = evolve(act, next=following, is_of_now=is_of_now)
    return act


def _next(
    game: BaseGame, act: Act, found: Sequence[Filled], goals: Sequence[Filled], roles: Roles
) -> Act | None:
    """What is legal when an action can be chosen next, in a state that the player cannot tell from the true one.

    That nothing is, only of a piece that the player has, and where every way of this piece alone was tried.
    """
    seen, names = seen_by(game, act.player), {form.name for form, _ in found}
    piece = own_piece(goals, roles, act.player)
    owners = {*owners_of(game, *piece)} if piece is not None else set()
    walks: list[Walk | None] = []
    for later in next_moments(seen, names, owners or {*roles.players}):
        if later is None:
            walks.append(None)
            continue
        legal = tuple(action.text for action in legal_among(later, found, roles, act.player))
        walked = walk(later, goals, roles, act.player)
        if legal := legal or walked.actions:
            return evolve(act, legal=legal, ruling=None, is_later=False)
        walks.append(walked)
    whole = [walked for walked in walks if walked is not None and walked.is_whole]
    if not whole or len(whole) < len(walks) or len(owners) != 1 or piece is None:
        return None
    own_goals = [(form, choices) for form, choices in goals if _is_about(form, choices, piece)]
    rulings = nearest_of_all(whole, own_goals, roles, act.player)
    here = {*places_of(game, *piece)}
    reached = dict.fromkeys(place for walked in whole for place in walked.places(piece))
    reach = tuple(place for place in reached if place not in here)
    if not rulings:
        return None
    return evolve(act, ruling=rulings[0], more=rulings[1:], is_later=False, reach=reach)


def own_piece(goals: Sequence[Filled], roles: Roles, player: str | None) -> tuple[str, int] | None:
    """The type and the code of the only piece that some actions are about, for a player of his own.

    Of two names that may both be pieces, as in `can Fox attack Hen`, the first is. None without any.
    """
    game = roles.game
    located = {str(variable.keys[0]) for variable in game.ruleset.schema.location_maps}
    about = {
        (str(type_), codes[0])
        for form, choices in goals
        for (_, type_), codes in zip(form.params, choices, strict=True)
        if len(codes) == 1 and str(type_) in located
    }
    names = game.ruleset.players
    own = (
        (name, code)
        for role in roles.named
        for name, codes in role.token.values
        for code in codes
        if (name, code) in about
        if player is None or {*owners_of(game, name, code)} == {names.index(player)}
    )
    return next(own, None)


def _is_about(form: ActionForm, choices: Sequence[Sequence[int]], piece: tuple[str, int]) -> bool:
    return any(
        (str(type_), *codes) == piece
        for (_, type_), codes in zip(form.params, choices, strict=True)
    )


def nearest_of_all(
    walks: Sequence[Walk], goals: Sequence[Filled], roles: Roles, player: str | None
) -> tuple[Ruling, ...]:
    """Why none of some actions is legal where a piece can come to: for each name the ruling with the fewest reasons.

    A rule that forbids it counts less than one that would have to permit it; of several that after the most steps. Only
    by actions that the piece can do in these games, if it can do any; those by which it comes to the most places first.
    """
    best: dict[str, tuple[tuple[int, ...], Ruling]] = {}
    for walked in sorted(walks, key=lambda walked: -len(walked.stops)):
        for at, stop in enumerate(walked.stops[:MAX_STOPS]):
            located = stop.ruleset.schema.location_maps
            by_name: dict[str, list[int]] = {}
            for code in islice(codes_of_filled(stop, goals, roles), MAX_TRIED):
                if _is_in_place(stop, located, code):
                    by_name.setdefault(stop.notation.form_of(code).name, []).append(code)
            for name, codes in by_name.items():
                ruling = explain_codes(stop, codes[:MAX_CANDIDATES], player)
                if ruling.is_legal or other_moment(ruling) is not None:
                    continue
                kinds = [reason.kind for reason in ruling.against]
                rank = (kinds.count("permit"), len(kinds), -at)
                if name not in best or rank < best[name][0]:
                    best[name] = (rank, ruling)
    done = {name for walked in walks for name in walked.names}
    usual = [ruling for name, (_, ruling) in best.items() if name in done]
    return tuple(usual or [ruling for _, ruling in best.values()][:1])


def _is_in_a_country(game: BaseGame, tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks what happens anywhere in the country of a player."""
    places = place_types(game)
    return any(
        before.text in WITHIN and players_named(game, token) and not places & {*dict(token.values)}
        for before, token in pairwise(tokens)
    )


def _is_later(game: BaseGame, ruling: Ruling, names: Sequence[str]) -> bool:
    """Whether no action of some names is offered now, and no rule is against one that stands at every moment."""
    offered = {action.name for action in game.first_actions(MAX_TRIED)}
    if other_moment(ruling) is None or not offered.isdisjoint(names):
        return False
    return not any(reason.kind == "forbid" and not reason.changes for reason in ruling.against)


def spelled_act(game: BaseGame, reader: Reader, sentence: str, player: str | None) -> Act | None:
    """The action that a sentence asks about in the very words of its label: `may I play Fox 3?`.

    None if it has no such words, or says more than that it asks whether they are legal.
    """
    if game.is_over or game.is_chance:
        return None
    spelled = _spelled(game, sentence)
    if spelled is None:
        return None
    text, codes, rest = spelled
    tokens = reader.lexicon.read(rest)
    asked = frozenset(concept for token in tokens for concept in token.concepts)
    if not asked & (PERMITS | OBLIGES | {"legal"}):
        return None
    players = {*range(len(game.ruleset.players))}
    for token in tokens:
        if meant := players_named(game, token):
            players &= meant
        elif is_speaker(token):
            players &= {*actors(game, player)}
        elif not (
            token.is_idle
            or {*token.text.split()} <= words_for_kind(CHOOSING)
            or token.concepts & SPELLED_ASIDE
        ):
            return None
    legal_codes = game.legal_code_set
    meant_codes = [code for code in codes if _player_of(game, code) in players]
    if not meant_codes:
        return None
    actions = [game.notation.action(code) for code in meant_codes if code in legal_codes]
    legal = tuple(action.text for action in actions if player in (None, action.player))
    ruling = None if legal else explain_codes(game, meant_codes[:MAX_CANDIDATES], player)
    if ruling is not None and ruling.is_legal:
        legal, ruling = (ruling.action,), None
    others = _others(game, legal, player) if asked & OBLIGES and legal else ()
    names = tuple(dict.fromkeys(game.notation.form_of(code).name for code in meant_codes))
    is_later = ruling is not None and _is_later(game, ruling, names)
    return Act(game.language, player, legal, ruling, others, names, (Token(text),), is_later)


def _player_of(game: BaseGame, code: int) -> int:
    return game.notation.form_of(code).decode(code, len(game.ruleset.players))[0]


def _spelled(game: BaseGame, sentence: str) -> tuple[str, list[int], str] | None:
    """The longest words of a sentence that are an action, its codes, and the other words."""
    words = [word.strip(_MARKS) for word in sentence.split()]
    if len(words) > MAX_WORDS:
        return None
    for length in range(len(words), 0, -1):
        for start in range(len(words) - length + 1):
            text = " ".join(words[start : start + length]).strip()
            parsed = (notation.parse(text) for notation in notations(game) if text)
            codes = list(chain.from_iterable(parsed))
            if codes:
                rest = " ".join((*words[:start], *words[start + length :]))
                return text, [*dict.fromkeys(codes)], rest
    return None


def _has_place(game: BaseGame, names: Sequence[str]) -> bool:
    """Whether one of some actions has a place, so that no other one is meant that brings something there."""
    places = place_types(game)
    return any(
        form.name in names and any(str(type_) in places for _, type_ in form.params)
        for form in game.notation.forms
    )


def going(game: BaseGame, known: KnownVerbs) -> tuple[str, ...]:
    """The names of the actions that bring something to a place."""
    places = place_types(game)
    return known.concepts.get("go") or tuple(
        form.name
        for form in game.notation.forms
        if any(str(type_) in places for _, type_ in form.params)
    )


def split_phrases(reader: Reader, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """A sentence whose phrases with a word such as `can` are single words, so that what is done is seen."""
    return tuple(
        single
        for token in tokens
        for single in (
            (part for word in token.text.split() for part in reader.lexicon.read(word))
            if " " in token.text and not token.values and CAN_WORDS & {*token.text.split()}
            else (token,)
        )
    )


def _with_named_places(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> Sequence[Token]:
    """A sentence whose phrases that end with the name of a place are single words: `storm Shore`."""
    split: list[Token] = []
    for token in tokens:
        words = token.text.split()
        last = reader.lexicon.read(words[-1]) if len(words) > 1 and not token.values else ()
        if any(place_types(game) & {*dict(single.values)} for single in last):
            split += (single for word in words for single in reader.lexicon.read(word))
        else:
            split.append(token)
    return split


def _as_yes_or_no(tokens: Sequence[Token]) -> Sequence[Token]:
    """A sentence without what only leads to its question: `tell me if`, and with `must` for `has Fox to`."""
    whether = next((at for at, token in enumerate(tokens) if "if" in token.concepts), 0)
    leads = tokens[:whether]
    if leads and all(
        token.is_idle or (token.concepts <= {"i", "you"} and not token.values) for token in leads
    ):
        tokens = tokens[whether + 1 :]
    if any(token.concepts & OBLIGES for token in tokens):  # `es obligatorio que Fox tenga que`
        tokens = [token for token in tokens if token.text not in SUBJUNCTIVES]
    right = next((at for at, token in enumerate(tokens) if token.text.startswith(RIGHT)), 0)
    tokens = [
        evolve(token, concepts=frozenset())
        if token.text in PASSING and is_heading(tokens, at + 1)
        else token
        for at, token in enumerate(tokens)
        if at >= right or "have" not in token.concepts
    ]
    if tokens and tokens[0].text in DOING:
        return tuple(
            evolve(token, concepts=MAY) if token.text in GETTING else token for token in tokens
        )
    is_obliged = len(tokens) > 3 and (tokens[0].text, tokens[2].text) in HAVING
    if is_obliged and tokens[1].values:
        return (evolve(tokens[0], concepts=OBLIGES), tokens[1], *tokens[3:])
    return tokens


def _as_going(game: BaseGame, tokens: Sequence[Token]) -> Sequence[Token]:
    """A sentence with `go` for a word that means it only before the name of a place: `gagner Shore`."""
    places = place_types(game)
    return [
        evolve(token, concepts=frozenset({"go"}))
        if token.text in GAINING and places & {name for name, _ in after.values}
        else token
        for token, after in zip(tokens, [*tokens, Token("")][1:], strict=True)
    ]


def act_refused_now(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Act | None:
    """The refusal of what a sentence asks about that names a way too: `can Fox go to Shore through Wood`.

    None unless it is the moment that forbids it, and no way leads there at the next one: that may be this or another.
    """
    for at, (through, place) in enumerate(pairwise(tokens)):
        if THROUGH in through.concepts and place.values:
            rest = (*tokens[:at], *tokens[at + 2 :])
            act = act_meant(game, reader, rest, player, may_be_short=False)
            if act is None or act.is_of_this_moment or (act.next and act.next.legal):
                return None
            return evolve(act, next=None)
    return None


def is_accounted_for(
    reader: Reader,
    tokens: Sequence[Token],
    verbs: Verbs,
    roles: Roles,
    asking: frozenset[str] = frozenset(),
) -> bool:
    """Whether every word of a sentence is a part of what is asked: who, whether he may, what, and where.

    With `asking` the words with such concepts are as well.
    """
    beside = reader.kinds_beside
    named = {id(role.token) for role in roles.named} | roles.actors
    is_why = any("why" in token.concepts for token in tokens)
    for at, token in enumerate(tokens):
        if at in verbs.places or id(token) in named:
            continue
        if token.concepts & beside and not token.values and _is_counted(tokens, at):
            return False  # `with two pieces` asks for so many
        if token.concepts & beside and _is_where(roles.game, tokens[at + 1 : at + 3]):
            return False  # `the piece in Shore` is one that no name says
        if token.values:
            return False
        if words_for_kind(WITHOUT) & {*token.text.split()}:
            return False
        if is_why and words_for_kind(AGAIN) & {*token.text.split()}:
            continue
        is_asking = token.concepts & (PERMITS | OBLIGES | {"not", "now"} | asking)
        if binds(token) and not is_asking and not roles.is_direction(at):
            return False
        is_slip = len(token.text) < SHORTEST and not token.concepts and token.text.isalpha()
        if not (is_slip or token.is_idle or token.concepts & (ASIDE | beside | asking)):
            return False
    return True


def number_before(tokens: Sequence[Token], at: int) -> int:
    """The number that stands before a word; 0 for none."""
    text = tokens[at - 1].text if at else ""
    number = own_words().numbers.get(text, text)
    return int(number) if str(number).isdecimal() and len(str(number)) < SHORTEST else 0


def _is_counted(tokens: Sequence[Token], at: int) -> bool:
    """Whether a number stands before a word, perhaps with `of my` between them."""
    while at and number_before(tokens, at) < 2:
        before = tokens[at - 1]
        if before.values or not (before.is_idle or is_speaker(before)):
            return False
        at -= 1
    return at > 0


def binds(token: Token) -> bool:
    """Whether a word binds an action to a condition or a time."""
    return bool(words_for_kind(BINDING) & {*token.text.split()})


def _is_where(game: BaseGame, tokens: Sequence[Token]) -> bool:
    """Whether two words are `in` and the name of a place."""
    is_inside = len(tokens) == 2 and tokens[0].text in words_for_kind(INSIDE)
    return is_inside and not place_types(game).isdisjoint(dict(tokens[1].values))


def filled_forms(
    game: BaseGame, known: KnownVerbs, names: Sequence[str], roles: Roles
) -> list[Filled]:
    """The actions whose parameters can take all values that the sentence names, each in its role.

    A name of a piece and of a place with no word for a direction is that of the piece, if it may be, and if somebody
    has it who may act.
    """
    found: list[tuple[int, Filled]] = []
    of_others = {role for role in roles.named if roles.is_of_others(role)}
    for form in game.notation.forms:
        if form.name not in names:
            continue
        named = [role for role in roles.named if not _is_implied(known, form, role)]
        for places in permutations(range(len(form.params)), len(named)):
            pairs = [*zip(places, named, strict=True)]
            if not all(roles.fits(form, place, role) for place, role in pairs):
                continue
            if not roles.are_in_order(form, places):
                continue
            taken = {place: _codes_for(form, place, role) for place, role in pairs}
            choices = tuple(
                taken.get(i, tuple(codes_of(type_))) for i, (_, type_) in enumerate(form.params)
            )
            if prod(map(len, choices)) <= MAX_TRIED and all(taken.values()):
                unlikely = sum(
                    not _is_likely(form, place, role, roles, is_of_others=role in of_others)
                    for place, role in pairs
                )
                found.append((unlikely, (form, choices)))
    least = min((unlikely for unlikely, _ in found), default=0)
    return [filled for unlikely, filled in found if unlikely == least]


def _is_likely(
    form: ActionForm, place: int, role: Role, roles: Roles, *, is_of_others: bool
) -> bool:
    """Whether a name is probably meant as the parameter of an action: as a place, or as what is there."""
    is_place = roles.is_place(form, place)
    if is_of_others:
        return is_place
    return not (is_place and role.is_rather_a_piece(place_types(roles.game)))


def _is_implied(known: KnownVerbs, form: ActionForm, role: Role) -> bool:
    """Whether an action is about what a name means without a parameter for it, as its label says."""
    has_place = any(_codes_for(form, place, role) for place in range(len(form.params)))
    return not has_place and known.is_in_label(form.name, role.token)


def _codes_for(form: ActionForm, place: int, role: Role) -> tuple[int, ...]:
    return role.token.codes(str(form.params[place][1]))


def _offered(game: BaseGame, player: str | None) -> tuple[str, ...]:
    """The names of the legal actions; for a player only of his own."""
    actions = (action for action in game.actions if player in (None, action.player))
    return tuple(dict.fromkeys(action.name for action in actions))


def _placeless(game: BaseGame, player: str | None) -> frozenset[str]:
    """The names of the legal actions that go to no place; for a player only of his own."""
    offered, places = _offered(game, player), place_types(game)
    return frozenset(
        form.name
        for form in game.notation.forms
        if form.name in offered and not any(str(type_) in places for _, type_ in form.params)
    )


def _others(game: BaseGame, legal: Sequence[str], player: str | None) -> tuple[str, ...]:
    """What else the player of some actions can choose."""
    actors = {each.player for each in game.actions if each.text in legal}
    actions = (
        each for each in game.actions if each.player in actors and player in (None, each.player)
    )
    return tuple(each.text for each in actions if each.text not in legal)


def nearest_ruling(
    game: BaseGame, found: Sequence[Filled], roles: Roles, verbs: Verbs, player: str | None
) -> Ruling | None:
    """Why no action is legal that is meant: the reason against the one that comes nearest."""
    known = seen_by(game, player)
    offered = {action.name for action in game.first_actions(MAX_TRIED)}
    # What is said in the words of a label is meant, also where another action can be chosen now.
    labelled = [each for each in found if each[0].name in verbs.labelled]
    now = labelled or [each for each in found if each[0].name in offered]
    listed = list(islice(codes_of_filled(game, now or found, roles), MAX_TRIED))
    located = game.ruleset.schema.location_maps
    likely = [
        *islice((code for code in listed if _is_in_place(known, located, code)), MAX_CANDIDATES)
    ]
    if player is not None and (secret := _secret(game, listed, player)):
        return secret
    codes = (likely or listed)[:MAX_CANDIDATES]
    return explain_codes(game, codes, player) if codes else None


def _secret(game: BaseGame, codes: Sequence[int], player: str) -> Ruling | None:
    """That only another player can know whether an action is legal, if nothing that is known is against it."""
    owners = game.ruleset.players
    others = (code for code in codes if owners[_player_of(game, code)] != player)
    code = first_hidden(game, islice(others, MAX_HIDDEN), player)
    return None if code is None else hidden_ruling(game, code, player)


def _is_in_place(game: BaseGame, located: Sequence[Variable], code: int) -> bool:
    """Whether an action names where each of its pieces is, if it names places at all.

    `located` has the variables with the places of pieces.
    """
    form = game.notation.form_of(code)
    _, args = form.decode(code, len(game.ruleset.players))
    named = [
        type_.values[arg]
        for (_, type_), arg in zip(form.params, args, strict=True)
        if isinstance(type_, types.WordType)
    ]
    load = game.state.schema.reader(game.state.slots)
    for variable in located:
        places = variable.type
        assert isinstance(places, types.WordType)
        if len(named_places := [value for value in named if value in places.values]) < 2:
            continue
        if len({*named_places}) < len(named_places):
            return False
        for (_, type_), arg in zip(form.params, args, strict=True):
            if (
                type_ == variable.keys[0]
                and places.values[load(variable.name, (arg,))] not in named
            ):
                return False
    return True
