"""The tree of a file: one class per nonterminal of grammar/rules.lark, in the same order and under the same headings.

It is one module because of that order: a declaration stands before the types, statements and expressions that it
holds, and modules split by these kinds would stand the other way round.

Not every tree is a valid ruleset: names, types and editions are checked by the package `rules`.
Spans do not count when trees are compared.
"""

from __future__ import annotations

from attrs import field, frozen

from hots_rules.diagnostics import Span


@frozen
class Word:
    """A name, a number or a quoted text as written, e.g. `Shore`."""

    text: str
    span: Span = field(eq=False, repr=False)

    def __str__(self) -> str:
        return self.text


@frozen
class Node:
    """Base class of all tree classes: a node has a span."""

    span: Span = field(eq=False, repr=False, kw_only=True)


Words = tuple[Word, ...]


@frozen
class File(Node):
    """All declarations of one file."""

    items: tuple[Item, ...]


# ---------------------------------------------------------------- what a file holds
@frozen
class Ruleset(Node):
    """`ruleset hots-2.3 "title"`, perhaps with `extends hots-3.x`."""

    name: Word
    title: Word
    extends: Word | None


@frozen
class Amend(Node):
    """`amend rule x §5 …`: a declaration that replaces the one of that kind and name."""

    declaration: Declaration


@frozen
class AmendPart(Node):
    """What the changes of one part of a declaration share; `owner` is the declaration."""

    owner: Word
    name: Word
    cites: Words


@frozen
class AmendCell(AmendPart):
    """`amend table Block: Fox move = 2 §2`."""

    owner: Word
    name: Word
    column: Word
    cell: Cell
    cites: Words


@frozen
class AmendStep(AmendPart):
    """`amend step battle.rounds §5 …`: other statements in the place of a step; perhaps a new sentence."""

    owner: Word
    name: Word
    cites: Words
    summary: Word | None
    block: Block


@frozen
class AmendClause(AmendPart):
    """`amend clause pinning.forbid §5 …`: other clauses in the place of some of a rule or an action."""

    owner: Word
    name: Word
    cites: Words
    summary: Word | None
    parts: tuple[Permit | Part, ...]


@frozen
class AmendRow(AmendPart):
    """`amend row Card.Raid §3 2 -`, or `add row …`."""

    verb: Word
    owner: Word
    name: Word
    cites: Words
    cells: tuple[Cell, ...]


@frozen
class AmendColumn(AmendPart):
    """`amend column Card.copies: 0..9 §3`, or `add column Card.price: 0..3 = 1 §3`."""

    verb: Word
    owner: Word
    name: Word
    type: Type
    cell: Cell | None
    cites: Words


@frozen
class AmendAlternative(AmendPart):
    """`amend alternative no_way_out.captured §5 "…" default`, or `add alternative …`."""

    verb: Word
    owner: Word
    name: Word
    cites: Words
    summary: Word
    default: Word | None
    definitions: tuple[Redefinition, ...]


@frozen
class Repeal(Node):
    """`repeal rule x §5`."""

    kind: Word
    name: Word
    cites: Words


@frozen
class RepealPart(AmendPart):
    """`repeal step battle.rounds §5`."""

    part: Word
    owner: Word
    name: Word
    cites: Words


@frozen
class Reword(Node):
    """`reword rule x §5 "why play is the same"`, perhaps with the other sentence after `as`."""

    kind: Word
    name: Word
    cites: Words
    reason: Word
    summary: Word | None = None


@frozen
class Settle(Node):
    """`settle no_way_out = captured §5`: the edition decides how a reading is meant."""

    reading: Word
    alternative: Word
    cites: Words


# ---------------------------------------------------------------- types and tables
@frozen
class Players(Node):
    """`players Side`."""

    name: Word


@frozen
class Clock(Node):
    """`clock year, game_turn`: the variables that distinguish points in time, for chance."""

    names: Words


@frozen
class Map(Node):
    """`map place at across, down in terrain`: where the values of a variable lie in a drawing, and their terrain."""

    variable: Word
    across: Word
    down: Word
    terrain: Word | None
    links: tuple[Links, ...]


@frozen
class Links(Node):
    """`links Border by ends in colour`: each row of a table joins the places in its set."""

    table: Word
    ends: Word
    colour: Word | None


@frozen
class Board(Node):
    """`board Cell as squares with diagonals §1`: the places of a board, whose shape gives what is near what."""

    type: Word
    shape: Word
    diagonals: Word | None
    cites: Words


@frozen
class TypeAlias(Node):
    """`type Place = Area | Pool | Dead`."""

    name: Word
    type: Type
    cites: Words


