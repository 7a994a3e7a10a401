"""Questions about legality made from random positions, and what is wrong with an answer.

The frames and verbs are in a table beside this file. Half of the questions are made from a legal action, half from one
that is mostly not. The truth is what `game.actions` lists, and for a refusal what `why_not` says of the action that is
told.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from attrs import frozen

import hots_rules as hr
from hots_rules.talk.reading.choices import Choices
from hots_rules.talk.reading.told_acts import Act
from tests.talk.sentences import LANGUAGES

BLOCK_GAMES = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")
LABELS_HAVE_VERBS = (*BLOCK_GAMES, "lords-of-scotland", "goofspiel-1.0")
YES_NO = ("Yes", "No", "Oui", "Non", "Sí")
NORSE = "Norse"
"""The block that `sail` moves, of which it has no parameter."""
MAX_PLAYED = 150
_FORMS = re.compile(r"(\w+)/(\w+)")


@frozen
class Posed:
    """A question.

    Attributes:
        line: as it is typed.
        form: how it asks: `may`, `why`, `must`, `label`, or what an open one asks for, such as `where`.
        player: who asks; None for who sees everything.
        names: the actions that the verb may mean; none where any may.
        block: the piece; empty if none is named.
        area: the place; likewise.
        act: the text of the action without its player; empty if a verb is used.
    """

    line: str
    form: str
    player: str | None
    names: frozenset[str] = frozenset()
    block: str = ""
    area: str = ""
    act: str = ""


def positions(name: str, chance: Random, number: int) -> Iterator[hr.Game]:
    """Moments at which a player chooses, reached by chance, each in one of the languages."""
    ruleset = hr.load(name)
    while number:
        game = ruleset.start(chance.choice(ruleset.scenarios), seed=chance.randrange(10**6))
        for _ in range(chance.randrange(MAX_PLAYED)):
            if game.is_over:
                break
            game = game.play(chance.choice(game.actions))
        if not game.is_over and not game.is_chance:
            number -= 1
            yield game.in_language(chance.choice(LANGUAGES))


# ------------------------------------------------------------------ questions
@frozen
class Poser:
    """Makes questions from a table of frames and verbs."""

    whole: Mapping[str, Any]
    chance: Random

    @classmethod
    def of(cls, path: Path, chance: Random) -> Poser:
        """One with the table of a file."""
        return cls(tomllib.loads(path.read_text("utf-8")), chance)

    def posed(self, game: hr.Game, number: int) -> Iterator[Posed]:
        """Questions at one moment of a game."""
        for _ in range(number):
            player = self.chance.choice((None, *game.ruleset.players[:2]))
            share = self.chance.random()
            if game.ruleset.name not in BLOCK_GAMES or share < 0.2:
                yield self._of_label(game, player)
            elif share < 0.8:
                yield self._of_verb(game, player)
            else:
                yield self._open(game, player)

    def _of_verb(self, game: hr.Game, player: str | None) -> Posed:
        """A question whether a piece can do what a verb says."""
        words = self.whole[game.language]
        group = self.chance.choice([*words["verbs"]])
        legal = [each for each in game.actions if each.name in self._names(group)]
        block, area = self._things(game, legal)
        verb = self.chance.choice(words["verbs"][group])
        forms = {"v": _FORMS.sub(r"\1", verb), "g": _FORMS.sub(r"\2", verb)}
        said = _said(game, block, area)
        form = self.chance.choice(("may", "may", "why", "must"))
        filled = {key: text.format_map(said) for key, text in forms.items()}
        line = self.chance.choice(words["frames"][form]).format(b=said["b"], **filled)
        return Posed(line, form, player, self._names(group), block, area * ("{a}" in verb))

    def _names(self, group: str) -> frozenset[str]:
        return frozenset(self.whole["actions"][group])

    def _things(self, game: hr.Game, legal: list[hr.Action]) -> tuple[str, str]:
        """A piece and a place: half of the time those of a legal action."""
        areas = game.ruleset.words["Area"]
        block = self.chance.choice([b for b, at in game.state["place"].items() if at in areas])
        if legal and self.chance.random() < 0.5:
            action = self.chance.choice(legal)
            return _block(action), _area(action) or self.chance.choice([*areas])
        return block, self.chance.choice([*areas])

    def _of_label(self, game: hr.Game, player: str | None) -> Posed:
        """A question whether an action is legal, in the words of its label."""
        form = self.chance.choice([form for form in game.notation.forms if form.size])
        code = form.base + self.chance.randrange(form.size)
        if self.chance.random() < 0.5:
            code = self.chance.choice(game.actions).code
        act = game.notation.text(code).partition(": ")[2]
        has_verb = game.ruleset.name in LABELS_HAVE_VERBS
        kind = self.chance.choice(("label", "label_why")) if has_verb else "played"
        line = self.chance.choice(self.whole[game.language]["frames"][kind]).format(act=act)
        return Posed(line, kind, player, act=act)

    def _open(self, game: hr.Game, player: str | None) -> Posed:
        """A question for all that is legal: where a piece can go, who can reach a place, what a piece can do."""
        form = self.chance.choice(("where", "who", "what", "which"))
        frames: Mapping[str, str] | list[str] = self.whole[game.language]["open"][form]
        group = self.chance.choice([*frames]) if isinstance(frames, dict) else "travel"
        text = frames[group] if isinstance(frames, dict) else self.chance.choice(frames)
        names = frozenset[str]() if form == "what" else self._names(group)
        legal = [each for each in game.actions if each.name in self._names("travel")]
        block, area = self._things(game, legal)
        line = text.format_map(_said(game, block, area))
        has_block, has_area = "{b}" in text, "{a}" in text
        return Posed(line, form, player, names, block * has_block, area * has_area)


def _block(action: hr.Action) -> str:
    return action.args.get("block") or (NORSE if action.name == "sail" else "")


def _area(action: hr.Action) -> str:
    return action.args.get("to") or action.args.get("area", "")


def _said(game: hr.Game, block: str, area: str) -> dict[str, str]:
    words = game.ruleset.words
    return {"b": words["Block"].get(block, ""), "a": words["Area"].get(area, "")}


# ------------------------------------------------------------------ grading
def legal_ones(game: hr.Game, question: Posed) -> set[str]:
    """The texts of the legal actions that a question is about."""
    if question.act:
        return {a.text for a in game.actions if a.text.partition(": ")[2] == question.act}
    return {
        action.text
        for action in game.actions
        if not question.names or action.name in question.names
        if question.block in ("", _block(action))
        if question.area in ("", _area(action))
    }


def fault_of(game: hr.Game, question: Posed, answer: hr.talk.Answer) -> str:
    """What is wrong with an answer; empty if nothing is."""
    if isinstance(answer.detail, Choices):
        return _fault_of_choices(game, question, answer.detail)
    if isinstance(answer.detail, Act):
        if question.form in ("where", "who", "what", "which"):
            return "a yes or no to an open question"
        return _fault_of_act(game, question, answer)
    if isinstance(answer.detail, hr.explain.Ruling):
        return _fault_of_ruling(game, question, answer)
    if answer.is_yes is not None or str(answer).startswith(YES_NO):
        return "a yes or no that follows from no action"
    if answer.kind == "computed":
        return "a fact beside the point"
    return ""


def _fault_of_ruling(game: hr.Game, question: Posed, answer: hr.talk.Answer) -> str:
    legal = _own(game, question, legal_ones(game, question))
    if answer.is_yes is None:
        return "" if question.player else "unknown to who sees everything"
    return "" if answer.is_yes == bool(legal) else f"legal: {legal}"


def _own(game: hr.Game, question: Posed, legal: set[str]) -> set[str]:
    """The legal actions of who asks, if a seat does."""
    if question.player is None:
        return legal
    return {each.text for each in game.actions if each.player == question.player} & legal


def _fault_of_choices(game: hr.Game, question: Posed, listed: Choices) -> str:
    expected = _own(game, question, legal_ones(game, question))
    is_hidden = listed.ruling is not None and listed.ruling.against[0].kind == "secret"
    if is_hidden and question.player:
        return ""
    if {*listed.legal} != expected:
        return f"legal: {sorted(expected)[:4]}, told: {sorted(listed.legal)[:4]}"
    if not expected and (listed.ruling is None or not _sections(listed.ruling)):
        return "no section"
    return ""


def _fault_of_act(game: hr.Game, question: Posed, answer: hr.talk.Answer) -> str:
    act, legal = answer.detail, legal_ones(game, question)
    if question.act:
        legal = _own(game, question, legal)
    if act.is_yes is None:
        return "" if question.player else "unknown to who sees everything"
    said = [*_said(game, question.block, question.area).values()] if not question.act else []
    told = [act.ruling.action] if act.ruling is not None else [*act.legal]
    if missing := [word for word in said if not any(word in text for text in told)]:
        return f"nothing is said of {missing}"
    if question.act:  # of the player whom the answer names
        actors = {text.partition(": ")[0] for text in told}
        legal = {text for text in legal_ones(game, question) if text.partition(": ")[0] in actors}
        own = {*game.ruleset.labels.players_named((question.player,))} if question.player else set()
        if own and " I " in question.line and not actors <= own:
            return f"asked by {question.player}"
    elif wrong_side := _fault_of_side(game, question, told[0]):
        return wrong_side
    if act.ruling is not None:
        if legal:
            return f"legal: {sorted(legal)}"
        return "" if _sections(act.ruling) else "no section"
    if question.form == "must":
        mover = next(each.player for each in game.actions if each.text in act.legal)
        others = {each.text for each in game.actions if each.player == mover} - {*act.legal}
        if act.is_yes == bool(others):
            return f"others: {sorted(others)[:3]}"
    after = game
    for text in act.legal if not legal else act.legal[:1]:
        after = after.play(text)
    return "" if legal.issuperset(act.legal) or not legal else f"legal: {sorted(legal)}"


def _sections(ruling: hr.explain.Ruling) -> bool:
    return any(reason.sections for reason in ruling.against)


def _fault_of_side(game: hr.Game, question: Posed, text: str) -> str:
    """What is wrong with whose action is told."""
    owner = game.state["side"][question.block] if question.block else question.player
    if owner not in game.ruleset.players:
        return ""
    [name] = game.ruleset.labels.players_named((owner,))
    return "" if text.startswith(f"{name}: ") else f"{text}, but it is of {name}"
