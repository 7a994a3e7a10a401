"""Journals; annotated, pinned, migrated and verified records; seeds by commit–reveal."""

from __future__ import annotations

import os
import re
import time
import zlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import attrs
import pytest

import hots_rules as hr
from hots_rules import _files
from hots_rules.records import ruleset_texts as kept_texts
from hots_rules.records.body import MAX_DEPTH
from hots_rules.records.hash_chain import digest
from hots_rules.records.ruleset_texts import pack, unpack
from hots_rules.rules.load import content_hash
from tests.playing import TINY, last_of, played_out, ruleset_of

WHOLE = re.compile(rb"( #[0-9a-f]{8}|\nstate [0-9a-f]{32})\Z")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


# Four changes of the ruleset: of a text only, of rules without an effect, of a permission, and of an effect.


@cache
def other_words() -> hr.Ruleset:
    return ruleset_of(TINY.replace('"Nothing."', '"Nothing at all."'))


@cache
def other_rules() -> hr.Ruleset:
    """A ruleset with other rules, which make no difference."""
    return ruleset_of(TINY.replace("up to 9", "up to 10"))


@cache
def no_throw() -> hr.Ruleset:
    return ruleset_of(
        TINY.replace(
            "permit when owner[p] = actor and at[p] is Spot",
            "permit when owner[p] = actor and at[p] = North",
        )
    )


@cache
def more_gold() -> hr.Ruleset:
    return ruleset_of(TINY.replace("at_most(dice, 3)", "at_most(dice, 4)"))


def _game() -> hr.Game:
    game = small().start("short", seed="a seed", chance="ask")
    for text in ("Fox to Far East", "like", "draw Dog", "throw for Fox", "roll 1 4 5", "rest"):
        game = game.play(text)
    return game


ANNOTATED = """\
# A short game.
Red: Fox to Far East
# The beginning.
# And on.
(
  Red: Fox to North
  # Nearer.
  (
    Red: rest
  )
  Blue: rest
)
Blue: like
(
  # Also good.
  Blue: rest
)
(
  Blue: Hen to North
)
chance: draw Dog
"""


def _annotated() -> str:
    head = str(_game().record).partition("\n\n")[0]
    return f"{head}\n\n{ANNOTATED}"


# ------------------------------------------------------------------ comments and variations
def test_a_journal_may_have_the_texts_of_its_ruleset_through_all_it_does(tmp_path: Path) -> None:
    game = hr.load("connect-four-1.0").start("empty-board", seed=1)
    after = game.play(game.actions[0])
    with hr.Journal(tmp_path / "game.txt", game, texts=True) as journal:
        journal.add(after)
        journal.add(after.back(1))  # the file is replaced
    resumed = hr.Journal.resume(tmp_path / "game.txt", game.ruleset)
    resumed.add(after)
    resumed.add(after.back(1))
    resumed.add(after)
    resumed.close()
    record = hr.Record.read(tmp_path / "game.txt")

    assert record.texts
    assert hr.replay(record, content="pinned").state == after.state


def test_comments_and_variations_are_kept_and_not_played() -> None:
    record = hr.Record.parse(_annotated())

    assert ("A short game.",) == record.comments
    assert ("The beginning.", "And on.") == record.entries[0].comments
    first, second = record.entries[0].variations[0]
    assert ("Nearer.",) == first.comments
    assert "Red: rest" == first.variations[0][0].text
    assert "Blue: rest" == second.text
    assert ("Also good.",) == record.entries[1].comments
    assert ["Blue: rest", "Blue: Hen to North"] == [v[0].text for v in record.entries[1].variations]
    assert _game().moves[:3] == hr.replay(record, small()).moves


