"""Sentences read in the words of a ruleset and of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from attrs import evolve, frozen

from hots_rules.diagnostics import Fault, RulesetError, Span, check_kind, suggest
from hots_rules.explain.talk_file import Intent, Talk, talk_of
from hots_rules.play.game import AnyRuleset
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr
from hots_rules.talk.reading.editions import CitedSections, Ground, Grounds
from hots_rules.talk.reading.lexicon import KnownStems, Lexicon, Meanings, Token, known_stems
from hots_rules.talk.reading.own_words import OwnWords, kept_words, own_words
from hots_rules.talk.reading.patterns import ASKING, CONCEPT, Match, Pattern, weight
from hots_rules.talk.reading.words import words_in

MAX_SHARED = 3
"""A word of a name stands for the name if no more values share it."""
MAX_PARSED = 4000
CHANGE = "change"
"""The concept of sentences that ask what editions have differently."""
_NUMBERED = re.compile(r"\d+\.\w+")

OPENING = (ASKING - {"when", "how"}) | {"happen", "why"}
"""Concepts that begin the question where its clause comes behind it: `who goes first when both pass`."""
ASKING_LATER = frozenset({"who", "what", "where", "how-many", "happen"})
"""Concepts that begin the question where its clause comes first: `when both pass, who goes first`."""

# Questions that every game answers, each with its patterns, as `Pattern.parse` reads them: `[x]` may be missing,
# `x/y` is either, `!x` must not be there.
OF_EVERY_GAME = {
    "help": ("help [you]",),
    "turn": (
        "who turn [now] [to] [who]",
        "who now must/can",
        "whose-turn [now] [who] [turn] !first",
    ),
    "legal": ("legal [now] [i] [what] [turn]", "what can i [now]", "which can i [now]"),
    "odds": ("odds [what] [i] [how-many] [which]",),
    "editions": ("which edition [you]", "what edition [you]", "how-many edition"),
    "changes": (
        "change edition [what] [from] [to] [how] [is]",
        "change [what] [from] [to] !i",
        "edition [what] [is] [not]",
    ),
}

# Questions that a game answers by its rules, each unless its talk has a concept of this name.
OF_THE_RULES = {
    "lose": (
        "lose [game] [how] [who] [when] [what] [can] [i] [you] [must] [happen] [is] [if]",
        "lose end [how] [who] [when] [what] [can] [i] [you] [and]",
    ),
    "win": (
        "win [game] [points] [how-many] [how] [who] [when] [what] [can] [i] [you] [must] [need] [have]",
        "win [game] [happen] [is] [if] [who] [what]",
        "win end [how] [who] [when] [what] [can] [i] [you] [need] [and]",
    ),
    "end": (
        "end [game] [how] [when] [what] [happen] [is] [if] [must] [can]",
        "end game [how] [when] [what] [happen] [is] [if] [must] [can]",
    ),
}


@frozen
class Reading:
    """A sentence and the question that it is read as.

    Attributes:
        name: the name of a question of the library, such as `turn`; empty if the ruleset declares it.
        intent: the declared question; None for one of the library.
        match: how the words of the sentence are accounted for.
        tokens: the tokens of the sentence.
    """

    name: str
    intent: Intent | None
    match: Match
    tokens: tuple[Token, ...]

    @property
    def rank(self) -> tuple[float, bool, int]:
        """What readings are compared by; of two equals one that the ruleset declares for certain moments wins."""
        score, size = self.match.rank
        return score, self.intent is not None and bool(self.intent.when), size

    @property
    def is_of_all_words(self) -> bool:
        """Whether the pattern has all words of the sentence."""
        return self.match.cost == 0

    @property
    def rest(self) -> str:
        """What the pattern leaves of the sentence as typed; `Reader.subject` has it in the words of the ruleset."""
        known = self.match.pattern.words | {"from", "to", "and", "or", "i"}
        left = (token for token in self.tokens if not (token.concepts & known or token.is_idle))
        return " ".join(token.text for token in left)


@frozen
class NormalPhrases:
    """The phrases of each concept, normalized in the way in which a sentence is."""

    concepts: Mapping[str, tuple[str, ...]]


class Reader:
    """Reads sentences about one ruleset."""

    def __init__(self, ruleset: AnyRuleset) -> None:
        self._ruleset = ruleset
        self.sections = CitedSections(ruleset.source)
        self.grounds = self._grounds()
        self.talk: Talk = _talk_in(ruleset, self.grounds)
        self.library_words: OwnWords = own_words()
        self.types = self._named_types()
        self.lexicon = self._lexicon()
        self._patterns = [*self._all_patterns()]
        self._parsed: dict[str, Expr | None] = {}

    # -------------------------------------------------------------- what is known
    def _grounds(self) -> Grounds:
        statements = talk_of(self._ruleset.source).questions

        def make() -> Grounds:
            # A late import: kept grounds need no parser.
            from hots_rules.talk.reading.grounds import Footing

            return Footing(self._ruleset.rulebook, self.sections).grounds(statements)

        return kept_words(self._ruleset, Grounds, (Ground,), make)

    def _named_types(self) -> dict[str, types.WordType]:
        """The types of words that a sentence may name a value of, by name."""
        declared = self._ruleset.compiled.typed.types
        named = {
            name: type_ for name, type_ in declared.items() if isinstance(type_, types.WordType)
        }
        wanted = dict.fromkeys(self.talk.slots.values())
        for form in self._ruleset.notation.forms:
            wanted |= dict.fromkeys(str(type_) for _, type_ in form.params)
        for question in self._ruleset.compiled.typed.questions.values():
            wanted |= dict.fromkeys(str(param.type) for param in question.params)
        wanted |= dict.fromkeys(
            name for name, type_ in named.items() if self._ruleset.schema.is_of_players(type_)
        )
        return {name: named[name] for name in wanted if name in named}

    def _lexicon(self) -> Lexicon:
        words = kept_words(self._ruleset, NormalPhrases, (), self._normal_phrases).concepts
        concepts = frozenset(phrase.rstrip("*") for listed in words.values() for phrase in listed)
        library_words = self.library_words
        return Lexicon(
            words,
            library_words.idle,
            self._names(concepts),
            library_words.contractions,
            library_words.numbers,
            lambda known: kept_words(self._ruleset, KnownStems, (), lambda: known_stems(known)),
        )

    def _normal_phrases(self) -> NormalPhrases:
        words = {
            name: tuple(map(self._normalized, listed))
            for name, listed in self.library_words.words.items()
        }
        for name, phrases in self._words_of_the_game.items():
            words[name] = words.get(name, ()) + tuple(map(self._normalized, phrases))
        return NormalPhrases(words)

    @cached_property
    def _words_of_the_game(self) -> Mapping[str, tuple[str, ...]]:
        """The concepts of this game with their phrases: of its talk, and of the questions of `OF_THE_RULES`.

        A game whose talk declares none has those of most games.
        """
        game = self.library_words.game
        if not self.talk.words:
            return game
        parsed = (Pattern.parse(words, {}, {}) for words in chain(*self._of_the_rules.values()))
        concepts = sorted({name for pattern in parsed for name in pattern.words} & game.keys())
        return {name: game[name] for name in concepts} | dict(self.talk.words)

    @cached_property
    def concepts(self) -> frozenset[str]:
        """The concepts that have words."""
        return frozenset({*self.library_words.words, *self._words_of_the_game})

    @cached_property
    def _of_the_rules(self) -> Mapping[str, tuple[str, ...]]:
        """The questions that the rules answer: those for which the talk has no word of its own."""
        return {name: words for name, words in OF_THE_RULES.items() if name not in self.talk.words}

    def _normalized(self, phrase: str) -> str:
        """A phrase as a sentence with it is read; the star of a word stays."""
        normal = (
            " ".join(words_in(word, {})) + ("*" if word.endswith("*") else "")
            for word in phrase.split()
        )
        return " ".join(filter(None, normal))

    def _names(self, concepts: frozenset[str]) -> dict[str, Meanings]:
        names: dict[str, dict[str, dict[int, None]]] = {}
        for type_name, type_ in self.types.items():
            for phrase, codes in self._names_in(type_, concepts).items():
                names.setdefault(phrase, {})[type_name] = codes
        return {
            phrase: tuple((name, tuple(codes)) for name, codes in by_type.items())
            for phrase, by_type in names.items()
        }

    def _names_in(
        self, type_: types.WordType, concepts: frozenset[str]
    ) -> dict[str, dict[int, None]]:
        """The phrases that name values of a type: names, labels, and words that few values share."""
        whole: dict[str, dict[int, None]] = {}
        parts: dict[str, dict[int, None]] = {}
        for language in self._ruleset.languages:
            labels = self._ruleset.in_language(language).labels
            for code, value in enumerate(type_.values):
                if value == types.NONE:
                    continue
                owner, name = value
                own_names = (name.replace("_", " "), labels.word(value).strip("‹›"))
                extra_names = self.talk.names.get(f"{owner}.{name}", ())
                for text in (*own_names, *extra_names):
                    whole.setdefault(" ".join(words_in(text, {})), {})[code] = None
                for text in own_names:
                    words = words_in(text, {})
                    for word in words if len(words) > 1 else ():
                        parts.setdefault(word, {})[code] = None
        for word, codes in parts.items():
            is_free = (
                word not in whole and word not in concepts and word not in self.library_words.idle
            )
            if is_free and len(codes) <= MAX_SHARED and len(word) > 2 and not word.isdigit():
                whole[word] = codes
        whole.pop("", None)
        return whole

    @cached_property
    def argument_types(self) -> frozenset[str]:
        """The types of what actions are about."""
        forms = self._ruleset.notation.forms
        return frozenset(str(type_) for form in forms for _, type_ in form.params)

    @cached_property
    def kinds_beside(self) -> frozenset[str]:
        """The concepts that only say of what kind something is that is named, such as "the piece Fox"."""
        return self.talk.setting.union(*self.talk.modifiers.values())

    # -------------------------------------------------------------- patterns
    def _all_patterns(self) -> Iterator[tuple[str, Intent | None, Pattern]]:
        """Each pattern with its question: the name of one of the library, or the one that the ruleset declares."""
        for intent in self.talk.questions:
            for pattern in self._parsed_patterns(intent.patterns):
                yield "", intent, pattern
        for name, patterns in {**OF_EVERY_GAME, **self._of_the_rules}.items():
            for pattern in self._parsed_patterns((*patterns, *self.talk.general.get(name, ()))):
                yield name, None, pattern

    def _parsed_patterns(self, patterns: Iterable[str]) -> Iterator[Pattern]:
        """Some patterns, without those whose slots have a type that the ruleset lacks."""
        for words in patterns:
            pattern = Pattern.parse(words, self.talk.slots, self.talk.modifiers)
            if all(self.talk.slots[hole] in self.types for hole in pattern.holes):
                yield pattern

    # -------------------------------------------------------------- reading
    def tokens(self, sentence: str, before: Sequence[Token] = ()) -> tuple[Token, ...]:
        """The tokens of a sentence.

        After `where is Hen?`, `and Fox?` is read as `where is Fox?`: each value that it names takes the place of the
        last one of the same type.
        """
        tokens = _with_conjunctions(self.lexicon.read(sentence))
        asks = any(token.concepts & (ASKING - {"how"}) for token in tokens)
        if not before or not tokens or "and" not in tokens[0].concepts or asks:
            return tokens
        return self._follow_up(tokens, before) or tokens

    def _follow_up(
        self, tokens: Sequence[Token], before: Sequence[Token]
    ) -> tuple[Token, ...] | None:
        """The sentence before with the values of another one; None if this says more than values."""
        weights = self.library_words.weights
        telling = [token for token in tokens if weight(token, weights) >= CONCEPT]
        if not telling or not all(token.values for token in telling):
            return None
        merged = list(before)
        for token in telling:
            kinds = {name for name, _ in token.values}
            alike = [
                at
                for at, former in enumerate(merged)
                if kinds & {name for name, _ in former.values}
            ]
            if not alike:
                return None
            merged[alike[-1]] = token
        return tuple(merged)

    def read(self, tokens: tuple[Token, ...]) -> tuple[Reading, ...]:
        """What a sentence may ask, the best first."""
        readings = []
        compares = _compares(tokens)
        concepts = frozenset(concept for token in tokens for concept in token.concepts)
        for name, intent, pattern in self._patterns:
            if not pattern.may_match(concepts):
                continue
            match = pattern.match(tokens, self.library_words.weights, self.talk.setting)
            tells = not compares or CHANGE in pattern.words
            if match is not None and match.gain > 0 and tells:
                readings.append(Reading(name, intent, match, tokens))
        readings.sort(key=lambda reading: reading.rank, reverse=True)
        return tuple(readings)

    def subject(self, reading: Reading) -> str:
        """What a pattern leaves of a sentence, in the words of the ruleset: concepts and names of values."""
        known = reading.match.pattern.words
        words: list[str] = []
        for token in reading.tokens:
            if token.values and not token.concepts & known:
                type_name, codes = token.values[0]
                words.append(self.types[type_name].values[codes[0]][1])
            elif not token.concepts & known:
                words += sorted(token.concepts - set(self.library_words.weights))[:1]
        return " ".join(words)

    # -------------------------------------------------------------- expressions
    def expression(self, text: str) -> Expr | None:
        """The expression of a text; None if the ruleset has not all of its names."""
        if text not in self._parsed:
            if len(self._parsed) > MAX_PARSED:
                self._parsed.clear()
            try:
                self._parsed[text] = self._ruleset.compiled.expressions.parse(text)
            except RulesetError:
                self._parsed[text] = None
        return self._parsed[text]

    def value_name(self, hole: str, code: int) -> str:
        """A value of a hole as an expression names it: `Area.Fox`."""
        owner, name = self.types[self.talk.slots[hole]].values[code]
        return f"{owner}.{name}"

    def value_type(self, hole: str) -> types.WordType:
        """The type of a hole."""
        return self.types[self.talk.slots[hole]]


def _compares(tokens: Sequence[Token]) -> bool:
    """Whether a sentence asks what changed and names an edition or a section: `what changed in 2.3 about foxes`.

    One with a clause such as `when a fox is drawn` asks about this case.
    """
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    names = any(_NUMBERED.fullmatch(token.text) for token in tokens)
    return names and CHANGE in concepts and concepts.isdisjoint({"if", "when"})


def _with_conjunctions(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of a sentence, where `when` amid a question is `if`: `who goes first when both pass`."""
    return tuple(
        evolve(token, concepts=(token.concepts - {"when"}) | {"if"})
        if "when" in token.concepts and _is_conjunction(tokens, at)
        else token
        for at, token in enumerate(tokens)
    )


