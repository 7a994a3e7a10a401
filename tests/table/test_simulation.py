"""A table that is simulated from a seed: what goes wrong comes together, and a seed repeats a failure.

The database is killed before or after a commit, its disk is full, the clock jumps, and requests are slow, doubled and
unanswered. Nothing that was acknowledged is lost, and no answer tells more than the view of its seat.

    pytest -m thorough tests/table/test_simulation.py -k "[17]"

repeats the run of a seed; `HYPOTHESIS_PROFILE=nightly` tries 200, others with each `HOTS_RULES_NIGHT`.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from attrs import Factory, define, field, frozen

import hots_rules as hr
from tests.needs import needs
from tests.sizes import NIGHT, sample_size

needs("litestar")

from litestar.testing import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from hots_rules.web.application import make_app
from hots_rules.web.games.open_from_log import replayed
from hots_rules.web.operation import Operation
from hots_rules.web.storage.rows import TAKE_BACK
from hots_rules.web.storage.store import Store
from tests.table.tables import url_in

UNLIMITED = Operation(
    requests_per_minute=0, openings_per_hour=0, streams_per_address=0, takes_seeds=True
)

pytestmark = [pytest.mark.thorough, pytest.mark.deeper]

RULESETS = (("goofspiel-1.0", "full-hands"), ("dominoes-1.0", "full-bag"))
STEPS = 60  # of a run, with some requests in each
REFUSED = {403, 409, 422, 503}  # by a table that works
DAY = 24 * 60 * 60 * 1000


@define
class Disk:
    """What the disk of a database does.

    Attributes:
        is_full: whether a statement that writes is refused.
        commits_left: how many commits until the process is killed; None for never.
        keeps_last: whether the last of them is on the disk.
        is_dead: whether the process was killed, so that nothing reaches the disk any more.
    """

    is_full: bool = False
    commits_left: int | None = None
    keeps_last: bool = False
    is_dead: bool = False

    def watch(self, store: Store) -> None:
        """Stand between a store and its database."""
        engine = store.engine
        commit = engine.dialect.do_commit

        def statement(_: object, __: object, text: str, *___: object) -> None:
            if self.is_dead or (self.is_full and text.startswith(("INSERT", "UPDATE", "DELETE"))):
                said = "disk I/O error" if self.is_dead else "database or disk is full"
                raise OperationalError(text, None, sqlite3.OperationalError(said))

        def do_commit(connection: object) -> None:
            if self.commits_left is not None:
                self.commits_left -= 1
                self.is_dead = self.is_dead or self.commits_left < 0
            if self.is_dead and not self.keeps_last:
                raise sqlite3.OperationalError("disk I/O error")
            commit(connection)
            if self.is_dead:
                self.keeps_last = False
                raise sqlite3.OperationalError("disk I/O error")

        event.listen(engine, "before_cursor_execute", statement)
        engine.dialect.do_commit = do_commit


@define
class Clock:
    """A clock that somebody sets."""

    instant: int = 1_700_000_000_000

    def now(self) -> int:
        self.instant += 40
        return self.instant


@frozen
class Sent:
    """A request of a seat that is on its way, made when the log had a number of lines."""

    game: str
    player: str
    number: int
    text: str = ""
    """The text of an action; empty to take the last one back."""
    code: int = TAKE_BACK


@define
class Seen:
    """An answer to a seat, or to a spectator under None, with the number that the log had."""

    game: str
    player: str | None
    number: int
    text: str


@define
class Simulation:
    """One run: the players, the network between them and the table, and what they were told."""

    folder: Path
    chance: Random
    disk: Disk = Factory(Disk)
    clock: Clock = Factory(Clock)
    keys: dict[str, dict[str, str]] = Factory(dict)
    on_the_way: list[Sent] = Factory(list)
    acknowledged: dict[tuple[str, int], Sent] = Factory(dict)
    seen: list[Seen] = Factory(list)
    client: TestClient = field(init=False)

    def run(self) -> None:
        """Live through several processes, one after the other."""
        with self.served():
            while not self.keys:
                self.begin_a_game()
        steps = 0
        while steps < STEPS:
            self.disk = Disk()
            if self.chance.random() < 0.8:
                self.disk.commits_left = self.chance.randrange(2, 40)
                self.disk.keeps_last = self.chance.random() < 0.5
            with self.served():
                while steps < STEPS and not self.disk.is_dead:
                    self.step()
                    steps += 1
                self.disk.is_dead = True  # nothing is tidied up
        self.disk = Disk()
        with self.served():
            self.look_at_all()

    @contextmanager
    def served(self) -> Iterator[None]:
        """A table on the same database, as a new process would be."""
        store = Store.at(url_in(self.folder))
        self.disk.watch(store)
        with TestClient(make_app(store, UNLIMITED), raise_server_exceptions=False) as self.client:
            yield

    def step(self) -> None:
        """Something that goes wrong, or a player who does something; then some requests arrive."""
        match self.chance.randrange(12):
            case 0:
                self.disk.is_full = not self.disk.is_full
            case 1:
                self.clock.instant += self.chance.choice((-DAY, -5000, 5000, DAY // 2))
            case 2:
                self.begin_a_game()
            case _:
                self.ask()
        for _ in range(self.chance.randrange(4)):
            if self.on_the_way and not self.disk.is_dead:
                at = self.chance.randrange(len(self.on_the_way))  # the order is lost
                is_doubled = self.chance.random() < 0.2
                sent = self.on_the_way[at] if is_doubled else self.on_the_way.pop(at)
                self.deliver(sent)

    # -------------------------------------------------------------- requests
    def begin_a_game(self) -> None:
        ruleset, scenario = self.chance.choice(RULESETS)
        seed = self.seed_of(len(self.keys))
        body = {"ruleset": ruleset, "scenario": scenario, "seed": seed, "claim": False}
        if self.chance.random() < 0.5:
            body["clock"] = {"seconds": 600, "increment": 5}
        answer = self.client.post("/api/games", json=body)
        if answer.status_code != 201:
            self.check_refusal(answer)
        elif not self.is_lost():
            self.keys[answer.json()["game"]] = answer.json()["keys"]

    @staticmethod
    def seed_of(number: int) -> str:
        return f"a seed that nobody may see {number}"

    def ask(self) -> None:
        """A player looks at the game, and chooses by what is seen."""
        if not self.keys:
            return
        game = self.chance.choice(list(self.keys))
        player = self.chance.choice((*self.keys[game], None))
        looked = self.look(game, player)
        if looked is None or player is None:
            return
        actions = looked["view"]["actions"]
        if self.chance.random() < 0.1:
            self.on_the_way.append(Sent(game, player, looked["number"]))
        elif actions:
            action = self.chance.choice(actions)
            sent = Sent(game, player, looked["number"], action["text"], action["code"])
            self.on_the_way.append(sent)

    def look(self, game: str, player: str | None) -> dict | None:
        answer = self.client.get(
            f"/api/games/{game}", headers=self.headers(game, player), params={"board": False}
        )
        if answer.status_code != 200:
            self.check_refusal(answer)
            return None
        self.keep(game, player, answer.json(), answer.text)
        return answer.json()

    def deliver(self, sent: Sent) -> None:
        body: dict = {"number": sent.number}
        path = f"/api/games/{sent.game}/undo"
        if sent.text:
            path, body["action"] = f"/api/games/{sent.game}/actions", sent.text
        answer = self.client.post(path, headers=self.headers(sent.game, sent.player), json=body)
        if answer.status_code != 200:
            self.check_refusal(answer)
        elif not self.is_lost():
            # Choices at the same time are kept one after the other, whatever number they were sent with.
            line = sent.game, answer.json()["number"] - 1
            assert line not in self.acknowledged, "acknowledged twice"
            self.acknowledged[line] = sent
            self.keep(sent.game, sent.player, answer.json(), answer.text)

    def headers(self, game: str, player: str | None) -> dict[str, str]:
        return {} if player is None else {"Authorization": f"Bearer {self.keys[game][player]}"}

    def is_lost(self) -> bool:
        """Whether the answer does not arrive: a process that was killed sends none, and networks lose some."""
        return self.disk.is_dead or self.chance.random() < 0.1

    def check_refusal(self, answer: object) -> None:
        """A table whose process lives tells why it refuses; a disk that is full is a database that does not answer."""
        if not self.disk.is_dead:
            assert answer.status_code in REFUSED, answer.text
            self.check_words(answer.text, "", None)

    # -------------------------------------------------------------- what they were told
    def keep(self, game: str, player: str | None, state: dict, text: str) -> None:
        self.seen.append(Seen(game, player, state["number"], text))
        self.check_words(text, game, player)

    def check_words(self, text: str, game: str, player: str | None) -> None:
        """No answer holds a seed, or a key of anybody else."""
        assert "a seed that nobody may see" not in text
        for name, keys in self.keys.items():
            for owner, key in keys.items():
                assert (name, owner) == (game, player) or key not in text

    def look_at_all(self) -> None:
        """All that was acknowledged is in the log under its number; each answer told the view of its seat alone."""
        for game, keys in self.keys.items():
            row, _, log = asyncio.run(Store.at(url_in(self.folder)).read(game))
            for (name, number), sent in self.acknowledged.items():
                if name == game:
                    assert (log[number].player, log[number].code) == (sent.player, sent.code)
            instants = [line.instant for line in log]
            assert instants == sorted(instants)
            for player in (*keys, None):
                last = self.look(game, player)
                assert last is not None
                assert last["number"] == len(log)
            told = [seen for seen in self.seen if seen.game == game]
            for number in {seen.number for seen in told}:
                then = replayed(row, log[:number])
                for seen in told:
                    if seen.number == number:
                        assert_is_view(seen, then)


def assert_is_view(seen: Seen, game: hr.Game) -> None:
    told = json.loads(seen.text)["view"]
    view = json.loads(hr.to_json(game.view(seen.player)))
    del view["log"]
    assert told == view


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A run that waits for ever is ended as one that fails."""

    def end(*_: object) -> None:
        raise TimeoutError("a run takes more than two minutes")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(sample_size(6, 200)))
def test_nothing_is_lost_or_told_whatever_goes_wrong(tmp_path: Path, seed: int) -> None:
    simulation = Simulation(tmp_path, Random(f"table/{seed}{NIGHT}"))
    with ExitStack() as patches:
        for module in ("open_game", "open_games", "rematches", "seating"):
            name = f"hots_rules.web.games.{module}.now"
            patches.enter_context(mock.patch(name, simulation.clock.now))
        simulation.run()
    assert simulation.seen
