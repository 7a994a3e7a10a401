"""The flat program: basic blocks that run without suspension, and the points where play is suspended.

Every value is a number in a slot. Slot 0 holds the point of play, slot 1 the outcome (0: none yet, else
as `outcome_of` has it), slot 2 the rule that ended the game. Then come the variables, map by map; their
indexes (for a map from X to V, per value the set of the X that have it); and the frames: each procedure that
can be suspended has slots for its local names and for the block to return to. There is no recursion, so one
frame for each procedure is enough. No Python object is in here: a native back end could start from this layer.
"""

from attrs import frozen

from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Body, Expr, Local


@frozen
class Goto:
    """Continue with another block."""

    block: int


@frozen
class CondBranch:
    """Continue with one of two blocks."""

    condition: Expr
    then: int
    otherwise: int


@frozen
class Suspend:
    """Stop until a player or chance answers; `suspension` is a number in `Program.suspensions`."""

    suspension: int


@frozen
class ReturnToCaller:
    """Continue with the block whose number is in a slot of the frame, and clear the slot."""

    to: Local


@frozen
class Halt:
    """The game is over."""


Terminator = Goto | CondBranch | Suspend | ReturnToCaller | Halt


@frozen
class BasicBlock:
    """Statements that cannot suspend, and where play continues."""

    name: str
    body: Body
    terminator: Terminator


@frozen
class CallFrame:
    """The frame of a procedure: its parameters and loop values, and the local that holds the block to return to."""

    kind: str
    name: str
    values: tuple[Local, ...]
    return_block: Local | None
    origin: tast.Origin


@frozen
class DecisionPause:
    """Players choose among actions; where several choose in secret, `waiting` holds those who have not chosen."""

    players: Expr
    waiting: Local | None
    actions: tuple[str, ...]
    after: int
    frame: CallFrame


@frozen
class DiceRoll:
    """`number` dice are rolled as a multiset; if it is None, a single die is rolled as a number."""

    number: Expr | None
    sides: int
    into: Local
    keys: tuple[Expr, ...]
    after: int
    frame: CallFrame


@frozen
class RandomDraw:
    """A member of a set is drawn; `weight`, if any, is an expression over `into`."""

    source: Expr
    weight: Expr | None
    into: Local
    keys: tuple[Expr, ...]
    after: int
    frame: CallFrame


Suspension = DecisionPause | DiceRoll | RandomDraw


@frozen
class Routine:
    """A procedure lowered to blocks: its parameters, its entry, and the local that holds the block to return to."""

    key: str
    params: tuple[Local, ...]
    entry: int
    return_block: Local


@frozen
class Program:
    """A whole ruleset as blocks.

    `frame` are the local names that need a slot; `callers` has the frame of the caller for each block that a
    procedure returns to, `owners` the return local of the frame to which a local name belongs. `returns` has by
    procedure the blocks after its calls, `defaults` the values that the counters of a loop have in its last run.
    """

    blocks: tuple[BasicBlock, ...]
    suspensions: tuple[Suspension, ...]
    routines: dict[str, Routine]
    frame: tuple[Local, ...]
    callers: dict[int, CallFrame]
    owners: dict[str, str]
    returns: dict[str, list[int]]
    defaults: dict[str, int]
