"""A record under other texts than those it was played by, with a report; and a record held against itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from attrs import evolve, frozen

from hots_rules.diagnostics import BadRecord, HotsError
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.record import Entry, Record, parse_record
from hots_rules.records.replaying import begun, check_ruleset, placed, replay, sealed, word_of

G = TypeVar("G", bound=BaseGame)


@frozen
class ReplayMismatch:
    """The first action that went another way: its number from 1, its text, and what is otherwise.

    `kind` is "state" where it brought something else, and "action" where it is not possible any more.
    """

    kind: str
    at: int
    text: str
    summary: str

    def __str__(self) -> str:
        return f"action {self.at}, `{self.text}`: {self.summary}"


@frozen
class Migration(Generic[G]):
    """A record played by other texts, as far as it goes.

    `game` stands where the last action that could be played brought it, `actions` of the `of` that the record has.
    `notes` are the choices that were dropped or added; `first` is the first divergence, None if there is none.
    """

    game: G
    actions: int
    of: int
    notes: tuple[str, ...]
    first: ReplayMismatch | None

    @property
    def is_whole(self) -> bool:
        """Whether every action was played, each with what it brought before."""
        return self.first is None

    def __str__(self) -> str:
        lines = [f"{self.actions} of {self.of} actions played", *self.notes]
        return "\n".join(
            [*lines, f"first divergence: {self.first}" if self.first else "no divergence"]
        )


def migrate(record: str | Record, ruleset: BaseRuleset[G]) -> Migration[G]:
    """Plays a record by the ruleset that is installed or given, whatever texts it was recorded under.

    Actions are played until one is not possible any more. Where the record has digests, the first action that
    brought something else than it did is found as well.

    Raises:
        BadRecord: the text is no record, is of another ruleset, or cannot even begin.
    """
    found = record if isinstance(record, Record) else parse_record(record)
    rules = ruleset
    options, lost = _kept(found.options, rules, "option")
    readings, also = _kept(found.readings, rules, "reading")
    notes = [*lost, *also, *_added(found, rules)]
    game = begun(evolve(found, options=options, readings=readings), rules)
    stop = None
    for number, entry in enumerate(found.entries):
        try:
            game = game.play(entry.text)
        except HotsError as error:
            stop = ReplayMismatch("action", number + 1, entry.text, str(error))
            break
    first = _first_change(found, game) or stop
    return Migration(game, len(game.moves), len(found.entries), tuple(notes), first)


def _kept(
    chosen: Mapping[str, str], rules: BaseRuleset[G], kind: str
) -> tuple[dict[str, str], list[str]]:
    """The choices that the ruleset still has, and what is said of the others."""
    found, notes = {}, []
    known = rules.options if kind == "option" else rules.readings
    for name, word in chosen.items():
        if name in known and word in map(word_of, known[name].values):
            found[name] = word
        else:
            notes.append(f"{kind} {name[:60]} {word[:60]}: not in the ruleset any more")
    return found, notes


def _added(record: Record, rules: BaseRuleset[G]) -> list[str]:
    chosen = {**record.options, **record.readings}
    return [
        f"{setting.kind} {name} {word_of(setting.default)}: new, at its default"
        for name, setting in rules.settings.items()
        if name not in chosen
    ]


def _first_change(record: Record, game: G) -> ReplayMismatch | None:
    again: tuple[Entry, ...] = sealed(evolve(record, entries=(), seal=""), game).entries
    for number, (told, found) in enumerate(zip(record.entries, again, strict=False)):
        if told.digest and told.digest != found.digest:
            return ReplayMismatch(
                "state", number + 1, told.text, "it brings something else than it did"
            )
    return None


# ------------------------------------------------------------------ tampering
@frozen
class Verification:
    """What came of holding a record against itself.

    `actions` were played, `digests` of them have a digest that fits, and `is_sealed` says whether the seal does.
    `variations` is how many lines of play beside the game were tried. `fault` is what does not hold, or empty.
    """

    actions: int
    digests: int
    is_sealed: bool
    variations: int
    seal: str
    fault: str

    @property
    def is_sound(self) -> bool:
        """Whether every action has a digest, all of them fit, and the seal does."""
        return not self.fault and self.is_sealed and self.digests == self.actions


def verify(record: str | Record, ruleset: BaseRuleset[G]) -> Verification:
    """Replays a record and compares the digest of each action, and the seal; plays its variations too.

    The digests are no signature: whoever changes a record can write them anew. Compare the seal with the other
    players', or with what was published: a seal vouches for the whole game.

    Raises:
        BadRecord: the text is no record, or is of another ruleset or other content.
    """
    found = record if isinstance(record, Record) else parse_record(record)
    check_ruleset(found, ruleset)
    tried = 0
    if found.torn:
        fault = f"line {found.torn[0]}: expected a whole line, but the record breaks off in it"
        return Verification(0, 0, False, tried, found.seal, fault)
    try:
        game = replay(found, ruleset)
        tried = _tried(found.entries, begun(found, ruleset))
    except BadRecord as error:
        return Verification(0, 0, False, tried, found.seal, str(error))
    digests = sum(1 for entry in found.entries if entry.digest)
    return Verification(len(game.moves), digests, bool(found.seal), tried, found.seal, "")


def _tried(entries: tuple[Entry, ...], before: BaseGame) -> int:
    """Plays the variations of a line of play; how many there are."""
    tried = 0
    for number, entry in enumerate(entries):
        for variation in entry.variations:
            tried += 1 + _tried(variation, before)
        try:
            before = before.play(entry.text)
        except HotsError as error:
            raise BadRecord(f"{placed(entry, number)}: {error}") from None
    return tried
