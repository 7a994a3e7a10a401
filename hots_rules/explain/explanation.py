"""Why a condition holds or does not: taken apart down to what was found, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from attrs import evolve, field, frozen

from hots_rules._translate import Translator, untranslated
from hots_rules.compile.constant_folding import ConstantFolder
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.explain import phrases
from hots_rules.play.reason import MAX_PARTS, Explanation
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Expr, Operation
from hots_rules.state.labels import Labels

MAX_MEMBERS = 12
MAX_PRINTED = 6
MAX_DEPTH = 14
Local = Mapping[str, int]


class ValueFormatter(Protocol):
    """Formats values: `Labels` all of them, `RedactedFormatter` as one player may know them."""

    def format_value(self, code: int, type_: types.Type) -> str:
        """The value of a code as text."""
        ...


@frozen
class Explainer:
    """Explains conditions at one moment of a game.

    `formatter` formats values, `labels` has the names of declarations, and `knows` says whether the
    value of an expression may be shown.
    """

    evaluator: Evaluator
    folder: ConstantFolder
    formatter: ValueFormatter
    labels: Labels
    knows: Callable[[Expr, Local], bool] = field(default=lambda _node, _local: True)

    @property
    def words(self) -> Translator:
        """The library's own sentences."""
        return self.labels.translator

    # -------------------------------------------------------------- values
    def value(self, node: Expr, local: Local) -> int | None:
        """A value; None where it cannot be asked, because another condition guards it."""
        try:
            return self.evaluator.value(node, local)
        except (EngineError, LookupError, ArithmeticError):
            return None

    def _shown(self, node: Expr, local: Local) -> str:
        code = self.value(node, local)
        if code is None:
            return self.words.gettext("nothing")
        if not self.knows(node, local):
            return self.words.gettext("hidden")
        return self.show(code, node.type)

    def show(self, code: int, type_: types.Type) -> str:
        """A value in words; of a set its members."""
        if isinstance(type_, types.BoolType):
            return self._truth(bool(code))
        said = self.formatter.format_value(code, type_)
        if not isinstance(type_, types.SetType):
            return said
        members = [part for part in said.strip("{}").split(", ") if part]
        more = ["…"] if len(members) > MAX_MEMBERS else []
        return ", ".join(members[:MAX_MEMBERS] + more) or self.words.gettext("nothing")

    def _truth(self, holds: bool) -> str:
        return self.words.gettext("yes") if holds else self.words.gettext("no")

    def _fact(self, what: str, value: str) -> str:
        return phrases.fact(self.words, what, value)

    # -------------------------------------------------------------- names
    def name(self, node: Expr, local: Local) -> str | None:
        """What an expression is called; None if it has no name but its value."""
        match node:
            case tast.Load():
                return self._called("variable", node.variable, node.keys, local)
            case tast.ColumnLookup():
                return self._called("column", node.column, (node.key,), local)
            case tast.DefinitionCall():
                return self._called("define", node.define, node.args, local)
            case tast.Setting():
                return self._setting(node.name)
            case tast.Convert() | tast.Narrow():
                return self.name(node.body, local)
            case Operation(op="count"):
                inner = self.name(node.args[0], local)
                return None if inner is None else self.words.gettext("number of {what}", what=inner)
            case Operation(op="difference" | "union" | "intersection"):
                return self._combined(node, local)
        return None

    def _called(self, kind: str, name: str, keys: tuple[Expr, ...], local: Local) -> str:
        said = [self._shown(key, local) for key in keys]
        plain = self._plain(kind, name)
        if not said:
            return plain
        return self.words.gettext("{variable} of {keys}", variable=plain, keys=", ".join(said))

    def _plain(self, kind: str, name: str) -> str:
        """What a declaration is called: its label, or its name with spaces."""
        english = name.replace("_", " ").removesuffix(" of")
        label = self.labels.declared.get(f"{kind} {name}")
        if label is None and self.words.language != "en":
            return untranslated(english)
        return label or english

    def _setting(self, name: str) -> str:
        """What an option or a reading is called: in other languages than English by its sentence."""
        sentence = self.labels.declared.get(f"option {name}") or self.labels.declared.get(
            f"reading {name}"
        )
        if sentence is None or self.words.language == "en":
            return self._plain("option", name)
        return sentence.rstrip(".")

    def _combined(self, node: Operation, local: Local) -> str | None:
        said = [self.name(arg, local) or self._shown(arg, local) for arg in node.args]
        found = said[0]
        for other in said[1:]:
            found = phrases.combined(self.words, node.op, found, other)
        return found

    def _with_value(self, node: Expr, local: Local) -> str:
        """An expression by its name and its value, or by its value alone."""
        name, value = self.name(node, local), self._shown(node, local)
        return (
            value
            if name is None
            else self.words.gettext("{what} ({value})", what=name, value=value)
        )

    # -------------------------------------------------------------- taking apart
    def explain(self, node: Expr, local: Local, depth: int = MAX_DEPTH) -> Explanation:
        """Why a condition has the truth value that it has."""
        holds = bool(self.value(node, local))
        if depth == 0:
            return self._bare(node, holds, local)
        match node:
            case Operation(op="and" | "or"):
                return self._joined(node.op, holds, node.args, local, depth)
            case Operation(op="not"):
                return self.explain(node.args[0], local, depth - 1)
            case Operation(op="some" | "no"):
                return self._filled(node.args[0], local, depth)
            case Operation(op="in"):
                return self._membership(node.args[0], node.args[1], local, depth)
            case Operation(op=op) if OPERATORS[op].mirror:
                return self._compared(node, op, holds, local)
            case tast.Quantified():
                return self._quantified(node, holds, local, depth)
            case tast.DefinitionCall():
                return self._defined(node, local, depth)
            case tast.Convert() | tast.Narrow():
                return self.explain(node.body, local, depth - 1)
            case tast.Conditional():
                chosen = node.then if self.value(node.condition, local) else node.otherwise
                parts = self._condition(node, local, depth)
                if not isinstance(chosen, tast.Const):
                    parts.append(self.explain(chosen, local, depth - 1))
                return self._of(parts, "one")
            case tast.TypeTest():
                return self._is_a(node, holds, local)
        return self._bare(node, holds, local)

    def _condition(self, node: tast.Conditional, local: Local, depth: int) -> list[Explanation]:
        """Why the one side of a choice was taken, where the state has a say in it."""
        if self.folder.is_static(node.condition):
            return []
        return [self.explain(node.condition, local, depth - 1)]

    def _leaf(self, node: Expr, text: str, change: str) -> Explanation:
        return Explanation(text, change, is_fixed=self.folder.is_static(node))

    def _of(self, parts: Iterable[Explanation], needs: str) -> Explanation:
        told: list[Explanation] = []
        for part in parts:
            told += part.parts if not part.text and part.needs == needs else (part,)
        found = [part for part in dict.fromkeys(told) if part.text or part.parts][:MAX_PARTS]
        if len(found) == 1:
            return found[0]
        return Explanation("", parts=tuple(found), needs=needs)

    def _joined(
        self, op: str, holds: bool, args: tuple[Expr, ...], local: Local, depth: int
    ) -> Explanation:
        """The parts that decide: all that hold of a whole that holds, else those that fail."""
        deciding = [arg for arg in args if bool(self.value(arg, local)) == holds]
        known = [arg for arg in deciding if self.knows(arg, local)]
        needs = "one" if (op == "and") == holds else "all"
        if op == "or" and not holds:
            # Who or what was named is no way to change it, where there is another.
            deciding = [arg for arg in deciding if not self._is_given(arg)] or deciding
        # Where a part that everybody knows decides, nothing is said of those that only some know.
        if needs == "all" and known:
            deciding = known
        return self._of((self.explain(arg, local, depth - 1) for arg in deciding), needs)

    def _is_given(self, node: Expr) -> bool:
        """Whether a part compares what was asked with what is written in the rules."""
        is_comparison = isinstance(node, Operation) and OPERATORS[node.op].mirror != ""
        return is_comparison and self.folder.is_static(node)

    def _bare(self, node: Expr, holds: bool, local: Local) -> Explanation:
        what = self.name(node, local)
        if what is None:
            return Explanation("")
        text, change = (self._fact(what, self._truth(truth)) for truth in (holds, not holds))
        return self._leaf(node, text, change)

    def _defined(self, node: tast.DefinitionCall, local: Local, depth: int) -> Explanation:
        """A definition is told by what it says of its arguments, under its own name."""
        own = self._bare(node, bool(self.value(node, local)), local)
        inner = self._inside(node, local)
        if inner is None:
            return own
        found = self.explain(inner[0], inner[1], depth - 1)
        return self._named(node, own, found)

    def _named(
        self, node: tast.DefinitionCall, own: Explanation, found: Explanation
    ) -> Explanation:
        origin = self.evaluator.typed.definitions[node.define].origin
        if not found.text and not found.parts:
            return evolve(own, sections=origin.sections)
        return Explanation(own.text, "", (found,), "all", origin.sections, found.is_fixed)

    def _is_of_tables(self, node: tast.DefinitionCall) -> bool:
        """Whether a definition looks at the tables alone: they are printed, and need no reason."""
        return self.folder.is_static(evolve(node, args=()))

    def _inside(self, node: tast.DefinitionCall, local: Local) -> tuple[Expr, Local] | None:
        """What a definition says, with its parameters bound."""
        definition = self.evaluator.typed.definitions[node.define]
        values = [self.value(arg, local) for arg in node.args]
        known = [value for value in values if value is not None]
        if len(known) != len(values):
            return None
        names = (param.name for param in definition.params)
        return definition.body, dict(zip(names, known, strict=True))

    # -------------------------------------------------------------- comparisons
    def _compared(self, node: Operation, op: str, holds: bool, local: Local) -> Explanation:
        one, other = node.args
        if self.name(one, local) is None and self.name(other, local) is not None:
            one, other, op = other, one, OPERATORS[op].mirror
        what = self.name(one, local)
        limit = self._with_value(other, local)
        relation = phrases.relation(self.words, op, holds, limit)
        wanted = phrases.wanted(self.words, op, holds, limit)
        value = self._shown(one, local)
        if what is None:
            text = f"{value}, {relation or limit}"
            return self._leaf(node, text, self._fact(value, wanted))
        if op == "eq" and holds and self.name(other, local) is not None:
            value = f"{value} ({self.name(other, local)})"
        text = self._fact(what, f"{value}, {relation}" if relation else value)
        return self._leaf(node, text, self._fact(what, wanted))

    def _is_plain(self, node: Expr) -> bool:
        """Whether an expression is a set that is written out, or known from the tables alone."""
        return self.folder.is_static(node) and not isinstance(node, tast.DefinitionCall)

    def _is_a(self, node: tast.TypeTest, holds: bool, local: Local) -> Explanation:
        what, value = self.name(node.body, local), self._shown(node.body, local)
        kind = self._plain("type", str(node.tested).replace("_", " ")).lower()
        if what is None:
            what, value = value, self._truth(holds)
        is_one, is_none = kind, self.words.gettext("no {kind}", kind=kind)
        relation, wanted = (is_one, is_none) if holds else (is_none, is_one)
        text = self._fact(what, f"{value}, {relation}")
        return self._leaf(node, text, self._fact(what, wanted))

    # -------------------------------------------------------------- sets
    def _filled(self, node: Expr, local: Local, depth: int) -> Explanation:
        """Why a set has members, or has none."""
        members = self.value(node, local) or 0
        what = self.name(node, local)
        if what is None:
            return self._unnamed(node, members, local, depth)
        text = self._fact(what, self._shown(node, local))
        nothing, some = self.words.gettext("nothing"), self.words.gettext("at least one")
        return self._leaf(node, text, self._fact(what, nothing if members else some))

    def _unnamed(self, node: Expr, members: int, local: Local, depth: int) -> Explanation:
        """A set that only its condition describes: what puts its members there."""
        match node:
            case tast.Comprehension():
                kind = "some"
                told = tast.Quantified(kind, node.local, node.source, node.condition, types.BOOL)
                return self._quantified(told, bool(members), local, depth)
            case tast.Convert():
                return self._filled(node.body, local, depth)
            case tast.Conditional():
                chosen = node.then if self.value(node.condition, local) else node.otherwise
                parts = self._condition(node, local, depth)
                if not isinstance(chosen, tast.Const):
                    parts.append(self._filled(chosen, local, depth - 1))
                return self._of(parts, "one")
        shown = self._shown(node, local)
        return self._leaf(node, shown, "")

    def _quantified(
        self, node: tast.Quantified, holds: bool, local: Local, depth: int
    ) -> Explanation:
        """The members that decide, each with what decides it."""
        if node.kind not in {"some", "all", "none"}:
            return self._bare(node, holds, local)
        wanted = node.kind != "all"
        decided = holds == (node.kind == "some") if node.kind != "all" else not holds
        source = self.value(node.source, local) or 0
        members = [m for m in range(source.bit_length()) if source >> m & 1]
        inner = [{**local, node.local.name: m} for m in members]
        if not inner:
            return self._filled(node.source, local, depth - 1)
        chosen = [one for one in inner if bool(self.value(node.body, one)) == (wanted == decided)][
            : MAX_PARTS if decided else 3
        ]
        parts = [self.explain(node.body, one, depth - 1) for one in chosen]
        return self._of(parts, "all" if decided else "one")

    def _membership(self, it: Expr, of: Expr, local: Local, depth: int) -> Explanation:
        """Why a value is in a set, or is not."""
        holds = bool(self.value(Operation("in", (it, of), types.BOOL), local))
        if depth == 0:
            return self._in_or_not(it, of, holds, local)

        def asked(part: Expr, where: Local) -> Explanation:
            return self._membership(it, part, where, depth - 1)

        match of:
            case Operation(op="union" | "intersection"):
                tests = [Operation("in", (it, part), types.BOOL) for part in of.args]
                op = "or" if of.op == "union" else "and"
                return self._joined(op, holds, tuple(tests), local, depth)
            case Operation(op="difference"):
                inside = Operation("in", (it, of.args[0]), types.BOOL)
                outside = Operation(
                    "not", (Operation("in", (it, of.args[1]), types.BOOL),), types.BOOL
                )
                if not holds and self.value(inside, local) and self._is_plain(of.args[1]):
                    text = self.words.gettext(
                        "{it} is left out here", it=self._with_value(it, local)
                    )
                    return Explanation(text, is_fixed=True)
                return self._joined("and", holds, (inside, outside), local, depth)
            case tast.Convert():
                return asked(of.body, local)
            case tast.Conditional():
                chosen = of.then if self.value(of.condition, local) else of.otherwise
                parts = self._condition(of, local, depth)
                if not isinstance(chosen, tast.Const):
                    parts.append(asked(chosen, local))
                return self._of(parts, "one")
            case tast.DefinitionCall():
                return self._in_defined(it, of, holds, local, depth)
            case tast.Comprehension():
                return self._in_filtered(it, of, holds, local, depth)
        return self._in_or_not(it, of, holds, local)

    def _in_defined(
        self, it: Expr, of: tast.DefinitionCall, holds: bool, local: Local, depth: int
    ) -> Explanation:
        own = self._in_or_not(it, of, holds, local)
        inner, code = self._inside(of, local), self.value(it, local)
        if inner is None or code is None or self._is_of_tables(of):
            return own
        # The definition has names of its own, so the value goes in instead of what it was called.
        found = self._membership(tast.Const(code, it.type), inner[0], inner[1], depth - 1)
        return self._named(of, own, found)

    def _in_filtered(
        self, it: Expr, of: tast.Comprehension, holds: bool, local: Local, depth: int
    ) -> Explanation:
        code = self.value(it, local)
        if code is None:
            return self._in_or_not(it, of, holds, local)
        inner = {**local, of.local.name: code}
        source = Operation("in", (tast.Const(code, it.type), of.source), types.BOOL)
        tests: tuple[Expr, ...] = (source, of.condition)
        if isinstance(of.source, tast.Const):
            tests = tests if not self.value(source, local) else (of.condition,)
        return self._joined("and", holds, tests, inner, depth)

    def _in_or_not(self, it: Expr, of: Expr, holds: bool, local: Local) -> Explanation:
        said, name = self._with_value(it, local), self.name(of, local)
        many = (self.value(of, local) or 0).bit_count()
        is_long = self.folder.is_static(of) and many > MAX_PRINTED
        what = name if name is not None and is_long else self._with_value(of, local)
        text = phrases.among(self.words, holds, said, what)
        change = phrases.among(self.words, not holds, said, name or what)
        return self._leaf(Operation("in", (it, of), types.BOOL), text, change)

    # -------------------------------------------------------------- because
    def because(self, because: tast.Because, text: str, local: Local) -> str:
        """What a clause found, in the sentence of its rulebook; empty if a value of it cannot be asked."""
        for name, node in because.values:
            sign = f"{{{name}}}"
            if sign in text:
                if self.value(node, local) is None:
                    return ""
                text = text.replace(sign, self._shown(node, local))
        return text
