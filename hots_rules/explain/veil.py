"""Words for a state as one player may know it.

A ruleset declares its secrets: who knows the values of a variable, and who knows which value of a
type something is. Whoever does not know which block stands there reads `a block of …` instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from hots_rules.compile.codes import bits
from hots_rules.diagnostics import EngineError
from hots_rules.play.game import Game
from hots_rules.play.reason import Reason
from hots_rules.rules import finite as t
from hots_rules.state.shape import Shape, Variable

if TYPE_CHECKING:
    from hots_rules.compile.evaluate import Evaluator
    from hots_rules.rules import typed as ty

HIDDEN = "hidden"


@frozen(slots=False, eq=False)
class Veil(Shape):
    """A shape whose words keep the secrets from one player, as `slots` stand at the moment."""

    typed: ty.Typed = field(repr=False)
    settings: dict[str, int] = field(repr=False)
    player: int
    slots: list[int] = field(repr=False)

    # -------------------------------------------------------------- words
    def show(self, code: int, type_: t.Type, language: str = "en") -> str:
        """The value of a code in words, its back where the player does not know which it is."""
        if isinstance(type_, t.SetType):
            members = (self.show(member, type_.member, language) for member in bits(code))
            return "{" + ", ".join(collated(members)) + "}"
        if isinstance(type_, t.WordType) and (back := self._back(type_.values[code])):
            return back
        return super().show(code, type_, language)

    def _back(self, value: t.Value) -> str:
        """What is seen of a value from behind; nothing if the player knows which it is."""
        for secret in self._secret_types:
            type_ = secret.params[0].type
            if isinstance(type_, t.WordType) and value in type_.codes:
                keys = (type_.codes[value],)
                if not self.knows(secret, keys):
                    return _back_of(secret.name, self._knowers(secret, keys))
        return ""

    # -------------------------------------------------------------- who knows
    def hides(self, variable: Variable, keys: tuple[int, ...]) -> bool:
        """Whether the value of a variable is kept from the player."""
        secret = self._secret_variables.get(variable.name)
        return secret is not None and not self.knows(secret, keys)

    def knows(self, secret: ty.SecretDef, keys: tuple[int, ...]) -> bool:
        """Whether the player is among those who know."""
        local = {p.name: key for p, key in zip(secret.params, keys, strict=True)}
        return any(who in (None, self.player) for who in self._audience(secret, local))

    def _knowers(self, secret: ty.SecretDef, keys: tuple[int, ...]) -> list[str]:
        local = {p.name: key for p, key in zip(secret.params, keys, strict=True)}
        known = {who for who in self._audience(secret, local) if who is not None}
        values = self.typed.players.values if isinstance(self.typed.players, t.WordType) else ()
        return [self.word(values[who]) for who in sorted(known)]

    def _audience(self, secret: ty.SecretDef, local: dict[str, int]) -> Iterable[int | None]:
        """The players who know, None for all; a condition that cannot be asked lets nobody know."""
        for who, when in secret.audiences:
            try:
                if when is None or self._evaluator.value(when, local):
                    yield None if who is None else self._evaluator.value(who, local)
            except EngineError:
                continue

    @cached_property
    def _secret_types(self) -> tuple[ty.SecretDef, ...]:
        return tuple(secret for secret in self.typed.secrets if secret.kind == "type")

    @cached_property
    def _secret_variables(self) -> dict[str, ty.SecretDef]:
        return {secret.name: secret for secret in self.typed.secrets if secret.kind == "variable"}

    @cached_property
    def _evaluator(self) -> Evaluator:
        from hots_rules.compile.evaluate import Evaluator

        return Evaluator(self.typed, self.settings, self._load)

    @cached_property
    def _offsets(self) -> dict[str, dict[tuple[int, ...], int]]:
        return {
            variable.name: {keys: variable.base + i for i, keys in enumerate(variable.key_codes)}
            for variable in self.variables.values()
        }

    def _load(self, variable: str, keys: tuple[int, ...]) -> int:
        return self.slots[self._offsets[variable][keys]]

    # -------------------------------------------------------------- draws
    def hides_draws_of(self, type_: t.Type) -> bool:
        """Whether a draw from a type could tell the player what a secret variable holds.

        Careful rather than exact: it may hide a draw that the player knows of.
        """
        if any(secret.params[0].type == type_ for secret in self._secret_types):
            return False
        return any(
            type_ in (*(key for key in variable.keys), _bare(variable.type))
            for variable in self.variables.values()
            if variable.name in self._secret_variables
        )


def veil_of(game: Game, player: str) -> Veil:
    """The veil before the eyes of a player, at the state of a game."""
    return Veil(
        game.ruleset.shape.facts,
        game.ruleset.book.typed,
        dict(game.settings),
        game.ruleset.players.index(player),
        list(game.state.slots),
    )


def reasons_seen(game: Game, player: str, reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons against an action, without the values that the player may not know.

    The clauses stand as they are: that one of them holds may still tell something.
    """
    veil, shape = veil_of(game, player), game.ruleset.shape
    known = {
        said
        for variable, keys, slot in shape.cells()
        if not veil.hides(variable, keys)
        and (said := _found(shape, variable, keys, game.state.slots[slot]))
        == _found(veil, variable, keys, game.state.slots[slot])
    }
    return tuple(
        evolve(reason, values=tuple(value for value in reason.values if value in known))
        for reason in reasons
    )


def collated(words: Iterable[str]) -> list[str]:
    """Words with those that are the same counted, so that their order tells nothing."""
    return [word if many == 1 else f"{word} ×{many}" for word, many in Counter(words).items()]


def _back_of(type_: str, knowers: list[str]) -> str:
    name = type_.replace("_", " ").lower()
    said = f"{name} of {' and '.join(knowers)}" if knowers else f"unknown {name}"
    return f"{'an' if said[0] in 'aeiou' else 'a'} {said}"


def _bare(type_: t.Type) -> t.Type:
    """The type without `none`, and of a set its members."""
    if isinstance(type_, t.SetType):
        return type_.member
    if isinstance(type_, t.WordType) and t.NONE in type_.codes:
        return t.WordType(type_.name, tuple(v for v in type_.values if v != t.NONE))
    return type_


def _found(shape: Shape, variable: Variable, keys: tuple[int, ...], code: int) -> str:
    """A value as the verdicts say it."""
    words = [shape.show(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)]
    named = variable.name.replace("_", " ") + (f" of {', '.join(words)}" if words else "")
    return f"{named} = {shape.show(code, variable.type)}"
