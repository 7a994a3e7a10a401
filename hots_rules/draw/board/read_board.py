"""Reads the file `board.json` of a ruleset; it may be untrusted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping

import cattrs
from attrs import field, frozen
from cattrs import transform_error
from cattrs.v import format_exception

from hots_rules.diagnostics import Fault, RulesetError, Span, find_unprintable, suggest
from hots_rules.draw.board.geometry import Board, Colour, Dashes, PathData
from hots_rules.draw.board.json_places import Path as JsonPath
from hots_rules.draw.board.json_places import places_in

MAX_LETTERS = 80
MAX_PATH = 2000
MAX_SIZE = 10_000  # units
MAX_POINTS = 20_000
MAX_NUMBER = 1000
CELLS = (80, 16)  # columns and rows of a map on a terminal
_FAULTS = 20  # that are told at once
_COLOUR = re.compile(r"#[0-9a-f]{6}|none")
_PATH = re.compile(r"M[MmLlHhVvCcSsQqTtAaZz0-9 ,.\-]*")
_DASHES = re.compile(r"(\d{1,3}(\.\d{1,2})?( \d{1,3}(\.\d{1,2})?){0,5})?")
# In a headline: the path of a value at its end, the path in quotes at its beginning, and the parts of a path.
_AT = re.compile(r" @ board\.?(.*)$")
_QUOTED = re.compile(r"`([^`]*)`")
_PARTS = re.compile(r"(\w+)|\[(\d+)\]|\['([^']*)'\]")


@frozen
class BoardWords:
    """The words of a ruleset that a board may name.

    Attributes:
        places: the places that may have an area.
        links: pairs of places with a line between them.
        colours: the colours of the lines.
        players: the players.
        variables: the state variables.
        of_players: those with a value for each player.
        in_hands: those whose first key is a player.
        columns: the columns of tables.
        definitions: the definitions that tell something of a piece.
    """

    places: tuple[str, ...]
    links: frozenset[frozenset[str]]
    colours: tuple[str, ...]
    players: tuple[str, ...]
    variables: tuple[str, ...] = field(factory=tuple)
    of_players: tuple[str, ...] = field(factory=tuple)
    in_hands: tuple[str, ...] = field(factory=tuple)
    columns: tuple[str, ...] = field(factory=tuple)
    definitions: tuple[str, ...] = field(factory=tuple)


def read_board(text: str, file: str, words: BoardWords) -> Board:
    """The board in a text in JSON.

    Raises:
        RulesetError: it is not in the format, or names what the ruleset does not have.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_no_doubles)
    except json.JSONDecodeError as error:
        span = Span(file, error.lineno, error.colno, error.lineno, error.colno + 1)
        fault = Fault("malformed-text", f"not JSON: {error.msg}", span)
        raise RulesetError([fault], {file: text}) from None
    except (ValueError, RecursionError) as error:
        raise _error(file, [f"not JSON: {error!s:.200}"], "malformed-text") from None
    try:
        board = _CONVERTER.structure(data, Board)
    except (cattrs.BaseValidationError, AttributeError, RecursionError, TypeError) as error:
        raise _error(file, _wrong_values(error), "malformed-text", text) from None
    if faults := [*_misshapen(board), *_unknown(board, words)]:
        raise _error(file, faults, "unknown-name", text)
    return board


def _error(file: str, headlines: list[str], code: str, text: str = "") -> RulesetError:
    help_ = "see “Boards” in the reference of the formats"
    places = places_in(text)
    faults = [
        Fault(code, headline, _span(file, places, headline), help=help_)
        for headline in headlines[:_FAULTS]
    ]
    return RulesetError(faults, {file: text} if text else {})


def _span(file: str, places: Mapping[JsonPath, tuple[int, int]], headline: str) -> Span:
    """The place in the file of the innermost part of the path that a headline names."""
    named = _AT.search(headline) or _QUOTED.match(headline)
    parts = _PARTS.findall(named[1]) if named else []
    path: JsonPath = tuple(int(number) if number else name or key for name, number, key in parts)
    while path and path not in places:
        path = path[:-1]
    line, column = places.get(path, (1, 1))
    return Span(file, line, column, line, column + 1)


def _wrong_values(error: BaseException) -> list[str]:
    """Each wrong value with its path in the file; without those whose names cannot be printed."""
    reports = transform_error(error, "board", format_exception=_reason)
    return [line[:300] for line in reports if find_unprintable(line) is None] or [
        "unprintable names"
    ]


def _reason(error: BaseException, type_: type | None) -> str:
    """Why a value is wrong, in words."""
    if isinstance(error, ValueError) and type(error) is ValueError:
        return str(error)
    if isinstance(error, AttributeError | TypeError | RecursionError):
        return "expected an object, a list or a value of the format, got another kind"
    return format_exception(error, type_)


def _no_constant(word: str) -> float:
    raise ValueError(f"the number {word}")


def _no_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name that stands twice in one object")
    return names


