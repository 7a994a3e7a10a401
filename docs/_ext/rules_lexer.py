"""A Pygments lexer for the language of rulesets; its keywords are those of the grammar.

>>> from pygments.token import Keyword
>>> [word for kind, word in RulesLexer().get_tokens('rule safe §5 "No."') if kind in Keyword]
['rule']
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from hots_rules.syntax.grammar import keywords, reserved_words

WORDS = frozenset(word for word in keywords().values() if word.isalpha())
# Reserved words are keywords anywhere; the others only where a name cannot stand.
RESERVED = reserved_words()
CONTEXTUAL = WORDS - RESERVED
DECLARED = "|".join(
    [
        *("action", "define", "event", "invariant", "option", "phase", "policy", "question"),
        *("reading", "rule", "scenario", "secret", "stage", "table", "type", "variable"),
    ]
)
_BLANK = r"[ \t]+"
_JUNCTION = r"(?:in|is|not|and|or)\b"
# What follows a name that is used as a value: an operator, an index, the end of an argument or of the line.
_AS_NAME = rf"(?=[ \t]*(?:$|[\[(),.\]:=!<>*&|]|[+-]=|\b{_JUNCTION}))"
_LAST = ("default", "permit", "state")  # keywords that may end a line


class RulesLexer(RegexLexer):
    """Colours keywords, declared names, citations, texts, numbers and comments of a ruleset."""

    name = "hots_rules ruleset"
    aliases = ("rules", "rules-edition", "rules-wrong", "rules-right", "rules-file")
    filenames = ("*.rules",)

    tokens = {  # noqa: RUF012 (Pygments wants a plain dictionary)
        "root": [
            (r"\s+", Whitespace),
            (r"#[^\n]*", Comment.Single),
            (
                rf"\b(ruleset|extends)({_BLANK})([a-z][\w.-]*)",
                bygroups(Keyword.Declaration, Whitespace, Name.Namespace),
            ),
            (
                rf"\b({DECLARED})({_BLANK})(?!{_JUNCTION})([A-Za-z0-9]\w*(?:-\w+)*)",
                bygroups(Keyword.Declaration, Whitespace, Name.Function),
            ),
            (r'"[^"\n]*(?:\n[ \t]+(?=[^\s"])[^"\n]*)*"|"[^"\n]*', String),
            (r"(?:[a-z][a-z0-9.-]*)?§[0-9]+(?:\.[0-9]+)*", Name.Label),
            (r"\bd[0-9]+\b", Number.Integer),
            (r"\b(?:true|false)\b", Keyword.Constant),
            (r"[a-z0-9]+(?:-[a-z0-9]+)+", Name),
            (words(_LAST, prefix=r"\b", suffix=r"(?=[ \t]*(?:$|#|§))"), Keyword),
            (r"\bfirst[ \t]+of\b", Keyword),
            (r"(?<=\w[ \t])summary(?=[ \t]*=)", Keyword),
            (words(sorted(RESERVED), prefix=r"\b", suffix=r"\b"), Keyword),
            (rf"\b(?:{'|'.join(sorted(CONTEXTUAL))})\b{_AS_NAME}", Name),
            (words(sorted(CONTEXTUAL), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[0-9]+", Number.Integer),
            (r"([A-Za-z_]\w*)(?=\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r":=|\+=|-=|!=|<=|>=|\.\.|[=<>+\-*|&?]", Operator),
            (r"[()\[\]{},:.]", Punctuation),
        ],
    }


if __name__ == "__main__":
    import doctest

    doctest.testmod()
