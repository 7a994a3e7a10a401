"""A record as a value, and as text: a head, the actions one a line, and a seal.

Comments and variations are kept, and belong to no game: a `Game` is made from the actions alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import BadRecord

HEAD = "hots_rules record 2"
MAX_BYTES = 8_000_000
MAX_DEPTH = 20
_ONCE = ("ruleset", "engine", "rng", "seed", "chance", "scenario")
_OFTEN = ("option", "reading", "position", "text")
_NEEDED = ("ruleset", "rng", "seed", "chance")
_WIDTH = 96
_SEAL = re.compile(r"state ([0-9a-f]{32})")
_DIGEST = re.compile(r"(.*) #([0-9a-f]{8})")


@frozen
class Entry:
    """An action of a record, with what is said about it.

    `digest` is the first part of the seal of all up to this action, or empty; the comments and
    the variations follow the action. A variation is another way to go on from before it.
    `line` is where it stood in a text, 0 if nowhere.
    """

    text: str
    digest: str = ""
    comments: tuple[str, ...] = ()
    variations: tuple[tuple[Entry, ...], ...] = ()
    line: int = field(default=0, eq=False, repr=False)


@frozen
class Record:
    """A game as text: how it began, its actions, and a seal.

    `ruleset` and `content` name the texts that it was played by; `engine` is the version of the library, for people.
    Options and readings have their values as words. `scenario` is empty where it began at a
    `position`. `texts` are the texts of the ruleset, packed, if they were taken along. `torn` is what
    was left of a last line that breaks off, and where.
    """

    ruleset: str
    content: str
    engine: str
    rng: str
    seed: str
    chance: str
    scenario: str
    position: str | None
    options: Mapping[str, str]
    readings: Mapping[str, str]
    entries: tuple[Entry, ...] = ()
    comments: tuple[str, ...] = ()
    seal: str = ""
    texts: str = ""
    torn: tuple[int, str] | None = None

    def up_to(self, at: int) -> Record:
        """The record of the first actions, without a seal.

        Raises:
            BadRecord: it has not that many actions.
        """
        if not 0 <= at <= len(self.entries):
            raise BadRecord(f"expected a number of actions from 0 to {len(self.entries)}, got {at}")
        return self if at == len(self.entries) else evolve(self, entries=self.entries[:at], seal="")


# ------------------------------------------------------------------ writing
def record_text(record: Record) -> str:
    """The record as text; `parse_record` reads it."""
    lines = [*head_lines(record), "", *_said(record.comments, ""), *_told(record.entries, "")]
    if record.seal:
        lines.append(f"state {record.seal}")
    return "\n".join(lines) + "\n"


def head_lines(record: Record) -> list[str]:
    """How the game began, a line for each thing."""
    lines = [
        HEAD,
        f"ruleset {record.ruleset} {record.content}",
        f"engine {record.engine}",
        f"rng {record.rng}",
        f"seed {record.seed}",
        f"chance {record.chance}",
    ]
    if record.position is None:
        lines.append(f"scenario {record.scenario}")
    lines += [f"option {name} {word}" for name, word in record.options.items()]
    lines += [f"reading {name} {word}" for name, word in record.readings.items()]
    if record.position is not None:
        lines += [f"position {line}" for line in record.position.splitlines()]
    packed = record.texts
    return lines + [f"text {packed[at : at + _WIDTH]}" for at in range(0, len(packed), _WIDTH)]


def entry_lines(entry: Entry) -> list[str]:
    """An action with all that is said about it."""
    return list(_told((entry,), ""))


def _told(entries: Iterable[Entry], indent: str) -> Iterator[str]:
    for entry in entries:
        yield f"{indent}{entry.text}" + (f" #{entry.digest}" if entry.digest else "")
        yield from _said(entry.comments, indent)
        for variation in entry.variations:
            yield f"{indent}("
            yield from _told(variation, f"{indent}  ")
            yield f"{indent})"


def _said(comments: Iterable[str], indent: str) -> Iterator[str]:
    for comment in comments:
        yield f"{indent}# {comment}".rstrip()


# ------------------------------------------------------------------ reading
def parse_record(text: str, *, torn: str = "refuse") -> Record:
    """The record that a text is; nothing of it is played.

    A last line that breaks off is refused, or with `torn="keep"` left out and said in `Record.torn`.

    Raises:
        BadRecord: the text is no record; the message names the line.
    """
    if not isinstance(text, str):
        raise BadRecord(f"expected a record as text, got {type(text).__name__}")
    if len(text) > MAX_BYTES:
        raise BadRecord(f"expected a record of at most {MAX_BYTES} bytes, got more")
    if torn not in ("refuse", "keep"):
        raise BadRecord(f"expected torn to be `refuse` or `keep`, got `{torn!s:.60}`")
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[0] != HEAD:
        raise BadRecord(f"line 1: expected `{HEAD}`, got `{_shown(lines[0])}`")
    if not _is_sound(text):
        raise BadRecord("expected a record that UTF-8 can hold, got half of a character")
    rest = lines.pop()
    if rest and (torn == "refuse" or "" not in lines):
        raise BadRecord(
            f"line {len(lines) + 1}: expected a whole line, but the record breaks off in it; "
            "take it away to read what is above"
        )
    numbered = iter(enumerate(lines[1:], 2))
    head = _head(numbered)
    comments, entries, seal = _Body().read(numbered)
    return evolve(
        head,
        comments=comments,
        entries=entries,
        seal=seal,
        torn=(len(lines) + 1, rest) if rest else None,
    )


def _is_sound(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(line: str) -> str:
    """A line in a message: neither long, nor half of a character."""
    return line[:60].encode("utf-8", "replace").decode()


def _head(lines: Iterator[tuple[int, str]]) -> Record:
    once: dict[str, str] = {}
    often: dict[str, list[str]] = {key: [] for key in _OFTEN}
    for number, line in lines:
        if not line:
            break
        key, _, value = line.partition(" ")
        if key in often:
            often[key].append(value)
        elif key not in _ONCE:
            raise BadRecord(
                f"line {number}: expected a line of the head such as `seed 1`, got `{_shown(line)}`"
            )
        elif key in once:
            raise _not_once(key, 2)
        else:
            once[key] = value
    for key in _NEEDED:
        if key not in once:
            raise _not_once(key, 0)
    if often["position"] and "scenario" in once:
        raise BadRecord("expected a scenario or a position in the head, got both")
    if not often["position"] and "scenario" not in once:
        raise _not_once("scenario", 0)
    name, _, content = once["ruleset"].partition(" ")
    return Record(
        name,
        content,
        once.get("engine", ""),
        once["rng"],
        once["seed"],
        once["chance"],
        once.get("scenario", ""),
        "\n".join(often["position"]) + "\n" if often["position"] else None,
        _chosen("option", often),
        _chosen("reading", often),
        texts="".join(often["text"]),
    )


def _not_once(key: str, many: int) -> BadRecord:
    return BadRecord(f"expected one line `{key} …` in the head of the record, got {many}")


def _chosen(kind: str, often: Mapping[str, list[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in often[kind]:
        name, _, word = line.partition(" ")
        if name in found:
            raise BadRecord(f"expected one line `{kind} {_shown(name)} …` in the head, got two")
        found[name] = word
    return found


@define
class _Node:
    """An action whose comments and variations are still being read."""

    text: str
    digest: str
    line: int
    comments: list[str] = field(factory=list)
    variations: list[list[_Node]] = field(factory=list)


def _whole(nodes: list[_Node]) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            node.text,
            node.digest,
            tuple(node.comments),
            tuple(_whole(variation) for variation in node.variations),
            node.line,
        )
        for node in nodes
    )


@define
class _Body:
    """Reads what follows the head; `open` are the variations that are not closed yet, the game itself first."""

    comments: list[str] = field(factory=list)
    open: list[list[_Node]] = field(factory=lambda: [[]])

    def read(
        self, lines: Iterable[tuple[int, str]]
    ) -> tuple[tuple[str, ...], tuple[Entry, ...], str]:
        seal, last = "", 0
        for number, line in lines:
            if seal:
                raise BadRecord(
                    f"line {number}: expected the end after `state …`, got `{_shown(line)}`"
                )
            last = number
            if found := _SEAL.fullmatch(line):
                seal = found[1]
            else:
                self._line(line.strip() if len(self.open) > 1 else line, number)
        if len(self.open) > 1:
            raise BadRecord(f"line {last}: expected `)`, but the record ends in a variation")
        return tuple(self.comments), _whole(self.open[0]), seal

    def _line(self, line: str, number: int) -> None:
        if line == "(":
            self._begin(number)
        elif line == ")":
            self._close(number)
        elif line.startswith("#"):
            self._said().append(line.removeprefix("#").removeprefix(" "))
        elif len(self.open) == 1 and (found := _DIGEST.fullmatch(line)):
            self.open[-1].append(_Node(found[1], found[2], number))
        else:
            self.open[-1].append(_Node(line, "", number))

    def _said(self) -> list[str]:
        """Where a comment belongs: to the action above; before a variation's first, to the one that it leaves."""
        above = [nodes[-1] for nodes in self.open if nodes]
        return above[-1].comments if above else self.comments

    def _begin(self, number: int) -> None:
        if not self.open[-1]:
            raise BadRecord(f"line {number}: expected an action before its variation, got none")
        if len(self.open) > MAX_DEPTH:
            raise BadRecord(
                f"line {number}: expected at most {MAX_DEPTH} variations one in another, got more"
            )
        self.open.append([])
        self.open[-2][-1].variations.append(self.open[-1])

    def _close(self, number: int) -> None:
        if len(self.open) == 1:
            raise BadRecord(f"line {number}: expected `(` above, got `)` alone")
        if not self.open.pop():
            raise BadRecord(f"line {number}: expected an action in the variation, got none")
