"""The order of the rules that replace one event."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.graph import reachable
from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.rulebook import Entry, name_span
from hots_rules.rules.typed import tast

MAX_REPLACING = 50  # rules that replace one event


def in_order(
    resolver: Resolver, handlers: list[tast.HandlerDef], event: Entry
) -> tuple[tast.HandlerDef, ...]:
    """The handlers as they run; of those that replace the event, the most specific first.

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
    for i, one in enumerate(instead):
        for other in instead[i + 1 :]:
            first, second = one.origin.rule, other.origin.rule
            if second not in all_replaced[first] and first not in all_replaced[second]:
                _fault_of_collision(resolver, one, other, event)
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
    places = [resolver.span_of_rule(other) for other in others if other != rule]
    resolver.symbols.fault(
        "exception-cycle",
        f"the rule `{rule}` is an exception to itself",
        resolver.span_of_rule(rule),
        [RelatedPlace(span, "and so is this rule") for span in places],
        "take one `exception to` away",
    )


def _fault_of_collision(
    resolver: Resolver, one: tast.HandlerDef, other: tast.HandlerDef, event: Entry
) -> None:
    first, second = one.origin.rule, other.origin.rule
    cited = [f"`{h.origin.rule}` {_section_list(h.origin)}".rstrip() for h in (one, other)]
    remedy = f"write `exception to {first}` in `{second}`, or the other way round"
    if first == second:
        remedy = "write one `instead of` with an `if` in it"
    resolver.symbols.fault(
        "two-rules-collide",
        f"{cited[0]} and {cited[1]} both replace `{event.name}`, and neither goes first",
        resolver.span_of_rule(second),
        [
            RelatedPlace(resolver.span_of_rule(first), "the other rule"),
            RelatedPlace(name_span(event.node), "the event"),
        ],
        remedy,
    )


def _section_list(origin: tast.Origin) -> str:
    return " ".join(f"§{section}" for section in origin.sections)
