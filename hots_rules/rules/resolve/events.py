"""Events and the handlers that rules give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.handler_order import in_order
from hots_rules.rules.resolve.statements import StatementResolver
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import alternatives
from hots_rules.syntax import tree


def resolve_events(resolver: Resolver) -> dict[str, tast.EventDef]:
    """All events, each with its handlers in the order in which they run."""
    handlers: dict[str, list[tast.HandlerDef]] = {}
    for entry, node in resolver.rules():
        for event, handler in _handlers(resolver, entry, node):
            handlers.setdefault(event, []).append(handler)
    _check_exceptions(resolver, handlers)
    events = {}
    for entry in resolver.of_kind("event"):
        params = resolver.bind_params(resolver.scope(), "event", entry.name)
        ordered = in_order(resolver, handlers.get(entry.name, []), entry)
        events[entry.name] = tast.EventDef(entry.name, params, ordered, entry.origin)
    return events


def _handlers(
    resolver: Resolver, entry: Entry, node: tree.Rule
) -> Iterator[tuple[str, tast.HandlerDef]]:
    replaces = tuple(word.text for word in _exceptions_of(node) if resolver.is_rule(word))
    guard = resolver.guard(node)
    for part in node.parts:
        if not isinstance(part, tree.Handler):
            continue
        for target in part.events:
            handler = _handler(resolver, entry, part, target, guard, replaces)
            if handler is not None:
                yield target.name.text, handler


def _handler(
    resolver: Resolver,
    entry: Entry,
    part: tree.Handler,
    target: tree.Target,
    guard: tast.Expr | None,
    replaces: tuple[str, ...],
) -> tast.HandlerDef | None:
    signature = resolver.symbols.signatures.get(("event", target.name.text))
    if signature is None:
        resolver.symbols.not_of_kind(
            "event", target.name, "not-allowed-here", "rules handle events"
        )
        return None
    scope = resolver.scope()
    params = resolver.bind_renamed_params(signature, target, scope)
    when = scope.resolve_as(part.when, types.BOOL) if part.when is not None else None
    if when is not None:
        scope.assume(when)
    body = StatementResolver(resolver.symbols, "rule").block(part.block, scope)
    timing = type(part.timing).__name__.lower()
    return tast.HandlerDef(timing, params, when, guard, body, replaces, entry.origin)


def _exceptions_of(node: tree.Rule) -> list[tree.Word]:
    """The rules that a rule is an exception to."""
    return [
        word for part in node.parts if isinstance(part, tree.ExceptionTo) for word in part.rules
    ]


def _check_exceptions(resolver: Resolver, handlers: Mapping[str, list[tast.HandlerDef]]) -> None:
    """Every exception replaces an event that the other rule handles."""
    handled: dict[str, set[str]] = {}
    replaced: dict[str, set[str]] = {}
    for event, of_event in handlers.items():
        for handler in of_event:
            handled.setdefault(handler.origin.rule, set()).add(event)
            if handler.timing == "instead":
                replaced.setdefault(handler.origin.rule, set()).add(event)
    for entry, node in resolver.rules():
        own = replaced.get(entry.name, set())
        for word in _exceptions_of(node):
            if not own:
                resolver.symbols.fault(
                    "not-allowed-here",
                    f"the rule `{entry.name}` is an exception, but has no `instead of …`",
                    word.span,
                    help_="name the event that it replaces; a `forbid` is lifted with `exempt`",
                )
            elif ("rule", word.text) in resolver.symbols.entries and not own & handled.get(
                word.text, set()
            ):
                resolver.symbols.fault(
                    "not-allowed-here",
                    f"the rule `{word}` does not handle {alternatives(sorted(own))}",
                    word.span,
                    help_="name the rule that is replaced",
                )
