"""Statements of the generated Python as statements of the integer program."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from hots_rules.native.lowering import bounds as b
from hots_rules.native.lowering import numbers as n
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.expressions import RANGE_CHECK, Env, ExpressionLowering
from hots_rules.native.lowering.numbers import ONE, Number, binary
from hots_rules.native.lowering.planes import (
    Planes,
    all_of,
    conditions_of,
    is_found,
    is_one,
    lines_within,
    united,
)
from hots_rules.native.lowering.program import Branch, Do, Return, Within, walk
from hots_rules.native.lowering.runs import found_before_run, run_of
from hots_rules.native.lowering.static_values import NoPlaneError
from hots_rules.native.refusal import NotLowered, refused

TOO_MANY_CHECK = 2_000_002
"""The check that the list of legal actions has room for one more."""
MAX_ADDED = 28
"""The most nodes of a condition that is computed for all members, without a branch."""
MAX_SUMMED = 31
"""The largest number of a column that is added up by its bits."""
MAX_REPEATED = 100
"""The most parts of a loop that stands there once for each word of its set."""
MIN_NARROWED = 8
"""The fewest members of a type over which a loop is narrowed."""
_ACCUMULATORS = {"found", "first", "new", "more"}
"""The locals in which generated loops accumulate a result; no other local outlives a turn of its loop."""
_LEAVE = ast.Return | ast.Continue | ast.Break


class FunctionLowering(ExpressionLowering):
    """Lowers one function; `returned` are the bounds of what it returns; None before its first return."""

    returned: Bounds | None = None
    result_cells = 1
    name = ""
    action = 0  # the number of that which it lists
    is_trial = False  # whether its changes of the state are taken back where it returns

    def parameter(self, name: str, bounds: Bounds) -> tuple[str, ...]:
        """A parameter, as the names of its words."""
        names = _names(name, bounds.cells)
        self.env[name] = Number(tuple(map(p.Local, names)), bounds)
        return names

    def body(self, statements: Sequence[ast.stmt]) -> p.Body:
        """Statements, with a prelude of their own."""
        with self.own_prelude() as prelude:
            for statement in statements:
                self.statement(statement)
        return tuple(prelude)

    def add(self, *statements: p.Statement) -> None:
        """Add statements after those that are lowered already."""
        self.prelude += statements

    def statement(self, node: ast.stmt) -> None:
        """Lower one statement of the generated Python."""
        match node:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value)
            case ast.AugAssign():
                self._augmented(node)
            case ast.If():
                self._branch(node)
            case ast.For(target=ast.Name(id=name)):
                self._for(name, node)
            case ast.Expr(value=ast.Call() as call):
                self._do(call)
            case ast.Return():
                self._return(node.value)
            case ast.Continue():
                self.add(p.Continue())
            case ast.Break():
                self.add(p.Break())
            case ast.Pass():
                pass
            case _:
                raise refused(node)

    # -------------------------------------------------------------- assignments
    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Name(id="S"), _:
                # Its copy of the state is the state itself, which is put back at the end.
                self.is_trial = True
                self.add(p.Do(p.Call(keep_name(self.name))))
            case ast.Name(id="out"), ast.List(elts=[]):
                self.add(self.module.memory["COUNT"].store(n.ZERO))
                if (runs := self.module.memory.get("RUNS")) is not None:
                    self.add(runs.store(n.ZERO))
            case ast.Name(id=name), ast.Call(func=ast.Name("bits"), args=[mask]):
                self.set(name, self.mask(mask))
            case ast.Name(id=name), _:
                self.set(name, self.number(value))
                self.terms[name] = value
            case ast.Subscript(slice=ast.Slice(lower=low, upper=high)), _:
                self._fill(low, high, value)
            case ast.Subscript(slice=place), _:
                self._store(place, self.number(value))
            case (
                ast.Tuple(elts=[ast.Name(id=quotient_name), remainder_target]),
                ast.Call(func=ast.Name("divmod"), args=[dividend, divisor]),
            ):
                results = self.divided(value, self.number(dividend), self.number(divisor))
                quotient, remainder = map(self.held_number, results)
                self._set_target(remainder_target, remainder)
                self.set(quotient_name, quotient)
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                numbers = [self.held_number(self.number(value)) for value in values]
                for element, number in zip(targets, numbers, strict=True):
                    self._set_target(element, number)
            case _:
                raise refused(target)

    def _set_target(self, target: ast.expr, number: Number) -> None:
        match target:
            case ast.Name(id=name):
                self.set(name, number)
            case ast.Subscript(value=ast.Name("S"), slice=place):
                self._store(place, number)
            case _:
                raise refused(target)

    def set(self, name: str, number: Number) -> None:
        """Give a local name a value."""
        names = _names(name, len(number.words))
        self.terms.pop(name, None)
        self.add(*map(p.Assign, names, number.words))
        self.env[name] = Number(tuple(map(p.Local, names)), number.bounds)

    def _augmented(self, node: ast.AugAssign) -> None:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                left, right = self.number(ast.Name(name)), self.number(value)
                self.set(name, self.operation(node, op, left, right))
            case ast.AugAssign(target=ast.Subscript(slice=place), op=op, value=value):
                left, right = self.load(place), self.number(value)
                self._store(place, self.operation(node, op, left, right))

    def _store(self, place: ast.expr, number: Number) -> None:
        base, index, room, bounds = self.place(place)
        number = self.within(number, bounds, RANGE_CHECK)
        if bounds.cells > 1 and index is not None:
            index = self.held(index)
        words = number.widened(bounds.cells)
        if bounds.cells > 1:
            words = tuple(map(self.held, words))
        self.add(*(p.Store(base + k, word, index, room) for k, word in enumerate(words)))

    def _fill(self, low: ast.expr | None, high: ast.expr | None, value: ast.expr) -> None:
        """`S[low:high] = [value] * count`, or a list of constants."""
        if not (isinstance(low, ast.Constant) and isinstance(high, ast.Constant)):
            raise refused(value)
        start, stop = int(low.value), int(high.value)  # type: ignore[arg-type]
        match value:
            case ast.BinOp(left=ast.List(elts=[repeated]), op=ast.Mult()):
                values = [int(ast.literal_eval(repeated))] * (stop - start)
            case ast.List():
                values = [int(number) for number in ast.literal_eval(value)]
            case _:
                raise refused(value)
        while values:
            count = next((i for i, number in enumerate(values) if number != values[0]), len(values))
            self._fill_run(start, count, values[0])
            start, values = start + count, values[count:]

    def _fill_run(self, start: int, count: int, value: int) -> None:
        part = self.module.slots.range_of(start, start)
        number = self.within(n.constant(value), part.bounds, RANGE_CHECK)
        if count < 4 or part.cells > 1 or part.last < start + count - 1:
            for slot in range(start, start + count):
                words = number.widened(part.cells)
                base = self.module.slots.cell(slot)
                self.add(*(p.Store(base + place, word) for place, word in enumerate(words)))
            return
        turn = self.fresh()
        store = p.Store(self.module.slots.cell(start), number.word, p.Local(turn), count)
        self.add(p.ForRange(turn, n.ZERO, p.Const(count), (store,)))

    # -------------------------------------------------------------- branches and loops
    def _branch(self, node: ast.If) -> None:
        match node.body:
            case [
                ast.Expr(
                    value=ast.Call(
                        func=ast.Name("within"), args=[ast.Name(id=name), low, high, check]
                    )
                )
            ]:
                # `if not low <= name <= high: within(name, …)`: the check tests the bounds, so no branch is made.
                bounds = Bounds(*(int(ast.literal_eval(bound)) for bound in (low, high)))
                number = self.within(self.env[name], bounds, int(ast.literal_eval(check)))
                self.set(name, number)
                return
        condition = self.condition(node.test)
        before = self.env
        self.env = before.copy()
        then = self.body(node.body)
        after_then = self.env
        self.env = before.copy()
        otherwise = self.body(node.orelse)
        self.add(p.Branch(condition, then, otherwise))
        self.env = _joined(
            *(
                env
                for env, body in ((after_then, node.body), (self.env, node.orelse))
                if not _leaves(body)
            )
        )

    def _for(self, name: str, node: ast.For) -> None:
        if self.module.charge is None and (self._add_run(node) or self._add_sum(name, node)):
            return
        conditions, rest = conditions_of(node.body)
        if (
            self.module.charge is None
            and not node.orelse
            and self._at_once(name, node, conditions, rest)
        ):
            return
        if self.module.charge is None and (added := self._added(name, node, conditions, rest)):
            node, conditions = ast.For(node.target, node.iter, [added], []), []
        elif self.module.charge is None:
            node = self._narrowed(name, node)
        assigned = {
            part.id
            for part in ast.walk(node)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }

        def body() -> None:
            for statement in node.body:
                self.statement(statement)

        # Accumulators alone are read by later turns and behind the loop: their bounds must hold for all turns.
        kept = sorted(assigned & self.env.keys() & _ACCUMULATORS)
        for local in kept:
            self._widen(local, self._accumulator_bounds(name, node, body, local))
        outer = {
            key: number for key, number in self.env.items() if key not in assigned or key in kept
        }
        is_by_words = self.module.charge is None and _is_short(node)
        self.loop(name, node.iter, body, outer, is_by_words=is_by_words)
        self.env = outer

    def _add_sum(self, name: str, node: ast.For) -> bool:
        """Add up a column of small numbers over a set: for each bit, count the members whose number has it."""
        match node:
            case ast.For(
                iter=ast.Call(ast.Name("bits"), [domain]),
                body=[
                    ast.AugAssign(
                        ast.Name("found"),
                        ast.Add(),
                        ast.Subscript(ast.Name(table), ast.Name(member)),
                    )
                ],
                orelse=[],
            ) if member == name and table in self.module.rows:
                column = [number for (number, *_) in self.module.rows[table]]
            case _:
                return False
        with self.own_prelude():
            _, many = self.domain_bounds(node.iter)
        if self.module.row_length(table) > 1 or many > len(column):
            return False
        if min(column) < 0 or max(column) > MAX_SUMMED:
            return False
        mask = self.held_number(self.mask(domain))
        total: p.Expr = n.ZERO
        for bit in range(max(column).bit_length()):
            having = sum(1 << at for at, number in enumerate(column) if number >> bit & 1)
            parts = [
                binary("and", word, p.Const(having >> place * p.WORD & p.FULL))
                for place, word in enumerate(mask.words)
            ]
            total = binary("add", total, binary("shl", n.total_count(parts), p.Const(bit)))
        before = ast.Name("found")
        found = Number((total,), Bounds(0, sum(column)))
        self.set("found", self.operation(before, ast.Add(), self.number(before), found))
        return True

    def _at_once(
        self, name: str, node: ast.For, conditions: list[ast.expr], rest: Sequence[ast.stmt]
    ) -> bool:
        """Lower a loop over a set without its conditions, by planes; False if that is not possible."""
        match node.iter, rest:
            case ast.Call(ast.Name("bits"), [domain]), [
                ast.AugAssign(ast.Name("found"), ast.BitOr())
            ]:
                pass
            case ast.Call(ast.Name("bits"), [domain]), _ if conditions:
                pass
            case _:
                return False
        before = self.env.copy()
        try:
            with self.own_prelude() as prelude:
                self._add_at_once(name, domain, conditions, rest)
        except (NoPlaneError, NotLowered):
            self.env = before
            return False
        self.add(*prelude)
        return True

    def _add_at_once(
        self, name: str, domain: ast.expr, conditions: list[ast.expr], rest: Sequence[ast.stmt]
    ) -> None:
        if is_one(rest) and len(conditions) == 1 and isinstance(domain, ast.Subscript):
            is_some = lines_within(self, name, domain, conditions[0])
            self.add(Branch(is_some, (Return(ONE),)))
            return
        members = self.mask(domain)
        planes = Planes.of(self, name, members.bounds.members)
        if conditions:
            with self.own_prelude() as prelude:
                plane = planes.plane(all_of(conditions))
            if any(isinstance(part, Within) for part in walk((*prelude, Do(plane)))):
                raise NoPlaneError
            self.add(*prelude)
            bounds = Bounds(0, members.bounds.high)
            members = Number((binary("and", members.word, plane),), bounds)
        match rest:
            case _ if is_found(rest, name):
                found = members
            case [ast.AugAssign(ast.Name("found"), ast.BitOr(), added)]:
                found = united(planes, added, members.word)
            case _ if is_one(rest):
                self.add(Branch(members.word, (Return(ONE),)))
                return
            case _:
                chosen = self.fresh("chosen")
                self.set(chosen, members)
                narrowed = ast.Call(
                    ast.Name("bits", ast.Load()), [ast.Name(chosen, ast.Load())], []
                )
                self._for(name, ast.For(ast.Name(name, ast.Store()), narrowed, list(rest), []))
                return
        before = ast.Name("found")
        self.set("found", self.operation(before, ast.BitOr(), self.number(before), found))

    def _added(
        self, name: str, node: ast.For, conditions: list[ast.expr], rest: Sequence[ast.stmt]
    ) -> ast.stmt | None:
        """The statement of a loop that adds its member to `found` under short conditions: it adds a bit, 0 or 1.

        So no branch depends on a condition, and several members are tested at once.
        """
        if not (conditions and is_found(rest, name)):
            return None
        whole = bit_of(ast.BoolOp(ast.And(), [*conditions, ast.Constant(1)]))
        outer = self.env
        with self.own_prelude():
            bounds, _ = self.domain_bounds(node.iter)
        with self.own_prelude() as prelude:
            self.env = {**outer, name: Number((p.Local(name),), bounds)}
            word = self.number(whole).word
        self.env = outer
        parts = list(walk((*prelude, Do(word))))
        if bounds.high >= p.WORD and not _is_short(node):
            return None
        if len(parts) > MAX_ADDED or not all(map(_is_plain, parts)):
            return None
        shifted = ast.BinOp(whole, ast.LShift(), ast.Name(name, ast.Load()))
        return ast.AugAssign(ast.Name("found", ast.Store()), ast.BitOr(), shifted)

    def _narrowed(self, name: str, node: ast.For) -> ast.For:
        """A loop over most members of a type, over those alone for which its body does something.

        They are found without a branch, as by `_added`, where a set in which the body finds something to do has a plain
        part.
        """
        match node.iter:
            case ast.Call(ast.Name("bits"), [ast.Constant() | ast.BinOp(ast.Constant()) as domain]):
                members = self.mask(domain)
            case _:
                return node
        before, needed = needed_set(node.body)
        many = members.bounds.members
        if needed is None or not MIN_NARROWED <= many <= p.WORD:
            return node
        outer, member = self.env, p.Local(self.fresh(name))
        self.env = {**outer, name: Number((member,), Bounds(0, many - 1))}
        plain = [word for factor in _factors(needed) if (word := self._plain(factor)) is not None]
        with self.own_prelude() as prelude:
            for statement in before:
                self.statement(statement)
        self.env = outer
        if not plain or not all(map(_is_plain, walk(tuple(prelude)))):
            return node
        word = functools.reduce(functools.partial(binary, "and"), plain)
        chosen = p.Local(self.fresh("chosen"))
        bit = binary("shl", n.as_bit(word), member)
        turn = (p.Assign(chosen.name, binary("or", chosen, bit)),)
        self.add(
            p.Assign(chosen.name, n.ZERO),
            p.ForRange(member.name, n.ZERO, p.Const(many), turn),
            p.Assign(chosen.name, binary("and", chosen, members.word)),
        )
        self.env[chosen.name] = Number((chosen,), Bounds(0, members.bounds.high))
        narrowed = ast.Call(ast.Name("bits", ast.Load()), [ast.Name(chosen.name, ast.Load())], [])
        return ast.For(node.target, narrowed, node.body, node.orelse)

    def _plain(self, node: ast.expr) -> p.Expr | None:
        """A word that costs little and cannot fail; None where an expression gives something else."""
        with suppress(NotLowered), self.own_prelude() as prelude:
            number = self.number(node)
            if (
                len(number.words) == 1
                and not prelude
                and all(map(_is_plain, walk(Do(number.word))))
            ):
                return number.word
        return None

    def _accumulator_bounds(
        self, name: str, node: ast.For, body: Callable[[], None], local: str
    ) -> Bounds:
        """The bounds of an accumulator behind its loop, from those after one turn, whose code is dropped."""
        held: list[Bounds] = []

        def turn() -> None:
            body()
            held.append(self.env[local].bounds)

        before = self.env
        with self.own_prelude():
            _, many = self.domain_bounds(node.iter)
            self.loop(name, node.iter, turn)
        self.env = before
        low, high = held[0].join(before[local].bounds)
        match node.body[-1]:
            case ast.AugAssign(op=ast.BitOr()):
                return b.mask_of(held[0].members)
            case ast.AugAssign(op=ast.Add()):
                bounds = Bounds(min(low, 0) * many, max(high, 0) * many)
                if bounds.cells > 1:
                    raise refused(node, "a sum with more than 64 bits")
                return bounds
        return Bounds(low, high)

    def _widen(self, name: str, bounds: Bounds) -> None:
        """Give a local name wider bounds, and as many words as they need."""
        self.set(name, Number(self.env[name].widened(bounds.cells), bounds))

    def _return(self, value: ast.expr | None) -> None:
        match value:
            case None:
                self.add(p.Return())
            case ast.Name("out"):
                self.add(p.Return(self.module.memory["COUNT"].load()))
            case _:
                self._return_number(self.number(value))

    def _return_number(self, number: Number) -> None:
        """One word is returned, several are left in the region `RESULT`."""
        before = self.returned
        self.returned = number.bounds if before is None else before.join(number.bounds)
        cells = self.result_cells
        if cells <= 1 and not self.is_trial:
            self.add(p.Return(number.words[0]))
            return
        words = tuple(map(self.held, number.widened(max(cells, 1))))
        if self.is_trial:
            self.add(p.Do(p.Call(put_back_name(self.name))))
        if cells <= 1:
            self.add(p.Return(words[0]))
            return
        base = self.module.memory["RESULT"].base
        self.add(*(p.Store(base + k, word) for k, word in enumerate(words)), p.Return())

    # -------------------------------------------------------------- calls
    def _do(self, call: ast.Call) -> None:
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name("out"), attr="append"), args=[code]):
                self._push(code)
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(attr="log"), attr="append"), args=[note]
            ) if self.module.notes is not None:
                self._count(self.module.notes.cell(note))
            case ast.Call(func=ast.Name("within")):
                number = self.number(call)
                if isinstance(number.words[0], p.Within):
                    self.add(p.Do(number.words[0]))
            case ast.Call(func=ast.Name(id=name)):
                self.add(p.Do(self.module.call(self, call, name)))
            case _:
                raise refused(call)

    def _count(self, cell: int | None) -> None:
        """Add 1 to the count of a note; the cell is None for one that is not counted."""
        if cell is not None:
            place = self.module.memory["SEEN"].base + cell
            self.add(p.Store(place, n.binary("add", p.Load(place), n.ONE)))

    def _add_run(self, node: ast.For) -> bool:
        """Append the actions of a loop that does nothing else, for each word of its set; False if they are no run."""
        if "RUNS" in self.module.memory and (parts := found_before_run(node)) is not None:
            for part in parts:
                self.statement(part)
            return True
        run = run_of(node)
        if run is None:
            return False
        with self.own_prelude() as prelude:
            mask = self.mask(run.domain)
        self.add(*prelude)
        words = [self.held(word) for word in mask.words]
        for place, members in enumerate(words):
            with self.own_prelude() as body:
                first = self.held(n.binary("add", self.word(run.first), p.Const(p.WORD * place)))
                if "RUNS" in self.module.memory:
                    self._push_run(members, first)
                else:
                    self._push_each(members, first)
            self.add(p.Branch(members, tuple(body)))
        return True

    def _push_each(self, members: p.Expr, first: p.Expr) -> None:
        """Append the sums of a code and the members of a set; their number is written once."""
        memory = self.module.memory
        at, member = p.Local(self.fresh()), p.Local(self.fresh())
        code = n.binary("add", first, member)
        turn = (
            memory["OUT"].store(code, self._index(at, memory["OUT"])),
            p.Assign(at.name, n.binary("add", at, n.ONE)),
        )
        self.add(
            p.Assign(at.name, memory["COUNT"].load()),
            p.ForBits(member.name, members, turn),
            memory["COUNT"].store(at),
        )

    def _index(self, at: p.Expr, region: p.Region) -> p.Expr:
        """A place in a list of actions, checked where it may have no room."""
        if self.module.has_room:
            return at
        return p.Within(at, 0, region.room - 1, TOO_MANY_CHECK)

    def _push_run(self, members: p.Expr, first: p.Expr) -> None:
        """Append the sums of a code and the members of a set to the legal actions."""
        memory = self.module.memory
        runs, count, at = memory["RUNS"], memory["COUNT"], p.Local(self.fresh())
        last = p.Const(memory["MASKS"].room - 1)
        self.add(
            p.Assign(at.name, binary("and", self._index(runs.load(), memory["MASKS"]), last)),
            memory["MASKS"].store(members, at),
            memory["FIRSTS"].store(first, at),
            memory["ACTIONS"].store(p.Const(self.action), at),
            runs.store(n.binary("add", at, n.ONE)),
            count.store(n.binary("add", count.load(), p.Unary("count", members))),
        )

    def _push(self, code: ast.expr) -> None:
        """Append the code of an action to the list of legal actions in the region `OUT`, or to the runs."""
        memory = self.module.memory
        out, count = memory["OUT"], memory["COUNT"]
        word = self.word(code)
        if "RUNS" in memory:
            self._push_run(n.ONE, word)
            return
        at = p.Local(self.fresh())
        self.add(
            p.Assign(at.name, count.load()),
            out.store(word, self._index(at, out)),
            count.store(n.binary("add", at, n.ONE)),
        )


def _is_short(node: ast.For) -> bool:
    """Whether a loop may stand there twice: it has few parts, no other loop within it, and no way to leave it."""
    parts = [part for statement in node.body for part in ast.walk(statement)]
    return len(parts) <= MAX_REPEATED and not any(
        isinstance(part, ast.For | ast.Break) for part in parts
    )


def needed_set(body: Sequence[ast.stmt]) -> tuple[Sequence[ast.stmt], ast.expr | None]:
    """The set without whose members a turn of a loop does nothing, if known, after the assignments before it."""
    terms = dict[str, ast.expr]()
    for at, statement in enumerate(body):
        match statement:
            case ast.Assign([ast.Name(name)], term):
                terms[name] = term
            case ast.If(ast.UnaryOp(ast.Not(), ast.Name(name)), [ast.Continue()], []):
                return body[: at - 1], terms.get(name)
            case ast.For(iter=ast.Call(ast.Name("bits"), [domain])) if body[at + 1 :] == []:
                return body[:at], domain
            case _:
                break
    return (), None


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an intersection."""
    match node:
        case ast.BinOp(left, ast.BitAnd(), right):
            yield from _factors(left)
            yield from _factors(right)
        case _:
            yield node


