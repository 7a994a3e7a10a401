"""Checks of many things in one test."""

from collections.abc import Iterable


def assert_none(faults: Iterable[str]) -> None:
    """Fail with all faults, one a line."""
    listed = list(faults)
    if listed:
        raise AssertionError(f"{len(listed)} found\n" + "\n".join(listed))
