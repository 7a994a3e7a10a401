"""Commands whose extra is not installed: each says in one sentence what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hots_rules as hr

pytestmark = pytest.mark.thorough

WITHOUT = """import sys
sys.modules[sys.argv.pop(1)] = None
from hots_rules.cli import main
sys.exit(main())
"""


def hots_without(package: str, words: str, place: Path) -> subprocess.CompletedProcess[str]:
    """A command where a package is not installed."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, package, *words.split()],
        cwd=place,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        ("lsp", "pygls", "lsp"),
        ("mcp", "mcp", "mcp"),
        ("serve", "litestar", "web"),
        ("serve --metrics", "prometheus_client", "web"),
        ("serve tokens", "sqlalchemy", "web"),
        ("test . --watch", "watchfiles", "cli"),
        ("check connect-four-1.0 --watch", "watchfiles", "cli"),
        ("draw game.txt -o game.png", "resvg_py", "draw"),
        ("odds game.txt --ask throws --plot odds.png", "matplotlib", "plot"),
        ("simulate connect-four-1.0 --games 2 --backend wasm", "wasmtime", "native"),
        ("simulate connect-four-1.0 --games 2 --backend llvm", "llvmlite", "llvm"),
        (
            "study connect-four-1.0 --scenario empty-board --cluster tcp://127.0.0.1:1",
            "distributed",
            "cluster",
        ),
        (
            "study connect-four-1.0 --scenario empty-board --games 2 --results kept",
            "pyarrow",
            "cluster",
        ),
    ],
)
def test_a_missing_extra_is_one_sentence(
    words: str, package: str, extra: str, tmp_path: Path
) -> None:
    game = hr.load("backgammon-1.0").start("opening", seed=1)
    (tmp_path / "game.txt").write_text(str(game.record), encoding="utf-8")

    refused = hots_without(package, words, tmp_path)

    sentence = (
        f"hots: the package `{package}` is not installed; run: pip install 'hots-rules[{extra}]'"
    )
    assert " ".join(refused.stderr.split()) == sentence
    assert refused.returncode == 2
