"""The file `board.json`: its shapes agree with the map of the rules, and a wrong or hostile file is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules._home import rulesets_home
from hots_rules.cli.app import app
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board

# A test loads the same rules with other boards.
pytestmark = pytest.mark.loads_anew

RULES = """ruleset drawn "A game with a board"
players Side
map place at across, down
  links Road by joins in paint
type Side = White | Black
type Paint = red | green
table Site §1 (across: 0..9, down: 0..9, wells: 0..9)
  North  2  1  3
  South  2  8  0
table Road §1 (joins: set of Site, paint: Paint)
  Highway  North+South  red
type Place = Site | Away
type Piece = Fox | Owl
state
  place[Piece] : Place
  rounds : 0..9
  bids[Side, Site] : 0..9
action go(to: Site) §1 "Go."
  permit when place[Fox] != to
  place[Fox] := to
  rounds += 1
  bids[actor, to] += 1
phase game §1 "Play."
  choose White: go
  win White
scenario plain §1 "Plain"
  game()
question wells(a: Site) = wells[a] §1 "how many wells has {a}"
"""
BOARD: dict[str, Any] = {
    "schema": "hots_rules/board.v1",
    "canvas": [400, 300],
    "areas": {
        "North": {
            "polygon": [[10, 10], [300, 10], [300, 140], [10, 140]],
            "slots": [[100, 70]],
            "marker": [200, 70],
            "label": {"at": [150, 25], "width": 60, "box": [120, 14, 60, 20]},
            "icons": {"well": [250, 40]},
        },
        "South": {
            "polygon": [[10, 140], [300, 140], [300, 290], [10, 290]],
            "slots": [[100, 200]],
            "marker": [200, 200],
            "icons": {"well": [250, 200]},
        },
    },
    "links": {"red": {"colour": "#b8320a", "number": 2, "badge": "diamond"}},
    "badges": [{"ends": ["North", "South"], "at": [155, 140]}],
    "marks": [{"icon": "well", "column": "wells", "symbol": "ring", "text": {"en": "wells"}}],
    "symbols": {"ring": {"box": [0, 0, 10, 10], "parts": [{"path": "M0 0h10v10H0z"}]}},
}


def load(tmp_path: Path, text: str) -> hr.Ruleset:
    folder = tmp_path / "drawn"
    folder.mkdir()
    (folder / "drawn.rules").write_text(RULES, "utf-8")
    (folder / "board.json").write_text(text, "utf-8")
    return hr.load(folder)


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    board = json.loads(json.dumps(BOARD))
    change(board)
    return json.dumps(board)


def refusal(tmp_path: Path, text: str) -> str:
    game = load(tmp_path, text).start("plain")
    with pytest.raises(hr.RulesetError) as error:
        game.draw()
    return str(error.value)


def test_a_folder_with_a_board_is_drawn_with_its_shapes(tmp_path: Path) -> None:
    picture = load(tmp_path, json.dumps(BOARD)).start("plain").draw()

    assert 'data-border="North-South"' in picture
    assert "<title>wells 3</title>" in picture
    assert "wells 0" not in picture


def test_a_board_is_no_part_of_the_digest_of_a_ruleset(tmp_path: Path) -> None:
    with_board = load(tmp_path, json.dumps(BOARD))
    (tmp_path / "drawn" / "board.json").unlink()

    assert with_board.content_hash == hr.load(tmp_path / "drawn").content_hash


def test_the_first_place_of_a_table_is_no_absence(tmp_path: Path) -> None:
    (tmp_path / "drawn.rules").write_text(
        RULES.replace(
            "  place[Piece] : Place\n", "  place[Piece] : Place\n  camp[Side] : Place = Away\n"
        )
        .replace("  place[Fox] := to\n", "  place[Fox] := to\n  camp[White] := to\n")
        .replace("  game()\n", "  place[Fox] := Away\n  game()\n"),
        "utf-8",
    )
    game = hr.load(tmp_path / "drawn.rules").start("plain")

    def rows(game: hr.Game) -> list[tuple[str, str]]:
        return [row for section in hr.explain.render_board(game) for row in section.rows]

    assert ("camp", "White North") in rows(game.play("go North"))
    assert "camp" not in dict(rows(game))


@pytest.mark.thorough
def test_a_house_rule_is_drawn_with_the_board_that_it_extends(tmp_path: Path) -> None:
    path = tmp_path / "house.rules"
    path.write_text('ruleset house-1.0 "House"\n  extends hots-4.0\n', "utf-8")

    assert board_of(hr.load("hots-4.0")) == board_of(hr.load(path))


def test_each_counter_of_a_shared_board_is_a_variable_of_one_of_its_editions() -> None:
    """A single edition may lack some, so that reading its board cannot refuse a misspelt one."""
    variables: dict[str, set[str]] = {}
    for name in hr.rulesets():
        ruleset = hr.load(name)
        if ruleset.source.board:
            variables.setdefault(ruleset.source.board, set()).update(ruleset.schema.variables)

    assert variables
    for text, known in variables.items():
        assert set(json.loads(text).get("status", {}).get("counters", ())) <= known


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda b: b.pop("areas"), "areas"),
        (lambda b: b.update(extra=1), "extra"),
        (lambda b: b.update(schema="hots_rules/board.v9"), "schema"),
        (lambda b: b.update(canvas=[1e9, 10]), "expected a number up to 10000"),
        (lambda b: b.update(canvas=[True, 10]), "expected a number"),
        (lambda b: b.update(canvas=[10**400, 10]), "expected a number up to 10000"),
        (lambda b: b.update(canvas=[20, 10]), "`canvas`"),
        (lambda b: b.update(block=1), "`block` and `small_block`"),
        (lambda b: b.update(tints=["red"]), "expected a colour such as"),
        (lambda b: b.update(background='#ffffff" onload="x'), "expected a colour such as"),
        (lambda b: b["areas"].pop("South"), "no area `South`"),
        (lambda b: b["areas"].update(Suoth=b["areas"]["South"]), "did you mean `South`?"),
        (lambda b: b["areas"]["North"].update(polygon=[[1, 1], [2, 2]]), "three points"),
        (lambda b: b["areas"]["North"].update(slots=[[900, 20]]), "a point outside the canvas"),
        (lambda b: b["areas"]["North"].update(slots="ab"), "areas['North'].slots"),
        (lambda b: b["areas"]["North"].update(tint=7), "`areas.North.tint`"),
        (lambda b: b["links"].update(blue={"colour": "#000000"}), "no `blue`"),
        (lambda b: b["badges"][0].update(ends=["North", "North"]), "no line between"),
        (lambda b: b["marks"][0].update(symbol="rnig"), "did you mean `ring`?"),
        (lambda b: b["marks"][0].update(column="wels"), "did you mean `wells`?"),
        (lambda b: b["symbols"]["ring"].update(box=[0, 0, 0, 5]), "`symbols.ring.box`"),
        (lambda b: b["symbols"]["ring"]["parts"][0].update(path="url(#x)"), "commands of a path"),
        (lambda b: b["symbols"]["ring"]["parts"][0].update(path="M" + "0" * 3000), "a path"),
        (lambda b: b.update(hills=[[1, 1]] * 30_000), "at most 20000 points"),
        (lambda b: b.update(labels=[{"at": [1, 1], "text": {"en": "\x1b[2J"}}]), "can be printed"),
        (lambda b: b.update(labels=[{"at": [1, 1], "text": {"en": "a" * 99}}]), "at most 80"),
        (lambda b: b.update(players={"Red": {"colour": "#000000"}}), "no `Red`"),
        (
            lambda b: b.update(status={"hand": "rounds"}),
            "whose first key is a player, got `rounds`",
        ),
        (
            lambda b: b.update(status={"played": "rounds"}),
            "with a value for each player, got `rounds`",
        ),
        (lambda b: b.update(status={"played": "bids"}), "with a value for each player, got `bids`"),
    ],
)
def test_a_wrong_board_is_refused_with_its_place(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    assert told in refusal(tmp_path, changed(change))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda b: b["areas"]["South"].pop("slots"), '    "South": {'),
        (lambda b: b["areas"]["South"].update(tint="red"), '      "tint": "red"'),
        (lambda b: b["areas"]["North"].update(tint=7), '      "tint": 7'),
        (lambda b: b["areas"]["South"].update(slots=[[1, 1], [1, "x"]]), '          "x"'),
        (lambda b: b["areas"].pop("South"), '  "areas": {'),
    ],
)
def test_a_fault_of_a_board_has_its_line(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], line: str
) -> None:
    text = json.dumps(json.loads(changed(change)), indent=2)
    at = text.splitlines().index(next(each for each in text.splitlines() if each.startswith(line)))

    assert f"board.json:{at + 1}:{len(line) - len(line.lstrip()) + 1}" in refusal(tmp_path, text)


def test_the_check_of_a_ruleset_reads_its_board(tmp_path: Path) -> None:
    load(tmp_path, changed(lambda board: board["areas"].pop("South")))
    result = CliRunner().invoke(app, ["check", str(tmp_path / "drawn")])

    assert 1 == result.exit_code
    assert "no area `South`" in result.output


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "board.json:1:2"),
        ("[]", "board"),
        ('{"canvas": NaN}', "the number NaN"),
        ('{"canvas": [1, 2], "canvas": [1, 2]}', "stands twice"),
        ("[" * 100_000, "not JSON"),
        ("1" * 5000, "not JSON"),
    ],
)
def test_a_file_that_is_no_board_is_refused(tmp_path: Path, text: str, told: str) -> None:
    assert told in refusal(tmp_path, text)


# ------------------------------------------------------------------ the shipped board
@pytest.fixture(scope="module")
def board() -> Board:
    return board_of(hr.load("hots-4.0"))


@pytest.mark.thorough
def test_two_areas_share_an_edge_exactly_when_they_share_a_border(board: Board) -> None:
    rules = hr.load("hots-4.0")
    ends = rules.rulebook.typed.tables["Border"].columns["ends"]
    pairs = {
        frozenset(map(str, named))
        for code in ends.values
        if isinstance(named := rules.schema.to_python(code, ends.type), list)
    }

    assert 49 == len(pairs)
    assert pairs == set(board.shared_edges)
    assert pairs == set(board.badge_of)
    assert all(len(lines) == 1 for lines in board.shared_edges.values())


def test_the_numbers_of_borders_are_those_of_the_rules(board: Board) -> None:
    text = rulesets_home().joinpath("hots", "4.0", "movement.rules").read_text("utf-8")

    assert "define border_limit(x: Border) = if colour[x] = red then 2 else 6" in text
    assert (2, 6) == (board.links["red"].number, board.links["green"].number)
