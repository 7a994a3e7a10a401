"""Which texts of a ruleset a record is replayed by."""

from __future__ import annotations

from hots_rules.compile.sampling import RNG
from hots_rules.diagnostics import BadRecord, closest_match
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.record import Record
from hots_rules.records.ruleset_texts import kept_source, unpack
from hots_rules.rules import Source, find_source, known_rulesets


def source_for(record: Record, content: str, given: Source | None = None) -> Source:
    """The texts to replay a record by.

    A record opens no file by its path, since its source may be untrusted.

    Args:
        record: the record.
        content: `refuse` for the given or installed texts, `pinned` for those that the game was played by.
        given: the texts to use; those of the installed ruleset with the record's name if omitted.

    Raises:
        BadRecord: there are no such texts, or the copy in the record is damaged.
    """
    if content not in ("refuse", "pinned"):
        raise BadRecord(f"expected content to be `refuse` or `pinned`, got `{content!s:.60}`")
    if content == "pinned" and (source := _pinned_source(record)) is not None:
        if (source.name, source.content_hash()) == (record.ruleset, record.content):
            return source
        raise _other_texts(record, source, "the copy of the texts in the record is damaged")
    source = _installed_source(record) if given is None else given
    if content == "pinned" and source.content_hash() != record.content:
        raise _other_texts(record, source, "no copy of the texts was kept")
    return source


def check_ruleset(record: Record, ruleset: BaseRuleset[BaseGame]) -> None:
    """Check that a record is pinned to the texts of a ruleset.

    Raises:
        BadRecord: the ruleset has another name or other texts, or the record uses other dice.
    """
    if record.rng != RNG:
        raise BadRecord(f"expected dice by `{RNG}`, got `{record.rng[:60]}`")
    if (ruleset.name, ruleset.content_hash) != (record.ruleset, record.content):
        remedy = "replay it pinned to its own texts, or migrate it"
        raise _other_texts(record, ruleset.source, remedy)


def _other_texts(record: Record, source: Source, remedy: str) -> BadRecord:
    return BadRecord(
        f"expected the ruleset `{record.ruleset[:60]}` with the content {record.content[:12]}…, "
        f"got `{source.name}` with {source.content_hash()[:12]}…; {remedy}"
    )


def _pinned_source(record: Record) -> Source | None:
    """The texts that a game was played by: the copy in the record, or the one in the cache folder."""
    return unpack(record.texts) if record.texts else kept_source(record.content)


def _installed_source(record: Record) -> Source:
    known = known_rulesets()
    if record.ruleset not in known:
        close = closest_match(record.ruleset, known)
        remedy = f"did you mean `{close}`?" if close else "load it, and pass it with the record"
        name = record.ruleset[:60].encode(errors="replace").decode()
        raise BadRecord(f"no ruleset named `{name}` is installed; {remedy}")
    return find_source(record.ruleset)
