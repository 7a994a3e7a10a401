"""A policy that makes the small decisions for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from attrs import define, field

from hots_rules.analysis.policies.named_policy import named_policies, policy_of
from hots_rules.analysis.policies.policy import Chooser
from hots_rules.diagnostics import LimitExceeded, NoConsistentWorld, UnknownName, check_kind
from hots_rules.observe.observer import viewer_of
from hots_rules.observe.worlds import consistent_worlds
from hots_rules.play.action import Action
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.rules.typed.call_graph import state_read
from hots_rules.rules.typed.tast import Const, PolicyDef, Preference


@define
class Settler:
    """Chooses for one player where a line of a policy applies, and leaves all else to the player.

    A policy may read the whole state. So it is asked in a few states that the player cannot tell from the true one. It
    chooses only if it chooses the same in all of them. The states are always the same for one view.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> settler = hr.analysis.Settler(rules, "fight-on", rules.players[0])
    >>> settler.choose(rules.start("braveheart", seed=1297)) is None  # it says nothing of cards
    True

    Attributes:
        ruleset: the ruleset.
        name: the name of a policy of `named_policies`.
        player: for whom it chooses.

    Raises:
        UnknownName: the ruleset has no such policy.
    """

    ruleset: AnyRuleset = field(repr=False)
    name: str
    player: str
    _lines: str = field(init=False, repr=False)
    _policy: PolicyDef = field(init=False, repr=False)
    _chooser: Chooser | None = field(init=False, repr=False, default=None)

    def __attrs_post_init__(self) -> None:
        policies = named_policies(self.ruleset)
        check_kind("name", self.name, str, "the name of a policy")
        if self.name not in policies:
            raise UnknownName("policy", self.name, policies)
        self._lines = policies[self.name].lines
        self._policy = policy_of(self.ruleset, self._lines)

    def choose(self, game: BaseGame) -> Action | None:
        """The action that the policy prefers in all the states; None where it prefers none, or not the same one.

        None also where the player has no choice, or no states were found.
        """
        votes = self.votes(game)
        if len(votes) != 1:
            return None
        [code] = votes
        return next((action for action in game.actions if action.code == code), None)

    def votes(self, game: BaseGame) -> Counter[int | None]:
        """In how many of the states the policy prefers each action, by its code; None counts those without one."""
        own = [action for action in game.actions if action.player == self.player]
        if not own or game.is_chance:
            return Counter()
        codes = [action.code for action in own]
        names = {action.name for action in own}
        return Counter(self._first(world, codes) for world in self._worlds(game, names))

    def _worlds(self, game: G, names: Collection[str]) -> tuple[G, ...]:
        """States that look like the game to the player; none if no line is about these actions, or none was found."""
        clauses = [clause for clause in self._policy.clauses if clause.action in names]
        if not clauses:
            return ()
        if not self._reads_state(clauses):
            return (game,)  # which stands for all of them
        try:
            return consistent_worlds(game, viewer_of(game, self.player))
        except (NoConsistentWorld, LimitExceeded):
            return ()

    def _reads_state(self, clauses: Sequence[Preference]) -> bool:
        """Whether a line reads the state before one that always applies."""
        typed = self.ruleset.compiled.typed
        for clause in clauses:
            if isinstance(clause.when, Const) and clause.when.value:
                return False
            if state_read([clause.when], typed):
                return True
        return False

    def _first(self, world: BaseGame, codes: Sequence[int]) -> int | None:
        number = world.ruleset.players.index(self.player)
        return self._chooser_for(world).first(world.slots, number, codes)

    def _chooser_for(self, game: BaseGame) -> Chooser:
        """The reader of the policy's lines, made once for all states with the same settings."""
        chooser = self._chooser  # another thread may put one for other settings into its place
        if chooser is None or chooser.game.settings != game.settings:
            chooser = self._chooser = Chooser(game, {self.player: self._lines})
        chooser.budget.spent = 0  # each choice may take the steps of one computation
        return chooser
