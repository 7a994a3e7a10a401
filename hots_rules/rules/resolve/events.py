"""Events and the handlers that rules give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.diagnostics import Edit, Fix, RelatedPlace
from hots_rules.diagnostics.fixes import start_of
from hots_rules.rules.graph import reachable
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.statements import StatementResolver
from hots_rules.rules.rulebook import Entry, name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import alternatives
from hots_rules.syntax import tree

MAX_REPLACING = 50  # rules that replace one event


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
        ordered = handlers_in_order(resolver, handlers.get(entry.name, []), entry)
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
        replaced_events = replaced.get(entry.name, set())
        for word in _exceptions_of(node):
            if not replaced_events:
                resolver.symbols.fault(
                    "not-allowed-here",
                    f"the rule `{entry.name}` is an exception, but has no `instead of …`",
                    word.span,
                    help_="name the event that it replaces; a `forbid` is lifted with `exempt`",
                )
                continue
            is_rule = ("rule", word.text) in resolver.symbols.entries
            if is_rule and not replaced_events & handled.get(word.text, set()):
                resolver.symbols.fault(
                    "not-allowed-here",
                    f"the rule `{word}` does not handle {alternatives(sorted(replaced_events))}",
                    word.span,
                    help_="name the rule that is replaced",
                )


def handlers_in_order(
    resolver: Resolver, handlers: list[tast.HandlerDef], event: Entry
) -> tuple[tast.HandlerDef, ...]:
    """The handlers in the order in which they run; of those that replace the event, the most specific first.

    Of two rules that replace it, one must be an exception to the other; else a fault is reported.
    """
    instead = [h for h in handlers if h.timing == "instead"]
    if len(instead) > MAX_REPLACING:
        resolver.symbols.fault(
            "too-large",
            f"expected at most {MAX_REPLACING} rules that replace `{event.name}`, got {len(instead)}",
            name_span(event.node),
            help_="put some of them into one rule",
        )
        return tuple(handlers)
    replaces = {h.origin.rule: h.replaces for h in instead}
    all_replaced = {rule: reachable(replaces, direct) for rule, direct in replaces.items()}
    for handler in instead:
        if handler.origin.rule in all_replaced[handler.origin.rule]:
            _fault_of_cycle(resolver, handler.origin.rule, instead, all_replaced)
            return tuple(handlers)
    for i, left in enumerate(instead):
        for right in instead[i + 1 :]:
            first, second = left.origin.rule, right.origin.rule
            if second not in all_replaced[first] and first not in all_replaced[second]:
                _fault_of_collision(resolver, left, right, event)
    instead.sort(key=lambda h: len(all_replaced[h.origin.rule]), reverse=True)
    return (
        *(h for h in handlers if h.timing == "before"),
        *instead,
        *(h for h in handlers if h.timing == "on"),
        *(h for h in handlers if h.timing == "after"),
    )


def _fault_of_cycle(
    resolver: Resolver,
    rule: str,
    instead: list[tast.HandlerDef],
    all_replaced: Mapping[str, set[str]],
) -> None:
    others = [
        h.origin.rule
        for h in instead
        if rule in all_replaced[h.origin.rule] and h.origin.rule in all_replaced[rule]
    ]
    places = [resolver.span_of_rule(name) for name in others if name != rule]
    resolver.symbols.fault(
        "exception-cycle",
        f"the rule `{rule}` is an exception to itself",
        resolver.span_of_rule(rule),
        [RelatedPlace(span, "and so is this rule") for span in places],
        "remove one `exception to`",
    )


def _fault_of_collision(
    resolver: Resolver, left: tast.HandlerDef, right: tast.HandlerDef, event: Entry
) -> None:
    first, second = left.origin.rule, right.origin.rule
    labels = [
        f"`{h.origin.rule}` {' '.join(f'§{s}' for s in h.origin.sections)}".rstrip()
        for h in (left, right)
    ]
    remedy = f"write `exception to {first}` in `{second}`, or the other way round"
    fixes = [
        fix
        for specific, general in ((second, first), (first, second))
        if (fix := _exception_fix(resolver.symbols.entries["rule", specific], general)) is not None
    ]
    if first == second:
        fixes = []
        remedy = "write one `instead of` with an `if` in it"
    resolver.symbols.fault(
        "two-rules-collide",
        f"{labels[0]} and {labels[1]} both replace `{event.name}`, and neither goes first",
        resolver.span_of_rule(second),
        [
            RelatedPlace(resolver.span_of_rule(first), "the other rule"),
            RelatedPlace(name_span(event.node), "the event"),
        ],
        remedy,
        fixes,
    )


def _exception_fix(entry: Entry, general: str) -> Fix | None:
    """The fix that makes a rule an exception to another one; None where the rule is written in several places."""
    if not isinstance(entry.node, tree.Rule) or entry.lines:
        return None
    place = start_of(entry.node.parts[0].span)
    line = f"exception to {general}\n{' ' * (place.column - 1)}"
    return Fix(f"`{entry.name}` is an exception to `{general}`", [Edit(place, line)])
