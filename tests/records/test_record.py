"""Records replay to the same game or are refused with the damaged line; files are written completely or not at all."""

from __future__ import annotations

import os
import re
import warnings
from functools import cache
from pathlib import Path
from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.compile.machine import Machine
from hots_rules.records import replaying
from tests.playing import TINY, last_of, ruleset_of


@cache
def shared_rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def _small(chance: str = "ask") -> hr.Game:
    game = small().start("short", seed="a seed", chance=chance)  # type: ignore[arg-type]
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
    """The game of a record; None if it is refused, which only `BadRecord` may do."""
    try:
        return hr.replay(text, small())
    except hr.BadRecord as error:
        assert 10 < len(str(error)) < 2000
        return None


def _error(text: str) -> str:
    return _error_in(text, small())


def _error_in(text: str, ruleset: hr.Ruleset | None) -> str:
    with pytest.raises(hr.BadRecord) as error:
        hr.replay(text, ruleset)
    return str(error.value)


# ------------------------------------------------------------------ round trips
def test_a_record_lists_the_actions_of_the_game() -> None:
    head, _, moves = str(_small().record).partition("\n\n")

    assert head.splitlines() == [
        "hots_rules record 2",
        f"ruleset tiny-1.0 {small().content_hash}",
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
    start = shared_rules().start("braveheart", seed=1)
    game = shared_rules().position(f"# mine\n\n{start.position}\n", seed=3, chance=chance)  # type: ignore[arg-type]
    game = last_of(game, Random(1), 20)
    again = hr.replay(game.record)

    assert text in game.position or game.moves
    assert again == game
    assert again.record == game.record


def test_a_position_is_recorded_in_one_form() -> None:
    start = shared_rules().start("braveheart", seed=1).position
    other = "# a comment\n" + "\n\n".join(reversed(start.upper().splitlines()))

    assert shared_rules().position(start, seed=0) == shared_rules().position(other, seed=0)
    assert (
        shared_rules().position(start, seed=0).record
        == shared_rules().position(other, seed=0).record
    )


@pytest.mark.parametrize("seed", ["0", "a b", "ünï ✓", "x" * 200, "-17", "[1]", "#"])
def test_any_valid_seed_round_trips(seed: str) -> None:
    game = small().start("short", seed=seed).play("Fox to North")

    assert hr.replay(game.record, small()) == game


def test_windows_line_ends_are_read() -> None:
    assert _small() == hr.replay(str(_small().record).replace("\n", "\r\n"), small())


def test_a_replay_plays_each_action_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = last_of(small().start("short", seed=3), Random(3))
    record, played = game.record, list[int]()
    play = Machine.play
    monkeypatch.setattr(
        Machine,
        "play",
        lambda self, slots, code, seed: played.append(code) or play(self, slots, code, seed),
    )

    assert hr.replay(record, small()) == game
    assert tuple(played) == game.moves


def test_a_long_replay_is_that_of_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = last_of(small().start("short", seed=3), Random(3))
    text = str(game.record)
    unsealed = text[: text.rindex("state ")] + "Fox to Nowhere\n"
    with pytest.raises(hr.BadRecord) as short:
        hr.replay(unsealed, small())

    monkeypatch.setattr(replaying, "MOVES_AT_ONCE", 2)

    again = hr.replay(text, small())
    assert again == game
    assert (again.moves, again.previous) == (game.moves, game.previous)
    with pytest.raises(hr.BadRecord) as long:
        hr.replay(unsealed, small())
    assert str(long.value) == str(short.value)


def test_a_record_without_a_seal_may_be_written_by_hand() -> None:
    lines = str(_small().record).splitlines()[:-1]

    assert _small() == hr.replay("\n".join(lines) + "\n", small())
    assert _small().play("rest") == hr.replay("\n".join([*lines, "rest"]) + "\n", small())


# ------------------------------------------------------------------ damage
@pytest.mark.thorough
@pytest.mark.parametrize("bit", range(8))
def test_a_flipped_bit_gives_the_same_game_or_an_error(bit: int, tmp_path: Path) -> None:
    # Bit 5 is the case of a letter.
    data, same = str(_small().record).encode(), 0
    path = tmp_path / "damaged"
    # The version of the engine is for people only; no digest covers it.
    start = data.index(b"engine ") + len(b"engine ")
    for at in {*range(len(data))} - {*range(start, data.index(b"\n", start))}:
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])
        try:
            game = hr.read(path, small())
        except hr.BadRecord:
            continue
        # Only capitals may differ, and the game is the same.
        same += 1
        assert game == _small()
    assert bit == 5 or same == 0


