"""Rewriting the typed tree."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local, Statement
from hots_rules.rules.typed.visitor import map_statement, rewrite, walk


def substituted(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """The expression with local names replaced; a bound name is renamed where a value could be caught."""
    if not values:
        return node

    def change(found: Expr) -> Expr:
        return values.get(found.name, found) if isinstance(found, Local) else found

    return rewrite(node, change)


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

        return rewrite(node, change)

    def body(self, body: Body, values: Mapping[str, Expr]) -> Body:
        """A block with its names replaced and its own names renamed."""
        known = dict(values)
        return tuple(self.statement(statement, known) for statement in body)

    def _bind(self, local: Local, known: dict[str, Expr]) -> Local:
        fresh = self.fresh(local)
        known[local.name] = fresh
        return fresh

    def statement(self, node: Statement, known: dict[str, Expr]) -> Statement:
        """One statement; the local that it binds is known to the statements after it."""
        match node:
            case tast.ForEach():
                return self._for_each(node, known)
            case tast.DrawRandom():
                return self._draw(node, known)
        renamed = map_statement(
            node, lambda part: self.expr(part, known), lambda block: self.body(block, known)
        )
        match renamed:
            case tast.Bind() | tast.RollDice():
                return evolve(renamed, local=self._bind(renamed.local, known))
            case tast.Choose(each=Local() as each):
                return evolve(renamed, each=self._bind(each, known))
        return renamed

    def _for_each(self, node: tast.ForEach, known: dict[str, Expr]) -> Statement:
        header = evolve(node, body=())
        renamed = map_statement(header, lambda part: self.expr(part, known), lambda block: block)
        assert isinstance(renamed, tast.ForEach)
        inner = dict(known)
        local = self._bind(node.local, inner)
        return evolve(renamed, local=local, body=self.body(node.body, inner))

    def _draw(self, node: tast.DrawRandom, known: dict[str, Expr]) -> Statement:
        """The weight is an expression in the local that is drawn."""
        source = self.expr(node.source, known)
        keys = tuple(self.expr(key, known) for key in node.keys)
        local = self._bind(node.local, known)
        weight = self.expr(node.weight, known) if node.weight is not None else None
        return tast.DrawRandom(local, source, weight, keys)
