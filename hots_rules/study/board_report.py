"""Who holds what at the end of the games of a study: in words, and as boards that are coloured by it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hots_rules.draw.picture.shares import PlaceShares, player_colours, shares_picture
from hots_rules.report.blocks import Block, Figure, Figures, Heading, Paragraph, Table
from hots_rules.study.control import StudyBoard
from hots_rules.study.estimates import Control, FigureEstimate, PolicyResult
from hots_rules.study.figure_words import NONE, StudyWords
from hots_rules.study.texts import StudyTexts

MAX_PLACES = 40


def board_report(
    texts: StudyTexts, result: PolicyResult, boards: Mapping[str, StudyBoard]
) -> Iterator[Block]:
    """The boards of all games, then of those that end at each value of the first measure; then a table."""
    gettext, words = texts.say.gettext, texts.words
    of_all_games = [control for control in result.control if control.value is None]
    yield Heading(gettext("Who holds what"), 3)
    yield Paragraph(
        gettext(
            "Who holds what at the end of the first {games}: a player holds a place where pieces of that player alone "
            "stand.",
            games=words.games(result.rules.games),
        )
    )
    players, board = _players(of_all_games[0]), boards[of_all_games[0].side].board
    colors = dict(zip(players, player_colours(board, players), strict=True))
    yield Figures(_pictures(of_all_games, boards, words), colors=colors)
    for value, controls in _by_value(result.control).items():
        title = f"{texts.plan.measures[0]} {value}"
        yield Figures(_pictures(controls, boards, words), title, is_small=True)
    rows = _rows(of_all_games, boards[of_all_games[0].side].names, words)
    yield Table.of((gettext("held at the end"), *(control.side for control in of_all_games)), rows)


def _by_value(controls: Sequence[Control]) -> dict[int, list[Control]]:
    """The control in the games that end at each value of the first measure, of the sides that have any."""
    by_value: dict[int, list[Control]] = {}
    for control in controls:
        if control.value is not None:
            by_value.setdefault(control.value, []).append(control)
    return dict(sorted(by_value.items()))


def _rows(
    sides: Sequence[Control], names: Mapping[str, str], words: StudyWords
) -> list[tuple[str, ...]]:
    """A row for each place and player with the shares of all sides; of many rows those that differ most."""
    rows = []
    for place in dict.fromkeys(place for control in sides for place in control.places):
        of_sides = [control.places.get(place) for control in sides]
        for number, player in enumerate(next(filter(None, of_sides))):
            shares = [of_players and of_players[number] for of_players in of_sides]
            title = f"{names.get(place, place)}: {player.figure}"
            cells = [words.estimate(share) if share else NONE for share in shares]
            rows.append((_spread([share for share in shares if share]), (title, *cells)))
    widest = sorted(range(len(rows)), key=lambda row: -rows[row][0])[:MAX_PLACES]
    return [rows[row][1] for row in sorted(widest)]


def _pictures(
    controls: Sequence[Control], boards: Mapping[str, StudyBoard], words: StudyWords
) -> tuple[Figure, ...]:
    """The board of each side; none for a ruleset without a board."""
    pictures = (_picture(control, boards[control.side], words) for control in controls)
    return tuple(picture for picture in pictures if picture.svg)


def _picture(control: Control, board: StudyBoard, words: StudyWords) -> Figure:
    places = {}
    for place, shares in control.places.items():
        name = board.names.get(place, place)
        facts = ", ".join(f"{share.figure} {words.estimate(share)}" for share in shares)
        means = tuple(share.mean for share in shares)
        places[place] = PlaceShares(name, means, f"{name}: {facts}")
    caption = f"{control.side}, {words.games(control.games)}"
    return Figure(shares_picture(board.board, _players(control), places, caption), caption)


def _players(control: Control) -> list[str]:
    """The names of the players, in the order of the shares of each place."""
    return [share.figure for share in next(iter(control.places.values()), ())]


def _spread(shares: Sequence[FigureEstimate]) -> float:
    """The largest difference between some shares."""
    means = [share.mean for share in shares]
    return max(means) - min(means)
