"""Positions: read with every fault at once, written so that they read back, refused where they cannot be."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hots_rules as hr
from tests.folders import TESTS
from tests.playing import TINY, assert_sound, last_of, ruleset_of


@cache
def shared_rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


QUIET = (TESTS / "positions" / "quiet.txt").read_text(encoding="utf-8")


@cache
def start() -> str:
    return shared_rules().start("braveheart", seed=1).position


def _faults(text: object, ruleset: hr.Ruleset | None = None) -> tuple[str, ...]:
    rules = ruleset or shared_rules()
    with pytest.raises(hr.BadPosition) as error:
        rules.position(text)  # type: ignore[arg-type]
    assert all(fault in str(error.value) for fault in error.value.faults[:3])
    return error.value.faults


# ------------------------------------------------------------------ what is read
def test_a_position_begins_a_game_turn() -> None:
    game = shared_rules().position(QUIET, seed=1)

    assert ("England", "Scotland") == game.to_move
    assert "play_cards" == game.phase
    assert 1298 == game.state["year"]
    assert_sound(game)


def test_a_position_begins_a_winter() -> None:
    text = TESTS.joinpath("positions", "winter-calm.txt").read_text(encoding="utf-8")
    game = shared_rules().position(text, seed=1)

    assert game.state["year_over"]
    assert ("England",) == game.to_move
    assert "home" in {action.name.rpartition("_")[2] for action in game.actions}


@pytest.mark.parametrize(
    "line",
    [
        "French_Knights: place Aside, side Scotland",
        "French Knights: place Aside, side Scotland",
        "french knights : PLACE aside ,Side scotland",
        "FRENCH   KNIGHTS:place Aside,side Scotland,strength 0",
        "  French Knights: side Scotland  # a comment: with a colon",
        "Block.French_Knights: side Scotland, place Aside",
    ],
)
def test_names_labels_capitals_and_spaces_do_not_matter(line: str) -> None:
    lines = [said for said in start().splitlines() if not said.startswith("French")]
    game = shared_rules().position("\n".join([*lines, line]), seed=0)

    if "place" in line.lower():
        assert shared_rules().position(start(), seed=0) == game
    else:
        assert "Pool" == game.state["place", "French_Knights"]


def test_what_is_not_said_is_at_its_initial_value() -> None:
    game = small().position("Hen: owner Blue", seed=0)

    assert small().start("short").state == game.state
    assert "Hen: owner Blue\n" == game.position


def test_every_kind_of_value_is_written_and_read() -> None:
    text = "turn 3\ntired {Fox, Dog}\nfavourite Hen\nFox: at Far_East\nRed, Far_East: gold 3\n"

    assert text == small().position(text, seed=0).position
    assert (
        text
        == small()
        .position(
            "Favourite hen\nred,far east:gold 3\nturn 3\ntired {dog,Fox}\nFOX: at far_east", seed=0
        )
        .position
    )
    assert (
        small().position("favourite none\ntired {}", seed=0).position
        == small().position("", seed=0).position
    )


def test_the_order_of_lines_does_not_matter() -> None:
    lines = start().splitlines()
    Random(1).shuffle(lines)

    assert shared_rules().position(start(), seed=0) == shared_rules().position(
        "\n".join(lines), seed=0
    )


def test_a_line_holds_several_statements_and_shorthand() -> None:
    text = "tired {Fox}; favourite Hen # a comment; not read\nat Fox Far_East Hen North; turn 3"
    lines = "tired {Fox}\nfavourite Hen\nFox: at Far_East\nHen: at North\nturn 3"

    assert small().position(lines, seed=1) == small().position(text, seed=1)


def test_a_position_like_a_scenario_says_only_what_differs() -> None:
    game = shared_rules().position("like braveheart; year 1300; place Wallace 2 Selkirk", seed=1)
    lines = start().replace("Wallace: place Fife, strength 4", "Wallace: place Selkirk, strength 2")

    assert shared_rules().position(f"year 1300\n{lines}", seed=1) == game
    assert hr.replay(str(game.record)) == game


def test_what_a_position_is_like_comes_first_and_exists() -> None:
    assert _faults("year 1300\nlike braveheart\nlike nothing") == (
        "line 2: expected `like braveheart` before all other lines",
        "line 3: expected `like nothing` before all other lines",
    )
    assert _faults("like braveheart; like braveheart") == (
        "line 1: expected `like braveheart` before all other lines",
    )
    assert _faults("like the-brace; yaer 1300") == (
        "line 1, like: expected a scenario, got `the-brace`; did you mean `the-bruce`?",
        "line 1: expected a variable, got `yaer`; did you mean `year`?",
    )


# ------------------------------------------------------------------ faults
def test_every_fault_comes_at_once_with_its_line_and_a_near_miss() -> None:
    faults = _faults(
        """
        yaer 1298
        year 1200
        Walace: place Fife
        Wallace: plaice Fife
        Wallace: place Fief
        Wallace: strength 5
        Wallace: strength -1
        Wallace: strength three
        Wallace: strength
        Wallace: side Norway
        Wallace: year 1298
        Wallace:
        strength 3
        England: hand 2
        England, Move 4: hand 2
        attacked Fife
        England: attacked {Fife, Fief}
        England: attacked {Fife
        truce maybe
        pillaging perhaps
        Bruce: side Scotland
        Bruce: side England
        Comyn: side England, side England
        """
    )

    assert faults == (
        "line 2: expected a variable, got `yaer`; did you mean `year`?",
        "line 3, year: expected a number of 1297..2000, got `1200`",
        "line 4, place of Walace: expected a value of Block, got `Walace`; did you mean `Wallace`?",
        "line 5, Wallace: expected a variable, got `plaice`; did you mean `place`?",
        "line 6, place of Wallace: expected a value of Place, got `Fief`; did you mean `Fife`?",
        "line 7, strength of Wallace: expected a number of 0..4, got `5`",
        "line 8, strength of Wallace: expected a number of 0..4, got `-1`",
        "line 9, strength of Wallace: expected a number of 0..4, got `three`",
        "line 10, strength of Wallace: expected a number of 0..4, got ``",
        "line 11, side of Wallace: expected a value of Side, got `Norway`; choose one of `England`, `Scotland`",
        "line 12, year of Wallace: expected `year …`, got 1 key before the colon",
        "line 13, Wallace: expected `variable value` after the colon, got nothing",
        "line 14, strength: expected a value of Block, got `3`",
        "line 15, hand of England: expected `Side, Card: hand …`, got 1 key before the colon",
        "line 16, hand of England, Move 4: expected a value of Card, got `Move 4`; did you mean `Move_1`?",
        "line 17, attacked: expected a value of Side, got `Fife`; choose one of `England`, `Scotland`",
        "line 18, attacked of England: expected a value of Area, got `Fief`; did you mean `Fife`?",
        "line 19, attacked of England: expected a set in braces, got `{Fife`",
        "line 20, truce: expected a value of Side?, got `maybe`; choose one of `England`, `Scotland`, `none`",
        "line 21, pillaging: expected yes or no, got `perhaps`",
        "line 23, side of Bruce: expected one value, got one on line 22 already",
        "line 24, side of Comyn: expected one value, got one here already",
    )


def test_sixty_blocks_in_one_area_are_too_many_lines_for_the_blocks_there_are() -> None:
    blocks = [
        f"{name}: place Fife, strength 2"
        for name in shared_rules().start("braveheart").state["place"]
    ]
    faults = _faults("\n".join((blocks * 2)[:60]))

    assert 34 == len(faults)
    assert "line 44, place of Wallace: expected one value, got one on line 1 already" == faults[0]
    assert any("own-colours" in fault for fault in _faults("\n".join(blocks)))


def test_both_sides_missing_is_no_position() -> None:
    faults = _faults("")

    assert any("nobles-in-play" in fault and "§" in fault for fault in faults)


@pytest.mark.parametrize(
    ("line", "old", "new", "rule"),
    [
        (
            "Wallace: side Scotland, place Fife, strength 4",
            "strength 4",
            "strength 0",
            "strength-within",
        ),
        ("Wallace: side Scotland, place Fife, strength 4", "Scotland", "England", "own-colours"),
        ("Fraser: side Scotland, place Moray, strength 3", "3", "4", "strength-within-bounds"),
        ("Campbell: side Scotland, place Pool, strength 0", "0", "1", "strength-within-bounds"),
        (
            "Bruce: side Scotland, place Annan, strength 4",
            "Annan, strength 4",
            "Dead",
            "nobles-in-play",
        ),
        ("Scotland, Truce: hand 1", "1", "2", "cards"),
        ("Scotland, Truce: hand 1", "1", "0", "cards-in-hand"),
    ],
)
def test_a_position_keeps_the_invariants_of_the_rules(
    line: str, old: str, new: str, rule: str
) -> None:
    assert 1 == QUIET.count(line)
    faults = _faults(QUIET.replace(line, line.replace(old, new)))
    name = line.partition(":")[0]
    culprit = name.rpartition(", ")[2] if rule == "cards" else name.partition(",")[0]

    assert any(f"`{rule}" in fault and f"it fails for {culprit}" in fault for fault in faults)
    assert all("§" in fault for fault in faults)


def test_the_area_at_fault_is_named() -> None:
    (fault,) = _faults(
        QUIET.replace("Wallace: side Scotland, place Fife", "Wallace: side Scotland, place Lothian")
    )

    assert fault.endswith("attacks it. §4.5 §5.0; it fails for Lothian")


def test_many_members_at_fault_are_counted() -> None:
    faults = _faults("")

    assert any("`nobles-in-play`" in fault and fault.endswith(" and 10 more") for fault in faults)


@pytest.mark.parametrize(
    "text", [None, 7, b"year 1298", ["year 1298"], QUIET.encode()], ids=lambda text: repr(text)[:20]
)
def test_a_position_is_a_text(text: object) -> None:
    assert ("expected a position as text",) == tuple(fault.split(",")[0] for fault in _faults(text))


@pytest.mark.parametrize(
    "text",
    ["x" * 300_000, "x\n" * 90_000, ":" * 100_000, "{" * 100_000, "," * 100_000, "Wallace: " + "strength 1," * 15_000,
     "turncoats: " * 10_000, "year " + "9" * 100_000, "\x00" * 1000, "\ud800: place Fife", "year \ud800", "#" * 100_000,
     "year 1298 1299", "year=1298", "{}: place Fife", "Wallace: place {Fife}",
     "England: attacked {{Fife}}", "(: place Fife"],
    ids=lambda text: f"{text[:12]!r} {len(text)}",
)  # fmt: skip
def test_nonsense_is_refused_in_little_time_and_few_words(text: str) -> None:
    faults = _faults(text)

    assert 1 <= len(faults) <= 201
    assert all(len(fault) < 400 for fault in faults)


def test_shorthand_of_too_many_words_is_refused() -> None:
    names = list(shared_rules().start("braveheart").state["place"])[:30]
    line = "place " + " ".join(f"{name} 1 Fife" for name in names)
    count = len(line.split())

    [fault] = _faults(f"like braveheart\n{line}")
    assert f"line 2, place: expected at most 60 words, got {count}; use several lines" == fault


def test_a_ruleset_may_have_no_positions() -> None:
    none = ruleset_of(TINY.replace("positions begin at game\n", "").replace("tiny-1.0", "none-1.0"))

    assert "add `positions begin at PHASE`" in _faults("", none)[0]


def test_a_position_that_play_cannot_go_on_from_is_refused() -> None:
    # The phase draws from those who are tired, and nobody is.
    broken = ruleset_of(
        TINY.replace("tiny-1.0", "draw-1.0").replace(
            "    day()", "    draw p from tired\n    favourite := p\n    day()"
        )
    )

    assert "play cannot go on from this position" in _faults("", broken)[0]


@given(st.data())
@settings(max_examples=80)
def test_a_damaged_position_is_a_game_or_says_what_is_wrong(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(QUIET)))
    cut = data.draw(st.integers(0, 40))
    text = QUIET[:at] + data.draw(st.text(max_size=5)) + QUIET[at + cut :]
    try:
        game = shared_rules().position(text, seed=0)
    except hr.BadPosition as error:
        assert error.faults
    else:
        assert_sound(game)


def pieces() -> list[str]:
    return list(shared_rules().start("braveheart").state["place"])


@pytest.mark.thorough
@given(st.lists(st.tuples(st.builds(pieces).flatmap(st.sampled_from),
                          st.sampled_from(["Fife", "England", "Pool", "Dead", "Aside", "Moray"]),
                          st.integers(0, 4), st.sampled_from(["England", "Scotland"])),
                max_size=12, unique_by=lambda row: row[0]))  # fmt: skip
@settings(max_examples=60)
def test_any_placing_of_blocks_is_a_game_that_goes_on_or_is_refused(
    rows: list[tuple[str, str, int, str]],
) -> None:
    own = {name for name, *_ in rows}
    lines = [line for line in start().splitlines() if line.partition(":")[0] not in own]
    lines += [f"{b}: place {a}, strength {n}, side {s}" for b, a, n, s in rows]
    try:
        game = shared_rules().position("\n".join(lines), seed=1)
    except hr.BadPosition as error:
        assert error.faults
    else:
        game = last_of(game, Random(1), 40)
        assert_sound(game)


def test_a_number_below_zero_is_in_no_set_of_numbers() -> None:
    rules = hr.load("connect-four-1.0")
    game = rules.start("empty-board", seed=1)
    begun = game.play(game.actions[0]).position

    with pytest.raises(hr.BadPosition, match="Red has as many discs as Yellow, or one more"):
        rules.position(begun.replace("disc Red", "disc Yellow"))


def test_a_colon_after_a_variable_without_keys_is_told_how_to_write_it() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1)

    with pytest.raises(hr.BadPosition, match="write `year 1299`, as `year` has no keys"):
        game.with_position_changes("year: 1299")
