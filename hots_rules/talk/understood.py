"""What a typed line means: one of six values; and the answer to a question."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

from attrs import field, frozen

from hots_rules._text import with_signs
from hots_rules.explain.query import Answer as DeclaredAnswer
from hots_rules.explain.query import Plain
from hots_rules.play.action import Action as LegalAction
from hots_rules.play.game import BaseGame
from hots_rules.talk.commands import CommandForm
from hots_rules.talk.reading.answers import Reply


class AnswerKind(StrEnum):
    """Where an answer comes from.

    >>> [kind.value for kind in AnswerKind]
    ['computed', 'quoted', 'closest']
    """

    COMPUTED = "computed"
    """By the engine: legality, a value, a place, odds, editions."""
    QUOTED = "quoted"
    """A sentence of the ruleset, with its section."""
    CLOSEST = "closest"
    """Rules that come closest: offered, and no answer."""


@frozen
class Answer:
    """The answer to a question: the result of `Game.ask` and of `answer`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> found = game.ask("wheres walace?")
    >>> str(found), found.kind.value
    ('Fife (§2.0)', 'computed')

    Attributes:
        kind: where it comes from.
        text: the answer in words; that of a sentence with its sections.
        value: the answer as plain data, where there is such; yes and no are truths.
        question: the name of the question in the ruleset, if it declares it.
        edition: the ruleset that answers.
        sections: the sections that a declared question cites.
        is_yes: whether the answer is yes, of an action whether it is legal now; None if the question asks for no yes or
            no, or that is hidden.
        detail: what was computed for it, such as `Odds`, a `Battle` or a `Ruling`; None if there is no more than words.
    """

    kind: AnswerKind
    text: str
    value: Plain = None
    question: str = ""
    edition: str = ""
    sections: tuple[str, ...] = ()
    is_yes: bool | None = None
    detail: object = field(default=None, repr=False, eq=False)

    def __str__(self) -> str:
        if not self.question:
            return self.text
        cited = with_signs(self.sections)
        return f"{self.text} ({self.edition} {cited})"


@frozen
class Command:
    """A command of the surface.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> forms = [hr.talk.CommandForm("save", "save FILE", ("save",), acts=True)]
    >>> hr.talk.understand("save game.rec", game, commands=forms).arguments
    'game.rec'
    >>> type(hr.talk.understand("save what?", game, commands=forms)).__name__
    'Nothing'

    Attributes:
        form: which.
        arguments: what stands behind its name.
    """

    form: CommandForm
    arguments: str = ""


@frozen
class Action:
    """An action that is to be played.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.talk.understand(game.actions[0].text, game).legal == game.actions[0]
    True

    Attributes:
        text: as it was typed; several actions have semicolons between them, where the surface narrows.
        outcomes: the outcomes of chance that were typed with it.
        legal: the legal action with this very text or number; None if the engine has to read the text.
    """

    text: str
    outcomes: tuple[str, ...] = ()
    legal: LegalAction | None = None


@frozen
class Edit:
    """A change of the position.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.talk.understand("year 1300", game, edits=True)
    Edit(lines='year 1300')

    Attributes:
        lines: as the lines of a position.
    """

    lines: str


@frozen
class Question:
    """A question; `answer` gives the answer.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.talk.understand("whose turn is it?", game).topic
    'sentence'

    Attributes:
        line: as it was typed.
        game: the game at the moment that is asked about.
        player: the player who asks; None for who knows everything.
        topic: what kind of question it is: `sentence`, `declared`, `ruling`, `battle`, `closest`, or the name of one
            that every game answers, such as `turn`.
        replies: how the sentences of the line were read.
        declared: the answer to a question that the ruleset declares in this form.
        closest: the rules that come closest.
    """

    line: str
    game: BaseGame = field(repr=False)
    player: str | None
    topic: str
    replies: tuple[Reply, ...] = field(default=(), repr=False)
    declared: DeclaredAnswer | None = None
    closest: tuple[str, ...] = ()


@frozen
class Which:
    """A line with several meanings: lines of which the number of one is typed next, or actions that it leaves.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> left = hr.talk.understand("move", game, game.to_move[0], among=game.actions).actions
    >>> len(left) > 1
    True

    Attributes:
        lines: the lines; empty if actions are meant.
        actions: the legal actions that the words leave.
    """

    lines: tuple[str, ...] = ()
    actions: tuple[LegalAction, ...] = ()


@frozen
class Nothing:
    """A line that means nothing here.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.talk.understand("xyzzy", game).line
    'xyzzy'

    Attributes:
        line: as it was typed.
        fault: what is wrong with it, where more is known than that.
        form: the command that it begins with, of which it has not the exact form.
        suggestion: something with a similar spelling that can be typed.
        hits: rules with its words.
        examples: questions that can be asked.
    """

    line: str
    fault: str = ""
    form: CommandForm | None = None
    suggestion: str = ""
    hits: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


Understood: TypeAlias = Command | Action | Edit | Question | Which | Nothing


def kind_of_all(kinds: Sequence[AnswerKind]) -> AnswerKind:
    """The kind of several answers: that of the one which proves least."""
    order = list(AnswerKind)
    return max(kinds, key=order.index, default=AnswerKind.CLOSEST)
