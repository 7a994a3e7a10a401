"""Lines that are written together: one of them that is late hinders no other, and what fails is told to each."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from tests.needs import needs

needs("litestar")

from hots_rules.web.refusals import OutOfDate
from hots_rules.web.storage.batches import Batches, Line
from hots_rules.web.storage.rows import ActionRow, GameRow, SeatRow
from hots_rules.web.storage.store import Store
from tests.table.tables import url_in

GAMES = [f"{number:016x}" for number in range(60)]


def added(folder: Path, lines: Sequence[Line]) -> tuple[list[object], list[int]]:
    """What is answered to lines that are added at once to a new database, and how many each transaction wrote."""

    async def add() -> tuple[list[object], list[int]]:
        store, sizes = Store.at(url_in(folder)), list[int]()
        await store.open()
        for game in {line.game for line in lines}:
            await store.create(GameRow(game, "", "", "", "{}", "1"), [SeatRow("Red")])

        async def write(some: Sequence[Line]) -> None:
            await store._write(some)
            sizes.append(len(some))

        batches = Batches(write)
        answers = await asyncio.gather(*map(batches.add, lines), return_exceptions=True)
        await store.close()
        return answers, sizes

    return asyncio.run(add())


def kept(folder: Path) -> list[tuple[str, int]]:
    with sqlite3.connect(folder / "tables.db") as connection:
        return connection.execute("select game, number from action order by game").fetchall()


def test_lines_that_come_while_others_are_written_go_together(tmp_path: Path) -> None:
    lines = [Line(game, 0, ActionRow(1, "")) for game in GAMES]
    answers, sizes = added(tmp_path, lines)

    assert answers == [None] * 60
    assert kept(tmp_path) == [(game, 0) for game in GAMES]
    assert len(sizes) < 10


def test_of_lines_with_one_number_one_is_written(tmp_path: Path) -> None:
    late = [Line(GAMES[0], 0, ActionRow(code, "")) for code in range(3)]
    others = [Line(game, 0, ActionRow(7, "")) for game in GAMES[1:4]]
    answers, _ = added(tmp_path, [late[0], others[0], *late[1:], *others[1:]])

    assert [type(answer) for answer in answers].count(OutOfDate) == 2
    assert answers.count(None) == 4
    assert kept(tmp_path) == [(game, 0) for game in GAMES[:4]]


def test_what_fails_is_told_to_each_and_later_lines_are_written() -> None:
    async def write(lines: Sequence[Line]) -> None:
        await asyncio.sleep(0)
        if lines[0].number == 0:
            raise OSError("no space left")

    async def add() -> list[object]:
        batches = Batches(write)
        told = [
            await asyncio.gather(
                *(batches.add(Line(game, number, ActionRow(1, ""))) for game in GAMES[:2]),
                return_exceptions=True,
            )
            for number in range(2)
        ]
        return [type(answer) for answers in told for answer in answers]

    assert asyncio.run(add()) == [OSError, OSError, type(None), type(None)]


def test_a_line_is_told_as_text() -> None:
    line = Line(GAMES[0], 12, ActionRow(3, 'Red: "é" \u2603'))
    assert Line.parse(GAMES[0], str(line)) == line
