"""Statements: from the tree to the typed tree."""

from __future__ import annotations

from attrs import define, evolve

from hots_rules.diagnostics import Span, near
from hots_rules.rules import finite as t
from hots_rules.rules import typed as ty
from hots_rules.rules.expressions import BAD, Scope
from hots_rules.rules.names import Names
from hots_rules.rules.typed import Body, Expr, Prim, Statement
from hots_rules.syntax import tree

MAX_DICE = 16
MAX_LOOP = 1_000_000


@define
class Writer:
    """Resolves the statements of one declaration; `kind` says where they stand."""

    names: Names
    kind: str

    def block(self, node: tree.Block | tuple[tree.Statement, ...], scope: Scope) -> Body:
        """The statements of a block, in a scope of its own."""
        inner = scope.inner()
        statements = node.statements if isinstance(node, tree.Block) else node
        return tuple(
            found for statement in statements for found in self.statement(statement, inner)
        )

    def statement(self, node: tree.Statement, scope: Scope) -> tuple[Statement, ...]:
        """A statement may come out as several."""
        match node:
            case tree.Assign():
                variable, keys, type_ = self._place(node.place, scope)
                return (ty.Store(variable, keys, scope.fitted(node.value, type_), node.span),)
            case tree.Increase() | tree.Decrease():
                return (self._change(node, scope),)
            case tree.Add() | tree.Remove():
                return (self._member(node, scope),)
            case tree.Clear():
                return tuple(self._clear(place, scope) for place in node.places)
            case tree.Let():
                value = scope.expr(node.value)
                return (ty.Bind(scope.bind(node.name.text, value.type), value),)
            case tree.If():
                return (self._if(node, scope),)
            case tree.For():
                return (self._for(node, scope),)
            case tree.While():
                return (self._while(node, scope),)
            case tree.Choose() | tree.ChooseEach():
                return (self._choose(node, scope),)
            case tree.Roll():
                return (self._roll(node, scope),)
            case tree.Draw():
                return (self._draw(node, scope),)
            case tree.Shuffle():
                return self._shuffle(node, scope)
            case tree.Call():
                return self._call(node, scope)
            case tree.Win():
                return (self._win(node, scope),)
            case tree.Leave():
                return (ty.Leave(),)
            case tree.Return():
                if self.kind not in {"phase", "stage"}:
                    self.names.fault(
                        "not-allowed-here",
                        "expected `return` only in a phase or a stage, got it elsewhere",
                        node.span,
                    )
                return (ty.Return(),)
        raise AssertionError(node)

    # -------------------------------------------------------------- state
    def _place(self, node: tree.Place, scope: Scope) -> tuple[str, tuple[Expr, ...], t.Type]:
        variable = self.names.variables.get(node.name.text)
        if variable is None:
            if node.name.text in scope.locals:
                self.names.fault("not-allowed-here", f"expected a state variable, got the local name `{node.name}`", node.name.span,
                                 help_="local names do not change; declare a variable under `state`")  # fmt: skip
            else:
                self.names.unknown("a state variable", node.name, self.names.variables)
            return "", (), t.ANY
        self.names.used.add(("variable", variable.name))
        return (
            variable.name,
            scope.arguments(node.name, variable.keys, node.keys or (), "key"),
            variable.type,
        )

    def _change(self, node: tree.Increase | tree.Decrease, scope: Scope) -> Statement:
        variable, keys, type_ = self._place(node.place, scope)
        value = scope.expr(node.value)
        if not isinstance(type_, t.IntType) or not isinstance(value.type, t.IntType):
            for found, span in ((type_, node.place.span), (value.type, node.value.span)):
                if not isinstance(found, t.IntType | t.AnyType):
                    self.names.fault(
                        "wrong-type",
                        f"expected a number, got {found}",
                        span,
                        help_="for sets write `add … to …`",
                    )
            return ty.Store(variable, keys, BAD, node.span)
        up = isinstance(node, tree.Increase)
        low, high = (value.type.low, value.type.high) if up else (-value.type.high, -value.type.low)
        total = Prim(
            "add" if up else "sub",
            (ty.Load(variable, keys, type_), value),
            t.IntType(type_.low + low, type_.high + high),
        )
        return ty.Store(variable, keys, scope.fit(total, type_, node.span), node.span)

    def _member(self, node: tree.Add | tree.Remove, scope: Scope) -> Statement:
        variable, keys, type_ = self._place(node.place, scope)
        if not isinstance(type_, t.SetType):
            if not isinstance(type_, t.AnyType):
                self.names.fault("wrong-type", f"expected a set, got {type_}", node.place.span)
            return ty.Store(variable, keys, BAD, node.span)
        single = Prim("members", (scope.fitted(node.value, type_.member),), type_)
        op = "union" if isinstance(node, tree.Add) else "without"
        return ty.Store(
            variable, keys, Prim(op, (ty.Load(variable, keys, type_), single), type_), node.span
        )

    def _clear(self, place: tree.Place, scope: Scope) -> Statement:
        if place.keys is not None or place.name.text not in self.names.variables:
            variable, keys, _ = self._place(place, scope)
            return ty.Reset(variable, keys)
        self.names.used.add(("variable", place.name.text))
        return ty.Reset(place.name.text, ())

    # -------------------------------------------------------------- flow
    def _if(self, node: tree.If, scope: Scope) -> Statement:
        cases = [(scope.fitted(node.condition, t.BOOL), self.block(node.block, scope))]
        otherwise: Body = ()
        for part in node.rest:
            if isinstance(part, tree.Elif):
                cases.append((scope.fitted(part.condition, t.BOOL), self.block(part.block, scope)))
            else:
                otherwise = self.block(part, scope)
        return ty.Branch(tuple(cases), otherwise)

    def _for(self, node: tree.For, scope: Scope) -> Statement:
        inner = scope.inner()
        if isinstance(node.domain, tree.Range):
            low, high = scope.expr(node.domain.low), scope.expr(node.domain.high)
            if not isinstance(low.type, t.IntType) or not isinstance(high.type, t.IntType):
                self._not_numbers(low, high, node.domain.span)
                return ty.Branch((), ())
            self._bounded(high.type.high - low.type.low, node.domain.span)
            local = inner.bind(
                node.name.text,
                t.IntType(min(low.type.low, high.type.high), max(low.type.low, high.type.high)),
            )
            return ty.Each(local, low, high, self.block(node.block, inner))
        if isinstance(node.domain, tree.List):
            items = self._items(node.domain, scope)
            local = inner.bind(node.name.text, items[0].type)
            return ty.Each(local, items, None, self.block(node.block, inner))
        source = scope.set_of(node.domain)
        local = inner.bind(node.name.text, scope.member_of(source, node.domain.span))
        return ty.Each(local, source, None, self.block(node.block, inner))

    def _items(self, node: tree.List, scope: Scope) -> tuple[Expr, ...]:
        """Values of one type; the first that is not a bare word guides the others."""
        guide = self._common(node.items)
        found = []
        for item in node.items:
            expr = scope.expr(item, guide)
            guide = guide or expr.type
            found.append(expr)
        type_: t.Type | None = found[0].type
        for expr in found[1:]:
            type_ = t.join(type_, expr.type) if type_ is not None else None
        if type_ is None:
            self.names.fault(
                "wrong-type", "expected values of one type, got several types", node.span
            )
            return (BAD,)
        return tuple(
            scope.fit(expr, type_, item.span) for expr, item in zip(found, node.items, strict=True)
        )

    def _common(self, nodes: tuple[tree.Expr, ...]) -> t.Type | None:
        """The only type that has all of some bare words, so that `England, Scotland` are sides and no areas."""
        words = [node.name.text for node in nodes if isinstance(node, tree.Reference)]
        if len(words) < len(nodes):
            return None
        owners = [
            owner
            for owner in self.names.owners.get(words[0], [])
            if all(word in owner.words for word in words)
        ]
        return owners[0] if len(owners) == 1 else None

    def _not_numbers(self, low: Expr, high: Expr, span: Span) -> None:
        for found in (low, high):
            if not isinstance(found.type, t.IntType | t.AnyType):
                self.names.fault("wrong-type", f"expected a number, got {found.type}", span)

    def _bounded(self, times: int, span: Span) -> None:
        if times > MAX_LOOP:
            self.names.fault(
                "too-large", f"expected a loop of at most {MAX_LOOP} times, got up to {times}", span
            )

    def _while(self, node: tree.While, scope: Scope) -> Statement:
        condition = scope.fitted(node.condition, t.BOOL)
        body = self.block(node.block, scope)
        if node.bound is None:
            self.names.fault("endless-loop", "expected a loop that must end, got `while` without a bound", node.span,
                             help_="say how often at most: `while … up to 40`")  # fmt: skip
            return ty.Loop(condition, ty.Const(0, t.IntType(0, 0)), body)
        bound = scope.expr(node.bound)
        if isinstance(bound.type, t.IntType):
            self._bounded(bound.type.high, node.bound.span)
        else:
            self._not_numbers(bound, bound, node.bound.span)
        return ty.Loop(condition, bound, body)

    # -------------------------------------------------------------- decisions and chance
    def _choose(self, node: tree.Choose | tree.ChooseEach, scope: Scope) -> Statement:
        known = [name for kind, name in self.names.signatures if kind == "action"]
        for word in node.actions:
            self.names.used.add(("action", word.text))
            if word.text not in known:
                self.names.fault(
                    "not-an-action",
                    f"expected an action, got `{word}`",
                    word.span,
                    help_=self._mean(word.text, known),
                )
        actions = tuple(word.text for word in node.actions if word.text in known)
        if isinstance(node, tree.Choose):
            return ty.Decide(scope.fitted(node.player, self.names.players), None, actions)
        players = scope.fitted(node.players, t.SetType(self.names.players))
        return ty.Decide(players, scope.inner().bind(node.name.text, self.names.players), actions)

    def _mean(self, word: str, known: list[str]) -> str:
        close = near(word, known)
        return f"`{word}`: did you mean `{close}`?" if close else "declare it with `action`"

    def _keys(self, keys: tuple[tree.Expr, ...] | None, scope: Scope) -> tuple[Expr, ...]:
        return tuple(scope.expr(key) for key in keys or ())

    def _roll(self, node: tree.Roll, scope: Scope) -> Statement:
        sides = int(node.die.text[1:])
        number = scope.expr(node.number) if node.number is not None else None
        if not 2 <= sides <= 100:
            self.names.fault(
                "out-of-range", f"expected a die of 2 to 100 sides, got {sides}", node.die.span
            )
            sides = 6
        keys = self._keys(node.keys, scope)
        if number is None:
            return ty.Throw(None, sides, scope.bind(node.name.text, t.IntType(1, sides)), keys)
        most = number.type.high if isinstance(number.type, t.IntType) else 0
        if not isinstance(number.type, t.IntType | t.AnyType):
            self.names.fault(
                "wrong-type", f"expected a number of dice, got {number.type}", node.span
            )
        if most > MAX_DICE or t.size(t.DiceType(most, sides)) > 10_000:
            self.names.fault(
                "too-large",
                f"expected a roll with at most 10000 outcomes, got {most} d{sides}",
                node.span,
            )
            most = 1
        number = scope.fit(number, t.IntType(0, max(most, 0)), node.span)
        return ty.Throw(
            number, sides, scope.bind(node.name.text, t.DiceType(max(most, 0), sides)), keys
        )

    def _draw(self, node: tree.Draw, scope: Scope) -> Statement:
        source = scope.set_of(node.source)
        keys = self._keys(node.keys, scope)
        inner = scope.inner()
        local = inner.bind(node.name.text, scope.member_of(source, node.source.span))
        weight = inner.expr(node.weight) if node.weight is not None else None
        if weight is not None and isinstance(weight.type, t.IntType):
            weight = scope.fit(weight, t.IntType(0, t.MAX_NUMBER), node.span)
        elif weight is not None:
            self._not_numbers(weight, weight, node.span)
        scope.locals[node.name.text] = local
        return ty.Pick(local, source, weight, keys)

    def _shuffle(self, node: tree.Shuffle, scope: Scope) -> tuple[Statement, ...]:
        """`shuffle S into m` draws the members of `S` one by one and numbers them."""
        source = scope.set_of(node.source)
        member = scope.member_of(source, node.source.span)
        variable = self.names.variables.get(node.into.text)
        if variable is None:
            self.names.unknown("a state variable", node.into, self.names.variables)
            return ()
        self.names.used.add(("variable", variable.name))
        wide = (
            isinstance(variable.type, t.IntType)
            and variable.type.low == 0
            and variable.type.high >= t.size(member)
        )
        if len(variable.keys) != 1 or not t.is_within(member, variable.keys[0]) or not wide:
            self.names.fault(
                "wrong-type",
                f"expected a map from {member} to 0..{t.size(member)}, got `{node.into}`",
                node.into.span,
            )
            return ()
        all_, number = (
            scope.bind("shuffled", source.type),
            scope.bind("place", t.IntType(0, t.size(member))),
        )
        drawn, rest = scope.bind("drawn", member), scope.bind("left", member)
        zero = ty.Const(0, t.IntType(0, 0))
        undrawn = ty.Filtered(
            rest,
            all_,
            Prim("eq", (ty.Load(variable.name, (rest,), variable.type), zero), t.BOOL),
            source.type,
        )
        pick = ty.Pick(drawn, undrawn, None, (*self._keys(node.keys, scope), number))
        store = ty.Store(variable.name, (drawn,), number, node.span)
        first = ty.Const(1, t.IntType(1, 1))
        total = Prim("count", (all_,), t.IntType(0, t.size(member)))
        return (
            ty.Bind(all_, source),
            ty.Reset(variable.name, ()),
            ty.Each(number, first, total, (pick, store)),
        )

    # -------------------------------------------------------------- calls and ends
    def _call(self, node: tree.Call, scope: Scope) -> tuple[Statement, ...]:
        for kind in ("event", "phase"):
            signature = self.names.signatures.get((kind, node.name.text))
            if signature is None:
                continue
            entry_kind = "stage" if ("stage", node.name.text) in self.names.entries else kind
            self.names.used.add((entry_kind, node.name.text))
            types = tuple(param.type for param in signature.params)
            args = scope.arguments(node.name, types, node.args or (), "argument")
            made = ty.Raise if kind == "event" else ty.Run
            return (made(node.name.text, args, node.span),)
        if ("action", node.name.text) in self.names.signatures:
            self.names.fault("not-allowed-here", f"expected an event or a phase, got the action `{node.name}`", node.name.span,
                             help_="a player chooses an action: write `choose player: …`")  # fmt: skip
            return ()
        self.names.unknown(
            "an event or a phase",
            node.name,
            [n for k, n in self.names.signatures if k in {"event", "phase"}],
        )
        return ()

    def _win(self, node: tree.Win, scope: Scope) -> Statement:
        players = self.names.players
        expected = t.optional(players) if isinstance(players, t.WordType) else t.ANY
        return ty.End(scope.fitted(node.player, expected))


def actor_scope(names: Names, scope: Scope) -> Scope:
    """A scope in which `actor` is the player who chose the action."""
    return evolve(scope, locals={**scope.locals, "actor": ty.Local("actor", names.players)})
