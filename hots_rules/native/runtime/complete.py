"""A whole program: the functions of a ruleset, with chance, the chooser and the loop of games."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from hots_rules._gc_policy import uncollected
from hots_rules.compile.codes import HALT, DecisionPoint, DicePoint
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering import runs
from hots_rules.native.lowering.bounds import HIGHEST, LOWEST
from hots_rules.native.lowering.lower import Lowered
from hots_rules.native.lowering.read import read_functions
from hots_rules.native.runtime import (
    chance,
    counting,
    digests,
    games,
    pairing,
    sha512,
    stepping,
    twister,
)
from hots_rules.native.runtime.blake2b import IV
from hots_rules.native.runtime.layout import Stepping
from hots_rules.native.runtime.tables import NumberTables
from hots_rules.rules.graph import reachable

EXPORTED = frozenset({"batch", "advance", "play", "legal", "step", "illegal"})
"""The functions that can be called from outside; in a program of `complete_stepping` only those of the runtime."""


@uncollected()
def complete(
    lowered: Lowered,
    *,
    most_games: int,
    most_decisions: int,
    has_digests: bool = False,
    is_paired: bool = False,
) -> p.Program:
    """The program of a ruleset that plays up to `most_games` at once, each with at most so many decisions.

    With digests it is slower, and tells of each game the digest of its legal actions. Paired games always have
    digests, and trails. The program of a traced machine counts what comes up in each game.
    """
    memory = dict(lowered.memory)
    rooms = _rooms(memory["SLOTS"].room, most_games)
    counted = _counted(lowered)
    if counted:
        rooms |= {"TALLIES": most_games * counted}
    if is_paired:
        rooms |= {"MOMENT": 1, "SINCE": 1, "TRAIL": most_games * pairing.TRAIL_CELLS}
    else:
        rooms |= twister.ROOMS
    memory |= p.lay_out(rooms, base=p.end_of(memory))
    source = _chance(lowered) + games.PLAY_SOURCE + games.SOURCE
    source += _chooser(has_digests, is_paired)
    source += runs.SOURCE if "RUNS" in memory else runs.LISTED_SOURCE
    source += counting.SOURCE if counted else counting.NO_SOURCE
    own = read_functions(source, memory, _constants(lowered, most_decisions))
    functions = tuple(
        evolve(function, is_exported=function.name in EXPORTED)
        for function in (*lowered.functions, *own)
    )
    bounds = tuple(lowered.slots.bounds)
    tables = {**lowered.tables, **_tables(lowered)}
    if is_paired:
        tables |= pairing.tables(lowered.machine)
    return p.Program(_needed(functions), tables, memory, bounds)


def complete_stepping(lowered: Lowered, plan: Stepping) -> p.Program:
    """The program of an observed ruleset that plays games decision by decision.

    Raises:
        NotLowered: it cannot follow what players see of hidden pieces.
    """
    machine, slots, tables = lowered.machine, lowered.memory["SLOTS"].room, NumberTables()
    memory = dict(lowered.memory)
    rooms = chance.ROOMS | stepping.stepping_rooms(plan, machine, slots, memory["OUT"].room)
    memory |= p.lay_out(rooms, base=p.end_of(memory))
    source = _chance(lowered) + games.PLAY_SOURCE
    source += stepping.stepping_source(plan, machine, lowered.slots, tables)
    constants = _constants(lowered, 0) | stepping.stepping_constants(plan, machine, memory)
    own = read_functions(source, memory, constants, EXPORTED)
    numbers = {"FIRST_NUMBERS": stepping.first_numbers(machine)}
    return p.Program(
        _needed((*lowered.functions, *own)),
        {**lowered.tables, **_tables(lowered), **tables.rows, **numbers},
        memory,
        tuple(lowered.slots.bounds),
    )


def _needed(functions: Sequence[p.Function]) -> tuple[p.Function, ...]:
    """The functions that exported ones lead to; the others would be compiled for nothing."""
    calls = {
        function.name: [node.function for node in p.walk(function.body) if isinstance(node, p.Call)]
        for function in functions
    }
    needed = reachable(calls, [function.name for function in functions if function.is_exported])
    return tuple(function for function in functions if function.name in needed)


def _chance(lowered: Lowered) -> str:
    points = lowered.machine.points
    return lowered.scopes + chance.chance_source(
        has_outcomes=any(not isinstance(point, DecisionPoint) for point in points)
    )


def _chooser(has_digests: bool, is_paired: bool) -> str:
    """The functions that choose among the legal actions, and are seeded for each game."""
    if is_paired:
        return pairing.SOURCE
    drawn = digests.SOURCE if has_digests else games.PLAIN_SOURCE
    return twister.twister_source() + games.CHOOSER_SOURCE + drawn


def _counted(lowered: Lowered) -> int:
    """How many names are counted in each game."""
    return lowered.memory["SEEN"].room if "SEEN" in lowered.memory else 0


def _rooms(slot_cells: int, most_games: int) -> dict[str, int]:
    """The numbers of cells of the regions for so many games, whose states have `slot_cells` each."""
    return chance.ROOMS | {
        "GAMES": 1,
        "BUDGET": 1,
        "GAME": 1,
        "IS_LIVE": 1,
        "DECISIONS": 1,
        "ACTION": 1,
        "ACTION_DIGEST": 1,
        "IS_NUMBERED": 1,
        "PREFIX": chance.SEED_CELLS,
        "PREFIX_SIZE": 1,
        "FIRST_NUMBER": 1,
        "ALL_DECISIONS": 1,
        "FIRST_ERROR": 1,
        "ENDS": games.NUMBERED,
        "ROWS": max(most_games, twister.LANES) * games.ROW_CELLS,
        "STATES": most_games * slot_cells,
    }


def _constants(lowered: Lowered, most_decisions: int) -> dict[str, int]:
    limits = lowered.machine.limits
    return {
        **chance.CONSTANTS,
        **games.CONSTANTS,
        **digests.CONSTANTS,
        **pairing.CONSTANTS,
        "HALT": HALT,
        "POINT_COUNT": len(lowered.machine.points),
        "ACTION_COUNT": len(lowered.machine.bases),
        "SLOT_CELLS": lowered.memory["SLOTS"].room,
        "COUNTED": _counted(lowered),
        "MAX_STEPS": limits.play_steps,
        "MAX_ACTIONS": limits.actions,
        "MAX_DECISIONS": most_decisions,
        "MOST_LISTED": lowered.memory["OUT"].room,
        "LAST_RUN": lowered.memory.get("MASKS", lowered.memory["OUT"]).room - 1,
    }


def _tables(lowered: Lowered) -> dict[str, tuple[int, ...]]:
    """The tables of the runtime: of dice and hashes, and the bounds of the slots."""
    dice = [
        (point.most, point.sides)
        if isinstance(point, DicePoint) and point.most is not None
        else None
        for point in lowered.machine.points
    ]
    return {
        **chance.roll_tables(dice),
        "FRESH_TWISTER": twister.fresh_twister(),
        "SHA512_WORDS": sha512.round_words(),
        "BLAKE2B_IV": IV,
        "NAME_NUMBER": digests.name_numbers(lowered.machine) or (0,),
        "LOWEST": tuple(LOWEST if bounds is None else bounds[0] for bounds in lowered.slots.bounds),
        "HIGHEST": tuple(
            HIGHEST if bounds is None else bounds[1] for bounds in lowered.slots.bounds
        ),
    }