def _is_conjunction(tokens: Sequence[Token], at: int) -> bool:
    """Whether something else is asked before `when`, or after the clause that it begins."""
    if " " in tokens[at].text or (at and "and" in tokens[at - 1].concepts):
        return False
    if any(token.concepts & OPENING for token in tokens[:at]):
        return True
    is_asked = any(token.concepts & OPENING for token in tokens[at + 1 : at + 2])
    return not is_asked and any(token.concepts & ASKING_LATER for token in tokens[at + 2 :])


def _talk_in(ruleset: AnyRuleset, grounds: Grounds) -> Talk:
    """The talk of a ruleset, without sentences that may be false in it.

    A declared question keeps its sentence if that was confirmed for the rules as they are now; else its rules are
    quoted. A file without any confirmation is trusted only for the ruleset that brings it.
    """
    talk = talk_of(ruleset.source)
    if not talk.confirmed and ruleset.source.layers[-1].talk:
        return talk
    kept: list[Intent] = []
    for question in talk.questions:
        ground = grounds.by_name[question.name]
        if ground.digest in talk.confirmed.get(question.name, ()):
            kept.append(question)
        elif not question.edition and (quoting := question.silenced(ground.rules)).answers:
            kept.append(quoting)
    # What is said of this edition comes first.
    kept.sort(key=lambda question: not question.edition)
    return evolve(talk, questions=tuple(kept))


