"""A study with what is asked for by keywords."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.study import Study, StudyPlan, StudySide


def study(
    *sides: hr.Ruleset | StudySide, backend: str = "auto", workers: int = 1, **asked: object
) -> Study:
    """The study of some sides, where `asked` are the other fields of its plan."""
    return hr.study.study(sides, StudyPlan(**asked), backend=backend, workers=workers)
