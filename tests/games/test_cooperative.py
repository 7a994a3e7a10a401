"""A cooperative game at every surface: all win together or all lose, and some players are not in its scenario."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.cooperative import COOPERATIVE, cooperative

# A test writes the rules anew.
pytestmark = pytest.mark.loads_anew


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> hr.Ruleset:
    monkeypatch.chdir(tmp_path)
    return cooperative(tmp_path)


def typed(*lines: str, options: tuple[str, ...] = ()) -> str:
    """What the prompt prints for some lines."""
    result = CliRunner().invoke(app, ["repl", "lanterns.rules", *options], input="\n".join(lines))
    return result.output


def printed(*arguments: str) -> str:
    return CliRunner().invoke(app, arguments, input="").output


# ---------------------------------------------------------------- the log
def told(game: hr.Game, viewer: str | None = None) -> list[str]:
    """The log of a rest, without sections."""
    after = game.play("rest")
    return [step.text for step in hr.explain.GameLog(viewer).describe(game, after)]


def test_an_event_after_an_action_without_arguments_is_told(rules: hr.Ruleset) -> None:
    assert ["Ada: rest", "draw card", "blown", "turn is now 2"] == told(rules.start("two", seed=1))


def test_a_player_reads_what_happened_before_the_clock_went_on(rules: hr.Ruleset) -> None:
    game = rules.start("two", seed=0)

    assert ["draw card", "drawn: Ada, a card of Ada", "turn is now 2"] == told(game, "Bram")[1:]


def test_why_all_lose_is_explained_at_the_end(rules: hr.Ruleset) -> None:
    game = rules.start("two", seed=4)
    while not game.is_over:
        game = game.play("rest")

    told = game.explain().text("paragraph")

    assert "so blown (blown lanterns-1.0 §3); so The wind puts out a lamp" in told
    assert told.endswith(
        "\nnobody wins: The wind puts out a lamp, and without a lamp all lose. (§3)"
    )
    assert "nobody" not in game.explain("rest").text("paragraph")


# ---------------------------------------------------------------- the prompt
@pytest.mark.parametrize("name", ["kept.txt", '"kept here.txt"'])
def test_the_prompt_loads_what_it_saved_of_a_ruleset_in_a_file(
    rules: hr.Ruleset, name: str
) -> None:
    output = typed("start two 3", "rest", f"save {name}", "start two 4", f"load {name}")

    assert f"record written to `{name.strip(chr(34))}`" in output
    assert "to choose: Bram" in output.rpartition("load")[2]


def test_a_game_starts_with_options_at_the_prompt(rules: hr.Ruleset) -> None:
    assert "lit 2" in typed("start two bright=yes", "position")
    assert "lit 2" in typed("position", options=("--option", "bright=yes"))
    assert "unknown option `dark`" in typed("start two 3 dark=yes")
    assert "lit 2" in typed("start bright=yes", "position")
    assert "lit 2" not in typed("start two 3", "position")


# ---------------------------------------------------------------- who plays
def test_a_policy_that_the_rules_declare_is_an_opponent(rules: hr.Ruleset) -> None:
    playing = ("play", "lanterns.rules", "two", "--side", "Ada", "--prompt", "--against")

    assert "Bram plays by the policy lamplighter: Light a lamp" in printed(*playing, "lamplighter")
    assert "`lamplighter`, `random`" in printed(*playing, "nobody")
    assert ("lamplighter",) == hr.analysis.playing_policies(rules)
    assert "random" == hr.analysis.usual_opponent(rules, "Bram")


def test_who_is_not_in_a_scenario_is_told_so(rules: hr.Ruleset) -> None:
    output = printed("play", "lanterns.rules", "two", "--side", "Cleo", "--prompt", "--seed", "1")

    assert "Cleo had nothing to choose in this game" in output


def test_who_wins_together_is_counted_so_and_who_is_absent_is_left_out(rules: hr.Ruleset) -> None:
    two, three = (hr.simulate(rules, scenario, games=20) for scenario in ("two", "three"))
    output = printed("simulate", "lanterns.rules", "two", "--games", "20", "--seed", "0")
    rows = [line.split() for line in output.splitlines()]

    assert {("Ada", "Bram"): two.wins["Ada"]} == two.shared
    assert [{"players": ["Ada", "Bram"], "games": two.wins["Ada"]}] == two.as_json()["shared"]
    assert (("Cleo",), ()) == (two.absent, three.absent)
    assert ["Ada", "and", "Bram", "together", str(two.wins["Ada"])] in [row[:5] for row in rows]
    assert "Cleo" not in [row[0] for row in rows if row]
    assert "asked nothing, and left out: Cleo" in output


# ---------------------------------------------------------------- cases
CASE = """# Lanterns

