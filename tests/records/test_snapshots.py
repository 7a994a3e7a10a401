"""Snapshots: a game that is opened from one answers as a game that was replayed; one that does not fit is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.observe.information_state import information_state, last_decision
from hots_rules.records.hash_chain import digest

QUICK = (
    ("hots-4.0", "braveheart", 30),
    ("lords-of-scotland", "2-players", 30),
    ("backgammon-1.0", "opening", 60),
    ("connect-four-1.0", "empty-board", 60),
    ("dominoes-1.0", "full-bag", 60),
    ("goofspiel-1.0", "full-hands", 60),
)
WHOLE = 3000  # plays: no game is longer
SCENARIOS = (
    ("hots-4.0", "braveheart", WHOLE),
    ("hots-4.0", "the-bruce", WHOLE),
    ("hots-3.x", "braveheart", WHOLE),
    ("hots-2.3", "braveheart", WHOLE),
    ("hots-player-aid", "braveheart", WHOLE),
    ("lords-of-scotland", "2-players", WHOLE),
    ("lords-of-scotland", "5-players", WHOLE),
    ("backgammon-1.0", "opening", WHOLE),
    ("breakthrough-1.0", "two-ranks", WHOLE),
    ("reversi-1.0", "four-discs", WHOLE),
)
SEED = "1297"


def moments(game: hr.Game, seed: int, times: int, plays: int = WHOLE) -> Iterator[hr.Game]:
    """A random game, at some of its moments and at its end, or after a number of plays."""
    random, found = Random(seed), [game]
    while not game.is_over and len(game.moves) < plays:
        game = game.play_code(random.choice(game.legal_codes))
        found.append(game)
    yield from random.sample(found, times)
    yield found[-1]


def replayed(begun: hr.Game, game: hr.Game) -> hr.Game:
    for move in game.moves:
        begun = begun.play_code(move)
    return begun


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ruleset", "scenario", "plays"),
    [*QUICK, *(pytest.param(*each, marks=pytest.mark.nightly) for each in SCENARIOS)],
)
def test_a_game_from_a_snapshot_is_as_the_replayed_one(
    ruleset: str, scenario: str, plays: int
) -> None:
    times = 12 if plays == WHOLE else 1
    begun = hr.load(ruleset).start(scenario, seed=SEED)
    for game in moments(begun, times, times, plays):
        text = hr.formats.snapshot(game)
        opened, expected = (
            hr.formats.from_snapshot(text, begun, game.moves),
            replayed(begun, game),
        )
        assert hr.formats.snapshot(opened) == text
        assert opened == expected
        for viewer in range(-1, len(begun.ruleset.players)):
            assert observed(opened, viewer) == observed(expected, viewer)
            assert last_decision(opened, viewer) == last_decision(expected, viewer)
        assert told(opened) == told(expected)


def observed(game: hr.Game, viewer: int) -> object:
    """What a viewer has observed; the reason of an end has another number where plays are traced."""
    state = information_state(game, viewer)
    return evolve(state, slots=()) if game.is_over else state


def told(game: hr.Game) -> list[object]:
    """What a game tells each player and a spectator, in two languages, and after another play or two plays less."""
    found: list[object] = [str(game.record), game.trace, game.position]
    french = game.in_language("fr")
    for player in (*game.ruleset.players, None):
        found += [
            hr.to_json(game.view(player, since=since)) for since in (0, max(len(game.moves) - 3, 0))
        ]
        found += [hr.to_json(french.view(player, since=max(len(game.moves) - 70, 0)))]
        found += [game.draw(player, live=True, public=True), game.observed_trace(player)]
    for player in game.ruleset.players[:2]:
        found += [game.undo_limit(player), [w.state.slots for w in game.worlds(player, 1)]]
    if game.moves:
        before = game.back(min(len(game.moves), 2))
        found += [hr.to_json(before.view(player)) for player in game.ruleset.players]
    for action in game.actions[:1]:
        after = game.play(action)
        found += [hr.to_json(after.view(player, since=0)) for player in game.ruleset.players]
        found += [str(after.record), str(after.why_not(action))]
    return found


def test_chance_that_is_asked_for_is_in_snapshots_too() -> None:
    begun = hr.load("hots-4.0").start("braveheart", seed=SEED, chance="ask")
    compared = 0
    for game in moments(begun, 3, 8, 60):
        opened = hr.formats.from_snapshot(hr.formats.snapshot(game), begun, game.moves)
        expected = replayed(begun, game)
        for player in game.ruleset.players:
            assert opened.view(player, since=0) == expected.view(player, since=0)
            assert last_decision(opened, 0) == last_decision(expected, 0)
        compared += game.is_chance
    assert compared


# ------------------------------------------------------------------ what does not fit
@pytest.fixture(scope="module")
def game() -> hr.Game:
    begun = hr.load("hots-4.0").start("braveheart", seed=SEED)
    return next(iter(moments(begun, 1, 1, 150)))


def beginning(**changes: object) -> hr.Game:
    choices = {"scenario": "braveheart", "seed": SEED, **changes}
    return hr.load("hots-4.0").start(**choices)


def test_a_snapshot_of_another_game_or_moment_is_refused(game: hr.Game) -> None:
    text = hr.formats.snapshot(game)
    other_code = next(code for code in range(10_000) if code != game.moves[-1])
    for begun, moves in (
        (beginning(seed="1298"), game.moves),
        (beginning(options={"schiltroms": True}), game.moves),
        (beginning(scenario="the-bruce"), game.moves),
        (beginning(), game.moves[:-1]),
        (beginning(), (*game.moves[:-1], other_code)),
        (hr.load("hots-3.x").start("braveheart", seed=SEED), game.moves),
    ):
        with pytest.raises(hr.BadMessage, match="of another game or moment"):
            hr.formats.from_snapshot(text, begun, moves)


@pytest.mark.thorough
def test_any_damage_is_noticed(game: hr.Game) -> None:
    text, random = hr.formats.snapshot(game), Random(5)
    for _ in range(300):
        at = random.randrange(len(text))
        damaged = random.choice(
            (
                text[:at],
                text[:at] + random.choice("0123456789 \n;=-x") + text[at + 1 :],
                text[:at] + text[at + 1 :],
                text + text[at:],
            )
        )
        if damaged != text:
            with pytest.raises(hr.BadMessage):
                hr.formats.from_snapshot(damaged, beginning(), game.moves)


def sealed(lines: list[str]) -> str:
    return "\n".join([*lines, f"seal {digest(lines)}\n"])


@pytest.mark.thorough
def test_what_no_state_holds_is_refused_even_under_a_seal(game: hr.Game) -> None:
    *lines, _, _ = hr.formats.snapshot(game).split("\n")
    assert hr.formats.from_snapshot(sealed(lines), beginning(), game.moves) == game
    random, refused = Random(6), 0
    for _ in range(200):
        at = random.randrange(len(lines))
        damaged = list(lines)
        match random.randrange(4):
            case 0:
                del damaged[at]
            case 1:
                damaged[at] = damaged[random.randrange(len(lines))]
            case 2:
                words = damaged[at].split(" ")
                words[random.randrange(len(words))] = random.choice(
                    ("", "-1", "00", "9" * 30, "9" * 9999, "x", "1=1", str(1 << 300))
                )
                damaged[at] = " ".join(words)
            case 3:
                damaged.insert(at, damaged[random.randrange(len(lines))])
        try:
            opened = hr.formats.from_snapshot(sealed(damaged), beginning(), game.moves)
        except hr.BadMessage:
            refused += 1
        else:
            assert opened.view("England").plays == len(game.moves)
    assert refused > 100


@pytest.mark.parametrize("letter", ["0", "é"])
def test_a_text_that_is_too_long_is_refused_at_once(letter: str, game: hr.Game) -> None:
    text = letter * (8_000_001 // len(letter.encode()) + 1)
    with pytest.raises(hr.BadMessage, match="more than"):
        hr.formats.from_snapshot(text, beginning(), game.moves)


def test_a_sampled_world_has_no_snapshot(game: hr.Game) -> None:
    (world,) = game.worlds("England", 1)
    with pytest.raises(hr.BadMessage, match="sampled world"):
        hr.formats.snapshot(world)
