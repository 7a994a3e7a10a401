"""Expressions as Python source.

A condition on the members of a set becomes arithmetic on masks where it can: `{b in Block where
side[b] = s and place[b] = a}` is `S[40 + s] & S[60 + a]`.
"""

import re
from collections.abc import Iterable, Sequence

from attrs import evolve

from hots_rules.compile.codegen.definitions import MAX_INLINE, CompiledDefinitions
from hots_rules.compile.codegen.emitted_steps import LoopBounds
from hots_rules.compile.codegen.mask_compiler import Mask, MaskCompiler, MemberCondition
from hots_rules.compile.codegen.operations import operation_source
from hots_rules.compile.codegen.position_numbers import position_function
from hots_rules.compile.codegen.set_loops import loop_call, path_call
from hots_rules.compile.constant_folding import ConstantFolder
from hots_rules.compile.evaluate import convert_code
from hots_rules.compile.facts import CheckFacts
from hots_rules.compile.layout import Layout
from hots_rules.compile.rewrite import Renamer
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Const, Expr, Local, Operation
from hots_rules.rules.typed.visitor import free_locals, mentions, walk

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
        self.layout = layout
        self.constants: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.checks: list[CheckFacts] = []
        self.definitions = CompiledDefinitions(typed, folder, renamer, estimator, self.constants)
        self._by_text: dict[str, str] = {}
        self._quantifieds: dict[int, tuple[tast.Quantified, str]] = {}
        self.unions: dict[
            tuple[int, Local, bool], tuple[tast.Quantified, MemberCondition | None]
        ] = {}
        self.acted: dict[str, None] = {}  # the actions whose effects expressions ask for

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
    def _call(self, node: tast.DefinitionCall) -> str:
        definition = self.typed.definitions[node.define]
        params, body = self.definitions.definition(node.define)
        if isinstance(body, Const):
            return repr(body.value)
        table = self.definitions.lookup_table(node.define)
        if table is not None:
            return f"{table}[{self._table_index(definition, node.args)}]"
        if self._is_small(body, node.args):
            return self.source(self.definitions.inlined(node))
        name = f"define_{node.define}"
        if name not in self.functions:
            self.functions[name] = ""
            head = ", ".join(["S", *(param.name for param in params)])
            comment = definition.origin.cited
            self.functions[name] = (
                f"def {name}({head}):  # {comment}\n    return {self.value(body)}\n"
            )
        return f"{name}({', '.join(['S', *(self.value(arg) for arg in node.args)])})"

    def _is_small(self, body: Expr, args: tuple[Expr, ...]) -> bool:
        """Whether a body replaces its call: it is short, and its arguments may stand in it several times."""
        are_cheap = all(
            isinstance(arg, Const | Local) or (isinstance(arg, tast.Load) and not arg.keys)
            for arg in args
        )
        return are_cheap and sum(1 for _ in walk(body)) <= MAX_INLINE

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
        return operation_source(node, values, self)

    def _with_source(self, node: Operation) -> Expr | None:
        """`f(x, s) & others` as `f(x, s & others)`, where `f` chooses among the members of `s`: its loop is shorter."""
        for call in node.args:
            if not isinstance(call, tast.DefinitionCall) or self.definitions.is_precomputed(
                call.define
            ):
                continue
            params, body = self.definitions.definition(call.define)
            if (
                not isinstance(body, tast.Comprehension)
                or body.source not in params
                or mentions(body.condition, body.source)
                or self.definitions.may_fail(node)
            ):
                continue
            at = params.index(body.source)
            others = tuple(arg for arg in node.args if arg is not call)
            sets = (call.args[at], *others)
            if all(part.type == call.type for part in sets):
                source = Operation("intersection", sets, call.type)
                return evolve(call, args=(*call.args[:at], source, *call.args[at + 1 :]))
        return None

    # -------------------------------------------------------------- names for values
    def _let(self, node: tast.LetIn) -> str:
        """The call of a function of its own, which computes the value once."""
        if (
            isinstance(node.value, Const | Local)
            and (simple := self.definitions.written_out(node)) is not None
        ):
            return self.source(simple)
        lines = [f"{node.local.name} = {self.value(node.value)}", f"return {self.value(node.body)}"]
        return self.function_of("let", node, lines)

    def _after(self, node: tast.After) -> str:
        """The call of a function of its own, which plays the action in a copy of the state."""
        self.acted.setdefault(node.action)
        args = ", ".join(["S", *map(self.value, node.args)])
        given = zip(node.locals, node.values, strict=True)
        lines = [
            *(f"{local.name} = {self.value(outside)}" for local, outside in given),
            "S = S[:]",
            f"{effect_name(f'action {node.action}')}({args})",
            f"return {self.value(node.body)}",
        ]
        return self.function_of("after", node, lines)

    def _position_number(self, node: tast.PositionNumber) -> str:
        name = f"position_{node.half}"
        if name not in self.functions:
            ranges = [self.layout.variables[variable] for variable in node.variables]
            self.functions[name] = position_function(name, node.half, ranges, self.constants)
        return f"{name}(S, {self.value(node.player)})"

    # -------------------------------------------------------------- sets
    def _comprehension(self, node: tast.Comprehension) -> str:
        masks, rest = self.split(node.condition, node.local)
        if node.local.type == types.ANY:
            return "0"
        source = self._filtered(node.source, masks, node.local)
        if not rest:
            return source
        most = self._most_members(node, node.condition, rest)
        return loop_call(self, "members", node, source, rest, f"1 << {node.local.name}", most)

    def _most_members(
        self,
        node: tast.Quantified | tast.Comprehension,
        condition: Expr | None = None,
        tested: Sequence[Expr] = (),
    ) -> int:
        """The most members of a loop, which are in the masks of a condition; the rest of it is tested for each."""
        parts = () if condition is None else self.definitions.conjuncts(condition)
        masked = tuple(part for part in parts if part not in tested)
        whole = Operation("and", masked, types.BOOL) if masked else None
        return self.sizes.members(node.local, node.source, whole)

    def _filtered(self, source: Expr, masks: list[MemberCondition], local: Local) -> str:
        """The members of a set that are in all masks."""
        constant = source.value if isinstance(source, Const) else None
        compiler = MaskCompiler(self, local)
        if self.definitions.may_fail(
            source
        ):  # It fails even where no member satisfies the conditions.
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
            some = loop_call(
                self, "some", node, source, rest, "1", self._most_members(node, body, rest)
            )
            return some if kind == "some" else f"(not {some})"
        if kind in {"reach", "distance"}:
            return path_call(self, node)
        return loop_call(
            self, kind, node, self.value(node.source), [], node.body, self._most_members(node)
        )

    def union(self, node: tast.Quantified, mask: str) -> str:
        """Python source of the union of the masks for all members of a set."""
        most = self._most_members(node)
        return loop_call(self, "union", node, self.value(node.source), [], mask, most)

    def function_of(self, kind: str, node: Expr, lines: Iterable[str]) -> str:
        """The call of a function that computes an expression by some lines; equal ones are written once."""
        free = free_locals(node).keys() - self.layout.frame.keys()
        body = "".join(f"    {line}\n" for line in lines)
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
        for part in self.definitions.conjuncts(condition):
            mask = compiler.mask(part)
            if mask is None:
                rest.append(part)
            else:
                masks.append(mask)
        return masks, rest


def effect_name(key: str) -> str:
    """The function of a procedure that plays it without notes, such as `event hit`."""
    return f"effect_{key.replace(' ', '_')}"


def times(text: str, factor: int) -> str:
    """Python source of a product."""
    return text if factor == 1 else f"{text} * {factor}"
