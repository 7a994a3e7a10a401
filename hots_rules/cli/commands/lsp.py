"""`hots lsp`: the language server, which an editor starts."""

from __future__ import annotations

from hots_rules.cli.extras import needs_extra


def lsp() -> None:
    """Answer an editor that speaks the Language Server Protocol, on standard input and output."""
    with needs_extra("lsp"):
        from hots_rules.lsp import serving
    serving.serve()
