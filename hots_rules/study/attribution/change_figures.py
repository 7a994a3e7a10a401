"""What the declared changes of editions do in play: how often games diverge because of them, and who wins more."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from hots_rules._home import change_figures_text
from hots_rules.analysis.simulating.batches import Batch, are_alike, wins_of
from hots_rules.analysis.simulating.confidence import mean_interval
from hots_rules.compare.agreements import digest_of
from hots_rules.compare.sides import RulesetLike, Side
from hots_rules.diagnostics import DEFAULT_LIMITS, EngineError
from hots_rules.native.batch import Ended
from hots_rules.play.game import AnyRuleset
from hots_rules.study.attribution.effect_sizes import MeasuredEffect
from hots_rules.study.estimates import LEVEL

COLUMNS = (
    *("own", "below", "change", "base", "player", "scenario", "policy", "games", "seed"),
    *("parted", "value", "low", "high", "digest"),
)


@frozen
class ChangeFigure(MeasuredEffect):
    """What one change does in games that are played with it and without it, with equal seeds.

    >>> import hots_rules as hr
    >>> facts = "truce-raids", "old-1.0", "Fox", "short", "random", 4000, "7", 120
    >>> hr.study.ChangeFigure("old-1.0", "new-2.0", *facts, 0.02, 0.01, 0.03).points
    '+2.0 points (+1.0 to +3.0)'

    Attributes:
        own: the edition that declares it.
        below: the ruleset that the edition extends.
        change: its name.
        base: the one of the two that was played with the change, and without it.
        player: whose wins are counted.
        scenario: the scenario that was played.
        policy: what guided the moves.
        games: the number of games with it, and of those without.
        seed: their seed.
        divergent_games: how many of these pairs of games diverged: they had other legal actions, or another end.
        value: by how much the share of wins is larger in `own` because of it.
        low: the lower end of its interval; those of all changes of an edition hold together.
        high: the upper end.
    """

    own: str
    below: str
    change: str
    base: str
    player: str
    scenario: str
    policy: str
    games: int
    seed: str
    divergent_games: int
    value: float
    low: float
    high: float


@frozen(kw_only=True)
class ChangePlan:
    """What is played to measure a change.

    >>> import hots_rules as hr
    >>> hr.study.ChangePlan(scenario="short", player="Fox").games
    4000

    Attributes:
        scenario: the scenario.
        player: whose wins are counted.
        policy: what guides the moves, as in `study`.
        games: the number of games with the change, and of those without.
        seed: the seed; game number i has the seed `seed/i`.
        changes: the number of changes that are measured together; their intervals hold together.
    """

    scenario: str
    player: str
    policy: str = "random"
    games: int = 4000
    seed: str = "1297"
    changes: int = 1


def measure_change(
    own: AnyRuleset, below: AnyRuleset, name: str, members: Sequence[str], plan: ChangePlan
) -> ChangeFigure:
    """What a change of an edition does: plays the ruleset below without and with it.

    If that is impossible, it plays the edition with the change and without it.

    >>> import hots_rules as hr
    >>> pair = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> plan = hr.study.ChangePlan(scenario="braveheart", player=pair[0].players[0], games=2)
    >>> hr.study.measure_change(*pair, "last-retreat", ["phase must_retreat"], plan).base
    'hots-4.0'

    Args:
        own: the edition.
        below: the ruleset that it extends.
        name: the name of the change.
        members: the ids of its differences.
        plan: what is played.

    Raises:
        EngineError: neither can be played.
        RulesetError: the rules have faults.
    """
    # A late import: reading figures needs no parser.
    from hots_rules.compare.hybrids import hybrid

    try:
        base, sign = below, 1
        ends = _ends(below, plan), _ends(hybrid(below, own, members), plan)
    except EngineError:
        base, sign = own, -1
        ends = _ends(own, plan), _ends(hybrid(own, below, members), plan)
    divergent_games = sum(not are_alike(*pair) for pair in zip(*ends, strict=True))
    number = base.players.index(plan.player)
    counts = Counter[float](
        sign * (wins_of(changed, number) - wins_of(unchanged, number))
        for unchanged, changed in zip(*ends, strict=True)
    )
    interval = mean_interval(counts, -1, 1, 1 - (1 - LEVEL) / plan.changes)
    value = sum(difference * count for difference, count in counts.items()) / plan.games
    facts = (plan.player, plan.scenario, plan.policy, plan.games, plan.seed, divergent_games)
    return ChangeFigure(
        own.name, below.name, name, base.name, *facts, value, interval.low, interval.high
    )


def _ends(rules: AnyRuleset, plan: ChangePlan) -> list[Ended]:
    batch = Batch.of(rules, games=plan.games, is_paired=True, policy=plan.policy)
    seeds = (f"{plan.seed}/{game}" for game in range(plan.games))
    return [*batch.play_scenario(plan.scenario, seeds)]


# ---------------------------------------------------------------- the file
def change_figures(own: RulesetLike, below: RulesetLike) -> Mapping[str, Sequence[ChangeFigure]]:
    """What the library keeps of the changes that an edition declares, by their names.

    Figures of rulesets that play differently now are left out.

    >>> import hots_rules as hr
    >>> [figure.games for figure in hr.study.change_figures("hots-2.3", "hots-3.x")["etterick"]]
    [4000, 4000]

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    sides = [Side.of(ruleset, DEFAULT_LIMITS) for ruleset in (own, below)]
    names, by_change = [side.name for side in sides], dict[str, list[ChangeFigure]]()
    rows = [
        row
        for row in csv.DictReader(io.StringIO(change_figures_text()))
        if [row["own"], row["below"]] == names
    ]
    digest = digest_of(*sides) if rows else ""
    for row in rows:
        if row["digest"] == digest:
            by_change.setdefault(row["change"], []).append(_figure(row))
    return by_change


def figure_rows(figures: Sequence[ChangeFigure]) -> Iterator[list[str]]:
    """The rows of the file for some figures, without the head.

    >>> import hots_rules as hr
    >>> list(hr.study.figure_rows([]))
    []
    """
    digests: dict[tuple[str, str], str] = {}
    for figure in figures:
        pair = figure.own, figure.below
        if pair not in digests:
            digests[pair] = digest_of(*(Side.of(name, DEFAULT_LIMITS) for name in pair))
        numbers = (f"{number:.6f}" for number in (figure.value, figure.low, figure.high))
        facts = (figure.player, figure.scenario, figure.policy, str(figure.games), figure.seed)
        named = (*pair, figure.change, figure.base, *facts)
        yield [*named, str(figure.divergent_games), *numbers, digests[pair]]


def _figure(row: Mapping[str, str]) -> ChangeFigure:
    return ChangeFigure(
        own=row["own"],
        below=row["below"],
        change=row["change"],
        base=row["base"],
        player=row["player"],
        scenario=row["scenario"],
        policy=row["policy"],
        games=int(row["games"]),
        seed=row["seed"],
        divergent_games=int(row["parted"]),
        value=float(row["value"]),
        low=float(row["low"]),
        high=float(row["high"]),
    )
