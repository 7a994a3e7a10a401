"""What has no label in a language is listed."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.playing import ruleset_of
from tests.talk.test_board_pieces import HUNT


def test_the_labels_that_a_language_lacks_stand_with_the_english_text() -> None:
    coverage = hr.explain.label_coverage(ruleset_of(HUNT), "fr")
    missing = dict(coverage.missing)

    assert "Man.hound" not in missing
    assert "type Man" not in missing
    assert missing["variable man"] == "man"
    assert missing["rule nobody-jumps"] == "Nobody goes where another stands."
    assert missing['text "{to} is not free"'] == "{to} is not free"
    assert missing["action move summary"] == "Move a man to a square beside his."
    assert coverage.needed > len(missing)


def test_the_command_lists_them_and_finds_no_fault_in_them(tmp_path: Path) -> None:
    (tmp_path / "hunt.rules").write_text(HUNT, "utf-8")
    (tmp_path / "sections.csv").write_text("section,heading\n1,One\n2,Two\n", "utf-8")
    words = ["check", str(tmp_path), "--labels", "fr"]
    listed = CliRunner().invoke(app, words)
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)

    assert listed.exit_code == 0
    assert "label fr: rule nobody-jumps: Nobody goes where another stands." in listed.stdout
    assert "labels in fr are missing" in listed.stdout
    assert ["variable man", "man"] in data["labels"]["missing"]
