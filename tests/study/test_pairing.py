"""Paired games choose by the words of actions: alike on every back end, and together while the rules let them."""

from __future__ import annotations

from array import array
from collections import defaultdict
from math import sqrt

import pytest

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.compile.codes import Slots
from hots_rules.compile.machine import Machine
from hots_rules.native.backends import is_installed
from hots_rules.native.batch import Ended
from hots_rules.native.runtime.pairing import (
    POINT_MASK,
    TRAIL_CELLS,
    PairedChooser,
    hash_reader,
    mixed,
    parting,
)
from tests.sizes import sample_size

NAMES = ("hots-4.0", "hots-2.3", "lords-of-scotland", "goofspiel-1.0", "breakthrough-1.0")
GAMES = sample_size(12, 300)


def played(name: str, backend: str, games: int, **others: object) -> list[Ended]:
    """Paired games of the first scenario of a ruleset."""
    ruleset = hr.load(name)
    batch = Batch.of(ruleset, backend=backend, is_paired=True, **others)  # type: ignore[arg-type]
    assert batch.backend == backend
    start = batch.machine.begin(next(iter(ruleset.scenarios)))
    tasks = [(start, f"pair/{number}") for number in range(games)]
    return list(batch.play(tasks, keeps_slots=True))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "backend"),
    [*((name, "wasm") for name in NAMES), ("hots-4.0", "llvm"), ("goofspiel-1.0", "llvm")],
)
def test_every_back_end_plays_the_same_paired_games(name: str, backend: str) -> None:
    if not is_installed(backend):
        pytest.skip("an extra is not installed")

    assert played(name, "python", GAMES) == played(name, backend, GAMES)


@pytest.mark.thorough
def test_a_policy_guides_paired_games_on_every_back_end() -> None:
    if not is_installed("wasm"):
        pytest.skip("an extra is not installed")
    found = played("hots-4.0", "wasm", 4, policy="retreat-at-one")

    assert played("hots-4.0", "python", 4, policy="retreat-at-one") == found
    assert played("hots-4.0", "wasm", 4) != found


class Counting(PairedChooser):
    """Compares how often an action of each name is chosen with how often it would be among equally likely ones."""

    machine: Machine
    excess: dict[str, float]
    variance: dict[str, float]

    def choose(self, slots: Slots, legal: list[int]) -> int:  # type: ignore[override]
        at = super().choose(slots, legal)
        actions = self.machine.facts.actions
        names = [actions[self.machine.action_of(code)].name for code in legal]
        keys = [f"{self.machine.player_of(code)} {n}" for n, code in zip(names, legal, strict=True)]
        for key in set(keys):
            share = keys.count(key) / len(keys)
            self.excess[key] += (keys[at] == key) - share
            self.variance[key] += share * (1 - share)
        return at


@pytest.mark.thorough
def test_each_legal_action_is_equally_likely() -> None:
    """Every player's actions of each name come up as often as they should, within five standard errors."""
    ruleset = hr.load("hots-4.0")
    machine = ruleset.machine(ruleset.chosen({}, {}))
    action_hash = hash_reader(machine)
    excess, variance = defaultdict[str, float](float), defaultdict[str, float](float)
    for number in range(sample_size(40, 400)):
        chooser = Counting(machine, f"even/{number}", action_hash)
        chooser.excess, chooser.variance = excess, variance
        chooser.play(machine.begin("braveheart"), most=20_000)

    varied = {key: spread for key, spread in variance.items() if spread > 5}
    assert len(varied) > 20
    assert {} == {
        key: excess[key] for key, spread in varied.items() if abs(excess[key]) > 5 * sqrt(spread)
    }


def test_no_two_legal_actions_have_the_same_words() -> None:
    ruleset = hr.load("hots-4.0")
    machine = ruleset.machine(ruleset.chosen({}, {}))
    action_hash = hash_reader(machine)
    codes = range(sum(action.size for action in machine.facts.actions))

    assert len(codes) == len({action_hash(code) for code in codes})


@pytest.mark.thorough
def test_games_under_two_editions_run_together_until_their_rules_part() -> None:
    """The edition 3.x differs little from 4.0: most of the paired games are equal to the end."""
    pairs = list(
        zip(played("hots-4.0", "python", 60), played("hots-3.x", "python", 60), strict=True)
    )
    equal = [one.digest == other.digest for one, other in pairs]
    divergences = [
        parting(memoryview(one.trail).cast("Q"), memoryview(other.trail).cast("Q"))
        for one, other in pairs
    ]

    assert 40 < sum(equal) < 60
    assert equal == [place is None for place in divergences]


def test_a_trail_has_the_suspension_point_of_each_decision() -> None:
    ruleset = hr.load("goofspiel-1.0")
    machine = ruleset.machine(ruleset.chosen({}, {}))
    (end,) = played("goofspiel-1.0", "python", 1)
    words = memoryview(end.trail).cast("Q")

    assert end.decisions == len(words) < TRAIL_CELLS
    assert {"decision"} == {machine.facts.points[word & POINT_MASK].kind for word in words}


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ([], [], None),
        ([1, 2], [1, 2], None),
        ([1, 2], [1, 2, 3], 2),
        ([1, 2, 3], [5, 6, 7], 0),
        ([1, 2, 3, 4], [1, 2, 3, 9], 3),
    ],
)
def test_trails_part_at_the_first_word_that_differs(
    one: list[int], other: list[int], found: int | None
) -> None:
    assert found == parting(memoryview(array("Q", one)), memoryview(array("Q", other)))


def test_numbers_are_mixed_as_by_splitmix64() -> None:
    """The first outputs of SplitMix64 for the seed 0, as its reference implementation prints them."""
    golden = 0x9E3779B97F4A7C15
    assert [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F] == [
        mixed(golden * number & (1 << 64) - 1) for number in (1, 2, 3)
    ]
