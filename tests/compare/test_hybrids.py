"""Rulesets with some differences of another one taken over, and the smallest sets that work alone."""

from itertools import pairwise
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.rules.editions.hybrid_rulebook import Blend
from hots_rules.rules.rulebook import Key
from tests.casebook import HAMMER
from tests.compare.test_compare import OLDER, TINY, house

# A rule with a definition of its own, two rules that share one, a new parameter, and a rule that stands alone.
RULES = """
define many(p: Side) = count({b in Block where owner[b] = p}) > 3  §2.1
rule no-march-of-many §2.1 "Many stay."
  forbid march(b, a) when many(actor)
define calm = year = 1298  §2.1
rule calm-march §2.1 "No march in 1298."
  forbid march(b, a) when calm
rule calm-peek §2.1 "No peeking in 1298."
  forbid peek when calm
repeal rule castles-hold §2.2
"""


def sets(old: Path | str, new: Path | str) -> dict[str, set[str]]:
    """The groups by name."""
    return {group.name: set(group.differences) for group in hr.compare.groups(old, new)}


def blend(old: Path | str, new: Path | str) -> Blend:
    """All blends of two rulesets."""
    found = hr.diff(old, new).differences
    keys = [(each.kind, each.name) for each in found if each.kind != "label"]
    return Blend.of(hr.load(old).rulebook, hr.load(new).rulebook, keys)


def fails(mixed: Blend, keys: frozenset[Key]) -> bool:
    """Whether a set of differences does not pass the checks alone."""
    return bool(mixed._faults(keys))


# ---------------------------------------------------------------- names
def test_a_difference_has_one_name_both_ways_round_and_in_every_pair() -> None:
    there, back = hr.diff("hots-3.x", "hots-4.0"), hr.diff("hots-4.0", "hots-3.x")
    far = hr.diff("hots-2.3", "hots-4.0")

    assert set(there.ids) == set(back.ids)
    assert len(there.ids) == len(set(there.ids))
    assert {"rule border-control", "define captured", "label fr"} <= set(there.ids) & set(far.ids)


def test_another_order_of_rules_has_a_name_beside_that_of_its_event() -> None:
    change = hr.compare.Change("order of rules", "on a, on b", "on b, on a")
    one = hr.compare.Difference("event", "crosses", "amended", None, None)
    other = hr.compare.Difference("event", "crosses", "amended", None, None, (change,))

    assert ("event crosses", "order crosses") == (one.id, other.id)


@pytest.mark.parametrize("name", ["rule border-control", "border control", "Rule Border_Control"])
def test_a_difference_is_found_by_its_name_alone(name: str) -> None:
    assert "rule border-control" == hr.diff("hots-3.x", "hots-4.0").find(name).id


def test_a_name_that_no_difference_has_is_refused_with_the_closest() -> None:
    with pytest.raises(hr.UnknownName, match="did you mean `rule border-control`"):
        hr.diff("hots-3.x", "hots-4.0").find("rule border-contrl")


def test_an_invariant_is_behavioural_and_a_label_is_of_wording() -> None:
    found = {each.kind: each for each in hr.diff(TINY, OLDER).differences}

    assert ("behavioural", False) == (found["invariant"].effect, found["invariant"].plays)
    assert ("wording", False) == (found["label"].effect, found["label"].plays)


# ---------------------------------------------------------------- groups
def test_a_definition_and_the_rule_that_asks_for_it_are_one_group(tmp_path: Path) -> None:
    path = house(tmp_path, RULES)
    found = sets(TINY, path)

    assert {"rule no-march-of-many", "define many"} in found.values()
    assert {"rule calm-march", "define calm"} in found.values()
    assert {"rule calm-peek", "define calm"} in found.values()
    assert {"rule castles-hold"} in found.values()


@pytest.mark.thorough
def test_the_other_way_round_a_definition_goes_after_all_rules_that_use_it(tmp_path: Path) -> None:
    found = sets(house(tmp_path, RULES), TINY)

    assert {"rule calm-march"} in found.values()
    assert {"rule calm-march", "rule calm-peek", "define calm"} in found.values()


def test_a_group_names_those_within_it(tmp_path: Path) -> None:
    group = hr.compare.group_of(house(tmp_path, RULES), TINY, "calm")

    assert ("rule calm-march", "rule calm-peek") == group.requires
    assert {*group.requires, "define calm"} == set(group.differences)


