"""The cache of compiled rulesets: whatever has become of it, a ruleset loads, and nothing is unpickled."""

from __future__ import annotations

import io
import os
import pickle
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hots_rules as hr
from hots_rules import _cache, _private_files
from hots_rules.compile import cache
from hots_rules.compile.cache import CompiledModule, facts_to_plain
from hots_rules.compile.plain import to_plain
from hots_rules.diagnostics import CacheWarning
from hots_rules.play import compiled_ruleset
from hots_rules.rules import find_source
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.typed.classes import CLASSES
from hots_rules.rules.typed.tast import TypedRuleset
from hots_rules.syntax.grammar import grammar
from tests.folders import HOME
from tests.playing import TINY, ruleset_of

pytestmark = pytest.mark.loads_anew

OF_A_RULESET = 3  # files: the rulebook, the typed tree and the compiled module


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test; the tables of the parser are read before, as it is shared."""
    grammar()
    home = tmp_path / "cache"
    monkeypatch.setenv("HOTS_RULES_CACHE", str(home))
    return home


def _kept(folder: Path) -> Path:
    """The file of the compiled module, after a ruleset was loaded."""
    key = cache.cache_key(ruleset_of(TINY).compiled.text_hash, None, traced=False)
    return folder / f"{key}.ruleset"


def _content(path: Path) -> object:
    """What the file of a compiled module holds; None if it is damaged."""
    kept = cache.read_cache(path.stem)
    return None if kept is None else (kept[0].source, facts_to_plain(kept[0].facts))


def _plays(ruleset: hr.Ruleset) -> bool:
    return "Fox" in str(ruleset.start("short", seed=1).play("Fox to North").record)


def _compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes each time that something is compiled."""
    from hots_rules.compile import make

    found: list[str] = []
    real = make.compile_typed

    def noted(*args: object, **named: object) -> object:
        found.append("compiled")
        return real(*args, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(make, "compile_typed", noted)
    return found


# ------------------------------------------------------------------ sound
def test_a_ruleset_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _compiled(monkeypatch)
    one, other = ruleset_of(TINY), ruleset_of(TINY)

    assert ["compiled"] == compiled
    assert one == other
    assert one.compiled_source() == other.compiled_source()
    assert facts_to_plain(one.schema.facts) == facts_to_plain(other.schema.facts)
    assert one.start("short", seed=1).actions == other.start("short", seed=1).actions
    assert OF_A_RULESET == len(list(folder.iterdir()))


def test_each_choice_and_each_trace_has_a_file_of_its_own(folder: Path) -> None:
    rules = ruleset_of(TINY)
    game = rules.start("short", options={"fast": True}, seed=0)
    assert game.play("rest").trace

    assert OF_A_RULESET + 2 == len(list(folder.iterdir()))
    assert all(path.suffix == ".ruleset" for path in folder.iterdir())


def test_what_comes_from_the_cache_is_what_was_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _compiled(monkeypatch)
    fresh = ruleset_of(TINY)
    kept = ruleset_of(TINY)

    assert ["compiled"] == compiled
    assert repr(facts_to_plain(fresh.schema.facts)) == repr(facts_to_plain(kept.schema.facts))
    assert fresh.rulebook.typed == kept.rulebook.typed


def test_the_typed_tree_in_the_cache_is_that_of_the_texts() -> None:
    typed = load_rulebook(find_source("lords-of-scotland")).typed
    cache.write_kept("its texts", typed, CLASSES)
    read = cache.read_kept("its texts", TypedRuleset, CLASSES)

    assert read is not None
    assert read is not typed
    assert read == typed
    assert to_plain(read, CLASSES) == to_plain(typed, CLASSES)  # the places in the texts, too
    assert cache.read_kept("other texts", TypedRuleset, CLASSES) is None


@pytest.mark.thorough
def test_who_asks_why_not_waits_for_no_parser(folder: Path) -> None:
    code = """
import sys, hots_rules
game = hots_rules.load("lords-of-scotland").start("2-players", seed=1)
assert game.why_not("engage Scott 9").text("tree") and game.ask("which turn is it").text
print([name for name in ("lark", "hots_rules.syntax.tree", "hots_rules.rules.load") if name in sys.modules])
"""
    hr.load("lords-of-scotland")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == found.stdout.strip()


def test_the_key_names_all_that_the_content_depends_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(content: str = "c", *, traced: bool = False, **settings: int) -> str:
        return cache.cache_key(content, settings, traced=traced)

    keys = [
        key(),
        key("d"),
        key(traced=True),
        key(fast=1),
        key(fast=0),
        key(slow=1),
        cache.cache_key("c", None, traced=False),
    ]
    monkeypatch.setattr(cache, "engine_hash", lambda: "another engine")
    keys.append(key())
    monkeypatch.setattr(sys, "hexversion", 1)
    keys.append(key())

    assert len(set(keys)) == len(keys)
    assert all(name.isalnum() for name in keys)


def test_another_engine_compiles_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset_of(TINY)
    compiled = _compiled(monkeypatch)
    monkeypatch.setattr(cache, "engine_hash", lambda: "another engine")

    assert _plays(ruleset_of(TINY))
    assert ["compiled"] == compiled
    assert 2 * OF_A_RULESET == len(list(folder.iterdir()))


def test_every_file_of_the_compiler_is_part_of_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "hots_rules"
    shutil.copytree(Path(hr.__file__).parent, home, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "package_home", lambda: home)
    found = set()
    for file in ("compile/make.py", "rules/typed/tast.py", "syntax/parse.py", "compile/new.py"):
        found.add(cache.engine_hash.__wrapped__())
        with (home / file).open("a", encoding="utf-8") as text:
            text.write("# changed\n")

    assert 4 == len(found)
    assert cache.engine_hash.__wrapped__() not in found


# ------------------------------------------------------------------ damaged
def test_a_damaged_file_is_made_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _kept(folder)
    data, content = path.read_bytes(), _content(path)
    assert content
    compiled = _compiled(monkeypatch)
    for damaged in (
        b"",
        b"x",
        data[:-1],
        data[: len(data) // 2],
        data + b"x",
        data[:5],
        b"\0" * len(data),
        data[::-1],
    ):
        path.write_bytes(damaged)
        assert _plays(ruleset_of(TINY))
        assert ["compiled"] == compiled
        assert content == _content(path)
        compiled.clear()


def test_no_flipped_bit_and_no_torn_file_is_taken(folder: Path) -> None:
    path = _kept(folder)
    key, data = path.stem, path.read_bytes()
    assert cache.read_cache(key) is not None
    step = max(len(data) // 400, 1)
    for at in [*range(60), *range(60, len(data), step), len(data) - 1]:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        assert cache.read_cache(key) is None
        path.write_bytes(data[:at])
        assert cache.read_cache(key) is None


def test_a_file_under_the_name_of_another_is_not_taken(folder: Path) -> None:
    path = _kept(folder)
    other = cache.cache_key("another content", None, traced=False)
    path.rename(path.with_name(f"{other}.ruleset"))

    assert cache.read_cache(other) is None
    assert _plays(ruleset_of(TINY))


def test_nothing_is_unpickled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _kept(folder)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("nothing is unpickled")

    with monkeypatch.context() as patched:
        for name in ("load", "loads", "Unpickler"):
            patched.setattr(pickle, name, refused)
        assert _plays(ruleset_of(TINY))
    path.write_bytes(pickle.dumps({"a": "pickle"}))
    assert cache.read_cache(path.stem) is None


# ------------------------------------------------------------------ what others own or may write
POSIX = pytest.mark.skipif(os.name != "posix", reason="folders of Windows have no modes")
SOMEBODY_ELSE = 65534


@pytest.fixture
def poison(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The file of a ruleset in the cache, with code that makes another file; none is made."""
    path, trace = _kept(folder), folder.with_name("trace")
    kept = cache.read_cache(path.stem)
    assert kept is not None
    compiled = CompiledModule(f"open({str(trace)!r}, 'w')\n{kept[0].source}", kept[0].facts)
    cache.write_cache(path.stem, compiled, compiled.code())
    assert cache.read_cache(path.stem) is not None
    yield path, trace
    assert not trace.exists()


@POSIX
@pytest.mark.parametrize("which", ["file", "folder"])
@pytest.mark.parametrize("how", ["may be written by all", "may be written by the group", "owner"])
def test_code_that_others_may_have_written_is_not_run(
    which: str, how: str, poison: tuple[Path, Path]
) -> None:
    path, _ = poison
    changed = path if which == "file" else path.parent
    if how == "owner":
        if os.geteuid() != 0:
            pytest.skip("only the superuser can give a file away")
        os.chown(changed, SOMEBODY_ELSE, SOMEBODY_ELSE)
    else:
        changed.chmod(0o777 if how.endswith("all") else 0o770)

    with pytest.warns(CacheWarning, match=f"others own the {which} .* mode 700"):
        assert _plays(ruleset_of(TINY))
    if which == "file":  # it is replaced
        assert cache.read_cache(path.stem) is not None


@POSIX
def test_a_folder_that_is_a_link_is_not_used(
    poison: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, trace = poison
    link = trace.with_name("link")
    link.symlink_to(path.parent)
    monkeypatch.setenv("HOTS_RULES_CACHE", str(link))

    with pytest.warns(CacheWarning, match="is a link"):
        assert _plays(ruleset_of(TINY))


@POSIX
@pytest.mark.parametrize("kind", ["link", "lost link", "fifo"])
def test_a_link_or_a_pipe_is_replaced_and_what_is_behind_it_is_kept(
    kind: str, folder: Path
) -> None:
    path, other = _kept(folder), folder.with_name("other")
    content = _content(path)
    path.rename(other)
    data = other.read_bytes()
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(other if kind == "link" else folder / "nowhere")

    assert _plays(ruleset_of(TINY))
    assert data == other.read_bytes()
    assert content
    assert content == _content(path)
    assert path.is_file()
    assert not path.is_symlink()


@POSIX
@pytest.mark.parametrize("umask", [0o000, 0o002])
def test_folders_and_files_are_for_the_user_alone(umask: int, folder: Path) -> None:
    before = os.umask(umask)
    try:
        path = _kept(folder)
        ruleset_of(TINY).start("short").save(folder.with_name("game"))
    finally:
        os.umask(before)
    (texts,) = (folder / "texts").iterdir()

    assert [0o700, 0o700] == [entry.stat().st_mode & 0o777 for entry in (folder, texts.parent)]
    assert [0o600, 0o600] == [entry.stat().st_mode & 0o777 for entry in (path, texts)]
    assert cache.read_cache(path.stem) is not None


# ------------------------------------------------------------------ what is kept
def _entry(folder: Path, days: float, name: str = "old.ruleset", size: int = 1) -> Path:
    """A file of the cache that was used some days ago."""
    path = folder / name
    path.write_bytes(b"x" * size)
    then = time.time() - days * 24 * 60 * 60
    os.utime(path, (then, then))
    return path


def test_what_was_not_used_for_long_is_removed(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    left = _entry(folder, 200, "notes.txt")
    young = _entry(folder, 50)
    for name in ("older.ruleset", ".x.ruleset.0123.new"):
        _entry(folder, 70, name)
    ruleset_of(TINY)

    assert OF_A_RULESET + 2 == len(list(folder.iterdir()))
    assert left.exists()
    assert young.exists()


def test_what_was_used_first_is_removed_to_make_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = _kept(folder).stat().st_size
    used = sum(path.stat().st_size for path in folder.iterdir())
    monkeypatch.setattr(_cache, "_max_bytes", lambda: used + 2 * size)
    first, second = (_entry(folder, days, f"{days}.ruleset", size) for days in (2, 1))
    ruleset_of(TINY).start("short", options={"fast": True})

    assert not first.exists()
    assert second.exists()
    assert OF_A_RULESET + 2 == len(list(folder.iterdir()))


def test_a_file_that_is_used_stays_young(folder: Path) -> None:
    path = _kept(folder)
    then = time.time() - 40 * 24 * 60 * 60
    os.utime(path, (then, then))
    ruleset_of(TINY)

    assert time.time() - path.stat().st_mtime < 60


def test_machines_in_memory_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_ruleset, "MAX_KEPT", 3)
    compiled, rules = _compiled(monkeypatch), ruleset_of(TINY)
    games = [
        rules.start("short", options={"fast": n % 2 == 0}, seed=0).play("rest") for n in range(4)
    ]
    for game in games:
        assert game.trace
        assert game.view("Red")
        assert len(rules.compiled._memo) <= 3

    assert 4 == len(compiled)  # others were read from the cache again
    assert games[0] == rules.start("short", options={"fast": True}, seed=0).play("rest")


# ------------------------------------------------------------------ a folder that is no use
# A superuser may write anywhere, so a folder that cannot be used is made of other things.
def _useless(home: Path, kind: str) -> str:
    match kind:
        case "a file":
            home.write_text("a file", encoding="utf-8")
        case "in a file":
            home.write_text("a file", encoding="utf-8")
            return str(home / "cache")
        case "a lost link":
            home.symlink_to(home.with_name("nowhere") / "lost")
        case "a link to itself":
            home.symlink_to(home)
        case "too long":
            return str(home / ("x" * 5000))
        case "no text":
            return str(home / "\udcff\udcff")
        case "a device":
            return os.devnull
    return str(home)


@pytest.mark.parametrize(
    "kind",
    ["a file", "in a file", "a lost link", "a link to itself", "too long", "no text", "a device"],
)
def test_without_a_usable_folder_a_ruleset_loads(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", _useless(folder, kind))

    assert _plays(ruleset_of(TINY))
    assert _plays(ruleset_of(TINY))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="a superuser may write")
def test_a_read_only_folder_does_no_harm(folder: Path) -> None:
    folder.mkdir(mode=0o500)
    try:
        assert _plays(ruleset_of(TINY))
        assert [] == list(folder.iterdir())
    finally:
        folder.chmod(0o700)


def test_a_folder_in_place_of_a_file_does_no_harm(folder: Path) -> None:
    path = _kept(folder)
    path.unlink()
    path.mkdir()

    assert _plays(ruleset_of(TINY))
    assert path.is_dir()
    assert OF_A_RULESET == len(list(folder.iterdir()))


class FullDisk(io.FileIO):
    """A file that is made and cannot be written."""

    def write(self, *_: object) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("failing", ["replace", "write"])
def test_a_write_that_fails_leaves_nothing_behind(
    failing: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def without_space(path: Path, mode: str, **named: Any) -> Any:
        return FullDisk(path, mode) if mode == "xb" else open(path, mode, **named)

    if failing == "replace":
        monkeypatch.setattr(os, "replace", full)
    else:
        monkeypatch.setattr(_private_files, "open", without_space, raising=False)

    assert _plays(ruleset_of(TINY))
    assert [] == list(folder.iterdir())


def test_the_users_cache_folder_is_used_where_none_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOTS_RULES_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))

    assert "hots_rules" in _cache.cache_folder().parts[-2:]
    monkeypatch.setenv("HOTS_RULES_CACHE", "")
    assert "hots_rules" in _cache.cache_folder().parts[-2:]


# ------------------------------------------------------------------ several at once
@pytest.mark.thorough
def test_two_processes_at_once_do_each_other_no_harm(folder: Path) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.playing import TINY, ruleset_of
print(ruleset_of(TINY).start("short", seed=1).play("Fox to North").record)
"""
    here = str(HOME)
    running = [
        subprocess.Popen([sys.executable, "-c", code, here], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = {process.communicate()[0] for process in running}

    assert [0, 0, 0] == [process.returncode for process in running]
    assert 1 == len(said)
    tables_of_the_parser = 1
    assert ["ruleset"] * (OF_A_RULESET + tables_of_the_parser) == [
        path.suffix[1:] for path in folder.iterdir()
    ]


# ------------------------------------------------------------------ the parser
@pytest.mark.thorough
def test_tables_of_the_parser_are_kept(folder: Path) -> None:
    built = grammar.__wrapped__()
    text = TINY
    files = list(folder.iterdir())
    read = grammar.__wrapped__()

    assert 1 == len(files) == len(list(folder.iterdir()))
    trees = [each.parse(text, start="file") for each in (built, read)]
    lines = [[part.meta.line for part in tree.iter_subtrees() if part.children] for tree in trees]
    assert trees[0] == trees[1]
    assert lines[0] == lines[1]


@pytest.mark.thorough
def test_a_parser_from_its_tables_says_what_it_expected(folder: Path) -> None:
    built, read = grammar.__wrapped__(), grammar.__wrapped__()
    expected = [each.parse_interactive("", start="file").accepts() for each in (built, read)]

    assert expected[0]
    assert expected[0] == expected[1]
