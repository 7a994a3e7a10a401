"""What comes closest to a sentence that is not understood: statements, and questions in the words of the ruleset."""

from __future__ import annotations

from hots_rules.explain.talk.reader import reader_of
from hots_rules.explain.talk.speaker import Speaker
from hots_rules.explain.talk.statements import statements_of
from hots_rules.play.game import BaseGame

MOST = 3


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
    found = statements_of(game.ruleset).find(reader.pieces(sentence), game.language)
    told = (speaker.statement(each.asked, with_truth=False) for each in found[: 2 * MOST])
    return tuple(dict.fromkeys(filter(None, told)))[:MOST]


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
