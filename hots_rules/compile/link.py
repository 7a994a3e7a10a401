"""Linking: events with the rules that handle them, actions with their clauses, as one procedure each."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Literal

from attrs import evolve, frozen

from hots_rules.compile.constant_folding import FALSE, TRUE, ConstantFolder
from hots_rules.compile.evaluate import Budget
from hots_rules.compile.rewrite import Renamer
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Local, Operation


@frozen
class Procedure:
    """A phase, an event, an action or a scenario with all that happens in it."""

    kind: Literal["phase", "event", "action", "scenario"]
    name: str
    params: tuple[Local, ...]
    body: Body
    origin: tast.Origin

    @property
    def key(self) -> str:
        """The name by which procedures are called, e.g. `event hit`."""
        return f"{self.kind} {self.name}"


@frozen
class LinkedExemption:
    """A condition that lifts a clause, over the parameters of the action."""

    when: Expr
    origin: tast.Origin


@frozen
class LinkedClause:
    """A clause of an action, over the parameters of the action.

    `when` includes the exemptions. For explanations, `unexempted` is the condition without them, and `because`
    the words of the rulebook.
    """

    kind: str
    when: Expr
    origin: tast.Origin
    unexempted: Expr
    exemptions: tuple[LinkedExemption, ...] = ()
    because: tast.Because | None = None


@frozen
class ActionSpec:
    """An action as a choice: its parameters, with the player first, and its clauses."""

    name: str
    actor: Local
    params: tuple[Local, ...]
    clauses: tuple[LinkedClause, ...]
    origin: tast.Origin

    @property
    def list_name(self) -> str:
        """The Python function that lists the codes where it is legal."""
        return f"list_{self.name}"

    @property
    def code_count(self) -> int:
        """The number of codes: one for each player and choice of arguments, legal or not."""
        return prod(types.size(param.type) for param in (self.actor, *self.params))


@frozen
class PreferredSpec(ActionSpec):
    """An action restricted to what one line of a policy, with the number `line`, prefers.

    It is legal where the action is, and the condition of the line holds.
    """

    line: int

    @property
    def list_name(self) -> str:
        """See `ActionSpec`; no action has a name that begins with a digit."""
        return f"list_{self.line}_{self.name}"


@frozen
class LinkedRules:
    """A ruleset under one choice of settings: its procedures, and its actions as choices.

    Local names are unique in all of it; `renamer` makes new ones. `preferences` are the lines of a policy that guides
    random games, in order: for each the action restricted to it, or the action itself if the line always applies.
    """

    typed: tast.TypedRuleset
    folder: ConstantFolder
    procedures: dict[str, Procedure]
    actions: dict[str, ActionSpec]
    renamer: Renamer
    invariants: dict[str, tuple[Expr, tast.Origin]]
    preferences: tuple[ActionSpec, ...] = ()

    def bodies(self) -> dict[str, Body]:
        """The statements of each procedure."""
        return {key: procedure.body for key, procedure in self.procedures.items()}


def link_rules(
    typed: tast.TypedRuleset,
    settings: Mapping[str, int],
    budget: Budget | None = None,
    policy: tast.PolicyDef | None = None,
) -> LinkedRules:
    """Link a ruleset under one choice of options and readings; `budget` bounds what is computed for it."""
    linker = _Linker(typed, settings, budget)
    linked = linker.linked_rules()
    if policy is None:
        return linked
    return evolve(linked, preferences=tuple(linker.preferences(policy, linked.actions)))


class _Linker:
    def __init__(
        self, typed: tast.TypedRuleset, settings: Mapping[str, int], budget: Budget | None
    ) -> None:
        self.typed = typed
        self.folder = ConstantFolder(typed, settings, budget)
        self.renamer = Renamer()
        self.procedures: dict[str, Procedure] = {}

    def linked_rules(self) -> LinkedRules:
        for phase in self.typed.phases.values():
            self._add("phase", phase, phase.params, _with_origin(phase))
        for scenario in self.typed.scenarios.values():
            self._add("scenario", scenario, scenario.params, _with_origin(scenario))
        for event in self.typed.events.values():
            self._add("event", event, event.params, self._event_body(event))
        actions = {action.name: self._action(action) for action in self.typed.actions.values()}
        invariants = {
            i.name: (self.folder.expr(self.renamer.expr(i.condition, {})), i.origin)
            for i in self.typed.invariants.values()
        }
        return LinkedRules(
            self.typed, self.folder, self.procedures, actions, self.renamer, invariants
        )

    def _fresh(self, params: tuple[Local, ...]) -> tuple[Local, ...]:
        return tuple(self.renamer.fresh(param) for param in params)

    def _add(
        self,
        kind: Literal["phase", "event", "action", "scenario"],
        declaration: tast.PhaseDef | tast.EventDef | tast.ActionDef,
        params: tuple[Local, ...],
        body: Body,
    ) -> None:
        fresh = self._fresh(params)
        names: dict[str, Expr] = {old.name: new for old, new in zip(params, fresh, strict=True)}
        linked = self.folder.body(self.renamer.body(body, names))
        procedure = Procedure(kind, declaration.name, fresh, linked, declaration.origin)
        self.procedures[procedure.key] = procedure

    # -------------------------------------------------------------- events
    def _event_body(self, event: tast.EventDef) -> Body:
        """First `before`, then the first `instead` that holds or else the effects, then `after`.

        The handlers come in the order in which they run; of those that replace the event, the most specific one first.
        """
        instead: list[tast.Case] = []
        others: dict[str, list[tast.Statement]] = {"before": [], "on": [], "after": []}
        for handler in event.handlers:
            case = self._case(handler, event.params)
            if case.condition == FALSE:
                continue
            if handler.timing == "instead":
                instead.append(case)
            else:
                others[handler.timing].append(tast.Branch((case,), ()))
        effects = tuple(others["on"])
        main = (tast.Branch(tuple(instead), effects),) if instead else effects
        return (*others["before"], *main, *others["after"])

    def _case(self, handler: tast.HandlerDef, params: tuple[Local, ...]) -> tast.Case:
        values: dict[str, Expr] = {
            own.name: param for own, param in zip(handler.params, params, strict=True)
        }
        condition = _conjunction(handler.guard, handler.when)
        body = (tast.WithOrigin(handler.origin, self.renamer.body(handler.body, values)),)
        return tast.Case(self.folder.expr(self.renamer.expr(condition, values)), body)

    # -------------------------------------------------------------- actions
    def _action(self, action: tast.ActionDef) -> ActionSpec:
        params = (Local("actor", self.typed.players), *action.params)
        self._add("action", action, params, _with_origin(action))
        own = self._fresh(params)
        return ActionSpec(action.name, own[0], own[1:], self._clauses(action, own), action.origin)

    def _clauses(
        self, action: tast.ActionDef, params: tuple[Local, ...]
    ) -> tuple[LinkedClause, ...]:
        clauses = (self._clause(clause, params) for clause in action.clauses)
        return tuple(clause for clause in clauses if clause.when != FALSE)

    def _clause(self, clause: tast.Clause, params: tuple[Local, ...]) -> LinkedClause:
        unexempted = _conjunction(clause.guard, self._over(clause.when, clause.params, params))
        when, exemptions = unexempted, []
        for exemption in clause.exemptions:
            lifted = _conjunction(
                exemption.guard, self._over(exemption.when, exemption.params, params)
            )
            when = Operation("and", (when, Operation("not", (lifted,), types.BOOL)), types.BOOL)
            if (folded := self.folder.expr(lifted)) != FALSE:
                exemptions.append(LinkedExemption(folded, exemption.origin))
        return LinkedClause(
            clause.kind,
            self.folder.expr(when),
            clause.origin,
            self.folder.expr(unexempted),
            tuple(exemptions),
            self._because(clause, params),
        )

    def _because(self, clause: tast.Clause, params: tuple[Local, ...]) -> tast.Because | None:
        if clause.because is None:
            return None
        values = (
            (name, self.folder.expr(self._over(value, clause.params, params)))
            for name, value in clause.because.values
        )
        return tast.Because(clause.because.text, tuple(values))

    def _over(self, node: Expr, own: tuple[Local, ...], params: tuple[Local, ...]) -> Expr:
        """An expression over a clause's own parameters as one over those of the action."""
        values: dict[str, Expr] = {"actor": params[0]}
        values |= {mine.name: param for mine, param in zip(own, params[1:], strict=True)}
        return self.renamer.expr(node, values)

    # -------------------------------------------------------------- policies
    def preferences(
        self, policy: tast.PolicyDef, actions: Mapping[str, ActionSpec]
    ) -> Iterator[ActionSpec]:
        """For each line of a policy that can apply, the action restricted to it; see `PreferredSpec`."""
        for number, line in enumerate(policy.clauses):
            action = actions[line.action]
            when = self.folder.expr(
                self._over(line.when, line.params, (action.actor, *action.params))
            )
            if when == TRUE:
                yield action
            elif when != FALSE:
                unmet = Operation("not", (when,), types.BOOL)
                clause = LinkedClause("forbid", unmet, policy.origin, unmet)
                yield PreferredSpec(
                    action.name,
                    action.actor,
                    action.params,
                    (*action.clauses, clause),
                    action.origin,
                    number,
                )


def _with_origin(declaration: tast.PhaseDef | tast.ActionDef) -> Body:
    return (tast.WithOrigin(declaration.origin, declaration.body),)


def _conjunction(guard: Expr | None, when: Expr | None) -> Expr:
    parts = [part for part in (guard, when) if part is not None]
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else Operation("and", tuple(parts), types.BOOL)
