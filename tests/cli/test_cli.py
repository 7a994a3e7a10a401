"""Commands about rulesets (list, show, check), exit codes and terminals."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.exits import COMPARISON_EXIT_CODES, EXIT_CODES
from tests.cli.conftest import TINY
from tests.folders import HOME

FAULTY = """\
ruleset wrong-1.0 "A wrong game"
type Side = Red | Blue
players Side
state §1
  year : 1..3 = 9
event spring() §1 "spring comes"
phase game §1 "A year begins."
  spring()
rule early §1 "Spring begins the second year."
  on sprnig
    year := 2
scenario calm §1 "Nobody fights"
  game()
"""


def hots(*words: object, typed: str | None = None, env: dict[str, str] | None = None) -> Any:
    """What a command gives: `exit_code`, `stdout` and `stderr`."""
    return CliRunner().invoke(app, [str(word) for word in words], input=typed, env=env)


HILL = """\
ruleset hill-1.0 "A hill"
players Side
type Side = Red
action wait §1 "Wait."
  permit
phase play §1 "Play."
  choose Red: wait
scenario short-game §1 "Up the hill and
  down"
  play()
scenario long-game §1 §2 "All day"
  play()
scenario no-game §1 "Nothing"
  play()
label de
  scenario short-game = "Auf den Berg und
    hinab"
  scenario long-game = "Den ganzen Tag"
"""
HIGHER = """\
ruleset hill-2.0 "A higher hill"
  extends hill-1.0
label en
  scenario short-game = "Up and down"
amend scenario long-game §2 "All night"
  play()
repeal scenario no-game §1
reword scenario short-game §1 "As before" as "Up and up"
scenario last-game §1 "The last"
  play()
