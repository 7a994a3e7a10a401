"""What an action changes of what the picture of a position shows, in the words in which a player says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from attrs import field, frozen

from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import check_kind
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board, StatusRoles, words_in
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.observe.preview import Effect, Preview
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed.tast import Choose, Load
from hots_rules.rules.typed.visitor import walk_statements
from hots_rules.state.data_text import UNKNOWN


def effects_on_board(game: BaseGame, preview: Preview) -> list[str]:
    """The effects of a preview that its player can look up in the picture, in the words and the language of a game.

    All that happens to a piece stands in one line, and pieces to which the same happens are told together. Not told
    are variables that the board does not show (a board without a panel shows all but the clock), lists, pieces that
    the player cannot tell apart (`#3`), and whose turn it is.

    >>> import hots_rules as hr
    >>> game = hr.load("connect-four-1.0").start("empty-board", seed=1)
    >>> preview = game.preview(game.actions[0], game.to_move[0])
    >>> hr.draw.effects_on_board(game, preview)
    ['a1: Red']

    Raises:
        RulesetError: the board of the ruleset has faults.
    """
    check_kind("game", game, BaseGame, "a game")
    ruleset = game.ruleset
    # Without values: only words are asked for.
    facts = RulesetFacts(ruleset.labels, ruleset.compiled.typed, {})
    return _PreviewWriter(preview, facts, board_of(ruleset)).lines()


@frozen
class _PieceChange:
    """What happens to a piece; `goes_to` is the place, if all that happens is that it goes there."""

    text: str
    is_hidden: bool = False
    goes_to: str = ""


@frozen(slots=False)
class _PreviewWriter:
    """Writes the effects of a preview as lines."""

    preview: Preview = field(repr=False)
    facts: RulesetFacts
    board: Board = field(repr=False)

    def lines(self) -> list[str]:
        """The lines: pieces first, then what the panel counts."""
        location = self.facts.location
        pieces: list[Effect] = []
        others: list[Effect] = []
        for effect in self._shown_effects:
            variable = self.facts.schema.variables[effect.path[0]]
            is_of_piece = location is not None and variable.keys == location.keys
            (pieces if is_of_piece else others).append(effect)
        map_facts = self.facts.schema.facts.map
        if map_facts is not None and map_facts.is_board:
            return [*self._on_squares(pieces), *self._counted(others)]
        return [*self._of_pieces(pieces), *self._counted(others)]

    # -------------------------------------------------------------- what is told
    @property
    def _shown_effects(self) -> Iterator[Effect]:
        for effect in self.preview.effects:
            is_list = isinstance(effect.before, list) or isinstance(effect.after, list)
            is_unidentified = any("#" in part for part in effect.path)
            if not is_list and not is_unidentified and self._is_shown(effect):
                yield effect

    def _is_shown(self, effect: Effect) -> bool:
        name, schema = effect.path[0], self.facts.schema
        has_panel = self.board.status != StatusRoles()
        if has_panel:
            return name in self._shown_variables
        is_player = len(effect.path) == 1 and schema.is_of_players(schema.variables[name].type)
        if is_player and (effect.after in self.preview.to_move or name in self._choosing):
            return False
        return name not in schema.facts.clock

    @cached_property
    def _choosing(self) -> frozenset[str]:
        """The variables that hold who is to choose."""
        phases = self.facts.typed.phases.values()
        choices = (
            statement.players
            for phase in phases
            for statement in walk_statements(phase.body)
            if isinstance(statement, Choose)
        )
        return frozenset(node.variable for node in choices if isinstance(node, Load))

    @cached_property
    def _shown_variables(self) -> frozenset[str]:
        """The names of the variables that the picture shows."""
        board, status = self.board, self.board.status
        places_and_owners = (self.facts.location, self.facts.owner)
        of_pieces = [variable.name for variable in places_and_owners if variable is not None]
        of_battle = [board.battle.round] if board.battle is not None else []
        of_panel = [status.big, status.steps, status.hand, status.played, *status.counters]
        return frozenset([*of_pieces, board.pieces.strength, *of_battle, *of_panel])

    # -------------------------------------------------------------- pieces
    def _of_pieces(self, effects: Sequence[Effect]) -> Iterator[str]:
        """A line for all pieces to which the same happens; those that are hidden from now on come last."""
        names = self._names_by_change(effects)
        together: dict[str, list[_PieceChange]] = {}
        for change in sorted(names, key=lambda change: change.is_hidden):
            together.setdefault(change.goes_to or change.text, []).append(change)
        for changes in together.values():
            listed = ", ".join(name for change in changes for name in names[change])
            if len(changes) > 1:  # from several places to the same one
                yield f"{listed} → {changes[0].goes_to}"
            elif changes[0].text:
                yield self._line(listed, changes[0].text)

    def _names_by_change(self, effects: Sequence[Effect]) -> dict[_PieceChange, list[str]]:
        """The names of the pieces to which each change happens."""
        by_piece: dict[tuple[str, ...], dict[str, Effect]] = {}
        for effect in effects:
            by_piece.setdefault(effect.path[1:], {})[effect.path[0]] = effect
        names: dict[_PieceChange, list[str]] = {}
        for changed in by_piece.values():
            name = ", ".join(self._keys(next(iter(changed.values()))))
            names.setdefault(self._change(changed), []).append(name)
        return names

    def _change(self, changed: Mapping[str, Effect]) -> _PieceChange:
        """What happens to a piece that an effect names."""
        location = self.facts.location
        assert location is not None
        place = changed.get(location.name)
        if place is not None and place.after == UNKNOWN:
            return _PieceChange(self._arrow(place), is_hidden=True)
        parts = [] if place is None else [self._arrow(place)]
        for name, effect in changed.items():
            if name == location.name:
                continue
            if self.facts.owner is not None and name == self.facts.owner.name:
                parts.insert(0, self._arrow(effect))
            # Of a piece that leaves with nothing, that it leaves says enough.
            elif place is None or effect.after:
                parts.append(f"{self.facts.labels.name('variable', name)} {self._arrow(effect)}")
        if place is None or len(parts) > 1 or place.before == UNKNOWN:
            return _PieceChange(", ".join(parts))
        return _PieceChange(parts[0], goes_to=self._value(place, place.after))

    def _on_squares(self, effects: Sequence[Effect]) -> Iterator[str]:
        """What moves from square to square, then what else stands on squares now."""
        emptied = [effect for effect in effects if effect.after is None]
        filled = [effect for effect in effects if effect.after is not None]
        remaining = {id(effect): effect for effect in effects}
        for start in emptied:
            ends = [effect for effect in filled if effect.after == start.before]
            starts = [effect for effect in emptied if effect.before == start.before]
            if len(ends) == len(starts) == 1:
                (at,), (to,) = self._keys(start), self._keys(ends[0])
                yield self._line(self._value(start, start.before), f"{at} → {to}")
                del remaining[id(start)]
                if ends[0].before is None:  # else what it takes is still to be told
                    del remaining[id(ends[0])]
        squares: dict[str, list[str]] = {}
        for effect in remaining.values():
            is_empty = effect.before is None
            text = self._value(effect, effect.after) if is_empty else self._arrow(effect)
            squares.setdefault(text, []).extend(self._keys(effect))
        for text, names in squares.items():
            yield self._line(", ".join(names), text)

    # -------------------------------------------------------------- what is counted
    def _counted(self, effects: Sequence[Effect]) -> Iterator[str]:
        """What happens to other things; those to which the same happens are told together."""
        status, battle = self.board.status, self.board.battle
        players_and_laid_cards = {
            (effect.path[1], effect.after) for effect in effects if effect.path[0] == status.played
        }
        names: dict[str, list[str]] = {}
        for effect in effects:
            label = self.facts.labels.name("variable", effect.path[0])
            match effect.path:
                case (name,) if battle is not None and name == battle.round:
                    yield from self._battle(effect)
                case (name,) if name == status.steps:
                    language = self.facts.labels.language
                    yield f"{words_in(status.steps_text, language)} {self._arrow(effect)}"
                case (_,):
                    yield self._line(label, self._arrow(effect))
                case (name, *path) if name == status.hand and tuple(path) in players_and_laid_cards:
                    pass  # that the card is laid is said instead
                case (name, *_) if name == status.played:
                    if effect.after is not None:
                        [player_word] = self._keys(effect)
                        laid_card = f"{label} {self._value(effect, effect.after)}"
                        yield self._line(player_word, laid_card)
                case _:
                    keys = ", ".join(self._keys(effect))
                    names.setdefault(f"{label} {self._arrow(effect)}", []).append(keys)
        for text, listed in names.items():
            yield self._line(", ".join(listed), text)

    def _battle(self, round_: Effect) -> Iterator[str]:
        """That a battle begins, and where, or that it is over; its rounds are not told."""
        roles, labels = self.board.battle, self.facts.labels
        assert roles is not None
        battle = words_in(roles.text, labels.language)
        if not round_.after:
            yield self._line(battle, labels.translator.gettext("over"))
        elif not round_.before:
            places = [effect for effect in self.preview.effects if effect.path == (roles.place,)]
            where = self._value(places[0], places[0].after) if places else ""
            yield self._line(battle, where) if where else battle

    # -------------------------------------------------------------- words
    def _line(self, name: str, text: str) -> str:
        return f"{name}{self.facts.labels.translator.gettext(':')} {text}"

    def _arrow(self, effect: Effect) -> str:
        before, after = (self._value(effect, value) for value in (effect.before, effect.after))
        return f"{before} → {after}"

    def _keys(self, effect: Effect) -> list[str]:
        keys = self._variable(effect).keys
        return [
            self.facts.text(key, type_) for key, type_ in zip(effect.path[1:], keys, strict=True)
        ]

    def _value(self, effect: Effect, value: object) -> str:
        """A value in words: those of the library for a hidden value and for none, else those of the ruleset."""
        if value == UNKNOWN:
            return self.facts.labels.translator.gettext("not known to you")
        if value is None:
            return effect.text_of(value)
        return self.facts.text(value, self._variable(effect).type)

    def _variable(self, effect: Effect) -> Variable:
        return self.facts.schema.variables[effect.path[0]]
