"""A battle that is made up in one line: `Shore: Fox 3, Hen 3 against Dog 4`, and the odds of its outcomes.

How such a line becomes a position, and what its outcomes are, the ruleset declares in the part `[battle]` of its
file of questions in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, permutations
from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules.diagnostics import (
    BadArgument,
    BadPosition,
    HotsError,
    UnknownName,
    check_kind,
    closest_match,
    fold_name,
)
from hots_rules.explain.talk_file import BattleForm, battle_form
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.typed import value_types as types
from hots_rules.talk.battles.battle_sentence import Named, battle_said, chosen, is_introduction

if TYPE_CHECKING:
    from hots_rules.analysis.chances.odds import Odds
    from hots_rules.analysis.policies.policy import StateExpression

MAX_LINE = 1000
MAX_PIECES = 40
OPEN_PLACE = "?"
"""What stands for a place that is not known."""


@frozen
class Fighter:
    """A piece of a battle, as it was named.

    Attributes:
        piece: its name in the ruleset.
        number: its strength.
        is_given: whether the line says the strength.
        comes_later: whether it joins after the first round.
    """

    piece: str
    number: int
    is_given: bool
    comes_later: bool


@frozen(slots=False)
class Battle:
    """A made-up battle, with the odds of its outcomes.

    >>> import hots_rules as hr
    >>> battle = hr.talk.battle(hr.load("hots-4.0"), "Fife: King 3 against Ross 2")
    >>> battle.attacker == battle.game.ruleset.players[1], battle.odds.exact
    (True, True)
    >>> sum(share for _, share in battle.outcomes)
    Fraction(1, 1)

    Attributes:
        game: the game at the first choice of the battle.
        form: how the ruleset makes up battles.
        place: where it is fought.
        attacker: the player who attacks: the one who is named first.
        defender: the other player.
        fighters: the pieces of the attacker, then those of the defender.
        origin: where the attackers come from, and where they go if they do not win.
        policy: the policy of both players.
        odds: the odds of the end of the battle.
        unsaid: what a sentence left open, as pairs of a name of `BattleForm.unsaid` and a word.
    """

    game: BaseGame = field(repr=False)
    form: BattleForm = field(repr=False)
    place: str
    attacker: str
    defender: str
    fighters: tuple[tuple[Fighter, ...], tuple[Fighter, ...]]
    origin: str
    policy: str
    odds: Odds
    unsaid: tuple[tuple[str, str], ...] = ()

    @cached_property
    def outcomes(self) -> tuple[tuple[str, Fraction], ...]:
        """Each outcome in words, with its probability; the words are in the language of the ruleset."""
        outcomes = []
        rest = Fraction(1)
        for outcome in self.form.outcomes:
            share = self.odds.chance(self._filled(outcome["when"]))
            rest -= share
            outcomes.append((self._said(outcome), share))
        if rest:
            outcomes.append((self._said(self.form.otherwise), rest))
        return tuple(outcomes)

    def _repr_html_(self) -> str:
        """A bar chart of the outcomes, for notebooks; estimates have their bounds."""
        sides = self.game.ruleset.labels.players_named((self.attacker, self.defender))
        title = f"{self._word(self.place)}: {' – '.join(sides)}"
        return self.odds.chart(title, dict(self.outcomes))

    @cached_property
    def steps_lost(self) -> tuple[Fraction, Fraction]:
        """The strength that the attacker, and the defender, loses on average."""
        attacking, defending = (
            sum((fighter.number - self._left(fighter, player) for fighter in side), Fraction())
            for side, player in zip(self.fighters, (self.attacker, self.defender), strict=True)
        )
        return attacking, defending

    def _left(self, fighter: Fighter, player: str) -> Fraction:
        return self.odds.expected(self._filled(self.form.left, piece=fighter.piece, player=player))

    @cached_property
    def fates(self) -> tuple[tuple[str, str, Fraction], ...]:
        """Of each piece what may become of it, in words, with the probability; what cannot happen is left out."""
        fates = []
        for side, player in zip(self.fighters, (self.attacker, self.defender), strict=True):
            for fighter in side:
                for fate in self.form.fates:
                    when = self._filled(fate["when"], piece=fighter.piece, player=player)
                    if share := self.odds.chance(when):
                        fates.append((self._word(fighter.piece), self._said(fate), share))
        return tuple(fates)

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """What the line did not say, and was assumed."""
        sentences = [self._said(assumption) for assumption in self.form.assumptions]
        for name, word in self.unsaid:
            sentences.append(self._said(self.form.unsaid[name]).replace("{word}", word))
        full = [f.piece for f in chain(*self.fighters) if not f.is_given]
        if full:
            words = self.game.ruleset.labels.translator.join_list(
                [self._word(name) for name in full]
            )
            sentences.append(self._said(self.form.at_full_strength).replace("{pieces}", words))
        return tuple(sentences)

    def _filled(self, expression: str, **names: str) -> str:
        places = {"place": f"{self.form.place}.{self.place}"}
        names = {
            key: f"{self.form.piece}.{name}" if key == "piece" else name
            for key, name in names.items()
        }
        return _fill(expression, attacker=self.attacker, defender=self.defender, **places, **names)

    def _said(self, texts: Mapping[str, str]) -> str:
        labels = self.game.ruleset.labels
        text = texts.get(labels.language) or texts["en"]
        attacker, defender = labels.players_named((self.attacker, self.defender))
        words = {"place": self._word(self.place), "origin": self._word(self.origin)}
        return _fill(text, attacker=attacker, defender=defender, policy=self.policy, **words)

    def _word(self, name: str) -> str:
        return _word_of(self.game.ruleset, self.form, name)


def battle(
    ruleset: AnyRuleset,
    line: str,
    *,
    policy: str = "",
    states: int = 400_000,
    samples: int = 20_000,
    seconds: float | None = 20.0,
    on_progress: Callable[[int], None] | None = None,
) -> Battle:
    """The odds of a battle that is made up in one line.

    The line names the place, then the pieces with their strengths; those named first attack. Without a strength a piece
    has all of it. `later` comes before the reserves of a side. The name of the player who attacks may stand before the
    place.

    Args:
        ruleset: the rules; its texts are in its language.
        line: such as `Shore: Fox 3, Hen 3 against Dog 4, later Owl 2`, or a sentence such as `Fox 3 attacks Dog 4`.
        policy: the policy of both players; that of the ruleset for made-up battles if empty.
        states: the number of states beyond which outcomes are sampled.
        samples: how many are sampled then.
        seconds: the time of the computation; after half of it outcomes are sampled.
        on_progress: called now and then with the number of states so far.

    Raises:
        ArgumentError: the ruleset has no such battles, the line has another form, or a name is unknown or ambiguous.
        BadPosition: a piece is named twice, has an impossible strength, or cannot fight on its side; or the rules do
            not allow the position.

    >>> import hots_rules as hr
    >>> battle = hr.talk.battle(hr.load("hots-4.0"), "Fife: King 3 against Ross 2")
    >>> [type(lost) for lost in battle.steps_lost]
    [<class 'fractions.Fraction'>, <class 'fractions.Fraction'>]
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    form = battle_form(ruleset.source)
    if form is None:
        raise BadArgument("ruleset", ruleset.name, "one that says how battles are written")
    # A late import: other lines need no odds.
    from hots_rules.analysis.chances.compute import odds

    policy = policy or form.policy
    maker = _Maker(ruleset, form)
    place, sides, unsaid = maker.read(line)
    attacker, defender = maker.players(sides, maker.attacker(line))
    game, origin = maker.position(place, attacker, defender, sides)
    chances = odds(
        game,
        None,
        form.until,
        policy,
        states,
        seconds,
        samples,
        0,
        on_progress,
        500_000_000,
    )
    return Battle(game, form, place, attacker, defender, sides, origin, policy, chances, unsaid)


