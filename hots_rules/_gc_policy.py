"""When memory is collected, for programs that run long with large rulesets."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG, MIDDLE, OLD = 50_000, 20, 500


def collect_seldom() -> None:
    """Let the interpreter go through all of its memory seldom by itself."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)


@contextmanager
def uncollected() -> Iterator[None]:
    """Collects no memory inside: where all that is made is kept for a moment, collections only take time."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def collect() -> None:
    """Free what is no longer used."""
    gc.collect()


def keep_all() -> None:
    """Take all that there is now out of later collections, once what is no longer used is freed."""
    gc.collect()
    gc.freeze()
