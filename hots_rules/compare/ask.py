"""One question, answered by several rulesets side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import evolve, frozen

from hots_rules.compare.rebase import Shared, begun_under, kept, places_of
from hots_rules.diagnostics import HotsError, IllegalAction, UnknownOption, UnreadableQuestion
from hots_rules.explain.action_search import find_actions
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.legality import reasons_for
from hots_rules.explain.narration import GameLog
from hots_rules.explain.query import Answer
from hots_rules.explain.query import ask as ask_game
from hots_rules.play.game import BaseGame
from hots_rules.play.reason import Reason
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.trace import Step
from hots_rules.records.recording import record_game
from hots_rules.rules.editions.sections import Citation

_ACTIONS = re.compile(r"actions\s*(?::(?P<words>.*))?", re.IGNORECASE | re.DOTALL)
_AFTER = re.compile(r"after\s*:(?P<lines>.*)", re.IGNORECASE | re.DOTALL)


@frozen
class EditionAnswer:
    """What one ruleset says to a question.

    `verdict` is "legal", "illegal", "actions", "happens", "answer", or "unanswerable" where the ruleset lacks
    something that is asked about. `lines` say it in words, `cited` are the sections behind it, and
    `notes` which options and readings could not be kept. `changes` are the entries of the state that
    are otherwise afterwards, where it was asked what happens.
    """

    edition: str
    verdict: str
    lines: tuple[str, ...]
    cited: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def substance(self) -> tuple[Any, ...]:
        """What two answers must have alike to agree: neither words nor sections."""
        if self.verdict == "actions":
            return self.verdict, frozenset(self.lines)
        if self.verdict == "answer":
            return self.verdict, self.lines
        return self.verdict, self.changes


@frozen
class AnswerTable:
    """The answers of all rulesets that were asked."""

    question: str
    answers: tuple[EditionAnswer, ...]

    @property
    def agree(self) -> bool:
        """Whether all say the same, and could say something."""
        return len(self.groups()) <= 1 and not self.silent

    @property
    def silent(self) -> tuple[str, ...]:
        """The rulesets that lack something that is asked about."""
        return tuple(one.edition for one in self.answers if one.verdict == "unanswerable")

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The rulesets that say the same, together."""
        found: dict[tuple[Any, ...], list[str]] = {}
        for one in self.answers:
            found.setdefault(one.substance, []).append(one.edition)
        return tuple(tuple(names) for names in found.values())

    def as_json(self) -> dict[str, Any]:
        """Plain data of a stable form, for `json`."""
        return {
            "question": self.question,
            "agree": self.agree,
            "groups": [list(names) for names in self.groups()],
            "answers": [attrs.asdict(one) for one in self.answers],
        }


def ask(
    at: BaseGame | str,
    question: str,
    editions: Sequence[BaseRuleset[BaseGame]],
    *,
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
) -> AnswerTable:
    """The answers of several rulesets to one question; `hots_rules.ask` finds the rulesets by itself.

    Args:
        at: a game, or a position as text.
        question: see `hots_rules.ask`.
        editions: whom to ask; each answers in its own language.
        options: the options for a position, where an edition has them.
        readings: the readings for a position, where an edition has them.

    Raises:
        UnknownOption: the question is empty, or there are no editions.
    """
    if not question.strip():
        forms = ("the text of an action", "`actions`", "`after: …`")
        raise UnknownOption("question", forms, question)
    if not editions:
        raise UnknownOption("edition", (), "none")
    answers = [_answer(at, question, rules, editions, (options, readings)) for rules in editions]
    return AnswerTable(question, tuple(answers))


def of_same_game(table: AnswerTable, editions: Sequence[BaseRuleset[BaseGame]]) -> AnswerTable:
    """A table without the editions of other games: those of which no edition could answer."""
    pairs = list(zip(table.answers, editions, strict=True))
    games = {newest(rules) for answer, rules in pairs if answer.verdict != "unanswerable"}
    answers = (answer for answer, rules in pairs if not games or newest(rules) in games)
    return evolve(table, answers=tuple(answers))


def newest(ruleset: BaseRuleset[BaseGame]) -> str:
    """The newest rulebook of a game, which all other editions extend."""
    return ruleset.source.layers[0].name


# ---------------------------------------------------------------- one ruleset
def _answer(
    at: BaseGame | str,
    question: str,
    rules: BaseRuleset[BaseGame],
    asked: Sequence[BaseRuleset[BaseGame]],
    chosen: Any,
) -> EditionAnswer:
    notes: tuple[str, ...] = ()
    try:
        game, notes = _arrived(at, rules, *chosen)
        return evolve(_said(game, question), notes=notes)
    except HotsError as error:
        text = at if isinstance(at, str) else at.initial_position or at.scenario
        lines = (*str(error).split("\n"), *_missing(f"{question}\n{text}", rules, asked))
        return EditionAnswer(rules.name, "unanswerable", lines, notes=notes)


