"""The same ruleset, seed and actions give the same bytes: in every thread, process and order of hashing."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

import hots_rules as hr
from tests.playing import TINY, last_of, ruleset_of

pytestmark = pytest.mark.loads_anew

THREADS = 8
ONE_GAME = """
import sys
from hashlib import blake2b
from random import Random
import hots_rules as hr

rules = hr.load("hots-4.0")
game, chooser = rules.start("braveheart", seed="bytes"), Random("bytes")
for _ in range(120):
    game = game.play(chooser.choice(game.actions))
for text in (rules.compiled_source(), str(game.record), game.position, str(game.actions)):
    print(blake2b(text.encode(), digest_size=16).hexdigest())
"""


def _digests() -> list[str]:
    rules = hr.load("hots-4.0")
    game = last_of(rules.start("braveheart", seed="bytes"), Random("bytes"), 120)
    texts = (rules.compiled_source(), str(game.record), game.position, str(game.actions))
    return [blake2b(text.encode(), digest_size=16).hexdigest() for text in texts]


@pytest.mark.thorough
@pytest.mark.parametrize("hashing", ["0", "4711"])
def test_every_process_plays_the_same_game(hashing: str, tmp_path: Path) -> None:
    # With a cache of its own it compiles anew, in another order of hashing.
    own = {**os.environ, "PYTHONHASHSEED": hashing, "HOTS_RULES_CACHE": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", ONE_GAME], env=own, capture_output=True, text=True, check=True
    )

    assert _digests() == said.stdout.split()


def test_threads_share_a_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))
    rules, together = ruleset_of(TINY), Barrier(THREADS)

    def one_game(_: int) -> tuple[str, str, str]:
        together.wait()
        game = rules.start("short", seed=5, options={"fast": True})
        refused = str(game.why_not("Blue: rest"))
        game = last_of(game, Random(5), 12)
        return str(game.record), str(game.trace), refused

    with ThreadPoolExecutor(THREADS) as pool:
        found = set(pool.map(one_game, range(THREADS)))

    assert 1 == len(found)


def test_threads_play_the_same_game_of_hots() -> None:
    rules, together = hr.load("hots-4.0"), Barrier(THREADS)

    def one_game(_: int) -> str:
        together.wait()
        return str(last_of(rules.start("the-bruce", seed=3), Random(3), 150).record)

    with ThreadPoolExecutor(THREADS) as pool:
        found = set(pool.map(one_game, range(THREADS)))

    assert {
        str(last_of(hr.load("hots-4.0").start("the-bruce", seed=3), Random(3), 150).record)
    } == found


def test_threads_load_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path))
    together = Barrier(THREADS)

    def one_load(_: int) -> hr.Ruleset:
        together.wait()
        return ruleset_of(TINY)

    with ThreadPoolExecutor(THREADS) as pool:
        found = set(pool.map(one_load, range(THREADS)))

    assert {ruleset_of(TINY)} == found
    # The rulebook, the typed tree and the module, once each.
    assert 3 == len(list(tmp_path.iterdir()))


@pytest.mark.thorough
def test_eight_threads_play_eight_editions_at_once() -> None:
    """Each thread has a ruleset or a choice of its own, loads it, plays, and does as it does alone."""
    names = list(hr.rulesets())
    tasks = [(names[n % len(names)], n // len(names)) for n in range(THREADS)]

    def one_game(name: str, turn: int) -> tuple[str, str, str]:
        rules = hr.load(name)
        scenario = rules.scenarios[turn % len(rules.scenarios)]
        game = last_of(rules.start(scenario, seed=turn), Random(turn), 40)
        return game.record, hr.to_json(game.state), str(hr.replay(game.record) == game)

    alone = [one_game(*task) for task in tasks]
    together = Barrier(THREADS)

    def at_once(task: tuple[str, int]) -> tuple[str, str, str]:
        together.wait()
        return one_game(*task)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(at_once, tasks))

    assert alone == found
    assert {"True"} == {replayed for _, _, replayed in found}
    assert len({record for record, _, _ in found}) == THREADS
