"""Random games with and without a difference, until they diverge."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import frozen

from hots_rules.analysis.simulating.batches import Batch, Task, are_alike
from hots_rules.compare.agreements import ENOUGH, Agreement
from hots_rules.compare.hybrids import with_and_without
from hots_rules.diagnostics import check_kind
from hots_rules.native.batch import Ended
from hots_rules.play.game import G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.witness.lockstep import Lockstep, PairedState, PlayedRuleset


def agreement(
    old: BaseRuleset[G],
    new: BaseRuleset[G],
    name: str,
    *,
    games: int = ENOUGH,
    seed: int | str = 0,
    backend: str = "auto",
    progress: Callable[[int], None] | None = None,
) -> Agreement | None:
    """Plays random games of the first ruleset with and without a difference of the second one.

    It is None as soon as a game diverges: other legal actions at a decision, or another state at the end. It is None,
    too, if an action takes other values: then its codes cannot be compared. The games are of all scenarios in turn,
    with the default options and readings. In machine code 100,000 games take some minutes. If both sides have the same
    machine code, each game is the same one on both, and it is played once.

    >>> import hots_rules as hr
    >>> old, new = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> hr.witness.agreement(old, new, "rule border-control", games=2).games
    2

    Args:
        old: the ruleset that is played.
        new: the ruleset that the difference is taken from.
        name: the id of the difference, or its name.
        games: how many games are played; fewer than 100,000 do not show that there is no effect.
        seed: decides what is played.
        backend: as in `hr.simulate`; the result is the same with each.
        progress: is called with the number of games so far.

    Raises:
        ArgumentError: no difference has the name, or there is no such back end.
        RulesetError: the rules have faults, even with all that the difference depends on.
        EngineError: a rule violates one of its bounds.
        MissingLibrary: the back end that is named is not installed, or does not work.
    """
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    check_kind("name", name, str, "a name")
    with_it, without = with_and_without(old, new, name)
    lockstep = Lockstep(PlayedRuleset.of(with_it, {}), PlayedRuleset.of(without, {}))
    if not _can_be_compared(lockstep):
        return None
    scenarios = [name for name in with_it.scenarios if name in without.scenarios]
    sides = [
        _PlayedSide.of(side, scenarios, games, str(seed), backend=backend)
        for side in lockstep.sides
    ]
    on_game = progress or (lambda number: None)
    if sides[0].key is not None and sides[0].key == sides[1].key:
        decisions = old.compiled.memo(sides[0].key, lambda: sides[0].decisions(on_game))
        return Agreement(old.name, games, decisions, str(seed))
    decisions = 0
    for number, (first, second) in enumerate(zip(*(side.ends() for side in sides), strict=True), 1):
        if not _agree(lockstep, first, second):
            return None
        decisions += first.decisions
        on_game(number)
    return Agreement(old.name, games, decisions, str(seed))


@frozen
class _PlayedSide:
    """The games with a difference, or those without it.

    Sides with the same `key` have the same machine code, states and seeds, so their games are the same ones: they
    are played once, and all such differences share the result.
    """

    batch: Batch
    tasks: tuple[Task, ...]
    key: tuple[object, ...] | None

    @classmethod
    def of(
        cls, side: PlayedRuleset, scenarios: list[str], games: int, seed: str, *, backend: str
    ) -> _PlayedSide:
        batch = Batch.of(side.ruleset, backend=backend, games=games, has_digests=True)
        starts = [side.machine.begin(scenario) for scenario in scenarios]
        tasks = tuple(
            (starts[number % len(starts)], f"agreement/{seed}/{number}") for number in range(games)
        )
        code, states = batch.code_digest, tuple(map(tuple, starts))
        key = ("agreement", code, states, seed, games) if code else None
        return cls(batch, tasks, key)

    def ends(self) -> Iterator[Ended]:
        """How the games end, each with the digest of its legal actions."""
        return self.batch.play(self.tasks, keeps_slots=True)

    def decisions(self, on_game: Callable[[int], None]) -> int:
        """The decisions of all games."""
        total = 0
        for number, end in enumerate(self.ends(), 1):
            total += end.decisions
            on_game(number)
        return total


def _agree(lockstep: Lockstep, first: Ended, second: Ended) -> bool:
    """Whether two games were alike, and ended in the same state."""
    if not are_alike(first, second) or first.slots is None or second.slots is None:
        return False
    return lockstep.are_identical(PairedState(first.slots, second.slots))


def _can_be_compared(lockstep: Lockstep) -> bool:
    """Whether the actions that both sides have take the same values, so that their codes mean the same."""
    values = [
        {
            form.name: [side.codes_by_word(type_) for _, type_ in form.params]
            for form in side.notation.forms
        }
        for side in lockstep.sides
    ]
    return all(values[0][name] == values[1][name] for name in values[0].keys() & values[1].keys())
