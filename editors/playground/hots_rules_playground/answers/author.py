"""What an author sees of the folder that is open in the page: faults, colours, completions and hovers."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

import hots_rules as hr
from hots_rules import editing
from hots_rules.diagnostics import Edit, Fault
from hots_rules.game import Ruleset
from hots_rules_playground.answers.places import Places

ROOT = "/folder/"
"""Before the paths of the page, so that a file of the library is never taken for one of the folder."""


@define
class Author:
    """The open folder.

    >>> author = Author()
    >>> author.open({"fox.rules": 'ruleset fox-1.0 "Fox"\\n'})
    >>> author.faults()["fox.rules"][0]["code"]
    'unknown-name'
    """

    _space: editing.Workspace = field(factory=editing.Workspace, init=False)
    _rulesets: dict[str, tuple[str, Ruleset]] = field(factory=dict, init=False)

    # -------------------------------------------------------------- texts
    def open(self, files: Mapping[str, str]) -> None:
        """Take the texts of a folder instead of those before."""
        for path in [*self._space.texts]:
            self._space.remove(path)
        for name, text in files.items():
            self._space.open(ROOT + name, text)

    def change(self, name: str, text: str | None) -> None:
        """Take the text of one file as it is now; None if it is no longer there."""
        if text is None:
            self._space.remove(ROOT + name)
        elif self._space.texts.get(ROOT + name) != text:
            self._space.open(ROOT + name, text)

    @property
    def files(self) -> dict[str, str]:
        """The texts of the folder."""
        return {path.removeprefix(ROOT): text for path, text in self._space.texts.items()}

    # -------------------------------------------------------------- rulesets
    def heads(self) -> dict[str, str]:
        """The names of the rulesets of the folder, each with the path that names it."""
        return {one.layer.name: head for head, one in self._space.located().items()}

    def titles(self) -> dict[str, str]:
        """The rulesets of the folder by name, with their titles."""
        return {one.layer.name: one.layer.title for one in self._space.located().values()}

    def bases(self) -> dict[str, str]:
        """The rulesets of the folder that extend another one, by name, with the name of that."""
        layers = [one.layer for one in self._space.located().values()]
        return {layer.name: layer.extends for layer in layers if layer.extends is not None}

    def ruleset(self, name: str) -> hr.Ruleset:
        """A ruleset of the folder as its texts are now, or one of the library.

        Raises:
            RulesetError: it has faults.
            UnknownName: there is none of this name.
        """
        head = self.heads().get(name)
        if head is None:
            if name not in hr.rulesets():
                raise hr.UnknownName("ruleset", name, (*self.heads(), *hr.rulesets()))
            return hr.load(name)
        digest = self._digest(head)
        known = self._rulesets.get(name)
        if known is not None and known[0] == digest:
            return known[1]
        before = known[1].compiled if known is not None else None
        rules = Ruleset(editing.playable(self._space, head, before=before))
        self._rulesets[name] = digest, rules
        return rules

    def _digest(self, head: str) -> str:
        return self._space.prepare(head).source.text_hash()

    # -------------------------------------------------------------- faults
    def faults(self) -> dict[str, list[dict[str, object]]]:
        """The faults of all files of the folder, each with its place and the changes that correct it."""
        for head in self._space.located():
            self._space.check(head)
        return {
            path.removeprefix(ROOT): [self._fault(path, each) for each in self._space.faults(path)]
            for path in self._space.texts
        }

    def _fault(self, path: str, fault: Fault) -> dict[str, object]:
        text = self._space.text(path)
        places = Places.of(text)
        start, end = places.range(fault.place)
        return {
            "code": fault.code,
            "headline": fault.headline,
            "help": fault.help,
            "line": fault.place.line,
            "from": start,
            "to": end,
            "fixes": [
                {"title": title, "changes": [_change(places, edit) for edit in edits[path]]}
                for title, edits in editing.fixes(self._space, fault)
                if edits.keys() == {path}
            ],
        }

    # -------------------------------------------------------------- names
    def colours(self, name: str) -> list[tuple[int, int, str]]:
        """The names of a file: where each begins and ends, and what it names."""
        if not name.endswith(".rules"):
            return []
        places = Places.of(self._space.text(ROOT + name))
        found = editing.coloured(self._space, ROOT + name)
        return [(*places.range(span), kind) for span, kind, _ in found]

    def hover(self, name: str, offset: int) -> dict[str, object] | None:
        """What is shown about the name at a place, in Markdown."""
        places = Places.of(self._space.text(ROOT + name))
        found = editing.hover(self._space, ROOT + name, *places.line_and_column(offset))
        if found is None:
            return None
        start, end = places.range(found[1])
        return {"text": found[0], "from": start, "to": end}

    def completions(self, name: str, offset: int) -> list[dict[str, str]]:
        """What may stand at a place."""
        if not name.endswith(".rules"):
            return []
        places = Places.of(self._space.text(ROOT + name))
        found = editing.completions(self._space, ROOT + name, *places.line_and_column(offset))
        return [{"label": one.text, "type": one.kind, "detail": one.detail} for one in found]

    def changed(self, ruleset: str) -> str:
        """What a ruleset of the folder changes of the one that it extends, in Markdown."""
        return editing.changed_text(self._space, self.heads()[ruleset])


def _change(places: Places, edit: Edit) -> dict[str, object]:
    start, end = places.range(edit.span)
    return {"from": start, "to": end, "insert": edit.text}
