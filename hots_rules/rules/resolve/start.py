"""Where play begins from a position that is set up by hand, and the clock of the game."""

from __future__ import annotations

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.syntax import tree


def resolve_position_phase(symbols: SymbolTable) -> str | None:
    """The phase in which a position set up by hand begins, if the ruleset names one."""
    entry = symbols.entries.get(("positions", "begin"))
    if entry is None or not isinstance(entry.node, tree.PositionEntry):
        return None
    word = entry.node.phase
    signature = symbols.signatures.get(("phase", word.text))
    if signature is None:
        symbols.unknown("a phase", word, list(symbols.names_of_kind("phase")))
        return None
    if signature.params:
        symbols.fault(
            "wrong-arguments",
            f"expected a phase without parameters, got `{word}`",
            word.span,
            [RelatedPlace(signature.span, "declared here")],
            "play goes on there from the state alone",
        )
        return None
    return word.text


def resolve_clock(symbols: SymbolTable) -> tuple[str, ...]:
    """The variables that distinguish points in time."""
    entry = symbols.entries.get(("clock", "clock"))
    if entry is None or not isinstance(entry.node, tree.Clock):
        return ()
    names = []
    for word in entry.node.names:
        variable = symbols.variables.get(word.text)
        if variable is None:
            plain = [name for name, declared in symbols.variables.items() if not declared.keys]
            symbols.unknown("a state variable", word, plain)
            continue
        symbols.used.add(("variable", word.text))
        if variable.keys:
            symbols.fault(
                "wrong-arguments",
                f"expected a variable without keys, got the map `{word}`",
                word.span,
                help_="the clock shows one value of each variable",
            )
        else:
            names.append(word.text)
    return tuple(names)
