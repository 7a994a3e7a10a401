"""The commands of `hots`, and what its help says."""

from __future__ import annotations

from typing import Annotated

import typer

from hots_rules import __version__
from hots_rules.cli.ask import ask
from hots_rules.cli.check import check
from hots_rules.cli.console import say
from hots_rules.cli.coverage import coverage
from hots_rules.cli.diff import diff
from hots_rules.cli.diverge import diverge
from hots_rules.cli.draw import draw
from hots_rules.cli.exits import guarded
from hots_rules.cli.formats import corpus, schema
from hots_rules.cli.listing import list_rulesets
from hots_rules.cli.odds import odds
from hots_rules.cli.play import play
from hots_rules.cli.repl import dispute, repl
from hots_rules.cli.replay import replay, verify
from hots_rules.cli.seed import seed
from hots_rules.cli.show import show
from hots_rules.cli.simulate import simulate
from hots_rules.cli.why import explain, why, whynot

EPILOG = """\
\b
Exit codes:
  0    fine
  1    the ruleset, the record or the position has faults
       for diff, ask and diverge: something differs
  2    wrong use: an unknown command, name, option or file
       for diff, ask and diverge: whatever cannot be compared
  130  stopped by Ctrl-C
  141  nobody reads the output any more

NO_COLOR=1 turns colours off. HOTS_RULES_CACHE names the folder of compiled rulesets.
"""

app = typer.Typer(
    name="hots",
    help="Rulebooks as data: read them, check them, play them.",
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        say(f"hots {__version__}")
        raise typer.Exit()


@app.callback()
def hots(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Rulebooks as data: read them, check them, play them."""


app.command("list")(guarded(list_rulesets))
app.command("show")(guarded(show))
app.command("check")(guarded(check))
app.command("diff")(guarded(diff))
app.command("ask")(guarded(ask))
app.command("diverge")(guarded(diverge))
app.command("odds")(guarded(odds))
app.command("coverage")(guarded(coverage))
app.command("why")(guarded(why))
app.command("whynot")(guarded(whynot))
app.command("explain")(guarded(explain))
app.command("play")(guarded(play))
app.command("draw")(guarded(draw))
app.command("simulate")(guarded(simulate))
app.command("repl")(guarded(repl))
app.command("dispute")(guarded(dispute))
app.command("replay")(guarded(replay))
app.command("verify")(guarded(verify))
app.add_typer(seed, name="seed")
app.command("schema")(guarded(schema))
app.command("corpus")(guarded(corpus))
