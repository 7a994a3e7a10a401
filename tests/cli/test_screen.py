"""`hots play --side` on a terminal: one screen for each choice, several choices in a line, few inputs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import mean
from time import monotonic

import pyte
import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.cli.prompt.match import Opponent
from hots_rules.cli.screen.choices import COUNTER, MAX_GROUPS, Grouping, ListedChoice
from hots_rules.cli.screen.columns import WIDTH
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.layout import ROWS, Frame
from hots_rules.cli.screen.seat import Seat, Stuck
from hots_rules.diagnostics import cropped_line
from hots_rules.draw.scene.positions import position_of
from hots_rules.draw.text.canvas import Canvas
from hots_rules.draw.text.map import MIN_COLUMNS, TextMap, legend
from hots_rules.draw.text.panels import status_rows
from hots_rules.talk.narrowing import label_of, narrowed, spread
from tests.folders import TESTS

ALL = tuple(hr.rulesets())


@pytest.fixture
def hots() -> hr.Ruleset:
    return hr.load("hots-4.0")


def seat_of(
    rules: hr.Ruleset, side: str = "Scotland", seed: int = 3, auto: str | None = None
) -> Seat:
    seat = Seat(rules.start(rules.scenarios[0], seed=seed), side, auto=auto)
    seat.begin()
    return seat


def desk_of(name: str = "hots-4.0", side: str = "Scotland", language: str = "en") -> Desk:
    return Desk(seat_of(hr.load(name).in_language(language), side))


def text_of(desk: Desk) -> str:
    return "\n".join("".join(text for _, text in row) for row in desk.rows)


# ---------------------------------------------------------------- choices
def test_typed_words_leave_the_actions_of_which_they_begin_words(hots: hr.Ruleset) -> None:
    actions = [a for a in hots.start("braveheart", seed=3).actions if a.player == "Scotland"]
    desk = desk_of()
    desk.enter("move 2")
    moves = desk.seat.actions

    assert ["play Move 2"] == [label_of(action) for action in narrowed(actions, "mo 2")]
    assert ["move Wallace Fife-Mentieth"] == [label_of(a) for a in narrowed(moves, "wal men")]
    assert {"Wallace"} == {a.args["block"] for a in narrowed(moves, "WÁLL")}
    assert () == narrowed(moves, "wallace lanark")


def test_a_list_of_names_shares_the_words_around_it() -> None:
    desk = desk_of()
    desk.enter("move 2")

    assert [
        "move Wallace Fife-Mentieth",
        "move Douglas Fife-Mentieth",
        "move Barclay Fife-Mentieth",
    ] == spread("move Wallace, Douglas, Barclay Fife-Mentieth", desk.seat.actions)


def test_a_way_of_several_steps_is_several_choices() -> None:
    desk = desk_of()
    desk.enter("move 2")

    assert ["move Moray Moray-Strathspey", "move Moray Strathspey-Buchan"] == spread(
        "move Moray Moray-Strathspey-Buchan", desk.seat.actions
    )


def test_counters_stand_in_the_order_of_the_arguments() -> None:
    desk = desk_of()
    desk.enter("move 2")
    rules, actions = desk.seat.game.ruleset, desk.seat.actions[:9]
    typed_values = [
        [(rules.actions[action.name].params[name], word) for name, word in action.args.items()]
        for action in actions
    ]
    counters = {pair: number for pairs in typed_values for number, pair in enumerate(pairs)}

    for action, pairs in zip(actions, typed_values, strict=True):
        [choice] = Grouping(rules, counters=counters).choices([action])
        shown = "".join(f" {COUNTER}{counters[pair]}" for pair in dict.fromkeys(pairs))
        assert choice.title == f"{hr.talk.label_of(action)}{shown}"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ALL)
def test_there_are_at_most_nine_numbers_and_every_action_is_behind_one(name: str) -> None:
    rules = hr.load(name)
    grouping = Grouping(rules)
    chance = Random(5)
    game = rules.start(rules.scenarios[0], seed=5)
    for _ in range(60):
        if game.is_over:
            break
        player = game.to_move[0]
        own = [action for action in game.actions if action.player == player]
        assert {a.code for a in own} == {a.code for a in reached(grouping, own)}
        game = game.play(chance.choice(game.actions))


def reached(grouping: Grouping, actions: list[hr.Action]) -> Iterator[hr.Action]:
    """The actions that a player comes to by numbers alone."""
    page = 0
    while True:
        choices = grouping.choices(actions, page)
        assert 1 <= len(choices) <= MAX_GROUPS
        for choice in choices:
            if choice.action is not None:
                yield choice.action
            elif choice.actions:
                assert len(choice.actions) < len(actions)
                yield from reached(grouping, list(choice.actions))
        page += 1
        if choices[-1].actions or page > len(actions):
            return


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "fr", "es"])
@pytest.mark.parametrize("side", ["England", "Scotland"])
def test_the_choices_of_a_screen_are_not_cut(side: str, language: str) -> None:
    desk, chance = desk_of(side=side, language=language), Random(8)
    for _ in range(40):
        if desk.seat.game.is_over:
            break
        last = "\n".join("".join(text for _, text in row) for row in desk.rows[-3:])
        for number, choice in enumerate(desk.choices, 1):
            assert re.search(rf" {re.escape(f'{number} {choice.title}')}(?: |$)", last, re.M)
        if chance.random() < 0.3:
            desk.enter(str(chance.randrange(len(desk.choices)) + 1))
        else:
            desk.seat.play(chance.choice(desk.seat.actions))


def test_a_group_has_the_text_that_its_actions_share() -> None:
    desk = desk_of()
    desk.enter("move 2")

    assert "move Wallace Fife-…" in {choice.title for choice in desk.choices}


def test_where_the_verb_has_no_room_a_group_begins_with_its_first_argument() -> None:
    desk = desk_of(side="England", language="fr")
    desk.enter("mouvement 3")
    desk.enter("déplacer")
    titles = [choice.title for choice in desk.choices]

    assert "Buchan Buchan-…" in titles


# ---------------------------------------------------------------- playing
def test_several_choices_fit_in_one_line(hots: hr.Ruleset) -> None:
    seat = seat_of(hots)
    seat.play_line("play Move 2")
    seat.play_line("move Wallace, Douglas Fife-Mentieth")

    place = seat.game.state["place"]
    assert ("Mentieth", "Mentieth", 2) == (place["Wallace"], place["Douglas"], seat.inputs)


def test_a_line_ends_at_what_cannot_be_played_and_says_why(hots: hr.Ruleset) -> None:
    seat = seat_of(hots)
    seat.play_line("play Move 2")
    with pytest.raises(Stuck) as stuck:
        seat.play_line("move Wallace Fife-Mentieth; move Douglas Fife-Lanark; end moves")

    place = seat.game.state["place"]
    assert ("Mentieth", "Fife") == (place["Wallace"], place["Douglas"])
    assert "Lanark is not among" in stuck.value.message


def test_a_line_waits_where_something_new_is_seen(hots: hr.Ruleset) -> None:
    seat = seat_of(hots)
    with pytest.raises(Stuck, match="not played: move Wallace Fife-Mentieth"):
        seat.play_line("play Move 2; move Wallace Fife-Mentieth")

    assert "Fife" == seat.game.state["place"]["Wallace"]


def test_undo_takes_back_a_whole_line(hots: hr.Ruleset) -> None:
    seat = seat_of(hots)
    seat.play_line("play Move 2")
    before = seat.game
    seat.play_line("move Bruce Annan-Carrick; move Galloway Galloway-Carrick")
    seat.undo()

    assert before == seat.game


def test_forced_choices_are_made_by_themselves(hots: hr.Ruleset) -> None:
    seat = seat_of(hots, seed=11)
    chance = Random(11)
    while not seat.game.is_over:
        assert len(seat.actions) > 1
        seat.play(chance.choice(seat.actions))


@pytest.mark.thorough
def test_a_policy_settles_fire_hits_and_disbanding(hots: hr.Ruleset) -> None:
    seat = seat_of(hots, seed=12, auto="steady")
    chance = Random(12)
    asked = set()
    while not seat.game.is_over:
        asked |= {action.name for action in seat.actions if len(seat.actions) > 1}
        assert not {"fire", "take_hit", "end_disbanding"} & {a.name for a in seat.actions}
        seat.play(chance.choice(seat.actions))

    made = {hots.machine(seat.game.settings).action_of(code) for code in seat.game.moves}
    names = {
        action.name for number, action in enumerate(hots.schema.facts.actions) if number in made
    }
    assert {"fire", "end_disbanding"} <= names
    assert {"move", "play_card", "retreat"} <= asked


def test_an_unknown_policy_is_refused_with_the_known_ones(hots: hr.Ruleset) -> None:
    desk = Desk(seat_of(hots))
    desk.enter("auto steedy")

    assert "steady" in desk.message
    assert "" == desk.seat.auto


# ---------------------------------------------------------------- the number of inputs
class Recorded:
    """The other side of a recorded game."""

    def __init__(self, moves: tuple[int, ...]) -> None:
        self._moves = moves

    def choose(self, game: hr.Game, person: str) -> hr.Action:
        code = self._moves[len(game.moves)]
        return next(action for action in game.actions if action.code == code)

    def how_it_plays(self, ruleset: hr.Ruleset, side: str) -> str:
        return f"{side} is recorded"

    def summary_for(self, ruleset: hr.Ruleset, side: str) -> str:
        return ""


def recorded(rules: hr.Ruleset, side: str, seed: int) -> hr.Game:
    """A game of which one side chose at random what `steady` leaves to it, from its record."""
    seat = seat_of(rules, side, seed, auto="steady")
    chance = Random(seed)
    while not seat.game.is_over:
        seat.play(chance.choice(seat.actions))
    return hr.replay(str(seat.game.record))


def lines_for(game: hr.Game, side: str) -> list[str]:
    """The lines that play a side's choices: one goes on until another phase shows something new."""
    rules = game.ruleset
    settler = hr.analysis.Settler(rules, "steady", side)
    lines: list[list[str]] = []
    at, last = rules.start(game.scenario, seed=game.seed), None
    for code in game.moves:
        shown = at.undo_limit(side)
        own = [action for action in at.actions if action.player == side]
        action = next((each for each in own if each.code == code), None)
        if action is not None and len(own) > 1 and settler.choose(at) is None:
            if last is None or (shown > last[0] and at.phase != last[1]):
                lines.append([])
            lines[-1].append(label_of(action))
            last = len(at.moves), at.phase
        at = at.play_code(code)
    return ["; ".join(parts) for parts in lines]


