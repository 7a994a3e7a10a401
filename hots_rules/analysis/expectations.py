"""The expectations of a test case, compared with the game after its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from hots_rules.analysis.casebook import Case, parse_entries, split_list
from hots_rules.explain.explain_action import refusals
from hots_rules.play.game import BaseGame


def unmet_expectations(case: Case, game: BaseGame) -> list[str]:
    """The expectations of a case that a game does not meet, each with what was found.

    Raises:
        BadCase: nothing is expected, or a line of `expect` cannot be read.
    """
    lines = case.lines("expect", game.ruleset.name)
    if not lines:
        raise case.error("nothing is expected")
    return [unmet for line in lines if (unmet := _unmet(case, game, line))]


def _unmet(case: Case, game: BaseGame, line: str) -> str:
    kind, _, rest = line.partition(":")
    check = _CHECKS.get(kind.strip())
    if check is None:
        raise case.error(f"expected a line of {', '.join(_CHECKS)}; got `{line[:60]}`")
    return check(game, rest.strip())


def _texts(game: BaseGame) -> set[str]:
    return {action.text for action in game.actions}


def _to_move(game: BaseGame, rest: str) -> str:
    found = ", ".join(game.to_move)
    return "" if found == rest else f"expected `{rest}` to move, got `{found}`"


def _legal(game: BaseGame, rest: str) -> str:
    return "" if rest in _texts(game) else f"expected `{rest}` among {sorted(_texts(game))}"


def _illegal(game: BaseGame, rest: str) -> str:
    text, _, rule = rest.partition(" because ")
    if text in _texts(game):
        return f"expected `{text}` not to be legal"
    reasons = {reason.rule for reason in refusals(game, text)}
    if not reasons:
        return f"expected a reason against `{text}`"
    if rule and rule not in reasons:
        return f"expected `{rule}` among the reasons against `{text}`: {sorted(reasons)}"
    return ""


def _choices(game: BaseGame, rest: str) -> str:
    expected, found = {text.strip() for text in rest.split(";")}, _texts(game)
    return "" if found == expected else f"expected {sorted(expected)}, got {sorted(found)}"


def _state(game: BaseGame, rest: str) -> str:
    for (keys, name), value in parse_entries([rest]).items():
        variable = game.ruleset.schema.variables[name]
        found = _plain(game.state[(name, *split_list(keys))] if variable.keys else game.state[name])
        if found != value:
            return f"expected {name} of {keys or 'the game'} to be {value}, got {found}"
    return ""


def _plain(found: object) -> str:
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, list):
        return "{" + ", ".join(map(str, found)) + "}"
    return "none" if found is None else str(found)


def _outcome(game: BaseGame, rest: str) -> str:
    if game.outcome is None:
        return f"expected the end of the game, but {game.to_move} are asked in {game.phase}"
    found = f"{game.outcome.winner or 'nobody'} {game.outcome.reason}"
    return "" if found == rest else f"expected the outcome `{rest}`, got `{found}`"


def _phase(game: BaseGame, rest: str) -> str:
    return "" if game.phase == rest else f"expected the phase `{rest}`, got `{game.phase}`"


def _goes_on(game: BaseGame, rest: str) -> str:
    if rest:
        return f"expected nothing after `goes on:`, got `{rest}`"
    return "" if game.to_move else f"expected the game to go on, got {game.outcome}"


_CHECKS: Mapping[str, Callable[[BaseGame, str], str]] = MappingProxyType(
    {
        "to move": _to_move,
        "legal": _legal,
        "illegal": _illegal,
        "choices": _choices,
        "state": _state,
        "outcome": _outcome,
        "phase": _phase,
        "goes on": _goes_on,
    }
)
