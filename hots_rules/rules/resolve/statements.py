"""Statements: from the syntax tree to the typed tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from attrs import define

from hots_rules.diagnostics import Edit, Fix, RelatedPlace, Span
from hots_rules.diagnostics.fixes import between, end_of
from hots_rules.rules.resolve import assignments, chance
from hots_rules.rules.resolve.changes import changed_variables
from hots_rules.rules.resolve.expressions.bindings import bind_value
from hots_rules.rules.resolve.expressions.references import arguments
from hots_rules.rules.resolve.expressions.scope import Scope, member_type
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import INVALID, Body, Expr, Statement
from hots_rules.rules.wording import number_text, with_article
from hots_rules.syntax import tree

MAX_ITERATIONS = 1_000_000  # of one loop
MAX_NESTED = 10  # loops inside one another
MAX_CASES = 100  # of an `if`
_RETURNING = frozenset({"phase", "stage"})


@define
class StatementResolver:
    """Resolves the statements of one declaration of some kind."""

    symbols: SymbolTable
    kind: str
    _loops: int = 0

    def block(self, node: tree.Block | tuple[tree.Statement, ...], scope: Scope) -> Body:
        """The typed statements of a block, in a new scope."""
        inner = scope.inner()
        written = node.statements if isinstance(node, tree.Block) else node
        statements = tuple(self._without_steps(written))
        for statement, following in pairwise(statements):
            if isinstance(statement, tree.Leave | tree.Return | tree.Win):
                self._unreachable(statement, following)
        typed: list[Statement] = []
        for statement in statements:
            typed += self.resolve(statement, inner)
            inner.forget(changed_variables(statement))
            if isinstance(statement, tree.If) and not statement.rest and _leaves(statement.block):
                branch = typed[-1]
                assert isinstance(branch, tast.Branch)
                inner.assume(branch.cases[0].condition, holds=False)
        return tuple(typed)

    def _without_steps(self, statements: Iterable[tree.Statement]) -> Iterator[tree.Statement]:
        """The statements of steps in the place of the steps, which open no scope."""
        for statement in statements:
            if not isinstance(statement, tree.Step):
                yield statement
            elif statement.block is not None:
                yield from self._without_steps(statement.block.statements)
            else:
                self.symbols.fault(
                    "not-allowed-here",
                    f"the step `{statement.name}` is empty",
                    statement.span,
                    help_="write its statements under it; only `amend step` leaves them as they are",
                )

    def _unreachable(self, statement: tree.Statement, following: tree.Statement) -> None:
        word = type(statement).__name__.lower()
        self.symbols.fault(
            "not-allowed-here",
            f"unreachable statement after `{word}`",
            following.span,
            [RelatedPlace(statement.span, "play never goes on from here")],
            "remove it, or put it before",
        )

    def resolve(self, node: tree.Statement, scope: Scope) -> Body:
        """The typed form of a statement; some expand to several."""
        match node:
            case tree.Assign():
                return (assignments.assign(node, scope),)
            case tree.Increase() | tree.Decrease():
                return (assignments.change_number(node, scope),)
            case tree.Add() | tree.Remove():
                return (assignments.change_set(node, scope),)
            case tree.Clear():
                return tuple(assignments.clear(place, scope) for place in node.places)
            case tree.Let():
                return (self._let(node, scope),)
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
            case tree.Step():
                raise AssertionError(node)  # `block` replaces it by its statements

    def _let(self, node: tree.Let, scope: Scope) -> Statement:
        value = scope.resolve(node.value)
        return tast.Bind(bind_value(scope, node, value), value)

    # -------------------------------------------------------------- flow
    def _if(self, node: tree.If, scope: Scope) -> Statement:
        if len(node.rest) > MAX_CASES:
            self.symbols.fault(
                "too-large",
                f"expected at most {MAX_CASES} cases of an `if`, got {len(node.rest)}",
                node.rest[MAX_CASES].span,
                help_="look it up in a table",
            )
        condition = scope.resolve_as(node.condition, types.BOOL)
        cases = [tast.Case(condition, self.block(node.block, scope.assuming(condition)))]
        otherwise: Body = ()
        scope = scope.assuming(condition, holds=False)
        for part in node.rest:
            if isinstance(part, tree.Elif):
                condition = scope.resolve_as(part.condition, types.BOOL)
                body = self.block(part.block, scope.assuming(condition))
                cases.append(tast.Case(condition, body))
                scope.assume(condition, holds=False)
            else:
                otherwise = self.block(part, scope)
        return tast.Branch(tuple(cases), otherwise)

    def _loop_body(self, node: tree.Block, scope: Scope) -> Body:
        self._loops += 1
        if self._loops == MAX_NESTED + 1:
            self.symbols.fault(
                "too-large",
                f"more than {MAX_NESTED} loops inside one another",
                node.span,
                help_="move the inner ones to a phase",
            )
        body = self.block(node, scope)
        self._loops -= 1
        return body

    def _for(self, node: tree.For, scope: Scope) -> Statement:
        inner = scope.inner()
        domain: Expr | tuple[Expr, ...]
        last = None
        match node.domain:
            case tree.Range():
                domain, last, type_ = self._range(node.domain, scope)
            case tree.List():
                domain = self._items(node.domain, scope)
                type_ = domain[0].type
            case _:
                domain = scope.resolve_set(node.domain)
                type_ = member_type(domain)
        local = inner.bind(node.name, type_)
        if isinstance(node.domain, tree.Node) and not isinstance(domain, tuple):
            inner.assume_member(local, domain)
        inner.forget(changed_variables(node))
        return tast.ForEach(local, domain, last, self._loop_body(node.block, inner))

    def _range(self, node: tree.Range, scope: Scope) -> tuple[Expr, Expr, types.Type]:
        first, last = scope.resolve(node.low), scope.resolve(node.high)
        if not isinstance(first.type, types.IntType) or not isinstance(last.type, types.IntType):
            scope.type_mismatch("a number", first, node.low.span)
            scope.type_mismatch("a number", last, node.high.span)
            return INVALID, INVALID, types.ANY
        low, high = first.type.low, last.type.high
        self._check_iterations(high - low + 1, node.span)
        return first, last, types.IntType(min(low, high), max(low, high))

    def _items(self, node: tree.List, scope: Scope) -> tuple[Expr, ...]:
        """Values of one type: that of all words, if only one has them all, else that of the first item."""
        expected = self._only_owner(node.items)
        items: list[Expr] = []
        for item in node.items:
            expr = scope.resolve(item, expected)
            expected = expected or expr.type
            items.append(expr)
        type_ = items[0].type
        for expr, item in zip(items[1:], node.items[1:], strict=True):
            wider = types.least_upper_bound(type_, expr.type)
            if wider is None:
                scope.type_mismatch(types.describe(type_), expr, item.span)
                return (INVALID,)
            type_ = wider
        pairs = zip(items, node.items, strict=True)
        return tuple(scope.coerce(expr, type_, item.span) for expr, item in pairs)

    def _only_owner(self, nodes: tuple[tree.Expr, ...]) -> types.Type | None:
        """The only type that has all of some bare words, so that `White, Black` are sides, not pieces."""
        words = [node.name.text for node in nodes if isinstance(node, tree.Reference)]
        if len(words) < len(nodes):
            return None
        owners = [
            owner
            for owner in self.symbols.owners.get(words[0], [])
            if all(word in owner.words for word in words)
        ]
        return owners[0] if len(owners) == 1 else None

    def _check_iterations(self, count: int, span: Span) -> None:
        if count > MAX_ITERATIONS:
            self.symbols.fault(
                "too-large",
                f"expected at most {MAX_ITERATIONS:,} iterations, got up to {number_text(count)}",
                span,
                help_="state how many the game can need",
            )

    def _while(self, node: tree.While, scope: Scope) -> Statement:
        inner = scope.inner()
        inner.forget(changed_variables(node))
        condition = inner.resolve_as(node.condition, types.BOOL)
        bound = None
        if node.bound is not None:
            bound = scope.resolve(node.bound)
            if isinstance(bound.type, types.IntType):
                self._check_iterations(bound.type.high, node.bound.span)
            else:
                scope.type_mismatch("a number", bound, node.bound.span)
        inner.assume(condition)
        return tast.Loop(condition, bound, self._loop_body(node.block, inner), node.condition.span)

    def _leave(self, node: tree.Leave) -> Body:
        if self._loops:
            return (tast.Leave(),)
        self.symbols.fault(
            "not-allowed-here",
            "`leave` outside a loop",
            node.span,
            help_="`return` ends a phase"
            if self.kind in _RETURNING
            else "remove it, or put what follows into an `if`",
        )
        return ()

    def _return(self, node: tree.Return) -> Body:
        if self.kind in _RETURNING:
            return (tast.Return(),)
        self.symbols.fault(
            "not-allowed-here",
            f"`return` outside a phase or a stage, in {with_article(self.kind)}",
            node.span,
            help_="put what follows into an `if`",
        )
        return ()

    # -------------------------------------------------------------- decisions
    def _choose(self, node: tree.Choose | tree.ChooseEach, scope: Scope) -> Statement:
        actions = self._actions(node.actions)
        if isinstance(node, tree.Choose):
            return tast.Choose(scope.resolve_as(node.player, self.symbols.players), None, actions)
        players = scope.resolve_as(node.players, types.SetType(self.symbols.players))
        player = scope.inner().bind(node.name, self.symbols.players)
        return tast.Choose(players, player, actions)

    def _actions(self, words: tuple[tree.Word, ...]) -> tuple[str, ...]:
        actions = []
        for word in words:
            self.symbols.used.add(("action", word.text))
            if ("action", word.text) in self.symbols.signatures:
                actions.append(word)
            else:
                self.symbols.not_an_action(word)
        self.symbols.check_distinct(actions, "action", "remove one of them", is_set=True)
        return tuple(dict.fromkeys(word.text for word in actions))

    # -------------------------------------------------------------- calls and the end
    def _call(self, node: tree.Call, scope: Scope) -> Body:
        symbols, word = self.symbols, node.name.text
        for kind in ("event", "phase"):
            if (signature := symbols.signatures.get((kind, word))) is not None:
                symbols.used.add((kind, word))
                param_types = tuple(param.type for param in signature.params)
                args = arguments(scope, node.name, param_types, node.args or (), "argument")
                call = tast.EmitEvent if kind == "event" else tast.CallPhase
                return (call(word, args, node.span),)
        for kind, remedy in (
            ("action", "a player chooses an action: write `choose player: …`"),
            ("define", "a definition is a value: it cannot happen"),
        ):
            if (kind, word) in symbols.signatures:
                symbols.fault(
                    "not-allowed-here",
                    f"`{word}` is {with_article(kind)}, not an event or a phase",
                    node.name.span,
                    help_=remedy,
                )
                return ()
        candidates = symbols.names_of_kind("event", "phase")
        symbols.unknown("an event or a phase", node.name, candidates)
        return ()

    def _win(self, node: tree.Win, scope: Scope) -> Statement:
        players = self.symbols.players
        if node.others is not None:
            return tast.EndGame(self._winners((node.player, *node.others), scope))
        winner = types.optional(players) if isinstance(players, types.WordType) else types.ANY
        if self._is_nobody(node.player):
            self.symbols.fault(
                "unknown-name",
                "`nobody` is no player",
                node.player.span,
                help_="write `win none` where nobody wins",
            )
            return tast.EndGame(INVALID)
        team = types.SetType(players)
        named = scope.resolve(node.player, team if self._is_set(node.player) else winner)
        is_team = isinstance(named.type, types.SetType)
        return tast.EndGame(scope.coerce(named, team if is_team else winner, node.player.span))

    def _is_nobody(self, node: tree.Expr) -> bool:
        """Whether an expression is the word `nobody`, which names nothing."""
        if not isinstance(node, tree.Reference) or node.name.text != "nobody":
            return False
        players = self.symbols.players
        values = players.values if isinstance(players, types.WordType) else ()
        return all(name != "nobody" for _, name in values)

    def _is_set(self, node: tree.Expr) -> bool:
        """Whether an expression is written as a set, so that its words have to be players."""
        if isinstance(node, tree.Reference):
            return node.name.text in self.symbols.named_types
        return isinstance(node, tree.Set | tree.UnionOf | tree.Intersection | tree.Minus)

    def _winners(self, nodes: tuple[tree.Expr, ...], scope: Scope) -> Expr:
        """The set of several players, each named once."""
        team = types.SetType(self.symbols.players)
        winners: dict[Expr, Span] = {}
        before = nodes[0].span
        for node in nodes:
            winner = scope.resolve_as(node, self.symbols.players)
            if winner in winners and winner != INVALID:
                named = f" `{node.name}`" if isinstance(node, tree.Reference) else ""
                edit = Edit(between(before, end_of(node.span)), "")
                self.symbols.fault(
                    "duplicate-name",
                    f"duplicate winner{named}",
                    node.span,
                    [RelatedPlace(winners[winner], "first here")],
                    "remove one of them",
                    [Fix("remove the second one", [edit], is_safe=True)],
                )
            winners.setdefault(winner, node.span)
            before = node.span
        if INVALID in winners:
            return INVALID
        if all(isinstance(winner, tast.Const) for winner in winners):
            codes = (winner.value for winner in winners if isinstance(winner, tast.Const))
            return tast.Const(sum(1 << code for code in codes), team)
        return tast.Operation("set", tuple(winners), team)


def _leaves(block: tree.Block) -> bool:
    """Whether nothing after a block is reached from it."""
    return isinstance(block.statements[-1], tree.Leave | tree.Return | tree.Win)
