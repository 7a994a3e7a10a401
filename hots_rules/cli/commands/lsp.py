"""`hots lsp`: the language server, which an editor starts."""

from __future__ import annotations

from hots_rules.cli.extras import needs_extra
from hots_rules.cli.signals import ending_signals_end
from hots_rules.cli.streams import refuse_endless_input


def lsp() -> None:
    """Run the language server, which an editor starts."""
    with needs_extra("lsp"):
        from hots_rules.lsp import serving
    refuse_endless_input()
    ending_signals_end()
    serving.serve()
