"""What one player may see: backs and how far they are followed, worlds, what is taken back, and leaks."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from random import Random
from threading import get_ident
from typing import Any

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.observe.free_cells import FreeCells
from hots_rules.observe.watched_slots import WatchedSlots
from hots_rules.testing import assert_no_leak
from tests.playing import last_of, played_out, ruleset_of
from tests.sizes import sample_size

# Each side has three counters, seen from behind by the other; what stays in camp cannot be told apart.
TINY = """\
ruleset tiny-1.0 "Counters"

type Side = Red | Blue
players Side
table Piece §1 (of: Side, rank: 1..3)
  Fox    Red   1
  Hawk   Red   2
  Wolf   Red   3
  Adder  Blue  1
  Bear   Blue  2
  Crow   Blue  3
type Place = Camp | Hill | Wood | Gone
type Gem = Ruby | Opal
state §1
  round         : 1..20 = 1
  place[Piece]  : Place = Camp
  tired[Piece]  : 0..3
  shown         : set of Piece
  found[Side]   : Gem?
clock round
secret Piece[p] known to of[p], to all when p in shown §2
secret tired[p] known to of[p] §2
secret found[s] known to s §2

action go(p: Piece, to: Place) §3 "A counter goes somewhere."
  permit when of[p] = actor and to != place[p] and to != Gone and place[p] != Gone
  place[p] := to
action rest §3 "Nothing."
  permit
action show(p: Piece) §3 "A counter is turned up."
  permit when of[p] = actor and p not in shown
  add p to shown
  turned_up(p)
action hide §3 "All counters of a side are turned down."
  permit
  for p in shown
    if of[p] = actor
      remove p from shown
action swap §3 "Two counters come back to camp, one of them goes out to the hill."
  permit when some {p in Piece where of[p] = actor and place[p] = Camp}
  draw p from {x in Piece where of[x] = actor and place[x] = Camp}
  place[p] := Hill
action dig §3 "A gem is found."
  permit when found[actor] = none
  draw g from Gem
  found[actor] := g
  finds(actor, g)
action throw §3 "A die is thrown."
  permit
  roll d6 as die
event turned_up(p: Piece) §3 "a counter is turned up"
event finds(s: Side, g: Gem) §3 "somebody finds a gem"
{rule}
phase game §1 "Turn by turn."
  while round < 20 up to 20
    for s in Side
      choose s: go, rest, show, hide, swap, dig, throw
    round += 1
scenario meeting §4 "A meeting"
  game()
