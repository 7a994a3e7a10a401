"""A snapshot of a game: what is needed to go on without replaying its actions, as lines of text.

It is stored beside the actions of a game and contains nothing that does not follow from them: a snapshot that does not
fit is dropped, and the actions are replayed. docs/reference/snapshots describes the lines.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from attrs import evolve

from hots_rules.compile.codes import HALT, OUTCOME, POINT, REASON, codes_of
from hots_rules.diagnostics import BadMessage, HotsError, check_kind, exceeds
from hots_rules.formats.snapshot_lines import (
    REMEDY,
    SnapshotMoment,
    Stacks,
    moment_lines,
    moves_line,
    parse_moment,
    parse_moves,
)
from hots_rules.formats.state_messages import control_slots
from hots_rules.observe.information_state import InformationState, last_decision, tracker_of
from hots_rules.observe.observer import SPECTATOR
from hots_rules.observe.stacks import StackTracker
from hots_rules.play.game import BaseGame
from hots_rules.records.hash_chain import digest
from hots_rules.state.state import State

G = TypeVar("G", bound=BaseGame)
HEADING = "hots_rules snapshot 3"


# ------------------------------------------------------------------ writing
def snapshot(game: BaseGame, log: Sequence[object] | None = None) -> str:
    """The snapshot of a game, with what each player and a spectator has observed; `from_snapshot` is the inverse.

    It contains every secret of the game but its seed.

    Args:
        game: the game at any moment.
        log: the list from which the caller replays the game, such as the texts of its actions; the codes of its moves
            if None. The snapshot fits no other list.

    Raises:
        BadMessage: the game is a sampled world.

    >>> import hots_rules as hr
    >>> begun = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game = begun.play(begun.actions[0])
    >>> text = hr.formats.snapshot(game)
    >>> text.splitlines()[0]
    'hots_rules snapshot 3'
    >>> hr.formats.from_snapshot(text, begun, game.moves) == game
    True
    """
    check_kind("game", game, BaseGame, "a game")
    if game.root is not None:
        raise BadMessage("$", "a sampled world has no snapshot", "take that of the game")
    log_lines = game.moves if log is None else log
    lines = [HEADING, f"game {_identity(game, log_lines, game.moves)}", moves_line(game.moves)]
    lines += moment_lines(_snapshot_moment(game))
    return "\n".join([*lines, f"seal {digest(lines)}\n"])


def _identity(game: BaseGame, log: Sequence[object], moves: Sequence[int]) -> str:
    """A digest of the ruleset, the beginning, the log and the moves of a game: its snapshot fits nothing else.

    It covers the compiled rules as well, since another version of the library may pack states in another way.
    """

    def make() -> str:
        settings = str(sorted(game.settings))
        layout = game.state.schema.layout
        return digest([game.ruleset.content_hash, settings, layout, game.machine.source])

    rules = game.ruleset.compiled.memo(("identity of snapshots", game.settings), make)
    beginning = [game.scenario, game.initial_position or "", game.chance, game.seed]
    return digest([rules, *beginning, moves_line(moves), *map(str, log)])


def _viewers(game: BaseGame) -> tuple[int, ...]:
    return (SPECTATOR, *range(len(game.ruleset.players)))


def _snapshot_moment(game: BaseGame) -> SnapshotMoment:
    """The last decision before the moment of a game, a few moves earlier; the beginning if there was none."""
    states = {
        viewer: last_decision(game, viewer) or tracker_of(game, viewer).begin(game.initial_slots())
        for viewer in _viewers(game)
    }
    observers = {
        viewer: (
            state.undo_limit,
            tuple(Stacks(stack.next_number, stack.numbers) for stack in state.stacks),
        )
        for viewer, state in states.items()
    }
    decision = states[SPECTATOR]
    return SnapshotMoment(decision.moves, decision.slots, observers)


# ------------------------------------------------------------------ reading
def from_snapshot(text: str, begun: G, log: Sequence[object]) -> G:
    """The game of a snapshot, as if its moves had been played.

    Args:
        text: the snapshot.
        begun: the game at its beginning.
        log: the list up to the snapshot, as it was given to `snapshot`; without one, the codes of the moves.

    Raises:
        BadMessage: the text is no snapshot of this game at this moment, or holds what no state can.

    >>> import hots_rules as hr
    >>> begun = hr.load("connect-four-1.0").start("empty-board", seed=1297)
    >>> game = begun.play("Red: a1")
    >>> hr.formats.from_snapshot(hr.formats.snapshot(game), begun, game.moves) == game
    True
    >>> hr.formats.from_snapshot(hr.formats.snapshot(game), begun, ())
    Traceback (most recent call last):
      ...
    hots_rules.diagnostics.errors.BadMessage: line 2: the snapshot is of another game or moment
    help: replay the actions of the game instead
    """
    check_kind("text", text, str, "a text")
    limit = begun.ruleset.limits.record_bytes
    if exceeds(text, limit):
        raise BadMessage("$", f"a snapshot of more than {limit:,} bytes", REMEDY)
    *lines, seal, end = text.split("\n") if text.count("\n") > 1 else ["", "", ""]
    if end or seal != f"seal {digest(lines)}":
        raise BadMessage("$", "the seal does not belong to the lines above it", REMEDY)
    if lines[:1] != [HEADING] or len(lines) < 3:
        raise BadMessage("line 1", f"expected `{HEADING}`, the game and its moves", REMEDY)
    moves = parse_moves(lines[2], 3)
    if lines[1] != f"game {_identity(begun, log, moves)}":
        raise BadMessage("line 2", "the snapshot is of another game or moment", REMEDY)
    _check_moves(begun, moves)
    moment = parse_moment(lines[3:], 4)
    _check_moment(begun, moment, len(moves))
    game = _game_at(begun, moves[: moment.plays], moment)
    try:
        for move in moves[moment.plays :]:
            game = game.play_code(move)
    except HotsError as error:
        raise BadMessage("line 3", f"the moves cannot be played: {error}", REMEDY) from None
    return game


def _check_moves(begun: BaseGame, moves: Sequence[int]) -> None:
    """Check that the moves are codes of actions, or outcomes if chance is asked for."""
    asks, end = begun.chance == "ask", begun.state.schema.facts.action_codes
    if not all((asks or move >= 0) and move < end for move in moves):
        raise BadMessage("line 3", "no moves of the ruleset", REMEDY)


def _check_moment(begun: BaseGame, moment: SnapshotMoment, plays: int) -> None:
    ranges = _allowed_codes(begun)
    if moment.plays > plays:
        raise BadMessage("$", f"expected a moment of the {plays} plays", REMEDY)
    if len(moment.slots) != len(ranges) or any(
        code not in allowed for code, allowed in zip(moment.slots, ranges, strict=True)
    ):
        raise BadMessage(f"moment {moment.plays}", "no state of the ruleset", REMEDY)
    slots = list(moment.slots)
    begun.state.schema.reindex(slots)
    if tuple(slots) != moment.slots:
        raise BadMessage(f"moment {moment.plays}", "an index differs from its cells", REMEDY)
    if set(moment.observers) != set(_viewers(begun)):
        raise BadMessage(f"moment {moment.plays}", "expected all observers", REMEDY)


def _allowed_codes(game: BaseGame) -> tuple[range, ...]:
    """The codes that each slot of a state may hold."""

    def make() -> tuple[range, ...]:
        schema, facts = game.state.schema, game.state.schema.facts
        count = len(game.state.slots)
        anything = range(HALT, 1 << 4000)
        allowed = [anything] * count  # frames hold values of several types
        for variable, _, slot in schema.cells():
            allowed[slot] = codes_of(variable.type)
        for slot in control_slots(schema, count):
            allowed[slot] = anything
        allowed[POINT] = range(-len(facts.points), 1)
        allowed[OUTCOME] = facts.outcome_codes
        allowed[REASON] = range(len(facts.origins))
        return tuple(allowed)

    return game.ruleset.compiled.memo(("slots of snapshots", game.settings), make)


def _game_at(begun: G, moves: tuple[int, ...], moment: SnapshotMoment) -> G:
    """The game at a moment, with what was observed up to it."""
    derived: dict[Hashable, object] = {
        (InformationState, viewer): _observed(begun, moment, viewer) for viewer in _viewers(begun)
    }
    state = State(moment.slots, begun.state.schema)
    return evolve(begun, state=state, moves=moves, previous=None, derived=derived)


def _observed(game: BaseGame, moment: SnapshotMoment, viewer: int) -> InformationState:
    """The information state of an observer at a moment; the features of hidden pieces are read from the packed state.

    Raises:
        BadMessage: the stacks are not those of the hidden pieces.
    """
    tracker = tracker_of(game, viewer)
    undo_limit, stacks = moment.observers[viewer]
    visibility = tracker.observer.visibility(moment.slots)
    features = [feature.read(moment.slots, visibility) for feature in tracker.features]
    fits = len(stacks) == len(features) and all(
        tracked.numbers.keys() == hidden.keys()
        and all(number < tracked.next_number for number in tracked.numbers.values())
        for tracked, hidden in zip(stacks, features, strict=True)
    )
    if not fits or undo_limit > moment.plays:
        raise BadMessage(f"moment {moment.plays}", "stacks of other pieces", REMEDY)
    trackers = tuple(
        StackTracker(tracked.numbers, hidden, tracked.next_number)
        for tracked, hidden in zip(stacks, features, strict=True)
    )
    return InformationState(moment.slots, moment.plays, moment.plays, undo_limit, trackers)
