"""The search for a witness: in the moments of random games, on given trails, and in positions made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from random import Random
from time import monotonic

from attrs import evolve, frozen

from hots_rules._options import option
from hots_rules.compare.differences import diff
from hots_rules.compare.hybrids import hybrid
from hots_rules.diagnostics import check_kind
from hots_rules.play.game import AnyRuleset
from hots_rules.witness.changed_positions import PositionChanger
from hots_rules.witness.lockstep import Lockstep, PlayedRuleset
from hots_rules.witness.minimal_difference import Focus, Judge, isolated_ids
from hots_rules.witness.results import Search
from hots_rules.witness.searcher import Progress, Searcher, is_past
from hots_rules.witness.trails import Trail
from hots_rules.witness.witnesses import Kind, Witness

WALKS = 4_000  # the most of a search without a limit of time


@frozen(kw_only=True)
class SearchPlan:
    """What a witness is to show, and how to search for it.

    >>> import hots_rules as hr
    >>> hr.witness.SearchPlan(section="5.5").walks
    4000

    Attributes:
        section: a section that both rulesets have: the witness shows the differences in it alone.
        difference: the name of a difference: the witness shows it alone, with the declarations that it depends on.
        together: the names of other differences that are taken over with it, since they take effect only together.
        kind: "legal", "outcome" or "odds", to find only that kind.
        settings: the options and readings of each side, by name, as text. Without them those that a difference
            is about are tried one after the other.
        trails: beginnings and games to follow first, such as those of `case_trails`.
        starts: witnesses to begin with; each is made smaller.
        allows: whether a witness may be kept, such as one of whose position a game is known to reach.
        is_whole: whether a witness of one difference, or of a section, has to hold for the whole of `new` as well.
        seed: decides what is tried; 0 if omitted.
        walks: the most walks, which are runs of random moves, that are tried.
        seconds: the longest time; unlimited if omitted.
    """

    section: str | None = option(None, "Only the differences in this section.", metavar="N")
    difference: str | None = option(
        None, "Only this difference; `hots diff` names them.", metavar="NAME"
    )
    together: Sequence[str] = ()
    kind: Kind | None = option(None, "What is to differ. [default: any]")
    settings: tuple[Mapping[str, str], Mapping[str, str]] | None = None
    trails: Sequence[Trail] = ()
    starts: Sequence[Witness] = ()
    allows: Callable[[Witness], bool] = lambda _: True
    is_whole: bool = False
    seed: int | str | None = option(
        None, "Random seed of a search.  [default: 0]", metavar="SEED", given_as=str
    )
    walks: int = WALKS
    seconds: float | None = option(None, "Longest time of the search.", metavar="S", min=0.0)


def witness(
    old: AnyRuleset,
    new: AnyRuleset,
    plan: SearchPlan | None = None,
    *,
    progress: Progress | None = None,
) -> Search:
    """Searches for a smallest position and action to which two rulesets give different answers.

    The rulesets play random games in step, and random moves from positions made from the moments of these games. The
    smallest of the first few findings is made smaller as long as the rulesets differ, and replayed from its text.
    The same seed gives the same search; `seconds` only ends it sooner. Ctrl-C ends it, too, with what
    was found until then.

    >>> import hots_rules as hr
    >>> found = hr.witness.witness(hr.load("hots-4.0"), hr.load("hots-3.x"), hr.witness.SearchPlan(walks=50)).witness
    >>> found.verdicts[0] == found.verdicts[1]
    False

    Args:
        old: the first ruleset.
        new: the second ruleset; it may be the first one, under other `settings`.
        plan: what is searched, and how; anything that differs if omitted.
        progress: is called now and then with what was tried so far.

    Raises:
        ArgumentError: the rulesets are not of the same game, or one lacks the difference, the section, an option,
            a reading or a value.
    """
    check_kind("plan", plan, SearchPlan | None, "a plan")
    plan = plan or SearchPlan()
    seed = 0 if plan.seed is None else plan.seed
    limit = None if plan.seconds is None else monotonic() + plan.seconds
    ids = isolated_ids(old, new, plan.difference, plan.section, tuple(plan.together))
    if ids == ():
        return Search(None, is_same=True)
    second = new if ids is None else hybrid(old, new, ids)
    if plan.settings is None and ids is None and (old == new or not _plays_differently(old, new)):
        return Search(None, is_same=True)
    asked_id = (
        "" if ids is None or plan.difference is None else diff(old, new).find(plan.difference).id
    )
    focus = Focus.of((old, new), second, ids or (), asked_id)
    settings_given = (
        *(trail.settings for trail in plan.trails),
        *(_all_settings(start) for start in plan.starts),
    )
    variants = [plan.settings] if plan.settings else focus.variants(settings_given)
    judge = Judge(old, new, ids, asked_id, bool(plan.together), plan.is_whole, plan.allows)
    search = Search(None, is_exhausted=True)  # of no variant so far
    for number, (ours, theirs) in enumerate(variants):
        lockstep = Lockstep(PlayedRuleset.of(old, ours), PlayedRuleset.of(second, theirs))
        # Each variant that is left has an equal share of the time and of the walks that are left.
        left = len(variants) - number
        until = None if limit is None else monotonic() + (limit - monotonic()) / left
        walks = ceil((plan.walks - search.walks) / left)
        searcher = Searcher(
            lockstep,
            plan.kind,
            PositionChanger(lockstep, focus.words),
            Random(f"witness/{seed}/{number}"),
            until,
            limit,
            None if progress is None else _after(search, progress),
            judge,
            search.positions,
        )
        fitting = [trail for trail in plan.trails if trail.fits((ours, theirs))]
        fitting_starts = [
            evolve(start, settings=(ours, theirs))
            for start in plan.starts
            if (ours, theirs) in (start.settings, focus.of_both(_all_settings(start)))
        ]
        search = search.with_more(searcher.run(fitting, fitting_starts, walks))
        if search or is_past(limit) or search.is_stopped:
            # The variants that are left were not searched.
            return search if left == 1 else evolve(search, is_exhausted=False)
    return search


def _after(search: Search, progress: Progress) -> Progress:
    """Reports the progress of one variant together with that of the variants before it."""
    return lambda later: progress(search.with_more(later))


def _all_settings(witness: Witness) -> dict[str, str]:
    """The options and readings of both sides of a witness."""
    return {**witness.settings[0], **witness.settings[1]}


def _plays_differently(old: AnyRuleset, new: AnyRuleset) -> bool:
    return any(difference.plays for difference in diff(old, new).differences)
