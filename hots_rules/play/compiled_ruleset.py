"""A compiled ruleset with all that is derived from its texts, shared by every language of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import blake2b
from threading import RLock
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import evolve, field, frozen

from hots_rules.compile.cache import cache_key, read_cache, read_kept, write_cache, write_kept
from hots_rules.compile.codes import codes_of
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import (
    DEFAULT_LIMITS,
    BadArgument,
    Fault,
    Limits,
    RulesetError,
    Span,
    abbreviated,
)
from hots_rules.rules import Source, check_size
from hots_rules.rules.sources.find import installed_source, is_installed
from hots_rules.state.schema import StateSchema

# Imported on use: a cached ruleset needs neither the compiler nor the parser.
if TYPE_CHECKING:
    from hots_rules.compile.counting import CountingMachine
    from hots_rules.compile.link import LinkedRules
    from hots_rules.compile.make import Compilation
    from hots_rules.rules.ad_hoc import ExpressionParser
    from hots_rules.rules.rulebook import Rulebook
    from hots_rules.rules.typed.tast import PolicyDef, TypedRuleset

T = TypeVar("T")
MAX_KEPT = 64
"""How many derived values are in memory: a few for each choice of settings, some of several megabytes."""
MAX_RECEIVED = 8
"""How many rulesets of other processes are kept: one that is sent again, with every task, is loaded once."""
_NOTHING = object()
SettingCodes = tuple[tuple[str, int], ...]
"""The codes of all options and readings by name, sorted."""


@frozen(slots=False, eq=False)
class CompiledRuleset:
    """The texts of a ruleset, its compiled functions, and what is derived from them on demand.

    `text_hash` is the digest of all texts of rules and sections; it is the key of all that is cached. Nothing
    observable changes, so threads may share it. With `is_cached` false, nothing is read from the cache folder or
    written there.
    """

    source: Source = field(repr=False)
    text_hash: str
    limits: Limits = field(default=DEFAULT_LIMITS, repr=False)
    is_cached: bool = True
    counts_steps: bool = False
    is_self_contained: bool = False
    _lock: RLock = field(factory=RLock, init=False, repr=False)
    _memo: dict[Hashable, object] = field(factory=dict, init=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        if self.is_pickled_by_name:
            return unpickled_by_name, (self.source.name, self.packing_hash, self.limits)
        return unpickled_from_texts, (self.source, self.limits, self.is_self_contained)

    @cached_property
    def is_pickled_by_name(self) -> bool:
        """Whether a pickle has the name and the digest, not the texts."""
        return not self.is_self_contained and is_installed(self.source, self.text_hash)

    def self_contained(self) -> CompiledRuleset:
        """The same ruleset, whose pickle has the texts."""
        if not self.is_pickled_by_name:
            return self
        return self.memo(("self-contained",), lambda: evolve(self, is_self_contained=True))

    @property
    def content_hash(self) -> str:
        """The digest of what decides play: see `rules/play_digest`."""
        return self.default_machine.facts.content_digest

    @cached_property
    def packing_hash(self) -> str:
        """The digest of what decides play, and of how states are packed: the order of phases and rules numbers them."""
        facts = self.default_machine.facts
        packing = (
            facts.content_digest,
            [(point.phase, point.kind, point.actions, point.procedure) for point in facts.points],
            sorted(facts.routines.items()),
            sorted(facts.return_slots.items()),
            [(frame.slot, frame.return_slot, frame.name) for frame in facts.frame],
            [origin.rule for origin in facts.origins],
        )
        return blake2b(repr(packing).encode(), digest_size=16).hexdigest()

    @cached_property
    def schema(self) -> StateSchema:
        """The variables of a state and their types; its layout is that of the default settings."""
        return self.schema_under(self.default_settings)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The checked rulebook, from the cache or parsed on first use."""
        from hots_rules.rules.rulebook import CLASSES, Rulebook

        def parsed() -> Rulebook:
            from hots_rules.compile.constant_folding import static_values
            from hots_rules.rules.load import load_rulebook

            checked = load_rulebook(self.source, self.limits, static_values)
            # The cache leaves the texts out: they are at hand, and the key is their digest.
            return evolve(checked, source=Source(()))

        kept = self._read_or_made(Rulebook, CLASSES, parsed)
        return evolve(kept, source=self.source)

    @cached_property
    def typed(self) -> TypedRuleset:
        """The typed tree of the rulebook."""
        from hots_rules.rules.typed.classes import CLASSES
        from hots_rules.rules.typed.tast import TypedRuleset

        return self.kept(TypedRuleset, CLASSES, lambda rulebook: rulebook.typed)

    @property
    def expressions(self) -> ExpressionParser:
        """Parses expressions over the states of the ruleset."""
        from hots_rules.rules.ad_hoc import ExpressionParser

        return self.memo(("expressions",), lambda: ExpressionParser(self.rulebook))

    def _read_or_made(
        self, kind: type[T], parts: tuple[type, ...], make: Callable[[], T], beside: str = ""
    ) -> T:
        """What the cache holds of the class `kind`, else what is made and then kept there."""
        content = f"{self.text_hash} {beside}".rstrip()
        value = read_kept(content, kind, parts) if self.is_cached else None
        if value is None:
            value = make()
            if self.is_cached:
                write_kept(content, value, parts)
        return value

    def kept(
        self,
        kind: type[T],
        parts: tuple[type, ...],
        make: Callable[[Rulebook], T],
        *,
        beside: str = "",
    ) -> T:
        """What `make` computes from the rulebook, from the cache if it was computed before.

        It is of the class `kind`, and `parts` are the classes of what it holds; `beside` is a digest of whatever else
        it depends on.
        """
        return self.memo(
            ("kept", kind, beside),
            lambda: self._read_or_made(kind, parts, lambda: make(self.rulebook), beside),
        )

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value kept under a key, made on first use; at most one thread makes it.

        The oldest of more than `MAX_KEPT` values is dropped, and made again when it is needed.
        """
        value = self._memo.get(key, _NOTHING)
        if value is _NOTHING:
            with self._lock:
                if key not in self._memo:
                    self._memo[key] = make()
                value = self._memo[key]
                if len(self._memo) > MAX_KEPT:
                    del self._memo[next(iter(self._memo))]
        return cast("T", value)

    # -------------------------------------------------------------- settings
    @cached_property
    def default_settings(self) -> SettingCodes:
        """The codes of all options and readings at their defaults."""
        facts = self.default_machine.facts.settings
        return tuple(sorted((fact.name, fact.default) for fact in facts))

    def check_settings(self, settings: object) -> None:
        """Refuse settings that are not a code for each option and reading, as `BaseRuleset.chosen` gives them.

        Raises:
            BadArgument: the settings are something else.
        """
        if settings == self.default_settings:
            return
        codes = {fact.name: codes_of(fact.type) for fact in self.default_machine.facts.settings}
        if not (
            isinstance(settings, tuple)
            and len(settings) == len(codes)
            and all(_is_code(pair, codes) for pair in settings)
        ):
            raise BadArgument("settings", abbreviated(settings), "what `chosen` gives")

    def machine(self, settings: SettingCodes, *, traced: bool = False) -> Machine:
        """The compiled functions under one choice of settings, compiled on first use."""
        if not traced and settings == self.default_settings:
            return self.default_machine
        return self.memo(
            ("machine", settings, traced), lambda: self._compiled(dict(settings), traced=traced)
        )

    def guided_machine(
        self, settings: SettingCodes, policy: PolicyDef, *, traced: bool = False
    ) -> Machine:
        """The machine whose legal actions are those that a policy prefers; all, where it prefers none."""
        return self.memo(
            ("guided", settings, policy, traced),
            lambda: self._compiled(dict(settings), traced=traced, policy=policy),
        )

    def counting_machine(
        self, settings: SettingCodes, *, for_conditions: bool = False
    ) -> CountingMachine:
        """The same functions in a machine that counts its steps."""
        # A late import: most play counts nothing.
        from hots_rules.compile import counting

        machine = self.machine(settings)
        return self.memo(
            ("counting", settings, for_conditions),
            lambda: counting.counting_machine(machine, self.limits, for_conditions=for_conditions),
        )

    @cached_property
    def default_machine(self) -> Machine:
        """The compiled functions under the default settings."""
        return self._compiled(None, traced=False)

    def schema_under(self, settings: SettingCodes) -> StateSchema:
        """The schema of states under one choice of settings: indexes and frames depend on it."""
        return self.memo(
            ("schema", settings),
            lambda: RulesetSchema(self.machine(settings).facts, self, settings),
        )

    def _compiled(
        self, settings: dict[str, int] | None, *, traced: bool, policy: PolicyDef | None = None
    ) -> Machine:
        """A machine from the cache, or compiled; the settings are the default ones if omitted."""
        guide = "" if policy is None else repr(policy.clauses)
        key = cache_key(self.text_hash, settings, traced=traced, guide=guide)
        cached = read_cache(key) if self.is_cached else None
        if cached is None:
            compiled = self._compilation(settings, policy).module(traced=traced)
            cached = compiled, compiled.code()
            if self.is_cached:
                write_cache(key, *cached)
        return cached[0].machine(cached[1], self.limits, counts_steps=self.counts_steps)

    def _compilation(
        self, settings: dict[str, int] | None, policy: PolicyDef | None
    ) -> Compilation:
        """The plain and the traced module under some settings, the default ones if omitted."""
        from hots_rules.compile.make import compile_typed

        # `content_hash` comes from the module under the default settings, which is compiled here.
        content = self.rulebook.content if settings is None else self.content_hash
        if settings is None:
            declared = self.typed.settings.values()
            settings = {setting.name: setting.default for setting in declared}
        chosen = settings
        return self.memo(
            ("compilation", tuple(sorted(chosen.items())), policy),
            lambda: compile_typed(self.typed, content, chosen, limits=self.limits, policy=policy),
        )

    def linked_rules(self, settings: SettingCodes) -> LinkedRules:
        """Actions with their clauses and events with their rules, under one choice of settings."""
        from hots_rules.compile.link import link_rules

        return self.memo(("linked rules", settings), lambda: link_rules(self.typed, dict(settings)))

    def at_fault(self, settings: SettingCodes, invariant: str, slots: Sequence[int]) -> str:
        """The members for which an invariant fails in a packed state, as text; empty where it names none."""
        from hots_rules.state.invariants import members_at_fault

        schema = self.schema_under(settings)
        return members_at_fault(self.typed, dict(settings), schema, invariant, slots)


def _is_code(pair: object, codes: Mapping[str, range]) -> bool:
    """Whether a pair is the name of a setting and one of its codes."""
    match pair:
        case (str(name), int(code)):
            return code in codes.get(name, ())
    return False


@frozen(slots=False, eq=False)
class RulesetSchema(StateSchema):
    """The schema of a ruleset under some settings. It pickles as they do, so that a state takes few bytes."""

    compiled: CompiledRuleset = field(repr=False)
    settings: SettingCodes = field(repr=False)

    def __reduce__(self) -> str | tuple[object, ...]:
        if not self.compiled.is_pickled_by_name:
            # The facts are less than the texts.
            return StateSchema, (self.facts,)
        return schema_of, (self.compiled, self.settings)


def compiled_ruleset(
    source: Source, limits: Limits = DEFAULT_LIMITS, *, counts_steps: bool = False
) -> CompiledRuleset:
    """The ruleset of some texts, from the cache or compiled; with `counts_steps`, play counts its steps.

    Raises:
        RulesetError: the texts have faults; all of them are listed.
    """
    ruleset = uncompiled_ruleset(source, limits, counts_steps=counts_steps)
    ruleset.machine(ruleset.default_settings)  # compiled at once, so that faults are raised here
    return ruleset


def uncompiled_ruleset(
    source: Source, limits: Limits = DEFAULT_LIMITS, *, counts_steps: bool = False
) -> CompiledRuleset:
    """The ruleset of some texts, of which nothing is checked or compiled yet.

    Raises:
        RulesetError: the texts are too large.
    """
    check_size(source, limits)
    return CompiledRuleset(source, source.text_hash(), limits, counts_steps=counts_steps)


def checked_ruleset(
    rulebook: Rulebook, limits: Limits = DEFAULT_LIMITS, *, counts_steps: bool = False
) -> CompiledRuleset:
    """The ruleset of a rulebook that was checked already; nothing is read from the cache or kept there."""
    source = rulebook.source
    ruleset = CompiledRuleset(
        source, source.text_hash(), limits, is_cached=False, counts_steps=counts_steps
    )
    ruleset.__dict__["rulebook"] = rulebook
    return ruleset


def trial_ruleset(
    rulebook: Rulebook, text_hash: str, *, is_cached: bool = False
) -> CompiledRuleset:
    """A ruleset of declarations that no texts hold; kept in the cache only if the hash stands for all of them."""
    ruleset = CompiledRuleset(rulebook.source, text_hash, is_cached=is_cached)
    ruleset.__dict__["rulebook"] = evolve(rulebook, content=text_hash)
    return ruleset


# ------------------------------------------------------------------ rulesets from other processes
@frozen
class _Sent:
    """The texts of a ruleset from another process, as the key of a cache: they are compared by their digest."""

    text_hash: str
    limits: Limits
    is_self_contained: bool
    source: Source = field(eq=False)


@lru_cache(maxsize=MAX_RECEIVED)
def unpickled_by_name(name: str, packing: str, limits: Limits) -> CompiledRuleset:
    """The installed ruleset of a name; `packing` is the digest of how it packs states.

    Raises:
        RulesetError: there is none, or its digest is another one.
    """
    source = installed_source(name)
    if source is None:
        raise _fault(f"a pickle is of the ruleset `{name}`, which is not installed here")
    loaded = compiled_ruleset(evolve(source, is_named=True), limits)
    if loaded.packing_hash != packing:
        raise _fault(
            f"a pickle is of the ruleset `{name}` with the digest {packing}; "
            f"here it has {loaded.packing_hash}"
        )
    return loaded


def unpickled_from_texts(
    source: Source, limits: Limits, is_self_contained: bool
) -> CompiledRuleset:
    """The ruleset of texts from another process.

    Raises:
        RulesetError: the texts have faults.
    """
    return _loaded(_Sent(source.text_hash(), limits, is_self_contained, source))


@lru_cache(maxsize=MAX_RECEIVED)
def _loaded(sent: _Sent) -> CompiledRuleset:
    loaded = compiled_ruleset(sent.source, sent.limits)
    return evolve(loaded, is_self_contained=True) if sent.is_self_contained else loaded


def forget_received() -> None:
    """Load rulesets anew when they are received again."""
    unpickled_by_name.cache_clear()
    _loaded.cache_clear()


def schema_of(compiled: CompiledRuleset, settings: SettingCodes) -> StateSchema:
    """The schema of the states of a ruleset."""
    return compiled.schema_under(settings)


def _fault(headline: str) -> RulesetError:
    remedy = "install what made the pickle, or pickle there what `Ruleset.self_contained` gives"
    return RulesetError([Fault("missing-ruleset", headline, Span.nowhere(), help=remedy)])