def test_an_annotated_record_is_written_as_it_was_read() -> None:
    record = hr.Record.parse(_annotated())
    again = str(record)

    assert record == hr.Record.parse(again)
    assert again == str(hr.Record.parse(again))
    assert "\n(\n  Red: Fox to North\n  # Nearer.\n  (\n    Red: rest\n  )\n" in again


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("(\nRed: rest\n)\n", "a variation needs an action before it"),
        ("Red: rest\n(\n)\n", "the variation has no action"),
        ("Red: rest\n)\n", "`)` without `(`"),
        ("Red: rest\n(\nBlue: rest\n", "missing `)` after a variation"),
        ("Red: rest\n" + "(\nRed: rest\n" * MAX_DEPTH + ")\n" * MAX_DEPTH, ""),
        ("Red: rest\n" + "(\nRed: rest\n" * (MAX_DEPTH + 1), "variations are nested more than 20 levels deep"),
    ],
)  # fmt: skip
def test_malformed_variations_are_refused(lines: str, expected: str) -> None:
    text = str(_game().record).partition("\n\n")[0] + "\n\n" + lines
    if not expected:
        assert 1 == len(hr.Record.parse(text).entries)
        return
    with pytest.raises(hr.BadRecord, match=re.escape(expected)):
        hr.Record.parse(text)


def test_verifying_finds_an_illegal_variation() -> None:
    verification = hr.records.verify(
        _annotated().replace("  Blue: Hen to North", "  Blue: Fox to North"), small()
    )

    assert "`Blue: Fox to North` is not a legal action" in verification.fault
    assert not verification.is_sound


def test_a_record_can_be_cut_after_some_actions() -> None:
    record = hr.records.record_game(_game())
    for at, game in enumerate(_moments()):
        assert game == hr.replay(record.up_to(at), small())
    with pytest.raises(hr.BadRecord, match="from 0 to 6, got 7"):
        record.up_to(7)


def _moments() -> list[hr.Game]:
    game = small().start("short", seed="a seed", chance="ask")
    moments = [game]
    for text in hr.records.record_game(_game()).entries:
        moments.append(moments[-1].play(text.text))
    return moments


# ------------------------------------------------------------------ digests
def test_each_digest_covers_everything_before_it() -> None:
    entries = hr.records.record_game(_game()).entries
    other = hr.records.record_game(
        small().start("short", seed="another", chance="ask").play("rest")
    ).entries

    assert len(entries) == len({entry.digest for entry in entries})
    assert all(re.fullmatch("[0-9a-f]{8}", entry.digest) for entry in entries)
    assert hr.records.record_game(_game()).seal.startswith(entries[-1].digest)
    assert other[0].digest not in {entry.digest for entry in entries}


def test_the_same_actions_with_other_effects_have_other_digests() -> None:
    """What an action changes is in its digest: with more gold, the throw is the first that differs."""
    same, less = (
        hr.records.record_game(last)
        for last in (
            _game(),
            hr.replay(_as_of(str(_game().record), more_gold(), bare=True), more_gold()),
        )
    )
    differ = [old.digest != new.digest for old, new in zip(same.entries, less.entries, strict=True)]

    assert [False, False, False, False, True, True] == differ


def _as_of(text: str, ruleset: hr.Ruleset, *, bare: bool = False) -> str:
    text = text.replace(small().content_hash, ruleset.content_hash)
    return re.sub(r" #[0-9a-f]{8}$|^state .*\n", "", text, flags=re.M) if bare else text


def test_verifying_counts_matching_digests() -> None:
    verification = hr.records.verify(_game().record, small())

    assert (6, 6, True, "") == (
        verification.actions,
        verification.digests,
        verification.is_sealed,
        verification.fault,
    )
    assert verification.is_sound
    lines = str(_game().record).splitlines(keepends=True)
    lines[-3] = f"{lines[-3].rpartition(' #')[0]}\n"
    lost = hr.records.verify("".join(lines), small())
    assert (6, 5, False) == (lost.actions, lost.digests, lost.is_sound)
    unsealed = hr.records.verify(
        "".join(str(_game().record).splitlines(keepends=True)[:-1]), small()
    )
    assert (6, False, False) == (unsealed.digests, unsealed.is_sealed, unsealed.is_sound)


