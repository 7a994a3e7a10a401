"""What a player can know: everything that is the same in all possible states of a game.

The *possible states* of a player are derived from that player's information state alone, so no answer can
depend on what is hidden. They are of two kinds:

- a few sampled worlds, which are complete games and can be played on;
- the first of these worlds with the hidden pieces rotated, so that each hidden piece takes each
  place once. Such a state may violate an invariant, so conditions are evaluated in it and nothing is played.

A hidden cell may hold any value: an expression that reads one is unknown, unless another part of it decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Generic

from attrs import asdict, field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.evaluate import Budget, Evaluator
from hots_rules.diagnostics import EngineError, NoConsistentWorld
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.observer import Observer, Visibility, viewer_of
from hots_rules.observe.permute import Permuter
from hots_rules.observe.redact import RedactedFormatter
from hots_rules.observe.worlds import consistent_worlds
from hots_rules.play.game import BaseGame, G
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Operation

MAX_ROTATIONS = 120


class HiddenCell(Exception):
    """An expression reads a hidden cell."""


@frozen
class KnowingEvaluator(Evaluator):
    """An evaluator that needs no hidden cell where another part of an expression decides the whole."""

    def _junction(self, node: Operation, local: Mapping[str, int]) -> int:
        deciding, hidden = node.op == "or", False
        for arg in node.args:
            try:
                if bool(self.value(arg, local)) is deciding:
                    return int(deciding)
            except HiddenCell:
                hidden = True
            except (EngineError, LookupError, ArithmeticError):
                if not hidden:
                    raise  # what is hidden may guard it
        if hidden:
            raise HiddenCell
        return int(not deciding)


@frozen(eq=False)
class PossibleState:
    """One of the states that a player cannot distinguish from the true one."""

    formatter: RedactedFormatter
    evaluator: Evaluator

    def appearance(self, node: Expr, local: Mapping[str, int]) -> str | None:
        """The value of an expression as the player sees it; None if it reads a hidden cell."""
        try:
            code = self.evaluator.value(node, local)
        except HiddenCell:
            return None
        except (EngineError, LookupError, ArithmeticError):
            return ""
        return self.formatter.format_value(code, node.type)


@frozen(eq=False)
class Knowledge(Generic[G]):
    """What one player can know at one moment of a game.

    Attributes:
        game: the first sampled world. It replaces the game in every answer to the player, so that no answer
            depends on what is hidden. If no world was found, it is the game itself.
        player: the player's name.
        is_sampled: whether a world was found.
        states: the possible states, that of `game` first.
    """

    game: G
    player: str
    is_sampled: bool
    states: tuple[PossibleState, ...]
    _answers: dict[tuple[int, tuple[tuple[str, int], ...]], bool] = field(factory=dict)
    _nodes: list[Expr] = field(factory=list)

    @property
    def formatter(self) -> RedactedFormatter:
        """Formats values of `game` with the identities of hidden pieces redacted."""
        return self.states[0].formatter

    def knows(self, node: Expr, local: Mapping[str, int]) -> bool:
        """Whether an expression has the same value in all possible states."""
        key = (id(node), tuple(sorted(local.items())))
        answer = self._answers.get(key)
        if answer is None:
            self._nodes.append(node)  # keeps the node alive, so that its id stays unique
            answer = self._answers[key] = self._is_same_in_all(node, local)
        return answer

    def _is_same_in_all(self, node: Expr, local: Mapping[str, int]) -> bool:
        first, *others = self.states
        appearance = first.appearance(node, local)
        return appearance is not None and all(
            state.appearance(node, local) == appearance for state in others
        )


def knowledge_of(game: G, player: str) -> Knowledge[G]:
    """What a player can know of a game.

    Raises:
        UnknownName: no such player.
    """
    viewer = viewer_of(game, player)
    key = (PossibleState, viewer)
    world, states = game.memo(key, lambda: _possible_states(game, viewer))
    states[0].evaluator.renew_budget()
    return Knowledge(world, player, world is not game, states)


def _possible_states(game: G, viewer: int) -> tuple[G, tuple[PossibleState, ...]]:
    """The world that stands for a game, and all possible states."""
    try:
        worlds = consistent_worlds(game, viewer)
    except NoConsistentWorld:
        worlds = (game,)
    observer, slots = tracker_of(game, viewer).observer, worlds[0].state.slots
    permuter = Permuter(observer)
    budget = Budget.to_answer(game.ruleset.limits.answer_steps)
    rotated = (
        permuter.permuted(slots, places) for places in _rotations(observer.visibility(slots))
    )
    possible = [*(world.state.slots for world in worlds), *rotated]
    return worlds[0], tuple(_possible_state(game, observer, packed, budget) for packed in possible)


def _rotations(visibility: Visibility) -> Iterator[list[dict[int, int]]]:
    """For each rotation of the hidden pieces, which piece each of them becomes."""
    pieces_of_types = [list(bits(hidden)) for hidden in visibility.pieces]
    most = min(max(map(len, pieces_of_types), default=0), MAX_ROTATIONS)
    for shift in range(1, most):
        yield [
            {piece: pieces[(at + shift) % len(pieces)] for at, piece in enumerate(pieces)}
            for pieces in pieces_of_types
        ]


def seen_evaluator(game: BaseGame, player: str | None) -> KnowingEvaluator:
    """An evaluator that reads of one state only what a player, or a spectator, sees in it.

    It costs no search for worlds. A cell is seen if nothing hidden is its key, its value or a part of its value; any
    other one raises `HiddenCell`, whatever it holds.

    Raises:
        UnknownName: no such player.
    """
    slots, observer = game.state.slots, tracker_of(game, viewer_of(game, player)).observer
    visibility = observer.visibility(slots)
    is_known = partial(_is_identified, visibility)

    def load(name: str, keys: tuple[int, ...]) -> int:
        variable = observer.schema.variables[name]
        offset = variable.offsets[keys]
        code = slots[variable.base + offset]
        is_seen = not visibility.hides(variable, offset) and is_known(code, variable.type)
        if not is_seen or not all(map(is_known, keys, variable.keys)):
            raise HiddenCell
        return code

    evaluator = game.evaluator(load)
    return KnowingEvaluator(**asdict(evaluator, recurse=False))


def _is_identified(visibility: Visibility, code: int, type_: types.Type) -> bool:
    """Whether a value names no hidden piece."""
    match type_:
        case types.SetType():
            return all(_is_identified(visibility, member, type_.member) for member in bits(code))
        case types.PairType():
            left, right = types.pair_parts(type_, code)
            return _is_identified(visibility, left, type_.left) and _is_identified(
                visibility, right, type_.right
            )
    return visibility.hidden_piece(code, type_) is None


def _possible_state(
    game: BaseGame, observer: Observer, slots: Sequence[int], budget: Budget
) -> PossibleState:
    visibility = observer.visibility(slots)
    variables = observer.schema.variables

    def load(name: str, keys: tuple[int, ...]) -> int:
        variable = variables[name]
        offset = variable.offsets[keys]
        if visibility.hides(variable, offset):
            raise HiddenCell
        return slots[variable.base + offset]

    read_keys = observer.schema.keys_reader(slots)

    def keys_with(name: str, code: int) -> int | None:
        return None if visibility.cells.get(name) else read_keys(name, code)

    formatter = RedactedFormatter(visibility, slots, game.ruleset.labels)
    evaluator = game.evaluator(load, budget, keys_with)
    return PossibleState(formatter, KnowingEvaluator(**asdict(evaluator, recurse=False)))
