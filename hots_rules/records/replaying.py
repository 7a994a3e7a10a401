"""A record replayed into its game, and checked against its own digests and seal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from attrs import evolve, frozen

from hots_rules.compile.counting import CountingMachine
from hots_rules.diagnostics import BadRecord, HotsError, check_kind, how_to_raise
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Chance
from hots_rules.play.start import begin as begin_game
from hots_rules.records.body import Entry
from hots_rules.records.record import Record
from hots_rules.records.recording import chain_at_start, chained_entry, parse_choices, seals_of
from hots_rules.records.ruleset_texts import check_ruleset

if TYPE_CHECKING:
    from hots_rules.records.published_seals import PublishedSeal

MOVES_AT_ONCE = 256
"""How many moves a game keeps while it is replayed, since each game copies all of them; then they are put aside."""


def replay(record: Record | str, ruleset: BaseRuleset[G], *, sealed: bool = False) -> G:
    """The game of a record, at its last action; the inverse of `record_game`.

    Args:
        record: a record, or its text.
        ruleset: the ruleset that the record is pinned to.
        sealed: refuse a record without a seal, since lines may be missing at its end.

    Raises:
        BadRecord: the text is not a record, it is of another ruleset or content, or it does not replay; the message
            has the line.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    if not isinstance(record, Record):
        record = Record.parse(record, limits=ruleset.limits)
    if sealed and not record.seal:
        raise BadRecord(
            "missing seal `state …`: the record may have lost its end; ask for all of it"
        )
    check_ruleset(record, ruleset)
    game = start_game(record, ruleset)
    spent_before = _steps_spent(game)
    has_digests = record.seal or any(entry.digest for entry in record.entries)
    chain = chain_at_start(record, game) if has_digests else None
    moves: tuple[int, ...] = ()
    for index, entry in enumerate(record.entries):
        if len(game.moves) == MOVES_AT_ONCE:
            moves, game = moves + game.moves, evolve(game, moves=(), derived={})
        try:
            before, game = game, _after_entry(game, entry, index)
        except BadRecord:
            # On the whole game the error may be a better one, since its reasons need the first moves.
            _after_entry(evolve(game, moves=moves + game.moves), entry, index)
            raise
        _check_steps(game, spent_before, entry, index)
        if chain is not None:
            code, slots = game.moves[-1], game.state.slots
            computed = chained_entry(chain, before, code, before.state.slots, slots)
            _check_digest(entry, computed.digest, index)
    if chain is not None and record.seal and record.seal != chain.last:
        raise BadRecord(
            f"expected the seal `{chain.last}`, got `{record.seal}`; "
            "a line was changed, removed or moved"
        )
    return evolve(game, moves=moves + game.moves, derived={})


def start_game(record: Record, ruleset: BaseRuleset[G]) -> G:
    """The game of a record before its first action.

    Raises:
        BadRecord: the ruleset does not have the scenario, the position or a choice of the head.
    """
    options = parse_choices(record.options, ruleset)
    readings = parse_choices(record.readings, ruleset)
    chance = cast("Chance", record.chance)
    try:
        return begin_game(
            ruleset, record.scenario, record.position, record.seed, options, readings, chance
        )
    except HotsError as error:
        raise BadRecord(f"invalid head of the record: {error}") from None


def _check_digest(entry: Entry, expected: str, index: int) -> None:
    """Raise where the digest of an entry differs from that of its game."""
    if entry.digest and entry.digest != expected:
        raise BadRecord(
            f"{_place(entry, index)}: expected the digest `{expected}`, got `{entry.digest}`; "
            "the head or a line up to here was changed, removed or moved"
        )


def _after_entry(game: G, entry: Entry, index: int) -> G:
    try:
        return game.play(entry.text)
    except HotsError as error:
        raise BadRecord(f"{_place(entry, index)}: {error}") from None


def _steps_spent(game: BaseGame) -> int:
    """The steps so far in this thread, where the ruleset came with the record and so counts them."""
    is_untrusted = game.ruleset.compiled.counts_steps
    return game.machine.spent if is_untrusted and isinstance(game.machine, CountingMachine) else 0


