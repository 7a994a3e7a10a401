"""What cases of a ruleset bring about: which declarations are at work, which conditions hold and which do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from hots_rules.compile.codes import POINT
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import Slots
from hots_rules.compile.traced import (
    ClearNote,
    EntryNote,
    LoggedSlots,
    Note,
    RuleNote,
    SetNote,
    play_logged,
)
from hots_rules.diagnostics import EngineError
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import notations
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.state.position import read_position

MAX_MEANINGS = 20  # of one text
Key = tuple[
    str, str, int, int
]  # "action" or "event", its name, which clause, which exemption or -1


@frozen
class Condition:
    """A condition of a rule: of a clause of an action, or of an answer to an event."""

    rule: str
    timing: str
    of: str
    when: tast.Expr = field(repr=False)
    guard: tast.Expr | None = field(repr=False)
    params: tuple[tast.Local, ...] = field(repr=False)


def conditions(typed: tast.TypedRuleset) -> dict[Key, Condition]:
    """All conditions that can hold or not, whatever the options and readings."""
    found: dict[Key, Condition] = {}
    for action in typed.actions.values():
        for number, clause in enumerate(action.clauses):
            source = (clause.when, clause.guard, clause.params)
            found["action", action.name, number, -1] = Condition(
                clause.origin.rule, clause.kind, action.name, *source
            )
            for also, lifted in enumerate(clause.exemptions):
                found["action", action.name, number, also] = Condition(
                    lifted.origin.rule, "exempt", action.name, lifted.when, lifted.guard, lifted.params
                )  # fmt: skip
    for event in typed.events.values():
        for number, handler in enumerate(event.handlers):
            if handler.when is not None:
                found["event", event.name, number, -1] = Condition(
                    handler.origin.rule, handler.timing, event.name, handler.when, handler.guard, handler.params
                )  # fmt: skip
    return {key: one for key, one in found.items() if not isinstance(one.when, tast.Const)}


@define
class CoverageRecorder:
    """Looks on while cases are played, and notes what it saw; a condition is looked at until both came.

    A condition of an answer to an event is looked at when the event happens, before what any rule does about it.
    """

    ruleset: BaseRuleset[BaseGame]
    known: dict[Key, Condition] = field(init=False)
    met: dict[Key, set[bool]] = field(init=False)
    at_work: dict[tuple[str, str], int] = field(factory=dict, init=False)
    _names: set[tuple[str, str]] = field(factory=set, init=False)
    _open: dict[tuple[str, str], list[Key]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.known = conditions(self.ruleset.rulebook.typed)
        self.met = {key: set() for key in self.known}
        for key in self.known:
            self._open.setdefault((key[0], key[1]), []).append(key)

    def end_case(self) -> None:
        """A case is over: what was at work in it counts once."""
        for name in self._names:
            self.at_work[name] = self.at_work.get(name, 0) + 1
        self._names.clear()

    # -------------------------------------------------------------- what happens
    def saw_start(self, game: BaseGame) -> None:
        """A case begins."""
        if game.scenario:
            self._names.add(("scenario", game.scenario))
        self._read_beginning(game)
        defaults = {name: one.default for name, one in self.ruleset.settings.items()}
        for chosen in (game.options, game.readings):
            for name, value in chosen.items():
                if value != defaults[name]:
                    self._names.add((self.ruleset.settings[name].kind, name))

    def saw_move(self, before: BaseGame, after: BaseGame) -> None:
        """An action was played, or chance fell."""
        settings, code = dict(before.settings), after.moves[-1]
        if code >= 0:
            self._weigh_action(before, code)
            self._names.add(("action", before.notation.form_of(code).name))
        machine = self.ruleset.machine(before.settings, traced=True)
        log = play_logged(machine, before.state.slots, code, None).log
        self._read(log, machine, list(before.state.slots), settings)

    def _read_beginning(self, game: BaseGame) -> None:
        """What happens before the first decision."""
        settings = dict(game.settings)
        machine = self.ruleset.machine(game.settings, traced=True)
        if game.initial_position is None:
            first = machine.begin(game.scenario)
        else:
            first = read_position(self.ruleset.schema, machine, game.initial_position)
        slots = LoggedSlots(first)
        machine.run(slots, slots[POINT], None)
        self._read(slots.log, machine, first, settings)

    def _read(
        self, log: Sequence[Note], machine: Machine, slots: Slots, settings: Mapping[str, int]
    ) -> None:
        """Goes through what the traced module noted, from the state before it on."""
        origins = machine.facts.origins
        for note in log:
            match note:
                case SetNote():
                    slots[note.slot] = note.code
                case ClearNote():
                    self._clear(note.variable, slots)
                case RuleNote():
                    self._names.add(("rule", origins[note.origin].rule))
                case EntryNote():
                    self._names.add((note.kind, note.name))
                    if note.kind == "event":
                        self._weigh("event", note.name, note.args, None, slots, settings)

    def saw_text(self, game: BaseGame, text: str) -> None:
        """A case says something about an action, played or not."""
        for notation in notations(game):
            for code in notation.parse(text)[:MAX_MEANINGS]:
                self._weigh_action(game, code)

    def _clear(self, name: str, slots: list[int]) -> None:
        variable = self.ruleset.schema.variables[name]
        count = len(variable.key_codes)
        blank = types.blank_code(variable.type)
        slots[variable.base : variable.base + count] = [blank] * count

    # -------------------------------------------------------------- conditions
    def _weigh_action(self, game: BaseGame, code: int) -> None:
        form = game.notation.form_of(code)
        player, args = form.decode(code, len(self.ruleset.players))
        if form.name in game.point_facts.actions and self.ruleset.players[player] in game.to_move:
            slots, settings = game.state.slots, dict(game.settings)
            self._weigh("action", form.name, args, player, slots, settings)

    def _weigh(
        self,
        kind: str,
        name: str,
        args: tuple[int, ...],
        actor: int | None,
        slots: Sequence[int],
        settings: Mapping[str, int],
    ) -> None:
        pending = self._open.get((kind, name))
        if not pending:
            return
        evaluator = Evaluator(self.ruleset.rulebook.typed, settings, self._loader(slots), {})
        held: set[Key] = set()
        for key in tuple(pending):
            one, above = self.known[key], (*key[:3], -1)
            if key[3] >= 0 and above in self.known and above not in held:
                continue  # there is nothing to be let off from
            local = {param.name: arg for param, arg in zip(one.params, args, strict=True)}
            if actor is not None:
                local["actor"] = actor
            holds = self._holds(evaluator, one, local)
            if holds is None:
                continue
            self.met[key].add(holds)
            if holds:
                held.add(key)
                self._names.add(("rule", one.rule))
            if len(self.met[key]) == 2 and one.timing not in ("permit", "forbid", "exempt"):
                pending.remove(key)

    def _holds(self, evaluator: Evaluator, one: Condition, local: dict[str, int]) -> bool | None:
        """Whether a condition holds; None where it is not asked, because a guard or another condition keeps it."""
        try:
            if one.guard is not None and not evaluator.value(one.guard, {}):
                return None
            return bool(evaluator.value(one.when, local))
        except (EngineError, LookupError, ArithmeticError):
            return None

    def _loader(self, slots: Sequence[int]) -> Any:
        variables = self.ruleset.schema.variables

        def load(name: str, keys: tuple[int, ...]) -> int:
            found = variables[name]
            return slots[found.base + found.offsets[keys]]

        return load


def said_of_actions(lines: Sequence[str]) -> Iterator[str]:
    """The texts of actions of which the expectations of a case speak."""
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind.strip() in ("legal", "illegal"):
            yield rest.partition(" because ")[0].strip()
        elif kind.strip() == "choices":
            yield from (text.strip() for text in rest.split(";"))