@given(st.data())
@settings(max_examples=60)
def test_lost_doubled_and_reordered_lines_are_detected(data: st.DataObject) -> None:
    lines = str(_small().record).splitlines()
    changed = list(lines)
    match data.draw(st.sampled_from(["lose", "double", "swap"])):
        case "lose":
            del changed[data.draw(st.integers(0, len(lines) - 2))]
        case "double":
            at = data.draw(st.integers(0, len(lines) - 1))
            changed.insert(at, changed[at])
        case _:
            first, second = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            changed[first], changed[second] = changed[second], changed[first]
    game = _replayed("\n".join(changed) + "\n")

    assert game is None or game == _small()


def test_every_prefix_is_refused_or_replays_up_to_its_end() -> None:
    text, states = str(_small().record), []
    game = small().start("short", seed="a seed", chance="ask")
    for line in ("", *text.partition("\n\n")[2].splitlines()[:-1]):
        game = game.play(line.rpartition(" #")[0]) if line else game
        states.append(game)
    for end in range(len(text)):
        game_to_end = _replayed(text[:end])
        assert game_to_end is None or game_to_end in states
        # After its digest or the seal, nothing of a line can be missing.
        assert re.search(r"(\n| #[0-9a-f]{8}|state [0-9a-f]{32})\Z", text[:end]) or not game_to_end


def test_an_incomplete_line_is_refused_with_a_remedy() -> None:
    error = _error(str(_small().record)[:-30])

    assert "incomplete last line; remove it to read the lines above" in error


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("hots_rules record 2", "hots_rules record 1", "line 1: expected `hots_rules record 2`"),
        ("tiny-1.0", "tiny-1.1", "expected the ruleset `tiny-1.1`"),
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
        ("Blue: like #", "Blue: li\x85ke #", "line 11: an action has characters that show nothing"),
        ("Hen to North #", "Hen to South #", "line 15: expected the digest `"),
        ("state ", "state 0", "line 16: `state 0"),
    ],
)  # fmt: skip
def test_a_changed_record_is_refused_with_its_line(old: str, new: str, expected: str) -> None:
    text = str(_small().record)
    assert 1 == text.count(old)

    assert expected in _error(text.replace(old, new))


def test_a_record_of_another_content_is_refused() -> None:
    text = str(_small().record)
    changed = text.replace(f"tiny-1.0 {small().content_hash[:4]}", "tiny-1.0 0000")

    assert changed != text
    assert "with the content 0000" in _error(changed)


def test_text_after_the_seal_is_refused() -> None:
    assert "text after the seal `state …`" in _error(str(_small().record) + "Red: rest\n")


def test_a_record_cannot_open_files(tmp_path: Path) -> None:
    mine = tmp_path / "mine.rules"
    mine.write_text(TINY, encoding="utf-8")
    for name in (str(mine), "../hots-4.0", "tiny-1.0", "hots-4.O", "", "\x00"):
        error = _error_in(str(_small().record).replace("tiny-1.0", name), None)
        assert (
            "no ruleset named `" if name != "\x00" else "line 2: the head has characters"
        ) in error
    assert "did you mean `hots-4.0`" in _error_in(
        str(_small().record).replace("tiny-1.0", "hots-4.O"), None
    )


def test_a_record_of_other_content_is_refused() -> None:
    other = ruleset_of(TINY.replace("Dog  2", "Dog  3"))

    assert "expected the ruleset `tiny-1.0` with the content" in _error_in(_small().record, other)


