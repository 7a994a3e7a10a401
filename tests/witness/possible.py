"""Which positions a game may reach, so that no witness of a difference stands in another one.

The invariants of a rulebook tell most. More of them are in `possible.rules`; they are no part of the rulesets, since
play and the worlds of a player would pay for them. What the procedures under way say of a battle is checked here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import hots_rules as hr
from hots_rules.witness.witnesses import choices_of

RULES = Path(__file__).parent / "possible.rules"
_BATTLE = re.compile(r"battle\(a (\w+), s (\w+), n ([0-9])\)")


@cache
def possible(edition: str) -> hr.Ruleset:
    """An edition with the invariants of a possible position."""
    text = RULES.read_text("utf-8").replace("extends hots-4.0", f"extends {edition}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"possible-{edition}.rules"
        path.write_text(text.replace("possible-1.0", f"possible-{edition}"), "utf-8")
        return hr.load(path)


def is_possible(witness: hr.witness.Witness) -> bool:
    """Whether the position of a witness between two editions may be one of a game."""
    if not witness.position:
        return True
    rules = possible(witness.old.partition("-with-")[0])
    options, readings = choices_of(rules, witness.settings[0])
    try:
        game = rules.position(
            witness.position, seed="witness", options=options, readings=readings, chance="ask"
        )
    except hr.HotsError:
        return False
    return (
        fits_its_battle(witness.position)
        and has_its_attackers(witness.position)
        and fits_its_years(witness.position)
        and (game.phase != "take_hits" or len(game.actions) > 1)
    )


def fits_its_battle(position: str) -> bool:
    """Whether the variables of a position say the same of a battle as the procedures that are under way."""
    begin = position.rpartition("begin at ")[2]
    battle = _BATTLE.search(begin)
    if battle is None:
        return True
    area, attacker, number = battle.groups()
    attacks = re.search(rf"^{attacker}:.* attacked {{([^}}]*)}}", position, re.MULTILINE)
    return (
        _value(position, "field", "England") == area
        and _value(position, "combat_round", "0") == (number if "combat_turns" in begin else "0")
        and attacks is not None
        and area in attacks[1].split(", ")
    )


def has_its_attackers(position: str) -> bool:
    """Whether both sides of a battle stand in the area while blocks move: no attacker can have left, nor all defenders.

    An attacker stands there who is no reserve, and a block for each border that was used.
    """
    if "in movement(" not in position.rpartition("begin at ")[2]:
        return True
    armies = _armies(position)
    waiting = set(_value(position, "reserve", "{}").strip("{}").split(", "))
    for side, foe in (("England", "Scotland"), ("Scotland", "England")):
        for area in _listed(position, rf"^{side}:.* attacked {{([^}}]*)}}"):
            borders = _listed(position, rf"^{side}, {area}: used {{([^}}]*)}}")
            army = armies[side, area]
            if len(army) < len(borders) or not army - waiting or not armies[foe, area]:
                return False
    return True


def _armies(position: str) -> dict[tuple[str, str], set[str]]:
    """The blocks of each side in each area."""
    armies = defaultdict[tuple[str, str], set[str]](set)
    for block, area, rest in re.findall(r"^(\w+): place (\w+)(.*)$", position, re.MULTILINE):
        armies["Scotland" if "side Scotland" in rest else "England", area].add(block)
    return armies


def _listed(position: str, pattern: str) -> list[str]:
    """The members of the set that a pattern finds; none where there is no such line."""
    found = re.search(pattern, position, re.MULTILINE)
    return found[1].split(", ") if found else []


def fits_its_years(position: str) -> bool:
    """Whether the loop over the years has begun as often as the year tells."""
    times = re.search(r" in years(?:\(times ([0-9]+)\))?$", position.rstrip())
    if times is None:
        return True
    first = 1297 if _value(position, "last_year", "1305") == "1305" else 1306
    return int(_value(position, "year", "1297")) - first + 1 == int(times[1] or 1)


def _value(position: str, name: str, initial: str) -> str:
    """The value of a variable without keys; positions leave out initial values."""
    found = re.search(rf"^{name} (.*)$", position, re.MULTILINE)
    return found[1] if found else initial
