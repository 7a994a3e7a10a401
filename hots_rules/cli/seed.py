"""`hots seed`: a seed that nobody chose, for games by mail."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

import hots_rules as hr
from hots_rules.cli.arguments import AsJson
from hots_rules.cli.console import complain, say, say_json
from hots_rules.cli.exits import FAULTY, guarded

seed = typer.Typer(
    help="Mix a seed that nobody chose: each player commits, then reveals.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
Player = Annotated[str, typer.Argument(metavar="PLAYER", help="Who commits.")]
Committed = Annotated[
    list[str],
    typer.Option("--commitment", metavar="PLAYER=HEX", help="What a player was committed to."),
]
Revealed = Annotated[
    list[str], typer.Option("--secret", metavar="PLAYER=HEX", help="What a player revealed.")
]


def commit(
    player: Player,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the new secret is kept.")],
) -> None:
    """Write a new secret to FILE, and say the commitment that you send to the others."""
    secret = hr.new_secret()
    committed = hr.commitment(player, secret)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as kept:
        kept.write(f"{secret}\n")
    say(f"{player}={committed}")


def reveal(
    player: Player,
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False)],
) -> None:
    """Say the secret of FILE: when the commitments of all are known, and not before."""
    secret = file.read_text(encoding="ascii", errors="replace")[:100].strip()
    hr.commitment(player, secret)
    say(f"{player}={secret}")


def mix(commitment: Committed, secret: Revealed, as_json: AsJson = False) -> None:
    """Say the seed of all secrets, if each is the one that was committed to."""
    mixed = hr.combine_seeds(_pairs("--secret", secret), _pairs("--commitment", commitment))
    if as_json:
        say_json({"seed": mixed})
    else:
        say(mixed)


def verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A record.")
    ],
    commitment: Committed,
    secret: Revealed,
    as_json: AsJson = False,
) -> None:
    """Whether the dice of a record come from the seed of all secrets."""
    mixed = hr.combine_seeds(_pairs("--secret", secret), _pairs("--commitment", commitment))
    record = hr.read_record(file)
    found = hr.verify(record)
    fits = record.seed == mixed and record.chance == "auto"
    if as_json:
        say_json({"sound": fits and not found.fault, "seed": mixed, "fault": found.fault})
    elif not fits:
        complain(f"expected a game with the seed `{mixed}`, got `{record.seed}`")
    elif found.fault:
        complain(found.fault)
    else:
        say(
            f"the seed is the one that was mixed; {found.actions} actions replayed, all dice are its own"
        )
    if not fits or found.fault:
        raise typer.Exit(FAULTY)


def _pairs(option: str, given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, sign, word = text.partition("=")
        if not sign or not name or name in found:
            raise typer.BadParameter(
                f"expected PLAYER=HEX once a player, got `{text:.80}`", param_hint=option
            )
        found[name] = word.strip()
    return found


for _command in (commit, reveal, mix, verify):
    seed.command(_command.__name__)(guarded(_command))
