"""Writes the grammar of colours for editors from the table of the library.

python editors/generate.py            writes the file
python editors/generate.py --check    exits with status 1 if it is out of date
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hots_rules.syntax.colours import TEXT, Colour, colours

FILE = Path(__file__).parent / "vscode" / "syntaxes" / "rules.tmLanguage.json"
SCOPES = {
    "comment": "comment.line.number-sign.rules",
    "declaration": "keyword.declaration.rules",
    "keyword": "keyword.control.rules",
    "constant": "constant.language.rules",
    "ruleset": "entity.name.namespace.rules",
    "declared": "entity.name.function.rules",
    "called": "entity.name.function.call.rules",
    "name": "variable.other.rules",
    "text": "string.quoted.double.rules",
    "section": "markup.underline.link.section.rules",
    "number": "constant.numeric.rules",
    "operator": "keyword.operator.rules",
    "bracket": "punctuation.rules",
    "blank": "",
}
# A text ends at its quotation mark, or before a line that cannot go on with it.
TEXT_PATTERN = {
    "name": SCOPES["text"],
    "begin": '"',
    "end": r'"|^(?=\S)|^(?=[ \t]*$)|^(?=[ \t]+")',
}


def grammar() -> dict[str, object]:
    """The grammar as VS Code, GitHub and other programs read it."""
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "hots_rules ruleset",
        "scopeName": "source.rules",
        "fileTypes": ["rules"],
        "patterns": [pattern(one) for one in colours()],
    }


def pattern(one: Colour) -> dict[str, object]:
    if one.pattern == TEXT:
        return TEXT_PATTERN
    if len(one.kinds) == 1:
        return {"match": one.pattern, "name": SCOPES[one.kinds[0]]}
    groups = {
        str(number): {"name": SCOPES[kind]}
        for number, kind in enumerate(one.kinds, 1)
        if SCOPES[kind]
    }
    return {"match": one.pattern, "captures": groups}


def text() -> str:
    return json.dumps(grammar(), indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        return FILE.read_text("utf-8") != text()
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
