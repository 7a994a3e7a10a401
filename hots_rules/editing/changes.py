"""What an amendment changes, as the two texts of the declaration."""

from __future__ import annotations

from hots_rules.editing.answering.hovers import source_of
from hots_rules.editing.workspace import Chain, Workspace
from hots_rules.rules.rulebook import Entry


def changed_text(space: Workspace, path: str, name: str = "") -> str:
    """The declarations that a ruleset changes, or the one with a name, before and after; in Markdown."""
    if not space.chains.keys() & set(space.heads_for(path)):
        for head in space.heads_for(path)[:1]:
            space.check(head)  # it was not checked yet
    chain = space.chain_for(path)
    if chain is None:
        return "The ruleset has faults."
    entries = [
        entry
        for entry in chain.checked.symbols.entries.values()
        if entry.edition == chain.name and entry.previous is not None and name in ("", entry.name)
    ]
    new = [
        entry
        for entry in chain.checked.symbols.entries.values()
        if entry.edition == chain.name and entry.previous is None and not name
    ]
    parts = [_before_and_after(space, chain, entry) for entry in entries]
    parts += [f"## new: {entry.kind} {entry.name}\n\n{_code(space, chain, entry)}" for entry in new]
    parts += [
        f"## repealed: {repealed.kind} {repealed.name}" for repealed in _repealed(chain) if not name
    ]
    return "\n\n".join(parts) or f"{chain.name} changes nothing."


def _repealed(chain: Chain) -> list[Entry]:
    return [
        declaration for declaration in chain.checked.repealed if declaration.edition == chain.name
    ]


def _before_and_after(space: Workspace, chain: Chain, entry: Entry) -> str:
    assert entry.previous is not None
    before, after = _code(space, chain, entry.previous), _code(space, chain, entry)
    return f"## {entry.kind} {entry.name}\n\n{entry.previous.edition}:\n\n{before}\n\n{entry.edition}:\n\n{after}"


def _code(space: Workspace, chain: Chain, entry: Entry) -> str:
    return f"```rules\n{source_of(space, chain, entry)}\n```"
