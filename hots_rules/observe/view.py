"""A game as one player may see it, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from attrs import field, frozen

from hots_rules._translate import translator
from hots_rules.observe.information_state import information_state, tracker_of
from hots_rules.observe.observed_trace import witnessed
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.view_data import ViewBuilder
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame, Outcome
from hots_rules.play.trace import Step


@frozen
class Stack:
    """Things that nobody at this place can tell apart from behind.

    `name` is how `View.state` names them, `Piece#3`: the same in every view of a player as long as
    they stay together and nothing joins them. `type` says of what kind they are, `count` how many,
    `text` what one of them is in words.
    """

    name: str
    type: str
    count: int
    text: str


@frozen
class View:
    """All that one player may know of a game at one moment, in plain values.

    `state` has the variables as `State.as_dict` has them, with `?` for a value that is hidden and the
    name of a stack for things seen from behind. `actions` are the player's own legal actions, `log` the
    steps of the plays that were asked for, `undo_floor` how many of the `plays` must stand. `player`
    is None for a spectator, `phase` is empty at the end. Views are equal when all of it is.
    """

    ruleset: str
    player: str | None
    plays: int
    phase: str
    to_move: tuple[str, ...]
    outcome: Outcome | None
    undo_floor: int
    actions: tuple[Action, ...]
    state: dict[str, Any] = field(hash=False)
    stacks: tuple[Stack, ...]
    log: tuple[Step, ...] = field(hash=False)
    language: str = "en"

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def view_of(game: BaseGame, player: str | None, since: int | None = None) -> View:
    """What a player, or a spectator, can know of a game.

    Raises:
        UnknownOption: no such player.
    """
    viewer = viewer_of(game, player)
    tracker, state = tracker_of(game, viewer), information_state(game, viewer)
    visibility = tracker.eyes.look(game.state.slots)
    labels = game.ruleset.labels
    builder = ViewBuilder(tracker.drafts, visibility, game.state.slots, state.backs, labels)
    own = () if player is None else tuple(a for a in game.actions if a.player == player)
    return View(
        game.ruleset.name,
        player,
        state.plays,
        game.phase,
        game.to_move,
        game.outcome,
        state.floor,
        own,
        builder.state(),
        tuple(Stack(*stack) for stack in builder.stacks()),
        () if since is None else observed_trace(game, player, since),
        game.language,
    )


def observed_trace(
    game: BaseGame, player: str | None, since: int | None = None
) -> tuple[Step, ...]:
    """The steps that a player observed in the last play, or in those after a number of plays.

    Raises:
        UnknownOption: no such player.
    """
    viewer = viewer_of(game, player)
    tracker = tracker_of(game, viewer)
    if since is None:
        if game.previous is None or not game.moves:
            return ()
        return witnessed(tracker, game.notation, game.previous, game.moves[-1], game.chance_seed)
    # In a sampled world the log begins with what was played in it.
    missed = min(len(game.moves), max(information_state(game, viewer).plays - since, 0))
    plays = islice(_replayed(game), len(game.moves) - missed, None)
    return tuple(
        step
        for before, move in plays
        for step in witnessed(tracker, game.notation, before, move, game.chance_seed)
    )


def _replayed(game: BaseGame) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every play of a game, with the state before it."""
    machine, slots = game.machine, game.initial_slots()
    for move in game.moves:
        yield tuple(slots), move
        if move < 0:
            machine.resume(slots, -1 - move, game.chance_seed)
        else:
            machine.play(slots, move, game.chance_seed)


# ------------------------------------------------------------------ for people
def _lines(view: View) -> Iterator[str]:
    """A view in lines: how it stands, the state without what is empty, what can be chosen."""
    said = translator(view.language)
    who = view.player or said.gettext("a spectator")
    yield said.ngettext(
        "{ruleset}, as {player} sees it after {number} play",
        "{ruleset}, as {player} sees it after {number} plays",
        view.plays,
        ruleset=view.ruleset,
        player=who,
    )
    if view.outcome is not None:
        yield str(view.outcome)
    elif view.phase:
        phase = view.phase.replace("_", " ")
        yield said.gettext(
            "{players} to choose in {phase}", players=said.join_list(view.to_move), phase=phase
        )
    many = {stack.name: f"{stack.name} ({stack.text} ×{stack.count})" for stack in view.stacks}
    for name, value in view.state.items():
        told = _said(value, many)
        if told:
            yield f"{name.replace('_', ' ')}: {told}"
    for action in view.actions:
        yield f"- {action.text}"


def _said(value: Any, many: dict[str, str]) -> str:
    """A value in words; nothing for what is empty, zero or `none`."""
    if isinstance(value, dict):
        told = ((key, _said(inner, many)) for key, inner in value.items())
        return ", ".join(f"{many.get(key, key)} {said}" for key, said in told if said)
    if isinstance(value, list):
        inner = ", ".join(_said(one, many) for one in value)
        return f"[{inner}]" if inner else ""
    if value is True:
        return "yes"
    return many.get(value, str(value)) if value else ""
