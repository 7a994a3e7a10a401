"""Why an action is not legal: the clauses that stand against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.rewrite import walk
from hots_rules.compile.weave import Choosable, Clause, weave
from hots_rules.diagnostics import EngineError
from hots_rules.rules import typed as ty
from hots_rules.rules.typed import Expr, Prim
from hots_rules.state.shape import Variable

if TYPE_CHECKING:
    from hots_rules.play.game import Game


@frozen
class Reason:
    """One clause against an action.

    `kind` is "moment" (nobody is asked this now), "permit" (no permit holds) or "forbid"; `values`
    are what was found in the state, in words.
    """

    kind: str
    rule: str
    edition: str
    sections: tuple[str, ...]
    summary: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        cited = " ".join(f"§{section}" for section in self.sections)
        found = f" [{'; '.join(self.values)}]" if self.values else ""
        head = f"{self.rule} {cited}: " if self.rule else ""
        return f"{head}{self.summary}{found}"


def reasons_against(game: Game, code: int) -> tuple[Reason, ...]:
    """Every clause against an action that is not legal now, from the general to the particular."""
    form = game.notation().form_of(code)
    player, args = form.decode(code, len(game.ruleset.players))
    moment = _moment(game, form.name, game.ruleset.players[player])
    if moment is not None:
        return (moment,)
    woven = weave(game.ruleset.book.typed, dict(game.settings))
    action = woven.actions[form.name]
    local = {action.actor.name: player} | {
        p.name: arg for p, arg in zip(action.params, args, strict=True)
    }
    return _Judge(game, woven.typed).against(action, local)


def _moment(game: Game, action: str, player: str) -> Reason | None:
    fact = game._site_fact
    origin = fact["origin"]
    source = (origin["rule"], origin["edition"], tuple(origin["sections"]))
    if player not in game.to_move:
        return Reason(
            "moment", *source, f"it is for {' and '.join(game.to_move)} to choose now", ()
        )
    if action not in fact["actions"]:
        choices = ", ".join(name.replace("_", " ") for name in fact["actions"])
        return Reason("moment", *source, f"the choice now is between: {choices}", ())
    return None


class _Judge:
    def __init__(self, game: Game, typed: ty.Typed) -> None:
        self.game = game
        self.shape = game.ruleset.shape
        self.offsets = {
            v.name: {keys: i for i, keys in enumerate(v.key_codes)}
            for v in self.shape.variables.values()
        }
        self.evaluator = Evaluator(typed, dict(game.settings), self._load)

    def _load(self, variable: str, keys: tuple[int, ...]) -> int:
        found = self.shape.variables[variable]
        return self.game.state.slots[found.base + self.offsets[variable][keys]]

    def _holds(self, node: Expr, local: dict[str, int]) -> bool | None:
        """Whether a condition holds; None where it cannot be asked, because another condition guards it."""
        try:
            return bool(self.evaluator.value(node, local))
        except (EngineError, KeyError, IndexError):
            return None

    def against(self, action: Choosable, local: dict[str, int]) -> tuple[Reason, ...]:
        permits = [clause for clause in action.clauses if clause.kind == "permit"]
        found: list[Reason] = []
        if not any(self._holds(clause.when, local) for clause in permits):
            found += [
                self._reason(clause, self._failing(clause.when, local), local) for clause in permits
            ]
        found += [self._reason(clause, [clause.when], local) for clause in action.clauses
                  if clause.kind == "forbid" and self._holds(clause.when, local)]  # fmt: skip
        return tuple(found)

    def _failing(self, when: Expr, local: dict[str, int]) -> list[Expr]:
        parts = when.args if isinstance(when, Prim) and when.op == "and" else (when,)
        return [part for part in parts if self._holds(part, local) is False]

    def _reason(self, clause: Clause, parts: list[Expr], local: dict[str, int]) -> Reason:
        values = tuple(dict.fromkeys(text for part in parts for text in self._values(part, local)))
        origin = clause.origin
        return Reason(
            clause.kind, origin.rule, origin.edition, origin.sections, origin.summary, values
        )

    def _values(self, part: Expr, local: dict[str, int]) -> list[str]:
        """What the state holds where a condition looks, as far as its keys are known."""
        found = []
        for node in walk(part):
            if not isinstance(node, ty.Load):
                continue
            try:
                keys = tuple(self.evaluator.value(key, local) for key in node.keys)
                code = self._load(node.variable, keys)
            except (EngineError, KeyError, IndexError):
                continue
            variable = self.shape.variables[node.variable]
            found.append(f"{self._named(variable, keys)} = {self.shape.show(code, variable.type)}")
        return found

    def _named(self, variable: Variable, keys: tuple[int, ...]) -> str:
        words = [
            self.shape.show(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)
        ]
        return variable.name.replace("_", " ") + (f" of {', '.join(words)}" if words else "")
