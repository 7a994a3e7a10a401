"""Instants, as the game server keeps them."""

from __future__ import annotations

import time


def now() -> int:
    """This instant, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000
