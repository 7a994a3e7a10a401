"""The prompt: reads lines, each a command, an action, a change of the position, or a question."""

from __future__ import annotations

import re
import unicodedata

import typer

import hots_rules as hr
from hots_rules import diagnostics
from hots_rules._translate import translator
from hots_rules.cli.arguments import load_ruleset
from hots_rules.cli.exits import describe_os_error
from hots_rules.cli.output.battle import echo_battles
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.prompt.commands import COMMANDS, N_, Access, Command, name_of
from hots_rules.cli.prompt.edition_questions import EDITION_COMMANDS
from hots_rules.cli.prompt.line_reader import LineReader
from hots_rules.cli.prompt.next_word import Completer, plain
from hots_rules.cli.prompt.session import Session, split_outcomes
from hots_rules.cli.prompt.talk import Talk

QUIT = ("quit", "exit")
_ONE_WORD = re.compile(r"^whynot\b", re.IGNORECASE)  # as on the command line
LINKING = ("of", "de", "d", "du", "des", "del")
MAX_QUOTED = 100  # characters of a line quoted in an error message


class Repl:
    """A prompt over a session; `failures` counts the lines that could not be executed."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.failures = 0
        self._rulesets: dict[str, hr.Ruleset] = {}
        self._talk = Talk(session, lambda: self._help(session, ""))
        prompt_commands = (
            Command(
                N_("under RULESET LINE"),
                N_("Execute a line under another ruleset."),
                self._under,
                Access.NO_MATCH,
            ),
            Command(N_("help [COMMAND]"), N_("Show this help."), self._help, Access.ALWAYS),
        )
        self._commands = {
            command.name: command for command in (*COMMANDS, *EDITION_COMMANDS, *prompt_commands)
        }

    # -------------------------------------------------------------- lines
    def run(self, read_line: LineReader) -> None:
        """Execute lines until the input ends, or a line ends the session.

        Ctrl-C ends a match; otherwise it discards the line that is typed.
        """
        while True:
            try:
                line = read_line(self.session.prompt, self.completions(), self.completer())
            except EOFError:
                return
            except KeyboardInterrupt:
                if self.session.is_match:
                    raise
                continue
            if not self.execute(line):
                return

    def execute(self, line: str) -> bool:
        """Execute a line and print the result or the error; return False if it ends the session.

        Raises:
            EngineError: a rule failed in a match, which cannot continue.
        """
        words = unicodedata.normalize("NFC", line.split("#")[0]).lstrip(" \t¿").split()
        line = self._talk.take_choice(_ONE_WORD.sub("why not", " ".join(words)))
        if line.lower() in (*QUIT, self.session.t.gettext("quit")):
            return False
        try:
            if line:
                self._dispatch(line)
        except typer.BadParameter as error:
            self._fail_unless_answered(line, error.message)
        except OSError as error:
            self._fail(describe_os_error(error, self.session.game.language))
        except hr.HotsError as error:
            if self.session.is_match and isinstance(error, hr.EngineError):
                raise
            is_no_action = isinstance(error, hr.UnreadableAction)
            self._fail_unless_answered(line, str(error), is_no_action=is_no_action)
        return not (self.session.is_match and self.session.game.is_over)

    def completions(self) -> list[str]:
        """What can be typed now: commands, actions, questions, and variables of the position."""
        session = self.session
        words = [
            name_of(session.t.gettext(command.usage))
            for command in self._commands.values()
            if command.is_available(session)
        ]
        words += map(session.label, session.actions)
        words += session.game.questions
        return words if session.is_match else [*words, *session.game.ruleset.schema.variables]

    def completer(self) -> Completer:
        """What offers the next word of a line that is being typed."""
        return Completer(self.session, self.named_commands)

    def _dispatch(self, line: str) -> None:
        session = self.session
        if made_up := hr.talk.battle_line(session.game.ruleset, line):
            with spinner("computing the odds"):
                found = hr.talk.battle(session.game.ruleset, made_up)
            echo_battles([found])
            return
        action = session.find_action(line)
        command = self._find_command(line)
        if isinstance(action, hr.Action):
            session.play(action)
        elif command is not None:
            command[0].execute(session, command[1])
        elif self._is_edit(line):
            changed = session.game.with_position_changes(line)
            session.change_to(hr.records.with_explicit_chance(changed))
        elif self._is_with_outcomes(line) or not (
            self._answer(line)
            or (not hr.explain.is_action(session.game, line) and self._talk.answer(line))
        ):
            self._play(line)

    def _find_command(self, line: str) -> tuple[Command, str] | None:
        """The command with the longest name that the line begins with, and the rest of the line.

        A command has its name in English and in the language of the prompt, some in several wordings, with or
        without accents.
        """
        folded = f"{plain(line).rstrip(' ?')} "
        names = self.named_commands()
        found = [name for name in names if folded.startswith(f"{name} ")]
        longest = max(found, key=len, default=None)
        if longest is None:
            return self._framed_command(line.rstrip(" ?"))
        return names[longest], line[len(longest) :].strip()

    def _framed_command(self, line: str) -> tuple[Command, str] | None:
        """The command that a line names before and after the arguments: `is ACTION legal in every edition`."""
        folded = plain(line)
        for t in (self.session.t, translator("en")):
            for command in self._commands.values():
                for before, after in map(_folded, command.frames_in(t)):
                    amid = line[len(before) : len(line) - len(after)].strip(" ,")
                    if amid and folded.startswith(before) and folded.endswith(after):
                        return command, amid
        return None

    def named_commands(self) -> dict[str, Command]:
        """The commands by their names in the language of the prompt and in English, which is the stronger."""
        names: dict[str, Command] = {}
        for t in (self.session.t, translator("en")):
            for command in self._commands.values():
                names |= {plain(name): command for name in command.names_in(t)}
        return names

    def _is_with_outcomes(self, line: str) -> bool:
        """Whether a line is an action with its outcomes: `fire Fox rolls 2 4`."""
        text, outcomes = split_outcomes(line)
        return bool(outcomes) and isinstance(self.session.find_action(text), hr.Action)

    def _is_edit(self, line: str) -> bool:
        """Whether a line changes the position."""
        return not self.session.is_match and self._names_a_variable(line)

    def _names_a_variable(self, line: str) -> bool:
        """Whether a line begins with a variable of the position, or has one after a colon."""
        before, colon, after = line.partition(";")[0].partition(":")
        words = (after if colon else before).split()
        variables = self.session.game.ruleset.schema.variables
        return bool(words) and words[0].lower() in variables

    def _answer(self, line: str) -> bool:
        """Print the answer if the line is a question that the ruleset declares; return whether it is."""
        session = self.session
        try:
            answer = session.game.ask(line, player=session.viewer)
        except hr.UnreadableQuestion as error:
            if error.cause:
                raise
            return False
        echo(str(answer))
        return True

    def _play(self, line: str) -> None:
        text, outcomes = split_outcomes(line)
        try:
            self.session.play(self.session.find_action(text), outcomes)
        except hr.UnreadableAction:
            suggestion = diagnostics.closest_match(line, self.completions())
            is_sentence = " " in line and not suggestion and not self._names_a_variable(line)
            if is_sentence and self._talk.answers_closely(line):
                return
            t = self.session.t
            quoted = line[:MAX_QUOTED]
            self._fail(t.gettext("not a command, an action or a question: `{text}`", text=quoted))
            if suggestion:
                echo(t.gettext("did you mean `{text}`?", text=suggestion))
            else:
                self._talk.suggest(line)
                echo(t.gettext("type `help` for the commands"))

    def _fail_unless_answered(self, line: str, message: str, *, is_no_action: bool = False) -> None:
        """Answer a line that begins as a command does, but is a question in words: `why can't Fox go?`.

        Where the command takes an action and has none, as in `what if the Fox is hungry`, the rules that come
        closest are an answer too.
        """
        try:
            may_be_asked = self._may_be_asked(line)
            if may_be_asked and self._talk.answer(line, is_command=True):
                return
            is_sentence = may_be_asked and is_no_action
            if not (is_sentence and self._talk.answers_closely(line)):
                self._fail(message)
        except typer.BadParameter as error:
            self._fail(error.message)
        except hr.HotsError as error:
            self._fail(str(error))

    def _may_be_asked(self, line: str) -> bool:
        """Whether a line that failed may be a question: not an edit, or a command that is refused here."""
        if " " not in line:
            return False
        if self._is_edit(line):  # `strength of Fox` asks, `strength Fox 3` and a slip in it do not
            return plain(line.split()[1]) in LINKING or hr.talk.is_question(self.session.game, line)
        command = self._find_command(line)
        is_refused = command is not None and not command[0].is_available(self.session)
        return not is_refused and hr.talk.is_question(self.session.game, line)

    def _fail(self, message: str) -> None:
        self.failures += 1
        echo(message, "yellow")

    # -------------------------------------------------------------- commands that need the prompt
    def _help(self, session: Session, text: str) -> None:
        """Print the usage and summary of all commands, or of one."""
        available = [
            command for command in self._commands.values() if command.is_available(session)
        ]
        meant = self.named_commands().get(plain(text)) if text else None
        commands = [command for command in available if not text or command is meant]
        if not commands:
            raise hr.UnknownOption("command", tuple(command.name for command in available), text)
        t = session.t
        rows = {t.gettext(each.usage): t.gettext(each.summary) for each in commands}
        if not text:
            rows = {
                **self._other_lines(),
                **rows,
                t.gettext("quit"): t.gettext("Leave the prompt."),
            }
        width = min(max(map(len, rows)), 30)
        for usage, summary in rows.items():
            echo(f"{usage:{width}}  {summary}")

    def _other_lines(self) -> dict[str, str]:
        """The lines that are not commands, with a summary of each."""
        t = self.session.t
        lines = {
            t.gettext("ACTION"): t.gettext(
                "Play an action, by its text or its number in the list."
            ),
            t.gettext("QUESTION"): t.gettext(
                "Ask a question about the game; `questions` lists them."
            ),
        }
        if not self.session.is_match:
            lines[t.gettext("VARIABLE …")] = t.gettext("Change the position: `place Fox 3 Shore`.")
        return lines

    def _under(self, session: Session, text: str) -> None:
        """Execute a line in the same game under another ruleset."""
        name, _, line = text.partition(" ")
        if name not in self._rulesets:
            try:
                self._rulesets[name] = load_ruleset(name, session.game.language)
            except hr.RulesetError as error:
                if name.isalpha():  # it may be a question: `under a truce, may Fox enter Shore?`
                    raise
                self._fail(str(error))
                return
        ruleset = self._rulesets[name]
        echo(ruleset.name, "bold")
        other = Session(hr.compare.replay_under(session.game, ruleset))
        other.depth = session.depth
        other.view_as(session.viewer)
        Repl(other)._dispatch(line.strip())


def _folded(frame: tuple[str, str]) -> tuple[str, str]:
    """The words before and after the arguments of a command, as lines are compared."""
    return plain(frame[0]), plain(frame[1])
