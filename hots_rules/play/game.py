"""A game as a value: every play gives a new one, the old one still stands."""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from hots_rules._translate import translator
from hots_rules.compile.facts import PointFacts
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import DecisionPoint, DicePoint, Slots, SuspensionPoint
from hots_rules.diagnostics import (
    IllegalAction,
    UnknownOption,
)
from hots_rules.observe.observer import SPECTATOR
from hots_rules.play.action import Action
from hots_rules.play.notation import CHANCE, Notation, outcome_text
from hots_rules.play.parse_action import code_of, shown
from hots_rules.play.reason import Reason
from hots_rules.play.ruleset import Chance, Ruleset
from hots_rules.state.position import edited_position, position_text, read_position
from hots_rules.state.state import State

# Translator, records and reasons are worked out on demand, by modules that a start does not wait for.
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hots_rules.analysis.odds import Odds
    from hots_rules.analysis.policy import Policy
    from hots_rules.explain.causes import CausalTrace
    from hots_rules.explain.legality import LegalityChecker
    from hots_rules.explain.ruling import Ruling
    from hots_rules.observe.determinization import DeterminizationSampler
    from hots_rules.observe.information_state import InformationState, ObservationTracker
    from hots_rules.observe.preview import Preview
    from hots_rules.observe.view import View
    from hots_rules.play.trace import Step


@frozen
class Outcome:
    """How a game ended: the winner (None for a draw), the rule that ended it, and its sections.

    `summary` and `text`, which says all of it, are in the language that was asked for.
    """

    winner: str | None
    reason: str
    summary: str
    sections: tuple[str, ...]
    edition: str
    text: str

    def __str__(self) -> str:
        return self.text


