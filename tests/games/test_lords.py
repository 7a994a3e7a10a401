"""The second game: played to its end by chance, with two to five lords, every option and every reading."""

from __future__ import annotations

from functools import cache
from random import Random

import attrs
import pytest

import hots_rules as hr
from hots_rules.state.state import State
from tests.playing import assert_sound, broken, machine_of, played_out, some_choices

NAME = "lords-of-scotland"
SCENARIOS = {"2-players": 2, "3-players": 3, "4-players": 4, "5-players": 5}
CLANS = ("Scott", "Makgill", "MacDonnell", "Wemyss", "Fergusson", "Forsyth", "Cockburn", "Cochrane")
BRUCE = ("Bruce_12_97", "Bruce_12_98")
CARDS = (*(f"{clan}_{strength}" for strength in range(1, 13) for clan in CLANS), *BRUCE)
SPOTS = tuple(f"Recruit_{n}" for n in range(1, 6))


@cache
def rules() -> hr.Ruleset:
    return hr.load(NAME)


def cards_at(game: hr.Game, *places: str) -> list[str]:
    """The cards that lie in some places, by rank."""
    return [card for card in CARDS if game.state["place", card] in places]


def face_down(game: hr.Game) -> set[str]:
    """The followers that lie face down."""
    return {card for turn in range(1, 6) for card in game.state["face_down", turn]}


def points(game: hr.Game, lord: str) -> int:
    return sum(int(card.split("_")[1]) for card in cards_at(game, f"Victory_{lord}"))


# ------------------------------------------------------------------ the deck and the set-up
def test_cards_are_numbered_clan_by_clan_and_strength_by_strength() -> None:
    place = rules().schema.variables["place"].keys[0]

    assert list(CARDS) == [word for _, word in place.values]


@pytest.mark.parametrize(("scenario", "lords"), SCENARIOS.items())
@pytest.mark.parametrize("bruce", [False, True])
def test_set_up_gives_each_lord_five_cards_and_a_supporter(
    scenario: str, lords: int, bruce: bool
) -> None:
    game = rules().start(scenario, seed=4, options={"bruce_clan": bruce})

    assert [5] * lords == [len(cards_at(game, f"Hand_P{n}")) for n in range(1, lords + 1)]
    assert [1] * 5 == [len(cards_at(game, spot)) for spot in SPOTS]
    assert lords == len(cards_at(game, "Supporters"))
    assert len(cards_at(game, "Deck", "Discards")) == 96 + 2 * bruce - 5 * lords - 5 - lords
    assert ([] if bruce else list(BRUCE)) == cards_at(game, "Aside")
    assert ("P1",) == game.to_move


@pytest.mark.parametrize("scenario", ["2-players", "3-players"])
@pytest.mark.parametrize("value", [False, True])
def test_an_option_that_a_scenario_ignores_is_refused(scenario: str, *, value: bool) -> None:
    with pytest.raises(hr.IgnoredOption) as error:
        rules().start(scenario, options={"same_clan_only": value})

    assert str(error.value) == (
        f"the scenario `{scenario}` ignores the option `same_clan_only`\n"
        "help: leave it out, or start one of `4-players`, `5-players`"
    )
    assert rules().start(scenario).scenario == scenario
    assert rules().options["same_clan_only"].scenarios == ("4-players", "5-players")


# ------------------------------------------------------------------ whole games
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("turn", range(3))
def test_games_by_chance_end_with_a_coronation(scenario: str, turn: int) -> None:
    chosen = [{"options": {}, "readings": {}}, *some_choices(rules())][turn]
    machine = rules().machine(rules().chosen(chosen["options"], chosen["readings"]))
    for number in range(6):
        seed, chooser = f"{turn}/{number}", Random(number)
        slots = machine.begin(scenario)
        machine.run(slots, slots[0], seed)
        while not machine.is_over(slots):
            legal = machine.legal(slots)
            assert legal
            machine.play(slots, chooser.choice(legal), seed)
            if not machine.is_over(slots):
                assert [] == broken(machine, slots)

        assert machine.outcome(slots) >= 2


