"""From woven procedures to blocks: whatever can be interrupted is cut where it may stop."""

from __future__ import annotations

from attrs import define, evolve, field, frozen

from hots_rules.compile.program import (
    HALT,
    Ask,
    Back,
    Block,
    Decision,
    Dice,
    Drawing,
    End,
    Goto,
    Halt,
    Program,
    Routine,
    Scope,
    Site,
    Test,
)
from hots_rules.compile.weave import Procedure, Woven
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Const, Expr, Local, Operation, Statement

COUNT = types.IntType(0, types.MAX_NUMBER)
ONE, ZERO = Const(1, types.IntType(1, 1)), Const(0, types.IntType(0, 0))


def interrupted(woven: Woven) -> frozenset[str]:
    """The procedures in which somebody may be asked, straight or through what they call."""
    found: set[str] = set()
    grown = True
    while grown:
        grown = False
        for key, procedure in woven.procedures.items():
            if key not in found and stops(procedure.body, found):
                found.add(key)
                grown = True
    return frozenset(found)


def stops(body: Body, known: set[str] | frozenset[str]) -> bool:
    """Whether a block may stop to ask, given the procedures that do."""
    return any(_stops(statement, known) for statement in body)


def _stops(node: Statement, known: set[str] | frozenset[str]) -> bool:
    match node:
        case tast.Choose() | tast.RollDice() | tast.DrawRandom():
            return True
        case tast.EmitEvent():
            return f"event {node.event}" in known
        case tast.CallPhase():
            return f"phase {node.phase}" in known
        case tast.Branch():
            return any(stops(block, known) for _, block in node.cases) or stops(
                node.otherwise, known
            )
        case tast.ForEach() | tast.Loop() | tast.WithOrigin():
            return stops(node.body, known)
    return False


@frozen
class _Place:
    """Where the cutting is: the procedure, its loop values, where `leave` and `return` go."""

    procedure: Procedure
    back: Local
    values: tuple[Local, ...]
    leave: int | None
    out: int
    origin: tast.Origin


@define
class _Draft:
    name: str
    body: list[Statement] = field(factory=list)
    end: End | None = None


