"""The files in which a study keeps its results: what is damaged is named, and its games are played again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.needs import needs

pyarrow, parquet = needs("pyarrow"), needs("pyarrow.parquet")

from attrs import evolve

from hots_rules.cli.app import app
from hots_rules.cli.exits import run
from hots_rules.cli.results_folder import ResultsFolder
from hots_rules.diagnostics import ResultsPlayedAgain
from hots_rules.study import Study, StudyRun, StudySide
from hots_rules.study.files import kept_rounds, with_digest
from hots_rules.study.tasks import tasks_of
from tests.study.test_parts import PLAN, played

GAMES = 5


def of_folder(sides: list[StudySide], folder: Path, seed: str = "7") -> Study:
    plan = evolve(PLAN, seed=seed)
    return played(StudyRun(sides, plan, "python", store=ResultsFolder(folder)), games=GAMES)


@pytest.fixture(scope="module")
def first(sides: list[StudySide], tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path]:
    """A study and the file of its results."""
    folder = tmp_path_factory.mktemp("results")
    study = of_folder(sides, folder)
    (file,) = folder.iterdir()
    return study, file


def assert_played_again(
    data: bytes, reason: str, first: tuple[Study, Path], sides: list[StudySide], folder: Path
) -> None:
    study, sound = first
    file = folder / sound.name
    file.write_bytes(data)
    with pytest.warns(ResultsPlayedAgain, match=f"`{sound.name}` are played again: .*{reason}"):
        again = of_folder(sides, folder)

    assert again.results == study.results
    assert file.read_bytes() == sound.read_bytes()


# ------------------------------------------------------------------ damaged
def test_no_flipped_bit_is_read_as_other_games(sides, first) -> None:
    """In the header, the pages, the digest, the footer and its length: a bit of each byte."""
    study_run = StudyRun(sides, PLAN, "python")
    (task,) = tasks_of(study_run._player, PLAN.policies[0], 0, GAMES)
    sound = first[1].read_bytes()
    assert first[1].name == task.file
    assert kept_rounds(sound, task) is not None
    for at in range(len(sound)):
        flipped = bytearray(sound)
        flipped[at] ^= 1 << at % 8
        with pytest.warns(ResultsPlayedAgain, match=f"`{task.file}`"):
            assert kept_rounds(bytes(flipped), task) is None


CHANGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _: b"", "empty"),
    "the header alone": (lambda sound: sound[:4], "no whole Parquet file"),
    "zeros": (lambda sound: bytes(len(sound)), "no whole Parquet file"),
    "cut in the middle": (lambda sound: sound[: len(sound) // 2], "no whole Parquet file"),
    "cut at its end": (lambda sound: sound[:-1], "no whole Parquet file"),
    "a footer longer than the file": (
        lambda sound: sound[:-8] + b"\xff\xff\xff\x7fPAR1",
        "no whole Parquet file",
    ),
    "without a beginning": (lambda sound: sound[1:], "no whole Parquet file"),
    "longer": (lambda sound: sound + sound, "digest"),
    "a page of zeros": (lambda sound: sound[:100] + bytes(100) + sound[200:], "its digest"),
    "a text": (lambda _: b"outcome_1,reason_1\n", "no whole Parquet file"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_file_is_played_again(change: str, sides, first, tmp_path: Path) -> None:
    damage, reason = CHANGES[change]
    assert_played_again(damage(first[1].read_bytes()), reason, first, sides, tmp_path)


# ------------------------------------------------------------------ of somebody else
def test_a_file_without_a_digest_is_played_again(sides, first, tmp_path: Path) -> None:
    """So did versions before 0.2 write them, and so does another program that changes one."""
    file = tmp_path / "plain.parquet"
    parquet.write_table(parquet.read_table(first[1]), file)
    assert_played_again(file.read_bytes(), "no digest", first, sides, tmp_path)


def test_a_file_of_another_study_is_played_again(sides, first, tmp_path: Path) -> None:
    of_folder(sides, tmp_path, seed="8")
    (other,) = tmp_path.iterdir()
    assert other.name != first[1].name
    assert_played_again(other.read_bytes(), "other games", first, sides, tmp_path)


@pytest.mark.parametrize("rows", [0, 4])
def test_a_file_of_fewer_games_is_played_again(rows: int, sides, first, tmp_path: Path) -> None:
    assert_played_again(
        signed(parquet.read_table(first[1])[:rows]), "other games", first, sides, tmp_path
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "column, values, reason",
    [
        ("decisions", [None] * 10, "columns"),
        ("outcome", [None] * 10, "columns"),
        ("diverges_at", [None] * 10, "columns"),
        ("diverges_at_point", [[]] * 10, "columns"),
        ("diverges_at_point", [[], [None]] * 5, "columns"),
        # Small when packed.
        ("reason", [f"{number}" * 5_000_000 for number in range(10)], "too large"),
    ],
)
def test_a_file_with_holes_or_too_large_unpacked_is_played_again(
    column: str, values: list[object], reason: str, sides, first, tmp_path: Path
) -> None:
    table = parquet.read_table(first[1])
    field = table.schema.field(column)
    number = table.column_names.index(column)
    given = table.set_column(number, field, pyarrow.array(values, field.type))
    assert given.schema.metadata == table.schema.metadata

    assert_played_again(signed(given), reason, first, sides, tmp_path)


def signed(table: object) -> bytes:
    """A table as a file with a digest, as whoever can write files can make one."""
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    return with_digest(sink.getvalue().to_pybytes())


# ------------------------------------------------------------------ sound
def test_other_programs_read_a_file(first) -> None:
    table = parquet.read_table(first[1])

    assert table.num_rows == GAMES * 2
    assert table.column_names == [
        *("scenario", "policy", "seed", "game", "side", "outcome", "reason", "decisions"),
        *(*PLAN.measures, "diverges_at", "diverges_at_point"),
    ]
    assert table["game"].to_pylist()[-2:] == [GAMES - 1] * 2
    assert table["side"].to_pylist()[:2] == ["breakthrough-1.0", "house"]
    assert b"two-ranks" in table.schema.metadata[b"hots_rules study"]


@pytest.mark.thorough
def test_the_command_names_the_file(
    tmp_path: Path, house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("study", "breakthrough-1.0", str(house), "--scenario", "two-ranks", "--games", "5")
    monkeypatch.setattr(sys, "argv", ["hots", *asked, "--json", "--results", str(tmp_path)])
    assert run(app) == 0
    told, _ = capsys.readouterr()
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-1])
    assert run(app) == 0
    again, warned = capsys.readouterr()

    assert f"the games of the file `{file.name}` are played again" in warned
    assert again.partition('"seconds"')[0] == told.partition('"seconds"')[0]