def inputs_for(rules: hr.Ruleset, seed: int) -> int:
    """How many lines a side of a recorded game of Braveheart takes; they play the very game again."""
    side = ("England", "Scotland")[seed % 2]
    game = recorded(rules, side, seed)
    start = rules.start(game.scenario, seed=game.seed)
    seat = Seat(start, side, Recorded(game.moves), auto="steady")  # type: ignore[arg-type]
    seat.begin()
    desk = Desk(seat)
    for line in lines_for(game, side):
        assert desk.enter(line)
    assert game.moves == seat.game.moves
    return seat.inputs


@pytest.mark.thorough
def test_a_side_of_braveheart_needs_at_most_120_inputs(hots: hr.Ruleset) -> None:
    assert max(inputs_for(hots, seed) for seed in range(1, 5)) <= 120


@pytest.mark.nightly
def test_a_side_of_braveheart_needs_at_most_120_inputs_in_twenty_games(hots: hr.Ruleset) -> None:
    inputs = [inputs_for(hots, seed) for seed in range(1, 21)]

    print(f"inputs a side: mean {mean(inputs):.1f}, least {min(inputs)}, most {max(inputs)}")
    assert max(inputs) <= 120, inputs


# ---------------------------------------------------------------- the screen
@pytest.mark.thorough
@pytest.mark.parametrize("name", ALL)
def test_every_choice_is_one_screen(name: str) -> None:
    rules = hr.load(name)
    seat = seat_of(rules, rules.players[0], seed=2)
    desk, chance = Desk(seat), Random(2)
    for _ in range(40):
        assert [WIDTH] * ROWS == [sum(len(text) for _, text in row) for row in desk.rows]
        if seat.game.is_over:
            break
        desk.enter(label_of(chance.choice(seat.actions)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("hots")])
