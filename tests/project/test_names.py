"""Names in the code say what they hold: how often words that say little may stand as variables and parameters."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tests.listing import assert_none
from tests.project.modules import modules

# A word may stand where no other says more, such as `other` in `__eq__`.
MOST = {"each": 100, "found": 180, "one": 40, "other": 80, "told": 30, "said": 10, "known": 79}
VAGUE = frozenset({"result", "value", "item", "data", "obj", "entry"})
MOST_VAGUE = 5_010  # so that no name that says little is replaced by another one


def names_in(tree: ast.AST) -> Iterator[str]:
    """The variables and parameters in a syntax tree, as often as they stand in it; names of imports are none."""
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id not in imported:
                yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def counted() -> Counter[str]:
    """How often each variable or parameter stands in the library."""
    return Counter(name for module in modules().values() for name in names_in(module.tree))


def test_words_that_say_little_are_rare() -> None:
    counts = counted()

    assert_none(
        f"`{word}` stands {counts[word]} times, at most {most} are allowed"
        for word, most in MOST.items()
        if counts[word] > most
    )


def test_no_vague_name_takes_their_place() -> None:
    counts = counted()
    vague = {name: times for name, times in counts.items() if name in VAGUE or len(name) == 1}
    total, frequent = sum(vague.values()), sorted(vague.items(), key=lambda row: -row[1])[:10]

    assert total <= MOST_VAGUE, f"most of them: {frequent}"
