"""The set of pieces or places that the words of a sentence describe: whose, where, and of what kind.

It is put together from what the ruleset declares. Every word of the sentence that tells something must be a part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import evolve, frozen

from hots_rules.compile.facts import Variable
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Definition
from hots_rules.rules.typed.visitor import variables_read
from hots_rules.talk.position.counts import (
    NOBODY,
    NOBODYS,
    is_one_of,
    labels_by_language,
    says_nothing,
    words_for,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import (
    WITH_WORDS,
    country_of,
    is_speaker,
    place_types,
    players_named,
)

INSIDE, ARTICLES = "inside", "articles"
"""Kinds of words: before the name of a place, and in a name where they say nothing."""
BESIDES, ALONGSIDE = "besides", "alongside"
"""Kinds of words: before what is left out, and before a place where something is not, but near it."""
EMPTY, ON_BOARD, OFF_BOARD, NOT = "empty", "in-play", "off-board", "not"
NAMED_PIECES = "x in {"
"""How the condition of pieces that are named begins."""
MAX_PARTS = 3


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


@frozen
class AskedSet:
    """A set of members of a type that the words of a sentence describe.

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
    ) -> AskedSet | None:
        """The set that a sentence describes; None if it is not clear of what it is, or whose."""
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
                if places.isdisjoint(dict(token.values)) and not country_of(game, meant):
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
        near = [*alongside(self.tokens)]
        is_said = any(
            token.concepts & {"who", "enemy"} or token in near or _is_kind(token, kinds)
            for token in self.tokens
            if not token.values
        )
        return self.is_of_pieces and self.place is not None and is_said

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

    def tells(self, token: Token) -> bool:
        """Whether a word tells more of the pieces than that they are such, and whose."""
        kinds = words_for(self.game, self.reader, self.piece.name)
        is_owner = bool(players_named(self.game, token)) or is_speaker(token)
        return not (is_owner or says_nothing(token) or _is_kind(token, kinds))

    def tells_of(self, token: Token) -> bool:
        """Whether a word tells whose the pieces are, where, or of what kind."""
        return bool(players_named(self.game, token)) or is_speaker(token) or self.tells(token)

    def readings(self) -> Sequence[tuple[Part, ...]]:
        """The parts that have every word of the sentence that tells something."""
        parts = [*map(self._negated, filter(self._is_of_the_set, self._parts()))]
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
        joining = words_for_kind(INSIDE) | words_for_kind(BESIDES)
        is_inside = not token.values and token.text in joining
        return (
            is_inside
            or OFF_BOARD in token.concepts
            or says_nothing(token)
            or "and" in token.concepts
        )

    def _is_of_the_set(self, part: Part) -> bool:
        """Whether a part tells of the members, not of what they are with: `who is in Shore with the Fox`."""
        before = [*self.tokens[: min(part.places)]]
        while before and before[-1].is_idle and before[-1].text not in WITH_WORDS:
            before.pop()
        is_with = bool(before) and before[-1].text in WITH_WORDS
        return not (is_with and part.tells and self.is_of_pieces and len(part.places) == 1)

    def _negated(self, part: Part) -> Part:
        """A part of which the sentence says that it is not so."""
        first = min(part.places)
        is_nobody = not words_for_kind(NOBODY).isdisjoint(self.tokens[first].text.split())
        is_not = self._is_negated(first) and not is_nobody  # `no hay nadie` says it twice
        return evolve(part, condition=f"not ({part.condition})") if is_not and part.tells else part

    def _is_negated(self, at: int) -> bool:
        """Whether a word such as `not` stands somewhere before another one, or such as `besides` just before it."""
        before = [token for token in self.tokens[:at] if not token.is_idle]
        is_left_out = bool(before) and before[-1].text in words_for_kind(BESIDES)
        return is_left_out or any(NOT in token.concepts and not token.values for token in before)

    @property
    def is_on_board(self) -> bool | None:
        """Whether the pieces are said to be on the board, or off it; None if neither is said."""
        at = next((i for i, token in enumerate(self.tokens) if ON_BOARD in token.concepts), None)
        if at is None:
            is_off = any(OFF_BOARD in token.concepts for token in self.tokens)
            return False if is_off else None
        before = [token for token in self.tokens[:at] if NOT in token.concepts or not token.is_idle]
        return not (before and NOT in before[-1].concepts and not before[-1].values)

    def _parts(self) -> Iterator[Part]:
        kinds = words_for(self.game, self.reader, self.member.name)
        pieces = words_for(self.game, self.reader, self.piece.name)
        for at, token in enumerate(self.tokens):
            if _is_kind(token, kinds) and not says_nothing(token):
                yield Part(frozenset({at}), "", tells=False)
            if self.is_of_pieces and not self._is_shared(token):
                yield from self._named(at, token)
            elif not token.values and not self.is_of_pieces:
                here = f"{{y in {self.piece.name} where {self.location.name}[y] = x}}"
                is_free = EMPTY in token.concepts or token.text in words_for_kind(NOBODYS)
                if is_free or words_for_kind(NOBODY) & {*token.text.split()}:
                    yield Part(frozenset({at}), f"no {here}")
                elif _is_kind(token, pieces) and self._is_negated(at):
                    yield Part(frozenset({at}), f"some {here}")
        yield from self._defined()
        if self.is_of_pieces:
            yield from self._of_tables()
            yield from self._valued()

    def _named(self, at: int, token: Token) -> Iterator[Part]:
        """A place where they are, or the pieces themselves."""
        before = self.tokens[at - 1].text.split()[-1:] if at else []
        is_inside = bool(before) and before[0] in words_for_kind(INSIDE)
        country = country_of(self.game, players_named(self.game, token)) if is_inside else ()
        if country and self.place is not None:
            listed = ", ".join(".".join(self.place.values[code]) for code in country)
            where = f"{self.location.name}[x]"
            inside = f"({where} as {self.place.name}) in {{{listed}}}"
            yield Part(frozenset({at}), f"{where} is {self.place.name} and {inside}")
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
                    if type_.member == self.piece and self.place and self._is_of_board(definition):
                        condition += f" and {self.location.name}[x] is {self.place.name}"
                    if is_around:
                        place, where = self.place, f"{self.location.name}[x]"
                        assert place is not None
                        if not more:
                            continue
                        condition = (
                            f"{where} is {place.name} and ({where} as {place.name}) in {called}"
                        )
                    yield Part(places | more, condition, True, definition.origin.sections, language)

    def _is_of_board(self, definition: Definition) -> bool:
        """Whether a set depends on what only pieces on the board have, such as what is left of their strength."""
        side = self.side
        of_the_board = {self.location.name, *(() if side is None else (side.name,))}
        schema, definitions = self.game.ruleset.schema, self.game.ruleset.compiled.typed.definitions
        read = variables_read([definition.body], definitions.get, lambda _action: ()) - of_the_board
        return any([*schema.variables[name].keys] == [self.piece] for name in read)

    def _valued(self) -> Iterator[Part]:
        """That a number that pieces have, such as their strength, is the one that is said next to its name."""
        for variable in self.numbers():
            for _, label in labels_by_language(
                self.game, self.reader, variable.name, ("variable",)
            ):
                places = self._label(label)
                near = {at + step for at in places for step in (-1, 1, 2)}
                for at, token in enumerate(self.tokens):
                    if at in near and token.text.isdecimal():
                        condition = f"{variable.name}[x] = {int(token.text[:6])}"
                        yield Part(places | {at}, condition)

    def numbers(self) -> Sequence[Variable]:
        """The variables that give each piece a number."""
        variables = self.game.ruleset.schema.variables.values()
        return [
            variable
            for variable in variables
            if [*variable.keys] == [self.piece] and isinstance(variable.type, types.IntType)
        ]

    def label(self, label: Sequence[Token]) -> frozenset[int]:
        """The places of the words of a label in the sentence; none if one is missing."""
        return self._label(label)

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
                if (owner, word) == types.NONE:
                    continue
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
        claimed = self.is_on_board
        is_on_board = True if claimed is None and not is_everywhere else claimed
        if is_on_board is not False and is_everywhere and not any(part.tells for part in parts):
            return None
        if self.owner and self.is_of_pieces and self.side is not None:
            side = self.side.type
            assert isinstance(side, types.WordType)
            owner = next(".".join(player) for player in side.values if player[1] == self.owner)
            conditions.append(f"{self.side.name}[x] = {owner}")
        elif self.owner and not any(f".{self.owner})" in condition for condition in conditions):
            return None
        has_board = self.is_of_pieces and self.side is not None and self.place is not None
        if is_on_board is not None and has_board and self.place is not None:
            there = f"{self.location.name}[x] is {self.place.name}"
            conditions.append(there if is_on_board else f"not ({there})")
        return f"{{x in {self.member.name} where {' and '.join((*conditions, *more))}}}"

    def says_where(self, parts: Sequence[Part]) -> bool:
        """Whether parts say where the members are, or only what is on a board can be."""
        where = f"{self.location.name}["
        return self.is_on_board is not None or any(where in part.condition for part in parts)


def alongside(tokens: Sequence[Token]) -> Iterator[Token]:
    """The words of a sentence for what is near something that is said behind them, not in it."""
    words = words_for_kind(ALONGSIDE)
    for at, (before, token) in enumerate(pairwise((Token(""), *tokens))):
        behind = next((word for word in tokens[at + 1 :] if not word.is_idle), Token(""))
        if {token.text, f"{before.text} {token.text}"} & words and behind.text:
            yield token


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
