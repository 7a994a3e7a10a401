"""The safe fixes of a ruleset, applied to its texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, Fix, Limits, RulesetError, apply_fixes
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Source

MAX_ROUNDS = 50
_HIDES = "malformed-text"  # while there is such a fault, others are not found


@frozen
class AppliedFix:
    """A fix, and the fault that it corrected, with its place in the text of that moment."""

    fault: Fault
    fix: Fix


@frozen
class FixedRules:
    """The texts of a ruleset before and after its safe fixes.

    Attributes:
        before: the texts of its own files by name, without those that it extends.
        after: these texts with the fixes.
        applied: the fixes, in the order in which they were applied.
        faults: what is left.
    """

    before: Mapping[str, str]
    after: Mapping[str, str]
    applied: tuple[AppliedFix, ...]
    faults: tuple[Fault, ...]


def fix_source(source: Source, limits: Limits) -> FixedRules:
    """The files of a ruleset after its safe fixes, applied until none is left; the faults never become more."""
    before = dict(source.layers[-1].files)
    faults, applied = _faults_of(source, limits), list[AppliedFix]()
    for _ in range(MAX_ROUNDS):
        safe = [
            AppliedFix(fault, next(fix for fix in fault.fixes if fix.is_safe))
            for fault in faults
            if any(fix.is_safe for fix in fault.fixes)
        ]
        for tried, changed in _attempts(safe, source):
            left = _faults_of(changed, limits)
            if _is_better(faults, left, tried):
                source, faults = changed, left
                applied += tried
                break
        else:
            break
    return FixedRules(before, dict(source.layers[-1].files), tuple(applied), faults)


def _attempts(
    safe: Sequence[AppliedFix], source: Source
) -> Iterator[tuple[list[AppliedFix], Source]]:
    """All fixes together, then each alone, with the texts that they give."""
    own = source.layers[-1]
    for some in (safe, *([fix] for fix in safe if len(safe) > 1)):
        texts, done = apply_fixes((attempted.fix for attempted in some), own.files)
        if done:
            layers = (*source.layers[:-1], evolve(own, files=texts))
            yield (
                [attempted for attempted in some if attempted.fix in done],
                evolve(source, layers=layers),
            )


def _is_better(
    before: Sequence[Fault], after: Sequence[Fault], tried: Sequence[AppliedFix]
) -> bool:
    """Whether there are no more faults than before, and none of those that were corrected."""
    hiding = sum(fault.code == _HIDES for fault in before)
    if hiding:
        left = sum(fault.code == _HIDES for fault in after)
        return left <= hiding and not any(attempted.fault in after for attempted in tried)
    counts, earlier = (
        Counter((fault.code, fault.headline) for fault in some) for some in (after, before)
    )
    corrected = {(attempted.fault.code, attempted.fault.headline) for attempted in tried}
    return len(after) <= len(before) and all(counts[key] < earlier[key] for key in corrected)


def _faults_of(source: Source, limits: Limits) -> tuple[Fault, ...]:
    try:
        load_rulebook(source, limits)
    except RulesetError as error:
        return error.faults
    return ()
