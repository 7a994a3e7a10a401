"""A game as a list of questions with their answers: what a program in another language tests itself against."""

from __future__ import annotations

from random import Random

from attrs import frozen

from hots_rules.diagnostics import HotsError
from hots_rules.formats.messages import Refusal, refusal
from hots_rules.play.game import Game, Outcome
from hots_rules.records.record import Record, record_text
from hots_rules.records.replaying import record_of

REFUSED = ("", "no such action", "chance: roll 1", "move\u0000")


@frozen
class Refused:
    """A text that does not play at this moment, and how it is refused."""

    text: str
    refusal: Refusal


@frozen
class Moment:
    """What is true at one moment of a game, and what is played then; `play` is empty at the last one.

    `position` is the state in words, `actions` the texts of all legal actions in their order, `chances` the exact
    probability of each where chance is asked. `trace` says what the play before brought. `digest` is the one that the
    record has for the play.
    """

    position: str
    phase: str
    to_move: tuple[str, ...]
    actions: tuple[str, ...]
    chances: tuple[str, ...]
    refused: tuple[Refused, ...]
    trace: tuple[str, ...]
    play: str
    digest: str


@frozen
class Corpus:
    """A game from its beginning, moment by moment, with its record."""

    record: Record
    record_text: str
    moments: tuple[Moment, ...]
    outcome: Outcome | None


def corpus(game: Game, most: int, seed: int = 0) -> Corpus:
    """A corpus of some actions by chance, from a game on that has no actions yet.

    Raises:
        ValueError: the game has actions.
    """
    if game.moves:
        raise ValueError("expected a game at its beginning, got one with actions")
    chooser = Random(seed)
    games = [game]
    played: list[str] = []
    while len(played) < most and not games[-1].is_over:
        action = chooser.choice(games[-1].actions)
        played.append(action.text)
        games.append(games[-1].play(action))
    record = record_of(games[-1])
    digests = [entry.digest for entry in record.entries]
    moments = tuple(
        _moment(one, chooser, text, digest)
        for one, text, digest in zip(games, [*played, ""], [*digests, ""], strict=True)
    )
    return Corpus(record, record_text(record), moments, games[-1].outcome)


def _moment(game: Game, chooser: Random, play: str, digest: str) -> Moment:
    chances = tuple(f"{p.numerator}/{p.denominator}" for a in game.actions if (p := a.probability))
    return Moment(
        game.position,
        game.phase,
        game.to_move,
        tuple(action.text for action in game.actions),
        chances,
        tuple(_refused(game, text) for text in _wrong(game, chooser)),
        tuple(str(step) for step in game.trace),
        play,
        digest,
    )


def _wrong(game: Game, chooser: Random) -> list[str]:
    """Texts that are no legal action: some that nobody can read, and one that the rules forbid."""
    notation, legal = game.notation(), {action.text for action in game.actions}
    form = chooser.choice(notation.forms)
    text = notation.exact(form.base + chooser.randrange(form.size))
    found = [chooser.choice(REFUSED), text]
    return [one for one in found if one not in legal and _error(game, one)]


def _error(game: Game, text: str) -> HotsError | None:
    try:
        game.play(text)
    except HotsError as error:
        return error
    return None


def _refused(game: Game, text: str) -> Refused:
    error = _error(game, text)
    assert error is not None
    return Refused(text, refusal(error))
