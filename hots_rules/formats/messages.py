"""Messages that are not values of the library already: a state, a decision, a refusal."""

from collections.abc import Mapping

from attrs import evolve, frozen

from hots_rules.diagnostics import (
    AmbiguousAction,
    BadMessage,
    BadPosition,
    EngineError,
    HotsError,
    IllegalAction,
    RulesetError,
    UnreadableAction,
    check_kind,
)
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.outcome import Outcome
from hots_rules.play.reason import Reason


@frozen
class StateMessage:
    """A state: every variable by name, and the point in the phases.

    It contains every secret of the game: send a player a view, not a state.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> import json
    >>> message = json.loads(hr.to_json(game.state))
    >>> message["schema"], message["ruleset"], message["variables"]["year"]
    ('hots_rules/state.v2', 'hots-4.0', 1297)
    """

    ruleset: str
    """The name of the ruleset."""
    layout: str
    """A digest of the variables of the ruleset; a state is read under the same layout only."""
    options: Mapping[str, str]
    """The value of each option, as text; the layout depends on them."""
    readings: Mapping[str, str]
    """The value of each reading, as text."""
    variables: Mapping[str, object]
    """The value of each variable, by its keys."""
    point: str
    """Where in the phases the state is; opaque to other programs."""


@frozen
class Decision:
    """Who has to choose now, and the legal actions; after the end of the game nobody, with the outcome.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> decision = hr.formats.decision(game)
    >>> decision.number, decision.to_move == game.to_move, decision.outcome
    (0, True, None)
    """

    ruleset: str
    """The name of the ruleset."""
    content: str
    """The hash of the ruleset."""
    number: int
    """How many actions were played before."""
    phase: str
    """The phase that asks; empty after the end."""
    to_move: tuple[str, ...]
    """The players who have to choose, or `chance`."""
    actions: tuple[Action, ...]
    """The legal actions."""
    outcome: Outcome | None
    """How the game ended; None before."""


@frozen
class Refusal:
    """An error as data.

    >>> import hots_rules as hr
    >>> hr.formats.refusal(hr.UnreadableAction("Red: jump", near="Red: rest")).near
    'Red: rest'
    """

    kind: str
    """The name of the class of the error."""
    message: str
    """The error as text, for people."""
    text: str | None
    """What was refused."""
    near: str | None
    """The action that was probably meant."""
    meanings: tuple[str, ...]
    """The actions that an ambiguous text could mean."""
    reasons: tuple[Reason, ...]
    """The clauses that forbid an illegal action."""
    faults: tuple[str, ...]
    """All faults of a position or a ruleset."""
    path: str | None
    """The place in a message, or the rule that was running."""


def decision(game: BaseGame, player: str | None = None) -> Decision:
    """The decision that a game waits for, with all legal actions or with those of one player.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> decision = hr.formats.decision(game, game.to_move[0])
    >>> {action.player for action in decision.actions} == {game.to_move[0]}
    True
    """
    check_kind("game", game, BaseGame, "a game")
    return Decision(
        game.ruleset.name,
        game.ruleset.content_hash,
        len(game.moves),
        game.phase,
        game.to_move,
        tuple(a for a in game.actions if player is None or a.player == player),
        game.outcome,
    )


def refusal(error: HotsError) -> Refusal:
    """An error of this library as data.

    >>> import hots_rules as hr
    >>> hr.formats.refusal(hr.BadRecord("line 3: unknown key")).kind
    'BadRecord'
    """
    plain = Refusal(type(error).__name__, str(error), None, None, (), (), (), None)
    match error:
        case UnreadableAction():
            return evolve(plain, text=error.text, near=error.near)
        case AmbiguousAction():
            return evolve(plain, text=error.text, meanings=error.meanings)
        case IllegalAction():
            return evolve(plain, text=error.text, reasons=error.reasons)
        case RulesetError() | BadPosition():
            return evolve(plain, faults=tuple(map(str, error.faults)))
        case BadMessage():
            return evolve(plain, path=error.path)
        case EngineError():
            return evolve(plain, path=error.rule or None)
    return plain
