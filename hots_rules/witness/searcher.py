"""One search for a witness: both rulesets play the same moves until they diverge.

The moves are those of given games (trails), or random ones (walks) from the beginning of a scenario, from a moment of
an earlier game, or from such a moment with some cells changed. A moment is the state of both rulesets within a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from time import monotonic

from attrs import define, evolve, field

from hots_rules.compile.codes import POINT
from hots_rules.diagnostics import HotsError
from hots_rules.play.notation import CHANCE
from hots_rules.witness.candidates import Candidate, Shrinker
from hots_rules.witness.changed_positions import PositionChanger
from hots_rules.witness.lockstep import FAULTS, Lockstep, PairedMove, PairedState, StepDivergence
from hots_rules.witness.minimal_difference import Judge
from hots_rules.witness.results import Search
from hots_rules.witness.trails import Trail, outcome_words
from hots_rules.witness.witnesses import Kind, Witness

_MAX_MOMENTS = 20_000  # more of them are not compared one by one
_MAX_DEPTH = 60  # moves of a game; in a longer one not all moments are compared
_REPLACED = 0.02  # how often a moment that is kept makes room for another one
_ENOUGH = 2  # witnesses, of which the smallest is the result
_LONG, _SHORT = 400, 12  # decisions of a walk from a beginning, and from a changed position
_KEPT = 6  # moments kept for each point of the rules
Progress = Callable[[Search], None]
"""Is called with what a search has tried so far."""


def is_past(deadline: float | None) -> bool:
    """Whether a time, as `monotonic` has it, is over; None never is."""
    return deadline is not None and monotonic() > deadline


class _SearchEnded(Exception):
    """The time is over, or enough was found."""


@define(slots=False)
class Searcher:
    """A search between two rulesets in step: `run` makes it.

    Attributes:
        lockstep: the rulesets.
        kind: the only kind of witness that is wanted, or None.
        changer: makes positions from moments of games.
        rng: decides what is tried.
        search_until: when this part of the search ends, as `monotonic` has it.
        shrink_until: when a witness that was found is no longer made smaller.
        progress: is called now and then with what was tried.
        judge: says which witnesses may be kept.
        positions: how many moments were compared.
        walks: how many walks were made.
        witnesses: what was found.
        pool: moments for later walks, by the point of the rules.
        beginnings: the scenarios that begin alike, with the states before their first decision.
        followed: moments of the trails, for later walks.
        noted: candidates after which pieces and outcome are equal and other entries differ; see `Lockstep.are_equal`.
        divergences: how often the rulesets diverged.
        is_stopped: whether Ctrl-C ended the search.
    """

    lockstep: Lockstep
    kind: Kind | None
    changer: PositionChanger
    rng: Random
    search_until: float | None
    shrink_until: float | None
    progress: Progress | None
    judge: Judge
    positions: int
    walks: int = 0
    witnesses: list[Witness] = field(factory=list)
    pool: dict[int, list[PairedState]] = field(factory=dict)
    beginnings: list[tuple[str, PairedState]] = field(factory=list)
    followed: list[PairedState] = field(factory=list)
    noted: list[Candidate] = field(factory=list)
    divergences: int = 0
    is_stopped: bool = False

    def run(self, trails: Sequence[Trail], starts: Sequence[Witness], walks: int) -> Search:
        """Search until enough was found, or no walk is left."""
        is_exhausted = False
        try:
            self._report()
            for witness in starts:
                self._add_given(witness)
            for trail in trails:
                self._follow(trail)
            if walks:
                self._begin_scenarios()
                is_exhausted = self._exhaust() and not self.divergences
            while not is_exhausted and self.walks < walks:
                self._walk()
            self._add_noted()
        except _SearchEnded:
            pass
        except KeyboardInterrupt:
            self.is_stopped = True
        return evolve(self._so_far, is_exhausted=is_exhausted, is_stopped=self.is_stopped)

    @property
    def _so_far(self) -> Search:
        """What was tried, with the smallest witness."""
        smallest = min(self.witnesses, key=self._order, default=None)
        return Search(smallest, self.walks, self.positions, self.divergences)

    def _report(self) -> None:
        if self.progress is not None:
            self.progress(self._so_far)

    # -------------------------------------------------------------- what is found
    def _order(self, witness: Witness) -> tuple[bool, tuple[int, int, int]]:
        """Those that hold for the whole of the second ruleset first, then the smaller ones."""
        is_mixed = self.judge.ids is not None and witness.new != self.judge.new.name
        return is_mixed, witness.size

    def _add(self, candidate: Candidate) -> None:
        """Make a smallest witness of a divergence that was found, and keep it.

        Raises:
            _SearchEnded: enough witnesses were found.
        """
        self.divergences += 1
        self._report()
        if self.kind not in (None, candidate.divergence.kind):
            return
        shrinker = Shrinker(self.lockstep, lambda: is_past(self.shrink_until))
        first = next(self._accepted(shrinker, candidate), None)
        if first is None:
            return
        if smallest := self._written(shrinker, self._smallest(shrinker, *first)):
            self.witnesses.append(self.judge.isolated(smallest))
        if len(self.witnesses) >= _ENOUGH or self.is_stopped:
            raise _SearchEnded

    def _accepted(
        self, shrinker: Shrinker, candidate: Candidate
    ) -> Iterator[tuple[Candidate, Witness]]:
        """The later beginnings of a candidate from which it is a witness that may be kept."""
        at_once = not candidate.path and candidate.divergence.kind != "legal"
        for rooted in [candidate] if at_once else shrinker.rooted(candidate):
            written = self._written(shrinker, rooted)
            if written is not None and self.judge.accepts(written):
                yield rooted, written

    def _smallest(self, shrinker: Shrinker, candidate: Candidate, written: Witness) -> Candidate:
        """The smallest candidate of which the witness may be kept; one that shows as much as the first one."""
        judge = self.judge
        # With `is_whole`, `accepts` asks for the whole ruleset anyway.
        must_hold_whole = not judge.is_whole and judge.confirmed(written) is not None

        def confirms(shrunk: Candidate) -> bool:
            smaller = self._written(shrinker, shrunk)
            return judge.accepts(smaller) and (
                not must_hold_whole or judge.confirmed(smaller) is not None
            )

        try:
            for smaller in evolve(shrinker, confirms=confirms).smaller(candidate):
                candidate = smaller
                self._report()
        except KeyboardInterrupt:
            self.is_stopped = True
        return candidate

    def _note(self, candidate: Candidate) -> None:
        """Remember a candidate after which pieces and outcome are equal and other entries differ."""
        if len(self.noted) < _ENOUGH:
            self.noted.append(candidate)

    def _add_noted(self) -> None:
        """Try the noted candidates in a lockstep that compares all entries, and add those that diverge."""
        self.lockstep = evolve(self.lockstep, is_strict=True)
        for candidate in self.noted:
            shrunk = Shrinker(self.lockstep).tried(
                candidate.root, candidate.path, candidate.divergence
            )
            if shrunk is not None:
                self._add(evolve(shrunk, scenario=candidate.scenario))

    def _written(self, shrinker: Shrinker, candidate: Candidate) -> Witness | None:
        """The candidate as text, replayed; None if the text does not give the same."""
        first, second = (side.ruleset.name for side in self.lockstep.sides)
        try:
            return shrinker.witness(candidate, (first, second))
        except HotsError:
            return None

    def _visit(self, pair: PairedState) -> None:
        """Count a moment at which the rulesets agree; keep some of them for later walks.

        Raises:
            _SearchEnded: the time is over.
        """
        self.positions += 1
        if not self.positions % 256:
            self._report()
        self._end_in_time()
        if not self.lockstep.are_identical(pair):
            return
        kept = self.pool.setdefault(pair.first[POINT], [])
        if len(kept) < _KEPT:
            kept.append(pair.copy())
        elif self.rng.random() < _REPLACED:
            kept[self.rng.randrange(_KEPT)] = pair.copy()

    def _end_in_time(self) -> None:
        if is_past(self.search_until):
            raise _SearchEnded

    # -------------------------------------------------------------- beginnings
    def _begin_scenarios(self) -> None:
        """Begin the scenarios that both rulesets have; one that begins differently is a divergence."""
        first, second = self.lockstep.sides
        for scenario in first.schema.facts.scenarios:
            if scenario not in second.schema.facts.scenarios:
                continue
            root = PairedState(first.machine.begin(scenario), second.machine.begin(scenario))
            pair = root.copy()
            try:
                self.lockstep.run(pair)
            except FAULTS:
                continue
            if self.lockstep.are_identical(pair):
                self.beginnings.append((scenario, root))
            else:
                self._add(Candidate(root, (), StepDivergence("outcome"), scenario))

    def _add_given(self, witness: Witness) -> None:
        """Add a witness that was given, if the rulesets still diverge in it."""
        candidate = Shrinker(self.lockstep).candidate(witness)
        if candidate is not None:
            self._add(candidate)

    def _follow(self, trail: Trail) -> None:
        """Play a trail as far as both rulesets allow it."""
        root = self._beginning_of(trail)
        if root is None:
            return
        lockstep, pair, path = self.lockstep, root.copy(), list[PairedMove]()
        try:
            lockstep.run(pair)
            if not lockstep.are_identical(pair):
                return
            for number, step in enumerate((*trail.steps, None)):
                divergence, codes, _ = lockstep.compare(pair)
                if divergence is None:
                    if lockstep.are_identical(pair):
                        self.followed.append(pair.copy())
                    self._visit(pair)
                    move = None if step is None else self._move_of(step, pair, codes)
                    if move is None:
                        break
                    path.append(move)
                    divergence = lockstep.advance(pair, move)
                if divergence is not None:
                    if number >= trail.counted_from:
                        self._add(Candidate(root, tuple(path), divergence, trail.scenario))
                    return
            if not lockstep.are_identical(pair):
                self._note(Candidate(root, tuple(path), StepDivergence("outcome"), trail.scenario))
        except FAULTS:
            return

    def _beginning_of(self, trail: Trail) -> PairedState | None:
        """Both rulesets where a trail begins; None if one of them has no such beginning."""
        if not trail.scenario:
            return Shrinker(self.lockstep).read(trail.position)
        machines = [side.machine for side in self.lockstep.sides]
        if any(trail.scenario not in machine.facts.scenarios for machine in machines):
            return None
        return PairedState(*(machine.begin(trail.scenario) for machine in machines))

    def _move_of(
        self, step: tuple[str, ...], pair: PairedState, codes: Sequence[int]
    ) -> PairedMove | None:
        """The move that a step of a trail means at a moment; None if one ruleset does not allow it."""
        if step[0] == CHANCE:
            moves = self.lockstep.moves(pair, ())
            machine = self.lockstep.first.machine
            outcomes = (move for move in moves if move.first < 0)
            meant = (
                move
                for move in outcomes
                if outcome_words(machine, pair.first, -1 - move.first) == step[1]
            )
            return next(meant, None)
        notation = self.lockstep.first.notation
        for code in codes:
            action = notation.action(code)
            if (action.player, action.name, *action.args.values()) == step:
                their = self.lockstep.corresponding(code)
                return None if their is None else PairedMove(code, their)
        return None

    # -------------------------------------------------------------- all moments
    def _exhaust(self) -> bool:
        """Compare every moment that play can reach from the scenarios; whether all were compared."""
        scenarios = [set(side.schema.facts.scenarios) for side in self.lockstep.sides]
        if scenarios[0] != scenarios[1] or len(self.beginnings) < len(scenarios[0]):
            return False
        seen = set[tuple[int, ...]]()
        try:
            return all(self._exhaust_from(name, root, seen) for name, root in self.beginnings)
        except FAULTS:
            return False

    def _exhaust_from(self, scenario: str, root: PairedState, seen: set[tuple[int, ...]]) -> bool:
        lockstep, first = self.lockstep, root.copy()
        lockstep.run(first)
        pending: list[tuple[PairedState, tuple[PairedMove, ...]]] = [(first, ())]
        while pending:
            pair, path = pending.pop()
            key = (*pair.first, *pair.second)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > _MAX_MOMENTS or len(path) > _MAX_DEPTH:
                return False
            divergence, codes, _ = lockstep.compare(pair)
            if divergence is not None:
                self._add(Candidate(root, path, divergence, scenario))
                continue
            self._visit(pair)
            for move in lockstep.moves(pair, codes):
                self._end_in_time()  # a position may have hundreds of moves
                after, beyond = pair.copy(), (*path, move)
                divergence = lockstep.advance(after, move)
                if divergence is None:
                    pending.append((after, beyond))
                else:
                    self._add(Candidate(root, beyond, divergence, scenario))
        return True

    # -------------------------------------------------------------- walks
    def _walk(self) -> None:
        self.walks += 1
        scenario, root, max_decisions = self._next_walk()
        pair = root.copy()
        try:
            self.lockstep.run(pair)
            if not self.lockstep.are_equal(pair):
                return
            path, divergence = self.lockstep.walk(pair, self.rng, max_decisions, self._visit)
        except FAULTS:
            return
        if divergence is not None:
            self._add(Candidate(root, tuple(path), divergence, scenario))
        elif not self.lockstep.are_identical(pair):
            self._note(Candidate(root, tuple(path), StepDivergence("outcome"), scenario))

    def _next_walk(self) -> tuple[str, PairedState, int]:
        """The next walk: its scenario, or an empty name; its beginning; and the most decisions that it has.

        Of eight walks one begins at a scenario, one at a moment seen before, and six at such a moment with some cells
        changed. Every second walk takes its moment from the trails, if there are any.

        Raises:
            _SearchEnded: there is nothing to begin with.
        """
        if not (self.beginnings or self.pool):
            raise _SearchEnded
        number = self.walks % 8
        if not self.pool or (self.beginnings and number == 0):
            return *self.rng.choice(self.beginnings), _LONG
        seen = self.followed if self.followed and number % 2 else self._any_point()
        pair = self.rng.choice(seen)
        if number == 1:
            return "", pair, _LONG
        return "", self.changer.changed(pair, self.rng) or pair, _SHORT

    def _any_point(self) -> list[PairedState]:
        return self.pool[self.rng.choice(list(self.pool))]
