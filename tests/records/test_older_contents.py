"""Records that are pinned to the digests of older versions are replayed where their rules are those of today."""

from __future__ import annotations

import csv
import io
import re
import warnings
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

import hots_rules as hr
from hots_rules._home import older_digests_text
from hots_rules.records.older_contents import is_replayed, texts_have_content
from hots_rules.records.ruleset_texts import check_ruleset
from hots_rules.rules import known_sources
from hots_rules.rules.declared_digest import declared_digest
from tests.playing import TINY, ruleset_of
from tests.records.older_digests import pinned_digests

RECORDS = Path(__file__).parent
# Of texts that are no longer in the repository, so what an older version wrote stays as it was.
TINY_OF_0_2 = "f04f6a7adf333def8f88b22b4e000002"


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def small_record(content: str) -> str:
    """A record of the small ruleset that is pinned to a digest."""
    text = str(small().start("short", seed=1).play("Fox to North").record)
    return text.replace(small().content_hash, content)


def kept_rows() -> list[dict[str, str]]:
    """The table of older digests."""
    return list(csv.DictReader(io.StringIO(older_digests_text())))


@pytest.fixture(autouse=True)
def _no_warning() -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# ------------------------------------------------------------------ the records of the project
@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.txt")), ids=lambda path: path.stem)
def test_an_older_record_of_the_project_is_taken_without_a_question(path: Path) -> None:
    record = hr.Record.read(path)
    ruleset = hr.load(record.ruleset)

    assert record.content != ruleset.content_hash
    check_ruleset(record, ruleset)


@pytest.mark.parametrize("name", ["braveheart-3.x"])
def test_an_older_record_is_replayed_with_every_digest_of_its_actions(name: str) -> None:
    record = hr.Record.read(RECORDS / f"{name}.txt")

    game = hr.replay(record)

    assert hr.records.verify(record, game.ruleset).is_sound
    assert game.record.content == game.ruleset.content_hash != record.content
    assert [entry.text for entry in game.record.entries] == [e.text for e in record.entries]


def test_every_digest_of_an_older_record_is_in_the_table() -> None:
    shipped = {(name, content) for name, content in pinned_digests() if name in hr.rulesets()}
    kept = {(row["ruleset"], row["older"]) for row in kept_rows()}
    today = {(row["ruleset"], row["content"]) for row in kept_rows()}

    assert shipped
    assert shipped <= kept | today


# ------------------------------------------------------------------ the table
def test_the_table_leads_to_the_rules_of_today() -> None:
    """Where this fails, the rules of a shipped ruleset have changed: run `python -m tests.records.older_digests`."""
    today = {name: hr.load(name).content_hash for name in {row["ruleset"] for row in kept_rows()}}

    assert {row["content"] for row in kept_rows()} == set(today.values())
    assert all(row["content"] == today[row["ruleset"]] for row in kept_rows())


def test_the_rules_that_version_0_2_shipped_are_in_the_table() -> None:
    kept = {(row["ruleset"], row["older"]) for row in kept_rows() if row["because"] != "records"}

    assert set(RULES_OF_0_2.items()) <= kept


def check_row(row: dict[str, str]) -> None:
    ruleset = hr.load(row["ruleset"])
    assert hr.records.has_content(ruleset, row["older"]) == (row["because"] != "records")
    assert is_replayed(ruleset, row["older"])
    assert not hr.records.has_content(small(), row["older"])


def test_a_digest_of_each_kind_stands_for_the_rules() -> None:
    for row in {row["because"]: row for row in kept_rows()}.values():
        check_row(row)


@pytest.mark.thorough
def test_an_older_digest_of_the_table_stands_for_the_rules() -> None:
    for row in kept_rows():
        check_row(row)


@pytest.mark.parametrize("content", ["0" * 32, "f" * 32])
def test_an_older_digest_of_other_rules_is_not_replayed(
    content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = SimpleNamespace(content=content, is_of_same_play=True)
    table = {(small().name, TINY_OF_0_2[::-1]): kept}
    monkeypatch.setattr("hots_rules.records.older_contents._kept_digests", lambda: table)

    assert not is_replayed(small(), TINY_OF_0_2[::-1])


# What version 0.2.0 wrote into records of the rulesets that it has.
RULES_OF_0_2 = {
    "backgammon-1.0": "18ae51f08daf6874fb798c56f4000002",
    "breakthrough-1.0": "a98675d4cf10fb613d882f8fb0000002",
    "connect-four-1.0": "931085ec5fc8f0b5791a076bb9000002",
    "dominoes-1.0": "d6a16ebb76ef2d96ee69e23872000002",
    "goofspiel-1.0": "0d54b97edde2a2559b9bbb6263000002",
    "hots-2.3": "c41495fbf3a4a17286c653d804000002",
    "hots-3.x": "48ac7f39b82ea2308f78323a68000002",
    "hots-4.0": "4a9011ff8a76a7083c3be74c2c000002",
    "hots-player-aid": "1c1f08b35c8927c32cd3f8283c000002",
    "lords-of-scotland": "c605ef0b88af73926785b687f5000002",
    "reversi-1.0": "943c0ddb872e38521206f934e9000002",
}


# ------------------------------------------------------------------ rulesets of one's own
def test_a_record_of_version_0_2_is_replayed_by_the_same_texts() -> None:
    assert declared_digest(small().source) == TINY_OF_0_2
    assert hr.replay(small_record(TINY_OF_0_2), small()).moves
    assert texts_have_content(small().source, TINY_OF_0_2)
    assert texts_have_content(small().source, small().content_hash)


def test_a_record_of_version_0_2_brings_its_own_texts() -> None:
    game = small().start("short", seed=1).play("Fox to North")
    text = str(hr.records.record_game(game, texts=True))

    text = text.replace(small().content_hash, TINY_OF_0_2)
    assert game == hr.replay(text, content="pinned")


def test_a_record_of_version_0_2_by_other_texts_asks_and_says_why() -> None:
    other = ruleset_of(TINY.replace('"Nothing."', '"Nothing at all."'))
    said = (
        "expected the ruleset `tiny-1.0` with the content f04f6a7adf33…, got `tiny-1.0` with "
        ".*…; a version up to 0.2 wrote the record, and the ruleset may differ in words alone; "
        "replay it pinned to its own texts, or migrate it"
    )

    with pytest.raises(hr.BadRecord, match=said):
        hr.replay(small_record(TINY_OF_0_2), other)
    assert hr.records.migrate(small_record(TINY_OF_0_2), other).is_whole


@pytest.mark.parametrize("digit", range(26, 32))
def test_a_damaged_kind_of_digest_is_refused(digit: int) -> None:
    for content in (TINY_OF_0_2, small().content_hash):
        damaged = f"{content[:digit]}{'7' if content[digit] != '7' else '8'}{content[digit + 1 :]}"
        with pytest.raises(hr.BadRecord, match="with the content"):
            hr.replay(small_record(damaged), small())


def test_no_two_rulesets_have_one_digest() -> None:
    digests = [hr.load(name).content_hash for name in known_sources()]

    assert len(digests) == len(set(digests))
    assert all(re.fullmatch("[0-9a-f]{26}000003", digest) for digest in digests)
