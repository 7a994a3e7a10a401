"""A game told play by play, each line with the rule and section behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, evolve, field

from hots_rules.compile.machine import DECIDE, DICE, LoggedSlots, Machine
from hots_rules.explain.veil import Veil, veil_of
from hots_rules.play.game import Game
from hots_rules.play.trace import Step, _Reader
from hots_rules.rules import finite as t
from hots_rules.state.shape import Variable, type_from


@define
class Story:
    """What is worth telling of a game: actions, luck, events, the clock, and the phases around them.

    A phase is told when something happens in it. For a `player` it keeps the secrets of the ruleset;
    docs/command-line.md says what it does not keep yet.
    """

    player: str | None = None
    _entered: list[Step] = field(factory=list, init=False)

    def tell(self, before: Game, after: Game) -> Iterator[Step]:
        """The steps worth telling of one play, which led from one game to the other."""
        facts = after.ruleset.shape.facts
        said = _said_by(before, after, self.player)
        steps = after.trace if self.player is None else _veiled(before, after, self.player)
        news = False
        for step in steps:
            if step.kind == "action":
                self._leave_all_but(before.phase)
            if step.kind == "phase":
                self._entered.append(step)
            elif _is_news(step, facts["clock"]) and (news or not _repeats(step, said)):
                news = news or step.kind != "action"
                yield from self._headings(facts["calls"], step)
                yield step

    def _leave_all_but(self, phase: str) -> None:
        """Somebody was asked in a phase, so those entered after it are over."""
        names = [step.name for step in self._entered]
        del self._entered[len(names) - names[::-1].index(phase) if phase in names else 0 :]

    def _headings(self, calls: Mapping[str, list[str]], step: Step) -> list[Step]:
        """The phase in which something happens, once, and those around it that say where or whose."""
        if not self._entered or step.kind == "set":
            return []
        last, latest = self._entered[-1], {phase.name: phase for phase in self._entered}
        self._entered.clear()
        around = [p for p in latest.values() if p.values and last.name in calls[p.name]]
        return [*around, last]


def _is_news(step: Step, clock: list[str]) -> bool:
    if step.kind == "set":
        return step.name in clock
    return step.kind in {"action", "chance", "event"}


def _repeats(step: Step, said: list[str]) -> bool:
    """Whether an event only says again what the action has said."""
    return step.kind == "event" and sorted(step.values.values()) == said


def _said_by(before: Game, after: Game, player: str | None) -> list[str]:
    """The words of the arguments of the last action, as a player may know them."""
    move = after.moves[-1]
    if move < 0:
        return []
    form = before.notation().form_of(move)
    _, args = form.decode(move, len(before.ruleset.players))
    shape = before.ruleset.shape if player is None else veil_of(before, player)
    return sorted(shape.show(arg, type_) for arg, (_, type_) in zip(args, form.params, strict=True))


# ------------------------------------------------------------------ for one player
def _veiled(before: Game, after: Game, player: str) -> Iterator[Step]:
    """The trace of a play as one player may know it, each step with the knowledge of its moment."""
    machine = before.ruleset.machine(dict(before.settings), traced=True)
    veil = veil_of(before, player)
    reader = _Reader(veil, machine, "en")
    for note in _log(machine, before, after):
        _follow(veil, note)
        if _is_kept(veil, note):
            continue
        for step in reader.steps([note]):
            yield _concealed(step, veil, machine, before, note)


def _log(machine: Machine, before: Game, after: Game) -> list[tuple[Any, ...]]:
    slots = LoggedSlots(before.state.slots)
    move = after.moves[-1]
    seed = after.seed if after.chance == "auto" else None
    if move < 0:
        slots.log = [("chance", -1 - slots[0], -1 - move)]
        machine.resume(slots, -1 - move, seed)
    else:
        slots.log = [("choose", move)]
        machine.play(slots, move, seed)
    return slots.log


def _follow(veil: Veil, note: tuple[Any, ...]) -> None:
    """Keeps the veil at the state of the moment."""
    if note[0] == "set":
        veil.slots[note[2]] = note[3]
    elif note[0] == "clear":
        variable = veil.variables[note[1]]
        end = variable.base + len(variable.key_codes)
        veil.slots[variable.base : end] = [_blank(variable)] * len(variable.key_codes)


def _blank(variable: Variable) -> int:
    match variable.type:
        case t.WordType():
            return variable.type.codes.get(t.NONE, 0)
        case t.IntType():
            return variable.type.low
    return 0


def _is_kept(veil: Veil, note: tuple[Any, ...]) -> bool:
    """Whether a note is about the value of a variable that is kept from the player."""
    if note[0] != "set":
        return False
    variable = veil.variables[note[1]]
    return veil.hides(variable, variable.key_codes[note[2] - variable.base])


def _concealed(
    step: Step, veil: Veil, machine: Machine, before: Game, note: tuple[Any, ...]
) -> Step:
    """A step without what was chosen in secret, or drawn where secrets are kept."""
    if note[0] == "choose":
        return evolve(step, text=_choice(veil, machine, before, note[1]))
    if note[0] == "chance" and _is_secret_draw(veil, machine, note[1]):
        return evolve(step, text="draw in secret", values={})
    return step


def _is_secret_draw(veil: Veil, machine: Machine, site: int) -> bool:
    if machine.sites[site][0] == DICE:
        return False
    return veil.hides_draws_of(type_from(machine.facts["sites"][site]["type"]))


def _choice(veil: Veil, machine: Machine, before: Game, move: int) -> str:
    """An action in words; of a choice that another player makes in secret, that it was made."""
    notation = before.notation()
    form = notation.form_of(move)
    chooser, args = form.decode(move, len(before.ruleset.players))
    if chooser != veil.player and _is_secret_choice(machine, before):
        return f"{notation.player(chooser)} has chosen"
    words = {
        name: veil.show(arg, type_) for (name, type_), arg in zip(form.params, args, strict=True)
    }
    said = re.sub(r"\{(\w+)\}", lambda m: words.get(m[1], m[0]), notation.template(form))
    return f"{notation.player(chooser)}: {said}"


def _is_secret_choice(machine: Machine, game: Game) -> bool:
    """Whether several players were asked at once, in secret."""
    site = machine.site(list(game.state.slots))
    return site is not None and site[0] == DECIDE and site[3] is not None
