"""The search for a witness: in the moments of games by chance, on given trails, and in positions made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from os import PathLike
from random import Random
from time import monotonic

from attrs import define, evolve, field, frozen

from hots_rules.analysis.casebook import Case, is_for, play_case, read_cases, start_case
from hots_rules.compare.candidates import Candidate, Shrinker
from hots_rules.compare.differences import diff
from hots_rules.compare.hybrids import hybrid
from hots_rules.compare.isolation import Focus, Judge, isolated_ids
from hots_rules.compare.lockstep import Lockstep, Move, Pair, Parting, Side, broken
from hots_rules.compare.witnesses import Kind, Witness, settings_text
from hots_rules.compile.codes import POINT, DicePoint, codes_of, value_text
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import HotsError
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.notation import CHANCE
from hots_rules.rules.typed import value_types as types

WALKS = 4_000  # of a search without a limit of time
EXHAUSTIVE = 20_000  # moments of games that are tried one by one
_DEEPEST = 60  # moves of a game of which all moments are compared
_REPLACED = 0.02  # how often a moment that is kept makes room for another one
ENOUGH = 2  # candidates of which the smallest is the witness
_LONG, _SHORT = 400, 12  # decisions of a walk from a beginning, and from a changed position
_KEPT = 6  # moments kept for each point of the rules
_FAVOURED, _PLACES = 0.4, 0.75  # how often a change is of a preferred cell, and of the map
_CELLS = 4  # most cells that are changed at once
_FAULTS = (HotsError, LookupError, ArithmeticError, ValueError)
_Cell = tuple[int, types.Type, int]
"""A slot in the first ruleset, its type, and the slot in the second one."""
Progress = Callable[[int], None]


@frozen
class Trail:
    """A beginning with the actions of a game, as a search follows it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1)
    >>> hr.compare.Trail.of(game.play(game.actions[0])).steps[0][1:]
    ('play_card', 'Move_1')

    Attributes:
        position: the position at which it begins; empty for a scenario.
        scenario: the scenario; empty for a position.
        steps: the player, the name and the arguments of each action; chance is a player, too.
        settings: the options and readings that are not at their defaults, as text.
        is_to_the_end: whether only a parting at or behind its last action counts.
    """

    position: str
    scenario: str
    steps: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, str] = field(factory=dict)
    is_to_the_end: bool = False

    @property
    def counted_from(self) -> int:
        """The number of the first step at which a parting counts."""
        choices = [number for number, step in enumerate(self.steps) if step[0] != CHANCE]
        return choices[-1] if choices and self.is_to_the_end else 0

    def fits(self, chosen: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
        """Whether it is played under a choice of settings of two sides."""
        return self.settings in chosen

    @classmethod
    def of(cls, game: BaseGame) -> Trail:
        """The trail of a game in which each outcome of chance is an action, or was given."""
        steps: list[tuple[str, ...]] = []
        machine, notation, slots = game.machine, game.notation, game.initial_slots()
        for code in game.moves:
            if code >= 0:
                action = notation.action(code)
                steps.append((action.player, action.name, *action.args.values()))
            else:
                steps.append((CHANCE, _meaning(machine, slots, -1 - code)))
            machine.move(slots, code, game.chance_seed)
        settings = settings_text(game.ruleset, game.settings)
        return cls(game.initial_position or "", game.scenario, tuple(steps), settings)


@frozen(repr=False)
class Search:
    """The result of a search for a witness; true if there is one.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.compare.witness(rules, rules)
    <Search: no witness, nothing that was asked for differs in play>

    Attributes:
        witness: the smallest witness found; None if there is none.
        walks: how many walks through games and positions were tried.
        positions: how many moments were compared.
        is_exhausted: whether every moment that play can reach from the scenarios was compared; without a witness
            this proves that the rulesets play the same there.
        is_same: whether there is no difference of play at all.
    """

    witness: Witness | None
    walks: int = 0
    positions: int = 0
    is_exhausted: bool = False
    is_same: bool = False

    def __bool__(self) -> bool:
        return self.witness is not None

    def __repr__(self) -> str:
        if self.witness is not None:
            return f"<Search: {self.witness!r}>"
        return f"<Search: no witness, {self.tried}>"

    @property
    def tried(self) -> str:
        """What was tried, in words."""
        if self.is_same:
            return "nothing that was asked for differs in play"
        if self.is_exhausted:
            return f"every moment of play was compared, {self.positions} in all"
        return (
            f"{self.positions} positions in {self.walks} walks were compared; others are possible"
        )

    def with_more(self, later: Search) -> Search:
        """This search without a witness, and a later one."""
        is_exhausted = self.is_exhausted and later.is_exhausted
        return evolve(later, walks=self.walks + later.walks, is_exhausted=is_exhausted)

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {
            "found": bool(self),
            "witness": self.witness.as_json() if self.witness else None,
            "tried": self.tried,
            "walks": self.walks,
            "positions": self.positions,
            "exhausted": self.is_exhausted or self.is_same,
        }


def witness(
    old: AnyRuleset,
    new: AnyRuleset,
    *,
    difference: str | None = None,
    section: str | None = None,
    together: Iterable[str] = (),
    kind: Kind | None = None,
    settings: tuple[Mapping[str, str], Mapping[str, str]] | None = None,
    trails: Iterable[Trail] = (),
    starts: Iterable[Witness] = (),
    allows: Callable[[Witness], bool] = lambda _: True,
    is_whole: bool = False,
    seed: int | str = 0,
    walks: int = WALKS,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Search:
    """Searches a smallest position and action to which two rulesets give different answers.

    The rulesets play games by chance in step, and from positions made from the moments of these games. The
    smallest of the first few findings is made smaller as long as the rulesets differ, and replayed from its text.
    The same seed gives the same search; `seconds` only ends it sooner. Ctrl-C ends it, too, with what
    was found until then.

    >>> import hots_rules as hr
    >>> found = hr.compare.witness(hr.load("hots-4.0"), hr.load("hots-3.x"), walks=50).witness
    >>> found.says[0] == found.says[1]
    False

    Args:
        old: the first ruleset.
        new: the second ruleset; it may be the first one, under other `settings`.
        difference: the name of a difference: the witness is one of it and of what it leans on alone.
        together: the names of other differences that take effect only with that one, and are taken over with it.
        section: a section that both rulesets have: the witness is one of the differences in it alone.
        kind: "legal", "outcome" or "odds", if only that kind is wanted.
        settings: the options and readings of each side, by name, as text. Without them those that a difference
            is about are tried one after the other.
        trails: beginnings and games to follow first, such as those of `case_trails`.
        starts: witnesses to begin with, each of which is made smaller, too.
        allows: whether a witness may be kept, such as one of whose position a game is known to reach.
        is_whole: whether a witness of one difference, or of a section, has to hold for the whole of `new` as well.
        seed: decides what is tried.
        walks: the most walks that are tried.
        seconds: the longest time; unlimited if omitted.
        progress: is told the number of compared positions now and then.

    Raises:
        UnknownOption: the rulesets are not of the same game, or one lacks the difference, the section, an option,
            a reading or a value.
    """
    limit = None if seconds is None else monotonic() + seconds
    together = tuple(together)
    ids = isolated_ids(old, new, difference, section, together)
    if ids == ():
        return Search(None, is_same=True)
    second = new if ids is None else hybrid(old, new, ids)
    if settings is None and ids is None and (old == new or not _plays_differently(old, new)):
        return Search(None, is_same=True)
    focus = Focus.of((old, new), second, ids or (), difference or "")
    trails, starts = tuple(trails), tuple(starts)
    found = (*(each.settings for each in trails), *(_all_settings(each) for each in starts))
    variants = [settings] if settings else focus.variants(found)
    asked = "" if ids is None or difference is None else diff(old, new).find(difference).id
    judge = Judge(old, new, ids, asked, bool(together), is_whole, allows)
    search = Search(None, is_exhausted=True)  # of no variant so far
    for number, (ours, theirs) in enumerate(variants):
        sides = Side.of(old, ours), Side.of(second, theirs)
        left = len(variants) - number
        until = None if limit is None else monotonic() + (limit - monotonic()) / left
        share = -(-(walks - search.walks) // left)
        searcher = _Searcher(
            Lockstep(*sides),
            kind,
            focus.words,
            Random(f"witness/{seed}/{number}"),
            until,
            limit,
            progress,
            judge,
            search.positions,
        )
        fitting = [each for each in trails if each.fits((ours, theirs))]
        fitting_starts = [
            evolve(each, settings=(ours, theirs))
            for each in starts
            if (ours, theirs) in (each.settings, focus.of_both(_all_settings(each)))
        ]
        search = search.with_more(searcher.result(fitting, fitting_starts, share))
        if search or _is_over(limit) or searcher.is_stopped:
            return search if left == 1 else evolve(search, is_exhausted=False)
    return search


def _all_settings(witness: Witness) -> dict[str, str]:
    """The options and readings of both sides of a witness."""
    return {**witness.settings[0], **witness.settings[1]}


def _plays_differently(old: AnyRuleset, new: AnyRuleset) -> bool:
    return any(each.plays for each in diff(old, new).differences)


def _is_over(limit: float | None) -> bool:
    return limit is not None and monotonic() > limit


class _Ended(Exception):
    """The time is over, or enough was found."""


@define(slots=False)
class _Searcher:
    lockstep: Lockstep
    kind: Kind | None
    words: frozenset[str]
    luck: Random
    limit: float | None
    last: float | None
    progress: Progress | None
    judge: Judge
    positions: int
    walks: int = 0
    witnesses: list[Witness] = field(factory=list)
    pool: dict[int, list[Pair]] = field(factory=dict)
    beginnings: list[tuple[str, Pair]] = field(factory=list)
    followed: list[Pair] = field(factory=list)
    noted: list[Candidate] = field(factory=list)
    is_parted: bool = False
    is_stopped: bool = False

    def result(self, trails: Sequence[Trail], starts: Sequence[Witness], walks: int) -> Search:
        """The search, until it has found enough or has no walk left."""
        is_exhausted = False
        try:
            for start in starts:
                self._start(start)
            for trail in trails:
                self._follow(trail)
            if walks:
                self._begin()
                is_exhausted = self._exhaust() and not self.is_parted
            while not is_exhausted and self.walks < walks:
                self._walk()
            self._add_noted()
        except _Ended:
            pass
        except KeyboardInterrupt:
            self.is_stopped = True
        smallest = min(self.witnesses, key=self._order, default=None)
        return Search(smallest, self.walks, self.positions, is_exhausted)

    # -------------------------------------------------------------- what is found
    def _order(self, witness: Witness) -> tuple[bool, tuple[int, int, int]]:
        """Those that hold for the whole of the second ruleset first, then the smaller ones."""
        is_mixed = self.judge.ids is not None and witness.new != self.judge.new.name
        return is_mixed, witness.size

    def _add(self, candidate: Candidate) -> None:
        self.is_parted = True
        if self.kind not in (None, candidate.parting.kind):
            return
        judge = self.judge
        shrinker = Shrinker(self.lockstep, lambda: _is_over(self.last))
        at_once = not candidate.path and candidate.parting.kind != "legal"
        rooted = [candidate] if at_once else shrinker.rooted(candidate)
        accepted = (
            (each, written)
            for each in rooted
            if (written := self._written(shrinker, each)) and judge.accepts(written)
        )
        best, written = next(accepted, (candidate, None))
        if written is None:
            return
        is_confirmed = judge.confirmed(written) is not None

        def confirms(each: Candidate) -> bool:
            smaller = self._written(shrinker, each)
            is_known = judge.is_whole or not is_confirmed
            return judge.accepts(smaller) and (is_known or judge.confirmed(smaller) is not None)

        try:
            for smaller in evolve(shrinker, confirms=confirms).smaller(best):
                best = smaller
        except KeyboardInterrupt:
            self.is_stopped = True
        if smallest := self._written(shrinker, best):
            self.witnesses.append(judge.isolated(smallest))
        if len(self.witnesses) >= ENOUGH or self.is_stopped:
            raise _Ended

    def _note(self, candidate: Candidate) -> None:
        """Keep a candidate of which only notes of the rules differ, for want of a better one."""
        if len(self.noted) < ENOUGH:
            self.noted.append(candidate)

    def _add_noted(self) -> None:
        """The witnesses of notes that differ."""
        self.lockstep = evolve(self.lockstep, is_strict=True)
        for candidate in self.noted:
            found = Shrinker(self.lockstep).tried(candidate.root, candidate.path, candidate.parting)
            if found is not None:
                self._add(evolve(found, scenario=candidate.scenario))

    def _written(self, shrinker: Shrinker, candidate: Candidate) -> Witness | None:
        """The candidate as text, replayed; None if the text does not give the same."""
        one, other = (side.ruleset.name for side in self.lockstep.sides)
        try:
            return shrinker.witness(candidate, (one, other))
        except HotsError:
            return None

    def _count(self, pair: Pair, path: Sequence[Move]) -> None:
        """Note a moment at which the rulesets agree; keep some of them for later walks."""
        self.positions += 1
        if not self.positions % 256:
            if self.progress is not None:
                self.progress(self.positions)
            if _is_over(self.limit):
                raise _Ended
        if not self.lockstep.are_identical(pair):
            return
        kept = self.pool.setdefault(pair.one[POINT], [])
        if len(kept) < _KEPT:
            kept.append(pair.copy())
        elif self.luck.random() < _REPLACED:
            kept[self.luck.randrange(_KEPT)] = pair.copy()

    # -------------------------------------------------------------- beginnings
    def _begin(self) -> None:
        """The scenarios that both rulesets have; one may begin differently."""
        one, other = self.lockstep.sides
        for scenario in one.schema.facts.scenarios:
            if scenario not in other.schema.facts.scenarios:
                continue
            root = Pair(one.machine.begin(scenario), other.machine.begin(scenario))
            pair = root.copy()
            self.lockstep.run(pair)
            if self.lockstep.are_identical(pair):
                self.beginnings.append((scenario, root))
            else:
                self._add(Candidate(root, (), Parting("outcome"), scenario))

    def _start(self, start: Witness) -> None:
        """Begin with a witness that was given."""
        candidate = Shrinker(self.lockstep).candidate(start)
        if candidate is not None:
            self._add(candidate)

    def _follow(self, trail: Trail) -> None:
        """Play a trail as far as both rulesets allow it."""
        shrinker, lockstep = Shrinker(self.lockstep), self.lockstep
        if trail.scenario:
            machines = [side.machine for side in lockstep.sides]
            if any(trail.scenario not in machine.facts.scenarios for machine in machines):
                return
            root: Pair | None = Pair(*(machine.begin(trail.scenario) for machine in machines))
        else:
            root = shrinker.read(trail.position)
        if root is None:
            return
        pair, path = root.copy(), list[Move]()
        try:
            lockstep.run(pair)
            if not lockstep.are_identical(pair):
                return
            for number, step in enumerate((*trail.steps, None)):
                parting, codes, _ = lockstep.compare(pair)
                if parting is None:
                    if lockstep.are_identical(pair):
                        self.followed.append(pair.copy())
                    self._count(pair, path)
                    move = step and self._move_of(step, pair, codes)
                    if not move:
                        if not lockstep.are_identical(pair):
                            self._note(
                                Candidate(root, tuple(path), Parting("outcome"), trail.scenario)
                            )
                        return
                    path.append(move)
                    lockstep.play(pair, move)
                    parting = None if lockstep.are_equal(pair) else Parting("outcome")
                if parting is not None:
                    if number >= trail.counted_from:
                        self._add(Candidate(root, tuple(path), parting, trail.scenario))
                    return
        except _FAULTS:
            return

    def _move_of(self, step: tuple[str, ...], pair: Pair, codes: Sequence[int]) -> Move | None:
        if step[0] == CHANCE:
            moves = self.lockstep.moves(pair, ())
            machine = self.lockstep.one.machine
            return next(
                (
                    m
                    for m in moves
                    if m.one < 0 and _meaning(machine, pair.one, -1 - m.one) == step[1]
                ),
                None,
            )
        notation = self.lockstep.one.notation
        for code in codes:
            action = notation.action(code)
            if (action.player, action.name, *action.args.values()) == step:
                their = self.lockstep.corresponding(code)
                return None if their is None else Move(code, their)
        return None

    # -------------------------------------------------------------- all moments
    def _exhaust(self) -> bool:
        """Compare every moment that play can reach from the scenarios; whether there was room for all."""
        scenarios = [set(side.schema.facts.scenarios) for side in self.lockstep.sides]
        if scenarios[0] != scenarios[1] or len(self.beginnings) < len(scenarios[0]):
            return False
        seen = set[tuple[int, ...]]()
        try:
            return all(self._exhaust_from(name, root, seen) for name, root in self.beginnings)
        except HotsError:
            return False

    def _exhaust_from(self, scenario: str, root: Pair, seen: set[tuple[int, ...]]) -> bool:
        lockstep, start = self.lockstep, root.copy()
        lockstep.run(start)
        pending: list[tuple[Pair, tuple[Move, ...]]] = [(start, ())]
        while pending:
            pair, path = pending.pop()
            key = (*pair.one, *pair.other)
            if key in seen:
                continue
            seen.add(key)
            if len(seen) > EXHAUSTIVE or len(path) > _DEEPEST:
                return False
            parting, codes, _ = lockstep.compare(pair)
            if parting is not None:
                self._add(Candidate(root, path, parting, scenario))
                continue
            self._count(pair, path)
            for move in lockstep.moves(pair, codes):
                after, beyond = pair.copy(), (*path, move)
                lockstep.play(after, move)
                if lockstep.are_equal(after):
                    pending.append((after, beyond))
                else:
                    self._add(Candidate(root, beyond, Parting("outcome"), scenario))
        return True

    # -------------------------------------------------------------- walks
    def _walk(self) -> None:
        self.walks += 1
        scenario, root, most = self._root()
        pair = root.copy()
        try:
            self.lockstep.run(pair)
            if not self.lockstep.are_equal(pair):
                return
            path, parting = self.lockstep.walk(pair, self.luck, most, self._count)
        except _FAULTS:
            return
        if parting is not None:
            self._add(Candidate(root, tuple(path), parting, scenario))
        elif not self.lockstep.are_identical(pair):
            self._note(Candidate(root, tuple(path), Parting("outcome"), scenario))

    def _root(self) -> tuple[str, Pair, int]:
        """Where the next walk begins, and how long it is: a scenario, a moment seen before, or one changed."""
        if not (self.beginnings or self.pool):
            raise _Ended
        number = self.walks % 8
        if not self.pool or (self.beginnings and number == 0):
            return *self.luck.choice(self.beginnings), _LONG
        seen = self.followed if self.followed and number % 2 else self._any_point()
        pair = self.luck.choice(seen)
        if number == 1:
            return "", pair, _LONG
        return "", self._changed(pair) or pair, _SHORT

    def _any_point(self) -> list[Pair]:
        return self.pool[self.luck.choice(list(self.pool))]

    # -------------------------------------------------------------- changed positions
    def _changed(self, pair: Pair) -> Pair | None:
        """A copy with some cells changed in both; None if no rulebook would have it."""
        changed = pair.copy()
        for _ in range(self.luck.randint(1, _CELLS)):
            self._change_one(changed)
        self.lockstep.one.schema.reindex(changed.one)
        self.lockstep.other.schema.reindex(changed.other)
        return None if broken(changed, self.lockstep) else changed

    def _change_one(self, pair: Pair) -> None:
        """Change a cell that the preferred words name, or the place of a piece, or any cell."""
        favoured, places, variables = self._cells
        luck = self.luck.random()
        if favoured and luck < _FAVOURED:
            cells = favoured
        else:
            cells = places if places and luck < _PLACES else self.luck.choice(variables)
        slot, type_, there = self.luck.choice(cells)
        if isinstance(type_, types.SetType):
            code = pair.one[slot] ^ 1 << self.luck.randrange(types.size(type_.member))
        else:
            known = [each for each in codes_of(type_) if value_text(each, type_) in self.words]
            code = self.luck.choice(
                known if known and self.luck.random() < 0.5 else codes_of(type_)
            )
        pair.one[slot] = pair.other[there] = code

    @cached_property
    def _cells(self) -> tuple[list[_Cell], list[_Cell], list[list[_Cell]]]:
        """The cells that can be changed: those of preferred words, those of the map, those of each variable."""
        by_variable: dict[str, list[_Cell]] = {}
        favoured: list[_Cell] = []
        for name, slot, type_, there, their in self.lockstep.shared.cells:
            if type_ is their and types.size(type_) > 1:
                variable, _, keys = name.partition(" of ")
                by_variable.setdefault(variable, []).append((slot, type_, there))
                if self.words & {variable, *keys.split(", ")}:
                    favoured.append((slot, type_, there))
        map_facts = self.lockstep.one.schema.facts.map
        places = by_variable.get(map_facts.variable, []) if map_facts else []
        return favoured, places, list(by_variable.values())


def _meaning(machine: Machine, slots: Sequence[int], outcome: int) -> str:
    """An outcome of chance in words that are the same in both rulesets."""
    point = machine.point(list(slots))
    if isinstance(point, DicePoint):
        return " ".join(map(str, machine.dice_of(point, outcome)))
    return value_text(outcome, machine.facts.outcome_type(-1 - slots[POINT]))


def case_trails(cases: str | PathLike[str] | Case, *rulesets: AnyRuleset) -> tuple[Trail, ...]:
    """The trails of a case, or of those in a folder, as each of some rulesets plays them, for `witness`.

    >>> import hots_rules as hr
    >>> hr.compare.case_trails("no-such-folder")
    Traceback (most recent call last):
    hots_rules.analysis.casebook.BadCase: no folder of cases at `no-such-folder`

    Raises:
        BadCase: a file cannot be read, or contains a malformed case.
    """
    found = [cases] if isinstance(cases, Case) else read_cases(cases)
    return tuple(
        trail
        for case in found
        for rules in rulesets
        if is_for(case, rules)
        for trail in _trail(case, rules)
    )


def _trail(case: Case, rules: AnyRuleset) -> Iterator[Trail]:
    """The trail of a case, if the ruleset can play it."""
    with suppress(HotsError):
        yield Trail.of(play_case(case, start_case(case, rules)))
