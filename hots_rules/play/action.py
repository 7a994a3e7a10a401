"""An action of a player, or an outcome of chance, with its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

from hots_rules.report.html_printer import notebook_table

if TYPE_CHECKING:
    from fractions import Fraction


class Printer(Protocol):
    """The part of IPython's pretty printer that a `_repr_pretty_` method uses."""

    def text(self, text: str) -> None:
        """Prints a text."""


NO_ACTION = "no action is legal in phase `{phase}`: permit one there, or do not ask"


@frozen(repr=False)
class Arguments(Mapping[str, str]):
    """The arguments of an action by the names of its parameters, in the order of the ruleset.

    It compares equal to a dict with the same items, and can be hashed.

    >>> Arguments(("block", "to"), ("Fox", "Shore"))
    {'block': 'Fox', 'to': 'Shore'}
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        try:
            return self.texts[self.names.index(name)]
        except ValueError:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return repr(dict(self))


def as_arguments(items: Mapping[str, str]) -> Mapping[str, str]:
    """The items of a mapping as arguments."""
    if isinstance(items, Arguments):
        return items
    return Arguments(tuple(items), tuple(items.values()))


def outcome_arguments(name: str, texts: Iterable[str]) -> Arguments:
    """The arguments of an outcome of chance: each is named by its place, `die 1` or `draw 1`."""
    texts = tuple(texts)
    return Arguments(tuple(f"{name} {i}" for i, _ in enumerate(texts, 1)), texts)


class ActionList(tuple["Action", ...]):
    """Actions as a tuple; a notebook shows them in groups."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        groups: dict[tuple[str, str], list[str]] = {}
        for action in self:
            player, _, text = action.text.partition(": ")
            groups.setdefault((player, action.name), []).append(text)
        rows = [
            (player, name.replace("_", " "), len(texts), "; ".join(texts))
            for (player, name), texts in groups.items()
        ]
        return notebook_table(rows)


@frozen
class Action:
    """One choice at one decision, or one outcome at a chance point.

    An action belongs to the moment that listed it; `Game.play` checks whether it is legal at another one.
    Actions can be hashed, compared and pickled. An untrusted pickle can run any
    code: do not load it.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> action = game.actions[0]
    >>> action.name, game.play(action) == game.play(action.text)
    ('play_card', True)
    >>> action.args
    {'card': 'Move_2'}

    Attributes:
        player: the name of the player, or `chance`.
        name: the name of the action in the ruleset; "roll" or "draw" for chance.
        args: its arguments by the names of its parameters, as names and numbers of the ruleset; their types are in
            `Ruleset.actions`.
        text: its notation, which parses back: `Red: fire Fox`, `chance: roll 2 4 5`.
        code: its number among all actions of the ruleset; -1 - outcome for an outcome of chance.
        probability: the exact probability of an outcome of chance; None for actions of players.
    """

    player: str
    name: str
    args: Mapping[str, str] = field(converter=as_arguments)
    text: str
    code: int = field(repr=False)
    probability: Fraction | None = None

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """The text, for IPython."""
        printer.text(self.text)
