"""Resolve an action or a text to the code of a legal action, or raise an error that explains why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeGuard

from hots_rules._text import composed, plain_text
from hots_rules.compile.codes import DicePoint, SuspensionPoint
from hots_rules.diagnostics import (
    AmbiguousAction,
    BadArgument,
    IllegalAction,
    UnknownName,
    UnreadableAction,
    abbreviated,
    check_kind,
    closest_match,
    only_match,
)
from hots_rules.play.action import Action
from hots_rules.play.notation import Notation

if TYPE_CHECKING:
    from hots_rules.compile.machine import Machine
    from hots_rules.play.reason import Reason
    from hots_rules.play.ruleset import BaseRuleset

MAX_SHOWN = 300  # characters of a text in an error
MAX_OUTCOME = 300  # characters of the longest outcome that is read
MAX_COMPARED = 500  # actions that may be suggested for a text that is none


class ReadableGame(Protocol):
    """What is needed of a game to read an action of it."""

    @property
    def ruleset(self) -> BaseRuleset[object]: ...
    @property
    def language(self) -> str: ...
    @property
    def notation(self) -> Notation: ...
    @property
    def machine(self) -> Machine: ...
    @property
    def point(self) -> SuspensionPoint | None: ...
    @property
    def is_chance(self) -> bool: ...
    @property
    def actions(self) -> tuple[Action, ...]: ...
    @property
    def legal_code_set(self) -> frozenset[int]: ...
    def first_actions(self, most: int) -> tuple[Action, ...]: ...
    def outcome_actions(self, notation: Notation) -> tuple[Action, ...]: ...
    def moment_reason(self) -> Reason: ...
    def reasons_against(self, codes: Sequence[int]) -> tuple[Reason, ...]: ...


def parse_action(game: ReadableGame, action: Action | str) -> int:
    """The code of the legal action, or outcome of chance, that is meant.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: the rules do not allow it now.
        AmbiguousAction: the text matches several legal actions.
    """
    if game.is_chance and not _is_listed(action, game):
        return _parse_outcome(game, text_of(game, action))
    code, candidates = interpretations(game, action)
    if code is not None:
        return code
    text = text_of(game, action)
    raise IllegalAction(text, game.reasons_against(candidates), game.language)


def text_of(game: ReadableGame, action: Action | str) -> str:
    """The text of an action, without differences that a reader does not see.

    Raises:
        UnreadableAction: it is neither an action nor a text.
    """
    text = action.text if isinstance(action, Action) else action
    if not isinstance(text, str):
        raise UnreadableAction(abbreviated(text), language=game.language)
    return composed(plain_text(text))


# A TypeGuard is about the first parameter.
def _is_listed(action: Action | str, game: ReadableGame) -> TypeGuard[Action]:
    """Whether an action is legal, and its code means the same in this game as where it was listed."""
    if not isinstance(action, Action) or action.code not in game.legal_code_set:
        return False
    if action.code < 0:
        return action in game.actions
    here = game.notation.action(action.code)
    return (action.player, action.name, action.args) == (here.player, here.name, here.args)


def interpretations(game: ReadableGame, action: Action | str) -> tuple[int | None, list[int]]:
    """The legal action that is meant; without one, all illegal actions that could be meant.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        IllegalAction: it is an outcome of chance, and play does not wait for chance now.
        AmbiguousAction: the text matches several legal actions.
    """
    if _is_listed(action, game):
        return action.code, []
    action = text_of(game, action)
    candidates: dict[int, None] = {}
    for notation in notations(game):
        codes = notation.parse(action)
        legal_codes = [code for code in codes if code in game.legal_code_set]
        if legal_codes:
            return _select_legal(game, action, legal_codes, notation), []
        candidates |= dict.fromkeys(codes)
    if candidates:
        return None, list(candidates)
    text = action[:MAX_SHOWN]
    if any(notation.after_chance(text) is not None for notation in notations(game)):
        raise IllegalAction(text, (game.moment_reason(),), game.language)
    raise _unreadable(game, action)


def can_be_read(game: ReadableGame, text: str) -> bool:
    """Whether a text is an action of the ruleset or an outcome of chance; see `hots_rules.explain.is_action`."""
    check_kind("text", text, str, "a text")
    text = composed(plain_text(text))
    if game.is_chance and _is_outcome(game, text):
        return True
    return any(
        notation.parse(text) or notation.after_chance(text[:MAX_SHOWN]) is not None
        for notation in notations(game)
    )


def _is_outcome(game: ReadableGame, text: str) -> bool:
    return len(text) <= MAX_OUTCOME and any(
        _outcome_code(game, text, notation) is not None or _is_about_chance(text, notation)
        for notation in notations(game)
    )


def notations(game: ReadableGame) -> list[Notation]:
    """The notations by which a text is parsed: that of the game's language first, then the others."""
    languages = dict.fromkeys((game.language, *game.ruleset.languages))
    return [game.ruleset.in_language(language).notation for language in languages]


