"""Compiled code against the plain meaning: random expressions, random states, both must agree."""

from __future__ import annotations

import ast
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.compile.codes import codes_of
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.link import link_rules
from hots_rules.compile.make import compile_typed
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema
from tests.playing import ruleset_of

HEAD = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
type Where = Spot | Gone | Held(holder: Who)
type Small = 1..3
table Spot §1 (size: 0..3, wet: bool, beside: set of Spot, home: Piece?)
  North  1  yes  South+East  Fox
  South  2  no   North       -
  East   0  yes  North+West  Hen
  West   3  no   East        -
table Piece §1 (strong: 0..3, wild: bool)
  Fox  3  yes
  Hen  1  no
  Dog  2  no
  Owl  0  yes
state
  at[Piece] : Where
  of[Piece] : Who
  power[Piece] : 0..3
  tired[Piece] : bool
  herd : set of Piece
  seen[Who] : set of Spot
  lead : Piece?
  turn : 0..5
  reached : set of Where
  link[Spot, Who] : bool
define foe(w: Who): Who = if w = Red then Blue else Red
define group(w: Who, s: Spot) = {p in Piece where of[p] = w and at[p] = s}
define on_board(p: Piece) = at[p] is Spot and size[at[p]] < 3
define free(s: Spot) = no group(Red, s) and no group(Blue, s)
define near_to(s: Spot) = {x in Spot where x in beside[s]}
define held(w: Who) = {s in Spot where some group(w, s) and no group(foe(w), s)}
define rivals(s: Spot) =
  count({x in {y in beside[s] where home[s] != none} where count(seen[Red] & {x}) + strong[home[s] as Piece] > turn})
"""
TAIL = """
action wait §1 "Wait."
  permit
phase play §1 "Play."
  while turn < 5 up to 5
    choose Red: wait, act
    turn += 1
scenario only §1 "Only"
  play()
invariant used §1
  count(near_to(North)) > 0 and free(North) and some held(foe(Blue)) and on_board(Fox) and rivals(East) < 2
invariant variables §1
  all p in Piece: tired[p] or power[p] > 1 or of[p] = Red or at[p] = Gone or p in herd or lead = none
      or link[South, Red] or seen[Red] = {} or Gone in reached or (some k in Small: k = turn)
