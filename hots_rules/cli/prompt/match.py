"""A match: the person at the prompt plays one side, an opponent the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules.cli.output.console import echo
from hots_rules.cli.output.game import echo_steps
from hots_rules.cli.prompt.session import Session

# With these, a bot takes about a second per decision, in Python.
GAMES, WORLDS = 60, 6
RANDOM = "random"


@frozen
class Opponent:
    """Random moves, or a bot that uses only what its side can know.

    Attributes:
        name: the name of the bot, with its budget or without it; `random` for random moves.
    """

    name: str = RANDOM

    @classmethod
    def named(cls, name: str) -> Opponent:
        """The opponent of a name.

        Raises:
            ArgumentError: there is no such bot, or its package is broken.
        """
        hr.analysis.make_bot(name)
        return cls(name)

    @property
    def is_random(self) -> bool:
        """Whether its moves are random."""
        return self.name == RANDOM

    def choose(self, game: hr.Game, person: str) -> hr.Action:
        """An action of a side that the person does not play; the same for the same seed."""
        if self.is_random:
            return random_action(game, exclude=person)
        side = next(player for player in game.to_move if player != person)
        return self._bot(game.seed).choose(game, side)

    def _bot(self, seed: str) -> hr.analysis.Bot:
        if self.name == "monte-carlo":
            return hr.MonteCarloBot(seed, rollouts=GAMES, worlds=WORLDS)
        if self.name == "ismcts":
            return hr.analysis.ISMCTSBot(seed, iterations=GAMES, worlds=WORLDS)
        return hr.analysis.make_bot(self.name, seed)


def random_action(game: hr.Game, exclude: str | None = None) -> hr.Action:
    """A random legal action: the same one for the same seed and number of decisions."""
    actions = [action for action in game.actions if action.player != exclude]
    return Random(f"{game.seed}/{len(game.moves)}").choice(actions)


class Match(Session):
    """A game that advances only by legal actions, and shows only what the player may know."""

    is_match = True

    def __init__(
        self,
        game: hr.Game,
        player: str,
        opponent: Opponent | None = None,
        *,
        quiet: bool = False,
        on_change: Callable[[hr.Game], None] = lambda _: None,
    ) -> None:
        """`on_change` is called with each new state of the game."""
        super().__init__(game)
        [self._name] = game.ruleset.labels.players_named((player,))
        self._player = player
        self._opponent = opponent or Opponent()
        self._quiet = quiet
        self._on_change = on_change
        self.view_as(player)

    @property
    def prompt(self) -> str:
        """The name of the player."""
        return f"{self._name}> "

    def begin(self) -> None:
        """Play the first moves of the opponent, if any, and show the first choice."""
        echo(self.t.gettext("you play {player}; type `help` for the commands", player=self._name))
        self._let_opponent_move()
        self.show_turn()

    def show_turn(self) -> None:
        """Print the numbered list of actions."""
        if self.game.is_over:
            return
        if not self._quiet:
            echo_steps(self._log.headings(self.game))
        phase, last = self.game.phase_title, len(self.actions)
        echo(self.t.gettext("{phase}: choose an action (1-{last})", phase=phase, last=last), "bold")
        self.show_actions(self.actions)

    def check_has_no_outcomes(self, action: hr.Action | str, outcomes: Iterable[str]) -> None:
        """Refuse outcomes of chance, which are those of the game.

        Raises:
            typer.BadParameter: some are given.
        """
        if not action or list(outcomes):
            raise typer.BadParameter(
                self.t.gettext("outcomes of chance cannot be chosen in this game")
            )

    def play(self, action: hr.Action | str, outcomes: Iterable[str] = ()) -> None:
        """Play an action of the player, then those of the opponent up to the player's next choice."""
        self.check_has_no_outcomes(action, outcomes)
        before = self.game
        self._advance(before.play(action, player=self._player))
        self._earlier.append(before)
        self._let_opponent_move()
        self.show_turn()

    def undo(self) -> None:
        """Take back the last choice, unless hidden information was revealed since.

        Raises:
            typer.BadParameter: there is no choice to take back, or information was revealed since.
        """
        if self._earlier and len(self._earlier[-1].moves) < self.game.undo_limit(self._player):
            raise typer.BadParameter(
                self.t.gettext("cannot undo: that move revealed hidden information")
            )
        super().undo()
        self._on_change(self.game)

    def _let_opponent_move(self) -> None:
        while not self.game.is_over and self._player not in self.game.to_move:
            self._advance(self.game.play(self._opponent.choose(self.game, self._player)))

    def _advance(self, after: hr.Game) -> None:
        before, self.game = self.game, after
        self._on_change(after)
        if not self._quiet:
            echo_steps(self._log.describe(before, after))
