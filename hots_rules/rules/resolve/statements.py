"""Statements: from the tree to the typed tree."""

from __future__ import annotations

from itertools import pairwise

from attrs import define, evolve

from hots_rules.diagnostics import Place, Span
from hots_rules.rules.resolve import chance
from hots_rules.rules.resolve.expressions.references import arguments
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.expressions.sets import member_of, set_of
from hots_rules.rules.resolve.symbols import SymbolTable, with_article
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Body, Expr, Operation, Statement
from hots_rules.syntax import tree

MAX_LOOP = 1_000_000  # times
MAX_NESTED = 10  # loops inside one another
MAX_CASES = 100  # of an `if`
_RETURNING = frozenset({"phase", "stage"})


@define
class StatementResolver:
    """Resolves the statements of one declaration; `kind` says where they stand."""

    names: SymbolTable
    kind: str
    _loops: int = 0

    def block(self, node: tree.Block | tuple[tree.Statement, ...], scope: Scope) -> Body:
        """The statements of a block, in a scope of its own."""
        inner = scope.inner()
        statements = node.statements if isinstance(node, tree.Block) else node
        for one, after in pairwise(statements):
            if isinstance(one, tree.Leave | tree.Return | tree.Win):
                self._say_unreached(one, after)
        return tuple(
            found for statement in statements for found in self.statement(statement, inner)
        )

    def _say_unreached(self, one: tree.Statement, after: tree.Statement) -> None:
        word = type(one).__name__.lower()
        self.names.fault(
            "not-allowed-here",
            f"expected the end of the block after `{word}`, got another statement",
            after.span,
            [Place(one.span, "play never goes on from here")],
            "take it away, or put it before",
        )

    def statement(self, node: tree.Statement, scope: Scope) -> Body:
        """A statement may come out as several."""
        match node:
            case tree.Assign():
                variable, keys, type_ = self.place(node.place, scope)
                return (tast.Store(variable, keys, scope.fitted(node.value, type_), node.span),)
            case tree.Increase() | tree.Decrease():
                return (self._change(node, scope),)
            case tree.Add() | tree.Remove():
                return (self._member(node, scope),)
            case tree.Clear():
                return tuple(self._clear(place, scope) for place in node.places)
            case tree.Let():
                value = scope.expr(node.value)
                return (tast.Bind(scope.bind(node.name.text, value.type), value),)
            case tree.If():
                return (self._if(node, scope),)
            case tree.For():
                return (self._for(node, scope),)
            case tree.While():
                return (self._while(node, scope),)
            case tree.Choose() | tree.ChooseEach():
                return (self._choose(node, scope),)
            case tree.Roll():
                return (chance.roll(scope, node),)
            case tree.Draw():
                return (chance.draw(scope, node),)
            case tree.Shuffle():
                return chance.shuffle(scope, node)
            case tree.Call():
                return self._call(node, scope)
            case tree.Win():
                return (self._win(node, scope),)
            case tree.Leave():
                return self._leave(node)
            case tree.Return():
                return self._return(node)

    # -------------------------------------------------------------- state
    def place(self, node: tree.Place, scope: Scope) -> tuple[str, tuple[Expr, ...], types.Type]:
        """A state variable that is written to, its keys, and its type."""
        word, names = node.name.text, self.names
        variable = names.variables.get(word)
        if variable is not None:
            names.used.add(("variable", word))
            keys = arguments(scope, node.name, variable.keys, node.keys or (), "key")
            return word, keys, variable.type
        if word in scope.locals:
            names.fault(
                "not-allowed-here",
                f"expected a state variable, got the local name `{word}`",
                node.name.span,
                help_="local names do not change; declare a variable under `state`",
            )
        elif word in names.columns or word in names.settings:
            what = "column" if word in names.columns else names.settings[word].kind
            names.fault(
                "not-allowed-here",
                f"expected a state variable, got the {what} `{word}`",
                node.name.span,
                help_="only what is declared under `state` changes",
            )
        else:
            names.unknown("a state variable", node.name, names.variables)
        return "", (), types.ANY

    def _change(self, node: tree.Increase | tree.Decrease, scope: Scope) -> Statement:
        variable, keys, type_ = self.place(node.place, scope)
        value = scope.expr(node.value)
        if not isinstance(type_, types.IntType) or not isinstance(value.type, types.IntType):
            place = tast.Load(variable, (), type_)
            scope.wrong(
                "a number",
                place,
                node.place.span,
                "for sets write `add … to …` or `remove … from …`",
            )
            if isinstance(type_, types.IntType | types.AnyType):
                scope.wrong("a number", value, node.value.span)
            return tast.Store(variable, keys, INVALID, node.span)
        up = isinstance(node, tree.Increase)
        low, high = (value.type.low, value.type.high) if up else (-value.type.high, -value.type.low)
        total = Operation(
            "add" if up else "sub",
            (tast.Load(variable, keys, type_), value),
            types.IntType(type_.low + low, type_.high + high),
        )
        return tast.Store(variable, keys, scope.fit(total, type_, node.span), node.span)

    def _member(self, node: tree.Add | tree.Remove, scope: Scope) -> Statement:
        variable, keys, type_ = self.place(node.place, scope)
        if not isinstance(type_, types.SetType):
            scope.wrong("a set", tast.Load(variable, (), type_), node.place.span)
            return tast.Store(variable, keys, INVALID, node.span)
        single = Operation("set", (scope.fitted(node.value, type_.member),), type_)
        op = "union" if isinstance(node, tree.Add) else "difference"
        value = Operation(op, (tast.Load(variable, keys, type_), single), type_)
        return tast.Store(variable, keys, value, node.span)

    def _clear(self, place: tree.Place, scope: Scope) -> Statement:
        """Without keys a whole map is cleared."""
        if place.keys is None and place.name.text in self.names.variables:
            self.names.used.add(("variable", place.name.text))
            return tast.Reset(place.name.text, ())
        variable, keys, _ = self.place(place, scope)
        return tast.Reset(variable, keys)

    # -------------------------------------------------------------- flow
    def _if(self, node: tree.If, scope: Scope) -> Statement:
        if len(node.rest) > MAX_CASES:
            self.names.fault(
                "too-large",
                f"expected at most {MAX_CASES} cases of an `if`, got {len(node.rest)}",
                node.rest[MAX_CASES].span,
                help_="look it up in a table",
            )
        cases = [(scope.fitted(node.condition, types.BOOL), self.block(node.block, scope))]
        otherwise: Body = ()
        for part in node.rest:
            if isinstance(part, tree.Elif):
                cases.append(
                    (scope.fitted(part.condition, types.BOOL), self.block(part.block, scope))
                )
            else:
                otherwise = self.block(part, scope)
        return tast.Branch(tuple(cases), otherwise)

    def _inside(self, node: tree.Block, scope: Scope) -> Body:
        """The block of a loop."""
        self._loops += 1
        if self._loops == MAX_NESTED + 1:
            self.names.fault(
                "too-large",
                f"expected at most {MAX_NESTED} loops inside one another, got more",
                node.span,
                help_="give the inner ones a phase of their own",
            )
        body = self.block(node, scope)
        self._loops -= 1
        return body

    def _for(self, node: tree.For, scope: Scope) -> Statement:
        inner = scope.inner()
        if isinstance(node.domain, tree.Range):
            first, last, type_ = self._range(node.domain, scope)
            local = inner.bind(node.name.text, type_)
            return tast.ForEach(local, first, last, self._inside(node.block, inner))
        if isinstance(node.domain, tree.List):
            items = self._items(node.domain, scope)
            local = inner.bind(node.name.text, items[0].type)
            return tast.ForEach(local, items, None, self._inside(node.block, inner))
        source = set_of(scope, node.domain)
        local = inner.bind(node.name.text, member_of(source))
        return tast.ForEach(local, source, None, self._inside(node.block, inner))

    def _range(self, node: tree.Range, scope: Scope) -> tuple[Expr, Expr, types.Type]:
        first, last = scope.expr(node.low), scope.expr(node.high)
        if not isinstance(first.type, types.IntType) or not isinstance(last.type, types.IntType):
            scope.wrong("a number", first, node.low.span)
            scope.wrong("a number", last, node.high.span)
            return INVALID, INVALID, types.ANY
        low, high = first.type.low, last.type.high
        self._bounded(high - low + 1, node.span)
        return first, last, types.IntType(min(low, high), max(low, high))

    def _items(self, node: tree.List, scope: Scope) -> tuple[Expr, ...]:
        """Values of one type; the first that is not a bare word guides the others."""
        guide = self._common(node.items)
        found: list[Expr] = []
        for item in node.items:
            expr = scope.expr(item, guide)
            guide = guide or expr.type
            found.append(expr)
        type_ = found[0].type
        for expr, item in zip(found[1:], node.items[1:], strict=True):
            joined = types.least_upper_bound(type_, expr.type)
            if joined is None:
                scope.wrong(types.describe(type_), expr, item.span)
                return (INVALID,)
            type_ = joined
        return tuple(
            scope.fit(expr, type_, item.span) for expr, item in zip(found, node.items, strict=True)
        )

    def _common(self, nodes: tuple[tree.Expr, ...]) -> types.Type | None:
        """The only type that has all of some bare words, so that `White, Black` are sides and no pieces."""
        words = [node.name.text for node in nodes if isinstance(node, tree.Reference)]
        if len(words) < len(nodes):
            return None
        owners = [
            owner
            for owner in self.names.owners.get(words[0], [])
            if all(word in owner.words for word in words)
        ]
        return owners[0] if len(owners) == 1 else None

    def _bounded(self, times: int, span: Span) -> None:
        if times > MAX_LOOP:
            self.names.fault(
                "too-large",
                f"expected a loop of at most {MAX_LOOP} times, got up to {times}",
                span,
                help_="say how often it can really be needed",
            )

    def _while(self, node: tree.While, scope: Scope) -> Statement:
        condition = scope.fitted(node.condition, types.BOOL)
        bound: Expr = INVALID
        if node.bound is None:
            self.names.fault(
                "endless-loop",
                "expected a loop that must end, got `while` without a bound",
                node.condition.span,
                help_="say how often at most: `while … up to 40`",
            )
        else:
            bound = scope.expr(node.bound)
            if isinstance(bound.type, types.IntType):
                self._bounded(bound.type.high, node.bound.span)
            else:
                scope.wrong("a number", bound, node.bound.span)
        return tast.Loop(condition, bound, self._inside(node.block, scope))

    def _leave(self, node: tree.Leave) -> Body:
        if self._loops == 0:
            self.names.fault(
                "not-allowed-here",
                "expected `leave` only inside a loop, got it outside",
                node.span,
                help_="`return` ends a phase"
                if self.kind in _RETURNING
                else "take it away, or put what follows into an `if`",
            )
            return ()
        return (tast.Leave(),)

    def _return(self, node: tree.Return) -> Body:
        if self.kind not in _RETURNING:
            self.names.fault(
                "not-allowed-here",
                f"expected `return` in a phase or a stage, got it in {with_article(self.kind)}",
                node.span,
                help_="put what follows into an `if`",
            )
            return ()
        return (tast.Return(),)

    # -------------------------------------------------------------- decisions
    def _choose(self, node: tree.Choose | tree.ChooseEach, scope: Scope) -> Statement:
        actions = self._actions(node.actions)
        if isinstance(node, tree.Choose):
            return tast.Choose(scope.fitted(node.player, self.names.players), None, actions)
        players = scope.fitted(node.players, types.SetType(self.names.players))
        return tast.Choose(players, scope.inner().bind(node.name.text, self.names.players), actions)

    def _actions(self, words: tuple[tree.Word, ...]) -> tuple[str, ...]:
        first: dict[str, Span] = {}
        for word in words:
            self.names.used.add(("action", word.text))
            if ("action", word.text) not in self.names.signatures:
                self.names.no_action(word)
            elif word.text in first:
                self.names.fault(
                    "duplicate-name",
                    f"expected each action once, got `{word}` again",
                    word.span,
                    [Place(first[word.text], "first here")],
                    "take one of them away",
                )
            first.setdefault(word.text, word.span)
        return tuple(word for word in first if ("action", word) in self.names.signatures)

    # -------------------------------------------------------------- calls and ends
    def _call(self, node: tree.Call, scope: Scope) -> Body:
        names, word = self.names, node.name.text
        for kind in ("event", "phase"):
            if (signature := names.signatures.get((kind, word))) is not None:
                names.used.add((kind, word))
                param_types = tuple(param.type for param in signature.params)
                args = arguments(scope, node.name, param_types, node.args or (), "argument")
                made = tast.EmitEvent if kind == "event" else tast.CallPhase
                return (made(word, args, node.span),)
        for kind, help_ in (
            ("action", "a player chooses an action: write `choose player: …`"),
            ("define", "a definition is a value, not something that happens"),
        ):
            if (kind, word) in names.signatures:
                said = "definition" if kind == "define" else kind
                names.fault(
                    "not-allowed-here",
                    f"expected an event or a phase, got the {said} `{word}`",
                    node.name.span,
                    help_=help_,
                )
                return ()
        names.unknown("an event or a phase", node.name, names.of_kind("event", "phase"))
        return ()

    def _win(self, node: tree.Win, scope: Scope) -> Statement:
        players = self.names.players
        expected = types.optional(players) if isinstance(players, types.WordType) else types.ANY
        return tast.EndGame(scope.fitted(node.player, expected))


def actor_scope(names: SymbolTable, scope: Scope) -> Scope:
    """A scope in which `actor` is the player who chose the action."""
    return evolve(scope, locals={**scope.locals, "actor": tast.Local("actor", names.players)})
