"""The seeds of a game, and a check that its dice come from them.

When players agree to take plays back, the game continues with a new seed, since they know the old dice. Its record has
each outcome as an action, so the seeds are checked separately.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen

from hots_rules.diagnostics import BadRecord, BadSecret, check_kind
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.notation import outcome_at
from hots_rules.records.commit_reveal import combine_seeds
from hots_rules.records.record import Record
from hots_rules.records.recording import initial_game, with_explicit_chance
from hots_rules.records.replaying import replay


@frozen
class HeldSeed:
    """A seed that decided chance in a record from some play on.

    >>> import hots_rules as hr
    >>> hr.records.HeldSeed(plays=0, seed="1297").commitments
    {}
    """

    plays: int
    """After how many plays of the record it begins; 0 for the first one."""
    seed: str
    """The seed itself, as `Ruleset.start` takes it."""
    commitments: dict[str, str] = field(factory=dict)
    """The commitments to the shares from which it was mixed, by who gave them; none if it was not mixed."""
    secrets: dict[str, str] = field(factory=dict)
    """The shares."""


def verify_seeds(
    record: Record | str, ruleset: AnyRuleset, seeds: Sequence[HeldSeed]
) -> tuple[int, ...]:
    """Checks that each outcome of a record is that of its seed; returns how many outcomes each seed decided.

    The seed of an outcome is the last one that had begun by then. Each seed must be mixed from the shares of the same
    people as the first one, and each share must be that of its commitment.

    Args:
        record: a record, or its text; its digests are checked by `verify`.
        ruleset: the ruleset that the record is pinned to.
        seeds: the seeds in the order in which they were made.

    Raises:
        BadRecord: the record cannot be replayed, or an outcome is not that of its seed.
        BadSecret: a seed is not mixed from its shares, or a share is not that of its commitment.

    >>> import hots_rules as hr
    >>> rules = hr.load("backgammon-1.0")
    >>> game = rules.start("opening", seed=1297)
    >>> hr.records.verify_seeds(game.record, rules, [hr.records.HeldSeed(0, "1297")])
    (1,)
    """
    check_kind("seeds", seeds, Sequence, "a list of seeds")
    for held in seeds:
        check_kind("seeds", held, HeldSeed, "a list of `HeldSeed(…)`")
    if not seeds or seeds[0].plays != 0:
        raise BadRecord("expected a seed from the first play on; get the seeds of the whole game")
    for number, held in enumerate(seeds, 1):
        _check_shares(number, held, seeds[0])
    game = replay(record, ruleset)
    if game.seed != seeds[-1].seed:
        raise BadRecord(f"expected the seed `{seeds[-1].seed}` in the record, got `{game.seed}`")
    if game.chance == "auto" and len(seeds) > 1:
        raise BadRecord("the record has one seed for all dice; get the record of the whole game")
    return _counted(with_explicit_chance(game), seeds)


def _check_shares(number: int, held: HeldSeed, first: HeldSeed) -> None:
    if held.commitments.keys() != first.commitments.keys():
        raise BadSecret(f"seed {number} is not mixed from shares of the same people as seed 1")
    if held.commitments and combine_seeds(held.secrets, held.commitments) != held.seed:
        raise BadSecret(f"seed {number} is not the mix of its shares; do not trust its dice")


def _counted(game: BaseGame, seeds: Sequence[HeldSeed]) -> tuple[int, ...]:
    """How many outcomes each seed decided in a game whose outcomes are actions."""
    counts, moment = [0] * len(seeds), initial_game(game)
    for plays, move in enumerate(game.moves):
        if moment.is_chance:
            number = max(index for index, held in enumerate(seeds) if held.plays <= plays)
            given = moment.sample_chance(seeds[number].seed)
            if given.code != move:
                slots = list(moment.state.slots)
                got = outcome_at(moment.machine, slots, moment.notation, -1 - move)
                raise BadRecord(
                    f"action {plays + 1}: seed {number + 1} gives `{given.text}`, got `{got}`"
                )
            counts[number] += 1
        moment = moment.after(move)
    return tuple(counts)
