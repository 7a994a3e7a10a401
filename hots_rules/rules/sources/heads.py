"""The line `ruleset NAME "title"` of a text, found without parsing the rest."""

from __future__ import annotations

import re

from hots_rules._text import composed, plain_text
from hots_rules.diagnostics import Fault, RelatedPlace, RulesetError, Span, Suggestion, printable
from hots_rules.rules.sources.source import Layer

NAME = r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*"
_REST = r"[ \t]*(?:\#[^\n]*)?\n"
_HEAD = re.compile(
    rf"""^ruleset [ \t]+ (?P<name>{NAME}) [ \t]+ "(?P<title>[^"]*)" {_REST}
         (?: {_REST} )* (?: [ \t]+ extends [ \t]+ (?P<base>[\w.-]+) {_REST} )?""",
    re.MULTILINE | re.VERBOSE,
)


def _heads(text: str) -> list[re.Match[str]]:
    # Few texts have the word, and to look for it is quick.
    return list(_HEAD.finditer(f"{text}\n")) if "ruleset" in text else []


def find_head(text: str) -> re.Match[str] | None:
    """The first line `ruleset …` of a text, with the groups `name`, `title` and `base`."""
    return next(iter(_heads(text)), None)


def title_of(head: re.Match[str]) -> str:
    """The title in a line `ruleset …`."""
    return unfolded(head["title"])


def unfolded(text: str) -> str:
    """A text on one line; in a ruleset it may run over several lines, and was not parsed yet."""
    return printable(composed(re.sub(r"[ \t]*\n[ \t]+", " ", text)))


def make_layer(
    files: dict[str, str], path: str, sections: str = "", sections_file: str = "sections.csv"
) -> Layer:
    """The layer of some files, one of which names it; `path` is where they were read.

    Raises:
        RulesetError: no file names it, or several do.
    """
    files = {file: plain_text(text) for file, text in files.items()}
    heads = [(file, head) for file, text in files.items() for head in _heads(text)]
    if not heads:
        raise _no_head(files, path)
    if len(heads) > 1:
        first, second = (_span_of(file, files[file], head, "name") for file, head in heads[:2])
        fault = Fault(
            "duplicate-name",
            "a second line `ruleset …`",
            second,
            (RelatedPlace(first, "the first is here"),),
            "keep one of them, or put the other ruleset into another folder",
        )
        raise RulesetError([fault], files)
    head = heads[0][1]
    return Layer(head["name"], title_of(head), head["base"], files, sections, sections_file)


def _no_head(files: dict[str, str], path: str) -> RulesetError:
    """The error that no line is `ruleset …`; if one is malformed, the fault of that line."""
    for file, text in files.items():
        if re.search(r"^[ \t]*ruleset\b", text, re.MULTILINE):
            # Imported only here: a game that starts from the cache does not wait for the parser.
            from hots_rules.syntax import parse

            if faults := parse(text, file)[1]:
                return RulesetError(faults, files)
    fault = Fault(
        "missing-ruleset",
        f'no line `ruleset NAME "title"` in `{cropped(path)}`',
        Span(next(iter(files)), 1, 1, 1, 2),
        help='begin with e.g. `ruleset my-game "My game"`; if the file is a part of a ruleset, name its folder',
    )
    return RulesetError([fault], files)


def extends_error(
    layer: Layer, code: str, headline: str, remedy: str, near: Suggestion | None = None
) -> RulesetError:
    """The error of a line `extends …`, at its place; a near name is a better remedy."""
    for file, text in layer.files.items():
        if (head := find_head(text)) and head["base"]:
            span = _span_of(file, text, head, "base")
            fixes = near.fixes(span) if near else ()
            remedy = near.help(remedy) if near else remedy
            fault = Fault(code, headline, span, help=remedy, fixes=fixes)
            return RulesetError([fault], layer.files)
    raise AssertionError(layer.name)


def _span_of(file: str, text: str, head: re.Match[str], group: str) -> Span:
    start, stop = head.span(group)
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    return Span(file, line, column, line, column + stop - start)


def cropped(text: str) -> str:
    """A text of at most 80 characters."""
    return text if len(text) <= 80 else f"{text[:77]}…"
