"""What an observer sees change in a play, as a value to compare: two plays that look the same have equal changes.

For programs that search: it makes no texts. It shows no more than the views before and after the play, and may show
less: hidden pieces are counted, not tracked, and where anything is secret, the local names of rules are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import compress
from operator import ne

from attrs import frozen

from hots_rules.compile.codes import POINT, bits
from hots_rules.compile.facts import Variable
from hots_rules.observe.observer import HIDDEN_VALUE, Observer, Piece, Visibility
from hots_rules.rules.typed import value_types as types


@frozen
class _Cell:
    """A cell that may be hidden, or may name hidden pieces; `pieces` are those that its keys name."""

    variable: Variable
    offset: int
    pieces: tuple[Piece | None, ...]


@frozen
class Sight:
    """A packed state, with what an observer sees of it."""

    slots: tuple[int, ...]
    visibility: Visibility


@frozen(slots=False, eq=False)
class ObservedChanges:
    """Compares packed states as one observer sees them."""

    observer: Observer

    def sight(self, slots: tuple[int, ...]) -> Sight:
        """A packed state as the observer sees it."""
        return Sight(slots, self.observer.visibility(slots))

    def after(self, before: Sight, slots: tuple[int, ...]) -> tuple[Sight, Hashable]:
        """The later state as seen by the observer, and the visible changes."""
        changed = tuple(compress(range(len(slots)), map(ne, before.slots, slots)))
        if not self.observer.secrets:
            return Sight(slots, before.visibility), tuple((slot, slots[slot]) for slot in changed)
        is_same = self._audience_slots.isdisjoint(changed)
        after = Sight(slots, before.visibility) if is_same else self.sight(slots)
        return after, self._change(before, after, changed)

    @cached_property
    def _audience_slots(self) -> frozenset[int]:
        """The slots that decide what is hidden."""
        variables = map(self.observer.schema.variables.__getitem__, self.observer.depends_on)
        return frozenset(slot for v in variables for slot in range(v.base, v.base + v.count))

    def _change(self, before: Sight, after: Sight, changed: Sequence[int]) -> Hashable:
        guarded, public = self._guarded, self._public
        plain = tuple((slot, after.slots[slot]) for slot in changed if public[slot])
        slots = {slot for slot in changed if slot in guarded}
        if before.visibility is not after.visibility:
            slots |= self._shown_or_hidden(before.visibility, after.visibility)
        if not slots:
            return plain, frozenset(), frozenset()
        was, now = self._looks(before, slots), self._looks(after, slots)
        return plain, frozenset((now - was).items()), frozenset((was - now).items())

    # -------------------------------------------------------------- cells
    @cached_property
    def _guarded(self) -> dict[int, _Cell]:
        """The slots of variables that may be hidden, or name pieces of secret types in their keys or values."""
        observer = self.observer
        return {
            variable.base + offset: _Cell(
                variable, offset, tuple(map(self._piece, keys, variable.keys))
            )
            for variable in observer.schema.variables.values()
            if variable.name in observer.secret_variables
            or any(map(observer.may_be_hidden, (*variable.keys, variable.type)))
            for offset, keys in enumerate(variable.key_codes)
        }

    def _piece(self, code: int, type_: types.Type) -> Piece | None:
        return self.observer.pieces_in(type_)[code] if isinstance(type_, types.WordType) else None

    @cached_property
    def _public(self) -> tuple[bool, ...]:
        """For each slot, whether it holds what everybody sees: the point of play, or a cell that is never hidden."""
        is_public = [False] * len(self.observer.schema.initial)
        is_public[POINT] = True
        for variable in self.observer.schema.variables.values():
            for slot in range(variable.base, variable.base + variable.count):
                is_public[slot] = slot not in self._guarded
        return tuple(is_public)

    # -------------------------------------------------------------- what is hidden
    def _shown_or_hidden(self, before: Visibility, after: Visibility) -> set[int]:
        """The slots that may look different although they did not change, because what is hidden changed."""
        slots: set[int] = set()
        pairs = enumerate(zip(before.pieces, after.pieces, strict=True))
        pieces = {(number, piece) for number, (old, new) in pairs for piece in bits(old ^ new)}
        if pieces:
            slots.update(self._naming, *(self._keyed[piece] for piece in pieces))
        for name, hidden in before.cells.items():
            base = self.observer.schema.variables[name].base
            slots.update(base + offset for offset in bits(hidden ^ after.cells[name]))
        return slots

    @cached_property
    def _keyed(self) -> dict[Piece, list[int]]:
        """The slots of the cells that have a piece as a key."""
        keyed: dict[Piece, list[int]] = {
            (number, piece): []
            for number, secret in enumerate(self.observer.secret_types)
            for piece in range(len(secret.piece_type.values))
        }
        for slot, cell in self._guarded.items():
            for piece in cell.pieces:
                if piece is not None:
                    keyed[piece].append(slot)
        return keyed

    @cached_property
    def _naming(self) -> tuple[int, ...]:
        """The slots of the cells whose values may name pieces."""
        guarded, may_be_hidden = self._guarded, self.observer.may_be_hidden
        return tuple(slot for slot in guarded if may_be_hidden(guarded[slot].variable.type))

    def _looks(self, sight: Sight, slots: Iterable[int]) -> Counter[Hashable]:
        """How many visible cells have each look, see `_look`."""
        seen: list[Hashable] = []
        visibility = sight.visibility
        pieces = visibility.pieces
        for slot in slots:
            cell = self._guarded[slot]
            variable, code = cell.variable, sight.slots[slot]
            if visibility.hides(variable, cell.offset):
                continue
            keys = tuple(
                HIDDEN_VALUE if piece is not None and pieces[piece[0]] >> piece[1] & 1 else key
                for key, piece in zip(variable.key_codes[cell.offset], cell.pieces, strict=True)
            )
            seen.append((variable.base, keys, _look(code, variable.type, visibility)))
        return Counter(seen)


def _look(code: int, type_: types.Type, visibility: Visibility) -> Hashable:
    """A value without the identities of hidden pieces."""
    match type_:
        case types.WordType():
            return code if visibility.hidden_piece(code, type_) is None else HIDDEN_VALUE
        case types.SetType() if visibility.observer.may_be_hidden(type_):
            looks = (_look(member, type_.member, visibility) for member in bits(code))
            return frozenset(Counter(looks).items())
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return _look(left, type_.left, visibility), _look(right, type_.right, visibility)
    return code
