"""Questions that are near to one with an answer, but ask for another moment, case, edition or number."""

from __future__ import annotations

from functools import cache

import pytest

import hots_rules as hr
from tests.talk.sentences import openings


@cache
def position(opening: str, edition: str = "4.0") -> hr.Game:
    """The game of an opening."""
    text, _, played = openings()[opening].text.partition("---\n")
    game = hr.load(f"hots-{edition}").position(text, seed=1)
    for action in played.splitlines():
        game = game.play(action)
    return game


@cache
def start(ruleset: str = "hots-4.0") -> hr.Game:
    loaded = hr.load(ruleset)
    return loaded.start(loaded.scenarios[0], seed=1297)


# ------------------------------------------------------------------ another moment
@pytest.mark.parametrize(
    ("scenario", "line", "way"),
    [
        ("the-bruce", "can the Dunbar noble make it to annan", "Dunbar-Teviot; Teviot-Annan"),
        ("the-bruce", "can the Dunbar noble move to Lennox", ""),
        ("braveheart", "can Galloway reach Lanark this turn?", ""),
    ],
)
def test_a_move_that_cannot_be_chosen_yet_is_looked_for_at_the_next_moment_for_it(
    scenario: str, line: str, way: str
) -> None:
    """Cards are played now; then a block may move as far as the pieces stand now."""
    answer = hr.load("hots-4.0").start(scenario, seed=1).ask(line, player="Scotland")

    assert answer.is_yes is not True
    assert str(answer).startswith("Yes, when that can be chosen next, ") == bool(way)
    assert all(f"Dunbar {step}" in str(answer) for step in way.split("; ") if step)


@pytest.mark.parametrize(
    ("opening", "language", "player", "line", "places"),
    [
        ("buchan_battle", "fr", "Scotland", "ou peut se replier Fraser ?", "Strathspey; Badenoch"),
        (
            "buchan_battle",
            "es",
            "England",
            "adonde puede retirarse edward?",
            "Badenoch; Mar; Angus",
        ),
        (
            "mentieth_battle",
            "en",
            "England",
            "where could northumber retreat if it is his turn",
            "Atholl; Lennox; Lanark; Lothian",
        ),
        (
            "mentieth_battle",
            "en",
            "England",
            "where can the noble Mentieth run to when it's his go?",
            "Atholl; Lennox; Lanark; Lothian",
        ),
    ],
)
def test_who_waits_for_his_turn_is_told_the_places_against_which_nothing_else_is(
    opening: str, language: str, player: str, line: str, places: str
) -> None:
    answer = position(opening).in_language(language).ask(line, player=player)

    assert "computed" == answer.kind
    assert f": {places}." in str(answer)


def test_who_is_not_where_somebody_acts_is_told_no_place() -> None:
    answer = str(position("mentieth_battle").ask("where can Grant retreat?"))

    assert answer.startswith("Nothing now: ")
    assert "nothing else is against" not in answer


# ------------------------------------------------------------------ another case than the rule tells
@pytest.mark.parametrize(
    "line",
    [
        "which 4 blocks did he draw into england??",
        "which two blocks did the English draw?",
        "he bid E2 i bid S1, what do we play with?",
        "E3 bid against an S2 bid, what happens",
        "enemy used that border to get in a DIFFERENT battle. can i still retreat over it",
        "can I retreat by a border that the enemy used for another battle?",
        "do english archers go home in winter",
        "que devient un bloc éliminé ?",
    ],
)
def test_a_rule_of_another_case_is_offered_and_not_quoted(line: str) -> None:
    assert "closest" == start().ask(line).kind


@pytest.mark.parametrize(
    ("language", "line", "quoted"),
    [
        ("fr", "je pose face cachée, le pouvoir se declenche quand meme ?", "engage_face_down"),
        ("en", "i put Bruce face down, does he count as any clan at the end??", ""),
    ],
)
def test_a_long_rule_of_another_section_is_not_quoted(
    language: str, line: str, quoted: str
) -> None:
    answer = start("lords-of-scotland").in_language(language).ask(line)

    assert ("quoted" if quoted else "closest") == answer.kind
    assert quoted in str(answer)


# ------------------------------------------------------------------ one question with a clause, one edition
@pytest.mark.parametrize(
    "line",
    [
        "un bloc doit battre en retraite et peut pas, il devient quoi ?",
        "un bloc doit se retirer et ne peut pas, que se passe-t-il ?",
    ],
)
def test_what_somebody_cannot_do_belongs_to_the_question(line: str) -> None:
    answer = start("hots-2.3").in_language("fr").ask(line)

    assert "retourne au dépôt d’unités" in str(answer)
    assert "inverse" not in str(answer) and "échangent" not in str(answer)


@pytest.mark.parametrize(
    "line",
    [
        "edition 2.3: qui tire en 1er dans ce combat, et dans quel ordre ensuite",
        "version 2.3: qui tire en premier ?",
    ],
)
def test_who_names_his_own_edition_asks_for_no_change(line: str) -> None:
    answer = str(position("battle-2.3", "2.3").in_language("fr").ask(line))

    assert "Wallace" in answer
    assert "changé" not in answer


# ------------------------------------------------------------------ whole moves, general questions, secrets
def test_a_move_over_several_areas_is_one_for_its_player_as_well() -> None:
    answer = position("moves").ask("can Fraser reach Buchan?", player="Scotland")

    assert str(answer).startswith("Yes: Scotland: move Fraser Moray-Strathspey; ")


def test_a_general_question_gets_a_rule_before_anything_was_played() -> None:
    answer = start().ask("can the Norse retreat by sea?")

    assert answer.kind == "quoted"
    assert "the Norse go by sea" in str(answer)


def test_whether_an_enemy_holds_a_card_is_hidden() -> None:
    answer = position("coronation").ask("does Scotland have the Herald?", player="England")

    assert str(answer).startswith("unknown: depends on hidden information")


def test_what_is_said_twice_tells_no_more() -> None:
    game = hr.load("lords-of-scotland").start("2-players", seed=1297)

    answer = str(game.ask("does a copied power cancel the power of the copied ally?"))

    assert "that one keeps it. (copy_power" in answer
