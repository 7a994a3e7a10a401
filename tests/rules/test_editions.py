"""Editions over one another: whose sections are cited, what is only worded otherwise, what is wrong."""

from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.rules import find_source
from hots_rules.rules.load import load_rulebook
from tests.folders import TESTS

MISTAKES = TESTS / "mistakes"
SECTIONS = """\
section,heading,was
1,Before the game,1
2,Fighting,2
2.9,The wounded,2.4
2.1,Curiosity,
2.3,Bidding,2.3 2.2
2.5,Bidding again,2.3
3,Fame,-
4,The duel,
"""


def trial(folder: Path, sections: str = SECTIONS, rules: str = "") -> Path:
    """An edition of the tiny game with sections of its own."""
    base = folder / "tiny-1.0"
    for path, text in (
        (base / "all.rules", (MISTAKES / "tiny-1.0.rules").read_text("utf-8")),
        (base / "sections.csv", (MISTAKES / "sections.csv").read_text("utf-8")),
        (folder / "trial" / "all.rules", f'ruleset trial "Trial"\n  extends tiny-1.0\n{rules}'),
        (folder / "trial" / "sections.csv", sections),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder / "trial"


def cited(path: Path, kind: str, name: str) -> list[str]:
    """The sections of a declaration, each with its edition and heading."""
    return [str(one) for one in load_rulebook(find_source(path)).entries[kind, name].cited]


# ---------------------------------------------------------------- sections
@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("rule", "recovering", ["trial §2.9 The wounded"]),  # another number
        ("rule", "no-peeking", ["trial §2.1 Curiosity"]),  # the same one
        ("rule", "bruce-changes-side", ["trial §2.3 Bidding", "trial §2.5 Bidding again"]),
        ("rule", "castles-hold", ["trial §2.3 Bidding"]),  # two sections became one
        ("rule", "last-blood", ["tiny-1.0 §3 Victory"]),  # nothing corresponds
        ("table", "Area", ["tiny-1.0 §1.1 Areas"]),  # the number is not in the list
    ],
)
def test_an_inherited_rule_is_cited_by_the_sections_that_correspond(
    tmp_path: Path, kind: str, name: str, expected: list[str]
) -> None:
    assert expected == cited(trial(tmp_path), kind, name)


def test_sections_are_followed_layer_by_layer(tmp_path: Path) -> None:
    trial(tmp_path)
    later = tmp_path / "later"
    later.mkdir()
    (later / "all.rules").write_text('ruleset later "Later"\n  extends trial\n', "utf-8")
    (later / "sections.csv").write_text("section,heading,was\n8.1,Wounds,2.9 2.1\n", "utf-8")

    assert ["later §8.1 Wounds"] == cited(later, "rule", "recovering")
    assert ["later §8.1 Wounds"] == cited(later, "rule", "no-peeking")
    assert ["tiny-1.0 §2.2 Blocks"] == cited(later, "rule", "castles-hold")


def test_a_house_rule_without_a_list_leaves_the_numbers_alone(tmp_path: Path) -> None:
    trial(tmp_path)
    house = tmp_path / "house.rules"
    house.write_text(
        'ruleset house "House"\n  extends trial\nrule dull §9 "No."\n  forbid peek\n', "utf-8"
    )

    assert ["house §9"] == cited(house, "rule", "dull")
    assert ["trial §2.9 The wounded"] == cited(house, "rule", "recovering")


def test_a_citation_of_a_lower_edition_is_translated_too(tmp_path: Path) -> None:
    rules = 'rule dull tiny-1.0§2.4 tiny-1.0§3 "No."\n  forbid peek when year = 1300\n'

    assert ["trial §2.9 The wounded"] == cited(trial(tmp_path, rules=rules), "rule", "dull")


def test_play_cites_the_edition_that_is_played(tmp_path: Path) -> None:
    game = hr.load(trial(tmp_path)).start("duel", seed=1)
    reason = game.why_not("Scotland: march Wallace to Ross")[0]

    assert ("march", "trial", ("2.3",)) == (reason.rule, reason.edition, reason.sections)
    stepped = {(step.edition, step.sections) for step in game.play("pass").trace if step.sections}
    assert ("trial", ("2.1",)) in stepped
    shown = {one.name for one in hr.explain.find_declarations(game.ruleset, "2.9")}
    assert {"recovering", "a-long-winter", "recovers", "recovery"} == shown