@frozen
class UnionType(Node):
    """`Area | Pool | Dead`."""

    members: tuple[Type, ...]


@frozen
class NamedType(Node):
    """`Area`."""

    name: Word


@frozen
class ProductType(Node):
    """`Hand(Side)` or `Cell(file: 1..8, rank: 1..8)`: a new word for each combination of values."""

    name: Word
    parts: tuple[Param | Type, ...]


@frozen
class RangeType(Node):
    """`0..4`."""

    low: Word
    high: Word


@frozen
class SetType(Node):
    """`set of Area`."""

    member: Type


@frozen
class PairType(Node):
    """`(Area, Area)`."""

    left: Type
    right: Type


@frozen
class OptionalType(Node):
    """`Area?`."""

    member: Type


@frozen
class Table(Node):
    """`table Area §1.1 (size: 0..3)` and its rows."""

    name: Word
    cites: Words
    columns: tuple[Column, ...]
    head: Head | None
    rows: tuple[Row, ...]


@frozen
class Column(Node):
    """`size: 0..3`."""

    name: Word
    type: Type


@frozen
class Head(Node):
    """`: size wet seas`: the names of the columns again, over the rows."""

    columns: Words


@frozen
class Row(Node):
    """`Shore 2 yes north`."""

    name: Word
    cells: tuple[Cell, ...]


@frozen
class Cell(Node):
    """`2`, `north+irish` or `-`."""

    words: Words


# ---------------------------------------------------------------- state and secrets
@frozen
class State(Node):
    """`state` and its variables."""

    cites: Words
    variables: tuple[Variable, ...]


@frozen
class Variable(Node):
    """`strength[Block] : 0..4 = 0`; `internal` after it for what is no part of the position on the table."""

    name: Word
    keys: tuple[Type, ...] | None
    type: Type
    initial: Expr | None
    internal: Word | None


@frozen
class Secret(Node):
    """`secret hand[s] known to s`."""

    name: Word
    keys: Words | None
    audiences: tuple[Audience, ...]
    cites: Words


@frozen
class Audience(Node):
    """`to side[b] when not shown`."""

    who: Expr | Everybody | Each
    when: Expr | None


@frozen
class Everybody(Node):
    """`all`."""


@frozen
class Each(Node):
    """`each p in Side`: every player of a set, under a name for the condition."""

    name: Word
    players: Expr


# ---------------------------------------------------------------- definitions, events, actions
@frozen
class Define(Node):
    """`define friendly(s: Side, a: Area) = … §4.5`."""

    name: Word
    params: tuple[Param, ...] | None
    type: Type | None
    body: Expr
    cites: Words


@frozen
class Param(Node):
    """`s: Side`."""

    name: Word
    type: Type


@frozen
class FirstOf(Node):
    """`first of` and its cases: the value of the first one whose condition holds."""

    cases: tuple[Case, ...]


@frozen
class Case(Node):
    """`Red when is_ready(Red)`; the last case has no condition."""

    value: Expr
    when: Expr | None = None


@frozen
class Event(Node):
    """`event hit(b: Block)`."""

    name: Word
    params: tuple[Param, ...]
    cites: Words
    summary: Word | None


@frozen
class Action(Node):
    """`action fire(b: Block) §5.4 "…"`, its permits and what it does."""

    name: Word
    params: tuple[Param, ...] | None
    cites: Words
    summary: Word
    parts: tuple[Permit | Statement, ...]


@frozen
class Permit(Node):
    """`permit when b in ready`."""

    lets: tuple[Binding, ...] | None
    when: Expr | None
    because: Because | None


@frozen
class Binding(Node):
    """`n = crossed[x]`, after `let`."""

    name: Word
    value: Expr


@frozen
class Because(Node):
    """`because "{n} of {limit} have crossed" with n = crossed[x], limit = 6`."""

    sentence: Sentence
    givens: tuple[Given, ...] | None


@frozen
class Sentence(Node):
    """`"{foe(actor)} stands in {to}"`: a text, and the expressions in its braces."""

    text: Word
    values: tuple[Expr, ...]


@frozen
class Given(Node):
    """`n = crossed[x]`."""

    name: Word
    value: Expr


# ---------------------------------------------------------------- rules
@frozen
class Rule(Node):
    """`rule capture §5.7 "…"` and its parts."""

    name: Word
    cites: Words
    summary: Word
    parts: tuple[Part, ...]


@frozen
class Guard(Node):
    """`only if schiltroms`."""

    condition: Expr


