"""Batches of random games: played by machine code where that is installed and pays off, else by Python.

The results are the same.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, Final, Self, TypeVar

from attrs import define, field

from hots_rules.analysis.policies.named_policy import RANDOM, policy_of
from hots_rules.analysis.simulating.playouts import play_in_python, play_paired
from hots_rules.compile.codes import Slots, has_won
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, MissingLibrary, UnknownName, check_kind
from hots_rules.native.backends import EXTRAS, LIBRARIES, find_backend, is_installed
from hots_rules.native.batch import Counted, Ended, NativeGames, never
from hots_rules.native.cached_code import BATCH, NativeCode, is_kept, native_code
from hots_rules.native.refusal import NotLowered
from hots_rules.native.runtime.counting import CountedSlots
from hots_rules.native.runtime.games import NUMBERED
from hots_rules.native.runtime.pairing import PairedChooser, hash_reader
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices

if TYPE_CHECKING:
    from concurrent.futures import Future

BACKENDS: Final = ("auto", "python", *LIBRARIES)
"""The names of back ends."""
AS_ASKED: Final = "it was asked for"
AUTO: Final = "wasm"
"""The back end that is taken where none is named: it is quick to compile."""
SOURCE_OF_A_GAME = 2_000
"""The characters of a compiled ruleset that cost as much to compile further as one game costs in Python."""
Task = tuple[Slots, str]
"""A packed state, and the seed of the game that goes on from it."""


@define
class Batch:
    """Plays random games from packed states, many at once.

    The results depend on the states, the seeds and the policy alone, not on the back end or the number of workers.

    >>> import hots_rules as hr
    >>> batch = hr.analysis.Batch.of(hr.load("hots-4.0"), backend="python")
    >>> start = batch.machine.begin("braveheart")
    >>> [end.decisions for end in batch.play([(start, "0/0"), (start, "0/1")])]
    [570, 540]

    Attributes:
        machine: the compiled ruleset; with a policy, it lists at each decision only what the policy prefers.
        backend: the name of the back end that plays: "python", "wasm" or "llvm".
        why: why it plays, as a sentence.
        workers: the number of threads; Python plays in one.
        has_digests: whether each end has a digest of the legal actions of its decisions; that takes some time.
        is_paired: whether players choose by the words of the actions, so that games with the same seed under rulesets
            that differ run together as long as they can; the ends then have digests and trails.
        is_counted: whether each end has counts of what came up, by the names of `counted_names`.
    """

    machine: Machine
    backend: str = "python"
    why: str = AS_ASKED
    workers: int = 1
    has_digests: bool = False
    is_paired: bool = False
    is_counted: bool = False
    _code: NativeCode | None = None
    _action_hash: Callable[[int], int] = field(init=False, repr=False)
    _free: SimpleQueue[NativeGames] = field(factory=SimpleQueue, init=False)

    @_action_hash.default
    def _hash_reader(self) -> Callable[[int], int]:
        return hash_reader(self.machine) if self.is_paired else int

    @classmethod
    def of(
        cls,
        ruleset: AnyRuleset,
        options: Choices | None = None,
        readings: Choices | None = None,
        *,
        backend: str = "auto",
        workers: int = 1,
        games: int | None = None,
        has_digests: bool = False,
        is_paired: bool = False,
        is_counted: bool = False,
        policy: str = RANDOM,
    ) -> Self:
        """A batch for a ruleset under options and readings.

        Args:
            ruleset: the ruleset.
            options: options by name; the others have their defaults.
            readings: readings by name; the others have their defaults.
            backend: "auto", "python", "wasm" or "llvm"; "auto" takes what is installed and pays off.
            workers: the number of threads.
            games: about how many games will be played, None for many.
            has_digests: whether each end has a digest of the legal actions of its decisions.
            is_paired: whether players choose by the words of the actions, not by their places in the list; the legal
                actions stay equally likely, but the games are others.
            is_counted: whether each end has counts of what came up in the game.
            policy: a policy of the ruleset, or its lines. Players choose at random among the actions of the first line
                that any legal action meets, and among all legal ones where there is none.

        Raises:
            ArgumentError: no such option, reading, value, policy or back end, or less than one worker.
            RulesetError: the lines of the policy cannot be read.
            MissingLibrary: the back end that is named is not installed, or does not work.
        """
        check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
        check_backend(backend, workers)
        settings = ruleset.chosen(options or {}, readings or {})
        guide = None if policy == RANDOM else policy_of(ruleset, policy)
        machine = (
            ruleset.machine(settings, traced=is_counted)
            if guide is None
            else ruleset.compiled.guided_machine(settings, guide, traced=is_counted)
        )
        needs = (has_digests, is_paired, is_counted)
        if backend == "python":
            return cls(machine, backend, AS_ASKED, workers, *needs)
        is_auto = backend == "auto"
        native = AUTO if is_auto else backend
        if is_auto and (why_not := _why_not(machine, native, games, *needs)):
            return cls(machine, "python", why_not, workers, *needs)
        try:
            code = ruleset.compiled.memo(
                ("native", settings, native, guide, *needs),
                lambda: _code_or_reason(machine, native, *needs),
            )
        except ImportError as error:
            if not is_auto:
                raise MissingLibrary(LIBRARIES[native], EXTRAS[native]) from error
            why_not = f"the library does not work: {error}"
            return cls(machine, "python", why_not, workers, *needs)
        if isinstance(code, str):
            return cls(machine, "python", f"the ruleset has {code}", workers, *needs)
        why = "it is installed and pays off" if is_auto else AS_ASKED
        return cls(machine, native, why, workers, *needs, code)

    @property
    def code_digest(self) -> str | None:
        """A digest of its machine code: with equal code the games are equal. None if Python plays."""
        return self._code.digest if self._code is not None else None

    # -------------------------------------------------------------- games
    def play(self, tasks: Iterable[Task], *, keeps_slots: bool = False) -> Iterator[Ended]:
        """How each game ends, in order; close the iterator to stop earlier.

        Args:
            tasks: packed states, at a decision, at the start of a scenario or at the end, each with a seed.
            keeps_slots: whether the final states are wanted.

        Raises:
            EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
        """
        if self._code is None:
            for slots, seed in tasks:
                yield self._in_python(slots, seed)
            return
        play, chunks = partial(self._play, keeps_slots=keeps_slots), _chunks(tasks)
        played: Iterable[_PlayedChunk]
        if self.workers == 1:
            played = ((chunk, play(chunk)) for chunk in chunks)
        else:
            played = _in_threads(play, chunks, self.workers)
        for chunk, ends in played:
            for (slots, seed), end in zip(chunk, ends, strict=True):
                yield end or self._in_python(slots, seed)

    def play_scenario(
        self, scenario: str, seeds: Iterable[str], *, keeps_slots: bool = False
    ) -> Iterator[Ended]:
        """How each game from the start of a scenario ends, in the order of the seeds: see `play`."""
        start = self.machine.begin(scenario)
        return self.play(((start, seed) for seed in seeds), keeps_slots=keeps_slots)

    def count(self, start: Slots, prefix: str, numbers: range) -> Iterator[Counted]:
        """How games from a packed state end, in parts; their seeds are a prefix with consecutive numbers.

        It takes much less time for each game than `play`. All games are counted, so `left` is empty.

        Raises:
            EngineError: as `play`.
        """
        packed = None if self._code is None else self._packed(start)
        play: Callable[[range, Callable[[], bool]], Counted]
        if packed is None:
            play, most = (lambda part, _: Counted(Counter(), 0, tuple(part))), 1
        else:
            play = partial(self._count, packed, prefix)
            most = min(NUMBERED, len(numbers) // (4 * self.workers) + 1)
        parts = (numbers[at : at + most] for at in range(0, len(numbers), most))
        counted: Iterable[tuple[range, Counted]]
        if self.workers == 1 or packed is None:
            counted = ((part, play(part, bool)) for part in parts)
        else:
            counted = _in_threads(play, parts, self.workers)
        for _, part in counted:
            ends = [self._in_python(start, f"{prefix}{number}") for number in part.left]
            part.ends.update((end.outcome, end.reason, end.is_over) for end in ends)
            yield Counted(part.ends, part.decisions + sum(end.decisions for end in ends))

    def legal(self, states: Iterable[Slots]) -> Iterator[list[int]]:
        """The codes of the legal actions at the decision of each packed state, in order; none at the end of a game.

        Raises:
            EngineError: a condition violates a bound of the ruleset, or there are too many.
        """
        # In Python: with most rulesets, passing a state to machine code takes longer than listing its actions.
        for slots in states:
            yield [] if self.machine.is_over(slots) else self.machine.legal(slots)

    def _play(
        self, chunk: Sequence[Task], is_stopped: Callable[[], bool] = never, *, keeps_slots: bool
    ) -> list[Ended | None]:
        packed: dict[int, bytes | None] = {}
        for slots, _ in chunk:
            if id(slots) not in packed:
                packed[id(slots)] = self._packed(slots)
        starts = [packed[id(slots)] for slots, _ in chunk]
        played = [start is not None for start in starts]
        with self._games() as games:
            ends = games.play(
                [start for start in starts if start is not None],
                [seed for (_, seed), is_played in zip(chunk, played, strict=True) if is_played],
                keeps_slots=keeps_slots,
                is_stopped=is_stopped,
            )
        played_ends = iter(ends)
        return [next(played_ends) if is_played else None for is_played in played]

    def _count(
        self, start: bytes, prefix: str, numbers: range, is_stopped: Callable[[], bool]
    ) -> Counted:
        with self._games() as games:
            return games.count(start, prefix, numbers, is_stopped=is_stopped)

    def _in_python(self, slots: Slots, seed: str) -> Ended:
        """How a game ends that Python plays."""
        own = CountedSlots(slots, self.machine) if self.is_counted else list(slots)
        if self.is_paired:
            return play_paired(own, PairedChooser(self.machine, seed, self._action_hash))
        return play_in_python(self.machine, own, seed, has_digest=self.has_digests)

    def _packed(self, slots: Slots) -> bytes | None:
        """A state for machine code; None if Python must play it, since it has ended or does not fit."""
        assert self._code is not None
        if self.machine.is_over(slots):
            return None
        with suppress(ValueError):
            return self._code.slots.pack(slots)
        return None

    @contextmanager
    def _games(self) -> Iterator[NativeGames]:
        """A memory that no other thread uses meanwhile."""
        assert self._code is not None
        try:
            games = self._free.get_nowait()
        except Empty:
            games = NativeGames(self._code)
        try:
            yield games
        finally:
            self._free.put(games)


def check_backend(backend: str, workers: int) -> None:
    """Refuse a back end or a number of workers that cannot be.

    Raises:
        ArgumentError: there is no such back end, or less than one worker.
    """
    if backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    if type(workers) is not int or workers < 1:
        raise BadArgument("workers", workers, "a whole number above 0")


def _code_or_reason(
    machine: Machine, name: str, has_digests: bool, is_paired: bool, is_counted: bool
) -> NativeCode | str:
    """The machine code of a ruleset; or what the integer program cannot express in it, with the remedy.

    Raises:
        ImportError: the library of the back end does not work.
    """
    try:
        return native_code(
            machine,
            find_backend(name),
            has_digests=has_digests,
            is_paired=is_paired,
            is_counted=is_counted,
        )
    except NotLowered as error:
        return f"{error}: {error.remedy}" if error.remedy else str(error)


def _why_not(
    machine: Machine,
    name: str,
    games: int | None,
    has_digests: bool,
    is_paired: bool,
    _is_counted: bool,  # the source of the machine shows it
) -> str:
    """Why machine code does not pay off; empty if it does."""
    if not is_installed(name):
        return f"`{LIBRARIES[name]}` is not installed: pip install 'hots-rules[{EXTRAS[name]}]'"
    if games is None or games * SOURCE_OF_A_GAME >= len(machine.source):
        return ""
    try:
        kept = is_kept(machine, find_backend(name), has_digests=has_digests, is_paired=is_paired)
        return "" if kept else "so few games do not pay for it"
    except ImportError as error:
        return f"the library does not work: {error}"


def are_alike(first: Ended, second: Ended) -> bool:
    """Whether two games had the same legal actions at each decision, and the same outcome."""
    facts = ((end.decisions, end.digest, end.is_over, end.outcome) for end in (first, second))
    return len(set(facts)) == 1


def wins_of(end: Ended, player: int) -> int:
    """1 if a player has won a game, alone or with others, else 0."""
    return int(end.is_over and has_won(end.outcome, player))


def _chunks(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    pending = iter(tasks)
    while chunk := list(islice(pending, BATCH)):
        yield chunk


_PlayedChunk = tuple[list[Task], list[Ended | None]]
_Part = TypeVar("_Part")
_Outcome = TypeVar("_Outcome")


def _in_threads(
    play: Callable[[_Part, Callable[[], bool]], _Outcome], chunks: Iterator[_Part], workers: int
) -> Iterator[tuple[_Part, _Outcome]]:
    """Each chunk with what a thread made of it, in order; at most twice as many chunks as threads wait."""
    # A late import: one thread needs none.
    from concurrent.futures import ThreadPoolExecutor

    waiting: deque[tuple[_Part, Future[_Outcome]]] = deque()
    stop = Event()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for chunk in chunks:
                waiting.append((chunk, pool.submit(play, chunk, stop.is_set)))
                if len(waiting) > 2 * workers:
                    first, future = waiting.popleft()
                    yield first, future.result()
            for first, future in waiting:
                yield first, future.result()
        finally:
            stop.set()
            for _, future in waiting:
                future.cancel()