def test_every_area_has_its_name_its_limit_and_its_pieces_on_the_map(name: str) -> None:
    rules = hr.load(name)
    game, chance = rules.start("campaign", seed=4), Random(4)
    for _ in range(120):
        position = position_of(game)
        shown = TextMap(position).canvas().text()
        for place in position.places:
            assert re.search(rf"{re.escape(place.name)} \d", shown), place.name
        assert sum(bool(place.pieces) for place in position.places) <= shown.count(
            "["
        ) + shown.count("(")
        if game.is_over:
            break
        game = game.play(chance.choice(game.actions))


def test_areas_lie_on_the_terminal_as_on_the_board(hots: hr.Ruleset) -> None:
    board = hr.draw.board_of(hots)
    spots = {name: area.cell for name, area in board.areas.items()}
    for (name, (column, row)), (other, (its_column, its_row)) in combinations(spots.items(), 2):
        if abs(row - its_row) < 2:
            assert abs(column - its_column) >= MIN_COLUMNS, f"{name} and {other} overlap"
    for name, area in board.areas.items():
        assert area.label is not None
        column, row = area.cell
        x, y = (column + len(name) / 2) * board.canvas[0] / 80, (row + 0.5) * board.canvas[1] / 16
        assert abs(x - area.label.at[0]) < 160, name
        assert abs(y - area.label.at[1]) < 160, name


