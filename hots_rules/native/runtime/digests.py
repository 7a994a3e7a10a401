"""A digest of the legal actions at every decision of a game, in machine code and in Python.

Two rulesets with the same digest allowed the same actions all the time. An action counts by its name and by its
place among the actions of that name, so that other numbers of actions do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from attrs import define, field

from hots_rules.compile.machine import Machine
from hots_rules.native.lowering.program import FULL, WORD

_PRIME: Final = 0x100000001B3  # that of the hash FNV-1a
_ROTATION: Final = 29
CONSTANTS: Final = {"PRIME": _PRIME, "ROTATION": _ROTATION}
SOURCE: Final = """
def choose_action(choices):
    note_actions(choices)
    return choose_below(choices)

def note_actions(choices):
    digest = rotr(S[ACTION_DIGEST], ROTATION) ^ choices
    for i in range(0, choices):
        code = S[OUT + i]
        action = action_of(code)
        digest = (rotr(digest, ROTATION) ^ NAME_NUMBER[action] + code - BASES[action]) * PRIME
    S[ACTION_DIGEST] = digest
"""


def name_numbers(machine: Machine) -> tuple[int, ...]:
    """A number for the name of each action, the same one in every ruleset."""
    return tuple(word_number(action.name) for action in machine.facts.actions)


def word_number(word: str) -> int:
    """A number for a word, the same one in every ruleset.

    >>> from hots_rules.native.runtime.digests import word_number
    >>> word_number("move") == word_number("move") != word_number("sail")
    True
    """
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "little") >> 2


@define
class ActionDigest:
    """The same digest in Python: `note` takes the legal actions of each decision.

    >>> import hots_rules as hr
    >>> from hots_rules.native.runtime.digests import ActionDigest
    >>> rules = hr.load("hots-4.0")
    >>> digest = ActionDigest(rules.machine(rules.chosen({}, {})))
    >>> digest.note([])
    >>> digest.value
    0
    """

    machine: Machine
    value: int = 0
    _numbers: tuple[int, ...] = field(init=False)

    @_numbers.default
    def _name_numbers(self) -> tuple[int, ...]:
        return name_numbers(self.machine)

    def note(self, legal: Sequence[int]) -> None:
        """Add the codes of the legal actions of a decision."""
        digest, action_of, bases = (
            _rotated(self.value) ^ len(legal),
            self.machine.action_of,
            self.machine.bases,
        )
        for code in legal:
            action = action_of(code)
            digest = (
                _rotated(digest) ^ self._numbers[action] + code - bases[action]
            ) * _PRIME & FULL
        self.value = digest


def _rotated(word: int) -> int:
    return (word >> _ROTATION | word << WORD - _ROTATION) & FULL
