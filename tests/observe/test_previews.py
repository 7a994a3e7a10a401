"""What a preview says of an action whose effects depend on hidden information."""

from __future__ import annotations

import pytest

from tests.observe.test_views import after, tiny

TIRES = """rule tiring §9 "Whom the other's gem tires."
  after turned_up(p) when {condition}
    {effect}
"""
CONDITIONS = [f"found[Blue] {op} {gem}" for op in ("=", "!=") for gem in ("Ruby", "Opal", "none")]
"""Each holds in some of the worlds of Red, whatever Blue has found."""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_an_effect_of_some_worlds_alone_is_not_previewed(condition: str) -> None:
    ruleset = tiny(TIRES.format(condition=condition, effect="tired[p] := 3"))
    game = after("Red: rest", "Blue: dig", ruleset=ruleset)

    assert [("shown",)] == [effect.path for effect in game.preview("show Fox", "Red").effects]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_follows_in_some_worlds_alone_is_not_previewed(condition: str) -> None:
    ruleset = tiny(TIRES.format(condition=condition, effect="roll d6 as die"))
    preview = after("Red: rest", "Blue: dig", ruleset=ruleset).preview("show Fox", "Red")

    assert ("", ()) == (preview.phase, preview.to_move)


def test_an_effect_of_all_worlds_is_previewed() -> None:
    ruleset = tiny(TIRES.format(condition=" or ".join(CONDITIONS[:3]), effect="tired[p] := 3"))
    preview = after("Red: rest", "Blue: dig", ruleset=ruleset).preview("show Fox", "Red")

    assert {("shown",), ("tired", "Fox")} == {effect.path for effect in preview.effects}
    assert ("game", ("Blue",)) == (preview.phase, preview.to_move)
