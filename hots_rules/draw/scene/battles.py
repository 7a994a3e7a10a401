"""The battle in progress, read from the variables that a board names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import field, frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.diagnostics import EngineError
from hots_rules.draw.board.geometry import BattleRoles, Board, words_in
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.position import Battle, BattleRow, DrawnPlace, Piece
from hots_rules.observe.knowledge import HiddenCell, seen_evaluator
from hots_rules.play.game import BaseGame


@frozen
class Fight:
    """The battle in progress: its place, and the letter and rating with which each piece fights there."""

    place: str
    roles: BattleRoles = field(repr=False)
    facts: RulesetFacts = field(repr=False)
    evaluator: Evaluator = field(repr=False)

    def letter_and_rating(self, piece: int) -> tuple[str, str]:
        """The letter and the rating of a piece, by its code; empty where they do not follow from what is seen."""
        return self._text(self.roles.letter, piece), self._text(self.roles.rating, piece)

    def _text(self, name: str, piece: int) -> str:
        if not name:
            return ""
        definition = self.evaluator.typed.definitions[name]
        try:
            code = self.evaluator.value(definition.body, {definition.params[0].name: piece})
        except (HiddenCell, EngineError, LookupError, ArithmeticError):
            return ""
        return str(self.facts.schema.to_python(code, definition.body.type))


def fight_of(
    game: BaseGame, player: str | None, facts: RulesetFacts, roles: BattleRoles | None
) -> Fight | None:
    """The battle in progress, from what a player sees; None if there is none, or the player may not know of it.

    Without a player it is computed from the whole state, for the player "" from what everybody sees.
    """
    if roles is None or not facts.single(roles.round):
        return None
    evaluator = game.evaluator() if player is None else seen_evaluator(game, player or None)
    return Fight(str(facts.single(roles.place)), roles, facts, evaluator)


def battle_of(facts: RulesetFacts, board: Board, places: Iterable[DrawnPlace]) -> Battle | None:
    """The battle that is fought; None if there is none, or the player may not know of it."""
    roles = board.battle
    if roles is None or not facts.single(roles.round):
        return None
    attacker = facts.schema.players.index(str(facts.single(roles.attacker)))
    place = next((p for p in places if p.key == facts.single(roles.place)), None)
    if place is None:
        return None
    defender = next((owner for owner in place.owners if owner != attacker), None)
    if defender is None:
        return None
    language = facts.labels.language
    number = f"{words_in(roles.round_text, language)} {facts.single(roles.round)}"
    return Battle(
        place.key,
        f"{words_in(roles.text, language)}: {place.name}, {number}",
        defender,
        attacker,
        words_in(roles.defender_text, language),
        words_in(roles.attacker_text, language),
        tuple(_rows(facts, roles, place, defender, attacker)),
    )


def _rows(
    facts: RulesetFacts, roles: BattleRoles, place: DrawnPlace, defender: int, attacker: int
) -> Iterator[BattleRow]:
    """A row for each letter in the order in which they act, then what is not known, then the reserves."""
    reserve = _members(facts, roles.reserve)
    in_line = [piece for piece in place.pieces if piece.key.partition(".")[0] not in reserve]
    for letter in sorted({piece.letter for piece in in_line}, key=lambda word: (not word, word)):
        yield _row(letter or "?", [p for p in in_line if p.letter == letter], defender, attacker)
    waiting = [piece for piece in place.pieces if piece not in in_line]
    if waiting:
        text = words_in(roles.reserve_text, facts.labels.language)
        yield _row(text, waiting, defender, attacker)


def _members(facts: RulesetFacts, variable: str) -> set[str]:
    """The members of a set in the state; none if it is hidden."""
    members = facts.single(variable)
    return set(map(str, members)) if isinstance(members, list) else set()


def _row(title: str, pieces: list[Piece], defender: int, attacker: int) -> BattleRow:
    defenders, attackers = (
        tuple(piece for piece in pieces if piece.owner == owner) for owner in (defender, attacker)
    )
    return BattleRow(title, defenders, attackers)
