"""Pieces of a board that a sentence names by their kind, or by the square on which they stand: `can the king move`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from attrs import frozen

from hots_rules.draw.scene.facts import RulesetFacts
from hots_rules.explain.word_search import plain
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types

STANDING = frozenset({"on", "at", "in", "sur", "en", "a"})
"""Words between a piece and its square; that of French `à` as it is read."""
PIECE = ("piece", "pieza")
_MARKS = " \t?¿!.,"


@frozen
class _BoardWords:
    """The words for squares and pieces, in every language, as they are read.

    Attributes:
        squares: the code of each square by its name.
        kinds: for each word of a name of a piece the codes of the pieces with it.
        any_piece: words for any piece.
        players: the names of the players.
    """

    squares: Mapping[str, int]
    kinds: Mapping[str, frozenset[int]]
    any_piece: frozenset[str]
    players: frozenset[str]


def with_squares(game: BaseGame, line: str, player: str | None = None) -> str | None:
    """The line with a square for each piece that it names, if the board has one of these that is to move.

    None without such a piece, on a map that is no board, and where the player may not see what stands where.

    >>> import hots_rules as hr
    >>> game = hr.load("chess-1.0").start("beginning")
    >>> with_squares(game, "can the white king move?"), with_squares(game, "can the pawn on e2 go to e4?")
    ('can the e1 move?', 'can the e2 go to e4?')
    """
    drawn = game.ruleset.schema.facts.map
    if drawn is None or not drawn.is_board:
        return None
    secrets = {secret.name for secret in game.ruleset.compiled.typed.secrets}
    if player is not None and drawn.variable in secrets:
        return None
    board_words = game.ruleset.compiled.memo(("board words",), lambda: _words_of(game.ruleset))
    spelled = line.split()
    words = [plain(word).strip(_MARKS) for word in spelled]
    replaced: list[str] = []
    at = 0
    while at < len(words):
        length, square = _piece_at(game, board_words, words[at:])
        end = spelled[at + length - 1]
        replaced.append(square + end[len(end.rstrip(_MARKS)) :] if square else spelled[at])
        at += length
    return None if replaced == spelled else " ".join(replaced)


def _piece_at(game: BaseGame, board_words: _BoardWords, words: Sequence[str]) -> tuple[int, str]:
    """How many of the first words name a piece, with its square; 1 and nothing if they name none."""
    schema = game.ruleset.schema
    assert schema.facts.map is not None
    variable = schema.variables[schema.facts.map.variable]
    stands = game.state.slots[variable.base : variable.base + variable.count]
    named = [*takewhile(board_words.kinds.__contains__, words)]
    kinds = frozenset.intersection(*(board_words.kinds[word] for word in named)) if named else None
    rest = words[len(named) or 1 :]
    if (named or words[0] in board_words.any_piece) and len(rest) > 1 and rest[0] in STANDING:
        code = board_words.squares.get(rest[1])
        if code is not None:
            is_there = kinds is None or stands[code] in kinds
            return (len(named or words[:1]) + 2, rest[1]) if is_there else (1, "")
    if kinds is None or board_words.players.issuperset(named):
        return 1, ""
    squares = [at for at, kind in enumerate(stands) if kind in kinds]
    facts = RulesetFacts(game.ruleset.labels, game.ruleset.compiled.typed, {})
    type_, keys = variable.type, variable.keys[0]
    assert isinstance(type_, types.WordType)
    if len(squares) > 1:
        movers = [game.ruleset.players.index(name) for name in game.to_move]
        squares = [at for at in squares if facts.owner_in(type_.values[stands[at]]) in movers]
    if len(squares) != 1:
        return 1, ""
    return len(named), game.ruleset.labels.format_value(squares[0], keys)


def _words_of(ruleset: AnyRuleset) -> _BoardWords:
    schema = ruleset.schema
    assert schema.facts.map is not None
    variable = schema.variables[schema.facts.map.variable]
    square, kind = variable.keys[0], variable.type
    assert isinstance(square, types.WordType)
    assert isinstance(kind, types.WordType)
    kinds: dict[str, set[int]] = {}
    squares: dict[str, int] = {}
    any_piece, players = {*PIECE}, set[str]()
    for language in ruleset.languages:
        labels = ruleset.in_language(language).labels
        squares |= {plain(name): code for code, name in enumerate(labels.words(square))}
        players |= {plain(name) for name in labels.players}
        any_piece.add(plain(labels.name("variable", variable.name)))
        for code, name in enumerate(labels.words(kind)):
            if kind.values[code] == types.NONE:
                continue
            any_piece.add(plain(labels.name("type", kind.values[code][0])))
            for word in plain(name).split():
                kinds.setdefault(word, set()).add(code)
    frozen_kinds = {word: frozenset(codes) for word, codes in kinds.items()}
    return _BoardWords(squares, frozen_kinds, frozenset(any_piece), frozenset(players))
