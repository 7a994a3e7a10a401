"""Questions about what the editions of a game have differently."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from hots_rules.explain.declared.declarations import declarations_about, find_declarations
from hots_rules.explain.errors import UnknownRule
from hots_rules.play.game import BaseGame
from hots_rules.talk.reading.answers import Reply
from hots_rules.talk.reading.edition_asked import ends_in

SINCE = frozenset({"since", "depuis", "desde"})


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
