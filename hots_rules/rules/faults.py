"""The faults of a ruleset while it is read: each once, and no more than anybody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from hots_rules.diagnostics import Fault, closest_match

MAX_FAULTS = 200
MAX_COMPARED = 100_000  # names, one after the other


@define
class FaultCollector:
    """Faults in the order in which they were found."""

    _found: dict[Fault, None] = field(factory=dict)
    _compared: int = 0

    def add(self, fault: Fault) -> None:
        """Notes a fault; the work goes on, so that all are found."""
        if len(self._found) < MAX_FAULTS:
            self._found[fault] = None
        elif len(self._found) == MAX_FAULTS and fault not in self._found:
            more = f"expected at most {MAX_FAULTS} faults at once, got more"
            self._found[
                Fault("too-large", more, fault.place, help="mend those above, then look again")
            ] = None

    def closest_match(self, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate that was probably meant; after many faults nobody looks any more."""
        if self._compared > MAX_COMPARED:
            return None
        among = list(candidates)
        self._compared += len(among)
        return closest_match(word, among)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)
