"""Texts that cannot be read, and what is said about them."""

import os
import re
from random import Random
from zlib import crc32

import pytest
from attrs import frozen

from hots_rules.diagnostics import Fault, Span, draw
from hots_rules.syntax import parse, tree
from hots_rules.syntax.limits import MAX_FAULTS
from hots_rules.syntax.pieces import ENTRIES, PieceParser
from tests.folders import HOME, TESTS

# One malformed text after the other: what is wrong, the text with the place of the fault between
# marks, what is said, and how to mend it.
TABLE = TESTS / "mistakes" / "malformed.txt"


@frozen
class Slip:
    """A malformed text, and its fault."""

    name: str
    text: str
    place: Span
    headline: str
    help: str


def slips() -> list[Slip]:
    """The rows of the table."""
    return [slip_of(row) for row in TABLE.read_text(encoding="utf-8").rstrip().split("\n\n")]


def slip_of(row: str) -> Slip:
    """A row of the table."""
    name, *rest = row.split("\n")
    marked = "\n".join(line[4:] for line in rest if line.startswith("    "))
    said = [line for line in rest if not line.startswith("    ")]
    before, inside, after = re.split("[⟦⟧]", marked)
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    place = Span("slip.rules", line, column, line, column + max(len(inside), 1))
    help_ = said[1].removeprefix("help: ") if len(said) > 1 else ""
    return Slip(name, f"{before}{inside}{after}\n", place, said[0], help_)


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: slip.name)
def test_malformed_text(slip: Slip) -> None:
    _, faults = parse(slip.text, "slip.rules")

    assert Fault("malformed-text", slip.headline, slip.place, help=slip.help) == faults[0]
    assert draw(faults[0], {"slip.rules": slip.text})


# What is wrong with a first line alone is said of it in other words where it is not the first.
@pytest.mark.parametrize(
    "slip", [slip for slip in slips() if not slip.text.startswith(" ")], ids=lambda slip: slip.name
)
def test_malformed_text_hides_nothing_around_it(slip: Slip) -> None:
    before = "state\n  x : 0..3\ndefine one = 1\n\n# a comment (\n"
    after = "\n# another\nclock x\ndefine two = x\n  and x\n"
    file, faults = parse(before + slip.text + after, "slip.rules")
    alone = parse(slip.text, "slip.rules")[1]

    assert [fault.headline for fault in alone] == [fault.headline for fault in faults]
    assert [fault.place.line + 5 for fault in alone] == [fault.place.line for fault in faults]
    kinds = [type(item).__name__ for item in file.items]
    assert ["State", "Define"] == kinds[:2]
    assert ["Clock", "Define"] == kinds[-2:]


def test_every_declaration_is_judged_by_itself() -> None:
    text = "".join(f"{slip.text}\n" for slip in slips())
    _, faults = parse(text, "slip.rules")

    assert min(len(slips()), 101) <= len(faults) <= 101


# ---------------------------------------------------------------- places
def test_a_tree_knows_where_it_stands() -> None:
    text = '\n# first\nrule a §1 "x"\n\n  forbid b when\tc = 1\n'
    file, _ = parse(text, "a.rules")
    rule = file.items[0]
    assert isinstance(rule, tree.Rule)
    forbid = rule.parts[0]
    assert isinstance(forbid, tree.Forbid)
    assert forbid.when is not None

    assert Span("a.rules", 3, 6, 3, 7) == rule.name.span
    assert Span("a.rules", 5, 17, 5, 22) == forbid.when.span


def test_the_values_of_a_sentence_know_where_they_stand() -> None:
    text = 'rule a §1 "x"\n  forbid b(p) because "{p} is in {place[p]}"\n'
    file, _ = parse(f"# first\n{text}", "a.rules")
    rule = file.items[0]
    assert isinstance(rule, tree.Rule)
    forbid = rule.parts[0]
    assert isinstance(forbid, tree.Forbid)
    assert forbid.because is not None

    places = [Span("a.rules", 3, 25, 3, 26), Span("a.rules", 3, 35, 3, 43)]
    assert places == [value.span for value in forbid.because.sentence.values]


