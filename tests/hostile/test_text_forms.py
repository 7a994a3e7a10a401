"""Texts mean the same however an editor ends their lines, marks their beginning and writes an accent."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules import editing
from hots_rules._text import composed, plain_text
from hots_rules.cli.app import app
from hots_rules.rules.sources.find import find_source
from tests.playing import TINY

LABELLED = TINY + 'label fr\n  action go = "{p} vers {s}"\n  Piece.Hen = "Été"\n'
SECTIONS = "section,heading\n" + "".join(f"{n},Séction {n}\n" for n in range(1, 10))
TALK = '[words]\nfr = ["où", "là"]\n'
CASE = """## The fox goes on
§2 He goes.
```case
like: start
play:
  Red: Fox to North
expect:
  state: Fox: at North
```
"""

# ------------------------------------------------------------------ forms
FORMS: dict[str, Callable[[str], str]] = {
    "of Windows": lambda text: text.replace("\n", "\r\n"),
    "of old Macs": lambda text: text.replace("\n", "\r"),
    "with a byte order mark": lambda text: f"\ufeff{text}",
    "with blanks at line ends": lambda text: text.replace("\n", " \t\n"),
    "without a last line end": lambda text: text.rstrip("\n"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "of everything": lambda text: (
        "\ufeff" + unicodedata.normalize("NFD", text).replace("\n", " \r\n").rstrip("\r\n")
    ),
}
EMPTY_LINES = {"with empty lines": lambda text: text.replace("\n", "\n\n \n")}


@cache
def rules_in(folder: Path) -> hr.Ruleset:
    return hr.load(folder / "tiny.rules")


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> hr.Ruleset:
    return rules_in(written(tmp_path_factory.mktemp("plain"), LABELLED, SECTIONS))


def written(folder: Path, text: str, sections: str) -> Path:
    (folder / "tiny.rules").write_bytes(text.encode())
    (folder / "sections.csv").write_bytes(sections.encode())
    return folder


def record_of(rules: hr.Ruleset) -> str:
    game = rules.start("short", seed="été", chance="ask").play("Fox to North")
    record = game.in_language("fr").play("Été vers South").record
    return str(record).replace("\n\n", "\n\n# A short game.\n", 1)


FORM = pytest.mark.parametrize(
    "form", [pytest.param(make, id=name) for name, make in FORMS.items()]
)
LOOSE = pytest.mark.parametrize(
    "form", [pytest.param(make, id=name) for name, make in (FORMS | EMPTY_LINES).items()]
)


# ------------------------------------------------------------------ files and texts × forms
@LOOSE
def test_rules_and_sections_have_the_same_digest(
    form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path
) -> None:
    same = hr.load(written(tmp_path, form(LABELLED), SECTIONS) / "tiny.rules")

    assert rules.content_hash == same.content_hash


@FORM
def test_a_list_of_sections_is_read(
    form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path
) -> None:
    other = hr.load(written(tmp_path, LABELLED, form(SECTIONS)) / "tiny.rules")

    assert rules.rulebook.sections == other.rulebook.sections
    assert "Séction 2" in str(other.rulebook.sections)


@LOOSE
def test_a_ruleset_plays_the_same_game(
    form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path
) -> None:
    other = hr.load(written(tmp_path, form(LABELLED), form(SECTIONS)) / "tiny.rules").in_language(
        "fr"
    )
    game = other.start("short", seed=1).play("Fox vers North")

    assert ["‹Blue›: Été vers ‹North›"] == [a.text for a in game.actions_for("Hen")][:1]


@FORM
def test_an_action_is_played(form: Callable[[str], str], rules: hr.Ruleset) -> None:
    game = rules.start("short", seed=1).play("Fox to North").in_language("fr")

    assert game.play("Blue: Été vers South") == game.play(form("Blue: Été vers South\n"))


@FORM
def test_an_outcome_of_chance_is_known(form: Callable[[str], str], rules: hr.Ruleset) -> None:
    game = rules.start("short", seed=1, chance="ask").play("like").in_language("fr")
    text = next(text for text in (action.text for action in game.actions) if "Été" in text)
    without_player = text.partition(": ")[2]

    for outcome in (text, without_player):
        assert hr.explain.is_action(game, form(f"{outcome}\n"))
        assert game.play(outcome) == game.play(form(f"{outcome}\n"))


@FORM
def test_a_record_replays(form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path) -> None:
    text = record_of(rules)
    # A seed is what it is: with another one the dice are others.
    changed = form(text.replace("été", "\0")).replace("\0", "été")
    file = tmp_path / "game.txt"
    file.write_bytes(changed.encode())

    assert hr.replay(text, rules) == hr.replay(changed, rules) == hr.read(file, rules)
    assert text == str(hr.Record.parse(changed))


def test_empty_lines_between_actions_are_nothing(rules: hr.Ruleset) -> None:
    head, body = record_of(rules).split("\n\n", 1)
    text = f"\n{head}\n\n\n{body}".replace("Blue:", "\n \t\n  Blue:") + "\n\n"

    assert hr.replay(record_of(rules), rules) == hr.replay(text, rules)


def test_an_empty_line_in_the_head_is_named(rules: hr.Ruleset) -> None:
    with pytest.raises(
        hr.BadRecord, match="missing line `chance …` in the head, which ends in line 6"
    ):
        hr.replay(record_of(rules).replace("\nchance", "\n\nchance"), rules)


@FORM
def test_a_journal_goes_on_in_its_own_form(
    form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path
) -> None:
    file = tmp_path / "game.txt"
    game = rules.start("short", seed=5, chance="ask").play("Fox to North")
    file.write_bytes(form(str(game.record)).encode())
    after = game.play("Blue: rest")
    with hr.Journal.resume(file, rules) as journal:
        assert game == journal.game
        journal.add(after)

    assert str(after.record).encode() == file.read_bytes().replace(b" \t\n", b"\n").replace(
        b" \n", b"\n"
    )


@LOOSE
def test_a_position_is_set_up(form: Callable[[str], str], rules: hr.Ruleset) -> None:
    expected = rules.position("turn 2\nÉté: at Far_East\nFox: owner Red\n", seed=1)

    assert expected == rules.position(form("turn 2\nÉté: at Far_East\nFox: owner Red\n"), seed=1)
    assert expected == rules.position("turn\t2\nÉté:\tat\tFar_East\n", seed=1)


def test_a_fault_of_a_position_has_the_line_of_the_file(rules: hr.Ruleset) -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(hr.BadPosition, match="line 3"):
            rules.position(f"turn 2{end}{end}trun 3{end}")


@LOOSE
def test_a_case_is_played(form: Callable[[str], str], rules: hr.Ruleset, tmp_path: Path) -> None:
    (tmp_path / "positions").mkdir()
    file, position = tmp_path / "go.md", tmp_path / "positions" / "start.txt"
    file.write_bytes(form(CASE).encode())
    position.write_bytes(form("Été: at South\nturn 2\n").encode())
    (found,) = hr.testing.find_case_files([file])
    runner = hr.testing.CaseRunner(lambda _: rules, ["tiny"], [found])

    assert [True] == [bool(one) for one in runner.run_case(file, found.cases[0])]


@FORM
def test_an_editor_sees_no_faults(form: Callable[[str], str]) -> None:
    space = editing.Workspace()
    space.open("/game/tiny.rules", form(LABELLED))
    space.open("/game/sections.csv", form(SECTIONS))
    space.check("/game/tiny.rules")

    assert () == tuple(space.faults("/game/tiny.rules"))


def test_a_fault_has_the_line_and_column_of_the_file() -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(hr.RulesetError) as error:
            hr.format_rules(f"\ufeffdefine a = 1{end}{end}define b ={end}")
        assert 3 == error.value.faults[0].place.line


@LOOSE
def test_rules_are_formatted_alike(form: Callable[[str], str]) -> None:
    text = 'define  big = 3\nlabel fr\n  define big = "été"\n'
    formatted = hr.format_rules(form(text))

    assert hr.format_rules(text) == formatted.replace("\n\n", "\n")


@FORM
def test_fmt_writes_the_line_ends_of_every_system(
    form: Callable[[str], str], tmp_path: Path
) -> None:
    file, text = tmp_path / "big.rules", hr.format_rules('label fr\n  define big = "été"\n')
    file.write_bytes(form(text).encode())
    checked = CliRunner().invoke(app, ["fmt", "--check", "--diff", str(file)])
    CliRunner().invoke(app, ["fmt", str(file)])

    assert 1 == checked.exit_code
    assert text.encode() == file.read_bytes()


@LOOSE
def test_a_policy_is_read(form: Callable[[str], str], rules: hr.Ruleset) -> None:
    game = rules.start("short", seed=1)
    plain = game.odds(until="game", policy="rest\nthrow(p)\n", states=200_000)

    assert plain.outcomes == game.odds(until="game", policy=form("rest\nthrow(p)\n")).outcomes


@FORM
def test_json_and_toml_are_read(form: Callable[[str], str]) -> None:
    text = hr.formats.to_json(hr.formats.refusal(hr.BadRecord("line 3")))
    plan = 'sides = ["a", "b"]\nscenario = "short"\n'

    assert text == hr.formats.to_json(hr.formats.from_json(form(f"{text}\n"), hr.formats.Refusal))
    assert hr.study.StudyPlan.parse(plan) == hr.study.StudyPlan.parse(form(plan))


@FORM
def test_board_talk_and_headings_are_read(form: Callable[[str], str], tmp_path: Path) -> None:
    texts = {"board.json": json.dumps({"a": 1}), "talk.toml": TALK, "headings.toml": TALK}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(form(f"{text}\n").encode())
    source = find_source(written(tmp_path, LABELLED, SECTIONS))

    for text in (source.board, source.talk, source.headings):
        assert "\r" not in text
        assert not text.startswith("\ufeff")


# ------------------------------------------------------------------ limits
def test_what_is_ambiguous_is_named_with_its_place() -> None:
    for sign, line in (("\ufeff", 2), ("\x0c", 2), ("\u2028", 2), ("\x85", 2)):
        with pytest.raises(hr.RulesetError) as error:
            hr.format_rules(f"define a = 1\ndefine b{sign} = 2\n")
        place = error.value.faults[0].place
        assert (line, 9) == (place.line, place.column), ascii(sign)


def test_many_accents_on_a_letter_take_no_time() -> None:
    hostile = "a" + "\u0301\u0323" * 500_000  # minutes, if they were sorted

    assert hostile == composed(hostile)
    assert "á" * 50 == composed("a\u0301" * 50)
    assert "한" * 50 == composed(unicodedata.normalize("NFD", "한" * 50))


def test_a_plain_text_is_plain() -> None:
    text = "a\r\r\n\n\rb\u2028\tc \r"

    assert "a\n\n\n\nb\u2028\tc \n" == plain_text(text) == plain_text(plain_text(text))
