"""Battles that are made up in one line."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

import hots_rules as hr


@cache
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


def test_a_battle_of_one_against_one_has_the_odds_that_can_be_counted_by_hand() -> None:
    """Wallace (A3, one step) attacks a Hobelar (A2, one step) that fires first, three rounds long."""
    battle = hr.talk.battle(rules(), "Fife: Wallace 1 against Hobelars 1")
    defender_hits, attacker_hits = Fraction(2, 6), Fraction(3, 6)
    goes_on = (1 - defender_hits) * (1 - attacker_hits)
    rounds = 1 + goes_on + goes_on**2
    takes, holds = (share for _, share in battle.outcomes)

    assert ("Scotland", "England") == (battle.attacker, battle.defender)
    assert takes == rounds * (1 - defender_hits) * attacker_hits
    assert holds == 1 - takes
    assert battle.steps_lost == (rounds * defender_hits, takes)
    assert {piece: share for piece, _, share in battle.fates} == {
        "Wallace": rounds * defender_hits,
        "Hobelars": takes,
    }


def test_it_is_the_battle_of_a_game_at_the_same_position() -> None:
    game = rules().start("braveheart", seed=1297)
    for text in (
        "England: play Move 3",
        "Scotland: play Move 2",
        "England: end moves",
        "Scotland: move Wallace Fife-Mentieth",
        "Scotland: move Douglas Fife-Mentieth",
        "Scotland: end moves",
    ):
        game = game.play(text)
    armies = (("Wallace", "Douglas"), ("Block.Mentieth", "Northumber Infantry"))
    attackers, defenders = (
        ", ".join(f"{name.partition('.')[2] or name} {strength_of(game, name)}" for name in army)
        for army in armies
    )
    line = f"Mentieth: {attackers} against {defenders}"
    odds = game.odds(until="battle", policy="fight-on")

    battle = hr.talk.battle(rules(), line)
    for name in ("Wallace", "Douglas"):
        question = f"strength[{name}] > 0 and place[{name}] is Area"
        assert battle.odds.chance(question) == odds.chance(question)


def strength_of(game: hr.Game, block: str) -> int:
    value = game.ask(f"how strong is {block}").value
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize(
    "line",
    [
        "fife: edward 4, hobelars 2 vs WALLACE 3",
        "Fife:Edward and Hobelars 2 versus Wallace 3",
        "Fife: Edward 4 et Hobelars 2 contre Wallace 3",
        "Fife: Edward 4; Hobelars 2 contra Wallace 3",
    ],
)
def test_a_line_is_read_as_people_write_it(line: str) -> None:
    battle = hr.talk.battle(rules(), line)

    assert [("Edward", 4), ("Hobelars", 2)] == [(f.piece, f.number) for f in battle.fighters[0]]
    assert [("Wallace", 3)] == [(f.piece, f.number) for f in battle.fighters[1]]


def test_reserves_come_in_the_second_round() -> None:
    line = "Fife: Wallace 3 against Edward 2"
    alone, helped = (hr.talk.battle(rules(), text) for text in (line, f"{line}, later Hobelars 2"))

    assert {"Hobelars"} == {*helped.game.ask("who is in reserve").value}
    assert alone.outcomes[0][1] > helped.outcomes[0][1]


def test_what_is_assumed_is_told() -> None:
    battle = hr.talk.battle(rules().in_language("fr"), "Fife: Wallace contre Edward 2")

    assert any("Angus" in text for text in battle.assumptions)
    assert any("fight-on" in text for text in battle.assumptions)
    assert "à pleine force : Wallace" in battle.assumptions


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("Wallace 3 attacks Edward 2, my odds?", "Fife: Wallace 3 against Edward 2"),
        ("Edward 2 defends against Wallace 3 in Lanark", "Lanark: Wallace 3 against Edward 2"),
        ("keith 2 vs york knights 2, the knights attack", "Fife: York Knights 2 against Keith 2"),
        (
            "chances: Édouard 3 contre Wallace 2 et Fraser 2 qui attaquent",
            "Fife: Wallace 2, Fraser 2 against Edward 3",
        ),
        (
            "quién ganaría si Bruce 2 ataca a Hobelars 1 en Moray",
            "Moray: Bruce 2 against Hobelars 1",
        ),
    ],
)
def test_a_sentence_makes_up_the_same_battle_as_a_line(sentence: str, line: str) -> None:
    assert hr.talk.is_battle(rules(), sentence)
    assert hr.talk.battle(rules(), sentence).odds == hr.talk.battle(rules(), line).odds


def test_a_strength_belongs_to_the_piece_that_was_named_last() -> None:
    """Wallace is named again, behind Douglas, who has no strength of his own."""
    sentence = "Wallace and Douglas attack Edward 3 in Fife, Wallace 2"
    battle = hr.talk.battle(rules(), sentence)

    assert ("Wallace", 2) in {(fighter.piece, fighter.number) for fighter in battle.fighters[0]}


def test_what_a_sentence_leaves_open_is_told() -> None:
    battle = hr.talk.battle(rules(), "knights 2 attack Wallace 3")

    assert "in Fife, since no area was named" in battle.assumptions
    assert "Lancaster Knights, of several blocks with this name" in battle.assumptions


@pytest.mark.parametrize(
    "line", ["can Wallace 3 attack Edward 2", "Wallace attacks Edward", "move 3"]
)
def test_other_sentences_make_up_no_battle(line: str) -> None:
    assert not hr.talk.is_battle(rules(), line)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("Fife: Walace 3 against Edward", "did you mean `Wallace`"),
        ("Fief: Wallace 3 against Edward", "did you mean `Fife`"),
        ("Fife: Wallace 3, Wallace 2 against Edward", "named twice"),
        ("Fife: Wallace 3 against Wallace 2", "named twice"),
        ("Fife: Wallace 9 against Edward", "cannot have strength 9; give it 1 to 4"),
        ("Fife: Wallace 0 against Edward", "cannot have strength 0"),
        ("Fife: York 3 against Wallace", "`York Infantry`, `York Knights`"),
        ("Fife: Wallace against Douglas", "cannot fight each other"),
        ("Fife: Norse against Edward against Hobelars", "`battle` cannot be"),
        ("Wallace against Edward", "`battle` cannot be"),
        ("Wallace 9 attacks Edward 2", "cannot have strength 9"),
        ("Lanark: Norse 1 against Edward", "norse-keep-to-the-coast"),
        ("Fife: " + "Wallace, " * 1000 + "Edward", "`battle` cannot be"),
        ("", "`battle` cannot be"),
    ],
)
def test_a_wrong_line_is_a_fault(line: str, error: str) -> None:
    with pytest.raises(hr.HotsError, match=error):
        hr.talk.battle(rules(), line)


def test_a_game_without_such_battles_says_so() -> None:
    with pytest.raises(hr.BadArgument):
        hr.talk.battle(hr.load("goofspiel-1.0"), "1: 2 against 3")
    assert hr.talk.battle_line(hr.load("goofspiel-1.0"), "battle 1: 2 against 3") == ""


def test_the_policy_of_both_can_be_named() -> None:
    line = "Fife: Wallace 3 against Edward 3"
    brave, careful = (
        hr.talk.battle(rules(), line, policy=policy) for policy in ("fight-on", "retreat-at-two")
    )

    assert brave.steps_lost != careful.steps_lost
    with pytest.raises(hr.HotsError):
        hr.talk.battle(rules(), line, policy="no such policy")