def is_battle(ruleset: AnyRuleset, sentence: str) -> bool:
    """Whether a sentence makes up a battle: pieces on both sides, with strengths, and who attacks.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.talk.is_battle(rules, "what are the chances of the King 3 against Ross 2?")
    True
    >>> hr.talk.is_battle(rules, "can Ross attack Fife?")
    False
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    form = battle_form(ruleset.source)
    return form is not None and battle_said(ruleset, form, sentence[:MAX_LINE]) is not None


def can_be_fought(ruleset: AnyRuleset, form: BattleForm, line: str) -> bool:
    """Whether the rules allow the position of a battle."""
    maker = _Maker(ruleset, form)
    try:
        place, sides = maker.read(line)[:2]
        maker.position(place, *maker.players(sides, maker.attacker(line)), sides)
    except HotsError:
        return False
    return True


def battle_line(ruleset: AnyRuleset, line: str) -> str:
    """What follows a word such as `battle` in a line that makes up a battle; empty for any other line.

    >>> import hots_rules as hr
    >>> hr.talk.battle_line(hr.load("hots-4.0"), "Battle Fife: King 3 against Ross 2")
    'Fife: King 3 against Ross 2'
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    check_kind("line", line, str, "a text")
    form = battle_form(ruleset.source)
    word, _, rest = line.strip().partition(" ")
    is_one = form is not None and word.casefold().rstrip(":") in form.words and ":" in line
    return rest.strip() if is_one else ""


