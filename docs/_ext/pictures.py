"""Draws the pictures of the pages when the documentation is built, into `_static/pictures`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text
from sphinx.application import Sphinx
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.layout import WIDTH
from hots_rules.cli.screen.seat import Seat
from hots_rules.cli.screen.terminal import styles

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


def terminal(game: hr.Game, *lines: str, typed: str = "", auto: str = "steady") -> str:
    """The screen of a match after some lines, with a line that is being typed."""
    seat = Seat(game, "Scotland", auto=auto)
    seat.begin()
    desk = Desk(seat)
    for line in lines:
        desk.enter(line)
    desk.type(typed)
    known = {name: _rich_style(style) for name, style in styles(seat.game).items()}
    console = Console(width=WIDTH, record=True, file=StringIO(), force_terminal=True)
    for row in desk.rows:
        text = Text()
        for names, words in row:
            text.append(words, " ".join(known.get(n[6:], n) for n in names.split()))
        console.print(text)
    console.print(f"> {typed}█")
    return console.export_svg(title="hots play hots-4.0 braveheart --side Scotland")


def talk() -> str:
    """The session of the page about the prompt, from its first question on."""
    page = (DOCS / "how-to" / "prompt.md").read_text(encoding="utf-8")
    _, _, rest = page.partition("```text session.txt\n")
    with TemporaryDirectory() as folder:
        session = Path(folder) / "session.txt"
        session.write_text(rest.partition("```")[0], encoding="utf-8")
        said = CliRunner().invoke(app, ["repl", "hots-4.0", "--file", str(session)]).output
    console = Console(width=100, record=True, file=StringIO(), force_terminal=True)
    lines = said.splitlines()
    first = next(at for at, line in enumerate(lines) if line.endswith("?"))
    for line in lines[first:]:
        console.print(Text(line, "bold green" if line.startswith("hots-4.0>") else ""))
    return console.export_svg(title="hots repl hots-4.0")


def _rich_style(style: str) -> str:
    """A style of prompt_toolkit as one of Rich."""
    words = style.split()
    return " ".join(f"on {word[3:]}" if word.startswith("bg:") else word for word in words)


PICTURES: Mapping[str, Callable[[], str]] = {
    "front": front,
    "targets": lambda: played(*ATTACK).draw(targets=["Lothian", "Atholl"]),
    "battle": lambda: played(*ATTACK, "Scotland: end moves").draw(),
    "view": lambda: played(*ATTACK).draw("England"),
    "screen": lambda: terminal(start(), "play Move 2", typed="wal"),
    "combat": lambda: terminal(
        played(*ATTACK, "Scotland: move Barclay Fife-Mentieth"), "end moves", auto=""
    ),
    "talk": talk,
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


def setup(sphinx: Sphinx) -> dict[str, bool]:
    """Draws before any page is read."""
    sphinx.connect("builder-inited", draw_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
