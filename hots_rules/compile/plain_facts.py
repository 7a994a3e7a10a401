"""Facts as plain data that `marshal` can hold, and back.

An object becomes a list: the number of its class, then its fields; so does a tuple or a dictionary with objects
in it. Everything else stays as it is. Equal objects share one list, and `marshal` preserves that, so each type
and each origin is built only once.
"""

from __future__ import annotations

from attrs import astuple

from hots_rules.compile import facts
from hots_rules.diagnostics import Span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin

_CLASSES: tuple[type, ...] = (
    facts.CompiledFacts,
    facts.Variable,
    facts.Parameter,
    facts.ActionFacts,
    facts.PointFacts,
    facts.ScenarioFacts,
    facts.EntryFacts,
    facts.SecretFacts,
    facts.SettingFacts,
    facts.InvariantFacts,
    facts.FrameSlot,
    facts.MapLink,
    facts.MapFacts,
    types.WordType,
    types.IntType,
    types.BoolType,
    types.SetType,
    types.PairType,
    types.DiceType,
    Origin,
    Span,
)


_TUPLE, _DICT = -1, -2


def facts_to_plain(value: facts.CompiledFacts) -> list[object]:
    """Facts as lists, tuples, dictionaries, texts and numbers."""
    plain = _to_plain(value, {})
    assert isinstance(plain, list)
    return plain


def _to_plain(value: object, done: dict[str, list[object]]) -> object:
    kind = type(value)
    parts: list[object]
    if kind in _CLASSES:
        number = _CLASSES.index(kind)
        parts = list(value if isinstance(value, tuple) else astuple(value, recurse=False))  # type: ignore[arg-type]
    elif isinstance(value, tuple):
        number, parts = _TUPLE, list(value)
    elif isinstance(value, dict):
        number, parts = _DICT, [tuple(value), *value.values()]
    else:
        return value
    plain = [_to_plain(part, done) for part in parts]
    if number < 0 and not any(isinstance(part, list) for part in plain):
        return value
    # Types that differ only in their names are equal, so they are compared by their plain form.
    return done.setdefault(repr((number, plain)), [number, *plain])


def facts_from_plain(plain: list[object]) -> facts.CompiledFacts:
    """Facts from their plain form."""
    value = _from_plain(plain, {})
    assert isinstance(value, facts.CompiledFacts)
    return value


def _from_plain(plain: list[object], done: dict[int, object]) -> object:
    value = done.get(id(plain))
    if value is None:
        parts = [_from_plain(part, done) if type(part) is list else part for part in plain]
        number, *fields = parts
        assert isinstance(number, int)
        if number >= 0:
            value = _CLASSES[number](*fields)
        elif number == _TUPLE:
            value = tuple(fields)
        else:
            keys, *values = fields
            assert isinstance(keys, tuple)
            value = dict(zip(keys, values, strict=True))
        done[id(plain)] = value
    return value
