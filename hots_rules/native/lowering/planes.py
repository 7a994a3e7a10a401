"""Conditions on the members of a set for all members at once: as planes, without a loop.

A *plane* is a word with a bit for each member: 1 where a condition holds. What a condition looks up in constant tables
is known for each member when it is lowered. `near[q] & X`, say, asks for members of `X` at some *distances* from `q`;
for all `q` it is a shift of `X` for each distance, and a constant mask of the `q` that have such a neighbour. So lines,
rays and neighbourhoods of a regular board need a few shifts, where a loop would visit each place and each line.

A loop remains where its conditions are of another kind, have too many distances, or may fail.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from hots_rules.compile.codes import bits
from hots_rules.native.lowering.bounds import mask_of
from hots_rules.native.lowering.chains import behind, chains_of, named_chains
from hots_rules.native.lowering.numbers import ALL, ZERO, Number, any_of, binary
from hots_rules.native.lowering.program import FULL, WORD, Conditional, Const, Expr
from hots_rules.native.lowering.static_values import NoPlaneError, Row, distances_of, evaluated

if TYPE_CHECKING:
    from hots_rules.native.lowering.expressions import ExpressionLowering

MAX_SHIFTS = 320
"""The most shifts of one plane; a loop over few members is quicker than more."""
MAX_UNION = 16
"""The most shifts of a union; its loop visits the members alone, and does little for each."""
MAX_SHAPES = 8
"""The most shapes of the lines of a table."""


@frozen
class CutSet:
    """A set for each member: what is in a constant mask of the member, and in a word that is common to all."""

    masks: Row
    common: Expr


@define
class _Shared:
    """What copies of `Planes` by `evolve` share: how many shifts a plane may still have, and what was computed once."""

    left: int = MAX_SHIFTS
    names: dict[ast.expr, set[str]] = field(factory=dict)


@define
class Planes:
    """Conditions on a local name, as planes.

    Attributes:
        lowering: the function that is lowered.
        rows: what each name stands for that depends on the member and on tables alone.
        asked: a bit for each member that is asked for.
        sets: what each name stands for that is a set which depends on the member.
    """

    lowering: ExpressionLowering
    rows: dict[str, Row]
    asked: int
    sets: dict[str, CutSet] = field(factory=dict)
    shared: _Shared = field(factory=_Shared)

    @classmethod
    def of(cls, lowering: ExpressionLowering, name: str, members: int) -> Planes:
        """Those of a name that stands for a number below `members`."""
        if members > WORD:
            raise NoPlaneError
        return cls(lowering, {name: tuple(range(members))}, (1 << members) - 1)

    # -------------------------------------------------------------- conditions
    def plane(self, node: ast.expr) -> Expr:
        """The members that satisfy a condition; what it says of members that are not asked for means nothing.

        Raises:
            NoPlaneError: the condition has no plane.
        """
        if (row := self.row(node)) is not None:
            return Const(_mask(bool(term) for term in row) & self.asked)
        if not self._depends(node):
            return self.lowering.held(Conditional(self.lowering.condition(node), ALL, ZERO))
        match node:
            case ast.BoolOp(op=ast.And()):
                return self._all(node.values)
            case ast.BoolOp(op=ast.Or()):
                return any_of(self.plane(part) for part in node.values)
            case ast.UnaryOp(op=ast.Not()):
                return binary("xor", self.plane(node.operand), ALL)
            case ast.IfExp(test, ast.Constant(1), ast.Constant(0)):
                return self.plane(test)
            case ast.Call(func=ast.Name(id=name)):
                return self._some(name, node.args)
            case ast.BinOp(ast.Subscript() as between, ast.BitAnd(), full) | ast.BinOp(
                full, ast.BitAnd(), ast.Subscript() as between
            ) if not self._depends(full) and (line := self._line(between)) is not None:
                return self._behind(*line, full)
        return self._filled(self.set_of(node))

    def _all(self, conditions: Sequence[ast.expr]) -> Expr:
        """The members that satisfy all conditions; each asks for those that satisfy the constant ones before it."""
        plane: Expr = ALL
        own = evolve(self)
        for condition in conditions:
            part = own.plane(condition)
            if isinstance(part, Const):
                own.asked &= part.value
            plane = binary("and", plane, part)
            if not own.asked:
                return ZERO
        return plane

    # -------------------------------------------------------------- sets
    def set_of(self, node: ast.expr) -> CutSet:
        """The set that an expression gives for each member.

        Raises:
            NoPlaneError: it is no intersection of constant masks and sets that are common to all members.
        """
        if (row := self.row(node)) is not None:
            if any(not 0 <= (term or 0) <= FULL for term in row):
                raise NoPlaneError
            return CutSet(row, ALL)
        if isinstance(node, ast.Name) and node.id in self.sets:
            return self.sets[node.id]
        if not self._depends(node):
            number = self.lowering.number(node)
            if number.bounds.high > FULL:
                raise NoPlaneError
            return CutSet((FULL,) * self._members, self.lowering.held(number.widened(1)[0]))
        match node:
            case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
                first, second = self.set_of(left), self.set_of(right)
                masks = zip(first.masks, second.masks, strict=True)
                return CutSet(
                    tuple((x or 0) & (y or 0) for x, y in masks),
                    binary("and", first.common, second.common),
                )
        raise NoPlaneError

    def _filled(self, cut: CutSet) -> Expr:
        """The members whose set is not empty: a shift of the common word for each distance to an element of the set."""
        if isinstance(cut.common, Const):
            return Const(_mask(bool((mask or 0) & cut.common.value) for mask in cut.masks))
        common = self.lowering.held(cut.common)
        plane: Expr = ZERO
        for distance, members in distances_of(cut.masks, self.asked).items():
            # Bits of members that are not asked for do not matter.
            mask = ALL if members == self.asked else Const(members)
            plane = binary("or", plane, binary("and", self.shift(common, distance), mask))
        return plane

    def shift(self, word: Expr, distance: int) -> Expr:
        """A word whose bit `q` is the bit `q + distance` of another."""
        self.shared.left -= 1
        if self.shared.left < 0:
            raise NoPlaneError
        return binary("shr" if distance > 0 else "shl", word, Const(abs(distance)))

    # -------------------------------------------------------------- what stands between
    def _line(self, node: ast.Subscript) -> tuple[str, ast.expr] | None:
        """The table and the row of `table[row + member]`; None for anything else."""
        match node:
            case ast.Subscript(ast.Name(table), ast.BinOp(row, ast.Add(), ast.Name(member))) if (
                table in self.lowering.module.rows
                and not self._depends(row)
                and self.rows.get(member) == tuple(range(self._members))
            ):
                return table, row
        return None

    def _behind(self, table: str, row: ast.expr, full: ast.expr) -> Expr:
        """The members with some of a set between a place and themselves, by the chains of the place."""
        module, lowering = self.lowering.module, self.lowering
        entries, width = [numbers[0] for numbers in module.rows[table]], lowering.factor(row)
        if not self._members <= width <= WORD or len(entries) % width:
            raise NoPlaneError
        at = lowering.held(binary("div", lowering.index(row, len(entries)), Const(width)))
        obstacles = lowering.held(lowering.number(full).widened(1)[0])
        plane: Expr = ZERO
        for name, masks, goes_up in named_chains(table, chains_of(entries, width)):
            module.add_constant(name, masks)
            chain = lowering.held(lowering.entry(name, at).word)
            first = lowering.held(binary("and", chain, obstacles))
            plane = binary("or", plane, binary("and", chain, behind(first, goes_up=goes_up)))
        return plane

    # -------------------------------------------------------------- functions with a loop
    # As `set_loops` writes them: `found` collects, and `members` is the set that the loop visits.
    def _some(self, name: str, args: Sequence[ast.expr]) -> Expr:
        """The members for which a function gives a set that is not empty, or 1."""
        definition = self.lowering.module.definitions.get(name)
        if definition is None:
            raise NoPlaneError
        params = [arg.arg for arg in definition.args.args]
        own, env = evolve(self, rows={}, sets={}), dict[str, Number]()
        for param, arg in zip(params, args, strict=True):
            if param == "S":
                continue
            if (row := self.row(arg)) is not None and self._depends(arg):
                own.rows[param] = row
            elif self._depends(arg):
                raise NoPlaneError
            else:
                env[param] = self.lowering.held_number(self.lowering.number(arg))
        lowering = self.lowering
        outer, lowering.env, lowering.terms = (lowering.env, lowering.terms), env, {}
        try:
            return own._returned(definition.body)
        finally:
            lowering.env, lowering.terms = outer

    def _returned(self, body: Sequence[ast.stmt]) -> Expr:
        """The members for which a function returns something, or its last loop finds something."""
        match body:
            case [*before, ast.For() as loop, ast.Return(ast.Name("found") | ast.Constant(0))]:
                self._assign_all(before)
                return self._loop(loop)
            case [*before, ast.Return(ast.expr() as term)]:
                self._assign_all(before)
                return self.plane(term)
        raise NoPlaneError

    def _loop(self, loop: ast.For) -> Expr:
        conditions, rest = conditions_of(loop.body)
        match loop:
            case ast.For(ast.Name(name), ast.Call(ast.Name("bits"), [domain])) if is_found(
                rest, name
            ) or is_one(rest):
                return self._any_member(name, domain, conditions)
        raise NoPlaneError

    def _assign_all(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            match statement:
                case ast.Assign([ast.Name("found")], ast.Constant(0)):
                    pass
                case ast.Assign([ast.Name(name)], term):
                    self._name(name, term)
                case ast.If(
                    ast.UnaryOp(ast.Not(), ast.Name("members")), [ast.Return(ast.Constant(0))], []
                ):
                    pass  # a loop over no members finds nothing
                case _:
                    raise NoPlaneError

    def _name(self, name: str, term: ast.expr) -> None:
        if not self._depends(term):
            number = self.lowering.held_number(self.lowering.number(term))
            self.lowering.env[name] = number
        elif (row := self.row(term)) is not None:
            self.rows[name] = row
        else:
            self.sets[name] = self.set_of(term)

    def _any_member(self, name: str, domain: ast.expr, conditions: Sequence[ast.expr]) -> Expr:
        """The members whose set has an element that meets some conditions.

        At a fixed distance the element is the member and the distance, so its conditions are conditions on the member.
        """
        cut = self.set_of(domain)
        common = self.lowering.held(cut.common)
        plane: Expr = ZERO
        for distance, members in distances_of(cut.masks, self.asked).items():
            elements = tuple(
                member + distance if members >> member & 1 else None
                for member in range(self._members)
            )
            at = evolve(self, rows={**self.rows, name: elements}, asked=members)
            satisfied = at.plane(all_of(conditions))
            if satisfied != ZERO:
                satisfied = binary("and", satisfied, Const(members))
                here = binary("and", self.shift(common, distance), satisfied)
                plane = binary("or", plane, here)
        return plane

    # -------------------------------------------------------------- what depends on the member
    @property
    def _members(self) -> int:
        return len(next(iter(self.rows.values()), ()))

    def _depends(self, node: ast.expr) -> bool:
        return not self._names(node).isdisjoint({*self.rows, *self.sets})

    def _names(self, node: ast.expr) -> set[str]:
        if node not in self.shared.names:
            self.shared.names[node] = _names(node)
        return self.shared.names[node]

    def row(self, node: ast.expr) -> Row | None:
        """What an expression gives for each member, if it needs no state."""
        module = self.lowering.module
        names = self._names(node)
        tables = names & module.rows.keys()
        if names - tables - self.rows.keys() - module.constants.keys():
            return None
        # What does not depend on the member is computed once, by `plane` and `set_of`.
        if not names & self.rows.keys() and not isinstance(node, ast.Constant):
            return None
        constants = {name: module.constants[name] for name in names & module.constants.keys()}
        own = [(name, self.rows[name]) for name in names & self.rows.keys()]
        row: list[int | None] = []
        for member in range(self._members):
            if not self.asked >> member & 1:
                row.append(None)
                continue
            here = {name: term for name, terms in own if (term := terms[member]) is not None}
            row.append(evaluated(node, constants | here, module.rows))
        return tuple(row)


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _mask(is_in: Iterable[bool]) -> int:
    return sum(1 << member for member, holds in enumerate(is_in) if holds)


def lines_within(
    lowering: ExpressionLowering, name: str, domain: ast.expr, condition: ast.expr
) -> Expr:
    """Whether some line of a row of a table lies within a set: `not gaps & line[name]`, for `name` in `table[index]`.

    Lines of one shape are tested at all places at once; where they must begin is a mask for each row.

    Raises:
        NoPlaneError: the condition is of another kind, or the lines have too many shapes.
    """
    module = lowering.module
    match domain, condition:
        case (
            ast.Subscript(ast.Name(table), index),
            ast.UnaryOp(
                ast.Not(),
                ast.BinOp(gaps, ast.BitAnd(), ast.Subscript(ast.Name(cells), ast.Name(line))),
            ),
        ) if line == name and {table, cells} <= module.rows.keys() and name not in _names(gaps):
            lines = [row[0] for row in module.rows[cells]]
        case _:
            raise NoPlaneError
    starts: dict[int, list[int]] = {}
    rows = [row[0] for row in module.rows[table]]
    for number, row in enumerate(rows):
        for at in bits(row):
            first = (lines[at] & -lines[at]).bit_length() - 1
            if first < 0 or lines[at] >= 1 << WORD:
                raise NoPlaneError
            places = starts.setdefault(lines[at] >> first, [0] * len(rows))
            places[number] |= 1 << first
    if len(starts) > MAX_SHAPES:
        raise NoPlaneError
    gap = lowering.held(lowering.number(gaps).widened(1)[0])
    at_row = lowering.held(lowering.index(index, len(rows)))
    is_some: Expr = ZERO
    for number, (shape, places) in enumerate(starts.items()):
        constant = f"{table}_{cells}_{number}"
        module.add_constant(constant, tuple(places))
        broken = any_of(binary("shr", gap, Const(step)) for step in bits(shape))
        whole = binary("xor", broken, ALL)
        is_some = binary("or", is_some, binary("and", whole, lowering.entry(constant, at_row).word))
    return is_some


def united(planes: Planes, node: ast.expr, members: Expr) -> Number:
    """The union of the sets that an expression gives for some members.

    Raises:
        NoPlaneError: it needs a state, or too many shifts.
    """
    cut = planes.set_of(node)
    distances = distances_of(cut.masks, planes.asked)
    if cut.common != ALL or len(distances) > MAX_UNION:
        raise NoPlaneError
    members = planes.lowering.held(members)
    word: Expr = ZERO
    for distance, mask in distances.items():
        here = binary("and", members, Const(mask))
        word = binary("or", word, planes.shift(here, -distance))
    return Number((word,), mask_of(max(mask or 0 for mask in cut.masks).bit_length()))


def all_of(conditions: Sequence[ast.expr]) -> ast.expr:
    """The conjunction of some conditions; 1 if there are none."""
    return ast.BoolOp(ast.And(), [*conditions, ast.Constant(1)])


def conditions_of(body: Sequence[ast.stmt]) -> tuple[list[ast.expr], Sequence[ast.stmt]]:
    """The conditions with which a turn of a loop begins, and the rest of the turn."""
    conditions: list[ast.expr] = []
    for at, statement in enumerate(body):
        match statement:
            case ast.If(ast.UnaryOp(ast.Not(), condition), [ast.Continue()], []):
                conditions.append(condition)
            case _:
                return conditions, body[at:]
    return conditions, ()


def is_found(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether a turn adds its member to the set `found`."""
    match body:
        case [
            ast.AugAssign(
                ast.Name("found"),
                ast.BitOr(),
                ast.BinOp(ast.Constant(1), ast.LShift(), ast.Name(member)),
            )
        ]:
            return member == name
    return False


def is_one(body: Sequence[ast.stmt]) -> bool:
    """Whether a turn returns 1."""
    match body:
        case [ast.Return(ast.Constant(1))]:
            return True
    return False