@pytest.mark.parametrize(("scenario", "lords"), SCENARIOS.items())
def test_the_winner_has_forty_points_and_nobody_has_more(scenario: str, lords: int) -> None:
    begun = rules().start(scenario, seed=7, options={"bruce_clan": True})
    for game in played_out(begun, Random(7)):
        if len(game.moves) % 5 == 0:
            assert_sound(game)

    assert game.outcome is not None
    assert game.outcome.winner is not None
    assert "coronation" == game.outcome.reason
    assert 40 <= points(game, game.outcome.winner)
    assert points(game, game.outcome.winner) == max(
        points(game, f"P{n}") for n in range(1, lords + 1)
    )


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_record_replays_to_the_same_state(scenario: str) -> None:
    game = list(played_out(rules().start(scenario, seed=3), Random(3), 40))[-1]

    assert game.state == hr.replay(game.record).state


# ------------------------------------------------------------------ positions
@pytest.mark.thorough
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_position_taken_at_the_turn_of_a_lord_plays_on_alike(scenario: str) -> None:
    tried = 0
    for game in played_out(rules().start(scenario, seed=9), Random(9), 120):
        if game.is_over or game.phase != "take_turn":
            continue
        again = rules().position(game.position, seed=9)

        assert game.position == again.position
        assert game.actions == again.actions
        action = game.actions[tried % len(game.actions)]
        assert game.play(action).position == again.play(action).position
        tried += 1

    assert tried > 20


TWICE_ACTIVE = """playing {P1, P2}
Scott_3: place Army_P1
MacDonnell: active {Scott_3}
Cochrane: active {Scott_3}
"""


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        ("playing {P1}", "seats"),
        ("playing {P1, P3}", "seats"),
        ("playing {P1, P2}\nacting P3", "lords-at-the-table"),
        ("playing {P1, P2}\nScott_1: place Hand_P3", "lords-at-the-table"),
        ("playing {P1, P2}\nBruce_12_97: place Hand_P1", "bruce-aside"),
        ("playing {P1, P2}\nScott_1: place Aside", "nobody-else-aside"),
        ("playing {P1, P2}\nskirmish_turn 1\nScott_1: place Recruit_1\nScott_2: place Recruit_1", "one-recruit-a-spot"),
        ("playing {P1, P2}\nScott_1: place Recruit_1", "laid-out"),
        ("playing {P1, P2}\nskirmish_turn 2\n1: face_down {Scott_1}", "face-down-in-armies"),
        ("playing {P1, P2}\nMacDonnell: active {MacDonnell_3}", "powers-in-armies"),
        ("playing {P1, P2}\nWemyss_3: place Army_P1\nMacDonnell: active {Wemyss_3}", "own-power-or-copy"),
        (
            "playing {P1, P2}\nScott_3: place Army_P1\n"
            "MacDonnell: active {Scott_3}\nCochrane: active {Scott_3}",
            "one-power-a-follower",
        ),
        ("playing {P1, P2}\n" + "\n".join(f"{c}_12: place Victory_P1" for c in CLANS[:4]), "nobody-crowned-yet"),
        ("playing {P1, P2}\n" + "\n".join(f"Scott_{n}: place Hand_P1" for n in range(1, 12)), "hand-limit"),
    ],
)  # fmt: skip
def test_a_position_against_the_rules_is_refused(position: str, wrong: str) -> None:
    with pytest.raises(hr.BadPosition, match=f"`{wrong}`"):
        rules().position(position + "\nBruce_12_98: place Aside", seed=0)


# ------------------------------------------------------------------ the draw pile runs out
def used_up(left: str, discards: tuple[str, ...]) -> str:
    """Two lords; one card is left in the draw pile, some are discarded, and all others lie where nobody draws them."""
    hands = {card: "Hand_P1" for card in CARDS[:3]} | {card: "Hand_P2" for card in CARDS[3:6]}
    spots = dict(zip(CARDS[16:21], SPOTS, strict=True))
    placed = (
        hands
        | spots
        | dict.fromkeys(discards, "Discards")
        | dict.fromkeys(BRUCE, "Aside")
        | {left: "Deck"}
    )
    # Followers are the only cards that may be so many.
    rest = {card: f"Army_P{1 + n % 2}" for n, card in enumerate(CARDS) if card not in placed}
    lines = [f"{card}: place {place}" for card, place in (placed | rest).items()]
    return "\n".join(["playing {P1, P2}", "skirmish_turn 1", *lines])


LAST, THROWN = "Scott_12", ("Wemyss_10", "Wemyss_11", "Wemyss_12")