@frozen
class ExceptionTo(Node):
    """`exception to elimination`."""

    rules: Words


@frozen
class Forbid(Node):
    """`forbid retreat(b, to), regroup(b, to) when …`."""

    actions: tuple[Target, ...]
    lets: tuple[Binding, ...] | None
    when: Expr | None
    because: Because | None


@frozen
class Allow(Node):
    """`permit retreat(b, to) when …`, in a rule: one more case in which the action is legal."""

    actions: tuple[Target, ...]
    lets: tuple[Binding, ...] | None
    when: Expr | None
    because: Because | None


@frozen
class Exempt(Node):
    """`exempt remain(b, a) from size-limit when …`."""

    actions: tuple[Target, ...]
    rule: Word
    when: Expr | None


@frozen
class Target(Node):
    """`retreat(b, to)`: the action or event of a clause, and names for its parameters."""

    name: Word
    names: Words | None


@frozen
class Handler(Node):
    """`instead of eliminated(b, cause) when …` and its block."""

    timing: On | Before | Instead | After
    events: tuple[Target, ...]
    when: Expr | None
    block: Block


@frozen
class On(Node):
    """`on hit(b)`: what the event does."""


@frozen
class Before(Node):
    """`before hit(b)`."""


@frozen
class Instead(Node):
    """`instead of hit(b)`."""


@frozen
class After(Node):
    """`after hit(b)`."""


# ---------------------------------------------------------------- phases, scenarios, choices of a game
@frozen
class Phase(Node):
    """`phase battle(a: Area) §5.1 "…"`."""

    name: Word
    params: tuple[Param, ...] | None
    cites: Words
    summary: Word
    block: Block


@frozen
class Stage(Node):
    """`stage homecoming §7.1 "…"`: a phase that is part of a special turn."""

    name: Word
    params: tuple[Param, ...] | None
    cites: Words
    summary: Word
    block: Block


@frozen
class Scenario(Node):
    """`scenario braveheart §8.1 "…"`."""

    name: Word
    cites: Words
    summary: Word
    block: Block


@frozen
class PositionEntry(Node):
    """`positions begin at years`."""

    phase: Word


@frozen
class Option(Node):
    """`option schiltroms : bool = false for long-game §5.4 "…"`, or `except short-game`."""

    name: Word
    type: Type
    default: Expr
    scenarios: Words | AllBut | None
    cites: Words
    summary: Word


@frozen
class AllBut(Node):
    """`except short-game`: all scenarios but these."""

    scenarios: Words


@frozen
class Reading(Node):
    """`reading no_way_out §5.5 "…"` and its alternatives."""

    name: Word
    cites: Words
    summary: Word
    alternatives: tuple[Alternative, ...]


@frozen
class Alternative(Node):
    """`captured "as if eliminated" default`, perhaps with definitions that hold if it is chosen."""

    name: Word
    summary: Word
    default: Word | None
    definitions: tuple[Redefinition, ...] = ()


@frozen
class Redefinition(Node):
    """`lost(b) = b in captives`, under an alternative: the value of a definition if it is chosen."""

    name: Word
    params: Words | None
    body: Expr


@frozen
class Invariant(Node):
    """`invariant strength-in-range §2.11` and its condition."""

    name: Word
    cites: Words
    summary: Word | None
    condition: Expr


@frozen
class Promise(Node):
    """`promise own-blocks for fire, hold §5.31 "…"` and what always holds when these actions may be chosen."""

    name: Word
    actions: Words
    cites: Words
    summary: Word
    condition: Expr


@frozen
class Policy(Node):
    """`policy fight-on "Everybody fires, nobody leaves."` and its lines."""

    name: Word
    cites: Words
    summary: Word
    parts: tuple[Prefer, ...]


@frozen
class Prefer(Node):
    """`prefer retreat(b, to), hold when …`."""

    actions: tuple[Target, ...]
    when: Expr | None


@frozen
class Question(Node):
    """`question holders(a: Area) = {s in Side where a in held(s)} §4.5 "who holds {a}"`."""

    name: Word
    params: tuple[Param, ...] | None
    body: Expr
    cites: Words
    summary: Word


@frozen
class Label(Node):
    """`label en` and its entries."""

    language: Word
    entries: tuple[Entry, ...]


@frozen
class Entry(Node):
    """`action move = "move {b} {a}-{to}"`."""

    key: ValueKey | DeclarationKey | TextKey
    text: Word


@frozen
class ValueKey(Node):
    """`Fox` or `Area.Shore`: the key of a value, or of an alternative of a reading."""

    type: Word | None
    name: Word


