"""The sides of a study: rulesets under options and readings."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from hots_rules.analysis.policies.policy import StateExpression, parse_state_expression
from hots_rules.diagnostics import BadArgument, check_kind
from hots_rules.play.compiled_ruleset import SettingCodes
from hots_rules.play.game import AnyRuleset
from hots_rules.play.settings import Choices
from hots_rules.study.estimates import SideFacts
from hots_rules.witness.witnesses import choices_of, non_default_settings


@frozen
class StudySide:
    """One side of a study: a ruleset under options and readings.

    >>> import hots_rules as hr
    >>> hr.study.StudySide.parse("hots-4.0,schiltroms=yes", hr.load).options
    {'schiltroms': True}

    Attributes:
        name: how the study calls it.
        ruleset: the ruleset.
        options: options by name; the others have their defaults.
        readings: readings by name; the others have their defaults.
    """

    name: str
    ruleset: AnyRuleset = field(repr=False)
    options: Choices = field(factory=dict)
    readings: Choices = field(factory=dict)

    @classmethod
    def parse(cls, text: str, load: Callable[[str], AnyRuleset]) -> StudySide:
        """The side of a text: the name or path of a ruleset, and `NAME=VALUE` for options and readings, after commas.

        Raises:
            ArgumentError: the ruleset lacks an option, a reading or a value.
            RulesetError: there is no such ruleset, or it has faults.
        """
        check_kind("text", text, str, "a text")
        name, *pairs = text.split(",")
        settings = {}
        for pair in pairs:
            setting, equals, value = pair.partition("=")
            if not equals:
                raise BadArgument("setting", pair, "NAME=VALUE")
            settings[setting.strip()] = value.strip()
        ruleset = load(name.strip())
        options, readings = choices_of(ruleset, settings)
        ruleset.chosen(options, readings)  # the error of a value that it lacks
        return cls(text, ruleset, options, readings)

    @property
    def settings(self) -> SettingCodes:
        """The codes of all its options and readings."""
        return self.ruleset.chosen(self.options, self.readings)

    def facts(self) -> SideFacts:
        """What the report tells of it."""
        chosen = non_default_settings(self.ruleset, self.settings)
        content = self.ruleset.compiled.content_hash
        return SideFacts(self.name, self.ruleset.name, content, chosen)

    def places(self) -> list[str]:
        """The name of each suspension point: its phase, with the sections of the rule that stops there."""
        machine = self.ruleset.machine(self.settings)
        return [
            " ".join([point.phase, *(f"§{section}" for section in point.origin.sections)])
            for point in machine.facts.points
        ]

    def measure(self, text: str) -> StateExpression:
        """An expression over states of this side.

        Raises:
            RulesetError: the text is no expression of its ruleset.
            BadArgument: its values are no numbers.
        """
        measure = parse_state_expression(self.ruleset, dict(self.settings), text)
        if not measure.is_number:
            raise BadArgument("measure", text[:80], "a number or a condition")
        return measure
