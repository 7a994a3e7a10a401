"""The view: what one player sees of a game at one moment, as plain data."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, field, frozen

from hots_rules._frozen import FrozenDict, frozen_value
from hots_rules._translate import translator
from hots_rules.diagnostics import check_whole
from hots_rules.observe.information_state import InformationState, information_state, tracker_of
from hots_rules.observe.observed_trace import observed_steps
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.view_data import NestedValue, SeenState, ViewBuilder
from hots_rules.play.action import Action, ActionList
from hots_rules.play.game import BaseGame
from hots_rules.play.outcome import Outcome
from hots_rules.play.trace import Step
from hots_rules.report.html_printer import notebook_table
from hots_rules.state.data_text import plain

PLAYS_KEPT = 3  # of which the steps are kept, for each viewer and language
Values = dict[str, Any]
"""Values of a ruleset by name."""


def _frozen_values(values: Mapping[str, object]) -> Values:
    return values if type(values) is FrozenDict else frozen_value(dict(values))


@frozen
class Stack:
    """Hidden pieces that the viewer cannot tell apart.

    >>> import hots_rules as hr
    >>> view = hr.load("hots-4.0").start("braveheart", seed=1297).view(None)
    >>> sum(stack.count for stack in view.stacks)
    41

    Attributes:
        name: the stack's name in `View.state`, such as `Piece#3`. It stays the same as long as the pieces stay
            together and no other piece joins them.
        type: the name of the pieces' type.
        count: the number of pieces.
        text: one of the pieces in words, such as `a piece of Red`.
    """

    name: str
    type: str
    count: int
    text: str


@frozen
class View:
    """What one player, or a spectator, sees of a game at one moment, as plain data.

    Two views are equal if all their fields are equal. `str(view)` lists what is not empty.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> view = game.view(game.to_move[0])
    >>> view.plays, view.undo_limit, len(view.actions) == len(game.actions)
    (0, 0, False)

    Attributes:
        ruleset: the name of the ruleset.
        player: the viewer; None for a spectator.
        plays: the number of plays so far.
        phase: the phase in which somebody chooses; empty at the end of the game.
        to_move: the players who choose now, or `("chance",)`.
        outcome: the outcome, if the game is over.
        undo_limit: how many of the `plays` cannot be undone, because they revealed hidden information.
        actions: the viewer's own legal actions.
        state: all variables but internal ones, as in `State.as_dict`; a hidden value is `?`, a hidden piece has the
            name of its stack. It refuses changes, at every depth.
        stacks: the stacks of hidden pieces that `state` names.
        log: the observed steps of the plays after the `since` that was given; empty without one.
        language: the language of all texts.
    """

    ruleset: str
    player: str | None
    plays: int
    phase: str
    to_move: tuple[str, ...]
    outcome: Outcome | None
    undo_limit: int
    actions: tuple[Action, ...]
    state: Values = field(hash=False, converter=_frozen_values)
    stacks: tuple[Stack, ...]
    log: tuple[Step, ...] = field(hash=False)
    language: str = "en"

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def _repr_html_(self) -> str:
        """Whose choice it is and what is known as a table, then the own actions, for notebooks."""
        title = _title(self)
        rows = []
        if self.outcome is not None:
            title = f"{title}: {self.outcome}"
        elif self.phase:
            players = translator(self.language).join_list(self.to_move)
            rows.append((self.phase.replace("_", " "), players))
        stacks = {stack.name: f"{stack.text} ×{stack.count}" for stack in self.stacks}
        texts = ((name, plain(value, stacks)) for name, value in self.state.items())
        rows += [(name.replace("_", " "), text) for name, text in texts if text]
        actions = ActionList(self.actions)._repr_html_() if self.actions else ""
        return notebook_table(rows, title) + actions


def view_of(game: BaseGame, player: str | None, since: int | None = None) -> View:
    """What a player, or a spectator, can see of a game; with `since`, also the log of the later plays.

    Raises:
        UnknownName: no such player.
    """
    viewer = viewer_of(game, player)
    state = information_state(game, viewer)
    key, slots = (View, viewer, game.language), game.state.slots
    kept: _KeptView | None = game.derived.get(key)
    if kept is None or kept.information is not state or kept.slots is not slots:
        kept = game.derived[key] = _KeptView(state, slots, _new_view(game, player, state))
    if since is None:
        return kept.view
    return evolve(kept.view, log=observed_trace(game, player, since))


@frozen(eq=False)
class _KeptView:
    """The last view of a game without its log, with the information state and the packed state that it is of."""

    information: InformationState = field(repr=False)
    slots: tuple[int, ...] = field(repr=False)
    view: View


def _new_view(game: BaseGame, player: str | None, state: InformationState) -> View:
    viewer = viewer_of(game, player)
    columns = tracker_of(game, viewer).columns
    builder = ViewBuilder(columns, redacted_formatter(game, player), state.stacks)
    # Most of what is seen is as it was in the last view of the game.
    seen = builder.state(game.derived.get((SeenState, viewer)))
    game.derived[SeenState, viewer] = seen
    key = Stack, viewer, game.language
    # What stacks are made of tells who knows their pieces, so that their words are the same with them.
    made_of, stacks = game.derived.get(key, (None, ()))
    if made_of is not state.stacks:
        stacks = tuple(Stack(*stack) for stack in builder.stacks())
        game.derived[key] = state.stacks, stacks
    actions = () if player is None else game.actions
    own_actions = ActionList(action for action in actions if action.player == player)
    return View(
        game.ruleset.name,
        player,
        state.plays,
        game.phase,
        game.to_move,
        game.outcome,
        state.undo_limit,
        own_actions,
        seen.values,
        stacks,
        (),
        game.language,
    )


def redacted_formatter(game: BaseGame, player: str | None) -> RedactedFormatter:
    """A formatter of a game's values that redacts what is hidden from a player or a spectator.

    Raises:
        UnknownName: no such player.
    """
    slots = game.state.slots
    visibility = tracker_of(game, viewer_of(game, player)).visibility(slots)
    return RedactedFormatter(visibility, slots, game.ruleset.labels)


def observed_trace(
    game: BaseGame, player: str | None, since: int | None = None
) -> tuple[Step, ...]:
    """The steps that a player observed in the last play, or in those after the first `since` plays.

    Raises:
        UnknownName: no such player.
    """
    viewer = viewer_of(game, player)
    tracker = tracker_of(game, viewer)
    if since is not None:
        check_whole("since", since)
    if since is None:
        if game.previous is None or not game.moves:
            return ()
        last = game.moves[-1]
        return observed_steps(tracker, game.notation, game.previous, last, game.chance_seed)
    # The moves of a sampled world are only those that were played in it.
    last = len(game.moves)
    first = max(last - max(information_state(game, viewer).plays - since, 0), 0)
    # Whoever follows a game asks for the steps of the last plays again.
    key = observed_trace, viewer, game.language
    steps_after: dict[int, tuple[Step, ...]] = game.derived.get(key, {})
    missing = [plays for plays in range(first, last) if plays not in steps_after]
    if missing:
        steps_after = dict(steps_after)
        for plays, (before, move) in enumerate(game.replayed(missing[0]), missing[0]):
            if plays not in steps_after:
                steps_after[plays] = observed_steps(
                    tracker, game.notation, before, move, game.chance_seed
                )
        game.derived[key] = {
            plays: steps for plays, steps in steps_after.items() if plays >= last - PLAYS_KEPT
        }
    return tuple(step for plays in range(first, last) for step in steps_after[plays])


# ------------------------------------------------------------------ text
def _title(view: View) -> str:
    words = translator(view.language)
    return words.ngettext(
        "{ruleset}, as {player} sees it after {number} play",
        "{ruleset}, as {player} sees it after {number} plays",
        view.plays,
        ruleset=view.ruleset,
        player=view.player or words.gettext("a spectator"),
    )


def _lines(view: View) -> Iterator[str]:
    """A view as lines: whose decision it is, the state without what is empty, the actions."""
    words = translator(view.language)
    yield _title(view)
    if view.outcome is not None:
        yield str(view.outcome)
    elif view.phase:
        phase = view.phase.replace("_", " ")
        yield words.gettext(
            "{players} to choose in {phase}", players=words.join_list(view.to_move), phase=phase
        )
    stacks = {stack.name: f"{stack.name} ({stack.text} ×{stack.count})" for stack in view.stacks}
    for name, value in view.state.items():
        text = _value_text(value, stacks)
        if text:
            yield f"{name.replace('_', ' ')}: {text}"
    for action in view.actions:
        yield f"- {action.text}"


def _value_text(value: NestedValue, stacks: dict[str, str]) -> str:
    """A value as text; an empty text for an empty value, zero or None."""
    if isinstance(value, dict):
        texts = ((key, _value_text(inner, stacks)) for key, inner in value.items())
        return ", ".join(f"{stacks.get(key, key)} {text}" for key, text in texts if text)
    if isinstance(value, list):
        listed = ", ".join(_value_text(member, stacks) for member in value)
        return f"[{listed}]" if listed else ""
    if value is True:
        return "yes"
    return stacks.get(str(value), str(value)) if value else ""
