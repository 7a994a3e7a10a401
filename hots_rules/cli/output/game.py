"""Output of a game, as text or as JSON data: its log, its board and its status."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import asdict

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.arguments import seed_as_json
from hots_rules.cli.output.console import console, echo

_STYLES = {"phase": "bold", "action": "", "chance": "dim", "event": "cyan", "set": "bold yellow"}
_INDENTS = {"phase": 0, "set": 0, "action": 2}


def echo_steps(steps: Iterable[hr.observe.Step]) -> None:
    """Print steps of a game log, each with its sections."""
    for step in steps:
        echo(str(step), _STYLES.get(step.kind, ""), indent=_INDENTS.get(step.kind, 4))


def echo_board(sections: Iterable[hr.explain.BoardSection]) -> None:
    """Print a board, section by section."""
    for section in sections:
        echo()
        if section.title:
            echo(section.title, "bold")
        width = max(len(name) for name, _ in section.rows)
        for name, text in section.rows:
            echo(f"{name:{width}}  {text}", indent=2 if section.title else 0)


def echo_columns(cells: Iterable[str]) -> None:
    """Print a list column by column, in as many columns as fit the terminal."""
    texts = list(cells)
    width = max(map(len, texts), default=0) + 3
    out = console()
    columns = max(1, (out.width - 2) // width) if out.is_terminal else 1
    rows = -(-len(texts) // columns)
    for row in range(rows):
        echo("".join(f"{text:{width}}" for text in texts[row::rows]).rstrip(), indent=2)


def echo_status(game: hr.Game) -> None:
    """Print who won and why, or who chooses next."""
    t = translator(game.language)
    if game.outcome is not None:
        echo(str(game.outcome), "bold green")
    elif game.is_over:
        echo(t.gettext("the game is over; no winner is declared"), "bold green")
    else:
        players = t.join_list(game.ruleset.labels.players_named(game.to_move))
        status = t.gettext(
            "to choose: {players}, in {phase}", players=players, phase=game.phase_title
        )
        echo(status, "bold")


def game_as_json(game: hr.Game) -> dict[str, object]:
    """How a game was started, its state, and who chooses next or the outcome, as JSON data."""
    outcome = game.outcome
    return {
        "ruleset": game.ruleset.name,
        "scenario": game.scenario or None,
        "seed": seed_as_json(game.seed),
        "options": game.options,
        "readings": game.readings,
        "decisions": len(game.moves),
        "to_move": list(game.to_move),
        "phase": game.phase or None,
        "outcome": outcome and asdict(outcome, filter=lambda field, _: field.name != "text"),
        "position": game.position,
    }
