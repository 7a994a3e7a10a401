"""Worlds of a player at any moment of a game.

A course is a series of all choices and outcomes from the beginning that looks to the viewer as the game did; a world is
the state to which it leads. First a state is sampled that looks as the game does now. The course is varied until it
leads there. If no course is found, the sampled state is the world.

States are sampled where the invariants hold. Between two draws of a deal they need not hold. Then a world of the last
decision is played on as the game was: the viewer observes the same, and other choices or outcomes replace those that
the viewer did not observe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import Generic

from attrs import evolve, field, frozen

from hots_rules.compile.codes import POINT, DicePoint
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import (
    EngineError,
    LimitExceeded,
    NoConsistentWorld,
    check_seed,
    check_whole,
)
from hots_rules.observe.courses.followed import Followed, history_of
from hots_rules.observe.courses.history import History
from hots_rules.observe.courses.moment_reader import reader_of
from hots_rules.observe.courses.search import CourseSearch
from hots_rules.observe.courses.steps import FoundCourse, Reached
from hots_rules.observe.courses.way import course_of
from hots_rules.observe.determinization import game_at, sampler_of
from hots_rules.observe.hidden_information import holds
from hots_rules.observe.information_state import (
    InformationState,
    information_state,
    last_decision,
    tracker_of,
)
from hots_rules.observe.observed_trace import observed_steps
from hots_rules.observe.observer import SPECTATOR, viewer_of
from hots_rules.observe.view import View, view_of
from hots_rules.observe.world_steps import WorldSteps, world_steps_of
from hots_rules.play.game import BaseGame, Course, G
from hots_rules.play.trace import Step
from hots_rules.state.position import read_position
from hots_rules.state.state import State

MAX_WORLDS = 100_000  # of one call
FIXED_WORLDS = 4  # worlds with which a question about one moment is answered
PLAYS_FOR_A_WORLD = (
    300  # moves that are played, at most, to make a world differ from the one before it
)
PLAYS_FOR_A_BOTS_WORLD = 10
"""For one of the many worlds of a bot, so that they take little of its time."""
MAX_TRIES = 60  # how often it is tried to play on from a world of the last decision
MOVES_TO_TRY = 200  # choices or outcomes that are tried for one of the game
PER_CANDIDATE = 10_000  # steps for the trace and the view of one

MakeWorld = Callable[[Random, str], G]
"""Makes a world from a source of choices and the seed of its dice."""


def worlds_of(
    game: G, player: str | None, n: int, seed: int | str, plays: int = PLAYS_FOR_A_WORLD
) -> Iterator[G]:
    """Sample `n` worlds of a player that are consistent with all that was observed; see `Game.worlds`.

    At most `plays` moves are played to make each of them differ from the one before it.

    Raises:
        ArgumentError: no such player, a number below 0 or above `MAX_WORLDS`, or a seed that is no number or text.
        NoConsistentWorld: none was found in bounded time.
        LimitExceeded: none was found in `Limits.world_steps`.
    """
    viewer = viewer_of(game, player)
    check_whole("n", n, most=MAX_WORLDS)
    check_seed(seed)
    courses = CoursesOfPlay(game, viewer)
    make, chance = _world_maker(game, viewer), Random(f"worlds/{seed}")
    for number in range(n):
        yield courses.world(make, chance, f"{seed}/{number}", plays)


def consistent_worlds(game: G, viewer: int) -> tuple[G, ...]:
    """A few worlds, always the same ones at one moment of a game.

    Raises:
        NoConsistentWorld: none was found in bounded time.
        LimitExceeded: none was found in `Limits.world_steps`.
    """

    def sample() -> tuple[G, ...]:
        make, chance = _world_maker(game, viewer), Random("a few")
        return tuple(make(chance, f"a few/{number}") for number in range(FIXED_WORLDS))

    return game.memo((consistent_worlds, viewer), sample)


def _world_maker(game: G, viewer: int) -> MakeWorld[G]:
    steps = world_steps_of(game)
    with steps.bounded():
        sampler = sampler_of if is_settled(game) else WorldsBetweenDraws
        make = sampler(game, viewer).world

    def world(chance: Random, seed: str) -> G:
        with steps.bounded():
            return make(chance, seed)

    return world


def is_settled(game: BaseGame) -> bool:
    """Whether the invariants hold in the game.

    It may be read from the true state: it depends only on how far a deal has come, which everybody sees.
    """
    machine = world_steps_of(game).machine
    return all(holds(invariant, game.slots) for _, invariant in machine.invariants)


@frozen(slots=False, eq=False)
class CoursesOfPlay(Generic[G]):
    """The courses of play that look to a viewer as a game does."""

    game: G = field(repr=False)
    viewer: int

    @cached_property
    def _history(self) -> History:
        return history_of(self.game, self.viewer)

    @cached_property
    def _search(self) -> CourseSearch:
        reader = reader_of(self.game, self.viewer)
        return CourseSearch(reader, world_steps_of(self.game), self._history)

    @cached_property
    def _first(self) -> FoundCourse | None:
        """A course that follows from the history alone, so it is the same in all games that look the same."""
        try:
            with world_steps_of(self.game).bounded():
                return course_of(self._search)
        except LimitExceeded:
            return None

    @cached_property
    def _is_settled(self) -> bool:
        with world_steps_of(self.game).bounded():
            return is_settled(self.game)

    def world(self, make: MakeWorld[G], chance: Random, seed: str, plays: int) -> G:
        """A world to which a course leads; if none was found, one that looks the same now."""
        if self._first is None:
            return self._without_course(make(chance, seed))
        goal = self._goal(make, chance, seed)
        course = self._varied(self._last[0] or self._first, goal, chance, plays)
        self._last[0] = course
        return self._as_world(course, seed)

    def _without_course(self, sampled: G) -> G:
        information = information_state(sampled, self.viewer)
        followed = Followed(
            len(sampled.moves), information.slots, information.stacks, self._history
        )
        return evolve(sampled, derived={**sampled.derived, (History, self.viewer): followed})

    def _goal(self, make: MakeWorld[G], chance: Random, seed: str) -> Reached | None:
        """The sampled state to which a course shall lead; None where no states are sampled."""
        if not self._is_settled:
            return None
        try:
            information = information_state(make(chance, seed), self.viewer)
        except NoConsistentWorld:
            return None
        return Reached(information.slots, information.stacks, ())

    @cached_property
    def _last(self) -> list[FoundCourse | None]:
        """The course of the last world."""
        return [None]

    def _varied(
        self, course: FoundCourse, goal: Reached | None, chance: Random, plays: int
    ) -> FoundCourse:
        try:
            with world_steps_of(self.game).bounded():
                return self._search.varied(course, goal, chance, plays)
        except LimitExceeded:
            return course

    @cached_property
    def _root(self) -> tuple[InformationState, int]:
        """The information state at which a world begins, and how many of the last moves it plays.

        Between two draws it begins at the decision before them, so that the viewer is told of the last outcome.
        """
        game = self.game
        if self._is_settled:
            return information_state(game, self.viewer), 0
        decision = last_decision(game, self.viewer)
        if decision is None:
            decision = tracker_of(game, self.viewer).begin(game.initial_slots())
        return decision, len(game.moves) - decision.moves

    def _as_world(self, course: FoundCourse, seed: str) -> G:
        information, played = self._root
        at = len(course.moves) - played
        begun = course.reached[at]
        information = evolve(information, slots=begun.slots, moves=0, stacks=begun.stacks)
        world = game_at(self.game, seed, information, self.viewer)
        followed = Followed(0, begun.slots, begun.stacks, self._history.up_to(at))
        beginning = State(course.reached[0].slots, self.game.state.schema)
        world = evolve(
            world,
            derived={**world.derived, (History, self.viewer): followed},
            course=Course(beginning, course.moves[:at]),
        )
        for move in course.moves[at:]:
            world = world.after(move)
        return world


@frozen(slots=False, eq=False)
class WorldsBetweenDraws(Generic[G]):
    """The worlds of a viewer at a chance point where the invariants do not hold."""

    game: G = field(repr=False)
    viewer: int

    def world(self, chance: Random, seed: str) -> G:
        """One world, whose dice are rolled by `seed`.

        Raises:
            NoConsistentWorld: none was found in bounded time.
        """
        for _ in range(MAX_TRIES):
            world = self._first_moment(chance, seed)
            for number, move in enumerate(self._moves):
                if world is not None:
                    world = self._continued(world, move, number, chance)
            if world is not None:
                return world
        raise NoConsistentWorld(
            f"no course of play consistent with the player's view was found in {MAX_TRIES} tries"
        )

    @cached_property
    def _world_steps(self) -> WorldSteps:
        return world_steps_of(self.game)

    # -------------------------------------------------------------- where the worlds begin
    @cached_property
    def _decision(self) -> InformationState | None:
        return last_decision(self.game, self.viewer)

    @cached_property
    def _moves(self) -> tuple[int, ...]:
        """The moves of the game since its last decision, or since its beginning."""
        return self.game.moves[self._decision.moves if self._decision else 0 :]

    @cached_property
    def _sample(self) -> MakeWorld[G] | None:
        """Samples the last decision, or the position at which the game began; None where nothing was hidden yet."""
        game, decision = self.game, self._decision
        if decision is None and game.initial_position is None:
            return None
        if decision is None:
            slots = read_position(game.state.schema, game.machine, game.initial_position or "")
            decision = tracker_of(game, self.viewer).begin(slots)
        begun = game_at(game, game.seed, evolve(decision, moves=0), self.viewer)
        return sampler_of(begun, self.viewer).world

    def _first_moment(self, chance: Random, seed: str) -> G | None:
        """A world of the last decision, or of the first moment of the game."""
        if self._sample is None:
            slots = self.game.initial_slots()
        else:
            world = self._sample(chance, seed)
            if self._decision is not None:
                return world
            slots = list(world.state.slots)
            try:
                world.machine.run(slots, slots[POINT], None)
            except EngineError:
                return None
        begun = tracker_of(self.game, self.viewer).begin(slots)
        world = game_at(self.game, seed, begun, self.viewer)
        return world if self._view(world) == self._view(self._played[0]) else None

    # -------------------------------------------------------------- how they go on
    @cached_property
    def _played(self) -> list[G]:
        """The game at its last decision, or its beginning, and after each move since."""
        begun = self._decision
        if begun is None:
            begun = tracker_of(self.game, self.viewer).begin(self.game.initial_slots())
        games = [game_at(self.game, self.game.seed, evolve(begun, moves=0), self.viewer)]
        for move in self._moves:
            games.append(games[-1].after(move))
        return games

    @cached_property
    def _observed(self) -> list[tuple[tuple[Step, ...], View]]:
        """For each of the moves, the steps that the viewer observed, and the view after it."""
        pairs = zip(self._played, self._played[1:], self._moves, strict=False)
        return [(self._steps(before, move), self._view(after)) for before, after, move in pairs]

    def _continued(self, world: G, move: int, number: int, chance: Random) -> G | None:
        """A world after a move that looks to the viewer as the one of the game; None if there is none."""
        steps, view = self._observed[number]
        candidates = self._candidates(world, move)
        for code in chance.sample(candidates, min(len(candidates), MOVES_TO_TRY)):
            try:
                self._play_counted(world, code)
                if self._steps(world, code) == steps:
                    after = world.after(code)
                    if self._view(after) == view:
                        return after
            except EngineError:
                continue
        return None

    def _play_counted(self, world: G, move: int) -> None:
        """Play a move only to count its steps against the bound."""
        slots = list(world.state.slots)
        self._world_steps.spend(PER_CANDIDATE + len(slots))
        try:
            self._world_steps.machine.move(slots, move, world.chance_seed)
        finally:  # a move that ends early for want of steps fails anyhow: the bound is then the reason
            self._world_steps.spend()

    def _candidates(self, world: G, move: int) -> list[int]:
        """The legal moves that may look as one of the game; only the move itself, if the viewer knows it."""
        machine, codes = world.machine, world.legal_codes
        if move < 0:
            is_known = isinstance(world.point, DicePoint)
            alike = list(codes)
        else:
            is_known = machine.player_of(move) == self.viewer
            alike = [code for code in codes if _kind(machine, code) == _kind(machine, move)]
        return [code for code in alike if code == move or not is_known]

    def _steps(self, game: G, move: int) -> tuple[Step, ...]:
        tracker = tracker_of(game, self.viewer)
        return observed_steps(tracker, game.notation, game.state.slots, move, None)

    def _view(self, game: G) -> View:
        players = game.ruleset.players
        return view_of(game, None if self.viewer == SPECTATOR else players[self.viewer])


def _kind(machine: Machine, code: int) -> tuple[int, int]:
    """The action of a code, and who plays it."""
    return machine.action_of(code), machine.player_of(code)
