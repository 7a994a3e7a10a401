"""Starting the language server."""

from __future__ import annotations

import logging
import os
import sys

from hots_rules._gc_policy import collect_seldom
from hots_rules.lsp.features import add_features
from hots_rules.lsp.server import RulesServer


def serve() -> None:
    """Answer an editor on standard input and output until it ends the connection.

    Nothing is kept in a cache, unless `HOTS_RULES_CACHE` names its folder: only the open folder and the library are
    read.
    """
    os.environ["HOTS_RULES_CACHE"] = os.environ.get("HOTS_RULES_CACHE") or os.path.join(
        os.devnull, "none"
    )
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    collect_seldom()
    server = RulesServer()
    add_features(server)
    server.start_io()
