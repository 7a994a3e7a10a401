"""`hots odds`: tables, comparisons, bounds, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import NoReturn

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.native.refusal import NotLowered
from tests.analysis.battles import battle
from tests.needs import needs

HELD = "some army(Scotland, Fife)"
ONE_TURN = """ruleset one-1.0 "One turn"
type Side = Red | Blue
players Side
state
  turn : 0..9
clock turn
action rest §1 "Rest."
  permit
phase game §1 "A turn."
  turn += 1
  choose Red: rest
  win Red
scenario table §1 "A table"
  game()
positions begin at game
"""
FIGHT = ("--until", "battle", "--policy", "fight-on")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("odds") / "battle.rec"
    battle({"Barclay": 1}, {"Northumber Infantry": 1}).save(path)
    return str(path)


def odds(*words: str) -> tuple[int, str, str]:
    found = CliRunner().invoke(app, ["odds", *words])
    return found.exit_code, found.stdout, found.stderr


def test_a_question_has_a_table(record: str) -> None:
    """Barclay falls in 2/9 × (1 + 4/9 + 16/81) = 266/729 of the battles."""
    code, said, _ = odds(record, *FIGHT, "--ask", "place[Barclay]")

    assert 0 == code
    assert ["place[Barclay]", "  Fife   63.51 %", "  Pool   36.49 %"] == said.splitlines()[2:]


def test_another_option_is_another_column(record: str) -> None:
    """With schiltroms the defender hits on three: 1/2 × (1 + 1/3 + 1/9) of the attackers fall."""
    _, said, _ = odds(
        record, *FIGHT, "--ask", "place[Northumber_Infantry] = Pool", "--compare", "schiltroms=yes"
    )

    assert "  yes   54.73 %   72.22 %" in said.splitlines()


def test_another_edition_is_another_column(record: str) -> None:
    _, said, _ = odds(record, *FIGHT, "--ask", HELD, "--under", "hots-3.x", "--json")
    found = json.loads(said)

    assert ["hots-4.0", "hots-3.x"] == list(found)
    assert found["hots-3.x"]["ruleset"] == "hots-3.x"


def test_json_holds_the_fractions(record: str) -> None:
    _, said, _ = odds(record, *FIGHT, "--ask", HELD, "--json")
    shares = json.loads(said)["hots-4.0"]["questions"][HELD]

    # 1 less the chance that the defender falls, (2/3 × 1/3) × (1 + 4/9 + 16/81)
    lost = Fraction(2, 9) * (1 + Fraction(4, 9) + Fraction(16, 81))
    assert {False: str(lost), True: str(1 - lost)} == {s["answer"]: s["fraction"] for s in shares}


def test_without_a_question_all_changes_are_printed(record: str) -> None:
    _, said, _ = odds(record, *FIGHT)

    assert "place[Barclay]" in said.splitlines()
    assert "  combat_round  0" in said[said.index("certain") :].splitlines()


def test_an_estimate_is_marked(record: str) -> None:
    _, said, _ = odds(record, *FIGHT, "--ask", HELD, "--states", "2", "--samples", "100")

    assert "estimated from 100 samples" in said
    assert said.splitlines()[-1].endswith(")")


def test_odds_of_a_position(tmp_path: Path) -> None:
    path = tmp_path / "start.txt"
    path.write_text(hr.load("hots-4.0").start("braveheart").position, "utf-8")
    code, said, _ = odds(str(path), "--ruleset", "hots-4.0", "--ask", "year")

    assert (0, "  1297  100.00 %") == (code, said.splitlines()[-1])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--until", "batle"), "did you mean `battle`?"),
        (("--until", "battle"), "no policy chooses among"),
        ((*FIGHT, "--ask", "side[Menteith]"), "did you mean `Mentieth`?"),
        ((*FIGHT, "--policy", "Scotland=random"), "expected PLAYER=POLICY"),
        ((*FIGHT, "--compare", "schiltrom=yes"), "did you mean `schiltroms`?"),
        ((*FIGHT, "--states", "2", "--samples", "0"), "more than 2 states"),
        (("Scotland: fire Wallace",), "is not a legal action"),
        ((*FIGHT, "--plot", "x.png"), "--plot needs a question"),
    ],
)
def test_errors_are_reported(record: str, words: tuple[str, ...], message: str) -> None:
    code, said, complaint = odds(record, *words)

    assert code in (1, 2)
    assert "" == said
    assert message in complaint


@pytest.mark.thorough
def test_a_chart_is_drawn(record: str, tmp_path: Path) -> None:
    needs("matplotlib")
    path = tmp_path / "chart.svg"
    code, _, _ = odds(
        record, *FIGHT, "--ask", HELD, "--compare", "schiltroms=yes", "--plot", str(path)
    )

    assert 0 == code
    assert "<svg" in path.read_text("utf-8")


def test_a_back_end_that_cannot_play_a_ruleset_is_replaced_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*args: object, **ways: object) -> NoReturn:
        raise NotLowered("arithmetic with more than 64 bits", "event_scores")

    needs("wasmtime")
    monkeypatch.setattr("hots_rules.analysis.simulating.batches.native_code", refuse)
    file = tmp_path / "one.rules"
    file.write_text(ONE_TURN)
    asked = ["simulate", str(file), "--games", "2", "--backend"]

    named = CliRunner().invoke(app, [*asked, "wasm"])
    data = json.loads(CliRunner().invoke(app, [*asked, "wasm", "--json"]).stdout)

    reason = (
        "the ruleset has arithmetic with more than 64 bits, in `event_scores`: "
        "give its numbers narrower bounds"
    )
    assert named.stdout.splitlines()[-1] == f"back end: python, since {reason}"
    assert ("python", reason) == (data["backend"], data["why"])
    plain = CliRunner().invoke(app, [*asked, "python"])
    assert plain.stdout.splitlines()[-1] == "back end: python"
