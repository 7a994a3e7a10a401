"""The wheel: what is in it, and that it plays wherever it is put: zipped, offline, without a home, with plugins."""

from __future__ import annotations

import email
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from textwrap import dedent

import pytest

from tests.folders import HOME
from tests.needs import needs
from tests.playing import TINY

MAX_BYTES = 2_360_000  # what a page in a browser can load: 70,000 are statements of the rulebooks, 60,000 sample games
SECTIONS = "section,heading\n" + "".join(f"{n},Section {n}\n" for n in range(1, 10))
# One short game of the shipped library, from the place that it was imported from.
ONE_GAME = """
import hots_rules as hr
game = hr.load("lords-of-scotland").start("2-players", seed=1)
for _ in range(3):
    game = game.play(game.actions[0])
assert hr.replay(game.record) == game
print(hr.__file__, len(game.moves))
"""


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built once."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == built.returncode, built.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def cache() -> Path:
    """The cache of the test run, for the tests in which it does not matter who compiled first."""
    return Path(os.environ["HOTS_RULES_CACHE"])


def run(
    code: str, path: list[Path], cache: Path | str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """What a program prints that has nothing but some places on its path; without the checkout."""
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), **environment}
    own["HOTS_RULES_CACHE"] = str(cache)
    return subprocess.run(
        [sys.executable, "-c", dedent(code)], cwd=path[0].parent, env=own, capture_output=True, text=True, check=False
    )  # fmt: skip


def printed(code: str, path: list[Path], cache: Path | str, **environment: str) -> str:
    """What a program prints that ends well."""
    done = run(code, path, cache, **environment)
    assert 0 == done.returncode, done.stderr
    return done.stdout


# ------------------------------------------------------------------ what is in it
def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < MAX_BYTES


