"""One question to several editions, and where a game goes another way under one of them."""

import json
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests import playing
from tests.compare.test_compare import MISTAKES, TINY, house
from tests.folders import TESTS

POSITIONS = TESTS / "positions"
NO_CASTLE = "repeal rule castles-hold §2.2\n"
# As a table of its own, so that a block is new and another gone.
OTHER_BLOCKS = (
    "amend table Block §1 (rating: 1..4, full: Steps, noble: bool, home: Area?)\n"
    "  Wallace  3  4  no   -\n  Bruce    2  4  yes  Mar\n  Comyn    2  4  yes  Mar\n"
    "amend state\n  turn_of[Block] : 0..3\n"
)


def loaded(folder: Path, rules: str, name: str = "house") -> hr.Ruleset:
    return hr.load(house(folder, rules, name=name))


@pytest.fixture(scope="module")
def tiny() -> hr.Ruleset:
    return hr.load(TINY)


def answers(matrix: hr.compare.AnswerTable) -> dict[str, str]:
    """The verdict of each edition."""
    return {one.edition: one.verdict for one in matrix.answers}


# ---------------------------------------------------------------- a question
def test_an_action_that_one_edition_allows_and_another_forbids(
    tiny: hr.Ruleset, tmp_path: Path
) -> None:
    other = loaded(tmp_path, NO_CASTLE)
    matrix = hr.ask(
        "Bruce: owner Scotland, place Mar, strength 4\nWallace: owner England, place Mar, strength 3",
        "Scotland: march Bruce to Fife",
        editions=[tiny, other],
    )
    forbidden, allowed = matrix.answers

    assert {"tiny-1.0": "illegal", "house": "legal"} == answers(matrix)
    assert ["tiny-1.0 §2.2 Blocks"] == [str(one) for one in forbidden.cited]
    assert forbidden.lines[0].startswith("castles-hold §2.2")
    assert allowed.lines[0].startswith("march §2.2")
    assert (("tiny-1.0",), ("house",)) == matrix.groups()
    assert not matrix.agree


def test_the_legal_actions_of_a_kind_side_by_side(tiny: hr.Ruleset, tmp_path: Path) -> None:
    other = loaded(tmp_path, 'rule dull §2.1 "No."\n  forbid march when to_nowhere\n'
                   "define to_nowhere = year = 1297\n")  # fmt: skip
    game = tiny.start("duel", seed=1)
    marches = hr.ask(game, "actions: march", editions=[tiny, other])
    strikes = hr.ask(game, "actions: strike, Wallace", editions=[tiny, other])

    assert [("Scotland: march Wallace to Mar",), ()] == [one.lines for one in marches.answers]
    assert not marches.agree
    assert strikes.agree
    assert ("Scotland: strike with Wallace",) == strikes.answers[0].lines


def test_what_happens_with_these_dice(tiny: hr.Ruleset, tmp_path: Path) -> None:
    weak = loaded(tmp_path, "amend table Block: Wallace rating = 1 §1\n")
    game = tiny.start("duel", seed=1)
    low, high = (
        hr.ask(game, f"after: strike with Wallace; roll {dice}", editions=[tiny, weak])
        for dice in ("2 3 6 6", "4 5 6 6")
    )

    assert not low.agree
    assert "strength of Bruce is 3" in low.answers[0].changes
    assert not any("strength" in change for change in low.answers[1].changes)
    assert high.agree


def test_what_an_action_is_asked_and_what_it_does_have_the_same_verdict(tiny: hr.Ruleset) -> None:
    game = tiny.start("duel", seed=1)
    for text in ("strike with Wallace", "strike with Bruce", "Scotland: peek", "England: peek"):
        asked = hr.ask(game, text, editions=[tiny]).answers[0]
        done = hr.ask(game, f"after: {text}", editions=[tiny]).answers[0]

        assert (asked.verdict == "legal") == (done.verdict == "happens"), text
        if asked.verdict == "illegal":
            assert asked == done


