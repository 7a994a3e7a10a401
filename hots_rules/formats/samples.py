"""The files of a corpus: a game with questions and answers, a message of each format, and messages that are refused."""

import json
from fractions import Fraction

from hots_rules.diagnostics import BadMessage, UnreadableAction
from hots_rules.draw.board.boards import board_of
from hots_rules.explain.causes import causal_trace
from hots_rules.explain.explain_action import explain_action
from hots_rules.formats.convert import from_json, to_json
from hots_rules.formats.game_corpus import build_corpus, refusal_error
from hots_rules.formats.geometry_messages import geometry_message
from hots_rules.formats.json_schema import format_title
from hots_rules.formats.messages import decision
from hots_rules.formats.registry import FORMATS, schema_file
from hots_rules.formats.ruleset_messages import ruleset_message
from hots_rules.observe.view import view_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.records.replaying import replay

SAMPLE = Action(
    "Red", "move", {"piece": "Fox", "to": "Shore"}, "Red: move Fox to Shore", 7, Fraction(1, 6)
)


def corpus_files(game: BaseGame, actions: int, seed: int = 0) -> dict[str, str]:
    """The files of a corpus by name, each a line of JSON.

    `corpus.v2.json` is the corpus of `build_corpus`. The other files hold a message of each format, for the last
    moment of that game, and `refused.json` a list of texts that are no action, each with its refusal.

    Raises:
        ValueError: the game has actions already.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> sorted(hr.formats.corpus_files(game, 3))[:3]
    ['account.v1.json', 'action.v2.json', 'corpus.v2.json']
    """
    corpus = build_corpus(game, actions, seed)
    last = replay(corpus.record, game.ruleset)
    messages = {
        "account": causal_trace(last, None, None),
        "action": last.actions[0] if last.actions else SAMPLE,
        "corpus": corpus,
        "decision": decision(last),
        "event": last.trace[-1],
        "explanation": explain_action(last, game.actions[0].text, None, with_support=True),
        "geometry": geometry_message(board_of(last.ruleset)),
        "record": corpus.record,
        "ruleset": ruleset_message(last.ruleset),
        "refusal": refusal_error(last, "no such action") or UnreadableAction(""),
        "state": last.state,
        "view": view_of(last, last.ruleset.players[0], 0),
    }
    files = {schema_file(name): to_json(messages[format_title(name).lower()]) for name in FORMATS}
    files["refused.json"] = _refused_messages()
    return {name: f"{text}\n" for name, text in files.items()}


def _refused_messages() -> str:
    """Texts that are no action, each with its refusal."""
    whole, args = to_json(SAMPLE), '{"piece":"Fox","to":"Shore"}'
    texts = [
        "",
        "[]",
        whole[:-1],
        whole + whole,
        whole.replace("action.v2", "state.v2"),
        whole.replace('"player":"Red"', '"player":null'),
        whole.replace('"player":"Red",', ""),
        whole.replace('"player":"Red"', '"player":"Red","player":"Blue"'),
        whole.replace('"player":"Red"', '"playr":"Red"'),
        whole.replace('"player"', '"colour":"Red","player"'),
        whole.replace('"Shore"', "1"),
        whole.replace(args, '"Fox"'),
        whole.replace(args, "[" * 100 + "]" * 100),
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
    refused = [{"text": text, "refusal": json.loads(to_json(_fault(text)))} for text in texts]
    return json.dumps(refused, ensure_ascii=False, separators=(",", ":"))


def _fault(text: str) -> BadMessage:
    try:
        from_json(text, Action)
    except BadMessage as error:
        return error
    raise AssertionError(text)
