"""Where the values of a text in JSON stand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import accumulate

Path = tuple[str | int, ...]
"""The keys and the numbers that lead to a value from the outside."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def places_in(text: str) -> Mapping[Path, tuple[int, int]]:
    """The line and the column of each value of a JSON text by its path; a value in an object has those of its key.

    >>> places_in('{"areas":\\n  {"North": [1, 2]}}')[("areas", "North", 1)]
    (2, 17)
    """
    places: dict[Path, tuple[int, int]] = {}
    path: list[str | int] = []
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    line, is_key = 0, False
    for token in _TOKEN.finditer(text):
        while line + 1 < len(starts) and starts[line + 1] <= token.start():
            line += 1
        here = line + 1, token.start() - starts[line] + 1
        match token[0]:
            case "{":
                places.setdefault(tuple(path), here)
                path.append("")
                is_key = True
            case "[":
                places.setdefault(tuple(path), here)
                path.append(0)
            case "}" | "]":
                path.pop()
                is_key = False
            case "," if isinstance(path[-1], int):
                path[-1] += 1
            case ",":
                is_key = True
            case ":":
                is_key = False
            case written:
                if is_key:
                    path[-1] = json.loads(written)
                places.setdefault(tuple(path), here)
    return places
