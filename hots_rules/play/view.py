"""A game as one player may see it, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from hots_rules.compile.codes import bits
from hots_rules.play.action import Action
from hots_rules.play.follow import Memory, memory_of
from hots_rules.play.trace import Step
from hots_rules.play.witness import witnessed
from hots_rules.rules import finite as t
from hots_rules.state.eyes import Look
from hots_rules.state.shape import Shape, Variable
from hots_rules.state.values import value_text
from hots_rules.state.veil import Veil

if TYPE_CHECKING:
    from hots_rules.play.game import Game, Outcome

UNKNOWN = "?"
"""Stands for a value that the viewer may not know; no name of a ruleset looks so."""


@frozen
class Stack:
    """Things that nobody at this place can tell apart from behind.

    `name` is how `View.state` names them, `Piece#3`: the same in every view of a player as long as
    they stay together and nothing joins them. `type` says of what kind they are, `count` how many,
    `text` what one of them is in words.
    """

    name: str
    type: str
    count: int
    text: str


@frozen
class View:
    """All that one player may know of a game at one moment, in plain values.

    `state` has the variables as `State.as_dict` has them, with `?` for a value that is hidden and the
    name of a stack for things seen from behind. `actions` are the player's own legal actions, `log` the
    steps since the plays that were known before, `undo_floor` how many of the `plays` must stand. `player`
    is None for a spectator, `phase` is empty at the end. Views are equal when all of it is.
    """

    ruleset: str
    player: str | None
    plays: int
    phase: str
    to_move: tuple[str, ...]
    outcome: Outcome | None
    undo_floor: int
    actions: tuple[Action, ...]
    state: dict[str, Any] = field(hash=False)
    stacks: tuple[Stack, ...]
    log: tuple[Step, ...] = field(hash=False)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def view_of(game: Game, player: str | None, since: int | None) -> View:
    """What a player, or a spectator, may know of a game."""
    viewer = game._seat(player)
    looking = game._onlooker(viewer)
    memory = memory_of(game, viewer)
    look = looking.eyes.look(game.state.slots)
    drawing = _Drawing(look, memory)
    own = () if player is None else tuple(a for a in game.actions if a.player == player)
    return View(
        game.ruleset.name,
        player,
        memory.plays,
        game.phase,
        game.to_move,
        game.outcome,
        memory.floor,
        own,
        drawing.state(),
        tuple(drawing.stacks()),
        log_since(game, player, since),
    )


def log_since(
    game: Game, player: str | None, since: int | None = None, language: str = "en"
) -> tuple[Step, ...]:
    """The steps that a player saw in the plays after a number of them, by default in the last one.

    Raises:
        UnknownOption: no such player, or no such language.
    """
    viewer = game._seat(player)
    looking, notation = game._onlooker(viewer), game.notation(language)
    machine = game._machine
    # Of a world that was only thought of, the log begins with what was played in it.
    wanted = 1 if since is None else max(memory_of(game, viewer).plays - since, 0)
    missed = min(len(game.moves), wanted)
    moves = game.moves[len(game.moves) - missed :]
    slots = game._begun() if moves else []
    found: list[Step] = []
    for number, move in enumerate(game.moves if moves else (), 1):
        if number > len(game.moves) - len(moves):
            found += witnessed(looking, notation, tuple(slots), move, game._seed)
        if move < 0:
            machine.resume(slots, -1 - move, game._seed)
        else:
            machine.play(slots, move, game._seed)
    return tuple(found)


class _Drawing:
    """The state as a dictionary, through the eyes of one player."""

    def __init__(self, look: Look, memory: Memory) -> None:
        self.look = look
        self.memory = memory
        self.shape: Shape = look.eyes.shape
        self.slots = memory.slots

    def state(self) -> dict[str, Any]:
        """All variables by name, those of hidden things by the name of their stack."""
        return {v.name: self._variable(v) for v in self.shape.variables.values()}

    def _variable(self, variable: Variable) -> Any:
        if not variable.keys:
            return self._value(variable, 0)
        found: dict[str, Any] = {}
        later: list[tuple[tuple[str, ...], int]] = []
        names = [self._names(type_) for type_ in variable.keys]
        for offset, keys in enumerate(variable.key_codes):
            words = tuple([name(code) for name, code in zip(names, keys, strict=True)])
            if any("#" in word for word in words):
                later.append((words, offset))
            else:
                _put(found, words, self._value(variable, offset))
        for words, offset in sorted(later, key=lambda row: _numbered(row[0])):
            _put(found, words, self._value(variable, offset))
        return found

    def _names(self, type_: t.Type) -> Callable[[int], str]:
        """How keys of a type are named."""
        if not isinstance(type_, t.WordType):
            return lambda code: value_text(code, type_)
        table = _words(type_)
        things = self.look.eyes.things_in(type_)
        if not any(things):
            return table.__getitem__
        return lambda code: self._stack_of(code, type_) or table[code]

    def _stack_of(self, code: int, type_: t.Type) -> str:
        thing = self.look.hidden_thing(code, type_)
        return "" if thing is None else self._stack_name(*thing)

    def _stack_name(self, kind: int, thing: int) -> str:
        return f"{self.look.eyes.kinds[kind].name}#{self.memory.backs[kind].numbers[thing]}"

    # -------------------------------------------------------------- values
    def _value(self, variable: Variable, offset: int) -> Any:
        if self.look.hides(variable, offset):
            return UNKNOWN
        return self._plain(self.slots[variable.base + offset], variable.type)

    def _plain(self, code: int, type_: t.Type) -> Any:
        match type_:
            case t.IntType():
                return code
            case t.WordType():
                return self._stack_of(code, type_) or self.shape.plain(code, type_)
            case t.SetType():
                return self._members(code, type_) if code else []
            case t.PairType():
                left, right = self.shape.parts(code, type_)
                return [self._plain(left, type_.left), self._plain(right, type_.right)]
        return self.shape.plain(code, type_)

    def _members(self, code: int, type_: t.SetType) -> list[Any]:
        """The members of a set, each stack once and after what is known."""
        plain = [self._plain(member, type_.member) for member in bits(code)]
        known = [one for one in plain if not _is_dark(one)]
        dark = {repr(one): one for one in plain if _is_dark(one)}
        return [*known, *(dark[key] for key in sorted(dark, key=lambda key: (len(key), key)))]

    # -------------------------------------------------------------- stacks
    def stacks(self) -> Iterator[Stack]:
        """The stacks of each type, by number."""
        veil = Veil(self.look, self.slots)
        for kind, (secret, backs) in enumerate(
            zip(self.look.eyes.kinds, self.memory.backs, strict=True)
        ):
            of: dict[int, list[int]] = {}
            for thing, number in backs.numbers.items():
                of.setdefault(number, []).append(thing)
            for number in sorted(of):
                assert secret.type is not None
                text = veil.show(of[number][0], secret.type)
                yield Stack(
                    self._stack_name(kind, of[number][0]), secret.name, len(of[number]), text
                )


def _put(into: dict[str, Any], words: tuple[str, ...], value: Any) -> None:
    for word in words[:-1]:
        into = into.setdefault(word, {})
    into[words[-1]] = value


def _numbered(words: tuple[str, ...]) -> list[tuple[str, int]]:
    """Stacks in the order of their numbers, whatever their digits."""
    parts = [word.partition("#") for word in words]
    return [(name, int(number or 0)) for name, _, number in parts]


def _is_dark(value: Any) -> bool:
    """Whether a value names a stack."""
    return any(map(_is_dark, value)) if isinstance(value, list) else "#" in str(value)


@cache
def _words(type_: t.WordType) -> tuple[str, ...]:
    return tuple(value_text(code, type_) for code in range(len(type_.values)))


# ------------------------------------------------------------------ for people
def _lines(view: View) -> Iterator[str]:
    """A view in lines: how it stands, the state without what is empty, what can be chosen."""
    who = view.player or "a spectator"
    yield f"{view.ruleset}, as {who} sees it after {view.plays} plays"
    if view.outcome is not None:
        yield str(view.outcome)
    elif view.phase:
        yield f"{' and '.join(view.to_move)} to choose in {view.phase.replace('_', ' ')}"
    many = {stack.name: f"{stack.name} ({stack.text} ×{stack.count})" for stack in view.stacks}
    for name, value in view.state.items():
        said = _said(value, many)
        if said:
            yield f"{name.replace('_', ' ')}: {said}"
    for action in view.actions:
        yield f"- {action.text}"


def _said(value: Any, many: dict[str, str]) -> str:
    """A value in words; nothing for what is empty, zero or `none`."""
    if isinstance(value, dict):
        told = ((key, _said(inner, many)) for key, inner in value.items())
        return ", ".join(f"{many.get(key, key)} {said}" for key, said in told if said)
    if isinstance(value, list):
        inner = ", ".join(_said(one, many) for one in value)
        return f"[{inner}]" if inner else ""
    if value is True:
        return "yes"
    return many.get(value, str(value)) if value else ""
