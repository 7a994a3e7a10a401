"""The odds that the table tells a seat: from its view alone, as shares of what may become of what is known now."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.web.games.open_from_log import replayed
from hots_rules.web.refusals import NotComputed
from hots_rules.web.replies import OddsTold, OddsUntil, Share, Shares
from hots_rules.web.storage.rows import ActionRow, GameRow

SECONDS = 8.0  # for a computation
MAX_SAMPLES = 5_000
UNFINISHED = "unfinished"  # as the library calls the outcome of a game that goes on
MAX_CHANGES = 60  # entries of the state that are told
DECISION, GAME = "decision", "game"


def ends_of_odds(game: hr.Game) -> list[OddsUntil]:
    """Until when odds are told now, in the language of the game; the usual end comes first, while it is in progress.

    Before that the players have to choose what no policy chooses for them.
    """
    running = {DECISION, GAME, *_running(game)}
    return [each for each in known_ends(game) if each["until"] in running]


def known_ends(game: hr.Game) -> list[OddsUntil]:
    """Until when odds can be asked for: after an action that is named, the usual end may be near as well."""
    t = translator(game.language)
    ends: list[OddsUntil] = [
        {"until": DECISION, "text": t.gettext("the next decision")},
        {"until": GAME, "text": t.gettext("the end of the game, if all choose at random")},
    ]
    until, policy = hr.talk.odds_asked(game)
    if policy is not None:
        text = t.gettext("the end of {phase}", phase=game.ruleset.labels.phase(until))
        ends.insert(0, {"until": until, "text": text})
    return ends


def _running(game: hr.Game) -> Sequence[str]:
    """The phases in progress, the innermost first; each begins after `in`."""
    return re.findall(r" in (\w+)", game.moment)


def odds_at_table(
    row: GameRow,
    actions: Sequence[ActionRow],
    player: str,
    language: str,
    until: str,
    action: str,
) -> OddsTold:
    """The odds for a seat of a game, from its log.

    Raises:
        HotsError: the player may not choose the action now, or the odds cannot be computed.
    """
    return odds_told(replayed(row, actions).in_language(language), player, until, action)


def odds_told(game: hr.Game, player: str, until: str, action: str) -> OddsTold:
    """The odds of a game in its language, as a player can know them.

    Raises:
        HotsError: the player may not choose the action now, or the odds cannot be computed.
    """
    try:
        found = hr.analysis.player_odds(
            game,
            player,
            action or None,
            until=until,
            policy=_policy(game, until),
            seconds=SECONDS,
            seed=len(game.moves),
        )
    except hr.analysis.PolicyUndefined:
        raise _undecided(game) from None
    return _told(game, found)


def all_odds_told(game: hr.Game, until: str, action: str) -> OddsTold:
    """The odds of a game in its language for who knows all of it.

    Raises:
        HotsError: the action is not legal now, or the odds cannot be computed.
    """
    policy = _policy(game, until)
    try:
        odds = game.odds(
            action or None, until=until, policy=policy, seconds=SECONDS, samples=MAX_SAMPLES
        )
    except hr.analysis.PolicyUndefined:
        raise _undecided(game) from None
    outcomes = {} if set(odds.outcomes) == {UNFINISHED} else odds.outcomes
    known = hr.analysis.PlayerOdds(until, 1, odds.exact, outcomes, odds.changes())
    return _told(game, known)


def _told(game: hr.Game, found: hr.analysis.PlayerOdds) -> OddsTold:
    changes: list[Shares] = [
        {"text": _entry_in_words(game, entry), "shares": _shares(shares.items())}
        for entry, shares in found.changes.items()
        if len(shares) > 1
    ]
    return {
        "until": found.until,
        "assumed": _assumed(game, found.until),
        "worlds": found.worlds,
        "exact": found.exact,
        "outcomes": _winners(game, found.outcomes),
        "changes": changes[:MAX_CHANGES],
    }


def _entry_in_words(game: hr.Game, entry: str) -> str:
    """The name of an entry of the state for people: `strength of Fox` for `strength[Fox]`."""
    variable, _, keys = entry.partition("[")
    return game.ruleset.labels.cell_label(variable, [keys.removesuffix("]")] if keys else [])


def _undecided(game: hr.Game) -> NotComputed:
    """The end is too far away: choices come first that the policy leaves open."""
    t = translator(game.language)
    return NotComputed(
        t.gettext("the players have to choose much until then; ask for odds until another moment")
    )


def _policy(game: hr.Game, until: str) -> str | None:
    """How the players choose on the way."""
    declared, policy = hr.talk.odds_asked(game)
    if until == GAME:
        return "random"
    return policy if until == declared else None


def _assumed(game: hr.Game, until: str) -> str:
    """How the players choose on the way, as a sentence; empty where nobody chooses."""
    t = translator(game.language)
    policy = _policy(game, until)
    if policy == "random":
        return t.gettext("All choose at random.")
    known = hr.analysis.named_policies(game.ruleset)
    return known[policy].text if policy is not None and policy in known else ""


def _winners(game: hr.Game, outcomes: Mapping[str, Fraction]) -> list[Share]:
    """The shares of the winners, whatever the rule by which they win."""
    words = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    t, total = translator(game.language), defaultdict[str, Fraction](Fraction)
    for outcome, share in outcomes.items():
        winner, _, rule = outcome.partition(": ")
        missing = t.gettext("nobody") if rule else t.gettext("not over")
        total[words.get(winner, missing)] += share
    return _shares(total.items())


def _shares(shares: Iterable[tuple[str, Fraction]]) -> list[Share]:
    """Texts with their shares, the largest first."""
    ordered = sorted(shares, key=lambda each: -each[1])
    return [{"text": text, "share": round(float(share), 4)} for text, share in ordered]
