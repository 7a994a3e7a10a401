"""Attacks on files: foreign data in the cache, several writers of one file, and processes that are killed.

Each `run` raises `AssertionError` where foreign code runs or what was acknowledged is lost.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from warnings import catch_warnings, simplefilter

import hots_rules as hr
from hots_rules.compile import cache
from hots_rules.compile.cache import CompiledModule

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.playing import TINY, last_of, ruleset_of

Data = dict[str, object]


def in_child(work: Callable[[int], None]) -> tuple[int, int]:
    """Start a process that does some work; its number, and a pipe that it writes to."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        try:
            work(writer)
        finally:
            os._exit(0)
    os.close(writer)
    return process, reader


def said(reader: int, process: int) -> str:
    """All that a process wrote to its pipe, when it has ended."""
    with open(reader, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(process, 0)
    return text


# ------------------------------------------------------------------ the cache
def make_cache(chooser: Random) -> Data:
    return {
        "attacks": chooser.choices(sorted(ATTACKS), k=chooser.randrange(1, 4)),
        "seed": chooser.random(),
    }


def run_cache(data: Data, folder: Path) -> None:
    """Load a ruleset from a folder that somebody else has changed."""
    home, trace, precious = folder / "cache", folder / "trace", folder / "precious"
    precious.write_text("kept")
    os.environ["HOTS_RULES_CACHE"] = str(home)
    chooser = Random(str(data["seed"]))
    before = str(ruleset_of(TINY).start("short", seed=1).play("Fox to North").record)
    for name in data["attacks"]:  # type: ignore[attr-defined]
        with suppress(
            FileNotFoundError, FileExistsError, IsADirectoryError, IndexError, ValueError
        ):
            ATTACKS[name](chooser.choice(sorted(home.glob("*.ruleset"))), trace, chooser)
    with catch_warnings():
        simplefilter("ignore")
        game = ruleset_of(TINY).start("short", seed=1).play("Fox to North")
        assert game.trace
        game.save(folder / "game")
    assert before == str(game.record), "a ruleset from the cache plays otherwise"
    assert not trace.exists(), "foreign code was run"
    assert precious.read_text() == "kept", "a file behind a link was overwritten"


def _poison(path: Path, trace: Path, chooser: Random) -> None:
    """Code of somebody else under the right name, with a right digest."""
    kept = cache.read_cache(path.stem)
    if kept is None:
        return
    foreign = CompiledModule(f"open({str(trace)!r}, 'w')\n{kept[0].source}", kept[0].facts)
    cache.write_cache(path.stem, foreign, foreign.code())
    if os.geteuid() == 0 and chooser.random() < 0.5:
        os.chown(path, 65534, 65534)
    else:
        path.chmod(0o666)


def _poison_the_folder(path: Path, trace: Path, chooser: Random) -> None:
    _poison(path, trace, chooser)
    with suppress(FileNotFoundError):
        os.chown(path, os.geteuid(), os.getegid())
        path.chmod(0o600)
    path.parent.chmod(0o777)


def _is_kept(path: Path) -> bool:
    """Whether no other attack has replaced a file of the cache: damage goes to what a link leads to."""
    return path.is_file() and not path.is_symlink()


def _damage(path: Path, _: Path, chooser: Random) -> None:
    if not _is_kept(path):
        return
    data = bytearray(path.read_bytes())
    for _ in range(chooser.randrange(1, 9)):
        data[chooser.randrange(len(data))] ^= 1 << chooser.randrange(8)
    path.write_bytes(data)


def _cut(path: Path, _: Path, chooser: Random) -> None:
    if _is_kept(path):
        os.truncate(path, chooser.randrange(path.stat().st_size + 1))


def _link(path: Path, _: Path, chooser: Random) -> None:
    path.unlink()
    path.symlink_to(path.parent.parent / chooser.choice(("precious", "absent", "cache")))


def _link_of_texts(path: Path, _: Path, chooser: Random) -> None:
    texts = path.parent / "texts"
    texts.mkdir(mode=0o700, exist_ok=True)
    name = ruleset_of(TINY).content_hash
    (texts / f"{name}.texts").symlink_to(path.parent.parent / "precious")


def _folder_link(path: Path, _: Path, chooser: Random) -> None:
    path.parent.rename(path.parent.with_name("real"))
    path.parent.symlink_to(path.parent.with_name("real"))


def _pipe(path: Path, _: Path, chooser: Random) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path, _: Path, chooser: Random) -> None:
    path.unlink()
    path.mkdir()


def _other_name(path: Path, _: Path, chooser: Random) -> None:
    path.rename(path.with_name(f"{chooser.getrandbits(160):040x}.ruleset"))