"""


NUMBERS = st.sampled_from(
    ["turn", "turn - 2", "turn + 2"]
)  # some outside what they are compared with


def boolean(depth: int, locals_: tuple[tuple[str, str], ...]) -> st.SearchStrategy[str]:
    """Conditions over the sample, with some local names in scope."""
    pieces = [name for name, kind in locals_ if kind == "Piece"] + ["Fox", "Hen"]
    spots = [name for name, kind in locals_ if kind == "Spot"] + ["North", "West"]
    piece, spot = st.sampled_from(pieces), st.sampled_from(spots)
    who = st.sampled_from(["Red", "Blue", "foe(Red)", *(f"of[{p}]" for p in pieces[:1])])
    leaf = st.one_of(
        st.builds("at[{}] = {}".format, piece, spot),
        st.builds("at[{}] != at[{}]".format, piece, piece),
        st.builds("of[{}] = {}".format, piece, who),
        st.builds("{} in herd".format, piece),
        st.builds("{} not in group({}, {})".format, piece, who, spot),
        st.builds("power[{}] {} strong[{}]".format, piece, st.sampled_from(["<", ">=", "="]), piece),
        st.builds("tired[{}]".format, piece),
        st.builds("wild[{}]".format, piece),
        st.builds("wet[{}]".format, spot),
        st.builds("{} in beside[{}]".format, spot, spot),
        st.builds("free({})".format, spot),
        st.builds("{} in held({})".format, spot, who),
        st.builds("lead = {}".format, st.sampled_from([*pieces, "none"])),
        st.builds("at[{}] is Spot".format, piece),
        st.builds("link[{}, {}]".format, spot, who),
        st.builds("count(group({}, {}) | herd) > {}".format, who, spot, st.integers(0, 2)),
        st.builds("(at[{0}] is Spot and at[{0}] as Spot in near_to({1}))".format, piece, spot),
        st.builds("home[{}] = {}".format, spot, piece),
        st.builds("size[{}] in {{0, turn}}".format, spot),
        st.builds("size[{}] = {}".format, spot, NUMBERS),
        st.builds("size[{}] != size[{}] - 1".format, spot, spot),
        st.builds("power[{}] = {}".format, piece, NUMBERS),
        st.builds("(count({{k in Small where k = {}}}) = 1)".format, NUMBERS),
        st.builds("(count({{k in Small where k in {{turn, turn + 2}}}}) = {})".format, st.integers(0, 2)),
        st.builds("(count({{x in Spot where x in reached}}) = {})".format, st.integers(0, 4)),
        st.builds("{} in reached".format, spot),
        st.builds("at[{}] = Held({})".format, piece, who),
        st.builds("at[{}] in {{{}, Held({}), Gone}}".format, piece, spot, who),
        st.builds("(at[{0}] is Held and holder[at[{0}] as Held] = {1})".format, piece, who),
        st.builds("(at[{0}] is Held and holder[at[{0}]] = {1})".format, piece, who),
        st.builds("(not at[{0}] is Spot or wet[at[{0}]])".format, piece),
        st.builds("(if at[{0}] is Spot then size[at[{0}]] > 1 else at[{0}] = Gone)".format, piece),
        st.builds("(lead != none and strong[lead] >= power[{}])".format, piece),
        st.builds("(some y in group({}, {}): size[at[y]] = 1)".format, who, spot),
        st.builds("(on_board({0}) and at[{1}] = at[{0}] and wet[at[{0}]])".format, piece, piece),
    )  # fmt: skip
    if depth == 0:
        return leaf
    inner = boolean(depth - 1, locals_)
    number = f"x{depth}"
    over_pieces = boolean(depth - 1, (*locals_, (number, "Piece")))
    over_spots = boolean(depth - 1, (*locals_, (number, "Spot")))
    return st.one_of(
        leaf,
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds(f"(some {number} in Piece: {{}})".format, over_pieces),
        st.builds(f"(all {number} in herd: {{}})".format, over_pieces),
        st.builds(f"(no {number} in near_to(North): {{}})".format, over_spots),
        st.builds(f"(count({{{{{number} in Piece where {{}}}}}}) > 1)".format, over_pieces),
        st.builds(f"((sum {number} in Piece: if {{}} then 2 else 0) > 3)".format, over_pieces),
        st.builds("(if {} then {} else {})".format, inner, inner, inner),
    )


def machine_and_meaning(text: str):
    """The compiled ruleset, and what its expressions mean."""
    source = Source((Layer("sample-1.0", "A sample", None, {"sample.rules": text}, ""),))
    book = load_rulebook(source)
    compiled = compile_typed(book.typed, book.content, {}).module(traced=False)
    machine = compiled.machine()
    return machine, book, StateSchema(compiled.facts)


def random_slots(schema: StateSchema, initial: tuple[int, ...], chooser: Random) -> list[int]:
    slots = list(initial)
    for variable, _, slot in schema.cells():
        codes = codes_of(variable.type)
        slots[slot] = chooser.randrange(codes.start, codes.stop)
        if isinstance(
            variable.type, types.SetType
        ):  # not every bit of a set of numbers is a member
            slots[slot] &= types.all_values(variable.type.member)
    schema.reindex(slots)
    return slots


def evaluator(book, schema: StateSchema, slots: list[int]) -> Evaluator:
    offsets = {v.name: (v.base, v.key_codes) for v in schema.variables.values()}

    def load(variable: str, keys: tuple[int, ...]) -> int:
        base, codes = offsets[variable]
        return slots[base + codes.index(keys)]

    return Evaluator(book.typed, {}, load)


BEYOND = [  # values outside a column, a variable or a type, and sets of a wider type
    "some x in Spot: size[x] = turn - 2",
    "count({x in Spot where size[x] != turn + 1}) = 4",
    "some x in Piece: some y in Spot: size[y] = strong[x] + 1",
    "count({k in Small where k = turn - 2}) = 1",
    "count({k in Small where k in {turn, turn + 2}}) = 2",
    "count({x in Spot where x in reached}) > 2",
]
BEFORE_A_LOOP = [  # parts that fail where a condition before them does not hold, or where the loop has no members
    "count({x in Piece where strong[x] + power[x] > 2 or (turn - 3 in {0, turn} and tired[x] = (power[x] > 1))}) = 2",
    "(sum x in Piece: if turn - 3 in {0, turn} then power[x] else strong[x]) > 5",
    "rivals(South) = 0",
    "count({x in Spot where rivals(x) = turn}) > 1",
]


@pytest.mark.thorough
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(boolean(2, ()), min_size=6, max_size=6), st.integers(0, 10**6))
@example(BEYOND, 7)
@example(BEFORE_A_LOOP, 7)
def test_compiled_conditions_mean_what_they_say(conditions: list[str], seed: int) -> None:
    invariants = "".join(f"invariant i{n} §1\n  {text}\n" for n, text in enumerate(conditions))
    action = 'action act §1 "Act."\n  permit\n'
    machine, book, schema = machine_and_meaning(HEAD + action + invariants + TAIL)
    chooser = Random(seed)

    for _ in range(5):
        slots = random_slots(schema, machine.initial, chooser)
        meaning = evaluator(book, schema, slots)
        for name, holds in machine.invariants:
            expected = bool(meaning.value(book.typed.invariants[name].condition, {}))
            assert bool(holds(slots)) == expected, conditions


PARAMS = (("p", "Piece"), ("s", "Spot"), ("q", "Piece"))


@pytest.mark.thorough
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(boolean(1, PARAMS), min_size=2, max_size=4),
    st.lists(boolean(1, PARAMS), min_size=1, max_size=2),
    st.permutations(PARAMS),
    st.integers(0, 10**6),
)
@example(  # a condition that the tables prove for every piece, inside `if … then … else`
    ["at[p] = s", "(if at[Fox] = North then at[p] = North else of[p] = of[p])"],
    ["p in herd"],
    list(PARAMS),
    0,
)
@example(  # nothing permits it
    ["at[p] = s", "wet[West]"],
    ["Hen in herd"],
    [("p", "Piece"), ("s", "Spot"), ("q", "Piece")],
    0,
)
def test_the_list_of_legal_actions_is_what_the_clauses_say(
    permits: list[str], forbids: list[str], params: list[tuple[str, str]], seed: int
) -> None:
    names = ", ".join(name for name, _ in params)
    typed = ", ".join(f"{name}: {kind}" for name, kind in params)
    action = f'action act({typed}) §1 "Act."\n  permit when {" and ".join(permits)}\n'
    rules = "".join(
        f'rule r{n} §1 "No."\n  forbid act({names}) when {text}\n' for n, text in enumerate(forbids)
    )
    machine, book, schema = machine_and_meaning(HEAD + action + rules + TAIL)
    chooser = Random(seed)
    linked = link_rules(book.typed, {}).actions["act"]
    begin = machine.begin("only")
    machine.run(begin, begin[0], "1")

    for _ in range(4):
        slots = random_slots(schema, machine.initial, chooser)
        slots[0] = begin[0]
        base = next(a.base for a in machine.facts.actions if a.name == "act")
        number = machine.bases.index(base)
        listed = [code for code in machine.legal(slots) if machine.action_of(code) == number]
        found = sorted(code - base for code in listed)
        assert found == sorted(_by_hand(linked, evaluator(book, schema, slots), params)), (
            permits,
            forbids,
        )


def _by_hand(action, meaning: Evaluator, params: list[tuple[str, str]]) -> list[int]:
    found = []
    for code, values in enumerate(product(range(4), repeat=len(params))):
        known = {p.name: value for p, value in zip(action.params, values, strict=True)} | {
            action.actor.name: 0
        }
        said = {"permit": False, "forbid": False}
        for clause in action.clauses:
            said[clause.kind] |= bool(meaning.value(clause.when, known))
        if said["permit"] and not said["forbid"]:
            found.append(code)
    return found


def test_an_error_in_play_names_the_rule_that_was_running(tmp_path) -> None:
    path = tmp_path / "up.rules"
    path.write_text(
        'ruleset up-1.0 "Up"\nplayers Who\ntype Who = A | B\nstate\n  n : 0..2\n'
        'action up §1 "Up."\n  permit\n  n += 1\n'
        'phase game §1 "Game."\n  while n < 3 up to 10\n    choose A: up\n'
        'scenario only §1 "Only"\n  game()\n',
        encoding="utf-8",
    )
    game = hr.load(path).start("only").play("A: up").play("A: up")

    with pytest.raises(hr.EngineError) as error:
        game.play("A: up")

    assert str(error.value) == "expected a value of 0..2, at up.rules:8:3, got 3, in rule `up` §1"


def test_an_error_in_a_condition_names_what_it_is_part_of(tmp_path) -> None:
    """Not an event whose function happens to stand before it in the compiled module."""
    path = tmp_path / "cards.rules"
    path.write_text(
        """ruleset cards-1.0 "Cards"
