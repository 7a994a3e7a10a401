"""Writes the figures of docs/reference/coverage.md; with `--check` it fails where coverage has fallen.

The figures are those of the cases in tests/cases. A gap that the page does not list is an error; fewer gaps are not.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import hots_rules as hr

HOME = Path(__file__).parent
PAGE = HOME / "reference" / "coverage.md"
CASES = HOME.parent / "tests" / "cases"
RULESETS = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid", "lords-of-scotland")
MARKED = re.compile(r"(<!-- coverage -->\n).*?(<!-- end -->)", re.DOTALL)


HEAD = (
    *("ruleset", "cases", "sections without a rule", "declarations without a case"),
    "conditions without branch coverage",
)


def covered() -> list[hr.testing.Coverage]:
    """The coverage of each shipped ruleset by the cases."""
    return [hr.testing.coverage(hr.load(name), CASES) for name in RULESETS]


def gaps(results: list[hr.testing.Coverage]) -> list[str]:
    """A line for each gap, and for each case that cannot be played."""
    lines = []
    for result in results:
        start = f"- `{result.ruleset}`"
        lines += [f"{start}: {fault}" for fault in result.faults]
        lines += [f"{start} §{section.section}: no rule" for section in result.without_rule]
        lines += [f"{start} {rule.kind} `{rule.name}`: no case" for rule in result.without_case]
        for branch in result.one_sided:
            seen = "true" if branch.held else "false" if branch.failed else ""
            state = f"always {seen}" if seen else "never evaluated"
            lines.append(f"{start} `{branch.rule}`, {branch.timing} `{branch.of}`: {state}")
    return lines


def figures(results: list[hr.testing.Coverage]) -> str:
    """A table of the rulesets, then their gaps."""
    rows = [f"| {' | '.join(HEAD)} |", "|---|---|---|---|---|"]
    rows += [
        f"| `{result.ruleset}` | {result.played} | {len(result.without_rule)} of {len(result.sections)} "
        f"| {len(result.without_case)} of {len(result.rules)} "
        f"| {len(result.one_sided)} of {len(result.conditions)} |"
        for result in results
    ]
    return "\n".join([*rows, "", *gaps(results)])


def main() -> int:
    """Writes the page, or checks it; returns the exit status."""
    page, found = PAGE.read_text(encoding="utf-8"), covered()
    if "--check" not in sys.argv:
        text = f"{figures(found)}\n"
        PAGE.write_text(MARKED.sub(lambda m: f"{m[1]}{text}{m[2]}", page), encoding="utf-8")
        return 0
    fallen = [line for line in gaps(found) if line not in page.splitlines()]
    if fallen:
        print(
            "gaps that docs/reference/coverage.md does not list:",
            *fallen,
            sep="\n",
            file=sys.stderr,
        )
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
