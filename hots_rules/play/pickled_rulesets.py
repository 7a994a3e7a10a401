"""Rulesets that arrive from another process: those that are installed by their names, others with their texts."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from attrs import evolve, field, frozen

from hots_rules.diagnostics import Fault, Limits, RulesetError, Span
from hots_rules.play.compiled_ruleset import CompiledRuleset, Settings, compiled_ruleset
from hots_rules.rules import Source
from hots_rules.rules.sources.find import installed_source
from hots_rules.state.schema import StateSchema

MAX_RECEIVED = 8
"""How many rulesets are kept: one that is sent again, with every task, is loaded once."""


@frozen
class _Sent:
    """The texts of a ruleset from another process; two are equal if their digests are."""

    text_hash: str
    limits: Limits
    is_self_contained: bool
    source: Source = field(eq=False)


def is_installed(source: Source, text_hash: str) -> bool:
    """Whether the library, or an installed package, has these very texts; they were found by their name."""
    if not source.is_named or text_hash != source.text_hash():
        return False
    with suppress(RulesetError):
        return installed_source(source.name) == source
    return False


@lru_cache(maxsize=MAX_RECEIVED)
def by_name(name: str, content: str, limits: Limits) -> CompiledRuleset:
    """The installed ruleset of a name.

    Raises:
        RulesetError: there is none, or its digest is another one.
    """
    source = installed_source(name)
    if source is None:
        raise _fault(f"a pickle is of the ruleset `{name}`, which is not installed here")
    loaded = compiled_ruleset(evolve(source, is_named=True), limits)
    if loaded.content_hash != content:
        raise _fault(
            f"a pickle is of the ruleset `{name}` with the digest {content}; "
            f"here it has {loaded.content_hash}"
        )
    return loaded


def whole(source: Source, limits: Limits, is_self_contained: bool) -> CompiledRuleset:
    """The ruleset of texts from another process.

    Raises:
        RulesetError: the texts have faults.
    """
    return _loaded(_Sent(source.text_hash(), limits, is_self_contained, source))


@lru_cache(maxsize=MAX_RECEIVED)
def _loaded(sent: _Sent) -> CompiledRuleset:
    loaded = compiled_ruleset(sent.source, sent.limits)
    return evolve(loaded, is_self_contained=True) if sent.is_self_contained else loaded


def forget_received() -> None:
    """Load rulesets anew when they are received again."""
    by_name.cache_clear()
    _loaded.cache_clear()


def schema_of(compiled: CompiledRuleset, settings: Settings) -> StateSchema:
    """The schema of the states of a ruleset."""
    return compiled.schema_under(settings)


def _fault(headline: str) -> RulesetError:
    remedy = "install what made the pickle, or pickle there what `Ruleset.self_contained` gives"
    return RulesetError([Fault("missing-ruleset", headline, Span.nowhere(), help=remedy)])
