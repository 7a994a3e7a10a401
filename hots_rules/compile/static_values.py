"""Values of definitions that compilations share: those that read neither the state nor a setting.

They save time, but no steps: when a compilation first needs a shared value, it spends the steps that the value took. So
whether a ruleset is accepted does not depend on what was compiled before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

from attrs import define, field

from hots_rules.compile.evaluate import Budget
from hots_rules.rules.graph import reachable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import CallKey, StaticValue
from hots_rules.rules.typed.visitor import walk


class KnownValues:
    """The values of definitions under one choice of settings, those included that all choices share."""

    def __init__(self, shared: Mapping[CallKey, StaticValue]) -> None:
        self._shared = shared
        self._own: dict[CallKey, int] = {}

    def get(self, key: CallKey, /) -> int | None:
        """The value of a definition for some arguments; None if it is not known."""
        shared = self._shared.get(key)
        return self._own.get(key) if shared is None else shared.code

    def __setitem__(self, key: CallKey, value: int, /) -> None:
        self._own[key] = value


@define
class _Account:
    """The account of the steps of a value that is being computed.

    Attributes:
        begun: the steps that were spent before.
        others: the steps of the values that it called.
        calls: these values.
    """

    begun: int
    others: int = 0
    calls: dict[CallKey, None] = field(factory=dict)


class CountedValues:
    """The values of definitions in one compilation, which spends the steps of each once.

    Those that depend on no setting are added to the shared ones, with their steps.
    """

    def __init__(
        self,
        shared: dict[CallKey, StaticValue],
        budget: Budget,
        depends_on_settings: Callable[[str], bool],
    ) -> None:
        self._shared = shared
        self._budget = budget
        self._depends_on_settings = depends_on_settings
        self._paid: dict[CallKey, int] = {}
        self._open: list[_Account] = []
        self._steps = Counter[str]()  # what the values of each definition took
        self._values = Counter[str]()  # how many of each were computed

    def get(self, key: CallKey, /) -> int | None:
        """The value of a definition for some arguments; None if it is not known.

        Raises:
            RulesetError: it is shared, and its steps are more than the budget has.
        """
        if self._open:
            self._open[-1].calls[key] = None
        if key not in self._paid and key in self._shared:
            self._pay(key)
        return self._paid.get(key)

    def __setitem__(self, key: CallKey, value: int, /) -> None:
        self._paid[key] = value

    def counted(self, key: CallKey, compute: Callable[[], int]) -> int:
        """The value of a definition, computed; if it is shared, its steps are noted."""
        account = _Account(self._budget.spent)
        self._open.append(account)
        try:
            value = compute()
        finally:
            self._open.pop()
            spent = self._budget.spent - account.begun
            self._steps[key[0]] += spent - account.others
            self._values[key[0]] += 1
        if self._open:
            self._open[-1].others += spent
        if not self._depends_on_settings(key[0]):
            calls = tuple(account.calls)
            self._shared[key] = StaticValue(value, spent - account.others, calls)
        return value

    def costliest(self) -> tuple[str, int, int] | None:
        """The definition whose values took most steps, how many values that were, and these steps."""
        if not self._steps:
            return None
        name, steps = self._steps.most_common(1)[0]
        return name, self._values[name], steps

    def _pay(self, key: CallKey) -> None:
        """Spend what a shared value took, with all that it called and that this compilation has not paid for yet."""
        pending, steps = [key], 0
        while pending:
            called = pending.pop()
            if called not in self._paid:
                shared = self._shared[called]
                self._paid[called] = shared.code
                steps += shared.steps
                pending += shared.calls
        if self._open:
            self._open[-1].others += steps
        self._budget.spend(steps)


def take_static_values(old: tast.TypedRuleset, new: tast.TypedRuleset) -> None:
    """Give a ruleset the known values of the definitions that are the same in an earlier form of it.

    So is all that they read: the definitions that they call, directly or not, and their tables.
    """
    read = {name: _read_by(definition) for name, definition in new.definitions.items()}
    calls = {name: called for name, (called, _) in read.items()}

    @cache
    def is_same(name: str) -> bool:
        before, now = old.definitions.get(name), new.definitions[name]
        return (
            before is not None
            and before.params == now.params
            and before.body == now.body
            and all(old.tables.get(table) == new.tables[table] for table in read[name][1])
        )

    still_called = {name for name, _ in old.static_values}.intersection(calls)
    kept = {name for name in still_called if all(map(is_same, reachable(calls, (name,))))}
    values = old.static_values.items()
    new.static_values.update((key, value) for key, value in values if key[0] in kept)


def _read_by(definition: tast.Definition) -> tuple[set[str], set[str]]:
    """The definitions and the tables that a definition reads itself."""
    calls, tables = set[str](), set[str]()
    for part in walk(definition.body):
        if isinstance(part, tast.DefinitionCall):
            calls.add(part.define)
        elif isinstance(part, tast.ColumnLookup):
            tables.add(part.table)
    return calls, tables
