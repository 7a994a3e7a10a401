"""Values as text, formatted and parsed: `Red_Fox`, `none`, `{Shore, Hill}`, `(Shore, 3)`.

Values are written with the names that the ruleset declares, the same in every language. A name that
two values of a type share is qualified with the type that declares it: `Area.Shore`.
"""

import re
from collections.abc import Iterable

from hots_rules.compile.codes import codes_of, value_text
from hots_rules.diagnostics import Suggestion, fold_name, suggest
from hots_rules.rules.typed import value_types as types

MAX_SHOWN = 50
MAX_COMPARED = 200
MAX_CHOICES = 8  # values of a type that a fault lists
# The codes of the values of a type by folded name, and by folded label.
Words = dict[types.WordType, tuple[dict[str, list[int]], dict[str, list[int]]]]
_WHOLE = re.compile(r"-?[0-9]{1,12}")


def parts_of(text: str, separator: str = ",") -> list[str]:
    """Split at the separators outside braces and parentheses."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "{(") - (char in "})")
        if char == separator[0] and depth <= 0 and text.startswith(separator, i):
            parts.append(text[start:i].strip())
            start = i + len(separator)
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


class ValueParser:
    """Parses values and collects the errors in `faults`, and those with a suggestion in `near` too.

    A text is matched with names first, then with the labels of every language. Parsers of the same labels may share
    `words`, which they fill: computing them takes longer than a value.
    """

    def __init__(self, labels: dict[str, dict[str, str]], words: Words | None = None) -> None:
        self.labels = labels
        self.faults: list[str] = []
        self.near: list[str] = []
        self._compared = 0
        self._words: Words = {} if words is None else words

    def value(self, text: str, type_: types.Type) -> int | None:
        """The code of a value; None, with a fault added, if the text is not a value of the type."""
        match type_:
            case types.IntType():
                if _WHOLE.fullmatch(text) and int(text) in codes_of(type_):
                    return int(text)
                return self._fault(f"a number of {type_}", text)
            case types.BoolType():
                code = {"yes": 1, "true": 1, "no": 0, "false": 0}.get(text.lower())
                return self._fault("yes or no", text) if code is None else code
            case types.SetType():
                return self._set(text, type_)
            case types.PairType():
                return self._pair(text, type_)
            case types.WordType():
                return self._word(text, type_)
        return self._fault(f"a value of {type_}", text)

    def take_faults(self) -> list[str]:
        """The faults since the last call."""
        faults, self.faults, self.near = self.faults, [], []
        return faults

    def _fault(self, expected: str, text: str, remedy: str = "") -> int | None:
        self.faults.append(f"expected {expected}, got `{text[:MAX_SHOWN]}`{remedy}")
        return None

    def _set(self, text: str, type_: types.SetType) -> int | None:
        if not (text.startswith("{") and text.endswith("}") and len(text) > 1):
            return self._fault("a set in braces", text)
        members = [self.value(part, type_.member) for part in parts_of(text[1:-1])]
        return sum({1 << m for m in members if m is not None}) if None not in members else None

    def _pair(self, text: str, type_: types.PairType) -> int | None:
        parts = parts_of(text[1:-1]) if text.startswith("(") and text.endswith(")") else []
        if len(parts) != 2:
            return self._fault("a pair in parentheses", text)
        left, right = self.value(parts[0], type_.left), self.value(parts[1], type_.right)
        return None if left is None or right is None else types.pair_code(type_, left, right)

    def suggest(self, text: str, candidates: Iterable[str]) -> Suggestion:
        """The closest candidates; none if none is close, and after `MAX_COMPARED` searches."""
        self._compared += 1
        return suggest(text, candidates) if self._compared <= MAX_COMPARED else Suggestion(text)

    # -------------------------------------------------------------- words
    def _word(self, text: str, type_: types.WordType) -> int | None:
        codes = self.meanings(text, type_)
        if len(codes) == 1:
            return codes[0]
        if codes:
            names = [".".join(type_.values[code]) for code in codes]
            return self._fault("one value", text, f", which could mean `{'` or `'.join(names)}`")
        names_and_labels = self._names_and_labels(type_)
        candidates = {
            word: code for index in names_and_labels[::-1] for word, (code, *_) in index.items()
        }
        near = self.suggest(text, candidates)
        if near.candidates:
            self._fault(
                f"a value of {type_}",
                text,
                near.spelled(lambda name: value_text(candidates[name], type_)).hint(),
            )
            self.near.append(self.faults[-1])
            return None
        if len(type_.values) <= MAX_CHOICES:
            words = (value_text(code, type_) for code in codes_of(type_))
            remedy = f"; choose one of {', '.join(f'`{name}`' for name in words)}"
        else:
            remedy = ""
        return self._fault(f"a value of {type_}", text, remedy)

    def meanings(self, text: str, type_: types.WordType) -> list[int]:
        """The codes of the values that a word matches: exactly, else by folded name, else by label."""
        owner, dot, word = text.rpartition(".")
        exact = [(owner, word)] if dot else type_.words.get(text, [])
        if len(exact) == 1 and exact[0] in type_.codes:
            return [type_.codes[exact[0]]]
        names, labels = self._names_and_labels(type_)
        folded = fold_name(text)
        alike = labels.get(folded, [])
        spelled = [code for code in alike if text in self._labels_of(type_.values[code])]
        return spelled or names.get(folded) or alike

    def _names_and_labels(
        self, type_: types.WordType
    ) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        if type_ not in self._words:
            names: dict[str, list[int]] = {}
            labels: dict[str, list[int]] = {}
            for code, (owner, word) in enumerate(type_.values):
                names.setdefault(fold_name(word), []).append(code)
                if owner:
                    names.setdefault(fold_name(f"{owner}.{word}"), []).append(code)
                for label in set(map(fold_name, self._labels_of((owner, word)))):
                    labels.setdefault(label, []).append(code)
            self._words[type_] = names, labels
        return self._words[type_]

    def _labels_of(self, value: types.Value) -> set[str]:
        """The labels of a value, in all languages that have one."""
        owner, word = value
        labels = (texts.get(f"{owner}.{word}") or texts.get(word) for texts in self.labels.values())
        return {label for label in labels if label}
