"""The answer to "why" and "why not": what stands against an action, and what allows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

from attrs import field, frozen

from hots_rules.diagnostics import UnknownOption
from hots_rules.play.grounds import Ground
from hots_rules.play.phrases import Phrases
from hots_rules.play.reason import Reason

SCHEMA = "explanation.v1"
DEPTHS = ("sentence", "paragraph", "tree")
MAX_CHANGES = 4


@frozen
class Ruling(Sequence[Reason]):
    """What the rules say of an action at one moment.

    `against` are the reasons against it, from the general to the particular: not the moment, no
    permit, forbidden. It is legal when there are none, and it is a sequence of them. `support` are the
    permits that hold and the forbids that were looked at and do not stand. `sets` are the smallest sets of
    reasons of which one must be out of the way, where there are several: one for each permit that
    could hold, and for each thing that its text may mean. `alternatives` are the nearest legal actions.
    """

    ruleset: str
    action: str
    against: tuple[Reason, ...] = ()
    support: tuple[Reason, ...] = ()
    sets: tuple[tuple[Reason, ...], ...] = ()
    alternatives: tuple[str, ...] = ()
    player: str | None = None
    language: str = "en"
    schema: str = field(default=SCHEMA, init=False)

    @property
    def is_legal(self) -> bool:
        """Whether nothing stands against it."""
        return not self.against

    @property
    def changes(self) -> tuple[tuple[str, ...], ...]:
        """The smallest sets of changes that would make it legal; none where it is not the moment for it."""
        found: list[tuple[str, ...]] = []
        for reasons in self.sets:
            ways: list[tuple[str, ...]] = [()]
            for reason in reasons:
                ways = [(*one, *other) for one in ways for other in reason.changes][:MAX_CHANGES]
            found += ways
        least = sorted(dict.fromkeys(tuple(dict.fromkeys(way)) for way in found), key=len)
        return tuple(least[:MAX_CHANGES])

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
    def _phrases(self) -> Phrases:
        return Phrases(self.language)

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

    def __str__(self) -> str:
        return self.text()

    def _head(self) -> str:
        phrase = "is legal" if self.is_legal else "is illegal"
        return self._phrases.say(phrase, action=self.action)

    def _sentence(self) -> str:
        told = self.against or self.support[:1]
        if not told:
            return f"{self._head()}."
        first = told[0]
        said = first.found or first.summary.rstrip(".")
        return f"{self._head()}: {said} ({first.cited})."

    def _paragraph(self) -> str:
        said = [f"{self._head()}."]
        for reason in self.against or [one for one in self.support if one.kind == "permit"]:
            found = f" {_as_sentence(reason.found)}" if reason.found else ""
            said.append(f"{_as_sentence(reason.summary)}{found} ({_source(reason)})")
        ways = [self._phrases.listed(way) for way in self.changes]
        if ways:
            joined = f"; {self._phrases.say('or')} ".join(ways)
            said.append(self._phrases.say("change", change=joined))
        if self.alternatives:
            choices = "; ".join(self.alternatives)
            said.append(self._phrases.say("instead", choices=choices))
        return " ".join(said)

    def _tree(self) -> str:
        lines = [self._head()]
        for reason in (*self.against, *self.support):
            lines += self._branch(reason, 1)
        if self.alternatives:
            lines.append("  " + self._phrases.say("instead", choices="; ".join(self.alternatives)))
        return "\n".join(lines)

    def _branch(self, reason: Reason, depth: int) -> Iterator[str]:
        phrase = _PHRASES.get((reason.kind, reason.stands))
        source = _source(reason)
        head = source if phrase is None else self._phrases.say(phrase, rule=source)
        yield f"{'  ' * depth}{head}: {reason.summary}"
        if reason.found:
            yield f"{'  ' * depth}  {reason.found}"
        if reason.ground is not None:
            yield from _lines(reason.ground, depth + 2, self._phrases, reason.found)
        for exemption in reason.lifted_by:
            yield from self._branch(exemption, depth + 1)

    # -------------------------------------------------------------- data
    def as_json(self) -> dict[str, Any]:
        """The answer as plain data, by the schema `explanation.v1`."""
        return {
            "schema": self.schema,
            "ruleset": self.ruleset,
            "action": self.action,
            "legal": self.is_legal,
            "language": self.language,
            "player": self.player,
            "sentence": self._sentence(),
            "against": [_reason_json(reason) for reason in self.against],
            "support": [_reason_json(reason) for reason in self.support],
            "sets": [[reason.rule for reason in reasons] for reasons in self.sets],
            "changes": [list(way) for way in self.changes],
            "alternatives": list(self.alternatives),
        }


_PHRASES = {
    ("permit", False): "permitted",
    ("permit", True): "no way",
    ("forbid", False): "not in the way",
    ("forbid", True): "in the way",
    ("exempt", False): "exempt",
    ("exempt", True): "no exemption",
}


def _source(reason: Reason) -> str:
    """The rule, the edition and the sections."""
    sections = (f"§{section}" for section in reason.sections)
    return " ".join(part for part in (reason.rule, reason.edition, *sections) if part)


def _as_sentence(text: str) -> str:
    said = text[:1].upper() + text[1:]
    return said if said.endswith((".", "…", "!", "?")) else f"{said}."


def _lines(ground: Ground, depth: int, phrases: Phrases, said: str = "") -> Iterator[str]:
    if ground.text and ground.text != said:
        cited = "".join(f" §{section}" for section in ground.sections)
        yield f"{'  ' * depth}{ground.text}{cited}"
        depth += 1
    if len(ground.parts) > 1:
        yield f"{'  ' * depth}({phrases.say('one of' if ground.needs == 'one' else 'all of')})"
    for part in ground.parts:
        yield from _lines(part, depth, phrases)


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.kind,
        "rule": reason.rule,
        "edition": reason.edition,
        "sections": list(reason.sections),
        "summary": reason.summary,
        "found": reason.found,
        "values": list(reason.values),
        "stands": reason.stands,
        "ground": None if reason.ground is None else _ground_json(reason.ground),
        "changes": [list(way) for way in reason.changes],
        "exemptions": [_reason_json(one) for one in reason.lifted_by],
    }


def _ground_json(ground: Ground) -> dict[str, Any]:
    return {
        "text": ground.text,
        "change": ground.change,
        "fixed": ground.is_fixed,
        "needs": ground.needs,
        "sections": list(ground.sections),
        "parts": [_ground_json(part) for part in ground.parts],
    }