players Who
type Who = A | B
type Card = 1..5
state
  hand : set of Card
  of[Who] : set of Card
event deal() §7 "Cards are dealt."
define best(w: Who) = the({c in hand where no {d in of[w] where d >= c} and no {d in hand where d > 4 - c}})  §4
define worst(w: Who) = the({c in of[w] where no {d in hand where d >= c} and no {d in of[w] where d > 6 - c}})
action take §2 "Take."
  permit when the(hand) = 1
  hand := {1}
action keep §2 "Keep."
  permit when best(actor) = 1
action seek §2 "Seek."
  permit when all c in hand: the({d in hand where d > c}) = 2
action lose §2 "Lose."
  permit when worst(actor) = 1
rule dealing §3 "Two cards."
  on deal
    hand := {1, 2}
phase first §1 "First."
  deal()
  choose A: take
phase second §1 "Second."
  deal()
  choose A: keep
phase third §1 "Third."
  deal()
  choose A: lose
phase fourth §1 "Fourth."
  deal()
  choose A: seek
scenario taking §1 "Taking"
  first()
scenario keeping §1 "Keeping"
  second()
scenario losing §1 "Losing"
  third()
scenario seeking §1 "Seeking"
  fourth()
""",
        encoding="utf-8",
    )
    named = {}
    for scenario in ("taking", "keeping", "losing", "seeking"):
        with pytest.raises(hr.EngineError) as error:
            hr.load(path).start(scenario).actions  # noqa: B018
        named[scenario] = error.value.rule, error.value.section

    assert named == {
        "taking": ("take", "§2"),
        "keeping": ("best", "§4"),
        "losing": ("worst", ""),
        "seeking": ("seek", "§2"),  # in a loop, whose function has no name
    }


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> hr.Ruleset:
    """A game of three decisions at most."""
    path = tmp_path_factory.mktemp("lone") / "lone.rules"
    path.write_text(
        'ruleset lone-1.0 "Lone"\nplayers Who\ntype Who = A | B | C\nstate\n  left : set of Who\n  last : Who\n'
        'action only §1 "Only."\n  permit\n  last := the(left)\n'
        'action leave_both §1 "Both."\n  permit\n  left := left - {B}\n'
        'phase game §1 "Game."\n  while some left up to 3\n    choose A: only, leave_both\n  win B\n'
        'scenario start §1 "Start"\n  left := {A, B, C}\n  game()\n',
        encoding="utf-8",
    )
    return hr.load(path)


def test_an_error_in_play_names_the_members_of_a_set_that_has_not_one(lone: hr.Ruleset) -> None:
    game = lone.start("start").play("A: leave both")

    with pytest.raises(
        hr.EngineError, match=r"^expected a set with one member, got \{A, C\}, in rule `only` §1$"
    ):
        game.play("A: only")


def test_the_bound_of_a_loop_ends_it_while_its_condition_holds(lone: hr.Ruleset) -> None:
    game = lone.start("start")
    for _ in range(3):
        assert not game.is_over
        game = game.play("A: leave both")

    assert game.is_over
    assert {"A", "C"} == set(game.state["left"])


def test_names_of_a_ruleset_meet_no_names_of_its_module() -> None:
    """Parameters are numbered in the module, as are events, blocks and constants."""
    numbers = range(40, 64)
    text = f"""ruleset numbered-1.0 "Names with numbers"