def test_sides_differ_without_colour_and_hidden_blocks_are_counted() -> None:
    text = text_of(desk_of())

    assert "(Wa4 Do4 Ba4)" in text
    assert "[4]" in text  # in England


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "…2 those without room"),
        ("fr", "…2 ceux sans place"),
        ("es", "…2 los que no caben"),
    ],
)
def test_blocks_without_room_are_counted_as_the_legend_says(
    hots: hr.Ruleset, language: str, told: str
) -> None:
    game = hots.start("braveheart", seed=1).in_language(language)
    position = position_of(game, None)
    blocks = tuple(piece for place in position.places for piece in place.pieces if piece.name)
    places = tuple(
        evolve(place, pieces=blocks[:9] if place.key == "Mentieth" else ())
        for place in position.places
    )
    text = TextMap(evolve(position, places=places)).canvas().text()

    assert re.search(r"…\d+[)\]]", text)
    assert not re.search(r"\+\d", text)
    assert told in legend(position)


def test_a_screen_shows_nothing_that_the_player_does_not_know(hots: hr.Ruleset) -> None:
    seat = seat_of(hots, "Scotland", seed=6)
    chance = Random(6)
    for _ in range(12):
        seat.play(chance.choice(seat.actions))
    here = hr.draw.text_board(seat.game, "Scotland")
    for world in seat.game.worlds("Scotland", 4):
        assert here == hr.draw.text_board(world, "Scotland")


def test_a_battle_is_a_panel_and_map_shows_the_map(hots: hr.Ruleset) -> None:
    seat, chance = seat_of(hots, seed=7), Random(2)
    desk = Desk(seat)
    while seat.game.phase != "combat_turns":
        seat.play(chance.choice(seat.actions))

    assert re.search(r"Battle: \w+, round \d", text_of(desk))
    assert "●" in text_of(desk)
    assert "Garmoran" not in text_of(desk)
    desk.enter("map")
    assert "Garmoran 0" in text_of(desk)


def test_where_a_choice_leads_is_marked_on_the_map() -> None:
    desk = desk_of()
    desk.enter("move 2")
    desk.type("wallace")

    assert {"Angus", "Atholl", "Mentieth"} == set(re.findall(r"»(\w+)", text_of(desk)))


def test_the_help_in_a_battle_explains_its_signs(hots: hr.Ruleset) -> None:
    desk = Desk(seat_of(hots, seed=1297))
    desk.enter("move 2")
    desk.enter("move wallace, douglas fife-mentieth; end")
    desk.enter("?")

    assert "A3 ●●○: the letter and the rating" in " ".join(text_of(desk).split())


def test_known_blocks_beside_hidden_ones_use_all_their_room(hots: hr.Ruleset) -> None:
    position = position_of(hots.start("braveheart", seed=1), "Scotland")
    blocks = {piece.name: piece for place in position.places for piece in place.pieces}
    hidden = next(p for place in position.places for p in place.pieces if not p.name)
    there = (hidden, blocks["Douglas"], blocks["Barclay"])
    places = tuple(
        evolve(place, pieces=there if place.key == "Mentieth" else ()) for place in position.places
    )

    assert "[1](Do4 Ba4)" in TextMap(evolve(position, places=places)).canvas().text()


def test_all_players_have_room_in_the_row_of_hands() -> None:
    desk = desk_of(side="England", language="fr")
    status = "".join(text for _, text in desk.rows[1])
    assert "(Écosse)" in status

    longest = position_of(desk.seat.game, "England")
    assert longest.status is not None
    hands = (("Angleterre", ", ".join(["Mouvement maritime"] * 5)),)
    longest = evolve(longest, status=evolve(longest.status, hands=hands))
    row = "".join(text for _, text in status_rows(longest, "")[1])
    assert re.search(r"main Mouvement maritime.*…, 11 nobles  \(Écosse\)", row)
    assert len(row) <= WIDTH


