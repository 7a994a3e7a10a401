"""The parts of the screen beside the map: the state of the game, the battle, the values of a game without a map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from hots_rules._translate import translator
from hots_rules.diagnostics import cropped_line
from hots_rules.draw.scene.position import Piece, Position
from hots_rules.draw.text.canvas import Canvas, Fragments
from hots_rules.draw.text.map import HEIGHT, WIDTH, brackets, side_style, sides_legend
from hots_rules.explain.board.render import render_board
from hots_rules.play.game import BaseGame
from hots_rules.state.data_text import UNKNOWN

FULL, LOST = "●", "○"
VALUE_ROWS = 2  # of a long value, such as a pile of cards
_MARGIN = (
    6  # the columns before the blocks of the attacker, with room for a title of `_SHORT` letters
)
_SHORT = 3
Entry = tuple[str, str]
"""A name and its value; in the second row of a long value the name is empty."""


def status_rows(position: Position, note: str, width: int = WIDTH) -> list[Fragments]:
    """Two rows: the time, who chooses, and a note; and what each player has."""
    status = position.status
    turn = f"{status.steps_text} {status.steps[0]}/{status.steps[1]}" if status.steps else ""
    counters = [f"{name}: {number}" for name, number in status.counters]
    words = [status.big, turn, *status.lines, *counters, note]
    head = "  ".join(word for word in words if word)
    return [[("class:head", f" {head}".ljust(width))], _players_row(position, width)]


def _players_row(position: Position, width: int) -> Fragments:
    """What each player has; if the row is too long, hands lose repeated words, then their ends."""
    hands = dict(position.status.hands)
    row = _players_fragments(position, hands, width)
    hands = {player: without_repetition(hand) for player, hand in hands.items()}
    for room in range(width, 0, -1):
        if sum(len(text) for _, text in row) <= width:
            break
        row = _players_fragments(position, hands, room)
    return row


def without_repetition(names: str) -> str:
    """Names between commas; a name is cut to its number where the one before it begins with the same word.

    >>> without_repetition("Sail 1 ×2, Sail 2, Sail away")
    'Sail 1 ×2, 2, Sail away'
    """
    listed = [name.partition(" ") for name in names.split(", ")]
    before = ["", *(first for first, _, _ in listed)]
    return ", ".join(
        rest if rest[:1].isdecimal() and first == last else f"{first}{blank}{rest}"
        for (first, blank, rest), last in zip(listed, before, strict=False)
    )


def _players_fragments(position: Position, hands: Mapping[str, str], room: int) -> Fragments:
    """What each player has; a hand takes at most `room` characters."""
    status = position.status
    row: Fragments = []
    for player in status.players:
        hand = hands.get(player.name) or player.cards
        is_told = bool(hand) and hand != UNKNOWN
        hand_words = cropped_line(f"{status.hand_text} {hand}", room) if is_told else ""
        words = [word for word in (player.played, hand_words, player.points) if word]
        opening, closing = brackets(player.owner)
        row += [("", "  " if row else " ")]
        row += [(f"{side_style(player.owner)} bold", f"{opening}{player.name}{closing}")]
        row += [("", f" {', '.join(words)}")]
    if not row:  # without a panel: the players alone
        for owner, name in enumerate(position.players):
            opening, closing = brackets(owner)
            row.append((side_style(owner), f" {opening}{name}{closing}"))
    return row


# ---------------------------------------------------------------- the battle
def battle_canvas(position: Position) -> Canvas:
    """The battle that is fought: a row of blocks for each letter, the attacker on the left."""
    battle = position.battle
    assert battle is not None
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.put(1, 0, battle.title, "bold")
    half = WIDTH // 2
    columns, width = (_MARGIN, half + _MARGIN // 2), half - _MARGIN
    for column, owner, text in (
        (columns[0], battle.attacker, battle.attacker_text),
        (columns[1], battle.defender, battle.defender_text),
    ):
        opening, closing = brackets(owner)
        title = f"{opening}{position.players[owner]}{closing} {text}"
        canvas.put(column, 1, title, f"{side_style(owner)} bold", width)
    row = 3
    for line in battle.rows:
        is_short = len(line.title) <= _SHORT
        canvas.put(1, row, line.title, "bold", _SHORT + 1 if is_short else half)
        start = row if is_short else row + 1
        for column, pieces in zip(columns, (line.attackers, line.defenders), strict=True):
            for number, text in enumerate(_piece_lines(pieces)):
                canvas.put(column, start + number, text, side_style(_owner(pieces)), width)
        row = start + max(len(_piece_lines(line.attackers)), len(_piece_lines(line.defenders)), 1)
    return canvas


def battle_legend(position: Position) -> str:
    """What the signs of a battle mean."""
    return translator(position.language).gettext(
        "{sides}; {sign}: the letter and the rating of a piece, the steps that it has and those that it lost",
        sides=sides_legend(position),
        sign=f"A3 {FULL}{FULL}{LOST}",
    )


def _owner(pieces: Sequence[Piece]) -> int | None:
    return pieces[0].owner if pieces else None


def _piece_lines(pieces: Sequence[Piece]) -> list[str]:
    """A line for each known piece, and one with the number of the others."""
    lines = [_block(piece) for piece in pieces if piece.name]
    hidden = [piece for piece in pieces if not piece.name]
    return [*lines, *([f"{len(hidden)} × {hidden[0].facts}"] if hidden else [])]


def _block(piece: Piece) -> str:
    steps = ""
    if piece.strength is not None:
        steps = FULL * piece.strength + LOST * max(0, (piece.steps or 0) - piece.strength)
    return " ".join(word for word in (f"{piece.letter}{piece.rating}", steps, piece.name) if word)


# ---------------------------------------------------------------- games without a map
def values_canvas(game: BaseGame, player: str | None) -> Canvas:
    """What a player may see of a game without a map, by name: first what is the player's own."""
    canvas = Canvas(WIDTH, HEIGHT)
    own = game.ruleset.labels.players_named((player,)) if player is not None else ()
    values = [row for section in render_board(game, player) for row in section.rows]
    values.sort(key=lambda row: not any(f" {name} " in f" {row[0]} " for name in own))
    width = min(24, max((len(name) for name, _ in values), default=0))
    for number, row in enumerate(_packed(values, width, game.language)):
        for place, (name, text) in enumerate(row):
            column = 1 + place * WIDTH // 2
            canvas.put(column, number, name, "bold", width)
            canvas.put(column + width + 2, number, text)
    return canvas


