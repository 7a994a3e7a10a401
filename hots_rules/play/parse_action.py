"""What a text means at a moment of a game: the one legal action, or an error that says what is wrong with it."""

from __future__ import annotations

from reprlib import repr as shortened
from typing import TYPE_CHECKING

from hots_rules._translate import translator
from hots_rules.compile.points import DicePoint
from hots_rules.diagnostics import AmbiguousAction, IllegalAction, UnreadableAction, closest_match
from hots_rules.play.action import Action
from hots_rules.play.notation import Notation, chance_said, dice_in

if TYPE_CHECKING:
    from hots_rules.play.game import Game

MAX_SHOWN = 300
MAX_COMPARED = 500


def code_of(game: Game, action: Action | str, language: str = "en") -> int:
    """The code of the legal action, or outcome of chance, that is meant.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: the rules do not allow it now.
        AmbiguousAction: the text has two meanings that are both legal.
    """
    if isinstance(action, Action):
        if action.code in game._legal and _is_the_same(game, action):
            return action.code
        return code_of(game, action.text, language)
    if not isinstance(action, str):
        raise UnreadableAction(shown(action), language=language)
    return _read(game, action, language)


def _is_the_same(game: Game, action: Action) -> bool:
    """Whether a code means in this game what it meant where the action was listed."""
    if action.code < 0:
        return action in game.actions
    mine = game.notation().action(action.code)
    return (action.player, action.name, action.args) == (mine.player, mine.name, mine.args)


def _read(game: Game, text: str, language: str) -> int:
    if game._is_chance:
        return _read_outcome(game, text, language)
    code, meant = readings(game, text, language)
    if code is not None:
        return code
    raise IllegalAction(text, game._against(meant, language), language)


def readings(
    game: Game, action: Action | str, language: str = "en"
) -> tuple[int | None, list[int]]:
    """The legal action that is meant, or all that could be meant and are not legal.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: it is an outcome of chance, which does not decide now.
        AmbiguousAction: the text has two meanings that are both legal.
    """
    if isinstance(action, Action):
        if action.code in game._legal and _is_the_same(game, action):
            return action.code, []
        action = action.text
    if not isinstance(action, str):
        raise UnreadableAction(shown(action), language=language)
    text, meant = action, dict[int, None]()
    for spoken in _spoken(game, language):
        codes = game.notation(spoken).read(text)
        legal = [code for code in codes if code in game._legal]
        if legal:
            return _the_one(game, text, legal, game.notation(spoken), language), []
        meant |= dict.fromkeys(codes)
    if meant:
        return None, list(meant)
    if any(chance_said(text[:MAX_SHOWN], of) is not None for of in _spoken(game, language)):
        raise IllegalAction(text[:MAX_SHOWN], (game._wrong_moment(language),), language)
    raise _unreadable(game, text, language)


def _spoken(game: Game, language: str) -> tuple[str, ...]:
    """The languages in which a text is read, the one that is asked for first."""
    game.notation(language)
    return tuple(dict.fromkeys((language, *game.ruleset.schema.languages)))


def _the_one(game: Game, text: str, legal: list[int], notation: Notation, language: str) -> int:
    """The one action that is written so; else the only one that can be read so."""
    said = " ".join(text.lower().split())
    exactly = [code for code in legal if notation.text(code).lower() == said]
    found = exactly if len(exactly) == 1 else legal
    if len(found) == 1:
        return found[0]
    meanings = tuple(notation.exact(code) for code in sorted(legal))
    raise AmbiguousAction(text, meanings, language)


def _unreadable(game: Game, text: str, language: str) -> UnreadableAction:
    said, known = text[:MAX_SHOWN], game.actions_in(language)[:MAX_COMPARED]
    return UnreadableAction(said, closest_match(said, [action.text for action in known]), language)


def _read_outcome(game: Game, text: str, language: str) -> int:
    if len(text) > MAX_SHOWN:
        raise UnreadableAction(text[:MAX_SHOWN], language=language)
    spoken = _spoken(game, language)
    for of in spoken:
        code = _outcome_said(game, text, of)
        if code is not None:
            return code
    meant = any(game.notation(of).read(text) for of in spoken)
    if meant or any(_is_about_chance(text, of) for of in spoken):
        raise IllegalAction(text, (game._wrong_moment(language),), language)
    raise _unreadable(game, text, language)


def _outcome_said(game: Game, text: str, language: str) -> int | None:
    """The code of an outcome that a text in one language dictates."""
    point, said = game._point, chance_said(text, language)
    if said is None:
        said = " ".join(text.lower().split())
    dice = dice_in(said, language) if isinstance(point, DicePoint) else None
    if isinstance(point, DicePoint) and dice is not None:
        outcome = game._machine.dice_code(point, dice)
        if outcome is not None and -1 - outcome in game._legal:
            return -1 - outcome
    for action in game._outcome_actions(language):
        if said in {chance_said(action.text, language), _plainly(action)}:
            return action.code
    return None


def _is_about_chance(text: str, language: str) -> bool:
    """Whether a text begins as an outcome of chance does."""
    said, phrase = (
        (chance_said(text, language) or text.lower()).split(),
        translator(language).gettext,
    )
    begins = {phrase("roll {dice}", dice=""), phrase("draw {what}", what="")}
    return said[:1] in [begin.lower().split()[:1] for begin in begins]


def _plainly(action: Action) -> str:
    return " ".join([action.name, *action.args]).lower()


def shown(value: object) -> str:
    """A few words about anything, however big."""
    try:
        return shortened(value)
    except Exception:
        return f"a value of {type(value).__name__}"