def test_after_an_action_that_needs_dice_it_is_said_what_they_are_for(tiny: hr.Ruleset) -> None:
    done = hr.ask(tiny.start("duel", seed=1), "after: strike with Wallace", editions=[tiny])

    assert "to choose: chance (Scotland: strike with Wallace)" == done.answers[0].lines[-1]


def test_a_block_that_an_edition_does_not_have(tiny: hr.Ruleset, tmp_path: Path) -> None:
    other = loaded(tmp_path, OTHER_BLOCKS)
    for question in ("Scotland: strike with Comyn", "actions: Comyn"):
        matrix = hr.ask(other.start("duel", seed=1), question, editions=[tiny, other])

        assert ("tiny-1.0",) == matrix.silent
        assert any(
            line.startswith("tiny-1.0 has no `Comyn`; house declares it at house.rules:")
            for line in matrix.answers[0].lines
        )


def test_a_position_of_variables_and_blocks_that_an_edition_does_not_have(
    tiny: hr.Ruleset, tmp_path: Path
) -> None:
    other = loaded(tmp_path, OTHER_BLOCKS)
    matrix = hr.ask("Comyn: place Mar", "actions", editions=[tiny, other])

    assert {"tiny-1.0": "unanswerable", "house": "actions"} == answers(matrix)
    assert "got `Comyn`" in " ".join(matrix.answers[0].lines)


def test_choices_that_an_edition_lacks_are_noted(tiny: hr.Ruleset, tmp_path: Path) -> None:
    other = loaded(
        tmp_path,
        "repeal option sudden_death §3\nrepeal rule last-blood §3\n"
        'option short : bool = false §3 "Soon over."\n'
        'rule soon §3 "Soon over."\n  only if short\n  forbid peek when year > 1299\n',
    )
    game = tiny.start("duel", seed=1, options={"sudden_death": False})
    notes = hr.ask(game, "actions", editions=[other]).answers[0].notes

    plain = hr.ask(tiny.start("duel", seed=1), "actions", editions=[other]).answers[0].notes

    assert ("sudden_death no: house has no such choice, it is left out",) == notes
    assert () == plain


def test_without_editions_those_of_the_same_game_are_asked() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1)
    asked = {one.edition for one in hr.ask(game, "actions").answers}
    quiet = (POSITIONS / "quiet.txt").read_text("utf-8")

    assert {name for name in hr.rulesets() if name.startswith("hots-")} == asked
    assert asked == {one.edition for one in hr.ask(quiet, "actions").answers}


@pytest.mark.parametrize("question", ["", "   "])
def test_an_empty_question_is_refused(tiny: hr.Ruleset, question: str) -> None:
    with pytest.raises(hr.BadArgument, match="question"):
        hr.ask(tiny.start("duel"), question, editions=[tiny])
    with pytest.raises(hr.BadArgument, match="edition"):
        hr.ask(tiny.start("duel"), "actions", editions=[])


# ---------------------------------------------------------------- a parting
def played_out(ruleset: hr.Ruleset, seed: int, scenario: str = "duel", most: int = 500) -> hr.Game:
    """A game by chance."""
    luck, game = random.Random(seed), ruleset.start(scenario, seed=seed)
    for _ in range(most):
        if game.is_over:
            break
        game = game.play(luck.choice(game.actions))
    return game


def test_a_game_never_parts_from_its_own_ruleset(tiny: hr.Ruleset) -> None:
    for seed in range(5):
        found = hr.compare.divergence(played_out(tiny, seed), tiny)

        assert not found
        assert ("", (), None) == (found.what, found.causes, found.here)


