"""Who takes part in a game: a scenario may leave out players of the ruleset."""

from __future__ import annotations

import re

from hots_rules.explain.declared.declarations import contents_of
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types

_ASSIGNED = re.compile(r"\b(\w+) (?::=|\+=|-=)")


def taking_part(game: BaseGame) -> frozenset[str]:
    """The players who take part: those of the only set of players that scenarios alone fill; without one all.

    >>> import hots_rules as hr
    >>> len(taking_part(hr.load("hots-4.0").start("braveheart", seed=1297)))
    2
    """
    ruleset = game.ruleset
    name = ruleset.compiled.memo(("set of those who take part",), lambda: _named(ruleset))
    if not name:
        return frozenset(game.ruleset.players)
    variable = ruleset.schema.variables[name]
    code = ruleset.schema.reader(game.state.slots)(name, ())
    names = ruleset.schema.to_python(code, variable.type)
    return frozenset(map(str, names if isinstance(names, list) else ()))


def _named(ruleset: AnyRuleset) -> str:
    """The name of the set; empty if there is none, or there are several."""
    in_scenarios, elsewhere = set[str](), set[str]()
    for declared in contents_of(ruleset.compiled).declarations:
        names = in_scenarios if declared.kind == "scenario" else elsewhere
        names.update(_ASSIGNED.findall(declared.source))
    schema = ruleset.schema
    sets = [
        name
        for name, variable in schema.variables.items()
        if not variable.keys and name in in_scenarios - elsewhere
        if isinstance(variable.type, types.SetType) and schema.is_of_players(variable.type.member)
    ]
    return sets[0] if len(sets) == 1 else ""
