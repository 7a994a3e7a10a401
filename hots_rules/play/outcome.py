"""How games end: who wins, by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from hots_rules._text import with_signs
from hots_rules.rules.typed.origin import Origin
from hots_rules.state.labels import Labels


@frozen
class Outcome:
    """How a game ended.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.outcome is None
    True

    Attributes:
        winner: the player who won alone; None for a draw, and where several won together.
        reason: the name of the rule that ended the game.
        summary: the sentence of that rule.
        sections: its sections.
        edition: the ruleset that it comes from.
        text: all of this in a sentence.
        winners: all players who won, in the order of the ruleset; none for a draw.
    """

    winner: str | None
    reason: str
    summary: str
    sections: tuple[str, ...]
    edition: str
    text: str
    winners: tuple[str, ...]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, winners: tuple[str, ...], origin: Origin, labels: Labels) -> Outcome:
        """The outcome that a rule names."""
        winner = winners[0] if len(winners) == 1 else None
        summary, sections = labels.summary(origin), origin.sections
        text = f"{result_text(winners, labels)}: {summary} ({with_signs(sections)})"
        return cls(winner, origin.rule, summary, sections, origin.edition, text, winners)


def result_text(winners: Sequence[str], labels: Labels) -> str:
    """Who wins, in words."""
    translator, named = labels.translator, labels.players_named(winners)
    if not named:
        return translator.gettext("nobody wins")
    if len(named) == 1:
        return translator.gettext("{player} wins", player=named[0])
    return translator.gettext("{players} win", players=translator.join_list(named))
