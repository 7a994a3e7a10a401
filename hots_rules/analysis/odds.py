"""What a position may come to, and how likely each of it is: exact, by going through all that can fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from random import Random
from time import monotonic
from typing import Any

from attrs import field, frozen

from hots_rules.analysis.expression import Question, question
from hots_rules.analysis.outcome_tree import OutcomeTree, TooManyStates
from hots_rules.analysis.policy import Chooser, Policy
from hots_rules.compile.codes import HALT
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import DecisionPoint, Slots
from hots_rules.diagnostics import UnknownOption
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import parse_action
from hots_rules.rules.typed import value_types as types

MAX_DECISIONS = 100_000  # and throws, of one sample
DECISION, GAME = "decision", "game"
_Z = 1.959963984540054  # of 95 %

Watch = Callable[[int], None]


@frozen(slots=False)
class Odds:
    """The states that a position may come to, each with its probability.

    `exact` says that every way was gone through; if not, `samples` ways were drawn at random, and
    each figure is only as good as its `interval`. `states` is how many different states were met.
    """

    game: BaseGame = field(repr=False)
    until: str
    exact: bool
    states: int
    samples: int
    ends: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int = field(repr=False)

    # -------------------------------------------------------------- questions
    def of(self, text: str) -> dict[Any, Fraction]:
        """The distribution of the answers to a question, an expression over the state.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            EngineError: the question has no answer in one of the end states.
        """
        return self._shares(self._question(text))

    def _question(self, text: str) -> Question:
        return question(self.game.ruleset, dict(self.game.settings), text)

    def _shares(self, asked: Question) -> dict[Any, Fraction]:
        weights: dict[int, int] = {}
        for slots, weight in self.ends:
            code = asked.code(slots)
            weights[code] = weights.get(code, 0) + weight
        return {
            asked.answer(code): Fraction(weight, self.total)
            for code, weight in sorted(weights.items())
        }

    def chance(self, text: str) -> Fraction:
        """The probability that something holds in the end.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            UnknownOption: it is none that holds or does not.
        """
        asked = self._question(text)
        if not isinstance(asked.type, types.BoolType):
            raise UnknownOption("question", ("a truth, such as `x = y`",), str(asked.type))
        return self._shares(asked).get(True, Fraction())

    def expected(self, text: str) -> Fraction:
        """The mean of a number; a truth counts 1.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            UnknownOption: it is no number.
        """
        asked = self._question(text)
        if not asked.is_number:
            raise UnknownOption("question", ("a number", "a truth"), str(asked.type))
        return sum((code * share for code, share in self._shares(asked).items()), Fraction())

    def interval(self, share: Fraction) -> tuple[float, float]:
        """Between which bounds a probability lies: itself if exact, else with 95 % confidence (Wilson)."""
        if self.exact:
            return float(share), float(share)
        n, p = self.samples, float(share)
        middle = (p + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        reach = _Z / (1 + _Z * _Z / n) * sqrt(p * (1 - p) / n + _Z * _Z / (4 * n * n))
        return max(0.0, middle - reach), min(1.0, middle + reach)

    def as_json(self, *questions: str) -> dict[str, Any]:
        """The answers to questions as plain data, each share also as a fraction; without any, what may change.

        Raises:
            RulesetError: a text is no expression of the ruleset's language.
        """
        asked = {text: self.of(text) for text in questions}
        found: dict[str, dict[Any, Fraction]] = asked or dict(self.changes())
        return {
            "ruleset": self.game.ruleset.name,
            "until": self.until,
            "exact": self.exact,
            "states": self.states,
            "samples": self.samples,
            "outcomes": self._plain(self.outcomes),
            "questions" if asked else "changes": {
                name: self._plain(shares) for name, shares in found.items()
            },
        }

    def _plain(self, shares: Mapping[Any, Fraction]) -> list[dict[str, Any]]:
        return [
            {
                "answer": answer,
                "share": float(share),
                "fraction": str(share),
                "between": list(self.interval(share)),
            }
            for answer, share in shares.items()
        ]

    # -------------------------------------------------------------- without a question
    @cached_property
    def outcomes(self) -> dict[str, Fraction]:
        """Who wins the game and by which rule, as far as it ends on the way; `goes on` for the rest."""
        origins = self.game.machine.facts.origins
        found: dict[str, int] = {}
        for slots, weight in self.ends:
            name = "goes on"
            if slots[1]:
                who = self.game.ruleset.players[slots[1] - 2] if slots[1] > 1 else "nobody"
                name = f"{who}: {origins[slots[2]].rule}"
            found[name] = found.get(name, 0) + weight
        return {name: Fraction(weight, self.total) for name, weight in sorted(found.items())}

    def changes(self, *variables: str) -> dict[str, dict[str, Fraction]]:
        """For each entry of the state that may change, its values in words with their probabilities.

        `variables` limit it to some; an entry is named as the language writes it: `strength[Fox]`.

        Raises:
            UnknownOption: no such variable.
        """
        labels, first = self.game.ruleset.labels, self.game.state.slots
        schema = labels.schema
        for name in variables:
            if name not in schema.variables:
                raise UnknownOption("variable", tuple(schema.variables), name)
        found: dict[str, dict[str, Fraction]] = {}
        for variable, keys, slot in schema.cells():
            if variables and variable.name not in variables:
                continue
            weights: dict[int, int] = {}
            for slots, weight in self.ends:
                weights[slots[slot]] = weights.get(slots[slot], 0) + weight
            if weights.keys() != {first[slot]}:
                said = ", ".join(
                    labels.format_value(key, type_)
                    for key, type_ in zip(keys, variable.keys, strict=True)
                )
                found[f"{variable.name}[{said}]" if said else variable.name] = {
                    labels.format_value(code, variable.type): Fraction(weight, self.total)
                    for code, weight in sorted(weights.items())
                }
        return found


def odds(
    game: BaseGame,
    action: Action | str | None,
    *,
    until: str,
    policy: Policy | Mapping[str, Policy] | None,
    states: int,
    seconds: float | None,
    samples: int,
    seed: int | str,
    on_progress: Watch | None,
) -> Odds:
    """See `Game.odds`."""
    machine, slots = game.machine, list(game.state.slots)
    if action is not None:
        _begin(game, action, slots)
    chooser = Chooser(game, policy if policy is not None else {})
    stops = _Stop.of(game, until)
    stops.arm(slots)
    clock = _Watch(on_progress, seconds)
    futures = OutcomeTree(machine, chooser, stops, _positive("states", states), clock)
    try:
        asked = chooser.questions
        ends = futures.ends(slots, lambda end, number: Fraction(asked[number].code(end)))
    except TooManyStates:
        if not samples or chooser.questions:
            raise
        return _sampled(game, slots, until, stops, chooser, _positive("samples", samples), seed)
    found = _merged(((end, weight) for end, weight in ends.states))
    return Odds(game, until, True, ends.explored, 0, found, ends.total)


def _begin(game: BaseGame, action: Action | str, slots: Slots) -> None:
    """Plays the action in place, and leaves what falls then to be gone through."""
    code = parse_action(game, action)
    if code < 0:
        game.machine.resume(slots, -1 - code, None)
    else:
        game.machine.play(slots, code, None)


def _positive(name: str, number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise UnknownOption(name, ("a whole number above 0",), str(number)[:80])
    return number


def _merged(ends: Iterator[tuple[Slots, int]]) -> tuple[tuple[tuple[int, ...], int], ...]:
    weights: dict[tuple[int, ...], int] = {}
    for slots, weight in ends:
        key = tuple(slots)
        weights[key] = weights.get(key, 0) + weight
    return tuple(weights.items())


@frozen
class _Watch:
    """Tells how far the work is, and ends it in time."""

    tell: Watch | None
    seconds: float | None
    began: float = field(factory=monotonic)

    def __call__(self, states: int) -> None:
        if self.tell is not None:
            self.tell(states)
        if self.seconds is not None and monotonic() - self.began > self.seconds:
            raise TooManyStates(f"expected an end within {self.seconds:g} s, got none")


@frozen
class _Stop:
    """Where the ways end: with the game, at a decision, or when something under way is over.

    What is under way has a slot for where it goes back to. With nothing to go back to there, play
    halts where it would go on.
    """

    machine: Machine
    actions: frozenset[str] | None = None
    backs: tuple[int, ...] = ()

    @classmethod
    def of(cls, game: BaseGame, until: str) -> _Stop:
        """What `until` means in a game.

        Raises:
            UnknownOption: it is no phase, stage, event or action in which somebody is asked.
        """
        machine = game.machine
        actions = {action.name for action in machine.facts.actions}
        if until == DECISION:
            return cls(machine, frozenset(actions))
        if until == GAME:
            return cls(machine)
        said = str(until)
        if said.startswith("choose ") and said.removeprefix("choose ") in actions:
            return cls(machine, frozenset({said.removeprefix("choose ")}))
        backs = {
            key.partition(" ")[2]: slot
            for key, slot in machine.facts.return_slots.items()
            if not key.startswith("scenario ")
        }
        if said not in backs:
            raise UnknownOption("until", (DECISION, GAME, *sorted(backs)), said[:80])
        return cls(machine, None, (backs[said],))

    def __call__(self, slots: Slots) -> bool:
        if slots[0] == 0:
            return True
        self.arm(slots)
        if self.actions is None:
            return False
        return not self.actions.isdisjoint(self.machine.facts.points[-1 - slots[0]].actions)

    def arm(self, slots: Slots) -> None:
        """What is under way has nothing to go back to."""
        for back in self.backs:
            if slots[back]:
                slots[back] = HALT


def _sampled(
    game: BaseGame,
    first: Slots,
    until: str,
    stops: _Stop,
    chooser: Chooser,
    samples: int,
    seed: int | str,
) -> Odds:
    """Some ways by chance, each with a seed of its own."""
    machine = game.machine
    seen: set[tuple[int, ...]] = set()
    ends = []
    for number in range(samples):
        own = f"{seed}/{number}"
        slots, pick = first.copy(), Random(own)
        for _ in range(MAX_DECISIONS):
            if stops(slots):
                break
            _step(machine, slots, chooser, own, pick)
        seen.add(tuple(slots))
        ends.append((slots, 1))
    return Odds(game, until, False, len(seen), samples, _merged(iter(ends)), samples)


def _step(machine: Machine, slots: Slots, chooser: Chooser, seed: str, pick: Random) -> None:
    point = machine.point(slots)
    assert point is not None
    if not isinstance(point, DecisionPoint):
        machine.resume(slots, machine.sample(slots, point, seed), None)
        return
    chosen: Any = chooser(slots, machine.legal(slots))
    codes: Sequence[int] = [code for code, _ in chosen]
    machine.play(slots, codes[int(pick.random() * len(codes))], None)
