"""Which statements of the talk files are confirmed, and where they have to be read again.

    python -m tests.talk.confirmed                     which statements must be read again
    python -m tests.talk.confirmed --write             all of them have been read and hold
    python -m tests.talk.confirmed EDITION NAME…       these hold in another edition as well

`confirmed.toml` has, by the name of a statement, the digest of all that it rests on in the newest rulebook, then those
of other editions against which somebody has read it; an edition that plays alike has the same digest.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import hots_rules as hr
from hots_rules.explain.talk_file import Intent, talk_of
from hots_rules.talk.reading.grounds import Ground
from hots_rules.talk.reading.reader import reader_of

NEWEST = "hots-4.0"
EDITIONS = (NEWEST, "hots-3.x", "hots-2.3", "hots-player-aid")
FILE = Path(__file__).parents[2] / "rulesets" / "hots" / "tables" / "talk" / "confirmed.toml"
HEAD = """# Against what each statement was read: digests of all declarations that it rests on.
# Written by `python -m tests.talk.confirmed`.
[confirmed]
"""


@cache
def grounds(edition: str) -> Mapping[str, Ground]:
    """What each statement rests on in an edition."""
    return reader_of(hr.load(edition)).grounds.by_name


def statements() -> Sequence[Intent]:
    """The entries of the file that state something by themselves."""
    intent = talk_of(hr.load(NEWEST).source).questions
    return [entry for entry in intent if entry.text or (entry.query and not entry.is_look_up)]


def confirmed() -> Mapping[str, frozenset[str]]:
    """The digests that the file has for each statement."""
    return talk_of(hr.load(NEWEST).source).confirmed


def digest(edition: str, name: str) -> str:
    """That of all that a statement rests on in an edition."""
    return grounds(edition)[name].digest


def to_read() -> list[Intent]:
    """The statements that are not confirmed for the edition that they are about."""
    return [
        statement
        for statement in statements()
        if digest(statement.edition or NEWEST, statement.name)
        not in confirmed().get(statement.name, ())
    ]


def idle() -> list[str]:
    """The names in the file that no statement has, and those with a digest that no edition has."""
    names = {statement.name for statement in statements()}
    return [
        name
        for name, digests in confirmed().items()
        if name not in names or not digests <= {digest(each, name) for each in EDITIONS}
    ]


def written(edition: str = NEWEST, names: Sequence[str] = ()) -> str:
    """The file when all statements hold in the newest rulebook, and those with some names in an edition as well."""
    lines = []
    for statement in sorted(statements(), key=lambda statement: statement.name):
        name, own = statement.name, digest(statement.edition or NEWEST, statement.name)
        read = set(confirmed().get(name, ()))
        if name in names:
            read.add(digest(edition, name))
        others = [each for each in map(partial(digest, name=name), EDITIONS) if each in read]
        lines.append(f'{name} = "{" ".join(dict.fromkeys([own, *others]))}"\n')
    return HEAD + "".join(lines)


def main(edition: str = "", *names: str) -> None:
    """Show the statements to be read, or write the file."""
    for statement in () if edition else to_read():
        cited = " ".join(f"§{section}" for section in statement.sections)
        print(f"{statement.name}: {statement.text.get('en', statement.query)} ({cited})")
    if edition:
        FILE.write_text(written(edition, names) if names else written(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
