"""A compiled ruleset as an integer program: its functions, the tables of its facts, and its memory.

The functions of blocks, choices and suspension points are lowered from the generated Python, and stand behind one
function each that takes the number of the block, the action or the point:

- `run_block(block)` runs a block and returns the next one;
- `legal(point)` lists the codes of the legal actions in the region `OUT` and returns how many, or `list_runs(point)`
  their runs in `MASKS`, `FIRSTS` and `ACTIONS`;
- `choose(action, code, after)` plays an action and returns the next block;
- `number(point)` returns how many dice are rolled;
- `source(point)` writes the set of a draw into the region `SOURCE` and returns how many members it has;
- `weight(point, member)` returns the weight of a member;
- `key(point)` writes a key of chance, by `put_text`, `put_number` and `put_scope`.

A program that observes has those of `knowledge` as well.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from attrs import define, field, frozen

from hots_rules._gc_policy import uncollected
from hots_rules.compile.codes import HALT, DecisionPoint, DicePoint, DrawPoint
from hots_rules.compile.counting import CountingMachine
from hots_rules.compile.machine import FrameData, Machine
from hots_rules.native.lowering import numbers as n
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering import trials
from hots_rules.native.lowering.bounds import Bounds, mask_of
from hots_rules.native.lowering.expressions import Charge
from hots_rules.native.lowering.joined_blocks import charged, join_blocks
from hots_rules.native.lowering.knowledge import knowledge, knowledge_rooms
from hots_rules.native.lowering.module import ModuleLowering
from hots_rules.native.lowering.runs import lists_runs
from hots_rules.native.lowering.scopes import caller_table, scope_source
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.lowering.statements import FunctionLowering
from hots_rules.native.lowering.tables import Tables, Texts, point_tables
from hots_rules.native.refusal import check_machine, refused
from hots_rules.native.runtime.counting import NoteCells

MAX_LISTED = 1 << 16  # legal actions at a decision
MAX_CHARGED = (
    1 << 31
) - 2  # steps for members of loops, where they are counted; above it Python plays
NO_BLOCK_CHECK = 2_000_003
"""The check that a block, an action or a point has a function."""
_NO_BLOCK: p.Body = (
    p.Do(p.Within(n.ONE, 0, 0, NO_BLOCK_CHECK)),
    p.Return(p.Const(HALT)),
)
_TRIAL = "S = S[:]"
"""How a function of the module begins that changes the state for a time."""
_OBSERVING = {"players", "knows"}
_TABLES_OF_FUNCTIONS = {"BLOCKS", "POINTS", "ACTIONS", "INVARIANTS", "SECRETS", "CLAIMS"}


@frozen
class Lowered:
    """What a compiled ruleset becomes; the run loop and chance are added to it, with `put_scope` as `scopes` has it."""

    machine: Machine
    functions: tuple[p.Function, ...]
    tables: Mapping[str, tuple[int, ...]]
    memory: Mapping[str, p.Region]
    slots: SlotMap
    scopes: str


@uncollected()
def lower(
    machine: Machine,
    *,
    is_counted: bool = False,
    is_observed: bool = False,
    has_runs: bool = False,
) -> Lowered:
    """The integer program of a compiled ruleset, without its run loop and without chance.

    That of a traced machine may count its notes. One that is observed tells who chooses, and what each player knows.
    One that may have runs lists them instead of actions, where all its actions are in runs (`list_runs`).

    Raises:
        NotLowered: the ruleset needs more than words and tables.
    """
    check_machine(machine, is_counted=is_counted)
    return _RulesetLowering.of(machine, is_observed, has_runs).lowered()


@define
class _RulesetLowering:
    machine: Machine
    module: ModuleLowering
    scopes: dict[str, FrameData]
    texts: Texts
    is_observed: bool
    blocks: dict[int, str] = field(factory=dict)

    @classmethod
    def of(cls, machine: Machine, is_observed: bool, has_runs: bool) -> _RulesetLowering:
        slots = SlotMap(machine.facts, len(machine.blocks))
        codes = most_codes(machine)
        room = min(codes, machine.limits.actions, MAX_LISTED)
        widest = max(part.cells for part in slots.ranges)
        notes = NoteCells.of(machine) if machine.facts.is_traced else None
        charge, tree = _charge(machine), ast.parse(machine.source).body
        functions = [node for node in tree if isinstance(node, ast.FunctionDef)]
        # A power of 2, so that a mask keeps every place inside.
        runs = {"RUNS": 1} | dict.fromkeys(("MASKS", "FIRSTS", "ACTIONS"), 1 << room.bit_length())
        if not has_runs or charge is not None or not lists_runs(functions):
            runs = {}
        memory = p.lay_out(
            {
                "SLOTS": slots.cells,
                "ERROR": 1,
                "SPENT": 1,
                "STEPS_LEFT": 1,
                "COUNT": 1,
                "RESULT": widest + 1,
                "SOURCE": _widest_source(machine, slots),
                "OUT": max(room, 1),
                **runs,
                **(trials.ROOMS if _TRIAL in machine.source else {}),
                **({"SEEN": len(notes.cells)} if notes else {}),
                **(knowledge_rooms(machine) if is_observed else {}),
            }
        )
        actions = {
            listing: number
            for number, action in enumerate(machine.facts.actions)
            for listing in action.listings
        }
        module = ModuleLowering(
            slots, memory, actions, has_room=room == codes, notes=notes, charge=charge
        )
        lowered = cls(machine, module, {}, Texts(), is_observed)
        for node in tree:
            lowered._read(node)
        return lowered

    def _read(self, node: ast.stmt) -> None:
        match node:
            case ast.FunctionDef():
                self.module.definitions[node.name] = node
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if name.startswith("scope_"):
                    self.scopes[name] = ast.literal_eval(value)
                elif name not in _TABLES_OF_FUNCTIONS:
                    self.module.add_constant(name, ast.literal_eval(value))

    def lowered(self) -> Lowered:
        roots = [*self._dispatchers(), *self._keys()]
        if self.is_observed:
            roots += knowledge(self.module, self.machine)
        names = [name for name in self.module.definitions if _is_root(name)]
        self.module.lower_functions(names)
        keeping, memory = trials.keep_states(self.module)
        functions = join_blocks(
            self.module.functions, self.blocks, self.machine.steps, memory["STEPS_LEFT"]
        )
        scopes = scope_source(self.scopes.values(), self.module.slots, self.texts)
        return Lowered(
            self.machine,
            (*functions, *keeping, *roots),
            {**self.module.tables(), **self._fact_tables()},
            memory,
            self.module.slots,
            scopes,
        )

    def _fact_tables(self) -> Tables:
        blocks, slots = len(self.machine.blocks), self.module.slots
        frames = list(self.scopes.values())
        callers = {block: frames.index(frame) for block, frame in self.machine.callers.items()}
        return {
            **point_tables(self.machine, slots),
            **caller_table(callers, blocks),
            **self.texts.tables(),
        }

    # -------------------------------------------------------------- functions by number
    def _dispatchers(self) -> list[p.Function]:
        facts, blocks = self.machine.facts, len(self.machine.blocks)
        points = self.machine.points
        after = Bounds(HALT, blocks)
        renew = () if self.module.charge is None else (self.module.memory["SPENT"].store(n.ZERO),)
        self.blocks = {
            number: self.module.instance(function.__name__, [], 1).name
            for number, function in enumerate(self.machine.blocks)
            if function is not None
        }
        run = {
            number: charged(number, self.machine.steps, self.module.memory["STEPS_LEFT"], name)
            for number, name in self.blocks.items()
        }
        choose = {
            number: (
                *renew,
                *self._call(
                    f"choose_{action.name}",
                    ("code", Bounds(action.base, action.base + action.size - 1)),
                    ("after", after),
                ),
            )
            for number, action in enumerate(facts.actions)
        }
        legal, number, source, weight = {}, {}, {}, {}
        for at, point in enumerate(points):
            match point:
                case DecisionPoint():
                    legal[at] = (*renew, *self._listed(f"legal_{at}"))
                case DicePoint():
                    number[at] = self._call(f"dice_{at}")
                case DrawPoint():
                    source[at] = self._source(at)
                    if point.weight is not None:
                        weight[at] = self._call(f"weight_{at}", ("member", self._members(point)))
        return [
            _switch("run_block", ("block",), run, _NO_BLOCK),
            _switch("list_runs" if "RUNS" in self.module.memory else "legal", ("point",), legal),
            _switch("choose", ("action", "code", "after"), choose),
            _switch("number", ("point",), number),
            _switch("source", ("point",), source),
            _switch("weight", ("point", "member"), weight),
        ]

    def _call(self, name: str, *params: tuple[str, Bounds]) -> p.Body:
        """The call of a function of the module with some parameters of its dispatcher."""
        return (p.Return(self._called(name, *params)),)

    def _called(self, name: str, *params: tuple[str, Bounds]) -> p.Call:
        instance = self.module.instance(name, [bounds for _, bounds in params], 1)
        return p.Call(instance.name, tuple(p.Local(param) for param, _ in params))

    def _listed(self, name: str) -> p.Body:
        """The call of a function that lists legal actions."""
        memory, called = self.module.memory, self._called(name)
        return trials.listed(memory, called) if "LISTING" in memory else (p.Return(called),)

    def _members(self, point: DrawPoint) -> Bounds:
        """The bounds of the codes that a draw can give."""
        return Bounds(0, self.module.slots.of_slot[point.into].bounds.high)

    def _source(self, at: int) -> p.Body:
        """Statements that put the set from which is drawn into the region `SOURCE`."""
        region = self.module.memory["SOURCE"]
        lowering = FunctionLowering(self.module)
        *before, last = self.module.definitions[f"source_{at}"].body
        if not isinstance(last, ast.Return) or last.value is None:
            raise refused(last)
        body = list(lowering.body(before))
        with lowering.own_prelude() as prelude:
            mask = lowering.within(
                lowering.number(last.value), mask_of(region.room * p.WORD), NO_BLOCK_CHECK
            )
            words = [lowering.held(word) for word in mask.widened(region.room)]
        stores = [p.Store(region.base + place, word) for place, word in enumerate(words)]
        return (*body, *prelude, *stores, p.Return(n.total_count(words)))

    # -------------------------------------------------------------- keys of chance
    def _keys(self) -> list[p.Function]:
        keys = {
            at: self._key(at)
            for at, point in enumerate(self.machine.points)
            if not isinstance(point, DecisionPoint)
        }
        return [_switch("key", ("point",), keys)]

    def _key(self, at: int) -> p.Body:
        lowering = FunctionLowering(self.module)
        *before, last = self.module.definitions[f"key_{at}"].body
        if not (isinstance(last, ast.Return) and isinstance(last.value, ast.JoinedStr)):
            raise refused(last)
        body = list(lowering.body(before))
        for part in last.value.values:
            with lowering.own_prelude() as prelude:
                call = self._put(lowering, part)
            body += [*prelude, p.Do(call)]
        return tuple(body)

    def _put(self, lowering: FunctionLowering, part: ast.expr) -> p.Call:
        """Writes one part of a key."""
        match part:
            case ast.Constant(value=str() as text):
                return p.Call("put_text", (p.Const(self.texts.add(text)),))
            case ast.FormattedValue(
                value=ast.Call(func=ast.Name("scope"), args=[_, ast.Name(id=name)])
            ):
                return p.Call("put_scope", (p.Const(list(self.scopes).index(name)),))
            case ast.FormattedValue(value=ast.Subscript(value=ast.Name(id=table), slice=index)) if (
                table in self.module.words
            ):
                words = self.module.words[table]
                first = p.Const(self.texts.add(*words))
                number = lowering.within(
                    lowering.number(index), Bounds(0, len(words) - 1), NO_BLOCK_CHECK
                )
                return p.Call("put_text", (n.binary("add", first, number.word),))
            case ast.FormattedValue(value=value):
                return p.Call("put_number", (lowering.word(value),))
        raise refused(part)


def _switch(
    name: str, params: tuple[str, ...], cases: Mapping[int, p.Body], otherwise: p.Body = ()
) -> p.Function:
    """A function that does what a number, its first parameter, selects."""
    return p.Function(
        name, params, (p.Switch(p.Local(params[0]), tuple(cases.items()), otherwise),)
    )


def _is_root(name: str) -> bool:
    """Whether the machine itself calls a function of the module."""
    return (
        name.split("_")[0]
        in {"block", "choose", "legal", "dice", "source", "weight", "key"} | _OBSERVING
    )


def _charge(machine: Machine) -> Charge | None:
    """What a member of a loop costs, where play counts them; products of both numbers fit into a word."""
    if not isinstance(machine, CountingMachine):
        return None
    most = min(machine.limits.play_steps, MAX_CHARGED)
    return Charge(min(machine.per_member, most + 1), most)


def most_codes(machine: Machine) -> int:
    """The most actions, legal or not, of any decision."""
    sizes = {action.name: action.size for action in machine.facts.actions}
    points = machine.facts.points
    return max((sum(sizes[name] for name in point.actions) for point in points), default=0)


def _widest_source(machine: Machine, slots: SlotMap) -> int:
    """The most words that the set of a draw has."""
    members = [
        slots.of_slot[point.into].bounds.high + 1
        for point in machine.points
        if isinstance(point, DrawPoint)
    ]
    return (max(members, default=1) + p.WORD - 1) // p.WORD
