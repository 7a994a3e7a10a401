"""The faults of a ruleset in which a choice may depend on what its player may not know."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.diagnostics import Fault, RelatedPlace
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.rulebook import Rulebook, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.testing.secrets.choices import ChoiceReads, choosers_of
from hots_rules.testing.secrets.clauses import ClauseReads, Unproven
from hots_rules.testing.secrets.entailment import Entailment
from hots_rules.testing.secrets.sameness import Sameness
from hots_rules.testing.secrets.terms import Term
from hots_rules.testing.secrets.translation import Translation

MAX_PLAYERS = 2  # who are looked at one by one

_REMEDY = "ask only for what `actor` knows, or add an `invariant` from which it follows that `actor` knows this"


def unproven_secrets(ruleset: AnyRuleset) -> tuple[Fault, ...]:
    """Where the legality of an action may depend on what the player who chooses may not know.

    Each condition, reason and choice is followed through the definitions that it uses. What is reported need not be
    wrong: it is not proved to be right.

    >>> import hots_rules as hr
    >>> hr.testing.unproven_secrets(hr.load("goofspiel-1.0"))
    ()
    """
    rulebook = ruleset.rulebook
    if not rulebook.typed.secrets:
        return ()
    faults: dict[tuple[str, str, str], Fault] = {}
    for unproven, players in _all_unproven(rulebook):
        for secret in sorted({read.secret for read in unproven.reads}):
            fault = _fault(rulebook, unproven, secret, players)
            faults.setdefault((unproven.of, str(unproven.span), secret), fault)
    return tuple(faults.values())


def _all_unproven(rulebook: Rulebook) -> Iterator[tuple[Unproven, str]]:
    """What is not proved, each with the players for whom it is not."""
    typed = rulebook.typed
    translation = Translation(typed)
    terms, players = translation.terms, typed.players
    anybody = terms.local("actor", players, is_fixed=True)
    invariants = tuple(
        translation.term(invariant.condition, {}) for invariant in typed.invariants.values()
    )
    entailment = Entailment(translation, invariants, frozenset({anybody.label}))
    choosers = choosers_of(typed)
    assert isinstance(players, types.WordType)
    actors: dict[Term, str] = {anybody: "its player"}
    if len(players.values) <= MAX_PLAYERS:
        actors = {terms.value(player, players): player[1] for player in players.values}
    by_actor: dict[Unproven, list[str]] = {}
    for actor, name in actors.items():
        sameness = Sameness(translation, entailment, actor)
        clauses = ClauseReads(translation, rulebook.entries, sameness)
        code = None if actor is anybody else players.codes[actor.label]  # type: ignore[index]
        for action in typed.actions.values():
            if code is None or code in choosers[action.name]:
                for unproven in clauses.of_action(action):
                    by_actor.setdefault(unproven, []).append(name)
        for unproven in ChoiceReads(translation, rulebook.entries, sameness).of_ruleset():
            by_actor.setdefault(unproven, []).append(name)
    for unproven, names in by_actor.items():
        yield unproven, " and ".join(names)


def _fault(rulebook: Rulebook, unproven: Unproven, secret: str, players: str) -> Fault:
    kind = next(part.kind for part in rulebook.typed.secrets if part.name == secret)
    what = f"`{secret}`" if kind == "variable" else f"which `{secret}` is which"
    return Fault(
        "unproven-secret",
        f"{unproven.part} of `{unproven.of}` may depend on {what}, and {players} may not know that",
        unproven.span,
        [RelatedPlace(name_span(rulebook.entries["secret", secret].node), "this is secret")],
        _REMEDY,
    )
