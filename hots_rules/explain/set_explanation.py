"""Why a set has members, and why a value is a member of it or is not."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from attrs import evolve, frozen

from hots_rules.explain import phrases
from hots_rules.explain.expression_names import ExpressionNamer, Local
from hots_rules.play.reason import MAX_PARTS, Explanation
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Expr, Operation

MAX_PRINTED = 6  # members of a set that is known from the rules alone
MAX_FAILING = 3  # members for which a condition fails
MAX_DEPTH = 14


def _contains(member: Expr, container: Expr) -> Operation:
    return Operation("in", (member, container), types.BOOL)


@frozen
class SetExplainer(ExpressionNamer, ABC):
    """Explains junctions, sets and quantifiers; `explain` explains the conditions in them."""

    @abstractmethod
    def explain(self, node: Expr, local: Local, depth: int = MAX_DEPTH) -> Explanation:
        """Why a condition is true or false, down to a depth."""

    # -------------------------------------------------------------- building blocks
    def leaf(self, node: Expr, local: Local, text: str, change: str) -> Explanation:
        """An explanation without parts; the condition is kept under the change that would reverse it."""
        condition = self.condition_as_named(node, local)
        if condition is not None:
            self.conditions.setdefault(change, []).append(condition)
        is_fixed = self.folder.is_static(node if condition is None else condition)
        return Explanation(text, change, is_fixed=is_fixed)

    def combine(self, parts: Iterable[Explanation], needs: str) -> Explanation:
        """Several explanations as one; a part without a text is replaced by its own parts."""
        flat: list[Explanation] = []
        for part in parts:
            flat += part.parts if not part.text and part.needs == needs else (part,)
        kept = [part for part in dict.fromkeys(flat) if part.text or part.parts][:MAX_PARTS]
        return kept[0] if len(kept) == 1 else Explanation("", parts=tuple(kept), needs=needs)

    def explain_atom(self, node: Expr, holds: bool, local: Local) -> Explanation:
        """A condition by its name and its truth; empty if it has no name."""
        name = self.name(node, local)
        if name is None:
            return Explanation("")
        text, change = (self.fact(name, self.truth_text(truth)) for truth in (holds, not holds))
        return self.leaf(node, local, text, change)

    def explain_junction(
        self, op: str, holds: bool, args: tuple[Expr, ...], local: Local, depth: int
    ) -> Explanation:
        """The operands of `and` or `or` that decide: those with the truth value of the whole."""
        deciding = [arg for arg in args if bool(self.value(arg, local)) == holds]
        known_to_viewer = [arg for arg in deciding if self.knows(arg, local)]
        needs = "one" if (op == "and") == holds else "all"
        if op == "or" and not holds:
            # A comparison of the action's own arguments can change only by choosing another action.
            deciding = [arg for arg in deciding if not self._compares_constants(arg)] or deciding
        # If an operand that everybody knows decides, those that only some players know are left out.
        if needs == "all" and known_to_viewer:
            deciding = known_to_viewer
        return self.combine((self.explain(arg, local, depth - 1) for arg in deciding), needs)

    def _compares_constants(self, node: Expr) -> bool:
        is_comparison = isinstance(node, Operation) and OPERATORS[node.op].mirror != ""
        return is_comparison and self.folder.is_static(node)

    def explain_conditional(
        self,
        node: tast.Conditional,
        local: Local,
        depth: int,
        explain_branch: Callable[[Expr], Explanation],
    ) -> Explanation:
        """Why a branch of a conditional was taken, with the explanation of the branch.

        What is the same in every state is left out.
        """
        branch = node.then if self.value(node.condition, local) else node.otherwise
        parts: list[Explanation] = []
        if not self.folder.is_static(node.condition):
            parts.append(self.explain(node.condition, local, depth - 1))
        if not isinstance(branch, tast.Const):
            parts.append(explain_branch(branch))
        return self.combine(parts, "one")

    # -------------------------------------------------------------- definitions
    def with_definition(
        self, call: tast.DefinitionCall, own: Explanation, body: Explanation
    ) -> Explanation:
        """The explanation of a definition's body under the definition's own name."""
        origin = self.evaluator.typed.definitions[call.define].origin
        if not body.text and not body.parts:
            return evolve(own, sections=origin.sections)
        return Explanation(own.text, "", (body,), "all", origin.sections, body.is_fixed)

    # -------------------------------------------------------------- sets
    def explain_nonempty(self, node: Expr, local: Local, depth: int) -> Explanation:
        """Why a set has members, or has none."""
        mask = self.value(node, local) or 0
        name = self.name(node, local)
        if name is None:
            return self._explain_unnamed_set(node, mask, local, depth)
        gettext = self.translator.gettext
        wanted = gettext("nothing") if mask else gettext("at least one")
        text = self.fact(name, self.value_text(node, local))
        return self.leaf(node, local, text, self.fact(name, wanted))

    def _explain_unnamed_set(self, node: Expr, mask: int, local: Local, depth: int) -> Explanation:
        """A set without a name, by the condition that selects its members."""
        match node:
            case tast.Comprehension():
                some = tast.Quantified("some", node.local, node.source, node.condition, types.BOOL)
                return self.explain_quantified(some, bool(mask), local, depth)
            case tast.Convert():
                return self.explain_nonempty(node.body, local, depth)
            case tast.LetIn() if (body := self.written_out(node)) is not None:
                return self.explain_nonempty(body, local, depth)
            case tast.Conditional():
                return self.explain_conditional(
                    node, local, depth, lambda it: self.explain_nonempty(it, local, depth - 1)
                )
        return self.leaf(node, local, self.value_text(node, local), "")

    def explain_quantified(
        self, node: tast.Quantified, holds: bool, local: Local, depth: int
    ) -> Explanation:
        """The members that decide a quantified condition, each with its own explanation."""
        if node.kind not in {"some", "all", "none"}:
            return self.explain_atom(node, holds, local)
        is_witnessed = holds if node.kind == "some" else not holds
        deciding_truth = is_witnessed == (node.kind != "all")
        source = self.value(node.source, local) or 0
        members = [member for member in range(source.bit_length()) if source >> member & 1]
        if not members:
            return self.explain_nonempty(node.source, local, depth - 1)
        bindings: list[Local] = [{**local, node.local.name: member} for member in members]
        deciding = [
            bound for bound in bindings if bool(self.value(node.body, bound)) == deciding_truth
        ]
        shown = deciding[: MAX_PARTS if is_witnessed else MAX_FAILING]
        parts = [self.explain(node.body, bound, depth - 1) for bound in shown]
        return self.combine(parts, "all" if is_witnessed else "one")

    # -------------------------------------------------------------- membership
    def explain_membership(
        self, member: Expr, container: Expr, local: Local, depth: int
    ) -> Explanation:
        """Why a value is in a set, or is not."""
        holds = bool(self.value(_contains(member, container), local))
        if depth == 0:
            return self._explain_membership_atom(member, container, holds, local)
        match container:
            case Operation(op="union" | "intersection"):
                tests = tuple(_contains(member, part) for part in container.args)
                op = "or" if container.op == "union" else "and"
                return self.explain_junction(op, holds, tests, local, depth)
            case Operation(op="difference"):
                return self._explain_in_difference(member, container, holds, local, depth)
            case tast.Convert():
                return self.explain_membership(member, container.body, local, depth - 1)
            case tast.LetIn() if (body := self.written_out(container)) is not None:
                return self.explain_membership(member, body, local, depth - 1)
            case tast.Conditional():
                return self.explain_conditional(
                    container,
                    local,
                    depth,
                    lambda it: self.explain_membership(member, it, local, depth - 1),
                )
            case tast.DefinitionCall():
                return self._explain_in_definition(member, container, holds, local, depth)
            case tast.Comprehension():
                return self._explain_in_comprehension(member, container, holds, local, depth)
        return self._explain_membership_atom(member, container, holds, local)

    def _explain_in_difference(
        self, member: Expr, container: Operation, holds: bool, local: Local, depth: int
    ) -> Explanation:
        kept, removed = container.args
        inside = _contains(member, kept)
        is_printed = self.folder.is_static(removed) and not isinstance(removed, tast.DefinitionCall)
        if not holds and self.value(inside, local) and is_printed:
            text = self.translator.gettext(
                "{it} is excluded here", it=self.name_and_value(member, local)
            )
            return Explanation(text, is_fixed=True)
        outside = Operation("not", (_contains(member, removed),), types.BOOL)
        return self.explain_junction("and", holds, (inside, outside), local, depth)

    def _explain_in_definition(
        self, member: Expr, call: tast.DefinitionCall, holds: bool, local: Local, depth: int
    ) -> Explanation:
        own = self._explain_membership_atom(member, call, holds, local)
        bound, code = self.evaluator.bound_body(call, local), self.value(member, local)
        # A definition that reads tables alone needs no explanation: they are printed.
        if bound is None or code is None or self.folder.is_static(evolve(call, args=())):
            return own
        # The body has its own local names, so the member is passed as a constant.
        body, body_local = bound
        constant = tast.Const(code, member.type)
        explained = self.explain_membership(constant, body, body_local, depth - 1)
        return self.with_definition(call, own, explained)

    def _explain_in_comprehension(
        self, member: Expr, container: tast.Comprehension, holds: bool, local: Local, depth: int
    ) -> Explanation:
        code = self.value(member, local)
        if code is None:
            return self._explain_membership_atom(member, container, holds, local)
        bound = {**local, container.local.name: code}
        in_source = _contains(tast.Const(code, member.type), container.source)
        tests: tuple[Expr, ...] = (in_source, container.condition)
        if isinstance(container.source, tast.Const) and self.value(in_source, local):
            tests = (container.condition,)
        return self.explain_junction("and", holds, tests, bound, depth)

    def _explain_membership_atom(
        self, member: Expr, container: Expr, holds: bool, local: Local
    ) -> Explanation:
        """Membership by the names and values of both sides."""
        member_text, name = self.name_and_value(member, local), self.name(container, local)
        size = (self.value(container, local) or 0).bit_count()
        is_long = self.folder.is_static(container) and size > MAX_PRINTED
        set_text = name if name is not None and is_long else self.name_and_value(container, local)
        text = phrases.among(self.translator, holds, member_text, set_text)
        change = phrases.among(self.translator, not holds, member_text, name or set_text)
        return self.leaf(_contains(member, container), local, text, change)
