"""What is on the board, how many there are, and where: computed from what a ruleset declares, without any pattern."""

from __future__ import annotations

import pytest

import hots_rules as hr


@pytest.fixture(scope="module")
def braveheart() -> hr.Game:
    return hr.load("hots-4.0").start("braveheart", seed=1)


@pytest.fixture(scope="module")
def lords() -> hr.Game:
    return hr.load("lords-of-scotland").start("3-players", seed=1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("which areas are empty", "Garmoran, Lochaber, Carrick, Selkirk, Teviot (§2.0)"),
        ("quelles régions sont vides ?", "Garmoran, Lochaber, Carrick, Selkirk, Teviot (§2.0)"),
        ("¿qué áreas están vacías?", "Garmoran, Lochaber, Carrick, Selkirk, Teviot (§2.0)"),
        ("is there an archer in Lothian", "No: none (§2.0)"),
        ("how many infantry do the Scots have in Fife", "2: Douglas, Barclay (§2.25)"),
        ("are there any nobles in Badenoch", "Yes: Comyn (§2.22)"),
        ("is Bruce in Annan?", "Yes: Bruce: Annan (§2.0)"),
        ("is Bruce in Fife?", "No: Bruce: Annan (§2.0)"),
        ("who's holding Lothian right now", "England (hots-4.0 §4.5)"),
        ("what does Buchan touch", "Strathspey, Badenoch, Mar, Angus (§1.1)"),
        ("what leaders do the scots have", "King: aside; Wallace (§2.0)"),
    ],
)
def test_what_is_on_the_board_is_computed(braveheart: hr.Game, line: str, told: str) -> None:
    found = braveheart.ask(line)

    assert (found.kind, str(found)) == ("computed", told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("combien de partisans sont posés en ce moment ?", "3: "),
        ("il y a combien de recrues sur la table", "5: "),
        ("¿cuántas cartas hay en el mazo?", "73 (§4)"),
        ("does anybody have victory points yet?", "P1: 0; P2: 0; P3: 0"),
        ("cuántos puntos tiene cada uno", "P1: 0; P2: 0; P3: 0"),
        ("who has the initiative", "P1 ("),
    ],
)
def test_what_lies_on_the_table_is_computed(lords: hr.Game, line: str, told: str) -> None:
    found = lords.ask(line)

    assert found.kind == "computed" and str(found).startswith(told)


def test_a_seat_is_told_no_more_of_the_position_than_it_may_know(braveheart: hr.Game) -> None:
    hidden = braveheart.ask("is there an archer in England?", player="Scotland")
    own = braveheart.ask("how many infantry blocks do I have on the map?", player="Scotland")
    theirs = braveheart.ask("¿cuántos bloques ingleses hay en Inglaterra?", player="Scotland")

    assert "unknown: depends on hidden information" in str(hidden)
    assert str(own).startswith("4: Douglas, ")
    assert str(theirs) == "4: a block of England ×4 (§2.0)"


@pytest.mark.parametrize(
    "line",
    [
        "how many archers stood in Lothian before the battle",
        "which areas are empty when the year ends",
        "which recruits are face up",  # of which the ruleset defines no set
    ],
)
def test_a_word_that_is_no_part_of_a_set_is_not_left_out(line: str, lords: hr.Game) -> None:
    game = lords if "recruits" in line else hr.load("hots-4.0").start("braveheart", seed=1)

    assert game.ask(line).kind != "computed"
