"""The prompt: a talk about the rules."""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.prompt.highlight import KnownWordLexer
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game, split_outcomes

PLAIN = Path(__file__).parent / "mistakes" / "good" / "statements.rules"
BATTLE = """\
England: play Move 3
Scotland: play Move 2
end moves
Scotland: move Wallace Fife-Mentieth
Scotland: move Douglas Fife-Mentieth
Scotland: end moves
"""


def hots(*words: object, typed: str | None = None) -> tuple[int, str]:
    """How a command ends, and what it prints."""
    result = CliRunner().invoke(app, [str(word) for word in words], input=typed)
    return result.exit_code, result.output


@cache
def loaded(name: str) -> hr.Ruleset:
    return hr.load(name)


def told(lines: str, ruleset: str = "hots-4.0") -> str:
    """What the prompt says to lines that it must all understand."""
    repl, said = Repl(Session(new_game(loaded(ruleset)))), StringIO()
    with redirect_stdout(said):
        for line in lines.splitlines():
            assert repl.execute(line)
    assert 0 == repl.failures, said.getvalue()
    return said.getvalue()


@pytest.fixture
def repl() -> Repl:
    return Repl(Session(new_game(loaded("hots-4.0"))))


# ---------------------------------------------------------------- positions
def test_a_position_is_set_up_line_by_line(repl: Repl) -> None:
    for line in ("place Wallace 3 Selkirk Bruce Fife 2", "year 1301", "England, Move 3: hand 1"):
        assert repl.execute(line)
    state = repl.session.game.state

    assert 0 == repl.failures
    assert ("Selkirk", 3) == (state["place", "Wallace"], state["strength", "Wallace"])
    assert ("Fife", 2) == (state["place", "Bruce"], state["strength", "Bruce"])
    assert 1301 == state["year"]