"""


def tiny(rule: str = "") -> hr.Ruleset:
    return ruleset_of(TINY.replace("{rule}", rule))


def after(*texts: str, ruleset: hr.Ruleset | None = None, seed: int = 1) -> hr.Game:
    game = (ruleset or tiny()).start("meeting", seed=seed)
    for text in texts:
        game = game.play(text)
    return game


# ---------------------------------------------------------------- the state
def test_the_own_pieces_have_names_and_the_others_are_backs() -> None:
    view = after().view("Blue")

    assert {"Adder": "Camp", "Bear": "Camp", "Crow": "Camp", "Piece#1": "Camp"} == view.state[
        "place"
    ]
    assert [hr.observe.Stack("Piece#1", "Piece", 3, "a piece of Red")] == list(view.stacks)


def test_a_hidden_value_is_a_question_mark() -> None:
    view = after("Red: dig").view("Blue")

    assert {"Red": "?", "Blue": None} == view.state["found"]
    assert {"Adder": 0, "Bear": 0, "Crow": 0, "Piece#1": "?"} == view.state["tired"]


@pytest.mark.parametrize(
    ("language", "unknown", "none"),
    [("en", "unknown", "none"), ("fr", "inconnu", "aucun"), ("es", "desconocido", "ninguno")],
)
def test_a_preview_says_what_becomes_unknown(language: str, unknown: str, none: str) -> None:
    start = hr.load("hots-4.0").start("braveheart", seed="7").in_language(language)
    laid = start.preview("England: play Move 2", "England").effects[-1]
    assert (str(laid), laid.before) == (f"played England: {none} -> Move_2", None)
    game = start
    for text in (
        "England: play Move 2",
        "Scotland: play Move 1",
        "England: end moves",
        "Scotland: move Moray Moray-Ross",
        "Scotland: move Fraser Moray-Ross",
    ):
        game = game.play(text)
    # Who leaves the battle does not see the blocks of the enemy any longer.
    effects = {
        each.path: each
        for each in game.preview("England: retreat Ross to Garmoran", "England").effects
    }
    hidden = effects["strength", "Fraser"]
    assert (str(hidden), hidden.after) == (f"strength Fraser: 3 -> {unknown}", "?")


def test_a_spectator_sees_backs_of_both_sides() -> None:
    view = after().view()

    assert {"a piece of Red": 3, "a piece of Blue": 3} == {s.text: s.count for s in view.stacks}
    assert () == view.actions


def test_a_view_has_the_own_actions_alone() -> None:
    game = after()

    assert {"Red"} == {action.player for action in game.view("Red").actions}
    assert () == game.view("Blue").actions
    assert ("Red",) == game.view("Blue").to_move


def test_a_view_is_a_value() -> None:
    game = after("Red: go Fox Hill")
    view = game.view("Blue")

    assert view == after("Red: go Hawk Hill").view("Blue")
    assert view != game.view("Red")
    assert view == pickle.loads(pickle.dumps(view))
    assert view.state == json.loads(json.dumps(view.state))


def test_a_view_can_be_read() -> None:
    said = str(after("Red: go Fox Hill").view("Blue"))

    assert "tiny-1.0, as Blue sees it after 1 play" == said.splitlines()[0]
    assert "Piece#2 (a piece of Red ×1) Hill" in said
    assert "Fox" not in said


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(hr.UnknownName, match="Green"):
        after().view("Green")


# ---------------------------------------------------------------- following backs
def stacks(game: hr.Game, player: str = "Blue") -> dict[str, tuple[str, int]]:
    view = game.view(player)
    return {s.name: (view.state["place"][s.name], s.count) for s in view.stacks}


def test_who_leaves_a_stack_is_numbered_anew_and_the_rest_keep_their_number() -> None:
    assert {"Piece#1": ("Camp", 2), "Piece#2": ("Hill", 1)} == stacks(after("Red: go Fox Hill"))


def test_a_lone_back_is_followed() -> None:
    game = after("Red: go Fox Hill", "Blue: rest", "Red: go Fox Wood")

    assert {"Piece#1": ("Camp", 2), "Piece#2": ("Wood", 1)} == stacks(game)


def test_backs_that_meet_cannot_be_told_apart_any_more() -> None:
    met = after("Red: go Fox Hill", "Blue: rest", "Red: go Hawk Hill", "Blue: rest")

    assert {"Piece#1": ("Camp", 1), "Piece#3": ("Hill", 2)} == stacks(met)
    assert stacks(met.play("Red: go Fox Wood")) == stacks(met.play("Red: go Hawk Wood"))


def test_a_lone_back_that_was_turned_up_is_a_back_again() -> None:
    shown = after("Red: go Fox Hill", "Blue: rest", "Red: show Fox", "Blue: rest")
    hidden = shown.play("Red: hide")

    assert {"Fox": "Hill", "Piece#1": "Camp"} == {
        name: place for name, place in shown.view("Blue").state["place"].items()
        if name in {"Fox", "Hawk", "Wolf"} or "#" in name
    }  # fmt: skip
    assert {"Piece#1": ("Camp", 2), "Piece#3": ("Hill", 1)} == stacks(hidden)


def test_who_is_drawn_from_a_stack_is_not_followed_through_it() -> None:
    """Fox comes home and one of the camp is sent out: nobody sees which."""
    game = after("Red: go Fox Hill", "Blue: rest", "Red: go Fox Camp", "Blue: rest", "Red: swap")

    assert {"Piece#3": ("Camp", 2), "Piece#4": ("Hill", 1)} == stacks(game)


def test_a_view_does_not_hang_on_when_it_is_asked_for() -> None:
    texts = [
        "Red: go Fox Hill",
        "Blue: rest",
        "Red: go Hawk Hill",
        "Blue: rest",
        "Red: go Fox Wood",
    ]
    game = after()
    for text in texts:
        game = game.play(text)
        seen = game.view("Blue")

    assert seen == after(*texts).view("Blue")


# ---------------------------------------------------------------- the log
def told(game: hr.Game, player: str) -> list[str]:
    return [step.text for step in game.observed_trace(player)]


def test_an_action_names_a_back_to_the_other_side() -> None:
    game = after("Red: go Fox Hill")

    assert "Red: go Fox Hill" in told(game, "Red")
    assert "Red: go a piece of Red Hill" in told(game, "Blue")


def test_what_an_action_lays_open_is_named() -> None:
    game = after("Red: show Fox")

    assert ["Red: show Fox", "turned up: Fox"] == told(game, "Blue")[:2]


def test_an_event_does_not_tell_the_value_of_a_hidden_cell() -> None:
    game = after("Red: dig", seed=2)

    assert "finds: Red, hidden" in told(game, "Blue")
    assert {"Ruby", "Opal"} & {word for text in told(game, "Red") for word in text.split()}
    assert not {"Ruby", "Opal"} & {word for text in told(game, "Blue") for word in text.split()}


def test_the_log_goes_back_as_far_as_is_asked() -> None:
    game = after("Red: go Fox Hill", "Blue: rest", "Red: rest")
    actions = [s.text for s in game.view("Blue", since=0).log if s.kind == "action"]

    assert ["Red: go a piece of Red Hill", "Blue: rest", "Red: rest"] == actions
    assert actions[1:] == [s.text for s in game.view("Blue", since=1).log if s.kind == "action"]
    assert () == game.view("Blue").log == game.view("Blue", since=3).log


# ---------------------------------------------------------------- taking back
def test_own_choices_can_be_taken_back_until_somebody_else_chooses() -> None:
    assert 0 == after("Red: go Fox Hill").undo_limit("Red")
    assert 2 == after("Red: go Fox Hill", "Blue: rest").undo_limit("Red")
    assert 2 == after("Red: go Fox Hill", "Blue: rest", "Red: go Fox Wood").undo_limit("Red")


def test_what_fell_is_not_taken_back() -> None:
    assert 1 == after("Red: throw").undo_limit("Red")


def test_to_show_something_of_ones_own_teaches_nothing() -> None:
    assert 0 == after("Red: show Fox").undo_limit("Red")


def test_a_variable_that_comes_to_light_is_not_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "peeking.rules"
    path.write_text(
        """ruleset peeking "Peeking"
