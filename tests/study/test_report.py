"""The report of a study: the board coloured by who holds what, games to look at, and its languages."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.cli.app import app
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.picture.shares import PlaceShares, shares_picture
from hots_rules.study import Study, StudySide
from tests.study.studies import study

SCENARIO = "two-ranks"
GAMES = 24


@pytest.fixture(scope="module")
def sides() -> list[StudySide]:
    rules = hr.load("breakthrough-1.0")
    return [StudySide("one", rules), StudySide("other", rules)]


@pytest.fixture(scope="module")
def found(sides: list[StudySide]) -> Study:
    measures = ("count(men(White))",)
    return study(*sides, scenario=SCENARIO, games=GAMES, seed=5, traced=GAMES, measures=measures)


@pytest.mark.thorough
def test_control_is_that_of_the_final_states(found: Study, sides: list[StudySide]) -> None:
    rules = sides[0].ruleset
    batch = Batch.of(rules, backend="python", is_paired=True)
    held, men = Counter[tuple[str, object]](), Counter[int]()
    seeds = (f"5/{number}" for number in range(GAMES))
    for end in batch.play_scenario(SCENARIO, seeds, keeps_slots=True):
        state = hr.State(tuple(end.slots or ()), rules.schema).as_dict()["man"]
        held.update(state.items())
        men[sum(owner == "White" for owner in state.values())] += 1
    control = {each.value: each for each in found.results[0].control if each.side == "one"}

    assert control[None].games == GAMES
    assert len(control[None].places) == 64
    for place, shares in control[None].places.items():
        assert {share.figure: share.mean for share in shares} == {
            player: held[place, player] / GAMES for player in rules.players
        }
    by_value = {value: each.games for value, each in control.items() if value is not None}
    assert by_value == {value: games for value, games in men.items() if games >= 0.05 * GAMES}


def test_pieces_of_two_players_hold_nothing() -> None:
    """Where blocks of both sides stand, neither holds the area; an area with those of one side is that side's."""
    rules = hr.load("hots-4.0")
    result = study(rules, scenario="braveheart", games=6, seed=5, traced=6).results[0]
    area_held = Counter[tuple[str, str]]()
    batch = Batch.of(rules, backend="python", is_paired=True)
    start = batch.machine.begin("braveheart")
    for end in batch.play(((start, f"5/{number}") for number in range(6)), keeps_slots=True):
        state = hr.State(tuple(end.slots or ()), rules.schema).as_dict()
        for area in board_of(rules).areas:
            owners = {state["side"][block] for block, at in state["place"].items() if at == area}
            area_held.update((area, owner) for owner in owners if len(owners) == 1)

    (control,) = result.control
    assert {
        (place, share.figure): share.mean * 6
        for place, shares in control.places.items()
        for share in shares
        if share.mean
    } == pytest.approx(dict(area_held))


@pytest.mark.thorough
def test_the_page_shows_the_boards_in_the_colours_of_the_players(found: Study) -> None:
    page = found.report().page()

    assert page.count('data-area="Square_a_1"') >= 2
    assert "Who holds what" in page
    assert "White 1" in page or "White 0" in page
    assert "boards" not in json.dumps(found.as_json())


def test_a_place_is_mixed_from_the_colours_of_its_holders() -> None:
    board = board_of(hr.load("breakthrough-1.0"))

    def fill(*shares: float) -> str:
        told = {"Square_a_1": PlaceShares("a1", shares, "a1")}
        return shares_picture(board, ("White", "Black"), told, "a board").split('fill="')[2][:7]

    assert (fill(1.0, 0.0), fill(0.0, 1.0)) == ("#b4371f", "#0a1d45")
    assert fill(0.0, 0.0) == "#e9e2d0"
    assert fill(0.5, 0.5) == "#5f2a32"


def test_a_ruleset_without_a_board_has_none() -> None:
    found = study(hr.load("goofspiel-1.0"), scenario="full-hands", games=2, traced=2)

    assert found.results[0].control == ()
    assert "Who holds what" not in found.report().page()


@pytest.mark.thorough
def test_a_typical_game_ends_as_most_do_with_their_median_length(found: Study) -> None:
    (number,) = {
        each.number
        for each in found.results[0].sample_games
        if (each.kind, each.side) == ("typical", "one")
    }
    batch = Batch.of(hr.load("breakthrough-1.0"), backend="python", is_paired=True)
    ends = list(batch.play_scenario(SCENARIO, (f"5/{game}" for game in range(GAMES))))
    (most, _), *_ = Counter((end.outcome, end.reason) for end in ends).most_common(1)
    lengths = sorted(end.decisions for end in ends if (end.outcome, end.reason) == most)

    assert (ends[number].outcome, ends[number].reason) == most
    assert ends[number].decisions == lengths[(len(lengths) - 1) // 2]


def test_a_figure_without_an_interval_is_left_out(sides: list[StudySide]) -> None:
    house = StudySide("house", hr.load("breakthrough-1.0"))
    few = study(sides[0], house, scenario=SCENARIO, games=1).report().markdown()

    assert "inf" not in few.replace("info", "")
    assert "| decisions | – | – |" in few
    assert "Decisions before" not in few


@pytest.mark.parametrize(
    ("language", "words"),
    [("fr", ("Politique", "Méthode", "typique", "décisions")), ("es", ("Política", "típica"))],
)
def test_the_report_speaks_the_languages_of_the_library(
    found: Study, language: str, words: tuple[str, ...]
) -> None:
    for report in (found.report(language).page(), found.report(language).markdown()):
        assert all(word in report for word in words)
        assert "‹" not in report
    assert f'<html lang="{language}">' in found.report(language).page()


def test_the_command_writes_a_report_in_a_language(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    asked = ["study", "breakthrough-1.0", "--scenario", SCENARIO, "--games", "4", "--rules", "4"]
    run = CliRunner().invoke(app, [*asked, "--language", "es", "-o", str(out)])

    assert run.exit_code == 0
    assert "Quién ocupa qué" in out.read_text(encoding="utf-8")
    wrong = CliRunner().invoke(app, [*asked, "--language", "xx", "-o", str(tmp_path / "no.html")])
    assert wrong.exit_code == 2
    assert not (tmp_path / "no.html").exists()
