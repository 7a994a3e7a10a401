"""Faults as data, their drawings, the near misses and the errors."""

import json
import pickle
import re
import time
import unicodedata
from itertools import product
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hots_rules.diagnostics import (
    CODES,
    AmbiguousAction,
    BadArgument,
    BadPosition,
    BadRecord,
    EngineError,
    Fault,
    Fix,
    HotsError,
    IllegalAction,
    RelatedPlace,
    RulesetError,
    Span,
    UnknownName,
    UnreadableAction,
    as_json,
    close_matches,
    closest_match,
    draw,
    draw_all,
)
from hots_rules.diagnostics._excerpt import width

MAP = """\
table Area §1.1 (castle: 0..3)
  Fife   2
  Ross   1
"""
BATTLES = """\
rule border-control §5.5 "A border used for an attack is closed."
  forbid retreat(b, to)
    when to = Fief

rule no-way-out §5.5 "Who cannot retreat is lost."
"""
SOURCES = {"battles.rules": BATTLES, "map.rules": MAP}

FIEF = Fault(
    "unknown-name",
    "expected the name of an area, got `Fief`",
    Span("battles.rules", 3, 15, 3, 19),
    help="did you mean `Fife`?",
)
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def drawn(text: str) -> str:
    return dedent(text).strip("\n")


def spot(line: int, column: int, end_line: int, end_column: int) -> Fault:
    return Fault("malformed-text", "wrong", Span("a.rules", line, column, end_line, end_column))


# ---------------------------------------------------------------- drawings


def test_a_fault_is_drawn_with_carets_under_its_words() -> None:
    expected = drawn("""
        unknown-name: expected the name of an area, got `Fief`
         --> battles.rules:3:15
          |
        3 |     when to = Fief
          |               ^^^^
          |
        help: did you mean `Fife`?
    """)

    assert expected == draw(FIEF, SOURCES)


def test_related_places_are_drawn_with_their_notes() -> None:
    fault = Fault(
        "duplicate-name",
        "expected one table `Area`, got two",
        Span("map.rules", 1, 7, 1, 11),
        (
            RelatedPlace(Span("battles.rules", 5, 6, 5, 16), "and again here"),
            RelatedPlace(Span("lost.rules", 4, 1, 4, 5), "in a file that is not at hand"),
            RelatedPlace(Span.nowhere(), "every table has a name of its own"),
        ),
    )
    expected = drawn("""
        duplicate-name: expected one table `Area`, got two
         --> map.rules:1:7
          |
        1 | table Area §1.1 (castle: 0..3)
          |       ^^^^
          |
         ::: battles.rules:5:6
          |
        5 | rule no-way-out §5.5 "Who cannot retreat is lost."
          |      ---------- and again here
          |
         ::: lost.rules:4:1
          = in a file that is not at hand
          = every table has a name of its own
    """)

    assert expected == draw(fault, SOURCES)


def test_a_note_that_does_not_fit_goes_below() -> None:
    note = "a note of many words, " * 4 + "the last of them here"
    fault = Fault(
        "unknown-name",
        "expected one thing",
        Span("map.rules", 2, 3, 2, 7),
        (RelatedPlace(Span("map.rules", 3, 3, 3, 7), note),),
    )
    expected = ["  |   ----", f"  = {note}", "  |"]

    assert expected == draw(fault, SOURCES).splitlines()[-3:]


def test_line_numbers_share_one_gutter() -> None:
    source = "\n" * 98 + "one\ntwo\n"
    fault = Fault(
        "unused-definition",
        "expected a use of `one`",
        Span("a.rules", 99, 1, 99, 4),
        (RelatedPlace(Span("a.rules", 100, 1, 100, 4)),),
    )
    expected = drawn("""
        unused-definition: expected a use of `one`
           --> a.rules:99:1
            |
         99 | one
            | ^^^
            |
           ::: a.rules:100:1
            |
        100 | two
            | ---
            |
    """)

    assert expected == draw(fault, {"a.rules": source})


