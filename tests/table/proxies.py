"""A proxy that shows a table below a path of another site."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

OF_CONNECTION = {"connection", "transfer-encoding", "content-length"}


@contextmanager
def proxy(address: str, path: str, *, strips: bool = True) -> Iterator[str]:
    """The address below which a table at another address is shown; whatever else is asked for is not there.

    With `strips` the table is asked without the path.
    """
    host = address.partition("//")[2]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path.startswith(f"{path}/"):
                self.send_error(404)
                return
            table = HTTPConnection(host, timeout=60)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {
                name: text
                for name, text in self.headers.items()
                if name.lower() not in OF_CONNECTION
            }
            asked = self.path.removeprefix(path) if strips else self.path
            table.request(self.command, asked, body, headers)
            answer = table.getresponse()
            self.send_response(answer.status)
            for name, text in answer.getheaders():
                if name.lower() not in OF_CONNECTION:
                    self.send_header(name, text)
            self.end_headers()
            with suppress(OSError, HTTPException):  # one of the two is gone
                while piece := answer.read1(65_536):  # events as they come
                    self.wfile.write(piece)
                    self.wfile.flush()

        do_POST = do_PUT = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{path}"
    finally:
        server.shutdown()
        server.server_close()
