"""What a choice would tell: conditions of actions that look at what their player may not know.

Found are secrets of a variable that only a player named by a key knows, as in `secret hand[s] known
to s`, where something else than `actor` stands for that key. What is open at times, or known by way
of another variable, is not judged here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, field

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Expr, Local
from hots_rules.rules.typed.visitor import children


def unknown_in(typed: tast.TypedRuleset) -> Iterator[tuple[str, str, str]]:
    """Action, rule and variable of each condition that looks at another player's secret."""
    secret = {s.name: keys for s in typed.secrets if (keys := _knowing_keys(s))}
    if not secret:
        return
    seeker = _Seeker(typed, secret)
    for action in typed.actions.values():
        for clause in action.clauses:
            told: list[tast.Clause | tast.Exemption] = [clause, *clause.exemptions]
            for part in told:
                for name in sorted(seeker.secrets(part.when, frozenset({"actor"}))):
                    yield action.name, part.origin.rule, name


def _knowing_keys(secret: tast.SecretDef) -> tuple[int, ...]:
    """Which keys of a secret variable name the players who know it; none if that is not all."""
    if secret.kind != "variable":
        return ()
    names = [param.name for param in secret.params]
    found = []
    for who, when in secret.audiences:
        if not isinstance(who, Local) or when is not None or who.name not in names:
            return ()
        found.append(names.index(who.name))
    return tuple(found)


@define
class _Seeker:
    """Looks for secrets, with the local names that stand for the player who chooses."""

    typed: tast.TypedRuleset
    secret: Mapping[str, tuple[int, ...]]
    _found: dict[tuple[str, frozenset[str]], frozenset[str]] = field(factory=dict)

    def secrets(self, node: Expr, own: frozenset[str]) -> frozenset[str]:
        """The variables in an expression that the player may not know."""
        found = frozenset[str]().union(*(self.secrets(each, own) for each in children(node)))
        if isinstance(node, tast.Load):
            keys = self.secret.get(node.variable)
            if keys and not any(_is_own(node.keys[key], own) for key in keys):
                found |= {node.variable}
        if isinstance(node, tast.DefinitionCall) and node.define in self.typed.definitions:
            found |= self._in_definition(node, own)
        return found

    def _in_definition(self, node: tast.DefinitionCall, own: frozenset[str]) -> frozenset[str]:
        definition = self.typed.definitions[node.define]
        inside = frozenset(
            param.name
            for param, arg in zip(definition.params, node.args, strict=False)
            if _is_own(arg, own)
        )
        key = (node.define, inside)
        if key not in self._found:
            self._found[key] = frozenset()
            self._found[key] = self.secrets(definition.body, inside)
        return self._found[key]


def _is_own(node: Expr, own: frozenset[str]) -> bool:
    return isinstance(node, Local) and node.name in own