def test_a_fault_of_several_lines_is_marked_to_the_end_of_the_first() -> None:
    expected = drawn("""
        malformed-text: wrong
         --> a.rules:1:3
          |
        1 | ab cd
          |   ^^^
          |
    """)

    assert expected == draw(spot(1, 3, 2, 2), {"a.rules": "ab cd  \nef\n"})


def test_tabs_are_drawn_as_spaces_and_carets_follow() -> None:
    expected = drawn("""
        malformed-text: wrong
         --> a.rules:1:5
          |
        1 |     a   bc
          |         ^^
          |
    """)

    assert expected == draw(spot(1, 5, 1, 7), {"a.rules": "\ta \tbc"})


def test_wide_letters_and_letters_beyond_the_bmp_keep_carets_in_place() -> None:
    expected = drawn("""
        malformed-text: wrong
         --> a.rules:1:4
          |
        1 | 𝒜漢🏰 é x
          |      ^^
          |
    """)

    # The castle is two columns wide, the accent none, the script letter one.
    source = "𝒜漢🏰 e\N{COMBINING ACUTE ACCENT} x"
    assert expected.replace("é", "e\N{COMBINING ACUTE ACCENT}") == draw(
        spot(1, 4, 1, 6), {"a.rules": source}
    )


def test_nothing_in_a_source_reaches_the_terminal_as_an_order() -> None:
    source = "a\x1b[2Jb\u202ec\ud800d\r\n"
    fault = Fault(
        "unknown-name", "got `\x1b[2J`", Span("a\x1b.rules", 1, 9, 1, 10), help="one\ntwo"
    )
    expected = drawn("""
        unknown-name: got `�[2J`
         --> a�.rules:1:9
          |
        1 | a�[2Jb�c�d
          |         ^
          |
        help: one two
    """)

    assert expected == draw(fault, {"a\x1b.rules": source})


def test_the_end_of_the_file_is_after_its_last_word() -> None:
    expected = drawn("""
        malformed-text: wrong
         --> a.rules:7:1
          |
        2 |   when
          |       ^
          |
    """)

    assert expected == draw(spot(7, 1, 7, 1), {"a.rules": "rule x\n  when  \n"})


def test_a_column_past_the_end_of_its_line_is_the_end() -> None:
    expected = ["1 | rule x", "  |       ^", "  |"]

    assert expected == draw(spot(1, 80, 1, 90), {"a.rules": "rule x\n"}).splitlines()[-3:]


def test_an_empty_or_missing_source_draws_no_line() -> None:
    expected = "malformed-text: wrong\n --> a.rules:1:1"

    assert expected == draw(spot(1, 1, 1, 1), {"a.rules": ""})
    assert expected == draw(spot(1, 1, 1, 1), {})


def test_a_fault_of_no_place_is_its_headline() -> None:
    fault = Fault("missing-ruleset", "expected a ruleset, got `hots-9`", Span.nowhere())

    assert "missing-ruleset: expected a ruleset, got `hots-9`" == draw(fault, SOURCES)


def test_a_long_line_is_cropped_around_the_caret() -> None:
    lengths = product([0, 5, 60, 94, 95, 96, 97, 500, 5000], [0, 1, 2, 60, 500, 5000])
    for before, after in lengths:
        line = "x" * before + "(?)" + "y" * after
        text, marks = draw(spot(1, before + 1, 1, before + 4), {"a.rules": line}).splitlines()[3:5]

        assert len(text) <= 100, (before, after)
        assert "(?)" in text, (before, after)
        assert text.index("(?)") == marks.index("^^^"), (before, after)
        assert (len(line) > 96) == ("…" in text), (before, after)


def test_a_long_stretch_is_marked_up_to_the_edge() -> None:
    text, marks = draw(spot(1, 11, 1, 400), {"a.rules": "x" * 1000}).splitlines()[3:5]

    assert "1 | " + "x" * 95 + "…" == text
    assert "  | " + " " * 10 + "^" * 85 == marks


def test_colour_changes_no_word() -> None:
    painted = draw(FIEF, SOURCES, colour=True)

    assert draw(FIEF, SOURCES) == ANSI.sub("", painted)
    assert painted.startswith("\x1b[1;31munknown-name\x1b[0m: ")


