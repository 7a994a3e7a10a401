"""Twins on every surface: what a player is shown is the same in games that he cannot tell apart."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest

import hots_rules as hr
from tests.needs import needs
from tests.observe import surfaces
from tests.observe.answers import Answer, asked_of
from tests.observe.twins import Twin, continued, shown, twins_at
from tests.playing import last_of


def twins(name: str, seed: int, plays: int) -> list[Twin]:
    """Twins of a random game, of a player who is to choose."""
    rules = hr.load(name)
    game = last_of(rules.start(rules.scenarios[0], seed=seed), Random(seed), plays)
    return continued(twins_at(game, game.to_move[0], "dice", 1), 1, Random(seed))


GAMES = [("hots-4.0", 5, 30), ("lords-of-scotland", 3, 12), ("goofspiel-1.0", 2, 5)]


def assert_alike(answer: Answer, among: list[Twin]) -> None:
    asked = asked_of(among[0], Random(7))
    first, *others = (shown(answer(twin, asked)) for twin in among)
    assert others
    for other in others:
        assert first == other


def test_every_surface_for_players_is_asked() -> None:
    """A new method, tool or command is added to `surfaces`, or to what shows no game with the reason."""
    needs("pettingzoo"), needs("pyspiel")
    assert surfaces.methods_for_players() == (
        surfaces.ADAPTERS.keys() | surfaces.ADAPTERS_SHOW_NO_GAME.keys()
    )
    assert surfaces.tools_about_a_game() == surfaces.TOOLS.keys()
    assert surfaces.commands_of_the_prompt() == (
        surfaces.AT_THE_PROMPT.keys() | surfaces.PROMPT_SHOWS_NO_GAME.keys()
    )


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "seed", "plays"), GAMES)
@pytest.mark.parametrize("method", sorted(surfaces.ADAPTERS))
def test_adapters(name: str, seed: int, plays: int, method: str) -> None:
    needs("pettingzoo"), needs("pyspiel")
    assert_alike(lambda twin, _: surfaces.ADAPTERS[method](twin), twins(name, seed, plays))


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "seed", "plays"), GAMES)
def test_assistants(name: str, seed: int, plays: int) -> None:
    among = twins(name, seed, plays)
    for tool in surfaces.TOOLS:
        assert_alike(surfaces.tool(tool), among)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "seed", "plays"), GAMES)
def test_the_prompt(name: str, seed: int, plays: int) -> None:
    among = twins(name, seed, plays)
    for command, lines in surfaces.AT_THE_PROMPT.items():
        assert_alike(surfaces.typed(lines, command), among)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "seed", "plays"), GAMES)
def test_the_screen(name: str, seed: int, plays: int) -> None:
    assert_alike(surfaces.screen, twins(name, seed, plays))


@pytest.mark.nightly
@pytest.mark.parametrize("name", hr.rulesets())
def test_no_surface_tells_twins_apart(name: str) -> None:
    """At random moments of random games; the date is the seed."""
    rules = hr.load(name)
    answers = [
        *(lambda twin, _, ask=ask: ask(twin) for ask in {*surfaces.ADAPTERS.values()}),
        *(surfaces.tool(tool) for tool in surfaces.TOOLS),
        *(surfaces.typed(lines, command) for command, lines in surfaces.AT_THE_PROMPT.items()),
        surfaces.screen,
    ]
    for number in range(20):
        chance = Random(f"{date.today()}/{name}/{number}")
        begun = rules.start(chance.choice(rules.scenarios), seed=str(chance.random()))
        game = last_of(begun, chance, chance.randrange(120))
        if game.is_over:
            continue
        try:
            among = twins_at(game, chance.choice(game.to_move), "dice", 1)
        except hr.NoConsistentWorld:  # the search is bounded, so another game is taken
            continue
        among = continued(among, chance.randrange(3), chance)
        if among[0].player not in among[0].game.to_move:
            continue
        for answer in answers:
            assert_alike(answer, among)
