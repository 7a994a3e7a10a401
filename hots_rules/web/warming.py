"""Loads rulesets, and what answers about them need, before the game server is ready: else the first requests wait."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import hots_rules as hr
from hots_rules.web.answering.position import form_of
from hots_rules.web.answering.seat import about, preview_of, rules_of_section, state_of, why_not
from hots_rules.web.games.open_from_log import ruleset_named
from hots_rules.web.workers import end_with_parent

SLOW = 4.0  # seconds of a processor: a ruleset that takes longer was not in the cache, as others may not be either
_WORDS = (
    "xyzzy"  # a question that nothing answers, so that the library looks through all that it knows
)


def warm(names: Sequence[str], on_progress: Callable[[int], None] = lambda count: None) -> None:
    """Load rulesets, and answer a first question of each kind about them in every language that they have.

    What is not in the cache yet is compiled by as many processes as there are processors.

    Args:
        names: the rulesets, as `hr.rulesets` lists them.
        on_progress: is told how many are loaded.
    """
    helpers: multiprocessing.pool.Pool | None = None
    try:
        for count, name in enumerate(names):
            on_progress(count)
            begun = time.process_time()
            _warm_one(name)
            left = names[count + 1 :]
            if time.process_time() - begun > SLOW and helpers is None and len(left) > 1:
                spawning = multiprocessing.get_context("spawn")
                helpers = spawning.Pool((os.cpu_count() or 1), end_with_parent)
                # They fill the cache from the end; the loop goes on till it meets them.
                helpers.map_async(_warm_one, reversed(left), chunksize=1)
        on_progress(len(names))
    finally:
        if helpers is not None:
            helpers.terminate()


def _warm_one(name: str) -> None:
    """Load a ruleset as the game server uses it."""
    rules = ruleset_named(name)
    if not rules.scenarios:
        return
    form_of(rules)
    game = rules.start(rules.scenarios[0], seed="warm")
    for language in rules.languages:
        _ask_all(game.in_language(language))
    if not game.is_over:
        _ask_all(game.play_code(game.legal_codes[0]))


def _ask_all(game: hr.Game) -> None:
    player = next((name for name in game.to_move if name in game.ruleset.players), None)
    for viewer in (*game.ruleset.players, None):
        state_of(game, viewer)
    if player is None:
        return
    action = next((action.text for action in game.actions if action.player == player), "")
    for ask in (why_not, about):
        for words in (_WORDS, action, player):
            with suppress(hr.HotsError):
                ask(game, player, words)
    with suppress(hr.HotsError):
        preview_of(game, player, action)
    for section in list(hr.explain.section_headings(game.ruleset))[:1]:
        rules_of_section(game.ruleset, section)
