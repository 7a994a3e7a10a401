"""`hots why`: the rules behind an action and its effects."""

from __future__ import annotations

from typing import Literal

import typer
from attrs import frozen

from hots_rules import to_json
from hots_rules._options import argument, option
from hots_rules.cli import arguments as args
from hots_rules.cli.output.console import echo


@frozen(kw_only=True)
class WhyPlan(args.GameSource):
    """What is explained, and to whom."""

    action: str | None = argument(None, "An action. [default: the last one]", "ACTION")
    event: str | None = option(
        None, "Explain one line of the trace of the last action instead.", metavar="WORDS"
    )
    depth: Literal["sentence", "paragraph", "tree"] | None = option(
        None, "Level of detail. [default: paragraph for ACTION, else tree]"
    )
    side: str | None = option(None, args.SIDE, metavar="PLAYER")


def why(plan: WhyPlan, output: args.Output, reader: args.Reader) -> None:
    """Explain why an action is legal or illegal, or what it did.

    For a legal ACTION, cites the rules that permit it, and the rules that could forbid it but do not. For an illegal
    one, lists every rule against it, what would have to change, and the closest legal actions. Without ACTION, shows
    each effect of the last action with the rule that caused it.
    """
    if plan.action is not None and plan.event is not None:
        raise typer.BadParameter("leave out ACTION", param_hint="--event")
    game = plan.load(reader, output.language)
    player = args.parse_side(game.ruleset, plan.side)
    if plan.action is None:
        trace = game.explain(plan.event, player=player)
        echo(to_json(trace) if output.as_json else trace.text(plan.depth or "tree"))
        return
    ruling = game.why(plan.action, player=player)
    if not ruling.is_legal:
        ruling = game.why_not(plan.action, player=player)
    echo(to_json(ruling) if output.as_json else ruling.text(plan.depth or "paragraph"))