players Side
type Side = Red | Blue
type Card = Ace | King
state
  held : Card
  face_up : bool
secret held §1
  known to Blue
  known to all when face_up
action peek §1 "Look."
  permit when actor = Red
  face_up := true
action guess(c: Card) §1 "Guess."
  permit when actor = Red
  held := c
phase game §1 "Play."
  choose Red: peek
  choose Red: guess
  win Red
scenario plain §1 "Plain"
  game()
""",
        encoding="utf-8",
    )
    game = hr.load(path).start("plain", seed=1)

    assert 0 == game.undo_limit("Red")
    assert 1 == game.play("Red: peek").undo_limit("Red")


# ---------------------------------------------------------------- for one player
def test_a_player_cannot_choose_for_another() -> None:
    game = after()

    assert game.play("Red: rest") == game.play("rest", player="Red")
    with pytest.raises(hr.IllegalAction, match="it is for Red to choose now"):
        game.play("rest", player="Blue")
    with pytest.raises(hr.UnreadableAction):
        game.play("Red: rest", player="Blue")


def test_a_preview_has_what_is_certain() -> None:
    found = after().preview("go Fox Hill", "Red")

    assert [("place", "Fox")] == [effect.path for effect in found.effects]
    assert ("Camp", "Hill") == (found.effects[0].before, found.effects[0].after)
    assert ("game", ("Blue",)) == (found.phase, found.to_move)


def test_a_preview_rolls_nothing() -> None:
    found = after().preview("dig", "Red")

    assert () == found.effects
    assert ("chance",) == found.to_move


# ---------------------------------------------------------------- draws
def drawn(game: hr.Game, player: str | None) -> list[str]:
    return [step.text for step in game.observed_trace(player) if step.kind == "chance"]


def test_who_draws_in_secret_reads_what_he_drew() -> None:
    game = after("Red: dig")
    gem = game.state["found", "Red"]

    assert [f"draw {gem}"] == drawn(game, "Red")
    assert ["draw in secret"] == drawn(game, "Blue") == drawn(game, None)


@pytest.mark.parametrize(
    ("name", "hidden"), [("dominoes-1.0", "an unknown tile"), ("hots-4.0", "in secret")]
)
def test_who_is_dealt_something_reads_what_it_is(name: str, hidden: str) -> None:
    rules = hr.load(name)
    game, told = rules.start(rules.scenarios[0], seed=2, chance="ask"), dict[str, set[str]]()
    for later in played_out(game, Random(2), 40):
        if later.moves and later.moves[-1] < 0 and later.back().phase in {"take", "deal"}:
            texts = {player: drawn(later, player)[0] for player in rules.players}
            owners = [player for player, text in texts.items() if text != f"draw {hidden}"]
            assert len(owners) == 1, texts
            told.setdefault(owners[0], set()).add(texts[owners[0]])
    assert set(told) == set(rules.players)
    assert all(len(texts) > 1 for texts in told.values())


# ---------------------------------------------------------------- worlds
def test_worlds_look_like_the_game() -> None:
    game = after("Red: go Fox Hill", "Blue: go Bear Wood", "Red: go Hawk Wood")
    worlds = game.worlds("Blue", 30, seed=7)

    assert {game.view("Blue")} == {world.view("Blue") for world in worlds}
    assert {"Fox", "Hawk", "Wolf"} == {
        piece for world in worlds for piece in ("Fox", "Hawk", "Wolf")
        if world.state["place", piece] == "Hill"
    }  # fmt: skip
    assert all(world.state["place", "Bear"] == "Wood" for world in worlds)


def test_worlds_follow_from_what_is_seen_and_the_seed() -> None:
    game, other = after("Red: go Fox Hill"), after("Red: go Hawk Hill")

    assert game.worlds("Blue", 5, 3) == game.worlds("Blue", 5, 3)
    assert [w.state for w in game.worlds("Blue", 5, 3)] == [
        w.state for w in other.worlds("Blue", 5, 3)
    ]
    assert game.worlds("Blue", 5, 3) != game.worlds("Blue", 5, 4)


def test_places_in_worlds_are_as_likely_one_as_the_other() -> None:
    """Six hundred worlds, a third of them each: 200, give or take four standard deviations of 11.5."""
    worlds = after("Red: go Fox Hill").worlds("Blue", 600, seed=1)
    counted = [sum(w.state["place", p] == "Hill" for w in worlds) for p in ("Fox", "Hawk", "Wolf")]

    assert 600 == sum(counted)
    assert all(154 <= number <= 246 for number in counted), counted


def test_worlds_have_dice_of_their_own_and_can_be_played_out() -> None:
    game = after("Red: go Fox Hill", "Blue: rest")
    worlds = game.worlds("Red", 20, seed=1)

    assert 20 == len({world.seed for world in worlds} - {game.seed})
    assert all(last_of(world, Random(1)).is_over for world in worlds[:5])


def agreeing_world(game: hr.Game, player: str | None) -> hr.Game:
    """A world that agrees with all that a player observes, and in which everybody who is asked can choose."""
    (world,) = game.worlds(player, 1, seed=len(game.moves))

    assert (world.to_move, world.phase) == (game.to_move, game.phase)
    assert world.view(player) == game.view(player)
    assert {action.player for action in world.actions} == set(game.to_move)
    return world


def cards_of(state: hr.State, side: str) -> int:
    return sum(state["hand"][side, c] for s, c in state["hand"] if s == side) + (
        state["played", side] is not None
    )


def test_who_is_still_to_lay_a_card_has_laid_none_in_a_world() -> None:
    begun = hr.load("hots-4.0").start("braveheart", seed=1297)
    card = next(action for action in begun.actions if action.player == "Scotland")
    for game in (begun, begun.play(card)):
        for player in ("England", "Scotland", None):
            world = agreeing_world(game, player)
            for side in ("England", "Scotland"):
                has_laid = world.state["played", side] is not None
                assert has_laid == (side not in game.to_move)
                assert 5 == cards_of(world.state, side)


@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland", "dominoes-1.0"])
def test_worlds_between_two_draws_have_as_many_cards(name: str) -> None:
    rules = hr.load(name)
    game = rules.start(rules.scenarios[0], seed=1, chance="ask")
    for number, later in enumerate(played_out(game, Random(1), sample_size(11, 40))):
        if later.to_move == ("chance",) and number % 4 == 2:
            player = (*rules.players[:2], None)[number // 4 % 3]
            world = agreeing_world(later, player)
            if name == "hots-4.0":
                for side in rules.players:
                    assert cards_of(world.state, side) == cards_of(later.state, side)
            assert [w.state for w in world.worlds(player, 1)] == [
                w.state for w in later.worlds(player, 1)
            ]


def test_worlds_between_two_draws_of_a_position_keep_what_is_seen() -> None:
    rules = hr.load("hots-4.0")
    year = "like braveheart; game_turn 5; year_over yes"
    game = rules.position(year, seed=1, chance="ask")
    for later in played_out(game, Random(1), 60):
        game = later
        if later.phase == "deal":
            break
    assert ("chance",) == game.to_move
    agreeing_world(game, "England")


def test_a_world_between_two_draws_tells_the_same_of_the_last_play() -> None:
    begun = hr.load("hots-4.0").start("braveheart", seed=1, chance="ask")
    game = last_of(begun, Random(1), 4)
    for player in ("England", "Scotland"):
        (world,) = game.worlds(player, 1)
        assert world.observed_trace(player) == game.observed_trace(player) != ()


def test_a_world_has_no_record() -> None:
    with pytest.raises(hr.BadRecord, match="a sampled world"):
        _ = after().worlds("Red", 1)[0].record


# ---------------------------------------------------------------- leaks
@pytest.mark.thorough
def test_the_small_ruleset_leaks_nothing() -> None:
    assert assert_no_leak(tiny(), games=3, plays=16, every=5) > 30


PEEKING = """\
rule peeking §3 "Nobody rests while the enemy's Wolf is on the hill."
  forbid rest when some {p in Piece where of[p] != actor and rank[p] = 3 and place[p] = Hill}
