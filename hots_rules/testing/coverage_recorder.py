"""Records which declarations cases use, and which values conditions have in them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from hots_rules.compile.codes import POINT, Slots
from hots_rules.compile.constant_folding import ConstantFolder
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import (
    ClearNote,
    EntryNote,
    LoggedSlots,
    Note,
    RuleNote,
    SetNote,
    play_logged,
)
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.parse_action import notations
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.state.position import read_position

Key = tuple[str, str, int, int]
"""A condition: "action" or "event", its name, the index of the clause, and that of its exemption or -1."""
MAX_INTERPRETATIONS = 20  # of one text


@frozen
class RuleCondition:
    """A condition of a clause of an action, or of a rule that answers an event.

    Attributes:
        rule: the rule that contains it.
        timing: "permit", "forbid" or "exempt"; or "on", "before", "instead" or "after" an event.
        of: the action or event.
        when: the condition.
        guard: the condition on options and readings under which the clause exists.
        params: the parameters of the action or event.
    """

    rule: str
    timing: str
    of: str
    when: tast.Expr = field(repr=False)
    guard: tast.Expr | None = field(repr=False)
    params: tuple[tast.Local, ...] = field(repr=False)


def conditions_of(typed: tast.TypedRuleset) -> dict[Key, RuleCondition]:
    """All conditions that are no constants, under any options and readings."""
    folder = ConstantFolder(typed, {})
    return {
        key: condition
        for key, condition in (*_of_actions(typed), *_of_events(typed))
        if not isinstance(condition.when, tast.Const) and _can_apply(condition.guard, folder)
    }


def inert_rules(typed: tast.TypedRuleset) -> set[str]:
    """The rules that are for alternatives of readings that the edition has settled otherwise."""
    folder = ConstantFolder(typed, {})
    guards: list[tuple[str, tast.Expr | None]] = []
    for action in typed.actions.values():
        for clause in action.clauses:
            guards.append((clause.origin.rule, clause.guard))
            guards += [(lifted.origin.rule, lifted.guard) for lifted in clause.exemptions]
    for event in typed.events.values():
        guards += [(handler.origin.rule, handler.guard) for handler in event.handlers]
    can_apply = {rule for rule, guard in guards if _can_apply(guard, folder)}
    return {rule for rule, _ in guards} - can_apply


def _can_apply(guard: tast.Expr | None, folder: ConstantFolder) -> bool:
    """Whether a guard can hold under some options and readings, given the settled readings."""
    if guard is None or folder.reads(guard, tast.Setting):
        return True
    return bool(folder.evaluator.value(guard, {}))


def _of_actions(typed: tast.TypedRuleset) -> Iterator[tuple[Key, RuleCondition]]:
    for name, action in typed.actions.items():
        for index, clause in enumerate(action.clauses):
            rule, source = clause.origin.rule, (clause.when, clause.guard, clause.params)
            yield ("action", name, index, -1), RuleCondition(rule, clause.kind, name, *source)
            for number, lifted in enumerate(clause.exemptions):
                rule, source = lifted.origin.rule, (lifted.when, lifted.guard, lifted.params)
                yield ("action", name, index, number), RuleCondition(rule, "exempt", name, *source)


def _of_events(typed: tast.TypedRuleset) -> Iterator[tuple[Key, RuleCondition]]:
    for name, event in typed.events.items():
        for index, handler in enumerate(event.handlers):
            if handler.when is not None:
                source = handler.when, handler.guard, handler.params
                rule, timing = handler.origin.rule, handler.timing
                yield ("event", name, index, -1), RuleCondition(rule, timing, name, *source)


@define
class CoverageRecorder:
    """Records cases while they are played.

    A condition of a rule that answers an event is evaluated when the event happens, before any rule
    answers it, until it was both true and false. That of a rule that answers a single event after its
    effects cannot be: it was true where the trace shows the answer, and false as it is evaluated at the event.

    Attributes:
        ruleset: the ruleset.
        conditions: its conditions.
        values: for each condition the values that it had.
        uses: for each declaration, by kind and name, the number of cases that used it.
    """

    ruleset: AnyRuleset
    conditions: dict[Key, RuleCondition] = field(init=False)
    values: dict[Key, set[bool]] = field(init=False)
    uses: Counter[tuple[str, str]] = field(factory=Counter, init=False)
    _used: set[tuple[str, str]] = field(factory=set, init=False)
    """The declarations that the case that is played now has used."""
    _pending: dict[tuple[str, str], list[Key]] = field(factory=dict, init=False)
    """For each action its conditions; for each event those that were not yet both true and false."""
    _afterwards: dict[str, Key] = field(factory=dict, init=False)
    """By the name of a rule that answers a single event, after its effects, its condition."""

    def __attrs_post_init__(self) -> None:
        self.conditions = conditions_of(self.ruleset.rulebook.typed)
        self.values = {key: set() for key in self.conditions}
        for key in self.conditions:
            self._pending.setdefault((key[0], key[1]), []).append(key)
        typed = self.ruleset.rulebook.typed
        rules = Counter(
            condition.rule for _, condition in (*_of_actions(typed), *_of_events(typed))
        )
        self._afterwards = {
            condition.rule: key
            for key, condition in self.conditions.items()
            if condition.timing == "after" and rules[condition.rule] == 1
        }

    def end_case(self) -> None:
        """Counts what the case used, once."""
        self.uses.update(self._used)
        self._used.clear()

    # -------------------------------------------------------------- play
    def record_start(self, game: BaseGame) -> None:
        """Records the beginning of a case: its scenario, its choices, and play up to the first decision."""
        if game.scenario:
            self._used.add(("scenario", game.scenario))
        self._record_first_play(game)
        settings = self.ruleset.settings
        for name, value in {**game.options, **game.readings}.items():
            if value != settings[name].default:
                self._used.add((settings[name].kind, name))

    def _record_first_play(self, game: BaseGame) -> None:
        machine = self.ruleset.machine(game.settings, traced=True)
        if game.initial_position is None:
            start = machine.begin(game.scenario)
        else:
            start = read_position(game.state.schema, machine, game.initial_position)
        slots = LoggedSlots(start)
        machine.run(slots, slots[POINT], None)
        self._record_log(slots.log, machine, start, dict(game.settings))

    def record_move(self, before: BaseGame, after: BaseGame) -> None:
        """Records an action or an outcome of chance."""
        code = after.moves[-1]
        if code >= 0:
            self._evaluate_action(before, code)
            self._used.add(("action", before.notation.form_of(code).name))
        machine = self.ruleset.machine(before.settings, traced=True)
        log = play_logged(machine, before.state.slots, code, None).log
        self._record_log(log, machine, list(before.state.slots), dict(before.settings))

    def _record_log(
        self, log: Sequence[Note], machine: Machine, slots: Slots, settings: Mapping[str, int]
    ) -> None:
        """Records the notes of a traced machine; `slots` is the state before, and is changed."""
        origins = machine.facts.origins
        for note in log:
            match note:
                case SetNote():
                    slots[note.slot] = note.code
                case ClearNote():
                    self._clear(note.variable, slots)
                case RuleNote():
                    rule = origins[note.origin].rule
                    self._used.add(("rule", rule))
                    if rule in self._afterwards:
                        self.values[self._afterwards[rule]].add(True)
                case EntryNote():
                    self._used.add((note.kind, note.name))
                    if note.kind == "event":
                        self._evaluate("event", note.name, note.args, None, slots, settings)

    def record_action_text(self, game: BaseGame, text: str) -> None:
        """Records an action that a case expects to be legal or not."""
        for notation in notations(game):
            for code in notation.parse(text)[:MAX_INTERPRETATIONS]:
                self._evaluate_action(game, code)

    def _clear(self, name: str, slots: Slots) -> None:
        variable = self.ruleset.schema.variables[name]
        blank = types.blank_code(variable.type)
        slots[variable.base : variable.base + variable.count] = [blank] * variable.count

    # -------------------------------------------------------------- conditions
    def _evaluate_action(self, game: BaseGame, code: int) -> None:
        form = game.notation.form_of(code)
        player, args = form.decode(code, len(self.ruleset.players))
        if form.name in game.point_facts.actions and self.ruleset.players[player] in game.to_move:
            slots, settings = game.state.slots, dict(game.settings)
            self._evaluate("action", form.name, args, player, slots, settings)

    def _evaluate(
        self,
        kind: str,
        name: str,
        args: tuple[int, ...],
        actor: int | None,
        slots: Sequence[int],
        settings: Mapping[str, int],
    ) -> None:
        """Records the values of the conditions of an action or event."""
        pending = self._pending.get((kind, name))
        if not pending:
            return
        load = self.ruleset.schema.reader(slots)
        linked = self.ruleset.linked_rules(tuple(settings.items()))
        evaluator = Evaluator(linked.typed, settings, load, {}, linked.folder.static_value)
        holding: set[Key] = set()
        for key in tuple(pending):
            condition = self.conditions[key]
            _, _, index, exemption = key
            clause = (kind, name, index, -1)
            if exemption >= 0 and clause in self.conditions and clause not in holding:
                continue  # the clause does not hold, so there is nothing to exempt from
            params = zip(condition.params, args, strict=True)
            local = {param.name: arg for param, arg in params}
            if actor is not None:
                local["actor"] = actor
            holds = _holds(evaluator, condition, local)
            if holds is None or (holds and self._afterwards.get(condition.rule) == key):
                continue
            self.values[key].add(holds)
            if holds:
                holding.add(key)
                self._used.add(("rule", condition.rule))
            if len(self.values[key]) == 2 and kind == "event":
                pending.remove(key)


def _holds(evaluator: Evaluator, condition: RuleCondition, local: dict[str, int]) -> bool | None:
    """The value of a condition; None if a guard or another condition keeps it from being evaluated."""
    if condition.guard is not None and not evaluator.value_or_none(condition.guard, {}):
        return None
    value = evaluator.value_or_none(condition.when, local)
    return None if value is None else bool(value)


def expected_actions(lines: Sequence[str]) -> Iterator[str]:
    """The texts of actions in the expectations of a case."""
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind.strip() in ("legal", "illegal"):
            yield rest.partition(" because ")[0].strip()
        elif kind.strip() == "choices":
            yield from (text.strip() for text in rest.split(";"))
