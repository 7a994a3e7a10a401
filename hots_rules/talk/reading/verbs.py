"""The actions that the words of a sentence mean: by the notions of the talk file, and by the labels of actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from hots_rules.play.game import AnyRuleset
from hots_rules.talk.reading.lexicon import Concepts, Piece, stems_of
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.words import words_in

JOINING = frozenset({"to", "from", "with", "the", "for", "vers", "depuis"})
"""Words of labels that join their parts."""
_PARAM = re.compile(r"\{\w+\}")


@frozen
class Verbs:
    """What a sentence says is done.

    Attributes:
        names: the names of the actions that are meant.
        places: the places of the words that say so.
        leaves: whether a place that is named is one to come from.
        labelled: those of the actions whose label is said.
    """

    names: tuple[str, ...] = ()
    places: frozenset[int] = frozenset()
    leaves: bool = False
    labelled: tuple[str, ...] = ()


@frozen
class KnownVerbs:
    """The words for the actions of a ruleset.

    Attributes:
        notions: the notions that mean actions, with the names of these.
        labels: the telling words of the labels of each action in each language, as stems.
    """

    notions: Mapping[str, tuple[str, ...]]
    labels: Sequence[tuple[str, tuple[Concepts, ...]]]

    def is_in_label(self, name: str, piece: Piece) -> bool:
        """Whether the label of an action has the word of a piece itself: `sail the Owl to {place}`."""
        stems_here = stems_of(piece)
        return any(
            name == other and any(stems_here & stems for stems in label)
            for other, label in self.labels
        )

    def read(self, pieces: Sequence[Piece]) -> Verbs:
        """What a sentence says is done; a whole label is stronger than a notion."""
        stems_by_place = {
            at: stems_of(piece) for at, piece in enumerate(pieces) if not piece.values
        }
        best: list[tuple[int, str, frozenset[int]]] = []
        for name, label in self.labels:
            places = _places(label, stems_by_place)
            if places:
                best.append((len(label), name, places))
        longest = max((size for size, _, _ in best), default=0)
        labelled = [(name, places) for size, name, places in best if size == longest]
        leaves = any("leave" in piece.notions for piece in pieces)
        meant: dict[int, dict[str, None]] = {}
        for at, piece in enumerate(pieces):
            for notion in sorted(piece.notions) if not piece.values else ():
                for name in self.notions.get(notion, ()):
                    meant.setdefault(at, {})[name] = None
        if longest > 1 or (labelled and not meant):
            whole = dict.fromkeys(name for name, _ in labelled)
            return Verbs(tuple(whole), frozenset().union(*(p for _, p in labelled)), leaves)
        if not meant:
            return Verbs()
        common = set.intersection(*(set(names) for names in meant.values()))
        ordered = dict.fromkeys(name for names in meant.values() for name in names)
        form_names = tuple(dict.fromkeys(name for name, _ in labelled))
        chosen = tuple(name for name in ordered if name in common)
        return Verbs(chosen, frozenset(meant) if chosen else frozenset(), leaves, form_names)


def _places(label: Sequence[Concepts], stems_by_place: Mapping[int, Concepts]) -> frozenset[int]:
    """The places of the words of a label in a sentence; none if one of them is missing."""
    places = set()
    for stems in label:
        at = next(
            (at for at, each in stems_by_place.items() if at not in places and stems & each), None
        )
        if at is None:
            return frozenset()
        places.add(at)
    return frozenset(places)


def verbs_of(reader: Reader, ruleset: AnyRuleset) -> KnownVerbs:
    """The words for the actions of a ruleset, which every language of it shares."""
    return ruleset.compiled.memo(("verbs",), lambda: _known_verbs(reader, ruleset))


def _known_verbs(reader: Reader, ruleset: AnyRuleset) -> KnownVerbs:
    labels: dict[tuple[str, tuple[Concepts, ...]], None] = {}
    for language in ruleset.languages:
        notation = ruleset.in_language(language).notation
        for form in notation.forms:
            words = words_in(_PARAM.sub(" ", notation.template(form)), {})
            telling = [
                word for word in words if word not in reader.own.idle and word not in JOINING
            ]
            stems = tuple(filter(None, (stems_of(Piece(word)) for word in telling or words)))
            if stems:
                labels[form.name, stems] = None
    return KnownVerbs(reader.talk.acts, tuple(labels))
