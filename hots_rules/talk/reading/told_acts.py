"""What is told of an action that a sentence asks about: yes or no, the actions, or the reason, with its section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from hots_rules._translate import translator
from hots_rules.explain.explain_action import hidden_ruling
from hots_rules.explain.ruling import Ruling
from hots_rules.play.game import BaseGame
from hots_rules.play.reason import Reason
from hots_rules.talk.reading.lexicon import Token

MAX_SHOWN = 6


@frozen
class Act:
    """An action that a sentence asks about.

    Attributes:
        language: the language of the answer.
        player: the player who asks; None for the whole state.
        legal: the texts of the legal actions that are meant.
        ruling: why none is; None if one is legal.
        others: of an action that is asked to be the only choice, the other legal ones; empty if it is not asked so.
        verbs: the names of the actions that the sentence may mean.
        named: the tokens of the sentence that name values.
        is_later: whether nobody can choose now between such actions, so that another moment decides.
        next: what is legal when that can be chosen next, with every piece where it is now, or that nothing of it is;
            None if that was not found out.
        reach: where the piece can come to that does not come to where it is asked for.
        more: why the same is refused by actions of other names.
        is_of_now: whether the sentence asks for this very moment.
    """

    language: str
    player: str | None
    legal: tuple[str, ...]
    ruling: Ruling | None
    others: tuple[str, ...]
    verbs: tuple[str, ...]
    named: tuple[Token, ...]
    is_later: bool = False
    next: Act | None = None
    reach: tuple[str, ...] = ()
    more: tuple[Ruling, ...] = ()
    is_of_now: bool = False

    @property
    def is_yes(self) -> bool | None:
        """Whether what is asked holds; None if that is hidden from the player."""
        if self.ruling is not None and any(r.kind == "secret" for r in self.ruling.against):
            return None
        return bool(self.legal) and not self.others

    @property
    def is_possible(self) -> bool:
        """Whether it is legal now, or when it can be chosen next."""
        return bool(self.legal) or (self.next is not None and bool(self.next.legal))

    @property
    def is_of_this_moment(self) -> bool:
        """Whether an action of this name can be chosen now."""
        return self.ruling is None or other_moment(self.ruling) is None

    def text(self) -> str:
        """A plain yes or no, then the actions or the reason."""
        gettext = translator(self.language).gettext
        if self.others:
            told = gettext("Legal now: {choices}.", choices=_listed(self.others))
            return f"{gettext('no').capitalize()}: {told}"
        if self.legal:
            return f"{gettext('yes').capitalize()}: {_listed(self.legal)}"
        assert self.ruling is not None
        moment = other_moment(self.ruling)
        if self.is_later and moment is not None:
            if self.next is not None and not self.next.legal:
                return self.next.text()
            return "\n".join(self._told_later(moment))
        # What forbids it stands longer than whose turn it is.
        against = sorted(self.ruling.against, key=lambda reason: reason.kind != "forbid")
        reason = evolve(self.ruling, against=tuple(against)).text("sentence")
        if self.is_yes is None:
            return reason
        reasons = "\n".join((reason, *(ruling.text("sentence") for ruling in self.more)))
        text = f"{gettext('no').capitalize()}: {reasons}"
        return f"{text}\n{within_reach(self.language, self.reach)}" if self.reach else text

    def _told_later(self, moment: Reason) -> Iterator[str]:
        """What is asked for first: what is legal at the next moment, or what forbids it; then why not now."""
        assert self.ruling is not None
        gettext = translator(self.language).gettext
        if self.next is not None and not self.is_of_now:
            yield gettext(
                "Yes, when that can be chosen next, with every piece where it is now: {actions}",
                actions=_listed(self.next.legal),
            )
            yield gettext("Not now: {reason}", reason=told_moment(moment))
            return
        forbids = tuple(clause for clause in self.ruling.against if clause.kind == "forbid")
        if forbids and self.next is None:
            reason = evolve(self.ruling, against=forbids).text("sentence")
            yield f"{gettext('no').capitalize()}: {reason}"
            return
        now = evolve(self.ruling, against=(moment,)).text("sentence")
        yield gettext("No, not now: {reason}", reason=now)
        if self.next is not None:
            yield gettext(
                "When that can be chosen next, with every piece where it is now: {answer}",
                answer=self.next.text(),
            )


def within_reach(language: str, places: Sequence[str]) -> str:
    """The sentence that tells where a piece can come to when that can be chosen next."""
    return translator(language).gettext(
        "Within reach when it can be chosen next, with every piece where it is now: {places}.",
        places=", ".join(places),
    )


def hidden(game: BaseGame, text: str, player: str) -> Ruling:
    """That only its own player can know what else could be chosen than an action."""
    return hidden_ruling(game, game.notation.parse(text)[0], player)


def other_moment(ruling: Ruling) -> Reason | None:
    """Why nobody can choose an action of its name now; None if somebody can."""
    return next((reason for reason in ruling.against if reason.kind == "moment"), None)


def told_moment(moment: Reason) -> str:
    """Why nobody can choose an action now, with its section."""
    return f"{moment.found or moment.summary.rstrip('.')} ({moment.cited})."


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(texts[:MAX_SHOWN]) + ("; …" if len(texts) > MAX_SHOWN else "")