@pytest.mark.parametrize(("reading", "kept"), [("when_needed", 3), ("at_once", 0)])
def test_the_discard_pile_waits_until_a_card_is_needed_or_not(reading: str, kept: int) -> None:
    game = rules().position(used_up(LAST, THROWN), readings={"empty_deck": reading}, seed=0)

    game = game.play("P1: take recruit 1")

    assert [LAST] == cards_at(game, "Recruit_1")
    assert kept == len(cards_at(game, "Discards"))


@pytest.mark.parametrize("reading", ["when_needed", "at_once"])
def test_the_discard_pile_becomes_the_draw_pile(reading: str) -> None:
    game = rules().position(used_up(LAST, THROWN), readings={"empty_deck": reading}, seed=0)

    game = game.play("P1: take recruit 1").play("P2: take recruit 5")

    assert set(THROWN) == {*cards_at(game, "Deck"), *cards_at(game, "Recruit_5")}
    assert [] == cards_at(game, "Discards")


def test_a_recruit_is_not_replaced_when_no_card_is_left() -> None:
    game = rules().position(used_up(LAST, ()), seed=0)

    game = game.play("P1: take recruit 1").play("P2: take recruit 1")

    assert [] == cards_at(game, "Recruit_1")
    assert "P1: take recruit 1" not in [action.text for action in game.actions]
    assert [] == broken(machine_of(game), list(game.state.slots))


# ------------------------------------------------------------------ secrets
def is_known(game: hr.Game, card: str, lord: str) -> bool:
    """Who may see a card, said once more and apart from the ruleset."""
    place = game.state["place", card]
    if place in (f"Hand_{lord}", f"Army_{lord}") or card in game.state["seen_by", lord]:
        return True
    if place == "Deck" or place.startswith("Hand_") or card in face_down(game):
        return False
    return place not in SPOTS or int(place[-1]) <= game.state["skirmish_turn"]


def with_unknown_cards_changed(game: hr.Game, lord: str, chooser: Random) -> hr.Game:
    """The same game as a lord knows it, the cards that he does not know being others."""
    schema = game.ruleset.schema
    hidden = [number for number, card in enumerate(CARDS) if not is_known(game, card, lord)]
    changed = dict(zip(hidden, chooser.sample(hidden, len(hidden)), strict=True))
    place = schema.variables["place"]
    before, slots = game.state.slots, list(game.state.slots)
    for one, other in changed.items():
        slots[place.base + other] = before[place.base + one]
    for name in ("face_down", "seen_by"):
        held = schema.variables[name]
        for slot in range(held.base, held.base + len(held.key_codes)):
            members = (n for n in range(len(CARDS)) if before[slot] >> n & 1)
            slots[slot] = sum(1 << changed.get(n, n) for n in members)
    schema.reindex(slots)
    return attrs.evolve(game, state=State(tuple(slots), schema))


@pytest.mark.parametrize("scenario", ["2-players", "4-players"])
def test_what_may_be_chosen_does_not_depend_on_what_is_hidden(scenario: str) -> None:
    chooser = Random(11)
    for game in played_out(rules().start(scenario, seed=11), Random(11), 80):
        if game.is_over:
            break
        other = with_unknown_cards_changed(game, game.to_move[0], chooser)

        assert [action.text for action in game.actions] == [action.text for action in other.actions]


def rows(game: hr.Game, lord: str) -> dict[str, str]:
    """What lies where, as a lord sees it."""
    return {
        place: said for panel in hr.explain.render_board(game, lord) for place, said in panel.rows
    }


EXCHANGE = """playing {P1, P2, P3}
skirmish_turn 3
Bruce_12_97: place Aside
Bruce_12_98: place Aside
Fergusson_4: place Hand_P1
Scott_9: place Army_P2
Scott_5: place Recruit_3
Scott_6: place Recruit_4
Wemyss_9: place Army_P3
1: face_down {Scott_9}
"""


def test_a_face_down_follower_is_known_to_its_lord_alone() -> None:
    game = rules().position(EXCHANGE, seed=0)

    assert "Scott 9" == rows(game, "P2")["army of P2"]
    assert "a card of P2" == rows(game, "P1")["army of P2"]


