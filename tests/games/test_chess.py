"""Chess: counts of lines that chess programs publish, and random games beside python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest

import hots_rules as hr
from tests.games.test_counts import lines_of
from tests.needs import needs

if TYPE_CHECKING:
    import chess
else:
    chess = needs("chess")

KINDS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
RIGHTS = {"White": {"K": "O_O", "Q": "O_O_O"}, "Black": {"k": "O_O", "q": "O_O_O"}}
CASTLING = {"White: O-O": "e1g1", "White: O-O-O": "e1c1"}
CASTLING |= {"Black: O-O": "e8g8", "Black: O-O-O": "e8c8"}

BEGINNING = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
ALL_MOVES = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -"
PASSING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -"
"""Positions with kinds of moves that go wrong easily, and their counts, are those of the page
https://www.chessprogramming.org/Perft_Results."""


def position_of(fen: str) -> str:
    """A position of chess as one of the ruleset."""
    rows, mover, castling, passed, *_ = fen.split()
    lines = [f"mover {'White' if mover == 'w' else 'Black'}"]
    for side, wings in RIGHTS.items():
        rights = ", ".join(wing for sign, wing in wings.items() if sign in castling)
        lines.append(f"{side}: rights {{{rights}}}")
    if passed != "-":
        lines.append(f"passed {{Square_{passed[0]}_{passed[1]}}}")
    for number, row in enumerate(rows.split("/")):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
                continue
            side = "White" if sign.isupper() else "Black"
            square = f"Square_{'abcdefgh'[file]}_{8 - number}"
            lines.append(f"{square}: man Man_{side}_{KINDS[sign.lower()]}")
            file += 1
    return "\n".join(lines)


def uci(action: hr.Action) -> str:
    """An action as chess programs write it."""
    if action.name == "castle":
        return CASTLING[action.text]
    squares = (str(action.args[name]).removeprefix("Square_") for name in ("from", "to"))
    letter = {kind: letter for letter, kind in KINDS.items()}.get(str(action.args.get("into")), "")
    return "".join(squares).replace("_", "") + letter


@pytest.mark.parametrize(
    ("fen", "depth", "lines"),
    [
        (BEGINNING, 1, 20),
        (BEGINNING, 2, 400),
        (BEGINNING, 3, 8_902),
        pytest.param(BEGINNING, 4, 197_281, marks=pytest.mark.thorough),
        (ALL_MOVES, 1, 48),
        (ALL_MOVES, 2, 2_039),
        pytest.param(ALL_MOVES, 3, 97_862, marks=pytest.mark.thorough),
        (PROMOTIONS, 1, 6),
        (PROMOTIONS, 2, 264),
        (PROMOTIONS, 3, 9_467),
        pytest.param(PROMOTIONS, 4, 422_333, marks=pytest.mark.nightly),
        (PASSING, 1, 14),
        (PASSING, 2, 191),
        (PASSING, 3, 2_812),
        pytest.param(PASSING, 4, 43_238, marks=pytest.mark.thorough),
    ],
)
def test_the_lines_are_as_many_as_chess_programs_count(fen: str, depth: int, lines: int) -> None:
    assert lines_of(hr.load("chess-1.0").position(position_of(fen)), depth) == lines


def ends(board: chess.Board) -> Iterator[str]:
    """Why a game is over, by the names of the phases that end it."""
    if board.is_checkmate() or board.is_stalemate():
        yield "no_moves"
    if board.is_insufficient_material():
        yield "dead_position"
    if board.is_repetition(3):
        yield "third_time"
    if board.halfmove_clock >= 100:
        yield "fifty_moves"


@pytest.mark.parametrize(
    "seeds",
    [
        range(1),
        pytest.param(range(1, 22), marks=pytest.mark.thorough),
        pytest.param(range(22, 222), marks=pytest.mark.nightly),
    ],
)
def test_random_games_are_those_of_python_chess(seeds: range) -> None:
    rules = hr.load("chess-1.0")
    for seed in seeds:
        game, board, chooser = rules.start("beginning"), chess.Board(), Random(seed)
        while not game.is_over:
            assert not [*ends(board)], board.fen()
            moves = {uci(action): action for action in game.actions}
            assert sorted(moves) == sorted(move.uci() for move in board.legal_moves), board.fen()
            move = chooser.choice(sorted(moves))
            game = game.play(moves[move])
            board.push_uci(move)

        assert game.outcome is not None
        assert game.outcome.reason in ends(board), board.fen()
        if board.is_checkmate():
            assert game.outcome.winner == ("Black" if board.turn else "White")
        else:
            assert game.outcome.winner is None
