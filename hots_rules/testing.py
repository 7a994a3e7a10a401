"""What a ruleset's own tests can ask: does a player learn what its secrets keep?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from hots_rules.diagnostics import HotsError
from hots_rules.explain.board import render_board
from hots_rules.game import Game, Ruleset
from hots_rules.observe.determinization import sampler_of
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.preview import preview_of
from hots_rules.play.action import Action

MAX_TRIED = 3


def assert_no_leak(
    tested: Game | Ruleset,
    player: str | None = None,
    *,
    games: int = 3,
    plays: int = 40,
    every: int = 10,
    worlds: int = 2,
    seed: int | str = 0,
) -> int:
    """Fails where what a player is shown follows from what that player cannot know.

    All that is hidden is replaced by something else that fits what the player knows, and every answer for
    the player must stay the same to the byte: the view, its words, the board, the actions, what is
    refused and why, previews, worlds, what may be taken back, replies to questions; and the story of the last
    play, where the play can be told of both. Of a ruleset, `games` by chance are looked at, `plays` long, at `every` so
    many plays; without a `player`, through the eyes of each player and of a spectator.

    Returns how many pairs were compared. A pass is no proof: it has tried so many.

    Raises:
        AssertionError: what differed, and how.
    """
    if isinstance(tested, Game):
        return _compared(tested, None, player, worlds, seed)
    found = 0
    chance = Random(f"leaks/{seed}")
    for number in range(games):
        scenario = tested.scenarios[number % len(tested.scenarios)]
        game = tested.start(scenario, seed=f"{seed}/{number}")
        for play in range(plays):
            if game.is_over:
                break
            before, game = game, game.play(chance.choice(game.actions))
            if play % every == 0:
                viewers = (player,) if player is not None else (*tested.players, None)
                for viewer in viewers:
                    found += _compared(game, before, viewer, worlds, seed)
    return found


def _compared(
    game: Game, before: Game | None, player: str | None, worlds: int, seed: int | str
) -> int:
    shown = dict(shown_to(game, player))
    for world in game.worlds(player, worlds, f"leak/{seed}"):
        for name, other in shown_to(world, player):
            _expect(shown[name], other, name, player, game)
    return worlds + (0 if before is None else _stories(before, game, player, seed))


def shown_to(game: Game, player: str | None) -> Iterator[tuple[str, str]]:
    """Every answer that a player can get at one moment of a game, by name."""
    view = game.view(player)
    yield "view", repr(view)
    yield "words of the view", str(view)
    yield "decision", repr((game.to_move, game.phase, game.is_over))
    yield "outcome", repr(game.outcome)
    if player is None:
        return
    yield "board", repr(render_board(game, player))
    yield "undo floor", repr(game.undo_limit(player))
    yield "a world", repr(game.worlds(player, 1, "seen")[0].state.slots)
    for said in _questions(game):
        yield f"reply to {said}", _reply(game, said, player)
    for action in _sample(view.actions):
        yield f"preview of {action.text}", repr(preview_of(game, action, player))
    for text in _texts(game, player):
        yield f"answer to {text}", _answer(game, text, player)
        yield f"ruling on {text}", _ruling(game, text, player)


def _sample(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return actions[:: max(len(actions) // MAX_TRIED, 1)][:MAX_TRIED]


def _texts(game: Game, player: str) -> Iterator[str]:
    """Texts that are no legal action of the player now: some of other moments, and none at all."""
    chance = Random(len(game.view(player).state))
    notation = game.notation
    forms = [form for form in notation.forms if form.size]
    for form in chance.sample(forms, min(MAX_TRIED, len(forms))):
        text = notation.text(form.base + chance.randrange(form.size))
        yield f"{player}:{text.partition(':')[2]}"
    yield f"{player}: look under the table"


def _questions(game: Game) -> list[str]:
    """Some questions in words that ask of one thing at their end, or of none."""
    asked = [
        re.sub(r" \{\w+\}$", "", one)
        for one in game.questions
        if re.fullmatch(r"[^{}]+(\{\w+\})?", one)
    ]
    # Worlds have no moves: so what is asked hangs on the phase, which is the same in them.
    return Random(str(game.phase)).sample(asked, min(MAX_TRIED, len(asked)))


def _reply(game: Game, text: str, player: str) -> str:
    return repr(game.ask(text, player=player))


def _answer(game: Game, text: str, player: str) -> str:
    try:
        return "legal, seen as " + repr(game.preview(text, player))
    except HotsError as error:
        return f"{type(error).__name__}: {error}"


def _ruling(game: Game, text: str, player: str) -> str:
    try:
        return repr(game.why_not(text, player=player))
    except HotsError as error:
        return f"{type(error).__name__}: {error}"


# ------------------------------------------------------------------ stories
def _stories(before: Game, after: Game, player: str | None, seed: int | str) -> int:
    """The last play told of the game and of other games in which the player sees the same of it."""
    viewer = viewer_of(before, player)
    move = after.moves[-1]
    if move < 0:
        return 0
    seen, told = after.view(player), after.observed_trace(player)
    found = 0
    for twin, same_move in _twins(before, viewer, move, seed):
        if same_move not in twin.legal_code_set:
            continue
        later = twin.after(same_move)
        if later.view(player) == seen:
            name = f"story of {after.notation.text(move)}"
            _expect(repr(told), repr(later.observed_trace(player)), name, player, after)
            found += 1
    return found


def _twins(game: Game, viewer: int, move: int, seed: int | str) -> Iterator[tuple[Game, int]]:
    """Worlds with the dice of the game, each with the move that is the same there."""
    imagining = sampler_of(game, viewer)
    chance = Random(f"twins/{seed}")
    notation = game.notation
    form = notation.form_of(move)
    chooser, args = form.decode(move, len(game.ruleset.players))
    for _ in range(2):
        world, places = imagining.twin(chance, game.seed)
        renamed = tuple(
            imagining.permuter.code(arg, type_, places)
            for arg, (_, type_) in zip(args, form.params, strict=True)
        )
        yield world, form.encode(chooser, renamed)


def _expect(shown: str, other: str, name: str, player: str | None, game: Game) -> None:
    if shown == other:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(shown, other, strict=False)) if a != b),
        min(len(shown), len(other)),
    )
    near = slice(max(at - 60, 0), at + 60)
    raise AssertionError(
        f"expected the {name} for {player or 'a spectator'} to be the same whatever is hidden, got\n"
        f"  …{shown[near]}…\n  …{other[near]}…\n"
        f"in {game.ruleset.name} {game.scenario}, seed {game.seed}, after {len(game.moves)} plays"
    )
