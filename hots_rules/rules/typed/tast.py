"""The typed abstract syntax tree: a ruleset in which every name is resolved and every type agrees.

Words are codes, numbers are bounded, sets are sets of codes: the tree holds no Python object of
a game, so that a back end other than `compile` could start from it.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from hots_rules.diagnostics import Span
from hots_rules.rules.typed.origin import Origin as Origin
from hots_rules.rules.typed.value_types import ANY, Type


@frozen
class Const:
    """A value by its code."""

    value: int
    type: Type


@frozen
class Local:
    """A local name: a parameter, a loop variable or a `let`.

    A number makes the name unique: `p·3`. The sign before it cannot be written in a ruleset, so that the name differs
    from all names of rulesets and compiled modules.
    """

    name: str
    type: Type

    @property
    def word(self) -> str:
        """The name as the ruleset writes it, without its number."""
        return self.name.partition("·")[0]

    def numbered(self, number: int) -> Local:
        """The local with another number."""
        return Local(f"{self.word}·{number}", self.type)


@frozen
class Load:
    """A state variable, or one entry of a map."""

    variable: str
    keys: tuple[Expr, ...]
    type: Type


@frozen
class ColumnLookup:
    """A column of a table, for one row."""

    table: str
    column: str
    key: Expr
    type: Type


@frozen
class Setting:
    """The chosen value of an option or a reading."""

    name: str
    type: Type


@frozen
class Operation:
    """An operator with its operands; `op` is a key of `operators.OPERATORS`."""

    op: str
    args: tuple[Expr, ...]
    type: Type


@frozen
class Conditional:
    """`if condition then … else …`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type


@frozen
class Quantified:
    """`kind local in source: body`, where kind is some, all, none, sum, max or min.

    Or `kind local from source: body`, where kind is reach, or distance, which has a `goal`; then the body is the set of
    the members that follow the local.
    """

    kind: str
    local: Local
    source: Expr
    body: Expr
    type: Type
    goal: Expr | None = None


@frozen
class Comprehension:
    """`{local in source where condition}`."""

    local: Local
    source: Expr
    condition: Expr
    type: Type


@frozen
class LetIn:
    """`let local = value: body`; the value is computed before the body."""

    local: Local
    value: Expr
    body: Expr
    type: Type


@frozen
class After:
    """`after action(args): body`: the body in the state that the effect of the action would make.

    The first argument is the player. The body has only the names `locals`, whose `values` are computed before the
    action: so an expression that replaces a name outside is never evaluated in the other state.
    """

    action: str
    args: tuple[Expr, ...]
    locals: tuple[Local, ...]
    values: tuple[Expr, ...]
    body: Expr
    type: Type
    span: Span = field(eq=False, repr=False)


@frozen
class PositionNumber:
    """The first or the second hash number of a position: of the values of some variables and a player."""

    half: int
    player: Expr
    variables: tuple[str, ...]
    type: Type


@frozen
class DefinitionCall:
    """A definition with its arguments."""

    define: str
    args: tuple[Expr, ...]
    type: Type


@frozen
class Construct:
    """`Hand(p)`: the value whose code is `first` plus the code of each argument times its stride."""

    first: int
    strides: tuple[int, ...]
    args: tuple[Expr, ...]
    type: Type


@frozen
class Convert:
    """The same value as one of a wider type."""

    body: Expr
    type: Type


@frozen
class Narrow:
    """`x as T`: the same value as one of a narrower type.

    It is checked at run time unless it was proved to hold. If `guarded`, a condition before it
    ensures that it holds, so nothing may be evaluated before that condition.
    """

    body: Expr
    type: Type
    span: Span = field(eq=False, repr=False)
    checked: bool = True
    guarded: bool = False


@frozen
class TypeTest:
    """`x is T`."""

    body: Expr
    tested: Type
    type: Type


Expr = (
    Const
    | Local
    | Load
    | ColumnLookup
    | Setting
    | Operation
    | Conditional
    | Quantified
    | Comprehension
    | LetIn
    | After
    | PositionNumber
    | DefinitionCall
    | Construct
    | Convert
    | Narrow
    | TypeTest
)

INVALID = Const(0, ANY)
"""The expression that replaces a faulty one."""


def bound_by(node: Expr) -> tuple[Local, ...]:
    """The local names that an expression binds itself."""
    if isinstance(node, Quantified | Comprehension | LetIn):
        return (node.local,)
    return node.locals if isinstance(node, After) else ()


@frozen
class Store:
    """`variable[keys] := value`."""

    variable: str
    keys: tuple[Expr, ...]
    value: Expr
    span: Span = field(eq=False, repr=False)


