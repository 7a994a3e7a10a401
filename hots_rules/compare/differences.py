"""The differences between two rulesets, by section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike

from attrs import evolve, fields, frozen

from hots_rules.compare.difference import Change, Diff, Difference
from hots_rules.explain.declarations import declaration_of, headings_of
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.steps import outer_steps
from hots_rules.rules.rulebook import Entry, Key, Rulebook
from hots_rules.syntax import tree

RulesetLike = AnyRuleset | str | PathLike[str]
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_CONTINUES = re.compile(r"(and|or|when|because)\b|[|&§]")
_PLACES = frozenset({"span", "cites", "head"})
# The fields that cannot change play.
_FOR_READERS = _PLACES | {"summary", "because"}


def diff(old: RulesetLike, new: RulesetLike) -> Diff:
    """The differences of the second ruleset from the first.

    Declarations are compared by kind, name and meaning; comments, spaces, sections and summaries count
    as wording.

    >>> import hots_rules as hr
    >>> bool(hr.diff("hots-4.0", "hots-4.0"))
    False

    Args:
        old: the first ruleset, its name or its path.
        new: the second ruleset, its name or its path.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    first, second = rulebook_of(old), rulebook_of(new)
    order = _SectionOrder.of(first, second)
    placed = (
        evolve(each, section=order.main_section(each)) for each in _differences(first, second)
    )
    return Diff(first.name, second.name, tuple(sorted(placed, key=order.key)))


@frozen
class _SectionOrder:
    """The order of the sections of two rulesets: that of the newer book, with those of the older one inserted."""

    numbers: Mapping[str, int]

    @classmethod
    def of(cls, *books: Rulebook) -> _SectionOrder:
        merged: list[str] = []
        for book in sorted(books, key=lambda book: (len(book.source.layers), book.name)):
            at = 0
            for number in headings_of(book):
                if number not in merged:
                    merged.insert(at, number)
                at = merged.index(number) + 1
        return cls({number: at for at, number in enumerate(merged)})

    def place(self, section: str) -> tuple[int, list[int]]:
        """A key to sort sections by; those without a heading are last, by their numbers."""
        written = [int(number) for number in section.split(".") if number]
        return self.numbers.get(section, len(self.numbers)), written

    def main_section(self, difference: Difference) -> str:
        """The first section that both sides cite, else that either does; empty if none."""
        sides = [
            set(side.sections) for side in (difference.old, difference.new) if side is not None
        ]
        both = set.intersection(*sides) if sides else set[str]()
        return min(both or set().union(*sides), key=self.place, default="")

    def key(self, difference: Difference) -> tuple[object, ...]:
        """A key to sort differences by: those without a section last, those of wording behind those of play."""
        section = difference.section
        place, is_wording = self.place(section), not difference.plays
        return not section, place, is_wording, difference.kind, difference.name


