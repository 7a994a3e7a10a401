"""The answers to sentences: first a plain yes, no or fact, then the reason with its section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import islice, pairwise, takewhile

from attrs import evolve, frozen

from hots_rules.diagnostics import check_kind
from hots_rules.explain.query import Answer as DeclaredAnswer
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.talk.battles.supposed import fight_meant
from hots_rules.talk.lookup.cards import card_meant
from hots_rules.talk.lookup.options import asks_for_an_option, options_told
from hots_rules.talk.position.arrivals import arrival_meant, names_a_way
from hots_rules.talk.position.asked_sets import INSIDE, alongside
from hots_rules.talk.position.comers import any_comer_meant, comers_meant
from hots_rules.talk.position.counts import SILENT, count_meant, says_nothing
from hots_rules.talk.position.declared import declared_meant, owner_meant
from hots_rules.talk.position.members import members_meant, standing_there
from hots_rules.talk.position.others import act_of_another
from hots_rules.talk.position.reach import (
    distance_meant,
    supposed_act,
    supposed_value,
    with_place_of_target,
)
from hots_rules.talk.reading.acts import (
    OBLIGES,
    PERMITS,
    act_meant,
    act_refused_now,
    asked_of,
    asks_for_legality,
    names_a_piece,
    says_an_act,
    spelled_act,
    split_phrases,
)
from hots_rules.talk.reading.choices import OPEN, Choices, choices_meant
from hots_rules.talk.reading.clear_offers import clear_offer
from hots_rules.talk.reading.closest import (
    MIN_SHARE,
    Quote,
    closest_answers,
    is_of_another_chapter,
    is_of_another_form,
    is_said_otherwise,
    lacks_a_number,
    quote_for,
    untold,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import (
    AT_THE_START,
    BEGINNING,
    IN_A_ROW,
    LIGHT,
    LISTED_TOO,
    own_words,
    without_asides,
    words_for_kind,
)
from hots_rules.talk.reading.patterns import CONCEPT, weight
from hots_rules.talk.reading.questions import FactAsked, asks_yes_or_no, fact_asked, is_question
from hots_rules.talk.reading.reader import OF_THE_RULES, Reader, Reading, reader_of
from hots_rules.talk.reading.roles import (
    TARGETS,
    country_of,
    is_speaker,
    place_types,
    players_named,
)
from hots_rules.talk.reading.speaker import Speaker, rule_sentences, without_truth
from hots_rules.talk.reading.told_acts import Act
from hots_rules.talk.retrieval.passages import retrieval_of

ABOUT_ANYTHING = ("changes",)
"""Questions of the library whose subject may be any words."""
ARRIVAL = "arrival"
"""The kind of replies to whether pieces can come to a place."""
ODDS = "odds"
"""The concept of sentences that ask for a chance."""
PLAIN = 0.75
"""From which share of a sentence its best reading is not asked back."""
ENOUGH = 0.8
"""From which share of a sentence a value is its answer, and not only offered among the rules that come closest."""
NAMING = frozenset({"who", "which", "where", "when"})
"""Concepts of sentences that may be answered by what has a name."""
ENEMY = "enemy"
"""The concept of words for the other player."""
PRONOUNS = frozenset({"he", "his", "him", "they", "their", "them"})
"""Words of this concept that may mean anybody."""
MAX_NAME = 40
LISTING = frozenset({"which", "who"})
BONDS = frozenset(
    {
        *("different", "another", "instead", "differente", "different", "autre", "plutot"),
        *("diferente", "distinta", "distinto", "otra", "otro"),
    }
)
"""Words that ask about another case than the one that a rule may tell."""
SEVERAL = frozenset({"several", "plusieurs", "varias", "varios"})
"""Words of a rule that tells of other cases as well."""
LOCATING = frozenset({"from", "in", "into", "at", "en", "dans", "depuis", "desde"})
"""Words before the name of a place."""
_BACK = re.compile(
    r"\b(?:is|are|does|would|will) (?:that|this|it)(?: (?:be|take|cost|make))?$"
    r"|\b(?:ca|cela) (?:fait|coute|prend)\b|\b(?:fait|coute) (?:ca|cela)$|\b(?:es|son|cuesta|hace) es[eo]s?$"
)
"""The end of a sentence that asks about what was just said."""
_SENTENCES = re.compile(r"(?<!\.\.)[.!?;]\s+\S")
"""Where another sentence begins."""
MAX_OFFERED = 3
MAX_ELLIPTICAL = 2
"""How many words that tell something a sentence has that leaves what it asks to the one before it."""
WHOLE = 0.9
"""From which share a question has all that a sentence names."""
LEFT_OUT = 0.7
"""Below which share a quote is only offered that has nothing of a word that the talk knows."""
SURE, MORE = 0.75, 0.05
"""From which share a statement is what was asked, and by how much it has more of a sentence than a pattern."""


@frozen
class Reply:
    """What a sentence was understood as, and the answer: the result of `reply`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> help_asked = reply(game, "ayuda")
    >>> help_asked.kind, help_asked.text
    ('help', '')

    Attributes:
        kind: `answer`, `act`, `arrival`, `count`, `card` of what has a name, or that of a question of the library, such
            as `turn`.
        text: the answer in words; empty if the caller is to answer.
        tokens: the tokens of the sentence.
        reading: the question as it was read; None for an act.
        act: the action that is asked about, or the legal ones that are asked for.
        is_yes: whether the act is legal, or a truth that was asked for holds; None if no truth was asked for.
        choices: the sentence with each of the names that it may mean, if the caller is to ask which.
        answers: the answers to two questions that the sentence may ask alike, if the caller is to ask which.
        subject: what a question of the library is about, in the words of the ruleset.
        edition: the other edition that answers; empty for the ruleset of the game.
        declared: the answer to a question that the ruleset declares, asked in other words.
        beside: what the rules say of an action that cannot be chosen now, which is not the answer.
        tells_beside_first: whether that is asked for rather than whose turn it is.
        is_likely: whether it is the rule that comes closest, as it is likely to answer.
    """

    kind: str
    text: str
    tokens: tuple[Token, ...]
    reading: Reading | None = None
    act: Act | Choices | None = None
    is_yes: bool | None = None
    choices: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    subject: str = ""
    edition: str = ""
    declared: DeclaredAnswer | None = None
    beside: str = ""
    tells_beside_first: bool = False
    is_likely: bool = False

    @property
    def is_computed(self) -> bool:
        """Whether the engine answers: by the legal actions, or by the value of an expression."""
        intent = None if self.reading is None else self.reading.intent
        if intent is None:
            is_counted = self.kind in {"count", ARRIVAL, "changes"} or self.declared is not None
            return is_counted or self.act is not None
        return is_computed(intent)

    @property
    def is_whole(self) -> bool:
        """Whether a question was read with all words of the sentence."""
        return self.reading is not None and self.reading.is_of_all_words


def is_computed(intent: Intent) -> bool:
    """Whether the answer to a declared question is a value of the engine."""
    return bool(intent.query) or any("<" in says for says in intent.text.values())


def reply(
    game: BaseGame, sentence: str, player: str | None = None, before: Reply | None = None
) -> Reply | None:
    """The answer to a sentence in any language of the ruleset; None if it is not understood.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> reply(game, "Whose turn is it, please?").kind
    'turn'
    >>> reply(game, "xyzzy") is None
    True

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        player: the player who asks; the answer reveals nothing hidden from this player.
        before: the reply before it, for a sentence such as `and Fife?`.
    """
    for kinds in ((AT_THE_START, LISTED_TOO), (BEGINNING, AT_THE_START), (IN_A_ROW,)):
        plain = without_asides(game, sentence, *kinds)
        if BEGINNING in kinds and not _names_anything(game, plain):
            continue  # `who begins the battle`
        plainly = reply(game, plain, player, before) if plain else None
        is_act = plainly is not None and bool(plainly.act or plainly.kind == ARRIVAL)
        if plainly and plainly.is_computed and (IN_A_ROW not in kinds or is_act):
            return plainly
    reader = reader_of(game.ruleset)
    tokens = reader.tokens(sentence, before.tokens if before else ())
    if supposed := supposed_value(game, reader, tokens, player):
        name, ruling = supposed
        described = reply(game, f"what is {name}", player)
        if described is not None and described.text:
            text = f"{described.text}\n{ruling}"
            return Reply("count", text, tokens) if ruling else described
    speaker = Speaker(game, reader, player)
    readings = [*map(speaker.in_this_game, reader.read(_with_places(game, tokens)))]
    readings = [*map(speaker.in_this_game, _of_who_asks(speaker, tokens, readings)), *readings]
    # A few words without one that asks are a mistyped action rather than a question about it.
    is_asked = before is not None or is_question(game.ruleset, sentence)
    is_by_way = names_a_way(game, reader, tokens, player)
    if is_by_way and (arriving := arrival_meant(game, reader, tokens, player, is_asked=is_asked)):
        return Reply(ARRIVAL, arriving, tokens)
    listed = choices_meant(game, reader, tokens, player)
    is_now = listed is not None and listed.is_of_this_moment
    if not is_now and (comers := comers_meant(game, reader, tokens, player)):
        return Reply(ARRIVAL, comers, tokens)
    if not is_now and is_asked and (comer := any_comer_meant(game, reader, tokens, player)):
        return Reply(ARRIVAL, comer, tokens)
    act = None
    targeted = with_place_of_target(game, reader, tokens, player) if listed is None else None
    if targeted is not None:
        act = act_meant(game, reader, targeted, player) if targeted else None
    elif is_by_way:
        act = act_refused_now(game, reader, tokens, player)
    elif listed is None:
        act = (
            spelled_act(game, reader, sentence, player)
            or act_meant(game, reader, tokens, player, may_be_short=is_asked)
            or act_meant(game, reader, _as_typed(reader, sentence), player, may_be_short=False)
            or act_refused_now(game, reader, tokens, player)
            or _act_of_what_stands(game, reader, tokens, player)
        )
    is_whole = bool(readings) and readings[0].is_of_all_words
    is_elliptical = (_points_back(reader, sentence) and not is_whole) or (
        before is None and _is_elliptical(reader, tokens)
    )
    asks_for_odds = any(token.concepts == {ODDS} for token in tokens)
    # Whether something named may be done follows from the legal actions alone; else a rule is only quoted.
    is_quoted = asks_for_legality(reader, tokens)
    is_act = is_question(game.ruleset, sentence) and says_an_act(game, reader, tokens)
    heard = tokens if before is not None else retrieval_of(game.ruleset).tokens(sentence)
    quoted = cache(partial(quote_for, speaker, heard))
    fact = fact_asked(reader.lexicon.words(sentence), heard)
    is_yes_or_no = asks_yes_or_no(reader.lexicon.words(sentence), tokens)
    may_be_of_things = is_asked or is_yes_or_no
    members = cache(partial(members_meant, game, reader, tokens, player, is_asked=may_be_of_things))
    if not reader.talk.has_patterns and player is None and act is None and listed is None:
        by_player = count_meant(game, reader, heard, player, of_all=True)
        if by_player is not None:
            return Reply("count", by_player, tokens)
    if act is not None:
        is_own = any(map(is_speaker, tokens))
        if not is_own and (of_another := act_of_another(game, reader, act, player)):
            return Reply("act", of_another, tokens, None, act, act.is_yes)
        if act.next is not None:
            return Reply("act", act.text(), tokens, None, act, act.is_yes)
        more = "" if act.is_of_this_moment else _of_another_moment(speaker, readings, quoted())
        if act.is_later and _is_general(game, split_phrases(reader, tokens)):
            named = "\n".join(_of_action(game, act.verbs))
            listed_rules = (named, more) if _is_of_an_action(quoted()) else (more or named,)
            rules = "\n".join(filter(None, dict.fromkeys(listed_rules)))
            if rules and not _leaves_a_name(speaker, tokens, rules):
                return Reply("answer", rules, tokens)
        if not (more or act.is_of_this_moment):
            more = "\n".join(closest_answers(game, sentence, player, MIN_SHARE)[:1])
        return Reply("act", act.text(), tokens, None, act, act.is_yes, beside=more)
    if listed is not None and not _is_asked_otherwise(listed, readings):
        is_decided = listed.is_of_this_moment or bool(listed.reach)
        more = "" if is_decided else _of_another_moment(speaker, readings, quoted())
        is_told = bool(more) and listed.is_only_of_the_moment
        if not (more or is_decided or listed.later):
            near = closest_answers(game, sentence, player, SURE)[:1]
            more = "\n".join(near or _of_action(game, listed.names))
        return Reply(
            "act", listed.text(), tokens, None, listed, beside=more, tells_beside_first=is_told
        )
    if act is None and listed is None:
        for told_by in (distance_meant, supposed_act, fight_meant):
            if computed := told_by(game, reader, tokens, player):
                return Reply("count", computed, tokens)
        for words in (tokens, _as_typed(reader, sentence)):
            if arrival := arrival_meant(game, reader, words, player, is_asked=is_asked):
                return Reply(ARRIVAL, arrival, tokens)

    is_of_an_option = asks_for_an_option(reader.lexicon.words(sentence))
    if is_of_an_option and not (readings and _is_quoted_whole(readings[0])):
        told_options = options_told(game, reader, tokens)
        if told_options:
            return Reply("answer", told_options, tokens)
    for reading in readings:
        if not (reading.match.is_close or reading.name in ABOUT_ANYTHING):
            continue
        if is_of_an_option and reading.intent and is_computed(reading.intent):
            continue  # what something is does not say what is optional
        if reading.match.cost >= CONCEPT and _says_more_than(quoted(), reading):
            break
        if reading.name in OF_THE_RULES and reading.match.cost >= LIGHT:
            continue  # of something else than the game
        if fact is not None and not _tells_a_fact(reading, fact):
            continue
        if reading.intent and is_computed(reading.intent):
            is_of_another = _leaves_an_owner(reading) and _names_a_player(game, reading)
            if (
                is_of_another
                or _names_a_country(game, reading)
                or _leaves_not(reading)
                or _leaves_a_neighbour(reading)
            ):
                continue
        if reading.intent is None:
            return Reply(reading.name, "", tokens, reading, subject=reader.subject(reading))
        is_beside = reading.match.share < WHOLE
        if is_quoted and (reading.intent.query or (is_computed(reading.intent) and is_beside)):
            continue
        if is_act and is_beside and is_computed(reading.intent):
            continue
        if asks_for_odds and ODDS not in reading.match.pattern.words:
            continue  # a chance is no fact
        is_of_all = _is_whole(reading, tokens) and not _leaves_an_owner(reading)
        if not is_of_all and (computed := members()):
            return Reply("count", computed, tokens)
        spoken = speaker.answer(reading)
        if spoken is not None and (choices := speaker.choices(reading, spoken[0])):
            return Reply("choices", "", tokens, reading, choices=choices)
        if spoken is not None:
            if other := _as_close(speaker, reading, readings, spoken[0]):
                return Reply("choices", "", tokens, reading, answers=(spoken[0], other))
            text, is_yes = spoken
            if is_of_another_form(speaker, tokens, text):
                continue
            is_other = is_yes is None and bool(reading.intent.query)
            if is_other and fact and fact.is_yes_or_no and not speaker.is_unknown(text):
                continue
            is_thing = is_yes is None and is_computed(reading.intent)
            if is_yes_or_no and is_thing and not speaker.is_unknown(text):
                if owned := owner_meant(game, reader, tokens, player):
                    return Reply("count", owned, tokens)
                if not reading.intent.text:  # a thing is no answer to whether something is so
                    continue
            if is_computed(reading.intent):
                is_partial = reading.match.share < ENOUGH and not speaker.is_unknown(text)
                if is_partial and fact is not None:
                    continue
                is_partial |= not reading.intent.query and _asks_for_several(tokens)
                is_partial |= _counts_for_both(reading)
                if is_partial and not is_elliptical and _says_more_than(quoted(), reading):
                    break
            else:
                is_partial = (
                    _asks_for_several(tokens) or lacks_a_number(speaker, tokens, text)
                ) or (
                    is_beside
                    and (
                        _leaves_a_name(speaker, tokens, text)
                        or _leaves_a_bond(speaker, tokens, text)
                        or _leaves_a_chapter(speaker, reading, text)
                    )
                )
            if is_partial and not is_elliptical and not _SENTENCES.search(sentence):
                clear = _clear_offer(speaker, heard, is_asked=is_asked)
                if clear and (text in clear or not is_computed(reading.intent)):
                    return Reply("answer", clear, tokens, is_likely=True)
            if is_partial or is_elliptical:
                without = Reply("choices", without_truth(text, is_yes), tokens, reading)
                return _offered(game, sentence, player, without)
            return Reply("answer", text, tokens, reading, is_yes=is_yes)
    # A word such as `hold` may be silent in a question for things, and a part of one that the ruleset declares.
    is_of_a_word = any(says_nothing(token) and not token.concepts <= SILENT for token in tokens)
    said = declared_meant(game, reader, tokens, player) if is_of_a_word else None
    number = None
    if said is None and not is_of_an_option:
        number = (
            members() or (may_be_of_things and owner_meant(game, reader, tokens, player)) or None
        )
    if number is None and (said := said or declared_meant(game, reader, tokens, player)):
        return Reply("answer", str(said), tokens, declared=said)
    compares = fact is not None and bool(fact.compared or fact.is_yes_or_no)
    has = any("have" in {*token.concepts, *token.text.split()} for token in heard)
    if number is None and (compares or (not reader.talk.has_patterns and (fact is None or has))):
        number = count_meant(game, reader, heard, player, of_each=compares)
    if number is not None:
        return Reply("count", number, tokens)
    quote = quoted()
    if quote is not None and quote.declared is not None and (is_quoted or is_act):
        quote = None  # a value is no answer to whether something may be done
    is_undecided = is_elliptical or fact is not None
    is_one = not (_SENTENCES.search(sentence) or _asks_for_several(tokens))
    may_be_clear = is_one and not is_undecided
    if quote is not None and quote.declared is None:
        is_undecided |= is_said_otherwise(speaker, heard, quote)
    if quote is not None and (is_undecided or _is_partial(speaker, tokens, quote)):
        if may_be_clear and (clear := _clear_offer(speaker, heard, is_asked=is_asked)):
            return Reply("answer", clear, tokens, is_likely=True)
        return _offered(game, sentence, player, Reply("choices", quote.text, tokens))
    if quote is not None and quote.found.share >= SURE:
        return Reply("answer", quote.text, tokens, declared=quote.declared)
    card = None if is_elliptical else card_meant(game, tokens, player)
    if card is not None:
        return Reply("card", str(card), tokens)
    if quote is not None:
        return Reply("answer", quote.text, tokens, declared=quote.declared)
    if may_be_clear and (clear := _clear_offer(speaker, heard, is_asked=is_asked)):
        return Reply("answer", clear, tokens, is_likely=True)
    likely = None if is_quoted or is_act else _likely(speaker, readings, tokens)
    return likely and _offered(game, sentence, player, likely)


def _of_who_asks(
    speaker: Speaker, tokens: Sequence[Token], readings: Sequence[Reading]
) -> Iterator[Reading]:
    """The reading with the player who asks in the place of `me`, if that leaves less of a sentence about a place.

    Only of a question that is computed for a player and a place: `what is Shore worth to me`.
    """
    game, reader, player = speaker.game, speaker.reader, speaker.player
    places = place_types(game)
    if player is None or not any(places & {*dict(token.values)} for token in tokens):
        return
    at = next((at for at, token in enumerate(tokens) if "i" in token.concepts), None)
    if at is None or tokens[at].values:
        return
    own = [token for token in reader.lexicon.read(player) if players_named(game, token)]
    rest = (token for token in tokens[at + 1 :] if token.concepts != {"i"})
    named = (*tokens[:at], *own[:1], *rest)
    best = max((reading.match.share for reading in readings[:1]), default=0.0)
    for reading in reader.read(_with_places(game, named)):
        kinds = {reader.talk.slots[hole] for hole in reading.match.holes}
        is_of_both = any(game.ruleset.schema.is_of_players(reader.types[kind]) for kind in kinds)
        intent = reading.intent
        if intent is None or not is_of_both or kinds.isdisjoint(places) or not intent.query:
            continue
        if reading.match.share >= max(best, WHOLE):
            yield reading
            return


def _act_of_what_stands(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Act | None:
    """The action that a sentence asks about which names a piece by where it stands."""
    pieces = standing_there(game, reader, tokens, player)
    return act_meant(game, reader, pieces, player) if pieces != (*tokens,) else None


def _leaves_not(reading: Reading) -> bool:
    """Whether a sentence asks for what is not so, and the pattern has no `not`: `which pieces cannot move`."""
    concepts = asked_of(reading.tokens)
    return (
        "not" in concepts
        and "not" not in reading.match.pattern.words
        and bool(concepts & OPEN)
        and concepts.isdisjoint({"why", "if"})
    )


def _names_anything(game: BaseGame, sentence: str) -> bool:
    """Whether a sentence names a value of the ruleset."""
    tokens = reader_of(game.ruleset).tokens(sentence) if sentence else ()
    return any(token.values for token in tokens)


def _is_quoted_whole(reading: Reading) -> bool:
    """Whether a question with all words of a sentence is answered by what the rules say."""
    return (
        reading.intent is not None and not is_computed(reading.intent) and reading.is_of_all_words
    )


def _leaves_a_neighbour(reading: Reading) -> bool:
    """Whether a sentence asks for what is next to a place, and the pattern for what is in it."""
    words = reading.match.pattern.words
    return any(token.concepts.isdisjoint(words) for token in alongside(reading.tokens))


def _counts_for_both(reading: Reading) -> bool:
    """Whether a sentence asks how many the other player has somewhere, and its pattern counts for both."""
    words, tokens = reading.match.pattern.words, reading.tokens
    is_named = bool(reading.match.holes) and any(
        ENEMY in token.concepts and token.text not in PRONOUNS and not token.values
        for token in tokens
    )
    return is_named and ENEMY not in words and any("how-many" in token.concepts for token in tokens)


def _leaves_an_owner(reading: Reading) -> bool:
    """Whether a sentence asks for what is somebody's, of which its pattern says nothing."""
    words = reading.match.pattern.words
    return "i" not in words and any(map(is_speaker, reading.tokens))


