"""Events woven with the rules that answer them, actions with their clauses: one procedure each."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from hots_rules.compile.fold import FALSE, TRUE, Folder
from hots_rules.compile.rewrite import Renamer
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr, Local, Operation


@frozen
class Procedure:
    """A phase, an event, an action or a scenario with all that happens in it."""

    kind: str
    name: str
    params: tuple[Local, ...]
    body: Body
    origin: tast.Origin

    @property
    def key(self) -> str:
        """What other procedures call it by, e.g. `event hit`."""
        return f"{self.kind} {self.name}"


@frozen
class Exemption:
    """What lifts a clause, on the action's own parameters."""

    when: Expr
    origin: tast.Origin


@frozen
class Clause:
    """A clause of an action on the action's own parameters; exemptions are in `when` already.

    To explain it, `bare` is its condition without them, and `because` what the rulebook says of it.
    """

    kind: str
    when: Expr
    origin: tast.Origin
    bare: Expr
    exemptions: tuple[Exemption, ...] = ()
    because: tast.Because | None = None


@frozen
class Choosable:
    """An action as something to choose: its parameters and its clauses."""

    name: str
    actor: Local
    params: tuple[Local, ...]
    clauses: tuple[Clause, ...]
    origin: tast.Origin


@frozen
class Woven:
    """A ruleset under one choice of settings: procedures, and what can be chosen.

    No two local names in it are alike, and `renamer` makes more of that kind.
    """

    typed: tast.TypedRuleset
    folder: Folder
    procedures: dict[str, Procedure]
    actions: dict[str, Choosable]
    renamer: Renamer
    invariants: dict[str, tuple[Expr, tast.Origin]]


def weave(typed: tast.TypedRuleset, settings: Mapping[str, int]) -> Woven:
    """Everything that one choice of options and readings makes of a ruleset."""
    return _Weaver(typed, settings).woven()


class _Weaver:
    def __init__(self, typed: tast.TypedRuleset, settings: Mapping[str, int]) -> None:
        self.typed = typed
        self.folder = Folder(typed, settings)
        self.renamer = Renamer()

    def woven(self) -> Woven:
        procedures: dict[str, Procedure] = {}
        for kind, found in (("phase", self.typed.phases), ("scenario", self.typed.scenarios)):
            for phase in found.values():
                self._add(
                    procedures,
                    kind,
                    phase.name,
                    phase.params,
                    (tast.WithOrigin(phase.origin, phase.body),),
                    phase.origin,
                )
        for event in self.typed.events.values():
            params = tuple(self.renamer.fresh(param) for param in event.params)
            self._add(
                procedures,
                "event",
                event.name,
                params,
                self._event_body(event, params),
                event.origin,
            )
        actions = {}
        for action in self.typed.actions.values():
            actor = Local("actor", self.typed.players)
            body = (tast.WithOrigin(action.origin, action.body),)
            self._add(
                procedures, "action", action.name, (actor, *action.params), body, action.origin
            )
            own = tuple(self.renamer.fresh(param) for param in (actor, *action.params))
            actions[action.name] = Choosable(
                action.name, own[0], own[1:], self._clauses(action, own), action.origin
            )
        invariants = {
            i.name: (self.folder.expr(self.renamer.expr(i.condition, {})), i.origin)
            for i in self.typed.invariants.values()
        }
        return Woven(self.typed, self.folder, procedures, actions, self.renamer, invariants)

    def _add(
        self,
        into: dict[str, Procedure],
        kind: str,
        name: str,
        params: tuple[Local, ...],
        body: Body,
        origin: tast.Origin,
    ) -> Procedure:
        known: dict[str, Expr] = {}
        fresh = []
        for param in params:
            known[param.name] = renamed = self.renamer.fresh(param)
            fresh.append(renamed)
        made = Procedure(
            kind, name, tuple(fresh), self.folder.body(self.renamer.body(body, known)), origin
        )
        into[made.key] = made
        return made

    # -------------------------------------------------------------- events
    def _event_body(self, event: tast.EventDef, params: tuple[Local, ...]) -> Body:
        """Before, then the most special rule that replaces it or what it does, then after."""
        before: list[tast.Statement] = []
        instead: list[tuple[Expr, Body]] = []
        does: list[tast.Statement] = []
        after: list[tast.Statement] = []
        for handler in event.handlers:
            condition, body = self._handler(handler, params)
            if condition == FALSE:
                continue
            if handler.timing == "instead":
                instead.append((condition, body))
            else:
                {"before": before, "on": does, "after": after}[handler.timing].append(
                    tast.Branch(((condition, body),), ())
                )
        middle = (tast.Branch(tuple(instead), tuple(does)),) if instead else tuple(does)
        return (*before, *middle, *after)

    def _handler(self, handler: tast.HandlerDef, params: tuple[Local, ...]) -> tuple[Expr, Body]:
        values = {own.name: param for own, param in zip(handler.params, params, strict=True)}
        condition = _both(handler.guard, handler.when)
        return self.folder.expr(self.renamer.expr(condition, values)), (
            tast.WithOrigin(handler.origin, self.renamer.body(handler.body, values)),
        )

    # -------------------------------------------------------------- actions
    def _clauses(self, action: tast.ActionDef, params: tuple[Local, ...]) -> tuple[Clause, ...]:
        found = []
        for clause in action.clauses:
            when = bare = _both(clause.guard, self._on(clause.when, clause.params, params))
            exemptions = []
            for exemption in clause.exemptions:
                lifted = _both(exemption.guard, self._on(exemption.when, exemption.params, params))
                when = Operation("and", (when, Operation("not", (lifted,), types.BOOL)), types.BOOL)
                if (lifts := self.folder.expr(lifted)) != FALSE:
                    exemptions.append(Exemption(lifts, exemption.origin))
            folded = self.folder.expr(when)
            if folded != FALSE:
                made = (folded, clause.origin, self.folder.expr(bare), tuple(exemptions))
                found.append(Clause(clause.kind, *made, self._because(clause, params)))
        return tuple(found)

    def _because(self, clause: tast.Clause, params: tuple[Local, ...]) -> tast.Because | None:
        if clause.because is None:
            return None
        values = (
            (name, self.folder.expr(self._on(value, clause.params, params)))
            for name, value in clause.because.values
        )
        return tast.Because(clause.because.text, tuple(values))

    def _on(self, node: Expr, own: tuple[Local, ...], params: tuple[Local, ...]) -> Expr:
        values: dict[str, Expr] = {"actor": params[0]}
        values |= {mine.name: param for mine, param in zip(own, params[1:], strict=True)}
        return self.renamer.expr(node, values)


def _both(guard: Expr | None, when: Expr | None) -> Expr:
    found = [part for part in (guard, when) if part is not None]
    if not found:
        return TRUE
    return found[0] if len(found) == 1 else Operation("and", tuple(found), types.BOOL)
