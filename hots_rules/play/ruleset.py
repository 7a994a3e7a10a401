"""A ruleset that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from threading import RLock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from attrs import evolve, field, frozen

from hots_rules.compile.cache import cache_key, read_cache, write_cache
from hots_rules.compile.codes import codes_of
from hots_rules.compile.compiled import CompiledModule
from hots_rules.compile.facts import SettingFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import UnknownOption
from hots_rules.observe.observer import Observer, secrets_of
from hots_rules.play.notation import Notation
from hots_rules.rules import Source, find_source
from hots_rules.rules.typed import value_types as types
from hots_rules.state.schema import StateSchema

# What compiles and parses is imported where it is needed: a ruleset in the cache does without.
if TYPE_CHECKING:
    from hots_rules.compile.link import LinkedRules
    from hots_rules.observe.information_state import ObservationTracker
    from hots_rules.play.game import Game
    from hots_rules.rules.rulebook import Rulebook

Chance = Literal["auto", "ask"]
Choices = Mapping[str, Any]


@frozen
class Setting:
    """An option or a reading: its name, what can be chosen, what holds by default, and the section.

    `summaries` say what each value means, where the rulebook says it of each.
    """

    name: str
    kind: str
    values: tuple[Any, ...]
    default: Any
    summary: str
    summaries: tuple[str, ...]
    sections: tuple[str, ...]
    type: types.Type = field(repr=False)


@frozen(slots=False)
class Ruleset:
    """A checked and compiled ruleset. It never changes, so threads may share it.

    Two are equal when their texts are. What it works out it keeps: the rulebook, and the functions
    for each choice of options and readings. Pickled, it takes its texts along.
    """

    source: Source = field(repr=False, eq=False)
    name: str
    title: str = field(eq=False)
    content_hash: str
    _base: CompiledModule = field(repr=False, eq=False)
    _base_machine: Machine = field(repr=False, eq=False)
    _lock: RLock = field(factory=RLock, init=False, repr=False, eq=False)
    _machines: dict[Any, Machine] = field(factory=dict, init=False, repr=False, eq=False)
    _notations: dict[str, Notation] = field(factory=dict, init=False, repr=False, eq=False)
    _onlookers: dict[Any, ObservationTracker] = field(
        factory=dict, init=False, repr=False, eq=False
    )
    _linked: dict[Any, LinkedRules] = field(factory=dict, init=False, repr=False, eq=False)

    def __copy__(self) -> Ruleset:
        return self

    def __deepcopy__(self, _: object) -> Ruleset:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (self.source,)

    # -------------------------------------------------------------- what it offers
    @cached_property
    def schema(self) -> StateSchema:
        """What the slots of its states mean."""
        return StateSchema(self._base.facts)

    @cached_property
    def book(self) -> Rulebook:
        """The rulebook behind it, declaration by declaration; parsed when it is first asked for."""
        from hots_rules.rules.load import load_rulebook

        return load_rulebook(self.source)

    @property
    def players(self) -> tuple[str, ...]:
        """The players."""
        return self.schema.players

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the scenarios."""
        return tuple(self._base.facts.scenarios)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that words may be asked in, English first.

        What has no translation is English in ‹marks›.
        """
        return self.schema.languages

    def scenario_title(self, name: str, language: str = "en") -> str:
        """What a scenario is about.

        Raises:
            UnknownOption: no such scenario, or no words in the language.
        """
        self.notation(language)
        if name not in self.scenarios:
            raise UnknownOption("scenario", self.scenarios, name)
        title = self._base.facts.scenarios[name].title
        return self.schema.said(f"scenario {name}", title, language)

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """Options and readings by name."""
        return MappingProxyType(
            {fact.name: self._setting(fact) for fact in self._base.facts.settings}
        )

    def _setting(self, fact: SettingFacts) -> Setting:
        return Setting(
            fact.name,
            fact.kind,
            tuple(self.schema.plain(code, fact.type) for code in codes_of(fact.type)),
            self.schema.plain(fact.default, fact.type),
            fact.origin.summary,
            fact.summaries,
            fact.origin.sections,
            fact.type,
        )

    def settings_in(self, language: str) -> Mapping[str, Setting]:
        """Options and readings by name, with their sentences in a language.

        Raises:
            UnknownOption: neither the ruleset nor the library has words in it.
        """
        self.notation(language)
        return {name: self._translated(found, language) for name, found in self.settings.items()}

    def _translated(self, setting: Setting, language: str) -> Setting:
        said = self.schema.said
        alternatives = zip(setting.values, setting.summaries, strict=False)
        return evolve(
            setting,
            summary=said(f"{setting.kind} {setting.name}", setting.summary, language),
            summaries=tuple(
                said(f"{setting.name}.{value}", summary, language)
                for value, summary in alternatives
            ),
        )

    @cached_property
    def options(self) -> Mapping[str, Setting]:
        """The optional rules."""
        return self._of_kind("option")

    @cached_property
    def readings(self) -> Mapping[str, Setting]:
        """The points where the text is unclear."""
        return self._of_kind("reading")

    def _of_kind(self, kind: str) -> Mapping[str, Setting]:
        return MappingProxyType(
            {n: found for n, found in self.settings.items() if found.kind == kind}
        )

    def notation(self, language: str = "en") -> Notation:
        """How actions are written in a language.

        Raises:
            UnknownOption: neither the ruleset nor the library has words in it; English is always understood.
        """
        found = self._notations.get(language)
        if found is None:
            if language not in self.schema.languages:
                raise UnknownOption("language", self.schema.languages, str(language))
            found = self._notations.setdefault(language, Notation(self.schema, language))
        return found

    def onlooker(self, settings: Mapping[str, int], viewer: int) -> ObservationTracker:
        """Who follows games under some settings with the eyes of a player, by number."""
        from hots_rules.observe.information_state import ObservationTracker

        key = (tuple(sorted(settings.items())), viewer)
        found = self._onlookers.get(key)
        if found is None:
            plain, traced = self.machine(settings), self.machine(settings, traced=True)
            eyes = Observer(self.schema, secrets_of(self.schema, plain.secrets), viewer)
            found = self._onlookers.setdefault(key, ObservationTracker(eyes, traced))
        return found

    def compiled_source(self) -> str:
        """The Python source that was made from it, under the default options and readings."""
        return self._base.source

    # -------------------------------------------------------------- choices
    def chosen(self, options: Choices, readings: Choices) -> dict[str, int]:
        """The codes of all options and readings, those not named at their defaults.

        Raises:
            UnknownOption: a name or a value that the ruleset does not have.
        """
        codes = {fact.name: fact.default for fact in self._base.facts.settings}
        for kind, given, known in (
            ("options", options, self.options),
            ("readings", readings, self.readings),
        ):
            if not isinstance(given, Mapping):
                raise UnknownOption(kind, ("names with their values",), type(given).__name__)
            for name, value in given.items():
                if name not in known:
                    raise UnknownOption(str(name), tuple(known))
                codes[name] = self._code(known[name], value)
        return codes

    def _code(self, setting: Setting, value: Any) -> int:
        for code, known in zip(codes_of(setting.type), setting.values, strict=True):
            if type(value) is type(known) and value == known:
                return code
        raise UnknownOption(setting.name, tuple(str(v) for v in setting.values), str(value))

    def machine(self, settings: Mapping[str, int], *, traced: bool = False) -> Machine:
        """The compiled functions under one choice of settings, made when first asked for."""
        if not traced and dict(settings) == self._defaults:
            return self._base_machine
        key = (tuple(sorted(settings.items())), traced)
        found = self._machines.get(key)
        if found is None:
            with self._lock:
                found = self._machines.get(key) or self._made(settings, traced=traced)
                self._machines[key] = found
        return found

    @cached_property
    def _defaults(self) -> dict[str, int]:
        return {fact.name: fact.default for fact in self._base.facts.settings}

    def _made(self, settings: Mapping[str, int], *, traced: bool) -> Machine:
        kept_as = cache_key(self.content_hash, settings, traced=traced)
        kept = read_cache(kept_as)
        if kept is None:
            from hots_rules.compile.make import compile_rulebook

            compiled = compile_rulebook(self.book, settings, traced=traced)
            kept = compiled, compiled.code()
            write_cache(kept_as, *kept)
        return kept[0].machine(kept[1])

    def linked_rules(self, settings: Mapping[str, int]) -> LinkedRules:
        """Actions with their clauses, events with their rules, under one choice of settings."""
        from hots_rules.compile.link import link_rules

        key = tuple(sorted(settings.items()))
        with self._lock:
            if key not in self._linked:
                self._linked[key] = link_rules(self.book.typed, dict(settings))
            return self._linked[key]

    # -------------------------------------------------------------- games
    def start(
        self,
        scenario: str,
        *,
        seed: int | str = 0,
        options: Choices | None = None,
        readings: Choices | None = None,
        chance: Chance = "auto",
    ) -> Game:
        """A game at its first decision.

        With `chance="ask"` every die and draw is an action of the player `chance`.

        Raises:
            UnknownOption: no such scenario, option, reading or value.
        """
        from hots_rules.play.start import start

        return start(self, scenario, seed, options or {}, readings or {}, chance)

    def position(
        self,
        text: str,
        *,
        seed: int | str = 0,
        options: Choices | None = None,
        readings: Choices | None = None,
        chance: Chance = "auto",
    ) -> Game:
        """A game that begins at a position set up by hand, see docs/positions.md.

        Raises:
            BadPosition: with every fault of the position.
            UnknownOption: no such option, reading or value.
        """
        from hots_rules.play.start import start_at

        return start_at(self, text, seed, options or {}, readings or {}, chance)


def load(name_or_path: str | PathLike[str]) -> Ruleset:
    """Loads a ruleset by its name, or from a file or folder.

    The compiled form is kept in the user's cache folder, so that loading again is fast.

    Raises:
        RulesetError: there is no such ruleset, or it has faults; all of them are listed.
    """
    return loaded(find_source(name_or_path))


def loaded(source: Source) -> Ruleset:
    """The ruleset of some texts.

    Raises:
        RulesetError: the texts have faults; all of them are listed.
    """
    content = source.content_hash()
    key = cache_key(content, None, traced=False)
    kept = read_cache(key)
    book: Rulebook | None = None
    if kept is None:
        from hots_rules.compile.make import compile_rulebook
        from hots_rules.rules.load import load_rulebook

        book = load_rulebook(source)
        defaults = {name: setting.default for name, setting in book.typed.settings.items()}
        compiled = compile_rulebook(book, defaults)
        kept = compiled, compiled.code()
        write_cache(key, *kept)
    title = source.layers[-1].title
    ruleset = Ruleset(source, source.name, title, content, kept[0], kept[0].machine(kept[1]))
    if book is not None:
        ruleset.__dict__["book"] = book
    return ruleset
