"""When memory is collected, for programs that run long with large rulesets."""

import gc

YOUNG, MIDDLE, OLD = 50_000, 20, 500


def collect_seldom() -> None:
    """Let the interpreter go through all of its memory seldom by itself."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def collect() -> None:
    """Free what is no longer used."""
    gc.collect()


def keep_all() -> None:
    """Take all that there is now out of later collections, once what is no longer used is freed."""
    gc.collect()
    gc.freeze()
