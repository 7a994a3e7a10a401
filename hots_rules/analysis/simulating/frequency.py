"""How often each declaration of a ruleset comes up in games with random moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from hots_rules._home import frequencies_text
from hots_rules.analysis.simulating.playouts import play_in_python
from hots_rules.compile.machine import Machine
from hots_rules.compile.traced import EntryNote, LoggedSlots, Note, RuleNote
from hots_rules.diagnostics import MAX_GAMES, check_kind, check_seed, check_whole
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Key, Rulebook, words_in

_NOTED = ("action", "event", "phase", "stage")


@frozen
class Frequencies:
    """In how many random games each declaration came up: the result of `count_frequencies`.

    >>> import hots_rules as hr
    >>> counts = hr.analysis.count_frequencies(hr.load("hots-4.0"), games=1)
    >>> counts.of("phase", "battles"), counts.of("rule", "no-such-rule")
    (1, 0)

    Attributes:
        ruleset: the name of the ruleset.
        games: the number of games.
        counts: for each declaration, as `KIND NAME`, the number of games in which it came up; those
            that never did are left out.
    """

    ruleset: str
    games: int
    counts: dict[str, int]

    def of(self, kind: str, name: str) -> int:
        """The number of games in which a declaration came up."""
        return self.counts.get(f"{kind} {name}", 0)


def count_frequencies(
    ruleset: AnyRuleset, *, games: int = 1000, seed: int | str = 0
) -> Frequencies:
    """In how many games with random moves each declaration of a ruleset comes up.

    The games take the scenarios in turn, with the default options and readings. An action comes up
    when it is played; an event, a phase or a rule that answers an event, when the trace has it;
    any other declaration, when one comes up that names it. `FrequencyCounter` counts game by game.

    >>> import hots_rules as hr
    >>> hr.analysis.count_frequencies(hr.load("hots-4.0"), games=1).games
    1

    Raises:
        EngineError: the ruleset violates one of its bounds, or asks somebody who has no legal action.
    """
    check_whole("games", games, most=MAX_GAMES)
    check_seed(seed)
    counter = FrequencyCounter(ruleset, str(seed))
    for _ in range(games):
        counter.play_one()
    return counter.result()


def kept_frequencies() -> dict[str, Frequencies]:
    """The counts that the library keeps, by the name of the ruleset.

    >>> import hots_rules as hr
    >>> hr.analysis.kept_frequencies()["hots-4.0"].games
    1000
    """
    kept = json.loads(frequencies_text() or "{}")
    return {name: Frequencies(name, **counted) for name, counted in kept.items()}


@define
class FrequencyCounter:
    """Counts game by game, so that a caller can show progress or stop at any time.

    >>> import hots_rules as hr
    >>> counter = hr.analysis.FrequencyCounter(hr.load("hots-4.0"))
    >>> counter.play_one()
    >>> counter.result().games
    1

    Attributes:
        ruleset: the ruleset.
        seed: the seed; game number i has the seed `seed/i`.
        games: the number of games counted so far.
    """

    ruleset: AnyRuleset
    seed: str = "0"
    games: int = field(default=0, init=False)
    _counts: Counter[Key] = field(factory=Counter, init=False)
    _named: dict[Key, frozenset[Key]] = field(init=False)
    _machine: Machine = field(init=False)

    def __attrs_post_init__(self) -> None:
        check_kind("ruleset", self.ruleset, BaseRuleset, "a ruleset")
        self._named = _named_by(self.ruleset.rulebook)
        self._machine = self.ruleset.machine(self.ruleset.chosen({}, {}), traced=True)

    def play_one(self) -> None:
        """Play and count the next game; a game that is interrupted is not counted."""
        scenarios = self.ruleset.scenarios
        scenario, seed = scenarios[self.games % len(scenarios)], f"{self.seed}/{self.games}"
        slots = LoggedSlots(self._machine.begin(scenario))
        play_in_python(self._machine, slots, seed)
        noted = {("scenario", scenario), *self._keys(slots.log)}
        self._counts.update(noted.union(*map(self._named.__getitem__, noted)))
        self.games += 1

    def _keys(self, log: Iterable[Note]) -> Iterator[Key]:
        """The declarations that the notes of a game name."""
        origins = self._machine.facts.origins
        entries = {(note.kind, note.name) for note in log if isinstance(note, EntryNote)}
        rules = {note.origin for note in log if isinstance(note, RuleNote)}
        for kind, name in (*entries, *(("rule", origins[number].rule) for number in rules)):
            yield from {(kind, name), ("stage", name)} & self._named.keys()

    def result(self) -> Frequencies:
        """The counts of the games so far."""
        counts = {" ".join(key): count for key, count in sorted(self._counts.items())}
        return Frequencies(self.ruleset.name, self.games, counts)


def _named_by(rulebook: Rulebook) -> dict[Key, frozenset[Key]]:
    """For each declaration those that it names, directly or through those that no trace can show."""
    by_name: dict[str, set[Key]] = {}
    for key in rulebook.entries:
        by_name.setdefault(key[1], set()).add(key)
    direct = {key: set[Key]() for key in rulebook.entries}
    for key, entry in rulebook.entries.items():
        for word in words_in(entry.node):
            direct[key] |= by_name.get(word, set()) - {key}
    for name, action in rulebook.typed.actions.items():
        for clause in action.clauses:
            origins = (clause.origin, *(lifted.origin for lifted in clause.exemptions))
            direct["action", name] |= {("rule", origin.rule) for origin in origins}
    handling = {
        handler.origin.rule
        for event in rulebook.typed.events.values()
        for handler in event.handlers
    }

    def is_noted(key: Key) -> bool:
        return key[0] in _NOTED or (key[0] == "rule" and key[1] in handling)

    unnoted = {
        key: [named for named in names if named in direct and not is_noted(named)]
        for key, names in direct.items()
    }
    return {key: frozenset(reachable(unnoted, names)) for key, names in unnoted.items()}
