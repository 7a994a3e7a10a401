"""The prompt of `hots repl` and `hots play --side`."""

from __future__ import annotations

from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.prompt.highlight import KnownWordLexer
from hots_rules.cli.prompt.match import Match
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game
from tests.folders import TESTS
from tests.playing import ruleset_of

PLAIN = TESTS / "mistakes" / "good" / "statements.rules"
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


def output_of(lines: str, ruleset: str = "hots-4.0") -> str:
    """What the prompt prints for lines that it can all execute."""
    repl, output = Repl(Session(new_game(loaded(ruleset), seed="0"))), StringIO()
    with redirect_stdout(output):
        for line in lines.splitlines():
            assert repl.execute(line)
    assert 0 == repl.failures, output.getvalue()
    return output.getvalue()


@pytest.fixture
def repl() -> Repl:
    return Repl(Session(new_game(loaded("hots-4.0"), seed="0")))


# ---------------------------------------------------------------- positions
def test_a_position_is_set_up_line_by_line(repl: Repl) -> None:
    for line in ("place Wallace 3 Selkirk Bruce Fife 2", "year 1301", "England, Move 3: hand 1"):
        assert repl.execute(line)
    state = repl.session.game.state

    assert 0 == repl.failures
    assert ("Selkirk", 3) == (state["place", "Wallace"], state["strength", "Wallace"])
    assert ("Fife", 2) == (state["place", "Bruce"], state["strength", "Bruce"])
    assert 1301 == state["year"]


def test_lines_joined_by_semicolons_are_applied_together_and_checked_once(repl: Repl) -> None:
    """A hand of five cannot be changed card by card, nor the game turn without a card."""
    dealt = {card: 0 for side, card in repl.session.game.state["hand"] if side == "England"}

    def change(**hand: int) -> None:
        cards = (dealt | hand).items()
        assert repl.execute("; ".join(f"England, {card}: hand {number}" for card, number in cards))

    change(Move_2=3, Herald=1)
    assert 1 == repl.failures  # four cards in game turn 1
    change(Move_2=3, Herald=1, Truce=1)

    assert 1 == repl.failures
    assert 3 == repl.session.game.state["hand", "England", "Move_2"]


def test_a_position_is_like_a_scenario_or_a_saved_game(repl: Repl, tmp_path: Path) -> None:
    saved = tmp_path / "saved.txt"
    assert repl.execute("like the-bruce; place Wallace 3 Selkirk; side Wallace Scotland; year 1310")
    state = repl.session.game.state
    assert (1310, "Selkirk", "Fife") == (
        state["year"],
        state["place", "Wallace"],
        state["place", "King"],
    )

    assert repl.execute(f"save {saved}")
    assert repl.execute(f"like {saved}; strength King 1")
    changed = repl.session.game.state
    assert (1310, 1) == (changed["year"], changed["strength", "King"])
    assert state["hand"] == changed["hand"]
    assert 0 == repl.failures


