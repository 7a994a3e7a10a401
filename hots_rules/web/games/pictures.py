"""The pictures of a game that its seats were sent last, so that a seat is sent only what has changed since its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from attrs import define, field, frozen

import hots_rules as hr
from hots_rules.web.replies import Picture

Values = Mapping[str, object]
"""Of the variables of a view, by name, as plain data."""
MAX_KEPT = 3  # for each viewer and language: those of answers that crossed on their way, and of an earlier moment


_NOTHING = object()


@frozen
class _Sent:
    moment: str
    name: str
    drawing: hr.draw.Drawing
    values: Values
    """The values of the view that were told with it."""


@define
class Pictures:
    """The last pictures of a game by who saw them: a name of a picture is good for nobody who may see another one."""

    _sent: dict[tuple[str | None, str], deque[_Sent]] = field(factory=dict, init=False)

    def changes_since(
        self,
        game: hr.Game,
        player: str | None,
        view: hr.View,
        *,
        moment: str,
        known_picture: str,
        with_values: bool = True,
    ) -> tuple[Picture, Values]:
        """The picture of a moment for a seat, or a spectator, as what differs from the one that it knows.

        The same for the values of the view: those variables that differ.

        Args:
            game: the game at the moment, in the language of the seat.
            player: the player of the seat; None for a spectator.
            view: what the seat, or the spectator, sees at the moment.
            moment: a name that no other moment of this game has.
            known_picture: the name of the picture that the seat has; any other text for none.
            with_values: whether the values are told at this moment.

        Raises:
            UnknownName: no such player.
        """
        viewer = _viewer(game, player)
        sent = self._sent.setdefault((viewer, game.language), deque(maxlen=MAX_KEPT))
        earlier = list(sent)
        before = next((kept for kept in earlier if kept.name == known_picture), None)
        now = next((kept for kept in earlier if kept.moment == moment), None)
        if now is None:
            drawing = hr.draw.drawing(game, player, is_public=True, view=view)
            values = view.state if with_values else {}
            now = _Sent(moment, name_of(drawing, moment), drawing, values)
            sent.append(now)
        # One base for both: a picture on another frame is told whole, and so are the values with it.
        is_on_same = before is not None and before.drawing.frame == now.drawing.frame
        base = before if is_on_same else None
        values_before: Values = {} if base is None else base.values
        changed = {
            name: seen
            for name, seen in now.values.items()
            # Most are the same object, and to compare a long value with itself takes as long as with another.
            if (earlier_one := values_before.get(name, _NOTHING)) is not seen
            and earlier_one != seen
        }
        return picture_of(now.drawing, now.name, base), changed

    def has_sent(self, game: hr.Game, player: str | None) -> bool:
        """Whether a seat, or a spectator, was told a picture before: then the next one is drawn soon."""
        return (_viewer(game, player), game.language) in self._sent


def _viewer(game: hr.Game, player: str | None) -> str | None:
    """Whose pictures a seat has: its own, or those of everybody if nothing is ever secret."""
    return player if game.ruleset.has_secrets else None


def name_of(drawing: hr.draw.Drawing, moment: str) -> str:
    """A name for a picture of a moment in this process: others do not know it."""
    digest = hash((moment, drawing.frame.name, drawing.height, *drawing.parts.values()))
    return f"{digest & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def picture_of(drawing: hr.draw.Drawing, name: str, base: _Sent | None = None) -> Picture:
    """A picture as a seat is told it that knows another one on the same frame."""
    return {
        "name": name,
        "frame": drawing.frame.name,
        "height": drawing.height,
        "since": base.name if base is not None else "",
        "parts": drawing.since(base.drawing if base is not None else None),
    }
