"""Studies, and figures to compare theirs with."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.study import Study, StudyPlan, StudySide


def study(
    *sides: hr.Ruleset | StudySide, backend: str = "auto", workers: int = 1, **asked: object
) -> Study:
    """The study of some sides, where `asked` are the other fields of its plan."""
    return hr.study.study(sides, StudyPlan(**asked), backend=backend, workers=workers)


def share_of_wins(rules: hr.Ruleset, games: int) -> float:
    """White's share of the games with the seeds `3/0`, `3/1`, …"""
    batch = Batch.of(rules, backend="python", is_paired=True)
    ends = batch.play_scenario("two-ranks", (f"3/{number}" for number in range(games)))
    return sum(end.outcome == 2 for end in ends) / games
