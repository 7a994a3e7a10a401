"""A declaration of a ruleset as the amendment with which an author begins to change it."""

from __future__ import annotations

import re

from hots_rules.explain.declared.declaration import Declaration

AMENDED = frozenset(
    {
        *("action", "define", "event", "invariant", "option", "phase", "promise"),
        *("reading", "rule", "scenario", "stage", "table", "type"),
    }
)
"""The kinds of declarations that a ruleset may amend as a whole."""
_CITED = re.compile(r"(?:\n[ \t]+)?[\w.-]*§[0-9.]*[0-9](?:\s+[\w.-]*§[0-9.]*[0-9])*")
_HEAD = re.compile(r"(?:amend\s+)?(?=[a-z])")


def amendment(declaration: Declaration) -> str:
    """The text that amends a declaration without a change; empty if it cannot be amended as a whole.

    >>> import hots_rules as hr
    >>> rules = hr.load("connect-four-1.0")
    >>> print(amendment(hr.explain.find_declarations(rules, "discs-fall")[0]).splitlines()[0])
    amend rule discs-fall connect-four-1.0§2 "A disc falls until it rests on the floor or on another disc."
    """
    if declaration.kind not in AMENDED:
        return ""
    lines = declaration.source.splitlines()
    first = next((n for n, line in enumerate(lines) if not line.startswith("#")), len(lines))
    text = "\n".join(lines[first:]).strip()
    if not re.match(rf"(?:amend\s+)?{declaration.kind}\b", text) or re.search(r"\n\S", text):
        return ""  # an edition amended a part of it
    cited = " ".join(f"{citation.edition}§{citation.section}" for citation in declaration.cited)
    return _HEAD.sub("amend ", _CITED.sub(lambda match: _instead(match, cited), text, count=1), 1)


def _instead(match: re.Match[str], cited: str) -> str:
    """The sections with their editions; those that stood in a line of their own go to the line above."""
    return f" {cited}" if match[0].startswith("\n") else cited
