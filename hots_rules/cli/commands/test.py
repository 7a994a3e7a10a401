"""`hots test`: play the test cases of a folder; again at each change with `--watch`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Annotated

import attrs
import typer

import hots_rules as hr
from hots_rules.cli import arguments as args
from hots_rules.cli.changed_files import Watch, repeat
from hots_rules.cli.commands.rulesets import echo_coverage
from hots_rules.cli.exits import fail_if, report
from hots_rules.cli.output import cases as output
from hots_rules.cli.output.console import echo, echo_json


def test(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATHS", help="Files and folders of cases. [default: this folder]"),
    ] = None,
    ruleset: Annotated[
        list[str] | None,
        typer.Option(
            "--ruleset", metavar="RULESET", help="Play the cases in this ruleset (repeatable)."
        ),
    ] = None,
    words: Annotated[
        str,
        typer.Option(
            "-k",
            metavar="WORDS",
            help="Only cases whose file or title has these; `and`, `or`, `not`.",
        ),
    ] = "",
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Also report what the cases do not cover.")
    ] = False,
    update: Annotated[
        bool, typer.Option("--update", help="Write the new results into the files of the cases.")
    ] = False,
    watch: Watch = False,
    as_json: args.AsJson = False,
) -> None:
    """Play the cases in Markdown files, and report lines that fail.

    A case is played in the rulesets that it names, otherwise in those of the nearest folder above it.
    A file may also have answers, which are compared word by word.
    """
    if watch and (as_json or update):
        raise typer.BadParameter("--watch goes neither with --json nor with --update")
    run = _Run(tuple(paths or [Path()]), tuple(ruleset or ()), words)
    if watch:
        repeat(run.paths, lambda: run.report_again(coverage))
        return
    results = run.results(quiet=as_json)
    if update:
        updated = hr.testing.accept_results(results)
        echo(f"{updated} {'line' if updated == 1 else 'lines'} updated", "yellow")
        results = run.results(quiet=True)
    if as_json:
        echo_json(output.as_json(results))
    else:
        run.echo(results, coverage)
    fail_if(not results or not all(results))


@attrs.define
class _Run:
    """One run after the other of the same cases."""

    paths: tuple[Path, ...]
    rulesets: tuple[str, ...]
    words: str
    seconds: float = 0.0

    def results(self, *, quiet: bool) -> list[hr.testing.CaseResult]:
        """Play the cases; print a mark for each as they are played, file by file.

        Raises:
            RulesetError: a ruleset has faults.
            BadCase: a file cannot be read.
        """
        start = monotonic()
        files = hr.testing.find_case_files(self.paths)
        runner = hr.testing.CaseRunner(_load, self.rulesets, files)
        chosen = chooser(self.words)
        results: list[hr.testing.CaseResult] = []
        for number, file in enumerate(files, 1):
            of_file = list(runner.run(file, chosen))
            results += of_file
            if of_file and not quiet:
                output.echo_marks(file.path, of_file, number * 100 // len(files))
        self.seconds = monotonic() - start
        return results

    def echo(self, results: Sequence[hr.testing.CaseResult], coverage: bool) -> None:
        """Print the failures, the coverage, and the numbers."""
        output.echo_failures(results)
        if coverage:
            self._echo_coverage()
        output.echo_totals(results, self.seconds)

    def report_again(self, coverage: bool) -> None:
        """Play the cases and print the result; faults are printed too, and end nothing."""
        try:
            self.echo(self.results(quiet=False), coverage)
        except hr.HotsError as error:
            report(error)

    def _echo_coverage(self) -> None:
        files = hr.testing.find_case_files(self.paths)
        runner = hr.testing.CaseRunner(_load, self.rulesets, files)
        chosen = chooser(self.words)
        covered: dict[str, tuple[hr.Ruleset, list[hr.testing.Case]]] = {}
        for file in files:
            for case in file.cases:
                if not chosen(file.path, case.title):
                    continue
                with suppress(hr.testing.BadCase):
                    for own, rules in runner.rulesets_for(file.path, case):
                        assert isinstance(rules, hr.Ruleset)
                        covered.setdefault(rules.name, (rules, []))[1].append(own)
        for rules, cases in covered.values():
            # The cases of a house rule are about what it changes, not about the whole rulebook.
            report = hr.testing.coverage(rules, cases, is_own=len(rules.source.layers) > 1)
            echo_coverage(report, with_cases=True)


def _load(name: object) -> hr.Ruleset:
    return args.load_ruleset(str(name))


# ---------------------------------------------------------------- the choice of cases
def chooser(words: str) -> Callable[[Path, str], bool]:
    """Whether the file or the title of a case has some words; `and`, `or`, `not` join them, `and` before `or`.

    Raises:
        typer.BadParameter: a word is missing beside one of them.
    """
    choices = [
        [_one_choice(part) for part in re.split(r"\band\b", choice)]
        for choice in re.split(r"\bor\b", words)
    ]

    def is_chosen(path: Path, title: str) -> bool:
        text = f"{path.name} {title}".casefold()
        return any(all((word in text) is wanted for word, wanted in choice) for choice in choices)

    return is_chosen if words.strip() else lambda path, title: True


def _one_choice(part: str) -> tuple[str, bool]:
    found = re.fullmatch(r"\s*(not\s+)?(.*?)\s*", part.casefold(), re.DOTALL)
    assert found is not None
    if not found[2]:
        return ("", True)
    return found[2], not found[1]
