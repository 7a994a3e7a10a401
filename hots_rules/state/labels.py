"""Display texts of a ruleset in one language, for its values, variables, phases and rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import field, frozen

from hots_rules._translate import Translator, translator, untranslated
from hots_rules.compile.codes import bits, name_of
from hots_rules.diagnostics import fold_name
from hots_rules.rules.editions.label_kinds import sentence_key
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.origin import Origin
from hots_rules.state.schema import StateSchema

_PARAM = re.compile(r"(?:(?<=[\w}]),?\s+(?:[^\W\d_]{1,4}\s+)?)?\{\w+\}")
"""A parameter of a title, with a comma and one short word before it: `, {a}`, `of {a}`, `pour {a}`."""


@frozen(slots=False, eq=False)
class Labels:
    """Labels declared by a ruleset for one language, with English names as the fallback.

    A text without a label in the language is the English one between ‹ and ›.
    """

    schema: StateSchema
    language: str = "en"
    _words: dict[types.WordType, tuple[str, ...]] = field(factory=dict, init=False, repr=False)

    @cached_property
    def translator(self) -> Translator:
        """The translator of the library's own texts."""
        return translator(self.language)

    @cached_property
    def english(self) -> Labels:
        """The same ruleset in English."""
        return self if self.language == "en" else Labels(self.schema)

    @cached_property
    def declared(self) -> Mapping[str, str]:
        """The labels that the ruleset declares for the language, by key: `rule no-peeking`, `Piece.Fox`."""
        return self.schema.facts.labels.get(self.language, {})

    # -------------------------------------------------------------- declarations
    def label(self, key: str, english: str) -> str:
        """The label with a key, such as `rule no-peeking`; without one the English text."""
        label = self.declared.get(key)
        if label is None and self.language != "en" and english:
            return untranslated(self.english.label(key, english))
        return label or english

    def sentence(self, kind: str, name: str, summary: str) -> str:
        """The sentence of a rule, action or phase; `summary` is the sentence in English."""
        return self.label(sentence_key(kind, name), summary)

    def summary(self, origin: Origin) -> str:
        """The sentence of the declaration at an origin."""
        return self.sentence(origin.kind, origin.rule, origin.summary)

    def name(self, kind: str, name: str) -> str:
        """The name of a variable, type or phase: its label, or its name with spaces."""
        return self.label(f"{kind} {name}", name.replace("_", " "))

    def phase(self, name: str) -> str:
        """The title of a phase: its label up to a colon, without parameters and what leads to them."""
        title = self.name("phase", name).partition(":")[0].strip()
        return _PARAM.sub("", title).strip() or name

    def cell_label(self, variable: str, keys: Iterable[str]) -> str:
        """The name of a cell of a variable: `strength of Fox`."""
        name, listed = self.name("variable", variable), ", ".join(keys)
        if not listed:
            return name
        return self.translator.gettext("{variable} of {keys}", variable=name, keys=listed)

    # -------------------------------------------------------------- values
    def word(self, value: types.Value) -> str:
        """The label of a value, or its name with spaces."""
        if value == types.NONE:
            return self.translator.gettext("none")
        owner, name = value
        label = self.declared.get(f"{owner}.{name}") or self.declared.get(name)
        if label is None and self.language != "en":
            return untranslated(self.english.word(value))
        return label or name.replace("_", " ")

    def words(self, type_: types.WordType) -> tuple[str, ...]:
        """The labels of all values of a type, by code; values whose labels are equal have their names."""
        kept = self._words.get(type_)
        if kept is None:
            words = [self.word(value) for value in type_.values]
            counts = Counter(map(fold_name, words))
            kept = self._words[type_] = tuple(
                word if counts[fold_name(word)] == 1 else name_of(value, type_)
                for word, value in zip(words, type_.values, strict=True)
            )
        return kept

    def format_value(self, code: int, type_: types.Type) -> str:
        """The value of a code as text."""
        match type_:
            case types.WordType():
                return self.words(type_)[code]
            case types.BoolType():
                gettext = self.translator.gettext
                return gettext("yes") if code else gettext("no")
            case types.SetType():
                members = (self.format_value(member, type_.member) for member in bits(code))
                return f"{{{', '.join(members)}}}"
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                first = self.format_value(left, type_.left)
                return f"({first}, {self.format_value(right, type_.right)})"
        return self.translator.gettext("no limit") if code == types.MAX_NUMBER else str(code)

    # -------------------------------------------------------------- players
    def player(self, number: int) -> str:
        """The word for a player, by number."""
        return self.players[number]

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The words for the players, in the order of the ruleset."""
        return tuple(self.word(player) for player in self.schema.facts.players)

    def players_named(self, names: Iterable[str]) -> list[str]:
        """The labels of players, given their names in the ruleset; `chance` is one."""
        numbers = {name: number for number, name in enumerate(self.schema.players)}
        return [
            self.player(numbers[name]) if name in numbers else self.translator.gettext(name)
            for name in names
        ]
