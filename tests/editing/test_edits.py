"""The declarations that one edits are checked at once, and show what a check of the whole ruleset finds in them."""

from __future__ import annotations

import os
import re
from random import Random

import pytest

from hots_rules import editing
from hots_rules.rules.load import is_within
from tests.folders import HOME

pytestmark = pytest.mark.deeper

RULESETS = HOME / "rulesets"
FAULTY = 150 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 4  # edits with a fault
FOLDERS = ("hots", "samples")
WORD = re.compile(r"[A-Za-z_][\w-]+|\d+|[<>=:+-]+")


@pytest.fixture(scope="module", params=FOLDERS)
def space(request: pytest.FixtureRequest) -> editing.Workspace:
    """A folder of rulesets that were checked."""
    found = editing.Workspace()
    for path in sorted((RULESETS / request.param).rglob("*")):
        if path.suffix == ".rules" or path.name == "sections.csv":
            found.open(str(path), path.read_text("utf-8"))
    for head in found.located():
        found.check(head)
    return found


def slip(text: str, chance: Random) -> str:
    """A text in which a line is gone, doubled or moved, or a word is another word of the text."""
    rows = text.split("\n")
    at = chance.randrange(len(rows))
    words = WORD.findall(text)
    match chance.randrange(6):
        case 0:
            del rows[at]
        case 1:
            rows.insert(at, rows[at])
        case 2:
            rows.insert(at, rows.pop(chance.randrange(len(rows))))
        case _:
            places = list(WORD.finditer(rows[at])) or list(WORD.finditer(rows[at := 0]))
            one = chance.choice(places) if places else None
            if one is not None:
                rows[at] = rows[at][: one.start()] + chance.choice(words) + rows[at][one.end() :]
    return "\n".join(rows)


@pytest.mark.thorough
def test_an_edit_shows_what_a_check_of_the_ruleset_finds_in_it(space: editing.Workspace) -> None:
    chance = Random(20)
    paths = [path for path in space.texts if path.endswith(".rules") and "label" not in path]
    faulty = 0
    while faulty < FAULTY:
        path = chance.choice(paths)
        text = space.texts[path]
        space.open(path, slip(text, chance))
        job = editing.prepare_edit(space, path)
        if job is not None and job.places:
            found = set(editing.run_edit(job))
            before = space.found[job.head], space.chains[job.head]
            space.check(job.head)
            whole = space.found[job.head]
            space.found[job.head], space.chains[job.head] = before
            expected = {
                fault
                for fault in whole.faults
                if fault not in whole.of_the_whole and is_within(fault.place, job.places)
            }
            assert expected == found, space.texts[path]
            faulty += bool(found)
        space.open(path, text)


def test_other_faults_stay_with_their_declarations() -> None:
    """A fault below the edited declaration moves with its line; one of the whole ruleset stays in the edited one."""
    space = editing.Workspace()
    path = "/game/fox.rules"
    text = 'ruleset fox-1.0 "Fox"\ndefine one = 1\n\ndefine two = three\n'
    space.open(path, text)
    space.check(path)
    before = {(fault.code, fault.place.line) for fault in space.faults(path)}
    assert {("unused-definition", 2), ("unknown-name", 4)} <= before

    space.open(path, text.replace("one = 1\n", "one = 1 + four\n\n"))
    job = editing.prepare_edit(space, path)
    assert job is not None
    assert editing.accept_edit(space, job, editing.run_edit(job))
    after = {(fault.code, fault.place.line) for fault in space.faults(path)}
    assert {("unused-definition", 2), ("unknown-name", 2), ("unknown-name", 5)} <= after


def test_a_declaration_that_nothing_uses_is_removed_by_its_fix() -> None:
    space = editing.Workspace()
    path = "/game/fox.rules"
    text = 'ruleset fox-1.0 "Fox"\ndefine one = 1\ndefine two =\n  2\n'
    space.open(path, text)
    space.check(path)
    unused = [fault for fault in space.faults(path) if fault.code == "unused-definition"]
    found = [
        (title, *((edit.span.line, edit.span.end_line, edit.text) for edit in edits[path]))
        for fault in unused
        for title, edits in editing.fixes(space, fault)
    ]
    assert [("remove the line", (2, 3, "")), ("remove the lines", (3, 5, ""))] == found


def test_the_result_for_a_text_that_changed_meanwhile_is_not_taken() -> None:
    space = editing.Workspace()
    path = "/game/fox.rules"
    space.open(path, 'ruleset fox-1.0 "Fox"\ndefine one = 1\n')
    space.check(path)
    space.open(path, 'ruleset fox-1.0 "Fox"\ndefine one = two\n')
    job = editing.prepare_edit(space, path)
    assert job is not None
    faults = editing.run_edit(job)
    assert ["unknown-name"] == [fault.code for fault in faults]
    space.open(path, 'ruleset fox-1.0 "Fox"\ndefine one = 2\n')
    assert not editing.accept_edit(space, job, faults)
    assert "unknown-name" not in [
        fault.code for fault in space.faults(path) if fault.place.line == 2
    ]
