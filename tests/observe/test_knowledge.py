"""What a player can know of an expression: decided without what is hidden, and the same wherever pieces may be."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.knowledge import HiddenCell, knowledge_of, seen_evaluator
from hots_rules.observe.placements import follows
from hots_rules.observe.view import redacted_formatter
from hots_rules.rules.typed import value_types as types
from tests.observe.tokens import begun
from tests.playing import played_out, ruleset_of

CARDS = """ruleset cards-1.0 "Cards"
players Side
type Side = A | B
type Place = Deck | Hand(Side) | Open
table Card §1 (low: 0..9)
  c1 3
  c2 3
  c3 5
  c4 3
state
  place[Card] : Place = Deck
  coins[Side] : 0..3 = 1
  best        : Card? = none
  shown       : set of Card
  nobody      : Card? = none
secret coins[s] known to s
secret Card[c] §1
  known to all when place[c] = Open
  known to each s in Side when place[c] = Hand(s)
invariant low-in-hands §1 "c3 is never in a hand."
  all c in Card: low[c] = 3 or place[c] = Deck
define rich = coins[B] = 2
define sure = coins[A] = 1
define either = rich or sure
define either_late = sure or rich
define neither = rich or not sure
define both = rich and not sure
define both_late = not sure and rich
define unknown_both = rich and sure
define broken = low[the({c in Card where low[c] = 9})] = 3
define guarded = rich and broken
define broken_first = broken and rich
define in_decks = count({c in Card where place[c] = Deck})
define low_in_hands = all c in Card: place[c] is Hand or low[c] > 0
define third_in_deck = place[c3] = Deck
define second_held = place[c2] = Hand(B)
define own = place[c1] = Hand(A)
define held(c: Card) = place[c] = Hand(A)
define is_best(c: Card) = best = c
action wait §1 "Wait."
  permit
action deal(card: Card, to: Side) §1 "Deal a card."
  permit when place[card] = Deck and low[card] = 3
  place[card] := Hand(to)
phase play §1 "Play."
  choose A: wait, deal
scenario s §1 "S"
  place[c1] := Hand(A)
  place[c2] := Hand(B)
  if sure or either or either_late or neither or both or both_late or unknown_both or guarded
      or broken_first or in_decks = 4 or low_in_hands or third_in_deck or second_held or own or held(c1) or is_best(c1)
      or nobody = none and some shown
    best := c2
  shown := {c1, c2}
  play()
"""


@pytest.fixture(scope="module")
def game() -> hr.Game:
    return ruleset_of(CARDS).start("s", seed=1)


def told(ask: Callable[[], int]) -> int | str:
    """A value, or the kind of error that comes instead."""
    try:
        return ask()
    except (EngineError, HiddenCell) as error:
        return "hidden" if isinstance(error, HiddenCell) else "fault"


def of_definition(game: hr.Game, evaluator: Evaluator, name: str, *args: int) -> int | str:
    definition = game.ruleset.rulebook.typed.definitions[name]
    local = dict(zip([param.name for param in definition.params], args, strict=True))
    return told(lambda: evaluator.value(definition.body, local))


def cards(game: hr.Game) -> dict[str, int]:
    """The codes of the cards."""
    schema = game.state.schema
    type_ = schema.variables["place"].keys[0]
    return {str(schema.to_python(code, type_)): code for code in range(4)}


@pytest.mark.parametrize(
    ("name", "for_a"),
    [
        ("sure", 1),
        ("rich", "hidden"),
        ("either", 1),
        ("either_late", 1),
        ("neither", "hidden"),
        ("both", 0),
        ("both_late", 0),
        ("unknown_both", "hidden"),
        ("broken", "fault"),
        ("guarded", "hidden"),
        ("broken_first", "fault"),
    ],
)
def test_a_part_that_decides_needs_no_hidden_one(game: hr.Game, name: str, for_a) -> None:
    assert of_definition(game, seen_evaluator(game, "A"), name) == for_a
    states = knowledge_of(game, "A").states
    assert {of_definition(game, state.evaluator, name) for state in states} == {for_a}


def test_a_cell_is_seen_if_it_names_nothing_hidden(game: hr.Game) -> None:
    c1, c2, *_ = cards(game).values()
    for player, own, other in (("A", c1, c2), ("B", c2, c1)):
        evaluator = seen_evaluator(game, player)
        assert of_definition(game, evaluator, "held", own) == (player == "A")
        assert of_definition(game, evaluator, "held", other) == "hidden"
        assert (of_definition(game, evaluator, "is_best", c1) == "hidden") == (player == "A")
    assert of_definition(game, seen_evaluator(game, None), "held", c1) == "hidden"
    assert told(lambda: seen_evaluator(game, "A").load("nobody", ())) != "hidden"
    assert told(lambda: seen_evaluator(game, "A").load("shown", ())) == "hidden"


def test_what_is_known_is_the_same_in_all_possible_states(game: hr.Game) -> None:
    knowledge = knowledge_of(game, "A")
    typed = game.ruleset.rulebook.typed.definitions

    def knows(name: str, *args: int) -> bool:
        local = dict(zip([param.name for param in typed[name].params], args, strict=True))
        return knowledge.knows(typed[name].body, local)

    assert knowledge.is_sampled
    assert [knows(name) for name in ("either", "in_decks", "sure", "broken", "own")] == [True] * 5
    assert [knows(name) for name in ("rich", "unknown_both")] == [False] * 2
    assert [knows("held", code) for code in cards(game).values()] == [True] * 4
    assert not knows("second_held")


def test_what_follows_holds_wherever_the_invariants_let_pieces_be(game: hr.Game) -> None:
    typed = game.ruleset.rulebook.typed.definitions

    def is_so(name: str, player: str = "A") -> bool:
        return follows(game, player, typed[name].body)

    assert [is_so(name) for name in ("own", "low_in_hands", "third_in_deck")] == [True] * 3
    assert [is_so(name) for name in ("second_held", "in_decks")] == [False] * 2
    assert not is_so("rich")
    assert not is_so("broken")


def test_what_is_said_of_a_hidden_card_is_so_in_the_first_world(game: hr.Game) -> None:
    """In the other states the hidden cards have changed their places."""
    knowledge = knowledge_of(game, "A")
    formatter = redacted_formatter(knowledge.game, "A")
    type_ = game.state.schema.variables["place"].keys[0]
    texts = [knowledge.formatter.format_value(code, type_) for code in cards(game).values()]

    assert texts == [formatter.format_value(code, type_) for code in cards(game).values()]
    assert sorted(texts) == ["a card of B", "an unknown card", "an unknown card", "c1"]


def test_a_pair_is_seen_if_both_of_its_parts_are() -> None:
    seen = set()
    for moment in played_out(begun("tokens-1.0", seed=3), Random(3), 60):
        for viewer, player in enumerate(moment.ruleset.players):
            visibility = tracker_of(moment, viewer).observer.visibility(moment.state.slots)
            variable = moment.state.schema.variables["last"]
            left, _ = types.pair_parts(variable.type, moment.state.slots[variable.base])
            is_hidden = visibility.hidden_piece(left, variable.type.left) is not None
            evaluator = seen_evaluator(moment, player)
            assert (told(lambda: evaluator.load("last", ())) == "hidden") == is_hidden  # noqa: B023
            seen.add(is_hidden)
    assert seen == {True, False}
