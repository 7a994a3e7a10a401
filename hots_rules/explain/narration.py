"""The log of a game, play by play: the steps that are worth reporting."""

from collections.abc import Iterator, Mapping

from attrs import define, field

from hots_rules.observe.view import observed_trace, redacted_formatter
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step


@define
class GameLog:
    """Selects the steps of a game that are worth reporting: actions, chance, events, the clock and phases.

    A phase is reported when something happens in it. Describe the plays of a game in order: the log
    remembers the phases that were entered.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> log = hr.explain.GameLog()
    >>> [step.kind for step in log.describe(game, game.play(game.actions[0]))]
    ['action']

    Attributes:
        player: the player for whom hidden information is left out; None for the whole game.
    """

    player: str | None = None
    _entered_phases: list[Step] = field(factory=list, init=False)

    def describe(self, before: BaseGame, after: BaseGame) -> Iterator[Step]:
        """The steps worth reporting of one play.

        Args:
            before: the game before the play.
            after: the game after it.
        """
        facts = after.ruleset.schema.facts
        arguments = _action_arguments(before, after, self.player)
        steps = after.trace if self.player is None else observed_trace(after, self.player)
        has_consequences = False
        for step in steps:
            if step.kind == "action":
                self._leave_phases_after(before.phase)
            if step.kind == "phase":
                self._entered_phases.append(step)
            elif _is_reported(step, facts.clock):
                # An event may only repeat the arguments of the action.
                is_event = step.kind == "event" and bool(arguments)
                repeats = is_event and sorted(step.values.values()) == arguments
                if repeats and not has_consequences:
                    continue
                has_consequences = has_consequences or step.kind != "action"
                if step.kind != "set":
                    yield from self._phase_headings(facts.calls)
                yield step

    def headings(self, game: BaseGame) -> list[Step]:
        """The headings of the phase in which a game waits, if it was entered and nothing happened in it yet.

        Print them before the question: they are not part of what `describe` gives after it.
        """
        return self._phase_headings(game.ruleset.schema.facts.calls)

    def _leave_phases_after(self, phase: str) -> None:
        """Forget the phases that were entered after one in which a choice was made: they are over."""
        names = [step.name for step in self._entered_phases]
        start = len(names) - names[::-1].index(phase) if phase in names else 0
        del self._entered_phases[start:]

    def _phase_headings(self, calls: Mapping[str, tuple[str, ...]]) -> list[Step]:
        """The phase entered last, once, after those that call it and have arguments."""
        if not self._entered_phases:
            return []
        last = self._entered_phases[-1]
        latest = {phase.name: phase for phase in self._entered_phases}
        self._entered_phases.clear()
        callers = [p for p in latest.values() if p.values and last.name in calls[p.name]]
        return [*callers, last]


def _is_reported(step: Step, clock: tuple[str, ...]) -> bool:
    if step.kind == "set":
        return step.name in clock
    return step.kind in {"action", "chance", "event"}


def _action_arguments(before: BaseGame, after: BaseGame, player: str | None) -> list[str]:
    """The arguments of the last action in words, as a player may know them."""
    move = after.moves[-1]
    if move < 0:
        return []
    form = before.notation.form_of(move)
    _, args = form.decode(move, len(before.ruleset.players))
    labels = after.ruleset.labels
    formatter = (
        labels if player is None else redacted_formatter(before.in_language(after.language), player)
    )
    return sorted(
        formatter.format_value(arg, type_)
        for arg, (_, type_) in zip(args, form.params, strict=True)
    )
