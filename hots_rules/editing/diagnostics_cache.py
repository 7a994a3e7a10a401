"""The faults that a check found, while the text goes on changing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from hots_rules.diagnostics import Edit, Fault, Fix, RelatedPlace, Span
from hots_rules.syntax.pieces import ParsedPiece, ParsedText

Pairs = list[tuple[ParsedPiece, ParsedPiece]]


@frozen(eq=False)
class FoundFaults:
    """What a check of a ruleset found.

    Attributes:
        faults: the faults.
        of_the_whole: those of them that no declaration shows by itself.
        texts: the texts that their places refer to, by path.
    """

    faults: tuple[Fault, ...]
    of_the_whole: frozenset[Fault]
    texts: Mapping[str, ParsedText]

    def edited(self, path: str, now: ParsedText, own: Iterable[Fault]) -> FoundFaults:
        """The faults after an edit of a text; `own` are those that its changed declarations show by themselves.

        Declarations that stayed keep their faults. Of those that changed, only the faults of the whole are kept.
        """
        if path not in self.texts:
            return self
        same, others = _matched_pieces(self.texts[path], now)
        faults: dict[Fault, None] = {}
        whole = set[Fault]()
        for fault in self.faults:
            is_of_the_whole = fault in self.of_the_whole
            pairs = [*same, *others] if is_of_the_whole else same
            if (after := _moved_fault(fault, path, pairs, same)) is not None:
                faults[after] = None
                if is_of_the_whole:
                    whole.add(after)
        faults |= dict.fromkeys(own)
        return FoundFaults(tuple(faults), frozenset(whole), {**self.texts, path: now})


def changed_places(then: ParsedText, now: ParsedText, path: str) -> tuple[Span, ...]:
    """The places of the declarations that are new or changed."""
    texts = {piece.text for piece in then.pieces}
    return tuple(
        Span(path, piece.first, 1, piece.last, 1) for piece in now.pieces if piece.text not in texts
    )


def _matched_pieces(then: ParsedText, now: ParsedText) -> tuple[Pairs, Pairs]:
    """The declarations that stayed, then and now; and those that changed, each with what it probably became."""
    left: dict[str, list[ParsedPiece]] = {}
    for piece in now.pieces:
        left.setdefault(piece.text, []).append(piece)
    same, gone = [], []
    for piece in then.pieces:
        if pieces := left.get(piece.text):
            same.append((piece, pieces.pop(0)))
        else:
            gone.append(piece)
    new = [piece for pieces in left.values() for piece in pieces]
    return same, list(zip(gone, new, strict=False)) if len(gone) == len(new) else []


def _moved_fault(fault: Fault, path: str, pairs: Pairs, same: Pairs) -> Fault | None:
    """A fault where its declaration stands now; None if that is not known."""
    place = _place_now(fault.place, path, pairs)
    if place is None:
        return None
    related = tuple(
        RelatedPlace(_place_now(related.span, path, same) or related.span, related.note)
        for related in fault.related
    )
    # A fix that changes another declaration may not fit it any more.
    fixes = [
        Fix(fix.title, [Edit(span, edit.text) for span, edit in moved], fix.is_safe)
        for fix in fault.fixes
        if (moved := _edits_now(fix, path, pairs)) is not None
    ]
    return evolve(fault, place=place, related=related, fixes=fixes)


def _edits_now(fix: Fix, path: str, pairs: Pairs) -> list[tuple[Span, Edit]] | None:
    """The edits of a fix, each with its place now; None if one of them is not known."""
    places = [(_place_now(edit.span, path, pairs), edit) for edit in fix.edits]
    still_there = [(place, edit) for place, edit in places if place is not None]
    return still_there if len(still_there) == len(places) else None


def _place_now(span: Span, path: str, pairs: Pairs) -> Span | None:
    if span.file != path:
        return span
    for then, now in pairs:
        if then.first <= span.line <= then.last:
            shift = now.first - then.first
            return Span(
                path, span.line + shift, span.column, span.end_line + shift, span.end_column
            )
    return None
