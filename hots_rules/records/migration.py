"""A record replayed by other texts of its ruleset, with a report of what changed."""

from collections.abc import Iterator, Mapping
from typing import Generic, Literal

from attrs import evolve, field, frozen

from hots_rules.diagnostics import HotsError, check_kind, printable
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.record import Record
from hots_rules.records.recording import format_choice, kept_choices, with_actions
from hots_rules.records.replaying import start_game


@frozen
class ReplayMismatch:
    """The first action of a record that has another effect under other texts, or none.

    >>> import hots_rules as hr
    >>> print(hr.records.ReplayMismatch("action", 3, "Red: rest", "the game is over"))
    action 3, `Red: rest`: the game is over
    """

    kind: Literal["state", "action"]
    """`state` if the action has another effect, `action` if it cannot be played."""
    at: int
    """The number of the action, from 1."""
    text: str = field(converter=printable)
    """The action."""
    summary: str = field(converter=printable)
    """What differs."""

    def __str__(self) -> str:
        return f"action {self.at}, `{self.text}`: {self.summary}"


@frozen
class Migration(Generic[G]):
    """A record replayed by other texts, as far as possible.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart", seed=1297)
    >>> migration = hr.records.migrate(game.play(game.actions[0]).record, rules)
    >>> migration.is_whole, migration.actions, migration.notes
    (True, 1, ())
    """

    game: G
    """The game after the last action that could be played."""
    actions: int
    """How many actions were played."""
    of: int
    """How many actions the record has."""
    notes: tuple[str, ...]
    """The options and readings that were dropped or added."""
    first: ReplayMismatch | None
    """The first mismatch; None if there is none."""

    @property
    def is_whole(self) -> bool:
        """Whether every action was played, with the same effect as before."""
        return self.first is None

    def __str__(self) -> str:
        mismatch = f"first mismatch: {self.first}" if self.first else "no mismatch"
        return "\n".join([f"{self.actions} of {self.of} actions played", *self.notes, mismatch])


def migrate(record: Record | str, ruleset: BaseRuleset[G]) -> Migration[G]:
    """Replay a record by a ruleset, whatever texts it was recorded under.

    Actions are played until one is not possible. If the record has digests, the first action with another effect is
    reported as well.

    Args:
        record: a record, or its text.
        ruleset: the ruleset to replay it by.

    Raises:
        BadRecord: the text is not a record, or the ruleset cannot start its game.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart", seed=1297)
    >>> print(hr.records.migrate(game.play(game.actions[0]).record, rules))
    1 of 1 actions played
    no mismatch
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    if not isinstance(record, Record):
        record = Record.parse(record, limits=ruleset.limits)
    options, lost_options = kept_choices(record.options, ruleset.options)
    readings, lost_readings = kept_choices(record.readings, ruleset.readings)
    dropped = (*_dropped("option", lost_options), *_dropped("reading", lost_readings))
    game = start_game(evolve(record, options=options, readings=readings), ruleset)
    unplayable = None
    for number, entry in enumerate(record.entries, 1):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            unplayable = ReplayMismatch("action", number, entry.text, str(error))
            break
    first = _first_changed(record, game) or unplayable
    notes = (*dropped, *_added(record, ruleset))
    return Migration(game, len(game.moves), len(record.entries), notes, first)


def _dropped(kind: str, lost: Mapping[str, str]) -> Iterator[str]:
    """A note for each choice that a ruleset does not have."""
    for name, value in lost.items():
        yield printable(f"{kind} {name[:60]} {value[:60]}") + ": not in the ruleset any more"


def _added(record: Record, ruleset: AnyRuleset) -> list[str]:
    """A note for each setting of a ruleset that a record does not have."""
    return [
        f"{setting.kind} {name} {format_choice(setting.default)}: new, at its default"
        for name, setting in ruleset.settings.items()
        if name not in record.options and name not in record.readings
    ]


def _first_changed(record: Record, game: BaseGame) -> ReplayMismatch | None:
    """The first action whose digest differs from that of the game."""
    replayed = with_actions(evolve(record, entries=(), seal=""), game).entries
    for number, (old, new) in enumerate(zip(record.entries, replayed, strict=False), 1):
        if old.digest and old.digest != new.digest:
            return ReplayMismatch("state", number, old.text, "it has another effect than before")
    return None
