"""The classes of a typed tree, for those who store one."""

from __future__ import annotations

from attrs import has

from hots_rules.diagnostics import Span
from hots_rules.rules.typed import tast, value_types

CLASSES: tuple[type, ...] = (
    Span,
    *(kind for kind in vars(value_types).values() if isinstance(kind, type) and has(kind)),
    *(kind for kind in vars(tast).values() if isinstance(kind, type) and has(kind)),
)