def rulebook_of(ruleset: RulesetLike) -> Rulebook:
    """The rulebook of a ruleset; nothing is compiled for it.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    if isinstance(ruleset, BaseRuleset):
        return ruleset.rulebook
    # A comparison needs the declarations alone.
    from hots_rules.rules import find_source
    from hots_rules.rules.load import load_rulebook

    return load_rulebook(find_source(ruleset))


def _differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    for key in {**old.entries, **new.entries}:
        difference = _difference(key, old, new)
        if difference is not None:
            yield difference
    yield from _label_differences(old, new)
    yield from _order_differences(old, new)


def _difference(key: Key, old: Rulebook, new: Rulebook) -> Difference | None:
    before, after = old.entries.get(key), new.entries.get(key)

    def made(
        change: str, changes: Iterable[Change] = (), reasons: tuple[str, ...] = ()
    ) -> Difference:
        left = declaration_of(old, before) if before else None
        right = declaration_of(new, after) if after else None
        ordered = tuple(sorted(changes, key=lambda change: change.where))
        return Difference(*key, change, left, right, ordered, reasons)

    if before is None or after is None:
        return made("added" if before is None else "repealed")
    is_decided = before.settled != after.settled
    if is_decided or semantic_key(before.node) != semantic_key(after.node):
        settings = _changes(choices(old, before), choices(new, after))
        steps = _steps(old, before, new, after)
        return made("amended", (*_cells(before, after), *settings, *steps))
    reasons = tuple(sorted(set(_reasons(before)) ^ set(_reasons(after))))
    if reasons or wording_key(before.node) != wording_key(after.node):
        return made("wording", reasons=reasons)
    if set(before.sections) != set(after.sections):
        return made("citation")
    return None


def _reasons(entry: Entry) -> Iterator[str]:
    """The reasons of the rewordings of a declaration since it was last amended."""
    layer: Entry | None = entry
    while layer is not None and layer.wording:
        yield layer.wording
        layer = layer.previous


# ---------------------------------------------------------------- within a declaration
def _cells(before: Entry, after: Entry) -> Iterator[Change]:
    """The cells that differ, row by row."""
    if not isinstance(before.node, tree.Table) or not isinstance(after.node, tree.Table):
        return
    rows, others = cell_texts(before.node), cell_texts(after.node)
    for row in {**rows, **others}:
        yield from _changes(rows.get(row, {}), others.get(row, {}), f"{row} ")


def _changes(old: Mapping[str, str], new: Mapping[str, str], prefix: str = "") -> Iterator[Change]:
    """The entries whose texts differ."""
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield Change(f"{prefix}{name}", old.get(name), new.get(name))


def _steps(old: Rulebook, before: Entry, new: Rulebook, after: Entry) -> Iterator[Change]:
    """The steps that differ, without those within other steps."""
    steps, others = (
        {step.name.text: step for step in outer_steps(entry.node)} for entry in (before, after)
    )
    for name in {**steps, **others}:
        pair = steps.get(name), others.get(name)
        if semantic_key(pair[0]) != semantic_key(pair[1]):
            yield Change(f"step {name}", _step_text(old, pair[0]), _step_text(new, pair[1]))


def _step_text(rulebook: Rulebook, step: tree.Step | None) -> str | None:
    """The first line of a step as it is written, and a sign for the others; None without a step."""
    if step is None or step.block is None or not step.block.statements:
        return None
    statements = step.block.statements
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


def _label_differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    """One difference for each language of which labels differ."""
    for language in sorted({**old.labels, **new.labels}):
        words, others = old.labels.get(language, {}), new.labels.get(language, {})
        changes = sorted(_changes(words, others), key=lambda change: change.where)
        if changes:
            yield Difference("label", language, "wording", None, None, tuple(changes))


def _order_differences(old: Rulebook, new: Rulebook) -> Iterator[Difference]:
    """Events that the same rules answer in different orders."""
    answers, others = handler_orders(old), handler_orders(new)
    for event in answers.keys() & others.keys():
        both = set(answers[event]) & set(others[event])
        pair = [[rule for rule in side[event] if rule in both] for side in (answers, others)]
        if pair[0] != pair[1]:
            entries = old.entries["event", event], new.entries["event", event]
            sides = declaration_of(old, entries[0]), declaration_of(new, entries[1])
            change = Change("order of rules", ", ".join(pair[0]), ", ".join(pair[1]))
            yield Difference("event", event, "amended", *sides, (change,))


def semantic_key(node: object) -> object:
    """A key of a declaration without text for readers; declarations with equal keys play the same."""
    return _key(node, _FOR_READERS)


def wording_key(node: object) -> object:
    """A key of a declaration with its text, without its place and its sections."""
    return _key(node, _PLACES)


def _key(node: object, excluded: frozenset[str]) -> object:
    if isinstance(node, tuple):
        return tuple(_key(part, excluded) for part in _without_steps(node))
    if isinstance(node, tree.Cell):
        return frozenset(word.text for word in node.words if word.text != "-")
    if not isinstance(node, tree.Node):
        return str(node) if isinstance(node, tree.Word) else node
    names = (f.name for f in fields(type(node)) if f.name not in excluded)
    return type(node).__name__, *(_key(getattr(node, name), excluded) for name in names)


def _without_steps(parts: Iterable[object]) -> Iterator[object]:
    """The parts of a node, with the statements of steps in the place of the steps."""
    for part in parts:
        if isinstance(part, tree.Step) and part.block is not None:
            yield from _without_steps(part.block.statements)
        else:
            yield part


def cell_texts(table: tree.Table) -> dict[str, dict[str, str]]:
    """Row → column → the text of the cell; omitted cells are `-`."""
    columns = [column.name.text for column in table.columns]
    texts = {}
    for row in table.rows:
        cells = ["+".join(word.text for word in cell.words) or "-" for cell in row.cells]
        cells += ["-"] * (len(columns) - len(cells))
        texts[row.name.text] = dict(zip(columns, cells, strict=False))
    return texts


def choices(rulebook: Rulebook, entry: Entry) -> dict[str, str]:
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
            "values": _written(rulebook, node.type),
            "default": _written(rulebook, node.default),
        }
    return {}


def _written(rulebook: Rulebook, node: tree.Node) -> str:
    """The source text of a part of a line."""
    span = node.span
    lines = rulebook.source.texts[span.file].split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(line.strip() for line in lines)


def handler_orders(rulebook: Rulebook) -> dict[str, tuple[str, ...]]:
    """Event → the rules that answer it, in order."""
    return {
        name: tuple(f"{handler.timing} {handler.origin.rule}" for handler in event.handlers)
        for name, event in rulebook.typed.events.items()
    }
