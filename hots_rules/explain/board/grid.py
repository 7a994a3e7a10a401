"""A board as a grid of letters, for a ruleset whose map is a board."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hots_rules.compile.facts import Variable
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels

EMPTY = "."


def grid_rows(
    labels: Labels,
    content: Variable,
    spots: Mapping[int, tuple[int, int]],
    value: Callable[[int], str],
) -> Iterator[tuple[str, str]]:
    """The rows of a board from the top: the name of the row, and a letter for what is in each place.

    Where the name of each place is made of its column and its row, as in `e4`, the last row has the names of the
    columns; elsewhere the name of a row is that of its first place. `value` gives what is in a place as text, empty for
    nothing; each value is cut to the fewest letters that distinguish it from the others.
    """
    assert isinstance(content.type, types.WordType)
    kinds = zip(labels.words(content.type), content.type.values, strict=True)
    words = [word for word, kind in kinds if kind != types.NONE]
    width = next(
        (n for n in range(1, 9) if len({word[:n] for word in words}) == len(words)),
        max(map(len, words)),
    )
    across = sorted({column for column, _ in spots.values()})
    heights = sorted({height for _, height in spots.values()}, reverse=True)
    places = {spot: code for code, spot in spots.items()}
    rows = [[places.get((column, height)) for column in across] for height in heights]
    names = [
        [code if code is None else labels.format_value(code, content.keys[0]) for code in row]
        for row in rows
    ]
    beside, below = _coordinates(names)
    width = max([width, *map(len, below)])
    for name, row in zip(beside, rows, strict=True):
        cells = [" " if code is None else value(code)[:width] or EMPTY for code in row]
        yield name, _joined(cells, width)
    if below:
        yield "", _joined(below, width)


def _joined(cells: Sequence[str], width: int) -> str:
    return " ".join(cell.ljust(width) for cell in cells).rstrip()


def _coordinates(names: Sequence[Sequence[str | None]]) -> tuple[list[str], list[str]]:
    """The names of the rows and of the columns; without these, the name of the first place of each row."""
    first = [next(name for name in row if name is not None) for row in names]
    columns = zip(*names, strict=True)
    if len(names) > 1 and all(name is not None for row in names for name in row):
        at = len(_beginning(first))
        beside = [name[at:] for name in first]
        below = [_beginning([*map(str, column)]) for column in columns]
        whole = [[column + row for column in below] for row in beside]
        if all(beside) and all(below) and whole == [[*row] for row in names]:
            return beside, below
    return first, []


def _beginning(texts: Sequence[str]) -> str:
    """The longest beginning that some texts share."""
    first, last = min(texts), max(texts)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((at for at, (one, other) in pairs if one != other), len(first))]
