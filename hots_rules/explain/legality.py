"""Why an action is legal, and why not: its clauses at one moment of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.facts import Variable
from hots_rules.compile.link import ActionSpec, LinkedClause
from hots_rules.diagnostics import EngineError
from hots_rules.explain.explanation import Explainer
from hots_rules.observe.knowledge import knowing_of
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import parse_action
from hots_rules.play.reason import Explanation, Reason
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Expr, Origin
from hots_rules.rules.typed.visitor import walk

MAX_JUDGED = 60
MAX_MEANINGS = 3
MAX_VALUES = 12
MAX_FACTS = 4


def reasons_against(game: BaseGame, codes: Sequence[int]) -> tuple[Reason, ...]:
    """Every clause against the one of some actions that is nearest to being legal, general ones first."""
    checker = legality_checker(game)
    reasons = (reason for status in checker.nearest(codes) for reason in checker.against(status))
    return tuple(dict.fromkeys(reasons))


def legality_checker(game: BaseGame) -> LegalityChecker:
    """The checker of this moment for somebody who sees everything, kept with the game."""
    checker: LegalityChecker | None = game.memo.get(LegalityChecker)
    if checker is None:
        checker = game.memo.setdefault(LegalityChecker, LegalityChecker(game))
    return checker


def reasons_for(game: BaseGame, text: str) -> tuple[Reason, ...]:
    """The permits that hold for an action that is legal now.

    Raises:
        HotsError: the text is no action that is legal now.
    """
    code = parse_action(game, text)
    if code < 0:
        return ()
    judge = legality_checker(game)
    return tuple(one for one in judge.about(judge.standing(code)) if one.kind == "permit")


@frozen
class ActionStatus:
    """How an action stands: whether it is asked for now, the permits that fail, the forbids that hold.

    Where one permit holds, none of those that fail is against it.
    """

    code: int
    action: ActionSpec
    player: str
    local: Mapping[str, int]
    is_asked: bool
    failing: tuple[LinkedClause, ...]
    holding: tuple[LinkedClause, ...]
    forbidding: tuple[LinkedClause, ...]

    @property
    def is_permitted(self) -> bool:
        """Whether a permit holds."""
        return bool(self.holding)

    @property
    def is_legal(self) -> bool:
        """Whether it may be chosen."""
        return self.is_asked and self.is_permitted and not self.forbidding

    @property
    def distance(self) -> tuple[int, int, int]:
        """How far it is from being legal: not asked for, not permitted, by how many clauses forbidden."""
        return 0 if self.is_asked else 1, 0 if self.is_permitted else 1, len(self.forbidding)


class LegalityChecker:
    """Looks at actions at one moment of a game, clause by clause.

    With a `viewer` it tells nothing that this player cannot know.
    """

    def __init__(self, game: BaseGame, viewer: str | None = None) -> None:
        self.game = game
        self.schema = game.ruleset.schema
        self.labels = game.ruleset.labels
        self.words = self.labels.translator
        self.linked = game.ruleset.linked_rules(game.settings)
        # The state stays as it is, so what a definition says of some values stays too.
        folder = self.linked.folder
        self.evaluator = Evaluator(
            self.linked.typed, dict(game.settings), self._load, {}, folder.static_value
        )
        self.viewer = viewer
        self.knowing = None if viewer is None else knowing_of(game, viewer, self.evaluator)
        if self.knowing is None:
            self.explainer = Explainer(self.evaluator, folder, self.labels, self.labels)
        else:
            veil, knows = self.knowing.veil, self.knowing.knows
            self.explainer = Explainer(self.evaluator, folder, veil, self.labels, knows)

    def _load(self, variable: str, keys: tuple[int, ...]) -> int:
        found = self.schema.variables[variable]
        return self.game.state.slots[found.base + found.offsets[keys]]

    def _value(self, node: Expr, local: Mapping[str, int]) -> int | None:
        """A value; None where it cannot be asked, because another condition guards it."""
        try:
            return self.evaluator.value(node, local)
        except (EngineError, LookupError, ArithmeticError):
            return None

    # -------------------------------------------------------------- one action
    def standing(self, code: int) -> ActionStatus:
        """How the action of a code stands."""
        form = self.game.notation.form_of(code)
        number, args = form.decode(code, len(self.game.ruleset.players))
        player = self.game.ruleset.players[number]
        action = self.linked.actions[form.name]
        params = zip((action.actor, *action.params), (number, *args), strict=True)
        local = {param.name: arg for param, arg in params}
        holding: list[LinkedClause] = []
        failing: list[LinkedClause] = []
        forbidding: list[LinkedClause] = []
        for clause in action.clauses:
            holds = bool(self._value(clause.when, local))
            if clause.kind == "permit":
                (holding if holds else failing).append(clause)
            elif holds:
                forbidding.append(clause)
        asked = player in self.game.to_move and form.name in self.game.point_facts.actions
        clauses = (tuple(failing), tuple(holding), tuple(forbidding))
        return ActionStatus(code, action, player, local, asked, *clauses)

    def nearest(self, meant: Sequence[int]) -> tuple[ActionStatus, ...]:
        """Of the actions that a text may mean, those that come nearest to being legal, one of a kind."""
        stand = [self.standing(code) for code in self._asked(meant)[:MAX_JUDGED]]
        least = min(one.distance[:2] for one in stand)
        found: dict[str, ActionStatus] = {}
        for one in sorted(stand, key=lambda one: one.distance):
            if one.distance[:2] == least:
                found.setdefault(one.action.name, one)
        return tuple(found.values())[:MAX_MEANINGS]

    def _asked(self, meant: Sequence[int]) -> Sequence[int]:
        """The actions that somebody can choose here, whatever their arguments; all if there is none."""
        forms, players = self.game.notation, self.game.ruleset.players
        asked = []
        for code in meant:
            form = forms.form_of(code)
            player = players[form.decode(code, len(players))[0]]
            if form.name in self.game.point_facts.actions and player in self.game.to_move:
                asked.append(code)
        return asked or meant

    def against(self, standing: ActionStatus) -> tuple[Reason, ...]:
        """The clauses against an action: not the moment, no permit, forbidden."""
        found = [] if standing.is_asked else [self._moment(standing)]
        clauses = () if standing.is_permitted else standing.failing
        told = [*clauses, *standing.forbidding]
        if self.knowing is not None:
            known = [clause for clause in told if self._knows(clause, standing)]
            unsure = standing.player != self.viewer and not known and not found
            if unsure and not all(self._knows(one, standing) for one in standing.action.clauses):
                return (self._kept(standing),)
            if known or found or standing.player != self.viewer:
                told = known
        found += [self._reason(clause, standing) for clause in told]
        if not standing.is_permitted and not standing.failing:
            said = self.words.gettext("nothing permits it under these options and readings")
            found.append(self._said("permit", standing.action.origin, said))
        return tuple(found)

    def about(self, standing: ActionStatus) -> tuple[Reason, ...]:
        """The clauses that are not in the way: permits that hold, forbids that do not."""
        told = [
            *standing.holding,
            *(
                clause
                for clause in standing.action.clauses
                if clause.kind == "forbid" and clause not in standing.forbidding
            ),
        ]
        return tuple(
            self._reason(clause, standing, stands=False)
            for clause in told
            if self._knows(clause, standing)
        )

    def _knows(self, clause: LinkedClause, standing: ActionStatus) -> bool:
        """Whether the viewer can know if a clause holds."""
        return self.knowing is None or self.knowing.knows(clause.when, standing.local)

    def _kept(self, standing: ActionStatus) -> Reason:
        """What may be chosen is for the player alone to know."""
        players = self.game.ruleset.players
        who = self.labels.player(players.index(standing.player))
        return self._said(
            "secret",
            standing.action.origin,
            self.words.gettext("only {who} can know whether it would be legal", who=who),
        )

    # -------------------------------------------------------------- reasons
    def _moment(self, standing: ActionStatus) -> Reason:
        """Why nobody can choose an action here, whatever its arguments."""
        fact = self.game.point_facts
        if standing.player not in self.game.to_move:
            asked = self.labels.players_named(self.game.to_move)
            said = self.words.gettext(
                "it is for {players} to choose now", players=self.words.join_list(asked)
            )
        else:
            action_name = self.game.notation.action_name
            choices = ", ".join(action_name(name) for name in fact.actions)
            said = self.words.gettext("the choice now is between: {choices}", choices=choices)
        return self._said("moment", fact.origin, said)

    def _said(self, kind: str, origin: Origin, summary: str) -> Reason:
        return Reason(kind, origin.rule, origin.edition, origin.sections, summary, ())

    def _summary(self, origin: Origin) -> str:
        return self.labels.sentence(origin.kind, origin.rule, origin.summary)

    def _reason(self, clause: LinkedClause, standing: ActionStatus, stands: bool = True) -> Reason:
        local, origin = standing.local, clause.origin
        lifted = tuple(
            Reason(
                "exempt",
                one.origin.rule,
                one.origin.edition,
                one.origin.sections,
                self._summary(one.origin),
                (),
                *self._found(None, ground := self.explainer.explain(one.when, local), local),
                ground,
                not self._value(one.when, local),
            )
            for one in clause.exemptions
        )
        node = clause.unexempted if clause.exemptions else clause.when
        ground = self.explainer.explain(node, local)
        told = clause.because if stands == (clause.kind == "forbid") else None
        return Reason(
            clause.kind,
            origin.rule,
            origin.edition,
            origin.sections,
            self._summary(origin),
            () if self.knowing else tuple(dict.fromkeys(self._values(clause, local)))[:MAX_VALUES],
            *self._found(told, ground, local),
            ground,
            stands,
            lifted,
        )

    def _found(
        self, because: tast.Because | None, ground: Explanation, local: Mapping[str, int]
    ) -> tuple[str]:
        """The sentence of the rulebook, or else the facts behind the clause."""
        if because is not None:
            text = self.labels.label(f"text {because.text}", because.text)
            said = self.explainer.because(because, text, local)
            if said:
                return (said,)
        facts = list(dict.fromkeys(fact for fact in ground.facts() if fact))
        more = ["…"] if len(facts) > MAX_FACTS else []
        return ("; ".join(facts[:MAX_FACTS] + more),)

    def _values(self, clause: LinkedClause, local: Mapping[str, int]) -> Iterator[str]:
        parts: tuple[Expr, ...] = ()
        if (
            clause.kind == "permit"
            and isinstance(clause.when, tast.Operation)
            and clause.when.op == "and"
        ):
            parts = tuple(part for part in clause.when.args if not self._value(part, local))
        for part in parts or (clause.when,):
            yield from self._looked_at(part, local)

    def _looked_at(self, part: Expr, local: Mapping[str, int]) -> Iterator[str]:
        """What the state holds where a condition looks, as far as its keys are known."""
        for node in walk(part):
            if isinstance(node, tast.Load):
                keys = self._all_values(node.keys, local)
                if keys is not None:
                    variable = self.schema.variables[node.variable]
                    value = self.labels.format_value(self._load(node.variable, keys), variable.type)
                    yield f"{self._named(variable, keys)} = {value}"
            elif isinstance(node, tast.DefinitionCall):
                args = self._all_values(node.args, local)
                if args is not None:
                    definition = self.linked.typed.definitions[node.define]
                    names = (param.name for param in definition.params)
                    yield from self._looked_at(definition.body, dict(zip(names, args, strict=True)))

    def _all_values(
        self, nodes: tuple[Expr, ...], local: Mapping[str, int]
    ) -> tuple[int, ...] | None:
        found = tuple(self._value(node, local) for node in nodes)
        known = tuple(value for value in found if value is not None)
        return known if len(known) == len(found) else None

    def _named(self, variable: Variable, keys: tuple[int, ...]) -> str:
        said = [
            self.labels.format_value(key, type_)
            for key, type_ in zip(keys, variable.keys, strict=True)
        ]
        return self.labels.cell_label(variable.name, said)