def _arrived(
    at: BaseGame | str, rules: BaseRuleset[BaseGame], options: Any, readings: Any
) -> tuple[BaseGame, Any]:
    """The moment that is asked about, under one ruleset."""
    if isinstance(at, str):
        has, reads, notes = kept(options or {}, readings or {}, rules)
        return rules.position(at, options=has, readings=reads, chance="ask"), notes
    if at.ruleset == rules:
        return at.in_language(rules.language), ()
    game, notes = begun_under(at, rules)
    for number, entry in enumerate(record_game(at).entries, 1):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            raise _NotThere(f"action {number} of the game, `{entry.text}`: {error}") from None
    return game, notes


class _NotThere(HotsError):
    """A game that does not come to the same moment under another ruleset."""


def _said(game: BaseGame, question: str) -> EditionAnswer:
    if found := _ACTIONS.fullmatch(question.strip()):
        return _legal_actions(game, found["words"] or "")
    if found := _AFTER.fullmatch(question.strip()):
        return _what_happens(game, [line.strip() for line in found["lines"].split(";")])
    try:
        return _answered(game, question)
    except UnreadableQuestion as error:
        if error.cause:
            raise
    return _is_legal(game, question)


def _answered(game: BaseGame, question: str) -> EditionAnswer:
    found = ask_game(game, question)
    return EditionAnswer(game.ruleset.name, "answer", (found.text,), _cited(game.ruleset, [found]))


def _is_legal(game: BaseGame, text: str) -> EditionAnswer:
    try:
        reasons, verdict = explain_action(game, text, None, with_support=False).against, "illegal"
        if not reasons:
            reasons, verdict = reasons_for(game, text), "legal"
    except IllegalAction as error:
        reasons, verdict = error.reasons, "illegal"
    cited = _cited(game.ruleset, reasons)
    return EditionAnswer(game.ruleset.name, verdict, tuple(map(str, reasons)), cited)


def _legal_actions(game: BaseGame, words: str) -> EditionAnswer:
    wanted = (word for word in words.split(",") if word.strip())
    actions = find_actions(game, wanted)
    names = {action.name for action in actions}
    entries = [entry for entry in game.ruleset.rulebook.of_kind("action") if entry.name in names]
    cited = tuple(dict.fromkeys(citation for entry in entries for citation in entry.cited))
    return EditionAnswer(game.ruleset.name, "actions", tuple(a.text for a in actions), cited)


def _what_happens(game: BaseGame, lines: list[str]) -> EditionAnswer:
    game = evolve(game, chance="ask")  # what falls is said in the question
    before, story, steps = game.state, GameLog(), list[Step]()
    said: list[str] = []
    for line in lines:
        after = game.play(line)
        told = list(story.describe(game, after))
        steps += told
        said += [step.text for step in told]
        game = after
    schema = game.ruleset.schema
    otherwise = Shared.of(schema, schema).changes(before, game.state)
    changes = tuple(f"{one.where} is {one.new}" for one in otherwise)
    ends = str(game.outcome) if game.outcome else _to_choose(game)
    cited = _cited(game.ruleset, steps)
    return EditionAnswer(
        game.ruleset.name, "happens", (*said, ends), cited, (), (*changes, _how(game))
    )


def _to_choose(game: BaseGame) -> str:
    labels = game.ruleset.labels
    players = labels.translator.join_list(labels.players_named(game.to_move))
    return labels.translator.gettext("to choose: {players}", players=players)


def _how(game: BaseGame) -> str:
    """Who is asked next, or who won."""
    won = game.outcome.winner or "nobody" if game.outcome else ""
    return f"{won} wins" if won else f"to choose: {' and '.join(game.to_move)}"


def _cited(
    ruleset: BaseRuleset[BaseGame], said: Iterable[Reason | Step | Answer]
) -> tuple[Citation, ...]:
    headings = ruleset.rulebook.sections
    found = (
        Citation(one.edition, section, headings.get(one.edition, {}).get(section, ""))
        for one in said
        for section in one.sections
    )
    return tuple(dict.fromkeys(found))


def _missing(
    text: str, rules: BaseRuleset[BaseGame], asked: Sequence[BaseRuleset[BaseGame]]
) -> Iterator[str]:
    """The words of a question that others have and one does not, and where the others have them."""
    own = places_of(rules.rulebook)
    for other in asked:
        for word, place in places_of(other.rulebook).items():
            said = re.compile(rf"(?<!\w){re.escape(word).replace('_', '[ _]')}(?!\w)")
            if word not in own and said.search(text):
                yield f"{rules.name} has no `{word}`; {other.name} declares it at {place}"
                own[word] = place
