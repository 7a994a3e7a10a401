"""One question, answered by several rulesets."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import attrs
from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules.compare.divergences import winners_sentence
from hots_rules.compare.errors import UnplayableAction
from hots_rules.compare.replaying import start_under, supported_settings
from hots_rules.compare.shared_entries import SharedEntries
from hots_rules.diagnostics import (
    BadArgument,
    HotsError,
    IllegalAction,
    UnreadableQuestion,
    check_kind,
)
from hots_rules.explain.action_search import find_actions
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.legality import reasons_for
from hots_rules.explain.narration import GameLog
from hots_rules.explain.query import Answer
from hots_rules.explain.query import ask as ask_game
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.parse_action import can_be_read
from hots_rules.play.reason import Reason
from hots_rules.play.settings import Choices
from hots_rules.play.trace import Step
from hots_rules.records.recording import record_game
from hots_rules.report.html_printer import notebook_table
from hots_rules.rules.editions.sections import Citation
from hots_rules.rules.rulebook import declared_names

_ACTIONS = re.compile(r"actions\s*(?::(?P<words>.*))?", re.IGNORECASE | re.DOTALL)
_AFTER = re.compile(r"after\s*:(?P<lines>.*)", re.IGNORECASE | re.DOTALL)


@frozen(repr=False)
class EditionAnswer:
    """The answer of one ruleset to a question.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> answer = hr.ask(game, game.actions[0].text, editions=["hots-4.0"]).answers[0]
    >>> answer
    <EditionAnswer: hots-4.0 legal>

    Attributes:
        edition: the ruleset.
        verdict: "legal", "illegal", "actions", "happens" or "answer"; "unanswerable" if the ruleset
            lacks something that the question names.
        lines: the answer in words.
        cited: the sections that decide it.
        notes: the options and readings that the ruleset lacks.
        changes: the entries of the state that change, if the question is what an action does.
        is_yes: whether a sentence is answered with yes; None if it asks for no yes or no.
    """

    edition: str
    verdict: str
    lines: tuple[str, ...]
    cited: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    is_yes: bool | None = None

    def __repr__(self) -> str:
        return f"<EditionAnswer: {self.edition} {self.verdict}>"

    @property
    def comparison_key(self) -> tuple[str, tuple[str, ...]]:
        """What must be equal for two answers to agree: neither reasons nor sections."""
        if self.verdict == "actions":
            return self.verdict, tuple(sorted(set(self.lines)))
        if self.is_yes is not None:
            return self.verdict, (str(self.is_yes),)
        return self.verdict, self.lines if self.verdict == "answer" else self.changes


AnswerSentence = Callable[[BaseGame, str], EditionAnswer]
"""Answers a sentence in words, or raises `UnreadableQuestion`."""


@frozen(repr=False)
class AnswerTable:
    """The answers of several rulesets: the result of `hots_rules.ask`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> table = hr.ask(game, game.actions[0].text, editions=["hots-4.0", "hots-3.x"])
    >>> table.agree, table.groups()
    (True, (('hots-4.0', 'hots-3.x'),))

    Attributes:
        question: the question.
        answers: the answer of each ruleset.
    """

    question: str
    answers: tuple[EditionAnswer, ...]

    def __repr__(self) -> str:
        groups = " | ".join(", ".join(names) for names in self.groups())
        return f"<AnswerTable: {self.question}: {groups}>"

    def _repr_html_(self) -> str:
        """A line for each ruleset with its verdict and its answer, for notebooks."""
        rows = (
            (
                answer.edition,
                answer.verdict,
                " ".join(answer.lines),
                with_signs(cited.section for cited in answer.cited),
            )
            for answer in self.answers
        )
        return notebook_table(rows, self.question)

    @property
    def agree(self) -> bool:
        """Whether all answers are the same, and none is missing."""
        return len(self.groups()) <= 1 and not self.silent

    @property
    def silent(self) -> tuple[str, ...]:
        """The rulesets that lack something that the question names."""
        return tuple(answer.edition for answer in self.answers if answer.verdict == "unanswerable")

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The rulesets with equal answers, together."""
        groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for answer in self.answers:
            groups.setdefault(answer.comparison_key, []).append(answer.edition)
        return tuple(tuple(names) for names in groups.values())

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {
            "question": self.question,
            "agree": self.agree,
            "groups": [list(names) for names in self.groups()],
            "answers": [attrs.asdict(answer) for answer in self.answers],
        }


