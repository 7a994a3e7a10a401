"""The server of the Model Context Protocol: read-only tools that ask the library."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Annotated, NoReturn, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

import hots_rules as hr
from hots_rules.cli.assistant import answers
from hots_rules.cli.assistant.games import MAX_TEXT_LENGTH, Games, played

P = ParamSpec("P")
READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
INSTRUCTIONS = """\
Answers about the rules of board games, from rulebooks that are played, not from memory. Begin with `list_rulesets`.
`search` and `look_up` read a rulebook; `set_up` makes a game to ask about, and gives it a name for the other tools.
Every answer cites its sections. A game that one player sees tells nothing that this player may not know."""
MATCH = "match"  # the name of the game that the server is started with


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


def make_server(
    limits: hr.Limits | None = None, game: hr.Game | None = None, player: str | None = None
) -> MCPServer:
    """A server with all tools.

    Args:
        limits: the limits of rulesets, positions and records; the usual ones if omitted.
        game: a game that the tools find under the name `match`.
        player: whoever asks about that game knows only what this player may know.

    Raises:
        UnknownName: no such player.
    """
    games = Games(limits or hr.Limits())
    instructions = INSTRUCTIONS
    if game is not None:
        games.keep(game, player, MATCH)
        whose = f", seen by {player}" if player else ""
        instructions += f"\nThe game `{MATCH}` is open: {game.ruleset.title}{whose}."
    server = ToldServer("hots_rules", instructions=instructions, version=hr.__version__)
    for tool in (*_of_rules(games), *_of_games(games)):
        server.add_tool(_told(tool), annotations=READS)
    return server


class ToldServer(MCPServer):
    """A server that reports the faults of a call in the form of all errors of the library, with their remedies."""

    async def call_tool(
        self,
        name: str,
        arguments: dict[str, object],
        context: Context[object, object] | None = None,
    ) -> CallToolResult | InputRequiredResult:
        """See `MCPServer.call_tool`."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(str(hr.UnknownName("tool", name[:MAX_TEXT_LENGTH], tools)))
        parameters = tools[name].input_schema.get("properties", {})
        for given in arguments:
            if given not in parameters:
                raise ToolError(
                    str(hr.UnknownName("parameter", given[:MAX_TEXT_LENGTH], parameters))
                )
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                faults = [_bad_argument(fault) for fault in error.__cause__.errors()]
                raise ToolError("\n".join(map(str, faults))) from None
            if isinstance(error, UnexpectedToolError):
                raise
            raise ToolError(str(error).removeprefix(f"Error executing tool {name}: ")) from None

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, object] | None = None,
        context: Context[object, object] | None = None,
    ) -> NoReturn:
        """Refuse a prompt: there are only tools.

        Raises:
            MCPError: always, as of a resource that does not exist.
        """
        del arguments, context
        raise MCPError(INVALID_PARAMS, str(hr.UnknownName("prompt", name[:MAX_TEXT_LENGTH])))


def _bad_argument(fault: ErrorDetails) -> hr.BadArgument:
    """What is wrong with an argument."""
    name = str(fault["loc"][0])
    if fault["type"] == "missing":
        return hr.BadArgument(name, "nothing", "a text")
    needed = {
        "string_type": "a text",
        "list_type": "a list of texts",
        "string_too_long": f"at most {MAX_TEXT_LENGTH} characters",
    }.get(fault["type"], fault["msg"])
    return hr.BadArgument(name, str(fault["input"])[:80], needed)


def _told(tool: Callable[P, str]) -> Callable[P, str]:
    """A tool that reports faults as a command does, with their remedies."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return tool(*args, **kwargs)
        except hr.HotsError as error:
            raise ToolError(str(error)) from None

    return run


# ---------------------------------------------------------------- tools about rules
def _of_rules(games: Games) -> tuple[Callable[..., str], ...]:
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
            return answers.looked_up(games.ruleset(ruleset, language), name, None)
        seen = games.find(game)
        return answers.looked_up(seen.game.in_language(language), name, seen.player)

    def compare_editions(
        older: RulesetName,
        newer: RulesetName,
        section: Annotated[str, _text("such as 5.3")] = "",
    ) -> str:
        """What two editions have differently, by section; without a section a summary."""
        return answers.compared(games.ruleset(older), games.ruleset(newer), section)

    def battle_odds(
        ruleset: RulesetName,
        battle: Annotated[
            str,
            _text("such as `PLACE: PIECE 3 against PIECE 4, PIECE 2`: pieces with their strengths"),
        ],
        language: Language = "en",
    ) -> str:
        """The odds of a battle that is made up in one line, attackers first, with what is assumed."""
        found = hr.talk.battle(games.ruleset(ruleset, language), battle, seconds=answers.SECONDS)
        return answers.of_battle(found)

    return list_rulesets, search, look_up, compare_editions, battle_odds


# ---------------------------------------------------------------- tools about a game
def _of_games(games: Games) -> tuple[Callable[..., str], ...]:
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
            made = played(begun, actions, outcomes)
        name = games.keep(made, player or None)
        return f"game: {name}\n{answers.shown(games.find(name))}"

    def show(game: GameName) -> str:
        """A game as it stands: who chooses, and the state, as the player of the game may know it."""
        return answers.shown(games.find(game))

    def legal_actions(
        game: GameName,
        words: Annotated[
            str,
            _text("only actions with all of them, such as `bid, 7`"),
        ] = "",
    ) -> str:
        """The legal actions, or those that contain all words."""
        return answers.legal(games.find(game), words)

    def why(game: GameName, action: ActionText) -> str:
        """Why an action is legal, with the sections."""
        seen = games.find(game)
        return seen.game.why(action, player=seen.player).text("paragraph")

    def why_not(game: GameName, action: ActionText) -> str:
        """Why an action is not legal, with the sections."""
        seen = games.find(game)
        return seen.game.why_not(action, player=seen.player).text("paragraph")

    def ask(game: GameName, question: Question) -> str:
        """Answer a question about a game in words, such as `whose turn is it`."""
        return answers.asked(games.find(game), question)

    def ask_editions(game: GameName, question: Question) -> str:
        """Ask all editions of the rulebook the same: an action (is it legal?), or a question that they declare."""
        seen = games.find(game)
        answers.refuse_if_secret(seen, "ask_editions")
        return answers.of_editions(seen.game, question)

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
        seen = games.find(game)
        answers.refuse_if_secret(seen, "odds")
        return answers.odds(seen.game, action, until, policy, expression)

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
        return answers.chosen_by(games.find(game), bot, chooser)

    return set_up, show, legal_actions, why, why_not, ask, ask_editions, odds, bot_choice
