"""Witnesses that come with the library, which are looked up before a search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from attrs import evolve

from hots_rules.compare.differences import diff
from hots_rules.diagnostics import HotsError, check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.witness.minimal_difference import isolated_ids, sides_of
from hots_rules.witness.results import Search
from hots_rules.witness.witnesses import KeptWitnesses, Kind, Witness, kept_witnesses

NOT_BETWEEN = (
    "The kept positions show it between neighbouring editions, and none of them between these two."
)
SHOWN_ALONE = (
    "It is shown between an edition and the same one without it; "
    "no position is known that shows it between these two."
)


def kept_search(
    old: AnyRuleset,
    new: AnyRuleset,
    *,
    difference: str | None = None,
    section: str | None = None,
    kind: Kind | None = None,
) -> Search | None:
    """The smallest kept witness of what is asked for, or the reason why the library keeps none; None without either.

    It is replayed, so that it holds for these rulesets. Between two editions that are not neighbours, a witness of two
    neighbours counts if it holds for these two as well.

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
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    kept = [*_kept(old, new)]
    if not kept:
        return None
    ids = _asked(old, new, difference, section)
    fitting = [
        _between(witness, pair, old, new)
        for pair, witnesses in kept
        for name, witness in witnesses.witnesses.items()
        if name in ids
        and kind in (None, witness.kind)
        and (not witness.without or witness.new in (old.name, new.name))
    ]
    for witness in sorted(fitting, key=lambda witness: witness.size):
        try:
            return Search(witness.replayed(*sides_of(witness, old, new)), is_kept=True)
        except HotsError:
            continue
    if difference is None:
        return None
    reason = next(
        (
            witnesses.missing[name]
            for _, witnesses in kept
            for name in ids
            if name in witnesses.missing
        ),
        None,
    )
    if reason is None and kept[0][0] != (old.name, new.name):
        is_shown_alone = any(name in ids for _, witnesses in kept for name in witnesses.witnesses)
        if fitting:
            reason = NOT_BETWEEN
        elif is_shown_alone and kind is None:
            reason = SHOWN_ALONE
    if reason is None:
        return None
    evidence = diff(old, new).find(difference).evidence
    return Search(
        None, is_kept=True, why=reason if evidence is None else f"{reason} {evidence.summary}"
    )


Pair = tuple[str, str]


def _kept(old: AnyRuleset, new: AnyRuleset) -> Iterator[tuple[Pair, KeptWitnesses]]:
    """The witnesses kept of two rulesets; if there are none, those of each pair of neighbours between the two."""
    pairs = [(old.name, new.name)]
    if not _files(old.name, new.name):
        layers = max((old, new), key=lambda ruleset: len(ruleset.source.layers)).source.layers
        names = [layer.name for layer in layers]
        if not {old.name, new.name} <= {*names}:
            return
        first, last = sorted((names.index(old.name), names.index(new.name)))
        between = names[first : last + 1]
        pairs = [*pairwise(between if between[0] == old.name else between[::-1])]
    for pair in pairs:
        yield from ((pair, witnesses) for witnesses in _files(*pair))


def _files(first: str, second: str) -> list[KeptWitnesses]:
    """The witnesses that are kept of two rulesets, in whichever order they name them."""
    found = (kept_witnesses(*names) for names in ((first, second), (second, first)))
    return [witnesses for witnesses in found if witnesses]


def _between(witness: Witness, pair: Pair, old: AnyRuleset, new: AnyRuleset) -> Witness:
    """A witness of two neighbours, restated for two rulesets that lie further apart."""
    turned = in_order(witness, *pair)
    if pair == (old.name, new.name) or turned.without:
        return turned
    return evolve(turned, old=old.name, new=new.name)


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
