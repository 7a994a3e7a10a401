"""What a player may read of a ruleset and what has no label in a language."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.editions.label_kinds import SENTENCES, TEMPLATES
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree

_NAMED = SENTENCES | TEMPLATES | {"question", "table", "variable"}
_SUMMARIZED = frozenset({"action", "phase", "stage"})
_AS_WRITTEN = {"stage": "phase", "table": "type"}


@frozen
class LabelCoverage:
    """The labels that a language needs for all that a player may read.

    >>> import hots_rules as hr
    >>> coverage = hr.explain.label_coverage(hr.load("connect-four-1.0"), "de")
    >>> coverage.language, len(coverage.missing) == coverage.needed
    ('de', True)

    Attributes:
        language: the code of the language.
        needed: how many there are.
        missing: those that the ruleset does not have, each as a label begins, such as `rule no-peeking`, with the
            English text to translate, in the order of the ruleset.
    """

    language: str
    needed: int
    missing: tuple[tuple[str, str], ...]


def label_coverage(ruleset: AnyRuleset, language: str) -> LabelCoverage:
    """Which labels of a language a ruleset has, and which are missing.

    Names of variables that are never shown, and words of one letter, need none.

    >>> import hots_rules as hr
    >>> hr.explain.label_coverage(hr.load("hots-4.0"), "fr").missing
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("language", language, str, "a language")
    declared = ruleset.schema.facts.labels.get(language, {})
    english = ruleset.in_language("en").labels
    needed = dict(_needed(ruleset))
    missing = []
    for key, text in needed.items():
        word = key.partition(".")[2]
        if key not in declared and word not in declared:
            written = f'text "{text}"' if key.startswith("text ") else key
            missing.append((written, english.declared.get(key, text)))
    return LabelCoverage(language, len(needed), tuple(missing))


def _needed(ruleset: AnyRuleset) -> Iterator[tuple[str, str]]:
    """Each key of a label with its English text."""
    typed = ruleset.compiled.typed
    internal = {name for name, variable in typed.variables.items() if variable.is_internal}
    for (kind, name), declared in ruleset.rulebook.entries.items():
        key = f"{_AS_WRITTEN.get(kind, kind)} {name}"
        is_told = kind in _NAMED and not (kind == "variable" and name in internal)
        if is_told:
            has_summary = kind in SENTENCES or kind == "question"
            yield key, declared.summary if has_summary else name.replace("_", " ")
        if kind in _SUMMARIZED:
            yield f"{key} summary", declared.summary
        if isinstance(declared.node, tree.Reading):
            for alternative in declared.node.alternatives:
                yield f"{name}.{alternative.name}", alternative.summary.text
    for action in typed.actions.values():
        for clause in action.clauses:
            if clause.because:
                yield f"text {clause.because.text}", clause.because.text
    for type_ in typed.types.values():
        for owner, word in type_.values if isinstance(type_, types.WordType) else ():
            if owner and len(word) > 1:
                yield f"{owner}.{word}", word.replace("_", " ")