"""


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of rulesets that are found by name."""
    for name, text in {"hill.rules": HILL, "higher.rules": HIGHER}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("HOTS_RULES_PATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    path = tmp_path / "faulty.rules"
    path.write_text(FAULTY, encoding="utf-8")
    return path


# ---------------------------------------------------------------- help
def test_help_lists_the_exit_codes() -> None:
    help_ = hots("--help")

    assert 0 == help_.exit_code
    for code in (
        "0    success",
        "1    error in",
        "2    unknown",
        "130  interrupted",
        "141  output pipe",
    ):
        assert code in help_.stdout


def test_the_page_of_the_command_line_lists_the_same_exit_codes() -> None:
    page = (HOME / "docs/reference/command-line.md").read_text("utf-8")

    assert [] == [row for row in EXIT_CODES.items() if "| {} | {} |".format(*row) not in page]
    commands, _, codes = COMPARISON_EXIT_CODES.partition(": ")
    assert "0 no difference, 1 a difference, 2 any error" == codes
    names = ", ".join(f"`{name}`" for name in commands.split(", "))
    assert f"| {names} | there is a difference; every error has status 2 |" in page


def test_an_unknown_command_is_a_usage_error() -> None:
    wrong = hots("paly")

    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert "No such command 'paly'" in wrong.stderr


# ---------------------------------------------------------------- list
def test_list_names_rulesets_and_scenarios() -> None:
    listed = hots("list")

    assert 0 == listed.exit_code
    assert (
        "hots-4.0  Hammer of the Scots, rulebook 4.0\n"
        "  braveheart  Braveheart, 1297 to 1305\n"
        "  the-bruce   The Bruce, 1306 to 1314\n"
        "  campaign    Campaign game, from 1297 until somebody wins\n"
    ) in listed.stdout


def test_list_as_json() -> None:
    listed = json.loads(hots("list", "--json").stdout)

    newest = next(row for row in listed if row["name"] == "hots-4.0")
    assert ["braveheart", "the-bruce", "campaign"] == [s["name"] for s in newest["scenarios"]]


def test_list_gives_the_titles_of_compiled_rulesets(own_folder: Path) -> None:
    """The titles that are read without parsing are those of the ruleset, in every language."""
    names = ("hill-1.0", "hill-2.0", "hots-2.3", "hots-4.0", "lords-of-scotland")
    loaded = {name: hr.load(name) for name in names}
    for language in ("en", "fr", "de"):
        listed = hr.scenarios(language)
        for rules in loaded.values():
            if language in rules.languages:
                titles = {
                    name: rules.in_language(language).scenario_title(name)
                    for name in rules.scenarios
                }
                assert titles == listed[rules.name]
                assert [*titles] == [*listed[rules.name]]
    assert "‹Up and down›" == hr.scenarios("fr")["hill-2.0"]["short-game"]


def test_list_names_a_ruleset_whose_base_is_missing(own_folder: Path) -> None:
    (own_folder / "lost.rules").write_text('ruleset lost-1.0 "Lost"\n  extends nothing-1.0\n')
    listed = hots("list")

    assert 1 == listed.exit_code
    assert "lost-1.0  Lost\n" in listed.stdout
    assert "`lost-1.0` has faults; run: hots check lost-1.0" in listed.stderr


# ---------------------------------------------------------------- show
def test_show_prints_the_rules_of_a_section_and_its_parts(tiny: Path) -> None:
    shown = hots("show", tiny, "3.1", "--code")

    assert 0 == shown.exit_code
    assert (
        "rule kings-stay §3.1\n"
        "  A king does not march in the first year.\n"
        f"  tiny-1.0, {tiny}:37\n"
        "    # Kings are careful.\n"
        '    rule kings-stay §3.1 "A king does not march in the first year."\n'
        "      forbid march(p) when p = King and year = 1\n"
    ) == shown.stdout
    told = "\nkings-stay §3.1\n  A king does not march in the first year.\n"
    assert told in hots("show", tiny, "3").stdout


def test_show_prints_the_heading_of_the_section() -> None:
    shown = hots("show", "hots-4.0", "5.5", "--code")

    assert 0 == shown.exit_code
    assert shown.stdout.startswith("§5.5 Retreating\n\n")
    assert '    rule border-control §5.5 §5.07 "' in shown.stdout
    assert ", 4.0/battles.rules:" in shown.stdout


def test_show_includes_the_parts_of_a_section() -> None:
    shown = json.loads(hots("show", "hots-4.0", "5.3", "--json").stdout)

    sections = {section for one in shown["shown"] for section in one["sections"]}
    assert {"5.31", "5.32", "5.33"} <= sections
    assert all(any(s.startswith("5.3") for s in one["sections"]) for one in shown["shown"])


def test_show_finds_a_name_in_any_spelling() -> None:
    shown = json.loads(hots("show", "hots-4.0", "Border control", "--json").stdout)

    assert [("rule", "border-control")] == [(s["kind"], s["name"]) for s in shown["shown"]]
    assert shown["shown"][0]["source"].startswith("rule border-control §5.5")


@pytest.mark.parametrize("section", ["4.3", "5.7", "7.5"])
def test_a_section_is_shown_without_the_words_of_the_language_of_rules(section: str) -> None:
    shown = hots("show", "hots-4.0", section).stdout

    assert not re.search(r"^(?:rule|action|event|define|invariant|promise|question) ", shown, re.M)
    assert "--code" not in shown and "{" not in shown


def test_a_word_that_only_the_rules_in_code_have_is_searched_for() -> None:
    shown = hots("show", "hots-4.0", "border").stdout

    assert "define" not in shown and "§4.3 Border Limits" in shown
    assert shown.endswith("`--code` shows how `border` is written\n")
    assert hots("show", "hots-4.0", "border", "--code").stdout.startswith("define border §1.1\n")
    assert hots("show", "hots-4.0", "border_limit").stdout.startswith("define border_limit §4.3\n")


def test_show_suggests_a_name_of_a_piece() -> None:
    assert "did you mean `Wallace`?" in hots("show", "hots-4.0", "walace").stderr


def test_show_suggests_a_similar_name() -> None:
    wrong = hots("show", "hots-4.0", "border-contrl")

    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert (
        "hots: `hots-4.0` has no section or name `border-contrl`\n"
        "help: did you mean `border-control`?\n"
    ) == wrong.stderr


def test_show_of_an_unknown_section() -> None:
    wrong = hots("show", "hots-4.0", "5.77")

    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert "`5.77`" in wrong.stderr


def test_show_without_a_query_prints_the_contents(tiny: Path) -> None:
    shown = hots("show", tiny)

    assert (
        "tiny-1.0  A tiny game\n"
        "\n"
        "scenarios\n"
        "  skirmish  Two pieces against one\n"
        "\n"
        "options\n"
        "  fierce  no | yes (default no) §3\n"
        "          A low roll wounds twice.\n"
        "\n"
        "readings\n"
        "  who_wins_a_tie  reds | blues (default reds) §4\n"
        "                  Who wins a tie is not said.\n"
    ) == shown.stdout


def test_show_compiled_is_python(tiny: Path) -> None:
    shown = hots("show", tiny, "--compiled")

    assert 0 == shown.exit_code
    compile(shown.stdout, "shown", "exec")
    assert "def list_march(" in shown.stdout


# ---------------------------------------------------------------- check
def test_check_of_a_valid_ruleset(tiny: Path) -> None:
    checked = hots("check", tiny)

    assert (0, "no faults\n", "") == (checked.exit_code, checked.stdout, checked.stderr)


def test_the_dearest_clauses_of_a_listing_are_told_with_their_places() -> None:
    lines = hots("check", "reversi-1.0", "--cost").stdout.splitlines()
    costs = json.loads(hots("check", "hots-4.0", "--cost", "--json").stdout)["costs"]

    assert lines == [
        "most steps in one list of legal actions, by clause:",
        "  74,624  forbid place  reversi/reversi.rules:47  discs-enclose §2",
        "     204  permit place  reversi/reversi.rules:41  place §2",
        "no faults",
    ]
    steps = [cost["steps"] for cost in costs]
    assert len(steps) == 10 and steps == sorted(steps, reverse=True)
    assert {"action", "kind", "rule", "sections", "file", "line", "steps"} == costs[0].keys()


@pytest.mark.thorough
def test_check_tells_of_a_number_that_the_rulebook_below_has(tmp_path: Path) -> None:
    house = tmp_path / "house.rules"
    house.write_text(
        'ruleset house "House"\n  extends hots-4.0\n'
        'rule dull §5.7 "No."\n  forbid end_moves when year = 1300\n'
        'rule duller §99 hots-4.0§5.7 "No."\n  forbid end_moves when year = 1301\n',
        encoding="utf-8",
    )
    checked = hots("check", house)
    note, end = checked.stdout.replace("\n  ", " ").splitlines()

    assert (0, "no faults") == (checked.exit_code, end)
    assert note.startswith("note: house.rules:3: `§5.7` is a number of house,")
    assert note.endswith("write `hots-4.0§5.7`.")
    assert 1 == len(json.loads(hots("check", house, "--json").stdout)["notes"])


def test_check_reports_all_faults(faulty: Path) -> None:
    checked = hots("check", faulty)

    assert 1 == checked.exit_code
    assert (
        f" --> {faulty}:5:17\n  |\n5 |   year : 1..3 = 9\n  |                 ^\n" in checked.stdout
    )
    assert "did you mean `spring`?" in checked.stdout
    assert checked.stdout.endswith(" faults\n")
    assert "Traceback" not in checked.output


def test_check_as_json(faulty: Path) -> None:
    checked = hots("check", faulty, "--json")

    faults = json.loads(checked.stdout)["faults"]
    assert 1 == checked.exit_code
    assert {"out-of-range", "unknown-name"} <= {fault["code"] for fault in faults}
    assert {"file", "line", "column", "end_line", "end_column"} == set(faults[0]["place"])


def test_check_of_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    wrong = hots("check", tmp_path / "no.rules")

    assert 2 == wrong.exit_code
    assert "cannot read a ruleset at `" in wrong.stdout
    assert "Traceback" not in wrong.output


@pytest.mark.parametrize("command", [["play", "hots-4.9", "braveheart"], ["show", "hots-4.9", "1"]])
def test_an_unknown_ruleset_suggests_a_similar_one(command: list[str]) -> None:
    wrong = hots(*command)

    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert "did you mean `hots-4.0`?" in wrong.stderr


def test_a_faulty_ruleset_cannot_be_played(faulty: Path) -> None:
    wrong = hots("play", faulty, "skirmish")

    assert (1, "") == (wrong.exit_code, wrong.stdout)
    assert "out-of-range" in wrong.stderr


# ---------------------------------------------------------------- terminals
def test_colours_on_a_terminal_unless_no_color_is_set(faulty: Path, tiny: Path) -> None:
    coloured = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "NO_COLOR": ""}
    for command in (["check", faulty], ["show", tiny, "3"]):
        assert "\x1b[" in hots(*command, env=coloured).stdout
        assert "\x1b" not in hots(*command, env={**coloured, "NO_COLOR": "1"}).stdout


