"""A game told play by play, each line with the rule and section behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field

from hots_rules.observe.formatter import redacted_formatter
from hots_rules.observe.view import observed_trace
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step


@define
class GameLog:
    """What is worth telling of a game: actions, luck, events, the clock, and the phases around them.

    A phase is told when something happens in it. For a `player` it keeps
    the secrets of the ruleset;
    docs/command-line.md says what it does not keep yet.
    """

    player: str | None = None
    _entered: list[Step] = field(factory=list, init=False)

    def describe(self, before: BaseGame, after: BaseGame) -> Iterator[Step]:
        """The steps worth telling of one play, which led from one game to the other."""
        facts = after.ruleset.schema.facts
        said = _said_by(before, after, self.player)
        steps = after.trace if self.player is None else observed_trace(after, self.player)
        news = False
        for step in steps:
            if step.kind == "action":
                self._leave_all_but(before.phase)
            if step.kind == "phase":
                self._entered.append(step)
            elif _is_news(step, facts.clock) and (news or not _repeats(step, said)):
                news = news or step.kind != "action"
                yield from self._headings(facts.calls, step)
                yield step

    def _leave_all_but(self, phase: str) -> None:
        """Somebody was asked in a phase, so those entered after it are over."""
        names = [step.name for step in self._entered]
        del self._entered[len(names) - names[::-1].index(phase) if phase in names else 0 :]

    def _headings(self, calls: Mapping[str, tuple[str, ...]], step: Step) -> list[Step]:
        """The phase in which something happens, once, and those around it that say where or whose."""
        if not self._entered or step.kind == "set":
            return []
        last, latest = self._entered[-1], {phase.name: phase for phase in self._entered}
        self._entered.clear()
        around = [p for p in latest.values() if p.values and last.name in calls[p.name]]
        return [*around, last]


def _is_news(step: Step, clock: tuple[str, ...]) -> bool:
    if step.kind == "set":
        return step.name in clock
    return step.kind in {"action", "chance", "event"}


def _repeats(step: Step, said: list[str]) -> bool:
    """Whether an event only says again what the action has said."""
    return step.kind == "event" and sorted(step.values.values()) == said


def _said_by(before: BaseGame, after: BaseGame, player: str | None) -> list[str]:
    """The words of the arguments of the last action, as a player may know them."""
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
