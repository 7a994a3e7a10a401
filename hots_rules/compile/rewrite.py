"""Rewriting the typed tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local, Statement
from hots_rules.rules.typed.visitor import walk

Change = Callable[[Expr], Expr]


def rebuilt(node: Expr, change: Change) -> Expr:
    """The expression with each part changed, innermost first."""
    match node:
        case tast.Operation() | tast.DefinitionCall():
            return change(evolve(node, args=tuple(rebuilt(arg, change) for arg in node.args)))
        case tast.Load():
            return change(evolve(node, keys=tuple(rebuilt(key, change) for key in node.keys)))
        case tast.ColumnLookup():
            return change(evolve(node, key=rebuilt(node.key, change)))
        case tast.Convert() | tast.Narrow() | tast.TypeTest():
            return change(evolve(node, body=rebuilt(node.body, change)))
        case tast.Conditional():
            return change(evolve(node, condition=rebuilt(node.condition, change), then=rebuilt(node.then, change),
                                 otherwise=rebuilt(node.otherwise, change)))  # fmt: skip
        case tast.Quantified():
            return change(
                evolve(node, source=rebuilt(node.source, change), body=rebuilt(node.body, change))
            )
        case tast.Comprehension():
            return change(
                evolve(
                    node,
                    source=rebuilt(node.source, change),
                    condition=rebuilt(node.condition, change),
                )
            )
    return change(node)


def substituted(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with local names replaced; a bound name is renamed where a value could be caught."""
    if not values:
        return node

    def change(found: Expr) -> Expr:
        return values.get(found.name, found) if isinstance(found, Local) else found

    return rebuilt(node, change)


class Renamer:
    """Gives the local names of a declaration new ones, so that two bodies can be woven into one."""

    def __init__(self) -> None:
        self._count = 0

    def fresh(self, local: Local) -> Local:
        """The same local under a name that nothing else has."""
        self._count += 1
        return Local(f"{local.name.rsplit('_', 1)[0]}_{self._count}", local.type)

    def expr(self, node: Expr, values: Mapping[str, Expr]) -> Expr:
        """Replaces names, and renames those that quantifiers bind."""
        known = dict(values)
        for found in walk(node):
            if (
                isinstance(found, tast.Quantified | tast.Comprehension)
                and found.local.name not in known
            ):
                known[found.local.name] = self.fresh(found.local)

        def change(found: Expr) -> Expr:
            if isinstance(found, Local):
                return known.get(found.name, found)
            if isinstance(found, tast.Quantified | tast.Comprehension):
                local = known[found.local.name]
                return evolve(found, local=local) if isinstance(local, Local) else found
            return found

        return rebuilt(node, change)

    def body(self, body: Body, values: Mapping[str, Expr]) -> Body:
        """A block with its names replaced and its own names renamed."""
        known = dict(values)
        return tuple(self.statement(statement, known) for statement in body)

    def _bind(self, local: Local, known: dict[str, Expr]) -> Local:
        fresh = self.fresh(local)
        known[local.name] = fresh
        return fresh

    def _all(self, nodes: tuple[Expr, ...], known: Mapping[str, Expr]) -> tuple[Expr, ...]:
        return tuple(self.expr(node, known) for node in nodes)

    def statement(self, node: Statement, known: dict[str, Expr]) -> Statement:
        """One statement; what it binds is known to those after it."""
        match node:
            case tast.Store():
                return evolve(
                    node, keys=self._all(node.keys, known), value=self.expr(node.value, known)
                )
            case tast.Reset():
                return evolve(node, keys=self._all(node.keys, known))
            case tast.Bind():
                value = self.expr(node.value, known)
                return tast.Bind(self._bind(node.local, known), value)
            case tast.Branch():
                cases = tuple((self.expr(c, known), self.body(b, known)) for c, b in node.cases)
                return tast.Branch(cases, self.body(node.otherwise, known))
            case tast.ForEach():
                return self._each(node, known)
            case tast.Loop():
                return tast.Loop(
                    self.expr(node.condition, known),
                    self.expr(node.bound, known),
                    self.body(node.body, known),
                )
            case tast.Choose():
                players = self.expr(node.players, known)
                return evolve(
                    node, players=players, each=self._bind(node.each, known) if node.each else None
                )
            case tast.RollDice():
                number = self.expr(node.number, known) if node.number is not None else None
                keys = self._all(node.keys, known)
                return evolve(node, number=number, keys=keys, local=self._bind(node.local, known))
            case tast.DrawRandom():
                return self._pick(node, known)
            case tast.EmitEvent() | tast.CallPhase():
                return evolve(node, args=self._all(node.args, known))
            case tast.EndGame():
                return tast.EndGame(self.expr(node.player, known))
            case tast.WithOrigin():
                return tast.WithOrigin(node.origin, self.body(node.body, known))
        return node

    def _each(self, node: tast.ForEach, known: dict[str, Expr]) -> Statement:
        domain = (
            self._all(node.domain, known)
            if isinstance(node.domain, tuple)
            else self.expr(node.domain, known)
        )
        last = self.expr(node.last, known) if node.last is not None else None
        inner = dict(known)
        local = self._bind(node.local, inner)
        return tast.ForEach(local, domain, last, self.body(node.body, inner))

    def _pick(self, node: tast.DrawRandom, known: dict[str, Expr]) -> Statement:
        source, keys = self.expr(node.source, known), self._all(node.keys, known)
        local = self._bind(node.local, known)
        weight = self.expr(node.weight, known) if node.weight is not None else None
        return evolve(node, source=source, keys=keys, local=local, weight=weight)
