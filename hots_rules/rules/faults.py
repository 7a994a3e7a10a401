"""The faults of a ruleset while it is loaded: each once, up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field

from hots_rules.diagnostics import Fault, Suggestion, suggest

MAX_FAULTS = 100
MAX_COMPARED = 100_000  # names, in all searches together


@define
class FaultCollector:
    """Faults in the order in which they were found."""

    _faults: dict[Fault, None] = field(factory=dict)
    _compared: int = 0
    _suggested: set[str] = field(factory=set)

    def add(self, fault: Fault) -> None:
        """Records a fault; at the limit, one fault replaces all further ones."""
        if len(self._faults) < MAX_FAULTS:
            self._faults[fault] = None
        elif len(self._faults) == MAX_FAULTS and fault not in self._faults:
            headline = f"more than {MAX_FAULTS} faults"
            remedy = "correct those above, then check again"
            self._faults[Fault("too-large", headline, fault.place, help=remedy)] = None

    def suggest(self, word: str, candidates: Iterable[str]) -> Suggestion:
        """The candidates that were probably meant; none once too many names were compared."""
        if self._compared > MAX_COMPARED or len(self) > MAX_FAULTS:
            return Suggestion(word)
        names = list(candidates)
        self._compared += len(names)
        suggestion = suggest(word, names)
        if suggestion.best is not None:
            self._suggested.add(suggestion.best)
        return suggestion

    def suggests(self, name: str) -> bool:
        """Whether a name was probably meant by one that nothing declares."""
        return name in self._suggested

    def take(self) -> tuple[Fault, ...]:
        """The faults so far; they are forgotten."""
        faults = tuple(self._faults)
        self._faults.clear()
        self._suggested.clear()
        return faults

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._faults)

    def __len__(self) -> int:
        return len(self._faults)
