"""The legal actions that contain some words."""

import re
from collections.abc import Iterable

from hots_rules.diagnostics import UnknownName, check_kind, fold_name
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import can_be_read

# A word of a label outside of its parameters, which stand in braces.
_WORD = re.compile(r"(?<![\w{])\w+(?![\w}])")


def find_actions(
    game: BaseGame, words: Iterable[str] = (), *, player: str | None = None
) -> tuple[Action, ...]:
    """The legal actions that contain all of some words; case does not matter.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> action = game.actions[0]
    >>> action in hr.explain.find_actions(game, [action.player, *action.args.values()])
    True

    Args:
        game: the game at the moment that is asked about.
        words: names of actions, players or values of parameters.
        player: only actions of this player; None for all.

    Raises:
        UnknownName: a word that no action of the ruleset can contain, or no such player.
    """
    check_kind("game", game, BaseGame, "a game")
    check_kind("words", words, Iterable, "a list of words")
    stripped = [word.strip() for word in words]
    vocabulary = _vocabulary(game) if stripped else {}
    for word in stripped:
        if fold_name(word) not in vocabulary:
            raise UnknownName("word", word, sorted(vocabulary.values()))
    if player is not None and player not in game.ruleset.players:
        raise UnknownName("player", player, game.ruleset.players)
    return tuple(
        action
        for action in game.actions
        if player in (None, action.player) and all(_contains(action, word) for word in stripped)
    )


def _vocabulary(game: BaseGame) -> dict[str, str]:
    """What an action can contain, by its folded form: names, players, values, words of labels."""
    notation, labels = game.notation, game.ruleset.labels
    texts = [*labels.schema.players, *labels.players]
    for form in notation.forms:
        texts += [form.name.replace("_", " "), *_WORD.findall(notation.template(form))]
        for _, type_ in form.params:
            texts += notation.words_of(type_)
    return {fold_name(part): part for text in texts for part in (*text.split(), text)}


def _contains(action: Action, word: str) -> bool:
    parts = {fold_name(part) for part in (action.player, action.name, *action.args.values())}
    whole_word = rf"(?<!\w){re.escape(fold_name(word))}(?!\w)"
    return (
        fold_name(word) in parts or re.search(whole_word, f" {fold_name(action.text)} ") is not None
    )


def is_action(game: BaseGame, text: str) -> bool:
    """Whether a text is an action of the ruleset or an outcome of chance, legal or not, in any of its languages.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.explain.is_action(game, "jouer Mouvement 1"), hr.explain.is_action(game, "play a card")
    (True, False)
    """
    check_kind("game", game, BaseGame, "a game")
    return can_be_read(game, text)
