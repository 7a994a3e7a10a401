"""Builds the site of the playground: pages, Pyodide and CodeMirror from npm, the library with what is compiled for it.

python editors/playground/build.py [-o FOLDER]

Node.js, npm and pip are needed, and their registries. What comes from them is pinned with a digest, in
`package-lock.json` and `requirements.txt`; nothing of it is in the repository. The site needs none of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from hots_rules.syntax.colours import colours

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = HERE / "hots_rules_playground"
MODULES = HERE / "node_modules"
PYODIDE = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
TABLE = ROOT / "hots_rules" / "web" / "static"
OF_THE_TABLE = re.compile(r'^import .* from "\./table/([\w/]+\.js)";$', re.M)
STYLE = re.compile(r'<link rel="stylesheet" href="table/([\w/]+\.css)"')
BESIDE = re.compile(r'\bfrom "(\.{1,2}/[\w/]+\.js)";$', re.M)


class CannotBuild(Exception):
    """Something that the build needs is missing."""


def build(site: Path) -> None:
    """Build the site into a folder, which is replaced.

    Raises:
        CannotBuild: Node.js or npm is missing.
        CalledProcessError: a program failed; it has said why.
    """
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise CannotBuild(f"`{program}` is not installed; install Node.js 20 or newer")
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", folder=HERE)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(PACKAGE / "page", site, ignore=shutil.ignore_patterns("codemirror.js"))
    for name in (*styles_of_the_table(), *modules_of_the_table()):
        copy(TABLE / name, site / "table" / name)
    for name in PYODIDE:
        copy(MODULES / "pyodide" / name, site / "vendor" / "pyodide" / name)
    bundle_editor(site / "vendor" / "codemirror.js")
    table = [{"pattern": one.pattern, "kinds": one.kinds} for one in colours()]
    (site / "colours.json").write_text(json.dumps(table), encoding="utf-8")
    packages = HERE / "build" / "packages"
    install(packages)
    run("node", HERE / "prepare.mjs", packages, site / "library.zip")
    (site / "LICENSES.txt").write_text(licences(packages), encoding="utf-8")
    (site / "SHA256SUMS").write_text(digests(site), encoding="utf-8")


def styles_of_the_table() -> list[str]:
    """The style sheets that the page takes of the table."""
    return STYLE.findall((PACKAGE / "page" / "index.html").read_text("utf-8"))


def modules_of_the_table() -> list[str]:
    """The modules that the page takes of the table, with those that they import."""
    found = set[str]()
    pages = (PACKAGE / "page").glob("*.js")
    pending = [name for page in pages for name in OF_THE_TABLE.findall(page.read_text("utf-8"))]
    while pending:
        if (name := pending.pop()) not in found:
            found.add(name)
            named = BESIDE.findall((TABLE / name).read_text("utf-8"))
            pending += [posixpath.normpath(f"{posixpath.dirname(name)}/{each}") for each in named]
    return sorted(found)


def run(*command: object, folder: Path = ROOT) -> None:
    """Run a program in a folder."""
    subprocess.run([str(part) for part in command], cwd=folder, check=True)


def copy(source: Path, target: Path) -> None:
    """Copy a file, into a folder that is made if it is missing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def bundle_editor(target: Path) -> None:
    """One module of all that the page takes of CodeMirror."""
    esbuild = MODULES / ".bin" / "esbuild"
    source = PACKAGE / "page" / "codemirror.js"
    options = ("--bundle", "--format=esm", "--minify", "--charset=utf8", "--log-level=warning")
    run(esbuild, source, *options, f"--outfile={target}")


def install(packages: Path) -> None:
    """The library and what it needs, in a folder; pip checks the digests."""
    shutil.rmtree(packages, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    into = ("install", "--no-deps", "--no-compile", "--target", packages)
    run(*pip, *into, "--require-hashes", "--only-binary", ":all:", "-r", HERE / "requirements.txt")
    isolation = ("--no-build-isolation",) if find_spec("hatchling") else ()
    run(*pip, *into, *isolation, ROOT)
    answers = packages / PACKAGE.name / "answers"
    shutil.copytree(PACKAGE / "answers", answers, ignore=shutil.ignore_patterns("__pycache__"))
    copy(PACKAGE / "__init__.py", packages / PACKAGE.name / "__init__.py")


# ---------------------------------------------------------------- what others wrote
def licences(packages: Path) -> str:
    """The licences of all that is in the site, one below the other."""
    found = [*npm_licences(), *python_licences(packages)]
    return "\n\n".join(
        f"{'=' * 78}\n{name}\n{'=' * 78}\n\n{text.strip()}\n" for name, text in found
    )


def npm_licences() -> Iterator[tuple[str, str]]:
    """The names of the packages of npm with the texts of their licences, or the names of these."""
    lock = json.loads((HERE / "package-lock.json").read_text("utf-8"))
    for path, facts in sorted(lock["packages"].items()):
        folder = HERE / path
        if not path or facts.get("optional") or not folder.is_dir() or "esbuild" in path:
            continue  # esbuild works at build time alone
        name = path.removeprefix("node_modules/")
        yield f"{name} {facts['version']} ({facts['license']})", licence_text(folder)


def python_licences(packages: Path) -> Iterator[tuple[str, str]]:
    """The same of the packages of PyPI."""
    for folder in sorted(packages.glob("*.dist-info")):
        name, _, version = folder.name.removesuffix(".dist-info").partition("-")
        yield f"{name} {version}", licence_text(folder)


def licence_text(folder: Path) -> str:
    """The texts of the licences in a folder; where it has none, a pointer to its home."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and "licen" in p.name.lower())
    own = [p for p in files if "node_modules" not in p.relative_to(folder).parts]
    if own:
        return "\n\n".join(p.read_text("utf-8", errors="replace") for p in own)
    return "The package has no text of its licence; its home page has it."


def digests(site: Path) -> str:
    """The digests of all files of the site, as `sha256sum --check` reads them."""
    files = sorted(path for path in site.rglob("*") if path.is_file())
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(site).as_posix()}\n"
        for path in files
    )


def main() -> int:
    """Build the site, and say how large it is."""
    parser = argparse.ArgumentParser(description="Build the site of the playground.")
    parser.add_argument("-o", "--output", type=Path, default=PACKAGE / "site", metavar="FOLDER")
    site = parser.parse_args().output.resolve()
    try:
        build(site)
    except CannotBuild as error:
        print(error, file=sys.stderr)
        return 2
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    print(f"built {site}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
