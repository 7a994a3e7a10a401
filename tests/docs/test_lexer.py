"""The documentation colours `.rules` code with a lexer of its own, which reads every ruleset of the library."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Token as LarkToken
from pygments.token import Error, Keyword, Name, Token

from hots_rules.syntax.grammar import grammar, keywords
from tests.folders import HOME, TESTS

sys.path[:0] = [str(HOME / "docs" / "_ext"), str(HOME / "editors")]

import generate
import rules_lexer
from rules_lexer import RulesLexer

SHIPPED = sorted((HOME / "rulesets").rglob("*.rules"))
TINY = TESTS / "mistakes" / "tiny-1.0.rules"
SAMPLES = sorted((TESTS / "mistakes" / "good").glob("*.rules"))


def tokens(text: str, kind: object = Token) -> list[str]:
    """The words of a text whose token is of one kind, in order."""
    return [word for token, word in RulesLexer().get_tokens(text) if token in kind]


@pytest.mark.parametrize("path", [TINY, *SHIPPED], ids=lambda path: path.stem)
def test_no_text_of_a_ruleset_is_an_error(path: Path) -> None:
    text = path.read_text("utf-8")

    assert [] == tokens(text, Error)
    assert text.strip("\n") == "".join(tokens(text)).strip("\n")


def test_every_keyword_is_coloured_somewhere() -> None:
    texts = [path.read_text("utf-8") for path in (TINY, *SHIPPED, *SAMPLES)]
    coloured = {word for text in texts for words in tokens(text, Keyword) for word in words.split()}

    assert set() == {word for word in keywords().values() if word.isalpha()} - coloured


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("rule no-peeking §2.1", ["no-peeking"]),
        ("  exempt peek from no-peeking when place[b] != Dead", ["peek", "no-peeking", "place", "b", "Dead"]),
        ("action march(b: Block, to: Area) §2.2", ["march", "b", "Block", "to", "Area"]),
        ("  permit when to in next[a]", ["to", "next", "a"]),
        ("  place[b] := to", ["place", "b", "to"]),
    ],
)  # fmt: skip
def test_a_word_that_can_be_a_name_is_coloured_as_one(line: str, names: list[str]) -> None:
    found = [word for word in tokens(line, Name) if "§" not in word]

    assert names == found


# ---------------------------------------------------------------- the same as the parser
KINDS = {
    "STRING": "text",
    "CITE": "section",
    "INT": "number",
    "DICE": "number",
    "TRUTH": "constant",
    **dict.fromkeys(("NAME", "HYPHENATED", "EDITION", "COLUMN"), "name"),
}
ALIKE = {
    "declaration": "keyword",
    "declared": "name",
    "called": "name",
    "ruleset": "name",
    "bracket": "sign",
    "operator": "sign",
}
ALL = [TINY, *SHIPPED, *SAMPLES]
# In this sample keywords are the names of rows and of loops, which only the parser can tell.
KNOWN = {"words.rules": 4}


def parsed_words(text: str) -> Iterator[tuple[int, str, str]]:
    """The words and signs of a text as the parser reads them: where each begins, its kind, and itself."""
    tree = grammar(keep_all_tokens=True).parse(f"\n{text}", start="file")
    for token in tree.scan_values(lambda value: isinstance(value, LarkToken)):
        if token.type in ("_NL", "_INDENT", "_DEDENT", "NEGATIVE_INT") or token.start_pos is None:
            continue
        default = "keyword" if token.replace(" ", "").isalpha() else "sign"
        yield token.start_pos - 1, KINDS.get(token.type, default), str(token)


def pygments_kinds(text: str) -> dict[int, str]:
    """The kind of each character by the lexer of the documentation."""
    names = {kind: name for name, kind in reversed(rules_lexer.KINDS.items())}
    names |= {Name.Function: "name", Keyword.Declaration: "keyword"}
    return {
        at + number: names.get(kind, "blank")
        for at, kind, word in RulesLexer().get_tokens_unprocessed(text)
        for number in range(len(word))
    }


def textmate_kinds(text: str) -> dict[int, str]:
    """The kind of each character by the grammar for editors, which reads line by line."""
    kind_of = {scope: kind for kind, scope in generate.SCOPES.items()}
    patterns = json.loads(generate.FILE.read_text("utf-8"))["patterns"]
    found: dict[int, str] = {}
    start, in_text = 0, False
    for line in text.split("\n"):
        at = 0
        while at <= len(line):
            if in_text:
                end = re.compile(generate.TEXT_PATTERN["end"]).search(line, at)
                stop = len(line) if end is None else end.end()
                found |= dict.fromkeys(range(start + at, start + stop), "text")
                in_text, at = end is None, stop
                if in_text:
                    break
                continue
            at, in_text = next_match(patterns, kind_of, line, at, start, found)
        start += len(line) + 1
    return found


def next_match(
    patterns: list[dict[str, Any]],
    kind_of: dict[str, str],
    line: str,
    at: int,
    start: int,
    found: dict[int, str],
) -> tuple[int, bool]:
    """Colour the leftmost match of a line, of the first pattern that has it; where to go on, and whether in a text."""
    best: tuple[int, int] | None = None
    for number, one in enumerate(patterns):
        match = re.compile(one.get("match") or one["begin"]).search(line, at)
        if match and match.end() > match.start() and (best is None or match.start() < best[0]):
            best = (match.start(), number)
    if best is None:
        return len(line) + 1, False
    one = patterns[best[1]]
    match = re.compile(one.get("match") or one["begin"]).search(line, at)
    if "begin" in one:
        found[start + match.start()] = "text"
        return match.end(), True
    groups = one.get("captures", {"0": {"name": one.get("name")}})
    for group, scope in groups.items():
        places = range(start + match.start(int(group)), start + match.end(int(group)))
        found |= dict.fromkeys(places, kind_of[scope["name"]])
    return match.end(), False


@pytest.mark.parametrize("kinds_of", [pygments_kinds, textmate_kinds])
@pytest.mark.thorough
@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_word_has_the_colour_of_what_the_parser_reads(
    path: Path, kinds_of: Callable[[str], dict[int, str]]
) -> None:
    text = path.read_text("utf-8")
    coloured = kinds_of(text)
    wrong = [
        (word, kind, coloured.get(at))
        for at, kind, word in parsed_words(text)
        if ALIKE.get(coloured.get(at, ""), coloured.get(at)) != kind
    ]

    assert KNOWN.get(path.name, 0) == len(wrong), wrong[:5]


def test_the_grammar_for_editors_is_that_of_the_table() -> None:
    assert generate.text() == generate.FILE.read_text("utf-8"), "run: python editors/generate.py"


def test_the_extension_names_files_that_are_there() -> None:
    folder = HOME / "editors" / "vscode"
    listed = json.loads((folder / "package.json").read_text("utf-8"))
    contributed = listed["contributes"]
    names = [
        listed["main"],
        contributed["languages"][0]["configuration"],
        contributed["grammars"][0]["path"],
    ]

    assert [] == [name for name in names if not (folder / name).is_file()]
    json.loads((folder / "language-configuration.json").read_text("utf-8"))
