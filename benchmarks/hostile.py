"""Hostile inputs of every kind, for a time: how many were tried, what went wrong, and the worst time and memory.

    python benchmarks/hostile.py [--minutes 60] [--seed 1] [--folder hostile] [--kinds positions messages] [--json]
    python benchmarks/hostile.py --again hostile/findings/positions-17

Each input follows from the seed, its kind and its number. A finding is an exception that is no `HotsError`, more than
5 s of processor time, more than 512 MB, foreign code that ran, an answer that depends on hidden information, or lost
data. Each is written to a folder with its input; `--again` tries it again. The inputs of a kind are tried in turns, in
processes with a limit of memory. Ctrl-C ends a run with its table, and the same command continues it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from attrs import asdict, define, field

sys.path.insert(0, str(Path(__file__).parent))
import hostile_files as files
import hostile_inputs as inputs
import hostile_promises as promises
from hostile_inputs import Data, Kind

import hots_rules as hr

KINDS = {
    "records": Kind(inputs.make_record, inputs.run_record),
    "journals": Kind(inputs.make_journal, inputs.run_journal),
    "rulesets": Kind(inputs.make_ruleset, inputs.run_ruleset),
    "positions": Kind(inputs.make_position, inputs.run_position),
    "messages": Kind(inputs.make_message, inputs.run_message),
    "texts": Kind(inputs.make_text, inputs.run_text),
    "commands": Kind(inputs.make_command, inputs.run_command),
    "blow-ups": Kind(inputs.make_blow_up, inputs.run_blow_up, is_alone=True),
    "long texts": Kind(inputs.make_long_text, inputs.run_long_text, is_alone=True),
    "secrets": Kind(promises.make_secrets, promises.run_secrets, cpu=20.0),
    "forms": Kind(promises.make_form, promises.run_form),
    "adapters": Kind(promises.make_adapter, promises.run_adapter, cpu=10.0),
    "cache": Kind(files.make_cache, files.run_cache),
    "writers": Kind(files.make_writers, files.run_writers),
    "killed": Kind(files.make_killed, files.run_killed),
    # Hundreds of answers to each of several games.
    "twins": Kind(inputs.make_twins, inputs.run_twins, cpu=25.0),
}
MAX_MB = 512
# A try is stopped after so many seconds of processor time, or of waiting.
STOPPED_CPU, STOPPED_WALL = 30.0, 150.0
BATCH = 15.0  # seconds that one process tries inputs
ADDRESSES = 2 << 30  # bytes of memory that a process can ask for
SHOWN_FINDINGS = 10  # of one cause that are written to folders


class StoppedError(BaseException):
    """A try took too long."""


@define
class Row:
    """What was found with the inputs of one kind."""

    tries: int = 0
    refused: int = 0
    findings: int = 0
    cpu: float = 0.0
    wall: float = 0.0
    mb: int = 0
    seconds: float = 0.0
    causes: Counter[str] = field(factory=Counter, converter=Counter)


@define
class Result:
    """What became of one input: `refused`, `accepted`, or a finding with its cause and details."""

    said: str
    cpu: float
    wall: float
    mb: int
    cause: str = ""
    details: str = ""


# ------------------------------------------------------------------ one input
def usage() -> tuple[float, int]:
    """Seconds of processor time, and the most memory in MB, of this process and those that it has started."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in both), max(u.ru_maxrss for u in both) // 1024


def tried(kind: Kind, data: Data, folder: Path) -> Result:
    """Try one input in an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (cpu, mb), wall = usage(), time.monotonic()
    said, cause, details = "accepted", "", ""
    try:
        with stopped():
            if kind.run(data, folder) is False:
                said = "refused"
    except hr.HotsError as error:
        said = "refused"
        try:
            inputs.check_error(error)
        except Exception as fault:
            cause, details = cause_of(fault), traceback.format_exc()
    except (Exception, StoppedError) as fault:
        cause, details = cause_of(fault), traceback.format_exc()
    inputs.forget()
    after, most = usage()
    result = Result(said, after - cpu, time.monotonic() - wall, most, cause, details)
    if not cause and result.cpu > kind.cpu:
        result.cause = f"takes more than {kind.cpu:.0f} s of processor time"
    if not cause and most > MAX_MB >= mb:
        result.cause = f"takes more than {MAX_MB} MB"
    return result


@contextmanager
def stopped() -> Iterator[None]:
    """Stop what takes too long."""

    def stop(*_: object) -> None:
        raise StoppedError

    timers = (
        (signal.SIGPROF, signal.ITIMER_PROF, STOPPED_CPU),
        (signal.SIGALRM, signal.ITIMER_REAL, STOPPED_WALL),
    )
    for sign, timer, seconds in timers:
        signal.signal(sign, stop)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for _, timer, _ in timers:
            signal.setitimer(timer, 0)


def cause_of(fault: BaseException) -> str:
    """The class of an exception and the line of the library where it was raised."""
    frames = traceback.extract_tb(fault.__traceback__)
    own = [frame for frame in frames if "hots_rules" in Path(frame.filename).parts] or frames
    words = "" if isinstance(fault, StoppedError) else f": {' '.join(str(fault).split())[:100]}"
    words = re.sub(r"`.*`|'.*'|\[.*\]|[0-9]+", "…", words)
    return f"{type(fault).__name__}{words} ({Path(own[-1].filename).name}:{own[-1].name})"


# ------------------------------------------------------------------ one process
def batch(name: str, seed: str, first: int, pipe: Connection, place: str) -> None:
    """Try inputs from a number on, until the time of a batch is over or a finding makes the process unfit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kind, ends = KINDS[name], time.monotonic() + BATCH
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    for number in count(first):
        try:
            data = kind.make(Random(f"{seed} {name} {number}"))
        except Exception:
            pipe.send(traceback.format_exc())
            raise
        pipe.send(data)
        result = tried(kind, data, Path(place, "empty"))
        pipe.send(result)
        if kind.is_alone or result.cause or result.mb > MAX_MB or time.monotonic() > ends:
            break
    pipe.close()


