"""Actions and outcomes of chance as text, and back.

An action is written by its label, such as `move {b} {a}-{to}`; without a label by its name and its arguments.
Labels also parse texts; where none does, so do the name and the values: `move on Fox Shore Hill`. If the labels of
two legal actions give the same text, both are written in the exact notation, which is the same in every language:
`move_on(Fox, Shore, Hill)`.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, product
from math import prod

from attrs import field, frozen

from hots_rules._text import composed
from hots_rules.compile.codes import POINT, DicePoint, Slots, codes_of, value_text
from hots_rules.compile.machine import Machine
from hots_rules.diagnostics import names_alike
from hots_rules.diagnostics.braces import NAMED, filled
from hots_rules.play.action import Action, Arguments
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema
from hots_rules.state.values import parts_of

CHANCE = "chance"
MAX_TEXT = 1000
MAX_MEANINGS = 100_000
MAX_CACHED = 1 << 15
USUAL_TEXT, USUAL_MEANINGS = 100, 16
"""The length of a text, and the number of its meanings, up to which its meanings are cached: untrusted texts that are
longer or mean more would fill the memory."""

_ARGUMENTS = re.compile(r"\{\w+\}(?:\W+\{\w+\})*")
_EXACT = re.compile(r"(\w+)\((.*)\)", re.DOTALL)


@frozen(slots=False, eq=False)
class ActionForm:
    """An action of a ruleset: its parameters, its first code, and the number of its codes."""

    name: str
    params: tuple[tuple[str, types.Type], ...]
    base: int
    size: int

    @cached_property
    def _digits(self) -> tuple[tuple[int, int], ...]:
        return tuple((types.size(type_), types.lowest_code(type_)) for _, type_ in self.params)

    def decode(self, code: int, players: int) -> tuple[int, tuple[int, ...]]:
        """The player and the arguments of a code."""
        rest, args = code - self.base, []
        for size, low in reversed(self._digits):
            rest, digit = divmod(rest, size)
            args.append(digit + low)
        return rest % max(players, 1), tuple(reversed(args))

    def encode(self, player: int, args: tuple[int, ...]) -> int:
        """The code of a player's action."""
        code = player
        for (size, low), arg in zip(self._digits, args, strict=True):
            code = code * size + arg - low
        return self.base + code


CodesByWord = tuple[Mapping[str, list[int]], Mapping[str, list[int]]]
"""The codes that a word can mean: as it is spelled, and in lower case."""
Outlines = tuple[tuple[ActionForm, str, re.Pattern[str]], ...]
"""Actions with the label or the name that a text is parsed by, and its fixed words."""


def _plain_template(form: ActionForm) -> str:
    """The name of an action and its parameters in braces, such as `move on {a} {to}`; parsed if no label fits."""
    return " ".join([form.name.replace("_", " "), *(f"{{{name}}}" for name, _ in form.params)])


