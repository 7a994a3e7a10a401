"""A ruleset that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from os import PathLike
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from attrs import field, frozen

from hots_rules.compile.cache import cache_key, read_cache, write_cache
from hots_rules.compile.machine import Machine
from hots_rules.compile.make import Compiled, compile_rulebook
from hots_rules.diagnostics import UnknownOption
from hots_rules.rules import Book, Source, find_source, load_book
from hots_rules.rules import finite as t
from hots_rules.state.shape import Shape, type_from

if TYPE_CHECKING:
    from hots_rules.play.game import Game

Chance = Literal["auto", "ask"]
Choices = Mapping[str, Any]


@frozen
class Setting:
    """An option or a reading: its name, what can be chosen, what holds by default, and the section."""

    name: str
    kind: str
    values: tuple[Any, ...]
    default: Any
    summary: str
    sections: tuple[str, ...]
    type: t.Type = field(repr=False)


@frozen(slots=False, eq=False)
class Ruleset:
    """A checked and compiled ruleset. It never changes, so threads may share it."""

    source: Source = field(repr=False)
    name: str
    title: str
    content_hash: str
    _base: Compiled = field(repr=False)
    _base_machine: Machine = field(repr=False)
    _machines: dict[tuple[Any, ...], Machine] = field(factory=dict, repr=False)
    _lock: Lock = field(factory=Lock, repr=False)

    # -------------------------------------------------------------- what it offers
    @cached_property
    def shape(self) -> Shape:
        """What the slots of its states mean."""
        return Shape(self._base.facts)

    @cached_property
    def book(self) -> Book:
        """The rulebook behind it, declaration by declaration; parsed when it is first asked for."""
        return load_book(self.source)

    @property
    def players(self) -> tuple[str, ...]:
        """The players."""
        return self.shape.players

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the scenarios."""
        return tuple(self._base.facts["scenarios"])

    def scenario_title(self, name: str) -> str:
        """What a scenario is about."""
        return str(self._base.facts["scenario_titles"][name])

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """Options and readings by name."""
        found = {}
        for fact in self._base.facts["settings"]:
            type_ = type_from(fact["type"])
            codes = (
                range(t.size(type_))
                if not isinstance(type_, t.IntType)
                else range(type_.low, type_.high + 1)
            )
            values = tuple(self.shape.plain(code, type_) for code in codes)
            found[fact["name"]] = Setting(fact["name"], fact["kind"], values, self.shape.plain(fact["default"], type_),
                                          fact["origin"]["summary"], tuple(fact["origin"]["sections"]), type_)  # fmt: skip
        return found

    @property
    def options(self) -> dict[str, Setting]:
        """The optional rules."""
        return {name: found for name, found in self.settings.items() if found.kind == "option"}

    @property
    def readings(self) -> dict[str, Setting]:
        """The points where the text is unclear."""
        return {name: found for name, found in self.settings.items() if found.kind == "reading"}

    def compiled_source(self) -> str:
        """The Python source that was made from it, under the default options and readings."""
        return self._base.source

    # -------------------------------------------------------------- choices
    def chosen(self, options: Choices, readings: Choices) -> dict[str, int]:
        """The codes of all options and readings, those not named at their defaults.

        Raises:
            UnknownOption: a name or a value that the ruleset does not have.
        """
        codes = {fact["name"]: fact["default"] for fact in self._base.facts["settings"]}
        for given, known in ((options, self.options), (readings, self.readings)):
            for name, value in given.items():
                if name not in known:
                    raise UnknownOption(str(name), tuple(known))
                codes[name] = self._code(known[name], value)
        return codes

    def _code(self, setting: Setting, value: Any) -> int:
        if value in setting.values and type(value) in {type(v) for v in setting.values}:
            at = setting.values.index(value)
            return at + setting.type.low if isinstance(setting.type, t.IntType) else at
        raise UnknownOption(setting.name, tuple(str(v) for v in setting.values), str(value))

    def machine_facts(self, settings: Mapping[str, int]) -> dict[str, Any]:
        """The facts of the compilation under one choice of settings."""
        machine = self.machine(settings)
        facts: dict[str, Any] = machine.facts
        return facts

    def machine(self, settings: Mapping[str, int], *, traced: bool = False) -> Machine:
        """The compiled functions under one choice of settings, made when first asked for."""
        defaults = {fact["name"]: fact["default"] for fact in self._base.facts["settings"]}
        if not traced and dict(settings) == defaults:
            return self._base_machine
        key = (tuple(sorted(settings.items())), traced)
        with self._lock:
            if key not in self._machines:
                self._machines[key] = self._made(settings, traced=traced)
            return self._machines[key]

    def _made(self, settings: Mapping[str, int], *, traced: bool) -> Machine:
        kept_as = cache_key(self.content_hash, settings, traced=traced)
        if (kept := read_cache(kept_as)) is not None:
            return kept[0].machine(kept[1])
        compiled = compile_rulebook(self.book, settings, traced=traced)
        code = compile(compiled.source, f"<rules of {self.name}>", "exec")
        write_cache(kept_as, compiled, code)
        return compiled.machine(code)

    # -------------------------------------------------------------- games
    def start(self, scenario: str, *, seed: int | str = 0, options: Choices | None = None, readings: Choices | None = None,
              chance: Chance = "auto") -> Game:  # fmt: skip
        """A game at its first decision.

        With `chance="ask"` every die and draw is an action of the player `chance`.

        Raises:
            UnknownOption: no such scenario, option, reading or value.
        """
        from hots_rules.play.game import start

        return start(self, scenario, seed, options or {}, readings or {}, chance)

    def position(self, text: str, *, seed: int | str = 0, options: Choices | None = None, readings: Choices | None = None,
                 chance: Chance = "auto") -> Game:  # fmt: skip
        """A game that begins at a position set up by hand, see docs/positions.md.

        Raises:
            BadPosition: with every fault of the position.
            UnknownOption: no such option, reading or value.
        """
        from hots_rules.play.game import start_at

        return start_at(self, text, seed, options or {}, readings or {}, chance)


def load(name_or_path: str | PathLike[str]) -> Ruleset:
    """Loads a ruleset by its name, or from a file or folder.

    The compiled form is kept in the user's cache folder, so that loading again is fast.

    Raises:
        RulesetError: there is no such ruleset, or it has faults; all of them are listed.
    """
    source = find_source(name_or_path)
    content = source.content_hash()
    key = cache_key(content, None, traced=False)
    if (kept := read_cache(key)) is not None:
        compiled, code = kept
        return Ruleset(
            source, source.name, source.layers[-1].title, content, compiled, compiled.machine(code)
        )
    book = load_book(source)
    compiled = compile_rulebook(
        book, {name: setting.default for name, setting in book.typed.settings.items()}
    )
    code = compile(compiled.source, f"<rules of {source.name}>", "exec")
    write_cache(key, compiled, code)
    loaded = Ruleset(
        source, source.name, source.layers[-1].title, content, compiled, compiled.machine(code)
    )
    loaded.__dict__["book"] = book
    return loaded
