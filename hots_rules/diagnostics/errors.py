"""What a caller may have to catch.

Each error bears its facts as attributes, and says them in words when it is printed.
All of them survive pickling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hots_rules._translate import translator as words_in

from .suggestions import closest_match

# A fault is drawn when an error is printed: a start does not wait for it.
if TYPE_CHECKING:
    from .fault import Fault

MAX_LISTED = 30  # values that an error lists


class HotsError(Exception):
    """Anything that this library has to say against what it was given."""


class RulesetError(HotsError):
    """A ruleset has faults; printed, it draws them all."""

    def __init__(self, faults: Iterable[Fault], sources: Mapping[str, str] | None = None) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        self.sources: dict[str, str] = dict(sources or {})
        super().__init__(self.faults, self.sources)

    def __str__(self) -> str:
        from .drawing import draw_all

        return draw_all(self.faults, self.sources)


class UnreadableAction(HotsError):
    """A text that names no action, with the nearest text that does."""

    def __init__(self, text: str, near: str | None = None, language: str = "en") -> None:
        self.text = text
        self.near = near
        self.language = language
        super().__init__(text, near, language)

    def __str__(self) -> str:
        words = words_in(self.language)
        said = words.gettext("expected the text of an action, got `{text}`", text=self.text)
        if not self.near:
            return said
        mend = words.gettext("help: did you mean `{text}`?", text=self.near)
        return f"{said}\n{mend}"


class IllegalAction(HotsError):
    """An action that the rules refuse, with every reason."""

    def __init__(self, text: str, reasons: Iterable[Any] = (), language: str = "en") -> None:
        self.text = text
        self.reasons: tuple[Any, ...] = tuple(reasons)
        self.language = language
        super().__init__(text, self.reasons, language)

    def __str__(self) -> str:
        words = words_in(self.language)
        said = words.gettext("expected a legal action, got `{text}`", text=self.text)
        return _listed(said, self.reasons)


class AmbiguousAction(HotsError):
    """A text that names more than one legal action."""

    def __init__(self, text: str, meanings: Iterable[str] = (), language: str = "en") -> None:
        self.text = text
        self.meanings: tuple[str, ...] = tuple(meanings)
        self.language = language
        super().__init__(text, self.meanings, language)

    def __str__(self) -> str:
        meanings = [f"`{meaning}`" for meaning in self.meanings]
        words = words_in(self.language)
        said = words.gettext(
            "expected one action, but `{text}` could mean any of these", text=self.text
        )
        return _listed(said, meanings)


class UnreadableQuestion(HotsError):
    """A question that the ruleset does not know, or with a word that it does not know.

    `known` holds what may be asked, `cause` what is wrong with a word.
    """

    def __init__(self, text: str, known: Iterable[str] = (), cause: str = "") -> None:
        self.text = text
        self.known: tuple[str, ...] = tuple(known)
        self.cause = cause
        super().__init__(text, self.known, cause)

    def __str__(self) -> str:
        if self.cause:
            return f"{self.cause} in `{self.text}`"
        wrong = f"expected a question of the ruleset, got `{self.text}`"
        hint = closest_match(self.text, self.known)
        if hint:
            return f"{wrong}\nhelp: did you mean `{hint}`?"
        return _listed(f"{wrong}\nhelp: it may be asked", [f"`{one}`" for one in self.known])


class UnknownOption(HotsError):
    """An option or a reading that the ruleset does not have, or a value it may not take.

    `known` holds what could have stood there: names, or with `got`, the values of `name`.
    """

    def __init__(self, name: str, known: Iterable[str] = (), got: object = None) -> None:
        self.name = name
        self.known: tuple[str, ...] = tuple(known)
        self.got = got
        super().__init__(name, self.known, got)

    def __str__(self) -> str:
        if self.got is None:
            said, wrong = self.name, f"expected the name of an option, got `{self.name}`"
        else:
            said, wrong = f"{self.got}", f"expected a value of `{self.name}`, got `{self.got}`"
        hint = closest_match(said, self.known)
        if hint:
            return f"{wrong}\nhelp: did you mean `{hint}`?"
        if self.known:
            names = ", ".join(f"`{name}`" for name in self.known[:MAX_LISTED])
            rest = len(self.known) - MAX_LISTED
            return f"{wrong}\nhelp: choose among {names}{f' and {rest} more' if rest > 0 else ''}"
        return wrong


class BadPosition(HotsError):
    """A position that cannot be, with everything that is wrong with it at once."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults: tuple[str, ...] = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return _listed("expected a position that the rules allow", self.faults)


class BadRecord(HotsError):
    """A record that cannot be read, or does not replay."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class BadMessage(HotsError):
    """A message from another program that is none: where in it (`$.args[2]`), what is wrong, and one way to mend it."""

    def __init__(self, path: str, cause: str, mend: str = "") -> None:
        self.path = path
        self.cause = cause
        self.mend = mend
        super().__init__(path, cause, mend)

    def __str__(self) -> str:
        mend = f"\nhelp: {self.mend}" if self.mend else ""
        return f"{self.path}: {self.cause}{mend}"


class BadSecret(HotsError):
    """A secret or a commitment that is malformed, missing, or not the one that was promised."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class NoConsistentWorld(HotsError):
    """No state was found that fits what a player knows."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class PluginWarning(UserWarning):
    """A package that should bring rulesets brings none; everything else works."""


class EngineError(HotsError):
    """A ruleset broke its own word in play: a bounded number left its range, say."""

    def __init__(self, message: str, rule: str = "", section: str = "") -> None:
        self.message = message
        self.rule = rule
        self.section = section
        super().__init__(message, rule, section)

    def __str__(self) -> str:
        if not self.rule:
            return self.message
        return f"{self.message}, in rule `{self.rule}` {self.section}".rstrip()


def _listed(headline: str, items: Iterable[object]) -> str:
    return "\n  - ".join([headline, *(str(item).replace("\n", "\n    ") for item in items)])
