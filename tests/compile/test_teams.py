"""Several players win together: what may be written, and that everything that plays ends alike."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.compile.codes import has_won, outcome_of, winners_of
from tests.playing import played_out, ruleset_of
from tests.teams import PARTNERS


def finished(seed: int) -> hr.Game:
    *_, game = played_out(ruleset_of(PARTNERS).start("table", seed=seed), Random(seed))
    return game


@pytest.mark.parametrize("winners", range(16))
def test_the_code_of_an_outcome_says_who_won(winners: int) -> None:
    code = outcome_of(winners)
    assert winners_of(code) == winners
    assert [has_won(code, player) for player in range(4)] == [
        bool(winners >> player & 1) for player in range(4)
    ]


def test_one_winner_and_none_have_the_codes_that_they_always_had() -> None:
    assert [outcome_of(winners) for winners in (0, 1, 2, 4)] == [1, 2, 3, 4]


def test_an_outcome_names_all_winners_in_the_order_of_the_players() -> None:
    won = Counter[tuple[str, ...]]()
    for seed in range(100):
        outcome = finished(seed).outcome
        assert outcome is not None
        won[outcome.winners] += 1
        assert outcome.winner == (outcome.winners[0] if len(outcome.winners) == 1 else None)
    assert won["North", "South"] > 5 and won["East", "West"] > 5
    assert won[()] and any(len(winners) == 1 for winners in won)


def test_the_state_after_a_set_of_one_is_that_after_this_player() -> None:
    text = PARTNERS.replace("choose s: take", "choose s: take\n      win {s}")
    one = ruleset_of(text).start("table", seed=1).play("take 3")
    other = ruleset_of(text.replace("{s}\n", "s\n")).start("table", seed=1).play("take 3")
    assert one.outcome is not None and one.outcome.winner == "North"
    assert one.state.slots == other.state.slots


def ends_of(backend: str, games: int) -> list[tuple[int, int, int]]:
    """How random games end: their outcomes, reasons and lengths."""
    batch = Batch.of(ruleset_of(PARTNERS), backend=backend, games=games)
    start = batch.machine.begin("table")
    tasks = ((start, f"0/{number}") for number in range(games))
    return [(end.outcome, end.reason, end.decisions) for end in batch.play(tasks)]


@pytest.mark.parametrize("backend", ["wasm", "llvm"])
def test_machine_code_ends_games_as_python_does(backend: str) -> None:
    ends = ends_of("python", 300)
    assert ends_of(backend, 300) == ends
    assert {outcome < 0 for outcome, _, _ in ends} == {False, True}


def test_who_wins_together_is_a_winner_each_in_a_tally() -> None:
    rules = ruleset_of(PARTNERS)
    result = hr.simulate(rules, "table", games=50, backend="python")
    outcomes = [outcome for outcome, _, _ in ends_of("python", 50)]
    for player, name in enumerate(rules.players):
        assert result.wins[name] == sum(has_won(outcome, player) for outcome in outcomes)
    assert result.wins["nobody"] == outcomes.count(1)
    assert sum(result.wins.values()) > result.finished == 50


# ------------------------------------------------------------------ faults
@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("North, North", "duplicate-name: duplicate winner `North`"),
        ("North, South, North", "duplicate-name: duplicate winner `North`"),
        ("partner(South), partner(South)", "duplicate-name: duplicate winner"),
        ("North, none", "wrong-type: expected `Seat`, got `none`"),
        ("North, pair_of(East)", "wrong-type: expected `Seat`, got a set of `Seat`"),
        ("3", "wrong-type: expected `Seat[?]`, got the number 3"),
        ("{1, 2}", "wrong-type: expected a set of `Seat`, got a set of"),
    ],
)
def test_what_cannot_win_is_a_fault(written: str, code: str) -> None:
    with pytest.raises(hr.RulesetError, match=code):
        ruleset_of(PARTNERS.replace("partner(South), South", written))


def test_the_second_mention_of_a_winner_is_taken_away() -> None:
    with pytest.raises(hr.RulesetError) as caught:
        ruleset_of(PARTNERS.replace("partner(South), South", "North, South, North"))
    (fault,) = caught.value.faults
    (fix,) = fault.fixes
    (edit,) = fix.edits
    line = "      win North, South, North"
    start, end = edit.span.column - 1, edit.span.end_column - 1
    assert fix.is_safe
    assert line[:start] + edit.text + line[end:] == "      win North, South"
