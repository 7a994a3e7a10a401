"""An editor for tests of the language server: a client of pygls that speaks to `hots lsp` over standard streams."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.folders import HOME

PATIENCE = 120  # seconds that a slow machine may take


class Editor:
    """An open folder in an editor; `async with` starts the server and ends it."""

    def __init__(
        self, folder: Path, command: list[str] | None = None, cache: str | None = None
    ) -> None:
        self.folder = folder
        self.cache = os.environ.get("HOTS_RULES_CACHE", "") if cache is None else cache
        self.command = command or [sys.executable, "-m", "hots_rules.cli", "lsp"]
        self.client = LanguageClient("test", "1")
        self.shown: dict[str, list[lsp.Diagnostic]] = {}
        self.news = asyncio.Event()
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.shown[params.uri] = list(params.diagnostics)
            self.news.set()

    async def __aenter__(self) -> Editor:
        environment = os.environ | {"PYTHONPATH": str(HOME), "HOTS_RULES_CACHE": self.cache}
        await self.client.start_io(*self.command, env=environment)
        self.process = self.client._server.pid
        known = lsp.ClientCapabilities(general=lsp.GeneralClientCapabilities())
        folder = lsp.WorkspaceFolder(uri=self.folder.as_uri(), name="game")
        params = lsp.InitializeParams(
            capabilities=known,
            workspace_folders=[folder],
            initialization_options={"terminal": True},
        )
        self.server = (await self.client.initialize_async(params)).capabilities
        self.client.initialized(lsp.InitializedParams())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            await asyncio.wait_for(self.client.shutdown_async(None), PATIENCE)
        self.client.exit(None)
        await self.client.stop()

    # ---------------------------------------------------------------- texts
    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str, text: str | None = None) -> None:
        """Open a file with its text on the disk, or another one."""
        self.texts[name] = (self.folder / name).read_text("utf-8") if text is None else text
        self.versions[name] = 1
        item = lsp.TextDocumentItem(self.uri(name), "rules", 1, self.texts[name])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def write(self, name: str, old: str, new: str) -> None:
        """Replace a part of an open text as an editor does, by a change of that part."""
        text = self.texts[name]
        assert 1 == text.count(old), (old, text.count(old))
        at = text.index(old)
        part = lsp.Range(self.position_at(name, at), self.position_at(name, at + len(old)))
        self.change(name, lsp.TextDocumentContentChangePartial(range=part, text=new))
        self.texts[name] = text.replace(old, new)

    def rewrite(self, name: str, text: str) -> None:
        """Replace an open text as a whole."""
        self.change(name, lsp.TextDocumentContentChangeWholeDocument(text=text))
        self.texts[name] = text

    def change(self, name: str, change: lsp.TextDocumentContentChangeEvent) -> None:
        self.versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def close(self, name: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document(name)))

    def position_at(self, name: str, at: int) -> lsp.Position:
        before = self.texts[name][:at]
        row = before.rpartition("\n")[2]
        return lsp.Position(before.count("\n"), len(row.encode("utf-16-le")) // 2)

    def position(self, name: str, text: str, inside: str = "") -> lsp.Position:
        """The place of a text, or of a part of it."""
        at = self.texts[name].index(text)
        return self.position_at(name, at + (text.index(inside) if inside else 0))

    # ---------------------------------------------------------------- answers
    async def faults(
        self, name: str, until: Callable[[list[lsp.Diagnostic]], bool] = bool
    ) -> list[lsp.Diagnostic]:
        """What is shown in a file, once it is as a test expects."""

        async def wait() -> list[lsp.Diagnostic]:
            while not until(found := self.shown.get(self.uri(name), [])):
                self.news.clear()
                await self.news.wait()
            return found

        try:
            return await asyncio.wait_for(wait(), PATIENCE)
        except TimeoutError:
            raise AssertionError(f"still shown: {self.shown.get(self.uri(name))}") from None

    async def no_faults(self, name: str) -> None:
        """Wait until nothing is shown in a file any more."""
        await self.faults(name, until=lambda found: not found)

    async def checked(self, name: str) -> None:
        """Wait until the ruleset of a file was checked: its colours come from what was found."""

        async def wait() -> None:
            params = lsp.WorkspaceSymbolParams("")
            while not await self.client.workspace_symbol_async(params):
                await asyncio.sleep(0.05)
            request = lsp.InlayHintParams(
                self.document(name), lsp.Range(lsp.Position(0, 0), lsp.Position(9999, 0))
            )
            while not await self.client.text_document_inlay_hint_async(request):
                await asyncio.sleep(0.05)

        await asyncio.wait_for(wait(), PATIENCE)

    async def hover(self, name: str, text: str, inside: str = "") -> str:
        """What is shown about a name."""
        params = lsp.HoverParams(self.document(name), self.position(name, text, inside))
        found = await self.client.text_document_hover_async(params)
        return "" if found is None else found.contents.value

    async def completions(self, name: str, text: str) -> list[str]:
        """The words that may stand behind a text."""
        at = self.position_at(name, self.texts[name].index(text) + len(text))
        params = lsp.CompletionParams(self.document(name), at)
        found = await self.client.text_document_completion_async(params)
        return [item.label for item in found.items]

    def applied(self, name: str, edits: list[lsp.TextEdit]) -> str:
        """An open text after some changes."""
        lines = self.texts[name].split("\n")

        def offset(place: lsp.Position) -> int:
            before = sum(len(line) + 1 for line in lines[: place.line])
            row = lines[place.line] if place.line < len(lines) else ""
            return before + len(row.encode("utf-16-le")[: place.character * 2].decode("utf-16-le"))

        text = self.texts[name]
        for edit in sorted(edits, key=lambda one: offset(one.range.start), reverse=True):
            text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
        return text
