"""A seed that nobody chose: each player commits to a secret, then all secrets are mixed.

1. Each player takes a `new_secret` and sends the others its `commitment`.
2. When all commitments are known, each reveals the secret; `commitment_matches` says whether it is the one.
3. `combine_seeds` of all secrets is the seed of the game.

Whoever has the commitments and the secrets can verify the seed, and by it all dice. A seed that is known
foretells all dice: let an umpire keep the secrets until the game is over, or mix a new seed for each roll
and play the outcome that `Game.drawn` finds.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from hashlib import blake2b
from hmac import compare_digest

from hots_rules.diagnostics import BadSecret

_HEX = re.compile(r"[0-9a-f]{64}")
MAX_PLAYERS = 64
MAX_NAME = 100


def new_secret() -> str:
    """A secret that nobody can guess: 64 hexadecimal digits from the system's source of chance."""
    return secrets.token_hex(32)


def commitment(player: str, secret: str) -> str:
    """What a player publishes before anybody reveals; it binds the player, and says nothing of the secret.

    Raises:
        BadSecret: it is not of the form of `new_secret`, or the player has no name.
    """
    return _digest("hots_rules commitment 1", _name(player), _hex(player, "secret", secret))


def commitment_matches(player: str, secret: str, committed: str) -> bool:
    """Whether a revealed secret is the one that a player was committed to.

    Raises:
        BadSecret: one of them is malformed.
    """
    return compare_digest(commitment(player, secret), _hex(player, "commitment", committed))


def combine_seeds(revealed: Mapping[str, str], committed: Mapping[str, str]) -> str:
    """The seed of all secrets by player: the same whatever their order, and chosen by nobody.

    Raises:
        BadSecret: fewer than two players, somebody who committed and did not reveal, or the other way round, or a
            secret that is not the one that was committed to.
    """
    if not 2 <= len(committed) <= MAX_PLAYERS:
        raise BadSecret(f"expected from 2 to {MAX_PLAYERS} commitments, got {len(committed)}")
    if len(set(committed.values())) < len(committed):
        raise BadSecret("expected a commitment from each player, got one of them twice")
    for player in sorted({*revealed} ^ {*committed}):
        lacks = "secret" if player in committed else "commitment"
        raise BadSecret(f"expected a {lacks} of `{player:.60}`, got none")
    for player, secret in sorted(revealed.items()):
        if not commitment_matches(player, secret, committed[player]):
            raise BadSecret(
                f"expected the secret that `{player:.60}` was committed to, got another: take no seed from it"
            )
    parts = [part for pair in sorted(revealed.items()) for part in pair]
    return _digest("hots_rules mixed seed 1", *parts)


def _name(player: str) -> str:
    if not isinstance(player, str) or not player.isprintable() or not 0 < len(player) <= MAX_NAME:
        raise BadSecret(f"expected the name of a player, got `{player!r:.60}`")
    return player


def _hex(player: str, what: str, word: str) -> str:
    if not isinstance(word, str) or not _HEX.fullmatch(word):
        raise BadSecret(
            f"expected the {what} of `{player:.60}` as 64 hexadecimal digits, got `{word!r:.70}`"
        )
    return word


def _digest(*parts: str) -> str:
    digest = blake2b(digest_size=32)
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
