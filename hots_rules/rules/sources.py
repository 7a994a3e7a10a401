"""Where the files of a ruleset are, and their texts; nothing is parsed here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._home import rulesets_home
from hots_rules.diagnostics import Fault, RulesetError, Span, near

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_HEAD = re.compile(
    r'^ruleset[ \t]+([a-z][a-z0-9.-]*)[ \t]+"([^"\n]*)"[^\n]*\n(?:\s+extends[ \t]+(\S+))?',
    re.MULTILINE,
)
MAX_FILE_BYTES = 4_000_000


@frozen
class Layer:
    """The files of one ruleset without those that it extends."""

    name: str
    title: str
    extends: str | None
    files: dict[str, str]
    sections: str


@frozen
class Source:
    """A ruleset and all that it extends, the oldest layer of the chain (the newest rulebook) first."""

    layers: tuple[Layer, ...]

    @property
    def name(self) -> str:
        """The name of the ruleset on top."""
        return self.layers[-1].name

    @property
    def texts(self) -> dict[str, str]:
        """All files by name."""
        return {file: text for layer in self.layers for file, text in layer.files.items()}

    def content_hash(self) -> str:
        """A digest of every text: the same wherever the files lie."""
        digest = blake2b(digest_size=16)
        for layer in self.layers:
            for name, text in [*sorted(layer.files.items()), ("sections.csv", layer.sections)]:
                for part in (layer.name, name, text):
                    data = part.encode()
                    digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()


def known_rulesets() -> dict[str, str]:
    """The rulesets that come with the library, by name, with their titles."""
    return {name: title for name, (title, _) in sorted(_shipped().items())}


def find_source(name_or_path: str | PathLike[str]) -> Source:
    """The texts of a ruleset and of all that it extends.

    Raises:
        RulesetError: no such ruleset, a file that cannot be read, or a chain of extensions that turns back.
    """
    top = _top(name_or_path)
    layers, seen = [top], {top.name}
    shipped: dict[str, tuple[str, Traversable]] | None = None
    while (base := layers[-1].extends) is not None:
        shipped = _shipped() if shipped is None else shipped
        if base in seen:
            raise _fault("extension-cycle", f"expected a chain that ends, but `{base}` extends itself round about",
                         layers[-1], help_="take one `extends` of the chain away")  # fmt: skip
        if base not in shipped:
            raise _missing(base, shipped, layers[-1])
        layers.append(_read_folder(shipped[base][1]))
        seen.add(base)
    return Source(tuple(reversed(layers)))


def _top(name_or_path: str | PathLike[str]) -> Layer:
    if isinstance(name_or_path, str) and re.fullmatch(r"[a-z][a-z0-9.-]*", name_or_path):
        shipped = _shipped()
        if name_or_path in shipped:
            return _read_folder(shipped[name_or_path][1])
        if not Path(name_or_path).exists():
            raise _missing(name_or_path, shipped, None)
    path = Path(name_or_path)
    try:
        if path.is_dir():
            return _read_folder(path)
        return _layer({path.name: _text(path)}, "", str(path))
    except OSError as error:
        raise RulesetError([Fault("missing-ruleset", f"expected a ruleset at `{path}`, got {_reason(error)}",
                                  Span.nowhere(), help="name a ruleset of `hots list`, a file or a folder")], {}) from None  # fmt: skip


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _missing(
    name: str, shipped: dict[str, tuple[str, Traversable]], by: Layer | None
) -> RulesetError:
    close = near(name, shipped)
    mend = (
        f"did you mean `{close}`?"
        if close
        else f"name one of {', '.join(sorted(shipped)) or 'none'}"
    )
    if by is None:
        return RulesetError(
            [
                Fault(
                    "missing-ruleset",
                    f"expected the name of a ruleset, got `{name}`",
                    Span.nowhere(),
                    help=mend,
                )
            ],
            {},
        )
    return _fault("missing-ruleset", f"expected a ruleset to extend, got `{name}`", by, help_=mend)


def _fault(code: str, headline: str, layer: Layer, help_: str) -> RulesetError:
    for file, text in layer.files.items():
        if match := re.search(r"^\s+extends[ \t]+(\S+)", text, re.MULTILINE):
            line = text.count("\n", 0, match.start(1)) + 1
            column = match.start(1) - text.rfind("\n", 0, match.start(1))
            return RulesetError(
                [
                    Fault(
                        code,
                        headline,
                        Span(file, line, column, line, column + len(match[1])),
                        help=help_,
                    )
                ],
                layer.files,
            )
    return RulesetError([Fault(code, headline, Span.nowhere(), help=help_)], layer.files)


def _shipped() -> dict[str, tuple[str, Traversable]]:
    """Name → title and folder, by reading the heads of the files that come with the library."""
    found: dict[str, tuple[str, Traversable]] = {}
    for folder in _folders(rulesets_home(), 2):
        for entry in folder.iterdir():
            if entry.name.endswith(".rules") and (
                head := _HEAD.search(entry.read_text(encoding="utf-8"))
            ):
                found[head[1]] = (head[2], folder)
    return found


def _folders(home: Traversable, depth: int) -> Iterator[Traversable]:
    for entry in sorted(home.iterdir(), key=lambda e: e.name):
        if entry.is_dir() and entry.name != "tables":
            yield entry
            if depth > 1:
                yield from _folders(entry, depth - 1)


def _read_folder(folder: Traversable | Path) -> Layer:
    files: dict[str, str] = {}
    sections = ""
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".rules"):
            files[f"{folder.name}/{entry.name}"] = _text(entry)
        elif entry.name == "sections.csv":
            sections = _text(entry)
    layer = _layer(files, sections, folder.name)
    if layer.extends is None:
        files.update(_tables(folder))
    return layer


def _tables(folder: Traversable | Path) -> dict[str, str]:
    """The tables that the editions of one game share lie beside their folders."""
    beside = folder.parent / "tables" if isinstance(folder, Path) else None
    found: dict[str, str] = {}
    for tables in [folder / "tables", beside if beside is not None else _sibling(folder)]:
        if tables is not None and tables.is_dir():
            for entry in sorted(tables.iterdir(), key=lambda e: e.name):
                if entry.name.endswith(".rules"):
                    found[f"tables/{entry.name}"] = _text(entry)
    return found


def _sibling(folder: Traversable) -> Traversable | None:
    for game in rulesets_home().iterdir():
        if game.is_dir() and any(
            entry.name == folder.name and entry == folder for entry in game.iterdir()
        ):
            return game / "tables"
    return None


def _text(entry: Traversable | Path) -> str:
    data = entry.read_bytes()
    if len(data) > MAX_FILE_BYTES:
        headline = (
            f"expected at most {MAX_FILE_BYTES} bytes in a file, got {len(data)} in `{entry.name}`"
        )
        raise RulesetError(
            [Fault("too-large", headline, Span.nowhere(), help="split it by chapter")], {}
        )
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        headline = (
            f"expected text in UTF-8, got other bytes at position {error.start} of `{entry.name}`"
        )
        raise RulesetError(
            [Fault("malformed-text", headline, Span.nowhere(), help="save the file as UTF-8")], {}
        ) from None


def _layer(files: dict[str, str], sections: str, where: str) -> Layer:
    heads = [(file, match) for file, text in files.items() for match in _HEAD.finditer(text)]
    if len(heads) != 1:
        headline = f'expected one line `ruleset NAME "title"` in `{where}`, got {len(heads)}'
        raise RulesetError([Fault("missing-ruleset", headline, Span.nowhere(),
                                  help='begin one file with e.g. `ruleset my-game "My game"`')], files)  # fmt: skip
    head = heads[0][1]
    return Layer(head[1], head[2], head[3], files, sections)
