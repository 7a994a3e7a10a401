"""The seal of a game: a chain of digests, a link for each action.

A link is made of the link before it, the action, and what the action changed, all in words: so it is the
same however states are packed, and one link vouches for all that was before it.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

from attrs import define

from hots_rules.state.values import value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hots_rules.compile.facts import Variable
    from hots_rules.records.record import Record
    from hots_rules.state.schema import StateSchema

SHOWN = 8


def first_link(record: Record, position: str) -> str:
    """The link before the first action: how the game began, and what then was on the table."""
    chosen = [*sorted(record.options.items()), *sorted(record.readings.items())]
    began = [record.rng, record.seed, record.chance, record.scenario, record.position or ""]
    return _digest([*began, position, *(f"{name} {word}" for name, word in chosen)])


def _digest(parts: Iterable[str]) -> str:
    """A digest of some texts; none of them can pass for two."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


@define(slots=False)
class HashChain:
    """The chain of one game; `link` is the last one."""

    schema: StateSchema
    link: str

    def add(self, text: str, before: Sequence[int], after: Sequence[int], then: str) -> str:
        """The link of an action; `then` says who is asked after it, or how the game ended."""
        self.link = _digest([self.link, text, *self._changes(before, after), then])
        return self.link

    @cached_property
    def _variables(self) -> list[Variable]:
        return sorted(self.schema.variables.values(), key=lambda variable: variable.base)

    @cached_property
    def _bases(self) -> list[int]:
        return [variable.base for variable in self._variables]

    def _changes(self, before: Sequence[int], after: Sequence[int]) -> list[str]:
        """What is new on the table, in the words of a position; frames and indexes are not on it."""
        found = []
        for slot, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                at = bisect_right(self._bases, slot) - 1
                variable = self._variables[at] if at >= 0 else None
                if variable and slot - variable.base < len(variable.key_codes):
                    found.append(_said(variable, slot - variable.base, new))
        return sorted(found)


def _said(variable: Variable, offset: int, code: int) -> str:
    keys = variable.key_codes[offset]
    words = [value_text(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
    return f"{', '.join(words)}: {variable.name} {value_text(code, variable.type)}"
