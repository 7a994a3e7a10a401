"""Parts of a study that are played elsewhere, or whose rounds are kept; each is known by a digest of what it asks."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from hashlib import blake2b

from attrs import frozen

from hots_rules._version import __version__
from hots_rules.diagnostics import EngineError
from hots_rules.study.rounds import RoundPlayer
from hots_rules.study.tallies import Round

ROUNDS_OF_A_TASK = 1_000
"""The rounds of a task; the last one of a study may have fewer."""
MAX_AHEAD = 64
"""The tasks that are asked for before the first of them is counted."""


@frozen
class StudyTask:
    """Some rounds of a study with one policy.

    Attributes:
        policy: the policy.
        first: the number of the first round.
        rounds: how many rounds there are.
        sides: the names of the sides.
        asked: what the rounds depend on, as JSON: the rulesets by the digests of their texts, their options and
            readings, the scenario, seed and measures, and the version of the library.
    """

    policy: str
    first: int
    rounds: int
    sides: tuple[str, ...]
    asked: str

    @property
    def file(self) -> str:
        """The name of the file of its rounds: the digest of all that they depend on."""
        text = "\n".join((self.policy, f"{self.first} {self.rounds}", *self.sides, self.asked))
        return f"{blake2b(text.encode(), digest_size=16).hexdigest()}.parquet"


def tasks_of(player: RoundPlayer, policy: str, first: int, rounds: int) -> Iterator[StudyTask]:
    """The tasks of some rounds, those from `first` on, in order.

    All but the last one end at a multiple of `ROUNDS_OF_A_TASK`, so another number of rounds has the same tasks.
    """
    plan = player.plan
    asked = {
        "version": __version__,
        "scenario": plan.scenario,
        "seed": plan.seed,
        "measures": plan.measures,
        "sides": [[side.ruleset.text_hash, side.settings] for side in player.sides],
    }
    names = tuple(side.name for side in player.sides)
    end = first + rounds
    while first < end:
        following = min(end, (first // ROUNDS_OF_A_TASK + 1) * ROUNDS_OF_A_TASK)
        yield StudyTask(policy, first, following - first, names, json.dumps(asked))
        first = following


def play_task(player: RoundPlayer, task: StudyTask) -> tuple[str, list[Round]]:
    """Plays a task in this process; gives the name of the back end and the rounds.

    Raises:
        EngineError: the process has another version of the library, whose rounds may be others.
        HotsError: as `RoundPlayer.play` raises it.
    """
    if (version := json.loads(task.asked)["version"]) != __version__:
        raise EngineError(
            f"a worker has version {__version__} of hots_rules, the study is of {version}"
        )
    rounds = list(player.play(task.policy, task.first, task.rounds))
    return player.played_by, rounds


def played_elsewhere(
    executor: Executor,
    player: RoundPlayer,
    tasks: Iterable[StudyTask],
    kept: Callable[[StudyTask], list[Round] | None],
) -> Iterator[tuple[StudyTask, list[Round], bool]]:
    """Each task in order, with its rounds and whether they were played now; those that `kept` returns are not.

    Some tasks are sent ahead. Closing the iterator cancels those that have not begun.
    """
    sent = RoundPlayer(player.sides, player.plan, player.backend)  # a worker has one thread
    pending: deque[tuple[StudyTask, list[Round] | Future[tuple[str, list[Round]]]]] = deque()
    remaining = iter(tasks)
    try:
        while True:
            while len(pending) < MAX_AHEAD and (task := next(remaining, None)) is not None:
                kept_rounds = kept(task)
                if kept_rounds is None:
                    pending.append((task, executor.submit(play_task, sent, task)))
                else:
                    pending.append((task, kept_rounds))
            if not pending:
                return
            task, result = pending.popleft()
            if isinstance(result, list):
                yield task, result, False
            else:
                player.played_by, rounds = result.result()
                yield task, rounds, True
    finally:
        for _, result in pending:
            if isinstance(result, Future):
                result.cancel()
