"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), with a tree for each player.

Each iteration takes a world of the player who is to choose, goes down the trees, and plays on at random from where it
leaves them. Whoever chooses on the way does so by the results in a tree of his own, which branches by what he did and
saw, not by the state. So nobody in the search knows more than he would in the game. Choices in secret at the same
moment are made one after the other, and seen when all are made. Chance is rolled anew in each iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from attrs import Attribute, define, field, frozen

from hots_rules.analysis.players.bots import (
    batch_for,
    check_above_zero,
    check_backend_name,
    choice_seed,
    seen_by,
    value_of,
)
from hots_rules.analysis.players.search_tree import SearchNode
from hots_rules.analysis.policies.named_policy import RANDOM
from hots_rules.analysis.policies.policy import Chooser
from hots_rules.analysis.simulating.batches import Batch
from hots_rules.analysis.simulating.playouts import dead_end
from hots_rules.compile.codes import POINT, DecisionPoint, Slots, first_bit, has_several
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, LimitExceeded, NoConsistentWorld
from hots_rules.observe.changes import ObservedChanges, Sight
from hots_rules.observe.information_state import tracker_of
from hots_rules.observe.worlds import PLAYS_FOR_A_BOTS_WORLD, worlds_of
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame

Policies = str | Mapping[str, str] | None
"""A policy of all players, or of some by name."""
EXPLORATION = 0.7
"""The weight of rarely tried actions that is customary for values from 0 to 1."""


def _check_policy(_: object, attribute: Attribute[Policies], value: Policies) -> None:
    """Refuse a policy that is no text: it must say what comes first without a search of its own."""
    policies = value.values() if isinstance(value, Mapping) else [value]
    for policy in policies:
        if policy is not None and not isinstance(policy, str):
            needed = "the name of a policy, or its lines"
            raise BadArgument(attribute.name, str(policy)[:80], needed)


@frozen
class ISMCTSBot:
    """Searches a tree of what each player can know (information-set Monte Carlo tree search).

    It chooses the action that was tried most. The choice depends on the seed and on what the player can see, not on
    the back end.

    >>> import hots_rules as hr
    >>> game = hr.load("goofspiel-1.0").start("full-hands", seed=1)
    >>> bot = hr.analysis.ISMCTSBot(seed=7, iterations=50, worlds=5)
    >>> bot.choose(game, "Ann") in game.view("Ann").actions
    True

    Attributes:
        seed: the seed of its choices.
        iterations: the number of random games for a choice.
        worlds: the number of consistent worlds, which the iterations take in turn.
        exploration: the weight of rarely tried actions.
        backend: what plays the random games: "auto", "python", "wasm" or "llvm".
        policy: a policy as for odds, without `Best`, for all players or for some by name. What its lines choose is
            tried first at each decision of the search, and other actions by and by. If all players have the same one,
            it guides the random games as well; see `Batch.of`.
    """

    seed: int | str = 0
    iterations: int = field(default=1000, validator=check_above_zero)
    worlds: int = field(default=50, validator=check_above_zero)
    exploration: float = EXPLORATION
    backend: str = field(default="auto", validator=check_backend_name)
    policy: Policies = field(default=None, validator=_check_policy)

    def choose(self, game: BaseGame, player: str) -> Action:
        """One of the player's legal actions; a random one if no consistent world was found.

        Raises:
            ArgumentError: the player is not to choose now, or there is no such policy.
            MissingLibrary: the back end that is named is not installed, or does not work.
            RulesetError: the policy cannot be read.
        """
        view = seen_by(game, player)
        if len(view.actions) == 1:
            return view.actions[0]
        seed = choice_seed(self.seed, view)
        try:
            count = min(self.worlds, self.iterations)
            worlds = tuple(worlds_of(game, player, count, seed, PLAYS_FOR_A_BOTS_WORLD))
        except (NoConsistentWorld, LimitExceeded):
            return Random(seed).choice(view.actions)
        viewer = game.ruleset.players.index(player)
        search = self._search(worlds[0], viewer, seed)
        starts = [search.sights(world.state.slots) for world in worlds]
        for number in range(self.iterations):
            search.iterate(starts[number % len(starts)], f"{seed}/{number}")
        arms = search.roots[viewer].arms
        tried = (action for action in view.actions if action.code in arms)
        return max(tried, key=lambda action: (arms[action.code].visits, arms[action.code].score))

    def _search(self, world: BaseGame, viewer: int, seed: str) -> TreeSearch:
        rollout_policy = self.policy if isinstance(self.policy, str) else RANDOM
        batch = batch_for(world, self.backend, self.iterations, rollout_policy)
        players = range(len(world.ruleset.players))
        observers = [ObservedChanges(tracker_of(world, number).observer) for number in players]
        guide = None if self.policy is None else Chooser(world, self.policy)
        return TreeSearch(
            batch, world.machine, observers, viewer, self.exploration, Random(seed), guide
        )


