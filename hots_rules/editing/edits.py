"""The faults of the declarations that one edits: found at once, without a check of the whole ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from hots_rules.diagnostics import Fault, Span
from hots_rules.editing.diagnostics_cache import changed_places
from hots_rules.editing.rulesets import chain_of
from hots_rules.editing.workspace import Workspace
from hots_rules.rules.load import check_places
from hots_rules.rules.sources.source import Source
from hots_rules.syntax import tree


@frozen(eq=False)
class EditJob:
    """The declarations of a file that changed since its ruleset was checked, with all that is needed to check them.

    Attributes:
        path: the file.
        text: its text.
        head: the ruleset that it belongs to.
        places: where the declarations are.
    """

    path: str
    text: str
    head: str
    places: tuple[Span, ...]
    source: Source = field(repr=False)
    files: Mapping[str, tree.File] = field(repr=False)


def prepare_edit(space: Workspace, path: str) -> EditJob | None:
    """What has changed in a file; None if its ruleset must be checked as a whole, or the file is malformed."""
    head = next(iter(space.heads_for(path)), "")
    checked, chain = space.found.get(head), space.chains.get(head)
    now = space.parsed(path)
    if checked is None or chain is None or path not in checked.texts or now.faults:
        return None
    source, faults = chain_of(head, space.located())
    files = {}
    for name, text in source.texts.items():
        parsed = space.known(name, text)
        if parsed is not None and not parsed.faults:
            files[name] = parsed.file
        elif name in chain.files:
            files[name] = chain.files[name]  # its last good state
    if faults or any(name not in files for layer in source.layers for name in layer.files):
        return None
    places = changed_places(checked.texts[path], now, path)
    return EditJob(path, space.text(path), head, places, source, files)


def run_edit(job: EditJob) -> tuple[Fault, ...]:
    """The faults of the declarations; the workspace is neither read nor changed."""
    return check_places(job.source, job.files, job.places) if job.places else ()


def accept_edit(space: Workspace, job: EditJob, faults: tuple[Fault, ...]) -> bool:
    """Take these faults for those that the declarations had; False if the file has changed meanwhile."""
    if space.texts.get(job.path) != job.text:
        return False
    now = space.parsed(job.path)
    for head in space.heads_for(job.path):
        if head in space.found:
            own = faults if head == job.head else ()
            space.found[head] = space.found[head].edited(job.path, now, own)
    return True
