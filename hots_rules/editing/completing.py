"""What may stand at a place of a ruleset, by what is written before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from hots_rules.editing.occurrences import LOCAL, occurrences
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.typed.operators import FUNCTIONS
from hots_rules.syntax.expected import declaration_words

MOST = 400


@frozen
class Completion:
    """A word that may stand at a place.

    Attributes:
        text: the word.
        kind: what it is: "keyword", "rule", "variable", "value", "local" and so on.
        detail: more about it: its type, its heading or its sentence.
    """

    text: str
    kind: str
    detail: str = ""


_WORD = r"[\w.§-]*$"
_STATEMENTS = (
    "if elif else while for let choose roll draw shuffle add remove clear win leave return step"
)
_PARTS = "on before after instead forbid permit exempt only exception"
_OPERATORS = "and or not in is as div mod some no all sum max min if then else when true false"
_CHANGED = (
    "rule define action phase stage event table type option reading scenario invariant step "
    "clause row"
)
_BASIC_TYPES = ("bool", "set of")


def completions(space: Workspace, path: str, line: int, column: int) -> list[Completion]:
    """The words that may stand at a place, those that continue what is written before it.

    >>> text = 'ruleset fox-1.0 "Fox"\\ntype Fur = Red | Grey\\nplayers Fur\\n'
    >>> space = Workspace()
    >>> space.open("/fox.rules", text)
    >>> _ = space.check("/fox.rules")
    >>> space.open("/fox.rules", text.replace("players Fur", "players F"))
    >>> [one.text for one in completions(space, "/fox.rules", 3, 10)]
    ['Fur']
    """
    rows = space.text(path).split("\n")
    before = rows[line - 1][: column - 1] if line <= len(rows) else ""
    if _is_in_text(before):
        return []
    prefix = re.search(_WORD, before)
    word = prefix[0] if prefix else ""
    head = before[: len(before) - len(word)]
    found = _chosen(space, path, line, head, word)
    fitting = (one for one in found if one.text.casefold().startswith(word.casefold()))
    return list(dict.fromkeys(fitting))[:MOST]


def _is_in_text(before: str) -> bool:
    code = re.sub(r'"[^"]*"', '""', before)
    return "#" in code or code.count('"') % 2 == 1


def _chosen(space: Workspace, path: str, line: int, head: str, word: str) -> Iterable[Completion]:
    chain = space.chain_for(path)
    if "§" in word:
        return _sections(chain, path, word)
    for pattern, give in _AFTER:
        if found := re.search(pattern, head):
            return give(chain, found)
    if not head.strip():
        return _at_line_start(space, path, line, head, chain)
    return [*_locals(space, path, line), *_values(chain), *_words(_OPERATORS.split())]


def _at_line_start(
    space: Workspace, path: str, line: int, head: str, chain: Chain | None
) -> Iterator[Completion]:
    if not head:
        yield from _words(sorted(declaration_words()))
        return
    piece = space.piece_at(path, line)
    first = piece.text.split(maxsplit=1)[0] if piece and piece.text.strip() else ""
    if first in ("rule", "amend"):
        yield from _words(_PARTS.split())
    if first == "action":
        yield from _words(["permit"])
    if first == "secret":
        yield from _words(["known to"])
    yield from _words(_STATEMENTS.split())
    yield from _declared(chain, "variable", "event", "phase", "stage")
    yield from _locals(space, path, line)


def _words(words: Iterable[str]) -> Iterator[Completion]:
    return (Completion(word, "keyword") for word in words)


def _declared(chain: Chain | None, *kinds: str) -> Iterator[Completion]:
    for entry in chain.checked.symbols.entries.values() if chain else ():
        if entry.kind in kinds:
            yield Completion(entry.name, entry.kind, entry.summary or entry.edition)


def _types(chain: Chain | None) -> Iterator[Completion]:
    for name in chain.checked.symbols.named_types if chain else ():
        yield Completion(name, "type")
    yield from (Completion(name, "type") for name in _BASIC_TYPES)


def _values(chain: Chain | None) -> Iterator[Completion]:
    """What may stand in an expression."""
    if chain is None:
        return
    symbols = chain.checked.symbols
    yield from _declared(chain, "variable", "define", "option", "reading")
    yield from (Completion(name, "column") for name in symbols.columns)
    yield from (Completion(name, "function") for name in FUNCTIONS)
    yield from (Completion(name, "type") for name in symbols.named_types)
    yield from (Completion(name, "product") for name in symbols.products)
    for name, owners in symbols.owners.items():
        yield Completion(name, "value", ", ".join(owner.name for owner in owners))
    yield from _words(["actor", "none"])


def _locals(space: Workspace, path: str, line: int) -> Iterator[Completion]:
    """The local names of a declaration; of a broken one, the words before `:` and after `for`, `let` and the like."""
    piece = space.piece_at(path, line)
    if piece is None:
        return
    for one in occurrences(piece):
        if one.kinds == (LOCAL,):
            yield Completion(one.text, LOCAL)
    if piece.fault:
        pattern = r"\b(?:for|let|draw|as|each|some|all|no|sum|max|min)\s+(\w+)\s+(?:in|=|from|for)\b|[(,]\s*(\w+)\s*:"
        for found in re.finditer(pattern, piece.text):
            yield Completion(found[1] or found[2], LOCAL)


def _sections(chain: Chain | None, path: str, word: str) -> Iterator[Completion]:
    edition = word.partition("§")[0]
    wanted = edition or (chain.edition_of(path) if chain else "")
    headings = chain.checked.headings.get(wanted, {}) if chain else {}
    for number, heading in headings.items():
        yield Completion(f"{edition}§{number}", "section", heading)


def _changes(chain: Chain | None, found: re.Match[str]) -> Iterator[Completion]:
    return _declared(chain, *(("table", "type") if found[1] == "type" else (found[1],)))


def _of_kinds(*kinds: str) -> Callable[[Chain | None, re.Match[str]], Iterator[Completion]]:
    return lambda chain, _: _declared(chain, *kinds)


# What may stand after the end of a line's beginning; the first that fits decides.
_AFTER: tuple[tuple[str, Callable[[Chain | None, re.Match[str]], Iterable[Completion]]], ...] = (
    (r"^\s*(?:amend|repeal|reword)\s+(\w+)\s+$", _changes),
    (r"^\s*(?:amend|repeal|reword)\s+$", lambda chain, _: _words(_CHANGED.split())),
    (r"^\s*settle\s+$", _of_kinds("reading")),
    (r"^\s*exempt\b.*\bfrom\s+$", _of_kinds("rule")),
    (r"^\s*exception\s+to\s+(?:[\w-]+,\s*)*$", _of_kinds("rule")),
    (r"^\s*(?:forbid|exempt|prefer)\s+(?:[\w()., ]*,\s*)?$", _of_kinds("action")),
    (r"^\s+permit\s+$", lambda chain, _: [*_words(["when", "because"]), *_declared(chain, "action")]),
    (r"^\s*choose\b[^:]*:\s*(?:\w+,\s*)*$", _of_kinds("action")),
    (r"^\s*(?:on|before|after|instead\s+of)\s+(?:[\w()., ]*,\s*)?$", _of_kinds("event")),
    (r"^\s*positions\s+begin\s+at\s+$", _of_kinds("phase")),
    (r"^\s*clock\s+", _of_kinds("variable")),
    (r"\b(?:is|as)\s+$", lambda chain, _: _types(chain)),
    (r"^\s*players\s+$", lambda chain, _: _types(chain)),
    (r"^(?:amend\s+)?(?:define|event|action|phase|stage|question|option)\b[^=]*:\s*(?:set\s+of\s+)?$",
     lambda chain, _: _types(chain)),
    (r"^\s+\w+(?:\[[^\]]*\])?\s*:\s*(?:set\s+of\s+)?$", lambda chain, _: _types(chain)),
    (r"^(?:amend\s+)?type\s+\w+\s*=", lambda chain, _: _types(chain)),
    (r"\bscenario\s*!?=\s*$", _of_kinds("scenario")),
)  # fmt: skip