@pytest.mark.parametrize(
    "value", ["", "\n", "\n\n\n", "nonsense", "\x00" * 1000, "hots_rules record 2", "hots_rules record 2\n",
             "x" * 9_000_000, "hots_rules record 2\n" + "seed 1\n" * 100_000, None, b"hots_rules record 2", 7, ["x"]],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(hr.BadRecord) as error:
        hr.replay(value)  # type: ignore[arg-type]

    assert len(str(error.value)) < 1000


def test_many_actions_after_the_end_are_refused_at_the_first() -> None:
    game = small().start("short", seed=0)
    text = str(game.record).rpartition("state ")[0] + "rest\n" * 19_000

    assert "line 26: `rest` is not a legal action" in _error(text)


# ------------------------------------------------------------------ files
def test_a_game_is_saved_and_read(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    _small().save(path)

    assert _small() == hr.read(path, small())
    assert _small() == hr.read(str(path), small())
    assert ["game.record"] == os.listdir(tmp_path)


@pytest.mark.parametrize("what", ["absent", "folder", "\x00", "bytes"])
def test_unreadable_files_are_refused(what: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "bytes").write_bytes(b"hots_rules record 2\n\xff\xfe")
    with pytest.raises(hr.BadRecord):
        hr.read(tmp_path / what)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a file without an end")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(hr.BadRecord, match="not a regular file"):
        hr.read("/dev/zero")


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failed_write_keeps_the_old_file(
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


def test_an_interrupted_write_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.record"
    _small().save(path)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _small().play("rest").save(path)

    assert _small() == hr.read(path, small())
    assert ["game.record"] == os.listdir(tmp_path)


def test_a_missing_folder_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        _small().save(tmp_path / "absent" / "game.record")


def test_a_symbolic_link_is_kept(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    real, link = tmp_path / "games" / "real", tmp_path / "link"
    real.write_text("", encoding="utf-8")
    link.symlink_to(real)
    _small().save(link)

    assert link.is_symlink()
    assert _small() == hr.read(real, small())


# ------------------------------------------------------------------ the content that a record is pinned to
def _rules(tmp_path: Path, text: str) -> hr.Ruleset:
    (tmp_path / "tiny.rules").write_text(text, encoding="utf-8")
    return hr.load(tmp_path / "tiny.rules")


def test_comments_and_layout_are_no_part_of_the_content(tmp_path: Path) -> None:
    text = small().source.layers[0].files
    written = "\n".join(text.values())
    formatted = "# A comment.\n\n" + written.replace(" = ", "  =  ").replace("\n", "   # why\n")

    rules = _rules(tmp_path, formatted)

    assert rules.source.text_hash() != small().source.text_hash()
    assert _rules(tmp_path, written).content_hash == rules.content_hash
    assert _rules(tmp_path, written.replace("Dog  2", "Dog  3")).content_hash != rules.content_hash


def test_a_record_of_the_last_release_is_replayed_by_other_texts_with_a_warning() -> None:
    text = str(_small().record)
    of_texts = text.replace(small().content_hash, small().source.text_hash())
    of_others = text.replace(small().content_hash, "0123456789abcdef" * 2)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert _small() == hr.replay(of_texts, small())
    with pytest.warns(
        hr.diagnostics.RulesetChanged, match="other texts of `tiny-1.0`, 0123456789ab"
    ):
        assert _small() == hr.replay(of_others, small())


# ------------------------------------------------------------------ values of several lines
BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_each_line_of_a_comment_stays_a_comment(end: str) -> None:
    record = _small().record
    comments = (f"hello{end}Blue: rest{end}(", f"{end})", f"state {'0' * 32}")
    entry = attrs.evolve(record.entries[0], comments=comments)
    variation = hr.records.Entry("Red: rest", comments=comments)
    noted = attrs.evolve(
        record,
        comments=comments,
        entries=(attrs.evolve(entry, variations=((variation,),)), *record.entries[1:]),
    )

    assert ("hello", "Blue: rest", "(", "", ")", f"state {'0' * 32}") == noted.comments
    assert noted == hr.Record.parse(str(noted))
    assert hr.replay(noted, small()) == _small()


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_any_other_value_of_several_lines_is_refused(end: str) -> None:
    record = _small().record
    for name in (
        "ruleset",
        "content",
        "engine",
        "rng",
        "seed",
        "chance",
        "scenario",
        "seal",
        "texts",
    ):
        with pytest.raises(hr.BadRecord, match=f"expected the {name} as one"):
            attrs.evolve(record, **{name: f"a{end}b"})
    for name in ("options", "readings"):
        for choices in ({"fast": f"no{end}seed 2"}, {f"fast{end}": "no"}):
            with pytest.raises(hr.BadRecord, match=f"expected {name} as one line"):
                attrs.evolve(record, **{name: choices})
    for text in (f"Red: rest{end}Blue: rest", f"Red: rest{end}"):
        with pytest.raises(hr.BadRecord, match="expected an action as one line"):
            hr.records.Entry(text)


@pytest.mark.parametrize(
    "text", ["", " Red: rest", "# Red: rest", "(", ")", f"state {'0' * 32}", "\ud800"]
)
def test_an_action_that_is_read_as_something_else_is_refused(text: str) -> None:
    with pytest.raises(hr.BadRecord, match="expected an action as one line"):
        hr.records.Entry(text)


def test_an_entry_holds_what_is_read_back() -> None:
    with pytest.raises(hr.BadRecord, match="expected a digest of 8 digits"):
        hr.records.Entry("Red: rest", "0123abcd\n")
    with pytest.raises(hr.BadRecord, match="expected an action in each variation"):
        hr.records.Entry("Red: rest", variations=((),))


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_each_line_of_a_comment_in_a_journal_stays_a_comment(end: str, tmp_path: Path) -> None:
    with hr.Journal(tmp_path / "game", _small()) as journal:
        journal.comment(f"hello{end}Blue: rest")

    assert ("hello", "Blue: rest") == hr.Record.read(tmp_path / "game").entries[-1].comments


def test_a_position_is_read_back_from_its_lines() -> None:
    record = small().position("turn 3\r\nHen: owner Blue\r\n").record
    other = attrs.evolve(record, position="turn 3\u2028scenario short\nHen: owner Blue")

    assert record == hr.Record.parse(str(record))
    assert other == hr.Record.parse(str(other))
