"""What is being called or looked up at a place, with its parameters, while its arguments are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

from hots_rules.editing.answering.hovers import described
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.syntax.comments import blank_texts

_OPENED = re.compile(r"(\w+)\s*$")
_CLOSING = {")": "(", "]": "[", "}": "{"}
CALLED = ("define", "event", "action", "phase", "question")
# The parameters of each built-in function, and what it gives.
BUILT_IN: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "count": (("S: a set",), "the number of members of a set"),
        "the": (("S: a set",), "the only member of a set"),
        "min": (("a: a number", "b: a number"), "the smaller of two numbers"),
        "max": (("a: a number", "b: a number"), "the larger of two numbers"),
        "abs": (("n: a number",), "a number without its sign"),
        "ordinal": (("x: a word",), "the place of a word in its type, from 1"),
        "nth": (("T: a type", "n: a number"), "the word at a place of a type, from 1"),
        "following": (("x: a word",), "the next word of its type; the first after the last"),
        "preceding": (("x: a word",), "the word before it in its type; the last before the first"),
        "repeated": (
            ("p: a player", "N: a number"),
            "how many of the last N decisions were the player's, in the position that stands",
        ),
        "at_most": (("dice: a throw", "n: a number"), "how many of the dice show `n` or less"),
        "left": (("p: a pair",), "the first part of a pair"),
        "right": (("p: a pair",), "the second part of a pair"),
    }
)


@frozen
class Call:
    """What is called.

    Attributes:
        text: its name with its parameters.
        params: its parameters as they stand in the text.
        at: the number of the parameter that is being written, from 0.
        summary: its sentence.
    """

    text: str
    params: tuple[str, ...]
    at: int
    summary: str


def call_at(space: Workspace, path: str, line: int, column: int) -> Call | None:
    """What is called around a place; None if nothing is.

    >>> space = Workspace()
    >>> text = 'ruleset fox-1.0 "Fox"\\ntype Fur = Red | Grey\\nplayers Fur\\ndefine near(a: Fur, b: Fur) = a = b\\n'
    >>> space.open("/fox.rules", text)
    >>> _ = space.check("/fox.rules")
    >>> space.open("/fox.rules", text + "invariant all-near no f in Fur: near(f, ")
    >>> call_at(space, "/fox.rules", 5, 41).at
    1
    """
    chain, piece = space.chain_for(path), space.piece_at(path, line)
    if chain is None or piece is None:
        return None
    rows = blank_texts(piece.text).split("\n")[: line - piece.first + 1]
    before = "\n".join([*rows[:-1], rows[-1][: column - 1]])
    if (opened := innermost_bracket(before)) is None:
        return None
    bracket, name, commas = opened
    signature = _indexed(chain, name) if bracket == "[" else _called(chain, name)
    if signature is None:
        return None
    params, summary = (
        tuple(param.replace("`", "") for param in signature[0]),
        signature[1].replace("`", ""),
    )
    closing = {"(": ")", "[": "]"}[bracket]
    text = f"{name}{bracket}{', '.join(params)}{closing}"
    return Call(text, params, min(commas, max(len(params) - 1, 0)), summary)


def innermost_bracket(before: str) -> tuple[str, str, int] | None:
    """The innermost bracket that is open at the end of a text, the name before it, and the commas behind it."""
    closed: list[str] = []
    commas = 0
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        if sign in _CLOSING:
            closed.append(_CLOSING[sign])
        elif closed and sign == closed[-1]:
            closed.pop()
        elif not closed and sign == ",":
            commas += 1
        elif not closed and sign in "([":
            opened = _OPENED.search(before, 0, at)
            return (sign, opened[1], commas) if opened else None
        elif not closed and sign == "{":
            return None
    return None


def _called(chain: Chain, name: str) -> tuple[tuple[str, ...], str] | None:
    symbols = chain.checked.symbols
    for kind in CALLED:
        if (signature := symbols.signatures.get((kind, name))) is not None:
            params = tuple(f"{param.word}: {described(param.type)}" for param in signature.params)
            kinds = (kind, "stage") if kind == "phase" else (kind,)
            entries = (symbols.entries.get((kind, name)) for kind in kinds)
            return params, next((entry.summary for entry in entries if entry is not None), "")
    if (product := symbols.products.get(name)) is not None:
        return tuple(map(described, product.params)), f"values of {product.owner}"
    return BUILT_IN.get(name)


def _indexed(chain: Chain, name: str) -> tuple[tuple[str, ...], str] | None:
    symbols = chain.checked.symbols
    if (variable := symbols.variables.get(name)) is not None:
        return tuple(map(described, variable.keys)), f"a variable: {described(variable.type)}"
    if columns := symbols.columns.get(name):
        tables = ", ".join(table for table, _ in columns)
        return (tables,), f"a column: {described(columns[0][1])}"
    return None
