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
from hots_rules.analysis import casebook
from hots_rules.analysis.casebook import parse_entries, split_list
from hots_rules.analysis.casebook import play_case as play_case
from hots_rules.analysis.casebook import start_case as start_case

HERE = Path(__file__).parent
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


def cases(folder: Path = HERE / "cases") -> list[Case]:
    """All cases of a folder; those of the repository by default."""
    read = casebook.read_cases(folder)
    return [
        Case(one.file, one.title, one.sections, one.parts, one.position_folders) for one in read
    ]


def check(case: Case, game: hr.Game) -> None:
    """Assert that a game meets the expectations of a case."""
    expectations = case.lines("expect", game.ruleset.name)
    assert expectations, f"the case `{case.title}` expects nothing"
    for line in expectations:
        kind, _, rest = line.partition(":")
        _CHECKS[kind.strip()](game, rest.strip())


def _to_move(game: hr.Game, rest: str) -> None:
    assert ", ".join(game.to_move) == rest


def _legal(game: hr.Game, rest: str) -> None:
    assert rest in _texts(game), f"expected `{rest}` among {sorted(_texts(game))}"


def _texts(game: hr.Game) -> set[str]:
    return {action.text for action in game.actions}


def _illegal(game: hr.Game, rest: str) -> None:
    text, _, rule = rest.partition(" because ")
    assert text not in _texts(game), f"expected `{text}` not to be legal"
    reasons = game.why_not(text)
    assert reasons, f"expected a reason against `{text}`"
    if rule:
        rules = {reason.rule for reason in reasons}
        assert rule in rules, f"expected `{rule}` among the reasons against `{text}`: {rules}"


def _choices(game: hr.Game, rest: str) -> None:
    assert _texts(game) == {text.strip() for text in rest.split(";")}


def _state(game: hr.Game, rest: str) -> None:
    for (keys, name), value in parse_entries([rest]).items():
        variable = game.ruleset.schema.variables[name]
        found = game.state[(name, *split_list(keys))] if variable.keys else game.state[name]
        assert _plain(found) == value, (
            f"expected {name} of {keys or 'the game'} to be {value}, got {_plain(found)}"
        )


def _plain(found: object) -> str:
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, list):
        return "{" + ", ".join(map(str, found)) + "}"
    return "none" if found is None else str(found)


def _outcome(game: hr.Game, rest: str) -> None:
    assert game.outcome is not None, (
        f"expected the end of the game, but {game.to_move} are asked in {game.phase}"
    )
    assert f"{game.outcome.winner or 'nobody'} {game.outcome.reason}" == rest


def _phase(game: hr.Game, rest: str) -> None:
    assert game.phase == rest


def _goes_on(game: hr.Game, rest: str) -> None:
    assert not rest
    assert game.to_move, f"expected the game to go on, got {game.outcome}"


_CHECKS = {
    "to move": _to_move,
    "legal": _legal,
    "illegal": _illegal,
    "choices": _choices,
    "state": _state,
    "outcome": _outcome,
    "phase": _phase,
    "goes on": _goes_on,
}
