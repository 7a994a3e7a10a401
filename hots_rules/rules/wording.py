"""Nouns and names as messages write them."""

from collections.abc import Mapping

from hots_rules.diagnostics.braces import split_braces


def count_noun(number: int, noun: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def kind_noun(kind: str) -> str:
    """What a kind of declaration is called: `definition` for `define`."""
    return {"define": "definition"}.get(kind, kind)


def with_article(kind: str) -> str:
    """`an action`, `a rule`."""
    noun = kind_noun(kind)
    return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"


def alternatives(names: list[str]) -> str:
    """`a`, `b` or `c`, each in backticks."""
    quoted = [f"`{name}`" for name in names]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def number_text(number: int) -> str:
    """A number with a comma after each thousand, unless it is too long to read.

    >>> number_text(1300400003)
    '1,300,400,003'
    """
    return f"{number:,}" if number < 10**12 else "more than 10^12"


def placeholders(text: str) -> list[str]:
    """What a text has in braces: `b` and `a` of `move {b} to {a}`."""
    return split_braces(text)[1::2]


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """A text with the values of its placeholders."""
    parts = split_braces(text)
    parts[1::2] = [values.get(name, name) for name in parts[1::2]]
    return "".join(parts)
