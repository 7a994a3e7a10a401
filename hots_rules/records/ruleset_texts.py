"""The texts of a ruleset, kept with its games so that an old record can be replayed by the rules it was played by."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path

from hots_rules._files import atomic_write
from hots_rules.compile.cache import cache_folder
from hots_rules.diagnostics import BadRecord
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.limits import MAX_TEXT
from hots_rules.rules.sources.source import Layer, Source

# Not the path of a list of sections: it may name a private folder.
_FIELDS = ("name", "title", "extends", "files", "sections")


def pack(source: Source) -> str:
    """The texts of a ruleset and of all that it extends, compressed to base64; `unpack` is the inverse."""
    layers = [[getattr(layer, field) for field in _FIELDS] for layer in source.layers]
    return b64encode(zlib.compress(json.dumps(layers).encode(), 9)).decode("ascii")


def unpack(packed: str) -> Source:
    """The texts that `pack` compressed.

    Raises:
        BadRecord: they are damaged, or too large.
    """
    try:
        inflate = zlib.decompressobj()
        data = inflate.decompress(b64decode(packed, validate=True), MAX_TEXT)
        if not inflate.eof:
            raise ValueError("too large, or incomplete")
        return Source(tuple(_layer(row) for row in json.loads(data)))
    except (ValueError, TypeError, zlib.error, RecursionError) as error:
        raise BadRecord(f"invalid texts of a ruleset in the record: {error!s:.80}") from None


def _layer(row: list[object]) -> Layer:
    name, title, extends, files, sections = row
    texts = [name, title, sections, "" if extends is None else extends]
    if not isinstance(files, dict) or not files:
        raise ValueError("a layer without files")
    for text in [*texts, *files, *files.values()]:
        if not isinstance(text, str):
            raise ValueError(f"expected text, got {type(text).__name__}")
        text.encode()
    return Layer(name, title, extends, files, sections)  # type: ignore[arg-type]


def kept_source(content: str) -> Source | None:
    """The texts with a content hash that were kept in the cache folder; None if there are none."""
    try:
        source = unpack(_file(content).read_text(encoding="ascii"))
    except (OSError, ValueError, BadRecord):
        return None
    return source if source.content_hash() == content else None


def keep_texts(ruleset: BaseRuleset[BaseGame]) -> None:
    """Keep the texts of a ruleset in the cache folder, if that can be written."""
    with suppress(OSError, ValueError):
        file = _file(ruleset.content_hash)
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(file, pack(ruleset.source), fsync=False)


def _file(content: str) -> Path:
    if not content.isalnum() or not content.isascii() or len(content) > 64:
        raise ValueError("not a content hash")
    return cache_folder() / "texts" / f"{content}.texts"
