"""The screen on a terminal, by prompt_toolkit."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from functools import partial

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

import hots_rules as hr
from hots_rules.cli.prompt.terminal_completer import TerminalCompleter
from hots_rules.cli.screen.columns import WIDTH
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.layout import ROWS, Frame
from hots_rules.cli.screen.seat import Seat
from hots_rules.cli.signals import Terminated, ending_signals

ESCAPE_TIME = 0.05  # seconds after which Esc is no beginning of another key
SIDES = ("ansired", "ansiblue", "ansigreen", "ansimagenta", "ansicyan", "ansiyellow")
WIDEST, MAX_SPARE = (
    120,
    16,
)  # the most columns that are used, and rows beyond those of the smallest window
PREVIEW_TIME = 0.2  # seconds without a key, after which a preview is computed


class Terminal:
    """Runs a match on the terminal until it is over or left."""

    def __init__(self, seat: Seat) -> None:
        self._desk = Desk(seat)
        self._is_busy = False
        self._waiting = deque[str]()
        self._changes = 0
        self._buffer = Buffer(
            multiline=False,
            on_text_changed=self._typed,
            completer=TerminalCompleter(self._desk.next_words),
        )
        self._app: Application[None] = Application(
            layout=Layout(self._windows()),
            key_bindings=self._keys(),
            style=Style.from_dict(styles(seat.game)),
            color_depth=ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None,
            full_screen=True,
        )
        self._app.ttimeoutlen = ESCAPE_TIME
        self._app.timeoutlen = ESCAPE_TIME

    def run(self) -> None:
        """Show the match until it is left.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed.
            EngineError: a rule failed, so the match cannot go on.
            Terminated: a signal ended the process.
        """
        with ending_signals(self._leave):
            self._app.run()

    def _leave(self, ended: Terminated) -> None:
        """Leave the screen between two steps of drawing it, so that nothing of it stays."""
        if self._app.loop is None or not self._app.is_running:
            raise ended
        self._app.loop.call_soon_threadsafe(partial(self._app.exit, exception=ended))

    # -------------------------------------------------------------- layout
    def _windows(self) -> FloatContainer:
        body = Window(FormattedTextControl(self._body), height=self._height, wrap_lines=True)
        # Beside the line, so that a long line leaves it where it is.
        prompt = Window(FormattedTextControl(self._prompt), width=2, height=1)
        line = Window(BufferControl(self._buffer), height=1)
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        return FloatContainer(HSplit([body, VSplit([prompt, line])]), [menu])

    def _height(self) -> Dimension:
        """The rows of the body; in a window that is too small as well, so that it can say what it needs."""
        spare = self._app.output.get_size().rows - 1 - ROWS
        rows = ROWS + min(max(0, spare), MAX_SPARE)
        return Dimension(min=1, preferred=rows, max=rows)

    def _prompt(self) -> StyleAndTextTuples:
        return [("class:prompt", "… " if self._is_busy else "> ")]

    def _body(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        if size.columns < WIDTH or size.rows < ROWS + 1:
            t = self._desk.t
            text = t.gettext(
                "The window has {columns} by {rows} characters; the screen needs {width} by {height}.",
                columns=size.columns,
                rows=size.rows,
                width=WIDTH,
                height=ROWS + 1,
            )
            return [("", text)]
        spare = min(size.rows - 1 - ROWS, MAX_SPARE)
        self._desk.frame = Frame(min(size.columns, WIDEST), spare)
        rows: StyleAndTextTuples = []
        for row in self._desk.rows:
            rows += [*row, ("", "\n")]
        return rows[:-1]

    # -------------------------------------------------------------- keys
    def _typed(self, _: Buffer) -> None:
        if self._is_busy:
            return
        self._desk.type(self._buffer.text)
        self._changes += 1
        self._app.create_background_task(self._preview_after(self._changes))

    async def _help_when_free(self) -> None:
        """Show the help once what was entered before is done."""
        while self._is_busy:
            await asyncio.sleep(PREVIEW_TIME)
        if not self._buffer.text:
            self._is_busy = True
            await self._enter("?")

    async def _preview_after(self, change: int) -> None:
        """Compute a preview once nothing more is typed."""
        await asyncio.sleep(PREVIEW_TIME)
        if change != self._changes or self._is_busy:
            return
        if await asyncio.to_thread(self._desk.preview):
            self._app.invalidate()

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def _enter(event: KeyPressEvent) -> None:
            line = self._buffer.text
            if self._is_busy:
                if line:  # an Enter alone is not kept: it would leave a match that ends meanwhile
                    self._waiting.append(line)
                    self._buffer.reset()
                return
            self._is_busy = True
            self._buffer.reset()
            event.app.create_background_task(self._enter(line))

        @keys.add("tab")
        def _tab(_: KeyPressEvent) -> None:
            if self._buffer.complete_state:
                self._buffer.complete_next()
            else:
                self._buffer.start_completion(insert_common_part=True)

        @keys.add("escape")
        def _escape(_: KeyPressEvent) -> None:
            if self._buffer.complete_state:
                self._buffer.cancel_completion()
            elif not self._is_busy:
                self._desk.back()
                self._is_busy = True  # the line is emptied, not typed anew
                self._buffer.reset()
                self._is_busy = False

        @keys.add("?")
        def _help(event: KeyPressEvent) -> None:
            if self._buffer.text:
                self._buffer.insert_text("?")
            else:
                event.app.create_background_task(self._help_when_free())

        @keys.add("pagedown")
        def _down(_: KeyPressEvent) -> None:
            self._desk.scroll(1)

        @keys.add("pageup")
        def _up(_: KeyPressEvent) -> None:
            self._desk.scroll(-1)

        @keys.add("c-c")
        def _interrupt(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt)

        @keys.add("c-z")
        def _stop(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add("c-d")
        def _leave(event: KeyPressEvent) -> None:
            event.app.exit()

        return keys

    async def _enter(self, line: str) -> None:
        """Do what a line says, and then the lines entered meanwhile, in a thread; the screen shows that it is busy."""
        self._waiting.appendleft(line)
        try:
            while self._waiting:
                if not await asyncio.to_thread(self._desk.enter, self._waiting.popleft()):
                    self._app.exit()
                    return
                self._app.invalidate()
        except hr.EngineError as error:
            self._app.exit(exception=error)
            return
        finally:
            self._is_busy = False
        if self._buffer.text:
            self._typed(self._buffer)


def styles(game: hr.Game) -> dict[str, str]:
    """The colours of the sides and of the land, from the board where it names them."""
    board = hr.draw.board_of(game.ruleset)
    classes = {
        "head": "reverse bold",
        "hint": "italic",
        "message": "bold",
        "prompt": "bold",
        "mark": "",
    }
    has_map = any(area.cell is not None for area in board.areas.values())
    for number, player in enumerate(game.ruleset.players):
        own = board.players.get(player)
        colour = own.colour if own is not None else SIDES[number % len(SIDES)]
        classes[f"side{number % len(SIDES)}"] = f"bg:{colour} #ffffff" if own else f"fg:{colour}"
    if has_map:
        for number, tint in enumerate(board.tints):
            classes[f"tint{number}"] = f"bg:{tint} #000000"
        classes["sea"] = f"bg:{board.background} #000000"
    return classes
