"""The declared questions at many moments, held against what the engine then offers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import hots_rules as hr
from tests.playing import played_out
from tests.sizes import sample_size

HOUSE = """ruleset house-letters-1.0 "House rule: knights act first"
  extends hots-4.0
amend define combat_letter(b: Block): Letter hots-4.0§5.31 =
  if kind[b] = knights then A else letter[b]
"""
MORAY = {"schiltroms": True}


def value(game: hr.Game, question: str) -> Any:
    return game.ask(question).value


def offered(game: hr.Game, *names: str) -> list[hr.Action]:
    return [action for action in game.actions if action.name in names]


@pytest.fixture(scope="module", params=["hots-4.0", "hots-player-aid", "house"])
def ruleset(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> hr.Ruleset:
    if request.param != "house":
        return hr.load(request.param)
    path = tmp_path_factory.mktemp("house") / "house.rules"
    path.write_text(HOUSE, "utf-8")
    return hr.load(path)


def games(ruleset: hr.Ruleset) -> Iterator[hr.Game]:
    """Games by chance, those of the player aid with Moray as A3."""
    options = MORAY if ruleset.name == "hots-player-aid" else {}
    for seed in range(sample_size(1, 20)):
        yield ruleset.start("braveheart", seed=seed, options=options)


# ------------------------------------------------------------------ the block game
@pytest.mark.thorough
def test_who_fires_before_whom_is_the_order_in_which_the_engine_asks(ruleset: hr.Ruleset) -> None:
    told, last = 0, None
    for start in games(ruleset):
        for game in played_out(start, Random(start.seed), 400):
            if offered(game, "hold") and round_of(game) != last:
                said = {b: set(value(game, f"what fires before {b}")) for b in fighters(game)}
                assert said == asked_before(game)
                told += len(said)
            last = round_of(game)
    assert told > 20


def fighters(game: hr.Game) -> list[str]:
    standing = value(game, f"who stands in {game.state['field']}")
    return [block for block in standing if block not in value(game, "who is in reserve")]


def asked_before(game: hr.Game) -> dict[str, set[str]]:
    """By block, those that act before it, found by holding with every block of the round."""
    earlier, done = dict[str, set[str]](), set[str]()
    begun = round_of(game)
    while round_of(game) == begun and offered(game, "hold"):
        ready = set(game.state["ready"])
        earlier |= {block: set(done) for block in ready}
        while round_of(game) == begun and ready & set(game.state["ready"]):
            game = game.play(offered(game, "hold")[0])
        done |= ready
    return earlier


def round_of(game: hr.Game) -> tuple[object, object]:
    return game.state["field"], game.state["combat_round"]


# Who takes hits may still retreat when it is his turn again, so the questions have answers.
AMID_A_TURN = ("take_hits",)


@pytest.mark.thorough
def test_where_a_block_may_retreat_is_where_the_engine_lets_it(ruleset: hr.Ruleset) -> None:
    told = 0
    for start in games(ruleset):
        for number, game in enumerate(played_out(start, Random(start.seed), 400)):
            retreats = offered(game, "retreat")
            if number % 3 and game.phase == "combat_turns":
                continue
            if retreats or offered(game, "fire"):
                field = game.state["field"]
                leaving = value(game, f"which blocks may retreat from {field}")
                for block in game.state["ready"]:
                    to = {each.args["to"] for each in retreats if each.args["block"] == block}
                    assert to == set(value(game, f"where may {block} retreat")), block
                    assert (block in leaving) == bool(to)
                    told += 1
            elif number % 20 == 0 and not game.is_over and game.phase not in AMID_A_TURN:
                assert [] == value(game, f"which blocks may retreat from {game.state['field']}")
                for block in ("Wallace", "Moray", "Hobelars"):
                    assert [] == value(game, f"where may {block} retreat")
                    assert [] == value(game, f"what fires before {block}")
    assert told > 8


@pytest.mark.thorough
def test_what_is_said_of_the_board_is_what_the_actions_show(ruleset: hr.Ruleset) -> None:
    seen = set[str]()
    for start in games(ruleset):
        for game in played_out(start, Random(start.seed), 300):
            for action in game.actions[:2]:
                seen.add(action.name)
                shown(game, action)
            if offered(game, "fight"):
                fights = {action.args["area"] for action in offered(game, "fight")}
                assert fights == set(value(game, "where is a battle"))
    assert {"move", "fire"} <= seen


def shown(game: hr.Game, action: hr.Action) -> None:
    """What an action that is offered shows, as questions say it."""
    match action.name, tuple(action.args.values()):
        case "move", (start, block, to):
            assert start == value(game, f"where is {block}")
            assert block in value(game, f"who stands in {start}")
            assert to in value(game, f"what borders {start}")
            assert value(game, f"what border is between {start} and {to}")
        case (("fire" | "hold" | "take_hit"), (block,)):
            assert block not in value(game, "who is in reserve")
            lost = value(game, f"how many steps has {block} lost")
            assert lost >= 0
            assert value(game, f"how strong is {block}") > 0
        case "go_home", (block, area):
            assert area in value(game, f"what is the home of {block}")
        case "herald", (block,):
            (other,) = set(game.ruleset.players) - {action.player}
            assert block in value(game, f"which nobles are with {other}")
        case _:
            pass


def test_a_hit_is_counted_when_a_block_has_taken_it() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=3)
    for after in played_out(game, Random(3), 600):
        hits = [step.values["b"] for step in after.trace if step.name == "hit"]
        for block in {*hits}:
            place = value(game, f"where is {block}")
            if place == value(after, f"where is {block}") and not any(
                step.name in {"changes_side", "eliminated"} for step in after.trace
            ):
                lost = f"how many steps has {block.replace(' ', '_')} lost"
                assert hits.count(block) == value(after, lost) - value(game, lost)
        game = after


# ------------------------------------------------------------------ the card game
@pytest.mark.parametrize("scenario", ["2-players", "5-players"])
def test_what_is_said_of_the_cards_is_what_the_actions_show(scenario: str) -> None:
    told = 0
    start = hr.load("lords-of-scotland").start(scenario, seed=5)
    for game in played_out(start, Random(5), 300):
        if game.phase != "take_turn" or not offered(game, "engage"):
            continue
        player = game.to_move[0]
        hand = value(game, f"what is in the hand of {player}")
        assert player == value(game, "whose turn is it")
        assert {action.args["card"] for action in offered(game, "engage")} == set(hand)
        for action in offered(game, "engage_with_power"):
            assert [] == value(game, f"who keeps the power of {action.args['card']} idle")
        taken = {action.args["spot"] for action in offered(game, "recruit")}
        assert len(taken) in (0, len(value(game, "what are the recruits")))
        told += 1
    assert told > 20


def test_who_would_win_the_skirmish_is_the_first_to_claim() -> None:
    told, start = 0, hr.load("lords-of-scotland").start("3-players", seed=6)
    before = start
    for game in played_out(start, Random(6), 400):
        claims = offered(game, "claim")
        if claims and not offered(before, "claim"):
            assert [game.to_move[0]] == value(game, "who would win the skirmish")
            assert {each.args["card"] for each in claims} == set(
                value(game, "what are the supporters")
            )
            told += 1
        before = game
    assert told > 3


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("england to teviot, do i have to stop", "quoted"),
        ("drew the norse in badenoch. now wot", "quoted"),
        ("must blocks that enter England stop?", "quoted"),
        ("and if Moray dies?", "closest"),  # it leaves what it asks to the line before it
        ("and Angus?", "closest"),
        ("who wins if both have seven nobles?", "quoted"),
    ],
)
def test_a_quote_has_what_the_question_names(line: str, kind: str) -> None:
    answer = hr.load("hots-4.0").start("braveheart", seed=1297).ask(line)

    assert answer.kind == kind, str(answer)


# ------------------------------------------------------------------ what editions have differently
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("how does 4.0 differ from 3.x about a noble wiped out by pillage?", "last step Pillage"),
        ("en qué cambia el movimiento de los arqueros escoceses de la 2.3 a la 3.x", "up to three"),
        ("difference between 2.3 and 4.0 for a block that must retreat and cannot", "his own draw"),
    ],
)
def test_a_difference_is_told_with_what_both_editions_say(line: str, told: str) -> None:
    answer = hr.load("hots-4.0").start("braveheart", seed=1297).ask(line)

    assert answer.kind == "computed" and told in str(answer)
    assert "nothing that is played changed" not in str(answer) and "§" in str(answer)


def test_what_no_listed_difference_is_about_is_not_said_to_agree() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)

    assert game.ask("what changed between 3.x and 4.0 about cathedrals").kind == "closest"


@pytest.mark.parametrize(
    ("edition", "line", "told"),
    [
        ("hots-2.3", "le nordique, il peut se replier sur une région vide ?", "not to vacant ones"),
        ("hots-3.x", "¿para qué sirve el límite por castillo?", "may stay there over the winter"),
        ("hots-4.0", "does wallace need to be dead before Balliol comes home?", "does not matter"),
    ],
)
def test_the_rule_that_is_about_a_question_is_stated(edition: str, line: str, told: str) -> None:
    ruleset = hr.load(edition)
    answer = ruleset.start(ruleset.scenarios[0], seed=1297).ask(line)

    assert answer.kind == "quoted" and told in str(answer)


def test_what_holds_at_the_start_is_counted_there_and_told_by_the_rule_later() -> None:
    game = hr.load("lords-of-scotland").start("3-players", seed=1)
    line = "combien de cartes en main au début ?"
    first = game.ask(line)
    for _ in range(40):
        game = game.play(game.actions[0])
    later = game.ask(line)

    assert (first.kind, str(first)) == ("computed", "P1: 5; P2: 5; P3: 5 (§4)")
    assert later.kind == "quoted" and "dealt five cards" in str(later)


def test_a_verb_inside_a_phrase_asks_for_no_action() -> None:
    game = hr.load("hots-player-aid").start("braveheart", seed=1297)
    answer = game.ask("le bloc nordique fait il partie de l'attaque principale ?")

    assert answer.kind == "closest" and "(main-attack-joins-the-norse" in str(answer)
