"""A witness: a position and an action to which two rulesets give different answers; as text, and replayed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Self

import attrs
from attrs import evolve, field, frozen

from hots_rules._home import witnesses_text
from hots_rules._text import plain_text
from hots_rules.compare.ask import EditionAnswer, answer_effects, answer_legality
from hots_rules.compare.divergences import corresponding_action, winners_of, winners_sentence
from hots_rules.compare.shared_entries import SharedEntries
from hots_rules.diagnostics import UnreadableAction, check_kind
from hots_rules.play.action import Action
from hots_rules.play.compiled_ruleset import SettingCodes
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices, SettingValue
from hots_rules.witness.errors import BadWitness

Kind = Literal["legal", "outcome", "odds"]
KINDS: tuple[Kind, ...] = ("legal", "outcome", "odds")
_MAX_ENTRIES = 4  # entries of the state in the summary of a witness
_AS_WRITTEN = {"true": "yes", "false": "no"}  # as rulesets write them, and as witnesses do
_GOES_ON, _WINS = "play goes on", (" wins", " win")
_SEED = "witness"  # of what a scenario deals, where a position is based on one
_BLOCK = re.compile(
    r"^## ([^\n]+)\n((?:(?!^## ).)*?)^```witness\n(.*?)^```", re.MULTILINE | re.DOTALL
)
_WITHOUT_WITNESS = re.compile(r"^No witness of `([^`\n]+)`:([^`]+?)(?=^$|\Z)", re.MULTILINE)
_LINE = re.compile(r"([a-z][a-z ]*):(?: (.*))?")
_LISTS = ("position", "play", "chance", "old says", "new says")
_WORDS = ("kind", "old", "new", "isolates", "without", "scenario", "action", "parted", *_LISTS)


@frozen(repr=False)
class Witness:
    """A position and an action to which two rulesets give different answers.

    >>> import hots_rules as hr
    >>> verdicts = ("legal",), ("illegal",)
    >>> witness = hr.witness.Witness("legal", "a", "b", "year 1301\\n", "Red: wait", verdicts=verdicts)
    >>> hr.witness.read_witnesses(witness.text("waiting")) == {"waiting": witness}
    True

    Attributes:
        kind: "legal", if the action is legal in one ruleset only; "outcome", if its effects differ with the same
            outcomes of chance; "odds", if the chance that follows it differs.
        old: the name of the first ruleset.
        new: the name of the second ruleset.
        position: the position at which play begins; both rulesets can read it. Empty if it begins at `scenario`.
        action: the action, as the rulesets write it; empty if the beginning of the scenario differs already.
        play: actions, and outcomes of chance, from the position to the moment of the action.
        chance: the outcomes of chance that follow the action, for the kind "outcome".
        scenario: the scenario at which play begins; empty if it begins at a position.
        settings: the options and readings of each side that are not at their defaults.
        isolates: the differences that it shows alone: the first ruleset with only these of the second one gives
            the answer of the second. Empty if it shows the rulesets as a whole.
        without: if not empty, the second ruleset is compared with itself without these differences, which is the first.
        verdicts: what each ruleset says: "legal" or "illegal"; the entries of the state that differ after the action;
            the possible outcomes of chance.
        games: how many random games both rulesets played in step, to see how often they diverge.
        divergent_games: in how many of them they diverged.
    """

    kind: Kind
    old: str
    new: str
    position: str
    action: str
    play: tuple[str, ...] = ()
    chance: tuple[str, ...] = ()
    scenario: str = ""
    settings: tuple[Mapping[str, str], Mapping[str, str]] = field(factory=lambda: ({}, {}))
    isolates: tuple[str, ...] = ()
    without: tuple[str, ...] = field(default=(), kw_only=True)
    verdicts: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    games: int = 0
    divergent_games: int = 0

    def __repr__(self) -> str:
        return (
            f"<Witness of {self.old} and {self.new}: {self.kind}, {self.action or self.scenario}>"
        )

    @property
    def size(self) -> tuple[int, int, int]:
        """What makes one witness smaller than another: its actions, then the entries and the text of its position."""
        entries = self.position.count(",") + self.position.count("\n")
        return len(self.play) + len(self.chance), entries, len(self.position)

    @property
    def mirrored(self) -> Witness:
        """The same witness with both sides exchanged; one of a ruleset without some differences stays as it is.

        >>> import hots_rules as hr
        >>> hr.witness.Witness("legal", "a", "b", "year 1301\\n", "Red: wait").mirrored.old
        'b'
        """
        if self.without:
            return self
        (ours, theirs), (first, second) = self.settings, self.verdicts
        return evolve(
            self, old=self.new, new=self.old, settings=(theirs, ours), verdicts=(second, first)
        )

    @property
    def summary(self) -> str:
        """What differs, in a sentence."""
        old, new = (_abbreviate(lines) for lines in self.verdicts)
        first, second = self._first_name, self._names()[1]
        asked = f"`{self.action}`" if self.action else f"the beginning of `{self.scenario}`"
        if self.kind == "legal":
            return f"{asked} is {old} in {first} and {new} in {second}."
        if self.kind == "odds":
            old, new = (
                _abbreviate(_outcomes(*pair)) for pair in (self.verdicts, self.verdicts[::-1])
            )
        return f"After {asked}: {old} in {first}; {new} in {second}."

    @property
    def _first_name(self) -> str:
        """The name of the first ruleset with its settings, and the differences that it is without."""
        names = ", ".join(f"`{name}`" for name in self.without)
        return f"{self._names()[0]} without {names}" if names else self._names()[0]

    def _names(self) -> list[str]:
        """The names of both rulesets, each with its settings."""
        return [
            " ".join([name, *(f"{key}={value}" for key, value in chosen.items())])
            for name, chosen in zip((self.old, self.new), self.settings, strict=True)
        ]

    # -------------------------------------------------------------- text
    def text(self, title: str) -> str:
        """A section of a Markdown file of witnesses; `read_witnesses` reads it."""
        old, new = self._names()
        parts: dict[str, str | Sequence[str]] = {
            "kind": self.kind,
            "old": old,
            "new": new,
            "isolates": ", ".join(self.isolates),
            "without": ", ".join(self.without),
            "scenario": self.scenario,
            "position": self.position.splitlines(),
            "play": self.play,
            "action": self.action,
            "chance": self.chance,
            "old says": self.verdicts[0],
            "new says": self.verdicts[1],
            "parted": f"{self.divergent_games} of {self.games}" if self.games else "",
        }
        lines = (line for name, part in parts.items() if part for line in _entry_lines(name, part))
        return "\n".join((f"## {title}", "", "```witness", *lines, "```", ""))

    @classmethod
    def parse(cls, text: str) -> Self:
        """The witness in the lines of a block `witness`.

        Raises:
            BadWitness: a line is unknown or missing.
        """
        check_kind("text", text, str, "a text")
        parts = dict[str, list[str]]()
        for line in plain_text(text).split("\n"):
            match = _LINE.fullmatch(line.rstrip())
            if match and match[1] in _WORDS and match[1] not in parts:
                parts[match[1]] = [match[2]] if match[2] else []
            elif line.startswith("  ") and parts and list(parts)[-1] in _LISTS:
                parts[list(parts)[-1]].append(line.strip())
            elif line.strip():
                raise BadWitness(f"expected a line such as `kind: legal`, got `{line[:60]}`")
        for name in ("kind", "old", "new"):
            if not parts.get(name):
                raise BadWitness(f"expected a line `{name}: …`, got none")
        (old, *old_choices), (new, *new_choices) = parts["old"][0].split(), parts["new"][0].split()
        kind = next((kind_name for kind_name in KINDS if kind_name == parts["kind"][0]), None)
        if kind is None:
            raise BadWitness(
                f"expected a kind of {', '.join(KINDS)}, got `{parts['kind'][0][:60]}`"
            )
        return cls(
            kind,
            old,
            new,
            "".join(f"{line}\n" for line in parts.get("position", ())),
            " ".join(parts.get("action", ())),
            tuple(parts.get("play", ())),
            tuple(parts.get("chance", ())),
            " ".join(parts.get("scenario", ())),
            (_choices(old_choices), _choices(new_choices)),
            tuple(filter(None, " ".join(parts.get("isolates", ())).split(", "))),
            (tuple(parts.get("old says", ())), tuple(parts.get("new says", ()))),
            *_counts(" ".join(parts.get("parted", ["0 of 0"]))),
            without=tuple(filter(None, " ".join(parts.get("without", ())).split(", "))),
        )

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`; `says` are the verdicts, `parted` the divergent games."""
        names = {"verdicts": "says", "divergent_games": "parted"}
        return {names.get(name, name): value for name, value in attrs.asdict(self).items()}

    # -------------------------------------------------------------- replay
    def games_at_action(self, old: BaseRuleset[G], new: BaseRuleset[G]) -> tuple[G, G]:
        """The two games at the moment of the action; each outcome of chance is an action in them.

        Raises:
            BadPosition: a ruleset does not allow the position.
            IllegalAction: a ruleset does not allow an action on the way.
            ArgumentError: a ruleset lacks the scenario, an option or a reading.
        """
        games = self._start(old, self.settings[0]), self._start(new, self.settings[1])
        for text in self.play:
            games = played(games, text)
        return games

    def _start(self, rules: BaseRuleset[G], settings: Mapping[str, str]) -> G:
        options, readings = choices_of(rules, settings)
        if self.scenario:
            return rules.start(
                self.scenario, seed=_SEED, options=options, readings=readings, chance="ask"
            )
        return rules.position(
            self.position, seed=_SEED, options=options, readings=readings, chance="ask"
        )

    def replayed(self, old: AnyRuleset, new: AnyRuleset) -> Witness:
        """The same witness with what the rulesets say now.

        Raises:
            BadWitness: they agree.
            HotsError: the moment cannot be reached in one of them; see `games_at_action`.
        """
        now = verdicts(self.kind, self.games_at_action(old, new), self.action, self.chance)
        if now[0] == now[1]:
            raise BadWitness(f"{self.old} and {self.new} agree on `{self.action or self.scenario}`")
        return evolve(self, verdicts=now)

    def answers(self, old: AnyRuleset, new: AnyRuleset) -> tuple[EditionAnswer, EditionAnswer]:
        """What each ruleset answers, with its reasons and sections; `changes` are the entries that differ.

        Raises:
            HotsError: the moment cannot be reached in one of them; see `games_at_action`.
        """
        games = self.games_at_action(old, new)
        listed = _listed(games, self.action)
        first, second = (
            self._answer(game, verdict, listed)
            for game, verdict in zip(games, self.verdicts, strict=True)
        )
        return (evolve(first, edition=self._first_name) if self.without else first), second

    def _answer(
        self, game: BaseGame, verdict: tuple[str, ...], listed: Action | None
    ) -> EditionAnswer:
        own = corresponding_action(game, listed) if listed else None
        text = own.text if own else self.action
        if self.kind != "legal":
            lines = [text, *self.chance] if text else []
            return evolve(answer_effects(game, lines), changes=verdict)
        try:
            return answer_legality(game, text)
        except UnreadableAction as error:
            return EditionAnswer(game.ruleset.name, "illegal", (str(error),))


