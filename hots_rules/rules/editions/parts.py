"""Changes of one part of a declaration: a step, clauses, a cell, a row, a column or an alternative."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar, cast

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, Fix, RelatedPlace
from hots_rules.rules.editions.steps import (
    empty_steps_in,
    fill_with,
    replace_step,
    steps_in,
    with_old_steps,
)
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.rulebook import name_span
from hots_rules.rules.wording import with_article
from hots_rules.syntax import tree

Owner = tree.Declaration | tree.Variable
N = TypeVar("N")
_WITH_STATEMENTS = ("phase", "stage", "action", "rule", "scenario")
_OWNERS = {
    "step": _WITH_STATEMENTS,
    "clause": ("rule", "action"),
    "cell": ("table",),
    "row": ("table",),
    "column": ("table",),
    "alternative": ("reading",),
}
_EMPTY = "-"


def part_of(item: tree.AmendPart) -> str:
    """What an amendment changes: `step`, `clause`, `cell`, `row`, `column` or `alternative`."""
    if isinstance(item, tree.RepealPart):
        return item.part.text
    return type(item).__name__.removeprefix("Amend").lower()


def owner_kinds(item: tree.AmendPart) -> tuple[str, ...]:
    """The kinds of declaration that have such a part."""
    return _OWNERS[part_of(item)]


def is_same_part(left: tree.AmendPart, right: tree.AmendPart) -> bool:
    """Whether two amendments of one declaration change the same part."""
    if isinstance(left, tree.AmendCell) and isinstance(right, tree.AmendCell):
        return (left.name, left.column) == (right.name, right.column)
    return (part_of(left), left.name) == (part_of(right), right.name)


@frozen
class PartEditor:
    """Makes the changes that editions write; a change of something that does not exist is a fault.

    If a name is misspelt, an amendment changes the part that was probably meant, so that its other faults are found
    too; a repeal does nothing.
    """

    faults: FaultCollector

    def changed(self, node: Owner, item: tree.AmendPart) -> Owner:
        """The declaration with the change."""
        match item, node:
            case tree.AmendCell(), tree.Table():
                return self._cell(node, item)
            case tree.AmendRow(), tree.Table():
                return self._row(node, item)
            case tree.AmendColumn(), tree.Table():
                return self._column(node, item)
            case tree.AmendAlternative(), tree.Reading():
                return self._alternative(node, item)
            case tree.AmendStep(), _:
                return self._step(node, item)
            case tree.AmendClause(), tree.Rule() | tree.Action():
                return self._clause(node, item)
            case tree.RepealPart(), _:
                return self._repeal(node, item)
        raise AssertionError(item)

    # -------------------------------------------------------------- names
    def _find(self, node: Owner, what: str, word: tree.Word, names: Iterable[str]) -> str | None:
        """The name of a part; where no part has it, a fault, and the closest name if one is close."""
        choices = list(names)
        if word.text in choices:
            return word.text
        near = self.faults.suggest(word.text, choices)
        owner = type(node).__name__.lower()
        remedy = f"name one of {', '.join(f'`{name}`' for name in choices[:10])}"
        if not choices:
            remedy = f"it has none; `amend {owner} {_name(node)} …` changes it as a whole"
        self._fault(
            "amends-nothing",
            f"the {owner} `{_name(node)}` has no {what} `{word}`",
            node,
            word,
            near.help(remedy),
            near.fixes(word.span),
        )
        return near.best

    def _is_free(
        self, node: Owner, what: str, word: tree.Word, names: Iterable[str], verb: tree.Word
    ) -> bool:
        """Whether no part has the name of a new one; a fault where one has."""
        if word.text not in names:
            return True
        owner = type(node).__name__.lower()
        self._fault(
            "duplicate-name",
            f"the {owner} `{_name(node)}` has {with_article(what)} `{word}` already",
            node,
            word,
            f"write `amend {what} …` to change it",
            [Fix.write(verb.span, "amend")],
        )
        return False

    def _fault(
        self,
        code: str,
        headline: str,
        node: Owner,
        word: tree.Word,
        remedy: str,
        fixes: Iterable[Fix] = (),
    ) -> None:
        declared = RelatedPlace(name_span(node), "declared here")
        self.faults.add(Fault(code, headline, word.span, (declared,), remedy, fixes))

    # -------------------------------------------------------------- tables
    def _cell(self, table: tree.Table, item: tree.AmendCell) -> tree.Table:
        rows, columns = _names(table.rows), _names(table.columns)
        row = self._find(table, "row", item.name, rows)
        column = self._find(table, "column", item.column, columns)
        if row is None or column is None:
            return table
        at_row, at_column = rows.index(row), columns.index(column)
        old = table.rows[at_row]
        if at_column >= len(old.cells):
            return table
        cells = (*old.cells[:at_column], item.cell, *old.cells[at_column + 1 :])
        changed = evolve(old, cells=cells)
        return evolve(table, rows=(*table.rows[:at_row], changed, *table.rows[at_row + 1 :]))

    def _row(self, table: tree.Table, item: tree.AmendRow) -> tree.Table:
        names = _names(table.rows)
        row = tree.Row(item.name, item.cells, span=item.span)
        if item.verb.text == "add":
            is_new = self._is_free(table, "row", item.name, names, item.verb)
            return evolve(table, rows=(*table.rows, row)) if is_new else table
        name = self._find(table, "row", item.name, names)
        rows = (renamed(row, old.name.text) if old.name.text == name else old for old in table.rows)
        return evolve(table, rows=tuple(rows))

    def _column(self, table: tree.Table, item: tree.AmendColumn) -> tree.Table:
        names = _names(table.columns)
        column = tree.Column(item.name, item.type, span=item.span)
        if item.verb.text == "add":
            if not self._is_free(table, "column", item.name, names, item.verb):
                return table
            empty = tree.Cell((tree.Word(_EMPTY, item.span),), span=item.span)
            cell = item.cell or empty
            rows = tuple(evolve(row, cells=(*row.cells, cell)) for row in table.rows)
            return evolve(table, columns=(*table.columns, column), head=None, rows=rows)
        if item.cell is not None:
            remedy = "leave it out, and amend the cells"
            self._fault(
                "not-allowed-here", "only a new column has a cell", table, item.name, remedy
            )
        name = self._find(table, "column", item.name, names)
        columns = (
            renamed(column, old.name.text) if old.name.text == name else old
            for old in table.columns
        )
        return evolve(table, columns=tuple(columns))

    # -------------------------------------------------------------- readings
    def _alternative(self, reading: tree.Reading, item: tree.AmendAlternative) -> tree.Reading:
        names = _names(reading.alternatives)
        alternative = tree.Alternative(
            item.name, item.summary, item.default, item.definitions, span=item.span
        )
        old = reading.alternatives
        if item.default is not None:
            old = tuple(evolve(declared, default=None) for declared in old)
        if item.verb.text == "add":
            is_new = self._is_free(reading, "alternative", item.name, names, item.verb)
            return evolve(reading, alternatives=(*old, alternative)) if is_new else reading
        name = self._find(reading, "alternative", item.name, names)
        if name != item.name.text:
            return reading
        changed = (alternative if declared.name.text == name else declared for declared in old)
        return evolve(reading, alternatives=tuple(changed))

    # -------------------------------------------------------------- steps and clauses
    def _step(self, node: Owner, item: tree.AmendStep) -> Owner:
        steps = {step.name.text: step for step in steps_in(node)}
        name = self._find(node, "step", item.name, steps)
        if name is None:
            return node
        item = self._with_known_steps(node, item, steps)
        step = with_old_steps(item, steps[name], steps.values())
        return with_sentence(replace_step(node, name, lambda _: (step,)), item.summary)

    def _with_known_steps(
        self, node: Owner, item: tree.AmendStep, names: Collection[str]
    ) -> tree.AmendStep:
        """The amendment, in which each empty step with an unknown name gets the closest one; each is a fault."""
        for step in empty_steps_in(item.block):
            if step.name.text in names:
                continue
            near = self.faults.suggest(step.name.text, names)
            listed = ", ".join(f"`{name}`" for name in list(names)[:10])
            self._fault(
                "not-allowed-here",
                f"the step `{step.name}` is empty",
                node,
                step.name,
                near.help(f"name one of {listed}, or write its statements under it"),
                near.fixes(step.name.span),
            )
            meant = (renamed(step, near.best),) if near.best is not None else ()
            item = evolve(item, block=replace_step(item.block, step.name.text, fill_with(meant)))
        return item

    def _clause(
        self, node: tree.Rule | tree.Action, item: tree.AmendClause
    ) -> tree.Rule | tree.Action:
        is_action = isinstance(node, tree.Action)
        for part in item.parts:
            if isinstance(part, tree.Permit) != is_action:
                remedy = "name the action" if isinstance(part, tree.Permit) else "write `permit …`"
                owner = "an action" if is_action else "a rule"
                headline = f"this is no clause of {owner}"
                self.faults.add(Fault("not-allowed-here", headline, part.span, help=remedy))
                return node
        name = self._find(node, "clause", item.name, _part_names(node, "clause"))
        return with_sentence(self._with_clauses(node, name, item.parts), item.summary)

    def _with_clauses(
        self,
        node: tree.Rule | tree.Action,
        name: str | None,
        new: tuple[tree.Permit | tree.Part, ...],
    ) -> tree.Rule | tree.Action:
        """The declaration with other clauses in the place of the first clause of a name, and without its other ones."""
        parts: list[object] = []
        is_placed = False
        for part in node.parts:
            if name not in clause_names(part):
                parts.append(part)
                continue
            parts += _other_targets(part, name)
            parts += () if is_placed else new
            is_placed = True
        return cast("tree.Rule | tree.Action", evolve(cast("Any", node), parts=tuple(parts)))

    # -------------------------------------------------------------- repeals
    def _repeal(self, node: Owner, item: tree.RepealPart) -> Owner:
        what = item.part.text
        name = self._find(node, what, item.name, _part_names(node, what))
        if name is None or name != item.name.text:
            return node
        match what, node:
            case "row", tree.Table():
                return evolve(node, rows=tuple(r for r in node.rows if r.name.text != name))
            case "column", tree.Table():
                return self._without_column(node, name)
            case "alternative", tree.Reading():
                kept = tuple(
                    alternative
                    for alternative in node.alternatives
                    if alternative.name.text != name
                )
                return evolve(node, alternatives=kept)
            case "clause", tree.Rule() | tree.Action():
                return self._with_clauses(node, name, ())
        return replace_step(node, name, lambda _: ())

    def _without_column(self, table: tree.Table, name: str) -> tree.Table:
        at = _names(table.columns).index(name)
        return evolve(
            table,
            columns=(*table.columns[:at], *table.columns[at + 1 :]),
            head=None,
            rows=tuple(
                evolve(row, cells=(*row.cells[:at], *row.cells[at + 1 :])) for row in table.rows
            ),
        )


def _name(node: Owner) -> str:
    """The name of a declaration, empty for one without."""
    return str(getattr(node, "name", ""))


def _names(parts: Iterable[tree.Row | tree.Column | tree.Alternative]) -> list[str]:
    return [part.name.text for part in parts]


def _part_names(node: Owner, what: str) -> list[str]:
    """The names of the parts of one kind, each once."""
    match what, node:
        case "row", tree.Table():
            return _names(node.rows)
        case "column", tree.Table():
            return _names(node.columns)
        case "alternative", tree.Reading():
            return _names(node.alternatives)
        case "clause", tree.Rule() | tree.Action():
            return list(dict.fromkeys(name for part in node.parts for name in clause_names(part)))
    return list(dict.fromkeys(step.name.text for step in steps_in(node)))


def with_sentence(node: N, sentence: tree.Word | None) -> N:
    """The declaration with another sentence; the same declaration without one."""
    if sentence is None or not hasattr(node, "summary"):
        return node
    return cast("N", evolve(cast("Any", node), summary=sentence))


def renamed(node: N, name: str) -> N:
    """The declaration under another name, at the place of its own."""
    word = tree.Word(name, cast("Any", node).name.span)
    return cast("N", evolve(cast("Any", node), name=word))


def clause_names(part: tree.Node) -> tuple[str, ...]:
    """The names of a clause: its first word, and the actions or events that it is about."""
    match part:
        case tree.Handler():
            word = type(part.timing).__name__.lower()
            return word, *(target.name.text for target in part.events)
        case tree.Forbid() | tree.Allow() | tree.Exempt():
            word = "permit" if isinstance(part, tree.Allow) else type(part).__name__.lower()
            return word, *(target.name.text for target in part.actions)
        case tree.Permit():
            return ("permit",)
        case tree.Guard():
            return ("only",)
        case tree.ExceptionTo():
            return ("exception",)
    return ()


def _other_targets(part: tree.Node, name: str | None) -> tuple[tree.Node, ...]:
    """The clause without the action or event of a name; nothing if it names no other, or not this one."""
    match part:
        case tree.Handler():
            rest = tuple(target for target in part.events if target.name.text != name)
            return (evolve(part, events=rest),) if 0 < len(rest) < len(part.events) else ()
        case tree.Forbid() | tree.Allow() | tree.Exempt():
            others = tuple(target for target in part.actions if target.name.text != name)
            return (evolve(part, actions=others),) if 0 < len(others) < len(part.actions) else ()
    return ()
