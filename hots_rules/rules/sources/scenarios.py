"""The titles of scenarios, found without parsing the rest of a text."""

from __future__ import annotations

import re

from hots_rules.rules.sources.heads import unfolded
from hots_rules.rules.sources.source import Source

_TITLE = r'"(?P<{}>[^"]*)"'
_NAME = r"(?P<{}>[\w-]+)"
# A line without indentation begins a declaration: a text goes on in lines that are indented.
_LINE = re.compile(
    rf"""^(?: (?:amend [ \t]+)? scenario [ \t]+ {_NAME.format("declared")} [^"\n]* {_TITLE.format("title")}
          | reword [ \t]+ scenario [ \t]+ {_NAME.format("reworded")} [^"\n]* "[^"]*" [ \t]* as [ \t]*
            {_TITLE.format("wording")}
          | repeal [ \t]+ scenario [ \t]+ {_NAME.format("repealed")}
          | label [ \t]+ (?P<language>\w+)
          | [ \t]+ scenario [ \t]+ {_NAME.format("labelled")} [ \t]* = [ \t]* {_TITLE.format("label")})""",
    re.MULTILINE | re.VERBOSE,
)


def scenario_titles(source: Source) -> dict[str, dict[str, str]]:
    """Scenario → language → title; the language of the sentence that declares it is "".

    Nothing is checked: where the texts have faults, scenarios may be missing.
    """
    titles: dict[str, dict[str, str]] = {}
    for layer in source.layers:
        labels: list[tuple[str, str, str]] = []
        for text in layer.files.values():
            language = ""
            for line in _LINE.finditer(text):
                language = line["language"] or language
                if name := line["declared"] or line["reworded"]:
                    # The labels of older editions translate the sentence that this one replaces.
                    titles[name] = {"": unfolded(line["title"] or line["wording"])}
                elif line["repealed"]:
                    titles.pop(line["repealed"], None)
                elif line["labelled"]:
                    labels.append((line["labelled"], language, unfolded(line["label"])))
        for name, language, label in labels:
            titles.get(name, {})[language] = label
    return titles
