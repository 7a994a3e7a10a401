"""Studies: the same numbered games on all sides, counted into figures with intervals."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.analysis.players import named_bots
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.cli.app import app
from hots_rules.study import Study, StudyPlan, StudyRun, StudySide
from hots_rules.study.tallies import MAX_VALUES, PlayedGame, Tally
from tests.needs import needs
from tests.study.studies import study

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


@pytest.mark.thorough
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


def test_a_side_that_there_is_not_is_refused_by_its_name(found: Study) -> None:
    result = found.results[0]
    with pytest.raises(hr.UnknownName, match=r"(?s)`hause`.*`house`"):
        result.estimate("hause", "White wins")
    with pytest.raises(hr.UnknownName, match="`hause`"):
        result.rules.mean_times("hause", "rule advance")


def test_a_ruleset_against_itself_differs_nowhere(sides: list[StudySide]) -> None:
    twins = [sides[0], StudySide("again", sides[0].ruleset)]
    result = study(*twins, scenario=SCENARIO, games=20).results[0]

    assert [0] == [part.share.mean for part in result.divergences]
    assert {0} == {effect.difference for effect in result.effects}
    assert {1.0} == {effect.corrected for effect in result.effects}


def test_the_figures_do_not_depend_on_what_plays(sides: list[StudySide], found: Study) -> None:
    needs("wasmtime")
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
    plan = StudyPlan(found.plan.sides, SCENARIO, GAMES, "7", measures=found.plan.measures)
    study_run = StudyRun(sides, plan)
    for rounds in study_run.play():
        if rounds == 17:
            break
    assert 17 == study_run.result().results[0].games
    list(study_run.play())

    assert figures(found) == figures(study_run.result())


def test_a_study_stops_when_its_intervals_are_narrow(
    sides: list[StudySide], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hots_rules.study.running.CHECKED_EVERY", 10)
    result = study(*sides, scenario=SCENARIO, games=500, until_width=0.9)

    assert result.games < 500
    assert 0 == result.games % 10
    wins = [result.results[0].estimate("house", f"{player} wins") for player in ("White", "Black")]
    assert all(each.width <= 0.9 for each in wins)


def test_policies_are_put_side_by_side(sides: list[StudySide]) -> None:
    forward = "move(from, to) when rank[to] = goal[actor]"
    result = study(*sides, scenario=SCENARIO, games=5, policies=("random", forward))

    assert ["random", forward] == [each.policy for each in result.results]
    assert "## Policies side by side" in result.report().markdown()


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
    with pytest.raises(hr.ArgumentError, match=cause):
        study(*sides, **{"scenario": SCENARIO, **changed})


def test_the_error_of_an_unknown_policy_names_the_bots_too(sides: list[StudySide]) -> None:
    with pytest.raises(hr.UnknownName, match=r"`nonsense`[^$]*`random`, `monte-carlo`, `ismcts`"):
        study(*sides, scenario=SCENARIO, games=1, policies=("nonsense",))


def test_sides_of_other_games_or_equal_names_are_refused(sides: list[StudySide]) -> None:
    with pytest.raises(hr.BadArgument, match="different names"):
        study(sides[0], sides[0], scenario=SCENARIO)
    with pytest.raises(hr.BadArgument):
        study(sides[0], StudySide("cards", hr.load("goofspiel-1.0")), scenario=SCENARIO)


def test_rules_are_counted_in_the_first_games(sides: list[StudySide]) -> None:
    """Whoever breaks through ends the game, so this rule comes up in nearly all games, and once at most."""
    result = study(*sides, scenario=SCENARIO, games=12, seed=7, traced=8).results[0]
    shares = {share.figure: share.mean for share in result.rules.shares["as printed"]}
    ends = result.estimate("as printed", "ends by breaking-through").mean

    assert 8 == result.rules.games
    assert {1.0} == {shares["action move"], shares["phase game"]}
    assert 0.5 < shares["rule breaking-through"] <= 1
    assert ends == pytest.approx(shares["rule breaking-through"], abs=0.5)


def test_a_guided_game_is_traced_as_it_was_played(sides: list[StudySide]) -> None:
    policy = "White=move(from, to) when rank[to] = goal[actor],Black=random"
    found = study(*sides, scenario=SCENARIO, games=6, traced=6, policies=(policy,)).results[0]
    shares = {share.figure: share.mean for share in found.rules.shares["house"]}

    assert shares["rule breaking-through"] == pytest.approx(
        found.estimate("house", "ends by breaking-through").mean
    )


def test_a_game_to_look_at_is_the_one_that_was_counted(sides: list[StudySide]) -> None:
    plan = StudyPlan(("as printed", "house"), SCENARIO, 30, "7")
    study_run = StudyRun(sides, plan)
    list(study_run.play())
    result = study_run.result().results[0]
    lengths = {
        each.kind: len(study_run.game("random", each).moves)
        for each in result.sample_games
        if each.side == "house"
    }
    batch = Batch.of(sides[1].ruleset, backend="python", is_paired=True)
    start = batch.machine.begin(SCENARIO)
    known = [end.decisions for end in batch.play((start, f"7/{number}") for number in range(30))]

    assert (min(known), max(known)) == (lengths["shortest"], lengths["longest"])
    assert any(kind.startswith("first divergence") for kind in lengths)


# ---------------------------------------------------------------- plans
def test_a_plan_is_read_from_its_file(found: Study) -> None:
    assert found.plan == StudyPlan.parse(found.plan.toml())
    assert found.plan.digest != StudyPlan(("a", "b"), SCENARIO).digest


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("sides = [", "TOML"),
        ("sides = ['a']", "scenario"),
        ("sides = 'a'\nscenario = 's'", "list of texts"),
        ("sides = ['a']\nscenario = 's'\ngame = 3", "game"),
        ("sides = ['a']\nscenario = 's'\ngames = 0", "above 0"),
        ("sides = ['a']\nscenario = 's'\nuntil_width = 7", "0 to 1"),
        ("sides = ['a']\nscenario = 's'\ntraced = true", "whole number"),
    ],
)
def test_a_plan_with_a_mistake_is_refused(text: str, cause: str) -> None:
    with pytest.raises(hr.ArgumentError, match=cause):
        StudyPlan.parse(text)


def test_the_page_stands_alone_and_draws_every_share(found: Study) -> None:
    page = found.report().page()
    shares = [each for each in found.results[0].estimates["house"] if each.kind == "share"]

    assert page.startswith("<!doctype html>")
    assert "http" not in page
    assert page.count("<svg") == 2 * len(shares) + len(found.results[0].effects)
    assert found.plan.digest in page


def test_names_of_sides_are_no_markup(sides: list[StudySide]) -> None:
    odd = StudySide("<script>alert(1)</script>", sides[0].ruleset)
    page = study(sides[1], odd, scenario=SCENARIO, games=1).report().page()

    assert "<script" not in page


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


@pytest.mark.thorough
def test_a_study_file_makes_the_same_study(house: str, tmp_path: Path) -> None:
    args = ("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "5", "--rules", "2")
    once = json.loads(run(*args, "--json")[1])
    file = tmp_path / "study.toml"
    file.write_text(StudyPlan.parse(_toml(once["plan"])).toml(), encoding="utf-8")
    again = json.loads(run(str(file), "--json")[1])

    assert (once["digest"], once["results"]) == (again["digest"], again["results"])


def test_options_beside_a_study_file_replace_its_entries(house: str, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    plan = StudyPlan(("breakthrough-1.0", house), SCENARIO, 5, "7", measures=("2",))
    file.write_text(plan.toml(), encoding="utf-8")
    alone = json.loads(run(str(file), "--json")[1])["plan"]
    beside = json.loads(run(str(file), "--games", "3", "--seed", "0", "--json")[1])["plan"]

    assert (5, "7") == (alone["games"], alone["seed"])
    assert alone | {"games": 3, "seed": "0"} == beside


def _toml(entries: dict[str, object]) -> str:
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in entries.items())


@pytest.mark.thorough
def test_records_of_games_are_written_and_replay(house: str, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    args = ("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "9")
    code, _, _ = run(*args, "--records", str(folder))
    files = sorted(folder.iterdir())

    assert 0 == code
    assert 4 <= len(files) <= 8
    assert all(hr.replay(hr.Record.read(file)).is_over for file in files if "side-1" in file.name)


def test_an_interrupted_study_leaves_a_report(
    house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = StudyRun.play

    def interrupted(study_run: StudyRun) -> Iterator[int]:
        for rounds in whole(study_run):
            if rounds == 3:
                signal.raise_signal(signal.SIGINT)
            yield rounds

    monkeypatch.setattr(StudyRun, "play", interrupted)
    out = tmp_path / "report.json"
    args = ("breakthrough-1.0", house, "--scenario", SCENARIO, "--games", "50", "-o", str(out))
    code, _, error = run(*args)

    assert 130 == code
    assert "interrupted after 3 of 50 games" in error
    assert 3 == json.loads(out.read_text(encoding="utf-8"))["results"][0]["games"]


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


def test_the_games_by_the_value_of_a_measure_are_all_games(found: Study) -> None:
    measure, result = "count(men(White))", found.results[0]
    for side in ("as printed", "house"):
        outcomes = result.by_value[side][measure]
        assert sum(sum(each.values()) for each in outcomes.values()) == GAMES
        mean = sum(value * sum(each.values()) for value, each in outcomes.items()) / GAMES
        assert mean == pytest.approx(result.estimate(side, measure).mean)
        won = sum(each.get("White", 0) for each in outcomes.values()) / GAMES
        assert won == pytest.approx(result.estimate(side, "White wins").mean)
    assert f"| {measure} | as printed | house |" in found.report().markdown()
    assert f'<th scope="col">{measure}</th>' in found.report().page()


def test_a_measure_with_many_values_has_only_its_mean() -> None:
    tally = Tally.of(1)
    for value in range(MAX_VALUES + 5):
        tally.add(PlayedGame("White", "", 1, (value,)))
    assert tally.by_value == [{}]
    assert tally.measures[0].number == MAX_VALUES + 5


# ------------------------------------------------------------------ bots
class LastBot:
    """Chooses the last action that it sees."""

    def choose(self, game: hr.Game, player: str) -> hr.Action:
        return game.view(player).actions[-1]


class WrongBot(LastBot):
    """Chooses what was legal at the start, always."""

    def choose(self, game: hr.Game, player: str) -> hr.Action:
        return game.ruleset.start(SCENARIO, seed="0").actions[0]


@pytest.fixture
def last_bot(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A package with the bots `last`, `wrong` and one that cannot be loaded; lists the budgets asked for."""
    budgets: list[int] = []

    def make(seed: str, budget: int) -> LastBot:
        budgets.append(budget)
        return LastBot()

    def fail() -> None:
        raise ImportError("no such module")

    entries = [
        SimpleNamespace(name="last", load=lambda: make),
        SimpleNamespace(name="wrong", load=lambda: lambda seed, budget: WrongBot()),
        SimpleNamespace(name="broken", load=fail),
    ]
    monkeypatch.setattr(named_bots, "entry_points_of", lambda group: entries)
    return budgets


