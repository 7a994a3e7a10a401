"""What a ruleset says about a sentence that nothing computes: one passage as a quote, or some that come closest.

A passage is quoted only if it has most of what the sentence tells and stands well before those of other sections. The
numbers were chosen on one half of the sentences in `tests/talk` and tried on the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules.diagnostics import check_kind
from hots_rules.explain.declared.declarations import (
    find_declarations,
    in_language,
    section_headings,
)
from hots_rules.explain.query import Answer, QuestionAnswerer
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.acts import (
    ASKS_FOR_MORE,
    OBLIGES,
    PERMITS,
    asked_of,
    names_a_piece,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.near_acts import near_acts
from hots_rules.talk.reading.own_words import own_words, words_for_kind
from hots_rules.talk.reading.patterns import ASKING
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.reading.words import words_in
from hots_rules.talk.retrieval.passages import OFFERED, QUOTED, Found, Ranking, retrieval_of
from hots_rules.talk.retrieval.rows import QUESTION, RULEBOOK_STATEMENT, TALK_STATEMENT, Passage
from hots_rules.talk.retrieval.terms import BAR, units_in

MAX_CLOSEST = 3
_CHAPTER = re.compile(r"§(\d+)")
_DIGIT = re.compile(r"\d")
CITATION = re.compile(r" \([^()]*§[^()]*\)")
LOOKED_AT = 40
MAX_OF_ACTS = 2
CLOSE, MIN_SHARE = 0.15, 0.6
"""The share of a sentence that a passage has which comes close, and the least that one has which is quoted."""
CLEAR, AHEAD, FAR = 1.9, 0.6, 0.5
"""The least score of a quote, with what its distance to the best passage of another section adds, up to so far."""
CLEAR_OF_RULES = 0.95
"""What share and distance are together for a game whose rules alone are searched, each of which says a thing once."""
NEARLY_ALL, LITTLE_ELSE, MORE_IF_LOOSE = 0.9, 0.3, 0.15
"""For such a game: what is needed more of a long rule that is mostly about something else and lacks a word."""
AGREED, ABOUT_IT, SETTLED = 1.95, 0.4, 2.15
"""From which score, with its distance, a statement is quoted that is the best by both rankings, its least focus, and
from which score it is what was asked."""
WHOLE = 0.8
"""From which share of a wording it is enough that a sentence has one word of it that tells something."""
MAX_ASKED = 8
"""Of how many values a question is answered that names none of them."""
ABOUT_ALL = 0.5
"""How much of the words of a passage is in a sentence of which it has all."""
ABOUT_A_NAME = 0.9
"""From which focus a wording is about all pieces of a kind that are not named in the quote."""
OF_A_KIND = frozenset({"if", "what", "which", "who", "where", "when", "how-many"})
"""Concepts of sentences in which `not` says of which case they ask."""
HALF_SAID, ALL_LEFT = 0.7, 0.9
"""The same for a wording of which the sentence has less, and for one that does not ask."""
IN_OTHER_WORDS, MOSTLY_LEFT, SEVERAL = 0.8, 0.45, 0.15
"""Below which share of a wording a quote is only offered that leaves so much of a sentence; less of several questions.
"""
NEAR = 0.12
"""How far the score of another passage of a section may be below that of a quote, so that either may be meant."""
ALIKE = 0.6
"""From which share of common words two answers say the same."""


@frozen
class Quote:
    """A passage that answers a sentence.

    Attributes:
        found: how it was found.
        text: its sentence with its sections, and perhaps that of another passage of the same section.
        declared: the answer, if it is a question that the ruleset declares.
        is_settled: whether it is so far before all others that a word that it lacks says nothing against it.
    """

    found: Found
    text: str
    declared: Answer | None = None
    is_settled: bool = False


def quote_for(speaker: Speaker, tokens: Sequence[Token]) -> Quote | None:
    """The passage that answers a sentence; None if none is clearly the best."""
    return (
        _of_most_words(speaker, tokens)
        or _by_both_rankings(speaker, tokens)
        or _of_all_words(speaker, tokens)
    )


def _by_both_rankings(speaker: Speaker, tokens: Sequence[Token]) -> Quote | None:
    """The statement that is the best whether names count much or little, for one in whose words somebody asks.

    A number tells the case of who asks, as in `he played a 3`, and need not be in it.
    """
    if not speaker.reader.talk.questions:
        return None
    offered = _told(speaker, tokens, OFFERED)
    best, _ = next(offered, (None, ""))
    if (
        best is None
        or best.passage.kind != TALK_STATEMENT
        or best.focus < ABOUT_IT
        or not best.is_more
    ):
        return None
    if len(best.met) < 2 or not (best.is_asked or best.focus >= MIN_SHARE):
        return None
    found, text = next(_told(speaker, tokens), (None, ""))
    if found is None or found.passage != best.passage:
        return None
    section = best.passage.sections[:1]
    others = (hit.score for hit, _ in offered if hit.passage.sections[:1] != section)
    distance = best.score - next(others, 0.0)
    score = best.score + AHEAD * min(FAR, distance)
    return Quote(found, text, is_settled=score >= SETTLED) if score >= AGREED else None


def _of_all_words(speaker: Speaker, tokens: Sequence[Token]) -> Quote | None:
    """The passage that comes closest, if it has all that a sentence tells, and little else."""
    best, text = next(_told(speaker, tokens, OFFERED), (None, ""))
    if best is None or best.missed or best.other_numbers or not (best.is_more and best.is_asked):
        return None
    if len(best.met) < 2 or best.focus < ABOUT_ALL or untold(speaker, best.met, text):
        return None
    is_of_the_rulebook = best.passage.kind == RULEBOOK_STATEMENT
    # In other languages than its own, rules are told for what the rulebook states.
    if is_of_the_rulebook and (best.share < NEARLY_ALL or speaker.game.language != "en"):
        return None
    return Quote(best, text)


def untold(speaker: Speaker, words: Iterable[str], text: str) -> tuple[str, ...]:
    """The words of a sentence that an answer has in no form: its passage may have more wordings than this one.

    One with a digit has no other form.
    """
    lexicon = speaker.reader.lexicon
    terms = terms_of(speaker, text)
    typed = frozenset(lexicon.words(text))
    tokens = lexicon.read(" ".join(words), corrects=False)
    return tuple(
        term.typed
        for term in retrieval_of(speaker.game.ruleset).query_terms(tokens)
        if (term.exact | term.alike).isdisjoint(terms)
        or any(_DIGIT.search(word) and word not in typed for word in term.typed.split())
    )


def terms_of(speaker: Speaker, text: str) -> frozenset[str]:
    """The terms of a text in the language of the game."""
    units = units_in(speaker.reader.lexicon, text, (speaker.game.language,))
    return frozenset(term for unit in units for term in unit.split(BAR))


def is_said_otherwise(speaker: Speaker, tokens: Sequence[Token], quote: Quote) -> bool:
    """Whether a quote has few words of a sentence, which was found by a wording of it that has not all of them.

    Of several questions each word counts: a quote answers one of them.
    """
    telling = [
        term for term in retrieval_of(speaker.game.ruleset).query_terms(tokens) if term.tells
    ]
    named = re.sub("[_-]", " ", quote.text)  # the name of a rule tells its words
    left = {*untold(speaker, [term.typed for term in telling], named)}
    weight = sum(term.weight for term in telling)
    share = sum(term.weight for term in telling if term.typed in left) / weight if weight else 0.0
    if share >= SEVERAL and asks_twice(tokens):
        return True
    if leaves_a_not(speaker, tokens, quote.text) or lacks_a_number(speaker, tokens, quote.text):
        return True
    found = quote.found
    if is_of_another_chapter(speaker, left, quote.text):
        return True
    pieces = [
        token.text for token in tokens if names_a_piece(speaker.game, speaker.reader, [token])
    ]
    if len(pieces) > 1 and any("if" in token.concepts for token in tokens):
        return True  # which of them does what is not read
    if found.focus < ABOUT_A_NAME and not left.isdisjoint(pieces):
        return True
    if found.passage.kind == RULEBOOK_STATEMENT and asked_of(tokens) & (PERMITS | OBLIGES):
        return True  # it tells what is, not what may be
    if share >= ALL_LEFT and not found.asks:
        return True
    is_loose = found.share < (IN_OTHER_WORDS if found.focus < ABOUT_A_NAME else HALF_SAID)
    return (is_loose or found.focus < LITTLE_ELSE) and share >= MOSTLY_LEFT


def is_of_another_chapter(speaker: Speaker, left: Iterable[str], text: str) -> bool:
    """Whether a word that a text lacks is the heading of a chapter, and the text cites only others."""
    lacking = frozenset[str]().union(*(terms_of(speaker, word) for word in left))
    headings = section_headings(speaker.game.ruleset) if lacking else {}
    chapters = [
        number.partition(".")[0]
        for number, heading in headings.items()
        if number.endswith(".0") and not lacking.isdisjoint(terms_of(speaker, heading))
    ]
    own = {*_CHAPTER.findall(text)}
    return bool(chapters) and own.isdisjoint(chapters)


def lacks_a_number(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a sentence asks how many, and a text has neither a number nor a word such as `all`."""
    if not any("how-many" in token.concepts for token in tokens):
        return False
    words = speaker.reader.lexicon.words(CITATION.sub("", text))
    numbers = {*own_words().numbers, *words_for_kind("amounts")}
    return not any(word in numbers or _DIGIT.search(word) for word in words)


