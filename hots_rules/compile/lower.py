"""Lowering to a resumable state machine.

A procedure in which a player or chance is asked is cut into basic blocks at those points. What it must remember
over a suspension (parameters, loops, the block to return to) gets slots in the state, its frame. Procedures that
never suspend stay as they are.
"""

from collections.abc import Iterable

from attrs import define, evolve, field, frozen

from hots_rules.compile.codes import HALT
from hots_rules.compile.link import LinkedRules, Procedure
from hots_rules.compile.program import (
    BasicBlock,
    CallFrame,
    CondBranch,
    DecisionPause,
    DiceRoll,
    Goto,
    Halt,
    Program,
    RandomDraw,
    ReturnToCaller,
    Routine,
    Suspend,
    Suspension,
    Terminator,
)
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import call_of, is_suspension, suspending
from hots_rules.rules.typed.tast import Body, Const, Expr, Local, Operation, Statement
from hots_rules.rules.typed.visitor import blocks_of, walk_statements

COUNT = types.IntType(0, types.MAX_NUMBER)
ONE, ZERO = Const(1, types.IntType(1, 1)), Const(0, types.IntType(0, 0))


@frozen
class _Context:
    """The procedure that is lowered, its loop values, and the blocks that `leave` and `return` jump to."""

    procedure: Procedure
    return_block: Local
    values: tuple[Local, ...]
    loop_exit: int | None
    exit: int
    origin: tast.Origin


@frozen
class _Cycle:
    """The condition of a loop, and the statements before and after its body in each round."""

    condition: Expr
    before: Body = ()
    after: Body = ()


@define
class _OpenBlock:
    name: str
    body: list[Statement] = field(factory=list)
    terminator: Terminator | None = None


