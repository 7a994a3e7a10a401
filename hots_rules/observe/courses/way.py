"""The way of a search from moment to moment: when it learns, goes back and gives up."""

from __future__ import annotations

from random import Random

from hots_rules.diagnostics import LimitExceeded
from hots_rules.observe.courses.deductions import Lesson
from hots_rules.observe.courses.plans import Due
from hots_rules.observe.courses.search import CourseSearch
from hots_rules.observe.courses.stages import NOTHING_KEPT, Kept, Stage
from hots_rules.observe.courses.steps import FoundCourse
from hots_rules.observe.courses.whereabouts import Whereabouts

PLAYS_AT_FIRST = 150  # moves played to get over a moment before something is learned from it
PLAYS_TO_GO_ON = 400  # moves played, at most, to get over it then, the first time
MAX_DOUBLED = 4  # how often that is doubled, once for each time that the search has begun anew
MAX_LESSONS = 30  # what is learned, at most, before the search begins anew
MAX_TRIES = 24  # how often it begins anew
BACK_AT_FIRST = 64  # moments that it goes back then, at first
STAGES_EVERY = 16  # moments after which what was found is kept
RESTARTS_EVERY = 16  # moments after which it is sought once more


def course_of(search: CourseSearch) -> FoundCourse | None:
    """A course that agrees with a history, found from moment to moment; None if it was not found in bounded time.

    What was found before is kept with the history, up to the first moment of which more is known since then.
    """
    history, whereabouts = search.history, search.whereabouts
    kept = history.derived.get(Kept)
    before = kept if isinstance(kept, Kept) else NOTHING_KEPT
    way = Way(search, before.stages)
    way.take_up(search.first_change(before))
    try:
        while way.at + 1 < len(history.moments):
            way.go_on()
    except LimitExceeded:
        way.give_up()
        raise
    finally:
        history.derived[Kept] = Kept(way.stages, whereabouts, search.likely)
        search.whereabouts = whereabouts
    return way.course


class Way:
    """The way of a search from moment to moment, with what is learned on it."""

    def __init__(self, search: CourseSearch, stages: tuple[Stage, ...]) -> None:
        self._search = search
        self._sound = search.whereabouts
        self._lessons = self._tries = self._failures = 0
        self._furthest = -1
        self.stages = stages

    def take_up(self, changed: int) -> None:
        """Take up what was found before; `changed` is the first moment of which more is known since then."""
        self.go_back(len(self._search.history.moments))
        course = self.course
        if course is None:
            self.go_back(changed)
            return
        stranger = self._search.whereabouts.first_stranger(
            [reached.stacks for reached in course.reached]
        )
        if stranger is not None:
            self._search.keep_to(course, None)
            self.go_back(stranger)

    def go_back(self, moment: int) -> None:
        """Go back to the last stage before a moment."""
        self.stages = tuple(stage for stage in self.stages if stage.at < moment)
        last = self.stages[-1] if self.stages else Stage(-1, None, frozenset(), (), -1)
        self.at, self.course, pinned, self._learned, self._attempt = last
        self._search.pinned = set(pinned)
        self._search.whereabouts = self._whereabouts()

    def _whereabouts(self) -> Whereabouts:
        """What is taken to be known: in every other attempt, what is likely as well."""
        is_likely = not self._attempt % 2 and self._search.is_likely_possible
        taken = self._search.likely if is_likely else self._sound
        return taken.without(self._learned) or self._sound

    def go_on(self) -> None:
        """Go on to the next moment; or back, if something is learned or nothing leads on."""
        search, at, course = self._search, self.at + 1, self.course
        if course is None:
            if at == 0 <= self._attempt:  # something was learned of the first moment
                self._begin()
            elif at % RESTARTS_EVERY or not self._begin_again():
                self._stand(at, None)
            return
        seed = f"course/{self._attempt}/{at}"
        longer = search.gone_on(course, Random(seed), PLAYS_AT_FIRST)
        if longer is None and self._learn(search.deduced(course, Random(seed))):
            return
        if longer is None:
            plays = PLAYS_TO_GO_ON << min(self._tries, MAX_DOUBLED)
            longer = search.gone_on(course, Random(seed), plays)
        if longer is not None or not self._begin_again():
            self._stand(at, longer)

    def give_up(self) -> None:
        """Note that there is no course up to the last moment, so that it is not sought again at once."""
        self._stand(len(self._search.history.moments) - 1, None)

    def _begin_again(self) -> bool:
        """Go back, the further the more often nothing led on, and make other choices; whether that may be."""
        beginnings, at = self._search.history.beginnings, self.at
        if self._tries == MAX_TRIES or not beginnings:
            return False
        self._failures = 0 if at > self._furthest else self._failures + 1
        self._furthest = max(self._furthest, at)
        self._tries += 1
        attempt = self._attempt + 1
        self._search.keep_to(None, None)
        back = BACK_AT_FIRST << self._failures
        self.go_back(at - back if self.course is not None else 0)
        self._attempt, self._lessons = attempt, 0
        self._search.whereabouts = self._whereabouts()
        if self.course is None:
            self._begin()
        return True

    def _begin(self) -> None:
        beginnings = self._search.history.beginnings
        self._stand(0, self._search.begin(beginnings[self._attempt % len(beginnings)]))

    def _stand(self, at: int, course: FoundCourse | None) -> None:
        """Note what was found up to a moment, in place of what was found since the last one that is kept."""
        stages = self.stages[:-1] if self.at % STAGES_EVERY else self.stages
        pinned = frozenset(self._search.pinned)
        self.at, self.course = at, course
        self.stages = (*stages, Stage(at, course, pinned, self._learned, self._attempt))

    def _learn(self, lesson: Lesson | None) -> bool:
        """Heed what follows from a moment, and go back to the first one at which the course must change for it.

        Tells whether there is such a moment.
        """
        search, course = self._search, self.course
        before = search.whereabouts
        if lesson is None or course is None or self._lessons == MAX_LESSONS:
            return False
        whereabouts = before.without(lesson.exclusions) if lesson.exclusions else before
        if whereabouts is None:
            return False
        due = Due(lesson.moment, lesson.stacks)
        goal = whereabouts.with_stacks(*due)
        stacks = [reached.stacks for reached in course.reached]
        moment = (goal or whereabouts).first_stranger(stacks)
        is_tried = search.due is not None and due.moment <= search.due.moment
        if moment is None or (is_tried and not lesson.exclusions):
            return False
        self._lessons += 1
        attempt, learned = self._attempt, (*self._learned, *lesson.exclusions)
        search.keep_to(course, due if goal else None)
        self.go_back(moment)
        self._attempt, self._learned, search.whereabouts = attempt, learned, whereabouts
        return True
