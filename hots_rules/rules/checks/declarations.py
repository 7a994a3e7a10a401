"""What must be true of a whole ruleset, check by check."""

from __future__ import annotations

import re
from collections.abc import Callable

from hots_rules.diagnostics import Place
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.labels import every_label_names_something, no_choice_tells_a_secret
from hots_rules.rules.checks.termination import nothing_calls_itself, nothing_takes_too_long
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree

_MUST_CITE = frozenset(
    {
        "rule",
        "action",
        "phase",
        "stage",
        "scenario",
        "option",
        "reading",
        "table",
        "invariant",
        "question",
    }
)
_MUST_BE_USED = frozenset(
    {"define", "event", "action", "variable", "type", "table", "option", "reading"}
)


# ---------------------------------------------------------------- citations
def every_rule_cites(book: CheckContext) -> None:
    """There is no rule without a section."""
    for entry in book.names.entries.values():
        if entry.kind in _MUST_CITE and not entry.lines and not entry.cites:
            book.names.fault(
                "uncited-rule",
                f"expected a citation in the {entry.kind} `{entry.name}`, got none",
                name_span(entry.node),
                help_="name the section that says so, e.g. `§5.7`",
            )


def every_section_exists(book: CheckContext) -> None:
    """A citation points at a heading of the edition it names."""
    for entry in (*book.names.entries.values(), *book.repealed):
        for cite in entry.cites:
            edition, _, number = cite.text.rpartition("§")
            known = book.sections.get(edition or entry.edition)
            if known is None:
                close = book.names.faults.closest_match(edition, book.sections)
                book.names.fault(
                    "unknown-section",
                    f"expected an edition of this ruleset, got `{edition}`",
                    cite.span,
                    help_=f"did you mean `{close}§{number}`?"
                    if close
                    else f"name one of {', '.join(book.sections)}",
                )
            elif known and number not in known:
                close = book.names.faults.closest_match(number, known)
                book.names.fault(
                    "unknown-section",
                    f"expected a section of {edition or entry.edition}, got `{cite}`",
                    cite.span,
                    help_=f"did you mean `§{close}`?"
                    if close
                    else "the sections are listed in sections.csv",
                )


# ---------------------------------------------------------------- what is needed
def every_definition_is_used(book: CheckContext) -> None:
    """What nothing uses is a slip or a leftover. What lies below an edition is not its affair.

    The columns of a table may go unused: they say what the book says.
    """
    for entry in book.names.entries.values():
        if entry.edition != book.edition:
            continue
        if entry.kind in _MUST_BE_USED and not _is_used(book, entry.kind, entry.name):
            said = "definition" if entry.kind == "define" else entry.kind
            book.names.fault(
                "unused-definition",
                f"expected a use of the {said} `{entry.name}`, got none",
                name_span(entry.node),
                help_=_USE.get(entry.kind, "use it, or take it away").format(name=entry.name),
            )


_USE = {
    "event": "nothing raises it: write `{name}(…)` where it happens, or take it away",
    "action": "no player may choose it: name it after a `choose …:`, or take it away",
}


def _is_used(book: CheckContext, kind: str, name: str) -> bool:
    return (kind, name) in book.names.used or book.is_told(name)


def every_stage_is_reached(book: CheckContext) -> None:
    """A phase that play never enters would silently drop a part of the rulebook."""
    starts = [f"scenario {name}" for name in book.typed.scenarios]
    if not starts:
        book.names.fault(
            "stage-never-reached",
            "expected a scenario in which play begins, got none",
            book.names.head,
            help_="declare a `scenario` that sets the game up and ends by calling its first phase",
        )
        return
    if book.typed.entry is not None:
        starts.append(f"phase {book.typed.entry}")
    found = reachable(book.graph, starts)
    for entry in book.names.entries.values():
        if (
            entry.kind in {"phase", "stage"}
            and f"phase {entry.name}" not in found
            and not book.is_told(entry.name)
        ):
            book.names.fault(
                "stage-never-reached",
                f"expected play to reach the {entry.kind} `{entry.name}`, got no way there from a scenario",
                name_span(entry.node),
                help_=f"write `{entry.name}()` where its turn comes",
            )


def every_action_is_permitted(book: CheckContext) -> None:
    """An action without a `permit` can never be chosen."""
    for name, action in book.typed.actions.items():
        if not any(clause.kind == "permit" for clause in action.clauses):
            book.names.fault(
                "not-an-action",
                f"expected a `permit` for the action `{name}`, got none",
                name_span(book.names.entries["action", name].node),
                help_="write `permit`, or `permit when …`, under it",
            )


def every_rule_says_something(book: CheckContext) -> None:
    """A rule that only says when it holds has nothing to say then."""
    for entry in book.names.entries.values():
        if isinstance(entry.node, tree.Rule) and all(
            isinstance(part, tree.Guard | tree.ExceptionTo) for part in entry.node.parts
        ):
            book.names.fault(
                "not-allowed-here",
                "expected a rule that forbids, permits or does something, got only conditions",
                name_span(entry.node),
                help_="add a `forbid`, `permit`, `exempt`, `on`, `before`, `instead of` or `after`",
            )


def every_question_can_be_asked(book: CheckContext) -> None:
    """The words of a question have a place for each of its parameters, and for nothing else."""
    for name, question in book.typed.questions.items():
        node = book.names.entries["question", name].node
        if not isinstance(node, tree.Question):
            continue
        params = question.names
        used = re.findall(r"\{(\w*)\}", node.summary.text)
        if sorted(used) != sorted(params):
            book.names.fault(
                "wrong-arguments",
                f"expected each parameter once in the words of `{name}`, got `{node.summary}`",
                node.summary.span,
                [Place(node.name.span, "its parameters are declared here")],
                f"write {', '.join(f'`{{{param}}}`' for param in params) or 'no braces'} in it",
            )
        for param in question.params:
            if isinstance(param.type, types.SetType | types.PairType):
                book.names.fault(
                    "wrong-type",
                    f"expected words, numbers or `bool` to ask about, got {param.type}",
                    node.name.span,
                    help_="ask about the members one by one",
                )


CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    every_rule_cites,
    every_section_exists,
    every_definition_is_used,
    every_stage_is_reached,
    every_action_is_permitted,
    every_rule_says_something,
    every_question_can_be_asked,
    every_label_names_something,
    nothing_calls_itself,
    nothing_takes_too_long,
    no_choice_tells_a_secret,
)
