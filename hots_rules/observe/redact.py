"""Values of a state as text for one viewer: a piece of unknown identity reads `a block of …`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from attrs import field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.observe.observer import Visibility
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

HIDDEN = "hidden"


@frozen(slots=False, eq=False)
class RedactedFormatter:
    """Formats values for a viewer, with hidden identities redacted, at the state in `slots`."""

    look: Visibility
    slots: Sequence[int] = field(repr=False)
    labels: Labels

    @property
    def _schema(self) -> StateSchema:
        return self.look.eyes.schema

    # -------------------------------------------------------------- values
    def format_value(self, code: int, type_: types.Type) -> str:
        """The value of a code in words, its back where the viewer does not know which it is."""
        match type_:
            case types.SetType():
                members = sorted(bits(code), key=lambda member: self.order(member, type_.member))
                shown = (self.format_value(member, type_.member) for member in members)
                return "{" + ", ".join(counted(shown)) + "}"
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                one = self.format_value(left, type_.left)
                return f"({one}, {self.format_value(right, type_.right)})"
            case types.WordType() if (thing := self.look.hidden_thing(code, type_)) is not None:
                return self._back(*thing, self.labels)
        return self.labels.format_value(code, type_)

    def order(self, code: int, type_: types.Type) -> tuple[int, str]:
        """Where a value stands in a list: what is known as in the ruleset, then backs by their words."""
        match type_:
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                sides = self.order(left, type_.left), self.order(right, type_.right)
                if all(not back for _, back in sides):
                    return code, ""
                return 1 << 40, " ".join(f"{place:6} {back}" for place, back in sides)
            case types.WordType() if (thing := self.look.hidden_thing(code, type_)) is not None:
                return 1 << 20, self._back(*thing, self.labels.english)
        return code, ""

    def _back(self, kind: int, thing: int, labels: Labels) -> str:
        """What is seen of a thing from behind: what it is, and whose."""
        secret = self.look.eyes.kinds[kind]
        schema = self._schema
        known_to = secret.owners(self.slots, len(schema.players), 1 << thing)
        knowers = [
            labels.word(player)
            for player, known in zip(schema.facts.players, known_to, strict=True)
            if known
        ]
        name, said = labels.name("type", secret.name).lower(), labels.translator
        if not knowers:
            return said.gettext("an unknown {type}", type=name)
        if name[0] in "aeiou":
            return said.gettext(
                "an {type} of {players}", type=name, players=said.join_list(knowers)
            )
        return said.gettext("a {type} of {players}", type=name, players=said.join_list(knowers))

    # -------------------------------------------------------------- what is told
    def format_event_value(self, code: int, type_: types.Type) -> str:
        """A value that comes with an event or an action; `hidden` if it may be that of a hidden cell.

        Careful rather than exact: a value such as a secret variable holds is told only where the
        viewer reads the same value in a cell of that variable.
        """
        if type_ in self._kept_types and not self._reads(code, type_):
            return self.labels.translator.gettext("hidden")
        return self.format_value(code, type_)

    def hides_draws_of(self, type_: types.Type) -> bool:
        """Whether a draw from a type could tell the viewer what a secret variable holds."""
        return type_ in self._kept_types

    @cached_property
    def _kept_types(self) -> frozenset[types.Type]:
        """The types of words that secret variables hold or have as keys, but players and secret types."""
        found = {
            element_type(type_)
            for name in self.look.eyes.kept
            for type_ in (
                *self._schema.variables[name].keys,
                self._schema.variables[name].type,
            )
        }
        apart = {kind.type for kind in self.look.eyes.kinds}
        return frozenset(
            type_
            for type_ in found - apart
            if isinstance(type_, types.WordType) and not self._is_players(type_)
        )

    def _is_players(self, type_: types.WordType) -> bool:
        return [word for _, word in type_.values] == list(self._schema.players)

    def _reads(self, code: int, type_: types.Type) -> bool:
        """Whether a cell of a secret variable that the viewer knows holds a value, or has it as a key."""
        for name in self.look.eyes.kept:
            variable = self._schema.variables[name]
            for offset, keys in enumerate(variable.key_codes):
                held = self.slots[variable.base + offset]
                if not self.look.hides(variable, offset) and (
                    self._agrees(held, variable.type, code, type_)
                    or (
                        held != types.blank_code(variable.type)
                        and self._is_key(variable, keys, code, type_)
                    )
                ):
                    return True
        return False

    @staticmethod
    def _is_key(variable: Variable, keys: tuple[int, ...], code: int, type_: types.Type) -> bool:
        return any(
            key == code and key_type == type_
            for key, key_type in zip(keys, variable.keys, strict=True)
        )

    @staticmethod
    def _agrees(held: int, of: types.Type, code: int, type_: types.Type) -> bool:
        if isinstance(of, types.SetType):
            return of.member == type_ and bool(held >> code & 1)
        if not isinstance(of, types.WordType) or not isinstance(type_, types.WordType):
            return False
        return of.values[held] == type_.values[code]


def counted(words: Iterable[str]) -> Iterator[str]:
    """Words with those that are the same counted."""
    for word, many in Counter(words).items():
        yield word if many == 1 else f"{word} ×{many}"


def element_type(type_: types.Type) -> types.Type:
    """The type without `none`, and of a set its members."""
    if isinstance(type_, types.SetType):
        return type_.member
    if isinstance(type_, types.WordType) and types.NONE in type_.codes:
        return types.WordType(type_.name, tuple(v for v in type_.values if v != types.NONE))
    return type_
