"""The limits of untrusted input, in one list."""

from __future__ import annotations

import os
from os import PathLike
from types import UnionType

from attrs import Attribute, field, frozen

from .argument_errors import BadArgument
from .characters import abbreviated


def _expect_positive(_: object, attribute: Attribute[int], value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise BadArgument(attribute.name, str(value)[:80], "a whole number above 0")


def _limit(default: int) -> int:
    number: int = field(default=default, validator=_expect_positive)
    return number


@frozen(kw_only=True, slots=False)
class Limits:
    """The limits of rulesets, records, positions and messages, in bytes and steps.

    A larger input is refused at once. A smaller one is accepted or refused within seconds: see
    docs/explanation/limits. No limit is a time, so the result is the same on every machine.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0", limits=hr.Limits(position_bytes=1_000))
    >>> rules.limits.position_bytes, rules.limits.record_actions
    (1000, 20000)

    Raises:
        BadArgument: a limit is not a whole number above 0.
    """

    ruleset_bytes: int = _limit(512_000)
    """The texts of a ruleset with those that it extends and their lists of sections, in UTF-8."""
    ruleset_steps: int = _limit(2_000_000)
    """The work to load a ruleset: 60 for each word or sign, 1 for each part of an expression that is computed."""
    play_steps: int = _limit(100_000_000)
    """Statements and parts of expressions from one decision to the next, dice and draws in between included."""
    actions: int = _limit(100_000)
    """Legal actions to choose from at one decision."""
    answer_steps: int = _limit(10_000_000)
    """Parts of expressions that are evaluated for an explanation (`why`, `why_not`) or a question."""
    world_steps: int = _limit(250_000_000)
    """The search for one world of a player: bots and explanations for one player go through several."""
    odds_steps: int = _limit(10_000_000_000)
    """Statements and parts of expressions for odds without a limit of `seconds`."""
    position_bytes: int = _limit(64_000)
    """A position, or the lines that change one."""
    message_bytes: int = _limit(64_000)
    """A message in JSON; one that holds a record has the limits of a record."""
    record_bytes: int = _limit(8_000_000)
    """A record, with its comments and the texts that it holds."""
    record_actions: int = _limit(20_000)
    """The actions of a record, those of its variations included."""
    record_steps: int = _limit(200_000_000)
    """Statements and parts of expressions in the replay of a record with its own ruleset, or in its variations."""


DEFAULT_LIMITS = Limits()
MAX_GAMES = 100_000_000
"""Games that are played by one call."""
_MAX_SEED_BITS = 10_000  # Python does not write numbers of many thousand digits


def check_whole(name: str, number: object, least: int = 0, most: int | None = None) -> None:
    """Refuse a parameter that is no whole number, or is below the lowest or above the highest.

    >>> from hots_rules.diagnostics import check_whole
    >>> check_whole("since", -1)
    Traceback (most recent call last):
    hots_rules.diagnostics.argument_errors.BadArgument: `since` cannot be `-1`
    help: give a whole number from 0 on

    Raises:
        BadArgument: it is something else.
    """
    if type(number) is not int or number < least or (most is not None and number > most):
        end = "on" if most is None else f"to {most:,}"
        raise BadArgument(name, abbreviated(number), f"a whole number from {least} {end}")


def check_seed(seed: object) -> None:
    """Refuse a seed of samples that is neither a whole number nor a text, or that cannot be written.

    >>> from hots_rules.diagnostics.limits import check_seed
    >>> check_seed(7), check_seed("seven")
    (None, None)

    Raises:
        BadArgument: it is something else.
    """
    is_number = type(seed) is int and seed.bit_length() <= _MAX_SEED_BITS
    if not is_number and not (isinstance(seed, str) and _can_be_sent(seed)):
        raise BadArgument("seed", abbreviated(seed), "a whole number or a text")


def _can_be_sent(text: str) -> bool:
    """Whether a text has no half character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def check_kind(name: str, value: object, kind: type | UnionType, needed: str) -> None:
    """Refuse an argument that is no value of a class.

    >>> from hots_rules.diagnostics import check_kind
    >>> check_kind("text", 7, str, "a text")
    Traceback (most recent call last):
    hots_rules.diagnostics.argument_errors.BadArgument: `text` cannot be `7`
    help: give a text

    Raises:
        BadArgument: it is something else.
    """
    if not isinstance(value, kind):
        raise BadArgument(name, abbreviated(value), needed)


def check_path(path: object) -> None:
    """Refuse an argument that is no path of a file.

    >>> from hots_rules.diagnostics import check_path
    >>> check_path("game.txt")

    Raises:
        BadArgument: it is something else.
    """
    if not isinstance(path, str | PathLike) or isinstance(os.fspath(path), bytes):
        raise BadArgument("path", abbreviated(path), "the path of a file, as a text or a `Path`")


def exceeds(text: str | bytes, limit: int) -> bool:
    """Whether a text has more bytes in UTF-8 than a limit.

    >>> from hots_rules.diagnostics.limits import exceeds
    >>> exceeds("é", 1), exceeds("é", 2)
    (True, False)
    """
    if len(text) > limit:
        return True
    return isinstance(text, str) and len(text.encode(errors="surrogatepass")) > limit
