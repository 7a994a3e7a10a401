"""A small ruleset with types of all kinds, and random conditions over it, as an author could write them.

The conditions go beyond what they are about: numbers below zero and outside what they are compared with, sets of
wider types, words at different places of their types, empty sets, absent values.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define, evolve, field

HEAD = """ruleset shapes-1.0 "Types of all kinds"
players Side
type Side = Red | Blue
type Place = Pool | Area | Dead
type Zone = Area | Limbo
type Low = 1..3
type Wide = 0..9
type Square = Cell(owner: Side, level: 1..3)
table Area §1 (worth: -2..5, cost: 2..4, next: set of Area, keeper: Piece?, gate: Place, lows: set of Low)
  Hill  -2  2  Lake+Moor  Fox  Fen   1+3
  Lake  5   4  Hill       -    Hill  -
  Moor  0   3  -          Owl  Dead  2
  Fen   -1  2  Fen+Hill   Fox  Fen   1+2+3
table Piece §1 (strong: 0..3, debt: -3..-1, home: Area?, goal: Place, side: Side, wild: bool)
  Fox  3  -1  Hill  Pool  Red   yes
  Hen  1  -3  -     Moor  Blue  no
  Dog  2  -2  Fen   Dead  Red   no
  Owl  0  -1  -     Fen   Blue  yes
state
  at[Piece]      : Place
  zone[Piece]    : Zone?
  box[Piece]     : Square
  power[Piece]   : 0..3
  mood[Piece]    : -2..2
  rank[Piece]    : 1..3
  tired[Piece]   : bool
  holder[Area]   : Piece?
  by[Low]        : -1..4
  score[Side]    : -9..40
  link[Area, Side] : bool
  seen[Side]     : set of Area
  herd           : set of Piece
  reached        : set of Place
  zones          : set of Zone
  wides          : set of Wide
  lows_now       : set of Low
  pairs          : set of (Side, Low)
  last           : (Side, -1..2)
  lead           : Piece?
  there          : Place
  spot           : Area
  k              : 1..3
  n              : 0..5
  m              : -4..4
define foe(s: Side): Side = if s = Red then Blue else Red
define group(s: Side, a: Area) = {p in Piece where side[p] = s and at[p] = a}
define near(a: Area) = {b in Area where b in next[a] or worth[b] = worth[a] + 1}
define price(a: Area, i: 0..3) = cost[a] * i - worth[a]
define sunk(p: Piece) = debt[p] + power[p]
define best(s: Side) = max p in {q in Piece where side[q] = s}: mood[p]
define open(a: Area) = no group(Red, a) or holder[a] = none
define nobody = {p in Piece where strong[p] > 3}
"""


PARAMS = (("a", "Area"), ("p", "Piece"), ("j", "Low"))


def actions(conditions: list[str], in_definitions: bool = False) -> str:
    """The rest of the ruleset: an action for each condition on its parameters, which may be that of a definition."""
    params, args = ", ".join(f"{name}: {kind}" for name, kind in PARAMS), "a, p, j"
    names = [f"act_{number}" for number in range(len(conditions))]
    lines = []
    for name, text in zip(names, conditions, strict=True):
        if in_definitions:
            lines += [f"define may_{name}({params}) = {text}"]
            text = f"may_{name}({args})"
        lines += [f'action {name}({params}) §1 "Act."', f"  permit when {text}"]
    declared = "\n".join(lines)
    return f"""{declared}
action pass §1 "Pass."
  permit
phase play §1 "Play."
  while n < 5 up to 5
    choose Red: {", ".join([*names, "pass"])}
    n := min(n + 1, 5)
scenario only §1 "Only"
  play()
invariant used §1
  all p in Piece: zone[p] = none or level[box[p]] + by[k] + score[Red] + right(last) + rank[p] + sunk(p) > best(Red)
      or p in herd or spot in reached or spot in near(spot) or Limbo in zones or 0 in wides or 1 in lows_now
      or some pairs or spot in seen[Red] or open(spot) or some nobody or price(spot, 1) > m + n or tired[p]
      or link[spot, foe(Red)] or lead = p or mood[p] + power[p] > strong[p] or home[p] = none or goal[p] = there
