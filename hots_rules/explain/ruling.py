"""Why an action is legal or not, as a value with texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

from attrs import frozen

from hots_rules._translate import Translator, translator
from hots_rules.explain import phrases
from hots_rules.explain.depth_text import MultiDepthText, source_text
from hots_rules.play.reason import Explanation, Reason


@frozen(repr=False)
class Ruling(MultiDepthText, Sequence[Reason]):
    """Why an action is legal or not at one moment of a game: the result of `why` and `why_not`.

    It is the sequence of the reasons against the action, so it is empty and false if the action is legal.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> after = game.play(game.actions[0])
    >>> ruling = after.why_not(game.actions[0])
    >>> ruling.is_legal, [reason.kind for reason in ruling], ruling[0].sections
    (False, ['moment', 'permit'], ('3.1',))
    >>> ruling.text("sentence")  # doctest: +ELLIPSIS
    '...: play Move 2 is not legal: it is for ... to choose now (play_cards §3.1).'

    Attributes:
        ruleset: the name of the ruleset.
        action: the text of the action.
        against: the reasons against it, in this order: it is not offered now; rules with a sentence of
            their own forbid it; no permit holds; other rules forbid it.
        support: the permits that hold and the forbids that do not; filled by `why`.
        sets: the minimal sets of reasons without which it would be legal, as indices into `against`;
            several if one of many permits is enough, or if the text has several meanings.
        changes: the minimal sets of changes of the state that would make it legal; empty if no play can.
        alternatives: the texts of the nearest legal actions.
        player: the player to whom it reveals nothing hidden; None if it may use the whole state.
        language: the language of the texts.
        others: the rulings for other players, if the text names none and could be about any of them; in
            JSON, each is a message of its own.
    """

    ruleset: str
    action: str
    against: tuple[Reason, ...] = ()
    support: tuple[Reason, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    changes: tuple[tuple[str, ...], ...] = ()
    alternatives: tuple[str, ...] = ()
    player: str | None = None
    language: str = "en"
    others: tuple[Ruling, ...] = ()
    _repr_pretty_ = MultiDepthText._repr_pretty_  # IPython looks in the class itself

    @property
    def is_legal(self) -> bool:
        """Whether there is no reason against it."""
        return not self.against

    def __repr__(self) -> str:
        count = len(self.against)
        reasons = f", {count} {'reason' if count == 1 else 'reasons'}" if count else ""
        return f"<Ruling: {self._headline()}{reasons}>"

    # -------------------------------------------------------------- a sequence of reasons
    def __len__(self) -> int:
        return len(self.against)

    @overload
    def __getitem__(self, index: int) -> Reason: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Reason, ...]: ...
    def __getitem__(self, index: int | slice) -> Reason | tuple[Reason, ...]:
        return self.against[index]

    def __iter__(self) -> Iterator[Reason]:
        return iter(self.against)

    # -------------------------------------------------------------- texts
    def text(self, depth: str = "paragraph") -> str:
        """The ruling as text, a `sentence`, a `paragraph` or a `tree`; those for other players follow.

        Raises:
            ArgumentError: no such depth.
        """
        return "\n".join([super().text(depth), *(ruling.text(depth) for ruling in self.others)])

    @property
    def _translator(self) -> Translator:
        return translator(self.language)

    def _headline(self) -> str:
        if any(reason.kind == "secret" for reason in self.against):
            return self.action
        if self.is_legal:
            return self._translator.gettext("{action} is legal", action=self.action)
        return self._translator.gettext("{action} is not legal", action=self.action)

    def _sentence(self) -> str:
        reasons = self.against or self.support[:1]
        if not reasons:
            return f"{self._headline()}."
        fact = reasons[0].found or reasons[0].summary.rstrip(".")
        return f"{phrases.fact(self._translator, self._headline(), fact)} ({reasons[0].cited})."

    def _paragraph(self) -> str:
        permits = [reason for reason in self.support if reason.kind == "permit"]
        sentences = [f"{self._headline()}.", *map(_reason_text, self.against or permits)]
        if self.changes and all(
            self.changes
        ):  # an empty set depends on what the player cannot know
            ways = [self._translator.join_list(changes) for changes in self.changes]
            sentences.append(phrases.would_be_legal(self._translator, ways))
        return " ".join([*sentences, *self._alternatives_text()])

    def _tree(self) -> str:
        lines = [self._headline()]
        for reason in (*self.against, *self.support):
            lines += self._reason_lines(reason, 1)
        return "\n".join([*lines, *(f"  {text}" for text in self._alternatives_text())])

    def _alternatives_text(self) -> Iterator[str]:
        if self.alternatives:
            choices = "; ".join(self.alternatives)
            yield self._translator.gettext("Legal now: {choices}.", choices=choices)

    def _reason_lines(self, reason: Reason, depth: int) -> Iterator[str]:
        source = source_text(reason.rule, reason.edition, reason.sections)
        headline = phrases.clause_status(self._translator, reason.kind, reason.stands, source)
        yield "  " * depth + phrases.fact(self._translator, headline, reason.summary)
        if reason.found:
            yield f"{'  ' * depth}  {reason.found}"
        if reason.ground is not None:
            yield from _explanation_lines(reason.ground, depth + 2, self._translator, reason.found)
        for exemption in reason.lifted_by:
            yield from self._reason_lines(exemption, depth + 1)


def _reason_text(reason: Reason) -> str:
    facts = f" {_as_sentence(reason.found)}" if reason.found else ""
    source = source_text(reason.rule, reason.edition, reason.sections)
    return f"{_as_sentence(reason.summary)}{facts} ({source})"


def _as_sentence(text: str) -> str:
    """A text with a capital letter and a full stop; a name such as `b6` at its beginning stays as it is."""
    is_name = re.match(r"[^\W\d]+\d", text) is not None
    begun = text if is_name else text[:1].upper() + text[1:]
    return begun if begun.endswith((".", "…", "!", "?")) else f"{begun}."


def _explanation_lines(
    explanation: Explanation, depth: int, translator: Translator, above: str = ""
) -> Iterator[str]:
    """The lines of an explanation, without a text that stands above it already."""
    if explanation.text and explanation.text != above:
        cited = "".join(f" §{section}" for section in explanation.sections)
        yield f"{'  ' * depth}{explanation.text}{cited}"
        depth += 1
    if len(explanation.parts) > 1:
        yield f"{'  ' * depth}({phrases.needed(translator, explanation.needs)})"
    for part in explanation.parts:
        yield from _explanation_lines(part, depth, translator)
