"""Names with a built-in meaning, which no declaration may take; the grammar itself excludes keywords."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hots_rules.rules.typed.operators import FUNCTIONS

_VALUES = frozenset({"none", "actor"})

RESERVED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "define": _VALUES.union(FUNCTIONS),
        "variable": _VALUES,
        "option": _VALUES,
        "reading": _VALUES | {"bool"},
        "type": frozenset({"none", "bool"}),
        "table": frozenset({"none", "bool"}),
        "value": _VALUES | {"bool"},
        "parameter of an action": frozenset({"actor"}),
    }
)
"""The names that a declaration of each kind may not take."""
