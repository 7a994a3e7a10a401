"""Values of options and readings in a record, formatted and parsed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import Setting, SettingValue

T = TypeVar("T")


def format_choice(value: object) -> str:
    """The value of an option or a reading as text.

    >>> format_choice(True), format_choice(None), format_choice(3)
    ('yes', 'none', '3')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def kept_choices(
    choices: Mapping[str, T], settings: Mapping[str, Setting]
) -> tuple[dict[str, T], dict[str, T]]:
    """The choices, as values or as their texts, that some settings have; then the others."""
    kept: dict[str, T] = {}
    lost: dict[str, T] = {}
    for name, value in choices.items():
        allowed = map(format_choice, settings[name].values) if name in settings else ()
        (kept if format_choice(value) in allowed else lost)[name] = value
    return kept, lost


def parse_choices(choices: Mapping[str, str], ruleset: AnyRuleset) -> dict[str, SettingValue]:
    """The values of some options or readings; an unknown text is left as it is, for the ruleset to refuse."""
    values: dict[str, SettingValue] = {}
    for name, text in choices.items():
        setting = ruleset.settings.get(name)
        candidates = setting.values if setting is not None else ()
        values[name] = next((value for value in candidates if format_choice(value) == text), text)
    return values
