"""The commands of `hots`, and its help."""

from __future__ import annotations

from typing import Annotated

import typer

from hots_rules import __version__
from hots_rules.cli.commands.compare import ask, diff, diverge
from hots_rules.cli.commands.coverage import coverage
from hots_rules.cli.commands.draw import draw
from hots_rules.cli.commands.formats import corpus, schema
from hots_rules.cli.commands.odds import odds
from hots_rules.cli.commands.play import play
from hots_rules.cli.commands.records import replay, verify
from hots_rules.cli.commands.repl import dispute, repl
from hots_rules.cli.commands.rulesets import check, list_rulesets, show
from hots_rules.cli.commands.rulings import explain, why, whynot
from hots_rules.cli.commands.seed import seed
from hots_rules.cli.commands.simulate import simulate
from hots_rules.cli.exits import COMPARING, EXIT_CODES, with_exit_code
from hots_rules.cli.output.console import echo

SUMMARY = "Play, query and compare board games from their written rules."
EPILOG = "\n".join(
    (
        "\b",
        "Exit status:",
        *(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items()),
        f"  {COMPARING}",
        "",
        "\b",
        "Environment:",
        "  NO_COLOR          disable colors",
        "  HOTS_RULES_CACHE  folder of compiled rulesets",
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


def _echo_version(wanted: bool) -> None:
    if wanted:
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


app.command("list")(with_exit_code(list_rulesets))
app.command("show")(with_exit_code(show))
app.command("check")(with_exit_code(check))
app.command("coverage")(with_exit_code(coverage))
app.command("diff")(with_exit_code(diff, compares=True))
app.command("ask")(with_exit_code(ask, compares=True))
app.command("diverge")(with_exit_code(diverge, compares=True))
app.command("dispute")(with_exit_code(dispute, compares=True))
app.command("play")(with_exit_code(play))
app.command("repl")(with_exit_code(repl))
app.command("simulate")(with_exit_code(simulate))
app.command("odds")(with_exit_code(odds))
app.command("why")(with_exit_code(why))
app.command("whynot")(with_exit_code(whynot))
app.command("explain")(with_exit_code(explain))
app.command("draw")(with_exit_code(draw))
app.command("replay")(with_exit_code(replay))
app.command("verify")(with_exit_code(verify))
app.add_typer(seed, name="seed")
app.command("schema")(with_exit_code(schema))
app.command("corpus")(with_exit_code(corpus))
