"""The samples of the README and of the documentation are true.

In a page, a block in which `>>>` stands is a doctest, and what one of a page names, the next may use. A block with a
file name after its language is a file that the page works with; it lies in the folder in which its samples run.
Blocks `console` run `hots`; where a command stands after `$`, what it prints must come. A block `case` in a
block `markdown` is a case.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest

import hots_rules
from hots_rules.cli import main
from hots_rules.explain.talk_file import talk_of
from tests import casebook
from tests.folders import HOME, TESTS
from tests.listing import assert_none
from tests.needs import needs

README = HOME / "README.md"
CONTRIBUTING = HOME / "CONTRIBUTING.md"
PAGES = [README, CONTRIBUTING, *sorted((HOME / "docs").glob("**/*.md"))]
# Pages whose commands run; docs/reference/command-line.md has tests of its own.
WITH_COMMANDS = [
    README,
    CONTRIBUTING,
    *(
        HOME / "docs" / f"{name}.md"
        for name in (
            "tutorials/tour",
            "tutorials/new-game",
            "how-to/prompt",
            "how-to/debugging",
            "how-to/rulings",
            "how-to/comparing",
            "how-to/house-rules",
            "how-to/formatting",
            "reference/ruleset-hots",
            "reference/formats",
        )
    ),
]
WITH_CASES = [CONTRIBUTING, HOME / "docs" / "how-to" / "house-rules.md"]
FENCE = re.compile(
    r"^(?P<fence>`{3,})(?P<language>[\w-]+)(?: (?P<file>\S+))?\n(?P<text>.*?)^(?P=fence)$",
    re.M | re.S,
)
# The packages whose names are public; each has a page that lists what it exports.
PUBLIC = (
    *("records", "observe", "explain", "draw", "analysis", "testing"),
    *("compare", "witness", "study", "atlas", "report", "talk", "formats"),
)
# Pages whose samples need more than the extra `dev` has on every machine.
PEERS = {"adapters.md": ("pyspiel", "pettingzoo"), "training.md": ("numpy", "gymnasium")}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# The width of the terminal in the samples, in columns.
WIDTH = "110"


def named(page: Path) -> str:
    """The name of a page in a list of tests."""
    return page.relative_to(HOME).as_posix()


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a page in one language, each with the line it starts after."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start("text")), found["text"])
        for found in FENCE.finditer(text)
        if found["language"] == language
    ]


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of a page, in which its samples run."""
    page: Path = request.getfixturevalue("page")
    for found in FENCE.finditer(page.read_text(encoding="utf-8")):
        if found["file"]:
            path = tmp_path / found["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(found["text"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Pages whose samples compare editions, or count or play many games.
SLOW = {
    "CONTRIBUTING.md",
    "docs/how-to/adapters.md",
    "docs/how-to/boards.md",
    "docs/how-to/comparing.md",
    "docs/how-to/house-rules.md",
    "docs/how-to/odds.md",
    "docs/how-to/studies.md",
    "docs/reference/ruleset-hots.md",
    "docs/tutorials/new-game.md",
}
WITH_SAMPLES = [
    pytest.param(page, marks=pytest.mark.thorough if named(page) in SLOW else ())
    for page in PAGES
    if any(">>> " in text for _, text in blocks(page, "python")) or page in WITH_COMMANDS
]


@pytest.mark.parametrize("page", WITH_SAMPLES, ids=named)
def test_samples_give_what_they_show(page: Path, folder: Path) -> None:
    found = [(line, text) for line, text in blocks(page, "python") if ">>> " in text]
    if page in WITH_COMMANDS:
        found += [(line, text) for line, text in blocks(page, "console") if commands(text)]

    for peer in PEERS.get(page.name, ()):
        needs(peer)
    known: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    faults: list[str] = []
    for line, text in sorted(found):
        if ">>> " in text:
            test = doctest.DocTestParser().get_doctest(text, known, page.name, str(page), line)
            runner.run(test, out=faults.append, clear_globs=False)
            known = test.globs
        else:
            faults += [lost for command in commands(text) if (lost := missed(*command, hots))]

    assert "" == "".join(faults)


@pytest.mark.nightly
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=named)
def test_commands_print_what_is_shown_also_as_processes(page: Path, folder: Path) -> None:
    names: dict[str, object] = {}
    for line, text in blocks(page, "python"):
        if ">>> " in text:  # it may write a file that a command reads
            test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), line)
            runner = doctest.DocTestRunner(optionflags=FLAGS)
            runner.run(test, out=lambda _: None, clear_globs=False)
            names = test.globs
    shown = [command for _, text in blocks(page, "console") for command in commands(text)]

    assert "" == "".join(missed(*command, hots_process) for command in shown)


def test_every_sample_is_where_it_runs() -> None:
    shown = {named(page): len(prompts(page.read_text(encoding="utf-8"))) for page in PAGES}
    run = {
        named(page): sum(len(prompts(text)) for _, text in blocks(page, "python")) for page in PAGES
    }

    assert shown == run


def prompts(text: str) -> list[str]:
    """The prompts of a text at which an example begins."""
    return re.findall(r"^>>> ", text, re.M)


