"""The changelog has its form, and it and the page on versions name what exists."""

import json
import re
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.cli.app import COMMANDS
from hots_rules.cli.moved import MOVED
from tests.folders import HOME

CHANGELOG = (HOME / "CHANGELOG.md").read_text(encoding="utf-8")
# The sections of the changelog, by their headings: first what is not released, then the versions, the newest first.
SECTIONS = dict(re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", CHANGELOG, re.MULTILINE))
NEWEST = list(SECTIONS)[1]
# What can be read in five minutes.
MAX_LINES = 120
NAMES_OF_01 = (
    (HOME / "docs/reference/versions.md").read_text("utf-8").partition("## Names of 0.1")[2]
)
ROW = re.compile(r"^\| (`.*) \| (`.*) \|$", re.MULTILINE)
METHODS = {
    "rules": hr.Ruleset,
    "Journal": hr.Journal,
    "GameLog": hr.explain.GameLog,
    "BadMessage": hr.BadMessage("$", "no number"),
    "Ruleset": hr.Ruleset,
}


def is_absent(name: str) -> bool:
    """Whether a name with dots is not there."""
    first, *rest = name.split(".")
    a_game = hr.load("connect-four-1.0").start("empty-board") if first == "game" else None
    try:
        reduce(getattr, rest, {"hr": hr, "game": a_game, **METHODS}.get(first))
    except AttributeError:
        return True
    return False


def test_the_changelog_begins_with_what_is_not_released() -> None:
    assert "Unreleased" == next(iter(SECTIONS))


def test_every_version_has_its_date_and_the_newest_is_this_one() -> None:
    versions = list(SECTIONS)[1:]

    assert [] == [
        one for one in versions if not re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", one)
    ]
    assert hr.__version__ == NEWEST.partition(" ")[0]


@pytest.mark.parametrize("heading", list(SECTIONS)[1:])
def test_a_version_is_read_in_five_minutes(heading: str) -> None:
    lines = SECTIONS[heading].rstrip().splitlines()

    assert 1 + len(lines) <= MAX_LINES
    assert [] == [line for line in lines if len(line) > 120]


def options_of(command: Any) -> Iterator[str]:
    """The options of a command, and of those of a group."""
    yield from (option for each in command.params for option in each.opts)
    for each in getattr(command, "commands", {}).values():
        yield from options_of(each)


def test_what_the_newest_version_names_exists() -> None:
    """Its commands with their options, and its names in Python; a command that moved since tells where."""
    codes = re.findall(r"`([^`]+)`", SECTIONS["Unreleased"] + SECTIONS[NEWEST])
    told = [code.split() for code in codes if re.match(r"hots [a-z]", code)]
    options = {name: set(options_of(one.load(name))) for name, one in COMMANDS.items()}
    names = [code for code in codes if re.match(r"(?:hr|game|rules)\.\w", code)]

    assert told
    assert names
    assert [] == [words for words in told if words[1] not in COMMANDS.keys() | MOVED.keys()]
    assert [] == [
        (words[1], word)
        for words in told
        if words[1] in COMMANDS
        for word in words[2:]
        if word.startswith("-") and word not in options[words[1]]
    ]
    assert [] == [code for code in names if is_absent(re.match(r"[\w.]+", code)[0])]  # type: ignore[index]


def test_every_new_name_of_the_tables_exists() -> None:
    moved, _, changed = NAMES_OF_01.partition("| old | new |")
    names = [
        f"{package.strip('`')}.{name}"
        for package, listed in ROW.findall(moved)
        for name in re.findall(r"\w+", listed)
    ]
    others = [
        name for _, new in ROW.findall(changed) for name in re.findall(r"`(?:str\()?([\w.]+)", new)
    ]

    assert len(names) > 40
    assert len(others) > 50
    assert [] == [name for name in names + others if is_absent(name)]


def test_the_extension_for_editors_has_the_version_of_the_library() -> None:
    package = json.loads((HOME / "editors/vscode/package.json").read_text(encoding="utf-8"))

    assert hr.__version__ == package["version"]
