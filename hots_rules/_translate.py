"""The library's own sentences for players, in the language that a call asks for.

The sentences stand in the code in English, with their values in braces; `locale` holds their translations.
A language is always said by the caller, and nothing here is set for the whole process.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations

from attrs import frozen

LANGUAGES = ("en", "fr", "es")


def untranslated(text: str) -> str:
    """The mark of words that have no translation: they are English, or a name of the ruleset."""
    return f"‹{text}›"


class _Missing(NullTranslations):
    """What is said where a catalog has nothing."""

    def gettext(self, message: str) -> str:
        return untranslated(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return untranslated(msgid1 if n == 1 else msgid2)


@frozen
class Translator:
    """Sentences in one language."""

    language: str

    def gettext(self, sentence: str, **values: object) -> str:
        """A sentence with its values."""
        return catalog(self.language).gettext(sentence).format(**values)

    def ngettext(self, singular: str, plural: str, number: int, **values: object) -> str:
        """A sentence about a number of things, which it knows as `number`."""
        template = catalog(self.language).ngettext(singular, plural, number)
        return template.format(number=number, **values)

    def join_list(self, names: Sequence[str]) -> str:
        """Names joined as a sentence joins them: `one`, `one and two`, `one, two and three`."""
        if len(names) < 2:
            return "".join(names)
        return self.gettext("{some} and {last}", some=", ".join(names[:-1]), last=names[-1])


def translator(language: str = "en") -> Translator:
    """The sentences of a language; where there are none, English ones that are marked."""
    return Translator(language)


@lru_cache(20)
def catalog(language: str) -> NullTranslations:
    """The translations into a language."""
    if language == "en":
        return NullTranslations()
    return _read(language) if language in LANGUAGES else _Missing()


@cache
def _read(language: str) -> NullTranslations:
    """A catalog from the files of this package, zipped or not."""
    from hots_rules._home import package_home

    path = package_home().joinpath("locale", language, "LC_MESSAGES", "hots_rules.mo")
    with path.open("rb") as file:
        translations = GNUTranslations(file)
    translations.add_fallback(_Missing())
    return translations


@cache
def language_words() -> str:
    """The words of each language by which questions are read, as TOML."""
    from hots_rules._home import package_home

    with package_home().joinpath("locale", "words.toml").open("rb") as file:
        return file.read().decode()
