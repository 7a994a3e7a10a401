"""What a batch is given, checked."""

from __future__ import annotations

from typing import Final

from hots_rules.compile.codes import bits, winners_of
from hots_rules.diagnostics import BadArgument, UnknownName, abbreviated, check_whole
from hots_rules.formats.training.numpy_arrays import np
from hots_rules.formats.training.packed_moment import returns_of
from hots_rules.native.backends import LIBRARIES

MAX_PREFIX: Final = 100
"""The most bytes of the seed of a batch."""
MAX_GAMES: Final = 1 << 20
"""The most games of a batch."""
BACKENDS: Final = ("auto", "python", *LIBRARIES)
FORMS: Final = ("dense", "sparse", "none")


def check_batch(games: int, workers: int, backend: str, observations: str) -> None:
    """Refuse what no batch can be.

    Raises:
        ArgumentError: no such back end or form, or a number out of bounds.
    """
    if type(games) is not int or not 0 < games <= MAX_GAMES:
        raise BadArgument("games", games, "a whole number from 1 to 1,048,576")
    if type(workers) is not int or workers < 1:
        raise BadArgument("workers", workers, "a whole number above 0")
    if backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    if observations not in FORMS:
        raise BadArgument("observations", observations, allowed=FORMS)


def check_recall(recall: int, observations: str, viewer: str | None) -> None:
    """Refuse information states that no batch can have.

    Raises:
        BadArgument: a number below 0, or observations that are not dense or not of who chooses.
    """
    check_whole("recall", recall)
    if recall and observations != "dense":
        raise BadArgument("observations", observations, "dense ones, since decisions are recalled")
    if recall and viewer is not None:
        raise BadArgument("viewer", viewer, "none, since decisions are recalled")


def prefix_of(seed: int | str) -> str:
    """What the seeds of all games begin with.

    Raises:
        BadArgument: the seed is too long, or no line.
    """
    is_long = isinstance(seed, int) and abs(seed) >= 10**MAX_PREFIX
    prefix = f"{seed}/" if type(seed) in (int, str) and not is_long else ""
    is_line = prefix.isprintable() and prefix == prefix.strip()
    if not is_line or not 0 < len(prefix.encode()) <= MAX_PREFIX:
        raise BadArgument("seed", abbreviated(seed), "one line of fewer than 100 bytes")
    return prefix


def seat_of(player: str | None, players: tuple[str, ...]) -> int:
    """The number of a player, or -1 without one.

    Raises:
        UnknownName: there is no such player.
    """
    if player is not None and player not in players:
        raise UnknownName("player", player, players)
    return -1 if player is None else players.index(player)


def rewards_of(outcomes: np.ndarray, players: int) -> np.ndarray:
    """The results of all players in games by the codes of their outcomes, a row for each game."""
    codes, row_of = np.unique(outcomes, return_inverse=True)
    rows = [returns_of(bits(winners_of(code)), players) for code in codes.tolist()]
    rewards: np.ndarray = np.array(rows, np.float32).reshape(-1, players)[row_of]
    return rewards
