"""Machine code in the user's cache folder, under all that it depends on, with the trust rules of the cache."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b

from attrs import frozen

from hots_rules._cache import key_of, read_plain, write_plain
from hots_rules.compile.cache import engine_hash
from hots_rules.compile.counting import CountingMachine
from hots_rules.compile.machine import Machine
from hots_rules.native.backend import Backend, Code, NativeFault
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.refusal import NotLowered, check_machine
from hots_rules.native.runtime.layout import Stepping

BATCH = 64
"""How many games one call plays."""
MAX_DECISIONS = 200_000
"""The most decisions of a game with random moves; a longer one ends unfinished."""
_Kept = tuple[bytes, dict[str, tuple[int, int]]]


@frozen
class NativeCode:
    """The loaded machine code of a ruleset, and where things lie in its memory. Threads may share it.

    Rulesets with the same `digest` have the same code, and so play the same games from the same states and seeds.
    """

    code: Code
    memory: dict[str, p.Region]
    slots: SlotMap
    digest: str = ""


def is_kept(
    machine: Machine, backend: Backend, *, has_digests: bool = False, is_paired: bool = False
) -> bool:
    """Whether the machine code of a ruleset is in the cache."""
    return read_plain(_key(machine, backend, has_digests, is_paired)) is not None


def native_code(
    machine: Machine,
    backend: Backend,
    *,
    has_digests: bool = False,
    is_paired: bool = False,
    is_counted: bool = False,
) -> NativeCode:
    """The machine code of a ruleset: kept code, or compiled and kept.

    With `has_digests` it computes digests of the legal actions, with `is_paired` games choose by the words of actions,
    and with `is_counted`, which needs a traced machine, it counts what comes up.

    Raises:
        NotLowered: the integer program cannot express the ruleset.
    """
    check_machine(machine, is_counted=is_counted)
    key = _key(machine, backend, has_digests, is_paired)
    if kept := read_plain(key):
        with suppress(NativeFault):
            return _loaded(machine, backend, kept)
    # Late imports: kept code needs none of them.
    from hots_rules.native.lowering.lower import lower
    from hots_rules.native.runtime.complete import complete

    try:
        program = complete(
            lower(machine, is_counted=is_counted, has_runs=not has_digests and not is_paired),
            most_games=BATCH,
            most_decisions=MAX_DECISIONS,
            has_digests=has_digests,
            is_paired=is_paired,
        )
        code = backend.compile(program)
    except RecursionError:
        raise NotLowered("an expression with too many parts within each other") from None
    made = code, {name: (part.base, part.room) for name, part in program.memory.items()}
    write_plain(key, made)
    return _loaded(machine, backend, made)


def stepping_code(machine: Machine, backend: Backend, plan: Stepping) -> NativeCode:
    """The machine code that plays games of a ruleset decision by decision: kept code, or compiled and kept.

    Raises:
        NotLowered: the integer program cannot express the ruleset, or what players see of it.
    """
    check_machine(machine)
    key = _key(machine, backend, repr(plan), False)
    if kept := read_plain(key):
        with suppress(NativeFault):
            return _loaded(machine, backend, kept)
    # Late imports: kept code needs none of them.
    from hots_rules.native.lowering.lower import lower
    from hots_rules.native.runtime.complete import complete_stepping

    try:
        program = complete_stepping(lower(machine, is_observed=True), plan)
        code = backend.compile(program)
    except RecursionError:
        raise NotLowered("an expression with too many parts within each other") from None
    made = code, {name: (part.base, part.room) for name, part in program.memory.items()}
    write_plain(key, made)
    return _loaded(machine, backend, made)


def _loaded(machine: Machine, backend: Backend, kept: _Kept) -> NativeCode:
    code, regions = kept
    memory = {name: p.Region(*place) for name, place in regions.items()}
    # The code is there already: the program says no more than how large its memory is.
    loaded = backend.load(code, p.Program((), {}, memory))
    digest = blake2b(repr((code, sorted(regions.items()))).encode(), digest_size=16).hexdigest()
    return NativeCode(loaded, memory, SlotMap(machine.facts, len(machine.blocks)), digest)


def _key(machine: Machine, backend: Backend, form: object, is_paired: bool) -> str:
    facts = machine.facts
    return key_of(
        "machine code",
        engine_hash(),
        engine_hash(("native",)),
        facts.content_digest,
        repr(facts.chosen),
        repr(machine.limits),
        machine.source,
        backend.name,
        backend.version,
        "paired" if is_paired else str(form),
        repr(machine.per_member if isinstance(machine, CountingMachine) else None),
    )
