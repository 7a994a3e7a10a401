"""What all tests share: a clean environment, compiled rulesets, and how hard hypothesis tries.

- No test depends on the user's configuration: variables that change what the library or a terminal does are removed,
  and the home folder is one of the test run.
- Compiled rulesets are kept from one run to the next in the cache of pytest (`--cache-clear` empties it), under the
  digest by which the library keeps them: a change of a ruleset or of the engine compiles anew.
- A ruleset never changes, so all tests of a process share one of each text, with what it has computed, and a text
  is parsed only once. A module that tests loading, caching or races is marked `loads_anew`; a test with a cache
  folder of its own needs no mark.
- `HYPOTHESIS_PROFILE=nightly` tries more examples.
"""

import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import settings

from hots_rules import game as loading
from hots_rules._gc_policy import collect_seldom
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.play.compiled_ruleset import CompiledRuleset
from hots_rules.rules import Source, find_source, known_rulesets
from hots_rules.rules import load as rulebooks
from tests.folders import HOME

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("nightly", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# ------------------------------------------------------------------ the environment
sys.dont_write_bytecode = False  # half of the time of collecting is spent on tests without bytecode
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background so, and programs started by tests inherit it: they would ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
    "PYTEST_ADDOPTS",
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
    """Make the environment the same for every user, with a home in a folder."""
    for name in set(os.environ) - KEPT:
        if name in REMOVED or name.startswith(REMOVED_PREFIXES):
            del os.environ[name]
    home = folder / "home"
    home.mkdir()
    os.environ |= {"HOME": str(home), "USERPROFILE": str(home), "LANG": "C.UTF-8"}
    os.environ["HOTS_RULES_CACHE_SIZE"] = "1000"  # no test compiles a shipped ruleset again


def kept_rulesets(folder: Path) -> Path:
    """The folder of compiled rulesets: in the cache of pytest, or in a folder if the tree cannot be written."""
    kept = HOME / ".pytest_cache" / "d" / "rulesets"
    try:
        kept.mkdir(parents=True, exist_ok=True)
        kept.chmod(0o700)  # the library reads no code that others can write
    except OSError:
        return folder / "rulesets"
    return kept


# A worker of pytest-xdist inherits the environment of the process that started it.
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
FOLDER = "HOTS_RULES_TESTS"
if not IS_WORKER:
    made = Path(tempfile.mkdtemp(prefix="hots_rules-tests-"))
    clean_environment(made)
    os.environ |= {FOLDER: str(made), CACHE: str(kept_rulesets(made))}
SHARED_CACHE = os.environ[CACHE]


# ------------------------------------------------------------------ what may be skipped
def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `.ci/run` that let no test be skipped unseen."""
    parser.addoption(
        "--only-skips",
        metavar="FILE",
        help="fail if a test is skipped for a reason not listed in FILE",
    )
    parser.addoption(
        "--note-skips", metavar="FILE", help="write the tests that were skipped to FILE, one a line"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Note the tests that were skipped, and fail if one was for a reason that is not listed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if IS_WORKER or reporter is None:
        return
    skipped = reporter.stats.get("skipped", ())
    if noted := session.config.getoption("--note-skips"):
        Path(noted).write_text(
            "".join(f"{report.nodeid}\n" for report in skipped), encoding="utf-8"
        )
    if listed := session.config.getoption("--only-skips"):
        lines = Path(listed).read_text(encoding="utf-8").splitlines()
        patterns = [re.compile(line) for line in lines if line and not line.startswith("#")]
        reasons = {str(report.longrepr[2]) for report in skipped}
        unlisted = [why for why in sorted(reasons) if not any(one.search(why) for one in patterns)]
        if unlisted:
            print(f"\nskipped for a reason that is not in {listed}:", *unlisted, sep="\n  ")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    """Remove the folder of the test run."""
    if not IS_WORKER:
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)


def pytest_collection() -> None:
    """Compile a share of the shipped rulesets in each worker, so that no worker compiles what another has compiled."""
    if IS_WORKER:
        for name in sorted(SHIPPED):
            with suppress(FileExistsError):
                Path(os.environ[FOLDER], f"{name} is compiled").touch(exist_ok=False)
                load_anew(find_source(name))


def pytest_collection_finish() -> None:
    """Let tests load rulesets, and spare the garbage collector what lives as long as the process."""
    share_rulesets(is_on=True)
    gc.freeze()
    collect_seldom()  # a collection goes through all shared rulesets: up to a third of the time of a test run


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of files that try more in `.ci/nightly`."""
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


def refuse_to_load(source: Source, *_: object, **__: object) -> CompiledRuleset:
    """Files of tests are imported for every run, also for one that needs none of their rulesets."""
    raise RuntimeError(
        f"{source.name} is loaded when a file of tests is imported; load it in a test"
    )


loading.compiled_ruleset = refuse_to_load
rulebooks.parse = parse_once


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
    from tests.browsing import opened_browser

    with opened_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a table that is a process of its own."""
    from tests.table.tables import served

    with served(tmp_path_factory.mktemp("table")) as (_, found):
        yield found
