"""Questions in words at the prompt: what a sentence asks is answered, or what comes closest is named."""

from __future__ import annotations

from collections.abc import Callable

import hots_rules as hr
from hots_rules.cli.output.console import echo, spinner
from hots_rules.cli.output.odds import echo_odds
from hots_rules.cli.prompt.edition_questions import what_changed
from hots_rules.cli.prompt.session import Session


class Talk:
    """A talk about the game of a session; a sentence may refer to the one before it."""

    def __init__(self, session: Session, show_help: Callable[[], None]) -> None:
        self._session = session
        self._show_help = show_help
        self._before: hr.explain.Reply | None = None

    def answer(self, line: str) -> bool:
        """Print the answer to a sentence; return whether it was understood."""
        session = self._session
        reply = hr.explain.reply(session.game, line, session.viewer, self._before)
        if reply is None:
            return False
        if reply.text:
            echo(reply.text)
        else:
            self._answer_generally(reply)
        self._before = reply
        return True

    def _answer_generally(self, reply: hr.explain.Reply) -> None:
        """Answer a question that every game has."""
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
                assert reply.reading is not None
                what_changed.execute(session, reply.reading.rest)

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
        until, policy = hr.explain.odds_asked(session.game)
        with spinner("computing the odds"):
            odds = session.game.odds(None, until=until, policy=policy)
        echo_odds({session.game.ruleset.name: odds}, [])
