"""`hots list`, `hots show`, `hots check`: rulesets, their rules and their faults."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import attrs
import typer
from attrs import frozen

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.changed_files import Watch, repeat
from hots_rules.cli.check_fixes import echo_diff, fixes_of, write_fixes
from hots_rules.cli.exits import Exit, fail_if, is_missing
from hots_rules.cli.output import rulebook
from hots_rules.cli.output.console import echo, echo_error, echo_faults, echo_json, progress_bar
from hots_rules.cli.output.costs import echo_costs
from hots_rules.cli.places import places_from_here

T = TypeVar("T")


# ---------------------------------------------------------------- list
def list_rulesets(language: args.Language = "en", as_json: args.AsJson = False) -> None:
    """List the installed rulesets and their scenarios."""
    titles, scenarios = hr.rulesets(), hr.scenarios(language)
    if as_json:
        echo_json([_listed_as_json(name, titles[name], scenarios.get(name)) for name in titles])
    else:
        for name, title in titles.items():
            _echo_listed(name, title, scenarios.get(name, {}))
    invalid = titles.keys() - scenarios.keys()
    for name in sorted(invalid):
        echo_error(f"`{name}` has faults; run: hots check {name}")
    fail_if(invalid)


def _echo_listed(name: str, title: str, scenarios: dict[str, str]) -> None:
    echo(f"{name}  {title}", "bold")
    width = max(map(len, scenarios), default=0)
    for scenario, text in scenarios.items():
        echo(f"{scenario:{width}}  {text}", indent=2)


def _listed_as_json(name: str, title: str, scenarios: dict[str, str] | None) -> dict[str, object]:
    rows = scenarios and [{"name": name, "title": text} for name, text in scenarios.items()]
    return {"name": name, "title": title, "scenarios": rows}


def _scenarios_as_json(ruleset: hr.Ruleset) -> list[dict[str, str]]:
    return [{"name": name, "title": ruleset.scenario_title(name)} for name in ruleset.scenarios]


# ---------------------------------------------------------------- show
@frozen(kw_only=True)
class ShowPlan:
    """What is shown, and in which form."""

    words: tuple[str, ...] = argument(
        (),
        "A ruleset, and a section such as 5.7 or the name of anything in its rules. "
        "[default: the ruleset used last]",
        "[RULESET] [SECTION|NAME]",
    )
    code: bool = option(False, "Show how the rules are written, with file and line.")
    compiled: bool = option(False, "Print the Python code compiled from the ruleset.")
    history: bool = option(False, "Show each edition's version of NAME.")
    sentences: bool = option(
        False, "List the sections of the book, or the parts of SECTION, each rule in a sentence."
    )

    def check(self, query: str) -> None:
        """Refuse options that do not go together.

        Raises:
            typer.BadParameter: some do not.
        """
        forms = [name for name in ("compiled", "history", "sentences") if getattr(self, name)]
        if len(forms) > 1:
            raise typer.BadParameter(f"leave out --{forms[0]}", param_hint=f"--{forms[1]}")
        if self.compiled and query:
            raise typer.BadParameter("--compiled takes no section or name", param_hint="--compiled")
        if self.history and not query:
            raise typer.BadParameter("--history needs the name of a declaration", param_hint="NAME")


def show(plan: ShowPlan, output: args.Output, reader: args.Reader) -> None:
    """Show a section, a declaration, or the card of a piece.

    A section comes with its subsections; anything that a table of the ruleset names has a card.
    Without SECTION or NAME, list the scenarios, options, readings and sections of the ruleset.
    """
    rules, given, rest = reader.load_first(plan.words, output.language)
    query, as_json = " ".join(rest), output.as_json
    plan.check(query)
    if plan.sentences:
        _show_sentences(rules, query, as_json)
    elif plan.history:
        _show_history(rules, query, given, as_json)
    elif plan.compiled:
        _show_compiled(rules, as_json)
    elif not query:
        echo_json(_contents_as_json(rules)) if as_json else rulebook.echo_contents(rules)
    elif as_json:
        echo_json(_declarations_as_json(rules, query))
    else:
        rulebook.echo_shown(rules, query, code=plan.code, near=given)


# ---------------------------------------------------------------- parts of show
def _show_sentences(rules: hr.Ruleset, section: str, as_json: bool) -> None:
    by_section = hr.talk.section_sentences(rules, section)
    if as_json:
        named = hr.talk.section_rules(rules)
        sections = [
            {"number": n, "heading": named[n][0], "rules": named[n][1], "sentences": sentences}
            for n, sentences in by_section.items()
        ]
        echo_json({"ruleset": rules.name, "sections": sections})
    else:
        rulebook.echo_sections(rules, section)
    fail_if(bool(section) and not by_section)


def _show_compiled(ruleset: hr.Ruleset, as_json: bool) -> None:
    source = ruleset.compiled_source()
    echo_json({"ruleset": ruleset.name, "python": source}) if as_json else echo(source.rstrip("\n"))


def _show_history(ruleset: hr.Ruleset, name: str, near: str, as_json: bool) -> None:
    versions = hr.compare.history(ruleset, name)
    if as_json:
        data = [attrs.asdict(version) for version in versions]
        echo_json({"ruleset": ruleset.name, "asked": name, "history": data})
    else:
        rulebook.echo_history(versions, near)


def _declarations_as_json(ruleset: hr.Ruleset, query: str) -> dict[str, object]:
    cards = [card for card in hr.talk.cards(ruleset, query) if card.is_of_value]
    try:
        declarations = hr.explain.find_declarations(ruleset, query)
    except hr.explain.UnknownRule:
        if not cards:
            raise
        declarations = ()
    return {
        "ruleset": ruleset.name,
        "asked": query,
        "heading": rulebook.find_heading(ruleset, query)[1],
        "shown": [attrs.asdict(declaration) for declaration in declarations],
        "cards": [attrs.asdict(card) for card in cards],
    }


def _contents_as_json(ruleset: hr.Ruleset) -> dict[str, object]:
    settings = ruleset.settings
    return {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "scenarios": _scenarios_as_json(ruleset),
        "options": [_setting_as_json(settings[name]) for name in ruleset.options],
        "readings": [_setting_as_json(settings[name]) for name in ruleset.readings],
        "sections": [
            {"number": number, "heading": heading}
            for number, heading in hr.explain.section_headings(ruleset).items()
        ],
    }


def _setting_as_json(setting: hr.Setting) -> dict[str, object]:
    fields = ("name", "values", "default", "summary", "sections")
    return {field: getattr(setting, field) for field in fields}


# ---------------------------------------------------------------- check
MAX_COSTS = 10  # clauses that are listed


@frozen(kw_only=True)
class CheckPlan:
    """What is checked, and whether it is mended.

    Attributes:
        play: the number of games that are also played.
    """

    file: str = argument(NEEDED, "A .rules file, a folder, or an installed ruleset.", "FILE")
    play: int = option(
        0,
        "Also play N games with random moves, and check every invariant and promise after each decision.",
        metavar="N",
        min=0,
        max=1_000_000,
    )
    seed: str = option("0", "Random seed.", metavar="SEED")
    promises: bool = option(False, "Also list what the author promises, and why.")
    cost: bool = option(
        False, "Also list the ten clauses that take longest when legal actions are listed."
    )
    labels: str | None = option(
        None, "Also list what has no label in a language, such as fr.", metavar="LANGUAGE"
    )


@frozen
class FixPlan:
    """What is done with the fixes that are safe."""

    fix: bool = option(False, "First write the fixes that are safe into the files.")
    diff: bool = option(False, "Write nothing; print what --fix would change.")


def check(
    plan: CheckPlan,
    settings: args.SettingArguments,
    fixes: FixPlan,
    watch: Watch = False,
    as_json: args.AsJson = False,
    *,
    reader: args.Reader,
) -> None:
    """Check a ruleset, and report all its faults.

    A fix is safe if nothing else can be meant, such as `=` for `==`; the others are in --json, and in an editor.
    --seed, --option and --reading are those of the games that --play plays. `hots play` with the seed
    that is reported plays the same game.
    """
    file = plan.file
    if fixes.fix and fixes.diff:
        raise typer.BadParameter("--fix does not go with --diff")
    if watch:
        if as_json or fixes.fix or fixes.diff:
            raise typer.BadParameter("--watch does not go with --json, --fix or --diff")
        _check_again(Path(file), partial(check, plan, settings, fixes, reader=reader))
        return
    if fixes.diff:
        echo_diff(fixes_of(file, reader.limits), as_json=as_json)
        return
    fixed = write_fixes(fixes_of(file, reader.limits), as_json=as_json) if fixes.fix else {}
    try:
        ruleset = _faultless(file, reader)
    except hr.RulesetError as error:
        _echo_faults(file, error, fixed, as_json)
        raise typer.Exit(Exit.USAGE if is_missing(error) else Exit.FAILURE) from None
    findings = _CheckFindings.of(ruleset, plan, settings)
    if as_json:
        echo_json({"ruleset": ruleset.name, **fixed, **findings.as_json()})
    else:
        findings.echo()
    fail_if(findings.breaches or findings.leaks)


def _faultless(file: str, reader: args.Reader) -> hr.Ruleset:
    """The ruleset, if it has no faults, its board, its questions and its secrets included.

    Raises:
        RulesetError: it has faults.
    """
    ruleset = reader.load_ruleset(file)
    with places_from_here(file):
        hr.draw.board_of(ruleset)
    faults = (
        *hr.explain.alike_values(ruleset),
        *hr.talk.unknown_concepts(ruleset),
        *hr.testing.unproven_secrets(ruleset),
    )
    if faults:
        raise hr.RulesetError(faults, ruleset.source.texts)
    return ruleset


def _check_games(
    ruleset: hr.Ruleset, plan: CheckPlan, settings: args.SettingArguments
) -> tuple[tuple[hr.analysis.InvariantViolation, ...], tuple[hr.testing.ToldSecret, ...]]:
    """The broken invariants and the told secrets of the games that `--play` asks for."""
    options, readings = settings.of(ruleset)

    def checked(title: str, check: Callable[..., T]) -> T:
        with progress_bar(title, plan.play) as update:
            return check(
                ruleset,
                games=plan.play,
                seed=plan.seed,
                options=options,
                readings=readings,
                on_progress=update,
            )

    return checked("games", hr.analysis.check_play), checked("secrets", hr.testing.try_secrets)


def _check_again(path: Path, check_once: Callable[[], None]) -> None:
    """Check now, and after each change; the exit code of each check is left out."""

    def run() -> None:
        with suppress(typer.Exit):
            check_once()

    repeat([path], run)


# ---------------------------------------------------------------- what a check without faults found
@frozen
class _CheckFindings:
    """What a check found in a ruleset without faults, and what else its plan asks for.

    Attributes:
        plan: the plan.
        notes: citations that the rulebook does not list.
        breaches: the broken invariants of the games.
        leaks: the broken promises and told secrets of the games.
        promises: all promises of the author.
        costs: the clauses that take longest; none unless the plan asks for them.
        labels: the missing labels, if the plan asks for them.
    """

    plan: CheckPlan
    notes: tuple[str, ...]
    breaches: tuple[hr.analysis.InvariantViolation, ...]
    leaks: tuple[hr.testing.ToldSecret, ...]
    promises: tuple[hr.testing.Promise, ...]
    costs: tuple[hr.explain.ClauseCost, ...]
    labels: hr.explain.LabelCoverage | None

    @classmethod
    def of(
        cls, ruleset: hr.Ruleset, plan: CheckPlan, settings: args.SettingArguments
    ) -> _CheckFindings:
        """The findings of a ruleset, some of them in games that are played for them."""
        breaches, leaks = _check_games(ruleset, plan, settings)
        return cls(
            plan,
            tuple(hr.explain.unplaced_citations(ruleset)),
            breaches,
            leaks,
            hr.testing.promises(ruleset),
            tuple(hr.explain.clause_costs(ruleset)[:MAX_COSTS]) if plan.cost else (),
            hr.explain.label_coverage(ruleset, plan.labels) if plan.labels else None,
        )

    def as_json(self) -> dict[str, object]:
        """The findings as plain data; what the plan does not ask for has no key."""
        plain: dict[str, object] = {"faults": [], "notes": list(self.notes)}
        if self.plan.promises:
            plain["promises"] = list(map(attrs.asdict, self.promises))
        if self.plan.cost:
            plain["costs"] = list(map(attrs.asdict, self.costs))
        if self.labels:
            plain["labels"] = attrs.asdict(self.labels)
        if self.plan.play:
            plain["games"] = self.plan.play
            plain["breaches"] = list(map(attrs.asdict, self.breaches))
            plain["told"] = list(map(attrs.asdict, self.leaks))
        return plain

    def echo(self) -> None:
        """Print the findings: notes first, then what the plan asks for, the games last."""
        for note in self.notes:
            echo(f"note: {note}")
        for promise in self.promises if self.plan.promises else ():
            echo(f"promise: {promise}")
        if self.plan.cost:
            echo_costs(self.costs)
        if self.labels:
            _echo_labels(self.labels)
        echo("no faults", "green")
        for breach in (*self.breaches, *self.leaks):
            echo(str(breach), "red")
        if self.plan.play:
            self._echo_games(self.plan.play)

    def _echo_games(self, games: int) -> None:
        """Print how many games broke the rules."""
        if self.breaches:
            echo(
                f"{len(self.breaches)} of {games} games broke an invariant or could not go on",
                "bold",
            )
        if self.leaks:
            echo(f"{len(self.leaks)} of {games} games broke a promise or told a secret", "bold")
        if not self.breaches and not self.leaks:
            count = len(self.promises)
            kept = f"all invariants and promises ({count}) hold" if count else "all invariants hold"
            echo(f"{games} games played, {kept}", "bold")


def _echo_labels(labels: hr.explain.LabelCoverage) -> None:
    """Print each label that is missing, with the English text."""
    for key, text in labels.missing:
        echo(f"label {labels.language}: {key}" + (f": {text}" if text not in key else ""))
    echo(
        f"{len(labels.missing)} of {labels.needed} labels in {labels.language} are missing", "bold"
    )


def _echo_faults(
    file: str, error: hr.RulesetError, fixed: dict[str, object], as_json: bool
) -> None:
    if as_json:
        echo_json({"ruleset": file, **fixed, "faults": diagnostics.as_json(error.faults)})
    else:
        echo_faults(lambda color: diagnostics.draw_all(error.faults, error.sources, colour=color))
