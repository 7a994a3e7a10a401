"""The names that an unknown name was probably meant to be."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from attrs import evolve, frozen

from hots_rules._text import composed
from hots_rules._translate import translator

if TYPE_CHECKING:
    from .fixes import Fix
    from .span import Span

T = TypeVar("T")

_MAX_LENGTH = 200  # characters; longer words are not compared
_MAX_EDITS = 6
_MAX_COMPARED = 200  # candidates that are compared letter by letter
_SUGGESTED = 3


@frozen
class Suggestion:
    """A name that nothing has, and the names that it was probably meant to be.

    >>> from hots_rules.diagnostics import suggest
    >>> near = suggest("Fix", ["Fox", "Hen"])
    >>> near.help(), near.hint(), suggest("Fix", ["Hen"]).help("declare it")
    ('did you mean `Fox`?', '; did you mean `Fox`?', 'declare it')

    Attributes:
        wanted: the name.
        candidates: the names that exist, the nearest first; empty if none is near.
    """

    wanted: str
    candidates: tuple[str, ...] = ()

    @classmethod
    def of(cls, wanted: str, near: str | None) -> Suggestion:
        """The suggestion of one candidate for a name, or of none."""
        return cls(wanted, () if near is None else (near,))

    @property
    def best(self) -> str | None:
        """The name that was probably meant, or None."""
        return self.candidates[0] if self.candidates else None

    def spelled(self, spell: Callable[[str], str]) -> Suggestion:
        """The same suggestion, with the candidates as they are written at the place of the name."""
        return evolve(self, candidates=tuple(map(spell, self.candidates)))

    def help(self, otherwise: str = "", language: str = "en") -> str:
        """`did you mean …?` with the best candidate; without one, another remedy."""
        if self.best is None:
            return otherwise
        return translator(language).gettext("did you mean `{text}`?", text=self.best)

    def hint(self, language: str = "en") -> str:
        """The question to put after a sentence; empty without a candidate."""
        return f"; {self.help('', language)}" if self.candidates else ""

    def fixes(self, span: Span) -> tuple[Fix, ...]:
        """Each candidate in the place of the name."""
        # A late import: a start does not wait for it.
        from .fixes import Fix

        return tuple(Fix.write(span, candidate) for candidate in self.candidates)


def suggest(word: str, candidates: Iterable[str]) -> Suggestion:
    """What `word` was probably meant to be.

    >>> from hots_rules.diagnostics import suggest
    >>> suggest("Fix", ["Fox", "Hen", "Fig"]).candidates
    ('Fox', 'Fig')
    """
    return Suggestion(word, tuple(close_matches(word, candidates, _SUGGESTED)))


def closest_match(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was probably meant to be, or None if none is near.

    >>> from hots_rules.diagnostics import closest_match
    >>> closest_match("Fix", ["Fox", "Hen"])
    'Fox'
    """
    return next(iter(close_matches(word, candidates, 1)), None)


def close_matches(word: str, candidates: Iterable[str], limit: int) -> list[str]:
    """Up to `limit` candidates that are near to `word` in edit distance, nearest first.

    A candidate that differs only in case, or in hyphen, underscore and space, goes first.
    Takes a fraction of a second for 10,000 candidates. `difflib.get_close_matches` is twenty times
    slower on long names that differ in few letters, which a hostile text can hold.

    >>> from hots_rules.diagnostics import close_matches
    >>> close_matches("Fix", ["Fox", "Hen", "Fig"], 2)
    ['Fox', 'Fig']
    """
    wanted = fold_name(word)
    max_edits = min(_MAX_EDITS, (len(wanted) + 1) // 3)
    if not wanted or len(wanted) > _MAX_LENGTH:
        return []
    letters = Counter(wanted)
    possible: list[tuple[int, str, str]] = []
    for candidate in dict.fromkeys(candidates):
        folded = fold_name(candidate)
        if abs(len(folded) - len(wanted)) <= max_edits:
            bound = _min_edits(letters, Counter(folded))
            if bound <= max_edits:
                possible.append((bound, candidate, folded))
    possible.sort(key=lambda entry: (entry[0], entry[2] != wanted))
    measured = [
        (edit_distance(wanted, folded, max_edits), candidate)
        for _, candidate, folded in possible[:_MAX_COMPARED]
    ]
    measured.sort(key=lambda entry: entry[0])
    return [candidate for edits, candidate in measured if edits <= max_edits][:limit]


def fold_name(name: str) -> str:
    """The name without differences that a reader overlooks: of case, and between hyphen, underscore and space.

    >>> from hots_rules.diagnostics import fold_name
    >>> fold_name("Far-East") == fold_name("far east")
    True
    """
    return " ".join(composed(name).casefold().replace("_", " ").replace("-", " ").split())


def without_accents(text: str) -> str:
    """A text without its accents.

    >>> from hots_rules.diagnostics import without_accents
    >>> without_accents("frontière")
    'frontiere'
    """
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def fold(text: str) -> str:
    """A text in lower case and without accents, which are often typed differently.

    >>> from hots_rules.diagnostics import fold
    >>> fold("Frontière")
    'frontiere'
    """
    return without_accents(text.casefold())


def only_match(
    text: str, spellings: Iterable[tuple[T, str]], fold_by: Callable[[str], str] = str.casefold
) -> T | None:
    """The only thing with exactly this text, else the only one whose folded text is the same; None without such.

    >>> from hots_rules.diagnostics import only_match
    >>> known = [(1, "ask J"), (2, "ask j")]
    >>> only_match("ask j", known), only_match("ASK J", known)
    (2, None)
    """
    listed = list(spellings)
    for fold_text in (str, fold_by):
        wanted = fold_text(text)
        matching = {thing for thing, spelled in listed if fold_text(spelled) == wanted}
        if len(matching) == 1:
            return matching.pop()
    return None


def names_alike(name: str, candidates: Iterable[str]) -> list[str]:
    """The known names with exactly this spelling; without one, those that a reader takes for the same.

    >>> from hots_rules.diagnostics import names_alike
    >>> names_alike("J", ["J", "j"]), names_alike("far east", ["Far_East", "West"])
    (['J'], ['Far_East'])
    """
    listed = list(dict.fromkeys(candidates))
    if name in listed:
        return [name]
    folded = fold_name(name)
    return [candidate for candidate in listed if fold_name(candidate) == folded]


def _min_edits(left: Counter[str], right: Counter[str]) -> int:
    """A lower bound of the edit distance: the letters that one word has and the other lacks."""
    return max((left - right).total(), (right - left).total())


def edit_distance(left: str, right: str, max_edits: int) -> int:
    """The letters to add, drop, change or swap with a neighbour; above `max_edits`, any larger number.

    >>> from hots_rules.diagnostics import edit_distance
    >>> edit_distance("bruec", "bruce", 2)
    1
    """
    before_previous: list[int] = []
    previous: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, start=1):
        before_previous, previous = previous, row
        row = [i] + [max_edits + 1] * len(right)
        for j in range(max(1, i - max_edits), min(len(right), i + max_edits) + 1):
            same = letter == right[j - 1]
            row[j] = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (not same))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == right[j - 1]:
                row[j] = min(row[j], before_previous[j - 2] + 1)
        if min(row) > max_edits:
            return max_edits + 1
    return row[-1]