def bit_of(condition: ast.expr) -> ast.expr:
    """A condition as 0 or 1, all of whose parts are computed."""
    match condition:
        case ast.BoolOp(op, values):
            both = ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr()
            first, *others = map(bit_of, values)
            return functools.reduce(lambda left, right: ast.BinOp(left, both, right), others, first)
        case ast.UnaryOp(ast.Not(), operand):
            return ast.UnaryOp(ast.Not(), bit_of(operand))
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), condition))


def _is_plain(node: p.Node) -> bool:
    """Whether a part of an expression costs little, and cannot fail."""
    return not isinstance(node, p.Call | p.Within | p.Block | p.Logic)


def keep_name(function: str) -> str:
    """The function that keeps the cells of the state that another one may change."""
    return f"keep_{function}"


def put_back_name(function: str) -> str:
    """The function that puts them back."""
    return f"put_back_{function}"


def _names(name: str, cells: int) -> tuple[str, ...]:
    return (name, *(f"{name}.w{place}" for place in range(1, cells)))


def _leaves(body: Sequence[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], _LEAVE)


def _joined(*envs: Env) -> Env:
    """The locals that have the same words in all environments, with bounds that hold in each of them."""
    if not envs:
        return {}
    first, *others = envs
    joined: Env = {}
    for name, number in first.items():
        numbers = [env.get(name) for env in others]
        defined = [held for held in numbers if held is not None]
        if len(defined) == len(numbers) and all(held.words == number.words for held in defined):
            bounds = b.hull([number.bounds, *(held.bounds for held in defined)])
            if bounds.cells == len(number.words):
                joined[name] = Number(number.words, bounds)
    return joined
