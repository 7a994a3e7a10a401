"""Studies whose games are played in parts: by other processes, on a cluster, and with results that are kept."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli import cluster
from hots_rules.cli.app import app
from hots_rules.cli.results_folder import ResultsFolder
from hots_rules.study import Study, StudyPlan, StudyRun, StudySide, rounds, tasks
from tests.needs import needs

PLAN = StudyPlan(
    ("breakthrough-1.0", "house"), "two-ranks", 50, "7", measures=("count(men(White))",)
)


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "ROUNDS_OF_A_TASK", 20)


@pytest.fixture(scope="module")
def whole(sides: list[StudySide]) -> Study:
    return played(StudyRun(sides, PLAN, "python"))


def played(study_run: StudyRun, games: int | None = None) -> Study:
    for _ in study_run.play(games):
        pass
    return study_run.result()


def refuse_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*_: object) -> Iterator[object]:
        raise AssertionError("a game is played")

    monkeypatch.setattr(rounds.RoundPlayer, "play", play)


# ------------------------------------------------------------------ parts
@pytest.mark.thorough
def test_the_split_into_parts_changes_no_figure(
    sides: list[StudySide], whole: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in (1, 7, 20, 50, 1000):
        monkeypatch.setattr(tasks, "ROUNDS_OF_A_TASK", size)
        with ThreadPoolExecutor(3) as executor:
            assert played(StudyRun(sides, PLAN, "python", 1, executor)).results == whole.results


def test_a_broken_study_plays_only_what_is_missing(
    small_parts: None,
    sides: list[StudySide],
    whole: Study,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played(StudyRun(sides, PLAN, "python", store=ResultsFolder(tmp_path)), games=45)
    assert len(list(tmp_path.iterdir())) == 3
    asked = []
    plain = rounds.RoundPlayer.play

    def noted(player: rounds.RoundPlayer, policy: str, first: int, games: int) -> Iterator[object]:
        asked.append((first, games))
        return plain(player, policy, first, games)

    monkeypatch.setattr(rounds.RoundPlayer, "play", noted)
    assert (
        played(StudyRun(sides, PLAN, "python", store=ResultsFolder(tmp_path))).results
        == whole.results
    )
    assert asked == [(40, 10)]  # the last part had five rounds
    refuse_play(monkeypatch)
    assert (
        played(StudyRun(sides, PLAN, "python", store=ResultsFolder(tmp_path))).results
        == whole.results
    )


def test_a_part_of_other_rules_is_not_taken(
    sides: list[StudySide], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(StudyRun(sides, PLAN, "python", store=ResultsFolder(tmp_path)), games=5)
    refuse_play(monkeypatch)
    with pytest.raises(AssertionError):
        played(StudyRun(sides[::-1], PLAN, "python", store=ResultsFolder(tmp_path)), games=5)


def test_a_worker_of_another_version_is_refused(
    sides: list[StudySide], monkeypatch: pytest.MonkeyPatch
) -> None:
    player = rounds.RoundPlayer(sides, PLAN, "python")
    (task,) = tasks.tasks_of(player, "random", 0, 5)
    assert len(tasks.play_task(player, task)[1]) == 5
    monkeypatch.setattr(tasks, "__version__", "0.0.1")
    with pytest.raises(hr.EngineError, match=r"0\.0\.1"):
        tasks.play_task(player, task)


# ------------------------------------------------------------------ a cluster
def hots(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.output


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def process(*words: object) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "dask", *map(str, words)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as started:
        try:
            yield started
        finally:
            with suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)


@pytest.fixture
def address() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler with two workers, each a process of its own."""
    distributed = needs("distributed")
    port = free_port()
    scheduler = f"tcp://127.0.0.1:{port}"
    with ExitStack() as stack:
        stack.enter_context(
            process("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
        )
        workers = [
            stack.enter_context(
                process("worker", scheduler, "--no-nanny", "--nthreads", 1, "--no-dashboard")
            )
            for _ in range(2)
        ]
        with distributed.Client(scheduler, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
        yield scheduler, workers


@pytest.mark.thorough
def test_a_study_on_a_cluster_survives_the_death_of_a_worker(
    small_parts: None,
    address: tuple[str, list[subprocess.Popen[bytes]]],
    sides: list[StudySide],
    tmp_path: Path,
) -> None:
    scheduler, workers = address
    plan = StudyPlan(PLAN.sides, PLAN.scenario, 400, "7")
    expected = played(StudyRun(sides, plan, "python"))
    with cluster.cluster(scheduler) as executor:
        study_run = StudyRun(sides, plan, "python", 1, executor, ResultsFolder(tmp_path))
        for done in study_run.play():
            if done == 60:
                os.killpg(workers[0].pid, signal.SIGKILL)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert study_run.result().results == expected.results
    assert len(list(tmp_path.iterdir())) == 20


@pytest.mark.thorough
def test_the_command_plays_a_house_rule_on_a_cluster(
    address: tuple[str, list[subprocess.Popen[bytes]]],
    house: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = ("study", "breakthrough-1.0", house, "--scenario", "two-ranks", "--games", 40)
    out, also = tmp_path / "here.json", tmp_path / "there.json"
    assert hots(*asked, "-o", out)[0] == 0
    code, output = hots(*asked, "--cluster", address[0], "-o", also, "--backend", "python")
    assert code == 0, output
    assert told(out) == told(also)
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    code, output = hots(*asked, "--cluster", address[0], "-o", tmp_path / "none.json")
    assert (code, (tmp_path / "none.json").exists()) == (2, False)
    assert "has hots_rules" in " ".join(output.split())


def test_a_worker_that_dies_before_play_is_left_out() -> None:
    cluster.check_versions({"lost": OSError("closed"), "well": cluster.versions()})
    with pytest.raises(typer.BadParameter, match="no workers"):
        cluster.check_versions({"lost": OSError("closed")})
    with pytest.raises(typer.BadParameter, match="the worker bare has no hots_rules"):
        cluster.check_versions({"bare": ModuleNotFoundError("hots_rules")})


def told(file: Path) -> str:
    """A report without the time that it took and what played it."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if '"seconds"' not in line and '"backend"' not in line)


def test_an_unreachable_cluster_is_one_sentence_and_writes_nothing(
    house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("distributed")
    monkeypatch.setattr(cluster, "SECONDS", 1)
    folder, started = tmp_path / "results", time.monotonic()
    code, output = hots(
        *("study", house, "--scenario", "two-ranks", "--results", folder, "-o", tmp_path / "a.md"),
        *("--cluster", f"tcp://127.0.0.1:{free_port()}"),
    )
    assert code == 2
    assert "no scheduler answers" in " ".join(output.split())
    assert not list(tmp_path.iterdir())
    assert time.monotonic() - started < 30