def _names_a_country(game: BaseGame, reading: Reading) -> bool:
    """Whether a sentence asks what is in the country of a player, of whom its pattern says something else."""
    inside = words_for_kind(INSIDE)
    return any(
        before.text.split()[-1:] and before.text.split()[-1] in inside
        for before, token in pairwise((Token(""), *reading.tokens))
        if country_of(game, players_named(game, token))
    )


def _names_a_player(game: BaseGame, reading: Reading) -> bool:
    """Whether a player fills a hole of the pattern of a sentence that counts."""
    types_ = (reader_of(game.ruleset).value_type(hole) for hole in reading.match.holes)
    is_counted = any("how-many" in token.concepts for token in reading.tokens)
    return is_counted and any(game.ruleset.schema.is_of_players(type_) for type_ in types_)


def _tells_a_fact(reading: Reading, fact: FactAsked) -> bool:
    """Whether the answer to a question is of this game, and it has the words by which the sentence compares."""
    intent, match = reading.intent, reading.match
    if intent is None:
        return reading.name not in {*OF_THE_RULES, *ABOUT_ANYTHING}
    matched = {
        word
        for token in reading.tokens
        if token.concepts & match.pattern.words
        for word in token.text.split()
    }
    is_whole = is_computed(intent) and match.share >= WHOLE
    if fact.is_yes_or_no and PERMITS & match.pattern.words:
        return False
    return (is_whole or bool(intent.query)) and fact.compared <= matched


