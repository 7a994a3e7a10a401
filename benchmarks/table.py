"""How many actions a second the table plays: two server processes, many open games, events delivered.

Each game is played by a task that sends an action, waits until the event of it has come to a listener, and rests so
that all games together play at the wanted rate. On PostgreSQL the seats of a game are at different processes; on
SQLite each game is at one of them, since SQLite tells other processes nothing. Prints the actions a second, the times
of answers and of events, the memory of the processes, and the share of the processor that each of them used.

`python benchmarks/table.py [--database URL] [--games 100] [--rate 300] [--seconds 20]`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import httpx
from attrs import define, field

RULESET, SCENARIO = "connect-four-1.0", "empty-board"


@define
class Figures:
    """The seconds of answers and of events."""

    answers: list[float] = field(factory=list)
    events: list[float] = field(factory=list)
    refused: int = 0


@define
class Seat:
    """A seat of a game at one of the servers."""

    web: httpx.AsyncClient
    path: str
    key: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    async def state(self) -> dict:
        answer = await self.web.get(f"{self.path}?board=false", headers=self.headers)
        return answer.raise_for_status().json()

    async def play(self, number: int, text: str) -> httpx.Response:
        body = {"number": number, "action": text}
        return await self.web.post(
            f"{self.path}/actions?board=false", headers=self.headers, json=body
        )


def start_server(database: str) -> tuple[subprocess.Popen, str]:
    """A server process on a database, with its address."""
    command = [sys.executable, "-m", "hots_rules.cli", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--database", database], stdout=subprocess.PIPE, text=True
    )
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, "the table did not tell its address"
    return process, found[0].rstrip("/")


async def play_games(addresses: list[str], is_shared: bool, options: argparse.Namespace) -> Figures:
    """Play games at all servers for some seconds."""
    figures, end = Figures(), time.perf_counter() + options.seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    webs = [httpx.AsyncClient(base_url=each, timeout=60, limits=limits) for each in addresses]
    pause = options.games / options.rate
    tasks = [
        play_again_and_again(webs, is_shared, index, pause, end, figures)
        for index in range(options.games)
    ]
    await asyncio.gather(*tasks)
    for web in webs:
        await web.aclose()
    return figures


async def play_again_and_again(
    webs: list[httpx.AsyncClient],
    is_shared: bool,
    index: int,
    pause: float,
    end: float,
    figures: Figures,
) -> None:
    """Play one game after the other, each action some time after the last."""
    await asyncio.sleep(pause * (index % 100) / 100)
    while time.perf_counter() < end:
        first, second = (index % 2, (index + is_shared) % 2)
        body = {"ruleset": RULESET, "scenario": SCENARIO}
        made = (await webs[first].post("/api/games", json=body)).raise_for_status().json()
        path = f"/api/games/{made['game']}"
        seats = {
            player: Seat(webs[place], path, key)
            for place, (player, key) in zip((first, second), made["keys"].items(), strict=True)
        }
        heard: asyncio.Queue[int] = asyncio.Queue()
        listener = asyncio.create_task(listen(webs[second], path, heard))
        await heard.get()
        await play_a_game(seats, heard, pause, end, figures)
        listener.cancel()


async def listen(web: httpx.AsyncClient, path: str, heard: asyncio.Queue[int]) -> None:
    """Put the numbers of a game into a queue as they are told."""
    async with web.stream("GET", f"{path}/events", timeout=None) as events:
        async for line in events.aiter_lines():
            if line.startswith("data: "):
                heard.put_nowait(int(line[6:]))


async def play_a_game(
    seats: dict[str, Seat], heard: asyncio.Queue[int], pause: float, end: float, figures: Figures
) -> None:
    number, player = 0, next(iter(seats))
    actions = (await seats[player].state())["view"]["actions"]
    while actions and time.perf_counter() < end:
        begun = time.perf_counter()
        answer = await seats[player].play(number, actions[number % len(actions)]["text"])
        figures.answers.append(time.perf_counter() - begun)
        if answer.status_code != 200:
            figures.refused += 1
            return
        number += 1
        while await heard.get() < number:
            pass
        figures.events.append(time.perf_counter() - begun)
        (player,) = answer.json()["view"]["to_move"] or (player,)
        actions = (await seats[player].state())["view"]["actions"]
        await asyncio.sleep(max(begun + pause - time.perf_counter(), 0))


def processor_seconds(process: subprocess.Popen) -> float:
    """The seconds of the processor that a process has used, on Linux."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(process: subprocess.Popen) -> float:
    """The largest memory of a process, on Linux."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def ms(seconds: list[float], part: float) -> str:
    return f"{1000 * sorted(seconds)[min(int(len(seconds) * part), len(seconds) - 1)]:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", help="URL; a new SQLite file if omitted")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--rate", type=float, default=300, help="actions a second wanted")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"sqlite+aiosqlite:///{folder}/tables.db"
        servers = [start_server(database) for _ in range(2)]
        try:
            before = [processor_seconds(process) for process, _ in servers]
            begun, own = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_utime
            is_shared = database.startswith("postgresql")
            figures = asyncio.run(play_games([a for _, a in servers], is_shared, options))
            spent = time.perf_counter() - begun
            used = [
                processor_seconds(process) - b
                for (process, _), b in zip(servers, before, strict=True)
            ]
            own = resource.getrusage(resource.RUSAGE_SELF).ru_utime - own
            print(f"load average at the end: {os.getloadavg()[0]:.1f}")
            print(f"actions: {len(figures.events) / spent:.0f} a second, {figures.refused} refused")
            for name, seconds in (("answers", figures.answers), ("events", figures.events)):
                print(f"{name}: median {1000 * median(seconds):.1f} ms, p99 {ms(seconds, 0.99)}")
            shares = ", ".join(f"{each / spent:.2f}" for each in used)
            print(f"processors: servers {shares}; load generator {own / spent:.2f}")
            print("memory: " + ", ".join(f"{peak_megabytes(p):.0f} MB" for p, _ in servers))
        finally:
            for process, _ in servers:
                process.kill()
                process.wait()


if __name__ == "__main__":
    main()
