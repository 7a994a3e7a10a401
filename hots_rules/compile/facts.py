"""The metadata of a compiled ruleset: actions, variables, suspension points, secrets, settings, labels.

It relates the names of the rulebook to the numbers in compiled code.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from attrs import frozen

from hots_rules.compile.codes import bits, codes_of, winners_of
from hots_rules.rules.typed.origin import Origin
from hots_rules.rules.typed.value_types import Type, Value, WordType, size


@frozen(slots=False)
class Variable:
    """A state variable and its first slot; an internal one is neither drawn nor narrated."""

    name: str
    base: int
    keys: tuple[Type, ...]
    type: Type
    initial: int
    is_internal: bool = False

    @cached_property
    def count(self) -> int:
        """The number of slots."""
        return prod(size(key) for key in self.keys)

    @cached_property
    def key_codes(self) -> tuple[tuple[int, ...], ...]:
        """The codes of all keys, in the order of the slots."""
        return tuple(product(*(codes_of(key) for key in self.keys)))

    @cached_property
    def offsets(self) -> dict[tuple[int, ...], int]:
        """The slot of each key, counted from the first slot."""
        return {codes: offset for offset, codes in enumerate(self.key_codes)}


class Parameter(NamedTuple):
    """A parameter of an action, an event or a phase."""

    name: str
    type: Type


class ActionFacts(NamedTuple):
    """An action, its first code, and the number of its codes."""

    name: str
    params: tuple[Parameter, ...]
    base: int
    size: int
    origin: Origin
    listings: tuple[str, ...]
    """The functions that list its legal codes: all, or those that a line of a policy prefers."""


class ClauseFacts(NamedTuple):
    """A clause of an action, "permit" or "forbid", and the most steps that it takes in one list of legal actions."""

    action: str
    kind: str
    origin: Origin
    steps: int


class PointFacts(NamedTuple):
    """A suspension point in a phase; its kind is "decision", "dice" or "drawing".

    A decision has `actions`, a chance point the `type` of its outcomes; `procedure` is `phase day` or `action go`.
    """

    phase: str
    kind: str
    origin: Origin
    actions: tuple[str, ...]
    type: Type | None
    procedure: str


class ScenarioFacts(NamedTuple):
    """The title of a scenario, and the block where it begins."""

    title: str
    entry: int


class EntryFacts(NamedTuple):
    """The block where a position set up by hand begins, and the slot for the block to return to."""

    block: int
    return_slot: int


class SecretFacts(NamedTuple):
    """A secret of a variable, or of a `type`; `depends_on` are the variables that decide who knows it.

    `is_vectorized` says whether its code decides for a mask of many members at once.
    """

    name: str
    type: Type | None
    is_vectorized: bool
    depends_on: tuple[str, ...]


class SettingFacts(NamedTuple):
    """An option or a reading; `summaries` has a sentence for each value.

    `scenarios` are those that do not ignore it; all if empty.
    """

    name: str
    kind: str
    type: Type
    default: int
    summaries: tuple[str, ...]
    origin: Origin
    scenarios: tuple[str, ...]


class CheckFacts(NamedTuple):
    """A check at run time: the text that begins the message of its error, and the type of the value that ends it.

    The type is None where the code of the value is not known.
    """

    text: str
    type: Type | None


class ClaimFacts(NamedTuple):
    """What the invariant with a number claims about each value of a type."""

    type: Type
    invariant: int


class InvariantFacts(NamedTuple):
    """An invariant and the variables that it reads."""

    origin: Origin
    variables: tuple[str, ...]


class FrameSlot(NamedTuple):
    """The slot of a local name; the frame is in use while the slot for its return block is not 0.

    `default` is its value where a position does not give one.
    """

    slot: int
    type: Type
    return_slot: int
    name: str
    default: int


class RoutineFacts(NamedTuple):
    """A procedure that can be suspended: its first block, how many parameters it has, the blocks after its calls."""

    entry: int
    param_count: int
    returns: tuple[int, ...]


class MapLink(NamedTuple):
    """A line between places of the map, by code; the colour may be empty."""

    ends: tuple[int, ...]
    colour: str


class MapFacts(NamedTuple):
    """A map: where things are, and the places with their links."""

    variable: str
    """It holds the place of each piece; on a board, the piece of each place."""
    spots: dict[int, tuple[int, int]]
    """The column and the row of each place, by code; on a board rows count from the bottom."""
    links: tuple[MapLink, ...]
    is_board: bool
    shape: str
    """`squares` or `hexes` for a declared board."""
    terrain: dict[int, int]
    """The terrain of each place as a code of `terrain_type`, by the code of the place; empty if none is declared."""
    terrain_type: WordType | None


@frozen(eq=False, repr=False)
class CompiledFacts:
    """The metadata of one compiled ruleset."""

    name: str
    title: str
    content_digest: str
    """The digest of what decides play in the ruleset."""
    is_traced: bool
    """Whether the module logs what happens."""
    has_teams: bool
    """Whether several players can win together."""
    counts_steps: bool
    """Whether play must count the members of loops, because in the worst case it would take too many steps."""
    players: tuple[Value, ...]
    checks: tuple[CheckFacts, ...]
    """The checks at run time, by number."""
    initial: tuple[int, ...]
    """The slots before any scenario."""
    scenarios: dict[str, ScenarioFacts]
    entry: EntryFacts | None
    return_slots: dict[str, int]
    """By procedure (`phase day`), the slot for the block to return to."""
    routines: dict[str, RoutineFacts]
    actions: tuple[ActionFacts, ...]
    clauses: tuple[ClauseFacts, ...]
    """The clauses of all actions, in order."""
    events: dict[str, tuple[Parameter, ...]]
    phases: dict[str, tuple[Parameter, ...]]
    calls: dict[str, tuple[str, ...]]
    """By phase, the phases that it calls, directly or indirectly."""
    clock: tuple[str, ...]
    """The variables that count turns and the like; they begin every key of chance."""
    map: MapFacts | None
    variables: tuple[Variable, ...]
    indexes: dict[str, int]
    """The first slot of the index of a variable."""
    settings: tuple[SettingFacts, ...]
    chosen: tuple[tuple[str, int], ...]
    """The codes of the options and readings that it is compiled under, sorted by name."""
    origins: tuple[Origin, ...]
    """The rules that the module names, by number."""
    labels: dict[str, dict[str, str]]
    """By language, the labels that the ruleset declares, by key: `rule no-peeking`, `Piece.Fox`."""
    points: tuple[PointFacts, ...]
    secrets: tuple[SecretFacts, ...]
    claims: tuple[ClaimFacts, ...]
    """What each function of the table `CLAIMS` checks."""
    invariants: tuple[InvariantFacts, ...]
    frame: tuple[FrameSlot, ...]
    """The slots of local names that outlive a suspension."""

    def outcome_type(self, number: int) -> Type:
        """The type of the outcomes of a chance point, by its number."""
        type_ = self.points[number].type
        assert type_ is not None
        return type_

    @property
    def outcome_codes(self) -> range:
        """All codes of how a game may have ended, with 0 for no outcome."""
        players = len(self.players)
        return range(1 - (1 << players) if self.has_teams else 0, players + 2)

    def winners(self, outcome: int) -> tuple[str, ...]:
        """The names of the players who won, by the code of an outcome."""
        names = [name for _, name in self.players]
        return tuple(names[player] for player in bits(winners_of(outcome)))

    @property
    def action_codes(self) -> int:
        """The number of all action codes, legal or not."""
        return self.actions[-1].base + self.actions[-1].size if self.actions else 0
