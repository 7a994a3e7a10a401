"""An immutable game: each play returns a new one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, cast

from attrs import evolve, field, frozen

from hots_rules.compile.codes import POINT, REASON, DecisionPoint, DicePoint, Slots, SuspensionPoint
from hots_rules.compile.facts import PointFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import BadArgument, IllegalAction, abbreviated, check_kind, check_whole
from hots_rules.play.action import Action, ActionList, outcome_arguments
from hots_rules.play.compiled_ruleset import SettingCodes
from hots_rules.play.notation import CHANCE, Notation
from hots_rules.play.outcome import Outcome, result_text
from hots_rules.play.parse_action import arguments_named, parse_action
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Chance, SettingValue
from hots_rules.state.state import State

# Imported on demand, so that a game starts without these modules.
if TYPE_CHECKING:
    from hots_rules.compile.evaluate import Budget, Evaluator
    from hots_rules.play.reason import Reason
    from hots_rules.play.trace import Step

T = TypeVar("T")
G = TypeVar("G", bound="BaseGame")
MAX_OUTCOMES_NAMED = 10
KeptStates = tuple[tuple[int, tuple[int, ...]], ...]
"""Packed states that a replay has passed, each after the number of plays before it, in order."""
KEPT_STATES: Final = "kept states"
"""The key of `KeptStates` in `BaseGame.derived`."""
PLAYS_BETWEEN_KEPT: Final = 64


@frozen
class Course:
    """How play may have come to a sampled world.

    Attributes:
        beginning: the state before all moves.
        moves: the actions, as codes, and -1 - outcome for each outcome of chance.
    """

    beginning: State
    moves: tuple[int, ...]


@frozen(slots=False)
class BaseGame:
    """A game at one moment: legality, stepping and the trace. `hots_rules.Game` adds the rest.

    Attributes:
        moves: the actions so far: codes of actions, and -1 - outcome for dictated chance.
        initial_position: the position that the game began at; None for a scenario.
        previous: the packed state before the last move.
        root: the packed state at which a sampled world begins; None in a game that was played.
        derived: values that other packages derived from the moves, copied to the next games (see also `memo`).
        course: in a sampled world, moves from the beginning to `root` that show the player what the player observed;
            None if none were found, and in a game that was played.
    """

    ruleset: BaseRuleset[BaseGame] = field(repr=lambda ruleset: str(ruleset.name))
    scenario: str
    seed: str
    settings: SettingCodes = field(repr=False)
    chance: Chance
    state: State
    moves: tuple[int, ...] = field(default=(), repr=lambda moves: str(len(moves)))
    initial_position: str | None = field(default=None, repr=False)
    previous: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    root: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    derived: dict[Hashable, Any] = field(factory=dict, eq=False, repr=False)
    course: Course | None = field(default=None, eq=False, repr=False)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (
            type(self),
            self.ruleset,
            self.scenario,
            self.seed,
            self.settings,
            self.chance,
            self.state.slots,
            self.moves,
            self.initial_position,
            self.previous,
            self.root,
            self.derived if self.root is not None else {},
            self.course,
        )

    # -------------------------------------------------------------- parts
    @cached_property
    def machine(self) -> Machine:
        """The compiled functions of the game."""
        return self.ruleset.machine(self.settings)

    @cached_property
    def slots(self) -> Slots:
        """The packed state as a list; do not change it."""
        return list(self.state.slots)

    @cached_property
    def _memo(self) -> dict[Hashable, Any]:
        return {}

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value that another package derives from this moment, kept under a key."""
        if key not in self._memo:
            self._memo[key] = make()
        return cast("T", self._memo[key])

    @property
    def chance_seed(self) -> str | None:
        """The seed that rolls and draws; None where outcomes are dictated."""
        return self.seed if self.chance == "auto" else None

    @cached_property
    def point(self) -> SuspensionPoint | None:
        """The decision or chance point at which play waits; None when the game is over."""
        return self.machine.point(self.slots)

    @property
    def point_facts(self) -> PointFacts:
        """The facts of `point`; the game must not be over."""
        return self.machine.facts.points[-1 - self.state.slots[POINT]]

    @property
    def is_chance(self) -> bool:
        """Whether play waits for an outcome of chance."""
        return not isinstance(self.point, DecisionPoint | None)

    def initial_slots(self) -> Slots:
        """The packed state at the first decision."""
        if self.root is not None:
            return list(self.root)
        if self.initial_position is None:
            slots = self.machine.begin(self.scenario)
        else:
            from hots_rules.state.position import read_position

            slots = read_position(self.state.schema, self.machine, self.initial_position)
        self.machine.run(slots, slots[POINT], self.chance_seed)
        return slots

    def packed_after(self, plays: int) -> tuple[int, ...]:
        """The packed state after the first moves of the game, as many as `plays`.

        It is replayed from the nearest kept state before it, and every 64th state on the way is kept.

        Raises:
            ArgumentError: the number is below 0.
        """
        check_whole("plays", plays)
        if plays == len(self.moves):
            return self.state.slots
        if plays == len(self.moves) - 1 and self.previous is not None:
            return self.previous
        kept: KeptStates = self.derived.get(KEPT_STATES, ())
        earlier = _kept_until(kept, plays)
        if earlier:
            first, nearest = earlier[-1]
            slots = list(nearest)
        else:
            first, slots = 0, self.initial_slots()
        for number, move in enumerate(self.moves[first:plays], first):
            self.machine.move(slots, move, self.chance_seed)
            if (number + 1) % PLAYS_BETWEEN_KEPT == 0:
                earlier.append((number + 1, tuple(slots)))
        if len(earlier) > len(kept):
            self.derived[KEPT_STATES] = tuple(earlier)
        return tuple(slots)

    def replayed(self, first: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """The plays after the first ones: the packed state before each, and the move."""
        slots = self.packed_after(first)
        for number, move in enumerate(self.moves[first:], first + 1):
            yield slots, move
            if number < len(self.moves):
                changed = list(slots)
                self.machine.move(changed, move, self.chance_seed)
                slots = tuple(changed)

    def evaluator(
        self,
        load: Callable[[str, tuple[int, ...]], int] | None = None,
        budget: Budget | None = None,
        keys_with: Callable[[str, int], int | None] | None = None,
    ) -> Evaluator:
        """An evaluator of the ruleset's expressions that reads this state, or cells through `load` and `keys_with`.

        The values of definitions are cached, so the cells must not change. Without a `budget` that it shares with
        others, it has that of one answer.
        """
        from hots_rules.compile.evaluate import Budget, Evaluator

        linked = self.ruleset.linked_rules(self.settings)
        if load is None:
            load = self.state.schema.reader(self.state.slots)
            keys_with = self.state.schema.keys_reader(self.state.slots)
        settings, static = dict(self.settings), linked.folder.static_value
        budget = budget or Budget.to_answer(self.ruleset.limits.answer_steps)
        return Evaluator(linked.typed, settings, load, {}, static, budget, keys_with)

    # -------------------------------------------------------------- settings and words
    @property
    def options(self) -> dict[str, SettingValue]:
        """The chosen options by name.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.options["schiltroms"]
        False
        """
        return self._chosen("option")

    @property
    def readings(self) -> dict[str, SettingValue]:
        """The chosen readings by name.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> "border_of_the_pinned" in game.readings
        True
        """
        return self._chosen("reading")

    def _chosen(self, kind: str) -> dict[str, SettingValue]:
        settings = self.ruleset.settings
        return {
            name: settings[name].value_of(code)
            for name, code in self.settings
            if settings[name].kind == kind
        }

    @property
    def language(self) -> str:
        """The language of all texts of the game."""
        return self.ruleset.language

    def in_language(self, language: str) -> Self:
        """The same game with all its texts in a language: "en", "fr", …. Games are equal in all languages.

        Raises:
            ArgumentError: neither the ruleset nor the library has texts in it.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.in_language("fr").language, game.in_language("fr") == game
        ('fr', True)
        """
        if language == self.language:
            return self
        return evolve(self, ruleset=self.ruleset.in_language(language))

    @property
    def notation(self) -> Notation:
        """How actions are written."""
        return self.ruleset.notation

    # -------------------------------------------------------------- the moment
    @property
    def is_over(self) -> bool:
        """Whether the game has ended.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.is_over
        False
        """
        return self.point is None

    @cached_property
    def to_move(self) -> tuple[str, ...]:
        """The players to choose: one, or several in secret; `("chance",)` for chance; empty at the end.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> len(game.to_move)
        2
        """
        if self.point is None:
            return ()
        if self.is_chance:
            return (CHANCE,)
        mask = self.machine.players(self.slots)
        return tuple(name for i, name in enumerate(self.ruleset.players) if mask >> i & 1)

    @property
    def phase(self) -> str:
        """The name of the phase in which somebody is to choose; empty at the end.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.phase
        'play_cards'
        """
        return "" if self.point is None else self.point_facts.phase

    @property
    def phase_title(self) -> str:
        """The phase in words; empty at the end.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.phase_title
        'play cards'
        """
        return self.phase and self.ruleset.labels.phase(self.phase)

    @property
    def phase_summary(self) -> str:
        """The sentence of the rules on the phase in which somebody is to choose; empty at the end.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.phase_summary
        "Each side picks its card without seeing the other's."
        """
        return "" if self.point is None else self.ruleset.labels.summary(self.point_facts.origin)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, and where no rule names an outcome.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.outcome is None
        True
        """
        code = self.machine.outcome(self.slots)
        if self.point is not None or not code:
            return None
        facts = self.machine.facts
        origin = facts.origins[self.state.slots[REASON]]
        return Outcome.of(facts.winners(code), origin, self.ruleset.labels)

    @property
    def position(self) -> str:
        """The state as a position, as `Ruleset.position` reads it.

        The point in the phases is not part of it: where a position cannot begin, the text only describes
        the state. With `moment` behind it, it holds every moment; a record does as well.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.ruleset.position(game.position).state == game.state
        True
        """
        from hots_rules.state.position import position_text

        return position_text(self.state)

    @property
    def moment(self) -> str:
        """The point of play as a line of a position: which phases run, and with what values; empty after the end.

        A position begins there if the line is added to it. To begin in another phase, write one by hand.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.moment.partition(" in ")[0]
        'begin at choose'
        >>> game.ruleset.position(game.position + game.moment).actions == game.actions
        True
        """
        from hots_rules.state.moment import MomentNotation

        if self.is_over:
            return ""
        return MomentNotation(self.machine, self.state.schema.value_parser()).format(self.slots)

    # -------------------------------------------------------------- legal actions
    @cached_property
    def legal_codes(self) -> tuple[int, ...]:
        """The codes of the legal actions, or -1 - outcome for each outcome of chance, in order."""
        if self.point is None:
            return ()
        if self.is_chance:
            return tuple(-1 - outcome for outcome, _ in self.machine.outcomes(self.slots))
        return tuple(self.machine.legal(self.slots))

    @cached_property
    def legal_code_set(self) -> frozenset[int]:
        """The legal codes, for membership tests."""
        return frozenset(self.legal_codes)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The legal actions, each with a text that parses back.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> len(game.actions)
        6
        >>> game.play(game.actions[0].text) == game.play(game.actions[0])
        True
        """
        if self.is_chance:
            return ActionList(self.outcome_actions(self.notation))
        actions = [self.notation.action(code) for code in self.legal_codes]
        if len({action.text for action in actions}) == len(actions):
            return ActionList(actions)
        texts = self.notation.distinct_texts(self.legal_codes)
        pairs = zip(actions, texts, strict=True)
        return ActionList(evolve(action, text=text) for action, text in pairs)

    def first_actions(self, most: int) -> tuple[Action, ...]:
        """The first legal actions, at most `most`; no texts are made for the others.

        Raises:
            ArgumentError: the number is below 0.
        """
        check_whole("most", most)
        if self.is_chance or len(self.legal_codes) <= most:
            return self.actions[:most]
        return tuple(self.notation.action(code) for code in self.legal_codes[:most])

    def actions_for(self, name: str) -> tuple[Action, ...]:
        """The legal actions with a piece, place, card or other value among their arguments.

        Args:
            name: its name in the ruleset, or its word in any language of the ruleset.

        Raises:
            ArgumentError: no argument of an action has such a value.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> [action.args for action in game.actions_for("Move 3")]
        [{'card': 'Move_3'}]
        """
        names = arguments_named(self, name)
        return ActionList(action for action in self.actions if names & {*action.args.values()})

    def outcome_actions(self, notation: Notation) -> tuple[Action, ...]:
        """The outcomes at a chance point as actions, in a notation.

        Raises:
            IllegalAction: play does not wait for chance now.
        """
        check_kind("notation", notation, Notation, "a notation")
        point, type_ = self.point, self.point_facts.type if self.is_chance else None
        if type_ is None:
            raise IllegalAction("an outcome of chance", (self.moment_reason(),))
        actions = []
        for outcome, probability in self.machine.outcomes(self.slots):
            dice = self.machine.dice_of(point, outcome) if isinstance(point, DicePoint) else None
            text = f"{notation.chance}: {notation.outcome(type_, dice, outcome)}"
            if dice is None:
                drawn = str(self.ruleset.schema.to_python(outcome, type_))
                name, args = "draw", outcome_arguments("draw", (drawn,))
            else:
                name, args = "roll", outcome_arguments("die", map(str, dice))
            actions.append(Action(CHANCE, name, args, text, -1 - outcome, probability))
        return tuple(actions)

    # -------------------------------------------------------------- playing
    def play(self, action: Action | str) -> Self:
        """The game after an action; this game is unchanged.

        A text may be in any language of the ruleset. An action listed at another moment or by another
        ruleset is read by its text.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the rules do not allow it now; the error has the reasons.
            AmbiguousAction: the text matches several legal actions.
        """
        return self.after(parse_action(self, action))

    def play_code(self, code: int) -> Self:
        """The game after the action with a code, see `Action.code`.

        Raises:
            IllegalAction: no legal action has the code.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> action = game.actions[0]
        >>> game.play_code(action.code) == game.play(action)
        True
        """
        if type(code) is int and code in self.legal_code_set:
            return self.after(code)
        end = self.ruleset.schema.facts.action_codes
        if type(code) is int and 0 <= code < end and not self.is_chance:
            raise IllegalAction(self.notation.exact(code), self.reasons_against([code]))
        raise IllegalAction(abbreviated(code), (self.moment_reason(),))

    def back(self, plays: int = 1) -> Self:
        """The game as it was a number of plays ago.

        With `chance="ask"` an outcome of chance is a play as well. What a player may take back, `undo_limit` tells.

        Raises:
            BadArgument: the game has fewer plays, or is a sampled world.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.play(game.actions[0]).back() == game
        True
        """
        most = 0 if self.root is not None else len(self.moves)
        if type(plays) is not int or not 0 <= plays <= most:
            raise BadArgument("plays", plays, f"a number from 0 to {most}")
        if plays == 0:
            return self
        moves = self.moves[:-plays]
        before = self.packed_after(len(moves) - 1) if moves else None
        state = State(self.packed_after(len(moves)), self.state.schema)
        kept = tuple(_kept_until(self.derived.get(KEPT_STATES, ()), len(moves)))
        return evolve(self, state=state, moves=moves, previous=before, derived={KEPT_STATES: kept})

    def sample_chance(self, seed: str) -> Action:
        """The outcome that a seed gives at this chance point, for protocols that mix a seed for each roll.

        Raises:
            IllegalAction: play does not wait for chance now.
        """
        if self.point is None or isinstance(self.point, DecisionPoint):
            raise IllegalAction("an outcome of chance", (self.moment_reason(),))
        code = -1 - self.machine.sample(self.slots, self.point, seed)
        return next(action for action in self.actions if action.code == code)

    def after(self, code: int) -> Self:
        """The game after an action whose code is known to be legal."""
        try:
            code = index(code)
        except TypeError:
            raise BadArgument("code", abbreviated(code), "the code of a legal action") from None
        if not (self.is_chance if code < 0 else isinstance(self.point, DecisionPoint)):
            raise BadArgument("code", abbreviated(code), "the code of a legal action")
        slots = list(self.state.slots)
        self.machine.move(slots, code, self.chance_seed)
        if code >= 0:
            # All games share one integer object for an action: moves take most of the memory.
            code = self.notation.action(code).code
        game = type(self)(
            self.ruleset,
            self.scenario,
            self.seed,
            self.settings,
            self.chance,
            State(tuple(slots), self.state.schema),
            self.moves + (code,),  # noqa: RUF005 (half the time where there are many moves)
            self.initial_position,
            self.state.slots,
            self.root,
            dict(self.derived),
            self.course,
        )
        game.__dict__["machine"] = self.machine
        return game

    # -------------------------------------------------------------- reasons and trace
    @property
    def chance_purpose(self) -> str:
        """What the dice or the draw are for, and for whom; empty unless play waits for chance.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.chance_purpose
        ''
        """
        from hots_rules.play.chance_purpose import chance_purpose

        if self.point is None or isinstance(self.point, DecisionPoint):
            return ""
        return chance_purpose(self.notation, self.point.key(self.slots))

    def moment_reason(self) -> Reason:
        """Why the moment excludes an action, whatever its arguments: who is to choose instead."""
        from hots_rules.play.reason import Reason

        gettext = self.ruleset.labels.translator.gettext
        if self.point is None:
            over = gettext("the game is over")
            if self.outcome is None:
                return Reason("moment", "", "", (), over)
            source = (self.outcome.reason, self.outcome.edition, self.outcome.sections)
            # Without the sections: the reason has them.
            ending = f"{over}: {result_text(self.outcome.winners, self.ruleset.labels)}: {self.outcome.summary}"
            return Reason("moment", *source, ending)
        if self.is_chance:
            prefix = f"{self.notation.chance}: "
            texts = [a.text.removeprefix(prefix) for a in self.actions[:MAX_OUTCOMES_NAMED]]
            more = ["…"] if len(self.actions) > MAX_OUTCOMES_NAMED else []
            outcomes = ", ".join(texts + more)
            summary = gettext(
                "chance decides now ({purpose}): {outcomes}",
                purpose=self.chance_purpose,
                outcomes=outcomes,
            )
        else:
            labels = self.ruleset.labels
            players = labels.translator.join_list(labels.players_named(self.to_move))
            summary = gettext("it is for {players} to choose now", players=players)
        return Reason("moment", *self.point_facts.origin.source, summary)

    def reasons_against(
        self, codes: Sequence[int], player: str | None = None
    ) -> tuple[Reason, ...]:
        """The reasons against the action, of those with these codes, that is nearest to being legal.

        Here it is the moment alone; `hots_rules.Game` adds the clauses of the rules.
        """
        return (self.moment_reason(),)

    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """What the last play did: each event with the rule, edition and section that caused it.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> [step.kind for step in game.play(game.actions[0]).trace][0]
        'action'
        """
        if self.previous is None or not self.moves:
            return ()
        from hots_rules.play.trace import trace_of

        traced = self.ruleset.machine(self.settings, traced=True)
        return trace_of(self.notation, traced, self.previous, self.moves[-1], self.chance_seed)


def _kept_until(kept: KeptStates, plays: int) -> list[tuple[int, tuple[int, ...]]]:
    """The kept states that at most `plays` plays lead to."""
    return [(number, slots) for number, slots in kept if number <= plays]


AnyRuleset = BaseRuleset[BaseGame]
"""A ruleset, whatever the class of its games."""


def _unpickled(
    game_type: type[BaseGame],
    ruleset: AnyRuleset,
    scenario: str,
    seed: str,
    settings: SettingCodes,
    chance: Chance,
    slots: tuple[int, ...],
    *rest: Any,
) -> BaseGame:
    state = State(slots, ruleset.schema_under(settings))
    return game_type(ruleset, scenario, seed, settings, chance, state, *rest)
