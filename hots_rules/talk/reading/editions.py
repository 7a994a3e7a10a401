"""The sections of the questions of a file that several editions share, in the numbers of each; what they rest on."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from hots_rules.explain.talk_file import Intent
from hots_rules.rules import Source
from hots_rules.rules.editions.sections import Citation, Sections, read_sections
from hots_rules.rules.faults import FaultCollector


class CitedSections:
    """The sections of questions, as the ruleset that is played numbers them."""

    def __init__(self, source: Source) -> None:
        lists = [*read_sections(source, FaultCollector()).layers.items()]
        self._newest = source.layers[0].name
        self._last = lists[-1][0] if lists else self._newest
        # With all lists first: what the last one leaves out is cited from the one below it.
        self._lists = [Sections(dict(lists[:n])) for n in range(len(lists), 0, -1)]

    def text(self, intent: Intent) -> str:
        """The sections of a question; with the edition where the ruleset has none that corresponds."""
        return " ".join(
            f"§{citation.section}"
            if citation.edition == self._last
            else f"{citation.edition} §{citation.section}"
            for citation in self.of(intent)
        )

    def of(self, intent: Intent) -> tuple[Citation, ...]:
        """The sections of a question in the last edition that has any of them."""
        written = [(intent.edition or self._newest, section) for section in intent.sections]
        for lists in self._lists:
            found = lists.in_force(written)
            if any(citation.edition == [*lists.layers][-1] for citation in found):
                return found
        return tuple(Citation(self._last, number, "") for _, number in written)


@frozen
class Ground:
    """What a statement rests on in one ruleset.

    Attributes:
        digest: of the play of all these declarations; the same in each ruleset that has them alike.
        settings: the options and readings among them.
        rules: the names of those that are quoted if the statement is not told.
    """

    digest: str
    settings: tuple[str, ...]
    rules: tuple[str, ...]


@frozen
class Grounds:
    """What the statements of a ruleset rest on.

    Attributes:
        by_name: the ground of each statement.
        outdated: the rules whose sentence may no longer hold, since a house rule has changed what they use.
    """

    by_name: Mapping[str, Ground]
    outdated: frozenset[str]