def arguments_named(game: ReadableGame, name: str) -> set[str]:
    """The names of the values that a name, or a word in any language, can mean as an argument.

    Raises:
        UnknownName: it means none.
    """
    if not isinstance(name, str):
        raise BadArgument("name", abbreviated(name), "a name or a word, as text")
    spelled = plain_text(name)
    words_of_name = " ".join(spelled.replace("_", " ").split())
    names = {
        value
        for notation in notations(game)
        for text in (spelled, words_of_name)
        for value in notation.arguments_named(text)
    }
    if not names:
        words = {
            word
            for form in game.notation.forms
            for _, type_ in form.params
            for word in game.notation.words_of(type_)
        }
        raise UnknownName("name", name, sorted(words))
    return names


def _select_legal(game: ReadableGame, text: str, legal_codes: list[int], notation: Notation) -> int:
    """The only legal action with exactly this text; else the only one that the text can mean."""
    spelled = " ".join(text.split())
    exact = only_match(spelled, ((code, notation.text(code)) for code in legal_codes), str.lower)
    if exact is not None:
        return exact
    if len(legal_codes) == 1:
        return legal_codes[0]
    meanings = tuple(notation.distinct_texts(sorted(legal_codes)))
    raise AmbiguousAction(text, meanings, game.language)


def _unreadable(game: ReadableGame, text: str) -> UnreadableAction:
    shown = text[:MAX_SHOWN]
    legal_texts = [action.text for action in game.first_actions(MAX_COMPARED)]
    return UnreadableAction(shown, closest_match(shown, legal_texts), game.language)


def _parse_outcome(game: ReadableGame, text: str) -> int:
    if len(text) > MAX_OUTCOME:
        raise UnreadableAction(text[:MAX_SHOWN], language=game.language)
    for notation in notations(game):
        code = _outcome_code(game, text, notation)
        if code is not None:
            return code
    if any(
        notation.parse(text) or _is_about_chance(text, notation) for notation in notations(game)
    ):
        raise IllegalAction(text, (game.moment_reason(),), game.language)
    raise _unreadable(game, text)


def _outcome_code(game: ReadableGame, text: str, notation: Notation) -> int | None:
    """The code of the outcome that a text in one language dictates."""
    lowered = notation.after_chance(text)
    if lowered is None:
        lowered = " ".join(text.lower().split())
    code = _dice_code(game, lowered, notation)
    return _listed_code(game, text, lowered, notation) if code is None else code


def _dice_code(game: ReadableGame, lowered: str, notation: Notation) -> int | None:
    """The code of the outcome with the dice of a text, in any order."""
    if not isinstance(game.point, DicePoint):
        return None
    dice = notation.parse_dice(lowered)
    outcome = None if dice is None else game.machine.dice_code(game.point, dice)
    return None if outcome is None or -1 - outcome not in game.legal_code_set else -1 - outcome


def _listed_code(game: ReadableGame, text: str, lowered: str, notation: Notation) -> int | None:
    """The code of the outcome that is spelled as a text; else of one with the same text in lower case."""
    listed, spelled = game.outcome_actions(notation), " ".join(text.split())
    for action in listed:
        if spelled in (action.text, action.text.partition(": ")[2]):
            return action.code
    for action in listed:
        plain = " ".join([action.name, *action.args.values()]).lower()
        if lowered in {notation.after_chance(action.text), plain}:
            return action.code
    return None


def _is_about_chance(text: str, notation: Notation) -> bool:
    """Whether a text begins as an outcome of chance does."""
    gettext = notation.labels.translator.gettext
    first_word = (notation.after_chance(text) or text.lower()).split()[:1]
    prefixes = {gettext("roll {dice}", dice=""), gettext("draw {what}", what="")}
    return first_word in [prefix.lower().split()[:1] for prefix in prefixes]
