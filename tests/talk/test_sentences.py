"""The tables of sentences are read line by line; a line with a fault is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.talk.sentences import FOLDER, Sentence, openings, read_table

SENTENCE = {
    "set": "en",
    "line": "who is in Fife",
    "language": "en",
    "opening": "none",
    "player": "",
    "grade": "right",
    "fact": "Wallace & 4|four",
    "starts": "",
    "section": "",
    "reason": "",
}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"grade": "wrong"}, r"'grade' must be in \('right', 'miss', 'none'\) \(got 'wrong'\)"),
        ({"language": "de"}, "'language' must be in"),
        ({"opening": "nowhere"}, r"openings\.csv has no opening `nowhere`: add it there"),
        ({"set": "unheard"}, r"sets\.csv has no set `unheard`: add it there"),
        ({"grade": "miss"}, "a `miss` has a reason"),
        ({"reason": "two questions in one"}, "a `miss` has a reason"),
        ({"grade": "none"}, "what is graded `none` has no answer"),
        ({"fact": "4|"}, r"an alternative of `4\|` is empty"),
        ({"starts": "Yes,no"}, "expected 10 cells, got 11"),
        ({"more": ""}, r"expected the columns \['set', .*, got \['set', .*, 'more'\]"),
    ],
)
def test_a_line_with_a_fault_is_refused_with_its_place(
    tmp_path: Path, changed: dict[str, str], fault: str
) -> None:
    path = tmp_path / "sentences.csv"
    cells = SENTENCE | changed
    path.write_text(f"{','.join(cells)}\n{','.join(cells.values())}\n", "utf-8")

    place = r"sentences\.csv: " if "more" in changed else r"sentences\.csv:2: "
    with pytest.raises(ValueError, match=place + fault):
        read_table(path, Sentence)


def test_each_opening_has_a_position() -> None:
    positions = {path.stem for path in (FOLDER / "openings").glob("*.txt")}

    assert positions == {*openings()}
