"""Trails: the courses of games and of cases from their beginnings, which a search follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from os import PathLike

from attrs import field, frozen

from hots_rules.compile.codes import POINT, DicePoint, value_text
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import HotsError, check_kind
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.notation import CHANCE
from hots_rules.testing.casebook import Case, is_for, play_case, read_cases, start_case
from hots_rules.witness.witnesses import non_default_settings


@frozen
class Trail:
    """The course of a game from its beginning, for a search to follow.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1)
    >>> hr.witness.Trail.of(game.play(game.actions[0])).steps[0][1:]
    ('play_card', 'Move_1')

    Attributes:
        position: the position at which it begins; empty for a scenario.
        scenario: the scenario; empty for a position.
        steps: the player, the name and the arguments of each action; chance is a player, too.
        settings: the options and readings that are not at their defaults, as text.
        is_to_the_end: whether only a divergence at or after its last action counts.
    """

    position: str
    scenario: str
    steps: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, str] = field(factory=dict)
    is_to_the_end: bool = False

    @property
    def counted_from(self) -> int:
        """The number of the first step at which a divergence counts."""
        choices = [number for number, step in enumerate(self.steps) if step[0] != CHANCE]
        return choices[-1] if choices and self.is_to_the_end else 0

    def fits(self, chosen: tuple[Mapping[str, str], Mapping[str, str]]) -> bool:
        """Whether one of two sides has its settings."""
        return self.settings in chosen

    @classmethod
    def of(cls, game: BaseGame) -> Trail:
        """The trail of a game in which each outcome of chance is an action, or was given."""
        check_kind("game", game, BaseGame, "a game")
        steps: list[tuple[str, ...]] = []
        machine, notation, slots = game.machine, game.notation, game.initial_slots()
        for code in game.moves:
            if code >= 0:
                action = notation.action(code)
                steps.append((action.player, action.name, *action.args.values()))
            else:
                steps.append((CHANCE, outcome_words(machine, slots, -1 - code)))
            machine.move(slots, code, game.chance_seed)
        settings = non_default_settings(game.ruleset, game.settings)
        return cls(game.initial_position or "", game.scenario, tuple(steps), settings)


def outcome_words(machine: Machine, slots: Sequence[int], outcome: int) -> str:
    """An outcome of chance in words that are the same in both rulesets."""
    point = machine.point(list(slots))
    if isinstance(point, DicePoint):
        return " ".join(map(str, machine.dice_of(point, outcome)))
    return value_text(outcome, machine.facts.outcome_type(-1 - slots[POINT]))


def case_trails(cases: str | PathLike[str] | Case, *rulesets: AnyRuleset) -> tuple[Trail, ...]:
    """The trails of a case, or of those in a folder, as each of some rulesets plays them, for `witness`.

    >>> import hots_rules as hr
    >>> hr.witness.case_trails("no-such-folder")
    Traceback (most recent call last):
    hots_rules.testing.errors.BadCase: no folder of cases at `no-such-folder`

    Raises:
        BadCase: a file cannot be read, or contains a malformed case.
    """
    read = [cases] if isinstance(cases, Case) else read_cases(cases)
    return tuple(
        trail
        for case in read
        for rules in rulesets
        if is_for(case, rules)
        for trail in _trail(case, rules)
    )


def _trail(case: Case, rules: AnyRuleset) -> Iterator[Trail]:
    """The trail of a case, if the ruleset can play it."""
    with suppress(HotsError):
        yield Trail.of(play_case(case, start_case(case, rules)))
