"""Records at their bounds: how much is read, what an error shows, and what is no part of a value."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import attrs
import pytest

import hots_rules as hr
from hots_rules.records import Entry, commitment, new_secret
from hots_rules.records.body import shown
from hots_rules.records.ruleset_texts import pack, source_for, unpack
from tests.playing import TINY, ruleset_of

pytestmark = pytest.mark.loads_anew  # it matters where texts were found


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def played(*texts: str) -> hr.Game:
    game = small().start("short", seed="a seed", chance="ask")
    for text in texts:
        game = game.play(text)
    return game


# ------------------------------------------------------------------ how much
def test_a_record_has_as_many_actions_as_its_limit_allows() -> None:
    text = str(played("Red: rest", "Blue: rest", "Red: rest").record)

    assert len(hr.Record.parse(text, limits=hr.Limits(record_actions=3)).entries) == 3
    with pytest.raises(hr.BadRecord, match="more than 2 actions"):
        hr.Record.parse(text, limits=hr.Limits(record_actions=2))


def test_a_seed_is_mixed_from_the_shares_of_at_most_64_people() -> None:
    secrets = {f"P{number}": new_secret() for number in range(65)}
    committed = {name: commitment(name, secret) for name, secret in secrets.items()}
    with pytest.raises(hr.records.BadSecret, match="expected from 2 to 64 commitments, got 65"):
        hr.records.combine_seeds(secrets, committed)
    del secrets["P64"], committed["P64"]
    assert len(hr.records.combine_seeds(secrets, committed)) == 64


def test_an_error_shows_sixty_characters_of_a_line_or_a_value() -> None:
    assert shown("x" * 99) == "x" * 60
    head = str(played().record).replace("option fast no", f"option {'n' * 99} {'v' * 99}")
    (note, _) = hr.records.migrate(head, small()).notes

    assert note.startswith(f"option {'n' * 60} {'v' * 60}: not in the ruleset")


def test_a_file_that_ends_inside_its_first_character_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(b"\xe2\x82")

    with pytest.raises(hr.BadRecord, match="line 1: expected"):
        hr.Record.read(path, torn="keep")


# ------------------------------------------------------------------ values
def test_the_line_of_an_entry_and_the_choices_of_a_record_are_no_part_of_their_hash() -> None:
    record = played("Red: rest").record
    again = hr.Record.parse(str(record))

    assert Entry("Red: rest", line=3) == Entry("Red: rest", line=4)
    assert (again, hash(again)) == (record, hash(record))


def test_a_record_is_shown_with_its_beginning_and_its_actions() -> None:
    html = played("Red: rest", "Blue: like")._repr_html_()
    record = played("Red: rest", "Blue: like").record._repr_html_()

    assert html and all(text in record for text in ("short", "a seed", "Red: rest", "Blue: like"))


def test_an_incomplete_record_is_verified_as_far_as_nothing() -> None:
    text = str(played("Red: rest").record)
    torn = hr.Record.parse(text[: text.rindex("state")] + "Blue: re", torn="keep")
    verification = hr.records.verify(torn, small())

    assert attrs.astuple(verification)[:4] == (0, 0, False, 0)
    assert verification.fault.endswith("incomplete last line")


def test_variations_are_counted_with_those_inside_them() -> None:
    head = str(played().record).partition("\n\n")[0]
    lines = "Red: rest\n(\nRed: like\n(\nRed: rest\n)\n(\nRed: rest\n)\n)\n(\nRed: like\n)\nBlue: rest\n"

    assert hr.records.verify(f"{head}\n\n{lines}", small()).variations == 4


def test_a_line_is_read_without_its_indentation() -> None:
    head = str(played().record).partition("\n\n")[0]
    lines = "Red: rest\n(\n   Red: like\n)\n Blue: rest\n"
    first, second = hr.Record.parse(f"{head}\n\n{lines}").entries

    assert (first.variations[0][0].text, second.text) == ("Red: like", "Blue: rest")


# ------------------------------------------------------------------ texts
def test_packed_texts_have_no_other_letters() -> None:
    packed = pack(small().source)

    assert unpack(packed) == small().source
    with pytest.raises(hr.BadRecord, match="invalid texts"):
        unpack(f"{packed[:8]}!{packed[8:]}")


def test_given_texts_are_taken_as_they_are_unless_the_own_ones_are_asked_for() -> None:
    record, other = played("Red: rest").record, ruleset_of(TINY.replace("Nothing.", "No.")).source

    assert source_for(record, "refuse", given=other) == other
    with pytest.raises(hr.BadRecord):
        source_for(attrs.evolve(record, content="0" * 32), "pinned", given=other)


# ------------------------------------------------------------------ actions
FLIGHT = """action fly(p: Piece, s: Spot) §2 "It flies."
  permit when turn > 1 and owner[p] = actor
  at[p] := s
"""
HOMONYM = (
    TINY.replace("action throw(", FLIGHT + "action throw(")
    .replace("choose s: go,", "choose s: go, fly,")
    .replace("label en", 'label en\n  action fly = "{p} to {s}"')
)


def test_an_action_is_written_exactly_only_while_another_of_the_same_words_is_legal() -> None:
    game = ruleset_of(HOMONYM).start("short", seed="1").play("Red: Fox to North")
    later = game.play("Blue: rest").play("Red: go(Fox, South)")

    assert [entry.text for entry in later.record.entries] == [
        "Red: Fox to North",
        "Blue: rest",
        "Red: go(Fox, South)",
    ]


def test_outcomes_are_taken_in_order_and_then_from_the_seed() -> None:
    start, actions = played(), ["Red: like", "Blue: rest", "Red: like"]
    games = list(hr.records.play_with_outcomes(start, actions, ["draw Dog"]))
    texts = [entry.text for entry in games[-1].record.entries]

    assert texts[:4] == ["Red: like", "chance: draw Dog", "Blue: rest", "Red: like"]
    assert texts[4] == games[-2].sample_chance("a seed").text
    with pytest.raises(hr.BadArgument, match="draw Hen"):
        list(
            hr.records.play_with_outcomes(start, actions, ["draw Dog", "draw Fox", "draw Hen", "x"])
        )


def test_the_last_digest_names_the_winner() -> None:
    game = ruleset_of(TINY.replace("  win none", "  win Red")).start("short", seed="1")
    while not game.is_over:
        game = game.play(f"{game.to_move[0]}: rest")

    assert game.record.seal == "9a93dcce22b91d7f6515a4675723278f"
