"""Expressions of a rule as text: the name of an expression, and its value at one moment of a game."""

from collections.abc import Callable, Mapping
from typing import Protocol

from attrs import evolve, field, frozen

from hots_rules._translate import Translator, untranslated
from hots_rules.compile.constant_folding import ConstantFolder
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.rewrite import substitute
from hots_rules.explain import phrases
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Expr, Operation
from hots_rules.rules.typed.visitor import walk
from hots_rules.state.labels import Labels

MAX_MEMBERS = 12
MAX_WRITTEN_OUT = 2_000  # parts of a condition after the values of its `let` replace their names
Local = Mapping[str, int]


class ValueFormatter(Protocol):
    """Formats values: `Labels` all of them, `RedactedFormatter` as one player may know them."""

    def format_value(self, code: int, type_: types.Type) -> str:
        """The value of a code as text."""
        ...


@frozen
class ExpressionNamer:
    """Names expressions and formats their values.

    Attributes:
        evaluator: evaluates expressions at this moment.
        folder: tells which expressions have the same value at every moment.
        formatter: formats values.
        labels: the names of declarations.
        knows: whether the value of an expression may be shown.
        conditions: the conditions that were explained, by the change that would reverse each.
    """

    evaluator: Evaluator
    folder: ConstantFolder
    formatter: ValueFormatter
    labels: Labels
    knows: Callable[[Expr, Local], bool] = field(default=lambda node, local: True)
    conditions: dict[str, list[Expr]] = field(factory=dict, init=False)

    @property
    def translator(self) -> Translator:
        """The library's own sentences."""
        return self.labels.translator

    # -------------------------------------------------------------- values
    def value(self, node: Expr, local: Local) -> int | None:
        """The code of a value; None if it has none here, because another condition guards it."""
        return self.evaluator.value_or_none(node, local)

    def value_text(self, node: Expr, local: Local) -> str:
        """The value of an expression: "nothing" if it has none, "hidden" if it may not be shown."""
        code = self.value(node, local)
        if code is None:
            return self.translator.gettext("nothing")
        if not self.knows(node, local):
            return self.translator.gettext("hidden")
        return self._code_text(code, node.type)

    def _code_text(self, code: int, type_: types.Type) -> str:
        """A value as text; a set as a list of its members."""
        if isinstance(type_, types.BoolType):
            return self.truth_text(bool(code))
        text = self.formatter.format_value(code, type_)
        if not isinstance(type_, types.SetType):
            return text
        members = [member for member in text.strip("{}").split(", ") if member]
        ellipsis = ["…"] if len(members) > MAX_MEMBERS else []
        return ", ".join(members[:MAX_MEMBERS] + ellipsis) or self.translator.gettext("nothing")

    def truth_text(self, holds: bool) -> str:
        """The word for true or false."""
        return self.translator.gettext("yes") if holds else self.translator.gettext("no")

    def fact(self, name: str, value: str) -> str:
        """A name with its value."""
        return phrases.fact(self.translator, name, value)

    # -------------------------------------------------------------- names
    def name(self, node: Expr, local: Local) -> str | None:
        """The name of an expression; None if only its value can be shown."""
        match node:
            case tast.Load():
                return self._applied_name("variable", node.variable, node.keys, local)
            case tast.ColumnLookup():
                return self._applied_name("column", node.column, (node.key,), local)
            case tast.DefinitionCall():
                return self._applied_name("define", node.define, node.args, local)
            case tast.Setting():
                return self._setting_name(node.name)
            case tast.Convert() | tast.Narrow():
                return self.name(node.body, local)
            case tast.LetIn() if (body := self.written_out(node)) is not None:
                return self.name(body, local)
            case tast.Conditional():
                return self._cell_name(node, local)
            case Operation(op="count"):
                counted = self.name(node.args[0], local)
                if counted is None:
                    return None
                return self.translator.gettext("number of {what}", what=counted)
            case Operation(op="difference" | "union" | "intersection"):
                return self._combined_name(node, local)
        return None

    @staticmethod
    def written_out(node: tast.LetIn) -> Expr | None:
        """The body of a `let` with the value in place of its name: the value is then explained, or hidden, by itself.

        None where that would be too long.
        """
        body = list(walk(node.body))
        parts = sum(1 for _ in walk(node.value)) * body.count(node.local) + len(body)
        if parts > MAX_WRITTEN_OUT:
            return None
        return substitute(node.body, {node.local.name: node.value})

    def _cell_name(self, node: tast.Conditional, local: Local) -> str | None:
        """The name of a cell whose column depends on a word, as `T[r, c]`; None for any other conditional."""
        cell: Expr = node
        while isinstance(cell, tast.Conditional):
            holds = self.value(cell.condition, local)
            if holds is None or not self.knows(cell.condition, local):
                return None
            cell = cell.then if holds else cell.otherwise
        return self.name(cell, local) if isinstance(cell, tast.ColumnLookup) else None

    def _applied_name(self, kind: str, name: str, keys: tuple[Expr, ...], local: Local) -> str:
        """A declared name, with its keys or arguments."""
        key_texts = [self.value_text(key, local) for key in keys]
        label = self.declared_name(kind, name)
        if not key_texts:
            return label
        return self.translator.gettext(
            "{variable} of {keys}", variable=label, keys=", ".join(key_texts)
        )

    def declared_name(self, kind: str, name: str) -> str:
        """The label of a declaration, or its name with spaces."""
        english = name.replace("_", " ").removesuffix(" of")
        label = self.labels.declared.get(f"{kind} {name}")
        if label is None and self.translator.language != "en":
            return untranslated(english)
        return label or english

    def _setting_name(self, name: str) -> str:
        """The name of an option or a reading; in other languages than English its sentence."""
        declared = self.labels.declared
        sentence = declared.get(f"option {name}") or declared.get(f"reading {name}")
        if sentence is None or self.translator.language == "en":
            return self.declared_name("option", name)
        return sentence.rstrip(".")

    def _combined_name(self, node: Operation, local: Local) -> str:
        name, *others = [self.name(arg, local) or self.value_text(arg, local) for arg in node.args]
        for next_name in others:
            name = phrases.combined(self.translator, node.op, name, next_name)
        return name

    def as_named(self, node: Expr, local: Local) -> Expr | None:
        """The expression that `name` names, with its keys and arguments as values; None if one has no value here."""
        match node:
            case tast.Load():
                keys = self._values(node.keys, local)
                return None if keys is None else evolve(node, keys=keys)
            case tast.DefinitionCall():
                args = self._values(node.args, local)
                return None if args is None else evolve(node, args=args)
            case tast.Convert() | tast.Narrow() | tast.TypeTest():
                body = self.as_named(node.body, local)
                return None if body is None else evolve(node, body=body)
            case Operation(op="count" | "difference" | "union" | "intersection"):
                return self._operation_as_named(node, local)
        code = self.value(node, local)
        return None if code is None else tast.Const(code, node.type)

    def condition_as_named(self, node: Expr, local: Local) -> Expr | None:
        """The condition of an explanation without parts, for any state; that of a set is that it has members."""
        if isinstance(node.type, types.SetType):
            members = self.as_named(node, local)
            return None if members is None else Operation("some", (members,), types.BOOL)
        if isinstance(node, Operation) and (node.op == "in" or OPERATORS[node.op].mirror):
            return self._operation_as_named(node, local)
        return self.as_named(node, local)

    def _operation_as_named(self, node: Operation, local: Local) -> Operation | None:
        args = [self.as_named(arg, local) for arg in node.args]
        named_args = tuple(arg for arg in args if arg is not None)
        return evolve(node, args=named_args) if len(named_args) == len(args) else None

    def _values(self, nodes: tuple[Expr, ...], local: Local) -> tuple[Expr, ...] | None:
        codes = self.evaluator.values_or_none(nodes, local)
        if codes is None:
            return None
        return tuple(tast.Const(code, node.type) for code, node in zip(codes, nodes, strict=True))

    def name_and_value(self, node: Expr, local: Local) -> str:
        """An expression by its name and its value, or by its value alone."""
        name, value = self.name(node, local), self.value_text(node, local)
        if name is None:
            return value
        return self.translator.gettext("{what} ({value})", what=name, value=value)
