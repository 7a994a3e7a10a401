"""Compiled rulesets in the user's cache folder.

A file holds the source, the facts as plain data, and the code; or, as plain data, what else is computed from the texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from types import CodeType
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from hots_rules._cache import key_of, read_plain, write_plain
from hots_rules._home import grammar_text, package_home
from hots_rules.compile import facts
from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.machine import Machine
from hots_rules.compile.plain import Classes, from_plain, to_plain
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits, Span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PACKAGES = ("diagnostics", "syntax", "rules", "compile")
T = TypeVar("T")
_CLASSES: tuple[type, ...] = (
    facts.CompiledFacts,
    facts.Variable,
    facts.Parameter,
    facts.ActionFacts,
    facts.ClauseFacts,
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


def cache_key(
    content: str, settings: Mapping[str, int] | None, *, traced: bool, guide: str = ""
) -> str:
    """The name of a cache file: everything that its content depends on; `guide` is the text of a policy."""
    chosen = "default" if settings is None else repr(sorted(settings.items()))
    return key_of(content, engine_hash(), chosen, str(traced), *([guide] if guide else []))


def read_cache(key: str) -> tuple[CompiledModule, CodeType] | None:
    """The compiled ruleset under a key; None if there is no file, a damaged one, or one that is not to be trusted.

    A folder that others may write to is not used, with a `CacheWarning`.
    """
    kept = read_plain(key)
    if kept is None:
        return None
    source, plain, code = kept
    return CompiledModule(source, facts_from_plain(plain)), code


def write_cache(key: str, compiled: CompiledModule, code: CodeType) -> None:
    """Write a compiled ruleset; without a writable folder, the next start compiles again."""
    write_plain(key, (compiled.source, facts_to_plain(compiled.facts), code))


def read_kept(content: str, kind: type[T], parts: Classes) -> T | None:
    """What was computed from the texts with a digest; None if there is no file, or a damaged one.

    It is of the class `kind`, and `parts` are the classes of what it holds.
    """
    kept = read_plain(_kept_key(content, kind))
    value = None if kept is None else from_plain(kept, (kind, *parts))
    return value if isinstance(value, kind) else None


def write_kept(content: str, value: object, parts: Classes) -> None:
    """Write what was computed from the texts with a digest."""
    kind = type(value)
    write_plain(_kept_key(content, kind), to_plain(value, (kind, *parts)))


def _kept_key(content: str, kind: type) -> str:
    """The name of a file; the package of its class computes the value."""
    package = kind.__module__.split(".")[1]
    computed_by = "" if package in _PACKAGES else engine_hash((package,))
    return cache_key(f"{kind.__name__} {computed_by} {content}", None, traced=False)


def facts_to_plain(value: facts.CompiledFacts) -> object:
    """Facts as lists, tuples, dictionaries, texts and numbers."""
    return to_plain(value, _CLASSES)


def facts_from_plain(plain: object) -> facts.CompiledFacts:
    """Facts from their plain form."""
    value = from_plain(plain, _CLASSES)
    assert isinstance(value, facts.CompiledFacts)
    return value
