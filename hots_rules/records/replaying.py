"""From a game to its record, and from a record to its game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from attrs import evolve

from hots_rules._version import __version__
from hots_rules.compile.points import Slots
from hots_rules.compile.sampling import RNG
from hots_rules.diagnostics import BadRecord, HotsError, closest_match
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import outcome_at
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.hash_chain import SHOWN, HashChain, first_link
from hots_rules.records.record import MAX_BYTES, Entry, Record, parse_record
from hots_rules.records.ruleset_texts import packed, pinned_source
from hots_rules.rules import Source, find_source, known_rulesets
from hots_rules.state.position import position_text

G = TypeVar("G", bound=BaseGame)
CONTENTS = ("refuse", "pinned")


# ------------------------------------------------------------------ a game as a record
def record_of(game: BaseGame, *, texts: bool = False) -> Record:
    """The record of a game, sealed; `replay` reads it and comes to the same state.

    With `texts` the record takes the texts of its ruleset along.

    Raises:
        BadRecord: the game is a world that was thought of, not played.
    """
    if game.root is not None:
        raise BadRecord("cannot record a sampled world; record the game it was sampled from")
    head = Record(
        game.ruleset.name,
        game.ruleset.content_hash,
        __version__,
        RNG,
        game.seed,
        game.chance,
        "" if game.initial_position is not None else game.scenario,
        game.initial_position,
        {name: word_of(value) for name, value in game.options.items()},
        {name: word_of(value) for name, value in game.readings.items()},
        texts=packed(game.ruleset.source) if texts else "",
    )
    return sealed(head, game)


def sealed(head: Record, game: BaseGame) -> Record:
    """A record with the actions of a game, under the head that it was given."""
    begun = beginning(game)
    chain = HashChain(game.ruleset.schema, first_link(head, position_text(begun.state)))
    entries = tuple(linked(chain, begun, game))
    return evolve(head, entries=entries, seal=chain.link)


def linked(chain: HashChain, before: BaseGame, after: BaseGame) -> Iterator[Entry]:
    """The actions from one moment of a game to a later one; the chain grows by them."""
    machine, seed = after.machine, after.chance_seed
    slots = list(before.state.slots)
    for code in after.moves[len(before.moves) :]:
        text, old = _text(after, slots, code), tuple(slots)
        if code < 0:
            machine.resume(slots, -1 - code, seed)
        else:
            machine.play(slots, code, seed)
        yield Entry(text, chain.add(text, old, slots, _then(after, slots))[:SHOWN])


def _text(game: BaseGame, slots: Slots, code: int) -> str:
    """The text of an action; where its label had two meanings at the moment, the exact notation."""
    machine, notation = game.machine, game.ruleset.in_language("en").notation
    if code < 0:
        return outcome_at(machine, slots, notation, -1 - code)
    rivals = notation.homonyms(code)
    shared = bool(rivals) and not rivals.isdisjoint(machine.legal(slots))
    return notation.exact(code) if shared else notation.text(code)


def _then(game: BaseGame, slots: Slots) -> str:
    """Where play stands: the phase that asks, or how the game ended."""
    machine = game.machine
    if machine.point(slots) is not None:
        return str(machine.facts.points[-1 - slots[0]].phase)
    code = machine.outcome(slots)
    return f"over {game.ruleset.players[code - 2]}" if code > 1 else f"over {code}"


def word_of(value: Any) -> str:
    """The value of an option or a reading, as a record has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def beginning(game: G) -> G:
    """The game before its first action."""
    begin: dict[str, Any] = {
        "seed": game.seed,
        "options": game.options,
        "readings": game.readings,
        "chance": game.chance,
    }
    if game.initial_position is not None:
        return cast("G", game.ruleset.position(game.initial_position, **begin))
    return cast("G", game.ruleset.start(game.scenario, **begin))


