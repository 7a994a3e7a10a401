"""Print the lines of code of each package, without docstrings, comments and blank lines.

`python .ci/lines.py [TREE]`, where TREE is a checkout, this one if none is named.
"""

import ast
import sys
import tokenize
from collections import Counter
from pathlib import Path

IGNORED = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def lines_of_code(path: Path) -> int:
    """The lines of a file on which code stands; a string of several lines counts as many."""
    with tokenize.open(path) as file:
        text = file.read()
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in IGNORED]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return len(lines - documentation(ast.parse(text)))


def documentation(tree: ast.Module) -> set[int]:
    """The lines of docstrings: every statement that is nothing but a string."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def main() -> None:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    library = tree / "hots_rules"
    lines, files = Counter[str](), Counter[str]()
    for path in sorted([*library.rglob("*.py"), *library.rglob("*.pyi")]):
        parts = path.relative_to(library).parts
        package = parts[0] if len(parts) > 1 else "hots_rules"
        lines[package] += lines_of_code(path)
        files[package] += 1
    for package in sorted(lines):
        print(f"{package:12} {lines[package]:7,} lines {files[package]:5} files")
    print(f"{'total':12} {lines.total():7,} lines {files.total():5} files")


if __name__ == "__main__":
    main()