@frozen(slots=False)
class Game:
    """A game at one moment: a value that never changes.

    `moves` are the actions so far as numbers: codes of actions, and -1 - outcome for dictated chance;
    `begun_at` is the position that it began at, if that was no scenario. Two games are equal when
    they have the same ruleset (by its texts), beginning, settings, seed, way of chance, state and
    moves; where the way to a state does not matter, compare `state`. A game can be hashed and
    pickled, and a copy of it is the game itself. What it has worked out about its moment it keeps.
    """

    ruleset: Ruleset = field(repr=lambda ruleset: str(ruleset.name))
    scenario: str
    seed: str
    settings: tuple[tuple[str, int], ...] = field(repr=False)
    chance: Chance
    state: State
    moves: tuple[int, ...] = field(default=(), repr=lambda moves: str(len(moves)))
    begun_at: str | None = field(default=None, repr=False)
    _before: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    _root: tuple[int, ...] | None = field(default=None, eq=False, repr=False)
    _memories: dict[int, InformationState] = field(factory=dict, eq=False, repr=False)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (
            self.ruleset,
            self.scenario,
            self.seed,
            self.settings,
            self.chance,
            self.state.slots,
            self.moves,
            self.begun_at,
            self._before,
            self._root,
            self._memories if self._root is not None else {},
        )

    # -------------------------------------------------------------- parts
    @cached_property
    def _machine(self) -> Machine:
        return self.ruleset.machine(dict(self.settings))

    @cached_property
    def _slots(self) -> Slots:
        """The packed state, to look at only."""
        return list(self.state.slots)

    @property
    def _seed(self) -> str | None:
        return self.seed if self.chance == "auto" else None

    def notation(self, language: str = "en") -> Notation:
        """How actions are written in a language.

        Raises:
            UnknownOption: the ruleset has no labels in it.
        """
        return self.ruleset.notation(language)

    @cached_property
    def _point(self) -> SuspensionPoint | None:
        return self._machine.point(self._slots)

    @property
    def _is_chance(self) -> bool:
        return not isinstance(self._point, DecisionPoint | None)

    @property
    def options(self) -> dict[str, Any]:
        """The chosen options by name."""
        return self._chosen("option")

    @property
    def readings(self) -> dict[str, Any]:
        """The chosen readings by name."""
        return self._chosen("reading")

    def _chosen(self, kind: str) -> dict[str, Any]:
        known = self.ruleset.settings
        return {
            name: self.ruleset.schema.plain(code, known[name].type)
            for name, code in self.settings
            if known[name].kind == kind
        }

    # -------------------------------------------------------------- asking
    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._point is None

    @cached_property
    def to_move(self) -> tuple[str, ...]:
        """Who is asked: a player, several who choose in secret, `("chance",)`, nobody at the end."""
        if self._point is None:
            return ()
        if self._is_chance:
            return (CHANCE,)
        mask = self._machine.players(self._slots)
        return tuple(name for i, name in enumerate(self.ruleset.players) if mask >> i & 1)

    @cached_property
    def _codes(self) -> tuple[int, ...]:
        """The codes of the legal actions, or of the outcomes of chance, in their order."""
        if self._point is None:
            return ()
        if self._is_chance:
            return tuple(-1 - outcome for outcome, _ in self._machine.outcomes(self._slots))
        return tuple(self._machine.legal(self._slots))

    @cached_property
    def _legal(self) -> frozenset[int]:
        return frozenset(self._codes)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All that may be chosen now, each with a text that parses back."""
        return self.actions_in("en")

    def actions_in(self, language: str) -> tuple[Action, ...]:
        """The legal actions with their texts in a language.

        Raises:
            UnknownOption: the ruleset has no labels in it.
        """
        notation = self.notation(language)
        if self._is_chance:
            return self._outcome_actions(language)
        found = [notation.action(code) for code in self._codes]
        if len({action.text.lower() for action in found}) == len(found):
            return tuple(found)
        return tuple(told_apart(notation, found))

    def _outcome_actions(self, language: str) -> tuple[Action, ...]:
        point, schema = self._point, self.ruleset.schema
        found = []
        type_ = self._point_facts.type
        assert type_ is not None
        for outcome, probability in self._machine.outcomes(self._slots):
            dice = self._machine.dice_of(point, outcome) if isinstance(point, DicePoint) else None
            who = translator(language).gettext("chance")
            text = f"{who}: {outcome_text(schema, type_, dice, outcome, language)}"
            args = (str(schema.plain(outcome, type_)),) if dice is None else tuple(map(str, dice))
            name = "draw" if dice is None else "roll"
            found.append(Action(CHANCE, name, args, text, -1 - outcome, probability))
        return tuple(found)

    @property
    def _point_facts(self) -> PointFacts:
        """The facts of the suspension point; the game must not be over."""
        return self._machine.facts.points[-1 - self.state.slots[0]]

    @property
    def phase(self) -> str:
        """The phase in which somebody is asked; empty at the end."""
        return "" if self._point is None else self._point_facts.phase

    def phase_in(self, language: str) -> str:
        """The phase in which somebody is asked, in the words of a language; empty at the end.

        Raises:
            UnknownOption: neither the ruleset nor the library has words in it.
        """
        self.notation(language)
        return self.phase and self.ruleset.schema.phase(self.phase, language)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, and where it ends without a word."""
        return self.outcome_in("en")

    def outcome_in(self, language: str) -> Outcome | None:
        """How the game ended, in the words of a language.

        Raises:
            UnknownOption: neither the ruleset nor the library has words in it.
        """
        notation = self.notation(language)
        code = self._machine.outcome(self._slots)
        if self._point is not None or not code:
            return None
        origin = self._machine.facts.origins[self.state.slots[2]]
        winner = self.ruleset.players[code - 2] if code > 1 else None
        said, sections = translator(language), origin.sections
        summary = self.ruleset.schema.summary(origin, language)
        if winner is None:
            who = said.gettext("nobody wins")
        else:
            who = said.gettext("{player} wins", player=notation.player(code - 2))
        text = f"{who}: {summary} ({' '.join('§' + s for s in sections)})"
        return Outcome(winner, origin.rule, summary, sections, origin.edition, text)

    # -------------------------------------------------------------- playing
    def play(
        self, action: Action | str, *, player: str | None = None, language: str = "en"
    ) -> Game:
        """The game after an action; this one still stands.

        A text may be in any language of the ruleset; what is wrong with it is said in `language`. An action
        that another moment or another ruleset listed is read as its text. With a `player`,
        only that player's actions are understood, and an error says what that player may know.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the rules do not allow it now; it carries the clauses that say so.
            AmbiguousAction: the text has two meanings that are both legal.
            UnknownOption: no such player.
        """
        if player is not None:
            from hots_rules.observe.player_input import own_code

            return self._after(own_code(self, action, player, language))
        return self._after(code_of(self, action, language))

    def play_code(self, code: int) -> Game:
        """The game after the action of a code, as `Action.code` has it.

        Raises:
            IllegalAction: no action that is legal now has the code.
        """
        if type(code) is int and code in self._legal:
            return self._after(code)
        end = self.ruleset.schema.facts.action_codes
        if type(code) is int and 0 <= code < end and not self._is_chance:
            raise IllegalAction(self.notation().exact(code), self._against([code], "en"))
        raise IllegalAction(shown(code), (self._wrong_moment("en"),))

    def drawn(self, seed: str) -> Action:
        """What chance brings under a seed, where chance is asked: for players who mix a seed for each roll.

        Raises:
            IllegalAction: it is not for chance to answer now.
        """
        point = self._point
        if isinstance(point, DecisionPoint | None):
            raise IllegalAction("an outcome of chance", (self._wrong_moment("en"),))
        code = -1 - self._machine.sample(self._slots, point, seed)
        return next(action for action in self.actions if action.code == code)

    def _after(self, code: int) -> Game:
        """The game after an action that is known to be legal."""
        slots = list(self.state.slots)
        machine = self._machine
        if code < 0:
            machine.resume(slots, -1 - code, self._seed)
        else:
            machine.play(slots, code, self._seed)
            # The same number for all who play the action: a long game is mostly its moves.
            code = self.notation().action(code).code
        after = Game(
            self.ruleset,
            self.scenario,
            self.seed,
            self.settings,
            self.chance,
            State(tuple(slots), self.state.schema),
            (*self.moves, code),
            self.begun_at,
            self.state.slots,
            self._root,
            dict(self._memories),
        )
        after.__dict__["_machine"] = machine
        return after

    # -------------------------------------------------------------- asking why
    def _wrong_moment(self, language: str = "en") -> Reason:
        spoken = translator(language)
        if self._point is None:
            over, ended = spoken.gettext("the game is over"), self.outcome_in(language)
            if ended is None:
                return Reason("moment", "", "", (), over, ())
            source = (ended.reason, ended.edition, ended.sections)
            return Reason("moment", *source, f"{over}: {ended}", ())
        origin = self._point_facts.origin
        if self._is_chance:
            most, prefix = 10, f"{spoken.gettext('chance')}: "
            known = self.actions_in(language)[: most + 1]
            texts = [action.text.removeprefix(prefix) for action in known]
            more = ", …" if len(texts) > most else ""
            choices = f"{', '.join(texts[:most])}{more}"
            said = spoken.gettext("chance decides now: {outcomes}", outcomes=choices)
        else:
            asked = spoken.join_list(self.notation(language).players_called(self.to_move))
            said = spoken.gettext("it is for {players} to choose now", players=asked)
        return Reason("moment", origin.rule, origin.edition, origin.sections, said, ())

    def _against(self, meant: list[int], language: str) -> tuple[Reason, ...]:
        """The reasons against the meaning of a text that comes nearest to being legal."""
        if self._point is None:
            return (self._wrong_moment(language),)
        from hots_rules.explain.legality import reasons_against

        return reasons_against(self, meant, language)

    @cached_property
    def _judge(self) -> LegalityChecker:
        from hots_rules.explain.legality import LegalityChecker

        return LegalityChecker(self)

    def why_not(
        self, action: Action | str, *, player: str | None = None, language: str = "en"
    ) -> Ruling:
        """What stands against an action, from the general to the particular; nothing if it is legal.

        The answer is a sequence of reasons, false where there is none. It tells what is on the table,
        or with a `player` what that one may know. See docs/ruling.md.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            AmbiguousAction: the text has two meanings that are both legal.
            UnknownOption: no such player, or the ruleset has no labels in the language.
        """
        from hots_rules.explain.explain_action import ruling_on

        return ruling_on(self, action, player, language, supported=False)

    def why(
        self, action: Action | str, *, player: str | None = None, language: str = "en"
    ) -> Ruling:
        """What allows an action: the permits that hold, and what was looked at that could forbid it.

        For an action that is not legal it says what stands against it as well, as `why_not` does.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            AmbiguousAction: the text has two meanings that are both legal.
            UnknownOption: the ruleset has no labels in the language.
        """
        from hots_rules.explain.explain_action import ruling_on

        return ruling_on(self, action, player, language, supported=True)

    def explain(
        self,
        what: Step | str | None = None,
        *,
        player: str | None = None,
        language: str = "en",
    ) -> CausalTrace:
        """Why something happened in the last play: the rules that led to it, and what came of it.

        `what` is a step of the trace, or words of one; without it the whole play is told. With a
        `player` it is told as that one may know it. It is told in `language`.

        Raises:
            UnknownOption: nothing of the kind happened, there is no such player, or no such language.
        """
        from hots_rules.explain.causes import account_of

        return account_of(self, what, player, language)

    # -------------------------------------------------------------- looking ahead
    def odds(
        self,
        action: Action | str | None = None,
        *,
        until: str = "decision",
        policy: Policy | Mapping[str, Policy] | None = None,
        states: int = 200_000,
        seconds: float | None = None,
        samples: int = 10_000,
        seed: int | str = 0,
        watch: Callable[[int], None] | None = None,
    ) -> Odds:
        """What may come of this moment, or of an action here, and how likely it is; see docs/odds.md.

        Every die and draw is gone through, and equal states are merged, so the probabilities are exact
        Fractions. `until` says where the ways end: at the next `decision`, with the `game`, when a phase,
        stage, event or action of that name is over, or where an action can be chosen (`choose NAME`).
        `policy` says what the players choose on the way: the name of a policy of the ruleset, its lines,
        `random` or `Best(question)`, one for all or by player. Beyond so many `states` or `seconds`, that many
        `samples` are drawn instead, by `seed`, and the result says so. It looks at the whole state,
        secrets too: it is for who may see everything.

        Raises:
            UnknownOption: no such policy, player or end, or a bound that is no number above 0.
            IllegalAction: the rules do not allow the action now.
            RulesetError: a policy or a question cannot be read.
            PolicyUndefined: a policy does not say what to choose.
            TooManyStates: it is too much, with no samples to draw, or where a player looks for the best.
            EngineError: a rule broke its bounds on the way.
        """
        from hots_rules.analysis.odds import odds

        return odds(
            self,
            action,
            until=until,
            policy=policy,
            states=states,
            seconds=seconds,
            samples=samples,
            seed=seed,
            watch=watch,
        )

    # -------------------------------------------------------------- looking back
    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """What the last play brought: each event with the rule, edition and section that caused it."""
        return self.trace_in("en")

    def trace_in(self, language: str) -> tuple[Step, ...]:
        """What the last play brought, in the words of a language.

        Raises:
            UnknownOption: neither the ruleset nor the library has words in it.
        """
        self.notation(language)
        if self._before is None or not self.moves:
            return ()
        from hots_rules.play.trace import read_log

        settings = dict(self.settings)
        traced = self.ruleset.machine(settings, traced=True)
        return read_log(
            self.ruleset, settings, traced, self._before, self.moves[-1], self._seed, language
        )

    # -------------------------------------------------------------- for one player
    def view(
        self, player: str | None = None, *, since: int | None = None, language: str = "en"
    ) -> View:
        """What one player may know of the game; without a player, what a spectator may.

        With `since`, a number of plays that are known already, it has a log of those that came
        after it; `since=0` is the whole game. Its texts are in `language`. See docs/views.md.

        Raises:
            UnknownOption: no such player, or no such language.
        """
        from hots_rules.observe.view import view_of

        return view_of(self, player, since, language)

    def undo_floor(self, player: str) -> int:
        """How many plays must stand: those after it a player may take back, having learned nothing by them.

        Learned is whatever somebody else chose, what fell, and what was laid open, for a moment too.

        Raises:
            UnknownOption: no such player.
        """
        from hots_rules.observe.information_state import memory_of

        return memory_of(self, self._seat(player)).floor

    def witnessed(
        self, player: str | None = None, *, since: int | None = None, language: str = "en"
    ) -> tuple[Step, ...]:
        """What a player saw of the last play, or of all since a number of plays: actions, phases, luck, events.

        Raises:
            UnknownOption: no such player, or no such language.
        """
        from hots_rules.observe.view import log_of

        return log_of(self, player, since, language)

    def draw(self, player: str | None = None, *, language: str = "en") -> str:
        """The position as a picture, the text of an SVG file; for a player, as that player may see it.

        Raises:
            UnknownOption: no such player, or no labels in the language.
        """
        from hots_rules.explain.map_layout import picture
        from hots_rules.explain.svg import svg

        self.notation(language)
        counts = {}
        values = self.state.as_dict()
        if player is not None:
            view = self.view(player)
            values, counts = view.state, {stack.name: stack.count for stack in view.stacks}
        return svg(picture(self.ruleset.schema, values, counts, self.ruleset.title, language))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How it stands, as a console shows it."""
        asked = " and ".join(self.to_move)
        printer.text(
            f"{self.ruleset.name} {self.scenario or 'position'}, {len(self.moves)} moves: "
        )
        printer.text(str(self.outcome or "over") if self.is_over else f"{asked} in {self.phase}")

    def _repr_svg_(self) -> str:
        """The whole position, as a notebook shows it."""
        return self.draw()

    def worlds(self, player: str | None, n: int = 1, seed: int | str = 0) -> tuple[Game, ...]:
        """Games that a player cannot tell from this one, for programs that think ahead without peeking.

        Each has its own seed, and the same view; none has a record. See docs/views.md for what they
        are drawn from.

        Raises:
            UnknownOption: no such player.
            NoConsistentWorld: none was found in bounded time.
        """
        from hots_rules.observe.determinization import worlds_of

        return tuple(worlds_of(self, player, n, seed))

    def preview(self, action: Action | str, player: str) -> Preview:
        """What an action of a player would change for certain, as that player may see it; nothing is rolled.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the player may not choose it now.
            AmbiguousAction: the text has two meanings that are both legal.
            UnknownOption: no such player.
            NoConsistentWorld: what is hidden could not be thought of in bounded time.
        """
        from hots_rules.observe.preview import preview_of

        return preview_of(self, action, player)

    @cached_property
    def _imagined(self) -> dict[int, DeterminizationSampler]:
        return {}

    def _seat(self, player: str | None) -> int:
        """The number of a player; of a spectator where there is none."""
        if player is None:
            return SPECTATOR
        if player not in self.ruleset.players:
            raise UnknownOption("player", self.ruleset.players, str(player))
        return self.ruleset.players.index(player)

    def _onlooker(self, viewer: int) -> ObservationTracker:
        return self.ruleset.onlooker(dict(self.settings), viewer)

    def _begun(self) -> Slots:
        """The state at the first decision."""
        if self._root is not None:
            return list(self._root)
        machine = self._machine
        if self.begun_at is None:
            slots = machine.begin(self.scenario)
            machine.run(slots, slots[0], self._seed)
        else:
            slots = read_position(self.ruleset.schema, machine, self.begun_at)
            machine.run(slots, slots[0], self._seed)
        return slots

    @property
    def position(self) -> str:
        """The state as a position in words; `Ruleset.position` reads it.

        The point in the phases is not part of it: it is the inverse of `Ruleset.position` where a
        position begins, and between those moments a description only. A record holds every moment.
        """
        return position_text(self.state)

    def edited(self, lines: str) -> Game:
        """A game that begins at this position with lines laid over it, with the same choices and seed.

        The lines are those of a position, or short ones: `place Fox 3 Shore`.

        Raises:
            BadPosition: with every fault; the result must be a position at which play can begin.
        """
        return self.ruleset.position(
            edited_position(self.state, lines),
            seed=self.seed,
            options=self.options,
            readings=self.readings,
            chance=self.chance,
        )

    @property
    def record(self) -> str:
        """The game as text that replays to the same bytes."""
        from hots_rules.records.record import record_text
        from hots_rules.records.replaying import record_of

        return record_text(record_of(self))

    def save(self, path: str | PathLike[str], *, texts: bool = False) -> None:
        """Writes the record to a file, at once or not at all; with `texts`, those of the ruleset go along.

        Raises:
            OSError: the file cannot be written; what was there before stands.
        """
        from hots_rules.records.journal import write_record

        write_record(self, path, texts=texts)


def told_apart(notation: Notation, actions: list[Action]) -> list[Action]:
    """Actions of one moment, those whose labels say the same in the exact notation."""
    times: dict[str, int] = {}
    for action in actions:
        times[action.text.lower()] = times.get(action.text.lower(), 0) + 1
    return [
        action
        if times[action.text.lower()] == 1
        else Action(
            action.player, action.name, action.args, notation.exact(action.code), action.code
        )
        for action in actions
    ]


def _unpickled(ruleset: Ruleset, scenario: str, seed: str, settings: Any, chance: Chance, slots: tuple[int, ...],
               *rest: Any) -> Game:  # fmt: skip
    return Game(ruleset, scenario, seed, settings, chance, State(slots, ruleset.schema), *rest)