# ------------------------------------------------------------------ a record as a game
def read_record(path: str | PathLike[str], *, torn: str = "refuse") -> Record:
    """Reads a record from a file; nothing of it is played.

    A last line that breaks off is refused, or with `torn="keep"` left out and said in `Record.torn`.

    Raises:
        BadRecord: the file cannot be read, or is no record.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        said = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadRecord(f"expected a record at `{path!s:.200}`, got {said}") from None
    try:
        return parse_record(data.decode("utf-8"), torn=torn)
    except UnicodeDecodeError as error:
        if torn == "keep" and error.start > data.rfind(b"\n"):
            whole, _, rest = data.rpartition(b"\n")
            text = f"{whole.decode()}\n{rest.decode(errors='replace')}"
            return parse_record(text, torn=torn)
        raise BadRecord(
            f"expected a record in UTF-8, got other bytes at position {error.start}"
        ) from None


def replay(record: str | Record, ruleset: BaseRuleset[G]) -> G:
    """The game of a record, at its last action, played by a ruleset with the texts it is pinned to.

    Raises:
        BadRecord: the text is no record, is of another ruleset or other content, or does not replay;
            the message has the line.
    """
    parsed = record if isinstance(record, Record) else parse_record(record)
    check_ruleset(parsed, ruleset)
    game = begun(parsed, ruleset)
    for number, entry in enumerate(parsed.entries):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            # A digest that differs is the more precise answer.
            compare(evolve(parsed, entries=parsed.entries[:number], seal=""), game)
            raise BadRecord(f"{placed(entry, number)}: {error}") from None
    compare(parsed, game)
    return game


def placed(entry: Entry, number: int) -> str:
    """Where an action stands: its line, or its number where it came from no text."""
    return f"line {entry.line}" if entry.line else f"action {number + 1}"


def compare(record: Record, game: BaseGame) -> None:
    """Holds the digests of a record against its game.

    Raises:
        BadRecord: one does not fit; the first that does not is named.
    """
    if not record.seal and not any(entry.digest for entry in record.entries):
        return
    again = sealed(evolve(record, entries=(), seal=""), game)
    for number, (told, found) in enumerate(zip_longest(record.entries, again.entries)):
        if told.digest and told.digest != found.digest:
            raise BadRecord(
                f"{placed(told, number)}: expected an action that leads to `{told.digest}`, "
                f"got `{found.digest}`: the head, or a line up to here, is lost, changed or out of its order"
            )
    if record.seal and record.seal != again.seal:
        raise BadRecord(
            f"expected a game that leads to the state `{record.seal}`, got `{again.seal}`: "
            "a line is lost, changed or out of its order"
        )


def begun(record: Record, ruleset: BaseRuleset[G]) -> G:
    """The game of a record before its first action.

    Raises:
        BadRecord: the head does not hold.
    """
    begin: dict[str, Any] = {
        "seed": record.seed,
        "chance": record.chance,
        "options": _values(record.options, ruleset),
        "readings": _values(record.readings, ruleset),
    }
    try:
        if record.position is not None:
            return ruleset.position(record.position, **begin)
        return ruleset.start(record.scenario, **begin)
    except HotsError as error:
        raise BadRecord(f"the head of the record does not hold: {error}") from None


def _values(chosen: Any, ruleset: BaseRuleset[G]) -> dict[str, Any]:
    """The values of some words; a word that is none of them stays, and the ruleset refuses it."""
    found: dict[str, Any] = {}
    for name, word in chosen.items():
        known = ruleset.settings.get(name)
        values = known.values if known is not None else ()
        found[name] = next((value for value in values if word_of(value) == word), word)
    return found


# ------------------------------------------------------------------ which ruleset
def source_of(record: Record, content: str, given: Source | None = None) -> Source:
    """The texts to play a record by: those given or installed, or with "pinned" those that it was played by.

    A record opens no file by a path: a stranger may have sent it.

    Raises:
        BadRecord: there are none, or they have another name or content than the record says.
    """
    if content not in CONTENTS:
        raise BadRecord(f"expected content to be `refuse` or `pinned`, got `{content!s:.60}`")
    if content == "pinned" and (source := pinned_source(record)) is not None:
        if (source.name, source.content_hash()) == (record.ruleset, record.content):
            return source
        raise _other(record, source, "the copy of the texts in the record is damaged")
    source = installed_source(record) if given is None else given
    if content == "pinned" and source.content_hash() != record.content:
        raise _other(record, source, "no copy of the texts was kept")
    return source


def check_ruleset(record: Record, ruleset: BaseRuleset[G]) -> None:
    """Checks that a ruleset is the one that a record is pinned to.

    Raises:
        BadRecord: it has another name or content, or the record has dice of another kind.
    """
    if record.rng != RNG:
        raise BadRecord(f"expected dice by `{RNG}`, got `{record.rng[:60]}`")
    if (ruleset.name, ruleset.content_hash) != (record.ruleset, record.content):
        mend = "replay it pinned to its own texts, or migrate it"
        raise _other(record, ruleset.source, mend)


def _other(record: Record, source: Source, mend: str) -> BadRecord:
    return BadRecord(
        f"expected the ruleset `{record.ruleset[:60]}` with the content {record.content[:12]}…, "
        f"got `{source.name}` with {source.content_hash()[:12]}…; {mend}"
    )


def installed_source(record: Record) -> Source:
    """The texts of the installed ruleset with the name that a record has.

    Raises:
        BadRecord: there is none of that name.
    """
    known = known_rulesets()
    if record.ruleset not in known:
        close = closest_match(record.ruleset, known)
        mend = f"did you mean `{close}`?" if close else "load it, and give it along with the record"
        raise BadRecord(
            "expected a ruleset that comes with the library, "
            f"got `{record.ruleset[:60].encode(errors='replace').decode()}`; {mend}"
        )
    return find_source(record.ruleset)
