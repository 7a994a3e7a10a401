"""The chooser of paired games, in machine code and in Python: it chooses by the words of actions, not by their places.

Each legal action has a rank, a mix of a hash of its words and of the *moment*; the one with the highest rank is
played. The moment is the last chance point with its key, or the start of the game, and the number of decisions since.
Ranks of different actions are as good as independent, so each legal action is equally likely. Two games with the same
seed, under rulesets that differ, choose the same action as long as both allow it, and fall into step again at the next
chance point that both reach. A value of a type with more than `MAX_TABLE` values counts by its place in the type in
place of its words: where two rulesets give such a type other bounds, their choices differ.

A *trail* has a word for each decision: a digest of all legal actions and choices so far, whose lowest bits are
the number of the suspension point. Two trails are equal up to the first decision at which the games differ, and differ
from there on.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final

from attrs import define, field

from hots_rules.compile.codes import POINT, DecisionPoint, Slots, value_text
from hots_rules.compile.machine import Machine
from hots_rules.compile.sampling import chance_digest
from hots_rules.native.lowering.program import FULL, WORD
from hots_rules.native.runtime.digests import name_numbers, word_number
from hots_rules.rules.typed import value_types as types

TRAIL_CELLS: Final = 1024
"""The most decisions that a trail keeps."""
POINT_MASK: Final = (1 << 12) - 1
"""The bits of a word of a trail that are the number of the suspension point."""
_PRIME: Final = 0x100000001B3  # that of the hash FNV-1a
_ROTATION: Final = 29
_GOLDEN: Final = 0x9E3779B97F4A7C15  # the step and the factors of SplitMix64
_FIRST_FACTOR: Final = 0xBF58476D1CE4E5B9
_SECOND_FACTOR: Final = 0x94D049BB133111EB
CONSTANTS: Final = {
    "PRIME": _PRIME,
    "ROTATION": _ROTATION,
    "GOLDEN": _GOLDEN,
    "FIRST_FACTOR": _FIRST_FACTOR,
    "SECOND_FACTOR": _SECOND_FACTOR,
    "TRAIL_CELLS": TRAIL_CELLS,
    "POINT_MASK": POINT_MASK,
}
SOURCE: Final = """
def mixed(word):
    word = (word ^ word >> 30) * FIRST_FACTOR
    word = (word ^ word >> 27) * SECOND_FACTOR
    return word ^ word >> 31

def action_hash(code):
    action = action_of(code)
    left = code - BASES[action]
    hash = NAME_NUMBER[action]
    for i in range(FIRST_PART[action], FIRST_PART[action + 1]):
        size = PART_SIZE[i]
        part = left % size
        left = left // size
        if PART_HASHES[i] >= 0:
            part = HASHES[PART_HASHES[i] + part]
        hash = (rotr(hash, ROTATION) ^ part) * PRIME
    return hash

def note_chance():
    S[MOMENT] = S[DIGEST]
    S[SINCE] = 0

def seed_chooser(game):
    start_key()
    hash_key()
    note_chance()

def choose_action(choices):
    moment = mixed(S[MOMENT] + S[SINCE] * GOLDEN)
    S[SINCE] = S[SINCE] + 1
    digest = rotr(S[ACTION_DIGEST], ROTATION) ^ choices
    best = 0 - 1
    chosen = 0
    at = 0
    for i in range(0, choices):
        hash = action_hash(S[OUT + i])
        digest = digest + hash * PRIME
        rank = mixed(hash ^ moment) >> 1
        if rank > best:
            best = rank
            chosen = hash
            at = i
    digest = (rotr(digest, ROTATION) ^ chosen) * PRIME
    S[ACTION_DIGEST] = digest
    if S[DECISIONS] < TRAIL_CELLS:
        point = -1 - S[SLOTS]
        S[TRAIL + S[GAME] * TRAIL_CELLS + S[DECISIONS]] = digest & ~POINT_MASK | point & POINT_MASK
    return at
