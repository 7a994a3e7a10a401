"""Rewriting the typed tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import evolve

from hots_rules.rules import typed as ty
from hots_rules.rules.typed import Body, Expr, Local, Statement
from hots_rules.rules.walk import walk

Change = Callable[[Expr], Expr]


def rebuilt(node: Expr, change: Change) -> Expr:
    """The expression with each part changed, innermost first."""
    match node:
        case ty.Prim() | ty.Named():
            return change(evolve(node, args=tuple(rebuilt(arg, change) for arg in node.args)))
        case ty.Load():
            return change(evolve(node, keys=tuple(rebuilt(key, change) for key in node.keys)))
        case ty.ColumnOf():
            return change(evolve(node, key=rebuilt(node.key, change)))
        case ty.Convert() | ty.Narrow() | ty.IsIn():
            return change(evolve(node, body=rebuilt(node.body, change)))
        case ty.Choice():
            return change(evolve(node, condition=rebuilt(node.condition, change), then=rebuilt(node.then, change),
                                 otherwise=rebuilt(node.otherwise, change)))  # fmt: skip
        case ty.Quantified():
            return change(
                evolve(node, source=rebuilt(node.source, change), body=rebuilt(node.body, change))
            )
        case ty.Filtered():
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
            if isinstance(found, ty.Quantified | ty.Filtered) and found.local.name not in known:
                known[found.local.name] = self.fresh(found.local)

        def change(found: Expr) -> Expr:
            if isinstance(found, Local):
                return known.get(found.name, found)
            if isinstance(found, ty.Quantified | ty.Filtered):
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
            case ty.Store():
                return evolve(
                    node, keys=self._all(node.keys, known), value=self.expr(node.value, known)
                )
            case ty.Reset():
                return evolve(node, keys=self._all(node.keys, known))
            case ty.Bind():
                value = self.expr(node.value, known)
                return ty.Bind(self._bind(node.local, known), value)
            case ty.Branch():
                cases = tuple((self.expr(c, known), self.body(b, known)) for c, b in node.cases)
                return ty.Branch(cases, self.body(node.otherwise, known))
            case ty.Each():
                return self._each(node, known)
            case ty.Loop():
                return ty.Loop(
                    self.expr(node.condition, known),
                    self.expr(node.bound, known),
                    self.body(node.body, known),
                )
            case ty.Decide():
                players = self.expr(node.players, known)
                return evolve(
                    node, players=players, each=self._bind(node.each, known) if node.each else None
                )
            case ty.Throw():
                number = self.expr(node.number, known) if node.number is not None else None
                keys = self._all(node.keys, known)
                return evolve(node, number=number, keys=keys, local=self._bind(node.local, known))
            case ty.Pick():
                return self._pick(node, known)
            case ty.Raise() | ty.Run():
                return evolve(node, args=self._all(node.args, known))
            case ty.End():
                return ty.End(self.expr(node.player, known))
            case ty.By():
                return ty.By(node.origin, self.body(node.body, known))
        return node

    def _each(self, node: ty.Each, known: dict[str, Expr]) -> Statement:
        domain = (
            self._all(node.domain, known)
            if isinstance(node.domain, tuple)
            else self.expr(node.domain, known)
        )
        last = self.expr(node.last, known) if node.last is not None else None
        inner = dict(known)
        local = self._bind(node.local, inner)
        return ty.Each(local, domain, last, self.body(node.body, inner))

    def _pick(self, node: ty.Pick, known: dict[str, Expr]) -> Statement:
        source, keys = self.expr(node.source, known), self._all(node.keys, known)
        local = self._bind(node.local, known)
        weight = self.expr(node.weight, known) if node.weight is not None else None
        return evolve(node, source=source, keys=keys, local=local, weight=weight)
