"""The digest of what decides play in a ruleset, and how a record of its games is read.

It covers the name of the ruleset and its declarations in force, once every edition has made its changes: names,
numbers, types, tables, conditions, statements, the alternatives and defaults of options and readings, who knows a
secret, and the English labels of actions and values, by which records name them. It covers the order of declarations
only where that decides something: actions are numbered and variables laid out in it, and rules follow an event in it.

Whatever is for readers is no part of it: sentences, citations and headings, labels in other languages and of other
things, questions, the map, policies, promises, the definitions that only these use, the names of steps, comments,
layout, and which file or edition a declaration stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from operator import itemgetter

from attrs import define, field, frozen

from hots_rules.rules.rulebook import Entry, Key
from hots_rules.syntax import tree
from hots_rules.syntax.walk import named_parts

PLAY_MARK = "000003"
"""The last digits of these digests; those of older versions have others, or none."""
FOR_READERS = frozenset({"span", "head", "cites", "summary", "because"})
"""The names of the fields of the tree that decide nothing."""
KINDS_FOR_READERS = frozenset({"map", "policy", "promise", "question"})
"""The kinds of declarations that decide nothing."""
# The kinds of which the order of all declarations decides something.
_ORDERED = ("action", "variable")


@frozen(eq=False)
class _HashedPart:
    """A declaration, what the digest covers of it, and the words in that."""

    node: tree.Declaration | tree.Variable
    data: bytes
    words: frozenset[str]

    @classmethod
    def of(cls, node: tree.Declaration | tree.Variable) -> _HashedPart:
        tokens = played_tokens(node)
        words = frozenset(token[1:] for token in tokens if token[0] == "'")
        return cls(node, framed(tokens), words)


@define
class PlayDigest:
    """Gives the digests of the versions of a ruleset; a declaration that is still the same is not read again."""

    _known: dict[int, _HashedPart] = field(factory=dict, init=False, repr=False)

    def of(self, name: str, entries: Mapping[Key, Entry], labels: Mapping[str, str]) -> str:
        """The digest of one version, in hexadecimal.

        Args:
            name: the name of the ruleset.
            entries: its declarations in force, in their order.
            labels: its English labels by key.
        """
        earlier, self._known = self._known, {}
        parts = {
            key: self._part_of(entry.node, earlier)
            for key, entry in entries.items()
            if key[0] not in KINDS_FOR_READERS
        }
        used = _used_definitions(parts)
        digest = blake2b(framed(["ruleset", name]), digest_size=13)
        for key, part in sorted(parts.items(), key=itemgetter(0)):
            if key[0] != "define" or key[1] in used:
                digest.update(framed([*key, entries[key].settled]))
                digest.update(part.data)
        for order in _orders(entries):
            digest.update(framed(["order", *order]))
        for label_key, text in sorted(labels.items()):
            if _names_something_in_records(label_key, entries):
                digest.update(framed(["label", label_key, text]))
        return digest.hexdigest() + PLAY_MARK

    def _part_of(
        self, node: tree.Declaration | tree.Variable, earlier: Mapping[int, _HashedPart]
    ) -> _HashedPart:
        # By its id, with the declaration to keep it alive: hashing a long one costs more.
        part = earlier.get(id(node)) or _HashedPart.of(node)
        self._known[id(node)] = part
        return part


def _used_definitions(parts: Mapping[Key, _HashedPart]) -> set[str]:
    """The definitions that a declaration which decides play uses, directly or not."""
    pending = [part for (kind, _), part in parts.items() if kind != "define"]
    used = set[str]()
    while pending:
        for word in pending.pop().words - used:
            if (part := parts.get(("define", word))) is not None:
                used.add(word)
                pending.append(part)
    return used


def framed(parts: list[str]) -> bytes:
    """Texts as bytes, each behind its length."""
    encoded = map(str.encode, parts)
    return b"".join([len(data).to_bytes(8, "big") + data for data in encoded])


def _orders(entries: Mapping[Key, Entry]) -> Iterator[tuple[str, ...]]:
    """The names of declarations, in each order that decides something."""
    for ordered in _ORDERED:
        yield ordered, *(name for kind, name in entries if kind == ordered)
    handlers: dict[tuple[str, str], list[str]] = {}
    for (_, name), entry in entries.items():
        if not isinstance(entry.node, tree.Rule):
            continue
        for part in entry.node.parts:
            # Rules that replace an event are tried in the order of their exceptions.
            if isinstance(part, tree.Handler) and not isinstance(part.timing, tree.Instead):
                for event in part.events:
                    key = event.name.text, type(part.timing).__name__
                    handlers.setdefault(key, []).append(name)
    for (handled, timing), names in sorted(handlers.items()):
        if len(names) > 1:
            yield timing, handled, *names


def _names_something_in_records(label_key: str, entries: Mapping[Key, Entry]) -> bool:
    """Whether a record names something by the label with a key: an action, or a value."""
    kind, _, name = label_key.partition(" ")
    if name:
        return kind == "action" and not name.endswith(" summary")
    owner, dot, _ = label_key.partition(".")
    return not dot or ("reading", owner) not in entries


# ---------------------------------------------------------------- the tree
def played_tokens(node: tree.Node) -> list[str]:
    """The classes of a part of the tree, its fields, brackets and words, in order; without what is for readers.

    A word begins with `'`, so that no other token is taken for one.
    """
    parts: list[str] = []
    pending: list[object] = [node]
    while pending:
        part = pending.pop()
        match part:
            case str():
                parts.append(part)
            case tree.Word():
                parts.append(f"'{part.text}")
            case tree.Cell():
                # `-` is nothing, and the words of a cell are a set.
                words = {word.text for word in part.words} - {"-"}
                parts += ["Cell", *(f"'{text}" for text in sorted(words)), "."]
            case tuple():
                pending += (")", *reversed(list(without_steps(part))), "(")
            case tree.Node():
                pending.append(".")
                for name, value in reversed(named_parts(part)):
                    if name not in FOR_READERS and value is not None and value != ():
                        pending += (value, name)
                pending.append(type(part).__name__)
    return parts


def without_steps(parts: Iterable[object]) -> Iterator[object]:
    """The parts of a node, with the statements of steps in the place of the steps."""
    for part in parts:
        if isinstance(part, tree.Step) and part.block is not None:
            yield from without_steps(part.block.statements)
        else:
            yield part
