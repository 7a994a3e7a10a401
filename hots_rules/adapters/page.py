"""What a player remembers of a game, for peers that want a text for everything that the player can know."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from attrs import field, frozen

from hots_rules.game import Game
from hots_rules.observe.view import View


@frozen
class Page:
    """One moment as one player saw it: the game with what that player had followed, and a text."""

    game: Game = field(repr=False)
    text: str


@frozen(eq=False)
class Moment:
    """A moment of a game and the one before it. Pages are written when they are first asked for.

    A copy is the moment itself; pickled it is `None`, for whoever keeps moments keeps the moves too.
    """

    game: Game
    before: Moment | None = field(default=None, repr=False)
    _pages: dict[str | None, Page] = field(factory=dict, repr=False)
    _views: dict[str | None, View] = field(factory=dict, repr=False)

    def __deepcopy__(self, _: object) -> Moment:
        return self

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return nothing, ()

    def after(self, code: int) -> Moment:
        """The moment after an action, or an outcome of chance.

        Raises:
            IllegalAction: no action that is legal now has the code.
        """
        return Moment(self.game.play_code(code), self)

    def view(self, viewer: str | None) -> View:
        """What a player, or a spectator, may know now."""
        page = self._page(viewer)
        found = self._views.get(viewer)
        return found or self._views.setdefault(viewer, page.game.view(viewer))

    def story(self, viewer: str | None) -> str:
        """All that a player chose and saw, from the beginning to now."""
        self._page(viewer)
        texts: list[str] = []
        at: Moment | None = self
        while at is not None:
            texts.append(at._pages[viewer].text)
            at = at.before
        return "".join(reversed(texts))

    def _page(self, viewer: str | None) -> Page:
        """The page of a player; those before it are written first, as each goes on from the last."""
        missing: list[Moment] = []
        at: Moment | None = self
        while at is not None and viewer not in at._pages:
            missing.append(at)
            at = at.before
        for moment in reversed(missing):
            moment._pages[viewer] = moment._written(viewer)
        return self._pages[viewer]

    def _written(self, viewer: str | None) -> Page:
        if self.before is None:
            return Page(self.game, self._seen(self.game, viewer))
        move = self.game.moves[-1]
        before = self.before._pages[viewer].game
        game = before.play_code(move)
        lines = [step.text for step in game.observed_trace(viewer)]
        if move >= 0:
            action = game.notation.action(move)
            lines[:0] = [f"> {action.text}"] if action.player == viewer else []
        said = "".join(f"{line}\n" for line in lines)
        # The views of one moment are asked for again and again, those of earlier ones hardly.
        self.before._views.pop(viewer, None)
        return Page(game, said + self._seen(game, viewer))

    def _seen(self, game: Game, viewer: str | None) -> str:
        """A line that differs where what is seen does; none while chance decides, for that passes unseen."""
        if game.to_move == ("chance",):
            return ""
        view = self._views.setdefault(viewer, game.view(viewer))
        seen: tuple[Any, ...] = (view.phase, view.to_move, view.outcome, view.state, view.stacks)
        return f"= {blake2b(repr(seen).encode(), digest_size=8).hexdigest()}\n"


def nothing() -> None:
    """What a moment is pickled as."""
