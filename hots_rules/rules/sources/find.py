"""Where the files of a ruleset are, and their texts; nothing is parsed here but their heads."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._home import rulesets_home
from hots_rules.diagnostics import Fault, Place, RulesetError, Span, closest_match

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PATH_VARIABLE = "HOTS_RULES_PATH"
MAX_BYTES = 2_000_000  # of a file, and of all files of a ruleset
MAX_FILES = 200

_NAME = r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*"
_REST = r"[ \t]*(?:\#[^\n]*)?\n"
_HEAD = re.compile(
    rf"""^ruleset [ \t]+ (?P<name>{_NAME}) [ \t]+ "(?P<title>[^"\n]*)" {_REST}
         (?: {_REST} )* (?: [ \t]+ extends [ \t]+ (?P<base>{_NAME}) {_REST} )?""",
    re.MULTILINE | re.VERBOSE,
)


@frozen
class Layer:
    """The files of one ruleset without those that it extends."""

    name: str
    title: str
    extends: str | None
    files: dict[str, str]
    sections: str
    sections_file: str = "sections.csv"


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
        """All files by name, the lists of sections among them."""
        found = {layer.sections_file: layer.sections for layer in self.layers if layer.sections}
        return found | {name: text for layer in self.layers for name, text in layer.files.items()}

    def content_hash(self) -> str:
        """A digest of every text: the same wherever the files lie."""
        digest = blake2b(digest_size=16)
        for layer in self.layers:
            for name, text in [*sorted(layer.files.items()), ("sections.csv", layer.sections)]:
                for part in (layer.name, name, text):
                    data = part.encode()
                    digest.update(len(data).to_bytes(8, "big") + data)
        return digest.hexdigest()


@frozen
class Found:
    """A ruleset that could be read: its title, its file or folder, and the texts that were read to find it."""

    title: str
    entry: Path | Traversable
    texts: dict[str, str]


def known_rulesets() -> dict[str, str]:
    """The rulesets by name, with their titles.

    They are those of the library, of the folders in `HOTS_RULES_PATH`, and of the packages that are installed
    with an entry point `hots_rules.rulesets`, the first of a name.
    """
    found = {**_brought(), **_known()}
    return {name: one.title for name, one in sorted(found.items())}


def find_source(name_or_path: str | PathLike[str]) -> Source:
    """The texts of a ruleset and of all that it extends.

    What a ruleset extends is looked for beside it, in the folder above, in the library, and in the
    folders that the environment variable `HOTS_RULES_PATH` lists.

    Raises:
        RulesetError: no such ruleset, a file that cannot be read, or a chain of extensions that turns back.
    """
    top, known = _top(name_or_path)
    layers, names = [top], [top.name]
    while (base := layers[-1].extends) is not None:
        names.append(base)
        if base in names[:-1]:
            raise _blame_extends(
                layers[-1],
                "extension-cycle",
                f"expected a chain that ends, got {' → '.join(names)}",
                "take one `extends` of the chain away",
            )
        if base not in known:
            known = {**_brought(), **known}
        if base not in known:
            raise _blame_extends(
                layers[-1],
                "missing-ruleset",
                f"expected a ruleset to extend, got `{base}`",
                _mend(base, known),
            )
        taken = {name for layer in layers for name in layer.files}
        layers.append(_read(known[base].entry, taken, known[base].texts))
    return Source(tuple(reversed(layers)))


# ---------------------------------------------------------------- which file or folder
def _top(name_or_path: str | PathLike[str]) -> tuple[Layer, dict[str, Found]]:
    """The ruleset that was asked for, and those that it may extend; packages are not asked without need."""
    if isinstance(name_or_path, str) and re.fullmatch(_NAME, name_or_path):
        known = _known()
        # A path that is there goes before a plugin, and only what is not found elsewhere makes us look for one.
        if name_or_path not in known and not os.path.lexists(name_or_path):
            known = {**_brought(), **known}
        if name_or_path in known:
            return _read(known[name_or_path].entry, set(), known[name_or_path].texts), known
        if not os.path.lexists(name_or_path):
            raise _unplaced(
                "missing-ruleset",
                f"expected the name of a ruleset, got `{name_or_path}`",
                _mend(name_or_path, known),
            )
    path = Path(name_or_path)
    top = _read(path, set(), {})
    if top.extends is None:
        return top, {}
    near_by = [path.parent, path.parent.parent] if not _is_folder(path) else [path.parent]
    return top, {**_known(), **_all_in(near_by)}


def _mend(name: str, known: dict[str, Found]) -> str:
    close = closest_match(name, known)
    return (
        f"did you mean `{close}`?" if close else f"name one of {', '.join(sorted(known)) or 'none'}"
    )


def _known() -> dict[str, Found]:
    """The rulesets of the folders in `HOTS_RULES_PATH`, and of the library."""
    return {**_all_in(_named_folders()), **_shipped()}


def _named_folders() -> list[Path]:
    listed = os.environ.get(PATH_VARIABLE, "").split(os.pathsep)
    return [Path(folder) for folder in listed if folder]


def _brought() -> dict[str, Found]:
    """The rulesets of packages that are installed."""
    # Imported only here: what is shipped is found without it.
    from hots_rules.rules.sources.plugins import plugin_folders

    return _all_in(list(plugin_folders()))


def _shipped() -> dict[str, Found]:
    """The rulesets of the library: each is a folder, in the folder of its game."""
    found: dict[str, Found] = {}
    for game in _folders_in(rulesets_home()):
        found |= _folder_heads([game, *_folders_in(game)])
    return found


def _all_in(folders: Sequence[Path | Traversable]) -> dict[str, Found]:
    """The rulesets in some folders, each a file or a folder; those of an earlier folder go first."""
    found: dict[str, Found] = {}
    for folder in reversed(folders):
        if not _is_folder(folder):
            continue
        found |= _folder_heads(_folders_in(folder))
        texts = _readable(folder)
        heads = {name: head for name, text in texts.items() if (head := _head(text))}
        is_whole = len(heads) == 1 and len(_entries(folder, ".rules")) > 1
        for name, head in heads.items():
            entry = folder if is_whole else folder.joinpath(name)
            found[head["name"]] = Found(head["title"], entry, texts)
    return found


def _folder_heads(folders: list[Path | Traversable]) -> dict[str, Found]:
    """The folders that are a ruleset: one of their files names it."""
    found: dict[str, Found] = {}
    for folder in folders:
        texts = _readable(folder)
        heads = [head for text in texts.values() if (head := _head(text))]
        if len(heads) == 1:
            found[heads[0]["name"]] = Found(heads[0]["title"], folder, texts)
    return found


def _readable(folder: Path | Traversable) -> dict[str, str]:
    """The texts of a folder by the names of their files; what cannot be read is not found."""
    found: dict[str, str] = {}
    for entry in _entries(folder, ".rules"):
        with suppress(OSError, RulesetError):
            found[entry.name] = _text(entry, entry.name)
    return found


def _folders_in(home: Path | Traversable) -> list[Path | Traversable]:
    """The folders of a folder; what the editions of a game share is none of them."""
    entries = sorted(home.iterdir(), key=lambda entry: entry.name)
    return [entry for entry in entries[:MAX_FILES] if entry.name != "tables" and entry.is_dir()]


def _entries(folder: Path | Traversable, ending: str) -> list[Path | Traversable]:
    found = [entry for entry in folder.iterdir() if entry.name.endswith(ending)]
    return sorted(found, key=lambda entry: entry.name)


# ---------------------------------------------------------------- texts
def _read(path: Path | Traversable, taken: set[str], known: dict[str, str]) -> Layer:
    """A ruleset from its file or folder; files bear names that are not taken.

    The texts of files that are known are not read again.
    """
    try:
        if _is_folder(path):
            return _read_folder(path, known)
        name = path.name if path.name not in taken else str(path)
        beside = path.parent / "sections.csv" if isinstance(path, Path) else None
        if beside is None or not beside.is_file():
            return _layer({name: _text(path, str(path))}, str(path))
        sections = _text(beside, str(beside)), str(beside)
        return _layer({name: _text(path, str(path))}, str(path), *sections)
    except (OSError, ValueError) as error:
        raise _unplaced(
            "missing-ruleset",
            f"expected a ruleset at `{_cropped(str(path))}`, got {_reason(error)}",
            "name a ruleset of `hots list`, a file or a folder",
        ) from None


def _is_folder(path: Path | Traversable) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _read_folder(folder: Path | Traversable, known: dict[str, str]) -> Layer:
    files = {f"{folder.name}/{entry.name}": entry for entry in _entries(folder, ".rules")}
    if not files:
        raise _unplaced(
            "missing-ruleset",
            f"expected files with rules in `{folder.name}`, got none",
            "their names end with `.rules`",
        )
    texts = _texts(files, known)
    listed = f"{folder.name}/sections.csv"
    sections = [(_text(entry, listed), listed) for entry in _entries(folder, "sections.csv")]
    layer = _layer(texts, folder.name, *(sections[0] if sections else ()))
    if layer.extends is None:
        texts |= _texts(_tables(folder), {})
    return layer


def _texts(entries: dict[str, Path | Traversable], known: dict[str, str]) -> dict[str, str]:
    if len(entries) > MAX_FILES:
        raise _unplaced(
            "too-large",
            f"expected at most {MAX_FILES} files, got {len(entries)}",
            "put the rules of a chapter into one file",
        )
    texts = {
        name: known[entry.name] if entry.name in known else _text(entry, name)
        for name, entry in entries.items()
    }
    if (total := sum(map(len, texts.values()))) > MAX_BYTES:
        raise _unplaced(
            "too-large",
            f"expected at most {MAX_BYTES} characters in all files, got {total}",
            "keep tables and labels short",
        )
    return texts


def _tables(folder: Path | Traversable) -> dict[str, Path | Traversable]:
    """The tables that the editions of one game share lie in a folder beside theirs."""
    found: dict[str, Path | Traversable] = {}
    for tables in (folder.joinpath("tables"), _sibling(folder)):
        if tables is not None and tables.is_dir():
            found |= {f"tables/{entry.name}": entry for entry in _entries(tables, ".rules")}
    return found


def _sibling(folder: Path | Traversable) -> Path | Traversable | None:
    if isinstance(folder, Path):
        return folder.parent / "tables"
    games = [game for game in rulesets_home().iterdir() if game.is_dir()]
    # Places in an archive are not equal before Python 3.12, but their texts are.
    here = str(folder)
    holders = (game for game in games if any(str(each) == here for each in game.iterdir()))
    return next((game.joinpath("tables") for game in holders), None)


def _text(entry: Path | Traversable, name: str) -> str:
    """The text of a file, with plain line ends.

    Raises:
        OSError: it cannot be read.
        RulesetError: it is too large, or no text.
    """
    if isinstance(entry, Path) and not S_ISREG(os.stat(entry).st_mode):
        raise OSError(0, "no file of text")
    with entry.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _unplaced(
            "too-large",
            f"expected at most {MAX_BYTES} bytes in a file, got more in `{name}`",
            "split it by chapter",
        )
    try:
        data = data.removeprefix(BOM_UTF8)
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RulesetError(
            [
                Fault(
                    "malformed-text",
                    f"expected text in UTF-8, got the byte 0x{data[error.start]:02x}",
                    Span(name, line, 1, line, 2),
                    help="save the file as UTF-8",
                )
            ]
        ) from None


# ---------------------------------------------------------------- heads
def _heads(text: str) -> list[re.Match[str]]:
    """The lines `ruleset …` of a text, which few files have."""
    return list(_HEAD.finditer(f"{text}\n")) if "ruleset" in text else []


def _head(text: str) -> re.Match[str] | None:
    """The first line `ruleset …` of a text."""
    return next(iter(_heads(text)), None)


def _layer(
    files: dict[str, str], where: str, sections: str = "", sections_file: str = "sections.csv"
) -> Layer:
    """The layer of some files, of which one says its name."""
    heads = [(file, head) for file, text in files.items() for head in _heads(text)]
    if not heads:
        raise _no_head(files, where)
    if len(heads) > 1:
        first, second = (_span_of(file, files[file], head, "name") for file, head in heads[:2])
        raise RulesetError(
            [
                Fault(
                    "duplicate-name",
                    "expected one line `ruleset …`, got a second",
                    second,
                    (Place(first, "the first is here"),),
                    "keep one of them, or put the other ruleset into a folder of its own",
                )
            ],
            files,
        )
    head = heads[0][1]
    return Layer(head["name"], head["title"], head["base"], files, sections, sections_file)


def _no_head(files: dict[str, str], where: str) -> RulesetError:
    """No line `ruleset`: a malformed one says more than none."""
    for file, text in files.items():
        if re.search(r"^[ \t]*ruleset\b", text, re.MULTILINE):
            # Imported only here: a game that starts from the cache does not wait for the parser.
            from hots_rules.syntax import parse

            if faults := parse(text, file)[1]:
                return RulesetError(faults, files)
    file = next(iter(files))
    return RulesetError(
        [
            Fault(
                "missing-ruleset",
                f'expected a line `ruleset NAME "title"` in `{_cropped(where)}`, got none',
                Span(file, 1, 1, 1, 2),
                help='begin with e.g. `ruleset my-game "My game"`; if the file is a part of a ruleset, name its folder',
            )
        ],
        files,
    )


def _blame_extends(layer: Layer, code: str, headline: str, help_: str) -> RulesetError:
    for file, text in layer.files.items():
        if (head := _head(text)) and head["base"]:
            return RulesetError(
                [Fault(code, headline, _span_of(file, text, head, "base"), help=help_)], layer.files
            )
    raise AssertionError(layer.name)


def _span_of(file: str, text: str, head: re.Match[str], group: str) -> Span:
    start, stop = head.span(group)
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return Span(file, line, column, line, column + stop - start)


def _unplaced(code: str, headline: str, help_: str) -> RulesetError:
    return RulesetError([Fault(code, headline, Span.nowhere(), help=help_)])


def _reason(error: OSError | ValueError) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror).lower() if strerror else "a name that no file can have"


def _cropped(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}…"
