"""Second pass of resolving: what the declarations say, typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field

from hots_rules.diagnostics import Place, Span
from hots_rules.rules.graph import MAX_SHOWN, dependency_order, describe_cycle
from hots_rules.rules.resolve.because import because_of
from hots_rules.rules.resolve.declare import declare, origin_of
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.handler_order import ordered
from hots_rules.rules.resolve.map_definition import map_of
from hots_rules.rules.resolve.statements import StatementResolver, actor_scope
from hots_rules.rules.resolve.symbols import Signature, SymbolTable, many
from hots_rules.rules.rulebook import Entry, name_span, words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Local
from hots_rules.syntax import tree

MAX_CHAIN = 50  # of definitions that need one another in a circle
MAX_EXEMPTIONS = 10  # from one rule

Lifted = dict[tuple[str, str], list[tast.Exemption]]


def resolve(
    names: SymbolTable, name: str, title: str, labels: dict[str, dict[str, str]]
) -> tast.TypedRuleset:
    """The typed tree of a ruleset; what is wrong stands in `names.faults`."""
    declare(names)
    resolver = Resolver(names)
    resolver.define_all()
    return tast.TypedRuleset(
        name,
        title,
        names.players,
        dict(names.named_types),
        dict(names.tables),
        dict(names.variables),
        resolver.definitions,
        resolver.actions(),
        resolver.events(),
        resolver.phases(),
        resolver.scenarios(),
        dict(names.settings),
        resolver.invariants(),
        resolver.secrets(),
        labels,
        resolver.entry_phase(),
        resolver.clock(),
        map_of(names),
        resolver.policies(),
        resolver.questions(),
    )


@define
class Resolver:
    """Resolves one ruleset; definitions first, because their types are inferred."""

    names: SymbolTable
    definitions: dict[str, tast.Definition] = field(factory=dict)
    _open: list[str] = field(factory=list)

    def of_kind(self, kind: str) -> list[Entry]:
        """The entries of a kind."""
        return [entry for entry in self.names.entries.values() if entry.kind == kind]

    # -------------------------------------------------------------- definitions
    def define_all(self) -> None:
        """Definitions that others need come first, so that long chains stay shallow."""
        entries = {entry.name: entry for entry in self.of_kind("define")}
        known = set(entries)
        graph = {
            name: set(words_in(entry.node)) & known - {name} for name, entry in entries.items()
        }
        order, circles = dependency_order(graph)
        for circle in circles:
            if len(circle) > MAX_CHAIN:
                # Names alone: such a circle is no accident, and too long to go through.
                self._say_circle(circle[:-1])
                for name in circle:
                    self.definitions[name] = tast.Definition(
                        name, (), tast.INVALID, origin_of(entries[name])
                    )
        for name in order:
            self.define_type(name)
        # In the order of the files again.
        self.definitions = {
            name: self.definitions[name] for name in entries if name in self.definitions
        }

    def define_type(self, name: str) -> types.Type:
        """The type of a definition, resolved when it is first asked for."""
        entry = self.names.entries.get(("define", name))
        if entry is None or not isinstance(entry.node, tree.Define):
            return types.ANY
        if name in self._open:
            self._say_circle(self._open[self._open.index(name) :])
            return types.ANY
        if name not in self.definitions:
            self._open.append(name)
            self._define(entry, entry.node)
            self._open.pop()
        return self.definitions[name].body.type

    def _say_circle(self, chain: list[str]) -> None:
        spans = [name_span(self.names.entries["define", name].node) for name in chain]
        self.names.fault(
            "recursive-definition",
            f"expected a definition that ends, got {describe_cycle([*chain, chain[0]])}",
            spans[0],
            [Place(span, "on the way") for span in spans[1:MAX_SHOWN]],
            "a definition may not need itself: say how far it reaches, step by step",
        )

    def _define(self, entry: Entry, node: tree.Define) -> None:
        scope = self.scope()
        params = self._own_params(scope, "define", entry.name)
        declared = self.names.type_of(node.type) if node.type is not None else None
        body = scope.fitted(node.body, declared) if declared is not None else scope.expr(node.body)
        self.definitions[entry.name] = tast.Definition(entry.name, params, body, origin_of(entry))

    def scope(self) -> Scope:
        """A scope without local names."""
        return Scope(self.names, define_type=self.define_type)

    # -------------------------------------------------------------- parameters
    def _own_params(self, scope: Scope, kind: str, name: str) -> tuple[Local, ...]:
        """The parameters of a declaration under its own names."""
        params = self.names.signatures[kind, name].params
        return tuple(scope.bind(param.name, param.type) for param in params)

    def _named_params(
        self, signature: Signature, name: tree.Word, words: tree.Words | None, scope: Scope
    ) -> tuple[Local, ...]:
        """The parameters of an event or an action under the names that a rule gives them."""
        given = words or ()
        if len(given) > len(signature.params):
            self.names.fault(
                "wrong-arguments",
                f"expected at most {many(len(signature.params), 'name')} for `{name}`, got {len(given)}",
                name.span,
                [Place(signature.span, "declared here")],
                "the names stand for its parameters, in order",
            )
        seen: dict[str, Span] = {}
        for word in given:
            if word.text in seen:
                self.names.fault(
                    "duplicate-name",
                    f"expected each name once, got `{word}` again",
                    word.span,
                    [Place(seen[word.text], "first here")],
                    "rename one of them",
                )
            seen.setdefault(word.text, word.span)
        for extra in given[len(signature.params) :]:
            scope.bind(extra.text, types.ANY)
        bound = [
            scope.bind(word.text, param.type)
            for word, param in zip(given, signature.params, strict=False)
        ]
        rest = signature.params[len(bound) :]
        return (*bound, *(Local(f"{param.name}_unnamed", param.type) for param in rest))

    # -------------------------------------------------------------- actions and their clauses
    def actions(self) -> dict[str, tast.ActionDef]:
        """All actions, with the clauses that rules add to them."""
        clauses = self._rule_clauses()
        return {
            entry.name: self._action(entry, entry.node, clauses.get(entry.name, []))
            for entry in self.of_kind("action")
            if isinstance(entry.node, tree.Action)
        }

    def _action(self, entry: Entry, node: tree.Action, more: list[tast.Clause]) -> tast.ActionDef:
        scope = actor_scope(self.names, self.scope())
        params = self._own_params(scope, "action", entry.name)
        permits = [part for part in node.parts if isinstance(part, tree.Permit)]
        statements = tuple(part for part in node.parts if not isinstance(part, tree.Permit))
        own = [
            tast.Clause(
                "permit",
                params,
                self._when(permit.when, scope),
                None,
                origin_of(entry),
                because=because_of(self.names, permit.because, scope),
            )
            for permit in permits
        ]
        body = StatementResolver(self.names, "action").block(statements, scope)
        return tast.ActionDef(entry.name, params, (*own, *more), body, origin_of(entry))

    def _when(self, node: tree.Expr | None, scope: Scope) -> tast.Expr:
        return scope.fitted(node, types.BOOL) if node is not None else tast.Const(1, types.BOOL)

    def _rules(self) -> Iterator[tuple[Entry, tree.Rule]]:
        for entry in self.of_kind("rule"):
            if isinstance(entry.node, tree.Rule):
                yield entry, entry.node

    def _guard(self, node: tree.Rule) -> tast.Expr | None:
        guards = [part.condition for part in node.parts if isinstance(part, tree.Guard)]
        found = [self.scope().fitted(guard, types.BOOL) for guard in guards]
        if not found:
            return None
        return found[0] if len(found) == 1 else tast.Operation("and", tuple(found), types.BOOL)

    def _rule_clauses(self) -> dict[str, list[tast.Clause]]:
        lifted, places = self._exemptions()
        clauses: dict[str, list[tast.Clause]] = {}
        forbidden = set[tuple[str, str]]()
        for entry, node in self._rules():
            guard = self._guard(node)
            for part in node.parts:
                if isinstance(part, tree.Forbid | tree.Allow):
                    found = self._clause(entry, part, guard, lifted)
                    if found is not None:
                        clauses.setdefault(part.action.text, []).append(found)
                if isinstance(part, tree.Forbid):
                    forbidden.add((entry.name, part.action.text))
        for key in lifted.keys() - forbidden:
            self.names.fault(
                "amends-nothing",
                f"expected a rule that forbids `{key[1]}`, got `{key[0]}`",
                places[key],
                help_="name the rule whose `forbid` is lifted",
            )
        return clauses

    def _clause(
        self, entry: Entry, part: tree.Forbid | tree.Allow, guard: tast.Expr | None, lifted: Lifted
    ) -> tast.Clause | None:
        forbids = isinstance(part, tree.Forbid)
        exemptions = lifted.get((entry.name, part.action.text), []) if forbids else []
        scope = actor_scope(self.names, self.scope())
        signature = self._action_called(part.action)
        if signature is None:
            return None
        params = self._named_params(signature, part.action, part.names, scope)
        when = self._when(part.when, scope)
        kind = "forbid" if forbids else "permit"
        because = because_of(self.names, part.because, scope)
        return tast.Clause(kind, params, when, guard, origin_of(entry), tuple(exemptions), because)

    def _action_called(self, word: tree.Word) -> Signature | None:
        signature = self.names.signatures.get(("action", word.text))
        if signature is None:
            self.names.no_action(word)
        return signature

    def _exemptions(self) -> tuple[Lifted, dict[tuple[str, str], Span]]:
        """What lifts the `forbid` of which rule on which action, and where that is said."""
        found: Lifted = {}
        places: dict[tuple[str, str], Span] = {}
        for entry, node in self._rules():
            guard = self._guard(node)
            for part in node.parts:
                if not isinstance(part, tree.Exempt) or not self._is_rule(part.rule):
                    continue
                signature = self._action_called(part.action)
                if signature is None:
                    continue
                scope = actor_scope(self.names, self.scope())
                params = self._named_params(signature, part.action, part.names, scope)
                exemption = tast.Exemption(
                    params, self._when(part.when, scope), guard, origin_of(entry)
                )
                key = (part.rule.text, part.action.text)
                found.setdefault(key, []).append(exemption)
                places[key] = part.rule.span
                if len(found[key]) == MAX_EXEMPTIONS + 1:
                    self.names.fault(
                        "too-large",
                        f"expected at most {MAX_EXEMPTIONS} exemptions from `{part.rule}`, got more",
                        part.rule.span,
                        help_="put several conditions into one, with `or`",
                    )
        return found, places

    def _is_rule(self, word: tree.Word) -> bool:
        if ("rule", word.text) in self.names.entries:
            return True
        self.names.unknown("a rule", word, [n for k, n in self.names.entries if k == "rule"])
        return False

    # -------------------------------------------------------------- events and what rules do about them
    def events(self) -> dict[str, tast.EventDef]:
        """All events, each with its handlers: those that are exceptions to others first."""
        handlers: dict[str, list[tast.HandlerDef]] = {}
        for entry, node in self._rules():
            for event, handler in self._handlers(entry, node):
                handlers.setdefault(event, []).append(handler)
        self._check_exceptions(handlers)
        found = {}
        for entry in self.of_kind("event"):
            params = self._own_params(self.scope(), "event", entry.name)
            in_turn = ordered(self.names, handlers.get(entry.name, []), entry)
            found[entry.name] = tast.EventDef(entry.name, params, in_turn, origin_of(entry))
        return found

    def _handlers(self, entry: Entry, node: tree.Rule) -> Iterator[tuple[str, tast.HandlerDef]]:
        known = tuple(word.text for word in _replaced(node) if self._is_rule(word))
        guard = self._guard(node)
        for part in node.parts:
            if not isinstance(part, tree.Handler):
                continue
            signature = self.names.signatures.get(("event", part.event.text))
            if signature is None:
                self._say_no_event(part.event)
                continue
            scope = self.scope()
            params = self._named_params(signature, part.event, part.names, scope)
            when = scope.fitted(part.when, types.BOOL) if part.when is not None else None
            body = StatementResolver(self.names, "rule").block(part.block, scope)
            timing = type(part.timing).__name__.lower()
            yield (
                part.event.text,
                tast.HandlerDef(timing, params, when, guard, body, known, origin_of(entry)),
            )

    def _say_no_event(self, word: tree.Word) -> None:
        other = self.names.kind_of(word.text)
        if other is None:
            self.names.unknown("an event", word, self.names.of_kind("event"))
        else:
            self.names.fault(
                "not-allowed-here",
                f"expected an event, got the {other} `{word}`",
                word.span,
                [Place(self.names.signatures[other, word.text].span, "declared here")],
                "rules answer events",
            )

    def _check_exceptions(self, handlers: Mapping[str, list[tast.HandlerDef]]) -> None:
        """An exception replaces what the other rule does about the same event."""
        answers: dict[str, set[str]] = {}
        replaces: dict[str, set[str]] = {}
        for event, found in handlers.items():
            for handler in found:
                answers.setdefault(handler.origin.rule, set()).add(event)
                if handler.timing == "instead":
                    replaces.setdefault(handler.origin.rule, set()).add(event)
        for entry, node in self._rules():
            own = replaces.get(entry.name, set())
            for word in _replaced(node):
                if not own:
                    self.names.fault(
                        "not-allowed-here",
                        f"expected `instead of …` in a rule that is an exception, got none in `{entry.name}`",
                        word.span,
                        help_="say which event it replaces; a `forbid` is lifted with `exempt`",
                    )
                elif ("rule", word.text) in self.names.entries and not own & answers.get(
                    word.text, set()
                ):
                    said = " or ".join(f"`{event}`" for event in sorted(own))
                    self.names.fault(
                        "not-allowed-here",
                        f"expected a rule that answers {said}, got `{word}`",
                        word.span,
                        help_="name the rule that is replaced",
                    )

    # -------------------------------------------------------------- phases and the rest
    def phases(self) -> dict[str, tast.PhaseDef]:
        """All phases and stages."""
        found = {}
        for entry in self.names.entries.values():
            if isinstance(entry.node, tree.Phase | tree.Stage):
                scope = self.scope()
                params = self._own_params(scope, "phase", entry.name)
                body = StatementResolver(self.names, entry.kind).block(entry.node.block, scope)
                found[entry.name] = tast.PhaseDef(entry.name, params, body, origin_of(entry))
        return found

    def scenarios(self) -> dict[str, tast.PhaseDef]:
        """All scenarios."""
        return {
            entry.name: tast.PhaseDef(
                entry.name,
                (),
                StatementResolver(self.names, "scenario").block(entry.node.block, self.scope()),
                origin_of(entry),
            )
            for entry in self.of_kind("scenario")
            if isinstance(entry.node, tree.Scenario)
        }

    def invariants(self) -> dict[str, tast.InvariantDef]:
        """All invariants."""
        return {
            entry.name: tast.InvariantDef(
                entry.name, self.scope().fitted(entry.node.condition, types.BOOL), origin_of(entry)
            )
            for entry in self.of_kind("invariant")
            if isinstance(entry.node, tree.Invariant)
        }

    def policies(self) -> dict[str, tast.PolicyDef]:
        """All policies."""
        return {
            entry.name: tast.PolicyDef(entry.name, self.preferences(entry.node), origin_of(entry))
            for entry in self.of_kind("policy")
            if isinstance(entry.node, tree.Policy)
        }

    def preferences(
        self, node: tree.Policy
    ) -> tuple[tuple[str, tuple[Local, ...], tast.Expr], ...]:
        """The lines of a policy: an action, the names of its parameters, a condition."""
        found = []
        for part in node.parts:
            signature = self._action_called(part.action)
            if signature is not None:
                scope = actor_scope(self.names, self.scope())
                params = self._named_params(signature, part.action, part.names, scope)
                found.append((part.action.text, params, self._when(part.when, scope)))
        return tuple(found)

    def questions(self) -> dict[str, tast.QuestionDef]:
        """All questions."""
        found = {}
        for entry in self.of_kind("question"):
            if isinstance(entry.node, tree.Question):
                scope = self.scope()
                names = tuple(param.name.text for param in entry.node.params or ())
                params = self._own_params(scope, "question", entry.name)
                body = scope.expr(entry.node.body)
                origin = origin_of(entry)
                found[entry.name] = tast.QuestionDef(entry.name, names, params, body, origin)
        return found

    def secrets(self) -> tuple[tast.SecretDef, ...]:
        """All secrets."""
        found = [
            self._secret(entry, entry.node)
            for entry in self.of_kind("secret")
            if isinstance(entry.node, tree.Secret)
        ]
        return tuple(secret for secret in found if secret is not None)

    def _secret(self, entry: Entry, node: tree.Secret) -> tast.SecretDef | None:
        names, word = self.names, node.name
        if word.text in names.variables:
            kind, key_types = "variable", names.variables[word.text].keys
            names.used.add(("variable", word.text))
        elif isinstance(found := names.named_types.get(word.text), types.WordType):
            kind, key_types = "type", (found,)
            names.used |= {("type", word.text), ("table", word.text)}
        else:
            known = [
                n for n, type_ in names.named_types.items() if isinstance(type_, types.WordType)
            ]
            names.unknown("a state variable or a type of words", word, [*names.variables, *known])
            return None
        keys = node.keys or ()
        if len(key_types) != len(keys):
            names.fault(
                "wrong-arguments",
                f"expected {many(len(key_types), 'name')} for `{word}`, got {len(keys)}",
                word.span,
                help_=f"name what it is looked up by, as in `{word}[{', '.join('xyz'[: len(key_types)])}]`"
                if key_types
                else f"`{word}` stands alone",
            )
        scope = self.scope()
        params = tuple(
            scope.bind(key.text, type_)
            for key, type_ in zip(keys, [*key_types, *[types.ANY] * len(keys)], strict=False)
        )
        audiences = tuple(self._audience(part, scope) for part in node.audiences)
        return tast.SecretDef(word.text, kind, params, audiences, origin_of(entry))

    def _audience(
        self, part: tree.Audience, scope: Scope
    ) -> tuple[tast.Expr | None, tast.Expr | None]:
        who = None
        if not isinstance(part.who, tree.Everybody):
            who = scope.fitted(part.who, self.names.players)
        when = scope.fitted(part.when, types.BOOL) if part.when is not None else None
        return who, when

    # -------------------------------------------------------------- where play begins, and its clock
    def entry_phase(self) -> str | None:
        """The phase in which a position set up by hand begins."""
        entry = self.names.entries.get(("positions", "begin"))
        if entry is None or not isinstance(entry.node, tree.PositionEntry):
            return None
        word = entry.node.phase
        signature = self.names.signatures.get(("phase", word.text))
        if signature is None:
            self.names.unknown(
                "a phase", word, [n for k, n in self.names.signatures if k == "phase"]
            )
            return None
        if signature.params:
            self.names.fault(
                "wrong-arguments",
                f"expected a phase without parameters, got `{word}`",
                word.span,
                [Place(signature.span, "declared here")],
                "play goes on there from the state alone",
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
            if variable is None:
                plain = [name for name, known in self.names.variables.items() if not known.keys]
                self.names.unknown("a state variable", word, plain)
                continue
            self.names.used.add(("variable", word.text))
            if variable.keys:
                self.names.fault(
                    "wrong-arguments",
                    f"expected a variable without keys, got the map `{word}`",
                    word.span,
                    help_="the clock shows one value of each variable",
                )
            else:
                found.append(word.text)
        return tuple(found)


def _replaced(node: tree.Rule) -> list[tree.Word]:
    """The rules that a rule is an exception to."""
    return [
        word for part in node.parts if isinstance(part, tree.ExceptionTo) for word in part.rules
    ]
