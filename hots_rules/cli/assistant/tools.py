"""The tools of the assistant's server: their docstrings and parameters are what an assistant reads of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field
from pydantic.fields import FieldInfo

import hots_rules as hr
from hots_rules.cli.assistant import answers
from hots_rules.cli.assistant.games import MAX_TEXT_LENGTH, Games, play_all


def _text(description: str) -> FieldInfo:
    """A parameter that is a text of usual length."""
    field: FieldInfo = Field(max_length=MAX_TEXT_LENGTH, description=description)
    return field


RulesetName = Annotated[str, _text("a name of `list_rulesets`, such as `goofspiel-1.0`")]
GameName = Annotated[str, _text("the name that `set_up` gave, such as `game-1`")]
ActionText = Annotated[
    str, _text("as `legal_actions` writes it, such as `Ann: bid 7` in `goofspiel-1.0`")
]
Question = Annotated[str, _text("in words, such as `whose turn is it` or `can Ann bid 7?`")]
Language = Annotated[str, _text("en, fr or es")]


def all_tools(games: Games) -> tuple[Callable[..., str], ...]:
    """The tools for the games of one connection; all of them only read."""
    return (
        *_rulebook_tools(games),
        *_game_tools(games),
        *_ruling_tools(games),
        *_forecast_tools(games),
    )


# ---------------------------------------------------------------- tools about rules
def _rulebook_tools(games: Games) -> tuple[Callable[..., str], ...]:
    def list_rulesets(
        ruleset: Annotated[str, _text("only this one, with its players and options")] = "",
    ) -> str:
        """The rulesets, with their scenarios; of one ruleset the players and options as well."""
        return answers.rulesets(games, ruleset)

    def search(
        ruleset: RulesetName,
        words: Annotated[str, _text("what to look for, such as `higher card`")],
        language: Language = "en",
    ) -> str:
        """Search a rulebook for some words, in any language of it; each hit has its section."""
        return answers.search(games.ruleset(ruleset, language), words)

    def look_up(
        ruleset: RulesetName,
        name: Annotated[
            str,
            _text("a piece, place, card, section, rule"),
        ],
        game: GameName = "",
        language: Language = "en",
    ) -> str:
        """All about a name or a section; with a game also what holds now."""
        if not game:
            return answers.cards_or_rules(games.ruleset(ruleset, language), name, None)
        viewed = games.find(game)
        return answers.cards_or_rules(viewed.game.in_language(language), name, viewed.player)

    def compare_editions(
        older: RulesetName, newer: RulesetName, section: Annotated[str, _text("such as 5.3")] = ""
    ) -> str:
        """How two editions differ, by section; without a section a summary."""
        return answers.differences(games.ruleset(older), games.ruleset(newer), section)

    def battle_odds(
        ruleset: RulesetName,
        battle: Annotated[
            str,
            _text("such as `PLACE: PIECE 3 against PIECE 4, PIECE 2`: pieces with their strengths"),
        ],
        language: Language = "en",
    ) -> str:
        """The odds of a hypothetical battle that is written in one line, attackers first; with what is assumed."""
        found = hr.talk.battle(games.ruleset(ruleset, language), battle, seconds=answers.SECONDS)
        return answers.battle_odds(found)

    return list_rulesets, search, look_up, compare_editions, battle_odds


# ---------------------------------------------------------------- tools about a game
def _game_tools(games: Games) -> tuple[Callable[..., str], ...]:
    def set_up(
        ruleset: RulesetName = "",
        scenario: Annotated[
            str, _text("a name of `list_rulesets`, such as `full-hands` of `goofspiel-1.0`")
        ] = "",
        position: Annotated[str, Field(description="a whole position as text")] = "",
        changes: Annotated[
            str,
            Field(
                description="lines that replace those of the position, such as `prize 5` in `goofspiel-1.0`"
            ),
        ] = "",
        record: Annotated[str, Field(description="the record of a game as text")] = "",
        game: Annotated[str, _text("a game to go on from, instead")] = "",
        actions: Annotated[
            list[str], Field(description="actions to play, one after the other")
        ] = [],  # noqa: B006
        outcomes: Annotated[
            list[str],
            Field(
                description="outcomes of chance in their order, such as `draw 5` in `goofspiel-1.0`"
            ),
        ] = [],  # noqa: B006
        seed: Annotated[
            str,
            _text("of dice and draws; a new one if empty"),
        ] = "",
        player: Annotated[
            str,
            _text("all answers tell only what this player may know"),
        ] = "",
        language: Language = "en",
    ) -> str:
        """A game to ask about: of a scenario, position, record or another game, after some actions. Gives its name."""
        if game:
            made = games.play(game, actions, outcomes)
        else:
            begun = games.set_up(ruleset, scenario, position, changes, record, seed, language)
            made = play_all(begun, actions, outcomes)
        name = games.keep(made, player or None)
        return f"game: {name}\n{answers.game_text(games.find(name))}"

    def show(game: GameName) -> str:
        """The state of a game, and who chooses, as the player of the game may know it."""
        return answers.game_text(games.find(game))

    return set_up, show


def _ruling_tools(games: Games) -> tuple[Callable[..., str], ...]:
    def legal_actions(
        game: GameName,
        words: Annotated[
            str,
            _text("only actions with all of them, such as `bid, 7`"),
        ] = "",
    ) -> str:
        """The legal actions, or those that contain all words."""
        return answers.legal_actions(games.find(game), words)

    def why(game: GameName, action: ActionText) -> str:
        """Why an action is legal, with the sections."""
        viewed = games.find(game)
        return viewed.game.why(action, player=viewed.player).text("paragraph")

    def why_not(game: GameName, action: ActionText) -> str:
        """Why an action is not legal, with the sections."""
        viewed = games.find(game)
        return viewed.game.why_not(action, player=viewed.player).text("paragraph")

    def ask(game: GameName, question: Question) -> str:
        """Answer a question about a game in words, such as `whose turn is it`."""
        return answers.answer(games.find(game), question)

    def ask_editions(game: GameName, question: Question) -> str:
        """Ask all editions of the rulebook the same: an action (is it legal?), or a question that they declare."""
        viewed = games.find(game)
        answers.require_full_view(viewed, "ask_editions")
        return answers.edition_answers(viewed.game, question)

    return legal_actions, why, why_not, ask, ask_editions


def _forecast_tools(games: Games) -> tuple[Callable[..., str], ...]:
    def odds(
        game: GameName,
        action: Annotated[str, _text("an action to play first")] = "",
        until: Annotated[
            str,
            _text(
                "`decision`, `game`, or a phase of the ruleset, such as `award` of `goofspiel-1.0`"
            ),
        ] = "decision",
        policy: Annotated[
            str,
            _text("what players choose on the way, such as `fight-on`"),
        ] = "",
        expression: Annotated[
            str, _text("over the state, such as `score[Ann]` in `goofspiel-1.0`")
        ] = "",
    ) -> str:
        """The exact odds of what may follow, or estimates from samples if there is too much of it."""
        viewed = games.find(game)
        answers.require_full_view(viewed, "odds")
        return answers.odds(viewed.game, action, until, policy, expression)

    def bot_choice(
        game: GameName,
        bot: Annotated[
            str,
            _text(
                "`random`, a policy of the ruleset that plays whole games, `monte-carlo`, `ismcts` or one of a "
                "package; a number of games to try may follow, as in `ismcts:50`"
            ),
        ] = "monte-carlo",
        chooser: Annotated[str, _text("the player who chooses; the first who may if empty")] = "",
    ) -> str:
        """The action that a bot would choose now, from what its player may know; another one may be better."""
        return answers.bot_choice(games.find(game), bot, chooser)

    return odds, bot_choice
