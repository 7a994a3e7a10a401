"""Shorthand lines of a position: `place Fox 3 Shore` is `Fox: place Shore, strength 3`."""

from collections.abc import Iterator

from attrs import define, field

from hots_rules.compile.codes import value_text
from hots_rules.compile.facts import Variable
from hots_rules.diagnostics import BadPosition
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema
from hots_rules.state.values import ValueParser

MAX_WORDS = 60


@define
class Shorthand:
    """Expands shorthand lines: a variable with one key, then keys, each with values.

    The values are those of that variable or of others with the same key.
    """

    schema: StateSchema
    values: ValueParser
    _last_words: dict[types.WordType, dict[str, list[int]]] = field(factory=dict)

    def assignments_by_key(self, line: str) -> dict[str, list[str]] | None:
        """The assignments of a line, such as `strength 3`, by key; None if it is no shorthand.

        Raises:
            BadPosition: a word of the line is neither a key nor a value that fits there, or there are too many words.
        """
        head, *words = line.split() or [""]
        first = self.schema.variables.get(head) or self.schema.variables.get(head.lower())
        if first is None or ":" in line or not words or not _is_keyed(first):
            return None
        if len(words) >= MAX_WORDS:
            fault = f"expected at most {MAX_WORDS} words, got {1 + len(words)}; use several lines"
            raise BadPosition((fault,))
        others = (v for v in self.schema.variables.values() if v.keys == first.keys)
        variables = [first, *(v for v in others if v is not first)]
        return _Line(self, variables, words).assignments_by_key()

    def last_words(self, type_: types.WordType) -> dict[str, list[int]]:
        """The codes of the values of a type by the last word of their labels: `3` for `Move 3`."""
        if type_ not in self._last_words:
            codes: dict[str, list[int]] = {}
            for code, label in enumerate(Labels(self.schema).words(type_)):
                words = label.split()
                if len(words) > 1:
                    for word in {words[-1], words[-1].casefold()}:
                        codes.setdefault(word, []).append(code)
            self._last_words[type_] = codes
        return self._last_words[type_]


def _is_keyed(variable: Variable) -> bool:
    return len(variable.keys) == 1 and isinstance(variable.keys[0], types.WordType)


@define
class _Line:
    shorthand: Shorthand
    variables: list[Variable]
    words: list[str]
    at: int = 0
    values_by_key: dict[str, dict[str, str]] = field(factory=dict)
    key: str = ""

    def assignments_by_key(self) -> dict[str, list[str]]:
        while self.at < len(self.words):
            takes = [self._take_key, self._take_value]
            if self._expects_value:
                takes.reverse()
            if not any(take() for take in takes):
                raise BadPosition((self._fault(),))
        if not all(self.values_by_key.values()):
            raise BadPosition((f"expected a value after `{self.key}`, got the end of the line",))
        return {
            key: [f"{name} {value}" for name, value in assignments.items()]
            for key, assignments in self.values_by_key.items()
        }

    def _fault(self) -> str:
        """The error text for a next word that is neither a key nor, after a key, a value."""
        parser, word = self.shorthand.values, self.words[self.at]
        # Parsed as a value of each type that may come next, for the faults alone; one that suggests a word comes first.
        candidates = [self.variables[0].keys[0], *(v.type for v in self.variables if self.key)]
        for type_ in dict.fromkeys(candidates):
            if isinstance(type_, types.WordType):
                parser.value(word, type_)
        near = list(parser.near)
        return [*near, *parser.take_faults()][0]

    @property
    def _expects_value(self) -> bool:
        """Whether a word that could be a key or a value is a value: the key has none yet of the first variable."""
        return self.key != "" and self.variables[0].name not in self.values_by_key[self.key]

    def _take_key(self) -> bool:
        type_ = self.variables[0].keys[0]
        for text, end in self._runs():
            code = self._parse_value(text, type_)
            if code is not None:
                self.key = value_text(code, type_)
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
        parser = self.shorthand.values
        if isinstance(type_, types.WordType):
            codes = parser.meanings(text, type_)
            return codes[0] if len(codes) == 1 else None
        if not isinstance(type_, types.IntType | types.BoolType):
            return None
        code = parser.value(text, type_)
        parser.take_faults()
        return code

    def _parse_last_word(self, text: str, type_: types.Type) -> int | None:
        """The only value whose label ends with this word, as `Move 3` ends with `3`."""
        if not isinstance(type_, types.WordType):
            return None
        by_word = self.shorthand.last_words(type_)
        codes = by_word.get(text) or by_word.get(text.casefold(), [])
        return codes[0] if len(codes) == 1 else None
