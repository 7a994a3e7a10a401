"""Common mistakes of syntax, and one way to correct each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from attrs import evolve, frozen

from hots_rules.diagnostics import suggest
from hots_rules.syntax.grammar import keywords, reserved_words
from hots_rules.syntax.old_spellings import OLD_SPELLINGS, OldSpelling
from hots_rules.syntax.remedies import Remedy, written


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


def find_remedy(context: ParseContext) -> Remedy:
    """One way to correct a mistake; an empty one where none is known."""
    for matches, remedy in MISTAKES:
        if matches(context):
            help_text = remedy.help.format(word=context.word, line=context.before.split())
            return evolve(remedy, help=help_text)
    if context.word in SIGNS:
        return SIGNS[context.word]
    if (near := _near_keyword(context)) is not None:
        return near
    return next((remedy for matches, remedy in LAST_RESORTS if matches(context)), Remedy(""))


def _near_keyword(context: ParseContext) -> Remedy | None:
    """A keyword of similar spelling that the grammar accepts, or that may begin the line."""
    names = keywords()
    words = [names[name] for name in context.accepted if names.get(name, "").isalpha()]
    near = suggest(context.word if context.is_word else "", words)
    if near.best is not None:
        return Remedy(near.help(), near.best)
    first = context.before.strip()
    begins_line = "BECOMES" in context.accepted and first.isidentifier()
    near = suggest(first if begins_line else "", _STATEMENT_KEYWORDS)
    if near.best is not None:
        return Remedy(near.help(), f"{near.best} {{word}}", before=rf"{first}\s*")
    return None


def _is_reserved(context: ParseContext) -> bool:
    """Whether it is a word of the language where only a name is accepted."""
    only_names = not context.accepted - {"NAME", "HYPHENATED", "_DEDENT", "RPAR"}
    return only_names and context.word in reserved_words()


def _follows_old(spelling: OldSpelling, context: ParseContext) -> bool:
    """Whether the word before has another spelling since a later version of the language."""
    return context.is_word and context.follows(rf"\b{spelling.old}\s*")


def _ends_with(word: str, context: ParseContext) -> bool:
    """Whether a line ends with a word that joins two conditions."""
    return not context.word and context.follows(rf"\b{word}\s*")


_NEW_LINE = "begin a new line: there is one statement on each"
_HYPHEN = Remedy("write `-`, a plain hyphen", "-", is_safe=True)
_SINGLE_SIGN = Remedy("compare with a single `=`", "=", is_safe=True)
_ON_NEW_LINE = Remedy(_NEW_LINE, "\n{indent}{word}", before=r"\s*", title="begin a new line")

# Signs of other languages, and of typesetting.
SIGNS: Mapping[str, Remedy] = MappingProxyType(
    {
        **dict.fromkeys(("==", "==="), _SINGLE_SIGN),
        **dict.fromkeys(("<>", "\N{NOT EQUAL TO}"), written("!=")),
        **dict.fromkeys(("=<", "\N{LESS-THAN OR EQUAL TO}"), written("<=")),
        **dict.fromkeys(("=>", "\N{GREATER-THAN OR EQUAL TO}"), written(">=")),
        **dict.fromkeys(("!", "~"), written("not")),
        **dict.fromkeys(("&&", "\N{LOGICAL AND}"), written("and")),
        **dict.fromkeys(("||", "\N{LOGICAL OR}"), written("or")),
        "\N{ELEMENT OF}": written("in"),
        **dict.fromkeys(("/", "//", "\N{DIVISION SIGN}"), written("div")),
        "%": written("mod"),
        "\N{MULTIPLICATION SIGN}": written("*"),
        "++": Remedy("write `… += 1`", " += 1", before=r"\s*", after=r"\s*$", is_safe=True),
        "--": Remedy("write `… -= 1`", " -= 1", before=r"\s*", after=r"\s*$", is_safe=True),
        "=+": written("+=", is_safe=False),
        "=-": written("-=", is_safe=False),
        "=:": written(":="),
        "*=": Remedy("write `x := x * …`"),
        **dict.fromkeys(("/=", "//="), Remedy("write `x := x div …`")),
        ";": Remedy(_NEW_LINE, "\n{indent}", after=r"\s*", title="begin a new line"),
        "->": Remedy("write `:` before a type", ":", before=r"\s*", is_safe=True),
        **dict.fromkeys(("...", "…"), written("..")),
        **dict.fromkeys(("\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}"), _HYPHEN),
        "\N{NO-BREAK SPACE}": Remedy(
            "write a plain space", " ", is_safe=True, title="write a plain space"
        ),
    }
)

Mistake = tuple[Callable[[ParseContext], bool], Remedy]

# The first match is used, so the order matters.
MISTAKES: tuple[Mistake, ...] = (
    (
        lambda s: s.word[:1] in _QUOTES,
        Remedy(
            'write texts in straight double quotes, e.g. "A die."',
            '"{0}"',
            after=rf"([^\"{''.join(sorted(_QUOTES))}]*)[{''.join(sorted(_QUOTES))}](?!\w)",
            title="write straight quotes",
        ),
    ),
    (lambda s: s.word.count('"') == 1, Remedy("close the text with a double quote")),
    *(
        (partial(_ends_with, word), Remedy(f"begin the next line with `{word}`"))
        for word in ("and", "or")
    ),
    (
        lambda s: s.word == "=" and "BECOMES" in s.accepted,
        Remedy("write `:=` to set a variable", ":=", is_safe=True),
    ),
    (
        lambda s: s.word == ":=" and "EQUAL" in s.accepted,
        Remedy("write `=`: only a statement sets a variable", "=", is_safe=True),
    ),
    (
        lambda s: s.word == ":" and s.ends_line,
        Remedy(
            "leave the colon out: indentation makes the block",
            "",
            before=r"\s*",
            is_safe=True,
            title="remove the colon",
        ),
    ),
    *((partial(_follows_old, spelling), spelling.fix) for spelling in OLD_SPELLINGS),
    (
        lambda s: s.word == "if" and s.follows(r"\belse"),
        Remedy("write `elif`", "elif", before=r"\belse\s+", is_safe=True),
    ),
    (
        lambda s: s.word in {"else", "elif", "elseif"} and s.begins_statement,
        Remedy("write it right after the block of an `if`, in the column of the `if`"),
    ),
    (
        lambda s: s.word == "then" and s.ends_line,
        Remedy(
            "leave `then` out: only a value has it, `if c then x else y`",
            "",
            before=r"\s*",
            is_safe=True,
            title="remove `then`",
        ),
    ),
    (
        lambda s: "BECOMES" in s.accepted and s.follows(r"^\s*permit"),
        Remedy("the `permit` lines of an action come before its statements"),
    ),
    (
        lambda s: s.word == "when" and s.follows(r'"'),
        Remedy("write `when` after what it limits, such as `forbid move(b)`"),
    ),
    (
        lambda s: s.word == "," and s.follows(r"\b(?:some|all|no|sum|max|min) \w+ in [^:]*"),
        Remedy("name one at a time, as in `all x in S: all y in T: …`"),
    ),
    (
        lambda s: s.is_word and "EQUAL" in s.accepted and s.accepted <= {"EQUAL", "DOT"},
        Remedy("a key of two words begins with a kind of declaration, such as `rule` or `action`"),
    ),
    (
        lambda s: s.is_word and s.follows(r"\bamend"),
        Remedy("name the kind, as in `amend rule …` or `amend table …`"),
    ),
    (
        lambda s: s.word in _RULE_PART_KEYWORDS | _STATEMENT_KEYWORDS and "RULE" in s.accepted,
        Remedy("indent it under the line that it belongs to"),
    ),
    (
        lambda s: s.word == "extends" and s.ends_line,
        Remedy(
            "write `extends` on the next line, indented",
            "\n  extends",
            before=r"\s*",
            is_safe=True,
            title="begin a new line",
        ),
    ),
    (
        lambda s: s.word in _COMPARISONS and "AND" in s.accepted,
        Remedy("join two comparisons with `and`"),
    ),
    (
        lambda s: s.word == "not" and s.follows(r"\bis"),
        Remedy("write `not x is T`", "not {0} is", before=r"\b(\w+)\s+is\s+"),
    ),
    (
        lambda s: s.word == ":" and "WHERE" in s.accepted,
        Remedy("write `where` before the condition", " where", before=r"\s*", is_safe=True),
    ),
    (
        lambda s: s.word == "where" and "COLON" in s.accepted,
        Remedy("write `:` before the condition", ":", before=r"\s*", is_safe=True),
    ),
    (
        lambda s: s.word in {"-", "…", "\N{EN DASH}", "to"} and "DOTS" in s.accepted,
        Remedy("write a range as `1..6`", "..", before=r"\s*", after=r"\s*"),
    ),
    (
        lambda s: s.word == "," and s.follows(r"^type\s.*"),
        Remedy("write `|` between the values", " |", before=r"\s*", is_safe=True),
    ),
    (
        lambda s: s.word[:1].isdigit() and "CITE" in s.accepted,
        Remedy("write a citation with its sign, as in `§{word}`", "§{word}", is_safe=True),
    ),
    (
        lambda s: s.word == "§",
        Remedy("write the number of the section right after its sign, as in `§5.7`"),
    ),
    (
        lambda s: "EDITION" in s.accepted,
        Remedy("the name of a ruleset is made of small letters, digits, `.` and `-`"),
    ),
    (
        lambda s: s.word == "-" and s.follows(r"\w") and "INT" not in s.accepted,
        Remedy(
            "join words with `_`; rules, scenarios, invariants and policies take hyphens, but no capitals",
            "_",
            before=r"(?<=\w)",
            after=r"(?=\w)",
        ),
    ),
    (
        lambda s: (s.is_word or s.word.isdigit()) and s.follows(r"^settle\s+\w+\s*=\s*"),
        Remedy(
            "a reading is settled by the name of an alternative; "
            "if `{line[1]}` is an option, write `amend option {line[1]} …` to change its value"
        ),
    ),
    (
        lambda s: s.word == "if" and "WHEN" in s.accepted,
        Remedy("write `when` before the condition", "when", is_safe=True),
    ),
    (
        lambda s: s.follows(r"^\s*win all\s*"),
        Remedy("write the type of the players where all of them win, as in `win Player`"),
    ),
    (_is_reserved, Remedy("`{word}` is a word of the language: choose another name")),
    (lambda s: s.word in _STATEMENT_KEYWORDS and s.ends_line, _ON_NEW_LINE),
    (
        lambda s: s.is_word and s.ends_line and s.precedes(r"[:+-]=|\[|\("),
        _ON_NEW_LINE,
    ),
    (
        lambda s: "STRING" in s.accepted and not s.accepted & {"NAME", "INT"} and s.word != ".",
        Remedy('write it in double quotes, e.g. "A die per step."'),
    ),
    (
        lambda s: s.word.isalpha() and not s.word.isascii(),
        Remedy("names are made of the letters A to Z, digits and `_`"),
    ),
    (
        lambda s: s.word == "(" and s.follows(r"^\s*choose .*:[\w, ]*"),
        Remedy("a choice names actions, without brackets: `choose p: move, pass`"),
    ),
    (
        lambda s: s.accepted == {"LPAR"} and s.follows(r"^event \w+\s*"),
        Remedy(
            "an event without parameters has empty brackets, as in `event ends()`",
            "()",
            is_safe=True,
        ),
    ),
    (lambda s: s.word == "?", Remedy("write `if c then x else y`")),
    (lambda s: s.word == "." and s.follows(r"\d"), Remedy("numbers are whole")),
    (
        lambda s: s.word == "[" and s.follows(r"\]"),
        Remedy(
            "write several keys in one pair of brackets, as in `m[k, l]`",
            ", ",
            before=r"\]\s*",
            is_safe=True,
            title="write one pair of brackets",
        ),
    ),
    (
        lambda s: (
            s.is_word
            and s.ends_line
            and s.follows(r"\b(on|before|of|after|forbid|permit|exempt)\s+\w+")
        ),
        Remedy("write the names in brackets, as in `hit(b)`"),
    ),
)

# Used where no keyword is close.
LAST_RESORTS: tuple[Mistake, ...] = (
    (
        lambda s: (
            (s.is_word or not s.word.strip()) and "BECOMES" in s.accepted and s.follows(r"^\s*\w+")
        ),
        Remedy("an event or a phase is called with brackets, as in `hit(b)`"),
    ),
)
