"""The odds that a seat is told: computed from its view alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from fractions import Fraction
from functools import partial

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.web.games.open_from_log import replayed
from hots_rules.web.refusals import NotComputed
from hots_rules.web.replies import EstimatedShare, EstimatedShares, OddsTold, OddsUntil
from hots_rules.web.storage.rows import ActionRow, GameRow

# Odds are bounded by numbers, not by a time: so the same question has the same answer.
MAX_STATES = 60_000
MAX_SAMPLES = 2_000
MAX_GAMES = 300  # samples that are whole games
MAX_CHANGES = 60  # entries of the state whose chances a reply has
DECISION, GAME = "decision", "game"


def odds_ends_now(game: hr.Game) -> list[OddsUntil]:
    """The moments until which odds can be computed now, in the language of the game.

    The end of a phase that has not begun is left out: on the way to it the players make choices that no policy answers.
    """
    running = {DECISION, GAME, *_running(game)}
    return [end for end in odds_ends(game) if end["until"] in running]


def odds_ends(game: hr.Game) -> list[OddsUntil]:
    """The moments until which odds may be asked for, also the end of a phase that only a named action begins.

    The one that the ruleset declares for `odds` comes first.
    """
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
    """The phases in progress, the innermost first: `begin at choose in blows(index 1) in game` has two."""
    return re.findall(r" in (\w+)", game.moment)


def odds_at_table(
    row: GameRow, actions: Sequence[ActionRow], player: str, language: str, until: str, action: str
) -> OddsTold:
    """The odds for a seat of a game, from its log.

    Raises:
        HotsError: the player may not choose the action now, or the odds cannot be computed.
    """
    return odds_for_player(replayed(row, actions).in_language(language), player, until, action)


def odds_for_player(game: hr.Game, player: str, until: str, action: str) -> OddsTold:
    """The odds of a game in its language, as far as a player can know them.

    Raises:
        HotsError: the player may not choose the action now, or the odds cannot be computed.
    """
    with _undecided_refused(game):
        odds = hr.analysis.player_odds(
            game,
            player,
            action or None,
            until=until,
            policy=_policy(game, until),
            samples=_samples(until),
            seed=len(game.moves),  # the same for the same question
        )
    return _odds_reply(game, odds)


def odds_for_all_knowing(game: hr.Game, until: str, action: str) -> OddsTold:
    """The odds of a game in its language for somebody who knows all of it.

    Raises:
        HotsError: the action is not legal now, or the odds cannot be computed.
    """
    with _undecided_refused(game):
        odds = game.odds(
            action or None,
            until=until,
            policy=_policy(game, until),
            states=MAX_STATES,
            samples=_samples(until),
            seed=len(game.moves),
        )
    return _odds_reply(game, hr.analysis.PlayerOdds.of(odds))


def _samples(until: str) -> int:
    return MAX_GAMES if until == GAME else MAX_SAMPLES


def _odds_reply(game: hr.Game, odds: hr.analysis.PlayerOdds) -> OddsTold:
    changes: list[EstimatedShares] = [
        {
            "text": _entry_in_words(game, entry),
            "shares": _ordered((value, odds.estimate_of_change(entry, value)) for value in shares),
        }
        for entry, shares in odds.changes.items()
        if len(shares) > 1
    ]
    return {
        "until": odds.until,
        "assumed": _assumed(game, odds.until),
        "worlds": odds.worlds,
        "exact": odds.exact,
        "samples": odds.samples,
        "outcomes": _shares_of_winners(game, odds),
        "changes": changes[:MAX_CHANGES],
    }


def _entry_in_words(game: hr.Game, entry: str) -> str:
    """The name of an entry of the state for people: `strength of Fox` for `strength[Fox]`."""
    variable, _, keys = entry.partition("[")
    return game.ruleset.labels.cell_label(variable, [keys.removesuffix("]")] if keys else [])


@contextmanager
def _undecided_refused(game: hr.Game) -> Iterator[None]:
    """Refuses a moment before which choices come that the policy leaves open.

    Raises:
        NotComputed: there are such choices.
    """
    try:
        yield
    except hr.analysis.PolicyUndefined:
        t = translator(game.language)
        raise NotComputed(
            t.gettext(
                "the players have to choose much until then; ask for odds until another moment"
            )
        ) from None


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
    policies = hr.analysis.named_policies(game.ruleset)
    return policies[policy].text if policy is not None and policy in policies else ""


def _shares_of_winners(game: hr.Game, odds: hr.analysis.PlayerOdds) -> list[EstimatedShare]:
    """How likely each outcome is by its winners, whatever the rule by which they win."""
    words = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    t, rules_of = translator(game.language), defaultdict[str, set[str]](set)
    for outcome in odds.outcomes:
        winners, _, rule = outcome.partition(": ")
        named = [words[winner] for winner in winners.split(" and ") if winner in words]
        missing = t.gettext("nobody") if rule else t.gettext("not over")
        rules_of[t.join_list(named) or missing].add(outcome)
    return _ordered(
        (text, odds.estimate(partial(_share_of, outcomes))) for text, outcomes in rules_of.items()
    )


def _share_of(outcomes: Set[str], world: hr.analysis.WorldOdds) -> Fraction:
    shares = (share for outcome, share in world.outcomes.items() if outcome in outcomes)
    return sum(shares, Fraction())


def _ordered(shares: Iterable[tuple[str, hr.analysis.Estimate]]) -> list[EstimatedShare]:
    """Texts with their shares and the bounds of these, the largest first."""
    ordered = sorted(shares, key=lambda named: named[1].share, reverse=True)
    return [
        {
            "text": text,
            "share": round(float(estimate.share), 4),
            "low": round(estimate.low, 4),
            "high": round(estimate.high, 4),
        }
        for text, estimate in ordered
    ]