@frozen
class Reset:
    """`clear variable[keys]`; without keys a whole map."""

    variable: str
    keys: tuple[Expr, ...]


@frozen
class Bind:
    """`let local = value`."""

    local: Local
    value: Expr


@frozen
class Case:
    """A block and its condition."""

    condition: Expr
    body: Body


@frozen
class Branch:
    """`if`: the first case whose condition holds, else `otherwise`."""

    cases: tuple[Case, ...]
    otherwise: Body


@frozen
class ForEach:
    """`for local in domain`: a set, or a list of values, or the numbers from first to last."""

    local: Local
    domain: Expr | tuple[Expr, ...]
    last: Expr | None
    body: Body


@frozen
class Loop:
    """`while condition up to bound`; in a resolved ruleset every loop has a bound."""

    condition: Expr
    bound: Expr | None
    body: Body
    span: Span = field(eq=False, repr=False)


@frozen
class Choose:
    """`choose player: actions`; with `each`, every player of a set at once, in secret."""

    players: Expr
    each: Local | None
    actions: tuple[str, ...]


@frozen
class RollDice:
    """`roll number d sides as local for keys`."""

    number: Expr | None
    sides: int
    local: Local
    keys: tuple[Expr, ...]


@frozen
class DrawRandom:
    """`draw local from source weighted weight for keys`."""

    local: Local
    source: Expr
    weight: Expr | None
    keys: tuple[Expr, ...]


@frozen
class EmitEvent:
    """`hit(b)`: an event and all that handles it."""

    event: str
    args: tuple[Expr, ...]
    span: Span = field(eq=False, repr=False)


@frozen
class CallPhase:
    """`battle(a)`: a phase or a stage."""

    phase: str
    args: tuple[Expr, ...]
    span: Span = field(eq=False, repr=False)


@frozen
class EndGame:
    """`win player`: a player, `none`, or a set of players who win together."""

    winners: Expr


@frozen
class Leave:
    """`leave`: the end of the innermost loop."""


@frozen
class Return:
    """`return`: the end of the phase."""


@frozen
class WithOrigin:
    """Statements with the rule that they come from."""

    origin: Origin
    body: Body


Statement = (
    Store
    | Reset
    | Bind
    | Branch
    | ForEach
    | Loop
    | Choose
    | RollDice
    | DrawRandom
    | EmitEvent
    | CallPhase
    | EndGame
    | Leave
    | Return
    | WithOrigin
)
Body = tuple[Statement, ...]


@frozen
class Variable:
    """A state variable: a value, or a map from finite keys."""

    name: str
    keys: tuple[Type, ...]
    type: Type
    initial: int
    origin: Origin
    is_internal: bool = False


@frozen
class Definition:
    """A named expression."""

    name: str
    params: tuple[Local, ...]
    body: Expr
    origin: Origin


@frozen
class Because:
    """The text of a clause after `because`, with names in braces, and the values of the names."""

    text: str
    values: tuple[tuple[str, Expr], ...]


@frozen
class Clause:
    """A `permit` or `forbid` of an action.

    It holds if its condition and the guard of its rule do, unless one of its exemptions does.
    """

    kind: Literal["permit", "forbid"]
    params: tuple[Local, ...]
    when: Expr
    guard: Expr | None
    origin: Origin
    exemptions: tuple[Exemption, ...] = ()
    because: Because | None = None

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """Its condition, the guard of its rule, and those of its exemptions."""
        parts = [self.when, self.guard]
        for exemption in self.exemptions:
            parts += [exemption.when, exemption.guard]
        return tuple(part for part in parts if part is not None)


@frozen
class Exemption:
    """`exempt … from …`: a condition under which a `forbid` does not hold."""

    params: tuple[Local, ...]
    when: Expr
    guard: Expr | None
    origin: Origin


@frozen
class ActionDef:
    """An action that a player may choose, its clauses and its effect."""

    name: str
    params: tuple[Local, ...]
    clauses: tuple[Clause, ...]
    body: Body
    origin: Origin


@frozen
class HandlerDef:
    """The reaction of a rule to an event.

    `timing` is "before", "on", "instead" or "after"; `replaces` are the rules to which its rule is an
    exception.
    """

    timing: str
    params: tuple[Local, ...]
    when: Expr | None
    guard: Expr | None
    body: Body
    replaces: tuple[str, ...]
    origin: Origin


@frozen
class EventDef:
    """An event and its handlers in the order in which they run."""

    name: str
    params: tuple[Local, ...]
    handlers: tuple[HandlerDef, ...]
    origin: Origin


