"""Rules that replace the same event: which goes first."""

from __future__ import annotations

from hots_rules.diagnostics import Place, Span
from hots_rules.rules.graph import reachable
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, name_span
from hots_rules.rules.typed import tast

MAX_EXCEPTIONS = 50  # that replace one event


def ordered(
    names: SymbolTable, handlers: list[tast.HandlerDef], event: Entry
) -> tuple[tast.HandlerDef, ...]:
    """`instead` handlers from the most special to the most general; two without an order collide."""
    instead = [h for h in handlers if h.timing == "instead"]
    if len(instead) > MAX_EXCEPTIONS:
        names.fault(
            "too-large",
            f"expected at most {MAX_EXCEPTIONS} rules that replace `{event.name}`, got {len(instead)}",
            name_span(event.node),
            help_="put some of them into one rule",
        )
        return tuple(handlers)
    above = _all_replaced(instead)
    for handler in instead:
        if handler.origin.rule in above[handler.origin.rule]:
            _say_circle(names, handler, instead, above)
            return tuple(handlers)
    for i, one in enumerate(instead):
        for other in instead[i + 1 :]:
            first, second = one.origin.rule, other.origin.rule
            if second not in above[first] and first not in above[second]:
                _collide(names, one, other, event)
    instead.sort(key=lambda h: len(above[h.origin.rule]), reverse=True)
    return (
        *(h for h in handlers if h.timing == "before"),
        *instead,
        *(h for h in handlers if h.timing == "on"),
        *(h for h in handlers if h.timing == "after"),
    )


def _say_circle(
    names: SymbolTable,
    one: tast.HandlerDef,
    instead: list[tast.HandlerDef],
    above: dict[str, set[str]],
) -> None:
    rules = [
        h
        for h in instead
        if one.origin.rule in above[h.origin.rule] and h.origin.rule in above[one.origin.rule]
    ]
    related = [Place(_rule_span(names, h), "and so is this rule") for h in rules if h is not one]
    names.fault(
        "exception-cycle",
        f"expected exceptions that end, got `{one.origin.rule}` as an exception to itself",
        _rule_span(names, one),
        related,
        "take one `exception to` away",
    )


def _rule_span(names: SymbolTable, handler: tast.HandlerDef) -> Span:
    return name_span(names.entries["rule", handler.origin.rule].node)


def _collide(
    names: SymbolTable, one: tast.HandlerDef, other: tast.HandlerDef, event: Entry
) -> None:
    rules = (one.origin.rule, other.origin.rule)
    said = [f"`{h.origin.rule}` {_sections(h.origin)}".rstrip() for h in (one, other)]
    help_ = f"write `exception to {rules[0]}` in `{rules[1]}`, or the other way round"
    if rules[0] == rules[1]:
        help_ = "write one `instead of` with an `if` in it"
    names.fault(
        "two-rules-collide",
        f"expected an order between the rules that replace `{event.name}`, got {said[0]} and {said[1]}",
        _rule_span(names, other),
        [
            Place(_rule_span(names, one), "the other rule"),
            Place(name_span(event.node), "the event"),
        ],
        help_,
    )


def _all_replaced(instead: list[tast.HandlerDef]) -> dict[str, set[str]]:
    """By rule, all rules that it goes before, straight or round about."""
    by_rule = {h.origin.rule: h.replaces for h in instead}
    return {rule: reachable(by_rule, replaces) for rule, replaces in by_rule.items()}


def _sections(origin: tast.Origin) -> str:
    return " ".join(f"§{section}" for section in origin.sections)