@frozen
class DeclarationKey(Node):
    """`rule no-peeking` or `action move summary`."""

    kind: Word
    name: Word
    summary: Word | None


@frozen
class TextKey(Node):
    """`text "{b} has moved"`: the text of a clause after `because`."""

    text: Word


# ---------------------------------------------------------------- statements
@frozen
class Block(Node):
    """The statements under one line."""

    statements: tuple[Statement, ...]


@frozen
class Assign(Node):
    """`strength[b] := 1`."""

    place: Place
    value: Expr


@frozen
class Increase(Node):
    """`year += 1`."""

    place: Place
    value: Expr


@frozen
class Decrease(Node):
    """`year -= 1`."""

    place: Place
    value: Expr


@frozen
class Add(Node):
    """`add b to reserve`."""

    value: Expr
    place: Place


@frozen
class Remove(Node):
    """`remove b from reserve`."""

    value: Expr
    place: Place


@frozen
class Clear(Node):
    """`clear moved, used`."""

    places: tuple[Place, ...]


@frozen
class Let(Node):
    """`let a = place[b]`."""

    name: Word
    value: Expr


@frozen
class If(Node):
    """`if …`, its block, and perhaps `elif` and `else`."""

    condition: Expr
    block: Block
    rest: tuple[Elif | Block, ...]


@frozen
class Elif(Node):
    """`elif …` and its block."""

    condition: Expr
    block: Block


@frozen
class For(Node):
    """`for s in defender, attacker`."""

    name: Word
    domain: Expr | Range | List
    block: Block


@frozen
class Range(Node):
    """`1..3` as the domain of a loop."""

    low: Expr
    high: Expr


@frozen
class List(Node):
    """`A, B, C` as the domain of a loop."""

    items: tuple[Expr, ...]


@frozen
class While(Node):
    """`while some ready up to 40`."""

    condition: Expr
    bound: Expr | None
    block: Block


@frozen
class Choose(Node):
    """`choose s: fire, retreat`."""

    player: Expr
    actions: Words


@frozen
class ChooseEach(Node):
    """`choose each s in Side: play`."""

    name: Word
    players: Expr
    actions: Words


@frozen
class Roll(Node):
    """`roll strength[b] d6 as dice for b`."""

    number: Expr | None
    die: Word
    name: Word
    keys: tuple[Expr, ...] | None


@frozen
class Draw(Node):
    """`draw c from Card weighted deck[c] for year`."""

    name: Word
    source: Expr
    weight: Expr | None
    keys: tuple[Expr, ...] | None


@frozen
class Shuffle(Node):
    """`shuffle Card into order for year`."""

    source: Expr
    into: Word
    keys: tuple[Expr, ...] | None


@frozen
class Call(Node):
    """`hit(b)`: an event, a phase or a stage."""

    name: Word
    args: tuple[Expr, ...] | None


@frozen
class Win(Node):
    """`win Red`, `win Red, Blue`, `win none`, or `win` and a set of players."""

    player: Expr
    others: tuple[Expr, ...] | None


@frozen
class Leave(Node):
    """`leave`: out of the nearest loop."""


@frozen
class Return(Node):
    """`return`: out of the phase."""


@frozen
class Step(Node):
    """`step order` and the statements of that name; in an amendment without them, those of before."""

    name: Word
    block: Block | None


@frozen
class Place(Node):
    """`strength[b]` where it is written to."""

    name: Word
    keys: tuple[Expr, ...] | None


