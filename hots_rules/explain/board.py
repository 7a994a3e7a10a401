"""A state as a board that a person can read, for any ruleset.

What has a place is listed by place; other maps by their first key; single values stand at the top.
What is empty, zero or `none` is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, frozen

from hots_rules.compile.facts import Variable
from hots_rules.observe.formatter import redacted_formatter
from hots_rules.observe.redact import RedactedFormatter, counted
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

Keys = tuple[int, ...]


@frozen
class BoardSection:
    """A part of the board: a title, and rows of a name and what stands there."""

    title: str
    rows: tuple[tuple[str, str], ...]


def render_board(game: BaseGame, player: str | None = None) -> tuple[BoardSection, ...]:
    """The state of a game in sections; for a player, without what is hidden from that player.

    Raises:
        UnknownOption: no such player.
    """
    labels = game.ruleset.labels
    formatter = labels if player is None else redacted_formatter(game, player)
    panels = _Drawing(labels, formatter, game.state.slots).panels()
    return tuple(panel for panel in panels if panel.rows)


@define
class _Drawing:
    labels: Labels
    words: Labels | RedactedFormatter
    slots: tuple[int, ...]

    @property
    def schema(self) -> StateSchema:
        return self.labels.schema

    def panels(self) -> Iterator[BoardSection]:
        """Single values, then things by place, then the other maps."""
        variables = list(self.schema.variables.values())
        yield BoardSection(
            "", tuple(self._single(v) for v in variables if self._is_worth_saying(v))
        )
        drawn: set[str] = set()
        for placed in variables:
            if placed.name not in drawn and self.schema.is_location_map(placed):
                beside = [v for v in variables if v.keys == placed.keys]
                drawn |= {v.name for v in beside}
                yield self._by_place(placed, beside)
        maps = [v for v in variables if v.keys and v.name not in drawn]
        yield BoardSection(
            self.labels.translator.gettext("other"),
            tuple(row for variable in maps for row in self._map(variable)),
        )

    # -------------------------------------------------------------- single values
    def _is_worth_saying(self, variable: Variable) -> bool:
        return not variable.keys and not self._is_blank(variable, ())

    def _single(self, variable: Variable) -> tuple[str, str]:
        return self._called(variable), self._value(variable, ())

    # -------------------------------------------------------------- by place
    def _by_place(self, placed: Variable, beside: list[Variable]) -> BoardSection:
        owner = next((v for v in beside if self.schema.is_of_players(v.type)), None)
        about = [v for v in beside if v not in (placed, owner)]
        rows: dict[int, dict[str, list[str]]] = {}
        for keys in self._in_order(placed):
            code = self._code(placed, keys)
            held_by = self._value(owner, keys) if owner is not None else ""
            rows.setdefault(code, {}).setdefault(held_by, []).append(
                self._thing(placed, keys, about)
            )
        key = placed.keys[0]
        things = self.labels.name("type", _bare(str(key))).lower()
        title = self.labels.translator.gettext(
            "{things} by {place}", things=things, place=self._called(placed)
        )
        return BoardSection(
            title, tuple(self._row(placed, code, rows[code]) for code in sorted(rows))
        )

    def _row(self, placed: Variable, code: int, sides: dict[str, list[str]]) -> tuple[str, str]:
        said = (
            (f"{side}: " if side else "") + ", ".join(counted(things))
            for side, things in sorted(sides.items())
        )
        return self._show(code, placed.type), "; ".join(said)

    def _thing(self, placed: Variable, keys: Keys, about: list[Variable]) -> str:
        """A thing with what is known about it: `Rook (strength 4)`, say."""
        said = [
            f"{self._called(variable)} {self._value(variable, keys)}"
            for variable in about
            if not self._is_blank(variable, keys) and not self._is_hidden(variable, keys)
        ]
        name = self._show(keys[0], placed.keys[0])
        return f"{name} ({', '.join(said)})" if said else name

    # -------------------------------------------------------------- other maps
    def _map(self, variable: Variable) -> Iterator[tuple[str, str]]:
        """One row, or with two keys a row for each of the first."""
        groups: dict[str, list[str]] = {}
        for keys in self._in_order(variable):
            if self._is_hidden(variable, keys) or not self._is_blank(variable, keys):
                words = [self._show(k, kt) for k, kt in zip(keys, variable.keys, strict=True)]
                name = self.labels.cell_label(_bare(variable.name), words[:-1])
                groups.setdefault(name, []).append(self._entry(variable, keys, words[-1]))
        hidden = self.labels.translator.gettext("hidden")
        for name, said in groups.items():
            yield name, hidden if set(said) == {hidden} else ", ".join(counted(said))

    def _entry(self, variable: Variable, keys: Keys, word: str) -> str:
        if self._is_hidden(variable, keys) and len(keys) > 1:
            return self.labels.translator.gettext("hidden")
        value = self._value(variable, keys)
        return word if variable.type == types.BOOL else f"{word} {value}"

    def _in_order(self, variable: Variable) -> Iterable[Keys]:
        """The keys in the order of the ruleset; things seen from behind after the others."""
        if not isinstance(self.words, RedactedFormatter):
            return variable.key_codes
        order = self.words.order
        return sorted(
            variable.key_codes,
            key=lambda keys: [order(k, kt) for k, kt in zip(keys, variable.keys, strict=True)],
        )

    # -------------------------------------------------------------- values
    def _called(self, variable: Variable) -> str:
        return self.labels.name("variable", variable.name)

    def _show(self, code: int, type_: types.Type) -> str:
        return self.words.format_value(code, type_)

    def _code(self, variable: Variable, keys: Keys) -> int:
        return self.slots[variable.base + variable.offsets[keys]]

    def _value(self, variable: Variable, keys: Keys) -> str:
        if self._is_hidden(variable, keys):
            return self.labels.translator.gettext("hidden")
        return self._show(self._code(variable, keys), variable.type)

    def _is_hidden(self, variable: Variable, keys: Keys) -> bool:
        return isinstance(self.words, RedactedFormatter) and self.words.look.hides(
            variable, variable.offsets[keys]
        )

    def _is_blank(self, variable: Variable, keys: Keys) -> bool:
        """Whether a value says nothing: no number, an empty set, `none`, the first word of its type.

        What is hidden counts as said, so that the board is the same whatever is hidden there.
        """
        if self._is_hidden(variable, keys):
            return False
        code = self._code(variable, keys)
        if isinstance(variable.type, types.WordType) and types.NONE in variable.type.codes:
            return code == variable.type.codes[types.NONE]
        return code == 0


def _bare(name: str) -> str:
    return name.replace("?", "")
