"""The sample games: each plays to its end, is saved and replayed, and leaks nothing."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from hots_rules.draw.board.boards import SQUARE
from hots_rules.draw.scene.positions import position_of
from hots_rules.testing import assert_no_leak
from tests.folders import HOME
from tests.listing import assert_none
from tests.playing import assert_sound, played_out

FOLDER = HOME / "rulesets" / "samples"
SAMPLES = sorted(path.name for path in FOLDER.iterdir())
MAX_LINES = 200  # of a ruleset without its labels, which grow with the languages
LABELS = re.compile(r"^label ", re.MULTILINE)


def ruleset(sample: str) -> hr.Ruleset:
    """The ruleset of a folder, which names its edition if that is not the first one."""
    return hr.load(sample if sample[-1].isdigit() else f"{sample}-1.0")


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_is_short(sample: str) -> None:
    texts = [path.read_text("utf-8") for path in (FOLDER / sample).glob("*.rules")]
    lines = [line for text in texts for line in text.splitlines()]
    of_rules = [line for text in texts for line in LABELS.split(text)[0].splitlines()]

    assert len(of_rules) <= MAX_LINES
    assert_none([line for line in lines if len(line) > 100])


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_plays_to_its_end_and_replays(sample: str, tmp_path: Path) -> None:
    rules = ruleset(sample)
    for seed in range(3):
        games = list(played_out(rules.start(rules.scenarios[0], seed=seed), Random(seed)))
        for game in games:
            assert_sound(game)
        game = games[-1]
        game.save(tmp_path / "game.txt")

        assert game.outcome
        assert hr.read(tmp_path / "game.txt") == game


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_position_of_a_sample_can_be_set_up(sample: str) -> None:
    rules = ruleset(sample)
    games = list(played_out(rules.start(rules.scenarios[0], seed=1), Random(1), 30))

    for game in games[::10]:
        assert game.is_over or rules.position(game.position).to_move


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_word_of_a_sample_parses_back(sample: str) -> None:
    rules = ruleset(sample)
    for game in played_out(rules.start(rules.scenarios[0], seed=2), Random(2), 40):
        for action in game.actions:
            assert game.play(action.text).state == game.play(action).state


@pytest.mark.thorough
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_sample_leaks_nothing(sample: str) -> None:
    rules = ruleset(sample)
    compared = assert_no_leak(rules, games=1, plays=12, every=4, worlds=1)

    assert compared >= 0 if _is_open(rules) else compared > 0


@pytest.mark.parametrize("player", ["Ann", "Ben", None])
def test_closed_bids_leak_nothing(player: str | None) -> None:
    game = ruleset("goofspiel").start("full-hands", seed=3, options={"open_bids": False})
    compared = 0
    for after in played_out(game, Random(4), 9):
        compared += assert_no_leak(after, player, worlds=1)

    assert compared > 5


def _is_open(rules: hr.Ruleset) -> bool:
    """Whether nothing is ever hidden."""
    return not rules.rulebook.typed.secrets


# ------------------------------------------------------------------ editions
def test_the_editions_of_the_causeway_differ_in_one_rule() -> None:
    old, new = hr.load("causeway-1.0"), hr.load("causeway-0.9")
    (difference,) = (each for each in hr.diff(old, new).differences if each.plays)

    assert difference.id == "define defence"
    witness = hr.witness.kept_witnesses(old.name, new.name).witnesses[difference.id]
    sides = hr.witness.sides_of(witness, old, new)
    assert witness.replayed(*sides) == witness
    assert witness.verdicts[0] != witness.verdicts[1]
    worth = hr.study.effects_of(old, new)[difference.id]
    assert worth.low > 0, "the first side takes the village first, and keeps it more often"


# ------------------------------------------------------------------ boards
def test_a_board_is_a_grid_of_letters_with_the_first_row_at_the_bottom() -> None:
    game = ruleset("connect-four").start("empty-board").play("a1").play("b1").play("a2")
    (board,) = hr.explain.render_board(game)

    assert ("6", ". . . . . . .") == board.rows[0]
    below = ("", "a b c d e f g")
    assert [("2", "R . . . . . ."), ("1", "R Y . . . . ."), below] == list(board.rows[-3:])


def test_the_squares_of_a_board_are_drawn_side_by_side() -> None:
    game = ruleset("connect-four").start("empty-board").play("a1")
    found = position_of(game)
    places = {place.name: found.board.areas[place.key].polygon[0] for place in found.places}
    (left, top), (right, bottom) = places["a6"], places["g1"]

    assert (left, bottom) == places["a1"]
    assert (right, top) == places["g6"]
    assert (6 * SQUARE, 5 * SQUARE) == (right - left, bottom - top)
    assert found.facts.endswith("a1: Red")
