"""What may stand at a place of a ruleset, by what is written before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from hots_rules._translate import LANGUAGES
from hots_rules.editing.answering.expected_type import cell_type, is_truth_wanted, wanted_type
from hots_rules.editing.symbols.occurrences import LOCAL, occurrences
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import FUNCTIONS, IN_ORDER, REPETITION
from hots_rules.syntax.continuing import terminals_after, words_of
from hots_rules.syntax.expected import declaration_words

MAX_COMPLETIONS = 400


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
_LABELLED = "action event phase stage rule option reading scenario question type variable define column text"
_CHANGED = (
    "rule define action phase stage event table type option reading scenario invariant step "
    "clause row"
)
_BASIC_TYPES = ("bool", "set of")
# What the grammar takes where a type, an expression or a statement may stand.
_TYPE = frozenset({"NAME", "INT", "SET"})
_EXPRESSION = frozenset({"NAME", "LBRACE", "TRUTH"})
_STATEMENT = frozenset({"NAME", "LET", "CHOOSE"})


def completions(space: Workspace, path: str, line: int, column: int) -> list[Completion]:
    """The words that may stand at a place, the likeliest first: those that continue what is written before it.

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
    chain, beginning = space.chain_for(path), _beginning(space, path, line, before)
    if _is_in_text(before):
        return _fitting(_in_braces(chain, beginning), re.search(r"\w*$", before))
    prefix = re.search(_WORD, before)
    word = prefix[0] if prefix else ""
    head = before[: len(before) - len(word)]
    if "§" in word:
        return _fitting(_sections(chain, path, word), prefix)
    if not head:
        return _fitting(_words(sorted(filter(None, declaration_words()))), prefix)
    locals_ = list(_locals(space, path, line))
    candidates = _candidates(chain, beginning[: len(beginning) - len(word)], head, locals_)
    return _fitting(candidates, prefix)


def _fitting(offered: Iterable[Completion], prefix: re.Match[str] | None) -> list[Completion]:
    word = prefix[0].casefold() if prefix else ""
    fitting = (completion for completion in offered if completion.text.casefold().startswith(word))
    by_text: dict[str, Completion] = {}
    for completion in fitting:
        by_text.setdefault(completion.text, completion)
    return list(by_text.values())[:MAX_COMPLETIONS]


def _beginning(space: Workspace, path: str, line: int, before: str) -> str:
    """The declaration at a line, up to what stands `before` a place in it."""
    piece = space.piece_at(path, line)
    rows = space.text(path).split("\n")
    if piece and piece.text.startswith("label") and line > piece.first:
        return f"{rows[piece.first - 1]}\n{before}"  # each line of a label stands for itself
    return "\n".join([*rows[(piece.first if piece else line) - 1 : line - 1], before])


def _is_in_text(before: str) -> bool:
    code = re.sub(r'"[^"]*"', '""', before)
    return "#" in code or code.count('"') % 2 == 1


def _candidates(
    chain: Chain | None, beginning: str, head: str, locals_: list[Completion]
) -> Iterable[Completion]:
    """What may stand after the beginning of a declaration, of which `head` is the last line."""
    terminals = terminals_after(beginning)
    words = [] if terminals is None else list(_words(words_of(terminals)))
    of_label = beginning.startswith("label")
    for pattern, give in _IN_LABEL if of_label else _AFTER:
        if match := re.search(pattern, head):
            is_bare = match[0].strip() == "permit" and "NAME" not in (terminals or ())
            return [*(() if is_bare else give(chain, match)), *words]
    if terminals is None or terminals >= _EXPRESSION:
        truths = _words(["true", "false"])
        sets = _named_types(chain) if re.search(r"\bin\s+$", head) else ()
        wanted = wanted_type(chain, beginning)
        values = list(_values(chain, wanted))
        own = [
            value for value in values if wanted is not None and value.kind in ("value", "product")
        ]
        if is_truth_wanted(chain, beginning):
            return [*truths, *locals_, *values, *words]
        return [*sets, *own, *locals_, *values, *words, *truths]
    if terminals >= _TYPE:
        return _types(chain)
    if terminals >= _STATEMENT:
        called = declared_in(chain, "variable", "event", "phase", "stage")
        return [*called, *locals_, *words]
    if "NAME" in terminals and beginning.startswith(("table", "amend table")) and head[0] in " \t":
        return [*_cells(chain, beginning), *words]
    return words


