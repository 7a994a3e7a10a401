"""What is asked of the rules about an action, and the answer."""

from __future__ import annotations

from itertools import product
from reprlib import repr as shortened

from attrs import evolve

from hots_rules.diagnostics import IllegalAction, NoConsistentWorld, UnreadableAction
from hots_rules.explain.legality import ActionStatus, LegalityChecker, legality_checker
from hots_rules.explain.nearest import nearest_legal
from hots_rules.explain.ruling import Ruling
from hots_rules.observe.determinization import consistent_worlds
from hots_rules.observe.observer import viewer_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import MAX_SHOWN, interpretations, notations, parse_action
from hots_rules.play.reason import MAX_CHANGES, Reason


def ruling_on(
    game: BaseGame, action: Action | str, player: str | None, *, supported: bool
) -> Ruling:
    """The answer to why an action is legal, or why not; with a player, as that one may know it.

    Where it is `supported`, it says what allows the action as well.

    Raises:
        UnreadableAction: the text is no action of this ruleset.
        AmbiguousAction: the text has two meanings that are both legal.
        UnknownOption: no such player, or the ruleset has no labels in the language.
    """
    if player is not None:
        return _to_a_player(game, action, player, supported)
    if game.is_over or game.to_move == ("chance",):
        return _of_the_moment(game, action)
    try:
        code, meant = interpretations(game, action)
    except IllegalAction as error:
        return Ruling(game.ruleset.name, error.text, error.reasons, language=game.language)
    judge = legality_checker(game)
    return _ruled(
        judge, judge.nearest(meant) if code is None else (judge.standing(code),), supported
    )


def _to_a_player(game: BaseGame, action: Action | str, player: str, supported: bool) -> Ruling:
    """What is said to a player hangs on nothing hidden, so neither does what the text is taken for."""
    viewer_of(game, player)
    text = action.text if isinstance(action, Action) else action
    if not isinstance(text, str):
        raise UnreadableAction(shortened(text))
    meant = list(dict.fromkeys(code for one in notations(game) for code in one.parse(text)))
    if not meant:
        raise UnreadableAction(text[:MAX_SHOWN])
    if game.is_over or game.to_move == ("chance",):
        moment = (_untold(game.moment_reason()),)
        said = game.notation.text(meant[0])
        return Ruling(game.ruleset.name, said, moment, player=player, language=game.language)
    judge = LegalityChecker(as_imagined(game, player), player)
    own = [code for code in meant if game.notation.action(code).player == player]
    return _ruled(judge, judge.nearest(own) if own else (judge.standing(meant[0]),), supported)


def as_imagined(game: BaseGame, player: str) -> BaseGame:
    """A game made of what the player sees: what is read in it cannot tell anything else."""
    try:
        return consistent_worlds(game, viewer_of(game, player))[0]
    except NoConsistentWorld:
        return game


def _untold(moment: Reason) -> Reason:
    """That chance decides, without what it may bring: that could tell what is hidden."""
    return evolve(moment, summary=moment.summary.partition(":")[0])


def _of_the_moment(game: BaseGame, action: Action | str) -> Ruling:
    """The answer where no player chooses: chance decides, or the game is over."""
    text = action if isinstance(action, str) else action.text
    try:
        parse_action(game, action)
    except IllegalAction as error:
        return Ruling(game.ruleset.name, error.text, error.reasons, language=game.language)
    return Ruling(game.ruleset.name, text, language=game.language)


def _ruled(judge: LegalityChecker, standings: tuple[ActionStatus, ...], supported: bool) -> Ruling:
    game = judge.game
    against = tuple(dict.fromkeys(r for one in standings for r in judge.against(one)))
    told = standings if supported else ()
    support = tuple(dict.fromkeys(reason for one in told for reason in judge.about(one)))
    first, sets = standings[0], [one for each in standings for one in _sets(judge, each)]
    has_own = judge.viewer in (None, first.player)
    return Ruling(
        game.ruleset.name,
        game.notation.text(first.code),
        against,
        support,
        tuple(tuple(map(against.index, reasons)) for reasons in sets) if against else (),
        _changes(sets) if against else (),
        nearest_legal(game, first.code) if against and has_own else (),
        judge.viewer,
        game.language,
    )


def _sets(judge: LegalityChecker, standing: ActionStatus) -> list[tuple[Reason, ...]]:
    """The smallest sets of reasons: with each permit that could hold, all else that is against it."""
    against = judge.against(standing)
    permits = [reason for reason in against if reason.kind == "permit"]
    moment = [reason for reason in against if reason.kind == "moment"]
    forbids = [reason for reason in against if reason.kind == "forbid"]
    return [(*moment, permit, *forbids) for permit in permits] or [(*moment, *forbids)]


def _changes(sets: list[tuple[Reason, ...]]) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of changes by which all reasons of a set are gone."""
    ways = [
        tuple(dict.fromkeys(change for part in parts for change in part))
        for reasons in sets
        for parts in product(*(reason.changes for reason in reasons))
    ]
    return tuple(sorted(dict.fromkeys(ways), key=len)[:MAX_CHANGES])
