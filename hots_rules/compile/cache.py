"""Compiled rulesets, and their files in the user's cache folder.

A file holds a digest of the rest and, marshalled as Python's own compiled modules are, the source, the facts
as plain data, and the code; or, as plain data, what else is computed from the texts. A file that is damaged or was
written by another engine or Python is replaced. Nothing is unpickled.

The code in a file is run. So a file is read only if nobody else can have changed it or put it there. Files that
were not used for a long time are removed.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import time
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar
from warnings import warn

from attrs import frozen

from hots_rules._home import grammar_text, package_home
from hots_rules._private_files import NotPrivate, read_private, write_private
from hots_rules.compile import facts
from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.machine import Machine
from hots_rules.compile.plain import Classes, from_plain, to_plain
from hots_rules.diagnostics import DEFAULT_LIMITS, CacheWarning, Limits, Span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_MAGIC = b"hots_rules 3\n"
_DIGEST = 32
MAX_MEGABYTES = 100  # of all files, unless HOTS_RULES_CACHE_SIZE says otherwise
_DAY = 24 * 60 * 60  # in seconds
MAX_AGE = 60 * _DAY  # since a file was used
_PACKAGES = ("diagnostics", "syntax", "rules", "compile")
T = TypeVar("T")
_CLASSES: tuple[type, ...] = (
    facts.CompiledFacts,
    facts.Variable,
    facts.Parameter,
    facts.ActionFacts,
    facts.PointFacts,
    facts.ScenarioFacts,
    facts.EntryFacts,
    facts.SecretFacts,
    facts.SettingFacts,
    facts.CheckFacts,
    facts.ClaimFacts,
    facts.InvariantFacts,
    facts.FrameSlot,
    facts.RoutineFacts,
    facts.MapLink,
    facts.MapFacts,
    types.WordType,
    types.IntType,
    types.BoolType,
    types.SetType,
    types.PairType,
    types.DiceType,
    Origin,
    Span,
)


@frozen
class CompiledModule:
    """The source of a module, and the facts about it."""

    source: str
    facts: CompiledFacts

    def code(self) -> CodeType:
        """The code object of the source."""
        return compile(self.source, f"<rules of {self.facts.name}>", "exec")

    def machine(
        self,
        code: CodeType | None = None,
        limits: Limits = DEFAULT_LIMITS,
        *,
        counts_steps: bool = False,
    ) -> Machine:
        """A machine; `code` is the code object of the source, if there is one already.

        With `counts_steps`, or where the worst case takes too long, it is a `CountingMachine`.
        """
        code = self.code() if code is None else code
        if not self.facts.is_traced:
            if counts_steps or self.facts.counts_steps:
                # A late import: few rulesets need it.
                from hots_rules.compile.counting import CountingMachine

                return CountingMachine(code, self.facts, self.source, limits)
            return Machine(code, self.facts, self.source, limits)
        # A late import: play needs no traced machine until it is asked for a trace.
        from hots_rules.compile.traced import TracedMachine

        return TracedMachine(code, self.facts, self.source, limits)


def cache_folder() -> Path:
    """The folder of compiled rulesets: `HOTS_RULES_CACHE`, or the user's cache folder."""
    if named := os.environ.get("HOTS_RULES_CACHE"):
        return Path(named)
    # A late import: it is slow, and not needed where the folder is named.
    from platformdirs import user_cache_path

    return user_cache_path("hots_rules", appauthor=False)


@cache
def engine_hash(packages: tuple[str, ...] = _PACKAGES) -> str:
    """A digest of the compiler itself, or of other packages, so that no file of another engine is used."""
    digest = blake2b(grammar_text().encode(), digest_size=8)
    for package in packages:
        for file in _python_files(package_home().joinpath(package)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _python_files(folder: Traversable) -> Iterator[Traversable]:
    """The Python files of a package and its sub-packages, in the order of their names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".py"):
            yield entry
        elif entry.name != "__pycache__" and entry.is_dir():
            yield from _python_files(entry)


def cache_key(content: str, settings: Mapping[str, int] | None, *, traced: bool) -> str:
    """The name of a cache file: everything that its content depends on."""
    chosen = "default" if settings is None else repr(sorted(settings.items()))
    python = f"{sys.implementation.cache_tag} {sys.hexversion}"
    text = "\n".join([content, engine_hash(), chosen, str(traced), python])
    return blake2b(text.encode(), digest_size=20).hexdigest()


def read_cache(key: str) -> tuple[CompiledModule, CodeType] | None:
    """The compiled ruleset under a key; None if there is no file, a damaged one, or one that is not to be trusted.

    A folder that others may write to is not used, with a `CacheWarning`.
    """
    kept = _read(key)
    if kept is None:
        return None
    source, plain, code = kept
    return CompiledModule(source, facts_from_plain(plain)), code


def write_cache(key: str, compiled: CompiledModule, code: CodeType) -> None:
    """Write a compiled ruleset; without a writable folder, the next start compiles again."""
    _write(key, (compiled.source, facts_to_plain(compiled.facts), code))


def read_kept(content: str, kind: type[T], parts: Classes) -> T | None:
    """What was computed from the texts with a digest; None if there is no file, or a damaged one.

    It is of the class `kind`, its parts are of the other classes.
    """
    kept = _read(_kept_key(content, kind))
    value = None if kept is None else from_plain(kept, (kind, *parts))
    return value if isinstance(value, kind) else None


def write_kept(content: str, value: object, parts: Classes) -> None:
    """Write what was computed from the texts with a digest."""
    kind = type(value)
    _write(_kept_key(content, kind), to_plain(value, (kind, *parts)))


def _kept_key(content: str, kind: type) -> str:
    """The name of a file; the package of its class computes the value."""
    package = kind.__module__.split(".")[1]
    computed_by = "" if package in _PACKAGES else engine_hash((package,))
    return cache_key(f"{kind.__name__} {computed_by} {content}", None, traced=False)


def _read(key: str) -> Any:
    """The plain data under a key; None if there is no file, or none to be trusted."""
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
    # The digest proves that `_write` of this engine and this Python wrote it.
    _note_use(file)
    return marshal.loads(body)


def _write(key: str, plain: Any) -> None:
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


def facts_to_plain(value: facts.CompiledFacts) -> object:
    """Facts as lists, tuples, dictionaries, texts and numbers."""
    return to_plain(value, _CLASSES)


def facts_from_plain(plain: object) -> facts.CompiledFacts:
    """Facts from their plain form."""
    value = from_plain(plain, _CLASSES)
    assert isinstance(value, facts.CompiledFacts)
    return value