def reader_of(ruleset: AnyRuleset) -> Reader:
    """The reader of a ruleset, which every language of it shares."""
    return ruleset.compiled.memo(("talk",), lambda: Reader(ruleset))


def unknown_concepts(ruleset: AnyRuleset) -> tuple[Fault, ...]:
    """A fault for each concept of a pattern or of `[acts]` without words: no sentence can have it.

    Raises:
        RulesetError: the file of the talk is not of its form.

    >>> import hots_rules as hr
    >>> unknown_concepts(hr.load("hots-4.0"))
    ()
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    talk, worded = talk_of(ruleset.source), reader_of(ruleset).concepts
    return tuple(
        Fault(
            "unknown-name",
            f"the questions in words of `{ruleset.source.name}`: {place} has the concept `{concept}` without words",
            Span.nowhere(),
            help=f"give it phrases: `{concept} = …` in `[words]`{suggest(concept, worded).hint()}",
        )
        for place, concept in _used(talk)
        if concept not in worded
    )


def _used(talk: Talk) -> Iterator[tuple[str, str]]:
    """Where a concept is used, and its name."""
    yield from (("`[acts]`", name) for name in talk.acts)
    declared = chain.from_iterable(question.patterns for question in talk.questions)
    for text in chain(declared, *talk.general.values()):
        pattern = Pattern.parse(text, talk.slots)
        named = (*pattern.required, pattern.optional, pattern.banned)
        for concept in sorted(frozenset().union(*named)):
            yield f"the pattern `{text:.80}`", concept
