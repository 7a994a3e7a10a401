"""Slips of the pen that many people make, and one way to mend each."""

from __future__ import annotations

import re
from collections.abc import Callable

from attrs import frozen

from hots_rules.diagnostics import closest_match
from hots_rules.syntax.grammar import keywords, reserved_words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STARTS = _words("add remove clear let if for while choose roll draw shuffle win leave return")
_PARTS = _words("only exception forbid permit exempt on before instead after")
_COMPARISONS = _words("= != < <= > >= in")
_QUOTES = _words("' ` \u2018 \u2019 \u201a \u201c \u201d \u201e \u00ab \u00bb")


@frozen
class ParseContext:
    """A word that cannot stand where it does: what is before and after it on its line, and what could."""

    word: str
    before: str
    after: str
    accepted: frozenset[str]

    def follows(self, pattern: str) -> bool:
        """Whether the text before the word ends so."""
        return re.search(rf"(?:{pattern})$", self.before) is not None

    def precedes(self, pattern: str) -> bool:
        """Whether the text after the word begins so."""
        return re.match(pattern, self.after) is not None

    @property
    def begins_statement(self) -> bool:
        """Whether a statement could begin there."""
        return "LET" in self.accepted

    @property
    def ends_line(self) -> bool:
        """Whether the line could end there."""
        return "_NL" in self.accepted

    @property
    def is_word(self) -> bool:
        """Whether it is a word and no sign."""
        return self.word.isidentifier()


def suggest_fix(slip: ParseContext) -> str:
    """One way to mend a slip; empty where nothing is known."""
    for is_made, mend in MISTAKES:
        if is_made(slip):
            return mend.format(word=slip.word)
    if slip.word in SIGNS:
        return SIGNS[slip.word]
    if close := _near_keyword(slip):
        return f"did you mean `{close}`?"
    return next((mend for is_made, mend in LAST if is_made(slip)), "")


def _near_keyword(slip: ParseContext) -> str | None:
    """A keyword that could stand there, or that the line could begin with, and is spelt much like it."""
    known = keywords()
    words = [known[name] for name in slip.accepted if known.get(name, "").isalpha()]
    if slip.is_word and (close := closest_match(slip.word, words)):
        return close
    first = slip.before.strip()
    return (
        closest_match(first, _STARTS)
        if "BECOMES" in slip.accepted and first.isidentifier()
        else None
    )


def _is_reserved(slip: ParseContext) -> bool:
    """A word of the language where only a name could be."""
    return slip.word in reserved_words() and not slip.accepted - {
        "NAME",
        "KEBAB",
        "_DEDENT",
        "RPAR",
    }


_LINE = "begin a new line: there is one statement on each"
_HYPHEN = "write `-`, a plain hyphen"

# Signs of other languages, and of the book's typesetter.
SIGNS = {
    "==": "compare with a single `=`",
    "===": "compare with a single `=`",
    "<>": "write `!=`",
    "\N{NOT EQUAL TO}": "write `!=`",
    "=<": "write `<=`",
    "\N{LESS-THAN OR EQUAL TO}": "write `<=`",
    "=>": "write `>=`",
    "\N{GREATER-THAN OR EQUAL TO}": "write `>=`",
    "!": "write `not`",
    "~": "write `not`",
    "&&": "write `and`",
    "\N{LOGICAL AND}": "write `and`",
    "||": "write `or`",
    "\N{LOGICAL OR}": "write `or`",
    "\N{ELEMENT OF}": "write `in`",
    "/": "write `div`",
    "//": "write `div`",
    "\N{DIVISION SIGN}": "write `div`",
    "%": "write `mod`",
    "\N{MULTIPLICATION SIGN}": "write `*`",
    "++": "write `… += 1`",
    "--": "write `… -= 1`",
    "=+": "write `+=`",
    "=-": "write `-=`",
    "=:": "write `:=`",
    "*=": "write `x := x * …`",
    "/=": "write `x := x div …`",
    "//=": "write `x := x div …`",
    ";": _LINE,
    "->": "write `:` before a type",
    "...": "write `..`",
    "…": "write `..`",
    "\N{EN DASH}": _HYPHEN,
    "\N{EM DASH}": _HYPHEN,
    "\N{MINUS SIGN}": _HYPHEN,
    "\N{NO-BREAK SPACE}": "write a plain space",
}

Mistake = tuple[Callable[[ParseContext], bool], str]

