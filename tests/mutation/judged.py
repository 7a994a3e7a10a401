"""The modules whose mutants are judged in a night, with the tests that judge them, and what is known of them."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tests.folders import HOME

PLACE: Final = Path(__file__).parent
SCORES: Final = PLACE / "scores.csv"
EQUIVALENT: Final = PLACE / "equivalent.csv"
UNNOTICED: Final = PLACE / "unnoticed.csv"

TESTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hots_rules/observe": "tests/observe tests/play/test_play.py tests/adapters/test_adapters.py",
        "hots_rules/records": "tests/records",
        "hots_rules/compile/codegen/legal_actions.py": "tests/compile/test_legal_actions.py "
        "tests/compile/test_conditions.py tests/compile/test_compile.py tests/games/test_samples.py "
        "tests/compile/test_hoisting.py",
        "hots_rules/compile/constant_folding.py": "tests/compile/test_constant_folding.py "
        "tests/compile/test_evaluate.py tests/compile/test_compile.py tests/rules/test_loop_bounds.py",
        "hots_rules/native/lowering/ranges.py": "tests/native/test_ranges.py tests/native/test_lowering.py",
        "hots_rules/analysis/chances/odds.py": "tests/analysis/test_odds.py",
        "hots_rules/analysis/policies/settling.py": "tests/observe/test_settling.py",
        "hots_rules/web/games/seed_shares.py": "tests/table/test_mixing.py tests/table/test_agreements.py "
        "tests/table/test_participants.py tests/table/test_table.py",
        "hots_rules/web/games/clocks.py": "tests/table/test_clocks.py",
        "hots_rules/web/storage/tokens.py": "tests/table/test_tokens.py",
    }
)
"""Files and folders, each with its tests, the likeliest first."""


def modules(named: list[str]) -> dict[str, str]:
    """The files among those named, or all, each with its tests; a folder stands for its files."""
    chosen = {}
    for place, tests in TESTS.items():
        path = HOME / place
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            name = file.relative_to(HOME).as_posix()
            if file.stem != "__init__" and (not named or {name, place} & set(named)):
                chosen[name] = tests
    return chosen


def listed(file: Path) -> dict[tuple[str, str, str], str]:
    """The mutants of a list, by module, line and mutation, each with a reason."""
    with file.open(encoding="utf-8", newline="") as lines:
        return {
            (row["module"], row["line"], row["mutation"]): row["reason"]
            for row in csv.DictReader(lines)
        }
