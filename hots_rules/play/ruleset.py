"""A ruleset that can be played: its settings, its scenarios, and its words in one language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

from attrs import evolve, field, frozen

from hots_rules._frozen import FrozenDict
from hots_rules.compile.codes import codes_of
from hots_rules.compile.facts import SettingFacts
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import (
    BadArgument,
    BadPosition,
    IgnoredOption,
    Limits,
    SettledReading,
    UnknownName,
    check_kind,
    exceeds,
    how_to_raise,
)
from hots_rules.play.compiled_ruleset import CompiledRuleset, SettingCodes
from hots_rules.play.notation import Notation
from hots_rules.play.settings import Chance, Choices, Setting, SettingValue
from hots_rules.play.start import begin
from hots_rules.rules import Source
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

if TYPE_CHECKING:
    from hots_rules.compile.link import LinkedRules
    from hots_rules.play.declared import ActionType, DeclaredMap, Table
    from hots_rules.rules.rulebook import Rulebook

G_co = TypeVar("G_co", covariant=True)


@frozen(slots=False, eq=False, repr=False)
class BaseRuleset(Generic[G_co]):
    """A checked and compiled ruleset that starts games of the class `game_type`."""

    game_type: ClassVar[Callable[..., object]]

    compiled: CompiledRuleset = field(repr=False)
    language: str = "en"

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(name={self.name!r}, title={self.title!r}, "
            f"language={self.language!r})"
        )

    def __eq__(self, other: object) -> bool:
        """Whether the other one has the same name and plays the same; its sentences may differ, see `text_hash`."""
        if not isinstance(other, BaseRuleset):
            return NotImplemented
        return (self.name, self.content_hash) == (other.name, other.content_hash)

    def __hash__(self) -> int:
        return hash((self.name, self.content_hash))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, _: object) -> Self:
        return self

    # -------------------------------------------------------------- identity
    @property
    def source(self) -> Source:
        """The texts of the ruleset."""
        return self.compiled.source

    @property
    def name(self) -> str:
        """The name of the ruleset, such as `fox-1.0`.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.name
        'hots-4.0'
        """
        return self.source.name

    @property
    def title(self) -> str:
        """The title of the ruleset, from its first line.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.title
        'Hammer of the Scots, rulebook 4.0'
        """
        return self.source.layers[-1].title

    @property
    def limits(self) -> Limits:
        """The limits of untrusted input to it: see `load`.

        >>> import hots_rules as hr
        >>> hr.load("hots-4.0").limits == hr.Limits()
        True
        """
        return self.compiled.limits

    @property
    def content_hash(self) -> str:
        """A digest of what decides play, and of the English names of actions and values; records are pinned to it.

        It changes where play may change. Sentences, citations, labels in other languages, comments, layout and names
        of files do not change it; they change `text_hash`.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.content_hash == hr.load("hots-4.0").content_hash
        True
        """
        return self.compiled.content_hash

    @property
    def text_hash(self) -> str:
        """A digest of all texts of rules and of lists of sections; it changes with every letter of them.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.text_hash == rules.content_hash
        False
        """
        return self.compiled.text_hash

    @property
    def schema(self) -> StateSchema:
        """The variables of a state and their types; its layout is that of the default settings."""
        return self.compiled.schema

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook, declaration by declaration; parsed on first use."""
        return self.compiled.rulebook

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> len(rules.players)
        2
        """
        return self.schema.players

    def first_players(self, count: int = 0) -> tuple[str, ...]:
        """The first `count` players, who take part in a game of that many; all players for 0.

        Raises:
            BadArgument: the ruleset has fewer players.

        >>> import hots_rules as hr
        >>> rules = hr.load("beacons-1.0")
        >>> len(rules.first_players(3)), rules.first_players() == rules.players
        (3, True)
        """
        most = len(self.players)
        if type(count) is not int or not 0 <= count <= most:
            raise BadArgument("players", count, allowed=map(str, range(1, most + 1)))
        return self.players[: count or most]

    @property
    def has_secrets(self) -> bool:
        """Whether it hides anything from anybody; if not, all players and spectators see the same.

        >>> import hots_rules as hr
        >>> hr.load("hots-4.0").has_secrets, hr.load("connect-four-1.0").has_secrets
        (True, False)
        """
        return bool(self.schema.facts.secrets)

    @property
    def scenarios(self) -> tuple[str, ...]:
        """The names of the scenarios.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.scenarios[0]
        'braveheart'
        """
        return tuple(self.schema.facts.scenarios)

    def compiled_source(self) -> str:
        """The Python source compiled from it, under the default options and readings.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> "def " in rules.compiled_source()
        True
        """
        return self.compiled.default_machine.source

    # -------------------------------------------------------------- language
    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that texts are available in, English first.

        A text without a translation is English, between ‹ and ›.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.languages
        ('en', 'es', 'fr')
        """
        return self.schema.languages

    def in_language(self, language: str) -> Self:
        """The same ruleset with its texts in a language: "en", "fr", ….

        Raises:
            UnknownName: neither the ruleset nor the library has texts in it.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.in_language("fr").language
        'fr'
        """
        if language == self.language:
            return self
        if language not in self.languages:
            raise UnknownName("language", language, self.languages)
        return self.compiled.memo((type(self), language), lambda: evolve(self, language=language))

    @cached_property
    def labels(self) -> Labels:
        """The words for values and declarations."""
        return self.compiled.memo(
            ("labels", self.language), lambda: Labels(self.schema, self.language)
        )

    @cached_property
    def notation(self) -> Notation:
        """How actions are written."""
        return self.compiled.memo(("notation", self.language), lambda: Notation(self.labels))

    def scenario_title(self, name: str) -> str:
        """The title of a scenario.

        Raises:
            UnknownName: no such scenario.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.scenario_title("braveheart")
        'Braveheart, 1297 to 1305'
        """
        if name not in self.scenarios:
            raise UnknownName("scenario", name, self.scenarios)
        title = self.schema.facts.scenarios[name].title
        return self.labels.label(f"scenario {name}", title)

    # -------------------------------------------------------------- declarations
    @cached_property
    def actions(self) -> Mapping[str, ActionType]:
        """The actions that the ruleset declares, by name.

        >>> import hots_rules as hr
        >>> dict(hr.load("hots-4.0").actions["retreat"].params)
        {'block': 'Block', 'to': 'Area'}
        """
        from hots_rules.play.declared import declared_action

        templates = {form.name: self.notation.template(form) for form in self.notation.forms}
        return FrozenDict(
            {
                facts.name: declared_action(self.labels, templates[facts.name], facts)
                for facts in self.schema.facts.actions
            }
        )

    @cached_property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """The values of the types that actions and variables use: the word of each in this language, by its name.

        >>> import hots_rules as hr
        >>> hr.load("hots-4.0").in_language("fr").words["Card"]["Move_1"]
        'Mouvement 1'
        """
        from hots_rules.play.declared import declared_words

        return declared_words(self.labels)

    @cached_property
    def map(self) -> DeclaredMap:
        """The map that the ruleset declares: where its places are, and the lines between them.

        >>> import hots_rules as hr
        >>> hr.load("hots-4.0").map.places["Fife"]
        (560, 450)
        """
        from hots_rules.play.declared import declared_map

        return declared_map(self.schema)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables that the ruleset declares, by name.

        >>> import hots_rules as hr
        >>> hr.load("hots-4.0").tables["Card"].rows["Move_3"]["group_moves"]
        3
        """
        from hots_rules.play.declared import declared_table

        typed = self.compiled.typed
        return FrozenDict(
            {
                name: declared_table(self.schema, row_type, table)
                for name, table in typed.tables.items()
                if isinstance(row_type := typed.types[name], types.WordType)
            }
        )

    # -------------------------------------------------------------- settings
    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """Options and readings by name.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.settings["schiltroms"].kind
        'option'
        """
        facts = self.schema.facts.settings
        return FrozenDict({fact.name: self._setting(fact) for fact in facts})

    def _setting(self, fact: SettingFacts) -> Setting:
        values = tuple(self._value(code, fact.type) for code in codes_of(fact.type))
        label = self.labels.label
        return Setting(
            fact.name,
            fact.kind,
            values,
            self._value(fact.default, fact.type),
            label(f"{fact.kind} {fact.name}", fact.origin.summary),
            tuple(
                label(f"{fact.name}.{value}", summary)
                for value, summary in zip(values, fact.summaries, strict=False)
            ),
            fact.origin.sections,
            fact.scenarios,
            fact.type,
        )

    def _value(self, code: int, type_: types.Type) -> SettingValue:
        value = self.schema.to_python(code, type_)
        assert not isinstance(value, list)  # settings are words, numbers and bools
        return value

    @cached_property
    def options(self) -> Mapping[str, Setting]:
        """The optional rules, by name.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.options["schiltroms"].values, rules.options["schiltroms"].default
        ((False, True), False)
        """
        return self._of_kind("option")

    @cached_property
    def readings(self) -> Mapping[str, Setting]:
        """The points where the text of the rulebook is unclear, by name.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> rules.readings["border_of_the_pinned"].sections
        ('4.6',)
        """
        return self._of_kind("reading")

    def _of_kind(self, kind: str) -> Mapping[str, Setting]:
        return FrozenDict(
            {name: setting for name, setting in self.settings.items() if setting.kind == kind}
        )

    def chosen(self, options: Choices, readings: Choices) -> SettingCodes:
        """The codes of all options and readings; those not named have their defaults.

        Raises:
            ArgumentError: a name or a value that the ruleset does not have.
        """
        codes = dict(self.compiled.default_settings)
        for kind, choices, settings in (
            ("option", options, self.options),
            ("reading", readings, self.readings),
        ):
            if not isinstance(choices, Mapping):
                raise BadArgument(f"{kind}s", type(choices).__name__, "names with their values")
            for name, value in choices.items():
                if name not in settings:
                    raise self._unknown_setting(kind, name)
                codes[name] = _code_of(settings[name], value)
        return tuple(sorted(codes.items()))

    def _unknown_setting(self, kind: str, name: object) -> SettledReading | UnknownName:
        """The error at an option or a reading that cannot be chosen."""
        if kind == "option":
            return UnknownName(kind, name, self.options)
        decision = self._decision_on(str(name))
        if decision is None:
            return UnknownName(kind, name, self.readings)
        return SettledReading(str(name), *decision)

    def _decision_on(self, reading: str) -> tuple[str, str] | None:
        """The first edition that settles a reading as it is settled now, and the alternative; None if it is open."""
        entry = self.rulebook.entries.get(("reading", reading))
        if entry is None or not entry.settled:
            return None
        while entry.previous is not None and entry.previous.settled == entry.settled:
            entry = entry.previous
        return entry.edition, entry.settled

    def machine(self, settings: SettingCodes, *, traced: bool = False) -> Machine:
        """The compiled functions under one choice of settings, compiled on first use."""
        check_kind("traced", traced, bool, "True or False")
        self.compiled.check_settings(settings)
        return self.compiled.machine(settings, traced=traced)

    def schema_under(self, settings: SettingCodes) -> StateSchema:
        """The schema of states under one choice of settings."""
        self.compiled.check_settings(settings)
        return self.compiled.schema_under(settings)

    def linked_rules(self, settings: SettingCodes) -> LinkedRules:
        """Actions with their clauses and events with their rules, under one choice of settings."""
        self.compiled.check_settings(settings)
        return self.compiled.linked_rules(settings)

    # -------------------------------------------------------------- games
    def start(
        self,
        scenario: str,
        *,
        seed: int | str | None = None,
        options: Choices | None = None,
        readings: Choices | None = None,
        chance: Chance = "auto",
    ) -> G_co:
        """A game of a scenario at its first decision.

        Args:
            scenario: a name of `scenarios`.
            seed: decides all dice and draws: a number, or a line of at most 200 characters; a random one
                that nobody can guess if omitted.
            options: values of options by name; the others have their defaults.
            readings: values of readings by name; the others have their defaults.
            chance: "auto" rolls and draws by the seed; with "ask" each outcome is an action of the
                player `chance`.

        Raises:
            ArgumentError: no such scenario, option, reading or value.
            IgnoredOption: the scenario ignores an option.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> game = rules.start("braveheart", seed=1297, options={"schiltroms": True})
        >>> game.options["schiltroms"], game.seed
        (True, '1297')
        """
        game: G_co = begin(self, scenario, None, seed, _given(options), _given(readings), chance)
        for name in _given(options):
            option = self.options[name]
            if option.scenarios and scenario not in option.scenarios:
                raise IgnoredOption(name, scenario, option.scenarios)
        return game

    def position(
        self,
        text: str,
        *,
        seed: int | str | None = None,
        options: Choices | None = None,
        readings: Choices | None = None,
        chance: Chance = "auto",
    ) -> G_co:
        """A game that begins at a position written as text; the other parameters are those of `start`.

        Raises:
            BadPosition: with every fault of the position.
            ArgumentError: no such option, reading or value.

        >>> import hots_rules as hr
        >>> rules = hr.load("hots-4.0")
        >>> text = rules.start("braveheart").position
        >>> rules.position(text, seed=7).state["year"]
        1297
        """
        self.check_position_size(text)
        return begin(self, "", text, seed, _given(options), _given(readings), chance)

    def check_position_size(self, text: str) -> None:
        """Refuse a position, or lines of one, that are larger than `Limits.position_bytes`.

        Raises:
            BadPosition: the text is larger, or no text.
        """
        if not isinstance(text, str):
            raise BadPosition((f"expected a position as text, got {type(text).__name__}",))
        most = self.limits.position_bytes
        if exceeds(text, most):
            remedy = how_to_raise("position_bytes")
            raise BadPosition((f"expected at most {most} bytes, got more; {remedy}",))


def _given(choices: Choices | None) -> Choices:
    return {} if choices is None else choices


def _code_of(setting: Setting, value: object) -> int:
    for code, allowed in zip(codes_of(setting.type), setting.values, strict=True):
        if type(value) is type(allowed) and value == allowed:
            return code
    choices = tuple(str(choice) for choice in setting.values)
    # The quotes of `repr` show that the text "1" is not the number 1.
    shown = repr(value) if value in choices else str(value)
    raise BadArgument(setting.name, shown, allowed=choices)
