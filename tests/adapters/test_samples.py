"""Whole games of the samples through the adapter for OpenSpiel."""

from __future__ import annotations

from random import Random

import pytest

from tests.needs import needs

needs("pyspiel")

import hots_rules as hr
from hots_rules.adapters import open_spiel
from tests.playing import SAMPLES


@pytest.mark.thorough
@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_game_is_played_by_open_spiel(name: str) -> None:
    game = open_spiel.game(name, hr.load(name).scenarios[0])
    state, chooser = game.new_initial_state(), Random(name)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, weights)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))

    assert len(state.returns()) == game.num_players()
    assert -1e-9 < sum(state.returns()) < 1e-9
