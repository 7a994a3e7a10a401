"""What is shown about a name: its sentence, its sections, its type, and the edition that it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hots_rules._text import with_signs
from hots_rules.diagnostics import Span
from hots_rules.editing.symbols.names import Name, entry_of, name_at
from hots_rules.editing.symbols.occurrences import (
    COLUMN,
    LOCAL,
    PRODUCT,
    SECTION,
    VALUE,
    occurrences,
)
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import kind_noun

MAX_LINES = 14  # of a declaration that is shown


def hover(space: Workspace, path: str, line: int, column: int) -> tuple[str, Span] | None:
    """A text in Markdown about the name at a place, with the place of the name; None if it is none.

    >>> space = Workspace()
    >>> space.open("/fox.rules", 'ruleset fox-1.0 "Fox"\\ndefine most = 3  §1\\n')
    >>> _ = space.check("/fox.rules")
    >>> print(hover(space, "/fox.rules", 2, 9)[0].splitlines()[0])
    **define most** · §1 · fox-1.0
    """
    name_and_span = name_at(space, path, line, column)
    if name_and_span is None:
        return None
    name, occurrence = name_and_span
    chain = space.chain_for(path)
    text = "\n\n".join(_paragraphs(space, chain, path, name))
    return (text, occurrence.span) if text else None


def _paragraphs(space: Workspace, chain: Chain | None, path: str, name: Name) -> Iterable[str]:
    """What is shown of a name; nothing of one that the chain does not know."""
    if name.kind == LOCAL:
        type_ = chain and local_type(chain, space, path, name)
        typed = f": {type_}" if type_ else ""
        return [f"**{name.text}**{typed} · a name of this declaration"]
    if chain is None:
        return []
    if name.kind == SECTION:
        return _section(chain, path, name.text)
    if (entry := entry_of(chain, name)) is not None:
        return _entry(space, chain, entry)
    if name.kind == VALUE:
        return _value(chain, name.text)
    if name.kind == COLUMN:
        return [_column(chain, name.text)]
    return [_product(chain, name.text)] if name.kind == PRODUCT else []


def _value(chain: Chain, word: str) -> Iterator[str]:
    owners = chain.checked.symbols.owners.get(word, [])
    names = ", ".join(f"`{owner.name}`" for owner in owners)
    yield f"**{word}** · a value of {names}" if names else f"**{word}** · an alternative"
    yield from _row(chain, word)


def _column(chain: Chain, column: str) -> str:
    tables = chain.checked.symbols.columns.get(column, [])
    listed = (f"`{column}[{table}]`: {described(type_)}" for table, type_ in tables)
    return f"**column {column}** · {'; '.join(listed)}"


def _product(chain: Chain, constructor: str) -> str:
    product = chain.checked.symbols.products[constructor]
    parts = ", ".join(map(described, product.params))
    return f"**{constructor}({parts})** · values of `{product.owner}`"


def _section(chain: Chain, path: str, cite: str) -> Iterator[str]:
    edition, _, number = cite.rpartition("§")
    edition = edition or chain.edition_of(path)
    heading = chain.checked.headings.get(edition, {}).get(number)
    if heading:
        yield f"§{number} {heading} · {edition}"


def _entry(space: Workspace, chain: Chain, entry: Entry) -> Iterator[str]:
    cited = with_signs(entry.sections)
    replaced = f", in place of {entry.previous.edition}" if entry.previous else ""
    parts = [f"**{kind_noun(entry.kind)} {entry.name}**".replace("definition", "define"), cited]
    yield " · ".join([part for part in parts if part] + [entry.edition + replaced])
    if entry.summary:
        yield f"“{entry.summary}”"
    if type_ := _type_of(chain, entry):
        yield f"its type: {type_}"
    yield f"```rules\n{source_of(space, chain, entry)}\n```"


def _type_of(chain: Chain, entry: Entry) -> str:
    symbols, typed = chain.checked.symbols, chain.checked.typed
    if entry.kind == "variable" and entry.name in symbols.variables:
        return described(symbols.variables[entry.name].type)
    if entry.kind == "define" and typed is not None and entry.name in typed.definitions:
        return described(typed.definitions[entry.name].body.type)
    if entry.kind in ("option", "reading") and entry.name in symbols.settings:
        return described(symbols.settings[entry.name].type)
    return ""


def source_of(space: Workspace, chain: Chain, entry: Entry) -> str:
    """A declaration as it is written, without what is below its first lines."""
    span = entry.lines[-1].span if entry.lines else entry.node.span
    text = space.text(span.file) or chain.source.texts.get(span.file, "")
    rows = text.split("\n")
    ends_before = not "".join(rows[span.end_line - 1 : span.end_line])[
        : span.end_column - 1
    ].strip()
    lines = rows[span.line - 1 : span.end_line - ends_before]
    while lines and (not lines[-1].strip() or _is_of_next(lines[-1], lines[0])):
        lines.pop()
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[:MAX_LINES], "  …"])


def _is_of_next(line: str, first: str) -> bool:
    """Whether a line after a declaration is a comment on what follows: it is not indented further."""
    bare = line.lstrip()
    return bare.startswith("#") and len(line) - len(bare) <= len(first) - len(first.lstrip())


def _row(chain: Chain, value: str) -> Iterator[str]:
    """The row of a table that declares a value."""
    for owner in chain.checked.symbols.owners.get(value, []):
        entry = chain.checked.symbols.entries.get(("table", owner.name))
        for row in getattr(entry.node, "rows", ()) if entry else ():
            if row.name.text == value and entry is not None:
                columns = getattr(entry.node, "columns", ())
                cells = zip(columns, row.cells, strict=False)
                shown = ", ".join(
                    f"{column.name} {'+'.join(map(str, cell.words)) or '-'}"
                    for column, cell in cells
                )
                yield f"{owner.name}: {shown}"


def local_type(chain: Chain, space: Workspace, path: str, name: Name) -> str:
    """The type of a local name, as it was when the ruleset was last checked; empty if it is not known."""
    piece = space.piece_at(name.file, name.line)
    if piece is None:
        return ""
    types_by_place = {
        (span.line, span.column): type_
        for span, type_ in chain.checked.symbols.bound
        if span.file == path and piece.first <= span.line <= piece.last
    }
    for occurrence in occurrences(piece):
        if occurrence.text == name.text and (
            type_ := types_by_place.get((occurrence.span.line, occurrence.span.column))
        ):
            return described(type_)
    return _param_type(piece.text, name.text)


def _param_type(text: str, name: str) -> str:
    match = re.search(rf"[(,]\s*{name}\s*:\s*([^,)]+)", text)
    return match[1].strip() if match else ""


def described(type_: types.Type) -> str:
    """A type in words; a type of words by its name."""
    if isinstance(type_, types.WordType) and type_.name:
        return f"`{type_.name}`"
    return types.describe(type_)