@pytest.mark.parametrize(
    "line", ["why not crown Bruce", "whynot crown Bruce", "WhyNot Coronation of Bruce"]
)
def test_why_not_is_two_words_or_one(
    repl: Repl, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert repl.execute(line)

    assert capsys.readouterr().out.startswith("Scotland: Coronation of Bruce is not legal.")
    assert 0 == repl.failures


def test_cards_are_named_by_their_last_word(repl: Repl) -> None:
    repl.execute("played England 3 Scotland Herald")

    # Each has six cards now, the one on the table counted in: the rulebook deals five.
    assert 1 == repl.failures
    assert repl.session.game.state["played", "England"] is None

    repl.execute("England, Move 3: hand 0")
    repl.execute("undo")


@pytest.mark.parametrize(
    ("line", "output"),
    [
        ("place Wallce 3 Fife", "got `Wallce`; did you mean `Wallace`?"),
        ("place Wallace 3 Fief", "got `Fief`; did you mean `Fife`?"),
        ("place Wallace", "expected a value after `Wallace`"),
        ("place Wallace 9 Fife", "got `9`"),
        ("year 1300; strength Wallce 3; yaer 1301", "line 1, strength: expected a value of Block"),
        ("year 1300; yaer 1301", "line 1: expected a variable, got `yaer`; did you mean `year`?"),
        ("like bravehart; year 1300", "got `bravehart`; did you mean `braveheart`?"),
        ("year 1000", "expected a number of 1297..2000, got `1000`"),
        ("strength Wallace 0", "expected a position in which `strength-within-bounds` holds"),
        ("who holds Nowhere-at-all", "expected a value of Area"),
        ("shwo 5.5", "not a command, an action or a question: `shwo 5.5`"),
        ("goto nothing", "unknown bookmark `nothing`"),
        ("undo", "there is nothing to undo"),
        ("why", "missing argument; usage: why ACTION"),
        ("play", "missing argument; usage: play ACTION"),
        ("depth deep", "choose one of `sentence`, `paragraph`, `tree`"),
        ("start nowhere", "unknown scenario `nowhere`"),
        ("under hots-9 who holds Fife", "hots-9"),
        ("under hots-2.3", "missing argument; usage: under RULESET LINE"),
        ("load nothing.rec", "cannot use the file `nothing.rec`"),
        ("show nothing-such", "nothing-such"),
        ("play Scotland: end moves", "the legal choices now are: play card"),
        ("play England: play Move 3 rolls 7 9", "roll 7 9"),
        ("odds until never", "never"),
        ("odds", "those of any battle can: `Fife: Wallace 3"),
        ("odds", "such as `odds until game policy random`"),
        ("show walace", "did you mean `Wallace`?"),
    ],
)
def test_an_error_is_printed_and_changes_nothing(repl: Repl, line: str, output: str,
                                                   capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    before = repl.session.game
    assert repl.execute(line)

    assert output in capsys.readouterr().out
    assert 1 == repl.failures
    assert before == repl.session.game


# ---------------------------------------------------------------- play
def test_a_game_is_played_undone_and_bookmarked() -> None:
    output = output_of(
        "England: play Move 3\nbookmark opening\nScotland: play Move 2\nundo\ngoto opening\n"
    )

    assert 2 == output.count("to choose: Scotland, in play cards") - output.count("in movement")
    assert "`goto opening` returns to this state" in output


def test_dice_are_typed_or_come_from_the_seed() -> None:
    given = output_of(f"{BATTLE}fire Wallace rolls 1 2 6 6")

    assert "Wallace fires and scores 2" in given
    assert output_of(f"{BATTLE}fire Wallace") == output_of(f"{BATTLE}fire Wallace")


def test_what_if_does_not_change_the_game(repl: Repl, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_what_if_is_about_the_last_action_wherever_the_game_was_taken_up(
    repl: Repl, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in (*BATTLE.splitlines(), "fire Wallace rolls 6 6 6 6", "bookmark fired", "undo"):
        repl.execute(line)
    repl.execute("goto fired")
    capsys.readouterr()

    repl.execute("what if rolls 1 1 1 1")

    assert "Wallace fires and scores 4" in capsys.readouterr().out
    assert 0 == repl.failures


def test_an_action_is_previewed_in_words(repl: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    for line in BATTLE.splitlines():
        repl.execute(line)
    before = repl.session.game
    capsys.readouterr()
    repl.execute("preview retreat Wallace to Fife")
    repl.execute("preview fire Wallace")

    told = capsys.readouterr().out.splitlines()
    assert ["Wallace: Mentieth → Fife", "nothing that you know changes for certain"] == told
    assert before is repl.session.game


@pytest.mark.parametrize("line", ["preview retreat Wallace to Ross", "preview nothing"])
def test_what_cannot_be_played_is_not_previewed(
    repl: Repl, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    repl.execute(line)

    assert "→" not in capsys.readouterr().out
    assert 1 == repl.failures


def test_too_many_dice_are_an_error(repl: Repl, capsys: pytest.CaptureFixture[str]) -> None:
    repl.execute("England: play Move 3 rolls 1, 2")
    output = capsys.readouterr().out

    assert "`outcome` cannot be `roll 1`" in output
    assert "England: play Move 3 (" not in output
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
def test_outcomes_follow_the_action(text: str, action: str, outcomes: list[str]) -> None:
    assert (action, outcomes) == hr.talk.split_outcomes(text)


# ---------------------------------------------------------------- questions
def test_declared_questions_are_answered() -> None:
    output = output_of(
        f"{BATTLE}which blocks may retreat from Mentieth?\nwhat fires before Douglas\nwho holds Fife"
    )

    assert "Mentieth, Northumber Infantry (hots-4.0 §5.5)" in output
    assert "Wallace, Mentieth, Northumber Infantry (hots-4.0 §5.31)" in output
    assert "Scotland (hots-4.0 §4.5)" in output


def test_why_and_why_not_cite_sections() -> None:
    output = output_of(
        "why England: play Move 3\ndepth sentence\nwhy not Scotland: Coronation of Bruce"
    )

    assert "England: play Move 3 is legal" in output
    assert "Scotland: Coronation of Bruce is not legal" in output
    assert "§6.21" in output or "§3.1" in output


def test_legal_lists_the_actions_that_contain_words() -> None:
    assert "1 legal action\n  3  England: play Move 3" in output_of("legal England, Move 3")


def test_odds_of_an_action() -> None:
    output = output_of(f"{BATTLE}odds until battle policy fight-on of place[Wallace] = Dead")

    assert "hots-4.0: exact" in output
    assert "yes    9.29 %" in output


def test_the_same_question_under_another_edition() -> None:
    output = output_of("under hots-2.3 who holds Fife\nunder hots-3.x show 5.5")

    assert "Scotland (hots-2.3 §4.5)" in output
    assert "hots-3.x" in output


def test_quit_under_another_edition_ends_nothing() -> None:
    assert "Scotland" in output_of("under hots-3.x quit\nwho holds Fife")


def test_a_line_that_means_nothing_under_another_edition_fails(repl: Repl) -> None:
    assert "not a command" in output_in(repl, "under hots-3.x gibberish")
    assert 1 == repl.failures


def test_a_meaning_that_is_chosen_is_asked_under_the_same_edition(
    repl: Repl, monkeypatch: pytest.MonkeyPatch
) -> None:
    understand = hr.talk.understand

    def understand_or_ask_back(line: str, game: hr.Game, *args: Any, **more: Any) -> Any:
        if line == "who holds it":
            return hr.talk.Which(("who holds Moray", "who holds Fife"))
        return understand(line, game, *args, **more)

    monkeypatch.setattr(hr.talk, "understand", understand_or_ask_back)
    output = output_in(repl, "under hots-2.3 who holds it", "2")
    assert "2  who holds Fife" in output
    assert "Scotland (hots-2.3 §4.5)" in output


@pytest.mark.parametrize("edition", ["3.x", "hots-3.x"])
def test_an_edition_is_named_by_its_name_or_the_last_part_of_it(repl: Repl, edition: str) -> None:
    assert isinstance(repl.understood(f"what does {edition} say about 5.5"), hr.talk.Command)
    assert isinstance(repl.understood("what does x say about 5.5"), hr.talk.Nothing)


def test_ask_queries_all_editions() -> None:
    output = output_of("ask England: play Move 3")

    assert all(f"hots-{name}: legal" in output for name in ("4.0", "3.x", "2.3", "player-aid"))


def test_the_prompt_works_for_the_card_game() -> None:
    output = output_of(
        "legal\nboard\nquestions\nshow 6.1\nhow many points has P1?\n", "lords-of-scotland"
    )

    assert "legal" in output
    assert "whose initiative is it" in output
    assert "0 (lords-of-scotland §5)" in output


def test_a_ruleset_without_questions() -> None:
    assert "the ruleset declares no questions" in output_of("questions\n", str(PLAIN))


# ---------------------------------------------------------------- files
def test_lines_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "session.txt").write_text("who holds Fife  # a comment\nquit\nbogus\n", "utf-8")
    code, output = hots("repl", "hots-4.0", "--file", tmp_path / "session.txt")

    assert 0 == code
    assert "bogus" not in output


def test_exit_status_1_if_a_line_cannot_be_executed() -> None:
    assert 1 == hots("repl", "hots-4.0", typed="bogus\n")[0]


def test_a_record_is_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "game.rec"
    output = output_of(
        f"{BATTLE}fire Wallace rolls 1 1 1 1\nsave {path}\nstart braveheart 7\nload {path}\nboard"
    )

    assert "Wallace" in output
    assert "chance: roll 1 1 1 1" in path.read_text("utf-8")


def test_a_game_gets_explicit_chance(tmp_path: Path) -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=9)
    for line in ("England: play Move 1", "Scotland: play Move 1"):
        texts = [action.text for action in game.actions]
        game = game.play(line if line in texts else texts[-1])
    opened = hr.records.with_explicit_chance(game)

    assert game.position == opened.position
    assert "ask" == opened.chance
    assert opened == hr.records.with_explicit_chance(opened)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["trips-2.0", "second", "trips-3.0"])
def test_another_edition_is_found_in_the_folder_of_the_ruleset(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "trips"
    (folder / "second").mkdir(parents=True)
    (folder / "sections.csv").write_text("section,heading\n1,Rules\n", "utf-8")
    (folder / "trips.rules").write_text(REPEATED, "utf-8")
    (folder / "second" / "second.rules").write_text(
        'ruleset trips-2.0 "Trips"\n  extends trips-1.0\n', "utf-8"
    )
    house = folder / "house.rules" if name == "trips-3.0" else tmp_path / "house.rules"
    repl = Repl(Session(hr.load(folder).start("first")), str(folder))
    house.write_text('# A house rule.\nruleset trips-3.0 "Trips"\n  extends trips-1.0\n', "utf-8")

    expected = "trips-2.0" if name == "second" else name
    assert output_in(repl, f"under {name} legal").startswith(f"{expected}\n1 legal action\n")
    assert "no ruleset `trips-9`" in output_in(repl, "under trips-9 legal")


def test_a_position_is_loaded_under_the_current_ruleset(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    house = tmp_path / "own" / "house.rules"
    house.write_text('ruleset house "A house"\n  extends hots-4.0\n', "utf-8")
    repl = Repl(Session(new_game(hr.load(house), seed="0")))
    (tmp_path / "position.txt").write_text(repl.session.game.position, "utf-8")
    repl.execute(f"load {tmp_path / 'position.txt'}")

    assert 0 == repl.failures
    assert "house" == repl.session.game.ruleset.name


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    output_of(f"draw {tmp_path / 'map.svg'}")

    assert (tmp_path / "map.svg").read_text("utf-8").startswith("<svg")


# ---------------------------------------------------------------- disputes
def test_a_dispute_is_written_and_rechecked(tmp_path: Path) -> None:
    path = tmp_path / "truce.txt"
    output_of(f"{BATTLE}dispute {path} Scotland: fire Douglas")
    code, output = hots("ask", path)

    assert 0 == code
    assert "hots-2.3" in output


def test_a_changed_answer_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "truce.txt"
    output_of(f"{BATTLE}dispute {path} Scotland: fire Douglas")
    text = path.read_text("utf-8")
    path.write_text(text.replace("answer hots-2.3: illegal", "answer hots-2.3: legal"), "utf-8")
    code, output = hots("ask", path)

    assert 1 == code
    assert "hots-2.3: the answer changed; it was: legal" in output


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "name the question"),
        ("hots_rules dispute 1\n\n", "not a dispute"),
        ("hots_rules dispute 1\nquestion x\n\nbogus", "expected"),
        ("hots_rules dispute 1\nquestion x\nbogus\n\n", "expected"),
    ],
)
def test_a_text_that_is_not_a_dispute_is_an_error(tmp_path: Path, text: str, error: str) -> None:
    (tmp_path / "odd.txt").write_text(text, "utf-8")
    code, output = hots("ask", tmp_path / "odd.txt")

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


def test_commands_questions_actions_and_variables_are_completed(repl: Repl) -> None:
    words = repl.completions()

    assert {"why not", "who holds {a}", "England: play Move 3", "place"} <= set(words)


# ---------------------------------------------------------------- one player's view
def test_as_a_player_only_what_that_player_may_know_is_shown() -> None:
    output = output_of(
        "as scotland\nwho stands in Mentieth\nwhere is Comyn\nboard\nlegal\nplay Move 2\n"
        "as everybody\nwhere is Comyn"
    )
    as_scotland, _, after = output.partition("all information is shown")

    assert "a block of England ×2" in as_scotland
    assert "Comyn" not in as_scotland
    assert "England: play" not in as_scotland
    assert "Scotland: play Move 2 (§3.1)" in as_scotland
    assert "Badenoch" in after


@pytest.mark.parametrize("line", ["odds", "position", "ask actions", "dispute d.txt actions"])
def test_as_a_player_commands_with_hidden_information_are_refused(repl: Repl, line: str) -> None:
    output = StringIO()
    with redirect_stdout(output):
        repl.execute("as England")
        repl.execute(line)

    assert 1 == repl.failures
    assert "shows hidden information; type `as everybody` first" in output.getvalue()


def test_as_a_player_only_own_actions_are_completed_and_played(repl: Repl) -> None:
    output = StringIO()
    with redirect_stdout(output):
        repl.execute("as England")
        repl.execute("Scotland: play Move 2")

    labels: dict[str, set[str]] = {"England": set(), "Scotland": set()}
    for action in repl.session.game.actions:
        labels[action.player].add(action.text.removeprefix(f"{action.player}: "))
    words = set(repl.completions())
    assert labels["England"] <= words
    assert not words & (labels["Scotland"] - labels["England"])
    assert not [word for word in words if word.startswith("Scotland:")]
    assert 1 == repl.failures
    assert "Scotland: play" not in str(repl.session.game.record)


REPEATED = """ruleset trips-1.0 "Trips"
players Side
type Side = White | Black
type Place = Home | Field
state
  place[Side] : Place
action go(to: Place) §1 "Go."
  permit when place[actor] != to and (after go(to): repeated(following(actor), 20) <= 2)
  place[actor] := to
phase game §1 "In turn."
  while true up to 20
    for s in White, Black
      choose s: go
  win none
scenario first §1 "Trips"
  game()
positions begin at game
invariant together §1 "Nobody is alone in the field."
  some s in Side: place[s] = Home
"""


def test_the_earlier_positions_are_left_out_of_a_position_unless_all_are_asked_for() -> None:
    repl = Repl(Session(ruleset_of(REPEATED).start("first", seed=1)))
    output_in(repl, "White: go Field")
    text = output_in(repl, "position")

    assert "position_" not in text
    assert "# 2 earlier positions, which count as repetitions, are left out" in text
    assert "2: position_first" in output_in(repl, "position all")
    assert repl.session.game.ruleset.position(text).state["place"]["White"] == "Field"


def test_two_changes_that_need_each_other_go_in_one_line() -> None:
    repl = Repl(Session(ruleset_of(REPEATED).position("White: place Field")))
    hint = "go in one line, with `;` between them"

    assert hint in output_in(repl, "Black: place Field")
    assert hint not in output_in(repl, "Black: place Filed")
    assert hint not in output_in(repl, "White: place Home; Black: place Field")
    assert repl.session.game.state["place"] == {"White": "Home", "Black": "Field"}


def test_an_action_may_begin_with_the_word_play(repl: Repl) -> None:
    assert repl.execute("play Scotland: play Move 2")
    assert repl.execute("play Move 3")

    assert 0 == repl.failures
    assert "England: play Move 3" in str(repl.session.game.record)


# ---------------------------------------------------------------- a match
@pytest.fixture
def match() -> Repl:
    return Repl(Match(loaded("hots-4.0").start("braveheart", seed=1297), "Scotland"))


def output_in(match: Repl, *lines: str) -> str:
    output = StringIO()
    with redirect_stdout(output):
        for line in lines:
            assert match.execute(line)
    return output.getvalue()


@pytest.mark.parametrize(
    "line",
    [
        "as everybody",
        "ask actions",
        "bookmark here",
        "bookmarks",
        "dispute d.txt actions",
        "goto here",
        "load game.rec",
        "odds",
        "position",
        "start braveheart",
        "under hots-3.x legal",
        "what if play Move 2",
    ],
)
def test_a_match_refuses_what_peeks_or_changes_the_game(match: Repl, line: str) -> None:
    before = match.session.game

    assert "is not available while you play" in output_in(match, line)
    assert 1 == match.failures
    assert before is match.session.game


def test_a_match_lists_no_command_that_it_refuses(match: Repl) -> None:
    lines = output_in(match, "help").splitlines()
    names = {line.split("  ")[0] for line in lines}

    assert {"legal [WORDS]", "why ACTION", "why not ACTION", "undo", "save FILE", "quit"} <= names
    assert not names & {"position", "bookmarks", "load FILE", "as PLAYER"}
    assert not {"position", "odds", "as", "what if"} & set(match.completions())


@pytest.mark.parametrize("line", ["play Move 2 rolls 6", "rolls 6", "place Wallace 3 Fife"])
def test_a_match_has_no_chosen_dice_and_no_edits(match: Repl, line: str) -> None:
    before = match.session.game
    output_in(match, line)

    assert 1 == match.failures
    assert before is match.session.game


def test_a_match_previews_an_action_of_its_player(match: Repl) -> None:
    assert "Scotland: played Move 2\n" == output_in(match, "preview play Move 2")
    assert "→" not in output_in(match, "preview England: play Move 3")


def test_a_match_answers_as_its_player(match: Repl) -> None:
    output = output_in(match, "who stands in Mentieth", "where is Comyn", "legal play", "why 1")

    assert "a block of England ×2" in output
    assert "Badenoch" not in output
    assert "3 legal actions\n  1  play Move 1\n" in output
    assert "England: play" not in output
    assert "Scotland: play Move 1 is legal." in output


def test_a_view_ends_with_a_game_that_has_no_such_player(repl: Repl, tmp_path: Path) -> None:
    record = tmp_path / "lords.rec"
    loaded("lords-of-scotland").start("2-players", seed=1).save(record)
    output_in(repl, "as England", f"load {record}")

    assert 0 == repl.failures
    assert repl.session.viewer is None


def test_help_has_one_line_for_each_command(repl: Repl) -> None:
    lines = output_in(repl, "help").splitlines()
    names = [name for name in repl.completions() if f"{name} " in "\n".join(lines)]

    assert {"legal", "why not", "what if", "under", "help"} <= set(names)
    assert len(lines) == len({line.split("  ")[0] for line in lines})
    assert ["undo  Take back the last change."] == output_in(repl, "help undo").splitlines()
