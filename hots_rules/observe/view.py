"""A game as one player may see it, as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from hots_rules._translate import translator
from hots_rules.observe.information_state import memory_of
from hots_rules.observe.observed_trace import witnessed
from hots_rules.observe.view_data import ViewBuilder
from hots_rules.play.action import Action
from hots_rules.play.trace import Step

if TYPE_CHECKING:
    from hots_rules.play.game import Game, Outcome


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


def view_of(game: Game, player: str | None, since: int | None, language: str = "en") -> View:
    """What a player, or a spectator, may know of a game."""
    viewer = game._seat(player)
    looking = game._onlooker(viewer)
    memory = memory_of(game, viewer)
    look = looking.eyes.look(game.state.slots)
    drawing = ViewBuilder(looking.drafts, look, game.state.slots, memory.backs)
    own = (
        () if player is None else tuple(a for a in game.actions_in(language) if a.player == player)
    )
    return View(
        game.ruleset.name,
        player,
        memory.plays,
        game.phase,
        game.to_move,
        game.outcome_in(language),
        memory.floor,
        own,
        drawing.state(),
        tuple(Stack(*found) for found in drawing.stacks()),
        () if since is None else log_of(game, player, since, language),
        language,
    )


def log_of(
    game: Game, player: str | None, since: int | None = None, language: str = "en"
) -> tuple[Step, ...]:
    """The steps that a player saw in the last play, or in those after a number of them.

    Raises:
        UnknownOption: no such player, or no such language.
    """
    viewer = game._seat(player)
    looking, notation = game._onlooker(viewer), game.notation(language)
    if since is None:
        if game._before is None or not game.moves:
            return ()
        return witnessed(looking, notation, game._before, game.moves[-1], game._seed)
    # Of a world that was only thought of, the log begins with what was played in it.
    missed = min(len(game.moves), max(memory_of(game, viewer).plays - since, 0))
    plays = islice(_replayed(game), len(game.moves) - missed, None)
    return tuple(
        step
        for before, move in plays
        for step in witnessed(looking, notation, before, move, game._seed)
    )


def _replayed(game: Game) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every play of a game, with the state before it."""
    machine, slots = game._machine, game._begun()
    for move in game.moves:
        yield tuple(slots), move
        if move < 0:
            machine.resume(slots, -1 - move, game._seed)
        else:
            machine.play(slots, move, game._seed)


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
