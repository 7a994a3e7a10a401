"""A game as a series of questions with their answers, against which a program in another language tests itself."""

from random import Random

from attrs import frozen

from hots_rules.diagnostics import BadArgument, HotsError, check_kind, check_seed, check_whole
from hots_rules.formats.messages import Refusal, refusal
from hots_rules.play.game import BaseGame
from hots_rules.play.outcome import Outcome
from hots_rules.records.record import Record
from hots_rules.records.recording import record_game

_UNREADABLE = ("", "no such action", "chance: roll 1", "move\u0000")


@frozen
class Refused:
    """A text that cannot be played at a moment of the game, and its refusal.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> corpus = hr.formats.build_corpus(game, 1)
    >>> refused = corpus.moments[0].refused[0]
    >>> refused.text in corpus.moments[0].actions
    False
    """

    text: str
    """The text."""
    refusal: Refusal
    """Its refusal."""


@frozen
class Moment:
    """A moment of a game, and the action that is played next.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> moment = hr.formats.build_corpus(game, 1).moments[0]
    >>> moment.to_move == game.to_move, moment.play in moment.actions
    (True, True)
    """

    position: str
    """The position as text."""
    phase: str
    """The phase that asks; empty after the end."""
    to_move: tuple[str, ...]
    """The players who have to choose, or `chance`."""
    actions: tuple[str, ...]
    """The texts of all legal actions, in order."""
    chances: tuple[str, ...]
    """The exact probability of each action where chance decides."""
    refused: tuple[Refused, ...]
    """Some texts that cannot be played."""
    trace: tuple[str, ...]
    """The effects of the action before."""
    play: str
    """The action that is played; empty at the last moment."""
    digest: str
    """The digest that the record has for the action."""


@frozen
class Corpus:
    """A game from its beginning, moment by moment, with its record.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> corpus = hr.formats.build_corpus(game, 2)
    >>> len(corpus.moments), len(corpus.record.entries)
    (3, 2)
    """

    record: Record
    """The record of the game."""
    record_text: str
    """The record as text."""
    moments: tuple[Moment, ...]
    """The moments, from the first decision to the last."""
    outcome: Outcome | None
    """How the game ended; None if it did not."""


def build_corpus(game: BaseGame, actions: int, seed: int = 0) -> Corpus:
    """The corpus of a game that has not begun, continued by random actions.

    It stops after `actions` of them or when the game ends. `seed` selects the actions.

    Raises:
        BadArgument: the game has actions already.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> corpus = hr.formats.build_corpus(game, 3)
    >>> len(corpus.moments), corpus.moments[0].play in corpus.moments[0].actions
    (4, True)
    """
    check_kind("game", game, BaseGame, "a game")
    check_whole("actions", actions)
    check_seed(seed)
    if game.moves:
        got = f"one after {len(game.moves)} actions"
        raise BadArgument("game", got, "a game without actions; a corpus starts at the beginning")
    chooser = Random(seed)
    games = [game]
    plays: list[str] = []
    while len(plays) < actions and not games[-1].is_over:
        action = chooser.choice(games[-1].actions)
        plays.append(action.text)
        games.append(games[-1].play(action))
    record = record_game(games[-1])
    digests = [entry.digest for entry in record.entries]
    moments = tuple(
        _moment(now, chooser, text, digest)
        for now, text, digest in zip(games, [*plays, ""], [*digests, ""], strict=True)
    )
    return Corpus(record, str(record), moments, games[-1].outcome)


def _moment(game: BaseGame, chooser: Random, play: str, digest: str) -> Moment:
    chances = tuple(f"{p.numerator}/{p.denominator}" for a in game.actions if (p := a.probability))
    return Moment(
        game.position,
        game.phase,
        game.to_move,
        tuple(action.text for action in game.actions),
        chances,
        tuple(_refused_texts(game, chooser)),
        tuple(str(step) for step in game.trace),
        play,
        digest,
    )


def _refused_texts(game: BaseGame, chooser: Random) -> list[Refused]:
    """At most two texts that are refused: one that is no action, and an action of the ruleset."""
    notation, legal = game.notation, {action.text for action in game.actions}
    form = chooser.choice(notation.forms)
    text = notation.exact(form.base + chooser.randrange(form.size))
    candidates = [chooser.choice(_UNREADABLE), text]
    return [
        Refused(text, refusal(error))
        for text in candidates
        if text not in legal and (error := refusal_error(game, text))
    ]


def refusal_error(game: BaseGame, text: str) -> HotsError | None:
    """The error that a text causes when it is played; None if it can be played."""
    try:
        game.play(text)
    except HotsError as error:
        return error
    return None
