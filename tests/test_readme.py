"""The samples of the README and of the documentation are true."""

import doctest
import re
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
README = HOME / "README.md"
PAGES = [README, *sorted((HOME / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w[\w-]*)\n(.*?)^```$", re.M | re.S)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a page in one language, each with the line it starts after."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start(2)), found[2])
        for found in FENCE.finditer(text)
        if found[1] == language
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(HOME).as_posix())
def test_samples_give_what_they_show(page: Path) -> None:
    samples = [(line, text) for line, text in blocks(page, "python") if ">>> " in text]
    if not samples:
        pytest.skip("no sample in doctest")

    # The blocks of a page are one session: what one names, the next may use.
    session: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    for line, text in samples:
        test = doctest.DocTestParser().get_doctest(text, session, page.name, str(page), line)
        runner.run(test, out=said.append, clear_globs=False)
        session = test.globs

    assert "" == "".join(said)


def test_the_readme_begins_with_two_commands() -> None:
    set_up, test = (text for _, text in blocks(README, "console")[:2])

    assert 1 == set_up.count("\n") == test.count("\n")
    assert "-m venv .venv" in set_up
    assert "hots play" in set_up
    assert "pytest" in test


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(HOME).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    lost = [link for link in links if ":" not in link and not (page.parent / link).exists()]

    assert [] == lost
