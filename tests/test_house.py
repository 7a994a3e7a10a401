"""The house keeps itself: rooms, faults and words."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hots_rules.diagnostics import CODES

HOME = Path(__file__).parent.parent
PACKAGE = HOME / "hots_rules"

ROOMS = (
    "diagnostics",
    "syntax",
    "rules",
    "compile",
    "state",
    "play",
    "observe",
    "records",
    "explain",
    "analysis",
    "compare",
    "formats",
    "adapters",
)
# The command line sees the front door, how to draw a fault, and how to write a file.
CLI_SEES = {"hots_rules", "hots_rules.diagnostics", "hots_rules._files", "hots_rules._translate"}
# No rooms: where the files are, how they are written, which version this is, words, lazy names; any room may ask.
FREE = {f"hots_rules.{name}" for name in ("_home", "_version", "_translate", "_files", "_lazy")}

# Words that no table may hold, in any case and number.
GAME_WORDS = ("scotland", "england", "noble", "cathedral", "castle")
# Words of the tables that are also plain words of the engine. Keep it short.
PLAIN_WORDS: frozenset[str] = frozenset()


def files_of_room(room: str) -> list[Path]:
    """The Python files of a room; skips the test if the room is not built yet."""
    files = sorted((PACKAGE / room).rglob("*.py"))
    if not files:
        pytest.skip(f"no room `{room}` yet")
    return files


def repository_files() -> list[Path]:
    """Every file that is, or would be, kept in the repository."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=HOME,
        capture_output=True,
        check=False,
    )
    if listing.returncode == 0:
        names = listing.stdout.decode().split("\0")
        return sorted(HOME / name for name in names if name and (HOME / name).is_file())
    parts = ("hots_rules", "grammar", "rulesets", "tests", "docs", ".ci")
    deep = [path for part in parts for path in (HOME / part).rglob("*") if path.is_file()]
    return sorted(deep + [path for path in HOME.iterdir() if path.is_file()])


# ---------------------------------------------------------------- rooms


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of this library that a file imports, each with its line."""
    module = path.relative_to(HOME).with_suffix("").parts
    package = module if path.name == "__init__.py" else module[:-1]
    package = tuple(part for part in package if part != "__init__")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [_module(base, alias.name) for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] == "hots_rules")


def _module(base: str, name: str) -> str:
    """`from hots_rules import rules` is a room; `from hots_rules import load` the front door."""
    path = HOME.joinpath(*base.split("."), name)
    return f"{base}.{name}" if path.is_dir() or path.with_suffix(".py").is_file() else base


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_leftward_only(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    wrong = [
        f"{path.relative_to(HOME)}:{line} imports {name}"
        for path in files_of_room(room)
        for line, name in imported(path)
        if name not in FREE and (name.split(".")[1:2] or [""])[0] not in allowed
    ]

    assert [] == wrong


def test_the_command_line_sees_the_front_door_alone() -> None:
    wrong = [
        f"{path.relative_to(HOME)}:{line} imports {name}"
        for path in files_of_room("cli")
        for line, name in imported(path)
        if name not in CLI_SEES and not name.startswith("hots_rules.cli")
    ]

    assert [] == wrong


def test_there_is_no_room_that_the_house_does_not_know() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}

    assert set() == rooms - {*ROOMS, "cli"}


@pytest.mark.parametrize("room", (*ROOMS, "cli"))
def test_every_room_says_what_it_takes_gives_and_never_does(room: str) -> None:
    files_of_room(room)
    source = (PACKAGE / room / "__init__.py").read_text(encoding="utf-8")
    said = re.findall(r"^(Takes|Gives|Never): \S", ast.get_docstring(ast.parse(source)) or "", re.M)

    assert ["Takes", "Gives", "Never"] == said


@pytest.mark.parametrize("name", ["utils", "helpers", "common", "misc", "types", "base"])
def test_there_are_no_drawers(name: str) -> None:
    assert [] == [*PACKAGE.rglob(f"{name}.py"), *PACKAGE.rglob(f"_{name}.py")]


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page(code: str) -> None:
    page = (HOME / "docs" / "faults" / f"{code}.md").read_text(encoding="utf-8")

    assert f"# {code}" == page.splitlines()[0]
    assert ["Meaning", "Example", "Mend"] == re.findall(r"^## (.*)$", page, re.M)
    assert f"\n{CODES[code]}".casefold() in page.casefold()


def test_every_page_has_a_code() -> None:
    pages = {path.stem for path in (HOME / "docs" / "faults").glob("*.md")}

    assert {*CODES, "index"} == pages


def test_codes_in_the_source_are_known() -> None:
    pattern = re.compile(r"\bFault\(\s*\"([a-z-]+)\"")
    used = {
        (path.relative_to(HOME).as_posix(), code)
        for path in PACKAGE.rglob("*.py")
        for code in pattern.findall(path.read_text(encoding="utf-8"))
    }

    assert [] == sorted((path, code) for path, code in used if code not in CODES)


# ---------------------------------------------------------------- words


def words_of_the_games() -> set[str]:
    """The capitalised words of five letters and more in the rows of the tables."""
    words: set[str] = set()
    for path in (HOME / "rulesets").glob("**/tables/*.rules"):
        in_table = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line[:1].strip():
                in_table = line.startswith("table ")
            elif in_table:
                words |= set(re.findall(r"\b[A-Z][A-Za-z]{4,}\b", line.split("#")[0]))
    return words - PLAIN_WORDS


def test_the_engine_knows_no_game() -> None:
    in_tables = "|".join(sorted(words_of_the_games())) or "(?!)"
    in_general = "|".join(rf"{word}s?" for word in GAME_WORDS)
    # An identifier may join words with underscores, so they end words here.
    pattern = re.compile(
        rf"(?<![A-Za-z])(?:{in_tables}|(?i:{in_general}))(?![A-Za-z])",
    )
    said = [
        f"{path.relative_to(HOME)}:{number} says {word}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in pattern.findall(line)
    ]

    assert [] == said


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    homes = [f"/{name}/" for name in ("home", "Users", "root", "work")]
    pattern = re.compile(rf"(?<![\w.-])(?:{'|'.join(homes)})|[A-Z]:\\+Users\\")
    own = str(Path.home())
    named = []
    for path in repository_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        if pattern.search(text) or (own != "/" and f"{own}/" in text):
            named.append(path.relative_to(HOME).as_posix())

    assert [] == named
