"""The answers to sentences: first a plain yes, no or fact, then the reason with its section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product

from attrs import evolve, frozen

from hots_rules.compile.codes import bits
from hots_rules.explain.declarations import find_declarations
from hots_rules.explain.query import QuestionAnswerer
from hots_rules.explain.talk.about import card_meant
from hots_rules.explain.talk.acts import Act, act_meant
from hots_rules.explain.talk.declared import Asked
from hots_rules.explain.talk.lexicon import Piece
from hots_rules.explain.talk.patterns import ASKING, NOTION
from hots_rules.explain.talk.reader import Reader, Reading, reader_of
from hots_rules.explain.talk.statements import LEAST, statements_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types

ABOUT_ANYTHING = ("changes",)
"""Questions of the library whose subject may be any words."""
MAX_MEANINGS = 6
"""Values that an ambiguous name may stand for in one answer."""
MAX_STATEMENTS = 3
SURE, MORE = 0.85, 0.15
"""From which share a statement is what was asked, and by how much it has more of a sentence than a pattern."""
_HOLE = re.compile(r"\{(\w+)\}")
_QUERY = re.compile(r"<([^<>]+)>")


@frozen
class Reply:
    """What a sentence was understood as, and the answer: the result of `reply`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> help_asked = hr.explain.reply(game, "ayuda")
    >>> help_asked.kind, help_asked.text
    ('help', '')

    Attributes:
        kind: `answer`, `act`, `card` of what has a name, or the name of a question of the library, such as `turn`.
        text: the answer in words; empty if the caller is to answer.
        pieces: the pieces of the sentence.
        reading: the question as it was read; None for an act.
        act: the action that is asked about.
        is_yes: whether the act is legal, or a truth that was asked for holds; None if no truth was asked for.
        choices: the sentence with each of the names that it may mean, if the caller is to ask which.
        subject: what a question of the library is about, in the words of the ruleset.
    """

    kind: str
    text: str
    pieces: tuple[Piece, ...]
    reading: Reading | None = None
    act: Act | None = None
    is_yes: bool | None = None
    choices: tuple[str, ...] = ()
    subject: str = ""


def reply(
    game: BaseGame, sentence: str, player: str | None = None, before: Reply | None = None
) -> Reply | None:
    """The answer to a sentence in any language of the ruleset; None if it is not understood.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.reply(game, "Whose turn is it, please?").kind
    'turn'
    >>> hr.explain.reply(game, "xyzzy") is None
    True

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        player: the player who asks; the answer reveals nothing hidden from this player.
        before: the reply before it, for a sentence such as `and Fife?`.
    """
    reader = reader_of(game.ruleset)
    pieces = reader.pieces(sentence, before.pieces if before else ())
    readings = reader.read(pieces)
    act = act_meant(game, reader, pieces, player)
    speaker = Speaker(game, reader, player)
    stated = _Stated.of(speaker, pieces)
    for reading in readings:
        if not (reading.match.is_close or reading.name in ABOUT_ANYTHING):
            continue
        if stated is not None and stated.says_more_than(reading):
            break
        if act is not None and act.is_of_this_moment and act.rank > reading.match.rank:
            break
        if reading.asked is None:
            return Reply(reading.name, "", pieces, reading, subject=reader.subject(reading))
        said = speaker.answer(reading)
        if said is not None and (choices := speaker.choices(reading, said[0])):
            return Reply("choices", "", pieces, reading, choices=choices)
        if said is not None:
            text, is_yes = said
            return Reply("answer", text, pieces, reading, is_yes=is_yes)
    is_elsewhere = act is None or not act.is_of_this_moment
    if stated is not None and is_elsewhere and stated.share >= SURE:
        return Reply("answer", stated.text, pieces)
    if act is not None:
        return Reply("act", act.text(), pieces, None, act, act.is_legal)
    card = card_meant(game, pieces, player)
    if card is not None:
        return Reply("card", str(card), pieces)
    if stated is not None:
        return Reply("answer", stated.text, pieces)
    return _likely(speaker, readings, pieces)


@frozen
class _Stated:
    """What the ruleset states about a sentence, and how much of it the statement has."""

    text: str
    share: float

    @classmethod
    def of(cls, speaker: Speaker, pieces: tuple[Piece, ...]) -> _Stated | None:
        """The first of the best statements that can be told now; None if none has enough of the sentence."""
        found = statements_of(speaker.game.ruleset).find(pieces, speaker.game.language)
        for each in islice(found, MAX_STATEMENTS):
            text = speaker.statement(each.asked, with_truth=each.share >= SURE and each.asks)
            if each.share >= LEAST and text is not None:
                return cls(text, each.share)
        return None

    def says_more_than(self, reading: Reading) -> bool:
        """Whether it has what a reading of the sentence leaves out."""
        match = reading.match
        share = match.gain / (match.gain + match.cost)
        return match.cost >= NOTION and self.share >= SURE and self.share > share + MORE


def _likely(
    speaker: Speaker, readings: Iterable[Reading], pieces: tuple[Piece, ...]
) -> Reply | None:
    """The answer to the best question that may be meant, if it is a fact and not a yes or no."""
    for reading in readings:
        if reading.asked is not None and reading.match.is_likely:
            said = speaker.answer(reading)
            if said is not None:
                text, is_yes = said
                return None if is_yes is not None else Reply("answer", text, pieces, reading)
    return None


def is_question(game: BaseGame, sentence: str) -> bool:
    """Whether a sentence asks: it has a question mark or a word such as `where`, `why`, `odds`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.is_question(game, "pourquoi pas ?"), hr.explain.is_question(game, "load x")
    (True, False)
    """
    asking = ASKING | {"why", "if", "odds", "change", "happen", "legal", "whose-turn"}
    pieces = reader_of(game.ruleset).lexicon.read(sentence)
    return "?" in sentence or any(piece.notions & asking for piece in pieces)


def closest_questions(game: BaseGame, sentence: str) -> tuple[str, ...]:
    """The questions that come closest to a sentence, as the ruleset words them.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> len(hr.explain.closest_questions(game, "xyzzy"))
    3
    """
    reader = reader_of(game.ruleset)
    examples = reader.talk.examples.get(game.language, ())
    said = {each.text for each in reader.lexicon.read(sentence) if not each.is_idle}
    notions = {n for each in reader.lexicon.read(sentence) for n in each.notions}

    def shared(example: str) -> int:
        pieces = reader.lexicon.read(example)
        return sum(bool(each.notions & notions) or each.text in said for each in pieces)

    ranked = sorted(examples, key=shared, reverse=True)
    return tuple(ranked[:3])


def odds_asked(game: BaseGame) -> tuple[str, str | None]:
    """Until when, and by which policy, the odds of a game are asked for if a sentence does not say.

    >>> import hots_rules as hr
    >>> hr.explain.odds_asked(hr.load("hots-4.0").start("braveheart", seed=1297))
    ('battle', 'fight-on')
    """
    odds = reader_of(game.ruleset).talk.odds
    return odds.get("until", "decision"), odds.get("policy")


@frozen
class Speaker:
    """Says declared answers for somebody at one moment of a game."""

    game: BaseGame
    reader: Reader
    player: str | None

    def answer(self, reading: Reading) -> tuple[str, bool | None] | None:
        """The answer to a declared question, and whether it is a yes; None if the ruleset has none."""
        assert reading.asked is not None
        lines: dict[str, bool | None] = {}
        for holes in self._meanings(reading):
            said = self._answer(reading.asked, holes)
            if said is not None:
                lines[said[0]] = said[1]
        if not lines:
            return None
        truths = set(lines.values())
        return "\n".join(lines), truths.pop() if len(truths) == 1 else None

    def statement(self, asked: Asked, *, with_truth: bool) -> str | None:
        """The answer to a question without holes; without its yes or no if that need not be what was asked."""
        said = self._answer(asked if with_truth else evolve(asked, holds=""), {})
        return None if said is None else said[0]

    def choices(self, reading: Reading, text: str) -> tuple[str, ...]:
        """The sentence with each name that an ambiguous one may stand for, if the answers do not tell which."""
        assert reading.asked is not None
        says = " ".join(reading.asked.says.values())
        if "\n" not in text or reading.asked.rules:
            return ()
        for hole, codes in reading.match.holes.items():
            preferred = self._preferred(hole, codes)
            if len(preferred) > 1 and f"{{{hole}}}" not in _QUERY.sub("", says):
                type_ = self.reader.value_type(hole)
                names = [self.game.ruleset.labels.format_value(code, type_) for code in preferred]
                return tuple(self._renamed(reading, codes, name) for name in names)
        return ()

    def _renamed(self, reading: Reading, codes: tuple[int, ...], name: str) -> str:
        """The sentence with a name in the place of the piece that stands for several values."""
        said = (
            name if any(each == codes for _, each in piece.values) else piece.text
            for piece in reading.pieces
        )
        return " ".join(said)

    def _meanings(self, reading: Reading) -> Iterator[dict[str, int]]:
        """The values that the sentence may name, for each meaning of ambiguous names."""
        holes = dict(reading.match.holes)
        choices = (self._preferred(hole, codes) for hole, codes in holes.items())
        for codes in islice(product(*choices), MAX_MEANINGS):
            yield dict(zip(holes, codes, strict=True))

    def _preferred(self, hole: str, codes: tuple[int, ...]) -> tuple[int, ...]:
        """Of the values that a name may stand for those that are probably meant."""
        condition = self.reader.talk.prefer.get(hole, "")
        if len(codes) == 1 or not condition:
            return codes
        return tuple(code for code in codes if self._holds(condition, {hole: code})) or codes

    def _answer(self, asked: Asked, holes: Mapping[str, int]) -> tuple[str, bool | None] | None:
        if not self._holds(asked.when, holes):
            return None
        gettext = self.game.ruleset.labels.translator.gettext
        yes_no = {"yes": gettext("yes").capitalize(), "no": gettext("no").capitalize()}
        rules = [*self._rules(asked)]
        if asked.rules and not rules:
            return None
        head, truth = yes_no.get(asked.holds, ""), {"yes": True, "no": False}.get(asked.holds)
        if asked.query:
            said = self._said(asked.query, holes)
            if said is None:
                return None
            head, truth = said
        sentences = [*self._sentences(asked, holes)]
        if None in sentences:
            return None
        cited = " ".join(f"§{section}" for section in asked.cites)
        told = "; ".join(filter(None, sentences)).replace("{value}", head)
        value_told = any("{value}" in says for says in asked.says.values())
        facts = told if value_told else ": ".join(filter(None, (head, told)))
        first = " ".join(filter(None, (facts, f"({cited})" if cited else "")))
        if not first and rules:
            first, *rules = rules
        elif first and not cited and rules and not first.endswith((".", ")")):
            first = f"{first}: {rules[0]}"
            rules = rules[1:]
        return "\n".join(filter(None, (first, *rules))), truth

    def _holds(self, when: str, holes: Mapping[str, int]) -> bool:
        if not when:
            return True
        said = self._said(when, holes)
        return said is not None and bool(said[1])

    def _said(self, query: str, holes: Mapping[str, int]) -> tuple[str, bool | None] | None:
        """The value of an expression in words, and whether it is true; None if the ruleset lacks a name."""
        expr = self.reader.expression(self._filled(query, holes))
        if expr is None:
            return None
        value, text = self._answerer.value_and_text(expr, {})
        if isinstance(expr.type, types.BoolType) and value is not None:
            gettext = self.game.ruleset.labels.translator.gettext
            return gettext("yes").capitalize() if value else gettext("no").capitalize(), bool(value)
        return text, None

    @property
    def _answerer(self) -> QuestionAnswerer:
        return self.game.memo(
            ("talk answerer", self.player), lambda: QuestionAnswerer.of(self.game, self.player)
        )

    def _filled(self, text: str, holes: Mapping[str, int]) -> str:
        """An expression with the names of the values in its holes."""
        return _HOLE.sub(
            lambda hole: (
                self.reader.value_name(hole[1], holes[hole[1]]) if hole[1] in holes else hole[0]
            ),
            text,
        )

    def _sentences(self, asked: Asked, holes: Mapping[str, int]) -> Iterator[str | None]:
        """The sentence of an answer, for each member if there are several; None if a name is missing."""
        says = asked.says.get(self.game.language) or asked.says.get("en", "")
        if not says:
            return
        if asked.each is None:
            yield self._sentence(says, holes, {})
            return
        name, members = asked.each
        expr = self.reader.expression(self._filled(members, holes))
        if expr is None or not isinstance(expr.type, types.SetType):
            yield None
            return
        member_type = expr.type.member
        codes, _ = self._answerer.value_and_text(expr, {})
        if codes is None or not isinstance(member_type, types.WordType):
            yield None
            return
        evaluator = self._answerer.evaluator
        for code in bits(evaluator.value(expr, {})):
            owner, word = member_type.values[code]
            yield self._sentence(says, holes, {name: (f"{owner}.{word}", code, member_type)})

    def _sentence(
        self,
        says: str,
        holes: Mapping[str, int],
        members: Mapping[str, tuple[str, int, types.WordType]],
    ) -> str | None:
        labels = self.game.ruleset.labels

        def evaluated(match: re.Match[str]) -> str:
            text = match[1]
            for name, (word, _, _) in members.items():
                text = text.replace(f"{{{name}}}", word)
            said = self._said(text, holes)
            return "\0" if said is None else said[0]

        def named(match: re.Match[str]) -> str:
            name = match[1]
            if name in members:
                return labels.format_value(members[name][1], members[name][2])
            if name in holes:
                return labels.format_value(holes[name], self.reader.value_type(name))
            return match[0]

        text = _HOLE.sub(named, _QUERY.sub(evaluated, says))
        return None if "\0" in text else text

    def _rules(self, asked: Asked) -> Iterator[str]:
        """The sentences of the rules of an answer, with their sections."""
        for name in asked.rules:
            yield from islice(_rule_sentences(self.game, name), 1)


def _rule_sentences(game: BaseGame, name: str) -> Iterable[str]:
    """The sentences of what has a name, with the sections."""
    from hots_rules.explain.declarations import UnknownRule

    try:
        found = find_declarations(game.ruleset, name)
    except UnknownRule:
        return
    for each in found:
        if each.summary:
            cited = " ".join(f"§{section}" for section in each.sections)
            yield f"{each.summary} ({each.name} {cited})"
