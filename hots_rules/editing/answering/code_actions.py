"""What corrects a fault, as changes of the texts that are open."""

from __future__ import annotations

from hots_rules.diagnostics import Edit, Fault
from hots_rules.editing.workspace import Workspace


def fixes(space: Workspace, fault: Fault) -> list[tuple[str, dict[str, tuple[Edit, ...]]]]:
    """What each fix of a fault does, with its edits by file; without those that change files that are not open."""
    actions = []
    for fix in fault.fixes:
        by_file: dict[str, tuple[Edit, ...]] = {}
        for edit in fix.edits:
            by_file[edit.span.file] = (*by_file.get(edit.span.file, ()), edit)
        if by_file.keys() <= space.texts.keys():
            actions.append((fix.title, by_file))
    return actions
