"""A game that pairs of players win: what texts, records, cases, odds, figures and comparisons say of the winners."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.compare.divergences import winners_sentence
from tests.playing import played_out, ruleset_of
from tests.study.studies import study
from tests.teams import PARTNERS

HOUSE = """ruleset alone-1.0 "Everybody for himself"
  extends partners-1.0
amend step game.count partners-1.0§1
  let most = max s in Seat: points[s]
  win {s in Seat where points[s] = most}
"""


@cache
def rules() -> hr.Ruleset:
    return ruleset_of(PARTNERS)


@cache
def won_by(*winners: str) -> hr.Game:
    """A game that some players win."""
    for seed in range(200):
        *_, game = played_out(rules().start("table", seed=seed), Random(seed))
        if game.outcome is not None and game.outcome.winners == winners:
            return game
    raise AssertionError(winners)


def before_the_end(*winners: str) -> hr.Game:
    """The same game before its last action."""
    game = won_by(*winners)
    start = rules().start("table", seed=game.seed)
    for entry in game.record.entries[:-1]:
        start = start.play(entry.text)
    return start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the game, and with an edition in which nobody has a partner."""
    (tmp_path / "partners.rules").write_text(PARTNERS, encoding="utf-8")
    (tmp_path / "partners-1.0.rules").write_text(PARTNERS, encoding="utf-8")
    (tmp_path / "alone.rules").write_text(HOUSE, encoding="utf-8")
    return tmp_path


# ------------------------------------------------------------------ words
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "North and South win: "),
        ("fr", "victoire : Nord et Sud: "),
        ("es", "victoria: Norte y Sur: "),
    ],
)
def test_an_outcome_names_the_winners_in_each_language(language: str, sentence: str) -> None:
    game = won_by("North", "South").in_language(language)
    assert str(game.outcome).startswith(sentence)
    assert str(game.view("East").outcome) == str(game.outcome)
    assert sentence.removesuffix(": ") in str(game.moment_reason())


def test_three_winners_are_a_list() -> None:
    assert str(ending_of("North, South, West").outcome).startswith("North, South and West win: ")
    assert winners_sentence(ending_of("North, South, West")) == "North and South and West win"
    assert winners_sentence(ending_of("North")) == "North wins"
    assert winners_sentence(ending_of("none")) == "nobody wins"


def ending_of(winners: str) -> hr.Game:
    """A game that its first action ends."""
    text = PARTNERS.replace("choose s: take", f"choose s: take\n      win {winners}")
    return ruleset_of(text).start("table", seed=1).play("take 3")


# ------------------------------------------------------------------ records and messages
@pytest.mark.parametrize("winners", [("North", "South"), ("East", "West"), (), ("North",)])
def test_a_record_replays_to_the_same_winners(winners: tuple[str, ...]) -> None:
    game = won_by(*winners)
    again = hr.replay(str(game.record), rules())
    assert again == game and again.outcome == game.outcome
    assert str(again.record) == str(game.record)


def test_the_last_digest_depends_on_who_won() -> None:
    seals = {ending_of(winners).record.seal for winners in ("North", "North, South", "North, West")}
    assert len(seals) == 3


def test_messages_name_all_winners() -> None:
    game = won_by("North", "South")
    sent = json.loads(hr.to_json(game.view("East")))["outcome"]
    assert (sent["winner"], sent["winners"]) == (None, ["North", "South"])
    assert hr.from_json(hr.to_json(game.state), hr.State, rules()) == game.state
    assert hr.from_json(hr.to_json(game.view("East")), hr.View) == game.view("East")


def test_a_snapshot_gives_the_ended_game() -> None:
    game = won_by("East", "West")
    begun = rules().start("table", seed=game.seed)
    again = hr.formats.from_snapshot(hr.formats.snapshot(game), begun, game.moves)
    assert again == game and again.outcome == game.outcome


# ------------------------------------------------------------------ cases
def test_a_case_names_the_winners(folder: Path) -> None:
    game = won_by("North", "South")
    played = "\n".join(f"  {entry.text}" for entry in game.record.entries)
    for winners, verdict in (("North and South", True), ("South and North", False)):
        text = (
            f"## The pair wins\n```case\nlike: scenario table\nplay:\n{played}\n"
            f"expect:\n  outcome: {winners} game\n```\n"
        )
        (folder / "pairs.md").write_text(text, encoding="utf-8")
        (file,) = hr.testing.find_case_files([folder / "pairs.md"])
        runner = hr.testing.CaseRunner(hr.load, [str(folder / "partners.rules")])
        assert [bool(result) for result in runner.run(file)] == [verdict]


# ------------------------------------------------------------------ odds, figures, bots
def test_odds_have_an_outcome_for_each_set_of_winners() -> None:
    game = before_the_end("North", "South")
    outcomes = game.odds(until="game", policy="random").outcomes
    assert sum(outcomes.values()) == Fraction(1)
    assert "North and South: game" in outcomes
    assert {name for name in outcomes if ", " in name} == set()


def test_a_study_counts_a_game_for_each_of_its_winners() -> None:
    plan = {"scenario": "table", "games": 80, "seed": 3}
    sides = [hr.study.StudySide(name, rules()) for name in ("one", "other")]
    result = study(*sides, **plan).results[0]
    shares = {player: result.estimate("one", f"{player} wins").mean for player in rules().players}
    nobody = result.estimate("one", "nobody wins").mean
    assert shares["North"] > 0.2 < shares["West"]
    assert sum(shares.values()) > 1.3 > 1 > nobody
    assert {effect.difference for effect in result.effects} == {0}


def test_a_bot_plays_for_its_pair() -> None:
    game = before_the_end("East", "West")
    assert game.to_move == ("West",)
    outcome = game.play(hr.MonteCarloBot(1, rollouts=60).choose(game, "West")).outcome
    assert outcome is not None and "West" in outcome.winners


# ------------------------------------------------------------------ editions
def test_games_with_other_winners_part_at_their_end(folder: Path) -> None:
    house, parted = hr.load(folder / "alone.rules"), []
    for seed in range(30):
        *_, game = played_out(rules().start("table", seed=seed), Random(seed))
        divergence = hr.compare.divergence(game, house)
        assert divergence.what in {"", "outcome"}
        if divergence.here is not None and divergence.there is not None:
            parted.append((divergence.here.outcome, divergence.there.outcome))
    assert len(parted) > 20
    assert all(one.partition(":")[0] != other.partition(":")[0] for one, other in parted)


def test_the_difference_is_listed_and_shown(folder: Path) -> None:
    paths = [str(folder / "partners.rules"), str(folder / "alone.rules")]
    assert "count" in output("diff", *paths)
    assert "win {s in Seat where points[s] = most}" in output("show", paths[1], "game", "--code")


def output(*arguments: str) -> str:
    """What a command prints."""
    return CliRunner().invoke(app, arguments).output
