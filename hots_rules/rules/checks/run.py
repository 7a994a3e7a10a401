"""All checks of a whole ruleset, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from hots_rules.rules.checks.citations import every_rule_cites, every_section_exists
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.labels import every_label_names_something
from hots_rules.rules.checks.secrecy import no_condition_reveals_a_secret
from hots_rules.rules.checks.termination import nothing_calls_itself, nothing_takes_too_long
from hots_rules.rules.checks.usage import (
    every_action_is_permitted,
    every_definition_is_used,
    every_question_can_be_asked,
    every_rule_does_something,
    every_stage_is_reached,
)

CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    every_rule_cites,
    every_section_exists,
    every_definition_is_used,
    every_stage_is_reached,
    every_action_is_permitted,
    every_rule_does_something,
    every_question_can_be_asked,
    every_label_names_something,
    nothing_calls_itself,
    nothing_takes_too_long,
    no_condition_reveals_a_secret,
)


def run_checks(context: CheckContext) -> None:
    """Runs every check; faults are recorded in the symbol table."""
    for check in CHECKS:
        check(context)
