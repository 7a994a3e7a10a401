"""Compiled rulesets kept in the user's cache folder.

A file holds a digest of the rest, the facts as JSON, the source, and the code object as Python itself
keeps it; a file that is damaged or made by another engine or Python is made anew. Nothing is unpickled.
"""

from __future__ import annotations

import json
import marshal
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import CodeType

from platformdirs import user_cache_path

from hots_rules._home import grammar_text
from hots_rules.compile.make import Compiled

_MAGIC = b"hots_rules 1\n"
_ROOMS = ("syntax", "rules", "compile")


def cache_folder() -> Path:
    """The folder of compiled rulesets: `HOTS_RULES_CACHE`, or the user's cache folder."""
    named = os.environ.get("HOTS_RULES_CACHE")
    return Path(named) if named else user_cache_path("hots_rules", appauthor=False)


def engine_hash() -> str:
    """A digest of the compiler itself: what another engine compiled is not used."""
    digest = blake2b(grammar_text().encode(), digest_size=8)
    for room in _ROOMS:
        for entry in sorted(files("hots_rules").joinpath(room).iterdir(), key=_name):
            if entry.name.endswith(".py"):
                digest.update(entry.read_bytes())
    return digest.hexdigest()


def _name(entry: Traversable) -> str:
    return entry.name


def cache_key(content: str, settings: Mapping[str, int] | None, *, traced: bool) -> str:
    """The name of a cache file: everything that its content depends on."""
    chosen = "default" if settings is None else json.dumps(dict(sorted(settings.items())))
    text = "\n".join(
        [content, engine_hash(), chosen, str(traced), sys.implementation.cache_tag or ""]
    )
    return blake2b(text.encode(), digest_size=20).hexdigest()


def read_cache(key: str) -> tuple[Compiled, CodeType] | None:
    """What was kept under a key; None if there is nothing, or nothing sound."""
    try:
        data = (cache_folder() / f"{key}.ruleset").read_bytes()
        if not data.startswith(_MAGIC):
            return None
        digest, body = data[len(_MAGIC) : len(_MAGIC) + 32], data[len(_MAGIC) + 32 :]
        if blake2b(body, digest_size=32).digest() != digest:
            return None
        first, second = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
        facts = json.loads(body[8 : 8 + first])
        source = body[8 + first : 8 + first + second].decode()
        code = marshal.loads(body[8 + first + second :])
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return (Compiled(source, facts), code) if isinstance(code, CodeType) else None


def write_cache(key: str, compiled: Compiled, code: CodeType) -> None:
    """Keeps a compiled ruleset; a folder that cannot be written only costs time at the next start."""
    facts, source = json.dumps(compiled.facts).encode(), compiled.source.encode()
    body = (
        len(facts).to_bytes(4, "big")
        + len(source).to_bytes(4, "big")
        + facts
        + source
        + marshal.dumps(code)
    )
    data = _MAGIC + blake2b(body, digest_size=32).digest() + body
    with suppress(OSError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, prefix=key, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, folder / f"{key}.ruleset")
        except OSError:
            os.unlink(name)
            raise
