"""Where a recorded game diverges under another ruleset, and the rules responsible."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import field, frozen

from hots_rules.compare.difference import Change, Diff
from hots_rules.compare.differences import diff
from hots_rules.compare.divergence_point import Cause, Divergence, DivergencePoint
from hots_rules.compare.replaying import start_under
from hots_rules.compare.shared_entries import SharedEntries
from hots_rules.compile.codes import winners_text
from hots_rules.diagnostics import HotsError, check_kind
from hots_rules.explain.explain_action import explain_action
from hots_rules.play.action import Action
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.records.recording import initial_game, record_game
from hots_rules.rules.rulebook import Entry, Rulebook, words_in

MAX_EXPLAINED = 3  # actions of one side, each of another name, whose refusal is explained
# Kinds of declarations by which a rule can depend on a change.
_INTERMEDIATE = ("define", "table", "type", "variable", "option", "reading", "secret")


def divergence(
    game: BaseGame, ruleset: AnyRuleset, *, differences: Diff | None = None
) -> Divergence:
    """Replays a game under another ruleset, to the first point at which the two differ.

    The seed is the same, and so are the options and readings that the other ruleset has. Actions are
    compared by player, name and arguments, or by their texts; states by the entries that both have.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.compare.divergence(game, hr.load("hots-3.x")).new
    'hots-3.x'

    Args:
        game: the game.
        ruleset: the other ruleset.
        differences: the differences between the two rulesets, if they are known already.

    Raises:
        UnknownName: the ruleset has no such scenario.
        BadPosition: the ruleset does not allow the position at which the game began.
    """
    check_kind("game", game, BaseGame, "a game")
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    here, (there, notes) = initial_game(game), start_under(game, ruleset)
    names, texts = (game.ruleset.name, ruleset.name), [e.text for e in record_game(game).entries]
    shared = SharedEntries.of(game.ruleset.schema, ruleset.schema)
    for at, text in enumerate(["", *texts]):
        if at:
            code = game.moves[at - 1]
            action = next(action for action in here.actions if action.code == code)
            here = here.play_code(code)
            there = there.play(corresponding_action(there, action) or text)
        if what := _difference(here, there, shared):
            changes = shared.changes(here.state, there.state)
            differences = differences or diff(game.ruleset, ruleset)
            finder = _CauseFinder(here, there, changes, differences)
            sides = finder.side(here, there), finder.side(there, here)
            return Divergence(*names, len(texts), what, at, text, changes, *sides, notes)
    return Divergence(*names, len(texts), notes=notes)


def _key(action: Action) -> tuple[str, ...]:
    return action.player, action.name, *action.args.values()


def corresponding_action(game: BaseGame, wanted: Action) -> Action | None:
    """The same action in the game of another ruleset."""
    by_text = [action for action in game.actions if action.text == wanted.text]
    return next((a for a in game.actions if _key(a) == _key(wanted)), next(iter(by_text), None))


def _difference(here: BaseGame, there: BaseGame, shared: SharedEntries) -> str:
    """What differs between two games; empty if nothing does."""
    if shared.changes(here.state, there.state):
        return "state"
    if here.is_over != there.is_over or winners_of(here) != winners_of(there):
        return "outcome"
    if here.to_move != there.to_move:
        return "asked"
    return "actions" if _only_here(here, there) or _only_here(there, here) else ""


def winners_of(game: BaseGame) -> tuple[str, ...]:
    """The players who won; none without an end, and after a draw."""
    return game.outcome.winners if game.outcome else ()


def winners_sentence(game: BaseGame) -> str:
    """Who won a game that is over, by the names of the ruleset."""
    winners = winners_of(game)
    return f"{winners_text(winners)} win" + ("" if len(winners) > 1 else "s")


def _only_here(here: BaseGame, there: BaseGame) -> list[Action]:
    """The actions that are legal on this side only."""
    keys = {_key(action) for action in there.actions}
    texts = {action.text for action in there.actions}
    return [a for a in here.actions if _key(a) not in keys and a.text not in texts]


# ---------------------------------------------------------------- causes
@frozen(slots=False)
class _CauseFinder:
    here: BaseGame
    there: BaseGame
    changes: tuple[Change, ...]
    differences: Diff = field(repr=False)

    def side(self, game: BaseGame, opposite: BaseGame) -> DivergencePoint:
        actions = _only_here(game, opposite)
        return DivergencePoint(
            game.ruleset.name,
            game.to_move,
            game.phase,
            tuple(action.text for action in actions),
            str(game.outcome) if game.outcome else "",
            tuple(self._causes(game.ruleset.rulebook)),
        )

    def _causes(self, rulebook: Rulebook) -> Iterator[Cause]:
        """The declarations responsible, as this side has them."""
        for entry in rulebook.entries.values():
            if (entry.kind, entry.name) in self._responsible:
                yield Cause(entry.kind, entry.name, entry.summary, entry.cited)

    @cached_property
    def _responsible(self) -> set[tuple[str, str]]:
        """The involved declarations that differ between the rulesets; all involved ones if none differs."""
        rulebooks = self.here.ruleset.rulebook, self.there.ruleset.rulebook
        names = set(self._involved_names())
        involved = {key for rulebook in rulebooks for key in _involved(rulebook, names)}
        changed = {
            (difference.kind, difference.name)
            for difference in self.differences.differences
            if difference.plays
        }
        direct = {key for key in changed & involved if key[1] in names}
        return direct or changed & involved or {key for key in involved if key[1] in names}

    def _involved_names(self) -> Iterator[str]:
        """The names of rules for and against the actions of one side, or in its trace."""
        yield from (change.where.split(" of ")[0] for change in self.changes)
        for game, opposite in ((self.here, self.there), (self.there, self.here)):
            actions = _only_here(game, opposite)
            by_name = {action.name: action for action in reversed(actions)}
            for action in list(by_name.values())[:MAX_EXPLAINED]:
                yield action.name
                yield from _against(opposite, action)
            if not actions:
                yield game.phase
            if not game.moves:
                yield game.scenario
        if self.changes or self.here.phase != self.there.phase:
            sides = [{(step.rule, step.text) for step in g.trace} for g in (self.here, self.there)]
            different = sides[0] ^ sides[1]
            yield from (rule for rule, _ in different or sides[0] | sides[1])


def _against(game: BaseGame, action: Action) -> Iterator[str]:
    try:
        yield from (
            reason.rule for reason in explain_action(game, action.text, None, with_support=False)
        )
    except HotsError:
        return  # the other ruleset has no such action


def _involved(rulebook: Rulebook, names: Iterable[str]) -> set[tuple[str, str]]:
    """The declarations with some names, and those that they use, directly or indirectly."""
    by_name: dict[str, list[Entry]] = {}
    for entry in rulebook.entries.values():
        by_name.setdefault(entry.name, []).append(entry)
    pending = [entry for name in names for entry in by_name.get(name, [])]
    involved: set[tuple[str, str]] = set()
    while pending:
        entry = pending.pop()
        if (entry.kind, entry.name) in involved:
            continue
        involved.add((entry.kind, entry.name))
        mentioned = (by_name.get(word, ()) for word in set(words_in(entry.node)))
        pending += [used for group in mentioned for used in group if used.kind in _INTERMEDIATE]
    return involved
