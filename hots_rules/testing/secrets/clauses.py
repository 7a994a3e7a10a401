"""What the legality of actions depends on: the conditions of a ruleset, each with its place and what is known there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import define, evolve, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.rulebook import Entry, Key, name_span
from hots_rules.rules.typed import tast
from hots_rules.syntax import tree
from hots_rules.testing.secrets.entailment import Facts
from hots_rules.testing.secrets.sameness import Sameness, Unknowns
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Names, Translation


@frozen
class Unproven:
    """What a part of a ruleset reads and its player may not know.

    `of` is the action or policy, `part` what it is of that, such as `a condition`.
    """

    of: str
    part: str
    span: Span
    unknown: Unknowns


@define
class UnknownInClauses:
    """Finds what the clauses of actions read that the player may not know, for one player or for any."""

    translation: Translation
    entries: Mapping[Key, Entry]
    sameness: Sameness

    def _promised(self, action: str, names: Names) -> Facts:
        """What the author promises for an action."""
        promises = self.translation.typed.promises.values()
        return frozenset(
            self.translation.term(promise.condition, {"actor": names["actor"]})
            for promise in promises
            if action in promise.actions
        )

    def of_action(self, action: tast.ActionDef) -> Iterator[Unproven]:
        """What the clauses of an action read that the player may not know."""
        names = self._names(action.params)
        terms, sameness = self.translation.terms, self.sameness
        promised = self._promised(action.name, names)
        permits = list[Term]()
        for clause, span in zip(action.clauses, self._spans(action), strict=True):
            if clause.kind == "permit":
                held = self._holds(clause, action, names)
                permits.append(held)
                unknown = sameness.unknown_in(held, promised)
                if unknown:
                    yield Unproven(action.name, "a condition", span, unknown)
        legal = terms.either(*permits)
        for clause, span in zip(action.clauses, self._spans(action), strict=True):
            held = self._holds(clause, action, names)
            facts = promised | {legal}
            if clause.kind == "forbid":
                unknown = sameness.unknown_in(held, facts)
                if unknown:
                    place = self._place(clause, action, names, facts, span)
                    yield Unproven(action.name, "a condition", place, unknown)
            if clause.because is not None:
                renamed = self._renamed(clause.params, action, names)
                for _, word in clause.because.values:
                    unknown = sameness.unknown_if_moving(
                        self.translation.term(word, renamed), facts | {held}
                    )
                    if unknown:
                        yield Unproven(action.name, "a reason", span, unknown)

    def _names(self, params: tuple[tast.Local, ...]) -> dict[str, Term]:
        terms = self.translation.terms
        return {
            "actor": self.sameness.actor,
            **{param.name: terms.local(param.name, param.type, is_fixed=True) for param in params},
        }

    def _renamed(
        self, params: tuple[tast.Local, ...], action: tast.ActionDef, names: Names
    ) -> dict[str, Term]:
        own = [names[param.name] for param in action.params]
        given = dict(zip((param.name for param in params), own, strict=False))
        return {"actor": names["actor"], **given}

    def _holds(
        self, clause: tast.Clause | tast.Exemption, action: tast.ActionDef, names: Names
    ) -> Term:
        renamed = self._renamed(clause.params, action, names)
        parts = [self.translation.term(clause.when, renamed)]
        if clause.guard is not None:
            parts.append(self.translation.term(clause.guard, renamed))
        terms = self.translation.terms
        if isinstance(clause, tast.Clause):
            parts += [
                terms.negation(self._holds(exemption, action, names))
                for exemption in clause.exemptions
            ]
        return terms.both(*parts)

    def _place(
        self, clause: tast.Clause, action: tast.ActionDef, names: Names, facts: Facts, span: Span
    ) -> Span:
        """The place of a clause, or of an exemption if nothing else of it reads what is not known."""
        plain = self._holds(evolve(clause, exemptions=()), action, names)
        if not self.sameness.unknown_in(plain, facts):
            for exemption in clause.exemptions:
                held = self._holds(exemption, action, names)
                if self.sameness.unknown_in(held, facts | {plain}):
                    return name_span(self.entries["rule", exemption.origin.rule].node)
        return span

    def _spans(self, action: tast.ActionDef) -> list[Span]:
        """Where the clauses of an action are written, in their order."""
        declared = self.entries["action", action.name]
        spans = list[Span]()
        if isinstance(declared.node, tree.Action):
            spans += [part.span for part in declared.node.parts if isinstance(part, tree.Permit)]
        for (kind, _), rule in self.entries.items():
            if kind == "rule" and isinstance(rule.node, tree.Rule):
                for part in rule.node.parts:
                    if isinstance(part, tree.Forbid | tree.Allow):
                        spans += [
                            part.span for target in part.actions if target.name.text == action.name
                        ]
        return spans
