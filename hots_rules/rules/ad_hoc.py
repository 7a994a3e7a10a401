"""Questions and policies that are not in a rulebook, read in its language against its names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from attrs import evolve

from hots_rules.diagnostics import Fault, RulesetError, Span
from hots_rules.rules.checks import cost
from hots_rules.rules.resolve.declare import declare
from hots_rules.rules.resolve.resolver import Resolver
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import tast
from hots_rules.syntax import parse, tree

MAX_TEXT = 2000  # characters of a question or a policy
MAX_TIMES = 100_000  # that a part of a question is worked out, at one state

Node = TypeVar("Node", bound=tree.Define | tree.Policy)
Found = TypeVar("Found")


def parse_expression(book: Rulebook, text: str) -> tast.Expr:
    """The typed form of an expression over the state, such as `some army(White, a4)`.

    Raises:
        RulesetError: the text is no expression, or names what the ruleset does not have.
    """
    head = "define question = "
    node = _only(f"{head}{text}", text, "question", len(head), tree.Define)
    resolver = _resolver(book)
    expr = resolver.scope().expr(node.body)
    _expect_light(book, resolver, (expr,), node.span)
    return _checked(resolver.names, expr, "question", f"{head}{text}", len(head))


def parse_policy(book: Rulebook, lines: str) -> tast.PolicyDef:
    """The typed form of a policy that is given as its lines, with or without `prefer` before each.

    Raises:
        RulesetError: the text is no policy, or names what the ruleset does not have.
    """
    parts = (part.strip().removeprefix("prefer ") for part in lines.replace(";", "\n").splitlines())
    whole = 'policy given "As given."\n' + "".join(f"  prefer {part}\n" for part in parts if part)
    node = _only(whole, lines, "policy", 0, tree.Policy)
    resolver = _resolver(book)
    clauses = resolver.preferences(node)
    _expect_light(book, resolver, tuple(when for *_, when in clauses), node.span)
    origin = tast.Origin("given", book.name, (), "As given.", node.span)
    return _checked(resolver.names, tast.PolicyDef("given", clauses, origin), "policy", whole, 0)


def _resolver(book: Rulebook) -> Resolver:
    names = SymbolTable(book.entries, Span.nowhere())
    declare(names)
    resolver = Resolver(names)
    resolver.define_all()
    return resolver


def _only(whole: str, said: str, what: str, column: int, kind: type[Node]) -> Node:
    """The one declaration of a text that was written around what somebody asked."""
    if len(said) > MAX_TEXT or (column and "\n" in said):
        most = f"expected a {what} of one line of at most {MAX_TEXT} characters, got more"
        raise RulesetError([Fault("too-large", most, Span(what, 1, 1, 1, 2))])
    file, faults = parse(f"{whole}\n", what)
    if faults:
        raise _blamed(faults, what, whole, column)
    if len(file.items) == 1 and isinstance(file.items[0], kind):
        return file.items[0]
    raise RulesetError(
        [Fault("malformed-text", f"expected one {what}, got more", Span(what, 1, 1, 1, 2))],
        {what: whole},
    )


def _expect_light(
    book: Rulebook, resolver: Resolver, found: tuple[tast.Expr, ...], span: Span
) -> None:
    weigher = cost.CostEstimator(book.typed, {})
    for expr in found:
        weight = weigher.weigh(expr)
        if weight.times > MAX_TIMES or weight.depth > cost.MAX_DEPTH:
            resolver.names.fault(
                "too-large",
                f"expected an expression that is worked out in {MAX_TIMES} steps, got more",
                span,
                help_="ask about fewer things at once",
            )


def _checked(names: SymbolTable, found: Found, what: str, text: str, column: int) -> Found:
    if names.faults:
        raise _blamed(names.faults, what, text, column)
    return found


def _blamed(faults: Iterable[Fault], what: str, text: str, column: int) -> RulesetError:
    """The faults where they stand in what was asked, without what was written before it."""
    moved = (evolve(fault, place=_moved(fault.place, what, column)) for fault in faults)
    return RulesetError(moved, {what: text[column:]})


def _moved(span: Span, what: str, column: int) -> Span:
    if span.file != what or span.line != 1:
        return span
    first, last = span.column - column, span.end_column
    return evolve(
        span,
        column=max(first, 1),
        end_column=max(last - column, 2) if span.end_line == 1 else last,
    )
