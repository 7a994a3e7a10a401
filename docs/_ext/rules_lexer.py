"""A Pygments lexer for the language of rulesets; its patterns are those of the table of colours.

>>> from pygments.token import Keyword
>>> [word for kind, word in RulesLexer().get_tokens('rule safe §5 "No."') if kind in Keyword]
['rule']
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from hots_rules.syntax.colours import colours

KINDS = {
    "comment": Comment.Single,
    "declaration": Keyword.Declaration,
    "keyword": Keyword,
    "constant": Keyword.Constant,
    "ruleset": Name.Namespace,
    "declared": Name.Function,
    "called": Name.Function,
    "name": Name,
    "text": String,
    "section": Name.Label,
    "number": Number.Integer,
    "operator": Operator,
    "bracket": Punctuation,
    "blank": Whitespace,
}


def _of(kinds: tuple[str, ...]) -> object:
    found = [KINDS[kind] for kind in kinds]
    return found[0] if len(found) == 1 else bygroups(*found)


class RulesLexer(RegexLexer):
    """Colours keywords, declared names, citations, texts, numbers and comments of a ruleset."""

    name = "hots_rules ruleset"
    aliases = (
        "rules",
        "rules-edition",
        "rules-board",
        "rules-cells",
        "rules-wrong",
        "rules-right",
        "rules-file",
    )
    filenames = ("*.rules",)

    tokens = {  # noqa: RUF012 (Pygments wants a plain dictionary)
        "root": [(r"\s+", Whitespace), *((one.pattern, _of(one.kinds)) for one in colours())],
    }


if __name__ == "__main__":
    import doctest

    doctest.testmod()
