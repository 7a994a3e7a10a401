"""The errors of arguments: names that do not exist, values that cannot be used, limits that are reached.

All texts of these errors stand here. Each is the fault, and below it the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from .errors import HotsError
from .suggestions import closest_match

MAX_LISTED = 30  # values that an error lists
_MAX_BITS = 1_000  # of a number that is printed; Python refuses those of many thousand digits


def _as_text(value: object) -> str:
    """A value as text; a number with too many digits is only described."""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return "a number of many digits"
    return str(value)


def _as_texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(_as_text, values))


class ArgumentError(HotsError, ValueError):
    """Base class of the errors for one argument: a name that does not exist, or a value that cannot be used.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.0").start("braveheart", seed="")
    ... except hr.ArgumentError as error:
    ...     type(error).__name__
    'BadArgument'

    Attributes:
        name: the name that does not exist, or that of the argument.
    """

    name: str


@define(slots=False, repr=False)
class UnknownName(ArgumentError, KeyError):
    """A name that does not exist.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.0").start("brave-heart-2")
    ... except hr.UnknownName as error:
    ...     print(error)
    ...     error.kind, error.name, "braveheart" in error.known
    unknown scenario `brave-heart-2`
    help: did you mean `braveheart`?
    ('scenario', 'brave-heart-2', True)

    Attributes:
        kind: what has no such name, as a word: "scenario", "player".
        name: the name.
        known: the names that exist.
    """

    kind: str
    name: str = field(converter=_as_text)
    known: tuple[str, ...] = field(default=(), converter=_as_texts)

    @property
    def near(self) -> str | None:
        """The name that was probably meant; None if none is near."""
        return closest_match(self.name, self.known)

    def __str__(self) -> str:
        return with_help(f"unknown {self.kind} `{self.name}`", one_of(self.near, self.known))


@define(slots=False, repr=False)
class BadArgument(ArgumentError):
    """A value that an option, an entry of a file or a parameter of a call cannot have.

    >>> import hots_rules as hr
    >>> try:
    ...     hr.load("hots-4.0").start("braveheart", chance="never")
    ... except hr.BadArgument as error:
    ...     print(error)
    ...     error.name, error.got, error.allowed
    `chance` cannot be `never`
    help: choose one of `auto`, `ask`
    ('chance', 'never', ('auto', 'ask'))

    Attributes:
        name: the option, the entry or the parameter.
        got: the value, as text.
        needed: what to give, in words: "a whole number above 0"; empty where `allowed` lists it.
        allowed: the values that it can have, where they can be listed.
    """

    name: str
    got: str = field(converter=_as_text)
    needed: str = ""
    allowed: tuple[str, ...] = field(default=(), converter=_as_texts)

    @property
    def near(self) -> str | None:
        """The value that was probably meant; None if none is near."""
        return closest_match(self.got, self.allowed)

    def __str__(self) -> str:
        headline = f"`{self.name}` cannot be {f'`{self.got}`' if self.got else 'empty'}"
        give = f"give {self.needed}" if self.needed else one_of(self.near, self.allowed)
        return with_help(headline, give)


@define(slots=False, repr=False)
class SettledReading(ArgumentError):
    """A reading that a game cannot choose, since its edition settles it.

    >>> import hots_rules as hr
    >>> print(hr.SettledReading("truce_ends", "house-1.0", "at-once"))
    `truce_ends` is a reading that `house-1.0` settles as `at-once`
    help: leave it out, or play an edition that leaves it open

    Attributes:
        name: the reading.
        edition: the edition that settles it.
        alternative: the alternative that holds there.
    """

    name: str
    edition: str
    alternative: str

    def __str__(self) -> str:
        return with_help(
            f"`{self.name}` is a reading that `{self.edition}` settles as `{self.alternative}`",
            "leave it out, or play an edition that leaves it open",
        )


@define(slots=False, repr=False)
class IgnoredOption(ArgumentError):
    """An option that has no effect in the scenario for which it is given.

    >>> import hots_rules as hr
    >>> print(hr.IgnoredOption("fog", "short", ["long", "longer"]))
    the scenario `short` ignores the option `fog`
    help: leave it out, or start one of `long`, `longer`

    Attributes:
        name: the option.
        scenario: the scenario.
        scenarios: those in which it has an effect.
    """

    name: str
    scenario: str
    scenarios: tuple[str, ...] = field(converter=_as_texts)

    def __str__(self) -> str:
        return with_help(
            f"the scenario `{self.scenario}` ignores the option `{self.name}`",
            f"leave it out, or start one of {listed(self.scenarios)}",
        )


@define(slots=False, repr=False)
class LimitExceeded(HotsError):
    """A computation that one of the `Limits` stopped before it had a result.

    >>> import hots_rules as hr
    >>> print(hr.LimitExceeded("answer_steps", 10, "answer"))
    no answer within 10 steps
    help: if you trust its author, pass `limits=Limits(answer_steps=…)` (`hots`: `--limit answer_steps=…`)

    Attributes:
        limit: the name of the limit: `answer_steps`, `world_steps`.
        most: how many steps it allows.
        sought: what was to be found: "answer".
    """

    limit: str
    most: int
    sought: str

    def __str__(self) -> str:
        return with_help(f"no {self.sought} within {self.most} steps", how_to_raise(self.limit))


# ---------------------------------------------------------------- parts of texts
def with_help(headline: str, remedy: str) -> str:
    """The text of an error: the fault, and below it the remedy, if there is one.

    >>> from hots_rules.diagnostics.argument_errors import with_help
    >>> with_help("unknown player `Fox`", "choose one of `Red`, `Blue`")
    'unknown player `Fox`\\nhelp: choose one of `Red`, `Blue`'
    """
    return f"{headline}\nhelp: {remedy}" if remedy else headline


def one_of(near: str | None, choices: tuple[str, ...]) -> str:
    """The remedy for an unknown word: the near one, else all that are known.

    >>> from hots_rules.diagnostics.argument_errors import one_of
    >>> one_of("Fox", ("Fox", "Hen")), one_of(None, ("Fox", "Hen")), one_of(None, ())
    ('did you mean `Fox`?', 'choose one of `Fox`, `Hen`', '')
    """
    if near is not None:
        return f"did you mean `{near}`?"
    return f"choose one of {listed(choices)}" if choices else ""


def listed(names: tuple[str, ...]) -> str:
    """Names in backticks, separated by commas; of many only the first ones, and the number of the others."""
    some = ", ".join(f"`{name}`" for name in names[:MAX_LISTED])
    rest = len(names) - MAX_LISTED
    return f"{some} and {rest} more" if rest > 0 else some


def how_to_raise(limit: str) -> str:
    """The remedy where a limit stops a caller who trusts the input.

    >>> from hots_rules.diagnostics import how_to_raise
    >>> how_to_raise("record_actions")
    'if you trust its author, pass `limits=Limits(record_actions=…)` (`hots`: `--limit record_actions=…`)'
    """
    python, hots = f"`limits=Limits({limit}=…)`", f"`hots`: `--limit {limit}=…`"
    return f"if you trust its author, pass {python} ({hots})"
