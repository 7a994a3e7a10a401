"""A game in the page: whoever sits there plays all seats, and sees what the seat of the moment may see."""

from __future__ import annotations

from attrs import define, field

import hots_rules as hr
from hots_rules.web.answering import seat

BOT_SECONDS = 2.0
BOT_WORLDS = 3


class NoGame(hr.HotsError):
    """No game has begun."""

    def __str__(self) -> str:
        return "no game has begun; choose a scenario and press Play"


class NotAgain(hr.HotsError):
    """An action of the game is not legal under the changed rules."""

    def __str__(self) -> str:
        return f"the game cannot go the same way under the changed rules: {self.args[0]}"


@define
class Player:
    """The game that is played, and the seat that is shown.

    >>> player = Player()
    >>> state = player.start(hr.load("connect-four-1.0"), "empty-board", "1")
    >>> state["seat"], len(state["view"]["actions"])
    ('Red', 7)
    """

    _game: hr.Game | None = field(default=None, init=False)
    _seat: str | None = field(default=None, init=False)

    @property
    def game(self) -> hr.Game:
        """The game.

        Raises:
            NoGame: none has begun.
        """
        if self._game is None:
            raise NoGame
        return self._game

    @property
    def seat(self) -> str:
        """The player whose seat is shown: the chosen one, or the first that is to choose."""
        waiting = self.game.to_move
        if self._seat is not None:
            return self._seat
        return waiting[0] if waiting else self.game.ruleset.players[0]

    @staticmethod
    def rehearse(rules: hr.Ruleset) -> None:
        """Show the beginning of a game to nobody: what is loaded and computed once is there for the next game."""
        game = rules.start(rules.scenarios[0], seed="1")
        seat.state_of(game, game.ruleset.players[0])

    def start(self, rules: hr.Ruleset, scenario: str, seed: str | None) -> dict[str, object]:
        """Begin a game; the answer is what the seat sees."""
        return self._show(rules.start(scenario, seed=seed or None))

    def resume(self, rules: hr.Ruleset, record: str) -> dict[str, object]:
        """Go on with a game that was recorded; the ruleset may have been changed since.

        Raises:
            BadRecord: the record is malformed, or the game is no longer legal.
        """
        return self._show(hr.replay(hr.records.Record.parse(record), ruleset=rules))

    def again(self, rules: hr.Ruleset) -> dict[str, object]:
        """Play the same actions under a ruleset, with the same dice; what is no longer legal ends it."""
        game = self.game
        try:
            return self._show(hr.compare.replay_under(game, rules))
        except (hr.IllegalAction, hr.UnreadableAction) as error:
            raise NotAgain(str(error)) from None

    def _show(self, game: hr.Game) -> dict[str, object]:
        """Show another game; a seat that it does not have is no longer shown."""
        self._game = game
        if self._seat not in game.ruleset.players:
            self._seat = None
        return self.state()

    def look(self, seat: str | None) -> dict[str, object]:
        """Show a seat; None always shows the one that is to choose."""
        if seat is not None and seat not in self.game.ruleset.players:
            raise hr.UnknownName("player", seat, self.game.ruleset.players)
        self._seat = seat
        return self.state()

    def state(self) -> dict[str, object]:
        """All that the seat sees, and the record of the game."""
        seen = seat.state_of(self.game, self.seat)
        return {**seen, "is_hot_seat": self._seat is None, "record": str(self.game.record)}

    def play(self, text: str) -> dict[str, object]:
        """Play an action of the seat."""
        self._game = self.game.play(text, player=self.seat)
        return self.state()

    def play_by_bot(self) -> dict[str, object]:
        """Play what a bot chooses for the seat: Monte Carlo on what the seat knows, in a few seconds."""
        bot = hr.MonteCarloBot(seconds=BOT_SECONDS, worlds=BOT_WORLDS)
        return self.play(bot.choose(self.game, self.seat).text)

    def undo(self) -> dict[str, object]:
        """Take the last play back, whoever played it: one person plays all seats."""
        self._game = self.game.back()
        return self.state()

    def preview(self, text: str) -> list[str]:
        """What an action of the seat changes for certain."""
        return seat.preview_of(self.game, self.seat, text)

    def why_not(self, words: str) -> str:
        """Why something is not legal."""
        return seat.why_not(self.game, self.seat, words)

    def about(self, words: str) -> str:
        """What a thing is, and what the seat can do with it."""
        return seat.about(self.game, self.seat, words)
