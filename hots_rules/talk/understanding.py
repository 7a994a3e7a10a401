"""What a typed line means: the one order in which all surfaces read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import evolve, frozen

from hots_rules._translate import translator
from hots_rules.diagnostics import (
    HotsError,
    UnreadableQuestion,
    check_kind,
    closest_match,
    only_match,
)
from hots_rules.explain.query import ask, questions
from hots_rules.observe.preview import is_action_of
from hots_rules.play.action import Action as LegalAction
from hots_rules.play.compiled_ruleset import compiled_ruleset
from hots_rules.play.game import BaseGame
from hots_rules.play.parse_action import can_be_read
from hots_rules.rules import find_source, known_rulesets
from hots_rules.talk.battles.battles import battle_line, is_battle
from hots_rules.talk.battles.supposed import supposed_battle
from hots_rules.talk.board_pieces import with_squares
from hots_rules.talk.changes import (
    changes_asked,
    differences_told,
    edition_asked,
    edition_names,
    ends_in,
)
from hots_rules.talk.commands import (
    CommandForm,
    Fit,
    find_command,
    fit,
    folded,
    split_outcomes,
)
from hots_rules.talk.lookup.find import find
from hots_rules.talk.narrowing import label_of, narrowed, split_choices
from hots_rules.talk.reading.answers import Reply, reply
from hots_rules.talk.reading.clauses import questions_in
from hots_rules.talk.reading.closest import closest_answers, closest_questions
from hots_rules.talk.reading.patterns import CONCEPT
from hots_rules.talk.reading.questions import asks, is_question
from hots_rules.talk.reading.reader import reader_of
from hots_rules.talk.understood import (
    Action,
    Command,
    Edit,
    Nothing,
    Question,
    Understood,
    Which,
)

LINKING = ("of", "de", "d", "du", "des", "del")
"""Words behind the name of a variable that ask for its value."""
_WHYNOT = re.compile(r"^whynot\b", re.IGNORECASE)
_WHY = re.compile(r"(?:why|pourquoi|por que)(?: (?:not|pas|no))? ")
"""What stands before an action whose legality is asked for."""
MAX_EDIT = 4
"""How many words a change of the position has that is no sentence."""
_MARKS = " \t?¿!."


def understand(
    line: str,
    game: BaseGame,
    player: str | None = None,
    before: Understood | None = None,
    *,
    commands: Sequence[CommandForm] = (),
    edits: bool = False,
    among: Sequence[LegalAction] | None = None,
) -> Understood:
    """What a line means at one moment of a game; nothing is done yet.

    A line acts only in the exact form of a command, an action or a change: what has a question mark, a word that asks
    in any language, or more words than the command takes, is a question, or nothing.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> action = game.actions[0].text
    >>> type(understand(action, game)).__name__, understand(f"{action}?", game).topic
    ('Action', 'ruling')

    Args:
        line: as it was typed, in any language of the ruleset.
        game: the game at the moment that the line is about.
        player: the player who types; the answer reveals nothing hidden from this player. None knows everything.
        before: what the line before it meant, for one such as `and Fife?`, or a number that chooses a meaning.
        commands: the commands of the surface.
        edits: whether the surface takes changes of the position.
        among: the legal actions that words narrow, such as `wal fif`; None where they are typed whole.
    """
    check_kind("line", line, str, "a text")
    check_kind("game", game, BaseGame, "a game")
    words = unicodedata.normalize("NFC", line.split("#")[0]).lstrip(" \t¿").split()
    return _Line(
        _chosen(_WHYNOT.sub("why not", " ".join(words)), before),
        game,
        player,
        before,
        tuple(commands),
        edits,
        among,
    ).meaning()


def _leaves_a_word(answered: Reply) -> bool:
    """Whether an answer leaves out a word of its sentence, or lists who does something though no name is known."""
    if answered.kind == "count":
        concepts = frozenset(concept for token in answered.tokens for concept in token.concepts)
        is_of_somebody = "who" in concepts and "how-many" not in concepts
        return is_of_somebody and not any(token.values for token in answered.tokens)
    return answered.reading is not None and answered.reading.match.cost >= CONCEPT


def _chosen(line: str, before: Understood | None) -> str:
    """The line that a number chooses, if the line before had several meanings; else the line itself."""
    if isinstance(before, Which) and line.isascii() and line.isdecimal():
        number = int(line[:3])
        if 1 <= number <= len(before.lines):
            return before.lines[number - 1]
    return line


@frozen(slots=False)
class _Line:
    """A line that is read."""

    line: str
    game: BaseGame
    player: str | None
    before: Understood | None
    commands: tuple[CommandForm, ...]
    edits: bool
    among: Sequence[LegalAction] | None

    def meaning(self) -> Understood:
        """The first meaning that the line has."""
        if not self.line:
            return Nothing("")
        return next(self._meanings())

    def _meanings(self) -> Iterator[Understood]:
        """What the line may mean, the strongest first.

        In turn: what is typed exactly; narrowed actions and edits; declared questions; actions that are not legal now;
        commands with loose arguments; sentences; what comes close.
        """
        line, game = self.line, self.game
        if made_up := battle_line(game.ruleset, line):
            yield self._question("battle", line=made_up)
        yield from self._exact_actions()
        command = find_command(line, self.commands)
        fits = Fit.NONE if command is None else fit(game, *command, line)
        if command is not None and fits is Fit.EXACTLY:
            yield Command(*command)
        if self.among is not None and not self._asks:
            yield from self._narrowed(self.among)
        if self._is_edit:
            yield Edit(line)
        yield from self._declared()
        yield from self._typed_actions()
        loose = Command(*command) if command is not None and fits is Fit.LOOSELY else None
        if loose is not None and not is_question(game.ruleset, line):
            yield loose
        yield from self._sentences(command)
        yield from self._about_squares()
        if command is not None and not self._is_refused_question(*command):
            if loose is not None:
                yield loose
            yield self._nothing(command[0])
        if not self._fault:
            yield from self._closest()
        yield self._nothing()

    def _is_refused_question(self, form: CommandForm, text: str) -> bool:
        """Whether a question only looks like a command that checks its text: `what does X say`, X being no edition."""
        return bool(form.checks and text) and is_question(self.game.ruleset, self.line)

    # -------------------------------------------------------------- what acts
    @cached_property
    def _asks(self) -> bool:
        return asks(self.game.ruleset, self.line)

    def _exact_actions(self) -> Iterator[Understood]:
        """The legal action with a number of the list, or with this very text."""
        if self.among is not None:
            return  # there words narrow the actions, these as well
        actions = [action for action in self.game.actions if self.player in (None, action.player)]
        line = self.line
        if line.isascii() and line.isdecimal():
            number, last = int(line[:9]), len(actions)
            if 1 <= number <= last:
                yield Action(line, legal=actions[number - 1])
            fault = translator(self.game.language).gettext(
                "expected a number from 1 to {last}, got {number}", last=last, number=line[:9]
            )
            yield Nothing(line, fault)
        text, outcomes = split_outcomes(line)
        for typed, rolled in ((line, ()), (text, tuple(outcomes))):
            spelled = (
                (at, spelling)
                for at, action in enumerate(actions)
                for spelling in (action.text, label_of(action))
            )
            found = only_match(typed, spelled)
            if found is not None:
                yield Action(typed, rolled, actions[found])

    def _narrowed(self, among: Sequence[LegalAction]) -> Iterator[Understood]:
        """The actions that words leave; several parts are several actions."""
        if self.game.is_over:
            return
        offered = [action for action in self.game.actions if self.player in (None, action.player)]
        parts = split_choices(self.line)
        first = parts[0].split(",")[0] if parts else ""
        found = (narrowed(among, first) or narrowed(offered, first)) if parts else ()
        is_one_part = ";" not in self.line and "," not in self.line
        if is_one_part and len(found) > 1:
            yield Which(actions=found)
        elif found or ";" in self.line:
            yield Action(self.line)

    def _typed_actions(self) -> Iterator[Understood]:
        """An action that is not legal now, or not written whole; a line that asks, asks whether it is legal."""
        asked = _WHY.match(folded(self.line))
        if asked and can_be_read(self.game, why := self.line[asked.end() :].strip(_MARKS)):
            yield self._question("ruling", line=why)
        text, outcomes = split_outcomes(self.line)
        bare = text.strip(_MARKS)
        if not text and outcomes and not self._asks:  # those of the dice that wait to be rolled
            yield Action("", tuple(outcomes))
        if not bare or not can_be_read(self.game, bare):
            return
        if not self._asks and self._is_own(bare):
            yield Action(text, tuple(outcomes))
        elif self._asks and not asks(self.game.ruleset, bare):
            yield self._question("ruling", line=bare)

    def _is_own(self, text: str) -> bool:
        """Whether the player who types may mean an action of his own."""
        return self.player is None or is_action_of(self.game, text, self.player)

    @property
    def _is_edit(self) -> bool:
        """Whether the line changes the position: `strength of Fox` asks, `strength Fox 3` does not."""
        if not self.edits or not self._names_a_variable or self._asks:
            return False
        words = self.line.split()
        return len(words) < 2 or folded(words[1]) not in LINKING

    @property
    def _names_a_variable(self) -> bool:
        """Whether the line begins with a variable of the position, or has one after a colon."""
        before, colon, after = self.line.partition(";")[0].partition(":")
        words = (after if colon else before).split()
        return bool(words) and words[0].lower() in self.game.ruleset.schema.variables

    # -------------------------------------------------------------- what asks
    def _question(self, topic: str, *, line: str = "", replies: Sequence[Reply] = ()) -> Question:
        return Question(line or self.line, self.game, self.player, topic, tuple(replies))

    def _declared(self) -> Iterator[Understood]:
        """A question in the form in which the ruleset declares it."""
        try:
            found = ask(self.game, self.line, self.player)
        except UnreadableQuestion:
            return
        yield evolve(self._question("declared"), declared=found)

    def _sentences(self, command: tuple[CommandForm, str] | None) -> Iterator[Understood]:
        """What the sentences of the line ask."""
        game = self.game
        if is_battle(game.ruleset, self.line):
            yield self._question("battle")
        elif supposed := supposed_battle(game, self.line, self.player):
            yield self._question("battle", line=supposed)
        if command is not None and not is_question(game.ruleset, self.line):
            return
        replies = self._replies(questions_in(game, self.line, self.player))
        if not replies:
            return
        if len(replies) == 1 and self._fault and _leaves_a_word(replies[0]):
            # The line has the form of a declared question with a wrong name, and a word is left over: the fault is told
            # instead of an answer to another question.
            return
        for answered in replies:
            if answered.choices:
                yield Which(answered.choices)
        if len(replies) == 1:
            yield from self._general(replies[0], command)
        yield self._question("sentence", replies=replies)

    def _replies(self, sentences: Sequence[str]) -> list[Reply]:
        """The replies to some sentences; of several, one that is not understood gets the rules that come closest."""
        replies: list[Reply] = []
        for sentence in sentences:
            answered = self._reply(sentence, *replies[-1:])
            if answered is None and len(sentences) > 1:
                near = closest_answers(self.game, sentence, self.player)
                answered = Reply("choices", "", (), answers=near) if near else None
            if answered is not None:
                replies.append(answered)
        return replies

    def _about_squares(self) -> Iterator[Understood]:
        """What the line asks if pieces of a board are named by their squares."""
        line = with_squares(self.game, self.line, self.player)
        if line is None:
            return
        about = evolve(self, line=line)
        command = find_command(line, self.commands)
        if command is not None and fit(self.game, *command, line) is Fit.EXACTLY:
            if not command[0].acts:
                yield Command(*command)
            return
        if is_question(self.game.ruleset, self.line):
            yield from about._typed_actions()
            yield from about._sentences(command)

    def _general(
        self, reply: Reply, command: tuple[CommandForm, str] | None
    ) -> Iterator[Understood]:
        """A question that every game answers, as the command of the surface that answers it."""
        if reply.text or reply.answers:
            return
        form = next(
            (command_form for command_form in self.commands if command_form.topic == reply.kind),
            None,
        )
        is_changes = reply.kind == "changes"
        if command is not None and not reply.is_whole and form is command[0] and not is_changes:
            yield Command(*command)
        if form is None:
            return
        if not is_changes:
            yield Command(form)
        elif (asked := changes_asked(self.game, reply)) is not None and asked.subject:
            yield Command(form, asked.text)

    def _reply(self, sentence: str, before: Reply | None = None) -> Reply | None:
        """What one sentence asks, perhaps after another one, and the answer; None if that is not understood."""
        named = self._edition_asked(sentence)
        if named is not None:
            if (elsewhere := self._reply_elsewhere(*named)) is not None:
                return elsewhere
            edition, question = named
            sentence = question if edition == self.game.ruleset.name else sentence
        last = self.before
        earlier = last.replies[-1] if isinstance(last, Question) and last.replies else None
        answered = reply(self.game, sentence, self.player, before or earlier)
        if self._names_editions and not (answered and answered.is_whole):
            answered = differences_told(self.game, sentence) or answered
        if answered is None or answered.kind != "changes" or answered.text:
            return answered
        # A question about one edition is none about what changed.
        is_unknown = named is not None or changes_asked(self.game, answered) is None
        return None if is_unknown else answered

    def _edition_asked(self, sentence: str) -> tuple[str, str] | None:
        """The edition that a sentence asks about, and the question without it; None if it names none."""
        if not self._names_editions:
            return None
        return edition_asked(self.game, sentence, edition_names(self.game))

    @cached_property
    def _names_editions(self) -> bool:
        """Whether the line may name an edition; to find those of this game takes longer."""
        ruleset = self.game.ruleset
        words = reader_of(ruleset).lexicon.words(self.line)
        names = (*known_rulesets(), *(layer.name for layer in ruleset.source.layers))
        return any(ends_in(name, word) for word in words for name in names)

    def _reply_elsewhere(self, name: str, question: str) -> Reply | None:
        """What an edition answers to a question that names it."""
        try:
            compiled = compiled_ruleset(find_source(name))
            other = evolve(self.game.ruleset, compiled=compiled)
            # A late import: other lines need no parser.
            from hots_rules.compare.replaying import replay_under

            answered = reply(replay_under(self.game, other), question, self.player)
        except HotsError:  # the position, or an action before it, is none of that edition
            return None
        is_answer = answered is not None and answered.kind == "answer"
        return evolve(answered, edition=name) if answered and is_answer else None

    # -------------------------------------------------------------- what is not understood
    def _closest(self) -> Iterator[Understood]:
        """The rules that come closest to a sentence."""
        is_edit = self._names_a_variable and len(self.line.split()) <= MAX_EDIT
        if " " in self.line and not self._suggestion and not is_edit:
            found = closest_answers(self.game, self.line, self.player)
            if found:
                yield evolve(self._question("closest"), closest=found)

    @cached_property
    def _suggestion(self) -> str:
        """What can be typed with nearly this spelling."""
        actions = [action for action in self.game.actions if self.player in (None, action.player)]
        lines = [name for form in self.commands for name in form.names]
        lines += [action.text for action in actions]
        lines += map(label_of, actions)
        lines += questions(self.game)
        lines += self.game.ruleset.schema.variables if self.edits else ()
        return closest_match(self.line, lines) or ""

    def _nothing(self, form: CommandForm | None = None) -> Nothing:
        hits: tuple[str, ...] = ()
        if " " in self.line:
            hits = tuple(map(str, find(self.game.ruleset, self.line, limit=2).hits))
        examples = closest_questions(self.game, self.line)
        return Nothing(self.line, self._fault, form, self._suggestion, hits, tuple(examples))

    @cached_property
    def _fault(self) -> str:
        """What is wrong with a word of a question that the ruleset declares."""
        try:
            ask(self.game, self.line, self.player)
        except UnreadableQuestion as error:
            return str(error) if error.cause else ""
        return ""
