"""The requests of an editor, each answered from the workspace."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Mapping
from functools import wraps
from itertools import islice
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

import hots_rules as hr
from hots_rules import editing
from hots_rules.lsp.positions import to_position, to_range
from hots_rules.lsp.server import NAME, RulesServer

Params = TypeVar("Params")
Result = TypeVar("Result")
log = logging.getLogger(NAME)

KINDS = {
    "ruleset": lsp.SymbolKind.Package,
    "rule": lsp.SymbolKind.Method,
    "action": lsp.SymbolKind.Function,
    "event": lsp.SymbolKind.Event,
    "phase": lsp.SymbolKind.Function,
    "stage": lsp.SymbolKind.Function,
    "define": lsp.SymbolKind.Function,
    "variable": lsp.SymbolKind.Variable,
    "state": lsp.SymbolKind.Struct,
    "table": lsp.SymbolKind.Class,
    "type": lsp.SymbolKind.Enum,
    "value": lsp.SymbolKind.EnumMember,
    "scenario": lsp.SymbolKind.Module,
    "option": lsp.SymbolKind.Property,
    "reading": lsp.SymbolKind.Property,
    "invariant": lsp.SymbolKind.Boolean,
    "promise": lsp.SymbolKind.Boolean,
    "label": lsp.SymbolKind.String,
}
COMPLETIONS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "variable": lsp.CompletionItemKind.Variable,
    "local": lsp.CompletionItemKind.Variable,
    "define": lsp.CompletionItemKind.Function,
    "function": lsp.CompletionItemKind.Function,
    "action": lsp.CompletionItemKind.Function,
    "event": lsp.CompletionItemKind.Event,
    "phase": lsp.CompletionItemKind.Function,
    "stage": lsp.CompletionItemKind.Function,
    "rule": lsp.CompletionItemKind.Method,
    "type": lsp.CompletionItemKind.Class,
    "product": lsp.CompletionItemKind.Class,
    "value": lsp.CompletionItemKind.EnumMember,
    "column": lsp.CompletionItemKind.Field,
    "section": lsp.CompletionItemKind.Reference,
}
# The kinds of names as the kinds of tokens that editors colour.
TOKENS = {
    "type": "type",
    "table": "class",
    "product": "class",
    "value": "enumMember",
    "variable": "variable",
    "local": "parameter",
    "column": "property",
    "option": "property",
    "reading": "property",
    "define": "function",
    "action": "function",
    "event": "event",
    "phase": "function",
    "stage": "function",
    "rule": "method",
    "scenario": "namespace",
    "step": "label",
}
LEGEND = lsp.SemanticTokensLegend(sorted(set(TOKENS.values())), ["declaration"])
DIFFERS, RUN = "hots.differs", "hots.runCase"
MAX_SYMBOLS = 500  # that an editor is told for a search in all files


def log_errors(
    handler: Callable[[RulesServer, Params], Result | None],
) -> Callable[[RulesServer, Params], Result | None]:
    """A handler that writes an error to the log, and gives no answer, instead of raising it."""

    @wraps(handler)
    def run(server: RulesServer, params: Params) -> Result | None:
        try:
            return handler(server, params)
        except Exception:
            log.exception("no answer to a request")
            return None

    return run


def add_features(server: RulesServer) -> None:
    """Make a server answer all requests."""
    _add_texts(server)
    for method, handler in _HANDLERS.items():
        server.feature(method, _OPTIONS.get(method))(_bound(server, handler))
    server.command(DIFFERS)(lambda *arguments: _differs(server, arguments))
    server.command(RUN)(lambda *arguments: _run_case(server, arguments))


def _bound(
    server: RulesServer, handler: Callable[[RulesServer, Any], object]
) -> Callable[[Any], object]:
    """A handler of the requests to one server, as `pygls` takes it."""

    def answer(params: Any) -> object:
        return handler(server, params)

    return answer


# ------------------------------------------------------------------ texts
def _add_texts(server: RulesServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        server.has_terminal = isinstance(options, dict) and options.get("terminal") is True

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        folders = server.workspace.folders
        root = server.workspace.root_uri
        server.start(list(folders) or ([root] if root else []))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        path = server.path_of(params.text_document.uri)
        server.opened.add(path)
        server.changed(path, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        document = server.workspace.get_text_document(params.text_document.uri)
        server.changed(server.path_of(params.text_document.uri), document.source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.closed(server.path_of(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            server.changed_on_disk(server.path_of(change.uri))


# ------------------------------------------------------------------ names
@log_errors
def _hover(server: RulesServer, params: lsp.HoverParams) -> lsp.Hover | None:
    path, line, column = server.place(params)
    if (text_and_span := editing.hover(server.space, path, line, column)) is None:
        return None
    text, span = text_and_span
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, to_range(server.lines_of(path), span))


@log_errors
def _completion(server: RulesServer, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    path, line, column = server.place(params)
    if path.endswith(".md"):
        offered = editing.case_completions(server.space, server.cases, path, line, column)
    elif path.endswith(".rules"):
        offered = editing.completions(server.space, path, line, column)
    else:
        return None
    lines = server.lines_of(path)
    before = lines[line - 1][: column - 1]
    items = []
    for number, completion in enumerate(offered):
        start = to_position(lines, line, column - _typed_length(before, completion.text))
        edit = lsp.TextEdit(lsp.Range(start, params.position), completion.text)
        kind = COMPLETIONS.get(completion.kind, lsp.CompletionItemKind.Text)
        items.append(
            lsp.CompletionItem(
                completion.text,
                kind=kind,
                detail=completion.detail or completion.kind,
                sort_text=f"{number:03}",
                text_edit=edit,
            )
        )
    return lsp.CompletionList(is_incomplete=False, items=items)


def _typed_length(before: str, completion: str) -> int:
    """How many characters of a completion stand already at the end of a line, in any case of the letters."""
    return next(
        length
        for length in range(len(completion), -1, -1)
        if before.casefold().endswith(completion[:length].casefold())
    )


@log_errors
def _definition(server: RulesServer, params: lsp.DefinitionParams) -> list[lsp.Location] | None:
    path, line, column = server.place(params)
    if (name_and_span := editing.name_at(server.space, path, line, column)) is None:
        return None
    places = editing.definitions(server.space, path, name_and_span[0])
    return [server.location(place.span) for place in places]


@log_errors
def _references(server: RulesServer, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    path, line, column = server.place(params)
    if (name_and_span := editing.name_at(server.space, path, line, column)) is None:
        return None
    with_declaration = params.context.include_declaration
    places = editing.places(server.space, path, name_and_span[0])
    return [
        server.location(place.span)
        for place in places
        if with_declaration or not place.is_declaration
    ]


@log_errors
def _highlight(
    server: RulesServer, params: lsp.DocumentHighlightParams
) -> list[lsp.DocumentHighlight] | None:
    path, line, column = server.place(params)
    if (name_and_span := editing.name_at(server.space, path, line, column)) is None:
        return None
    lines = server.lines_of(path)
    places = editing.places(server.space, path, name_and_span[0])
    return [
        lsp.DocumentHighlight(to_range(lines, place.span))
        for place in places
        if place.span.file == path
    ]


def _prepare_rename(
    server: RulesServer, params: lsp.PrepareRenameParams
) -> lsp.PrepareRenamePlaceholder | None:
    path, line, column = server.place(params)
    if (name_and_span := editing.name_at(server.space, path, line, column)) is None:
        return None
    try:
        editing.check_rename(server.space, path, name_and_span[0])
    except editing.CannotRename as error:
        raise JsonRpcInvalidParams(message=str(error)) from None
    place = to_range(server.lines_of(path), name_and_span[1].span)
    return lsp.PrepareRenamePlaceholder(range=place, placeholder=name_and_span[0].text)


def _rename(server: RulesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    path, line, column = server.place(params)
    if (name_and_span := editing.name_at(server.space, path, line, column)) is None:
        return None
    try:
        places = editing.renamed(server.space, path, name_and_span[0], params.new_name)
    except editing.CannotRename as error:
        raise JsonRpcInvalidParams(message=str(error)) from None
    changes = {
        server.uri_of(file): [
            lsp.TextEdit(to_range(server.lines_of(file), span), text) for span, text in written
        ]
        for file, written in places.items()
    }
    return lsp.WorkspaceEdit(changes=changes)


# ------------------------------------------------------------------ calls
@log_errors
def _signature(server: RulesServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    path, line, column = server.place(params)
    if not path.endswith(".rules"):
        return None
    if (signature := editing.call_at(server.space, path, line, column)) is None:
        return None
    shown = lsp.SignatureInformation(
        signature.text,
        signature.summary or None,
        [lsp.ParameterInformation(param) for param in signature.params],
    )
    return lsp.SignatureHelp([shown], 0, signature.at)


@log_errors
def _calls(
    server: RulesServer, params: lsp.CallHierarchyPrepareParams
) -> list[lsp.CallHierarchyItem] | None:
    item_at = editing.call_item(server.space, *server.place(params))
    return None if item_at is None else [_call_item(server, item_at)]


def _call_item(server: RulesServer, item: editing.CallItem) -> lsp.CallHierarchyItem:
    symbol = _symbol(item.symbol, server.lines_of(item.file))
    return lsp.CallHierarchyItem(
        name=item.name.text,
        kind=symbol.kind,
        uri=server.uri_of(item.file),
        range=symbol.range,
        selection_range=symbol.selection_range,
        detail=symbol.detail,
        data=[item.file, item.name.kind, item.name.text],
    )


def _named_call(item: lsp.CallHierarchyItem) -> tuple[str, editing.Name]:
    """The file and the name that `_call_item` has put into an item."""
    file, kind, text = map(str, item.data) if isinstance(item.data, list) else ("", "", "")
    return file, editing.Name(kind, text)


@log_errors
def _callers(
    server: RulesServer, params: lsp.CallHierarchyIncomingCallsParams
) -> list[lsp.CallHierarchyIncomingCall] | None:
    callers = editing.callers(server.space, *_named_call(params.item))
    return [
        lsp.CallHierarchyIncomingCall(
            _call_item(server, caller),
            [to_range(server.lines_of(caller.file), span) for span in caller.sites],
        )
        for caller in callers
    ]


@log_errors
def _called(
    server: RulesServer, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall] | None:
    callees = editing.called(server.space, *_named_call(params.item))
    return [
        lsp.CallHierarchyOutgoingCall(
            _call_item(server, callee),
            [to_range(server.lines_of(span.file), span) for span in callee.sites],
        )
        for callee in callees
    ]


# ------------------------------------------------------------------ files
@log_errors
def _symbols(
    server: RulesServer, params: lsp.DocumentSymbolParams
) -> list[lsp.DocumentSymbol] | None:
    path = server.path_of(params.text_document.uri)
    if not path.endswith(".rules"):
        return None
    lines = server.lines_of(path)
    return [_symbol(symbol, lines) for symbol in editing.symbols(server.space, path)]


def _symbol(symbol: editing.Symbol, lines: list[str]) -> lsp.DocumentSymbol:
    whole, name = to_range(lines, symbol.span), to_range(lines, symbol.name_span)
    return lsp.DocumentSymbol(
        name=symbol.name,
        detail=f"{symbol.kind} {symbol.detail}".strip(),
        kind=KINDS.get(symbol.kind, lsp.SymbolKind.Object),
        range=lsp.Range(whole.start, max(whole.end, name.end)),
        selection_range=name,
        children=[_symbol(inner, lines) for inner in symbol.children],
    )


@log_errors
def _workspace_symbols(
    server: RulesServer, params: lsp.WorkspaceSymbolParams
) -> list[lsp.SymbolInformation] | None:
    query = params.query.casefold()
    symbols = (
        inner
        for path in server.space.texts
        if path.endswith(".rules")
        for symbol in editing.symbols(server.space, path)
        for inner in (symbol, *symbol.children)
        if query in inner.name.casefold()
    )
    return [
        lsp.SymbolInformation(
            server.location(symbol.name_span),
            symbol.name,
            KINDS.get(symbol.kind, lsp.SymbolKind.Object),
        )
        for symbol in islice(symbols, MAX_SYMBOLS)
    ]


@log_errors
def _folding(server: RulesServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
    path = server.path_of(params.text_document.uri)
    if not path.endswith(".rules"):
        return None
    folds = editing.folds(server.space, path)
    return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds]


@log_errors
def _formatting(
    server: RulesServer, params: lsp.DocumentFormattingParams
) -> list[lsp.TextEdit] | None:
    path = server.path_of(params.text_document.uri)
    text = server.space.text(path)
    if not path.endswith(".rules"):
        return None
    try:
        formatted = hr.format_rules(text, path)
    except hr.RulesetError:
        return None
    return list(_edits(text, formatted))


def _edits(text: str, formatted: str) -> list[lsp.TextEdit]:
    """The lines that differ, as changes of the text."""
    before, after = text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    return [
        lsp.TextEdit(
            lsp.Range(lsp.Position(first, 0), lsp.Position(end, 0)),
            "".join(after[new_first:new_end]),
        )
        for kind, first, end, new_first, new_end in matcher.get_opcodes()
        if kind != "equal"
    ]


@log_errors
def _tokens(server: RulesServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
    path = server.path_of(params.text_document.uri)
    if not path.endswith(".rules"):
        return None
    lines = server.lines_of(path)
    # Five numbers for each token; its line and column count from the token before it.
    data: list[int] = []
    line = character = 0
    for span, kind, is_declaration in editing.coloured(server.space, path):
        place = to_range(lines, span)
        type_ = LEGEND.token_types.index(TOKENS.get(kind, "variable"))
        counted_from = 0 if place.start.line > line else character
        size = place.end.character - place.start.character
        data += [
            place.start.line - line,
            place.start.character - counted_from,
            size,
            type_,
            int(is_declaration),
        ]
        line, character = place.start.line, place.start.character
    return lsp.SemanticTokens(data)


@log_errors
def _hints(server: RulesServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
    path = server.path_of(params.text_document.uri)
    if not path.endswith(".rules"):
        return None
    lines = server.lines_of(path)
    first, last = params.range.start.line + 1, params.range.end.line + 1
    return [
        lsp.InlayHint(
            to_position(lines, hint.line, hint.column),
            hint.text,
            kind=lsp.InlayHintKind.Type if hint.is_type else None,
            padding_left=not hint.is_type,
        )
        for hint in editing.hints(server.space, path, first, last)
    ]


@log_errors
def _lenses(server: RulesServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    path = server.path_of(params.text_document.uri)
    lines = server.lines_of(path)
    lenses = []
    for lens in editing.lenses(server.space, path):
        command = {"differs": DIFFERS, "run": RUN}.get(lens.action, "")
        if lens.action in ("play", "cases", "debug") and server.has_terminal:
            command = f"hots.{lens.action}"
        start = to_position(lines, lens.line, 1)
        lenses.append(
            lsp.CodeLens(
                lsp.Range(start, start),
                lsp.Command(lens.text, command, arguments=list(lens.arguments)),
            )
        )
    return lenses


@log_errors
def _actions(server: RulesServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    path = server.path_of(params.text_document.uri)
    lines = server.lines_of(path)
    return [*_fault_fixes(server, path, params, lines), *_new_answers(server, path, params, lines)]


def _fault_fixes(
    server: RulesServer, path: str, params: lsp.CodeActionParams, lines: list[str]
) -> list[lsp.CodeAction]:
    """The fixes of the faults in a part of a file."""
    actions = []
    for fault in server.space.faults(path) if path in server.space.texts else ():
        place = to_range(lines, fault.place)
        if place.start > params.range.end or place.end < params.range.start:
            continue
        diagnostics = [
            diagnostic
            for diagnostic in params.context.diagnostics
            if diagnostic.code == fault.code and diagnostic.range == place
        ]
        for title, edits in editing.fixes(server.space, fault):
            changes = {
                server.uri_of(file): [
                    lsp.TextEdit(to_range(server.lines_of(file), edit.span), edit.text)
                    for edit in of_file
                ]
                for file, of_file in edits.items()
            }
            actions.append(_action(title, changes, diagnostics))
    return actions


def _new_answers(
    server: RulesServer, path: str, params: lsp.CodeActionParams, lines: list[str]
) -> list[lsp.CodeAction]:
    """For each line of a case that does not hold, the fix that writes what was played instead."""
    actions = []
    for unmet in server.unmet_lines.get(path, []):
        row = lines[unmet.line - 1] if 0 < unmet.line <= len(lines) else ""
        is_in_range = params.range.start.line <= unmet.line - 1 <= params.range.end.line
        if is_in_range and unmet.instead and unmet.text and unmet.text in row:
            column = row.index(unmet.text) + 1
            span = hr.diagnostics.Span(
                path, unmet.line, column, unmet.line, column + len(unmet.text)
            )
            edit = lsp.TextEdit(to_range(lines, span), unmet.instead)
            title = f"accept the new answer: {unmet.instead}"
            actions.append(_action(title, {server.uri_of(path): [edit]}, []))
    return actions


def _action(
    title: str, changes: dict[str, list[lsp.TextEdit]], diagnostics: list[lsp.Diagnostic]
) -> lsp.CodeAction:
    """A quick fix with its changes by file, and the diagnostics that it mends."""
    return lsp.CodeAction(
        title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        edit=lsp.WorkspaceEdit(changes=changes),
    )


# ------------------------------------------------------------------ commands
def _differs(server: RulesServer, arguments: tuple[object, ...]) -> str:
    """What a ruleset changes, or one declaration of it, in Markdown."""
    path, name, *_ = (*map(str, arguments), "", "")
    return editing.changed_text(server.space, path, name)


def _run_case(server: RulesServer, arguments: tuple[object, ...]) -> None:
    """Play the cases of a file, or one of them."""
    path, title, *_ = (*map(str, arguments), "", "")
    if path in server.space.texts:
        server.play_cases(path, title)


_HANDLERS: Mapping[str, Callable[[RulesServer, Any], object]] = {
    lsp.TEXT_DOCUMENT_HOVER: _hover,
    lsp.TEXT_DOCUMENT_COMPLETION: _completion,
    lsp.TEXT_DOCUMENT_DEFINITION: _definition,
    lsp.TEXT_DOCUMENT_REFERENCES: _references,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: _highlight,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: _prepare_rename,
    lsp.TEXT_DOCUMENT_RENAME: _rename,
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: _signature,
    lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: _calls,
    lsp.CALL_HIERARCHY_INCOMING_CALLS: _callers,
    lsp.CALL_HIERARCHY_OUTGOING_CALLS: _called,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _symbols,
    lsp.WORKSPACE_SYMBOL: _workspace_symbols,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: _folding,
    lsp.TEXT_DOCUMENT_FORMATTING: _formatting,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _tokens,
    lsp.TEXT_DOCUMENT_INLAY_HINT: _hints,
    lsp.TEXT_DOCUMENT_CODE_LENS: _lenses,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _actions,
}
_OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(
        trigger_characters=["§", "[", "{", " ", "."]
    ),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(["(", "[", ","]),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: LEGEND,
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
}