def test_another_set_up_parts_at_the_beginning(tiny: hr.Ruleset) -> None:
    found = hr.compare.divergence(played_out(tiny, 1), hr.load(MISTAKES / "tiny-0.9.rules"))

    assert ("state", 0) == (found.what, found.at)
    assert (hr.compare.Change("year", "1297", "1296"),) == found.changes
    assert {("variable", "year")} == {(one.kind, one.name) for one in found.causes}


@pytest.mark.parametrize(
    ("rules", "what", "cause"),
    [
        (NO_CASTLE, "actions", ("rule", "castles-hold")),
        (
            'rule dull §2.1 "No."\n  forbid march when actor = England\n',
            "actions",
            ("rule", "dull"),
        ),
        (
            "amend define friendly(s: Side, a: Area) = no army(foe(s), a)  §1.1\n",
            "actions",
            ("define", "friendly"),
        ),
        ("amend table Block: Wallace rating = 1 §1\n", "state", ("table", "Block")),
        (
            'amend rule losing-a-step §2 "Two steps."\n  on hit(b)\n'
            "    strength[b] := max(strength[b] - 2, 0)\n    if strength[b] = 0\n"
            "      eliminated(b, combat)\n",
            "state",
            ("rule", "losing-a-step"),
        ),
    ],
)
def test_a_parting_names_the_rule_that_made_it(
    tiny: hr.Ruleset, tmp_path: Path, rules: str, what: str, cause: tuple[str, str]
) -> None:
    other = loaded(tmp_path, rules)
    found = next(
        filter(None, (hr.compare.divergence(played_out(tiny, seed), other) for seed in range(30)))
    )

    assert what == found.what
    assert {cause} == {(one.kind, one.name) for one in found.causes}


def test_a_parting_in_actions_shows_those_of_one_side_alone(
    tiny: hr.Ruleset, tmp_path: Path
) -> None:
    other = loaded(tmp_path, 'rule dull §2.1 "No."\n  forbid peek when actor = Scotland\n')
    found = hr.compare.divergence(played_out(tiny, 1), other)
    assert found.here is not None
    assert found.there is not None

    assert (("Scotland: peek",), ()) == (found.here.actions, found.there.actions)
    assert ["house §2.1"] == [str(each) for one in found.there.causes for each in one.cited]


@pytest.mark.thorough
def test_a_record_of_another_content_is_refused(tiny: hr.Ruleset, tmp_path: Path) -> None:
    text = played_out(tiny, 1).record
    with pytest.raises(hr.BadRecord, match=r"no ruleset named `tiny"):
        hr.replay(text)
    whole = str(hr.load("hots-4.0").start("braveheart").record)
    changed = whole.replace("ruleset hots-4.0 ", "ruleset hots-4.0 0")
    with pytest.raises(hr.BadRecord, match=r"with the content 0"):
        hr.replay(changed, hr.load("hots-4.0"))


def test_a_ruleset_without_the_scenario_is_told(tiny: hr.Ruleset) -> None:
    with pytest.raises(hr.UnknownName, match="duel"):
        hr.compare.divergence(played_out(tiny, 1), hr.load("lords-of-scotland"))


# ---------------------------------------------------------------- on the command line
def test_the_command_asks_and_says_who_differs(tmp_path: Path) -> None:
    other = house(tmp_path, NO_CASTLE)
    position = tmp_path / "position.txt"
    position.write_text(
        "Bruce: owner Scotland, place Mar, strength 4\nWallace: owner England, place Mar, strength 3\n",
        "utf-8",
    )
    editions = ["--edition", str(TINY), "--edition", str(other)]
    ask = ["ask", str(position), "Scotland: march Bruce to Fife", *editions]
    run, told = (CliRunner().invoke(app, [*ask, *more]) for more in ([], ["--json"]))

    assert 1 == run.exit_code == told.exit_code
    assert "tiny-1.0: illegal" in run.stdout
    assert "the answers differ: tiny-1.0 | house" in run.stdout
    assert ["question", "agree", "groups", "answers"] == list(json.loads(told.stdout))
    agreed = CliRunner().invoke(app, ["ask", str(position), "actions: pass", *editions])
    assert 0 == agreed.exit_code, agreed.output
    nobody = CliRunner().invoke(app, ["ask", str(position), "dance", *editions])
    assert 2 == nobody.exit_code


