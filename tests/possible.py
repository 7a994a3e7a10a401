"""Which positions a game may reach, so that no witness of a difference stands in another one.

The invariants of a rulebook tell most. More of them are in `possible.rules`; they are no part of the rulesets, since
play and the worlds of a player would pay for them. What the procedures under way say of a battle is checked here.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import hots_rules as hr
from hots_rules.compare.witnesses import choices_of

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


def is_possible(witness: hr.compare.Witness) -> bool:
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
    """Whether the side that started a battle stands in the area; while blocks move no attacker can have left."""
    if "in movement(" not in position.rpartition("begin at ")[2]:
        return True
    places = re.findall(r"^\w+: place (\w+)(.*)$", position, re.MULTILINE)
    armies = {(area, "Scotland" if "side Scotland" in rest else "England") for area, rest in places}
    attacks = re.findall(r"^(\w+):.* attacked {([^}]*)}", position, re.MULTILINE)
    return all((area, side) in armies for side, text in attacks for area in text.split(", "))


def _value(position: str, name: str, initial: str) -> str:
    """The value of a variable without keys; positions leave out initial values."""
    found = re.search(rf"^{name} (.*)$", position, re.MULTILINE)
    return found[1] if found else initial
