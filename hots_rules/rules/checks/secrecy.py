"""Checks that a choice reveals no secret, and that no secret is public from the beginning.

Conditions of actions may not read what their player may not know. The check covers variables that only the player in a
key knows, as in `secret hand[s] known to s`: they may be read with `actor` for that key alone. Secrets that are known
only under a condition, or through another variable, are not checked.

Everybody sees dice, so what they show is no secret, wherever it is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import define, field

from hots_rules.diagnostics import RelatedPlace
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.call_graph import called_by, procedures, state_read
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import blocks_of, children, expressions


def no_condition_reveals_a_secret(context: CheckContext) -> None:
    """Whether an action is legal does not depend on what its player may not know."""
    if any(fault.code in {"recursive-definition", "too-large"} for fault in context.symbols.faults):
        return  # the definitions may be recursive
    for action, origin, secret in _secrets_read(context.typed):
        context.symbols.fault(
            "secret-unknown",
            f"a condition of `{action}` reads the `{secret}` of another player",
            context.span_of_origin(origin),
            [RelatedPlace(context.span_of("secret", secret), "this is secret")],
            f"ask for `{secret}` of `actor` alone, or decide in the statements of the action",
        )


def no_roll_becomes_a_secret(context: CheckContext) -> None:
    """What dice show is not kept in a secret variable: everybody has seen it."""
    secrets = {secret.name for secret in context.typed.secrets if secret.kind == "variable"}
    for body in context.procedures.values():
        for store in _rolls_kept(body, secrets, frozenset()):
            context.symbols.fault(
                "secret-rolled",
                f"everybody sees what is rolled, and `{store.variable}` is secret",
                store.span,
                [RelatedPlace(context.span_of("secret", store.variable), "this is secret")],
                f"let `{store.variable}` hold words, as in `type Face = One | Two`, and draw one: "
                "`draw x from Face`",
            )


def nothing_internal_decides_who_knows(context: CheckContext) -> None:
    """Everybody can see who knows a secret, so that may not depend on an `internal` variable, which nobody sees."""
    internal = {name for name, variable in context.typed.variables.items() if variable.is_internal}
    for secret in context.typed.secrets:
        parts = (part for audience in secret.audiences for part in (audience.who, audience.when))
        read = state_read((part for part in parts if part is not None), context.typed)
        for variable in sorted(read & internal):
            context.symbols.fault(
                "secret-unknown",
                f"who knows `{secret.name}` depends on `{variable}`, which is internal",
                context.span_of("secret", secret.name),
                [RelatedPlace(context.span_of("variable", variable), "this is told to nobody")],
                f"who knows a thing is told to all: declare `{variable}` without `internal`, or ask for another",
            )


def _rolls_kept(
    body: tast.Body, secrets: Collection[str], rolled: frozenset[str]
) -> Iterator[tast.Store]:
    """The statements that set a variable to a die; `rolled` are the local names of dice."""
    for node in body:
        match node:
            case tast.RollDice():
                rolled |= {node.local.name}
            case tast.Bind() if _plain(node.value) in rolled:
                rolled |= {node.local.name}
            case tast.Bind() | tast.DrawRandom():
                rolled -= {node.local.name}
            case tast.Store() if node.variable in secrets and _plain(node.value) in rolled:
                yield node
        for block in blocks_of(node):
            yield from _rolls_kept(block, secrets, rolled)


def _plain(node: Expr) -> str:
    """The local name that an expression is, perhaps as a value of another type; empty if it is none."""
    while isinstance(node, tast.Convert | tast.Narrow):
        node = node.body
    return node.name if isinstance(node, Local) else ""


def _secrets_read(typed: tast.TypedRuleset) -> Iterator[tuple[str, tast.Origin, str]]:
    """Action, origin and variable of each condition that reads another player's secret."""
    secret_keys = {s.name: keys for s in typed.secrets if (keys := _keys_of_knowers(s))}
    if not secret_keys:
        return
    finder = _SecretFinder(typed, secret_keys)
    for action in typed.actions.values():
        for clause in action.clauses:
            conditions: list[tast.Clause | tast.Exemption] = [clause, *clause.exemptions]
            for condition in conditions:
                for name in sorted(finder.secrets(condition.when, frozenset({"actor"}))):
                    yield action.name, condition.origin, name


