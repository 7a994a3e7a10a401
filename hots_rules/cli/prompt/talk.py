"""Questions in words at the prompt: what a sentence asks is answered, or what comes closest is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from textwrap import shorten

import hots_rules as hr
from hots_rules.cli.output.battle import echo_battles
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.prompt.commands import odds
from hots_rules.cli.prompt.edition_questions import what_changed
from hots_rules.cli.prompt.session import Session

COMMANDS = ("odds", "legal", "help")  # questions that are commands as well
WIDTH = 80  # letters of an answer that is offered by a number
_CITED = re.compile(r"§([\w.]*\w)")


class Talk:
    """A talk about the game of a session; a sentence may refer to the one before it."""

    def __init__(self, session: Session, show_help: Callable[[], None]) -> None:
        self._session = session
        self._show_help = show_help
        self._before: hr.explain.Reply | None = None
        self._choices: tuple[str, ...] = ()
        self._answers_meant: tuple[str, ...] = ()

    def answer(self, line: str, *, is_command: bool = False) -> bool:
        """Print the answer to a sentence; return whether it was understood.

        Args:
            line: the sentence.
            is_command: whether it is a command with a fault, for which no other command is a remedy.
        """
        session = self._session
        if hr.analysis.is_battle(session.game.ruleset, line):
            with spinner("computing the odds"):
                found = hr.analysis.battle(session.game.ruleset, line)
            echo_battles([found])
            return True
        asked = hr.explain.questions_in(session.game, line)
        return all([self._answers(each, is_command=is_command) for each in asked])

    def _answers(self, line: str, *, is_command: bool) -> bool:
        """Print the answer to one question; return whether it was understood."""
        session = self._session
        reply = hr.explain.reply(session.game, line, session.viewer, self._before)
        if reply is None:
            return False
        self._choices = reply.choices
        if reply.choices:
            self._ask_which(reply.choices)
            return True
        if reply.answers:
            self._offer(reply.answers)
            return True
        if reply.text:
            echo(reply.text)
        elif (is_command and reply.kind in COMMANDS) or not self._answers_generally(reply):
            return False
        self._before = reply
        return True

    def take_choice(self, line: str) -> str:
        """The line that a number chooses, if the line before was ambiguous; else the line itself.

        If the number chooses an answer, this is printed, and no line is left.
        """
        choices, self._choices = self._choices, ()
        answers, self._answers_meant = self._answers_meant, ()
        if not (line.isascii() and line.isdecimal()):
            return line
        number = int(line[:3])
        if 1 <= number <= len(answers):
            echo(answers[number - 1])
            return ""
        return choices[number - 1] if 1 <= number <= len(choices) else line

    def _ask_which(self, listed: Sequence[str]) -> None:
        echo(self._session.t.gettext("which do you mean? Type its number:"))
        echo("\n".join(f"{i}  {text}" for i, text in enumerate(listed, 1)))

    def _offer(self, answers: tuple[str, ...]) -> None:
        """Ask which of some answers is meant, each by its beginning."""
        headings = hr.explain.section_headings(self._session.game.ruleset)
        cited = [_CITED.search(answer) for answer in answers]
        topics = [f"§{at[1]} {headings.get(at[1], '')}: " if at else "" for at in cited]
        shown = (shorten(answer, WIDTH, placeholder=" …") for answer in answers)
        self._ask_which([topic + text for topic, text in zip(topics, shown, strict=True)])
        self._answers_meant = answers

    def suggest(self, line: str) -> None:
        """Name the rules and the questions that come closest to a line that was not understood."""
        session, t = self._session, self._session.t
        is_sentence = " " in line
        answers = (
            hr.explain.closest_answers(session.game, line, session.viewer) if is_sentence else ()
        )
        if answers:
            echo(t.gettext("this was not understood; what comes closest:"))
            self._offer(answers)
        elif is_sentence and (hits := hr.explain.find(session.game.ruleset, line, limit=2).hits):
            echo(t.gettext("this is no answer, but the rules with these words:"))
            echo("\n".join(map(str, hits)))
        examples = hr.explain.closest_questions(session.game, line)
        if examples:
            echo(t.gettext("you can ask, for example: {examples}", examples="; ".join(examples)))

    def _answers_generally(self, reply: hr.explain.Reply) -> bool:
        """Answer a question that every game has; return whether its subject is known."""
        session = self._session
        match reply.kind:
            case "help":
                self._show_examples()
                self._show_help()
            case "turn":
                echo(self._turn())
            case "legal":
                echo(self._turn())
                session.show_actions(session.actions)
            case "odds":
                self._show_odds()
            case "editions":
                editions = hr.compare.editions_of(session.game.ruleset)
                echo("\n".join(map(str, editions)))
            case "changes":
                return self._shows_changes(reply)
        return True

    def _shows_changes(self, reply: hr.explain.Reply) -> bool:
        """Show what changed about a subject, or between two editions; return whether the subject is known."""
        assert reply.reading is not None
        session = self._session
        own, editions = session.game.ruleset.name, hr.compare.editions_of(session.game.ruleset)
        names = list(map(str, editions))
        words = reply.reading.rest.split()
        named = {word: [name for name in names if name.endswith(word)] for word in words}
        subject = " ".join(word for word in words if not named[word])
        if not subject:
            asked = [found[0] for found in named.values() if found]
            if not asked:
                return False
            old, new = [*asked, own][:2] if asked != [own] else (names[names.index(own) - 1], own)
            with spinner("comparing the editions"):
                table = hr.compare.table(hr.load(old), hr.load(new))
            echo("\n".join(table.summaries()))
            return True
        first, second = subject, reply.subject
        if session.game.language != "en":
            first, second = second or first, first
        for each in filter(None, (first, second)):
            with suppress(hr.explain.UnknownRule):
                what_changed.execute(session, each)
                return True
        return False

    def _turn(self) -> str:
        session = self._session
        game, labels = session.game, session.game.ruleset.labels
        if game.is_over:
            return str(game.outcome)
        players = session.t.join_list(labels.players_named(game.to_move))
        return session.t.gettext(
            "{player} chooses: {phase}", player=players, phase=game.phase_title
        )

    def _show_examples(self) -> None:
        for example in hr.explain.closest_questions(self._session.game, ""):
            echo(example)

    def _show_odds(self) -> None:
        session = self._session
        if session.viewer is not None:
            echo(
                session.t.gettext(
                    "`{command}` shows hidden information; type `as everybody` first",
                    command="odds",
                )
            )
            return
        try:
            with spinner("computing the odds"):
                odds.execute(session, "")
        except hr.analysis.PolicyUndefined:
            echo(session.t.gettext("nothing is in progress now whose odds could be computed"))
