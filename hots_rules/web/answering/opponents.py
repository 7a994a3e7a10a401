"""Who may sit at a seat in place of a person, and how it plays."""

from __future__ import annotations

from collections.abc import Sequence

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.web.replies import BotChoice


def bot_choices(rules: hr.Ruleset, player: str, kinds: Sequence[str]) -> list[BotChoice]:
    """The bots that may play a player, with how they play: the policies first."""
    offered = (*hr.analysis.playing_policies(rules, player), *kinds)
    return [{"kind": kind, "text": how_it_plays(rules, kind)} for kind in offered]


def how_it_plays(rules: hr.Ruleset, kind: str) -> str:
    """How a bot of a kind plays, in the language of a ruleset; its name if nothing more is known."""
    words = translator(rules.language)
    if kind in hr.analysis.playing_policies(rules):
        return f"{kind}{words.gettext(':')} {hr.analysis.named_policies(rules)[kind].text}"
    own = {
        "random": words.gettext("A bot that plays at random"),
        "monte-carlo": words.gettext("A bot that thinks for two seconds"),
    }
    return own.get(kind, kind)