"""


def tables(machine: Machine) -> dict[str, tuple[int, ...]]:
    """The tables of `action_hash`: for each action its parts, the last argument first, and the player last.

    `PART_HASHES` has where the hashes of a part begin in `HASHES`, or -1 if its type has more than `MAX_TABLE` values.
    """
    first, sizes, hash_starts, hashes = [0], list[int](), list[int](), list[int]()
    starts_by_type: dict[types.Type, int] = {}
    players = tuple(word_number(str(name)) for _, name in machine.facts.players) or (0,)
    for action in machine.facts.actions:
        for param in reversed(action.params):
            size = types.size(param.type)
            if param.type not in starts_by_type:
                starts_by_type[param.type] = len(hashes) if size <= types.MAX_TABLE else -1
                hashes += _hashes_of(param.type) if size <= types.MAX_TABLE else []
            sizes.append(size)
            hash_starts.append(starts_by_type[param.type])
        sizes.append(len(players))
        hash_starts.append(len(hashes))
        hashes += players
        first.append(len(sizes))
    return {
        "FIRST_PART": tuple(first),
        "PART_SIZE": tuple(sizes),
        "PART_HASHES": tuple(hash_starts),
        "HASHES": tuple(hashes),
    }


def _hashes_of(type_: types.Type) -> list[int]:
    """A hash of the words of each value of a type, the same one in every ruleset."""
    low = types.lowest_code(type_)
    codes = range(low, low + types.size(type_))
    return [word_number(value_text(code, type_)) for code in codes]


def parting(first: memoryview, second: memoryview) -> int | None:
    """The first decision at which two trails differ, None if they are equal.

    >>> from array import array
    >>> from hots_rules.native.runtime.pairing import parting
    >>> trails = [memoryview(array("Q", words)) for words in ((7, 8, 9), (7, 8, 5, 6))]
    >>> parting(*trails)
    2
    """
    most = min(len(first), len(second))
    if first[:most] == second[:most]:
        return None if len(first) == len(second) else most
    low, high = 0, most - 1
    while low < high:
        # After the first word that differs, all differ.
        middle = (low + high) // 2
        if first[middle] == second[middle]:
            low = middle + 1
        else:
            high = middle
    return low


@define
class PairedChooser:
    """The same chooser in Python: plays a game in place from where it waits or begins.

    >>> import hots_rules as hr
    >>> from hots_rules.native.runtime.pairing import PairedChooser, hash_reader
    >>> rules = hr.load("goofspiel-1.0")
    >>> machine = rules.machine(rules.chosen({}, {}))
    >>> chooser = PairedChooser(machine, "seed", hash_reader(machine))
    >>> slots = machine.begin(next(iter(rules.scenarios)))
    >>> chooser.play(slots, most=10_000) == len(chooser.trail)
    True

    Attributes:
        machine: the compiled ruleset.
        seed: the seed of the game.
        action_hash: a hash of the words of each action, by its code; see `hash_reader`.
        digest: a digest of the legal actions and choices so far.
        trail: the trail of the game.
    """

    machine: Machine
    seed: str
    action_hash: Callable[[int], int] = field(repr=False)
    digest: int = field(default=0, init=False)
    trail: array[int] = field(factory=lambda: array("Q"), init=False)
    _moment: int = field(init=False)
    _since: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._note_chance("")

    def play(self, slots: Slots, most: int) -> int:
        """Play to the end, or up to so many decisions; return their number.

        Raises:
            EngineError: the ruleset violates one of its bounds.
            IndexError: nobody has a legal action.
        """
        machine, decisions = self.machine, 0
        if not machine.is_over(slots):
            machine.run(slots, slots[POINT], None)
            self._roll(slots)
        while slots[POINT] and decisions < most:
            legal = machine.legal(slots)
            machine.play(slots, legal[self.choose(slots, legal)], None)
            self._roll(slots)
            decisions += 1
        return decisions

    def choose(self, slots: Slots, legal: Sequence[int]) -> int:
        """The place of the chosen action among the legal ones, and the next word of the trail.

        Raises:
            IndexError: nobody has a legal action.
        """
        if not legal:
            raise IndexError("nobody has a legal action")
        moment = mixed(self._moment + self._since * _GOLDEN & FULL)
        self._since += 1
        hashes = [self.action_hash(code) for code in legal]
        ranks = [mixed(number ^ moment) >> 1 for number in hashes]
        at = self.best(legal, ranks)
        with_legal = (_rotated(self.digest) ^ len(legal)) + sum(hashes) * _PRIME & FULL
        self.digest = (_rotated(with_legal) ^ hashes[at]) * _PRIME & FULL
        if len(self.trail) < TRAIL_CELLS:
            point = -1 - slots[POINT] & POINT_MASK
            self.trail.append(self.digest & ~POINT_MASK | point)
        return at

    def best(self, legal: Sequence[int], ranks: Sequence[int]) -> int:
        """The place of the action with the highest rank; a subclass may choose another of the `legal` codes."""
        return ranks.index(max(ranks))

    def _roll(self, slots: Slots) -> None:
        """Answer chance points up to the next decision or the end."""
        machine = self.machine
        while (point := machine.point(slots)) is not None:
            if isinstance(point, DecisionPoint):
                return
            self._note_chance(point.key(slots))
            machine.resume(slots, machine.sample(slots, point, self.seed), None)

    def _note_chance(self, key: str) -> None:
        self._moment = int.from_bytes(chance_digest(self.seed, key)[:8], "little")
        self._since = 0


def mixed(word: int) -> int:
    """A number of 64 bits that depends on all bits of another one: the end of SplitMix64.

    >>> from hots_rules.native.runtime.pairing import mixed
    >>> hex(mixed(0x9E3779B97F4A7C15))
    '0xe220a8397b1dcdaf'
    """
    word = (word ^ word >> 30) * _FIRST_FACTOR & FULL
    word = (word ^ word >> 27) * _SECOND_FACTOR & FULL
    return word ^ word >> 31


def hash_reader(machine: Machine) -> Callable[[int], int]:
    """A function from the code of an action to the hash of its words, which it remembers.

    >>> import hots_rules as hr
    >>> from hots_rules.native.runtime.pairing import hash_reader
    >>> readers = [hash_reader(hr.load(name).compiled.default_machine) for name in ("hots-4.0", "hots-2.3")]
    >>> readers[0](0) == readers[0](0) != readers[0](1)
    True
    """
    names, parts, hashes = name_numbers(machine), tables(machine), dict[int, int]()

    def action_hash(code: int) -> int:
        if code not in hashes:
            action = machine.action_of(code)
            left, number = code - machine.bases[action], names[action]
            for i in range(parts["FIRST_PART"][action], parts["FIRST_PART"][action + 1]):
                left, part = divmod(left, parts["PART_SIZE"][i])
                if (start := parts["PART_HASHES"][i]) >= 0:
                    part = parts["HASHES"][start + part]
                number = (_rotated(number) ^ part) * _PRIME & FULL
            hashes[code] = number
        return hashes[code]

    return action_hash


def _rotated(word: int) -> int:
    return (word >> _ROTATION | word << WORD - _ROTATION) & FULL
