"""A match: the person at the prompt plays one side, an opponent the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.output.console import echo
from hots_rules.cli.output.game import echo_steps
from hots_rules.cli.prompt.session import Session

# With these, a bot takes about a second per decision, in Python.
GAMES, WORLDS = 60, 6
RANDOM = "random"
NO_ACTION = "nobody can choose in phase `{phase}`: no action is legal"


@frozen
class Opponent:
    """Random moves, a policy of the ruleset, or a bot; all use only what their side can know.

    Attributes:
        name: the name of the policy or of the bot, with its budget or without it; `random` for random moves; empty for
            the usual opponent of each side.
    """

    name: str = RANDOM

    @classmethod
    def named(cls, name: str, ruleset: hr.Ruleset) -> Opponent:
        """The opponent of a name.

        Raises:
            ArgumentError: there is no such policy or bot, or its package is broken.
        """
        hr.analysis.make_bot(name, ruleset=ruleset)
        return cls(name)

    def name_for(self, ruleset: hr.Ruleset, side: str) -> str:
        """Who plays a side."""
        return self.name or hr.analysis.usual_opponent(ruleset, side)

    def how_it_plays(self, ruleset: hr.Ruleset, side: str) -> str:
        """A sentence that tells who plays a side, and how."""
        name, words = self.name_for(ruleset, side), translator(ruleset.language)
        [player] = ruleset.labels.players_named((side,))
        if name == RANDOM:
            return words.gettext("{player} plays at random", player=player)
        if name in hr.analysis.playing_policies(ruleset):
            return words.gettext(
                "{player} plays by the policy {policy}", player=player, policy=name
            )
        return words.gettext("{player} is played by the bot {bot}", player=player, bot=name)

    def summary_for(self, ruleset: hr.Ruleset, side: str) -> str:
        """What the policy that plays a side does; empty for other opponents."""
        policy = hr.analysis.named_policies(ruleset).get(self.name_for(ruleset, side))
        return "" if policy is None else policy.text

    def choose(self, game: hr.Game, person: str) -> hr.Action:
        """An action of a side that the person does not play; the same for the same seed."""
        side = next((player for player in game.to_move if player != person), person)
        name = self.name_for(game.ruleset, side)
        if name == RANDOM:
            return random_action(game, exclude=person)
        return _bot(name, game).choose(game, side)


def _bot(name: str, game: hr.Game) -> hr.analysis.Bot:
    if name == "monte-carlo":
        return hr.MonteCarloBot(game.seed, rollouts=GAMES, worlds=WORLDS)
    if name == "ismcts":
        return hr.analysis.ISMCTSBot(game.seed, iterations=GAMES, worlds=WORLDS)
    return hr.analysis.make_bot(name, game.seed, game.ruleset)


def random_action(game: hr.Game, exclude: str | None = None) -> hr.Action:
    """A random legal action: the same one for the same seed and number of decisions.

    Raises:
        EngineError: nobody else has a legal action.
    """
    actions = [action for action in game.actions if action.player != exclude]
    if not actions:
        raise hr.EngineError(NO_ACTION.format(phase=game.phase))
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

    @property
    def opponents(self) -> list[str]:
        """A sentence for each other side: who plays it."""
        ruleset = self.game.ruleset
        return [self._opponent.how_it_plays(ruleset, side) for side in self.other_sides]

    @property
    def described_opponents(self) -> list[str]:
        """A line for each other side: who plays it, and what a policy does."""
        ruleset, colon = self.game.ruleset, self.t.gettext(":")
        summaries = [self._opponent.summary_for(ruleset, side) for side in self.other_sides]
        return [
            f"{sentence}{colon} {summary}" if summary else sentence
            for sentence, summary in zip(self.opponents, summaries, strict=True)
        ]

    @property
    def other_sides(self) -> list[str]:
        """The players whom the person does not play."""
        return [side for side in self.game.ruleset.players if side != self._player]

    def begin(self) -> None:
        """Play the first moves of the opponent, if any, and show the first choice."""
        echo(self.t.gettext("you play {player}; type `help` for the commands", player=self._name))
        echo("\n".join(self.described_opponents))
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
        """Refuse outcomes of chance: in a match the game decides them.

        Raises:
            typer.BadParameter: some are given, with an action or alone.
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
