"""What an adapter refuses in words of this library, where the other library has none."""

from hots_rules.diagnostics import HotsError


class NotAvailable(HotsError, RuntimeError):
    """What is asked for does not exist: not yet, no longer, or in no game.

    >>> from hots_rules.adapters.refusals import NotAvailable
    >>> print(NotAvailable("there is no game yet; call `reset` first"))
    there is no game yet; call `reset` first
    """
