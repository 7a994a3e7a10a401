"""The declarations of a ruleset, merged edition by edition."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from hots_rules.diagnostics import Edit, Fault, Fix, RelatedPlace, Span
from hots_rules.diagnostics.fixes import between, start_of
from hots_rules.rules.editions.labels import EditionLabel, is_outdated, label_key, written_key
from hots_rules.rules.editions.parts import (
    PartEditor,
    is_same_part,
    owner_kinds,
    part_of,
    renamed,
    with_sentence,
)
from hots_rules.rules.editions.sections import Sections
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.kinds import find_rival
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.rulebook import Entry, Key, Repealed, key_of, name_span
from hots_rules.rules.wording import kind_noun, with_article
from hots_rules.syntax import tree
from hots_rules.syntax.walk import written_span

# Kinds that a ruleset may declare only once, and how their line begins.
_SINGLE = {
    "players": "players",
    "clock": "clock",
    "map": "map",
    "board": "board",
    "positions": "positions begin at",
}


class EditionMerger:
    """Applies the declarations of each edition to those of the editions that it extends.

    Faults are collected, not raised.
    """

    def __init__(self) -> None:
        self.entries: dict[Key, Entry] = {}
        self.repealed: dict[Key, Repealed] = {}
        self.labels: dict[str, dict[str, EditionLabel]] = {}
        self.heads: list[Span] = []
        self.faults = FaultCollector()
        self._edition = ""
        self._editions: list[str] = []

    def apply(self, edition: str, files: list[tree.File]) -> None:
        """Adds an edition: its repeals and amendments first, then what it declares anew."""
        self._edition = edition
        self._editions.append(edition)
        items = [item for file in files for item in file.items]
        for item in items:
            self._apply_change(item)
        for item in items:
            self._add_item(item)

    def _apply_change(self, item: tree.Item) -> None:
        match item:
            case tree.Amend():
                self._amend(item)
            case tree.AmendPart():
                self._amend_part(item)
            case tree.Repeal():
                self._repeal(item)
            case tree.Reword():
                self._reword(item)
            case tree.Settle():
                self._settle(item)

    def _add_item(self, item: tree.Item) -> None:
        match item:
            case tree.Amend() | tree.AmendPart() | tree.Repeal() | tree.Reword() | tree.Settle():
                pass
            case tree.Ruleset():
                self.heads.append(item.name.span)
            case tree.State():
                for variable in item.variables:
                    self._add(variable)
            case tree.Label():
                self._label(item)
            case _:
                self._add(item)

    def _fault(
        self,
        code: str,
        headline: str,
        span: Span,
        related: tuple[RelatedPlace, ...] = (),
        help_: str = "",
        fixes: Iterable[Fix] = (),
    ) -> None:
        self.faults.add(Fault(code, headline, span, related, help_, fixes))

    # -------------------------------------------------------------- new declarations
    def _add(self, node: tree.Declaration | tree.Variable) -> None:
        kind, name = key_of(node)
        rival = find_rival(self.entries, kind, name.text)
        if rival is not None:
            self._report_taken(kind, node, self.entries[rival])
        elif name.text in RESERVED.get(kind, ()):
            self._fault(
                "duplicate-name",
                f"the name `{name}` is reserved",
                name.span,
                help_="choose another name",
            )
        else:
            repealed = self.repealed.pop((kind, name.text), None)
            previous = repealed.entry if repealed else None
            self.entries[kind, name.text] = Entry(kind, name.text, node, self._edition, previous)

    def _report_taken(
        self, kind: str, node: tree.Declaration | tree.Variable, rival: Entry
    ) -> None:
        first = RelatedPlace(name_span(rival.node), "first declared here")
        name = key_of(node)[1]
        # A variable is amended under `amend state`.
        is_older = rival.edition != self._edition and kind != "variable"
        may_amend = is_older and (rival.kind, rival.name) == (kind, name.text)
        fixes = [Fix.put_before(node.span, "amend ")] if may_amend else []
        if kind in _SINGLE:
            self._fault(
                "duplicate-name",
                f"a second line `{_SINGLE[kind]} …`",
                name.span,
                (first,),
                "keep one of them; an edition that changes it writes `amend` in front",
                fixes,
            )
            return
        remedy = "rename one of them"
        if rival.edition != self._edition:
            line = "state" if rival.kind == "variable" else f"{rival.kind} {rival.name}"
            remedy += f", or write `amend {line}` to change the one of {rival.edition}"
        self._fault(
            "duplicate-name",
            f"the name `{name}` is taken by {with_article(rival.kind)}",
            name.span,
            (first,),
            remedy,
            fixes,
        )

    # -------------------------------------------------------------- changes
    def _amend(self, item: tree.Amend) -> None:
        declared = item.declaration
        if isinstance(declared, tree.Label):
            self._label(declared)
            return
        for node in declared.variables if isinstance(declared, tree.State) else (declared,):
            kind, name = key_of(node)
            if (old := self._declaration_meant(kind, name, item)) is not None:
                if kind not in _SINGLE and node == old.node:
                    is_alone = not isinstance(declared, tree.State) or len(declared.variables) == 1
                    line = item if is_alone else node
                    self._report_unchanged(f"{kind_noun(kind)} `{name}`", name.span, line)
                named = node if old.name == name.text else renamed(node, old.name)
                # A reading that is declared anew is open again.
                self.entries[kind, old.name] = old.changed(self._edition, named)

    def _declaration_meant(
        self, kind: str, name: tree.Word, item: tree.Amend | tree.AmendPart | None = None
    ) -> Entry | None:
        """The declaration that a line changes, or of which it changes a part.

        Where there is none, that is a fault, and the one with the closest name is given, if it may be meant: it is
        changed, so that other faults of the line are reported too.
        """
        old = self.entries.get((kind, name.text))
        if old is None:
            close = self._report_missing(kind, name, item)
            meant = self.entries.get((kind, close)) if close else None
            return meant if meant is not None and meant.edition != self._edition else None
        if old.edition == self._edition and not (old.lines and _may_change_too(old, item)):
            self._fault(
                "duplicate-name",
                f"the {kind_noun(kind)} `{name}` is changed twice",
                name.span,
                (RelatedPlace(name_span(old.node), "first changed here"),),
                "make both changes in one place",
            )
            return None
        return old

    def _report_unchanged(self, what: str, span: Span, line: tree.Node) -> None:
        self._fault(
            "amends-nothing",
            f"the {what} is the same in the ruleset below",
            span,
            help_="remove the line; `reword` records that an edition has other words or sections",
            fixes=[Fix.remove_lines(written_span(line))],
        )

    def _report_uncited(self, what: str, span: Span, verb_phrase: str) -> None:
        remedy = f"name the section that {verb_phrase}, e.g. `§5.7`"
        self._fault("uncited-rule", f"{what} cites no section", span, help_=remedy)

    def _report_missing(
        self, kind: str, name: tree.Word, item: tree.Amend | tree.AmendPart | None
    ) -> str | None:
        """Reports a line that changes a declaration that does not exist; gives the closest name that may be meant."""
        near = self.faults.suggest(name.text, [n for k, n in self.entries if k == kind])
        fixes = near.fixes(name.span)
        declared_kind = next((k for k, n in self.entries if n == name.text), None)
        remedy = f"declare the {kind_noun(kind)} without `amend`"
        if declared_kind:
            remedy = f"`{name}` is {with_article(declared_kind)}"
            if declared_kind == "option" and kind == "reading":
                remedy += f"; `amend option {name} …` changes its value"
            else:
                remedy += near.hint()
        else:
            remedy = near.help(remedy)
            if not near.candidates and isinstance(item, tree.Amend):
                fixes = (_remove_amend(item),)
        repealed = self.repealed.get((kind, name.text))
        what = f"line `{_SINGLE[kind]} …`" if kind in _SINGLE else f"{kind_noun(kind)} `{name}`"
        self._fault(
            "amends-nothing",
            f"the ruleset below has no {what}",
            name.span,
            (RelatedPlace(repealed.span, "repealed here"),) if repealed else (),
            remedy,
            fixes,
        )
        return None if declared_kind else near.best

    def _amend_part(self, item: tree.AmendPart) -> None:
        """Changes one part of a declaration; an edition may change several parts."""
        kinds, part = owner_kinds(item), part_of(item)
        kind = next((k for k in kinds if (k, item.owner.text) in self.entries), kinds[0])
        old = self._declaration_meant(kind, item.owner, item)
        if old is None:
            return
        if not item.cites:
            what = "the new cell of" if part == "cell" else f"the change of the {part}"
            self._report_uncited(f"{what} `{item.name}`", item.span, "changes it")
        faults_before = len(self.faults)
        node = PartEditor(self.faults).changed(old.node, item)
        if node == old.node and len(self.faults) == faults_before:
            self._report_unchanged(f"{part} `{item.name}`", item.name.span, item)
        # A reading of which an alternative changes is open again.
        settled = "" if part == "alternative" else old.settled
        self.entries[old.kind, old.name] = (
            old.changed(self._edition, node, (item,), settled)
            if old.edition != self._edition
            else evolve(old, node=node, lines=(*old.lines, item), settled=settled)
        )

    def _repeal(self, item: tree.Repeal) -> None:
        old = self._declaration_meant(item.kind.text, item.name)
        if old is not None and old.name == item.name.text:
            key = (item.kind.text, item.name.text)
            del self.entries[key]
            entry = old.changed(self._edition, old.node, (item,))
            self.repealed[key] = Repealed(entry, item.name.span)

    def _reword(self, item: tree.Reword) -> None:
        """Changes the sentence and the history of a declaration; play stays the same."""
        old = self._declaration_meant(item.kind.text, item.name)
        if old is None:
            return
        if not item.cites:
            self._report_uncited(
                f"the rewording of `{item.name}`", item.name.span, "words it differently"
            )
        if item.summary is not None and not hasattr(old.node, "summary"):
            self._fault(
                "not-allowed-here",
                f"{with_article(old.kind)} has no sentence",
                item.summary.span,
                help_="leave out `as` and the text",
            )
        node = with_sentence(old.node, item.summary)
        entry = old.changed(self._edition, node, (item,), old.settled)
        self.entries[old.kind, old.name] = entry

    def _settle(self, item: tree.Settle) -> None:
        """Decides on a reading: its name stays, and now means one of its alternatives."""
        old = self._declaration_meant("reading", item.reading)
        if old is None or not isinstance(old.node, tree.Reading):
            return
        names = [alternative.name.text for alternative in old.node.alternatives]
        if item.alternative.text not in names:
            near = self.faults.suggest(item.alternative.text, names)
            span = item.alternative.span
            self._fault(
                "unknown-name",
                f"`{item.alternative}` is not an alternative of `{item.reading}`",
                span,
                (RelatedPlace(old.node.name.span, "the reading is declared here"),),
                near.help(f"write one of {', '.join(names)}"),
                near.fixes(span) or [Fix.write(span, name) for name in names],
            )
            return
        if not item.cites:
            self._report_uncited(
                f"the decision on `{item.reading}`", item.reading.span, "decides it"
            )
        if old.settled == item.alternative.text:
            span = item.alternative.span
            self._report_unchanged(f"decision on `{item.reading}`", span, item)
        settled = old.changed(self._edition, old.node, (item,), item.alternative.text)
        self.entries["reading", old.name] = settled

    # -------------------------------------------------------------- sections and labels
    def resolve_citations(self, sections: Sections) -> None:
        """Gives each declaration its sections in the ruleset that is played."""
        for key, entry in self.entries.items():
            parts = (cite.text.rpartition("§") for cite in entry.cites)
            cited = sections.in_force(
                (edition or entry.edition, number) for edition, _, number in parts
            )
            is_unlisted = entry.edition not in sections.layers
            self.entries[key] = evolve(entry, cited=cited, is_unlisted=is_unlisted)

    def _label(self, item: tree.Label) -> None:
        labels = self.labels.setdefault(item.language.text, {})
        for entry in item.entries:
            key = label_key(entry.key)
            old = labels.get(key)
            if old is not None and old.edition == self._edition:
                self._fault(
                    "duplicate-name",
                    f"a second label for `{written_key(entry.key)}`",
                    entry.key.span,
                    (RelatedPlace(old.key.span, "first given here"),),
                    "keep one of them",
                )
            labels[key] = EditionLabel(entry.key, entry.text.text, self._edition, entry.text.span)

    def labels_in_force(self) -> dict[str, dict[str, str]]:
        """The labels by language and key, without those of sentences that a later edition changes."""
        order = {edition: number for number, edition in enumerate(self._editions)}
        return {
            language: {
                key: label.text
                for key, label in labels.items()
                if not is_outdated(label, self.entries, order)
            }
            for language, labels in self.labels.items()
        }


def _remove_amend(item: tree.Amend) -> Fix:
    """The fix that removes `amend`, so that the line declares what it was to change."""
    word = between(start_of(item.span), item.declaration.span)
    return Fix("remove `amend`", [Edit(word, "")])


def _may_change_too(entry: Entry, item: tree.Amend | tree.AmendPart | None) -> bool:
    """Whether an edition that changed some parts of a declaration may make this change as well."""
    return isinstance(item, tree.AmendPart) and all(
        isinstance(line, tree.AmendPart) and not is_same_part(item, line) for line in entry.lines
    )
