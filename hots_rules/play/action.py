"""An action of a player, or an outcome of chance, with its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

if TYPE_CHECKING:
    from fractions import Fraction


class Printer(Protocol):
    """The part of IPython's pretty printer that a `_repr_pretty_` method uses."""

    def text(self, text: str) -> None:
        """Prints a text."""


@frozen
class Action:
    """One choice at one decision, or one outcome at a chance point.

    An action belongs to the moment that listed it; `Game.play` checks whether it is legal at another one.
    Actions can be hashed, compared and pickled. A pickle can run any code: load none from a stranger.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> action = game.actions[0]
    >>> action.name, game.play(action) == game.play(action.text)
    ('play_card', True)

    Attributes:
        player: the name of the player, or `chance`.
        name: the name of the action in the ruleset; "roll" or "draw" for chance.
        args: its arguments, as names and numbers of the ruleset.
        text: its notation, which parses back: `Red: fire Fox`, `chance: roll 2 4 5`.
        code: its number among all actions of the ruleset; -1 - outcome for an outcome of chance.
        probability: the exact probability of an outcome of chance; None for actions of players.
    """

    player: str
    name: str
    args: tuple[str, ...]
    text: str
    code: int = field(repr=False)
    probability: Fraction | None = None

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """The text, for IPython."""
        printer.text(self.text)
