"""The schema of a state: its variables, their types, and values as plain data."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import blake2b

from attrs import field, fields, frozen

from hots_rules._translate import LANGUAGES
from hots_rules.compile.codes import bits, codes_of, name_of
from hots_rules.compile.facts import CompiledFacts, Variable
from hots_rules.rules.typed import value_types as types
from hots_rules.state.values import ValueParser, Words

PlainValue = str | int | bool | None | list["PlainValue"]
"""A value as plain data: a name of the ruleset, a number, a bool, None, or a list for a set or a pair."""


@frozen(slots=False, eq=False)
class StateSchema:
    """The schema of a ruleset's states, made from the facts of its compilation."""

    facts: CompiledFacts = field(repr=False)

    def __getstate__(self) -> dict[str, object]:
        return {a.name: getattr(self, a.name) for a in fields(type(self))}

    @cached_property
    def name(self) -> str:
        """The name of the ruleset."""
        return self.facts.name

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The players, as the ruleset names them."""
        return tuple(word for _, word in self.facts.players)

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The state variables by name."""
        return {variable.name: variable for variable in self.facts.variables}

    @cached_property
    def place_type(self) -> types.WordType | None:
        """The type of the places: the keys of the map's variable if it is a board of squares, else its values."""
        drawn = self.facts.map
        if drawn is None:
            return None
        variable = self.variables[drawn.variable]
        type_ = variable.keys[0] if drawn.is_board else variable.type
        assert isinstance(type_, types.WordType)
        return type_

    @cached_property
    def shown(self) -> tuple[Variable, ...]:
        """The variables that are drawn and told: all but internal ones."""
        return tuple(variable for variable in self.facts.variables if not variable.is_internal)

    @property
    def indexes(self) -> dict[str, int]:
        """The first slot of each index, by the name of the variable that it indexes."""
        return self.facts.indexes

    @property
    def initial(self) -> tuple[int, ...]:
        """The slots before a scenario is set up."""
        return self.facts.initial

    @cached_property
    def layout(self) -> str:
        """A digest of what each slot means: states of equal layouts can be compared slot by slot."""
        content = [
            self.name,
            list(self.players),
            [_variable_content(variable) for variable in self.facts.variables],
            self.indexes,
            list(self.initial),
            [(point.phase, point.kind) for point in self.facts.points],
        ]
        return blake2b(repr(content).encode(), digest_size=16).hexdigest()

    def is_of_players(self, type_: types.Type) -> bool:
        """Whether the values of a type are the players."""
        names = {word for _, word in type_.values} if isinstance(type_, types.WordType) else None
        return names == set(self.players)

    def is_location_map(self, variable: Variable) -> bool:
        """Whether a variable maps pieces to places: words to words, no players and no value `none`."""
        return (
            len(variable.keys) == 1
            and isinstance(variable.keys[0], types.WordType)
            and isinstance(variable.type, types.WordType)
            and types.NONE not in variable.type.codes
            and not self.is_of_players(variable.type)
            and not self.is_of_players(variable.keys[0])
        )

    @cached_property
    def location_maps(self) -> tuple[Variable, ...]:
        """The variables that map pieces to places."""
        return tuple(filter(self.is_location_map, self.variables.values()))

    # -------------------------------------------------------------- pieces
    @cached_property
    def location(self) -> Variable | None:
        """The variable with the places of the pieces: that of the map, or the first one."""
        if self.facts.map is not None:
            return self.variables[self.facts.map.variable]
        return next((v for v in self.shown if self.is_location_map(v)), None)

    @cached_property
    def details(self) -> tuple[Variable, ...]:
        """The other variables with the same pieces as keys."""
        location = self.location
        return tuple(
            variable
            for variable in self.shown
            if location and variable.keys == location.keys and variable is not location
        )

    @cached_property
    def owner(self) -> Variable | None:
        """The variable with the owners of the pieces."""
        return next((v for v in self.details if self.is_of_players(v.type)), None)

    # -------------------------------------------------------------- values
    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages in which values are written, English first: the ruleset's, then the library's."""
        return tuple(dict.fromkeys(("en", *self.facts.labels, *LANGUAGES)))

    def to_python(self, code: int, type_: types.Type) -> PlainValue:
        """The value of a code as plain data: a name of the ruleset, a number, a bool, None or a list."""
        match type_:
            case types.WordType():
                value = type_.values[code]
                return None if value == types.NONE else name_of(value, type_)
            case types.BoolType():
                return bool(code)
            case types.SetType():
                return [self.to_python(member, type_.member) for member in bits(code)]
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                return [self.to_python(left, type_.left), self.to_python(right, type_.right)]
        return code

    @cached_property
    def _words(self) -> Words:
        return {}

    def value_parser(self) -> ValueParser:
        """A parser of values, by their names in the ruleset or their labels in any language."""
        return ValueParser(self.facts.labels, self._words)

    # -------------------------------------------------------------- slots
    def cells(self) -> Iterator[tuple[Variable, tuple[int, ...], int]]:
        """Every slot of every variable: the variable, its keys, the slot."""
        for variable in self.variables.values():
            for offset, keys in enumerate(variable.key_codes):
                yield variable, keys, variable.base + offset

    def reader(self, slots: Sequence[int]) -> Callable[[str, tuple[int, ...]], int]:
        """A function that reads cells of a packed state by variable and keys."""

        def load(name: str, keys: tuple[int, ...]) -> int:
            variable = self.variables[name]
            return slots[variable.base + variable.offsets[keys]]

        return load

    def keys_reader(self, slots: Sequence[int]) -> Callable[[str, int], int | None]:
        """A function that gives the keys at which a variable has a value, as a mask; None unless it has one key."""
        masks: dict[str, dict[int, int]] = {}

        def keys_with(name: str, code: int) -> int | None:
            variable = self.variables[name]
            if len(variable.keys) != 1 or types.lowest_code(variable.keys[0]) < 0:
                return None
            if name not in masks:
                masks[name] = _keys_by_value(variable, slots)
            return masks[name].get(code, 0)

        return keys_with

    def slots_of(self, names: Iterable[str]) -> tuple[slice, ...]:
        """The slots of some variables, in the order of their names."""
        variables = [self.variables[name] for name in sorted(names)]
        return tuple(slice(variable.base, variable.base + variable.count) for variable in variables)

    def put(self, slots: list[int], variable: Variable, offset: int, code: int) -> None:
        """Set a cell in place, and bring its index up to date."""
        slot = variable.base + offset
        index = self.indexes.get(variable.name)
        if index is not None:
            bit = 1 << offset
            slots[index + slots[slot]] &= ~bit
            slots[index + code] |= bit
        slots[slot] = code

    def update_indexes(
        self, slots: list[int], before: Sequence[int], variables: Iterable[Variable]
    ) -> None:
        """Bring the indexes of some variables up to date in place; `before` has the slots before the change."""
        for variable in variables:
            index, cells = (
                self.indexes[variable.name],
                slice(variable.base, variable.base + variable.count),
            )
            if slots[cells] == list(before[cells]):
                continue
            for offset, (old, new) in enumerate(zip(before[cells], slots[cells], strict=True)):
                if old != new:
                    slots[index + old] &= ~(1 << offset)
                    slots[index + new] |= 1 << offset

    def reindex(self, slots: list[int], only: Iterable[str] | None = None) -> None:
        """Rebuild the indexes of all variables, or of those in `only`, in place."""
        for name in self.indexes if only is None else self.indexes.keys() & set(only):
            base = self.indexes[name]
            variable = self.variables[name]
            for value in codes_of(variable.type):
                slots[base + value] = 0
            bit = 1
            for value in slots[variable.base : variable.base + variable.count]:
                slots[base + value] |= bit
                bit <<= 1


def _keys_by_value(variable: Variable, slots: Sequence[int]) -> dict[int, int]:
    """For each value of a variable with one key, the keys at which it has this value, as a mask."""
    masks: dict[int, int] = {}
    for offset, (key,) in enumerate(variable.key_codes):
        code = slots[variable.base + offset]
        masks[code] = masks.get(code, 0) | 1 << key
    return masks


# The keys and strings below must not change: states exported as JSON contain the digest of the layout.
def _variable_content(variable: Variable) -> dict[str, object]:
    return {
        "name": variable.name,
        "base": variable.base,
        "keys": [_type_content(key) for key in variable.keys],
        "type": _type_content(variable.type),
        "initial": variable.initial,
    }


def _type_content(type_: types.Type) -> dict[str, object]:
    match type_:
        case types.WordType():
            values = [list(value) for value in type_.values]
            return {"kind": "word", "name": type_.name, "values": values}
        case types.IntType():
            return {"kind": "int", "low": type_.low, "high": type_.high}
        case types.SetType():
            return {"kind": "set", "member": _type_content(type_.member)}
        case types.PairType():
            left, right = _type_content(type_.left), _type_content(type_.right)
            return {"kind": "pair", "left": left, "right": right}
        case types.DiceType():
            return {"kind": "dice", "most": type_.most, "sides": type_.sides}
        case types.BoolType():
            return {"kind": "bool"}
    return {"kind": "any"}
