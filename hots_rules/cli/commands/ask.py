"""`hots ask`: a question about the rules, or to all editions about a game, or the question of a recorded dispute."""

from __future__ import annotations

from pathlib import Path

import attrs
import typer
from attrs import evolve, frozen

import hots_rules as hr
from hots_rules._options import argument, option
from hots_rules._translate import translator
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import Exit, fail_if
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo, echo_error, echo_json, echo_note, spinner
from hots_rules.cli.output.rulebook import echo_found
from hots_rules.cli.prompt.disputes import is_dispute, recheck_dispute

HITS = 10


@frozen(kw_only=True)
class AskPlan:
    """What is asked, and of whom."""

    words: tuple[str, ...] = argument(
        (),
        "A ruleset, or a file: the record of a game, a position, or a dispute; then a question in words, or words to "
        "look for. Of a file also an action, `actions: WORDS` for the legal actions with these words, or "
        "`after: ACTION; roll 2 4` for the result of an action. [default: the ruleset used last]",
        "[RULESET|FILE] QUESTION",
    )
    hits: int | None = option(
        None,
        f"Also show the rules that a search finds, N at the most. [default: {HITS} where there is no answer]",
        metavar="N",
        min=1,
    )
    editions: tuple[str, ...] = option(
        (),
        "Edition to query about a file (repeatable). [default: all]",
        "--edition",
        metavar="RULESET",
    )
    ruleset: str | None = option(None, args.RULESET_OF_FILE, metavar="RULESET")
    at: int | None = option(None, args.AT, metavar="N", min=0)


def ask(plan: AskPlan, output: args.Output, reader: args.Reader) -> None:
    """Answer a question about the rules, a record or a position.

    Of a ruleset, a question is answered at the start of its first scenario; where there is no answer, and for words
    that ask nothing, a search of the rules, tables and names follows. Of a file, all editions are asked; each
    parses a position itself, so --ruleset is not needed. A dispute has its question, and changes of the recorded
    answers are reported.

    Exit status: 0 if there is an answer and all editions agree, or a search finds something; else 1; 2 if no edition
    has an answer. For a dispute: 0 if unchanged, 1 if an answer changed.
    """
    if not plan.words:
        raise typer.BadParameter("name the question", param_hint="QUESTION")
    file = Path(plan.words[0])
    if file.is_file() and file.suffix != ".rules":
        _ask_editions(evolve(plan, words=plan.words[1:]), file, output, reader)
        return
    if plan.editions or plan.ruleset is not None or plan.at is not None:
        fault = f"there is no record or position `{file}`; --edition, --ruleset and --at need one"
        raise typer.BadParameter(fault, param_hint="FILE")
    rules, _, words = reader.load_first(plan.words, output.language)
    if not words:
        raise typer.BadParameter("name the question", param_hint="QUESTION")
    _ask_rules(rules, " ".join(words), plan, output)


def find(plan: AskPlan, output: args.Output, reader: args.Reader) -> None:
    """Answer as `hots ask` does."""
    ask(plan, output, reader)


# ---------------------------------------------------------------- of a ruleset
def _ask_rules(rules: hr.Ruleset, line: str, plan: AskPlan, output: args.Output) -> None:
    """Answer a line by the rules alone, and show what a search finds."""
    answer = _answer(rules, line)
    is_answered = answer is not None and answer.kind is not hr.talk.AnswerKind.CLOSEST
    asks = hr.talk.asks(rules, line)
    shows_answer = answer is not None and (is_answered or asks)
    findings = None
    if output.as_json or plan.hits is not None or not shows_answer or not asks:
        findings = hr.talk.find(rules, line, limit=plan.hits or HITS)
    if output.as_json:
        assert findings is not None
        echo_json(_as_json(rules, answer, findings))
    else:
        if answer is not None and shows_answer:
            if answer.kind is hr.talk.AnswerKind.COMPUTED:
                t = translator(output.language)
                title = rules.scenario_title(rules.scenarios[0])
                echo_note(t.gettext("at the start of {scenario}", scenario=title))
            echo(str(answer))
        if findings is not None:
            if shows_answer:
                echo()
            echo_found(findings)
    fail_if(not shows_answer and not (findings and findings.hits))


def _answer(rules: hr.Ruleset, line: str) -> hr.talk.Answer | None:
    """The answer at the start of the first scenario; None if the line asks nothing that is understood."""
    if not rules.scenarios:
        return None
    try:
        return rules.start(rules.scenarios[0], seed=0).ask(line)
    except hr.diagnostics.UnreadableQuestion:
        return None


def _as_json(
    rules: hr.Ruleset, answer: hr.talk.Answer | None, findings: hr.talk.Findings
) -> dict[str, object]:
    fields = ("kind", "text", "value", "question", "edition", "sections", "is_yes")
    of_answer = answer and {
        "scenario": rules.scenarios[0],
        **{field: getattr(answer, field) for field in fields},
    }
    return {"ruleset": rules.name, "answer": of_answer, **attrs.asdict(findings)}


# ---------------------------------------------------------------- of a game
def _ask_editions(plan: AskPlan, file: Path, output: args.Output, reader: args.Reader) -> None:
    """Ask all editions about a record or a position, or the question of a dispute again."""
    text = reader.read_text(file)
    if is_dispute(text):
        _recheck(text, output, reader)
        return
    if not plan.words:
        raise typer.BadParameter("name the question", param_hint="QUESTION")
    editions = [reader.load_ruleset(name) for name in plan.editions] or None
    game: hr.Game | str = text
    if plan.ruleset is not None or args.is_record(text):
        source = args.GameSource(file=file, at=plan.at)
        game = source.parse(reader, text, reader.load_given(plan.ruleset))
    with spinner("asking the editions"):
        table = hr.ask(game, " ".join(plan.words), editions=editions, language=output.language)
    echo_json(table.as_json()) if output.as_json else echo_answers(table, output.language)
    if len(table.silent) == len(table.answers):
        raise typer.Exit(Exit.USAGE)
    fail_if(not table.agree)


def _recheck(text: str, output: args.Output, reader: args.Reader) -> None:
    """Ask the question of a dispute again."""
    with spinner("asking the editions"):
        table, changes = recheck_dispute(text, reader.limits)
    if output.as_json:
        echo_json({**table.as_json(), "changes": changes})
    else:
        echo_answers(table, output.language)
    for change in changes:
        echo_error(change)
    fail_if(changes)
