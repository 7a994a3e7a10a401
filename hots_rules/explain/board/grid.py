"""A board as a grid of letters, for a ruleset whose map is a board."""

from collections.abc import Callable, Iterator, Mapping

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
    """The rows of a board from the top: the name of the first place, and a letter for what is in each.

    `value` gives what is in a place as text, empty for nothing; a value has as many letters as
    tell it from the others.
    """
    assert isinstance(content.type, types.WordType)
    words = labels.words(content.type)
    width = next(
        (n for n in range(1, 9) if len({word[:n] for word in words}) == len(words)),
        max(map(len, words)),
    )
    columns = sorted({across for across, _ in spots.values()})
    places = {spot: code for code, spot in spots.items()}
    for height in sorted({height for _, height in spots.values()}, reverse=True):
        row = [places.get((across, height)) for across in columns]
        cells = [" " if code is None else value(code)[:width] or EMPTY for code in row]
        first = next(code for code in row if code is not None)
        name = labels.format_value(first, content.keys[0])
        yield name, " ".join(cell.ljust(width) for cell in cells).rstrip()