@pytest.mark.parametrize(
    "line",
    [
        'rule a §1 "x"\n  on ends()\n    win none',
        'rule a §1 "x"\n  instead of ends(), hit(b) when b = Fox\n    win none',
        'rule a §1 "x"\n  forbid wait()\n  exempt wait() from b',
        'action wait() §1 "x"\n  permit',
        'phase play() §1 "x"\n  win none',
        'question who() = Fox §1 "x"',
        'policy calm "x"\n  prefer wait() when true',
        'reading r §1 "x"\n  one "x"  default\n    limit() = 2',
        "define limit() = 2",
    ],
)
def test_empty_brackets_may_be_left_out_or_written(line: str) -> None:
    trees = [
        parse(line.replace("()", brackets) + "\n", "slip.rules") for brackets in ("", "()", " ( )")
    ]

    assert [faults for _, faults in trees] == [(), (), ()]


def test_trees_are_equal_wherever_they_stand() -> None:
    one, _ = parse("define a = (1 + 2) * 3", "a.rules")
    other, _ = parse("\n\n# moved\ndefine a =\t( 1+2 )*3 # here\n", "b.rules")

    assert one == other
    assert hash(one) == hash(other)


def test_operators_bind_as_the_page_says() -> None:
    def schema(text: str) -> object:
        file, faults = parse(f"define x = {text}", "a.rules")
        assert () == faults
        item = file.items[0]
        assert isinstance(item, tree.Define)
        return item.body

    for loose, tight in [
        ("a or b and c", "a or (b and c)"),
        ("not a = b", "not (a = b)"),
        ("not a and b", "(not a) and b"),
        ("a + b = c - d", "(a + b) = (c - d)"),
        ("a - b - c", "(a - b) - c"),
        ("a - b * c", "a - (b * c)"),
        ("a * b div c", "(a * b) div c"),
        ("a | b & c - d", "a | (b & (c - d))"),
        ("x in a | b", "x in (a | b)"),
        ("-a * b", "(-a) * b"),
        ("a + b as T", "a + (b as T)"),
        ("some a | b", "some (a | b)"),
        ("all x in S: x = 1 or a", "all x in S: (x = 1 or a)"),
        ("if a then b else c or d", "if a then b else (c or d)"),
        ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
        ("some x in S: a and b", "some x in S: (a and b)"),
        ("a and some x in S: b or c", "a and (some x in S: (b or c))"),
    ]:
        assert schema(loose) == schema(tight), loose


TRIED = 200 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40
SIGNS = [*' \n"#([{)]}=.|&,abor', "\n  or x", "  ", "label fr\n", '"\n    ']


@pytest.mark.thorough
def test_a_long_label_is_parsed_in_parts_as_if_it_were_whole() -> None:
    chance, files = Random(7), sorted((HOME / "rulesets").rglob("labels*.rules"))
    for path in files:
        text = path.read_text(encoding="utf-8")[:5_000].rpartition("\n")[0]
        parser = PieceParser("x")
        for _ in range(TRIED // 4):
            at, size = chance.randrange(len(text)), chance.choice([0, 0, 1, 40])
            changed = text[:at] + chance.choice(SIGNS) + text[at + size :]
            whole, faults = parse(changed, "x")
            parsed = parser.parse(changed)
            assert faults == parsed.faults
            assert faults or whole.items == parsed.file.items


@pytest.mark.parametrize("above", ["  # a note\n", "\n", ""])
def test_a_label_may_begin_with_a_comment(above: str) -> None:
    text = f'label en\n{above}  move1 = "x"\n  b = "y"\n'
    assert crc32(b'  move1 = "x"') % ENTRIES == 0

    assert PieceParser("x").parse(text).file.items == parse(text, "x")[0].items


def test_a_text_with_very_many_faults_says_so_in_an_editor_too() -> None:
    text = "define = 1\n" * (MAX_FAULTS + 2)

    assert PieceParser("x").parse(text).faults == parse(text, "x")[1]
