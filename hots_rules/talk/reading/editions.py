"""What an edition answers to a question of a file that several editions share, and in which of its sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve

from hots_rules.explain.talk_file import Asked
from hots_rules.rules import Source
from hots_rules.rules.editions.sections import Citation, Sections, read_sections
from hots_rules.rules.faults import FaultCollector


def asked_in(asked: Iterable[Asked], editions: Sequence[str]) -> tuple[Asked, ...]:
    """The questions as the last of some editions has them; without those that it does not ask.

    >>> home = Asked("home", holds="no", editions={"second": {"holds": "yes"}, "first": False})
    >>> [each.holds for each in asked_in([home], ["third", "second"])]
    ['yes']
    >>> asked_in([home], ["third", "second", "first"])
    ()

    Args:
        asked: the questions, as the newest rulebook answers them.
        editions: the ruleset and those that it extends, the newest first.

    Raises:
        TypeError: what a question says in an edition has a field that no question has.
    """
    found = (_in_editions(each, editions) for each in asked)
    return tuple(each for each in found if each is not None)


def _in_editions(asked: Asked, editions: Sequence[str]) -> Asked | None:
    """A question as the last of some editions has it; None if it does not ask it."""
    last: Asked | None = asked
    for edition in editions:
        change = asked.editions.get(edition)
        if change is False:
            last = None
        elif isinstance(change, Mapping):
            given: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in change.items()
            }
            if "cites" in given:
                given["cited_in"] = edition
            last = evolve(last or asked, **given)
    return last


class CitedSections:
    """The sections of questions, as the ruleset that is played numbers them."""

    def __init__(self, source: Source) -> None:
        lists = [*read_sections(source, FaultCollector()).layers.items()]
        self._newest = source.layers[0].name
        self._last = lists[-1][0] if lists else self._newest
        # With all lists first: what the last one leaves out is cited from the one below it.
        self._lists = [Sections(dict(lists[:n])) for n in range(len(lists), 0, -1)]

    def text(self, asked: Asked) -> str:
        """The sections of a question; with the edition where the ruleset has none that corresponds."""
        return " ".join(
            f"§{each.section}" if each.edition == self._last else f"{each.edition} §{each.section}"
            for each in self.of(asked)
        )

    def of(self, asked: Asked) -> tuple[Citation, ...]:
        """The sections of a question in the last edition that has any of them."""
        written = [(asked.cited_in or self._newest, section) for section in asked.cites]
        for lists in self._lists:
            found = lists.in_force(written)
            if any(each.edition == [*lists.layers][-1] for each in found):
                return found
        return tuple(Citation(self._last, number, "") for _, number in written)