def _words(words: Iterable[str]) -> Iterator[Completion]:
    return (Completion(word, "keyword") for word in words)


def declared_in(chain: Chain | None, *kinds: str) -> Iterator[Completion]:
    """The declarations of some kinds in a ruleset."""
    for entry in chain.checked.symbols.entries.values() if chain else ():
        if entry.kind in kinds:
            yield Completion(entry.name, entry.kind, entry.summary or entry.edition)


def _types(chain: Chain | None) -> Iterator[Completion]:
    for name in chain.checked.symbols.named_types if chain else ():
        yield Completion(name, "type")
    yield from (Completion(name, "type") for name in _BASIC_TYPES)


def _named_types(chain: Chain | None) -> Iterator[Completion]:
    return (completion for completion in _types(chain) if completion.text not in _BASIC_TYPES)


def _columns(chain: Chain | None) -> Iterator[Completion]:
    return (Completion(name, "column") for name in (chain.checked.symbols.columns if chain else ()))


def _values(chain: Chain | None, wanted: types.WordType | None = None) -> Iterator[Completion]:
    """What may stand in an expression: values of the type that is wanted alone, if one is."""
    if chain is None:
        return
    symbols = chain.checked.symbols
    of_products = {word for product in symbols.products.values() for _, word in product.values}
    products = [
        name for name, product in symbols.products.items() if _is_wanted(product.values, wanted)
    ]
    if wanted is not None:
        yield from (Completion(name, "product") for name in products)
        yield from (
            Completion(word, "value", wanted.name)
            for word in wanted.words
            if word not in of_products
        )
    yield from declared_in(chain, "variable", "define", "option", "reading")
    yield from _columns(chain)
    yield from _words(["actor", "none"])
    yield from (Completion(name, "function") for name in (*FUNCTIONS, *IN_ORDER, REPETITION))
    if wanted is not None:
        return
    yield from (Completion(name, "type") for name in symbols.named_types)
    yield from (Completion(name, "product") for name in products)
    for name, owners in symbols.owners.items():
        if name not in of_products:
            yield Completion(name, "value", ", ".join(owner.name for owner in owners))


def _is_wanted(values: tuple[types.Value, ...], wanted: types.WordType | None) -> bool:
    return wanted is None or any(value in wanted.codes for value in values)


def _cells(chain: Chain | None, beginning: str) -> Iterator[Completion]:
    """The words of a cell."""
    wanted = cell_type(chain, beginning)
    for word in wanted.words if wanted else ():
        yield Completion(word, "value", wanted.name if wanted else "")


def _in_braces(chain: Chain | None, beginning: str) -> Iterator[Completion]:
    """The parameters in a text with braces: of the label of a declaration or a product, or of a sentence."""
    if chain is None or not re.search(r"\{\w*$", beginning):
        return
    symbols = chain.checked.symbols
    key = re.search(r"\n\s+(?:(\w+)\s+)?([\w-]+)(?:\s+summary)?\s*=[^\n]*$", beginning)
    if beginning.startswith("label") and key:
        signature = symbols.signatures.get((key[1] or "", key[2]))
        names = [param.word for param in signature.params] if signature else []
        if key[2] in symbols.products and not key[1]:
            values = set(symbols.products[key[2]].values)
            names = [
                name
                for name, tables in symbols.columns.items()
                for table, _ in tables
                if values & set(getattr(symbols.named_types.get(table), "values", ()))
            ]
        yield from (Completion(name, LOCAL) for name in dict.fromkeys(names))
    elif "because" in beginning:
        yield Completion("actor", "keyword")
        for target in re.findall(r"\w+\(([\w, ]*)\)", beginning.partition("because")[0]):
            yield from (
                Completion(name.strip(), LOCAL) for name in target.split(",") if name.strip()
            )
        yield from declared_in(chain, "variable", "define", "option")
        yield from _columns(chain)


