"""Yes and no come from legality: questions from legal and illegal actions, held against the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from attrs import frozen

import hots_rules as hr
from hots_rules.talk.reading.acts import Act
from tests.listing import assert_none
from tests.sizes import sample_size

LANGUAGES = ("en", "fr", "es")
EDITIONS = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")
OTHERS = tuple(name for name in hr.rulesets() if name not in EDITIONS)
YES_NO = ("Yes", "No", "Oui", "Non", "Sí")
MOVES = frozenset({"move", "sail", "sea_move"})
ANY_WAY = MOVES | {"retreat", "regroup", "winter_at", "go_home"}

# Verbs with the actions that they mean; those of the second table are in no file.
KNOWN = {
    "en": {
        "can {b} retreat to {a}": {"retreat"},
        "is {b} allowed to retreat to {a} now?": {"retreat"},
        "could {b} move to {a}": MOVES,
        "is it legal for {b} to move to {a}?": MOVES,
        "may {b} go to {a}?": ANY_WAY,
        "why can't {b} reach {a}": ANY_WAY,
    },
    "fr": {
        "{b} peut-il battre en retraite vers {a} ?": {"retreat"},
        "est-ce que {b} peut se replier vers {a}": {"retreat"},
        "{b} peut-il se déplacer vers {a} ?": MOVES,
        "est-ce que {b} a le droit d'aller à {a} ?": ANY_WAY,
    },
    "es": {
        "¿puede {b} retirarse a {a}?": {"retreat"},
        "se puede retirar {b} hasta {a}": {"retreat"},
        "¿puede {b} moverse a {a}?": MOVES,
        "¿{b} puede llegar a {a}?": ANY_WAY,
    },
}
UNSEEN = {
    "en": (
        *("can {b} gallop to {a}", "could {b} be shipped to {a}?", "may {b} sneak off to {a}"),
        *("can {b} move to {a} twice?", "may {b} go to {a} after the battle"),
        *("can {b} retreat to {a} if Wallace is dead?", "must {b} shelter in {a}?"),
    ),
    "fr": (
        *("{b} peut-il galoper vers {a} ?", "{b} peut-il se glisser en {a} sans combat ?"),
        "{b} peut-il aller à {a} après la bataille ?",
    ),
    "es": (
        *("¿puede {b} galopar a {a}?", "¿puede {b} colarse en {a}?"),
        "¿puede {b} moverse a {a} después de la batalla?",
    ),
}
ASKED_OF_ACTIONS = {
    "en": ("can I {act}", "may I {act} now?", "am I allowed to {act}?", "is it legal to {act}"),
    "fr": ("est-ce que je peux {act} ?", "puis-je {act}", "est-il permis de {act} ?"),
    "es": ("¿puedo {act}?", "¿se puede {act} ahora?", "¿es legal {act}?"),
}


def positions(name: str, chance: Random, number: int) -> Iterator[hr.Game]:
    """Moments at which a player chooses, reached by chance."""
    ruleset = hr.load(name)
    while number:
        game = ruleset.start(chance.choice(ruleset.scenarios), seed=chance.randrange(10**6))
        for _ in range(chance.randrange(4, 150)):
            if game.is_over:
                break
            game = game.play(chance.choice(game.actions))
        if not game.is_over:
            number -= 1
            yield game.in_language(chance.choice(LANGUAGES))


@frozen
class Asked:
    """A question: what it may mean, the words of the block and the area, and their names."""

    line: str
    names: frozenset[str]
    words: tuple[str, ...]
    block: str
    area: str


def legal_ones(game: hr.Game, asked: Asked) -> list[str]:
    """The texts of the legal actions that are asked about."""
    return [
        each.text
        for each in game.actions
        if each.name in asked.names
        if each.args.get("block", "Norse") == asked.block
        if (each.args.get("to") or each.args.get("area")) == asked.area
    ]


def sides(game: hr.Game, answer: hr.talk.Answer, block: str) -> str:
    """What is wrong with whose action an answer is about; empty if nothing is."""
    owner = game.state["side"][block]
    act = answer.detail
    if owner not in game.ruleset.players or not isinstance(act, Act):
        return ""
    [name] = game.ruleset.labels.players_named((owner,))
    told = act.ruling.action if act.ruling else act.legal[0]
    return "" if told.startswith(f"{name}: ") else f"{told}, but {block} is of {name}"


def fault_of(game: hr.Game, answer: hr.talk.Answer, asked: Asked) -> str:
    """What is wrong with an answer to whether an action of some names about some things is legal.

    A yes tells actions that can be played one after the other, of which the last is about these things. A no is told
    where none of these names is legal, with a section, about the same things. Anything else has neither yes nor no.
    """
    if not isinstance(answer.detail, Act):
        says = str(answer).startswith(YES_NO) or answer.is_yes is not None
        return "a yes or no that follows from no action" if says else ""
    act, words = answer.detail, asked.words
    if answer.is_yes:
        after = game
        for text in act.legal[:1] if words[-1] in act.legal[0] else act.legal:
            after = after.play(text)
        missing = [word for word in words if not any(word in text for text in act.legal)]
        return f"nothing is said of {missing}" if missing else ""
    if found := legal_ones(game, asked):
        return f"legal: {found}"
    assert act.ruling is not None
    missing = [word for word in words if word not in act.ruling.action]
    cited = "" if any(each.sections for each in act.ruling.against) else "no section"
    return f"nothing is said of {missing}" if missing else cited


def questions(game: hr.Game, chance: Random) -> Iterator[Asked]:
    """Questions about a block and an area: half of them from a legal action, where there is one."""
    words, language = game.ruleset.words, game.language
    legal = [each for each in game.actions if each.name in ANY_WAY and "block" in each.args]
    block, area = chance.choice([*words["Block"]]), chance.choice([*words["Area"]])
    if legal and chance.random() < 0.5:
        action = chance.choice(legal)
        block = action.args["block"]
        area = action.args.get("to") or action.args["area"]
    said = {"b": words["Block"][block], "a": words["Area"][area]}
    for form, names in KNOWN[language].items():
        yield Asked(form.format_map(said), frozenset(names), (said["b"], said["a"]), block, area)
    for form in UNSEEN[language]:
        yield Asked(form.format_map(said), frozenset(), (), block, area)


@pytest.mark.parametrize("name", EDITIONS)
def test_a_block_may_do_what_the_engine_lets_it_do(name: str) -> None:
    chance, kinds, faults = Random(name), Counter[str](), []
    for game in positions(name, chance, sample_size(2, 40)):
        for asked in questions(game, chance):
            try:
                answer = game.ask(asked.line)
            except hr.UnreadableQuestion:
                kinds["none"] += 1
                continue
            if asked.names:
                kinds[answer.kind] += 1
                fault = fault_of(game, answer, asked)
                fault = fault or sides(game, answer, asked.block)
            else:
                fault = "a yes or no" if answer.is_yes is not None else ""
            if fault:
                faults.append(f"{asked.line} -> {str(answer)[:120]} -> {fault}")

    assert_none(faults)
    assert kinds["computed"] > 0.9 * (kinds["computed"] + kinds["quoted"] + kinds["closest"])


@pytest.mark.parametrize("name", OTHERS)
def test_an_action_in_the_words_of_its_label_is_legal_as_the_engine_says(name: str) -> None:
    chance, faults = Random(name), []
    for game in positions(name, chance, sample_size(2, 30)):
        forms = [form for form in game.notation.forms if form.size]
        codes = [form.base + chance.randrange(form.size) for form in chance.sample(forms, 1)]
        codes += [chance.choice(game.actions).code] if not game.is_chance else []
        for code in filter(lambda code: code >= 0, codes):
            action = game.notation.action(code)
            form = chance.choice(ASKED_OF_ACTIONS[game.language])
            line = form.format(act=action.text.partition(": ")[2])
            try:
                answer = game.ask(line)
            except hr.UnreadableQuestion:
                continue
            own = {each.text.partition(": ")[2] for each in game.actions}
            is_legal = action.text.partition(": ")[2] in own
            if answer.is_yes is not None and answer.is_yes != is_legal:
                faults.append(f"{line} -> {str(answer)[:160]}")

    assert_none(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_a_seat_yes_and_no_are_those_of_the_player(language: str) -> None:
    chance, faults = Random(language), []
    for game in positions("hots-4.0", chance, sample_size(2, 20)):
        player = chance.choice(game.ruleset.players)
        game = game.in_language(language)
        for asked in questions(game, chance):
            try:
                answer = game.ask(asked.line, player=player)
            except hr.UnreadableQuestion:
                continue
            legal = {each.text for each in game.actions}
            own = {each.text for each in game.actions if each.player == player}
            is_right = (
                answer.is_yes is None
                or (
                    isinstance(answer.detail, Act)
                    and answer.is_yes
                    and {*answer.detail.legal} <= legal
                )
                or (not answer.is_yes and not {*legal_ones(game, asked)} & own)
            )
            if not is_right:
                faults.append(f"{asked.line} as {player} -> {str(answer)[:120]}")

    assert_none(faults)
