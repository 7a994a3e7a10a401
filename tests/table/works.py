"""Work for a process of the table: some that overruns its limits, and some that does not."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path


def sleep() -> Mapping[str, object]:
    time.sleep(60)
    return {}


def fill_memory() -> Mapping[str, object]:
    return {"length": len(bytearray(2_000_000_000))}


def answer_with(number: int) -> Mapping[str, object]:
    return {"number": number}


def write_a_file(path: str) -> Mapping[str, object]:
    try:
        Path(path).write_text("much")
    except OSError:
        return {"is_written": False}
    return {"is_written": True}
