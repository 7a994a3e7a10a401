"""Makes `rulesets/older_digests.csv`: which digests of versions up to 0.2 stand for the shipped rulesets of today.

`python -m tests.records.older_digests` reads the rulesets of each commit, each text once, in a minute of processor
time. Each row has a ruleset, an older digest, the digest of today, and why they belong together:

- `play`: the texts with the older digest, of declarations or of all texts, have the digest of today;
- `defaults`: they have a digest of `BY_DEFAULTS`, of rules without some readings of today, the defaults of which play
  as those rules did;
- `records`: the records and the corpus of the tests that are pinned to the older digest replay, action by action.

Texts that are malformed today, or play otherwise, are left out: their records are migrated.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from hots_rules.diagnostics import HotsError
from hots_rules.rules import Source, declared_digest, load
from hots_rules.rules.sources import find, locate

HOME = Path(__file__).parents[2]
TABLE = HOME / "rulesets" / "older_digests.csv"
COLUMNS = ("ruleset", "older", "content", "because")
# Rules before some readings were declared. By default those of today have the same machine code (hots-4.0, hots-3.x,
# hots-2.3), or the legal actions of all decisions in 50,000 games without options and as many with all are the same
# (hots-player-aid, where the count of hits has a larger bound).
BY_DEFAULTS = {
    "hots-4.0": "45a25eadc6c1b891d09c9e1ca2000003",
    "hots-3.x": "606ead6d7fc4ebe5fdf124f8b6000003",
    "hots-2.3": "95af5fae4156dba0ded6eb3afc000003",
    "hots-player-aid": "2f9109c0cbe613aeea7248cfda000003",
}
_PINNED = re.compile(
    r'^ruleset (\S+) ([0-9a-f]{32})$|"ruleset":"([^"]+)","content":"([0-9a-f]{32})"', re.MULTILINE
)
_FILES = ("tests/records/*.txt", "tests/corpus/*.json")


def pinned_digests() -> set[tuple[str, str]]:
    """The rulesets and digests to which the records and the corpus of the tests are pinned."""
    texts = (path.read_text(encoding="utf-8") for files in _FILES for path in HOME.glob(files))
    found = (match for text in texts for match in _PINNED.finditer(text))
    return {(match[1] or match[3], match[2] or match[4]) for match in found}


def sources_of_commits() -> Iterator[Mapping[str, Source]]:
    """The shipped rulesets of each commit that changed any, the newest first."""
    log = ["git", "log", "--format=%h", "HEAD", "--", "rulesets"]
    for commit in subprocess.run(
        log, cwd=HOME, check=True, capture_output=True, text=True
    ).stdout.split():
        archive = ["git", "archive", commit, "rulesets"]
        data = subprocess.run(archive, cwd=HOME, check=False, capture_output=True).stdout
        with TemporaryDirectory() as folder, suppress(HotsError):
            with tarfile.open(fileobj=io.BytesIO(data)) as files:
                files.extractall(folder, filter="data")
            home = Path(folder, "rulesets")
            find.rulesets_home = locate.rulesets_home = lambda home=home: home  # type: ignore[misc]
            yield find.shipped_sources()


def rows() -> Iterator[tuple[str, str, str, str]]:
    """The rows of the table."""
    load.parse = declared_digest.parse = lru_cache(maxsize=600)(load.parse)  # type: ignore[assignment]
    today = {name: load.content_hash(each) for name, each in find.shipped_sources().items()}
    found = set[tuple[str, str]]()
    read = set[tuple[str, str]]()  # most commits change the texts of few rulesets
    for sources in sources_of_commits():
        for name, source in sources.items():
            written = (name, source.text_hash())
            if name not in today or written in read:
                continue
            read.add(written)
            keys = {written, (name, declared_digest.declared_digest(source))} - found
            if not keys:
                continue
            content = load.content_hash(source)
            because = {BY_DEFAULTS.get(name): "defaults", today[name]: "play"}.get(content)
            if because is not None:
                keys |= {(name, content)} - found if because == "defaults" else set()
                found |= keys
                yield from ((*key, today[name], because) for key in sorted(keys))
    for name, content in sorted(pinned_digests() - found):
        if name in today and content != today[name]:
            yield name, content, today[name], "records"


if __name__ == "__main__":
    lines = sorted(rows())
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *lines])
