"""A sentence that makes up a battle, such as `what are my chances if Fox 3 attacks Dog 2?`, as its pieces and place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import define, field, frozen

from hots_rules.explain.talk_file import BattleForm
from hots_rules.play.game import AnyRuleset
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import reader_of

INTRODUCING = frozenset({"odds", "battle", "win", "if", "what", "how"})
"""Concepts of what may stand before a colon that begins a sentence."""
NOT_A_BATTLE = frozenset({"where", "when", "why", "can", "must", "first", "change"})
"""Concepts of sentences that ask for something else than the odds."""


@frozen
class Named:
    """A piece that a sentence names: the values that it may be, its strength if that is said, and the word."""

    codes: tuple[int, ...]
    number: int | None
    text: str


@frozen
class SaidBattle:
    """What a sentence says of a battle.

    Attributes:
        attackers: the pieces of who attacks.
        defenders: those of the other side.
        place: the code of the place; None if the sentence names none.
    """

    attackers: tuple[Named, ...]
    defenders: tuple[Named, ...]
    place: int | None


@define
class _Groups:
    """The two groups of a battle while a sentence is read."""

    members: tuple[list[Named], list[Named]] = field(factory=lambda: ([], []))
    current: int = 0
    attacking: int = 0
    place: int | None = None

    def add(self, named: Named, *, is_numbered: bool) -> None:
        """Take in a name; one without a strength may be of a piece that was named before."""
        same_side = [
            i
            for i in (0, 1)
            for fighter in self.members[i]
            if fighter.codes == named.codes
            or (not is_numbered and set(fighter.codes) & set(named.codes))
        ]
        if same_side:
            self.current = same_side[0]
        else:
            self.members[self.current].append(named)

    def number(self, number: int) -> None:
        group = self.members[self.current]
        if group:
            group[-1] = Named(group[-1].codes, number, group[-1].text)

    def turn_to_others(self) -> None:
        if self.members[0] and not self.members[1]:
            self.current = 1


def battle_said(ruleset: AnyRuleset, form: BattleForm, sentence: str) -> SaidBattle | None:
    """What a sentence says of a battle; None if it does not make one up.

    It names pieces on both sides, at least one with its strength, and says who attacks, or `against`.
    """
    tokens = reader_of(ruleset).lexicon.read(sentence)
    if any(token.concepts & NOT_A_BATTLE for token in tokens):
        return None
    groups = _groups(form, tokens)
    numbered = any(fighter.number is not None for group in groups.members for fighter in group)
    if not all(groups.members) or not numbered:
        return None
    attackers, defenders = (
        tuple(groups.members[i]) for i in (groups.attacking, 1 - groups.attacking)
    )
    return SaidBattle(attackers, defenders, groups.place)


def _groups(form: BattleForm, tokens: Sequence[Token]) -> _Groups:
    groups = _Groups()
    before: Token | None = None
    for i, token in enumerate(tokens):
        numbered = any(token.text.isdecimal() for token in tokens[i + 1 : i + 3])
        fighters, places = token.codes(form.piece), token.codes(form.place)
        located = before is not None and before.text in form.located
        if fighters and not (places and (located or not numbered)):
            named = Named(fighters, _last_number(token.text), token.text)
            groups.add(named, is_numbered=numbered)
        elif places and groups.place is None:
            groups.place = places[0]
        elif token.text.isdecimal():
            groups.number(int(token.text))
        elif token.concepts & {"attack"}:
            groups.attacking = groups.current
            groups.turn_to_others()
        elif token.concepts & {"defend", "defending"}:
            groups.attacking = 1 - groups.current
            groups.turn_to_others()
        elif token.text in form.against:
            groups.turn_to_others()
        before = token
    return groups


def _last_number(text: str) -> int | None:
    """The number at the end of a name: a strength in a battle, though `Fox 2` may be a name too."""
    last = text.rpartition(" ")[2]
    return int(last) if last.isdecimal() else None


def is_introduction(ruleset: AnyRuleset, text: str) -> bool:
    """Whether a text says only that a battle or its odds follow: `chances of the battle`."""
    tokens = reader_of(ruleset).lexicon.read(text)
    return all(token.is_idle or token.concepts & INTRODUCING for token in tokens)


def chosen(named: Named, fits: Callable[[int, int], bool]) -> int:
    """The value that a name stands for: the first that can have its strength."""
    number = named.number
    return next(_fitting(named, fits, number), named.codes[0])


def _fitting(named: Named, fits: Callable[[int, int], bool], number: int | None) -> Iterator[int]:
    return (code for code in named.codes if number is None or fits(code, number))
