"""Draws the pictures of the pages when the documentation is built, into `_static/pictures`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from sphinx.application import Sphinx

import hots_rules as hr

DOCS = Path(__file__).parent.parent
FOLDER = DOCS / "_static" / "pictures"
ATTACK = (
    "England: play Move 3",
    "Scotland: play Move 2",
    "England: end moves",
    "Scotland: move Wallace Fife-Mentieth",
    "Scotland: move Douglas Fife-Mentieth",
)


def start() -> hr.Game:
    """The game of the samples."""
    return hr.load("hots-4.0").start("braveheart", seed=1297)


def played(*texts: str) -> hr.Game:
    """The game of the samples after some actions."""
    game = start()
    for text in texts:
        game = game.play(text)
    return game


def front() -> str:
    """The game that the samples of the front page play, as Scotland sees it."""
    samples = re.findall(r'\.play\("(.*?)"\)', (DOCS / "index.md").read_text(encoding="utf-8"))
    return played(*samples).draw("Scotland")


PICTURES: Mapping[str, Callable[[], str]] = {
    "front": front,
    "targets": lambda: played(*ATTACK).draw(targets=["Lothian", "Atholl"]),
    "battle": lambda: played(*ATTACK, "Scotland: end moves").draw(),
    "view": lambda: played(*ATTACK).draw("England"),
    "film": lambda: hr.draw.film(played(*ATTACK)),
    "cards": lambda: hr.load("lords-of-scotland").start("3-players", seed=2).draw("P2"),
    "squares": lambda: hr.load("breakthrough-1.0").start("two-ranks", seed=1).draw(),
}


def draw_all(_: Sphinx) -> None:
    """Writes each picture that is not there yet, or has changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, make in PICTURES.items():
        file, drawn = FOLDER / f"{name}.svg", make()
        if not file.exists() or file.read_text(encoding="utf-8") != drawn:
            file.write_text(drawn, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Draws before any page is read."""
    app.connect("builder-inited", draw_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
