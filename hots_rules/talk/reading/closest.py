"""What comes closest to a sentence that is not understood: statements, and questions in the words of the ruleset."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules.explain.talk_file import Asked
from hots_rules.play.game import BaseGame
from hots_rules.talk.lookup.find import find_by_words
from hots_rules.talk.reading.lexicon import Piece
from hots_rules.talk.reading.patterns import ASKING, SLIGHT
from hots_rules.talk.reading.reader import Reader, reader_of
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.reading.statements import Found, statements_of
from hots_rules.talk.reading.words import words_in

MAX_CLOSEST = 3
LOOKED_AT = 12
ALIKE = 0.6
"""From which share of common words two answers say the same."""
PAGES = 30
"""How many of the pages with the words of a sentence are looked at."""
OFFSET = 5
"""The section of the first page counts 1/5, that of the second 1/6, and so on, beside the rank of a statement."""


def closest_answers(game: BaseGame, sentence: str, player: str | None = None) -> tuple[str, ...]:
    """Up to three statements with a part of what a sentence asks about, the closest first.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> closest_answers(game, "purple raids under a tuna truce")[0][:30]
    'Under a truce no Scot enters E'

    Args:
        game: the game at the moment that is asked about.
        sentence: as it was typed.
        player: the player who asks; the answers reveal nothing hidden from this player.
    """
    reader = reader_of(game.ruleset)
    speaker = Speaker(game, reader, player)
    pieces = reader.pieces(sentence)
    if not any(_tells(piece, reader.talk.setting) for piece in pieces):
        return ()
    found = _with_pages(
        game, reader, sentence, statements_of(game.ruleset).find(pieces, game.language)
    )
    told: list[str] = []
    cited: list[frozenset[str]] = []
    for asked in found[:LOOKED_AT]:
        sections = frozenset(each.section for each in reader.sections.of(asked))
        text = speaker.statement(asked)
        is_new = not sections or sections not in cited
        if text and is_new and not any(_says_the_same(text, other) for other in told):
            told.append(text)
            cited.append(sections)
    return tuple(told[:MAX_CLOSEST])


def _tells(piece: Piece, setting: frozenset[str]) -> bool:
    """Whether a piece does more than ask and says more than what most questions have."""
    told = bool(piece.values or piece.notions - ASKING - SLIGHT)
    return told and not piece.is_idle and not piece.is_of(setting)


def _with_pages(
    game: BaseGame, reader: Reader, sentence: str, found: Sequence[Found]
) -> list[Asked]:
    """Statements, those first whose section has the words of the sentence as well."""
    places: dict[str, float] = {}
    for place, hit in enumerate(find_by_words(game.ruleset, sentence, PAGES)):
        for section in hit.sections[:2]:
            places.setdefault(section, 1 / (OFFSET + place))

    def rank(each: Found) -> float:
        sections = (cited.section for cited in reader.sections.of(each.asked))
        return each.rank + max((places.get(section, 0.0) for section in sections), default=0.0)

    return [each.asked for each in sorted(found, key=rank, reverse=True)]


def _says_the_same(one: str, other: str) -> bool:
    """Whether two answers have most of their words in common."""
    words, others = (set(words_in(text, {})) for text in (one, other))
    return len(words & others) > ALIKE * min(len(words), len(others))


def closest_questions(game: BaseGame, sentence: str) -> tuple[str, ...]:
    """The questions that come closest to a sentence, as the ruleset words them.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> len(closest_questions(game, "xyzzy"))
    3
    """
    reader = reader_of(game.ruleset)
    examples = reader.talk.examples.get(game.language, ())
    texts = {each.text for each in reader.lexicon.read(sentence) if not each.is_idle}
    notions = {n for each in reader.lexicon.read(sentence) for n in each.notions}

    def shared(example: str) -> int:
        pieces = reader.lexicon.read(example)
        return sum(bool(each.notions & notions) or each.text in texts for each in pieces)

    ranked = sorted(examples, key=shared, reverse=True)
    return tuple(ranked[:3])