def _abbreviate(lines: Sequence[str]) -> str:
    """The first few lines, with the end of the game before all others, and how many more there are."""
    first = [line for line in lines if line == _GOES_ON or line.endswith(_WINS)]
    ordered = [*first, *(line for line in lines if line not in first)]
    more = len(lines) - _MAX_ENTRIES
    shown = ordered if more <= 1 else [*ordered[:_MAX_ENTRIES], f"{more} more"]
    return ", ".join(shown)


def _outcomes(own: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """What may happen by chance: how many outcomes there are, and those that the other side lacks."""
    names, theirs = ([line.partition(": chance: ")[2] for line in side] for side in (own, others))
    if not any(names):
        return tuple(own)
    alone = (f"`{name}`" for name in names if name not in theirs)
    number = f"{len(names)} outcome" + ("s" if len(names) > 1 else "")
    return (number, *alone)


def _entry_lines(name: str, part: str | Sequence[str]) -> Iterator[str]:
    if isinstance(part, str):
        yield f"{name}: {part}"
    else:
        yield f"{name}:"
        yield from (f"  {line}" for line in part)


def _choices(words: Sequence[str]) -> dict[str, str]:
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def _counts(text: str) -> tuple[int, int]:
    """The games and those that diverged, from `3 of 1000`."""
    match = re.fullmatch(r"([0-9]{1,9}) of ([0-9]{1,9})", text)
    if match is None:
        raise BadWitness(f"expected a line such as `parted: 3 of 1000`, got `{text[:60]}`")
    return int(match[2]), int(match[1])


@frozen
class KeptWitnesses:
    """The witnesses that the library keeps of the differences between two rulesets.

    >>> import hots_rules as hr
    >>> hr.witness.kept_witnesses("hots-4.0", "hots-4.0").missing
    {}

    Attributes:
        witnesses: by the name of the difference; differences that act together share one.
        missing: the differences without a witness, each with the reason in words.
    """

    witnesses: Mapping[str, Witness]
    missing: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.witnesses or self.missing)