class Flattener:
    """Cuts all procedures of a ruleset that can be interrupted."""

    def __init__(self, woven: Woven) -> None:
        self.woven = woven
        self.interrupted = interrupted(woven)
        self.drafts: list[_Draft] = []
        self.sites: list[Site] = []
        self.frame: dict[str, Local] = {}
        self.owners: dict[str, str] = {}
        self.routines: dict[str, Routine] = {}
        self.calls: dict[int, Scope] = {}
        self._before: set[str] = set()
        self._fresh = 0

    def flattened(self) -> Program:
        """The program; every procedure first gets its entry, so that calls know where to go."""
        for key in self.woven.procedures:
            if key in self.interrupted or key.startswith("scenario "):
                self._declare(self.woven.procedures[key])
        for key, routine in list(self.routines.items()):
            self._routine(self.woven.procedures[key], routine)
        blocks = tuple(Block(d.name, tuple(d.body), d.end or Halt()) for d in self.drafts)
        return Program(
            blocks,
            tuple(self.sites),
            self.routines,
            tuple(self.frame.values()),
            self.calls,
            self.owners,
        )

    def _declare(self, procedure: Procedure) -> None:
        entry = self._new(procedure.key.replace(" ", "_"))
        back = self._slot("back", COUNT)
        for param in procedure.params:
            self.frame[param.name] = param
        self.routines[procedure.key] = Routine(procedure.key, procedure.params, entry, back)

    def _routine(self, procedure: Procedure, routine: Routine) -> None:
        out = self._new(procedure.key.replace(" ", "_"))
        place = _Place(procedure, routine.back, procedure.params, None, out, procedure.origin)
        self._before = before = set(self.frame)
        last = self._body(procedure.body, routine.entry, place)
        if last is not None:
            self._end(last, Goto(out))
        own = [self.frame[name] for name in self.frame if name not in before]
        self._forget((*own, *procedure.params), out)
        self.owners |= {local.name: routine.back.name for local in (*own, *procedure.params)}
        self._end(out, Halt() if procedure.kind == "scenario" else Back(routine.back))

    def _forget(self, locals_: tuple[Local, ...], block: int) -> None:
        """A frame left behind must not tell equal states apart."""
        self.drafts[block].body += [tast.Bind(local, Const(0, local.type)) for local in locals_]

    # -------------------------------------------------------------- drafting
    def _new(self, name: str) -> int:
        self.drafts.append(_Draft(f"{name}_{len(self.drafts)}"))
        return len(self.drafts) - 1

    def _slot(self, name: str, type_: types.Type) -> Local:
        self._fresh += 1
        local = Local(f"{name}__{self._fresh}", type_)
        self.frame[local.name] = local
        return local

    def _keep(self, local: Local) -> Local:
        self.frame[local.name] = local
        return local

    def _end(self, block: int, end: End) -> None:
        self.drafts[block].end = end

    def _next(self, block: int, place: _Place) -> int:
        """A new block right after another."""
        made = self._new(place.procedure.key.replace(" ", "_"))
        self._end(block, Goto(made))
        return made

    # -------------------------------------------------------------- statements
    def _body(self, body: Body, block: int | None, place: _Place) -> int | None:
        """Adds statements from a block on; the block in which play goes on, None if it does not."""
        for statement in body:
            if block is None:
                return None
            block = self._statement(statement, block, place)
        return block

    def _statement(self, node: Statement, block: int, place: _Place) -> int | None:
        if not _stops(node, self.interrupted) and not _jumps(node):
            if isinstance(node, tast.Bind):
                self._keep(node.local)
            self.drafts[block].body.append(
                tast.WithOrigin(place.origin, (node,))
                if not isinstance(node, tast.WithOrigin | tast.Bind)
                else node
            )
            return block
        match node:
            case tast.WithOrigin():
                # What a rule does at once tells of it; where it first asks, that must be noted apart.
                if node.origin != place.procedure.origin and _stops(node.body[0], self.interrupted):
                    self.drafts[block].body.append(tast.WithOrigin(node.origin, ()))
                inner = evolve(place, origin=node.origin)
                return self._body(node.body, block, inner)
            case tast.Branch():
                return self._branch(node, block, place)
            case tast.ForEach():
                return self._each(node, block, place)
            case tast.Loop():
                return self._loop(node, block, place)
            case tast.Choose():
                return self._decide(node, block, place)
            case tast.RollDice() | tast.DrawRandom():
                return self._chance(node, block, place)
            case tast.EmitEvent():
                return self._call(f"event {node.event}", node.args, block, place)
            case tast.CallPhase() if node is _last(place.procedure):
                self._last_call(node, block)
            case tast.CallPhase():
                return self._call(f"phase {node.phase}", node.args, block, place)
            case tast.EndGame():
                self.drafts[block].body.append(tast.WithOrigin(place.origin, (node,)))
                self._end(block, Halt())
            case tast.Leave():
                assert place.leave is not None
                self._end(block, Goto(place.leave))
            case tast.Return():
                self._end(block, Goto(place.out))
        return None

    def _branch(self, node: tast.Branch, block: int, place: _Place) -> int | None:
        join: int | None = None
        name = place.procedure.key.replace(" ", "_")
        for condition, body in node.cases:
            then, other = self._new(name), self._new(name)
            self._end(block, Test(condition, then, other))
            last = self._body(body, then, place)
            if last is not None:
                join = self._new(name) if join is None else join
                self._end(last, Goto(join))
            block = other
        last = self._body(node.otherwise, block, place)
        if last is not None:
            join = self._new(name) if join is None else join
            self._end(last, Goto(join))
        return join

    def _each(self, node: tast.ForEach, block: int, place: _Place) -> int:
        local = self._keep(node.local)
        if isinstance(node.domain, tuple):
            return self._each_item(node.domain, local, node.body, block, place)
        if node.last is not None:
            return self._each_number(node, node.domain, node.last, block, place)
        rest = self._slot("rest", node.domain.type)
        self.drafts[block].body.append(tast.Bind(rest, node.domain))
        step = (
            tast.Bind(local, Operation("first_of", (rest,), local.type)),
            tast.Bind(rest, Operation("rest_of", (rest,), rest.type)),
        )
        return self._cycle(
            Operation("some", (rest,), types.BOOL),
            step,
            node.body,
            (local,),
            block,
            place,
            after=(),
        )

    def _each_number(
        self, node: tast.ForEach, first: Expr, last: Expr, block: int, place: _Place
    ) -> int:
        local, most = node.local, self._slot("last", COUNT)
        self.drafts[block].body += [tast.Bind(local, first), tast.Bind(most, last)]
        step = (tast.Bind(local, Operation("add", (local, ONE), local.type)),)
        return self._cycle(
            Operation("le", (local, most), types.BOOL),
            (),
            node.body,
            (local,),
            block,
            place,
            after=step,
        )

    def _each_item(
        self, items: tuple[Expr, ...], local: Local, body: Body, block: int, place: _Place
    ) -> int:
        slots = tuple(
            item if isinstance(item, Const) else self._slot("item", local.type) for item in items
        )
        self.drafts[block].body += [
            tast.Bind(slot, item)
            for slot, item in zip(slots, items, strict=True)
            if isinstance(slot, Local)
        ]
        index = self._slot("index", types.IntType(0, len(items)))
        self.drafts[block].body.append(tast.Bind(index, ZERO))
        step = (
            tast.Bind(local, Operation("nth", (index, *slots), local.type)),
            tast.Bind(index, Operation("add", (index, ONE), index.type)),
        )
        bound = Const(len(items), index.type)
        return self._cycle(
            Operation("lt", (index, bound), types.BOOL),
            step,
            body,
            (local,),
            block,
            place,
            after=(),
        )

    def _loop(self, node: tast.Loop, block: int, place: _Place) -> int:
        times = self._slot("times", COUNT)
        most = node.bound if isinstance(node.bound, Const) else self._slot("most", COUNT)
        if isinstance(most, Local):
            self.drafts[block].body.append(tast.Bind(most, node.bound))
        self.drafts[block].body.append(tast.Bind(times, ZERO))
        step = (tast.Bind(times, Operation("add", (times, ONE), COUNT)),)
        condition = Operation(
            "and", (Operation("lt", (times, most), types.BOOL), node.condition), types.BOOL
        )
        return self._cycle(condition, step, node.body, (), block, place, after=())

    def _cycle(
        self,
        condition: Expr,
        step: Body,
        body: Body,
        values: tuple[Local, ...],
        block: int,
        place: _Place,
        *,
        after: Body,
    ) -> int:
        head = self._next(block, place)
        name = place.procedure.key.replace(" ", "_")
        inside, out = self._new(name), self._new(name)
        self._end(head, Test(condition, inside, out))
        self.drafts[inside].body += step
        inner = evolve(place, values=(*place.values, *values), leave=out)
        last = self._body(body, inside, inner)
        if last is not None:
            self.drafts[last].body += after
            self._end(last, Goto(head))
        return out

    # -------------------------------------------------------------- stops and calls
    def _scope(self, place: _Place) -> Scope:
        back = None if place.procedure.kind == "scenario" else place.back
        return Scope(place.procedure.kind, place.procedure.name, place.values, back, place.origin)

    def _decide(self, node: tast.Choose, block: int, place: _Place) -> int:
        scope = self._scope(place)
        if node.each is None:
            asking = self._next(block, place)
            after = self._new(place.procedure.key.replace(" ", "_"))
            self._end(asking, self._ask(Decision(node.players, None, node.actions, after, scope)))
            self.calls[after] = scope
            return after
        waiting = self._slot("waiting", types.SetType(node.each.type))
        self.drafts[block].body.append(tast.Bind(waiting, node.players))
        head = self._next(block, place)
        name = place.procedure.key.replace(" ", "_")
        asking, out = self._new(name), self._new(name)
        self._end(head, Test(Operation("some", (waiting,), types.BOOL), asking, out))
        self._end(asking, self._ask(Decision(waiting, waiting, node.actions, head, scope)))
        self.calls[head] = scope
        return out

    def _ask(self, site: Site) -> Ask:
        self.sites.append(site)
        return Ask(len(self.sites) - 1)

    def _chance(self, node: tast.RollDice | tast.DrawRandom, block: int, place: _Place) -> int:
        local = self._keep(node.local)
        scope = self._scope(place)
        asking = self._next(block, place)
        after = self._new(place.procedure.key.replace(" ", "_"))
        if isinstance(node, tast.RollDice):
            site: Site = Dice(node.number, node.sides, local, node.keys, after, scope)
        else:
            site = Drawing(node.source, node.weight, local, node.keys, after, scope)
        self._end(asking, self._ask(site))
        return after

    def _call(self, key: str, args: tuple[Expr, ...], block: int, place: _Place) -> int:
        routine = self.routines[key]
        after = self._new(place.procedure.key.replace(" ", "_"))
        body = self.drafts[block].body
        body += [tast.Bind(param, arg) for param, arg in zip(routine.params, args, strict=True)]
        body.append(tast.Bind(routine.back, Const(after, COUNT)))
        self._end(block, Goto(routine.entry))
        self.calls[after] = self._scope(place)
        return after

    def _last_call(self, node: tast.CallPhase, block: int) -> None:
        """A scenario ends with the phase that it calls last: there is nothing to come back to.

        So a position that begins in that phase is the same state as a game that came there.
        """
        routine = self.routines[f"phase {node.phase}"]
        body = self.drafts[block].body
        body += [tast.Bind(p, arg) for p, arg in zip(routine.params, node.args, strict=True)]
        body.append(tast.Bind(routine.back, Const(HALT, COUNT)))
        self._forget(
            tuple(self.frame[name] for name in self.frame if name not in self._before), block
        )
        self._end(block, Goto(routine.entry))


def _last(procedure: Procedure) -> Statement | None:
    """The statement with which a scenario ends."""
    body = procedure.body
    while procedure.kind == "scenario" and body:
        if not isinstance(body[-1], tast.WithOrigin):
            return body[-1]
        body = body[-1].body
    return None


def _jumps(node: Statement) -> bool:
    """Whether a statement may leave the block that it stands in."""
    match node:
        case tast.Leave() | tast.Return() | tast.EndGame():
            return True
        case tast.Branch():
            return any(map(_jumps, (s for _, block in node.cases for s in block))) or any(
                map(_jumps, node.otherwise)
            )
        case tast.WithOrigin():
            return any(map(_jumps, node.body))
        case tast.ForEach() | tast.Loop():
            return any(isinstance(s, tast.Return | tast.EndGame) for s in _flat(node.body))
    return False


def _flat(body: Body) -> list[Statement]:
    found: list[Statement] = []
    for node in body:
        found.append(node)
        match node:
            case tast.Branch():
                found += _flat(tuple(s for _, block in node.cases for s in block)) + _flat(
                    node.otherwise
                )
            case tast.ForEach() | tast.Loop() | tast.WithOrigin():
                found += _flat(node.body)
    return found
