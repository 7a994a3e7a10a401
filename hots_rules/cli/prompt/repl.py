"""The prompt: reads lines, each a command, an action, a change of the position, or a question."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import typer

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.arguments import Reader
from hots_rules.cli.exits import describe_os_error
from hots_rules.cli.output.battle import echo_battles
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.places import ruleset_near
from hots_rules.cli.prompt.commands import COMMANDS, N_, Access, Command
from hots_rules.cli.prompt.edition_questions import EDITION_COMMANDS
from hots_rules.cli.prompt.line_reader import LineReader
from hots_rules.cli.prompt.next_word import Completer
from hots_rules.cli.prompt.session import Session

QUIT = "quit"
MAX_QUOTED = 100  # characters of a line quoted in an error message


class Repl:
    """A prompt over a session; `failures` counts the lines that could not be executed.

    `ruleset_argument` is the ruleset as the command line names it: other rulesets may stand in its folder.
    """

    def __init__(self, session: Session, ruleset_argument: str = "") -> None:
        self.session = session
        self.ruleset_argument = ruleset_argument
        self.failures = 0
        self._rulesets: dict[str, hr.Ruleset] = {}
        self._before: hr.talk.Understood | None = None
        prompt_commands = (
            Command(
                N_("under RULESET LINE"),
                N_("Execute a line under another ruleset."),
                self._under,
                Access.NO_MATCH,
            ),
            Command(
                N_("help [COMMAND]"),
                N_("Show this help."),
                self._help,
                Access.ALWAYS,
                topic="help",
                checks=lambda _, text: hr.talk.folded(text) in self.named_commands(),
            ),
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
        try:
            understood = self.understood(line)
            if isinstance(understood, hr.talk.Command) and understood.form.name == QUIT:
                return False
            self.obey(understood)
        except typer.BadParameter as error:
            self._fail(error.message)
        except OSError as error:
            self._fail(describe_os_error(error, self.session.game.language))
        except hr.HotsError as error:
            if self.session.is_match and isinstance(error, hr.EngineError):
                raise
            self._fail(str(error))
        return not (self.session.is_match and self.session.game.is_over)

    def understood(
        self,
        line: str,
        commands: Sequence[hr.talk.CommandForm] = (),
        among: Sequence[hr.Action] | None = None,
    ) -> hr.talk.Understood:
        """What a line means here.

        A screen around the prompt may give `commands` of its own, and the actions `among` which a line chooses.
        """
        session = self.session
        return hr.talk.understand(
            line,
            session.game,
            session.viewer,
            self._before,
            commands=(*commands, *self.forms()),
            edits=not session.is_match,
            among=among,
        )

    def obey(self, understood: hr.talk.Understood) -> None:
        """Do what a line means, and print the result.

        Raises:
            typer.BadParameter: the command cannot be used now.
            HotsError: the action, the change or the question cannot be taken.
        """
        session = self.session
        self._before = self._remembered(understood)
        match understood:
            case hr.talk.Command(form, "") if form.topic == "odds" and self._print_known_odds():
                pass
            case hr.talk.Command(form, arguments):
                self._commands[form.name].execute(session, arguments)
            case hr.talk.Action(text, outcomes, legal):
                session.play(legal or text, outcomes)
            case hr.talk.Edit(lines):
                self._edit(lines)
            case hr.talk.Question(topic=topic):
                self._show_answer(understood, takes_long=topic == "battle")
            case hr.talk.Which(lines):
                echo(session.t.gettext("which do you mean? Type its number:"))
                echo("\n".join(f"{i}  {text}" for i, text in enumerate(lines, 1)))
            case hr.talk.Nothing() if understood.line:
                self._show_nothing(understood)

    def _edit(self, lines: str) -> None:
        """Change the position.

        Raises:
            BadPosition: play cannot go on at the changed one.
        """
        session = self.session
        try:
            changed = session.game.with_position_changes(lines)
        except hr.BadPosition as error:
            if error.is_against_rules and ";" not in lines:
                remedy = session.t.gettext(
                    "changes that need each other go in one line, with `;` between them"
                )
                raise typer.BadParameter(f"{error}\n{remedy}") from None
            raise
        session.change_to(hr.records.with_explicit_chance(changed))

    def _remembered(self, understood: hr.talk.Understood) -> hr.talk.Understood | None:
        """What the next line may refer to: choices that were just offered, or the last question."""
        if isinstance(understood, hr.talk.Which):
            return understood
        if isinstance(understood, hr.talk.Question) and understood.replies:
            return understood
        return None if isinstance(self._before, hr.talk.Which) else self._before

    def forms(self) -> tuple[hr.talk.CommandForm, ...]:
        """The commands as they are typed in English and in the language of the prompt; English wins a clash."""
        t = self.session.t
        quit_names = tuple(dict.fromkeys(("quit", "exit", hr.talk.folded(t.gettext("quit")))))
        leaving = hr.talk.CommandForm(QUIT, QUIT, quit_names, acts=True)
        return (
            *(command.form(self.session) for command in self._commands.values()),
            leaving,
        )

    def completions(self) -> list[str]:
        """What can be typed now: commands, actions, questions, and variables of the position."""
        session = self.session
        words = [
            hr.talk.name_in(session.t.gettext(command.usage))
            for command in self._commands.values()
            if command.is_available(session)
        ]
        words += map(session.label, session.actions)
        words += session.game.questions
        return words if session.is_match else [*words, *session.game.ruleset.schema.variables]

    def completer(self) -> Completer:
        """What offers the next word of a line that is being typed."""
        return Completer(self.session, self.named_commands)

    def named_commands(self) -> dict[str, Command]:
        """The commands by their names in the language of the prompt and in English; English wins where they clash."""
        names: dict[str, Command] = {}
        for t in (self.session.t, translator("en")):
            for command in self._commands.values():
                names |= {hr.talk.folded(name): command for name in command.names_in(t)}
        return names

    # -------------------------------------------------------------- answers
    def _show_answer(self, question: hr.talk.Question, *, takes_long: bool) -> None:
        with spinner("computing the odds") if takes_long else nullcontext():
            answer = hr.talk.answer(question)
        match answer.detail:
            case hr.talk.Battle():
                echo_battles([answer.detail])
            case hr.explain.Ruling():
                echo(answer.detail.text(self.session.depth))
            case _:
                first, _, rest = str(answer).partition("\n")
                if answer.edition != self.session.game.ruleset.name and first == answer.edition:
                    echo(first, "bold")
                    echo(rest)
                else:
                    echo(str(answer))

    def _print_known_odds(self) -> bool:
        """Print the odds that the player whose view is shown can know; return whether there are any."""
        session = self.session
        if session.viewer is None:
            return False
        with spinner("computing the odds"):
            question = hr.talk.Question("odds", session.game, session.viewer, "odds")
            answer = hr.talk.answer(question)
        if answer.detail is None:
            return False
        echo(answer.text)
        return True

    def _show_nothing(self, nothing: hr.talk.Nothing) -> None:
        """Say that a line means nothing, and what could be typed instead."""
        t = self.session.t
        if nothing.form is not None:
            usage = t.gettext(nothing.form.usage)
            self._fail(t.gettext("missing argument; usage: {usage}", usage=usage))
        elif nothing.fault:
            self._fail(nothing.fault)
        else:
            quoted = nothing.line[:MAX_QUOTED]
            self._fail(t.gettext("not a command, an action or a question: `{text}`", text=quoted))
            self._suggest(nothing)

    def _suggest(self, nothing: hr.talk.Nothing) -> None:
        t = self.session.t
        if nothing.suggestion:
            echo(t.gettext("did you mean `{text}`?", text=nothing.suggestion))
            return
        if nothing.hits:
            echo(t.gettext("no answer found; rules that mention these words:"))
            echo("\n".join(nothing.hits))
        if nothing.examples:
            examples = "; ".join(nothing.examples)
            echo(t.gettext("you can ask, for example: {examples}", examples=examples))
        echo(t.gettext("type `help` for the commands"))

    def _fail(self, message: str) -> None:
        self.failures += 1
        echo(message, "yellow")

    # -------------------------------------------------------------- commands that need the prompt
    def _help(self, session: Session, text: str) -> None:
        """Print the usage and summary of all commands, or of one."""
        available = [
            command for command in self._commands.values() if command.is_available(session)
        ]
        meant = self.named_commands().get(hr.talk.folded(text)) if text else None
        commands = [command for command in available if not text or command is meant]
        if not commands:
            raise hr.UnknownName("command", text, (command.name for command in available))
        t = session.t
        rows = {t.gettext(command.usage): t.gettext(command.summary) for command in commands}
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
        """Execute a line in the same game under another ruleset.

        If the line has several meanings, the one chosen next is executed under that ruleset, too.
        """
        name, _, line = text.partition(" ")
        if name not in self._rulesets:
            reader = Reader(session.game.ruleset.limits)
            given = ruleset_near(name, self.ruleset_argument) if self.ruleset_argument else name
            self._rulesets[name] = reader.load_ruleset(given, session.game.language)
        ruleset = self._rulesets[name]
        echo(ruleset.name, "bold")
        session_under = Session(hr.compare.replay_under(session.game, ruleset))
        session_under.depth = session.depth
        session_under.view_as(session.viewer)
        prompt = Repl(session_under, self.ruleset_argument)
        prompt.execute(line)
        self.failures += prompt.failures
        if isinstance(prompt._before, hr.talk.Which):
            self._before = hr.talk.Which(
                tuple(f"under {name} {meaning}" for meaning in prompt._before.lines)
            )
