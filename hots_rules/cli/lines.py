"""What a person types: at a terminal with completion, from a pipe line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

Ask = Callable[[str, Sequence[str]], str]


def asker() -> Ask:
    """A function that asks for a line, given a prompt and what could be typed.

    It raises EOFError at the end of the input.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _terminal_asker()
    return _ask_pipe


def _terminal_asker() -> Ask:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    session: PromptSession[str] = PromptSession()

    def ask(prompt: str, words: Sequence[str]) -> str:
        completer = WordCompleter(list(words), ignore_case=True, sentence=True, match_middle=True)
        return session.prompt(prompt, completer=completer, complete_while_typing=True)

    return ask


def _ask_pipe(prompt: str, words: Sequence[str]) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    sys.stdout.write("\n")
    if not line:
        raise EOFError
    return line
