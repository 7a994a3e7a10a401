"""Tests that nothing shown to a player depends on what is hidden from that player.

A world is a game with other hidden information that is consistent with what the player knows.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random

from attrs import astuple, has

from hots_rules.diagnostics import HotsError, check_kind
from hots_rules.explain.board.render import render_board
from hots_rules.explain.explain_action import explain_action
from hots_rules.explain.query import ask, questions
from hots_rules.observe.determinization import sampler_of
from hots_rules.observe.information_state import information_state, tracker_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.permute import Permuter
from hots_rules.observe.preview import preview_of
from hots_rules.observe.view import observed_trace, view_of
from hots_rules.observe.worlds import worlds_of
from hots_rules.play.action import Action
from hots_rules.play.game import AnyRuleset, BaseGame

MAX_SAMPLES = 3
_TRACED_WORLDS = 2  # worlds in which the last action is played, to compare its trace


def assert_no_leak(
    tested: BaseGame | AnyRuleset,
    player: str | None = None,
    *,
    games: int = 3,
    plays: int = 40,
    every: int = 10,
    worlds: int = 2,
    seed: int | str = 0,
) -> int:
    """Assert that nothing shown to a player depends on what is hidden from that player.

    The hidden information of a game is replaced by other information that is consistent with what the player knows.
    Every answer for the player must be the same in these worlds: the view, as value and as text, the board, the
    actions, refusals with their reasons, previews, worlds, the undo limit, answers to questions, and the trace of the
    last action, if that action is possible in the world.

    Args:
        tested: a game, or a ruleset whose random games are tested.
        player: the player; if omitted, each player and a spectator for a ruleset, and a spectator for a game.
        games: how many random games of a ruleset are played.
        plays: how many actions each of them has.
        every: how many actions there are between two tests.
        worlds: how many worlds each test compares. The trace of the last action is compared in up to 2 more.
        seed: the seed of all random choices.

    Returns:
        The number of compared worlds. They are a sample, so success is no proof.

    Raises:
        AssertionError: an answer differs; the message shows both.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> assert_no_leak(game, game.to_move[0], worlds=1)
    1
    """
    if isinstance(tested, BaseGame):
        return _compare_worlds(tested, None, player, worlds, seed)
    chance = Random(f"leaks/{seed}")
    viewers = (*tested.players, None) if player is None else (player,)
    return sum(
        _compare_worlds(after, before, viewer, worlds, seed)
        for number in range(games)
        for play, (before, after) in enumerate(_random_plays(tested, number, plays, seed, chance))
        if play % every == 0
        for viewer in viewers
    )


def _random_plays(
    ruleset: AnyRuleset, number: int, plays: int, seed: int | str, chance: Random
) -> Iterator[tuple[BaseGame, BaseGame]]:
    """The game before and after each of some random plays; the games take the scenarios in turn."""
    scenario = ruleset.scenarios[number % len(ruleset.scenarios)]
    game = ruleset.start(scenario, seed=f"{seed}/{number}")
    for _ in range(plays):
        if game.is_over:
            return
        before, game = game, game.play(chance.choice(game.actions))
        yield before, game


def assert_same_answers(game: BaseGame, twins: Iterable[BaseGame], player: str | None) -> None:
    """Assert that a player gets the same answers in games that differ only in what is hidden from that player.

    Raises:
        AssertionError: an answer differs; the message shows both.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> first, second = game.to_move
    >>> secret = [game.play(action) for action in game.actions if action.player == second]
    >>> assert_same_answers(secret[0], secret[1:3], first)
    """
    check_kind("game", game, BaseGame, "a game")
    answers = dict(_answers(game, player))
    for twin in twins:
        for name, answer in _answers(twin, player):
            _assert_equal(answers[name], answer, name, player, game)
        if game.moves and twin.moves:  # a world has no last play
            last, in_twin = (_content(observed_trace(played, player)) for played in (game, twin))
            _assert_equal(last, in_twin, "trace of the last play", player, game)


def _compare_worlds(
    game: BaseGame, before: BaseGame | None, player: str | None, worlds: int, seed: int | str
) -> int:
    """Compare a game with worlds of it; how many there were."""
    assert_same_answers(game, worlds_of(game, player, worlds, f"leak/{seed}"), player)
    return worlds + (0 if before is None else _compare_traces(before, game, player, seed))


def _answers(game: BaseGame, player: str | None) -> Iterator[tuple[str, str]]:
    """Every answer that a player can get at one moment of a game, by name.

    What is sampled here has a seed that is the same in all worlds, so that the same answers are compared.
    """
    view = view_of(game, player)
    yield "view", _content(view)
    yield "text of the view", str(view)
    yield "decision", repr((game.to_move, game.phase, game.is_over))
    yield "outcome", repr(game.outcome)
    if player is None:
        return
    yield "board", _content(render_board(game, player))
    yield "undo limit", repr(information_state(game, viewer_of(game, player)).undo_limit)
    yield "world", repr(next(iter(worlds_of(game, player, 1, "seen"))).state.slots)
    for question in _questions(game):
        yield f"answer to {question}", _content(ask(game, question, player))
    for action in _sample(view.actions):
        yield f"preview of {action.text}", _content(preview_of(game, action, player))
    for text in _illegal_texts(game, player):
        yield f"attempt at {text}", _result(partial(preview_of, game, text, player))
        yield (
            f"reasons against {text}",
            _result(partial(explain_action, game, text, player, with_support=False)),
        )


def _content(value: object) -> str:
    """All that a value contains, of which its repr may be an abbreviation."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_content, value))})"
    return repr(astuple(value)) if has(type(value)) else repr(value)  # type: ignore[arg-type]


