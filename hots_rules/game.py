"""The public `Ruleset` and `Game`.

A `Game` is `play.BaseGame` with views, records, explanations and odds. It is defined above the packages
that compute them, so that none of them depends on it.

Takes: a ruleset, or a game and an action.
Gives: what the packages to its left compute of a game, as methods of it.
Never: computes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, ClassVar

from attrs import frozen

from hots_rules.compile.codes import POINT
from hots_rules.diagnostics import DEFAULT_LIMITS, BadPosition, Limits, RulesetError
from hots_rules.play.action import Action, Printer
from hots_rules.play.compiled_ruleset import CompiledRuleset, compiled_ruleset
from hots_rules.play.game import BaseGame
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules import Source

# Imported on the first call of a method, so that a game starts without these packages.
if TYPE_CHECKING:
    from typing import Self

    from hots_rules.analysis.chances.odds import Odds
    from hots_rules.analysis.policies.policy import Policy
    from hots_rules.explain.causes import CausalTrace
    from hots_rules.explain.ruling import Ruling
    from hots_rules.observe.preview import Preview
    from hots_rules.observe.view import View
    from hots_rules.play.reason import Reason
    from hots_rules.play.trace import Step
    from hots_rules.records.record import Record
    from hots_rules.talk.understood import Answer


@frozen(slots=False)
class Game(BaseGame):
    """A game at one moment: an immutable value.

    Two games are equal when they have the same ruleset, beginning, settings, seed, state and moves; to ignore how a
    state was reached, compare `state`. Games can be hashed and pickled, and a copy of a game is the game itself. An
    untrusted pickle can run any code: load a record instead.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> after = game.play(game.actions[0])
    >>> len(game.moves), len(after.moves), after == hr.replay(after.record)
    (0, 1, True)

    Attributes:
        ruleset: the `Ruleset` that it is played by.
        scenario: the name of its scenario; empty if it began at a position.
        seed: the seed of all dice and draws.
        settings: the codes of all options and readings by name.
        chance: "auto", or "ask" if each outcome of chance is an action.
        state: the `State` of all variables.
        moves: the actions so far, as codes; -1 - outcome for dictated outcomes of chance.
        initial_position: the position at which it began; None for a scenario.
        course: how play may have come to a sampled world; see `worlds`.
    """

    if TYPE_CHECKING:

        @property
        def ruleset(self) -> Ruleset: ...

    # -------------------------------------------------------------- playing
    def play(self, action: Action | str, *, player: str | None = None) -> Self:
        """The game after an action; this game is unchanged.

        Args:
            action: an action of `actions`, or its text in any language of the ruleset.
            player: only this player's actions are understood, and an error reveals nothing that the
                player may not know.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the rules do not allow it now; the error has the reasons.
            AmbiguousAction: the text matches several legal actions.
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> after = game.play(game.actions[0])
        >>> len(game.moves), len(after.moves)
        (0, 1)
        """
        if player is None:
            return super().play(action)
        from hots_rules.observe.preview import parse_for_player

        return self.after(parse_for_player(self, action, player))

    def with_position_changes(self, lines: str) -> Self:
        """A game that begins at this position with some lines replaced, with the same choices and seed.

        The lines are those of a position. They are applied together, and the result is checked once; `;`
        separates several in one line. Play goes on at the same moment, or where a line `begin at` says. If positions
        without such a line come to this moment, so does the changed one, by the phases before it.

        Raises:
            BadPosition: with every fault; play must be able to go on at the result.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.with_position_changes("year 1300").state["year"]
        1300
        """
        from hots_rules.state.position import edited_position

        self.ruleset.check_position_size(lines)
        moment = "" if self._is_beginning() else self.moment
        return self._at(edited_position(self.machine, self.state, lines, self.seed, moment))

    def _is_beginning(self) -> bool:
        """Whether play comes to this state and point from where positions begin."""
        try:
            game = self._at(self.position)
        except BadPosition:
            return False
        return (game.slots[POINT], game.position) == (self.slots[POINT], self.position)

    def _at(self, position: str) -> Self:
        return self.ruleset.position(  # type: ignore[return-value]
            position,
            seed=self.seed,
            options=self.options,
            readings=self.readings,
            chance=self.chance,
        )

    # -------------------------------------------------------------- explanations
    def reasons_against(
        self, codes: Sequence[int], player: str | None = None
    ) -> tuple[Reason, ...]:
        """The clauses against the action, of those with these codes, that is nearest to being legal."""
        if self.point is None:
            return (self.moment_reason(),)
        from hots_rules.explain.legality import reasons_against

        return reasons_against(self, codes, player)

    def why_not(self, action: Action | str, *, player: str | None = None) -> Ruling:
        """The reasons against an action, in the order of `Ruling.against`; without any, `is_legal` is true.

        With a `player`, the reasons reveal nothing that the player may not know. See docs/how-to/rulings.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            AmbiguousAction: the text matches several legal actions.
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> action = game.actions[0]
        >>> game.why_not(action).is_legal
        True
        >>> ruling = game.play(action).why_not(action)
        >>> ruling.is_legal, ruling[0].kind, ruling[0].sections
        (False, 'moment', ('3.1',))
        """
        from hots_rules.explain.explain_action import explain_action

        return explain_action(self, action, player, with_support=False)

    def why(self, action: Action | str, *, player: str | None = None) -> Ruling:
        """The permits that allow an action, and the prohibitions that were checked.

        For an illegal action it has the reasons of `why_not` as well.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            AmbiguousAction: the text matches several legal actions.
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> [reason.kind for reason in game.why(game.actions[0]).support]
        ['permit']
        """
        from hots_rules.explain.explain_action import explain_action

        return explain_action(self, action, player, with_support=True)

    def explain(self, what: Step | str | None = None, *, player: str | None = None) -> CausalTrace:
        """Why something happened in the last play: the rules that led to it, and what it caused.

        Args:
            what: a step of `trace`, or words of its text; if omitted the whole play, or how it ended the game.
            player: explain only what this player observed.

        Raises:
            ArgumentError: no step of the last play matches, or no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.play(game.actions[0]).explain().happening.step.kind
        'action'
        """
        from hots_rules.explain.causes import causal_trace

        return causal_trace(self, what, player)

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that `ask` answers, with their parameters in braces.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> "who holds {a}" in game.questions
        True
        """
        from hots_rules.explain.query import questions

        return questions(self)

    def ask(self, question: str, *, player: str | None = None) -> Answer:
        """The answer to a question: one that the ruleset declares, such as `who holds Shore`, or one in words.

        Without its parameter, `who holds` is asked for every place. With a `player`, the answer contains only what that
        player can know. The question may be in any language of the ruleset. `Answer.kind` says where the answer
        comes from; where it is `closest`, it only offers rules.

        Raises:
            UnreadableQuestion: no such question, an unknown word, or several meanings; the error suggests the nearest.
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.ask("whose turn is it?").kind.value
        'computed'
        """
        from hots_rules.talk.asking import ask

        return ask(self, question, player)

    # -------------------------------------------------------------- analysis
    def odds(
        self,
        action: Action | str | None = None,
        *,
        until: str = "decision",
        policy: Policy | Mapping[str, Policy] | None = None,
        states: int = 200_000,
        seconds: float | None = None,
        samples: int = 10_000,
        seed: int | str = 0,
        on_progress: Callable[[int], None] | None = None,
        memory: int = 300_000_000,
    ) -> Odds:
        """The exact distribution of outcomes from this moment, or after an action; see docs/how-to/odds.

        Every die and draw is enumerated and equal states are merged, so probabilities are exact
        fractions. It reads the whole state, hidden parts included.

        Args:
            action: an action to play first.
            until: where to stop: at the next `decision`, at the end of the `game`, when the phase, event
                or action of a name is over (`NAME`, or `event NAME` where several kinds share it), or
                where an action can be chosen (`choose NAME`).
            policy: what the players choose on the way, for all or by player: the name of a policy of the
                ruleset, the text of one, `random`, or `Best(question)`.
            states: the number of states beyond which outcomes are sampled instead.
            seconds: the time of the whole computation; after half of it outcomes are sampled instead,
                as many as the rest allows. If it is None, `Limits.odds_steps` bounds the computation in
                the same way, to about a minute, and the same question has the same answer.
            samples: how many outcomes are sampled at most; 0 raises `TooManyStates` instead.
            seed: the seed of the samples.
            on_progress: called now and then with the number of states so far.
            memory: the bytes of states beyond which outcomes are sampled instead.

        Raises:
            ArgumentError: no such policy, player or end, or a limit that is not above 0.
            IllegalAction: the rules do not allow the action now.
            RulesetError: a policy or a question cannot be read.
            PolicyUndefined: a policy does not say what to choose.
            TooManyStates: a limit is exceeded with `samples=0`, or while `Best` searches, or no sample is
                finished in time.
            EngineError: a rule violated one of its bounds on the way.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> odds = game.odds(game.actions[0])
        >>> odds.exact, odds.states
        (True, 1)
        """
        from hots_rules.analysis.chances.compute import odds

        return odds(
            self, action, until, policy, states, seconds, samples, seed, on_progress, memory
        )

    # -------------------------------------------------------------- one player's knowledge
    def view(self, player: str | None = None, *, since: int | None = None) -> View:
        """Everything that a player, or a spectator, can know of the game.

        Args:
            player: the name of a player; None for a spectator.
            since: adds a log of the plays after this number of plays; 0 logs the whole game.

        Raises:
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> view = game.view(game.to_move[0])
        >>> view.plays, len(view.actions)
        (0, 3)
        """
        from hots_rules.observe.view import view_of

        return view_of(self, player, since)

    def observed_trace(
        self, player: str | None = None, *, since: int | None = None
    ) -> tuple[Step, ...]:
        """The steps of the last play that a player observed; with `since`, of all plays after a number.

        Raises:
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> after = game.play(game.actions[0])
        >>> [step.kind for step in after.observed_trace(after.to_move[0])]
        ['action']
        """
        from hots_rules.observe.view import observed_trace

        return observed_trace(self, player, since)

    def undo_limit(self, player: str) -> int:
        """The number of plays that cannot be undone: those after it revealed nothing to the player.

        Choices of others, dice and draws reveal something, as does a piece or value that becomes
        visible, even briefly.

        Raises:
            UnknownName: no such player.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> after = game.play(game.actions[0])
        >>> after.undo_limit(game.actions[0].player), after.undo_limit(after.to_move[0])
        (0, 1)
        """
        from hots_rules.observe.information_state import information_state
        from hots_rules.observe.observer import viewer_of

        return information_state(self, viewer_of(self, player)).undo_limit

    def worlds(self, player: str | None, n: int = 1, seed: int | str = 0) -> tuple[Self, ...]:
        """Games consistent with everything that the player has observed, for search without hidden information.

        Each has another seed and the same view for the player. Worlds cannot be recorded. `course` tells how play may
        have come to a world; where it is None, no course was found in bounded time, and the world only looks as the
        game does now.

        Raises:
            UnknownName: no such player.
            NoConsistentWorld: none was found in bounded time.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> player = game.to_move[0]
        >>> [world.view(player).state == game.view(player).state for world in game.worlds(player, 2)]
        [True, True]
        """
        from hots_rules.observe.worlds import worlds_of

        return tuple(worlds_of(self, player, n, seed))

    def preview(self, action: Action | str, player: str) -> Preview:
        """The changes by an action of which the player can be certain; nothing is rolled.

        Raises:
            UnreadableAction: the text is no action of this ruleset.
            IllegalAction: the player may not choose it now.
            AmbiguousAction: the text matches several legal actions.
            UnknownName: no such player.
            NoConsistentWorld: no state consistent with the player's view was found in bounded time.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> preview = game.preview(game.actions[0], game.actions[0].player)
        >>> len(preview.effects), preview.phase
        (2, 'play_cards')
        """
        from hots_rules.observe.preview import preview_of

        return preview_of(self, action, player)

    # -------------------------------------------------------------- records
    @property
    def record(self) -> Record:
        """The game as its beginning, its actions and a seal; `hots_rules.replay` is the inverse.

        Raises:
            BadRecord: the game is a sampled world.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> str(game.record).splitlines()[0]
        'hots_rules record 2'
        >>> hr.replay(game.record) == game
        True
        """
        from hots_rules.records.recording import record_game

        return record_game(self)

    def save(self, path: str | PathLike[str], *, texts: bool = False) -> None:
        """Write the record to a file, completely or not at all; `hots_rules.read` is the inverse.

        Args:
            path: the file.
            texts: whether to store the texts of the ruleset in the record.

        Raises:
            OSError: the file cannot be written, or is a pipe or a device; its old content is unchanged.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "game.txt")
        ...     game.save(path)
        ...     hr.read(path) == game
        True
        """
        from hots_rules.records.recording import save_game

        save_game(self, path, texts=texts)

    # -------------------------------------------------------------- display
    def draw(
        self,
        player: str | None = None,
        *,
        targets: Iterable[str] = (),
        live: bool = False,
        public: bool = False,
    ) -> str:
        """The position as the text of an SVG file; for a player, as that player may see it.

        Args:
            player: who looks at it; None sees the whole table.
            targets: names of places to mark.
            live: whether areas and blocks are buttons, with their full names, for a page with a program.
            public: without a player, only what a spectator may see.

        Raises:
            UnknownName: no such player, or no such place to mark.
            RulesetError: the file of the ruleset's board has faults.

        >>> import hots_rules as hr
        >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
        >>> game.draw().startswith("<svg")
        True
        """
        from hots_rules.draw.picture.page import draw

        return draw(self, player, targets=targets, is_live=live, is_public=public)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """One line for IPython."""
        start = f"{self.ruleset.name} {self.scenario or 'position'}, {len(self.moves)} moves"
        if self.is_over:
            printer.text(f"{start}: {self.outcome or 'over'}")
        else:
            printer.text(f"{start}: {' and '.join(self.to_move)} in {self.phase}")

    def _repr_svg_(self) -> str:
        """The whole position, for notebooks."""
        return self.draw()

    def _repr_html_(self) -> str:
        """The whole position with its table, for notebooks."""
        from hots_rules.draw.scene.position_table import figure
        from hots_rules.draw.scene.positions import position_of

        return figure(position_of(self), self.draw())


