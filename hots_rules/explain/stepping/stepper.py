"""A game gone through step by step, with breakpoints and with the value of any expression on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from hots_rules.compile.evaluate import Budget
from hots_rules.diagnostics import BadArgument, EngineError, UnknownName, names_alike
from hots_rules.explain.declared.declarations import is_within
from hots_rules.explain.stepping.stepped_play import Moment, SteppedPlay
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr
from hots_rules.state.position import position_text
from hots_rules.state.state import State

if TYPE_CHECKING:
    from hots_rules.rules.ad_hoc import ExpressionParser

KEPT_EACH = 32  # plays between two packed states that are kept
_CONDITION = re.compile(r"if\s+(.+)", re.DOTALL)


@frozen
class Breakpoint:
    """Where a stepper stops: at a name, at a section, or when a condition becomes true.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> str(hr.explain.Stepper(game).add_break("§4.3"))
    '§4.3'

    Attributes:
        text: as it was given.
        name: a rule, an action, a phase, an event or a variable.
        section: a section of the rulebook; those below it are meant as well.
        condition: a condition.
    """

    text: str
    name: str = ""
    section: str = ""
    condition: Expr | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.text

    def stops_at(self, step: Step, before: Step | None) -> bool:
        """Whether play stops here: at a step, given the one before it in the play."""
        if self.name and step.name == self.name:
            return True
        return self._is_of_rule(step) and not (before is not None and self._is_of_rule(before))

    def _is_of_rule(self, step: Step) -> bool:
        if self.section:
            return any(is_within(section, self.section) for section in step.sections)
        return bool(self.name) and step.rule == self.name


@define(eq=False)
class Stepper:
    """Goes through the plays of a game, step by step, forth and back. It shows everything, hidden parts included.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> stepper = hr.explain.Stepper(game.play(game.actions[0]))
    >>> stepper.step().step.kind, stepper.value("year")
    ('action', '1297')
    >>> stepper.run() is None, stepper.moment is None
    (True, True)

    Attributes:
        game: the game, at its end.
        breakpoints: where `run` stops, by number.
    """

    game: BaseGame
    breakpoints: dict[int, Breakpoint] = field(factory=dict, init=False)
    _play: int = field(default=0, init=False)  # 0 before the first play
    _index: int = field(default=-1, init=False)
    _kept: list[tuple[int, ...]] = field(factory=list, init=False)
    _stepped: dict[int, SteppedPlay] = field(factory=dict, init=False)

    @property
    def plays(self) -> int:
        """How many plays the game has."""
        return len(self.game.moves)

    @property
    def moment(self) -> Moment | None:
        """The step that was just done; None before the first and after the last."""
        if not self._is_within:
            return None
        return self._of(self._play).moment(self._index)

    @property
    def is_at_end(self) -> bool:
        """Whether there are no more steps."""
        return self._play > self.plays

    @property
    def _is_within(self) -> bool:
        return 1 <= self._play <= self.plays

    # -------------------------------------------------------------- moving
    def step(self) -> Moment | None:
        """Do the next step; None if there is none."""
        self._forth()
        return self.moment

    def next(self) -> Moment | None:
        """Go on to the next step that the current one did not cause; None if there is none."""
        if not self._is_within:
            return self.step()
        play, depth = self._play, self._of(self._play).depth(self._index)
        while self._forth() and self._play == play:
            if self._of(play).depth(self._index) <= depth:
                break
        return self.moment

    def run(self) -> Moment | None:
        """Go on to the next breakpoint; None if none is met.

        Raises:
            EngineError: a condition has no value.
            LimitExceeded: the conditions take too long.
        """
        budget = Budget.to_answer(self.game.ruleset.limits.record_steps)
        held = self._conditions_held(budget)
        while self._forth():
            stepped, index = self._of(self._play), self._index
            before = stepped.steps[index - 1] if index else None
            named = [point.stops_at(stepped.steps[index], before) for point in self._breaks()]
            became_true = False
            if stepped.changes_state(index):
                now = self._conditions_held(budget)
                became_true, held = bool(now - held), now
            if became_true or any(named):
                return self.moment
        return None

    def back(self) -> Moment | None:
        """Go back by a step; None at the beginning."""
        if self._index > 0 and self._is_within:
            self._index -= 1
        elif self._play:
            self._play -= 1
            self._index = len(self._of(self._play).steps) - 1 if self._play else -1
        return self.moment

    def go_to(self, play: int) -> Moment | None:
        """Go to the first step of a play, by its number.

        Raises:
            BadArgument: there is no such play.
        """
        if not 1 <= play <= self.plays:
            raise BadArgument("play", play, f"a number from 1 to {self.plays}")
        self._play, self._index = play, 0
        return self.moment

    def _forth(self) -> bool:
        """Go on by a step; False at the end."""
        if self._is_within and self._index + 1 < len(self._of(self._play).steps):
            self._index += 1
        elif self._play <= self.plays:
            self._play, self._index = self._play + 1, 0
        return self._is_within

    # -------------------------------------------------------------- what is so now
    def causes(self) -> list[Moment]:
        """The steps of the play that led to the current one, the first one first, and it itself."""
        if not self._is_within:
            return []
        stepped = self._of(self._play)
        return [stepped.moment(index) for index in stepped.chain(self._index)]

    def names(self) -> dict[str, str]:
        """The names of the actions, phases and events around the current step with their values."""
        labels = self.game.ruleset.labels
        return {
            name: labels.format_value(code, type_) for name, (type_, code) in self._names().items()
        }

    def value(self, expression: str, *, before: bool = False) -> str:
        """The value of an expression after the current step, or before it; it may use `names`.

        Raises:
            RulesetError: the text is no expression.
            EngineError: it has no value here.
            LimitExceeded: it takes too long.
        """
        names = self._names()
        node = self._parser.parse(expression, {name: type_ for name, (type_, _) in names.items()})
        local = {name: code for name, (_, code) in names.items()}
        code = self._evaluated(node, local, self._slots(before=before))
        return self.game.ruleset.labels.format_value(code, node.type)

    def position(self) -> str:
        """The state after the current step as a position."""
        return position_text(State(tuple(self._slots()), self.game.state.schema))

    # -------------------------------------------------------------- breakpoints
    def add_break(self, text: str) -> Breakpoint:
        """A new breakpoint: the name of a rule, an action, a phase, an event or a variable; `§4.3`; `if CONDITION`.

        Raises:
            ArgumentError: nothing has that name.
            RulesetError: the condition cannot be read.
        """
        added = self._breakpoint(" ".join(text.split()))
        self.breakpoints[max(self.breakpoints, default=0) + 1] = added
        return added

    def _breakpoint(self, text: str) -> Breakpoint:
        if match := _CONDITION.fullmatch(text):
            return Breakpoint(text, condition=self._parsed_condition(match[1]))
        if text.startswith("§"):
            return Breakpoint(text, section=self._section(text.removeprefix("§").strip()))
        names = sorted(set(self._known_names()))
        meant = names_alike(text.replace(" ", "_"), names) or names_alike(text, names)
        if not meant:
            raise UnknownName("place to stop", text, names)
        return Breakpoint(text, name=meant[0])

    def _section(self, number: str) -> str:
        """A section that some rule cites, or that contains a cited one."""
        origins = self.game.machine.facts.origins
        cited = sorted({section for origin in origins for section in origin.sections})
        if not any(is_within(section, number) for section in cited):
            raise UnknownName("section", number, cited)
        return number

    def _parsed_condition(self, text: str) -> Expr:
        node = self._parser.parse(text)
        if node.type != types.BOOL:
            needed = f"a condition; `{text[:60]}` is {types.describe(node.type)}"
            raise BadArgument("if", text[:60], needed)
        return node

    def _known_names(self) -> Iterator[str]:
        facts = self.game.machine.facts
        yield from (origin.rule for origin in facts.origins if origin.rule)
        yield from (action.name for action in facts.actions)
        yield from (*facts.events, *facts.phases, *self.game.state.schema.variables)

    def _breaks(self) -> list[Breakpoint]:
        return [self.breakpoints[number] for number in sorted(self.breakpoints)]

    def _conditions_held(self, budget: Budget) -> frozenset[int]:
        conditions = {
            number: point.condition
            for number, point in self.breakpoints.items()
            if point.condition is not None
        }
        if not conditions:
            return frozenset()
        slots = self._slots()
        return frozenset(
            number
            for number, node in conditions.items()
            if self._evaluated(node, {}, slots, budget)
        )

    # -------------------------------------------------------------- states
    @property
    def _parser(self) -> ExpressionParser:
        return self.game.ruleset.compiled.expressions

    def _names(self) -> dict[str, tuple[types.Type, int]]:
        return self._of(self._play).names(self._index) if self._is_within else {}

    def _evaluated(
        self, node: Expr, local: dict[str, int], slots: list[int], budget: Budget | None = None
    ) -> int:
        schema = self.game.state.schema
        evaluator = self.game.evaluator(schema.reader(slots), budget, schema.keys_reader(slots))
        try:
            return evaluator.value(node, local)
        except (LookupError, ArithmeticError):
            raise EngineError("it has no value here") from None

    def _slots(self, *, before: bool = False) -> list[int]:
        if not self._is_within:
            return list(self._packed_before(min(self._play, self.plays + 1) or 1))
        return self._of(self._play).slots_after(self._index - before)

    def _of(self, play: int) -> SteppedPlay:
        """The steps of a play; those of the last ones are kept."""
        if play not in self._stepped:
            if len(self._stepped) > 1:
                self._stepped.clear()
            self._stepped[play] = SteppedPlay(self.game, play, self._packed_before(play))
        return self._stepped[play]

    def _packed_before(self, play: int) -> tuple[int, ...]:
        """The packed state before a play, played from the last one that is kept."""
        game, machine = self.game, self.game.machine
        self._kept = self._kept or [tuple(game.initial_slots())]
        done = play - 1
        slots = list(self._kept[min(done // KEPT_EACH, len(self._kept) - 1)])
        for number in range(min(done // KEPT_EACH, len(self._kept) - 1) * KEPT_EACH, done):
            machine.move(slots, game.moves[number], game.chance_seed)
            if number + 1 == len(self._kept) * KEPT_EACH:
                self._kept.append(tuple(slots))
        return tuple(slots)
