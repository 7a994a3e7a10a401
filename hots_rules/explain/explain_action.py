"""Why an action is legal or not, for somebody who sees everything or for one player."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from attrs import evolve

from hots_rules.diagnostics import AmbiguousAction, IllegalAction, UnreadableAction
from hots_rules.explain.action_status import ActionStatus
from hots_rules.explain.legality import LegalityChecker, checker_for
from hots_rules.explain.ruling import Ruling
from hots_rules.explain.trial import ChangeTrial
from hots_rules.observe.observer import viewer_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import (
    MAX_SHOWN,
    interpretations,
    notations,
    parse_action,
    text_of,
)
from hots_rules.play.reason import MAX_CHANGES, Reason

MAX_NEAREST = 3
MAX_COMPARED = 5000
MAX_WAYS = 64  # that are tried to make an action legal


def explain_action(
    game: BaseGame,
    action: Action | str,
    player: str | None,
    *,
    with_support: bool,
    with_changes: bool = True,
) -> Ruling:
    """Why an action is legal or not; with a player, without what is hidden from that player.

    A text that names no player is answered for the player who is meant; if several can be meant, for each of them.

    Args:
        game: the game at the moment that is asked about.
        action: an action, or its text in any language of the ruleset.
        player: the player who asks; None for the whole state.
        with_support: whether to list the clauses that are not against the action as well.
        with_changes: whether to try what would make the action legal.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        AmbiguousAction: the text matches several legal actions.
        UnknownName: no such player.
    """
    if player is not None:
        return _explain_to(game, action, player, with_support, with_changes)
    try:
        if game.is_over or game.is_chance:
            parse_action(game, action)
            text = action if isinstance(action, str) else action.text
            return Ruling(game.ruleset.name, text, language=game.language)
        code, candidates = interpretations(game, action)
    except IllegalAction as error:
        return Ruling(game.ruleset.name, error.text, error.reasons, language=game.language)
    except AmbiguousAction as error:
        if len({meaning.partition(": ")[2] for meaning in error.meanings}) > 1:
            raise
        return _together(
            [
                explain_action(
                    game, meaning, None, with_support=with_support, with_changes=with_changes
                )
                for meaning in error.meanings
            ]
        )
    checker = checker_for(game)
    meanings = checker.meanings(candidates) if code is None else [(checker.status(code),)]
    return _together(
        [_ruling(checker, statuses, with_support, with_changes) for statuses in meanings]
    )


def explain_codes(game: BaseGame, codes: Sequence[int], player: str | None) -> Ruling:
    """Why one of the actions with some codes is legal or not: the one that is nearest to being legal.

    Its pieces show which player it belongs to. With a player, the ruling reveals nothing hidden from that player.
    """
    checker = checker_for(game, player)
    meanings = checker.meanings(codes)
    own = [statuses for statuses in meanings if statuses[0].player == player]
    return _ruling(checker, (own or meanings)[0], with_support=False, with_changes=False)


def hidden_ruling(game: BaseGame, code: int, player: str) -> Ruling:
    """The ruling for another player: only the player of the action can know the answer."""
    checker = checker_for(game, player)
    against = (checker.secret_reason(checker.status(code)),)
    text = game.notation.text(code)
    return Ruling(game.ruleset.name, text, against, player=player, language=game.language)


def first_hidden(game: BaseGame, codes: Iterable[int], player: str) -> int | None:
    """The first code of another player's action of which a player can know no reason against it; None without one."""
    checker = checker_for(game, player)
    return next((code for code in codes if checker.is_hidden(checker.status(code))), None)


def refusals(game: BaseGame, text: str) -> tuple[Reason, ...]:
    """The reasons against an action, by the whole state, without the changes that would make it legal.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        AmbiguousAction: the text matches several legal actions.
    """
    return explain_action(game, text, None, with_support=False, with_changes=False).against


def _together(rulings: Sequence[Ruling]) -> Ruling:
    """The rulings for each player who can be meant, as one."""
    return evolve(rulings[0], others=tuple(rulings[1:]))


