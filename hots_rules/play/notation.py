"""Actions as text and back, in the words of the rulebook.

An action's label says how it is written: `move {b} {a}-{to}`. Without a label it is its name and
its arguments. A text is read by the same labels, so that every text parses back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Any

from attrs import frozen

from hots_rules.compile.evaluate import lowest_code
from hots_rules.rules import finite as t
from hots_rules.state.shape import Shape, codes_of, type_from

CHANCE = "chance"


@frozen(slots=False, eq=False)
class ActionForm:
    """An action of a ruleset: its parameters, its first code, and its label."""

    name: str
    params: tuple[tuple[str, t.Type], ...]
    base: int
    size: int

    def decode(self, code: int, players: int) -> tuple[int, tuple[int, ...]]:
        """The player and the arguments of a code."""
        rest, args = code - self.base, []
        for _, type_ in reversed(self.params):
            rest, digit = divmod(rest, t.size(type_))
            args.append(digit + lowest_code(type_))
        return rest % max(players, 1), tuple(reversed(args))

    def encode(self, player: int, args: tuple[int, ...]) -> int:
        """The code of a player's action."""
        code = player
        for (_, type_), arg in zip(self.params, args, strict=True):
            code = code * t.size(type_) + arg - lowest_code(type_)
        return self.base + code


@frozen(slots=False, eq=False)
class Notation:
    """The notation of one ruleset in one language."""

    shape: Shape
    language: str = "en"

    @cached_property
    def forms(self) -> tuple[ActionForm, ...]:
        """All actions, in the order of their codes."""
        bases = [base for _, base in self.shape.facts["bases"]]
        ends = [*bases[1:], self.shape.facts["end"]]
        return tuple(
            ActionForm(
                a["name"],
                tuple((p["name"], type_from(p["type"])) for p in a["params"]),
                base,
                end - base,
            )
            for a, base, end in zip(self.shape.facts["actions"], bases, ends, strict=True)
        )

    def form_of(self, code: int) -> ActionForm:
        """The action that a code belongs to."""
        return next(form for form in self.forms if form.base <= code < form.base + form.size)

    def template(self, form: ActionForm) -> str:
        """The label of an action, with its parameters in braces."""
        label = self.shape.labels(self.language).get(f"action.{form.name}") or self.shape.labels(
            "en"
        ).get(f"action.{form.name}")
        return label or " ".join(
            [form.name.replace("_", " "), *(f"{{{name}}}" for name, _ in form.params)]
        )

    # -------------------------------------------------------------- writing
    def text(self, code: int) -> str:
        """The text of an action, with its player."""
        form = self.form_of(code)
        player, args = form.decode(code, len(self.shape.players))
        return f"{self.player(player)}: {self.without_player(form, args)}"

    def without_player(self, form: ActionForm, args: tuple[int, ...]) -> str:
        """The text of an action alone."""
        words = {
            name: self.shape.show(arg, type_, self.language)
            for (name, type_), arg in zip(form.params, args, strict=True)
        }
        return re.sub(r"\{(\w+)\}", lambda m: words.get(m[1], m[0]), self.template(form))

    def player(self, number: int) -> str:
        """A player in words."""
        return self.shape.word(
            (self.shape.facts["players_type"], self.shape.players[number]), self.language
        )

    # -------------------------------------------------------------- reading
    @cached_property
    def _patterns(self) -> tuple[tuple[ActionForm, re.Pattern[str]], ...]:
        return tuple((form, re.compile(self._pattern(form), re.IGNORECASE)) for form in self.forms)

    def _pattern(self, form: ActionForm) -> str:
        pieces = re.split(r"\{(\w+)\}", self.template(form))
        types = dict(form.params)
        found, seen = "", set[str]()
        for i, piece in enumerate(pieces):
            if i % 2 == 0:
                found += (
                    r"\s+".join(re.escape(word) for word in re.split(r"\s+", piece))
                    if piece
                    else ""
                )
            elif piece in seen:
                found += f"(?P={piece})"
            else:
                seen.add(piece)
                words = sorted(self._words(types[piece]), key=len, reverse=True)
                found += f"(?P<{piece}>{'|'.join(re.escape(word) for word in words)})"
        return found

    def _words(self, type_: t.Type) -> list[str]:
        if isinstance(type_, t.SetType):
            return []
        found = [self.shape.show(code, type_, self.language) for code in codes_of(type_)]
        if isinstance(type_, t.WordType):
            found += [value[1] for value in type_.values]
        return list(dict.fromkeys(found))

    def read(self, text: str) -> list[int]:
        """The codes of all actions, legal or not, that a text can mean; without a player, for each."""
        if len(text) > 300:
            return []
        player, _, rest = text.strip().rpartition(":")
        players = (
            self._players_named(player.strip()) if player else list(range(len(self.shape.players)))
        )
        rest = " ".join(rest.split())
        found = []
        for form, pattern in self._patterns:
            match = pattern.fullmatch(rest)
            if match is None:
                continue
            for args in self._readings(form, match):
                found += [form.encode(p, args) for p in players]
        return list(dict.fromkeys(found))

    def _players_named(self, text: str) -> list[int]:
        low = text.lower()
        return [
            i
            for i, name in enumerate(self.shape.players)
            if low in {name.lower(), self.player(i).lower()}
        ]

    def _readings(self, form: ActionForm, match: re.Match[str]) -> Iterator[tuple[int, ...]]:
        """The arguments that a text gives; a parameter that the label leaves out may have any value."""
        choices: list[list[int]] = []
        given = match.groupdict()
        for name, type_ in form.params:
            if name in given:
                low = given[name].lower()
                choices.append(
                    [code for code in codes_of(type_) if low in self._forms_of(code, type_)]
                )
            else:
                choices.append(list(codes_of(type_)))
        total = 1
        for choice in choices:
            total *= len(choice)
        if total > 100_000:
            return
        yield from product(*choices)

    def _forms_of(self, code: int, type_: t.Type) -> set[str]:
        found = {self.shape.show(code, type_, self.language).lower()}
        if isinstance(type_, t.WordType):
            found.add(type_.values[code][1].lower())
        return found

    def all_texts(self) -> list[str]:
        """The first words of every action, for near misses."""
        return [
            re.sub(r"\s*\{\w+\}[^{]*", " …", self.template(form), count=1) for form in self.forms
        ]


def outcome_text(
    shape: Shape, site: dict[str, Any], dice: tuple[int, ...] | None, outcome: int, language: str
) -> str:
    """An outcome of chance as text: `roll 2 4 5` or `draw Wallace`."""
    if dice is not None:
        return "roll " + " ".join(map(str, dice)) if dice else "roll nothing"
    return f"draw {shape.show(outcome, type_from(site['type']), language)}"
