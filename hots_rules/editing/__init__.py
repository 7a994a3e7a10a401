"""Answers for an author who writes a ruleset or a position: what an editor shows while the text changes.

Takes: the texts of the files of a folder, as they are in the editor, and a place in one of them; a position.
Gives: faults with their remedies, names and where they are used, what may stand there, what a case finds.
Never: reads a file outside the folder and the library, writes a file, or waits for a text to be right.
"""

from hots_rules.editing.amending import AMENDED, amendment
from hots_rules.editing.beginnings import GAME_NAME, TEMPLATE_NAME, TEMPLATES, house_rule, new_game
from hots_rules.editing.calling import CallItem, call_item, called, callers
from hots_rules.editing.case_names import is_position
from hots_rules.editing.case_rulesets import compiled
from hots_rules.editing.cases import CaseCheck, case_places, prepared
from hots_rules.editing.changes import changed_text
from hots_rules.editing.completing import Completion, completions
from hots_rules.editing.completing_cases import case_completions
from hots_rules.editing.drafts import Draft, DraftForm, DraftVariable, draft, draft_form
from hots_rules.editing.edits import EditJob, accept_edit, prepare_edit, run_edit
from hots_rules.editing.fixing import fixes
from hots_rules.editing.hinting import hints, lenses
from hots_rules.editing.hovers import hover
from hots_rules.editing.names import (
    CannotRename,
    Name,
    check_rename,
    definitions,
    name_at,
    places,
    renamed,
)
from hots_rules.editing.outline import Symbol, coloured, folds, symbols
from hots_rules.editing.playable import playable
from hots_rules.editing.signatures import Call, call_at
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
