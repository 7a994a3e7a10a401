"""Lines of a position as one says them at a table: `place Fox 3 Shore`, `played Red 3 Blue Ace`."""

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
    """The lines that a short one stands for; None if it is none, but a line of a position perhaps.

    It begins with a variable that has one key; then come keys, each with values: of that variable, or of
    others with the same key. `place Fox 3 Shore` is `Fox: strength 3, place Shore`.

    Raises:
        BadPosition: it is a short line with a word that means nothing there.
    """
    head, *words = line.split("#")[0].split()[:MAX_WORDS] or [""]
    first = schema.variables.get(head.lower())
    if first is None or ":" in line or not words or not _is_keyed(first):
        return None
    variables = [
        first,
        *(v for v in schema.variables.values() if v.keys == first.keys and v is not first),
    ]
    found = _Short(schema, variables, words).rows()
    return "\n".join(f"{key}: {', '.join(said)}" for key, said in found.items())


def _is_keyed(variable: Variable) -> bool:
    return len(variable.keys) == 1 and isinstance(variable.keys[0], types.WordType)


@define
class _Short:
    schema: StateSchema
    variables: list[Variable]
    words: list[str]
    at: int = 0
    given: dict[str, dict[str, str]] = field(factory=dict)
    key: str = ""

    def rows(self) -> dict[str, list[str]]:
        """For each key its variables with values."""
        while self.at < len(self.words):
            if not (self._wants_value and self._takes_value()) and not (
                self._takes_key() or self._takes_value()
            ):
                raise BadPosition((self._fault(),))
        if not all(self.given.values()):
            raise BadPosition((f"expected a value after `{self.key}`, got the end of the line",))
        return {
            key: [f"{name} {value}" for name, value in said.items()]
            for key, said in self.given.items()
        }

    def _fault(self) -> str:
        """What is wrong with the next word: it is no key; nor, after a key, a value."""
        reading, word = self.schema.value_parser(), self.words[self.at]
        known = [self.variables[0].keys[0], *(v.type for v in self.variables if self.key)]
        wanted = list(dict.fromkeys(one for one in known if isinstance(one, types.WordType)))
        for one in wanted:
            reading.value(word, one)
        near_miss = next((fault for fault in reading.faults if "did you mean" in fault), None)
        return near_miss or reading.faults[0]

    @property
    def _wants_value(self) -> bool:
        """A word that could be the next key or the value that is asked for is the value."""
        return self.key != "" and self.variables[0].name not in self.given[self.key]

    def _takes_key(self) -> bool:
        for text, end in self._runs():
            code = self._one(text, self.variables[0].keys[0])
            if code is not None:
                self.key = value_text(code, self.variables[0].keys[0])
                self.given.setdefault(self.key, {})
                self.at = end
                return True
        return False

    def _takes_value(self) -> bool:
        if not self.key:
            return False
        free = [v for v in self.variables if v.name not in self.given[self.key]]
        for read in (self._one, self._ending):
            for text, end in self._runs():
                for variable in free:
                    code = read(text, variable.type)
                    if code is not None:
                        said = value_text(code, variable.type)
                        self.given[self.key][variable.name] = said
                        self.at = end
                        return True
        return False

    def _runs(self) -> Iterator[tuple[str, int]]:
        """The next words together, the longest run first."""
        for end in range(min(len(self.words), self.at + 4), self.at, -1):
            yield " ".join(self.words[self.at : end]), end

    def _one(self, text: str, type_: types.Type) -> int | None:
        if isinstance(type_, types.WordType):
            found = self.schema.value_parser().meanings(text, type_)
            return found[0] if len(found) == 1 else None
        if isinstance(type_, types.IntType | types.BoolType):
            return self.schema.value_parser().value(text, type_)
        return None

    def _ending(self, text: str, type_: types.Type) -> int | None:
        """A value whose last word it is, as `3` is of `Move 3`, if only one ends so."""
        if not isinstance(type_, types.WordType):
            return None
        wanted = f" {text.casefold()}"
        said = enumerate(Labels(self.schema).words(type_))
        found = [code for code, word in said if word.casefold().endswith(wanted)]
        return found[0] if len(found) == 1 else None
