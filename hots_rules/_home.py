"""Where the grammar and the rulesets are, in a checkout or in a wheel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_PACKAGE = Path(__file__).parent


def grammar_text() -> str:
    """The grammar of the language, as written in `rules.lark`."""
    return _find("grammar").joinpath("rules.lark").read_text(encoding="utf-8")


def rulesets_home() -> Traversable:
    """The folder of the rulesets that come with this library.

    From a zipped wheel it is no path of the file system, so read it as a `Traversable`.
    """
    return _find("rulesets")


def package_home() -> Traversable:
    """The folder of this package."""
    return _PACKAGE if _PACKAGE.is_dir() else _zipped()


def _find(name: str) -> Traversable:
    for found in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if found.is_dir():
            return found
    in_zip = _zipped().joinpath("_data", name)
    if in_zip.is_dir():
        return in_zip
    raise FileNotFoundError(f"expected the folder `{name}` of hots_rules; install it again")


def _zipped() -> Traversable:
    # Imported only where there is no folder: it would double the time of a start.
    from importlib.resources import files

    return files("hots_rules")
