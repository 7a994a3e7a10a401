"""Damaged and malicious records and positions give a game or an error of the library, in bounded time.

`HOTS_RULES_DAMAGED` is the number of damaged texts; .ci/nightly sets a larger one.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from tests.hostile.damage import annotated, damaged, games
from tests.playing import TINY, ruleset_of
from tests.sizes import sample_size

TRIED = int(os.environ.get("HOTS_RULES_DAMAGED", "400"))


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


# The lines of a large record are counted in units, of which a record may hold about three.
UNIT = sample_size(100_000, 1_000_000)
MAX_SECONDS = sample_size(5, 30)


@pytest.mark.thorough
def test_damaged_records_replay_or_are_refused(tmp_path: Path) -> None:
    chooser, results = Random(1), Counter[str]()
    path = tmp_path / "record"
    for _ in range(TRIED):
        game = chooser.choice(games())
        text = damaged(annotated(game, chooser), chooser)
        torn = chooser.choice(["refuse", "keep"])
        content = chooser.choice(["refuse", "pinned"])
        try:
            if chooser.random() < 0.2:
                path.write_bytes(text.encode(errors="surrogatepass"))
                record = hr.Record.read(path, torn=torn)
            else:
                record = hr.Record.parse(text, torn=torn)
            again = hr.replay(record, game.ruleset, content=content)
        except hr.BadRecord as error:
            assert 10 < len(str(error)) < 3000
            str(error).encode()
            results["refused"] += 1
            continue
        # A record that replays gives a game of the ruleset with a sound record.
        assert hr.records.verify(again.record, game.ruleset).is_sound
        results["replayed"] += 1
        if record.entries == game.record.entries:
            results["the same"] += 1

    assert TRIED == results["refused"] + results["replayed"]
    assert results["refused"] > TRIED / 3
    assert results["replayed"] > TRIED / 50


def test_damaged_records_migrate_or_are_refused() -> None:
    chooser = Random(2)
    for _ in range(TRIED // 4):
        game = chooser.choice(games())
        text = damaged(annotated(game, chooser), chooser)
        try:
            report = hr.records.migrate(hr.Record.parse(text, torn="keep"), game.ruleset)
        except hr.BadRecord as error:
            assert len(str(error)) < 3000
        else:
            assert report.actions <= report.of
            assert report.is_whole or report.first is not None
            str(report).encode(errors="strict")


def test_damaged_positions_start_a_game_or_are_refused() -> None:
    chooser, results = Random(3), Counter[str]()
    for _ in range(TRIED):
        game = chooser.choice(games())
        text = damaged(game.position, chooser)
        try:
            again = game.ruleset.position(text, seed=0)
        except hr.BadPosition as error:
            assert all(len(fault) < 1000 for fault in error.faults)
            results["refused"] += 1
            continue
        assert again.ruleset.position(again.initial_position or "", seed=0).state == again.state
        results["started"] += 1

    assert results["refused"] > TRIED / 10
    assert results["started"] > TRIED / 100


def head() -> str:
    return str(games()[0].record).partition("\n\n")[0]


@pytest.mark.parametrize(
    "text",
    [
        "hots_rules record 2\n" + "option a b\n" * (UNIT // 2),
        "hots_rules record 2\n" + "".join(f"option k{n} b\n" for n in range(UNIT // 3)),
        "hots_rules record 2\n" + "position turn 1\n" * (UNIT // 3) + "\n",
        "hots_rules record 2\n" + "text " + "A" * 7_000_000,
        "hots_rules record 2\n" + "seed " + "9" * 7_000_000 + "\n",
        "{head}\n\n" + "x" * 7_000_000 + "\n",
        "{head}\n\n" + "x\n" * (3 * UNIT),
        "{head}\n\n" + "(\n" * UNIT,
        "{head}\n\nrest\n" + "(\nrest\n" * (UNIT // 2),
        "{head}\n\n" + "#\n" * (3 * UNIT),
        "{head}\n\n" + "state " + "0" * 32 + "\n" + "state " + "0" * 32 + "\n",
        "{head}\n\n" + "roll " + "6 " * (UNIT // 2) + "\n",
        "{head}\n\n" + " #00000000\n" * (UNIT // 2),
    ],
    ids=lambda text: f"{text[:40]!r}",
)
def test_large_records_are_read_or_refused_in_time(text: str) -> None:
    began = time.process_time()
    try:
        hr.replay(text.replace("{head}", head(), 1), small())
    except hr.BadRecord as error:
        assert len(str(error)) < 3000

    assert time.process_time() - began < MAX_SECONDS


@pytest.mark.parametrize(
    "text",
    [
        "turn 1\n" * 20_000,
        "turn " + "9" * 190_000,
        "tired {" + "Fox, " * 30_000 + "}",
        "tired " + "{" * 100_000,
        "Fox: " + "at North, " * 15_000,
        "x: y\n" * 30_000,
        ":" * 190_000,
        "," * 190_000,
        "(" * 100_000 + ")" * 90_000,
        "\x00" * 190_000,
        "favourite " + "no" * 90_000,
    ],
    ids=lambda text: f"{text[:20]!r}",
)
def test_large_positions_are_refused_in_time(text: str) -> None:
    began = time.process_time()
    with pytest.raises(hr.BadPosition) as error:
        small().position(text, seed=0)

    assert len(str(error.value)) < 200_000
    assert time.process_time() - began < 30
