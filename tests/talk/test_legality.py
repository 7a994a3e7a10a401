"""Yes and no come from legality: questions from random positions of all rulesets, held against the engine."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import hots_rules as hr
from tests.listing import assert_none
from tests.sizes import IS_NIGHTLY, sample_size
from tests.talk.legal_questions import BLOCK_GAMES, Poser, fault_of, legal_ones, positions
from tests.talk.sentences import FOLDER, LANGUAGES

UNSEEN = {
    "en": (
        *("can {b} move to {a} twice?", "may {b} go to {a} after the battle"),
        *("can {b} retreat to {a} if Wallace is dead?", "must {b} shelter in {a}?"),
    ),
    "fr": (
        "{b} peut-il se glisser en {a} sans combat ?",
        "{b} peut-il aller à {a} après la bataille ?",
    ),
    "es": ("¿puede {b} moverse a {a} después de la batalla?", "¿puede {b} festejar en {a}?"),
}
"""Questions that ask for more than whether an action is legal."""


@pytest.mark.parametrize("name", [*hr.rulesets()])
def test_what_may_be_done_is_what_the_engine_lets_be_done(name: str) -> None:
    chance, kinds, faults = Random(name), Counter[str](), []
    poser = Poser.of(FOLDER / "legal_questions.toml", chance)
    for game in positions(name, chance, sample_size(2, 80 if name in BLOCK_GAMES else 40)):
        for question in poser.posed(game, sample_size(8, 20)):
            try:
                answer = game.ask(question.line, player=question.player)
            except hr.UnreadableQuestion:
                kinds["none"] += 1
                continue
            kinds[answer.kind] += 1
            kinds["yes" if legal_ones(game, question) else "no"] += 1
            if fault := fault_of(game, question, answer):
                faults.append(f"{question.line} -> {str(answer)[:160]} -> {fault}")

    assert_none(faults)
    computed, asked = kinds["computed"], kinds["yes"] + kinds["no"] + kinds["none"]
    assert computed >= 0.9 * asked
    if IS_NIGHTLY:
        assert min(kinds["yes"], kinds["no"]) > 0.15 * asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_asks_for_more_gets_no_yes_and_no_no(language: str) -> None:
    chance, faults = Random(language), []
    for game in positions("hots-4.0", chance, sample_size(2, 20)):
        words = game.ruleset.in_language(language).words
        block = words["Block"][chance.choice([*words["Block"]])]
        area = words["Area"][chance.choice([*words["Area"]])]
        for form in UNSEEN[language]:
            line = form.format(b=block, a=area)
            try:
                answer = game.in_language(language).ask(line)
            except hr.UnreadableQuestion:
                continue
            if answer.is_yes is not None:
                faults.append(f"{line} -> {str(answer)[:120]}")

    assert_none(faults)


VERBS_LIKE_NAMES = {
    "en": (
        "can the Wales Archers {verb} to {area}?",
        ("scoot", "scott", "rosser", "buckan", "dart", "mosey", "roam", "skoot", "edwards"),
    ),
    "fr": (
        "les Archers de Galles peuvent-ils {verb} vers {area} ?",
        ("rosser", "bruser", "comyner"),
    ),
    "es": ("¿pueden los Arqueros de Wales {verb} hasta {area}?", ("escocer", "rosar", "trotar")),
}
"""Verbs that no ruleset has, and that are spelled nearly as the names of players, blocks and other things."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unseen_verb_is_no_slip_in_a_name(language: str) -> None:
    game = hr.load("hots-4.0").in_language(language).start("braveheart", seed=1297)
    game = game.play("England: play Move 2").play("Scotland: play Move 1")
    form, verbs = VERBS_LIKE_NAMES[language]

    answers = {
        (verb, area): game.ask(form.format(verb=verb, area=area))
        for verb in verbs
        for area in ("Annan", "Ross")
    }

    assert_none(
        f"{verb} to {area} -> {answer}"
        for (verb, area), answer in answers.items()
        if answer.kind != "computed" or answer.is_yes is not (area == "Annan")
    )


def test_a_slip_in_a_name_is_read_where_a_name_stands() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    game = game.play("England: play Move 2").play("Scotland: play Move 1")

    assert game.ask("can the Walse Archers go to Annan?").is_yes
    assert game.ask("may the English scoot the Wales Archers to Anan?").is_yes


def test_a_refusal_has_no_rule_beside_the_point() -> None:
    game = hr.load("hots-4.0").in_language("fr").start("braveheart", seed=1297)

    answer = str(game.ask("pourquoi mes chevaliers anglais peuvent pas hiverner à Lothian ??"))

    assert answer.startswith("Non")
    assert "§5.9" not in answer  # raids are another matter


def test_the_number_of_enemy_nobles_follows_from_those_that_a_player_has() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=8)

    nobles = str(game.ask("how many nobles do the english have", player="Scotland"))

    assert nobles.startswith("England has 11: Comyn, Angus")
    assert "England (nobles: England 11, Scotland 3)" in str(
        game.ask("who is winning", player="Scotland")
    )
    assert "unknown" in str(game.ask("where is Comyn", player="Scotland"))