@define
class TreeSearch:
    """The trees of all players, grown by one game after another.

    Attributes:
        batch: plays the random games.
        machine: the compiled ruleset, which lists all legal actions.
        observers: what each player sees.
        viewer: the number of the player for whom it searches.
        exploration: the weight of rarely tried actions.
        random: chooses among actions that were not tried.
        guide: says which of them come first.
        roots: what each player knows at the beginning, the same in all worlds.
    """

    batch: Batch
    machine: Machine
    observers: Sequence[ObservedChanges]
    viewer: int
    exploration: float
    random: Random
    guide: Chooser | None
    roots: list[SearchNode] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.roots = [SearchNode() for _ in self.observers]

    def sights(self, slots: tuple[int, ...]) -> list[Sight]:
        """A packed state as each player sees it."""
        return [observer.sight(slots) for observer in self.observers]

    def iterate(self, sights: Sequence[Sight], seed: str) -> None:
        """Go down the trees from a state, play on at random, and add the result to all that was chosen.

        Raises:
            EngineError: nobody has a legal action, or the ruleset violates another of its bounds.
        """
        descent = Descent(self, list(sights), seed)
        descent.run()
        [end] = self.batch.play([(descent.slots, seed)])
        for player, node, code in descent.path:
            node.arms[code].add(value_of(end.outcome, player))


@define
class Descent:
    """One way down the trees.

    Attributes:
        search: the trees.
        sights: what each player saw last.
        seed: the seed of chance.
        slots: the packed state, changed in place.
        path: who chose what in which nodes.
    """

    search: TreeSearch
    sights: list[Sight]
    seed: str
    slots: Slots = field(init=False)
    path: list[tuple[int, SearchNode, int]] = field(factory=list, init=False)
    _nodes: list[SearchNode] = field(init=False)
    _waiting: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self._nodes = list(self.search.roots)
        self.slots = list(self.sights[0].slots)

    @property
    def _machine(self) -> Machine:
        return self.search.machine

    def run(self) -> None:
        """Play on until an action is tried for the first time, or the game ends."""
        while self.slots[POINT] and not self._step():
            pass

    def _step(self) -> bool:
        """Play an action; return whether it was tried for the first time."""
        machine, slots = self._machine, self.slots
        codes = machine.legal(slots)
        if not codes:
            raise dead_end(machine, slots)
        asked = machine.players(slots)
        player = self._first(asked)
        if has_several(asked):
            codes = [code for code in codes if machine.player_of(code) == player]
        code, is_new = self._chosen(player, codes)
        point = machine.point(slots)
        assert isinstance(point, DecisionPoint)
        if point.waiting is not None:  # a choice in secret; after the last one nobody waits
            self._waiting = asked & ~(1 << player)
        machine.play(slots, code, self.seed)
        if not is_new:
            self._observe(player, code)
        return is_new

    def _first(self, asked: int) -> int:
        """Who of those that choose in secret does so first: the one for whom it searches, if he is among them."""
        viewer = self.search.viewer
        return viewer if asked >> viewer & 1 else first_bit(asked)

    def _chosen(self, player: int, codes: Sequence[int]) -> tuple[int, bool]:
        if len(codes) == 1:  # nothing to learn
            return codes[0], False
        node, search = self._nodes[player], self.search
        if search.guide is not None:
            unranked = [code for code in codes if code not in node.ranks]
            node.ranks |= search.guide.ranks(self.slots, player, unranked)
        code, is_new = node.choose(codes, search.exploration, search.random.choice)
        self.path.append((player, node, code))
        return code, is_new

    def _observe(self, chooser: int, code: int) -> None:
        """Lead all players to what they know now; who is still to choose in secret knows nothing new."""
        slots = tuple(self.slots)
        for player, observer in enumerate(self.search.observers):
            if self._waiting >> player & 1:
                continue
            self.sights[player], seen = observer.after(self.sights[player], slots)
            did = code if player == chooser else None
            self._nodes[player] = self._nodes[player].next((did, seen))
