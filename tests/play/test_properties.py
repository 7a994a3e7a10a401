"""What holds of every game, whatever is chosen: played by chance, under many options and readings."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import hots_rules as hr
from hots_rules.compile.codes import POINT, REASON, DecisionPoint
from hots_rules.compile.traced import LoggedSlots
from tests.casebook import HAMMER
from tests.playing import (
    Chosen,
    assert_in_range,
    assert_sound,
    broken,
    chance_keys,
    heeded,
    last_of,
    machine_of,
    played_out,
    some_choices,
    stops,
    texts_of_all,
)


@cache
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


OLDER = HAMMER[1:]
SCENARIOS = ("braveheart", "the-bruce", "campaign")
WAYS = pytest.mark.parametrize("chosen", range(4), indirect=True)


@cache
def choices() -> list[Any]:
    return some_choices(rules())


@pytest.fixture
def chosen(request: pytest.FixtureRequest) -> Chosen:
    """Some options and readings, by their number among `choices()`."""
    number: int = request.param
    return choices()[number]


# ------------------------------------------------------------------ any way of playing
class AnyGame(RuleBasedStateMachine):
    """Plays, refuses, copies and records in any order; `assert_sound` looks at every moment."""

    game: hr.Game

    @initialize(
        scenario=st.sampled_from(SCENARIOS),
        chosen=st.builds(choices).flatmap(st.sampled_from),
        seed=st.integers(0, 1 << 32),
        chance=st.sampled_from(["auto", "ask"]),
    )
    def begin(self, scenario: str, chosen: Chosen, seed: int, chance: str) -> None:
        chosen = heeded(rules(), scenario, chosen)
        self.game = rules().start(scenario, seed=seed, chance=chance, **chosen)

    @invariant()
    def is_sound(self) -> None:
        assert_sound(self.game)

    @precondition(lambda self: not self.game.is_over)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        action = data.draw(st.sampled_from(self.game.actions))
        before = self.game.state
        after = self.game.play(action)

        assert before == self.game.state
        assert (*self.game.moves, action.code) == after.moves
        assert after == self.game.play(action.text) == self.game.play_code(action.code)
        assert not self.game.why_not(action)
        self.game = after

    @rule(seed=st.integers(0, 1 << 16), many=st.integers(1, 60))
    def play_on(self, seed: int, many: int) -> None:
        for game in played_out(self.game, Random(seed), many):
            assert_sound(game)
            self.game = game

    @rule(seed=st.integers(0, 1 << 16))
    def refuse(self, seed: int) -> None:
        legal = {action.code for action in self.game.actions}
        before, record = self.game.state, self.game.record
        for code, text in islice(texts_of_all(rules(), Random(seed)), 5):
            if code not in legal:
                assert_refused(self.game, text)

        assert (before, record) == (self.game.state, self.game.record)

    @rule()
    def record(self) -> None:
        again = hr.replay(self.game.record)

        assert again == self.game
        assert again.record == self.game.record

    @rule(language=st.builds(rules).flatmap(lambda found: st.sampled_from(found.schema.languages)))
    def read_texts(self, language: str) -> None:
        for action in self.game.in_language(language).actions:
            assert self.game.play(action.text).moves[-1] == action.code


TestAnyGame = pytest.mark.thorough(AnyGame.TestCase)
TestAnyGame.settings = settings(
    max_examples=max(settings.default.max_examples // 8, 12),
    stateful_step_count=20,
    suppress_health_check=list(HealthCheck),
)


def assert_refused(game: hr.Game, text: str) -> None:
    """The action is refused, and each reason says what stands against it and where that is written."""
    reasons = game.why_not(text)
    assert reasons, f"expected a reason against `{text}`"
    with pytest.raises(hr.IllegalAction) as refused:
        game.play(text)
    assert refused.value.reasons == reasons.against
    for reason in reasons:
        assert reason.kind in {"moment", "permit", "forbid"}
        assert reason.summary
        assert set(reason.sections) <= set(rules().rulebook.sections["hots-4.0"])
        if reason.rule:
            assert reason.edition == "hots-4.0"
            assert any(name == reason.rule for _, name in rules().rulebook.entries), reason
        # A chance point of a position that has nothing to name but the moment has no clause.
        assert reason.rule or reason.kind == "moment"


# ------------------------------------------------------------------ other editions
@pytest.mark.thorough
@pytest.mark.parametrize("edition", OLDER)
def test_every_edition_keeps_its_invariants_whatever_is_chosen(edition: str) -> None:
    ruleset = hr.load(edition)
    for chosen in some_choices(ruleset):
        machine = machine_of(ruleset.start("braveheart", seed=1, **chosen))
        for scenario in ruleset.scenarios:
            for slots, point in stops(machine, scenario, edition):
                if isinstance(point, DecisionPoint):
                    assert [] == broken(machine, slots), (scenario, chosen)
            assert_in_range(machine, slots)


@pytest.mark.thorough
@pytest.mark.parametrize("edition", OLDER)
def test_a_whole_game_of_every_edition_is_sound(edition: str) -> None:
    for game in played_out(hr.load(edition).start("the-bruce", seed=edition), Random(edition)):
        assert_sound(game)


# ------------------------------------------------------------------ whole games
@pytest.mark.thorough
@WAYS
@pytest.mark.parametrize("scenario", ["braveheart", "the-bruce"])
def test_a_whole_game_is_sound_at_every_moment(scenario: str, chosen: Chosen) -> None:
    chooser = Random(scenario)
    for game in played_out(
        rules().start(scenario, seed=scenario, **heeded(rules(), scenario, chosen)), chooser
    ):
        assert_sound(game)
        for action in chooser.sample(game.actions, min(len(game.actions), 3)):
            assert game.play(action.text).moves[-1] == action.code

    assert game.outcome is not None
    assert game.outcome.sections
    assert hr.replay(game.record) == game


@pytest.mark.thorough
@WAYS
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_game_ends_and_no_invariant_is_ever_broken(scenario: str, chosen: Chosen) -> None:
    codes = rules().chosen(chosen["options"], chosen["readings"])
    machine = rules().machine(codes)
    for seed in map(str, range(2 if scenario == "campaign" else 5)):
        chooser, slots = Random(seed), machine.begin(scenario)
        machine.run(slots, slots[0], seed)
        decisions = 0
        while slots[0]:
            assert [] == broken(machine, slots)
            legal = machine.legal(slots)
            assert legal, machine.facts.points[-1 - slots[0]].phase
            assert machine.players(slots)
            machine.play(slots, chooser.choice(legal), seed)
            decisions += 1
            assert decisions < 200_000

        assert machine.outcome(slots)
        assert_in_range(machine, slots)


@pytest.mark.thorough
@WAYS
def test_what_is_not_legal_is_refused_with_its_reasons(chosen: Chosen) -> None:
    chooser = Random(5)
    every = texts_of_all(rules(), chooser)
    for game in played_out(rules().start("braveheart", seed=5, **chosen), chooser):
        if chooser.random() < 0.03:
            legal = {action.code for action in game.actions}
            for code, text in islice(every, 5):
                if code not in legal:
                    assert_refused(game, text)
            for code, text in _of_the_moment(game, chooser, 5):
                if code not in legal:
                    assert_refused(game, text)


def _of_the_moment(game: hr.Game, chooser: Random, many: int) -> list[tuple[int, str]]:
    """Actions of a kind that is asked for now, by those who are asked, legal or not."""
    notation, kinds = game.notation, {action.name for action in game.actions}
    forms = [form for form in notation.forms if form.name in kinds]
    found = []
    for form in chooser.choices(forms, k=many if forms else 0):
        code = form.base + chooser.randrange(form.size)
        player, args = form.decode(code, len(rules().players))
        if rules().players[player] in game.to_move:
            found.append((form.encode(player, args), notation.exact(code)))
    return found


# ------------------------------------------------------------------ chance
@pytest.mark.thorough
@WAYS
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_two_chance_points_of_a_game_have_the_same_key(scenario: str, chosen: Chosen) -> None:
    machine = rules().machine(rules().chosen(chosen["options"], chosen["readings"]))
    for seed in range(1 if scenario == "campaign" else 5):
        seen: dict[str, str] = {}
        for key, phase in chance_keys(machine, scenario, f"keys {seed}"):
            assert key not in seen, (
                f"{key} in `{phase}` and in `{seen[key]}`: name more after `for`"
            )
            seen[key] = phase


# ------------------------------------------------------------------ round trips
@pytest.mark.thorough
@given(st.sampled_from(SCENARIOS), st.integers(0, 1 << 32), st.integers(0, 400))
@settings(max_examples=15)
def test_a_record_replays_to_the_same_bytes(scenario: str, seed: int, many: int) -> None:
    game = last_of(rules().start(scenario, seed=seed), Random(seed), many)
    again = hr.replay(game.record)

    assert again == game
    assert again.state == game.state
    assert again.record == game.record
    assert hash(again) == hash(game)


@given(st.sampled_from(SCENARIOS), st.integers(0, 1 << 32), st.integers(0, 400))
@settings(max_examples=15)
def test_a_state_is_plain_data(scenario: str, seed: int, many: int) -> None:
    state = last_of(rules().start(scenario, seed=seed), Random(seed), many).state
    plain = state.as_dict()

    assert plain == json.loads(json.dumps(plain))
    assert set(plain) == set(rules().schema.variables)


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", ["braveheart", "the-bruce"])
def test_a_position_is_the_inverse_of_the_game_where_a_game_turn_begins(scenario: str) -> None:
    chooser = Random(scenario)
    begun = 0
    for game in played_out(rules().start(scenario, seed=7), chooser):
        if game.phase == "play_cards" and len(game.to_move) == 2:
            begun += 1
            again = rules().position(game.position, seed=7)
            assert again.position == game.position
            assert again.state.as_dict() == game.state.as_dict()
            assert again.actions == game.actions
            # Equal to the last slot once both count their loops from a position.
            assert rules().position(again.position, seed=7) == again
            _same_ways(game, again, Random(begun), 10)
    assert begun > 3


def _same_ways(one: hr.Game, other: hr.Game, chooser: Random, many: int) -> None:
    """What is the same moment goes on the same way, dice and draws too."""
    for game in played_out(one, chooser, many):
        if game is not one:
            other = other.play(other.actions[[a.code for a in one.actions].index(game.moves[-1])])
            one = game
        assert one.state.as_dict() == other.state.as_dict()
        assert one.actions == other.actions


@given(st.integers(0, 1 << 32), st.integers(0, 400))
@settings(max_examples=30)
def test_the_position_of_any_moment_is_a_game_or_says_what_is_wrong(seed: int, many: int) -> None:
    game = last_of(rules().start("the-bruce", seed=seed), Random(seed), many)
    try:
        again = rules().position(game.position, seed=seed)
    except hr.BadPosition as error:
        assert error.faults
    else:
        assert_sound(again)


# ------------------------------------------------------------------ compiled and plain
@given(
    st.builds(choices).flatmap(lambda found: st.sampled_from(found[:2])),
    st.integers(0, 1 << 32),
    st.integers(0, 400),
)
@settings(max_examples=5)
def test_a_traced_game_is_the_same_game(chosen: Chosen, seed: int, many: int) -> None:
    game = last_of(rules().start("braveheart", seed=seed, **chosen), Random(seed), many)
    machine = machine_of(game)
    traced = rules().machine(game.settings, traced=True)
    slots, also = machine.begin("braveheart"), LoggedSlots(traced.begin("braveheart"))
    machine.run(slots, slots[0], str(seed))
    traced.run(also, also[0], str(seed))
    for code in game.moves:
        assert slots == also
        machine.play(slots, code, str(seed))
        traced.play(also, code, str(seed))
        assert also.log
    # Each machine counts its rules in its own way, and so the one that ended the game.
    ended, also_ended = (
        one.facts.origins[of[REASON]].rule for one, of in ((machine, slots), (traced, also))
    )
    assert slots[POINT] or ended == also_ended
    assert slots == list(game.state.slots) == [*also[:REASON], slots[REASON], *also[REASON + 1 :]]
    assert game.trace or not game.moves
