"""Which things there are, how many, and where: what a sentence asks about the position that no pattern reads.

A set is put together from what the ruleset declares: where pieces are, whose they are, the words of their tables, and
the sets that it defines. Every word of the sentence that tells something must be a part of that.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from hots_rules.explain.declared.declarations import taking_part
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.position.asked_sets import (
    ARTICLES,
    EMPTY,
    INSIDE,
    NAMED_PIECES,
    NOT,
    AskedSet,
    Part,
    alongside,
)
from hots_rules.talk.position.counts import (
    HEADS,
    NOBODYS,
    is_one_of,
    labels_by_language,
    says_nothing,
    told_numbers,
    with_heads,
    words_for,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.questions import FEWER, MORE
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    SOURCES,
    is_speaker,
    place_types,
)
from hots_rules.talk.reading.speaker import Speaker

COUNTS = ("how-many", "there-is")
"""Those of them that ask whether there is any, or how many."""
SMALL_NUMBERS = ("1", "2", "3")
"""So many members off the board are listed as well."""
ASKS_OTHERWISE = frozenset(
    {
        "can",
        "must",
        "why",
        "when",
        "how",
        "if",
        "or",
        "not",
        "change",
        "odds",
        "will",
        "need",
        "most",
    }
)
"""Concepts of sentences that ask for more than what is there."""
CONJUNCTIONS = frozenset({"or", "if", "not", "when"})
"""Those of them that also count in a word that says little otherwise."""
TOTALLED, SUMS = ("how-many", "what", "which"), "sums"
"""Those of the heads that may ask for a sum, and the kind of words that say that it is one."""
ANOTHER_MOMENT, INCLUDED = "another-moment", "included"
"""Kinds of words: that ask for another moment, or for an order; and behind what a number has in it as well."""
IS, CAN, HAVE = "is", "can", "have"
MAX_LISTED = 20


def members_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    *,
    is_asked: bool,
) -> str | None:
    """The number, the list, or the places that a sentence asks for; None if it asks for something else, or more.

    Without a word that asks, only whether a piece is somewhere is asked, and only if the sentence is a question.
    """
    tokens = _without_included(game, reader, with_heads(reader, tokens))
    if not tokens or any(token.is_idle for token in alongside(tokens)):
        return None
    if (left := _from_a_place(tokens)) is not None:
        text = members_meant(game, reader, left, player, is_asked=True)
        is_none = text is not None and text.startswith(Speaker(game, reader, player).no)
        return text if is_none else None  # whether one that is there may be taken, its rules say
    concepts = frozenset(
        concept for token in tokens if not token.values for concept in token.concepts
    )
    head = next((head for head in HEADS if head in concepts), IS)
    if head == IS and any(HAVE in token.concepts and len(token.text) > 1 for token in tokens[:3]):
        head = "there-is"  # `do I have`; the French `a` is an article elsewhere
    comparing = words_for_kind(MORE) | words_for_kind(FEWER) if head == "who" else frozenset()
    compared = [token for token in tokens if not comparing.isdisjoint(token.text.split())]
    tokens = [token for token in tokens if token not in compared]
    asked = frozenset(
        concept
        for token in tokens
        if not token.values
        for concept in token.concepts - ({CAN} if HAVE in token.concepts else set())
        if not token.is_idle or concept in CONJUNCTIONS
    )
    later = words_for_kind(ANOTHER_MOMENT)
    is_bound = not all(later.isdisjoint((token.text, *token.text.split())) for token in tokens)
    otherwise = ASKS_OTHERWISE if head == IS or compared else ASKS_OTHERWISE - {NOT}
    if is_bound or asked & otherwise or (head == IS and not is_asked):
        return None
    question = AskedSet.of(game, reader, tokens, player)
    if question is None:
        return None
    if compared:
        return _of_all_players(question, compared, player)
    speaker = Speaker(game, reader, player)
    if head in TOTALLED and (text := _total(speaker, question)):
        return text
    if head == IS and (text := _whether_empty(speaker, question)):
        return text
    answers: dict[str, tuple[Part, ...]] = {}
    seen = set[str | None]()
    for parts in sorted(dict.fromkeys(question.readings()), key=len):
        if len({part.language for part in parts} - {""}) > 1:
            continue
        expression = question.expression(parts)
        if expression is not None and expression in seen:
            continue
        seen.add(expression)
        text = _answer(speaker, question, head, parts, ())
        if text is not None:
            answers.setdefault(text, parts)
    least = min(map(len, answers.values()), default=0)
    best = [parts for parts in answers.values() if len(parts) == least]
    if len(best) != 1:
        return None
    sections = tuple(dict.fromkeys(section for part in best[0] for section in part.sections))
    return _answer(speaker, question, head, best[0], sections or question.sections)


def _without_included(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> Sequence[Token]:
    """`how many pieces` for `how many pieces, foxes counted`; nothing where it is not clear what that is added to."""
    if not tokens or words_for_kind(INCLUDED).isdisjoint(tokens[-1].text.split()):
        return tuple(tokens)
    pieces = game.ruleset.schema.location_maps[:1]
    kinds = [word for variable in pieces for word in words_for(game, reader, str(variable.keys[0]))]
    left = tokens[:-2]
    return left if any(is_one_of(token, kinds) for token in left if not token.values) else ()


def _from_a_place(tokens: Sequence[Token]) -> Sequence[Token] | None:
    """`is there a fox in the wood` for `can I take a fox from the wood`; None for another sentence."""
    can = next((at for at, token in enumerate(tokens) if CAN in token.concepts), None)
    sources = [at for at, token in enumerate(tokens) if SOURCES & {*token.text.split()}]
    if can is None or not sources or {"not", "why"} & {*tokens[can].concepts}:
        return None
    if any(token.concepts & {"how-many", "which", "who"} for token in tokens if not token.values):
        return None
    verb = next((at for at in range(can + 1, sources[-1]) if _is_verb(tokens[at])), None)
    if verb is None or any(token.values for token in tokens[: verb + 1]):
        return None
    speaking = [token for token in tokens[: verb + 1] if is_speaker(token)]
    owner = [Token("my", concepts=frozenset({"i"}))] if speaking else []
    there = Token("is there", concepts=frozenset({"there-is"}))
    rest = [token for at, token in enumerate(tokens) if at > verb and at not in sources]
    return [there, *owner, *rest]


def _is_verb(token: Token) -> bool:
    return not (token.is_idle or token.values or is_speaker(token))


def _of_all_players(
    question: AskedSet, compared: Sequence[Token], player: str | None
) -> str | None:
    """How many each player has of the pieces that a sentence asks for, and who has the most, or the fewest."""
    side = question.side
    if question.owner or not question.is_of_pieces or side is None:
        return None
    readings = sorted(dict.fromkeys(question.readings()), key=len)
    if not readings or any(part.language for part in readings[0]):
        return None
    assert isinstance(side.type, types.WordType)
    playing = taking_part(question.game)
    speaker = Speaker(question.game, question.reader, player)
    numbers: dict[str, str] = {}
    for code, (_, name) in enumerate(side.type.values):
        if name in playing:
            members = evolve(question, owner=name).expression(readings[0], is_everywhere=False)
            number = speaker.statement(Intent("", query=f"count({members})"))
            if number is None:
                return None
            numbers[question.game.ruleset.labels.format_value(code, side.type)] = number
    return told_numbers(numbers, compared, question.sections)


def _answer(
    speaker: Speaker,
    question: AskedSet,
    head: str,
    parts: Sequence[Part],
    sections: tuple[str, ...],
) -> str | None:
    """The answer in words; None if the ruleset lacks a name, or the answer needs what is not said."""
    is_told = bool(question.owner) and head in ("where", "which")
    members = question.expression(parts, is_everywhere=not is_told)
    named = [part.condition for part in parts if part.condition.startswith(NAMED_PIECES)]
    is_several = all("," in condition for condition in named)
    is_counted = head == "how-many" and (is_several or len(parts) > 1)
    if members is None or (named and not is_counted and head not in ("where", "there-is", IS)):
        return None
    if head == "where" and len(parts) == 1 and named and "," not in named[0] and question.sections:
        return None  # the ruleset declares this question
    intent = Intent("members", query=members, sections=sections)
    if head == IS:
        return _whether(speaker, question, parts, intent)
    listed = speaker.statement(intent)
    if listed is None:
        return None
    if question.is_of_pieces and question.side is not None and not question.says_where(parts):
        place = question.place
        where = f"{question.location.name}[x] is {place.name}" if place is not None else "true"
        here = question.expression(parts, where)
        there = question.expression(parts, f"not ({where})")
        numbers = [speaker.statement(Intent("", query=f"count({some})")) for some in (here, there)]
        if "0" not in numbers:  # who asks how many there are, asks first of those on the board
            members, intent = here or members, evolve(intent, query=here or members)
            listed = speaker.statement(intent) or listed
            if head not in COUNTS and there is not None and numbers[1] in SMALL_NUMBERS:
                away = _where(speaker, question, evolve(intent, query=there, sections=()))
                listed = f"{away}; {listed}" if away else listed
        elif numbers[0] == "0" and numbers[1] != "0":
            listed = _where(speaker, question, intent) or listed
    if head in COUNTS:
        query = f"count({members})" if head == "how-many" else f"some {members}"
        first = speaker.statement(evolve(intent, query=query))
        is_long = listed.count(",") > MAX_LISTED
        if first is None or is_long or speaker.is_unknown(listed):
            return first
        return f"{speaker.statement(evolve(intent, query=query, sections=()))}: {listed}"
    if head == "where" and question.is_of_pieces:
        return _where(speaker, question, intent) or listed
    return listed


def _where(speaker: Speaker, question: AskedSet, intent: Intent) -> str | None:
    """Where each member of the set of an intent is."""
    where = f"{{m}}: <{question.location.name}[{{m}}]>"
    of_members = evolve(intent, query="", each=("m", intent.query), text={"en": where})
    text = speaker.statement(of_members)
    return (
        None if text is None or text.startswith("(") else text
    )  # of none there is nothing to tell


def _whether(
    speaker: Speaker, question: AskedSet, parts: Sequence[Part], intent: Intent
) -> str | None:
    """Whether the only piece that is named is where it is asked for, and where it is."""
    pieces = [part.condition for part in parts if part.condition.startswith(NAMED_PIECES)]
    if len(pieces) != 1 or "," in pieces[0] or not question.is_of_pieces:
        return None
    conditions = sum(bool(part.condition) for part in parts)
    if conditions + (conditions == 1 and question.is_on_board is not None) != 2:
        return None
    piece = pieces[0].removeprefix(NAMED_PIECES).removesuffix("}")
    where = (
        f"<{{x in {question.member.name} where {pieces[0]}}}>: <{question.location.name}[{piece}]>"
    )
    return speaker.statement(evolve(intent, query=f"some {intent.query}", text={"en": where}))


def _total(speaker: Speaker, question: AskedSet) -> str | None:
    """The sum of a number that some pieces on the board have, such as their strength, and that of each."""
    sums = words_for_kind(SUMS)
    tokens = question.tokens
    added = {at for at, token in enumerate(tokens) if not sums.isdisjoint(token.text.split())}
    if not question.is_of_pieces or not added:
        return None
    for variable in question.numbers():
        labels = labels_by_language(speaker.game, speaker.reader, variable.name, ("variable",))
        for places in dict.fromkeys(question.label(label) for _, label in labels):
            left = [token for at, token in enumerate(tokens) if at not in places | added]
            of_pieces = AskedSet.of(speaker.game, speaker.reader, left, speaker.player)
            if not places or of_pieces is None or not of_pieces.is_of_pieces:
                continue
            sets = {
                of_pieces.expression(parts, is_everywhere=False) for parts in of_pieces.readings()
            }
            if len(sets) != 1 or not any(map(of_pieces.tells_of, left)):
                continue
            members = sets.pop()
            query = f"sum x in {members}: {variable.name}[x]"
            each = f"{{m}}: <{variable.name}[{{m}}]>"
            intent = Intent("", query=query, each=("m", members or ""), text={"en": each})
            declared = speaker.game.ruleset.compiled.typed.variables[variable.name]
            return speaker.statement(evolve(intent, sections=declared.origin.sections))
    return None


def _whether_empty(speaker: Speaker, question: AskedSet) -> str | None:
    """Whether no piece is in the only place that is named, and which are there; None if more is said than that."""
    telling = [
        token
        for token in question.tokens
        if token.values or not (says_nothing(token) or "now" in token.concepts)
    ]
    place = question.place
    kinds = words_for(question.game, question.reader, place.name) if place is not None else ()
    named = [token for token in telling if token.values]
    others = [token for token in telling if not (token.values or is_one_of(token, kinds))]
    nobodys = words_for_kind(NOBODYS)
    is_empty = [EMPTY in token.concepts or token.text in nobodys for token in others]
    codes = named[0].codes(place.name) if place is not None and len(named) == 1 else ()
    if place is None or len(codes) != 1 or not is_empty or not all(is_empty):
        return None
    here = ".".join(place.values[codes[0]])
    standing = f"{{x in {question.piece.name} where {question.location.name}[x] = {here}}}"
    label = question.game.ruleset.labels.format_value(codes[0], place)
    intent = Intent("", query=f"no {standing}", text={"en": f"{label}: <{standing}>"})
    return speaker.statement(evolve(intent, sections=question.sections))


def standing_there(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> tuple[Token, ...]:
    """A sentence with the piece itself for `the piece in Shore`, if one of that kind stands there of who asks."""
    places, joined = place_types(game), words_for_kind(ARTICLES) | words_for_kind(INSIDE)
    replaced: list[Token] = []
    for token in tokens:
        is_behind = len(replaced) > 1 and replaced[-1].text in joined
        if is_behind and any(name in places for name, _ in token.values):
            inside = Token(min(words_for_kind(INSIDE)))
            piece = _only_one(game, reader, (replaced[-2], inside, token), player)
            if piece is not None:
                replaced[-2:] = [piece]
                continue
        replaced.append(token)
    return tuple(replaced)


def _only_one(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Token | None:
    """The only piece of a kind in a place, of the player who asks, by its name; None if there is not one alone."""
    question, speaker = AskedSet.of(game, reader, tokens, None), Speaker(game, reader, player)
    if question is None or len(tokens[0].codes(question.piece.name)) == 1:
        return None
    owned = evolve(question, owner=player or "")
    for parts in sorted(question.readings(), key=len):
        expression = owned.expression(parts)
        codes = speaker.members(expression) if expression is not None else None
        if codes is not None and len(codes) == 1:
            type_ = question.piece
            return Token(type_.values[codes[0]][1].lower(), values=((type_.name, (*codes,)),))
    return None
