"""The answer to "why" and "why not": what stands against an action, and what allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, overload

from attrs import frozen

from hots_rules._translate import Translator, translator
from hots_rules.diagnostics import UnknownOption
from hots_rules.explain import phrases
from hots_rules.play.reason import Explanation, Reason

DEPTHS = ("sentence", "paragraph", "tree")


class MultiDepthText:
    """An answer with a text at several depths, as a console and a notebook show it."""

    __slots__ = ()

    def text(self, depth: str = "paragraph") -> str:
        """The answer in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.text())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text('tree'))}</pre>"


@frozen
class Ruling(MultiDepthText, Sequence[Reason]):
    """What the rules say of an action at one moment.

    `against` are the reasons against it, from the general to the particular: not the moment, no
    permit, forbidden. It is legal when there are none, and it is a sequence of them. `support` are the
    permits that hold and the forbids that were looked at and do not stand. `sets` are the smallest sets of
    reasons without which it would be legal, as places in `against`: several, where one permit of
    many would do, or where its text may mean more than one thing. `changes` are the smallest sets of changes
    that would make it legal, none where no play can. `alternatives` are the nearest legal actions.
    `player` is who was told, None for who may know everything.
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
    _repr_pretty_ = MultiDepthText._repr_pretty_  # a console looks into the class itself

    @property
    def is_legal(self) -> bool:
        """Whether nothing stands against it."""
        return not self.against

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

    # -------------------------------------------------------------- words
    @property
    def _words(self) -> Translator:
        return translator(self.language)

    def text(self, depth: str = "paragraph") -> str:
        """The answer in words: a `sentence`, a `paragraph` or a `tree`.

        Raises:
            UnknownOption: no such depth.
        """
        if depth not in DEPTHS:
            raise UnknownOption("depth", DEPTHS, str(depth))
        return {"sentence": self._sentence, "paragraph": self._paragraph, "tree": self._tree}[
            depth
        ]()

    def _head(self) -> str:
        if any(reason.kind == "secret" for reason in self.against):
            return self.action
        if self.is_legal:
            return self._words.gettext("{action} is legal", action=self.action)
        return self._words.gettext("{action} is not legal", action=self.action)

    def _sentence(self) -> str:
        told = self.against or self.support[:1]
        if not told:
            return f"{self._head()}."
        first = told[0]
        said = first.found or first.summary.rstrip(".")
        return f"{phrases.fact(self._words, self._head(), said)} ({first.cited})."

    def _paragraph(self) -> str:
        said = [f"{self._head()}."]
        for reason in self.against or [one for one in self.support if one.kind == "permit"]:
            found = f" {_as_sentence(reason.found)}" if reason.found else ""
            said.append(f"{_as_sentence(reason.summary)}{found} ({_source(reason)})")
        if self.changes and all(self.changes):  # a way may hang on what the asker cannot know
            ways = [self._words.join_list(way) for way in self.changes]
            said.append(phrases.would_be_legal(self._words, ways))
        if self.alternatives:
            choices = "; ".join(self.alternatives)
            said.append(self._words.gettext("Legal now: {choices}.", choices=choices))
        return " ".join(said)

    def _tree(self) -> str:
        lines = [self._head()]
        for reason in (*self.against, *self.support):
            lines += self._branch(reason, 1)
        if self.alternatives:
            lines.append(
                "  "
                + self._words.gettext("Legal now: {choices}.", choices="; ".join(self.alternatives))
            )
        return "\n".join(lines)

    def _branch(self, reason: Reason, depth: int) -> Iterator[str]:
        head = phrases.standing(self._words, reason.kind, reason.stands, _source(reason))
        yield "  " * depth + phrases.fact(self._words, head, reason.summary)
        if reason.found:
            yield f"{'  ' * depth}  {reason.found}"
        if reason.ground is not None:
            yield from _lines(reason.ground, depth + 2, self._words, reason.found)
        for exemption in reason.lifted_by:
            yield from self._branch(exemption, depth + 1)


def _source(reason: Reason) -> str:
    """The rule, the edition and the sections."""
    sections = (f"§{section}" for section in reason.sections)
    return " ".join(part for part in (reason.rule, reason.edition, *sections) if part)


def _as_sentence(text: str) -> str:
    said = text[:1].upper() + text[1:]
    return said if said.endswith((".", "…", "!", "?")) else f"{said}."


def _lines(ground: Explanation, depth: int, words: Translator, said: str = "") -> Iterator[str]:
    if ground.text and ground.text != said:
        cited = "".join(f" §{section}" for section in ground.sections)
        yield f"{'  ' * depth}{ground.text}{cited}"
        depth += 1
    if len(ground.parts) > 1:
        yield f"{'  ' * depth}({phrases.needed(words, ground.needs)})"
    for part in ground.parts:
        yield from _lines(part, depth, words)