def test_the_command_diverges_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = 'rule dull §2.1 "Nobody looks."\n  forbid peek when actor = Scotland\n'
    house_rule, record = house(tmp_path, rule), tmp_path / "game.txt"
    monkeypatch.setenv("HOTS_RULES_PATH", str(tmp_path))
    played_out(hr.load("tiny-1.0"), 1, most=3).save(record)
    own, run, told, missing = (
        CliRunner().invoke(app, ["replay", str(record), "--under", *map(str, more)])
        for more in (["tiny-1.0"], [house_rule], [house_rule, "--json"], ["tiny-9"])
    )

    assert 0 == own.exit_code, own.output
    assert "no divergence" in own.stdout
    assert 1 == run.exit_code, run.output
    assert "only here: Scotland: peek" in run.stdout
    assert "rule dull: Nobody looks." in run.stdout
    assert json.loads(told.stdout)["parts"] is True
    assert 2 == missing.exit_code


def test_a_question_in_words_is_put_to_every_edition() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    matrix = hr.ask(game, "who holds Fife?", editions=["hots-4.0", "hots-2.3"])
    strange = hr.ask(game, "who holds Fiffe", editions=["hots-4.0"])

    assert matrix.agree
    assert {("answer", ("Scotland",))} == {(one.verdict, one.lines) for one in matrix.answers}
    assert "hots-4.0 §4.5" in str(matrix.answers[0].cited[0])
    assert "did you mean `Fife`?" in strange.answers[0].lines[0]


# ---------------------------------------------------------------- sentences
@pytest.fixture(scope="module")
def braveheart() -> hr.Game:
    return hr.load("hots-4.0").start("braveheart", seed=1297)


def test_editions_answer_a_sentence_as_a_game_does(braveheart: hr.Game) -> None:
    table = hr.ask(braveheart, "where's wallace?")

    assert table.agree
    assert {("Fife",)} == {answer.lines for answer in table.answers}
    assert "2.0" == next(a.cited[0].section for a in table.answers if a.edition == "hots-4.0")


def test_editions_agree_on_no_whatever_their_reasons(braveheart: hr.Game) -> None:
    """Their reasons cite other sections, and need not be the same."""
    table = hr.ask(braveheart, "can Wallace move to Lanark?")

    assert table.agree
    assert {False} == {answer.is_yes for answer in table.answers}
    assert len({answer.cited for answer in table.answers}) > 1


def test_editions_differ_in_what_their_rules_say(braveheart: hr.Game) -> None:
    table = hr.ask(braveheart, "how many steps does Wallace gain in Selkirk?")
    said = {answer.edition: answer.lines[0] for answer in table.answers}

    assert not table.agree
    assert "2 steps" in said["hots-4.0"]
    assert "may regain up to two steps" in said["hots-2.3"]


@pytest.mark.parametrize("words", ["xyzzy", "who holds Fief", "the price of the game in euros?"])
def test_what_no_edition_understands_is_not_answered(braveheart: hr.Game, words: str) -> None:
    assert {"unanswerable"} == {answer.verdict for answer in hr.ask(braveheart, words).answers}


def test_a_ruleset_in_other_words_answers_in_its_own() -> None:
    text = playing.TINY
    old = playing.ruleset_of(text)
    reworded = playing.ruleset_of(
        text.replace("Nobody goes where he stands.", "Everybody moves on.")
    )
    game = old.start("short", seed=1).play("Red: go Fox North")

    table = hr.ask(game, "Red: go Fox North", editions=[reworded])

    assert old == reworded
    assert "Everybody moves on." in "\n".join(table.answers[0].lines)
