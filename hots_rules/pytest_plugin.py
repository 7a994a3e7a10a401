"""A plugin of pytest that plays the test cases of a ruleset: each case in a Markdown file is a test.

It does nothing until the configuration of pytest lists files or folders of cases:

    [pytest]
    hots_cases = cases

A case is played in the rulesets that it names, else in those of the nearest folder above it, or in those that
`hots_rulesets` lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest

import hots_rules as hr
from hots_rules._text import plain_text

_RUNNER = pytest.StashKey[hr.testing.CaseRunner]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings `hots_cases` and `hots_rulesets`."""
    parser.addini("hots_cases", "files and folders of test cases in Markdown", type="paths")
    parser.addini("hots_rulesets", "names or paths of the rulesets to play them in", type="args")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CasesFile | None:
    """The tests of a file, if it is one of `hots_cases`."""
    homes = parent.config.getini("hots_cases")
    if file_path.suffix != ".md" or not any(file_path.is_relative_to(home) for home in homes):
        return None
    return CasesFile.from_parent(parent, path=file_path)


class CaseFailed(Exception):
    """A case or an answer that does not hold."""

    def __init__(self, results: Sequence[hr.testing.CaseResult]) -> None:
        super().__init__("a case does not hold")
        self.results = results


class CasesFile(pytest.File):
    """A Markdown file with cases and answers."""

    def collect(self) -> Iterator[CaseItem | AnswerItem]:
        """The cases, then the answers."""
        try:
            files = hr.testing.find_case_files([self.path])
        except hr.testing.BadCase as error:
            raise self.CollectError(str(error)) from None
        for file in files:
            for case in file.cases:
                yield CaseItem.from_parent(self, name=case.title, case=case)
            for answer in file.answers:
                yield AnswerItem.from_parent(self, name=answer.title, answer=answer, file=file)


class _Item(pytest.Item):
    """What cases and answers have in common: how they fail, and where they are."""

    line: int
    funcargs: Mapping[str, object] = MappingProxyType({})
    """Fixtures, of which it has none; the plugin pytest-lsp fails on items without the attribute."""

    def results(self) -> Sequence[hr.testing.CaseResult]:
        """The results in each ruleset."""
        raise NotImplementedError

    def runtest(self) -> None:
        """Play it."""
        results = self.results()
        if all(result.is_other for result in results):
            pytest.skip("for other rulesets")
        if not all(results):
            raise CaseFailed([result for result in results if not result])

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """The lines that do not hold, each with what was found."""
        if isinstance(excinfo.value, CaseFailed):
            texts = plain_text(self.path.read_text(encoding="utf-8")).split("\n")
            return "\n".join(
                line for result in excinfo.value.results for line in _failure(result, texts)
            )
        if isinstance(excinfo.value, hr.HotsError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file, the line of the heading, and the heading."""
        return self.path, self.line - 1, self.name


class CaseItem(_Item):
    """A case."""

    def __init__(self, *, case: hr.testing.Case, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.case, self.line = case, case.line

    def results(self) -> Sequence[hr.testing.CaseResult]:
        """The results in each ruleset."""
        return _runner(self.config).run_case(self.path, self.case)


class AnswerItem(_Item):
    """An answer."""

    def __init__(
        self, *, answer: hr.testing.ExpectedAnswer, file: hr.testing.CaseFile, **others: object
    ) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.answer, self.file, self.line = answer, file, answer.line

    def results(self) -> Sequence[hr.testing.CaseResult]:
        """The result in its ruleset."""
        return [_runner(self.config).run_answer(self.file, self.answer)]


def _runner(config: pytest.Config) -> hr.testing.CaseRunner:
    """The one runner of a session, which loads each ruleset once."""
    if _RUNNER not in config.stash:
        files = hr.testing.find_case_files(config.getini("hots_cases"))
        names = config.getini("hots_rulesets")
        config.stash[_RUNNER] = hr.testing.CaseRunner(hr.load, names, files)
    return config.stash[_RUNNER]


def _failure(result: hr.testing.CaseResult, texts: list[str]) -> Iterator[str]:
    if result.ruleset:
        yield f"in {result.ruleset}:"
    for unmet in result.unmet:
        if 0 < unmet.line <= len(texts):
            yield f"> {unmet.line:4} | {texts[unmet.line - 1]}"
        yield from (f"E        {line}" for line in unmet.message.splitlines())