"""


@define
class Conditions:
    """Draws conditions; `locals_` are the names in scope, with their types. Those that are risky may fail in play."""

    chooser: Random
    is_risky: bool = False
    locals_: tuple[tuple[str, str], ...] = PARAMS
    _count: list[int] = field(factory=lambda: [0])

    # -------------------------------------------------------------- choices
    def _one(self, depth: int, leaves: list[str], *inner: Callable[[], str]) -> str:
        if depth <= 0 or (leaves and self.chooser.random() < 0.3):
            return self.chooser.choice(leaves)
        return self.chooser.choice(inner)()

    def _names(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.locals_ if kind in kinds] * 3

    def _with(self, kind: str) -> tuple[str, Conditions]:
        """A new local name, and what draws expressions with it."""
        self._count[0] += 1
        name = f"x{self._count[0]}"
        return name, evolve(self, locals_=(*self.locals_, (name, kind)))

    # -------------------------------------------------------------- words
    def piece(self, d: int) -> str:
        return self._one(d, [*self._names("Piece"), "Fox", "Owl"], lambda: self.piece(0))

    def area(self, d: int) -> str:
        return self._one(
            d, [*self._names("Area"), "Hill", "Fen", "spot"],
            lambda: f"(if {self.condition(d - 1)} then {self.area(d - 1)} else {self.area(d - 1)})",
            lambda: f"({self.place(d - 1)} as Area)" if self.is_risky else "spot",
            lambda: f"(gate[{self.area(d - 1)}] as Area)" if self.is_risky else "spot",
            lambda: f"the({self.set_of('Area', d - 1)})" if self.is_risky else "spot",
        )  # fmt: skip

    def side(self, d: int) -> str:
        return self._one(
            d, [*self._names("Side"), "Red", "Blue", *(f"side[{p}]" for p in self._names("Piece"))],
            lambda: f"foe({self.side(d - 1)})",
            lambda: f"owner[box[{self.piece(d - 1)}]]",
            lambda: "left(last)",
        )  # fmt: skip

    def place(self, d: int) -> str:
        """A word of some type that shares values with `Place`."""
        return self._one(
            d, [*self._names("Place", "Area", "Zone"), "Pool", "Dead", "there", "spot", "Area.Moor"],
            lambda: f"at[{self.piece(d - 1)}]",
            lambda: f"goal[{self.piece(d - 1)}]",
            lambda: f"gate[{self.area(d - 1)}]",
            lambda: self.area(d - 1),
            lambda: f"(if {self.condition(d - 1)} then {self.place(d - 1)} else {self.place(d - 1)})",
        )  # fmt: skip

    def zone(self, d: int) -> str:
        """A word of some type that shares values with `Zone?`."""
        return self._one(
            d, [*self._names("Zone", "Area"), "Limbo", "none", "Hill", "spot"],
            lambda: f"zone[{self.piece(d - 1)}]",
            lambda: f"home[{self.piece(d - 1)}]",
            lambda: self.area(d - 1),
        )  # fmt: skip

    def maybe_piece(self, d: int) -> str:
        return self._one(
            d, [*self._names("Piece"), "none", "lead", "Hen"],
            lambda: f"holder[{self.area(d - 1)}]",
            lambda: f"keeper[{self.area(d - 1)}]",
        )  # fmt: skip

    def square(self, d: int) -> str:
        return self._one(
            d, [*self._names("Square"), "Cell_Red_2"],
            lambda: f"box[{self.piece(d - 1)}]",
            lambda: f"Cell({self.side(d - 1)}, {self.chooser.choice(['k', '1', f'rank[{self.piece(0)}]'])})",
        )  # fmt: skip

    # -------------------------------------------------------------- numbers
    def number(self, d: int) -> str:
        numbers = self._names("Low", "Wide")

        return self._one(
            d, [*numbers, "n", "m", "k", "0", "2", "-1"],
            *[lambda: "({} {} {})".format(self.number(d - 1), self.chooser.choice("+-*"), self.number(d - 1))] * 3,
            lambda: f"({self.number(d - 1)} div {self._divisor(d)})",
            lambda: f"({self.number(d - 1)} mod {self._divisor(d)})",
            lambda: f"(-{self.number(d - 1)})",
            lambda: f"abs({self.number(d - 1)})",
            lambda: f"{self.chooser.choice(['min', 'max'])}({self.number(d - 1)}, {self.number(d - 1)})",
            lambda: f"(if {self.condition(d - 1)} then {self.number(d - 1)} else {self.number(d - 1)})",
            *[lambda: "{}[{}]".format(
                self.chooser.choice(["strong", "debt", "power", "mood", "rank"]), self.piece(d - 1)
            )] * 3,
            lambda: "{}[{}]".format(self.chooser.choice(["worth", "cost"]), self.area(d - 1)),
            lambda: f"by[{self.chooser.choice(['k', '1', '3', *self._names('Low')])}]",
            lambda: f"score[{self.side(d - 1)}]",
            lambda: f"level[{self.square(d - 1)}]",
            lambda: "right(last)",
            lambda: f"count({self.any_set(d - 1)[0]})",
            lambda: f"ordinal({self.chooser.choice([self.place, self.area, self.zone])(d - 1)})",
            lambda: f"price({self.area(d - 1)}, {self.chooser.choice(['k', '0', '3', f'strong[{self.piece(0)}]'])})",
            lambda: f"sunk({self.piece(d - 1)})",
            lambda: f"best({self.side(d - 1)})",
            *[lambda: self._quantified(self.chooser.choice(["sum", "max", "min"]), d)] * 2,
            lambda: f"by[{self.number(d - 1)}]" if self.is_risky else "k",
            lambda: f"price({self.area(0)}, {self.number(d - 1)})" if self.is_risky else "n",
        )  # fmt: skip

    def _divisor(self, d: int) -> str:
        return self._one(
            d - 1, ["2", "3", "k"],
            lambda: f"max({self.number(d - 2)}, 1)",
            lambda: f"cost[{self.area(d - 2)}]",
            lambda: f"(abs({self.number(d - 2)}) + 1)",
        )  # fmt: skip

    # -------------------------------------------------------------- sets
    def any_set(self, d: int) -> tuple[str, str]:
        """A set, and the type of its members."""
        kind = self.chooser.choice(["Piece", "Area", "Place", "Zone", "Low", "Wide", "Pair"])
        return self.set_of(kind, d), kind

    def set_of(self, kind: str, d: int) -> str:
        named = {
            "Piece": ["Piece", "herd", "nobody", "{Fox, Dog}"],
            "Area": ["Area", "{spot}", "seen[Red]", "{Hill, Moor}", "next[Fen]"],
            "Place": ["Place", "reached", "{there, Dead}", "{there, spot}"],
            "Zone": ["Zone", "zones", "{spot, Limbo}"],
            "Low": ["Low", "lows_now", "{1, 3}", "{k}"],
            "Wide": ["Wide", "wides", "{n, k}", "{0, 9}", "lows_now"],
            "Pair": ["pairs", "{(Red, k), (Blue, k)}", "{(Blue, k)}"],
        }[kind]  # fmt: skip
        more: list[Callable[[], str]] = [
            lambda: (
                f"({self.set_of(kind, d - 1)} {self.chooser.choice('|&-')} {self.set_of(kind, d - 1)})"
            ),
            *[lambda: self._comprehension(kind, d)] * 3,
        ]
        if kind == "Piece":
            more += [
                lambda: f"group({self.side(d - 1)}, {self.area(d - 1)})",
                lambda: f"{{{self.piece(d - 1)}, Hen}}",
            ]
        if kind == "Area":
            more += [
                lambda: f"near({self.area(d - 1)})",
                lambda: f"next[{self.area(d - 1)}]",
                lambda: f"seen[{self.side(d - 1)}]",
            ]
        if kind in ("Place", "Zone"):
            more.append(lambda: f"({self.set_of('Area', d - 1)} | {self.set_of(kind, d - 1)})")
            more.append(
                lambda: (
                    f"{{{self.place(d - 1)}, {self.place(d - 1)}}}" if kind == "Place" else "zones"
                )
            )
        if kind in ("Low", "Wide"):
            more += [
                lambda: f"lows[{self.area(d - 1)}]",
                lambda: f"{{abs({self.number(d - 1)}), k}}",
                lambda: f"({self.set_of('Low', d - 1)} | {self.set_of(kind, d - 1)})",
            ]
        return self._one(d, named, *more)

    def _member(self, kind: str, d: int) -> str:
        match kind:
            case "Piece":
                return self.maybe_piece(d)
            case "Area":
                return self.chooser.choice([self.area, self.place])(d)
            case "Place":
                return self.place(d)
            case "Zone":
                return self.zone(d)
            case "Pair":
                return f"({self.side(d)}, {self.chooser.choice(['k', *self._names('Low')])})"
        return self.number(d)

    def _comprehension(self, kind: str, d: int) -> str:
        source = self.set_of(kind, d - 1)
        name, inner = self._with(kind)
        return f"{{{name} in {source} where {inner.condition(d - 1)}}}"

    def _quantified(self, word: str, d: int) -> str:
        source, kind = self.any_set(d - 1)
        name, inner = self._with(kind)
        body = inner.number(d - 1) if word in ("sum", "max", "min") else inner.condition(d - 1)
        return f"({word} {name} in {source}: {body})"

    # -------------------------------------------------------------- conditions
    def condition(self, d: int) -> str:
        pieces, areas = self._names("Piece"), self._names("Area")
        leaves = [
            *(f"tired[{p}]" for p in pieces),
            *(f"power[{p}] = n" for p in pieces),
            *(f"at[{p}] = there" for p in pieces),
            *(f"worth[{a}] = m" for a in areas),
            *(f"{a} in reached" for a in areas),
            "tired[Fox]", "wild[Owl]", "link[spot, Red]", "n > 2", "m < k", "lead = none",
        ]  # fmt: skip
        compared = ["=", "!=", "<", "<=", ">", ">="]
        return self._one(
            d, leaves,
            *[lambda: f"{self.number(d - 1)} {self.chooser.choice(compared)} {self.number(d - 1)}"] * 3,
            *[lambda: self._compared(d)] * 4,
            *[lambda: self._member_of(d)] * 4,
            lambda: f"({self.condition(d - 1)} and {self.condition(d - 1)})",
            lambda: f"({self.condition(d - 1)} or {self.condition(d - 1)})",
            lambda: f"(not {self.condition(d - 1)})",
            lambda: "(if {} then {} else {})".format(*(self.condition(d - 1) for _ in range(3))),
            *[lambda: self._quantified(self.chooser.choice(["some", "all", "no"]), d)] * 4,
            lambda: "({} {})".format(self.chooser.choice(["some", "no"]), self.any_set(d - 1)[0]),
            lambda: self._same_sets(d),
            lambda: self._guarded(d),
            lambda: f"open({self.area(d - 1)})",
            lambda: f"link[{self.area(d - 1)}, {self.side(d - 1)}]",
        )  # fmt: skip

    def _compared(self, d: int) -> str:
        draw = self.chooser.choice(
            [self.place, self.zone, self.maybe_piece, self.side, self.square]
        )
        return f"{draw(d - 1)} {self.chooser.choice(['=', '!='])} {draw(d - 1)}"

    def _member_of(self, d: int) -> str:
        members, kind = self.any_set(d - 1)
        return f"{self._member(kind, d - 1)} {self.chooser.choice(['in', 'not in'])} {members}"

    def _same_sets(self, d: int) -> str:
        kind = self.chooser.choice(["Piece", "Area", "Place", "Zone", "Low", "Wide"])
        return f"({self.set_of(kind, d - 1)} {self.chooser.choice(['=', '!='])} {self.set_of(kind, d - 1)})"

    def _guarded(self, d: int) -> str:
        p = self.piece(0)
        return self.chooser.choice(
            [
                f"(at[{p}] is Area and worth[at[{p}]] {self.chooser.choice('=<>')} {self.number(d - 1)})",
                f"(at[{p}] in {{Pool, Dead}} or at[{p}] in near({self.area(d - 1)}))",
                f"(zone[{p}] is Area and zone[{p}] in {self.set_of('Area', d - 1)})",
                f"(lead != none and mood[lead] = {self.number(d - 1)})",
                f"(home[{p}] != none and cost[home[{p}]] = {self.number(d - 1)})",
                f"(there is Area and the({{x in Area where x = there}}) in {self.set_of('Area', d - 1)})"
                if self.is_risky
                else f"(there is Area and there in {self.set_of('Area', d - 1)})",
            ]
        )