# ------------------------------------------------------------------ values
def _number(value: object, _: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("expected a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("expected a number")
    if abs(value) > MAX_SIZE:
        raise ValueError(f"expected a number up to {MAX_SIZE}")
    return value


def _whole(value: object, _: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_NUMBER:
        raise ValueError(f"expected a whole number from 0 to {MAX_NUMBER}")
    return value


def _word(value: object, _: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_LETTERS:
        raise ValueError(f"expected a text of at most {MAX_LETTERS} letters")
    if find_unprintable(value) is not None:
        raise ValueError("expected a text that can be printed")
    return value


def _matching(pattern: re.Pattern[str], what: str, most: int = MAX_LETTERS) -> object:
    def structure(value: object, _: object) -> str:
        if not isinstance(value, str) or len(value) > most or not pattern.fullmatch(value):
            raise ValueError(f"expected {what}")
        return value

    return structure


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook(int, _whole)
    converter.register_structure_hook(str, _word)
    for kind, pattern, what, most in (
        (Colour, _COLOUR, "a colour such as #15366b", 7),
        (PathData, _PATH, "the commands of a path", MAX_PATH),
        (Dashes, _DASHES, "lengths of dashes such as `8 4.5`", 40),
    ):
        hook = _matching(pattern, what, most)
        converter.register_structure_hook_func(lambda t, k=kind: t is k, hook)  # type: ignore[misc, arg-type]
    return converter


_CONVERTER = _converter()


# ------------------------------------------------------------------ sense
def _misshapen(board: Board) -> Iterator[str]:
    """The shapes that cannot be drawn."""
    width, height = board.canvas
    if not (100 <= width <= MAX_SIZE and 100 <= height <= MAX_SIZE):
        yield f"`canvas`: expected a width and a height from 100 to {MAX_SIZE}"
    if not (10 <= board.small_block <= board.block <= 200):
        yield "`block` and `small_block`: expected sizes from 10 to 200, the small one first"
    if not board.tints:
        yield "`tints`: expected a colour or more"
    points = sum(len(area.polygon) for area in board.areas.values()) + len(board.hills)
    if points + sum(map(len, board.islands)) > MAX_POINTS:
        yield f"`areas`: expected at most {MAX_POINTS} points"
    for name, area in board.areas.items():
        places = (*area.polygon, *area.slots, *area.small_slots, *area.icons.values(), area.marker)
        if len(area.polygon) < 3 or not area.slots:
            yield f"`areas.{name}`: expected three points or more, and a slot or more"
        if not all(0 <= x <= width and 0 <= y <= height for x, y in places):
            yield f"`areas.{name}`: a point outside the canvas"
        if area.cell is not None and not (area.cell[0] < CELLS[0] and area.cell[1] < CELLS[1]):
            yield f"`areas.{name}.cell`: expected a column below {CELLS[0]} and a row below {CELLS[1]}"
        if area.tint >= len(board.tints):
            yield f"`areas.{name}.tint`: expected less than {len(board.tints)}"
    for name, symbol in board.symbols.items():
        if symbol.box[2] <= 0 or symbol.box[3] <= 0:
            yield f"`symbols.{name}.box`: expected a width and a height above 0"


def _unknown(board: Board, words: BoardWords) -> Iterator[str]:
    """The names that the ruleset does not have, and the places that the board lacks."""
    yield from _names("areas", board.areas, words.places)
    for name in words.places:
        if name not in board.areas:
            yield f"`areas`: no area `{name}`"
    yield from _names("players", board.players, words.players)
    yield from _names("links", board.links, words.colours)
    for badge in board.badges:
        if frozenset(badge.ends) not in words.links:
            yield f"`badges`: no line between `{badge.ends[0]}` and `{badge.ends[1]}`"
    yield from _names("symbols", _symbols_named(board), board.symbols)
    yield from _names("columns and variables", _facts_named(board), words.columns + words.variables)
    for role, name, allowed, expected in (
        ("hand", board.status.hand, words.in_hands, "whose first key is a player"),
        ("played", board.status.played, words.of_players, "with a value for each player"),
    ):
        if name in words.variables and name not in allowed:
            yield f"`status.{role}`: expected a variable {expected}, got `{name}`"
    if board.battle is not None:
        named = {board.battle.letter, board.battle.rating} - {""}
        yield from _names("definitions of a piece", named, words.definitions)


def _symbols_named(board: Board) -> set[str]:
    named = set(board.pieces.emblems.values())
    named |= {style.back for style in board.players.values()}
    named |= {symbol for mark in board.marks for symbol in (mark.symbol, mark.empty_symbol)}
    return named - {""}


def _facts_named(board: Board) -> set[str]:
    pieces, status, battle = board.pieces, board.status, board.battle
    named = {pieces.strength, pieces.steps, pieces.letter, pieces.rating, pieces.emblem}
    # Counters are not checked: editions that share a board need not all have them.
    named |= {status.big, status.steps, status.hand, status.played}
    named |= {mark.column for mark in board.marks}
    if status.count is not None:
        named.add(status.count.column)
    if board.double_links is not None:
        named.add(board.double_links.column)
    if battle is not None:
        named |= {battle.place, battle.round, battle.attacker, battle.fighting, battle.reserve}
    return named - {""}


def _names(
    place: str,
    named: Mapping[str, object] | set[str],
    allowed: tuple[str, ...] | Mapping[str, object],
) -> Iterator[str]:
    for name in sorted(named):
        if name not in allowed:
            hint = suggest(name, allowed).hint()
            yield f"`{place}`: the ruleset has no `{name}`{hint}"
