"""What may be chosen of the actions that a sentence means: now, by several in a row, or when it can be chosen next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import product

from attrs import frozen

from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.roles import Roles

MAX_WAYS, MAX_STEPS = 90, 4
MAX_AHEAD, MAX_TURNS, MAX_MOMENTS = 120, 4, 8
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


def next_moments(
    game: BaseGame, names: Set[str], actors: Set[int], *, by_numbers: bool = False
) -> Iterator[BaseGame | None]:
    """Games that may follow, with every piece where it is now, in which somebody can choose an action of some names.

    `actors` has the codes of those who are asked about. No game follows by chance, and none has the same list of legal
    actions as one before, with `by_numbers` and the same single numbers, such as that of the actions that are left; the
    next action after the first of them is the last that is looked at. None at the end says that not all were tried.
    """
    places, lists, last = _places(game), set[tuple[int, ...]](), MAX_TURNS
    coming: list[tuple[BaseGame, int]] = [(game, 0)]
    for number, (before, turns) in enumerate(coming):
        if number > MAX_AHEAD or len(lists) > MAX_MOMENTS:
            yield None
            return
        offered = [*legal_actions(before)]
        if any(form.name in names and actor in actors for _, form, actor, _ in offered):
            key = (*before.legal_codes, *(_numbers(before) if by_numbers else ()))
            if key not in lists:
                yield before
            lists.add(key)
            last = min(last, turns + 1)
        elif turns < last:
            tried: dict[str, int] = {}
            for code, form, actor, _ in offered:
                tried[form.name] = tried.get(form.name, 0) + 1
                # Of those who choose at the same time, one after the other.
                if actor == offered[0][2] and tried[form.name] <= MAX_ALIKE:
                    after = before.play_code(code)
                    if _places(after) == places:
                        coming.append((after, turns + 1))


def legal_actions(game: BaseGame) -> Iterator[tuple[int, ActionForm, int, tuple[int, ...]]]:
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


def _numbers(game: BaseGame) -> Iterator[int]:
    """The single numbers of a state, such as how many actions are left."""
    load = game.state.schema.reader(game.state.slots)
    for variable in game.ruleset.schema.variables.values():
        if not variable.keys and isinstance(variable.type, types.IntType):
            yield load(variable.name, ())


@frozen
class Walk:
    """What a piece can do by itself, one action after the other.

    Attributes:
        actions: the texts of those at whose end one is legal that is meant; empty if there are none.
        stops: the games after all that it can do, the first as it was.
        names: the names of what it can do.
        is_whole: whether all of them were tried.
    """

    actions: tuple[str, ...]
    stops: tuple[BaseGame, ...]
    names: frozenset[str]
    is_whole: bool

    def places(self, piece: tuple[str, int]) -> tuple[str, ...]:
        """Where a piece of a type can come to, in words."""
        places = (place for game in self.stops[1:] for place in places_of(game, *piece))
        return tuple(dict.fromkeys(places))


def places_of(game: BaseGame, type_name: str, code: int) -> Iterator[str]:
    """Where a piece is, in words."""
    load = game.state.schema.reader(game.state.slots)
    for variable in game.ruleset.schema.location_maps:
        if str(variable.keys[0]) == type_name:
            yield game.ruleset.labels.format_value(load(variable.name, (code,)), variable.type)


def walk(
    game: BaseGame,
    found: Sequence[Filled],
    roles: Roles,
    player: str | None,
    *,
    to_the_end: bool = False,
) -> Walk:
    """What the same piece can do until one of the actions is legal that are meant, or all that it can do.

    For a player only his own, in a `game` that he can know. Of two ways to the same place with the same choices there
    only the shorter one is followed.
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
    seen, names, is_whole = set[object](), set[str](), any(pieces.values())
    for played, (before, steps) in enumerate(ways):
        if played > MAX_WAYS:
            is_whole = False
            break
        goes_on = list[tuple[int, str]]()
        for code, form, actor, args in legal_actions(before):
            if form.name not in targets or not pieces[form.name] & set(enumerate(args)):
                continue
            name = game.ruleset.players[actor]
            if name not in game.to_move or actor not in roles.players or player not in (None, name):
                continue
            text = before.notation.text(code)
            if args in targets[form.name] and not to_the_end:
                return Walk((*steps, text), (), frozenset(), is_whole=False)
            names.add(form.name)
            goes_on.append((code, text))
        key = (tuple(_places(before)), tuple(goes_on))
        if key in seen:
            continue
        seen.add(key)
        if goes_on and len(steps) == MAX_STEPS:
            is_whole = False
            continue
        ways += [(before.play_code(code), (*steps, text)) for code, text in goes_on]
    return Walk((), tuple(text for text, _ in ways), frozenset(names), is_whole)


def seen_by(game: BaseGame, player: str | None) -> BaseGame:
    """A game as its player can know it; for nobody the game itself."""
    if player is None:
        return game
    # A late import: who sees everything waits for no worlds.
    from hots_rules.observe.knowledge import knowledge_of

    return knowledge_of(game, player).game
