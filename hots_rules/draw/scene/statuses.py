"""The state of the game beside the board: whose turn it is, the cards, what counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from hots_rules.compile.facts import Variable
from hots_rules.draw.board.geometry import StatusRoles, words_in
from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.draw.scene.position import PLACE_COUNTER, DrawnPlace, PlayerRow, Status
from hots_rules.explain.board.render import render_values
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.state.data_text import UNKNOWN


def status_of(
    game: BaseGame,
    player: str | None,
    facts: RulesetFacts,
    roles: StatusRoles,
    places: Sequence[DrawnPlace],
) -> Status:
    """The state of a game, as a player may know it."""
    steps = facts.variable(roles.steps)
    now = facts.single(roles.steps) if roles.steps else None
    step_and_last = None
    if steps is not None and isinstance(steps.type, types.IntType) and isinstance(now, int):
        step_and_last = now, steps.type.high
    big = facts.single(roles.big) if roles.big else None
    has_no_roles = roles == StatusRoles()
    return Status(
        "" if big is None else str(big),
        step_and_last,
        words_in(roles.steps_text, facts.labels.language),
        tuple(_lines(game)),
        () if has_no_roles else tuple(_rows(game, facts, roles, places)),
        facts.labels.name("variable", roles.hand) if roles.hand else "",
        tuple(_hands(facts, roles)),
        tuple(_counters(facts, roles, places)),
        render_values(game, player) if has_no_roles else (),
    )


def _counters(
    facts: RulesetFacts, roles: StatusRoles, places: Sequence[DrawnPlace]
) -> Iterator[tuple[str, int]]:
    """The counters that are known and above 0; of those that places have, the sum."""
    for name in roles.counters:
        value = facts.single(name) if facts.variable(name) is not None else None
        if isinstance(value, int) and value > 0:
            yield facts.labels.name("variable", name), value
    totals: Counter[str] = Counter()
    for place in places:
        if place.counters:
            totals.update(dict(place.counters))
    yield from ((f"{PLACE_COUNTER} {name}", number) for name, number in totals.items())


def _lines(game: BaseGame) -> Iterator[str]:
    """Who is to choose, and in which phase; at the end the outcome."""
    if game.is_over:
        yield str(game.outcome or "")
        return
    players = ", ".join(game.ruleset.labels.players_named(game.to_move))
    yield f"{players}: {game.phase_title}" if players else game.phase_title


def _rows(
    game: BaseGame, facts: RulesetFacts, roles: StatusRoles, places: Sequence[DrawnPlace]
) -> Iterator[PlayerRow]:
    keys = _keys_to_count(game, facts, roles)
    for number, name in enumerate(facts.labels.players):
        key = facts.schema.players[number]
        yield PlayerRow(
            number,
            name,
            _hand_size(facts, roles, key),
            _played(facts, roles, key),
            _points(facts, roles, places, number, keys),
        )


def _hand_size(facts: RulesetFacts, roles: StatusRoles, player: str) -> str:
    """The number of cards in a hand, `?` if it is hidden."""
    hand = facts.values.get(roles.hand, {}).get(player) if roles.hand else None
    if not isinstance(hand, dict):
        return ""
    return UNKNOWN if UNKNOWN in hand.values() else str(sum(map(int, hand.values())))


def _played(facts: RulesetFacts, roles: StatusRoles, player: str) -> str:
    variable = facts.variable(roles.played)
    value = facts.values[roles.played].get(player) if variable is not None else None
    if variable is None or value is None:
        return ""
    return UNKNOWN if value == UNKNOWN else facts.text(value, variable.type)


def _points(
    facts: RulesetFacts,
    roles: StatusRoles,
    places: Sequence[DrawnPlace],
    owner: int,
    keys: frozenset[str],
) -> str:
    """How many pieces of a kind a player has on the map; nothing where some of the pieces are hidden.

    The pieces of the kind have the keys.
    """
    role = roles.count
    pieces = [piece for place in places for piece in place.pieces if piece.owner == owner]
    if role is None or not all(piece.name for piece in pieces):
        return ""
    number = sum(piece.key in keys for piece in pieces)
    return f"{number} {words_in(role.text, facts.labels.language)}"


def _keys_to_count(game: BaseGame, facts: RulesetFacts, roles: StatusRoles) -> frozenset[str]:
    """The keys of the pieces that count: a column of a table has the same ones in all states."""
    role, location = roles.count, facts.location
    if role is None or location is None:
        return frozenset()
    type_ = location.keys[0]
    assert isinstance(type_, types.WordType)
    column, value = role.column, role.value

    def make() -> frozenset[str]:
        words = facts.words_of(type_).items()
        return frozenset(
            key
            for key, code in words
            if str(facts.detail(column, key, type_.values[code])) == value
        )

    if facts.variable(column) is not None:
        return make()
    return game.ruleset.compiled.memo(("draw", "keys to count", column, value), make)


def _hands(facts: RulesetFacts, roles: StatusRoles) -> Iterator[tuple[str, str]]:
    """The cards of each hand that is known."""
    variable = facts.variable(roles.hand)
    if variable is None or len(variable.keys) != 2:
        return
    for player, hand in facts.values[roles.hand].items():
        if isinstance(hand, dict) and UNKNOWN not in hand.values():
            cards = [
                _card(facts, variable, name, number) for name, number in hand.items() if number
            ]
            yield facts.text(player, variable.keys[0]), ", ".join(cards) or "–"


def _card(facts: RulesetFacts, variable: Variable, name: str, number: int) -> str:
    text = facts.text(name, variable.keys[1])
    return text if number == 1 else f"{text} ×{number}"
