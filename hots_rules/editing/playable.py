"""The ruleset of a folder as it is in the editor, to be played: what was checked for its faults is compiled."""

from __future__ import annotations

from hots_rules.compile.static_values import take_static_values
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits, RulesetError
from hots_rules.editing.rulesets import chain_of
from hots_rules.editing.workspace import Chain, Workspace, run_check
from hots_rules.play.compiled_ruleset import CompiledRuleset, checked_ruleset
from hots_rules.rules.load import rulebook_of
from hots_rules.rules.play_digest import PlayDigest


def playable(
    space: Workspace,
    head: str,
    limits: Limits = DEFAULT_LIMITS,
    *,
    before: CompiledRuleset | None = None,
) -> CompiledRuleset:
    """A ruleset of the folder, by the path of the file that names it; play counts its steps.

    Nothing that the workspace has parsed or checked is parsed or checked again. What was computed for the ruleset as
    it was `before` an edit, and is the same in every state, is computed again only if it has changed.

    Raises:
        RulesetError: its texts have faults, or no file of the folder names it.

    >>> space = Workspace()
    >>> space.open("/fox.rules", 'ruleset fox-1.0 "Fox"\\n')
    >>> from hots_rules import RulesetError
    >>> try:
    ...     playable(space, "/fox.rules")
    ... except RulesetError as error:
    ...     [fault.code for fault in error.faults]
    ['unknown-name', 'stage-never-reached']
    """
    chain = _checked_chain(space, head)
    rulebook = rulebook_of(
        chain.source, chain.files, chain.checked, space.digests.setdefault(head, PlayDigest())
    )
    if before is not None:
        take_static_values(before.typed, rulebook.typed)
    return checked_ruleset(rulebook, limits, counts_steps=True)


def _checked_chain(space: Workspace, head: str) -> Chain:
    """What is known of a ruleset as its texts are now.

    Raises:
        RulesetError: a text is malformed, or what it extends is missing.
    """
    source, faults = chain_of(head, space.located())
    chain = space.chains.get(head)
    if chain is not None and chain.source == source and not faults:
        return chain
    done = run_check(space.prepare(head))
    space.accept(done)
    if done.checked is not None:
        return space.chains[head]
    texts = done.job.texts
    malformed = [fault for name in texts for fault in space.parsed_layer(name, texts[name]).faults]
    raise RulesetError(done.faults or malformed, texts)