def test_the_wheel_holds_what_is_needed_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0].partition("-")[0] for name in names}

    assert {"hots_rules"} == tops
    for needed in (
        "hots_rules/py.typed",
        "hots_rules/_data/grammar/rules.lark",
        "hots_rules/_data/rulesets/hots/4.0/battles.rules",
        "hots_rules/formats/schemas/state.v2.json",
        "hots_rules/formats/schemas/hots_rules.d.ts",
    ):
        assert needed in names
    assert [] == [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert [] == [name for name in names if "/tests/" in name]


def test_the_metadata_is_what_an_index_expects(wheel: Path) -> None:
    """Every classifier is one that the index knows, and the licence is an expression with its file."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        found = email.message_from_bytes(archive.read(name))
        licences = [n for n in archive.namelist() if ".dist-info/licenses/" in n]
    classifiers = found.get_all("Classifier") or []
    known = needs("trove_classifiers").classifiers

    assert set() == set(classifiers) - known
    assert "MIT" == found["License-Expression"]
    assert [] == [one for one in classifiers if one.startswith("License ::")]
    assert ["LICENSE"] == found.get_all("License-File")
    assert 1 == len(licences)
    assert ">=3.11" == found["Requires-Python"]
    assert "text/markdown" == found["Description-Content-Type"]
    assert {f"Programming Language :: Python :: 3.{n}" for n in (11, 12, 13)} <= set(classifiers)
    needed = [one for one in found.get_all("Requires-Dist") or [] if "extra ==" not in one]
    assert {"attrs", "cattrs", "lark", "platformdirs"} == {one.partition(">")[0] for one in needed}


# ------------------------------------------------------------------ wherever it is put
@pytest.mark.thorough
def test_the_wheel_plays_zipped(wheel: Path, tmp_path: Path) -> None:
    listed = "print(*hr.rulesets()); print(len(hr.formats.schema('hots_rules/state.v2')))"
    for _ in ("compiled", "from the cache"):
        said = printed(f"{ONE_GAME}{listed}", [wheel], tmp_path / "cache")
        assert said.startswith(f"{wheel}{os.sep}hots_rules")
        assert "hots-4.0" in said


@pytest.mark.nightly
def test_every_ruleset_plays_zipped(wheel: Path, tmp_path: Path) -> None:
    code = """
    import hots_rules as hr
    for name in hr.rulesets():
        rules = hr.load(name)
        game = rules.start(rules.scenarios[0], seed=1)
        while not game.is_over and len(game.moves) < 20:
            game = game.play(game.actions[-1])
        assert hr.replay(game.record).trace == game.trace
        print(hr.explain.declarations_citing(rules, "1") is not None)
    """
    assert "False" not in printed(code, [wheel], tmp_path / "cache")


@pytest.mark.thorough
def test_it_plays_without_a_home_or_a_folder_to_write(tmp_path: Path) -> None:
    """Nothing that is there can be written: no cache is kept, and games go on."""
    nowhere = "/dev/null/nowhere"
    code = ONE_GAME.replace("hr.replay(game.record)", "hr.replay(game.record, game.ruleset)")
    said = printed(code, [HOME], "", HOME=nowhere, XDG_CACHE_HOME=nowhere, TMPDIR=nowhere)

    assert said.endswith(" 3\n")


@pytest.mark.thorough
def test_it_plays_offline_and_starts_no_other_program(tmp_path: Path) -> None:
    """Whoever asks for a socket or a process in it fails; loading, playing, saving and messages do not ask."""
    code = f"""
    import sys
    def refuse(event, args):
        if event.split(".")[0] in ("socket", "subprocess", "urllib") or event in ("os.system", "os.exec"):
            raise SystemExit(f"asked for {{event}}")
    sys.addaudithook(refuse)
    {ONE_GAME.replace(chr(10), chr(10) + "    ")}
    hr.to_json(game); hr.formats.corpus_files(hr.load("lords-of-scotland").start("2-players"), 2)
    """
    assert printed(code, [HOME], tmp_path / "cache").endswith(" 3\n")


def test_the_hook_of_that_test_works(tmp_path: Path) -> None:
    code = """
    import sys
    def refuse(event, args):
        if event.startswith("socket"):
            raise SystemExit(f"asked for {event}")
    sys.addaudithook(refuse)
    import socket
    socket.create_connection(("127.0.0.1", 9))
    """
    assert "asked for socket" in run(code, [HOME], tmp_path).stderr


# ------------------------------------------------------------------ plugins
def plugin(folder: Path, name: str, value: str, files: dict[str, str]) -> Path:
    """An installed package with an entry point."""
    for file, text in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[hots_rules.rulesets]\n{name} = {value}\n")
    return folder


TINY_FILES = {
    "tiny_rules/__init__.py": "raise AssertionError('the code of a plugin is run')\n",
    "tiny_rules/rulesets/tiny/tiny.rules": TINY,
    "tiny_rules/rulesets/tiny/sections.csv": SECTIONS,
}
PLAYED = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import hots_rules as hr
    assert "hots-4.0" in hr.rulesets()
    game = hr.load("tiny-1.0").start("short", seed=1).play("rest")
    assert hr.replay(game.record) == game
    hr.load("lords-of-scotland")
print(hr.rulesets()["tiny-1.0"])
for one in told:
    print(one.category.__name__, one.message)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("value", ["tiny_rules.rulesets", "tiny_rules.rulesets:all"])
def test_a_plugin_brings_its_rulesets_and_runs_no_code(
    value: str, tmp_path: Path, cache: Path
) -> None:
    site = plugin(tmp_path / "site", "tiny-rules", value, TINY_FILES)

    assert "A tiny game\n" == printed(PLAYED, [HOME, site], cache)


@pytest.mark.thorough
def test_a_plugin_may_extend_what_is_shipped_and_be_extended(tmp_path: Path, cache: Path) -> None:
    house = 'ruleset house-4.0 "Our table"\n  extends lords-of-scotland\n'
    other = 'ruleset guests-4.0 "Their table"\n  extends house-4.0\n'
    site = plugin(tmp_path / "site", "house", "house_rules", {"house_rules/house.rules": house})
    (tmp_path / "guests.rules").write_text(other, encoding="utf-8")
    code = f"""
    import hots_rules as hr
    print(hr.load("house-4.0").title, hr.load({str(tmp_path / "guests.rules")!r}).title)
    """
    assert "Our table Their table\n" == printed(code, [HOME, site], cache)


def test_a_zipped_plugin_brings_its_rulesets(tmp_path: Path, cache: Path) -> None:
    site = plugin(tmp_path / "site", "tiny-rules", "tiny_rules.rulesets", TINY_FILES)
    packed = tmp_path / "tiny_rules-1.0-py3-none-any.whl"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in site.rglob("*"):
            archive.write(path, path.relative_to(site))

    assert "A tiny game\n" == printed(PLAYED, [HOME, packed], cache)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("value", "files", "said"),
    [
        ("absent_package", {}, "no package `absent_package`"),
        ("broken.absent", {"broken/__init__.py": ""}, "no folder of that name"),
        ("broken_module", {"broken_module.py": "1/0"}, "no folder of rulesets at `broken_module`"),
        ("???", {}, "no folder of rulesets at `???`"),
        (".relative", {}, "no folder of rulesets at `.relative`"),
    ],
)
def test_a_broken_plugin_is_warned_of_and_breaks_nothing(
    value: str, files: dict[str, str], said: str, tmp_path: Path, cache: Path
) -> None:
    """Only what is shipped or named otherwise is found without a word: who asks for no plugin hears of none."""
    sound = plugin(tmp_path / "sound", "tiny-rules", "tiny_rules.rulesets", TINY_FILES)
    site = plugin(tmp_path / "site", "a-broken-one", value, files)
    told = printed(PLAYED, [HOME, site, sound], cache).splitlines()

    assert "A tiny game" == told[0]
    assert told[1:]
    for line in told[1:]:
        assert line.startswith("PluginWarning the plugin `a-broken-one` has no folder of rulesets")
        assert said in line


@pytest.mark.parametrize("listed", [b"[hots_rules.rulesets]\nfoo = \xff.bar\n", b"[x]\nfoo\n"])
def test_a_package_with_a_damaged_list_of_entry_points_breaks_nothing(
    listed: bytes, tmp_path: Path, cache: Path
) -> None:
    sound = plugin(tmp_path / "sound", "tiny-rules", "tiny_rules.rulesets", TINY_FILES)
    site = plugin(tmp_path / "site", "damaged", "absent", {})
    next(site.glob("*/entry_points.txt")).write_bytes(listed)
    told = printed(PLAYED, [HOME, site, sound], cache).splitlines()

    assert "A tiny game" == told[0]
    for line in told[1:]:
        assert line.startswith("PluginWarning the entry points of the package `damaged` cannot be")


def test_a_plugin_with_a_faulty_ruleset_breaks_nothing_else(tmp_path: Path, cache: Path) -> None:
    files = {**TINY_FILES, "tiny_rules/rulesets/bad/bad.rules": "ruleset bad \x00 nonsense\n"}
    site = plugin(tmp_path / "site", "tiny-rules", "tiny_rules.rulesets", files)

    assert "A tiny game\n" == printed(PLAYED, [HOME, site], cache)


def test_a_plugin_cannot_take_the_name_of_what_is_shipped(tmp_path: Path, cache: Path) -> None:
    false = TINY.replace("tiny-1.0", "hots-4.0")
    site = plugin(tmp_path / "site", "false", "false_rules", {"false_rules/a.rules": false})
    code = "import hots_rules as hr; print(hr.rulesets()['hots-4.0']); print(hr.load('hots-4.0').title)"
    said = printed(code, [HOME, site], cache).splitlines()

    assert 1 == len(set(said))
    assert "Hammer" in said[0]


def test_what_is_shipped_loads_without_looking_for_plugins(cache: Path) -> None:
    code = """
    import sys, hots_rules as hr
    hr.load("hots-4.0").start("braveheart")
    print("importlib.metadata" in sys.modules, "hots_rules.rules.sources.plugins" in sys.modules)
    """
    assert "False False\n" == printed(code, [HOME], cache)


def test_extras_are_named_and_tests_have_what_they_bring() -> None:
    """`dev` has what the other extras bring. The README names those for users, CONTRIBUTING those for developers."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pages = "".join((HOME / page).read_text("utf-8") for page in ("README.md", "CONTRIBUTING.md"))
    everything = brought(extras, "dev")

    for name in extras:
        assert f"`{name}`" in pages or f"'.[{name}]'" in pages, name
        assert brought(extras, name) <= everything, name


def brought(extras: dict[str, list[str]], name: str) -> set[str]:
    """What an extra brings, itself or by extras that it names."""
    found: set[str] = set()
    for wanted in extras[name]:
        names = re.fullmatch(r"hots-rules\[(.*)\]", wanted)
        found |= (
            set().union(*(brought(extras, each) for each in names[1].split(",")))
            if names
            else {wanted}
        )
    return found
