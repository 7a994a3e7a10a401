"""Mutation testing of rulesets: do the tests notice a small change of a rule?

    python -m tests.mutation.mutate [--sample 300] [--seed 1] [--log mutation.jsonl] [FILES…]

Takes a random sample of all mutants of the files (all shipped rulesets, if none is named), and judges each in a copy of
the project, without a cache and with the likeliest tests first:

- `invalid`: it is no ruleset; the loader refuses it.
- `caught`: a test fails; the first that does is named.
- `survived`: all tests pass, but random games differ from those of the ruleset.
- `equivalent`: neither the cases and records of its edition nor random games notice a difference. These do not count.

Every judged mutant is a line of the log, so that a run that was stopped continues where it was. The first line holds
the seed, the size of the sample and the digest of the files; a log of other files is refused.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import attrs

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import playout
from hots_rules.rules import find_source, known_rulesets
from tests.casebook import Case
from tests.folders import HOME
from tests.mutation.mutants import Mutant, mutants

COPIED = ("hots_rules", "rulesets", "grammar", "tests")
# What the cases and records of the edition and the random games leave open.
OTHER_TESTS = (
    "games",
    "records/test_random_games.py",
    "formats/test_corpus.py",
    "play/test_properties.py",
    "docs/test_language.py",
)
GAMES = 200
# A mutant whose tests run longer than this many seconds is caught: a loop does not end.
TIME = 600

Check = tuple[str, Callable[[], None]]


@attrs.frozen
class Verdict:
    """What became of a mutant: a word, and the test that caught it."""

    mutant: str
    verdict: str
    test: str = ""


# ------------------------------------------------------------------ the sample
def editions() -> dict[str, str]:
    """The ruleset that each shipped `.rules` file belongs to, by path below the project."""
    texts = {path: path.read_text(encoding="utf-8") for path in HOME.glob("rulesets/**/*.rules")}
    return {
        str(path.relative_to(HOME)): layer.name
        for name in known_rulesets()
        for layer in find_source(name).layers
        for file, text in layer.files.items()
        for path, shipped in texts.items()
        if shipped == text and path.as_posix().endswith(file)
    }


def sample(files: list[str], size: int, seed: int) -> list[Mutant]:
    """A random sample of all mutants of the files, in random order."""
    texts = {file: (HOME / file).read_text(encoding="utf-8") for file in files}
    every = [mutant for file, text in texts.items() for mutant in mutants(text, file)]
    return Random(seed).sample(every, min(size, len(every)))


# ------------------------------------------------------------------ one mutant, in a process of its own
def judge(mutant: Mutant, edition: str, original: str) -> Verdict:
    """Judge a mutant; `original` is the digest of random games of the edition without it."""
    file = HOME / mutant.file
    text = file.read_text(encoding="utf-8")
    file.write_text(mutant.apply(text), encoding="utf-8")
    try:
        word, test = _in_a_fork(lambda: _judge_edition(Path(mutant.file).stem, edition, original))
        if word == "plays differently":
            word, test = _judge_with_all_tests()
        return Verdict(mutant.describe(text), word, test)
    finally:
        file.write_text(text, encoding="utf-8")


def _in_a_fork(judged: Callable[[], tuple[str, str]]) -> tuple[str, str]:
    """The result of a function that a fork of this process computes, so that nothing of it stays."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(TIME)
        try:
            result = json.dumps(judged())
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        with open(writer, "w", encoding="utf-8") as pipe:
            pipe.write(result)
        os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        return "caught", f"stopped after {TIME} seconds"
    assert status == 0, "the process that judges a mutant failed"
    word, test = json.loads(text)
    return word, test


def _judge_edition(name: str, edition: str, original: str) -> tuple[str, str]:
    try:
        hr.load(edition)
    except hr.RulesetError:
        return "invalid", ""
    for test, check in likeliest_checks(name, edition):
        try:
            check()
        except Exception:
            return "caught", test
    try:
        return ("equivalent" if games_digest(edition) == original else "plays differently"), ""
    except hr.HotsError:
        return "plays differently", ""


def likeliest_checks(name: str, edition: str) -> Iterator[Check]:
    """The cases of a chapter under an edition, records of games, then the other cases."""
    from tests.games.test_cases import CASES, check_case
    from tests.records import test_random_games

    def check(case: Case) -> Check:
        return f"{case.file}: {case.title}", partial(check_case, case, edition)

    replay = test_random_games.test_a_record_replays_to_the_same_bytes_and_the_same_end
    cases = [case for case in CASES if edition in case.editions]
    yield from (check(case) for case in cases if case.file == f"{name}.md")
    for record, (recorded, *_) in test_random_games.GAMES.items():
        if recorded == edition:
            yield f"{record}.txt", partial(replay, record)
    yield from (check(case) for case in cases if case.file != f"{name}.md")


