"""What may be chosen of the actions that a sentence means: now, by several in a row, or when it can be chosen next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import product

from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.talk.reading.roles import Roles

MAX_WAYS, MAX_STEPS = 60, 3
MAX_AHEAD, MAX_TURNS, MAX_MOMENTS = 60, 4, 6
"""Of the search for the next moment: games that it looks at, actions until then, and moments that it finds."""
MAX_ALIKE = 6
"""How many actions of one name are tried on the way to the next moment."""

Filled = tuple[ActionForm, tuple[tuple[int, ...], ...]]
"""An action with the codes that each of its parameters may have."""


def codes_of_filled(game: BaseGame, found: Sequence[Filled], roles: Roles) -> Iterator[int]:
    """The codes of the actions that a sentence may mean, for each player who may act."""
    for form, choices in found:
        owners = roles.owners_of_what_is_implied(form)
        for args in product(*choices):
            for player in roles.players:
                if not owners or player in owners:
                    yield form.encode(player, args)


def legal_among(
    game: BaseGame, found: Sequence[Filled], roles: Roles, player: str | None
) -> tuple[Action, ...]:
    """The legal actions among those that are meant; for a player only his own."""
    legal = game.legal_code_set
    codes = dict.fromkeys(code for code in codes_of_filled(game, found, roles) if code in legal)
    actions = (game.notation.action(code) for code in codes)
    return tuple(action for action in actions if player in (None, action.player))


def next_moments(game: BaseGame, names: Set[str], actors: Set[int]) -> Iterator[BaseGame]:
    """Games that may follow, with every piece where it is now, in which somebody can choose an action of some names.

    `actors` has the codes of those who are asked about. No game follows by chance, and none has the same list of legal
    actions as one before.
    """
    places, lists = _places(game), set[tuple[int, ...]]()
    coming: list[tuple[BaseGame, int]] = [(game, 0)]
    for number, (before, turns) in enumerate(coming):
        if number > MAX_AHEAD or len(lists) > MAX_MOMENTS:
            return
        offered = [*_legal_actions(before)]
        if any(form.name in names and actor in actors for _, form, actor, _ in offered):
            if before.legal_codes not in lists:
                yield before
            lists.add(before.legal_codes)
        elif turns < MAX_TURNS:
            tried: dict[str, int] = {}
            for code, form, actor, _ in offered:
                tried[form.name] = tried.get(form.name, 0) + 1
                # Of those who choose at the same time, one after the other.
                if actor == offered[0][2] and tried[form.name] <= MAX_ALIKE:
                    after = before.play_code(code)
                    if _places(after) == places:
                        coming.append((after, turns + 1))


def _legal_actions(game: BaseGame) -> Iterator[tuple[int, ActionForm, int, tuple[int, ...]]]:
    """The code of each legal action, with its form, the code of who acts, and those of its arguments."""
    for code in () if game.is_chance or game.is_over else game.legal_codes:
        form = game.notation.form_of(code)
        yield code, form, *form.decode(code, len(game.ruleset.players))


def _places(game: BaseGame) -> list[tuple[int, ...]]:
    """Where each piece is, by the variables that say so."""
    return [
        game.state.slots[variable.base : variable.base + variable.count]
        for variable in game.ruleset.schema.location_maps
    ]


def way(
    game: BaseGame, found: Sequence[Filled], roles: Roles, player: str | None
) -> tuple[str, ...]:
    """The actions, one after the other with the same piece, at whose end one is legal that is meant.

    For a player only his own, in a `game` that he can know.
    """
    targets: dict[str, set[tuple[int, ...]]] = {}
    pieces: dict[str, set[tuple[int, int]]] = {}
    for form, choices in found:
        targets.setdefault(form.name, set()).update(product(*choices))
        fixed = {(i, each[0]) for i, each in enumerate(choices) if len(each) == 1}
        pieces.setdefault(form.name, set()).update(
            (i, code) for i, code in fixed if not roles.is_place(form, i)
        )
    ways: list[tuple[BaseGame, tuple[str, ...]]] = [(game, ())]
    for played, (before, steps) in enumerate(ways):
        if played > MAX_WAYS or len(steps) == MAX_STEPS:
            break
        for code, form, actor, args in _legal_actions(before):
            if form.name not in targets or not pieces[form.name] & set(enumerate(args)):
                continue
            name = game.ruleset.players[actor]
            if name not in game.to_move or actor not in roles.players or player not in (None, name):
                continue
            text = before.notation.text(code)
            if args in targets[form.name]:
                return (*steps, text)
            ways.append((before.play_code(code), (*steps, text)))
    return ()


def seen_by(game: BaseGame, player: str | None) -> BaseGame:
    """A game as its player can know it; for nobody the game itself."""
    if player is None:
        return game
    # A late import: who sees everything waits for no worlds.
    from hots_rules.observe.knowledge import knowledge_of

    return knowledge_of(game, player).game
