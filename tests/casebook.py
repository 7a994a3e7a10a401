"""Cases in Markdown: a section of a rulebook, a position, actions with dice that are given, and the expected result.

A case is a heading, a text with its citations, and a fenced block `case`:

    like: quiet                     a position of tests/positions, or `scenario braveheart`
    editions: hots-4.0              the rulesets it covers (all editions of Hammer if omitted)
    shows: rule border-control      the declarations whose change between editions it shows
    options: schiltroms=yes         readings: no_way_out=pool
    set:                            lines of a position that replace those of `like`
      Wallace: place Fife, strength 3
    play:                           actions; `roll …`/`draw …` for chance; `auto` samples it
      England: play Move 3
    expect:
      to move: England
      legal: England: fire York Knights
      illegal: England: retreat York Knights to Mar because border-control
      choices: England: a; England: b          all legal actions, in any order
      state: Wallace: place Dead
      outcome: Scotland sudden-death           winner (or nobody) and the rule
      phase: battle
    expect hots-2.3, hots-3.x:      what these editions expect instead
      legal: England: fire York Knights

`play` and `set` can be given for some editions in the same way. A bare §5.5 in the text is a section of the newest
rulebook; 3.x§5.5 is one of hots-3.x.
"""

from __future__ import annotations

from pathlib import Path

import hots_rules as hr
from hots_rules.testing import casebook
from hots_rules.testing.casebook import play_case as play_case
from hots_rules.testing.casebook import start_case as start_case
from hots_rules.testing.expectations import unmet_lines
from tests.folders import TESTS
from tests.listing import assert_none

HAMMER = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")


class Case(casebook.Case):
    """A case of the repository; it is one of Hammer of the Scots if it names no editions."""

    @property
    def editions(self) -> list[str]:
        return self.items("editions") or list(HAMMER)

    def cited(self) -> list[tuple[str, str]]:
        """The edition and the number of each cited section."""
        own = next((name for name in self.editions if name not in HAMMER), "hots-4.0")
        found = [section.rpartition("§") for section in self.sections]
        return [(f"hots-{edition}" if edition else own, number) for edition, _, number in found]


def cases(folder: Path = TESTS / "cases") -> list[Case]:
    """All cases of a folder; those of the repository by default."""
    read = casebook.read_cases(folder)
    return [
        Case(one.file, one.title, one.sections, one.parts, one.position_folders) for one in read
    ]


def check(case: Case, game: hr.Game) -> None:
    """Assert that a game meets the expectations of a case."""
    assert_none(unmet.message for unmet in unmet_lines(case, game))
