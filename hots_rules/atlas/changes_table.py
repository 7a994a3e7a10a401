"""The table of changes for players: a row for each change, with how often it comes up and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import attrs
from attrs import evolve, field, frozen

from hots_rules._text import with_signs
from hots_rules._translate import Translator, translator
from hots_rules.analysis.policies.named_policy import RANDOM
from hots_rules.compare.diff_table import DiffTable
from hots_rules.compare.rulebook_changes import ChangeCell, RulebookChange
from hots_rules.compare.sides import RulesetLike, compiled_of
from hots_rules.compare.tables import table
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.report.blocks import Block, Items, Lines, Paragraph, Row, RowGroup, Span, Table
from hots_rules.report.whole import Report
from hots_rules.rules.kinds import HELPERS
from hots_rules.study.attribution.change_figures import ChangeFigure, change_figures

MAX_MEMBERS = 3
"""Members of a change that its row names; the others are counted."""
MAX_SECTIONS = 4
"""Sections that a cell cites."""


@frozen
class ChangeFacts:
    """What is known of a change besides its words.

    >>> import hots_rules as hr
    >>> hr.atlas.ChangeFacts().figures
    ()

    Attributes:
        figures: how often games differ by it and who wins more, one for each policy; empty if nobody measured it.
    """

    figures: tuple[ChangeFigure, ...] = ()

    @property
    def signs_differ(self) -> bool:
        """Whether a player gains by it under one policy and loses under another, by more than chance."""
        clear = {figure.value > 0 for figure in self.figures if figure.is_significant}
        return len(clear) > 1


@frozen(repr=False)
class ChangeTable:
    """The changes of the rulebook between two or more rulesets; false if no declaration differs.

    >>> import hots_rules as hr
    >>> hr.atlas.change_table("hots-2.3", "hots-4.0")
    <ChangeTable of hots-2.3, hots-4.0: 31 changes>

    Attributes:
        differences: the table of all differences, of which the changes are made.
        facts: what is known of each change, by its name.
        rulesets: the rulesets, whose words say what a change is about.
    """

    differences: DiffTable
    facts: Mapping[str, ChangeFacts] = field(factory=dict)
    rulesets: tuple[AnyRuleset, ...] = field(default=(), repr=False, eq=False)

    def __bool__(self) -> bool:
        return bool(self.differences)

    def __repr__(self) -> str:
        names = ", ".join(self.differences.editions)
        return f"<ChangeTable of {names}: {len(self.changes)} changes>"

    def _repr_html_(self) -> str:
        return self.report().html()

    @property
    def changes(self) -> tuple[RulebookChange, ...]:
        """The changes of which the rulesets say different things, in the order of the book."""
        return tuple(change for change in self.differences.changes if not change.is_alike)

    def within(self, section: str) -> ChangeTable:
        """The changes of a section and its parts."""
        return evolve(self, differences=self.differences.within(section))

    def only(self, names: Iterable[str]) -> ChangeTable:
        """The changes with some names."""
        return evolve(self, differences=self.differences.only_changes(frozenset(names)))

    def summaries(self) -> tuple[str, ...]:
        """How many changes there are, and what the table leaves out."""
        words = translator(self.differences.language)
        if not self.differences:
            return self.differences.summaries()
        names = " → ".join(self.differences.editions)
        count = len(self.changes)
        first = words.ngettext("{number} change", "{number} changes", count)
        listed = [f"{names}: {first}."]
        listed_members = {member for change in self.changes for member in change.members}
        rest = sum(1 for row in self.differences.rows if row.id not in listed_members)
        if rest:
            listed.append(
                words.ngettext(
                    "{number} more declaration differs in wording, section or form alone (--all).",
                    "{number} more declarations differ in wording, section or form alone (--all).",
                    rest,
                )
            )
        return tuple(listed)

    def report(self) -> Report:
        """The table as a report: how many changes there are, then the changes by section."""
        differences = self.differences
        words = translator(differences.language)
        groups = tuple(
            RowGroup(
                self._heading(words, section),
                tuple(row for change in changes for row in self._rows(words, change)),
            )
            for section, changes in groupby(self.changes, lambda change: change.section)
        )
        blocks: list[Block] = [Items(self.summaries()), *map(Paragraph, self.terms())]
        if groups:
            blocks.append(Table(("", *differences.columns), groups))
        blocks += map(Paragraph, self.methods())
        return Report(" → ".join(differences.editions), tuple(blocks), differences.language)

    def as_json(self) -> list[dict[str, object]]:
        """Plain data with stable keys, for `json`."""
        return [
            {
                **attrs.asdict(change),
                "is_declared": change.is_declared,
                "facts": attrs.asdict(self.facts[change.name])
                if change.name in self.facts
                else None,
            }
            for change in self.changes
        ]

    # -------------------------------------------------------------- rows
    def _heading(self, words: Translator, section: str) -> str:
        heading = self.differences.headings.get(section, "")
        return f"§{section} {heading}".rstrip() if section else words.gettext("without a section")

    def _rows(self, words: Translator, change: RulebookChange) -> Iterator[Row]:
        """What each ruleset says, and below it what is said of the change as a whole."""
        kinds = ("behavioural", "amended")
        ids = " ".join(member.replace(" ", "-") for member in change.members)
        yield Row(
            tuple(Lines(_cell(cell)) for cell in change.cells),
            head=(Span(change.title, "strong"),),
            kinds=kinds,
            data={"change": change.name, "differences": ids},
        )
        carried = (_carried(words, change),) if change.members else ()
        yield Row((), head=Lines((*self.notes(change), *carried)), kinds=("notes",))

    def notes(self, change: RulebookChange) -> Iterator[str]:
        """What a change does in play, how often, and who wins more by it."""
        words = translator(self.differences.language)
        where = self.column_of(change.teller)
        if change.play:
            yield words.gettext("in play ({ruleset}): {play}", ruleset=where, play=change.play)
        facts = self.facts.get(change.name, ChangeFacts())
        unseen = [figure for figure in facts.figures if not figure.divergent_games]
        if unseen:
            policies = ", ".join(self._players(words, figure, change) for figure in unseen)
            yield words.gettext(
                "{policy}: none of {games} games differs", policy=policies, games=unseen[0].games
            )
        yield from (
            self._figure(words, figure, change)
            for figure in facts.figures
            if figure.divergent_games
        )
        if facts.signs_differ:
            yield words.gettext("which side gains depends on how they play")

    def column_of(self, name: str) -> str:
        """The short name of a ruleset, as its column has it."""
        editions, columns = self.differences.editions, self.differences.columns
        prefix = editions[0].removesuffix(columns[0]) if editions else ""
        return name.removeprefix(prefix)

    def _figure(self, words: Translator, figure: ChangeFigure, change: RulebookChange) -> str:
        """The share of games that the change alters, and who wins more of them."""
        return words.gettext(
            "{policy}: {parted} of {games} games differ; {gain}",
            policy=self._players(words, figure, change),
            parted=figure.divergent_games,
            games=figure.games,
            gain=self._gain(words, figure),
        )

    def _players(self, words: Translator, figure: ChangeFigure, change: RulebookChange) -> str:
        """The players whose games a figure is of, with the step where it is one of several."""
        is_random = figure.policy == RANDOM
        players = words.gettext("random players") if is_random else words.gettext("guided players")
        if len(change.steps) == 1:
            return players
        return f"{players} ({self.column_of(figure.own)} → {self.column_of(figure.below)})"

    def _gain(self, words: Translator, figure: ChangeFigure) -> str:
        """How many more games a player wins under the edition than under the one below."""
        is_loss = figure.is_significant and figure.value < 0
        ends = (-figure.high, -figure.low) if is_loss else (figure.low, figure.high)
        sign = "" if figure.is_significant else "+"
        parts = {
            "player": self._player(figure.player),
            "own": self.column_of(figure.own),
            "low": f"{100 * ends[0]:{sign}.1f}",
            "high": f"{100 * ends[1]:{sign}.1f}",
        }
        if not figure.is_significant:
            return words.gettext(
                "no clear gain for a side ({player} by {own}: {low} to {high} wins in 100 games)",
                **parts,
            )
        parts |= {
            "number": f"{100 * abs(figure.value):.1f}",
            "below": self.column_of(figure.below),
        }
        if is_loss:
            return words.gettext(
                "{player} wins {number} of 100 games fewer by {own} than by {below} ({low} to {high})",
                **parts,
            )
        return words.gettext(
            "{player} wins {number} of 100 games more by {own} than by {below} ({low} to {high})",
            **parts,
        )

    def _player(self, name: str) -> str:
        """A player as the language of the table calls them."""
        language = self.differences.language
        for ruleset in self.rulesets:
            if name in ruleset.players and language in ruleset.languages:
                labels = ruleset.in_language(language).labels
                return labels.players[ruleset.players.index(name)]
        return name

    def terms(self) -> Iterator[str]:
        """The meanings of words of the table that readers of rulebooks may not know."""
        words = translator(self.differences.language)
        if any(
            member.startswith("reading ") for change in self.changes for member in change.members
        ):
            yield words.gettext(
                "A reading is one way to understand an unclear text; the default is the one that plays unless another "
                "is chosen."
            )

    def methods(self) -> Iterator[str]:
        """How the figures were measured, a sentence for each way."""
        words = translator(self.differences.language)
        figures = [
            figure
            for change in self.changes
            for figure in self.facts.get(change.name, ChangeFacts()).figures
        ]
        policies = dict.fromkeys(figure.policy for figure in figures if figure.policy != RANDOM)
        for games, scenario in dict.fromkeys((figure.games, figure.scenario) for figure in figures):
            yield words.gettext(
                "Figures are of {games} games of {scenario} with a change alone and as many without, with equal seeds; "
                "two games differ where a legal action or the end is another one.",
                games=games,
                scenario=scenario,
            )
        if any(
            {figure.own, figure.below}.difference(self.differences.editions) for figure in figures
        ):
            yield words.gettext(
                "A change is measured between the printing in which it stands and the next one, which need not be one "
                "of those that are compared."
            )
        for policy in policies:
            yield words.gettext("Guided players choose by the policies {policy}.", policy=policy)


def _cell(cell: ChangeCell) -> tuple[str, ...]:
    """What a ruleset says, and where."""
    cited = with_signs(cell.sections[:MAX_SECTIONS])
    return (*cell.lines[:-1], f"{cell.lines[-1]} ({cited})") if cited else cell.lines


def _carried(words: Translator, change: RulebookChange) -> str:
    """The first members of a change, those that serve others last."""
    in_order = sorted(change.members, key=lambda member: member.partition(" ")[0] in HELPERS)
    names = ", ".join(in_order[:MAX_MEMBERS])
    more = len(in_order) - MAX_MEMBERS
    if more > 0:
        rest = words.ngettext("and {number} more", "and {number} more", more)
        names = f"{names}, {rest}"
    return words.gettext("in the rules: {names}", names=names)


# ---------------------------------------------------------------- figures
def change_table(
    *rulesets: RulesetLike, language: str = "en", limits: Limits = DEFAULT_LIMITS
) -> ChangeTable:
    """What changed between two or more rulesets, a row for each change of the rulebook.

    The changes are those that the editions declare in `changes.toml`; differences that nobody declared are grouped by
    section, with the definitions that they use. Nothing is compiled.

    >>> import hots_rules as hr
    >>> hr.atlas.change_table("hots-3.x", "hots-4.0").changes[0].section
    '4.4'

    Args:
        rulesets: the rulesets, their names or their paths, in the order of the columns.
        language: the language of titles and sentences, such as "fr"; what is not translated is in English.
        limits: the limits of the texts of a name or a path.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        UnknownName: no ruleset has labels in the language.
        BadArgument: fewer than two rulesets.
    """
    loaded: list[AnyRuleset] = [BaseRuleset(compiled_of(ruleset, limits)) for ruleset in rulesets]
    differences = table(*loaded, language=language, limits=limits)
    return ChangeTable(differences, dict(_facts(differences, loaded)), tuple(loaded))


def _facts(
    differences: DiffTable, rulesets: Sequence[AnyRuleset]
) -> Iterator[tuple[str, ChangeFacts]]:
    """The figures of each change: of several steps that change one thing, those that do the most."""
    kept: dict[tuple[str, str], Mapping[str, Sequence[ChangeFigure]]] = {}
    loaded = {ruleset.name: ruleset for ruleset in rulesets}
    for change in differences.changes:
        by_policy: dict[str, ChangeFigure] = {}
        for step in change.steps:
            pair = (step.old, step.new) if step.is_up else (step.new, step.old)
            if pair not in kept:
                kept[pair] = change_figures(*(loaded.get(name, name) for name in pair))
            for figure in kept[pair].get(change.name, ()):
                largest = by_policy.get(figure.policy)
                if largest is None or figure.divergent_games > largest.divergent_games:
                    by_policy[figure.policy] = figure
        if by_policy:
            figures = sorted(by_policy.values(), key=lambda figure: figure.policy != RANDOM)
            yield change.name, ChangeFacts(tuple(figures))
