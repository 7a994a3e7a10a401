"""What may stand at a place of a case: its parts, positions, legal actions, and what can be expected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from attrs import define, evolve

from hots_rules.editing.answering.completions import MAX_COMPLETIONS, Completion, declared_in
from hots_rules.editing.casebook.blocks import CaseCheck, rulesets_of_case
from hots_rules.editing.casebook.case_names import is_position
from hots_rules.editing.workspace import Workspace
from hots_rules.testing.case_files import parse_case_file
from hots_rules.testing.casebook import Case
from hots_rules.testing.errors import BadCase
from hots_rules.testing.expectations import KINDS

_PARTS = ("like", "set", "options", "readings", "play", "expect", "editions", "shows")


def case_completions(
    space: Workspace, check: CaseCheck, path: str, line: int, column: int
) -> list[Completion]:
    """The words that may stand at a place of a case; none elsewhere in a file.

    The legal actions are those after what the case plays above the line; they are offered once the ruleset as it is
    has been played by a check.
    """
    rows = space.text(path).split("\n")
    before = rows[line - 1][: column - 1] if line <= len(rows) else ""
    above = _block_above(rows[: line - 1])
    if above is None:
        return []
    place = _Place(space, check, path, above)
    offered = place.words(before)
    has_key = before.startswith("like:") or (place.part == "expect" and ": " in before)
    written = before.split(":", 1)[1] if has_key else before
    written = re.split(r" because |; ", written)[-1].strip().casefold()
    by_text = {
        completion.text: completion
        for completion in offered
        if completion.text.casefold().startswith(written)
    }
    return list(by_text.values())[:MAX_COMPLETIONS]


def _block_above(rows: list[str]) -> list[str] | None:
    """The lines of the case that is open at the end of some lines; None if none is."""
    for number, row in enumerate(reversed(rows)):
        if row.startswith("```"):
            return rows[len(rows) - number :] if row.strip() == "```case" else None
    return None


@define
class _Place:
    """A place of a case with the lines of the case above it."""

    space: Workspace
    check: CaseCheck
    path: str
    above: list[str]

    def words(self, before: str) -> Iterable[Completion]:
        """What may stand in the line of the place, which begins with some text."""
        if before[:1] not in (" ", "\t"):
            if before.startswith("like:"):
                return self._beginnings()
            return [Completion(f"{name}:", "keyword") for name in _PARTS if ":" not in before]
        if self.part == "play":
            return self._actions()
        return self._expected(before) if self.part == "expect" else []

    @property
    def part(self) -> str:
        """The part of the case in which the place is."""
        heads = [row.split(":")[0].split() for row in self.above if re.match(r"\w.*:", row)]
        return heads[-1][0] if heads else ""

    def _expected(self, before: str) -> Iterable[Completion]:
        kind, colon, _ = before.strip().partition(":")
        if not colon:
            return [Completion(f"{name}:", "keyword") for name in KINDS]
        if " because " in before:
            return self._declared("rule")
        if kind in ("legal", "illegal", "choices"):
            return self._actions()
        return self._declared(*{"phase": ("phase", "stage"), "state": ("variable",)}.get(kind, ()))

    def _beginnings(self) -> Iterator[Completion]:
        """The positions of the folder, and the scenarios."""
        folders = [str(folder) for folder in PurePosixPath(self.path).parents]
        for name in sorted(self.space.texts):
            if is_position(name) and str(PurePosixPath(name).parent.parent) in folders:
                yield Completion(PurePosixPath(name).stem, "value", "a position")
        for scenario in self._declared("scenario"):
            yield evolve(scenario, text=f"scenario {scenario.text}")

    def _declared(self, *kinds: str) -> Iterator[Completion]:
        """The declarations of some kinds in the rulesets of the case."""
        case = self._case()
        for head in rulesets_of_case(self.space, self.path, case) if case else ():
            chain = self.space.chains.get(head)
            yield from declared_in(chain, *kinds)

    def _actions(self) -> Iterator[Completion]:
        """The legal actions after those that the case plays above the place."""
        case = self._case()
        game = self.check.game_after(self.space, self.path, case) if case else None
        for action in game.actions if game else ():
            yield Completion(action.text, "action", game.phase if game else "")

    def _case(self) -> Case | None:
        block = "\n".join(["## It", "```case", *self.above, "```", ""])
        try:
            cases = parse_case_file(Path(self.path), block).cases
        except BadCase:
            return None
        return cases[0] if cases else None
