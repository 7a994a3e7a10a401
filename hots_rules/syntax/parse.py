"""From a text to its tree; malformed declarations become faults, all of them at once."""

from __future__ import annotations

from collections.abc import Iterator

from lark import UnexpectedInput

from hots_rules.diagnostics import Fault, Span
from hots_rules.syntax import tree
from hots_rules.syntax.build import build
from hots_rules.syntax.comments import blank_texts
from hots_rules.syntax.expected import declaration_words
from hots_rules.syntax.grammar import grammar
from hots_rules.syntax.indentation import LayoutError
from hots_rules.syntax.limits import MAX_FAULTS, find_depth, find_excess
from hots_rules.syntax.parse_errors import UnparsedPiece, fault_of
from hots_rules.syntax.sentences import add_expressions


def parse(text: str, file: str) -> tuple[tree.File, tuple[Fault, ...]]:
    """The tree of a text, and its faults.

    Where there are faults, the tree holds the declarations without one. There is at most one fault
    for each declaration, and at most a hundred for a text.
    """
    if fault := find_excess(text, file):
        return tree.File((), span=Span.nowhere()), (fault,)
    result = _parse_piece(UnparsedPiece(file, 1, f"{text}\n"))
    if isinstance(result, tree.File):
        return result, ()
    return _parse_by_declaration(text, file, result)


def parse_piece(file: str, first: int, text: str) -> tree.File | Fault:
    """The tree of some lines of a file, the first of which has a number; the fault if they are malformed."""
    return _parse_piece(UnparsedPiece(file, first, text))


def _parse_piece(piece: UnparsedPiece) -> tree.File | Fault:
    # The empty line in front makes the parser check the indentation of the first line too.
    try:
        parsed = grammar().parse(f"\n{piece.text}", start="file")
        add_expressions(parsed, f"\n{piece.text}")
    except (UnexpectedInput, LayoutError) as error:
        return fault_of(error, piece)
    return find_depth(parsed, piece.file, piece.offset) or build(parsed, piece.file, piece.offset)


def _parse_by_declaration(
    text: str, file: str, first: Fault
) -> tuple[tree.File, tuple[Fault, ...]]:
    """Parses each declaration alone, so that one fault does not hide the others."""
    items: list[tree.Item] = []
    faults: list[Fault] = []
    for piece in pieces_of(text, file):
        result = _parse_piece(piece)
        if isinstance(result, tree.File):
            items += result.items
        elif len(faults) == MAX_FAULTS:
            faults.append(too_many_faults(result.place))
            break
        else:
            faults.append(result)
    return tree.File(tuple(items), span=Span.nowhere()), tuple(faults or [first])


def too_many_faults(place: Span) -> Fault:
    """The last fault that is reported of a text: from this place on there are more."""
    return Fault(
        "malformed-text",
        f"more than {MAX_FAULTS} faults in this text",
        place,
        help="correct those above, then check again",
    )


def pieces_of(text: str, file: str) -> Iterator[UnparsedPiece]:
    """The declarations of a text: each begins in the first column."""
    start, lines, opened = 1, list[str](), 0
    code = blank_texts(text).split("\n")
    for number, line in enumerate(text.split("\n"), start=1):
        if lines and _begins(line, inside=opened > 0):
            yield UnparsedPiece(file, start, "\n".join([*lines, ""]))
            start, lines, opened = number, [], 0
        lines.append(line)
        opened = max(opened + _brackets(code[number - 1]), 0)
    yield UnparsedPiece(file, start, "\n".join([*lines, ""]))


def _begins(line: str, *, inside: bool) -> bool:
    """Whether a line begins a declaration; a comment or a continued line does not."""
    words = line.split(maxsplit=1)
    if not words or line[0] in " \t#)]}|&" or words[0] in {"and", "or", "when", "because"}:
        return False
    return not inside or words[0] in declaration_words()


def _brackets(line: str) -> int:
    """The number of brackets that a line opens, minus those that it closes."""
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))
