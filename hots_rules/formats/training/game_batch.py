"""Many games at once, one decision at a time: observations, legal actions and rewards as NumPy arrays.

It needs the extra `numpy`. Machine code plays where it can (`native` or `llvm`); Python plays the rest, slowly, with
equal arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, Generic, Literal, cast

from attrs import define, field, frozen

from hots_rules.diagnostics import BadArgument, MissingLibrary, UnknownName
from hots_rules.formats.action_numbering import ActionNumbering
from hots_rules.formats.slot_encoding import SlotEncoding
from hots_rules.formats.training.native_games import NO_GAME, NativeSteps, np
from hots_rules.formats.training.observed_moment import ObservedMoment
from hots_rules.formats.training.packed_moment import NOBODY
from hots_rules.formats.training.vector_layout import vector_layout
from hots_rules.formats.view_encoding import ViewEncoding
from hots_rules.native.backends import EXTRAS, LIBRARIES, find_backend, is_installed
from hots_rules.native.cached_code import NativeCode, stepping_code
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.layout import Form, Stepping
from hots_rules.native.runtime.observing import FULL_MARK
from hots_rules.native.runtime.stepping import BEGIN, WAIT
from hots_rules.observe.information_state import InformationState, tracker_of
from hots_rules.observe.stacks import StackTracker
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.settings import Choices
from hots_rules.state.state import State

GAMES_PER_MEMORY: Final = 1024
"""The most games that one memory of machine code has."""
MAX_PREFIX: Final = 100
"""The most bytes of the seed of a batch."""
MAX_GAMES: Final = 1 << 20
BACKENDS: Final = ("auto", "python", *LIBRARIES)
FORMS: Final = ("dense", "sparse", "none")
Observations = Literal["dense", "sparse", "none"]


@frozen(eq=False)
class SparseVectors:
    """The numbers of many vectors that are not 0; those of game i are at `offsets[i]` to `offsets[i + 1] - 1`.

    Attributes:
        offsets: of shape (games + 1,), int64.
        marks: of shape (numbers, 2), int32: the index of each number in its vector, and its share of 255. Those of a
            game are in no order.
    """

    offsets: np.ndarray
    marks: np.ndarray


@frozen(eq=False)
class BatchStep:
    """Where the games of a batch stand. Arrays may lie in the memory of the batch: they hold until its next step.

    Attributes:
        observations: of shape (games, size), uint8, what each player to choose sees, in parts of 255; or
            `SparseVectors`, or None. Of a game that is over it is 0 everywhere, unless the batch has a viewer.
        offsets: of shape (games + 1,), int64: the legal actions of game i are `actions[offsets[i]:offsets[i + 1]]`.
        actions: of shape (legal actions of all games,), int64: their numbers, each below `GameBatch.action_count`.
        seats: of shape (games,), int64: the number of the player who chooses; -1 where the game is over.
        rewards: of shape (games, players), float32: 0 but where a game ended in this step.
        ends: of shape (games,), bool: whether the game ended in this step.
        numbers: of shape (games,), int64: the number of each game, with which its seed ends.
    """

    observations: np.ndarray | SparseVectors | None
    offsets: np.ndarray
    actions: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray
    numbers: np.ndarray

    def legal(self, game: int) -> np.ndarray:
        """The numbers of the legal actions of a game, as an array over `actions`."""
        return self.actions[self.offsets[game] : self.offsets[game + 1]]

    def random_actions(self, generator: np.random.Generator) -> np.ndarray:
        """A legal action for each game, all equally likely: of shape (games,), int64; `WAIT` where it is over."""
        counts = np.diff(self.offsets)
        places = self.offsets[:-1] + (generator.random(len(counts)) * counts).astype(np.int64)
        chosen = np.full(len(counts), WAIT, np.int64)
        is_open = counts > 0
        chosen[is_open] = self.actions[places[is_open]]
        return chosen


@define(eq=False)
class GameBatch(Generic[G]):
    """Games of one scenario, played together one decision at a time.

    Game number i has the seed `SEED/i`, as in `hots_rules.simulate`: with the same actions it is the game of
    `Ruleset.start` with that seed. A new game begins in the step after the end of one, with the next number.

    The example needs the extra `numpy`:

    >>> import hots_rules as hr
    >>> batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 3, backend="python")
    >>> step = batch.reset("seed")
    >>> step.observations.shape, step.legal(0).size
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
    """

    players: tuple[str, ...]
    games: int
    backend: str
    why: str
    form: Form
    viewer: int
    _start: G = field(repr=False)
    _parts: tuple[NativeSteps, ...] = field(repr=False)
    _workers: int = 1
    _numbering: ActionNumbering = field(init=False, repr=False)
    _encoding: SlotEncoding = field(init=False, repr=False)
    _pool: ThreadPoolExecutor | None = field(init=False, repr=False, default=None)
    _prefix: str = field(init=False, repr=False, default="")
    _in_python: dict[int, ObservedMoment[G]] = field(init=False, repr=False, factory=dict)
    _numbers: np.ndarray = field(init=False, repr=False)
    _next_number: int = field(init=False, repr=False, default=0)
    _vectors: np.ndarray | None = field(init=False, repr=False, default=None)
    _mask: np.ndarray | None = field(init=False, repr=False, default=None)
    _marked: tuple[np.ndarray, np.ndarray] | None = field(init=False, repr=False, default=None)
    _last: BatchStep | None = field(init=False, repr=False, default=None)
    _shares: np.ndarray = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._numbering = ActionNumbering(self._start.ruleset)
        self._encoding = SlotEncoding(ViewEncoding.of(self._start))
        self._numbers = np.zeros(self.games, np.int64)
        self._shares = _rewards(len(self.players), self._start.machine.player_count)
        if self._workers > 1 and len(self._parts) > 1:
            self._pool = ThreadPoolExecutor(self._workers)

    @classmethod
    def of(
        cls,
        ruleset: AnyRuleset,
        scenario: str,
        games: int,
        *,
        options: Choices | None = None,
        readings: Choices | None = None,
        players: int = 0,
        backend: str = "auto",
        workers: int = 1,
        observations: Observations = "dense",
        viewer: str | None = None,
    ) -> GameBatch[BaseGame]:
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

        Raises:
            ArgumentError: no such scenario, option, reading, value, player, back end or form, or a number out of bounds.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        _check(games, workers, backend, observations)
        most = len(ruleset.players)
        if type(players) is not int or not 0 <= players <= most:
            raise BadArgument("players", players, f"a number from 0 to {most}")
        names = ruleset.players[: players or most]
        if viewer is not None and viewer not in names:
            raise UnknownName("player", viewer, names)
        start = ruleset.start(scenario, seed=0, options=options, readings=readings)
        seat = -1 if viewer is None else names.index(viewer)
        code, plan, name, why = _code(start, backend, observations)
        parts = () if code is None else tuple(_divided(plan, code, games, workers))
        return GameBatch(names, games, name, why, observations, seat, start, parts, workers)

    @property
    def size(self) -> int:
        """The length of an observation."""
        return self._encoding.encoding.size

    @property
    def action_count(self) -> int:
        """A number above that of every action."""
        return self._numbering.size

    # -------------------------------------------------------------- play
    def reset(self, seed: int | str = 0) -> BatchStep:
        """Begin all games anew, with the numbers from 0 on.

        Args:
            seed: what the seeds of all games begin with; at most 100 bytes, in one line.

        Raises:
            BadArgument: the seed is too long.
            EngineError: the ruleset violates one of its bounds.
        """
        prefix = f"{seed}/"
        if len(prefix.encode()) > MAX_PREFIX or "\n" in prefix:
            raise BadArgument("seed", seed, f"one line of fewer than {MAX_PREFIX} bytes")
        self._prefix, self._next_number = prefix, 0
        self._in_python.clear()
        begin = self._start.machine.begin(self._start.scenario)
        for part in self._parts:
            part.open(begin, prefix, self.viewer)
        return self._played(np.full(self.games, BEGIN, np.int64))

    def step(self, actions: Sequence[int] | np.ndarray) -> BatchStep:
        """Play an action in each game, on to its next decision. A game that is over begins anew instead.

        Args:
            actions: of shape (games,): the number of a legal action, or -1 for a game that waits.

        Raises:
            IllegalAction: an action is not legal; no game is changed then.
            BadArgument: there are more or fewer actions than games, or a number that no action has; `reset` was not
                called.
            EngineError: the ruleset violates one of its bounds.
        """
        if self._last is None:
            raise BadArgument("step", "games that have not begun", "a call of `reset` before it")
        choices = np.array(actions, np.int64)
        if choices.shape != (self.games,):
            raise BadArgument("actions", choices.shape, f"as many actions as games, {self.games}")
        if choices.min() < WAIT or choices.max() >= self.action_count:
            needed = f"numbers from -1 to {self.action_count - 1}"
            raise BadArgument("actions", f"{choices.min()} to {choices.max()}", needed)
        choices[self._last.seats < 0] = BEGIN
        return self._played(choices)

    def _played(self, choices: np.ndarray) -> BatchStep:
        begins = choices == BEGIN
        count = int(begins.sum())
        numbers = self._numbers
        if count:
            numbers = numbers.copy()
            numbers[begins] = np.arange(self._next_number, self._next_number + count)
        self._require_legal(choices)
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
            if choices[game] >= 0:
                moment.moment.require(self._code_of(moment, int(choices[game])))
        for part in self._parts:
            own = choices[part.first : part.first + part.games].copy()
            for game in self._in_python:
                if part.first <= game < part.first + part.games and own[game - part.first] >= 0:
                    own[game - part.first] = WAIT
            game = part.choose(own)
            if game != NO_GAME:
                moment = self._moment(part, game, int(self._numbers[part.first + game]))
                moment.moment.require(self._code_of(moment, int(own[game])))

    # -------------------------------------------------------------- games in Python
    def _code_of(self, moment: ObservedMoment[G], number: int) -> int:
        return self._numbering.code(number, moment.moment.seat)

    def _moved(self, choices: np.ndarray, numbers: np.ndarray) -> dict[int, ObservedMoment[G]]:
        """The moments after the step of the games that Python plays. Those that begin go back to machine code."""
        moments = {}
        games: Iterable[int] = self._in_python if self._parts else range(self.games)
        for game in games:
            choice = int(choices[game])
            if choice == BEGIN:
                if not self._parts:
                    moments[game] = self._begun(int(numbers[game]))
                continue
            moment = self._in_python[game]
            is_played = choice != WAIT
            moments[game] = moment.after(self._code_of(moment, choice)) if is_played else moment
        return moments

    def _begun(self, number: int) -> ObservedMoment[G]:
        game = self._start.ruleset.start(
            self._start.scenario,
            seed=f"{self._prefix}{number}",
            options=self._start.options,
            readings=self._start.readings,
        )
        return ObservedMoment.of(cast("G", game))

    def _take_over(self, part: NativeSteps, choices: np.ndarray, numbers: np.ndarray) -> None:
        """Play those games of a memory in Python that a fault stopped there in this step."""
        for game in np.flatnonzero(part.faults).tolist():
            number = part.first + game
            if number in self._in_python:
                continue
            choice = int(choices[number])
            if choice == BEGIN:
                self._in_python[number] = self._begun(int(numbers[number]))
                continue
            moment = self._moment(part, game, int(numbers[number]))
            self._in_python[number] = moment.after(self._code_of(moment, choice))

    def _moment(self, part: NativeSteps, game: int, number: int) -> ObservedMoment[G]:
        """The moment of a game of a memory."""
        base, slots = self._start, part.state(game)
        derived: dict[object, object] = {}
        for player, stacks in enumerate(part.stacks(game, base.machine.player_count)):
            tracker = tracker_of(base, player)
            visibility = tracker.visibility(slots)
            derived[InformationState, player] = InformationState(
                tuple(slots),
                0,
                0,
                0,
                tuple(
                    StackTracker(numbers, features.read(slots, visibility), following)
                    for features, (numbers, following) in zip(
                        tracker.features, stacks, strict=True
                    )
                ),
            )
        played = type(base)(
            base.ruleset,
            base.scenario,
            f"{self._prefix}{number}",
            base.settings,
            "auto",
            State(tuple(slots), base.state.schema),
            (),
            None,
            None,
            tuple(slots),
            derived,
        )
        return ObservedMoment.of(played)

    def game(self, number: int) -> G:
        """The game at a place of the batch, with all hidden information: not for players. Its past moves are not there.

        Args:
            number: the place, from 0 on.
        """
        if number in self._in_python:
            return self._in_python[number].moment.game
        part = next(part for part in self._parts if 0 <= number - part.first < part.games)
        return self._moment(part, number - part.first, int(self._numbers[number])).moment.game

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
                winner = moment.moment.winner
                outcomes[game] = moment.moment.machine.outcome(moment.moment.slots)
                assert winner is None or outcomes[game] == winner + 2
            offsets, actions = self._lists(
                [(part.offsets, part.actions) for part in parts], self._legal_in_python()
            )
            shown = self._all_shown()
        ends = (seats < 0) & (choices != WAIT)
        rewards = np.where(ends[:, None], self._shares[outcomes], np.float32(0))
        return BatchStep(shown, offsets, actions, seats, rewards, ends, self._numbers)

    def _column(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate(columns) if columns else np.zeros(self.games, np.int64)

    def _legal_in_python(self) -> dict[int, np.ndarray]:
        legal = {}
        for game, moment in self._in_python.items():
            seat = moment.moment.seat
            codes = [] if seat == NOBODY else moment.moment.codes_of(seat)
            legal[game] = np.array(self._numbering.numbers(codes), np.int64)
        return legal

    def _lists(
        self, parts: Sequence[tuple[np.ndarray, np.ndarray]], in_python: dict[int, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """The lists of all games one after the other; those of Python take the places of others."""
        if not in_python:
            counts = np.concatenate([np.diff(offsets) for offsets, _ in parts])
            return _offsets(counts), np.concatenate([listed for _, listed in parts])
        lists: list[np.ndarray] = [
            listed[offsets[game] : offsets[game + 1]]
            for offsets, listed in parts
            for game in range(len(offsets) - 1)
        ]
        lists = lists or [np.zeros(0, np.int64)] * self.games
        for game, own in in_python.items():
            lists[game] = own
        return _offsets(np.array([len(one_list) for one_list in lists])), np.concatenate(lists)

    def _shown(self, part: NativeSteps) -> np.ndarray | SparseVectors | None:
        if self.form == "dense":
            return part.vectors
        return SparseVectors(part.mark_offsets, part.marks) if self.form == "sparse" else None

    def _all_shown(self) -> np.ndarray | SparseVectors | None:
        if self.form == "none":
            return None
        in_python = {game: self._marks(moment) for game, moment in self._in_python.items()}
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

    def _marks(self, moment: ObservedMoment[G]) -> np.ndarray:
        """The numbers of a vector that are not 0, of a game that Python plays."""
        viewer = moment.moment.seat if self.viewer < 0 else self.viewer
        if viewer < 0:
            return np.zeros((0, 2), np.int32)
        indexes, numbers = moment.vector(viewer)
        # A little more, since shares of 255 that end in a half are rounded up.
        marks = np.array(
            [indexes, [int(FULL_MARK * number + 0.5 + 1e-9) for number in numbers]], np.int32
        ).T
        return marks[marks[:, 1] > 0]

    def dense_mask(self) -> np.ndarray:
        """The legal actions as an array of shape (games, action_count), bool. It holds until the next call.

        Raises:
            BadArgument: `reset` was not called.
        """
        if self._last is None:
            raise BadArgument("dense_mask", "games that have not begun", "a call of `reset` before it")
        if self._mask is None:
            self._mask = np.zeros((self.games, self.action_count), np.bool_)
        if self._marked is not None:
            self._mask[self._marked] = False
        rows = np.repeat(np.arange(self.games), np.diff(self._last.offsets))
        self._marked = rows, self._last.actions.copy()
        self._mask[self._marked] = True
        return self._mask


def _offsets(counts: np.ndarray) -> np.ndarray:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))


def _check(games: int, workers: int, backend: str, observations: str) -> None:
    if type(games) is not int or not 0 < games <= MAX_GAMES:
        raise BadArgument("games", games, f"a whole number from 1 to {MAX_GAMES}")
    if type(workers) is not int or workers < 1:
        raise BadArgument("workers", workers, "a whole number above 0")
    if backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    if observations not in FORMS:
        raise BadArgument("observations", observations, allowed=FORMS)


def _rewards(players: int, most: int) -> np.ndarray:
    """By outcome, the rewards of all players: 1 for the winner, -1 in equal parts for the others, else 0."""
    shares = np.zeros((most + 2, players), np.float32)
    for winner in range(players):
        shares[winner + 2] = -1.0 / max(players - 1, 1)
        shares[winner + 2, winner] = 1.0
    return shares


def _code(
    game: BaseGame, backend: str, form: Form
) -> tuple[NativeCode | None, Stepping, str, str]:
    """The machine code for a game, if there is any, its plan, the name of the back end, and why it plays."""
    ruleset, machine = game.ruleset, game.machine
    name = "wasm" if backend == "auto" else backend
    none = Stepping(0, None, form)  # type: ignore[arg-type]
    if backend == "python":
        return None, none, "python", "it was asked for"
    if backend == "auto" and not is_installed(name):
        why = f"`{LIBRARIES[name]}` is not installed: pip install 'hots-rules[{EXTRAS[name]}]'"
        return None, none, "python", why
    try:
        layout = vector_layout(ViewEncoding.of(game), machine)
        plan = Stepping(GAMES_PER_MEMORY, layout, form)
        code = ruleset.compiled.memo(
            ("stepping", game.settings, name, form),
            lambda: stepping_code(machine, find_backend(name), plan),
        )
    except NotLowered as error:
        return None, none, "python", f"the ruleset has {error}"
    except ImportError as error:
        if backend == "auto":
            return None, none, "python", f"the library does not work: {error}"
        raise MissingLibrary(LIBRARIES[name], EXTRAS[name]) from error
    why = "it is installed" if backend == "auto" else "it was asked for"
    return code, plan, name, why


def _divided(
    plan: Stepping, code: NativeCode, games: int, workers: int
) -> Iterator[NativeSteps]:
    """The games in as many memories as they need, at least one for each worker."""
    count = max(-(-games // GAMES_PER_MEMORY), min(workers, games))
    first = 0
    for number in range(count):
        after = games * (number + 1) // count
        yield NativeSteps(plan, first, after - first, code)
        first = after
