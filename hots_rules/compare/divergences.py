"""Where a recorded game and another ruleset part, and the rules on each side that part them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import attrs
from attrs import field, frozen

from hots_rules.compare.differences import Change, Diff, diff
from hots_rules.compare.rebase import Shared, begun_under
from hots_rules.diagnostics import HotsError
from hots_rules.explain.explain_action import explain_action
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.recording import initial_game, record_game
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import Entry, Rulebook, words_in

MAX_JUDGED = 3  # kinds of actions of one side, for the rules that tell them apart
# Names that a rule only leads through on the way to what an edition changed.
_THROUGH = ("define", "table", "type", "variable", "option", "reading", "secret")


@frozen
class Cause:
    """A declaration that made the difference, as one side has it."""

    kind: str
    name: str
    summary: str
    cited: tuple[Citation, ...]


@frozen
class Moment:
    """One side of a parting: who is asked, which actions are legal here alone, how it ended."""

    edition: str
    to_move: tuple[str, ...]
    phase: str
    actions: tuple[str, ...]
    outcome: str
    causes: tuple[Cause, ...]


@frozen
class Divergence:
    """The first moment at which two rulesets do not play alike; false if there is none.

    `at` is how many actions were played, and `text` the last of them. `what` is "state" (it brought
    something else), "asked", "actions" or "outcome"; `changes` are the entries of the state that are
    otherwise, and `notes` the options and readings that could not be kept.
    """

    old: str
    new: str
    of: int
    what: str = ""
    at: int = 0
    text: str = ""
    changes: tuple[Change, ...] = ()
    here: Moment | None = None
    there: Moment | None = None
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.what)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The declarations of both sides that made the difference."""
        sides = [side.causes for side in (self.here, self.there) if side is not None]
        return tuple(dict.fromkeys(cause for side in sides for cause in side))

    def as_json(self) -> dict[str, Any]:
        """Plain data of a stable form, for `json`."""
        return {"parts": bool(self), **attrs.asdict(self)}


def divergence(
    game: BaseGame,
    ruleset: BaseRuleset[BaseGame],
    *,
    differences: Diff | None = None,
) -> Divergence:
    """Plays a recorded game under another ruleset, to the first moment at which the two part.

    It goes on with the same seed,
    options and readings where they exist. Actions are compared by player, name and arguments, or by
    their texts; the state by what both rulesets have in theirs. `differences` are those between the
    two rulesets, if they are known already.

    Raises:
        UnknownOption: it has no such scenario.
        BadPosition: the position at which the game began cannot be there.
    """
    return _Walk(game, ruleset, differences).parting()


@frozen(slots=False)
class _Walk:
    """One game and its ghost, side by side."""

    game: BaseGame
    other: BaseRuleset[BaseGame]
    differences: Diff | None = field(repr=False)

    def parting(self) -> Divergence:
        here, (there, notes) = initial_game(self.game), begun_under(self.game, self.other)
        texts = [entry.text for entry in record_game(self.game).entries]
        shared = Shared.of(here.ruleset.schema, there.ruleset.schema)
        for at, text in enumerate(["", *texts]):
            if at:
                chosen = _meant(here, self.game.moves[at - 1])
                here = here.play_code(self.game.moves[at - 1])
                there = there.play(_same(there, chosen) or text)
            if what := _otherwise(here, there, shared):
                return self._parted(what, at, text, here, there, shared, notes)
        return Divergence(self.game.ruleset.name, self.other.name, len(texts), notes=notes)

    def _parted(
        self,
        what: str,
        at: int,
        text: str,
        here: BaseGame,
        there: BaseGame,
        shared: Shared,
        notes: tuple[str, ...],
    ) -> Divergence:
        differences = self.differences or diff(here.ruleset, there.ruleset)
        changes = shared.changes(here.state, there.state)
        blamed = _Blame(here, there, changes, differences)
        return Divergence(
            here.ruleset.name,
            there.ruleset.name,
            len(self.game.moves),
            what,
            at,
            text,
            changes,
            blamed.moment(here, there),
            blamed.moment(there, here),
            notes,
        )


def _meant(game: BaseGame, code: int) -> Action:
    return next(action for action in game.actions if action.code == code)


def _key(action: Action) -> tuple[str, ...]:
    return action.player, action.name, *action.args


