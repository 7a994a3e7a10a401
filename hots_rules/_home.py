"""Where the grammar and the rulesets are, in a checkout or in a wheel."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path


def grammar_text() -> str:
    """The grammar of the language, as written in `rules.lark`."""
    return _find("grammar").joinpath("rules.lark").read_text(encoding="utf-8")


def rulesets_home() -> Traversable:
    """The folder of the rulesets that come with this library.

    From a zipped wheel it is no path of the file system, so read it as a `Traversable`.
    """
    return _find("rulesets")


def _find(name: str) -> Traversable:
    in_wheel = files("hots_rules").joinpath("_data", name)
    if in_wheel.is_dir():
        return in_wheel
    in_checkout = Path(__file__).parent.parent / name
    if in_checkout.is_dir():
        return in_checkout
    raise FileNotFoundError(f"expected the folder `{name}` of hots_rules; install it again")
