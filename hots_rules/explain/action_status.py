"""Which clauses of an action hold at one moment of a game, and which values they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Expr
from hots_rules.rules.typed.visitor import children
from hots_rules.state.labels import Labels

if TYPE_CHECKING:
    from hots_rules.compile.link import ActionSpec, LinkedClause

MAX_VALUES = 12


@frozen
class ActionStatus:
    """An action with the clauses that permit or forbid it now.

    Attributes:
        code: its code.
        action: its declaration.
        player: the player who would choose it.
        local: its arguments.
        is_offered: whether the player can choose an action of this name now.
        failed_permits: the permits that do not hold; one permit that holds is enough.
        permits: the permits that hold.
        forbids: the forbids that hold.
    """

    code: int
    action: ActionSpec
    player: str
    local: Mapping[str, int]
    is_offered: bool
    failed_permits: tuple[LinkedClause, ...]
    permits: tuple[LinkedClause, ...]
    forbids: tuple[LinkedClause, ...]

    @property
    def is_permitted(self) -> bool:
        """Whether a permit holds."""
        return bool(self.permits)

    @property
    def against(self) -> tuple[LinkedClause, ...]:
        """The clauses against it: a rule with a sentence of its own comes before a permit that fails."""
        with_reason = (clause for clause in self.forbids if clause.because is not None)
        without_reason = (clause for clause in self.forbids if clause.because is None)
        return (*with_reason, *(() if self.is_permitted else self.failed_permits), *without_reason)

    @property
    def distance(self) -> tuple[int, int, int]:
        """How far it is from being legal: not offered, not permitted, the number of forbids."""
        return int(not self.is_offered), int(not self.is_permitted), len(self.forbids)


def action_status(game: BaseGame, evaluator: Evaluator, code: int) -> ActionStatus:
    """The status of the action with a code."""
    players = game.ruleset.players
    form = game.notation.form_of(code)
    number, args = form.decode(code, len(players))
    action = game.ruleset.linked_rules(game.settings).actions[form.name]
    params = zip((action.actor, *action.params), (number, *args), strict=True)
    local = {param.name: arg for param, arg in params}
    permits: list[LinkedClause] = []
    failed_permits: list[LinkedClause] = []
    forbids: list[LinkedClause] = []
    for clause in action.clauses:
        holds = bool(evaluator.value_or_none(clause.when, local))
        if clause.kind == "permit":
            (permits if holds else failed_permits).append(clause)
        elif holds:
            forbids.append(clause)
    return ActionStatus(
        code,
        action,
        players[number],
        local,
        is_offered(game, code),
        tuple(failed_permits),
        tuple(permits),
        tuple(forbids),
    )


def is_offered(game: BaseGame, code: int) -> bool:
    """Whether the player of an action can choose one of its name now, whatever the arguments."""
    players = game.ruleset.players
    form = game.notation.form_of(code)
    player = players[form.decode(code, len(players))[0]]
    return form.name in game.point_facts.actions and player in game.to_move


def values_read(
    evaluator: Evaluator, labels: Labels, clause: LinkedClause, local: Mapping[str, int]
) -> tuple[str, ...]:
    """The entries of the state that a clause reads; of a permit that fails, only those that make it fail."""
    match clause.kind, clause.when:
        case "permit", tast.Operation(op="and", args=parts):
            failed = tuple(part for part in parts if not evaluator.value_or_none(part, local))
        case _:
            failed = ()
    entries = dict.fromkeys(
        _entry(evaluator, labels, name, keys)
        for part in failed or (clause.when,)
        for name, keys in _cells_read(evaluator, part, local)
    )
    return tuple(entries)[:MAX_VALUES]


def _cells_read(
    evaluator: Evaluator, condition: Expr, local: Mapping[str, int]
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The variables that a condition reads, with the keys, as far as these have values."""
    for node in _parts_now(condition):
        if isinstance(node, tast.Load):
            keys = evaluator.values_or_none(node.keys, local)
            if keys is not None:
                yield node.variable, keys
        elif isinstance(node, tast.DefinitionCall):
            bound = evaluator.bound_body(node, local)
            if bound is not None:
                yield from _cells_read(evaluator, *bound)


def _parts_now(node: Expr) -> Iterator[Expr]:
    """An expression and its parts, without those that are evaluated in the state that an action would make."""
    yield node
    for part in children(node)[: -1 if isinstance(node, tast.After) else None]:
        yield from _parts_now(part)


def _entry(evaluator: Evaluator, labels: Labels, name: str, keys: tuple[int, ...]) -> str:
    variable = labels.schema.variables[name]
    texts = [labels.format_value(key, kt) for key, kt in zip(keys, variable.keys, strict=True)]
    value = labels.format_value(evaluator.load(name, keys), variable.type)
    return f"{labels.cell_label(name, texts)} = {value}"