def test_cards_are_named_by_their_last_word(repl: Repl) -> None:
    repl.execute("played England 3 Scotland Herald")

    # Each has six cards now, the one on the table counted in: the rulebook deals five.
    assert 1 == repl.failures
    assert repl.session.game.state["played", "England"] is None

    repl.execute("England, Move 3: hand 0")
    repl.execute("undo")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("place Wallce 3 Fife", "got `Wallce`; did you mean `Wallace`?"),
        ("place Wallace 3 Fief", "got `Fief`; did you mean `Fife`?"),
        ("place Wallace", "expected a value after `Wallace`"),
        ("place Wallace 9 Fife", "got `9`"),
        ("year 1000", "expected a number of 1297..2000, got `1000`"),
        ("strength Wallace 0", "expected a position in which `strength-within-bounds` holds"),
        ("who holds Fief", "did you mean `Fife`?"),
        ("shwo 5.5", "not a command, an action or a question: `shwo 5.5`"),
        ("goto nothing", "got `nothing`"),
        ("undo", "there is nothing to undo"),
        ("why", "missing argument; usage: why ACTION"),
        ("play", "missing argument; usage: play ACTION"),
        ("depth deep", "choose among `sentence`, `paragraph`, `tree`"),
        ("start nowhere", "got `nowhere`"),
        ("under hots-9 who holds Fife", "hots-9"),
        ("under hots-2.3", "missing argument; usage: under RULESET LINE"),
        ("load nothing.rec", "cannot use the file `nothing.rec`"),
        ("show nothing-such", "nothing-such"),
        ("play Scotland: end moves", "the choice now is between: play card"),
        ("play England: play Move 3 rolls 7 9", "roll 7 9"),
        ("odds until never", "never"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_changes(repl: Repl, line: str, said: str,
                                                   capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    before = repl.session.game
    assert repl.execute(line)

    assert said in capsys.readouterr().out
    assert 1 == repl.failures
    assert before == repl.session.game


# ---------------------------------------------------------------- play
def test_a_game_is_played_undone_and_named() -> None:
    said = told(
        "England: play Move 3\nbookmark opening\nScotland: play Move 2\nundo\ngoto opening\n"
    )

    assert 2 == said.count("to choose: Scotland, in play cards") - said.count("in movement")
    assert "`goto opening` returns to this state" in said


def test_dice_are_dictated_or_fall_by_the_seed() -> None:
    given = told(f"{BATTLE}fire Wallace rolls 1 2 6 6")

    assert "Wallace fires and scores 2" in given
    assert told(f"{BATTLE}fire Wallace") == told(f"{BATTLE}fire Wallace")


def test_what_if_leaves_the_game_as_it_is(repl: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    for line in BATTLE.splitlines():
        repl.execute(line)
    before = repl.session.game
    repl.execute("what if fire Wallace rolls 6 6 6 6")
    assert before == repl.session.game
    assert "Wallace fires and scores 0" in capsys.readouterr().out

    repl.execute("fire Wallace rolls 6 6 6 6")
    repl.execute("what if rolls 1 1 1 1")

    assert "Wallace fires and scores 4" in capsys.readouterr().out
    assert 0 == repl.failures


def test_too_many_dice_are_told(repl: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    repl.execute("England: play Move 3 rolls 1, 2")

    assert "expected" in capsys.readouterr().out
    assert 1 == repl.failures


@pytest.mark.parametrize(
    ("text", "action", "outcomes"),
    [
        ("fire Wallace rolls 2 4 5", "fire Wallace", ["roll 2 4 5"]),
        ("fire Wallace roll 2 4, 3", "fire Wallace", ["roll 2 4", "roll 3"]),
        ("draw a block in Fife draws Keith", "draw a block in Fife", ["draw Keith"]),
        ("rolls 6", "", ["roll 6"]),
        ("end moves", "end moves", []),
    ],
)
def test_outcomes_stand_after_the_action(text: str, action: str, outcomes: list[str]) -> None:
    assert (action, outcomes) == split_outcomes(text)


# ---------------------------------------------------------------- questions
def test_questions_in_the_words_of_the_rulebook() -> None:
    said = told(
        f"{BATTLE}which blocks may retreat from Mentieth?\nwhat fires before Douglas\nwho holds Fife"
    )

    assert "Mentieth, Northumber Infantry (hots-4.0 §5.5)" in said
    assert "Wallace, Mentieth, Northumber Infantry (hots-4.0 §5.31)" in said
    assert "Scotland (hots-4.0 §4.5)" in said


def test_why_and_why_not_with_sections() -> None:
    said = told("why England: play Move 3\ndepth sentence\nwhy not Scotland: Coronation of Bruce")

    assert "England: play Move 3 is legal" in said
    assert "Scotland: Coronation of Bruce is not legal" in said
    assert "§6.21" in said or "§3.1" in said


def test_legal_actions_with_words() -> None:
    assert "1 legal action\n  3  England: play Move 3" in told("legal England, Move 3")


def test_odds_of_an_action() -> None:
    said = told(f"{BATTLE}odds until battle policy fight-on of place[Wallace] = Dead")

    assert "hots-4.0: exact" in said
    assert "yes    9.29 %" in said


def test_the_same_question_under_another_edition() -> None:
    said = told("under hots-2.3 who holds Fife\nunder hots-3.x show 5.5")

    assert "Scotland (hots-2.3 §4.5)" in said
    assert "hots-3.x" in said


def test_all_editions_are_asked() -> None:
    said = told("ask England: play Move 3")

    assert all(f"hots-{name}: legal" in said for name in ("4.0", "3.x", "2.3", "player-aid"))


def test_the_card_game_is_talked_about_as_well() -> None:
    said = told("legal\nboard\nquestions\nshow 6.1\nhow many points has P1?\n", "lords-of-scotland")

    assert "legal" in said
    assert "whose initiative is it" in said
    assert "0 (lords-of-scotland §5)" in said


def test_a_game_that_declares_no_question_says_so() -> None:
    assert "the ruleset declares no questions" in told("questions\n", str(PLAIN))


# ---------------------------------------------------------------- files
def test_lines_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "talk.txt").write_text("who holds Fife  # a comment\nquit\nbogus\n", "utf-8")
    code, said = hots("repl", "hots-4.0", "--file", tmp_path / "talk.txt")

    assert 0 == code
    assert "bogus" not in said


def test_a_line_that_is_not_understood_ends_with_1() -> None:
    assert 1 == hots("repl", "hots-4.0", typed="bogus\n")[0]


def test_a_record_is_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.rec"
    said = told(
        f"{BATTLE}fire Wallace rolls 1 1 1 1\nsave {path}\nstart braveheart 7\nload {path}\nboard"
    )

    assert "Wallace" in said
    assert "chance: roll 1 1 1 1" in path.read_text("utf-8")


def test_a_game_with_hidden_luck_is_opened(tmp_path: Path) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=9)
    for line in ("England: play Move 1", "Scotland: play Move 1"):
        texts = [action.text for action in game.actions]
        game = game.play(line if line in texts else texts[-1])
    opened = hr.records.with_explicit_chance(game)

    assert game.position == opened.position
    assert "ask" == opened.chance
    assert opened == hr.records.with_explicit_chance(opened)


def test_a_position_is_loaded_under_the_ruleset_at_hand(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    house = tmp_path / "own" / "house.rules"
    house.write_text('ruleset house "A house"\n  extends hots-4.0\n', "utf-8")
    repl = Repl(Session(new_game(hr.load(house))))
    (tmp_path / "position.txt").write_text(repl.session.game.position, "utf-8")
    repl.execute(f"load {tmp_path / 'position.txt'}")

    assert 0 == repl.failures
    assert "house" == repl.session.game.ruleset.name


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    told(f"draw {tmp_path / 'map.svg'}")

    assert (tmp_path / "map.svg").read_text("utf-8").startswith("<svg")


# ---------------------------------------------------------------- disputes
def test_a_dispute_is_kept_and_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "truce.txt"
    told(f"{BATTLE}dispute {path} Scotland: fire Douglas")
    code, said = hots("dispute", path)

    assert 0 == code
    assert "hots-2.3" in said


def test_an_answer_that_has_changed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "truce.txt"
    told(f"{BATTLE}dispute {path} Scotland: fire Douglas")
    text = path.read_text("utf-8")
    path.write_text(text.replace("answer hots-2.3: illegal", "answer hots-2.3: legal"), "utf-8")
    code, said = hots("dispute", path)

    assert 1 == code
    assert "hots-2.3: the answer changed; it was: legal" in said


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "not a dispute"),
        ("hots_rules dispute 1\n\n", "not a dispute"),
        ("hots_rules dispute 1\nquestion x\n\nbogus", "expected"),
        ("hots_rules dispute 1\nquestion x\nbogus\n\n", "expected"),
    ],
)
def test_a_text_that_is_not_a_dispute_is_an_error(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "odd.txt").write_text(text, "utf-8")
    code, output = hots("dispute", tmp_path / "odd.txt")

    assert 2 == code
    assert error in output


