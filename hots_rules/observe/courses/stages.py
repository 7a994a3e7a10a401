"""What was found of a history, kept for the games that go on from it."""

from __future__ import annotations

from typing import NamedTuple

from hots_rules.observe.courses.steps import FoundCourse
from hots_rules.observe.courses.whereabouts import LIKELY_NOWHERE, NOWHERE, Exclusion, Whereabouts


class Stage(NamedTuple):
    """What was found of a history up to a moment: the course, and the draws that the viewer can tell."""

    at: int
    course: FoundCourse | None
    pinned: frozenset[int]
    learned: tuple[Exclusion, ...]
    attempt: int


class Kept(NamedTuple):
    """Some stages of the search for a course, the last one last, and the whereabouts with which it was sought."""

    stages: tuple[Stage, ...]
    whereabouts: Whereabouts
    likely: Whereabouts


NOTHING_KEPT = Kept((), NOWHERE, LIKELY_NOWHERE)
