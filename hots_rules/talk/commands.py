"""Commands as values that a surface hands in, and whether a line is one of them in its exact form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from enum import IntEnum
from itertools import takewhile

from attrs import field, frozen

from hots_rules.diagnostics import HotsError, check_kind
from hots_rules.explain.action_search import find_actions
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import can_be_read
from hots_rules.talk.reading.questions import asks

_BRACKETS = re.compile(r"\[([^\]]*)\]")
_KIND = re.compile(r"[A-Z]{1,}(?:\|[A-Z]+)*")
_OUTCOMES = re.compile(r"(?:^|\s+)(rolls?|draws)\s+(.+)$", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]+"')
_MARKS = " \t?¿!."

ONE_WORD = frozenset({"FILE", "SCENARIO", "SCENARIO|FILE", "SEED", "RULESET", "EDITION", "LEVEL"})
"""Arguments of one word, or of several in quotes."""
SETTINGS = "SETTINGS"
"""Arguments of the form `NAME=VALUE`, as many as there are."""
ASKED = frozenset({"QUESTION", "LINE"})
"""Arguments that may ask."""


class Fit(IntEnum):
    """How a text fits the arguments of a command."""

    NONE = 0
    LOOSELY = 1  # the command itself can say what is wrong with it, and does nothing
    EXACTLY = 2


@frozen
class CommandForm:
    """A command of a surface: how it is typed, and whether it changes something.

    >>> form = CommandForm("start", "start [SCENARIO] [SEED]", ("start", "commencer"), acts=True)
    >>> form.kinds, form.required
    (('SCENARIO', 'SEED'), 0)

    Attributes:
        name: its name in English, by which the surface knows it.
        usage: its name with its arguments in English, such as `save FILE`; those in brackets may be missing.
        names: all its names in small letters without accents.
        acts: whether it changes the game, the session or a file. Such a command has no question as an argument.
        frames: what stands before and behind its arguments, where a name stands around them.
        topic: the question of the library that it answers, such as `odds`; empty if it answers none.
        checks: whether a text can be its argument now; None if the kinds of the arguments say it.
    """

    name: str
    usage: str
    names: tuple[str, ...]
    acts: bool = False
    frames: tuple[tuple[str, str], ...] = ()
    topic: str = ""
    checks: Callable[[str], bool] | None = field(default=None, repr=False, eq=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its arguments in their order, without those behind a word of their own: `until END`."""
        clauses = [inner for inner in _BRACKETS.findall(self.usage) if not inner[:1].isupper()]
        plain = self.usage
        for clause in clauses:
            plain = plain.replace(f"[{clause}]", "")
        return tuple(_KIND.findall(plain.partition(" ")[2]))

    @property
    def required(self) -> int:
        """How many arguments it needs."""
        return len(_KIND.findall(_BRACKETS.sub("", self.usage).partition(" ")[2]))

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words before further arguments, such as `until` and `--code`."""
        inner = _BRACKETS.findall(self.usage)
        return tuple(wording.split()[0] for wording in inner if not wording[:1].isupper())


def folded(line: str) -> str:
    """A line in lower case, without accents; as long as before.

    >>> folded("Où ?"), len(folded("Où ?"))
    ('ou ?', 4)
    """
    decomposed = (unicodedata.normalize("NFD", letter)[0] for letter in line.replace("’", "'"))
    return "".join(decomposed).lower()


def name_in(usage: str) -> str:
    """The words of a usage before the arguments, which have capital letters.

    >>> name_in("why not ACTION"), name_in("undo")
    ('why not', 'undo')
    """
    return " ".join(takewhile(str.islower, usage.split()))


def split_outcomes(text: str) -> tuple[str, list[str]]:
    """Split an action from its outcomes of chance, which commas separate.

    >>> split_outcomes("strike Fox rolls 2 4, 5")
    ('strike Fox', ['roll 2 4', 'roll 5'])
    """
    match = _OUTCOMES.search(text)
    if match is None:
        return text, []
    kind = match[1].lower().rstrip("s")
    return text[: match.start()].strip(), [f"{kind} {part.strip()}" for part in match[2].split(",")]


def find_command(line: str, forms: Iterable[CommandForm]) -> tuple[CommandForm, str] | None:
    """The command with the longest name that a line begins with, and its arguments; the earlier of equals.

    A name may stand around the arguments as well.
    """
    plain = f"{folded(line).rstrip(' ?')} "
    named = [(name, form) for form in forms for name in form.names if plain.startswith(f"{name} ")]
    if named:
        name, form = max(named, key=lambda command: len(command[0]))
        return form, line[len(name) :].strip()
    bare = line.rstrip(" ?")
    for form in forms:
        for before, after in form.frames:
            amid = bare[len(before) : len(bare) - len(after)].strip(" ,")
            if amid and folded(bare).startswith(before) and folded(bare).endswith(after):
                return form, amid
    return None


def fit(game: BaseGame, form: CommandForm, text: str, line: str) -> Fit:
    """How a text fits the arguments of a command.

    Args:
        game: the game at the moment at which the line is typed.
        form: the command.
        text: what stands behind its name.
        line: the whole line; a command that acts has no question mark.
    """
    kinds = form.kinds
    if form.acts and not ASKED & {*kinds} and ("?" in line or asks(game.ruleset, text)):
        return Fit.NONE
    if not text:
        return Fit.NONE if form.required else Fit.EXACTLY
    if form.checks is not None:
        return Fit.EXACTLY if form.checks(text) else Fit.LOOSELY
    if not kinds:
        return Fit.NONE if text.strip(_MARKS) else Fit.EXACTLY
    return _fit_of_kinds(game, form, _without_keywords(form, text))


def _without_keywords(form: CommandForm, text: str) -> str:
    """The text before further arguments, which begin with words of their own."""
    text = split_outcomes(text)[0] if "rolls" in form.keywords else text
    for keyword in form.keywords:
        text = re.split(rf"(?:^|\s*){re.escape(keyword)}(?:\s|$)", text, maxsplit=1)[0]
    return text.strip()


def _fit_of_kinds(game: BaseGame, form: CommandForm, text: str) -> Fit:
    fits, rest = Fit.EXACTLY, text
    for place, kind in enumerate(form.kinds):
        if not rest:
            return fits if place >= form.required or place == 0 else Fit.NONE
        if SETTINGS in form.kinds and (kind == SETTINGS) != ("=" in rest.split()[0]):
            continue
        if kind in ONE_WORD or (form.acts and kind == "NAME"):
            quoted = _QUOTED.match(rest)
            word = quoted[0] if quoted else rest.split()[0]
            rest = rest[len(word) :].strip()
        else:
            word, rest = rest, ""
        fits = min(fits, _fit_of_kind(game, kind, word.strip('"'), is_followed=bool(rest)))
    return fits if not rest else Fit.NONE


def _fit_of_kind(game: BaseGame, kind: str, text: str, *, is_followed: bool) -> Fit:
    match kind:
        case "ACTION":
            is_one = not text or text.isdecimal() or can_be_read(game, text.strip(_MARKS))
            return Fit.EXACTLY if is_one else Fit.LOOSELY
        case "FILE" if is_followed:  # `dispute FILE QUESTION`: a word of a sentence is no file
            return Fit.EXACTLY if re.search(r"\w[./\\]\w", text) else Fit.NONE
        case "SETTINGS":
            return Fit.EXACTLY if all("=" in word for word in text.split()) else Fit.NONE
        case "PLAYER":
            return Fit.LOOSELY if len(text.split()) > 1 else Fit.EXACTLY
        case "RULESET":  # a name has digits or marks: `a truce` is none
            return Fit.LOOSELY if text.isalpha() else Fit.EXACTLY
        case _:
            return Fit.EXACTLY


def are_words_of_actions(game: BaseGame, text: str) -> bool:
    """Whether each of the words, which commas separate, can be a word of an action.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> are_words_of_actions(game, game.to_move[0]), are_words_of_actions(game, "to retreat twice")
    (True, False)
    """
    check_kind("game", game, BaseGame, "a game")
    check_kind("text", text, str, "a text")
    try:
        find_actions(game, filter(None, map(str.strip, text.split(","))))
    except HotsError:
        return False
    return True