"""
CHATTY = """\
rule grumbling §3 "Who is turned up says how tired his side is."
  after turned_up(p)
    grumbles(max x in {y in Piece where of[y] = of[p]}: tired[x])
event grumbles(n: 0..3) §3 "a side grumbles"
"""


@pytest.mark.thorough
def test_an_event_that_tells_what_is_hidden_is_found() -> None:
    with pytest.raises(
        AssertionError, match=r"the trace of .*: show .* depends on hidden information"
    ):
        assert_no_leak(tiny(CHATTY), "Blue", games=2, plays=12, every=1)


def test_worlds_allow_what_the_game_allows() -> None:
    """In a world the player can do what he can do in the game, so such a rule shows in who sits where."""
    game = after("Red: go Wolf Hill", ruleset=tiny(PEEKING))

    assert {"Hill"} == {world.state["place", "Wolf"] for world in game.worlds("Blue", 20)}


# In the first scenario of the card game, P3 to P5 have no seat, so that they see as much as a spectator.
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "player", "least"),
    [("hots-4.0", None, 5), ("lords-of-scotland", "P1", 2), ("lords-of-scotland", "P3", 2)],
)
def test_the_games_of_the_library_leak_nothing(name: str, player: str | None, least: int) -> None:
    compared = assert_no_leak(hr.load(name), player, games=1, plays=13, every=12, worlds=1)

    assert compared >= least


@pytest.mark.nightly
@pytest.mark.parametrize("name", hr.rulesets())
def test_no_game_leaks_in_depth(name: str) -> None:
    ruleset = hr.load(name)

    assert assert_no_leak(ruleset, games=2 * len(ruleset.scenarios), plays=200, every=17) > 100


LAID_OPEN = """\
ruleset cards-1.0 "Cards"
players Who
type Who = Ann | Ben
type Card = Ace | King | Queen | Jack | Ten
state
  hand[Who] : set of Card
  up[Who]   : Card?
  trump     : Card?
  turn      : 0..3
