"""The architecture: which package may import what, what each never does, and what is public."""

from __future__ import annotations

import ast
import getpass
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from hots_rules.rules import known_rulesets
from tests.listing import assert_none
from tests.project.modules import (
    HOME,
    LIBRARY,
    Import,
    Module,
    called,
    import_circles,
    imports_of,
    modules,
)

# Every package, in an order in which each imports only what stands to its left. `game` is one module: it adds to the
# game of `play` what the packages before it compute.
ORDER = (
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
)
# Packages for users, in no order: each sees the public names alone.
OUTSIDE = ("adapters", "cli", "lsp", "web")
PACKAGES = (*ORDER, *OUTSIDE)
# Modules of packages for users that others of them may take: commands start the servers, and have their options.
OFFERED = frozenset(
    {
        "hots_rules.lsp.serving",
        "hots_rules.web.operation",
        "hots_rules.web.serving",
        "hots_rules.web.upkeep",
    }
)
# Modules without a package that every package may import; they import nothing of the library.
FREE = tuple(
    f"hots_rules.{name}"
    for name in (
        "_home",
        "_version",
        "_translate",
        "_files",
        "_private_files",
        "_cache",
        "_gc_policy",
        "_lazy",
        "_text",
        "_frozen",
        "_toml",
        "_options",
    )
)

MAX_FILES = 22
MAX_ANY = 100

# Words that no module may hold, in any case and number.
GAME_WORDS = ("scotland", "england", "noble", "cathedral", "castle")


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
    deep = [
        path
        for part in parts
        for path in (HOME / part).rglob("*")
        if path.is_file() and "node_modules" not in path.parts
    ]
    return sorted(deep + [path for path in HOME.iterdir() if path.is_file()])


# ---------------------------------------------------------------- imports
def test_every_package_has_its_place_in_the_order() -> None:
    found = {path.parent.name for path in LIBRARY.glob("*/__init__.py")} | {"game"}

    assert set(PACKAGES) == found


def test_the_order_is_documented() -> None:
    text = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")

    assert " ← ".join((*ORDER, OUTSIDE[0])) in text


@pytest.mark.thorough
@pytest.mark.parametrize("package", ORDER)
def test_imports_point_left(package: str) -> None:
    allowed = ORDER[: ORDER.index(package) + 1]
    faults = [
        f"{module.place}:{found.line} imports {found.module}"
        for module in modules_of(package)
        for found in imports_of(module)
        if found.module not in FREE and package_of(found.module) not in allowed
    ]

    assert_none(faults)


def test_modules_without_a_package_import_no_package_that_is_for_users() -> None:
    faults = [
        f"{module.place}:{found.line} imports {found.module}"
        for module in modules_of("")
        for found in imports_of(module)
        if module.name in FREE or package_of(found.module) in OUTSIDE
        if found.module not in FREE
    ]

    assert_none(faults)


@pytest.mark.thorough
def test_no_files_import_each_other_in_a_circle() -> None:
    assert_none(f"{len(circle)}: {', '.join(circle)}" for circle in import_circles())


def test_a_folder_has_few_files() -> None:
    """A package that grows gets folders by duty."""
    folders = (LIBRARY, *(path for path in LIBRARY.rglob("*") if path.is_dir()))
    counts = {
        folder.relative_to(HOME).as_posix(): sum(path.is_file() for path in folder.iterdir())
        for folder in folders
        if folder.name != "__pycache__"
    }

    assert {} == {place: count for place, count in counts.items() if count > MAX_FILES}


def test_packages_offer_only_names_from_their_left() -> None:
    """A name that `__init__` imports on demand, too, is defined in the package or left of it."""
    faults = []
    for place, package in enumerate(ORDER):
        offered = import_module(f"hots_rules.{package}")
        for name in getattr(offered, "__all__", ()):
            home = getattr(getattr(offered, name), "__module__", "")
            is_ours = home.startswith("hots_rules.") and home not in FREE
            if is_ours and package_of(home) not in ORDER[: place + 1]:
                faults.append(f"hots_rules.{package}.{name} is defined in {home}")

    assert_none(faults)


