"""The distribution of outcomes of a position, with its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from math import sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from attrs import field, frozen

from hots_rules.analysis.policies.policy import StateExpression, Value, parse_state_expression
from hots_rules.compile.codes import OUTCOME, REASON, winners_text
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import BadArgument, UnknownName, check_kind
from hots_rules.draw.picture.charts import MAX_NOTE_LENGTH, bars
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure

K = TypeVar("K", int, str)
UNFINISHED = "unfinished"
_CHARTS = 12  # that a notebook shows
_MAX_FRACTION_LENGTH = 7  # letters that a chart shows after a percentage
NORMAL_QUANTILE = 1.959963984540054  # of a 95 % confidence interval


@frozen(slots=False)
class Odds:
    """The possible states at the end of a computation, each with its probability: see `Game.odds`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.odds(game.actions[0]).of("year")
    {1297: Fraction(1, 1)}

    Attributes:
        game: the game at the beginning.
        until: where the computation stopped.
        exact: whether all outcomes of chance were enumerated; if not, they were sampled, and each
            probability is an estimate with an `interval`.
        states: the number of different states explored; of samples, the number of different end states.
        samples: the number of samples; 0 if exact.
        end_states: the packed end states with their weights.
        total: the sum of the weights.
    """

    game: BaseGame = field(repr=False)
    until: str
    exact: bool
    states: int
    samples: int
    end_states: tuple[tuple[tuple[int, ...], int], ...] = field(repr=False)
    total: int = field(repr=False)

    def _repr_html_(self) -> str:
        """Bar charts of the outcomes and of the entries that may change, for notebooks."""
        charts = {self.until: self.outcomes, **self.changes()}
        kept = [(name, shares) for name, shares in charts.items() if set(shares) != {UNFINISHED}]
        return "".join(f"<div>{self.chart(name, shares)}</div>" for name, shares in kept[:_CHARTS])

    def chart(self, title: str, shares: Mapping[str, Fraction]) -> str:
        """A bar chart of probabilities as SVG; long exact fractions are only in the tooltips."""
        percentages = {name: float(share) for name, share in shares.items()}
        longest = _MAX_FRACTION_LENGTH if self.exact else MAX_NOTE_LENGTH
        return bars(title, percentages, self.notes(shares), longest)

    def notes(self, shares: Mapping[str, Fraction]) -> dict[str, str]:
        """What a chart says beside each percentage: the exact fractions, or the bounds of estimates."""
        if self.exact:
            return {name: str(share) for name, share in shares.items()}
        bounds = {name: self.interval(share) for name, share in shares.items()}
        return {
            name: f"({100 * low:.1f}–{100 * high:.1f} %)" for name, (low, high) in bounds.items()
        }

    # -------------------------------------------------------------- questions
    def of(self, question: str) -> dict[Value, Fraction]:
        """The distribution of the values of a question, which is an expression over the state.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            EngineError: the expression has no value in one of the end states.
        """
        return self._distribution(self._parse(question))

    def _parse(self, question: str) -> StateExpression:
        return parse_state_expression(self.game.ruleset, dict(self.game.settings), question)

    def _distribution(self, expression: StateExpression) -> dict[Value, Fraction]:
        weights = self._weights(expression)
        return {
            expression.to_python(code): Fraction(weights[code], self.total)
            for code in sorted(weights)
        }

    def _weights(self, expression: StateExpression) -> Counter[int]:
        """The weight of each value of an expression; end states that it cannot tell apart are evaluated once."""
        variables, cells = expression.variables, self.game.ruleset.schema.cells()
        read = [slot for variable, _, slot in cells if variable.name in variables]
        seen = itemgetter(*read, read[0]) if read else lambda _: ()
        alike: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {}
        for slots, weight in self.end_states:
            key = seen(slots)
            first_slots, sum_ = alike.get(key, (slots, 0))
            alike[key] = first_slots, sum_ + weight
        weights = Counter[int]()
        for slots, weight in alike.values():
            weights[expression.code(slots)] += weight
        return weights

    def _shares(self, key: Callable[[tuple[int, ...]], K]) -> dict[K, Fraction]:
        """The probability of each value of a function of the end states, sorted by value."""
        weights = Counter[K]()
        for slots, weight in self.end_states:
            weights[key(slots)] += weight
        return {value: Fraction(weights[value], self.total) for value in sorted(weights)}

    def chance(self, question: str) -> Fraction:
        """The probability that a condition holds in the end.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            BadArgument: the expression is no condition.
        """
        condition = self._parse(question)
        if not isinstance(condition.type, types.BoolType):
            raise BadArgument("question", question[:80], "a condition, such as `x = y`")
        return self._distribution(condition).get(True, Fraction())

    def expected(self, question: str) -> Fraction:
        """The expected value of a number; true counts as 1.

        Raises:
            RulesetError: the text is no expression of the ruleset's language.
            BadArgument: the expression is no number.
        """
        number = self._parse(question)
        if not number.is_number:
            raise BadArgument("question", question[:80], "a number or a condition")
        weighted = (code * weight for code, weight in self._weights(number).items())
        return Fraction(sum(weighted), self.total)

    def interval(self, probability: Fraction) -> tuple[float, float]:
        """The bounds of a probability: itself twice if exact, else its 95 % Wilson interval."""
        if self.exact:
            return float(probability), float(probability)
        return wilson_interval(float(probability), self.samples)

    def as_json(self, *questions: str) -> dict[str, object]:
        """The answers to questions as plain data, for `json`; without any, the entries that may change.

        Raises:
            RulesetError: a text is no expression of the ruleset's language.
        """
        name = "questions" if questions else "changes"
        distributions = {question: self.of(question) for question in questions} or self.changes()
        return {
            "ruleset": self.game.ruleset.name,
            "until": self.until,
            "exact": self.exact,
            "states": self.states,
            "samples": self.samples,
            "outcomes": self._plain(self.outcomes),
            name: {entry: self._plain(shares) for entry, shares in distributions.items()},
        }

    def _plain(
        self, distribution: Mapping[str, Fraction] | Mapping[Value, Fraction]
    ) -> list[dict[str, object]]:
        return [
            {
                "answer": value,
                "share": float(probability),
                "fraction": str(probability),
                "between": list(self.interval(probability)),
            }
            for value, probability in distribution.items()
        ]

    # -------------------------------------------------------------- without a question
    @cached_property
    def outcomes(self) -> dict[str, Fraction]:
        """The winners with the rules by which they win; `unfinished` if the game does not end.

        Who win together are one outcome: `North and South: tricks`.
        """
        return self._shares(self._outcome)

    def _outcome(self, slots: tuple[int, ...]) -> str:
        code = slots[OUTCOME]
        if not code:
            return UNFINISHED
        facts = self.game.machine.facts
        return f"{winners_text(facts.winners(code))}: {facts.origins[slots[REASON]].rule}"

    def changes(self, *variables: str) -> dict[str, dict[str, Fraction]]:
        """For each entry of the state that may change, the distribution of its values as text.

        Args:
            variables: only entries of these variables; of all if there are none. An entry is named as in
                the ruleset's language: `strength[Fox]`.

        Raises:
            UnknownName: no such variable.
        """
        labels, start = self.game.ruleset.labels, self.game.state.slots
        schema = labels.schema
        for name in variables:
            if name not in schema.variables:
                raise UnknownName("variable", name, schema.variables)
        changes: dict[str, dict[str, Fraction]] = {}
        for variable, keys, slot in schema.cells():
            if variables and variable.name not in variables:
                continue
            shares = self._shares(itemgetter(slot))
            if shares.keys() != {start[slot]}:
                changes[entry_text(labels, variable, keys)] = {
                    labels.format_value(code, variable.type): share
                    for code, share in shares.items()
                }
        return changes


def wilson_interval(
    share: float, number: float, quantile: float = NORMAL_QUANTILE
) -> tuple[float, float]:
    """The bounds of a share that was found in a number of samples (Wilson 1927), of 95 % with the usual quantile.

    >>> from hots_rules.analysis.chances.odds import wilson_interval
    >>> [round(bound, 3) for bound in wilson_interval(0.5, 100)]
    [0.404, 0.596]
    """
    square = quantile * quantile
    center = (share + square / (2 * number)) / (1 + square / number)
    radius = sqrt(share * (1 - share) / number + square / (4 * number * number))
    radius *= quantile / (1 + square / number)
    return max(0.0, center - radius), min(1.0, center + radius)


def entry_text(labels: Labels, variable: Variable, keys: tuple[int, ...]) -> str:
    """The name of an entry of the state as in the ruleset's language: `strength[Fox]`."""
    key_texts = ", ".join(
        labels.format_value(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)
    )
    return f"{variable.name}[{key_texts}]" if key_texts else variable.name


