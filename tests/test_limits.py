"""Limits of what strangers may send: what is over one is refused at once, and a caller may set each."""

from __future__ import annotations

import pickle

import pytest
from playing import TINY, ruleset_of

import hots_rules as hr
from hots_rules.game import load_source
from hots_rules.records.ruleset_texts import pack
from hots_rules.rules import find_source

SMALL = ruleset_of(TINY)
GAME = SMALL.start("short", seed=1)


def limited(**limits: int) -> hr.Ruleset:
    """The small ruleset under other limits."""
    return load_source(SMALL.source, hr.Limits(**limits))


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "9", None])
def test_a_limit_is_a_whole_number_above_0(limit: object) -> None:
    with pytest.raises(hr.UnknownOption, match=r"expected a value of `ruleset_bytes`, got `"):
        hr.Limits(ruleset_bytes=limit)  # type: ignore[arg-type]


def test_a_ruleset_keeps_its_limits() -> None:
    rules = limited(position_bytes=10)

    assert 10 == rules.limits.position_bytes
    assert 10 == pickle.loads(pickle.dumps(rules)).limits.position_bytes
    assert hr.Limits() == SMALL.limits


# ---------------------------------------------------------------- rulesets
def test_the_texts_of_a_ruleset_are_counted_together_in_bytes() -> None:
    size = sum(len(text.encode()) for text in SMALL.source.texts.values())

    assert limited(ruleset_bytes=size) == SMALL
    with pytest.raises(hr.RulesetError) as error:
        limited(ruleset_bytes=size - 1)
    assert f"expected at most {size - 1} bytes" in str(error.value)
    assert "pass `limits=Limits(ruleset_bytes=…)`" in str(error.value)


def test_the_shipped_rulesets_are_half_as_large_as_a_ruleset_may_be() -> None:
    for name in hr.rulesets():
        texts = find_source(name).texts.values()
        assert sum(len(text.encode()) for text in texts) < hr.Limits().ruleset_bytes / 2


def test_texts_in_a_record_have_the_limit_of_a_ruleset() -> None:
    packed = pack(SMALL.source)
    record = str(GAME.record).replace("\n\n", f"\ntext {packed}\n\n", 1)

    assert GAME == hr.replay(record, content="pinned")
    for limit, cause in ((1_000, "expected at most 1000 bytes in a ruleset"), (10, "too large")):
        with pytest.raises(hr.BadRecord, match=cause):
            hr.replay(record, content="pinned", limits=hr.Limits(ruleset_bytes=limit))


# ---------------------------------------------------------------- records
def test_actions_of_variations_count_as_actions_of_the_record() -> None:
    game = GAME.play(GAME.actions[0])
    line = game.record.entries[0].text
    text = str(game.record).replace("\nstate ", f"\n(\n  {line}\n)\nstate ", 1)

    assert 1 == len(hr.Record.parse(text, limits=hr.Limits(record_actions=2)).entries)
    with pytest.raises(hr.BadRecord, match=r"line \d+: more than 1 actions; .*record_actions"):
        hr.Record.parse(text, limits=hr.Limits(record_actions=1))


def test_a_caller_may_read_a_longer_record_than_usual() -> None:
    head = str(GAME.record).partition("\n\n")[0]
    text = f"{head}\n\n" + "nothing\n" * 20_001

    with pytest.raises(hr.BadRecord, match="more than 20000 actions"):
        hr.Record.parse(text)
    longer = hr.Limits(record_actions=20_001)
    assert 20_001 == len(hr.Record.parse(text, limits=longer).entries)
    with pytest.raises(hr.BadRecord, match="nothing"):
        hr.replay(text, load_source(SMALL.source, longer))


def test_a_record_is_measured_in_bytes() -> None:
    text = str(GAME.record).replace("\n\n", "\n\n# " + "é" * 100 + "\n", 1)

    assert hr.Record.parse(text, limits=hr.Limits(record_bytes=len(text.encode())))
    with pytest.raises(hr.BadRecord, match=f"record is larger than {len(text) + 1} bytes"):
        hr.Record.parse(text, limits=hr.Limits(record_bytes=len(text) + 1))


# ---------------------------------------------------------------- positions and messages
def test_a_position_is_measured_in_bytes() -> None:
    text = "# " + "é" * 31_998 + "\nturn 1"

    with pytest.raises(hr.BadPosition, match="expected at most 64000 bytes"):
        SMALL.position(text)
    with pytest.raises(hr.BadPosition, match="expected at most 64000 bytes"):
        GAME.with_position_changes(text)
    assert limited(position_bytes=70_000).position(text).state["turn"] == 1


def test_a_message_is_measured_in_bytes_and_a_record_in_it_as_a_record() -> None:
    padded = hr.to_json(GAME.actions[0])[:-1] + " " * 64_000 + "}"
    record = hr.to_json(GAME.record)[:-1] + " " * 64_000 + "}"

    with pytest.raises(hr.BadMessage, match="message is larger than 64000 bytes"):
        hr.from_json(padded, hr.Action)
    larger = hr.Limits(message_bytes=65_000)
    assert GAME.actions[0] == hr.from_json(padded, hr.Action, limits=larger)
    assert GAME.record == hr.from_json(record, hr.Record)
    with pytest.raises(hr.BadMessage, match="message is larger than 100 bytes"):
        hr.from_json(record, hr.Record, limits=hr.Limits(record_bytes=100))
