"""Facts as plain data that `marshal` can hold, and back.

An object becomes a list: the number of its class, then its fields. Equal objects share one list, and
`marshal` preserves that, so each type and each origin is built only once.
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


def facts_to_plain(value: facts.CompiledFacts) -> list[object]:
    """Facts as lists, tuples, dictionaries, texts and numbers."""
    plain = _to_plain(value, {})
    assert isinstance(plain, list)
    return plain


def _to_plain(value: object, done: dict[object, object]) -> object:
    kind = type(value)
    if kind is tuple:
        assert isinstance(value, tuple)
        return tuple(_to_plain(part, done) for part in value)
    if isinstance(value, dict):
        return {key: _to_plain(part, done) for key, part in value.items()}
    if kind not in _CLASSES:
        return value
    # Types that differ only in their names are equal, so the plain form tells them apart.
    fields = value if isinstance(value, tuple) else astuple(value, recurse=False)  # type: ignore[arg-type]
    plain = [_CLASSES.index(kind), *(_to_plain(part, done) for part in fields)]
    return done.setdefault(repr(plain), plain)


def facts_from_plain(plain: object) -> facts.CompiledFacts:
    """Facts from their plain form."""
    value = _from_plain(plain, {})
    assert isinstance(value, facts.CompiledFacts)
    return value


def _from_plain(plain: object, done: dict[int, object]) -> object:
    if isinstance(plain, list):
        value = done.get(id(plain))
        if value is None:
            number, *fields = plain
            value = _CLASSES[number](*[_from_plain(part, done) for part in fields])
            done[id(plain)] = value
        return value
    if isinstance(plain, tuple):
        return tuple([_from_plain(part, done) for part in plain])
    if isinstance(plain, dict):
        return {key: _from_plain(part, done) for key, part in plain.items()}
    return plain
