"""When memory is collected: while nobody waits, since the trees of a large ruleset take long to go through."""

import gc

YOUNG, MIDDLE, OLD = 50_000, 20, 500


def collect_seldom() -> None:
    """Let the interpreter go through all of its memory seldom by itself."""
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def collect() -> None:
    """Free what is no longer used."""
    gc.collect()
