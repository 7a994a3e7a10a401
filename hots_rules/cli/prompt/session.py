"""The state of the prompt: a game, its earlier states, bookmarks, and the player whose view is shown."""

from __future__ import annotations

from collections.abc import Iterable

import typer

import hots_rules as hr
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import Choices
from hots_rules.cli.output.console import echo
from hots_rules.cli.output.game import echo_columns, echo_status, echo_steps


def new_game(
    ruleset: hr.Ruleset,
    scenario: str = "",
    seed: str | None = None,
    options: Choices | None = None,
    readings: Choices | None = None,
) -> hr.Game:
    """A new game whose chance outcomes are actions; by default of the first scenario."""
    game = ruleset.start(
        scenario or ruleset.scenarios[0], seed=seed, options=options, readings=readings
    )
    return hr.records.with_explicit_chance(game)


class Session:
    """A game that can be changed freely."""

    is_match = False

    def __init__(self, game: hr.Game) -> None:
        self.game = game
        self.viewer: str | None = None
        self.depth = "paragraph"
        self.bookmarks: dict[str, hr.Game] = {}
        self._earlier: list[hr.Game] = []
        self._log = self._new_log()

    # -------------------------------------------------------------- what is shown
    @property
    def t(self) -> Translator:
        """The translator into the language of the game."""
        return translator(self.game.language)

    @property
    def prompt(self) -> str:
        """The text printed before each input line."""
        return f"{self.game.ruleset.name}> "

    def show_turn(self) -> None:
        """Print who chooses next, or the outcome."""
        echo_status(self.game)

    def view_as(self, player: str | None) -> None:
        """Limit the output to what a player may know; None shows everything."""
        self.viewer = player
        self._log = self._new_log()

    def _new_log(self) -> hr.explain.GameLog:
        return hr.explain.GameLog(self.viewer)

    # -------------------------------------------------------------- actions
    @property
    def actions(self) -> list[hr.Action]:
        """The actions that can be chosen at the prompt, in the order of their numbers."""
        legal = self.game.actions
        return [action for action in legal if self.viewer in (None, action.player)]

    def label(self, action: hr.Action) -> str:
        """The text of an action, without the player where the view is that of one player."""
        return action.text if self.viewer is None else hr.talk.label_of(action)

    def show_actions(self, actions: Iterable[hr.Action]) -> None:
        """Print actions with the numbers that select them."""
        numbers = {action.code: number for number, action in enumerate(self.actions, 1)}
        width = len(str(len(numbers)))
        echo_columns(f"{numbers[action.code]:{width}}  {self.label(action)}" for action in actions)

    def find_action(self, text: str) -> hr.Action | str:
        """The action with this number in the list, or with this text; the text itself if there is none.

        Raises:
            typer.BadParameter: the number is not in the list.
        """
        actions = self.actions
        if text.isascii() and text.isdecimal():
            number, last = int(text[:9]), len(actions)
            if 1 <= number <= last:
                return actions[number - 1]
            message = self.t.gettext(
                "expected a number from 1 to {last}, got {number}", last=last, number=text[:9]
            )
            raise typer.BadParameter(message)
        texts = (
            (number, spelled)
            for number, action in enumerate(actions)
            for spelled in (action.text, hr.talk.label_of(action))
        )
        index = hr.diagnostics.only_match(text, texts)
        return text if index is None else actions[index]

    def effects_of(self, text: str) -> list[str]:
        """What an action changes for certain, line by line, as its player can know.

        Raises:
            HotsError: it is no legal action.
        """
        action, players = self.find_action(text), self.game.ruleset.players
        movers = [player for player in self.game.to_move if player in players]
        own = action.player if isinstance(action, hr.Action) else [*movers, *players][0]
        effects = hr.draw.effects_on_board(self.game, self.game.preview(action, self.viewer or own))
        return effects or [self.t.gettext("nothing that you know changes for certain")]

    # -------------------------------------------------------------- changes
    def change_to(self, game: hr.Game) -> None:
        """Switch to another game or state, and end the view of a player whom it lacks; `undo` switches back."""
        self._earlier.append(self.game)
        self.game = game.in_language(self.game.language)
        self.view_as(self.viewer if self.viewer in game.ruleset.players else None)
        self.show_turn()

    def play(self, action: hr.Action | str, outcomes: Iterable[str] = ()) -> None:
        """Play an action, unless it is empty, with the outcomes of chance that were typed."""
        after = self.play_out(self.game, action, outcomes, self._log)
        self._earlier.append(self.game)
        self.game = after
        self.show_turn()

    def play_out(
        self,
        game: hr.Game,
        action: hr.Action | str,
        outcomes: Iterable[str],
        log: hr.explain.GameLog | None = None,
    ) -> hr.Game:
        """The game after an action, with the log printed; missing outcomes come from the seed."""
        log = log or self._new_log()
        if action and self.viewer is not None:
            # Parsed as the viewer's own action, so that an error reveals nothing hidden.
            code = game.play(action, player=self.viewer).moves[-1]
            action = next(legal for legal in game.actions if legal.code == code)
        text = action.text if isinstance(action, hr.Action) else action
        states = hr.records.play_with_outcomes(game, [text] if text else [], outcomes)
        for after in [*states]:  # computed before printing: an error prints no log
            echo_steps(log.describe(game, after))
            game = after
        return game

    def undo(self) -> None:
        """Return to the state before the last change.

        Raises:
            typer.BadParameter: nothing was changed.
        """
        if not self._earlier:
            raise typer.BadParameter(self.t.gettext("there is nothing to undo"))
        self.game = self._earlier.pop()
        self._log = self._new_log()
        echo(self.t.gettext("undone"), "bold")
        self.show_turn()

    def last_play(self) -> tuple[hr.Game, str]:
        """The state before the last action of a player, and that action.

        Raises:
            typer.BadParameter: no action has been played.
        """
        entries = hr.records.record_game(self.game).entries
        for plays, line in enumerate(reversed(entries), 1):
            if not line.text.startswith("chance:"):
                return self.game.back(plays), line.text
        raise typer.BadParameter(self.t.gettext("no action has been played yet"))
