"""Options and readings: what can be chosen before a game, and what is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import field, frozen

from hots_rules.compile.codes import codes_of
from hots_rules.rules.typed import value_types as types

Chance = Literal["auto", "ask"]
SettingValue = str | int | bool | None
"""The value of an option or a reading: a name, a number, a bool, or None."""
Choices = Mapping[str, SettingValue]
"""Values of options or readings by name."""


@frozen
class Setting:
    """An option or a reading of a ruleset.

    >>> import hots_rules as hr
    >>> setting = hr.load("hots-4.0").settings["schiltroms"]
    >>> setting.kind, setting.values, setting.default
    ('option', (False, True), False)

    Attributes:
        name: its name in the ruleset.
        kind: "option" or "reading".
        values: what can be chosen: names, numbers or bools.
        default: the value that holds unless another one is chosen.
        summary: its sentence, in the language of the ruleset.
        summaries: a sentence for each value, where the rulebook has them.
        sections: the sections that it comes from.
        scenarios: the scenarios that an option is for; all if empty.
        type: the type of its values.
    """

    name: str
    kind: str
    values: tuple[SettingValue, ...]
    default: SettingValue
    summary: str
    summaries: tuple[str, ...]
    sections: tuple[str, ...]
    scenarios: tuple[str, ...]
    type: types.Type = field(repr=False)

    def value_of(self, code: int) -> SettingValue:
        """The value with a code."""
        return self.values[codes_of(self.type).index(code)]
