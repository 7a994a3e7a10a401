"""Recorded runs of an author at work, played to the language server sign by sign by pytest-lsp, as VS Code would.

Each line of a file in `editing_runs` is a step: what is typed (`\\b` takes a sign back), asked or expected.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.needs import needs

pytest_lsp = needs("pytest_lsp")

from lsprotocol import types as lsp

from hots_rules.cli.app import app
from tests.folders import TESTS
from tests.lsp.editor import HOME, PATIENCE, Editor

pytestmark = pytest.mark.thorough

RUNS = sorted((TESTS / "editing_runs").glob("*.jsonl"))
MAX_MEMORY = 512 * 1024  # kB of the server
SERVER = pytest_lsp.ClientServerConfig(
    server_command=[sys.executable, "-m", "hots_rules.cli", "lsp"],
    server_env=os.environ | {"PYTHONPATH": str(HOME)},
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game."""
    monkeypatch.chdir(tmp_path)
    assert 0 == CliRunner().invoke(app, ["new", "castle-run", "--template", "dice"]).exit_code
    return tmp_path / "castle-run"


@asynccontextmanager
async def client_in(folder: Path) -> AsyncIterator[pytest_lsp.LanguageClient]:
    """A client that has opened a folder; its server ends with it."""
    client = await SERVER.start()
    for asked in (lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH, lsp.WORKSPACE_INLAY_HINT_REFRESH):
        client.feature(asked)(lambda *_: None)
    await client.initialize_session(
        lsp.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
            workspace_folders=[lsp.WorkspaceFolder(uri=folder.as_uri(), name="game")],
        )
    )
    try:
        yield client
    finally:
        await client.shutdown_session()
        await client.stop()


class Run(Editor):
    """An editor in which one types at a place; the client is that of pytest-lsp."""

    def __init__(self, client: pytest_lsp.LanguageClient, folder: Path) -> None:
        super().__init__(folder)
        self.client = client
        self.shown = client.diagnostics
        self.name, self.at = "", 0

    async def faults(self, name: str, until: Any = bool) -> list[lsp.Diagnostic]:
        while not until(found := list(self.client.diagnostics.get(self.uri(name), []))):
            await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return found

    def type(self, text: str) -> None:
        """Type signs, each a change of its own."""
        for sign in text:
            start = self.at - (sign == "\b")
            new = "" if sign == "\b" else sign
            part = lsp.Range(
                self.position_at(self.name, start), self.position_at(self.name, self.at)
            )
            self.change(self.name, lsp.TextDocumentContentChangePartial(range=part, text=new))
            now = self.texts[self.name]
            self.texts[self.name] = now[:start] + new + now[self.at :]
            self.at = start + len(new)

    async def step(self, step: dict[str, Any]) -> None:
        if "create" in step:
            self.name = step["create"]
            (self.folder / self.name).parent.mkdir(exist_ok=True)
            self.open(self.name, step["text"])
            self.at = len(step["text"])
        if "open" in step:
            self.name = step["open"]
            self.open(self.name)
            await self.checked(self.name)
        if "after" in step:
            assert 1 == self.texts[self.name].count(step["after"]), step
            self.at = self.texts[self.name].index(step["after"]) + len(step["after"])
        self.type(step.get("type", ""))
        await self.expect(step)

    async def expect(self, step: dict[str, Any]) -> None:
        document, here = self.document(self.name), self.position_at(self.name, self.at)
        if "shows" in step:
            codes = step["shows"]
            await self.faults(self.name, lambda found: codes == [one.code for one in found])
        if "complete" in step:
            found = await self.client.text_document_completion_async(
                lsp.CompletionParams(document, here)
            )
            assert step["complete"] in ["", *(one.label for one in found.items)]
        if "hover" in step:
            await asyncio.wait_for(self.sees(step["hover"], step["says"]), PATIENCE)
        if "signature" in step:
            at = self.texts[self.name].index(step["signature"]) + len(step["signature"])
            params = lsp.SignatureHelpParams(document, self.position_at(self.name, at))
            help_ = await self.client.text_document_signature_help_async(params)
            assert [step["says"]] == [one.label for one in help_.signatures]
        if "fix" in step:
            await self.fix(step["fix"])
        if "symbols" in step:
            found = await self.client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(self.document("castle-run.rules"))
            )
            assert step["symbols"] in [one.name for one in found]
        if "lens" in step:
            lenses = await self.client.text_document_code_lens_async(lsp.CodeLensParams(document))
            assert step["lens"] in [one.command.title for one in lenses]

    async def sees(self, text: str, says: str) -> None:
        """Point at a text until some words are shown: a new declaration is known once its ruleset is checked."""
        while says not in await self.hover(self.name, text):
            await asyncio.sleep(0.05)

    async def fix(self, text: str) -> None:
        (fault,) = await self.faults(self.name)
        params = lsp.CodeActionParams(
            self.document(self.name), fault.range, lsp.CodeActionContext([fault])
        )
        actions = await self.client.text_document_code_action_async(params)
        edits = [
            edit
            for action in actions
            for edit in action.edit.changes[self.uri(self.name)]
            if edit.new_text == text
        ]
        self.rewrite(self.name, self.applied(self.name, edits[:1]))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_an_author_at_work_is_answered(folder: Path, path: Path) -> None:
    asyncio.run(asyncio.wait_for(played_to_a_server(folder, path), PATIENCE))


async def played_to_a_server(folder: Path, path: Path) -> None:
    """Play a recorded run, and assert that the server logs no error and stays small."""
    async with client_in(folder) as client:
        run = Run(client, folder)
        for line in path.read_text("utf-8").splitlines():
            await run.step(json.loads(line))

        assert not [log for log in client.log_messages if log.type == lsp.MessageType.Error]
        status = Path(f"/proc/{client._server.pid}/status")
        if status.exists():
            peak = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
            assert int(peak.split()[1]) < MAX_MEMORY
