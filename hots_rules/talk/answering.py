"""The answers to questions, each with the kind of what it rests on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from hots_rules._translate import Translator, translator
from hots_rules.analysis.errors import PolicyUndefined, TooManyStates
from hots_rules.diagnostics import NoConsistentWorld, UnreadableQuestion, check_kind
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import contents_of, in_language, section_headings
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.talk_file import battle_form
from hots_rules.play.game import BaseGame
from hots_rules.talk.battles.battles import Battle, battle
from hots_rules.talk.changes import changes_asked, changes_told, edition_names
from hots_rules.talk.lookup.cards import cited
from hots_rules.talk.reading.answers import Reply, odds_asked
from hots_rules.talk.reading.closest import closest_questions
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.understood import Answer, AnswerKind, Question, Understood, kind_of_all

if TYPE_CHECKING:
    from hots_rules.analysis.chances.known_odds import Estimate, PlayerOdds
    from hots_rules.analysis.chances.odds import Odds

SECONDS = 20.0
"""How long odds are computed; after half of it outcomes are sampled."""
MAX_ACTIONS = 100
_WINS = re.compile(r"^\s*win\b(?! none)", re.MULTILINE)
"""A statement by which somebody wins."""
_ENDS = re.compile(r"^\s*win\b", re.MULTILINE)
"""A statement that ends the game."""
_TOLD = frozenset({"rule", "phase", "stage", "action"})
_TEXT = re.compile(r'"[^"]*"')
_CITED = re.compile(r"§([\w.]*\w)")


def answer(understood: Understood) -> Answer:
    """The answer to a question that was understood.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> found = answer(hr.talk.understand("whose turn is it?", game))
    >>> found.kind.value, found.value == [*game.to_move]
    ('computed', True)

    Raises:
        UnreadableQuestion: it is no question.
    """
    if not isinstance(understood, Question):
        raise UnreadableQuestion(getattr(understood, "line", str(understood)))
    match understood.topic:
        case "declared":
            return _declared(understood)
        case "ruling":
            return _ruling(understood)
        case "battle":
            return _battle(understood)
        case "closest":
            return Answer(AnswerKind.CLOSEST, _closest(understood.game, understood.closest))
        case topic if not understood.replies:
            return _GENERAL[topic](understood, None)
        case _:
            return _joined([_replied(understood, reply) for reply in understood.replies])


def _joined(answers: Sequence[Answer]) -> Answer:
    """Several answers as one."""
    if len(answers) == 1:
        return answers[0]
    text = "\n".join(map(str, answers))
    return Answer(kind_of_all([answer.kind for answer in answers]), text)


def _declared(question: Question) -> Answer:
    declared = question.declared
    assert declared is not None
    return Answer(
        AnswerKind.COMPUTED,
        declared.text,
        declared.value,
        declared.question,
        declared.edition,
        declared.sections,
    )


def _ruling(question: Question) -> Answer:
    ruling = explain_action(question.game, question.line, question.player, with_support=True)
    is_secret = any(reason.kind == "secret" for reason in ruling.against)
    is_yes = None if is_secret else ruling.is_legal
    edition = question.game.ruleset.name
    return Answer(
        AnswerKind.COMPUTED, ruling.text("paragraph"), is_yes, "", edition, (), is_yes, ruling
    )


# ---------------------------------------------------------------- sentences
def _replied(question: Question, reply: Reply) -> Answer:
    """The answer to one sentence."""
    game, edition = question.game, reply.edition or question.game.ruleset.name
    if reply.answers:
        return Answer(AnswerKind.CLOSEST, _closest(game, reply.answers), edition=edition)
    if reply.text:
        kind = AnswerKind.COMPUTED if reply.is_computed else AnswerKind.QUOTED
        beside = _closest(game, reply.beside.split("\n"), with_chapter=True) if reply.beside else ""
        parts = (beside, reply.text) if reply.tells_beside_first else (reply.text, beside)
        text = "\n".join(filter(None, (reply.edition, *parts)))
        return Answer(kind, text, reply.is_yes, "", edition, (), reply.is_yes, reply.act)
    return _GENERAL[reply.kind](question, reply)


def _closest(game: BaseGame, answers: Sequence[str], *, with_chapter: bool = False) -> str:
    """Some rules, each with the heading of its section, and perhaps of its chapter, as what comes closest."""
    headings = section_headings(game.ruleset)
    cited = [_CITED.search(text) for text in answers]
    topics = [f"{headings[at[1]]}: " if at and at[1] in headings else "" for at in cited]
    if with_chapter:
        chapters = [headings.get(f"{at[1].partition('.')[0]}.0") if at else None for at in cited]
        topics = [
            f"{chapter}, {topic}" if chapter and not topic.startswith(chapter) else topic
            for chapter, topic in zip(chapters, topics, strict=True)
        ]
    lines = (f"- {topic}{text}" for topic, text in zip(topics, answers, strict=True))
    return "\n".join([_t(game).gettext("the rules that come closest:"), *lines])


# ---------------------------------------------------------------- what every game answers
def _turn(question: Question, _: Reply | None) -> Answer:
    return Answer(AnswerKind.COMPUTED, whose_turn(question.game), [*question.game.to_move])


def whose_turn(game: BaseGame) -> str:
    """Who chooses now and in which phase; at the end the outcome.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> whose_turn(game).endswith(game.phase_title)
    True
    """
    check_kind("game", game, BaseGame, "a game")
    if game.is_over:
        return str(game.outcome)
    names = game.ruleset.labels.players_named(game.to_move)
    # A name may be a plural, as `Attackers`, so no verb agrees with it.
    return _t(game).gettext(
        "to choose: {players}, in {phase}",
        players=_t(game).join_list(names),
        phase=game.phase_title,
    )


def _legal(question: Question, _: Reply | None) -> Answer:
    game, player = question.game, question.player
    actions = [action for action in game.actions if player in (None, action.player)]
    texts = [action.text for action in actions[:MAX_ACTIONS]]
    more = ["…"] if len(actions) > MAX_ACTIONS else []
    text = "\n".join([whose_turn(game), *texts, *more])
    return Answer(
        AnswerKind.COMPUTED, text, [action.text for action in actions], detail=tuple(actions)
    )


def _help(question: Question, _: Reply | None) -> Answer:
    return Answer(AnswerKind.QUOTED, "\n".join(closest_questions(question.game, "")))


def _win(question: Question, _: Reply | None) -> Answer:
    """The rules by which somebody wins, else the headings that say it."""
    wins = [each for each in _ending(question.game) if _WINS.search(_TEXT.sub("", each.source))]
    return _quoted(question.game, wins)


def _end(question: Question, _: Reply | None) -> Answer:
    """The rules that end the game, whoever wins by them."""
    return _quoted(question.game, _ending(question.game))


def _lose(question: Question, _: Reply | None) -> Answer:
    """The rules that end the game and say who loses; else all that end it, since who wins lets others lose."""
    lexicon = reader_of(question.game.ruleset).lexicon
    ending = _ending(question.game)
    losing = [
        each
        for each in ending
        if any("lose" in token.concepts for token in lexicon.read(each.summary, corrects=False))
    ]
    return _quoted(question.game, losing or ending)


def _ending(game: BaseGame) -> list[Declaration]:
    """The rules, phases and actions with a sentence that end the game."""
    declared = in_language(game.ruleset, contents_of(game.ruleset.compiled).declarations)
    return [
        each
        for each in declared
        if each.summary and each.kind in _TOLD and _ENDS.search(_TEXT.sub("", each.source))
    ]


def _quoted(game: BaseGame, declared: Sequence[Declaration]) -> Answer:
    """The sentences of some rules, each with its name and sections."""
    sentences = [f"{each.summary} ({each.name} {cited(each.sections)})" for each in declared]
    none = _t(game).gettext("no rule says who wins")
    return Answer(AnswerKind.QUOTED, "\n".join(sentences) or none, edition=game.ruleset.name)


def _editions(question: Question, _: Reply | None) -> Answer:
    names = [*edition_names(question.game)]
    return Answer(AnswerKind.COMPUTED, "\n".join(names), names)


def _odds(question: Question, _: Reply | None) -> Answer:
    # Late imports: other answers compute no odds.
    from hots_rules.analysis.chances.compute import odds
    from hots_rules.analysis.chances.known_odds import player_odds

    game, t = question.game, _t(question.game)
    until, policy = odds_asked(game)
    try:
        if question.player is not None:
            knowable = player_odds(game, question.player, until=until, policy=policy)
            return Answer(AnswerKind.COMPUTED, "\n".join(_known_lines(knowable)), detail=knowable)
        computed = odds(game, None, until, policy, 200_000, SECONDS, 10_000, 0, None, 300_000_000)
    except (PolicyUndefined, NoConsistentWorld, TooManyStates):
        text = t.gettext("nothing is in progress now whose odds could be computed")
        form = battle_form(game.ruleset.source)
        if form is not None:
            text += t.gettext("; those of any battle can: `{line}`", line=form.example)
        return Answer(AnswerKind.COMPUTED, text)
    return Answer(AnswerKind.COMPUTED, "\n".join(_odds_lines(computed)), detail=computed)


def _known_lines(computed: PlayerOdds) -> Iterator[str]:
    """The odds that a player can know: of the only state that fits, or the mean of some that he cannot tell apart."""
    exact = "exact" if computed.exact else f"estimated from {computed.samples} samples"
    of_many = f", the mean of {computed.worlds} states that you cannot tell apart"
    yield exact + (of_many if computed.worlds > 1 else "")
    for name, shares in computed.changes.items():
        estimates = {value: computed.estimate_of_change(name, value) for value in shares}
        yield f"{name}: {_estimates(estimates)}"
    if computed.outcomes:
        estimates = {name: computed.estimate_of_outcome(name) for name in computed.outcomes}
        yield f"outcome of the game: {_estimates(estimates)}"


def _estimates(estimates: Mapping[str, Estimate]) -> str:
    """Values with their probabilities, and with the bounds of those that are estimated."""
    return ", ".join(
        f"{value} {_share(estimate.share)}{_bounds(estimate.low, estimate.high)}"
        for value, estimate in estimates.items()
    )


def _bounds(low: float, high: float) -> str:
    return "" if low == high else f" ({low:.2%} to {high:.2%})"


def _odds_lines(computed: Odds) -> Iterator[str]:
    yield "exact" if computed.exact else f"estimated from {computed.samples} samples"
    for name, shares in {**computed.changes(), "outcome of the game": computed.outcomes}.items():
        if set(map(str, shares)) != {"unfinished"}:
            yield f"{name}: " + ", ".join(
                f"{value} {_share(share)}{_bounds(*computed.interval(share))}"
                for value, share in shares.items()
            )


def _battle(question: Question) -> Answer:
    fought = battle(question.game.ruleset, question.line, seconds=SECONDS)
    return Answer(AnswerKind.COMPUTED, "\n".join(_battle_lines(fought)), detail=fought)


def _battle_lines(fought: Battle) -> Iterator[str]:
    how = "exact" if fought.odds.exact else f"estimated from {fought.odds.samples} samples"
    yield f"{fought.game.ruleset.name}: {how}"
    for text, share in fought.outcomes:
        yield f"{_share(share):>7}{_bounds(*fought.odds.interval(share))}  {text}"
    for piece, text, share in fought.fates:
        yield f"{_share(share):>7}{_bounds(*fought.odds.interval(share))}  {piece}: {text}"
    yield from (f"assumed: {assumption}" for assumption in fought.assumptions)


def _share(share: Fraction) -> str:
    return f"{float(share):.2%}"


def _changes(question: Question, reply: Reply | None) -> Answer:
    """What the editions have differently about a subject, or between two of them."""
    asked = None if reply is None else changes_asked(question.game, reply)
    assert asked is not None, "a question about no known subject is not understood"
    if not asked.subject:
        # Likewise.
        from hots_rules.compare.tables import table

        return Answer(AnswerKind.COMPUTED, "\n".join(table(*asked.editions).summaries()))
    return changes_told(question.game, asked.subject)


def _t(game: BaseGame) -> Translator:
    return translator(game.language)


_GENERAL: Mapping[str, Callable[[Question, Reply | None], Answer]] = MappingProxyType(
    {
        "help": _help,
        "turn": _turn,
        "legal": _legal,
        "win": _win,
        "end": _end,
        "lose": _lose,
        "odds": _odds,
        "editions": _editions,
        "changes": _changes,
    }
)
