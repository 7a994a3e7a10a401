"""Programs beside Python that tests run: Node, and the compiler of TypeScript that it runs."""

from __future__ import annotations

import shutil

import pytest

from tests.folders import HOME

TSC = HOME / ".ci" / "javascript" / "node_modules" / ".bin" / "tsc"
NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
NEEDS_TYPESCRIPT = pytest.mark.skipif(
    shutil.which("node") is None or not TSC.exists(),
    reason="TypeScript is not installed: run `npm ci` in .ci/javascript",
)
