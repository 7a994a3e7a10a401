"""Actions that a sentence asks about: `can Fox go to Shore?`, `why can't he?`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from math import prod

from attrs import frozen

from hots_rules._translate import translator
from hots_rules.compile.codes import codes_of
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.legality import checker_for
from hots_rules.explain.ruling import Ruling
from hots_rules.observe.knowledge import knowledge_of
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.lexicon import Piece
from hots_rules.talk.reading.patterns import COVERED, NOTION, VALUE, weight
from hots_rules.talk.reading.reader import Reader

MAX_CANDIDATES = 200
MAX_TRIED = 60_000
MAX_RULINGS = 30
MAX_WAYS, MAX_STEPS = 60, 3
ASKING = frozenset({"can", "why", "not"})
OTHERWISE = frozenset(
    {"where", "which", "who", "how-many", "how", "when", "if", "odds", "change", "happen", "what"}
)
"""Notions of sentences that ask for more than whether an action is legal."""


@frozen
class Act:
    """An action that a sentence asks about.

    Attributes:
        language: the language of the answer.
        player: the player who asks; None for the whole state.
        legal: the texts of the legal actions that are meant.
        ruling: why none is; None if one is legal.
        verbs: the names of the actions that the sentence may mean.
        named: the pieces of the sentence that name values.
        gain: how much of the sentence is accounted for.
        cost: how much is not.
        asks_why: whether it asks for reasons.
    """

    language: str
    player: str | None
    legal: tuple[str, ...]
    ruling: Ruling | None
    verbs: tuple[str, ...]
    named: tuple[Piece, ...]
    gain: float
    cost: float
    asks_why: bool

    @property
    def rank(self) -> tuple[float, int]:
        """By which it is compared with other readings of the sentence."""
        return round(self.gain - self.cost, 3), 1 + 2 * len(self.named)

    @property
    def is_legal(self) -> bool | None:
        """Whether an action that is meant is legal; None if that is hidden from the player."""
        if self.ruling is not None and any(r.kind == "secret" for r in self.ruling.against):
            return None
        return bool(self.legal)

    @property
    def is_of_this_moment(self) -> bool:
        """Whether an action of this name can be chosen now."""
        return self.ruling is None or all(r.kind != "moment" for r in self.ruling.against)

    def text(self) -> str:
        """A plain yes or no, then the actions or the reason."""
        gettext = translator(self.language).gettext
        if self.legal:
            shown = "; ".join(self.legal[:6]) + ("; …" if len(self.legal) > 6 else "")
            return f"{gettext('yes').capitalize()}: {shown}"
        assert self.ruling is not None
        reason = self.ruling.text("sentence")
        return reason if self.is_legal is None else f"{gettext('no').capitalize()}: {reason}"


def act_meant(
    game: BaseGame, reader: Reader, pieces: Sequence[Piece], player: str | None
) -> Act | None:
    """The action that a sentence asks about; None if it asks about none."""
    if game.is_over or game.is_chance:
        return None
    notions = frozenset(n for piece in pieces for n in piece.notions)
    if notions & OTHERWISE:
        return None
    named = [piece for piece in pieces if piece.values]
    verbs = _verbs(reader, pieces)
    if not (notions & {"can", "why"} or (verbs and _is_short(pieces))):
        return None
    if not (verbs or named):
        return None
    meant = verbs or _offered(game, player)
    found = _forms(game, meant, named)
    if not found and _ends_in_a_second_act(pieces):
        found = _forms(game, meant, named := named[:-1])
    if not found:
        return None
    gain, cost = _weighed(reader, pieces, verbs)
    if gain < COVERED * (gain + cost):
        return None
    legal = _legal(game, found, player)
    if not legal and player is None:
        legal = _way(game, _forms(game, verbs or _offered(game, player), _goal(game, named)))
    ruling = None if legal else _ruling(game, found, player)
    if not legal and ruling is None:
        return None
    names = tuple(dict.fromkeys(form.name for form, _ in found))
    asks_why = "why" in notions
    act = Act(
        game.language, player, legal, ruling, verbs or names, tuple(named), gain, cost, asks_why
    )
    # What cannot be chosen now is no answer to a sentence that says more, such as `while Fox lives`.
    is_asked = cost < NOTION and bool(notions & {"can", "why"})
    return act if act.is_of_this_moment or is_asked else None


def _ends_in_a_second_act(pieces: Sequence[Piece]) -> bool:
    """Whether the last name stands alone behind `and`, as in `can Fox go to Shore and hit Dog`."""
    joined = [at for at, piece in enumerate(pieces) if "and" in piece.notions]
    before, after = pieces[: joined[-1]] if joined else (), pieces[joined[-1] :] if joined else ()
    return sum(bool(p.values) for p in before) > 1 and sum(bool(p.values) for p in after) == 1


def _is_short(pieces: Sequence[Piece]) -> bool:
    return sum(not piece.is_idle for piece in pieces) <= 4


def _verbs(reader: Reader, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The names of the actions that the words of a sentence mean."""
    acts = reader.talk.acts
    notions = (notion for piece in pieces for notion in sorted(piece.notions))
    return tuple(dict.fromkeys(name for notion in notions for name in acts.get(notion, ())))


