"""The definitions as they are compiled: under the chosen settings, in place of their calls, or as tables of values."""

from __future__ import annotations

from itertools import product
from math import prod

from attrs import define, field

from hots_rules.compile.codes import codes_of
from hots_rules.compile.constant_folding import ConstantFolder, eliminate_checks
from hots_rules.compile.rewrite import Renamer, substitute
from hots_rules.diagnostics import EngineError
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import walk

MAX_INLINE = 14


@define(eq=False)
class CompiledDefinitions:
    """What expressions become by the definitions that they call; tables of values are added to `constants`."""

    typed: tast.TypedRuleset
    folder: ConstantFolder
    renamer: Renamer
    estimator: CostEstimator
    constants: dict[str, str]
    _bodies: dict[str, tuple[tuple[Local, ...], Expr]] = field(factory=dict, init=False)
    _failing: dict[str, bool] = field(factory=dict, init=False)
    _tables: dict[str, str | None] = field(factory=dict, init=False)

    # -------------------------------------------------------------- bodies
    def body_of(self, name: str) -> Expr:
        """The body of a definition under the chosen settings."""
        return self.definition(name)[1]

    def params_of(self, name: str) -> tuple[Local, ...]:
        """The parameters of a definition, under unique names."""
        return self.definition(name)[0]

    def definition(self, name: str) -> tuple[tuple[Local, ...], Expr]:
        """The parameters of a definition, under unique names, and its body."""
        if name not in self._bodies:
            definition = self.typed.definitions[name]
            params = tuple(self.renamer.fresh(param) for param in definition.params)
            names: dict[str, Expr] = {
                old.name: new for old, new in zip(definition.params, params, strict=True)
            }
            body = self.folder.expr(self.renamer.expr(definition.body, names))
            self._bodies[name] = params, eliminate_checks(body, self.folder)
            self.estimator.sizes.rename(name, params)
        return self._bodies[name]

    def inlined(self, node: tast.DefinitionCall) -> Expr:
        """The body of a definition with the arguments substituted."""
        values: dict[str, Expr] = {
            param.name: arg
            for param, arg in zip(self.params_of(node.define), node.args, strict=True)
        }
        return self.folder.expr(self.renamer.expr(self.body_of(node.define), values))

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

    # -------------------------------------------------------------- tables
    def lookup_table(self, name: str) -> str | None:
        """The name of a constant with the values for all arguments, for a definition that reads no state."""
        if name not in self._tables:
            self._tables[name] = self._new_table(self.typed.definitions[name])
        return self._tables[name]

    def is_precomputed(self, name: str) -> bool:
        """Whether a definition is a table with its values for all arguments."""
        return self.lookup_table(name) is not None

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
            value = self.folder.evaluator.value(self.body_of(definition.name), local)
        return value

    # -------------------------------------------------------------- conditions
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

    # -------------------------------------------------------------- what may fail
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
