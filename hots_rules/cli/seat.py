"""A person at the table, who chooses for one side; the others are played by chance or by a bot."""

from __future__ import annotations

from collections.abc import Callable

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules.cli.console import harmless, say
from hots_rules.cli.lines import Ask, asker
from hots_rules.cli.opponent import Opponent
from hots_rules.cli.table import say_board, say_columns, say_steps

HELP = """\
a number, or an action as it is written in the list: choose it
list       the actions again
board      what stands where, as far as you may know
why TEXT   why an action is not legal now
undo       take your last choice back, if you have learned nothing by it
save FILE  keep a record, which holds everything, what you may not know as well
quit       leave the table"""


class Seat:
    """What one person sees and says; `game` is the game as it stands, and `stood` is told of each that does."""

    def __init__(
        self,
        game: hr.Game,
        player: str,
        quiet: bool = False,
        stood: Callable[[hr.Game], None] = lambda _: None,
        language: str = "en",
        against: Opponent = Opponent.RANDOM,
    ) -> None:
        self.game = game
        self._language = language
        self._stood = stood
        self._against = against
        self.player = player
        self._quiet = quiet
        self._earlier: list[hr.Game] = []
        self._story = hr.Story(player, language)
        self._ask: Ask = asker()
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: say(HELP),
            "list": lambda _: self._list(),
            "board": lambda _: say_board(hr.board(self.game, self.player, language=self._language)),
            "why": self._why,
            "undo": lambda _: self._undo(),
            "save": self._save,
        }

    def play(self) -> None:
        """Plays until the game ends or the person leaves."""
        say(f"you play {self.player}; `help` says what you can type")
        while not self.game.is_over:
            if self.player not in self.game.to_move:
                self._go_on(self._against.choice(self.game, self.player))
            elif not self._take_turn():
                return

    @property
    def _own(self) -> list[hr.Action]:
        return [
            action
            for action in self.game.actions_in(self._language)
            if action.player == self.player
        ]

    # ------------------------------------------------------------ one decision
    def _take_turn(self) -> bool:
        """Asks until something is chosen or taken back; False if the person leaves."""
        self._list()
        asked = self.game
        while self.game is asked:
            try:
                line = " ".join(self._ask(f"{self.player}> ", self._words()).split())
            except EOFError:
                return False
            if line.lower() in {"quit", "exit"}:
                return False
            self._obey(line)
        return True

    def _words(self) -> list[str]:
        return [*(self._short(action) for action in self._own), *self._commands, "quit"]

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if not line:
            return
        if command is not None and not self._is_own(line):
            command(rest)
        else:
            self._choose(line)

    def _is_own(self, line: str) -> bool:
        """Whether a line that begins like a command is an action of the list."""
        return line.lower() in {self._short(action).lower() for action in self._own}

    def _choose(self, line: str) -> None:
        own = self._own
        if line.isascii() and line.isdecimal():
            number = int(line[:9])
            if 1 <= number <= len(own):
                self._take(own[number - 1])
            else:
                say(f"expected a number from 1 to {len(own)}, got {line[:9]}")
            return
        try:
            self._take(self._meant(line))
        except hr.UnreadableAction:
            self._say_unreadable(line)
        except hr.IllegalAction:
            say(f"`{line}` is not legal now:")
            self._say_ruling(
                self.game.why_not(self._as_mine(line), player=self.player, language=self._language)
            )
        except hr.AmbiguousAction as error:
            say(str(error))

    def _meant(self, line: str) -> hr.Action | str:
        """The action of the list that was typed, or the line as one of this player's."""
        wanted = line.casefold()
        for action in self._own:
            if wanted in {action.text.casefold(), self._short(action).casefold()}:
                return action
        return self._as_mine(line)

    def _as_mine(self, line: str) -> str:
        """A line as an action of this player: nobody asks about another one's choices."""
        prefix = f"{self.player}: "
        return line if line.casefold().startswith(prefix.casefold()) else prefix + line

    def _take(self, action: hr.Action | str) -> None:
        before = self.game
        self._go_on(action, self.player)
        self._earlier.append(before)

    def _go_on(self, action: hr.Action | str, player: str | None = None) -> None:
        before = self.game
        self.game = before.play(action, player=player)
        self._stood(self.game)
        if not self._quiet:
            say_steps(self._story.tell(before, self.game))

    # ------------------------------------------------------------ commands
    def _list(self) -> None:
        own = self._own
        width = len(str(len(own)))
        say(f"{self.game.phase.replace('_', ' ')}: choose one of {len(own)}", "bold")
        say_columns(f"{n:{width}}  {self._short(action)}" for n, action in enumerate(own, 1))

    def _why(self, text: str) -> None:
        if not text:
            say("expected an action after `why`, such as one of an earlier list")
            return
        try:
            ruling = self.game.why_not(
                self._as_mine(text), player=self.player, language=self._language
            )
        except hr.UnreadableAction:
            self._say_unreadable(text)
        except hr.AmbiguousAction as error:
            say(str(error))
        else:
            self._say_ruling(ruling) if ruling else say("it is legal")

    def _undo(self) -> None:
        if not self._earlier:
            say("there is nothing to take back")
            return
        if len(self._earlier[-1].moves) < self.game.undo_floor(self.player):
            say("it stands: you cannot unlearn what came of it")
            return
        self.game = self._earlier.pop()
        self._stood(self.game)
        self._story = hr.Story(self.player, self._language)
        say("taken back", "bold")

    def _save(self, name: str) -> None:
        if not name:
            say("expected the name of a file after `save`")
            return
        try:
            self.game.save(name)
        except OSError as error:
            say(f"expected a file that can be written, got {(error.strerror or 'none').lower()}")
        else:
            say(f"the record is in `{name}`")

    # ------------------------------------------------------------ words
    def _short(self, action: hr.Action) -> str:
        return harmless(action.text.partition(": ")[2])

    def _say_ruling(self, ruling: hr.Ruling) -> None:
        for reason in ruling:
            say(f"- {reason}", indent=2)
        if ruling.alternatives:
            say(f"legal now: {'; '.join(ruling.alternatives)}", indent=2)

    def _say_unreadable(self, line: str) -> None:
        say(f"expected a number, an action or a command, got `{line[:100]}`")
        hint = diagnostics.near(line, self._words())
        say(f"did you mean `{hint}`?" if hint else "`help` says what you can type")
