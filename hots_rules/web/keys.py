"""The keys of seats: 128 random bits that stand in a link. The table keeps their digests alone."""

import re
import secrets
from hashlib import sha256

_KEY = re.compile(r"[0-9a-f]{32}")


def new_key() -> str:
    """A key: 128 random bits as hexadecimal digits."""
    return secrets.token_hex(16)


def new_name() -> str:
    """The name of a game: 64 random bits, so that nobody looks on whom nobody sent the link."""
    return secrets.token_hex(8)


def digest_of(key: str) -> str:
    """What is kept of a key. A random key of 128 bits needs no salt."""
    return sha256(key.encode()).hexdigest() if _KEY.fullmatch(key) else ""
