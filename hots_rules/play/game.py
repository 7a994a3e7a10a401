"""A game as a value: every play gives a new one, the old one still stands."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from attrs import field, frozen

from hots_rules.compile.machine import DECIDE, DICE, Machine, Slots
from hots_rules.diagnostics import (
    AmbiguousAction,
    IllegalAction,
    UnknownOption,
    UnreadableAction,
    near,
)
from hots_rules.play.action import Action
from hots_rules.play.notation import CHANCE, Notation, outcome_text
from hots_rules.play.ruleset import Chance, Choices, Ruleset
from hots_rules.play.trace import Step, read_log
from hots_rules.play.verdict import Reason, reasons_against
from hots_rules.state.position import position_text, read_position
from hots_rules.state.shape import type_from
from hots_rules.state.state import State


@frozen
class Outcome:
    """How a game ended: the winner (None for a draw), the rule that ended it, and its sections."""

    winner: str | None
    reason: str
    summary: str
    sections: tuple[str, ...]
    edition: str

    def __str__(self) -> str:
        who = f"{self.winner} wins" if self.winner else "nobody wins"
        return f"{who}: {self.summary} ({' '.join('§' + s for s in self.sections)})"


@frozen(slots=False)
class Game:
    """A game at one moment.

    `moves` are the actions so far as numbers: codes of actions, and -1 - outcome for dictated chance.
    Games are equal when ruleset, settings, seed and state are.
    """

    ruleset: Ruleset = field(
        eq=lambda ruleset: ruleset.content_hash, repr=lambda ruleset: ruleset.name
    )
    scenario: str
    seed: str
    settings: tuple[tuple[str, int], ...] = field(repr=False)
    chance: Chance
    state: State = field(repr=False)
    moves: tuple[int, ...] = field(default=(), repr=len)
    begun_at: str | None = field(default=None, repr=False)
    _before: tuple[int, ...] | None = field(default=None, eq=False, repr=False)

    # -------------------------------------------------------------- parts
    @cached_property
    def _machine(self) -> Machine:
        return self.ruleset.machine(dict(self.settings))

    @cached_property
    def _slots(self) -> Slots:
        return list(self.state.slots)

    @property
    def _seed(self) -> str | None:
        return self.seed if self.chance == "auto" else None

    def notation(self, language: str = "en") -> Notation:
        """How actions are written in a language."""
        return Notation(self.ruleset.shape, language)

    @cached_property
    def _site(self) -> tuple[Any, ...] | None:
        return self._machine.site(self._slots)

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
            name: self.ruleset.shape.plain(code, known[name].type)
            for name, code in self.settings
            if known[name].kind == kind
        }

    # -------------------------------------------------------------- asking
    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._site is None

    @cached_property
    def to_move(self) -> tuple[str, ...]:
        """Who is asked: a player, several when they choose in secret, `("chance",)`, or nobody at the end."""
        if self._site is None:
            return ()
        if self._site[0] != DECIDE:
            return (CHANCE,)
        mask = self._machine.players(self._slots)
        return tuple(name for i, name in enumerate(self.ruleset.players) if mask >> i & 1)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All that may be chosen now, each with a text that parses back."""
        return self.actions_in("en")

    def actions_in(self, language: str) -> tuple[Action, ...]:
        """The legal actions with their texts in a language."""
        if self._site is None:
            return ()
        if self._site[0] != DECIDE:
            return tuple(
                self._outcome_action(code, probability, language)
                for code, probability in self._machine.outcomes(self._slots)
            )
        notation = self.notation(language)
        return tuple(self._action(notation, code) for code in self._machine.legal(self._slots))

    def _action(self, notation: Notation, code: int) -> Action:
        form = notation.form_of(code)
        player, args = form.decode(code, len(self.ruleset.players))
        words = tuple(
            str(self.ruleset.shape.plain(arg, type_))
            for (_, type_), arg in zip(form.params, args, strict=True)
        )
        text = f"{notation.player(player)}: {notation.without_player(form, args)}"
        return Action(self.ruleset.players[player], form.name, words, text, code)

    def _outcome_action(self, outcome: int, probability: Any, language: str) -> Action:
        text, name, words = self._outcome_words(outcome, language)
        return Action(CHANCE, name, words, f"{CHANCE}: {text}", -1 - outcome, probability)

    def _outcome_words(self, outcome: int, language: str) -> tuple[str, str, tuple[str, ...]]:
        site = self._site
        assert site is not None
        dice = self._machine.dice_of(site, outcome) if site[0] == DICE else None
        fact = self._site_fact
        text = outcome_text(self.ruleset.shape, fact, dice, outcome, language)
        words = (
            tuple(map(str, dice))
            if dice is not None
            else (str(self.ruleset.shape.plain(outcome, type_from(fact["type"]))),)
        )
        return text, "roll" if dice is not None else "draw", words

    @property
    def _site_fact(self) -> dict[str, Any]:
        sites: list[dict[str, Any]] = self.ruleset.machine_facts(dict(self.settings))["sites"]
        return sites[-1 - self.state.slots[0]]

    @property
    def phase(self) -> str:
        """The phase in which somebody is asked; empty at the end."""
        return "" if self._site is None else str(self._site_fact["phase"])

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on, and where it ends without a word."""
        code = self._machine.outcome(self._slots)
        if self._site is not None or not code:
            return None
        origin = self.ruleset.machine_facts(dict(self.settings))["origins"][self.state.slots[2]]
        winner = self.ruleset.players[code - 2] if code > 1 else None
        return Outcome(
            winner, origin["rule"], origin["summary"], tuple(origin["sections"]), origin["edition"]
        )

    # -------------------------------------------------------------- playing
    def play(self, action: Action | str) -> Game:
        """The game after an action; this one still stands.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the rules do not allow it now; it carries the clauses that say so.
            AmbiguousAction: the text has two meanings that are both legal.
        """
        return self.play_code(self._code_of(action))

    def play_code(self, code: int) -> Game:
        """The game after the action of a code that is known to be legal now; nothing is checked."""
        slots = list(self.state.slots)
        if code < 0:
            self._machine.resume(slots, -1 - code, self._seed)
        else:
            self._machine.play(slots, code, self._seed)
        state = State(tuple(slots), self.ruleset.shape)
        return Game(self.ruleset, self.scenario, self.seed, self.settings, self.chance, state, (*self.moves, code), self.begun_at,
                    self.state.slots)  # fmt: skip

    def _code_of(self, action: Action | str) -> int:
        if isinstance(action, Action):
            legal = {known.code for known in self.actions} if action.code < 0 else set(self._legal)
            if action.code in legal and (action.player == CHANCE) == (action.code < 0):
                return action.code
            if action.player == CHANCE or action.code < 0:
                raise IllegalAction(action.text, (self._wrong_moment(),))
            return self._code_of(action.text)
        if not isinstance(action, str):
            raise UnreadableAction(repr(action)[:100])
        return self._read(action)

    @cached_property
    def _legal(self) -> frozenset[int]:
        return (
            frozenset(self._machine.legal(self._slots))
            if self._site is not None and self._site[0] == DECIDE
            else frozenset()
        )

    def _read(self, text: str) -> int:
        if self._site is not None and self._site[0] != DECIDE:
            return self._read_outcome(text)
        meant = [
            code for language in self._languages for code in self.notation(language).read(text)
        ]
        legal = sorted({code for code in meant if code in self._legal})
        if len(legal) == 1:
            return legal[0]
        if legal:
            raise AmbiguousAction(text, tuple(self.notation().text(code) for code in legal))
        if meant:
            raise IllegalAction(text, self._against(meant))
        known = [a.text for a in self.actions[:500]]
        raise UnreadableAction(text[:300], near(text[:300], known))

    @property
    def _languages(self) -> tuple[str, ...]:
        return (
            "en",
            *(language for language in self.ruleset.shape.facts["labels"] if language != "en"),
        )

    def _read_outcome(self, text: str) -> int:
        low = " ".join(text.lower().removeprefix(f"{CHANCE}:").split())
        site = self._site
        assert site is not None
        if site[0] == DICE and low.startswith("roll"):
            words = low.split()[1:]
            dice = [int(w) for w in words if w.isdigit() and len(w) < 4]
            code = (
                self._machine.dice_code(site, dice)
                if len(dice) == len(words) or words == ["nothing"]
                else None
            )
            if code is not None and any(action.code == -1 - code for action in self.actions):
                return -1 - code
        for action in self.actions:
            if low == action.text.lower().removeprefix(f"{CHANCE}: "):
                return action.code
        raise UnreadableAction(text[:300], near(text[:300], [a.text for a in self.actions[:500]]))

    def _wrong_moment(self) -> Reason:
        who = " or ".join(self.to_move) if self.to_move else "nobody: the game is over"
        return Reason("moment", "", "", (), f"it is for {who} to choose now", ())

    def _against(self, meant: list[int]) -> tuple[Reason, ...]:
        if self._site is None:
            return (self._wrong_moment(),)
        asked = [
            code for code in meant if self.ruleset.players[self._player_of(code)] in self.to_move
        ] or meant
        return reasons_against(self, asked[0])

    def _player_of(self, code: int) -> int:
        form = self.notation().form_of(code)
        return form.decode(code, len(self.ruleset.players))[0]

    def why_not(self, action: Action | str) -> tuple[Reason, ...]:
        """The clauses that stand against an action; empty if it is legal.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
        """
        try:
            self._code_of(action)
        except IllegalAction as error:
            return error.reasons
        return ()

    # -------------------------------------------------------------- looking back
    @cached_property
    def trace(self) -> tuple[Step, ...]:
        """What happened in the last play: each event with the rule, edition and section that caused it."""
        if self._before is None or not self.moves:
            return ()
        traced = self.ruleset.machine(dict(self.settings), traced=True)
        return read_log(
            self.ruleset, dict(self.settings), traced, self._before, self.moves[-1], self._seed
        )

    @property
    def position(self) -> str:
        """The state as a position in words; `Ruleset.position` reads it."""
        return position_text(self.state)

    @property
    def record(self) -> str:
        """The game as text that replays to the same bytes."""
        from hots_rules.play.record import record_text

        return record_text(self)

    def save(self, path: Any) -> None:
        """Writes the record to a file, at once or not at all."""
        from hots_rules.play.record import write_record

        write_record(self, path)


def start(
    ruleset: Ruleset,
    scenario: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> Game:
    """A game of a scenario at its first decision."""
    if scenario not in ruleset.scenarios:
        raise UnknownOption("scenario", ruleset.scenarios, str(scenario))
    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = machine.begin(scenario)
    machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    state = State(tuple(slots), ruleset.shape)
    return Game(ruleset, scenario, str(seed), tuple(sorted(settings.items())), chance, state)


def start_at(
    ruleset: Ruleset,
    text: str,
    seed: int | str,
    options: Choices,
    readings: Choices,
    chance: Chance,
) -> Game:
    """A game from a position in words at its first decision."""
    settings = _settings(ruleset, seed, options, readings, chance)
    machine = ruleset.machine(settings)
    slots = read_position(ruleset.shape, machine, text)
    machine.run(slots, slots[0], str(seed) if chance == "auto" else None)
    state = State(tuple(slots), ruleset.shape)
    return Game(
        ruleset, "", str(seed), tuple(sorted(settings.items())), chance, state, begun_at=text
    )


def _settings(
    ruleset: Ruleset, seed: int | str, options: Choices, readings: Choices, chance: Chance
) -> dict[str, int]:
    if chance not in ("auto", "ask"):
        raise UnknownOption("chance", ("auto", "ask"), str(chance))
    if not isinstance(seed, int | str) or "\n" in str(seed) or len(str(seed)) > 200:
        raise UnknownOption(
            "seed", ("a number", "a line of at most 200 characters"), str(seed)[:50]
        )
    return ruleset.chosen(options, readings)