def _is_whole(reading: Reading, tokens: Sequence[Token]) -> bool:
    """Whether a reading has all of a sentence, and is computed where this does not ask what something is."""
    assert reading.intent is not None
    asks_what = any("what" in token.concepts for token in tokens)
    return reading.match.share >= WHOLE and (asks_what or is_computed(reading.intent))


def _offered(game: BaseGame, sentence: str, player: str | None, partial_reply: Reply) -> Reply:
    """A reply that leaves much of a sentence, offered before the rules that come closest."""
    near = closest_answers(game, sentence, player)
    offered = dict.fromkeys(
        (partial_reply.text, *(rule for rule in near if rule not in partial_reply.text))
    )
    return evolve(partial_reply, kind="choices", text="", answers=(*offered,)[:MAX_OFFERED])


def _clear_offer(speaker: Speaker, tokens: Sequence[Token], *, is_asked: bool) -> str | None:
    """The rule that comes closest, if it answers a sentence and is about no other piece or case."""
    text = clear_offer(speaker, tokens, is_asked=is_asked)
    if text is None or _leaves_a_bond(speaker, tokens, text):
        return None
    return None if _is_about_another(speaker, tokens, text) else text


def _is_general(game: BaseGame, tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks about the rules: it has no place, speaker, moment or duty, and nothing was played yet."""
    if any(move >= 0 for move in game.moves):
        return False
    places = place_types(game)
    is_of_somebody = any(token.concepts & {"now", "must"} or is_speaker(token) for token in tokens)
    return not is_of_somebody and not any(
        name in places and len(token.values) == 1 for token in tokens for name, _ in token.values
    )


def _is_of_an_action(quote: Quote | None) -> bool:
    """Whether a quote is said of an action or its moment, which may be another than the one that is asked about."""
    return quote is not None and quote.found.passage.kind in {"action", "phase", "stage", "step"}


def _is_elliptical(reader: Reader, tokens: Sequence[Token]) -> bool:
    """Whether a sentence such as `and if Fox falls?` leaves what it asks to the one before it."""
    telling = [token for token in tokens if weight(token, reader.library_words.weights) >= CONCEPT]
    is_of_a_place = any("where" in token.concepts for token in tokens)
    if is_of_a_place and any(token.values for token in tokens):
        return False  # `and where is Fox?` has all that it asks
    return bool(tokens) and "and" in tokens[0].concepts and len(telling) <= MAX_ELLIPTICAL


def _points_back(reader: Reader, sentence: str) -> bool:
    """Whether a sentence asks about what was just said: `how many moves is that?`."""
    return _BACK.search(" ".join(reader.lexicon.words(sentence))) is not None


def _with_places(game: BaseGame, tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of a sentence, where a name that is also a place's is only the place behind `from` or `in`."""
    places = place_types(game)

    def as_place(before: Token, token: Token) -> Token:
        named = tuple(meaning for meaning in token.values if meaning[0] in places)
        is_place = named and before.text.split()[-1:] and before.text.split()[-1] in LOCATING
        return evolve(token, values=named) if is_place else token

    return tuple(as_place(before, token) for before, token in pairwise((Token(""), *tokens)))


def _is_partial(speaker: Speaker, tokens: Sequence[Token], quote: Quote) -> bool:
    """Whether a quote may answer something else: it leaves out what the sentence names."""
    if quote.declared is not None:
        return False
    if _asks_for_several(tokens) or _leaves_a_bond(speaker, tokens, quote.text):
        return True
    if _is_about_another(speaker, tokens, quote.text):
        return True
    title = {*speaker.reader.lexicon.words(speaker.game.ruleset.title)}  # `lords: how many cards`
    missed = untold(speaker, quote.found.missed, quote.text)
    lacks = any(
        token.concepts and token.text in missed and token.text not in title for token in tokens
    )
    if lacks and quote.found.share < LEFT_OUT and not quote.is_settled:
        return True
    named = [token for token in tokens if not token.values or token.text in quote.found.missed]
    return quote.found.share < WHOLE and _leaves_a_name(speaker, named, quote.text)


def _is_about_another(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a text begins with the name of a piece that a sentence neither names nor asks for."""
    game, reader = speaker.game, speaker.reader
    if any(token.concepts & NAMING for token in tokens):
        return False
    begin = text[:MAX_NAME]
    tokens_told = reader.lexicon.read(begin.partition(": ")[0], corrects=False)
    telling = [token for token in tokens_told if not token.is_idle]
    first = telling if ": " in begin else [*takewhile(lambda token: token.values, telling)]
    told_of = {(kind, code) for token in first for kind, codes in token.values for code in codes}
    named = {(kind, code) for token in tokens for kind, codes in token.values for code in codes}
    return names_a_piece(game, reader, first) and told_of.isdisjoint(named)


def _asks_for_several(tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks for things of a number, such as `which 4 cards`, which no rule lists."""
    return any(
        token.concepts & LISTING and (after.text.isdecimal() or after.text in own_words().numbers)
        for token, after in pairwise(tokens)
    )


def _leaves_a_bond(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a sentence asks for yes or no and has a word such as `another` or `instead` that a text does not."""
    if asked_of(tokens).isdisjoint(PERMITS | OBLIGES):
        return False
    lexicon = speaker.reader.lexicon
    bonds = {
        word
        for token in tokens
        if ENEMY not in token.concepts  # `el otro` is a player
        for word in token.text.split()
        if word in BONDS
    }
    return bool(bonds) and (bonds | SEVERAL).isdisjoint(lexicon.words(text))


def _leaves_a_chapter(speaker: Speaker, reading: Reading, text: str) -> bool:
    """Whether a sentence has the heading of a chapter, such as winter, that neither pattern nor answer has."""
    words = reading.match.pattern.words
    left = [
        token.text
        for token in reading.tokens
        if token.concepts and not token.values and token.concepts.isdisjoint(words)
    ]
    return is_of_another_chapter(speaker, untold(speaker, left, text), text)


def _leaves_a_name(speaker: Speaker, tokens: Sequence[Token], text: str) -> bool:
    """Whether a sentence names something that a text does not; a player counts only as a place."""
    in_text = {
        (type_name, code)
        for token in speaker.reader.lexicon.read(text, corrects=False)
        for type_name, codes in token.values
        for code in codes
    }
    return any(
        in_text.isdisjoint((name, code) for name, codes in token.values for code in codes)
        for before, token in pairwise((Token(""), *tokens))
        if token.values and not token.concepts
        if before.text in TARGETS or not players_named(speaker.game, token)
    )


def _is_asked_otherwise(listed: Choices, readings: Sequence[Reading]) -> bool:
    """Whether nothing can be chosen of what a sentence asks for, and a question of this moment has all its words."""
    return not (listed.is_of_this_moment or listed.names_something) and any(
        reading.intent is not None and reading.intent.when and reading.match.share >= WHOLE
        for reading in readings[:1]
    )


def _as_typed(reader: Reader, sentence: str) -> tuple[Token, ...]:
    """A sentence with its words as they are: a verb that is not known is no slip in another word."""
    return reader.lexicon.read(sentence, corrects=False)


def _of_another_moment(speaker: Speaker, readings: Iterable[Reading], quote: Quote | None) -> str:
    """What the rules say of an action that nobody can choose now, without yes or no; empty if nothing."""
    for reading in readings:
        if reading.intent is not None and reading.match.is_close and reading.intent.text:
            intent = evolve(reading.intent, query="")
            if all("{value}" not in says for says in intent.text.values()):
                reply = speaker.answer(evolve(reading, intent=intent))
                if reply and not is_of_another_form(speaker, reading.tokens, reply[0]):
                    return reply[0]
    return quote.text if quote is not None and quote.found.share >= SURE else ""


def _of_action(game: BaseGame, names: Sequence[str]) -> list[str]:
    """What the rules say first about an action; nothing of several, of which most belong to other moments."""
    return [*islice(rule_sentences(game, *names), 1)] if len(names) == 1 else []


def _as_close(
    speaker: Speaker, best: Reading, readings: Iterable[Reading], text: str
) -> str | None:
    """Another answer to a sentence of which the best reading leaves much, and another as much."""
    if best.match.cost < CONCEPT or best.match.share >= PLAIN:
        return None
    for reading in readings:
        is_other = reading.intent is not None and _differ(reading.intent, best.intent)
        if is_other and reading.match.is_close and reading.match.rank[0] >= best.match.rank[0]:
            spoken = speaker.answer(reading)
            if spoken is not None and spoken[0] != text:
                return spoken[0]
    return None


def _differ(one: Intent, other: Intent | None) -> bool:
    """Whether two questions are about different sections or rules."""
    return other is None or not {*one.sections, *one.rules} & {*other.sections, *other.rules}


def _says_more_than(quote: Quote | None, reading: Reading) -> bool:
    """Whether a quote has what a reading of the sentence leaves out."""
    share = 0.0 if quote is None else quote.found.share
    return share >= SURE and share > reading.match.share + MORE


def _likely(
    speaker: Speaker, readings: Iterable[Reading], tokens: tuple[Token, ...]
) -> Reply | None:
    """The answer to the best question that may be meant, if it is a fact and not a yes or no."""
    for reading in readings:
        if reading.intent is not None and reading.match.is_likely:
            spoken = speaker.answer(reading)
            if spoken is not None:
                text, is_yes = spoken
                return None if is_yes is not None else Reply("answer", text, tokens, reading)
    return None


def odds_asked(game: BaseGame) -> tuple[str, str | None]:
    """Until when, and by which policy, the odds of a game are asked for if a sentence does not say.

    >>> import hots_rules as hr
    >>> odds_asked(hr.load("hots-4.0").start("braveheart", seed=1297))
    ('battle', 'fight-on')
    """
    check_kind("game", game, BaseGame, "a game")
    odds = reader_of(game.ruleset).talk.odds
    return odds.get("until", "decision"), odds.get("policy")