def _weighed(reader: Reader, pieces: Sequence[Piece], verbs: Sequence[str]) -> tuple[float, float]:
    gain = cost = 0.0
    acts = reader.talk.acts
    for piece in pieces:
        if piece.values:
            gain += VALUE
        elif any(set(acts.get(notion, ())) & set(verbs) for notion in piece.notions):
            gain += NOTION
        elif piece.notions & ASKING:
            gain += reader.own.weights.get("can", NOTION)
        elif piece.notions & {"now", "i", "to", "from", "turn"}:
            gain += 0.0
        else:
            cost += weight(piece, reader.own.weights)
    return gain, cost


Filled = tuple[ActionForm, tuple[tuple[int, ...], ...]]
"""An action with the codes that each of its parameters may have."""


def _forms(game: BaseGame, verbs: Sequence[str], named: Sequence[Piece]) -> list[Filled]:
    """The actions whose parameters can take all values that the sentence names."""
    found: list[Filled] = []
    for form in game.notation.forms:
        if form.name not in verbs:
            continue
        # In the order of the sentence first: who goes, then where to.
        orders = permutations(range(len(form.params)), len(named))
        for places in sorted(orders, key=lambda each: each != tuple(sorted(each))):
            taken = {}
            for place, piece in zip(places, named, strict=True):
                type_ = form.params[place][1]
                codes = piece.codes(str(type_)) if isinstance(type_, types.WordType) else ()
                if codes:
                    taken[place] = codes
            if len(taken) == len(named):
                choices = tuple(
                    taken.get(i, tuple(codes_of(type_))) for i, (_, type_) in enumerate(form.params)
                )
                if prod(map(len, choices)) <= MAX_TRIED:
                    found.append((form, choices))
    return found


def _offered(game: BaseGame, player: str | None) -> tuple[str, ...]:
    """The names of the legal actions; for a player only of his own."""
    actions = (action for action in game.actions if player in (None, action.player))
    return tuple(dict.fromkeys(action.name for action in actions))


def _codes(game: BaseGame, found: Sequence[Filled]) -> Iterator[int]:
    for form, choices in found:
        for args in product(*choices):
            for player in range(len(game.ruleset.players)):
                yield form.encode(player, args)


def _legal(game: BaseGame, found: Sequence[Filled], player: str | None) -> tuple[str, ...]:
    """The legal actions among those that are meant; for a player only his own."""
    legal = game.legal_code_set
    codes = dict.fromkeys(code for code in _codes(game, found) if code in legal)
    actions = (game.notation.action(code) for code in codes)
    return tuple(each.text for each in actions if player in (None, each.player))


