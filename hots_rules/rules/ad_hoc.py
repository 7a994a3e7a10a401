"""Expressions and policies from outside a rulebook, resolved against its names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TypeVar

from attrs import evolve

from hots_rules._text import plain_text
from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.checks import cost
from hots_rules.rules.checks.effects import report_uncertain_effects
from hots_rules.rules.resolve.declare import declare
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.policies import resolve_preferences
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import procedures
from hots_rules.rules.typed.tast import Local
from hots_rules.rules.typed.visitor import walk
from hots_rules.syntax import parse, tree

MAX_TEXT = 2000  # characters of an expression or a policy
MAX_EVALUATION = 1_000_000  # steps of an expression, at one state

Node = TypeVar("Node", bound=tree.Define | tree.Policy)


class ExpressionParser:
    """Parses expressions over the states of one rulebook; the names of the rulebook are resolved once for all of them.

    Threads may share it.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._resolver = _resolver(rulebook)
        self._lock = Lock()  # the resolver collects the faults of one expression

    def parse(self, text: str, locals_: Mapping[str, types.Type] | None = None) -> tast.Expr:
        """The typed form of an expression over the state, such as `some army(White, a4)`.

        It may use the names of `locals_`, each of a type; it is evaluated with their values.

        Raises:
            RulesetError: the text is not an expression, or uses a name that the ruleset does not have.
        """
        head, text = "define question = ", plain_text(text).rstrip()
        node = _parse_only(f"{head}{text}", text, "question", len(head), tree.Define)
        resolver = self._resolver
        with self._lock:
            scope = resolver.scope()
            scope.locals.update(
                (name, Local(name, type_)) for name, type_ in (locals_ or {}).items()
            )
            expr = scope.resolve(node.body)
            _check_cost(self._rulebook, resolver, [expr], node.span)
            faults = resolver.symbols.faults.take()
        _raise_faults(faults, "question", f"{head}{text}", len(head))
        return expr


def parse_policy(rulebook: Rulebook, lines: str) -> tast.PolicyDef:
    """The typed form of a policy, from its lines with or without `prefer` in front of each.

    Raises:
        RulesetError: the text is not a policy, or uses a name that the ruleset does not have.
    """
    parts = (
        part.strip().removeprefix("prefer ")
        for part in plain_text(lines).replace(";", "\n").split("\n")
    )
    text = 'policy given "As given."\n' + "".join(f"  prefer {part}\n" for part in parts if part)
    node = _parse_only(text, lines, "policy", 0, tree.Policy)
    resolver = _resolver(rulebook)
    clauses = resolve_preferences(resolver, node)
    _check_cost(rulebook, resolver, [clause.when for clause in clauses], node.span)
    _raise_faults(resolver.symbols.faults, "policy", text, 0)
    origin = tast.Origin("given", rulebook.name, (), "As given.", node.span)
    return tast.PolicyDef("given", clauses, origin)


def _resolver(rulebook: Rulebook) -> Resolver:
    symbols = SymbolTable(rulebook.entries, Span.nowhere())
    declare(symbols)
    resolver = Resolver(symbols)
    resolver.resolve_definitions()
    return resolver


def _parse_only(whole: str, given: str, what: str, column: int, kind: type[Node]) -> Node:
    """The only declaration in `whole`, which contains the user's text `given` from `column` on."""
    if len(given) > MAX_TEXT or (column and "\n" in given):
        headline = f"expected a {what} of one line, of at most {MAX_TEXT:,} characters"
        raise RulesetError([Fault("too-large", headline, Span(what, 1, 1, 1, 2))])
    file, faults = parse(f"{whole}\n", what)
    _raise_faults(faults, what, whole, column)
    if len(file.items) == 1 and isinstance(file.items[0], kind):
        return file.items[0]
    fault = Fault("malformed-text", f"more than one {what}", Span(what, 1, 1, 1, 2))
    raise RulesetError([fault], {what: whole})


def _check_cost(rulebook: Rulebook, resolver: Resolver, exprs: list[tast.Expr], span: Span) -> None:
    asks = any(isinstance(part, tast.After) for expr in exprs for part in walk(expr))
    bodies = procedures(rulebook.typed) if asks else {}
    report_uncertain_effects(resolver.symbols, exprs, bodies)
    estimator = cost.CostEstimator(rulebook.typed, bodies)
    for expr in exprs:
        estimate = estimator.cost_of(expr)
        if estimate.steps > MAX_EVALUATION or estimate.depth > cost.MAX_DEPTH:
            resolver.symbols.fault(
                "too-large",
                f"this expression takes more than {MAX_EVALUATION:,} steps",
                span,
                help_="ask about fewer things at once",
            )


def _raise_faults(faults: Iterable[Fault], what: str, text: str, column: int) -> None:
    """Raises the faults, if any, with spans in the user's text."""
    moved = [evolve(fault, place=_moved(fault.place, what, column)) for fault in faults]
    if moved:
        raise RulesetError(moved, {what: text[column:]})


def _moved(span: Span, what: str, column: int) -> Span:
    if span.file != what or span.line != 1:
        return span
    first, last = span.column - column, span.end_column
    return evolve(
        span, column=max(first, 1), end_column=max(last - column, 2) if span.end_line == 1 else last
    )
