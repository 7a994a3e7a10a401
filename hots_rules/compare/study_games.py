"""Games of a study as records: a game is played again by its number, as it was played in machine code."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from hots_rules.analysis.named_policy import RANDOM, policy_of
from hots_rules.compare.study_sides import StudySide
from hots_rules.compile.codes import Slots
from hots_rules.compile.machine import Machine
from hots_rules.native.kept import MOST_DECISIONS
from hots_rules.native.pairing import PairedChooser, words_reader
from hots_rules.play.game import BaseGame


@define
class _Noting(PairedChooser):
    """A chooser that keeps the codes of what it chose."""

    codes: list[int] = field(factory=list, init=False)

    def choose(self, slots: Slots, legal: Sequence[int]) -> int:
        at = PairedChooser.choose(self, slots, legal)
        self.codes.append(legal[at])
        return at


def guided_machine(side: StudySide, policy: str, *, traced: bool = False) -> Machine:
    """The machine that lists the legal actions of a side, only those that a policy prefers."""
    ruleset, settings = side.ruleset, side.settings
    if policy == RANDOM:
        return ruleset.machine(settings, traced=traced)
    guide = policy_of(ruleset, policy)
    return ruleset.compiled.guided_machine(settings, guide, traced=traced)


def played_again(side: StudySide, scenario: str, policy: str, seed: str) -> BaseGame:
    """The game of a side with a seed, at its end; its record replays.

    >>> import hots_rules as hr
    >>> from hots_rules.compare.study_games import played_again
    >>> side = hr.compare.StudySide("as printed", hr.load("breakthrough-1.0"))
    >>> played_again(side, "two-ranks", "random", "7/0").is_over
    True
    """
    machine = guided_machine(side, policy)
    chooser = _Noting(machine, seed, words_reader(machine))
    chooser.play(machine.begin(scenario), MOST_DECISIONS)
    game = side.ruleset.start(scenario, seed=seed, options=side.options, readings=side.readings)
    for code in chooser.codes:
        game = game.play_code(code)
    return game
