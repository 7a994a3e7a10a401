"""Replaying a record into its game."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, TypeVar

from attrs import evolve

from hots_rules.diagnostics import BadRecord, HotsError
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.choices import parse_choices
from hots_rules.records.entry import Entry
from hots_rules.records.pinning import check_ruleset
from hots_rules.records.record import Record
from hots_rules.records.recording import with_actions

G = TypeVar("G", bound=BaseGame)


def replay(record: Record | str, ruleset: BaseRuleset[G]) -> G:
    """The game of a record, at its last action; the inverse of `record_game`.

    Args:
        record: a record, or its text.
        ruleset: the ruleset that the record is pinned to.

    Raises:
        BadRecord: the text is not a record, it is of another ruleset or content, or it does not replay; the message
            has the line.
    """
    if not isinstance(record, Record):
        record = Record.parse(record)
    check_ruleset(record, ruleset)
    game = start_game(record, ruleset)
    for index, entry in enumerate(record.entries):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            # If an earlier digest differs, its line is the one that was changed; report that instead.
            check_digests(evolve(record, entries=record.entries[:index], seal=""), game)
            raise BadRecord(f"{entry_place(entry, index)}: {error}") from None
    check_digests(record, game)
    return game


def start_game(record: Record, ruleset: BaseRuleset[G]) -> G:
    """The game of a record before its first action.

    Raises:
        BadRecord: the ruleset does not have the scenario, the position or a choice of the head.
    """
    choices: dict[str, Any] = {
        "seed": record.seed,
        "chance": record.chance,
        "options": parse_choices(record.options, ruleset),
        "readings": parse_choices(record.readings, ruleset),
    }
    try:
        if record.position is not None:
            return ruleset.position(record.position, **choices)
        return ruleset.start(record.scenario, **choices)
    except HotsError as error:
        raise BadRecord(f"invalid head of the record: {error}") from None


def check_digests(record: Record, game: BaseGame) -> None:
    """Compare the digests and the seal of a record with those of its game.

    Raises:
        BadRecord: one differs; the message has the first line that does.
    """
    if not record.seal and not any(entry.digest for entry in record.entries):
        return
    computed = with_actions(evolve(record, entries=(), seal=""), game)
    for index, (entry, expected) in enumerate(zip_longest(record.entries, computed.entries)):
        if entry.digest and entry.digest != expected.digest:
            raise BadRecord(
                f"{entry_place(entry, index)}: expected the digest `{expected.digest}`, got `{entry.digest}`; "
                "the head or a line up to here was changed, removed or moved"
            )
    if record.seal and record.seal != computed.seal:
        raise BadRecord(
            f"expected the seal `{computed.seal}`, got `{record.seal}`; "
            "a line was changed, removed or moved"
        )


def entry_place(entry: Entry, index: int) -> str:
    """Where an entry is: its line, or its number if it was not parsed from text."""
    return f"line {entry.line}" if entry.line else f"action {index + 1}"
