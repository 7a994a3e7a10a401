"""Writes the figures of docs/coverage.md: `python docs/_coverage.py`; with `--check` it only compares.

The figures are those of the cases in tests/cases. They may not fall: whoever takes a case away sees it here.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import hots_rules as hr

HOME = Path(__file__).parent
PAGE = HOME / "coverage.md"
CASES = HOME.parent / "tests" / "cases"
RULESETS = ("hots-4.0", "lords-of-scotland")
MARKED = re.compile(r"(<!-- coverage -->\n).*?(<!-- end -->)", re.DOTALL)


def figures() -> str:
    """A table of both games, then the lists."""
    found = [hr.coverage(hr.load(name), CASES) for name in RULESETS]
    rows = ["| ruleset | cases | sections without rule | declarations without a case | conditions not met both ways |",
            "|---|---|---|---|---|"]  # fmt: skip
    rows += [
        f"| `{one.ruleset}` | {one.played} | {len(one.without_rule)} of {len(one.sections)} "
        f"| {len(one.without_case)} of {len(one.rules)} | {len(one.one_sided)} of {len(one.conditions)} |"
        for one in found
    ]
    for one in found:
        rows += ["", f"`{one.ruleset}`, without a case:", ""]
        rows += [f"- {rule.kind} `{rule.name}`" for rule in one.without_case] or ["- nothing"]
        rows += ["", f"`{one.ruleset}`, not met both ways:", ""]
        rows += [
            f"- `{half.rule}`, {half.timing} `{half.of}`: "
            + ("only holding" if half.held else "only not holding" if half.failed else "never")
            for half in one.one_sided
        ] or ["- nothing"]
        assert not one.faults, one.faults
    return "\n".join(rows)


def main() -> int:
    """Writes the page or checks it; the exit code."""
    old = PAGE.read_text(encoding="utf-8")
    new = MARKED.sub(lambda m: f"{m[1]}{figures()}\n{m[2]}", old)
    if "--check" not in sys.argv:
        PAGE.write_text(new, encoding="utf-8")
    elif new != old:
        print(
            "expected the figures of docs/coverage.md as the cases have them: "
            "run `python docs/_coverage.py`, and see that none has fallen",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
