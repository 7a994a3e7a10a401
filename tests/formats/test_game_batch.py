"""Batches of games: the same observations, legal actions and rewards as games one by one, whatever plays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.game import load_source
from tests.native.rulesets import rulesets
from tests.native.test_lowering import QUICK
from tests.needs import needs
from tests.observe.test_views import TINY
from tests.playing import ruleset_of
from tests.sizes import sample_size

np = needs("numpy")
needs("wasmtime")

from hots_rules.formats.training import native_games
from hots_rules.formats.training.batch_moments import BatchMoments

Moment = hr.formats.ObservedMoment[hr.Game]
FAILING = "to all when count(shown) > 1 and p = the(shown)"
"""An audience that cannot be evaluated once two counters are turned up: machine code leaves such games to Python."""


class Singles:
    """The games of a batch, one by one."""

    def __init__(self, batch: hr.formats.GameBatch, rules: hr.Ruleset, scenario: str) -> None:
        self.batch, self.rules, self.scenario = batch, rules, scenario
        self.numbering = hr.formats.ActionNumbering(rules)
        self.moments = [self.begun(number) for number in range(batch.games)]

    def begun(self, number: int) -> Moment:
        game = self.rules.start(self.scenario, seed=f"word/{number}")
        return hr.formats.ObservedMoment.of(game)

    def after(self, step: hr.formats.BatchStep, actions: np.ndarray) -> None:
        """Play the same actions."""
        for place, choice in enumerate(actions.tolist()):
            moment = self.moments[place]
            if choice == -2:
                self.moments[place] = self.begun(int(step.numbers[place]))
            elif choice >= 0:
                code = self.numbering.code(choice, moment.moment.seat)
                self.moments[place] = moment.after(code)

    def check(self, step: hr.formats.BatchStep) -> None:
        """Compare all that a step tells."""
        vectors = dense(self.batch, step)
        mask = self.batch.dense_mask()
        for place, observed in enumerate(self.moments):
            moment = observed.moment
            is_over = moment.seat == hr.formats.NOBODY
            legal = self.numbering.numbers(moment.codes_of(moment.seat))
            viewer = self.batch.last_viewer if is_over else moment.seat

            assert step.seats[place] == max(moment.seat, -1)
            assert step.legal(place).tolist() == legal
            assert np.flatnonzero(mask[place]).tolist() == sorted(legal)
            assert vectors[place].tolist() == seen(observed, viewer)
            if is_over and step.ends[place]:
                assert step.rewards[place].tolist() == rewards(moment)
            else:
                assert not step.rewards[place].any()


def rewards(moment: hr.formats.PackedMoment) -> list[float]:
    winners, count = moment.winners, len(moment.machine.facts.players)
    lost = -len(winners) / max(count - len(winners), 1)
    return [1.0 if seat in winners else lost for seat in range(count)]


def seen(moment: Moment, viewer: int) -> list[int]:
    """The vector of a player in parts of 255."""
    row = [0] * moment.size
    if viewer >= 0:
        for index, number in zip(*moment.vector(viewer), strict=True):
            row[index] = int(255 * number + 0.5)
    return row


def dense(batch: hr.formats.GameBatch, step: hr.formats.BatchStep) -> np.ndarray:
    """The vectors of all games, from whichever form."""
    shown = step.observations
    if isinstance(shown, np.ndarray):
        assert shown.dtype == np.uint8
        return shown
    rows: np.ndarray = np.zeros((batch.games, batch.size), np.uint8)
    for place, (first, after) in enumerate(zip(shown.offsets, shown.offsets[1:], strict=False)):
        marks = shown.marks[first:after]
        assert (marks[:, 1] > 0).all()
        rows[place, marks[:, 0]] = marks[:, 1]
    return rows


def played(
    rules: hr.Ruleset, scenario: str, steps: int, games: int = 3, **how: object
) -> Iterator[hr.formats.BatchStep]:
    """Random steps of a batch, each compared with games one by one; some games wait."""
    batch = hr.formats.GameBatch.of(rules, scenario, games, **how)
    generator = np.random.default_rng(5)
    step = batch.reset("word")
    singles = Singles(batch, rules, scenario)
    singles.check(step)
    for number in range(steps):
        actions = step.random_actions(generator)
        actions[number % games if number % 4 == 0 else []] = -1
        before = step.seats.copy()
        step = batch.step(actions)
        assert not step.ends[actions == -1].any()
        actions[(before < 0) & (actions != -1)] = -2
        singles.after(step, actions)
        singles.check(step)
        yield step


# ------------------------------------------------------------------ equal to games one by one
@pytest.mark.parametrize(
    ("name", "scenario", "steps", "how"),
    [
        ("connect-four-1.0", "empty-board", 60, {"workers": 2, "last_viewer": "Red"}),
        ("goofspiel-1.0", "", 40, {"observations": "sparse"}),
        ("dominoes-1.0", "", 60, {"observations": "sparse", "workers": 2}),
        ("beacons-1.0", "", 120, {}),
        pytest.param("backgammon-1.0", "", 400, {}, marks=pytest.mark.thorough),
        pytest.param("dominoes-1.0", "", 100, {"backend": "llvm"}, marks=pytest.mark.thorough),
        pytest.param(
            "lords-of-scotland", "3-players", 300, {"workers": 2}, marks=pytest.mark.thorough
        ),
        pytest.param(
            "hots-4.0", "braveheart", 900, {"observations": "sparse"}, marks=pytest.mark.thorough
        ),
        *(
            pytest.param(name, scenario, 2000, {"workers": 2}, marks=pytest.mark.nightly)
            for name, scenario in (
                ("breakthrough-1.0", "two-ranks"),
                ("reversi-1.0", "four-discs"),
                ("hots-3.x", "the-bruce"),
                ("hots-2.3", "braveheart"),
                ("hots-player-aid", "braveheart"),
                ("lords-of-scotland", "5-players"),
            )
        ),
    ],
)
def test_games_of_a_batch_are_those_one_by_one(
    name: str, scenario: str, steps: int, how: dict[str, object]
) -> None:
    needs("llvmlite" if how.get("backend") == "llvm" else "wasmtime")
    rules = hr.load(name)
    scenario = scenario or next(iter(rules.scenarios))
    ended = sum(
        int(step.ends.sum())
        for step in played(rules, scenario, steps, **{"backend": "wasm", **how})
    )
    assert ended


@pytest.mark.parametrize("observations", ["dense", "sparse"])
def test_python_plays_the_same_games(observations: str) -> None:
    rules = hr.load("connect-four-1.0")
    how = {"backend": "python", "observations": observations}
    assert any(step.ends.any() for step in played(rules, "empty-board", 40, **how))


@pytest.mark.parametrize("backend", ["wasm", "python"])
def test_hidden_pieces_are_followed_by_their_stacks(backend: str) -> None:
    rules = ruleset_of(TINY.replace("{rule}", ""))
    steps = sample_size(60, 600)
    scenario = next(iter(rules.scenarios))
    assert list(played(rules, scenario, steps, 4, backend=backend))


@pytest.mark.parametrize("audience", [FAILING, "to all when p = the(shown)"])
def test_what_machine_code_cannot_do_python_does(
    audience: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game goes over to Python from the moment before, or at its beginning."""
    taken: list[str] = []
    for name in ("of_native", "begun"):
        made = getattr(BatchMoments, name)

        def noted(*args: object, made: Callable[..., Moment] = made, name: str = name) -> Moment:
            taken.append(name)
            return made(*args)

        monkeypatch.setattr(BatchMoments, name, noted)
    rules = ruleset_of(TINY.replace("to all when p in shown", audience).replace("{rule}", ""))
    scenario = next(iter(rules.scenarios))
    for observations in ("dense", "sparse"):
        how = {"backend": "wasm", "observations": observations}
        assert list(played(rules, scenario, 40, 4, **how))
    assert ("of_native" if audience == FAILING else "begun") in taken


