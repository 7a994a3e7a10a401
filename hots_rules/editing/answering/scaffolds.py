"""What an author begins with: a small game that plays at once, or a house rule for a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from hots_rules._home import template_texts
from hots_rules.explain.declared.declarations import find_declarations
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.lookup.cards import section_rules

TEMPLATES = ("board", "cards", "dice", "hexes", "squares", "tricks")
GAME_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# What the templates say for the name, the title and the rules of the game.
TEMPLATE_NAME, TEMPLATE_TITLE, TEMPLATE_FILE = "my-game", "My game", "game"
_OF_RULES = (".rules", ".csv")
_TEST, _HERE = re.compile(r"\bhots test\b"), re.compile(r"\b(hots [a-z]+(?: [\w.-]+)?) \.(?=[\s`])")
"""The lines of a README that name the folder of the rules."""
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


def as_package(name: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a game as those of a package that can be installed: the rules stand in a folder of their own.

    >>> sorted(as_package("long-way", new_game("long-way", "dice")))  # doctest: +NORMALIZE_WHITESPACE
    ['README.md', 'cases/long-way.md', 'long_way/__init__.py', 'long_way/long-way.rules', 'long_way/sections.csv',
     'pyproject.toml']
    """
    module = name.replace("-", "_")
    words = _words(name) | {"my_game": module, TEMPLATE_NAME: name}
    more = {path: _replaced(text, words) for path, text in template_texts("package").items()}
    readme = _TEST.sub(rf"hots test cases --ruleset {module}", texts["README.md"])
    readme = _HERE.sub(rf"\1 {module}", readme)
    rules = {f"{module}/{path}": text for path, text in texts.items() if path.endswith(_OF_RULES)}
    return {
        **{path: text for path, text in texts.items() if path.startswith("cases/")},
        **rules,
        f"{module}/__init__.py": f'"""The rules of {words[TEMPLATE_TITLE]}."""\n',
        **more,
        "README.md": readme + more["README.md"],
    }


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
