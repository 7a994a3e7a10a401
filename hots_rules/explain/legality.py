"""Why an action is legal or not: its clauses at one moment of a game, as reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hots_rules.diagnostics import BadArgument, abbreviated, check_kind
from hots_rules.explain.action_status import ActionStatus, action_status, is_offered, values_read
from hots_rules.explain.explanation import Explainer
from hots_rules.explain.infer_player import PlayerInference
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import parse_action
from hots_rules.play.reason import Explanation, Reason
from hots_rules.rules.typed import tast

if TYPE_CHECKING:
    from hots_rules.compile.link import LinkedClause, LinkedExemption
    from hots_rules.observe.knowledge import Knowledge

MAX_CHECKED = 60  # interpretations of one text
MAX_MEANINGS = 3
MAX_FACTS = 4


def reasons_against(
    game: BaseGame, codes: Sequence[int], player: str | None = None
) -> tuple[Reason, ...]:
    """The clauses against one of some actions, the most important first: the action that is nearest to being legal.

    With a player, nothing hidden from that player is revealed.
    """
    check_kind("codes", codes, Sequence, "codes of actions")
    if not codes or not all(type(code) is int for code in codes):
        raise BadArgument("codes", abbreviated(codes), "codes of actions")
    checker = checker_for(game, player)
    nearest = checker.meanings(codes)[0]
    reasons = (reason for status in nearest for reason in checker.against(status))
    return tuple(dict.fromkeys(reasons))


def checker_for(game: BaseGame, player: str | None = None) -> LegalityChecker:
    """A checker that reveals nothing that a player cannot know: it works in a sampled world.

    Without a player it sees everything, and is cached with the game.

    Raises:
        UnknownName: no such player.
    """
    if player is None:
        checker = game.memo(LegalityChecker, lambda: LegalityChecker(game))
        checker.evaluator.renew_budget()
        return checker
    # A late import: without a player no worlds are sampled.
    from hots_rules.observe.knowledge import knowledge_of

    knowledge = knowledge_of(game, player)
    return LegalityChecker(knowledge.game, knowledge)


def reasons_for(game: BaseGame, text: str) -> tuple[Reason, ...]:
    """The permits that hold for an action that is legal now.

    Raises:
        HotsError: the text is no action that is legal now.
    """
    code = parse_action(game, text)
    if code < 0:
        return ()
    checker = checker_for(game)
    support = checker.support(checker.status(code))
    return tuple(reason for reason in support if reason.kind == "permit")


class LegalityChecker:
    """Evaluates the clauses of actions at one moment of a game.

    With the `knowledge` of a player, it reveals nothing that this player cannot know.
    """

    def __init__(self, game: BaseGame, knowledge: Knowledge[BaseGame] | None = None) -> None:
        self.game = game
        self.knowledge = knowledge
        self.viewer = None if knowledge is None else knowledge.player
        self.labels = game.ruleset.labels
        self.translator = self.labels.translator
        self.evaluator = game.evaluator()
        folder = game.ruleset.linked_rules(game.settings).folder
        if knowledge is None:
            self.explainer = Explainer(self.evaluator, folder, self.labels, self.labels)
        else:
            formatter, knows = knowledge.formatter, knowledge.knows
            self.explainer = Explainer(self.evaluator, folder, formatter, self.labels, knows)

    # -------------------------------------------------------------- actions
    def status(self, code: int) -> ActionStatus:
        """The status of the action with a code."""
        return action_status(self.game, self.evaluator, code)

    def meanings(self, codes: Sequence[int]) -> list[tuple[ActionStatus, ...]]:
        """For each player who can be meant, the actions that are nearest to being legal, at most one of each name.

        The player whose action is nearest comes first.
        """
        acts = [self._of_players_meant(codes) for codes in self._acts(codes)]
        least = min(status.distance[:2] for act in acts for status in act)
        nearest = (act for act in acts if least in {status.distance[:2] for status in act})
        by_player: dict[str, dict[str, ActionStatus]] = {}
        for status in sorted((s for act in nearest for s in act), key=lambda s: s.distance):
            by_player.setdefault(status.player, {}).setdefault(status.action.name, status)
        return [tuple(by_name.values())[:MAX_MEANINGS] for by_name in by_player.values()]

    def _acts(self, codes: Sequence[int]) -> list[list[int]]:
        """The codes in groups that differ only in the player; actions that can be chosen now come first."""
        players, acts = (
            len(self.game.ruleset.players),
            dict[tuple[str, tuple[int, ...]], list[int]](),
        )
        for code in codes:
            form = self.game.notation.form_of(code)
            acts.setdefault((form.name, form.decode(code, players)[1]), []).append(code)
        offered = {act: any(is_offered(self.game, code) for code in acts[act]) for act in acts}
        return [acts[act] for act in sorted(acts, key=lambda act: not offered[act])[:MAX_CHECKED]]

    def _of_players_meant(self, codes: Sequence[int]) -> tuple[ActionStatus, ...]:
        statuses = tuple(map(self.status, codes))
        if len(statuses) == 1:
            return statuses
        return PlayerInference(self.game, self._holds, self._can_know).narrow_players(statuses)

    def _holds(self, node: tast.Expr, status: ActionStatus) -> bool:
        """Whether a condition holds and the viewer can know that."""
        return self._can_know(node, status) and bool(
            self.evaluator.value_or_none(node, status.local)
        )

    def against(self, status: ActionStatus) -> tuple[Reason, ...]:
        """The reasons against an action: it is not offered, no permit holds, a clause forbids it."""
        reasons = [] if status.is_offered else [self._moment_reason(status)]
        clauses = list(status.against)
        if self.knowledge is not None:
            knowable = [clause for clause in clauses if self._knows(clause, status)]
            is_own = status.player == self.viewer
            if not (is_own or knowable or reasons) and not all(
                self._knows(clause, status) for clause in status.action.clauses
            ):
                return (self.secret_reason(status),)
            if knowable or reasons or not is_own:
                clauses = knowable
            elif not self.knowledge.is_sampled:
                # No reason can be given without revealing hidden information.
                summary = self.translator.gettext("depends on information hidden from you")
                return (Reason("secret", *status.action.origin.source, summary),)
        reasons += [self._reason(clause, status) for clause in clauses]
        if not status.is_permitted and not status.failed_permits:
            summary = self.translator.gettext("nothing permits it under these options and readings")
            reasons.append(Reason("permit", *status.action.origin.source, summary))
        return tuple(reasons)

    def is_hidden(self, status: ActionStatus) -> bool:
        """Whether another player can choose it now, and the viewer can know no reason against it."""
        is_own = status.player == self.viewer
        if self.knowledge is None or is_own or not status.is_offered:
            return False
        return not any(self._knows(clause, status) for clause in status.against) and not all(
            self._knows(clause, status) for clause in status.action.clauses
        )

    def support(self, status: ActionStatus) -> tuple[Reason, ...]:
        """The permits that hold, and the forbids that do not."""
        unmet = (
            clause
            for clause in status.action.clauses
            if clause.kind == "forbid" and clause not in status.forbids
        )
        return tuple(
            self._reason(clause, status, stands=False)
            for clause in (*status.permits, *unmet)
            if self._knows(clause, status)
        )

    def _knows(self, clause: LinkedClause, status: ActionStatus) -> bool:
        """Whether the viewer can know if a clause holds."""
        return self._can_know(clause.when, status)

    def _can_know(self, node: tast.Expr, status: ActionStatus) -> bool:
        return self.knowledge is None or self.knowledge.knows(node, status.local)

    # -------------------------------------------------------------- reasons
    def secret_reason(self, status: ActionStatus) -> Reason:
        """Only the player who would choose the action can know whether it is legal."""
        player = self.labels.player(self.game.ruleset.players.index(status.player))
        summary = self.translator.gettext(
            "only {who} can know whether it would be legal", who=player
        )
        return Reason("secret", *status.action.origin.source, summary)

    def _moment_reason(self, status: ActionStatus) -> Reason:
        """Why the player can choose no action of this name now."""
        if status.player not in self.game.to_move:
            return self.game.moment_reason()
        facts = self.game.point_facts
        choices = ", ".join(map(self.game.notation.action_name, facts.actions))
        summary = self.translator.gettext("the legal choices now are: {choices}", choices=choices)
        return Reason("moment", *facts.origin.source, summary)

    def _reason(self, clause: LinkedClause, status: ActionStatus, stands: bool = True) -> Reason:
        local, origin = status.local, clause.origin
        condition = clause.unexempted if clause.exemptions else clause.when
        explanation = self.explainer.explain(condition, local)
        because = clause.because if stands == (clause.kind == "forbid") else None
        values: tuple[str, ...] = ()
        if self.knowledge is None:
            values = values_read(self.evaluator, self.labels, clause, local)
        return Reason(
            clause.kind,
            *origin.source,
            self.labels.summary(origin),
            values,
            self._because(because, local) or _facts(explanation),
            explanation,
            stands,
            tuple(self._exemption(exemption, local) for exemption in clause.exemptions),
        )

    def _exemption(self, exemption: LinkedExemption, local: Mapping[str, int]) -> Reason:
        """An exemption from a clause, met or not."""
        source, summary = exemption.origin.source, self.labels.summary(exemption.origin)
        explanation = self.explainer.explain(exemption.when, local)
        is_unmet = not self.evaluator.value_or_none(exemption.when, local)
        return Reason("exempt", *source, summary, (), _facts(explanation), explanation, is_unmet)

    def _because(self, because: tast.Because | None, local: Mapping[str, int]) -> str:
        """The sentence of a `because`; empty without one."""
        if because is None:
            return ""
        template = self.labels.label(f"text {because.text}", because.text)
        return self.explainer.because(because, template, local)


def _facts(explanation: Explanation) -> str:
    """The facts of an explanation in one line."""
    facts = list(dict.fromkeys(fact for fact in explanation.facts() if fact))
    ellipsis = ["…"] if len(facts) > MAX_FACTS else []
    return "; ".join(facts[:MAX_FACTS] + ellipsis)