def _judge_with_all_tests() -> tuple[str, str]:
    tests = [f"tests/{name}" for name in OTHER_TESTS]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return "survived", ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    if not failed:
        raise SystemExit(done.stdout + done.stderr)
    return "caught", failed[0].split(" - ")[0].partition(" ")[2]


def games_digest(edition: str) -> str:
    """The digest of random games of an edition, divided among its scenarios."""
    ruleset = hr.load(edition)
    machine = ruleset.machine(ruleset.chosen({}, {}))
    digest = hashlib.blake2b()
    for number in range(GAMES):
        scenario = list(ruleset.scenarios)[number % len(ruleset.scenarios)]
        slots = machine.begin(scenario)
        machine.run(slots, slots[0], str(number))
        made = playout(machine, slots, str(number), Random(number))
        digest.update(f"{made} {slots}\n".encode())
    return digest.hexdigest()


def _digest_alone(edition: str) -> tuple[str, str]:
    return games_digest(edition), ""


# ------------------------------------------------------------------ the run
def read_log(log: Path, head: dict[str, object]) -> list[Verdict]:
    """The verdicts of a log; a new log gets its first line.

    Raises:
        SystemExit: the log is of another sample or of other files.
    """
    if not log.exists():
        log.write_text(json.dumps(head) + "\n", encoding="utf-8")
    first, *lines = log.read_text(encoding="utf-8").splitlines()
    if json.loads(first) != head:
        raise SystemExit(f"{log} is the log of another sample or of other files: name a new one")
    return [Verdict(**json.loads(line)) for line in lines]


def report(verdicts: list[Verdict]) -> str:
    """The counts of the verdicts, and the mutants that survived."""
    counts = Counter(verdict.verdict for verdict in verdicts)
    effective = counts["caught"] + counts["survived"]
    rate = f", {counts['caught'] / effective:.1%} of those that change play" if effective else ""
    lines = [f"caught {counts['caught']}{rate}"]
    lines += [f"{word} {counts[word]}" for word in ("survived", "equivalent", "invalid")]
    lines += [verdict.mutant for verdict in verdicts if verdict.verdict == "survived"]
    return "\n".join(lines)


def judge_sample(files: list[str], size: int, seed: int, log: Path) -> None:
    """Judge a sample in this tree, a line of the log for each mutant, and print the counts."""
    by_file = editions()
    files = files or sorted(by_file)
    digest = hashlib.blake2b(b"".join((HOME / file).read_bytes() for file in files), digest_size=16)
    verdicts = read_log(log, {"seed": seed, "sample": size, "files": digest.hexdigest()})
    known = {verdict.mutant for verdict in verdicts}
    originals: dict[str, str] = {}
    for mutant in sample(files, size, seed):
        name = mutant.describe((HOME / mutant.file).read_text(encoding="utf-8"))
        if name in known:
            continue
        edition = by_file[mutant.file]
        if edition not in originals:
            originals[edition] = _in_a_fork(partial(_digest_alone, edition))[0]
        began = time.monotonic()
        verdicts.append(judge(mutant, edition, originals[edition]))
        with log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(attrs.asdict(verdicts[-1]), ensure_ascii=False) + "\n")
        seconds = time.monotonic() - began
        print(
            f"{len(verdicts)}/{size} {verdicts[-1].verdict} in {seconds:.0f} s: {name}", flush=True
        )
    print(report(verdicts))


def judge_in_a_copy(arguments: list[str], log: Path) -> int:
    """Run this command in a copy of the project, so that the project itself never changes."""
    with TemporaryDirectory(prefix="hots_rules-mutants-") as place:
        for name in COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(HOME / name, Path(place, name), ignore=ignored)
        shutil.copy(HOME / "pyproject.toml", place)
        command = [sys.executable, "-m", "tests.mutation.mutate", *arguments]
        own = {"PYTHONPATH": place, "HOTS_RULES_CACHE": str(Path(place, "cache")), "IN_A_COPY": "1"}
        log_option = ["--log", str(log.resolve())]
        return subprocess.run([*command, *log_option], env=os.environ | own, check=False).returncode


def main() -> None:
    """Judge a sample of mutants."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", help="paths below the project")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path("mutation.jsonl"))
    args = parser.parse_args()
    if "IN_A_COPY" in os.environ:
        judge_sample(args.files, args.sample, args.seed, args.log)
    else:
        raise SystemExit(judge_in_a_copy(sys.argv[1:], args.log))


if __name__ == "__main__":
    main()