# ---------------------------------------------------------------- the terminal
def test_known_words_are_highlighted() -> None:
    styled = list(
        KnownWordLexer(["why not", "England: move Wallace Fife-Angus"]).styled("why Wallace 3 xx")
    )

    assert ("bold ansiblue", "why") == styled[0]
    assert ("ansicyan", "Wallace") in styled
    assert ("ansimagenta", "3") in styled
    assert ("", "xx") == styled[-1]
    assert "why Wallace 3 xx" == "".join(piece for _, piece in styled)


def test_everything_that_may_be_typed_is_completed(repl: Repl) -> None:
    words = repl.completions()

    assert {"why not", "who holds {a}", "England: play Move 3", "place"} <= set(words)


# ---------------------------------------------------------------- with the eyes of a player
def test_as_a_player_the_talk_tells_what_that_player_may_know() -> None:
    said = told(
        "as scotland\nwho stands in Mentieth\nwhere is Comyn\nboard\nlegal\nplay Move 2\n"
        "as everybody\nwhere is Comyn"
    )
    as_scotland, _, after = said.partition("all information is shown")

    assert "a block of England ×2" in as_scotland
    assert "Comyn" not in as_scotland
    assert "England: play" not in as_scotland
    assert "Scotland: play Move 2 (§3.1)" in as_scotland
    assert "Badenoch" in after


@pytest.mark.parametrize("line", ["odds", "position", "ask actions", "dispute d.txt actions"])
def test_as_a_player_nothing_sees_everything(repl: Repl, line: str) -> None:
    said = StringIO()
    with redirect_stdout(said):
        repl.execute("as England")
        repl.execute(line)

    assert 1 == repl.failures
    assert "shows hidden information; type `as everybody` first" in said.getvalue()


def test_as_a_player_only_own_actions_are_completed_and_played(repl: Repl) -> None:
    said = StringIO()
    with redirect_stdout(said):
        repl.execute("as England")
        repl.execute("Scotland: play Move 2")

    assert not [word for word in repl.completions() if word.startswith("Scotland:")]
    assert 1 == repl.failures
    assert "Scotland: play" not in repl.session.game.record


def test_play_may_be_the_first_word_of_an_action(repl: Repl) -> None:
    assert repl.execute("play Scotland: play Move 2")
    assert repl.execute("play Move 3")

    assert 0 == repl.failures
    assert "England: play Move 3" in repl.session.game.record