numbers = st.integers(-3, 12) | st.integers()
texts = st.text(st.characters(), max_size=30) | st.text("ab\t\r\n 漢é\u0301\x1b", max_size=400)
spans = st.builds(Span, st.sampled_from(["", "a", "b"]), numbers, numbers, numbers, numbers)


@given(
    spans, st.lists(st.builds(RelatedPlace, spans, texts), max_size=3), texts, texts, st.booleans()
)
def test_draw_never_raises(
    span: Span, related: list[RelatedPlace], headline: str, source: str, colour: bool
) -> None:
    fault = Fault("malformed-text", headline, span, related, help=headline)
    painted = draw(fault, {"a": source}, colour=colour)
    lines = ANSI.sub("", painted).split("\n")

    assert draw(fault, {"a": source}) == "\n".join(lines)
    assert all(width(line) <= 100 for line in lines if re.match(r" *\d+ \|", line))
    assert not any(unicodedata.category(letter).startswith("C") for letter in "".join(lines))


# ---------------------------------------------------------------- many faults


def test_faults_are_drawn_by_file_and_line_and_counted() -> None:
    later = Fault("uncited-rule", "expected a section", Span("map.rules", 3, 3, 3, 7))
    sooner = Fault("unused-definition", "expected a use", Span("map.rules", 2, 3, 2, 7))
    expected = drawn("""
        unknown-name: expected the name of an area, got `Fief`
         --> battles.rules:3:15
          |
        3 |     when to = Fief
          |               ^^^^
          |
        help: did you mean `Fife`?

        unused-definition: expected a use
         --> map.rules:2:3
          |
        2 |   Fife   2
          |   ^^^^
          |

        uncited-rule: expected a section
         --> map.rules:3:3
          |
        3 |   Ross   1
          |   ^^^^
          |

        3 faults in 2 files
    """)

    assert expected == draw_all([later, FIEF, sooner], SOURCES)


def test_one_fault_is_counted_in_the_singular() -> None:
    assert draw_all([FIEF], SOURCES).endswith("\n\n1 fault")
    assert "no faults" == draw_all([], SOURCES)


def test_json_holds_every_fact_and_nothing_but_json() -> None:
    fault = Fault(
        "wrong-type",
        "wrong",
        FIEF.place,
        (RelatedPlace(Span("m", 1, 2, 3, 4), "here"),),
        "mend",
        [Fix.write(FIEF.place, "Fife")],
    )
    place = {
        "file": "battles.rules",
        "line": 3,
        "column": 15,
        "end_line": 3,
        "end_column": 19,
    }
    expected = [
        {
            "code": "wrong-type",
            "headline": "wrong",
            "place": place,
            "related": [
                {
                    "place": {"file": "m", "line": 1, "column": 2, "end_line": 3, "end_column": 4},
                    "note": "here",
                }
            ],
            "help": "mend",
            "fixes": [
                {
                    "title": "write `Fife`",
                    "is_safe": False,
                    "edits": [{"place": place, "text": "Fife"}],
                }
            ],
        }
    ]

    assert expected == json.loads(json.dumps(as_json([fault])))


# ---------------------------------------------------------------- codes and values


def test_a_fault_needs_a_known_code() -> None:
    with pytest.raises(ValueError, match="did you mean `unknown-name`"):
        Fault("unknown-nam", "wrong", Span.nowhere())


def test_codes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CODES["new-code"] = "new"  # type: ignore[index]


def test_codes_are_words() -> None:
    assert [] == [code for code in CODES if not re.fullmatch(r"[a-z]+(-[a-z]+)+", code)]
    assert [] == [code for code, text in CODES.items() if not text or text != text.strip(". ")]


def test_faults_are_values() -> None:
    twin = Fault("wrong-type", "wrong", FIEF.place, [RelatedPlace(FIEF.place)])

    assert twin == Fault("wrong-type", "wrong", FIEF.place, (RelatedPlace(FIEF.place),))
    assert twin == eval(repr(twin))
    assert twin == pickle.loads(pickle.dumps(twin))
    assert 1 == len({twin, pickle.loads(pickle.dumps(twin))})
    assert "battles.rules:3:15: wrong-type: wrong" == str(twin)
    assert "nowhere" == str(Span.nowhere())


