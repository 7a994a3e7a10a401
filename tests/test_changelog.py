"""The changelog names what exists."""

import re
from functools import reduce
from pathlib import Path

import hots_rules as hr

CHANGELOG = Path(__file__).parent.parent / "CHANGELOG.md"
ROW = re.compile(r"^\| (?P<old>`.*) \| (?P<new>`.*) \|$", re.MULTILINE)
METHODS = {
    "game": hr.load("hots-4.0").start("braveheart"),
    "rules": hr.Ruleset,
    "Journal": hr.Journal,
    "GameLog": hr.explain.GameLog,
    "BadMessage": hr.BadMessage("$", "no number"),
    "Ruleset": hr.Ruleset,
}


def test_every_new_name_of_the_table_exists() -> None:
    rows = ROW.findall(CHANGELOG.read_text(encoding="utf-8"))
    names = [name for _, new in rows for name in re.findall(r"`(?:str\()?([\w.]+)", new)]
    missing = []
    for name in names:
        first, *rest = name.split(".")
        try:
            reduce(getattr, rest, {"hr": hr, **METHODS}.get(first))
        except AttributeError:
            missing.append(name)

    assert len(rows) > 80
    assert [] == missing
