"""Rulesets that hypothesis makes up, with numbers and with sets of any width."""

from collections.abc import Sequence

from attrs import define
from hypothesis import strategies as st

TEXT = """ruleset made-1.0 "Made up"
type Side = Red | Blue
players Side
type Card = 0..{last}
table Suit §1 (worth: -3..9, worn: set of Suit, next: Suit?)
  Oak    4  Ash+Elm  Elm
  Ash   -3  -        -
  Elm    9  Oak      Oak
state
  deck       : set of Card
  hand[Side] : set of Card
  suits      : set of Suit
  trump      : Suit?
  top        : Card
  score      : -90..90
  gain[Side] : 0..500
  turn       : 0..99
clock turn
define suit(c: Card): Suit = if c mod 3 = 0 then Oak else if c mod 3 = 1 then Ash else Elm
{actions}action wait §1 "Wait."
  permit
phase game §1 "Rounds."
  for n in 1..12
    for s in Red, Blue
      turn += 1
      choose s: {names}, wait
  win {winners}
scenario table §1 "A table"
  deck := {{c in Card where c mod 7 < 5}}
  hand[Red] := {{c in Card where c mod 7 = 6}}
  game()
positions begin at game
invariant used §1
  score + gain[Red] + worth[suit(top)] < 99 or trump = next[Oak] or some worn[Oak] & suits or some deck | hand[Red]
"""


