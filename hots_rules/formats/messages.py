"""What is sent that is no value of the library already: a state in words, a decision, a refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from hots_rules.diagnostics import (
    AmbiguousAction,
    BadMessage,
    BadPosition,
    EngineError,
    HotsError,
    IllegalAction,
    RulesetError,
    UnreadableAction,
)
from hots_rules.play.action import Action
from hots_rules.play.game import Game, Outcome
from hots_rules.play.reason import Reason


@frozen
class StateMessage:
    """A state in words: every variable by name, and in `point` where play stands, which only this library reads.

    `layout` is a digest of what there is to vary: a state is read under the same layout alone. It keeps no secrets:
    send a player a view, not a state.
    """

    ruleset: str
    layout: str
    variables: Mapping[str, Any]
    point: str


@frozen
class Decision:
    """Who is asked, and what may be chosen; at the end nobody, with the outcome.

    `decision(game, player)` has the actions of that player alone.
    """

    ruleset: str
    content: str
    number: int
    phase: str
    to_move: tuple[str, ...]
    actions: tuple[Action, ...]
    outcome: Outcome | None


@frozen
class Refusal:
    """An error as data: its kind is the name of its class, its message what a person reads.

    `text` is what was refused; `near` what was probably meant; `meanings` what it could mean; `faults` are all
    faults of a position or a ruleset; `path` is the place in a message or the rule that was running.
    """

    kind: str
    message: str
    text: str | None
    near: str | None
    meanings: tuple[str, ...]
    reasons: tuple[Reason, ...]
    faults: tuple[str, ...]
    path: str | None


def decision(game: Game, player: str | None = None, language: str = "en") -> Decision:
    """What is to be decided now, with all actions, or with those of one player alone.

    Raises:
        UnknownOption: the ruleset has no labels in the language.
    """
    return Decision(
        game.ruleset.name,
        game.ruleset.content_hash,
        len(game.moves),
        game.phase,
        game.to_move,
        tuple(a for a in game.actions_in(language) if player is None or a.player == player),
        game.outcome,
    )


def refusal(error: HotsError) -> Refusal:
    """An error of this library as data."""
    text = near = path = None
    meanings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    match error:
        case UnreadableAction():
            text, near = error.text, error.near
        case AmbiguousAction():
            text, meanings = error.text, error.meanings
        case IllegalAction():
            text, reasons = error.text, error.reasons
        case RulesetError() | BadPosition():
            faults = tuple(map(str, error.faults))
        case BadMessage():
            path = error.path
        case EngineError():
            path = error.rule or None
    kind = type(error).__name__
    return Refusal(kind, str(error), text, near, meanings, reasons, faults, path)