def test_verifying_names_the_first_line_that_differs() -> None:
    """With another seed, the digest of the first action differs already."""
    auto = str(last_of(small().start("short", seed="a seed"), Random(1), 6).record)
    lines = auto.partition("\n\n")[0].count("\n") + 3
    verification = hr.records.verify(auto.replace("seed a seed", "seed b seed"), small())

    assert verification.fault.startswith(f"line {lines}: expected the digest `")


# ------------------------------------------------------------------ journals
def test_a_journal_has_the_record_of_its_game_after_each_action(tmp_path: Path) -> None:
    path = tmp_path / "game"
    moments = _moments()
    with hr.Journal(path, moments[0]) as journal:
        for game in moments[1:]:
            before = path.read_bytes()
            journal.add(game)
            assert path.read_bytes().startswith(before)
            assert game == hr.read(path, small())
    assert str(_game().record) == path.read_text(encoding="utf-8")
    journal.close()
    with pytest.raises(hr.BadRecord, match="closed"):
        journal.add(_game().play("rest"))


def test_a_journal_takes_several_actions_at_once_and_comments(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with hr.Journal(path, _moments()[0], sync=False) as journal:
        journal.add(_moments()[2])
        journal.comment("Two of them.\n\nBoth good. \ud800")
        journal.add(_game())
    record = hr.Record.read(path)

    assert ("Two of them.", "", "Both good. ?") == record.entries[1].comments
    assert _game() == hr.read(path, small())
    assert hr.records.verify(record, small()).is_sound


def test_an_undone_action_rewrites_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with hr.Journal(path, _moments()[0]) as journal:
        journal.add(_game())
        journal.add(_moments()[1])
        assert _moments()[1] == hr.read(path, small())
        other = _moments()[1].play("rest")
        journal.add(other)

    assert str(other.record) == path.read_text(encoding="utf-8")


BEGUN = """\
turn 2
Fox: at Far_East, owner Red
Hen: owner Blue
Dog: owner Red
"""


@pytest.mark.parametrize(
    "begin",
    [
        lambda: small().start("short", seed="a seed", chance="ask", options={"fast": True}),
        lambda: small().start("short", seed="another", chance="ask"),
        lambda: small().start("short", seed="a seed"),
        lambda: other_rules().start("short", seed="a seed", chance="ask"),
    ],
    ids=["settings", "seed", "chance", "ruleset"],
)
def test_a_game_that_began_in_another_way_rewrites_the_journal(begin, tmp_path: Path) -> None:
    path, other = tmp_path / "game", begin().play("Red: rest")
    with hr.Journal(path, _moments()[0]) as journal:
        journal.add(other)
        assert str(attrs.evolve(other.record, seal="")) == path.read_text(encoding="utf-8")


def test_a_game_from_another_position_rewrites_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "game"
    first, second = (
        small().position(text, seed="a seed", chance="ask")
        for text in (BEGUN, BEGUN.replace("Far_East", "North"))
    )
    with hr.Journal(path, first) as journal:
        journal.add(second.play("Red: rest"))
        assert "North" in path.read_text(encoding="utf-8")


def test_every_torn_journal_resumes_after_its_last_complete_line(tmp_path: Path) -> None:
    path, text = tmp_path / "game", str(_game().record)
    body = len(text.encode()) - len(text.partition("\n\n")[2].encode())
    moments = _moments()
    for end in range(body, len(text.encode())):
        path.write_bytes(text.encode()[:end])
        # After its digest or the seal, nothing of a line can be missing.
        whole = text.encode()[:end].endswith(b"\n") or bool(WHOLE.search(text.encode()[:end]))
        record = hr.Record.read(path, torn="keep")

        assert whole == (record.torn is None)
        assert hr.replay(record, small()) == moments[len(record.entries)]
        if not whole:
            assert record.torn is not None
            line, rest = record.torn
            assert text.split("\n")[line - 1].startswith(rest)
            assert "incomplete last line" in hr.records.verify(record, small()).fault
            with pytest.raises(hr.BadRecord, match=f"line {line}: incomplete last line"):
                hr.read(path, small())


def test_an_incomplete_character_is_an_incomplete_line(tmp_path: Path) -> None:
    path = tmp_path / "game"
    text = str(_game().record)
    path.write_bytes(text.rpartition("state")[0].encode() + "# Señor".encode()[:-3])

    torn = hr.Record.read(path, torn="keep").torn
    assert torn is not None
    assert torn[1].startswith("# Se")


def test_a_journal_resumes_after_a_crash(tmp_path: Path) -> None:
    path, text = tmp_path / "game", str(_game().record)
    torn = text.rpartition("Blue: rest")[0] + "Blue: r"
    path.write_text(torn.replace("Red: throw", "# Now or never.\nRed: throw"), encoding="utf-8")
    journal = hr.Journal.resume(path, small())

    assert journal.torn is not None
    assert "Blue: r" == journal.torn[1]
    assert _moments()[5] == journal.game
    journal.add(_game())
    journal.close()
    assert text == path.read_text(encoding="utf-8").replace("# Now or never.\n", "")


def test_a_sealed_record_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    _moments()[3].save(path)
    with hr.Journal.resume(path, small()) as journal:
        journal.add(_game())

    assert str(_game().record) == path.read_text(encoding="utf-8")


def test_a_second_writer_is_detected_where_files_have_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_files, "flock", None)
    path, moments = tmp_path / "game", _moments()
    first = hr.Journal(path, moments[0])
    two = hr.Journal.resume(path, small())
    two.add(moments[1])
    with pytest.raises(hr.BadRecord, match="another program has written"):
        first.add(moments[1])

    assert moments[1] == hr.read(path, small())


