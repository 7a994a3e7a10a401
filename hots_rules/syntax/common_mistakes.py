"""Common mistakes of syntax, and one way to correct each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from attrs import frozen

from hots_rules.diagnostics import closest_match
from hots_rules.syntax.grammar import keywords, reserved_words
from hots_rules.syntax.old_spellings import OLD_SPELLINGS, OldSpelling


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STATEMENT_KEYWORDS = _words(
    "add remove clear let if for while choose roll draw shuffle win leave return"
)
_RULE_PART_KEYWORDS = _words("only exception forbid permit exempt on before instead after")
_COMPARISONS = _words("= != < <= > >= in")
_QUOTES = _words("' ` \u2018 \u2019 \u201a \u201c \u201d \u201e \u00ab \u00bb")


@frozen
class ParseContext:
    """A word that the grammar does not accept, the text around it on its line, and what it accepts."""

    word: str
    before: str
    after: str
    accepted: frozenset[str]

    def follows(self, pattern: str) -> bool:
        """Whether the text before the word ends with a pattern."""
        return re.search(rf"(?:{pattern})$", self.before) is not None

    def precedes(self, pattern: str) -> bool:
        """Whether the text after the word begins with a pattern."""
        return re.match(pattern, self.after) is not None

    @property
    def begins_statement(self) -> bool:
        """Whether a statement may begin here."""
        return "LET" in self.accepted

    @property
    def ends_line(self) -> bool:
        """Whether the line may end here."""
        return "_NL" in self.accepted

    @property
    def is_word(self) -> bool:
        """Whether it is a word, not a sign."""
        return self.word.isidentifier()


def suggest_fix(context: ParseContext) -> str:
    """One way to correct a mistake; empty where none is known."""
    for matches, fix in MISTAKES:
        if matches(context):
            return fix.format(word=context.word, line=context.before.split())
    if context.word in SIGNS:
        return SIGNS[context.word]
    if close := _closest_keyword(context):
        return f"did you mean `{close}`?"
    return next((fix for matches, fix in LAST_RESORTS if matches(context)), "")


def _closest_keyword(context: ParseContext) -> str | None:
    """A keyword of similar spelling that the grammar accepts, or that may begin the line."""
    names = keywords()
    words = [names[name] for name in context.accepted if names.get(name, "").isalpha()]
    if context.is_word and (close := closest_match(context.word, words)):
        return close
    first = context.before.strip()
    begins_line = "BECOMES" in context.accepted and first.isidentifier()
    return closest_match(first, _STATEMENT_KEYWORDS) if begins_line else None


def _is_reserved(context: ParseContext) -> bool:
    """Whether it is a word of the language where only a name is accepted."""
    only_names = not context.accepted - {"NAME", "HYPHENATED", "_DEDENT", "RPAR"}
    return only_names and context.word in reserved_words()


def _follows_old(spelling: OldSpelling, context: ParseContext) -> bool:
    """Whether the word before has another spelling since a later version of the language."""
    return context.is_word and context.follows(rf"\b{spelling.old}\s*")


_NEW_LINE = "begin a new line: there is one statement on each"
_HYPHEN = "write `-`, a plain hyphen"

# Signs of other languages, and of typesetting.
SIGNS: Mapping[str, str] = MappingProxyType(
    {
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
        ";": _NEW_LINE,
        "->": "write `:` before a type",
        "...": "write `..`",
        "…": "write `..`",
        "\N{EN DASH}": _HYPHEN,
        "\N{EM DASH}": _HYPHEN,
        "\N{MINUS SIGN}": _HYPHEN,
        "\N{NO-BREAK SPACE}": "write a plain space",
    }
)

Mistake = tuple[Callable[[ParseContext], bool], str]

# The first match is used, so the order matters.
MISTAKES: tuple[Mistake, ...] = (
    (lambda s: s.word[:1] in _QUOTES, 'write texts in straight double quotes, e.g. "A die."'),
    (lambda s: s.word.count('"') == 1, "close the text with a double quote"),
    (lambda s: s.word == "=" and "BECOMES" in s.accepted, "write `:=` to set a variable"),
    (
        lambda s: s.word == ":=" and "EQUAL" in s.accepted,
        "write `=`: only a statement sets a variable",
    ),
    (
        lambda s: s.word == ":" and s.ends_line,
        "leave the colon out: indentation makes the block",
    ),
    *((partial(_follows_old, spelling), spelling.remedy) for spelling in OLD_SPELLINGS),
    (lambda s: s.word == "if" and s.follows(r"\belse"), "write `elif`"),
    (
        lambda s: s.word in {"else", "elif", "elseif"} and s.begins_statement,
        "write it right after the block of an `if`, in the column of the `if`",
    ),
    (
        lambda s: s.word == "then" and s.ends_line,
        "leave `then` out: only a value has it, `if c then x else y`",
    ),
    (
        lambda s: "BECOMES" in s.accepted and s.follows(r"^\s*permit"),
        "the `permit` lines of an action come before its statements",
    ),
    (
        lambda s: s.word == "when" and s.follows(r'"'),
        "write `when` after what it limits, such as `forbid move(b)`",
    ),
    (
        lambda s: s.word == "," and s.follows(r"\b(?:some|all|no|sum|max|min) \w+ in [^:]*"),
        "name one at a time, as in `all x in S: all y in T: …`",
    ),
    (
        lambda s: "_FIRST_OF" in s.accepted and "NAME" not in s.accepted,
        "write citations behind the value, or the value on the next line, indented",
    ),
    (
        lambda s: s.is_word and "EQUAL" in s.accepted and s.accepted <= {"EQUAL", "DOT"},
        "a key of two words begins with a kind of declaration, such as `rule` or `action`",
    ),
    (
        lambda s: s.is_word and s.follows(r"\bamend"),
        "name the kind, as in `amend rule …` or `amend table …`",
    ),
    (
        lambda s: s.word in _RULE_PART_KEYWORDS | _STATEMENT_KEYWORDS and "RULE" in s.accepted,
        "indent it under the line that it belongs to",
    ),
    (
        lambda s: s.word == "extends" and s.ends_line,
        "write `extends` on the next line, indented",
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
    (
        lambda s: (s.is_word or s.word.isdigit()) and s.follows(r"^settle\s+\w+\s*=\s*"),
        "a reading is settled by the name of an alternative; "
        "if `{line[1]}` is an option, write `amend option {line[1]} …` to change its value",
    ),
    (_is_reserved, "`{word}` is a word of the language: choose another name"),
    (lambda s: s.word in _STATEMENT_KEYWORDS and s.ends_line, _NEW_LINE),
    (
        lambda s: s.is_word and s.ends_line and s.precedes(r"[:+-]=|\[|\("),
        _NEW_LINE,
    ),
    (
        lambda s: "STRING" in s.accepted and not s.accepted & {"NAME", "INT"} and s.word != ".",
        'write it in double quotes, e.g. "A die per step."',
    ),
    (
        lambda s: s.word.isalpha() and not s.word.isascii(),
        "names are made of the letters A to Z, digits and `_`",
    ),
    (
        lambda s: s.word == "(" and s.follows(r"^\s*choose .*:[\w, ]*"),
        "a choice names actions, without brackets: `choose p: move, pass`",
    ),
    (
        lambda s: s.accepted == {"LPAR"} and s.follows(r"^event \w+\s*"),
        "an event without parameters has empty brackets, as in `event ends()`",
    ),
    (lambda s: s.word == "?", "write `if c then x else y`"),
    (lambda s: s.word == "." and s.follows(r"\d"), "numbers are whole"),
    (
        lambda s: s.word == "[" and s.follows(r"\]"),
        "write several keys in one pair of brackets, as in `m[k, l]`",
    ),
    (
        lambda s: (
            s.is_word
            and s.ends_line
            and s.follows(r"\b(on|before|of|after|forbid|permit|exempt)\s+\w+")
        ),
        "write the names in brackets, as in `hit(b)`",
    ),
)

# Used where no keyword is close.
LAST_RESORTS: tuple[Mistake, ...] = (
    (
        lambda s: (
            (s.is_word or not s.word.strip()) and "BECOMES" in s.accepted and s.follows(r"^\s*\w+")
        ),
        "an event or a phase is called with brackets, as in `hit(b)`",
    ),
)