def test_a_ruleset_with_more_secrets_than_machine_code_takes_is_played_by_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audience = "to all when p in shown and round > 2"  # so that no code of it is kept
    rules = ruleset_of(TINY.replace("to all when p in shown", audience).replace("{rule}", ""))
    monkeypatch.setattr("hots_rules.native.runtime.tracking.MAX_NAMINGS", 0)
    scenario = next(iter(rules.scenarios))
    batch = hr.formats.GameBatch.of(rules, scenario, 2, backend="wasm")

    assert batch.backend == "python"
    assert "two words" in batch.why
    assert list(played(rules, scenario, 5, backend="wasm"))


def test_a_memory_with_little_room_returns_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that do not fit are handed over in parts."""
    monkeypatch.setattr("hots_rules.native.runtime.stepping.LISTED_PER_GAME", 0)
    monkeypatch.setattr("hots_rules.native.runtime.stepping.MARKS_PER_GAME", 0)
    monkeypatch.setattr("hots_rules.native.runtime.stepping.KEPT", 2)
    monkeypatch.setattr(native_games, "GAMES_PER_MEMORY", 33)
    rules = ruleset_of(TINY.replace("{rule}", ""))
    scenario = next(iter(rules.scenarios))
    for observations in ("dense", "sparse"):
        how = {"backend": "wasm", "observations": observations}
        assert list(played(rules, scenario, 8, 33, **how))


def test_looking_at_a_game_costs_no_steps() -> None:
    """Where the members of loops are counted, those of the conditions of secrets are not."""
    rules = load_source(hr.load("dominoes-1.0").source, counts_steps=True)

    assert list(played(rules, "full-bag", 30, backend="wasm"))


@pytest.mark.thorough
@settings(phases=QUICK, max_examples=sample_size(10, 300), suppress_health_check=list(HealthCheck))
@given(rulesets(), st.sampled_from(["dense", "sparse"]))
def test_generated_rulesets_with_secrets_are_seen_as_in_python(text: str, form: str) -> None:
    secrets = "secret hand[s] known to s, to all when score > 5 §1\nsecret trump known to Red §1\n"
    try:
        rules = ruleset_of(text.replace("clock turn\n", f"{secrets}clock turn\n"))
    except hr.RulesetError:
        reject()  # as with a comparison that is always true
    batch = hr.formats.GameBatch.of(rules, "table", 3, backend="wasm", observations=form)
    assert batch.backend == "wasm"
    with suppress(hr.EngineError):  # the rules may leave the bounds of a variable
        generator = np.random.default_rng(1)
        step = batch.reset("word")
        singles = Singles(batch, rules, "table")
        for _ in range(24):
            singles.check(step)
            actions = step.random_actions(generator)
            try:
                step = batch.step(actions)
            except hr.EngineError:
                with pytest.raises(hr.EngineError):
                    singles.after(step, actions)
                return
            singles.after(step, actions)


# ------------------------------------------------------------------ what a step refuses
@pytest.mark.parametrize("backend", ["wasm", "python"])
def test_an_action_that_is_not_legal_changes_no_game(backend: str) -> None:
    rules = hr.load("connect-four-1.0")
    batch = hr.formats.GameBatch.of(rules, "empty-board", 2, backend=backend)
    step = batch.reset()
    legal = step.legal(0).tolist()
    (illegal, *_) = set(range(batch.action_count)) - set(legal)

    with pytest.raises(hr.IllegalAction) as caught:
        batch.step([legal[0], illegal])

    assert caught.value.reasons
    assert batch.game(0).state == batch.game(1).state
    assert batch.step([legal[0], -1]).seats.tolist() == [1, 0]


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [0, -3], [0, 42]])
def test_actions_are_one_for_each_game(actions: list[int]) -> None:
    batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 2)
    batch.reset()

    with pytest.raises(hr.BadArgument):
        batch.step(actions)


def test_a_step_needs_a_reset() -> None:
    batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 2)

    with pytest.raises(hr.BadArgument):
        batch.step([0, 0])


@pytest.mark.parametrize("backend", ["wasm", "python"])
def test_a_game_needs_a_reset_and_a_place_in_the_batch(backend: str) -> None:
    rules = hr.load("connect-four-1.0")
    batch = hr.formats.GameBatch.of(rules, "empty-board", 2, backend=backend)
    with pytest.raises(hr.BadArgument, match="reset"):
        batch.game(0)

    batch.reset()
    for place in (-1, 2):
        with pytest.raises(hr.BadArgument, match="the place of a game"):
            batch.game(place)
    assert ("Red",) == batch.game(1).to_move


def recalled(
    batch: hr.formats.GameBatch, past: list[tuple[list[int], int]], present: list[int]
) -> np.ndarray:
    """The information state of a player who sees something now, from what it saw and chose before."""
    bits = (batch.action_count - 1).bit_length()
    tensor = np.zeros((batch.recall, batch.size + bits), np.uint8)
    tensor[0, : batch.size] = present
    for row, (shown, choice) in zip(tensor[1:], reversed(past), strict=False):
        row[: batch.size] = shown
        row[batch.size :] = [255 * (choice >> i & 1) for i in range(bits)]
    return tensor


@pytest.mark.parametrize("backend", ["python", "wasm"])
@pytest.mark.parametrize("recall", [1, 3, 40])
@pytest.mark.parametrize(
    ("name", "scenario"), [("goofspiel-1.0", "full-hands"), ("connect-four-1.0", "empty-board")]
)
def test_information_states_are_what_was_seen_and_chosen(
    name: str, scenario: str, recall: int, backend: str
) -> None:
    rules = hr.load(name)
    batch = hr.formats.GameBatch.of(rules, scenario, 3, backend=backend, recall=recall)
    generator = np.random.default_rng(5)
    for _ in range(2):
        step, past = batch.reset("word"), dict[tuple[int, int], list[tuple[list[int], int]]]()
        for turn in range(60):
            assert step.information is not None
            shown, seats = step.observations, step.seats.tolist()
            for place, seat in enumerate(seats):
                seen_now = shown[place].tolist()
                known = past.get((place, seat), [])
                expected = recalled(batch, known, seen_now) if seat >= 0 else 0
                assert (step.information[place] == expected).all()
            chosen = step.random_actions(generator)
            chosen[turn % 3] = -1 if turn % 4 else -2
            for place, choice in enumerate(chosen.tolist()):
                if choice >= 0:
                    seat = seats[place]
                    past.setdefault((place, seat), []).append((shown[place].tolist(), choice))
                elif choice == -2:
                    past = {key: known for key, known in past.items() if key[0] != place}
            step = batch.step(chosen)


@pytest.mark.parametrize(
    "how", [{"recall": -1}, {"observations": "sparse"}, {"viewer": "Red"}, {"recall": True}]
)
def test_decisions_are_recalled_of_who_chooses(how: dict[str, object]) -> None:
    rules = hr.load("connect-four-1.0")
    with pytest.raises(hr.BadArgument):
        hr.formats.GameBatch.of(rules, "empty-board", 2, **({"recall": 2} | how))


@pytest.mark.parametrize(
    "how",
    [
        {"games": 0},
        {"workers": 0},
        {"backend": "fortran"},
        {"observations": "all"},
        {"viewer": "Green"},
        {"players": 3},
    ],
)
def test_a_batch_refuses_what_cannot_be(how: dict[str, object]) -> None:
    rules = hr.load("connect-four-1.0")

    with pytest.raises(hr.ArgumentError):
        hr.formats.GameBatch.of(rules, "empty-board", **{"games": 2, **how})


def test_a_seed_is_a_short_line() -> None:
    batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 2)

    for seed in ("x" * 200, "two\nlines", " word", "\ud800", 10**5000, True, None):
        with pytest.raises(hr.BadArgument):
            batch.reset(seed)


# ------------------------------------------------------------------ memory
def test_arrays_outlive_their_batch() -> None:
    """The memory of machine code is there as long as an array over it."""
    step = hr.formats.GameBatch.of(
        hr.load("connect-four-1.0"), "empty-board", 2, backend="wasm"
    ).reset()

    assert step.observations is not None
    assert step.observations.sum() > 0
    assert step.legal(1).tolist() == step.legal(0).tolist()


def test_a_single_memory_is_not_copied() -> None:
    batch = hr.formats.GameBatch.of(hr.load("connect-four-1.0"), "empty-board", 2, backend="wasm")
    first = batch.reset()
    second = batch.step(first.random_actions(np.random.default_rng(0)))

    assert np.shares_memory(first.observations, second.observations)
    assert np.shares_memory(first.actions, second.actions)
