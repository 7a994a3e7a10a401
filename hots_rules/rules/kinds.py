"""Kinds of declarations, and by what one is known."""

Key = tuple[str, str]
"""The kind and the name of a declaration."""

HELPERS = frozenset({"define", "event", "secret", "type", "variable"})
"""The kinds without a sentence of the rulebook: they take effect through the declarations that name them."""
