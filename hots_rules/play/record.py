"""A game as text: how it began, its actions one a line, and a seal of the state that they lead to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hots_rules.compile.machine import RNG
from hots_rules.diagnostics import BadRecord, HotsError, near
from hots_rules.play.notation import outcome_at
from hots_rules.play.ruleset import Ruleset, load
from hots_rules.rules import known_rulesets
from hots_rules.state.position import position_text

if TYPE_CHECKING:
    from hots_rules.play.game import Game

HEAD = "hots_rules record 1"
KEYS = ("ruleset", "rng", "seed", "chance", "scenario", "option", "reading", "position")
MAX_BYTES = 8_000_000
_SEAL = re.compile(r"state ([0-9a-f]{16})")


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
        lines += [f"position {line}" for line in game.begun_at.splitlines()]
    moves = list(_moves(game))
    return "\n".join([*lines, "", *moves, f"state {_seal(game, moves)}"]) + "\n"


def _seal(game: Game, moves: list[str]) -> str:
    """A digest of how a game began, went and stands, in words: the same however states are packed."""
    began = [game.seed, game.chance, game.scenario, game.begun_at]
    ended = (game.outcome.winner, game.outcome.reason) if game.outcome else ()
    text = "\n".join(map(str, [*began, *moves, position_text(game.state), game.to_move, ended]))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _moves(game: Game) -> Iterator[str]:
    """The text of each action; where its label had two meanings at the moment, the exact notation."""
    notation, machine = game.notation(), game.ruleset.machine(dict(game.settings))
    seed = game.seed if game.chance == "auto" else None
    slots = list(beginning(game).state.slots)
    for code in game.moves:
        if code < 0:
            yield outcome_at(machine, slots, game.ruleset.shape, -1 - code)
            machine.resume(slots, -1 - code, seed)
        else:
            rivals = notation.rivals(code)
            shared = bool(rivals) and not rivals.isdisjoint(machine.legal(slots))
            yield notation.exact(code) if shared else notation.text(code)
            machine.play(slots, code, seed)


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


# ------------------------------------------------------------------ files
def write_record(game: Game, path: str | PathLike[str]) -> None:
    """Writes the record of a game, whole or not at all.

    Raises:
        OSError: the file cannot be written; what was there before stands.
    """
    data = record_text(game).encode()
    target = Path(os.path.realpath(path))
    new = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, target)
    finally:
        new.unlink(missing_ok=True)


def read(path: str | PathLike[str], ruleset: Ruleset | None = None) -> Game:
    """Reads a record from a file and replays it.

    A ruleset that does not come with the library must be given, as a record names no file.

    Raises:
        BadRecord: the file cannot be read or is no record, or does not replay.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        said = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadRecord(f"expected a record at `{path}`, got {said}") from None
    try:
        return replay(data.decode("utf-8"), ruleset)
    except UnicodeDecodeError as error:
        raise BadRecord(
            f"expected a record in UTF-8, got other bytes at position {error.start}"
        ) from None


def replay(text: str, ruleset: Ruleset | None = None) -> Game:
    """The game that a record tells, at its last action.

    A ruleset that does not come with the library must be given, as a record names no file.

    Raises:
        BadRecord: the text is no record, is of another ruleset or other content, or does not replay;
            the message names the line.
    """
    if not isinstance(text, str):
        raise BadRecord(f"expected a record as text, got {type(text).__name__}")
    if len(text) > MAX_BYTES:
        raise BadRecord(f"expected a record of at most {MAX_BYTES} bytes, got more")
    head, moves, sealed = _parse(text)
    game = _begin(head, ruleset)
    for number, line in moves:
        try:
            game = game.play(line)
        except HotsError as error:
            raise BadRecord(f"line {number}: {error}") from None
    if sealed and sealed != (found := _seal(game, list(_moves(game)))):
        raise BadRecord(
            f"expected a game that leads to the state `{sealed}`, got `{found}`: "
            "a line is lost, changed or out of its order"
        )
    return game


def _parse(text: str) -> tuple[dict[str, list[str]], list[tuple[int, str]], str]:
    """The head, the actions with the numbers of their lines, and the seal if there is one."""
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0] != HEAD:
        raise BadRecord(f"line 1: expected `{HEAD}`, got `{lines[0][:60]}`")
    if lines.pop():
        raise BadRecord(
            f"line {len(lines) + 1}: expected a whole line, but the record breaks off in it; "
            "take it away to read what is above"
        )
    head: dict[str, list[str]] = {}
    moves: list[tuple[int, str]] = []
    sealed = ""
    rest = iter(enumerate(lines[1:], 2))
    for number, line in rest:
        if not line:
            break
        key, _, value = line.partition(" ")
        if key not in KEYS:
            raise BadRecord(
                f"line {number}: expected a line of the head such as `seed 1`, got `{line[:60]}`"
            )
        head.setdefault(key, []).append(value)
    for number, line in rest:
        if sealed:
            raise BadRecord(f"line {number}: expected the end after `state …`, got `{line[:60]}`")
        if found := _SEAL.fullmatch(line):
            sealed = found[1]
        else:
            moves.append((number, line))
    return head, moves, sealed


def _begin(head: dict[str, list[str]], ruleset: Ruleset | None) -> Game:
    name, _, content = _one(head, "ruleset").partition(" ")
    if _one(head, "rng") != RNG:
        raise BadRecord(f"expected dice by `{RNG}`, got `{_one(head, 'rng')[:60]}`")
    try:
        found = _ruleset(name) if ruleset is None else ruleset
        if (found.name, found.content_hash) != (name, content):
            raise BadRecord(
                f"expected the ruleset `{name}` with the content {content[:12]}…, "
                f"got `{found.name}` with {found.content_hash[:12]}…"
            )
        begin: dict[str, Any] = {
            "seed": _one(head, "seed"),
            "chance": _one(head, "chance"),
            "options": _chosen(head, "option", found),
            "readings": _chosen(head, "reading", found),
        }
        if "position" in head and "scenario" in head:
            raise BadRecord("expected a scenario or a position in the head, got both")
        if "position" in head:
            return found.position("\n".join(head["position"]), **begin)
        return found.start(_one(head, "scenario"), **begin)
    except BadRecord:
        raise
    except HotsError as error:
        raise BadRecord(f"the head of the record does not hold: {error}") from None


def _ruleset(name: str) -> Ruleset:
    """A ruleset that comes with the library: a record that a stranger sent opens no other file."""
    known = known_rulesets()
    if name not in known:
        close = near(name, known)
        mend = f"did you mean `{close}`?" if close else "load it, and give it along with the record"
        raise BadRecord(
            f"expected a ruleset that comes with the library, got `{name[:60]}`; {mend}"
        )
    return load(name)


def _one(head: dict[str, list[str]], key: str) -> str:
    values = head.get(key, [])
    if len(values) != 1:
        raise BadRecord(f"expected one line `{key} …` in the head of the record, got {len(values)}")
    return values[0]


def _chosen(head: dict[str, list[str]], kind: str, ruleset: Ruleset) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in head.get(kind, []):
        name, _, word = line.partition(" ")
        if name in found:
            raise BadRecord(f"expected one line `{kind} {name[:60]} …` in the head, got two")
        known = ruleset.settings.get(name)
        values = known.values if known is not None else ()
        found[name] = next((value for value in values if _word(value) == word), word)
    return found