def _same(game: BaseGame, wanted: Action) -> Action | None:
    """The action of another ruleset's game that is meant."""
    by_text = [action for action in game.actions if action.text == wanted.text]
    return next((a for a in game.actions if _key(a) == _key(wanted)), next(iter(by_text), None))


def _otherwise(here: BaseGame, there: BaseGame, shared: Shared) -> str:
    """In what two games do not stand alike; empty if they do."""
    if shared.changes(here.state, there.state):
        return "state"
    if here.is_over != there.is_over or _winner(here) != _winner(there):
        return "outcome"
    if here.to_move != there.to_move:
        return "asked"
    return "actions" if _alone(here, there) or _alone(there, here) else ""


def _winner(game: BaseGame) -> str | None:
    return game.outcome.winner if game.outcome else None


def _alone(here: BaseGame, there: BaseGame) -> list[Action]:
    """The legal actions that the other side does not have."""
    keys = {_key(action) for action in there.actions}
    texts = {action.text for action in there.actions}
    return [a for a in here.actions if _key(a) not in keys and a.text not in texts]


# ---------------------------------------------------------------- whose doing it is
@frozen(slots=False)
class _Blame:
    here: BaseGame
    there: BaseGame
    changes: tuple[Change, ...]
    differences: Diff = field(repr=False)

    def moment(self, game: BaseGame, other: BaseGame) -> Moment:
        alone = _alone(game, other)
        return Moment(
            game.ruleset.name,
            game.to_move,
            game.phase,
            tuple(action.text for action in alone),
            str(game.outcome) if game.outcome else "",
            tuple(self._causes(game.ruleset.rulebook)),
        )

    def _causes(self, rulebook: Rulebook) -> Iterator[Cause]:
        """What stands in the way of either side, as this side has it."""
        for entry in rulebook.entries.values():
            if (entry.kind, entry.name) in self._guilty:
                yield Cause(entry.kind, entry.name, entry.summary, entry.cited)

    @cached_property
    def _guilty(self) -> set[tuple[str, str]]:
        """What the two rulesets do not have alike, among all that had a part in it; else all of that."""
        rulebooks = self.here.ruleset.rulebook, self.there.ruleset.rulebook
        names = set(self._named())
        involved = {key for rulebook in rulebooks for key in _involved(rulebook, names)}
        changed = {(one.kind, one.name) for one in self.differences.differences if one.plays}
        direct = {key for key in changed & involved if key[1] in names}
        return direct or changed & involved or {key for key in involved if key[1] in names}

    def _named(self) -> Iterator[str]:
        """What spoke: for and against the actions of one side, or in what happened."""
        yield from (change.where.split(" of ")[0] for change in self.changes)
        for game, other in ((self.here, self.there), (self.there, self.here)):
            alone = _alone(game, other)
            kinds = {action.name: action for action in reversed(alone)}
            for action in list(kinds.values())[:MAX_JUDGED]:
                yield action.name
                yield from _against(other, action)
            if not alone:
                yield game.phase
            if not game.moves:
                yield game.scenario
        if self.changes or self.here.phase != self.there.phase:
            sides = [{(step.rule, step.text) for step in g.trace} for g in (self.here, self.there)]
            odd = sides[0] ^ sides[1]
            yield from (rule for rule, _ in odd or sides[0] | sides[1])


def _against(game: BaseGame, action: Action) -> Iterator[str]:
    try:
        yield from (
            reason.rule for reason in explain_action(game, action.text, None, with_support=False)
        )
    except HotsError:
        return  # the other side has no such action


def _involved(rulebook: Rulebook, names: Iterable[str]) -> set[tuple[str, str]]:
    """The declarations of some names, and those that they lead to through definitions and tables."""
    by_name: dict[str, list[Entry]] = {}
    for entry in rulebook.entries.values():
        by_name.setdefault(entry.name, []).append(entry)
    pending = [entry for name in names for entry in by_name.get(name, [])]
    found: set[tuple[str, str]] = set()
    while pending:
        entry = pending.pop()
        if (entry.kind, entry.name) in found:
            continue
        found.add((entry.kind, entry.name))
        mentioned = (by_name.get(word, ()) for word in set(words_in(entry.node)))
        pending += [each for group in mentioned for each in group if each.kind in _THROUGH]
    return found
