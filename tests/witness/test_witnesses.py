"""Every change of play has a case, and docs/reference/editions.md lists what random play finds between two editions.

The search is seeded and bounded: games by chance under the newer printing, and positions out of their midst, are
played again under the older one to where the two part.
"""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise, permutations
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

import pytest

import hots_rules as hr
from tests.casebook import HAMMER
from tests.compare.test_compare import TINY, house
from tests.folders import HOME
from tests.listing import assert_none
from tests.witness.shown import PAIRS, Pair, difference, loaded, unshown

PAGE = HOME / "docs" / "reference" / "editions.md"
MOVES = 120  # of a game out of which positions are taken
POSITIONS = 3  # of each game
AFTER = 60  # decisions from a position on
NOTICED, MOST = (
    0.8,
    3.0,
)  # seconds of processor time of a kept witness: measured again from, and allowed


def listed(pair: Pair) -> set[tuple[str, str]]:
    """The differences of play that the page lists from one printing to the other."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"## From {pair[0]} to {pair[1]}\n")
    played = rest.partition("\n## ")[0].partition(": wording\n")[0]
    rows = re.findall(r"(?:added|amended|repealed) (\w+) `([\w-]+)`", played)
    return {(kind, name) for kind, name in rows}


def at_random(game: hr.Game, rng: random.Random, most: int) -> Iterator[hr.Game]:
    """A game by chance, moment by moment."""
    for _ in range(most):
        if game.is_over:
            return
        game = game.play(rng.choice(game.actions))
        yield game


def games(ruleset: hr.Ruleset, seed: int) -> Iterator[hr.Game]:
    """Games from a scenario, and from positions in the midst of them."""
    rng = random.Random(seed)
    scenario = ruleset.scenarios[seed % len(ruleset.scenarios)]
    moments = list(at_random(ruleset.start(scenario, seed=seed), rng, MOVES))
    yield moments[-1]
    for moment in rng.sample(moments, min(POSITIONS, len(moments))):
        try:
            begun = ruleset.position(moment.position, seed=seed)
        except hr.BadPosition:
            continue  # between two moments at which positions begin, not every state is one
        *_, last = (begun, *at_random(begun, rng, AFTER))
        yield last


def witnesses(
    newer: hr.Ruleset, older: hr.Ruleset, differences: hr.compare.Diff, seeds: range
) -> Iterator[hr.compare.Divergence]:
    """The divergences that the search finds."""
    for seed in seeds:
        for game in games(newer, seed):
            try:
                found = hr.compare.divergence(game, older, differences=differences)
            except hr.BadPosition:
                continue  # the older printing holds another invariant
            if found:
                yield found


def test_every_change_of_play_is_shown_by_a_case() -> None:
    assert [] == unshown()


@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_the_page_lists_every_difference(pair: Pair) -> None:
    plays = {(one.kind, one.name) for one in difference(pair).differences if one.plays}

    assert plays == listed(pair)


@pytest.mark.thorough
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_what_random_play_finds_is_listed(pair: Pair) -> None:
    newer, older = (loaded(name) for name in pair)
    unlisted = [
        f"{one.what} after {one.at}, `{one.text}`: {[(each.kind, each.name) for each in one.causes]}"
        for one in witnesses(newer, older, difference(pair), range(2))
        if not one.causes or any((each.kind, each.name) not in listed(pair) for each in one.causes)
    ]

    assert [] == unlisted


def test_the_search_finds_what_is_there(tmp_path: Path) -> None:
    rules = (
        "repeal rule castles-hold §2.2\n"
        'rule no-english-marches §2.1 "No."\n  forbid march when actor = England\n'
    )
    newer, older = hr.load(TINY), hr.load(house(tmp_path, rules))
    found = list(witnesses(newer, older, hr.diff(newer, older), range(12)))
    causes = {(cause.kind, cause.name) for one in found for cause in one.causes}

    assert {("rule", "castles-hold"), ("rule", "no-english-marches")} == causes


# ---------------------------------------------------------------- printings that are not neighbours
@pytest.mark.parametrize(
    ("name", "kind"), [("rule no-raid-under-truce", "legal"), ("phase must_retreat", "legal")]
)
def test_a_witness_of_neighbours_is_kept_for_printings_further_apart(name: str, kind: str) -> None:
    pair = hr.load("hots-2.3"), hr.load("hots-4.0")

    for old, new in (pair, pair[::-1]):
        search = hr.witness.kept_search(old, new, difference=name)
        assert search is not None and search.witness is not None
        assert (search.witness.old, search.witness.new) == (old.name, new.name)
        assert (search.witness.kind, search.is_kept) == (kind, True)
        assert search.witness.verdicts[0] != search.witness.verdicts[1]


@pytest.mark.thorough
@pytest.mark.parametrize(("old", "new"), list(permutations(HAMMER, 2)))
def test_of_each_difference_a_witness_or_a_reason_is_kept_on_the_way(old: str, new: str) -> None:
    way = sorted((HAMMER.index(old), HAMMER.index(new)))
    steps = [hr.witness.kept_witnesses(*pair) for pair in pairwise(HAMMER[way[0] : way[1] + 1])]
    kept = {name for step in steps for name in (*step.witnesses, *step.missing)}

    assert_none(
        each.id for each in hr.diff(old, new).differences if each.plays and each.id not in kept
    )


def test_a_difference_that_one_edition_alone_shows_has_a_reason() -> None:
    pair = hr.load("hots-4.0"), hr.load("hots-player-aid")

    for old, new in (pair, pair[::-1]):
        search = hr.witness.kept_search(old, new, difference="define strengthened")
        assert search is not None and search.witness is None
        assert search.why.startswith("It is shown between an edition and the same one without it")


# ---------------------------------------------------------------- the time that a witness takes
def seconds_of_the_command(*words: str) -> float:
    """The processor time of `hots witness` in a process of its own."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "hots_rules.cli", "witness", *words]
    assert subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode in (0, 1)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.nightly
@pytest.mark.parametrize(("old", "new"), list(permutations(HAMMER, 2)))
def test_each_difference_is_shown_or_has_its_reason_within_three_seconds(
    old: str, new: str
) -> None:
    pair = hr.load(old), hr.load(new)
    for changed in hr.diff(*pair).differences:
        if not changed.plays:
            continue
        begun = process_time()
        search = hr.witness.kept_search(*pair, difference=changed.id)
        assert search is not None, changed.id
        if search.witness is None:
            assert search.why, changed.id
        else:
            sides = hr.witness.sides_of(search.witness, *pair)
            assert len(search.witness.answers(*sides)) == 2
            assert search.witness.verdicts[0] != search.witness.verdicts[1], changed.id
        if process_time() - begun > NOTICED:  # its own process loads the rulesets as well
            asked = (old, new, "--difference", changed.id)
            assert seconds_of_the_command(*asked) <= MOST, changed.id