## The cards are dealt
§1
```case
like: dealt
set:
  lit 2
expect:
  to move: Ada
  state: lit 2
```

## Chance is to deal them
§1
```case
like: scenario two
expect:
  to move: chance
```
"""


def test_a_position_that_is_like_a_scenario_begins_at_its_first_decision(
    rules: hr.Ruleset, tmp_path: Path
) -> None:
    (tmp_path / "positions").mkdir()
    (tmp_path / "positions" / "dealt.txt").write_text("like two\n", encoding="utf-8")
    (tmp_path / "lanterns.md").write_text(CASE, encoding="utf-8")

    assert "2 passed" in printed("test", "lanterns.md", "--ruleset", "lanterns.rules")


LIT = """# Lanterns

## The third lamp
§4
```case
set:
  playing {Ada, Bram}
  pile Oil_1 Hand_Ada Oil_2 Hand_Ada Oil_3 Used Oil_4 Used Oil_5 Used Oil_6 Used Storm_1 Used Storm_2 Used
  lit 1
play:
  Ada: light Oil 1
  Bram: rest
  Ada: light Oil 2
expect:
  outcome: Ada and Bram all-lit
```
"""


def test_a_condition_after_an_event_is_true_where_its_rule_ran(
    rules: hr.Ruleset, tmp_path: Path
) -> None:
    (tmp_path / "lanterns.md").write_text(LIT, encoding="utf-8")

    output = printed("test", "lanterns.md", "--ruleset", "lanterns.rules", "--coverage")

    assert "1 passed" in output
    assert "light: permit light: always true" in output
    assert "all-lit: after kindled" not in output


# ---------------------------------------------------------------- mistakes
@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("known to all when pile[c] = Used", "known to none", "is declared `internal`"),
        ("      win none", "      win nobody", "write `win none` where nobody wins"),
        ("win playing", "win all", "as in `win Player`"),
        ("permit when c in", "permit if c in", "write `when` before the condition"),
        ("after kindled() when lit", "after kindled() if lit", "write `when` before the condition"),
        (
            "c in hand(actor) and c is Oil",
            "c in hand(actor) and number[c] > 1",
            "test it before with `… is Oil`",
        ),
    ],
)
def test_a_slip_has_its_remedy(right: str, wrong: str, told: str, tmp_path: Path) -> None:
    assert right in COOPERATIVE
    (tmp_path / "lanterns.rules").write_text(COOPERATIVE.replace(right, wrong), "utf-8")

    with pytest.raises(hr.RulesetError) as refusal:
        hr.load(tmp_path / "lanterns.rules")

    assert told in str(refusal.value)
    assert "1 fault\n" in f"{refusal.value}\n"


def test_a_concept_of_the_talk_without_words_is_a_fault(rules: hr.Ruleset, tmp_path: Path) -> None:
    (tmp_path / "talk.toml").write_text(
        '[words]\nburn = "burn*"\n[acts]\nkindle = ["light"]\nburn = ["light"]\n'
        '[question.lamps]\npatterns = ["how-many lamps burn"]\nquery = "lit"\ntext.en = "{value}"\n',
        "utf-8",
    )
    output = printed("check", ".")

    assert "`[acts]` has the concept `kindle` without words" in output
    assert "the pattern `how-many lamps burn` has the concept `lamps`" in output
    assert "2 faults" in output or 2 == output.count("unknown-name")
