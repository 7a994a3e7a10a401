"""The actions that the words of a sentence mean: by the concepts of the talk file, and by the labels of actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import frozen

from hots_rules.play.game import AnyRuleset
from hots_rules.talk.reading.lexicon import Stems, Token, stems_of
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.words import words_in

JOINING = frozenset({"to", "from", "with", "the", "for", "vers", "depuis"})
"""Words of labels that join their parts."""
GOING = (
    *("go", "move", "aller", "bouger", "deplacer"),
    *("ir", "mover", "moverse"),
)
"""Words for what leads from one square of a board to another."""
ATTACK = "attack"
"""The concept of verbs for an action against something."""
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
        concepts: the concepts that mean actions, with the names of these.
        labels: the telling words of the labels of each action in each language, as stems.
    """

    concepts: Mapping[str, tuple[str, ...]]
    labels: Sequence[tuple[str, tuple[Stems, ...]]]

    @property
    def attacks(self) -> frozenset[str]:
        """The concepts of verbs for an action against something: they mean the same actions as `attack`."""
        names = self.concepts.get(ATTACK)
        return frozenset(
            {ATTACK, *(word for word in self.concepts if self.concepts[word] == names)}
        )

    def is_in_label(self, name: str, token: Token) -> bool:
        """Whether the label of an action has the word of a piece itself: `sail the Owl to {place}`."""
        stems_here = stems_of(token)
        return any(
            name == other and any(stems_here & stems for stems in label)
            for other, label in self.labels
        )

    def read(self, tokens: Sequence[Token]) -> Verbs:
        """What a sentence says is done; a whole label is stronger than a concept."""
        # A word inside a phrase such as `main attack` is no verb.
        stems_by_place = {
            at: stems_of(token)
            for at, token in enumerate(tokens)
            if not (token.values or " " in token.text)
        }
        best: list[tuple[int, str, frozenset[int]]] = []
        for name, label in self.labels:
            places = _places(label, stems_by_place)
            if places:
                best.append((len(label), name, places))
        longest = max((size for size, _, _ in best), default=0)
        labelled = [(name, places) for size, name, places in best if size == longest]
        leaves = any("leave" in token.concepts for token in tokens)
        meant: dict[int, dict[str, None]] = {}
        for at, token in enumerate(tokens):
            for concept in sorted(token.concepts) if not token.values else ():
                for name in self.concepts.get(concept, ()):
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


def _places(label: Sequence[Stems], stems_by_place: Mapping[int, Stems]) -> frozenset[int]:
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
    labels: dict[tuple[str, tuple[Stems, ...]], None] = {}
    for language in ruleset.languages:
        notation = ruleset.in_language(language).notation
        for form in notation.forms:
            words = words_in(_PARAM.sub(" ", notation.template(form)), {})
            telling = [
                word
                for word in words
                if word not in reader.library_words.idle and word not in JOINING
            ]
            stems = tuple(filter(None, (stems_of(Token(word)) for word in telling or words)))
            if stems:
                labels[form.name, stems] = None
    if not reader.talk.acts:
        for form in ruleset.notation.forms:  # the rulebook's word, where the label has another
            labels[form.name, tuple(stems_of(Token(word)) for word in form.name.split("_"))] = None
        for name in _going_on_a_board(ruleset):
            labels |= dict.fromkeys((name, (stems_of(Token(word)),)) for word in GOING)
    return KnownVerbs(reader.talk.acts, tuple(labels))


def _going_on_a_board(ruleset: AnyRuleset) -> tuple[str, ...]:
    """The actions that lead from one square of a board to another."""
    schema = ruleset.schema
    if schema.facts.map is None or not schema.facts.map.is_board:
        return ()
    square = str(schema.variables[schema.facts.map.variable].keys[0])
    return tuple(
        form.name
        for form in ruleset.notation.forms
        if [str(type_) for _, type_ in form.params].count(square) > 1
    )
