"""Who holds what at the end of the games of a study: in words for a table, and as boards that are coloured by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.draw.picture.shares import PlaceShares, player_colours, shares_picture
from hots_rules.study.texts import StudyTexts, Table

if TYPE_CHECKING:
    from hots_rules.study.result import Control, Estimate, PolicyResult

MAX_PLACES = 40


@frozen
class ControlTexts:
    """What the report of a study says and shows of who holds what.

    Attributes:
        texts: the texts of the report.
        result: what was found with a policy; some of its games were looked at closely.
    """

    texts: StudyTexts
    result: PolicyResult

    @property
    def line(self) -> str:
        """What the boards and the table are about."""
        return self.texts.say.gettext(
            "Who holds what at the end of the first {games}: a player holds a place where pieces of that player alone "
            "stand.",
            games=self.texts.words.games(self.result.rules.games),
        )

    @property
    def of_all_games(self) -> list[Control]:
        """The control in all games, for each side."""
        return [each for each in self.result.control if each.value is None]

    @property
    def by_value(self) -> dict[int, list[Control]]:
        """The control in the games that end at each value of the first measure, of the sides that have any."""
        found: dict[int, list[Control]] = {}
        for each in self.result.control:
            if each.value is not None:
                found.setdefault(each.value, []).append(each)
        return dict(sorted(found.items()))

    @property
    def table(self) -> Table:
        """The shares of all sides, a row for each place and player; of many rows those that differ most."""
        sides = self.of_all_games
        names = self.texts.study.boards[sides[0].side].names
        rows = []
        for place, of_players in sides[0].places.items():
            for at, player in enumerate(of_players):
                found = [each.places[place][at] for each in sides if place in each.places]
                cells = (f"{names.get(place, place)}: {player.figure}", *map(self._share, found))
                rows.append((_spread(found), cells))
        kept = sorted(range(len(rows)), key=lambda at: -rows[at][0])[:MAX_PLACES]
        head = self.texts.say.gettext("held at the end"), *(each.side for each in sides)
        return head, [rows[at][1] for at in sorted(kept)]

    def pictures(self, controls: Sequence[Control]) -> Iterator[tuple[str, str]]:
        """What each board is about, and its picture as SVG; none for a ruleset without a board."""
        for control in controls:
            drawn = self.texts.study.boards[control.side]
            places = {}
            for place, shares in control.places.items():
                name = drawn.names.get(place, place)
                told = ", ".join(f"{each.figure} {self._share(each)}" for each in shares)
                means = tuple(each.mean for each in shares)
                places[place] = PlaceShares(name, means, f"{name}: {told}")
            about = f"{control.side}, {self.texts.words.games(control.games)}"
            yield about, shares_picture(drawn.board, _players(control), places, about)

    @property
    def colours(self) -> Mapping[str, str]:
        """The colour of each player."""
        control = self.of_all_games[0]
        players, board = _players(control), self.texts.study.boards[control.side].board
        return dict(zip(players, player_colours(board, players), strict=True))

    def _share(self, estimate: Estimate) -> str:
        return self.texts.words.estimate(estimate)


def _players(control: Control) -> list[str]:
    return [each.figure for each in next(iter(control.places.values()), ())]


def _spread(found: Sequence[Estimate]) -> float:
    means = [each.mean for each in found]
    return max(means) - min(means)