def kept_witnesses(old: str, new: str) -> KeptWitnesses:
    """The witnesses that the library keeps of two rulesets, by their names; none if it keeps none.

    >>> import hots_rules as hr
    >>> hr.witness.kept_witnesses("fox", "goose")
    KeptWitnesses(witnesses={}, missing={})

    Raises:
        BadWitness: the file is damaged.
    """
    check_kind("old", old, str, "the name of a ruleset")
    check_kind("new", new, str, "the name of a ruleset")
    text = witnesses_text(old, new)
    witnesses = {
        name: witness
        for title, witness in read_witnesses(text).items()
        for name in title.split(", ")
    }
    return KeptWitnesses(
        witnesses,
        {name: " ".join(reason.split()) for name, reason in _WITHOUT_WITNESS.findall(text)},
    )


def read_witnesses(text: str) -> dict[str, Witness]:
    """The witnesses of a Markdown file by their titles: each is a heading and a fenced block `witness`.

    >>> import hots_rules as hr
    >>> hr.witness.read_witnesses("# No witness yet")
    {}

    Raises:
        BadWitness: a block cannot be read, or a title occurs twice.
    """
    check_kind("text", text, str, "a text")
    by_title: dict[str, Witness] = {}
    for title, _, block in _BLOCK.findall(text):
        if title in by_title:
            raise BadWitness(f"two witnesses have the title `{title}`")
        try:
            by_title[title] = Witness.parse(block)
        except BadWitness as error:
            raise BadWitness(f"{title}: {error}") from None
    return by_title