def test_a_failed_append_keeps_the_old_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, moments = tmp_path / "game", _moments()
    journal = hr.Journal(path, moments[0])
    journal.add(moments[1])
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            journal.add(moments[2])
    assert before == path.read_bytes()
    journal.add(moments[2])
    assert moments[2] == hr.read(path, small())


def test_a_journal_closed_by_an_error_has_no_seal(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with pytest.raises(ZeroDivisionError), hr.Journal(path, _game()):
        raise ZeroDivisionError

    assert "state" not in path.read_text(encoding="utf-8")
    assert _game() == hr.read(path, small())


# ------------------------------------------------------------------ other content
def test_a_record_of_other_words_is_replayed() -> None:
    assert _game() == hr.replay(_game().record, other_words())
    assert _game() == hr.replay(_game().record, other_words(), content="pinned")


def test_a_record_of_other_rules_is_refused_by_default() -> None:
    with pytest.raises(hr.BadRecord, match="pinned to its own texts, or migrate it"):
        hr.replay(_game().record, other_rules())


def test_a_record_is_pinned_to_its_own_copy() -> None:
    text = str(hr.records.record_game(_game(), texts=True))

    assert _game() == hr.replay(text, content="pinned")
    assert _game() == hr.replay(text, other_rules(), content="pinned")
    assert text == str(hr.Record.parse(text))


def test_a_record_is_pinned_to_the_kept_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path / "cache"))
    _game().save(tmp_path / "game")

    assert _game() == hr.read(tmp_path / "game", other_rules(), content="pinned")
    monkeypatch.setenv("HOTS_RULES_CACHE", str(tmp_path / "empty"))
    with pytest.raises(hr.BadRecord, match="no copy of the texts was kept"):
        hr.read(tmp_path / "game", other_rules(), content="pinned")
    assert _game() == hr.read(tmp_path / "game", small(), content="pinned")


def test_a_copy_with_another_hash_is_refused() -> None:
    text = str(hr.records.record_game(_game(), texts=True))
    other = text.replace(small().content_hash, other_rules().content_hash)
    with pytest.raises(hr.BadRecord, match="damaged"):
        hr.replay(other, content="pinned")