@define
class RulesetMaker:
    """Draws the parts of a ruleset; `cards` are the local names that stand for a card."""

    draw: st.DrawFn
    last: int
    names: int = 0

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def fresh(self) -> str:
        self.names += 1
        return f"x{self.names}"

    # -------------------------------------------------------------- expressions
    def number(self, depth: int, cards: Sequence[str]) -> str:
        if depth == 0:
            small = str(self.draw(st.integers(0, 12)))
            leaves = [small, "score", "gain[actor]", "gain[Red]", "turn", "top"]
            return self.pick(*leaves, *cards, f"worth[suit({self.card(cards)})]")
        one, other = (self.number(depth - 1, cards) for _ in range(2))
        match self.pick("sum", "product", "quotient", "extreme", "count", "total", "choice", "abs"):
            case "sum":
                return f"({one} {self.pick('+', '-')} {other})"
            case "product":
                return f"({one} * {self.draw(st.integers(0, 5))})"
            case "quotient":
                return f"({one} {self.pick('div', 'mod')} {self.draw(st.integers(1, 9))})"
            case "extreme":
                return f"{self.pick('min', 'max')}({one}, {other})"
            case "count":
                return f"count({self.set(depth - 1, cards)})"
            case "total":
                name = self.fresh()
                part = self.number(depth - 1, [*cards, name])
                return f"(sum {name} in {self.set(depth - 1, cards)}: {part})"
            case "abs":
                return f"abs({one})"
        return f"(if {self.condition(depth - 1, cards)} then {one} else {other})"

    def card(self, cards: Sequence[str]) -> str:
        return self.pick("top", str(self.draw(st.integers(0, self.last))), *cards)

    def set(self, depth: int, cards: Sequence[str]) -> str:
        leaves = ["deck", "hand[actor]", "hand[Blue]", f"{{top, {self.card(cards)}}}"]
        if depth == 0:
            return self.pick(*leaves)
        if self.pick("joined", "where") == "where":
            name = self.fresh()
            source = self.pick("Card", "deck", "hand[actor]")
            return f"{{{name} in {source} where {self.condition(depth - 1, [*cards, name])}}}"
        op = self.pick("|", "&", "-")
        return f"({self.set(depth - 1, cards)} {op} {self.set(depth - 1, cards)})"

    def condition(self, depth: int, cards: Sequence[str]) -> str:
        if depth == 0:
            return self.pick(
                f"{self.card(cards)} in {self.set(0, cards)}",
                f"{self.number(0, cards)} {self.pick('<', '<=', '=', '!=')} {self.number(0, cards)}",
                f"some {self.set(0, cards)}",
                f"suit({self.card(cards)}) in suits",
                f"trump = suit({self.card(cards)})",
                "(trump != none and some worn[trump] & suits)",
                f"next[suit({self.card(cards)})] = trump",
            )
        one, other = (self.condition(depth - 1, cards) for _ in range(2))
        match self.pick("compare", "and", "or", "not", "quantified", "equal"):
            case "compare":
                op = self.pick("<", "<=", "=", "!=", ">", ">=")
                return f"({self.number(depth - 1, cards)} {op} {self.number(depth - 1, cards)})"
            case "not":
                return f"(not {one})"
            case "quantified":
                name, word = self.fresh(), self.pick("some", "all", "no")
                part = self.condition(depth - 1, [*cards, name])
                return f"({word} {name} in {self.set(depth - 1, cards)}: {part})"
            case "equal":
                op = self.pick("=", "!=")
                return f"({self.set(depth - 1, cards)} {op} {self.set(depth - 1, cards)})"
            case word:
                return f"({one} {word} {other})"

    # -------------------------------------------------------------- statements
    def block(self, depth: int, cards: Sequence[str], indent: str) -> str:
        count = self.draw(st.integers(1, 3))
        return "".join(self.statement(depth, cards, indent) for _ in range(count))

    def statement(self, depth: int, cards: Sequence[str], indent: str) -> str:
        kinds = ["score", "gain", "set", "move", "top", "suits", "trump", "faulty"]
        if depth > 0:
            kinds += ["if", "for", "roll", "draw"]
        inner = indent + "  "
        match self.pick(*kinds):
            case "score":
                return f"{indent}score := ({self.number(2, cards)}) mod 90\n"
            case "gain":
                return f"{indent}gain[actor] := min(max({self.number(2, cards)}, 0), 500)\n"
            case "set":
                return f"{indent}{self.pick('deck', 'hand[actor]')} := {self.set(2, cards)}\n"
            case "move":
                verb, to = self.pick("add", "remove"), self.pick("deck", "hand[Red]")
                word = "to" if verb == "add" else "from"
                return f"{indent}{verb} {self.card(cards)} {word} {to}\n"
            case "top":
                return f"{indent}top := {self.card(cards)}\n"
            case "suits":
                word = self.pick("add {} to", "remove {} from").format(f"suit({self.card(cards)})")
                return f"{indent}{word} suits\n"
            case "trump":
                return f"{indent}trump := {self.pick('none', f'suit({self.card(cards)})')}\n"
            case "faulty":
                return f"{indent}score += {self.number(1, cards)}\n"
            case "if":
                test, body = self.condition(2, cards), self.block(depth - 1, cards, inner)
                return f"{indent}if {test}\n{body}"
            case "for":
                name, members = self.fresh(), self.set(1, cards)
                body = self.block(depth - 1, [*cards, name], inner)
                return f"{indent}for {name} in {members}\n{body}"
            case "roll":
                name = self.fresh()
                return f"{indent}roll 2d6 as {name}\n{indent}top := at_most({name}, 3)\n"
        name, source = self.fresh(), self.set(1, cards)
        drawn = f"{indent}draw {name} from {source} for score\n"
        return f"{drawn}{indent}add {name} to hand[actor]\n"

    # -------------------------------------------------------------- the whole
    def action(self, name: str) -> str:
        """An action on one card."""
        body = self.block(2, ["c"], "  ")
        rule = f"  permit when c in deck | hand[actor] and {self.condition(1, ['c'])}\n"
        return f'action {name}(c: Card) §1 "Do {name}."\n{rule}{body}'


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    """The text of a ruleset with one or two actions, and sets of up to 150 members. Some are faulty."""
    maker = RulesetMaker(draw, draw(st.sampled_from([5, 62, 63, 64, 149])))
    names = ["act", "do"][: draw(st.integers(1, 2))]
    actions = "".join(map(maker.action, names))
    winners = maker.pick(
        "none", "Red, Blue", "{s in Side where gain[s] > 0}", "if score > 0 then Blue else none"
    )
    return TEXT.format(last=maker.last, actions=actions, names=", ".join(names), winners=winners)
