"""Expressions as Python source.

A condition on the members of a set becomes arithmetic on masks where it can: `{b in Block where
side[b] = s and place[b] = a}` is `S[40 + s] & S[60 + a]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hots_rules.compile.evaluate import Evaluator, converted, lowest_code, throws
from hots_rules.compile.fold import Folder
from hots_rules.compile.layout import Layout
from hots_rules.compile.masks import Found, Mask, Masks
from hots_rules.compile.prove import proven
from hots_rules.compile.rewrite import Renamer
from hots_rules.diagnostics import EngineError
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import walk

MAX_TABLE = 4096
MAX_INLINE = 14


class Express:
    """Writes expressions for one layout; gathers the constants and definitions that they need."""

    def __init__(
        self, typed: tast.TypedRuleset, folder: Folder, layout: Layout, renamer: Renamer
    ) -> None:
        self.typed = typed
        self.folder = folder
        self.layout = layout
        self.constants: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.checks: list[str] = []
        self._renamer = renamer
        self._bodies: dict[str, tuple[tuple[Local, ...], Expr]] = {}
        self._by_text: dict[str, str] = {}
        self._failing: dict[str, bool] = {}
        self.evaluator: Evaluator = folder.evaluator

    # -------------------------------------------------------------- values and conditions
    def value(self, node: Expr) -> str:
        """Source of the code of a value; truths come out as 0 or 1."""
        if isinstance(node.type, types.BoolType) and not isinstance(
            node, Const | Local | tast.Load | tast.ColumnLookup
        ):
            return f"(1 if {self.condition(node)} else 0)"
        return self.source(node)

    def condition(self, node: Expr) -> str:
        """Source that is true or false, perhaps as a number."""
        return self.source(node)

    def source(self, node: Expr) -> str:
        """Source of an expression."""
        match node:
            case Const():
                return repr(node.value)
            case Local():
                return self.local(node)
            case tast.Load():
                return self.load(node.variable, node.keys)
            case tast.ColumnLookup():
                return self._column(node)
            case tast.Conditional():
                asked = self.condition(node.condition)
                return f"({self.value(node.then)} if {asked} else {self.value(node.otherwise)})"
            case tast.DefinitionCall():
                return self._named(node)
            case tast.Convert():
                return self._convert(node.body, node.type)
            case tast.Narrow():
                return self._narrow(node)
            case tast.TypeTest():
                return self._is_in(node)
            case tast.Quantified():
                return self._quantified(node)
            case tast.Comprehension():
                return self._filtered(node)
            case Operation():
                return self._prim(node)
        raise AssertionError(node)

    def local(self, node: Local) -> str:
        """A local name: a slot of the frame, or a Python name."""
        slot = self.layout.frame.get(node.name)
        return f"S[{slot}]" if slot is not None else node.name

    def load(self, variable: str, keys: tuple[Expr, ...]) -> str:
        """A slot of a variable."""
        return f"S[{self.index(variable, keys)}]"

    def index(self, variable: str, keys: tuple[Expr, ...]) -> str:
        """The number of a slot."""
        block = self.layout.blocks[variable]
        fixed, moving = block.base, []
        for i, (key, low) in enumerate(zip(keys, block.lows, strict=True)):
            stride = 1
            for size in block.sizes[i + 1 :]:
                stride *= size
            fixed -= low * stride
            if isinstance(key, Const):
                fixed += key.value * stride
            else:
                moving.append(self.value(key) if stride == 1 else f"{self.value(key)} * {stride}")
        return " + ".join([str(fixed), *moving])

    def constant(self, name: str, text: str) -> str:
        """A constant of the module; one that is there already under another name is shared."""
        if text in self._by_text:
            return self._by_text[text]
        unique, number = name, 1
        while unique in self.constants:
            number += 1
            unique = f"{name}_{number}"
        self.constants[unique] = text
        self._by_text[text] = unique
        return unique

    def _column(self, node: tast.ColumnLookup) -> str:
        values = self.typed.tables[node.table].columns[node.column][1]
        if isinstance(node.key, Const):
            return repr(values[node.key.value])
        return f"{self.constant(f'column_{node.table}_{node.column}', repr(values))}[{self.value(node.key)}]"

    # -------------------------------------------------------------- definitions
    def body_of(self, name: str) -> Expr:
        """What a definition says under the chosen settings."""
        return self._definition(name)[1]

    def params_of(self, name: str) -> tuple[Local, ...]:
        """The parameters of a definition, under names that nothing else has."""
        return self._definition(name)[0]

    def _definition(self, name: str) -> tuple[tuple[Local, ...], Expr]:
        if name not in self._bodies:
            definition = self.typed.definitions[name]
            params = tuple(self._renamer.fresh(param) for param in definition.params)
            values: dict[str, Expr] = {
                own.name: new for own, new in zip(definition.params, params, strict=True)
            }
            body = self.folder.expr(self._renamer.expr(definition.body, values))
            self._bodies[name] = params, proven(body, self.folder)
        return self._bodies[name]

    def unfolded(self, node: tast.DefinitionCall) -> Expr:
        """A definition's body with the arguments in their places."""
        values: dict[str, Expr] = {
            p.name: arg for p, arg in zip(self.params_of(node.define), node.args, strict=True)
        }
        return self.folder.expr(self._renamer.expr(self.body_of(node.define), values))

    def _named(self, node: tast.DefinitionCall) -> str:
        definition = self.typed.definitions[node.define]
        body = self.body_of(node.define)
        if isinstance(body, Const):
            return repr(body.value)
        table = self._table(definition)
        if table is not None:
            return f"{table}[{self._table_index(definition, node.args)}]"
        if self._is_small(body, node.args):
            return self.source(self.unfolded(node))
        name = f"define_{node.define}"
        if name not in self.functions:
            self.functions[name] = ""
            params = ", ".join(["S", *(p.name for p in self.params_of(node.define))])
            self.functions[name] = f"def {name}({params}):\n    return {self.value(body)}\n"
        return f"{name}({', '.join(['S', *(self.value(arg) for arg in node.args)])})"

    def _is_small(self, body: Expr, args: tuple[Expr, ...]) -> bool:
        plain = all(
            isinstance(arg, Const | Local) or (isinstance(arg, tast.Load) and not arg.keys)
            for arg in args
        )
        return plain and sum(1 for _ in walk(body)) <= MAX_INLINE

    def _table(self, definition: tast.Definition) -> str | None:
        """A definition that depends on tables alone is worked out for all arguments at once."""
        many = 1
        for param in definition.params:
            many *= types.size(param.type)
        if (
            not definition.params
            or many > MAX_TABLE
            or not self.folder.is_static(self.body_of(definition.name))
        ):
            return None
        name = f"table_{definition.name}"
        if name not in self.constants:
            ranges = [
                range(lowest_code(p.type), lowest_code(p.type) + types.size(p.type))
                for p in definition.params
            ]
            names = [p.name for p in self.params_of(definition.name)]
            found = []
            for values in product(*ranges):
                try:
                    found.append(
                        self.evaluator.value(
                            self.body_of(definition.name), dict(zip(names, values, strict=True))
                        )
                    )
                except EngineError:
                    return None
            self.constants[name] = repr(tuple(found))
        return name

    def _table_index(self, definition: tast.Definition, args: tuple[Expr, ...]) -> str:
        found, stride = [], 1
        for param, arg in reversed(list(zip(definition.params, args, strict=True))):
            low = lowest_code(param.type)
            text = self.value(arg) if low == 0 else f"({self.value(arg)} - {low})"
            found.append(text if stride == 1 else f"{text} * {stride}")
            stride *= types.size(param.type)
        return " + ".join(reversed(found))

    # -------------------------------------------------------------- types
    def _convert(self, body: Expr, to: types.Type) -> str:
        from_ = body.type
        if (
            isinstance(from_, types.WordType)
            and isinstance(to, types.WordType)
            and not types.is_prefix(from_, to)
        ):
            codes = tuple(converted(code, from_, to) for code in range(len(from_.values)))
            return f"{self.constant('codes', repr(codes))}[{self.value(body)}]"
        return self.value(body)

    def check(self, text: str) -> int:
        """The number of what is said where a check of the module fails."""
        self.checks.append(text)
        return len(self.checks) - 1

    def _narrow(self, node: tast.Narrow) -> str:
        if node.sure and self._is_same_code(node):
            return self.value(node.body)
        number = self.check(f"expected a value of {node.type}, at {node.span}")
        from_, to = node.body.type, node.type
        if isinstance(to, types.IntType):
            return f"within({self.value(node.body)}, {to.low}, {to.high}, {number})"
        assert isinstance(from_, types.WordType)
        assert isinstance(to, types.WordType)
        if types.is_prefix(to, from_):
            return f"within({self.value(node.body)}, 0, {len(to.values) - 1}, {number})"
        codes = tuple(to.codes.get(value, -1) for value in from_.values)
        found = f"{self.constant('codes', repr(codes))}[{self.value(node.body)}]"
        return f"within({found}, 0, {len(to.values) - 1}, {number})"

    def _is_same_code(self, node: tast.Narrow) -> bool:
        from_, to = node.body.type, node.type
        if isinstance(from_, types.WordType) and isinstance(to, types.WordType):
            return types.is_prefix(to, from_)
        return True

    def _is_in(self, node: tast.TypeTest) -> str:
        from_ = node.body.type
        assert isinstance(from_, types.WordType)
        assert isinstance(node.tested, types.WordType)
        if types.is_prefix(node.tested, from_):
            return f"({self.value(node.body)} < {len(node.tested.values)})"
        mask = sum(1 << code for value, code in from_.codes.items() if value in node.tested.codes)
        return f"({mask} >> {self.value(node.body)} & 1)"

    # -------------------------------------------------------------- operators
    def _prim(self, node: Operation) -> str:
        op, args = node.op, node.args
        if op in {"and", "or"}:
            return "(" + f" {op} ".join(self.condition(arg) for arg in args) + ")"
        if op == "not":
            return f"(not {self.condition(args[0])})"
        if op in {"some", "no"}:
            found = self.value(args[0])
            return f"({found} != 0)" if op == "some" else f"({found} == 0)"
        values = [self.value(arg) for arg in args]
        if infix := OPERATORS[op].python:
            return "(" + f" {infix} ".join(values) + ")"
        return self._other(node, op, values)

    def _other(self, node: Operation, op: str, values: list[str]) -> str:
        match op:
            case "in":
                return f"({values[1]} >> {values[0]} & 1)"
            case "difference":
                return f"({values[0]} & ~{values[1]})"
            case "neg":
                return f"(-{values[0]})"
            case "min" | "max":
                sign = "<" if op == "min" else ">"
                if all(v.isidentifier() or v.lstrip("-").isdigit() for v in values):
                    return f"({values[0]} if {values[0]} {sign} {values[1]} else {values[1]})"
                return f"{op}({values[0]}, {values[1]})"
            case "count":
                return f"({values[0]}).bit_count()"
            case "set":
                return "(" + " | ".join(f"1 << {v}" for v in values) + ")" if values else "0"
            case "the":
                return f"the({values[0]}, {self.check('expected a set with one member')})"
            case "first_of":
                return f"(({values[0]} & -{values[0]}).bit_length() - 1)"
            case "rest_of":
                return f"({values[0]} & {values[0]} - 1)"
            case "nth":
                return f"({', '.join(values[1:])},)[{values[0]}]"
            case "at_most":
                return self._at_most(node, values)
        return self._pair(node, op, values)

    def _at_most(self, node: Operation, values: list[str]) -> str:
        dice = node.args[0].type
        assert isinstance(dice, types.DiceType)
        rows = tuple(
            tuple(sum(d <= n for d in dice_) for n in range(dice.sides + 1))
            for dice_ in throws(dice.most, dice.sides)
        )
        table = self.constant(f"at_most_{dice.most}d{dice.sides}", repr(rows))
        if isinstance(node.args[1], Const):
            return f"{table}[{values[0]}][{min(max(node.args[1].value, 0), dice.sides)}]"
        limit = node.args[1].type
        if isinstance(limit, types.IntType) and 0 <= limit.low and limit.high <= dice.sides:
            return f"{table}[{values[0]}][{values[1]}]"
        return f"{table}[{values[0]}][min(max({values[1]}, 0), {dice.sides})]"

    def _pair(self, node: Operation, op: str, values: list[str]) -> str:
        type_ = node.type if op == "pair" else node.args[0].type
        assert isinstance(type_, types.PairType)
        left, right, many = (
            lowest_code(type_.left),
            lowest_code(type_.right),
            types.size(type_.right),
        )
        if op == "pair":
            return f"(({values[0]} - {left}) * {many} + {values[1]} - {right})"
        return (
            f"({values[0]} // {many} + {left})"
            if op == "left"
            else f"({values[0]} % {many} + {right})"
        )

    # -------------------------------------------------------------- sets
    def _filtered(self, node: tast.Comprehension) -> str:
        found, rest = self.split(node.condition, node.local)
        if node.local.type == types.ANY:
            return "0"
        source = self._narrowed(node.source, found, node.local)
        if not rest:
            return source
        name = node.local.name
        tests = " and ".join(self.condition(r) for r in rest)
        return f"sum([1 << {name} for {name} in bits({source}) if {tests}])"

    def _narrowed(self, source: Expr, found: list[Found], local: Local) -> str:
        """The members of a set that a mask keeps."""
        masks = Masks(self, local)
        if isinstance(source, Const):
            return masks.all_of([Mask(str(source.value), known=source.value), *found])
        return masks.all_of([Mask(self.value(source)), *found])

    def _quantified(self, node: tast.Quantified) -> str:
        kind, name = node.kind, node.local.name
        if kind in {"some", "none", "all"}:
            tested = Operation("not", (node.body,), types.BOOL) if kind == "all" else node.body
            found, rest = self.split(tested, node.local)
            source = self._narrowed(node.source, found, node.local)
            if not rest:
                return f"({source} != 0)" if kind == "some" else f"({source} == 0)"
            tests = " and ".join(self.condition(r) for r in rest)
            any_ = f"any([1 for {name} in bits({source}) if {tests}])"
            return any_ if kind == "some" else f"(not {any_})"
        items = f"[{self.value(node.body)} for {name} in bits({self.value(node.source)})]"
        if kind == "sum":
            return f"sum({items})"
        return f"{'max' if kind == 'most' else 'min'}({items}, default=0)"

    def split(self, condition: Expr, local: Local) -> tuple[list[Found], list[Expr]]:
        """A condition on a local as masks, and what of it is no mask."""
        masks = Masks(self, local)
        found: list[Found] = []
        rest: list[Expr] = []
        for part in self.conjuncts(condition):
            mask = masks.mask(part)
            if mask is None:
                rest.append(part)
            else:
                found.append(mask)
        return found, rest

    def conjuncts(self, condition: Expr) -> list[Expr]:
        """The parts of an `and`, definitions unfolded so that theirs count too."""
        match condition:
            case tast.DefinitionCall() if not self.is_tabled(condition.define):
                body = self.body_of(condition.define)
                if isinstance(body, Operation) and body.op in {"and", "not"}:
                    return self.conjuncts(self.unfolded(condition))
            case Operation(op="and"):
                return [found for arg in condition.args for found in self.conjuncts(arg)]
            case Operation(op="not"):
                return self._denied(condition.args[0], condition)
        return [condition]

    def _denied(self, inner: Expr, whole: Expr) -> list[Expr]:
        """Not this or that is not this and not that; not not this is this."""
        match inner:
            case Operation(op="not"):
                return self.conjuncts(inner.args[0])
            case Operation(op="or"):
                return [
                    f
                    for arg in inner.args
                    for f in self.conjuncts(Operation("not", (arg,), types.BOOL))
                ]
            case tast.DefinitionCall() if not self.is_tabled(inner.define):
                body = self.body_of(inner.define)
                if isinstance(body, Operation) and body.op in {"or", "not"}:
                    return self._denied(self.unfolded(inner), whole)
        return [whole]

    def is_tabled(self, define: str) -> bool:
        """Whether a definition was worked out for all its arguments."""
        return self._table(self.typed.definitions[define]) is not None

    def may_fail(self, node: Expr) -> bool:
        """Whether an expression can be an engine error for some state."""
        return any(
            (isinstance(found, tast.Narrow) and not found.sure)
            or (isinstance(found, Operation) and found.op == "the")
            or (isinstance(found, tast.DefinitionCall) and self._define_may_fail(found.define))
            for found in walk(node)
        )

    def _define_may_fail(self, name: str) -> bool:
        if name not in self._failing:
            self._failing[name] = self.may_fail(self.body_of(name)) and not self.is_tabled(name)
        return self._failing[name]


def free_names(node: Expr) -> Iterator[str]:
    """The local names that occur in an expression."""
    return (found.name for found in walk(node) if isinstance(found, Local))
