"""Why an action is not legal: the clauses that stand against it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.rewrite import walk
from hots_rules.compile.weave import Clause
from hots_rules.diagnostics import EngineError
from hots_rules.play.reason import Reason
from hots_rules.rules import typed as ty
from hots_rules.rules.typed import Expr, Prim
from hots_rules.state.shape import Variable

if TYPE_CHECKING:
    from hots_rules.play.game import Game

MAX_JUDGED = 200
MAX_VALUES = 12
MAX_REASONS = 20


def reasons_against(game: Game, meant: list[int]) -> tuple[Reason, ...]:
    """Every clause against an action that is not legal now, from the general to the particular.

    A text may mean several actions: those that come nearest to being legal are judged. These are
    the ones that a rule permits and another forbids; else those that could be chosen here by the
    player who is asked; else whatever that player means.
    """
    forbidden: list[tuple[Reason, ...]] = []
    unpermitted: list[tuple[Reason, ...]] = []
    own: list[tuple[Reason, ...]] = []
    others: list[tuple[Reason, ...]] = []
    for code in meant[:MAX_JUDGED]:
        form = game.notation().form_of(code)
        number, args = form.decode(code, len(game.ruleset.players))
        player = game.ruleset.players[number]
        moment = _moment(game, form.name, player)
        if moment is not None:
            (own if player in game.to_move else others).append((moment,))
            continue
        reasons = game._judge.against(form.name, number, args)
        permitted = all(reason.kind == "forbid" for reason in reasons)
        (forbidden if permitted else unpermitted).append(reasons)
    nearest = forbidden or unpermitted or own[:1] or others[:1]
    return tuple(dict.fromkeys(reason for reasons in nearest for reason in reasons))[:MAX_REASONS]


def reasons_for(game: Game, text: str) -> tuple[Reason, ...]:
    """The permits that hold for an action that is legal now.

    Raises:
        HotsError: the text is no action that is legal now.
    """
    code = game._code_of(text)
    if code < 0:
        return ()
    form = game.notation().form_of(code)
    number, args = form.decode(code, len(game.ruleset.players))
    return game._judge.holding(form.name, number, args)


def _moment(game: Game, action: str, player: str) -> Reason | None:
    """Why nobody can choose an action here, whatever its arguments; None if somebody could."""
    fact = game._site_fact
    origin = fact["origin"]
    source = (origin["rule"], origin["edition"], tuple(origin["sections"]))
    asked = " and ".join(game.to_move)
    if player not in game.to_move:
        return Reason("moment", *source, f"it is for {asked} to choose now", ())
    if action not in fact["actions"]:
        choices = ", ".join(name.replace("_", " ") for name in fact["actions"])
        return Reason("moment", *source, f"the choice now is between: {choices}", ())
    return None


class Judge:
    """Looks at actions at one moment of a game, clause by clause."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.shape = game.ruleset.shape
        self.woven = game.ruleset.woven(dict(game.settings))
        # The state stays as it is, so what a definition says of some values stays too.
        self.evaluator = Evaluator(self.woven.typed, dict(game.settings), self._load, {})

    def _load(self, variable: str, keys: tuple[int, ...]) -> int:
        found = self.shape.variables[variable]
        return self.game.state.slots[found.base + found.offsets[keys]]

    def _value(self, node: Expr, local: dict[str, int]) -> int | None:
        """A value; None where it cannot be asked, because another condition guards it."""
        try:
            return self.evaluator.value(node, local)
        except (EngineError, LookupError, ArithmeticError):
            return None

    def against(self, name: str, player: int, args: tuple[int, ...]) -> tuple[Reason, ...]:
        """The clauses against one action with its arguments."""
        action = self.woven.actions[name]
        own = zip((action.actor, *action.params), (player, *args), strict=True)
        local = {param.name: arg for param, arg in own}
        permits = [clause for clause in action.clauses if clause.kind == "permit"]
        found: list[Reason] = []
        if not any(self._value(clause.when, local) for clause in permits):
            found += [self._reason(c, self._failing(c.when, local), local) for c in permits]
            if not permits:
                origin = action.origin
                said = "nothing permits it under these options and readings"
                source = (origin.rule, origin.edition, origin.sections)
                found.append(Reason("permit", *source, said, ()))
        found += [
            self._reason(clause, [clause.when], local)
            for clause in action.clauses
            if clause.kind == "forbid" and self._value(clause.when, local)
        ]
        return tuple(found)

    def holding(self, name: str, player: int, args: tuple[int, ...]) -> tuple[Reason, ...]:
        """The permits of one action that hold for its arguments."""
        action = self.woven.actions[name]
        own = zip((action.actor, *action.params), (player, *args), strict=True)
        local = {param.name: arg for param, arg in own}
        return tuple(
            self._reason(clause, [clause.when], local)
            for clause in action.clauses
            if clause.kind == "permit" and self._value(clause.when, local)
        )

    def _failing(self, when: Expr, local: dict[str, int]) -> list[Expr]:
        parts = when.args if isinstance(when, Prim) and when.op == "and" else (when,)
        return [part for part in parts if not self._value(part, local)]

    def _reason(self, clause: Clause, parts: list[Expr], local: dict[str, int]) -> Reason:
        values = dict.fromkeys(text for part in parts for text in self._values(part, local))
        origin = clause.origin
        return Reason(
            clause.kind,
            origin.rule,
            origin.edition,
            origin.sections,
            origin.summary,
            tuple(values)[:MAX_VALUES],
        )

    def _values(self, part: Expr, local: dict[str, int]) -> Iterator[str]:
        """What the state holds where a condition looks, as far as its keys are known."""
        for node in walk(part):
            if isinstance(node, ty.Load):
                keys = self._all_values(node.keys, local)
                if keys is not None:
                    variable = self.shape.variables[node.variable]
                    value = self.shape.show(self._load(node.variable, keys), variable.type)
                    yield f"{self._named(variable, keys)} = {value}"
            elif isinstance(node, ty.Named):
                args = self._all_values(node.args, local)
                if args is not None:
                    definition = self.woven.typed.definitions[node.define]
                    names = (param.name for param in definition.params)
                    yield from self._values(definition.body, dict(zip(names, args, strict=True)))

    def _all_values(self, nodes: tuple[Expr, ...], local: dict[str, int]) -> tuple[int, ...] | None:
        found = tuple(self._value(node, local) for node in nodes)
        known = tuple(value for value in found if value is not None)
        return known if len(known) == len(found) else None

    def _named(self, variable: Variable, keys: tuple[int, ...]) -> str:
        words = [
            self.shape.show(key, type_) for key, type_ in zip(keys, variable.keys, strict=True)
        ]
        return variable.name.replace("_", " ") + (f" of {', '.join(words)}" if words else "")
