"""Processes for what takes long: each does one thing after the other, within limits of time and memory.

A process that overruns is ended, and another one is started for the next thing. The game server goes on meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import signal
import sys
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any, TypeVar, cast

from attrs import define, field, frozen

import hots_rules as hr
from hots_rules.web.games.fair_queue import FairQueue
from hots_rules.web.refusals import Busy, NotComputed

if sys.platform != "win32":
    import resource

SECONDS_TO_START = 60.0  # of a busy machine
WorkerReply = Mapping[str, object]
Reply = TypeVar("Reply", bound=WorkerReply)
Work = Callable[..., WorkerReply]
"""Work for a process: a function of a module, whose result can be written as JSON."""


@define
class Worker:
    """A process that is started for its first work; its answers are JSON."""

    seconds: float
    """For one work; then the process is ended."""
    memory: int
    """In bytes, that the process may have."""
    is_strict: bool = False
    """Whether each work gets a process of its own, which may write no file."""
    _process: SpawnProcess | None = field(default=None, init=False)
    _pipe: Connection | None = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)

    async def run(self, work: Callable[..., Reply], *args: object) -> Reply:
        """What the work gives for its arguments.

        Raises:
            NotComputed: the library refuses the work, or it overran its limits.
        """
        async with self._turn:
            kind, answer = await asyncio.to_thread(self._do, work, args)
        if kind == "refused":
            raise NotComputed(answer)
        return cast("Reply", answer)

    def close(self) -> None:
        """End the process."""
        process, pipe, self._process, self._pipe = self._process, self._pipe, None, None
        if process is not None:
            process.kill()
            process.join()
        if pipe is not None:
            pipe.close()

    def _do(self, work: Work, args: tuple[object, ...]) -> tuple[str, Any]:
        """`done` with what the work gives, or `refused` with the reason."""
        try:
            pipe = self._started()
            pipe.send((work, args))
            if not pipe.poll(self.seconds):
                self.close()
                return "refused", f"this takes more than {self.seconds:g} seconds, and was ended"
            kind, answer = json.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            self.close()
            return "refused", "this takes more memory or time than there is, and was ended"
        if self.is_strict:
            self.close()
        return kind, answer

    def _started(self) -> Connection:
        """The pipe to the process, which is started if there is none.

        Raises:
            OSError: it cannot be started, or is not ready in time.
        """
        pipe = self._pipe
        if pipe is None or self._process is None or not self._process.is_alive():
            self.close()
            spawning = multiprocessing.get_context("spawn")
            pipe, end = spawning.Pipe()
            limits = (self.memory, self.seconds if self.is_strict else None)
            process = spawning.Process(target=_serve, args=(end, *limits), daemon=True)
            process.start()
            end.close()
            self._pipe, self._process = pipe, process  # only what has started can be ended
            if not pipe.poll(SECONDS_TO_START):
                raise TimeoutError("the process has not started in time")
            pipe.recv_bytes()  # the process is ready
        return pipe


class ThreadWorker:
    """A thread of this process, for what is soon done but takes long in all."""

    async def run(self, work: Callable[..., Reply], *args: object) -> Reply:
        """What the work gives for its arguments."""
        return await asyncio.to_thread(work, *args)

    def close(self) -> None:
        """Nothing is to be ended."""


@define
class SharedWorker:
    """A process, or a thread, for many askers, who take turns: one who asks for much does not stop the others."""

    worker: Worker | ThreadWorker
    most_of_asker: int = 3
    """Works that wait or are done for one asker."""
    most: int = 40
    """For all of them."""
    _queue: FairQueue[Worker | ThreadWorker] = field(init=False)

    @_queue.default
    def _make_queue(self) -> FairQueue[Worker | ThreadWorker]:
        return FairQueue([self.worker])

    def of(self, asker: str) -> WorkerOfAsker:
        """The process for an asker, such as an address."""
        return WorkerOfAsker(self, asker)

    async def run(self, asker: str, work: Callable[..., Reply], *args: object) -> Reply:
        """What the work gives for its arguments, when it is the turn of the asker.

        Raises:
            Busy: too much waits already, for this asker or for all.
            NotComputed: the library refuses the work, or it overran its limits.
        """
        if self._queue.count_of(asker) >= self.most_of_asker:
            raise Busy("you ask for much at once; ask again when an answer has come")
        if self._queue.count >= self.most:
            raise Busy("many ask for this at once; ask again in a moment")
        async with self._queue.place(asker) as worker:
            return await worker.run(work, *args)

    def close(self) -> None:
        """End the process."""
        self.worker.close()


@frozen
class WorkerOfAsker:
    """A shared process, and for whom it works."""

    shared: SharedWorker
    asker: str

    async def run(self, work: Callable[..., Reply], *args: object) -> Reply:
        """As `SharedWorker.run` for the asker."""
        return await self.shared.run(self.asker, work, *args)


def _serve(pipe: Connection, memory: int, strict_seconds: float | None) -> None:
    """Do what comes through the pipe until it is closed: strict work if its seconds are given; see `_limit`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    end_with_parent()
    _limit(memory, strict_seconds)
    pipe.send_bytes(b"ready")
    while True:
        try:
            work, args = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(json.dumps(_done(work, args), ensure_ascii=False).encode())


def _done(work: Work, args: tuple[object, ...]) -> tuple[str, object]:
    """What a process answers for some work: `done` with what it gives, or `refused` with the reason."""
    try:
        return "done", work(*args)
    except hr.HotsError as error:
        return "refused", hr.diagnostics.printable(str(error))
    except (MemoryError, RecursionError):
        return "refused", "this takes more memory than there is"


def _limit(memory: int, strict_seconds: float | None) -> None:
    """Limit the memory of this process; for strict work also its seconds, and it writes no file."""
    if sys.platform != "win32":
        # WebAssembly reserves four gigabytes of addresses that it does not use; Linux can count what is used.
        is_used_counted = sys.platform == "linux" and strict_seconds is None
        counted = resource.RLIMIT_DATA if is_used_counted else resource.RLIMIT_AS
        resource.setrlimit(counted, (memory, memory))
        if strict_seconds is not None:
            most = int(strict_seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def end_with_parent() -> None:
    """End this process when its parent does: a server that is killed leaves none behind."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _wait_for_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)
