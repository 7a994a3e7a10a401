"""The games that an assistant asks about: each has a name, and optionally one player's view of it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from attrs import define, field, frozen

import hots_rules as hr

MAX_GAMES = 50  # that are kept; the oldest is forgotten first
MAX_ACTIONS = 500  # that one call plays
MAX_TEXT_LENGTH = 2_000  # characters of a question, an action or a name


@frozen
class ViewedGame:
    """A game, and the player whose knowledge limits all answers about it; None limits nothing."""

    game: hr.Game
    player: str | None


@define
class Games:
    """The games of one connection.

    Attributes:
        limits: the limits of rulesets, positions and records.
    """

    limits: hr.Limits
    _games: OrderedDict[str, ViewedGame] = field(factory=OrderedDict, init=False)
    _count: int = field(default=0, init=False)

    def ruleset(self, name: str, language: str = "en") -> hr.Ruleset:
        """An installed ruleset; a name is never taken for a path.

        Raises:
            UnknownName: there is no ruleset of that name, or no such language.
            RulesetError: it has faults.
        """
        if name not in hr.rulesets():
            raise hr.UnknownName("ruleset", name[:MAX_TEXT_LENGTH], hr.rulesets())
        return hr.load(name, limits=self.limits).in_language(language)

    def find(self, name: str) -> ViewedGame:
        """The game with a name.

        Raises:
            UnknownName: there is none, or it was forgotten.
        """
        if name not in self._games:
            raise hr.UnknownName("game", name[:MAX_TEXT_LENGTH], self._games)
        return self._games[name]

    def keep(self, game: hr.Game, player: str | None, name: str = "") -> str:
        """Keep a game; return its name.

        Raises:
            UnknownName: no such player.
        """
        if player is not None and player not in game.ruleset.players:
            raise hr.UnknownName("player", player[:MAX_TEXT_LENGTH], game.ruleset.players)
        self._count += 1
        name = name or f"game-{self._count}"
        self._games[name] = ViewedGame(game, player)
        while len(self._games) > MAX_GAMES:
            self._games.popitem(last=False)
        return name

    def set_up(
        self,
        ruleset: str,
        scenario: str = "",
        position: str = "",
        changes: str = "",
        record: str = "",
        seed: str = "",
        language: str = "en",
    ) -> hr.Game:
        """A new game: of a scenario, a position or a record, with changes of its position.

        Raises:
            HotsError: something of it cannot be read, or the rules do not allow it.
        """
        rules = self.ruleset(ruleset, language)
        if record:
            game = hr.replay(record, rules, limits=self.limits).in_language(language)
        elif position:
            game = rules.position(position)
        else:
            game = rules.start(scenario or rules.scenarios[0], seed=seed or None)
        return game.with_position_changes(changes) if changes else game

    def play(self, name: str, actions: Sequence[str], outcomes: Sequence[str]) -> hr.Game:
        """A game after some actions.

        Raises:
            ArgumentError: there is no such game, there are too many actions, or it is seen by one player only, who
                must not try out what the others hide.
            HotsError: an action is not legal, or an outcome of chance not possible.
        """
        viewed = self.find(name)
        if viewed.player is not None:
            needed = "a game that is not seen by one player only"
            raise hr.BadArgument("game", name, needed)
        return play_all(viewed.game, actions, outcomes)


def play_all(game: hr.Game, actions: Sequence[str], outcomes: Sequence[str]) -> hr.Game:
    """A game after some actions, and the outcomes of chance that follow them; others are random.

    Raises:
        BadArgument: there are too many.
        HotsError: one of them is not legal, or not possible.
    """
    number = len(actions) + len(outcomes)
    if number > MAX_ACTIONS:
        raise hr.BadArgument("actions", number, f"at most {MAX_ACTIONS}")
    if not number:
        return game
    start = hr.records.with_explicit_chance(game)
    *_, last = [start, *hr.records.play_with_outcomes(start, actions, outcomes)]
    return last
