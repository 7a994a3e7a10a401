"""Records: they replay to the same bytes, or say in which line they are damaged; they are written whole."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import TINY, last_of, ruleset_of

import hots_rules as hr

RULES = hr.load("hots-4.0")
SMALL = ruleset_of(TINY)


def _small(chance: str = "ask") -> hr.Game:
    game = SMALL.start("short", seed="a seed", chance=chance)  # type: ignore[arg-type]
    for text in (
        "Fox to Far East",
        "like",
        "draw Dog",
        "throw for Fox",
        "roll 1 4 5",
        "Hen to North",
    ):
        game = game.play(text)
    return game


def _replayed(text: str) -> hr.Game | None:
    """The game of a record; None where it is refused, as it may be with `BadRecord` alone."""
    try:
        return hr.replay(text, SMALL)
    except hr.BadRecord as error:
        assert 10 < len(str(error)) < 2000
        return None


def _said(text: str, ruleset: hr.Ruleset | None = SMALL) -> str:
    with pytest.raises(hr.BadRecord) as error:
        hr.replay(text, ruleset)
    return str(error.value)


# ------------------------------------------------------------------ round trips
def test_a_record_reads_like_the_game() -> None:
    head, _, moves = str(_small().record).partition("\n\n")

    assert head.splitlines() == [
        "hots_rules record 2",
        f"ruleset tiny-1.0 {SMALL.content_hash}",
        f"engine {hr.__version__}",
        "rng blake2b-keyed-1",
        "seed a seed",
        "chance ask",
        "scenario short",
        "option fast no",
    ]
    assert [line.rpartition(" #")[0] for line in moves.splitlines()[:-1]] == [
        "Red: Fox to Far East",
        "Blue: like",
        "chance: draw Dog",
        "Red: throw for Fox",
        "chance: roll 1 4 5",
        "Blue: Hen to North",
    ]


@pytest.mark.parametrize("chance", ["auto", "ask"])
def test_a_game_from_a_position_replays(chance: str) -> None:
    text = "Wallace: place Fife, strength 4, side Scotland"
    start = RULES.start("braveheart", seed=1)
    game = RULES.position(f"# mine\n\n{start.position}\n", seed=3, chance=chance)  # type: ignore[arg-type]
    game = last_of(game, Random(1), 20)
    again = hr.replay(game.record)

    assert text in game.position or game.moves
    assert again == game
    assert again.record == game.record


def test_positions_written_differently_are_the_same_beginning() -> None:
    start = RULES.start("braveheart", seed=1).position
    other = "# a comment\n" + "\n\n".join(reversed(start.upper().splitlines()))

    assert RULES.position(start) == RULES.position(other)
    assert RULES.position(start).record == RULES.position(other).record


@pytest.mark.parametrize("seed", ["0", "a b", "ünï ✓", "x" * 200, "-17", "[1]", "#"])
def test_any_seed_that_is_taken_is_kept(seed: str) -> None:
    game = SMALL.start("short", seed=seed).play("Fox to North")

    assert hr.replay(game.record, SMALL) == game


def test_a_record_of_windows_is_a_record() -> None:
    assert _small() == hr.replay(str(_small().record).replace("\n", "\r\n"), SMALL)


def test_a_record_without_a_seal_may_be_written_by_hand() -> None:
    lines = str(_small().record).splitlines()[:-1]

    assert _small() == hr.replay("\n".join(lines) + "\n", SMALL)
    assert _small().play("rest") == hr.replay("\n".join([*lines, "rest"]) + "\n", SMALL)


# ------------------------------------------------------------------ damage
@pytest.mark.parametrize("bit", range(8))
def test_a_flipped_bit_gives_a_game_or_a_clear_error(bit: int, tmp_path: Path) -> None:
    # Bit 5 is the case of a letter.
    data, same = str(_small().record).encode(), 0
    path = tmp_path / "damaged"
    # The version of the engine is said for people; what it did is in the digests.
    said = data.index(b"engine ") + len(b"engine ")
    for at in {*range(len(data))} - {*range(said, data.index(b"\n", said))}:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        try:
            game = hr.read(path, SMALL)
        except hr.BadRecord:
            continue
        # What still reads as a record is the very game that the seal is of, in other capitals.
        same += 1
        assert game == _small()
    assert bit == 5 or same == 0


@given(st.data())
@settings(max_examples=60)
def test_lines_that_are_lost_doubled_or_reordered_are_seen(data: st.DataObject) -> None:
    lines = str(_small().record).splitlines()
    changed = list(lines)
    match data.draw(st.sampled_from(["lose", "double", "swap"])):
        case "lose":
            del changed[data.draw(st.integers(0, len(lines) - 2))]
        case "double":
            at = data.draw(st.integers(0, len(lines) - 1))
            changed.insert(at, changed[at])
        case _:
            one, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            changed[one], changed[other] = changed[other], changed[one]
    game = _replayed("\n".join(changed) + "\n")

    assert game is None or game == _small()


def test_every_torn_record_is_refused_or_a_game_up_to_there() -> None:
    text, states = str(_small().record), []
    game = SMALL.start("short", seed="a seed", chance="ask")
    for line in ("", *text.partition("\n\n")[2].splitlines()[:-1]):
        game = game.play(line.rpartition(" #")[0]) if line else game
        states.append(game)
    for end in range(len(text)):
        found = _replayed(text[:end])
        assert found is None or found in states
        assert text[:end].endswith("\n") or found is None


def test_a_torn_line_says_what_to_do() -> None:
    said = _said(str(_small().record)[:-30])

    assert "incomplete last line; remove it to read the lines above" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hots_rules record 2", "hots_rules record 1", "line 1: expected `hots_rules record 2`"),
        ("tiny-1.0", "tiny-1.1", "expected the ruleset `tiny-1.1`"),
        (f"tiny-1.0 {SMALL.content_hash[:4]}", "tiny-1.0 0000", "with the content 0000"),
        ("rng blake2b-keyed-1", "rng mersenne", "expected dice by `blake2b-keyed-1`, got `mersenne`"),
        ("seed a seed\n", "", "missing line `seed …` in the head"),
        ("seed a seed\n", "seed 1\nseed 2\n", "line 6: second line `seed …` in the head"),
        ("seed a seed", "seed ", "invalid head of the record"),
        ("chance ask", "chance maybe", "invalid head of the record"),
        ("scenario short", "scenario long", "invalid head of the record"),
        ("scenario short", "scenery short", "line 7: expected a line of the head"),
        ("scenario short", "scenario short\nposition turn 2", "the head has a scenario and a position"),
        ("scenario short", "position turn 99", "invalid head of the record"),
        ("option fast no", "option fast maybe", "invalid head of the record"),
        ("option fast no", "option slow no", "invalid head of the record"),
        ("option fast no", "option fast no\noption fast no", "second line `option fast …` in the head"),
        ("option fast no", "reading fast no", "invalid head of the record"),
        ("Blue: like #", "Blue: dislike #", "line 11: `Blue: dislike` is not an action"),
        ("Blue: like", "Red: like", "line 11: `Red: like` is not a legal action"),
        ("draw Dog", "draw Cat", "line 12: `chance: draw Cat` is not a legal action"),
        ("roll 1 4 5", "roll 1 4 7", "line 14: `chance: roll 1 4 7` is not a legal action"),
        ("Blue: like #", "\nBlue: like #", "line 11: `` is not an action"),
        ("Hen to North #", "Hen to South #", "line 15: expected the digest `"),
        ("state ", "state 0", "line 16: `state 0"),
    ],
)  # fmt: skip
def test_a_changed_record_says_what_does_not_hold(old: str, new: str, said: str) -> None:
    text = str(_small().record)
    assert 1 == text.count(old)

    assert said in _said(text.replace(old, new))


def test_nothing_follows_the_seal() -> None:
    assert "text after the seal `state …`" in _said(str(_small().record) + "Red: rest\n")


def test_a_record_opens_no_file_that_it_names(tmp_path: Path) -> None:
    mine = tmp_path / "mine.rules"
    mine.write_text(TINY, encoding="utf-8")
    for name in (str(mine), "../hots-4.0", "tiny-1.0", "hots-4.O", "", "\x00"):
        said = _said(str(_small().record).replace("tiny-1.0", name), None)
        assert "no ruleset named `" in said
    assert "did you mean `hots-4.0`" in _said(
        str(_small().record).replace("tiny-1.0", "hots-4.O"), None
    )


def test_a_record_of_other_content_is_refused() -> None:
    other = ruleset_of(TINY.replace("Dog  2", "Dog  3"))

    assert "expected the ruleset `tiny-1.0` with the content" in _said(_small().record, other)


@pytest.mark.parametrize(
    "said", ["", "\n", "\n\n\n", "nonsense", "\x00" * 1000, "hots_rules record 2", "hots_rules record 2\n",
             "x" * 9_000_000, "hots_rules record 2\n" + "seed 1\n" * 100_000, None, b"hots_rules record 2", 7, ["x"]],
    ids=lambda said: repr(said)[:30],
)  # fmt: skip
def test_what_is_no_record_is_refused(said: object) -> None:
    with pytest.raises(hr.BadRecord) as error:
        hr.replay(said)  # type: ignore[arg-type]

    assert len(str(error.value)) < 1000


def test_a_record_with_a_million_actions_is_refused_at_the_first_that_is_too_many() -> None:
    game = SMALL.start("short")
    text = str(game.record).rpartition("state ")[0] + "rest\n" * 1_000_000

    assert "line 26: `rest` is not a legal action" in _said(text)


# ------------------------------------------------------------------ files
def test_a_game_is_saved_and_read(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    _small().save(path)

    assert _small() == hr.read(path, SMALL)
    assert _small() == hr.read(str(path), SMALL)
    assert ["game.record"] == os.listdir(tmp_path)


@pytest.mark.parametrize("what", ["absent", "folder", "\x00", "bytes"])
def test_what_cannot_be_read_is_no_record(what: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes").write_bytes(b"hots_rules record 2\n\xff\xfe")
    with pytest.raises(hr.BadRecord):
        hr.read(tmp_path / what)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without an end")
def test_a_file_without_an_end_is_no_record() -> None:
    with pytest.raises(hr.BadRecord, match="larger than"):
        hr.read("/dev/zero")


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.record"
    _small().save(path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(OSError, match="No space"):
        _small().play("rest").save(path)

    assert before == path.read_bytes()
    assert ["game.record"] == os.listdir(tmp_path)


def test_a_write_that_is_interrupted_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.record"
    _small().save(path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _small().play("rest").save(path)

    assert _small() == hr.read(path, SMALL)
    assert ["game.record"] == os.listdir(tmp_path)


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        _small().save(tmp_path / "absent" / "game.record")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    real, link = tmp_path / "games" / "real", tmp_path / "link"
    real.write_text("", encoding="utf-8")
    link.symlink_to(real)
    _small().save(link)

    assert link.is_symlink()
    assert _small() == hr.read(real, SMALL)
