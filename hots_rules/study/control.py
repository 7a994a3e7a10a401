"""Who holds each place of the board at the end of games, for any ruleset with a map.

A player holds a place if only their pieces stand there; with pieces of several players nobody does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from attrs import define, field, frozen

from hots_rules.compile.codes import Slots
from hots_rules.compile.facts import Variable
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema

NOBODY: Final = -1
Owners = tuple[int, ...]
"""The number of the player for each code of a type, `NOBODY` for other values."""


@frozen
class HolderReader:
    """Reads from packed states who holds each place.

    >>> import hots_rules as hr
    >>> from hots_rules.study.control import HolderReader
    >>> rules = hr.load("breakthrough-1.0")
    >>> reader = HolderReader.of(rules)
    >>> held = reader.holders(rules.compiled.default_machine.begin("two-ranks"))
    >>> len(reader.places), len(held)
    (64, 64)

    Attributes:
        places: the names of the places on the board, as the ruleset has them, by their codes.
        holders: the player who holds each place, by its code; places that nobody holds are left out or have `NOBODY`.
    """

    places: Mapping[int, str]
    holders: Callable[[Slots], dict[int, int]]

    @classmethod
    def of(cls, ruleset: AnyRuleset) -> HolderReader | None:
        """The reader of a ruleset; None for one without a map, or whose pieces have no owners."""
        schema = ruleset.schema
        map_facts, place_type = schema.facts.map, schema.place_type
        if map_facts is None or place_type is None:
            return None
        location = schema.variables[map_facts.variable]
        areas = board_of(ruleset).areas
        names = {code: str(schema.to_python(code, place_type)) for code in map_facts.spots}
        places = {code: name for code, name in names.items() if name in areas}
        if map_facts.is_board:
            owners = _owners(schema, location.type)
            return cls(places, _OnSquares(location, owners, tuple(places)).holders)
        variable = _owner_variable(schema, location)
        if variable is None:
            return None
        return cls(places, _OfPieces(location, variable, _owners(schema, variable.type)).holders)


@frozen
class _OnSquares:
    """Reads the holders where each place of a board has a value, which names the player whose piece is there."""

    content: Variable
    owners: Owners
    places: tuple[int, ...]

    def holders(self, slots: Slots) -> dict[int, int]:
        base, owners, low = self.content.base, self.owners, types.lowest_code(self.content.keys[0])
        return {place: owners[slots[base + place - low]] for place in self.places}


@frozen
class _OfPieces:
    """Reads the holders where each piece has a place and an owner."""

    location: Variable
    owner: Variable
    owners: Owners

    def holders(self, slots: Slots) -> dict[int, int]:
        holder_of: dict[int, int] = {}
        first, count = self.location.base, self.location.count
        owned = slots[self.owner.base : self.owner.base + count]
        for place, owner in zip(slots[first : first + count], owned, strict=True):
            player = self.owners[owner]
            holder_of[place] = player if holder_of.get(place, player) == player else NOBODY
        return holder_of


def _owners(schema: StateSchema, type_: types.Type) -> Owners:
    """The player whom each value of a type names."""
    players = schema.players
    names = (schema.to_python(code, type_) for code in range(types.size(type_)))
    return tuple(players.index(str(name)) if name in players else NOBODY for name in names)


def _owner_variable(schema: StateSchema, location: Variable) -> Variable | None:
    """The variable with the owners of the pieces."""
    return next(
        (
            variable
            for variable in schema.variables.values()
            if variable.keys == location.keys and schema.is_of_players(variable.type)
        ),
        None,
    )


@define
class ControlTally:
    """How many games end with each place held by each player, all together and by the value of a measure.

    Attributes:
        reader: reads who holds what.
        games: the number of games by the value; those of all games under None.
        held: the number of games by the value, the place and the player.
    """

    reader: HolderReader
    games: Counter[int | None] = field(factory=Counter)
    held: dict[int | None, Counter[tuple[int, int]]] = field(factory=dict)

    def add(self, slots: Slots, value: int | None) -> None:
        """Count the final state of a game, and the value of its measure if there is one."""
        pairs = self.reader.holders(slots).items()
        for group in {None, value}:  # once, if there is no value
            self.games[group] += 1
            self.held.setdefault(group, Counter()).update(pairs)

    def groups(self, least: int) -> Iterator[int | None]:
        """None for all games, then each value at which at least that many games end, sorted."""
        yield None
        yield from sorted(
            value for value, games in self.games.items() if value is not None and games >= least
        )

    def share_counts(self, group: int | None, place: int, player: int) -> dict[float, int]:
        """The games in which a player holds a place at the end (1), and the others (0)."""
        held = self.held.get(group, Counter[tuple[int, int]]())[place, player]
        return {1: held, 0: self.games[group] - held}


def tallies_of(rulesets: Iterable[AnyRuleset]) -> list[ControlTally] | None:
    """A tally for each ruleset; None if any of them has no map."""
    readers = [HolderReader.of(ruleset) for ruleset in rulesets]
    tallies = [ControlTally(reader) for reader in readers if reader is not None]
    return tallies if len(tallies) == len(readers) else None


@frozen
class StudyBoard:
    """The board of a side, with the words for what a report tells of it.

    Attributes:
        board: its shapes; none without a map.
        names: the name of each place for readers, by that in the ruleset.
    """

    board: Board
    names: Mapping[str, str]

    @classmethod
    def of(cls, ruleset: AnyRuleset) -> StudyBoard:
        """The board of a ruleset."""
        map_facts, type_ = ruleset.schema.facts.map, ruleset.schema.place_type
        if map_facts is None or type_ is None:
            return cls(board_of(ruleset), {})
        return cls(
            board_of(ruleset),
            {
                str(ruleset.schema.to_python(code, type_)): ruleset.labels.format_value(code, type_)
                for code in map_facts.spots
            },
        )
