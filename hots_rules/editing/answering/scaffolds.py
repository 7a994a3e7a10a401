"""What an author begins with: a small game that plays at once, or a house rule for a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hots_rules._home import template_texts
from hots_rules.explain.declared.declarations import find_declarations
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.cards import section_rules

TEMPLATES = ("board", "cards", "dice")
GAME_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What the templates say for the name, the title and the rules of the game.
TEMPLATE_NAME, TEMPLATE_TITLE, TEMPLATE_FILE = "my-game", "My game", "game"
_NUMBER = re.compile(r"^define \w+ = \d+", re.MULTILINE)


def new_game(name: str, template: str) -> dict[str, str]:
    """The files of a small game by their paths in its folder: rules, cases and a README.

    Args:
        name: the name of the game: small letters, digits and hyphens.
        template: one of `TEMPLATES`.

    >>> sorted(new_game("long-way", "dice"))
    ['README.md', 'cases/long-way.md', 'long-way.rules', 'pytest.ini', 'sections.csv']
    """
    return _texts(template, name, _words(name))


def house_rule(name: str, base: AnyRuleset) -> dict[str, str]:
    """The files of a house rule for a ruleset by their paths in its folder: nothing is changed yet.

    >>> import hots_rules as hr
    >>> print(house_rule("our-table", hr.load("connect-four-1.0"))["our-table.rules"].splitlines()[1])
    ruleset our-table-1.0 "Our table"
    """
    return _texts("house", name, _words(name) | _house_words(base))


def _texts(template: str, name: str, words: dict[str, str]) -> dict[str, str]:
    return {
        _renamed(path, name): _replaced(text, words)
        for path, text in template_texts(template).items()
    }


def _words(name: str) -> dict[str, str]:
    title = name.replace("-", " ").capitalize()
    return {
        f"{TEMPLATE_NAME}-1.0": f"{name}-1.0",
        TEMPLATE_TITLE: title,
        f"`{TEMPLATE_FILE}.rules`": f"`{name}.rules`",
    }


def _house_words(base: AnyRuleset) -> dict[str, str]:
    """What the template of a house rule says for the ruleset below it."""
    lines = [f"# {line}\n" for line in _number_lines(base)]
    head = "# The numbers that BASE names. Take a `#` away and change the number:\n"
    return {
        "NUMBERS": "".join([head, *lines, "\n"]) if lines else "",
        "BASE": base.name,
        "SCENARIO": base.scenarios[0],
    }


def _number_lines(rules: AnyRuleset) -> Iterator[str]:
    """A line for each named number of a ruleset that amends it without changing it."""
    definitions = {
        declaration.name: declaration
        for section in section_rules(rules)
        for declaration in find_declarations(rules, section)
        if declaration.kind == "define"
    }
    for definition in definitions.values():
        if line := _NUMBER.search(definition.source):
            yield f"amend {line[0]}  {rules.name}§{definition.sections[0]}"


def _replaced(text: str, words: dict[str, str]) -> str:
    for word, by in words.items():
        text = text.replace(word, by)
    return text


def _renamed(path: str, name: str) -> str:
    """The path of a file in the new folder: its rules and cases have the name of the game."""
    return re.sub(rf"\b{TEMPLATE_FILE}\.(rules|md)$", rf"{name}.\1", path)
