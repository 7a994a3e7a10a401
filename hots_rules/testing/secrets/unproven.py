"""The faults of a ruleset in which a choice may depend on what its player may not know."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from hots_rules.diagnostics import Fault, RelatedPlace, check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.rulebook import Rulebook, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, TypedRuleset
from hots_rules.testing.secrets.choices import UnknownInChoices, choosers_of
from hots_rules.testing.secrets.clauses import UnknownInClauses, Unproven
from hots_rules.testing.secrets.entailment import Entailment
from hots_rules.testing.secrets.sameness import Sameness
from hots_rules.testing.secrets.terms import Term, TooManyTerms
from hots_rules.testing.secrets.translation import Translation

MAX_PLAYERS = 2  # who are looked at one by one

_REMEDY = (
    "ask only for what `actor` knows, or state in an `invariant` or a `promise` what makes it safe"
)


def unproven_secrets(ruleset: AnyRuleset) -> tuple[Fault, ...]:
    """Where the legality of an action may depend on what the player who chooses may not know.

    Each condition, reason and choice is followed through the definitions that it uses. What is reported need not be
    wrong: it is not proved to be right.

    >>> import hots_rules as hr
    >>> hr.testing.unproven_secrets(hr.load("goofspiel-1.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return unproven_in(ruleset.rulebook)


def unproven_in(rulebook: Rulebook) -> tuple[Fault, ...]:
    """The same for a rulebook."""
    if not rulebook.typed.secrets:
        return ()
    faults: dict[tuple[str, str, str], Fault] = {}
    open_actions = actions_that_tell(rulebook.typed)
    try:
        for unproven, players in _all_unproven(rulebook):
            if unproven.of in open_actions and _is_of_the_action(rulebook, unproven):
                continue
            for secret in sorted({read.secret for read in unproven.unknown}):
                fault = _fault(rulebook, unproven, secret, players)
                faults.setdefault((unproven.of, str(unproven.span), secret), fault)
    except TooManyTerms:
        secret = rulebook.typed.secrets[0].name
        place = name_span(rulebook.entries["secret", secret].node)
        headline = "whether a choice tells a secret takes too much to prove"
        general = Fault("unproven-secret", headline, place, help="write shorter conditions")
        return (*faults.values(), general)
    return tuple(faults.values())


def actions_that_tell(typed: TypedRuleset) -> frozenset[str]:
    """The actions with a promise that is just `true`: by their rules they may tell a secret."""
    return frozenset(
        action
        for promise in typed.promises.values()
        if promise.condition == Const(1, types.BOOL)
        for action in promise.actions
    )


@frozen
class Promise:
    """What the author of a ruleset promises, so that it is not proved.

    >>> import hots_rules as hr
    >>> promise, *_ = hr.testing.promises(hr.load("hots-4.0"))
    >>> print(promise)
    own-blocks-ready (fire, hold, retreat, regroup): Only blocks of the side that is asked are ready. §5.31 §5.5 §5.6

    Attributes:
        name: its name.
        actions: the actions of which it says that it holds whenever they may be chosen.
        reason: why it holds.
        sections: the sections that say so.
        place: where it is written.
    """

    name: str
    actions: tuple[str, ...]
    reason: str
    sections: tuple[str, ...]
    place: str

    def __str__(self) -> str:
        cited = "".join(f" §{section}" for section in self.sections)
        return f"{self.name} ({', '.join(self.actions)}): {self.reason}{cited}"


def promises(ruleset: AnyRuleset) -> tuple[Promise, ...]:
    """What the author of a ruleset promises, in the order of the files.

    >>> import hots_rules as hr
    >>> hr.testing.promises(hr.load("goofspiel-1.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    return tuple(
        Promise(
            name,
            declared.actions,
            declared.origin.summary,
            declared.origin.sections,
            str(declared.origin.span),
        )
        for name, declared in ruleset.rulebook.typed.promises.items()
    )


def _all_unproven(rulebook: Rulebook) -> Iterator[tuple[Unproven, str]]:
    """What is not proved, each with the players for whom it is not.

    Raises:
        TooManyTerms: after what was found before, if the rest takes too much.
    """
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
        actors = {terms.constant(player, players): player[1] for player in players.values}

    def unproven_for(actor: Term) -> Iterator[Unproven]:
        sameness = Sameness(translation, entailment, actor)
        clauses = UnknownInClauses(translation, rulebook.entries, sameness)
        code = None if actor is anybody else players.codes[actor.label]  # type: ignore[index]
        for action in typed.actions.values():
            if code is None or code in choosers[action.name]:
                yield from clauses.of_action(action)
        yield from UnknownInChoices(translation, rulebook.entries, sameness).of_ruleset()

    names_of: dict[Unproven, dict[str, None]] = {}
    is_whole = True
    try:
        for actor, name in actors.items():
            for unproven in unproven_for(actor):
                names_of.setdefault(unproven, {})[name] = None
    except (TooManyTerms, RecursionError):
        is_whole = False
    for unproven, names in names_of.items():
        yield unproven, " and ".join(names)
    if not is_whole:
        raise TooManyTerms


def _is_of_the_action(rulebook: Rulebook, unproven: Unproven) -> bool:
    """Whether the action itself, or the choice of it, reads the secret, and not a rule about the action."""
    of_action = rulebook.entries["action", unproven.of].node.span
    place = unproven.span
    is_inside = place.file == of_action.file and of_action.line <= place.line <= of_action.end_line
    return is_inside or unproven.part == "the choice"


def _fault(rulebook: Rulebook, unproven: Unproven, secret: str, players: str) -> Fault:
    return Fault(
        "unproven-secret",
        f"{unproven.part} of `{unproven.of}` may depend on {_what(rulebook, unproven, secret)}, "
        f"which {players} may not know",
        unproven.span,
        [RelatedPlace(name_span(rulebook.entries["secret", secret].node), "this is secret")],
        _REMEDY,
    )


def _what(rulebook: Rulebook, unproven: Unproven, secret: str) -> str:
    """What is read of a secret."""
    kind = next(part.kind for part in rulebook.typed.secrets if part.name == secret)
    if kind == "variable":
        return f"`{secret}`"
    keys = [key for read in unproven.unknown if read.secret == secret for key in read.keys]
    words = sorted(
        {str(key.label[1]) for key in keys if key.kind == "value" and isinstance(key.label, tuple)}
    )
    is_named = len(words) == 1 and all(key.kind == "value" for key in keys)
    return f"which `{secret}` is `{words[0]}`" if is_named else f"which `{secret}` is which"
