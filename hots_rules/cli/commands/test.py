"""`hots test`: play the test cases of a folder; again at each change with `--watch`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import attrs
import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.changed_files import Watch, repeat
from hots_rules.cli.exits import fail_if, report
from hots_rules.cli.output import cases as output
from hots_rules.cli.output.console import echo, echo_json, echo_report, progress_bar


@frozen(kw_only=True)
class TestPlan:
    """Which cases are played, in which rulesets, and what is printed of them."""

    paths: tuple[Path, ...] = argument(
        (), "Files and folders of cases. [default: this folder]", "PATHS"
    )
    rulesets: tuple[str, ...] = option(
        (), "Play the cases in this ruleset (repeatable).", "--ruleset", metavar="RULESET"
    )
    words: str = option(
        "", "Only cases whose file or title has these; `and`, `or`, `not`.", "-k", metavar="WORDS"
    )
    coverage: bool = option(False, "Also report what the cases do not cover.")
    statements: bool = option(
        False, "Also report what rules and cases lack of the rulebook's text."
    )
    prove: bool = option(False, "Also test that cases fail without the changes they show.")
    update: bool = option(False, "Write the new results into the files of the cases.")


def test(
    plan: TestPlan, watch: Watch = False, as_json: args.AsJson = False, *, reader: args.Reader
) -> None:
    """Play the cases in Markdown files, and report lines that fail.

    A case is played in the rulesets that it names, otherwise in those of the nearest folder above it. A file may also
    have answers, which are compared word by word.

    With --coverage, report sections without a rule that cites them, rules without a case, and conditions that are not
    both true and false in cases. With --statements, report every statement of the rulebook with the rules that carry
    it and the cases that show it, and what is missing on either side. With --prove, each change that a case claims to
    show is taken back, and the case must fail.
    """
    if watch and (as_json or plan.update):
        raise typer.BadParameter("--watch goes neither with --json nor with --update")
    run = _Run(plan.paths or (Path(),), plan, reader)
    if watch:
        repeat(run.paths, run.report_again)
        return
    results = run.results(quiet=as_json)
    if plan.update:
        updated = hr.testing.accept_results(results)
        echo(f"{updated} {'line' if updated == 1 else 'lines'} updated", "yellow")
        results = run.results(quiet=True)
    proofs = run.proofs() if plan.prove else []
    stated = run.statements() if plan.statements else []
    if as_json:
        data = output.as_json(results)
        if plan.coverage:
            data["coverage"] = [report.as_json() for report in run.coverage()]
        if plan.statements:
            data["statements"] = [report.as_json() for report in stated]
        if plan.prove:
            data["proofs"] = [report.as_json() for report in proofs]
        echo_json(data)
    else:
        run.echo(results, [*stated, *proofs])
    fail_if(
        not results
        or not all(results)
        or any(report.unproven for report in proofs)
        or not all(stated)
    )


@attrs.define
class _Run:
    """One run after the other of the same cases."""

    paths: tuple[Path, ...]
    plan: TestPlan
    reader: args.Reader
    seconds: float = 0.0

    def results(self, *, quiet: bool) -> list[hr.testing.CaseResult]:
        """Play the cases; print a mark for each as they are played, file by file.

        Raises:
            RulesetError: a ruleset has faults.
            BadCase: a file cannot be read.
        """
        start = monotonic()
        files = hr.testing.find_case_files(self.paths)
        runner = hr.testing.CaseRunner(self.reader.load_ruleset, self.plan.rulesets, files)
        chosen = chooser(self.plan.words)
        results: list[hr.testing.CaseResult] = []
        for number, file in enumerate(files, 1):
            of_file = list(runner.run(file, chosen))
            results += of_file
            if of_file and not quiet:
                output.echo_marks(file.path, of_file, number * 100 // len(files))
        self.seconds = monotonic() - start
        return results

    def echo(
        self,
        results: Sequence[hr.testing.CaseResult],
        reports: Sequence[hr.testing.CaseReport | hr.testing.StatementCoverage],
    ) -> None:
        """Print the failures, the coverage, the other reports, and the numbers."""
        output.echo_failures(results)
        if self.plan.coverage:
            for coverage in self.coverage():
                echo_report(coverage.report())
        for further in reports:
            echo_report(further.report())
        output.echo_totals(results, self.seconds)

    def report_again(self) -> None:
        """Play the cases and print the result; faults are printed too, and end nothing."""
        try:
            results = self.results(quiet=False)
            stated = self.statements() if self.plan.statements else []
            self.echo(results, [*stated, *(self.proofs() if self.plan.prove else [])])
        except hr.HotsError as error:
            report(error)

    def coverage(self) -> Iterator[hr.testing.Coverage]:
        """What the cases cover of each ruleset.

        The cases of a house rule are about what it changes, not about the whole rulebook; a ruleset that is named is
        covered as a whole.
        """
        named = bool(self.plan.rulesets)
        for rules, own in self._cases_by_ruleset().values():
            cases = [case for _, case in self._chosen()] if named else own
            is_own = len(rules.source.layers) > 1 and not named
            with progress_bar("cases") as update:
                covered = hr.testing.coverage(rules, cases, is_own=is_own, on_progress=update)
            yield covered

    def statements(self) -> list[hr.testing.StatementCoverage]:
        """The statements of each ruleset, compared with its rules and with all cases, chosen or not."""
        cases = [case for file in hr.testing.find_case_files(self.paths) for case in file.cases]
        rulesets = (rules for rules, _ in self._cases_by_ruleset().values())
        return [hr.testing.statement_coverage(rules, cases) for rules in rulesets]

    def proofs(self) -> list[hr.testing.CaseReport]:
        """What the cases prove of each ruleset."""
        cases = [case for _, case in self._chosen()]
        reports = []
        for rules, _ in self._cases_by_ruleset().values():
            with progress_bar("cases") as update:
                reports.append(hr.testing.check_cases(rules, cases, prove=True, on_progress=update))
        return reports

    def _chosen(self) -> list[tuple[Path, hr.testing.Case]]:
        """The cases that are played, each with its file."""
        chosen = chooser(self.plan.words)
        files = hr.testing.find_case_files(self.paths)
        cases = [(file.path, case) for file in files for case in file.cases]
        return [(path, case) for path, case in cases if chosen(path, case.title)]

    def _cases_by_ruleset(self) -> dict[str, tuple[hr.Ruleset, list[hr.testing.Case]]]:
        """The rulesets that are named or that cases are about, each with its cases."""
        runner = hr.testing.CaseRunner(self.reader.load_ruleset, self.plan.rulesets)
        by_ruleset: dict[str, tuple[hr.Ruleset, list[hr.testing.Case]]] = {}
        for name in self.plan.rulesets:
            rules = self.reader.load_ruleset(name)
            by_ruleset[rules.name] = rules, []
        for path, case in self._chosen():
            with suppress(hr.testing.BadCase):
                for own, about in runner.rulesets_for(path, case):
                    assert isinstance(about, hr.Ruleset)
                    by_ruleset.setdefault(about.name, (about, []))[1].append(own)
        return by_ruleset


# ---------------------------------------------------------------- the choice of cases
def chooser(words: str) -> Callable[[Path, str], bool]:
    """Whether the file or the title of a case has some words; `and`, `or`, `not` join them, `and` before `or`.

    Raises:
        typer.BadParameter: a word is missing beside one of them.
    """
    if not words.strip():
        return lambda path, title: True
    choices = [
        [_words_and_whether_wanted(part) for part in re.split(r"\band\b", choice)]
        for choice in re.split(r"\bor\b", words)
    ]

    def is_chosen(path: Path, title: str) -> bool:
        text = f"{path.name} {title}".casefold()
        return any(all((word in text) is wanted for word, wanted in choice) for choice in choices)

    return is_chosen


def _words_and_whether_wanted(part: str) -> tuple[str, bool]:
    """The words of a part between `and` and `or`, and whether a case has to have them.

    Raises:
        typer.BadParameter: the part has no words.
    """
    match = re.fullmatch(r"\s*(not(?:\s+|$))?(.*?)\s*", part.casefold(), re.DOTALL)
    assert match is not None
    if not match[2]:
        raise typer.BadParameter("a word is missing beside `and`, `or` or `not`", param_hint="-k")
    return match[2], not match[1]
