"""What comes closest to a sentence that is not understood: statements, and questions in the words of the ruleset."""

from __future__ import annotations

from hots_rules.explain.talk.lexicon import Piece
from hots_rules.explain.talk.patterns import ASKING, SLIGHT
from hots_rules.explain.talk.reader import reader_of
from hots_rules.explain.talk.speaker import Speaker
from hots_rules.explain.talk.statements import statements_of
from hots_rules.explain.talk.words import words_in
from hots_rules.play.game import BaseGame

MOST = 3
LOOKED_AT = 12
LEAST_WORDS = 2
"""Words that a sentence must have that do more than ask."""
ALIKE = 0.6
"""From which share of common words two answers say the same."""


def closest_answers(game: BaseGame, sentence: str, player: str | None = None) -> tuple[str, ...]:
    """Up to three statements with a part of what a sentence asks about, the closest first.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.closest_answers(game, "purple raids under a tuna truce")[0][:30]
    'Under a truce no Scot enters E'

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        player: the player who asks; the answers reveal nothing hidden from this player.
    """
    reader = reader_of(game.ruleset)
    speaker = Speaker(game, reader, player)
    pieces = reader.pieces(sentence)
    told: list[str] = []
    if sum(map(_tells, pieces)) < LEAST_WORDS:
        return ()
    found = statements_of(game.ruleset).find(pieces, game.language)
    for each in found[:LOOKED_AT]:
        text = speaker.statement(each.asked, with_truth=False)
        if text and not any(_says_the_same(text, other) for other in told):
            told.append(text)
    return tuple(told[:MOST])


def _tells(piece: Piece) -> bool:
    return bool(piece.values or piece.notions - ASKING - SLIGHT) and not piece.is_idle


def _says_the_same(one: str, other: str) -> bool:
    """Whether two answers have most of their words in common."""
    words, others = (set(words_in(text, {})) for text in (one, other))
    return len(words & others) > ALIKE * min(len(words), len(others))


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
