"""Questions about what the editions of a game have differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules._translate import translator
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.explain.declared.declarations import declarations_about, find_declarations
from hots_rules.explain.errors import UnknownRule
from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.answers import Reply
from hots_rules.talk.reading.closest import closest_answers
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.retrieval.terms import SILENT
from hots_rules.talk.understood import Answer, AnswerKind

if TYPE_CHECKING:
    from hots_rules.atlas.changes_table import ChangeTable
    from hots_rules.atlas.entries import Atlas, AtlasEntry
    from hots_rules.compare.rulebook_changes import RulebookChange

COMPARING = frozenset({"change", "difference"})
"""Concepts of sentences that ask what editions have differently."""
SINCE = frozenset({"since", "depuis", "desde"})
UNTOLD = SILENT | COMPARING | {"edition", "exchange"}
"""Concepts of words that say how differences are asked for."""
MAX_TOLD = 5
"""Differences that are told about one subject."""


@frozen
class ChangesAsked:
    """A question about what changed.

    Attributes:
        subject: the words or the rule that it is about; empty if it is about whole editions.
        since: the edition since which it asks; empty if it names none.
        editions: the two editions that are compared, if it is about whole ones.
    """

    subject: str
    since: str = ""
    editions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The subject and the edition in the words of a command."""
        return " since ".join(filter(None, (self.subject, self.since)))


def edition_names(game: BaseGame) -> tuple[str, ...]:
    """The names of the editions of a game, the oldest first."""
    ruleset = game.ruleset
    # A late import: other answers need no parser.
    from hots_rules.atlas.entries import editions_of

    return ruleset.compiled.memo(("edition names",), lambda: tuple(map(str, editions_of(ruleset))))


def changes_asked(game: BaseGame, reply: Reply) -> ChangesAsked | None:
    """What a sentence about changes asks; None if its subject is not known, or there is one edition alone."""
    assert reply.reading is not None
    own, names = game.ruleset.name, edition_names(game)
    if len(names) < 2:
        return None
    words = reply.reading.rest.split()
    named = {
        word: [name for name in names if name == word or ends_in(name, word)] for word in words
    }
    subject = " ".join(word for word in words if not named[word])
    asked = [found[0] for found in named.values() if found]
    if not subject:
        if not asked:
            return None
        return ChangesAsked("", editions=_pair(asked, own, names))
    is_since = not SINCE.isdisjoint(token.text for token in reply.reading.tokens)
    subjects = [subject, reply.subject]
    if game.language != "en":
        subjects.reverse()
    known = next(
        (subject for subject in filter(None, subjects) if _is_about_something(game, subject)), None
    )
    return None if known is None else ChangesAsked(known, asked[0] if asked and is_since else "")


def differences_told(game: BaseGame, sentence: str) -> Reply | None:
    """What two editions that a sentence names have differently about its subject; None if it asks something else.

    Where no difference is listed about it, what each of them says is offered instead: nothing says that they agree.
    """
    tokens = reader_of(game.ruleset).lexicon.read(sentence)
    if not any(token.concepts & COMPARING for token in tokens):
        return None
    names = edition_names(game)
    by_token = [[name for name in names if ends_in(name, token.text)] for token in tokens]
    named = {name for found in by_token for name in found}
    subject = " ".join(
        token.text
        for token, found in zip(tokens, by_token, strict=True)
        if not (found or token.is_idle or token.concepts & UNTOLD)
    )
    if len(named) != 2 or not subject:
        return None
    # A late import: other answers need no parser.
    from hots_rules.atlas.changes_table import change_table

    changes = change_table(*(name for name in names if name in named))
    if lines := listed_changes(changes, subject)[:MAX_TOLD]:
        return Reply("changes", "\n".join(lines), tokens)
    near = closest_answers(game, subject)
    return Reply("choices", "", tokens, answers=near) if near else None


def listed_changes(changes: ChangeTable, subject: str) -> list[str]:
    """What editions say where they differ about a subject, with the sections."""
    # A late import: other answers need no parser.
    from hots_rules.talk.retrieval.changes_about import changes_about

    names = changes_about(changes, subject).names
    return [_by_edition(change, changes) for change in changes.changes if change.name in names]


