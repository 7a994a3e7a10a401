"""Seals that are published while a game is played: they bind the keeper of the record, and reveal nothing.

A seal is a digest of data that can be guessed: somebody who knows two successive seals can try every card that may have
been played between them. So a commitment to the seal is published, with a salt that is revealed after the game.

1. The keeper of the record publishes the `actions` and the `commitment` of `publish_seal(game)`, and keeps the `salt`.
2. After the game the keeper publishes the record and the salts.
3. Everybody passes them to `verify`: a record of another game does not fit the commitments.
"""

from __future__ import annotations

import re
from hmac import compare_digest

from attrs import Attribute, field, frozen

from hots_rules.diagnostics import BadSecret, check_kind
from hots_rules.play.game import BaseGame
from hots_rules.records.commit_reveal import new_secret
from hots_rules.records.hash_chain import digest
from hots_rules.records.recording import record_game

_HEX = re.compile(r"[0-9a-f]{64}")


def _expect_hex(_: object, attribute: Attribute[str], value: object) -> None:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise BadSecret(
            f"expected a {attribute.name} of 64 hexadecimal digits, got `{value!r:.70}`"
        )


@frozen
class PublishedSeal:
    """A commitment to a game after some actions, with the salt that opens it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart")
    >>> seal = hr.records.publish_seal(game)
    >>> seal.actions, len(seal.commitment), len(seal.salt)
    (0, 64, 64)

    Raises:
        BadSecret: the commitment or the salt is malformed.
    """

    actions: int
    """After how many actions of the record."""
    commitment: str = field(validator=_expect_hex)
    """64 hexadecimal digits to publish at once."""
    salt: str = field(validator=_expect_hex, repr=False)
    """64 random hexadecimal digits; secret until the game is over."""

    def opens(self, seal: str) -> bool:
        """Whether the commitment is one to this seal."""
        return compare_digest(self.commitment, _commitment(self.actions, seal, self.salt))


def publish_seal(game: BaseGame) -> PublishedSeal:
    """A commitment to the game as it is now, with a new salt: two of one game have nothing in common.

    Raises:
        BadRecord: the game is a sampled world.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart")
    >>> published = hr.records.publish_seal(game)
    >>> after = game.play(game.actions[0])
    >>> hr.records.verify(after.record, rules, [published]).is_sound
    True
    """
    check_kind("game", game, BaseGame, "a game")
    salt, actions = new_secret(), len(game.moves)
    return PublishedSeal(actions, _commitment(actions, record_game(game).seal, salt), salt)


def _commitment(actions: int, seal: str, salt: str) -> str:
    return digest(["hots_rules seal 1", salt, str(actions), seal], size=32)