# ---------------------------------------------------------------- the public interface
@pytest.mark.parametrize("package", OUTSIDE)
def test_packages_for_users_see_public_names_alone(package: str) -> None:
    faults = [
        f"{module.place}:{found.line} uses {found.module} {found.name}".rstrip()
        for module in modules_of(package)
        for found in (*imports_of(module), *attributes_of_the_library(module))
        if found.module not in FREE and package_of(found.module) != package
        if not is_public(found)
    ]

    assert_none(faults)


def is_public(found: Import) -> bool:
    """Whether an import takes the library, one of its packages, or a name that one of them lists."""
    if found.module in OFFERED:
        return True
    if found.module.count(".") > 1 or package_of(found.module) in OUTSIDE:
        return False
    module = import_module(found.module)
    return not found.name or found.name in (*getattr(module, "__all__", ()), "__version__")


def attributes_of_the_library(module: Module) -> Iterator[Import]:
    """`hr.load` after `import hots_rules as hr`, and `hr.records.replay`, as if they were imported."""
    aliases = {
        alias.asname or alias.name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "hots_rules"
    }
    for node in ast.walk(module.tree):
        first, *names = dotted(node)
        if first in aliases and names:
            package = names[0] in PACKAGES
            yield Import(
                node.lineno,
                f"hots_rules.{names[0]}" if package else "hots_rules",
                "".join(names[1:2]) if package else names[0],
            )


@pytest.mark.thorough
def test_no_module_reads_a_private_attribute_of_another() -> None:
    assert_none(
        f"{module.place}:{node.lineno} reads {ast.unparse(node)}"
        for module in modules().values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and re.match(r"_[^_]", node.attr)
        if dotted(node)[0] not in {"self", "cls"} and node.attr not in defined_in(module)
    )


# ---------------------------------------------------------------- state and limits
MUTATORS = frozenset(
    {
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "remove",
        "setdefault",
        "update",
    }
)
CONTEXTS = frozenset({"hots_rules.cli.arguments"})
"""The limits of a command are in the context of its run, as the tasks and threads of the screen read them."""
OLD_PREFIXES = re.compile(r"_?(MOST|LONGEST|LEAST)(_|$)")


def test_no_module_keeps_state() -> None:
    """What is made once is kept by `lru_cache`, or by the value that it belongs to."""
    assert_none(
        f"{module.place}:{line} {fault}"
        for module in modules().values()
        for line, fault in kept_state(module)
    )


def kept_state(module: Module) -> Iterator[tuple[int, str]]:
    """Where a module has state of its own: `global`, a context variable, or a container that a function changes."""
    containers = {
        name
        for node in module.tree.body
        for name, value in assigned(node)
        if isinstance(value, ast.Dict | ast.List | ast.Set | ast.Call)
    }
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            yield node.lineno, f"declares {', '.join(node.names)} to be global"
        elif isinstance(node, ast.Call) and dotted(node.func)[-1] == "ContextVar":
            if module.name not in CONTEXTS:
                yield node.lineno, "makes a context variable"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for line, name in changed_in(node):
                if name in containers:
                    yield line, f"changes `{name}` of its module"


