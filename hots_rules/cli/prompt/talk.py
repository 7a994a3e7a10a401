"""Questions in words at the prompt: what a sentence asks is answered, or what comes closest is named."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress

import hots_rules as hr
from hots_rules.cli.arguments import load_ruleset
from hots_rules.cli.output.battle import echo_battles
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.prompt.commands import odds
from hots_rules.cli.prompt.edition_questions import SINCE, what_changed
from hots_rules.cli.prompt.session import Session

COMMANDS = ("odds", "legal", "help")  # questions that are commands as well
_CITED = re.compile(r"§([\w.]*\w)")


class Talk:
    """A talk about the game of a session; a sentence may refer to the one before it."""

    def __init__(self, session: Session, show_help: Callable[[], None]) -> None:
        self._session = session
        self._show_help = show_help
        self._before: hr.talk.Reply | None = None
        self._choices: tuple[str, ...] = ()
        self._known_editions: dict[str, list[str]] = {}

    def answer(self, line: str, *, is_command: bool = False) -> bool:
        """Print the answer to a sentence; return whether it was understood.

        Args:
            line: the sentence.
            is_command: whether it is a command with a fault, for which no other command is a remedy.
        """
        session = self._session
        if hr.talk.is_battle(session.game.ruleset, line):
            with spinner("computing the odds"):
                found = hr.talk.battle(session.game.ruleset, line)
            echo_battles([found])
            return True
        asked = hr.talk.questions_in(session.game, line)
        return all([self._answers(each, is_command=is_command) for each in asked])

    def _answers(self, line: str, *, is_command: bool) -> bool:
        """Print the answer to one question; return whether it was understood."""
        session = self._session
        if not session.is_match and self._answers_in_an_edition(line):
            return True
        reply = hr.talk.reply(session.game, line, session.viewer, self._before)
        if reply is None:
            return False
        self._choices = reply.choices
        if reply.choices:
            self._ask_which(reply.choices)
            return True
        if reply.answers:
            self._show_closest(reply.answers)
            return True
        if reply.text:
            echo(reply.text)
        elif self._is_of_a_command(reply, is_command) or not self._answers_generally(reply):
            return False
        self._before = reply
        return True

    def _answers_in_an_edition(self, line: str) -> bool:
        """Print what an edition answers to a question that names it; return whether it has an answer."""
        game, viewer = self._session.game, self._session.viewer
        named = hr.talk.edition_asked(game, line, self._editions)
        if named is None:
            return False
        name, question = named
        try:
            ruleset = load_ruleset(name, game.language)
            reply = hr.talk.reply(hr.compare.replay_under(game, ruleset), question, viewer)
        except hr.HotsError:  # the position, or an action before it, is none of that edition
            return False
        if reply is None or reply.kind != "answer":
            return False
        echo(ruleset.name, "bold")
        echo(reply.text)
        return True

    @property
    def _editions(self) -> list[str]:
        """The editions of the game by their names; to look for them takes long."""
        ruleset = self._session.game.ruleset
        if ruleset.name not in self._known_editions:
            self._known_editions[ruleset.name] = [*map(str, hr.atlas.editions_of(ruleset))]
        return self._known_editions[ruleset.name]

    @staticmethod
    def _is_of_a_command(reply: hr.talk.Reply, is_command: bool) -> bool:
        """Whether a command with a fault was read again as itself, with words left over."""
        return is_command and reply.kind in COMMANDS and not reply.is_whole

    def take_choice(self, line: str) -> str:
        """The line that a number chooses, if the line before was ambiguous; else the line itself."""
        choices, self._choices = self._choices, ()
        if not (line.isascii() and line.isdecimal()):
            return line
        number = int(line[:3])
        return choices[number - 1] if 1 <= number <= len(choices) else line

    def _ask_which(self, listed: Sequence[str]) -> None:
        echo(self._session.t.gettext("which do you mean? Type its number:"))
        echo("\n".join(f"{i}  {text}" for i, text in enumerate(listed, 1)))

    def answers_closely(self, line: str) -> bool:
        """Print the rules that come closest to a sentence that was not understood; return whether there are any."""
        session = self._session
        answers = hr.talk.closest_answers(session.game, line, session.viewer)
        if answers:
            self._show_closest(answers)
        return bool(answers)

    def _show_closest(self, answers: Sequence[str]) -> None:
        """Print some answers, each with the heading of its section, as what comes closest."""
        headings = hr.explain.section_headings(self._session.game.ruleset)
        cited = [_CITED.search(answer) for answer in answers]
        topics = [f"{headings[at[1]]}: " if at and at[1] in headings else "" for at in cited]
        echo(self._session.t.gettext("the rules that come closest:"))
        echo("\n".join(f"- {topic}{text}" for topic, text in zip(topics, answers, strict=True)))

    def suggest(self, line: str) -> None:
        """Name the rules with the words of a line that was not understood, and questions that come closest."""
        session, t = self._session, self._session.t
        if " " in line and (hits := hr.talk.find(session.game.ruleset, line, limit=2).hits):
            echo(t.gettext("this is no answer, but the rules with these words:"))
            echo("\n".join(map(str, hits)))
        examples = hr.talk.closest_questions(session.game, line)
        if examples:
            echo(t.gettext("you can ask, for example: {examples}", examples="; ".join(examples)))

    def _answers_generally(self, reply: hr.talk.Reply) -> bool:
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
                echo("\n".join(self._editions))
            case "changes":
                return self._shows_changes(reply)
        return True

    def _shows_changes(self, reply: hr.talk.Reply) -> bool:
        """Show what changed about a subject, or between two editions; return whether the subject is known."""
        assert reply.reading is not None
        session = self._session
        own, names = session.game.ruleset.name, self._editions
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
        is_since = not SINCE.isdisjoint(piece.text for piece in reply.reading.pieces)
        since = [found[0] for found in named.values() if found and is_since]
        first, second = subject, reply.subject
        if session.game.language != "en":
            first, second = second or first, first
        for each in filter(None, (first, second)):
            with suppress(hr.explain.UnknownRule):
                what_changed.execute(session, " since ".join((each, *since[:1])))
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
        for example in hr.talk.closest_questions(self._session.game, ""):
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
