"""`after`: every machine gives what the statements of the action do, one by one, and the state stays as it is."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.link import link_rules
from hots_rules.rules.ad_hoc import ExpressionParser
from tests.compile.conditions import HEAD, Conditions, actions
from tests.compile.test_compile import evaluator, machine_and_meaning, random_slots
from tests.compile.test_conditions import accepted, listed, listers, meant
from tests.native.stepping import check_equal_games
from tests.playing import ruleset_of
from tests.sizes import sample_size

EFFECTS = """event struck(q: Piece, i: Low) "struck"
event lost(q: Piece) "lost"
action shift(a: Area, p: Piece, j: Low) §1 "Every statement."
  let before = there
  at[p] := a
  power[p] := min(power[p] + j, 3)
  struck(p, j)
  add a to seen[actor]
  remove p from herd
  clear tired[p], link, lead
  for x in {q in Piece where at[q] = a}
    mood[x] := max(mood[x] - 1, -2)
    if mood[x] < -1
      leave
  for i in 1..j
    rank[p] := i
  while n < 4 up to j
    n += 1
  there := if some x in herd: at[x] = before then a else before
  if score[actor] > 30
    win foe(actor)
  else
    score[actor] := min(score[actor] + j, 40)
  settled(a)
rule a-blow §1 "A blow."
  on struck(q, i) when power[q] > 1
    box[q] := Cell(side[q], i)
    lost(q)
rule no-blow §1 "None."
  instead of lost(q) when wild[q]
    holder[spot] := q
rule a-loss §1 "Lost."
  before lost(q)
    m := max(m - 1, -4)
  on lost(q)
    zone[q] := Limbo
  after lost(q) when n > 2
    k := ordinal(q) mod 3 + 1
phase settled(b: Area) §1 "A phase without a choice."
  if b = spot
    return
  by[k] := if tired[Fox] then 4 else 2
"""


def with_effects(conditions: list[str], in_definitions: bool = False) -> str:
    """A ruleset with conditions, and an action that each of them can ask about."""
    rest = actions(conditions, in_definitions).replace(", pass\n", ", pass, shift\n")
    return (
        HEAD
        + rest
        + EFFECTS.replace('one."\n  let', 'one."\n  permit\n  let').replace(
            'statement."\n', 'statement."\n  permit when n > 4\n'
        )
    )


KINDS = {
    "a change": "(after shift(a, p, j): at[p] = a and rank[p] = j)",
    "what stays": "(after shift(a, p, j): mood[Hen] > 0 or lead != none)",
    "an event": "(after shift(a, p, j): zone[p] = Limbo or holder[spot] = p)",
    "a definition": "(after shift(a, p, j): open(a) and a in near(spot) and best(Red) > sunk(p))",
    "of another player": "(after shift(a, p, j) by foe(side[p]): score[Blue] > 20 and spot in seen[Blue])",
    "a value before": "(let x = at[p]: after shift(a, p, j): at[p] = x)",
    "a number": "((after shift(a, p, j): score[Red] + n + m) > 9)",
    "a set": "(p in (after shift(a, p, j): group(side[p], a) | herd))",
    "one in another": "(after shift(a, p, j): after shift(spot, Hen, k): at[p] != at[Hen] and n > 3)",
    "under a quantifier": "(some q in Piece: after shift(a, q, j): all x in herd: at[x] != a)",
    "after a quantifier": "(after shift(a, p, j): some q in Piece: q != p and at[q] = at[p])",
    "what a condition ensures": "(at[p] is Area and next[at[p] as Area] != {} and (after shift(a, p, j): there = a))",
}


def assert_machines_agree(text: str, chooser: Random, states: int = 12) -> int:
    """Hold the lists of all machines against the plain evaluator in random states; return how many are not empty."""
    machine, book, schema = machine_and_meaning(text)
    linked, start = link_rules(book.typed, {}), machine.begin("only")
    machine.run(start, start[0], "1")
    both, several = listers(machine), 0
    for _ in range(states):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = start[0]
        expected = meant(linked, evaluator(book, schema, slots))
        for lister in both:
            before = list(slots)
            assert listed(lister, slots) == expected
            assert slots == before
        several += bool(expected)
    return several


@pytest.mark.parametrize("kind", KINDS)
def test_what_follows_is_what_the_evaluator_says(kind: str) -> None:
    assert assert_machines_agree(with_effects([KINDS[kind]]), Random(kind))


def test_a_definition_computes_its_arguments_before_the_action() -> None:
    text = with_effects(["moved(at[p], a, p, j)"]).replace(
        "event struck",
        "define moved(x: Place, a: Area, p: Piece, j: Low) = after shift(a, p, j) by Red: at[p] != x\nevent struck",
    )
    assert assert_machines_agree(text, Random(4))


@pytest.mark.thorough
@pytest.mark.parametrize("is_risky", [False, True])
@pytest.mark.parametrize("in_definitions", [False, True])
def test_conditions_after_an_action_list_what_they_mean(
    is_risky: bool, in_definitions: bool
) -> None:
    chooser = Random(f"after {is_risky} {in_definitions}")
    rulesets, each = (sample_size(8, 200), 1) if is_risky else (sample_size(2, 40), 8)
    draw = Conditions(chooser, is_risky)
    by = " by side[p]" if in_definitions else ""
    for _ in range(rulesets):
        drawn = [draw.condition(chooser.randint(2, 4)) for _ in range(each)]
        conditions = accepted(drawn, in_definitions=in_definitions)
        asked = [f"(after shift(a, p, j){by}: {condition})" for condition in conditions]
        if asked:
            assert_machines_agree(with_effects(asked, in_definitions), chooser, 3)


# ---------------------------------------------------------------- a game
KINGS = """ruleset kings-1.0 "Kings and rooks"
players Side
type Side = White | Black
type Man = King | Rook
type Piece = Man_of(colour: Side, man: Man)
type Board = Cell(file: 1..4, rank: 1..4)
board Board as squares with diagonals
state
  man_on[Board] : Piece?
  taken_men     : 0..9
