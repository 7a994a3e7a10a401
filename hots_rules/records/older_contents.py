"""Which digests of a ruleset a record may be pinned to: that of today, and those that older versions wrote.

| its end | written by | it covers |
| --- | --- | --- |
| `000003` | this version | what decides play, see `rules/play_digest` |
| `000002` | versions up to 0.2 | all declarations as they are written, with sentences, labels and names of files |
| any other | version 0.1.0 | all texts |

An older digest stands for the same rules if the present texts have it, or if `rulesets/older_digests.csv` maps it to
the digest of today. This table has the older digests of shipped rulesets, also of rules that lack some readings of
today, if the defaults of these readings play as those rules did. It also has the digests of older rules by which the
games of the project's own records were played, all of which replay. Such a record is replayed without a question, and
the digests of its actions show whether it plays as before.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from functools import cache

from attrs import frozen

from hots_rules._home import older_digests_text
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits, check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules import Source

_PLAY, _DECLARED = "000003", "000002"
"""The last digits of a digest of what decides play, and of one of all declarations; one of texts has others."""


def has_content(ruleset: AnyRuleset, content: str) -> bool:
    """Whether a digest, as this version or an older one wrote it into a record, stands for the rules of a ruleset.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.records.has_content(rules, rules.content_hash)
    True
    >>> hr.records.has_content(rules, "0123456789abcdef" * 2)
    False

    Args:
        ruleset: the ruleset.
        content: the digest.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("content", content, str, "a digest")
    return _stands_for(content, ruleset.source, lambda: ruleset.content_hash)


def texts_have_content(source: Source, content: str, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Whether a digest, of this version or an older one, stands for the rules in some texts, which are parsed."""

    def content_hash() -> str:
        # A late import: a ruleset from the cache does not wait for the parser.
        from hots_rules.rules.load import content_hash

        return content_hash(source, limits)

    return _stands_for(content, source, content_hash)


def is_replayed(ruleset: AnyRuleset, content: str) -> bool:
    """Whether a record that is pinned to a digest is replayed by a ruleset without a question."""
    kept = _kept_digests().get((ruleset.name, content))
    return (kept is not None and kept.content == ruleset.content_hash) or has_content(
        ruleset, content
    )


def _stands_for(content: str, source: Source, content_hash: Callable[[], str]) -> bool:
    """Whether a digest stands for the rules in some texts, of which `content_hash` gives the digest of today."""
    kept = _kept_digests().get((source.name, content))
    if kept is not None and kept.is_of_same_play and kept.content == content_hash():
        return True
    if content.endswith(_PLAY):
        return content == content_hash()
    if is_text_hash(content):
        return content == source.text_hash()
    if not is_declared_digest(content):
        return False
    # A late import, as above.
    from hots_rules.rules.declared_digest import declared_digest

    return content == declared_digest(source)


def is_text_hash(content: str) -> bool:
    """Whether a digest is one of texts, as version 0.1.0 wrote it; a damaged one is not."""
    is_whole = len(content) == 32 and not set(content) - set("0123456789abcdef")
    return is_whole and all(
        _distance(content[-len(mark) :], mark) > 1 for mark in (_PLAY, _DECLARED)
    )


def is_declared_digest(content: str) -> bool:
    """Whether a digest is one of all declarations, as versions up to 0.2 wrote it."""
    return content.endswith(_DECLARED)


def _distance(left: str, right: str) -> int:
    return sum(a != b for a, b in zip(left, right, strict=True))


@frozen
class _OlderDigest:
    """What the table has for an older digest: the digest of today.

    `is_of_same_play` is false for older rules by which some games were played that replay.
    """

    content: str
    is_of_same_play: bool


@cache
def _kept_digests() -> Mapping[tuple[str, str], _OlderDigest]:
    """The digests of today by the names of shipped rulesets and their older digests."""
    rows = csv.DictReader(io.StringIO(older_digests_text()))
    return {
        (row["ruleset"], row["older"]): _OlderDigest(row["content"], row["because"] != "records")
        for row in rows
    }
