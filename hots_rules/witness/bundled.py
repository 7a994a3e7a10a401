"""What the library keeps of a witness that is asked for, before one is searched."""

from __future__ import annotations

from hots_rules.compare.differences import diff
from hots_rules.diagnostics import HotsError
from hots_rules.play.game import AnyRuleset
from hots_rules.witness.minimal_difference import isolated_ids, sides_of
from hots_rules.witness.results import Search
from hots_rules.witness.witnesses import Kind, Witness, kept_witnesses


def kept_search(
    old: AnyRuleset,
    new: AnyRuleset,
    *,
    difference: str | None = None,
    section: str | None = None,
    kind: Kind | None = None,
) -> Search | None:
    """The smallest witness that the library keeps of what is asked for, or the reason why it keeps none.

    It is replayed, so that it holds for these rulesets. None if the library keeps neither.

    >>> import hots_rules as hr
    >>> pair = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> hr.witness.kept_search(*pair, difference="balliol waits until 1301").witness.kind
    'legal'

    Args:
        old: the first ruleset.
        new: the second ruleset.
        difference: the name of a difference, if a witness of that one is wanted.
        section: a section, if a witness of its differences is wanted.
        kind: "legal", "outcome" or "odds", if only that kind is wanted.

    Raises:
        ArgumentError: no difference has the name, or one ruleset lacks the section.
    """
    pairs = (old.name, new.name), (new.name, old.name)
    kept = [witnesses for witnesses in (kept_witnesses(*pair) for pair in pairs) if witnesses]
    if not kept:
        return None
    asked = _asked(old, new, difference, section)
    by_name = {
        name: witness
        for witnesses in kept
        for name, witness in witnesses.witnesses.items()
        if name in asked
    }
    fitting = (witness for witness in by_name.values() if kind in (None, witness.kind))
    for witness in sorted(fitting, key=lambda witness: witness.size):
        turned = in_order(witness, old.name, new.name)
        try:
            return Search(turned.replayed(*sides_of(turned, old, new)), is_kept=True)
        except HotsError:
            continue
    reasons = [
        witnesses.missing[name] for witnesses in kept for name in asked if name in witnesses.missing
    ]
    if difference is None or not reasons:
        return None
    evidence = diff(old, new).find(difference).evidence
    seen = [evidence.summary] if evidence is not None else []
    return Search(None, is_kept=True, why=" ".join((*reasons[:1], *seen)))


def in_order(witness: Witness, old: str, new: str) -> Witness:
    """A witness of two rulesets with the sides in the order of their names."""
    is_turned = witness.new == old or (witness.old == new and witness.old != old)
    return witness.mirrored if is_turned else witness


def _asked(
    old: AnyRuleset, new: AnyRuleset, difference: str | None, section: str | None
) -> tuple[str, ...]:
    """The names of the differences that are asked for."""
    if difference is not None:
        return (diff(old, new).find(difference).id,)
    ids = isolated_ids(old, new, None, section)
    return diff(old, new).ids if ids is None else ids
