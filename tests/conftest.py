"""What all tests share: a clean environment, compiled rulesets, and how hard hypothesis tries.

- No test depends on the user's configuration: variables that change what the library or a terminal does are removed,
  and the home folder is one of the test run.
- Compiled rulesets are kept in a folder of the test run, which the workers of pytest-xdist share.
- A ruleset never changes, so all tests of a process share one of each text, with what it has computed, and a text
  is parsed only once. A module that tests loading, caching or races is marked `loads_anew`; a test with a cache
  folder of its own needs no mark.
- `HYPOTHESIS_PROFILE=nightly` tries more examples.
"""

import gc
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from hots_rules import game as loading
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.play.compiled_ruleset import CompiledRuleset
from hots_rules.rules import Source, find_source, known_rulesets
from hots_rules.rules import load as rulebooks

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("nightly", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# ------------------------------------------------------------------ the environment
CACHE = "HOTS_RULES_CACHE"
# How many damaged texts a test tries is a choice of the test run.
KEPT = {"HOTS_RULES_DAMAGED"}
REMOVED = {
    "COLORTERM",
    "COLUMNS",
    "EDITOR",
    "FORCE_COLOR",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "PAGER",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONOPTIMIZE",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
    "TERM",
    "TTY_COMPATIBLE",
    "TTY_INTERACTIVE",
    "VISUAL",
}
REMOVED_PREFIXES = ("HOTS_RULES_", "XDG_", "LC_", "CLICOLOR")


def clean_environment(folder: Path) -> None:
    """Make the environment the same for every user, with a home and a cache in a folder."""
    for name in set(os.environ) - KEPT:
        if name in REMOVED or name.startswith(REMOVED_PREFIXES):
            del os.environ[name]
    home = folder / "home"
    home.mkdir()
    os.environ |= {"HOME": str(home), "USERPROFILE": str(home), "LANG": "C.UTF-8"}
    os.environ[CACHE] = str(folder / "rulesets")
    os.environ["HOTS_RULES_CACHE_SIZE"] = "1000"  # no test compiles a shipped ruleset again


# A worker of pytest-xdist inherits the environment of the process that started it.
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if not IS_WORKER:
    clean_environment(Path(tempfile.mkdtemp(prefix="hots_rules-tests-")))
SHARED_CACHE = os.environ[CACHE]


def pytest_unconfigure() -> None:
    """Remove the folder of the test run."""
    if not IS_WORKER:
        shutil.rmtree(Path(SHARED_CACHE).parent, ignore_errors=True)


def pytest_collection() -> None:
    """Compile a share of the shipped rulesets in each worker, so that no worker compiles what another has compiled."""
    if IS_WORKER:
        for name in sorted(SHIPPED):
            with suppress(FileExistsError):
                Path(SHARED_CACHE).with_name(f"{name} is compiled").touch(exist_ok=False)
                load_anew(find_source(name))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests, which live as long as the process."""
    gc.freeze()


# ------------------------------------------------------------------ parts besides the core
PARTS = {
    "language": "amendments case_report format loop_bounds mutants narrowing samples samples_open_spiel",
    "native": "native native_chance native_export native_lowering native_memory native_printers",
    "hardening": "files hostile layouts limits printable questions state_moment",
    "authors": "case_runs debug editing_runs lsp new textmate",
    "people": "battles board ismcts people pictures",
    "table": "table table_browser table_client table_games table_kills table_postgres table_secrets "
    "table_strangers table_tokens",
    "differences": "agreements atlas diff_table hybrids witness",
}
PART_OF = {f"test_{name}": part for part, names in PARTS.items() for name in names.split()}
# The parts of modules, whose docstrings have examples, by the beginning of their names; and of pages.
PART_OF_MODULE = {
    "hots_rules.native.": "native",
    "hots_rules.compare.agree": "differences",
    "hots_rules.compare.atlas": "differences",
    "hots_rules.compare.candidates": "differences",
    "hots_rules.compare.hybrids": "differences",
    "hots_rules.compare.isolation": "differences",
    "hots_rules.compare.lockstep": "differences",
    "hots_rules.compare.search": "differences",
    "hots_rules.compare.trails": "differences",
    "hots_rules.compare.witness": "differences",
}
PART_OF_PAGE = {
    "docs/how-to/batches.md": "native",
    "docs/how-to/comparing.md": "differences",
    "docs/how-to/formatting.md": "language",
}


def part_of(item: pytest.Item) -> str | None:
    """The part of a test that is not of the core, by its file, or by the module or page that it is about."""
    if part := PART_OF.get(item.path.stem):
        return part
    about = item.name.partition("[")[2].rstrip("]")
    modules = (part for name, part in PART_OF_MODULE.items() if about.startswith(name))
    return next(modules, PART_OF_PAGE.get(about))


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of a part that is not of the core, and those of files that try more in `.ci/nightly`."""
    if part := part_of(item):
        item.add_marker(part)
    if {"sample_size", "TRIED"} & vars(item.getparent(pytest.Module).obj).keys():
        item.add_marker("deeper")


# ------------------------------------------------------------------ rulesets
SHIPPED = frozenset(known_rulesets())
# How many rulesets of the tests' own texts are kept.
KEPT_RULESETS = 16
shipped: dict[str, CompiledRuleset] = {}
own: OrderedDict[str, CompiledRuleset] = OrderedDict()
load_anew = loading.compiled_ruleset
parse_anew = rulebooks.parse
parse_once = lru_cache(maxsize=128)(parse_anew)


def load_once(
    source: Source, limits: Limits = DEFAULT_LIMITS, *, counts_steps: bool = False
) -> CompiledRuleset:
    """The one ruleset of these texts, if the cache folder is that of the test run."""
    if os.environ.get(CACHE) != SHARED_CACHE or limits != DEFAULT_LIMITS or counts_steps:
        return load_anew(source, limits, counts_steps=counts_steps)
    shared = shipped if source.name in SHIPPED else own
    content = source.text_hash()
    if content not in shared:
        shared[content] = load_anew(source)
        if len(own) > KEPT_RULESETS:
            own.popitem(last=False)
    return shared[content]


def share_rulesets(*, is_on: bool) -> None:
    """Share rulesets and parsed texts among the tests of a process, or do not."""
    loading.compiled_ruleset = load_once if is_on else load_anew
    rulebooks.parse = parse_once if is_on else parse_anew


share_rulesets(is_on=True)


@pytest.fixture(autouse=True, scope="module")
def own_rulesets(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give a module that is marked so rulesets that no other module has used."""
    if request.node.get_closest_marker("loads_anew"):
        share_rulesets(is_on=False)
    yield
    share_rulesets(is_on=True)


# ------------------------------------------------------------------ the table in a browser
@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A browser without windows; a module that asks for it says what it does without one."""
    from browsing import opened_browser

    with opened_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a table that is a process of its own."""
    from tables import served

    with served(tmp_path_factory.mktemp("table")) as (_, found):
        yield found
