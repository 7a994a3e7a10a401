"""What is no message of an editor is refused in a line, without frames and without memory for what it claims to be."""

import io
import json
import subprocess
import sys

import pytest

from tests.lsp.editor import PATIENCE
from tests.lsp.test_exit import message
from tests.needs import needs

needs("pygls")

from hots_rules.lsp import messages

END = message(id=9, method="shutdown") + message(method="exit")


def framed(body: bytes) -> bytes:
    """Bytes with the header of a message."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def read_all(data: bytes) -> tuple[list[bytes], list[str]]:
    """The messages that are handed on, and what is reported of the others."""
    reports = list[str]()
    reader = messages.MessageReader(io.BytesIO(data), reports.append)
    bodies = list[bytes]()
    while reader.readline():
        assert reader.readline() == b"\r\n"
        bodies.append(reader.read(0))
    return bodies, reports


@pytest.mark.parametrize(
    "body",
    [
        b"hello",
        b"\xff\xfe",
        b"",
        b"[" * 100_000,
        b"[]",
        b"5",
        b"null",
        b'{"id": 1}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": 7}',
    ],
)
def test_what_is_no_message_is_left_out_and_the_next_one_read(body: bytes) -> None:
    good = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}).encode()

    bodies, reports = read_all(framed(body) + framed(good))

    assert bodies == [good]
    assert len(reports) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"Content-Length: 99999999999999\r\n\r\nab", "more than 64,000,000 bytes"),
        (b"Content-Length: " + b"9" * 4_000 + b"\r\n\r\nab", "more than 64,000,000 bytes"),
        (b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\nab", "too long for a header"),
        (b"Content-Length: 50\r\n\r\nab", "ends within a message"),
        (b"Content-Length: -5\r\n\r\nhello", "has no message"),
        (b"Content-Length: 5\r\n", "has no message"),
        (b"hello\r\n\r\n", "has no message"),
        (b"a" * 5_000, "too long for a header"),
        (b"a: b\r\n" * 100, "too long for a header"),
    ],
)
def test_an_input_without_messages_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(OSError, match=reason):
        read_all(data)


def test_a_header_may_have_other_lines_and_other_spellings() -> None:
    good = b'{"jsonrpc": "2.0", "method": "exit"}'
    header = b"content-length:%d\nContent-Type: text/plain\n\n" % len(good)

    assert read_all(header + good) == ([good], [])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("data", "status", "answers"),
    [
        (framed(b"hello") + END, 0, 0),
        (b"Content-Length: 99999999999999\r\n\r\nab", 2, 0),
        (message(id=4, method="textDocument/hover", params=5) + END, 0, 1),
        (message(id=4) + message(id=5, result=None) + END, 0, 0),
    ],
)
def test_the_server_tells_a_bad_message_in_lines(data: bytes, status: int, answers: int) -> None:
    known = {"processId": None, "rootUri": None, "capabilities": {}}
    command = [sys.executable, "-m", "hots_rules.cli", "lsp"]
    ended = subprocess.run(
        command,
        input=message(id=1, method="initialize", params=known) + data,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )

    assert (ended.returncode, ended.stdout.count(b'"error"')) == (status, answers)
    assert ended.stderr
    assert b"Traceback" not in ended.stderr
