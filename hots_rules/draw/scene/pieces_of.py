"""The pieces of a position, each with what is known of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property, partial

from attrs import field, frozen

from hots_rules.compile.facts import Variable
from hots_rules.draw.board.geometry import PieceRoles
from hots_rules.draw.scene.battles import Fight
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.ground import Ground
from hots_rules.draw.scene.position import Piece, without_owner
from hots_rules.rules.typed import value_types as types

Row = tuple[str, int | None, tuple[str, str], tuple[Hashable, ...]]
"""All that is known of a piece or a stack.

Its name, the number of pieces of a stack, the letter and rating in battle, other values.
"""
_WORD = re.compile(r"[\w-]{2,}")  # not the article of `l'eau`


@frozen(slots=False)
class PieceReader:
    """Reads pieces from a state.

    Attributes:
        facts: the state, and the words of the ruleset.
        roles: what a piece shows.
        location: the variable with the places of the pieces.
        counts: the number of pieces of each stack of hidden ones.
        fight: the battle that is fought; its pieces show with what they fight.
    """

    facts: RulesetFacts
    roles: PieceRoles
    location: Variable
    ground: Ground
    counts: Mapping[str, int] = field(factory=dict)
    fight: Fight | None = None

    def by_place(self) -> dict[str, list[Row]]:
        """What is known of the pieces of each place, from which `pieces` makes them."""
        places: dict[str, list[Row]] = {}
        nowhere = "", ""
        for key, place in self.facts.values[self.location.name].items():
            details = tuple([values.get(key) for values in self._details])
            in_battle = nowhere if self.fight is None else self._in_battle(key, str(place))
            row = key, self.counts.get(key), in_battle, details
            places.setdefault(str(place), []).append(row)
        return places

    def pieces(self, rows: Iterable[Row]) -> tuple[Piece, ...]:
        """The pieces of rows, those of the first player first, hidden ones last."""
        pieces = (piece for row in rows for piece in self._pieces(*row))
        return tuple(sorted(pieces, key=lambda p: (p.owner is None, p.owner or 0, not p.name)))

    def _pieces(
        self, key: str, count: int | None, in_battle: tuple[str, str], details: tuple[Hashable, ...]
    ) -> Iterator[Piece]:
        """The piece of a row, or the pieces of its stack."""
        if count is None:
            make = partial(self._known, key, in_battle)
            yield self.ground.kept(("piece", key, in_battle, details), make)
            return
        owner = self._owner(key, None)
        for number in range(count):
            name = f"{key}.{number + 1}"
            yield self.ground.kept(("back", name, owner), partial(self._hidden, name, owner))

    @cached_property
    def _details(self) -> list[dict[str, Hashable]]:
        """The values of the other variables of pieces, in a form that can be hashed; tables have the rest."""
        return [
            {key: _unchanging(value) for key, value in self.facts.values[variable.name].items()}
            if isinstance(variable.type, types.SetType | types.PairType)
            else self.facts.values[variable.name]
            for variable in self.facts.details
        ]

    def _hidden(self, name: str, owner: int | None) -> Piece:
        word = self.facts.labels.translator.gettext("hidden")
        facts = ", ".join(text for text in (word, self._player(owner)) if text)
        return Piece(name, "", "", owner, None, None, "", "", "", facts)

    def _in_battle(self, key: str, place: str) -> tuple[str, str]:
        """The letter and the rating of a piece in the battle that is fought; empty elsewhere, and where hidden."""
        assert self.fight is not None
        if place != self.fight.place:
            return "", ""
        code = self._codes.get(key)
        if code is None:
            return "", ""
        return self.fight.letter_and_rating(code)

    def _known(self, key: str, in_battle: tuple[str, str]) -> Piece:
        code = self._codes.get(key)
        word = self._type.values[code] if code is not None else None
        name = self._names[code] if code is not None else key
        own_letter, own_rating = (
            "" if value is None else str(value)
            for value in (
                self._read(self.roles.letter, key, word),
                self._read(self.roles.rating, key, word),
            )
        )
        letter, rating = in_battle[0] or own_letter, in_battle[1] or own_rating
        strength = self._number(self._strength, key, word)
        steps = self._number(self.roles.steps, key, word)
        owner = self._owner(key, word)
        emblem = self.roles.emblems.get(str(self._read(self.roles.emblem, key, word)), "")
        facts = self._in_words(name, owner, letter + rating, strength, steps)
        short = self._short_names.get(name, name) if letter + rating else name
        if self.facts.owner is None and owner is not None:  # the colour tells it
            short = without_owner(short, self._player(owner))
        return Piece(key, name, short, owner, strength, steps, letter, rating, emblem, facts)

    def _in_words(
        self,
        name: str,
        owner: int | None,
        letter_and_rating: str,
        strength: int | None,
        steps: int | None,
    ) -> str:
        words = [name, self._player(owner), letter_and_rating]
        if strength:
            of = f" / {steps}" if steps else ""
            words.append(f"{self.facts.labels.name('variable', self._strength)} {strength}{of}")
        return ", ".join(word for word in words if word)

    def _read(self, name: str, key: str, word: types.Value | None) -> object:
        return self.facts.detail(name, key, word) if name else None

    def _number(self, name: str, key: str, word: types.Value | None) -> int | None:
        value = self._read(name, key, word)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def _owner(self, key: str, word: types.Value | None) -> int | None:
        variable = self.facts.owner
        name = self.facts.detail(variable.name, key, word) if variable is not None else None
        players = self.facts.schema.players
        if name in players:
            return players.index(str(name))
        return None if variable is not None or word is None else self.facts.owner_in(word)

    def _player(self, owner: int | None) -> str:
        return "" if owner is None else self.facts.labels.player(owner)

    # -------------------------------------------------------------- names
    @cached_property
    def _strength(self) -> str:
        """The variable with the strength: the one that the board names, or the first with numbers."""
        numbers = (v.name for v in self.facts.details if isinstance(v.type, types.IntType))
        return self.roles.strength or next(numbers, "")

    @cached_property
    def _type(self) -> types.WordType:
        type_ = self.location.keys[0]
        assert isinstance(type_, types.WordType)
        return type_

    @cached_property
    def _codes(self) -> dict[str, int]:
        return self.facts.words_of(self._type)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return self.facts.labels.words(self._type)

    @cached_property
    def _short_names(self) -> dict[str, str]:
        """For each name of several words the one to write on a block.

        It is the word with which the name begins in the ruleset, else the one that the fewest names have.
        """
        counts = Counter(word for name in self._names for word in set(_WORD.findall(name)))
        short = {}
        for name, value in zip(self._names, self._type.values, strict=True):
            first = value[1].partition("_")[0]
            words = _WORD.findall(name) or [name]
            rarest = min(reversed(words), key=lambda word: (counts[word], word.islower()))
            short[name] = first if first in words else rarest
        return short


def _unchanging(plain: object) -> Hashable:
    """A value in plain data, in a form that can be hashed."""
    if isinstance(plain, list):
        return tuple(map(_unchanging, plain))
    assert isinstance(plain, Hashable)
    return plain
