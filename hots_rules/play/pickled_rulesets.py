"""Rulesets that arrive from another process: those that are installed by their names, others with their texts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from attrs import evolve

from hots_rules.diagnostics import Fault, Limits, RulesetError, Span
from hots_rules.play.compiled_ruleset import CompiledRuleset, Settings, compiled_ruleset
from hots_rules.rules import Source
from hots_rules.rules.sources.find import installed_source
from hots_rules.state.schema import StateSchema

MAX_RECEIVED = 8
# A ruleset that is sent again, with every task, is loaded once.
_RECEIVED: dict[tuple[str, Limits, bool], CompiledRuleset] = {}


def is_installed(source: Source, text_hash: str) -> bool:
    """Whether the library, or an installed package, has these very texts; they were found by their name."""
    if not source.is_named or text_hash != source.text_hash():
        return False
    with suppress(RulesetError):
        return installed_source(source.name) == source
    return False


def by_name(name: str, packing: str, limits: Limits) -> CompiledRuleset:
    """The installed ruleset of a name; `packing` is the digest of how it packs states.

    Raises:
        RulesetError: there is none, or its digest is another one.
    """

    def load() -> CompiledRuleset:
        source = installed_source(name)
        if source is None:
            raise _fault(f"a pickle is of the ruleset `{name}`, which is not installed here")
        loaded = compiled_ruleset(evolve(source, is_named=True), limits)
        if loaded.packing_hash != packing:
            raise _fault(
                f"a pickle is of the ruleset `{name}` with the digest {packing}; "
                f"here it has {loaded.packing_hash}"
            )
        return loaded

    return _received((f"{name} {packing}", limits, False), load)


def whole(source: Source, limits: Limits, is_self_contained: bool) -> CompiledRuleset:
    """The ruleset of texts from another process.

    Raises:
        RulesetError: the texts have faults.
    """

    def load() -> CompiledRuleset:
        loaded = compiled_ruleset(source, limits)
        return evolve(loaded, is_self_contained=True) if is_self_contained else loaded

    return _received((source.text_hash(), limits, is_self_contained), load)


def schema_of(compiled: CompiledRuleset, settings: Settings) -> StateSchema:
    """The schema of the states of a ruleset."""
    return compiled.schema_under(settings)


def _received(
    key: tuple[str, Limits, bool], load: Callable[[], CompiledRuleset]
) -> CompiledRuleset:
    received = _RECEIVED.get(key)
    if received is None:
        received = load()
        if len(_RECEIVED) == MAX_RECEIVED:
            _RECEIVED.clear()
        _RECEIVED[key] = received
    return received


def _fault(headline: str) -> RulesetError:
    remedy = "install what made the pickle, or pickle there what `Ruleset.self_contained` gives"
    return RulesetError([Fault("missing-ruleset", headline, Span.nowhere(), help=remedy)])