@frozen
class PhaseDef:
    """A phase, a stage or a scenario."""

    name: str
    params: tuple[Local, ...]
    body: Body
    origin: Origin


@frozen
class SettingDef:
    """An option or a reading: the code of its default, and a sentence for each value of a reading.

    An option may be for some scenarios only.
    """

    name: str
    kind: str
    type: Type
    default: int
    summaries: tuple[str, ...]
    origin: Origin
    scenarios: tuple[str, ...] = ()


@frozen
class InvariantDef:
    """A condition that must hold at every decision and every chance point."""

    name: str
    condition: Expr
    origin: Origin


@frozen
class PromiseDef:
    """A condition that holds, as the author of a ruleset promises, whenever `actor` may choose some actions."""

    name: str
    actions: tuple[str, ...]
    condition: Expr
    origin: Origin


@frozen
class Preference:
    """A line of a policy: an action is preferred when a condition holds."""

    action: str
    params: tuple[Local, ...]
    when: Expr


@frozen
class PolicyDef:
    """A policy: the first legal action that meets the first preference which any legal action meets."""

    name: str
    clauses: tuple[Preference, ...]
    origin: Origin


@frozen
class QuestionDef:
    """A question about a state; its text, the summary of its origin, has the `names` of the parameters in braces."""

    name: str
    names: tuple[str, ...]
    params: tuple[Local, ...]
    body: Expr
    origin: Origin


@frozen
class Audience:
    """The players who know a secret, None for all of them, and the condition, None for always.

    With `each`, `who` is a set of players, and the condition is about each of them under that name.
    """

    who: Expr | None
    when: Expr | None
    each: Local | None = None

    @property
    def conditions(self) -> tuple[Expr, ...]:
        """The expressions that it depends on."""
        return tuple(part for part in (self.who, self.when) if part is not None)


@frozen
class SecretDef:
    """A secret: the values of a variable, or the identity of a thing of some type; `kind` is "variable" or "type"."""

    name: str
    kind: str
    params: tuple[Local, ...]
    audiences: tuple[Audience, ...]
    origin: Origin


@frozen
class TableColumn:
    """A column: its type, and a value for each row."""

    type: Type
    values: tuple[int, ...]


@frozen
class TableDef:
    """A table: its columns by name."""

    name: str
    columns: dict[str, TableColumn]


@frozen
class LinkDef:
    """A line between places of the map, by their codes, and its colour, which may be empty."""

    ends: tuple[int, ...]
    colour: str


@frozen
class MapDef:
    """The map: the coordinates of the values of a variable, by code, and the lines between them.

    On a board the places are the keys of the variable, and their coordinates count from the bottom.
    """

    variable: str
    at: dict[int, tuple[int, int]]
    links: tuple[LinkDef, ...]
    is_board: bool = False
    shape: str = ""
    """`squares` or `hexes` if the places are those of a board that is declared."""
    terrain: tuple[Expr, ...] = ()
    """The terrain of each place, in the order of `at`: expressions without local names that read no state."""


CallKey = tuple[str, tuple[int, ...]]
"""A definition and the codes of its arguments."""


@frozen
class StaticValue:
    """The value of a definition for some arguments, which is the same in every state, and what it took to compute it.

    Attributes:
        code: the value.
        steps: the steps of the definition itself.
        calls: the definitions that it called, with their arguments, each once; their steps are their own.
    """

    code: int
    steps: int
    calls: tuple[CallKey, ...]


@frozen
class TypedRuleset:
    """A whole ruleset, typed: the declarations of each kind by name.

    `entry` is the phase in which a position set up by hand begins, `clock` are the variables that
    distinguish points in time.
    """

    name: str
    title: str
    players: Type
    types: dict[str, Type]
    tables: dict[str, TableDef]
    variables: dict[str, Variable]
    definitions: dict[str, Definition]
    actions: dict[str, ActionDef]
    events: dict[str, EventDef]
    phases: dict[str, PhaseDef]
    scenarios: dict[str, PhaseDef]
    settings: dict[str, SettingDef]
    invariants: dict[str, InvariantDef]
    secrets: tuple[SecretDef, ...]
    labels: dict[str, dict[str, str]]
    entry: str | None
    clock: tuple[str, ...]
    map: MapDef | None = None
    policies: dict[str, PolicyDef] = field(factory=dict)
    questions: dict[str, QuestionDef] = field(factory=dict)
    promises: dict[str, PromiseDef] = field(factory=dict)
    # Values of definitions that read neither the state nor a setting: the compiler keeps them here, so that another
    # choice of settings compiles faster.
    static_values: dict[CallKey, StaticValue] = field(
        factory=dict, init=False, eq=False, repr=False
    )
