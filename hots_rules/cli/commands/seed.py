"""`hots seed`: a random seed to which every player contributes, by commit and reveal."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules._text import plain_text
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo, echo_error, echo_json
from hots_rules.cli.plans import runnable

seed = typer.Typer(
    help="Create a random seed that no player can choose alone.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)
PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="Name of the player.")]


@frozen(kw_only=True)
class Shares:
    """What each player has committed to, and revealed."""

    commitments: tuple[str, ...] = option(
        NEEDED, "Commitment of a player (once per player).", "--commitment", metavar="PLAYER=HEX"
    )
    secrets: tuple[str, ...] = option(
        NEEDED, "Secret of a player (once per player).", "--secret", metavar="PLAYER=HEX"
    )

    def combined(self) -> str:
        """The seed that is mixed of them.

        Raises:
            BadSecret: a secret is not the one of its commitment.
        """
        by_player = _parse_pairs("--secret", self.secrets)
        return hr.records.combine_seeds(by_player, _parse_pairs("--commitment", self.commitments))


def commit(
    player: PlayerName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to create for the secret.")],
) -> None:
    """Write a new secret to FILE and print the commitment to send to the other players."""
    secret = hr.records.new_secret()
    commitment = hr.records.commitment(player, secret)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(f"{secret}\n".encode())
    echo(f"{player}={commitment}")


def reveal(
    player: PlayerName,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="File with the secret."),
    ],
) -> None:
    """Print the secret in FILE; send it only after you have the commitments of all players."""
    text = plain_text(file.read_text(encoding="utf-8", errors="replace"))
    secret = text[:100].strip()
    hr.records.commitment(player, secret)  # raises an error if it is not a secret
    echo(f"{player}={secret}")


def mix(shares: Shares, as_json: args.AsJson = False) -> None:
    """Check each secret against its commitment and print the combined seed."""
    combined = shares.combined()
    echo_json({"seed": combined}) if as_json else echo(combined)


@frozen(kw_only=True)
class SeedPlan(Shares):
    """The game whose dice are checked."""

    file: Path = argument(NEEDED, "Record of a game.", "FILE", is_file=True)


def verify(plan: SeedPlan, as_json: args.AsJson = False, *, reader: args.Reader) -> None:
    """Check that a recorded game used the combined seed for all its dice."""
    combined = plan.combined()
    record = hr.Record.read(plan.file, limits=reader.limits)
    result = hr.records.verify(record, hr.ruleset_for(record, limits=reader.limits))
    matches, is_rolled = record.seed == combined, record.chance == "auto"
    is_sound = matches and is_rolled and not result.fault
    if as_json:
        echo_json({"sound": is_sound, "seed": combined, "fault": result.fault})
    elif not matches:
        echo_error(f"expected a game with the seed `{combined}`, got `{record.seed}`")
    elif not is_rolled:
        echo_error(
            "expected a game whose dice come from its seed, got one whose outcomes were given"
        )
    elif result.fault:
        echo_error(result.fault)
    else:
        echo(f"the seed matches; {result.actions} actions replayed, all dice match")
    fail_if(not is_sound)


def _parse_pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        player, equals, value = text.partition("=")
        if not equals or not player or player in pairs:
            raise typer.BadParameter(
                f"expected PLAYER=HEX once per player, got `{text:.80}`", param_hint=option
            )
        pairs[player] = value.strip()
    return pairs


for _command in (commit, reveal, mix, verify):
    seed.command(_command.__name__)(runnable(_command))
