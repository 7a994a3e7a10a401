"""Reads the texts of a ruleset, by its name or its path; nothing is parsed but the line `ruleset …`."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from hots_rules._files import check_link, leads_out, resolved
from hots_rules._home import rulesets_home
from hots_rules._text import plain_text
from hots_rules.diagnostics import RulesetError, check_path, suggest
from hots_rules.rules.sources.files import (
    files_in,
    is_folder,
    read_text,
    read_texts,
    unplaced_error,
)
from hots_rules.rules.sources.heads import NAME, cropped, extends_error, make_layer
from hots_rules.rules.sources.locate import (
    LocatedRuleset,
    plugin_rulesets,
    rulesets_by_name,
    rulesets_in,
    rulesets_on_path,
    shipped_in_own_folder,
    shipped_rulesets,
)
from hots_rules.rules.sources.source import Layer, Source

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

BOARD_FILE = "board.json"
TALK_FILE = "talk.toml"
TALK_FOLDER = "talk"
HEADINGS_FILE = "headings.toml"
CHANGES_FILE = "changes.toml"
STATEMENTS_FILE = "statements.csv"


def find_source(name_or_path: str | PathLike[str]) -> Source:
    """The texts of a ruleset and of all that it extends.

    What a ruleset extends is looked for beside it, in the folder above, in the library, in the
    folders that the environment variable `HOTS_RULES_PATH` lists, and in installed packages.

    Raises:
        RulesetError: no such ruleset, a file that cannot be read, or a circular `extends`.
    """
    source = _with_bases(*_find_top(name_or_path))
    return evolve(source, is_named=name_or_path == source.name)


def installed_source(name: str) -> Source | None:
    """The texts of a ruleset of the library, or else of an installed package; None if neither has it.

    Raises:
        RulesetError: they cannot be read, or something that it extends is missing.
    """
    located = shipped_in_own_folder(name) or shipped_rulesets()
    if name not in located:
        located = {**plugin_rulesets(), **located}
    return _source(name, located) if name in located else None


def known_sources() -> dict[str, Source]:
    """The texts of all rulesets that can be loaded by name, without those of which some cannot be read."""
    located = rulesets_by_name()
    sources: dict[str, Source] = {}
    for name in sorted(located):
        with suppress(RulesetError):
            sources[name] = _source(name, located)
    return sources


def shipped_sources() -> dict[str, Source]:
    """The texts of all rulesets of the library by name; nothing outside the library is read."""
    located = shipped_rulesets()
    return {name: _source(name, located) for name in sorted(located)}


def shipped_source(name: str) -> Source | None:
    """The texts of a ruleset of the library; nothing outside the library is read. None if it has no such ruleset."""
    located = shipped_rulesets()
    return _source(name, located) if name in located else None


def shipped_file(name: str, text: str) -> Path | None:
    """The file of the library with a name such as `4.0/armies.rules` and a text; None in a zipped wheel."""
    home = rulesets_home()
    if not isinstance(home, Path):
        return None
    for path in (home / name, *sorted(home.glob(f"*/{name}"))):
        if path.is_file() and plain_text(path.read_text(encoding="utf-8")) == text:
            return path
    return None


def _source(name: str, located: dict[str, LocatedRuleset]) -> Source:
    """A ruleset that was found, with all that it extends."""
    ruleset = located[name]
    return _with_bases(_read(ruleset.entry, set(), ruleset.texts), located)


def _with_bases(top: Layer, located: dict[str, LocatedRuleset]) -> Source:
    """A ruleset with all that it extends."""
    layers, names = [top], [top.name]
    while (base := layers[-1].extends) is not None:
        names.append(base)
        if base in names[:-1]:
            raise extends_error(
                layers[-1],
                "extension-cycle",
                f"circular `extends`: {' → '.join(names)}",
                "remove one `extends`",
            )
        for others in (rulesets_on_path, plugin_rulesets):
            if base not in located:
                located = {**others(), **located}
        if base not in located:
            headline = f"no ruleset `{base}` to extend"
            remedy = _name_one_of(located)
            near = suggest(base, located)
            raise extends_error(layers[-1], "missing-ruleset", headline, remedy, near)
        taken = {name for layer in layers for name in layer.files}
        layers.append(_read(located[base].entry, taken, located[base].texts))
    return Source(tuple(reversed(layers)))


def _find_top(name_or_path: str | PathLike[str]) -> tuple[Layer, dict[str, LocatedRuleset]]:
    """The ruleset that is asked for, and those that it may extend; plugins are loaded only if needed."""
    if isinstance(name_or_path, str) and re.fullmatch(NAME, name_or_path):
        located = shipped_in_own_folder(name_or_path) or rulesets_on_path()
        # A path that exists takes precedence over a plugin.
        if name_or_path not in located and not os.path.lexists(name_or_path):
            located = {**plugin_rulesets(), **located}
        if name_or_path in located:
            ruleset = located[name_or_path]
            return _read(ruleset.entry, set(), ruleset.texts), located
        if not os.path.lexists(name_or_path):
            headline = f"no ruleset `{name_or_path}`"
            remedy = suggest(name_or_path, located).help(_name_one_of(located))
            raise unplaced_error("missing-ruleset", headline, remedy)
    check_path(name_or_path)
    path = Path(name_or_path)
    if path.name in ("", ".."):
        path = resolved(path)  # `.` has a name and a folder above it, too
    try:
        check_link(path)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    top = _read(path, set(), {})
    if top.extends is None:
        return top, {}
    around = [path.parent] if is_folder(path) else [path.parent, path.parent.parent]
    return top, {**rulesets_on_path(), **rulesets_in(around)}


def _name_one_of(located: dict[str, LocatedRuleset]) -> str:
    return f"name one of {', '.join(sorted(located)) or 'none'}"


# ---------------------------------------------------------------- texts
def _read(path: Path | Traversable, taken: set[str], already_read: dict[str, str]) -> Layer:
    """A ruleset from its file or folder; its files get names that are not taken.

    `already_read` are texts of its folder that were already read, by file name.
    """
    try:
        if is_folder(path):
            return _read_folder(path, already_read)
        name = path.name if path.name not in taken else str(path)
        text = already_read.get(path.name) or read_text(path, str(path))
        listed = path.parent / "sections.csv" if isinstance(path, Path) else None
        if listed is None or not listed.is_file():
            return make_layer({name: text}, str(path))
        return make_layer({name: text}, str(path), read_text(listed, str(listed)), str(listed))
    except RulesetError:
        raise
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _read_folder(folder: Path | Traversable, already_read: dict[str, str]) -> Layer:
    entries = {f"{folder.name}/{entry.name}": entry for entry in files_in(folder, ".rules")}
    if not entries:
        headline = f"no files with rules in `{folder.name}`"
        raise unplaced_error("missing-ruleset", headline, "their names end with `.rules`")
    texts = read_texts(entries, already_read)
    listed = f"{folder.name}/sections.csv"
    sections = [(read_text(entry, listed), listed) for entry in files_in(folder, "sections.csv")]
    layer = make_layer(texts, folder.name, *(sections[0] if sections else ()))
    if layer.extends is not None:
        # What the editions share is that of the ruleset which it extends.
        return _with_companions(layer, [folder])
    shared = _shared_folders(folder)
    files = layer.files | read_texts(_shared_tables(shared), {})
    return _with_companions(evolve(layer, files=files), [folder, *shared])


def _shared_folders(folder: Path | Traversable) -> list[Path | Traversable]:
    """The folders with what the editions of one game share: in the folder, or beside it."""
    return [
        tables
        for tables in (folder.joinpath("tables"), _tables_beside(folder))
        if tables is not None and tables.is_dir() and not leads_out(tables)
    ]


def _shared_tables(folders: list[Path | Traversable]) -> dict[str, Path | Traversable]:
    entries: dict[str, Path | Traversable] = {}
    for tables in folders:
        entries |= {f"tables/{entry.name}": entry for entry in files_in(tables, ".rules")}
    return entries


def _with_companions(layer: Layer, folders: list[Path | Traversable]) -> Layer:
    """The layer with the first board, questions in words and headings in some folders.

    The changes and the statements are those of its own rulebook, so they are in the first folder or nowhere.
    """
    return evolve(
        layer,
        board=_first(folders, BOARD_FILE),
        talk=_first(folders, TALK_FILE) or _joined(folders, TALK_FOLDER, ".toml"),
        headings=_first(folders, HEADINGS_FILE),
        changes=_first(folders[:1], CHANGES_FILE),
        changes_file=f"{folders[0].name}/{CHANGES_FILE}",
        statements=_first(folders[:1], STATEMENTS_FILE),
        statements_file=f"{folders[0].name}/{STATEMENTS_FILE}",
    )


def _first(folders: list[Path | Traversable], name: str) -> str:
    """The text of the first file with a name in some folders; "" if there is none."""
    for folder in folders:
        for entry in files_in(folder, name):
            if entry.name == name:
                return read_text(entry, f"{folder.name}/{entry.name}")
    return ""


def _joined(folders: list[Path | Traversable], name: str, ending: str) -> str:
    """The texts of the files in the first sub-folder of a name in some folders, in the order of their names."""
    for folder in folders:
        inner = folder.joinpath(name)
        if inner.is_dir() and not leads_out(inner):
            entries = {f"{name}/{entry.name}": entry for entry in files_in(inner, ending)}
            return "\n".join(read_texts(entries, {}).values())
    return ""


def _tables_beside(folder: Path | Traversable) -> Path | Traversable | None:
    if isinstance(folder, Path):
        return folder.parent / "tables"
    games = [game for game in rulesets_home().iterdir() if game.is_dir()]
    # Paths in a zip archive do not compare equal before Python 3.12, but their strings do.
    path = str(folder)
    holders = (game for game in games if any(str(entry) == path for entry in game.iterdir()))
    return next((game.joinpath("tables") for game in holders), None)


def _unreadable(path: Path | Traversable, error: OSError | ValueError) -> RulesetError:
    strerror = getattr(error, "strerror", None)
    cause = f"{strerror[:1].lower()}{strerror[1:]}" if strerror else "a name that no file can have"
    headline = f"cannot read a ruleset at `{cropped(str(path))}`: {cause}"
    return unplaced_error(
        "missing-ruleset", headline, "name a ruleset of `hots list`, a file or a folder"
    )


def is_installed(source: Source, text_hash: str) -> bool:
    """Whether the library, or an installed package, has these very texts; they were found by their name."""
    if not source.is_named or text_hash != source.text_hash():
        return False
    with suppress(RulesetError):
        return installed_source(source.name) == source
    return False
