"""Many games at once, one decision at a time: observations, legal actions and rewards as NumPy arrays.

It needs the extra `numpy`. Machine code plays where it can (`native` or `llvm`); Python plays the rest, slowly, with
equal arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, cast

from attrs import define, evolve, field

from hots_rules.diagnostics import BadArgument, check_kind
from hots_rules.formats.training.batch_arguments import (
    check_batch,
    check_recall,
    prefix_of,
    rewards_of,
    seat_of,
)
from hots_rules.formats.training.batch_moments import BatchMoments
from hots_rules.formats.training.batch_step import BatchStep, SparseVectors
from hots_rules.formats.training.native_games import NO_GAME, NativeSteps, native_games, offsets_of
from hots_rules.formats.training.numpy_arrays import np
from hots_rules.formats.training.observed_moment import ObservedMoment
from hots_rules.formats.training.recalled_decisions import RecalledDecisions
from hots_rules.native.runtime.layout import Form
from hots_rules.native.runtime.stepping import BEGIN, WAIT
from hots_rules.play.game import BaseGame, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices


@define(eq=False)
class GameBatch(Generic[G]):
    """Games of one scenario, played together one decision at a time.

    Game number i has the seed `SEED/i`, as in `hots_rules.simulate`: with the same actions it is the game of
    `Ruleset.start` with that seed. A new game begins in the step after the end of one, with the next number.

    The example needs the extra `numpy`:

    >>> import hots_rules as hr
    >>> batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 3, backend="python")
    >>> step = batch.reset("seed")
    >>> step.observations.shape, len(step.legal(0))
    ((3, 131), 7)
    >>> step = batch.step([step.legal(0)[0], step.legal(1)[1], -1])
    >>> step.seats.tolist(), step.ends.tolist()
    ([1, 1, 0], [False, False, False])

    Attributes:
        players: the names of the players, by their numbers.
        games: how many games there are at once.
        backend: what plays: "python", "wasm" or "llvm".
        why: why it plays, as a sentence.
        form: how observations are given.
        viewer: the number of the player whose view they are; -1 for that of who chooses.
        last_viewer: the number of the player whose view they are of a game that is over; -1 if they are 0 then.
        recall: how many decisions the information states have; 0 if there are none.
    """

    players: tuple[str, ...]
    games: int
    backend: str
    why: str
    form: Form
    viewer: int
    last_viewer: int
    _start: G = field(repr=False)
    _parts: tuple[NativeSteps, ...] = field(repr=False)
    _workers: int = 1
    recall: int = 0
    _moments: BatchMoments = field(init=False, repr=False)
    _recalled: RecalledDecisions | None = field(init=False, repr=False, default=None)
    _pool: ThreadPoolExecutor | None = field(init=False, repr=False, default=None)
    _in_python: dict[int, ObservedMoment[BaseGame]] = field(init=False, repr=False, factory=dict)
    _numbers: np.ndarray = field(init=False, repr=False)
    _next_number: int = field(init=False, repr=False, default=0)
    _vectors: np.ndarray | None = field(init=False, repr=False, default=None)
    _mask: np.ndarray | None = field(init=False, repr=False, default=None)
    _marked: tuple[np.ndarray, np.ndarray] | None = field(init=False, repr=False, default=None)
    _last: BatchStep | None = field(init=False, repr=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._moments = BatchMoments(self._start)
        self._numbers = np.zeros(self.games, np.int64)
        if self._workers > 1 and len(self._parts) > 1:
            self._pool = ThreadPoolExecutor(self._workers)

    @classmethod
    def of(
        cls,
        ruleset: BaseRuleset[G],
        scenario: str,
        games: int,
        *,
        options: Choices | None = None,
        readings: Choices | None = None,
        players: int = 0,
        backend: str = "auto",
        workers: int = 1,
        observations: Form = "dense",
        viewer: str | None = None,
        last_viewer: str | None = None,
        recall: int = 0,
    ) -> GameBatch[G]:
        """A batch of games of a scenario; `reset` begins them.

        Args:
            ruleset: the ruleset.
            scenario: the name of the scenario.
            games: how many games there are at once; machine code is fastest with some hundreds for each worker.
            options: options by name; the others have their defaults.
            readings: readings by name; the others have their defaults.
            players: how many of the ruleset's players take part, from the first; 0 for all.
            backend: "auto", "python", "wasm" or "llvm"; "auto" takes "wasm" where it is installed.
            workers: the number of threads.
            observations: "dense" for all bytes, "sparse" for those that are not 0, "none" for none.
            viewer: the player whose view observations are; that of who chooses if it is None.
            last_viewer: the player whose view they are of a game that is over. Without one, the viewer; where there is
                none either, they are 0.
            recall: how many decisions of a player its information state has, with the present one; 0 for none. It needs
                dense observations of who chooses.

        Raises:
            ArgumentError: no such scenario, option, reading, value, player, back end or form; a number out of bounds.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
        check_batch(games, workers, backend, observations)
        check_recall(recall, observations, viewer)
        names = ruleset.first_players(players)
        seats = seat_of(viewer, names), seat_of(last_viewer or viewer, names)
        start = ruleset.start(scenario, seed=0, options=options, readings=readings)
        native = native_games(start, observations, games, backend=backend, workers=workers)
        how = native.backend, native.why, observations
        return GameBatch(names, games, *how, *seats, start, native.parts, workers, recall)

    @property
    def size(self) -> int:
        """The length of an observation."""
        return self._moments.size

    @property
    def action_count(self) -> int:
        """A number above that of every action."""
        return self._moments.numbering.size

    # -------------------------------------------------------------- play
    def reset(self, seed: int | str = 0) -> BatchStep:
        """Begin all games anew, with the numbers from 0 on.

        Args:
            seed: what the seeds of all games begin with; at most 100 bytes, in one line.

        Raises:
            BadArgument: the seed is too long, or no line.
            EngineError: the ruleset violates one of its bounds.
        """
        prefix = prefix_of(seed)
        self._moments.prefix, self._next_number = prefix, 0
        self._in_python.clear()
        if self.recall:
            bits = self._moments.numbering.bits
            self._recalled = RecalledDecisions(
                self.games, len(self.players), self.recall, self.size, bits
            )
        begin = self._start.machine.begin(self._start.scenario)
        for part in self._parts:
            part.open(begin, prefix, self.viewer, self.last_viewer)
        return self._played(np.full(self.games, BEGIN, np.int64))

    def step(self, actions: Sequence[int] | np.ndarray) -> BatchStep:
        """Play an action in each game, on to its next decision. A game that is over begins anew instead.

        Args:
            actions: of shape (games,): the number of a legal action; -1 for a game that waits, and -2 for one in whose
                place another one begins.

        Raises:
            IllegalAction: an action is not legal; no game is changed then.
            BadArgument: there are more or fewer actions than games, or a number that no action has; `reset` was not
                called.
            EngineError: the ruleset violates one of its bounds; after that, `reset` begins all games anew.
        """
        last = self._last_step("step")
        choices = np.array(actions, np.int64)
        if choices.shape != (self.games,):
            raise BadArgument("actions", choices.shape, "a number for each game of the batch")
        outside = choices[(choices < BEGIN) | (choices >= self.action_count)]
        if len(outside):
            raise BadArgument("actions", outside[0], "numbers of legal actions, -1 or -2")
        choices[(last.seats < 0) & (choices != WAIT)] = BEGIN
        return self._played(choices)

    def _last_step(self, method: str) -> BatchStep:
        if self._last is None:
            raise BadArgument(method, "games that have not begun", "a call of `reset` before it")
        return self._last

    def _played(self, choices: np.ndarray) -> BatchStep:
        begins = choices == BEGIN
        count = int(begins.sum())
        numbers = self._numbers
        if count:
            numbers = numbers.copy()
            numbers[begins] = np.arange(self._next_number, self._next_number + count)
        self._require_legal(choices)
        self._last = None  # unless the step succeeds, games have to be begun anew
        moments = self._moved(choices, numbers)
        for part in self._parts:
            part.number(numbers[part.first : part.first + part.games])
        self._run(self._parts)
        self._in_python = moments
        for part in self._parts:
            if part.is_faulty:
                self._take_over(part, choices, numbers)
        self._numbers, self._next_number = numbers, self._next_number + count
        self._last = self._collected(choices)
        return self._last

    def _run(self, parts: Sequence[NativeSteps]) -> None:
        if self._pool is None:
            for part in parts:
                part.step()
        else:
            list(self._pool.map(NativeSteps.step, parts))

    def _require_legal(self, choices: np.ndarray) -> None:
        """Refuse an action that is not legal, before any game is changed."""
        for game, moment in self._in_python.items():
            self._moments.require(moment, int(choices[game]))
        native = choices.copy()
        played = [game for game in self._in_python if choices[game] >= 0]
        native[played] = WAIT
        for part in self._parts:
            own = native[part.first : part.first + part.games]
            place = part.choose(own)
            if place != NO_GAME:
                number = int(self._numbers[part.first + place])
                moment = self._moments.of_native(part, place, number)
                self._moments.require(moment, int(own[place]))

    # -------------------------------------------------------------- games in Python
    def _moved(
        self, choices: np.ndarray, numbers: np.ndarray
    ) -> dict[int, ObservedMoment[BaseGame]]:
        """The moments after the step of the games that Python plays. Those that begin go back to machine code."""
        moments = {}
        games: Iterable[int] = self._in_python if self._parts else range(self.games)
        for game in games:
            choice = int(choices[game])
            if choice != BEGIN:
                moments[game] = self._moments.after(self._in_python[game], choice)
            elif not self._parts:
                moments[game] = self._moments.begun(int(numbers[game]))
        return moments

    def _take_over(self, part: NativeSteps, choices: np.ndarray, numbers: np.ndarray) -> None:
        """Play those games of a memory in Python that a fault stopped there in this step."""
        for place in np.flatnonzero(part.faults).tolist():
            game = part.first + place
            if game in self._in_python:
                continue
            number, choice = int(numbers[game]), int(choices[game])
            if choice == BEGIN:
                self._in_python[game] = self._moments.begun(number)
            else:
                moment = self._moments.of_native(part, place, number)
                self._in_python[game] = self._moments.after(moment, choice)

    def game(self, place: int) -> G:
        """The game at a place of the batch, with all hidden information: not for players. It has no past moves.

        Args:
            place: the place, from 0 on.

        Raises:
            BadArgument: there is no such place, or `reset` was not called.
        """
        self._last_step("game")
        if place not in range(self.games):
            raise BadArgument("place", place, "the place of a game of the batch")
        if place in self._in_python:
            return cast("G", self._in_python[place].moment.game)
        part = next(part for part in self._parts if 0 <= place - part.first < part.games)
        number = int(self._numbers[place])
        return cast("G", self._moments.of_native(part, place - part.first, number).moment.game)

    # -------------------------------------------------------------- what comes of a step
    def _collected(self, choices: np.ndarray) -> BatchStep:
        parts, moments = self._parts, self._in_python
        if len(parts) == 1 and not moments:
            (part,) = parts
            seats, outcomes = part.seats.copy(), part.outcomes
            offsets, actions = part.offsets, part.actions
            shown = self._shown(part)
        else:
            seats = self._column([part.seats for part in parts])
            outcomes = self._column([part.outcomes for part in parts])
            for game, moment in moments.items():
                seats[game] = max(moment.moment.seat, -1)
                outcomes[game] = moment.moment.machine.outcome(moment.moment.slots)
            offsets, actions = self._lists(
                [(part.offsets, part.actions) for part in parts],
                {game: self._moments.legal(moment) for game, moment in moments.items()},
            )
            shown = self._all_shown()
        ends = (seats < 0) & (choices != WAIT)
        rewards: np.ndarray = np.zeros((len(ends), len(self.players)), np.float32)
        rewards[ends] = rewards_of(outcomes[ends], len(self.players))
        step = BatchStep(shown, offsets, actions, seats, rewards, ends, self._numbers)
        if self._recalled is None or not isinstance(shown, np.ndarray):
            return step
        return evolve(step, information=self._recalled.after(choices, shown, seats))

    def _column(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate(columns) if columns else np.zeros(self.games, np.int64)

    def _lists(
        self, parts: Sequence[tuple[np.ndarray, np.ndarray]], in_python: dict[int, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The lists of all games one after the other; those of Python take the places of others."""
        if not in_python:
            counts = np.concatenate([np.diff(part[0]) for part in parts])
            return offsets_of(counts), np.concatenate([part[1] for part in parts])
        lists: list[np.ndarray] = [
            listed[offsets[game] : offsets[game + 1]]
            for offsets, listed in parts
            for game in range(len(offsets) - 1)
        ]
        lists = lists or [np.zeros(0, np.int64)] * self.games
        for game, own in in_python.items():
            lists[game] = own
        return offsets_of(np.array([len(one_list) for one_list in lists])), np.concatenate(lists)

    def _shown(self, part: NativeSteps) -> np.ndarray | SparseVectors | None:
        if self.form == "dense":
            return part.vectors
        return SparseVectors(part.mark_offsets, part.marks) if self.form == "sparse" else None

    def _all_shown(self) -> np.ndarray | SparseVectors | None:
        if self.form == "none":
            return None
        viewers = self.viewer, self.last_viewer
        in_python = {
            game: self._moments.marks(moment, *viewers) for game, moment in self._in_python.items()
        }
        if self.form == "sparse":
            lists = [(part.mark_offsets, part.marks) for part in self._parts]
            return SparseVectors(*self._lists(lists, in_python))
        if self._vectors is None:
            self._vectors = np.zeros((self.games, self.size), np.uint8)
        for part in self._parts:
            self._vectors[part.first : part.first + part.games] = part.vectors
        for game, marks in in_python.items():
            self._vectors[game] = 0
            self._vectors[game, marks[:, 0]] = marks[:, 1]
        return self._vectors

    def dense_mask(self) -> np.ndarray:
        """The legal actions as an array of shape (games, action_count), int8: 1 where one is legal. It holds until the
        next call.

        Raises:
            BadArgument: `reset` was not called.
        """
        last = self._last_step("dense_mask")
        if self._mask is None:
            self._mask = np.zeros((self.games, self.action_count), np.int8)
        if self._marked is not None:
            self._mask[self._marked] = 0
        rows: np.ndarray = np.repeat(np.arange(self.games), np.diff(last.offsets))
        self._marked = rows, last.actions.copy()
        self._mask[self._marked] = 1
        return self._mask
