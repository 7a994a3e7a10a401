"""The texts of a ruleset and of all that it extends."""

from __future__ import annotations

from hashlib import blake2b

from attrs import field, frozen

from hots_rules._text import plain_text
from hots_rules.diagnostics import Fault, Limits, RulesetError, Span, how_to_raise


def _all_plain(texts: dict[str, str]) -> dict[str, str]:
    return {name: plain_text(text) for name, text in texts.items()}


@frozen
class Layer:
    """The files of one ruleset without those that it extends.

    `files` are the texts by file name, `sections` the text of its list of sections, "" if it has none;
    `board` is the text of the shapes that its board is drawn with, `talk` that of its questions in words, `headings`
    that of its headings in other languages, `changes` that of the changes that it declares, `statements` that of the
    statements of its rulebook, "" if it has none. They decide no rule. All of them are plain texts.
    """

    name: str
    title: str
    extends: str | None
    files: dict[str, str] = field(converter=_all_plain)
    sections: str = field(converter=plain_text)
    sections_file: str = "sections.csv"
    board: str = field(default="", converter=plain_text)
    talk: str = field(default="", converter=plain_text)
    headings: str = field(default="", converter=plain_text)
    changes: str = field(default="", converter=plain_text)
    changes_file: str = "changes.toml"
    statements: str = field(default="", converter=plain_text)
    statements_file: str = "statements.csv"


@frozen
class Source:
    """A ruleset and all that it extends, the base layer (the newest rulebook) first.

    `is_named` tells that it was found by its name; it is no part of the texts.
    """

    layers: tuple[Layer, ...]
    is_named: bool = field(default=False, eq=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the ruleset."""
        return self.layers[-1].name

    @property
    def texts(self) -> dict[str, str]:
        """All texts by file name, the lists of sections and of changes among them."""
        lists = {layer.sections_file: layer.sections for layer in self.layers if layer.sections}
        lists |= {layer.changes_file: layer.changes for layer in self.layers if layer.changes}
        return lists | {name: text for layer in self.layers for name, text in layer.files.items()}

    @property
    def board(self) -> str:
        """The text of the shapes of the board, that of the last ruleset with one; "" if none has one."""
        return next((layer.board for layer in reversed(self.layers) if layer.board), "")

    @property
    def talk(self) -> str:
        """The text of the questions in words, that of the last ruleset with one; "" if none has one."""
        return next((layer.talk for layer in reversed(self.layers) if layer.talk), "")

    @property
    def headings(self) -> str:
        """The text of the headings in other languages, that of the last ruleset with one; "" if none has one."""
        return next((layer.headings for layer in reversed(self.layers) if layer.headings), "")

    def text_hash(self) -> str:
        """A digest of every text, in hexadecimal; it does not depend on where the files are."""
        digest = blake2b(digest_size=16)
        for layer in self.layers:
            for name, text in [*sorted(layer.files.items()), ("sections.csv", layer.sections)]:
                for part in (layer.name, name, text):
                    data = part.encode()
                    digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()


def check_size(source: Source, limits: Limits) -> None:
    """Refuse texts that are larger than `Limits.ruleset_bytes`.

    Raises:
        RulesetError: they are.
    """
    size = sum(len(text.encode(errors="surrogatepass")) for text in source.texts.values())
    if size > limits.ruleset_bytes:
        headline = (
            f"expected at most {limits.ruleset_bytes:,} bytes in a ruleset and all that it extends, "
            f"got {size:,}"
        )
        remedy = how_to_raise("ruleset_bytes")
        raise RulesetError([Fault("too-large", headline, Span.nowhere(), help=remedy)])