@pytest.mark.parametrize(
    "word",
    [
        "x",
        "====",
        b64encode(b"nothing packed").decode(),
        b64encode(zlib.compress(b"[1]")).decode(),
        b64encode(zlib.compress(b"[[1, 2, 3, 4, 5]]")).decode(),
        b64encode(zlib.compress(b'[["a", "b", null, {"c": "\\ud800"}, "e"]]')).decode(),
        b64encode(zlib.compress(b"[" * 100_000)).decode(),
        b64encode(zlib.compress(b" " * 100_000_000)).decode(),
        b64encode(zlib.compress(b"[" + b"1" * 10_000 + b"]")).decode(),
    ],
    ids=lambda word: word[:12],
)
def test_a_damaged_copy_is_refused_in_bounded_memory(word: str) -> None:
    record = str(hr.records.record_game(_game())).replace("\n\n", f"\ntext {word}\n\n", 1)
    with pytest.raises(hr.BadRecord):
        hr.replay(record, content="pinned")


@pytest.mark.thorough
def test_texts_are_packed_and_unpacked() -> None:
    for rules in (small(), hr.load("hots-4.0")):
        again = unpack(pack(rules.source))
        assert rules.content_hash == content_hash(again)
    assert str(Path.home()) not in str(unpack(pack(hr.load("hots-4.0").source)))


@pytest.mark.parametrize("content", ["../../x", "", "é" * 32, "a/b", "a" * 100])
def test_the_content_of_a_record_cannot_name_a_file(content: str) -> None:
    assert kept_texts.kept_source(content) is None


def test_an_unknown_choice_of_content_is_refused() -> None:
    with pytest.raises(hr.BadRecord, match="expected content to be"):
        hr.replay(_game().record, small(), content="whatever")


# ------------------------------------------------------------------ migration
def test_a_record_migrates_completely_if_the_effects_are_the_same() -> None:
    migration = hr.records.migrate(_game().record, other_rules())

    assert migration.is_whole
    assert (6, 6, ()) == (migration.actions, migration.of, migration.notes)
    assert migration.game.ruleset == other_rules()
    assert migration.game.state.slots == _game().state.slots


def test_a_migration_reports_the_first_illegal_action() -> None:
    migration = hr.records.migrate(_game().record, no_throw())

    assert (3, 6) == (migration.actions, migration.of)
    assert migration.first is not None
    assert ("action", 4, "Red: throw for Fox") == (
        migration.first.kind,
        migration.first.at,
        migration.first.text,
    )
    assert "is not a legal action" in migration.first.summary
    assert str(migration) == f"3 of 6 actions played\nfirst mismatch: {migration.first}"


def test_a_migration_reports_the_first_action_with_another_effect() -> None:
    migration = hr.records.migrate(_game().record, more_gold())

    assert (6, False) == (migration.actions, migration.is_whole)
    assert migration.first is not None
    assert ("state", 5, "chance: roll 1 4 5") == (
        migration.first.kind,
        migration.first.at,
        migration.first.text,
    )


def test_a_migration_reports_another_effect_rather_than_the_illegal_action_that_it_leads_to() -> (
    None
):
    text = TINY.replace("at_most(dice, 3)", "at_most(dice, 4)")
    rest = 'action rest §1 "Nothing."\n  permit'
    only_with_one_gold = ruleset_of(text.replace(rest, f"{rest} when gold[Red, Far_East] != 2"))
    migration = hr.records.migrate(_game().record, only_with_one_gold)

    assert (5, 6) == (migration.actions, migration.of)
    assert migration.first is not None
    assert ("state", 5) == (migration.first.kind, migration.first.at)


def test_a_migration_reports_dropped_and_added_choices() -> None:
    renamed = ruleset_of(
        TINY.replace("option fast", "option quick").replace("not fast", "not quick")
    )
    migration = hr.records.migrate(
        str(_game().record).replace("option fast no", "option fast yes"), renamed
    )

    assert (
        "option fast yes: not in the ruleset any more",
        "option quick no: new, at its default",
    ) == migration.notes