secret hand[p] known to p
define deck = {c in Card where not c in hand[Ann] | hand[Ben] and trump != c}
event laid_down(p: Who, c: Card) §1 "laid down"
action lay(c: Card) §1 "Lay a card."
  permit when c in hand[actor]
  remove c from hand[actor]
  up[actor] := c
  laid_down(actor, c)
action keep(c: Card) §1 "Show nothing."
  permit when c in hand[actor]
phase game §1 "Play."
  draw t from deck
  trump := t
  for p in Who
    draw c from deck
    add c to hand[p]
    draw d from deck
    add d to hand[p]
  while turn < 2 up to 2
    choose Ben: lay, keep
    turn += 1
  draw c from {x in Card where not x in hand[Ann] | hand[Ben]}
  up[Ann] := c
  choose Ann: lay, keep
  win Ann
scenario deal §1 "All"
  game()
label en
  event laid_down = "laid down: {p}, {c}"
  action lay = "lay {c}"
  action keep = "keep {c}"
"""


def test_a_card_that_is_laid_open_is_named() -> None:
    """It lies in a public variable; the same card kept in a secret hand is not named."""
    log, game = hr.explain.GameLog("Ann"), ruleset_of(LAID_OPEN).start("deal", seed=3)
    story = []
    for word in ("keep", "lay"):
        action = next(action for action in game.actions if word in action.text)
        after = game.play(action)
        story.append([step.text for step in log.describe(game, after)])
        card, game = next(iter(action.args.values())), after

    assert ["Ben: keep hidden"] == story[0]
    assert [
        f"Ben: lay {card}",
        f"laid down: Ben, {card}",
        f"draw {game.state['up', 'Ann']}",
    ] == story[1]


# ---------------------------------------------------------------- which pieces are where
MANY = """\
ruleset many-1.0 "Many counters"

