"""A game as text: how it began, and its actions, one a line."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hots_rules.compile.machine import RNG
from hots_rules.diagnostics import BadRecord, HotsError
from hots_rules.play.ruleset import Ruleset, load

if TYPE_CHECKING:
    from hots_rules.play.game import Game

HEAD = "hots_rules record 1"
MAX_BYTES = 8_000_000


def record_text(game: Game) -> str:
    """The record of a game; `replay` reads it and comes to the same state."""
    lines = [
        HEAD,
        f"ruleset {game.ruleset.name} {game.ruleset.content_hash}",
        f"rng {RNG}",
        f"seed {game.seed}",
        f"chance {game.chance}",
    ]
    if game.begun_at is None:
        lines.append(f"scenario {game.scenario}")
    lines += [f"option {name} {_word(value)}" for name, value in game.options.items()]
    lines += [f"reading {name} {_word(value)}" for name, value in game.readings.items()]
    if game.begun_at is not None:
        lines += [f"position {line}".rstrip() for line in game.begun_at.splitlines()]
    return "\n".join([*lines, "", *_moves(game)]) + "\n"


def _word(value: Any) -> str:
    return (
        {True: "yes", False: "no", None: "none"}[value]
        if value is None or isinstance(value, bool)
        else str(value)
    )


def _moves(game: Game) -> Iterator[str]:
    notation = game.notation()
    if all(move >= 0 for move in game.moves):
        yield from map(notation.text, game.moves)
        return
    at = beginning(game)
    for move in game.moves:
        yield (
            notation.text(move) if move >= 0 else next(a.text for a in at.actions if a.code == move)
        )
        at = at.play_code(move)


def beginning(game: Game) -> Game:
    """The game before its first action."""
    begin: dict[str, Any] = {
        "seed": game.seed,
        "options": game.options,
        "readings": game.readings,
        "chance": game.chance,
    }
    if game.begun_at is not None:
        return game.ruleset.position(game.begun_at, **begin)
    return game.ruleset.start(game.scenario, **begin)


def write_record(game: Game, path: str | PathLike[str]) -> None:
    """Writes the record of a game, whole or not at all.

    Raises:
        OSError: the file cannot be written; what was there before stands.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(record_text(game))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read(path: str | PathLike[str], ruleset: Ruleset | None = None) -> Game:
    """Reads a record from a file and replays it.

    Raises:
        BadRecord: the file is no record, or does not replay.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise BadRecord(
            f"expected a record at `{path}`, got {(error.strerror or str(error)).lower()}"
        ) from None
    if len(data) > MAX_BYTES:
        raise BadRecord(f"expected a record of at most {MAX_BYTES} bytes, got {len(data)}")
    try:
        return replay(data.decode("utf-8"), ruleset)
    except UnicodeDecodeError as error:
        raise BadRecord(
            f"expected a record in UTF-8, got other bytes at position {error.start}"
        ) from None


def replay(text: str, ruleset: Ruleset | None = None) -> Game:
    """The game that a record tells, at its last action.

    Raises:
        BadRecord: the text is no record, is of another ruleset or other content, or does not replay;
            the message names the line.
    """
    head, moves = _parse(text)
    game = _begin(head, ruleset)
    for number, line in moves:
        try:
            game = game.play(line)
        except HotsError as error:
            raise BadRecord(f"line {number}: {error}") from None
    return game


def _parse(text: str) -> tuple[dict[str, list[str]], list[tuple[int, str]]]:
    lines = text.splitlines()
    if not lines or lines[0] != HEAD:
        raise BadRecord(f"line 1: expected `{HEAD}`, got `{(lines[0] if lines else '')[:60]}`")
    head: dict[str, list[str]] = {}
    moves: list[tuple[int, str]] = []
    in_head = True
    for number, line in enumerate(lines[1:], 2):
        if in_head and line:
            key, _, value = line.partition(" ")
            if key not in {
                "ruleset",
                "rng",
                "seed",
                "chance",
                "scenario",
                "option",
                "reading",
                "position",
            }:
                raise BadRecord(
                    f"line {number}: expected a line of the head such as `seed 1`, got `{line[:60]}`"
                )
            head.setdefault(key, []).append(value)
        elif line:
            moves.append((number, line))
        else:
            in_head = False
    return head, moves


def _begin(head: dict[str, list[str]], ruleset: Ruleset | None) -> Game:
    name, _, content = _one(head, "ruleset").partition(" ")
    if _one(head, "rng") != RNG:
        raise BadRecord(f"expected dice by `{RNG}`, got `{_one(head, 'rng')[:60]}`")
    try:
        found = load(name) if ruleset is None else ruleset
        if found.content_hash != content:
            raise BadRecord(
                f"expected the ruleset `{name}` with the content {content[:12]}…, got {found.content_hash[:12]}…"
            )
        begin: dict[str, Any] = {"seed": _one(head, "seed"), "chance": _one(head, "chance"),
                                 "options": _chosen(head, "option", found), "readings": _chosen(head, "reading", found)}  # fmt: skip
        if "position" in head:
            return found.position("\n".join(head["position"]), **begin)
        return found.start(_one(head, "scenario"), **begin)
    except BadRecord:
        raise
    except HotsError as error:
        raise BadRecord(f"the head of the record does not hold: {error}") from None


def _one(head: dict[str, list[str]], key: str) -> str:
    values = head.get(key, [])
    if len(values) != 1:
        raise BadRecord(f"expected one line `{key} …` in the head of the record, got {len(values)}")
    return values[0]


def _chosen(head: dict[str, list[str]], kind: str, ruleset: Ruleset) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in head.get(kind, []):
        name, _, word = line.partition(" ")
        known = ruleset.settings.get(name)
        values = known.values if known is not None else ()
        found[name] = next((value for value in values if _word(value) == word), word)
    return found
