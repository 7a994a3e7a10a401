"""The formatter: it keeps what a text declares and its comments, is idempotent, and fits 100 columns."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.syntax import parse
from hots_rules.syntax.comments import comments_of
from hots_rules.syntax.old_spellings import OLD_SPELLINGS
from tests.folders import HOME, TESTS

MISTAKES = TESTS / "mistakes"
SHIPPED = sorted((HOME / "rulesets").rglob("*.rules"))
GOOD = [*sorted((MISTAKES / "good").glob("*.rules")), *sorted(MISTAKES.glob("tiny-*.rules"))]


def words_of_comments(text: str) -> list[str]:
    """The words of all comments in order, without signs that only fill a line."""
    return re.sub(r"[#-]+", " ", " ".join(comment.text for comment in comments_of(text))).split()


def too_long(text: str) -> list[str]:
    """The lines of more than 100 columns."""
    return [line for line in text.splitlines() if len(line) > 100]


def formatted(text: str) -> str:
    """The formatted text, which declares the same, has the same comments, and stays as it is."""
    once = hr.format_rules(text)

    assert parse(once, "a") == (parse(text, "a")[0], ())
    assert words_of_comments(once) == words_of_comments(text)
    assert hr.format_rules(once) == once
    assert not re.search(r"[ \t]\n|\n\n\n|\A\n|\n\n\Z", once)
    return once


# ---------------------------------------------------------------- texts of the project
@pytest.mark.thorough
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_shipped_ruleset_is_formatted(path: Path) -> None:
    text = path.read_text("utf-8")

    assert [] == too_long(text)
    assert text == hr.format_rules(text)


@pytest.mark.thorough
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_sample_can_be_formatted(path: Path) -> None:
    assert [] == too_long(formatted(path.read_text("utf-8")))


# ---------------------------------------------------------------- other white space
BLANKS = {
    " ": [" ", "  ", "\t"],
    "\n": ["\n", "  \n", "\n\n", "\n\n\n", "  # a note\n", "\n# a note\n"],
    "(": ["(", "( ", "(\n"],
    " and ": [" and ", "\n and ", "\n\n      and  ", "  # a note\n and "],
    ", ": [", ", ",", ",  ", ",\n      "],
}
_BLANK = re.compile(r"(?<=\S) and |(?<=\S), |(?<=\S) (?=\S)|\(|\n")


def mangled(text: str, data: Any) -> str:
    """A text with other blanks and line ends, which mean the same."""

    def other(found: re.Match[str]) -> str:
        return str(data.draw(st.sampled_from(BLANKS[found[0]])))

    parts = re.split(r'(#[^\n]*|"[^"]*")', text)
    return "".join(part if n % 2 else _BLANK.sub(other, part) for n, part in enumerate(parts))


@cache
def declarations() -> list[str]:
    """The declarations of all samples."""
    texts = [path.read_text("utf-8").rstrip() for path in GOOD]
    parts = [f"{part}\n" for text in texts for part in re.split(r"\n(?=[a-z])", text)]
    return [part for part in parts if not parse(part, "a")[1]]


@pytest.mark.thorough
@given(data=st.data())
def test_white_space_does_not_count(data: Any) -> None:
    one = data.draw(st.sampled_from(declarations()))
    other = mangled(one, data)

    assert parse(one, "a") == parse(other, "a")
    formatted(other)


def test_a_note_may_stand_before_then() -> None:
    plain = "define a =\n  if c1\n    then 1\n  elif (c2)\n    then 2\n  else 5\n"
    noted = plain.replace("(c2)\n", "(c2)  # a note\n\n# and one more\n")

    assert parse(plain, "a") == parse(noted, "a")
    formatted(noted)


# ---------------------------------------------------------------- generated texts
names = st.text("abcdeXYZ_", min_size=1, max_size=24).map(lambda word: f"n{word}")


def joined(sign: str) -> Any:
    """A strategy of two operands with a sign between them."""
    return lambda inner: st.tuples(inner, inner).map(lambda two: f"({two[0]}) {sign} ({two[1]})")


def extended(inner: Any) -> Any:
    """Expressions made of smaller ones."""
    pairs = st.tuples(inner, inner)
    triples = st.tuples(inner, inner, inner)
    signs = st.sampled_from(
        ["and", "or", "|", "&", "+", "-", "*", "div", "mod", "=", "!=", "<=", "in"]
    )
    return st.one_of(
        st.tuples(inner, signs, inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        triples.map(lambda t: f"if {t[0]} then {t[1]} else {t[2]}"),
        st.tuples(names, pairs).map(lambda t: f"{{{t[0]} in ({t[1][0]}) where {t[1][1]}}}"),
        st.tuples(st.sampled_from(["some", "all", "no", "sum", "max", "min"]), names, pairs).map(
            lambda t: f"({t[0]} {t[1]} in ({t[2][0]}): {t[2][1]})"
        ),
        st.tuples(names, st.lists(inner, max_size=4)).map(lambda t: f"{t[0]}({', '.join(t[1])})"),
        st.tuples(names, st.lists(inner, min_size=1, max_size=3)).map(
            lambda t: f"{t[0]}[{', '.join(t[1])}]"
        ),
        st.lists(inner, max_size=5).map(lambda t: "{" + ", ".join(f"({e})" for e in t) + "}"),
        pairs.map(lambda t: f"({t[0]}, {t[1]})"),
        inner.map(lambda e: f"not ({e})"),
        inner.map(lambda e: f"({e}) is Field"),
    )


expressions = st.recursive(names | st.integers(0, 99).map(str), extended, max_leaves=12)
sentences = st.lists(st.text("abcäß.,;()#'", min_size=1, max_size=12), max_size=40).map(" ".join)
cites = st.lists(st.sampled_from(["§1", "§12.3", "base-1.0§4.5"]), max_size=30).map(" ".join)
lines = st.one_of(
    st.tuples(names, cites, expressions).map(lambda t: f"define {t[0]} {t[1]} =\n  {t[2]}"),
    st.tuples(names, expressions, cites).map(lambda t: f"define {t[0]} = {t[1]} {t[2]}"),
    st.tuples(names, st.lists(st.tuples(names, expressions), max_size=6), cites).map(
        lambda t: (
            f"secret {t[0]} {t[2]}\n  known to all\n"
            + "".join(f"  known to {who} when {when}\n" for who, when in t[1])
        )
    ),
    st.tuples(names, st.lists(names, min_size=1, max_size=12), cites).map(
        lambda t: (
            f"table {t[0]} {t[2]} ({', '.join(f'{c}: 1..2' for c in t[1])})\n"
            + f"  {t[0]} {' '.join('1' for _ in t[1])}"
        )
    ),
    st.tuples(names, cites, sentences, expressions, sentences).map(
        lambda t: (
            f'rule {t[0]} {t[1]} "{t[2]}"\n  forbid {t[0]} when {t[3]} because "{t[4]}"\n'
            f"  on {t[0]}\n    if {t[3]}\n      x := {t[3]}\n    elif {t[3]}\n      clear {t[0]}"
        )
    ),
    st.tuples(names, sentences, sentences).map(
        lambda t: f'reading {t[0]} §1 "{t[1]}"\n  a "{t[2]}" default\n  bcde "{t[1]}"'
    ),
    st.tuples(names, st.lists(st.tuples(names, expressions), min_size=1, max_size=5)).map(
        lambda t: (
            f"define {t[0]} = first of\n"
            + "".join(f"  {value} when {when}\n" for value, when in t[1])
            + "  0"
        )
    ),
)


@pytest.mark.thorough
@given(text=st.lists(lines, min_size=1, max_size=3).map("\n".join))
def test_a_generated_text_can_be_formatted(text: str) -> None:
    assert ((), []) == (parse(text, "a")[1], too_long(formatted(text)))


# ---------------------------------------------------------------- what it looks like
FORMS = {
    "a short block is set on one line": (
        "define a §1 =\n  b\nsecret c §2\n  known to all\n",
        "define a = b  §1\nsecret c known to all §2\n",
    ),
    "a long definition has its value below": (
        f"define a = {{{'b' * 45} in {'c' * 37} where d}}  §1\n",
        f"define a §1 =\n  {{{'b' * 45} in {'c' * 37} where d}}\n",
    ),
    "a condition breaks before `when` and `and`": (
        f'rule a §1 "x"\n  forbid {"b" * 40} when {"c" * 50} and {"d" * 50} and e because "y"\n',
        f'rule a §1 "x"\n  forbid {"b" * 40}\n    when {"c" * 50}\n      and {"d" * 50}\n      and e\n'
        '    because "y"\n',
    ),
    "what cannot break otherwise is put in brackets": (
        f'phase a §1 "x"\n  y := if {"b" * 40} then {"c" * 40} else {"d" * 40}\n',
        f'phase a §1 "x"\n  y := (\n      if {"b" * 40} then {"c" * 40}\n      else {"d" * 40}\n    )\n',
    ),
    "columns": (
        'state\n  a : 1..2 # one\n  bcd[x] : y = 2 # two\nreading r §1 "x"\n  a "b" default\n  cde "f"\n',
        "state\n  a      : 1..2   # one\n  bcd[x] : y = 2  # two\n"
        'reading r §1 "x"\n  a    "b"  default\n  cde  "f"\n',
    ),
    "rows": (
        "table a §1 (b: 1..2, c: set of d)\n : b c\n x 1 d+e # f\n long_name - -\n",
        "table a §1 (b: 1..2, c: set of d)\n"
        "  :          b  c\n  x          1  d+e  # f\n  long_name  -  -\n",
    ),
    "cases": (
        "define a = first of\n  b when c\n  defg when h\n  0\n",
        "define a = first of\n  b    when c\n  defg when h\n  0\n",
    ),
    "comments keep their place": (
        '# a\n\n\n\ndefine a = b # c\nphase p §1 "x" # d\n\n  # e\n  leave\n  # f\n# g\nclock h\n   # i\n',
        '# a\n\ndefine a = b  # c\nphase p §1 "x"  # d\n  # e\n  leave\n  # f\n# g\nclock h\n# i\n',
    ),
    "a comment without room goes above its line": (
        f"clock a # {'b ' * 50}c\n",
        f"# {'b ' * 48}b\n# b c\nclock a\n",
    ),
    "a comment inside a line ends it": (
        "define a = b # c\n  # d\n  and e\n",
        "define a = b  # c\n  # d\n  and e\n",
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_form(name: str) -> None:
    before, after = FORMS[name]

    assert after == formatted(before)


def test_a_text_with_a_fault_is_refused() -> None:
    with pytest.raises(hr.RulesetError) as caught:
        hr.format_rules("define = 1", "slip.rules")

    assert "slip.rules" == caught.value.faults[0].place.file


# ---------------------------------------------------------------- old spellings
@pytest.mark.parametrize("spelling", OLD_SPELLINGS, ids=lambda spelling: spelling.old)
def test_an_old_spelling_is_replaced(spelling: Any) -> None:
    old = f"define a = ({spelling.old} x in S: n)  # {spelling.old} x in S\n"
    _, faults = parse(old, "a")

    assert spelling.remedy.format(word="x") == faults[0].help
    new = f"define a = {spelling.new} x in S: n  # {spelling.old} x in S\n"
    assert new == hr.format_rules(old, upgrade=True)


def test_a_citation_before_a_value_on_one_line_is_written_behind_it() -> None:
    """Both are read; where the value has a line of its own, the citation stays before the sign."""
    head = 'ruleset tiny-1.0 "Tiny"\n\n'
    written = head + "define more §2 §3 = 1\ndefine most(n: 1..3): 0..9 §2 =\n  n + 1\n"

    assert (
        formatted(written)
        == head + "define more = 1  §2 §3\ndefine most(n: 1..3): 0..9 = n + 1  §2\n"
    )