type Side = Red | Blue
players Side
table Piece §1 (roams: bool)
{pieces}
type Place = Camp | Hill
state §1
  place[Piece] : Place = Camp
secret Piece[p] known to Red §2
invariant at-home §1 "Only one counter leaves the camp."
  all p in Piece: roams[p] or place[p] = Camp

action stay §3 "Nothing."
  permit
action march §3 "All counters that roam go to the hill."
  permit when some {{p in Piece where roams[p] and place[p] = Hill}}
phase game §1 "One decision."
  choose Blue: stay, march
  win none
scenario s §1 "Many"
  place[Roamer] := Hill
  game()
positions begin at game
"""


@pytest.mark.thorough
def test_a_long_chain_of_pieces_finds_a_place() -> None:
    """The roamer is given a place in camp first, and each that cannot leave looks for another in vain."""
    names = [f"Home{number}" for number in range(1000)]
    names.insert(998, "Roamer")
    pieces = "\n".join(f"  {name}  {'yes' if name == 'Roamer' else 'no'}" for name in names)
    game = ruleset_of(MANY.format(pieces=pieces)).start("s", seed=1)

    (world,) = game.worlds("Blue", 1)

    assert world.state["place", "Roamer"] == "Hill"


def test_hidden_values_that_are_not_read_are_not_walked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where hidden pieces alone decide what the viewer may do, others are tried without a walk for each."""
    walks: list[int] = []
    sample, here = FreeCells.sample, get_ident()

    def counted(self: FreeCells, *args: Any) -> None:
        if get_ident() == here:  # a thread of another test may look for worlds of its own
            walks.append(1)
        sample(self, *args)

    monkeypatch.setattr(FreeCells, "sample", counted)
    pieces = "\n".join(f"  P{number}  {'yes' if number == 1 else 'no'}" for number in range(30))
    text = MANY.format(pieces=pieces).replace("[Roamer]", "[P1]")
    text = text.replace(
        "secret Piece", "  luck[Side] : 0..9\nsecret luck[s] known to s §2\nsecret Piece"
    )
    text = text.replace(
        "all p in Piece: roams[p] or place[p] = Camp", "some p in Piece: place[p] = Camp"
    )

    worlds = ruleset_of(text).start("s", seed=1).worlds("Blue", 20)

    assert {"P1"} == {
        p for world in worlds for p in world.state["place"] if world.state["place", p] == "Hill"
    }
    assert 20 == len(walks)


