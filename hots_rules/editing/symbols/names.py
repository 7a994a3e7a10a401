"""What a name of a ruleset is, where it is declared in each edition, and where it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Span
from hots_rules.editing.casebook.case_names import RENAMED, names_in_cases
from hots_rules.editing.symbols.occurrences import (
    COLUMN,
    LOCAL,
    PRODUCT,
    RULESET,
    SECTION,
    STEP,
    VALUE,
    Occurrence,
    occurrence_at,
    occurrences,
)
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.sources.source import Layer
from hots_rules.syntax import tree
from hots_rules.syntax.grammar import reserved_words
from hots_rules.syntax.pieces import ParsedPiece

_NAME = re.compile(r"[A-Za-z_]\w*")
_HYPHENATED = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")
HYPHENATED_KINDS = frozenset({"rule", "scenario", "invariant", "policy", "promise"})


@frozen
class Name:
    """What a word names: its kind and its text; of a local name and a step, also the declaration that it is in."""

    kind: str
    text: str
    file: str = ""
    line: int = 0


@frozen
class NamePlace:
    """A place in a file of the folder or of the library."""

    span: Span
    is_declaration: bool = False


class CannotRename(ValueError):
    """A name that cannot be changed, or not to this one; the message says why."""


def name_at(space: Workspace, path: str, line: int, column: int) -> tuple[Name, Occurrence] | None:
    """What the word at a place names, with the word; None if it is no known name."""
    piece = space.piece_at(path, line)
    occurrence = occurrence_at(piece, line, column)
    chain = space.chain_for(path)
    if piece is None or occurrence is None:
        return None
    name = resolved(occurrence, piece, path, chain)
    return None if name is None else (name, occurrence)


def resolved(
    occurrence: Occurrence, piece: ParsedPiece, path: str, chain: Chain | None
) -> Name | None:
    """What a word names in a ruleset; None if nothing has the name."""
    text = occurrence.text
    for kind in occurrence.kinds:
        if kind in (LOCAL, STEP) and (kind == STEP or occurrence.kinds == (LOCAL,)):
            return Name(kind, text, path, piece.first)
        if kind in (SECTION, RULESET):
            return Name(kind, text)
        if occurrence.is_declaration or (chain is not None and _has(chain, kind, text)):
            return Name(kind, text)
    return None


def _has(chain: Chain, kind: str, text: str) -> bool:
    symbols = chain.checked.symbols
    if kind == VALUE:
        return text in symbols.owners or any(
            text
            in (alternative.name.text for alternative in getattr(entry.node, "alternatives", ()))
            for entry in symbols.entries.values()
            if entry.kind == "reading"
        )
    if kind == COLUMN:
        return text in symbols.columns
    if kind == PRODUCT:
        return text in symbols.products
    return (kind, text) in symbols.entries


# ------------------------------------------------------------------ places
def entry_of(chain: Chain, name: Name) -> Entry | None:
    """The declaration in force of a name that has one of its own."""
    return chain.checked.symbols.entries.get((name.kind, name.text))


def definitions(space: Workspace, path: str, name: Name) -> list[NamePlace]:
    """Where a name is declared: in the newest edition of the chain that changes it, then in those below."""
    chain = space.chain_for(path)
    if name.kind in (LOCAL, STEP) or chain is None:
        return _first_in_piece(space, name)
    if name.kind == RULESET:
        return list(_head_of(space, chain, name.text))
    if name.kind == SECTION:
        return list(_section_row(chain, path, name.text))
    if (entry := entry_of(chain, name)) is not None:
        return list(_history(entry))
    return [place for place in places(space, path, name) if place.is_declaration]


def _first_in_piece(space: Workspace, name: Name) -> list[NamePlace]:
    piece = space.piece_at(name.file, name.line)
    alike = (
        [occurrence for occurrence in occurrences(piece) if occurrence.text == name.text]
        if piece
        else []
    )
    return [NamePlace(alike[0].span, True)] if alike else []


def _history(entry: Entry | None) -> Iterator[NamePlace]:
    while entry is not None:
        for line in reversed(entry.lines):
            yield NamePlace(line.span, True)
        if not entry.lines:
            word = getattr(entry.node, "name", None)
            yield NamePlace(getattr(word, "span", entry.node.span), True)
        entry = entry.previous


def _head_of(space: Workspace, chain: Chain, ruleset: str) -> Iterator[NamePlace]:
    """The line `ruleset` that declares a ruleset."""
    for layer in chain.source.layers:
        if layer.name != ruleset:
            continue
        for _, piece in _pieces_of(space, layer):
            for occurrence in occurrences(piece):
                if occurrence.kinds == (RULESET,) and occurrence.is_declaration:
                    yield NamePlace(occurrence.span, True)


def _pieces_of(space: Workspace, layer: Layer) -> Iterator[tuple[str, ParsedPiece]]:
    """The declarations of all files of a layer, each with its file."""
    for file, text in layer.files.items():
        for piece in space.parsed_layer(file, text).pieces:
            yield file, piece


def _section_row(chain: Chain, path: str, cite: str) -> Iterator[NamePlace]:
    """The row of a section in the list of its edition."""
    edition, _, number = cite.rpartition("§")
    wanted = edition or chain.edition_of(path)
    for layer in chain.source.layers:
        rows = layer.sections.splitlines() if layer.name == wanted else []
        for line, row in enumerate(rows, 1):
            if row.split(",")[0].strip('"') == number:
                yield NamePlace(Span(layer.sections_file, line, 1, line, len(row) + 1), True)


def places(space: Workspace, path: str, name: Name) -> list[NamePlace]:
    """Where a name occurs: in its declaration if it is local, else in every file of all rulesets of its chain."""
    if name.kind in (LOCAL, STEP):
        piece = space.piece_at(name.file, name.line)
        in_piece = occurrences(piece) if piece else []
        return [
            NamePlace(occurrence.span)
            for occurrence in in_piece
            if occurrence.text == name.text and name.kind in occurrence.kinds
        ]
    heads = space.heads_for(path) or tuple(space.chains)
    chains = [space.chains[head] for head in heads if head in space.chains]
    # Chains share files, and each place is listed once.
    return list(
        dict.fromkeys(place for chain in chains for place in _places_in(space, chain, name))
    )


def _places_in(space: Workspace, chain: Chain, name: Name) -> Iterator[NamePlace]:
    """Where a name occurs in the files of one chain."""
    for layer in chain.source.layers:
        for file, piece in _pieces_of(space, layer):
            if name.text not in piece.text:
                continue
            for occurrence in occurrences(piece):
                if (
                    occurrence.text == name.text
                    and resolved(occurrence, piece, file, chain) == name
                ):
                    yield NamePlace(occurrence.span, occurrence.is_declaration)


# ------------------------------------------------------------------ another name
def check_rename(space: Workspace, path: str, name: Name) -> None:
    """Raise for a name that cannot be changed.

    Raises:
        CannotRename: it is one of the library, or several things have it.
    """
    if name.kind in (SECTION, RULESET, STEP):
        raise CannotRename(f"a {name.kind} is not renamed here")
    if name.text in RESERVED.get("define", ()):
        raise CannotRename(f"`{name.text}` is a word of the language")
    known = places(space, path, name)
    outside = [place for place in known if place.span.file not in space.texts]
    if outside:
        raise CannotRename(
            f"`{name.text}` is a name of a ruleset of the library: {outside[0].span}"
        )
    chain = space.chain_for(path)
    has_board = chain is not None and ("board", "board") in chain.checked.merger.entries
    if has_board and not any(place.is_declaration for place in known):
        raise CannotRename(f"`{name.text}` is a name that the board gives")
    if (
        name.kind == VALUE
        and chain is not None
        and len(chain.checked.symbols.owners.get(name.text, ())) > 1
    ):
        raise CannotRename(f"several types have a value `{name.text}`; rename it by hand")
    if name.kind in (VALUE, COLUMN) and chain is not None and _names_a_column(chain, name.text):
        raise CannotRename(f"the value `{name.text}` names a column; rename both by hand")
    if any(fault for file in _files_of(space, path) for fault in space.parsed(file).faults):
        raise CannotRename("a file of the ruleset is malformed; correct it first")


def _names_a_column(chain: Chain, text: str) -> bool:
    """Whether a word is a value and a column, which `T[r, c]` chooses by it."""
    symbols = chain.checked.symbols
    return text in symbols.owners and text in symbols.columns


def renamed(space: Workspace, path: str, name: Name, new: str) -> dict[str, list[tuple[Span, str]]]:
    """The places where another name is written and what is written there, by file; in cases and positions too.

    Raises:
        CannotRename: the name cannot be changed, or not to this one.
    """
    check_rename(space, path, name)
    is_name = _NAME.fullmatch(new) is not None or (
        name.kind in HYPHENATED_KINDS and _HYPHENATED.fullmatch(new) is not None
    )
    if not is_name or new in reserved_words():
        raise CannotRename(f"`{new}` cannot be a name")
    if new != name.text and _is_taken(space, path, name, new):
        raise CannotRename(f"`{new}` is taken")
    edits: dict[str, list[tuple[Span, str]]] = {}
    for place in places(space, path, name):
        edits.setdefault(place.span.file, []).append((place.span, new))
    if name.kind in RENAMED and not _is_labelled(space, path, name):
        for file, span, text in names_in_cases(space, space.heads_for(path), name.text, new):
            edits.setdefault(file, []).append((span, text))
    return edits


def _is_labelled(space: Workspace, path: str, name: Name) -> bool:
    """Whether the cases show a name by its label, so that they stay as they are."""
    chain = space.chain_for(path)
    labels = chain.checked.merger.labels.get("en", {}) if chain is not None else {}
    keys = [label.key for label in labels.values()]
    if name.kind == VALUE:
        return any(isinstance(key, tree.ValueKey) and key.name.text == name.text for key in keys)
    return name.kind == "action" and any(
        isinstance(key, tree.DeclarationKey)
        and (key.kind.text, key.name.text) == (name.kind, name.text)
        for key in keys
    )


def _is_taken(space: Workspace, path: str, name: Name, new: str) -> bool:
    if name.kind == LOCAL:
        piece = space.piece_at(name.file, name.line)
        return any(occurrence.text == new for occurrence in (occurrences(piece) if piece else ()))
    kinds = (
        "define",
        "event",
        "phase",
        "stage",
        "action",
        "variable",
        "option",
        "reading",
        "type",
        "table",
        "rule",
    )
    for head in space.heads_for(path):
        chain = space.chains.get(head)
        if chain and (any(_has(chain, kind, new) for kind in (*kinds, name.kind, VALUE))):
            return True
    # A local of that name would hide it.
    for place in places(space, path, name):
        piece = space.piece_at(place.span.file, place.span.line)
        if any(
            occurrence.text == new and occurrence.kinds == (LOCAL,)
            for occurrence in (occurrences(piece) if piece else ())
        ):
            return True
    return False


def _files_of(space: Workspace, path: str) -> Iterator[str]:
    for head in space.heads_for(path):
        chain = space.chains.get(head)
        if chain is not None:
            yield from (file for file in chain.files if file in space.texts)
