"""The server ends with status 0 and says nothing where its editor asks it to shut down."""

import json
import subprocess
import sys

import pytest

from tests.lsp.editor import PATIENCE
from tests.needs import needs

needs("pygls")


def message(**fields: object) -> bytes:
    """A message of the protocol."""
    body = json.dumps({"jsonrpc": "2.0", **fields}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@pytest.mark.thorough
def test_the_server_ends_silently() -> None:
    known = {"processId": None, "rootUri": None, "capabilities": {}}
    first = message(id=1, method="initialize", params=known)
    rest = message(method="initialized", params={}) + message(id=2, method="shutdown")
    command = [sys.executable, "-m", "hots_rules.cli", "lsp"]
    ended = subprocess.run(
        command,
        input=first + rest + message(method="exit"),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, b"")