def test_a_hand_without_room_leaves_out_the_words_that_it_repeats() -> None:
    position = position_of(desk_of().seat.game, "Scotland")
    hands = (("Scotland", "Move 1 ×2, Move 2, Move 3, Sea Move"),)
    assert position.status is not None
    position = evolve(position, status=evolve(position.status, hands=hands))

    def row(width: int) -> str:
        return "".join(text for _, text in status_rows(position, "", width)[1])

    assert "Move 1 ×2, Move 2, Move 3, Sea Move" in row(80)
    assert "hand Move 1 ×2, 2, 3, Sea Move, 3 nobles" in row(66)


def crowd(language: str) -> Desk:
    """England's choices of moves in a year in which seven of its blocks stand in England."""
    lines = (TESTS / "talk/openings/moves.txt").read_text().splitlines()
    names = ("Lancaster_Archers", "Lancaster_Knights", "Durham_Infantry", "Westmor_Infantry")
    more = [f"{name}: side England, place England, strength 2" for name in names]
    position = "\n".join([*lines[: lines.index("---")], *more])
    game = hr.load("hots-4.0").in_language(language).position(position, seed=1)
    seat = Seat(game, "England")
    seat.begin()
    seat.play(next(each for each in seat.actions if each.args["card"] == "Move_2"))
    return Desk(seat)


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_choices_with_long_names_stand_on_several_pages_and_are_not_cut(language: str) -> None:
    desk = crowd(language)
    of_england = [each for each in desk.seat.actions if each.args.get("from") == "England"]
    desk._chosen.append(ListedChoice("", tuple(of_england)))
    titles = [choice.title for choice in desk.choices]
    desk.scroll(1)

    assert desk.choices[0].title not in titles
    last = "".join(text for row in desk.rows[-3:] for _, text in row)
    assert [] == [title for choice in desk.choices if (title := choice.title) not in last]


def winter() -> Desk:
    """Scotland's builds in a winter."""
    text = (TESTS / "talk/openings/winter_1297.txt").read_text()
    seat = Seat(hr.load("hots-4.0").position(text, seed=1), "Scotland")
    seat.begin()
    for line in ("send Bruce home to Carrick", "winter Wallace in Selkirk", "end disbanding"):
        seat.play_line(line)
    return Desk(seat)


def test_the_points_of_an_area_are_told_where_they_are_spent() -> None:
    desk = winter()
    assert "• points: 10" in text_of(desk)
    assert "Fife 2 +•3" in text_of(desk)
    assert "draw a block in Moray •2" in text_of(desk)

    desk.enter("draw a block in Moray")
    assert "• points: 9" in text_of(desk)
    assert "Moray 2•1" in text_of(desk)
    desk.enter("?")
    assert "•2 points" in text_of(desk)
    assert "Each point draws a block or builds a step" in text_of(desk)


def test_a_larger_window_shows_more_news_and_wider_choices() -> None:
    desk = desk_of()
    desk.message = ""
    desk.seat.news[:] = [f"event {number}" for number in range(1, 11)]
    assert "event 1\n" not in text_of(desk)

    desk.frame = Frame(100, 8)
    rows = text_of(desk).splitlines()
    assert [100] * (ROWS + 8) == [len(row) for row in rows]
    assert [f"event {number}" for number in range(1, 11)] == [row.strip() for row in rows[18:28]]


@pytest.mark.thorough
def test_a_preview_ends_with_a_whole_effect() -> None:
    desk = crowd("en")
    for action in desk.seat.actions:
        desk.type(label_of(action))
        if desk.preview():
            assert "…" not in "".join(text for row in desk.rows[18:20] for _, text in row)


def test_a_single_choice_is_previewed() -> None:
    desk = desk_of()
    desk.enter("move 2")
    desk.type("wal men")

    assert desk.preview()
    assert "Wallace: Fife → Mentieth" in text_of(desk)
    assert ".;" not in text_of(desk)
    assert not desk.preview()  # it is known already


def test_escape_goes_back_step_by_step() -> None:
    desk = desk_of()
    desk.enter("move 2")
    desk.enter("4")
    desk.enter("?")
    desk.type("angus")
    shown = []
    for _ in range(3):
        desk.back()
        shown.append(("black cross" in text_of(desk), len(desk.choices)))

    assert [(True, 3), (False, 3), (False, 9)] == shown