def _locals(space: Workspace, path: str, line: int) -> Iterator[Completion]:
    """The local names of a declaration; of a broken one, the words before `:` and after `for`, `let` and the like."""
    piece = space.piece_at(path, line)
    if piece is None:
        return
    for occurrence in occurrences(piece):
        if occurrence.kinds == (LOCAL,):
            yield Completion(occurrence.text, LOCAL)
    if piece.fault:
        pattern = r"\b(?:for|let|draw|as|each|some|all|no|sum|max|min)\s+(\w+)\s+(?:in|=|from|for)\b|[(,]\s*(\w+)\s*:"
        for match in re.finditer(pattern, piece.text):
            yield Completion(match[1] or match[2], LOCAL)


def _sections(chain: Chain | None, path: str, word: str) -> Iterator[Completion]:
    edition = word.partition("§")[0]
    wanted = edition or (chain.edition_of(path) if chain else "")
    headings = chain.checked.headings.get(wanted, {}) if chain else {}
    for number, heading in headings.items():
        yield Completion(f"{edition}§{number}", "section", heading)


def _changes(chain: Chain | None, match: re.Match[str]) -> Iterator[Completion]:
    return declared_in(chain, *(("table", "type") if match[1] == "type" else (match[1],)))


def _of_kinds(*kinds: str) -> Callable[[Chain | None, re.Match[str]], Iterator[Completion]]:
    return lambda chain, _: declared_in(chain, *kinds)


def _labelled(chain: Chain | None, match: re.Match[str]) -> Iterator[Completion]:
    if match[1] == "column":
        return _columns(chain)
    return _changes(chain, match)


def _label_keys(chain: Chain | None, _: re.Match[str]) -> Iterator[Completion]:
    """What a line of a label may begin with: a kind of declarations, or a value."""
    yield from _words(_LABELLED.split())
    symbols = chain.checked.symbols if chain else None
    yield from (Completion(name, "product") for name in (symbols.products if symbols else ()))
    yield from (completion for completion in _values(chain) if completion.kind == "value")


# The names that may stand after the end of a line's beginning; the first that fits decides.
_AFTER: tuple[tuple[str, Callable[[Chain | None, re.Match[str]], Iterable[Completion]]], ...] = (
    (r"^\s*(?:amend|repeal|reword)\s+(\w+)\s+$", _changes),
    (r"^\s*(?:amend|repeal|reword)\s+$", lambda chain, _: _words(_CHANGED.split())),
    (r"^\s*settle\s+$", _of_kinds("reading")),
    (r"^\s*exempt\b.*\bfrom\s+$", _of_kinds("rule")),
    (r"^\s*exception\s+to\s+(?:[\w-]+,\s*)*$", _of_kinds("rule")),
    (r"^\s*(?:forbid|exempt|prefer)\s+(?:[\w()., ]*,\s*)?$", _of_kinds("action")),
    (r"^\s+permit\s+$", _of_kinds("action")),
    (r"^\s*choose\b[^:]*:\s*(?:\w+,\s*)*$", _of_kinds("action")),
    (r"^\s*(?:on|before|after|instead\s+of)\s+(?:[\w()., ]*,\s*)?$", _of_kinds("event")),
    (r"\S\s+after\s+$", _of_kinds("action")),
    (r"^\s*positions\s+begin\s+at\s+$", _of_kinds("phase")),
    (r"^\s*clock\s+", _of_kinds("variable")),
    (r"\b(?:is|as)\s+$", lambda chain, _: _named_types(chain)),
    (r"^\s*players\s+$", lambda chain, _: _named_types(chain)),
    (r"^(?:amend\s+)?secret\s+$", lambda chain, _: [*declared_in(chain, "variable"), *_named_types(chain)]),
    (r"^map\s+$", _of_kinds("variable")),
    (r"^map\s+\w+\s+at\s+(?:\w+\s*,\s*)?$", lambda chain, _: _columns(chain)),
    (r"^\s+links\s+$", _of_kinds("table")),
    (r"^\s+links\s+\w+\s+(?:by\s+|by\s+\w+\s+in\s+)$", lambda chain, _: _columns(chain)),
    (r"\bscenario\s*!?=\s*$", _of_kinds("scenario")),
)  # fmt: skip
_IN_LABEL: tuple[tuple[str, Callable[[Chain | None, re.Match[str]], Iterable[Completion]]], ...] = (
    (r"^label\s+$", lambda chain, _: _words(LANGUAGES)),
    (r"^\s+(\w+)\s+$", _labelled),
    (r"^\s+$", _label_keys),
)
