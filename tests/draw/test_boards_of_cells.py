"""Boards of squares, hexes and points that are declared, and the colours of their pieces."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Area, Board
from hots_rules.draw.board.placement import placed
from hots_rules.draw.picture.arrows import MIN_ROOM, way_of, ways_over_border
from hots_rules.draw.scene.position import DrawnMove, DrawnPlace, Piece
from hots_rules.draw.scene.positions import position_of
from tests.playing import ruleset_of

UNITS = """ruleset hexes-1.0 "Hexes"
players Side
type Side = White | Black
type Board = Hex(column: 1..4, row: 1..3)
board Board as hexes
table Unit §1 (side: Side)
  White_Guards   White
  Black_Hussars  Black
type Place = Board | Dead
state
  at[Unit]: Place = Dead
map at at column, row
action go(u: Unit, to: Board) §1 "Go."
  permit when some h in Board: h = at[u] and to in near(h)
  at[u] := to
phase game §1 "Turns."
  at[White_Guards] := Hex_1_1
  at[Black_Hussars] := Hex_4_3
  for i in 1..9
    choose White: go
    choose Black: go
  win none
scenario first §1 "One"
  game()
"""
MEN = """ruleset men-1.0 "Men"
players Side
type Side = White | Black
type Kind = King | Knight | Pawn
type Men = Man(side: Side, kind: Kind)
type File = a | b | c | d
type Board = Square(file: File, rank: 1..3)
state
  man[Board]: Men?
map man at file, rank
action go(to: Board) §1 "Go."
  permit when man[to] = none
  man[to] := Man(actor, Knight)
phase game §1 "Turns."
  man[Square(a, 1)] := Man(White, King)
  man[Square(b, 2)] := Man(Black, Knight)
  for i in 1..4
    choose White: go
  win none
scenario first §1 "One"
  game()
"""

POINTS = """ruleset points-1.0 "Points"
players Side
type Side = White | Black
table Point §1 (file: 1..3, rank: 1..3, next: set of Point)
  a1  1  1  a3
  a3  1  3  a1+c3
  c3  3  3  a3
map man at file, rank
  links Point by next
state
  man[Point]: Side?
action put(to: Point) §1 "Put."
  permit when man[to] = none
  man[to] := actor
phase game §1 "Turns."
  for s in White, Black
    choose s: put
  win none
scenario first §1 "One"
  game()
