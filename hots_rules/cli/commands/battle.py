"""`hots battle`: the odds of a hypothetical battle in one line."""

from __future__ import annotations

from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.output.battle import battle_json, echo_battles
from hots_rules.cli.output.console import echo_json, progress_bar


@frozen(kw_only=True)
class BattlePlan:
    """A hypothetical battle, and how its odds are computed."""

    ruleset: str = argument(NEEDED, args.RULESET, "RULESET")
    line: str = argument(NEEDED, 'Such as "Shore: Fox 3 against Dog 4".', "BATTLE")
    editions: tuple[str, ...] = option(
        (), "Add a column with another edition (repeatable).", "--edition", metavar="RULESET"
    )
    policy: str = option("", "Policy of both players. [default: the ruleset's]", metavar="POLICY")
    seconds: float = option(20.0, "Time after which outcomes are sampled.", metavar="S", min=0.1)


def battle(plan: BattlePlan, output: args.Output, reader: args.Reader) -> None:
    """Compute the odds of a battle that you make up.

    Those named first attack. A piece without a number is at full strength; `later` comes before reserves.
    """
    battles = []
    with progress_bar("states") as update:
        for name in (plan.ruleset, *plan.editions):
            rules = reader.load_ruleset(name, output.language)
            odds = hr.talk.battle(
                rules, plan.line, policy=plan.policy, seconds=plan.seconds, on_progress=update
            )
            battles.append(odds)
    if output.as_json:
        echo_json([battle_json(odds) for odds in battles])
    else:
        echo_battles(battles)