def _goal(game: BaseGame, named: Sequence[Piece]) -> list[Piece]:
    """Of the values that a sentence names the pieces, and the last: where they are to go."""
    schema = game.ruleset.schema
    kinds = {str(v.keys[0]) for v in schema.variables.values() if schema.is_location_map(v)}
    return [p for p in named[:-1] if kinds & {name for name, _ in p.values}][:1] + list(named[-1:])


def _way(game: BaseGame, found: Sequence[Filled]) -> tuple[str, ...]:
    """The actions, one after the other with the same piece, at whose end one is legal that is meant."""
    targets: dict[str, set[tuple[int, ...]]] = {}
    pieces: dict[str, set[tuple[int, int]]] = {}
    for form, choices in found:
        targets.setdefault(form.name, set()).update(product(*choices))
        fixed = {(i, each[0]) for i, each in enumerate(choices) if len(each) == 1}
        pieces.setdefault(form.name, set()).update(fixed)
    ways: list[tuple[BaseGame, tuple[str, ...]]] = [(game, ())]
    for played, (before, way) in enumerate(ways):
        if played > MAX_WAYS or len(way) == MAX_STEPS:
            break
        for code in before.legal_codes if not before.is_chance and not before.is_over else ():
            form = before.notation.form_of(code)
            player, args = form.decode(code, len(game.ruleset.players))
            if form.name not in targets or not pieces[form.name] & set(enumerate(args)):
                continue
            if game.ruleset.players[player] not in game.to_move:
                continue
            text = before.notation.text(code)
            if args in targets[form.name]:
                return (*way, text)
            ways.append((before.play_code(code), (*way, text)))
    return ()


def _ruling(game: BaseGame, found: Sequence[Filled], player: str | None) -> Ruling | None:
    """Why no action is legal that is meant: the reason against the one that comes nearest."""
    known = game if player is None else knowledge_of(game, player).game
    likely = [code for code in islice(_codes(game, found), MAX_TRIED) if _is_in_place(known, code)]
    codes = likely or list(islice(_codes(game, found), MAX_CANDIDATES))
    if player is not None:
        rulings = (
            explain_action(game, game.notation.exact(code), player, with_support=False)
            for code in codes[:MAX_RULINGS]
        )
        return min(rulings, key=_remoteness, default=None)
    checker = checker_for(game)
    statuses = (checker.status(code) for code in codes[:MAX_CANDIDATES])
    best = min(statuses, key=lambda status: status.distance, default=None)
    if best is None:
        return None
    return explain_action(game, game.notation.exact(best.code), None, with_support=False)


def _remoteness(ruling: Ruling) -> tuple[bool, bool, int]:
    """How far an action is from being legal: farthest if nobody chooses it now, then if it is another player's."""
    is_of_others = not ruling.action.startswith(f"{ruling.player}: ")
    is_later = any(reason.kind == "moment" for reason in ruling.against)
    return is_later, is_of_others, len(ruling.against)


def _is_in_place(game: BaseGame, code: int) -> bool:
    """Whether an action names where each of its pieces is, if it names places at all."""
    form = game.notation.form_of(code)
    _, args = form.decode(code, len(game.ruleset.players))
    named = {
        type_.values[arg]
        for (_, type_), arg in zip(form.params, args, strict=True)
        if isinstance(type_, types.WordType)
    }
    schema = game.ruleset.schema
    load = game.state.schema.reader(game.state.slots)
    for variable in filter(schema.is_location_map, schema.variables.values()):
        places = variable.type
        assert isinstance(places, types.WordType)
        if len(named.intersection(places.values)) < 2:
            continue
        for (_, type_), arg in zip(form.params, args, strict=True):
            if (
                type_ == variable.keys[0]
                and places.values[load(variable.name, (arg,))] not in named
            ):
                return False
    return True
