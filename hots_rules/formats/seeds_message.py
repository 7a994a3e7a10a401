"""The seeds of a finished game as JSON, as the game server sends them."""

from __future__ import annotations

from collections.abc import Mapping

from hots_rules.diagnostics import DEFAULT_LIMITS, BadMessage, Limits
from hots_rules.formats.json_text import parse_json
from hots_rules.formats.strict import structure
from hots_rules.records.held_seeds import HeldSeed

REMEDY = "save the answer of the table to `/api/games/GAME/shares`, when the game is over"


def parse_seeds(text: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> tuple[HeldSeed, ...]:
    """The seeds of a game in the order in which they were made, for `hots_rules.records.verify_seeds`.

    Args:
        text: the answer of a table to `/api/games/GAME/shares`.
        limits: it may have as many bytes as a record.

    Raises:
        BadMessage: it is no such answer, or the game is not over.

    >>> import hots_rules as hr
    >>> text = '{"seed": "1297", "commitments": {}, "secrets": {}, "later": []}'
    >>> hr.formats.parse_seeds(text)
    (HeldSeed(plays=0, seed='1297', commitments={}, secrets={}),)
    """
    message = parse_json(text, limits.record_bytes, "record_bytes")
    later = message.get("later") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(later, list):
        raise BadMessage("$", "expected the seeds of a game, with a list of `later` ones", REMEDY)
    first = _seed_of({**message, "plays": 0}, "$")
    return (
        first,
        *(_seed_of(later_seed, f"$.later[{number}]") for number, later_seed in enumerate(later)),
    )


def _seed_of(message: object, path: str) -> HeldSeed:
    """A seed of the message, without the other fields."""
    if not isinstance(message, Mapping):
        raise BadMessage(path, "expected a seed as an object", REMEDY)
    keys = ("plays", "seed", "commitments", "secrets")
    held = structure({key: message[key] for key in keys if key in message}, HeldSeed)
    if not held.seed:
        raise BadMessage(path, "the seed is not told", REMEDY)
    return held
