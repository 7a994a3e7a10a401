"""The language server, as an editor meets it over standard streams."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from tests.needs import needs

needs("pygls")

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from hots_rules.cli.app import app
from hots_rules.rules.typed.operators import FUNCTIONS
from tests.lsp.editor import HOME, Editor

TRIED = 200 if os.environ.get("HYPOTHESIS_PROFILE") == "nightly" else 40
HOUSE = """ruleset house-1.0 "House"
  extends castle-run-1.0
amend rule winning castle-run-1.0§4 "Less wins."
  on kept(p) when points[p] > 5
    win p
"""
RULES, CASES = "castle-run.rules", "cases/castle-run.md"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a new game."""
    monkeypatch.chdir(tmp_path)
    assert 0 == CliRunner().invoke(app, ["new", "castle-run", "--template", "dice"]).exit_code
    return tmp_path / "castle-run"


def edit(folder: Path, steps: Callable[[Editor], Awaitable[None]]) -> None:
    """Do something in an editor that has a folder open."""

    async def run() -> None:
        async with Editor(folder) as editor:
            await steps(editor)

    asyncio.run(run())


def headlines(found: list[lsp.Diagnostic]) -> list[str]:
    return [one.message.partition("\n")[0] for one in found]


# ---------------------------------------------------------------- faults
@pytest.mark.thorough
def test_faults_come_and_go_while_one_types(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        editor.write(RULES, "at_risk += die", "at_rsk += die")
        fault, *_ = await editor.faults(RULES)
        assert "`at_rsk` is not a state variable" in fault.message
        assert "help: did you mean `at_risk`?" in fault.message
        assert "unknown-name" == fault.code
        assert editor.position(RULES, "at_rsk") == fault.range.start
        editor.write(RULES, "at_rsk += die", "at_risk += die")
        await editor.no_faults(RULES)

    edit(folder, steps)


@pytest.mark.thorough
def test_a_malformed_declaration_is_shown_alone_and_the_rest_keeps_its_answers(
    folder: Path,
) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        editor.write(
            RULES, "on thrown(die)\n    at_risk += die", "on thrown(die\n    at_risk += die"
        )
        (fault,) = await editor.faults(RULES)
        assert "malformed-text" == fault.code
        assert "define other" in await editor.hover(RULES, "other(turn)")
        assert "kept" in await editor.hover(RULES, "on kept(p)", "kept")
        assert "thrown" in await editor.completions(RULES, "instead of ")

    edit(folder, steps)


@pytest.mark.thorough
def test_a_fault_is_corrected_by_what_it_proposes(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        before = editor.texts[RULES]
        editor.write(RULES, "at_risk += die", "at_rsk += die")
        fault, *_ = await editor.faults(RULES)
        context = lsp.CodeActionContext([fault])
        params = lsp.CodeActionParams(editor.document(RULES), fault.range, context)
        (action,) = await editor.client.text_document_code_action_async(params)
        assert "write `at_risk`" == action.title
        assert [fault] == list(action.diagnostics)
        assert before == editor.applied(RULES, action.edit.changes[editor.uri(RULES)])

    edit(folder, steps)


@pytest.mark.thorough
def test_a_fault_in_an_edition_is_shown_where_it_is(folder: Path) -> None:
    house = HOUSE.replace("winning", "winnin")
    (folder.parent / "house.rules").write_text(house)

    async def steps(editor: Editor) -> None:
        editor.open("house.rules")
        found = await editor.faults("house.rules")
        assert "the ruleset below has no rule `winnin`" in headlines(found)

    edit(folder.parent, steps)


@pytest.mark.thorough
def test_the_faults_of_a_file_that_is_gone_are_shown_no_more(folder: Path) -> None:
    house = folder.parent / "house.rules"
    house.write_text(HOUSE.replace("winning", "winnin"))

    async def steps(editor: Editor) -> None:
        await editor.faults("house.rules")
        house.unlink()
        change = lsp.FileEvent(house.as_uri(), lsp.FileChangeType.Deleted)
        changes = lsp.DidChangeWatchedFilesParams([change])
        editor.client.workspace_did_change_watched_files(changes)
        await editor.no_faults("house.rules")

    edit(folder.parent, steps)


@pytest.mark.thorough
def test_a_file_shows_no_faults_once_its_ruleset_is_gone(tmp_path: Path) -> None:
    head = tmp_path / "fox.rules"
    head.write_text('ruleset fox-1.0 "Fox"\nplayers Fur\ntype Fur = Red | Grey\n')
    (tmp_path / "more.rules").write_text("define same = nothing\n")

    async def steps(editor: Editor) -> None:
        await editor.faults("more.rules")
        head.unlink()
        change = lsp.FileEvent(head.as_uri(), lsp.FileChangeType.Deleted)
        changes = lsp.DidChangeWatchedFilesParams([change])
        editor.client.workspace_did_change_watched_files(changes)
        await editor.no_faults("more.rules")

    edit(tmp_path, steps)


@pytest.mark.thorough
def test_a_ruleset_of_the_library_is_extended_without_its_files_in_the_folder(
    tmp_path: Path,
) -> None:
    house = 'ruleset house-1.0 "House"\n  extends hots-4.0\namend define combat_rounds = 4  hots-4.0§5.1\n'
    (tmp_path / "house.rules").write_text(house)

    async def steps(editor: Editor) -> None:
        editor.open("house.rules")
        await editor.checked("house.rules")
        shown = await editor.hover("house.rules", "combat_rounds")
        assert "house-1.0, in place of hots-4.0" in shown
        params = lsp.DefinitionParams(
            editor.document("house.rules"), editor.position("house.rules", "combat_rounds")
        )
        places = await editor.client.text_document_definition_async(params)
        assert ["house.rules", "battles.rules"] == [one.uri.rpartition("/")[2] for one in places]
        assert [] == editor.shown.get(editor.uri("house.rules"), [])

    edit(tmp_path, steps)


# ---------------------------------------------------------------- names
@pytest.mark.thorough
def test_a_hover_shows_the_sentence_the_section_and_the_edition(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        shown = await editor.hover(RULES, "rule winning", "winning")
        assert "**rule winning** · §4 · castle-run-1.0" in shown
        assert "“Whoever has enough points wins.”" in shown
        assert "on kept(p) when points[p] >= target" in shown
        assert "the-other-throws" not in shown
        assert "its type: a number of 10..50" in await editor.hover(
            RULES, ">= target\n    win", "target"
        )
        assert "§4 The end · castle-run-1.0" == await editor.hover(RULES, "winning §4", "§4")
        assert "a value of `Player`" in await editor.hover(RULES, "p = Ann", "Ann")

    edit(folder, steps)


COMPLETED: tuple[tuple[str, set[str], set[str]], ...] = (
    ("define x = tar", {"target"}, {"throw"}),
    ('rule y §1 "Y."\n  forbid ', {"throw", "keep"}, {"thrown", "target"}),
    ('rule y §1 "Y."\n  on ', {"thrown", "kept"}, {"throw"}),
    ('rule y §1 "Y."\n  exception to ', {"winning", "adding-up"}, {"throw"}),
    ("rule y §", {"§1", "§4"}, {"winning"}),
    ('phase z §1 "Z."\n  choose turn: ', {"throw", "keep"}, {"kept"}),
    ("define w: ", {"Player", "bool"}, {"throw"}),
    ("define v(who: Player) = who = ", {"who", "Ann"}, {"throw"}),
    ('phase q(n: 1..6) §1 "Q."\n  at', {"at_risk"}, {"throw"}),
    ("# tar", set(), {"target"}),
    ("act", {"action"}, {"target"}),
    ("", {"action", "rule"}, {"", "target"}),
    ("ruleset ", set(), {"and", "target"}),
    ("players ", {"Player"}, {"bool", "and", "Ann"}),
    ("type ", set(), {"and", "Player"}),
    ("table t §1 (a: ", {"Player", "set of"}, {"Ann", "and"}),
    ("table t §1 (a: 1..2, b: set of Player)\n  row 1 Ann+", {"Ben"}, {"points", "and"}),
    ("state\n  ", set(), {"add", "points"}),
    ("state\n  x[", {"Player"}, {"Ann"}),
    ("state\n  x : Player = ", {"Ann"}, {"add"}),
    ("secret ", {"points", "Player"}, {"and", "Ann"}),
    ("secret points[p] ", {"known"}, {"points"}),
    ("map ", {"points"}, {"Player", "and"}),
    ("define x = points[", {"Ann"}, {"Player", "choose"}),
    ("define ", set(), {"points", "and"}),
    ("repeal rule ", {"winning"}, {"throw"}),
    ('action y §1 "Y."\n  permit ', {"when"}, {"throw"}),
    ('rule y §1 "Y."\n  permit ', {"throw"}, {"thrown"}),
    ('phase z §1 "Z."\n  win ', {"Ann"}, {"throw", "Player"}),
    ("label ", {"en", "fr"}, {"points"}),
    ("label en\n  action ", {"throw"}, {"thrown", "points"}),
    ('label en\n  event thrown = "{', {"die"}, {"points"}),
    ('rule y §1 "Y."\n  forbid keep\n    because "{', {"actor", "points"}, {"keep"}),
)


def test_completion_offers_what_may_stand_there(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        text = editor.texts[RULES]
        for written, expected, absent in COMPLETED:
            editor.rewrite(RULES, f"{text}{written}")
            found = set(await editor.completions(RULES, editor.texts[RULES]))
            assert (set(), set()) == (expected - found, absent & found), written

    edit(folder, steps)


COMPLETED_CASES: tuple[tuple[str, set[str], set[str]], ...] = (
    ("", {"like:", "play:", "expect:"}, {"legal:"}),
    ("like: ", {"scenario start", "end"}, {"like:"}),
    ("like: scenario start\nplay:\n  ", {"Ann: throw"}, {"Ben: throw", "play:"}),
    ("like: scenario start\nplay:\n  Ann: throw\n  ch", {"chance: roll 5"}, {"Ann: throw"}),
    ("like: scenario start\nexpect:\n  ", {"legal:", "phase:"}, {"like:"}),
    ("like: scenario start\nexpect:\n  legal: A", {"Ann: throw"}, {"legal:"}),
    (
        "like: scenario start\nexpect:\n  illegal: Ann: keep because no",
        {"nothing-to-keep"},
        {"phase:"},
    ),
    ("like: scenario start\nexpect:\n  state: at", {"at_risk"}, {"points"}),
    ("like: scenario start\n```\n  ", set(), {"like:", "Ann: throw"}),
)


@pytest.mark.thorough
def test_completion_in_a_case_offers_its_parts_and_the_legal_actions(folder: Path) -> None:
    (folder / "cases/positions").mkdir()
    (folder / "cases/positions/end.txt").write_text("at_risk 5\n")

    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        editor.open(CASES)
        text = editor.texts[CASES]
        editor.rewrite(CASES, text.replace("at_risk 5", "at_risk 4", 1))
        await editor.faults(CASES)  # the ruleset has been played
        for written, expected, absent in COMPLETED_CASES:
            editor.rewrite(CASES, f"{text}\n## One more\n```case\n{written}")
            found = set(await editor.completions(CASES, editor.texts[CASES]))
            assert (set(), set()) == (expected - found, absent & found), written

    edit(folder, steps)


@pytest.mark.thorough
def test_definition_and_references_go_through_the_editions(folder: Path) -> None:
    house = HOUSE
    (folder.parent / "house.rules").write_text(house)
    rules = f"castle-run/{RULES}"

    async def steps(editor: Editor) -> None:
        editor.open(rules)
        editor.open("house.rules")
        await editor.checked("house.rules")
        place = editor.position("house.rules", "winning")
        document = editor.document("house.rules")
        defined = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(document, place)
        )
        assert [editor.uri("house.rules"), editor.uri(rules)] == [one.uri for one in defined]
        used = await editor.client.text_document_references_async(
            lsp.ReferenceParams(
                context=lsp.ReferenceContext(False),
                text_document=editor.document(rules),
                position=editor.position(rules, "points[Player]"),
            )
        )
        assert {editor.uri("house.rules"), editor.uri(rules)} == {one.uri for one in used}
        assert editor.texts[rules].count("points[") - 1 + 1 == len(used)

    edit(folder.parent, steps)


@pytest.mark.thorough
def test_a_rename_changes_a_name_in_all_editions_and_nothing_else(folder: Path) -> None:
    house = HOUSE
    (folder.parent / "house.rules").write_text(house)
    rules = f"castle-run/{RULES}"

    async def steps(editor: Editor) -> None:
        editor.open(rules)
        editor.open("house.rules")
        await editor.checked("house.rules")
        await editor.checked(rules)
        place = editor.position(rules, "points[Player]")
        params = lsp.RenameParams(editor.document(rules), place, "score")
        found = await editor.client.text_document_rename_async(params)
        for name in (rules, "house.rules"):
            after = editor.applied(name, list(found.changes[editor.uri(name)]))
            assert "points[" not in after
            assert after.count("score") == editor.texts[name].count("points[")
            editor.rewrite(name, after)
        await editor.no_faults(rules)
        await editor.no_faults("house.rules")

    edit(folder.parent, steps)


def test_a_rename_changes_cases_and_positions_too(folder: Path) -> None:
    (folder / "positions").mkdir()
    position = folder / "positions" / "late.txt"
    position.write_text("Ann: points 5\n", "utf-8")

    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        editor.open(CASES)
        await editor.checked(RULES)
        params = lsp.RenameParams(
            editor.document(RULES), editor.position(RULES, "points[Player]"), "score"
        )
        found = await editor.client.text_document_rename_async(params)
        edits = found.changes[position.as_uri()]
        assert [("score", 5)] == [(one.new_text, one.range.start.character) for one in edits]
        for name in (CASES, RULES):
            editor.rewrite(name, editor.applied(name, list(found.changes[editor.uri(name)])))
        assert "Ann: points" not in editor.texts[CASES]
        assert "  state: Ann: score 5\n" in editor.texts[CASES]
        await editor.no_faults(RULES)
        await editor.no_faults(CASES)

    edit(folder, steps)


@pytest.mark.thorough
def test_the_parameters_of_a_call_are_shown_while_it_is_written(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)

        async def shown(text: str) -> lsp.SignatureHelp | None:
            at = editor.position_at(RULES, editor.texts[RULES].index(text) + len(text))
            params = lsp.SignatureHelpParams(editor.document(RULES), at)
            return await editor.client.text_document_signature_help_async(params)

        found = await shown("other(")
        assert found is not None
        assert ["other(p: Player)"] == [one.label for one in found.signatures]
        for name in FUNCTIONS:
            editor.write(RULES, "at_risk += die", f"at_risk += {name}(")
            found = await shown(f"at_risk += {name}(")
            assert found is not None
            (one,) = found.signatures
            assert one.label.startswith(f"{name}(") and one.documentation
            assert len(one.parameters) == FUNCTIONS[name].arity
            editor.write(RULES, f"at_risk += {name}(", "at_risk += die")
        editor.write(RULES, "at_risk += die", "points[other(")
        found = await shown("points[other(")
        assert found is not None
        assert 0 == found.active_parameter
        assert await shown("ruleset ") is None

    edit(folder, steps)


@pytest.mark.thorough
def test_calls_have_a_hierarchy(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        place = editor.position(RULES, "other(p: Player)")
        (item,) = await editor.client.text_document_prepare_call_hierarchy_async(
            lsp.CallHierarchyPrepareParams(editor.document(RULES), place)
        )
        callers = await editor.client.call_hierarchy_incoming_calls_async(
            lsp.CallHierarchyIncomingCallsParams(item)
        )
        assert callers
        back = await editor.client.call_hierarchy_outgoing_calls_async(
            lsp.CallHierarchyOutgoingCallsParams(callers[0].from_)
        )
        assert "other" in [one.to.name for one in back]
        assert all(one.from_ranges for one in back)

    edit(folder, steps)


REFUSED = (
    ("points[Player]", "target", "is taken"),
    ("points[Player]", "while", "cannot be a name"),
    ("points[Player]", "a b", "cannot be a name"),
    ("§2", "§3", "not renamed here"),
)


@pytest.mark.thorough
def test_a_rename_that_would_do_harm_is_refused(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        for name, new, said in REFUSED:
            params = lsp.RenameParams(editor.document(RULES), editor.position(RULES, name), new)
            with pytest.raises(JsonRpcException, match=said):
                await editor.client.text_document_rename_async(params)

    edit(folder, steps)


@pytest.mark.thorough
def test_a_local_name_is_renamed_in_its_declaration_alone(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        place = editor.position(RULES, "other(p: Player)", "p:")
        params = lsp.RenameParams(editor.document(RULES), place, "who")
        found = await editor.client.text_document_rename_async(params)
        after = editor.applied(RULES, list(found.changes[editor.uri(RULES)]))
        changed = [
            new
            for old, new in zip(editor.texts[RULES].split("\n"), after.split("\n"), strict=True)
            if old != new
        ]
        assert ["define other(who: Player): Player = if who = Ann then Ben else Ann"] == changed

    edit(folder, steps)


# ---------------------------------------------------------------- files
@pytest.mark.thorough
def test_the_outline_the_folds_and_the_colours_of_a_file(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        document = editor.document(RULES)
        outline = await editor.client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(document)
        )
        names = [one.name for one in outline]
        assert {"castle-run-1.0", "throw", "winning", "start"} <= set(names)
        state = next(one for one in outline if one.name == "state")
        assert ["throws", "turn", "points", "at_risk"] == [one.name for one in state.children]
        folds = await editor.client.text_document_folding_range_async(
            lsp.FoldingRangeParams(document)
        )
        lines = editor.texts[RULES].split("\n")
        assert "state" in [lines[fold.start_line] for fold in folds]
        assert all(lines[fold.end_line].strip() for fold in folds)
        tokens = await editor.client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        )
        legend = editor.server.semantic_tokens_provider.legend.token_types
        words: dict[str, set[str]] = {}
        line = character = 0
        for down, right, size, kind, _ in zip(*[iter(tokens.data)] * 5, strict=True):
            character = right + (0 if down else character)
            line += down
            words.setdefault(lines[line][character : character + size], set()).add(legend[kind])
        assert {"variable"} == words["at_risk"]
        assert {"enumMember"} == words["Ann"]
        assert {"parameter"} == words["p"]
        assert {"method"} == words["winning"]

    edit(folder, steps)


@pytest.mark.thorough
def test_a_file_is_formatted_as_the_command_does(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        wide = (
            (folder / RULES)
            .read_text("utf-8")
            .replace("type Player = Ann | Ben", "type   Player=Ann|Ben")
        )
        editor.open(RULES, wide)
        params = lsp.DocumentFormattingParams(
            editor.document(RULES), lsp.FormattingOptions(2, True)
        )
        edits = await editor.client.text_document_formatting_async(params)
        assert (folder / RULES).read_text("utf-8") == editor.applied(RULES, list(edits))
        assert 1 == len(edits)

    edit(folder, steps)


def test_hints_show_types_and_what_an_amendment_replaces(folder: Path) -> None:
    house = HOUSE
    (folder.parent / "house.rules").write_text(house)

    async def steps(editor: Editor) -> None:
        editor.open("house.rules")
        await editor.checked("house.rules")
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
        params = lsp.InlayHintParams(editor.document("house.rules"), whole)
        (hint,) = await editor.client.text_document_inlay_hint_async(params)
        assert "  replaces castle-run-1.0 §4: Whoever has enough points wins." == hint.label
        lenses = await editor.client.text_document_code_lens_async(
            lsp.CodeLensParams(editor.document("house.rules"))
        )
        titles = [one.command.title for one in lenses]
        assert "differs from castle-run-1.0: show" in titles
        shown = await editor.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams("hots.differs", arguments=lenses[-1].command.arguments)
        )
        assert "points[p] >= target" in shown
        assert "points[p] > 5" in shown

    edit(folder.parent, steps)


# ---------------------------------------------------------------- cases
@pytest.mark.thorough
def test_a_line_of_a_case_that_does_not_hold_is_shown_and_accepted(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        editor.open(CASES)
        editor.write(RULES, "at_risk += die", "at_risk += 1")
        found = await editor.faults(CASES)
        assert "expected at_risk of the game to be 5, got 1" in headlines(found)
        first = found[0]
        params = lsp.CodeActionParams(
            editor.document(CASES), first.range, lsp.CodeActionContext([first])
        )
        (action,) = await editor.client.text_document_code_action_async(params)
        assert "accept the new answer: state: at_risk 1" == action.title
        after = editor.applied(CASES, action.edit.changes[editor.uri(CASES)])
        assert editor.texts[CASES].replace("state: at_risk 5", "state: at_risk 1", 1) == after
        editor.write(RULES, "at_risk += 1", "at_risk += die")
        await editor.no_faults(CASES)

    edit(folder, steps)


@pytest.mark.thorough
def test_cases_have_a_lens_to_run_them(folder: Path) -> None:
    async def steps(editor: Editor) -> None:
        editor.open(CASES)
        lenses = await editor.client.text_document_code_lens_async(
            lsp.CodeLensParams(editor.document(CASES))
        )
        assert 14 == len(lenses)
        assert {"run this case", "debug"} == {one.command.title for one in lenses}
        debug = lenses[1].command
        assert "hots.debug" == debug.command
        path, title = debug.arguments
        done = CliRunner().invoke(app, ["debug", path, "--case", title], input="step\n")
        assert 0 == done.exit_code, done.output
        assert "debug> step\n   1  " in done.output
        rules = await editor.client.text_document_code_lens_async(
            lsp.CodeLensParams(editor.document(RULES))
        )
        assert ["7 cases", "play from here"] == [one.command.title for one in rules]
        path, scenario = rules[1].command.arguments
        done = CliRunner().invoke(app, ["repl", path, "--scenario", scenario], input="quit\n")
        assert 0 == done.exit_code, done.output

    edit(folder, steps)


# ---------------------------------------------------------------- what it never does
@pytest.mark.thorough
def test_nothing_outside_the_open_folder_and_the_library_is_read_or_written(folder: Path) -> None:
    """An audit hook in the server notes each file that it opens once it has started."""
    (folder.parent / "secret.rules").write_text('ruleset secret-1.0 "Secret"\n')
    (folder / "link.rules").symlink_to(folder.parent / "secret.rules")
    log = folder.parent / "log.txt"
    hook = f"""
import sys, os
log = os.open({str(log)!r}, os.O_WRONLY | os.O_CREAT)
def note(event, args):
    if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove") and args:
        os.write(log, f"{{event}} {{args[0]}}\\n".encode())
sys.addaudithook(note)
from hots_rules.cli import main
sys.argv = ["hots", "lsp"]
main()
"""

    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        editor.open(CASES)
        await editor.checked(RULES)
        editor.write(RULES, "at_risk += die", "at_risk += 1")
        await editor.faults(CASES)
        symbols = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("secret"))
        assert not symbols

    async def run() -> None:
        async with Editor(folder, [sys.executable, "-P", "-c", hook], cache="") as editor:
            await steps(editor)

    asyncio.run(run())
    touched = {line.partition(" ")[2] for line in log.read_text().splitlines()}
    allowed = (str(folder), str(HOME), sys.prefix, sys.base_prefix, *SYSTEM)
    outside = {one for one in touched if one.startswith("/") and not one.startswith(allowed)}
    assert set() == outside
    assert str(folder / RULES) in touched


SYSTEM = ("/dev/null", "/proc/", "/usr/", "/etc/", "/sys/")


@pytest.mark.thorough
def test_no_random_change_of_a_text_ends_the_server(folder: Path) -> None:
    """Parts of the text are taken out, doubled and mixed; afterwards the server still answers."""
    chance = Random(19)

    async def steps(editor: Editor) -> None:
        editor.open(RULES)
        await editor.checked(RULES)
        text = editor.texts[RULES]
        for _ in range(TRIED):
            one, two = sorted(chance.randrange(len(editor.texts[RULES]) + 1) for _ in range(2))
            now = editor.texts[RULES]
            part = now[one : one + chance.randrange(40)]
            other = chance.choice(["", part * 2, "(", '"', "§", "\n  "])
            editor.rewrite(RULES, now[:one] + other + now[min(two, one + 9) :])
            document = editor.document(RULES)
            place = lsp.Position(chance.randrange(70), chance.randrange(40))
            await editor.client.text_document_hover_async(lsp.HoverParams(document, place))
            await editor.client.text_document_completion_async(
                lsp.CompletionParams(document, place)
            )
            await editor.client.text_document_semantic_tokens_full_async(
                lsp.SemanticTokensParams(document)
            )
            await editor.client.text_document_document_symbol_async(
                lsp.DocumentSymbolParams(document)
            )
            await editor.client.text_document_definition_async(
                lsp.DefinitionParams(document, place)
            )
            await editor.client.text_document_signature_help_async(
                lsp.SignatureHelpParams(document, place)
            )
            await editor.client.text_document_code_lens_async(lsp.CodeLensParams(document))
            items = await editor.client.text_document_prepare_call_hierarchy_async(
                lsp.CallHierarchyPrepareParams(document, place)
            )
            for item in items or ():
                await editor.client.call_hierarchy_incoming_calls_async(
                    lsp.CallHierarchyIncomingCallsParams(item)
                )
                await editor.client.call_hierarchy_outgoing_calls_async(
                    lsp.CallHierarchyOutgoingCallsParams(item)
                )
        editor.rewrite(RULES, text)
        await editor.no_faults(RULES)
        assert "define other" in await editor.hover(RULES, "other(turn)")
        if (status := Path(f"/proc/{editor.process}/status")).exists():
            peak = next(row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
            assert int(peak.split()[1]) < 512 * 1024

    edit(folder, steps)
