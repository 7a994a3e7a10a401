"""The texts of a ruleset kept with its games, so that an old record can be played by what it was played by."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hots_rules._files import atomic_write
from hots_rules.compile.cache import cache_folder
from hots_rules.diagnostics import BadRecord
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.sources.source import Layer, Source

if TYPE_CHECKING:
    from hots_rules.records.record import Record

if TYPE_CHECKING:
    from hots_rules.play.game import BaseGame

G = TypeVar("G", bound="BaseGame")
MAX_TEXT = 16_000_000
# Where a list of sections lay is nobody's business.
_FIELDS = ("name", "title", "extends", "files", "sections")


def packed(source: Source) -> str:
    """The texts of a ruleset and of all that it extends, as one word; `unpacked` reads it."""
    layers = [[getattr(layer, field) for field in _FIELDS] for layer in source.layers]
    return b64encode(zlib.compress(json.dumps(layers).encode(), 9)).decode("ascii")


def unpacked(word: str) -> Source:
    """The texts that were packed.

    Raises:
        BadRecord: they are damaged, or too large.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(b64decode(word, validate=True), MAX_TEXT)
        if not inflate.eof:
            raise ValueError("too large, or torn")
        return Source(tuple(_layer(row) for row in json.loads(data)))
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise BadRecord(
            f"expected a copy of the texts of a ruleset in the record, got something else: {error!s:.80}"
        ) from None


def _layer(row: list[object]) -> Layer:
    name, title, extends, files, sections = row
    words = [name, title, sections, "" if extends is None else extends]
    if not isinstance(files, dict) or not files:
        raise ValueError("a layer without files")
    for word in [*words, *files, *files.values()]:
        if not isinstance(word, str):
            raise ValueError("no text")
        word.encode()
    return Layer(name, title, extends, files, sections)  # type: ignore[arg-type]


def pinned_source(record: Record) -> Source | None:
    """The texts that a record was played by: its own copy, or the one kept when it was saved.

    Raises:
        BadRecord: its copy is damaged.
    """
    if record.texts:
        return unpacked(record.texts)
    try:
        source = unpacked(_file(record.content).read_text(encoding="ascii"))
    except (OSError, ValueError, BadRecord):
        return None
    return source if source.content_hash() == record.content else None


def keep_texts(ruleset: BaseRuleset[G]) -> None:
    """Keeps the texts of a ruleset in the cache folder; one that cannot be written does no harm."""
    with suppress(OSError, ValueError):
        target = _file(ruleset.content_hash)
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(target, packed(ruleset.source), fsync=False)


def _file(content: str) -> Path:
    if not content.isalnum() or not content.isascii() or len(content) > 64:
        raise ValueError("no digest")
    return cache_folder() / "texts" / f"{content}.texts"
