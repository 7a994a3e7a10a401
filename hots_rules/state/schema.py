"""What the slots of a state mean: its variables, their types, and words for values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any

from attrs import field, fields, frozen

from hots_rules._translate import LANGUAGES, translator, untranslated
from hots_rules.compile.codes import bits, codes_of
from hots_rules.compile.facts import CompiledFacts, Variable
from hots_rules.diagnostics import fold_name
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin
from hots_rules.state.values import ValueParser, name_of

_PARAM = re.compile(r"\{\w+\}")


@frozen(slots=False, eq=False)
class StateSchema:
    """The schema of a ruleset's states, made from the facts of its compilation."""

    facts: CompiledFacts = field(repr=False)

    def __getstate__(self) -> dict[str, Any]:
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

    @property
    def indexes(self) -> dict[str, int]:
        """The first slot of the index of a variable, for those that have one."""
        return self.facts.indexes

    @property
    def initial(self) -> tuple[int, ...]:
        """The slots before any scenario."""
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
        named = {word for _, word in type_.values} if isinstance(type_, types.WordType) else None
        return named == set(self.players)

    def says_where(self, variable: Variable) -> bool:
        """Whether a variable says where things are: a map from single things to words that are no players."""
        return (
            len(variable.keys) == 1
            and isinstance(variable.keys[0], types.WordType)
            and isinstance(variable.type, types.WordType)
            and types.NONE not in variable.type.codes
            and not self.is_of_players(variable.type)
            and not self.is_of_players(variable.keys[0])
        )

    # -------------------------------------------------------------- words
    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages that texts may be in, English first: its own, then those of the library."""
        return tuple(dict.fromkeys(("en", *self.facts.labels, *LANGUAGES)))

    def labels(self, language: str) -> Mapping[str, str]:
        """The labels of a language; empty if the ruleset has none."""
        return self.facts.labels.get(language, {})

    def word(self, value: types.Value, language: str = "en") -> str:
        """A value in words: its label, or its name with spaces; marked where a language has no label."""
        if value == types.NONE:
            return translator(language).gettext("none")
        labels = self.labels(language)
        owner, name = value
        found = labels.get(f"{owner}.{name}") or labels.get(name)
        if found is None and language != "en":
            return untranslated(self.word(value))
        return found or name.replace("_", " ")

    def said(self, key: str, english: str, language: str = "en") -> str:
        """What a declaration says or is called, by the key of its label: `rule no-peeking`.

        English is what the ruleset says itself, if it has no label for it either; it is marked where
        another language has no label.
        """
        found = self.labels(language).get(key)
        if found is None and language != "en" and english:
            return untranslated(self.said(key, english))
        return found or english

    def sentence(self, kind: str, name: str, summary: str, language: str = "en") -> str:
        """The sentence of a rule, an action, a phase, …, of which `summary` is the English."""
        kind = "phase" if kind == "stage" else kind
        own = " summary" if kind in {"action", "phase"} else ""
        return self.said(f"{kind} {name}{own}", summary, language)

    def summary(self, origin: Origin, language: str = "en") -> str:
        """The sentence of a declaration."""
        return self.sentence(origin.kind, origin.rule, origin.summary, language)

    def name_of(self, kind: str, name: str, language: str = "en") -> str:
        """What a variable or a phase is called: its label, or its name with spaces."""
        return self.said(f"{kind} {name}", name.replace("_", " "), language)

    def phase(self, name: str, language: str = "en") -> str:
        """What a phase is called, whatever it is about: its label up to a colon, `…` for each parameter."""
        said = self.name_of("phase", name, language).partition(":")[0].strip()
        return _PARAM.sub("…", said)

    def cell(self, name: str, keys: Iterable[str], language: str = "en") -> str:
        """What an entry of a variable is called: `strength of Fox`."""
        called, of = self.name_of("variable", name, language), ", ".join(keys)
        if not of:
            return called
        return translator(language).gettext("{variable} of {keys}", variable=called, keys=of)

    def words(self, type_: types.WordType, language: str = "en") -> tuple[str, ...]:
        """The words of all values of a type; where two would be the same, both come as their names."""
        key = (type_, language)
        if key not in self._words:
            said = [self.word(value, language) for value in type_.values]
            times = Counter(map(fold_name, said))
            self._words[key] = tuple(
                word if times[fold_name(word)] == 1 else name_of(value, type_)
                for word, value in zip(said, type_.values, strict=True)
            )
        return self._words[key]

    @cached_property
    def _words(self) -> dict[tuple[types.WordType, str], tuple[str, ...]]:
        return {}

    def show(self, code: int, type_: types.Type, language: str = "en") -> str:
        """The value of a code in words."""
        match type_:
            case types.WordType():
                return self.words(type_, language)[code]
            case types.BoolType():
                said = translator(language)
                return said.gettext("yes") if code else said.gettext("no")
            case types.SetType():
                members = (self.show(member, type_.member, language) for member in bits(code))
                return f"{{{', '.join(members)}}}"
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                one = self.show(left, type_.left, language)
                return f"({one}, {self.show(right, type_.right, language)})"
        return str(code)

    def plain(self, code: int, type_: types.Type) -> Any:
        """The value of a code as plain data: names as in the ruleset, numbers, truths, lists."""
        match type_:
            case types.WordType():
                value = type_.values[code]
                return None if value == types.NONE else name_of(value, type_)
            case types.BoolType():
                return bool(code)
            case types.SetType():
                return [self.plain(member, type_.member) for member in bits(code)]
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                return [self.plain(left, type_.left), self.plain(right, type_.right)]
        return code

    def reading(self) -> ValueParser:
        """Reads values in words, names or labels."""
        return ValueParser(self.facts.labels)

    # -------------------------------------------------------------- slots
    def cells(self) -> Iterator[tuple[Variable, tuple[int, ...], int]]:
        """Every slot of every variable: the variable, its keys, the slot."""
        for variable in self.variables.values():
            for offset, keys in enumerate(variable.key_codes):
                yield variable, keys, variable.base + offset

    def reindex(self, slots: list[int], only: Iterable[str] | None = None) -> None:
        """Makes the indexes agree with the variables, or with some of them, in place."""
        for name in self.indexes if only is None else self.indexes.keys() & set(only):
            base = self.indexes[name]
            variable = self.variables[name]
            for value in codes_of(variable.type):
                slots[base + value] = 0
            for offset in range(len(variable.key_codes)):
                slots[base + slots[variable.base + offset]] |= 1 << offset


# The content of a layout keeps its spelling: states that were written as JSON bear its digest.
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