def test_watched_slots_know_what_was_read() -> None:
    watched = WatchedSlots([5, 6, 7, 8, 9])
    assert (9, [6, 7]) == (watched[-1], watched[1:3])
    watched[0] = 4

    assert {1, 2, 4} == watched.read
    assert [4, 6, 7, 8, 9] == watched.copy()
    assert {0, 1, 2, 3, 4} == watched.read


def test_who_is_still_to_go_home_is_in_a_world_somebody_who_does() -> None:
    """Scotland chooses a home for Comyn, and Bruce comes after him: a loop holds a block that Scotland cannot see."""
    rules, chooser = hr.load("hots-4.0"), Random("56")
    machine = rules.machine(rules.chosen({}, {}))
    game = rules.start("braveheart", seed="56")
    for _ in range(242):
        game = game.after(chooser.choice(game.legal_codes))
    assert ("choose_home", ("Scotland",)) == (game.phase, game.to_move)
    assert "England" == game.state["side", "Bruce"] == game.state["side", "Comyn"]

    for number, world in enumerate(game.worlds("Scotland", 12)):
        assert play_in_python(machine, list(world.state.slots), f"{number}").is_over


def test_a_view_of_a_game_that_is_followed_is_that_of_one_that_is_opened() -> None:
    luck = Random(36)
    for name in [name for name, scenarios in hr.scenarios().items() if scenarios]:
        rules = hr.load(name)
        game = rules.start(luck.choice(rules.scenarios), seed=36)
        for _ in range(sample_size(6, 120)):
            if game.is_over:
                break
            game = game.play_code(luck.choice(game.legal_codes))
            spoken = game.in_language(luck.choice(rules.languages))
            opened = evolve(spoken, derived={})
            for viewer in luck.sample((None, *rules.players), 2):
                since = max(len(game.moves) - luck.choice((0, 1, 2, 2, 5)), 0)
                followed, anew = (seen.view(viewer, since=since) for seen in (spoken, opened))
                assert (followed, followed.log) == (anew, anew.log)
                assert json.dumps(followed.state) == json.dumps(anew.state)  # in the same order
