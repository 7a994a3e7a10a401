"""A person at the table, who chooses for one side; the others are played by chance or by a bot."""

from __future__ import annotations

from collections.abc import Callable

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._translate import Translator, translator
from hots_rules.cli.console import harmless, say
from hots_rules.cli.lines import Ask, asker
from hots_rules.cli.opponent import Opponent
from hots_rules.cli.table import say_board, say_columns, say_steps


def _help(said: Translator) -> str:
    """What can be typed at the table; its words are the same in every language."""
    rows = {
        "list": said.gettext("the actions again"),
        "board": said.gettext("what stands where, as far as you may know"),
        "why …": said.gettext("why an action is not legal now"),
        "undo": said.gettext("take your last choice back, if you have learned nothing by it"),
        "save …": said.gettext("keep a record in a file; it holds what you may not know as well"),
        "quit": said.gettext("leave the table"),
    }
    first = said.gettext("a number, or an action as it is written in the list: choose it")
    return "\n".join([first, *(f"{word:7} {text}" for word, text in rows.items())])


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
        self._said = translator(language)
        [self._called] = game.notation(language).players_called((player,))
        self._stood = stood
        self._against = against
        self.player = player
        self._quiet = quiet
        self._earlier: list[hr.Game] = []
        self._story = hr.GameLog(player, language)
        self._ask: Ask = asker()
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: say(_help(self._said)),
            "list": lambda _: self._list(),
            "board": lambda _: say_board(hr.board(self.game, self.player, language=self._language)),
            "why": self._why,
            "undo": lambda _: self._undo(),
            "save": self._save,
        }

    def play(self) -> None:
        """Plays until the game ends or the person leaves."""
        say(
            self._said.gettext(
                "you play {player}; `help` says what you can type", player=self._called
            )
        )
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
                line = " ".join(self._ask(f"{self._called}> ", self._words()).split())
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
                say(
                    self._said.gettext(
                        "expected a number from 1 to {most}, got {number}",
                        most=len(own),
                        number=line[:9],
                    )
                )
            return
        try:
            self._take(self._meant(line))
        except hr.UnreadableAction:
            self._say_unreadable(line)
        except hr.IllegalAction:
            say(self._said.gettext("`{text}` is not legal now:", text=line))
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
        own = tuple(f"{name}: ".casefold() for name in (self.player, self._called))
        return line if line.casefold().startswith(own) else f"{self.player}: {line}"

    def _take(self, action: hr.Action | str) -> None:
        before = self.game
        self._go_on(action, self.player)
        self._earlier.append(before)

    def _go_on(self, action: hr.Action | str, player: str | None = None) -> None:
        before = self.game
        self.game = before.play(action, player=player, language=self._language)
        self._stood(self.game)
        if not self._quiet:
            say_steps(self._story.tell(before, self.game))

    # ------------------------------------------------------------ commands
    def _list(self) -> None:
        own = self._own
        width = len(str(len(own)))
        phase = self.game.phase_in(self._language)
        said = self._said.gettext("{phase}: choose one of {many}", phase=phase, many=len(own))
        say(said, "bold")
        say_columns(f"{n:{width}}  {self._short(action)}" for n, action in enumerate(own, 1))

    def _why(self, text: str) -> None:
        if not text:
            say(
                self._said.gettext("expected an action after `why`, such as one of an earlier list")
            )
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
            self._say_ruling(ruling) if ruling else say(self._said.gettext("it is legal"))

    def _undo(self) -> None:
        if not self._earlier:
            say(self._said.gettext("there is nothing to take back"))
            return
        if len(self._earlier[-1].moves) < self.game.undo_floor(self.player):
            say(self._said.gettext("it stands: you cannot unlearn what came of it"))
            return
        self.game = self._earlier.pop()
        self._stood(self.game)
        self._story = hr.GameLog(self.player, self._language)
        say(self._said.gettext("taken back"), "bold")

    def _save(self, name: str) -> None:
        if not name:
            say(self._said.gettext("expected the name of a file after `save`"))
            return
        try:
            self.game.save(name)
        except OSError as error:
            cause = (error.strerror or "none").lower()
            say(self._said.gettext("expected a file that can be written, got {cause}", cause=cause))
        else:
            say(self._said.gettext("the record is in `{file}`", file=name))

    # ------------------------------------------------------------ words
    def _short(self, action: hr.Action) -> str:
        return harmless(action.text.partition(": ")[2])

    def _say_ruling(self, ruling: hr.Ruling) -> None:
        for reason in ruling:
            say(f"- {reason}", indent=2)
        if ruling.alternatives:
            choices = "; ".join(ruling.alternatives)
            say(self._said.gettext("legal now: {choices}", choices=choices), indent=2)

    def _say_unreadable(self, line: str) -> None:
        say(
            self._said.gettext(
                "expected a number, an action or a command, got `{text}`", text=line[:100]
            )
        )
        hint = diagnostics.closest_match(line, self._words())
        if hint:
            say(self._said.gettext("did you mean `{text}`?", text=hint))
        else:
            say(self._said.gettext("`help` says what you can type"))
