"""A record that is looked at: checked, shown at each moment, asked about; who looks at it knows all of it."""

from __future__ import annotations

from functools import lru_cache

import hots_rules as hr
from hots_rules.web.answering.odds import odds_ends, odds_ends_now, odds_for_all_knowing
from hots_rules.web.answering.position import MAX_ACTIONS
from hots_rules.web.answering.seat import about, log_entries, moment_of, unusual_settings
from hots_rules.web.games.open_from_log import replayed, ruleset_named
from hots_rules.web.replies import Film, OddsTold, RecordFacts, RecordMoment, Said
from hots_rules.web.storage.rows import ActionRow, GameRow

LIMITS = hr.Limits(record_bytes=1_000_000, record_actions=5_000)
OPEN_RECORDS = 8  # that a process keeps


@lru_cache(OPEN_RECORDS)
def _game_of(text: str) -> hr.Game:
    """The game of a record of a ruleset that the game server has; texts of rulesets in it are not taken.

    Raises:
        HotsError: the text is no record, its ruleset is not here, or it does not replay.
    """
    record = hr.Record.parse(text, limits=LIMITS)
    return hr.replay(record, ruleset_named(record.ruleset), limits=LIMITS)


@lru_cache(OPEN_RECORDS)
def ruleset_of_record(text: str) -> str:
    """The name of the ruleset of a record, which is not loaded.

    Raises:
        HotsError: the text is no record.
    """
    return hr.Record.parse(text, limits=LIMITS).ruleset


def facts_of_record(text: str, language: str) -> RecordFacts:
    """What a record is of.

    Raises:
        HotsError: the text is no record, its ruleset is not here, or it does not replay.
    """
    game = _game_of(text).in_language(language)
    rules = game.ruleset
    return {
        "ruleset": rules.name,
        "title": rules.title,
        "scenario": rules.scenario_title(game.scenario) if game.scenario else "",
        "players": dict(zip(rules.players, rules.labels.players, strict=True)),
        "settings": unusual_settings(game),
        "plays": len(game.moves),
        "outcome": None if game.outcome is None else str(game.outcome),
        "is_sealed": bool(hr.Record.parse(text, limits=LIMITS).seal),
        "odds": odds_ends(game),
    }


def moment_of_record(text: str, language: str, plays: int, player: str | None) -> RecordMoment:
    """The game after a number of plays; with a player, as that player saw it.

    Raises:
        ArgumentError: the game has not so many plays, or no such player.
    """
    then = _at(text, language, plays)
    seen = moment_of(_game_of(text).in_language(language), player, plays)
    is_whole = player is None
    return {
        **seen,
        "board": then.draw(live=True) if is_whole else seen["board"],
        "facts": then.position if is_whole else seen["facts"],
        "log": list(log_entries(then.trace)) if is_whole else seen["log"],
        "actions": []
        if then.is_over
        else [
            action.text
            for action in then.actions[:MAX_ACTIONS]
            if is_whole or action.player == player
        ],
        "odds": [] if then.is_over else odds_ends_now(then),
        "position": then.position + then.moment,
    }


def asked_of_record(text: str, language: str, plays: int, words: str) -> Said:
    """The answer to a question about a moment of a record.

    Raises:
        HotsError: there is no such moment, or the question is not understood.
    """
    return {"text": about(_at(text, language, plays), None, words)}


def odds_of_record(text: str, language: str, plays: int, until: str, action: str) -> OddsTold:
    """The odds at a moment of a record.

    Raises:
        HotsError: there is no such moment, or the odds cannot be computed.
    """
    return odds_for_all_knowing(_at(text, language, plays), until, action)


def film_of_record(text: str, language: str) -> Film:
    """The game of a record as an animated picture."""
    return {"svg": hr.draw.film(_game_of(text).in_language(language))}


def film_of_game(row: GameRow, actions: list[ActionRow], language: str) -> Film:
    """A game of the game server as an animated picture, with all that was hidden."""
    return {"svg": hr.draw.film(replayed(row, actions).in_language(language))}


def _at(text: str, language: str, plays: int) -> hr.Game:
    game = _game_of(text).in_language(language)
    if not 0 <= plays <= len(game.moves):
        raise hr.BadArgument("plays", plays, f"a number from 0 to {len(game.moves)}")
    return game.back(len(game.moves) - plays)
