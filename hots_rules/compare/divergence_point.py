"""Divergences of two rulesets in a game, as values."""

import attrs
from attrs import frozen

from hots_rules.compare.difference import Change
from hots_rules.rules.editions.sections import Citation


@frozen
class Cause:
    """A declaration responsible for a divergence, as one side has it.

    >>> import hots_rules as hr
    >>> hr.compare.Cause("rule", "no-peeking", "Nobody peeks.", ()).name
    'no-peeking'

    Attributes:
        kind: "rule", "action", "table" and so on.
        name: its name.
        summary: the sentence of the rulebook.
        cited: its sections.
    """

    kind: str
    name: str
    summary: str
    cited: tuple[Citation, ...]


@frozen
class DivergencePoint:
    """One side of a divergence.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> here = hr.compare.DivergencePoint("hots-4.0", game.to_move, game.phase, (), "", ())
    >>> here.phase
    'play_cards'

    Attributes:
        edition: the ruleset.
        to_move: the players who are to choose.
        phase: the phase.
        actions: the texts of the actions that are legal on this side only.
        outcome: how the game ended; empty if it did not.
        causes: the declarations responsible.
    """

    edition: str
    to_move: tuple[str, ...]
    phase: str
    actions: tuple[str, ...]
    outcome: str
    causes: tuple[Cause, ...]


@frozen(repr=False)
class Divergence:
    """The first point at which two rulesets play differently; false if there is none.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> bool(hr.compare.divergence(game, hr.load("hots-4.0")))
    False

    Attributes:
        old: the ruleset of the game.
        new: the other ruleset.
        of: the number of actions of the game.
        what: what differs: "state", "asked" (the players to choose), "actions" or "outcome"; empty if
            nothing does.
        at: the number of actions played up to the divergence.
        text: the last of them.
        changes: the entries of the state that differ.
        here: the side of the game.
        there: the side of the other ruleset.
        notes: the options and readings that the other ruleset lacks.
    """

    old: str
    new: str
    of: int
    what: str = ""
    at: int = 0
    text: str = ""
    changes: tuple[Change, ...] = ()
    here: DivergencePoint | None = None
    there: DivergencePoint | None = None
    notes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.what)

    def __repr__(self) -> str:
        result = f"{self.what} after {self.at} of {self.of} actions" if self else "none"
        return f"<Divergence of {self.old} and {self.new}: {result}>"

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The declarations responsible, of both sides."""
        sides = [side.causes for side in (self.here, self.there) if side is not None]
        return tuple(dict.fromkeys(cause for side in sides for cause in side))

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {"parts": bool(self), **attrs.asdict(self)}
