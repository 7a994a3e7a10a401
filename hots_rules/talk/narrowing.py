"""The legal actions that typed words leave, such as `wal fif`, and several choices in one line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise, product

from hots_rules.play.action import Action

_SPLIT = re.compile(r"[\s\-–—/,.:()'’]+")


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, without accents; names with hyphens are several words."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return [word for word in _SPLIT.split(letters) if word]


def label_of(action: Action) -> str:
    """The text of an action without its player.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> action = game.actions[0]
    >>> action.text == f"{action.player}: {label_of(action)}"
    True
    """
    return action.text.partition(": ")[2]


def narrowed(actions: Sequence[Action], text: str) -> tuple[Action, ...]:
    """The actions that have, for each typed word, a word that begins so; whole words win over beginnings.

    `fo hi` leaves `move Fox Shore-Hill`, in any case and without accents.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> narrowed(game.actions[:3], label_of(game.actions[1])) == (game.actions[1],)
    True
    """
    typed = plain_words(text)
    if not typed:
        return tuple(actions)
    words = {action.code: plain_words(label_of(action)) for action in actions}
    found = [action for action in actions if _has_beginnings(words[action.code], typed)]
    exact = [action for action in found if not set(typed) - set(words[action.code])]
    whole = [action for action in exact if len(typed) == len(words[action.code])]
    in_order = [action for action in whole if words[action.code] == typed]
    return tuple(in_order or whole or exact or found)


def _has_beginnings(words: Sequence[str], typed: Sequence[str]) -> bool:
    left = list(words)
    for beginning in sorted(typed, key=len, reverse=True):
        match = next((word for word in left if word.startswith(beginning)), None)
        if match is None:
            return False
        left.remove(match)
    return True


# ---------------------------------------------------------------- several choices in one line


def split_choices(line: str) -> list[str]:
    """The parts of a line between semicolons.

    >>> split_choices("move Fox Shore-Hill; end moves")
    ['move Fox Shore-Hill', 'end moves']
    """
    return [part.strip() for part in line.split(";") if part.strip()]


def spread(part: str, actions: Sequence[Action]) -> list[str]:
    """A part with lists of names as one text for each choice.

    `move Fox, Hen Shore-Hill` is `move Fox Shore-Hill` and `move Hen Shore-Hill`. A list of words between
    commas shares what stands before its first and after its last item. A route of several steps is one text for
    each: `move Fox Shore-Hill-Wood`.

    >>> spread("move Fox Shore-Hill-Wood", ())
    ['move Fox Shore-Hill', 'move Fox Hill-Wood']
    """
    listed = [item.strip() for item in part.split(",")]
    texts = _expanded(listed, actions) if len(listed) > 1 and all(listed) else [part]
    return [step for text in texts for step in _steps(text, actions)]


def _expanded(items: Sequence[str], actions: Sequence[Action]) -> list[str]:
    """What each item of a list means: of all ways to cut its first and last item, the one that fits most actions."""
    first, last = items[0].split(), items[-1].split()
    best: list[str] = list(items)
    best_score = -1
    for start, end in product(range(len(first)), range(1, len(last) + 1)):
        head, tail = first[:start], last[end:]
        names = [" ".join(first[start:]), *items[1:-1], " ".join(last[:end])]
        texts = [" ".join((*head, name, *tail)) for name in names]
        # A text that only one action fits counts thrice; of equals the longest text around the names is meant.
        fitting = [len(narrowed(actions, text)) for text in texts]
        score = 20 * fitting.count(1) + 10 * sum(map(bool, fitting)) + len(head) + len(tail)
        if score > best_score:
            best, best_score = texts, score
    return best


def _steps(text: str, actions: Sequence[Action]) -> list[str]:
    """A route of three places or more as its steps, unless an action has that text."""
    head, _, route = text.rpartition(" ")
    places = route.split("-")
    if len(places) < 3 or narrowed(actions, text):
        return [text]
    return [f"{head} {start}-{end}" for start, end in pairwise(places)]