def test_help_is_about_the_thing_at_hand() -> None:
    desk = desk_of()
    desk.enter("?")
    assert "Lay one card of the hand face down. (§3.1)" in text_of(desk)
    desk.enter("move 2")
    desk.enter("4")
    desk.enter("?")
    assert "Wallace (block) §2.1" in text_of(desk)


def test_help_names_the_forms_of_actions_without_their_parameters(hots: hr.Ruleset) -> None:
    desk = Desk(seat_of(hots, seed=1297))
    desk.enter("move 2")
    desk.enter("move wallace, douglas fife-mentieth; end")
    desk.enter("?")

    assert "retreat … to …: Leave the battle" in text_of(desk)


def test_a_retreat_is_refused_to_the_player_who_asks_and_not_because_of_whose_turn_it_is(
    hots: hr.Ruleset,
) -> None:
    desk = Desk(seat_of(hots, seed=1297))
    desk.enter("move 2")
    desk.enter("move wallace, douglas fife-mentieth; end")
    desk.enter("why can't Wallace retreat to Lanark?")

    assert "England stands in Lanark" in desk.message
    assert "(no-retreat-to-the-enemy §5.5)" in " ".join(desk.message.split())


def test_questions_are_answered_and_refusals_explained_on_the_same_screen() -> None:
    desk = desk_of()
    desk.enter("where is wallace?")
    assert "Fife" in desk.message
    desk.enter("why not move Wallace Fife-Lanark")
    assert "§3.1" in text_of(desk)
    desk.enter("show Fife")
    assert "castle limit: 2" in text_of(desk)


def test_a_long_text_has_pages() -> None:
    desk = desk_of()
    desk.enter("help")
    first = text_of(desk)
    desk.scroll(1)

    assert "lines 1 to 15 of" in first
    assert "lines 16 to 30 of" in text_of(desk)


def test_the_log_opens_with_as_many_of_the_last_lines_as_fit() -> None:
    desk = desk_of()
    desk.seat.news[:] = [f"event {number}" for number in range(1, 17)]
    desk.enter("log")

    assert "lines 2 to 16 of 16" in text_of(desk)


def test_equal_news_that_follow_each_other_are_counted() -> None:
    desk = desk_of()
    desk.message = ""
    desk.seat.news[:] = [*["draw in secret"] * 7, "year is now 1298"]

    assert " draw in secret ×7" in [row.rstrip() for row in text_of(desk).splitlines()]


def test_what_does_not_fit_the_news_is_counted_with_the_command_of_the_language() -> None:
    desk = desk_of(language="fr")
    desk.message = ""
    desk.seat.news[:] = [f"événement {number} " * 3 for number in range(9)]

    assert ": journal)" in text_of(desk)


def test_the_list_of_policies_says_how_one_is_chosen() -> None:
    desk = desk_of()
    desk.enter("auto")

    assert "`auto NAME` lets a policy make the choices that it knows" in text_of(desk)
    assert "`auto off` ends" in text_of(desk)


def test_numbers_out_of_range_are_refused() -> None:
    desk = desk_of()
    desk.enter("8")

    assert "expected a number from 1 to 3, got 8" == desk.message


@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_screen_speaks_the_language_of_the_game(language: str) -> None:
    desk = desk_of(language=language)
    desk.enter("?")

    assert "‹" not in text_of(desk)
    assert "Enter:" not in text_of(desk)


def test_a_canvas_cuts_what_does_not_fit() -> None:
    canvas = Canvas(8, 2)
    canvas.put(0, 0, "a long text", width=5)
    canvas.put(6, 1, "text")
    canvas.put(0, 5, "nowhere")

    assert "a lo…\n      t…" == canvas.text()
    assert "abc" == cropped_line("abc", 3)


@pytest.mark.parametrize(
    ("language", "log", "auto", "off", "plan", "undo", "help_", "leave"),
    [
        ("fr", "journal", "auto steady", "auto stop", "plan", "annuler", "aide", "quitter"),
        ("es", "registro", "auto steady", "auto fin", "mapa", "deshacer", "ayuda", "salir"),
    ],
)
def test_the_commands_of_the_screen_have_names_in_each_language(
    language: str, log: str, auto: str, off: str, plan: str, undo: str, help_: str, leave: str
) -> None:
    desk = desk_of(language=language)
    assert f"`{undo}`" in desk.message

    assert desk.enter(auto)
    assert "steady" == desk.seat.auto
    assert desk.enter(off)
    assert "" == desk.seat.auto
    for command in (log, "log", "help", help_):
        assert desk.enter(command)
        assert desk.shown.page
    assert f"`{log}`" in "\n".join(desk.shown.page)
    before = desk.shown.is_map_wanted
    assert desk.enter(plan)
    assert before != desk.shown.is_map_wanted
    assert desk.enter(undo)
    assert desk.message
    assert {word.text for word in desk.next_words(log[:3])} >= {log}
    assert not desk.enter(leave)


