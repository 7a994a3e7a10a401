"""The table of differences among rulesets: as values, at the command line, in Markdown and in HTML."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.casebook import HAMMER
from tests.compare.test_compare import OLDER, TINY, house

# Texts of a stranger: signs of Markdown and HTML, and a line end in a sentence.
HOSTILE = (
    'rule sly §2.1 "<script>alert(1)</script> | **bold** [x](http://fox) `code` {x} $y$ &amp;"\n'
    "  forbid peek when year = 1298\n"
)


def run(*args: object, columns: int = 80, status: int = 1) -> str:
    """What `hots diff` prints."""
    result = CliRunner().invoke(app, ["diff", *map(str, args)], env={"COLUMNS": str(columns)})
    assert status == result.exit_code, result.output
    return result.output


class Tags(HTMLParser):
    """Reads a page, and refuses elements that are not closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.text = ""
        self.feed(page)
        assert [] == self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag not in {"br", "meta"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data


# ---------------------------------------------------------------- values
def test_the_summary_counts_what_changes_and_what_plays() -> None:
    (said,) = hr.compare.table("hots-3.x", "hots-4.0").summaries()

    assert said == (
        "hots-3.x → hots-4.0: 10 amended, 2 added, 2 repealed; 13 play differently. "
        "32 differ in wording or section alone."
    )


def test_each_ruleset_is_compared_with_the_one_before() -> None:
    table = hr.compare.table("hots-2.3", "hots-3.x", "hots-4.0")
    pairs = [hr.diff("hots-2.3", "hots-3.x"), hr.diff("hots-3.x", "hots-4.0")]

    for at, pair in enumerate(pairs):
        changes = {row.id: row.changes[at] for row in table.rows if row.changes[at]}
        assert {each.id: each.change for each in pair.differences} == changes
    assert {row.id for row in table.rows} == {name for pair in pairs for name in pair.ids}
    plays = {each.id for pair in pairs for each in pair.differences if each.plays}
    assert plays == {row.id for row in table.playing().rows}


def test_equal_versions_have_one_number_and_absent_ones_none() -> None:
    table = hr.compare.table("hots-2.3", "hots-3.x", "hots-4.0")
    versions = {
        name: [cell.version for cell in table.row(name).cells]
        for name in (
            "reading return_of_balliol",
            "phase must_retreat",
            "action announce_coronation",
        )
    }

    assert [1, 2, None] == versions["reading return_of_balliol"]
    assert [1, 1, 2] == versions["phase must_retreat"]
    assert [1, None, None] == versions["action announce_coronation"]


def test_a_cell_says_only_what_differs() -> None:
    table = hr.compare.table(TINY, OLDER)
    cells = [cell.lines for cell in table.row("table Block").cells]

    assert ("Wallace rating: 3", "Wallace rating: 2") == (cells[0][0], cells[1][0])
    assert "Wallace full" not in str(cells)
    assert [(), ()] == [
        cell.lines for cell in hr.compare.table(TINY, OLDER).row("a-long-winter").cells
    ]


def test_a_section_with_another_number_in_another_book_says_so() -> None:
    titles = [each.title for each in hr.compare.table("hots-3.x", "hots-4.0").shown()]
    ahead = hr.compare.table("hots-4.0", "hots-3.x").shown()

    assert "§2.25 Infantry (3.x §2.24 Infantería)" in titles
    assert "§5.5 Retreating" in titles
    assert titles == [each.title for each in ahead]


def test_sections_are_in_the_order_of_the_newest_book() -> None:
    table = hr.compare.table("hots-player-aid", "hots-2.3", "hots-4.0")
    book = [*hr.explain.section_headings(hr.load("hots-4.0"))]
    own = [section for section in table.by_section() if section in book]

    assert own == sorted(own, key=book.index)


def test_declarations_that_only_move_together_are_in_one_row() -> None:
    table = hr.compare.table("hots-player-aid", "hots-2.3")
    rows = [row for section in table.shown() for row in section.rows]
    shown = [each.id for row in rows for each in row.rows]

    assert sorted(row.id for row in table.rows) == sorted(shown)
    assert len(rows) < len(table.rows)
    assert any(len(row.rows) > 5 for row in rows)


def test_sentences_are_in_the_language_that_is_asked_for() -> None:
    table = hr.compare.table("hots-3.x", "hots-4.0", language="fr").within("5.3")

    assert "lettre par lettre" in table.row("must_retreat").cells[1].lines[0]
    assert "1 se joue autrement" in table.summaries()[0]
    with pytest.raises(hr.UnknownName, match="language"):
        hr.compare.table("hots-3.x", "hots-4.0", language="la")


def test_a_table_needs_two_rulesets_and_is_false_without_differences() -> None:
    assert not hr.compare.table(TINY, TINY)
    assert ("tiny-1.0 → tiny-1.0: no differences",) == hr.compare.table(TINY, TINY).summaries()
    with pytest.raises(
        hr.BadArgument, match="`rulesets` cannot be `a list of 1`\nhelp: give two or more"
    ):
        hr.compare.table(TINY)


# ---------------------------------------------------------------- what a stranger wrote
def test_markdown_is_a_table_whatever_the_texts_are(tmp_path: Path) -> None:
    text = hr.compare.table(TINY, house(tmp_path, HOSTILE)).report().markdown()
    page = MarkdownIt("commonmark").enable("table").render(text)

    assert "<script>" not in page
    assert "<strong>bold" not in page
    assert "<a " not in page
    read = Tags(page)
    assert {"table", "th", "td"} <= set(read.names)
    assert "<script>alert(1)</script> | **bold** [x](http://fox) `code` {x} $y$ &amp;" in read.text


def test_html_holds_no_element_of_a_text(tmp_path: Path) -> None:
    path = house(tmp_path, HOSTILE)
    element = Tags(hr.compare.table(TINY, path)._repr_html_())
    page = Tags(run(TINY, path, "--format", "html"))

    assert "script" not in page.names + element.names
    for read in (element, page):
        assert "<script>alert(1)</script> | **bold**" in read.text


# ---------------------------------------------------------------- the command
def test_two_rulesets_stand_side_by_side() -> None:
    said = run(TINY, OLDER, "--all")

    assert said.startswith("tiny-1.0 → tiny-0.9: ")
    assert "§2.1 Peeking" in said
    assert "    Wallace rating: 3                     Wallace rating: 2" in said
    assert "rule no-peeking: Personne ne regarde" in said
    assert max(map(len, said.splitlines())) <= 80


def test_narrow_columns_have_letters_for_the_texts() -> None:
    editions = ("hots-player-aid", "hots-2.3", "hots-3.x", "hots-4.0")
    said = run(*editions, "--section", "6.22", "--all")
    lines = said.splitlines()

    assert "player-aid  2.3  3.x  4.0" in said
    assert "reading return_of_balliol (amended, repealed)" in said.replace("\n ", "")
    assert any(line.split()[-4:] == ["a", "a", "b", "–"] for line in lines)
    assert max(map(len, lines)) <= 80
    assert "§6.22 King Balliol" in said


def test_plays_only_leaves_out_wording() -> None:
    said = run(TINY, OLDER, "--plays-only", "--all")

    assert "a-long-winter" not in said
    assert "label fr" not in said
    assert "no-peeking" in said


def test_the_table_begins_with_the_changes_of_the_rulebook() -> None:
    said = run("hots-2.3", "hots-4.0", "--section", "5.04", columns=100)

    assert said.startswith("hots-2.3 → hots-4.0: 1 change.\n")
    assert "  Entering England under a truce\n" in said
    assert "in play (2.3): The Scots can raid an empty England in a game turn with a truce." in said
    assert "rule no-raid-under-truce, define closed_to_raiders" in said


def test_changes_about_a_theme_are_shown_alone() -> None:
    found = json.loads(run("hots-2.3", "hots-4.0", "--about", "truce", "--json"))

    assert [change["name"] for change in found["changes"]] == ["truce-raids"]
    assert {row["id"] for row in found["differences"]} == {
        "define closed_to_raiders",
        "rule no-raid-under-truce",
    }


def test_a_theme_is_read_as_at_the_prompt() -> None:
    table = hr.atlas.change_table("hots-2.3", "hots-4.0")

    misspelled, spelled = (hr.talk.changes_about(table, word) for word in ("raidz", "raids"))
    assert misspelled.names == spelled.names != ()


def test_a_theme_without_changes_is_told_and_others_are_offered() -> None:
    said = run("hots-2.3", "hots-4.0", "--about", "catapults", status=0, columns=200)

    assert "no difference is about `catapults`" in said
    assert "help: try one of these: `Combat Rating`" in said


def test_sources_show_the_rules_as_written() -> None:
    said = run(TINY, OLDER, "--sources", columns=120)

    assert "tiny-1.0.rules:" in said
    assert "amend rule no-peeking §2.1" in said


def test_three_rulesets_have_a_json_of_their_own(tmp_path: Path) -> None:
    path = house(tmp_path, "repeal rule castles-hold §2.2\n")
    found = json.loads(run(TINY, OLDER, path, "--format", "json"))

    assert ["editions", "equal", "rows", "changes"] == list(found)
    row = next(row for row in found["rows"] if row["id"] == "rule castles-hold")
    assert [1, 2, None] == [cell and cell["version"] for cell in row["cells"]]
    assert ["amended", "repealed"] == row["changes"]


def test_the_json_of_two_rulesets_is_that_of_their_differences() -> None:
    both = [json.loads(run(TINY, OLDER, option)) for option in ("--json", "--format=json")]
    playing = json.loads(run(TINY, OLDER, "--json", "--plays-only"))

    assert both[0] == both[1]
    changes = both[0].pop("changes")
    assert both[0] == json.loads(json.dumps(hr.diff(TINY, OLDER).as_json()))
    plays = {each["id"] for each in both[0]["differences"] if each["effect"] == "behavioural"}
    assert plays == {member for change in changes for member in change["members"]}
    assert all(each["plays"] for each in playing["differences"])


def test_equal_rulesets_have_status_0() -> None:
    assert "tiny-1.0 → tiny-1.0: no differences\n" == run(TINY, TINY, status=0)


def test_sources_in_another_form_are_refused() -> None:
    assert "leave out --format" in run(TINY, OLDER, "--sources", "--format", "html", status=2)


def test_a_definition_is_told_by_its_comment(tmp_path: Path) -> None:
    path = house(tmp_path, "# Six cards may be held.\namend define hand_limit = 6  §2.3\n")

    row = hr.compare.table(TINY, path).row("define hand_limit")

    assert [cell.lines for cell in row.cells] == [
        ("5",),
        ("Six cards may be held.", "6"),
    ]


def test_differing_definitions_of_the_printings_are_told_in_words() -> None:
    rows = [row for row in hr.compare.table(*HAMMER).rows if row.kind == "define" and row.plays]
    code = {
        row.id: cell.lines
        for row in rows
        for cell in row.cells
        if cell.declaration is not None and cell.lines != (cell.declaration.comment,)
    }

    assert rows
    assert {} == code


def test_definitions_that_their_comments_do_not_tell_apart_show_their_code(tmp_path: Path) -> None:
    path = house(tmp_path, "# Cards in a hand.\namend define hand_limit = 4  §2.3\n")
    cells = hr.compare.table(TINY, path).row("hand_limit").cells

    assert [("5",), ("Cards in a hand.", "4")] == [cell.lines for cell in cells]


def test_a_form_of_output_that_does_not_exist_is_refused_with_those_that_do() -> None:
    assert "`markdwn` is unknown; did you mean `markdown`?" in " ".join(
        run(TINY, TINY, "--format", "markdwn", columns=120, status=2).split()
    )


def test_groups_are_listed_with_what_they_take_along(tmp_path: Path) -> None:
    path = house(
        tmp_path, 'define late = year > 1299\nrule tardy §2.1 "Late."\n  forbid peek when late\n'
    )
    text = run(TINY, path, "--groups")
    found = json.loads(run(TINY, path, "--groups", "--json"))[0]["groups"]

    assert "with rule tardy" in text or "with define late" in text
    assert sorted(found[0]["differences"]) == ["define late", "rule tardy"]
