"""Questions that a ruleset declares, asked with the same words in another order or form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hots_rules.diagnostics.braces import NAMED
from hots_rules.explain.query import Answer, QuestionAnswerer
from hots_rules.explain.talk_file import Intent
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import QuestionDef
from hots_rules.talk.position.counts import NOBODYS, SILENT, is_one_of, says_nothing
from hots_rules.talk.position.members import ASKS_OTHERWISE
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.own_words import words_for_kind
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import is_speaker, players_named, side_variable
from hots_rules.talk.reading.speaker import Speaker

ASKING = frozenset({"who", "where", "how-many", "whose-turn"})
"""Concepts of which the question must have the same as the sentence; `what` and `which` may stand for each other."""


def declared_meant(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Answer | None:
    """The answer to the only declared question that has all that a sentence tells, and no more; None without one."""
    asked = frozenset(concept for token in tokens if not token.values for concept in token.concepts)
    if asked & ASKS_OTHERWISE:
        return None
    telling = [token for token in tokens if not says_nothing(token) and not _speaks(token)]
    answerer = QuestionAnswerer.of(game, player)
    answers: dict[str, Answer] = {}
    for question in game.ruleset.compiled.typed.questions.values():
        if len(question.params) > 1:
            continue
        for words in _wordings(game, reader, question):
            heads = frozenset(concept for word in words for concept in word.concepts)
            if heads & ASKING != asked & ASKING:
                continue
            local = _arguments(question, telling, player if _is_of_speaker(tokens) else None, game)
            if local is None:
                continue
            if _are_alike([token for token in tokens if not token.values], words):
                answers.setdefault(question.name, answerer.answer(question, local))
    return next(iter(answers.values())) if len(answers) == 1 else None


def owner_meant(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> str | None:
    """Whether what a sentence names is somebody's, and whose it is: `is Fox mine`; None if it asks for more.

    By the declared question about such a owned whose answer is a player, or several.
    """
    owners, named, words_left = set[str](), list[Token](), list[Token]()
    for token in tokens:
        if meant := players_named(game, token):
            owners |= {game.ruleset.players[number] for number in meant}
        elif token.values:
            named.append(token)
        elif _speaks(token):
            owners.add(player or "")
        elif not says_nothing(token):
            words_left.append(token)
    is_either = any("or" in token.concepts for token in tokens)
    if is_either:
        nobodys = words_for_kind(NOBODYS)
        words_left = [
            word_left
            for word_left in words_left
            if word_left.text not in nobodys and "or" not in word_left.concepts
        ]
    if not owners or (len(owners) > 1 and not is_either) or "" in owners or len(named) != 1:
        return None
    owner, [token] = min(owners), named
    answerer, is_of_players = QuestionAnswerer.of(game, player), game.ruleset.schema.is_of_players
    answers = list[Answer]()
    for question in game.ruleset.compiled.typed.questions.values():
        body = question.body.type
        player_type = body.member if isinstance(body, types.SetType) else body
        codes = token.codes(str(question.params[0].type)) if len(question.params) == 1 else ()
        if not is_of_players(player_type) or len(codes) != 1:
            continue
        words = [word for wording in _wordings(game, reader, question) for word in wording]
        if all(is_one_of(word_left, words) for word_left in words_left):
            answers.append(answerer.answer(question, {question.params[0].name: codes[0]}))
    if not answers and not words_left and not is_either:
        return _is_owner_of_a_piece(Speaker(game, reader, player), token, owner)
    if len(answers) != 1 or answers[0].value is None:
        return None
    owned = answers[0].value
    if is_either:
        return f"{token.text.title()}: {answers[0]}"
    gettext = game.ruleset.labels.translator.gettext
    is_so = owner in owned if isinstance(owned, list) else owner == owned
    return f"{gettext('yes' if is_so else 'no').capitalize()}: {answers[0]}"


def _is_owner_of_a_piece(speaker: Speaker, token: Token, owner: str) -> str | None:
    """Whether a piece is a player's by the only variable that says so, and whose it is."""
    for type_name, codes in token.values:
        variable = side_variable(speaker.game.ruleset.schema, type_name)
        if variable is not None and len(codes) == 1:
            [piece], side = variable.keys, variable.type
            assert isinstance(piece, types.WordType) and isinstance(side, types.WordType)
            held = f"{variable.name}[{'.'.join(piece.values[codes[0]])}]"
            name = next(".".join(code) for code in side.values if code[1] == owner)
            query = f"{held} = {name}"
            return speaker.statement(Intent("", query=query, text={"en": f"<{held}>"}))
    return None


def _wordings(game: BaseGame, reader: Reader, question: QuestionDef) -> Iterator[tuple[Token, ...]]:
    """The words of a question in each language."""
    for language in game.ruleset.languages:
        labels = game.ruleset.in_language(language).labels
        text = labels.label(f"question {question.name}", question.origin.summary)
        yield reader.lexicon.read(NAMED.sub(" ", text), corrects=False)


def _arguments(
    question: QuestionDef, telling: Sequence[Token], speaker: str | None, game: BaseGame
) -> dict[str, int] | None:
    """The value of its parameter that a sentence names, or that is who asks; None if it names others, or several."""
    named = [token for token in telling if token.values]
    if not question.params:
        return None if named or speaker is not None else {}
    [param] = question.params
    if not isinstance(param.type, types.WordType):
        return None
    if not named and speaker is not None and game.ruleset.schema.is_of_players(param.type):
        codes = [code for code, name in enumerate(param.type.values) if name[1] == speaker]
    elif len(named) == 1 and speaker is None:
        codes = [*named[0].codes(str(param.type))]
    else:
        return None
    return {param.name: codes[0]} if len(codes) == 1 else None


def _are_alike(tokens: Sequence[Token], words: Sequence[Token]) -> bool:
    """Whether each token that tells something is one of some words, and each of these one of the tokens."""
    telling = [token for token in tokens if not says_nothing(token) and not _speaks(token)]
    needed = [word for word in words if not (word.is_idle or word.concepts <= SILENT)]
    return (
        bool(needed)
        and all(is_one_of(token, words) for token in telling)
        and all(any(is_one_of(token, [word]) for token in tokens) for word in needed)
    )


def _speaks(token: Token) -> bool:
    return not token.values and is_speaker(token)


def _is_of_speaker(tokens: Sequence[Token]) -> bool:
    return any(map(_speaks, tokens))
