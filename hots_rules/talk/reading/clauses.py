"""Several questions in one line: each is a sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache, partial

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.answers import Reply, reply
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.patterns import ASKING, CONCEPT, VALUE, weight
from hots_rules.talk.reading.questions import is_question
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.reading.roles import is_speaker, place_types
from hots_rules.talk.reading.words import MAX_SENTENCE
from hots_rules.talk.retrieval.terms import number_term

MAX_CLAUSES = 4
_PRONOUN = re.compile(r"(?:-t-|-)(?:il|elle)\b|\b(?:he|she|it|il|elle|él|ella)\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"^[¿\s]*(?:y\s+)?(?:cu[aá]nto|c[oó]mo|d[oó]nde|podr[ií]a|puede)\b", re.IGNORECASE
)
"""How a Spanish question begins that may have no word for whom it is about."""
_THERE = re.compile(
    r"(?:\by (?P<verb>aller|entrer|attaquer|aille|va|retraiter)|\s(?:l[àa]-bas|là|all[íi]|all[áa]|ah[íi])"
    r"|(?<!is)(?<!are)(?<!can)\s(?:in |to |over )?there)\b",
    re.IGNORECASE,
)
"""A word for the place of which was spoken before."""
PERSONS = frozenset({"he", "she"})
"""Pronouns that no place has."""
ASKED_OF_IT = frozenset({"can", "must", "where", "how", "how-many"})
"""Concepts of phrases of which such a pronoun may be a part."""
_END = re.compile(r"(?<=[.?!;])\s+")
_WORD = re.compile(r"[^\s,]+")


def questions_in(game: BaseGame, line: str, player: str | None = None) -> tuple[str, ...]:
    """The questions of a line that are understood one by one; the line itself if it is one.

    What only leads to a question is left out, unless the line is understood with it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> questions_in(game, "whose turn is it and what can I do now?")
    ('whose turn is it', 'what can I do now?')
    >>> questions_in(game, "Nice weather, but cold. Whose turn is it?")
    ('Whose turn is it?',)
    """
    sentences = [*filter(None, map(str.strip, _END.split(line[:MAX_SENTENCE])))]
    typed = [part for sentence in sentences for part in _joined(game, sentence)]
    answered = cache(partial(reply, game, player=player))
    parts = [*map(partial(_with_subject, game), ("", *typed), typed)]
    if parts != typed:
        asked = [part for part in parts if _asks(game, part)][:MAX_CLAUSES]
        if asked and all(_is_proven(answered(part)) for part in asked):
            return (*asked,)
    asked = [part for part in typed if _asks(game, part)]
    if len(typed) == 1 or not 0 < len(asked) <= MAX_CLAUSES:
        return (line,)
    if any(_supposes(game, part) for part in typed if part not in asked):
        return (line,)
    replies = [*map(answered, asked)]
    if any(_is_of_before(game, part) for part in asked[1:]):
        return (line,)
    if len(asked) > 1 and any(map(_is_proven, replies)):
        return (*asked,)
    if any(part is None or part.is_likely for part in replies):
        return (line,)  # what it leads to may decide which rule answers
    whole = answered(line)
    if whole is None:
        return (*asked,) if all(_tells(game, part) for part in asked) else (line,)
    is_joined = len(typed) > len(sentences) or not _leaves_little(whole)
    return (*asked,) if is_joined and len(asked) > 1 else (line,)


def _asks(game: BaseGame, part: str) -> bool:
    """Whether a part of a line asks, perhaps by a word that with the next one is a verb: `qui tient`, `de quién es`."""
    lexicon = reader_of(game.ruleset).lexicon
    first = [token for word in part.split()[:2] for token in lexicon.read(word, corrects=False)]
    return is_question(game.ruleset, part) or any(token.concepts & ASKING for token in first)


def _supposes(game: BaseGame, part: str) -> bool:
    """Whether a part of a line tells a number, on which the answer may depend: `we have seven each`."""
    tokens = reader_of(game.ruleset).lexicon.read(part, corrects=False)
    return any(number_term(token) for token in tokens if not token.values)


def _is_proven(answered: Reply | None) -> bool:
    """Whether the engine answers a question."""
    if answered is None or answered.answers or answered.choices:
        return False
    return answered.is_computed or not answered.text


def _with_place(game: BaseGame, before: str, clause: str) -> str:
    """A question with the only place that the clause before it names, for `there`: `can Fox go there?`."""
    lexicon, places = reader_of(game.ruleset).lexicon, place_types(game)
    there = _THERE.search(clause)
    named = [token for token in lexicon.read(before) if places & {*dict(token.values)}]
    if there is None or len(named) != 1:
        return clause
    tokens = lexicon.read(clause)
    if any(places & {*dict(token.values)} for token in tokens):
        return clause
    preposition = "to" if any(token.concepts & {"can", "must"} for token in tokens) else "in"
    words = (clause[: there.start()].rstrip(), there["verb"], preposition, named[0].text)
    return f"{' '.join(filter(None, words))}{clause[there.end() :]}"


def _with_subject(game: BaseGame, before: str, clause: str) -> str:
    """A question with the only piece that the clause before it names, for a pronoun: `could he go to Shore?`."""
    clause = _with_place(game, before, clause)
    lexicon = reader_of(game.ruleset).lexicon
    kinds = {str(variable.keys[0]) for variable in game.ruleset.schema.location_maps}
    pronoun_at, tokens = _PRONOUN.search(clause), lexicon.read(clause)
    pieces = [
        token for token in lexicon.read(before, corrects=False) if kinds & {*dict(token.values)}
    ]
    named = [token for token in lexicon.read(before, corrects=False) if token.values]
    is_open = pronoun_at is None and not any(token.values or is_speaker(token) for token in tokens)
    is_place = len(named) == 1 and not place_types(game).isdisjoint(dict(named[0].values))
    if is_place and is_open and not _NO_SUBJECT.search(clause):
        return f"{clause.rstrip(' ?')} {named[0].text} ?"  # `y cuántos puntos da`
    if (
        not pieces
        and len(named) == 1
        and pronoun_at is not None
        and pronoun_at[0].lower() not in PERSONS
    ):
        pieces = named  # `who holds Shore, and what does it border`
    # The place in `can he go to Shore` may have the name of a piece.
    places = place_types(game) if pronoun_at else frozenset[str]()
    if len(pieces) != 1 or any(_names_one(kinds, token, places) for token in tokens):
        return clause
    name = pieces[0].text
    if pronoun_at is None:
        begun = _NO_SUBJECT.search(clause)
        if begun is None or any(map(is_speaker, tokens)):
            return clause
        is_verb = any(token.concepts & {"can"} for token in lexicon.read(begun[0]))
        after = clause[begun.end() :].rstrip(" ?")
        return f"{begun[0]} {name}{after} ?" if is_verb else f"{begun[0]}{after} {name} ?"
    pronoun = pronoun_at[0].lower().removeprefix("-t").strip("-")
    is_in_a_phrase = any(
        pronoun in token.text.split() and " " in token.text and not token.concepts <= ASKED_OF_IT
        for token in tokens
    )
    if is_in_a_phrase:
        return clause
    return f"{clause[: pronoun_at.start()].rstrip()} {name}{clause[pronoun_at.end() :]}".strip()


def _names_one(kinds: AbstractSet[str], token: Token, places: frozenset[str]) -> bool:
    """Whether a token names something of some kinds, and no place of some kinds."""
    named = {name for name, _ in token.values}
    return bool(named & kinds) and named.isdisjoint(places)


def _tells(game: BaseGame, sentence: str) -> bool:
    """Whether a question says what it is about, which `what now` leaves to the sentence before it."""
    return bool(_telling(game, sentence))


def _is_of_before(game: BaseGame, clause: str) -> bool:
    """Whether a clause leaves to the one before it whom it is about: `what does he gain`."""
    tokens, pronouns = reader_of(game.ruleset).lexicon.read(clause), words_for_kind("pronouns")
    is_left = any(token.text in pronouns and "and" not in token.concepts for token in tokens)
    return is_left and len(_telling(game, clause)) == 1


def _telling(game: BaseGame, sentence: str) -> list[Token]:
    """The tokens that say what a question is about."""
    reader = reader_of(game.ruleset)
    weights, follow_ups = reader.library_words.weights, words_for_kind("follow-up")
    return [
        token
        for token in reader.lexicon.read(sentence)
        if weight(token, weights) >= CONCEPT
        and "happen" not in token.concepts
        and token.text not in follow_ups
    ]


def _leaves_little(whole: Reply) -> bool:
    """Whether a line was understood as one question, of which another sentence may be a part."""
    return whole.reading is None or whole.reading.match.cost <= VALUE


def _joined(game: BaseGame, sentence: str) -> list[str]:
    """The questions of a sentence: after `and`, another begins with a word such as `who`.

    None begins with `and can not`, which says more of what went before.
    """
    lexicon = reader_of(game.ruleset).lexicon
    words = list(_WORD.finditer(sentence))
    concepts = [{n for token in lexicon.read(w[0]) for n in token.concepts} for w in words]
    questions: list[str] = []
    begin = 0
    for at in range(1, len(words) - 1):
        is_more = "not" in concepts[at + 1] | concepts[at + 2] if at + 2 < len(words) else False
        is_named = any(token.values for token in lexicon.read(words[at + 1][0], corrects=False))
        asks_on = (
            any(map(ASKING.__and__, concepts[at + 2 : at + 3]))
            if is_named
            else _PRONOUN.fullmatch(words[at + 1][0])
            and any(map(ASKING.__and__, concepts[at + 2 :]))
        )
        if "and" in concepts[at] and (concepts[at + 1] & ASKING or asks_on) and not is_more:
            questions.append(sentence[begin : words[at].start()].rstrip(" ,"))
            begin = words[at + 1].start()
    return [*questions, sentence[begin:]]
