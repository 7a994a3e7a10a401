"""An untrusted ruleset, tried: checked, compiled, and played at random. It runs in a process of its own alone."""

from __future__ import annotations

from time import monotonic

import hots_rules as hr
from hots_rules.web.replies import TriedRuleset

SECONDS_OF_PLAY = 5.0
MAX_GAMES = 50
LIMITS = hr.Limits(play_steps=20_000_000, actions=20_000)


def tried(path: str, language: str) -> TriedRuleset:
    """What a ruleset in a file is, with its faults; without any, how random games of its first scenario end.

    Raises:
        HotsError: play cannot go on somewhere, or there is no scenario.
    """
    nothing: TriedRuleset = {
        "faults": "",
        "title": "",
        "players": [],
        "scenario": "",
        "games": 0,
        "decisions": 0,
        "winners": [],
        "board": "",
    }
    try:
        rules = hr.load(path, limits=LIMITS)
    except hr.RulesetError as error:
        return {**nothing, "faults": hr.diagnostics.printable(str(error))}
    if language in rules.languages:
        rules = rules.in_language(language)
    scenario = rules.scenarios[0]
    played = hr.analysis.SimulationRun(rules, scenario, "tried", backend="python")
    end = monotonic() + SECONDS_OF_PLAY
    while played.games < MAX_GAMES and monotonic() < end:
        played.play_one()
    result = played.result()
    words = dict(zip(rules.players, rules.labels.players, strict=True))
    return {
        **nothing,
        "title": rules.title,
        "players": rules.labels.players,
        "scenario": rules.scenario_title(scenario),
        "games": result.games,
        "decisions": result.decisions,
        "winners": [
            {"text": words.get(player, player), "share": round(wins / result.games, 4)}
            for player, wins in result.wins.items()
            if wins
        ],
        "board": rules.start(scenario, seed="tried").draw(live=True),
    }
