"""What a search can find in a ruleset: its sections, sentences, readings and names, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules.explain.declared.declaration import Contents, Declaration
from hots_rules.explain.declared.declarations import PARAMETER, contents_of
from hots_rules.play.compiled_ruleset import CompiledRuleset
from hots_rules.rules.editions.label_kinds import SENTENCES, sentence_key
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.lookup.values import table_values

if TYPE_CHECKING:
    from hots_rules.rules.rulebook import Rulebook

_BECAUSE = re.compile(r'because\s+"([^"]*)"')
# No rules: what is asked, how a player may choose, and what always holds because of rules.
_NO_RULES = frozenset({"question", "policy", "invariant", "promise"})
UNKNOWN = ""
"""The language of a heading: that of its rulebook, which is not declared."""


@frozen(order=True)
class Text:
    """A text and its language; `UNKNOWN` for a heading."""

    language: str
    text: str


@frozen
class Page:
    """Something to find: a section, a declaration with a sentence, or a value with a name.

    Attributes:
        kind: "section", "rule", "reading" and so on; of a value its type.
        name: the number of a section, the name of a declaration, the word of a value.
        sections: the sections where it stands, the main one first.
        titles: its names and headings in all languages.
        sentences: its sentences in all languages.
        more: what else is said of it, such as the sentences of a section.
    """

    kind: str
    name: str
    sections: tuple[str, ...]
    titles: tuple[Text, ...]
    sentences: tuple[Text, ...] = ()
    more: tuple[Text, ...] = field(default=(), repr=False)


@frozen
class Pages:
    """All that can be found in a ruleset."""

    pages: tuple[Page, ...]


def pages_of(ruleset: CompiledRuleset) -> tuple[Page, ...]:
    """What can be found in a ruleset, from the cache if it was read before."""
    contents = contents_of(ruleset)
    return ruleset.kept(Pages, (Page, Text), lambda book: read_pages(book, contents)).pages


def read_pages(rulebook: Rulebook, contents: Contents) -> Pages:
    """What can be found in a rulebook."""
    return Pages(tuple(_Reader(rulebook, contents).pages()))


@frozen
class _Reader:
    rulebook: Rulebook
    contents: Contents

    @property
    def _languages(self) -> dict[str, dict[str, str]]:
        return self.rulebook.labels

    def pages(self) -> Iterator[Page]:
        by_name = {}
        for declaration in self.contents.declarations:
            page = self._declared(declaration)
            if page.sentences and declaration.kind not in _NO_RULES:
                yield page
            by_name[declaration.kind, declaration.name] = page
        for number, heading in self.contents.headings.items():
            yield self._section(number, heading, by_name)
        yield from self._values()

    # -------------------------------------------------------------- declarations
    def _declared(self, declaration: Declaration) -> Page:
        kind, name = declaration.kind, declaration.name
        sentences = (*self._sentences(kind, name, declaration.summary), *self._alternatives(name))
        if declaration.wording:
            sentences = (*sentences, Text("en", declaration.wording))
        headings = (Text(UNKNOWN, cited.heading) for cited in declaration.cited[:1])
        return Page(
            kind,
            name,
            declaration.sections,
            (
                Text("en", f"{kind} {name.replace('_', ' ')}"),
                *self._named(f"{kind} {name}"),
                *headings,
            ),
            sentences,
            tuple(self._reasons(declaration)),
        )

    def _sentences(self, kind: str, name: str, summary: str) -> tuple[Text, ...]:
        """The sentence of a declaration in all languages; none where it has none in English."""
        if not summary:
            return ()
        return (Text("en", summary), *self._labelled(sentence_key(kind, name)))

    def _named(self, key: str) -> Iterator[Text]:
        """The names with a key, where they are no sentences."""
        if key.split()[0] not in SENTENCES:
            yield from self._labelled(key.replace("stage ", "phase ", 1))

    def _alternatives(self, name: str) -> Iterator[Text]:
        """The sentences of the alternatives of a reading."""
        setting = self.rulebook.typed.settings.get(name)
        if setting is None or not isinstance(setting.type, types.WordType):
            return
        for sentence in setting.summaries:
            yield Text("en", sentence)
        for _, word in setting.type.values:
            yield from self._labelled(f"{name}.{word}")

    def _reasons(self, declaration: Declaration) -> Iterator[Text]:
        """The reasons that its clauses give, in all languages."""
        for reason in _BECAUSE.findall(declaration.source):
            sentence = " ".join(reason.split())
            yield Text("en", PARAMETER.sub(" ", sentence))
            yield from self._labelled(f"text {sentence}")

    def _labelled(self, key: str) -> Iterator[Text]:
        for language, labels in sorted(self._languages.items()):
            if key in labels:
                yield Text(language, PARAMETER.sub(" ", labels[key]))

    # -------------------------------------------------------------- sections
    def _section(self, number: str, heading: str, by_name: dict[tuple[str, str], Page]) -> Page:
        """A section with what its declarations say; the names of its definitions count too."""
        within = [page for page in by_name.values() if number in page.sections]
        names = (Text("en", page.name.replace("_", " ")) for page in within)
        return Page(
            "section",
            number,
            (number,),
            (Text(UNKNOWN, heading), Text(UNKNOWN, number)),
            (),
            tuple(dict.fromkeys((*names, *(text for page in within for text in page.sentences)))),
        )

    # -------------------------------------------------------------- values
    def _values(self) -> Iterator[Page]:
        """The values that tables are about. The words of other types are the author's own."""
        yield from map(self._value, table_values(self.rulebook.typed))

    def _value(self, value: types.Value) -> Page:
        owner, word = value
        labels = {
            Text(language, labels.get(f"{owner}.{word}") or labels.get(word) or "")
            for language, labels in self._languages.items()
        }
        named = sorted(text for text in labels if text.text) or [Text("en", word.replace("_", " "))]
        kind = "table" if owner in self.rulebook.typed.tables else "type"
        entry = self.rulebook.entries.get((kind, owner))
        return Page(owner, word, entry.sections if entry is not None else (), tuple(named))