def test_a_migration_that_cannot_start_is_refused() -> None:
    with pytest.raises(hr.BadRecord, match="invalid head of the record"):
        hr.records.migrate(_game().record, hr.load("lords-of-scotland"))


# ------------------------------------------------------------------ seals that are published during the game
def _guesses(seal: str, card: str) -> Iterator[list[str]]:
    """What a digest may cover when England has laid a card of which it held up to four."""
    for left in range(4):
        changes = sorted([f"England, {card}: hand {left}", f"England: played {card}"])
        yield [seal, f"England: play {card.replace('_', ' ')}", *changes, "play_cards"]


def test_a_published_seal_does_not_tell_the_secret_choice() -> None:
    """Whoever knows the seals before and after reads the card from them; from what is published, nobody does."""
    game = hr.load("hots-4.0").start("braveheart")
    cards = list(game.view("Scotland").state["hand"]["Scotland"])
    chosen = next(action for action in game.actions if action.player == "England")
    after = game.play(chosen)
    card = after.state["played", "England"]
    seals = [moment.record.seal for moment in (game, after)]
    published = [hr.records.publish_seal(moment) for moment in (game, game, after, after)]
    seen = [each.commitment for each in published]

    guesses = {name: list(_guesses(seals[0], name)) for name in cards}
    assert [card] == [name for name in cards if seals[1] in map(digest, guesses[name])]
    for known in (*seals, *seen, "", "0" * 64, game.seed):
        for parts in (parts for name in cards for parts in guesses[name]):
            tried = digest(parts), digest(["hots_rules seal 1", known, "1", digest(parts)], size=32)
            assert not {*tried} & {*seen}
    assert 4 == len(set(seen)) == len({each.salt for each in published})
    assert all(each.salt not in repr(each) for each in published)

    revealed = published[2]
    opened = [name for name in cards if any(map(revealed.opens, map(digest, guesses[name])))]
    assert [card] == opened


def test_published_seals_bind_whoever_has_the_record() -> None:
    published = [hr.records.publish_seal(game) for game in _moments()]
    other = _moments()[2].play("draw Hen")

    assert hr.records.verify(_game().record, small(), published).is_sound
    assert hr.records.verify(other.record, small(), published[:3]).is_sound
    for late in published[3:]:
        verification = hr.records.verify(other.record, small(), [published[0], late])
        assert (
            f"published after {late.actions} actions is that of another game" in verification.fault
        )
        assert not verification.is_sound
    lied = attrs.evolve(published[2], actions=3)
    assert not hr.records.verify(_game().record, small(), [lied]).is_sound


def test_a_record_has_no_salt() -> None:
    """The salt belongs to what is published: with a seed, the record has the same bytes as ever."""
    game = _game()
    before = str(game.record)
    hr.records.publish_seal(game)

    assert before == str(game.record) == str(_game().record)


@pytest.mark.parametrize("wrong", ["", "x" * 64, "é" * 64, "0" * 63, None, 5])
def test_a_malformed_salt_is_refused(wrong: str) -> None:
    seal = hr.records.publish_seal(_game())
    for name in ("salt", "commitment"):
        with pytest.raises(hr.records.BadSecret, match="64 hexadecimal digits"):
            attrs.evolve(seal, **{name: wrong})


