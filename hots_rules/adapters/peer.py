"""A library that an adapter is for, imported when the adapter is."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from hots_rules.diagnostics import HotsError


class MissingPeer(HotsError, ImportError):
    """The library that an adapter is for is not installed; `extra` brings it."""

    def __init__(self, peer: str, extra: str) -> None:
        self.peer = peer
        self.extra = extra
        super().__init__(peer, extra)

    def __str__(self) -> str:
        return (
            f"expected `{self.peer}` to be installed, got none\n"
            f"help: pip install 'hots-rules[{self.extra}]'"
        )


def peer(name: str, extra: str) -> Any:
    """The module of a peer.

    Raises:
        MissingPeer: it cannot be imported; the error names the extra that brings it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingPeer(name, extra) from error
