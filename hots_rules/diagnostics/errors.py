"""The errors that a caller may have to catch.

Each has its facts as attributes, and is printed as a sentence. All of them survive pickling; an untrusted pickle can
run any code: do not load it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import define, field, fields, has

from hots_rules._translate import translator

from .characters import printable_value
from .suggestions import Suggestion, suggest

# A fault is drawn when an error is printed: a start does not wait for it.
if TYPE_CHECKING:
    from .fault import Fault


def _as_tuple(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(values)


class HotsError(Exception):
    """Base class of all errors raised by this library.

    Errors for bad input are also `ValueError`, and those for a name that does not exist `KeyError`. Untrusted texts in
    them are safe to print and to encode: control characters and unpaired surrogates are replaced.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.0").start("no-such-scenario")
    ... except hr.HotsError as error:
    ...     type(error).__name__
    'UnknownName'
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*map(printable_value, args))

    def __attrs_post_init__(self) -> None:
        """What the classes with attributes do before they become exceptions."""
        kind = type(self)
        for attribute in fields(kind) if has(kind) else ():
            value = getattr(self, attribute.name)
            if (safe := printable_value(value)) != value:
                setattr(self, attribute.name, safe)

    def __reduce__(self) -> str | tuple[object, ...]:
        # As the base has it; libraries that pickle exceptions with their tracebacks lose attributes without it.
        return super().__reduce__()


# Without slots and `repr` the classes are made faster, and every start makes them.
@define(slots=False, repr=False)
class RulesetError(HotsError, ValueError):
    """A ruleset has faults; printed, it draws all of them in their lines.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.00")
    ... except hr.RulesetError as error:
    ...     [fault.code for fault in error.faults]
    ['missing-ruleset']

    Attributes:
        faults: the faults, each with a code, a headline, a place and a remedy.
        sources: the texts of the files by name.
    """

    faults: tuple[Fault, ...] = field(converter=_as_tuple)
    sources: Mapping[str, str] = field(factory=dict)

    def __str__(self) -> str:
        from .drawing import draw_all

        return draw_all(self.faults, self.sources)


@define(slots=False, repr=False)
class UnreadableAction(HotsError, ValueError):
    """A text that is no action.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> try:
    ...     game.play(game.actions[0].text + "?")
    ... except hr.UnreadableAction as error:
    ...     error.near == game.actions[0].text
    True

    Attributes:
        text: the text.
        near: the closest text of a legal action, or None.
        language: the language of the message.
    """

    text: str
    near: str | None = None
    language: str = "en"

    def __str__(self) -> str:
        headline = translator(self.language).gettext("`{text}` is not an action", text=self.text)
        remedy = Suggestion.of(self.text, self.near).help(language=self.language)
        return with_help(headline, remedy, self.language)


@define(slots=False, repr=False)
class IllegalAction(HotsError, ValueError):
    """An action that the rules forbid.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> after = game.play(game.actions[0])
    >>> try:
    ...     after.play(game.actions[0].text)
    ... except hr.IllegalAction as error:
    ...     [reason.kind for reason in error.reasons]
    ['moment', 'permit']

    Attributes:
        text: the text of the action.
        reasons: why it is not legal: a `Reason` for each clause.
        language: the language of the message.
    """

    text: str
    reasons: tuple[Any, ...] = field(default=(), converter=_as_tuple)
    language: str = "en"

    def __str__(self) -> str:
        headline = translator(self.language).gettext(
            "`{text}` is not a legal action", text=self.text
        )
        return _with_list(headline, self.reasons)


@define(slots=False, repr=False)
class AmbiguousAction(HotsError, ValueError):
    """A text that fits several legal actions.

    >>> import hots_rules as hr
    >>> print(hr.AmbiguousAction("move", ["move 1", "move 2"]))
    `move` is ambiguous; it may mean
      - `move 1`
      - `move 2`

    Attributes:
        text: the text.
        meanings: the texts of the actions that it fits.
        language: the language of the message.
    """

    text: str
    meanings: tuple[str, ...] = field(default=(), converter=_as_tuple)
    language: str = "en"

    def __str__(self) -> str:
        headline = translator(self.language).gettext(
            "`{text}` is ambiguous; it may mean", text=self.text
        )
        return _with_list(headline, [f"`{meaning}`" for meaning in self.meanings])


@define(slots=False, repr=False)
class UnreadableQuestion(HotsError, ValueError):
    """A text that is no question of the ruleset, or that has an unknown word in it.

    >>> import hots_rules as hr
    >>> print(hr.UnreadableQuestion("who win", ["who wins"]))
    `who win` is not a question of the ruleset
    help: did you mean `who wins`?

    Attributes:
        text: the text.
        known: the questions of the ruleset.
        cause: what is wrong with a word of it; empty where the text is no question.
    """

    text: str
    known: tuple[str, ...] = field(default=(), converter=_as_tuple)
    cause: str = ""

    def __str__(self) -> str:
        if self.cause:
            return f"{self.cause} in `{self.text}`"
        headline = f"`{self.text}` is not a question of the ruleset"
        if remedy := suggest(self.text, self.known).help():
            return with_help(headline, remedy)
        return _with_list(
            f"{headline}\nhelp: ask one of these", [f"`{form}`" for form in self.known]
        )


