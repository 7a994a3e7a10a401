"""A fix of a fault corrects it, and brings no other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from hots_rules.diagnostics import CODES, Fault, Fix, RulesetError, Span, apply_fixes
from hots_rules.rules import find_source
from hots_rules.rules.load import load_rulebook
from tests.diagnostics.test_faults import MISTAKES, beside_tiny, headed, samples  # noqa: F401

SLIPS = {
    "a sign of another language": 'rule quiet §2.1 "No."\n  forbid peek when actor == Scotland\n',
    "a definition in square brackets": "define one(s: Side) = 1\ndefine two(s: Side) = one[s]\n",
    "a variable in round brackets": "define dead(b: Block) = place(b) = Dead\n",
}


def faults_of(texts: Mapping[str, str], folder: Path) -> tuple[Fault, ...]:
    """The faults of the last of some files, written to a folder."""
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    try:
        load_rulebook(find_source(folder / list(texts)[-1]))
    except RulesetError as error:
        return error.faults
    return ()


def key(fault: Fault) -> tuple[str, str]:
    """What a fault tells, wherever it is."""
    return fault.code, fault.headline


def malformed() -> Iterator[tuple[str, str]]:
    """The malformed samples of the grammar, by title."""
    for block in (MISTAKES / "malformed.txt").read_text("utf-8").split("\n\n"):
        title, *lines = block.strip("\n").split("\n")
        rows = [line.removeprefix("    ") for line in lines if line.startswith("    ")]
        yield title, "\n".join(rows).replace("⟦", "").replace("⟧", "") + "\n"


def unfixed(text: str, folder: Path, *, hides: bool = False) -> list[str]:
    """The fixes of the faults of a text that do not correct them, or that bring other faults.

    Where a text is malformed, its other faults were not looked for.
    """
    texts = {"slip.rules": text}
    for name in ("tiny-1.0.rules", "sections.csv", "tiny-2.1.rules"):
        if (MISTAKES / name).is_file() and name != "tiny-2.1.rules":
            texts = {name: (MISTAKES / name).read_text("utf-8"), **texts}
    before = faults_of(texts, folder)
    wrong = []
    for fault in before:
        for fix in fault.fixes:
            after_texts, applied = apply_fixes([fix], texts)
            after = faults_of(after_texts, folder)
            left = [key(each) for each in after]
            grows = len(after) > len(before) and not hides
            if applied != (fix,) or key(fault) in left or grows:
                wrong.append(f"{fix.title}: {left}\n{after_texts['slip.rules']}")
    return wrong


@pytest.mark.parametrize("code", CODES)
def test_a_fix_corrects_the_sample_of_its_page(code: str, tmp_path: Path) -> None:
    sample = headed(samples(code)["rules-wrong"])

    assert [] == unfixed(sample, tmp_path, hides=code == "malformed-text")


@pytest.mark.parametrize("slip", SLIPS)
def test_a_fix_corrects_a_slip(slip: str, tmp_path: Path) -> None:
    assert [] == unfixed(headed(SLIPS[slip]), tmp_path)


@pytest.mark.thorough
def test_a_fix_of_a_malformed_text_makes_it_readable(tmp_path: Path) -> None:
    wrong = {title: unfixed(headed(text), tmp_path, hides=True) for title, text in malformed()}

    assert {} == {title: told for title, told in wrong.items() if told}


# ---------------------------------------------------------------- applying
def fix_at(line: int, start: int, stop: int, text: str) -> Fix:
    """A fix of a part of a line of `fox.rules`."""
    return Fix.write(Span("fox.rules", line, start, line, stop), text)


@pytest.mark.parametrize(
    ("fixes", "expected", "applied"),
    [
        ([fix_at(1, 1, 4, "Hen"), fix_at(2, 1, 4, "Dog")], "Hen\nDog\n", 2),
        ([fix_at(1, 1, 4, "Hen"), fix_at(1, 3, 4, "g")], "Hen\nCat\n", 1),
        ([fix_at(1, 1, 1, "a "), fix_at(1, 1, 1, "the ")], "a Fox\nCat\n", 1),
        ([fix_at(1, 1, 4, "Hen"), fix_at(1, 1, 4, "Hen")], "Hen\nCat\n", 1),
        ([fix_at(1, 9, 10, "x"), fix_at(9, 1, 1, "x")], "Fox\nCat\n", 0),
        ([Fix.remove_lines(Span("fox.rules", 2, 1, 2, 4))], "Fox\n", 1),
        ([Fix.write(Span("hen.rules", 1, 1, 1, 2), "x")], "Fox\nCat\n", 0),
    ],
)
def test_fixes_of_one_place_are_not_applied_together(
    fixes: list[Fix], expected: str, applied: int
) -> None:
    texts, done = apply_fixes(fixes, {"fox.rules": "Fox\nCat\n"})

    assert (expected, applied) == (texts["fox.rules"], len(done))
