"""Mappings and lists that nobody can change, for values that have a hash; JSON and `==` take them for any others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict that refuses every change; `dict(it)` is a copy that can be changed.

    >>> FrozenDict(year=1297)["year"] = 1298
    Traceback (most recent call last):
      ...
    TypeError: a value of the game cannot be changed; change a copy: `dict(…)`
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a value of the game cannot be changed; change a copy: `dict(…)`")

    __setitem__ = __delitem__ = update = setdefault = _refuse
    pop = popitem = clear = __ior__ = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)

    def __copy__(self) -> FrozenDict[K, V]:
        return self

    def __deepcopy__(self, _: object) -> FrozenDict[K, V]:
        return self


class FrozenList(list[V]):
    """A list that refuses every change; `list(it)` is a copy that can be changed.

    >>> FrozenList(["Fox"]).append("Hen")
    Traceback (most recent call last):
      ...
    TypeError: a value of the game cannot be changed; change a copy: `list(…)`
    """

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a value of the game cannot be changed; change a copy: `list(…)`")

    __setitem__ = __delitem__ = append = extend = insert = _refuse
    pop = remove = clear = sort = reverse = __iadd__ = __imul__ = _refuse

    def __reduce__(self) -> tuple[type[FrozenList[V]], tuple[list[V]]]:
        return type(self), (list(self),)

    def __copy__(self) -> FrozenList[V]:
        return self

    def __deepcopy__(self, _: object) -> FrozenList[V]:
        return self


_UNCHANGING = frozenset({str, int, bool, type(None), FrozenDict, FrozenList})


def frozen_value(value: V) -> V:
    """A value in which no mapping and no list can be changed, at any depth; what is neither stays as it is.

    >>> frozen_value({"hand": {"Red": ["Fox"]}}) == {"hand": {"Red": ["Fox"]}}
    True
    """
    if type(value) in _UNCHANGING:
        return value
    if isinstance(value, Mapping):
        return cast("V", FrozenDict({key: frozen_value(inner) for key, inner in value.items()}))
    return cast("V", FrozenList(map(frozen_value, value))) if isinstance(value, list) else value
