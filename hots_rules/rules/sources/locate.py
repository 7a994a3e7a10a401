"""Where rulesets are: those of the library, of some folders, and of installed packages, by name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._home import rulesets_home
from hots_rules.diagnostics import RulesetError
from hots_rules.rules.sources.files import files_in, folders_in, is_folder, read_text
from hots_rules.rules.sources.heads import find_head, title_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PATH_VARIABLE = "HOTS_RULES_PATH"


@frozen
class LocatedRuleset:
    """A ruleset that can be read: its title, its file or folder, and the texts that were read to find it."""

    title: str
    entry: Path | Traversable
    texts: dict[str, str]


def known_rulesets() -> dict[str, str]:
    """The rulesets that can be loaded by name, with their titles.

    They are those of the library, of the folders in `HOTS_RULES_PATH`, and of the installed packages
    that have an entry point `hots_rules.rulesets`. Where several have the same name, the library
    takes precedence, then the first folder.
    """
    return {name: ruleset.title for name, ruleset in sorted(rulesets_by_name().items())}


def rulesets_by_name() -> dict[str, LocatedRuleset]:
    """The rulesets that can be loaded by name."""
    return {**plugin_rulesets(), **rulesets_on_path()}


def rulesets_on_path() -> dict[str, LocatedRuleset]:
    """The rulesets of the folders in `HOTS_RULES_PATH`, and of the library."""
    listed = os.environ.get(PATH_VARIABLE, "").split(os.pathsep)
    folders = [Path(folder) for folder in listed if folder]
    return {**rulesets_in(folders), **shipped_rulesets()}


def plugin_rulesets() -> dict[str, LocatedRuleset]:
    """The rulesets of installed packages."""
    # A late import: shipped rulesets are found without it.
    from hots_rules.rules.sources.plugins import plugin_folders

    return rulesets_in(list(plugin_folders()))


def shipped_rulesets() -> dict[str, LocatedRuleset]:
    """The rulesets of the library: each is a folder, in the folder of its game."""
    located: dict[str, LocatedRuleset] = {}
    for game in folders_in(rulesets_home()):
        located |= _folder_rulesets([game, *folders_in(game)])
    return located


def shipped_in_own_folder(name: str) -> dict[str, LocatedRuleset]:
    """The ruleset `GAME-VERSION` of the library, if its folder is `GAME/VERSION`; no other folder is read."""
    game, _, version = name.partition("-")
    folder = rulesets_home().joinpath(game, version)
    located = _folder_rulesets([folder]) if version and is_folder(folder) else {}
    return located if name in located else {}


def rulesets_in(folders: Sequence[Path | Traversable]) -> dict[str, LocatedRuleset]:
    """The rulesets in some folders, each a file or a folder; where two have the same name, the first."""
    located: dict[str, LocatedRuleset] = {}
    for folder in reversed(folders):
        if not is_folder(folder):
            continue
        located |= _folder_rulesets(folders_in(folder))
        texts = _readable_texts(folder)
        heads = {file: head for file, text in texts.items() if (head := find_head(text))}
        is_one_ruleset = len(heads) == 1 and len(files_in(folder, ".rules")) > 1
        for file, head in heads.items():
            entry = folder if is_one_ruleset else folder.joinpath(file)
            located[head["name"]] = LocatedRuleset(title_of(head), entry, texts)
    return located


def _folder_rulesets(folders: list[Path | Traversable]) -> dict[str, LocatedRuleset]:
    """The rulesets of those folders in which exactly one file has a `ruleset` line."""
    located: dict[str, LocatedRuleset] = {}
    for folder in folders:
        texts = _readable_texts(folder)
        heads = [head for text in texts.values() if (head := find_head(text))]
        if len(heads) == 1:
            located[heads[0]["name"]] = LocatedRuleset(title_of(heads[0]), folder, texts)
    return located


def _readable_texts(folder: Path | Traversable) -> dict[str, str]:
    """The texts of a folder by file name, without files that cannot be read."""
    texts: dict[str, str] = {}
    for entry in files_in(folder, ".rules"):
        with suppress(OSError, RulesetError):
            texts[entry.name] = read_text(entry, entry.name)
    return texts
