"""A scenario as other libraries need it: numbered seats, one chooser at a time, and what each player has observed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import Literal

from attrs import define, field, frozen

import hots_rules as hr

Choices = Mapping[str, str | int | bool | None]
"""Values of options or readings, by name."""


@frozen
class SeatedScenario:
    """A scenario with its options and readings, played by the first players of the ruleset."""

    ruleset: hr.Ruleset
    scenario: str
    players: tuple[str, ...]
    options: Choices
    readings: Choices
    numbering: hr.formats.ActionNumbering
    encoding: hr.formats.ViewEncoding

    def __deepcopy__(self, _: object) -> SeatedScenario:
        return self  # it is immutable

    def __reduce__(self) -> tuple[object, ...]:
        given = self.scenario, len(self.players), self.options, self.readings
        return seat_scenario, (self.ruleset, *given)

    def seat(self, agent: str) -> int:
        """The number of a player, whom PettingZoo calls an agent.

        Raises:
            UnknownName: the player does not take part.
        """
        if agent not in self.players:
            raise hr.UnknownName("agent", agent, self.players)
        return self.players.index(agent)

    def checked_seat(self, seat: int) -> int:
        """The number of a player, after a check that somebody has it.

        Raises:
            BadArgument: nobody has it.
        """
        count = len(self.players)
        if not 0 <= seat < count:
            raise hr.BadArgument("player", seat, f"a number from 0 to {count - 1}")
        return seat

    def code(self, number: int, seat: int) -> int:
        """The code of an action of a player.

        Raises:
            BadArgument: no action has the number.
        """
        size = self.numbering.size
        if not 0 <= number < size:
            raise hr.BadArgument("action", number, f"a number from 0 to {size - 1}")
        return self.numbering.code(number, seat)

    def start(self, seed: int | str, chance: Literal["auto", "ask"]) -> hr.Game:
        """A game at its beginning."""
        return self.ruleset.start(
            self.scenario, seed=seed, options=self.options, readings=self.readings, chance=chance
        )

    def returns(self, moment: hr.formats.PackedMoment[hr.Game]) -> list[float]:
        """The result for each player, as `PackedMoment.returns` has it."""
        return moment.returns(len(self.players))


def seat_scenario(
    ruleset: str | hr.Ruleset, scenario: str, players: int, options: Choices, readings: Choices
) -> SeatedScenario:
    """A scenario for a number of players; 0 for all players of the ruleset, which may be loaded already.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
        ArgumentError: there is no such scenario, option, reading, value or number of players.

    >>> seat_scenario("hots-4.0", "braveheart", 0, {}, {}).scenario
    'braveheart'
    """
    rules = ruleset if isinstance(ruleset, hr.Ruleset) else hr.load(ruleset)
    taking_part = rules.first_players(players)
    game = rules.start(scenario, seed=0, options=options, readings=readings)
    return SeatedScenario(
        rules,
        scenario,
        taking_part,
        dict(options),
        dict(readings),
        hr.formats.ActionNumbering(rules),
        hr.formats.ViewEncoding.of(game),
    )


@frozen
class Observation:
    """A moment as one player observed it: the game with what that player has tracked, and new lines of text."""

    game: hr.Game = field(repr=False)
    text: str


@define(eq=False)
class HistoryNode:
    """A moment of a game, linked to the one before it.

    Observations are computed when they are first needed. A copy is the node itself. It pickles as `None`: a state of
    OpenSpiel makes it again from the actions that it keeps.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> node = HistoryNode.of(game)
    >>> player = game.to_move[0]
    >>> later = node.after(game.actions[0].code)
    >>> later.information_state(player).startswith(node.information_state(player))
    True

    Attributes:
        moment: the moment.
        before: the moment before; None at the beginning.
    """

    moment: hr.formats.PackedMoment[hr.Game]
    before: HistoryNode | None = field(default=None, repr=False)
    _observations: dict[str | None, Observation] = field(factory=dict, repr=False)
    _views: dict[str | None, hr.View] = field(factory=dict, repr=False)

    @classmethod
    def of(cls, game: hr.Game) -> HistoryNode:
        """The moment at which a game is, as a beginning."""
        return cls(hr.formats.PackedMoment.of(game))

    def __deepcopy__(self, _: object) -> HistoryNode:
        return self

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        return _unpickled, ()

    @property
    def game(self) -> hr.Game:
        """The game at this moment."""
        return self.moment.game

    def after(self, code: int) -> HistoryNode:
        """The node after an action, or an outcome of chance.

        Raises:
            IllegalAction: no legal action has the code.
        """
        return HistoryNode(self.moment.after(code), self)

    def view(self, viewer: str | None) -> hr.View:
        """The view of a player; of a spectator if `viewer` is None."""
        game = self._observation(viewer).game
        return self._views.get(viewer) or self._views.setdefault(viewer, game.view(viewer))

    def information_state(self, viewer: str | None) -> str:
        """Everything that a player chose and observed, from the beginning to this moment."""
        self._observation(viewer)
        texts: list[str] = []
        node: HistoryNode | None = self
        while node is not None:
            texts.append(node._observations[viewer].text)
            node = node.before
        return "".join(reversed(texts))

    def decisions(self, seat: int) -> Iterator[tuple[HistoryNode, int]]:
        """The moments before this one at which a player chose, the last one first, each with the code of the action."""
        node = self
        while node.before is not None:
            if node.before.moment.seat == seat:
                yield node.before, node.moment.move
            node = node.before

    def _observation(self, viewer: str | None) -> Observation:
        """The observation of a player; those before it are computed first, since each continues the last."""
        missing: list[HistoryNode] = []
        node: HistoryNode | None = self
        while node is not None and viewer not in node._observations:
            missing.append(node)
            node = node.before
        for node in reversed(missing):
            node._observations[viewer] = node._observed(viewer)
        return self._observations[viewer]

    def _observed(self, viewer: str | None) -> Observation:
        if self.before is None:
            return Observation(self.game, self._view_line(self.game, viewer))
        move = self.moment.move
        game = self.before._observations[viewer].game.after(move)
        lines = [step.text for step in game.observed_trace(viewer)]
        if move >= 0:  # an action, and no outcome of chance
            action = game.notation.action(move)
            if action.player == viewer:
                lines.insert(0, f"> {action.text}")
        text = "".join(f"{line}\n" for line in lines)
        # Views of the current moment are needed many times, those of earlier ones hardly ever.
        self.before._views.pop(viewer, None)
        return Observation(game, text + self._view_line(game, viewer))

    def _view_line(self, game: hr.Game, viewer: str | None) -> str:
        """A digest of what a player sees; nothing at chance points, which players do not notice."""
        if game.to_move == ("chance",):
            return ""
        view = self._views.setdefault(viewer, game.view(viewer))
        visible = (view.phase, view.to_move, view.outcome, view.state, view.stacks)
        return f"= {blake2b(repr(visible).encode(), digest_size=8).hexdigest()}\n"


def _unpickled() -> None:
    """What a node unpickles to."""
