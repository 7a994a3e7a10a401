"""The type of what is to be written at a place, by what stands before it."""

from __future__ import annotations

import re

from hots_rules.editing.answering.signatures import innermost_bracket
from hots_rules.editing.workspace import Chain
from hots_rules.rules.resolve.expressions.cells import type_of_columns
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax.comments import blank_texts

_KEYS = r"(?:\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\])?"  # keys have keys at most
_COMPARED = re.compile(rf"(\w+)\s*{_KEYS}\s*(?:=|!=|:=)\s*$")
_SET = re.compile(rf"^\s*(\w+)\s*{_KEYS}\s*:=\s*$")
_PLAYER = re.compile(
    r"\b(?:(?:win|choose|known\s+to|,\s*to)\s+|after\s+\w+\s*(?:\([^()]*\))?\s*\bby\s+)$|^\s*win\s.*,\s*$"
)
_TYPED = re.compile(r":\s*(?:set\s+of\s+)?(\w+)\??\s*=\s*$")
_CALLED = ("define", "event", "action", "phase", "question")


def wanted_type(chain: Chain | None, before: str) -> types.WordType | None:
    """The type that the next expression of a declaration must have; None where any may stand, or no type of words.

    Args:
        chain: what is known of the ruleset.
        before: the declaration up to the place.
    """
    if chain is None:
        return None
    symbols, code = chain.checked.symbols, blank_texts(before)
    line = code.rpartition("\n")[2]
    if _PLAYER.search(line):
        return _words(symbols.players)
    if match := _TYPED.search(line):
        return _words(symbols.named_types.get(match[1]))
    if match := _COMPARED.search(line):
        return _words(_type_of(symbols, code, match[1]))
    if re.search(r"[\[(,]\s*$", code):
        return _words(_type_of_argument(symbols, code))
    return None


def is_truth_wanted(chain: Chain | None, before: str) -> bool:
    """Whether a statement that is to be continued sets a variable that is true or false."""
    line = blank_texts(before).rpartition("\n")[2]
    match = _SET.search(line)
    if chain is None or match is None:
        return False
    variable = chain.checked.symbols.variables.get(match[1])
    return variable is not None and variable.type == types.BOOL


def cell_type(chain: Chain | None, before: str) -> types.WordType | None:
    """The type of the words in the cell of a table that is to be written."""
    heads = re.findall(r"\w+\s*:\s*(?:set\s+of\s+)?(\S*?)\??\s*(?=[,)\n])", blank_texts(before))
    cells = before.rpartition("\n")[2].split(" ")
    at = len([cell for cell in cells[:-1] if cell]) - 1
    if chain is None or not 0 <= at < len(heads):
        return None
    return _words(chain.checked.symbols.named_types.get(heads[at]))


def _words(type_: types.Type | None) -> types.WordType | None:
    return type_ if isinstance(type_, types.WordType) else None


def _type_of(symbols: SymbolTable, code: str, name: str) -> types.Type | None:
    """The type of a variable, a column or a local name, without its keys."""
    if name == "actor":
        return symbols.players
    declared = re.findall(rf"\b{name}\s*:\s*(\w+)|\b{name}\s+in\s+(\w+)\b", code)
    if declared:
        return symbols.named_types.get(declared[-1][0] or declared[-1][1])
    if (variable := symbols.variables.get(name)) is not None:
        return variable.type
    columns = symbols.columns.get(name)
    return columns[0][1] if columns else None


def _type_of_argument(symbols: SymbolTable, code: str) -> types.Type | None:
    """The type of the key or the argument that comes next."""
    if (opened := innermost_bracket(code)) is None:
        return None
    bracket, name, at = opened
    wanted: list[types.Type] = []
    if bracket == "[" and name in symbols.variables:
        wanted = list(symbols.variables[name].keys)
    elif bracket == "[" and name in symbols.columns:
        table = symbols.named_types.get(symbols.columns[name][0][0])
        wanted = [] if table is None else [table]
    elif bracket == "[" and name in symbols.tables:
        keys = symbols.named_types.get(name), type_of_columns(symbols, name)
        wanted = [key or types.ANY for key in keys]
    elif name in symbols.products:
        wanted = list(symbols.products[name].params)
    else:
        signature = next(
            (
                symbols.signatures[kind, name]
                for kind in _CALLED
                if (kind, name) in symbols.signatures
            ),
            None,
        )
        wanted = [param.type for param in signature.params] if signature else []
    return wanted[at] if at < len(wanted) else None
