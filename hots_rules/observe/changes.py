"""What an observer sees change in a play, as a value to compare: two plays that look the same have equal changes.

It is for programs that search, and makes no texts. It tells no more than two views, the one before the play and the
one after it, and may tell less: hidden pieces are counted, not tracked, and where anything is secret, what a rule
remembers in its local names is left out.
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
from hots_rules.observe.observer import Observer, Visibility
from hots_rules.rules.typed import value_types as types

_HIDDEN = -1 << 40  # in place of a hidden piece; no code of a value is as low
_Cell = tuple[Variable, int]


@frozen
class Sight:
    """A packed state, with what an observer sees of it."""

    slots: tuple[int, ...]
    visibility: Visibility


@frozen(slots=False, eq=False)
class ObservedChanges:
    """Compares packed states as one observer sees them."""

    observer: Observer

    def sight(self, slots: Sequence[int]) -> Sight:
        """A packed state as the observer sees it."""
        return Sight(tuple(slots), self.observer.visibility(slots))

    def between(self, before: Sight, after: Sight) -> Hashable:
        """What the observer sees change from one state to another."""
        old, new = before.slots, after.slots
        changed = tuple(compress(range(len(new)), map(ne, old, new)))
        if not self.observer.secrets:
            return tuple((slot, new[slot]) for slot in changed)
        public, guarded = self._public, self._guarded
        plain = tuple((slot, new[slot]) for slot in changed if public[slot])
        # Where more or less is hidden than before, a cell may look otherwise though it did not change.
        same = before.visibility == after.visibility
        slots = [slot for slot in changed if slot in guarded] if same else guarded
        was, now = self._looks(before, slots), self._looks(after, slots)
        return plain, frozenset((now - was).items()), frozenset((was - now).items())

    # -------------------------------------------------------------- cells
    @cached_property
    def _guarded(self) -> dict[int, _Cell]:
        """The slots of variables that may be hidden, or name hidden pieces in their keys or values."""
        observer = self.observer
        return {
            variable.base + offset: (variable, offset)
            for variable in observer.schema.variables.values()
            if variable.name in observer.secret_variables
            or any(map(observer.may_be_hidden, (*variable.keys, variable.type)))
            for offset in range(variable.count)
        }

    @cached_property
    def _public(self) -> tuple[bool, ...]:
        """For each slot, whether it holds what everybody sees: the point of play, or a cell that is never hidden."""
        is_public = [False] * len(self.observer.schema.initial)
        is_public[POINT] = True
        for variable in self.observer.schema.variables.values():
            for slot in range(variable.base, variable.base + variable.count):
                is_public[slot] = slot not in self._guarded
        return tuple(is_public)

    def _looks(self, sight: Sight, slots: Iterable[int]) -> Counter[Hashable]:
        """How often each visible cell is seen, without the identities of hidden pieces."""
        seen: Counter[Hashable] = Counter()
        visibility = sight.visibility
        for slot in slots:
            variable, offset = self._guarded[slot]
            if not visibility.hides(variable, offset):
                keys = zip(variable.key_codes[offset], variable.keys, strict=True)
                looks = tuple(_look(key, type_, visibility) for key, type_ in keys)
                seen[variable.base, looks, _look(sight.slots[slot], variable.type, visibility)] += 1
        return seen


def _look(code: int, type_: types.Type, visibility: Visibility) -> Hashable:
    """A value without the identities of hidden pieces."""
    match type_:
        case types.WordType():
            return code if visibility.hidden_piece(code, type_) is None else _HIDDEN
        case types.SetType() if visibility.observer.may_be_hidden(type_):
            looks = (_look(member, type_.member, visibility) for member in bits(code))
            return frozenset(Counter(looks).items())
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return _look(left, type_.left, visibility), _look(right, type_.right, visibility)
    return code
