"""Cases as games: the position at which a case begins, and its actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

from hots_rules.analysis.casebook import Case, parse_entries, parse_settings, read_limited
from hots_rules.diagnostics import HotsError
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset

MAX_SHOWN = 40
G = TypeVar("G", bound=BaseGame)


def start_case(case: Case, ruleset: BaseRuleset[G]) -> G:
    """The game at the beginning of a case, with outcomes of chance as actions.

    Raises:
        BadCase: the position that it names does not exist.
        BadPosition: the ruleset does not allow the position.
        UnknownOption: the ruleset does not have a scenario, option, reading or value.
    """
    options = parse_settings(case.parts.get("options", []))
    readings = parse_settings(case.parts.get("readings", []))
    words = " ".join(case.parts.get("like", [])).split()
    if words[:1] == ["scenario"]:
        scenario = " ".join(words[1:])
        return ruleset.start(scenario, options=options, readings=readings, chance="ask", seed=1)
    position = _position_text(case, ruleset.name)
    return ruleset.position(position, options=options, readings=readings, chance="ask", seed=1)


def _position_text(case: Case, edition: str) -> str:
    entries = position_entries(case) | parse_entries(case.lines("set", edition))
    return "\n".join(
        f"{keys}: {name} {value}" if keys else f"{name} {value}"
        for (keys, name), value in entries.items()
    )


def position_entries(case: Case) -> dict[tuple[str, str], str]:
    """The position that a case names, as (keys, variable) → value; empty for a scenario.

    Raises:
        BadCase: the position does not exist.
    """
    name = " ".join(case.parts.get("like", []))
    if not name or name.startswith("scenario "):
        return {}
    for folder in case.position_folders:
        if re.fullmatch(r"[\w-]+", name) and (path := folder / f"{name}.txt").is_file():
            return parse_entries(read_limited(path).splitlines())
    raise case.error(f"no position `{name[:60]}`; `like:` names a file of the folder `positions`")


def case_games(case: Case, game: G) -> Iterator[G]:
    """The game after each action of a case, and after each outcome of chance where it says `auto`.

    Raises:
        BadCase: an action cannot be played.
    """
    for line in case.lines("play", game.ruleset.name):
        if line == "auto":
            for after in _middle_outcomes(game):
                game = after
                yield game
            continue
        try:
            game = game.play(line)
        except HotsError as error:
            legal = "\n  ".join(action.text for action in game.actions[:MAX_SHOWN])
            raise case.error(f"`{line}`: {error}\nlegal now, in {game.phase}:\n  {legal}") from None
        yield game


def _middle_outcomes(game: G) -> Iterator[G]:
    """The game after each outcome of chance, until a player is to choose.

    The middle one of the possible outcomes is taken, so that cases are deterministic.
    """
    while game.to_move == ("chance",):
        outcomes = game.actions
        game = game.play(outcomes[len(outcomes) // 2])
        yield game


def play_case(case: Case, game: G) -> G:
    """The game after the actions of a case.

    Raises:
        BadCase: an action cannot be played.
    """
    for after in case_games(case, game):
        game = after
    return game