def changed_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[int, str]]:
    """The names of containers that a function changes and does not define."""
    own = {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    own |= {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    for node in ast.walk(function):
        changed = None
        if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = node.func.value if node.func.attr in MUTATORS else None
        if isinstance(changed, ast.Name) and changed.id not in own:
            yield node.lineno, changed.id


def assigned(node: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a statement assigns, with the value."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from ((dotted(target)[-1], node.value) for target in targets)


def test_every_limit_is_a_maximum_or_a_minimum() -> None:
    """A name has the prefix `MAX_` or `MIN_`."""
    assert_none(
        f"{module.place}:{node.lineno} names a limit `{name}`"
        for module in modules().values()
        for node in module.tree.body
        for name, _ in assigned(node)
        if OLD_PREFIXES.match(name)
    )


def defined_in(module: Module) -> set[str]:
    """The names of functions, variables and attributes that a module defines."""
    names = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {dotted(target)[-1] for target in targets}
    return names


def dotted(node: ast.AST) -> list[str]:
    """The names of `a.b.c`; those of anything else begin with an empty one."""
    if isinstance(node, ast.Attribute):
        return [*dotted(node.value), node.attr]
    return [node.id if isinstance(node, ast.Name) else ""]


def test_import_loads_no_package_before_it_is_used() -> None:
    """`import hots_rules` costs next to nothing: packages and dependencies are loaded on demand."""
    loaded = loaded_by("import hots_rules")

    packages = {name for name in loaded if name.startswith("hots_rules.")} - set(FREE)
    assert set() == packages
    assert set() == loaded & {"attr", "attrs", "cattrs", "lark", "platformdirs", "rich", "typer"}


def loaded_by(code: str) -> set[str]:
    """The modules that Python has loaded after some code."""
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.split())


# ---------------------------------------------------------------- takes, gives, never
@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_what_it_takes_gives_and_never_does(package: str) -> None:
    docstring = ast.get_docstring(modules()[f"hots_rules.{package}"].tree) or ""

    assert ["Takes", "Gives", "Never"] == re.findall(r"^(Takes|Gives|Never): \S", docstring, re.M)


FILES = frozenset(
    {
        "open",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "atomic_write",
        "read_private",
        "write_private",
        "iterdir",
        "glob",
        "rglob",
        "mkdir",
        "unlink",
    }
)
SCREEN = frozenset({"print", "input"})
EVALUATION = frozenset({"eval", "exec"})
# What a package never calls, after the line `Never` of its docstring.
NEVER_CALLED = {
    "diagnostics": FILES | SCREEN | EVALUATION,
    "report": FILES | EVALUATION | {"input"},  # Rich prints into a text
    "syntax": FILES | SCREEN | EVALUATION,
    "rules": SCREEN | EVALUATION,
    "compile": FILES | SCREEN,
    "native": FILES | SCREEN,
    "state": FILES | SCREEN | EVALUATION,
    "play": FILES | SCREEN | EVALUATION,
    "observe": FILES | SCREEN | EVALUATION,
    "records": SCREEN | EVALUATION,
    "explain": FILES | SCREEN | EVALUATION,
    "draw": FILES | SCREEN | EVALUATION,
    "analysis": SCREEN | EVALUATION,
    "testing": SCREEN | EVALUATION,
    "compare": SCREEN | EVALUATION | FILES,
    "witness": SCREEN | EVALUATION | FILES,
    "study": SCREEN | EVALUATION | FILES,
    "atlas": SCREEN | EVALUATION | FILES,
    "talk": SCREEN | EVALUATION | FILES,
    "game": FILES | SCREEN | EVALUATION,
    "editing": SCREEN | EVALUATION | FILES - {"open"},  # a document is opened, no file
    "formats": EVALUATION,
    "adapters": FILES | SCREEN | EVALUATION,
    "cli": EVALUATION,
    "lsp": SCREEN | EVALUATION,
    "web": SCREEN | EVALUATION,
}
LUCK = frozenset({"random", "secrets"})
PICKLES = frozenset({"pickle", "marshal", "shelve"})
# What a package never imports of the standard library.
NEVER_IMPORTED = {package: LUCK | PICKLES for package in ORDER} | {
    "compile": LUCK,
    "observe": PICKLES,  # sampled worlds are drawn
    "records": PICKLES,  # secrets of a commitment are drawn
    "analysis": PICKLES,  # simulations are drawn
    "testing": PICKLES,  # games to compare are drawn
    "compare": PICKLES,  # games of two rulesets in step are drawn
    "witness": PICKLES,
    "study": PICKLES,
    "formats": PICKLES,  # the texts of a corpus are drawn
}
# The module of a package to which its `Never` makes an exception.
EXCEPTIONS = {"compile": "hots_rules.compile.cache"}


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_never_call_what_they_promise_not_to(package: str) -> None:
    faults = [
        f"{module.place}:{node.lineno} calls {called(node)}"
        for module in modules_of(package)
        if module.name != EXCEPTIONS.get(package) and module.path.stem != "__main__"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and called(node) in NEVER_CALLED[package]
    ]

    assert_none(faults)


@pytest.mark.parametrize("package", ORDER)
def test_packages_never_import_what_they_promise_not_to(package: str) -> None:
    faults = [
        f"{module.place}:{found.line} imports {found.module}"
        for module in modules_of(package)
        if module.name != EXCEPTIONS.get(package)
        for found in module.imports()
        if found.module.split(".")[0] in NEVER_IMPORTED[package]
    ]

    assert_none(faults)


def test_diagnostics_raise_no_fault() -> None:
    faults = [
        f"{module.place}:{node.lineno}"
        for module in modules_of("diagnostics")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Raise) and "RulesetError" in ast.unparse(node)
    ]

    assert_none(faults)


@pytest.mark.thorough
def test_only_one_package_draws() -> None:
    faults = [
        f"{module.place}:{node.lineno}"
        for module in modules().values()
        if module.package not in {"draw", *OUTSIDE}
        for node in strings_of(module)
        if "<svg" in str(node.value)
    ]

    assert_none(faults)


@pytest.mark.thorough
def test_no_code_knows_a_ruleset_by_name() -> None:
    names = re.compile("|".join([*map(re.escape, known_rulesets()), r"hots-\d"]))
    faults = [
        f"{module.place}:{node.lineno}: {node.value!r}"
        for module in modules().values()
        # An assistant is given examples that work with what is installed.
        if not module.place.endswith("cli/assistant/tools.py")
        for node in strings_of(module)
        if names.search(str(node.value))
    ]

    assert_none(faults)


def strings_of(module: Module) -> Iterator[ast.Constant]:
    """The strings in the code of a module, without its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(module.tree) if isinstance(node, documented)]
    docstrings = {
        id(statement.value)
        for body in bodies
        for statement in body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(module.tree):
        is_string = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_string and id(node) not in docstrings:
            yield node


def modules_of(package: str) -> Iterator[Module]:
    """The modules of a package; of the library itself, if it is empty."""
    return (module for module in modules().values() if package_of(module.name) == package)


def package_of(module: str) -> str:
    """The package of a module; empty for the library itself and for its modules without a package."""
    name = "".join(module.split(".")[1:2])
    return name if name in PACKAGES else ""


# ---------------------------------------------------------------- names and types
def test_no_module_is_named_for_nothing() -> None:
    vague = {"utils", "helpers", "common", "misc", "types", "base"}
    faults = [
        module.place for module in modules().values() if module.path.stem.lstrip("_") in vague
    ]

    assert_none(faults)


def test_any_is_rare() -> None:
    counted = {
        module.place: len(re.findall(r"\bAny\b", module.path.read_text(encoding="utf-8")))
        for module in modules().values()
    }
    total, most = sum(counted.values()), sorted(counted.items(), key=lambda item: -item[1])[:10]

    assert total < MAX_ANY, f"most of them in {most}"


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
    return words


PLAYGROUND = HOME / "editors" / "playground" / "hots_rules_playground"


def test_the_engine_knows_no_game() -> None:
    in_tables = "|".join(sorted(words_of_the_games())) or "(?!)"
    in_general = "|".join(rf"{word}s?" for word in GAME_WORDS)
    # An identifier may join words with underscores, so they end words here.
    pattern = re.compile(rf"(?<![A-Za-z])(?:{in_tables}|(?i:{in_general}))(?![A-Za-z])")
    faults = [
        f"{path.relative_to(HOME)}:{number} has the word {word}"
        for path in sorted(
            [*LIBRARY.rglob("*.py"), *PLAYGROUND.rglob("*.py"), *PLAYGROUND.rglob("page/*.*")]
        )
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in pattern.findall(line)
    ]

    assert_none(faults)


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    homes = [f"/{name}/" for name in ("home", "Users", "root", "work")]
    pattern = re.compile(rf"(?<![\w.-])(?:{'|'.join(homes)})|[A-Z]:\\+Users\\")
    own = os.path.expanduser(f"~{getpass.getuser()}")
    faults = []
    for path in repository_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        if pattern.search(text) or (own != "/" and f"{own}/" in text):
            faults.append(path.relative_to(HOME).as_posix())

    assert_none(faults)
