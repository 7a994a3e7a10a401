"""Completion on a terminal, by prompt_toolkit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from hots_rules.cli.prompt.next_word import NextWord


class TerminalCompleter(Completer):
    """Offers the words that a function gives for the line before the cursor."""

    def __init__(self, next_words: Callable[[str], Sequence[NextWord]]) -> None:
        self._next_words = next_words

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """The next words; an empty line offers nothing unless Tab is pressed."""
        line = document.text_before_cursor
        if line.strip() or complete_event.completion_requested:
            for word in self._next_words(line):
                yield Completion(word.text, start_position=-word.replaced)
