"""What a preview says of an action whose effects depend on hidden information."""

from __future__ import annotations

import pytest

import hots_rules as hr
from hots_rules.observe.preview import is_action_of
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


@pytest.mark.parametrize("ask", ["play", "why_not", "preview"])
def test_a_text_that_is_no_action_is_refused_to_a_player_in_the_language_of_the_game(
    ask: str,
) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297).in_language("fr")

    with pytest.raises(hr.UnreadableAction, match="n’est pas une action") as refused:
        getattr(game, ask)("xyz", player=game.to_move[0])
    assert refused.value.language == "fr"


def test_an_action_of_a_player_is_read_as_any_other() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    action, player = game.actions[0], game.actions[0].player
    marked = f"\ufeff{action.text}\r\n"

    assert game.play(marked, player=player) == game.play(marked) == game.play(action)
    assert game.why_not(marked, player=player).is_legal
    assert is_action_of(game, marked, player)
