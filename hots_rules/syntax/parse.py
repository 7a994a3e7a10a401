"""Text to tree; what cannot be read becomes faults, all of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lark import UnexpectedInput

from hots_rules.diagnostics import Fault, Span
from hots_rules.syntax import tree
from hots_rules.syntax.build import build
from hots_rules.syntax.expected import declaration_words
from hots_rules.syntax.grammar import grammar
from hots_rules.syntax.indentation import LayoutError
from hots_rules.syntax.limits import MAX_FAULTS, find_depth, find_excess
from hots_rules.syntax.parse_errors import Piece, blame


def parse(text: str, file: str) -> tuple[tree.File, tuple[Fault, ...]]:
    """The tree of a text, and what is wrong with it.

    With faults the tree holds the declarations that could be read: there is at most one fault in
    each declaration, and at most a hundred in a text.
    """
    if fault := find_excess(text, file):
        return tree.File((), span=Span.nowhere()), (fault,)
    found = _read(Piece(file, 1, f"{text}\n"))
    if isinstance(found, tree.File):
        return found, ()
    return _parse_by_declaration(text, file, found)


def _read(piece: Piece) -> tree.File | Fault:
    # With a line before it, the first line's indentation counts too.
    try:
        parsed = grammar().parse(f"\n{piece.text}")
    except (UnexpectedInput, LayoutError) as error:
        return blame(error, piece)
    return find_depth(parsed, piece.file, piece.offset) or build(parsed, piece.file, piece.offset)


def _parse_by_declaration(
    text: str, file: str, first: Fault
) -> tuple[tree.File, tuple[Fault, ...]]:
    """One fault must not hide the others: each declaration is read alone."""
    items: list[tree.Item] = []
    faults: list[Fault] = []
    for piece in _pieces(text, file):
        found = _read(piece)
        if isinstance(found, tree.File):
            items += found.items
        elif len(faults) == MAX_FAULTS:
            faults.append(
                Fault(
                    "malformed-text",
                    f"expected at most {MAX_FAULTS} faults in a text, got more",
                    found.place,
                    help="mend those above, then look again",
                )
            )
            break
        else:
            faults.append(found)
    return tree.File(tuple(items), span=Span.nowhere()), tuple(faults or [first])


def _pieces(text: str, file: str) -> Iterator[Piece]:
    """The declarations of a text: each begins in the first column."""
    start, lines, opened = 1, list[str](), 0
    for number, line in enumerate(text.split("\n"), start=1):
        if lines and _begins(line, inside=opened > 0):
            yield Piece(file, start, "\n".join([*lines, ""]))
            start, lines, opened = number, [], 0
        lines.append(line)
        opened = max(opened + _brackets(line), 0)
    yield Piece(file, start, "\n".join([*lines, ""]))


def _begins(line: str, *, inside: bool) -> bool:
    """Whether a line begins a declaration: a comment does not, nor does what only goes on."""
    words = line.split(maxsplit=1)
    if not words or line[0] in " \t#)]}" or words[0] in {"and", "or"}:
        return False
    return not inside or words[0] in declaration_words()


def _brackets(line: str) -> int:
    """How many brackets a line opens more than it closes."""
    bare = re.sub(r'"[^"]*"', "", line).partition("#")[0]
    return sum((sign in "([{") - (sign in ")]}") for sign in bare)
