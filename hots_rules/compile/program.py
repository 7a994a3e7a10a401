"""The flat program: blocks of statements that run without asking, and the points where somebody is asked.

Everything is a number in a slot. Slot 0 holds the point in the phases, slot 1 the outcome (0: none
yet, 1: nobody, 2 + p: player p), slot 2 the rule that ended the game. Then come the variables, map by
map; their indexes (for a map from X to V, per value the set of the X that hold it); and the frames:
each procedure that can be interrupted has slots of its own for its local names and for the block to
go back to. Nothing may call itself, so a frame is never needed twice. No Python object is in here:
a native back end could start from this layer.
"""

from __future__ import annotations

from attrs import frozen

from hots_rules.compile.codes import FIRST_FREE as FIRST_FREE
from hots_rules.compile.codes import HALT as HALT
from hots_rules.compile.codes import OUTCOME as OUTCOME
from hots_rules.compile.codes import POINT as POINT
from hots_rules.compile.codes import REASON as REASON
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local


@frozen
class Goto:
    """On with another block."""

    block: int


@frozen
class Test:
    """On with one of two blocks."""

    condition: Expr
    then: int
    otherwise: int


@frozen
class Ask:
    """Stop: a player or chance decides at a site."""

    site: int


@frozen
class Back:
    """Back to the block that a frame's slot names."""

    to: Local


@frozen
class Halt:
    """The game has ended."""


End = Goto | Test | Ask | Back | Halt


@frozen
class Block:
    """Statements without a stop, and where play goes from there."""

    name: str
    body: Body
    end: End


@frozen
class Scope:
    """Where in the phases a site or a call stands: the procedure, and its parameters and loop values there."""

    kind: str
    name: str
    values: tuple[Local, ...]
    back: Local | None
    origin: tast.Origin


@frozen
class Decision:
    """Players choose among actions; `waiting` holds those who have not chosen, where several do in secret."""

    players: Expr
    waiting: Local | None
    actions: tuple[str, ...]
    after: int
    scope: Scope


@frozen
class Dice:
    """Dice fall: `number` of them, or a single one that is read as a number."""

    number: Expr | None
    sides: int
    into: Local
    keys: tuple[Expr, ...]
    after: int
    scope: Scope


@frozen
class Drawing:
    """A member of a set by chance, perhaps by weight (an expression in `into`)."""

    source: Expr
    weight: Expr | None
    into: Local
    keys: tuple[Expr, ...]
    after: int
    scope: Scope


Site = Decision | Dice | Drawing


@frozen
class Routine:
    """A procedure of blocks: what to fill in, where to begin, what to go back by."""

    key: str
    params: tuple[Local, ...]
    entry: int
    back: Local


@frozen
class Program:
    """A whole ruleset as blocks; `owners` has the way back in whose frame a local name stands."""

    blocks: tuple[Block, ...]
    sites: tuple[Site, ...]
    routines: dict[str, Routine]
    frame: tuple[Local, ...]
    calls: dict[int, Scope]
    owners: dict[str, str]
