"""Finds files of test cases, and reads the answers in them and the rulesets that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path

from attrs import frozen

from hots_rules._files import leads_out
from hots_rules._text import trimmed_text
from hots_rules.rules.sources.locate import rulesets_in
from hots_rules.testing.casebook import SECTION, Case, read_case_file, read_limited
from hots_rules.testing.errors import BadCase

BLOCK = re.compile(r"^```(case|answer)[ \t]*$", re.MULTILINE)
_ANSWER = re.compile(
    r"^```answer\n(?P<keys>.*?)^```\n\s*^```text\n(?P<text>.*?)\n?^```", re.MULTILINE | re.DOTALL
)
_ANSWER_KEYS = ("case", "file", "ruleset", "ask", "depth")
DEEPEST = 3  # folders above a case in which its ruleset is looked for


@frozen
class ExpectedAnswer:
    """The answer that is expected to a question at the end of a case, word for word.

    >>> from hots_rules.testing import ExpectedAnswer
    >>> keys = {"case": "Five", "ask": "Ann: keep"}
    >>> ExpectedAnswer("dice.md", "May she keep?", 9, keys, "Ann: keep is legal.", 17).text
    'Ann: keep is legal.'

    Attributes:
        file: the name of its file.
        title: its heading.
        line: the line of its heading.
        keys: the lines of its block: `case`, `ask`, and perhaps `file`, `ruleset` and `depth`.
        text: the answer.
        text_line: the line of the file in which it begins.
    """

    file: str
    title: str
    line: int
    keys: dict[str, str]
    text: str
    text_line: int

    def is_about(self, case: Case) -> bool:
        """Whether the question is asked at the end of a case."""
        file = self.keys.get("file", Path(self.file).stem)
        return (case.title, case.file) == (self.keys.get("case"), f"{file}.md")


@frozen
class CaseFile:
    """The cases and the answers of a file.

    >>> from pathlib import Path
    >>> from hots_rules.testing import CaseFile
    >>> CaseFile(Path("dice.md"), (), ()).path.name
    'dice.md'

    Attributes:
        path: the file.
        cases: its cases, in order.
        answers: its answers, in order.
    """

    path: Path
    cases: tuple[Case, ...]
    answers: tuple[ExpectedAnswer, ...]


def find_case_files(paths: Iterable[str | PathLike[str]]) -> list[CaseFile]:
    """The files with cases or answers among some files and in some folders, with all folders in them.

    Folders and files whose names begin with a dot, and links that lead out of their folder, are left out.

    Raises:
        BadCase: a path does not exist, or a file cannot be read or contains a malformed case.

    >>> import hots_rules as hr
    >>> hr.testing.find_case_files(["no-such-folder"])
    Traceback (most recent call last):
    hots_rules.testing.errors.BadCase: no file or folder `no-such-folder`
    """
    by_path: dict[Path, CaseFile] = {}
    for path in map(Path, paths):
        if not path.exists():
            raise BadCase(f"no file or folder `{path}`")
        for file in _markdown_in(path) if path.is_dir() else [path]:
            text = read_limited(file)
            if file not in by_path and (BLOCK.search(text) or file == path):
                by_path[file] = parse_case_file(file, text)
    return list(by_path.values())


def parse_case_file(path: Path, text: str) -> CaseFile:
    """The cases and the answers in a text; `path` is where it is kept.

    Raises:
        BadCase: it contains a malformed case.
    """
    text = trimmed_text(text)
    cases = read_case_file(path, text, with_prose=True)
    return CaseFile(path, tuple(cases), tuple(_answers(path, text)))


def rulesets_around(path: Path) -> dict[str, Path]:
    """The rulesets that a case is about if it names none: those in the nearest folder above that has some.

    A folder with the rules of one ruleset stands for it. If the case is below the folder one is in, the search ends
    there, but not before the folder above that of the case.
    """
    for folder in _folders_above(path):
        if rulesets := _rulesets_of(folder):
            return rulesets
    return {}


def _folders_above(path: Path) -> list[Path]:
    folders = list(path.resolve().parents)
    here = Path.cwd()
    return folders[: max(folders.index(here) + 1, 2) if here in folders else DEEPEST]


def _rulesets_of(folder: Path) -> dict[str, Path]:
    located = {
        name: Path(str(located_ruleset.entry))
        for name, located_ruleset in rulesets_in([folder]).items()
        if not leads_out(located_ruleset.entry)
    }
    own = [name for name, entry in located.items() if entry.parent == folder and entry.is_file()]
    return located | ({own[0]: folder} if len(own) == 1 else {})


def _markdown_in(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or leads_out(entry):
            continue
        if entry.is_dir():
            yield from _markdown_in(entry)
        elif entry.suffix == ".md":
            yield entry


def _answers(path: Path, text: str) -> Iterator[ExpectedAnswer]:
    for section in SECTION.finditer(text):
        title, match = section[1], _ANSWER.search(text, section.start(), section.end())
        if match is None:
            continue
        line, text_line = (
            text.count("\n", 0, at) + 1 for at in (section.start(), match.start("text"))
        )
        pairs = (row.partition(":") for row in match["keys"].splitlines() if row.strip())
        keys = {name.strip(): rest.strip() for name, _, rest in pairs}
        unknown = [name for name in keys if name not in _ANSWER_KEYS]
        missing = [name for name in ("case", "ask") if name not in keys]
        if unknown or missing:
            fault = f"unknown line `{unknown[0]}`" if unknown else f"no line `{missing[0]}`"
            raise BadCase(f"{path.name}: {title}: {fault} in a block `answer`", line)
        yield ExpectedAnswer(path.name, title, line, keys, match["text"], text_line)
