"""What a person types: at a terminal with completion, from a pipe line by line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from platformdirs import user_state_dir
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

Ask = Callable[[str, Sequence[str]], str]


def asker(history: str | None = None) -> Ask:
    """A function that asks for a line, given a prompt and what could be typed.

    With a name, a terminal remembers the lines from one time to the next. It raises EOFError at
    the end of the input.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _terminal_asker(history)
    return _ask_pipe


def _terminal_asker(history: str | None) -> Ask:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    kept = _history_file(history) if history else None
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(kept)) if kept else InMemoryHistory()
    )

    def ask(prompt: str, words: Sequence[str]) -> str:
        completer = WordCompleter(list(words), ignore_case=True, sentence=True, match_middle=True)
        return session.prompt(
            prompt, completer=completer, complete_while_typing=True, lexer=_Known(words)
        )

    return ask


class _Known(Lexer):
    """Shows which words of a line are known: in bold at its beginning, else in colour."""

    def __init__(self, words: Sequence[str]) -> None:
        self._first = {word.split(" ")[0].casefold() for word in words if word}
        self._known = {part.casefold().strip(":,") for word in words for part in word.split(" ")}

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """The styles of each line."""
        return lambda number: list(self._styled(document.lines[number]))

    def _styled(self, line: str) -> Iterator[tuple[str, str]]:
        for place, piece in enumerate(re.split(r"([\s:,-]+)", line)):
            low = piece.casefold()
            if place == 0 and low in self._first:
                yield "bold ansiblue", piece
            elif piece.isdecimal():
                yield "ansimagenta", piece
            else:
                yield ("ansicyan" if low in self._known else ""), piece


def _history_file(name: str) -> Path | None:
    """Where the lines of a prompt are kept; nowhere if the folder cannot be written."""
    folder = Path(user_state_dir("hots_rules", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    except OSError:
        return None
    return folder / name


def _ask_pipe(prompt: str, words: Sequence[str]) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    sys.stdout.write("\n")
    if not line:
        raise EOFError
    return line
