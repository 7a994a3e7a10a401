"""`hots lsp`: the language server, which an editor starts."""

from __future__ import annotations

from hots_rules.cli.extras import needs_extra


def lsp() -> None:
    """Run the language server, which an editor starts."""
    with needs_extra("lsp"):
        from hots_rules.lsp import serving
    serving.serve()
