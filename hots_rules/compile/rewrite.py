"""Rewriting the typed tree: substitution, and unique local names."""

from collections.abc import Mapping

from attrs import evolve

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local, Statement
from hots_rules.rules.typed.visitor import map_statement, rewrite, walk


def substitute(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """Replace local names by expressions; these may not contain names that the expression binds."""

    def change(part: Expr) -> Expr:
        return values.get(part.name, part) if isinstance(part, Local) else part

    return rewrite(node, change)


class Renamer:
    """Makes local names unique, so that bodies can be combined without capture."""

    def __init__(self) -> None:
        self._count = 0

    def fresh(self, local: Local) -> Local:
        """The local under a unique name."""
        self._count += 1
        return local.numbered(self._count)

    def expr(self, node: Expr, values: Mapping[str, Expr]) -> Expr:
        """Replace local names by expressions, and rename those that quantifiers bind."""
        names = dict(values)
        for part in walk(node):
            for local in tast.bound_by(part):
                names.setdefault(local.name, self.fresh(local))

        def change(part: Expr) -> Expr:
            if isinstance(part, Local):
                return names.get(part.name, part)
            if isinstance(part, tast.Quantified | tast.Comprehension | tast.LetIn):
                local = names[part.local.name]
                return evolve(part, local=local) if isinstance(local, Local) else part
            if isinstance(part, tast.After):
                own = (names[local.name] for local in part.locals)
                return evolve(part, locals=tuple(o for o in own if isinstance(o, Local)))
            return part

        return rewrite(node, change)

    def body(self, body: Body, values: Mapping[str, Expr]) -> Body:
        """Replace local names in statements, and rename those that the statements bind."""
        names = dict(values)
        return tuple(self.statement(statement, names) for statement in body)

    def statement(self, node: Statement, names: dict[str, Expr]) -> Statement:
        """One statement; `names` gets the names that it binds for the statements after it."""

        def expr(part: Expr) -> Expr:
            # The weight of a draw is over the member that is drawn.
            is_weight = isinstance(node, tast.DrawRandom) and part is node.weight
            return self.expr(part, {**names, **bound} if is_weight else names)

        def body(part: Body) -> Body:
            return self.body(part, {**names, **bound})

        bound: dict[str, Expr] = {}
        fresh = node
        match node:
            case tast.Bind() | tast.RollDice() | tast.DrawRandom() | tast.ForEach():
                bound[node.local.name] = local = self.fresh(node.local)
                fresh = evolve(node, local=local)
            case tast.Choose(each=Local() as choice):
                bound[choice.name] = local = self.fresh(choice)
                fresh = evolve(node, each=local)
        renamed = map_statement(fresh, expr, body)
        if not isinstance(node, tast.ForEach):
            names |= bound
        return renamed
