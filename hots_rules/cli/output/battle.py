"""A hypothetical battle as text: a bar for each outcome, the losses, the fate of each piece, what was assumed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import hots_rules as hr
from hots_rules.cli.output.console import echo
from hots_rules.cli.output.odds import percentage

BAR = 30


def echo_battles(battles: Sequence[hr.talk.Battle]) -> None:
    """Print one battle under several rulesets, side by side."""
    first = battles[0]
    t = first.game.ruleset.labels.translator
    attacker, defender = first.game.ruleset.labels.players_named((first.attacker, first.defender))
    for battle in battles:
        odds = battle.odds
        precision = (
            t.gettext("exact")
            if odds.exact
            else t.gettext("estimated from {number} samples", number=str(odds.samples))
        )
        echo(f"{battle.game.ruleset.name}: {precision}", "bold" if odds.exact else "bold yellow")
    shares = _by_words([battle.outcomes for battle in battles])
    width = max(map(len, shares), default=0)
    for words, columns in shares.items():
        cells = "  ".join(
            f"{percentage(share, battle.odds)} {_bar(share)}"
            for share, battle in zip(columns, battles, strict=True)
        )
        echo(f"{words:{width}}  {cells}".rstrip(), indent=2)
    for place, player in enumerate((attacker, defender)):
        lost = "  ".join(f"{float(battle.steps_lost[place]):.2f}" for battle in battles)
        echo(t.gettext("{player} loses on average: {lost}", player=player, lost=lost), indent=2)
    fates = _by_words(
        [[(f"{piece}: {fate}", share) for piece, fate, share in battle.fates] for battle in battles]
    )
    width = max(map(len, fates), default=0)
    for words, columns in fates.items():
        cells = "  ".join(
            percentage(share, battle.odds) for share, battle in zip(columns, battles, strict=True)
        )
        echo(f"{words:{width}}  {cells}", indent=2)
    for assumption in first.assumptions:
        echo(t.gettext("assumed: {text}", text=assumption), "dim")


def _by_words(tables: Sequence[Sequence[tuple[str, Fraction]]]) -> dict[str, list[Fraction]]:
    """The probability of each text in each table; 0 where a table lacks the text."""
    words = dict.fromkeys(word for table in tables for word, _ in table)
    columns = [dict(table) for table in tables]
    return {word: [column.get(word, Fraction()) for column in columns] for word in words}


def _bar(share: Fraction) -> str:
    return f"{'█' * round(BAR * share):{BAR}}"


def battle_json(battle: hr.talk.Battle) -> dict[str, object]:
    """A battle as plain data; probabilities as exact fractions."""
    return {
        "ruleset": battle.game.ruleset.name,
        "place": battle.place,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "exact": battle.odds.exact,
        "samples": battle.odds.samples,
        "outcomes": [{"text": text, "probability": str(share)} for text, share in battle.outcomes],
        "steps_lost": [str(lost) for lost in battle.steps_lost],
        "fates": [
            {"piece": piece, "text": text, "probability": str(share)}
            for piece, text, share in battle.fates
        ],
        "assumptions": list(battle.assumptions),
    }