def _pair(asked: Sequence[str], own: str, names: Sequence[str]) -> tuple[str, ...]:
    """The editions that are compared: those that are named, or one and that of the game."""
    if asked == [own]:
        return names[names.index(own) - 1], own
    return (*asked, own)[:2]


def _is_about_something(game: BaseGame, subject: str) -> bool:
    # Likewise.
    from hots_rules.atlas.entries import atlas, editions_of

    if atlas(*editions_of(game.ruleset)).about(subject):
        return True
    return bool(_declared(game, subject))


def changes_told(game: BaseGame, subject: str) -> Answer:
    """What the editions have differently about a subject, the closest rules of which are looked at as well.

    That nothing changed is said only of what no rule under the same sections has differently.
    """
    # Likewise.
    from hots_rules.atlas.entries import atlas, editions_of

    book = atlas(*editions_of(game.ruleset))
    lines = [
        line for change in book.about(subject) if change.plays for line in _lines(change, book)
    ]
    if not lines:
        lines = listed_changes(book.changes, subject)
    if not lines:
        sections = {section for each in _declared(game, subject) for section in each.sections}
        lines = [
            line
            for change in book.entries
            if change.plays and not sections.isdisjoint(change.sections)
            for line in _lines(change, book)
        ]
    none = translator(game.language).gettext(
        "nothing that is played changed about `{subject}`", subject=subject
    )
    lines = [*dict.fromkeys(lines)]
    return Answer(AnswerKind.COMPUTED, "\n".join(lines) or none, lines)


def _lines(differing: AtlasEntry, book: Atlas) -> Iterator[str]:
    """The sentence of what differs with its section; without one each of its parts, as the editions have it."""
    cited = f" (§{differing.section})" if differing.section else ""
    if differing.sentence:
        yield f"{differing.sentence}{cited}"
        return
    for (before, after), step in zip(pairwise(book.rulesets), differing.steps, strict=True):
        for change in step.changes if step is not None and step.plays else ():
            where = change.where.replace("_", " ")
            yield f"{where}: {change.old} ({before}), {change.new} ({after}){cited}"


def _by_edition(change: RulebookChange, changes: ChangeTable) -> str:
    """What the editions say, those together that say the same."""
    by_text: dict[str, list[str]] = {}
    for name, cell in zip(changes.differences.editions, change.cells, strict=True):
        if cell.lines:
            by_text.setdefault(" ".join(cell.lines), []).append(name)
    lines = (f"- {', '.join(names)}: {text}" for text, names in by_text.items())
    cited = f" (§{change.section})" if change.section else ""
    return "\n".join((f"{change.title}{cited}", *lines))


def _declared(game: BaseGame, subject: str) -> Sequence[Declaration]:
    """The rules with the name, the section or the words of a subject."""
    try:
        return find_declarations(game.ruleset, subject)
    except UnknownRule:
        return declarations_about(game.ruleset, subject)


# ---------------------------------------------------------------- questions about another edition
def edition_asked(game: BaseGame, sentence: str, editions: Sequence[str]) -> tuple[str, str] | None:
    """The edition that a question names by the end of its name, and the question without it; None if it names none.

    What names two editions, or asks for a change, is no question about one of them.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> editions = ["hots-2.3", "hots-3.x", "hots-4.0"]
    >>> edition_asked(game, "In edition 2.3, who is in Fife?", editions)
    ('hots-2.3', 'in who is in fife')
    >>> edition_asked(game, "what changed between 2.3 and 4.0", editions) is None
    True

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        editions: the names of the editions, such as `hots-2.3`.
    """
    tokens = reader_of(game.ruleset).lexicon.read(sentence)
    named = [(token, name) for token in tokens for name in editions if ends_in(name, token.text)]
    if len(named) != 1 or any(token.concepts & COMPARING for token in tokens):
        return None
    [(naming, name)] = named
    left = [token for token in tokens if token is not naming and "edition" not in token.concepts]
    return (name, " ".join(token.text for token in left)) if len(left) > 1 else None


def ends_in(edition: str, text: str) -> bool:
    """Whether the name of an edition has a text as its last part: `hots-2.3` has `2.3`."""
    return edition.endswith(f"-{text}")
