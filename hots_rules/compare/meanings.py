"""What the declarations of a parsed rulebook are compared by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b

from attrs import fields

from hots_rules.compare.comparable import Comparable, ComparableBook, ComparablePart
from hots_rules.rules.editions.parts import clause_names
from hots_rules.rules.editions.steps import outer_steps
from hots_rules.rules.play_digest import without_steps
from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.syntax import tree

_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_CONTINUES = re.compile(
    r"(and|or|when|because|then)\b|[|&§]|else[ \t]+(?!if\b(?!.*\bthen\b))[^ \t#]|elif\b.*\bthen\b"
)
_PLACES = frozenset({"span", "cites", "head"})
# The fields that cannot change play.
_FOR_READERS = _PLACES | {"summary", "because"}
# Fields that are left out where they are empty, so that digests from before they existed stay valid.
_LATER = frozenset({"internal", "lets", "others"})


def read_book(rulebook: Rulebook) -> ComparableBook:
    """What a rulebook is compared by."""
    entries = rulebook.entries.values()
    return ComparableBook(
        tuple(_comparable(rulebook, entry) for entry in entries),
        rulebook.labels,
        {
            name: tuple(f"{handler.timing} {handler.origin.rule}" for handler in event.handlers)
            for name, event in rulebook.typed.events.items()
        },
        len(rulebook.source.layers),
    )


def _comparable(rulebook: Rulebook, entry: Entry) -> Comparable:
    node = entry.node
    return Comparable(
        _digest(node, _FOR_READERS),
        _digest(node, _PLACES),
        entry.settled,
        tuple(_reasons(entry)),
        _cells(node) if isinstance(node, tree.Table) else {},
        _choices(rulebook, entry),
        dict(_parts(rulebook, node)),
    )


def _reasons(entry: Entry) -> Iterator[str]:
    """The reasons of the rewordings of a declaration since it was last amended."""
    layer: Entry | None = entry
    while layer is not None and layer.wording:
        yield layer.wording
        layer = layer.previous


# ---------------------------------------------------------------- digests
def _digest(node: object, excluded: frozenset[str]) -> str:
    """A digest of a part of the tree without some fields."""
    return blake2b(repr(_key(node, excluded)).encode(), digest_size=12).hexdigest()


def _key(node: object, excluded: frozenset[str]) -> object:
    if isinstance(node, tuple):
        return tuple(_key(part, excluded) for part in without_steps(node))
    if isinstance(node, tree.Cell):
        return sorted({word.text for word in node.words if word.text != "-"})
    if not isinstance(node, tree.Node):
        return str(node) if isinstance(node, tree.Word) else node
    names = (
        f.name
        for f in fields(type(node))
        if f.name not in excluded and (f.name not in _LATER or getattr(node, f.name) is not None)
    )
    return type(node).__name__, *(_key(getattr(node, name), excluded) for name in names)


# ---------------------------------------------------------------- parts
def _cells(table: tree.Table) -> dict[str, dict[str, str]]:
    """Row → column → the text of the cell; omitted cells are `-`."""
    columns = [column.name.text for column in table.columns]
    texts = {}
    for row in table.rows:
        cells = ["+".join(word.text for word in cell.words) or "-" for cell in row.cells]
        cells += ["-"] * (len(columns) - len(cells))
        texts[row.name.text] = dict(zip(columns, cells, strict=False))
    return texts


def _choices(rulebook: Rulebook, entry: Entry) -> dict[str, str]:
    """The values and the default of an option or a reading; empty for other declarations."""
    node = entry.node
    if entry.settled:
        return {"alternatives": entry.settled, "default": entry.settled}
    if isinstance(node, tree.Reading):
        default = next((a.name.text for a in node.alternatives if a.default is not None), "")
        return {
            "alternatives": ", ".join(a.name.text for a in node.alternatives),
            "default": default,
        }
    if isinstance(node, tree.Option):
        return {
            "values": _source_text(rulebook, node.type),
            "default": _source_text(rulebook, node.default),
        }
    return {}


def _source_text(rulebook: Rulebook, node: tree.Node) -> str:
    """The source text of a part of a line."""
    span = node.span
    lines = rulebook.source.texts[span.file].split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(line.strip() for line in lines)


def _parts(rulebook: Rulebook, node: object) -> Iterator[tuple[str, ComparablePart]]:
    """The steps, the clauses without steps, and the value of a definition, by their names."""
    for step in outer_steps(node):
        text = _first_line(rulebook, step.block) if step.block is not None else None
        yield f"step {step.name}", ComparablePart(_digest(step, _FOR_READERS), text)
    if isinstance(node, tree.Define):
        yield (
            "value",
            ComparablePart(_digest(node.body, _FOR_READERS), _source_text(rulebook, node.body)),
        )
    clauses: dict[str, list[tree.Node]] = {}
    for part in node.parts if isinstance(node, tree.Rule | tree.Action) else ():
        if (names := clause_names(part)) and not any(outer_steps(part)):
            clauses.setdefault(" ".join(names), []).append(part)
    for name, parts in clauses.items():
        text = "; ".join(_clause_text(rulebook, part) for part in parts)
        yield name, ComparablePart(_digest(tuple(parts), _FOR_READERS), text)


def _clause_text(rulebook: Rulebook, clause: tree.Node) -> str:
    """What a clause says after its name."""
    match clause:
        case tree.ExceptionTo():
            return ", ".join(rule.text for rule in clause.rules)
        case tree.Guard():
            return _source_text(rulebook, clause.condition)
        case tree.Handler():
            when = f"when {_source_text(rulebook, clause.when)}: " if clause.when else ""
            return f"{when}{_first_line(rulebook, clause.block)}"
        case tree.Permit(when=when) | tree.Forbid(when=when) | tree.Allow(when=when):
            condition = _source_text(rulebook, when) if when else "always"
            names = ", ".join(_source_text(rulebook, binding) for binding in clause.lets or ())
            return f"let {names} when {condition}" if names else condition
        case tree.Exempt(rule=rule, when=when):
            return f"from {rule}, {_source_text(rulebook, when) if when else 'always'}"
    raise AssertionError(clause)


def _first_line(rulebook: Rulebook, block: tree.Block) -> str | None:
    """The first line of a block as it is written, and a sign for the others; None without statements."""
    if not block.statements:
        return None
    statements = block.statements
    span = statements[0].span
    line = _joined_line(rulebook.source.texts[span.file].split("\n")[span.line - 1 :])
    is_whole = len(statements) == 1 and not hasattr(statements[0], "block")
    return line if is_whole else f"{line} …"


def _joined_line(rows: list[str]) -> str:
    """The first of some lines with those that continue it, without comments."""
    line = ""
    for row in rows:
        code = row.partition("#")[0].strip()
        is_open = line.endswith(",") or any(line.count(a) > line.count(b) for a, b in _BRACKETS)
        if line and not is_open and not _CONTINUES.match(code):
            break
        line = f"{line} {code}".strip()
    return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", line)
