"""Shorthand lines of a position, as spoken in play: `place Fox 3 Shore`, `played Red 3 Blue Ace`."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import BadPosition
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema
from hots_rules.state.values import value_text

MAX_WORDS = 60


def spelt_out(schema: StateSchema, line: str) -> str | None:
    """Expand a shorthand line to lines of a position; None if the line is not shorthand.

    A shorthand line starts with a variable that has one key. Keys follow, each with values of that
    variable or of others with the same key: `place Fox 3 Shore` is `Fox: strength 3, place Shore`.

    Raises:
        BadPosition: a word of a shorthand line is neither a key nor a value that fits there.
    """
    head, *words = line.split("#")[0].split()[:MAX_WORDS] or [""]
    first = schema.variables.get(head.lower())
    if first is None or ":" in line or not words or not _is_keyed(first):
        return None
    variables = [
        first,
        *(v for v in schema.variables.values() if v.keys == first.keys and v is not first),
    ]
    rows = _ShorthandParser(schema, variables, words).rows()
    return "\n".join(f"{key}: {', '.join(assignments)}" for key, assignments in rows.items())


def _is_keyed(variable: Variable) -> bool:
    return len(variable.keys) == 1 and isinstance(variable.keys[0], types.WordType)


@define
class _ShorthandParser:
    schema: StateSchema
    variables: list[Variable]
    words: list[str]
    at: int = 0
    values_by_key: dict[str, dict[str, str]] = field(factory=dict)
    key: str = ""

    def rows(self) -> dict[str, list[str]]:
        """The assignments (`strength 3`) by key."""
        while self.at < len(self.words):
            if not (self._expects_value and self._take_value()) and not (
                self._take_key() or self._take_value()
            ):
                raise BadPosition((self._fault(),))
        if not all(self.values_by_key.values()):
            raise BadPosition((f"expected a value after `{self.key}`, got the end of the line",))
        return {
            key: [f"{name} {value}" for name, value in assignments.items()]
            for key, assignments in self.values_by_key.items()
        }

    def _fault(self) -> str:
        """The error text for a next word that is neither a key nor, after a key, a value."""
        parser, word = self.schema.value_parser(), self.words[self.at]
        candidates = [self.variables[0].keys[0], *(v.type for v in self.variables if self.key)]
        for type_ in dict.fromkeys(candidates):
            if isinstance(type_, types.WordType):
                parser.value(word, type_)
        near_miss = next((fault for fault in parser.faults if "did you mean" in fault), None)
        return near_miss or parser.faults[0]

    @property
    def _expects_value(self) -> bool:
        """True while the key has no value of the first variable: a word that could be both is it."""
        return self.key != "" and self.variables[0].name not in self.values_by_key[self.key]

    def _take_key(self) -> bool:
        for text, end in self._runs():
            code = self._parse_value(text, self.variables[0].keys[0])
            if code is not None:
                self.key = value_text(code, self.variables[0].keys[0])
                self.values_by_key.setdefault(self.key, {})
                self.at = end
                return True
        return False

    def _take_value(self) -> bool:
        if not self.key:
            return False
        unset = [v for v in self.variables if v.name not in self.values_by_key[self.key]]
        for parse in (self._parse_value, self._parse_last_word):
            for text, end in self._runs():
                for variable in unset:
                    code = parse(text, variable.type)
                    if code is not None:
                        value = value_text(code, variable.type)
                        self.values_by_key[self.key][variable.name] = value
                        self.at = end
                        return True
        return False

    def _runs(self) -> Iterator[tuple[str, int]]:
        """The next one to four words joined, the longest run first, with the index after it."""
        for end in range(min(len(self.words), self.at + 4), self.at, -1):
            yield " ".join(self.words[self.at : end]), end

    def _parse_value(self, text: str, type_: types.Type) -> int | None:
        if isinstance(type_, types.WordType):
            codes = self.schema.value_parser().meanings(text, type_)
            return codes[0] if len(codes) == 1 else None
        if isinstance(type_, types.IntType | types.BoolType):
            return self.schema.value_parser().value(text, type_)
        return None

    def _parse_last_word(self, text: str, type_: types.Type) -> int | None:
        """The only value whose label ends with this word, as `Move 3` ends with `3`."""
        if not isinstance(type_, types.WordType):
            return None
        suffix = f" {text.casefold()}"
        labels = enumerate(Labels(self.schema).words(type_))
        codes = [code for code, label in labels if label.casefold().endswith(suffix)]
        return codes[0] if len(codes) == 1 else None
