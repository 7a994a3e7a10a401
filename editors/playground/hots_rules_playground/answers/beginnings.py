"""The examples that the page offers: house rules for the rulesets of the library, small games, and whole rulebooks."""

from __future__ import annotations

from pathlib import PurePosixPath

import hots_rules as hr
from hots_rules import editing
from hots_rules.rules.sources.source import Source

NAME = {"house": "house-rule", "game": "my-game"}


def listed() -> list[dict[str, str]]:
    """The kinds, the names and the titles of all examples; a house rule for the largest rulebook comes first.

    >>> listed()[0]["kind"]
    'house'
    """
    sources = editing.shipped_sources()
    sizes = {name: sum(map(len, source.texts.values())) for name, source in sources.items()}
    largest_first = sorted(sources, key=lambda name: (len(sources[name].layers), -sizes[name]))
    whole = [name for name in largest_first if len(sources[name].layers) == 1]
    titles = hr.rulesets()
    return [
        *(_example("house", name, f"A house rule for {titles[name]}") for name in largest_first),
        *(_example("game", name, f"A small game with {name}") for name in editing.TEMPLATES),
        *(_example("whole", name, f"All rules of {titles[name]}") for name in whole),
    ]


def _example(kind: str, name: str, title: str) -> dict[str, str]:
    return {"kind": kind, "name": name, "title": title}


def files_of(kind: str, name: str) -> dict[str, str]:
    """The files of an example by name.

    Raises:
        UnknownName: there is no such example.
    """
    if kind == "game" and name in editing.TEMPLATES:
        return editing.new_game(NAME["game"], name)
    sources = editing.shipped_sources()
    if kind == "house" and name in sources:
        return _with_the_page(editing.house_rule(NAME["house"], hr.load(name)), name)
    if kind == "whole" and name in sources:
        return _whole(sources[name])
    raise hr.UnknownName("example", f"{kind} {name}", (f"{kind} {each}" for each in sources))


def _with_the_page(files: dict[str, str], base: str) -> dict[str, str]:
    """The files of a house rule, which name a button of the page where they named a command."""
    command = f"look at it with `hots show {base} NAME --code`. Then write here, for example:"
    button = "find it in Rulebook and press “Change this”. Or write here, for example:"
    rules = f"{NAME['house']}.rules"
    return files | {rules: files[rules].replace(command, button)}


def _whole(source: Source) -> dict[str, str]:
    """The files of a ruleset that extends no other one, with its board and its questions in words."""
    (layer,) = source.layers
    folder = PurePosixPath(next(iter(layer.files))).parent
    beside = {f"{folder}/board.json": layer.board, f"{folder}/talk.toml": layer.talk}
    return source.texts | {path: text for path, text in beside.items() if text}
