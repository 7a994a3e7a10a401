"""The last value of a function, kept for a caller that mostly asks for the same one again."""

from typing import Generic, TypeVar

from attrs import define

Key = TypeVar("Key")
Kept = TypeVar("Kept")


@define(eq=False)
class LastValue(Generic[Key, Kept]):
    """A value with the key for which it was computed; threads may share it.

    >>> last = LastValue[str, int]()
    >>> last.put("Fox", 3)
    >>> last.get("Fox"), last.get("Hen")
    (3, None)
    """

    _last: tuple[Key, Kept] | None = None

    def get(self, key: Key) -> Kept | None:
        """The value that was put last, if it is that of the key."""
        last = self._last  # read once: another thread may replace it
        return last[1] if last is not None and last[0] == key else None

    def put(self, key: Key, kept: Kept) -> None:
        """Keep a value in place of the one before."""
        self._last = key, kept