def test_a_question_that_begins_like_a_command_is_asked() -> None:
    desk = desk_of(language="es")
    wanted = desk.shown.is_map_wanted

    desk.enter("mapa de la batalla de Fife, ¿quién está?")

    assert wanted == desk.shown.is_map_wanted


# ---------------------------------------------------------------- a pseudo-terminal
class Terminal:
    """`hots` in a pseudo-terminal, and what it shows."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24, **env: str) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self._end, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hots_rules.cli", *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env=clean | {"TERM": "xterm-256color"} | env,
            start_new_session=True,
        )
        os.close(child)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def wait_for(self, text: str, seconds: float = 90) -> str:
        """The screen, once it shows a text."""
        end = monotonic() + seconds
        while text not in self.text and monotonic() < end:
            if not self._read():
                break
        assert text in self.text, self.text
        return self.text

    def wait_for_end(self) -> int:
        while self._read():
            pass
        return self.process.wait(60)

    def _read(self) -> bool:
        """Take what the process wrote; return False at its end."""
        ready, _, _ = select.select([self._end], [], [], 0.2)
        if not ready:
            return True
        try:
            data = os.read(self._end, 65536)
        except OSError:  # the other end is closed
            return False
        if b"\x1b[6n" in data:
            os.write(self._end, b"\x1b[1;1R")  # where the cursor is
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._end)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def opened(terminals: list[Terminal], *arguments: str, **options: object) -> Terminal:
    terminal = Terminal("play", *arguments, **options)  # type: ignore[arg-type]
    terminals.append(terminal)
    return terminal


@pytest.mark.thorough
def test_the_screen_is_left_in_spanish(terminals: list[Terminal]) -> None:
    arguments = ("hots-4.0", "braveheart", "--side", "Scotland", "--seed", "3")
    terminal = opened(terminals, *arguments, "--language", "es")

    terminal.wait_for("`deshacer`")
    terminal.press("ayuda\r")
    terminal.wait_for("`salir`")
    terminal.press("\x1b")
    terminal.press("salir\r")

    assert 0 == terminal.wait_for_end()


def test_a_turn_is_played_on_a_terminal(terminals: list[Terminal], tmp_path: Path) -> None:
    save = tmp_path / "game.txt"
    arguments = ("hots-4.0", "braveheart", "--side", "Scotland", "--seed", "3")
    against = ("--against", "random")
    terminal = opened(terminals, *arguments, *against, "--auto", "steady", "--save", str(save))

    assert "England plays at random" in terminal.wait_for("3 play Truce")
    terminal.press("move 2\r")
    terminal.wait_for("9 end moves")
    terminal.press("wal")
    terminal.wait_for("3 move Wallace Fife-Mentieth")
    terminal.press("\x1b")
    terminal.wait_for("9 end moves")
    terminal.press("4\r")
    terminal.wait_for("»Mentieth")
    terminal.press("?")
    terminal.wait_for("Wallace (block)")
    terminal.press("\x1b")
    terminal.wait_for("»Mentieth")
    terminal.press("\x1b")
    terminal.wait_for("9 end moves")
    terminal.press("move Wallace, Douglas Fife-Mentieth; end\r")
    terminal.wait_for("Turn 2/5")
    terminal.press("quit\r")

    assert 0 == terminal.wait_for_end()
    game = hr.read(save)
    assert "Mentieth" == game.state["place"]["Wallace"]
    assert b"\x1b[?1049h" in terminal.raw  # a screen of its own: nothing scrolls


@pytest.mark.thorough
def test_lines_that_are_entered_while_the_screen_is_busy_are_done_in_their_order(
    terminals: list[Terminal],
) -> None:
    arguments = ("hots-4.0", "braveheart", "--side", "Scotland", "--seed", "3")
    against = ("--against", "random")
    terminal = opened(terminals, *arguments, *against, "--auto", "steady")

    terminal.wait_for("3 play Truce")
    terminal.press("move 2\rmove Wallace Fife-Mentieth\rmove Douglas Fife-Mentieth\rundo\rwal")
    terminal.wait_for("move Wallace Mentieth-Atholl")
    terminal.wait_for("> wal")
    terminal.press("\x1b")
    terminal.wait_for("9 end moves")
    terminal.press("where is Wallace?\rwhere is Douglas?\r")
    terminal.wait_for("Fife (hots-4.0 §2.0)")
    terminal.press("quit\r\r")

    assert 0 == terminal.wait_for_end()


@pytest.mark.thorough
def test_a_long_line_and_what_is_computed_for_it_leave_the_screen_in_place(
    terminals: list[Terminal],
) -> None:
    arguments = ("hots-4.0", "braveheart", "--side", "Scotland", "--seed", "3")
    terminal = opened(terminals, *arguments)
    terminal.wait_for("3 play Truce")
    head = terminal.screen.display[0]
    line = (
        "battle Fife: Wallace 3, Douglas 3, Barclay 2 against Edward 4, York Knights 3, Hobelars 2"
    )
    terminal.press(line)
    terminal.wait_for("Hobelars 2")
    assert terminal.screen.display[-1].startswith("> ")
    terminal.press("\r")
    terminal.wait_for("Edward: eliminated")

    assert head == terminal.screen.display[0]
    assert ">" == terminal.screen.display[-1].strip()
    terminal.press("\x1b")
    terminal.wait_for("Garmoran 0")
    assert head == terminal.screen.display[0]


@pytest.mark.thorough
def test_no_color_is_plain(terminals: list[Terminal]) -> None:
    plain = opened(terminals, "connect-four-1.0", "empty-board", "--side", "Red", NO_COLOR="1")
    colourful = opened(terminals, "connect-four-1.0", "empty-board", "--side", "Red")
    for terminal in (plain, colourful):
        terminal.wait_for("7 g1")
        terminal.press("d1\r")
        terminal.wait_for("[R]")
        terminal.press("\x04")
        assert 0 == terminal.wait_for_end()

    colours = re.compile(rb"\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7])[;m]")
    assert colours.search(colourful.raw)
    assert not colours.search(plain.raw)


@pytest.mark.thorough
def test_a_small_window_says_so(terminals: list[Terminal]) -> None:
    arguments = ("connect-four-1.0", "empty-board", "--side", "Red")
    terminal = opened(terminals, *arguments, columns=70, rows=20)
    terminal.wait_for("needs 80 by 24")
    terminal.press("\x03")

    assert 130 == terminal.wait_for_end()


@pytest.mark.thorough
def test_a_game_is_played_to_its_end(terminals: list[Terminal]) -> None:
    terminal = opened(terminals, "goofspiel-1.0", "full-hands", "--side", "Ann", "--seed", "1")
    for number in range(1, 13):  # the last card is played by itself
        terminal.wait_for(f" 1 bid {number} ")
        terminal.press("1\r")
    terminal.wait_for("Enter leaves.")
    terminal.press("\r")

    assert 0 == terminal.wait_for_end()
    assert " wins" in terminal.raw.decode(errors="replace")


def test_the_prompt_is_still_there_line_by_line(terminals: list[Terminal]) -> None:
    arguments = ("connect-four-1.0", "empty-board", "--side", "Red", "--prompt")
    terminal = opened(terminals, *arguments)
    terminal.wait_for("choose an action (1-7)")

    assert b"\x1b[?1049h" not in terminal.raw


def test_opponents_are_the_same_as_at_the_prompt() -> None:
    rules = hr.load("breakthrough-1.0")
    seat = Seat(rules.start("two-ranks", seed=1), "Black", Opponent())
    seat.begin()

    assert ("Black",) == seat.game.to_move
    assert 1 == len(seat.game.moves)


def test_short_values_of_a_game_without_a_map_share_rows() -> None:
    rules = hr.load("lords-of-scotland")
    seat = Seat(rules.start("3-players", seed=2), "P1")
    seat.begin()
    rows = hr.draw.text_board(seat.game, "P1").text.splitlines()

    assert rows[0].startswith(" hand of P1")
    assert any(row.count("recruit ") == 2 for row in rows)
    assert all(len(row) <= WIDTH for row in rows)


def test_a_group_of_actions_has_the_form_of_their_text() -> None:
    rules = hr.load("lords-of-scotland")
    seat = Seat(rules.start("3-players", seed=2), "P1")
    seat.begin()
    titles = [choice.title for choice in Grouping(rules).choices(seat.actions)]

    assert "take … (5)" in titles
    assert len(titles) == len(set(titles))
