"""Which things there are, how many, and where: what a sentence asks about the position that no pattern reads.

A set is put together from what the ruleset declares: where pieces are, whose they are, the words of their tables, and
the sets that it defines. Every word of the sentence that tells something must be a part of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.compile.facts import Variable
from hots_rules.explain.declared.declarations import taking_part
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Definition
from hots_rules.talk.position.counts import (
    HEADS,
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
    players_named,
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
INSIDE, ARTICLES, ANOTHER_MOMENT = "inside", "articles", "another-moment"
"""Kinds of words: before the name of a place, in a name where they say nothing, and that ask for another moment, or for
an order."""
EMPTY, ON_BOARD, IS, NOT, CAN, HAVE = "empty", "in-play", "is", "not", "can", "have"
NAMED_PIECES = "x in {"
"""How the condition of pieces that are named begins."""
MAX_PARTS = 3
MAX_LISTED = 20


@frozen
class Part:
    """What some words of a sentence say of the members of a set.

    Attributes:
        places: the places of the words.
        condition: the condition on a member `x`; empty if they only say what kind of thing it is.
        tells: whether it says where or of what sort the members are.
        sections: where that is declared.
        language: that of a label; empty if the words are no label.
    """

    places: frozenset[int]
    condition: str
    tells: bool = True
    sections: tuple[str, ...] = ()
    language: str = ""


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
    tokens = with_heads(reader, tokens)
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
    has_number = any(token.text.isdigit() for token in tokens)
    otherwise = ASKS_OTHERWISE if head == IS or compared else ASKS_OTHERWISE - {NOT}
    if is_bound or has_number or asked & otherwise or (head == IS and not is_asked):
        return None
    question = _Question.of(game, reader, tokens, player)
    if question is None:
        return None
    if compared:
        return _of_all_players(question, compared, player)
    speaker = Speaker(game, reader, player)
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


def _from_a_place(tokens: Sequence[Token]) -> Sequence[Token] | None:
    """`is there a fox in the wood` for `can I take a fox from the wood`; None for another sentence."""
    can = next((at for at, token in enumerate(tokens) if CAN in token.concepts), None)
    sources = [at for at, token in enumerate(tokens) if SOURCES & {*token.text.split()}]
    if can is None or not sources or {"not", "why"} & {*tokens[can].concepts}:
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
    question: _Question, compared: Sequence[Token], player: str | None
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


@frozen
class _Question:
    """A sentence that asks for members of a type.

    Attributes:
        tokens: its tokens.
        member: the type of the members: pieces, or the places where they can be.
        location: the variable that says where the pieces are.
        owner: the player whose they are; empty if that is not said.
        owning: the places of the words that say so.
    """

    game: BaseGame
    reader: Reader
    tokens: Sequence[Token]
    member: types.WordType
    location: Variable
    owner: str
    owning: frozenset[int]

    @classmethod
    def of(
        cls, game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
    ) -> _Question | None:
        """The question of a sentence; None if it is not clear what it is about, or whose."""
        located = game.ruleset.schema.location_maps
        places = place_types(game)
        if len(located) != 1 or not isinstance(located[0].keys[0], types.WordType):
            return None
        owners, owning = set[str](), set[int]()
        for at, (before, token) in enumerate(pairwise((Token(""), *tokens))):
            is_inside = before.text.split()[-1:] and before.text.split()[-1] in words_for_kind(
                INSIDE
            )
            meant = players_named(game, token)
            if meant and is_inside:
                if places.isdisjoint(dict(token.values)):
                    return None  # a country of which no place has the name
            elif meant:
                owners |= {game.ruleset.players[number] for number in meant}
                owning.add(at)
            elif token.values:
                continue
            elif "enemy" in token.concepts and not token.is_idle:
                owners |= {name for name in game.ruleset.players if name != player}
                owning.add(at)
            elif is_speaker(token):
                if player is None:
                    return None
                owners.add(player)
                owning.add(at)
        if len(owners) > 1:
            return None
        wide = [type_ for type_ in reader.types.values() if type_.name in places]
        kinds = [type_ for type_ in wide if cls._is_named(game, reader, tokens, type_)]
        member = kinds[0] if kinds else located[0].keys[0]
        return cls(game, reader, tokens, member, located[0], "".join(owners), frozenset(owning))

    @staticmethod
    def _is_named(
        game: BaseGame, reader: Reader, tokens: Sequence[Token], type_: types.WordType
    ) -> bool:
        """Whether a word asks for something of a type: `which areas`."""
        words = words_for(game, reader, type_.name)
        return any(_is_kind(token, words) for token in tokens if not says_nothing(token))

    @property
    def piece(self) -> types.WordType:
        """The type of the pieces."""
        type_ = self.location.keys[0]
        assert isinstance(type_, types.WordType)
        return type_

    @property
    def place(self) -> types.WordType | None:
        """The type of the places on the board."""
        names = sorted(place_types(self.game))
        return self.reader.types.get(names[0]) if len(names) == 1 else None

    @property
    def is_of_pieces(self) -> bool:
        return self.member == self.piece

    @property
    def _asks_for_pieces(self) -> bool:
        """Whether a word asks for pieces: what a place touches are places."""
        kinds = words_for(self.game, self.reader, self.piece.name)
        is_said = any(
            "who" in token.concepts or _is_kind(token, kinds)
            for token in self.tokens
            if not token.values
        )
        return self.is_of_pieces and self.place is not None and (is_said or bool(self.owner))

    @property
    def side(self) -> Variable | None:
        """The only variable that says whose a piece is."""
        schema = self.game.ruleset.schema
        sides = [
            variable
            for variable in schema.variables.values()
            if [*variable.keys] == [self.piece] and schema.is_of_players(variable.type)
        ]
        return sides[0] if len(sides) == 1 else None

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections of the question where a piece is, if the ruleset declares it."""
        declared = self.game.ruleset.compiled.typed.questions.values()
        asked = (
            entry for entry in declared if [param.type for param in entry.params] == [self.piece]
        )
        where = next((entry for entry in asked if entry.body.type == self.location.type), None)
        return where.origin.sections if where is not None else ()

    def readings(self) -> Sequence[tuple[Part, ...]]:
        """The parts that have every word of the sentence that tells something."""
        parts = [*map(self._negated, self._parts())]
        telling = frozenset(
            at
            for at, token in enumerate(self.tokens)
            if at not in self.owning and not self._joins(token)
            if NOT not in token.concepts or token.values
        )
        readings = [*_covering(telling, parts, ())]
        if any(part.tells for reading in readings for part in reading):
            return readings
        # A word that says little otherwise may be the name of a set: `which areas do I hold`.
        defined = frozenset(at for part in parts if part.condition for at in part.places)
        return [*_covering(telling | defined, parts, ())]

    @staticmethod
    def _joins(token: Token) -> bool:
        """Whether a word only joins others."""
        is_inside = not token.values and token.text in words_for_kind(INSIDE)
        return is_inside or says_nothing(token) or "and" in token.concepts

    def _negated(self, part: Part) -> Part:
        """A part of which the sentence says that it is not so."""
        is_not = any(
            NOT in token.concepts and not token.is_idle
            for token in self.tokens[: min(part.places)]
            if not token.values
        )
        return evolve(part, condition=f"not ({part.condition})") if is_not and part.tells else part

    def _parts(self) -> Iterator[Part]:
        kinds = words_for(self.game, self.reader, self.member.name)
        for at, token in enumerate(self.tokens):
            if _is_kind(token, kinds) and not says_nothing(token):
                yield Part(frozenset({at}), "", tells=False)
            if self.is_of_pieces and not self._is_shared(token):
                yield from self._named(at, token)
            elif EMPTY in token.concepts and not token.values:
                here = f"y in {self.piece.name} where {self.location.name}[y] = x"
                yield Part(frozenset({at}), f"no {{{here}}}")
        yield from self._defined()
        if self.is_of_pieces:
            yield from self._of_tables()

    def _named(self, at: int, token: Token) -> Iterator[Part]:
        """A place where they are, or the pieces themselves."""
        before = self.tokens[at - 1].text.split()[-1:] if at else []
        is_inside = bool(before) and before[0] in words_for_kind(INSIDE)
        for name, codes in token.values:
            type_ = self.reader.types[name]
            if name in place_types(self.game) and len(codes) == 1:
                if is_inside or len(token.values) == 1:
                    place = ".".join(type_.values[codes[0]])
                    yield Part(frozenset({at}), f"{self.location.name}[x] = {place}")
            elif type_ == self.piece and not is_inside:
                if len(codes) > 1 and not (self.owning or token.concepts or " " in token.text):
                    continue  # a name that several have
                listed = ", ".join(".".join(type_.values[code]) for code in codes)
                yield Part(frozenset({at}), f"{NAMED_PIECES}{listed}}}")

    def _defined(self) -> Iterator[Part]:
        """A set that the ruleset defines, perhaps of the player or the value that is named."""
        asks_for_pieces = self._asks_for_pieces
        for definition in self.game.ruleset.compiled.typed.definitions.values():
            type_ = definition.body.type
            if not isinstance(type_, types.SetType) or len(definition.params) > 1:
                continue
            is_around = asks_for_pieces and type_.member == self.place
            if type_.member != self.member and not (is_around and definition.params):
                continue
            for language, label in labels_by_language(
                self.game, self.reader, definition.name, ("define",)
            ):
                places = self._label(label)
                if places and (sides := self._any_player(definition)):
                    condition = (
                        f"({' or '.join(f'x in {definition.name}({side})' for side in sides)})"
                    )
                    yield Part(places, condition, True, definition.origin.sections, language)
                for argument, more in self._arguments(definition) if places else ():
                    called = f"{definition.name}({argument})" if argument else definition.name
                    condition = f"x in {called}"
                    if is_around:
                        place, where = self.place, f"{self.location.name}[x]"
                        assert place is not None
                        if not more:
                            continue
                        condition = (
                            f"{where} is {place.name} and ({where} as {place.name}) in {called}"
                        )
                    yield Part(places | more, condition, True, definition.origin.sections, language)

    def _any_player(self, definition: Definition) -> Sequence[str]:
        """The players of whom a set of pieces may be: `in the pool`, where nobody is named; none of other sets."""
        type_ = definition.params[0].type if definition.params else None
        if self.owner or not self.is_of_pieces or not isinstance(type_, types.WordType):
            return ()
        is_of_players = self.game.ruleset.schema.is_of_players(type_)
        return [".".join(side) for side in type_.values] if is_of_players else ()

    def _arguments(self, definition: Definition) -> Iterator[tuple[str, frozenset[int]]]:
        """The values that the parameter of a definition may have, with the places of the words for them."""
        if not definition.params:
            yield "", frozenset()
            return
        type_ = definition.params[0].type
        if not isinstance(type_, types.WordType):
            return
        if self.game.ruleset.schema.is_of_players(type_):
            named = [".".join(player) for player in type_.values if player[1] == self.owner]
            yield from ((player, frozenset[int]()) for player in named)
            return
        if type_.name not in place_types(self.game):
            return
        for at, token in enumerate(self.tokens):
            codes = token.codes(type_.name) if at not in self.owning else ()
            if len(codes) == 1:
                yield ".".join(type_.values[codes[0]]), frozenset({at})

    def _label(self, label: Sequence[Token]) -> frozenset[int]:
        """The places of the words of a label in the sentence; none if one is missing that tells something."""
        kinds = words_for(self.game, self.reader, self.member.name)
        matched = set[int]()
        typed = {word for token in self.tokens for word in token.text.split()}
        small = words_for_kind(INSIDE) | words_for_kind(ARTICLES)
        for word in label:
            if word.is_idle and not (word.values or word.text in small or word.text in typed):
                return frozenset()  # `ways out` are no ways
            if says_nothing(word) or _is_kind(word, kinds):
                continue
            at = next(
                (
                    at
                    for at, token in enumerate(self.tokens)
                    if at not in matched
                    and (not token.values or self._is_shared(token))
                    and is_one_of(token, [word])
                ),
                None,
            )
            if at is None:
                return frozenset()
            matched.add(at)
        return frozenset(matched)

    def _is_shared(self, token: Token) -> bool:
        """Whether a word is a part of the names of several pieces because it tells of what kind they are."""
        table = self.game.ruleset.compiled.typed.tables.get(self.piece.name)
        kinds = (column.type for column in table.columns.values()) if table is not None else ()
        return len(token.codes(self.piece.name)) > 1 and any(
            is_one_of(token, label)
            for type_ in kinds
            if isinstance(type_, types.WordType)
            for owner, word in type_.values
            for label in _value_labels(self.game, self.reader, owner, word)
        )

    def _of_tables(self) -> Iterator[Part]:
        """A word of a table of the pieces, such as their kind."""
        table = self.game.ruleset.compiled.typed.tables.get(self.piece.name)
        for name, column in table.columns.items() if table is not None else ():
            if isinstance(column.type, types.SetType) and column.type.member == self.place:
                yield from self._in_own_places(name)
            if not isinstance(column.type, types.WordType):
                continue
            if self.game.ruleset.schema.is_of_players(column.type):
                continue
            for at, token in enumerate(self.tokens):
                codes = token.codes(column.type.name)
                if len(codes) == 1 and not token.codes(self.piece.name):
                    condition = f"{name}[x] = {'.'.join(column.type.values[codes[0]])}"
                    yield Part(frozenset({at}), condition, tells=False)
            for owner, word in column.type.values:
                for label in _value_labels(self.game, self.reader, owner, word):
                    if places := self._label(label):
                        yield Part(places, f"{name}[x] = {owner}.{word}")

    def _in_own_places(self, name: str) -> Iterator[Part]:
        """That a piece is in one of the places that a column of its table has for it, such as its home."""
        assert self.place is not None
        where = f"{self.location.name}[x]"
        labels = labels_by_language(self.game, self.reader, name, ("column",))
        for places in dict.fromkeys(filter(None, (self._label(label) for _, label in labels))):
            yield Part(
                places,
                f"{where} is {self.place.name} and ({where} as {self.place.name}) in {name}[x]",
            )

    def expression(
        self, parts: Sequence[Part], *more: str, is_everywhere: bool = True
    ) -> str | None:
        """The set of the members for which all parts hold, and more conditions; None if no part says enough.

        Without `is_everywhere` only those on a board.
        """
        conditions = _joined_places(self.location.name, parts)
        if is_everywhere and not any(part.tells for part in parts):
            return None
        if self.owner and self.is_of_pieces and self.side is not None:
            side = self.side.type
            assert isinstance(side, types.WordType)
            owner = next(".".join(player) for player in side.values if player[1] == self.owner)
            conditions.append(f"{self.side.name}[x] = {owner}")
        elif self.owner and not any(f".{self.owner})" in condition for condition in conditions):
            return None
        is_on_board = any(ON_BOARD in token.concepts for token in self.tokens)
        is_on_board |= not is_everywhere
        if is_on_board and self.is_of_pieces and self.side is not None and self.place is not None:
            conditions.append(f"{self.location.name}[x] is {self.place.name}")
        return f"{{x in {self.member.name} where {' and '.join((*conditions, *more))}}}"

    def says_where(self, parts: Sequence[Part]) -> bool:
        """Whether parts say where the members are, or only what is on a board can be."""
        where = f"{self.location.name}["
        is_on_board = any(ON_BOARD in token.concepts for token in self.tokens)
        return is_on_board or any(where in part.condition for part in parts)


