"""The printings of Hammer of the Scots: how their rules hang on their texts."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.testing import assert_no_leak
from tests.folders import TESTS

# Headings with nothing under them, and no rule of their own; the aid has none.
BARE_HEADINGS = {"hots-4.0": {"6.0"}, "hots-3.x": {"6.0"}, "hots-2.3": {"6.0"}}


@pytest.mark.parametrize("edition", ["hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid"])
def test_every_section_of_a_rulebook_is_behind_a_declaration(edition: str) -> None:
    book = hr.load(edition).rulebook
    cited = {
        number
        for entry in book.entries.values()
        if entry.cited_in == edition
        for number in entry.sections
    }

    assert BARE_HEADINGS.get(edition, set()) == set(book.sections[edition]) - cited


def test_the_spanish_rulebook_has_two_sections_with_one_number() -> None:
    block = hr.load("hots-3.x").rulebook.entries["table", "Block"]
    headings = {citation.section: citation.heading for citation in block.cited}

    assert headings["2.23"] == "Arqueros"
    assert headings["2.23.2"].startswith("Caballeros")
    assert headings["2.24"] == "Infantería"


def test_an_inherited_rule_is_cited_by_its_spanish_section() -> None:
    game = hr.load("hots-3.x").start("braveheart", seed=1297)
    for said in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(said)
    game = game.play("Scotland: move Wallace Fife-Mentieth")

    reasons = game.why_not("Scotland: move Wallace Mentieth-Lanark")

    assert [("stop-at-the-enemy", ("4.0",))] == [(one.rule, one.sections) for one in reasons]


@pytest.mark.parametrize("decided", ["anglo_scottish_crossing", "border_of_the_pinned"])
def test_a_reading_that_a_printing_decides_cannot_be_chosen(decided: str) -> None:
    with pytest.raises(hr.SettledReading, match=decided):
        hr.load("hots-3.x").start("braveheart", readings={decided: "with_group"})


@pytest.mark.thorough
def test_neither_side_sees_what_the_other_builds() -> None:
    winter = (TESTS / "positions" / "winter-calm.txt").read_text(encoding="utf-8")
    before = hr.load("hots-2.3").position(
        winter.replace("place Angus, strength 3", "place Angus, strength 1"), seed=1
    )
    for text in (
        "England: send Comyn home to Badenoch",
        "Scotland: send Bruce home to Annan",
        "Scotland: end disbanding",
    ):
        before = before.play(text)
    drawn = before.play("Scotland: draw a block in Fife")
    built = before.play("England: build Angus in Angus")
    stopped = before.play("Scotland: end builds")

    assert before.to_move == ("England", "Scotland")
    for after, other in ((drawn, "England"), (stopped, "England"), (built, "Scotland")):
        assert before.view(other).state == after.view(other).state
        assert before.view(other).actions == after.view(other).actions
        assert [step.text[-10:] for step in after.observed_trace(other)] == ["has chosen"]
    assert drawn.observed_trace("England") == stopped.observed_trace("England")
    assert_no_leak(drawn, "England", worlds=1)
    ended = drawn.play("England: end builds").play("Scotland: end builds")
    assert "a block of Scotland is drawn for Fife" in [
        step.text for step in ended.observed_trace("England")
    ]
