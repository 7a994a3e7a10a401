"""The history of a game for one viewer, which grows as the game does."""

from __future__ import annotations

from random import Random

from attrs import field, frozen

from hots_rules.compile.codes import POINT
from hots_rules.diagnostics import NoConsistentWorld
from hots_rules.observe.courses.history import History, Packed, Stacks
from hots_rules.observe.courses.moment_reader import reader_of, single_steps
from hots_rules.observe.determinization import game_at, sampler_of
from hots_rules.observe.information_state import tracker_of
from hots_rules.play.game import BaseGame

BEGINNINGS = 4  # states at which a game that began at a position may have begun


@frozen(eq=False)
class Followed:
    """How far a game was followed: the moves, the state and the stacks after them, and what was observed."""

    moves: int
    slots: Packed = field(repr=False)
    stacks: Stacks = field(repr=False)
    history: History


def history_of(game: BaseGame, viewer: int) -> History:
    """All that a viewer observed of a game. The games after it continue from there."""
    followed: Followed | None = game.derived.get((History, viewer))
    if followed is None:
        followed = _begun(game, viewer)
    moves = game.moves[followed.moves :]
    if moves or (History, viewer) not in game.derived:
        followed = _continued(game, viewer, followed, moves)
        game.derived[History, viewer] = followed
    return followed.history


def _begun(game: BaseGame, viewer: int) -> Followed:
    """The first moment of a game."""
    reader, machine = reader_of(game, viewer), game.machine
    if game.root is None and game.initial_position is None:
        slots = machine.begin(game.scenario)
        machine.run(slots, slots[POINT], None)
        first = tuple(slots)
        beginnings: tuple[Packed, ...] = (first,)
    else:
        first = tuple(game.initial_slots())
        beginnings = _beginnings(game, viewer, first)
    stacks = reader.tracker.stacks_at(None, first)
    moment = reader.moment(machine, first, stacks)
    return Followed(0, first, stacks, History(beginnings, 0, (moment,), ()))


def _beginnings(game: BaseGame, viewer: int, first: Packed) -> tuple[Packed, ...]:
    begun = game_at(game, game.seed, tracker_of(game, viewer).begin(first), viewer)
    chance = Random("beginnings")
    try:
        sampler = sampler_of(begun, viewer)
        worlds = [sampler.world(chance, f"{number}") for number in range(BEGINNINGS)]
    except NoConsistentWorld:
        return ()
    return tuple(dict.fromkeys(world.state.slots for world in worlds))


def _continued(game: BaseGame, viewer: int, followed: Followed, moves: tuple[int, ...]) -> Followed:
    reader, machine, before = reader_of(game, viewer), game.machine, followed.history
    slots, stacks, tracked = followed.slots, followed.stacks, before.tracked
    moments, steps = list(before.moments), list(before.steps)
    for move, after in single_steps(machine, slots, moves, game.chance_seed):
        if game.chance == "auto" and move < 0 and tracked == len(steps):
            tracked += 1
        steps.append(reader.step(machine, slots, move))
        is_first = len(steps) <= tracked
        stacks = reader.tracker.stacks_at(None if is_first else (slots, stacks), after)
        moments.append(reader.moment(machine, after, stacks, moments[-1]))
        slots = after
    history = History(
        before.beginnings, tracked, tuple(moments), tuple(steps), dict(before.derived)
    )
    return Followed(len(game.moves), slots, stacks, history)
