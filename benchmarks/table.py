"""How many actions a second the table plays: two server processes, many open games, events delivered.

The two seats of each game are at different processes, and both listen. A seat sends an action, waits until the event
of it has come to both, and the seat that is next asks what it sees; then the game rests, so that all games together
play at the wanted rate. Prints the actions a second, the times of answers and of events at the other process, the
bytes of the answers, the processor time and memory of each process, and the share of the load generator.

`python benchmarks/table.py [--database URL] [--postgres] [--games 100] [--rate 300] [--seconds 20] [--boards]
[--ruleset NAME --scenario NAME] [--before REVISION]`

With `--boards` the seats ask as the pages do: a board in parts, answers compressed, and what all boards share once.
With `--before` the servers of a revision of the repository are measured first, in the same run.

`python benchmarks/table.py --open 1000` opens so many games of 400 plays in turn instead, from a server that has none
of them in memory, and prints the times of the first answers, and the memory.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from attrs import define, field

HOME = Path(__file__).parents[1]
LONG_RULESET, LONG_SCENARIO, LONG = "hots-4.0", "braveheart", 400


@define
class Figures:
    """The seconds of answers, of what the next seat sees, and of events."""

    answers: list[float] = field(factory=list)
    views: list[float] = field(factory=list)
    events: list[float] = field(factory=list)
    refused: int = 0
    bytes: int = 0
    """Of the answers to actions, and of what the next seat sees."""


# ------------------------------------------------------------------ requests
@define
class Connection:
    """A connection to a server that is kept; it knows as much of HTTP as the load needs, and costs little."""

    address: str
    received: int = 0
    """The bytes of its answers."""
    frames: set[str] = field(factory=set)
    """What all boards of a ruleset share, as it has it."""
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, key: str = "", body: object = None, picture: str | None = None
    ) -> tuple[int, bytes]:
        """The status and the body of an answer; a connection that the server has ended meanwhile is made anew."""
        sent = request(method, path, key, body, picture)
        try:
            return await self._asked(sent)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._streams = None
            return await self._asked(sent)

    async def _asked(self, sent: bytes) -> tuple[int, bytes]:
        if self._streams is None:
            host, port = self.address.removeprefix("http://").split(":")
            self._streams = await asyncio.open_connection(host, int(port))
        reader, writer = self._streams
        writer.write(sent)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        content = await reader.readexactly(int(length[1]) if length else 0)
        self.received += len(head) + len(content)
        if b"content-encoding: gzip" in head.lower():
            content = zlib.decompress(content, 16 + zlib.MAX_WBITS)
        return int(head[9:12]), content

    async def listen(self, path: str, heard: asyncio.Queue[int]) -> None:
        """Put the numbers of a game into a queue as they are told."""
        host, port = self.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request("GET", f"{path}/events", "", None))
        try:
            before = b""
            while line := await reader.readline():
                if line.startswith(b"data: ") and not before.startswith(b"event: "):
                    heard.put_nowait(int(line[6:]))
                before = line
        finally:
            writer.close()


def request(method: str, path: str, key: str, body: object, picture: str | None = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: table\r\nContent-Length: {len(content)}\r\n"
    if content:
        head += "Content-Type: application/json\r\n"
    if key:
        head += f"Authorization: Bearer {key}\r\n"
    if picture is not None:
        head += f"Accept-Encoding: gzip\r\nKnown-Picture: {picture}\r\n"
    return head.encode() + b"\r\n" + content


@define
class Seat:
    """A seat of a game at one of the servers."""

    connection: Connection
    path: str
    key: str
    query: str
    picture: str | None
    """The name of the picture that it has; None if it asks for no board."""

    async def seen(self, number: int) -> dict:
        """What it sees; the answer has the log since the play before the last, as a page asks."""
        path = f"{self.path}{self.query}&since={max(number - 2, 0)}"
        status, content = await self.connection.ask("GET", path, self.key, None, self.picture)
        assert status == 200, content
        return await self._taken(json.loads(content))

    async def play(self, number: int, text: str) -> tuple[int, bytes]:
        body = {"number": number, "action": text}
        path = f"{self.path}/actions{self.query}"
        status, content = await self.connection.ask("POST", path, self.key, body, self.picture)
        if status == 200 and self.picture is not None:
            await self._taken(json.loads(content))
        return status, content

    async def _taken(self, seen: dict) -> dict:
        """What it is told, with what all boards of the ruleset share, which it asks for once."""
        picture, frames = seen.get("picture"), self.connection.frames
        if picture is not None:
            self.picture = picture["name"]
            if picture["frame"] not in frames:
                frames.add(picture["frame"])
                path = f"/api/rulesets/{seen['ruleset']}/frames/{picture['frame']}"
                status, content = await self.connection.ask("GET", path, "", None, "")
                assert status == 200, content
        return seen


# ------------------------------------------------------------------ the load
@define
class Game:
    """A game with a seat, and somebody who listens, at each of the servers."""

    seats: list[Seat]
    heard: list[asyncio.Queue[int]]
    listeners: list[asyncio.Task[None]]

    async def end(self) -> None:
        for listener in self.listeners:
            listener.cancel()
        await asyncio.gather(*self.listeners, return_exceptions=True)


async def open_game(ends: list[Connection], options: argparse.Namespace) -> Game:
    body = {"ruleset": options.ruleset, "scenario": options.scenario}
    status, content = await ends[0].ask("POST", "/api/games", "", {**body, "claim": False})
    if status == 400:  # an earlier version, in which no seat is claimed
        status, content = await ends[0].ask("POST", "/api/games", "", body)
    assert status == 201, content
    made = json.loads(content)
    path, query = f"/api/games/{made['game']}", f"?board={str(options.boards).lower()}"
    seats = [
        Seat(connection, path, key, query, "" if options.boards else None)
        for connection, key in zip(ends, made["keys"].values(), strict=True)
    ]
    heard: list[asyncio.Queue[int]] = [asyncio.Queue() for _ in seats]
    listeners = [
        asyncio.create_task(seat.connection.listen(path, queue))
        for seat, queue in zip(seats, heard, strict=True)
    ]
    for queue in heard:
        await queue.get()
    return Game(seats, heard, listeners)


async def play_games(
    addresses: list[str], options: argparse.Namespace, on_open: Callable[[], None]
) -> Figures:
    """Open all games; then play them, and others when they are over, for some seconds."""
    figures, games = Figures(), []
    for index in range(options.games):
        ends = [Connection(addresses[(index + place) % 2]) for place in range(2)]
        games.append((ends, await open_game(ends, options)))
    on_open()
    end = time.perf_counter() + options.seconds
    tasks = [
        play_again_and_again(ends, game, index, end, options, figures)
        for index, (ends, game) in enumerate(games)
    ]
    await asyncio.gather(*tasks)
    return figures


async def play_again_and_again(
    ends: list[Connection],
    game: Game,
    index: int,
    end: float,
    options: argparse.Namespace,
    figures: Figures,
) -> None:
    """Play one game after the other, each action at its time, some time after the last."""
    pause, choices = options.games / options.rate, Random(index)
    await asyncio.sleep(pause * index / options.games)
    times = Times(pause)
    while True:
        await play_a_game(game, times, choices, end, figures)
        await game.end()
        if time.perf_counter() >= end:
            return
        game = await open_game(ends, options)


@define
class Times:
    """When the actions of a game are due: one pause after the other, however long the answers take.

    A game that is late by more than a pause, as another one was opened, leaves actions out.
    """

    pause: float
    due: float = field(factory=time.perf_counter)

    async def wait(self) -> None:
        """Wait for the next action."""
        now = time.perf_counter()
        self.due = max(self.due + self.pause, now - self.pause)
        await asyncio.sleep(max(self.due - now, 0))


async def play_a_game(
    game: Game, times: Times, choices: Random, end: float, figures: Figures
) -> None:
    seats, number = game.seats, 0
    actions, at = await next_actions(seats, number, 0)
    while actions and time.perf_counter() < end:
        mover, other, before = seats[at], game.heard[1 - at], received(seats)
        begun = time.perf_counter()
        status, content = await mover.play(number, choices.choice(actions))
        figures.answers.append(time.perf_counter() - begun)
        if status != 200:
            figures.refused += 1
            print(content[:200], file=sys.stderr)
            return
        number += 1
        while await other.get() < number:
            pass
        figures.events.append(time.perf_counter() - begun)
        asked = time.perf_counter()
        actions, at = await next_actions(seats, number, 1 - at)
        figures.views.append(time.perf_counter() - asked)
        figures.bytes += received(seats) - before
        await times.wait()


async def next_actions(seats: list[Seat], number: int, at: int) -> tuple[list[str], int]:
    """The legal actions of one of the seats, or else of the other, which then looks as well; and which seat it is."""
    for place in (at, 1 - at):
        seen = await seats[place].seen(number)
        if actions := [action["text"] for action in seen["view"]["actions"]]:
            return actions, place
    return [], at


def received(seats: list[Seat]) -> int:
    return sum(seat.connection.received for seat in seats)


# ------------------------------------------------------------------ processes
def start_server(database: str, ruleset: str, home: Path = HOME) -> tuple[subprocess.Popen, str]:
    """A server process of the code in a folder, on a database and with one ruleset, with its address."""
    command = [sys.executable, "-m", "hots_rules.cli", "serve", "--port", "0"]
    command += ["--rulesets", ruleset]
    if home == HOME:  # an earlier version may have no limits by default
        # One machine asks for everybody here, so the limits by address are lifted.
        for limit in ("requests-per-minute", "openings-per-hour", "streams-per-address"):
            command += [f"--{limit}", "0"]
    process = subprocess.Popen(
        [*command, "--database", database], stdout=subprocess.PIPE, text=True, cwd=home
    )
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, "the table did not tell its address"
    return process, found[0].rstrip("/")


@contextmanager
def servers(
    database: str, count: int, ruleset: str, home: Path = HOME
) -> Iterator[list[tuple[subprocess.Popen, str]]]:
    started = [start_server(database, ruleset, home) for _ in range(count)]
    try:
        yield started
    finally:
        for process, _ in started:
            process.kill()
            process.wait()


@contextmanager
def revision(name: str) -> Iterator[Path]:
    """A folder with the code of a revision."""
    with tempfile.TemporaryDirectory() as folder:
        git, home = ["git", "-C", str(HOME), "worktree"], Path(folder, "code")
        subprocess.run([*git, "add", "--quiet", "--detach", str(home), name], check=True)
        try:
            yield home
        finally:
            subprocess.run([*git, "remove", "--force", str(home)], check=True)


def postgres() -> object:
    """A database server of its own, as the tests have it."""
    sys.path.insert(0, str(HOME))
    from tests.table.test_postgres import database_server

    return database_server()


def processor_seconds(pid: int | str = "self") -> float:
    """The seconds of the processor that a process has used, on Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(int(child) for child in children)]


