"""A state as a board in text, for any ruleset.

Single values come first, then a board of squares as a grid, pieces by place, and other variables with keys by their
first one. Entries that are empty, zero, `none` or at the initial word of their variable are left out.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from attrs import define, frozen

from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import check_kind
from hots_rules.explain.board.grid import grid_rows
from hots_rules.observe.redact import RedactedFormatter, counted
from hots_rules.observe.view import redacted_formatter
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

Keys = tuple[int, ...]


@frozen
class BoardSection:
    """A part of a board.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.render_board(game)[0].rows[0]
    ('year', '1297')

    Attributes:
        title: its title; empty for the single values.
        rows: pairs of a name and what belongs to it, such as a place and the pieces there.
    """

    title: str
    rows: tuple[tuple[str, str], ...]


def render_board(game: BaseGame, player: str | None = None) -> tuple[BoardSection, ...]:
    """The state of a game in sections; for a player, without what is hidden from that player.

    For the player "" it is what a spectator sees.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> sections = hr.explain.render_board(game)
    >>> sections[0].rows[0]
    ('year', '1297')

    Raises:
        UnknownName: no such player.
    """
    return tuple(section for section in _renderer(game, player).sections() if section.rows)


def render_values(game: BaseGame, player: str | None = None) -> tuple[BoardSection, ...]:
    """The single values, and the variables whose keys are neither pieces nor places."""
    renderer = _renderer(game, player)
    sections = (renderer.singles(), renderer.others())
    return tuple(section for section in sections if section.rows)


@define
class _BoardRenderer:
    labels: Labels
    formatter: Labels | RedactedFormatter
    slots: tuple[int, ...]

    @property
    def schema(self) -> StateSchema:
        return self.labels.schema

    def sections(self) -> Iterator[BoardSection]:
        """Single values, the grid of a board of squares, pieces by place, then the other variables with keys."""
        yield self.singles()
        drawn, content = self.schema.facts.map, self._content()
        if drawn is not None and content is not None:
            rows = grid_rows(self.labels, content, drawn.spots, partial(self._shown, content))
            yield BoardSection(self._name(content), tuple(rows))
        for location, related in self._located():
            yield self._by_place(location, related)
        yield self.others()

    def singles(self) -> BoardSection:
        """The values of variables without keys."""
        shown = [v for v in self.schema.shown if not v.keys and not self._is_blank(v, ())]
        return BoardSection("", tuple((self._name(v), self._value(v, ())) for v in shown))

    def others(self) -> BoardSection:
        """The variables with keys that tell nothing of pieces and places."""
        content = self._content()
        rendered = set() if content is None else {content.name}
        rendered |= {variable.name for _, related in self._located() for variable in related}
        keyed = [v for v in self.schema.shown if v.keys and v.name not in rendered]
        title = self.labels.translator.gettext("other")
        return BoardSection(
            title, tuple(row for variable in keyed for row in self._map_rows(variable))
        )

    def _content(self) -> Variable | None:
        """The variable with what is in each place of a board of squares."""
        drawn = self.schema.facts.map
        if drawn is None or not drawn.is_board:
            return None
        return self.schema.variables[drawn.variable]

    def _located(self) -> Iterator[tuple[Variable, list[Variable]]]:
        """The variables with the places of pieces, each with all that have the same pieces."""
        content, variables = self._content(), self.schema.shown
        rendered = set() if content is None else {content.name}
        for location in variables:
            if location.name not in rendered and self.schema.is_location_map(location):
                related = [v for v in variables if v.keys == location.keys]
                rendered |= {v.name for v in related}
                yield location, related

    # -------------------------------------------------------------- by place
    def _by_place(self, location: Variable, related: list[Variable]) -> BoardSection:
        owner = next((v for v in related if self.schema.is_of_players(v.type)), None)
        details = [v for v in related if v not in (location, owner)]
        pieces: dict[int, dict[str, list[str]]] = {}  # by the code of the place, then by owner
        for keys in self._sorted_keys(location):
            by_owner = pieces.setdefault(self._code(location, keys), {})
            owner_name = self._value(owner, keys) if owner is not None else ""
            by_owner.setdefault(owner_name, []).append(self._piece(location, keys, details))
        kind = self.labels.name("type", str(location.keys[0]).rstrip("?")).lower()
        title = self.labels.translator.gettext(
            "{things} by {place}", things=kind, place=self._name(location)
        )
        rows = (self._place_row(location, code, pieces[code]) for code in sorted(pieces))
        return BoardSection(title, tuple(rows))

    def _place_row(
        self, location: Variable, code: int, by_owner: dict[str, list[str]]
    ) -> tuple[str, str]:
        parts = (
            (f"{owner}: " if owner else "") + ", ".join(counted(pieces))
            for owner, pieces in sorted(by_owner.items())
        )
        return self._format(code, location.type), "; ".join(parts)

    def _piece(self, location: Variable, keys: Keys, details: list[Variable]) -> str:
        """A piece with its other values: `Rook (strength 4)`."""
        values = [
            f"{self._name(variable)} {self._value(variable, keys)}"
            for variable in details
            if not self._is_blank(variable, keys) and not self._is_hidden(variable, keys)
        ]
        name = self._format(keys[0], location.keys[0])
        return f"{name} ({', '.join(values)})" if values else name

    # -------------------------------------------------------------- other variables with keys
    def _map_rows(self, variable: Variable) -> Iterator[tuple[str, str]]:
        """One row, or with two keys a row for each of the first."""
        rows: dict[str, list[str]] = {}
        for keys in self._sorted_keys(variable):
            if not self._is_blank(variable, keys):
                names = [self._format(k, kt) for k, kt in zip(keys, variable.keys, strict=True)]
                row = self.labels.cell_label(variable.name, names[:-1])
                rows.setdefault(row, []).append(self._entry(variable, keys, names[-1]))
        hidden = self.labels.translator.gettext("hidden")
        for row, entries in rows.items():
            yield row, hidden if set(entries) == {hidden} else ", ".join(counted(entries))

    def _entry(self, variable: Variable, keys: Keys, name: str) -> str:
        value, is_hidden = self._value(variable, keys), self._is_hidden(variable, keys)
        if is_hidden and len(keys) > 1:
            return value
        return name if variable.type == types.BOOL and not is_hidden else f"{name} {value}"

    def _sorted_keys(self, variable: Variable) -> Iterable[Keys]:
        """The keys in the order of the ruleset; hidden pieces last."""
        if not isinstance(self.formatter, RedactedFormatter):
            return variable.key_codes
        sort_key = self.formatter.sort_key
        return sorted(
            variable.key_codes,
            key=lambda keys: [sort_key(k, kt) for k, kt in zip(keys, variable.keys, strict=True)],
        )

    # -------------------------------------------------------------- values
    def _name(self, variable: Variable) -> str:
        return self.labels.name("variable", variable.name)

    def _format(self, code: int, type_: types.Type) -> str:
        return self.formatter.format_value(code, type_)

    def _code(self, variable: Variable, keys: Keys) -> int:
        return self.slots[variable.base + variable.offsets[keys]]

    def _value(self, variable: Variable, keys: Keys) -> str:
        if self._is_hidden(variable, keys):
            return self.labels.translator.gettext("hidden")
        return self._format(self._code(variable, keys), variable.type)

    def _shown(self, variable: Variable, key: int) -> str:
        """A value as text, empty where there is nothing to show."""
        return "" if self._is_blank(variable, (key,)) else self._value(variable, (key,))

    def _is_hidden(self, variable: Variable, keys: Keys) -> bool:
        return isinstance(self.formatter, RedactedFormatter) and self.formatter.visibility.hides(
            variable, variable.offsets[keys]
        )

    def _is_blank(self, variable: Variable, keys: Keys) -> bool:
        """Whether a value is 0, an empty set, `none`, or the word at which the variable begins.

        A piece on the map is never left out. Neither is a hidden value, so that the board does not depend on it.
        """
        if self._is_hidden(variable, keys):
            return False
        code, type_ = self._code(variable, keys), variable.type
        if not isinstance(type_, types.WordType):
            return code == 0
        if types.NONE in type_.codes:
            return code == type_.codes[types.NONE]
        return code == variable.initial and not self._is_on_map(variable, type_, code)

    def _is_on_map(self, variable: Variable, type_: types.WordType, code: int) -> bool:
        drawn, places = self.schema.facts.map, self.schema.place_type
        if drawn is None or places is None or variable.name != drawn.variable:
            return False
        return places.codes.get(type_.values[code]) in drawn.spots


def _renderer(game: BaseGame, player: str | None) -> _BoardRenderer:
    check_kind("game", game, BaseGame, "a game")
    labels = game.ruleset.labels
    # Without a player nothing is hidden; of the views None is that of a spectator.
    formatter = labels if player is None else redacted_formatter(game, player or None)
    return _BoardRenderer(labels, formatter, game.state.slots)
