"""The grammar for editors colours every ruleset as the parser reads it, in the program that VS Code uses.

It needs Node, and `npm ci` in `editors/colours`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.test_lexer import ALIKE, ALL, HOME, KNOWN, generate, parsed_words

COLOURS = HOME / "editors" / "colours"
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="Node is not installed"),
    pytest.mark.skipif(
        not (COLOURS / "node_modules" / "vscode-textmate").is_dir(),
        reason="vscode-textmate is not installed: run `npm ci` in editors/colours",
    ),
]


def coloured(paths: list[Path]) -> dict[Path, dict[int, str]]:
    """The kind of each character of some files."""
    kind_of = {scope: kind for kind, scope in generate.SCOPES.items()}
    script = [str(NODE), str(COLOURS / "tokens.mjs"), str(generate.FILE)]
    named = "\n".join(map(str, paths))
    done = subprocess.run(
        script, input=named, capture_output=True, text=True, timeout=120, encoding="utf-8"
    )
    assert 0 == done.returncode, done.stderr
    answers = map(json.loads, done.stdout.splitlines())
    return {path: kinds(path, found, kind_of) for path, found in zip(paths, answers, strict=True)}


def kinds(
    path: Path, found: list[tuple[int, int, int, str]], kind_of: dict[str, str]
) -> dict[int, str]:
    starts = [0]
    for line in path.read_text("utf-8").split("\n"):
        assert all(ord(sign) < 0x10000 for sign in line)  # else a sign would count as two
        starts.append(starts[-1] + len(line) + 1)
    return {
        at: kind_of.get(scope, "blank")
        for line, start, end, scope in found
        for at in range(starts[line] + start, starts[line] + end)
    }


@pytest.mark.thorough
def test_every_word_has_the_colour_of_what_the_parser_reads_in_the_program_of_vs_code() -> None:
    assert len(ALL) > 50
    for path, found in coloured(ALL).items():
        wrong = [
            (word, kind, found.get(at))
            for at, kind, word in parsed_words(path.read_text("utf-8"))
            if ALIKE.get(found.get(at, ""), found.get(at)) != kind
        ]
        assert KNOWN.get(path.name, 0) == len(wrong), (path, wrong[:5])


def test_a_broken_text_is_coloured_to_its_end(tmp_path: Path) -> None:
    broken = tmp_path / "broken.rules"
    broken.write_text('rule a §1 "never closed\nrule b §2 "Closed."\n  forbid c', encoding="utf-8")
    (found,) = coloured([broken]).values()
    text = broken.read_text("utf-8")
    assert "declaration" == found[text.index("rule b")]
    assert "keyword" == found[text.index("forbid")]