def commands(text: str) -> list[tuple[str, str | None]]:
    """The commands `hots …` of a block, each with what it prints, or None where that is not shown."""
    if "$ " not in text:
        lines = [line.removeprefix(".venv/bin/") for line in text.splitlines()]
        return [(line, None) for line in lines if line.startswith("hots ")]
    parts = re.split(r"^\$ ", text, flags=re.M)[1:]
    split = [part.partition("\n") for part in parts]
    return [(head, said) for head, _, said in split if head.startswith("hots ")]


def missed(command: str, expected: str | None, run: Callable[[list[str]], str]) -> str:
    """How the output of a command differs from what is shown; empty if it does not."""
    given = run(shlex.split(command)[1:])
    if expected is None or doctest.OutputChecker().check_output(expected, given, FLAGS):
        return ""
    return f"{command}\nexpected:\n{expected}\ngot:\n{given}\n"


def hots(words: list[str]) -> str:
    """What the command line prints, run in this process: with the rulesets that are loaded."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("COLUMNS", WIDTH)
        patch.setattr(sys, "argv", ["hots", *words])
        patch.setattr(sys, "stdin", StringIO())
        assert main() in {0, 1}, err.getvalue()
    return out.getvalue() + err.getvalue()


def hots_process(words: list[str]) -> str:
    """What the command line prints, run in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "hots_rules.cli", *words],
        env=os.environ | {"PYTHONPATH": str(HOME), "COLUMNS": WIDTH},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert run.returncode in {0, 1}, run.stderr
    return run.stdout + run.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("page", WITH_CASES, ids=named)
def test_cases_hold(page: Path, folder: Path) -> None:
    sheets = [text for _, text in blocks(page, "markdown") if "```case\n" in text]
    (folder / "sheets").mkdir()
    shutil.copytree(TESTS / "positions", folder / "positions")
    for number, sheet in enumerate(sheets):
        (folder / "sheets" / f"{number}.md").write_text(sheet, encoding="utf-8")
    found = casebook.cases(folder / "sheets")
    assert len(found) >= len(sheets) > 0
    for case in found:
        for edition in case.editions:
            ruleset = hots_rules.load(edition)
            casebook.check(case, casebook.play_case(case, casebook.start_case(case, ruleset)))


def test_the_readme_begins_with_two_commands() -> None:
    set_up, test = (text for _, text in blocks(README, "console")[:2])

    assert 1 == set_up.count("\n") == test.count("\n")
    assert "-m venv .venv" in set_up
    assert "'.[cli]'" in set_up
    assert "hots play" in set_up
    assert "'.[cli,test]'" in test
    assert "-m pytest" in test


def test_the_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


def test_links_have_targets() -> None:
    # The build of the documentation draws these: `-W` refuses a page that names another one.
    drawn = re.compile(r"(\.\./)?_static/pictures/\w+\.svg")
    broken = [
        f"{named(page)}: {link}"
        for page in PAGES
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
        if ":" not in link and not drawn.fullmatch(link) and not (page.parent / link).exists()
    ]

    assert_none(broken)


def test_every_public_package_has_a_page() -> None:
    pages = (HOME / "docs" / "reference" / "api").glob("*.md")
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    documented = re.findall(r"^```\{public-api\} ([\w.]+)$", text, re.M)

    assert {"hots_rules", *(f"hots_rules.{name}" for name in PUBLIC)} == set(documented)


def test_the_pipeline_names_modules_that_exist() -> None:
    page = (HOME / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`\w+/[\w/]+`[^|]*)\|", page, re.M)
    paths = [path for cell in cells for path in re.findall(r"`([\w/]+)`", cell)]
    found = [HOME / "hots_rules" / path for path in paths]
    lost = [path for path in found if not (path.is_dir() or path.with_suffix(".py").is_file())]

    assert len(paths) > 40
    assert [] == lost


def test_the_tables_of_the_ruleset_are_of_today(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(HOME / "docs")
    monkeypatch.setattr(sys, "argv", ["docs/_generate.py", "--check"])

    assert 0 == import_module("_generate").main(), capsys.readouterr().err


def test_the_glossary_names_what_the_ruleset_has() -> None:
    page = (HOME / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    said = set(re.findall(r"`(\w+)`", page.partition("## Words of the rulebook")[2]))
    book = hots_rules.load("hots-4.0").rulebook
    words = {
        value[1] for type_ in book.typed.types.values() for value in getattr(type_, "values", ())
    }
    columns = {column for table in book.typed.tables.values() for column in table.columns}
    names = {name for _, name in book.entries}

    assert set() == said - words - columns - names


def test_there_are_at_least_as_many_questions_as_the_page_says() -> None:
    page = (HOME / "docs" / "how-to" / "prompt.md").read_text(encoding="utf-8")
    questions = talk_of(hots_rules.load("hots-4.0").source).questions

    said = re.search(r"for \*Hammer of the Scots\* more than (\d+) questions", page)

    assert said is not None and int(said[1]) < len(questions) < int(said[1]) + 50


def test_a_page_with_a_short_seed_says_that_it_is_for_the_example() -> None:
    short = re.compile(r"\.(?:start|position)\([^)\n]*seed=(?:\d|\")|hots play [^\n]*--seed")
    assert_none(
        named(page)
        for page in PAGES
        if short.search(text := page.read_text(encoding="utf-8"))
        and "short seed" not in text.lower()
    )
