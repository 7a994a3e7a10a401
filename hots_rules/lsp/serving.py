"""Starting the language server."""

from __future__ import annotations

import logging
import os
import sys
from typing import BinaryIO, cast

from hots_rules._gc_policy import collect_seldom
from hots_rules.lsp.features import add_features
from hots_rules.lsp.messages import MessageReader, WithoutFrames
from hots_rules.lsp.server import NAME, RulesServer

log = logging.getLogger(NAME)


def serve() -> None:
    """Answer an editor on standard input and output until it ends the connection.

    Nothing is kept in a cache, unless `HOTS_RULES_CACHE` names its folder: only the open folder and the library are
    read.

    Raises:
        OSError: the input has a message that is too long or not whole, or something else than messages.
    """
    os.environ["HOTS_RULES_CACHE"] = os.environ.get("HOTS_RULES_CACHE") or os.path.join(
        os.devnull, "none"
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(WithoutFrames())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    collect_seldom()
    server = RulesServer()
    add_features(server)
    server.reader = MessageReader(sys.stdin.buffer, log.warning)
    server.start_io(cast("BinaryIO", server.reader))
