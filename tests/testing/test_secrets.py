"""Choices that may tell a secret are found, in every form; what shipped rulesets promise holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.testing.secrets.choices import choosers_of
from tests.listing import assert_none

HAMMER = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")
SHIPPED = (*HAMMER, "lords-of-scotland", "dominoes-1.0", "goofspiel-1.0")
_BLOCKS = {
    "Block": (
        "place[Bruce] = place[Comyn]",
        "count({x in Block where place[x] = place[Bruce]}) > 1",
        "some x in Block: rating[x] > 2 and kind[x] = noble and place[x] = Area.Fife",
    ),
    "strength": (
        "strength[Bruce] = strength[Comyn]",
        "(sum x in Block: strength[x]) > 40",
        "some x in Block: strength[x] = 4 and side[x] != actor",
    ),
    "played": (
        "some s in Side: played[s] = Card.Pillage",
        "count({s in Side where played[s] = Card.Pillage}) > 0",
    ),
}
_OF_QUARTERS = {
    "points_left": ("points_left[At(Fife)] = points_left[At(Ross)]",),
    "coming": ("some coming[At(Fife)]",),
    "drawn_for": ("count(drawn_for[At(Fife)]) > 1",),
}
READS: dict[str, dict[str, tuple[str, ...]]] = {
    "hots-4.0": _BLOCKS,
    "hots-3.x": _BLOCKS,
    "hots-2.3": {**_BLOCKS, **_OF_QUARTERS},
    "hots-player-aid": {**_BLOCKS, **_OF_QUARTERS},
    "lords-of-scotland": {
        "Card": (
            "place[Scott_1] = place[Makgill_1]",
            "count({x in Card where place[x] = Deck and clan[x] = Scott}) > 1",
            "(sum x in deck: strength[x]) > 100",
        )
    },
    "dominoes-1.0": {
        "Tile": (
            "place[Tile(1, 2)] = place[Tile(3, 4)]",
            "count({t in Tile where place[t] = Bag and low[t] = 1}) > 1",
            "(sum t in bag: low[t]) > 3",
        )
    },
    "goofspiel-1.0": {
        "hand": (
            "hand[Ann] = hand[Ben]",
            "count(hand[other(actor)]) > 3",
            "some c in hand[other(actor)]: c > 9",
        )
    },
}
"""What nobody may know, by the ruleset and the secret."""
SCOTTISH = {"coming", "drawn_for"}
"""What the Scots may know."""
FORMS = (
    'rule {name} {cite} "Told."\n  forbid {action} when {read}\n',
    'define {word} = {read}\nrule {name} {cite} "Told."\n  forbid {action} when {word}\n',
    'rule {name} {cite} "Told."\n  permit {action} when {read}\n',
    'rule {name} {cite} "Told."\n  forbid {action} when actor = actor\n'
    '    because "told {{n}}" with n = if {read} then 1 else 0\n',
    'rule base-{name} {cite} "All."\n  forbid {action} when actor = actor\n'
    'rule {name} {cite} "Told."\n  exempt {action} from base-{name} when {read}\n',
)


def mutated(name: str, forms: tuple[str, ...], reads_of_each: int) -> tuple[str, dict[int, str]]:
    """A ruleset with hidden reads in conditions of all actions, and the lines with what each of them reads."""
    ruleset = hr.load(name)
    typed = ruleset.rulebook.typed
    rule = next(entry for entry in ruleset.rulebook.of_kind("rule", "action") if entry.sections)
    cite = f"{name}§{rule.sections[0]}"
    choosers = choosers_of(typed)
    text, lines = f'ruleset told-1.0 "Told"\n  extends {name}\n', dict[int, str]()
    number = 0
    for action in typed.actions:
        for secret, reads in READS[name].items():
            if secret in SCOTTISH and choosers[action] == {typed.players.codes["Side", "Scotland"]}:
                continue
            for read in reads[:reads_of_each]:
                for form in forms:
                    number += 1
                    if "{word}" in form and "actor" in read:
                        continue
                    names = {"name": f"told-{number}", "word": f"told_{number}", "cite": cite}
                    text += form.format(**names, action=action, read=read)
                    for line, written in enumerate(text.splitlines(), 1):
                        if f" told-{number} " in written:
                            lines[line] = f"{action}: {read}: {form.split('{cite}')[-1].strip()}"
    return text, lines


def not_found(name: str, folder: Path, forms: tuple[str, ...], reads_of_each: int) -> list[str]:
    """The hidden reads in a mutated ruleset that are not reported."""
    text, lines = mutated(name, forms, reads_of_each)
    path = folder / "told.rules"
    path.write_text(text, encoding="utf-8")
    faults = hr.testing.unproven_secrets(hr.load(path))
    told = {fault.place.line for fault in faults if fault.place.file == path.name}
    return [what for line, what in lines.items() if told.isdisjoint({line, line + 1})]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rulesets_tell_no_secret(name: str) -> None:
    assert hr.testing.unproven_secrets(hr.load(name)) == ()


@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland", "dominoes-1.0", "goofspiel-1.0"])
def test_a_hidden_read_in_a_forbid_is_found(name: str, tmp_path: Path) -> None:
    assert_none(not_found(name, tmp_path, FORMS[:1], 1))


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED)
def test_every_hidden_read_is_found(name: str, tmp_path: Path) -> None:
    assert_none(not_found(name, tmp_path, FORMS, 3))
