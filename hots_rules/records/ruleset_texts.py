"""The texts of a ruleset, kept with its games, and which of them a record is replayed by."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from warnings import warn

from hots_rules._cache import cache_folder
from hots_rules._private_files import read_private, write_private
from hots_rules.compile.sampling import RNG
from hots_rules.diagnostics import (
    DEFAULT_LIMITS,
    BadRecord,
    Limits,
    RulesetChanged,
    RulesetError,
    check_kind,
    find_unprintable,
    suggest,
)
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.older_contents import (
    is_declared_digest,
    is_replayed,
    is_text_hash,
    texts_have_content,
)
from hots_rules.records.record import Record
from hots_rules.rules import check_size, find_source, known_rulesets
from hots_rules.rules.sources.source import Layer, Source

ESCAPE = 6  # the most bytes that JSON needs for one byte of a text
# Not the path of a list of sections: it may name a private folder.
_FIELDS = ("name", "title", "extends", "files", "sections")


def pack(source: Source) -> str:
    """The texts of a ruleset and of all that it extends, compressed to base64; `unpack` is the inverse."""
    layers = [[getattr(layer, field) for field in _FIELDS] for layer in source.layers]
    return b64encode(zlib.compress(json.dumps(layers).encode(), 9)).decode("ascii")


def unpack(packed: str, limits: Limits = DEFAULT_LIMITS) -> Source:
    """The texts that `pack` compressed.

    Raises:
        BadRecord: they are damaged, or too large.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(b64decode(packed, validate=True), ESCAPE * limits.ruleset_bytes)
        if not inflate.eof:
            raise ValueError("too large, or incomplete")
        source = Source(tuple(_layer(row) for row in json.loads(data)))
        check_size(source, limits)
    except (ValueError, TypeError, zlib.error, RecursionError, RulesetError) as error:
        raise BadRecord(f"invalid texts of a ruleset in the record: {error!s:.200}") from None
    return source


def _layer(row: list[object]) -> Layer:
    name, title, extends, files, sections = row
    texts = [name, title, sections, "" if extends is None else extends]
    if not isinstance(files, dict) or not files:
        raise ValueError("a layer without files")
    for text in [*texts, *files, *files.values()]:
        if not isinstance(text, str):
            raise ValueError(f"expected text, got {type(text).__name__}")
        text.encode()
    if any(find_unprintable(str(text)) is not None for text in (name, title, *files)):
        raise ValueError("a name that cannot be printed")
    return Layer(name, title, extends, files, sections)  # type: ignore[arg-type]


def kept_source(content: str, limits: Limits = DEFAULT_LIMITS) -> Source | None:
    """The texts with a content hash that were kept in the cache folder; None if there are none."""
    try:
        source = unpack(read_private(_file(content)).decode("ascii"), limits)
    except (OSError, ValueError, BadRecord):
        return None
    return source if texts_have_content(source, content, limits) else None


def keep_texts(ruleset: AnyRuleset) -> None:
    """Keep the texts of a ruleset in the cache folder, if that can be written."""
    with suppress(OSError, ValueError):
        file = _file(ruleset.content_hash)
        if not file.exists():
            write_private(file, pack(ruleset.source).encode())


def _file(content: str) -> Path:
    if not content.isalnum() or not content.isascii() or len(content) > 64:
        raise ValueError("not a content hash")
    return cache_folder() / "texts" / f"{content}.texts"


def source_for(
    record: Record, which_texts: str, given: Source | None = None, limits: Limits = DEFAULT_LIMITS
) -> Source:
    """The texts to replay a record by.

    A record opens no file by its path, since its source may be untrusted.

    Args:
        record: the record.
        which_texts: `refuse` for the given or installed texts, `pinned` for those that the game was played by.
        given: the texts to use; those of the installed ruleset with the record's name if omitted.
        limits: the limits of the copy in the record.

    Raises:
        BadRecord: there are no such texts, or the copy in the record is damaged.
    """
    if which_texts not in ("refuse", "pinned"):
        raise BadRecord(f"expected content to be `refuse` or `pinned`, got `{which_texts!s:.60}`")
    if which_texts == "pinned" and (source := _pinned_source(record, limits)) is not None:
        if source.name == record.ruleset and texts_have_content(source, record.content, limits):
            return source
        raise _other_texts_of_source(
            record, source, limits, "the copy of the texts in the record is damaged"
        )
    source = _installed_source(record) if given is None else given
    if which_texts == "pinned" and not texts_have_content(source, record.content, limits):
        raise _other_texts_of_source(record, source, limits, "no copy of the texts was kept")
    return source


def check_ruleset(record: Record, ruleset: AnyRuleset) -> None:
    """Check that a record is pinned to a ruleset.

    Older versions pinned records to other digests: see `older_contents`. Version 0.1.0 took that of the texts, which
    comments and layout changed. Such a record is replayed by texts that are no longer the same, with a
    `RulesetChanged` warning.

    Raises:
        BadRecord: the ruleset has another name or content, or the record uses other dice.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    if record.rng != RNG:
        raise BadRecord(f"expected dice by `{RNG}`, got `{record.rng[:60]}`")
    is_same_name = ruleset.name == record.ruleset
    if is_same_name and is_replayed(ruleset, record.content):
        return
    if not is_same_name or not is_text_hash(record.content):
        remedy = (
            "replay it pinned to its own texts, or migrate it: with `--content pinned`, or by "
            "`hots replay FILE --content migrate`"
        )
        if is_same_name and is_declared_digest(record.content):
            why = "a version up to 0.2 wrote the record, and the ruleset may differ in words alone"
            remedy = f"{why}; {remedy}"
        raise _other_texts(record, ruleset.name, ruleset.content_hash, remedy)
    warn(
        f"the record is pinned to other texts of `{ruleset.name}`, {record.content[:12]}…; "
        "they may differ in more than comments and layout",
        RulesetChanged,
        stacklevel=3,
    )


def _other_texts_of_source(record: Record, source: Source, limits: Limits, note: str) -> BadRecord:
    # A late import: a ruleset from the cache does not wait for the parser.
    from hots_rules.rules.load import content_hash

    return _other_texts(record, source.name, content_hash(source, limits), note)


def _other_texts(record: Record, name: str, content: str, note: str) -> BadRecord:
    return BadRecord(
        f"expected the ruleset `{record.ruleset[:60]}` with the content {record.content[:12]}…, "
        f"got `{name}` with {content[:12]}…; {note}"
    )


def _pinned_source(record: Record, limits: Limits) -> Source | None:
    """The texts that a game was played by: the copy in the record, or the one in the cache folder."""
    return unpack(record.texts, limits) if record.texts else kept_source(record.content, limits)


def _installed_source(record: Record) -> Source:
    installed = known_rulesets()
    if record.ruleset not in installed:
        passed = "load it, and pass it with the record; a command takes it as `--ruleset`"
        remedy = suggest(record.ruleset, installed).help(passed)
        raise BadRecord(f"no ruleset named `{record.ruleset[:60]}` is installed; {remedy}")
    return find_source(record.ruleset)