def peak_megabytes(process: subprocess.Popen) -> float:
    """The largest memory of a process, on Linux."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def ms(seconds: list[float], part: float) -> str:
    return f"{1000 * sorted(seconds)[min(int(len(seconds) * part), len(seconds) - 1)]:.1f} ms"


# ------------------------------------------------------------------ what is measured
def measure_load(
    database: str, database_pid: int | None, options: argparse.Namespace, home: Path
) -> None:
    with servers(database, 2, options.ruleset, home) as started:
        groups = {"servers": [process.pid for process, _ in started]}
        before: dict[int | str, float] = {}
        begun = 0.0

        def note() -> None:
            nonlocal begun
            if database_pid:
                groups["database"] = family(database_pid)
            pids = [pid for each in groups.values() for pid in each]
            before.update({pid: processor_seconds(pid) for pid in (*pids, "self")})
            begun = time.perf_counter()

        addresses = [address for _, address in started]
        asyncio.run(play_games(addresses, warm(options), lambda: None))
        figures = asyncio.run(play_games(addresses, options, note))
        spent = time.perf_counter() - begun
        if database_pid:  # with the processes that it has started since
            groups["database"] = family(database_pid)
        used = {
            name: sum(processor_seconds(pid) - before.get(pid, 0) for pid in pids if alive(pid))
            for name, pids in {**groups, "load generator": ["self"]}.items()
        }
        actions = len(figures.events)
        print(f"load average at the end: {os.getloadavg()[0]:.1f}")
        print(f"actions: {actions / spent:.0f} a second, {figures.refused} refused")
        print(f"answers to an action and to the next seat: {figures.bytes / actions / 1000:.1f} kB")
        for name in ("answers", "views", "events"):
            seconds = getattr(figures, name)
            print(f"{name}: median {ms(seconds, 0.5)}, p99 {ms(seconds, 0.99)}")
        for name, seconds in used.items():
            if seconds:
                cost = f"{1000 * seconds / actions:.2f} ms an action, {actions / seconds:.0f} in a second"
                print(f"{name}: {seconds / spent:.2f} processors, {cost} of a processor")
        print("memory: " + ", ".join(f"{peak_megabytes(p):.0f} MB" for p, _ in started))


def alive(pid: int | str) -> bool:
    return Path(f"/proc/{pid}").exists()


def warm(options: argparse.Namespace) -> argparse.Namespace:
    """A short run before: rulesets are loaded, and connections are made."""
    return argparse.Namespace(**{**vars(options), "seconds": 2, "games": 10, "rate": 30})


def measure_opening(database: str, options: argparse.Namespace) -> None:
    """Make games of 400 plays in the database, and open them one after the other."""
    import hots_rules as hr
    from hots_rules.web.games.open_from_log import begun, ruleset_named
    from hots_rules.web.storage.rows import ActionRow, GameRow, SeatRow, SnapshotRow
    from hots_rules.web.storage.store import Store

    rules, random = ruleset_named(LONG_RULESET), Random(1)
    game = begun(rules, LONG_SCENARIO, "1297", {})
    while len(game.moves) < LONG and not game.is_over:
        if len(game.moves) == LONG - 8:
            kept = SnapshotRow(len(game.moves), hr.formats.snapshot(game))
        game = game.play_code(random.choice(game.legal_codes))
    names = [f"{number:016x}" for number in range(options.open)]

    async def fill() -> None:
        store = Store.at(database)
        await store.open()
        for name in names:
            row = GameRow(name, rules.name, rules.content_hash, LONG_SCENARIO, "{}", "1297")
            await store.create(row, [SeatRow(p) for p in rules.players])
            lines = (
                store.add(name, number, ActionRow(move, ""))
                for number, move in enumerate(game.moves)
            )
            await asyncio.gather(*lines)
            await store.keep_snapshot(name, kept)
        await store.close()

    asyncio.run(fill())
    with servers(database, 1, LONG_RULESET) as ((process, address),):

        async def open_all() -> list[float]:
            connection, seconds = Connection(address), []
            for name in names:
                before = processor_seconds(process.pid), time.perf_counter()
                status, content = await connection.ask(
                    "GET", f"/api/games/{name}?board=false&since={LONG}"
                )
                assert status == 200, content
                seconds.append(time.perf_counter() - before[1])
            return seconds

        used = processor_seconds(process.pid)
        seconds = asyncio.run(open_all())
        used = processor_seconds(process.pid) - used
        print(f"load average at the end: {os.getloadavg()[0]:.1f}")
        print(f"opened: {len(seconds)} games of {len(game.moves)} plays")
        print(f"first answers: median {ms(seconds, 0.5)}, p99 {ms(seconds, 0.99)}")
        print(f"server: {1000 * used / len(seconds):.1f} ms of the processor for each")
        print(f"memory: {peak_megabytes(process):.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", help="URL; a new SQLite file if omitted")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rate", type=float, default=300, help="actions a second wanted")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--boards", action="store_true", help="all answers have the board")
    parser.add_argument("--ruleset", default="connect-four-1.0", help="of two players")
    parser.add_argument("--scenario", default="empty-board")
    parser.add_argument("--before", metavar="REVISION", help="is measured first")
    parser.add_argument("--open", type=int, default=0, help="games to open in turn instead")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder, pid = stack.enter_context(tempfile.TemporaryDirectory()), None
        database = options.database or f"sqlite:///{folder}/tables.db"
        if options.postgres:
            server = stack.enter_context(postgres())
            database, pid = server.url, server.running.pid
        if options.open:
            measure_opening(database, options)
            return
        homes = {"now": HOME}
        if options.before:
            homes = {options.before: stack.enter_context(revision(options.before)), **homes}
        for name, home in homes.items():
            print(f"---- {name}")
            own = options.database or options.postgres
            url = database if own else f"sqlite:///{folder}/{home.name}.db"
            measure_load(url, pid, options, home)


if __name__ == "__main__":
    main()
