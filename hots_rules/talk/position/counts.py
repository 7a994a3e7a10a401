"""How many of something there are, for a game whose talk declares no questions: by its definitions and variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from hots_rules._text import with_signs
from hots_rules.explain.declared.declarations import taking_part
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Origin
from hots_rules.talk.reading.lexicon import Token, stems_of
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.questions import FEWER, MORE
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.speaker import Speaker

COUNTING = "how-many"
NOBODY, NOBODYS = "nobody", "nobodys"
"""Kinds of words: for nobody, and for what nobody has."""
OF_ALL = frozenset({"who", "both"})
"""Concepts of words for any player."""
ASKING = OF_ALL | {COUNTING, "there-is", "what"}
"""Concepts of sentences that ask for a number, or who has some."""
SAID = frozenset({*ASKING, "have", "now", "is", "left-over", "i", "you"})
"""Concepts that a sentence may have that asks how many there are, and for nothing else."""

HEADS = ("how-many", "where", "which", "who", "what", "there-is")
"""Concepts of what is asked for, the one first that decides if there are several."""
SILENT = frozenset({*HEADS, "have", "now", "is", "left-over", "stand", "in-play", "off-board"})
"""Concepts of words that say no more than that."""


@frozen
class Counted:
    """What can be counted: a set or a number, perhaps of one value of a type.

    Attributes:
        name: its name in the ruleset.
        of: the type of its parameter or key; None if it has none.
        type: its own type.
        is_variable: whether it is a variable; else it is a definition.
        origin: where it is declared.
    """

    name: str
    of: types.WordType | None
    type: types.Type
    is_variable: bool
    origin: Origin

    def query(self, argument: types.Value | None) -> str:
        """The expression for the number."""
        opening, closing = "[]" if self.is_variable else "()"
        named = "" if argument is None else f"{opening}{'.'.join(argument)}{closing}"
        held = f"{self.name}{named}"
        return f"count({held})" if isinstance(self.type, types.SetType) else held


def count_meant(
    game: BaseGame,
    reader: Reader,
    tokens: Sequence[Token],
    player: str | None,
    *,
    of_each: bool = False,
    of_all: bool = False,
) -> str | None:
    """The number that a sentence asks for; None if it asks for none, or what is counted is not clear.

    With `of_all` only what each player has of what the sentence calls by its name, where it names no player.

    With `of_each` a sentence that compares players, as `who has more cards`, asks for the numbers of all of them.
    """
    tokens = with_heads(reader, tokens)
    concepts = frozenset(concept for token in tokens for concept in token.concepts)
    if not (of_each or concepts & ASKING):
        return None
    is_counted = COUNTING in concepts or not of_all
    speaker = Speaker(game, reader, player)
    by_name: set[str] = set()
    by_kind: dict[str, str] = {}
    for counted in _countable(game):
        labels = labels_of(game, reader, counted.name, ("define", "variable"))
        named = next((label for label in labels if _has_all(tokens, label)), ())
        kinds = words_for(game, reader, _member(counted.type))
        left = [
            token
            for token in tokens
            if not (is_one_of(token, (*named, *kinds)) or _says_little(token))
        ]
        if of_each and counted.of is not None:
            left = [token for token in left if not _codes(token, counted)]
        codes = [code for token in left for code in _codes(token, counted)]
        if len(left) > 1 or len(left) != len(codes):
            continue  # words are left that are not the one value of which it is counted
        is_kind = any(is_one_of(token, kinds) for token in tokens)
        if not (named or (is_kind and counted.of is not None)):
            continue  # neither its name is said, nor what is counted of a value
        if of_each:
            if text := _of_all_players(speaker, counted, tokens):
                by_name |= {text} if named else set()
                by_kind |= {} if named else {text: ""}
            continue
        is_of_all = bool(concepts & OF_ALL) or player is None
        if counted.of is not None and not codes and named and is_of_all:
            text = _of_all_players(speaker, counted) if is_counted else None
            if text is not None:
                by_name.add(text)
            continue
        if COUNTING not in concepts or of_all:
            continue
        if counted.of is not None and not codes:
            # Who names no player asks for what is his.
            codes = [code for code, (_, name) in enumerate(counted.of.values) if name == player]
            if not codes or player not in game.ruleset.players:
                continue
        is_of_players = counted.of is not None and game.ruleset.schema.is_of_players(counted.of)
        argument = counted.of.values[codes[0]] if counted.of is not None else None
        intent = Intent(
            counted.name, query=counted.query(argument), sections=counted.origin.sections
        )
        if text := speaker.statement(intent):
            if named:
                by_name.add(text)
            elif not is_of_players:
                by_kind[text] = text
            elif label := _label(game, counted):
                by_kind[f"{label}: {text}"] = text
    if by_name or of_each or len(by_kind) < 2:
        answers = by_name or {by_kind[text] or text for text in by_kind}
        return answers.pop() if len(answers) == 1 else None
    # Who says only what is counted is told of all that a player has.
    return "; ".join(by_kind) if all(by_kind[text] != text for text in by_kind) else None


def _label(game: BaseGame, counted: Counted) -> str:
    """The words for a set in the language of the game; empty if it has none in any language, or is a variable."""
    name = f"define {counted.name}"
    is_labelled = any(labels.get(name) for labels in game.ruleset.schema.facts.labels.values())
    label = game.ruleset.labels.label(name, counted.name.replace("_", " "))
    return label if is_labelled and not counted.is_variable else ""


def _of_all_players(
    speaker: Speaker, counted: Counted, compared: Sequence[Token] = ()
) -> str | None:
    """How many each player has, behind who has the most or the fewest if that is asked.

    None of something that is not counted by players.
    """
    game, type_ = speaker.game, counted.of
    if type_ is None or not game.ruleset.schema.is_of_players(type_):
        return None
    numbers: dict[str, str] = {}
    playing = taking_part(game)
    for code, player in enumerate(type_.values):
        number = speaker.statement(Intent(counted.name, query=counted.query(player)))
        if player[1] in playing and number is not None:
            numbers[game.ruleset.labels.format_value(code, type_)] = number
    return told_numbers(numbers, compared, counted.origin.sections)


def told_numbers(
    numbers: Mapping[str, str], compared: Sequence[Token], sections: Sequence[str]
) -> str:
    """The numbers of some players, behind who has the most or the fewest if some words ask for that."""
    text = "; ".join(f"{name}: {number}" for name, number in numbers.items())
    if leader := _leader(numbers, compared):
        text = f"{leader} ({text})"
    cited = with_signs(sections)
    return f"{text} ({cited})" if cited else text


def _leader(numbers: Mapping[str, str], tokens: Sequence[Token]) -> str:
    """Who has the most, or the fewest; empty if a sentence asks for neither, or if several have."""
    words = {word for token in tokens for word in token.text.split()}
    is_fewest = not words.isdisjoint(words_for_kind(FEWER))
    if not (is_fewest or words & words_for_kind(MORE)):
        return ""
    if not all(number.isdecimal() for number in numbers.values()):
        return ""
    best = (min if is_fewest else max)(map(int, numbers.values()), default=0)
    leaders = [name for name, number in numbers.items() if int(number) == best]
    return leaders[0] if len(leaders) == 1 else ""


def _countable(game: BaseGame) -> Iterator[Counted]:
    typed = game.ruleset.compiled.typed
    for definition in typed.definitions.values():
        of = [param.type for param in definition.params]
        yield from _counted(definition.name, of, definition.body.type, definition.origin, False)
    for variable in typed.variables.values():
        yield from _counted(variable.name, variable.keys, variable.type, variable.origin, True)


def _counted(
    name: str, of: Sequence[types.Type], type_: types.Type, origin: Origin, is_variable: bool
) -> Iterator[Counted]:
    if len(of) > 1 or not isinstance(type_, types.SetType | types.IntType):
        return
    first = of[0] if of else None
    if first is None and isinstance(type_, types.IntType):
        return  # such as the number of a turn, which counts nothing
    if first is None or isinstance(first, types.WordType):
        yield Counted(name, first, type_, is_variable, origin)


def _member(type_: types.Type) -> str:
    return str(type_.member) if isinstance(type_, types.SetType) else ""


def labels_of(
    game: BaseGame, reader: Reader, name: str, kinds: Sequence[str]
) -> list[tuple[Token, ...]]:
    """The words for a declaration: its name, and its labels in every language."""
    return list(dict.fromkeys(label for _, label in labels_by_language(game, reader, name, kinds)))


def labels_by_language(
    game: BaseGame, reader: Reader, name: str, kinds: Sequence[str]
) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """The words for a declaration, each with its language."""
    texts = {("en", name.replace("_", " "))} | {
        (language, labels[f"{kind} {name}"])
        for language, labels in game.ruleset.schema.facts.labels.items()
        for kind in kinds
        if labels.get(f"{kind} {name}")
    }
    for language, text in sorted(texts):
        yield language, reader.lexicon.read(text, corrects=False)


def words_for(game: BaseGame, reader: Reader, type_name: str) -> tuple[Token, ...]:
    """The words for something of a type, as `areas`: its name, and its labels."""
    return game.ruleset.compiled.memo(
        ("words for", type_name),
        lambda: tuple(
            word for label in labels_of(game, reader, type_name, ("type",)) for word in label
        ),
    )


def _has_all(tokens: Sequence[Token], label: Sequence[Token]) -> bool:
    """Whether a sentence has every word of a label."""
    return all(any(is_one_of(token, [word]) for token in tokens) for word in label)


def is_one_of(token: Token, words: Sequence[Token]) -> bool:
    """Whether a token of a sentence is one of some words, or one of the same concept.

    Of a phrase such as `face down` no single word is enough.
    """
    is_phrase = " " in token.text
    return any(
        (not (is_phrase or " " in word.text) and stems_of(token) & stems_of(word))
        or (token.concepts - SAID) & word.concepts
        for word in words
    )


def _says_little(token: Token) -> bool:
    is_silent = token.is_idle or (bool(token.concepts) and token.concepts <= SAID)
    return is_silent and not token.values


def _codes(token: Token, counted: Counted) -> tuple[int, ...]:
    return token.codes(str(counted.of)) if counted.of is not None else ()


def with_heads(reader: Reader, tokens: Sequence[Token]) -> list[Token]:
    """The tokens of a sentence, where a phrase that begins with `how many` is read as several.

    So is one that ends with the kind of what is empty: `en qué áreas no hay nadie`.
    """
    split: list[Token] = []
    nobody = words_for_kind(NOBODY)
    is_of_nobody = any(not nobody.isdisjoint(token.text.split()) for token in tokens)
    for token in tokens:
        words = token.text.split()
        begun = (reader.lexicon.read(" ".join(words[:at])) for at in range(1, len(words)))
        first = next(
            (read[0] for read in begun if len(read) == 1 and read[0].concepts & {*HEADS}), None
        )
        is_kind = is_of_nobody and len(words) > 1 and bool(token.concepts & {"where"})
        if (first is None and not is_kind) or token.values:
            split.append(token)
        elif token.concepts & {*HEADS}:  # `que areas`, `en que areas`
            last = reader.lexicon.read(words[-1])
            split += (token, *(word for word in last if not (says_nothing(word) or word.values)))
        elif first is not None:
            rest = " ".join(words[len(first.text.split()) :])
            split += (first, *reader.lexicon.read(rest))
    return split


def says_nothing(token: Token) -> bool:
    """Whether a word tells nothing about the members."""
    return not token.values and (token.is_idle or bool(token.concepts & SILENT))
