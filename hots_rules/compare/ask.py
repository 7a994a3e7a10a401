"""One question, answered by several rulesets side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any

import attrs
from attrs import evolve, frozen

from hots_rules._translate import translator
from hots_rules.compare.rebase import Shared, begun_under, kept, places_of
from hots_rules.diagnostics import HotsError, IllegalAction, UnknownOption, UnreadableQuestion
from hots_rules.explain.action_search import find_actions
from hots_rules.explain.legality import reasons_for
from hots_rules.explain.narration import GameLog
from hots_rules.explain.query import Answer, reply
from hots_rules.play.game import Game
from hots_rules.play.reason import Reason
from hots_rules.play.ruleset import Ruleset, load
from hots_rules.play.trace import Step
from hots_rules.records.replaying import record_of
from hots_rules.rules import known_rulesets
from hots_rules.rules.editions.sections import Citation

Editions = Iterable[Ruleset | str | PathLike[str]]
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
    at: Game | str,
    question: str,
    *,
    editions: Editions | None = None,
    options: Mapping[str, Any] | None = None,
    readings: Mapping[str, Any] | None = None,
    language: str = "en",
) -> AnswerTable:
    """Asks several rulesets one question about a game, or about a position in words.

    The question is the text of an action (is it legal, and if not, why not?); one that the rulesets declare,
    such as `who holds Shore`; `actions`, or
    `actions: Fox, move` for those in which the words stand; or `after: TEXT; roll 2 4` for what happens with an
    action and these outcomes of chance. Without `editions` all known rulesets of the same game are
    asked: those that extend the same newest rulebook. What a ruleset lacks it says in its answer.
    The question may be in any language; the lines of the answers are in `language`.

    Raises:
        RulesetError: one of the rulesets is missing, or has faults.
        UnknownOption: the question is empty, or nobody is asked.
    """
    if not question.strip():
        said = ("the text of an action", "`actions`", "`after: …`")
        raise UnknownOption("question", said, question)
    asked = _asked(at, editions)
    for rules in asked:
        rules.notation(language)
    answers = [
        _answer(at, question, rules, asked, (options, readings), language) for rules in asked
    ]
    if editions is None and not isinstance(at, Game):
        answers = _of_the_game(answers, asked)
    return AnswerTable(question, tuple(answers))


def _asked(at: Game | str, editions: Editions | None) -> tuple[Ruleset, ...]:
    if editions is not None:
        given = tuple(each if isinstance(each, Ruleset) else load(each) for each in editions)
        if not given:
            raise UnknownOption("edition", tuple(known_rulesets()), "none")
        return given
    known = [load(name) for name in known_rulesets()]
    if not isinstance(at, Game):
        return tuple(known)
    own = [] if at.ruleset in known else [at.ruleset]
    return (*own, *(rules for rules in known if _newest(rules) == _newest(at.ruleset)))


def _newest(ruleset: Ruleset) -> str:
    """The newest rulebook of its game: what all other printings extend."""
    return ruleset.source.layers[0].name


def _of_the_game(answers: list[EditionAnswer], asked: Sequence[Ruleset]) -> list[EditionAnswer]:
    """The answers of the games to which a position belongs, if it belongs to any."""
    pairs = list(zip(answers, asked, strict=True))
    games = {_newest(rules) for answer, rules in pairs if answer.verdict != "unanswerable"}
    return [answer for answer, rules in pairs if not games or _newest(rules) in games]


# ---------------------------------------------------------------- one ruleset
def _answer(
    at: Game | str,
    question: str,
    rules: Ruleset,
    asked: Sequence[Ruleset],
    chosen: Any,
    language: str,
) -> EditionAnswer:
    notes: tuple[str, ...] = ()
    try:
        game, notes = _arrived(at, rules, *chosen)
        return evolve(_said(game, question, language), notes=notes)
    except HotsError as error:
        text = at if isinstance(at, str) else at.begun_at or at.scenario
        lines = (*str(error).split("\n"), *_missing(f"{question}\n{text}", rules, asked))
        return EditionAnswer(rules.name, "unanswerable", lines, notes=notes)


def _arrived(at: Game | str, rules: Ruleset, options: Any, readings: Any) -> tuple[Game, Any]:
    """The moment that is asked about, under one ruleset."""
    if isinstance(at, str):
        has, reads, notes = kept(options or {}, readings or {}, rules)
        return rules.position(at, options=has, readings=reads, chance="ask"), notes
    if at.ruleset == rules:
        return at, ()
    game, notes = begun_under(at, rules)
    for number, entry in enumerate(record_of(at).entries, 1):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            raise _NotThere(f"action {number} of the game, `{entry.text}`: {error}") from None
    return game, notes


class _NotThere(HotsError):
    """A game that does not come to the same moment under another ruleset."""


def _said(game: Game, question: str, language: str) -> EditionAnswer:
    if found := _ACTIONS.fullmatch(question.strip()):
        return _legal_actions(game, found["words"] or "", language)
    if found := _AFTER.fullmatch(question.strip()):
        return _what_happens(game, [line.strip() for line in found["lines"].split(";")], language)
    try:
        return _replied(game, question, language)
    except UnreadableQuestion as error:
        if error.cause:
            raise
    return _is_legal(game, question, language)


def _replied(game: Game, question: str, language: str) -> EditionAnswer:
    found = reply(game, question, language=language)
    return EditionAnswer(game.ruleset.name, "answer", (found.text,), _cited(game.ruleset, [found]))


def _is_legal(game: Game, text: str, language: str) -> EditionAnswer:
    try:
        reasons, verdict = game.why_not(text, language=language).against, "illegal"
        if not reasons:
            reasons, verdict = reasons_for(game, text, language), "legal"
    except IllegalAction as error:
        reasons, verdict = error.reasons, "illegal"
    cited = _cited(game.ruleset, reasons)
    return EditionAnswer(game.ruleset.name, verdict, tuple(map(str, reasons)), cited)


def _legal_actions(game: Game, words: str, language: str) -> EditionAnswer:
    wanted = (word for word in words.split(",") if word.strip())
    actions = find_actions(game, wanted, language=language)
    names = {action.name for action in actions}
    entries = [entry for entry in game.ruleset.book.of_kind("action") if entry.name in names]
    cited = tuple(dict.fromkeys(citation for entry in entries for citation in entry.cited))
    return EditionAnswer(game.ruleset.name, "actions", tuple(a.text for a in actions), cited)


def _what_happens(game: Game, lines: list[str], language: str) -> EditionAnswer:
    game = evolve(game, chance="ask")  # what falls is said in the question
    before, story, steps = game.state, GameLog(language=language), list[Step]()
    said: list[str] = []
    for line in lines:
        after = game.play(line)
        told = list(story.tell(game, after))
        steps += told
        said += [step.text for step in told]
        game = after
    schema = game.ruleset.schema
    otherwise = Shared.of(schema, schema).changes(before, game.state)
    changes = tuple(f"{one.where} is {one.new}" for one in otherwise)
    ends = str(game.outcome_in(language)) if game.outcome else _to_choose(game, language)
    cited = _cited(game.ruleset, steps)
    return EditionAnswer(
        game.ruleset.name, "happens", (*said, ends), cited, (), (*changes, _how(game))
    )


def _to_choose(game: Game, language: str) -> str:
    spoken, players = translator(language), game.notation(language).players_called(game.to_move)
    return spoken.gettext("to choose: {players}", players=spoken.join_list(players))


def _how(game: Game) -> str:
    """Who is asked next, or who won."""
    won = game.outcome.winner or "nobody" if game.outcome else ""
    return f"{won} wins" if won else f"to choose: {' and '.join(game.to_move)}"


def _cited(ruleset: Ruleset, said: Iterable[Reason | Step | Answer]) -> tuple[Citation, ...]:
    headings = ruleset.book.sections
    found = (
        Citation(one.edition, section, headings.get(one.edition, {}).get(section, ""))
        for one in said
        for section in one.sections
    )
    return tuple(dict.fromkeys(found))


def _missing(text: str, rules: Ruleset, asked: Sequence[Ruleset]) -> Iterator[str]:
    """The words of a question that others have and one does not, and where the others have them."""
    own = places_of(rules.book)
    for other in asked:
        for word, place in places_of(other.book).items():
            said = re.compile(rf"(?<!\w){re.escape(word).replace('_', '[ _]')}(?!\w)")
            if word not in own and said.search(text):
                yield f"{rules.name} has no `{word}`; {other.name} declares it at {place}"
                own[word] = place
