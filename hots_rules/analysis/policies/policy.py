"""The choices of players in a computation of odds, and expressions over states."""

from collections.abc import Callable, Mapping, Sequence

from attrs import define, field, frozen

from hots_rules.analysis.errors import PolicyUndefined, TooManyStates
from hots_rules.analysis.policies.named_policy import RANDOM, policy_of
from hots_rules.analysis.simulating.playouts import dead_end
from hots_rules.compile.codes import Slots, first_bit, has_several
from hots_rules.compile.evaluate import Budget, Evaluator
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import (
    BadArgument,
    EngineError,
    Fault,
    RulesetError,
    Span,
    UnknownName,
    how_to_raise,
)
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import state_read
from hots_rules.rules.typed.tast import Const, Expr, Preference

Value = str | int | None  # a name, a number or a bool, or `none`
STEPS_PER_PART = (
    20  # of compiled code, in the time that the evaluation of one part of an expression takes
)
Chosen = Sequence[tuple[int, int]] | int
_NO_CODES = (0, 0)  # of an action that is in no decision


@frozen
class StateEvaluator:
    """Evaluates expressions at packed states, under some options and readings."""

    ruleset: AnyRuleset = field(repr=False)
    settings: Mapping[str, int]
    budget: Budget

    def code(self, node: Expr, slots: Sequence[int], local: Mapping[str, int]) -> int:
        """The code of a value at a state.

        Raises:
            EngineError: a narrowing fails there, or `the` is applied to a set without exactly one member.
        """
        load = self.ruleset.schema.reader(slots)
        typed = self.ruleset.compiled.typed
        return Evaluator(typed, self.settings, load, {}, None, self.budget).value(node, local)


@frozen
class StateExpression:
    """An expression over the state."""

    text: str
    node: Expr = field(repr=False)
    evaluator: StateEvaluator = field(repr=False)

    @property
    def type(self) -> types.Type:
        """The type of its values."""
        return self.node.type

    @property
    def variables(self) -> frozenset[str]:
        """The variables of the state that it reads."""
        return frozenset(state_read([self.node], self.evaluator.ruleset.compiled.typed))

    @property
    def is_number(self) -> bool:
        """Whether its values can be added; true counts as 1."""
        return isinstance(self.type, types.IntType | types.BoolType)

    def code(self, slots: Sequence[int]) -> int:
        """The code of its value at a packed state.

        Raises:
            EngineError: it has no value there.
        """
        return self.evaluator.code(self.node, slots, {})

    def to_python(self, code: int) -> Value:
        """The value of a code: a name, a number or a bool; sets and pairs as text."""
        ruleset = self.evaluator.ruleset
        if isinstance(self.type, types.SetType | types.PairType):
            return ruleset.labels.format_value(code, self.type)
        value = ruleset.schema.to_python(code, self.type)
        assert not isinstance(value, list)
        return value


def odds_budget(ruleset: AnyRuleset) -> Budget:
    """The parts of expressions that may be evaluated for odds, or for a question about them."""
    most = ruleset.limits.odds_steps
    return Budget(
        most // STEPS_PER_PART, lambda _: TooManyStates(f"not finished within {steps_text(most)}")
    )


def steps_text(most: int) -> str:
    """The most steps of odds, and how to raise their number."""
    return f"{most} steps; {how_to_raise('odds_steps')}"


def parse_state_expression(
    ruleset: AnyRuleset, settings: Mapping[str, int], text: str, budget: Budget | None = None
) -> StateExpression:
    """The expression of a text, with a budget that it shares with others, or one of its own.

    Raises:
        RulesetError: the text is no expression of the ruleset's language.
    """
    if not isinstance(text, str) or not text.strip():
        message = "the question is empty; ask for an expression, such as a variable of the state"
        raise RulesetError([Fault("malformed-text", message, Span("question", 1, 1, 1, 2))])
    evaluator = StateEvaluator(ruleset, settings, budget or odds_budget(ruleset))
    return StateExpression(text, ruleset.compiled.expressions.parse(text), evaluator)


@frozen
class Best:
    """The policy that maximizes the expected value of a question; true counts as 1.

    It sees the whole state, and knows the policies of the other players.

    >>> import hots_rules as hr
    >>> best = hr.analysis.Best("year")
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.odds(game.actions[0], policy=best).expected("year")
    Fraction(1297, 1)

    Attributes:
        question: an expression over the state, of which the value is a number or a truth.
    """

    question: str


Policy = str | Best


