"""What a policy settles for a person depends on that person's view alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import hots_rules as hr
from hots_rules.analysis.policies import settling
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.worlds import consistent_worlds
from tests.observe.test_views import after, tiny
from tests.playing import TINY, ruleset_of

RULESETS = ("hots-4.0", "hots-3.x", "hots-2.3")
"""Those with policies; the player aid, which has the same, is played as hots-4.0."""
POSITIONS = 5


def moments(ruleset: hr.Ruleset, seed: int) -> Iterator[tuple[hr.Game, str]]:
    """Choices of random games of the first scenario, with the player who has them."""
    game, chance = ruleset.start(next(iter(ruleset.scenarios)), seed=seed), Random(seed)
    while not game.is_over:
        player = chance.choice(game.to_move)
        own = [action for action in game.actions if action.player == player]
        if len(own) > 1 and chance.random() < 0.06:
            yield game, player
        game = game.play(chance.choice(own))


def twins(game: hr.Game, player: str) -> list[hr.Game]:
    """States that look alike to a player: the game, and others."""
    return [game, *consistent_worlds(game, viewer_of(game, player))]


@pytest.mark.parametrize("language", ["fr", "es"])
def test_the_policies_have_their_sentences_in_the_language_of_the_game(language: str) -> None:
    ruleset = hr.load("hots-4.0")
    english = hr.analysis.named_policies(ruleset)
    told = hr.analysis.named_policies(ruleset.in_language(language))

    assert list(english) == list(told)
    assert [] == [name for name in told if told[name].text == english[name].text]


@pytest.mark.parametrize("name", ["fight-on", "steady"])
def test_policies_are_those_of_the_rules_and_of_the_file_of_talks(name: str) -> None:
    ruleset = hr.load("hots-4.0")
    policy = hr.analysis.named_policies(ruleset)[name]

    assert policy.lines.startswith("fight-on" if name == "fight-on" else "prefer fire\n")
    assert repr(hr.analysis.Settler(ruleset, name, "England")) == (
        f"Settler(name='{name}', player='England')"
    )


POLICIES = """policy hidden "By what the other has found."
  prefer rest when found[Blue] = Ruby
  prefer hide
policy seen "By what oneself has found."
  prefer rest when found[Red] = Ruby
  prefer hide
"""


def test_a_policy_settles_nothing_that_depends_on_what_the_player_cannot_know() -> None:
    ruleset = tiny(POLICIES)
    game = after("Red: dig", "Blue: dig", ruleset=ruleset)
    others = {twin.view("Blue").state["found"]["Blue"] for twin in twins(game, "Red")}
    assert {"Ruby", "Opal"} <= others
    own = "rest" if game.view("Red").state["found"]["Red"] == "Ruby" else "hide"
    settled = hr.analysis.Settler(ruleset, "seen", "Red").choose(game)

    assert settled is not None and settled.name == own
    assert hr.analysis.Settler(ruleset, "hidden", "Red").choose(game) is None


@pytest.mark.parametrize(
    "error",
    [
        hr.NoConsistentWorld("none was found"),
        hr.LimitExceeded("world_steps", 9, "world of the player"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_without_worlds_only_a_line_that_always_applies_settles(
    error: hr.HotsError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_worlds(*_: object) -> None:
        raise error

    monkeypatch.setattr(settling, "consistent_worlds", no_worlds)
    always = POLICIES.replace("prefer rest when", "prefer rest\n  prefer show when")
    chosen = []
    for policies in (POLICIES, always):
        ruleset = tiny(policies)
        game = after("Red: dig", "Blue: dig", ruleset=ruleset)
        chosen.append(hr.analysis.Settler(ruleset, "seen", "Red").choose(game))

    assert [action and action.text for action in chosen] == [None, "Red: rest"]


def test_a_policy_is_read_by_the_settings_of_each_game() -> None:
    policy = 'policy by-option "By an option."\n  prefer rest when fast\n  prefer like\n'
    ruleset = ruleset_of(TINY + policy)
    settler = hr.analysis.Settler(ruleset, "by-option", "Red")
    games = [ruleset.start("short", seed=1, options={"fast": fast}) for fast in (True, False, True)]

    assert [settler.choose(game).name for game in games] == ["rest", "like", "rest"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", RULESETS)
def test_a_policy_settles_the_same_in_games_that_look_alike(name: str) -> None:
    ruleset = hr.load(name)
    policies = hr.analysis.named_policies(ruleset)
    assert policies
    apart = 0
    for game, player in islice(moments(ruleset, 1297), POSITIONS):
        alike = twins(game, player)
        apart += any(twin.state != game.state for twin in alike)
        for policy in policies:
            settler = hr.analysis.Settler(ruleset, policy, player)
            chosen = {action and action.text for action in map(settler.choose, alike)}

            assert len(chosen) == 1, (policy, game.record)
    assert apart > POSITIONS // 2


def test_a_policy_that_reads_hidden_strengths_leaves_the_choice_to_the_player() -> None:
    ruleset = hr.load("hots-4.0")
    settled = left = 0
    for game, player in islice(moments(ruleset, 1298), POSITIONS):
        names = {action.name for action in game.actions}
        action = hr.analysis.Settler(ruleset, "fight-on", player).choose(game)
        settled += action is not None
        left += action is None and "move" in names
    assert settled and left
