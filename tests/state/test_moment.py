"""The moment of play as a line of a position: written and read at any moment, and by hand for a battle."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest

import hots_rules as hr
from tests.playing import TINY, played_out, ruleset_of


@cache
def shared_rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def lords() -> hr.Ruleset:
    return hr.load("lords-of-scotland")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


BATTLE = "like braveheart; place Wallace 2 Mentieth Douglas 3 Mentieth; Scotland: attacked {Mentieth}; field Mentieth; "
ROUND_2 = (
    "attacking Scotland; combat_round 2; fighting {Wallace, Douglas, Mentieth, Northumber Infantry}\n"
    "begin at combat_turns in battle(Mentieth, Scotland, 2)"
)


def position(text: str) -> hr.Game:
    return shared_rules().position(text, seed=1)


# ------------------------------------------------------------------ any moment
@pytest.mark.parametrize(
    ("name", "scenario", "chance", "moments"),
    [
        ("hots-4.0", "braveheart", "ask", 700),
        ("hots-4.0", "the-bruce", "auto", 300),
        ("lords-of-scotland", "4-players", "ask", 100),
        ("tiny", "short", "ask", 40),
    ],
    ids=["braveheart", "the-bruce", "lords", "tiny"],
)
def test_a_position_with_its_moment_is_the_same_state(
    name: str, scenario: str, chance: str, moments: int
) -> None:
    rules = small() if name == "tiny" else hr.load(name)
    start = rules.start(scenario, seed=3, chance="ask" if chance == "ask" else "auto")
    chosen = Random(3).sample(range(moments), 25)
    kinds = set()
    for number, game in enumerate(islice(played_out(start, Random(3)), moments)):
        if number in chosen and not game.is_over:
            again = rules.position(game.position + game.moment, seed=3, chance=start.chance)
            kinds.add(game.moment.split()[2])

            assert game.state == again.state, game.moment
            assert game.legal_codes == again.legal_codes
    assert kinds == ({"choose"} if chance == "auto" else {"choose", "draw", "roll"} & kinds)


def test_a_finished_game_has_no_moment() -> None:
    *_, end = played_out(small().start("short", seed=1), Random(1))

    assert end.is_over
    assert end.moment == ""


# ------------------------------------------------------------------ battles
def test_a_battle_begins_in_a_line() -> None:
    game = position(f"{BATTLE} begin at battle(Mentieth, Scotland)")

    assert (1, "combat_turns") == (game.state["combat_round"], game.phase)
    assert "Scotland: fire Wallace" in {action.text for action in game.actions}
    assert hr.replay(str(game.play("Scotland: fire Wallace").record)) == game.play(
        "Scotland: fire Wallace"
    )


def test_a_battle_begins_in_its_second_round_in_two_lines() -> None:
    game = position(BATTLE + ROUND_2)

    assert (2, ("Scotland",)) == (game.state["combat_round"], game.to_move)
    for action in ("Scotland: pass Wallace", "England: pass Mentieth", "England: pass Northumber Infantry",
                   "Scotland: pass Douglas"):  # fmt: skip
        game = game.play(action)
    assert 3 == game.state["combat_round"]
    assert "Douglas" in str(game.ask("who stands in Mentieth?"))


def test_a_battle_begins_in_the_middle_of_a_round() -> None:
    game = position(BATTLE + ROUND_2.replace(
        "combat_turns", "choose in combat_turns(B, rest {C}, s England)") + "; ready {Mentieth}")  # fmt: skip

    assert ("England",) == game.to_move
    assert {"England: fire Mentieth", "England: pass Mentieth"} <= {a.text for a in game.actions}
    after = game.play("England: pass Mentieth")
    assert "England: fire Northumber Infantry" in {a.text for a in after.actions}


def test_play_ends_with_the_outermost_phase_that_is_named() -> None:
    game = position(BATTLE + ROUND_2.replace(" in battle(Mentieth, Scotland, 2)", ""))
    while not game.is_over:
        game = game.play(next(action for action in game.actions if "pass" in action.text))

    assert 2 == game.state["combat_round"]
    assert game.outcome is None


def test_changes_in_a_battle_keep_its_moment() -> None:
    game = position(f"{BATTLE} begin at battle(Mentieth, Scotland)").play("Scotland: pass Wallace")
    changed = game.with_position_changes("strength Douglas 1; strength Mentieth 2")

    assert changed.moment == game.moment
    assert (1, 2) == (changed.state["strength", "Douglas"], changed.state["strength", "Mentieth"])
    assert {action.text for action in changed.actions} == {action.text for action in game.actions}


def test_a_change_may_begin_elsewhere() -> None:
    game = position(f"{BATTLE} begin at battle(Mentieth, Scotland)")

    assert "battle" not in game.with_position_changes("like braveheart; year 1299").moment
    assert game.with_position_changes("begin at battle(Mentieth, Scotland)").state == game.state


# ------------------------------------------------------------------ faults
@pytest.mark.parametrize(
    ("moment", "fault"),
    [
        ("batle(Mentieth)", "expected a phase with choices or chance, got `batle`; did you mean `battle`?"),
        ("battle(Mentieth)", "expected a value for `s` of `battle`, got none"),
        ("battle(Fief, England)", "a of battle: expected a value of Area, got `Fief`; did you mean `Fife`?"),
        ("battle(Fife, England, 1, 3, 0, 0)", "expected at most"),
        ("battle(Fife, s England, s Scotland)", "expected one value for `s` of `battle`, got two"),
        ("battle(Fife, England) in years", "expected a caller of `battle`, that is `battles`, got `years`"),
        ("battle.2(Fife, England)", "expected `battle` without a number, got 2"),
        ("combat_turns in battle.2(Fife, England)", "expected a number of 1..1 after `battle.`, got 2"),
        ("choose", "expected `choose in PHASE`, got `choose`"),
        ("choose in battle(Fife, England)", "expected a phase that waits for a `choose`, got `battle`"),
        ("battle(((", "expected a phase with values, got `battle(((`"),
        ("choose in combat_turns", "play cannot go on from this position: nobody has a legal action"),
    ],
)  # fmt: skip
def test_a_moment_that_does_not_exist_is_refused(moment: str, fault: str) -> None:
    with pytest.raises(hr.BadPosition) as error:
        position(f"like braveheart\nbegin at {moment}")

    [found] = error.value.faults
    assert fault in found
    assert found.startswith(("line 2, begin at: ", "play cannot go on"))


def test_a_draw_from_nothing_is_refused() -> None:
    for chance in ("ask", "auto"):
        with pytest.raises(hr.BadPosition, match="play cannot go on from this position"):
            shared_rules().position(
                "like braveheart\nbegin at draw in levy(4, 1297, 1)", seed=1, chance=chance
            )  # type: ignore[arg-type]
