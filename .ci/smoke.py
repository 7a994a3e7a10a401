"""An installed wheel has its grammar and its rulesets, and plays."""

import hots_rules as hr
from hots_rules._home import grammar_text, rulesets_home

assert grammar_text().strip(), "expected a grammar"
print("rulesets:", *sorted(child.name for child in rulesets_home().iterdir()))

game = hr.load("hots-4.0").start("braveheart", seed=1297)
print("to move:", *game.to_move)
assert any(True for _ in game.actions), "expected a legal action"
game = game.play(game.actions[0])
assert hr.replay(game.record) == game, "expected a record that replays"
assert hr.from_json(hr.to_json(game.state), hr.State, game.ruleset) == game.state
assert all(hr.formats.schema(name) for name in hr.formats.format_names()), "expected schemas"
