"""Games as text that outlives the program.

Takes: a game, or a record from an untrusted source.
Gives: records, journals, digests, replay, migration and verification.
Never: trusts the claims of a text; it replays and compares each claim.

A `Record` is a game as data. Each way to get one has an inverse:

| from        | to a record            | back                        |
| ----------- | ---------------------- | --------------------------- |
| text        | `Record.parse(text)`   | `str(record)`               |
| a file      | `Record.read(path)`    | `record.write(path)`        |
| a game      | `game.record`          | `hots_rules.replay(record)` |

`game.save(path)` and `hots_rules.read(path)` go from a game to a file and back in one step.

>>> import hots_rules as hr
>>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
>>> game = game.play(game.actions[0])
>>> hr.replay(hr.Record.parse(str(game.record))) == game
True
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
