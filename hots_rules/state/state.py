"""The state of a game at one moment."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from hots_rules.rules import finite as t
from hots_rules.state.shape import Shape, Variable


@frozen
class State:
    """Everything that is on the table, and the point in the phases where play stands.

    `slots` are small integers; two states are equal when all of them are. Read variables by
    their name in the ruleset: `state["year"]`, `state["place", "Wallace"]`.
    """

    slots: tuple[int, ...] = field(repr=False)
    shape: Shape = field(eq=False, repr=False)

    def __getitem__(self, key: str | tuple[str, ...]) -> Any:
        """The value of a variable: a name, a number, a truth, a list for a set, None for `none`.

        A map without its keys comes as a dict; keys are names as in the ruleset.

        Raises:
            KeyError: no such variable or key.
        """
        name, *keys = (key,) if isinstance(key, str) else key
        variable = self.shape.variables[name]
        if not keys and variable.keys:
            return {
                self._key(variable, codes): self._plain(variable, i)
                for i, codes in enumerate(variable.key_codes)
            }
        wanted = tuple(
            _code_of(word, type_) for word, type_ in zip(keys, variable.keys, strict=True)
        )
        return self._plain(variable, variable.key_codes.index(wanted))

    def _plain(self, variable: Variable, offset: int) -> Any:
        return self.shape.plain(self.slots[variable.base + offset], variable.type)

    def _key(self, variable: Variable, codes: tuple[int, ...]) -> Any:
        words = tuple(
            self.shape.plain(code, type_) for code, type_ in zip(codes, variable.keys, strict=True)
        )
        return words[0] if len(words) == 1 else words

    def as_dict(self) -> dict[str, Any]:
        """All variables by name, as plain data."""
        return {name: self[name] for name in self.shape.variables}


def _code_of(word: Any, type_: t.Type) -> int:
    if isinstance(type_, t.WordType):
        if word is None:
            return type_.codes[t.NONE]
        found = type_.words.get(str(word))
        if not found:
            raise KeyError(word)
        return type_.codes[found[0]]
    return int(word)
