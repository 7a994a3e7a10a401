"""The documentation colours `.rules` code with a lexer of its own, which reads every ruleset of the library."""

import sys
from pathlib import Path

import pytest
from pygments.token import Error, Keyword, Name, Token

from hots_rules.syntax.grammar import keywords

HOME = Path(__file__).parent.parent
sys.path.insert(0, str(HOME / "docs" / "_ext"))

from rules_lexer import RulesLexer  # noqa: E402

SHIPPED = sorted((HOME / "rulesets").rglob("*.rules"))
TINY = HOME / "tests" / "mistakes" / "tiny-1.0.rules"
SAMPLES = sorted((HOME / "tests" / "mistakes" / "good").glob("*.rules"))


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
    coloured = {word for text in texts for word in tokens(text, Keyword)}

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