def chart(odds: Mapping[str, Odds], question: str) -> Figure:
    """A bar chart of the distributions of a question, with one colour for each of the odds.

    Sampled odds have error bars of their 95 % intervals. The figure belongs to no window; `savefig`
    writes it to a file.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> odds = game.odds(game.actions[0])
    >>> hr.analysis.chart({"after": odds}, "year").axes[0].get_title()
    'year'

    Args:
        odds: the odds by the names of their bars.
        question: an expression over the state.

    Raises:
        ImportError: matplotlib is not installed.
        RulesetError: the question is no expression of the ruleset's language.
    """
    check_kind("odds", odds, Mapping, "odds by the names of their bars")
    for computed in odds.values():
        check_kind("odds", computed, Odds, "odds by the names of their bars")
    from matplotlib.figure import Figure

    distributions = {name: computed.of(question) for name, computed in odds.items()}
    values = list(dict.fromkeys(value for column in distributions.values() for value in column))
    values.sort(key=lambda value: (isinstance(value, str), value if value is not None else ""))
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / max(len(odds), 1)
    for number, (name, computed) in enumerate(odds.items()):
        probabilities = [distributions[name].get(value, Fraction()) for value in values]
        heights = [100 * float(probability) for probability in probabilities]
        bounds = [computed.interval(probability) for probability in probabilities]
        below = [height - 100 * low for height, (low, _) in zip(heights, bounds, strict=True)]
        above = [100 * high - height for height, (_, high) in zip(heights, bounds, strict=True)]
        errors = None if computed.exact else [below, above]
        offset = (number - (len(odds) - 1) / 2) * width
        positions = [position + offset for position in range(len(values))]
        label = name if computed.exact else f"{name}, sampled"
        axes.bar(positions, heights, width, yerr=errors, label=label)
    axes.set_xticks(range(len(values)), [str(value) for value in values])
    axes.set_ylabel("%")
    axes.set_title(question)
    axes.legend()
    return figure
