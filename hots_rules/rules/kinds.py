"""Kinds of declarations, and by what one is known."""

from __future__ import annotations

from collections.abc import Container

Key = tuple[str, str]
"""The kind and the name of a declaration."""

HELPERS = frozenset({"define", "event", "secret", "type", "variable"})
"""The kinds without a sentence of the rulebook: they take effect through the declarations that name them."""

# Kinds that share a namespace: among them, a name may be declared only once.
_NAMESPACES = (
    ("define", "event", "phase", "stage"),
    ("type", "table", "reading"),
    ("variable", "option", "reading", "define"),
    ("rule", "invariant", "promise"),
)


def find_rival(declared: Container[Key], kind: str, name: str) -> Key | None:
    """The declaration that has a name already; `the-king` and `the_king` are one name."""
    kinds = {kind}.union(*(names for names in _NAMESPACES if kind in names))
    spellings = {name, name.replace("-", "_"), name.replace("_", "-")}
    keys = ((sharing, spelling) for sharing in sorted(kinds) for spelling in sorted(spellings))
    return next((key for key in keys if key in declared), None)
