"""The printers of reports: one report as Markdown, as HTML and for a terminal, letter by letter."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from hots_rules.cli.output.console import echo_report
from hots_rules.diagnostics import MissingLibrary
from hots_rules.report import (
    Code,
    Details,
    Figure,
    Figures,
    Heading,
    Items,
    Lines,
    Paragraph,
    Report,
    Row,
    RowGroup,
    Span,
    Table,
)
from hots_rules.report.blocks import Block
from hots_rules.report.html_printer import MAX_ROWS, notebook_table

HOSTILE = '<script>alert(1)</script> | **bold** _x_ [x](http://fox) `code` $y$ &amp; "q" \x1b[2J'
SHOWN = HOSTILE.replace("\x1b", "\N{REPLACEMENT CHARACTER}")


def report(*blocks: Block) -> Report:
    return Report("Title", blocks)


DIFFERENCES = Table(
    ("", "3.x", "4.0"),
    (
        RowGroup(
            "§2.1 Peeking",
            (
                Row(
                    (Lines(("Wallace: 3",)), Lines(("Wallace: 2", "Bruce: 4"))),
                    head=Lines(((Span("table Block", "strong"), " (amended)"), "Ratings.")),
                    kinds=("behavioural", "amended"),
                    data={"differences": "table-Block"},
                ),
            ),
        ),
        RowGroup("§2.2 Castles", (Row((), head="rule moat"), Row(("–", "Dug."), head="rule dig"))),
    ),
)


# ---------------------------------------------------------------- the three forms
SMALL = report(
    Heading("Fox against Hen", 1),
    Paragraph("40 games of each side."),
    Table.of(
        ("figure", "drawn", "mean"),
        [
            ("wins", Figure("<svg></svg>"), "50.0 %"),
            Row(("draws", Figure("<svg></svg>"), "–"), kinds=("clear",)),
        ],
    ),
    Items(("one", ("two ", Span("hots fmt", "code")))),
    Figures((Figure("<svg></svg>", "Fox"),), "year 1298", {"Fox": "#b4371f"}),
    Details("More", (Details("Deeper", (Paragraph("Inside."),)),)),
    Code("games = 40\n", "toml"),
)


def test_markdown() -> None:
    assert SMALL.markdown() == (
        "# Fox against Hen\n"
        "\n"
        "40 games of each side.\n"
        "\n"
        "| figure | mean |\n"
        "| --- | --- |\n"
        "| wins | 50.0 % |\n"
        "| draws | – |\n"
        "\n"
        "- one\n"
        "- two `hots fmt`\n"
        "\n"
        "**More**\n"
        "\n"
        "**Deeper**\n"
        "\n"
        "Inside.\n"
        "\n"
        "```toml\n"
        "games = 40\n"
        "```\n"
    )


def test_html() -> None:
    head = '<th scope="col">figure</th><th scope="col">drawn</th><th scope="col">mean</th>'
    assert SMALL.html() == (
        "<div><h1>Fox against Hen</h1>\n"
        "<p>40 games of each side.</p>\n"
        f"<table><thead><tr>{head}</tr></thead>"
        "<tbody><tr><td>wins</td><td><svg></svg></td><td>50.0 %</td></tr>"
        '<tr class="clear"><td>draws</td><td><svg></svg></td><td>–</td></tr></tbody></table>\n'
        "<ul><li>one</li><li>two <code>hots fmt</code></li></ul>\n"
        "<h4>year 1298</h4>\n"
        '<p class="key"><span><i style="background: #b4371f"></i> Fox </span></p>\n'
        '<div class="figures"><figure><svg></svg><figcaption>Fox</figcaption></figure></div>\n'
        "<details><summary>More</summary><details><summary>Deeper</summary><p>Inside.</p></details></details>\n"
        "<pre>games = 40\n</pre></div>\n"
    )


def test_terminal() -> None:
    assert SMALL.terminal(40) == (
        "Fox against Hen\n"
        "\n"
        "40 games of each side.\n"
        "\n"
        "figure   mean\n"
        "───────────────\n"
        "wins     50.0 %\n"
        "draws    –\n"
        "\n"
        "one\n"
        "two hots fmt\n"
        "\n"
        "More\n"
        "\n"
        "Deeper\n"
        "\n"
        "Inside.\n"
        "\n"
        "  games = 40\n"
    )


def test_rows_with_heads_are_a_table_for_each_group_in_markdown() -> None:
    assert report(DIFFERENCES).markdown() == (
        "### §2.1 Peeking\n"
        "\n"
        "|  | 3.x | 4.0 |\n"
        "| --- | --- | --- |\n"
        "| **table Block** (amended)<br>Ratings. | Wallace: 3 | Wallace: 2<br>Bruce: 4 |\n"
        "\n"
        "### §2.2 Castles\n"
        "\n"
        "|  | 3.x | 4.0 |\n"
        "| --- | --- | --- |\n"
        "| rule moat |  |  |\n"
        "| rule dig | – | Dug. |\n"
    )


def test_rows_with_heads_are_one_table_with_a_body_for_each_group_in_html() -> None:
    assert report(DIFFERENCES).html() == (
        '<div><table><thead><tr><th></th><th scope="col">3.x</th><th scope="col">4.0</th></tr></thead>'
        '<tbody><tr><th scope="rowgroup" colspan="3">§2.1 Peeking</th></tr>'
        '<tr class="behavioural amended" data-differences="table-Block">'
        '<th scope="row"><strong>table Block</strong> (amended)<br>Ratings.</th>'
        "<td>Wallace: 3</td><td>Wallace: 2<br>Bruce: 4</td></tr></tbody>"
        '<tbody><tr><th scope="rowgroup" colspan="3">§2.2 Castles</th></tr>'
        '<tr><th scope="row">rule moat</th><td></td><td></td></tr>'
        '<tr><th scope="row">rule dig</th><td>–</td><td>Dug.</td></tr></tbody></table></div>\n'
    )


def test_rows_with_heads_stand_above_their_cells_on_a_wide_terminal() -> None:
    assert report(DIFFERENCES).terminal(60) == (
        "§2.1 Peeking\n"
        "    3.x                         4.0\n"
        "  table Block (amended)\n"
        "    Ratings.\n"
        "    Wallace: 3                  Wallace: 2\n"
        "                                Bruce: 4\n"
        "\n"
        "§2.2 Castles\n"
        "    3.x                         4.0\n"
        "  rule moat\n"
        "  rule dig\n"
        "    –                           Dug.\n"
    )


def test_narrow_terminals_have_letters_for_cells() -> None:
    assert report(DIFFERENCES).terminal(40) == (
        "§2.1 Peeking\n"
        "                                3.x  4.0\n"
        "  table Block (amended)         a    b\n"
        "    Ratings.\n"
        "    a  Wallace: 3\n"
        "    b  Wallace: 2\n"
        "       Bruce: 4\n"
        "\n"
        "§2.2 Castles\n"
        "                                3.x  4.0\n"
        "  rule moat\n"
        "  rule dig                      –    a\n"
        "    a  Dug.\n"
    )


def test_narrow_terminals_have_letters_for_more_cells_than_heads() -> None:
    table = Table(("", "3.x"), (RowGroup("", (Row(("Old.", "New."), head="rule dig"),)),))
    assert report(table).terminal(40).splitlines() == [
        "                                  3.x",
        "  rule dig                        a    b",
        "    a  Old.",
        "    b  New.",
    ]


def test_narrow_terminals_have_letters_for_more_cells_than_there_are_letters() -> None:
    texts = [f"Text {number}." for number in range(30)]
    printed = report(Table.of((), [Row(tuple(texts), head="rule dig")])).terminal(160)
    lines = [line.split() for line in printed.splitlines()]

    assert ["z", "Text", "25."] in lines
    assert ["ad", "Text", "29."] in lines


def test_colors_are_escape_sequences_and_nothing_else() -> None:
    plain, colored = (report(DIFFERENCES).terminal(60, has_colors=has) for has in (False, True))

    assert "\x1b" not in plain
    assert "\x1b[33mtable Block (amended)" in colored


# ---------------------------------------------------------------- what others wrote
class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


PLACES = [
    Heading(HOSTILE),
    Paragraph(HOSTILE),
    Paragraph((Span(HOSTILE, "strong"), " and more")),
    Items((HOSTILE,)),
    Table.of((HOSTILE,), [(Lines((HOSTILE, "more")),)]),
    Table(("", "b"), (RowGroup(HOSTILE, (Row(("b",), head=HOSTILE),)),)),
    Details(HOSTILE, (Paragraph("inside"),)),
    Code(HOSTILE),
    Paragraph((Span(HOSTILE, "code"),)),
    Table.of(("a",), [((Span(HOSTILE, "code"),),)]),
]


@pytest.mark.parametrize("block", PLACES, ids=lambda block: type(block).__name__)
def test_a_text_is_shown_as_it_is_wherever_it_stands(block: Block) -> None:
    of_html = Page(report(block).page())
    rendered = MarkdownIt("commonmark").enable("table").render(report(block).markdown())
    of_markdown = Page(rendered)

    for page in (of_html, of_markdown):
        assert {"script", "a", "em"}.isdisjoint(page.names)
        assert SHOWN in page.text
    assert SHOWN in report(block).terminal(200)
    assert "\x1b" not in report(block).terminal(200)


def test_a_text_stays_in_its_attribute() -> None:
    row = Row(("a",), kinds=('" onclick="x',), data={"differences": '"><b>\n'})

    assert '<tr class="&quot; onclick=&quot;x" data-differences="&quot;&gt;&lt;b&gt;&#10;">' in (
        report(Table.of((), [row])).html()
    )


@pytest.mark.parametrize("start", ["# a", "- a", "+2.0 points", "1. a", "2) a", "=", "* a", "> a"])
def test_the_start_of_a_paragraph_is_no_sign(start: str) -> None:
    text = report(Paragraph("x"), Paragraph(start)).markdown()

    assert MarkdownIt().render(text) == f"<p>x</p>\n<p>{start}</p>\n".replace("> a", "&gt; a")


def test_a_fence_is_longer_than_every_row_of_backticks_in_its_code() -> None:
    text = report(Code("````\n# no heading")).markdown()

    assert MarkdownIt().render(text) == "<pre><code>````\n# no heading\n</code></pre>\n"


def test_an_underscore_inside_a_word_stays_as_it_is() -> None:
    assert report(Paragraph("phase must_retreat, _so_")).markdown() == (
        "phase must_retreat, \\_so\\_\n"
    )


# ---------------------------------------------------------------- shapes
def test_wide_characters_take_two_columns_of_a_terminal() -> None:
    table = Table.of(("名", "n"), [("狐", "1"), ("ab", "2")])

    assert report(table).terminal(20) == (
        "名   n\n──────\n狐   1\nab   2\n"  # as wide as it looks
    )


def test_a_long_line_is_wrapped_between_words() -> None:
    assert report(Paragraph("Fox and Hen 狐狐狐狐狐狐 play")).terminal(20) == (
        "Fox and Hen\n狐狐狐狐狐狐 play\n"
    )


def test_a_table_without_rows_has_its_head() -> None:
    empty = report(Table.of(("a", "b"), []))

    assert empty.markdown() == "| a | b |\n| --- | --- |\n"
    assert "<tbody></tbody>" in empty.html()
    assert empty.terminal(20).splitlines()[0] == "a   b"


def test_a_report_without_blocks_is_empty() -> None:
    assert (report().markdown(), report().html(), report().terminal()) == (
        "\n",
        "<div></div>\n",
        "",
    )


def test_what_is_drawn_alone_is_left_out_of_words() -> None:
    drawing = Table.of(("share", "bar"), [("a", "b")], is_drawing=True)

    assert report(drawing).markdown() == "\n"
    assert report(drawing).terminal() == ""
    assert "share" in report(drawing).html()


def test_a_page_has_the_language_and_the_title_of_its_report() -> None:
    page = Report("Fox & Hen", (), "fr").page()

    assert page.startswith('<!doctype html>\n<html lang="fr"><head><meta charset="utf-8">')
    assert "<title>Fox &amp; Hen</title>" in page


def test_a_notebook_shows_so_many_rows() -> None:
    table = notebook_table([(f"{number}", "x") for number in range(MAX_ROWS + 3)], "Long")

    assert table.startswith('<table style="text-align:left"><caption>Long</caption><tbody>')
    assert table.count("<tr>") == MAX_ROWS + 1
    assert "… +3" in table


def test_without_rich_the_terminal_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)

    with pytest.raises(MissingLibrary, match=r"hots-rules\[cli\]"):
        SMALL.terminal()


def test_a_command_prints_columns_on_a_terminal_and_markdown_for_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    echo_report(SMALL, pipes_markdown=True)
    piped = capsys.readouterr().out
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    echo_report(SMALL, pipes_markdown=True)

    assert piped == SMALL.markdown()
    assert capsys.readouterr().out == SMALL.terminal(40)
