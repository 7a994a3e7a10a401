"""Whose action is meant by a text that names no player: it follows from the piece, or from the action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from attrs import frozen

from hots_rules.explain.action_status import ActionStatus
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Operation
from hots_rules.rules.typed.visitor import walk

Test = Callable[[Expr, ActionStatus], bool]


@frozen(slots=False, eq=False)
class PlayerInference:
    """Narrows the players of an action to those who can be meant.

    Attributes:
        game: the game at the moment that is asked about.
        holds: whether a condition holds for an action, and the viewer can know that.
        knows: whether the viewer can know if it does.
    """

    game: BaseGame
    holds: Test
    knows: Test

    def narrow_players(self, statuses: Sequence[ActionStatus]) -> tuple[ActionStatus, ...]:
        """The players who can be meant, among those who have the same action; all, if nothing distinguishes them."""
        candidates = tuple(statuses)
        for fits in (self._is_possible, self._matches_actor, self._owns_parameter, _is_asked):
            candidates = tuple(status for status in candidates if fits(status)) or candidates
        return candidates

    def _is_possible(self, status: ActionStatus) -> bool:
        """Whether the player could choose it if no rule forbade it."""
        return status.is_offered and any(
            self.holds(permit.when, status) for permit in status.permits
        )

    def _matches_actor(self, status: ActionStatus) -> bool:
        """Whether the action fits the player, by conditions such as `b in army(actor, a)` and `actor = Red`."""
        return any(
            all(self.holds(part, status) for part in parts) for parts in _actor_conditions(status)
        )

    def _owns_parameter(self, status: ActionStatus) -> bool:
        """Whether a piece of the action belongs to the player: `side[b] = actor`."""
        if not all(
            self.knows(part, status) for parts in _actor_conditions(status) for part in parts
        ):
            return True  # the viewer cannot know for whom the action suits, so this decides nothing
        actor = status.local[status.action.actor.name]
        owned = (
            Operation("eq", (owner, tast.Const(actor, owner.type)), types.BOOL)
            for param in status.action.params
            for owner in self._owners(param)
        )
        return any(self.holds(condition, status) for condition in owned)

    def _owners(self, param: tast.Local) -> Iterator[tast.Load]:
        """The variables that give the player of the piece; a piece is a value that has a place."""
        for name, variable in self._owner_variables.items():
            if variable == param.type:
                yield tast.Load(name, (param,), self.game.ruleset.schema.variables[name].type)

    @cached_property
    def _owner_variables(self) -> dict[str, types.Type]:
        """The variables that give each piece a player, with the type of the pieces."""
        schema = self.game.ruleset.schema
        variables = schema.variables.values()
        pieces = {variable.keys[0] for variable in schema.location_maps}
        return {
            variable.name: variable.keys[0]
            for variable in variables
            if len(variable.keys) == 1
            and variable.keys[0] in pieces
            and schema.is_of_players(variable.type)
        }


def _is_asked(status: ActionStatus) -> bool:
    return status.is_offered


def _actor_conditions(status: ActionStatus) -> list[list[Expr]]:
    """By permit, the conditions that relate the player to an argument, or are about the player alone."""
    permits = [clause.when for clause in status.action.clauses if clause.kind == "permit"]
    return [
        [part for part in _parts(when) if _is_actor_condition(part, status)] for when in permits
    ]


def _parts(when: Expr) -> tuple[Expr, ...]:
    """The conditions that must all hold."""
    return when.args if isinstance(when, Operation) and when.op == "and" else (when,)


def _is_actor_condition(part: Expr, status: ActionStatus) -> bool:
    names = {node.name for node in walk(part) if isinstance(node, tast.Local)}
    params = {param.name for param in status.action.params}
    reads = any(isinstance(node, tast.Load | tast.DefinitionCall) for node in walk(part))
    return status.action.actor.name in names and (bool(names & params) or not reads)
