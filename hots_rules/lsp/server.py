"""The server: it keeps the texts of the editor, checks rulesets in the background, and publishes their faults."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.lsp.server import LanguageServer

import hots_rules as hr
from hots_rules import editing
from hots_rules._gc_policy import collect
from hots_rules.diagnostics import Fault
from hots_rules.lsp.folder import folder_texts, is_wanted, text_of
from hots_rules.lsp.messages import MessageReader
from hots_rules.lsp.positions import from_position, to_range

if TYPE_CHECKING:
    from pygls.server import ServerErrors

SHORT_WAIT = 0.03  # seconds without a change before the declarations that changed are checked
WAIT = 0.15  # seconds without a change before a ruleset is checked
IDLE = 3.0  # seconds without a change before memory is collected
NAME = "hots-lsp"
log = logging.getLogger(NAME)
Result = TypeVar("Result")


class PositionParams(Protocol):
    """A request about a place."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class RulesServer(LanguageServer):
    """The language server with the texts of the open folder."""

    def __init__(self) -> None:
        super().__init__(NAME, hr.__version__)
        self.reader: MessageReader | None = None
        self.space = editing.Workspace()
        self.roots: tuple[Path, ...] = ()
        self.opened: set[str] = set()
        self.has_terminal = False  # whether the editor runs commands in a terminal
        self.unmet_lines: dict[str, list[hr.testing.UnmetLine]] = {}
        self.cases = editing.CaseCheck(editing.compiled, ())
        self._check_worker = ThreadPoolExecutor(1, "check")
        self._edit_worker = ThreadPoolExecutor(1, "edit")
        self._due: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._published: dict[str, list[lsp.Diagnostic]] = {}

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Answer a request that cannot be read; other errors are in the log."""
        if source is JsonRpcException and self.reader is not None and self.reader.id is not None:
            fault = error if isinstance(error, JsonRpcException) else JsonRpcInvalidRequest()
            self.protocol._send_response(self.reader.id, error=fault.to_response_error())

    # ---------------------------------------------------------------- texts
    def start(self, folders: list[str]) -> None:
        """Read the files of the open folders, and check their rulesets."""
        paths = [path for uri in folders if (path := uris.to_fs_path(uri))]
        self.roots = tuple(Path(os.path.realpath(path)) for path in paths)
        self.cases = editing.CaseCheck(editing.compiled, tuple(map(str, self.roots)))
        for path, text in folder_texts(self.roots).items():
            self.space.open(path, text)
        for head in self.space.located():
            self.check_later(head, 0)

    def path_of(self, uri: str) -> str:
        """The path of a document; its address, if it is no file."""
        path = uris.to_fs_path(uri)
        return os.path.realpath(path) if path and uri.startswith("file:") else uri

    def uri_of(self, path: str) -> str:
        """The address of a file of the open folder or of the library."""
        if path not in self.space.texts and (
            shipped := editing.shipped_file(path, self.space.text(path))
        ):
            path = str(shipped)
        return uris.from_fs_path(path) or path

    def lines_of(self, path: str) -> list[str]:
        """The lines of a file of the open folder or of the library."""
        return self.space.text(path).split("\n")

    def place(self, params: PositionParams) -> tuple[str, int, int]:
        """The path, the line and the column of a place in the protocol."""
        path = self.path_of(params.text_document.uri)
        return path, *from_position(self.lines_of(path), params.position)

    def location(self, span: hr.diagnostics.Span) -> lsp.Location:
        """A place in a file."""
        return lsp.Location(self.uri_of(span.file), to_range(self.lines_of(span.file), span))

    def changed(self, path: str, text: str) -> None:
        """Take the text of a document as it is now, show what is malformed in it, and check its rulesets soon."""
        self.space.open(path, text)
        if path.endswith(".rules"):
            self.publish(path)
            self._later(("edit", path), SHORT_WAIT, self._check_edit)
        for head in self.space.heads_for(path):
            self.check_later(head)
        if path.endswith(".md"):
            self.play_cases_later(path)

    def closed(self, path: str) -> None:
        """Read a file from the disk again when its document is closed; forget one that is not in the open folder."""
        self.opened.discard(path)
        text = text_of(Path(path), self.roots)
        if text is None:
            self._forget(path)
        elif text != self.space.texts.get(path):
            self.changed(path, text)

    def changed_on_disk(self, path: str) -> None:
        """Read a file again that another program changed, unless it is open."""
        if path not in self.opened and is_wanted(Path(path)):
            text = text_of(Path(path), self.roots)
            if text is not None:
                self.changed(path, text)
            else:
                self._forget(path)

    def _forget(self, path: str) -> None:
        """Remove a file, and check again the rulesets that it was a part of."""
        heads = self.space.heads_for(path)
        self.space.remove(path)
        self.publish_lines(path, [])
        if path in heads:  # its other files belong to no ruleset now
            for published in self._published:
                if published.endswith(".rules"):
                    self.publish(published)
        for head in heads:
            self.check_later(head)

    # ---------------------------------------------------------------- checks
    def check_later(self, head: str, wait: float = WAIT) -> None:
        """Check a ruleset once no change has come for a while."""
        self._later(("check", head), wait, self._check)

    def play_cases_later(self, path: str) -> None:
        """Play the cases of a file once no change has come for a while."""
        self._later(("play", path), 3 * WAIT, partial(self.play_cases, title=""))

    def _check_edit(self, path: str) -> None:
        """Check the declarations of a file that changed, and show the faults that they have by themselves."""
        job = editing.prepare_edit(self.space, path) if path in self.space.texts else None
        if job is not None:
            work = partial(editing.run_edit, job)
            self._in_worker(work, partial(self._edit_checked, job), self._edit_worker)
        else:
            self.publish(path)

    def _edit_checked(self, job: editing.EditJob, faults: tuple[Fault, ...]) -> None:
        """Show the faults of declarations that changed, unless the file has changed meanwhile."""
        if editing.accept_edit(self.space, job, faults):
            self.publish(job.path)

    def _later(self, key: tuple[str, str], wait: float, run: Callable[[str], object]) -> None:
        """Call `run` with the path in the key after some seconds; a later call with the same key replaces this one."""
        if due := self._due.pop(key, None):
            due.cancel()
        loop = asyncio.get_running_loop()
        self._due[key] = loop.call_later(wait, self._run, key, run)

    def _run(self, key: tuple[str, str], run: Callable[[str], object]) -> None:
        self._due.pop(key, None)
        run(key[1])

    def _check(self, head: str) -> None:
        """Check a ruleset in a worker, unless its files are gone."""
        if head in self.space.located():
            job = self.space.prepare(head)
            self._in_worker(partial(editing.run_check, job), partial(self._checked, head))

    def _checked(self, head: str, done: editing.CheckDone) -> None:
        """Show the faults of a check; what was typed meanwhile is checked again."""
        if head not in self.space.located():
            return
        stale = {path for path, text in done.job.texts.items() if self.space.text(path) != text}
        for path in self.space.accept(done):
            if path in stale:
                self._check_edit(path)
            else:
                self.publish(path)
        if stale:
            self.check_later(head)
        for path in self.opened:
            if path.endswith(".md"):
                self.play_cases_later(path)
        self._refresh()
        self._later(("collect", ""), IDLE, lambda _: collect())

    def _refresh(self) -> None:
        """Let the editor ask again for what depends on a check: hints and colours."""
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if (
            capabilities
            and capabilities.semantic_tokens
            and capabilities.semantic_tokens.refresh_support
        ):
            self.workspace_semantic_tokens_refresh(None)

    def play_cases(self, path: str, title: str) -> None:
        """Play the cases of a file, or the one with a title, and show the lines that do not hold."""
        try:
            sources, cases = editing.prepared(self.space, path, title)
        except hr.testing.BadCase as error:
            self.show_unmet(path, [hr.testing.UnmetLine(error.line, "", str(error))])
            return
        text = self.space.texts.get(path)
        work = partial(self.cases.unmet, sources, path, cases)
        self._in_worker(work, partial(self._played, path, text))

    def _played(self, path: str, text: str | None, unmet: list[hr.testing.UnmetLine]) -> None:
        """Show the lines of cases that do not hold, unless the file has changed meanwhile."""
        if self.space.texts.get(path) == text:
            self.show_unmet(path, unmet)

    def show_unmet(self, path: str, unmet: list[hr.testing.UnmetLine]) -> None:
        """Show the lines of cases that do not hold."""
        self.unmet_lines[path] = unmet
        lines = self.lines_of(path)
        self.publish_lines(path, [_unmet_diagnostic(line, lines) for line in unmet])

    def _in_worker(
        self,
        work: Callable[[], Result],
        take: Callable[[Result], object],
        worker: ThreadPoolExecutor | None = None,
    ) -> None:
        """Run something in a worker, and take its result in this thread."""
        loop = asyncio.get_running_loop()

        def done(future: Future[Result]) -> None:
            if future.cancelled():
                return
            if error := future.exception():
                log.error("a check failed", exc_info=error)
            else:
                loop.call_soon_threadsafe(take, future.result())

        (worker or self._check_worker).submit(work).add_done_callback(done)

    # ---------------------------------------------------------------- faults
    def publish(self, path: str) -> None:
        """Show the faults of a file of the open folder."""
        lines = self.lines_of(path)
        faults = self.space.faults(path) if path in self.space.texts else ()
        self.publish_lines(path, [self._diagnostic(fault, lines) for fault in faults])

    def publish_lines(self, path: str, diagnostics: list[lsp.Diagnostic]) -> None:
        """Show the diagnostics of a file, unless the editor shows the same already."""
        if self._published.get(path, []) != diagnostics:
            self._published[path] = diagnostics
            # Not `uri_of`, which takes a file that is gone for one of the library.
            uri = uris.from_fs_path(path) or path
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))

    def _diagnostic(self, fault: Fault, lines: list[str]) -> lsp.Diagnostic:
        message = f"{fault.headline}\nhelp: {fault.help}" if fault.help else fault.headline
        related = [
            lsp.DiagnosticRelatedInformation(self.location(related.span), related.note or "here")
            for related in fault.related
            if related.span.file
        ]
        return lsp.Diagnostic(
            range=to_range(lines, fault.place),
            message=message,
            severity=lsp.DiagnosticSeverity.Error,
            code=fault.code,
            source="hots",
            related_information=related,
        )


def _unmet_diagnostic(unmet: hr.testing.UnmetLine, lines: list[str]) -> lsp.Diagnostic:
    """The diagnostic of a line of a case that does not hold, without its indent."""
    line = min(max(unmet.line, 1), len(lines))
    row = lines[line - 1]
    start = len(row) - len(row.lstrip()) + 1
    span = hr.diagnostics.Span("", line, start, line, len(row) + 1)
    return lsp.Diagnostic(
        range=to_range(lines, span),
        message=unmet.message,
        severity=lsp.DiagnosticSeverity.Error,
        code="case",
        source="hots",
    )