event captured() "a man is captured"
define men(s: Side) = {x in Board where man_on[x] in {Man_of(s, King), Man_of(s, Rook)}}
define king(s: Side) = {x in Board where man_on[x] = Man_of(s, King)}
define taken = men(White) | men(Black)
define foe(s: Side): Side = if s = White then Black else White
define lines(x: Board) = {y in Board where (file[x] = file[y] or rank[x] = rank[y]) and no between(x, y) & taken} - {x}
define reached(x: Board, s: Side) = if x in king(s) then near(x) else lines(x)
define in_check(s: Side) = some x in men(foe(s)): some reached(x, foe(s)) & king(s)
define mated(s: Side) = in_check(s)
  and (all x in men(s): all y in reached(x, s) - men(s): after move(x, y) by s: in_check(s))
action move(x: Board, y: Board) §1 "A man goes along a free line, the king a step."
  permit when x in men(actor) and y in reached(x, actor) - men(actor)
  if man_on[y] != none
    captured()
  man_on[y] := man_on[x]
  clear man_on[x]
action pass §1 "Pass."
  permit when not in_check(actor)
rule safe §1 "Nobody moves into check."
  forbid move(x, y) when after move(x, y): in_check(actor)
rule count §1 "Captures are counted."
  on captured
    taken_men += 1
phase game §1 "In turn."
  for n in 1..30
    for s in White, Black
      choose s: move, pass
      if mated(foe(s))
        win s
  win none
invariant few §1
  taken_men < 4
scenario first §1 "Rooks"
  man_on[Cell_1_1] := Man_of(White, King)
  man_on[Cell_2_1] := Man_of(White, Rook)
  man_on[Cell_3_2] := Man_of(White, Rook)
  man_on[Cell_4_4] := Man_of(Black, King)
  man_on[Cell_3_4] := Man_of(Black, Rook)
  game()
