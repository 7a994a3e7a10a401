"""Commit–reveal: a seed that no player can choose, mixed from the secrets of all players.

1. Each player takes a `new_secret` and sends the others its `commitment`.
2. When all commitments are known, each player reveals the secret; `commitment_matches` checks it.
3. `combine_seeds` makes the seed of the game from all secrets.

Anyone who has the commitments and the secrets can verify the seed, and with it every die. A known seed predicts every
die, so let an umpire keep the secrets until the game is over, or combine a new seed for each roll and play the
outcome of `Game.sample_chance`.
"""

import re
import secrets
from collections.abc import Mapping
from hmac import compare_digest

from hots_rules.diagnostics import BadSecret, check_kind
from hots_rules.records.hash_chain import digest

MAX_PLAYERS = 64
MAX_NAME = 100  # characters of a player's name
_HEX = re.compile(r"[0-9a-f]{64}")


def new_secret() -> str:
    """A random secret: 64 hexadecimal digits from the system's random source.

    >>> import hots_rules as hr
    >>> len(hr.records.new_secret())
    64
    """
    return secrets.token_hex(32)


def commitment(player: str, secret: str) -> str:
    """The commitment that a player publishes before any secret is revealed.

    It binds the player to the secret and reveals nothing about it.

    Raises:
        BadSecret: the secret is malformed, or the player has no name.

    >>> import hots_rules as hr
    >>> hr.records.commitment("Ann", "5" * 64)[:8]
    'f4121f90'
    """
    parts = ["hots_rules commitment 1", _checked_name(player), _checked_hex(player, secret)]
    return digest(parts, size=32)


def commitment_matches(player: str, secret: str, committed: str) -> bool:
    """Whether a revealed secret belongs to a commitment.

    Raises:
        BadSecret: one of them is malformed.

    >>> import hots_rules as hr
    >>> committed = hr.records.commitment("Ann", "5" * 64)
    >>> hr.records.commitment_matches("Ann", "6" * 64, committed)
    False
    """
    return compare_digest(commitment(player, secret), _checked_hex(player, committed, "commitment"))


def combine_seeds(revealed: Mapping[str, str], committed: Mapping[str, str]) -> str:
    """The seed made from the secrets of all players, in any order.

    Args:
        revealed: the secret of each player.
        committed: the commitment of each player.

    Raises:
        BadSecret: there are fewer than two players, a secret or a commitment is missing or malformed, or a secret
            does not match its commitment.

    >>> import hots_rules as hr
    >>> secrets = {"Ann": "5" * 64, "Bob": "6" * 64}
    >>> committed = {name: hr.records.commitment(name, secret) for name, secret in secrets.items()}
    >>> len(hr.records.combine_seeds(secrets, committed))
    64
    """
    check_kind("revealed", revealed, Mapping, "the secret of each player")
    check_kind("committed", committed, Mapping, "the commitment of each player")
    if not 2 <= len(committed) <= MAX_PLAYERS:
        raise BadSecret(f"expected from 2 to {MAX_PLAYERS} commitments, got {len(committed)}")
    if len(set(committed.values())) < len(committed):
        raise BadSecret("two players have the same commitment; each must commit to an own secret")
    for player in sorted({*revealed} ^ {*committed}):
        missing = "secret" if player in committed else "commitment"
        raise BadSecret(f"missing {missing} of `{player:.60}`")
    for player, secret in sorted(revealed.items()):
        if not commitment_matches(player, secret, committed[player]):
            raise BadSecret(
                f"the secret of `{player:.60}` does not match its commitment; do not use this seed"
            )
    parts = [part for pair in sorted(revealed.items()) for part in pair]
    return digest(["hots_rules mixed seed 1", *parts], size=32)


def _checked_name(player: str) -> str:
    if not isinstance(player, str) or not player.isprintable() or not 0 < len(player) <= MAX_NAME:
        raise BadSecret(f"expected the name of a player, got `{player!r:.60}`")
    return player


def _checked_hex(player: str, word: str, kind: str = "secret") -> str:
    if not isinstance(word, str) or not _HEX.fullmatch(word):
        raise BadSecret(
            f"expected the {kind} of `{player:.60}` as 64 hexadecimal digits, got `{word!r:.70}`"
        )
    return word
