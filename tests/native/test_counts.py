"""Machine code counts what a traced module notes: as often, in whole games of every ruleset."""

from __future__ import annotations

from collections import Counter

import pytest

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.compile.traced import EntryNote, LoggedSlots, RuleNote
from hots_rules.native.backends import is_installed
from hots_rules.native.cached_code import MAX_DECISIONS
from hots_rules.native.lowering.lower import lower
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.counting import counted_names
from hots_rules.native.runtime.pairing import PairedChooser, hash_reader
from hots_rules.rules import known_rulesets
from tests.compile.test_after import KINGS
from tests.playing import ruleset_of
from tests.sizes import sample_size

NAMES = sorted(known_rulesets())
GAMES = sample_size(2, 100)
nightly = pytest.mark.nightly


def noted(ruleset: hr.Ruleset, scenario: str, seed: str) -> Counter[str]:
    """What the trace of a whole paired game notes."""
    machine = ruleset.machine(ruleset.chosen({}, {}), traced=True)
    slots = LoggedSlots(machine.begin(scenario))
    PairedChooser(machine, seed, hash_reader(machine)).play(slots, MAX_DECISIONS)
    origins = machine.facts.origins
    return Counter(
        f"{note.kind} {note.name}"
        if isinstance(note, EntryNote)
        else f"rule {origins[note.origin].rule}"
        for note in slots.log
        if isinstance(note, EntryNote | RuleNote)
    )


def counted(ruleset: hr.Ruleset, scenario: str, backend: str) -> list[Counter[str]]:
    """What is counted in the same games."""
    batch = Batch.of(ruleset, backend=backend, is_paired=True, is_counted=True)
    assert batch.backend == backend
    start, names = batch.machine.begin(scenario), counted_names(batch.machine)
    ends = batch.play((start, f"counts/{number}") for number in range(GAMES))
    return [+Counter(dict(zip(names, end.counts, strict=True))) for end in ends]


@pytest.mark.skipif(not is_installed("wasm"), reason="needs wasmtime")
def test_what_would_happen_after_an_action_is_not_counted() -> None:
    ruleset = ruleset_of(KINGS)
    counts = counted(ruleset, "first", "wasm")
    assert counts == [noted(ruleset, "first", f"counts/{number}") for number in range(GAMES)]
    assert all(0 < count["action move"] <= 60 for count in counts)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("backend", ["wasm", pytest.param("llvm", marks=nightly)])
def test_what_is_counted_is_what_the_trace_notes(name: str, backend: str) -> None:
    if not is_installed(backend):
        pytest.skip("an extra is not installed")
    ruleset = hr.load(name)
    for scenario in ruleset.scenarios if backend == "llvm" else ruleset.scenarios[:1]:
        known = [noted(ruleset, scenario, f"counts/{number}") for number in range(GAMES)]

        assert known == counted(ruleset, scenario, "python") == counted(ruleset, scenario, backend)
        assert all(game.total() > 10 for game in known)


def test_counting_changes_no_game() -> None:
    if not is_installed("wasm"):
        pytest.skip("an extra is not installed")
    ruleset = hr.load("lords-of-scotland")
    plain, counting = (
        Batch.of(ruleset, backend="wasm", is_paired=True, is_counted=is_counted)
        for is_counted in (False, True)
    )
    start = plain.machine.begin(ruleset.scenarios[0])
    tasks = [(start, f"counts/{number}") for number in range(GAMES)]
    games = zip(plain.play(tasks), counting.play(tasks), strict=True)

    assert all(
        (one.outcome, one.digest, one.trail) == (other.outcome, other.digest, other.trail)
        for one, other in games
    )


def test_only_a_traced_machine_has_what_is_counted() -> None:
    ruleset = hr.load("breakthrough-1.0")
    settings = ruleset.chosen({}, {})

    with pytest.raises(NotLowered, match="without notes"):
        lower(ruleset.machine(settings), is_counted=True)
    with pytest.raises(NotLowered, match="logs what happens"):
        lower(ruleset.machine(settings, traced=True))
