"""Twins: games that one player cannot tell apart, and all that an answer shows, as text."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

import attrs
from attrs import evolve, frozen

import hots_rules as hr
from hots_rules.observe.courses.followed import Followed, history_of
from hots_rules.observe.courses.history import History
from hots_rules.observe.determinization import game_at
from hots_rules.observe.information_state import information_state
from hots_rules.observe.observer import viewer_of

MAX_TRIED = 60  # actions of a twin, for one that looks like that of the other


@frozen
class Twin:
    """One of several games that look alike to a player from their first moment on.

    Attributes:
        moments: the game at each moment since the twins are compared, the last one is now.
        player: who cannot tell them apart; None for a spectator.
    """

    moments: tuple[hr.Game, ...]
    player: str | None

    @property
    def game(self) -> hr.Game:
        """The game now."""
        return self.moments[-1]

    def with_next(self, game: hr.Game) -> Twin:
        """The twin after one more play."""
        return Twin((*self.moments, game), self.player)


# ------------------------------------------------------------------ twins
def twins_at(game: hr.Game, player: str | None, seed: str, worlds: int = 2) -> list[Twin]:
    """A game and consistent worlds of it, all with the same dice from now on, and without what was played before."""
    viewer = viewer_of(game, player)
    information = evolve(information_state(game, viewer), moves=0)
    true = game_at(game, seed, information, viewer)
    observed = Followed(0, information.slots, information.stacks, history_of(game, viewer))
    true = evolve(true, derived={**true.derived, (History, viewer): observed})
    others = (evolve(world, seed=seed) for world in game.worlds(player, worlds, seed))
    return [Twin((each,), player) for each in (true, *others)]


def twins_by_a_secret_choice(game: hr.Game, player: str, most: int = 3) -> list[Twin]:
    """The games, with all that was played, after each of the other players' choices that the player does not see."""
    after = [game.after(each.code) for each in game.actions if each.player != player]
    alike = [each for each in after if each.view(player) == after[0].view(player)]
    return [Twin((game, each), player) for each in alike[:most]]


def continued(twins: list[Twin], plays: int, chance: Random) -> list[Twin]:
    """The twins after some plays that look alike to the player; fewer if there is none that does."""
    for _ in range(plays):
        legal = twins[0].game.legal_codes
        if not legal:
            break
        code = chance.choice(legal)
        first = twins[0].game.after(code)
        nexts = [first, *(_after_the_same(twin, code, first) for twin in twins[1:])]
        if None in nexts:
            break
        twins = [twin.with_next(game) for twin, game in zip(twins, nexts, strict=True) if game]
    return twins


def _after_the_same(twin: Twin, code: int, first: hr.Game) -> hr.Game | None:
    """A twin after an action that looks to the player like one of the first; None if there is none."""
    game, wanted = twin.game, _observed(first, twin.player)
    legal = game.legal_code_set
    codes = [code, *sorted(legal - {code}, key=lambda each: abs(each - code))]
    for each in codes[:MAX_TRIED]:
        if (
            each in legal
            and (after := game.after(each))
            and _observed(after, twin.player) == wanted
        ):
            return after
    return None


def _observed(game: hr.Game, player: str | None) -> tuple[object, ...]:
    return game.view(player), game.observed_trace(player)


# ------------------------------------------------------------------ what is shown
def shown(value: object) -> str:
    """All that an answer shows or holds: its texts, its pictures, and the values inside of it.

    Raises:
        AssertionError: it holds a game or a state, which has what is hidden.
    """
    return "\n".join(_shown(value))


def _shown(value: object) -> Iterator[str]:
    assert not isinstance(value, hr.Game | hr.State), f"an answer holds {value!r}"
    yield f"{type(value).__name__} {value!r}"
    if isinstance(value, str | int | float | None):
        return
    yield str(value)
    yield from _displayed(value)
    if isinstance(value, BaseException):
        yield "".join(traceback.format_exception(value))
        yield from _shown({**vars(value), "args": value.args})
    elif isinstance(value, Mapping):
        yield from _all_shown(key_or_value for item in value.items() for key_or_value in item)
    elif attrs.has(type(value)):
        names = (each.name for each in attrs.fields(type(value)))
        yield from _all_shown(getattr(value, name) for name in names)
    elif isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        yield from _all_shown(value)


def _all_shown(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from _shown(value)


def _displayed(value: object) -> Iterator[str]:
    """As a notebook, IPython and a program on the other end of a wire are shown it."""
    for name in ("_repr_html_", "_repr_svg_", "_repr_markdown_"):
        if display := getattr(value, name, None):
            yield str(display())
    if pretty := getattr(value, "_repr_pretty_", None):
        printer = _Printer()
        pretty(printer, False)
        yield "".join(printer.texts)
    if attrs.has(type(value)) or isinstance(value, hr.HotsError):
        try:
            yield hr.to_json(value)
        except TypeError:  # it is not sent
            return


class _Printer:
    """What IPython passes to a value that prints itself."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def text(self, text: str) -> None:
        self.texts.append(text)


def attempt(answer: Callable[[], object]) -> object:
    """An answer, or the error in place of it."""
    try:
        return answer()
    except hr.HotsError as error:
        return error