@frozen(slots=False, eq=False, repr=False)
class Ruleset(BaseRuleset[Game]):
    """A checked and compiled ruleset. It never changes, so threads may share it.

    Rulesets are equal when their names and their `content_hash` are. A pickle of one that was loaded by name from the
    library or an installed package has its name and digest; any other, and one that is `self_contained`, has its
    texts. An untrusted pickle can run any code: do not load it.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> rules.title, rules.scenarios[0]
    ('Hammer of the Scots, rulebook 4.0', 'braveheart')

    Attributes:
        compiled: its texts and compiled functions, shared by all its languages.
        language: the language of its texts.
    """

    game_type: ClassVar[type[BaseGame]] = Game

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickled, (self.compiled, self.language)

    def self_contained(self) -> Ruleset:
        """The same ruleset, whose pickles contain its texts, and those of its games as well.

        Where another release, or none, is installed, they can be unpickled all the same.

        >>> import hots_rules as hr, pickle
        >>> rules = hr.load("breakthrough-1.0")
        >>> whole = rules.self_contained()
        >>> whole == rules, len(pickle.dumps(whole)) > 5 * len(pickle.dumps(rules))
        (True, True)
        """
        compiled = self.compiled.self_contained()
        return self if compiled is self.compiled else Ruleset(compiled, self.language)


def load_source(
    source: Source, limits: Limits = DEFAULT_LIMITS, *, counts_steps: bool = False
) -> Ruleset:
    """The ruleset of some texts; with `counts_steps`, play counts its steps.

    Raises:
        RulesetError: the texts have faults; all of them are listed.
    """
    try:
        return Ruleset(compiled_ruleset(source, limits, counts_steps=counts_steps))
    except RulesetError as error:
        # The frames of the parser and the compiler tell an author nothing.
        raise RulesetError(error.faults, error.sources or source.texts) from None


def _unpickled(compiled: CompiledRuleset, language: str) -> Ruleset:
    return compiled.memo((Ruleset, "en"), lambda: Ruleset(compiled)).in_language(language)
