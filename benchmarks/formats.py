"""What it costs to ask a game through values and through JSON, and what a record and an undo step take.

Times are medians over the moments of one game by chance; JSON is written, and read again as a client would.

    python benchmarks/formats.py [--moments 60] [--ruleset hots-4.0] [--scenario braveheart] [--json]
"""

from __future__ import annotations

import argparse
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import hots_rules as hr


def moments_of(ruleset: hr.Ruleset, scenario: str) -> list[hr.Game]:
    """The moments of a game by chance, to its end."""
    chooser = Random(1)
    games = [ruleset.start(scenario, seed=1)]
    while not games[-1].is_over:
        games.append(games[-1].play(chooser.choice(games[-1].actions)))
    return games


def milliseconds(
    ask: Callable[[hr.Game], object], games: list[hr.Game], *, again: bool = False
) -> float:
    """The median time of a question, each game asked once, just after a play; with `again`, asked before it too."""
    found = []
    for game in games:
        if again:
            ask(game)
        fresh = game.play(game.actions[0])
        began = perf_counter()
        ask(fresh)
        found.append(perf_counter() - began)
    return median(found) * 1000


def sent(thing: object) -> object:
    """A thing as a client has it."""
    return json.loads(hr.to_json(thing))


def played_by_message(game: hr.Game) -> hr.Game:
    """An action that comes as JSON, and the decision that goes back."""
    text = hr.to_json(game.actions[0])
    after = game.play(hr.from_json(text, hr.Action))
    sent(hr.formats.decision(after))
    return after


def per_step(ruleset: hr.Ruleset, scenario: str, moves: tuple[int, ...]) -> float:
    """The bytes that each moment of a game takes where all are kept."""
    tracemalloc.start()
    games = [ruleset.start(scenario, seed=1)]
    before, _ = tracemalloc.get_traced_memory()
    for move in moves:
        games.append(games[-1].play_code(move))
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(moves)


def journal_time(games: list[hr.Game], *, sync: bool) -> float:
    """The median time in which an action is appended to a record."""
    found = []
    with (
        TemporaryDirectory() as folder,
        hr.Journal(Path(folder) / "game", games[0], sync=sync) as journal,
    ):
        for game in games[1:]:
            began = perf_counter()
            journal.add(game)
            found.append(perf_counter() - began)
    return median(found) * 1000


def main() -> None:
    """Prints a row per measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moments", type=int, default=60)
    parser.add_argument("--ruleset", default="hots-4.0")
    parser.add_argument("--scenario", default="braveheart")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    ruleset = hr.load(args.ruleset)
    games = moments_of(ruleset, args.scenario)
    last, step = games[-1], max(len(games) // args.moments, 1)
    some = [game for game in games[:-2:step] if len(game.actions)]
    player = ruleset.players[0]
    state = hr.to_json(last.state)
    record = str(last.record)
    found = {
        "legal actions, ms": milliseconds(lambda g: g.actions, some),
        "decision as JSON, ms": milliseconds(lambda g: sent(hr.formats.decision(g)), some),
        "view at first, ms": milliseconds(lambda g: g.view(player), some),
        "view from play to play, ms": milliseconds(lambda g: g.view(player), some, again=True),
        "the same as JSON, ms": milliseconds(lambda g: sent(g.view(player)), some, again=True),
        "state as JSON, ms": milliseconds(lambda g: sent(g.state), some),
        "state from JSON, ms": milliseconds(lambda _: hr.from_json(state, hr.State, ruleset), some),
        "play, ms": milliseconds(lambda g: g.play(g.actions[0]), some),
        "action from JSON, play, decision as JSON, ms": milliseconds(played_by_message, some),
        "append to a journal, ms": journal_time(games[:100], sync=False),
        "append to a journal, safe on disk, ms": journal_time(games[:100], sync=True),
        "actions of the game": len(last.moves),
        "record, bytes": len(record.encode()),
        "record, bytes an action": len(record.encode()) / len(last.moves),
        "record with the texts of its ruleset, bytes": len(
            str(hr.records.record_game(last, texts=True)).encode()
        ),
        "state as JSON, bytes": len(state.encode()),
        "each step that is kept for undo, bytes": per_step(ruleset, args.scenario, last.moves),
    }
    if args.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:46} {value:12,.3f}")


if __name__ == "__main__":
    main()