def leaves_a_not(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a sentence asks what is without something, or not so, and a text says nothing of that kind."""
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    lacking = words_for_kind("without")
    is_lacking = not lacking.isdisjoint(word for token in tokens for word in token.text.split())
    telling = [token for token in tokens if not token.is_idle]
    denied = words_for_kind("no") | lacking
    lacked = [after.text for before, after in pairwise(telling) if before.text in denied]
    is_of_a_case = bool(is_lacking or lacked or not concepts.isdisjoint(OF_A_KIND))
    if "not" not in concepts or not is_of_a_case or "why" in concepts:
        return False
    words = speaker.reader.lexicon.words(text)
    if untold(speaker, lacked, text):
        return True
    is_limited = is_lacking and not words_for_kind("only").isdisjoint(words)
    return words_for_kind("negations").isdisjoint(words) and not is_limited


def asks_twice(tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks something else behind `and`."""
    asking = [bool(token.concepts & ASKING) for token in tokens]
    return any(
        "and" in token.concepts and any(asking[:at]) and any(asking[at + 1 :])
        for at, token in enumerate(tokens)
    )


def _of_most_words(speaker: Speaker, tokens: Sequence[Token]) -> Quote | None:
    """The passage that has most of what a sentence tells."""
    told = _told(speaker, tokens)
    best, text = next(told, (None, ""))
    if best is None or best.share < MIN_SHARE or not best.is_more:
        return None
    if best.other_numbers:  # who asks about ten is not answered by what says nothing of ten
        return None
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    is_named = best.asks and best.focus > WHOLE and bool(concepts & ASKING)
    if len(best.met) < (1 if is_named else 2):
        return None
    if best.score + AHEAD * FAR < CLEAR and speaker.reader.talk.has_patterns:
        return None
    section, more = best.passage.sections[:1], ""
    next_score = 0.0
    for other, sentence_told in told:
        if other.passage.sections[:1] != section:
            next_score = other.score
            break
        adds = other.share >= MIN_SHARE and set(best.missed) & set(other.met)
        if adds and not more and not _says_the_same(text, sentence_told):
            more = sentence_told
    if not _is_clear(speaker, best, best.score - next_score):
        return None
    if _is_stated_elsewhere(speaker, tokens, best):
        return None
    if best.passage.kind == QUESTION:
        return Quote(best, text, _declared(speaker, tokens, best.passage.name))
    more = more or _as_near(speaker, tokens, best.passage, text)
    return Quote(best, "\n".join(filter(None, (text, more))))


def _as_near(speaker: Speaker, tokens: Sequence[Token], quoted: Passage, text: str) -> str:
    """What else the section of a quote says that is offered before it, or nearly; empty if nothing."""
    offered = [*_told(speaker, tokens, OFFERED)]
    own = next((hit for hit, _ in offered if hit.passage == quoted and hit.is_more), None)
    return "" if own is None else said_beside(own, text, offered)


def said_beside(quoted: Found, text: str, offered: Iterable[tuple[Found, str]]) -> str:
    """What else the section of a quote says, among what is offered, that comes as close; empty if nothing."""
    near = (
        sentence
        for hit, sentence in offered
        if hit.passage.sections[:1] == quoted.passage.sections[:1]
        and hit.is_more
        and hit.score >= quoted.score - NEAR
    )
    return next((sentence for sentence in near if not _says_the_same(sentence, text)), "")


def _is_stated_elsewhere(speaker: Speaker, tokens: Sequence[Token], best: Found) -> bool:
    """Whether the rulebook states as much in another section, for a game whose rules alone are searched."""
    if speaker.reader.talk.has_patterns:
        return False
    return any(
        hit.passage.kind == RULEBOOK_STATEMENT
        and hit.passage.sections[:1] != best.passage.sections[:1]
        and hit.score >= best.score
        for hit in retrieval_of(speaker.game.ruleset).find(tokens)
    )


def _is_clear(speaker: Speaker, best: Found, distance: float) -> bool:
    """Whether a passage is clearly the best, at a distance from those of other sections."""
    if speaker.reader.talk.has_patterns:
        return best.score + AHEAD * min(FAR, distance) >= CLEAR
    is_loose = best.share < NEARLY_ALL and best.focus < LITTLE_ELSE and bool(best.missed)
    needed = CLEAR_OF_RULES + (MORE_IF_LOOSE if is_loose else 0.0)
    return best.share + distance >= needed


def closest_answers(
    game: BaseGame, sentence: str, player: str | None = None, min_share: float = CLOSE
) -> tuple[str, ...]:
    """Up to three passages with a part of what a sentence asks about, the closest first.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> closest_answers(game, "purple raids under a tuna truce")[0][:30]
    'Under a truce no Scot enters E'

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        player: the player who asks; the answers reveal nothing hidden from this player.
        min_share: the least share of the sentence that a passage has.
    """
    speaker = Speaker(game, reader_of(game.ruleset), player)
    tokens = retrieval_of(game.ruleset).tokens(sentence)
    told = [*islice(near_acts(game, speaker.reader, tokens, player), MAX_OF_ACTS)]
    for _, text in offered_passages(speaker, tokens, min_share):
        if not any(_says_the_same(text, other) for other in told):
            told.append(text)
        if len(told) == MAX_CLOSEST:
            break
    return tuple(told)


def offered_passages(
    speaker: Speaker, tokens: Sequence[Token], min_share: float = CLOSE
) -> list[tuple[Found, str]]:
    """The passages that come closest to a sentence; what shares only names with it comes last."""
    close = [pair for pair in _told(speaker, tokens, OFFERED) if pair[0].share >= min_share]
    return sorted(close, key=lambda pair: not pair[0].is_more)


def _told(
    speaker: Speaker, tokens: Sequence[Token], ranking: Ranking = QUOTED
) -> Iterator[tuple[Found, str]]:
    """The passages for a sentence that can be told now, the best first, each with its words."""
    asks_how = any("how" in token.concepts for token in tokens)  # a value does not say how
    asked = asked_of(tokens)
    is_yes_or_no = bool(asked & (PERMITS | OBLIGES)) and asked.isdisjoint(ASKS_FOR_MORE)
    for found in retrieval_of(speaker.game.ruleset).find(tokens, ranking)[:LOOKED_AT]:
        intent, kind = found.passage.intent, found.passage.kind
        is_computed = kind == QUESTION and found.is_asked and not found.missed and not asks_how
        if is_computed and (answer := _declared(speaker, tokens, found.passage.name)):
            yield found, _with_its_question(speaker.game, found.passage.name, str(answer))
        if intent is None or (is_yes_or_no and _is_value(speaker, intent)):
            continue
        if kind == RULEBOOK_STATEMENT:
            if ranking == QUOTED or _is_otherwise(speaker.game, found.passage):
                continue  # what a rulebook states is said by a rule, a statement or neither: none is quoted for it
            in_english = speaker.game.language == "en" or not intent.rules
            intent = evolve(intent, rules=()) if in_english else evolve(intent, text={})
        text = speaker.statement(intent) if ranking == QUOTED else speaker.fact(intent)
        if text and kind in {"reading", "option"}:
            text = _setting(speaker.game, found.passage.name)
        if text and not is_of_another_form(speaker, tokens, text):
            yield found, text


def is_of_another_form(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a text names a piece only by another form of its name than a sentence: `Fox I` for `Fox II`."""
    forms = [token for token in tokens if token.values and token.concepts and " " in token.text]
    text_tokens = (
        speaker.reader.lexicon.read(text.rpartition(" (")[0], corrects=False) if forms else ()
    )

    def is_other(form: Token) -> bool:
        alike = [token for token in text_tokens if {*token.values} & {*form.values}]
        return bool(alike) and all(
            " " in token.text and token.concepts != form.concepts for token in alike
        )

    return any(map(is_other, forms))


def _is_value(speaker: Speaker, intent: Intent) -> bool:
    """Whether the answer to a question is a value that is no yes or no."""
    expr = speaker.reader.expression(intent.query) if intent.query else None
    return expr is not None and not isinstance(expr.type, types.BoolType)


def _with_its_question(game: BaseGame, name: str, answer: str) -> str:
    """An answer behind the words that ask for it, unless these have values in them, as the answer does."""
    summary = game.ruleset.compiled.typed.questions[name].origin.summary
    asked = game.ruleset.labels.label(f"question {name}", summary).rstrip("? ")
    return answer if "{" in asked else f"{asked}: {answer}"


def _is_otherwise(game: BaseGame, stated: Passage) -> bool:
    """Whether an option or a reading of the section of a statement is not at its default."""
    settings = game.ruleset.compiled.typed.settings
    changed = {*game.settings} - {*game.ruleset.compiled.default_settings}
    return any(
        section in settings[name].origin.sections
        for name, _ in changed
        for section in stated.sections
    )


def _declared(speaker: Speaker, tokens: Sequence[Token], name: str) -> Answer | None:
    """The answer to a declared question about the values that a sentence names; None if it names too few."""
    question = speaker.game.ruleset.compiled.typed.questions[name]
    answerer = QuestionAnswerer.of(speaker.game, speaker.player)
    left, local = list(tokens), dict[str, int]()
    for param in question.params:
        naming = next((token for token in left if len(token.codes(str(param.type))) == 1), None)
        if naming is not None:
            left.remove(naming)
            [local[param.name]] = naming.codes(str(param.type))
        elif len(question.params) == 1 and isinstance(param.type, types.WordType):
            is_short = len(param.type.values) <= MAX_ASKED
            return answerer.answer_all(question) if is_short else None
        else:
            return None
    return answerer.answer(question, local)


def _setting(game: BaseGame, name: str) -> str | None:
    """What the reading or option of a name says, and what it is in this game."""
    declared = in_language(game.ruleset, find_declarations(game.ruleset, name))
    setting = game.ruleset.settings.get(name)
    if not declared or setting is None:
        return None
    chosen = {**game.options, **game.readings}.get(name, setting.default)
    texts = dict(zip(setting.values, setting.summaries, strict=False))
    gettext = game.ruleset.labels.translator.gettext
    sentence_told = str(texts.get(chosen, chosen))
    if isinstance(chosen, bool):
        sentence_told = gettext("yes") if chosen else gettext("no")
    cited = with_signs(declared[0].sections)
    return f"{declared[0].summary} {sentence_told} ({name} {cited})"


def _says_the_same(one: str, other: str) -> bool:
    """Whether two answers have most of their words in common."""
    words, others = (set(words_in(text, {})) for text in (one, other))
    return len(words & others) > ALIKE * min(len(words), len(others))


def closest_questions(game: BaseGame, sentence: str) -> tuple[str, ...]:
    """The questions that come closest to a sentence, as the ruleset words them.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> len(closest_questions(game, "xyzzy"))
    3
    """
    check_kind("game", game, BaseGame, "a game")
    check_kind("sentence", sentence, str, "a text")
    reader = reader_of(game.ruleset)
    examples = reader.talk.examples.get(game.language, ())
    texts = {each.text for each in reader.lexicon.read(sentence) if not each.is_idle}
    concepts = {n for each in reader.lexicon.read(sentence) for n in each.concepts}

    def shared(example: str) -> int:
        tokens = reader.lexicon.read(example)
        return sum(bool(each.concepts & concepts) or each.text in texts for each in tokens)

    ranked = sorted(examples, key=shared, reverse=True)
    return tuple(ranked[:3])
