"""The match of a screen: what the player types is played, forced and settled choices are made by themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

import hots_rules as hr
from hots_rules.cli.prompt.match import Match, Opponent

MAX_NEWS = 400  # lines that are kept


class Stuck(typer.BadParameter):
    """A part of a line that cannot be played; the rest of the line was not tried."""


class Seat(Match):
    """A match in which one line may have several choices.

    Attributes:
        news: what the player saw happen since the last choice, line by line.
        inputs: how many lines were played.
    """

    def __init__(
        self,
        game: hr.Game,
        player: str,
        opponent: Opponent | None = None,
        *,
        auto: str | None = None,
        on_change: Callable[[hr.Game], None] = lambda _: None,
    ) -> None:
        """`auto` is the name of a policy that settles choices for the player.

        Raises:
            UnknownName: the ruleset has no such policy.
        """
        super().__init__(game, player, opponent, quiet=True, on_change=on_change)
        self.news: list[str] = []
        self.inputs = 0
        self._settler: hr.analysis.Settler | None = None
        self.settle_by(auto)

    # -------------------------------------------------------------- what is shown
    @property
    def player(self) -> str:
        """The player, by the name in the ruleset."""
        return self._player

    @property
    def auto(self) -> str:
        """The name of the policy that settles choices; empty if none does."""
        return "" if self._settler is None else self._settler.name

    @property
    def against(self) -> str:
        """Who plays the other sides, in short: one name if it is the same for all."""
        ruleset, sides = self.game.ruleset, self.other_sides
        names = {side: self._opponent.name_for(ruleset, side) for side in sides}
        if len(set(names.values())) > 1:
            words = zip(ruleset.labels.players_named(sides), names.values(), strict=True)
            return "  ".join(f"{player}: {name}" for player, name in words)
        return self.t.gettext("against: {opponent}", opponent=next(iter(names.values()), ""))

    def show_turn(self) -> None:
        """Nothing: the screen shows it."""

    # -------------------------------------------------------------- playing
    def begin(self) -> None:
        """Play on to the first choice of the player."""
        self._play_on()

    def settle_by(self, policy: str | None) -> None:
        """Let a policy settle what it knows from now on; None or an empty name ends it.

        Raises:
            UnknownName: the ruleset has no such policy.
        """
        rules = self.game.ruleset
        self._settler = hr.analysis.Settler(rules, policy, self._player) if policy else None

    def settle_now(self) -> None:
        """Settle the choice at hand, if the policy knows it."""
        before = self.game
        self.news.clear()
        self._play_on()
        if self.game is not before:
            self._earlier.append(before)

    def play(self, action: hr.Action | str, outcomes: Iterable[str] = ()) -> None:
        """Play one action of the player, and on to the next choice.

        Raises:
            typer.BadParameter: outcomes of chance are given.
            HotsError: the action cannot be played.
        """
        self.check_has_no_outcomes(action, outcomes)
        before = self.game
        self.news.clear()
        self._play_one(action)
        self._earlier.append(before)
        self.inputs += 1

    def play_line(self, line: str, among: tuple[hr.Action, ...] = ()) -> None:
        """Play the choices of a line, one after the other; `among` are the actions that it may mean first.

        The line ends early where something new is seen and another phase begins.

        Raises:
            Stuck: a part means no action, or several. What stood before it is played.
        """
        before = self.game
        self.news.clear()
        try:
            self._play_parts(hr.talk.split_choices(line), among)
        finally:
            if self.game is not before:
                self._earlier.append(before)
                self.inputs += 1

    def _play_parts(self, parts: list[str], among: tuple[hr.Action, ...]) -> None:
        for index, part in enumerate(parts):
            texts = hr.talk.spread(part, among or self.actions)
            for number, text in enumerate(texts):
                at, phase = self.game, self.game.phase
                self._play_one(self._meant(text, among))
                among = ()
                is_last = index == len(parts) - 1 and number == len(texts) - 1
                if is_last or self.game.is_over:
                    continue
                is_news = self.game.undo_limit(self._player) > len(at.moves)
                if is_news and self.game.phase != phase:
                    rest = "; ".join([*texts[number + 1 :], *parts[index + 1 :]])
                    raise Stuck(
                        self.t.gettext("something new happened; not played: {rest}", rest=rest)
                    )

    def _meant(self, text: str, among: tuple[hr.Action, ...]) -> hr.Action:
        """The action that a text means.

        Raises:
            Stuck: there is none, or there are several.
        """
        matching = hr.talk.narrowed(among, text) or hr.talk.narrowed(self.actions, text)
        if len(matching) == 1:
            return matching[0]
        if matching:
            raise Stuck(
                self.t.gettext(
                    "`{text}` may mean {number} choices", text=text, number=len(matching)
                )
            )
        raise Stuck(self._refusal(text))

    def _refusal(self, text: str) -> str:
        """Why a text cannot be played."""
        try:
            self.game.play(text, player=self._player)
        except hr.HotsError as error:
            return str(error)
        return text

    def _play_one(self, action: hr.Action | str) -> None:
        self._advance(self.game.play(action, player=self._player))
        self._play_on()

    def _play_on(self) -> None:
        """Play the others, what is forced and what the policy settles, up to a choice of the player."""
        while not self.game.is_over:
            self._let_opponent_move()
            if self.game.is_over:
                return
            own = self.actions
            action = own[0] if len(own) == 1 else None
            if action is None and self._settler is not None:
                action = self._settler.choose(self.game)
            if action is None:
                return
            self._advance(self.game.play(action))

    def _advance(self, after: hr.Game) -> None:
        before, self.game = self.game, after
        self._on_change(after)
        self.news.extend(step.text for step in self._log.describe(before, after))
        del self.news[:-MAX_NEWS]

    def undo(self) -> None:
        """Take back the last line, unless it revealed something.

        Raises:
            typer.BadParameter: there is no line to take back, or information was revealed since.
        """
        super().undo()
        self.news.clear()