def test_a_bot_of_a_package_plays_for_its_player(
    last_bot: list[int], sides: list[StudySide]
) -> None:
    plan = StudyPlan(("as printed",), SCENARIO, 3, "7", ("White=last:5,Black=random",))
    study_run = StudyRun(sides[:1], plan)
    assert list(study_run.play()) == [1, 2, 3]
    result = study_run.result().results[0]
    assert set(last_bot) == {5}
    game = study_run.game(result.policy, result.sample_games[0])
    replayed = game.ruleset.start(SCENARIO, seed=game.seed)
    for code in game.moves:
        if "White" in replayed.to_move:
            assert replayed.view("White").actions[-1].code == code
        replayed = replayed.play_code(code)
    assert replayed.is_over


def test_two_bots_meet_and_choose_the_same_again(sides: list[StudySide]) -> None:
    plan = StudyPlan(("as printed",), SCENARIO, 1, "7", ("White=monte-carlo:4,Black=ismcts:4",))
    ends = []
    for _ in range(2):
        study_run = StudyRun(sides[:1], plan)
        list(study_run.play())
        list(study_run.trace())
        ends.append(study_run.result().results)
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("monte-carlo:0", "a number from 1"),
        ("ismcts:99999999", "a number from 1"),
        ("broken", "no such module"),
        ("unheard-of", "unheard-of"),
    ],
)
def test_a_bot_that_there_is_not_is_refused(
    policy: str, message: str, last_bot: list[int], sides: list[StudySide]
) -> None:
    plan = StudyPlan(("as printed",), SCENARIO, 1, "7", (policy,))
    with pytest.raises(hr.ArgumentError, match=message):
        StudyRun(sides[:1], plan)


def test_a_bot_that_breaks_the_rules_is_named(last_bot: list[int], sides: list[StudySide]) -> None:
    study_run = StudyRun(sides[:1], StudyPlan(("as printed",), SCENARIO, 1, "7", ("White=wrong",)))
    with pytest.raises(hr.EngineError, match="the bot of White chose"):
        list(study_run.play())