@pytest.mark.parametrize(
    ("row", "code", "headline", "remedy"),
    [
        (
            "5,Late,7.7",
            "unknown-section",
            "`tiny-1.0` has no section `7.7`",
            "write `-` where nothing corresponds",
        ),
        (
            "2.1,Again,",
            "duplicate-name",
            "the section `2.1` is listed twice",
            "put the headings of one number into one row",
        ),
        (
            "5,Comma, here,2",
            "malformed-text",
            "too many fields for `section,heading,was`: `5,Comma, here,2`",
            'write 3 fields; a heading with a comma needs quotes: `5.7,"Capture, Escape",5.6 5.8`',
        ),
        (
            "5,Short",
            "malformed-text",
            "too few fields for `section,heading,was`: `5,Short`",
            'write 3 fields; a heading with a comma needs quotes: `5.7,"Capture, Escape",5.6 5.8`',
        ),
        (
            "five,Number,2",
            "malformed-text",
            "`five` is not the number of a section",
            'write numbers with dots, several in `was` with spaces: `5.7,"Capture, Escape",5.6 5.8`',
        ),
        (
            "5,Was,2.1;2.2",
            "malformed-text",
            "`2.1;2.2` is not the number of a section",
            'write numbers with dots, several in `was` with spaces: `5.7,"Capture, Escape",5.6 5.8`',
        ),
        (
            '5,"Open,2',
            "malformed-text",
            "quotes that cannot be read: unexpected end of data",
            'close each `"`, with a comma or the end of the line after it; inside, double it',
        ),
    ],
)
def test_a_faulty_list_of_sections_is_told_with_its_line(
    tmp_path: Path, row: str, code: str, headline: str, remedy: str
) -> None:
    with pytest.raises(hr.RulesetError) as caught:
        hr.load(trial(tmp_path, f"{SECTIONS}{row}\n"))
    (fault,) = caught.value.faults

    assert (code, headline, remedy) == (fault.code, fault.headline, fault.help)
    assert ("trial/sections.csv", 10) == (fault.place.file, fault.place.line)
    assert row in str(caught.value)


def test_the_columns_of_a_list_are_fixed(tmp_path: Path) -> None:
    with pytest.raises(hr.RulesetError) as caught:
        hr.load(trial(tmp_path, "number,title\n1,One\n"))
    (fault,) = caught.value.faults

    assert "`number,title` are not the columns of a list of sections" == fault.headline
    assert "begin it with `section,heading`; `,was` and `,note` may follow" in fault.help


# ---------------------------------------------------------------- other words
def test_a_rewording_changes_the_pedigree_and_nothing_else(tmp_path: Path) -> None:
    rules = 'reword rule recovering §2.9 "It says gain for recover."\n'
    reworded, plain = hr.load(trial(tmp_path / "a", rules=rules)), hr.load(trial(tmp_path / "b"))
    entry = reworded.rulebook.entries["rule", "recovering"]

    assert "It says gain for recover." == entry.wording
    assert ("trial", "tiny-1.0") == (entry.edition, entry.previous and entry.previous.edition)
    assert entry.node == plain.rulebook.entries["rule", "recovering"].node
    assert reworded.compiled_source() == plain.compiled_source()


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ('reword rule recoverin §2.9 "So."\n', "amends-nothing"),
        ('reword rule recovering "So."\n', "uncited-rule"),
        ('reword rule recovering §7 "So."\n', "unknown-section"),
        ("reword rule recovering §2.9\n", "malformed-text"),
        (
            'reword rule recovering §2.9 "So."\namend rule recovering §2.9 "X."\n  on recovers(b)\n'
            "    strength[b] += 1\n",
            "duplicate-name",
        ),
        (
            'reword rule recovering §2.9 "So."\nreword rule recovering §2.9 "Or so."\n',
            "duplicate-name",
        ),
    ],
)
def test_a_faulty_rewording_is_told(tmp_path: Path, rules: str, code: str) -> None:
    with pytest.raises(hr.RulesetError) as caught:
        hr.load(trial(tmp_path, rules=rules))

    assert [code] == [fault.code for fault in caught.value.faults]
    assert all(fault.place.file == "trial/all.rules" for fault in caught.value.faults)


def test_what_was_repealed_and_comes_again_remembers_it(tmp_path: Path) -> None:
    trial(tmp_path, rules="repeal rule no-peeking §2.1\nrepeal rule wallace-peeks\n")
    later = tmp_path / "later.rules"
    later.write_text(
        'ruleset later "Later"\n  extends trial\nrule no-peeking §2.1 "No."\n  forbid peek\n',
        "utf-8",
    )
    book = load_rulebook(find_source(later))
    before = book.entries["rule", "no-peeking"].previous

    assert before is not None
    assert "trial" == before.edition
    assert ["wallace-peeks"] == [entry.name for entry in book.repealed]
