"""The table of commands: its help, what it loads, the remedies for old commands, and options made from plans."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from attrs import frozen
from typer.testing import CliRunner

from hots_rules._options import NEEDED, argument, option
from hots_rules.cli.app import COMMANDS, GROUPS, app
from hots_rules.cli.moved import MOVED
from hots_rules.cli.plans import with_plans


def hots(*words: str) -> Any:
    """What a command gives."""
    return CliRunner().invoke(app, words)


# ---------------------------------------------------------------- help
def test_the_help_lists_all_commands_in_their_groups() -> None:
    shown = hots("--help").stdout
    found = re.findall(r"^  ([a-z]+)  +[A-Z]|^(\w+):$", shown, re.M)
    listed = [command or f"{title}:" for command, title in found]

    expected = [word for title, group in GROUPS.items() for word in (f"{title}:", *group)]
    assert expected == listed[listed.index("Play:") :]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_summary_is_the_first_sentence_of_the_help(name: str) -> None:
    help_ = COMMANDS[name].load(name).help

    assert COMMANDS[name].summary == help_.partition("\n")[0]


def test_the_help_loads_no_command() -> None:
    code = (
        "import sys; from hots_rules.cli import main; main(); "
        "print(*(name for name in sys.modules if name.startswith('hots_rules.cli.commands.')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True
    )

    assert "" == run.stdout.splitlines()[-1]


# ---------------------------------------------------------------- commands that were
@pytest.mark.parametrize("name", MOVED)
def test_an_old_command_is_answered_with_its_new_form(name: str) -> None:
    wrong = hots(name, "x")
    told = re.findall(r"`(?:hots )?([^`]*)`", MOVED[name])

    assert 2 == wrong.exit_code
    assert f"No such command '{name}'. {MOVED[name]}" in wrong.stderr
    words = told[0].split()
    known = COMMANDS[words[0]].load(words[0])
    if words[0] in {"export", "serve"}:
        known = known.commands[words[1]]
    options = {text for param in known.params for text in param.opts}
    assert {word for text in told for word in text.split() if word.startswith("-")} <= options


def test_an_unknown_command_is_answered_with_the_closest_one() -> None:
    assert "No such command 'paly'. Did you mean 'play'?" in hots("paly").stderr
    assert "No such command 'xyzzy'. `hots --help` lists all." in hots("xyzzy").stderr


# ---------------------------------------------------------------- completion
def completed(*words: str) -> list[str]:
    """What a shell offers for the last of some words."""
    env = {"_HOTS_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": " ".join(("hots", *words))}
    found = CliRunner().invoke(app, [], prog_name="hots", env=env).stdout
    return re.findall(r'"([a-z-]+)":', found)


def test_commands_and_options_are_completed() -> None:
    assert ["play", "playground"] == completed("pl")
    assert ["--seed", "--side", "--save"] == completed("play", "--s")


# ---------------------------------------------------------------- plans
@frozen
class Base:
    words: tuple[str, ...] = option((), "Words.", "--word", metavar="WORD")


@frozen(kw_only=True)
class Plan(Base):
    place: Path = argument(NEEDED, "A place.", "PLACE")
    many: int = option(3, "How many.", min=1)
    width: float = option(0.5, "How wide.", given_as=str, converter=lambda given: float(given))
    is_quick: bool = option(False, "At once.", "--quick")
    kept: str = "inside"


def given(*words: str) -> tuple[Plan | None, str]:
    """The plan that is made from some words, and the output."""
    made: list[Plan] = []

    def command(plan: Plan, quiet: bool = False) -> None:
        made.append(plan)

    small = typer.Typer(rich_markup_mode=None, add_completion=False)
    command.__annotations__ = {"plan": Plan, "quiet": bool}
    small.command("small")(with_plans(command))
    run = CliRunner().invoke(small, words)
    return made[0] if made else None, run.output


def test_the_fields_of_a_plan_are_options_and_arguments() -> None:
    assert given("here")[0] == Plan(place=Path("here"))
    words = ("here", "--word", "a", "--word", "b", "--many", "4", "--width", "2", "--quick")
    expected = Plan(words=("a", "b"), place=Path("here"), many=4, width=2.0, is_quick=True)
    assert given(*words, "--quiet")[0] == expected


def test_a_plan_has_the_help_and_the_limits_of_its_fields() -> None:
    shown = given("--help")[1]

    assert "A place." in shown and "How many." in shown and "default: 3" in shown
    assert "--kept" not in shown and "--no-quick" not in shown
    assert "Invalid value for '--many'" in given("here", "--many", "0")[1]
    assert "Missing argument" in given()[1]