# The first that has been made is said.
MISTAKES: tuple[Mistake, ...] = (
    (lambda s: s.word[:1] in _QUOTES, 'texts stand in straight double quotes, e.g. "A die."'),
    (lambda s: s.word.count('"') == 1, "close the text with a double quote on the same line"),
    (lambda s: s.word == "=" and "BECOMES" in s.accepted, "write `:=` to set a variable"),
    (lambda s: s.word == ":=" and "EQUAL" in s.accepted, "write `=`: this sets no variable"),
    (
        lambda s: s.word == ":" and s.ends_line,
        "leave the colon out: indentation makes the block",
    ),
    (lambda s: s.word == "if" and s.follows(r"\belse"), "write `elif`"),
    (
        lambda s: s.word in {"else", "elif", "elseif"} and s.begins_statement,
        "it stands right after the block of an `if`, in the column of the `if`",
    ),
    (
        lambda s: s.word == "then" and s.ends_line,
        "leave `then` out: it stands between values, `if c then x else y`",
    ),
    (
        lambda s: "BECOMES" in s.accepted and s.follows(r"^\s*permit"),
        "the `permit` lines of an action come before its statements",
    ),
    (
        lambda s: s.word == "when" and "FORBID" in s.accepted,
        "`when` stands on the line of what it limits",
    ),
    (
        lambda s: s.is_word and s.follows(r"\bamend"),
        "say what is amended, as in `amend rule …` or `amend table …`",
    ),
    (
        lambda s: s.word in _PARTS | _STARTS and "RULE" in s.accepted,
        "indent it under the line that it belongs to",
    ),
    (
        lambda s: s.word == "extends" and s.ends_line,
        "`extends` stands on a line of its own, indented",
    ),
    (
        lambda s: s.word in _COMPARISONS and "AND" in s.accepted,
        "join two comparisons with `and`",
    ),
    (lambda s: s.word == "not" and s.follows(r"\bis"), "write `not x is T`"),
    (lambda s: s.word == ":" and "WHERE" in s.accepted, "write `where` before the condition"),
    (lambda s: s.word == "where" and "COLON" in s.accepted, "write `:` before the condition"),
    (
        lambda s: s.word in {"-", "…", "\N{EN DASH}", "to"} and "DOTS" in s.accepted,
        "write a range as `1..6`",
    ),
    (lambda s: s.word == "," and s.follows(r"^type\s.*"), "write `|` between the values"),
    (
        lambda s: s.word[:1].isdigit() and "CITE" in s.accepted,
        "write a citation with its sign, as in `§{word}`",
    ),
    (
        lambda s: s.word == "§",
        "write the number of the section right after its sign, as in `§5.7`",
    ),
    (
        lambda s: "EDITION" in s.accepted,
        "the name of a ruleset is made of small letters, digits, `.` and `-`",
    ),
    (
        lambda s: s.word == "-" and s.follows(r"\w") and "INT" not in s.accepted,
        "join words with `_`; rules, scenarios, invariants and policies take hyphens, but no capitals",
    ),
    (_is_reserved, "`{word}` is a word of the language: choose another name"),
    (lambda s: s.word in _STARTS and s.ends_line, _LINE),
    (
        lambda s: s.is_word and s.ends_line and s.precedes(r"[:+-]=|\[|\("),
        _LINE,
    ),
    (
        lambda s: "STRING" in s.accepted and not s.accepted & {"NAME", "INT"} and s.word != ".",
        'write it in double quotes, e.g. "A die per step."',
    ),
    (
        lambda s: s.word.isalpha() and not s.word.isascii(),
        "names are made of the letters A to Z, digits and `_`",
    ),
    (lambda s: s.word == "?", "write `if c then x else y`"),
    (lambda s: s.word == "." and s.follows(r"\d"), "numbers are whole"),
    (
        lambda s: s.word == "[" and s.follows(r"\]"),
        "several keys stand in one pair of brackets, as in `m[k, l]`",
    ),
    (
        lambda s: (
            s.is_word
            and s.ends_line
            and s.follows(r"\b(on|before|of|after|forbid|permit|exempt)\s+\w+")
        ),
        "names stand in brackets, as in `hit(b)`",
    ),
)

# Said where no keyword is near.
LAST: tuple[Mistake, ...] = (
    (
        lambda s: s.is_word and "BECOMES" in s.accepted and s.follows(r"^\s*\w+"),
        "an event or a phase is called with brackets, as in `hit(b)`",
    ),
)
