"""The history of a game as one viewer observed it: what was seen at each moment, and which steps were seen.

A *moment* is a decision or a chance point; a *step* is a choice or an outcome of chance between two of them. Nothing in
a history depends on what the viewer cannot know, so whatever follows from it can be told to the viewer.
"""

from __future__ import annotations

from attrs import field, frozen

from hots_rules.observe.stacks import Features, StackTracker
from hots_rules.play.trace import Step

Packed = tuple[int, ...]
Stacks = tuple[StackTracker, ...]
HIDDEN = -(1 << 40)
"""In place of the code of a value that is, or has, a hidden piece."""


@frozen
class Hidden:
    """Which pieces are hidden, and which cells that no hidden piece is a key of: each as masks."""

    pieces: tuple[int, ...]
    cells: tuple[int, ...]


@frozen
class Moment:
    """What a viewer observes at a decision, at a chance point or at the end.

    Attributes:
        point: the number of the suspension point; 0 at the end.
        asked: the players who are to choose, as a mask.
        own: the codes of the viewer's legal actions.
        hidden: which pieces and cells are hidden.
        public: the values of the cells that are not.
        stacks: for each secret type, the stack and the features of each hidden piece, sorted.
    """

    point: int
    asked: int
    own: tuple[int, ...]
    hidden: Hidden
    public: Packed = field(repr=False)
    stacks: tuple[tuple[tuple[int, Features], ...], ...] = field(repr=False)


@frozen
class ObservedStep:
    """What a viewer observes of a choice or an outcome of chance.

    Attributes:
        move: the move, if the viewer knows it; else None.
        form: the number of the action of another's choice; -1 for a choice in secret and for chance.
        chooser: the number of the player who chose; -1 for chance.
        known: the arguments of the choice that the viewer knows; None in place of others.
        log: the steps that were observed, if the move is not known or they are about anything hidden; else None.
    """

    move: int | None
    form: int = -1
    chooser: int = -1
    known: tuple[int | None, ...] = ()
    log: tuple[Step, ...] | None = None

    def knows(self, number: int) -> bool:
        """Whether the viewer knows an argument of a choice that he does not know as a whole."""
        return bool(self.known) and self.known[number] is not None


@frozen(eq=False)
class History:
    """All that a viewer observed: one step lies between each two moments.

    Attributes:
        beginnings: states at which the game may have begun.
        tracked: the moment from which on hidden pieces are followed: the first decision, or the first to be answered.
        moments: what was seen at each moment.
        steps: what was seen between them.
        derived: what follows from the history alone.
    """

    beginnings: tuple[Packed, ...] = field(repr=False)
    tracked: int
    moments: tuple[Moment, ...] = field(repr=False)
    steps: tuple[ObservedStep, ...] = field(repr=False)
    derived: dict[object, object] = field(factory=dict, repr=False)

    def up_to(self, steps: int) -> History:
        """The history after its first steps."""
        if steps == len(self.steps):
            return self
        return History(self.beginnings, self.tracked, self.moments[: steps + 1], self.steps[:steps])
