"""The result of a study as a whole."""

from __future__ import annotations

from attrs import asdict, field, frozen

from hots_rules._version import __version__
from hots_rules.report.whole import Report
from hots_rules.study.control import StudyBoard
from hots_rules.study.estimates import LEVEL, PolicyResult, SideFacts
from hots_rules.study.figure_words import StudyWords
from hots_rules.study.plan import StudyPlan
from hots_rules.study.report import study_report
from hots_rules.study.texts import StudyTexts


@frozen
class Study:
    """What a change of the rules does to a game: the result of `study`.

    >>> import hots_rules as hr
    >>> rules = [*map(hr.load, ["hots-3.x", "hots-4.0"])]
    >>> study = hr.study.study(rules, hr.study.StudyPlan(scenario="braveheart", games=2))
    >>> study.games, study.results[0].effect("decisions").other
    (2, 'hots-4.0')

    Attributes:
        plan: what was asked for.
        sides: what was played.
        results: what was found with each policy.
        backend: what played the games.
        seconds: the time that it took.
        version: the version of the library.
        boards: the board of each side, by its name, for the pictures of the report.
    """

    plan: StudyPlan
    sides: tuple[SideFacts, ...]
    results: tuple[PolicyResult, ...]
    backend: str = "python"
    seconds: float = field(default=0.0, eq=False)
    version: str = __version__
    boards: dict[str, StudyBoard] = field(factory=dict, eq=False, repr=False)

    @property
    def games(self) -> int:
        """The number of games of each side, with all policies."""
        return sum(result.games for result in self.results)

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        plain = asdict(self, filter=lambda attribute, _: attribute.name != "boards")
        return {"digest": self.plan.digest, "level": LEVEL, **plain}

    def report(self, language: str = "en") -> Report:
        """The study as a report, in English ("en"), French ("fr") or Spanish ("es")."""
        texts = StudyTexts(self.plan, self.sides, self.results, StudyWords.of(language))
        played = texts.played(self.backend, self.seconds, self.version)
        return study_report(texts, played, self.boards)
