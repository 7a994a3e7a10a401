"""The commands of `hots` by groups, and its help; the module of a command is loaded when it runs."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import frozen
from typer.core import TyperGroup

from hots_rules import __version__
from hots_rules.cli.exits import COMPARISON_EXIT_CODES, EXIT_CODES
from hots_rules.cli.moved import MOVED
from hots_rules.cli.output.console import echo
from hots_rules.cli.plans import runnable

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

SUMMARY = "Play, query and compare board games from their written rules."
EPILOG = "\n".join(
    (
        "\b",
        "Exit status:",
        *(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items()),
        f"  {COMPARISON_EXIT_CODES}",
        "",
        "\b",
        "Environment:",
        "  NO_COLOR               disable colors",
        "  HOTS_RULES_CACHE       folder of compiled rulesets",
        "  HOTS_RULES_CACHE_SIZE  its size in megabytes (100)",
    )
)


@frozen
class CommandEntry:
    """A command as the help lists it, and where it is loaded from.

    Attributes:
        summary: the first sentence of its own help.
        place: where it is: a module of `hots_rules.cli.commands`, and the name of the function or group in it; both
            are the name of the command if it is empty.
        compares: whether it exits with 1 if it finds a difference.
    """

    summary: str
    place: str = ""
    compares: bool = False

    def load(self, name: str) -> Command:
        """The command, with a name."""
        module, _, function = (self.place or f"{name}:{name}").partition(":")
        loaded = getattr(import_module(f"hots_rules.cli.commands.{module}"), function)
        if not isinstance(loaded, typer.Typer):
            app = typer.Typer(rich_markup_mode=None, add_completion=False)
            app.command(name)(runnable(loaded, compares=self.compares))
            loaded = app
        return typer.main.get_command(loaded)


PLAY = {
    "play": CommandEntry("Play a game with random moves, or one side of it yourself."),
    "repl": CommandEntry(
        "Open a prompt to set up positions, play, and query the rules.", "play:repl"
    ),
    "simulate": CommandEntry(
        "Play many games with random moves, and count the results.", "odds:simulate"
    ),
    "replay": CommandEntry("Replay a record and show the state of the game.", "records:replay"),
    "verify": CommandEntry(
        "Replay a record, and check its digests and its seal.", "records:verify"
    ),
    "debug": CommandEntry("Step through a recorded game rule by rule, hidden parts too."),
    "draw": CommandEntry("Draw a position, or a state of a recorded game, as a map."),
    "seed": CommandEntry("Create a random seed that no player can choose alone."),
}
ASK = {
    "list": CommandEntry(
        "List the installed rulesets and their scenarios.", "rulesets:list_rulesets"
    ),
    "show": CommandEntry("Show a section, a declaration, or the card of a piece.", "rulesets:show"),
    "ask": CommandEntry(
        "Answer a question about the rules, a record or a position.", compares=True
    ),
    "find": CommandEntry("Answer as `hots ask` does.", "ask:find", compares=True),
    "why": CommandEntry("Explain why an action is legal or illegal, or what it did."),
    "odds": CommandEntry("Compute the probabilities of possible outcomes."),
    "battle": CommandEntry("Compute the odds of a battle that you make up."),
}
COMPARE = {
    "diff": CommandEntry("Show how rulesets differ, in a table by section.", compares=True),
    "witness": CommandEntry(
        "Find a small position that A and B decide differently.", compares=True
    ),
    "study": CommandEntry("Compare how the same games end under several rulesets."),
    "attribute": CommandEntry(
        "Divide the change in a player's wins among the differences.", "study:attribute"
    ),
}
WRITE = {
    "new": CommandEntry("Start a game of your own, or a house rule, in a new folder."),
    "check": CommandEntry("Check a ruleset, and report all its faults.", "rulesets:check"),
    "fmt": CommandEntry("Format rulesets; comments are kept."),
    "test": CommandEntry("Play the cases in Markdown files, and report lines that fail."),
    "export": CommandEntry("Write schemas, types, a sample game, or WebAssembly."),
}
SERVE = {
    "serve": CommandEntry("Open a table to play at in a browser."),
    "tables": CommandEntry("List, export, close or delete the games of a table."),
    "playground": CommandEntry("Write, play and compare rules in the browser."),
    "lsp": CommandEntry("Run the language server, which an editor starts.", "servers:lsp"),
    "mcp": CommandEntry("Run a Model Context Protocol server for an assistant.", "servers:mcp"),
}
# In the order of the help.
GROUPS = MappingProxyType(
    {"Play": PLAY, "Ask": ASK, "Compare": COMPARE, "Write": WRITE, "Serve": SERVE}
)
COMMANDS = MappingProxyType({**PLAY, **ASK, **COMPARE, **WRITE, **SERVE})


class Commands(TyperGroup):
    """The commands, of which each is loaded when it is asked for."""

    def list_commands(self, ctx: Context) -> list[str]:
        """Their names, in the order of the help."""
        return [*COMMANDS]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """The command of a name, or None."""
        entry = COMMANDS.get(cmd_name)
        return None if entry is None else entry.load(cmd_name)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the help of the commands, group by group."""
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{name:{width}}", command.summary) for name, command in group.items()]
                )

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        """The command that the arguments begin with; the error for another word has the closest name.

        Raises:
            UsageError: there is no such command.
        """
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, 1)
            remedy = f"Did you mean '{close[0]}'?" if close else "`hots --help` lists all."
            ctx.fail(f"No such command '{name}'. {MOVED.get(name, remedy)}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    name="hots",
    help=SUMMARY,
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _echo_version(value: bool) -> None:
    if value:
        echo(f"hots {__version__}")
        raise typer.Exit()


@app.callback()
def hots(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_echo_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """The options of `hots` itself."""
