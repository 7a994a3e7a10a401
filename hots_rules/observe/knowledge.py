"""What somebody can know of a condition: the same in every state that looks alike to them."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import Visibility, viewer_of
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr

# In so many states at most the hidden things are shifted among themselves: enough for each place.
MAX_SHIFTS = 120


@frozen
class KnowledgeCheck:
    """What one player, or a spectator, can know at one moment.

    A condition that reads a hidden entry cannot be known. One that looks at hidden things is known
    if it comes to the same whichever of them stands where: that is tried for some ways to change
    their places, careful rather than exact.
    """

    veil: RedactedFormatter
    worlds: tuple[Evaluator, ...]
    _answers: dict[tuple[int, tuple[tuple[str, int], ...]], bool] = field(factory=dict)
    _asked: list[Expr] = field(factory=list)

    def knows(self, node: Expr, local: Mapping[str, int]) -> bool:
        """Whether the value of an expression can be known."""
        key = (id(node), tuple(sorted(local.items())))
        found = self._answers.get(key)
        if found is None:
            self._asked.append(node)  # so that its id stays its own
            found = self._answers[key] = self._is_known(node, local)
        return found

    def _is_known(self, node: Expr, local: Mapping[str, int]) -> bool:
        here = self._seen(self.worlds[0], node, local)
        return here is not None and all(
            self._seen(world, node, local) == here for world in self.worlds[1:]
        )

    def _seen(self, world: Evaluator, node: Expr, local: Mapping[str, int]) -> str | None:
        """How the value looks in a state; None if it hangs on a hidden entry."""
        try:
            code = world.value(node, local)
        except _HiddenEntry:
            return None
        except (EngineError, LookupError, ArithmeticError):
            return ""
        return self.veil.format_value(code, node.type)


class _HiddenEntry(Exception):
    """A hidden entry of the state is looked at."""


@frozen(eq=False)
class _World:
    """The state with its hidden things shifted among themselves."""

    game: BaseGame
    look: Visibility
    shift: Mapping[tuple[int, int], int]
    _maps: dict[tuple[int, int], tuple[types.Type, tuple[int, ...]]] = field(factory=dict)
    _values: dict[tuple[str, tuple[int, ...]], int] = field(factory=dict)

    def load(self, name: str, keys: tuple[int, ...]) -> int:
        """The value of a variable there."""
        found = self._values.get((name, keys))
        if found is None:
            found = self._values[name, keys] = self._looked_up(name, keys)
        return found

    def _looked_up(self, name: str, keys: tuple[int, ...]) -> int:
        variable = self.game.ruleset.schema.variables[name]
        here = zip(keys, variable.keys, strict=True)
        offset = variable.offsets[tuple(self._moved(key, type_, -1) for key, type_ in here)]
        if self.look.hides(variable, offset):
            raise _HiddenEntry
        return self._moved(self.game.state.slots[variable.base + offset], variable.type, 1)

    def _moved(self, code: int, type_: types.Type, way: int) -> int:
        """A value with each hidden thing in it replaced by the one in whose place it is, or back."""
        if not self.shift:
            return code
        match type_:
            case types.WordType():
                return self._mapped(type_, way)[code]
            case types.SetType(member=types.WordType() as member):
                mapped = self._mapped(member, way)
                return sum(1 << mapped[one] for one in bits(code))
        return code

    def _mapped(self, type_: types.WordType, way: int) -> tuple[int, ...]:
        found = self._maps.get((id(type_), way))
        if found is None:
            things = self.look.eyes.things_in(type_)
            ways = self.shift if way > 0 else {(k, to): of for (k, of), to in self.shift.items()}
            codes = {thing: code for code, thing in enumerate(things) if thing is not None}
            moved = (
                code if thing is None else codes.get((thing[0], ways.get(thing, thing[1])), code)
                for code, thing in enumerate(things)
            )
            found = self._maps[id(type_), way] = type_, tuple(moved)
        return found[1]


def knowing_of(game: BaseGame, player: str, evaluator: Evaluator) -> KnowledgeCheck:
    """What a player can know of a game.

    Raises:
        UnknownOption: no such player.
    """
    slots = game.state.slots
    look = tracker_of(game, viewer_of(game, player)).eyes.look(slots)
    most = min(max((mask.bit_count() for mask in look.things), default=0), MAX_SHIFTS)
    shifts = (shift for far in range(1, most) if (shift := _shifted(look, far)))
    worlds = (
        evolve(evaluator, load=_World(game, look, shift).load, memo={}) for shift in ({}, *shifts)
    )
    return KnowledgeCheck(RedactedFormatter(look, slots, game.ruleset.labels), tuple(worlds))


def _shifted(look: Visibility, far: int) -> dict[tuple[int, int], int]:
    """For each hidden thing the one that takes its place."""
    found: dict[tuple[int, int], int] = {}
    for kind, hidden in enumerate(look.things):
        things = list(bits(hidden))
        for place, thing in enumerate(things):
            found[kind, thing] = things[(place + far) % len(things)]
    return found