@define
class MissingLibrary(HotsError, ImportError):
    """A library that is an extra is not installed, or does not work.

    >>> from hots_rules.diagnostics import MissingLibrary
    >>> print(MissingLibrary("pyspiel", "openspiel"))
    the library `pyspiel` is not installed
    help: pip install 'hots-rules[openspiel]'
    """

    library: str
    """The name of the module."""
    extra: str
    """The extra that installs it."""

    def __str__(self) -> str:
        return (
            f"the library `{self.library}` is not installed\n"
            f"help: pip install 'hots-rules[{self.extra}]'"
        )


@define(slots=False, repr=False)
class BadPosition(HotsError, ValueError):
    """A position that cannot be set up, with everything that is wrong with it.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.0").position("yaer 1297")
    ... except hr.BadPosition as error:
    ...     print(error)
    this position cannot be set up
      - line 1: expected a variable, got `yaer`; did you mean `year`?

    Attributes:
        faults: what is wrong, with the number of the line.
        is_against_rules: whether every line can be read, and only rules of the game refuse what they give together.
    """

    faults: tuple[str, ...] = field(converter=_as_tuple)
    is_against_rules: bool = False

    def __str__(self) -> str:
        return _with_list("this position cannot be set up", self.faults)


@define(slots=False, repr=False)
class BadRecord(HotsError, ValueError):
    """A record that cannot be read, or that does not replay.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.replay("no record")
    ... except hr.BadRecord as error:
    ...     error.message
    'line 1: expected `hots_rules record 2`, got `no record`'

    Attributes:
        message: what is wrong, with the number of the line.
    """

    message: str


@define(slots=False, repr=False)
class BadMessage(HotsError, ValueError):
    """A message from another program that does not fit its format.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.from_json("[]", hr.Action)
    ... except hr.BadMessage as error:
    ...     error.path, error.cause
    ('$', 'expected an object, got `[]`')

    Attributes:
        path: the place in the message, such as `$.args[2]`.
        cause: what is wrong there.
        remedy: one way to correct it; may be empty.
    """

    path: str
    cause: str
    remedy: str = ""

    def __str__(self) -> str:
        help_ = f"\nhelp: {self.remedy}" if self.remedy else ""
        return f"{self.path}: {self.cause}{help_}"


@define(slots=False, repr=False)
class BadSecret(HotsError, ValueError):
    """A secret or a commitment that is malformed or missing, or that does not match the other.

    >>> import hots_rules as hr
    >>> print(hr.records.BadSecret("expected a secret of 64 digits"))
    expected a secret of 64 digits

    Attributes:
        message: what is wrong.
    """

    message: str


@define(slots=False, repr=False)
class NoConsistentWorld(HotsError):
    """No state was found that is consistent with what a player observed.

    >>> import hots_rules as hr
    >>> print(hr.NoConsistentWorld("no state fits, of 100 that were tried"))
    no state fits, of 100 that were tried

    Attributes:
        message: what was searched.
    """

    message: str


class PluginWarning(UserWarning):
    """An installed package names no folder of rulesets; everything else works.

    >>> from hots_rules.diagnostics import PluginWarning
    >>> issubclass(PluginWarning, UserWarning)
    True
    """


class RulesetChanged(UserWarning):
    """A record of an older release is replayed by texts that differ from those of its game.

    >>> from hots_rules.diagnostics import RulesetChanged
    >>> issubclass(RulesetChanged, UserWarning)
    True
    """


class ResultsPlayedAgain(UserWarning):
    """A file of the results of a study is damaged or is none of that study, so its games are played again.

    >>> from hots_rules.diagnostics import ResultsPlayedAgain
    >>> issubclass(ResultsPlayedAgain, UserWarning)
    True
    """


@define(slots=False, repr=False)
class EngineError(HotsError):
    """A ruleset violated one of its own bounds at run time, such as the range of a number.

    >>> import hots_rules as hr
    >>> print(hr.EngineError("expected a number of 0..4, got 5", "growth", "§7.2"))
    expected a number of 0..4, got 5, in rule `growth` §7.2

    Attributes:
        message: what was violated.
        rule: the name of the rule; empty where none is known.
        section: its section, such as `§7.2`.
        position: the state in which it happened, as text; empty where it is not known.
    """

    message: str
    rule: str = ""
    section: str = ""
    position: str = ""

    def __str__(self) -> str:
        rule = f", in rule `{self.rule}` {self.section}".rstrip() if self.rule else ""
        lines = ["\nthe position:", *self.position.splitlines()] if self.position else []
        return self.message + rule + "\n  ".join(lines)


def with_help(headline: str, remedy: str, language: str = "en") -> str:
    """What is wrong, and under it one way to correct it, if there is one.

    >>> from hots_rules.diagnostics import with_help
    >>> print(with_help("unknown option `fix`", "give a name"))
    unknown option `fix`
    help: give a name
    """
    if not remedy:
        return headline
    help_line = translator(language).gettext("help: {remedy}", remedy=remedy)
    return f"{headline}\n{help_line}"


def _with_list(headline: str, items: Iterable[object]) -> str:
    return "\n  - ".join([headline, *(str(item).replace("\n", "\n    ") for item in items)])
