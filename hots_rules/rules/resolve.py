"""Second pass of resolving: what the declarations say, typed."""

from __future__ import annotations

from attrs import define, field

from hots_rules.diagnostics import Place
from hots_rules.rules import finite as t
from hots_rules.rules import typed as ty
from hots_rules.rules.book import Entry, name_span
from hots_rules.rules.declare import declare, origin_of
from hots_rules.rules.expressions import Scope
from hots_rules.rules.names import Names, Signature
from hots_rules.rules.statements import Writer, actor_scope
from hots_rules.rules.typed import Local
from hots_rules.syntax import tree


@define
class Resolver:
    """Resolves one ruleset; definitions first, because their types are inferred."""

    names: Names
    definitions: dict[str, ty.Definition] = field(factory=dict)
    _open: list[str] = field(factory=list)

    # -------------------------------------------------------------- definitions
    def define_type(self, name: str) -> t.Type:
        """The type of a definition, resolved when it is first asked for."""
        entry = self.names.entries.get(("define", name))
        if entry is None or not isinstance(entry.node, tree.Define):
            return t.ANY
        if name in self._open:
            chain = " → ".join([*self._open[self._open.index(name) :], name])
            self.names.fault("recursive-definition", f"expected a definition that ends, got {chain}", entry.node.name.span,
                             help_="take the name out of its own definition")  # fmt: skip
            return t.ANY
        if name not in self.definitions:
            self._open.append(name)
            self._define(entry, entry.node)
            self._open.pop()
        return self.definitions[name].body.type

    def _define(self, entry: Entry, node: tree.Define) -> None:
        signature = self.names.signatures["define", entry.name]
        scope = self.scope()
        params = self.bind_all(scope, [p.name for p in signature.params], signature)
        declared = self.names.type_of(node.type) if node.type is not None else None
        body = scope.fitted(node.body, declared) if declared is not None else scope.expr(node.body)
        self.definitions[entry.name] = ty.Definition(entry.name, params, body, origin_of(entry))

    def scope(self) -> Scope:
        """A scope without local names."""
        return Scope(self.names, define_type=self.define_type)

    def bind_all(self, scope: Scope, words: list[str], signature: Signature) -> tuple[Local, ...]:
        """Local names for the parameters of a declaration."""
        seen = set[str]()
        for word in words:
            if word in seen:
                self.names.fault(
                    "duplicate-name",
                    f"expected each parameter once, got `{word}` again",
                    signature.span,
                )
            seen.add(word)
        return tuple(
            scope.bind(word, param.type)
            for word, param in zip(words, signature.params, strict=False)
        )

    def named_params(
        self, kind: str, name: tree.Word, names: tuple[tree.Word, ...] | None, scope: Scope
    ) -> tuple[Local, ...] | None:
        """The parameters of an event or an action under the names that a rule gives them."""
        signature = self.names.signatures.get((kind, name.text))
        if signature is None:
            self.names.unknown(
                f"an {kind}", name, [n for k, n in self.names.signatures if k == kind]
            )
            return None
        self.names.used.add((kind, name.text))
        if names is None:
            return tuple(Local(f"{param.name}_unnamed", param.type) for param in signature.params)
        if len(names) > len(signature.params):
            self.names.fault("wrong-arguments", f"expected at most {len(signature.params)} names for `{name}`, got {len(names)}", name.span,
                             [Place(signature.span, "declared here")])  # fmt: skip
            return None
        bound = self.bind_all(scope, [word.text for word in names], signature)
        return bound + tuple(
            Local(f"{param.name}_unnamed", param.type) for param in signature.params[len(names) :]
        )

    # -------------------------------------------------------------- actions, events, rules
    def actions(self) -> dict[str, ty.ActionDef]:
        """All actions, with the clauses that rules add to them."""
        found: dict[str, ty.ActionDef] = {}
        clauses = self._rule_clauses()
        for entry in self.of_kind("action"):
            assert isinstance(entry.node, tree.Action)
            signature = self.names.signatures["action", entry.name]
            scope = actor_scope(self.names, self.scope())
            params = self.bind_all(scope, [p.name for p in signature.params], signature)
            own = [ty.Clause("permit", params, self._when(p.when, scope), None, origin_of(entry))
                   for p in entry.node.parts if isinstance(p, tree.Permit)]  # fmt: skip
            writer = Writer(self.names, "action")
            body = writer.block(
                tuple(p for p in entry.node.parts if not isinstance(p, tree.Permit)), scope
            )
            found[entry.name] = ty.ActionDef(
                entry.name, params, (*own, *clauses.get(entry.name, [])), body, origin_of(entry)
            )
        return found

    def of_kind(self, kind: str) -> list[Entry]:
        """The entries of a kind."""
        return [entry for entry in self.names.entries.values() if entry.kind == kind]

    def _when(self, node: tree.Expr | None, scope: Scope) -> ty.Expr:
        return scope.fitted(node, t.BOOL) if node is not None else ty.Const(1, t.BOOL)

    def _guard(self, node: tree.Rule) -> ty.Expr | None:
        guards = [part.condition for part in node.parts if isinstance(part, tree.Guard)]
        found = [self.scope().fitted(guard, t.BOOL) for guard in guards]
        if not found:
            return None
        return found[0] if len(found) == 1 else ty.Prim("and", tuple(found), t.BOOL)

    def _rule_clauses(self) -> dict[str, list[ty.Clause]]:
        exemptions = self._exemptions()
        clauses: dict[str, list[ty.Clause]] = {}
        for entry in self.of_kind("rule"):
            assert isinstance(entry.node, tree.Rule)
            guard = self._guard(entry.node)
            for part in entry.node.parts:
                if not isinstance(part, tree.Forbid | tree.Allow):
                    continue
                scope = actor_scope(self.names, self.scope())
                params = self.named_params("action", part.action, part.names, scope)
                if params is not None:
                    kind = "forbid" if isinstance(part, tree.Forbid) else "permit"
                    lifted = (
                        tuple(exemptions.pop((entry.name, part.action.text), []))
                        if kind == "forbid"
                        else ()
                    )
                    clause = ty.Clause(
                        kind, params, self._when(part.when, scope), guard, origin_of(entry), lifted
                    )
                    clauses.setdefault(part.action.text, []).append(clause)
        for (rule, action), left in exemptions.items():
            self.names.fault("amends-nothing", f"expected a rule that forbids `{action}`, got `{rule}`", left[0].origin.span,
                             help_="name the rule whose `forbid` is lifted")  # fmt: skip
        return clauses

    def _exemptions(self) -> dict[tuple[str, str], list[ty.Exemption]]:
        found: dict[tuple[str, str], list[ty.Exemption]] = {}
        for entry in self.of_kind("rule"):
            assert isinstance(entry.node, tree.Rule)
            guard = self._guard(entry.node)
            for part in entry.node.parts:
                if not isinstance(part, tree.Exempt):
                    continue
                if not self._known_rule(part.rule):
                    continue
                scope = actor_scope(self.names, self.scope())
                params = self.named_params("action", part.action, part.names, scope)
                if params is not None:
                    exemption = ty.Exemption(
                        params, self._when(part.when, scope), guard, origin_of(entry)
                    )
                    found.setdefault((part.rule.text, part.action.text), []).append(exemption)
        return found

    def _known_rule(self, word: tree.Word) -> bool:
        if ("rule", word.text) in self.names.entries:
            return True
        self.names.unknown("a rule", word, [n for k, n in self.names.entries if k == "rule"])
        return False

    def events(self) -> dict[str, ty.EventDef]:
        """All events, each with its handlers: those that are exceptions to others first."""
        handlers: dict[str, list[ty.HandlerDef]] = {}
        for entry in self.of_kind("rule"):
            for event, handler in self._handlers(entry):
                handlers.setdefault(event, []).append(handler)
        found = {}
        for entry in self.of_kind("event"):
            assert isinstance(entry.node, tree.Event)
            signature = self.names.signatures["event", entry.name]
            ordered = self._ordered(handlers.get(entry.name, []), entry)
            found[entry.name] = ty.EventDef(entry.name, signature.params, ordered, origin_of(entry))
        return found

    def _handlers(self, entry: Entry) -> list[tuple[str, ty.HandlerDef]]:
        assert isinstance(entry.node, tree.Rule)
        replaces = [
            word
            for part in entry.node.parts
            if isinstance(part, tree.Exception_)
            for word in part.rules
        ]
        known = tuple(word.text for word in replaces if self._known_rule(word))
        guard = self._guard(entry.node)
        found = []
        for part in entry.node.parts:
            if not isinstance(part, tree.Handler):
                continue
            scope = self.scope()
            params = self.named_params("event", part.event, part.names, scope)
            if params is None:
                continue
            when = scope.fitted(part.when, t.BOOL) if part.when is not None else None
            body = Writer(self.names, "rule").block(part.block, scope)
            timing = type(part.timing).__name__.lower()
            found.append(
                (
                    part.event.text,
                    ty.HandlerDef(timing, params, when, guard, body, known, origin_of(entry)),
                )
            )
        return found

    def _ordered(self, handlers: list[ty.HandlerDef], event: Entry) -> tuple[ty.HandlerDef, ...]:
        """`instead` handlers from the most special to the most general; two without an order collide."""
        instead = [h for h in handlers if h.timing == "instead"]
        above = {h.origin.rule: self._all_replaced(h, instead) for h in instead}
        for h in instead:
            if h.origin.rule in above[h.origin.rule]:
                self.names.fault("exception-cycle", f"expected exceptions that end, got `{h.origin.rule}` as an exception to itself",
                                 h.origin.span, help_="take one `exception to` away")  # fmt: skip
                return tuple(handlers)
        for i, one in enumerate(instead):
            for other in instead[i + 1 :]:
                if (
                    other.origin.rule not in above[one.origin.rule]
                    and one.origin.rule not in above[other.origin.rule]
                ):
                    self._collide(one, other, event)
        instead.sort(key=lambda h: len(above[h.origin.rule]), reverse=True)
        return (*(h for h in handlers if h.timing == "before"), *instead, *(h for h in handlers if h.timing == "on"),
                *(h for h in handlers if h.timing == "after"))  # fmt: skip

    def _all_replaced(self, handler: ty.HandlerDef, instead: list[ty.HandlerDef]) -> set[str]:
        by_rule = {h.origin.rule: h for h in instead}
        found: set[str] = set()
        pending = list(handler.replaces)
        while pending:
            rule = pending.pop()
            if rule not in found:
                found.add(rule)
                pending += by_rule[rule].replaces if rule in by_rule else ()
        return found

    def _collide(self, one: ty.HandlerDef, other: ty.HandlerDef, event: Entry) -> None:
        said = [
            f"`{h.origin.rule}` {' '.join('§' + s for s in h.origin.sections)}"
            for h in (one, other)
        ]
        self.names.fault("two-rules-collide", f"expected an order between the rules that replace `{event.name}`, got {said[0]} and {said[1]}",
                         other.origin.span, [Place(one.origin.span, "the other rule"), Place(name_span(event.node), "the event")],
                         f"write `exception to {one.origin.rule}` in the one that goes first, or the other way round")  # fmt: skip

    # -------------------------------------------------------------- phases and the rest
    def phases(self) -> dict[str, ty.PhaseDef]:
        """All phases and stages."""
        found = {}
        for entry in self.names.entries.values():
            if isinstance(entry.node, tree.Phase | tree.Stage):
                signature = self.names.signatures["phase", entry.name]
                scope = self.scope()
                params = self.bind_all(scope, [p.name for p in signature.params], signature)
                found[entry.name] = ty.PhaseDef(
                    entry.name,
                    params,
                    Writer(self.names, entry.kind).block(entry.node.block, scope),
                    origin_of(entry),
                )
        return found

    def scenarios(self) -> dict[str, ty.PhaseDef]:
        """All scenarios."""
        return {entry.name: ty.PhaseDef(entry.name, (), Writer(self.names, "scenario").block(entry.node.block, self.scope()), origin_of(entry))
                for entry in self.of_kind("scenario") if isinstance(entry.node, tree.Scenario)}  # fmt: skip

    def invariants(self) -> dict[str, ty.InvariantDef]:
        """All invariants."""
        return {entry.name: ty.InvariantDef(entry.name, self.scope().fitted(entry.node.condition, t.BOOL), origin_of(entry))
                for entry in self.of_kind("invariant") if isinstance(entry.node, tree.Invariant)}  # fmt: skip

    def secrets(self) -> tuple[ty.SecretDef, ...]:
        """All secrets."""
        return tuple(found for entry in self.of_kind("secret") if isinstance(entry.node, tree.Secret)
                     and (found := self._secret(entry, entry.node)) is not None)  # fmt: skip

    def _secret(self, entry: Entry, node: tree.Secret) -> ty.SecretDef | None:
        keys = node.keys or ()
        scope = self.scope()
        if node.name.text in self.names.variables:
            kind, types = "variable", self.names.variables[node.name.text].keys
        elif isinstance(found := self.names.types.get(node.name.text), t.WordType):
            kind, types = "type", (found,)
        else:
            self.names.fault(
                "secret-unknown",
                f"expected a state variable or a type of words, got `{node.name}`",
                node.name.span,
            )
            return None
        if len(types) != len(keys):
            self.names.fault(
                "wrong-arguments",
                f"expected {len(types)} names for `{node.name}`, got {len(keys)}",
                node.name.span,
            )
            return None
        params = tuple(
            scope.bind(word.text, type_) for word, type_ in zip(keys, types, strict=True)
        )
        audiences = []
        for part in node.parts:
            if isinstance(part, tree.Audience):
                who = (
                    None
                    if isinstance(part.who, tree.Everybody)
                    else scope.fitted(part.who, self.names.players)
                )
                audiences.append(
                    (who, scope.fitted(part.when, t.BOOL) if part.when is not None else None)
                )
        return ty.SecretDef(node.name.text, kind, params, tuple(audiences), origin_of(entry))

    def entry_phase(self) -> str | None:
        """The phase in which a position set up by hand begins."""
        entry = self.names.entries.get(("positions", "begin"))
        if entry is None or not isinstance(entry.node, tree.PositionEntry):
            return None
        word = entry.node.phase
        signature = self.names.signatures.get(("phase", word.text))
        if signature is None or signature.params:
            self.names.unknown(
                "a phase without parameters",
                word,
                [n for k, n in self.names.signatures if k == "phase"],
            )
            return None
        return word.text

    def clock(self) -> tuple[str, ...]:
        """The variables that tell one time from another."""
        entry = self.names.entries.get(("clock", "clock"))
        if entry is None or not isinstance(entry.node, tree.Clock):
            return ()
        found = []
        for word in entry.node.names:
            variable = self.names.variables.get(word.text)
            if variable is None or variable.keys:
                self.names.unknown(
                    "a state variable without keys",
                    word,
                    [n for n, v in self.names.variables.items() if not v.keys],
                )
            else:
                self.names.used.add(("variable", word.text))
                found.append(word.text)
        return tuple(found)


def resolve(names: Names, name: str, title: str, labels: dict[str, dict[str, str]]) -> ty.Typed:
    """The typed tree of a ruleset; what is wrong stands in `names.faults`."""
    declare(names)
    resolver = Resolver(names)
    for entry in resolver.of_kind("define"):
        resolver.define_type(entry.name)
    return ty.Typed(
        name, title, names.players, dict(names.types), dict(names.tables), dict(names.variables), resolver.definitions,
        resolver.actions(), resolver.events(), resolver.phases(), resolver.scenarios(), dict(names.settings),
        resolver.invariants(), resolver.secrets(), labels, resolver.entry_phase(),
        resolver.clock(),
    )  # fmt: skip
