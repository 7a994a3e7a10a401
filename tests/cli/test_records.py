"""Records on the command line: replay, migration, verification, common seeds, formats."""

from __future__ import annotations

import json
import re
import stat
from contextlib import nullcontext
from pathlib import Path
from random import Random
from unittest.mock import MagicMock

import pytest
from rich.console import Console
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.output import console
from tests.playing import TINY, last_of

SECTIONS = "section,heading\n" + "".join(f"{n},Section {n}\n" for n in range(1, 10))


def hots(*words: object) -> tuple[int, str, str]:
    """The exit code of a command, what it says, and what it complains of."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.rules"
    path.write_text(TINY, encoding="utf-8")
    (tmp_path / "sections.csv").write_text(SECTIONS, encoding="utf-8")
    return path


@pytest.fixture
def record(tmp_path: Path, rules: Path) -> Path:
    path = tmp_path / "game.txt"
    game = hr.load(rules).start("short", seed=7)
    for text in ("Fox to North", "like", "Dog to South"):
        game = game.play(text)
    game.save(path)
    return path


def test_a_record_is_replayed_up_to_an_action(record: Path, rules: Path) -> None:
    for at in range(4):
        code, message, _ = hots("replay", record, "--ruleset", rules, "--at", at, "--no-board")
        assert 0 == code
        assert message.startswith(f"tiny-1.0 short, seed 7, {at} decisions\n")
    assert (
        "expected a number of actions from 0 to 3, got 4"
        in hots("replay", record, "--ruleset", rules, "--at", 4)[2]
    )


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("replay", "RECORD", "--ruleset", "RULES"), "replaying the record"),
        (("verify", "RECORD", "--ruleset", "RULES"), "replaying the record"),
        (("draw", "RECORD", "--ruleset", "RULES"), "replaying the record"),
        (("why", "RECORD", "Fox to North", "--ruleset", "RULES"), "replaying the record"),
        (("show", "RULES", "1"), "loading RULES"),
        (("check", "RULES"), "loading RULES"),
        (("diff", "RULES", "RULES"), "comparing RULES and RULES"),
        (
            ("ask", "RECORD", "like", "--ruleset", "RULES", "--edition", "RULES"),
            "asking the editions",
        ),
        (("replay", "RECORD", "--under", "RULES", "--ruleset", "RULES"), "replaying the game"),
        (("fmt", "RULES", "--check"), "files"),
        (("play", "RULES", "short", "--quiet"), "decisions"),
        (("play", "RULES", "short", "--json"), "decisions"),
        (("simulate", "RULES", "short", "--games", "2"), "games"),
        (("export", "corpus", "FOLDER", "RULES", "short"), "playing a sample game"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_long_work_is_shown_to_who_waits(
    command: tuple[str, ...],
    shown: str,
    record: Path,
    rules: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []

    def status(_: Console, text: str) -> object:
        said.append(text)
        return nullcontext()

    monkeypatch.setattr(Console, "status", status)
    monkeypatch.setattr(console, "is_watched", lambda: True)
    monkeypatch.setattr(console, "DELAY", -1.0)
    monkeypatch.setattr(console, "_new_bar", lambda unit: said.append(unit) or MagicMock())
    places = {"RECORD": str(record), "RULES": str(rules), "FOLDER": str(tmp_path / "corpus")}
    hots(*(places.get(word, word) for word in command))
    for name, place in places.items():
        shown = shown.replace(name, place)

    assert [text for text in said if text.startswith(shown)], said


@pytest.mark.thorough
def test_the_comments_of_a_state_are_shown(record: Path, rules: Path) -> None:
    text = record.read_text(encoding="utf-8").replace(
        "Blue: like", "# Well \x1b[31mmoved.\nBlue: like"
    )
    record.write_text(text, encoding="utf-8")

    assert (
        "# Well \ufffd[31mmoved."
        in hots("replay", record, "--ruleset", rules, "--at", 1, "--no-board")[1]
    )
    assert "moved" not in hots("replay", record, "--ruleset", rules, "--at", 2, "--no-board")[1]


def test_an_incomplete_last_line_is_reported_and_ignored(record: Path, rules: Path) -> None:
    whole = record.read_text(encoding="utf-8")
    record.write_text(whole.partition("state ")[0] + "Blue: re", encoding="utf-8")
    code, message, complaint = hots("replay", record, "--ruleset", rules, "--json")

    assert 0 == code
    assert 3 == json.loads(message)["decisions"]
    assert "Blue: re" == json.loads(message)["torn"]["text"]
    assert re.search(r"line \d+ is incomplete and was ignored: `Blue: re`", complaint)
    assert 1 == hots("verify", record, "--ruleset", rules)[0]


def test_an_intact_record_is_verified(record: Path, rules: Path) -> None:
    code, message, _ = hots("verify", record, "--ruleset", rules)

    assert 0 == code
    assert "3 actions, 3 digests match" in message
    assert hr.Record.read(record).seal in message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seed 7", "seed 8", "expected the digest"),
        ("North", "South", "expected the digest"),
        ("Blue: like", "Blue: rest", "expected the digest"),
        (r" #\w{8}", "", ""),
        (r"state \w+\n", "", ""),
    ],
)
def test_a_record_that_was_tampered_with_is_not_verified(
    old: str, new: str, message: str, record: Path, rules: Path
) -> None:
    text = record.read_text(encoding="utf-8")
    record.write_text(re.sub(old, new, text, count=1), encoding="utf-8")
    code, told, _ = hots("verify", record, "--ruleset", rules, "--json")

    assert 1 == code
    assert not json.loads(told)["sound"]
    assert message in json.loads(told)["fault"]
    assert message in hots("verify", record, "--ruleset", rules)[2]


@pytest.mark.thorough
def test_a_record_of_a_changed_ruleset_is_refused_pinned_or_migrated(
    record: Path, rules: Path, tmp_path: Path
) -> None:
    rules.write_text(
        TINY.replace("win none", "win Red").replace("Dog  2", "Dog  4"), encoding="utf-8"
    )
    words = ("replay", record, "--ruleset", rules, "--no-board")

    code, _, complaint = hots(*words)
    assert 1 == code
    assert "replay it pinned to its own texts, or migrate it" in complaint
    assert 0 == hots(*words, "--content", "pinned")[0]
    drawn = ("draw", record, "--ruleset", rules)
    assert 1 == hots(*drawn)[0]
    # Only `replay` migrates, and every command names it.
    code, _, complaint = hots("why", record, "--ruleset", rules)
    assert 1 == code
    assert "with `--content pinned`, or by `hots replay FILE --content migrate`" in complaint
    code, picture, _ = hots(*drawn, "--content", "pinned")
    assert 0 == code and picture.startswith("<svg")
    code, message, _ = hots(*words, "--content", "migrate")
    assert "3 of 3 actions played" in message
    assert code == (0 if "no divergence" in message else 1)
    rules.write_text(
        TINY.replace("permit\n  draw p", "permit when turn > 5\n  draw p"), encoding="utf-8"
    )
    code, message, _ = hots(*words, "--content", "migrate", "--json")
    assert 1 == code
    assert {"kind": "action", "at": 2, "text": "Blue: like"}.items() <= json.loads(message)[
        "migration"
    ]["first"].items()


def test_two_players_mix_a_seed_and_anybody_verifies_their_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sent = [hots("seed", "commit", player, f"{player}.secret")[1].strip() for player in "AB"]
    told = [hots("seed", "reveal", player, f"{player}.secret")[1].strip() for player in "AB"]
    words = [w for pair in sent for w in ("--commitment", pair)] + [
        w for pair in told for w in ("--secret", pair)
    ]
    code, seed, _ = hots("seed", "mix", *words)

    assert 0 == code
    assert re.fullmatch(r"[0-9a-f]{64}\n", seed)
    assert 0o600 == stat.S_IMODE(Path("A.secret").stat().st_mode)
    game = last_of(
        hr.load("lords-of-scotland").start("2-players", seed=seed.strip()), Random(1), 10
    )
    game.save("game.txt")
    assert 0 == hots("seed", "verify", "game.txt", *words)[0]
    game.ruleset.start("2-players", seed="mine").save("other.txt")
    code, _, complaint = hots("seed", "verify", "other.txt", *words)
    assert (1, True) == (code, "expected a game with the seed" in complaint)
    game.ruleset.start("2-players", seed=seed.strip(), chance="ask").save("asked.txt")
    code, _, complaint = hots("seed", "verify", "asked.txt", *words)
    assert (1, True) == (code, "got one whose outcomes were given" in complaint)
    assert 2 == hots("seed", "commit", "A", "A.secret")[0]
    assert 1 == hots("seed", "mix", *[w.replace("B=", "C=") for w in words[:4]], *words[4:])[0]


def test_a_malformed_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\xff" * 50)
    code, _, complaint = hots("seed", "reveal", "A", tmp_path / "x")

    assert 1 == code
    assert "as 64 hexadecimal digits" in complaint
    assert 2 == hots("seed", "mix", "--commitment", "A", "--secret", "A=1")[0]


def test_schemas_are_printed_as_they_are_shipped(tmp_path: Path) -> None:
    assert hr.formats.format_names() == tuple(hots("export", "schema")[1].split())
    assert hr.formats.schema("hots_rules/view.v4") == hots("export", "schema", "view.v4")[1]
    assert hr.formats.typescript_types() == hots("export", "types")[1]
    assert 2 == hots("export", "schema", "veiw.v1")[0]


def test_a_corpus_is_written_for_a_ruleset_of_the_user(rules: Path, tmp_path: Path) -> None:
    code, message, _ = hots(
        "export", "corpus", tmp_path / "out", rules, "short", "--actions", 4, "--ask"
    )

    assert 0 == code
    assert sorted(map(str, (tmp_path / "out").iterdir())) == sorted(message.split())
    told = json.loads((tmp_path / "out" / "corpus.v2.json").read_text(encoding="utf-8"))
    assert ("ask", 5) == (told["record"]["chance"], len(told["moments"]))


# ---------------------------------------------------------------- seals
def test_a_record_that_lost_its_end_is_refused_where_a_seal_is_asked_for(
    record: Path, rules: Path
) -> None:
    words = ("replay", record, "--ruleset", rules, "--no-board")

    assert 0 == hots(*words, "--sealed")[0]
    assert 0 == hots(*words, "--sealed", "--at", 1)[0]
    record.write_text("".join(record.read_text("utf-8").splitlines(True)[:-2]), encoding="utf-8")
    assert 0 == hots(*words)[0]
    code, _, complaint = hots(*words, "--sealed")
    assert 1 == code
    assert "missing seal" in complaint


def test_seals_that_were_published_are_compared(record: Path, rules: Path, tmp_path: Path) -> None:
    ruleset, seals = hr.load(rules), tmp_path / "seals.txt"
    parsed = hr.Record.parse(record.read_text("utf-8"))
    published = [
        hr.records.publish_seal(hr.replay(parsed.up_to(moves), ruleset)) for moves in range(3)
    ]
    lines = [f"{seal.actions} {seal.commitment} {seal.salt}" for seal in published]
    words = ("verify", record, "--ruleset", rules, "--published", seals)

    seals.write_text("\n".join(lines), encoding="utf-8")
    code, said, _ = hots(*words)
    assert 0 == code
    assert "3 published seals match" in said

    seals.write_text(lines[0].replace("0 ", "1 ", 1), encoding="utf-8")
    code, _, complaint = hots(*words)
    assert 1 == code
    assert "the seal that was published after 1 actions is that of another game" in complaint

    for text, wrong in (("no seal", "in line 1, got `no seal`"), ("1 ab cd", "64 hexadecimal")):
        seals.write_text(text, encoding="utf-8")
        code, _, complaint = hots(*words)
        assert code in (1, 2)
        assert wrong in complaint
