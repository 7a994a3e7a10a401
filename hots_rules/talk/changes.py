"""Questions about what the editions of a game have differently."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from hots_rules.explain.declared.declarations import declarations_about, find_declarations
from hots_rules.explain.errors import UnknownRule
from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.answers import Reply
from hots_rules.talk.reading.closest import closest_answers
from hots_rules.talk.reading.edition_asked import COMPARING, ends_in
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.retrieval.changes_about import changes_about
from hots_rules.talk.retrieval.terms import SILENT

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
    if text := listed_changes([name for name in names if name in named], subject):
        return Reply("changes", text, tokens)
    near = closest_answers(game, subject)
    return Reply("choices", "", tokens, answers=near) if near else None


def listed_changes(editions: Sequence[str], subject: str) -> str:
    """What some editions say where they differ about a subject, with the sections; empty if no change is about it."""
    # A late import: other answers need no parser.
    from hots_rules.atlas.changes_table import change_table

    changes = change_table(*editions)
    about = changes_about(changes, subject).names
    lines = []
    for change in [change for change in changes.changes if change.name in about][:MAX_TOLD]:
        lines.append(f"{change.title} (§{change.section})" if change.section else change.title)
        for name, cell in zip(editions, change.cells, strict=True):
            lines.append(f"  {name}: {' '.join(cell.lines)}")
    return "\n".join(lines)


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
    try:
        return bool(find_declarations(game.ruleset, subject))
    except UnknownRule:
        return bool(declarations_about(game.ruleset, subject))
