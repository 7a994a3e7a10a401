"""Objects of attrs classes as plain data, and back.

In plain data an object is a list: the number of its class, then its fields; so is a tuple or a dictionary with objects
in it. Everything else stays as it is. Equal objects share one list, and `marshal` preserves that, so each type
and each origin is built only once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from attrs import fields, has

_TUPLE, _DICT = -1, -2
_SIMPLE = frozenset({str, int, bool, type(None)})
Classes = Sequence[type]


def to_plain(value: object, classes: Classes) -> object:
    """A value as lists, tuples, dictionaries, texts and numbers; its objects are of some classes."""
    return _Writer(classes).plain(value)


class _Writer:
    def __init__(self, classes: Classes) -> None:
        self._numbers = {kind: number for number, kind in enumerate(classes)}
        self._names = {kind: _field_names(kind) for kind in classes}
        self._of_objects: dict[int, object] = {}
        self._shared: dict[Hashable, list[object]] = {}

    def plain(self, value: object) -> object:
        match value:
            case _ if type(value) in self._numbers:
                if id(value) not in self._of_objects:
                    parts = self._parts(self._fields(value))
                    self._of_objects[id(value)] = self._share(self._numbers[type(value)], parts)
                return self._of_objects[id(value)]
            case tuple():
                number, parts = _TUPLE, self._parts(value)
            case dict():
                number, parts = _DICT, [tuple(value), *self._parts(value.values())]
            case _:
                return value
        return self._share(number, parts) if list in map(type, parts) else value

    def _parts(self, values: Iterable[object]) -> list[object]:
        # Most parts are texts and numbers: a call for each takes half the time.
        return [part if type(part) in _SIMPLE else self.plain(part) for part in values]

    def _fields(self, value: object) -> Iterable[object]:
        names = self._names[type(value)]
        return value if isinstance(value, tuple) else (getattr(value, name) for name in names)

    def _share(self, number: int, plain: list[object]) -> list[object]:
        # Types that differ only in their names are equal, so they are compared by their plain form.
        key = number, *(id(part) if type(part) is list else repr(part) for part in plain)
        return self._shared.setdefault(key, [number, *plain])


def _field_names(kind: type) -> list[str]:
    return [attribute.name for attribute in fields(kind) if attribute.init] if has(kind) else []


def from_plain(plain: object, classes: Classes) -> Any:
    """A value from its plain form."""
    makers = [_maker(kind) for kind in classes]
    return _read(plain, makers, {}) if type(plain) is list else plain


def _maker(kind: type) -> Callable[..., object]:
    """Makes an object of a class from the values of its fields."""
    if not has(kind) or not any(attribute.kw_only for attribute in fields(kind)):
        return kind
    names = _field_names(kind)
    return lambda *values: kind(**dict(zip(names, values, strict=True)))


def _read(
    plain: list[object], makers: Sequence[Callable[..., object]], done: dict[int, object]
) -> object:
    value = done.get(id(plain))
    if value is None:
        parts = [_read(part, makers, done) if type(part) is list else part for part in plain]
        number, *values = parts
        assert isinstance(number, int)
        if number >= 0:
            value = makers[number](*values)
        elif number == _TUPLE:
            value = tuple(values)
        else:
            keys, *values = values
            assert isinstance(keys, tuple)
            value = dict(zip(keys, values, strict=True))
        done[id(plain)] = value
    return value