"""


def started(text: str) -> hr.Game:
    return ruleset_of(text).start("first", seed=1)


def test_neighbours_on_a_board_of_hexes_share_an_edge_and_no_others_do() -> None:
    game = started(UNITS)
    board = board_of(game.ruleset)
    near = {
        frozenset((action.args["to"], "Hex_1_1"))
        for action in game.actions_for("White_Guards")
        if action.player == "White"
    }
    shared = {pair for pair in board.shared_edges if "Hex_1_1" in pair}

    assert near == shared
    assert {frozenset(("Hex_1_1", "Hex_1_2")), frozenset(("Hex_1_1", "Hex_2_1"))} <= near
    for pair in board.shared_edges:
        tints = {board.areas[name].tint for name in pair}
        assert len(tints) == 2, pair


def test_columns_of_hexes_are_staggered_in_a_terminal() -> None:
    rows = list(filter(None, hr.draw.text_board(started(UNITS)).text.splitlines()))

    assert rows[0].startswith("1 3 ")
    assert rows[1].lstrip().startswith("2 3 ")
    assert "[G]" in rows[4] and "(H)" in rows[1]


def test_a_piece_has_the_colour_of_the_side_that_its_row_names() -> None:
    position = position_of(started(UNITS), None)
    pieces = [piece for place in position.places for piece in place.pieces]

    assert {(piece.short, piece.owner) for piece in pieces} == {("Guards", 0), ("Hussars", 1)}


def test_a_piece_has_the_colour_of_the_side_that_is_a_part_of_it() -> None:
    text = hr.draw.text_board(started(MEN)).text

    assert "a 1 [Ki]" in text and "b 2 (Kn)" in text


def test_the_arrow_of_a_move_ends_before_the_piece() -> None:
    position = position_of(started(UNITS).play("White: go White_Guards Hex_2_1"), None)
    (move,) = position.moves
    board = position.board
    way = way_of(board, move, (), ways_over_border(board, move.start, move.end).ways)
    (x, y), half = board.areas[move.end].slots[0], board.block / 2

    assert (move.start, move.end) == ("Hex_1_1", "Hex_2_1")
    assert way.start == board.areas[move.start].slots[0]
    assert abs(way.tip[0] - x) > half or abs(way.tip[1] - y) > half


def test_a_piece_is_written_without_its_owner_in_each_language() -> None:
    label = 'label fr\n  White = "Blancs"\n  King = "roi"\n  Man = "{kind} ({side})"\n'
    game = started(MEN + label).in_language("fr")
    pieces = [piece for place in position_of(game, None).places for piece in place.pieces]

    assert [piece.label for piece in pieces if piece.owner == 0] == ["roi"]


def test_lines_join_the_points_of_a_board_whether_they_are_empty_or_not() -> None:
    game = started(POINTS)
    for moment in (game, game.play("White: put a3")):
        position = position_of(moment, None)

        assert {frozenset(border.ends) for border in position.borders} == {
            frozenset(("a1", "a3")),
            frozenset(("a3", "c3")),
        }
        assert hr.draw.draw(moment).count('data-border="') == 2


def test_the_points_of_a_board_are_cells_of_one_tint_that_do_not_touch() -> None:
    board = board_of(started(POINTS.replace("c3  3  3", "b3  2  3").replace("c3", "b3")).ruleset)

    assert {area.tint for area in board.areas.values()} == {0}
    assert not board.shared_edges


def test_lines_join_the_points_in_a_terminal_too() -> None:
    sloping = POINTS.replace("a1+c3", "a1+c3+b2").replace("map man", "  b2  2  2  a3\nmap man")
    game = started(sloping).play("White: put a3")
    rows = hr.draw.text_board(game).text.splitlines()

    assert rows[:5] == [
        "a3 [W] ──────── c3",
        "│   \\",
        "│       b2",
        "│",
        "a1",
    ]


def test_terrain_is_drawn_in_colours_and_on_a_terminal_by_letters() -> None:
    for language, words in (
        ("en", ["meadow", "marsh", "village"]),
        ("fr", ["pré", "marais", "village"]),
    ):
        game = hr.load("causeway-1.0").in_language(language).start("morning")
        position, board = position_of(game), hr.draw.text_board(game)
        picture = hr.draw.draw(game)
        at = {place.label: place for place in position.places}

        assert [at["1.1"].terrain, at["5.1"].terrain, at["5.3"].terrain] == words
        assert list(position.terrains) == words
        colours = [position.terrains[word] for word in words[1:]]
        tints = [
            position.board.tints[position.board.areas[at[hex_].key].tint] for hex_ in ("5.1", "5.3")
        ]
        assert tints == colours
        assert all(f">{word}<" in picture for word in words)
        assert all(colour in picture for colour in colours)
        assert "5.1 m" in board.text and "5.3 v" in board.text and "1.1 " in board.text
        assert board.legend == f"m {words[1]}, v {words[2]}"
        assert at["5.1"].facts.startswith(f"{at['5.1'].name} ({words[1]})")


def test_a_board_without_terrain_has_no_legend() -> None:
    game = hr.load("chess-1.0").start("beginning")

    assert not position_of(game).terrains
    assert not hr.draw.text_board(game).legend


def test_units_of_two_players_in_one_hex_are_both_drawn() -> None:
    game = started(UNITS.replace("at[Black_Hussars] := Hex_4_3", "at[Black_Hussars] := Hex_1_1"))
    picture = game.draw()

    assert "×2" not in picture
    assert "White Guards" in picture
    assert "Black Hussars" in picture


def test_two_players_at_a_point_with_one_slot_have_a_stack_each() -> None:
    board = board_of(started(POINTS).ruleset)
    key, area = next(iter(board.areas.items()))
    pieces = [
        Piece(f"{owner}", "man", "", owner, None, None, "", "", "", "") for owner in (0, 1, 1)
    ]
    stacks = placed(DrawnPlace(key, key, tuple(pieces)), board).stacks

    assert 1 == len(area.slots)
    assert [1, 2] == [len(stack) for stack, _ in stacks]
    assert [{0}, {1}] == [{piece.owner for piece in stack} for stack, _ in stacks]
    assert stacks[0][1] != stacks[1][1]


def test_an_arrow_keeps_clear_of_the_lower_edge() -> None:
    """The first way that is tried bends down to 4.5 units above the edge."""
    areas = {
        key: Area(((0, 0), (9, 0), (9, 9)), ((x, 173), (x, 173)), (x, 173))
        for key, x in (("a", 50), ("b", 350))
    }
    board = Board((400, 200), areas)
    way = way_of(board, DrawnMove("a", "b", None, ""), (), ())

    assert max(y for _, y in way.points) <= 200 - MIN_ROOM


def test_the_values_of_the_own_player_come_first_in_a_game_without_a_map() -> None:
    """Also where the label of a player has several words."""
    coins = """ruleset coins-1.0 "Coins"
players Side
type Side = Red | Blue
type Metal = Gold | Tin
state
  coins[Side, Metal] : 0..9
action take(m: Metal) §1 "Take."
  permit when coins[actor, m] < 9
  coins[actor, m] += 1
phase game §1 "Turns."
  coins[Red, Gold] := 1
  coins[Blue, Tin] := 1
  for i in 1..4
    choose Red: take
  win none
scenario first §1 "One"
  game()
label en
  Red = "red house"
  Blue = "blue house"
"""
    rows = hr.draw.text_board(started(coins), "Blue").text.splitlines()

    assert rows[0].lstrip().startswith("coins of blue house")
