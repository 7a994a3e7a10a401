"""The whole screen in 80 by 24 characters or more: state, board or text, news, choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap

from attrs import field, frozen

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.screen.choices import ListedChoice
from hots_rules.cli.screen.columns import CHOICES, WIDTH, columns_of, widths_of
from hots_rules.cli.screen.seat import MAX_NEWS
from hots_rules.diagnostics import cropped_line

Fragments = list[tuple[str, str]]
"""A row: its styles and texts."""
HEIGHT = 16
STATUS, NEWS = 2, 2
ROWS = STATUS + HEIGHT + NEWS + CHOICES  # the line that is typed stands below


@frozen
class Frame:
    """The room for a screen.

    Attributes:
        width: its columns.
        spare: the rows beyond `ROWS`; news and texts have them.
    """

    width: int = WIDTH
    spare: int = 0

    @property
    def news(self) -> int:
        """The rows for news, or for a message."""
        return NEWS + self.spare

    @property
    def page(self) -> int:
        """The rows for a text, without the one that tells where its rest is."""
        return HEIGHT + self.spare - 1


@frozen
class ScreenContent:
    """What a screen shows.

    Attributes:
        game: the game.
        player: who looks at it.
        choices: the groups of actions.
        news: what happened, line by line; the last lines are the newest.
        message: a refusal or a hint; it takes the place of the news.
        page: a text instead of the board, line by line; empty for the board.
        page_at: the first line of the text that is seen.
        targets: the areas to mark.
        auto: the name of the policy that settles choices.
        against: who plays the other sides, in short.
        is_map_wanted: whether the map is shown in a battle as well.
        frame: the room for it.
    """

    game: hr.Game
    player: str
    choices: Sequence[ListedChoice] = ()
    news: Sequence[str] = ()
    message: str = ""
    page: Sequence[str] = ()
    page_at: int = 0
    targets: frozenset[str] = field(factory=frozenset)
    auto: str = ""
    against: str = ""
    is_map_wanted: bool = False
    frame: Frame = Frame()


def screen(shown: ScreenContent) -> list[Fragments]:
    """The rows of a screen, `ROWS` of them and those that are to spare."""
    frame = shown.frame
    note = "  ".join(filter(None, (f"auto: {shown.auto}" if shown.auto else "", shown.against)))
    board = hr.draw.text_board(
        shown.game,
        shown.player,
        targets=shown.targets,
        note=note,
        prefers_map=shown.is_map_wanted,
        width=frame.width,
    )
    middle = _page(shown) if shown.page else list(board.rows[:HEIGHT])
    news = [[(style, f" {text}")] for style, text in _news_rows(shown)]
    rows = [
        *board.status,
        *middle,
        *_filled(news, ROWS + frame.spare - STATUS - len(middle) - CHOICES),
        *_filled(_listed(shown), CHOICES),
    ]
    return [_padded(row, frame.width) for row in rows]


def _filled(rows: list[Fragments], number: int) -> list[Fragments]:
    """Rows with empty ones after them."""
    return [*rows, *([[("", "")]] * (number - len(rows)))]


def _padded(row: Fragments, width: int) -> Fragments:
    """A row of just the width of the screen."""
    padded: Fragments = []
    left = width
    for style, text in row:
        padded.append((style, cropped_line(text, left) if left else ""))
        left -= len(padded[-1][1])
    return [*padded, ("", " " * left)]


def _page(shown: ScreenContent) -> list[Fragments]:
    """As much of a text as there is room for, and where the rest is."""
    room = shown.frame.page
    last = min(shown.page_at + room, len(shown.page))
    rows: list[Fragments] = [
        [("", f" {cropped_line(line, WIDTH - 2)}")] for line in shown.page[shown.page_at : last]
    ]
    t = translator(shown.game.language)
    hint = t.gettext("Esc goes back")
    if len(shown.page) > room:
        hint = t.gettext(
            "lines {first} to {last} of {number}; Page Down and Page Up; Esc goes back",
            first=shown.page_at + 1,
            last=last,
            number=len(shown.page),
        )
    return [*_filled(rows, room), [("class:hint", f" {cropped_line(hint, WIDTH - 2)}")]]


def page_of(text: str) -> list[str]:
    """A text in lines that fit the screen."""
    lines: list[str] = []
    for line in text.rstrip().split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        lines += wrap(line, WIDTH - 2, subsequent_indent=indent) or [""]
    return lines


def takes(text: str, width: int) -> int:
    """The rows that a message takes."""
    return len(wrap(text, width - 2))


def counted(news: Sequence[str]) -> list[str]:
    """The news, in which equal ones that follow each other are one with their number.

    >>> counted(["draw in secret", "draw in secret", "the year ends"])
    ['draw in secret ×2', 'the year ends']
    """
    groups = [(text, len(list(same))) for text, same in groupby(news)]
    return [f"{text} ×{number}" if number > 1 else text for text, number in groups]


def _news_rows(shown: ScreenContent) -> Iterator[tuple[str, str]]:
    """The message, or as much of the newest news as there is room for."""
    width = shown.frame.width
    most = NEWS if shown.page else shown.frame.news
    if shown.message:
        lines = wrap(" ".join(shown.message.split()), width - 2)
        for line in [*lines[: most - 1], " ".join(lines[most - 1 :])][:most]:
            yield "class:message", cropped_line(line, width - 2)
        return
    left = counted(shown.news)
    rows = [row for text in left for row in wrap(text, width - 2, subsequent_indent="  ")]
    if len(rows) <= most:
        yield from (("", row) for row in rows)
        return
    log = translator(shown.game.language).gettext("log")
    room = width - len(f" (+{MAX_NEWS}: {log}) ")
    fitting: list[str] = []
    while left and len(wrap("; ".join([left[-1], *fitting]), room)) <= most:
        fitting.insert(0, left.pop())
    lines = wrap("; ".join(fitting), room)
    for number, line in enumerate(lines):
        more = f" (+{len(left)}: {log})" if left and number == len(lines) - 1 else ""
        yield "", f"{line}{more}"


def _listed(shown: ScreenContent) -> list[Fragments]:
    """The choices in columns."""
    columns = columns_of([choice.title for choice in shown.choices])
    widths = widths_of(columns, shown.frame.width)
    rows = ["" for _ in max(columns, key=len, default=())]
    for column, width in zip(columns, widths, strict=True):
        for row, text in enumerate(column):
            rows[row] += f" {cropped_line(text, width - 2)}".ljust(width)
    return [[("", row)] for row in rows]
