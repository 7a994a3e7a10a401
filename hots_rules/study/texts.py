"""What a report of a study says: its sentences, and the heads and rows of its tables, in a language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._translate import Translator
from hots_rules.study.figure_words import LEVEL_TEXT, NONE, StudyWords

if TYPE_CHECKING:
    from hots_rules.study.result import Effect, Partings, PolicyResult, Study

MAX_PLACES = 12
MAX_RULES = 15
_FIRST = "first that parts: "

Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""The head of a table, and its rows."""


@frozen(slots=False)
class StudyTexts:
    """The texts of the report of a study.

    Attributes:
        study: the study.
        words: the words of the language.
    """

    study: Study
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
        first, *others = (side.name for side in self.study.sides)
        for other in others:
            first = gettext("{one} against {other}", one=first, other=other)
        return f"{first}: {self.study.plan.scenario}"

    @property
    def played(self) -> str:
        """How much was played, in a sentence or two."""
        study, gettext = self.study, self.say.gettext
        told = gettext(
            "{games} of each side, seed {seed}, {seconds} seconds by {backend}, hots_rules {version}.",
            games=self.words.games(study.games),
            seed=study.plan.seed,
            seconds=f"{study.seconds:,.0f}",
            backend=study.backend,
            version=study.version,
        )
        if any(result.games < study.plan.games for result in study.results):
            games = f"{study.plan.games:,}"
            told += " " + gettext(
                "It ended before the {games} games that were planned.", games=games
            )
        return told

    @property
    def sides(self) -> Table:
        """A row for each side."""
        gettext = self.say.gettext
        usual = gettext("as usual")
        rows = [
            (
                side.name,
                side.ruleset,
                ", ".join(f"{name} = {value}" for name, value in side.settings.items()) or usual,
                side.digest[:16],
            )
            for side in self.study.sides
        ]
        return (
            gettext("side"),
            gettext("ruleset"),
            gettext("options and readings"),
            gettext("digest"),
        ), rows

    @property
    def methods(self) -> str:
        """How the intervals and p-values were made."""
        results, gettext = self.study.results, self.say.gettext
        effects = sum(len(result.effects) + len(result.rules.effects) for result in results)
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
        digest = self.study.plan.digest
        return self.say.gettext("The study file, with the digest {digest}:", digest=digest)

    # -------------------------------------------------------------- a policy
    def policy(self, result: PolicyResult) -> str:
        """The heading of a policy."""
        return self.say.gettext("Policy {policy}", policy=result.policy)

    def less(self, one: str, other: str) -> str:
        """The heading of the differences of two sides."""
        return self.say.gettext("{other} less {one}", other=other, one=one)

    def of_each_side(self, games: int) -> str:
        """How many games a table is about."""
        return self.say.gettext("{games} of each side", games=self.words.games(games))

    def estimates(self, result: PolicyResult) -> Table:
        """The estimates of all sides, a row for each figure."""
        sides = [side.name for side in self.study.sides]
        figures = [estimate.figure for estimate in result.estimates[sides[0]]]
        rows = [
            (
                self.words.figure(figure),
                *(self.words.estimate(result.estimate(side, figure)) for side in sides),
            )
            for figure in figures
        ]
        return (self.of_each_side(result.games), *sides), rows

    def values(self, result: PolicyResult, measure: str) -> Table | None:
        """For each value of a measure at the end, the share of games on each side, and who won them."""
        sides = [found[measure] for found in result.by_value.values()]
        if not all(sides):
            return None
        values = sorted({value for side in sides for value in side})
        rows = [
            (f"{value}", *(_wins_cell(side.get(value, {}), result.games) for side in sides))
            for value in values
        ]
        return (measure, *result.by_value), rows

    def games_to_look_at(self, result: PolicyResult) -> Table:
        """The games to look at; `hots study --records DIR` writes their records."""
        gettext = self.say.gettext
        rows = [
            (self._kind(each.kind), each.side, f"{each.number}") for each in result.games_to_look_at
        ]
        return (gettext("game to look at"), gettext("side"), gettext("number")), rows

    def _kind(self, kind: str) -> str:
        gettext = self.say.gettext
        if kind.startswith(_FIRST):
            return gettext("first that parts: {sides}", sides=kind.removeprefix(_FIRST))
        names = {
            "shortest": gettext("shortest"),
            "longest": gettext("longest"),
            "typical": gettext("typical"),
        }
        return names.get(kind, kind)

    def partings(self, found: Partings) -> str:
        """How many games part, and when."""
        gettext, estimate = self.say.gettext, self.words.estimate
        told = gettext(
            "Pairs of {one} and {other} that part anywhere: {share}.",
            one=found.one,
            other=found.other,
            share=estimate(found.share),
        )
        if found.places:
            told += " " + gettext(
                "Decisions before: {decision}.", decision=estimate(found.decision)
            )
        return told

    def places(self, found: Partings) -> Table:
        """In which phases games part, those of most games first."""
        gettext, total = self.say.gettext, sum(found.places.values())
        rows = [
            (
                gettext("the end") if place == "the end" else place,
                f"{count:,}",
                f"{100 * count / total:.1f} %",
            )
            for place, count in list(found.places.items())[:MAX_PLACES]
        ]
        return (gettext("first decision that differs"), gettext("pairs"), gettext("share")), rows

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

    def times(self, result: PolicyResult, effects: Sequence[Effect]) -> Table:
        """How often rules come up in a game on average, on both sides of effects: two cells for each."""
        sides = effects[0].one, effects[0].other
        heads = [self.say.gettext("times in a game, {side}", side=side) for side in sides]
        cells = [
            tuple(f"{result.rules.mean_times(side, each.figure):.2f}" for side in sides)
            for each in effects
        ]
        return heads, cells

    @property
    def side_by_side(self) -> Table:
        """Whether what is found with a policy holds for all."""
        study, gettext = self.study, self.say.gettext
        policies = [result.policy for result in study.results]
        keys = dict.fromkeys(
            (each.figure, each.one, each.other)
            for result in study.results
            for each in result.effects
        )
        rows = [
            (
                f"{self.words.figure(figure)}: {self.less(one, other)}",
                *self._across(figure, one, other),
                self._verdict(figure, one, other),
            )
            for figure, one, other in keys
        ]
        return (gettext("effect"), *policies, gettext("holds for all")), rows

    def _found(self, figure: str, one: str, other: str) -> list[Effect | None]:
        asked = figure, one, other
        return [
            next(
                (each for each in result.effects if (each.figure, each.one, each.other) == asked),
                None,
            )
            for result in self.study.results
        ]

    def _across(self, figure: str, one: str, other: str) -> Iterator[str]:
        for effect in self._found(figure, one, other):
            yield NONE if effect is None else self.words.effect(effect)

    def _verdict(self, figure: str, one: str, other: str) -> str:
        gettext = self.say.gettext
        effects = [each for each in self._found(figure, one, other) if each is not None]
        clear = [each for each in effects if each.is_clear]
        if not clear:
            return gettext("no effect found")
        if len({each.difference > 0 for each in clear}) > 1:
            return gettext("no: other directions")
        if len(clear) == len(self.study.results):
            return gettext("yes")
        return gettext("found with {some} of {all}", some=len(clear), all=len(self.study.results))


def pairs_of(result: PolicyResult) -> list[tuple[str, str]]:
    """The pairs of sides that are compared."""
    return [(partings.one, partings.other) for partings in result.partings]


def effects_of(result: PolicyResult, one: str, other: str) -> list[Effect]:
    """The effects between two sides."""
    return [each for each in result.effects if (each.one, each.other) == (one, other)]


def rule_effects(result: PolicyResult, one: str, other: str) -> list[Effect]:
    """The largest differences in how often rules come up; those without any are left out."""
    found = (each for each in result.rules.effects if (each.one, each.other) == (one, other))
    kept = sorted(
        (each for each in found if each.difference), key=lambda each: -abs(each.difference)
    )
    return kept[:MAX_RULES]


def _wins_cell(outcomes: dict[str, int], games: int) -> str:
    """The share of all games that end so, and the part of each outcome in it."""
    if not outcomes:
        return NONE
    parts = (f"{name} {100 * count / games:.1f}" for name, count in sorted(outcomes.items()))
    return f"{100 * sum(outcomes.values()) / games:.1f} % ({', '.join(parts)})"