def _joined_places(location: str, parts: Sequence[Part]) -> list[str]:
    """The conditions of some parts, of which several places are one: nothing is in Fox Wood and in Shore."""
    conditions = [part.condition for part in parts if part.condition]
    places = [place for place in conditions if place.startswith(f"{location}[x] = ")]
    if len(places) < 2:
        return conditions
    return [
        *(condition for condition in conditions if condition not in places),
        f"({' or '.join(places)})",
    ]


def _answer(
    speaker: Speaker,
    question: _Question,
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


def _where(speaker: Speaker, question: _Question, intent: Intent) -> str | None:
    """Where each member of the set of an intent is."""
    where = f"{{m}}: <{question.location.name}[{{m}}]>"
    of_members = evolve(intent, query="", each=("m", intent.query), text={"en": where})
    text = speaker.statement(of_members)
    return (
        None if text is None or text.startswith("(") else text
    )  # of none there is nothing to tell


def _whether(
    speaker: Speaker, question: _Question, parts: Sequence[Part], intent: Intent
) -> str | None:
    """Whether the only piece that is named is where it is asked for, and where it is."""
    pieces = [part.condition for part in parts if part.condition.startswith(NAMED_PIECES)]
    if len(pieces) != 1 or "," in pieces[0] or not question.is_of_pieces:
        return None
    if sum(bool(part.condition) for part in parts) != 2:
        return None
    piece = pieces[0].removeprefix(NAMED_PIECES).removesuffix("}")
    where = (
        f"<{{x in {question.member.name} where {pieces[0]}}}>: <{question.location.name}[{piece}]>"
    )
    return speaker.statement(evolve(intent, query=f"some {intent.query}", text={"en": where}))


def _whether_empty(speaker: Speaker, question: _Question) -> str | None:
    """Whether no piece is in the only place that is named, and which are there; None if more is said than that."""
    telling = [
        token
        for token in question.tokens
        if token.values or not (says_nothing(token) or "now" in token.concepts)
    ]
    named = [token for token in telling if token.values]
    is_empty = [EMPTY in token.concepts for token in telling if not token.values]
    place = question.place
    codes = named[0].codes(place.name) if place is not None and len(named) == 1 else ()
    if place is None or len(codes) != 1 or not is_empty or not all(is_empty):
        return None
    here = ".".join(place.values[codes[0]])
    standing = f"{{x in {question.piece.name} where {question.location.name}[x] = {here}}}"
    label = question.game.ruleset.labels.format_value(codes[0], place)
    intent = Intent("", query=f"no {standing}", text={"en": f"{label}: <{standing}>"})
    return speaker.statement(evolve(intent, sections=question.sections))


def _covering(
    left: frozenset[int], parts: Sequence[Part], chosen: tuple[Part, ...]
) -> Iterator[tuple[Part, ...]]:
    """The choices of parts that together have all words that are left, each of them once."""
    if not left:
        yield chosen
        return
    first = min(left)
    for part in parts:
        is_more = (
            bool(part.condition) and sum(bool(covered.condition) for covered in chosen) == MAX_PARTS
        )
        if first in part.places and part.places <= left and not is_more:
            yield from _covering(left - part.places, parts, (*chosen, part))


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
    question, speaker = _Question.of(game, reader, tokens, None), Speaker(game, reader, player)
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


def _is_kind(token: Token, words: Sequence[Token]) -> bool:
    return not token.values and is_one_of(token, words)


def _value_labels(
    game: BaseGame, reader: Reader, owner: str, name: str
) -> Sequence[tuple[Token, ...]]:
    """The words for a value in every language."""

    def read() -> tuple[tuple[Token, ...], ...]:
        texts = {name.replace("_", " ")} | {
            game.ruleset.in_language(language).labels.word((owner, name)).strip("‹›")
            for language in game.ruleset.languages
        }
        return tuple(reader.lexicon.read(text, corrects=False) for text in sorted(texts))

    return game.ruleset.compiled.memo(("labels of", owner, name), read)