@define
class Chooser:
    """Chooses for all players at packed states.

    Attributes:
        game: the game.
        policies: the policy of all players, or of some by name.
        budget: the parts of expressions that may be evaluated.
        goals: the expressions that `Best` policies maximize.

    Raises:
        UnknownName: no such player or policy.
        RulesetError: a policy or a question that is given as text cannot be read.
    """

    game: BaseGame = field(repr=False)
    policies: Policy | Mapping[str, Policy]
    budget: Budget = field(init=False)
    goals: list[StateExpression] = field(factory=list, init=False)
    _machine: Machine = field(init=False)
    _names: tuple[str, ...] = field(init=False)
    _codes: Mapping[str, tuple[int, int]] = field(init=False)
    _evaluator: StateEvaluator = field(init=False)
    _by_player: list[Callable[[Slots, Sequence[int]], Chosen]] = field(factory=list, init=False)
    _clauses: list[Sequence[Preference]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._machine = self.game.machine
        actions = self._machine.facts.actions
        self._names = tuple(action.name for action in actions)
        self._codes = {form.name: (form.base, form.base + form.size) for form in actions}
        self.budget = odds_budget(self.game.ruleset)
        self._evaluator = StateEvaluator(self.game.ruleset, dict(self.game.settings), self.budget)
        players, given = self.game.ruleset.players, self.policies
        if isinstance(given, Mapping):
            for name in given:
                if name not in players:
                    raise UnknownName("player", name, players)
        for player in players:
            policy = given.get(player) if isinstance(given, Mapping) else given
            clauses, chooser = self._read(policy)
            self._clauses.append(clauses)
            self._by_player.append(chooser)

    def __call__(self, slots: Slots, legal: Sequence[int]) -> Chosen:
        """The chosen ones of the legal codes, each with its weight; or the number of a goal to maximize.

        If several players choose in secret, the first of them does.

        Raises:
            EngineError: nobody has a legal action.
        """
        if not legal:
            raise dead_end(self._machine, slots)
        mask = self._machine.players(slots)
        player = first_bit(mask)
        if has_several(mask):
            legal = [code for code in legal if self._decoded(code)[0] == player]
        return self._by_player[player](slots, legal)

    def ranks(self, slots: Slots, player: int, legal: Sequence[int]) -> dict[int, int]:
        """For each legal code of a player, the number of the first line of the player's policy that matches it.

        Codes that no line matches come last; without a policy of lines, all are equal.

        Raises:
            TooManyStates: the policies were evaluated too often.
        """
        clauses = self._clauses[player]
        return {code: self._rank(slots, code, clauses) for code in legal}

    def first(self, slots: Slots, player: int, legal: Sequence[int]) -> int | None:
        """The first of a player's legal codes that match the first line of the policy which matches any.

        Raises:
            TooManyStates: the policies were evaluated too often.
        """
        return self._first_match(self._clauses[player], slots, legal)

    def _rank(self, slots: Slots, code: int, clauses: Sequence[Preference]) -> int:
        name = self._names[self._machine.action_of(code)]
        for number, clause in enumerate(clauses):
            if name == clause.action and self._applies(slots, code, clause):
                return number
        return len(clauses)

    # -------------------------------------------------------------- one player
    def _read(
        self, policy: Policy | None
    ) -> tuple[Sequence[Preference], Callable[[Slots, Sequence[int]], Chosen]]:
        """The lines of a policy, and what chooses by it; a question to maximize is one more goal."""
        if isinstance(policy, Best):
            settings = dict(self.game.settings)
            goal = parse_state_expression(self.game.ruleset, settings, policy.question, self.budget)
            if not goal.is_number:
                raise BadArgument("best", policy.question[:80], "a number or a condition")
            self.goals.append(goal)
            number = len(self.goals) - 1
            return (), lambda slots, legal: number
        if policy == RANDOM:
            return (), lambda slots, legal: [(code, 1) for code in legal]
        if policy is None:
            return (), lambda slots, legal: self._preferred("", (), slots, legal)
        definition = policy_of(self.game.ruleset, policy)
        name = definition.name if definition.name != "given" else policy
        clauses = definition.clauses
        return clauses, lambda slots, legal: self._preferred(name, clauses, slots, legal)

    def _preferred(
        self, name: str, clauses: Sequence[Preference], slots: Slots, legal: Sequence[int]
    ) -> Chosen:
        """The first legal action for the first clause that applies to any of them."""
        code = self._first_match(clauses, slots, legal)
        if code is None and len(legal) == 1:
            code = legal[0]
        if code is None:
            names = (self._names[self._machine.action_of(code)] for code in legal)
            raise PolicyUndefined(name, tuple(dict.fromkeys(names)))
        return [(code, 1)]

    def _first_match(
        self, clauses: Sequence[Preference], slots: Slots, legal: Sequence[int]
    ) -> int | None:
        for clause in clauses:
            low, end = self._codes.get(clause.action, _NO_CODES)
            is_sure = isinstance(clause.when, Const) and bool(clause.when.value)
            for code in legal:
                if low <= code < end and (is_sure or self._applies(slots, code, clause)):
                    return code
        return None

    def _applies(self, slots: Slots, code: int, clause: Preference) -> bool:
        if isinstance(clause.when, Const):
            return bool(clause.when.value)
        player, args = self._decoded(code)
        local = {param.name: arg for param, arg in zip(clause.params, args, strict=True)}
        try:
            return bool(self._evaluator.code(clause.when, slots, local | {"actor": player}))
        except EngineError:
            return False

    def _decoded(self, code: int) -> tuple[int, tuple[int, ...]]:
        form = self.game.notation.form_of(code)
        return form.decode(code, len(self.game.ruleset.players))
