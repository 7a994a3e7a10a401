"""The seeds of a record, one after the other: which outcomes each has given, and from whose shares it was mixed."""

from __future__ import annotations

import re
from functools import cache

import attrs
import pytest

import hots_rules as hr
from hots_rules.records import HeldSeed, combine_seeds, commitment, verify_seeds
from tests.playing import TINY, ruleset_of


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


def drawn(*seeds: HeldSeed, plays: int = 12) -> hr.Game:
    """A game of draws, in which each seed gives the outcomes from its play on."""
    game = small().start("short", seed=seeds[-1].seed, chance="ask")
    while len(game.moves) < plays:
        held = [each for each in seeds if each.plays <= len(game.moves)][-1]
        game = game.play(game.sample_chance(held.seed).text if game.is_chance else "like")
    return game


def mixed(plays: int, digit: str, *people: str) -> HeldSeed:
    """A seed that is the mix of shares."""
    secrets = {name: digit * 63 + str(number) for number, name in enumerate(people)}
    committed = {name: commitment(name, secret) for name, secret in secrets.items()}
    return HeldSeed(plays, combine_seeds(secrets, committed), committed, secrets)


FIRST, SECOND, THIRD = HeldSeed(0, "one"), HeldSeed(3, "dos"), HeldSeed(8, "three")


# ------------------------------------------------------------------ outcomes
@pytest.mark.parametrize(
    ("seeds", "counts"),
    [
        ([FIRST], (6,)),
        ([FIRST, SECOND], (1, 5)),
        ([FIRST, SECOND, THIRD], (1, 3, 2)),
        ([FIRST, attrs.evolve(SECOND, plays=12)], (6, 0)),
    ],
)
def test_each_seed_has_given_the_outcomes_from_its_play_on(
    seeds: list[HeldSeed], counts: tuple[int, ...]
) -> None:
    assert verify_seeds(drawn(*seeds).record, small(), seeds) == counts


def test_an_outcome_that_its_seed_does_not_give_is_named_with_its_action() -> None:
    record = drawn(FIRST, SECOND).record
    later = [FIRST, attrs.evolve(SECOND, plays=12)]
    asked = drawn(FIRST, SECOND, plays=3).sample_chance(FIRST.seed).text
    given = record.entries[3].text
    assert asked != given

    with pytest.raises(hr.BadRecord) as refused:
        verify_seeds(record, small(), later)
    assert str(refused.value) == f"action 4: seed 1 gives `{asked}`, got `{given}`"


def test_a_record_with_one_seed_for_all_dice_is_not_that_of_two() -> None:
    game = small().start("short", seed="two").play("like")

    with pytest.raises(hr.BadRecord, match="one seed for all dice"):
        verify_seeds(game.record, small(), [FIRST, HeldSeed(1, "two")])
    assert verify_seeds(game.record, small(), [HeldSeed(0, "two")]) == (1,)


@pytest.mark.parametrize(
    "seeds", [[], [SECOND], [attrs.evolve(FIRST, plays=1), SECOND], [SECOND, FIRST]]
)
def test_the_first_seed_is_there_from_the_first_play_on(seeds: list[HeldSeed]) -> None:
    with pytest.raises(hr.BadRecord, match="expected a seed from the first play on"):
        verify_seeds(drawn(FIRST, SECOND).record, small(), seeds)


def test_the_record_has_the_last_seed() -> None:
    with pytest.raises(hr.BadRecord, match=re.escape("expected the seed `three` in the record")):
        verify_seeds(drawn(FIRST, SECOND).record, small(), [FIRST, SECOND, THIRD])


# ------------------------------------------------------------------ shares
def test_a_seed_is_the_mix_of_its_shares() -> None:
    seeds = [mixed(0, "a", "Ann", "Ben"), mixed(4, "b", "Ann", "Ben")]
    record = drawn(*seeds).record
    assert verify_seeds(record, small(), seeds) == (2, 4)

    for number, held in enumerate(seeds):
        wrong = list(seeds)
        wrong[number] = attrs.evolve(held, seed="a seed of the table")
        with pytest.raises(hr.diagnostics.BadSecret) as refused:
            verify_seeds(record, small(), wrong)
        assert f"seed {number + 1} is not the mix of its shares" in str(refused.value)


@pytest.mark.parametrize("second", [mixed(4, "b", "Ann", "Cid"), HeldSeed(4, "two")])
def test_each_seed_is_mixed_from_shares_of_the_same_people(second: HeldSeed) -> None:
    seeds = [mixed(0, "a", "Ann", "Ben"), second]

    with pytest.raises(hr.diagnostics.BadSecret, match=r"seed 2 .* same people as seed 1"):
        verify_seeds(drawn(*seeds).record, small(), seeds)