def test_an_exchanged_face_down_follower_is_known_to_who_holds_it() -> None:
    game = rules().position(EXCHANGE, seed=0).play("P1: engage Fergusson 4 with its power")
    game = game.play("P1: exchange for the face-down follower of P2 from turn 1")

    assert "Scott 9" == rows(game, "P1")["army of P1"]
    # P3 sees the back of a card that P1 has and P2 has had.
    assert "a card of P1 and P2" == rows(game, "P3")["army of P1"]
    assert "Fergusson 4" == rows(game, "P3")["army of P2"]


def test_who_had_a_face_down_follower_still_knows_it_when_it_is_taken_away() -> None:
    game = rules().position(EXCHANGE, seed=0).play("P1: engage Fergusson 4 with its power")
    game = game.play("P1: exchange for the face-down follower of P2 from turn 1")

    assert "Scott 9" == rows(game, "P2")["army of P1"]
    assert all(w.state["place", "Scott_9"] == "Army_P1" for w in game.worlds("P2", 5, seed=1))


DISCARD = EXCHANGE.replace("Fergusson_4", "Wemyss_4")


@pytest.mark.parametrize(
    ("reading", "seen"),
    [
        ("shown", {"P1": "Scott 9", "P2": "Scott 9", "P3": "Scott 9"}),
        ("hidden", {"P1": "a card of P2", "P2": "Scott 9", "P3": "a card of P2"}),
    ],
)
def test_a_discarded_face_down_follower_is_shown_or_not(reading: str, seen: dict[str, str]) -> None:
    game = rules().position(DISCARD, readings={"discarded_face_down": reading}, seed=0)
    game = game.play("P1: engage Wemyss 4 with its power")
    game = game.play("P1: discard the face-down follower of P2 from turn 1")

    assert seen == {lord: rows(game, lord)["discard pile"] for lord in seen}
    assert "Discards" == game.state["place", "Scott_9"]


def test_recruits_lie_open_as_far_as_the_turns_have_come() -> None:
    seen = rows(rules().position(EXCHANGE, seed=0), "P2")

    assert "Scott 5" == seen["recruit 3"]
    assert "an unknown card" == seen["recruit 4"]


def test_all_followers_lie_open_while_supporters_are_claimed() -> None:
    game = rules().position(EXCHANGE.replace("skirmish_turn 3", "skirmish_turn 5\nacting P3") + """
Scott_7: place Hand_P3
Scott_1: place Supporters
Scott_2: place Supporters
Scott_3: place Supporters
""", seed=0).play("P3: engage Scott 7 face down")  # fmt: skip

    assert "take_supporter" == game.phase
    assert "Scott 9" == rows(game, "P1")["army of P2"]
    assert "Scott 7, Wemyss 9" == rows(game, "P1")["army of P3"]


def told(game: hr.Game, action: str, lord: str | None) -> str:
    """What a lord hears of a play."""
    return "\n".join(
        step.text for step in hr.explain.GameLog(lord).describe(game, game.play(action))
    )


def test_who_takes_a_face_down_recruit_hears_which_it_is() -> None:
    game = rules().position(EXCHANGE, seed=0)

    assert "Scott 6" in told(game, "P1: take recruit 4", "P1")
    assert "Scott 6" not in told(game, "P1: take recruit 4", "P2")


def test_all_hear_which_face_up_recruit_is_taken_and_what_is_engaged_face_up() -> None:
    game = rules().position(EXCHANGE, seed=0)

    assert "Scott 5" in told(game, "P1: take recruit 3", "P2")
    assert "Fergusson 4" in told(game, "P1: engage Fergusson 4", "P2")
    assert "Fergusson 4" not in told(game, "P1: engage Fergusson 4 face down", "P2")


# ------------------------------------------------------------------ words
def test_every_action_and_event_has_words_in_english_and_french() -> None:
    facts = rules().schema.facts
    events = set(rules().rulebook.typed.events)
    needed = {f"action {action.name}" for action in facts.actions} | {
        f"event {name}" for name in events
    }

    assert set() == needed - set(facts.labels["en"])
    assert set() == needed - set(facts.labels["fr"])


def test_french_actions_are_written_and_read() -> None:
    game = rules().position(EXCHANGE, seed=0)
    texts = [action.text for action in game.in_language("fr").actions]

    assert "J1: prendre la recrue 3" in texts
    assert "J1: engager Fergusson 4 face cachée" in texts
    for action, text in zip(game.actions, texts, strict=True):
        assert game.play(action) == game.play(text)
