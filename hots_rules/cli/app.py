"""The commands of `hots`, and its help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from hots_rules import __version__
from hots_rules.cli.arguments import with_limits
from hots_rules.cli.commands.atlas import atlas
from hots_rules.cli.commands.attribute import attribute
from hots_rules.cli.commands.battle import battle
from hots_rules.cli.commands.cases import cases
from hots_rules.cli.commands.compare import ask, diff, diverge
from hots_rules.cli.commands.debug import debug
from hots_rules.cli.commands.fmt import fmt
from hots_rules.cli.commands.formats import corpus, draw, export_wasm, schema
from hots_rules.cli.commands.lsp import lsp
from hots_rules.cli.commands.mcp import mcp
from hots_rules.cli.commands.new import new
from hots_rules.cli.commands.odds import odds, simulate
from hots_rules.cli.commands.play import dispute, play, repl
from hots_rules.cli.commands.playground import playground
from hots_rules.cli.commands.records import replay, verify
from hots_rules.cli.commands.rulesets import check, contents, coverage, find, list_rulesets, show
from hots_rules.cli.commands.rulings import explain, why, whynot
from hots_rules.cli.commands.seed import seed
from hots_rules.cli.commands.serve import serve
from hots_rules.cli.commands.study import study
from hots_rules.cli.commands.test import test
from hots_rules.cli.commands.tokens import tokens
from hots_rules.cli.commands.witness import witness
from hots_rules.cli.exits import COMPARISON_EXIT_CODES, EXIT_CODES, with_exit_code
from hots_rules.cli.output.console import echo

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

app = typer.Typer(
    name="hots",
    help=SUMMARY,
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
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


def _add(
    *commands: Callable[..., None], compares: bool = False, reads: bool = True, name: str = ""
) -> None:
    """Add commands; those that read what strangers write have limits."""
    for command in commands:
        limited = with_limits(command) if reads else command
        app.command(name or None, hidden=bool(name))(with_exit_code(limited, compares=compares))


# In the order of the help.
app.command("list")(with_exit_code(list_rulesets))
_add(show, find, contents, check)
_add(new)
_add(fmt, reads=False)
_add(test, cases, coverage)
_add(diff, witness, ask, diverge, dispute, compares=True)
_add(
    atlas,
    study,
    attribute,
    play,
    repl,
    simulate,
    odds,
    battle,
    why,
    whynot,
    explain,
    draw,
    replay,
    verify,
    debug,
)
_add(schema, serve, tokens, playground, lsp, reads=False)
_add(mcp)
_add(corpus, export_wasm)
_add(whynot, name="why-not")
app.add_typer(seed, name="seed")
