"""The rulesets of an open folder, as their texts are in the editor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, RulesetError, suggest
from hots_rules.rules.sources.find import BOARD_FILE, CHANGES_FILE, TALK_FILE, shipped_source
from hots_rules.rules.sources.heads import extends_error, find_head, make_layer
from hots_rules.rules.sources.source import Layer, Source

SECTIONS = "sections.csv"
TABLES = "tables"


@frozen
class EditedRuleset:
    """A ruleset of the folder: its own layer, and the folders in which what it extends is looked for."""

    layer: Layer
    around: tuple[str, ...]


def located_rulesets(texts: Mapping[str, str]) -> dict[str, EditedRuleset]:
    """The rulesets of some texts by path, by the path of the file that names each.

    A folder in which one file has a line `ruleset …` is one ruleset; where several have one, each file is.
    """
    folders: dict[str, dict[str, str]] = {}
    for path, text in texts.items():
        if path.endswith(".rules"):
            folders.setdefault(_parent(path), {})[path] = text
    by_path: dict[str, EditedRuleset] = {}
    for folder, files in folders.items():
        heads = [path for path, text in files.items() if find_head(text)]
        for path in heads:
            own = files if len(heads) == 1 else {path: files[path]}
            if located := _located(folder, dict(sorted(own.items())), texts):
                by_path[path] = located
    return by_path


def _located(folder: str, files: dict[str, str], texts: Mapping[str, str]) -> EditedRuleset | None:
    listed = f"{folder}/{SECTIONS}"
    try:
        layer = make_layer(files, folder, texts.get(listed, ""), listed)
    except RulesetError:
        return None  # two rulesets in one file
    is_folder = len(files) > 1 or len(_rules_in(folder, texts)) == 1
    shared_folders = (f"{folder}/{TABLES}", f"{_parent(folder)}/{TABLES}")
    if layer.extends is None and is_folder:
        for tables in shared_folders:
            shared = _rules_in(tables, texts)
            if not any(find_head(text) for text in shared.values()):
                layer = evolve(layer, files=layer.files | shared)
    if is_folder:
        holders = (folder, *(shared_folders if layer.extends is None else ()))
        layer = evolve(
            layer,
            board=_nearest_text(BOARD_FILE, holders, texts),
            talk=_nearest_text(TALK_FILE, holders, texts),
            changes=_nearest_text(CHANGES_FILE, (folder,), texts),
            changes_file=f"{folder}/{CHANGES_FILE}",
        )
    return EditedRuleset(layer, (folder, _parent(folder)))


def _nearest_text(name: str, folders: Iterable[str], texts: Mapping[str, str]) -> str:
    """The text of the first file of a name in some folders; "" if there is none."""
    return next(
        (texts[f"{parent}/{name}"] for parent in folders if f"{parent}/{name}" in texts), ""
    )


def _rules_in(folder: str, texts: Mapping[str, str]) -> dict[str, str]:
    return {
        path: text
        for path, text in sorted(texts.items())
        if _parent(path) == folder and path.endswith(".rules")
    }


def _parent(path: str) -> str:
    return str(PurePosixPath(path).parent)


def chain_of(head: str, located: Mapping[str, EditedRuleset]) -> tuple[Source, tuple[Fault, ...]]:
    """A ruleset with all that it extends, and the fault of a line `extends …` that leads nowhere.

    What it extends is looked for beside it and in the folder above, then in the library.
    """
    layers, around = [located[head].layer], located[head].around
    try:
        while (base := layers[0].extends) is not None:
            names = [layer.name for layer in layers]
            if base in names:
                circle = " → ".join([*reversed(names), base])
                headline = f"circular `extends`: {circle}"
                raise extends_error(layers[0], "extension-cycle", headline, "remove one `extends`")
            if below := _ruleset_named(base, around, located):
                layers.insert(0, below.layer)
                around = below.around
            elif shipped := shipped_source(base):
                layers = [*shipped.layers, *layers]
            else:
                headline = f"no ruleset `{base}` to extend"
                names_here = {ruleset.layer.name for ruleset in located.values()}
                near = suggest(base, names_here)
                remedy = "put it beside this one"
                raise extends_error(layers[0], "missing-ruleset", headline, remedy, near)
    except RulesetError as error:
        return Source(tuple(layers)), error.faults
    return Source(tuple(layers)), ()


def _ruleset_named(
    name: str, around: tuple[str, ...], located: Mapping[str, EditedRuleset]
) -> EditedRuleset | None:
    """A ruleset of a name in some folders or in a folder of theirs."""
    for folder in around:
        for ruleset in located.values():
            if ruleset.layer.name == name and (
                ruleset.around[0] == folder or ruleset.around[1] == folder
            ):
                return ruleset
    return None
