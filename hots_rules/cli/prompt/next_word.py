"""The words that can come next in a line at the prompt, wherever the line stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import frozen

import hots_rules as hr
from hots_rules.cli.prompt.commands import DEPTHS, EVERYBODY, Command
from hots_rules.cli.prompt.session import Session

MAX_WORDS = 200  # words that are offered
WORDS_OF_A_NAME = 4
_STARTS = re.compile(r"(?:^|(?<=[\s\-:;,(¿'’]))(?=\S)")
_PLACEHOLDER = re.compile(r"[A-Z]{1,}(?:\|[A-Z]+)*")
ONE_WORD = frozenset(
    {"RULESET", "EDITION"}
)  # arguments of one word: after a blank comes the next argument


@frozen
class NextWord:
    """A word that may come next, with how many letters of the line it replaces."""

    text: str
    replaced: int


class Completer:
    """Offers the next words of a line: of commands, actions, questions, and names anywhere in them.

    Names are those of the values of the ruleset, such as pieces, places and cards; after some commands also sections,
    rules, rulesets, scenarios and the like.
    """

    def __init__(self, session: Session, commands: Callable[[], Mapping[str, Command]]) -> None:
        """`commands` gives the commands by all their names in the language of the prompt."""
        self._session = session
        self._commands = commands

    def __call__(self, line: str) -> list[NextWord]:
        """The words that may come next, the likeliest first, each once."""
        words = dict.fromkeys(self._offered(line.lstrip()))
        return list(words)[:MAX_WORDS]

    # -------------------------------------------------------------- the places of a line
    def _offered(self, line: str) -> Iterator[NextWord]:
        command = self._command(line)
        if command is not None:
            yield from self._arguments(*command)
        yield from next_words(self._phrases(), line)
        # Several changes of a position, or several choices, stand in one line.
        last = re.split(r"[;,]", line)[-1].lstrip()
        if last != line:
            yield from next_words(self._phrases(), last)
        if not self._session.is_match:
            yield from self._variables(last)
        if line and command is None:
            yield from names_at_end(self._names, line)

    def _command(self, line: str) -> tuple[Command, str] | None:
        """The command that the line begins with, and the rest of the line."""
        folded, commands = hr.talk.folded(line), self._commands()
        name = max(
            (name for name in commands if folded.startswith(f"{name} ")), key=len, default=""
        )
        return (commands[name], line[len(name) + 1 :].lstrip()) if name else None

    def _arguments(self, command: Command, rest: str) -> Iterator[NextWord]:
        """The words of a command's arguments."""
        placeholders = _PLACEHOLDER.findall(command.usage)
        first, _, others = rest.partition(" ")
        while placeholders and placeholders[0] in ONE_WORD and rest != first:
            placeholders, rest = placeholders[1:], others.lstrip()
            first, _, others = rest.partition(" ")
        for kind in "|".join(placeholders[:1]).split("|"):
            yield from self._of_kind(kind, command, rest)

    def _of_kind(self, kind: str, command: Command, rest: str) -> Iterator[NextWord]:
        if kind == "LINE":
            yield from self._offered(rest)
        elif command.name == "play":
            yield from next_words(self._choices(), rest)
        elif kind in {"ACTION", "QUESTION"}:
            yield from next_words(self._phrases(), rest)
            yield from names_at_end(self._names, rest)
        elif kind == "WORDS":
            yield from names_at_end(self._names, rest)
        else:
            yield from names_at_end(self._values(kind, command), rest, is_whole=True)

    def _values(self, kind: str, command: Command) -> Sequence[str]:
        """The words of an argument by its word in the usage."""
        rules, session = self._session.game.ruleset, self._session
        values: Mapping[str, Callable[[], Iterable[str]]] = {
            "RULESET": hr.rulesets,
            "EDITION": hr.rulesets,
            "SECTION": lambda: self._sections,
            "X": lambda: [*self._names, *self._rules, *self._sections],
            "NAME": lambda: (
                session.bookmarks if command.name == "goto" else [*self._names, *self._rules]
            ),
            "PLAYER": lambda: (*rules.players, EVERYBODY),
            "SCENARIO": lambda: rules.scenarios,
            "LEVEL": lambda: DEPTHS,
            "COMMAND": self._commands,
        }
        return tuple(values[kind]()) if kind in values else ()

    def _variables(self, line: str) -> Iterator[NextWord]:
        """The variables of a position, at the beginning of a change or after the name and a colon."""
        before, colon, after = line.partition(":")
        variables = self._session.game.ruleset.schema.variables
        words = (after if colon else before).lstrip()
        if " " not in words:
            yield from names_at_end(tuple(variables), words, is_whole=True)
        elif words.split()[0] in variables:
            yield from names_at_end(self._names, words, offers_all=True)

    # -------------------------------------------------------------- words
    def _phrases(self) -> Iterator[str]:
        """What a line may begin with: choices, commands, questions, forms of actions."""
        session = self._session
        rules = session.game.ruleset
        yield from self._choices()
        yield from (
            name for name, command in self._commands().items() if command.is_available(session)
        )
        yield from session.game.questions
        yield from hr.talk.closest_questions(session.game, "")
        yield from (action.label for action in rules.actions.values())

    def _choices(self) -> Iterator[str]:
        """The legal actions, with and without their player."""
        session = self._session
        yield from map(session.label, session.actions)
        if session.viewer is None:
            yield from map(hr.talk.label_of, session.actions)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The words of all values, and the players."""
        rules = self._session.game.ruleset
        types = rules.words.values()
        words = dict.fromkeys(word for values in types for word in values.values())
        return tuple(words | dict.fromkeys(rules.labels.players))

    @cached_property
    def _sections(self) -> tuple[str, ...]:
        return tuple(hr.talk.section_rules(self._session.game.ruleset))

    @cached_property
    def _rules(self) -> tuple[str, ...]:
        ruleset = self._session.game.ruleset
        sections = hr.talk.section_rules(ruleset)
        declared = (hr.explain.declarations_citing(ruleset, number) for number in sections)
        return tuple(dict.fromkeys(rule.name for rules in declared for rule in rules))


def next_words(phrases: Iterable[str], line: str) -> Iterator[NextWord]:
    """The next word of each phrase that begins as the line does; a word with a placeholder in braces is left out."""
    folded = hr.talk.folded(line)
    begun = len(line) - (line.rfind(" ") + 1)  # letters of the word that is being typed
    for phrase in phrases:
        if hr.talk.folded(phrase).startswith(folded) and len(phrase) > len(line):
            rest = phrase[len(line) - begun :]
            end = rest.find(" ", begun + rest[begun:].startswith(" "))
            word = rest if end < 0 else rest[:end]
            if "{" not in word:
                yield NextWord(word, begun)


def names_at_end(
    names: Sequence[str], line: str, *, is_whole: bool = False, offers_all: bool = False
) -> Iterator[NextWord]:
    """The names that begin with the last words of a line: with as many of these words as fit.

    Args:
        names: the names.
        line: the line.
        is_whole: whether a name must begin with the whole line; an empty line then offers all names.
        offers_all: whether all names are offered after a blank.
    """
    begun = [match.start() for match in _STARTS.finditer(line)][-WORDS_OF_A_NAME:]
    starts = [0] if is_whole else begun
    for start in starts:
        end = hr.talk.folded(line[start:])
        matching = [name for name in names if hr.talk.folded(name).startswith(end)]
        if matching and (end.strip() or is_whole):
            yield from (
                NextWord(name, len(end)) for name in matching if hr.talk.folded(name) != end
            )
            return
    if offers_all and line.endswith(" "):
        yield from (NextWord(name, 0) for name in names)