@frozen(slots=False, eq=False)
class Notation:
    """Actions and outcomes of one ruleset as text in one language, and back.

    A notation caches what it has formatted and parsed, so share it.
    """

    labels: Labels
    _actions: dict[int, Action] = field(factory=dict, init=False)
    _homonyms: dict[int, frozenset[int]] = field(factory=dict, init=False)
    _parsed: dict[str, tuple[int, ...]] = field(factory=dict, init=False)
    _codes_by_type: dict[types.Type, CodesByWord] = field(factory=dict, init=False)
    _patterns: dict[tuple[str, str], re.Pattern[str]] = field(factory=dict, init=False)

    @property
    def schema(self) -> StateSchema:
        """The types behind the codes."""
        return self.labels.schema

    @cached_property
    def forms(self) -> tuple[ActionForm, ...]:
        """All actions, in the order of their codes."""
        return tuple(
            ActionForm(action.name, action.params, action.base, action.size)
            for action in self.schema.facts.actions
        )

    @cached_property
    def _bases(self) -> list[int]:
        return [form.base for form in self.forms]

    def form_of(self, code: int) -> ActionForm:
        """The action that a code belongs to."""
        return self.forms[bisect_right(self._bases, code) - 1]

    def template(self, form: ActionForm) -> str:
        """The label of an action, with its parameters in braces."""
        return self.labels.label(f"action {form.name}", _plain_template(form))

    def action_name(self, name: str) -> str:
        """The label of an action without its arguments."""
        if self.labels.language == "en":
            return name.replace("_", " ")
        form = next(form for form in self.forms if form.name == name)
        return _ARGUMENTS.sub("…", self.template(form))

    # -------------------------------------------------------------- writing
    def action(self, code: int) -> Action:
        """The action of a code, with its text."""
        action = self._actions.get(code)
        if action is None:
            form = self.form_of(code)
            player, args = form.decode(code, len(self.schema.players))
            values = tuple(
                value_text(arg, type_) for (_, type_), arg in zip(form.params, args, strict=True)
            )
            named = Arguments(tuple(name for name, _ in form.params), values)
            text = f"{self.labels.player(player)}: {self.text_without_player(form, args)}"
            action = Action(self.schema.players[player], form.name, named, text, code)
            if len(self._actions) < MAX_CACHED:
                self._actions[code] = action
        return action

    def text(self, code: int) -> str:
        """The text of an action, with its player."""
        return self.action(code).text

    def exact(self, code: int) -> str:
        """The text of an action by the names of the ruleset: it has one meaning."""
        action = self.action(code)
        player = self.schema.players.index(action.player)
        return f"{self.labels.player(player)}: {action.name}({', '.join(action.args.values())})"

    def distinct_texts(self, codes: Iterable[int]) -> list[str]:
        """The texts of some actions; where several have the same text, their exact ones."""
        texts = {code: self.text(code) for code in codes}
        counts = Counter(texts.values())
        return [text if counts[text] == 1 else self.exact(code) for code, text in texts.items()]

    def homonyms(self, code: int) -> frozenset[int]:
        """The codes of other actions that the text of an action can mean."""
        codes = self._homonyms.get(code)
        if codes is None:
            codes = frozenset(self.parse(self.text(code))) - {code}
            if len(self._homonyms) < MAX_CACHED:
                self._homonyms[code] = codes
        return codes

    def text_without_player(self, form: ActionForm, args: tuple[int, ...]) -> str:
        """The text of an action without its player."""
        pattern, order = self._writers[form.name]
        return pattern % tuple([word(args[i]) for i, word in order])

    @cached_property
    def _writers(self) -> dict[str, tuple[str, tuple[tuple[int, Callable[[int], str]], ...]]]:
        """By action, its label as a pattern, and the arguments to fill in with their formatters."""
        writers = {}
        for form in self.forms:
            names = [name for name, _ in form.params]
            pieces = NAMED.split(self.template(form))
            pattern, order = "", []
            for i, piece in enumerate(pieces):
                if i % 2 and piece in names:
                    at = names.index(piece)
                    order.append((at, self._formatter(form.params[at][1])))
                    pattern += "%s"
                else:
                    pattern += (f"{{{piece}}}" if i % 2 else piece).replace("%", "%%")
            writers[form.name] = (pattern, tuple(order))
        return writers

    def _formatter(self, type_: types.Type) -> Callable[[int], str]:
        if isinstance(type_, types.WordType):
            return self.labels.words(type_).__getitem__
        return lambda code: self.labels.format_value(code, type_)

    # -------------------------------------------------------------- parsing
    def parse(self, text: str) -> list[int]:
        """The codes of all actions, legal or not, that a text can mean; of every player if it names none."""
        if len(text) > MAX_TEXT:
            return []
        codes = self._parsed.get(text)
        if codes is None:
            codes = tuple(self._meanings(text))
            is_usual = len(text) <= USUAL_TEXT and 0 < len(codes) <= USUAL_MEANINGS
            if is_usual and len(self._parsed) < MAX_CACHED:
                self._parsed[text] = codes
        return list(codes)

    def _meanings(self, text: str) -> Iterable[int]:
        """The codes that a text can mean: by exact text or label, else by the names of action and values."""
        line = " ".join(composed(text).split())
        players, rest = list(range(len(self.schema.players))), line
        for colon in re.finditer(":", line):
            if named := self._players_named(line[: colon.start()]):
                players, rest = named, line[colon.end() :].strip()
                break
        labelled = [*self._parse_exact(rest), *self._parse_words(rest, self._label_outlines)]
        codes = [
            form.encode(player, args)
            for form, args in labelled or self._parse_words(rest, self._name_outlines)
            for player in players
        ]
        return dict.fromkeys(codes)

    def _players_named(self, text: str) -> list[int]:
        words = [(name, self.labels.player(i)) for i, name in enumerate(self.schema.players)]
        named = names_alike(text, chain.from_iterable(words))
        return [i for i, player_words in enumerate(words) if not {*player_words}.isdisjoint(named)]

    def _parse_exact(self, text: str) -> Iterator[tuple[ActionForm, tuple[int, ...]]]:
        """The action with the arguments that an exact text names; nothing for another text."""
        match = _EXACT.fullmatch(text)
        if match is None:
            return
        words, parser = parts_of(match[2]), self.schema.value_parser()
        for form in self.forms:
            if form.name != match[1] or len(form.params) != len(words):
                continue
            codes = [
                parser.value(word, type_)
                for word, (_, type_) in zip(words, form.params, strict=True)
            ]
            args = tuple(code for code in codes if code is not None)
            if len(args) == len(codes):
                yield form, args

    def _parse_words(
        self, text: str, outlines: Outlines
    ) -> Iterator[tuple[ActionForm, tuple[int, ...]]]:
        # The pattern with all words is long, so it is compiled only for a text of this outline.
        matches = [
            (form, template, match)
            for form, template, outline in outlines
            if outline.fullmatch(text)
            and (match := self._pattern(form, template).fullmatch(text)) is not None
        ]
        spelled = [match for match in matches if _is_spelled(match[1], match[2])]
        for form, _, match in spelled or matches:
            for args in self._arguments(form, match):
                yield form, args

    @cached_property
    def _label_outlines(self) -> Outlines:
        return tuple(self._outline(form, self.template(form)) for form in self.forms)

    @cached_property
    def _name_outlines(self) -> Outlines:
        return tuple(self._outline(form, _plain_template(form)) for form in self.forms)

    def _outline(self, form: ActionForm, template: str) -> tuple[ActionForm, str, re.Pattern[str]]:
        """The fixed words of an action, with anything for its parameters."""
        pattern = self._pattern_of(form, template, lambda _: ".+")
        return form, template, re.compile(pattern, re.IGNORECASE)

    def _pattern(self, form: ActionForm, template: str) -> re.Pattern[str]:
        key = form.name, template
        if key not in self._patterns:
            pattern = self._pattern_of(form, template, self._words_pattern)
            self._patterns[key] = re.compile(pattern, re.IGNORECASE)
        return self._patterns[key]

    def _pattern_of(
        self, form: ActionForm, template: str, words: Callable[[types.Type], str]
    ) -> str:
        """A template as a regular expression; `words` gives that of a parameter by its type."""
        piece_types = dict(form.params)
        pattern, seen = "", set[str]()
        for i, piece in enumerate(NAMED.split(template)):
            if i % 2 == 0 or piece not in piece_types:
                plain = f"{{{piece}}}" if i % 2 else piece
                pattern += r"\s+".join(re.escape(word) for word in re.split(r"\s+", plain))
            elif piece in seen:
                pattern += f"(?P={piece})"
            else:
                seen.add(piece)
                pattern += f"(?P<{piece}>{words(piece_types[piece])})"
        return pattern

    def _words_pattern(self, type_: types.Type) -> str:
        if isinstance(type_, types.IntType):
            return r"-?[0-9]{1,12}"
        words = sorted(self._codes_by_word(type_)[1], key=len, reverse=True)
        return "|".join(re.escape(word) for word in words)

    def _arguments(self, form: ActionForm, match: re.Match[str]) -> Iterator[tuple[int, ...]]:
        """The arguments that a text gives; one that the label leaves out may have any value."""
        texts = match.groupdict()
        choices = [
            self._codes_of_word(texts[name], type_) if name in texts else codes_of(type_)
            for name, type_ in form.params
        ]
        if prod(map(len, choices)) <= MAX_MEANINGS:
            yield from product(*choices)

    def _codes_of_word(self, text: str, type_: types.Type) -> list[int]:
        if isinstance(type_, types.IntType):
            return [code for code in [int(text)] if code in codes_of(type_)]
        spelled, lower = self._codes_by_word(type_)
        return spelled.get(text) or lower.get(text.lower(), [])

    def words_of(self, type_: types.Type) -> list[str]:
        """The words for the values of a word type; none for other types."""
        return list(self.labels.words(type_)) if isinstance(type_, types.WordType) else []

    def _codes_by_word(self, type_: types.Type) -> CodesByWord:
        """The codes that words can mean: a label in this language, else a name of the ruleset."""
        if type_ not in self._codes_by_type:
            labels = {c: {self.labels.format_value(c, type_)} for c in codes_of(type_)}
            names = {c: {value_text(c, type_)} for c in codes_of(type_)}
            if isinstance(type_, types.WordType):
                for code, value in enumerate(type_.values):
                    names[code] |= {value[1], self.labels.word(value)}
            self._codes_by_type[type_] = (
                _by_word(names) | _by_word(labels),
                _by_word(names, str.lower) | _by_word(labels, str.lower),
            )
        return self._codes_by_type[type_]

    def arguments_named(self, word: str) -> set[str]:
        """The names of the values that a word can mean as an argument of some action."""
        param_types = {param for form in self.forms for _, param in form.params}
        return {
            value_text(code, type_)
            for type_ in param_types
            if isinstance(type_, types.WordType)
            for code in self._codes_of_word(composed(word), type_)
        }

    # -------------------------------------------------------------- outcomes of chance
    def outcome(self, type_: types.Type, dice: tuple[int, ...] | None, outcome: int) -> str:
        """The text of an outcome of chance: `roll 2 4 5` or `draw Fox`."""
        gettext = self.labels.translator.gettext
        if dice is None:
            return gettext("draw {what}", what=self.labels.format_value(outcome, type_))
        if not dice:
            return gettext("roll nothing")
        return gettext("roll {dice}", dice=" ".join(map(str, dice)))

    def parse_dice(self, text: str) -> list[int] | None:
        """The dice in a text such as `roll 2 4 5`, in order; None for any other text."""
        gettext = self.labels.translator.gettext
        if text == gettext("roll nothing").lower():
            return []
        before, _, after = gettext("roll {dice}", dice="\0").lower().partition("\0")
        if not (text.startswith(before) and text.endswith(after)):
            return None
        words = text[len(before) : len(text) - len(after)].split()
        dice = [int(word) for word in words if word.isascii() and word.isdigit()]
        return dice if len(dice) == len(words) else None

    @property
    def chance(self) -> str:
        """The word for chance as a player."""
        return self.labels.translator.gettext("chance")

    def after_chance(self, text: str) -> str | None:
        """What follows `chance:` in a text, in lower case; None without that prefix."""
        folded, prefix = " ".join(composed(text).lower().split()), f"{self.chance.lower()}:"
        return folded[len(prefix) :].strip() if folded.startswith(prefix) else None


def _is_spelled(template: str, match: re.Match[str]) -> bool:
    """Whether a text has the words of a label in the same case."""
    values = match.groupdict()
    text = filled(template, values)
    return text.split() == match.string.split()


def _by_word(
    words: Mapping[int, Iterable[str]], fold: Callable[[str], str] = str
) -> dict[str, list[int]]:
    """The codes by their words."""
    by_word: dict[str, list[int]] = {}
    for code, spelled in words.items():
        for word in set(map(fold, spelled)):
            by_word.setdefault(word, []).append(code)
    return by_word


def outcome_at(machine: Machine, slots: Slots, notation: Notation, outcome: int) -> str:
    """The text of an outcome at the chance point of a packed state, with its player."""
    number = -1 - slots[POINT]
    point = machine.points[number]
    dice = machine.dice_of(point, outcome) if isinstance(point, DicePoint) else None
    return f"{CHANCE}: {notation.outcome(machine.facts.outcome_type(number), dice, outcome)}"
