"""Rulesets on their way in: the first time takes seconds, so a terminal is told."""

from __future__ import annotations

from pathlib import Path

import hots_rules as hr
from hots_rules.cli.console import console, harmless


def opened(name: str) -> hr.Ruleset:
    """The ruleset of a name, a file or a folder.

    Raises:
        RulesetError: there is no such ruleset, or it has faults.
    """
    known = hr.rulesets()
    place: str | Path = name if name in known or not Path(name).exists() else Path(name)
    err = console(stderr=True)
    if not err.is_terminal:
        return hr.load(place)
    with err.status(f"reading {harmless(name)}"):
        return hr.load(place)
