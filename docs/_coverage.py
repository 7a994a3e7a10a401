"""Writes the figures of docs/reference/coverage.md; with `--check` it fails where coverage has fallen.

The figures are those of the cases in tests/cases. Whoever takes a case away that alone covered something, or adds
what no case covers, is told what; more coverage than the page says is no fault.
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


def covered() -> list[hr.Coverage]:
    """What the cases cover of each ruleset."""
    return [hr.coverage(hr.load(name), CASES) for name in RULESETS]


def gaps(found: list[hr.Coverage]) -> list[str]:
    """A line for all that no case covers, and for each case that cannot be played."""
    lines = []
    for one in found:
        lines += [f"- `{one.ruleset}`: {fault}" for fault in one.faults]
        lines += [f"- `{one.ruleset}` §{bare.section}: no rule" for bare in one.without_rule]
        lines += [
            f"- `{one.ruleset}` {rule.kind} `{rule.name}`: no case" for rule in one.without_case
        ]
        for half in one.one_sided:
            seen = (
                "always true" if half.held else "always false" if half.failed else "never evaluated"
            )
            lines.append(f"- `{one.ruleset}` `{half.rule}`, {half.timing} `{half.of}`: {seen}")
    return lines


def figures(found: list[hr.Coverage]) -> str:
    """A table of the rulesets, then the gaps."""
    rows = ["| ruleset | cases | sections without rule | declarations without case | conditions not met both ways |",
            "|---|---|---|---|---|"]  # fmt: skip
    rows += [
        f"| `{one.ruleset}` | {one.played} | {len(one.without_rule)} of {len(one.sections)} "
        f"| {len(one.without_case)} of {len(one.rules)} | {len(one.one_sided)} of {len(one.conditions)} |"
        for one in found
    ]
    return "\n".join([*rows, "", *gaps(found)])


def main() -> int:
    """Writes the page or checks it; the exit code."""
    page, found = PAGE.read_text(encoding="utf-8"), covered()
    if "--check" not in sys.argv:
        text = f"{figures(found)}\n"
        PAGE.write_text(MARKED.sub(lambda m: f"{m[1]}{text}{m[2]}", page), encoding="utf-8")
        return 0
    fallen = [line for line in gaps(found) if line not in page.splitlines()]
    if fallen:
        print(
            "expected no gap that docs/reference/coverage.md does not list, got",
            *fallen,
            sep="\n",
            file=sys.stderr,
        )
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
