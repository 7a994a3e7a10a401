"""The rounds of a study as Parquet files, so that a study that was broken off goes on where it stood.

A file has a row for each round. Its columns are numbered by the sides, from 1: `outcome_1`, `reason_1`, `decisions_1`,
`measure_1_1`, …, and `decision_1_2` and `point_1_2` for where the games of sides 1 and 2 part. Its name is a
digest of its task, and its metadata has the task as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import chain
from typing import Any

from attrs import asdict

from hots_rules.compare.study_tasks import StudyTask
from hots_rules.compare.tallies import Parting, Played, Round, pairs
from hots_rules.diagnostics import MissingLibrary

MAX_BYTES = 16_000_000
"""The size of a file, packed and unpacked; a larger one is none of ours."""
_ENTRY = b"hots_rules study"


def kept_rounds(data: bytes, task: StudyTask, measures: int) -> list[Round] | None:
    """The rounds of a task from the bytes of its file; None if the file is damaged, or is of another task.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    pyarrow, parquet = _arrow()
    if len(data) > MAX_BYTES:
        return None
    try:
        file = parquet.ParquetFile(BytesIO(data))
        described = (file.schema_arrow.metadata or {}).get(_ENTRY)
        if described != _described(task) or file.metadata.num_rows != task.games:
            return None
        if not file.schema_arrow.remove_metadata().equals(_schema(len(task.sides), measures)):
            return None
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > MAX_BYTES:
            return None
        columns = file.read().to_pydict()
    except (OSError, ValueError, pyarrow.ArrowException):
        return None
    return _rounds(columns, len(task.sides), measures) if _is_whole(columns) else None


def _is_whole(columns: Mapping[str, Sequence[object]]) -> bool:
    """Whether nothing is missing but the partings of games that do not part."""
    missing = {name: [value is None for value in column] for name, column in columns.items()}
    return all(
        rows == missing[f"point_{name.removeprefix('decision_')}"]
        if name.startswith("decision_")
        else name.startswith("point_") or not any(rows)
        for name, rows in missing.items()
    )


def rounds_file(task: StudyTask, rounds: Sequence[Round], measures: int) -> bytes:
    """The file of the rounds of a task.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    pyarrow, parquet = _arrow()
    schema = _schema(len(task.sides), measures)
    rows = [_row(each) for each in rounds]
    columns = [
        pyarrow.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    table = pyarrow.table(columns, schema=schema.with_metadata({_ENTRY: _described(task)}))
    file = BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


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
        (f"{name}_{one + 1}_{other + 1}", pyarrow.int64())
        for one, other in pairs(sides)
        for name in ("decision", "point")
    ]
    return pyarrow.schema(fields)


def _row(played: Round) -> list[object]:
    games = ((game.outcome, game.reason, game.decisions, *game.measures) for game in played.games)
    partings = ((None, None) if each is None else each for each in played.partings)
    return [*chain.from_iterable(games), *chain.from_iterable(partings)]


def _rounds(columns: dict[str, list[Any]], sides: int, measures: int) -> list[Round]:
    width = 3 + measures
    rounds = []
    for row in zip(*columns.values(), strict=True):
        games = (row[width * side : width * (side + 1)] for side in range(sides))
        partings = (row[at : at + 2] for at in range(width * sides, len(row), 2))
        rounds.append(
            Round(
                tuple(Played(game[0], game[1], game[2], tuple(game[3:])) for game in games),
                tuple(None if each[0] is None else Parting(*each) for each in partings),
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
