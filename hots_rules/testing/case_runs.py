"""Plays test cases in the rulesets that they are about, and writes new results into the files of the cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path

from attrs import define, evolve, field, frozen

from hots_rules._files import atomic_write
from hots_rules._text import composed
from hots_rules.diagnostics import ArgumentError, BadPosition, HotsError, RulesetError
from hots_rules.explain.explain_action import explain_action
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.testing.case_files import CaseFile, ExpectedAnswer, rulesets_around
from hots_rules.testing.casebook import (
    Case,
    case_games,
    is_for,
    play_case,
    read_limited,
    start_case,
)
from hots_rules.testing.errors import BadCase
from hots_rules.testing.expectations import UnmetLine, fault_of, unmet_in

Load = Callable[[str | PathLike[str]], AnyRuleset]


@frozen
class CaseResult:
    """How a case or an answer came out in a ruleset.

    >>> from pathlib import Path
    >>> from hots_rules.testing import CaseResult
    >>> bool(CaseResult(Path("dice.md"), 7, "Five", "fox-1.0"))
    True

    Attributes:
        path: its file.
        line: the line of its heading there.
        title: its heading.
        ruleset: the name of the ruleset; empty if there is none.
        unmet: the lines that do not hold; empty if it holds.
        is_other: whether it is for other rulesets than those that were asked for.
    """

    path: Path
    line: int
    title: str
    ruleset: str
    unmet: tuple[UnmetLine, ...] = ()
    is_other: bool = False

    def __bool__(self) -> bool:
        return not self.unmet


@define
class CaseRunner:
    """Plays cases in the rulesets that they name, in those that lie around them, or in given ones.

    >>> import hots_rules as hr
    >>> import pathlib, tempfile
    >>> case = "## It begins\\n```case\\nlike: scenario braveheart\\nexpect:\\n  goes on:\\n```\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "start.md").write_text(case)
    ...     (file,) = hr.testing.find_case_files([folder])
    ...     [(one.ruleset, bool(one)) for one in hr.testing.CaseRunner(hr.load, ["hots-4.0"]).run(file)]
    [('hots-4.0', True)]

    Attributes:
        load: gives the ruleset with a name or at a path, as `hots_rules.load`.
        names: the names or paths of the given rulesets; empty for those that each case is about.
        others: further files whose cases an answer may name, besides the cases of its own file.
    """

    load: Load
    names: Sequence[str] = ()
    others: Sequence[CaseFile] = ()
    _loaded: dict[str, AnyRuleset | RulesetError] = field(factory=dict, init=False, repr=False)

    def run(
        self, file: CaseFile, chosen: Callable[[Path, str], bool] = lambda path, title: True
    ) -> Iterator[CaseResult]:
        """The results of the cases and answers of a file that are chosen, in order.

        Raises:
            RulesetError: a ruleset that they are about has faults.
        """
        for case in file.cases:
            if chosen(file.path, case.title):
                yield from self.run_case(file.path, case)
        for answer in file.answers:
            if chosen(file.path, answer.title):
                yield self.run_answer(file, answer)

    def run_case(self, path: Path, case: Case) -> list[CaseResult]:
        """The results of a case, one for each ruleset that it is about.

        Raises:
            RulesetError: such a ruleset has faults.
        """
        base = CaseResult(path, case.line, case.title, "")
        try:
            rulesets = self.rulesets_for(path, case)
        except (BadCase, RulesetError) as error:
            if isinstance(error, RulesetError) and error.sources:
                raise
            return [evolve(base, unmet=(fault_of(case, error),))]
        results: list[CaseResult] = []
        refused: list[CaseResult] = []
        for own_case, ruleset in rulesets:
            result = evolve(base, ruleset=ruleset.name)
            if unable := _why_unable(own_case, ruleset):
                refused.append(evolve(result, unmet=(unable,)))
            else:
                results.append(evolve(result, unmet=tuple(unmet_in(own_case, ruleset))))
        if not results and self.names:
            return [evolve(base, is_other=True)]
        return results or refused[:1]

    def rulesets_for(self, path: Path, case: Case) -> list[tuple[Case, AnyRuleset]]:
        """The rulesets in which a case is to be played, each with the case that names it alone in `editions`.

        Given rulesets come with the case as it is; those that its `editions` leave out are skipped.

        Raises:
            RulesetError: one of them has faults.
            BadCase: there is none.
        """
        if self.names:
            given = map(self._loaded_ruleset, self.names)
            names = case.editions
            return [(case, ruleset) for ruleset in given if not names or ruleset.name in names]
        around = rulesets_around(path)
        if not case.editions:
            if not around:
                fault = "no ruleset around this file; add a line `editions`, or name one"
                raise case.error(fault)
            return [(case, self._loaded_ruleset(str(entry))) for entry in around.values()]
        pairs = []
        for edition in case.editions:
            ruleset = self._loaded_ruleset(_place_of(edition, path, around))
            parts = case.parts | {"editions": [ruleset.name]}
            pairs.append((evolve(case, parts=parts), ruleset))
        return pairs

    def game_of(self, path: Path, case: Case) -> tuple[BaseGame, BadCase | None]:
        """The game of a case in its first ruleset, as far as its actions can be played, and why not further.

        Raises:
            BadCase: there is no ruleset for it, or no such position.
            RulesetError: the ruleset has faults.
            BadPosition: the ruleset does not allow the position.
            ArgumentError: the ruleset lacks its scenario, or an option or reading.
        """
        pairs = self.rulesets_for(path, case)
        if not pairs:
            raise case.error("no ruleset for it among those that are named")
        own_case, ruleset = pairs[0]
        game: BaseGame = start_case(own_case, ruleset)
        try:
            for after in case_games(own_case, game):
                game = after
        except BadCase as error:
            return game, error
        return game, None

    def run_answer(self, file: CaseFile, answer: ExpectedAnswer) -> CaseResult:
        """The result of an answer, in the first ruleset that its case is about."""
        result = CaseResult(file.path, answer.line, answer.title, "")
        cases = [
            (searched.path, case)
            for searched in (file, *self.others)
            for case in searched.cases
            if answer.is_about(case)
        ]
        if not cases:
            fault = f"no case `{answer.keys['case']}`"
            return evolve(result, unmet=(UnmetLine(answer.line, "", fault),))
        try:
            ruleset, case = self._ruleset_of(*cases[0], answer)
            game = play_case(case, start_case(case, ruleset))
        except (HotsError, LookupError) as error:
            return evolve(result, unmet=(UnmetLine(answer.line, "", str(error)),))
        answered = _answer_of(game, answer)
        result = evolve(result, ruleset=ruleset.name)
        if answered == answer.text:
            return result
        fault = f"expected `{answer.text}`, got `{answered}`"
        return evolve(result, unmet=(UnmetLine(answer.text_line, answer.text, fault, answered),))

    def _ruleset_of(
        self, path: Path, case: Case, answer: ExpectedAnswer
    ) -> tuple[AnyRuleset, Case]:
        """The ruleset of an answer, with the case as it is for it."""
        if name := answer.keys.get("ruleset"):
            return self._loaded_ruleset(_place_of(name, path, rulesets_around(path))), case
        pairs = self.rulesets_for(path, case)
        if not pairs:
            raise case.error("it is for other rulesets")
        return pairs[0][1], pairs[0][0]

    def _loaded_ruleset(self, name: str) -> AnyRuleset:
        """A ruleset, loaded once; so is its error."""
        if name not in self._loaded:
            try:
                self._loaded[name] = self.load(name)
            except RulesetError as error:
                self._loaded[name] = error
        loaded = self._loaded[name]
        if isinstance(loaded, RulesetError):
            raise loaded
        return loaded


def _place_of(edition: str, path: Path, around: dict[str, Path]) -> str:
    """What to load for an item of `editions`: a file or folder beside the case or above it, or a name."""
    if edition in around:
        return str(around[edition])
    if edition.endswith(".rules") or "/" in edition:
        places = (folder / edition for folder in (path.parent, path.parent.parent))
        return str(next((place for place in places if place.exists()), edition))
    return edition


def _answer_of(game: BaseGame, answer: ExpectedAnswer) -> str:
    try:
        ruling = explain_action(game, answer.keys["ask"], None, with_support=False)
        return ruling.text(answer.keys.get("depth", "sentence"))
    except HotsError as error:
        return str(error)


def _why_unable(case: Case, ruleset: AnyRuleset) -> UnmetLine | None:
    """Why a case cannot begin in a ruleset; None if it can, or if it names the ruleset."""
    if case.editions:
        return None
    try:
        if not is_for(case, ruleset):
            return UnmetLine(
                case.line, "", f"{ruleset.name} lacks a variable that its position names"
            )
        start_case(case, ruleset)
    except (BadPosition, ArgumentError, BadCase) as error:
        return fault_of(case, error)
    return None


# ------------------------------------------------------------------ new results
def accept_results(results: Iterable[CaseResult]) -> int:
    """Replace the expectations of failed cases, in their files, by the results.

    A line that is to be different in two rulesets stays.

    >>> import hots_rules as hr
    >>> hr.testing.accept_results([])
    0

    Returns:
        How many lines, or texts of answers, were changed.
    """
    lines_instead: dict[tuple[Path, int, str], set[str]] = {}
    for result in results:
        for unmet in result.unmet:
            if unmet.line and unmet.text:
                place = result.path, unmet.line, unmet.text
                lines_instead.setdefault(place, set()).add(unmet.instead)
    agreed = {place: new for place, (new, *others) in lines_instead.items() if new and not others}
    for path in dict.fromkeys(path for path, _, _ in agreed):
        text = composed(read_limited(path))
        changes = [(line, old, new) for (at, line, old), new in agreed.items() if at == path]
        # From the last line on, since a new text may have other line breaks.
        for line, old, new in sorted(changes, reverse=True):
            text = _with_line(text, line, old, new)
        atomic_write(path, text)
    return len(agreed)


def _with_line(text: str, line: int, old: str, new: str) -> str:
    """The text with the first `old` from the start of a line on replaced."""
    rows = text.split("\n")
    head, tail = "".join(f"{row}\n" for row in rows[: line - 1]), "\n".join(rows[line - 1 :])
    return head + tail.replace(old, new, 1)
