"""What differences are worth, as a report in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hots_rules.study.figure_words import LEVEL_TEXT, StudyWords
from hots_rules.study.markdown import table

if TYPE_CHECKING:
    from hots_rules.study.attribution.result import Attribution, Share

MAX_NAMED = 4


def attribution_markdown(found: Attribution) -> str:
    """What each group of differences is worth, the largest first; then what each changes alone."""
    lines = [f"# {found.old} to {found.new}: {found.figure} in {found.scenario}", ""]
    if found.orders:
        lines += [
            f"The change is {100 * found.total:+.1f} points in {_counted(found.games, 'game')} of each ruleset,"
            f" seed {found.seed}. {_counted(found.orders, 'order')} of the groups,"
            f" {_counted(found.rulesets, 'ruleset')} played.",
            "",
            *table(("worth", "group", "with"), map(_share_row, found.shares)),
            "",
            f"A worth is a Shapley value: the mean effect of a group that is added after those before it in an order."
            f" Its interval of {LEVEL_TEXT} is about the games alone.",
            "",
        ]
    if found.alone:
        alone = sorted(found.alone, key=lambda share: -abs(share.value))
        lines += [
            f"Each group added to {found.old} alone, in {_counted(found.games, 'game')}, seed {found.seed},"
            f" policy {found.policy}:",
            "",
            *table(("effect", "group", "with"), map(_share_row, alone)),
            "",
            f"These intervals hold together with a probability of {LEVEL_TEXT}.",
            "",
        ]
    if found.unplayable:
        rows = ((each.name, each.fault) for each in found.unplayable)
        lines += [
            f"These groups cannot be added to {found.old} alone: the rules then lead to a position that they cannot"
            " play.",
            "",
            *table(("group", "fault"), rows),
            "",
        ]
    return "\n".join(lines)


def _share_row(share: Share) -> tuple[str, str, str]:
    words = StudyWords.of("en")
    worth = words.numbers("share", share.value, share.low, share.high, sign="+")
    return worth, share.name, _with(share)


def _with(share: Share) -> str:
    """The differences of a group besides the one that names it."""
    others = [each for each in share.differences if each != share.name]
    return ", ".join(others) if len(others) <= MAX_NAMED else _counted(len(others), "difference")


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
