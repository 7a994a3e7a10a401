"""Hidden cells are sampled among all values that the invariants allow, and assignments among all that fit."""

from __future__ import annotations

from random import Random

import pytest

import hots_rules as hr
from hots_rules.compile.codes import codes_of
from hots_rules.observe import determinization
from hots_rules.observe.determinization import sampler_of
from hots_rules.observe.free_cells import FreeCells
from hots_rules.observe.hidden_information import HiddenInformation, holds
from hots_rules.observe.piece_assignment import SWAPS_PER_PLACE, PieceAssignment
from hots_rules.observe.world_steps import world_steps_of
from hots_rules.rules.typed import value_types as types
from tests.observe.tokens import SHIPPED, begun
from tests.playing import last_of, played_out


def game_of(name: str, plays: int = 12) -> hr.Game:
    return last_of(begun(name, seed=3), Random(3), plays)


def walked(hidden: HiddenInformation, times: int, is_possible=lambda _: True) -> list[list[int]]:
    """States whose hidden cells were sampled in turn, each from the one before it."""
    free_cells, chance, states = FreeCells(hidden, is_possible), Random(1), []
    start = None
    with hidden.steps.bounded():
        for attempt in range(times):
            slots = list(hidden.game.state.slots)
            free_cells.sample(slots, chance, start, attempt)
            start = free_cells.values(slots)
            states.append(slots)
    return states


@pytest.mark.parametrize("name", ["tokens-1.0", "goofspiel-1.0", "hots-4.0", "hots-2.3"])
@pytest.mark.parametrize("viewer", [0, 1, -1])
def test_a_walk_changes_hidden_cells_alone_and_keeps_the_invariants(name, viewer) -> None:
    game = game_of(name)
    hidden = HiddenInformation(game, viewer)
    schema = game.state.schema
    free = {variable.base + offset for variable, offset in hidden.cells}
    indexes = {
        schema.indexes[v.name] + code
        for v, _ in hidden.cells
        if v.name in schema.indexes
        for code in range(types.size(v.type))
    }
    states = walked(hidden, 8)

    for slots in states:
        changed = {
            slot for slot, (a, b) in enumerate(zip(slots, game.state.slots, strict=True)) if a != b
        }
        assert changed <= free | indexes
        reindexed = list(slots)
        schema.reindex(reindexed)
        assert slots == reindexed
        assert all(holds(invariant, slots) for _, invariant in game.machine.invariants)
        for variable, offset in hidden.cells:
            if isinstance(variable.type, types.IntType):
                assert variable.type.low <= slots[variable.base + offset] <= variable.type.high
    assert len({tuple(slots) for slots in states}) > 1 or not free


@pytest.mark.parametrize("viewer", [0, 1, 2, -1])
def test_every_value_of_a_hidden_cell_is_reached(viewer: int) -> None:
    """Also where a single cell is hidden, which can exchange nothing with another one."""
    game = begun("tokens-1.0", seed=3)
    for shown in ("", "A: count", "B: count", "C: count"):
        game = game if not shown else game.play(shown)
        hidden = HiddenInformation(game, viewer)
        states = walked(hidden, 60)
        free = FreeCells(hidden, bool).names
        for variable, offset in hidden.cells:
            if variable.name not in free:
                continue
            reached = {slots[variable.base + offset] for slots in states}
            assert reached == {*codes_of(variable.type)}


def test_a_walk_ends_where_the_viewer_may_be() -> None:
    game = begun("tokens-1.0", seed=3)
    hidden = HiddenInformation(game, 0)
    base = game.state.schema.variables["coins"].base

    def is_possible(slots) -> bool:
        return slots[base + 1] + slots[base + 2] == 5

    states = walked(hidden, 20, is_possible)
    assert {slots[base + 1] + slots[base + 2] for slots in states} == {5}
    assert {slots[base + 1] for slots in states} == {2, 3}


def test_a_state_is_refused_for_ever_if_no_hidden_cell_was_looked_at() -> None:
    game = begun("tokens-1.0", seed=3)
    hidden = HiddenInformation(game, 0)
    variables = game.state.schema.variables
    cases = {variables["mover"].base: True, variables["coins"].base + 1: False}
    for slot, is_excluded in cases.items():
        free_cells = FreeCells(hidden, lambda slots, slot=slot: slots[slot] < 0)
        assert free_cells.are_excluded(list(game.state.slots)) == is_excluded
        other = FreeCells(hidden, lambda slots, slot=slot: slots[slot] >= 0)
        assert not other.are_excluded(list(game.state.slots))


