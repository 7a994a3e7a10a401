"""What a person types: at a terminal with completion, from a pipe line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from platformdirs import user_state_dir

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
        return session.prompt(prompt, completer=completer, complete_while_typing=True)

    return ask


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