class Lowering:
    """Lowers all procedures of a ruleset that can suspend."""

    def __init__(self, linked: LinkedRules) -> None:
        self.linked = linked
        self.suspending = suspending(linked.bodies())
        self.blocks: list[_OpenBlock] = []
        self.suspensions: list[Suspension] = []
        self.frame: dict[str, Local] = {}
        self.owners: dict[str, str] = {}
        self.routines: dict[str, Routine] = {}
        self.callers: dict[int, CallFrame] = {}
        self.returns: dict[str, list[int]] = {}
        self.defaults: dict[str, int] = {}

    def program(self) -> Program:
        """The program. Every procedure gets its entry first, so that calls have a target."""
        for key, procedure in self.linked.procedures.items():
            if key in self.suspending or procedure.kind == "scenario":
                if procedure.kind == "scenario" and not self.blocks:
                    # No scenario may begin at block 0: a state there is one that has ended.
                    self._new_block(procedure)
                self._declare(procedure)
        for key, routine in self.routines.items():
            self._lower(self.linked.procedures[key], routine)
        return Program(
            tuple(
                BasicBlock(block.name, tuple(block.body), block.terminator or Halt())
                for block in self.blocks
            ),
            tuple(self.suspensions),
            self.routines,
            tuple(self.frame.values()),
            self.callers,
            self.owners,
            self.returns,
            self.defaults,
        )

    def _declare(self, procedure: Procedure) -> None:
        entry = self._new_block(procedure)
        return_block = self._new_local("back", COUNT)
        for param in procedure.params:
            self._keep(param)
        self.routines[procedure.key] = Routine(procedure.key, procedure.params, entry, return_block)

    def _lower(self, procedure: Procedure, routine: Routine) -> None:
        exit_ = self._new_block(procedure)
        back, params = routine.return_block, procedure.params
        context = _Context(procedure, back, params, None, exit_, procedure.origin)
        self._before = set(self.frame)
        last = self._body(procedure.body, routine.entry, context)
        if last is not None:
            self._end(last, Goto(exit_))
        own = (*self._own_locals(), *params)
        self._clear(own, exit_)
        self.owners |= {local.name: back.name for local in own}
        self._end(exit_, Halt() if procedure.kind == "scenario" else ReturnToCaller(back))

    def _own_locals(self) -> tuple[Local, ...]:
        """The locals that the procedure that is lowered has put into its frame."""
        return tuple(local for name, local in self.frame.items() if name not in self._before)

    def _clear(self, locals_: tuple[Local, ...], block: int) -> None:
        """Clear a frame at the end of its procedure: states that differ only in dead values must be equal."""
        self._add(block, *(tast.Bind(local, Const(0, local.type)) for local in locals_))

    # -------------------------------------------------------------- blocks
    def _new_block(self, procedure: Procedure) -> int:
        name = procedure.key.replace(" ", "_")
        self.blocks.append(_OpenBlock(f"{name}_{len(self.blocks)}"))
        return len(self.blocks) - 1

    def _new_local(self, name: str, type_: types.Type) -> Local:
        return self._keep(self.linked.renamer.fresh(Local(name, type_)))

    def _keep(self, local: Local) -> Local:
        """Give a local name a slot in the frame; returns it."""
        self.frame[local.name] = local
        return local

    def _add(self, block: int, *statements: Statement) -> None:
        self.blocks[block].body += statements

    def _end(self, block: int, terminator: Terminator) -> None:
        self.blocks[block].terminator = terminator

    def _next(self, block: int, context: _Context) -> int:
        """End a block with a jump to a new one; returns the new one."""
        after = self._new_block(context.procedure)
        self._end(block, Goto(after))
        return after

    def _may_suspend(self, node: Statement) -> bool:
        return any(
            is_suspension(n) or call_of(n) in self.suspending for n in walk_statements((node,))
        )

    # -------------------------------------------------------------- statements
    def _body(self, body: Body, block: int | None, context: _Context) -> int | None:
        """Add statements from a block on; return the block where play continues, if it does."""
        for statement in body:
            if block is None:
                return None
            block = self._statement(statement, block, context)
        return block

    def _statement(self, node: Statement, block: int, context: _Context) -> int | None:
        if not self._may_suspend(node) and not _jumps(node):
            return self._plain(node, block, context)
        match node:
            case tast.WithOrigin():
                # Statements of a rule carry its origin; where the first one suspends, the rule is noted before.
                if node.origin != context.procedure.origin and self._may_suspend(node.body[0]):
                    self._add(block, tast.WithOrigin(node.origin, ()))
                return self._body(node.body, block, evolve(context, origin=node.origin))
            case tast.Branch():
                return self._branch(node, block, context)
            case tast.ForEach():
                return self._for_each(node, block, context)
            case tast.Loop():
                return self._loop(node, block, context)
            case tast.Choose():
                return self._choose(node, block, context)
            case tast.RollDice() | tast.DrawRandom():
                return self._chance(node, block, context)
            case tast.EmitEvent():
                return self._call(f"event {node.event}", node.args, block, context)
            case tast.CallPhase() if node is _last_statement(context.procedure):
                self._last_call(node, block)
            case tast.CallPhase():
                return self._call(f"phase {node.phase}", node.args, block, context)
            case tast.EndGame():
                self._add(block, tast.WithOrigin(context.origin, (node,)))
                self._end(block, Halt())
            case tast.Leave():
                assert context.loop_exit is not None
                self._end(block, Goto(context.loop_exit))
            case tast.Return():
                self._end(block, Goto(context.exit))
        return None

    def _plain(self, node: Statement, block: int, context: _Context) -> int:
        """Add a statement that stays as it is."""
        if isinstance(node, tast.Bind):
            self._keep(node.local)
        elif not isinstance(node, tast.WithOrigin):
            node = tast.WithOrigin(context.origin, (node,))
        self._add(block, node)
        return block

    def _branch(self, node: tast.Branch, block: int, context: _Context) -> int | None:
        join: int | None = None
        for case in node.cases:
            then, otherwise = (self._new_block(context.procedure) for _ in range(2))
            self._end(block, CondBranch(case.condition, then, otherwise))
            join = self._join(self._body(case.body, then, context), join, context)
            block = otherwise
        return self._join(self._body(node.otherwise, block, context), join, context)

    def _join(self, last: int | None, join: int | None, context: _Context) -> int | None:
        """The block after all branches, made when the first of them gets to its end."""
        if last is None:
            return join
        join = self._new_block(context.procedure) if join is None else join
        self._end(last, Goto(join))
        return join

    # -------------------------------------------------------------- loops
    def _for_each(self, node: tast.ForEach, block: int, context: _Context) -> int:
        local = self._keep(node.local)
        if isinstance(node.domain, tuple):
            loop = self._over_items(node.domain, local, block)
        elif node.last is not None:
            loop = self._over_numbers(node.domain, node.last, local, block)
        else:
            loop = self._over_set(node.domain, local, block)
        return self._cycle(loop, node.body, block, evolve(context, values=(*context.values, local)))

    def _over_set(self, domain: Expr, local: Local, block: int) -> _Cycle:
        rest = self._new_local("rest", domain.type)
        self._add(block, tast.Bind(rest, domain))
        step = (
            tast.Bind(local, Operation("first_of", (rest,), local.type)),
            tast.Bind(rest, Operation("rest_of", (rest,), rest.type)),
        )
        return _Cycle(Operation("some", (rest,), types.BOOL), step)

    def _over_numbers(self, first: Expr, last: Expr, local: Local, block: int) -> _Cycle:
        most = self._new_local("last", COUNT)
        if isinstance(last, Const):
            self.defaults[most.name] = last.value
        self._add(block, tast.Bind(local, first), tast.Bind(most, last))
        step = (tast.Bind(local, Operation("add", (local, ONE), local.type)),)
        return _Cycle(Operation("le", (local, most), types.BOOL), after=step)

    def _over_items(self, items: tuple[Expr, ...], local: Local, block: int) -> _Cycle:
        values: list[Expr] = []
        for item in items:
            value = item if isinstance(item, Const) else self._new_local("item", local.type)
            values.append(value)
            if isinstance(value, Local):
                self._add(block, tast.Bind(value, item))
        index = self._new_local("index", types.IntType(0, len(items)))
        self.defaults[index.name] = len(items)
        self._add(block, tast.Bind(index, ZERO))
        step = (
            tast.Bind(local, Operation("nth", (index, *values), local.type)),
            tast.Bind(index, Operation("add", (index, ONE), index.type)),
        )
        end = Const(len(items), index.type)
        return _Cycle(Operation("lt", (index, end), types.BOOL), step)

    def _loop(self, node: tast.Loop, block: int, context: _Context) -> int:
        assert node.bound is not None
        times = self._new_local("times", COUNT)
        self.defaults[times.name] = 1
        most = node.bound if isinstance(node.bound, Const) else self._new_local("most", COUNT)
        if isinstance(most, Local):
            self._add(block, tast.Bind(most, node.bound))
        self._add(block, tast.Bind(times, ZERO))
        is_bounded = Operation("lt", (times, most), types.BOOL)
        condition = Operation("and", (is_bounded, node.condition), types.BOOL)
        step = (tast.Bind(times, Operation("add", (times, ONE), COUNT)),)
        return self._cycle(_Cycle(condition, step), node.body, block, context)

    def _cycle(self, cycle: _Cycle, body: Body, block: int, context: _Context) -> int:
        head = self._next(block, context)
        inside, exit_ = (self._new_block(context.procedure) for _ in range(2))
        self._end(head, CondBranch(cycle.condition, inside, exit_))
        self._add(inside, *cycle.before)
        last = self._body(body, inside, evolve(context, loop_exit=exit_))
        if last is not None:
            self._add(last, *cycle.after)
            self._end(last, Goto(head))
        return exit_

    # -------------------------------------------------------------- suspensions and calls
    def _frame(self, context: _Context) -> CallFrame:
        procedure = context.procedure
        return_block = None if procedure.kind == "scenario" else context.return_block
        return CallFrame(
            procedure.kind, procedure.name, context.values, return_block, context.origin
        )

    def _choose(self, node: tast.Choose, block: int, context: _Context) -> int:
        frame = self._frame(context)
        if node.each is None:
            decision = self._next(block, context)
            after = self._new_block(context.procedure)
            self._suspend(decision, DecisionPause(node.players, None, node.actions, after, frame))
            self._returns_to(after, (f"action {action}" for action in node.actions), frame)
            return after
        waiting = self._new_local("waiting", types.SetType(node.each.type))
        self._add(block, tast.Bind(waiting, node.players))
        head = self._next(block, context)
        decision, after = (self._new_block(context.procedure) for _ in range(2))
        is_waiting = Operation("some", (waiting,), types.BOOL)
        self._end(head, CondBranch(is_waiting, decision, after))
        self._suspend(decision, DecisionPause(waiting, waiting, node.actions, head, frame))
        self._returns_to(head, (f"action {action}" for action in node.actions), frame)
        return after

    def _returns_to(self, block: int, keys: Iterable[str], caller: CallFrame) -> None:
        """Note the block to which procedures return, and the frame of their caller."""
        self.callers[block] = caller
        for key in keys:
            self.returns.setdefault(key, []).append(block)

    def _suspend(self, block: int, suspension: Suspension) -> None:
        self._end(block, Suspend(len(self.suspensions)))
        self.suspensions.append(suspension)

    def _chance(self, node: tast.RollDice | tast.DrawRandom, block: int, context: _Context) -> int:
        local = self._keep(node.local)
        frame = self._frame(context)
        waiting = self._next(block, context)
        after = self._new_block(context.procedure)
        if isinstance(node, tast.RollDice):
            roll = DiceRoll(node.number, node.sides, local, node.keys, after, frame)
            self._suspend(waiting, roll)
        else:
            draw = RandomDraw(node.source, node.weight, local, node.keys, after, frame)
            self._suspend(waiting, draw)
        return after

    def _call(self, key: str, args: tuple[Expr, ...], block: int, context: _Context) -> int:
        after = self._new_block(context.procedure)
        self._jump_to(self.routines[key], args, after, block)
        self._returns_to(after, (key,), self._frame(context))
        return after

    def _last_call(self, node: tast.CallPhase, block: int) -> None:
        """A scenario does not return from the phase that it calls last.

        So a position that begins in that phase is the same state as a game that got there.
        """
        self._jump_to(self.routines[f"phase {node.phase}"], node.args, HALT, block)
        self._clear(self._own_locals(), block)

    def _jump_to(self, routine: Routine, args: tuple[Expr, ...], after: int, block: int) -> None:
        self._add(block, *map(tast.Bind, routine.params, args))
        self._add(block, tast.Bind(routine.return_block, Const(after, COUNT)))
        self._end(block, Goto(routine.entry))


def _last_statement(procedure: Procedure) -> Statement | None:
    """The statement with which a scenario ends."""
    body = procedure.body
    while procedure.kind == "scenario" and body:
        if not isinstance(body[-1], tast.WithOrigin):
            return body[-1]
        body = body[-1].body
    return None


def _jumps(node: Statement) -> bool:
    """Whether a statement may jump out of the body that it is in."""
    match node:
        case tast.Leave() | tast.Return() | tast.EndGame():
            return True
        case tast.Branch() | tast.WithOrigin():
            return any(_jumps(inner) for body in blocks_of(node) for inner in body)
        case tast.ForEach() | tast.Loop():
            # A loop catches its own `leave`.
            return any(
                isinstance(n, tast.Return | tast.EndGame) for n in walk_statements(node.body)
            )
    return False
