"""Readers of input lines: from a terminal with completion, from a pipe, or from a file."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hots_rules._text import plain_text
from hots_rules.cli import streams
from hots_rules.cli.prompt.next_word import NextWord
from hots_rules.diagnostics import printable

NextWords = Callable[[str], Sequence[NextWord]]
"""What offers the next words of a line that is being typed."""
# Takes the prompt, the known words, and what offers next words; raises EOFError at the end of the input.
LineReader = Callable[[str, Sequence[str], NextWords], str]


def is_interactive() -> bool:
    """Whether input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def line_reader(history: str | None = None) -> LineReader:
    """A reader of standard input; `history` names the file in which a terminal keeps the lines."""
    return terminal_reader(history) if is_interactive() else _read_pipe


def transcript_reader(lines: Iterable[str]) -> LineReader:
    """A reader of given lines, each printed after the prompt."""
    remaining = iter(lines)

    def read_line(prompt: str, completions: Sequence[str], next_words: NextWords) -> str:
        for line in remaining:
            sys.stdout.write(f"{prompt}{printable(line)}\n")
            return line
        raise EOFError

    return read_line


def _read_pipe(prompt: str, completions: Sequence[str], next_words: NextWords) -> str:
    """A line of standard input; the prompt is printed first, for a program that waits for it."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = plain_text(streams.read_line())
    sys.stdout.write(f"{printable(line.rstrip())}\n")
    if not line:
        raise EOFError
    return line


def terminal_reader(history: str | None) -> LineReader:
    """A reader with completion, highlighting and history; Ctrl-C raises KeyboardInterrupt."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    from hots_rules.cli.prompt.highlight import KnownWordLexer
    from hots_rules.cli.prompt.terminal_completer import TerminalCompleter

    path = _history_file(history) if history else None
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(path)) if path else InMemoryHistory(), enable_suspend=True
    )

    def read_line(prompt: str, completions: Sequence[str], next_words: NextWords) -> str:
        completer = TerminalCompleter(next_words)
        lexer = KnownWordLexer(completions)
        return session.prompt(prompt, completer=completer, complete_while_typing=True, lexer=lexer)

    return read_line


def _history_file(name: str) -> Path | None:
    """The file of the lines of earlier sessions; None if it cannot be written."""
    from platformdirs import user_state_dir

    folder = Path(user_state_dir("hots_rules", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    except OSError:
        return None
    return folder / name
