"""What a report of a study says: its sentences, and the heads and rows of its tables, in a language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isfinite

from attrs import frozen

from hots_rules._translate import Translator
from hots_rules.report.blocks import Table
from hots_rules.study.estimates import Divergences, Effect, PolicyResult, SideFacts
from hots_rules.study.figure_words import LEVEL_TEXT, NONE, StudyWords
from hots_rules.study.plan import StudyPlan

MAX_PLACES = 12
MAX_RULES = 15
_FIRST = "first divergence: "


@frozen(slots=False)
class StudyTexts:
    """The texts of the report of a study in one language; `report.py` puts them in order.

    Attributes:
        plan: what was asked for.
        sides: what was played.
        results: what was found with each policy.
        words: the words of the language.
    """

    plan: StudyPlan
    sides: tuple[SideFacts, ...]
    results: tuple[PolicyResult, ...]
    words: StudyWords

    @property
    def say(self) -> Translator:
        """The sentences of the language."""
        return self.words.say

    # -------------------------------------------------------------- the whole
    @property
    def title(self) -> str:
        """The title of the report."""
        gettext = self.say.gettext
        sides, *others = (side.name for side in self.sides)
        for name in others:
            sides = gettext("{one} against {other}", one=sides, other=name)
        return f"{sides}: {self.plan.scenario}"

    def played(self, backend: str, seconds: float, version: str) -> str:
        """How much was played, in a sentence or two."""
        gettext = self.say.gettext
        sentence = gettext(
            "{games} of each side, seed {seed}, {seconds} seconds by {backend}, hots_rules {version}.",
            games=self.words.games(sum(result.games for result in self.results)),
            seed=self.plan.seed,
            seconds=f"{seconds:,.0f}",
            backend=backend,
            version=version,
        )
        if any(result.games < self.plan.games for result in self.results):
            games = f"{self.plan.games:,}"
            sentence += " " + gettext(
                "It ended before the {games} games that were planned.", games=games
            )
        return sentence

    @property
    def played_sides(self) -> Table:
        """A row for each side."""
        gettext = self.say.gettext
        default = gettext("default")
        rows = [
            (
                side.name,
                side.ruleset,
                ", ".join(f"{name} = {value}" for name, value in side.settings.items()) or default,
                side.digest[:16],
            )
            for side in self.sides
        ]
        head = gettext("side"), gettext("ruleset"), gettext("options and readings")
        return Table.of((*head, gettext("digest")), rows)

    @property
    def methods(self) -> str:
        """How the intervals and p-values were made."""
        gettext = self.say.gettext
        effects = sum(len(result.effects) + len(result.rules.effects) for result in self.results)
        return " ".join(
            (
                gettext(
                    "An interval holds its mean with a probability of {level} at all numbers of games at once, so it "
                    "may be watched (Waudby-Smith and Ramdas 2024 for shares; Waudby-Smith and others 2024 for other "
                    "means).",
                    level=LEVEL_TEXT,
                ),
                gettext(
                    "p is corrected for all {effects} effects of the study by Holm's procedure.",
                    effects=effects,
                ),
                gettext(
                    "Pairing tells how many times as many games without pairs would be needed for the same standard "
                    "error."
                ),
            )
        )

    @property
    def file(self) -> str:
        """What stands before the study file."""
        digest = self.plan.digest
        return self.say.gettext("The study file, with the digest {digest}:", digest=digest)

    # -------------------------------------------------------------- a policy
    def policy(self, result: PolicyResult) -> str:
        """The heading of a policy."""
        return self.say.gettext("Policy {policy}", policy=result.policy)

    def difference(self, first: str, second: str) -> str:
        """The heading of the differences of two sides."""
        return self.say.gettext("{other} minus {one}", other=second, one=first)

    def of_each_side(self, games: int) -> str:
        """How many games a table is about."""
        return self.say.gettext("{games} of each side", games=self.words.games(games))

    def estimates(self, result: PolicyResult) -> Table:
        """The estimates of all sides, a row for each figure."""
        sides = [side.name for side in self.sides]
        figures = [estimate.figure for estimate in result.estimates[sides[0]]]
        rows = [
            (
                self.words.figure(figure),
                *(self.words.estimate(result.estimate(side, figure)) for side in sides),
            )
            for figure in figures
        ]
        return Table.of((self.of_each_side(result.games), *sides), rows)

    def values(self, result: PolicyResult, measure: str) -> Table | None:
        """For each value of a measure at the end, the share of games on each side, and who won them."""
        sides = [by_measure[measure] for by_measure in result.by_value.values()]
        if not all(sides):
            return None
        values = sorted({value for side in sides for value in side})
        rows = [
            (f"{value}", *(_wins_cell(side.get(value, {}), result.games) for side in sides))
            for value in values
        ]
        return Table.of((measure, *result.by_value), rows)

    def sample_games(self, result: PolicyResult) -> Table:
        """The sample games; `hots study --records DIR` writes their records."""
        gettext = self.say.gettext
        rows = [
            (self._kind(sample.kind), sample.side, f"{sample.number}")
            for sample in result.sample_games
        ]
        return Table.of((gettext("sample game"), gettext("side"), gettext("number")), rows)

    def _kind(self, kind: str) -> str:
        gettext = self.say.gettext
        if kind.startswith(_FIRST):
            return gettext("first divergence: {sides}", sides=kind.removeprefix(_FIRST))
        names = {
            "shortest": gettext("shortest"),
            "longest": gettext("longest"),
            "typical": gettext("typical"),
        }
        return names.get(kind, kind)

    def divergences(self, divergences: Divergences) -> str:
        """How many pairs of games diverge, and after how many decisions if that mean has an interval."""
        gettext, estimate = self.say.gettext, self.words.estimate
        sentence = gettext(
            "Pairs of {one} and {other} that diverge: {share}.",
            one=divergences.one,
            other=divergences.other,
            share=estimate(divergences.share),
        )
        if divergences.places and isfinite(divergences.decision.width):
            sentence += " " + gettext(
                "Decisions before: {decision}.", decision=estimate(divergences.decision)
            )
        return sentence

    def places(self, divergences: Divergences) -> Table:
        """In which phases games diverge, those of most games first."""
        gettext, total = self.say.gettext, sum(divergences.places.values())
        rows = [
            (
                gettext("the end") if place == "the end" else place,
                f"{count:,}",
                f"{100 * count / total:.1f} %",
            )
            for place, count in list(divergences.places.items())[:MAX_PLACES]
        ]
        head = gettext("first decision that differs"), gettext("pairs"), gettext("share")
        return Table.of(head, rows)

    # -------------------------------------------------------------- effects
    @cached_property
    def effect_head(self) -> tuple[str, ...]:
        """The head of a table of effects."""
        gettext = self.say.gettext
        return gettext("figure"), gettext("difference"), gettext("p"), gettext("pairing")

    def rules(self, result: PolicyResult) -> str:
        """What the table of rules is about."""
        games = self.of_each_side(result.rules.games)
        return self.say.gettext("In {games}, these come up in more or in fewer:", games=games)

    def times(
        self, result: PolicyResult, effects: Sequence[Effect]
    ) -> tuple[list[str], list[tuple[str, ...]]]:
        """How often rules come up in a game on average, on both sides of effects: two heads, and two cells for each."""
        sides = effects[0].one, effects[0].other
        heads = [self.say.gettext("times in a game, {side}", side=side) for side in sides]
        cells = [
            tuple(f"{result.rules.mean_times(side, effect.figure):.2f}" for side in sides)
            for effect in effects
        ]
        return heads, cells

    @property
    def side_by_side(self) -> Table:
        """A row for each effect: its size with each policy, and whether it holds for all policies."""
        gettext = self.say.gettext
        policies = [result.policy for result in self.results]
        keys = dict.fromkeys(
            (effect.figure, effect.one, effect.other)
            for result in self.results
            for effect in result.effects
        )
        rows = [
            (
                f"{self.words.figure(figure)}: {self.difference(first, second)}",
                *self._effect_cells(figure, first, second),
                self._verdict(figure, first, second),
            )
            for figure, first, second in keys
        ]
        return Table.of((gettext("effect"), *policies, gettext("holds for all")), rows)

    def _effects_by_policy(self, figure: str, first: str, second: str) -> list[Effect | None]:
        """The effect on a figure with each policy; None where a policy has no such figure."""
        by_policy = [
            {(effect.figure, effect.one, effect.other): effect for effect in result.effects}
            for result in self.results
        ]
        return [effects.get((figure, first, second)) for effects in by_policy]

    def _effect_cells(self, figure: str, first: str, second: str) -> Iterator[str]:
        for effect in self._effects_by_policy(figure, first, second):
            yield NONE if effect is None else self.words.effect(effect)

    def _verdict(self, figure: str, first: str, second: str) -> str:
        """Whether an effect holds for all policies, in words."""
        gettext = self.say.gettext
        effects = [
            effect
            for effect in self._effects_by_policy(figure, first, second)
            if effect is not None
        ]
        significant = [effect for effect in effects if effect.is_significant]
        if not significant:
            return gettext("no effect found")
        if len({effect.difference > 0 for effect in significant}) > 1:
            return gettext("no: other directions")
        if len(significant) == len(self.results):
            return gettext("yes")
        return gettext("found with {some} of {all}", some=len(significant), all=len(self.results))


def pairs_of(result: PolicyResult) -> list[tuple[str, str]]:
    """The pairs of sides that are compared."""
    return [(divergences.one, divergences.other) for divergences in result.divergences]


def effects_of(result: PolicyResult, first: str, second: str) -> list[Effect]:
    """The effects between two sides."""
    return [effect for effect in result.effects if (effect.one, effect.other) == (first, second)]


def rule_effects(result: PolicyResult, first: str, second: str) -> list[Effect]:
    """The largest differences in how often rules come up; those without any are left out."""
    effects = (
        effect for effect in result.rules.effects if (effect.one, effect.other) == (first, second)
    )
    kept = sorted(
        (effect for effect in effects if effect.difference),
        key=lambda effect: -abs(effect.difference),
    )
    return kept[:MAX_RULES]


def _wins_cell(outcomes: dict[str, int], games: int) -> str:
    """The share of all games that end so, and the part of each outcome in it."""
    if not outcomes:
        return NONE
    parts = (f"{name} {100 * count / games:.1f}" for name, count in sorted(outcomes.items()))
    return f"{100 * sum(outcomes.values()) / games:.1f} % ({', '.join(parts)})"