"""


def attacked(men: dict[tuple[int, int], str], side: str) -> bool:
    """Whether the king of a side is attacked, by a plain search."""
    (king,) = (cell for cell, man in men.items() if man == f"Man_of_{side}_King")
    for cell, man in men.items():
        across, up = cell[0] - king[0], cell[1] - king[1]
        if side in man:
            continue
        if "King" in man and max(abs(across), abs(up)) == 1:
            return True
        if "Rook" in man and (across == 0) != (up == 0):
            step = ((across > 0) - (across < 0), (up > 0) - (up < 0))
            between = (king[0] + step[0], king[1] + step[1])
            while between != cell and between not in men:
                between = (between[0] + step[0], between[1] + step[1])
            if between == cell:
                return True
    return False


def men_of(game: hr.Game) -> dict[tuple[int, int], str]:
    men = {}
    for cell, man in game.state["man_on"].items():
        if man is not None:
            _, file, rank = str(cell).split("_")
            men[int(file), int(rank)] = str(man)
    return men


def test_nobody_moves_into_check_and_each_move_out_of_it_is_legal() -> None:
    ruleset, checks = ruleset_of(KINGS), 0
    free = ruleset_of(
        KINGS.replace("  forbid move(x, y) when after", "  forbid move(x, y) when 1 = 2 and after")
    )
    for seed in range(6):
        game, other, chooser = (
            ruleset.start("first", seed=seed),
            free.start("first", seed=seed),
            Random(seed),
        )
        while not game.is_over:
            men, (side,) = men_of(game), game.to_move
            safe = set()
            for action in other.actions:
                if action.name == "pass":
                    safe.add(action.text)
                    continue
                x, y = (tuple(map(int, text.split("_")[1:])) for text in action.args.values())
                after = {cell: man for cell, man in men.items() if cell not in (x, y)} | {y: men[x]}
                if len([man for man in after.values() if "King" in man]) == 2 and not attacked(
                    after, side
                ):
                    safe.add(action.text)
            assert {action.text for action in game.actions} == safe
            checks += attacked(men, side)
            chosen = chooser.choice(game.actions).text
            game, other = game.play(chosen), other.play(chosen)
            if game.is_over != other.is_over:
                break
    assert checks


def test_machine_code_plays_the_same_games() -> None:
    ruleset = ruleset_of(KINGS)
    check_equal_games(ruleset.machine(ruleset.chosen({}, {})), "first", games=20, states=40)


def test_the_trace_tells_nothing_of_what_would_happen() -> None:
    game, chooser = ruleset_of(KINGS).start("first", seed=2), Random(2)
    while not game.is_over:
        before, game = game, game.play(chooser.choice(game.actions))
        changed = men_of(before) != men_of(game)
        told = [step for step in game.trace if step.name == "man_on"]
        assert bool(told) == changed
        assert len(told) <= 2


def test_why_not_names_the_position_after_the_move() -> None:
    game = ruleset_of(KINGS).start("first", seed=1)
    for text in ("White: move Cell 3 2 Cell 3 1", "Black: move Cell 3 4 Cell 1 4"):
        game = game.play(text)
    ruling = game.why_not("White: move Cell 1 1 Cell 1 2")
    (reason,) = (reason for reason in ruling.against if reason.rule == "safe")
    assert reason.found == (
        "after move Cell 1 1 Cell 1 2: what is both in reached of Cell 1 4, Black and in king of White: Cell 1 2"
    )
    assert reason.changes == ()


def test_a_policy_looks_ahead() -> None:
    text = KINGS.replace(
        "invariant few",
        'policy bold "Attack."\n  prefer move(x, y) when after move(x, y): in_check(foe(actor))\ninvariant few',
    )
    ruleset = ruleset_of(text)
    game = ruleset.start("first", seed=1)
    chosen = hr.analysis.PolicyBot("bold").choose(game, "White")
    assert attacked(men_of(game.play(chosen)), "Black")


# ---------------------------------------------------------------- faults
UNCERTAIN = """ruleset unsure-1.0 "Unsure"
players Side
type Side = White | Black
state
  n : 0..9
event hit() "a hit"
action strike(k: 0..2) §1 "Strike."
  permit when after strike(k): n > 2
  hit()
rule blow §1 "A blow."
  on hit
    roll d6 as die
    n := die
phase game §1 "Once."
  choose White: strike
  win none
scenario one §1 "One"
  game()
"""


def test_an_effect_with_dice_is_refused_where_it_is_asked_for() -> None:
    with pytest.raises(
        hr.RulesetError, match="the effect of `strike` is not certain: `hit` rolls dice"
    ):
        ruleset_of(UNCERTAIN)


def test_an_effect_that_depends_on_itself_is_refused() -> None:
    text = UNCERTAIN.replace(
        "roll d6 as die", "let die = if (after strike(1) by White: n > 1) then 2 else 3"
    )
    with pytest.raises(
        hr.RulesetError, match="the effect of `strike` depends on itself: strike → hit → strike"
    ):
        ruleset_of(text)


def test_who_acts_is_said_outside_a_clause() -> None:
    text = UNCERTAIN.replace("roll d6 as die", "let die = 3").replace(
        "  win none", "  if after strike(1): n > 1\n    win White\n  win none"
    )
    with pytest.raises(
        hr.RulesetError, match="`after strike` outside a clause about an action says not who acts"
    ):
        ruleset_of(text)


def test_what_is_known_does_not_hold_after_the_action() -> None:
    text = with_effects(["at[p] is Area and (after shift(a, p, j): next[at[p]] != {})"])
    with pytest.raises(hr.RulesetError, match="wrong-type"):
        machine_and_meaning(text)


def test_a_question_about_dice_from_outside_is_refused() -> None:
    text = UNCERTAIN.replace("after strike(k): n > 2", "true")
    parser = ExpressionParser(ruleset_of(text).rulebook)
    with pytest.raises(hr.RulesetError, match="not certain"):
        parser.parse("after strike(1) by White: n > 2")
