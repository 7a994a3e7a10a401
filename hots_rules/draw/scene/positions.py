"""From a game, or what a player sees of it, to the position that a picture shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import combinations, compress
from typing import Any

from attrs import evolve, field, frozen

from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import BadArgument, UnknownName, check_kind
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board, Colour, LinkStyle, Mark, words_in
from hots_rules.draw.scene.battles import battle_of, fight_of
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.ground import Ground, ground_of
from hots_rules.draw.scene.last_moves import last_moves
from hots_rules.draw.scene.pieces_of import PieceReader, Row
from hots_rules.draw.scene.position import (
    Border,
    DrawnPlace,
    Piece,
    PlaceMark,
    Position,
    beginnings,
    without_common_word,
    without_owner,
)
from hots_rules.draw.scene.statuses import status_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.view import View, view_of
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import arguments_named
from hots_rules.rules.typed import value_types as types
from hots_rules.state.data_text import UNKNOWN

Counters = tuple[tuple[str, int], ...]
"""Names of variables with the numbers that a place has of them."""
MAX_WORD = 7  # letters of a word that stands on a piece without being squeezed
MAX_INITIALS = 3
# The colours of lines by name, where the board says nothing of them; any other line is grey.
_COLOURS = {
    "black": "#222222",
    "blue": "#2b5fa8",
    "brown": "#7a5230",
    "green": "#00664f",
    "orange": "#a85b00",
    "purple": "#7b4397",
    "red": "#b8320a",
}
_GREY = "#666666"


def position_of(
    game: BaseGame, player: str | None = None, targets: Iterable[str] = (), view: View | None = None
) -> Position:
    """The position of a game; for a player, as that player may see it; for "", what everybody may see.

    The view of the player is made if it is not given.

    Raises:
        UnknownName: no such player, or no such place to mark.
        RulesetError: the board of the ruleset has faults.
    """
    ground = ground_of(game.ruleset)
    board = ground.board
    if player is not None and player != "":
        viewer_of(game, player)
    if isinstance(targets, str) or not isinstance(targets, Iterable):
        raise BadArgument("targets", f"{targets!s:.80}", "a list of names of places")
    targets = tuple(targets)
    for name in targets:
        if name not in board.areas:
            raise UnknownName("place", name, board.areas)
    values, counts = _seen(game, player, view)
    return _PositionBuilder(game, player, ground, values, counts).position(frozenset(targets))


def _seen(
    game: BaseGame, player: str | None, view: View | None = None
) -> tuple[Mapping[str, Any], Mapping[str, int]]:
    """The state as plain data, with the numbers of the stacks of hidden pieces."""
    if player is None:
        return game.state.as_dict(), {}
    view = view or view_of(game, player or None)
    return view.state, {stack.name: stack.count for stack in view.stacks}


def targets_of(game: BaseGame, name: str, player: str | None = None) -> frozenset[str]:
    """The places of the map where a piece, or a card, may go now: those that the legal actions with it name.

    Args:
        game: the game.
        name: the piece, by its name in the ruleset or its word in any language.
        player: only actions of this player, and only what this player may know; of all if None.

    Raises:
        ArgumentError: no such player, or no argument of an action has such a value.
        RulesetError: the board of the ruleset has faults.

    >>> import hots_rules as hr
    >>> game = hr.load("breakthrough-1.0").start("two-ranks")
    >>> sorted(hr.draw.targets_of(game, "b2"))
    ['Square_a_3', 'Square_b_3', 'Square_c_3']
    """
    check_kind("game", game, BaseGame, "a game")
    areas = board_of(game.ruleset).areas
    (values, _), map_facts = _seen(game, player), game.ruleset.schema.facts.map
    actions = [a for a in game.actions_for(name) if player in {None, a.player}]
    named = {text for action in actions for text in action.args.values() if text in areas}
    if map_facts is None:
        return frozenset()
    places = values[map_facts.variable]
    own = arguments_named(game, name) & places.keys()
    return frozenset(named - (own if map_facts.is_board else {places[piece] for piece in own}))


@frozen(slots=False)
class _PositionBuilder:
    """Makes the position that a picture shows, from values of the state that a player may know."""

    game: BaseGame
    player: str | None
    ground: Ground
    values: Mapping[str, Any] = field(repr=False)
    counts: Mapping[str, int] = field(repr=False)

    @property
    def board(self) -> Board:
        return self.ground.board

    @cached_property
    def facts(self) -> RulesetFacts:
        ruleset = self.game.ruleset
        words = self.ground.words
        return RulesetFacts(ruleset.labels, ruleset.compiled.typed, self.values, words)

    def position(self, targets: frozenset[str]) -> Position:
        labels = self.facts.labels
        places, trays = self._places()
        return Position(
            self.game.ruleset.title,
            self.board,
            labels.language,
            labels.players,
            self.facts.schema.players,
            tuple(places),
            tuple(trays),
            self.ground.kept(("borders",), lambda: tuple(self._borders())),
            status_of(self.game, self.player, self.facts, self.board.status, places),
            battle_of(self.facts, self.board, places),
            last_moves(self.game, self.player, self.facts, self.board),
            targets,
            self.ground,
        )

    # -------------------------------------------------------------- places
    def _places(self) -> tuple[list[DrawnPlace], list[DrawnPlace]]:
        location, map_facts = self.facts.location, self.facts.schema.facts.map
        if location is None:
            return [], []
        if map_facts is not None and map_facts.is_board:
            return list(self._squares()), []
        fight = fight_of(self.game, self.player, self.facts, self.board.battle)
        roles = self.board.pieces
        reader = PieceReader(self.facts, roles, location, self.ground, self.counts, fight)
        rows, counters = reader.by_place(), self._counters()
        places, trays = list[DrawnPlace](), list[DrawnPlace]()
        for empty in self.ground.kept(("places",), lambda: tuple(self._empty_places(location))):
            here = rows.get(empty.key, ())
            is_on_map = empty.key in self.board.areas
            if is_on_map or here:
                counted = counters.get(empty.key, ()) if is_on_map else ()
                # The same one whenever it holds the same.
                make = partial(self._filled, empty, reader, here, counted)
                filled = self.ground.kept(("place", empty.key, counted, *here), make)
                (places if is_on_map else trays).append(filled)
        return places, trays

    @staticmethod
    def _filled(
        empty: DrawnPlace, reader: PieceReader, rows: Sequence[Row], counters: Counters
    ) -> DrawnPlace:
        """A place with what it holds."""
        return evolve(empty, pieces=reader.pieces(rows), counters=counters)

    def _empty_places(self, location: Variable) -> Iterator[DrawnPlace]:
        """All places with their names, and with their marks if they are on the map."""
        assert isinstance(location.type, types.WordType)
        names = self.facts.labels.words(location.type)
        codes = self.facts.words_of(location.type)
        on_map = (code for key, code in codes.items() if key in self.board.areas)
        shorts = self._short_names(location.type, on_map)
        for key, code in codes.items():
            is_on_map = key in self.board.areas
            marks = self._marks(location.type.values[code], names[code]) if is_on_map else ()
            yield DrawnPlace(
                key,
                names[code],
                (),
                tuple(marks),
                short=shorts.get(code, ""),
                terrain=self._terrains.get(code, ""),
            )

    @cached_property
    def _terrains(self) -> Mapping[int, str]:
        """The terrain of the places in words, by code."""
        map_facts = self.facts.schema.facts.map
        if map_facts is None or map_facts.terrain_type is None:
            return {}
        words = self.facts.labels.words(map_facts.terrain_type)
        return {code: words[terrain] for code, terrain in map_facts.terrain.items()}

    def _counters(self) -> dict[str, Counters]:
        """The counters of places, with the numbers that are known and above 0."""
        counters: dict[str, Counters] = {}
        for name in self.board.status.counters:
            by_place = self.values.get(name)
            if isinstance(by_place, dict):
                label = self.facts.labels.name("variable", name)
                for place, number in by_place.items():
                    if isinstance(number, int) and number > 0:
                        counters[place] = (*counters.get(place, ()), (label, number))
        return counters

    def _squares(self) -> Iterator[DrawnPlace]:
        """The places of a board of squares, with what is in each."""
        content = self.facts.location
        assert content is not None
        place_type = content.keys[0]
        assert isinstance(place_type, types.WordType)
        for key, code in self.facts.words_of(place_type).items():
            value = self.values[content.name][key]
            held = None if value is None else str(value)
            yield self.ground.kept(("square", key, held), partial(self._square, key, code, held))

    def _square(self, key: str, code: int, held: str | None) -> DrawnPlace:
        assert self.facts.location is not None
        place_type = self.facts.location.keys[0]
        assert isinstance(place_type, types.WordType)
        name = self.facts.labels.format_value(code, place_type)
        pieces = () if held is None else (self._stone(key, held),)
        shorts = self._short_names(place_type, range(len(place_type.values)))
        terrain = self._terrains.get(code, "")
        return DrawnPlace(key, name, pieces, short=shorts.get(code, ""), terrain=terrain)

    def _short_names(self, type_: types.WordType, codes: Iterable[int]) -> Mapping[int, str]:
        """Short words for those of some values that are shorter without the word with which all of them begin."""
        words, codes = self.facts.labels.words(type_), tuple(codes)

        def make() -> Mapping[int, str]:
            shorts = without_common_word([words[code] for code in codes])
            pairs = zip(codes, shorts, strict=True)
            return {code: short for code, short in pairs if short != words[code]}

        return self.ground.kept(("short names", words, codes), make)

    def _stone(self, place: str, value: str) -> Piece:
        """The piece in a place of a board of squares, by the value of that place."""
        assert self.facts.location is not None
        players = self.facts.schema.players
        owner = players.index(value) if value in players else None
        is_hidden = value == UNKNOWN
        word = "" if is_hidden else self.facts.text(value, self.facts.location.type)
        short = "" if owner is not None else word
        if owner is None and not is_hidden:
            short, owner = self._short_and_owner(value)
        facts = word or self.facts.labels.translator.gettext("hidden")
        initials = self._initials.get(short, "")
        return Piece(
            f"{value}.{place}", word, short, owner, None, None, "", "", "", facts, initials
        )

    @cached_property
    def _initials(self) -> Mapping[str, str]:
        """The first letters of what is written on each kind of pieces, if one of these words has no room there."""
        assert self.facts.location is not None
        type_ = self.facts.location.type
        assert isinstance(type_, types.WordType)

        def make() -> Mapping[str, str]:
            shorts = {
                self._short_and_owner(value)[0]
                for value, code in self.facts.words_of(type_).items()
                if type_.values[code] != types.NONE
            }
            if max((len(short) for short in shorts if " " not in short), default=0) <= MAX_WORD:
                return {}
            firsts = beginnings({short: short for short in shorts}, 1)
            return {short: first[:MAX_INITIALS].capitalize() for short, first in firsts.items()}

        return self.ground.kept(("initials", self.facts.labels.language), make)

    def _short_and_owner(self, value: str) -> tuple[str, int | None]:
        """What is written on a piece of a board, and its owner, if its row or a part of it names one.

        The colour tells the owner, so his name is left out.
        """
        assert self.facts.location is not None
        type_ = self.facts.location.type
        assert isinstance(type_, types.WordType)
        code = self.facts.words_of(type_).get(value)
        if code is None:
            return value, None
        owner = self.facts.owner_in(type_.values[code])
        pieces = (number for number, piece in enumerate(type_.values) if piece != types.NONE)
        short = self._short_names(type_, pieces).get(code, self.facts.labels.words(type_)[code])
        name = "" if owner is None else self.facts.labels.players[owner]
        return without_owner(short, name), owner

    # -------------------------------------------------------------- marks
    def _marks(self, place: types.Value, name: str) -> Iterator[PlaceMark]:
        """The icons of a place with a name."""
        for mark in self.board.marks:
            text = words_in(mark.text, self.facts.labels.language)
            code_and_type = self.facts.cell(mark.column, place)
            if code_and_type is None:
                if names := self._pieces_marking(mark, place):
                    beside = ", ".join(word for word in names if word != name)
                    yield PlaceMark(mark, beside, True, False, f"{text}: {', '.join(names)}")
                continue
            code, type_ = code_and_type
            if isinstance(type_, types.BoolType):
                if code:
                    yield PlaceMark(mark, "", False, False, text)
            elif code or mark.empty_symbol:
                yield PlaceMark(mark, str(code), False, not code, f"{text} {code}")

    def _pieces_marking(self, mark: Mark, place: types.Value) -> list[str]:
        """The pieces of which the column of a mark names a place."""
        location = self.facts.location
        type_ = location.keys[0] if location is not None else None
        if not isinstance(type_, types.WordType):
            return []
        names = []
        for value, name in zip(type_.values, self.facts.labels.words(type_), strict=True):
            code_and_type = self.facts.cell(mark.column, value)
            named = None if code_and_type is None else self.facts.schema.to_python(*code_and_type)
            if isinstance(named, list) and place[1] in named:
                names.append(name)
        return names

    # -------------------------------------------------------------- borders
    def _borders(self) -> Iterator[Border]:
        map_facts, place_type = self.facts.schema.facts.map, self.facts.schema.place_type
        if map_facts is None or place_type is None:
            return
        keys = list(self.facts.words_of(place_type))
        names = self.facts.labels.words(place_type)
        doubled = self._doubled()
        seen: set[frozenset[str]] = set()
        for link in map_facts.links:
            for start, end in combinations(link.ends, 2):
                pair = frozenset((keys[start], keys[end]))
                if pair in seen:
                    continue
                seen.add(pair)
                plain = LinkStyle(Colour(_COLOURS.get(link.colour, _GREY)))
                style = self.board.links.get(link.colour, plain)
                text = words_in(style.text, self.facts.labels.language) or link.colour
                name = f"{names[start]} – {names[end]}"
                facts = f"{name}: {text}" if text else name
                yield Border((keys[start], keys[end]), name, style, pair in doubled, facts)

    def _doubled(self) -> frozenset[frozenset[str]]:
        """The pairs of places whose row says yes in the column for double lines."""
        role = self.board.double_links
        if role is None:
            return frozenset()
        tables = self.facts.typed.tables.values()
        pairs = set()
        for columns in (table.columns for table in tables if role.column in table.columns):
            ends = next(c for c in columns.values() if isinstance(c.type, types.SetType))
            flagged = compress(ends.values, columns[role.column].values)
            for places in (self.facts.schema.to_python(code, ends.type) for code in flagged):
                pairs.add(frozenset(map(str, places)) if isinstance(places, list) else frozenset())
        return frozenset(pairs)