def _check_steps(game: BaseGame, spent_before: int, entry: Entry, index: int) -> None:
    most = game.ruleset.limits.record_steps
    if _steps_spent(game) - spent_before > most:
        remedy = how_to_raise("record_steps")
        place = _place(entry, index)
        raise BadRecord(f"{place}: more than {most} steps to replay the record; {remedy}")


def _place(entry: Entry, index: int) -> str:
    """Where an entry is: its line, or its number if it was not parsed from text."""
    return f"line {entry.line}" if entry.line else f"action {index + 1}"


@frozen
class Verification:
    """The result of checking a record.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart", seed=1297)
    >>> verification = hr.records.verify(game.play(game.actions[0]).record, rules)
    >>> verification.actions, verification.digests, verification.is_sealed, verification.fault
    (1, 1, True, '')
    """

    actions: int
    """How many actions were played; 0 if there is a fault."""
    digests: int
    """How many actions have a digest."""
    is_sealed: bool
    """Whether the record has a seal, and there is no fault."""
    variations: int
    """How many variations were played; 0 if there is a fault."""
    seal: str
    """The seal of the record; empty if it has none."""
    fault: str
    """The first fault; empty if there is none."""

    @property
    def is_sound(self) -> bool:
        """Whether every action has a digest and all of them match, and the seal does."""
        return not self.fault and self.is_sealed and self.digests == self.actions


def verify(
    record: Record | str, ruleset: AnyRuleset, published: Iterable[PublishedSeal] = ()
) -> Verification:
    """Replay a record with its variations, and compare the digest of each action and the seal.

    Digests are not signatures: anyone who changes a record can compute them anew. So compare it with the seals that
    were published during the game.

    Args:
        record: a record, or its text.
        ruleset: the ruleset that the record is pinned to.
        published: what `publish_seal` gave during the game, with the salts; each must fit the record.

    Raises:
        BadRecord: the text is not a record, or it is of another ruleset or content.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> game = rules.start("braveheart", seed=1297)
    >>> hr.records.verify(game.play(game.actions[0]).record, rules).is_sound
    True
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("published", published, Iterable, "published seals")
    if not isinstance(record, Record):
        record = Record.parse(record, limits=ruleset.limits)
    check_ruleset(record, ruleset)
    if record.torn:
        fault = f"line {record.torn[0]}: incomplete last line"
        return Verification(0, 0, False, 0, record.seal, fault)
    try:
        game = replay(record, ruleset)
        variations = _count_variations(record, ruleset)
        _check_published(game, published)
    except BadRecord as error:
        return Verification(0, 0, False, 0, record.seal, str(error))
    digests = sum(1 for entry in record.entries if entry.digest)
    return Verification(
        len(game.moves), digests, bool(record.seal), variations, record.seal, fault=""
    )


def _check_published(game: BaseGame, published: Iterable[PublishedSeal]) -> None:
    """Raise unless the published seals are those of a game."""
    if not (commitments := list(published)):
        return
    seals = seals_of(game)
    for commitment in commitments:
        if not 0 <= commitment.actions < len(seals) or not commitment.opens(
            seals[commitment.actions]
        ):
            raise BadRecord(
                f"the seal that was published after {commitment.actions} actions is that of another game"
            )


def _count_variations(record: Record, ruleset: AnyRuleset) -> int:
    """How many variations a record has, nested ones included.

    Raises:
        BadRecord: one of them cannot be played.
    """
    varied = [index for index, entry in enumerate(record.entries) if entry.variations]
    if not varied:
        return 0
    start = start_game(record, ruleset)
    # What follows the last variation was replayed before.
    return _play_variations(record.entries[: varied[-1] + 1], start, _steps_spent(start))


def _play_variations(entries: tuple[Entry, ...], game: BaseGame, spent_before: int) -> int:
    """Play the variations of a line of play, nested ones included, and count them."""
    count = 0
    for index, entry in enumerate(entries):
        for variation in entry.variations:
            count += 1 + _play_variations(variation, game, spent_before)
        game = _after_entry(game, entry, index)
        _check_steps(game, spent_before, entry, index)
    return count
