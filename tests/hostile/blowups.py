"""Small rulesets made to take for ever or to fill the memory, and long texts made to be read slowly."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

# A ruleset with a place for each kind of declaration.
FRAME = """ruleset blow-1.0 "Made to explode"
players Side
clock turn
type Side = Red | Blue
type Num = 0..9
{types}table Spot §1 (worth: 0..3)
  North     1
  South     2
state
  turn  : 1..9 = 1
  n     : 0..1000000000
  spot  : Spot
  num   : Num
{state}{before}action rest{params} §1 "Rest."
  permit{when}
  n := 1
{rules}phase game §1 "Play."
{body}  for i in 1..8
    for t in Side
      choose t: rest{more}
    turn += 1
  win none
scenario short §1 "Short"
  spot := South
  num := worth[spot]
  if num = 9
    n := 0
  game()
positions begin at game
"""
WAYS = (
    "start",
    "view",
    "refused",
    "why not",
    "odds",
    "worlds",
    "position",
    "play",
    "replay",
    "ask",
)
Parts = dict[str, str]


def framed(**parts: str) -> str:
    """A ruleset with some parts; each ends with a line break."""
    empty = dict.fromkeys(("types", "state", "before", "params", "when", "rules", "more"), "")
    return FRAME.format(**{**empty, "body": "  n := 0\n", **parts})


def big(size: int) -> str:
    """A type with many words."""
    return f"type Big = {' | '.join(f'A{i}' for i in range(size))}\n"


def nested(depth: int, most: int, body: str, indent: str = "  ") -> str:
    """Loops in loops around a statement."""
    lines = [f"{indent}{'  ' * i}for a{i} in 1..{most}\n" for i in range(depth)]
    return "".join(lines) + f"{indent}{'  ' * depth}{body}\n"


def chain(kind: str, length: int, calls: int) -> str:
    """Events or phases that each call the next one several times."""
    if kind == "event":
        heads = "".join(f'event e{i}() §1 "e"\n' for i in range(length + 1))
        return (
            heads
            + "".join(
                f'rule r{i} §1 "r"\n  on e{i}\n' + f"    e{i + 1}()\n" * calls
                for i in range(length)
            )
            + f'rule r{length} §1 "r"\n  on e{length}\n    n := 1\n'
        )
    phases = [f'phase p{i} §1 "p"\n' + f"  p{i + 1}()\n" * calls for i in range(length)]
    return "".join(phases) + f'phase p{length} §1 "p"\n  n := 2\n'


def _dice_and_steps(c: Random) -> Parts:
    steps = nested(c.randrange(1, 4), c.choice((10, 1000, 1_000_000)), "n := a0 + x", "    ")
    return {
        "body": f"  for j in 1..{c.choice((10, 1000, 1_000_000))}\n    roll d6 as x for j\n{steps}"
    }


def _steps(c: Random) -> Parts:
    return {"body": nested(c.randrange(1, 6), c.choice((9, 300, 3000, 1_000_000)), "n := a0")}


def _while(c: Random) -> Parts:
    roll = "    roll d6 as x\n" if c.random() < 0.5 else ""
    return {"body": f"  while true up to {c.choice((999, 1_000_000))}\n{roll}    n := 3\n"}


def _choices(c: Random) -> Parts:
    most, names = c.choice((9, 99, 999)), "pqrs"[: c.randrange(1, 5)]
    params = f"({', '.join(f'{name}: 0..{most}' for name in names)})"
    others = [f"r{i}" for i in range(c.choice((0, 3, 50)))]
    actions = "".join(f'action {name}{params} §1 "x"\n  permit\n  n := 2\n' for name in others)
    more = "".join(f", {name}" for name in others)
    parts = {"params": params, "before": actions, "more": more}
    if c.random() < 0.3:
        parts |= {"types": big(1000), "when": " when (sum x in Big: if x = A1 then p else 1) > 3"}
    return parts


def _numbers(c: Random) -> Parts:
    kind = c.choice(("0..99999999999", "set of 0..1000000000", "set of 0..1023", "set of set of Num",
                     "set of ((Num, Num), (Num, Num))", "0..9"))  # fmt: skip
    count = c.randrange(1, 9) if kind == "0..9" else 0
    keys, one = (f"[{', '.join([word] * count)}]" if count else "" for word in ("Num", "3"))
    used = f"invariant used §1\n  big{one} = big{one}\n"
    return {"state": f"  big{keys} : {kind}\n", "before": used}


def _deep(c: Random) -> Parts:
    depth = c.choice((20, 59, 500, 3000, 30_000))
    value = c.choice(("(" * depth + "1" + ")" * depth, "-(" * depth + "1" + ")" * depth,
                      " + ".join(["1"] * depth), " * ".join(["1000000"] * depth),
                      "if true then 1 else " * depth + "2"))  # fmt: skip
    test = c.choice(("not " * depth + "true", " or ".join(["n = 1"] * depth)))
    return {"body": f"  n := {value}\n" if c.random() < 0.5 else f"  if {test}\n    n := 1\n"}


def _definitions(c: Random) -> Parts:
    length = c.choice((20, 40, 400))
    sums = "define d0 = 1\n" + "".join(
        f"define d{i} = d{i - 1} + d{i - 1}\n" for i in range(1, length)
    )
    sets = "define e0 = {x in Spot where true}\n" + "".join(
        f"define e{i} = {{x in e{i - 1} where x in e{i - 1}}}\n" for i in range(1, length)
    )
    if c.random() < 0.5:
        return {"before": sums, "body": f"  n := d{length - 1}\n"}
    return {"before": sets, "body": f"  n := count(e{length - 1})\n"}


def _tables(c: Random) -> Parts:
    most, keys = c.choice((9, 63, 255)), c.randrange(1, 4)
    params = ", ".join(f"k{i}: 0..{most}" for i in range(keys))
    sums = "".join(f"sum x{i} in Big: " for i in range(c.randrange(1, 4)))
    args = ", ".join(c.choice(("3", "turn")) for _ in range(keys))
    calls = f"  n := t({args})\n" * c.choice((1, 200))
    table = f"define t({params}) = {sums}if x0 = A3 then k0 else 1\n"
    return {"types": big(c.choice((100, 1000))), "before": table, "body": calls}


def _quantifiers(c: Random) -> Parts:
    depth = c.randrange(2, 7)
    some = "".join(f"some a{i} in Big: " for i in range(depth))
    same = " and ".join(f"a{i} = a0" for i in range(depth))
    return {
        "types": big(c.choice((30, 100, 1000))),
        "body": f"  if {some}{same} and n = 5\n    n := 1\n",
    }


def _chains(c: Random) -> Parts:
    kind, length = c.choice(("event", "phase")), c.choice((5, 20, 40, 1000))
    calls = c.choice((1, 2, 3, 10)) if length < 1000 else 1
    first = "e0" if kind == "event" else "p0"
    return {"rules": chain(kind, length, calls), "body": f"  {first}()\n"}


def _dice(c: Random) -> Parts:
    number, sides = c.choice((1, 2, 4, 8, 16)), c.choice((6, 20, 100, 1_000_000, 1_000_000_000))
    head = f"{number} d{sides}" if number > 1 else f"d{sides}"
    use = "at_most(x, 3)" if number > 1 else "x"
    rest = "  choose Red: rest\n" if c.random() < 0.5 else ""
    return {
        "body": f"{rest}  for j in 1..{c.choice((1, 10))}\n    roll {head} as x for j\n    n := {use}\n"
    }


def _settings(c: Random) -> Parts:
    number, most = c.choice((1, 30, 300)), c.choice((1, 1000, 1_000_000_000))
    options = "".join(f'option o{i} : 0..{most} = 1 §1 "x"\n' for i in range(number))
    return {"rules": options, "body": "".join(f"  n := o{i}\n" for i in range(number))}


def _secrets(c: Random) -> Parts:
    size = c.choice((30, 300, 1000))
    state = "  ord[Big] : 0..1000\n  own[Big] : Side\n"
    secret = c.choice(("secret Big[b] known to own[b] §1\n", "secret ord[b] known to own[b] §1\n"))
    total = f"invariant total §1\n  (sum b in Big: ord[b]) = {size * 5}\n"
    pairs = "invariant pairs §1\n  all a in Big: all b in Big: ord[a] = ord[b] or own[a] = own[b]\n"
    claim = c.choice(("", total, pairs))
    body = "  for b in Big\n    ord[b] := 5\n    own[b] := Blue\n"
    return {"types": big(size), "state": state, "before": secret + claim, "body": body}


def _order(c: Random) -> Parts:
    size = c.choice((100, 1000))
    return {
        "types": big(size),
        "state": f"  ord[Big] : 0..{size}\n",
        "body": "  shuffle Big into ord\n  draw x from Big weighted ord[x]\n  n := ord[x]\n",
    }


PARTS: tuple[Callable[[Random], Parts], ...] = (
    _dice_and_steps, _steps, _while, _choices, _numbers, _deep, _definitions, _tables, _quantifiers, _chains,
    _dice, _settings, _secrets, _order,
)  # fmt: skip


def blow_up(chooser: Random) -> tuple[str, str]:
    """A small ruleset that grows when it is used, and what to do with it: one of `WAYS`."""
    parts = chooser.choice(PARTS)(chooser)
    return framed(**parts), chooser.choice(WAYS)


def long_text(chooser: Random) -> str:
    """A text of a ruleset, up to half a megabyte, made of the same faults or near misses."""
    size = chooser.choice((1000, 10_000, 100_000, 500_000))
    head = 'ruleset long-1.0 "Long"\n'
    line, end = chooser.choice(
        (
            ("#" * 49 + "\n", "x"),
            ("define n{n} = absent{n}\n", ""),
            ("define " + "nearly" * 11 + "{n} = " + "nearlx" * 11 + "{n}\n", ""),
            ("(" * 90 + "\n", ""),
            ("define x = " + "(" * 45 + "1" + ")" * 45 + "\n", ""),
            ("x", ""),
            ('"', ""),
            ("table T{n} §1 (a: 0..3)\n  Row{n} 9\n", ""),
            ("type T = A\n", ""),
            (" " * 90 + "x\n", ""),
            ("\t", "x"),
            ("rule r{n} §1 \"r\"\n  on absent(x)\n    y := 1\n", ""),
            ("  " * 3 + "if true\n", ""),
            ("é" * 30 + "\n", ""),
            ("label en\n  text \"t{n}\" = \"x\"\n", ""),
            ("amend rule r{n} §1 \"x\"\n", ""),
            ("phase p{n} §1 \"p\"\n  choose Nobody: absent\n", ""),
            ("1 + ", "1"),
            ("{{", ""),
        )
    )  # fmt: skip
    lines = (line.format(n=n) if "{n}" in line else line for n in range(size // len(line) + 1))
    return head + "".join(lines)[:size] + end