def _fill(text: str, **values: str) -> str:
    """A text with the values in place of their names in braces; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _word_of(ruleset: AnyRuleset, form: BattleForm, name: str) -> str:
    """The word for a piece or a place."""
    words = ruleset.words
    return words[form.piece].get(name) or words[form.place][name]


Sides = tuple[tuple[Fighter, ...], tuple[Fighter, ...]]


@frozen(slots=False)
class _Maker:
    """Makes a position of a line."""

    ruleset: AnyRuleset
    form: BattleForm

    # -------------------------------------------------------------- reading
    def read(self, line: str) -> tuple[str, Sides, tuple[tuple[str, str], ...]]:
        """The place, the pieces of both sides, and what a sentence leaves open."""
        line = " ".join(line[:MAX_LINE].split())
        place, colon, rest = line.removeprefix(self.attacker(line)).partition(":")
        is_open = place.strip() == OPEN_PLACE
        parts = re.split(rf"\s+(?:{self._any(self.form.against)})\.?\s+", rest, flags=re.IGNORECASE)
        if not colon or len(parts) != 2 or not (is_open or self._is_place(place)):
            return self._read_sentence(line)
        sides = tuple(tuple(self._fighters(part)) for part in parts)
        self._check(sides)
        if is_open:
            word = self._word(self.form.unsaid_place)
            return self.form.unsaid_place, (sides[0], sides[1]), (("place", word),)
        return self._named(place.strip(), self.form.place), (sides[0], sides[1]), ()

    def attacker(self, line: str) -> str:
        """The player with whose name a line begins before the place; empty if it does not say who attacks."""
        first, *others = line.partition(":")[0].split(" ", 1)
        return first if others and first in self.ruleset.players else ""

    def _is_place(self, text: str) -> bool:
        """Whether a text is to be a place: it does not only introduce a sentence, such as `odds`."""
        try:
            self._named(text.strip(), self.form.place)
        except UnknownName:
            return not is_introduction(self.ruleset, text)
        return True

    def _read_sentence(self, line: str) -> tuple[str, Sides, tuple[tuple[str, str], ...]]:
        sentence = battle_said(self.ruleset, self.form, line)
        if sentence is None:
            raise BadArgument("battle", line[:80], f"a line such as `{self.form.example}`")
        places = [*self.ruleset.words[self.form.place]]
        place = (
            self.form.unsaid_place
            if sentence.place is None
            else self._value_of(self.form.place, sentence.place)
        )
        open_ = [("place", self._word(place))] if sentence.place is None and places else []
        sides = []
        for group in (sentence.attackers, sentence.defenders):
            side = tuple(self._said_fighter(fighter) for fighter in group)
            open_ += [
                ("piece", self._word(fighter.piece))
                for named, fighter in zip(group, side, strict=True)
                if len(named.codes) > 1
            ]
            sides.append(side)
        self._check(sides)
        return place, (sides[0], sides[1]), tuple(open_)

    def _said_fighter(self, named: Named) -> Fighter:
        code = chosen(
            named, lambda code, number: number <= self._most(self._value_of(self.form.piece, code))
        )
        return self._of_strength(
            self._value_of(self.form.piece, code), named.number, comes_later=False
        )

    def _value_of(self, type_: str, code: int) -> str:
        """The name of a value of the type of pieces or places."""
        declared = self.ruleset.compiled.typed.types[type_]
        assert isinstance(declared, types.WordType)
        return declared.values[code][1]

    def _check(self, sides: Sequence[Sequence[Fighter]]) -> None:
        """Raise if a piece is named twice, or too many are named."""
        named = [fighter.piece for side in sides for fighter in side]
        for name in named:
            if named.count(name) > 1:
                raise BadPosition((f"`{self._word(name)}` is named twice; name each piece once",))
        if len(named) > MAX_PIECES:
            raise BadPosition((f"{len(named)} pieces are named; name at most {MAX_PIECES}",))

    def _any(self, words: Sequence[str]) -> str:
        return "|".join(map(re.escape, words))

    def _fighters(self, text: str) -> Iterator[Fighter]:
        """The pieces of one side; after a word such as `later` they are reserves."""
        later = rf"(?:^|[\s,;(]+)(?:{self._any(self.form.later)})\s*:?\s+"
        for number, part in enumerate(re.split(later, text, flags=re.IGNORECASE)):
            joints = rf"\s*[,;+&()]\s*|\s+(?:{self._any(self.form.joined)})\s+"
            for item in re.split(joints, part, flags=re.IGNORECASE):
                if item.strip():
                    yield self._fighter(item.strip(), comes_later=number > 0)

    def _fighter(self, item: str, *, comes_later: bool) -> Fighter:
        match = re.fullmatch(r"(.*?)[\s:=]*(\d{1,3})?", item)
        assert match is not None  # every text has this form
        piece = self._named(match[1], self.form.piece)
        given = None if match[2] is None else int(match[2])
        return self._of_strength(piece, given, comes_later=comes_later)

    def _most(self, piece: str) -> int:
        """The greatest strength of a piece."""
        return int(self._value(_fill(self.form.full, piece=f"{self.form.piece}.{piece}")))

    def _of_strength(self, piece: str, given: int | None, *, comes_later: bool) -> Fighter:
        most = self._most(piece)
        number = most if given is None else given
        if not 1 <= number <= most:
            fault = f"`{self._word(piece)}` cannot have strength {number}; give it 1 to {most}"
            raise BadPosition((fault,))
        return Fighter(piece, number, given is not None, comes_later)

    def _named(self, text: str, type_: str) -> str:
        """The value that a text names, in any language of the ruleset; the beginning of one word is enough."""
        folded, names = fold_name(text), self._names[type_]
        for is_meant in (folded.__eq__, lambda word: word.startswith(f"{folded} ")):
            matching = {name for word, name in names.items() if is_meant(word)}
            if len(matching) == 1:
                return matching.pop()
            if matching:
                raise UnknownName(type_, text, sorted(map(self._word, matching)))
        close = closest_match(folded, names)
        suggested = [names[close]] if close else self.ruleset.words[type_]
        raise UnknownName(type_, text, map(self._word, suggested))

    @cached_property
    def _names(self) -> Mapping[str, Mapping[str, str]]:
        """The names of the pieces and of the places by their words in all languages, folded."""
        names: dict[str, dict[str, str]] = {self.form.piece: {}, self.form.place: {}}
        for language in self.ruleset.languages:
            words = self.ruleset.in_language(language).words
            for type_, known in names.items():
                for name, word in words[type_].items():
                    known |= {fold_name(name): name, fold_name(word): name}
        return names

    def _word(self, name: str) -> str:
        return _word_of(self.ruleset, self.form, name)

    # -------------------------------------------------------------- expressions
    def _base(self) -> BaseGame:
        return self.ruleset.compiled.memo(
            ("battles begin like", self.form.scenario),
            lambda: self.ruleset.start(self.form.scenario, seed=0),
        )

    def _expression(self, text: str) -> tuple[StateExpression, int]:
        # Likewise.
        from hots_rules.analysis.policies.policy import parse_state_expression

        base = self._base()
        expression = parse_state_expression(self.ruleset, dict(base.settings), text)
        return expression, expression.code(base.state.slots)

    def _value(self, text: str) -> int:
        return self._expression(text)[1]

    def _members(self, text: str) -> list[str]:
        """The names of the members of a set."""
        expression, code = self._expression(text)
        assert isinstance(expression.type, types.SetType), "the file of a ruleset asks for a set"
        members = self._base().ruleset.schema.to_python(code, expression.type)
        assert isinstance(members, list)
        return [str(member) for member in members]

    # -------------------------------------------------------------- the position
    def players(self, sides: Sides, attacking: str = "") -> tuple[str, str]:
        """The attacker, if a line says who it is, and the defender: the first pair for whom all pieces may fight."""
        pairs = [
            pair for pair in permutations(self.ruleset.players, 2) if attacking in ("", pair[0])
        ]
        for attacker, defender in pairs:
            if all(
                self._value(
                    _fill(self.form.may_fight, piece=f"{self.form.piece}.{f.piece}", player=player)
                )
                for side, player in zip(sides, (attacker, defender), strict=True)
                for f in side
            ):
                return attacker, defender
        named = [", ".join(self._word(f.piece) for f in side) for side in sides]
        fault = f"`{named[0]}` and `{named[1]}` cannot fight each other; name the pieces of one player on each side"
        raise BadPosition((fault,))

    def position(
        self, place: str, attacker: str, defender: str, sides: Sides
    ) -> tuple[BaseGame, str]:
        """The game at the beginning of the battle, and the origin of the attackers."""
        where = {"place": f"{self.form.place}.{place}", "attacker": attacker}
        origins = [x for text in self.form.origins for x in self._members(_fill(text, **where))]
        fault: BadPosition | None = None
        for origin in dict.fromkeys(origins):
            text = "\n".join(self._lines(place, origin, attacker, defender, sides))
            try:
                return self.ruleset.position(text, seed=0), origin
            except BadPosition as error:
                fault = fault or error
        raise fault or BadArgument("battle", place, f"a line such as `{self.form.example}`")

    def _lines(
        self, place: str, origin: str, attacker: str, defender: str, sides: Sides
    ) -> Iterator[str]:
        """The lines of the position."""
        form = self.form
        named = {fighter.piece for side in sides for fighter in side}
        values = {"place": f"{form.place}.{place}", "origin": f"{form.place}.{origin}"}
        values |= {"attacker": attacker, "defender": defender}
        yield f"like {form.scenario}"
        for piece in self._members(_fill(form.in_the_way, **values)):
            refuges = [] if piece in named else self._refuges(piece, values)
            if refuges:
                moved = {"piece": f"{form.piece}.{piece}", "refuge": f"{form.place}.{refuges[0]}"}
                yield _fill(form.elsewhere, **moved)
        link, code = self._expression(_fill(form.link, **values))
        values["link"] = str(link.to_python(code))
        for side, player in zip(sides, (attacker, defender), strict=True):
            for fighter in side:
                described = {
                    "piece": f"{form.piece}.{fighter.piece}",
                    "number": str(fighter.number),
                }
                yield _fill(form.fighter, player=player, **described, **values)
                yield from form.where_it_fights.get(fighter.piece, ())
        later = ", ".join(f.piece for side in sides for f in side if f.comes_later)
        for text in form.setup:
            if "{later}" not in text or later:
                yield _fill(text, later=later, **values)

    def _refuges(self, piece: str, values: Mapping[str, str]) -> list[str]:
        """The places where another piece of the scenario may go."""
        return self._members(_fill(self.form.refuge, piece=f"{self.form.piece}.{piece}", **values))