# ---------------------------------------------------------------- near misses


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("Fief", "Fife"),  # two letters swapped
        ("FIFE", "Fife"),  # case alone
        ("Bucan", "Buchan"),  # a letter dropped
        ("Rosss", "Ross"),  # a letter added
        ("border_control", "border-control"),  # another way to join words
        ("Xyzzy", None),
        ("", None),
        ("Q", None),
        ("B" * 10_000, None),
    ],
)
def test_near(word: str, meant: str | None) -> None:
    assert meant == closest_match(word, ["Ross", "Buchan", "Fife", "border-control", "Rosa", "R"])


def test_case_goes_before_spelling() -> None:
    assert "ROSS" == closest_match("ross", ["rosa", "ROSS", "loss"])


def test_several_near_misses_are_listed_nearest_first() -> None:
    assert ["Ross", "Rosa"] == close_matches("Rost", ["Fife", "Ross", "Rosa", "Rosy"], 2)


def test_near_is_quick_among_ten_thousand() -> None:
    many = [f"England: move Buchan from Ross to Fife {n} by way of Moray" for n in range(10_000)]
    start = time.perf_counter()

    assert many[77] == closest_match(
        "England: move Bucahn from Ross to Fife 77 by way of Morya", many
    )
    assert time.perf_counter() - start < 5


@pytest.mark.thorough
@given(st.text(max_size=300), st.lists(st.text(max_size=300), max_size=20))
@settings(max_examples=settings.default.max_examples // 3)
def test_near_gives_a_candidate_or_nothing(word: str, candidates: list[str]) -> None:
    assert closest_match(word, candidates) in [None, *candidates]


# ---------------------------------------------------------------- errors

ERRORS = [
    RulesetError([FIEF], SOURCES),
    UnreadableAction("retreat Buchann", "retreat Buchan"),
    IllegalAction("retreat Buchan", ["§5.5 the border is closed", "§5.5 the area\nis full"]),
    AmbiguousAction("move", ["move Buchan", "move Ross"]),
    UnknownName("option", "schiltron", ["schiltroms", "truce"]),
    BadArgument("no-way-out", "drowned", allowed=["captured", "pool"]),
    UnknownName("option", "anything"),
    BadPosition(["Buchan is in two places", "the year is 1200"]),
    BadRecord("line 3: expected an action, got `draw`"),
    EngineError("expected `strength` in 0..4, got 5", "recovery", "§7.2"),
    EngineError("expected `strength` in 0..4, got 5"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_survive_pickling(error: HotsError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(error) is type(copy)
    assert vars(error) == vars(copy)
    assert str(error) == str(copy)


def test_a_ruleset_error_is_its_faults_drawn() -> None:
    error = RulesetError([FIEF], SOURCES)

    assert (FIEF,) == error.faults
    assert draw_all([FIEF], SOURCES) == str(error)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ERRORS[1],
            "`retreat Buchann` is not an action\nhelp: did you mean `retreat Buchan`?",
        ),
        (
            ERRORS[2],
            "`retreat Buchan` is not a legal action\n"
            "  - §5.5 the border is closed\n"
            "  - §5.5 the area\n"
            "    is full",
        ),
        (
            ERRORS[3],
            "`move` is ambiguous; it may mean\n  - `move Buchan`\n  - `move Ross`",
        ),
        (
            ERRORS[4],
            "unknown option `schiltron`\nhelp: did you mean `schiltroms`?",
        ),
        (
            ERRORS[5],
            "`no-way-out` cannot be `drowned`\nhelp: choose one of `captured`, `pool`",
        ),
        (ERRORS[6], "unknown option `anything`"),
        (
            ERRORS[7],
            "this position cannot be set up\n  - Buchan is in two places\n  - the year is 1200",
        ),
        (ERRORS[8], "line 3: expected an action, got `draw`"),
        (ERRORS[9], "expected `strength` in 0..4, got 5, in rule `recovery` §7.2"),
        (ERRORS[10], "expected `strength` in 0..4, got 5"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_say_what_was_expected(error: HotsError, words: str) -> None:
    assert words == str(error)
