"""The errors of witnesses."""

from __future__ import annotations

from hots_rules.diagnostics import HotsError


class BadWitness(HotsError, ValueError):
    """A witness that cannot be read, or that no longer reproduces.

    >>> import hots_rules as hr
    >>> hr.witness.read_witnesses("## Nothing\\n```witness\\nkind: legal\\n```")
    Traceback (most recent call last):
    hots_rules.witness.errors.BadWitness: Nothing: expected a line `old: …`, got none
    """
