"""What an action changes of what the picture of a position shows, in words."""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.compile.facts import Variable
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import Board, StatusRoles
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.observe.preview import Effect, Preview
from hots_rules.play.game import BaseGame


def effects_on_board(game: BaseGame, preview: Preview) -> list[str]:
    """The effects of a preview that its player can look up in the picture, in the words and the language of a game.

    Those of variables by which rules only keep account are left out, and those of lists and of hidden pieces,
    which have numbers in place of names. A board that names no variables for its panel shows all of them.

    >>> import hots_rules as hr
    >>> game = hr.load("connect-four-1.0").start("empty-board", seed=1)
    >>> preview = game.preview(game.actions[0], game.to_move[0])
    >>> hr.draw.effects_on_board(game, preview)
    ['disc a1: none → Red']

    Raises:
        RulesetError: the board of the ruleset has faults.
    """
    ruleset = game.ruleset
    facts = RulesetFacts(ruleset.labels, ruleset.compiled.typed, {})
    shown = _shown_variables(board_of(ruleset), facts)
    return [
        _in_words(effect, facts)
        for effect in _told(preview)
        if shown is None or effect.path[0] in shown
    ]


def _told(preview: Preview) -> Iterator[Effect]:
    for effect in preview.effects:
        is_list = isinstance(effect.before, list) or isinstance(effect.after, list)
        if not is_list and "#" not in "".join(effect.path):
            yield effect


def _shown_variables(board: Board, facts: RulesetFacts) -> frozenset[str] | None:
    """The names of the variables that the picture shows; None for all."""
    status = board.status
    if status == StatusRoles():
        return None
    of_pieces = [
        variable.name for variable in (facts.location, facts.owner) if variable is not None
    ]
    of_battle = [board.battle.round] if board.battle is not None else []
    of_panel = [status.big, status.steps, status.hand, status.played, *status.counters]
    return frozenset([*of_pieces, board.pieces.strength, *of_battle, *of_panel])


def _in_words(effect: Effect, facts: RulesetFacts) -> str:
    variable = facts.schema.variables[effect.path[0]]
    keys = [
        facts.text(key, type_) for key, type_ in zip(effect.path[1:], variable.keys, strict=True)
    ]
    name = facts.labels.name("variable", variable.name)
    before, after = (
        _value(effect, value, variable, facts) for value in (effect.before, effect.after)
    )
    return f"{' '.join([name, *keys])}: {before} → {after}"


def _value(effect: Effect, value: object, variable: Variable, facts: RulesetFacts) -> str:
    """A value in words; of what is hidden, and of none, the words that the effect has."""
    plain = effect.text_of(value)
    return facts.text(value, variable.type) if plain == str(value) else plain
