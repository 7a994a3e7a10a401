"""What players choose while somebody asks about the odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from hots_rules.analysis.expression import Meaning, Question, question
from hots_rules.compile.machine import Machine
from hots_rules.compile.points import Slots
from hots_rules.diagnostics import EngineError, HotsError, UnknownOption
from hots_rules.play.game import BaseGame
from hots_rules.rules.ad_hoc import parse_policy
from hots_rules.rules.typed.tast import Const, PolicyDef, Preference

RANDOM = "random"
Chosen = Sequence[tuple[int, int]] | int


@frozen
class Best:
    """The choice after which a question is expected to be as high as can be; a truth counts 1.

    Whoever chooses so sees the whole state, and knows what the other players will do.
    """

    question: str


Policy = str | Best


class PolicyUndefined(HotsError):
    """A policy does not say what to choose, where more than one action is legal."""

    def __init__(self, policy: str, choices: Sequence[str]) -> None:
        self.policy = policy
        self.choices = tuple(choices)
        super().__init__(policy, self.choices)

    def __str__(self) -> str:
        choices = ", ".join(f"`{choice}`" for choice in self.choices)
        return (
            f"expected a policy that says what to choose among {choices}, got "
            + (f"no line of `{self.policy}` that does" if self.policy else "none")
            + f"\nhelp: add a line such as `prefer {self.choices[0]}`"
        )


@define
class Chooser:
    """Chooses for all players at packed states.

    Raises:
        UnknownOption: no such player or policy.
        RulesetError: a policy or a question that is given as text cannot be read.
    """

    game: BaseGame = field(repr=False)
    policies: Policy | Mapping[str, Policy]
    questions: list[Question] = field(factory=list, init=False)
    _machine: Machine = field(init=False)
    _names: tuple[str, ...] = field(init=False)
    _meaning: Meaning = field(init=False)
    _by_player: list[Callable[[Slots, Sequence[int]], Chosen]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self._machine = self.game.machine
        self._names = tuple(action.name for action in self._machine.facts.actions)
        self._meaning = Meaning(self.game.ruleset, dict(self.game.settings))
        players, given = self.game.ruleset.players, self.policies
        if isinstance(given, Mapping):
            for name in given:
                if name not in players:
                    raise UnknownOption("player", players, str(name))
        for player in players:
            policy = given.get(player) if isinstance(given, Mapping) else given
            self._by_player.append(self._chooser(player, policy))

    def __call__(self, slots: Slots, legal: Sequence[int]) -> Chosen:
        """Which of the legal codes are chosen, each with its weight; or the number of a question.

        Where several players choose in secret, the first of them does.
        """
        mask = self._machine.players(slots)
        player = (mask & -mask).bit_length() - 1
        if mask & (mask - 1):
            legal = [code for code in legal if self._decoded(code)[0] == player]
        return self._by_player[player](slots, legal)

    # -------------------------------------------------------------- one player
    def _chooser(self, player: str, policy: Any) -> Callable[[Slots, Sequence[int]], Chosen]:
        if isinstance(policy, Best):
            asked = question(self.game.ruleset, dict(self.game.settings), policy.question)
            if not asked.is_number:
                raise UnknownOption("best", ("a number", "a truth"), str(asked.type))
            self.questions.append(asked)
            number = len(self.questions) - 1
            return lambda slots, legal: number
        if policy == RANDOM:
            return lambda slots, legal: [(code, 1) for code in legal]
        if policy is None:
            return lambda slots, legal: self._first("", (), slots, legal)
        found = self._policy(policy)
        name = found.name if found.name != "given" else str(policy)
        return lambda slots, legal: self._first(name, found.clauses, slots, legal)

    def _policy(self, policy: Any) -> PolicyDef:
        """A policy of the ruleset by its name, or one that is given as lines."""
        known = self.game.ruleset.rulebook.typed.policies
        if isinstance(policy, str) and policy in known:
            return known[policy]
        words = str(policy).removeprefix("prefer ").split("(")[0].replace(";", " ").split()
        if not isinstance(policy, str) or not words or words[0] not in self._names:
            raise UnknownOption("policy", (*known, RANDOM), str(policy)[:80])

        return parse_policy(self.game.ruleset.rulebook, policy)

    def _first(
        self, name: str, clauses: Sequence[Preference], slots: Slots, legal: Sequence[int]
    ) -> Chosen:
        """The first legal action that meets the first line which any of them meets."""
        names = [self._names[self._machine.action_of(code)] for code in legal]
        for clause in clauses:
            if isinstance(clause.when, Const) and not clause.when.value:
                continue
            for code, own in zip(legal, names, strict=True):
                if own == clause.action and (
                    isinstance(clause.when, Const) or self._meets(slots, code, clause)
                ):
                    return [(code, 1)]
        if len(legal) == 1:
            return [(legal[0], 1)]
        raise PolicyUndefined(name, tuple(dict.fromkeys(names)))

    def _meets(self, slots: Slots, code: int, clause: Preference) -> bool:
        player, args = self._decoded(code)
        local = {p.name: arg for p, arg in zip(clause.params, args, strict=True)} | {
            "actor": player
        }
        try:
            return bool(self._meaning.code(clause.when, slots, local))
        except EngineError:
            return False

    def _decoded(self, code: int) -> tuple[int, tuple[int, ...]]:
        form = self.game.notation.form_of(code)
        return form.decode(code, len(self.game.ruleset.players))
