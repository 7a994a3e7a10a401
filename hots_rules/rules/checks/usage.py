"""Checks that every declaration has an effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hots_rules.diagnostics import Fix, RelatedPlace
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Entry, name_span, words_in
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import kind_noun, placeholders
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk, written_span

# The columns of a table may go unused: a table holds what the rulebook prints.
_MUST_BE_USED = frozenset(
    ["define", "event", "action", "variable", "type", "table", "option", "reading"]
)
_REMEDIES = {
    "event": "nothing causes it: write `{name}(…)` where it happens, or remove it",
    "action": "no player can choose it: name it after a `choose …:`, or remove it",
}


def every_definition_is_used(context: CheckContext) -> None:
    """A declaration that nothing uses is an error or a leftover; older layers are not checked."""
    for entry in context.symbols.entries.values():
        if entry.edition != context.edition or entry.kind not in _MUST_BE_USED:
            continue
        is_used = (entry.kind, entry.name) in context.symbols.used
        if not is_used and not context.may_be_used(entry.name):
            remedy = _REMEDIES.get(entry.kind, "use it, or remove it")
            context.symbols.fault(
                "unused-definition",
                f"the {kind_noun(entry.kind)} `{entry.name}` is never used",
                name_span(entry.node),
                help_=remedy.format(name=entry.name),
                fixes=_removals(context, entry),
            )


def _removals(context: CheckContext, entry: Entry) -> list[Fix]:
    """A declaration taken out of its file, if nothing else has to change for that."""
    span = written_span(entry.node)
    if entry.kind == "variable":
        # The block of the only variable would be empty.
        lines = {
            variable.node.span.line
            for variable in context.symbols.entries.values()
            if variable.kind == "variable" and variable.node.span.file == span.file
        }
        if lines.isdisjoint({span.line - 1, span.end_line + 1}):
            return []
    return [Fix.remove_lines(span)] if context.can_be_removed(entry) else []


def every_let_is_used(context: CheckContext) -> None:
    """A value that a `let` names and that nothing reads; older layers are not checked."""
    for entry in context.symbols.entries.values():
        if entry.edition != context.edition:
            continue
        lets = list(_lets(entry.lines or entry.node))
        if not lets:
            continue
        unread = Counter(words_in(entry.node))
        unread.subtract(let.name.text for let in lets)
        blocks = [part for part in walk(entry.lines or entry.node) if isinstance(part, tree.Block)]
        for let in lets:
            if unread[let.name.text] == 0:
                context.symbols.fault(
                    "unused-definition",
                    f"the value `{let.name}` is never used",
                    let.name.span,
                    help_="use it, or remove the `let`",
                    fixes=[
                        Fix.remove_lines(written_span(let))
                        for block in blocks
                        if len(block.statements) > 1
                        and any(statement is let for statement in block.statements)
                    ],
                )


def _lets(node: tree.Node | tuple[tree.Node, ...]) -> Iterator[tree.Let | tree.Binding]:
    """Each name that a `let` gives to a value, in a statement, a clause or an expression."""
    for part in walk(node):
        match part:
            case tree.Let():
                yield part
            case tree.LetIn() | tree.Permit() | tree.Forbid() | tree.Allow():
                yield from part.lets or ()


def every_stage_is_reached(context: CheckContext) -> None:
    """A phase that play never enters would silently drop a part of the rulebook."""
    starts = [f"scenario {name}" for name in context.typed.scenarios]
    if not starts:
        context.symbols.fault(
            "stage-never-reached",
            "no scenario: play has nowhere to begin",
            context.symbols.head,
            help_="declare a `scenario` that sets the game up and ends by calling its first phase",
        )
        return
    if context.typed.entry is not None:
        starts.append(f"phase {context.typed.entry}")
    reached = reachable(context.graph, starts)
    for entry in context.symbols.entries.values():
        if (
            entry.kind in {"phase", "stage"}
            and f"phase {entry.name}" not in reached
            and not context.may_be_used(entry.name)
        ):
            context.symbols.fault(
                "stage-never-reached",
                f"the {entry.kind} `{entry.name}` is unreachable: no scenario leads to it",
                name_span(entry.node),
                help_=f"write `{entry.name}()` where it is played",
            )


def every_action_is_permitted(context: CheckContext) -> None:
    """An action without a `permit` can never be chosen."""
    for name, action in context.typed.actions.items():
        if not any(clause.kind == "permit" for clause in action.clauses):
            context.symbols.fault(
                "not-an-action",
                f"the action `{name}` has no `permit`: it can never be chosen",
                name_span(context.symbols.entries["action", name].node),
                help_="write `permit`, or `permit when …`, under it",
            )


def every_rule_does_something(context: CheckContext) -> None:
    """A rule that has only conditions has no effect."""
    for entry in context.symbols.entries.values():
        if isinstance(entry.node, tree.Rule) and all(
            isinstance(part, tree.Guard | tree.ExceptionTo) for part in entry.node.parts
        ):
            context.symbols.fault(
                "not-allowed-here",
                f"the rule `{entry.name}` has conditions alone",
                name_span(entry.node),
                help_="add a `forbid`, `permit`, `exempt`, `on`, `before`, `instead of` or `after`",
            )


def every_question_can_be_asked(context: CheckContext) -> None:
    """The text of a question has each of its parameters once, and nothing else in braces."""
    for name, question in context.typed.questions.items():
        node = context.symbols.entries["question", name].node
        if not isinstance(node, tree.Question):
            continue
        if sorted(placeholders(node.summary.text)) != sorted(question.names):
            wanted = ", ".join(f"`{{{param}}}`" for param in question.names)
            context.symbols.fault(
                "wrong-arguments",
                f"expected each parameter once in the text of `{name}`, got `{node.summary}`",
                node.summary.span,
                [RelatedPlace(node.name.span, "its parameters are declared here")],
                f"write {wanted or 'no braces'} in it",
            )
        for param in question.params:
            if isinstance(param.type, types.SetType | types.PairType):
                context.symbols.fault(
                    "wrong-type",
                    f"expected words, numbers or `bool` to ask about, got {param.type}",
                    node.name.span,
                    help_="ask about the members one by one",
                )