players Side
type Side = Red | Blue
table Spot §1 (worth: 0..3)
  North  1
  South  2
state
  n : 0..1000
{"".join(f'event hit_{k}(back_: Spot) §1 "A hit."{chr(10)}' for k in numbers)}
action rest(event_hit: Spot, block: Spot, column_Spot: Spot) §1 "Rest."
  permit when worth[event_hit] = 1 and worth[block] = 1 and worth[column_Spot] = 2
  for action_rest in Spot
{"".join(f"    hit_{k}(action_rest){chr(10)}" for k in numbers)}
rule count §1 "Each hit counts."
  on hit_50(define_x)
    n := min(n + worth[define_x], 900)
phase game §1 "Once each."
  for t in Side
    choose t: rest
  win none
scenario short §1 "Short"
  game()
"""
    rules = ruleset_of(text)
    game = rules.start("short")
    game = game.play(game.actions[0])
    assert (3, 1) == (game.state["n"], len(game.actions))
    module = ast.parse(rules.compiled_source())
    outer = {node.name for node in module.body if isinstance(node, ast.FunctionDef)} | {
        name.id
        for node in module.body
        if isinstance(node, ast.Assign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
    }
    inner = {node.arg for node in ast.walk(module) if isinstance(node, ast.arg)} | {
        name.id
        for node in module.body
        if isinstance(node, ast.FunctionDef)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    assert len(outer) > 20
    assert set() == outer & inner


def test_names_of_a_ruleset_meet_no_names_of_python() -> None:
    text = """ruleset hostile-1.0 "Names that Python has plans for"
players None
type None = True | class
table S §1 (list: 0..3, def: bool)
  bits  1  yes
  the   2  no
state
  lambda[S] : 0..3
  import : S?
define __import__(S: S, out: None): bool = lambda[S] < list[S] and (def[S] or out = class)
define exec(code: S) = {v in S where lambda[v] = list[code]}
event eval(S: S)
rule del-ete §1 "Up."
  on eval(S)
    lambda[S] := min(lambda[S] + 1, 3)
action head(S: S, k: S) §1 "Up."
  permit when __import__(S, actor) and k in exec(S) | {S}
  eval(S)
  import := k
action yield §1 "Nothing."
  permit
phase async §1 "Play."
  for self in True, class
    for global in 1..3
      choose self: head, yield
scenario pass §1 "Begin"
  async()
invariant with §1
  import = none or lambda[import as S] >= 0
"""
    machine, _, _ = machine_and_meaning(text)
    slots = machine.begin("pass")
    machine.run(slots, slots[0], "1")
    for _ in range(6):
        machine.play(slots, machine.legal(slots)[0], "1")

    assert machine.is_over(slots)
