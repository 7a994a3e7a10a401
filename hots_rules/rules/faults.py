"""The faults of a ruleset while it is read: each once, and no more than anybody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from hots_rules.diagnostics import Fault, near

MAX_FAULTS = 200


@define
class Faults:
    """Faults in the order in which they were found."""

    _found: dict[Fault, None] = field(factory=dict)

    def add(self, fault: Fault) -> None:
        """Notes a fault; the work goes on, so that all are found."""
        if len(self._found) < MAX_FAULTS:
            self._found[fault] = None
        elif len(self._found) == MAX_FAULTS and fault not in self._found:
            more = f"expected at most {MAX_FAULTS} faults at once, got more"
            self._found[
                Fault("too-large", more, fault.place, help="mend those above, then look again")
            ] = None

    @property
    def is_full(self) -> bool:
        """Whether further faults are only counted."""
        return len(self._found) > MAX_FAULTS

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate that was probably meant; nobody looks once there are too many faults."""
        return None if self.is_full else near(word, candidates)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)
