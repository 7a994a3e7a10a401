"""The next game between the same seats: their keys open it as well, and two who play exchange their sides."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from hashlib import sha256

from attrs import evolve

from hots_rules.web.games.open_from_log import begun, ruleset_named
from hots_rules.web.instants import now
from hots_rules.web.storage.rows import SHARES, TABLE, GameRow, SeatRow


def rematch_row(row: GameRow, *, is_mixed: bool) -> GameRow:
    """How the next game begins: as the last one, with another seed.

    Its name follows from the last one and its seed, so two who ask for a rematch get the same game.

    Args:
        row: the last game.
        is_mixed: whether the seed is mixed from shares.

    Raises:
        HotsError: the ruleset has no such scenario or setting any more.
    """
    rules = ruleset_named(row.ruleset)
    game = begun(rules, row.scenario, None, json.loads(row.settings), row.position)
    return evolve(
        row,
        name=sha256(f"rematch {row.name} {row.seed}".encode()).hexdigest()[:16],
        content=rules.content_hash,
        seed="" if is_mixed else game.seed,
        dice=SHARES if is_mixed else TABLE,
        begun=now(),
    )


def seats_of_rematch(seats: Sequence[SeatRow], playing: Collection[str]) -> list[SeatRow]:
    """Who sits where: two who play exchange their sides, more stay where they are."""
    if len(playing) != 2:
        return list(seats)
    first, second = sorted(playing)
    other = {first: second, second: first}
    return [evolve(seat, player=other.get(seat.player, seat.player), lost=None) for seat in seats]
