"""Studies: the same numbered games on all sides, counted into figures with intervals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.analysis.batches import Batch
from hots_rules.cli.app import app
from hots_rules.compare import Study, StudySide, StudyTotals, study

pytestmark = pytest.mark.studies

HOUSE = """ruleset straight-1.0 "House rule: men capture straight ahead, too"
  extends breakthrough-1.0
repeal rule no-capture-straight-ahead
"""
SCENARIO = "two-ranks"
GAMES = 60


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> list[StudySide]:
    path = tmp_path_factory.mktemp("study") / "straight.rules"
    path.write_text(HOUSE, encoding="utf-8")
    return [StudySide("as printed", hr.load("breakthrough-1.0")), StudySide("house", hr.load(path))]


@pytest.fixture(scope="module")
def found(sides: list[StudySide]) -> Study:
    return study(*sides, scenario=SCENARIO, games=GAMES, seed=7, measures=("count(men(White))",))


def figures(study: Study) -> list[object]:
    """What does not depend on what played."""
    return [study.sides, study.results, study.games]


def test_the_shares_are_those_of_the_games(sides: list[StudySide], found: Study) -> None:
    batch = Batch.of(sides[1].ruleset, backend="python", is_paired=True)
    start = batch.machine.begin(SCENARIO)
    ends = list(batch.play((start, f"7/{number}") for number in range(GAMES)))
    white = sum(end.outcome == 2 for end in ends) / GAMES
    result = found.results[0]

    assert white == pytest.approx(result.estimate("house", "White wins").mean)
    assert 1 - white == pytest.approx(result.estimate("house", "Black wins").mean)
    mean = sum(end.decisions for end in ends) / GAMES
    assert mean == pytest.approx(result.estimate("house", "decisions").mean)


def test_an_effect_is_the_difference_of_two_estimates(found: Study) -> None:
    result = found.results[0]
    for effect in result.effects:
        before, after = (
            result.estimate(side, effect.figure) for side in (effect.one, effect.other)
        )
        assert after.mean - before.mean == pytest.approx(effect.difference)
        assert effect.low <= effect.difference <= effect.high
        assert effect.p <= effect.corrected


def test_a_ruleset_against_itself_differs_nowhere(sides: list[StudySide]) -> None:
    twins = [sides[0], StudySide("again", sides[0].ruleset)]
    result = study(*twins, scenario=SCENARIO, games=20).results[0]

    assert [0] == [part.share.mean for part in result.partings]
    assert {0} == {effect.difference for effect in result.effects}
    assert {1.0} == {effect.corrected for effect in result.effects}


def test_the_figures_do_not_depend_on_what_plays(sides: list[StudySide], found: Study) -> None:
    pytest.importorskip("wasmtime", reason="an extra is not installed")
    other = study(
        *sides,
        scenario=SCENARIO,
        games=GAMES,
        seed=7,
        measures=("count(men(White))",),
        backend="wasm",
        workers=2,
    )

    assert figures(found) == figures(other)


def test_a_study_that_goes_on_is_the_same_study(sides: list[StudySide], found: Study) -> None:
    totals = StudyTotals(sides, SCENARIO, "7", measures=("count(men(White))",))
    for rounds in totals.play(GAMES):
        if rounds == 17:
            break
    assert 17 == totals.result().results[0].games
    list(totals.play(GAMES - 17))

    assert figures(found) == figures(totals.result())


def test_a_study_stops_when_its_intervals_are_narrow(
    sides: list[StudySide], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hots_rules.compare.studying.CHECKED_EVERY", 10)
    result = study(*sides, scenario=SCENARIO, games=500, until_width=0.9)

    assert result.games < 500
    assert 0 == result.games % 10
    wins = [result.results[0].estimate("house", f"{player} wins") for player in ("White", "Black")]
    assert all(each.width <= 0.9 for each in wins)


def test_policies_are_put_side_by_side(sides: list[StudySide]) -> None:
    forward = "move(from, to) when rank[to] = goal[actor]"
    result = study(*sides, scenario=SCENARIO, games=5, policies=("random", forward))

    assert ["random", forward] == [each.policy for each in result.results]
    assert "## Policies side by side" in result.markdown()


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"scenario": "one-rank"}, "scenario"),
        ({"policies": ("bold",)}, "policy"),
        ({"backend": "cobol"}, "backend"),
        ({"measures": ("mover",)}, "measure"),
    ],
)
def test_what_a_side_lacks_is_told_before_any_game(
    sides: list[StudySide], changed: dict[str, object], cause: str
) -> None:
    with pytest.raises(hr.UnknownOption, match=cause):
        StudyTotals(**{"sides": sides, "scenario": SCENARIO, **changed})


def test_sides_of_other_games_or_equal_names_are_refused(sides: list[StudySide]) -> None:
    with pytest.raises(hr.UnknownOption, match="different names"):
        StudyTotals([sides[0], sides[0]], SCENARIO)
    with pytest.raises(hr.UnknownOption):
        StudyTotals([sides[0], StudySide("cards", hr.load("goofspiel-1.0"))], SCENARIO)


# ---------------------------------------------------------------- the command
@pytest.fixture
def house(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "straight.rules"
    path.write_text(HOUSE, encoding="utf-8")
    yield str(path)


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["study", *words])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_prints_the_report(house: str) -> None:
    code, said, _ = run("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "5")

    assert 0 == code
    assert said.startswith("# breakthrough-1.0 against ")
    assert "| White wins |" in said


def test_the_command_prints_json(house: str) -> None:
    args = ("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "5", "--json")
    code, said, _ = run(*args)

    assert 0 == code
    assert 5 == json.loads(said)["results"][0]["games"]


def test_the_report_is_written_into_a_file(house: str, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    args = ("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "5")
    code, _, _ = run(*args, "-o", str(out))

    assert 0 == code
    assert "| Black wins |" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("--policy", "bold"),
        ("--until-width", "wide"),
        ("--until-width", "0%"),
        ("--scenario", "one-rank"),
        ("--backend", "cobol"),
    ],
)
def test_a_mistake_writes_nothing(words: tuple[str, ...], house: str, tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    code, said, error = run(
        "breakthrough-1.0", house, "--scenario", SCENARIO, "-o", str(out), *words
    )

    assert (2, "") == (code, said)
    assert error
    assert not out.exists()
