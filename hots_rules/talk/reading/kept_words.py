"""What is computed from the words of a ruleset and of the library, kept in the cache of compiled rulesets."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TypeVar

from hots_rules._translate import LANGUAGES, language_words
from hots_rules.compile.cache import engine_hash
from hots_rules.play.game import AnyRuleset
from hots_rules.rules import Source
from hots_rules.talk.lookup.stems import stemming

T = TypeVar("T")


def kept_words(
    ruleset: AnyRuleset, kind: type[T], parts: tuple[type, ...], make: Callable[[], T]
) -> T:
    """What is computed from the words, from the cache if it was computed before.

    It is of the class `kind`, its parts are of the other classes.
    """
    return ruleset.compiled.kept(kind, parts, lambda _: make(), beside=_beside(ruleset.source))


def _beside(source: Source) -> str:
    """A digest of all that such words depend on beside the rules."""
    talk = (f"{layer.talk}\0{layer.statements}" for layer in source.layers)
    digest = blake2b(digest_size=16)
    for text in (language_words(), *LANGUAGES, engine_hash(("state",)), stemming(), *talk):
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()