@pytest.mark.thorough
@pytest.mark.parametrize("pair", [(TINY, OLDER), (OLDER, TINY)], ids=["older", "newer"])
def test_each_group_passes_the_checks_and_nothing_of_it_can_be_left_out(
    pair: tuple[Path, Path],
) -> None:
    check_groups(*pair)


@pytest.mark.nightly
@pytest.mark.parametrize("pair", [*pairwise(HAMMER), *pairwise(HAMMER[::-1])], ids=" to ".join)
def test_the_groups_of_the_printings_are_the_smallest(pair: tuple[str, str]) -> None:
    check_groups(*pair)


def check_groups(old: Path | str, new: Path | str) -> None:
    """Every difference has a group, which passes the checks; without any of its others, that one does not.

    Differences that need each other share a group, so that each set is checked once.
    """
    mixed, groups = blend(old, new), sets(old, new)
    keys = {" ".join(key): key for key in mixed.keys}
    found = {
        keys[name]: frozenset(keys[each] for each in ids)
        for name, ids in groups.items()
        if name in keys
    }
    for key, group in found.items():
        within = frozenset[Key]().union(*(other for other in found.values() if other < group))
        own = group - within
        others = group if len(own) > 1 else group - {key}
        assert not fails(mixed, group)
        assert [] == [other for other in others if not fails(mixed, group - {other})]
    assert set(hr.diff(old, new).ids) == set().union(*groups.values())


# ---------------------------------------------------------------- hybrids
@pytest.mark.thorough
@pytest.mark.parametrize(
    "pair", [("hots-3.x", "hots-4.0"), ("hots-4.0", "hots-2.3")], ids=" to ".join
)
def test_with_all_differences_it_is_the_second_ruleset_and_with_none_the_first(
    pair: tuple[str, str],
) -> None:
    old, new = map(hr.load, pair)
    every, none = (hr.compare.hybrid(old, new, ids) for ids in (hr.diff(old, new).ids, ()))

    assert not hr.diff(every, new)
    assert not hr.diff(none, old)
    assert every.compiled_source() == new.compiled_source()
    assert none.compiled_source() == old.compiled_source()


@pytest.mark.thorough
def test_a_difference_comes_with_what_it_leans_on_and_nothing_else() -> None:
    old, new = hr.load("hots-3.x"), hr.load("hots-4.0")
    mixed = hr.compare.hybrid(old, new, ["return of balliol"])
    taken = {"reading return_of_balliol", "rule balliol-waits-until-1301"}

    assert taken == {name for name in hr.diff(old, mixed).ids if not name.startswith("label")}
    assert "return_of_balliol" in old.readings
    assert "return_of_balliol" not in mixed.readings


@pytest.mark.thorough
def test_its_games_have_records_that_replay_with_it() -> None:
    old, new = hr.load("hots-3.x"), hr.load("hots-4.0")
    mixed = hr.compare.hybrid(old, new, ["rule border-control"])
    game = mixed.start("braveheart", seed=1297)
    game = game.play(game.actions[0])

    assert game == hr.replay(game.record, mixed)
    with pytest.raises(hr.BadRecord):
        hr.replay(game.record, old)


@pytest.mark.thorough
def test_a_house_rule_is_laid_over_another_game_with_the_same_file_names(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = house(tmp_path / "a", "repeal rule castles-hold §2.2\n", name="house")
    rule = 'rule calm §2.1 "No peeking."\n  forbid peek when year = 1298\n'
    other = house(tmp_path / "b", rule, name="house")
    mixed = hr.compare.hybrid(hr.load(one), hr.load(other), ["calm"])

    assert {"rule calm", "rule castles-hold"} == set(hr.diff(TINY, mixed).ids) - {"label fr"}
    assert [rule.strip()] == [each.source for each in hr.explain.find_declarations(mixed, "calm")]


@pytest.mark.thorough
def test_words_in_another_language_come_with_what_is_taken() -> None:
    old, new = (hr.load(name).in_language("fr") for name in ("hots-4.0", "hots-3.x"))
    mixed = hr.compare.hybrid(old, new, ["return of balliol"])

    assert "fr" == mixed.language
    assert new.readings["return_of_balliol"].summary == mixed.readings["return_of_balliol"].summary
