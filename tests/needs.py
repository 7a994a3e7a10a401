"""What a test needs that may not be installed: it is skipped then, and the reason says what brings it."""

from types import ModuleType

import pytest

# The extra of `pyproject.toml` that brings a module.
EXTRAS = {
    "IPython": "test",
    "PIL": "test",
    "axe_playwright_python": "browser",
    "babel": "test",
    "chess": "peers",
    "choix": "peers",
    "cma": "peers",
    "distributed": "cluster",
    "gymnasium": "gymnasium",
    "httpx": "test",
    "jsonschema": "test",
    "litestar": "web",
    "llvmlite": "llvm",
    "matplotlib": "plot",
    "numpy": "numpy",
    "open_spiel": "openspiel",
    "pettingzoo": "pettingzoo",
    "playwright": "browser",
    "psycopg": "web",
    "pyarrow": "cluster",
    "pygls": "lsp",
    "pyspiel": "openspiel",
    "pytest_lsp": "test",
    "resvg_py": "draw",
    "schemathesis": "test",
    "tblib": "test",
    "trove_classifiers": "test",
    "wasmtime": "native",
}


def needs(module: str) -> ModuleType:
    """A module; without it the test, or the file that asks at its top, is skipped."""
    extra = EXTRAS[module.partition(".")[0]]
    return pytest.importorskip(module, reason=f"{module} is missing: pip install -e '.[{extra}]'")