# ------------------------------------------------------------------ hidden pieces
@pytest.mark.parametrize("name", SHIPPED)
def test_an_assignment_puts_each_piece_where_it_fits_and_shuffles_them(name: str) -> None:
    hidden = HiddenInformation(game_of(name, 20), 0)
    assignment, chance = PieceAssignment(hidden), Random(1)
    with hidden.steps.bounded():
        pieces = list(assignment.first)
        first = list(pieces)
        before = hidden.steps.machine.spent
        assignment.shuffle(pieces, chance)
        assert hidden.steps.machine.spent == before + SWAPS_PER_PLACE * len(pieces)

    for assigned in (first, pieces):
        for number, mask in enumerate(hidden.visibility.pieces):
            there = [
                piece
                for place, piece in zip(hidden.hidden_slots, assigned, strict=True)
                if place.type_number == number
            ]
            assert sum(1 << piece for piece in there) == mask
        for place, piece in zip(hidden.hidden_slots, assigned, strict=True):
            assert assignment.domains[place.type_number, piece, place.stack]
    assert sum(a != b for a, b in zip(first, pieces, strict=True)) > len(pieces) / 4


@pytest.mark.parametrize("name", SHIPPED)
def test_the_true_piece_fits_its_place(name: str) -> None:
    for plays in (5, 30):
        hidden = HiddenInformation(game_of(name, plays), 1)
        assignment, slots = PieceAssignment(hidden), hidden.game.state.slots
        with hidden.steps.bounded():
            for place in hidden.hidden_slots:
                values = tuple(
                    slots[variable.base + place.piece]
                    for variable in hidden.hidden_attributes(place.type_number, place.piece)
                )
                domain = assignment.domains[place.type_number, place.piece, place.stack]
                assert values in domain


def test_what_is_hidden_of_a_visible_piece_has_any_value() -> None:
    """The level of an open token is known to nobody."""
    game = begun("tokens-1.0", seed=3).play("A: take").play("B: take").play("C: take")
    token = next(action for action in game.actions if action.text.startswith("A: show"))
    game = game.play(token)
    (piece,) = token.args.values()
    levels = {world.state["level", piece] for world in sampled(game, 0, 40)}

    assert levels == {0, 1, 2}


def sampled(game: hr.Game, viewer: int, times: int) -> list[hr.Game]:
    """Worlds that are sampled one by one, without a course that leads to them."""
    sampler, chance = sampler_of(game, viewer), Random(1)
    with world_steps_of(game).bounded():
        return [sampler.world(chance, f"seed/{number}") for number in range(times)]


@pytest.mark.parametrize("name", [*SHIPPED, "tokens-1.0", "goofspiel-1.0"])
def test_a_sampled_world_looks_as_the_game_does(name: str) -> None:
    differing = 0
    for plays in (4, 9, 14):
        game = game_of(name, plays)
        for viewer, player in enumerate(game.ruleset.players[:2]):
            for world in sampled(game, viewer, 3):
                assert world.view(player) == game.view(player)
                assert world.to_move == game.to_move
                assert {action.player for action in world.actions} == {
                    action.player for action in game.actions
                }
                assert world.play(world.actions[0]).state
                differing += world.state != game.state
    assert differing > 5


# ------------------------------------------------------------------ which states are taken
def test_a_state_in_which_others_are_asked_is_no_world() -> None:
    game = begun("tokens-1.0", seed=3).play("A: take")
    slots, mover = list(game.state.slots), game.state.schema.variables["mover"].base
    for viewer in (0, 1, 2, -1):
        sampler = sampler_of(game, viewer)
        assert sampler._asks_the_same(slots)
        for other in (0, 2):
            assert not sampler._asks_the_same([*slots[:mover], other, *slots[mover + 1 :]])


def test_a_state_whose_actions_cannot_be_listed_is_no_world(monkeypatch) -> None:
    game = begun("tokens-1.0", seed=3).play("A: take")
    sampler, slots = sampler_of(game, 0), list(game.state.slots)

    def fails(_: object) -> list[int]:
        raise LookupError

    monkeypatch.setattr(sampler._machine, "legal", fails)
    assert not sampler._asks_the_same(slots)


def test_play_need_not_come_to_where_no_local_name_is_in_use(monkeypatch) -> None:
    """Some plays ahead are enough, however long a local name holds a hidden piece."""
    monkeypatch.setattr(determinization, "MAX_PLAYS_AHEAD", 0)
    (world,) = sampled(game_of("hots-4.0"), 0, 1)
    assert world.view("England").plays == 12


def test_play_may_lead_to_its_end() -> None:
    game = game_of("goofspiel-1.0", 6)
    last = game_of("goofspiel-1.0", 26)
    sampler = sampler_of(game, 0)

    assert last.is_over
    assert sampler._leads_on(list(game.state.slots), list(last.state.slots), "seed")


def test_a_world_is_sampled_where_chance_is_to_move() -> None:
    rules, found = hr.load("dominoes-1.0"), 0
    for game in played_out(rules.start("full-bag", seed=3, chance="ask"), Random(3), 40):
        if game.to_move == ("chance",) and found < 4:
            for world in sampled(game, 0, 2):
                assert world.view("Ann") == game.view("Ann")
            found += 1
    assert found == 4