def _explain_to(
    game: BaseGame, action: Action | str, player: str, with_support: bool, with_changes: bool
) -> Ruling:
    """The ruling for a player; nothing hidden decides how the text is interpreted."""
    viewer_of(game, player)
    text = text_of(game, action)
    codes = [code for notation in notations(game) for code in notation.parse(text)]
    if not codes:
        raise UnreadableAction(text[:MAX_SHOWN], language=game.language)
    if game.is_over or game.to_move == ("chance",):
        moment = game.moment_reason()
        # The possible outcomes, and what they are for, could reveal what is hidden.
        summary = re.split(r" \(|:", moment.summary)[0].rstrip()
        reasons = (evolve(moment, summary=summary),)
        text = game.notation.text(codes[0])
        return Ruling(game.ruleset.name, text, reasons, player=player, language=game.language)
    checker = checker_for(game, player)
    meanings = checker.meanings(list(dict.fromkeys(codes)))
    own = [statuses for statuses in meanings if statuses[0].player == player]
    return _ruling(checker, (own or meanings)[0], with_support, with_changes)


def _ruling(
    checker: LegalityChecker,
    statuses: Sequence[ActionStatus],
    with_support: bool,
    with_changes: bool,
) -> Ruling:
    """The ruling on an action from the statuses of its interpretations."""
    game, code = checker.game, statuses[0].code
    against_each = [checker.against(status) for status in statuses]
    sets_of_each = [_minimal_sets(reasons) for reasons in against_each]
    against = _distinct(against_each)
    support = _distinct(checker.support(status) for status in statuses if with_support)
    changes = (
        change
        for status, sets in zip(statuses, sets_of_each, strict=True)
        if with_changes
        for change in _changes(checker, status, sets)
    )
    may_compare = checker.viewer in (None, statuses[0].player)
    return Ruling(
        game.ruleset.name,
        game.notation.text(code),
        against,
        support,
        tuple(tuple(map(against.index, reasons)) for sets in sets_of_each for reasons in sets)
        if against
        else (),
        tuple(islice(_distinct_ways(changes), MAX_CHANGES)) if against else (),
        nearest_legal(game, code) if against and may_compare else (),
        checker.viewer,
        game.language,
    )


def _distinct(groups: Iterable[tuple[Reason, ...]]) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(reason for group in groups for reason in group))


def _distinct_ways(ways: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Each way once, lazily, since it takes long to try a way."""
    seen = set[tuple[str, ...]]()
    for way in ways:
        if way not in seen:
            seen.add(way)
            yield way


def _minimal_sets(against: Sequence[Reason]) -> list[tuple[Reason, ...]]:
    """The minimal sets of reasons: each failed permit with all reasons that are no permits."""
    permits = [reason for reason in against if reason.kind == "permit"]
    moment = [reason for reason in against if reason.kind == "moment"]
    forbids = [reason for reason in against if reason.kind == "forbid"]
    return [(*moment, permit, *forbids) for permit in permits] or [(*moment, *forbids)]


def _changes(
    checker: LegalityChecker, status: ActionStatus, sets: Sequence[tuple[Reason, ...]]
) -> Iterator[tuple[str, ...]]:
    """The minimal sets of changes that remove all reasons of a set; the engine has tried each."""
    ways = (
        tuple(dict.fromkeys(change for part in parts for change in part))
        for reasons in sets
        for parts in islice(product(*(reason.changes for reason in reasons)), MAX_WAYS)
    )
    trial, conditions = (
        ChangeTrial(checker.game, status, checker.evaluator.budget),
        checker.explainer.conditions,
    )
    for way in sorted(dict.fromkeys(ways), key=len):
        reversed_ = [condition for change in way for condition in conditions.get(change, ())]
        if not way or (reversed_ and trial.state_without(reversed_) is not None):
            yield way


def nearest_legal(game: BaseGame, code: int) -> tuple[str, ...]:
    """The texts of the legal actions of the same player that differ in the fewest arguments.

    Those of the same name come first, in the order of the legal actions; one of another name is near if
    it has an argument in common.
    """
    wanted = game.notation.action(code)
    ranked = [
        (rank, index, action.text)
        for index, action in enumerate(game.first_actions(MAX_COMPARED))
        if action.player == wanted.player and (rank := _distance(wanted, action)) is not None
    ]
    return tuple(text for _, _, text in sorted(ranked)[:MAX_NEAREST])


def _distance(wanted: Action, action: Action) -> tuple[int, int] | None:
    """Whether the names differ, and the number of arguments that do; None if nothing is in common."""
    if wanted.name == action.name:
        pairs = zip(wanted.args.values(), action.args.values(), strict=True)
        return 0, sum(arg != arg_wanted for arg, arg_wanted in pairs)
    common = len({*wanted.args.values()} & {*action.args.values()})
    return (1, len(action.args) - common) if common else None
