"""`hots lsp`: the language server, which an editor starts."""

from __future__ import annotations

import typer


def lsp() -> None:
    """Answer an editor that speaks the Language Server Protocol, on standard input and output."""
    try:
        from hots_rules.lsp import serving
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("hots_rules"):
            raise
        fault = f"the package `{error.name}` is not installed"
        raise typer.BadParameter(f"{fault}; run: pip install 'hots-rules[lsp]'") from None
    serving.serve()