def _keys_of_knowers(secret: tast.SecretDef) -> tuple[int, ...]:
    """The keys of a secret variable that name the players who know it; empty if others may know it too."""
    if secret.kind != "variable":
        return ()
    params = [param.name for param in secret.params]
    keys = []
    for audience in secret.audiences:
        who = audience.who
        if not isinstance(who, Local) or audience.when is not None or who.name not in params:
            return ()
        keys.append(params.index(who.name))
    return tuple(keys)


@define
class _SecretFinder:
    """Finds the secrets in an expression, given the locals that hold the player who chooses."""

    typed: tast.TypedRuleset
    secret_keys: Mapping[str, tuple[int, ...]]
    _found: dict[tuple[str, frozenset[str]], frozenset[str]] = field(factory=dict)

    def secrets(self, node: Expr, actor_locals: frozenset[str]) -> frozenset[str]:
        """The variables in an expression that the player may not know."""
        if isinstance(node, tast.LetIn) and _plain(node.value) in actor_locals:
            actor_locals |= {node.local.name}
        if isinstance(node, tast.After):
            return self._after(node, actor_locals)
        names = frozenset[str]().union(
            *(self.secrets(child, actor_locals) for child in children(node))
        )
        if isinstance(node, tast.Load):
            keys = self.secret_keys.get(node.variable)
            if keys and not any(_is_own(node.keys[key], actor_locals) for key in keys):
                names |= {node.variable}
        if isinstance(node, tast.DefinitionCall) and node.define in self.typed.definitions:
            names |= self._in_definition(node, actor_locals)
        return names

    def _after(self, node: tast.After, actor_locals: frozenset[str]) -> frozenset[str]:
        """What is read before the action, by its effect, and in the state after it."""
        own = frozenset(
            local.name
            for local, outside in zip(node.locals, node.values, strict=True)
            if _is_own(outside, actor_locals)
        )
        before = (self.secrets(part, actor_locals) for part in (*node.args, *node.values))
        is_own_act = _is_own(node.args[0], actor_locals)
        effect = self._in_effect(node.action, frozenset({"actor"} if is_own_act else ()))
        return effect.union(self.secrets(node.body, own), *before)

    def _in_effect(self, action: str, actor_locals: frozenset[str]) -> frozenset[str]:
        """The secrets that the effect of an action reads.

        In the events and phases that it calls no name is known to be the actor, so that all of them count.
        """
        key = (f"after {action}", actor_locals)
        if key not in self._found:
            self._found[key] = frozenset()  # ends the recursion of a faulty action
            bodies = procedures(self.typed)
            self._found[key] = frozenset[str]().union(
                *(
                    self.secrets(
                        part, actor_locals if called == f"action {action}" else frozenset()
                    )
                    for called in called_by(bodies, action)
                    for part in expressions(bodies.get(called, ()))
                )
            )
        return self._found[key]

    def _in_definition(
        self, node: tast.DefinitionCall, actor_locals: frozenset[str]
    ) -> frozenset[str]:
        definition = self.typed.definitions[node.define]
        own_params = frozenset(
            param.name
            for param, arg in zip(definition.params, node.args, strict=False)
            if _is_own(arg, actor_locals)
        )
        key = (node.define, own_params)
        if key not in self._found:
            self._found[key] = frozenset()  # ends the recursion of a faulty definition
            self._found[key] = self.secrets(definition.body, own_params)
        return self._found[key]


def _is_own(node: Expr, actor_locals: frozenset[str]) -> bool:
    return isinstance(node, Local) and node.name in actor_locals
