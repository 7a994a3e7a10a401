"""Every code of a fault has a sample, a page, and a test of its name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hots_rules.diagnostics import CODES, Fault, RulesetError, draw, draw_all
from hots_rules.rules import find_source
from hots_rules.rules.load import load_rulebook
from hots_rules.testing.secrets.unproven import unproven_in
from tests.folders import HOME, TESTS
from tests.listing import assert_none
from tests.playing import TINY, ruleset_of

MISTAKES = TESTS / "mistakes"
PAGES = HOME / "docs" / "faults"
HEAD = 'ruleset slip "A slip of the pen"\n  extends tiny-1.0\n'
FENCE = re.compile(r"^```([\w-]+)\n(.*?)^```$", re.M | re.S)


def fault_codes(path: Path) -> tuple[list[str], str]:
    """The codes of the faults of a ruleset, and how they are drawn."""
    try:
        checked(path)
    except RulesetError as error:
        return [fault.code for fault in error.faults], str(error)
    return [], "no faults"


def checked(path: Path) -> None:
    """Check a ruleset as `hots check` does, which proves also what players may know.

    Raises:
        RulesetError: with its faults.
    """
    source = find_source(path)
    if faults := unproven_in(load_rulebook(source)):
        raise RulesetError(faults, source.texts)


def headed(sample: str) -> str:
    """A sample as a ruleset: one that does not say otherwise is an edition of `tiny-1.0`."""
    return sample if sample.startswith("ruleset") else HEAD + sample


def samples(code: str) -> dict[str, str]:
    """The fenced blocks of a page, by language."""
    return dict(FENCE.findall((PAGES / f"{code}.md").read_text(encoding="utf-8")))


@pytest.fixture
def beside_tiny(tmp_path: Path) -> Path:
    """A folder in which `tiny-1.0` is found."""
    for name in ("tiny-1.0.rules", "sections.csv"):
        (tmp_path / name).write_text((MISTAKES / name).read_text("utf-8"), "utf-8")
    return tmp_path


@pytest.mark.parametrize("code", CODES)
def test_mistake_is_told(code: str) -> None:
    codes, drawn = fault_codes(MISTAKES / "bad" / f"{code}.rules")

    assert [code] == codes
    assert (MISTAKES / "bad" / f"{code}.txt").read_text("utf-8") == f"{drawn}\n"


def test_pages_show_the_mistakes_and_their_messages() -> None:
    bad = MISTAKES / "bad"
    pages = {code: samples(code) for code in CODES}
    mistakes = {code: headed(page["rules-wrong"]) for code, page in pages.items()}
    messages = {code: f"{page['text']}\n1 fault\n" for code, page in pages.items()}

    assert {code: (bad / f"{code}.rules").read_text("utf-8") for code in CODES} == mistakes
    assert {code: (bad / f"{code}.txt").read_text("utf-8") for code in CODES} == messages


@pytest.mark.parametrize("code", CODES)
def test_page_mends_the_mistake(code: str, beside_tiny: Path) -> None:
    path = beside_tiny / "mended.rules"
    path.write_text(headed(samples(code)["rules-right"]), "utf-8")

    assert ([], "no faults") == fault_codes(path)


def test_the_other_file_of_a_page_is_the_one_that_is_tried() -> None:
    other = samples("extension-cycle")["rules-file"]

    assert other == (MISTAKES / "tiny-2.1.rules").read_text("utf-8")


def test_every_code_has_a_page() -> None:
    faults = []
    for code, meaning in CODES.items():
        page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
        if f"# {code}" != page.splitlines()[0]:
            faults.append(f"{code}: the title is {page.splitlines()[0]}")
        if ["Meaning", "Example", "Fix"] != re.findall(r"^## (.*)$", page, re.M):
            faults.append(f"{code}: expected the headings Meaning, Example and Fix")
        if f"\n{meaning}".casefold() not in page.casefold():
            faults.append(f"{code}: no line begins with its meaning")

    assert_none(faults)


def test_every_page_has_a_code() -> None:
    assert {*CODES, "index"} == {path.stem for path in PAGES.glob("*.md")}


def test_codes_in_the_source_are_known() -> None:
    pattern = re.compile(r"\bFault\(\s*\"([a-z-]+)\"")
    used = {
        (path.relative_to(HOME).as_posix(), code)
        for path in (HOME / "hots_rules").rglob("*.py")
        for code in pattern.findall(path.read_text(encoding="utf-8"))
    }

    assert [] == sorted((path, code) for path, code in used if code not in CODES)


def test_there_is_no_sample_without_a_code() -> None:
    assert set(CODES) == {path.stem for path in (MISTAKES / "bad").glob("*.rules")}
    assert set(CODES) == {path.stem for path in (MISTAKES / "bad").glob("*.txt")}


def test_the_index_lists_every_code_with_its_meaning() -> None:
    index = (PAGES / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([\w-]+)\]\(([\w-]+)\.md\) \| (.*) \|$", index, re.M)

    assert [(code, code, meaning) for code, meaning in CODES.items()] == rows
    assert list(CODES) == index.partition(":hidden:\n\n")[2].split()[:-1]


def raised_codes() -> Iterator[str]:
    """Codes in quotes in the packages that find faults."""
    for package in ("syntax", "rules", "testing"):
        for path in (HOME / "hots_rules" / package).rglob("*.py"):
            yield from re.findall(r'"([a-z]+(?:-[a-z]+)+)"', path.read_text(encoding="utf-8"))


def test_every_code_is_raised_somewhere() -> None:
    assert set() == set(CODES) - set(raised_codes())


# ---------------------------------------------------------------- what every fault has
def faults_of_all_mistakes() -> list[tuple[Fault, dict[str, str]]]:
    """The faults of all samples, with their sources."""
    found = []
    for path in sorted((MISTAKES / "bad").glob("*.rules")):
        with pytest.raises(RulesetError) as caught:
            checked(path)
        found += [(fault, caught.value.sources) for fault in caught.value.faults]
    return found


def test_faults_are_placed_worded_and_mended() -> None:
    for fault, sources in faults_of_all_mistakes():
        assert fault.place.file in sources, fault
        assert fault.help, fault
        assert re.match(r"[a-z`]", fault.headline), fault
        assert not fault.headline.endswith((".", ":")), fault
        assert not re.search(r"invalid|illegal|error|must not", fault.headline), fault
        assert "\n" not in draw(fault, sources).splitlines()[0]


@pytest.mark.parametrize(
    ("lines", "code", "headline"),
    [
        ("type Pile = Hand(bool)", "wrong-type", "expected words or numbers from 0, got a condition"),
        ("type Pile = Hand(-1..1)", "wrong-type", "expected words or numbers from 0, got a number of -1..1"),
        ("type Pile = Hand(0..99, 0..99)", "too-large", "expected a type of at most 1,024 values, got 10,000"),
        ("type Pile = Hand(Pile)", "recursive-definition", "the type `Pile` is made of itself: Pile → Pile"),
        ("type Pile = Hand(Side) | Hand(Area)", "duplicate-name", "duplicate type `Hand`"),
        ("type Pile = Area(Side)", "duplicate-name", "duplicate type `Area`"),
        ("type Pile = Hand(a: 1..2, a: 1..2)", "duplicate-name", "duplicate column `a`"),
        ("type Pile = Hand(Sid)", "unknown-name", "`Sid` is not a type"),
        (f"type Pile = {'H' * 75}(Side)", "too-large", "expected words of at most 80 characters, got 84"),
        ("define f(x: Hand(Side)) = 1", "not-allowed-here", "`Hand(…)` declares new words outside a `type`"),
        ("type Pile = Hand(Side)\ndefine f = Hand(1)", "wrong-type", "expected `Side`, got the number 1"),
        ("type Pile = Hand(Side)\ndefine f = Hand()", "wrong-arguments", "expected 1 argument for `Hand`, got 0"),
        ("type Pile = Hand(1..3)\ndefine f = Hand(4)", "out-of-range", "expected a number of 1..3, got 4"),
        ('type Pile = Hand(a: Side)\nlabel en\n  Hand = "{b}"', "unknown-name", "the product `Hand` has no part `{b}`"),
        ('rule idle §2 "So."\n  on hit(b)\n    let spare = b', "unused-definition", "the value `spare` is never used"),
        ("amend step auction.bids §2\n  step bids\n  let y = a", "unused-definition", "the value `y` is never used"),
        ("define f = ordinal(3)", "wrong-type", "expected a word, got the number 3"),
        ('option late : bool = true for duell §1 "So."', "unknown-name", "`duell` is not a scenario"),
    ],
)  # fmt: skip
def test_a_faulty_line_is_told(beside_tiny: Path, lines: str, code: str, headline: str) -> None:
    path = beside_tiny / "product.rules"
    path.write_text(f"{HEAD}{lines}\n", "utf-8")
    with pytest.raises(RulesetError) as caught:
        load_rulebook(find_source(path))

    assert (code, headline) in [(fault.code, fault.headline) for fault in caught.value.faults]


def test_a_misspelt_call_is_one_fault(tmp_path: Path) -> None:
    path = tmp_path / "slip.rules"
    path.write_text(
        'ruleset slip-1.0 "Slip"\nplayers Side\ntype Side = Red | Blue\n'
        'phase game §1 "Play."\n  finnish()\nphase finish §1 "The end."\n  win Red\n'
        'scenario start §1 "Start"\n  game()\n',
        "utf-8",
    )
    with pytest.raises(RulesetError) as caught:
        load_rulebook(find_source(path))

    assert ["unknown-name"] == [fault.code for fault in caught.value.faults]


def test_a_label_with_a_part_that_has_no_name_says_where_to_name_it(beside_tiny: Path) -> None:
    path = beside_tiny / "product.rules"
    label = 'label en\n  Hand = "hand of {owner}"'
    path.write_text(f"{HEAD}type Pile = Hand(Side)\n{label}\n", "utf-8")
    with pytest.raises(RulesetError, match=r"declared, as in `Hand\(part_1: Side\)`"):
        load_rulebook(find_source(path))


def test_a_misspelt_base_is_told_with_the_near_name(beside_tiny: Path) -> None:
    path = beside_tiny / "house.rules"
    path.write_text('ruleset slip "A slip of the pen"\n  extends Tiny-1.O\n', "utf-8")
    with pytest.raises(
        RulesetError,
        match=r"no ruleset `Tiny-1\.O` to extend\n[^`]*\bhelp: did you mean `tiny-1\.0`",
    ):
        load_rulebook(find_source(path))


def test_all_faults_are_told_at_once(beside_tiny: Path) -> None:
    path = beside_tiny / "many.rules"
    path.write_text(
        f"{HEAD}"
        'rule one "No section, and no action."\n  forbid hit\n'
        'rule two §9 "No such section, no such value."\n  forbid march(b, to) when to = Fief\n'
        "define three(b: Block) = strength[b] + ready\n"
        "amend rule four §2\n  forbid peek\n",
        "utf-8",
    )

    assert ["malformed-text"] == fault_codes(path)[0]

    text = path.read_text("utf-8").replace("rule four §2\n", 'rule four §2 "So."\n')
    path.write_text(text, "utf-8")
    expected = {
        "amends-nothing",
        "uncited-rule",
        "not-an-action",
        "unknown-section",
        "unknown-name",
        "wrong-type",
        "unused-definition",
    }

    assert expected == set(fault_codes(path)[0])


def test_a_sample_is_drawn_in_the_order_of_the_lines(beside_tiny: Path) -> None:
    path = beside_tiny / "two.rules"
    path.write_text(f'{HEAD}rule b "x"\n  forbid peek\nrule a "x"\n  forbid peek\n', "utf-8")
    with pytest.raises(RulesetError) as caught:
        load_rulebook(find_source(path))
    drawn = draw_all(caught.value.faults, caught.value.sources)

    assert drawn == str(caught.value)
    assert drawn.index("two.rules:3:6") < drawn.index("two.rules:5:6")
    assert drawn.endswith("\n2 faults")


@pytest.mark.parametrize(
    ("line", "headline"),
    [
        ("trn += 1", "`trn` is not a state variable"),
        ("turn += on", "`on` is not declared"),
        ("turn += tired", "expected a number, got a set of `Piece`"),
        ("tired += 1", "expected a number, got a set of `Piece`"),
    ],
)
def test_one_slip_in_a_sum_is_one_fault(line: str, headline: str) -> None:
    with pytest.raises(RulesetError) as error:
        ruleset_of(TINY.replace("turn += 1", line, 1))
    assert [headline] == [fault.headline for fault in error.value.faults]
