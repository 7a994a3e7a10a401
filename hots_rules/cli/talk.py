"""A talk about the rules: a game or a position at hand, lines that change it, and questions about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import typer

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._files import atomic_write
from hots_rules.cli import answers
from hots_rules.cli.answers import expected
from hots_rules.cli.arguments import player_of
from hots_rules.cli.console import harmless, say
from hots_rules.cli.opening import opened
from hots_rules.cli.situation import game_in, is_record, text_of
from hots_rules.cli.table import say_board, say_standing, say_steps

HELP = """\
start SCENARIO [SEED]        a game from its beginning
load FILE, save FILE         a record, or a position
place Fox 3 Shore            lines of a position, laid over the one at hand: `year 1301`,
                             `Red, Ace: hand 1`, `played Red 3 Blue Ace`
play ACTION [rolls 2 4 5]    an action, with dice of yours or without; the action alone will do
undo                         back to before the last change
name NAME, recall NAME       keep the moment under a name, come back to it; `names` lists them
board, position, draw FILE   what stands where, in panels, as text, as a map
legal [WORDS]                the legal actions, or those with these words: `legal Fox, Shore`
why ACTION, why not ACTION   the rules for and against it; `depth tree` for more of every answer
what if ACTION [rolls 2 4]   what would happen; `what if rolls 6 6` for the last action again
explain [WHAT]               why something happened in the last play
odds [ACTION] [until END] [policy POLICY] [of QUESTION]
show 5.5, show NAME          what the rulebook says
diff RULESET [5.5]           what another ruleset has otherwise
under RULESET LINE           any line of this list under another ruleset
ask QUESTION                 what every edition says
dispute FILE QUESTION        the moment, the question and all answers, for `hots dispute`
questions                    what may be asked in the words of the rulebook
as PLAYER                    answer from now on what that player may know; `as everybody` ends it
quit                         leave"""

_ROLLS = re.compile(r"(?:^|\s+)(rolls?|draws)\s+(.+)$", re.IGNORECASE)
Command = Callable[[str], None]


class Talk:
    """What is at hand, and the commands; `failed` counts the lines that were not understood."""

    def __init__(
        self, ruleset: hr.Ruleset, game: hr.Game | None = None, language: str = "en"
    ) -> None:
        ruleset.notation(language)
        self.ruleset = ruleset
        self._language = language
        self._now = game
        self.failed = 0
        self.depth = "paragraph"
        self.seen_by: str | None = None
        self.named: dict[str, hr.Game] = {}
        self._others: dict[str, hr.Ruleset] = {}
        self._earlier: list[hr.Game | None] = []
        self._commands: dict[str, Command] = {
            "help": lambda _: say(HELP),
            "start": self._start,
            "load": lambda name: self._load(name),
            "save": lambda name: self._save(name),
            "play": self._play_said,
            "undo": lambda _: self._undo(),
            "name": self._name,
            "branch": self._name,
            "recall": self._recall,
            "names": lambda _: say("\n".join(self.named) or "nothing has a name yet"),
            "board": lambda _: say_board(
                hr.board(self.game, self.seen_by, language=self._language)
            ),
            "position": self._position,
            "draw": self._draw,
            "legal": self._legal,
            "why not": lambda text: self._ruled(self.game.why_not, text),
            "why": lambda text: self._ruled(self.game.why, text),
            "depth": self._set_depth,
            "as": self._look_as,
            "what if": self._what_if,
            "explain": lambda text: self._ruled(self.game.explain, text or None),
            "odds": lambda text: answers.odds(self._open("odds"), text),
            "show": lambda text: answers.show(self.ruleset, text, self._language),
            "diff": lambda text: answers.difference(self.ruleset, text),
            "under": self._under,
            "ask": lambda text: answers.matrix(self._open("ask"), text, self._language),
            "dispute": self._dispute,
            "questions": lambda _: say("\n".join(self._questions()) or "none is declared"),
        }

    @property
    def game(self) -> hr.Game:
        """The game at hand; before any is begun, the first scenario."""
        if self._now is None:
            self._now = self._begun(self.ruleset.scenarios[0], 0)
        return self._now

    def words(self) -> list[str]:
        """What may be typed now."""
        actions = [
            action.text
            for action in self.game.actions_in(self._language)
            if self.seen_by in (None, action.player) or action.player not in self.ruleset.players
        ]
        return [*self._commands, *self._questions(), *actions, *self.ruleset.schema.variables]

    def obey(self, line: str) -> bool:
        """Does what a line says; False where it ends the talk."""
        line = " ".join(line.split("#")[0].split())
        if line.lower() in {"quit", "exit"}:
            return False
        if line:
            try:
                self._obey(line)
            except (hr.HotsError, typer.BadParameter) as error:
                self._complain(
                    error.message if isinstance(error, typer.BadParameter) else str(error)
                )
            except OSError as error:
                self._complain(f"expected a file that can be used, got {error.strerror}")
        return True

    def _complain(self, text: str) -> None:
        self.failed += 1
        say(text, "yellow")

    # -------------------------------------------------------------- what a line is
    def _obey(self, line: str) -> None:
        low = line.lower()
        for name in sorted(self._commands, key=len, reverse=True):
            if low == name or low.startswith(f"{name} "):
                self._commands[name](line[len(name) :].strip())
                return
        if self._is_edit(line):
            self._turn_to(hr.with_explicit_chance(self.game.edited(line)))
            return
        try:
            answers.reply(self.game, line, self.seen_by, self._language)
        except hr.UnreadableQuestion as error:
            if error.cause:
                raise
            self._action_or_nothing(line)

    def _is_edit(self, line: str) -> bool:
        """Whether a line begins with a variable, or gives one after a colon."""
        before, colon, after = line.partition(":")
        known = self.ruleset.schema.variables
        word = (after if colon else before).split()[:1]
        return bool(word) and word[0].lower() in known

    def _action_or_nothing(self, line: str) -> None:
        try:
            self._play(line)
        except hr.UnreadableAction:
            hint = diagnostics.closest_match(line, self.words())
            self._complain(f"expected a command, a question or an action, got `{line[:100]}`")
            say(f"did you mean `{hint}`?" if hint else "`help` says what you can type")

    # -------------------------------------------------------------- the game at hand
    def _turn_to(self, game: hr.Game) -> None:
        self._earlier.append(self._now)
        self._now, self.ruleset = game, game.ruleset
        say_standing(game, self._language)

    def _start(self, text: str) -> None:
        scenario, _, seed = text.partition(" ")
        self._turn_to(self._begun(scenario or self.ruleset.scenarios[0], seed or 0))

    def _begun(self, scenario: str, seed: str | int) -> hr.Game:
        return hr.with_explicit_chance(self.ruleset.start(scenario, seed=seed))

    def _load(self, name: str) -> None:
        text = text_of(Path(expected(name, "the name of a file")))
        # A position is one of the ruleset at hand; a record says its own.
        rules = None if is_record(text) else self.ruleset
        self._turn_to(hr.with_explicit_chance(game_in(text, rules)))

    def _save(self, name: str) -> None:
        self.game.save(expected(name, "the name of a file"))
        say(f"the record is in `{name}`")

    def _play(self, text: str) -> None:
        action, outcomes = split_outcomes(expected(text, "an action"))
        if action and self.seen_by is not None:
            # An error tells what the player may know, and a text means an action of that player.
            code = self.game.play(action, player=self.seen_by).moves[-1]
            action = next(one.text for one in self.game.actions if one.code == code)
        self._turn_to(self._told(self.game, [action] if action else [], outcomes))

    def _play_said(self, text: str) -> None:
        """Plays what stands after `play`, or the action whose text begins with that word itself."""
        try:
            self._play(text)
        except hr.UnreadableAction:
            try:
                self._play(f"play {text}")
            except hr.UnreadableAction:
                pass
            else:
                return
            raise

    def _told(self, game: hr.Game, actions: Iterable[str], outcomes: list[str]) -> hr.Game:
        """The game after actions, told; dice that are not given fall by the seed."""
        story = hr.GameLog(self.seen_by, self._language)
        for after in hr.play_with_outcomes(game, [*actions], outcomes):
            say_steps(story.tell(game, after))
            game = after
        return game

    def _undo(self) -> None:
        if not self._earlier:
            self._complain("expected something to take back, got none")
            return
        self._now = self._earlier.pop()
        self.ruleset = self.game.ruleset
        say_standing(self.game, self._language)

    def _name(self, name: str) -> None:
        self.named[expected(name, "a name")] = self.game
        say(f"`recall {name}` comes back here")

    def _recall(self, name: str) -> None:
        if name not in self.named:
            raise hr.UnknownOption("name", tuple(self.named), name)
        self._turn_to(self.named[name])

    def _draw(self, name: str) -> None:
        atomic_write(
            expected(name, "the name of a file"),
            self.game.draw(self.seen_by, language=self._language),
        )

    # -------------------------------------------------------------- what is asked
    def _questions(self) -> tuple[str, ...]:
        return hr.questions(self.game, language=self._language)

    def _look_as(self, name: str) -> None:
        if name.casefold() in {"everybody", "all", "nobody"}:
            self.seen_by = None
            say("everything is told")
        else:
            self.seen_by = player_of(self.ruleset, expected(name, "the name of a player"))
            say(f"told is what {self.seen_by} may know; `as everybody` ends it")

    def _open(self, command: str) -> hr.Game:
        """The game at hand, for a command that sees everything.

        Raises:
            typer.BadParameter: only what one player may know is to be told.
        """
        if self.seen_by is not None:
            raise typer.BadParameter(
                f"expected `as everybody` before `{command}`, which tells what {self.seen_by} may not know"
            )
        return self.game

    def _position(self, _: str) -> None:
        said = self._open("position").position
        say(said.rstrip())

    def _legal(self, words: str) -> None:
        if self.seen_by is None:
            answers.legal(self.game, words, self._language)
        else:
            own = [
                action.text
                for action in self.game.view(self.seen_by, language=self._language).actions
            ]
            answers.legal_of(own, words)

    def _ruled(self, asked: Callable[..., hr.Ruling | hr.CausalTrace], text: str | None) -> None:
        answers.ruling(asked(text, player=self.seen_by, language=self._language), self.depth)

    def _set_depth(self, word: str) -> None:
        if word not in answers.DEPTHS:
            raise hr.UnknownOption("depth", answers.DEPTHS, word)
        self.depth = word

    def _what_if(self, text: str) -> None:
        action, outcomes = split_outcomes(text)
        game = self.game
        if not action and self._earlier and game.moves and (before := self._earlier[-1]):
            game, action = before, answers.last_action(game)
        self._told(game, [expected(action, "an action")], outcomes)

    def _under(self, text: str) -> None:
        name, _, line = text.partition(" ")
        rules = self._opened(expected(name, "the name of a ruleset"))
        say(rules.name, "bold")
        other = Talk(rules, hr.carried(self.game, rules), self._language)
        other.depth, other.seen_by = self.depth, self.seen_by
        other._obey(expected(line.strip(), "a line"))

    def _opened(self, name: str) -> hr.Ruleset:
        if name not in self._others:
            self._others[name] = opened(name)
        return self._others[name]

    def _dispute(self, text: str) -> None:
        name, _, question = text.partition(" ")
        answers.dispute(
            self._open("dispute"), Path(expected(name, "the name of a file")), question.strip()
        )
        say(f"`hots dispute {harmless(name)}` asks again")


def split_outcomes(text: str) -> tuple[str, list[str]]:
    """An action and the outcomes of chance after it: `strike Fox rolls 2 4 5`, several with commas."""
    found = _ROLLS.search(text)
    if found is None:
        return text, []
    kind = found[1].lower().rstrip("s")
    return text[: found.start()].strip(), [f"{kind} {one.strip()}" for one in found[2].split(",")]