def ask(
    at: BaseGame | str,
    question: str,
    editions: Sequence[AnyRuleset],
    *,
    options: Choices | None = None,
    readings: Choices | None = None,
    answer_sentence: AnswerSentence | None = None,
) -> AnswerTable:
    """The answers of several rulesets to one question; `hots_rules.ask` finds the rulesets by itself.

    Args:
        at: a game, or a position as text.
        question: see `hots_rules.ask`.
        editions: the rulesets; each answers in its own language.
        options: the options for a position, where an edition has them.
        readings: the readings for a position, where an edition has them.
        answer_sentence: answers what is neither an action nor a question in the form that a ruleset declares.

    Raises:
        BadArgument: the question is empty, or there are no editions.
    """
    check_kind("at", at, BaseGame | str, "a game, or a position as text")
    if not question.strip():
        raise BadArgument("question", question, "the text of an action, `actions`, or `after: …`")
    if not editions:
        raise BadArgument("editions", "", "at least one ruleset")
    answers = [
        _answer(at, question, rules, editions, (options, readings), answer_sentence)
        for rules in editions
    ]
    return AnswerTable(question, tuple(answers))


def of_same_game(table: AnswerTable, editions: Sequence[AnyRuleset]) -> AnswerTable:
    """The answers about those games of which at least one edition has an answer; all of them if none has."""
    pairs = list(zip(table.answers, editions, strict=True))
    games = {newest(rules) for answer, rules in pairs if answer.verdict != "unanswerable"}
    answers = (answer for answer, rules in pairs if not games or newest(rules) in games)
    return evolve(table, answers=tuple(answers))


def newest(ruleset: AnyRuleset) -> str:
    """The name of the newest rulebook of a ruleset's game, which all other editions extend."""
    return ruleset.source.layers[0].name


# ---------------------------------------------------------------- one ruleset
def _answer(
    at: BaseGame | str,
    question: str,
    rules: AnyRuleset,
    editions: Sequence[AnyRuleset],
    choices: tuple[Choices | None, Choices | None],
    answer_sentence: AnswerSentence | None,
) -> EditionAnswer:
    notes: tuple[str, ...] = ()
    try:
        game, notes = _game_under(at, rules, *choices)
        return evolve(_ask(game, question, answer_sentence), notes=notes)
    except HotsError as error:
        text = at if isinstance(at, str) else at.initial_position or at.scenario
        lines = (*str(error).split("\n"), *_missing(f"{question}\n{text}", rules, editions))
        return EditionAnswer(rules.name, "unanswerable", lines, notes=notes)


def _game_under(
    at: BaseGame | str, rules: AnyRuleset, options: Choices | None, readings: Choices | None
) -> tuple[BaseGame, tuple[str, ...]]:
    """The game or position that is asked about, under one ruleset, with notes."""
    if isinstance(at, str):
        kept_options, kept_readings, notes = supported_settings(
            options or {}, readings or {}, rules
        )
        return rules.position(at, options=kept_options, readings=kept_readings, chance="ask"), notes
    # Equal rulesets may have other sentences, which answers quote.
    if at.ruleset == rules and at.ruleset.text_hash == rules.text_hash:
        return at.in_language(rules.language), ()
    game, notes = start_under(at, rules)
    for number, entry in enumerate(record_game(at).entries, 1):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            raise UnplayableAction(number, entry.text, str(error)) from None
    return game, notes


def _ask(game: BaseGame, question: str, answer_sentence: AnswerSentence | None) -> EditionAnswer:
    if match := _ACTIONS.fullmatch(question.strip()):
        return _legal_actions(game, match["words"] or "")
    if match := _AFTER.fullmatch(question.strip()):
        return answer_effects(game, [line.strip() for line in match["lines"].split(";")])
    try:
        return _answer_declared(game, question)
    except UnreadableQuestion as error:
        if error.cause:
            raise
    if answer_sentence is not None and not can_be_read(game, question):
        with suppress(UnreadableQuestion):
            return answer_sentence(game, question)
    return answer_legality(game, question)


