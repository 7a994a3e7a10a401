"""The site on this machine: files, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# The page has the same policy in its head; the worker has it from here alone.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "connect-src 'self'; style-src 'self'; img-src 'self' data:"
)


class Files(SimpleHTTPRequestHandler):
    """Gives the files of the site; a browser asks each time whether its copy is still good."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is logged."""


@contextmanager
def opened(site: Path, host: str, port: int) -> Iterator[ThreadingHTTPServer]:
    """A server of the files of a folder, which has the port but does not answer yet.

    Raises:
        OSError: the port is not free.
    """
    with ThreadingHTTPServer((host, port), partial(Files, directory=str(site))) as server:
        yield server


def serve(site: Path, host: str, port: int, on_ready: Callable[[str], None]) -> None:
    """Serve the files of a folder until Ctrl-C; `on_ready` is told the address.

    Raises:
        OSError: the port is not free.
    """
    with opened(site, host, port) as server:
        on_ready(f"http://{host}:{server.server_port}/")
        with suppress(KeyboardInterrupt):
            server.serve_forever()
