"""Rulesets compared: what differs, what is only said otherwise, and how a rule came to be."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.folders import TESTS
from tests.rules.test_editions import trial

MISTAKES = TESTS / "mistakes"
TINY, OLDER = MISTAKES / "tiny-1.0.rules", MISTAKES / "tiny-0.9.rules"


def house(folder: Path, rules: str, extends: str = "tiny-1.0", name: str = "house") -> Path:
    """A ruleset in a file of its own, beside the tiny game."""
    for file in ("tiny-1.0.rules", "sections.csv"):
        (folder / file).write_text((MISTAKES / file).read_text("utf-8"), "utf-8")
    path = folder / "mine" / f"{name}.rules"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'ruleset {name} "House"\n  extends {extends}\n{rules}', "utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    """The line of a file that begins so."""
    lines = path.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(text))


def told(found: hr.compare.Diff) -> dict[tuple[str, str], str]:
    """The kind of change of each declaration."""
    return {(one.kind, one.name): one.change for one in found.differences}


# ---------------------------------------------------------------- what differs
def test_each_declaration_that_differs_is_named_with_its_kind_of_change() -> None:
    expected = {
        ("rule", "no-peeking"): "amended",
        ("table", "Block"): "amended",
        ("variable", "year"): "amended",
        ("rule", "first-blow-in-summer"): "added",
        ("invariant", "never-too-strong"): "repealed",
        ("rule", "a-long-winter"): "wording",
        ("reading", "first_blood"): "amended",
        ("phase", "auction"): "amended",
        ("rule", "castles-hold"): "amended",
        ("table", "Area"): "amended",
        ("label", "fr"): "wording",
    }

    assert expected == told(hr.diff(TINY, OLDER))


@pytest.mark.parametrize(
    "pair", [(TINY, OLDER), ("lords-of-scotland", "hots-4.0"), (TINY, "hots-4.0")]
)
def test_a_comparison_the_other_way_is_the_mirror(pair: tuple[Path | str, Path | str]) -> None:
    there, back = hr.diff(*pair), hr.diff(*reversed(pair))

    assert there
    assert back == there.mirrored()
    assert there == back.mirrored()


def test_differences_are_in_the_order_of_the_book() -> None:
    """§5.02 is printed before §5.1, not beside §5.2."""
    found = hr.diff("hots-3.x", "hots-4.0")
    listed = [section for section in found.by_section() if section]
    book = [*hr.explain.section_headings(hr.load("hots-4.0"))]
    section = found.as_json()["differences"][0]["section"]  # type: ignore[index]

    assert ["5.02", "5.03", "5.05", "5.07", "5.1"] == [n for n in listed if n.startswith("5.")][:5]
    assert listed == sorted(listed, key=book.index)
    assert listed == [*found.mirrored().by_section()][: len(listed)]
    assert listed[0] == section


def test_sections_of_the_older_book_alone_stand_at_their_place(tmp_path: Path) -> None:
    path = house(tmp_path, 'amend rule no-peeking §2.05 "No."\n  forbid peek when year = 1298\n')
    rows = "section,heading\n1,Set-up\n2,Blows\n2.05,Looks\n2.1,Peeking\n2.2,Blocks\n10,More\n"
    (path.parent / "sections.csv").write_text(rows, "utf-8")
    with path.open("a", encoding="utf-8") as file:
        file.write('rule no-march §10 "No."\n  forbid march(b, a) when year = 1299\n')
        file.write('rule no-strike §2.2 "No."\n  forbid strike(b) when year = 1299\n')

    assert ["2.05", "2.2", "10"] == [s for s in hr.diff(TINY, path).by_section() if s]


def test_equal_rulesets_differ_in_nothing(tmp_path: Path) -> None:
    assert not hr.diff("hots-4.0", hr.load("hots-4.0"))
    commented = TINY.read_text("utf-8").replace("rule recovering", "# A comment.\nrule  recovering")
    (tmp_path / "tiny.rules").write_text(commented, "utf-8")
    (tmp_path / "sections.csv").write_text((MISTAKES / "sections.csv").read_text("utf-8"), "utf-8")

    assert () == hr.diff(TINY, tmp_path / "tiny.rules").differences


def test_unrelated_rulesets_are_compared_by_name() -> None:
    found = hr.diff("lords-of-scotland", "hots-4.0")
    changes = told(found)

    assert "added" == changes["rule", "border-limit"]
    assert "repealed" == changes["table", "Card"] or "amended" == changes["table", "Card"]
    assert {one.change for one in found.differences} >= {"added", "repealed"}


def test_both_sides_come_with_their_source_and_sections() -> None:
    (one,) = hr.diff(TINY, OLDER).within("2.1").differences
    assert one.old is not None
    assert one.new is not None

    assert one.old.source.startswith("rule no-peeking §2.1")
    assert one.new.source.startswith("amend rule no-peeking §2.1")
    assert ("tiny-1.0.rules", line_of(TINY, "rule no-peeking")) == (one.old.file, one.old.line)
    assert ["tiny-1.0 §2.1 Peeking", "tiny-0.9 §2.1 Peeking"] == [str(each) for each in one.cited]


def test_a_table_is_compared_cell_by_cell(tmp_path: Path) -> None:
    rules = (
        "amend table Block §1 (rating: 1..4, full: Steps, noble: bool, home: Area?)\n"
        "  Wallace  3  4  no   -\n  Bruce    1  4  yes  Mar\n  Comyn    2  4  yes  Mar\n"
        "amend state\n  turn_of[Block] : 0..3\n"
    )
    (one,) = hr.diff(TINY, house(tmp_path, rules)).within("1").differences
    expected = {
        ("Bruce rating", "2", "1"),
        ("Comyn rating", None, "2"),
        ("Comyn full", None, "4"),
        ("Comyn noble", None, "yes"),
        ("Comyn home", None, "Mar"),
    }

    assert expected == {(each.where, each.old, each.new) for each in one.changes}


def test_clauses_values_and_other_sentences_have_their_old_and_new_text(tmp_path: Path) -> None:
    rules = (
        "amend define hand_limit = 4  §2.3\n"
        "amend clause wallace-peeks.peek §2.1\n  exempt peek from no-peeking when actor = Scotland\n"
        "amend clause a-long-winter.before §2.4\n  before recovers(b) when strength[b] = 1\n    strength[b] := 0\n"
        'reword rule no-peeking §2.1 "Shorter." as "No peeking."\n'
    )
    changes = {
        one.name: [(each.where, each.old, each.new) for each in one.changes]
        for one in hr.diff(TINY, house(tmp_path, rules)).differences
        if one.kind != "label"
    }

    expected = {
        "hand_limit": [("value", "5", "4")],
        "wallace-peeks": [
            (
                "exempt peek",
                "from no-peeking, place[Wallace] != Dead and actor = owner[Wallace]",
                "from no-peeking, actor = Scotland",
            )
        ],
        "a-long-winter": [
            (
                "before recovers",
                "when castle[place[b] as Area] = 0 and strength[b] = 1: eliminated(b, winter) …",
                "when strength[b] = 1: strength[b] := 0",
            )
        ],
        "no-peeking": [("sentence", "Nobody looks under the table.", "No peeking.")],
    }

    assert expected == changes


def test_choices_are_compared_by_what_can_be_chosen_and_by_default(tmp_path: Path) -> None:
    rules = (
        'amend option starting_hand : 0..4 = 2 §2.3 "Fewer."\n'
        'amend reading first_blood §3 "Who begins is not said."\n'
        '  scots    "The Scots."\n  english  "The English."  default\n'
    )
    found = hr.diff(TINY, house(tmp_path, rules)).differences
    # Its translation lapses with the English sentence, so a label differs, too.
    option, reading = (each for each in found if each.kind != "label")

    assert {("values", "0..5", "0..4"), ("default", "3", "2")} == {
        (each.where, each.old, each.new) for each in option.changes
    }
    assert [("default", "scots", "english")] == [
        (each.where, each.old, each.new) for each in reading.changes
    ]


@pytest.mark.parametrize(
    ("rules", "change", "reasons"),
    [
        ('reword rule recovering §2.4 "Gain for recover."\n', "wording", ("Gain for recover.",)),
        (
            'amend rule recovering §2.4 "They gain a step."\n  on recovers(b)\n    strength[b] += 1\n',
            "wording",
            (),
        ),
        (
            'amend rule castles-hold §2.2 "Nobody marches into a castle of two or more."\n'
            '  forbid march(b, to) let walled = castle[to] when walled >= 2\n    because "{to} is strong"\n',
            "wording",
            (),
        ),
        (
            'amend rule recovering §2.1 "The wounded recover a step."\n  on recovers(b)\n'
            "    # as before\n    strength[b] += 1\n",
            "citation",
            (),
        ),
    ],
)
def test_what_is_only_said_otherwise_is_marked(
    tmp_path: Path, rules: str, change: str, reasons: tuple[str, ...]
) -> None:
    (one,) = hr.diff(TINY, house(tmp_path, rules)).differences

    assert (change, reasons, False) == (one.change, one.reasons, one.plays)


def test_another_number_in_the_list_of_sections_is_a_citation_alone(tmp_path: Path) -> None:
    changes = told(hr.diff(tmp_path / "tiny-1.0", trial(tmp_path)))

    assert "citation" == changes["rule", "recovering"]
    assert ("rule", "no-peeking") not in changes
    assert {"citation"} == set(changes.values())


def test_other_words_for_players_do_not_change_play(tmp_path: Path) -> None:
    rules = 'label en\n  Wallace = "William Wallace"\n'
    (one,) = hr.diff(TINY, house(tmp_path, rules)).differences

    assert (hr.compare.Change("Wallace", "Wallace", "William Wallace"),) == one.changes
    assert not one.plays


def test_another_order_of_rules_on_one_event_is_a_difference(tmp_path: Path) -> None:
    on = 'rule {} §2 "So."\n  after recovers(b)\n    strength[b] := strength[b]\n'
    one = house(tmp_path, on.format("first") + on.format("second"))
    other = house(tmp_path, on.format("second") + on.format("first"), name="other")
    (found,) = hr.diff(one, other).differences

    assert ("event", "recovers", "amended") == (found.kind, found.name, found.change)
    assert found.changes[0].old is not None
    assert "after first, after second" in found.changes[0].old


# ---------------------------------------------------------------- the pedigree
def test_the_history_of_a_rule_goes_through_the_layers() -> None:
    versions = hr.compare.history(hr.load(OLDER), "no peeking")

    assert [
        ("tiny-1.0", "added", "tiny-1.0.rules", line_of(TINY, "rule no-peeking")),
        ("tiny-0.9", "amended", "tiny-0.9.rules", 3),
    ] == [(one.edition, one.change, one.file, one.line) for one in versions]
    assert versions[1].source.startswith("amend rule no-peeking")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("never-too-strong", ("repealed", "repeal invariant never-too-strong §1")),
        ("a-long-winter", ("wording", "reword rule a-long-winter §2.4")),
        ("rating", None),
    ],
)
def test_the_history_ends_with_what_the_ruleset_did(
    name: str, expected: tuple[str, str] | None
) -> None:
    ruleset = hr.load(OLDER)
    if expected is None:
        with pytest.raises(hr.explain.UnknownRule, match="no section or name `rating`"):
            hr.compare.history(ruleset, name)
    else:
        last = hr.compare.history(ruleset, name)[-1]
        assert expected[0] == last.change
        assert last.source.startswith(expected[1])


# ---------------------------------------------------------------- on the command line
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((TINY, TINY), 0),
        ((TINY, OLDER), 1),
        ((TINY, OLDER, "--section", "4"), 0),
        ((TINY, OLDER, "--section", "§2"), 1),
        ((TINY, OLDER, "--section", "77"), 2),
        ((TINY, OLDER, "--section", "bogus"), 2),
        ((TINY, "no-such-ruleset"), 2),
        ((TINY, MISTAKES / "bad" / "unknown-name.rules"), 2),
    ],
)
def test_the_command_ends_as_diff_does(arguments: tuple[object, ...], code: int) -> None:
    run = CliRunner().invoke(app, ["diff", *map(str, arguments)])

    assert code == run.exit_code, run.output


def test_json_has_a_stable_form() -> None:
    run = CliRunner().invoke(app, ["diff", str(TINY), str(OLDER), "--json"])
    found = json.loads(run.stdout)

    assert ["old", "new", "equal", "differences", "changes"] == list(found)
    expected = {
        "kind",
        "name",
        "change",
        "old",
        "new",
        "changes",
        "reasons",
        "plays",
        "section",
        "id",
        "effect",
        "evidence",
    }
    assert all(expected == set(one) for one in found["differences"])


def test_the_history_on_the_command_line() -> None:
    run = CliRunner().invoke(app, ["show", str(OLDER), "no-peeking", "--history"])
    said = CliRunner().invoke(app, ["show", str(OLDER), "no-peeking", "--history", "--json"]).stdout

    assert "rule no-peeking, amended by tiny-0.9" in run.stdout
    assert "tiny-0.9.rules:3" in run.stdout
    assert ["added", "amended"] == [one["change"] for one in json.loads(said)["history"]]
    assert 2 == CliRunner().invoke(app, ["show", str(OLDER), "--history"]).exit_code
