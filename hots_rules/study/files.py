"""The rounds of a study as Parquet files, so that a study that was broken off goes on where it stood.

A file has a row for each round. Its columns are numbered by the sides, from 1: `outcome_1`, `reason_1`, `decisions_1`,
`measure_1_1`, …, and `decision_1_2` and `point_1_2` for where the games of sides 1 and 2 diverge. Its name is a
digest of its task, and its metadata has the task as JSON.

A digest of the whole file stands before its footer, where Parquet leaves room: all places in a file are counted from
its beginning, and the footer from its end. So other programs read the file too, and it is written in one piece.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from io import BytesIO
from itertools import chain
from typing import Any
from warnings import warn

from attrs import asdict

from hots_rules.diagnostics import MissingLibrary, ResultsPlayedAgain
from hots_rules.study.tallies import GameDivergence, Played, Round, pairs
from hots_rules.study.tasks import StudyTask

MAX_BYTES = 16_000_000
"""The size of a file, packed and unpacked; a larger one is none of ours."""
_ENTRY = b"hots_rules study"
_MAGIC = b"PAR1"
"""With which a Parquet file begins and ends."""
_END = 4 + len(_MAGIC)
"""The length of the end of a Parquet file: the length of its footer, and `PAR1`."""
_MARK = b"hots_rules blake2b"
_DIGEST = 32


class UnusableResults(ValueError):
    """Why the rounds of a file are not taken."""


def kept_rounds(data: bytes, task: StudyTask, measures: int) -> list[Round] | None:
    """The rounds of a task from the bytes of its file; None, and a warning, if they are to be played again.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    try:
        return _read_rounds(data, task, measures)
    except UnusableResults as error:
        message = f"the games of the file `{task.file}` are played again: {error}"
        warn(message, ResultsPlayedAgain, stacklevel=2)
        return None


def _read_rounds(data: bytes, task: StudyTask, measures: int) -> list[Round]:
    """The rounds of a task from the bytes of its file.

    Raises:
        UnusableResults: the file is damaged, or is of another task.
        MissingLibrary: pyarrow is not installed.
    """
    pyarrow, parquet = _arrow()
    if len(data) > MAX_BYTES:
        raise UnusableResults("it is too large")
    # A damaged file is not given to pyarrow, which trusts what it reads.
    _check_digest(data)
    try:
        file = parquet.ParquetFile(BytesIO(data))
        described = (file.schema_arrow.metadata or {}).get(_ENTRY)
        if described != _described(task) or file.metadata.num_rows != task.games:
            raise UnusableResults("it has other games")
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > MAX_BYTES:
            raise UnusableResults("it is too large")
        is_ours = file.schema_arrow.remove_metadata().equals(_schema(len(task.sides), measures))
        columns = file.read().to_pydict() if is_ours else {}
    except (OSError, pyarrow.ArrowException) as error:
        raise UnusableResults("it cannot be read") from error
    if not columns or not _is_whole(columns):
        raise UnusableResults("its columns are others")
    return _rounds(columns, len(task.sides), measures)


# ------------------------------------------------------------------ the digest
def with_digest(data: bytes) -> bytes:
    """A Parquet file with the digest of its content before its footer."""
    footer = _footer(data)
    return data[:footer] + _MARK + _digest(data) + data[footer:]


def _check_digest(data: bytes) -> None:
    """Raise unless a file is as it was written.

    Raises:
        UnusableResults: it is not.
    """
    if not data:
        raise UnusableResults("it is empty")
    footer = _footer(data)
    body, marked = data[: footer - len(_MARK) - _DIGEST], data[: footer - _DIGEST]
    if not marked.endswith(_MARK):
        raise UnusableResults("it has no digest: it is damaged, or another program wrote it")
    if data[footer - _DIGEST : footer] != _digest(body + data[footer:]):
        raise UnusableResults("it is damaged: its digest is that of another content")


def _footer(data: bytes) -> int:
    """Where the footer of a Parquet file begins.

    Raises:
        UnusableResults: it is no Parquet file, or is cut.
    """
    at = len(data) - _END - int.from_bytes(data[-_END : -len(_MAGIC)], "little")
    if at < len(_MAGIC) or not (data.startswith(_MAGIC) and data.endswith(_MAGIC)):
        raise UnusableResults("it is no whole Parquet file")
    return at


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


# ------------------------------------------------------------------ the rounds
def _is_whole(columns: Mapping[str, Sequence[object]]) -> bool:
    """Whether values are missing only for games that do not diverge: the decision and the point, both of them."""
    missing = {name: [value is None for value in column] for name, column in columns.items()}
    for name, rows in missing.items():
        if name.startswith("point_"):
            continue
        may_miss = [False] * len(rows)
        if name.startswith("decision_"):
            may_miss = missing[f"point_{name.removeprefix('decision_')}"]
        if rows != may_miss:
            return False
    return True


def rounds_file(task: StudyTask, rounds: Sequence[Round], measures: int) -> bytes:
    """The file of the rounds of a task.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    pyarrow, parquet = _arrow()
    schema = _schema(len(task.sides), measures)
    rows = [_row(played) for played in rounds]
    columns = [
        pyarrow.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    table = pyarrow.table(columns, schema=schema.with_metadata({_ENTRY: _described(task)}))
    file = BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return with_digest(file.getvalue())


def _described(task: StudyTask) -> bytes:
    return json.dumps(asdict(task)).encode()


def _schema(sides: int, measures: int) -> Any:
    pyarrow, _ = _arrow()
    word = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    numbers = range(1, measures + 1)
    fields = [
        (name, type_)
        for side in range(1, sides + 1)
        for name, type_ in (
            (f"outcome_{side}", word),
            (f"reason_{side}", word),
            (f"decisions_{side}", pyarrow.int64()),
            *((f"measure_{side}_{number}", pyarrow.int64()) for number in numbers),
        )
    ]
    fields += [
        (f"{name}_{first + 1}_{second + 1}", pyarrow.int64())
        for first, second in pairs(sides)
        for name in ("decision", "point")
    ]
    return pyarrow.schema(fields)


def _row(played: Round) -> list[object]:
    games = ((game.outcome, game.reason, game.decisions, *game.measures) for game in played.games)
    divergences = (
        (None, None) if divergence is None else divergence for divergence in played.divergences
    )
    return [*chain.from_iterable(games), *chain.from_iterable(divergences)]


def _rounds(columns: dict[str, list[Any]], sides: int, measures: int) -> list[Round]:
    width = 3 + measures
    rounds = []
    for row in zip(*columns.values(), strict=True):
        games = (row[width * side : width * (side + 1)] for side in range(sides))
        divergences = (row[at : at + 2] for at in range(width * sides, len(row), 2))
        rounds.append(
            Round(
                tuple(Played(game[0], game[1], game[2], tuple(game[3:])) for game in games),
                tuple(
                    None if divergence[0] is None else GameDivergence(*divergence)
                    for divergence in divergences
                ),
            )
        )
    return rounds


def _arrow() -> tuple[Any, Any]:
    """The modules of pyarrow.

    Raises:
        MissingLibrary: it is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingLibrary("pyarrow", "cluster") from error
    return pyarrow, pyarrow.parquet
