"""Definitions with their inferred types, and the scopes in which everything else is resolved."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, evolve, field

from hots_rules.diagnostics import RelatedPlace, Span
from hots_rules.rules.graph import MAX_SHOWN, dependency_order, describe_cycle
from hots_rules.rules.resolve.alternatives import Variants, variants_of_definitions, with_variants
from hots_rules.rules.resolve.expressions.resolver import ExpressionResolver
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import Signature, SymbolTable
from hots_rules.rules.rulebook import Entry, Key, name_span, words_in
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Local
from hots_rules.rules.wording import count_noun
from hots_rules.syntax import tree

MAX_CHAIN = 50  # a longer cycle of definitions is not resolved recursively


@define
class Resolver:
    """The definitions of a ruleset; all other declarations are resolved in its scopes.

    `wanted` are the declarations to resolve, where not all are; what they need is resolved too.
    """

    symbols: SymbolTable
    wanted: frozenset[Key] | None = None
    definitions: dict[str, tast.Definition] = field(factory=dict)
    _variants: dict[str, Variants] = field(factory=dict)
    _in_progress: list[str] = field(factory=list)

    def of_kind(self, *kinds: str) -> list[Entry]:
        """The entries of some kinds, in the order of the files."""
        return [
            entry
            for key, entry in self.symbols.entries.items()
            if entry.kind in kinds and (self.wanted is None or key in self.wanted)
        ]

    def rules(self) -> Iterator[tuple[Entry, tree.Rule]]:
        """The rules with their trees."""
        for entry in self.of_kind("rule"):
            if isinstance(entry.node, tree.Rule):
                yield entry, entry.node

    # -------------------------------------------------------------- definitions
    def resolve_definitions(self) -> None:
        """Resolves all definitions, each after those that it needs, so that no recursion is deep."""
        entries = {entry.name: entry for entry in self.of_kind("define")}
        names = set(entries)
        self._variants = variants_of_definitions(self.symbols)
        graph = {name: self._words_of(entry) & names - {name} for name, entry in entries.items()}
        order, cycles = dependency_order(graph)
        for cycle in cycles:
            if len(cycle) > MAX_CHAIN:
                self._fault_of_cycle(cycle[:-1])
                for name in cycle:
                    self.definitions[name] = tast.Definition(
                        name, (), tast.INVALID, entries[name].origin
                    )
        for name in order:
            self.type_of_definition(name)
        in_file_order = [name for kind, name in self.symbols.entries if kind == "define"]
        self.definitions = {
            name: self.definitions[name] for name in in_file_order if name in self.definitions
        }

    def _words_of(self, entry: Entry) -> set[str]:
        """All words of a definition, those of its variants included."""
        variants = self._variants.get(entry.name)
        nodes = [entry.node, *(variants.by_alternative.values() if variants else ())]
        return {word for node in nodes for word in words_in(node)}

    def type_of_definition(self, name: str) -> types.Type:
        """The type of a definition, which is resolved when it is first needed."""
        entry = self.symbols.entries.get(("define", name))
        if entry is None or not isinstance(entry.node, tree.Define):
            return types.ANY
        if name in self._in_progress:
            self._fault_of_cycle(self._in_progress[self._in_progress.index(name) :])
            return types.ANY
        if name not in self.definitions:
            self._in_progress.append(name)
            self._resolve_definition(entry, entry.node)
            self._in_progress.pop()
        return self.definitions[name].body.type

    def _fault_of_cycle(self, chain: list[str]) -> None:
        spans = [name_span(self.symbols.entries["define", name].node) for name in chain]
        self.symbols.fault(
            "recursive-definition",
            f"`{chain[0]}` is defined by itself: {describe_cycle([*chain, chain[0]])}",
            spans[0],
            [RelatedPlace(span, "through this one") for span in spans[1:MAX_SHOWN]],
            "write a definition for each step, or keep the answer in the state",
        )

    def _resolve_definition(self, entry: Entry, node: tree.Define) -> None:
        scope = self.scope()
        params = self.bind_params(scope, "define", entry.name)
        declared = self.symbols.type_of(node.type) if node.type is not None else None
        body = scope.resolve_as(node.body, declared) if declared else scope.resolve(node.body)
        if variants := self._variants.get(entry.name):
            body = with_variants(scope, body, params, variants, node)
            body = scope.coerce(body, declared, node.body.span) if declared else body
        self.definitions[entry.name] = tast.Definition(entry.name, params, body, entry.origin)

    # -------------------------------------------------------------- scopes
    def scope(self) -> Scope:
        """A scope without local names."""
        return ExpressionResolver(
            self.symbols,
            type_of_definition=self.type_of_definition,
            definition_of=self.definitions.get,
        )

    def actor_scope(self) -> Scope:
        """A scope in which `actor` is the player who chooses the action."""
        return evolve(self.scope(), locals={"actor": Local("actor", self.symbols.players)})

    def condition(self, node: tree.Expr | None, scope: Scope) -> tast.Expr:
        """A condition; where none is written, true."""
        return scope.resolve_as(node, types.BOOL) if node is not None else tast.Const(1, types.BOOL)

    def guard(self, node: tree.Rule) -> tast.Expr | None:
        """The `only if` conditions of a rule, joined with `and`."""
        written = [part.condition for part in node.parts if isinstance(part, tree.Guard)]
        guards = [self.scope().resolve_as(guard, types.BOOL) for guard in written]
        if len(guards) > 1:
            return tast.Operation("and", tuple(guards), types.BOOL)
        return guards[0] if guards else None

    # -------------------------------------------------------------- parameters
    def bind_params(self, scope: Scope, kind: str, name: str) -> tuple[Local, ...]:
        """The parameters of a declaration, under the names that it gives them."""
        params = self.symbols.signatures[kind, name].params
        return tuple(scope.bind(param.name, param.type) for param in params)

    def bind_renamed_params(
        self, signature: Signature, target: tree.Target, scope: Scope
    ) -> tuple[Local, ...]:
        """The parameters of an event or an action, under the names that a rule gives them."""
        given = target.names or ()
        if len(given) > len(signature.params):
            most = count_noun(len(signature.params), "name")
            self.symbols.fault(
                "wrong-arguments",
                f"expected at most {most} for `{target.name}`, got {len(given)}",
                target.name.span,
                [RelatedPlace(signature.span, "declared here")],
                "the names are those of its parameters, in order",
            )
        self.symbols.check_distinct(given, "name")
        for extra in given[len(signature.params) :]:
            scope.bind(extra, types.ANY)
        bound = [
            scope.bind(word, param.type)
            for word, param in zip(given, signature.params, strict=False)
        ]
        rest = signature.params[len(bound) :]
        return (*bound, *(Local(f"{param.name}_unnamed", param.type) for param in rest))

    def action_signature(self, word: tree.Word) -> Signature | None:
        """The signature of an action; a fault where no action has the name."""
        signature = self.symbols.signatures.get(("action", word.text))
        if signature is None:
            self.symbols.not_an_action(word)
        return signature

    def is_rule(self, word: tree.Word) -> bool:
        """Whether a name is that of a rule; a fault where it is not."""
        if ("rule", word.text) in self.symbols.entries:
            return True
        names = [name for kind, name in self.symbols.entries if kind == "rule"]
        self.symbols.unknown("a rule", word, names)
        return False

    def span_of_rule(self, name: str) -> Span:
        """The place of the name of a rule."""
        return name_span(self.symbols.entries["rule", name].node)
