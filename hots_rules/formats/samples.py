"""The files of a corpus: a game with questions and answers, a message of each format, and messages that are refused."""

from __future__ import annotations

import json
from fractions import Fraction

from hots_rules.diagnostics import BadMessage, HotsError, UnreadableAction
from hots_rules.formats.convert import from_json, to_json
from hots_rules.formats.corpus import corpus
from hots_rules.formats.messages import decision
from hots_rules.formats.shipped import file_of
from hots_rules.play.action import Action
from hots_rules.play.game import Game
from hots_rules.records.replaying import replay

SAMPLE = Action("Red", "move", ("Fox", "Shore"), "Red: move Fox to Shore", 7, Fraction(1, 6))


def corpus_files(game: Game, most: int, seed: int = 0) -> dict[str, str]:
    """The files of a corpus by name, each a line of JSON.

    `corpus.v1.json` is the corpus of some actions by chance; the others are a message of each format, as the game then
    stands, and `refused.json`, a list of texts that are no action, each with its refusal.

    Raises:
        ValueError: the game has actions already.
    """
    made = corpus(game, most, seed)
    last = replay(made.record, game.ruleset)
    sent = {
        "account": last.explain(),
        "action": last.actions[0] if last.actions else SAMPLE,
        "corpus": made,
        "decision": decision(last),
        "event": last.trace[-1],
        "explanation": last.why(game.actions[0].text),
        "record": made.record,
        "refusal": _refused(last),
        "state": last.state,
        "view": last.view(last.ruleset.players[0], since=0),
    }
    files = {file_of(f"{kind}.v1"): to_json(thing) for kind, thing in sent.items()}
    return {name: f"{text}\n" for name, text in {**files, "refused.json": refused()}.items()}


def _refused(game: Game) -> HotsError:
    try:
        game.play("no such action")
    except HotsError as error:
        return error
    return UnreadableAction("")


def refused() -> str:
    """Texts that are no action, each with the refusal that it meets."""
    whole = to_json(SAMPLE)
    broken = [
        "",
        "[]",
        whole[:-1],
        whole + whole,
        whole.replace("action.v1", "action.v2"),
        whole.replace("action.v1", "state.v1"),
        whole.replace('"player":"Red"', '"player":null'),
        whole.replace('"player":"Red",', ""),
        whole.replace('"player":"Red"', '"player":"Red","player":"Blue"'),
        whole.replace('"player":"Red"', '"playr":"Red"'),
        whole.replace('"player"', '"colour":"Red","player"'),
        whole.replace('["Fox","Shore"]', '["Fox",1]'),
        whole.replace('["Fox","Shore"]', '"Fox"'),
        whole.replace('["Fox","Shore"]', "[" * 100 + "]" * 100),
        whole.replace('"code":7', '"code":"7"'),
        whole.replace('"code":7', '"code":7.0'),
        whole.replace('"code":7', '"code":true'),
        whole.replace('"code":7', '"code":NaN'),
        whole.replace('"code":7', '"code":1e400'),
        whole.replace('"code":7', f'"code":{2**53}'),
        whole.replace("1/6", "1/0"),
        whole.replace("1/6", "0.5"),
        whole.replace("Shore", "\\ud83d"),
    ]
    told = [{"text": text, "refusal": json.loads(to_json(_of_text(text)))} for text in broken]
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _of_text(text: str) -> BadMessage:
    try:
        from_json(text, Action)
    except BadMessage as error:
        return error
    raise AssertionError(text)
