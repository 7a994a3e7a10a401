"""Answers for an author who writes a ruleset or a position: what an editor shows while the text changes.

Takes: the texts of the files of a folder, as they are in the editor, and a place in one of them; a position.
Gives: faults with their remedies, names and where they are used, what may stand there, what a case finds.
Never: reads a file outside the folder and the library, writes a file, or waits for a text to be right.
"""

from hots_rules.editing.answering.amendments import AMENDED, amendment
from hots_rules.editing.answering.code_actions import fixes
from hots_rules.editing.answering.completions import Completion, completions
from hots_rules.editing.answering.hovers import hover
from hots_rules.editing.answering.inlay_hints import hints, lenses
from hots_rules.editing.answering.scaffolds import (
    GAME_NAME,
    TEMPLATE_NAME,
    TEMPLATES,
    as_package,
    house_rule,
    new_game,
)
from hots_rules.editing.answering.signatures import Call, call_at
from hots_rules.editing.casebook.blocks import CaseCheck, case_places, prepared
from hots_rules.editing.casebook.case_names import is_position
from hots_rules.editing.casebook.case_rulesets import compiled
from hots_rules.editing.casebook.completions import case_completions
from hots_rules.editing.changes import changed_text
from hots_rules.editing.drafts import Draft, DraftForm, DraftVariable, draft, draft_form
from hots_rules.editing.edits import EditJob, accept_edit, prepare_edit, run_edit
from hots_rules.editing.playable import playable
from hots_rules.editing.symbols.call_hierarchy import CallItem, call_item, called, callers
from hots_rules.editing.symbols.names import (
    CannotRename,
    Name,
    check_rename,
    definitions,
    name_at,
    places,
    renamed,
)
from hots_rules.editing.symbols.outline import Symbol, coloured, folds, symbols
from hots_rules.editing.workspace import CheckDone, Workspace, run_check
from hots_rules.rules.sources.find import shipped_file, shipped_sources

__all__ = [
    "AMENDED",
    "GAME_NAME",
    "TEMPLATES",
    "TEMPLATE_NAME",
    "Call",
    "CallItem",
    "CannotRename",
    "CaseCheck",
    "CheckDone",
    "Completion",
    "Draft",
    "DraftForm",
    "DraftVariable",
    "EditJob",
    "Name",
    "Symbol",
    "Workspace",
    "accept_edit",
    "amendment",
    "as_package",
    "call_at",
    "call_item",
    "called",
    "callers",
    "case_completions",
    "case_places",
    "changed_text",
    "check_rename",
    "coloured",
    "compiled",
    "completions",
    "definitions",
    "draft",
    "draft_form",
    "fixes",
    "folds",
    "hints",
    "house_rule",
    "hover",
    "is_position",
    "lenses",
    "name_at",
    "new_game",
    "places",
    "playable",
    "prepare_edit",
    "prepared",
    "renamed",
    "run_check",
    "run_edit",
    "shipped_file",
    "shipped_sources",
    "symbols",
]
