"""Why an action is legal or not, for somebody who sees everything or for one player."""

from collections.abc import Iterable, Sequence
from itertools import product
from reprlib import repr as abbreviated

from attrs import evolve

from hots_rules.diagnostics import IllegalAction, UnreadableAction
from hots_rules.explain.action_status import ActionStatus
from hots_rules.explain.legality import LegalityChecker, checker_for
from hots_rules.explain.ruling import Ruling
from hots_rules.observe.observer import viewer_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import MAX_SHOWN, interpretations, notations, parse_action
from hots_rules.play.reason import MAX_CHANGES, Reason

MAX_NEAREST = 3
MAX_COMPARED = 5000


def explain_action(
    game: BaseGame, action: Action | str, player: str | None, *, with_support: bool
) -> Ruling:
    """Why an action is legal or not; with a player, without what is hidden from that player.

    Args:
        game: the game at the moment that is asked about.
        action: an action, or its text in any language of the ruleset.
        player: the player who asks; None for the whole state.
        with_support: whether to list the clauses that are not against the action as well.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        AmbiguousAction: the text matches several legal actions.
        UnknownOption: no such player.
    """
    if player is not None:
        return _explain_to(game, action, player, with_support)
    try:
        if game.is_over or game.is_chance:
            parse_action(game, action)
            text = action if isinstance(action, str) else action.text
            return Ruling(game.ruleset.name, text, language=game.language)
        code, candidates = interpretations(game, action)
    except IllegalAction as error:
        return Ruling(game.ruleset.name, error.text, error.reasons, language=game.language)
    checker = checker_for(game)
    statuses = checker.nearest(candidates) if code is None else (checker.status(code),)
    return _ruling(checker, statuses, with_support)


def _explain_to(game: BaseGame, action: Action | str, player: str, with_support: bool) -> Ruling:
    """The ruling for a player; the interpretation of the text depends on nothing hidden either."""
    viewer_of(game, player)
    text = action.text if isinstance(action, Action) else action
    if not isinstance(text, str):
        raise UnreadableAction(abbreviated(text))
    codes = [code for notation in notations(game) for code in notation.parse(text)]
    if not codes:
        raise UnreadableAction(text[:MAX_SHOWN])
    if game.is_over or game.to_move == ("chance",):
        moment = game.moment_reason()
        # The possible outcomes could reveal what is hidden.
        reasons = (evolve(moment, summary=moment.summary.partition(":")[0]),)
        text = game.notation.text(codes[0])
        return Ruling(game.ruleset.name, text, reasons, player=player, language=game.language)
    checker = checker_for(game, player)
    own = [code for code in dict.fromkeys(codes) if game.notation.action(code).player == player]
    statuses = checker.nearest(own) if own else (checker.status(codes[0]),)
    return _ruling(checker, statuses, with_support)


def _ruling(
    checker: LegalityChecker, statuses: Sequence[ActionStatus], with_support: bool
) -> Ruling:
    """The ruling on an action, of which the statuses are the interpretations."""
    game, code = checker.game, statuses[0].code
    against = _distinct(checker.against(status) for status in statuses)
    support = _distinct(checker.support(status) for status in statuses if with_support)
    sets = [reasons for status in statuses for reasons in _minimal_sets(checker, status)]
    may_compare = checker.viewer in (None, statuses[0].player)
    return Ruling(
        game.ruleset.name,
        game.notation.text(code),
        against,
        support,
        tuple(tuple(map(against.index, reasons)) for reasons in sets) if against else (),
        _changes(sets) if against else (),
        nearest_legal(game, code) if against and may_compare else (),
        checker.viewer,
        game.language,
    )


def _distinct(groups: Iterable[tuple[Reason, ...]]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for group in groups for reason in group))


def _minimal_sets(checker: LegalityChecker, status: ActionStatus) -> list[tuple[Reason, ...]]:
    """The minimal sets of reasons: each failed permit with all reasons that are no permits."""
    against = checker.against(status)
    permits = [reason for reason in against if reason.kind == "permit"]
    moment = [reason for reason in against if reason.kind == "moment"]
    forbids = [reason for reason in against if reason.kind == "forbid"]
    return [(*moment, permit, *forbids) for permit in permits] or [(*moment, *forbids)]


def _changes(sets: Sequence[tuple[Reason, ...]]) -> tuple[tuple[str, ...], ...]:
    """The minimal sets of changes after which all reasons of a set are gone."""
    ways = [
        tuple(dict.fromkeys(change for part in parts for change in part))
        for reasons in sets
        for parts in product(*(reason.changes for reason in reasons))
    ]
    return tuple(sorted(dict.fromkeys(ways), key=len)[:MAX_CHANGES])


def nearest_legal(game: BaseGame, code: int) -> tuple[str, ...]:
    """The texts of the legal actions of the same player that differ in the fewest arguments.

    Those of the same name come first, in the order of the legal actions; one of another name is near if
    it has an argument in common.
    """
    wanted = game.notation.action(code)
    ranked = [
        (rank, index, action.text)
        for index, action in enumerate(game.actions[:MAX_COMPARED])
        if action.player == wanted.player and (rank := _distance(wanted, action)) is not None
    ]
    return tuple(text for _, _, text in sorted(ranked)[:MAX_NEAREST])


def _distance(wanted: Action, action: Action) -> tuple[int, int] | None:
    """Whether the names differ, and the number of arguments that do; None if nothing is in common."""
    if wanted.name == action.name:
        pairs = zip(wanted.args, action.args, strict=True)
        return 0, sum(arg != other for arg, other in pairs)
    common = len({*wanted.args} & {*action.args})
    return (1, len(action.args) - common) if common else None
