"""In a battle a block shows the letter and the rating that it fights with, and its whole name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.draw.picture.page import picture
from hots_rules.draw.scene.positions import position_of
from tests.draw.test_draw import texts, titles

HOME = "Ross: King 3, Wallace 2 against Ross 2, Lancaster Knights 3"


def battle(name: str, line: str) -> hr.Game:
    """A battle in its first round, with the blocks laid open."""
    made_up = hr.talk.battle(hr.load(name), line).game
    assert isinstance(made_up, hr.Game)
    while not made_up.view(None).state["fighting"]:
        made_up = made_up.play(made_up.actions[0])
    return made_up


@pytest.fixture(scope="module")
def at_home() -> hr.Game:
    return battle("hots-4.0", HOME)


@pytest.mark.parametrize("player", [None, "", "England", "Scotland"])
def test_a_noble_who_defends_his_home_is_drawn_as_he_fights(at_home: hr.Game, player) -> None:
    drawn = picture(position_of(at_home, player))

    assert "Ross, England, B3, strength 2 / 3" in titles(drawn)


def test_a_noble_elsewhere_is_drawn_as_in_the_table(at_home: hr.Game) -> None:
    assert "Buchan, England, B2, strength 3 / 3" in titles(at_home.draw())


def test_an_attacking_noble_is_drawn_as_in_the_table() -> None:
    attack = battle("hots-4.0", "Fife: Ross 2 against Wallace 2")

    assert "Ross, England, B2, strength 2 / 3" in titles(attack.draw())


def test_the_terminal_shows_the_same(at_home: hr.Game) -> None:
    rows = hr.draw.text_board(at_home, "England").rows
    lines = ["".join(text for _, text in row).strip() for row in rows]

    assert any(line.endswith("B3 ●●○ Ross") for line in lines)


def test_the_panel_of_a_battle_has_whole_names(at_home: hr.Game) -> None:
    panel = texts(at_home.draw())[-60:]

    assert ["Lancaster", "Knights"] == panel[(at := panel.index("Knights")) - 1 : at + 1]


def test_an_edition_fights_by_its_own_letter() -> None:
    """§9.2 of the player aid: with schiltroms Moray fights at A3."""
    without = battle("hots-player-aid", "Moray: Buchan 2 against Moray 2")
    with_schiltroms = without.ruleset.position(
        without.position, options={"schiltroms": True}, readings={"moray_with_schiltroms": "always"}
    )

    assert "Moray, Scotland, B3, strength 2 / 3" in titles(without.draw())
    assert "Moray, Scotland, A3, strength 2 / 3" in titles(with_schiltroms.draw())


# ------------------------------------------------------------------ secrets
# The Owl is stronger where the Fox stands, and only its owner knows which of the black pieces is the Fox.
RULES = """ruleset drawn "A game with a battle"
players Side
map place at across, down
type Side = White | Black
table Site §1 (across: 0..9, down: 0..9)
  North  2  1
  South  2  8
type Place = Site | Away
table Piece §1 (base: 1..4)
  Fox  2
  Dog  2
  Owl  2
  Hen  2
state
  place[Piece] : Place
  side[Piece] : Side
  round : 0..3
  field : Site?
  attacking : Side
  fighting : set of Piece
secret Piece[b] §1
  known to side[b]
  known to all when b in fighting
define rating(b: Piece) §1 =
  base[b] + (if b = Hen then 1 else 0) + (if b = Owl and place[Fox] = North then 1 else 0)
action rest §1 "Rest."
  permit when some b in fighting: rating(b) > 2
  attacking := Black
phase game §1 "Play."
  choose White: rest
  win White
scenario plain §1 "Plain"
  place[Fox] := North
  place[Dog] := South
  place[Owl] := North
  place[Hen] := North
  side[Fox] := Black
  side[Dog] := Black
  round := 1
  field := North
  fighting := {Owl, Hen}
  game()
question attacker = attacking §1 "who attacks"
"""
BOARD = {
    "schema": "hots_rules/board.v1",
    "canvas": [400, 300],
    "areas": {
        name: {
            "polygon": [[10, top], [300, top], [300, top + 130], [10, top + 130]],
            "slots": [[100, top + 60]],
            "marker": [200, top + 60],
        }
        for name, top in (("North", 10), ("South", 140))
    },
    "pieces": {"rating": "base"},
    "battle": {
        "place": "field",
        "round": "round",
        "attacker": "attacking",
        "fighting": "fighting",
        "reserve": "",
        "text": {},
        "round_text": {},
        "attacker_text": {},
        "defender_text": {},
        "reserve_text": {},
        "rating": "rating",
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "drawn.rules").write_text(RULES, "utf-8")
    (tmp_path / "board.json").write_text(json.dumps(BOARD), "utf-8")
    return tmp_path


@pytest.mark.loads_anew
@pytest.mark.parametrize(
    ("player", "owl"), [(None, "3"), ("Black", "3"), ("White", "2"), ("", "2")]
)
def test_a_rating_that_rests_on_a_hidden_piece_is_that_of_the_table(
    folder: Path, player: str | None, owl: str
) -> None:
    game = hr.load(folder).start("plain")
    drawn = titles(picture(position_of(game, player)))

    assert f"Owl, White, {owl}" in drawn
    assert "Hen, White, 3" in drawn


@pytest.mark.loads_anew
@pytest.mark.parametrize("wrong", ["ratnig", "base", "round"])
def test_a_battle_names_a_definition_of_a_piece(folder: Path, wrong: str) -> None:
    (folder / "board.json").write_text(
        json.dumps(BOARD).replace('"rating": "rating"', f'"rating": "{wrong}"'), "utf-8"
    )
    with pytest.raises(hr.RulesetError, match=f"the ruleset has no `{wrong}`"):
        hr.load(folder).start("plain").draw()
