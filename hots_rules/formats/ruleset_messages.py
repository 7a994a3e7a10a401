"""A ruleset as a message: its words, actions, tables, map and sections, for a front end; and its actions as types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from attrs import frozen

from hots_rules.diagnostics import check_kind
from hots_rules.explain.declared.declarations import section_headings
from hots_rules.play.declared import ActionType, MapLine, Table
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset


@frozen
class RulesetMessage:
    """What a ruleset declares that a front end shows: words, actions, tables, the map, sections.

    >>> import hots_rules as hr
    >>> message = hr.formats.ruleset_message(hr.load("hots-4.0"))
    >>> message.ruleset, len(message.places), message.headings["4.2"]
    ('hots-4.0', 23, 'Group Moves')
    """

    ruleset: str
    """Its name."""
    content: str
    """The digest of what decides play: its words may change without it."""
    title: str
    """Its title."""
    language: str
    """The language of all texts."""
    players: tuple[str, ...]
    """The names of the players."""
    scenarios: Mapping[str, str]
    """The titles of the scenarios, by name."""
    words: Mapping[str, Mapping[str, str]]
    """By type, the word of each of its values."""
    actions: tuple[ActionType, ...]
    """The actions, with the types of their arguments."""
    tables: tuple[Table, ...]
    """The tables, row by row."""
    places: Mapping[str, tuple[int, ...]]
    """Where each place of the map is: across and down; empty without a map."""
    lines: tuple[MapLine, ...]
    """The lines between places."""
    headings: Mapping[str, str]
    """The headings of the rulebook by the number of the section, in its order."""


def ruleset_message(ruleset: AnyRuleset) -> RulesetMessage:
    """What a ruleset declares, with its texts in the language of the ruleset.

    >>> import hots_rules as hr
    >>> import json
    >>> text = hr.to_json(hr.load("hots-4.0").in_language("fr"))
    >>> json.loads(text)["schema"], json.loads(text)["language"]
    ('hots_rules/ruleset.v1', 'fr')
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return RulesetMessage(
        ruleset.name,
        ruleset.content_hash,
        ruleset.title,
        ruleset.language,
        ruleset.players,
        {name: ruleset.scenario_title(name) for name in ruleset.scenarios},
        ruleset.words,
        tuple(ruleset.actions.values()),
        tuple(ruleset.tables.values()),
        ruleset.map.places,
        ruleset.map.lines,
        section_headings(ruleset),
    )


def action_types(ruleset: AnyRuleset) -> str:
    """The actions of a ruleset as TypeScript: a union of its actions, with the values that each argument can have.

    >>> import hots_rules as hr
    >>> print(hr.formats.action_types(hr.load("goofspiel-1.0")))
    // The actions of goofspiel-1.0, made from its declarations.
    <BLANKLINE>
    export type RulesetAction =
      | { name: "bid"; args: { card: string } };
    <BLANKLINE>
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return "\n".join(_action_type_lines(ruleset)) + "\n"


def _action_type_lines(ruleset: AnyRuleset) -> Iterator[str]:
    yield f"// The actions of {ruleset.name}, made from its declarations.\n"
    used = {type_ for action in ruleset.actions.values() for type_ in action.params.values()}
    for name in sorted(used & ruleset.words.keys()):
        yield f"export type {_identifier(name)} = {' | '.join(map(json.dumps, ruleset.words[name]))};"
    yield "export type RulesetAction ="
    actions = []
    for action in ruleset.actions.values():
        args = "; ".join(
            f"{name}: {_identifier(type_) if type_ in ruleset.words else 'string'}"
            for name, type_ in action.params.items()
        )
        actions.append(f"  | {{ name: {json.dumps(action.name)}; args: {{ {args} }} }}")
    yield "\n".join(actions).replace("{  }", "{}") + ";"


def _identifier(type_: str) -> str:
    return type_.replace("?", "OrNone")