# ---------------------------------------------------------------- expressions
@frozen
class Conditional(Node):
    """`if c then x else y`, also from `elif` on."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Or(Node):
    """`a or b`."""

    parts: tuple[Expr, ...]


@frozen
class And(Node):
    """`a and b`."""

    parts: tuple[Expr, ...]


@frozen
class Not(Node):
    """`not a`."""

    body: Expr


@frozen
class Some(Node):
    """`some S`."""

    body: Expr


@frozen
class NoneOf(Node):
    """`no S`."""

    body: Expr


@frozen
class Quantifier(Node):
    """What the six forms `word x in S: e` share."""

    name: Word
    source: Expr
    body: Expr


@frozen
class SomeIn(Quantifier):
    """`some x in S: c`."""


@frozen
class AllIn(Quantifier):
    """`all x in S: c`."""


@frozen
class NoneIn(Quantifier):
    """`no x in S: c`."""


@frozen
class SumIn(Quantifier):
    """`sum x in S: n`."""


@frozen
class MaxIn(Quantifier):
    """`max x in S: n`."""


@frozen
class MinIn(Quantifier):
    """`min x in S: n`."""


@frozen
class ReachIn(Quantifier):
    """`reach x from S: T`: the members of `S`, and those of `T` for each of them, and so on."""


@frozen
class DistanceIn(Node):
    """`distance x from S to G: T`: how many steps lead from a member of `S` to one of `G`."""

    name: Word
    source: Expr
    goal: Expr
    body: Expr


@frozen
class LetIn(Node):
    """`let x = v, y = w: e`."""

    lets: tuple[Binding, ...]
    body: Expr


@frozen
class AfterIn(Node):
    """`after march(b, to) by s: e`: the value of `e` in the state that the effect of an action would make."""

    action: Word
    args: tuple[Expr, ...] | None
    player: Expr | None
    body: Expr


@frozen
class Compare(Node):
    """`a <= b`, `b in S`."""

    left: Expr
    operator: Word
    right: Expr


@frozen
class IsA(Node):
    """`place[b] is Area`."""

    body: Expr
    type: Word


@frozen
class ScenarioIs(Node):
    """`scenario = long-game`."""

    operator: Word
    name: Word


@frozen
class UnionOf(Node):
    """`S | T`."""

    parts: tuple[Expr, ...]


@frozen
class Intersection(Node):
    """`S & T`."""

    parts: tuple[Expr, ...]


@frozen
class Plus(Node):
    """`a + b`."""

    left: Expr
    right: Expr


@frozen
class Minus(Node):
    """`a - b`, of numbers or sets."""

    left: Expr
    right: Expr


@frozen
class Times(Node):
    """`a * b`."""

    left: Expr
    right: Expr


@frozen
class Div(Node):
    """`a div b`, rounded down."""

    left: Expr
    right: Expr


@frozen
class Mod(Node):
    """`a mod b`."""

    left: Expr
    right: Expr


@frozen
class Cast(Node):
    """`place[b] as Area`."""

    body: Expr
    type: Word


@frozen
class Negative(Node):
    """`-1`."""

    body: Expr


@frozen
class Number(Node):
    """`4`."""

    value: Word


@frozen
class Unlimited(Node):
    """`no limit`: more than any other number."""


@frozen
class Truth(Node):
    """`true`."""

    value: Word


@frozen
class Reference(Node):
    """`Shore`, `year`, `b`: a value, a variable, a local name or a type."""

    name: Word


@frozen
class Qualified(Node):
    """`Area.Shore`."""

    type: Word
    name: Word


@frozen
class Apply(Node):
    """`foe(s)`."""

    name: Word
    args: tuple[Expr, ...] | None


@frozen
class Index(Node):
    """`strength[b]`."""

    name: Word
    keys: tuple[Expr, ...]


@frozen
class Pair(Node):
    """`(a, b)`."""

    left: Expr
    right: Expr


@frozen
class Set(Node):
    """`{Shore, Hill}`."""

    members: tuple[Expr, ...]


@frozen
class Comprehension(Node):
    """`{b in Block where side[b] = s}`."""

    name: Word
    source: Expr
    condition: Expr | None


# ---------------------------------------------------------------- unions of nodes
Type = UnionType | NamedType | ProductType | RangeType | SetType | PairType | OptionalType
Part = Guard | ExceptionTo | Forbid | Allow | Exempt | Handler
Declaration = (
    Players
    | Clock
    | Map
    | Board
    | TypeAlias
    | Table
    | State
    | Secret
    | Define
    | Event
    | Action
    | Rule
    | Phase
    | Stage
    | Scenario
    | PositionEntry
    | Option
    | Reading
    | Invariant
    | Promise
    | Policy
    | Question
    | Label
)
Item = Ruleset | Amend | AmendPart | Repeal | Reword | Settle | Declaration
Statement = (
    Assign
    | Increase
    | Decrease
    | Add
    | Remove
    | Clear
    | Let
    | If
    | For
    | While
    | Choose
    | ChooseEach
    | Roll
    | Draw
    | Shuffle
    | Call
    | Win
    | Leave
    | Return
    | Step
)
Expr = (
    FirstOf
    | Conditional
    | Or
    | And
    | Not
    | Some
    | NoneOf
    | Quantifier
    | DistanceIn
    | LetIn
    | AfterIn
    | Compare
    | IsA
    | ScenarioIs
    | UnionOf
    | Intersection
    | Plus
    | Minus
    | Times
    | Div
    | Mod
    | Cast
    | Negative
    | Number
    | Unlimited
    | Truth
    | Reference
    | Qualified
    | Apply
    | Index
    | Pair
    | Set
    | Comprehension
)
