"""A sentence that makes up a battle, such as `what are my chances if Fox 3 attacks Dog 2?`, as its pieces and place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, evolve, field, frozen

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
    latest: int = 0  # the place in the current group of the piece that was named last
    attacking: int = 0
    place: int | None = None

    def add(self, named: Named, *, is_numbered: bool) -> None:
        """Add a piece to the current side, or turn to the one that the name means again.

        A name with a strength is a new piece unless it means just the values of a former one; one without a strength
        may share only some of them.
        """
        for side, group in enumerate(self.members):
            for at, fighter in enumerate(group):
                if fighter.codes == named.codes or (
                    not is_numbered and set(fighter.codes) & set(named.codes)
                ):
                    self.current, self.latest = side, at
                    return
        group = self.members[self.current]
        self.latest = len(group)
        group.append(named)

    def set_strength(self, strength: int) -> None:
        """Give the piece that was named last its strength."""
        group = self.members[self.current]
        if group:
            group[self.latest] = evolve(group[self.latest], number=strength)

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
    has_strength = any(fighter.number is not None for group in groups.members for fighter in group)
    if not all(groups.members) or not has_strength:
        return None
    attackers, defenders = (
        tuple(groups.members[i]) for i in (groups.attacking, 1 - groups.attacking)
    )
    return SaidBattle(attackers, defenders, groups.place)


def _groups(form: BattleForm, tokens: Sequence[Token]) -> _Groups:
    groups = _Groups()
    before: Token | None = None
    for i, token in enumerate(tokens):
        is_numbered = any(follows.text.isdecimal() for follows in tokens[i + 1 : i + 3])
        fighters, places = token.codes(form.piece), token.codes(form.place)
        is_located = before is not None and before.text in form.located
        is_place = places and (is_located or not is_numbered)
        if fighters and not is_place:
            named = Named(fighters, _last_number(token.text), token.text)
            groups.add(named, is_numbered=is_numbered)
        elif places and groups.place is None:
            groups.place = places[0]
        elif token.text.isdecimal():
            groups.set_strength(int(token.text))
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
    return next(
        (code for code in named.codes if number is None or fits(code, number)), named.codes[0]
    )