def _answer_declared(game: BaseGame, question: str) -> EditionAnswer:
    answer = ask_game(game, question)
    cited = _cited(game.ruleset, [answer])
    return EditionAnswer(game.ruleset.name, "answer", (answer.text,), cited)


def answer_legality(game: BaseGame, text: str) -> EditionAnswer:
    """Whether an action is legal, with the reasons."""
    try:
        ruling = explain_action(game, text, None, with_support=False)
    except IllegalAction as error:
        return _refused(game, error.reasons)
    rulings = (ruling, *ruling.others)
    legal = next((candidate for candidate in rulings if candidate.is_legal), None)
    if legal is None:
        return _refused(game, [reason for candidate in rulings for reason in candidate.against])
    reasons = reasons_for(game, legal.action)
    cited = _cited(game.ruleset, reasons)
    return EditionAnswer(game.ruleset.name, "legal", tuple(map(str, reasons)), cited)


def _refused(game: BaseGame, reasons: Iterable[Reason]) -> EditionAnswer:
    distinct = tuple(dict.fromkeys(reasons))
    cited = _cited(game.ruleset, distinct)
    return EditionAnswer(game.ruleset.name, "illegal", tuple(map(str, distinct)), cited)


def _legal_actions(game: BaseGame, words: str) -> EditionAnswer:
    search = (word for word in words.split(",") if word.strip())
    actions = find_actions(game, search)
    names = {action.name for action in actions}
    entries = [entry for entry in game.ruleset.rulebook.of_kind("action") if entry.name in names]
    cited = tuple(dict.fromkeys(citation for entry in entries for citation in entry.cited))
    return EditionAnswer(game.ruleset.name, "actions", tuple(a.text for a in actions), cited)


def answer_effects(game: BaseGame, lines: list[str]) -> EditionAnswer:
    """What an action and the outcomes of chance after it do, step by step."""
    game = evolve(game, chance="ask")  # the question names the outcomes of chance
    before, log, steps = game.state, GameLog(), list[Step]()
    for line in lines:
        try:
            after = game.play(line)
        except IllegalAction:
            if steps:
                raise
            return answer_legality(game, line)  # as if the action alone were asked about
        steps += log.describe(game, after)
        game = after
    schema = game.ruleset.schema
    differences = SharedEntries.of(schema, schema).changes(before, game.state)
    changes = tuple(f"{change.where} is {change.new}" for change in differences)
    texts = [step.text for step in steps]
    end = str(game.outcome) if game.outcome else _next_choice(game)
    cited = _cited(game.ruleset, steps)
    return EditionAnswer(
        game.ruleset.name, "happens", (*texts, end), cited, (), (*changes, _status(game))
    )


def _next_choice(game: BaseGame) -> str:
    """Who is to choose, in the language of the game."""
    labels = game.ruleset.labels
    players = labels.translator.join_list(labels.players_named(game.to_move))
    purpose = f" ({game.chance_purpose})" if game.is_chance else ""
    return labels.translator.gettext("to choose: {players}", players=players) + purpose


def _status(game: BaseGame) -> str:
    """Who is to choose, or who won: the same in all languages, so that answers can be compared."""
    return winners_sentence(game) if game.outcome else f"to choose: {' and '.join(game.to_move)}"


def _cited(ruleset: AnyRuleset, sources: Iterable[Reason | Step | Answer]) -> tuple[Citation, ...]:
    headings = ruleset.rulebook.sections
    citations = (
        Citation(source.edition, section, headings.get(source.edition, {}).get(section, ""))
        for source in sources
        for section in source.sections
    )
    return tuple(dict.fromkeys(citations))


def _missing(text: str, rules: AnyRuleset, editions: Sequence[AnyRuleset]) -> Iterator[str]:
    """The names in a question that a ruleset lacks, and where another one declares them."""
    own = declared_names(rules.rulebook)
    for edition in editions:
        for word, place in declared_names(edition.rulebook).items():
            if word not in own and _mentions(text, word):
                yield f"{rules.name} has no `{word}`; {edition.name} declares it at {place}"
                own[word] = place


def _mentions(text: str, word: str) -> bool:
    """Whether a text has a name, written with blanks or underscores."""
    # Without this test, which most names fail, the patterns of all names take a second.
    if word.partition("_")[0] not in text:
        return False
    pattern = re.escape(word).replace("_", "[ _]")
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None
