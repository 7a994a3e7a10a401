"""The commands of the prompt have names in each language of the library."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

import hots_rules as hr
from hots_rules.cli.prompt.commands import COMMANDS
from hots_rules.cli.prompt.edition_questions import EDITION_COMMANDS
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game
from hots_rules.talk.commands import find_command, folded


def prompt(language: str) -> Repl:
    ruleset = hr.load("reversi-1.0").in_language(language)
    return Repl(Session(new_game(ruleset, "", "1")))


def told(repl: Repl, line: str) -> str:
    output = io.StringIO()
    with redirect_stdout(output):
        repl.execute(line)
    return output.getvalue()


@pytest.mark.parametrize("language", ["fr", "es"])
def test_every_command_is_found_by_its_name_in_the_language_and_in_english(language: str) -> None:
    repl = prompt(language)
    for command in (*COMMANDS, *EDITION_COMMANDS):
        own = hr.talk.name_in(repl.session.t.gettext(command.usage))
        for name in (own, own.upper(), folded(own), command.name):
            found = find_command(f"{name} x", repl.forms())

            assert found is not None
            assert (found[0].name, found[1]) == (command.name, "x"), name


@pytest.mark.parametrize(
    ("language", "line", "parts"),
    [
        ("fr", "aide", ["aide [COMMANDE]", "jouer ACTION", "pourquoi pas ACTION", "quitter"]),
        ("fr", "AIDE jouer", ["jouer ACTION"]),
        ("es", "ayuda", ["ayuda [ORDEN]", "jugar ACCIÓN", "por qué no ACCIÓN", "salir"]),
        ("es", "ayuda por que", ["por qué ACCIÓN"]),
        ("es", "help play", ["jugar ACCIÓN"]),
    ],
)
def test_help_is_in_the_language(language: str, line: str, parts: list[str]) -> None:
    shown = told(prompt(language), line)

    assert [part for part in parts if part not in shown] == []


@pytest.mark.parametrize(("language", "line"), [("fr", "quitter"), ("es", "salir"), ("es", "quit")])
def test_the_prompt_is_left_in_the_language(language: str, line: str) -> None:
    assert not prompt(language).execute(line)


def test_a_missing_argument_is_told_with_the_usage_of_the_language() -> None:
    assert "enregistrer FICHIER" in told(prompt("fr"), "enregistrer")