ATTACKS: dict[str, Callable[[Path, Path, Random], None]] = {
    attack.__name__.strip("_"): attack
    for attack in (
        _poison, _poison_the_folder, _damage, _cut, _link, _link_of_texts, _folder_link, _pipe, _folder, _other_name,
    )
}  # fmt: skip


# ------------------------------------------------------------------ several writers
def make_writers(chooser: Random) -> Data:
    return {
        "writers": chooser.randrange(2, 4),
        "seed": chooser.random(),
        "before": chooser.randrange(6),
        "how": chooser.choice(("add", "add", "save", "journal")),
    }


def run_writers(data: Data, folder: Path) -> None:
    """Let processes write to one file at the same instant: what is acknowledged is in a readable file."""
    chooser, path = Random(str(data["seed"])), folder / "game.txt"
    rules = ruleset_of(TINY)
    game = last_of(rules.start("short", seed=1), chooser, int(str(data["before"])))
    games = [game.play(chooser.choice(game.actions)) for _ in range(int(str(data["writers"])))]
    hr.Journal(path, game, sync=False).close()
    at = time.monotonic() + 0.01
    works = [_writer(str(data["how"]), path, mine, at) for mine in games]
    answers = [said(reader, process) for process, reader in [in_child(work) for work in works]]
    found = read_back(path, rules)
    acknowledged = [mine for mine, answer in zip(games, answers, strict=True) if answer]
    if data["how"] == "save":
        assert acknowledged == games, "a save failed"
        assert found in games, "the file holds none of the games that were saved"
    elif data["how"] == "add":
        assert len(acknowledged) <= 1, (
            f"{len(acknowledged)} writers of one journal were acknowledged"
        )
        assert found == (acknowledged[0] if acknowledged else game), (
            "an acknowledged action is lost"
        )
    else:
        assert found in (game, *games)


def read_back(path: Path, rules: hr.Ruleset, *, is_torn: bool = False) -> hr.Game:
    """The game in a file, which must be readable; a journal may end with an incomplete line."""
    try:
        return hr.Journal.resume(path, rules).game if is_torn else hr.read(path, rules)
    except hr.HotsError as error:
        raise AssertionError(f"the file is unreadable: {error}") from None


def _writer(how: str, path: Path, game: hr.Game, at: float) -> Callable[[int], None]:
    before = path.exists() and hr.read(path, game.ruleset)

    def work(pipe: int) -> None:
        journal = hr.Journal.resume(path, game.ruleset, sync=False) if how == "add" else None
        while time.monotonic() < at:
            pass
        try:
            if journal is not None:
                # A writer that comes after another sees what that has written.
                if len(journal.game.moves) == len(game.moves):
                    return
                journal.add(game)
            elif how == "save":
                game.save(path)
            elif before:
                hr.Journal(path, before, sync=False).add(game)
        except (hr.HotsError, OSError):
            return
        os.write(pipe, b"acknowledged")

    return work


# ------------------------------------------------------------------ killed processes
def make_killed(chooser: Random) -> Data:
    return {
        "seed": chooser.random(),
        "after": chooser.random() ** 2 * 0.3,
        "what": chooser.choice(("journal", "journal", "save", "cache")),
    }


def run_killed(data: Data, folder: Path) -> None:
    """Kill a process while it writes: nothing that it acknowledged is lost."""
    os.environ["HOTS_RULES_CACHE"] = str(folder / "cache")
    path, rules, what = folder / "game.txt", ruleset_of(TINY), str(data["what"])
    chooser = Random(str(data["seed"]))

    def work(pipe: int) -> None:
        game = rules.start("short", seed=1)
        journal = hr.Journal(path, game) if what == "journal" else None
        while not game.is_over:
            game = game.play(chooser.choice(game.actions))
            if journal is not None:
                journal.add(game)
            elif what == "save":
                game.save(path)
            else:
                for file in (folder / "cache").glob("*.ruleset"):
                    file.unlink()
                ruleset_of(TINY)
            os.write(pipe, b".")

    process, reader = in_child(work)
    time.sleep(float(str(data["after"])))
    os.kill(process, signal.SIGKILL)
    acknowledged = len(said(reader, process))
    if what == "cache":
        assert ruleset_of(TINY).start("short", seed=1).actions
    elif path.exists():
        found = read_back(path, rules, is_torn=what == "journal")
        assert acknowledged <= len(found.moves) <= acknowledged + 1, (
            "an acknowledged action is lost"
        )
    else:
        assert not acknowledged, "the file is lost"
