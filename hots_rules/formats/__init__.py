"""JSON messages for programs in other languages.

Takes: states, actions, games, records, errors; untrusted JSON.
Gives: JSON with versioned schemas, TypeScript types, and a corpus of games to test other programs against.
Never: decides a rule, plays by itself, or accepts a message that its schema does not allow.

`to_json` and `from_json` are inverses. `schema` and `typescript_types` describe every message.

>>> import hots_rules as hr
>>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
>>> hr.from_json(hr.to_json(game.state), hr.State, game.ruleset) == game.state
True
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
