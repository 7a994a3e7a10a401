"""What is shown between the lines: types, what an amendment replaces, and what can be done with a declaration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import frozen

from hots_rules._text import with_signs
from hots_rules.editing.casebook.blocks import case_places, cases_about
from hots_rules.editing.rulesets import chain_of
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.rulebook import Entry, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree


@frozen
class Hint:
    """A text that is shown in a line, in front of what stands there.

    Attributes:
        line: the line.
        column: the column at which it is put in.
        text: the text.
        is_type: whether it is a type.
    """

    line: int
    column: int
    text: str
    is_type: bool


@frozen
class Lens:
    """A line that is shown above a declaration, with what it does.

    Attributes:
        line: the line of the declaration.
        text: what is shown.
        action: "differs", "play", "run", "debug" or "cases".
        arguments: what the action needs.
    """

    line: int
    text: str
    action: str
    arguments: tuple[str, ...] = ()


def hints(space: Workspace, path: str, first: int, last: int) -> list[Hint]:
    """The hints of some lines of a file, as of its last good state; none for a line that changed since."""
    chain = space.chain_for(path)
    if chain is None:
        return []
    all_hints = [*_types(chain, path), *_definitions(chain, path), *_replaced(chain, path)]
    same = _same_lines(space, chain, path)
    return sorted(
        {hint for hint in all_hints if first <= hint.line <= last and hint.line in same},
        key=lambda hint: (hint.line, hint.column),
    )


def _same_lines(space: Workspace, chain: Chain, path: str) -> set[int]:
    """The lines that are as they were when the ruleset was checked."""
    now, then = space.text(path).split("\n"), chain.source.texts.get(path, "").split("\n")
    return {line for line, (new, old) in enumerate(zip(now, then, strict=False), 1) if new == old}


def _types(chain: Chain, path: str) -> Iterator[Hint]:
    """The types of names that get one from a value."""
    written = _declared_params(chain, path)
    for span, type_ in chain.checked.symbols.bound:
        is_inferred = span.file == path and (span.line, span.column) not in written
        if is_inferred and not isinstance(type_, types.AnyType | types.DiceType):
            yield Hint(span.line, span.end_column, f": {_short(type_)}", True)


def _declared_params(chain: Chain, path: str) -> set[tuple[int, int]]:
    """The places of parameters, whose types are written or are those of the event or the action."""
    return {
        (word.span.line, word.span.column)
        for entry in chain.checked.symbols.entries.values()
        if entry.node.span.file == path
        for word in _renamed_params(entry.node)
    }


def _renamed_params(node: object) -> Iterator[tree.Word]:
    for part in getattr(node, "parts", ()):
        for target in (*getattr(part, "events", ()), *getattr(part, "actions", ())):
            yield from target.names or ()


def _definitions(chain: Chain, path: str) -> Iterator[Hint]:
    """The types of definitions without parameters that declare none."""
    typed = chain.checked.typed
    if typed is None:
        return
    for entry in chain.checked.symbols.entries.values():
        node = entry.node
        if not isinstance(node, tree.Define) or node.type is not None or node.params:
            continue
        definition = typed.definitions.get(entry.name)
        type_ = definition.body.type if definition is not None else types.ANY
        if node.span.file == path and not isinstance(type_, types.AnyType):
            span = node.name.span
            yield Hint(span.line, span.end_column, f": {_short(type_)}", True)


def _replaced(chain: Chain, path: str) -> Iterator[Hint]:
    """What an amendment replaces."""
    for entry in chain.checked.symbols.entries.values():
        if entry.previous is None:
            continue
        for span in [line.span for line in entry.lines] or [name_span(entry.node)]:
            if span.file == path:
                end = _line_end(chain, path, span.line)
                yield Hint(span.line, end, f"  {_replaces(entry.previous)}", False)


def _replaces(entry: Entry) -> str:
    cited = with_signs(entry.sections)
    summary = f": {entry.summary}" if entry.summary else ""
    return f"replaces {entry.edition} {cited}{summary}".rstrip()


def _line_end(chain: Chain, path: str, line: int) -> int:
    lines = chain.source.texts.get(path, "").split("\n")
    return len(lines[line - 1]) + 1 if line <= len(lines) else 1


def _short(type_: types.Type) -> str:
    return type_.name if isinstance(type_, types.WordType) and type_.name else types.describe(type_)


# ------------------------------------------------------------------ lenses
def lenses(space: Workspace, path: str) -> list[Lens]:
    """What can be done with the declarations of a file, or with its cases."""
    if path.endswith(".md"):
        return [
            Lens(case.line, text, action, (path, case.title))
            for case in case_places(space, path)
            for text, action in (("run this case", "run"), ("debug", "debug"))
        ]
    below = _extended_by(space, path)
    items = (item for piece in space.parsed(path).pieces for item in piece.items)
    return [lens for item in items for lens in _lenses_of(space, path, below, item)]


def _extended_by(space: Workspace, path: str) -> str:
    """The name of the ruleset that the one of a file extends; empty if it extends none."""
    for head in space.heads_for(path)[:1]:
        for below, layer in pairwise(chain_of(head, space.located())[0].layers):
            if path in layer.files:
                return below.name
    return ""


def _lenses_of(space: Workspace, path: str, below: str, item: tree.Item) -> Iterator[Lens]:
    line = item.span.line
    if isinstance(item, tree.Ruleset):
        if count := cases_about(space, path):
            yield Lens(line, "1 case" if count == 1 else f"{count} cases", "cases", (path,))
        if item.extends is not None:
            yield Lens(line, f"differs from {item.extends}: show", "differs", (path, ""))
    elif isinstance(item, tree.Scenario):
        head = next(iter(space.heads_for(path)), path)
        yield Lens(line, "play from here", "play", (head, item.name.text))
    elif isinstance(item, tree.Amend) and below:
        name = getattr(item.declaration, "name", None)
        if isinstance(name, tree.Word):
            yield Lens(line, f"differs from {below}: show", "differs", (path, name.text))
