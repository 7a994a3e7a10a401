"""Files: nothing but regular ones is read or replaced, links stay in their folder, and a journal has one writer."""

from __future__ import annotations

import os
import signal
import socket
import stat
from functools import cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from threading import Thread

import pytest

import hots_rules as hr
from hots_rules import _files
from hots_rules._files import atomic_write
from hots_rules.rules import find_source
from tests.playing import TINY, ruleset_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes, links and file locks")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def moments() -> list[hr.Game]:
    """The games after each of some actions."""
    games = [small().start("short", seed="a seed", chance="ask")]
    for text in ("Fox to Far East", "like", "draw Dog", "throw for Fox", "roll 1 4 5", "rest"):
        games.append(games[-1].play(text))
    return games


# ------------------------------------------------------------------ no regular files
@pytest.fixture(params=["pipe", "socket", "device", "folder", "link to a pipe"])
def irregular(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Something in a folder that is no regular file."""
    path = tmp_path / "game"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(os.path.relpath(path))  # a name of a socket is short
    elif request.param == "device":
        path.symlink_to(os.devnull)
    elif request.param == "folder":
        path.mkdir()
    else:
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to("pipe")
    return path


def test_what_is_no_regular_file_is_not_replaced(irregular: Path) -> None:
    before = os.stat(irregular)
    for write in (
        lambda: moments()[1].save(irregular),
        lambda: hr.Journal(irregular, moments()[1]),
    ):
        with pytest.raises(OSError, match=r"regular file|directory|No such device"):
            write()

    assert os.path.samestat(before, os.stat(irregular))
    assert not list(irregular.parent.glob(".*"))


def test_what_is_no_regular_file_is_not_read_and_not_waited_for(irregular: Path) -> None:
    readers = (hr.read, hr.Record.read, lambda path: hr.Journal.resume(path, small()))
    for read in readers:
        with pytest.raises(hr.BadRecord, match="cannot read"):
            read(irregular)


@pytest.mark.parametrize("name", ["a\x00b", "a\ud800"], ids=ascii)
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for write in (lambda: moments()[1].save(path), lambda: hr.Journal(path, moments()[1])):
        with pytest.raises(OSError, match="no file can have"):
            write()
    for read in (hr.read, lambda path: hr.Journal.resume(path, small())):
        with pytest.raises(hr.BadRecord, match="cannot read"):
            read(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="not the superuser")
def test_the_superuser_does_not_replace_a_device(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except OSError:
        pytest.skip("no devices can be made here")
    with pytest.raises(OSError, match="regular"):
        moments()[1].save(device)

    assert stat.S_ISCHR(os.stat(device).st_mode)


# ------------------------------------------------------------------ links in the folder of a ruleset
SECRET = "the secret line\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with a ruleset, beside a secret."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "b.rules").write_text(f'ruleset b-1 "b"\n{SECRET}')
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "a.rules").write_text('ruleset a-1 "a"\n')
    return folder


def faults_of(path: Path) -> str:
    """What is said about a ruleset."""
    with pytest.raises(hr.RulesetError) as error:
        hr.load(path)
    return str(error.value)


@pytest.mark.parametrize("name", ["b.rules", "sections.csv", "tables/b.rules"])
def test_a_link_in_a_ruleset_does_not_show_the_file_behind_it(rules: Path, name: str) -> None:
    link = rules / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(rules.parent / "secret.txt")

    said = faults_of(rules)
    assert f"the link `{link.name}` leads out of its folder" in said
    assert "secret line" not in said


def test_a_link_to_a_folder_of_a_ruleset_is_not_followed_out(rules: Path) -> None:
    (rules / "tables").symlink_to(rules.parent / "secrets")
    assert list(find_source(rules).texts) == ["rules/a.rules"]
    (rules / "tables").unlink()
    (rules / "others").mkdir()
    (rules / "others" / "b-1").symlink_to(rules.parent / "secrets")
    house = rules / "others" / "house.rules"
    house.write_text('ruleset house-1 "h"\n  extends b-1\n')

    assert "no ruleset `b-1` to extend" in faults_of(house)


@pytest.mark.parametrize("name", ["b.rules", "sections.csv"])
def test_a_pipe_in_the_folder_of_a_ruleset_is_not_waited_for(
    rules: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(rules / name)
    monkeypatch.setenv("HOTS_RULES_PATH", str(rules))

    assert "not a regular file" in faults_of(rules)
    assert "hots-4.0" in hr.rulesets()


@pytest.mark.parametrize("behind", ["secret.txt", "secrets"])
def test_a_named_link_does_not_lead_out_of_its_folder(rules: Path, behind: str) -> None:
    link = rules / "c.rules"
    link.symlink_to(rules.parent / behind)

    said = faults_of(link)
    assert "the link `c.rules` leads out of its folder" in said
    assert "secret line" not in said


def test_a_link_within_a_folder_is_followed(rules: Path) -> None:
    (rules.parent / "current").symlink_to(rules)
    (rules / "kept.txt").write_text((rules / "a.rules").read_text())
    (rules / "a.rules").unlink()
    (rules / "a.rules").symlink_to("kept.txt")

    assert "a-1" == find_source(rules.parent / "current").name


def test_a_link_in_a_folder_of_cases_does_not_show_the_file_behind_it(rules: Path) -> None:
    (rules / "a.md").symlink_to(rules.parent / "secret.txt")
    with pytest.raises(hr.HotsError, match="leads out of its folder"):
        hr.testing.check_cases(small(), rules)


# ------------------------------------------------------------------ one writer of a journal
def test_a_journal_has_one_writer(tmp_path: Path) -> None:
    path, games = tmp_path / "game", moments()
    journal = hr.Journal(path, games[0])
    for second in (lambda: hr.Journal.resume(path, small()), lambda: hr.Journal(path, games[0])):
        with pytest.raises(hr.BadRecord, match="another program writes the journal"):
            second()
    journal.add(games[2])
    journal.add(games[1])  # takes an action back, and replaces the file
    with pytest.raises(hr.BadRecord, match="another program writes the journal"):
        hr.Journal.resume(path, small())
    journal.close()

    assert games[1] == hr.read(path, small())
    with hr.Journal.resume(path, small()) as resumed:
        resumed.add(games[2])
    assert games[2] == hr.read(path, small())


@pytest.mark.parametrize("replace", ["save", "journal", "remove"])
def test_a_journal_does_not_write_into_a_file_without_a_name(
    replace: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, games = tmp_path / "game", moments()
    journal = hr.Journal(path, games[1])
    if replace == "save":
        games[2].save(path)
    elif replace == "remove":
        path.unlink()
    else:
        monkeypatch.setattr(_files, "flock", None)  # as on Windows
        hr.Journal(path, games[2])
    for write in (
        lambda: journal.add(games[3]),
        lambda: journal.add(games[0]),
        lambda: journal.comment("Well."),
        journal.close,
    ):
        with pytest.raises(hr.BadRecord, match="was replaced or removed"):
            write()

    assert path.exists() == (replace != "remove")
    assert replace == "remove" or games[2] == hr.read(path, small())


def _resume_and_add(path: Path, start: object, results: object) -> None:
    start.wait()  # type: ignore[attr-defined]
    try:
        with hr.Journal.resume(path, small(), sync=False) as journal:
            journal.add(moments()[len(journal.game.moves) + 1])
        results.put("added")  # type: ignore[attr-defined]
    except hr.BadRecord as error:
        results.put(str(error))  # type: ignore[attr-defined]


def test_what_two_processes_add_at_once_is_in_the_journal_or_refused(tmp_path: Path) -> None:
    path, context = tmp_path / "game", get_context("fork")
    moments()[0].save(path)
    for _ in range(6):
        before = len(hr.Record.read(path).entries)
        if before > 4:
            moments()[0].save(path)
            before = 0
        start, results = context.Event(), context.Queue()
        pair = [
            context.Process(target=_resume_and_add, args=(path, start, results)) for _ in range(2)
        ]
        for process in pair:
            process.start()
        start.set()
        said = [results.get(timeout=60) for _ in pair]
        for process in pair:
            process.join()

        assert len(hr.read(path, small(), sealed=True).moves) == before + said.count("added")
        assert all(text == "added" or "another program writes" in text for text in said)


def test_a_forked_process_does_not_write_the_journal_of_its_parent(tmp_path: Path) -> None:
    path, games = tmp_path / "game", moments()
    journal = hr.Journal(path, games[0])

    def write() -> None:
        for action in (lambda: journal.add(games[1]), journal.close):
            with pytest.raises(hr.BadRecord, match="that of the process that opened it"):
                action()

    child = get_context("fork").Process(target=write)
    child.start()
    child.join()
    assert 0 == child.exitcode
    with pytest.raises(hr.BadRecord, match="another program writes the journal"):
        hr.Journal.resume(path, small())
    journal.add(games[1])
    journal.close()
    assert games[1] == hr.read(path, small(), sealed=True)


def test_the_claim_of_a_process_that_was_killed_ends_with_it(tmp_path: Path) -> None:
    path, games = tmp_path / "game", moments()

    def write() -> None:
        journal = hr.Journal(path, games[0])
        journal.add(games[1])
        os.kill(os.getpid(), signal.SIGKILL)

    child = get_context("fork").Process(target=write)
    child.start()
    child.join()

    assert -signal.SIGKILL == child.exitcode
    with hr.Journal.resume(path, small()) as journal:
        assert games[1] == journal.game


def test_threads_take_turns_in_a_journal(tmp_path: Path) -> None:
    path, game = tmp_path / "game", moments()[0]
    with hr.Journal(path, game, sync=False) as journal:
        writers = [
            Thread(target=lambda: [journal.comment("Well.") for _ in range(40)]) for _ in range(4)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

    assert 160 == len(hr.Record.read(path).comments)
    assert hr.records.verify(hr.Record.read(path), small()).is_sound


def test_a_file_system_without_locks_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    path, games = tmp_path / "game", moments()
    monkeypatch.setattr(_files, "flock", refused)
    with hr.Journal(path, games[0]) as journal:
        journal.add(games[1])
    assert games[1] == hr.read(path, small())


def test_a_new_name_is_on_the_disk_before_the_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    replace, fsync = os.replace, os.fsync

    def noted(number: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(number).st_mode) else "file")
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(os, "replace", lambda *names: (replace(*names), done.append("name")))
    atomic_write(tmp_path / "game", "text")

    assert ["file", "name", "folder"] == done


# ------------------------------------------------------------------ a record that lost its end
def test_a_receiver_refuses_a_record_that_was_cut_at_the_end_of_a_line(tmp_path: Path) -> None:
    path, lines = tmp_path / "game", str(moments()[-1].record).splitlines(keepends=True)
    first = lines.index("\n") + 1
    for end in range(first, len(lines)):
        text = "".join(lines[:end])
        path.write_text(text)
        assert moments()[end - first] == hr.replay(text, small())
        with pytest.raises(hr.BadRecord, match="missing seal"):
            hr.replay(text, small(), sealed=True)
        with pytest.raises(hr.BadRecord, match="missing seal"):
            hr.read(path, small(), sealed=True)

    assert moments()[-1] == hr.replay("".join(lines), small(), sealed=True)
    for one, two in pairwise(range(first, len(lines))):  # a line that is missing within
        with pytest.raises(hr.BadRecord):
            hr.replay("".join([*lines[:one], *lines[two:]]), small(), sealed=True)