# ------------------------------------------------------------------ a seed that nobody chose
def test_a_seed_depends_on_all_secrets_and_can_be_verified() -> None:
    kept = {player: hr.records.new_secret() for player in ("Red", "Blue")}
    sent = {player: hr.records.commitment(player, secret) for player, secret in kept.items()}
    seed = hr.records.combine_seeds(kept, sent)

    assert all(hr.records.commitment_matches(player, kept[player], sent[player]) for player in kept)
    assert seed == hr.records.combine_seeds(dict(reversed(kept.items())), sent)
    assert re.fullmatch(r"[0-9a-f]{64}", seed)
    assert small().start("short", seed=seed).seed == seed
    for player in kept:
        changed = {**kept, player: hr.records.new_secret()}
        resent = {**sent, player: hr.records.commitment(player, changed[player])}
        assert seed != hr.records.combine_seeds(changed, resent)
        with pytest.raises(hr.records.BadSecret, match=f"`{player}` does not match its commitment"):
            hr.records.combine_seeds(changed, sent)


def test_a_commitment_binds_its_player() -> None:
    secret = hr.records.new_secret()
    assert hr.records.commitment("Red", secret) != hr.records.commitment("Blue", secret)
    with pytest.raises(hr.records.BadSecret, match="two players have the same commitment"):
        hr.records.combine_seeds(
            {"Red": secret, "Blue": secret},
            dict.fromkeys(("Red", "Blue"), hr.records.commitment("Red", secret)),
        )


@pytest.mark.parametrize(
    ("revealed", "committed", "expected"),
    [
        ({}, {}, "from 2 to 64 commitments, got 0"),
        ({"A": "0" * 64}, {"A": "1" * 64, "B": "2" * 64}, "missing secret of `B`"),
        ({"A": "0" * 64, "C": "0" * 64}, {"A": "1" * 64, "B": "2" * 64}, "missing secret of `B`"),
        ({"A": "0" * 63, "B": "0" * 64}, {"A": "1" * 64, "B": "2" * 64}, "as 64 hexadecimal digits"),
        ({"A": None, "B": "0" * 64}, {"A": "1" * 64, "B": "2" * 64}, "as 64 hexadecimal digits"),
        ({"\n": "0" * 64, "B": "0" * 64}, {"\n": "1" * 64, "B": "2" * 64}, "the name of a player"),
    ],
)  # fmt: skip
def test_invalid_secrets_are_refused(
    revealed: dict[str, str], committed: dict[str, str], expected: str
) -> None:
    with pytest.raises(hr.records.BadSecret, match=expected):
        hr.records.combine_seeds(revealed, committed)


def test_an_outcome_can_be_sampled_from_another_seed() -> None:
    """The same point, seed and rules give the same outcome, and it is a legal one."""
    game = _moments()[4]
    outcomes = {game.sample_chance(f"seed {number}").text for number in range(40)}

    assert ("chance",) == game.to_move
    assert game.sample_chance("a seed") == game.sample_chance("a seed")
    assert len(outcomes) > 10
    assert outcomes <= {action.text for action in game.actions}
    auto = small().start("short", seed="a seed").play("Fox to Far East").play("like")
    asked = small().start("short", seed="x", chance="ask").play("Fox to Far East").play("like")
    assert auto.state == asked.play(asked.sample_chance("a seed")).state
    with pytest.raises(hr.IllegalAction):
        _game().sample_chance("a seed")


# ------------------------------------------------------------------ hostile
@pytest.mark.thorough
def test_many_comments_and_variations_are_read_in_time() -> None:
    head = str(_game().record).partition("\n\n")[0]
    began = time.process_time()
    limits = hr.Limits(record_actions=100_001)
    for body in ("#\n" * 300_000, "Red: rest\n" + "(\nRed: rest\n)\n" * 100_000):
        record = hr.Record.parse(f"{head}\n\n{body}", limits=limits)
        assert record.comments or record.entries
    assert time.process_time() - began < 30


def test_a_whole_game_is_recorded_as_it_is_played(tmp_path: Path) -> None:
    path, game = tmp_path / "game", hr.load("hots-4.0").start("braveheart", seed=5)
    with hr.Journal(path, game, sync=False) as journal:
        for moment in played_out(game, Random(5), 60):
            journal.add(moment)

    assert str(journal.game.record) == path.read_text(encoding="utf-8")
    assert hr.records.verify(hr.Record.read(path), game.ruleset).is_sound
