"""Plain data in files of the user's cache folder.

A file holds a digest of the rest and, marshalled as Python's own compiled modules are, plain data. A file that is
damaged or was written by another engine or Python is replaced. Nothing is unpickled.

What a file holds may be code that is run. So a file is read only if nobody else can have changed it or put it there.
Files that were not used for a long time are removed.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import time
from typing import Any
from warnings import warn

from hots_rules._private_files import NotPrivate, read_private, write_private

_MAGIC = b"hots_rules 3\n"
_DIGEST = 32
MAX_MEGABYTES = 100  # of all files, unless HOTS_RULES_CACHE_SIZE says otherwise
_DAY = 24 * 60 * 60  # in seconds
MAX_AGE = 60 * _DAY  # since a file was used


class CacheWarning(UserWarning):
    """Others may write to the folder of compiled rulesets, so it is not used; rulesets are compiled at each start.

    >>> from hots_rules.diagnostics import CacheWarning
    >>> issubclass(CacheWarning, UserWarning)
    True
    """


def cache_folder() -> Path:
    """The folder of compiled rulesets: `HOTS_RULES_CACHE`, or the user's cache folder."""
    if named := os.environ.get("HOTS_RULES_CACHE"):
        return Path(named)
    # A late import: it is slow, and not needed where the folder is named.
    from platformdirs import user_cache_path

    return user_cache_path("hots_rules", appauthor=False)


def key_of(*parts: str) -> str:
    """The name of a file: everything that its content depends on, and this Python."""
    python = f"{sys.implementation.cache_tag} {sys.hexversion}"
    return blake2b("\n".join([*parts, python]).encode(), digest_size=20).hexdigest()


def read_plain(key: str) -> Any:
    """The plain data under a key; None if there is no file, or none to be trusted.

    A folder that others may write to is not used, with a `CacheWarning`.
    """
    file = _file(key)
    try:
        data = read_private(file)
    except NotPrivate as error:
        remedy = "make the folder your own with mode 700, or name another in HOTS_RULES_CACHE"
        warn(f"no compiled ruleset is read from the cache: {error}; {remedy}", CacheWarning, 2)
        return None
    except (OSError, ValueError):
        return None
    if not data.startswith(_MAGIC):
        return None
    digest, body = data[len(_MAGIC) : len(_MAGIC) + _DIGEST], data[len(_MAGIC) + _DIGEST :]
    if _digest(key, body) != digest:
        return None
    # The digest proves that `write_plain` of this engine and this Python wrote it.
    _note_use(file)
    return marshal.loads(body)


def write_plain(key: str, plain: Any) -> None:
    """Write plain data under a key, if there is a folder that can be written."""
    body = marshal.dumps(plain)
    data = _MAGIC + _digest(key, body) + body
    with suppress(OSError, ValueError):
        write_private(_file(key), data)
        _remove_old(cache_folder())


def _note_use(file: Path) -> None:
    """Note that a file was used, once a day: its time of change."""
    with suppress(OSError):
        if time() - file.stat().st_mtime > _DAY:
            os.utime(file)


def _remove_old(folder: Path) -> None:
    """Remove files that were not used for a long time, then those used first, until the others are small enough."""
    files = [file for pattern in ("*.ruleset", ".*.new") for file in folder.glob(pattern)]
    total, now, most = 0, time(), _max_bytes()
    for used, size, file in sorted(map(_use_of, files), reverse=True):
        total += size
        if total > most or now - used > MAX_AGE:
            file.unlink(missing_ok=True)


def _max_bytes() -> int:
    named = os.environ.get("HOTS_RULES_CACHE_SIZE", "")
    return 1_000_000 * (int(named) if re.fullmatch("[0-9]{1,9}", named) else MAX_MEGABYTES)


def _use_of(file: Path) -> tuple[float, int, Path]:
    status = os.lstat(file)
    return status.st_mtime, status.st_size, file


def _file(key: str) -> Path:
    return cache_folder() / f"{key}.ruleset"


def _digest(key: str, body: bytes) -> bytes:
    """The key is part of the digest, so that a file under another name is not accepted."""
    return blake2b(body, digest_size=_DIGEST, key=key.encode()).digest()