def _packed(values: list[Entry], width: int, language: str) -> list[list[Entry]]:
    """The values in rows, two short ones side by side; if there are too many, the last row says what to type."""
    rows: list[list[Entry]] = []
    for name, text in values:
        follows = bool(rows) and len(rows[-1]) == 1 and _is_short(rows[-1][0], width)
        if follows and _is_short((name, text), width):
            rows[-1].append((name, text))
        else:
            rows += [[row] for row in _rows(name, text, WIDTH - width - 4)]
    if len(rows) > HEIGHT:
        more = translator(language).gettext("`board` shows the rest")
        return [*rows[: HEIGHT - 1], [("…", more)]]
    return rows


def _is_short(entry: Entry, width: int) -> bool:
    """Whether an entry leaves half of its row free; the second row of a value never does."""
    return bool(entry[0]) and len(entry[1]) <= WIDTH // 2 - width - 4


def _rows(name: str, text: str, width: int) -> list[Entry]:
    """A name with a value of at most `VALUE_ROWS` rows."""
    lines = wrap(text, width) or [""]
    if len(lines) > VALUE_ROWS:
        lines = [*lines[: VALUE_ROWS - 1], cropped_line(" ".join(lines[VALUE_ROWS - 1 :]), width)]
    return [("" if number else name, line) for number, line in enumerate(lines)]
