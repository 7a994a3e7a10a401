"""The server of the Model Context Protocol, which has the tools, and the errors that it reports."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import NoReturn, ParamSpec

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import ValidationError
from pydantic_core import ErrorDetails

import hots_rules as hr
from hots_rules.cli.assistant.games import MAX_TEXT_LENGTH, Games
from hots_rules.cli.assistant.tools import all_tools

P = ParamSpec("P")
READ_ONLY = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
INSTRUCTIONS = """\
Answers about the rules of board games, from rulebooks that are played, not from memory. Begin with `list_rulesets`.
`search` and `look_up` read a rulebook; `set_up` makes a game to ask about, and gives it a name for the other tools.
Every answer cites its sections. A game that one player sees tells nothing that this player may not know."""
MATCH = "match"  # the name of the game that the server is started with


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
    server = LibraryServer("hots_rules", instructions=instructions, version=hr.__version__)
    for tool in all_tools(games):
        server.add_tool(_with_tool_errors(tool), annotations=READ_ONLY)
    return server


class LibraryServer(MCPServer):
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


def _with_tool_errors(tool: Callable[P, str]) -> Callable[P, str]:
    """A tool that raises an error of the library as an error of the protocol, with its remedy."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return tool(*args, **kwargs)
        except hr.HotsError as error:
            raise ToolError(str(error)) from None

    return run
