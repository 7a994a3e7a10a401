"""Expressions as Python source.

A condition on the members of a set becomes arithmetic on masks where it can: `{b in Block where
side[b] = s and place[b] = a}` is `S[40 + s] & S[60 + a]`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from attrs import evolve

from hots_rules.compile.codegen.emitted_steps import LoopBounds
from hots_rules.compile.codegen.hoisting import hoist
from hots_rules.compile.codegen.kept_values import KeptCalls, Members
from hots_rules.compile.codegen.mask_compiler import (
    Mask,
    MaskCompiler,
    MemberCondition,
)
from hots_rules.compile.codes import codes_of, dice_rolls
from hots_rules.compile.constant_folding import ConstantFolder, eliminate_checks
from hots_rules.compile.evaluate import Evaluator, convert_code
from hots_rules.compile.facts import CheckFacts, Variable
from hots_rules.compile.layout import Layout
from hots_rules.compile.rewrite import Renamer, substitute
from hots_rules.diagnostics import EngineError
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.positions import FACTORS, MODULUS, shifts
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import free_locals, mentions, walk

MAX_INLINE = 14
_LOOPS = {
    "some": ((), ("return {}",), "return 0"),
    "members": (("found = 0",), ("found |= {}",), "return found"),
    "union": (("found = 0",), ("found |= {}",), "return found"),
    "sum": (("found = 0",), ("found += {}",), "return found"),
    **{
        kind: (
            ("found, first = 0, 1",),
            ("new = {}", f"if first or new {sign} found: found, first = new, 0"),
            "return found",
        )
        for kind, sign in (("min", "<"), ("max", ">"))
    },
}
"""The lines of a loop by its kind: before it begins, for each member (`{}` is its value), and at the end."""
_NAME = re.compile(r"[^\W\d]\w*(?:·\d+)?")


class ExpressionCompiler:
    """Compiles expressions for one layout, and collects the constants and definitions that they need."""

    def __init__(
        self,
        typed: tast.TypedRuleset,
        folder: ConstantFolder,
        layout: Layout,
        renamer: Renamer,
        estimator: CostEstimator,
    ) -> None:
        self.typed = typed
        self.estimator = estimator
        self.sizes = estimator.sizes
        self.loops = LoopBounds()
        self.folder = folder
        self.layout = layout
        self.constants: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.checks: list[CheckFacts] = []
        self._renamer = renamer
        self._bodies: dict[str, tuple[tuple[Local, ...], Expr]] = {}
        self._by_text: dict[str, str] = {}
        self._failing: dict[str, bool] = {}
        self._tables: dict[str, str | None] = {}
        self._quantifieds: dict[int, tuple[tast.Quantified, str]] = {}
        self.unions: dict[
            tuple[int, Local, bool], tuple[tast.Quantified, MemberCondition | None]
        ] = {}
        self.evaluator: Evaluator = folder.evaluator
        self.acted: dict[str, None] = {}  # the actions whose effects expressions ask for

    def fresh(self, local: Local) -> Local:
        """The local under a unique name."""
        return self._renamer.fresh(local)

    # -------------------------------------------------------------- values and conditions
    def value(self, node: Expr) -> str:
        """Python source of the code of a value: 0 or 1 for a condition."""
        if isinstance(node.type, types.BoolType) and not isinstance(
            node, Const | Local | tast.Load | tast.ColumnLookup
        ):
            return f"(1 if {self.condition(node)} else 0)"
        return self.source(node)

    def condition(self, node: Expr) -> str:
        """Python source that is true or false, perhaps as a number."""
        return self.source(node)

    def source(self, node: Expr) -> str:
        """Python source of an expression."""
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
                condition = self.condition(node.condition)
                return f"({self.value(node.then)} if {condition} else {self.value(node.otherwise)})"
            case tast.LetIn():
                return self._let(node)
            case tast.After():
                return self._after(node)
            case tast.PositionNumber():
                return self._position_number(node)
            case tast.DefinitionCall():
                return self._call(node)
            case tast.Construct():
                return self._construct(node)
            case tast.Convert():
                return self._convert(node.body, node.type)
            case tast.Narrow():
                return self._narrow(node)
            case tast.TypeTest():
                return self._type_test(node)
            case tast.Quantified():
                return self._quantified(node)
            case tast.Comprehension():
                return self._comprehension(node)
            case Operation():
                return self._operation(node)
        raise AssertionError(node)

    def local(self, node: Local) -> str:
        """Python source of a local name: a slot of the frame, or a Python name."""
        slot = self.layout.frame.get(node.name)
        return f"S[{slot}]" if slot is not None else node.name

    def load(self, variable: str, keys: tuple[Expr, ...]) -> str:
        """Python source of an entry of a variable."""
        return f"S[{self.index(variable, keys)}]"

    def index(self, variable: str, keys: tuple[Expr, ...]) -> str:
        """Python source of the number of a slot."""
        slots = self.layout.variables[variable]
        constant, stride = slots.base, slots.count
        terms = []
        for key, type_ in zip(keys, slots.keys, strict=True):
            stride //= types.size(type_)
            constant -= types.lowest_code(type_) * stride
            if isinstance(key, Const):
                constant += key.value * stride
            else:
                terms.append(times(self.value(key), stride))
        return " + ".join([str(constant), *terms])

    def constant(self, name: str, text: str) -> str:
        """The name of a constant of the module; constants with the same text share one name."""
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
        values = self.typed.tables[node.table].columns[node.column].values
        if isinstance(node.key, Const):
            return repr(values[node.key.value])
        name = self.constant(f"column_{node.table}_{node.column}", repr(values))
        return f"{name}[{self.value(node.key)}]"

    # -------------------------------------------------------------- definitions
    def body_of(self, name: str) -> Expr:
        """The body of a definition under the chosen settings."""
        return self._definition(name)[1]

    def params_of(self, name: str) -> tuple[Local, ...]:
        """The parameters of a definition, under unique names."""
        return self._definition(name)[0]

    def _definition(self, name: str) -> tuple[tuple[Local, ...], Expr]:
        if name not in self._bodies:
            definition = self.typed.definitions[name]
            params = tuple(self._renamer.fresh(param) for param in definition.params)
            names: dict[str, Expr] = {
                old.name: new for old, new in zip(definition.params, params, strict=True)
            }
            body = self.folder.expr(self._renamer.expr(definition.body, names))
            self._bodies[name] = params, eliminate_checks(body, self.folder)
            self.sizes.rename(name, params)
        return self._bodies[name]

    def inlined(self, node: tast.DefinitionCall) -> Expr:
        """The body of a definition with the arguments substituted."""
        values: dict[str, Expr] = {
            param.name: arg
            for param, arg in zip(self.params_of(node.define), node.args, strict=True)
        }
        return self.folder.expr(self._renamer.expr(self.body_of(node.define), values))

    def _call(self, node: tast.DefinitionCall) -> str:
        definition = self.typed.definitions[node.define]
        body = self.body_of(node.define)
        if isinstance(body, Const):
            return repr(body.value)
        table = self._lookup_table(definition)
        if table is not None:
            return f"{table}[{self._table_index(definition, node.args)}]"
        if self._is_small(body, node.args):
            return self.source(self.inlined(node))
        name = f"define_{node.define}"
        if name not in self.functions:
            self.functions[name] = ""
            params = ", ".join(["S", *(p.name for p in self.params_of(node.define))])
            comment = definition.origin.cited
            self.functions[name] = (
                f"def {name}({params}):  # {comment}\n    return {self.value(body)}\n"
            )
        return f"{name}({', '.join(['S', *(self.value(arg) for arg in node.args)])})"

    def _is_small(self, body: Expr, args: tuple[Expr, ...]) -> bool:
        """Whether a body replaces its call: it is short, and its arguments may stand in it several times."""
        are_cheap = all(
            isinstance(arg, Const | Local) or (isinstance(arg, tast.Load) and not arg.keys)
            for arg in args
        )
        return are_cheap and sum(1 for _ in walk(body)) <= MAX_INLINE

    def _lookup_table(self, definition: tast.Definition) -> str | None:
        """The name of a table with the values for all arguments, for a definition that reads no state."""
        if definition.name not in self._tables:
            self._tables[definition.name] = self._new_table(definition)
        return self._tables[definition.name]

    def _new_table(self, definition: tast.Definition) -> str | None:
        body, params = self.body_of(definition.name), definition.params
        size = prod(types.size(param.type) for param in params)
        if not params or size > types.MAX_TABLE or not self.folder.is_static(body):
            return None
        self.folder.refuse_costly(definition.name)
        name = f"table_{definition.name}"
        rows = product(*(codes_of(param.type) for param in params))
        try:
            self.constants[name] = repr(tuple(self._value(definition, row) for row in rows))
        except EngineError:
            return None
        return name

    def _value(self, definition: tast.Definition, args: tuple[int, ...]) -> int:
        """The value of a definition that reads no state, at least under these settings."""
        value = self.folder.static_value(definition.name, args)
        if value is None:
            names = (param.name for param in self.params_of(definition.name))
            local = dict(zip(names, args, strict=True))
            value = self.evaluator.value(self.body_of(definition.name), local)
        return value

    def _table_index(self, definition: tast.Definition, args: tuple[Expr, ...]) -> str:
        terms, stride = [], 1
        for param, arg in reversed(list(zip(definition.params, args, strict=True))):
            low = types.lowest_code(param.type)
            digit = self.value(arg) if low == 0 else f"({self.value(arg)} - {low})"
            terms.append(times(digit, stride))
            stride *= types.size(param.type)
        return " + ".join(reversed(terms))

    # -------------------------------------------------------------- types
    def _construct(self, node: tast.Construct) -> str:
        first, terms = node.first, []
        for stride, arg in zip(node.strides, node.args, strict=True):
            if isinstance(arg, Const):
                first += stride * arg.value
            else:
                terms.append(times(self.value(arg), stride))
        return f"({' + '.join([str(first), *terms] if first else terms)})"

    def _convert(self, body: Expr, to: types.Type) -> str:
        from_ = body.type
        if (
            isinstance(from_, types.WordType)
            and isinstance(to, types.WordType)
            and not types.is_prefix(from_, to)
        ):
            codes = tuple(convert_code(code, from_, to) for code in range(len(from_.values)))
            return f"{self.constant('codes', repr(codes))}[{self.value(body)}]"
        return self.value(body)

    def check(self, text: str, type_: types.Type | None) -> int:
        """The number of a check at run time: `text` begins the message of its error, a value of the type ends it."""
        self.checks.append(CheckFacts(text, type_))
        return len(self.checks) - 1

    def _narrow(self, node: tast.Narrow) -> str:
        if not node.checked and self._keeps_code(node):
            return self.value(node.body)
        from_, to = node.body.type, node.type
        text = f"expected a value of {to}, at {node.span}"
        if isinstance(to, types.IntType):
            return f"within({self.value(node.body)}, {to.low}, {to.high}, {self.check(text, to)})"
        assert isinstance(from_, types.WordType)
        assert isinstance(to, types.WordType)
        if types.is_prefix(to, from_):
            number = self.check(text, from_)
            return f"within({self.value(node.body)}, 0, {len(to.values) - 1}, {number})"
        codes = tuple(to.codes.get(value, -1) for value in from_.values)
        code = f"{self.constant('codes', repr(codes))}[{self.value(node.body)}]"
        if not node.checked:
            return code
        return f"within({code}, 0, {len(to.values) - 1}, {self.check(text, None)})"

    def _keeps_code(self, node: tast.Narrow) -> bool:
        from_, to = node.body.type, node.type
        if isinstance(from_, types.WordType) and isinstance(to, types.WordType):
            return types.is_prefix(to, from_)
        return True

    def _type_test(self, node: tast.TypeTest) -> str:
        from_ = node.body.type
        assert isinstance(from_, types.WordType)
        assert isinstance(node.tested, types.WordType)
        if types.is_prefix(node.tested, from_):
            return f"({self.value(node.body)} < {len(node.tested.values)})"
        mask = sum(1 << code for value, code in from_.codes.items() if value in node.tested.codes)
        return f"({mask} >> {self.value(node.body)} & 1)"

    # -------------------------------------------------------------- operators
    def _operation(self, node: Operation) -> str:
        op, args = node.op, node.args
        if op in {"and", "or"}:
            return "(" + f" {op} ".join(self.condition(arg) for arg in args) + ")"
        if op == "not":
            return f"(not {self.condition(args[0])})"
        if op == "some":
            return self.value(args[0])
        if op == "no":
            return f"(not {self.value(args[0])})"
        if op == "intersection" and (narrower := self._with_source(node)) is not None:
            return self.value(narrower)
        values = [self.value(arg) for arg in args]
        if infix := OPERATORS[op].python:
            return "(" + f" {infix} ".join(values) + ")"
        return self._function(node, op, values)

    def _with_source(self, node: Operation) -> Expr | None:
        """`f(x, s) & others` as `f(x, s & others)`, where `f` chooses among the members of `s`: its loop is shorter."""
        for call in node.args:
            if not isinstance(call, tast.DefinitionCall) or self.is_precomputed(call.define):
                continue
            params, body = self._definition(call.define)
            if (
                not isinstance(body, tast.Comprehension)
                or body.source not in params
                or mentions(body.condition, body.source)
                or self.may_fail(node)
            ):
                continue
            at = params.index(body.source)
            others = tuple(arg for arg in node.args if arg is not call)
            sets = (call.args[at], *others)
            if all(part.type == call.type for part in sets):
                source = Operation("intersection", sets, call.type)
                return evolve(call, args=(*call.args[:at], source, *call.args[at + 1 :]))
        return None

    def _function(self, node: Operation, op: str, values: list[str]) -> str:
        match op:
            case "in":
                member = values[0]
                if types.lowest_code(node.args[0].type) < 0:
                    # A condition before this guards it, but a loop may compute it earlier: no shift may fail.
                    member = f"max({member}, 0)"
                return f"({values[1]} >> {member} & 1)"
            case "difference":
                return f"({values[0]} & ~{values[1]})"
            case "neg":
                return f"(-{values[0]})"
            case "abs":
                return f"abs({values[0]})"
            case "ordinal":
                return f"({values[0]} + 1)"
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
                number = self.check("expected a set with one member", node.args[0].type)
                return f"the({values[0]}, {number})"
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
        # Bytes, because the compiler of Python takes hundreds of times the memory for numbers one by one.
        rows = tuple(
            bytes(sum(die <= limit for die in roll) for limit in range(dice.sides + 1))
            for roll in dice_rolls(dice.most, dice.sides)
        )
        table = self.constant(f"at_most_{dice.most}d{dice.sides}", repr(rows))
        if isinstance(node.args[1], Const):
            return f"{table}[{values[0]}][{min(max(node.args[1].value, 0), dice.sides)}]"
        limit = node.args[1].type
        if isinstance(limit, types.IntType) and 0 <= limit.low and limit.high <= dice.sides:
            return f"{table}[{values[0]}][{values[1]}]"
        return f"{table}[{values[0]}][min(max({values[1]}, 0), {dice.sides})]"

    @staticmethod
    def _pair(node: Operation, op: str, values: list[str]) -> str:
        """Python source that mirrors `pair_code` and `pair_parts`."""
        type_ = node.type if op == "pair" else node.args[0].type
        assert isinstance(type_, types.PairType)
        low_left, low_right = types.lowest_code(type_.left), types.lowest_code(type_.right)
        size = types.size(type_.right)
        if op == "pair":
            return f"(({values[0]} - {low_left}) * {size} + {values[1]} - {low_right})"
        if op == "left":
            return f"({values[0]} // {size} + {low_left})"
        return f"({values[0]} % {size} + {low_right})"

    # -------------------------------------------------------------- names for values
    def written_out(self, node: tast.LetIn) -> Expr | None:
        """The body of a `let` with the value in place of its name; None if the value may fail, or costs too much."""
        parts = list(walk(node.value))
        is_cheap = len(parts) <= MAX_INLINE and not any(
            isinstance(
                part,
                tast.Quantified
                | tast.Comprehension
                | tast.LetIn
                | tast.After
                | tast.PositionNumber,
            )
            or (isinstance(part, tast.DefinitionCall) and not self.is_precomputed(part.define))
            for part in parts
        )
        if not is_cheap or self.may_fail(node.value):
            return None
        return self.folder.expr(substitute(node.body, {node.local.name: node.value}))

    def _let(self, node: tast.LetIn) -> str:
        """The call of a function of its own, which computes the value once."""
        if isinstance(node.value, Const | Local) and (simple := self.written_out(node)) is not None:
            return self.source(simple)
        free = free_locals(node).keys() - self.layout.frame.keys()
        lines = f"    {node.local.name} = {self.value(node.value)}\n    return {self.value(node.body)}\n"
        return self._function_of("let", free, lines)

    def _after(self, node: tast.After) -> str:
        """The call of a function of its own, which plays the action in a copy of the state."""
        self.acted.setdefault(node.action)
        args = ", ".join(["S", *map(self.value, node.args)])
        free = free_locals(node).keys() - self.layout.frame.keys()
        given = zip(node.locals, node.values, strict=True)
        lines = [
            *(f"{local.name} = {self.value(outside)}" for local, outside in given),
            "S = S[:]",
            f"{effect_name(f'action {node.action}')}({args})",
            f"return {self.value(node.body)}",
        ]
        return self._function_of("after", free, "".join(f"    {line}\n" for line in lines))

    def _position_number(self, node: tast.PositionNumber) -> str:
        """The call of a function that goes through the slots of the variables."""
        name = f"position_{node.half}"
        if name not in self.functions:
            ranges = [self.layout.variables[variable] for variable in node.variables]
            parts = [_position_parts(slots.type) for slots in ranges]
            part_counts = [
                slots.count * len(of_slot) for slots, of_slot in zip(ranges, parts, strict=True)
            ]
            # Each part is multiplied by a power of the factor, one higher for each part after it: so the products are
            # independent of each other.
            highest = sum(part_counts)
            powers = [pow(FACTORS[node.half], highest - i, MODULUS) for i in range(highest + 1)]
            lines, done = [f"found = who * {powers[0]} % {MODULUS}"], 1
            for slots, of_slot, count in zip(ranges, parts, part_counts, strict=True):
                of_range = powers[done : done + count]
                lines += self._summed(f"{name}_{slots.base}", slots, of_slot, of_range)
                done += count
            lines.append("return found + 1")
            body = "".join(f"    {line}\n" for line in lines)
            self.functions[name] = f"def {name}(S, who):\n{body}"
        return f"{name}(S, {self.value(node.player)})"

    def _summed(
        self, name: str, slots: Variable, parts: Sequence[str], powers: Sequence[int]
    ) -> Iterator[str]:
        """Statements that add the parts of some slots, each multiplied by its power."""
        if slots.count == 1:
            for part, power in zip(parts, powers, strict=True):
                yield f"found = (found + {part.format(f'S[{slots.base}]')} * {power}) % {MODULUS}"
            return
        self.constants[name] = repr(tuple(powers))
        highest = max(types.lowest_code(slots.type), 0) + types.size(slots.type)
        # Where the sum fits into a word of machine code, it is divided once, at the end.
        is_small = slots.count * (highest + 1) <= MODULUS
        yield f"for i in range({slots.base}, {slots.base + slots.count}):"
        for number, part in enumerate(parts):
            step = (
                f"i - {slots.base}"
                if len(parts) == 1
                else f"(i - {slots.base}) * {len(parts)} + {number}"
            )
            term = f"{part.format('S[i]')} * {name}[{step}]"
            yield f"    found += {term}" + ("" if is_small else f" % {MODULUS}")
        yield f"found = found % {MODULUS}"

    # -------------------------------------------------------------- sets
    def _comprehension(self, node: tast.Comprehension) -> str:
        masks, rest = self.split(node.condition, node.local)
        if node.local.type == types.ANY:
            return "0"
        source = self._filtered(node.source, masks, node.local)
        if not rest:
            return source
        most = self._most_members(node, node.condition, rest)
        return self._loop("members", node, source, rest, f"1 << {node.local.name}", most)

    def _most_members(
        self,
        node: tast.Quantified | tast.Comprehension,
        condition: Expr | None = None,
        tested: Sequence[Expr] = (),
    ) -> int:
        """The most members of a loop, which are in the masks of a condition; the rest of it is tested for each."""
        parts = () if condition is None else self.conjuncts(condition)
        masked = tuple(part for part in parts if part not in tested)
        whole = Operation("and", masked, types.BOOL) if masked else None
        return self.sizes.members(node.local, node.source, whole)

    def _filtered(self, source: Expr, masks: list[MemberCondition], local: Local) -> str:
        """The members of a set that are in all masks."""
        constant = source.value if isinstance(source, Const) else None
        compiler = MaskCompiler(self, local)
        if self.may_fail(source):  # It fails even where no member satisfies the conditions.
            masks = [Mask(compiler.mask_source(mask)) for mask in masks]
        return compiler.all_of([Mask(self.value(source), constant=constant), *masks])

    def _quantified(self, node: tast.Quantified) -> str:
        # By its id, with the node to keep it alive: a mask is tried first, so each level would compile it twice more.
        if id(node) not in self._quantifieds:
            self._quantifieds[id(node)] = node, self._quantified_anew(node)
        return self._quantifieds[id(node)][1]

    def _quantified_anew(self, node: tast.Quantified) -> str:
        kind = node.kind
        if kind in {"some", "none", "all"}:
            body = Operation("not", (node.body,), types.BOOL) if kind == "all" else node.body
            masks, rest = self.split(body, node.local)
            source = self._filtered(node.source, masks, node.local)
            if not rest:
                return source if kind == "some" else f"(not {source})"
            some = self._loop("some", node, source, rest, "1", self._most_members(node, body, rest))
            return some if kind == "some" else f"(not {some})"
        if kind in {"reach", "distance"}:
            return self._paths(node)
        return self._loop(
            kind, node, self.value(node.source), [], node.body, self._most_members(node)
        )

    def union(self, node: tast.Quantified, mask: str) -> str:
        """Python source of the union of the masks for all members of a set."""
        most = self._most_members(node)
        return self._loop("union", node, self.value(node.source), [], mask, most)

    def _loop(
        self,
        kind: str,
        node: tast.Quantified | tast.Comprehension,
        source: str,
        tests: list[Expr],
        value: str | Expr,
        most: int,
    ) -> str:
        """The call of a function of its own: what it finds among the members that pass all tests, of at most `most`.

        A function with a loop is faster than a comprehension, which is a function as well.
        """
        member = node.local.name
        kept, members = KeptCalls(self), Members.of(node.local)
        tests = [kept.replace(test, members) for test in tests]
        if not isinstance(value, str):
            value = self.value(kept.replace(value, members))
        before = [f"{name.name} = {self.value(call)}" for call, name in kept.names.items()]
        if before:
            before = [f"members = {source}", "if not members: return 0", *before]
            source = "members"
        same: dict[str, str] = {}
        texts = [f"({' and '.join(map(self.condition, tests))})", value] if tests else [value]
        if not self.may_fail(node):
            texts = [
                hoist(
                    text,
                    {member},
                    lambda part: same.setdefault(part, f"h{len(same)}"),
                    is_certain=not number,
                )
                for number, text in enumerate(texts)
            ]
        *test, value = texts
        begin, on_member, end = _LOOPS[kind]
        lines = [
            *before,
            *(f"{name} = {part}" for part, name in same.items()),
            *begin,
            f"for {member} in bits({source}):",
            *(f"    if not {text}: continue" for text in test),
            *(f"    {line.format(value)}" for line in on_member),
            end,
        ]
        free = free_locals(node).keys() - self.layout.frame.keys()
        call = self._function_of(kind, free, "".join(f"    {line}\n" for line in lines))
        self.loops.add_function(call.partition("(")[0], most)
        return call

    def _paths(self, node: tast.Quantified) -> str:
        """The call of a function of its own: what is reached, or in how many steps."""
        member, most = node.local.name, types.size(node.local.type)
        kept = KeptCalls(self)
        body = self.value(kept.replace(node.body, Members.of(node.local)))
        has_goal = node.goal is not None
        lines = [
            f"found = {self.value(node.source)}",
            *([f"goal = {self.value(node.goal)}"] if node.goal is not None else []),
            f"if not found: return {most if has_goal else 0}",
            *(f"{name.name} = {self.value(call)}" for call, name in kept.names.items()),
            "new = found",
            f"for steps in range({most}):",
            *(["    if new & goal: return steps"] if has_goal else []),
            "    if not new: break",
            "    more = 0",
            f"    for {member} in bits(new):",
            f"        more |= {body}",
            "    new = more & ~found",
            "    found |= new",
            f"return {most if has_goal else 'found'}",
        ]
        free = free_locals(node).keys() - self.layout.frame.keys()
        call = self._function_of(node.kind, free, "".join(f"    {line}\n" for line in lines))
        # All rounds together visit each member once, and there are as many rounds as members: one visit in each.
        self.loops.add_function(call.partition("(")[0], 1)
        return call

    def _function_of(self, kind: str, free: set[str], body: str) -> str:
        """The call of a function with a body in which some names are free; equal ones are written once."""
        used = dict.fromkeys(_NAME.findall(body))
        names = [name for name in used if name in free or "·" in name]
        params = [name for name in names if name in free]
        short = {name: f"{name.partition('·')[0]}·{number}" for number, name in enumerate(names)}
        body = _NAME.sub(lambda name: short.get(name[0], name[0]), body)
        head = ", ".join(["S", *(short[name] for name in params)])
        name = self._by_text.setdefault(f"{head}:{body}", f"{kind}_{len(self.functions)}")
        self.functions.setdefault(name, f"def {name}({head}):\n{body}")
        return f"{name}({', '.join(['S', *params])})"

    def split(self, condition: Expr, local: Local) -> tuple[list[MemberCondition], list[Expr]]:
        """The conjuncts of a condition on a local that are masks, and the others."""
        compiler = MaskCompiler(self, local)
        masks: list[MemberCondition] = []
        rest: list[Expr] = []
        for part in self.conjuncts(condition):
            mask = compiler.mask(part)
            if mask is None:
                rest.append(part)
            else:
                masks.append(mask)
        return masks, rest

    def conjuncts(self, condition: Expr) -> list[Expr]:
        """The parts of a conjunction; a definition whose body is one is inlined."""
        match condition:
            case tast.DefinitionCall() if not self.is_precomputed(condition.define):
                body = self.body_of(condition.define)
                if isinstance(body, Operation) and body.op in {"and", "not"}:
                    return self.conjuncts(self.inlined(condition))
            case tast.LetIn() if (written_out := self.written_out(condition)) is not None:
                return self.conjuncts(written_out)
            case Operation(op="and"):
                return [part for arg in condition.args for part in self.conjuncts(arg)]
            case Operation(op="not"):
                return self._negated_conjuncts(condition.args[0], condition)
        return [condition]

    def _negated_conjuncts(self, inner: Expr, whole: Expr) -> list[Expr]:
        """The conjuncts of `not inner`, by De Morgan and double negation."""
        match inner:
            case Operation(op="not"):
                return self.conjuncts(inner.args[0])
            case Operation(op="or"):
                negated = (Operation("not", (arg,), types.BOOL) for arg in inner.args)
                return [part for condition in negated for part in self.conjuncts(condition)]
            case tast.DefinitionCall() if not self.is_precomputed(inner.define):
                body = self.body_of(inner.define)
                if isinstance(body, Operation) and body.op in {"or", "not"}:
                    return self._negated_conjuncts(self.inlined(inner), whole)
        return [whole]

    def is_precomputed(self, define: str) -> bool:
        """Whether a definition is a table with its values for all arguments."""
        return self._lookup_table(self.typed.definitions[define]) is not None

    def may_fail(self, node: Expr) -> bool:
        """Whether an expression can raise an engine error in some state, or relies on a condition before it."""
        is_guarded = any(isinstance(part, tast.Narrow) and part.guarded for part in walk(node))
        return is_guarded or self._can_raise(node)

    def _can_raise(self, node: Expr) -> bool:
        # What an action does relies on the conditions under which it is legal.
        return any(
            isinstance(part, tast.After)
            or (isinstance(part, tast.Narrow) and part.checked)
            or (isinstance(part, Operation) and part.op == "the")
            or (isinstance(part, tast.DefinitionCall) and self._define_can_raise(part.define))
            for part in walk(node)
        )

    def _define_can_raise(self, name: str) -> bool:
        """Whether a definition can raise an error; what guards a part of it is inside it as well."""
        if name not in self._failing:
            raises = self._can_raise(self.body_of(name))
            self._failing[name] = raises and not self.is_precomputed(name)
        return self._failing[name]


def _position_parts(type_: types.Type) -> list[str]:
    """The parts of a position that a slot of a type gives, with a place for the slot; see `parts_of`."""
    if (low := types.lowest_code(type_)) < 0:
        return [f"({{}} - {low})"]
    if low + types.size(type_) <= MODULUS:
        return ["{}"]
    return [f"({{}} >> {shift} & {MODULUS})" for shift in shifts(type_)]


def effect_name(key: str) -> str:
    """The function of a procedure that plays it without notes, such as `event hit`."""
    return f"effect_{key.replace(' ', '_')}"


def times(text: str, factor: int) -> str:
    """Python source of a product."""
    return text if factor == 1 else f"{text} * {factor}"
