"""Why a condition is true or false, broken down into facts about the state."""

from functools import partial

from attrs import evolve, frozen

from hots_rules.diagnostics import EngineError
from hots_rules.diagnostics.braces import filled, split_braces
from hots_rules.explain import phrases
from hots_rules.explain.expression_names import Local
from hots_rules.explain.set_explanation import MAX_DEPTH, SetExplainer
from hots_rules.play.reason import Explanation
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.operators import OPERATORS
from hots_rules.rules.typed.tast import Expr, Operation
from hots_rules.rules.typed.visitor import walk

MAX_TOLD = 3  # facts about the state after an action


@frozen
class Explainer(SetExplainer):
    """Explains the conditions of rules at one moment of a game."""

    def explain(self, node: Expr, local: Local, depth: int = MAX_DEPTH) -> Explanation:
        """Why a condition is true or false, down to a depth."""
        holds = bool(self.value(node, local))
        if depth == 0:
            return self.explain_atom(node, holds, local)
        match node:
            case Operation(op="and" | "or"):
                return self.explain_junction(node.op, holds, node.args, local, depth)
            case Operation(op="not"):
                return self.explain(node.args[0], local, depth - 1)
            case Operation(op="some" | "no"):
                return self.explain_nonempty(node.args[0], local, depth)
            case Operation(op="in"):
                return self.explain_membership(node.args[0], node.args[1], local, depth)
            case Operation(op=op) if OPERATORS[op].mirror:
                return self._explain_comparison(node, op, holds, local)
            case tast.Quantified():
                return self.explain_quantified(node, holds, local, depth)
            case tast.DefinitionCall():
                return self._explain_definition(node, holds, local, depth)
            case tast.Convert() | tast.Narrow():
                return self.explain(node.body, local, depth - 1)
            case tast.LetIn() if (body := self.written_out(node)) is not None:
                return self.explain(body, local, depth - 1)
            case tast.After():
                return self._explain_after(node, local, depth)
            case tast.Conditional():
                return self.explain_conditional(
                    node, local, depth, lambda it: self.explain(it, local, depth - 1)
                )
            case tast.TypeTest():
                return self._explain_type_test(node, holds, local)
        return self.explain_atom(node, holds, local)

    def _explain_after(self, node: tast.After, local: Local, depth: int) -> Explanation:
        """What decides a condition in the state that an action would make, without changes that would reverse it."""
        try:
            evaluator, own = self.evaluator.after(node, local)
        except (EngineError, LookupError, ArithmeticError):
            return Explanation("")
        there = evolve(self, evaluator=evaluator, knows=partial(self._knows_after, node, local))
        facts = dict.fromkeys(filter(None, there.explain(node.body, own, depth - 1).facts()))
        decisive = "; ".join(list(facts)[:MAX_TOLD])
        action = self._action_text(node, local)
        gettext = self.translator.gettext
        return Explanation(
            gettext("after {action}: {facts}", action=action, facts=decisive) if decisive else ""
        )

    def _knows_after(self, node: tast.After, local: Local, part: Expr, part_local: Local) -> bool:
        """Whether an expression may be shown as it is in the state that an action would make."""
        names = dict.fromkeys(
            name for name in walk(part) if isinstance(name, tast.Local) and name.name in part_local
        )
        values = tuple(tast.Const(part_local[name.name], name.type) for name in names)
        asked = evolve(node, locals=tuple(names), values=values, body=part, type=part.type)
        return self.knows(asked, local)

    def _action_text(self, node: tast.After, local: Local) -> str:
        """An action with its arguments, by its label."""
        params = [param.word for param in self.evaluator.typed.actions[node.action].params]
        english = " ".join([node.action.replace("_", " "), *(f"{{{param}}}" for param in params)])
        texts = [self.value_text(arg, local) for arg in node.args[1:]]
        template = self.labels.label(f"action {node.action}", english)
        return filled(template, dict(zip(params, texts, strict=True)))

    def _explain_definition(
        self, call: tast.DefinitionCall, holds: bool, local: Local, depth: int
    ) -> Explanation:
        own = self.explain_atom(call, holds, local)
        bound = self.evaluator.bound_body(call, local)
        if bound is None:
            return own
        body, body_local = bound
        return self.with_definition(call, own, self.explain(body, body_local, depth - 1))

    def _explain_comparison(
        self, node: Operation, op: str, holds: bool, local: Local
    ) -> Explanation:
        """A comparison as a sentence about the side that has a name."""
        left, right = node.args
        if self.name(left, local) is None and self.name(right, local) is not None:
            left, right, op = right, left, OPERATORS[op].mirror
        name, right_name = self.name(left, local), self.name(right, local)
        limit = self.name_and_value(right, local)
        relation = phrases.relation(self.translator, op, holds, limit)
        wanted = phrases.wanted(self.translator, op, holds, limit)
        value = self.value_text(left, local)
        if name is None:
            return self.leaf(node, local, f"{value}, {relation or limit}", self.fact(value, wanted))
        if op == "eq" and holds and right_name is not None:
            value = f"{value} ({right_name})"
        text = self.fact(name, f"{value}, {relation}" if relation else value)
        return self.leaf(node, local, text, self.fact(name, wanted))

    def _explain_type_test(self, node: tast.TypeTest, holds: bool, local: Local) -> Explanation:
        name, value = self.name(node.body, local), self.value_text(node.body, local)
        is_one = self.declared_name("type", str(node.tested).replace("_", " ")).lower()
        if name is None:
            name, value = value, self.truth_text(holds)
        is_none = self.translator.gettext("no {kind}", kind=is_one)
        relation, wanted = (is_one, is_none) if holds else (is_none, is_one)
        return self.leaf(
            node, local, self.fact(name, f"{value}, {relation}"), self.fact(name, wanted)
        )

    # -------------------------------------------------------------- because
    def because(self, because: tast.Because, template: str, local: Local) -> str:
        """The sentence of a `because`, with its values; empty if one of them has no value here."""
        values, parts = dict(because.values), split_braces(template)
        for at in range(1, len(parts), 2):
            node = values[parts[at]]
            if self.value(node, local) is None:
                return ""
            parts[at] = self.value_text(node, local)
        return "".join(parts)
