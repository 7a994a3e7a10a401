"""Whether test cases hold, and whether each proves the change of an edition that it claims to show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike

from attrs import asdict, evolve, frozen

from hots_rules.diagnostics import ArgumentError, BadPosition, RulesetError, check_kind
from hots_rules.play.compiled_ruleset import trial_ruleset
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.report.blocks import Lines, Table
from hots_rules.report.whole import Report
from hots_rules.rules.editions.without_changes import changes, without_change
from hots_rules.rules.rulebook import Key
from hots_rules.testing.casebook import Case, is_for, read_cases, start_case
from hots_rules.testing.expectations import unmet_in


@frozen
class CaseFailure:
    """A case that does not hold.

    Attributes:
        file: the name of its file.
        title: its heading.
        reasons: what it expects and does not find, or why it cannot be played.
    """

    file: str
    title: str
    reasons: tuple[str, ...]


@frozen
class UnprovenClaim:
    """A case that does not prove the change that it claims to show.

    Attributes:
        file: the name of its file.
        title: its heading.
        declaration: the kind and the name of the changed declaration, as in `shows`.
        reason: why it proves nothing.
    """

    file: str
    title: str
    declaration: str
    reason: str


@frozen(repr=False)
class CaseReport:
    """The result of `check_cases`; true if all cases hold and all claims are proven.

    >>> import hots_rules as hr
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     hr.testing.check_cases(hr.load("hots-4.0"), folder)
    <CaseReport of hots-4.0: 0 cases, 0 failed; 0 claims, 0 unproven>

    Attributes:
        ruleset: the name of the ruleset.
        played: the number of cases played.
        others: the number of cases for other rulesets, or that cannot begin in this one.
        failed: the cases that do not hold.
        claims: the number of claims that were tested.
        unproven: the claims that the cases do not prove.
    """

    ruleset: str
    played: int
    others: int
    failed: tuple[CaseFailure, ...]
    claims: int
    unproven: tuple[UnprovenClaim, ...]

    def __bool__(self) -> bool:
        return not self.failed and not self.unproven

    def report(self) -> Report:
        """The claims that are not proven."""
        tested = f"{self.ruleset}: {self.claims} claims tested, {len(self.unproven)} not proven"
        unproven = (
            Lines((f"{claim.file}: {claim.title}", f"{claim.declaration}: {claim.reason}"))
            for claim in self.unproven
        )
        return Report(f"Claims of {self.ruleset}", (Table.of_heads(tested, unproven),))

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return asdict(self)

    def __repr__(self) -> str:
        return (
            f"<CaseReport of {self.ruleset}: {self.played} cases, {len(self.failed)} failed; "
            f"{self.claims} claims, {len(self.unproven)} unproven>"
        )


def _ignore_progress(done: int, total: int) -> None:
    pass


def check_cases(
    ruleset: AnyRuleset,
    cases: str | PathLike[str] | Sequence[Case],
    *,
    prove: bool = False,
    on_progress: Callable[[int, int], None] = _ignore_progress,
) -> CaseReport:
    """Play the cases of a folder, and compare what they expect.

    With `prove`, also test each claim `shows: rule NAME` of a case about a change that the ruleset makes
    to the one that it extends. The change is taken back, so that the declaration is that of the ruleset
    below, and the case must fail. A case for the ruleset below alone must fail with the change. A case for several
    rulesets that change the same declaration need prove only one of these changes.

    >>> import hots_rules as hr
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     bool(hr.testing.check_cases(hr.load("hots-4.0"), folder))
    True

    Args:
        ruleset: the ruleset.
        cases: the folder, or the cases. A case that names no editions is for every ruleset in which it can begin.
        prove: whether to test what the cases claim to show.
        on_progress: called with the number of steps done and the number of all.

    Raises:
        BadCase: there is no such folder, or a case in it cannot be read.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    read = read_cases(cases) if isinstance(cases, str | PathLike) else list(cases)
    own = [case for case in read if _can_begin(case, ruleset)]
    claims = list(_claims(read, ruleset)) if prove else []
    total = len(own) + len(claims)
    failed: list[CaseFailure] = []
    unproven: list[tuple[Case, Key, str]] = []
    for done, case in enumerate(own):
        on_progress(done, total)
        if unmet := unmet_in(case, ruleset):
            reasons = tuple(line.message for line in unmet)
            failed.append(CaseFailure(case.file, case.title, reasons))
    trials: dict[Key, AnyRuleset | str] = {}
    proven: set[Key] = set()
    for done, (case, key) in enumerate(claims, len(own)):
        on_progress(done, total)
        if reason := _why_unproven(case, key, ruleset, trials):
            unproven.append((case, key, reason))
        else:
            proven.add(key)
    return CaseReport(
        ruleset.name,
        len(own),
        len(read) - len(own),
        tuple(failed),
        len(claims),
        tuple(
            UnprovenClaim(case.file, case.title, " ".join(key), reason)
            for case, key, reason in unproven
            # If another case proves the change, this one may be about an older one.
            if key not in proven or not _shows_older_change(case, key, ruleset)
        ),
    )


def _can_begin(case: Case, ruleset: AnyRuleset) -> bool:
    if not is_for(case, ruleset):
        return False
    try:
        start_case(case, ruleset)
    except (BadPosition, ArgumentError):
        return bool(case.editions)
    return True


# ------------------------------------------------------------------ proofs
def _claims(cases: list[Case], ruleset: AnyRuleset) -> Iterator[tuple[Case, Key]]:
    """The changes of a ruleset that cases claim to show, with the case."""
    changed = changes(ruleset.rulebook)
    for case in cases:
        for claim in case.items("shows"):
            kind, _, name = claim.partition(" ")
            if (kind, name) in changed and _is_claim_of(case, (kind, name), ruleset):
                yield case, (kind, name)


def _is_claim_of(case: Case, key: Key, ruleset: AnyRuleset) -> bool:
    """Whether a case is about the change by this ruleset, and not only about one by a ruleset below."""
    if not case.editions or ruleset.name in case.editions:
        return True
    below = {layer.name for layer in ruleset.source.layers[-2:-1]}  # none for one that extends none
    return not below.isdisjoint(case.editions) and not _shows_older_change(case, key, ruleset)


def _shows_older_change(case: Case, key: Key, ruleset: AnyRuleset) -> bool:
    """Whether the case may be about an older change of the declaration: it names its ruleset, or none."""
    oldest = ruleset.source.layers[0].name
    entry = changes(ruleset.rulebook)[key].previous
    while entry is not None and entry.edition != oldest:
        if not case.editions or entry.edition in case.editions:
            return True
        entry = entry.previous
    return False


def _why_unproven(
    case: Case, key: Key, ruleset: AnyRuleset, trials: dict[Key, AnyRuleset | str]
) -> str:
    """Why a case does not prove a change; empty if it does."""
    if case.editions and ruleset.name not in case.editions:
        return "" if unmet_in(case, ruleset) else f"it holds in {ruleset.name} too"
    if key not in trials:
        trials[key] = _trial(ruleset, key)
    trial = trials[key]
    if isinstance(trial, str):
        return trial
    return "" if unmet_in(case, trial) else "it holds without the change"


def _trial(ruleset: AnyRuleset, key: Key) -> AnyRuleset | str:
    """The ruleset without one of its changes; the fault if it does not work without it."""
    try:
        rulebook = without_change(ruleset.rulebook, key)
    except RulesetError as error:
        return f"the change cannot be taken back: {error.faults[0].headline}"
    compiled = trial_ruleset(rulebook, f"{ruleset.text_hash} without {' '.join(key)}")
    return evolve(ruleset, compiled=compiled)