def _sample(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return actions[:: max(len(actions) // MAX_SAMPLES, 1)][:MAX_SAMPLES]


def _illegal_texts(game: BaseGame, player: str) -> Iterator[str]:
    """Texts that are probably not legal now: some actions of the player at other moments, and a text that is none."""
    chance = Random(len(view_of(game, player).state))
    notation = game.notation
    forms = [form for form in notation.forms if form.size]
    for form in chance.sample(forms, min(MAX_SAMPLES, len(forms))):
        text = notation.text(form.base + chance.randrange(form.size))
        yield f"{player}:{text.partition(':')[2]}"
    yield f"{player}: look under the table"


def _questions(game: BaseGame) -> list[str]:
    """Some questions without a parameter, or with one at their end, which is left out."""
    asked = [
        re.sub(r" \{\w+\}$", "", question)
        for question in questions(game)
        if re.fullmatch(r"[^{}]+(\{\w+\})?", question)
    ]
    return Random(str(game.phase)).sample(asked, min(MAX_SAMPLES, len(asked)))


def _result(answer: Callable[[], object]) -> str:
    try:
        return _content(answer())
    except HotsError as error:
        return f"{type(error).__name__}: {error}"


# ------------------------------------------------------------------ traces
def _compare_traces(before: BaseGame, after: BaseGame, player: str | None, seed: int | str) -> int:
    """Compare the trace of the last action in worlds where the player sees the same effects; how many there were."""
    viewer = viewer_of(before, player)
    move = after.moves[-1]
    if move < 0:
        return 0
    view, trace = view_of(after, player), observed_trace(after, player)
    compared = 0
    for world, same_move in _worlds_with_move(before, viewer, move, seed):
        if same_move not in world.legal_code_set:
            continue
        later = world.after(same_move)
        if view_of(later, player) == view:
            name = f"trace of {after.notation.text(move)}"
            observed = observed_trace(later, player)
            _assert_equal(_content(trace), _content(observed), name, player, after)
            compared += 1
    return compared


def _worlds_with_move(
    game: BaseGame, viewer: int, move: int, seed: int | str
) -> Iterator[tuple[BaseGame, int]]:
    """Worlds with the same dice, each with the move of the same pieces there."""
    sampler = sampler_of(game, viewer)
    permuter = Permuter(tracker_of(game, viewer).observer)
    chance = Random(f"twins/{seed}")
    form = game.notation.form_of(move)
    chooser, args = form.decode(move, len(game.ruleset.players))
    for _ in range(_TRACED_WORLDS):
        world = sampler.world(chance, game.seed)
        renaming = sampler.true_renaming()
        renamed = tuple(
            permuter.code(arg, type_, renaming)
            for arg, (_, type_) in zip(args, form.params, strict=True)
        )
        yield world, form.encode(chooser, renamed)


def _assert_equal(
    answer: str, in_world: str, name: str, player: str | None, game: BaseGame
) -> None:
    if answer == in_world:
        return
    pairs = enumerate(zip(answer, in_world, strict=False))
    first = next((at for at, (a, b) in pairs if a != b), min(len(answer), len(in_world)))
    excerpt = slice(max(first - 60, 0), first + 60)
    raise AssertionError(
        f"the {name} for {player or 'a spectator'} depends on hidden information:\n"
        f"  …{answer[excerpt]}…\n  …{in_world[excerpt]}…\n"
        f"in {game.ruleset.name} {game.scenario}, seed {game.seed}, after {len(game.moves)} plays"
    )
