"""What may be told of an action with a piece of another player: whose it is, and that the rest is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from hots_rules._translate import translator
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import owners_of
from hots_rules.talk.reading.speaker import Speaker
from hots_rules.talk.reading.told_acts import Act, other_moment, told_moment


def act_of_another(game: BaseGame, reader: Reader, act: Act, player: str | None) -> str | None:
    """That only its owner knows what a piece can do at another moment; None unless where it stands is hidden."""
    moment = other_moment(act.ruling) if act.ruling is not None else None
    if player is None or moment is None:
        return None
    speaker = Speaker(game, reader, player)
    for variable in game.ruleset.schema.location_maps:
        piece = variable.keys[0]
        assert isinstance(piece, types.WordType)
        for code in _pieces(act.named, piece):
            owners = {game.ruleset.players[owner] for owner in owners_of(game, piece.name, code)}
            query_text = f"{variable.name}[{'.'.join(piece.values[code])}]"
            place = speaker.statement(Intent("", query=query_text))
            if len(owners) == 1 and player not in owners and place and speaker.is_unknown(place):
                gettext, labels = translator(game.language).gettext, game.ruleset.labels
                hidden_place = gettext(
                    "{piece} is a piece of {player}, and where it stands is hidden: only {player} can know "
                    "whether that will be legal.",
                    piece=labels.format_value(code, piece),
                    player=labels.players_named(owners)[0],
                )
                now = gettext("No, not now: {reason}", reason=told_moment(moment))
                return f"{now}\n{hidden_place}"
    return None


def _pieces(named: Sequence[Token], piece: types.WordType) -> list[int]:
    """The pieces of names that mean one alone; the first is what acts."""
    codes = (token.codes(piece.name) for token in named[:1])
    return [listed[0] for listed in codes if len(listed) == 1]