def choices_of(rules: AnyRuleset, settings: Mapping[str, str]) -> tuple[Choices, Choices]:
    """Options and readings from their texts; a name that the ruleset lacks stays, for its error."""
    options: dict[str, SettingValue] = {}
    readings: dict[str, SettingValue] = {}
    for name, text in settings.items():
        setting = rules.settings.get(name)
        values = {_setting_text(value): value for value in (setting.values if setting else ())}
        kind = options if name in rules.options else readings
        kind[name] = values.get(_AS_WRITTEN.get(text, text), text)
    return options, readings


def non_default_settings(rules: AnyRuleset, settings: SettingCodes) -> dict[str, str]:
    """The options and readings that are not at their defaults, with their values as a witness writes them."""
    values = ((name, rules.settings[name].value_of(code)) for name, code in settings)
    return {
        name: _setting_text(value)
        for name, value in values
        if value != rules.settings[name].default
    }


def non_default_values(rules: AnyRuleset) -> list[tuple[str, str]]:
    """Each option and reading with each of its values but the default, as a witness writes them."""
    return [
        (name, _setting_text(value))
        for name, setting in rules.settings.items()
        for value in setting.values
        if value != setting.default
    ]


def value_texts(rules: AnyRuleset, name: str) -> list[str]:
    """The values of an option or a reading, as a witness writes them; none if the ruleset lacks it."""
    setting = rules.settings.get(name)
    return [_setting_text(value) for value in setting.values] if setting else []


def _setting_text(value: SettingValue) -> str:
    if value is None:
        return "none"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


# ---------------------------------------------------------------- two games
def played(games: tuple[G, G], text: str) -> tuple[G, G]:
    """Both games after an action, or an outcome of chance.

    Raises:
        HotsError: one of them does not allow it.
    """
    listed = _listed(games, text)
    after = [game.play((listed and corresponding_action(game, listed)) or text) for game in games]
    return after[0], after[1]


def _listed(games: tuple[BaseGame, BaseGame], text: str) -> Action | None:
    """The action with a text, from the first game in which it is legal."""
    return next((a for game in games for a in game.actions if a.text == text), None)


def verdicts(
    kind: Kind, games: tuple[BaseGame, BaseGame], action: str, chance: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What two games at the same moment say about an action; equal if they agree.

    Raises:
        HotsError: the action, or an outcome of chance, is possible in one of them only, for outcomes and odds.
    """
    if kind == "legal":
        listed = _listed(games, action)
        allows = [listed is not None and corresponding_action(game, listed) for game in games]
        first, second = (("legal" if is_allowed else "illegal",) for is_allowed in allows)
        return first, second
    for text in (action, *chance) if action else chance:
        games = played(games, text)
    if kind == "odds":
        return _odds(games[0]), _odds(games[1])
    old_game, new_game = games
    changes = SharedEntries.of(old_game.state.schema, new_game.state.schema).changes(
        old_game.state, new_game.state
    )
    old = [f"{change.where} is {change.old}" for change in changes]
    new = [f"{change.where} is {change.new}" for change in changes]
    if (old_game.is_over, winners_of(old_game)) != (new_game.is_over, winners_of(new_game)):
        old.append(_end(old_game))
        new.append(_end(new_game))
    return tuple(old), tuple(new)


def _odds(game: BaseGame) -> tuple[str, ...]:
    if not game.is_chance:
        return ("nothing is left to chance",)
    return tuple(f"{action.probability}: {action.text}" for action in game.actions)


def _end(game: BaseGame) -> str:
    return winners_sentence(game) if game.is_over else _GOES_ON