def test_control_characters_of_a_ruleset_are_refused_and_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "evil.rules"
    path.write_text(TINY.replace("Two pieces", "[red]\x1b[31m:smile: Two pieces"), encoding="utf-8")
    shown = hots("show", path, "4")

    assert shown.exit_code
    assert "the character U+001B" in shown.stderr
    assert "[red]�[31m:smile: Two pieces against one" in shown.stderr
    assert "\x1b" not in shown.output


# ---------------------------------------------------------------- fmt
LOOSE = "clock  a,b # time\n"
STRICT = "clock a, b  # time\n"


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "one.rules").write_text(LOOSE, encoding="utf-8")
    (folder / "two.rules").write_text(STRICT, encoding="utf-8")
    return folder


def test_files_are_formatted(loose: Path) -> None:
    first, second = hots("fmt", loose), hots("fmt", loose)

    assert (0, 0) == (first.exit_code, second.exit_code)
    assert f"formatted {loose / 'one.rules'}\n" == first.stdout
    assert "" == second.stdout
    assert [STRICT, STRICT] == [path.read_text("utf-8") for path in sorted(loose.iterdir())]


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_a_look_at_the_form_writes_nothing(loose: Path, option: str) -> None:
    looked = hots("fmt", option, loose)

    assert (1 if option == "--check" else 0) == looked.exit_code
    assert ("+clock a, b" in looked.stdout) == (option == "--diff")
    assert LOOSE == (loose / "one.rules").read_text("utf-8")


def test_a_file_with_a_fault_is_left_alone(loose: Path) -> None:
    (loose / "slip.rules").write_text("clock  =\n", encoding="utf-8")
    formatted = hots("fmt", loose)

    assert 1 == formatted.exit_code
    assert "malformed-text" in formatted.stderr
    assert STRICT == (loose / "one.rules").read_text("utf-8")
    assert "clock  =\n" == (loose / "slip.rules").read_text("utf-8")


def test_formatting_as_json(loose: Path) -> None:
    (loose / "slip.rules").write_text("clock  =\n", encoding="utf-8")
    files = json.loads(hots("fmt", "--check", "--json", loose).stdout)["files"]

    assert [True, False, False] == [file["changed"] for file in files]
    assert [0, 1, 0] == [len(file["faults"]) for file in files]


def test_old_spellings_are_replaced(tmp_path: Path) -> None:
    old = tmp_path / "old.rules"
    old.write_text("define a = most x in S: n\n", encoding="utf-8")

    assert 1 == hots("fmt", old).exit_code
    assert 0 == hots("fmt", "--upgrade", old).exit_code
    assert "define a = max x in S: n\n" == old.read_text("utf-8")
