"""Declared answers in words, for somebody at one moment of a game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from itertools import islice, product

from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules.compile.codes import bits
from hots_rules.diagnostics import LimitExceeded, NoConsistentWorld
from hots_rules.diagnostics.braces import NAMED
from hots_rules.explain.declared.declarations import find_declarations
from hots_rules.explain.query import QuestionAnswerer
from hots_rules.explain.talk_file import Intent
from hots_rules.observe.observer import viewer_of
from hots_rules.play.game import BaseGame
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr
from hots_rules.talk.reading.reader import Reader, Reading
from hots_rules.talk.reading.roles import is_speaker

MAX_MEANINGS = 6
"""Values that an ambiguous name may stand for in one answer."""
_QUERY = re.compile(r"<([^<>]+)>")
_CLAUSE = re.compile(r"\s?;\s")


@frozen
class Speaker:
    """Says declared answers for somebody at one moment of a game."""

    game: BaseGame
    reader: Reader
    player: str | None

    def answer(self, reading: Reading) -> tuple[str, bool | None] | None:
        """The answer to a declared question, and whether it is a yes; None if the ruleset has none."""
        assert reading.intent is not None
        lines: dict[str, bool | None] = {}
        is_own = self.player is not None and any(map(is_speaker, reading.tokens))
        for holes in self._meanings(reading):
            reply = self._answer(reading.intent, holes, is_own=is_own)
            if reply is not None:
                lines[reply[0]] = reply[1]
        if not lines:
            return None
        truths = set(lines.values())
        return "\n".join(lines), truths.pop() if len(truths) == 1 else None

    def statement(self, intent: Intent) -> str | None:
        """The answer to a question without holes."""
        reply = self._answer(self.as_told(intent), {})
        return None if reply is None else reply[0]

    def members(self, query: str) -> tuple[int, ...] | None:
        """The codes of the members of a set; None if it is none, or they depend on hidden information."""
        expr = self.reader.expression(query)
        if expr is None or not isinstance(expr.type, types.SetType):
            return None
        if self._answerer.value_and_text(expr, {})[0] is None:
            return None
        return (*bits(self._answerer.evaluator.value(expr, {})),)

    def fact(self, intent: Intent) -> str | None:
        """The same without its yes or no, which is that of another question if it is only offered."""
        reply = self._answer(self.as_told(intent), {})
        return None if reply is None else without_truth(*reply)

    @property
    def _unknown(self) -> str:
        """The words for a value that is hidden from the player."""
        gettext = self.game.ruleset.labels.translator.gettext
        return gettext("unknown: depends on hidden information")

    @property
    def _own_name(self) -> str:
        """The name of the player who asks, in words; empty for none."""
        names = self.game.ruleset.labels.players_named((self.player,) if self.player else ())
        return names[0] if names else ""

    @property
    def no(self) -> str:
        """The word that an answer begins with that is no."""
        return self.game.ruleset.labels.translator.gettext("no").capitalize()

    def is_unknown(self, text: str) -> bool:
        """Whether an answer says no more than that it depends on hidden information."""
        return text.startswith(self._unknown)

    def in_this_game(self, reading: Reading) -> Reading:
        """A sentence as it was read, with the question as it is answered in this game."""
        if reading.intent is None:
            return reading
        return evolve(reading, intent=self.as_told(reading.intent))

    def as_told(self, intent: Intent) -> Intent:
        """A question as it is answered in this game: one that rests on another choice of settings quotes rules."""
        ground = self.reader.grounds.by_name.get(intent.name)
        if ground is None or self._other_settings.isdisjoint(ground.settings):
            return intent
        return intent.silenced(ground.rules)

    @property
    def _other_settings(self) -> Set[str]:
        """The options and readings of the game that are not at their defaults."""
        chosen = {*self.game.settings} - {*self.game.ruleset.compiled.default_settings}
        return {name for name, _ in chosen}

    def choices(self, reading: Reading, text: str) -> tuple[str, ...]:
        """The sentence with each name that an ambiguous one may stand for, if the answers do not tell which."""
        assert reading.intent is not None
        says = " ".join(reading.intent.text.values())
        if "\n" not in text or reading.intent.rules:
            return ()
        for hole, codes in reading.match.holes.items():
            preferred = self._preferred(hole, codes)
            if len(preferred) > 1 and f"{{{hole}}}" not in _QUERY.sub("", says):
                type_ = self.reader.value_type(hole)
                names = [self.game.ruleset.labels.format_value(code, type_) for code in preferred]
                return tuple(self._renamed(reading, codes, name) for name in names)
        return ()

    def _renamed(self, reading: Reading, codes: tuple[int, ...], name: str) -> str:
        """The sentence with a name in the place of the token that stands for several values."""
        words = (
            name if any(each == codes for _, each in token.values) else token.text
            for token in reading.tokens
        )
        return " ".join(words)

    def _meanings(self, reading: Reading) -> Iterator[dict[str, int]]:
        """The values that the sentence may name, for each meaning of ambiguous names."""
        holes = dict(reading.match.holes)
        choices = (self._preferred(hole, codes) for hole, codes in holes.items())
        for codes in islice(product(*choices), MAX_MEANINGS):
            yield dict(zip(holes, codes, strict=True))

    def _preferred(self, hole: str, codes: tuple[int, ...]) -> tuple[int, ...]:
        """Of the values that a name may stand for those that are probably meant."""
        condition = self.reader.talk.prefer.get(hole, "")
        if len(codes) == 1 or not condition:
            return codes
        return tuple(code for code in codes if self._holds(condition, {hole: code})) or codes

    def _answer(
        self, intent: Intent, holes: Mapping[str, int], *, is_own: bool = False
    ) -> tuple[str, bool | None] | None:
        if not self._holds(intent.when, holes):
            return None
        rules = [*self._rules(intent)]
        if intent.rules and not rules:
            return None
        head, truth = "", None
        if intent.query:
            evaluated = self._said(intent.query, holes, intent.order)
            if evaluated is None:
                return None
            head, truth = evaluated
        sentences = [*self._sentences(intent, holes)]
        if None in sentences:
            return None
        unknown = self._unknown
        if intent.each is None and unknown not in head:
            own = self._own_name if is_own else ""
            sentences = [_without(unknown, text, own) for text in sentences if text]
        if any(unknown in part for part in (head, *filter(None, sentences))):
            sentences, head, truth = [], unknown, None
        cited = self.reader.sections.text(intent)
        details = "; ".join(filter(None, sentences)).replace("{value}", head)
        value_told = bool(sentences) and any("{value}" in says for says in intent.text.values())
        facts = details if value_told else ": ".join(filter(None, (head, details)))
        is_told = facts or not rules
        first = " ".join(filter(None, (facts, f"({cited})" if cited and is_told else "")))
        if not first and rules:
            first, *rules = rules
        elif first and not cited and rules and not first.endswith((".", ")")):
            first = f"{first}: {rules[0]}"
            rules = rules[1:]
        return "\n".join(filter(None, (first, *rules))), truth

    def _holds(self, when: str, holes: Mapping[str, int]) -> bool:
        if not when:
            return True
        evaluated = self._said(when, holes)
        return evaluated is not None and bool(evaluated[1])

    def _said(
        self, query: str, holes: Mapping[str, int], order: str = ""
    ) -> tuple[str, bool | None] | None:
        """The value of an expression in words, and whether it is true; None if the ruleset lacks a name."""
        expr = self.reader.expression(self._filled(query, holes))
        if expr is None:
            return None
        before = partial(self._comes_before, order) if order else None
        value, text = self._answerer.value_and_text(expr, {}, before)
        if value is None and self.player is not None:
            agreed = self._agreed(expr)
            text = text if agreed is None else agreed
        if isinstance(expr.type, types.BoolType) and value is not None:
            gettext = self.game.ruleset.labels.translator.gettext
            return gettext("yes").capitalize() if value else self.no, bool(value)
        return text, None

    def _agreed(self, expr: Expr) -> str | None:
        """The number or the set that an expression is in all of a few states that look alike to the player.

        The answer says that they were only tried. None if they differ, or there are none: a yes or no is not told so.
        """
        if not isinstance(expr.type, types.IntType | types.SetType):
            return None
        # Late imports: who sees everything waits for no worlds.
        from hots_rules.observe.placements import follows
        from hots_rules.observe.worlds import consistent_worlds

        try:
            worlds = consistent_worlds(self.game, viewer_of(self.game, self.player))
        except (NoConsistentWorld, LimitExceeded):
            return None
        answerers = (QuestionAnswerer.of(world, None) for world in worlds)
        texts = {answerer.value_and_text(expr, {})[1] for answerer in answerers}
        if len(texts) != 1:
            return None
        if self.player is not None and follows(self.game, self.player, expr):
            return texts.pop()
        return self.game.ruleset.labels.translator.gettext(
            "{answer} (in each of {number} states that you cannot tell from this one)",
            answer=texts.pop(),
            number=str(len(worlds)),
        )

    def _comes_before(self, order: str, one: int, other: int) -> bool:
        """Whether a member of a set is told before another one."""
        evaluated = self._said(order, {"x": one, "y": other})
        return evaluated is not None and bool(evaluated[1])

    @property
    def _answerer(self) -> QuestionAnswerer:
        return self.game.memo(
            ("talk answerer", self.player), lambda: QuestionAnswerer.of(self.game, self.player)
        )

    def _filled(self, text: str, holes: Mapping[str, int]) -> str:
        """An expression with the names of the values in its holes."""
        return NAMED.sub(
            lambda hole: (
                self.reader.value_name(hole[1], holes[hole[1]]) if hole[1] in holes else hole[0]
            ),
            text,
        )

    def _sentences(self, intent: Intent, holes: Mapping[str, int]) -> Iterator[str | None]:
        """The sentence of an answer, for each member if there are several; None if a name is missing."""
        says = intent.text.get(self.game.language) or intent.text.get("en", "")
        if not says:
            return
        if intent.each is None:
            yield self._sentence(says, holes, {}, intent.order)
            return
        name, members = intent.each
        query = self._filled(members, holes)
        expr, codes = self.reader.expression(query), self.members(query)
        member_type = expr.type.member if expr and isinstance(expr.type, types.SetType) else None
        if codes is None or not isinstance(member_type, types.WordType):
            yield None
            return
        for code in codes:
            owner, word = member_type.values[code]
            yield self._sentence(says, holes, {name: (f"{owner}.{word}", code, member_type)})

    def _sentence(
        self,
        says: str,
        holes: Mapping[str, int],
        members: Mapping[str, tuple[str, int, types.WordType]],
        order: str = "",
    ) -> str | None:
        labels = self.game.ruleset.labels

        def evaluated(match: re.Match[str]) -> str:
            text = match[1]
            for name, (word, _, _) in members.items():
                text = text.replace(f"{{{name}}}", word)
            evaluation = self._said(text, holes, order)
            return "\0" if evaluation is None else evaluation[0]

        def named(match: re.Match[str]) -> str:
            name = match[1]
            if name in members:
                return labels.format_value(members[name][1], members[name][2])
            if name in holes:
                return labels.format_value(holes[name], self.reader.value_type(name))
            return match[0]

        text = NAMED.sub(named, _QUERY.sub(evaluated, says))
        return None if "\0" in text else text

    def _rules(self, intent: Intent) -> Iterator[str]:
        """The sentences of the rules of an answer, with their sections."""
        for name in intent.rules:
            if name in self.reader.grounds.outdated:
                continue
            yield from islice(rule_sentences(self.game, name), 1)


def without_truth(text: str, truth: bool | None) -> str:
    """An answer without its yes or no, where it says more than that."""
    return text if truth is None else text.partition(": ")[2] or text


def _without(hidden_words: str, text: str, own: str) -> str:
    """A sentence without those of its clauses that depend on hidden information, if any of them does not.

    Nothing is left out if it is what is told of the player with the name `own`, and nothing else is.
    """
    clauses = _CLAUSE.split(text)
    open_clauses = [clause for clause in clauses if hidden_words not in clause]
    if not open_clauses or len(open_clauses) == len(clauses):
        return text
    if own and own in text and all(own not in clause for clause in open_clauses):
        return text
    mark = _CLAUSE.search(text)  # French has a blank before it
    return (mark[0] if mark else "").join(open_clauses)


def rule_sentences(game: BaseGame, name: str) -> Iterable[str]:
    """The sentences of what has a name, with the sections."""
    from hots_rules.explain.errors import UnknownRule

    try:
        found = find_declarations(game.ruleset, name)
    except UnknownRule:
        return
    for rule in sorted(found, key=lambda rule: rule.kind == "event"):
        if rule.summary:
            cited = with_signs(rule.sections)
            yield f"{rule.summary} ({rule.name} {cited})"
