"""Writes the tables of the ruleset and the architecture, and the editions page.

python docs/_generate.py            writes the files
python docs/_generate.py --check    exits with status 1 if a file is out of date
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import _editions

import hots_rules as hr
from hots_rules.rules.rulebook import Entry

PAGE = Path(__file__).parent / "reference" / "ruleset-hots.md"
MARKED = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
ARCHITECTURE = Path(__file__).parent / "explanation" / "architecture.md"
PACKAGES = (
    *(
        "diagnostics",
        "report",
        "syntax",
        "rules",
        "compile",
        "native",
        "state",
        "play",
        "observe",
        "records",
    ),
    *(
        "explain",
        "draw",
        "analysis",
        "testing",
        "compare",
        "witness",
        "study",
        "atlas",
        "talk",
        "game",
        "editing",
        "formats",
        "adapters",
        "cli",
        "lsp",
        "web",
    ),
)
RULESET = "hots-4.0"
CHAPTERS = (
    ("mapboard", "0, 1", "the year and its turns, areas, borders, castles"),
    ("armies", "2", "blocks: place, strength, side"),
    ("cards", "3", "the deck, the hands, the events"),
    ("movement", "4", "group moves, border limits, pinning, the Norse at sea"),
    ("battles", "5", "rounds, fire, retreat, regroup, capture, elimination, raids"),
    ("kings", "6", "Edward, coronations, the return of Balliol"),
    ("wintering", "7", "the stages of the winter, in order"),
    ("scenarios", "8", "the three set-ups"),
    ("victory", "9", "majority, sudden death, tournament bids"),
    ("questions", "", "questions in words"),
    ("labels", "", "the words that players read and type"),
)
COUNTED = (("rule",), ("action",), ("phase", "stage"), ("reading", "option"), ("invariant",))


def rows(*lines: tuple[str, ...]) -> str:
    """A table in Markdown; the first line is its header."""
    head, *rest = (" | ".join(cell.replace("|", "\\|") for cell in line) for line in lines)
    rule = " | ".join("---" for _ in lines[0])
    return "".join(f"| {line} |\n" for line in (head, rule, *rest))


def cited(sections: tuple[str, ...]) -> str:
    """Sections in citation form."""
    return " ".join(f"§{section}" for section in sections)


def word(value: object) -> str:
    """The notation of a value of an option: `yes`, `2`, `pool`."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def chapters(ruleset: hr.Ruleset) -> str:
    """A row for each file: its subject, and the number of its declarations."""

    def counts(entries: list[Entry]) -> Iterator[str]:
        for kinds in COUNTED:
            yield str(sum(entry.kind in kinds for entry in entries) or "")

    found = []
    for name, chapter, about in CHAPTERS:
        file = f"4.0/{name}.rules"
        entries = [e for e in ruleset.rulebook.entries.values() if e.node.span.file == file]
        found.append((f"`{name}.rules`", chapter, about, *counts(entries)))
    head = ("file", "chapter", "subject", "rules", "actions", "phases", "choices", "invariants")
    return rows(head, *found)


def scenarios(ruleset: hr.Ruleset) -> str:
    """A row for each scenario."""
    lines = ((f"`{name}`", ruleset.scenario_title(name)) for name in ruleset.scenarios)
    return rows(("scenario", "years"), *lines)


def options(ruleset: hr.Ruleset) -> str:
    """A row for each optional rule; the default is bold."""
    found = []
    for option in ruleset.options.values():
        values = (f"**{word(v)}**" if v == option.default else word(v) for v in option.values)
        found.append(
            (f"`{option.name}`", ", ".join(values), option.summary, cited(option.sections))
        )
    return rows(("option", "values", "summary", "section"), *found)


def readings(ruleset: hr.Ruleset) -> str:
    """The alternatives of each reading; the default is bold and comes first."""
    found = []
    for reading in ruleset.readings.values():
        choices = sorted(
            zip(reading.values, reading.summaries, strict=True),
            key=lambda choice: choice[0] != reading.default,
        )
        for number, (value, summary) in enumerate(choices):
            said = (f"`{reading.name}`", reading.summary, cited(reading.sections))
            shown = f"`{value}`" if number else f"**`{value}`**"
            found.append((*(said if not number else ("", "", "")), shown, summary))
    return rows(("reading", "question", "section", "alternative", "meaning"), *found)


def actions(ruleset: hr.Ruleset) -> str:
    """A row for each action: its notation and its summary."""
    labels = ruleset.rulebook.labels["en"]
    found = []
    for entry in ruleset.rulebook.of_kind("action"):
        text = labels.get(f"action.{entry.name}", entry.name.replace("_", " "))
        found.append((f"`{text}`", entry.summary, cited(entry.sections)))
    return rows(("notation", "summary", "section"), *found)


def packages(_ruleset: hr.Ruleset) -> str:
    """What each package takes, gives and never does, from its docstring."""
    lines = []
    for name in PACKAGES:
        module = Path(hr.__file__).parent / name
        source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        text = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
        contract = dict(re.findall(r"^(Takes|Gives|Never): (.*(?:\n\S.*)*?)\.?$", text, re.M))
        lines.append(
            (f"`{name}`", *(contract[word].rstrip(".") for word in ("Takes", "Gives", "Never")))
        )
    return rows(("package", "takes", "gives", "never"), *lines)


TABLES = {
    "packages": packages,
    "chapters": chapters,
    "scenarios": scenarios,
    "options": options,
    "readings": readings,
    "actions": actions,
}


def pages() -> dict[Path, str]:
    """The text of each generated page."""
    ruleset = hr.load(RULESET)

    def filled(page: Path) -> str:
        text = page.read_text(encoding="utf-8")
        return MARKED.sub(lambda m: f"{m[1]}\n{TABLES[m[2]](ruleset)}\n{m[3]}", text)

    tables = {page: filled(page) for page in (PAGE, ARCHITECTURE)}
    return {**tables, _editions.PAGE: _editions.page()}


def main() -> int:
    """Writes the pages, or checks them; returns the exit status."""
    stale = [
        (page, text)
        for page, text in pages().items()
        if not page.exists() or page.read_text(encoding="utf-8") != text
    ]
    for page, text in stale:
        if "--check" not in sys.argv:
            page.write_text(text, encoding="utf-8")
        else:
            print(f"{page} is out of date: run `python docs/_generate.py`", file=sys.stderr)
    return int(bool(stale) and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
