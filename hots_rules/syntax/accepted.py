"""Which terminals can follow where a parse stopped."""

from __future__ import annotations

from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParserState


def accepted_terminals(state: ParserState[int]) -> set[str]:
    """The terminals that can come next; the table alone also lists some that fail after a reduction."""
    choices = state.parse_conf.states[state.position]
    return {name for name in choices if name.isupper() and _is_accepted(name, state)}


def _is_accepted(terminal: str, state: ParserState[int]) -> bool:
    """Whether the parser accepts a terminal next; lark's `accepts` would copy the whole stack to find out."""
    states, kept, pushed = state.parse_conf.states, len(state.state_stack), list[int]()
    while True:
        top = pushed[-1] if pushed else state.state_stack[kept - 1]
        if terminal not in states[top]:
            return False
        action, rule = states[top][terminal]
        if action is Shift:
            return True
        size = len(rule.expansion)
        kept -= max(size - len(pushed), 0)
        del pushed[max(len(pushed) - size, 0) :]
        top = pushed[-1] if pushed else state.state_stack[kept - 1]
        pushed.append(states[top][rule.origin.name][1])
