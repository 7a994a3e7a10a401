"""What must be true of a whole ruleset, check by check."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen

from hots_rules.diagnostics import Place, near
from hots_rules.rules import typed as ty
from hots_rules.rules.book import Entry, name_span
from hots_rules.rules.names import Names

_MUST_CITE = frozenset(
    {"rule", "action", "phase", "stage", "scenario", "option", "reading", "table", "invariant"}
)


@frozen
class Checked:
    """What a check looks at."""

    names: Names
    typed: ty.Typed
    sections: dict[str, dict[str, str]]


def every_rule_cites(book: Checked) -> None:
    """There is no rule without a section."""
    for entry in book.names.entries.values():
        if entry.kind in _MUST_CITE and not entry.cites:
            book.names.fault("uncited-rule", f"expected a citation in the {entry.kind} `{entry.name}`, got none", name_span(entry.node),
                             help_="name the section that says so, e.g. `§5.7`")  # fmt: skip


def every_section_exists(book: Checked) -> None:
    """A citation points at a heading of the edition it names."""
    for entry in book.names.entries.values():
        for cite in entry.cites:
            edition, _, number = cite.text.rpartition("§")
            known = book.sections.get(edition or entry.edition)
            if known and number not in known:
                close = near(number, list(known))
                book.names.fault("unknown-section", f"expected a section of {edition or entry.edition}, got `{cite}`", cite.span,
                                 help_=f"did you mean `§{close}`?" if close else "")  # fmt: skip
            elif known is None:
                book.names.fault(
                    "unknown-section",
                    f"expected an edition of this ruleset, got `{edition}`",
                    cite.span,
                )


def every_definition_is_used(book: Checked) -> None:
    """A definition, an event, an action or a variable that nothing uses is a slip or a leftover."""
    needed = {"define", "event", "action", "variable", "phase", "type", "option", "reading"}
    used = set(book.names.used)
    if book.typed.entry is not None:
        used.add(("phase", book.typed.entry))
    for entry in book.names.entries.values():
        if entry.kind in needed and (entry.kind, entry.name) not in used:
            book.names.fault("unused-definition", f"expected a use of the {entry.kind} `{entry.name}`, got none", name_span(entry.node),
                             help_="use it, or take it away")  # fmt: skip


def every_stage_is_reached(book: Checked) -> None:
    """A stage that no phase plays would silently drop a part of the rulebook."""
    for entry in book.names.entries.values():
        if entry.kind == "stage" and ("stage", entry.name) not in book.names.used:
            book.names.fault("stage-never-reached", f"expected a phase that plays the stage `{entry.name}`, got none", name_span(entry.node),
                             help_=f"write `{entry.name}()` where its turn comes")  # fmt: skip


def nothing_calls_itself(book: Checked) -> None:
    """Phases and events may not come back to themselves: every play ends."""
    graph = {f"phase {n}": set(_calls(p.body)) for n, p in book.typed.phases.items()}
    for name, event in book.typed.events.items():
        graph[f"event {name}"] = {
            call for handler in event.handlers for call in _calls(handler.body)
        }
    for name, action in book.typed.actions.items():
        graph[f"action {name}"] = set(_calls(action.body))
    done: set[str] = set()
    for node in graph:
        if cycle := _cycle(node, graph, done):
            kind, _, name = cycle[0].partition(" ")
            entry = _entry(book, kind, name)
            book.names.fault("recursive-definition", f"expected a chain that ends, got {' → '.join(cycle)}", name_span(entry.node),
                             help_="a phase or an event may not lead back to itself")  # fmt: skip


def _entry(book: Checked, kind: str, name: str) -> Entry:
    entries = book.names.entries
    return entries.get((kind, name)) or entries["stage", name]


def _calls(body: ty.Body) -> Iterable[str]:
    for statement in body:
        match statement:
            case ty.Raise():
                yield f"event {statement.event}"
            case ty.Run():
                yield f"phase {statement.phase}"
            case ty.Decide():
                yield from (f"action {action}" for action in statement.actions)
            case ty.Branch():
                for _, block in statement.cases:
                    yield from _calls(block)
                yield from _calls(statement.otherwise)
            case ty.Each() | ty.Loop():
                yield from _calls(statement.body)


def _cycle(start: str, graph: dict[str, set[str]], done: set[str]) -> list[str] | None:
    path: list[str] = []
    stack: list[tuple[str, bool]] = [(start, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            path.pop()
            done.add(node)
        elif node in path:
            return [*path[path.index(node) :], node]
        elif node not in done:
            path.append(node)
            stack.append((node, True))
            stack += [(other, False) for other in sorted(graph.get(node, ()), reverse=True)]
    return None


def every_action_is_permitted(book: Checked) -> None:
    """An action without a `permit` can never be chosen."""
    for name, action in book.typed.actions.items():
        if not any(clause.kind == "permit" for clause in action.clauses):
            book.names.fault("not-an-action", f"expected a `permit` for the action `{name}`, got none", action.origin.span,
                             help_="write `permit`, or `permit when …`")  # fmt: skip


def there_is_a_scenario(book: Checked) -> None:
    """Without a scenario nothing can be played."""
    if not book.typed.scenarios and any(
        entry.kind == "phase" for entry in book.names.entries.values()
    ):
        phase = next(entry for entry in book.names.entries.values() if entry.kind == "phase")
        book.names.fault("unused-definition", "expected a scenario, got none", name_span(phase.node), [Place(name_span(phase.node), "a phase")],
                         "declare a `scenario` that ends by calling the first phase")  # fmt: skip


CHECKS: tuple[Callable[[Checked], None], ...] = (
    every_rule_cites,
    every_section_exists,
    every_definition_is_used,
    every_stage_is_reached,
    nothing_calls_itself,
    every_action_is_permitted,
    there_is_a_scenario,
)
