"""Actions that a sentence asks about: `can Fox go to Shore?`, `why can't he?`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from math import prod

from attrs import frozen

from hots_rules.compile.codes import codes_of
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.legality import checker_for
from hots_rules.explain.ruling import Ruling
from hots_rules.explain.talk.lexicon import Piece
from hots_rules.explain.talk.patterns import COVERED, LIGHT, NOTION, VALUE, weight
from hots_rules.explain.talk.reader import Reader
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types

MAX_CANDIDATES = 600
ASKING = frozenset({"can", "must", "why", "not"})


@frozen
class Act:
    """An action that a sentence asks about.

    Attributes:
        game: the game at the moment that is asked about.
        player: the player who asks; None for the whole state.
        legal: the texts of the legal actions that are meant.
        ruling: why none is; None if one is legal.
        verbs: the names of the actions that the sentence may mean.
        named: the pieces of the sentence that name values.
        gain: how much of the sentence is accounted for.
        cost: how much is not.
        asks_why: whether it asks for reasons.
    """

    game: BaseGame
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

    def text(self) -> str:
        """A plain yes or no, then the actions or the reason."""
        gettext = self.game.ruleset.labels.translator.gettext
        if self.legal:
            shown = "; ".join(self.legal[:6]) + ("; …" if len(self.legal) > 6 else "")
            return f"{gettext('yes').capitalize()}: {shown}"
        assert self.ruling is not None
        reason = self.ruling.text("sentence")
        return reason if self.is_legal is None else f"{gettext('no').capitalize()}: {reason}"


def act_meant(
    game: BaseGame, reader: Reader, sentence: str, player: str | None, before: Act | None
) -> Act | None:
    """The action that a sentence asks about; None if it asks about none."""
    if game.is_over or game.is_chance:
        return None
    pieces = reader.lexicon.read(sentence)
    notions = frozenset(n for piece in pieces for n in piece.notions)
    named = [piece for piece in pieces if piece.values]
    verbs = _verbs(reader, pieces)
    follows = before is not None and pieces and "and" in pieces[0].notions and named
    if follows and not verbs and before is not None:
        verbs, named = before.verbs, _replaced(before.named, named)
    elif not (notions & {"can", "why", "must"} or (verbs and _is_short(pieces))):
        return None
    found = _forms(game, reader, verbs, named)
    if not found:
        return None
    gain, cost = _weighed(reader, pieces, verbs)
    if not follows and gain < COVERED * (gain + cost):
        return None
    legal = _legal(game, found, player)
    ruling = None if legal else _ruling(game, found, player)
    if not legal and ruling is None:
        return None
    names = tuple(dict.fromkeys(form.name for form, _ in found))
    return Act(
        game, player, legal, ruling, verbs or names, tuple(named), gain, cost, "why" in notions
    )


def _is_short(pieces: Sequence[Piece]) -> bool:
    return sum(not piece.is_idle for piece in pieces) <= 4


def _replaced(before: Sequence[Piece], said: Sequence[Piece]) -> list[Piece]:
    """The values that were named before, with those of the same type that are said now in their place."""
    kinds = {name for piece in said for name, _ in piece.values}
    kept = [piece for piece in before if not kinds & {name for name, _ in piece.values}]
    if not kept and before:
        kept = list(before[:1])
    return [*kept, *said]


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
            gain += LIGHT
        elif piece.notions & {"now", "i", "to", "from", "turn"}:
            gain += 0.0
        else:
            cost += weight(piece, reader.own.light)
    return gain, cost


Filled = tuple[ActionForm, tuple[tuple[int, ...], ...]]
"""An action with the codes that each of its parameters may have."""


def _forms(
    game: BaseGame, reader: Reader, verbs: Sequence[str], named: Sequence[Piece]
) -> list[Filled]:
    """The actions whose parameters can take all values that the sentence names."""
    if not verbs and not named:
        return []
    found: list[Filled] = []
    offered = set(_offered(game))
    for form in game.notation.forms:
        if (verbs and form.name not in verbs) or (not verbs and form.name not in offered):
            continue
        for places in permutations(range(len(form.params)), len(named)):
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
                if prod(map(len, choices)) <= MAX_CANDIDATES:
                    found.append((form, choices))
    return found


def _offered(game: BaseGame) -> Iterator[str]:
    yield from dict.fromkeys(action.name for action in game.actions)


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


def _ruling(game: BaseGame, found: Sequence[Filled], player: str | None) -> Ruling | None:
    """Why no action is legal that is meant: the reason against the one that comes nearest."""
    if player is None:
        checker = checker_for(game)
        codes = list(dict.fromkeys(_codes(game, found)))[:MAX_CANDIDATES]
        statuses = (checker.status(code) for code in codes)
        best = min(statuses, key=lambda status: status.distance, default=None)
        if best is None:
            return None
        return explain_action(game, game.notation.exact(best.code), None, with_support=False)
    rulings = (
        explain_action(game, game.notation.exact(code), player, with_support=False)
        for code in islice(_own(game, found, player), 30)
    )
    return min(rulings, key=lambda ruling: (len(ruling.against),), default=None)


def _own(game: BaseGame, found: Sequence[Filled], player: str) -> Iterator[int]:
    number = game.ruleset.players.index(player)
    for form, choices in found:
        for args in product(*choices):
            yield form.encode(number, args)