class Run:
    """A run with its folder."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.folder, self.seed = folder, seed
        self.file = folder / "results.json"
        self.rows = {name: Row() for name in KINDS}
        if self.file.exists():
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            if kept["seed"] != seed:
                sys.exit(f"{self.file} is of the seed {kept['seed']}: name another folder")
            self.rows |= {name: Row(**row) for name, row in kept["rows"].items()}

    def save(self) -> None:
        """Keep the results, so that the run can be continued."""
        rows = {name: asdict(row) for name, row in self.rows.items()}
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"seed": self.seed, "rows": rows}, indent=1), encoding="utf-8")
        new.replace(self.file)

    def batch(self, name: str) -> None:
        """Try inputs of a kind in a new process."""
        row, began = self.rows[name], time.monotonic()
        mine, theirs = get_context("fork").Pipe(duplex=False)
        with tempfile.TemporaryDirectory() as place:
            process = get_context("fork").Process(
                target=batch, args=(name, self.seed, row.tries, theirs, place)
            )
            process.start()
            theirs.close()
            try:
                self._follow(name, mine, process)
            finally:
                process.kill()
                process.join()
                row.seconds += time.monotonic() - began

    def _follow(self, name: str, pipe: Connection, process: object) -> None:
        data: Data = {}
        while True:
            try:
                if not pipe.poll(STOPPED_WALL + 60):
                    self._add(
                        name, data, Result("died", STOPPED_CPU, STOPPED_WALL, 0, "does not end")
                    )
                    return
                message = pipe.recv()
            except EOFError:
                if data:
                    self._add(name, data, Result("died", 0, 0, 0, "the process died"))
                return
            if isinstance(message, str):
                sys.exit(f"{name} {self.rows[name].tries}: no input could be made\n{message}")
            if isinstance(message, Result):
                self._add(name, data, message)
                data = {}
            else:
                data = message

    def _add(self, name: str, data: Data, result: Result) -> None:
        row = self.rows[name]
        row.refused += result.said == "refused"
        row.cpu, row.wall = max(row.cpu, result.cpu), max(row.wall, result.wall)
        row.mb = max(row.mb, result.mb)
        if result.cause:
            row.findings += 1
            row.causes[result.cause] += 1
            if row.causes[result.cause] <= SHOWN_FINDINGS:
                self._write(name, row.tries, data, result)
        row.tries += 1

    def _write(self, name: str, number: int, data: Data, result: Result) -> None:
        """Write all that reproduces a finding."""
        folder = self.folder / "findings" / f"{name.replace(' ', '-')}-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "input.json").write_text(json.dumps({"kind": name, "data": data}, indent=1))
        cost = f"{result.cpu:.1f} s of processor time, {result.wall:.1f} s, {result.mb} MB"
        details = f"{result.cause}\n{cost}\n\n{result.details}"
        (folder / "finding.txt").write_text(details, encoding="utf-8", errors="replace")
        for key, value in data.items():
            if isinstance(value, str) and "\n" in value:
                (folder / f"{key}.txt").write_text(value, encoding="utf-8", errors="surrogatepass")
        print(f"{folder}: {result.cause}; {cost}", file=sys.stderr, flush=True)

    def table(self) -> str:
        """A row per kind."""
        lines = [
            "| inputs | tries | refused | findings | worst s (processor) | worst s (clock) | worst MB |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, row in self.rows.items():
            lines.append(
                f"| {name} | {row.tries:,} | {row.refused:,} | {row.findings:,} | {row.cpu:.1f} | {row.wall:.1f} "
                f"| {row.mb} |"
            )
        lines += [
            f"- {name}: {cause} ({times})"
            for name, row in self.rows.items()
            for cause, times in row.causes.most_common()
        ]
        return "\n".join(lines)


def again(folder: Path) -> None:
    """Try the input of a finding again, in this process."""
    kept = json.loads((folder / "input.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as place:
        os.environ["HOTS_RULES_CACHE"] = str(Path(place, "cache"))
        result = tried(KINDS[kept["kind"]], kept["data"], Path(place, "empty"))
    print(result.details, result.cause or result.said, sep="\n")
    print(f"{result.cpu:.1f} s of processor time, {result.wall:.1f} s, {result.mb} MB")


def main() -> None:
    """Prints the table of a run."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--folder", type=Path, default=Path("hostile"))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--again", type=Path)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.again:
        again(args.again)
        return
    args.folder.mkdir(parents=True, exist_ok=True)
    run = Run(args.folder, args.seed)
    os.environ["HOTS_RULES_CACHE"] = str(args.folder.resolve() / "cache")
    inputs.prepare()
    for sign in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # a shell ignores Ctrl-C for what runs in the background
        signal.signal(sign, signal.default_int_handler)
    ends, code = time.monotonic() + args.minutes * 60, 0
    try:
        while time.monotonic() < ends:
            run.batch(min(args.kinds, key=lambda name: run.rows[name].seconds))
            run.save()
    except KeyboardInterrupt:
        run.save()
        code = 130
    print(json.dumps({n: asdict(r) for n, r in run.rows.items()}) if args.json else run.table())
    sys.exit(code or any(row.findings for row in run.rows.values()))


if __name__ == "__main__":
    main()
