"""What some pieces of a player can do together, one action after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from heapq import heappop, heappush
from itertools import count

from attrs import frozen

from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.ways import legal_actions

MAX_PLAYS = 2000
"""How many games are looked at from one moment on."""


@frozen
class Played:
    """A game after some actions.

    Attributes:
        game: the game after them.
        actions: their texts.
        name: the name of the last of them; empty if there is none.
    """

    game: BaseGame
    actions: tuple[str, ...]
    name: str = ""


def _of_one_rank(game: BaseGame) -> int:
    return 0


def _none(game: BaseGame) -> Set[tuple[str, int]]:
    return frozenset()


def plays_of(
    game: BaseGame,
    pieces: Set[tuple[str, int]],
    names: Set[str],
    actor: int,
    rank: Callable[[BaseGame], int] = _of_one_rank,
    stays: Callable[[BaseGame], Set[tuple[str, int]]] = _none,
) -> Iterator[Played | None]:
    """The games that follow by actions of some names with some pieces, those of the lowest rank first.

    Only actions of a name that can be chosen at once: a retreat from what follows is no part of a move. The pieces are
    pairs of a type and a code; those that `stays` gives of a game go no further. The first is the game itself. None at
    the end says that not all were tried.
    """
    order, names = count(), {action[1].name for action in legal_actions(game)} & {*names}
    coming = [(rank(game), next(order), Played(game, ()))]
    states = {game.state.slots}
    for number in count():
        if not coming:
            return
        if number > MAX_PLAYS:
            yield None
            return
        played = heappop(coming)[-1]
        yield played
        going = pieces - stays(played.game)
        for code, form, who, args in legal_actions(played.game):
            kinds = [str(type_) for _, type_ in form.params]
            about = zip(kinds, args, strict=True)
            if form.name not in names or who != actor or going.isdisjoint(about):
                continue
            after = played.game.play_code(code)
            if after.state.slots in states:
                continue
            states.add(after.state.slots)
            text = played.game.notation.text(code)
            following = Played(after, (*played.actions, text), form.name)
            heappush(coming, (rank(after), next(order), following))
