"""The printings of Hammer of the Scots: how their rules hang on their texts."""

from __future__ import annotations

import pytest

import hots_rules as hr

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
    with pytest.raises(hr.UnknownOption, match=decided):
        hr.load("hots-3.x").start("braveheart", readings={decided: "with_group"})
