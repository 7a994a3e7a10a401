"""The rounds of a study as Parquet files, so that a study that was broken off goes on where it stood.

A file has a row for each game, those of a round one after the other. `scenario`, `policy`, `seed`, `game` and `side`
say which game it is; `outcome`, `reason`, `decisions` and a column for each measure, named by its expression, what came
of it. `diverges_at` has for each side before this one, in their order, the decision at which the two games with this
number diverge, and `diverges_at_point` its suspension point; both are null for games that are equal. The name of a file
is a digest of its task, and its metadata has the task as JSON.

A digest of the whole file stands before its footer, where Parquet leaves room: all places in a file are counted from
its beginning, and the footer from its end. So other programs read the file too, and it is written in one piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from io import BytesIO
from itertools import cycle, islice
from typing import Any
from warnings import warn

from attrs import asdict

from hots_rules.diagnostics import MissingLibrary, ResultsPlayedAgain
from hots_rules.study.tallies import GameDivergence, PlayedGame, Round
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
Row = Sequence[Any]
_GAME, _MEASURES = 5, 8
"""The numbers of the first column about a game, `outcome`, and of its first measure."""


class UnusableResults(ValueError):
    """Why the rounds of a file are not taken."""


def kept_rounds(data: bytes, task: StudyTask) -> list[Round] | None:
    """The rounds of a task from the bytes of its file; None, and a warning, if they are to be played again.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    try:
        return _read_rounds(data, task)
    except UnusableResults as error:
        message = f"the games of the file `{task.file}` are played again: {error}"
        warn(message, ResultsPlayedAgain, stacklevel=2)
        return None


def _read_rounds(data: bytes, task: StudyTask) -> list[Round]:
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
        row_count = task.rounds * len(task.sides)
        if described != _described(task) or file.metadata.num_rows != row_count:
            raise UnusableResults("it has other games")
        groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
        if sum(group.total_byte_size for group in groups) > MAX_BYTES:
            raise UnusableResults("it is too large")
        is_ours = file.schema_arrow.remove_metadata().equals(_schema(task))
        rows = [*zip(*file.read().to_pydict().values(), strict=True)] if is_ours else []
    except (OSError, pyarrow.ArrowException) as error:
        raise UnusableResults("it cannot be read") from error
    if not rows or not all(map(_is_whole, rows, cycle(range(len(task.sides))))):
        raise UnusableResults("its columns are others")
    return _rounds(rows, len(task.sides))


# ------------------------------------------------------------------ the digest
def with_digest(data: bytes) -> bytes:
    """A Parquet file with the digest of its content before its footer."""
    footer = _footer(data)
    return data[:footer] + _MARK + _digest(data) + data[footer:]


def _check_digest(data: bytes) -> None:
    """Refuse a file that is not as it was written.

    Raises:
        UnusableResults: the file is empty, cut or damaged.
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
def rounds_file(task: StudyTask, rounds: Sequence[Round]) -> bytes:
    """The file of the rounds of a task.

    Raises:
        MissingLibrary: pyarrow is not installed.
    """
    pyarrow, parquet = _arrow()
    schema = _schema(task)
    asked = json.loads(task.asked)
    rows = [
        row
        for game, played in enumerate(rounds, task.first)
        for row in _rows((asked["scenario"], task.policy, asked["seed"], game), task.sides, played)
    ]
    columns = [
        pyarrow.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), schema, strict=True)
    ]
    table = pyarrow.table(columns, schema=schema.with_metadata({_ENTRY: _described(task)}))
    file = BytesIO()
    parquet.write_table(table, file, compression="zstd")
    return with_digest(file.getvalue())


def _described(task: StudyTask) -> bytes:
    """The task as it stands in the metadata of its file."""
    return json.dumps(asdict(task)).encode()


def _schema(task: StudyTask) -> Any:
    pyarrow, _ = _arrow()
    number, word = pyarrow.int64(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    which = dict.fromkeys(("scenario", "policy", "seed"), word) | {"game": number, "side": word}
    fields = which | {"outcome": word, "reason": word, "decisions": number}
    divergences = dict.fromkeys(("diverges_at", "diverges_at_point"), pyarrow.list_(number))
    for measure in json.loads(task.asked)["measures"]:
        name = measure
        while name in fields or name in divergences:
            name = f"{name} (measure)"
        fields[name] = number
    return pyarrow.schema([*(fields | divergences).items()])


def _rows(
    which: tuple[object, ...], sides: Sequence[str], played: Round
) -> Iterator[tuple[object, ...]]:
    """The rows of a round, a row for each side; they begin with the scenario, policy, seed and number of the round."""
    divergences = iter(played.divergences)
    for earlier_sides, (side, game) in enumerate(zip(sides, played.games, strict=True)):
        own = [divergence or (None, None) for divergence in islice(divergences, earlier_sides)]
        facts = game.outcome, game.reason, game.decisions, *game.measures
        yield *which, side, *facts, [at for at, _ in own], [point for _, point in own]


def _is_whole(row: Row, earlier_sides: int) -> bool:
    """Whether a row has all its values, and for each earlier side both parts of a divergence or neither."""
    *facts, decisions, points = row
    return (
        None not in (*facts, decisions, points)
        and len(decisions) == len(points) == earlier_sides
        and all(
            (at is None) == (point is None) for at, point in zip(decisions, points, strict=True)
        )
    )


def _rounds(rows: Sequence[Row], sides: int) -> list[Round]:
    """The rounds of whole rows; inverse of `_rows`."""
    rounds = []
    for first in range(0, len(rows), sides):
        games, divergences = list[PlayedGame](), list[GameDivergence | None]()
        for row in rows[first : first + sides]:
            outcome, reason, decisions = row[_GAME:_MEASURES]
            *measures, at, points = row[_MEASURES:]
            games.append(PlayedGame(outcome, reason, decisions, tuple(measures)))
            divergences += [
                None if decision is None else GameDivergence(decision, point)
                for decision, point in zip(at, points, strict=True)
            ]
        rounds.append(Round(tuple(games), tuple(divergences)))
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
